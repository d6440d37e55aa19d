"""A match as it is played: sides, windows, clocks, traps that are waited for, bids, two bouts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from knightfall.engine.game import Announced
from knightfall.errors import InputError
from knightfall.games.knight_fight import KNIGHT_FIGHT, State
from knightfall.games.knight_fight.board import Side
from knightfall.games.knight_fight.options import letters_of, parse_options
from knightfall.games.knight_fight.state import How, Played, Reason
from knightfall.games.knight_fight.views import seen_by
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post
from salt_bout import ADA, BORO, NOON, Play


def test_the_dmo_chooses_first_and_x_begins() -> None:
    play = Play(begun=False)
    assert play.windows() == [("side", (ADA,), False)]
    assert play.say(BORO, "SIDE: X") == ["NOT_YOUR_CHOICE"]
    assert play.say(ADA, "E4") == ["BOUT_OVER"]
    assert play.say(ADA, "[b]side: o[/b]") == []
    assert play.windows() == [("turn", (BORO,), False)]
    assert play.say(ADA, "SIDE: X") == ["NOT_YOUR_CHOICE"]


def test_no_answer_is_x() -> None:
    play = Play(begun=False)
    assert play.close("side") == []
    assert play.windows() == [("turn", (ADA,), False)]


def test_a_stranger_and_an_unknown_line_are_refused() -> None:
    play = Play()
    assert play.say(SlotId("Wren"), "E4") == ["NOT_A_PLAYER"]
    assert play.say(ADA, "I like E4\nE4?") == ["UNKNOWN_COMMAND", "UNKNOWN_COMMAND"]
    assert play.say(ADA, "[quote]D7[/quote]\ne4") == []
    assert play.knights() == ["E4 F6", "G6"]


@pytest.mark.parametrize("line", ["F6>E4", "f6-e4", "F6 > E4", "[b]F6>E4[/b]", "E4."])
def test_a_move_is_read_in_each_of_its_forms(line: str) -> None:
    play = Play()
    assert play.say(ADA, line) == []
    assert play.knights() == ["E4 F6", "G6"]


def test_the_clock_charges_only_what_goes_beyond_the_minute() -> None:
    play = Play()
    assert play.closes("turn") == 240
    play.say(ADA, "E4", 90)
    assert play.bout.reserve == (150, 180)
    play.say(BORO, "H8", 60)
    assert play.bout.reserve == (150, 180)
    assert play.closes("turn") == 210


def test_a_forum_game_scales_both() -> None:
    play = Play(options={"move_time": "24h", "reserve": "72h"})
    assert play.closes("turn") == 96 * 3600
    play.say(ADA, "E4", 25 * 3600)
    assert play.bout.reserve == (71 * 3600, 72 * 3600)


def test_the_moderator_stops_the_clock_with_a_reason_and_the_pause_is_nobodys() -> None:
    play = Play()
    assert play.say(None, "STOP CLOCK", 50) == ["UNKNOWN_COMMAND"]
    assert play.say(None, "stop clock: the forum is down", 50) == []
    assert [w.closes for w in KNIGHT_FIGHT.windows(play.state)] == [None]
    assert play.say(ADA, "E4", 55) == ["CLOCK_STOPPED"]
    assert play.say(None, "START CLOCK", 3650) == []
    assert play.since == NOON + timedelta(seconds=3600)
    assert play.say(ADA, "E4", 70) == []
    assert play.bout.reserve == (170, 180)
    assert play.kinds().count("clock") == 2


def test_out_of_time_the_rival_moves_and_then_chance() -> None:
    play = Play()
    assert play.close("turn") == []
    assert play.windows() == [("stand_in", (BORO,), False)]
    assert play.say(ADA, "FOR O: H8") == ["NO_PROXY"]
    assert play.say(BORO, "FOR O: H8") == ["NO_PROXY"]
    assert play.say(BORO, "FOR X: D7", 61) == ["LATE"]
    assert play.close("stand_in") == []
    entry = play.bout.record[-1]
    assert isinstance(entry, Played) and entry.how is How.RANDOM
    assert play.bout.reserve == (0, 180)


def test_a_move_waits_for_the_trap_and_can_be_replaced_until_then() -> None:
    play = Play("H")
    assert play.windows() == [("trap", (BORO,), True), ("turn", (ADA,), True)]
    assert play.say(ADA, "E4", 10) == []
    assert play.knights() == ["F6", "G6"]
    assert play.windows() == [("trap", (ADA, BORO), True)]
    mine, rivals = (seen_by(play.state, slot).own for slot in (ADA, BORO))
    assert mine and rivals
    assert (mine.standing, rivals.standing) == (("E4",), ())
    assert play.say(ADA, "D7", 80) == []
    assert play.say(BORO, "TRAP: E4", 30) == []
    assert play.knights() == ["F6 D7", "G6"]
    assert play.bout.reserve == (160, 180)


def test_a_trap_in_first_settles_the_move_at_once() -> None:
    play = Play("H")
    play.say(BORO, "TRAP: D7", 5)
    play.say(BORO, "trap: e4", 6)
    play.say(ADA, "E4", 10)
    assert play.knights() == ["F6", "G6"]
    assert play.bout.banned == (True, False)
    assert play.windows() == [("turn", (BORO,), True)]


def test_a_message_with_an_earlier_time_than_its_turn_takes_no_time_from_the_rival() -> None:
    """A moderator who types `--at` of two days ago, and a trap that was entered after the move it awaits."""
    play = Play()
    first = play.since
    assert play.say(ADA, "E4", -48 * 3600) == []
    assert play.since == first
    play = Play("H")
    first = play.since
    play.say(ADA, "E4", 80)
    play.say(BORO, "NO TRAP", 30)
    assert play.since == first + timedelta(seconds=80)
    play = Play("B")
    first = play.since
    play.say(BORO, "BID 1: H8", 50)
    play.say(ADA, "BID 2: E4", 10)
    assert play.since == first + timedelta(seconds=50)


def test_a_bout_and_a_choice_of_sides_begin_no_earlier_than_what_came_before() -> None:
    play = Play()
    first = play.since
    play.say(ADA, "RESIGN", -3600)
    assert play.state.since == first
    play.say(BORO, "SIDE: X", -3600)
    assert play.since == first


def test_the_minute_ends_the_wait_and_a_later_trap_is_late() -> None:
    play = Play("H")
    play.close("trap")
    assert play.say(BORO, "TRAP: E4", 70) == ["LATE"]
    assert play.say(ADA, "E4", 70) == []
    assert play.knights() == ["E4 F6", "G6"]
    play.say(BORO, "H8", 5)
    play.close("trap")
    assert play.knights() == ["E4 F6", "G6 H8"]
    assert play.closes("trap") == 60


@pytest.mark.parametrize(("seconds", "refused"), [(60, []), (61, ["LATE"])])
def test_a_trap_of_the_very_end_of_the_minute_is_in_time(seconds: int, refused: list[str]) -> None:
    assert Play("H").say(BORO, "TRAP: E4", seconds) == refused


def test_in_a_match_of_before_the_deadlines_of_a_move_and_its_trap_are_moved_together() -> None:
    later = NOON + timedelta(minutes=10)
    for said, seconds in (("together", 600 - 180), ("apart", 60)):
        play = Play("H", {} if said == "together" else {"trap_deadline": said})
        play.state = KNIGHT_FIGHT.moved(play.state, "turn", later, play.now)
        assert (play.closes("turn"), play.closes("trap")) == (600, seconds)


def test_bids_are_secret_until_both_are_in_and_a_message_is_applied_whole() -> None:
    play = Play("BH")
    before = KNIGHT_FIGHT.view(play.state, BORO)
    play.say(ADA, "BID 3: E4\nTRAP: H8")
    assert KNIGHT_FIGHT.view(play.state, BORO) == before
    play.say(BORO, "BID 5: H8\nTRAP: E4")
    assert play.knights() == ["F6", "G6"]
    assert play.bout.chips == (25, 15)
    assert play.bout.banned == (False, True)


def test_a_bid_can_come_too_late() -> None:
    play = Play("B")
    assert play.say(ADA, "BID 3: E4", 61) == ["LATE"]
    assert play.say(ADA, "BID 3 E4", 60) == []


def test_in_snapshot_who_is_stuck_does_not_bid() -> None:
    play = Play("BNT", {"start": "A1 L11"})
    assert play.say(ADA, "BID 1: B3\nE4") == ["USE_BID"]


WON = ["E4", "H8", "G4", "I10", "H5", "K11", "F4", "J9", "E6", "L10", "D4"]
"""Eleven moves after which X has D4 E4 F4 G4."""


def play_bout(play: Play, x: SlotId, o: SlotId) -> None:
    for number, move in enumerate(WON):
        assert play.say((x, o)[number % 2], move, 1) == []


def test_a_match_is_two_bouts_and_the_dmo_wins_what_is_level() -> None:
    play = Play()
    play_bout(play, ADA, BORO)
    assert play.windows() == [("side", (BORO,), False)]
    assert play.say(BORO, "H8") == ["BOUT_OVER"]
    assert play.say(BORO, "SIDE: X") == []
    play_bout(play, BORO, ADA)
    outcome = KNIGHT_FIGHT.outcome(play.state)
    assert outcome is not None and (outcome.winner, outcome.slots) == ("DMO", (ADA,))
    assert play.say(ADA, "E4") == ["BOUT_OVER"] and play.windows() == []
    assert [kind for kind in play.kinds() if kind not in ("turn", "receipt", "moderator_turn")] == [
        "opening",
        *("bout_start", "bout_end", "sides"),
        *("bout_start", "bout_end", "match_end"),
    ]


def test_who_does_not_choose_plays_x_in_the_second_bout() -> None:
    play = Play()
    play_bout(play, ADA, BORO)
    assert play.closes("side") == 60
    play.close("side")
    assert play.windows() == [("turn", (BORO,), False)]


def test_by_option_chips_and_manure_stay_for_the_second_bout() -> None:
    play = Play("AB", {"kf_16": "both_bouts", "kf_18": "once", "tie_pays": False})
    for number, move in enumerate(WON[::2]):
        play.say(ADA, f"BID {int(number == 0)}: {move}" + (" MANURE A1" if number == 0 else ""))
        play.say(BORO, "BID 0: H8")
        play.state = with_tie_for_x(play.state)
    play.say(BORO, "SIDE: X")
    assert play.bout.chips == (21, 19)
    assert play.bout.manure == play.bout.rules.board.square("A1")


def with_tie_for_x(state: State) -> State:
    """As if O had won the latest bid: X wins the next tie."""
    if state.table is None:
        return state
    return replace(state, table=replace(state.table, bout=replace(state.table.bout, bid_loser=Side.X)))


@pytest.mark.parametrize(
    "options",
    [
        {"anomalies": "XYZ"},
        {"start": "A1 A1"},
        {"start": "A1 M1"},
        {"rows": 12},
        {"reserve": "soon"},
        {"cols": 99},
    ],
)
def test_options_that_cannot_be_played_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        KNIGHT_FIGHT.setup((ADA, BORO), options, Play().draw)


def test_two_play_it() -> None:
    with pytest.raises(InputError, match="two"):
        KNIGHT_FIGHT.setup((ADA,), {}, Play().draw)


def test_closing_what_is_not_open_is_refused() -> None:
    assert Play().close("bids") == ["WRONG_PHASE"]


@pytest.mark.parametrize(
    ("said", "letters"),
    [
        ("none", ""),
        ("AH", "AH"),
        ("A+H", "AH"),
        ("A,H", "AH"),
        ("a, h", "AH"),
        (["A", "H"], "AH"),
        ("airdrop", "A"),
        (["airdrop", "Horse Trap"], "AH"),
        ("airdrop and snapshot", "AN"),
        ("Tic-Tac-Toe + sickness", "ST"),
        ("tic tac toe", "T"),
        ("ABCHSNT", "ABCHSNT"),
    ],
)
def test_anomalies_are_given_as_the_rulings_write_them(said: object, letters: str) -> None:
    assert letters_of(parse_options({"anomalies": said}).anomalies) == letters


@pytest.mark.parametrize("said", ["Q", "airdrops", "A-H", "", "none+A"])
def test_what_is_no_anomaly_is_refused_with_all_ways_to_write_one(said: str) -> None:
    with pytest.raises(InputError, match=r"A\+H, A,H, airdrop"):
        parse_options({"anomalies": said})


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (5, 6), (14, 13), (4, 3), (6, 3)])
def test_boards_from_3_to_14_can_be_played(rows: int, cols: int) -> None:
    rules = parse_options({"rows": rows, "cols": cols})
    assert (rules.board.rows, rules.board.cols) == (rows, cols)


def test_a_board_too_small_for_colours_is_refused() -> None:
    """KF-25: it would be repainted for ever."""
    with pytest.raises(InputError, match="too small for Coloration"):
        parse_options({"rows": 3, "cols": 3, "anomalies": "C", "start": "B2 A1"})
    assert parse_options({"rows": 3, "cols": 3, "start": "B2 A1"}).board.rows == 3


def posted(play: Play, kind: str) -> str:
    told = (event for event in play.events if isinstance(event, Announced) and event.kind == kind)
    return public_post("knight_fight", next(told))


def test_a_player_gives_up_a_bout_at_any_moment() -> None:
    """The rival wins it with the moves it had (KF-13); the next bout follows."""
    play = Play()
    assert play.say(ADA, "F6>E4") == []
    assert play.say(ADA, "resign") == []  # it is Boro's turn
    ended = play.state.done[0].bout.ended
    assert ended is not None
    assert (ended.winner, ended.reason, play.state.number) == (Side.O, Reason.RESIGNED, 2)
    told = next(
        event.facts for event in play.events if isinstance(event, Announced) and event.kind == "bout_end"
    )
    assert "the rival resigns" in public_post("knight_fight", Announced(told))
    assert play.say(ADA, "RESIGN") == ["BOUT_OVER"]  # no bout is being played


@pytest.mark.parametrize("line", ["FORFEIT Boro", "forfeit: boro", "modkill Boro"])
@pytest.mark.parametrize("begun", [True, False])
def test_who_does_not_come_back_loses_the_match(line: str, begun: bool) -> None:
    play = Play(begun=begun)
    assert play.say(None, line) == []
    outcome = KNIGHT_FIGHT.outcome(play.state)
    assert outcome is not None
    assert (outcome.slots, KNIGHT_FIGHT.windows(play.state)) == ((ADA,), ())
    ending = next(
        event for event in play.events if isinstance(event, Announced) and event.kind == "match_end"
    )
    assert "the rival is out of the match" in public_post("knight_fight", ending)
    assert play.say(None, line) == ["BOUT_OVER"]


def test_only_a_player_of_the_match_can_be_out_of_it() -> None:
    assert Play().say(None, "FORFEIT Rook") == ["UNKNOWN_TARGET"]
