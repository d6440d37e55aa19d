"""Following a game's threads: when to look, what a look finds, and who is told."""
