"""Custom Mafia: a moderator's own setup of common roles, in words: "Town 2-Shot Cop", "Mafia Ninja Goon".

A setup is a table of cards, fixed or drawn. Days and nights alternate; a night is resolved by what changes
what, and a ring of actions that change each other is put to the moderator. The numbered rulings, and
what a moderator may change, stand in `options`, the words of a role's name in `roles`.

Nothing is loaded here: every guard of a text knows these words, and few of them guard this game.
"""
