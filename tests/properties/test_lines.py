"""Every line that a game builds part by part is taken, and every line that it takes can be built."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from knightfall.engine.commands import lines_of
from knightfall.engine.game import Facts, Game, Message, Spec, Step, View, Window
from knightfall.engine.lines import (
    Choices,
    Part,
    PartKind,
    a_slot,
    a_word,
    descend,
    either,
    forms,
    last,
    then,
)
from knightfall.engine.playout import START, play
from knightfall.engine.rng import Rng, SeededRng
from knightfall.games import GAMES, cases_of, loaded
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.empowered import EMPOWERED
from knightfall.games.kings_court import KINGS_COURT
from knightfall.games.kings_court import State as CourtState
from knightfall.games.kings_court.orders import read_order
from knightfall.games.kings_court.state import Verb, plain
from knightfall.games.knight_errant import KNIGHT_ERRANT
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knight_fight import State as FightState
from knightfall.games.knights_duty import KNIGHTS_DUTY, State, lay
from knightfall.games.knights_duty.state import write_entry
from knightfall.mafia.cases import parse_action
from knightfall.mafia.night_file import NightFile, NightFileGame
from knightfall.sentence import SlotId
from long_runs import rows, spread
from properties.lines import asked_for, can_be_built, walked
from salt_harbour import NAMES

ROOT = Path(__file__).parents[2]
CASES = ROOT / "fixtures/conformance"
LETTERS = "ABCHNST"
PAIRS = tuple("".join(pair) for pair in combinations(LETTERS, 2))
SETUP = tomllib.loads((ROOT / "fixtures/playthroughs/custom_mafia.toml").read_text("utf-8"))

Played = tuple[Game[Any], int, Mapping[str, object]]

PAIRED: tuple[Played, ...] = tuple(
    (KNIGHT_FIGHT, 2, {"anomalies": letters}) for letters in (*LETTERS, *PAIRS[::3])
)
"""Knight Fight with every anomaly alone, and in pairs."""
PLAYED: tuple[Played, ...] = (
    *((KNIGHT_FIGHT, 2, {"anomalies": letters}) for letters in ("none", LETTERS)),
    (KNIGHT_FIGHT, 2, {"anomalies": "ANS", "kf_38": "pass", "kf_p05": "fizzles"}),
    (KNIGHTS_DUTY, 4, {}),
    (KNIGHTS_DUTY, 3, {"mode": "staged", "kd_08": "agreement"}),
    (KNIGHTS_DUTY, 5, {"kd_14": "attackers_choose", "cards": "picked", "inspiration": "token"}),
    (KNIGHTS_DUTY, 2, {"kd_04": "line_by_line", "inspiration": "action", "kd_06": "any_two"}),
    (KINGS_COURT, 11, {"garnets": 12}),
    (KINGS_COURT, 11, {"kc_35": "external", "public_ballots": "accept", "king_in_pair": "refuse"}),
    (KNIGHT_ERRANT, 18, {}),
    (EMPOWERED, 9, {"em_r27": "unanimous"}),
    (CUSTOM_MAFIA, 18, {"setup": SETUP}),
)
"""All games, with what changes what can be sent; Knight Fight with no anomaly and with all."""


def named(played: object) -> str:
    return played.spec.id if isinstance(played, Game) else ""


def moments(
    game: Game[Any], players: int, options: Mapping[str, object], count: int
) -> Iterator[tuple[Any, Any]]:
    """States of a random game, and the time of each."""
    slots = NAMES[:players]
    playout = play(game, slots, options, SeededRng(b"lines"), SeededRng(b"draws"), 60)
    assert playout.refused == ()
    step = max(1, len(playout.states) // count)
    for state, record in zip(playout.states[::step], playout.journal[::step], strict=True):
        yield state, record.at


@pytest.mark.few(2)
@pytest.mark.parametrize(("game", "players", "options"), [*rows(0, PAIRED), *PLAYED], ids=named)
def test_every_line_that_is_built_is_taken(
    game: Game[Any], players: int, options: Mapping[str, object]
) -> None:
    chance, taken = random.Random(7), 0
    for state, at in moments(game, players, options, 9):
        for slot in (*NAMES[:players], None):
            for _ in range(4):
                line = walked(asked_for(game, state, slot), chance)
                if line is None:
                    break
                draw = SeededRng(b"%d" % chance.getrandbits(60))
                step = game.submit(state, Message(slot, line, at), draw)
                assert step.refused == (), f"{slot}: {line}"
                taken += 1
    assert taken > 30


@pytest.mark.few(3)
@pytest.mark.parametrize(("game", "players", "options"), [*rows(0, PAIRED[::2]), *PLAYED[::2]], ids=named)
def test_every_line_that_is_listed_can_be_built(
    game: Game[Any], players: int, options: Mapping[str, object]
) -> None:
    found = 0
    for state, _ in moments(game, players, options, 4):
        for slot in (*NAMES[:players], None):
            lines = tuple(game.legal(state, slot))
            for line in lines[:: max(1, len(lines) // 5)]:
                assert can_be_built(asked_for(game, state, slot), line), f"{slot}: {line}"
                found += 1
    assert found > 10


# ── What the cases of the rules send. ───────────────────────────────────────────────────────────────────────


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines() if line]


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize(
    ("game", "files"),
    [
        (KINGS_COURT, ("kings_court",)),
        (KNIGHT_FIGHT, ("knight_fight", "knight_fight_rulings")),
    ],
    ids=lambda one: one.spec.id if isinstance(one, Game) else "",
)
def test_every_line_of_a_case_that_is_taken_can_be_built(
    game: Game[Any], files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a case sends: as it is taken, it is found in the tree of the state that it is sent to."""
    submit, found, missing = type(game).submit, set[str](), list[str]()

    def watched(self: Game[Any], state: Any, message: Message, draw: Rng) -> Step[Any]:
        step = submit(self, state, message, draw)
        refused = {line for line, _ in step.refused}
        lines = lines_of(message.text)
        if not refused and len(lines) == 1 and message.slot is not None:
            [line] = lines
            if off_the_board(state, line):
                return step
            found.add(line)
            if not can_be_built(asked_for(self, state, message.slot), canonical(state, line)):
                missing.append(line)
        return step

    monkeypatch.setattr(type(game), "submit", watched)
    for name in files:
        for case in spread(110, cases(name)):
            cases_of(game.spec.id)[case["kind"]](case)
    assert missing == []
    assert len(found) > 40


def canonical(state: Any, line: str) -> str:
    """A line of a case as the game writes it: names in full, no colon where nothing follows."""
    order = read_order(line, state.slots, {}) if isinstance(state, CourtState) else None
    if order is None:
        return line
    if order.verb is Verb.GIVE:
        return f"GIVE: {order.amount} to {order.slots[0]}"
    return f"{plain(order.verb, *order.slots)}{'?' if order.verb is Verb.ANNOYED else ''}"


def off_the_board(state: Any, line: str) -> bool:
    """KF-38, by option: a typing error passes; a square that there is not cannot be chosen."""
    names = re.findall(r"[A-Z]+[0-9]+", line) if isinstance(state, FightState) else []
    return any(state.rules.board.square(name) is None for name in names)


def test_every_plan_of_a_case_that_is_taken_can_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    found, missing = set[str](), list[str]()

    def watched(state: State, slot: SlotId, wanted: Any) -> Any:
        after, refused = lay(state, slot, wanted)
        if not refused and after.plans.get(slot):
            line = " / ".join(map(write_entry, after.plans[slot]))
            found.add(line)
            if not can_be_built(asked_for(KNIGHTS_DUTY, state, slot), line):
                missing.append(line)
        return after, refused

    monkeypatch.setattr("knightfall.games.knights_duty.cases.lay", watched)
    for name in ("knights_duty_by_hand", "knights_duty_rulings"):
        for case in cases(name):
            cases_of("knights_duty")[case["kind"]](case)
    assert missing == []
    assert len(found) > 30


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize("game", [KNIGHT_ERRANT, EMPOWERED, CUSTOM_MAFIA], ids=named)
def test_every_order_of_a_night_that_is_taken_can_be_built(game: NightFileGame[Any]) -> None:
    found = 0
    for case in spread(60, [case for case in cases(game.spec.id) if case["kind"] == "night"]):
        given = case.get("state") or {}
        dead = set(given.get("dead") or ())
        roles = {SlotId(name): role for name, role in case["roles"].items() if name not in dead}
        groups = {"lovers": tuple(frozenset(map(SlotId, one)) for one in case.get("lovers") or ())}
        number, options = int(case.get("night") or 1), case.get("config") or {}
        night = NightFile(game, "", number, roles, options, {}, groups=groups)
        state = game.open_night(night)
        for action in map(parse_action, case["actions"]):
            if action.actor in roles and game.night_position(state).fault(action) is None:
                line = game.words.notation(action, action.actor)
                step = game.submit(state, Message(action.actor, line, START), SeededRng(b"night"))
                if not step.refused:
                    assert can_be_built(asked_for(game, state, action.actor), line), line
                    found += 1
    assert found > 50


# ── Lines that a game says otherwise, and what is told of all of them. ──────────────────────────────────────


class Silent(Game[tuple[SlotId, ...]]):
    """A game of another package that does nothing; its state is who can be named."""

    spec = Spec("silent_game", "Silent Game", range(1, 9))

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[Any]:  # noqa: ARG002
        return Step(tuple(slots))

    def windows(self, state: Any) -> tuple[Window, ...]:  # noqa: ARG002
        return ()

    def submit(self, state: Any, message: Message, draw: Rng) -> Step[Any]:  # noqa: ARG002
        return Step(state)

    def close(self, state: Any, kind: str, at: datetime, draw: Rng) -> Step[Any]:  # noqa: ARG002
        return Step(state)

    def view(self, state: Any, slot: SlotId | None) -> View:  # noqa: ARG002
        return View(slot, Facts())

    def outcome(self, state: Any) -> None:  # noqa: ARG002
        return None


class Listed(Silent):
    """It has a list of its lines and no tree."""

    def legal(self, state: Any, slot: SlotId | None) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return (*(f"vote {name}" for name in state), "no vote")


class Told(Silent):
    """It tells what can follow, without what follows that, and has no list."""

    def continuations(self, state: Any, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:  # noqa: ARG002
        if not parts:
            return Choices((a_word("vote"), Part("pay ", PartKind.NUMBER, least=1, most=3)))
        return Choices(tuple(map(a_slot, state))) if parts == ("vote",) else Choices(whole=True)


class Steps(Silent):
    """It has a word that four others follow, and one that none does."""

    def continuations(self, state: Any, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:  # noqa: ARG002
        ways = last(a_word(f" {way}") for way in "abcd")
        go, stay = then([a_word("go", weight=4)], lambda _: ways), last([a_word("stay")])
        return descend(either(go, stay), parts)


PEOPLE = (SlotId("Ada"), SlotId("Mary Ann"))


def test_a_game_that_lists_its_lines_gets_their_tree() -> None:
    ask = asked_for(Listed(), PEOPLE, None)
    assert [part.text for part in ask(()).parts] == ["vote", "no vote"]
    assert {part.text for part in ask(("vote",)).parts} == {" Ada", " Mary Ann"}
    assert all(can_be_built(ask, line) for line in ("vote Ada", "vote Mary Ann", "no vote"))
    assert not can_be_built(ask, "vote Mary")


def test_a_game_that_tells_its_tree_gets_a_list_and_random_lines() -> None:
    game = Told()
    assert list(game.legal(PEOPLE, None)) == [
        *("pay 1", "pay 2", "pay 3"),
        *("vote Ada", "vote Mary Ann"),
    ]
    drawn = {game.random_line(PEOPLE, None, SeededRng(b"%d" % seed)) for seed in range(60)}
    assert drawn == {"pay 1", "pay 2", "pay 3", "vote Ada", "vote Mary Ann"}
    assert None in {game.random_line(PEOPLE, None, SeededRng(b"%d" % n), silent=True) for n in range(20)}


def test_a_game_that_tells_neither_is_named() -> None:
    with pytest.raises(NotImplementedError, match="Silent Game tells neither"):
        Silent().continuations(PEOPLE, None)


def test_random_lines_take_every_line_of_a_small_tree_about_as_often() -> None:
    drawn = [Steps().random_line((), None, SeededRng(b"%d" % seed)) for seed in range(1000)]
    assert {line: 150 < drawn.count(line) < 250 for line in set(drawn)} == dict.fromkeys(
        ("go a", "go b", "go c", "go d", "stay"), True
    )


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        (
            "King",
            {
                *("VOTE: NAME", "UNVOTE", "TIEBREAK: NAME > NAME …", "LEARN: NAME", "LEARN: NAME, NAME"),
                *("ANNOYED?", "PEEK: NAME", "GIVE: NUMBER to NAME"),
            },
        ),
        ("another", {"VOTE: NAME", "UNVOTE", "ANNOYED?", "PEEK: NAME", "GIVE: NUMBER to NAME"}),
    ],
)
def test_the_lines_of_a_slot_are_said_in_general(slot: str, said: set[str]) -> None:
    state = KINGS_COURT.setup(NAMES[:11], {"garnets": 12}, SeededRng(b"court")).state
    who = next(name for name in state.slots if (name == state.king) is (slot == "King"))
    assert set(forms(asked_for(KINGS_COURT, state, who), 8)) == said
    assert forms(asked_for(KINGS_COURT, state, who), 4) == ()


def test_of_every_game_something_can_be_built() -> None:
    for game in GAMES:
        assert loaded(game.spec.id) is game
        slots = NAMES[: game.spec.players[0]]
        state = game.setup(slots, {}, SeededRng(b"first")).state
        assert any(asked_for(game, state, slot)(()).parts for slot in (*slots, None)), game.spec.id
