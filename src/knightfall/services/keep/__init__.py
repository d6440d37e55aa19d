"""Keeping a game: checked against what was written, archived, and what is wrong with its folder."""
