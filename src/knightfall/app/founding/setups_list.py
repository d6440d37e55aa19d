"""Which setups does a game have: the 48 codes of Knight-Errant, the numbers of Empowered Mafia?"""

from __future__ import annotations

from collections.abc import Mapping

from tabulate import tabulate

from knightfall.app.founding.game_names import same_game
from knightfall.app.plain_values import as_object
from knightfall.app.play.boards import boards
from knightfall.errors import InputError
from knightfall.games.empowered.assignment import PLAYERS, numbers
from knightfall.games.empowered.roles import TOWN_ROLES
from knightfall.games.knight_errant import CODES, parse_code
from knightfall.games.knight_errant.table import TABLE, SetupCode

_SIDE = range(4)


def setups(game: str, code: str | None = None, players: int | None = None, as_json: bool = False) -> str:
    """The setups as a table or JSON; of Knight-Errant with a code the walk on the table.

    JSON of Knight-Errant: {schema, setups: [{code, cells, power_roles, sk_abilities: {ability: uses},
    probability: "1/32"}]}; of Empowered Mafia: {schema, numbers: [{players, mafia, empowerers, others,
    copies, list_length, warning}]}. Raises InputError for another game or code, or too few players.
    """
    if same_game(game, "knight_errant"):
        return _knight_errant(code, as_json)
    if same_game(game, "empowered"):
        return _empowered(players, as_json)
    if same_game(game, "knights_duty"):
        return boards(code, as_json)
    raise InputError(f"No setups of “{game}”; there are those of knight_errant, empowered, knights_duty.")


def _knight_errant(code: str | None, as_json: bool) -> str:
    chosen = [parse_code(code)] if code else list(CODES.values())
    if as_json:
        return as_object({"setups": [code_facts(setup) for setup in chosen]})
    return walk(chosen[0]) if code else _codes(chosen)


def code_facts(setup: SetupCode) -> Mapping[str, object]:
    """One code for programs."""
    return {
        "code": setup.code,
        "cells": list(setup.cells),
        "power_roles": list(setup.powers),
        "sk_abilities": {str(ability): uses for ability, uses in setup.shots.items()},
        "probability": str(setup.probability),
    }


def _codes(chosen: list[SetupCode]) -> str:
    rows = [
        (s.code, " ".join(s.cells), ", ".join(s.powers), _abilities(s), str(s.probability)) for s in chosen
    ]
    heads = ("Code", "Cells", "Power roles", "Serial Killer", "Chance")
    table = tabulate(rows, heads, maxcolwidths=[5, 11, 30, 17, 6], disable_numparse=True)
    return f"{table}\nThe Serial Killer has one use of each unless said, and always one strong kill."


def _abilities(setup: SetupCode) -> str:
    """What the cells give him; `strong_kill` goes without saying."""
    shots = {str(ability): uses for ability, uses in setup.shots.items() if ability != "strong_kill"}
    return ", ".join(f"{uses}x {ability}" if uses > 1 else ability for ability, uses in shots.items())


def walk(setup: SetupCode) -> str:
    """The 4×4 table with the cells crossed numbered in the order of the walk."""
    rows = [[_cell(setup, column, row) for column in _SIDE] for row in _SIDE]
    table = tabulate(rows, list("ABCD"), "grid", showindex=[row + 1 for row in _SIDE], stralign="center")
    about = [
        f"{setup.code}: {' → '.join(setup.cells)}, chance {setup.probability}",
        *(f"{cell}  {power}" for cell, power in zip(setup.cells, setup.powers, strict=True)),
        f"Serial Killer: {_abilities(setup)}, strong kill",
    ]
    return "\n".join([about[0], table, *about[1:]])


def _cell(setup: SetupCode, column: int, row: int) -> str:
    """Its step in brackets, if it is crossed, and its role in two lines: four of them fit 80 columns."""
    name = f"{'ABCD'[column]}{row + 1}"
    step = f"[{setup.cells.index(name) + 1}]" if name in setup.cells else ""
    side, *rest = TABLE[row][column].split()
    return f"{step}\n{side}\n{' '.join(rest).replace('Even-Night ', 'Even-N. ')}"


def number_facts(players: int) -> Mapping[str, object]:
    """The composition for a number of players. Raises InputError for one that cannot be played."""
    count = numbers(players)
    return {
        "players": count.players,
        "mafia": count.mafia,
        "empowerers": count.empowerers,
        "others": count.others,
        "copies": count.copies,
        "list_length": count.copies * len(TOWN_ROLES),
        "warning": "a third is mafia" if count.crowded else "",
    }


def _empowered(players: int | None, as_json: bool) -> str:
    rows = [number_facts(count) for count in (PLAYERS if players is None else (players,))]
    if as_json:
        return as_object({"numbers": rows})
    heads = ("Players", "Mafia", "Empowerers", "Others", "k", "List", "Note")
    return tabulate([tuple(row.values()) for row in rows], heads)
