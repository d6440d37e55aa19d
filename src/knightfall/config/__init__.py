"""A game file and what was decided since, as typed values."""
