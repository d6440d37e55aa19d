"""The option that names a game, under the address from which some verbs import it."""

from knightfall.cli.options import GameHere as GameHere
