"""Read night files: a position at dusk and each slot's lines, checked key by key."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from knightfall.engine.game import Event, Refusal, SlotId
from knightfall.errors import InputError, SetupError
from knightfall.games import empowered, knight_errant
from knightfall.games.custom_mafia import abilities as custom_abilities
from knightfall.games.custom_mafia import options as custom_options
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.role_grammar import parse_role
from knightfall.games.empowered import EMPOWERED
from knightfall.games.knight_errant import KNIGHT_ERRANT, Ability, parse_code
from knightfall.mafia.state import State
from knightfall.services.session import read_text

KNIGHT_ERRANT_ID = KNIGHT_ERRANT.spec.id
EMPOWERED_ID = EMPOWERED.spec.id
CUSTOM_ID = CUSTOM_MAFIA.spec.id
_KEYS = ("kind", "game", "title", "moderator", "night", "options", "roles", "dead", "actions")


@dataclass(frozen=True, slots=True)
class NightFile:
    """A night as written down. `roles` are the cards of the living, `lines` in the order of arrival.

    `shots` are uses left and `code` the setup in Knight-Errant; `lost` the Ninjas without Adaptability in
    Empowered Mafia; in a custom game `lovers` die together and `rulings` say what goes first in a ring.

    A night of a game that is played in a folder has more: `position` as it stood when the night was closed,
    or stands now; `refused` lines, `ending` what the closing led to, and the `seed` and the values drawn by
    hand (`drawn`: label, value) of the game's own chance.
    """

    kind: str
    title: str
    number: int
    roles: Mapping[SlotId, str]
    options: Mapping[str, object]
    lines: Mapping[SlotId, tuple[str, ...]]
    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    lost: frozenset[SlotId] = frozenset()
    code: str = ""
    lovers: tuple[frozenset[SlotId], ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict)
    position: State[Any] | None = None
    refused: tuple[tuple[SlotId, str, Refusal], ...] = ()
    ending: tuple[Event, ...] = ()
    seed: bytes = field(default=b"", repr=False)
    drawn: tuple[tuple[str, object], ...] = ()
    names: Mapping[str, SlotId] = field(default_factory=dict)
    """Other names of the living: aliases, and who came for somebody."""


@dataclass(frozen=True, slots=True)
class _Terms:
    """What is peculiar to a game: keys of its own, its cards, how its options are checked.

    `roles` are cards by name; `card` reads a name where there is no end of them. `uses`: what has shots.
    """

    keys: tuple[str, ...]
    roles: Collection[str]
    options: Callable[[Mapping[str, object]], object]
    card: Callable[[str], object] | None = None
    uses: tuple[str, ...] = tuple(map(str, Ability))


_GAMES: Mapping[str, _Terms] = {
    KNIGHT_ERRANT_ID: _Terms(("setup", "shots"), knight_errant.ROLES, knight_errant.parse_options),
    EMPOWERED_ID: _Terms(("adaptability_lost",), empowered.ROLES, empowered.parse_options),
    CUSTOM_ID: _Terms(
        ("shots", "lovers", "rulings"),
        ("Town Cop", "Mafia Goon"),
        custom_options.parse_options,
        parse_role,
        (*custom_abilities.Ability, *custom_abilities.Passive),
    ),
}


def read_night(path: Path) -> NightFile:
    """Read a night file. Raises SetupError with file, key, what was found and what was expected."""
    return parse_night(path.name, read_text(path))


def parse_night(name: str, text: str) -> NightFile:
    """Parse the text of a night file; `name` is what complaints call the file."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name}: not TOML: {error}.") from error
    return night_of(name, table)


def night_of(name: str, table: Mapping[str, Any]) -> NightFile:
    """The same from the tables that a night file has; `name` is what complaints call them."""
    return _Reader(name, table).night()


@dataclass(frozen=True, slots=True)
class _Reader:
    """A file's name and tables; every complaint goes through `wrong`."""

    name: str
    table: Mapping[str, Any]

    def wrong(self, key: str, found: object, expected: str) -> SetupError:
        return SetupError(f"{self.name}: {key}: found {found!r}, expected {expected}.")

    def night(self) -> NightFile:
        kind = self.kind()
        terms = _GAMES[kind]
        self.known("", self.table, (*_KEYS, *terms.keys))
        options = self.options(terms)
        cards = self.cards(terms)
        living = {slot: role for slot, role in cards.items() if slot not in self.names("dead", cards)}
        code = self.code(list(living.values()))
        return NightFile(
            kind,
            str(self.table.get("title", "")),
            self.number(),
            living,
            options,
            self.lines(living),
            self.shots(terms, code, living),
            self.ninjas(living),
            code or "",
            self.lovers(living),
            self.rulings(),
        )

    def kind(self) -> str:
        key = "game" if "game" in self.table and "kind" not in self.table else "kind"
        kind = self.table.get(key)
        if not isinstance(kind, str) or kind not in _GAMES:
            raise self.wrong(key, kind, " or ".join(f'"{known}"' for known in _GAMES))
        return kind

    def known(self, where: str, found: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in found:
            if key not in keys:
                near = get_close_matches(key, keys, n=1)
                hint = f"“{near[0]}”" if near else f"one of {', '.join(keys)}"
                raise self.wrong(where + key, key, hint)

    def mapping(self, key: str) -> Mapping[str, Any]:
        found = self.table.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong(key, found, "a table")
        return found

    def options(self, terms: _Terms) -> Mapping[str, object]:
        given = self.mapping("options")
        try:
            terms.options(given)
        except InputError as error:
            raise SetupError(f"{self.name}: options: {error}") from error
        return given

    def cards(self, terms: _Terms) -> Mapping[SlotId, str]:
        names = self.mapping("roles")
        for slot, role in names.items():
            self.card(terms, slot, role)
        if not names:
            raise self.wrong("roles", {}, f'the living, one a line: Ada = "{next(iter(terms.roles))}"')
        return {SlotId(slot): role for slot, role in names.items()}

    def card(self, terms: _Terms, slot: str, role: object) -> None:
        if not isinstance(role, str) or (terms.card is None and role not in terms.roles):
            raise self.wrong(f"roles.{slot}", role, f"one of {', '.join(terms.roles)}")
        try:
            if terms.card is not None:
                terms.card(role)
        except InputError as error:
            raise SetupError(f"{self.name}: roles.{slot}: {error}") from error

    def lovers(self, living: Mapping[SlotId, str]) -> tuple[frozenset[SlotId], ...]:
        """Lists of names: each a group that dies together."""
        found = self.table.get("lovers", [])
        if not isinstance(found, list) or not all(isinstance(group, list) for group in found):
            raise self.wrong("lovers", found, 'lists of names: [["Ada", "Boro"]]')
        return tuple(frozenset(self.slot("lovers", str(n), living) for n in group) for group in found)

    def rulings(self) -> Mapping[str, str]:
        """For each ring of actions what goes first, as the question named both."""
        found = self.mapping("rulings")
        if wrong := [key for key, choice in found.items() if not isinstance(choice, str)]:
            raise self.wrong(f"rulings.{wrong[0]}", found[wrong[0]], 'what goes first, as "Ada:drive"')
        return found

    def names(self, key: str, cards: Mapping[SlotId, str]) -> frozenset[SlotId]:
        """A list of names that [roles] has."""
        found = self.table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            raise self.wrong(key, found, 'a list of names: ["Ada"]')
        return frozenset(self.slot(key, name, cards) for name in found)

    def ninjas(self, living: Mapping[SlotId, str]) -> frozenset[SlotId]:
        lost = self.names("adaptability_lost", living)
        for slot in sorted(lost):
            if living[slot] != "Ninja":
                raise self.wrong("adaptability_lost", slot, "a Ninja")
        return lost

    def number(self) -> int:
        night = self.table.get("night")
        if not isinstance(night, int) or isinstance(night, bool) or night < 1:
            raise self.wrong("night", night, "the number of the night, from 1")
        return night

    def code(self, roles: list[str]) -> str | None:
        """The setup code, if one is given and the roles can be what is left of it."""
        if "setup" not in self.table:
            return None
        try:
            setup = parse_code(str(self.table["setup"]))
        except InputError as error:
            raise SetupError(f"{self.name}: setup: {error}") from error
        if odd := Counter(roles) - Counter(setup.roles):
            more = ", ".join(f"{count} {role}" for role, count in odd.items())
            raise self.wrong("roles", f"{more} too many", f"the cards of {setup.code}")
        return setup.code

    def shots(
        self, terms: _Terms, code: str | None, living: Mapping[SlotId, str]
    ) -> Mapping[SlotId, Mapping[str, int]]:
        """What the code gives the Serial Killer; a table of a slot replaces that."""
        killers = [slot for slot, role in living.items() if role == "Serial Killer"]
        shots = {slot: parse_code(code).shots for slot in killers} if code else {}
        for slot, uses in self.mapping("shots").items():
            shots[self.slot("shots", slot, living)] = self.uses(terms, slot, uses)
        return shots

    def uses(self, terms: _Terms, slot: str, found: Any) -> dict[str, int]:
        if not isinstance(found, dict):
            raise self.wrong(f"shots.{slot}", found, "a table: { heal = 1 }")
        self.known(f"shots.{slot}.", found, terms.uses)
        for ability, uses in found.items():
            if not isinstance(uses, int) or isinstance(uses, bool) or uses < 0:
                raise self.wrong(f"shots.{slot}.{ability}", uses, "the uses left, a whole number")
        return found

    def slot(self, where: str, name: str, roles: Iterable[str]) -> SlotId:
        if name not in (known := list(roles)):
            near = get_close_matches(name, known, n=1)
            raise self.wrong(f"{where}.{name}", name, f"“{near[0]}”" if near else "a name of [roles]")
        return SlotId(name)

    def lines(self, living: Mapping[SlotId, str]) -> Mapping[SlotId, tuple[str, ...]]:
        sent = self.mapping("actions")
        return {self.slot("actions", slot, living): self.said(slot, found) for slot, found in sent.items()}

    def said(self, slot: str, found: Any) -> tuple[str, ...]:
        lines = [found] if isinstance(found, str) else found
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise self.wrong(f"actions.{slot}", found, 'lines: ["heal Ada"]')
        return tuple(lines)
