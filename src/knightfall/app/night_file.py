"""What does a night file say? A position of the game and each slot's lines, or a complaint about one key."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from knightfall.core.game import SlotId
from knightfall.errors import InputError, SetupError
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_code, parse_options
from knightfall.games.knight_errant.roles import SERIAL_KILLER, Ability

GAME = KNIGHT_ERRANT.spec.id
_KEYS = ("kind", "title", "moderator", "setup", "night", "options", "roles", "shots", "actions")


@dataclass(frozen=True, slots=True)
class NightFile:
    """A night as written down: the position, and each slot's lines."""

    title: str
    state: State
    lines: Mapping[SlotId, tuple[str, ...]]


def read_night(path: Path) -> NightFile:
    """Read a night file. Raises SetupError with file, key, what was found and what was expected."""
    return parse_night(path.name, _text(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: the file cannot be read ({error}).") from error


def parse_night(name: str, text: str) -> NightFile:
    """The same from text; `name` is what complaints call the file."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name}: not TOML: {error}.") from error
    return _Reader(name, table).night()


@dataclass(frozen=True, slots=True)
class _Reader:
    """A file's name and tables; every complaint goes through `wrong`."""

    name: str
    table: Mapping[str, Any]

    def wrong(self, key: str, found: object, expected: str) -> SetupError:
        return SetupError(f"{self.name}: {key}: found {found!r}, expected {expected}.")

    def night(self) -> NightFile:
        self.known("", self.table, _KEYS)
        if (kind := self.table.get("kind")) != GAME:
            raise self.wrong("kind", kind, f'"{GAME}"')
        state = self.state()
        return NightFile(str(self.table.get("title", "")), state, self.lines(state))

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

    def state(self) -> State:
        try:
            rules = parse_options(self.mapping("options"))
        except InputError as error:
            raise SetupError(f"{self.name}: options: {error}") from error
        names = self.mapping("roles")
        for slot, role in names.items():
            if not isinstance(role, str) or role not in rules.roles:
                raise self.wrong(f"roles.{slot}", role, f"one of {', '.join(rules.roles)}")
        cards = {SlotId(slot): rules.roles[role] for slot, role in names.items()}
        if not cards:
            raise self.wrong("roles", {}, 'the living, one a line: Ada = "Town Doctor"')
        code = self.code(list(names.values()))
        return State(code or "", rules, cards, Phase.NIGHT, self.number(), self.shots(code, names))

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

    def shots(self, code: str | None, roles: Mapping[str, str]) -> Mapping[SlotId, Mapping[str, int]]:
        """What the code gives the Serial Killer; a table of a slot replaces that."""
        killers = [slot for slot, role in roles.items() if role == SERIAL_KILLER.name]
        shots = {SlotId(slot): parse_code(code).shots for slot in killers} if code else {}
        for slot, uses in self.mapping("shots").items():
            shots[self.slot("shots", slot, roles)] = self.uses(slot, uses)
        return shots

    def uses(self, slot: str, found: Any) -> dict[str, int]:
        if not isinstance(found, dict):
            raise self.wrong(f"shots.{slot}", found, "a table: { heal = 1 }")
        self.known(f"shots.{slot}.", found, tuple(str(ability) for ability in Ability))
        for ability, uses in found.items():
            if not isinstance(uses, int) or isinstance(uses, bool) or uses < 0:
                raise self.wrong(f"shots.{slot}.{ability}", uses, "the uses left, a whole number")
        return found

    def slot(self, where: str, name: str, roles: Iterable[str]) -> SlotId:
        if name not in (known := list(roles)):
            near = get_close_matches(name, known, n=1)
            raise self.wrong(f"{where}.{name}", name, f"“{near[0]}”" if near else "a name of [roles]")
        return SlotId(name)

    def lines(self, state: State) -> Mapping[SlotId, tuple[str, ...]]:
        sent = self.mapping("actions")
        return {
            self.slot("actions", slot, state.cards): self.said(slot, found) for slot, found in sent.items()
        }

    def said(self, slot: str, found: Any) -> tuple[str, ...]:
        lines = [found] if isinstance(found, str) else found
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise self.wrong(f"actions.{slot}", found, 'lines: ["heal Ada"]')
        return tuple(lines)
