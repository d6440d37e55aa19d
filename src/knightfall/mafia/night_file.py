"""A night that can be decided by itself, and written down in a file.

A night file holds a position at dusk and each slot's lines. `night_of` parses it, checked key by key; a
`NightFileGame` opens it, and decides the actions that stand in it apart from any game that is being run: for
`resolve`, `why` and `whatif`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Generic, TypeAlias

from knightfall.engine.game import Option, Position, Refusal, Step, check_distinct
from knightfall.engine.rng import Rng
from knightfall.errors import InputError, SetupError
from knightfall.mafia import views
from knightfall.mafia.explain import Words
from knightfall.mafia.game import MafiaGame
from knightfall.mafia.night import Action, Night
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Departure, Phase, R, State
from knightfall.mafia.trace import Trace
from knightfall.sentence import SlotId, joined, sentence

Wrong: TypeAlias = Callable[[str, object, str], SetupError]
"""Makes the complaint about a key of a night file: the key, what was found, what was expected."""


@dataclass(frozen=True, slots=True)
class DecidedNight:
    """A night decided, and the words to tell it in.

    `refused` are the lines that were not taken, with who sent them; `marks` the states of players that only
    this game knows, `unlimited` whose abilities have no shots.
    """

    night: Night
    words: Words
    refused: tuple[tuple[SlotId, str, Refusal], ...] = ()
    marks: Mapping[str, frozenset[SlotId]] = field(default_factory=dict)
    unlimited: frozenset[tuple[SlotId, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class NightFile:
    """A night as written down. `roles` are the cards of the living, `lines` in the order of arrival.

    `shots` are uses left, `code` names a setup, `marked` has lists of names by key and `groups` lists of
    groups, as the game's `file_marks` and `file_groups` say; `rulings` say what goes first in a ring.
    """

    game: NightFileGame[Any]
    title: str
    number: int
    roles: Mapping[SlotId, str]
    options: Mapping[str, object]
    lines: Mapping[SlotId, tuple[str, ...]]
    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    code: str = ""
    marked: Mapping[str, frozenset[SlotId]] = field(default_factory=dict)
    groups: Mapping[str, tuple[frozenset[SlotId], ...]] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The id of its game."""
        return self.game.spec.id


class NightFileGame(MafiaGame[R], Generic[R]):
    """A mafia game whose nights can be decided by themselves and written down in a file."""

    night_options: tuple[Option, ...]
    """The options that a night can hang on."""
    parse_rules: Callable[[Mapping[str, object]], Any]
    """The answers to `night_options`. Raises InputError for an unknown one."""
    role_names: Collection[str]
    """Names of roles for complaints: all, or examples where there is no end of them."""
    file_keys: tuple[str, ...] = ()
    """The keys that a night file of this game has beside those that all have."""
    file_marks: tuple[str, ...] = ()
    """Those of them that are lists of names."""
    file_groups: tuple[str, ...] = ()
    """Those of them that are lists of groups of names."""
    file_uses: tuple[str, ...] = ()
    """The abilities whose uses left a night file can tell."""
    trace: type[Trace] = Trace
    """Why an action of this game ended as it did."""

    @abstractmethod
    def card(self, rules: Any, name: str) -> Role:
        """The card of that name. Raises KeyError for none of `role_names`, InputError with a reason."""

    def check_file(self, night: NightFile, wrong: Wrong) -> NightFile:
        """The night with what its own keys imply. Raises what `wrong(key, found, expected)` makes."""
        return night

    def open_night(self, night: NightFile) -> State[R]:
        """The night of a file as it opens."""
        rules = self.parse_rules(night.options)
        cards = {slot: self.card(rules, role) for slot, role in night.roles.items()}
        return State(night.code, rules, cards, Phase.NIGHT, night.number, night.shots)

    def file_marks_of(self, state: State[R]) -> Mapping[str, frozenset[SlotId]]:
        """The lists of names that a file of this night would have, by `file_marks`."""
        return {}

    def under(self, state: State[R], options: Mapping[str, object]) -> State[R]:
        """The position under other options; unless a game says otherwise none of them rewrites a card."""
        return replace(state, rules=self.parse_rules(options))

    def adopt(
        self, slots: Sequence[SlotId], options: Mapping[str, object], position: Position, at: datetime
    ) -> Step[State[R]]:
        """Go on from the cards, deaths and uses that were told. Raises InputError for a card or a group that
        this game does not have, for a slot without a card, and where somebody has won by them already."""
        check_distinct(slots)
        if bare := [slot for slot in slots if slot not in position.roles]:
            raise InputError(sentence("No role was named for {slots}.", slots=joined(", ", bare)))
        try:
            state = self.position_told(options, position)
        except KeyError as unknown:
            known = ", ".join(self.role_names)
            raise InputError(f"{self.spec.name} has no card “{unknown.args[0]}”. It has {known}.") from None
        first = Phase.NIGHT if state.night_first else Phase.DAY
        left = {
            slot: Departure(how, _numbered(when, state.night_first))
            for slot, (how, when) in position.left.items()
        }
        told = replace(
            state,
            cards={slot: state.cards[slot] for slot in slots},
            phase=Phase(position.kind),
            left=left,
            since=at,
            last_death=max((_clock(gone.when, first) for gone in left.values()), default=0),
        )
        if self.judge(told).winner is not None:
            raise InputError("By these roles and deaths the game is over: look at them again.")
        return Step(told, (views.dealt(told), *(self.first_pm(told, slot) for slot in told.living)))

    def position_told(self, options: Mapping[str, object], position: Position) -> State[R]:
        """The state with the cards of all slots, before anybody has left. Raises KeyError for no card."""
        groups = {kind: tuple(map(frozenset, told)) for kind, told in position.groups.items()}
        return self.open_night(
            NightFile(
                self, "", position.number, position.roles, options, {}, shots=position.uses, groups=groups
            )
        )

    @abstractmethod
    def decide_night(self, state: State[R], actions: Sequence[Action], draw: Rng) -> DecidedNight:
        """What bare actions, in order of arrival, come to. Raises DecisionNeeded where only the moderator can
        say."""


_WHEN = re.compile(r"(?P<phase>day|night) (?P<number>[0-9]+)")


def _numbered(when: str, night_first: bool) -> str:
    """“night 2” as the game numbers it: where night 1 comes before day 1, night 3 comes behind day 2."""
    found = _WHEN.fullmatch(when)
    if not (night_first and found and found["phase"] == Phase.NIGHT):
        return when
    return f"{Phase.NIGHT} {int(found['number']) + 1}"


def _clock(when: str, first: Phase) -> int:
    """How many days and nights had begun by then, as `State.clock` has it."""
    found = _WHEN.fullmatch(when)
    return 2 * int(found["number"]) - (found["phase"] == first) if found else 0


# ── The file, read. ───────────────────────────────────────────────────────────────────────────────────────

_KEYS = ("kind", "game", "title", "moderator", "night", "options", "roles", "dead", "actions")


def night_of(name: str, table: Mapping[str, Any], game: NightFileGame[Any]) -> NightFile:
    """The night of these tables; `name` is what complaints call them. Raises SetupError with the key, what
    was found and what was expected."""
    return _Reader(name, table, game).night()


@dataclass(frozen=True, slots=True)
class _Reader:
    """A file's name and tables; every complaint goes through `wrong`."""

    name: str
    table: Mapping[str, Any]
    game: NightFileGame[Any]

    def wrong(self, key: str, found: object, expected: str) -> SetupError:
        return SetupError(f"{self.name}: {key}: found {found!r}, expected {expected}.")

    def night(self) -> NightFile:
        game = self.game
        self.known("", self.table, (*_KEYS, *game.file_keys))
        options = self.options()
        cards = self.cards(game.parse_rules(options))
        dead = self.names("dead", cards)
        living = {slot: role for slot, role in cards.items() if slot not in dead}
        night = NightFile(
            game,
            str(self.table.get("title", "")),
            self.number(),
            living,
            options,
            self.lines(living),
            code=str(self.table.get("setup", "")),
            marked={key: self.names(key, living) for key in game.file_marks},
            groups={key: self.groups(key, living) for key in game.file_groups},
            rulings=self.rulings(),
        )
        try:
            night = game.check_file(night, self.wrong)
        except SetupError:
            raise
        except InputError as error:
            raise SetupError(sentence("{file}: {fault}", file=self.name, fault=error)) from error
        return replace(night, shots={**night.shots, **self.shots(living)})

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

    def options(self) -> Mapping[str, object]:
        given = self.mapping("options")
        try:
            self.game.parse_rules(given)
        except InputError as error:
            raise SetupError(sentence("{file}: options: {fault}", file=self.name, fault=error)) from error
        return given

    def cards(self, rules: Any) -> Mapping[SlotId, str]:
        names = self.mapping("roles")
        for slot, role in names.items():
            known = self.game.role_names
            if not isinstance(role, str):
                raise self.wrong(f"roles.{slot}", role, f"one of {', '.join(known)}")
            try:
                self.game.card(rules, role)
            except KeyError:
                raise self.wrong(f"roles.{slot}", role, f"one of {', '.join(known)}") from None
            except InputError as error:
                where = f"{self.name}: roles.{slot}"
                raise SetupError(sentence("{where}: {fault}", where=where, fault=error)) from error
        if not names:
            example = next(iter(self.game.role_names))
            raise self.wrong("roles", {}, f'the living, one a line: Ada = "{example}"')
        return {SlotId(slot): role for slot, role in names.items()}

    def groups(self, key: str, living: Mapping[SlotId, str]) -> tuple[frozenset[SlotId], ...]:
        """Lists of names, each a group."""
        found = self.table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(group, list) for group in found):
            raise self.wrong(key, found, 'lists of names: [["Ada", "Boro"]]')
        return tuple(frozenset(self.slot(key, str(n), living) for n in group) for group in found)

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

    def number(self) -> int:
        night = self.table.get("night")
        if not isinstance(night, int) or isinstance(night, bool) or night < 1:
            raise self.wrong("night", night, "the number of the night, from 1")
        return night

    def shots(self, living: Mapping[SlotId, str]) -> Mapping[SlotId, Mapping[str, int]]:
        """The uses left that the file tells."""
        return {
            self.slot("shots", slot, living): self.uses(slot, uses)
            for slot, uses in self.mapping("shots").items()
        }

    def uses(self, slot: str, found: Any) -> dict[str, int]:
        if not isinstance(found, dict):
            raise self.wrong(f"shots.{slot}", found, "a table: { heal = 1 }")
        self.known(f"shots.{slot}.", found, self.game.file_uses)
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
