"""What can be looked up about Empowered Mafia: how many of each kind there are for a number of players."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tabulate import tabulate

from knightfall.engine.lookup import Lookup, Parameter
from knightfall.games.empowered.abilities import TOWN_ROLES
from knightfall.games.empowered.options import PLAYERS, numbers


@dataclass(frozen=True, slots=True)
class Composition:
    """The composition for a number of players; `warning` is "" where all is well."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int
    list_length: int
    warning: str


@dataclass(frozen=True, slots=True)
class Compositions:
    """The composition of each number of players."""

    numbers: tuple[Composition, ...]

    def to_dict(self) -> dict[str, object]:
        """{numbers: [{players, mafia, empowerers, others, copies, list_length, warning}]}."""
        return {"numbers": [asdict(one) for one in self.numbers]}

    def text(self) -> str:
        """The numbers as a table."""
        rows = [
            (one.players, one.mafia, one.empowerers, one.others, one.copies, one.list_length, one.warning)
            for one in self.numbers
        ]
        return tabulate(rows, ("Players", "Mafia", "Empowerers", "Others", "k", "List", "Note"))


def setups(players: int | None = None) -> Compositions:
    """The numbers for so many players, or for every number. Raises InputError for too few or too many."""
    found = []
    for count in map(numbers, PLAYERS if players is None else (players,)):
        warning = "a third is mafia" if count.crowded else ""
        length = count.copies * len(TOWN_ROLES)
        found.append(
            Composition(
                count.players, count.mafia, count.empowerers, count.others, count.copies, length, warning
            )
        )
    return Compositions(tuple(found))


LOOKUPS = {
    "setups": Lookup("List the numbers.", setups, (Parameter("players", "For so many players.", int),))
}
"""By the name of the verb that asks."""
