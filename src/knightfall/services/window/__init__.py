"""A window of a game: the messages that belong to it, whom it awaits, and its closing."""
