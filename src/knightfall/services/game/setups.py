"""A setup of a moderator's own as they paste it, read back line by line; and the roles that it can have."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knightfall.config.files import parse_toml
from knightfall.errors import SetupError
from knightfall.games.custom_mafia.catalog import MODIFIERS, Kind
from knightfall.games.custom_mafia.lookups import CatalogEntry, role_catalog
from knightfall.games.custom_mafia.roles import MOST_SHOTS, SIDES
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.games.custom_mafia.setup_reading import SetupReading

_TOML_LINE = re.compile(r"\s*(?:\[\[?[\w.]+\]\]?\s*(?:#.*)?|\w+\s*=(?!=).*)")
"""A head of a table, or a key."""


def setup_reading(text: str) -> SetupReading | None:
    """What a setup that was pasted says line by line; None where it is a setup file (TOML)."""
    is_file = any(_TOML_LINE.fullmatch(line) for line in text.splitlines())
    return None if is_file else read_setup(text)


def pasted_setup(text: str, name: str = "Custom") -> Mapping[str, Any]:
    """The table of a setup that was pasted: a setup file, or roles as they are written in a post.

    `name` is what a list is called. Raises InputError for a line that is in doubt, SetupError for a file that
    is no TOML.
    """
    reading = setup_reading(text)
    if reading is not None:
        return reading.table(name)
    try:
        return parse_toml(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise SetupError(
            f"The setup is not valid TOML: {error}. Write a role on each line, such as “2 Mafia Goon”, "
            "or paste a setup file."
        ) from None


def mended_setup(text: str, chosen: str, typed: str) -> str:
    """A setup with one of its rows as it was chosen (“3:2 Mafia Goon”: the row's place, and a line), where
    what was `typed` of it still stands there; else as it was."""
    place, _, line = chosen.partition(":")
    reading = setup_reading(text)
    if reading is None or not place.isdecimal():
        return text
    same = [number for number, row in enumerate(reading.rows) if row.typed == typed]
    if not same:
        return text
    return reading.mended(int(place) if int(place) in same else same[0], line)


@dataclass(frozen=True, slots=True)
class RoleGroup:
    """Roles of one kind, such as those that act at night."""

    title: str
    entries: tuple[CatalogEntry, ...]


@dataclass(frozen=True, slots=True)
class RolePicker:
    """What a setup can be put together from: roles by group, what limits them, and the sides."""

    groups: tuple[RoleGroup, ...]
    modifiers: tuple[CatalogEntry, ...]
    limits: tuple[str, ...]
    """Each modifier as it is written before a role, such as “2-Shot”."""
    sides: tuple[str, ...]


_GROUPS: Mapping[str, str] = {
    Kind.BARE: "Without a power",
    Kind.ACTION: "Act at night",
    Kind.PASSIVE: "Work by themselves",
    Kind.TRAIT: "Are something more",
    Kind.OWN_SIDE: "A side of their own",
}


def role_picker() -> RolePicker:
    """Every role and modifier of a game of one's own."""
    entries = role_catalog().entries
    modifiers = tuple(one for one in entries if one.is_modifier)
    shots = tuple(f"{number}-Shot" for number in range(1, MOST_SHOTS + 1))
    others = tuple(one.name for one in MODIFIERS)
    groups = tuple(
        RoleGroup(title, tuple(one for one in entries if one.kind == kind)) for kind, title in _GROUPS.items()
    )
    return RolePicker(groups, modifiers, (*shots, *others), tuple(side.name for side in SIDES))


def picked_line(number: str, side: str, limit: str, role: str) -> str:
    """The line that adds a role to a setup."""
    return " ".join(word for word in (number if number != "1" else "", side, limit, role) if word)
