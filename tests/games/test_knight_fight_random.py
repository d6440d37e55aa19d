"""What holds in every match, whatever anomalies are in force and however it is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest

from knightfall.engine.game import Facts
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT, State
from knightfall.games.knight_fight.anomalies import ANOMALIES, in_force
from knightfall.games.knight_fight.anomalies.coloration import letter_at
from knightfall.games.knight_fight.board import SIDES, completing, each, in_line
from knightfall.games.knight_fight.options import LETTERS
from knightfall.games.knight_fight.state import Bout, Ending, Reason, Turn
from knightfall.games.knight_fight.views import drawn_board, everything, mark
from knightfall.sentence import SlotId
from knightfall.writeups.render import render
from properties import knight_fight as laws
from properties.knight_fight import broken_by, broken_laws
from salt_bout import Play, random_match

SUBSETS = ["".join(chosen) for size in range(8) for chosen in combinations(LETTERS, size)]
PLAYED = [*SUBSETS[:8], *SUBSETS[8:-1:12], SUBSETS[-1]]
"""None, each alone, every twelfth other subset, all; `scripts/soak knight_fight 25600` plays all 128, 200
times each, under the same laws."""


@pytest.mark.few(2)
@pytest.mark.parametrize("letters", PLAYED)
def test_a_random_match_ends_replays_and_keeps_every_law(letters: str) -> None:
    playout = random_match(letters, seed=len(letters))
    assert playout.ended and playout.refused == ()
    again = replay(playout.journal, KNIGHT_FIGHT, lambda: SeededRng(b"draw %d" % len(letters)))
    assert again.state == playout.state
    assert list(broken_laws(playout)) == []


TAMPERED: dict[str, dict[str, Any]] = {
    "two knights": {"knights": (1 << 20, 1 << 20)},
    "off the board": {"knights": (1 << 15, 1 << 20)},
    "KF-06: the bout goes on": {"knights": (0b1111, 1 << 40)},
    "KF-06, KF-07, KF-42": {"ended": Ending(SIDES[0], Reason.LINE)},
    "KF-07": {"knights": (0, 1 << 20)},
    "KF-08": {"reserve": (-1, 180)},
    "KF-13": {"moves": 1},
    "KF-14": {"manure_left": (1, 2)},
    "KF-15": {"manure": 1 << 20, "knights": (1 << 20, 1 << 70), "manure_left": (1, 2)},
    "KF-19": {"chips": (21, 20)},
    "KF-31": {"weak": 1},
    "KF-41": {"points": (1, 0)},
}


@pytest.mark.parametrize("law", TAMPERED)
def test_a_position_that_breaks_a_law_is_told(law: str) -> None:
    [told] = broken_by(replace(Play("AT" if law == "KF-41" else "A").bout, **TAMPERED[law]))
    assert law in told


@dataclass(frozen=True, slots=True)
class AllOfIt(Facts):
    """A view that hides nothing."""

    turn: Turn | None
    bout: Bout | None


def _leaking(state: State, _slot: SlotId | None) -> AllOfIt:
    table = state.table
    return AllOfIt(table.turn if table else None, table.bout if table else None)


@pytest.mark.parametrize(("letters", "law"), [("H", "tells record"), ("N", "KF-37")])
def test_a_view_that_tells_a_secret_is_told(letters: str, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "seen_by", _leaking)
    assert law in " ".join(broken_laws(random_match(letters, seed=1)))


def test_a_bout_that_its_record_does_not_lead_to_is_told() -> None:
    playout = random_match("", seed=1)
    first = playout.state.done[0]
    other = replace(first.bout, record=first.bout.record[:-1])
    cut = replace(playout.state, done=(replace(first, bout=other),))
    told = broken_laws(replace(playout, states=(cut,), journal=playout.journal[:1]))
    assert list(told) == ["a record plays to another bout"]


def test_a_square_completes_a_run_when_the_run_stands_with_it() -> None:
    [state] = random_match("T", seed=4).states[60:61]
    assert state.table is not None
    knights = state.table.bout.knights[0]
    free = state.table.bout.rules.board.ground & ~knights
    for length in (3, 4):
        found = completing(knights, length) & free
        assert found == sum(s for s in each(free) if in_line(knights | s, length) & s)


@pytest.mark.parametrize("letters", ["", "ACS", "ABCHSNT"])
def test_a_drawn_board_says_of_each_square_what_stands_there(letters: str) -> None:
    for state in random_match(letters, seed=5, options={"rows": 6, "cols": 9}).states[1::9]:
        if state.table:
            seen = everything(state.table.bout)
            board = drawn_board(seen)
            told = [(cell.mark, cell.colour) for row in board.rows for cell in row.cells]
            assert told == [(mark(seen, s), letter_at(seen.colours, s)) for s in each(seen.board.ground)]
            wide = 3 if seen.colours else 2
            drawn = [
                line.ljust(4 + wide * seen.board.cols)[4 + wide * n :][: wide - 1]
                for line in board.text.splitlines()[1:]
                for n in range(seen.board.cols)
            ]
            assert drawn == [f"{c.lower()}{m or ' '}" if c else m or "." for m, c in told]


HOUSE = {
    option.name: option.values[1]
    for option in KNIGHT_FIGHT.spec.options
    if option.name not in ("anomalies", "rows", "cols")
}


@pytest.mark.few(1)
@pytest.mark.parametrize("letters", ["ABCHSNT", "ACHS", "BST"])
def test_with_every_option_answered_otherwise_it_ends_too(letters: str) -> None:
    playout = random_match(letters, 3, {**HOUSE, "rows": 8, "cols": 7})
    assert playout.ended and playout.refused == ()
    assert list(broken_laws(playout)) == []


def test_a_small_board_ends_by_the_lack_of_moves() -> None:
    reasons = {
        str(done.bout.ended and done.bout.ended.reason)
        for seed in range(2, 4)
        for letters in ("", "T", "B", "BT")
        for done in random_match(letters, seed, {"rows": 6, "cols": 5}).state.done
    }
    assert {"line", "points", "no_moves", "stuck"} <= reasons


def test_manure_of_both_bouts_is_gone_in_an_extra_bout() -> None:
    options = {"kf_12": "extra_bout", "kf_16": "both_bouts", "kf_38": "pass", "rows": 10, "cols": 5}
    playout = random_match("ACHNT", 6, options)
    lying = [done.first.manure.bit_count() for done in playout.state.done]
    assert playout.ended and len(lying) > 2
    assert lying[0] == 0 < lying[1] and set(lying[2:]) == {0}


def test_every_anomaly_has_a_letter_and_is_explained() -> None:
    assert "".join(anomaly.letter for anomaly in ANOMALIES) == LETTERS
    assert in_force(frozenset("TA")) == (ANOMALIES[0], ANOMALIES[-1])
    for anomaly in ANOMALIES:
        post = KNIGHT_FIGHT.setup_post((), {"anomalies": anomaly.letter})
        assert post is not None
        assert f"- {anomaly.name}. " in render("knight_fight/setup", post)
