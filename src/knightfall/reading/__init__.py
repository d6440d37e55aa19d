"""What a text says: knows no game."""
