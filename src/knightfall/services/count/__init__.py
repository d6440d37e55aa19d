"""Counting: which count is asked for, what it says, why it says so, and who posts, plays and votes."""
