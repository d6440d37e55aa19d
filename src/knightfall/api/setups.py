"""Setups as moderators write them."""

from __future__ import annotations

from knightfall.api.door import door
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.games.custom_mafia.setup_reading import SetupReading


@door
def parse_setup(text: str) -> SetupReading:
    """Read the setup of a Custom Mafia game out of a post: lists, tables, sentences, an open setup's name.

    Nothing is raised: what is not sure stands in `doubts`, each with a sentence and `choices`; `cards` are
    what was understood, `left_out` is what is no card. `table(name)` is what `kf.Game.create` takes as its
    option `setup`, and `kf.balance` plays; it raises InputError while there are doubts, and where it has no
    card.
    """
    return read_setup(text)
