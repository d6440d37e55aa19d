"""Which posts does a moderator write in a game, and what does each of them say?

`kinds` lists them; each module here makes one kind or a few that belong together out of a `Scene`: the game
file, the journal, and the begun game where there is one. What cannot be said yet is refused with what to do.
"""
