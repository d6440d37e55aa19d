"""A game from its sign-ups to its end: made, led, looked up, taken back; who plays, and what is due."""
