"""What can be looked up about Empowered Mafia: how many of each kind there are for a number of players."""

from __future__ import annotations

from dataclasses import dataclass

from tabulate import tabulate

from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lookup import Lookup
from knightfall.games.empowered.options import PLAYERS, Numbers, numbers
from knightfall.parameters import Parameter


@dataclass(frozen=True, slots=True, repr=False)
class Compositions(JsonAnswer):
    """The composition of each number of players."""

    numbers: tuple[Numbers, ...]

    def to_dict(self) -> dict[str, object]:
        """{numbers: [{players, mafia, empowerers, others, copies, list_length, warning}]}."""
        rows = [
            {
                "players": one.players,
                "mafia": one.mafia,
                "empowerers": one.empowerers,
                "others": one.others,
                "copies": one.copies,
                "list_length": one.cards,
                "warning": _warning(one),
            }
            for one in self.numbers
        ]
        return {"numbers": rows}

    def text(self) -> str:
        """The numbers as a table."""
        rows = [
            (one.players, one.mafia, one.empowerers, one.others, one.copies, one.cards, _warning(one))
            for one in self.numbers
        ]
        return tabulate(rows, ("Players", "Mafia", "Empowerers", "Others", "k", "List", "Note"))


def setups(players: int | None = None) -> Compositions:
    """The numbers for so many players, or for every number. Raises InputError for too few or too many."""
    return Compositions(tuple(map(numbers, PLAYERS if players is None else (players,))))


def _warning(count: Numbers) -> str:
    return "a third is mafia" if count.crowded else ""


LOOKUPS = {
    "setups": Lookup("List the numbers.", setups, (Parameter("players", "For so many players.", int),))
}
"""By the name of the verb that asks."""
