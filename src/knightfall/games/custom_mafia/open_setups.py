"""Open setups that moderators call by name, such as Matrix6: for how many, what is in them, who wrote them
down.

They lie in `open_setups.toml`, each as the table that a setup file holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from knightfall.games.custom_mafia.options import Line, Setup
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.mafia.roles import Role

_SIGNS = re.compile(r"[\s_'’‐‑–-]+")
"""Blanks, hyphens and apostrophes of a name, which do not matter."""


@dataclass(frozen=True, slots=True)
class OpenSetup:
    """A setup with a name. `table` is what a setup file says, with the name in it; `year` 0: not known."""

    name: str
    aliases: tuple[str, ...]
    players: int
    source: str
    year: int
    note: str
    table: Mapping[str, Any]

    @property
    def setup(self) -> Setup:
        """What is dealt."""
        return parse_setup(self.table)

    @property
    def cards(self) -> tuple[str, ...]:
        """What is in it, a part each: “2 Mafia Goon”."""
        return cards_in(self.setup)


def cards_in(setup: Setup) -> tuple[str, ...]:
    """What may be dealt, a part each: cards that are there, then what is drawn, with true odds."""
    return (*map(_line, setup.lines), *_groups(setup))


def _line(line: Line) -> str:
    names = _listed(line.roles)
    if line.count is None:
        return f"everyone else: {names.replace(', ', ' or ')}"
    if len(line.roles) == 1:
        return names if line.count == 1 else f"{line.count} {names}"
    if line.pick and line.count == len(line.roles):
        return names
    if line.count == 1:
        return f"1 of {names}"
    return f"{line.count} of {names}, {'none twice' if line.pick else 'the same one may come again'}"


def _listed(roles: tuple[Role, ...]) -> str:
    return ", ".join(role.name for role in roles)


def _groups(setup: Setup) -> Iterator[str]:
    if setup.letters is not None:
        yield from setup.letters.told
        return
    groups, odds = setup.groups, setup.odds
    if not groups:
        return
    for group in groups:
        yield f"{group.name} ({odds.get(group.name, f'1 in {len(groups)}')}): {_listed(group.roles)}"


@lru_cache(maxsize=1)
def open_setups() -> tuple[OpenSetup, ...]:
    """Every open setup, those for few players first."""
    text = files("knightfall.games.custom_mafia").joinpath("open_setups.toml").read_text(encoding="utf-8")
    found = [
        OpenSetup(
            one["name"],
            tuple(one["aliases"]),
            one["players"],
            one["source"],
            one.get("year", 0),
            one.get("note", ""),
            {"schema": 1, "name": one["name"], **one["table"]},
        )
        for one in tomllib.loads(text)["setup"]
    ]
    return tuple(sorted(found, key=lambda one: (one.players, one.name)))


def open_setup(name: str) -> OpenSetup | None:
    """The open setup of a name, however it is spelt; None where there is none."""
    return _by_name().get(_plain(name))


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, OpenSetup]:
    return {_plain(written): one for one in open_setups() for written in (one.name, *one.aliases)}


def _plain(name: str) -> str:
    return _SIGNS.sub("", name).casefold()
