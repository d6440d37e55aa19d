"""What do a game's options come to, as a file or a command line writes them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knightfall.core.game import Option
from knightfall.core.options import choose


def chosen_values(game: str, options: Sequence[Option], given: Mapping[str, object]) -> Mapping[str, str]:
    """The value of every option, defaults included; one that is a name, as a setup code, in its own spelling;
    `game` is its name in messages.

    Raises InputError for an unknown option or value.
    """
    folded = tuple(replace(o, values=tuple(map(str.lower, o.values))) for o in options)
    values = choose(game, folded, given).values
    written = {value.lower(): value for option in options for value in option.values}
    return {name: written.get(value, value) for name, value in values.items()}
