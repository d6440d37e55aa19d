"""What can be looked up about Knight-Errant: its 48 setups, and the walk of one through the table."""

from __future__ import annotations

from dataclasses import dataclass

from tabulate import tabulate

from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lookup import Lookup
from knightfall.games.knight_errant.options import CODES, TABLE, SetupCode, parse_code
from knightfall.parameters import Parameter


@dataclass(frozen=True, slots=True, repr=False)
class Setups(JsonAnswer):
    """Setup codes; `walk` where one was asked for."""

    codes: tuple[SetupCode, ...]
    walk: bool = False

    def to_dict(self) -> dict[str, object]:
        """{setups: [{code, cells, power_roles, sk_abilities: {ability: uses}, probability: "1/32"}]}."""
        setups = [
            {
                "code": setup.code,
                "cells": list(setup.cells),
                "power_roles": list(setup.powers),
                "sk_abilities": {str(ability): uses for ability, uses in setup.shots.items()},
                "probability": str(setup.probability),
            }
            for setup in self.codes
        ]
        return {"setups": setups}

    def text(self) -> str:
        """The codes as a table; one code as its walk."""
        if self.walk:
            return _walk(self.codes[0])
        rows = [
            (s.code, " ".join(s.cells), ", ".join(s.powers), _killer_abilities(s), str(s.probability))
            for s in self.codes
        ]
        heads = ("Code", "Cells", "Power roles", "Serial Killer", "Chance")
        table = tabulate(rows, heads, maxcolwidths=[5, 11, 30, 17, 6], disable_numparse=True)
        return f"{table}\nThe Serial Killer has one use of each unless said, and always one strong kill."


def setups(code: str | None = None) -> Setups:
    """All setups, or the one of a code. Raises InputError for a code that is none."""
    return Setups((parse_code(code),), walk=True) if code else Setups(tuple(CODES.values()))


def _walk(setup: SetupCode) -> str:
    """The 4×4 table with the cells of a code numbered in the order of the walk."""

    def cell(column: int, row: int) -> str:
        """Its step in brackets, if it is crossed, and its role in two lines: four of them fit 80 columns."""
        name = f"{'ABCD'[column]}{row + 1}"
        step = f"[{setup.cells.index(name) + 1}]" if name in setup.cells else ""
        side, *rest = TABLE[row][column].split()
        return f"{step}\n{side}\n{' '.join(rest).replace('Even-Night ', 'Even-N. ')}"

    rows = [[cell(column, row) for column in range(4)] for row in range(4)]
    return "\n".join(
        [
            f"{setup.code}: {' → '.join(setup.cells)}, chance {setup.probability}",
            tabulate(rows, list("ABCD"), "grid", showindex=[1, 2, 3, 4], stralign="center"),
            *(f"{cell}  {power}" for cell, power in zip(setup.cells, setup.powers, strict=True)),
            f"Serial Killer: {_killer_abilities(setup)}, strong kill",
        ]
    )


def _killer_abilities(setup: SetupCode) -> str:
    """What the cells give the Serial Killer; `strong_kill` goes without saying."""
    shots = {str(ability): uses for ability, uses in setup.shots.items() if ability != "strong_kill"}
    return ", ".join(f"{uses}x {ability}" if uses > 1 else ability for ability, uses in shots.items())


LOOKUPS = {
    "setups": Lookup("List the 48 setups.", setups, (Parameter("code", "A code, such as A1-RD: its walk."),))
}
"""By the name of the verb that asks."""
