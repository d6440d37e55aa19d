"""Votes: what was written, who is meant, what it adds up to."""
