"""Which version this is: what a game's journal says that the game was begun with."""

VERSION = "0.2.0"
