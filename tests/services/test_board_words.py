"""What a board game says to its moderator and in its posts: numbers as its rules count them, who is fined,
what the season gets, and nothing of other games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from begun import begin
from knightfall.engine.entries import Extended, Ruled, Stopped
from knightfall.engine.game import Announced
from knightfall.engine.journal import append, standing
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games.kings_court.events import CandidateNamed
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knight_fight.lookups import record_at_hand
from knightfall.sentence import SlotId
from knightfall.services.boards import season_book
from knightfall.services.game.players import modkill
from knightfall.services.game.undo import undo
from knightfall.services.keep.match import way_of
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.posts.framing import endgame, rulings_of
from knightfall.services.requests import NewGameRequest, PostOptions
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.services.window.board_clicks import awaited_senders
from knightfall.services.window.message_table import message_table, player_moves
from knightfall.services.window.waiting import pending
from knightfall.writeups.render import render
from salt_bout import Play
from services.test_archive_match import match

COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris", "Juno", "Kest")
SOON = timedelta(minutes=1)


def table(kind: str, players: tuple[str, ...], folder: Path, **options: object) -> Session:
    place = folder / "harbour"
    request = NewGameRequest(kind, players, place, b"s" * 32, b"t" * 32, "Salt Harbour", options=options)
    begin(request, session_of(place))
    return session_of(place)


def fight(folder: Path, letters: str) -> Session:
    session = table("knight_fight", ("Ada", "Boro"), folder, anomalies=letters, move_time="24h")
    turns.submit("Ada", "SIDE: X", None, session)
    return session


# ── Moves, turns and passes (KF-13). ────────────────────────────────────────────────────────────────────────


def test_a_pass_is_a_turn_and_no_move() -> None:
    play = Play("N")
    titles = [one[0] for one in play.windows()]
    assert titles == ["turn"]
    play.say(SlotId("Ada"), "F6>A1")  # illegal, so it passes
    play.say(SlotId("Boro"), "H4")
    windows = [one.title for one in KNIGHT_FIGHT.windows(play.state)]
    assert windows == ["Turn 3"]
    told = [event.facts for event in play.events if event.kind == "moderator_turn"]
    said = " ".join(render("knight_fight/moderator_turn", facts) for facts in told)
    assert "Turn 1: X passes" in said
    assert "Turn 2 (move 1): O H4" in said
    public = [render("knight_fight/turn", one.facts) for one in play.events if one.kind == "turn"]
    assert "Turn 2 is over." in public[-1]
    assert "move 1" not in public[-1]  # whether a turn was a pass is not for the thread (KF-37)


@pytest.mark.parametrize("letters", ["", "ABCHS"])
def test_without_passes_a_turn_is_called_by_the_number_of_its_move(letters: str) -> None:
    assert "ove 1" in KNIGHT_FIGHT.windows(Play(letters).state)[0].title


def test_where_passes_count_as_moves_they_are_numbered_as_moves() -> None:
    assert KNIGHT_FIGHT.windows(Play("N", {"kf_13": "turns"}).state)[0].title == "Move 1"


@pytest.mark.parametrize(
    ("letters", "named"), [("N", "move-1"), ("B" + "N", "bids-for-move-1"), ("HN", "a-trap-against-move-1")]
)
def test_a_journal_that_calls_a_turn_by_the_older_name_leads_to_the_same(
    letters: str, named: str, tmp_path: Path
) -> None:
    game = now_of(fight(tmp_path, letters)).running
    at = game.journal[-1].at + SOON
    new = next(
        one.title.casefold().replace(" ", "-")
        for one in game.windows
        if one.title.casefold().replace(" ", "-") == named.replace("move", "turn")
    )
    until = at + timedelta(hours=30)
    for made in (lambda name: Extended(name, until), lambda name: Stopped(name, "rain")):
        old, now = (game.at(append(game.journal, made(name), at, "Wren")) for name in (named, new))
        assert old.state == now.state
        assert old.state != game.state


def test_who_lost_a_knight_to_a_trap_is_said_to_have_none_this_time() -> None:
    play = Play("H")
    play.say(SlotId("Boro"), "TRAP: E4")
    play.say(SlotId("Ada"), "E4")
    told = [render("knight_fight/turn", one.facts) for one in play.events if one.kind == "turn"]
    assert "Ada (X) lost a knight to a trap and can't set one this time." in told[-1]


def test_no_moves_are_listed_when_the_match_is_over() -> None:
    play = Play()
    for name in ("Ada", "Boro"):
        play.say(SlotId(name), "RESIGN")
        if play.state.table is None and play.state.phase == "sides":
            play.say(SlotId("Boro"), "SIDE: X")
    play.say(SlotId("Boro"), "RESIGN")
    with pytest.raises(InputError, match="is over, so there is no move to make"):
        record_at_hand(play.state)


def test_the_choice_of_sides_says_how_long_it_lasts_before_it_is_closed(tmp_path: Path) -> None:
    session = table("knight_fight", ("Ada", "Boro"), tmp_path, move_time="24h")
    doubts = " ".join(map(str, turns.look("side", session).doubts))
    assert "Nothing is on file from: Ada (X). Choice of sides for bout 1 is open until" in doubts
    sitting = table("knight_fight", ("Ada", "Boro"), tmp_path / "sitting", move_time="3m")
    doubts = " ".join(map(str, turns.look("side", sitting).doubts))
    assert "Ada has 3 minutes from your opening post to choose. Closed now, Ada plays X." in doubts
    opening = next(one for one in way_of(now_of(session).running)[0].events if one.kind == "opening")
    assert "you play X." in render("knight_fight/opening", opening.facts)


# ── What the page and the closing show. ─────────────────────────────────────────────────────────────────────


def test_a_line_of_before_is_no_message_to_what_it_opened(tmp_path: Path) -> None:
    session = table("knight_fight", ("Ada", "Boro"), tmp_path, anomalies="h", move_time="24h")
    turns.submit("Ada", "SIDE: O", None, session)
    rows = {row.name: row.message for one in message_table(session).windows for row in one.rows}
    assert rows == {"Ada": "", "Boro": ""}
    turns.submit("Ada", "TRAP: A1", None, session)
    rows = {row.name: row.message for one in message_table(session).windows for row in one.rows}
    assert rows["Ada"] == "TRAP: A1"


def test_a_player_of_a_game_with_one_list_stands_in_no_list(tmp_path: Path) -> None:
    assert [one.place for one in player_moves(fight(tmp_path / "a", "none"))] == ["", ""]
    court = table("kings_court", COURT, tmp_path / "b")
    for name in COURT:
        turns.submit(name, f"VOTE: {'Ada' if name != 'Ada' else 'Boro'}", None, court)
    turns.close("vote", None, court)
    assert {one.place for one in player_moves(court)} >= {"In the court", "Outside the court"}


def test_everybody_who_will_be_fined_is_named_before_the_vote_is_closed(tmp_path: Path) -> None:
    court = table("kings_court", COURT, tmp_path, garnets="12")
    turns.submit("Gale", "GIVE: 1 to Hollis", None, court)
    turns.submit("Iris", "VOTE: Nobody", None, court)
    for name in COURT[:5]:
        turns.submit(name, f"VOTE: {'Ada' if name != 'Ada' else 'Boro'}", None, court)
    named = next(str(one) for one in turns.look("vote", court).doubts if "Nothing is on file" in str(one))
    told = {one.whose for one in turns.close("vote", None, court).receipt.texts if one.kind == "fine"}
    assert told == set(COURT[5:])
    assert all(name in named for name in told)


def test_a_removed_player_gets_no_pm_of_a_fine_but_pays_it(tmp_path: Path) -> None:
    court = table("kings_court", COURT, tmp_path, garnets="12")
    modkill("Kest", None, "gone", PostOptions(), court)
    texts = turns.close("vote", None, court).receipt.texts
    assert "Kest" not in {one.whose for one in texts}
    assert "Kest pays 1" in next(one.text for one in texts if one.kind == "moderator_sheet")


def test_the_shop_closes_by_itself(tmp_path: Path) -> None:
    court = table("kings_court", COURT, tmp_path, garnets="12")
    assert {one.window.kind: one.window.by_itself for one in pending(now_of(court).running)} == {
        "vote": False,
        "shop": True,
    }


def test_who_is_awaited_is_told_until_their_message_is_there(tmp_path: Path) -> None:
    session = fight(tmp_path, "b")
    assert [one.name for one in awaited_senders(session)] == ["Ada", "Boro"]
    turns.submit("Ada", "BID 3: E4", None, session)
    assert [one.name for one in awaited_senders(session)] == ["Boro"]


# ── The season. ─────────────────────────────────────────────────────────────────────────────────────────────


def to_the_end() -> Session:
    return match("kings_court")


def test_the_book_of_the_season_adds_up_what_the_match_gave() -> None:
    session = to_the_end()
    state = now_of(session).running.state
    book = season_book(session)
    assert book is not None
    rows = {row.name: row for row in book.rows}
    for winner in state.end.winners:
        assert rows[winner].garnets >= 2
        assert rows[winner].tokens == state.prizes.tol[winner]
    assert [row.balance for row in book.rows] == [state.garnets[row.name] for row in book.rows]
    assert sum(row.marks for row in book.rows) == len(state.past_kings)


def test_the_endgame_tells_the_book_without_the_balances() -> None:
    content = endgame(now_of(to_the_end()))
    sections: list[Any] = [one for one in content.sections if getattr(one, "template", "") == "any/season"]
    [section] = sections
    assert all(row.balance is None for row in section.facts.rows)
    said = render("any/season", section.facts)
    assert "Token" in said
    assert "each of you knows your own balance" in said


def test_a_game_that_no_season_counts_has_no_book(tmp_path: Path) -> None:
    assert season_book(fight(tmp_path, "none")) is None


@pytest.mark.parametrize(
    ("how", "winners", "said"),
    [
        ("vote", ("Ada",), "Ada chose."),
        ("rules", ("Ada",), "Ada chose nobody, so the rules for that tie decided"),
        ("vote", ("Ada", "Boro"), "The winners' vote decided."),
        ("rules", ("Ada", "Boro"), "The winners' vote had no majority, so the rules"),
    ],
)
def test_the_post_says_who_chose_the_candidate(how: str, winners: tuple[str, ...], said: str) -> None:
    names = tuple(map(SlotId, winners))
    tied = (SlotId("Elm"), SlotId("Fen"))
    facts = CandidateNamed(tied[0], tied, names, None, how, names)
    assert said in render("kings_court/candidate", facts)


def rows_of(facts: Any) -> Any:
    return facts.rows


def test_how_the_candidate_was_found_is_told_as_it_was() -> None:
    told = [
        event.facts
        for step in way_of(now_of(to_the_end()).running)
        for event in step.events
        if isinstance(event, Announced) and isinstance(event.facts, CandidateNamed)
    ]
    sheets = [
        row
        for step in way_of(now_of(to_the_end()).running)
        for event in step.events
        if event.kind == "moderator_sheet"
        for row in rows_of(event.facts)
        if row.what == "candidate"
    ]
    assert [one.how for one in told] == [
        row.how if row.how in ("score", "vote") else "rules" for row in sheets
    ]


def test_a_phase_that_only_the_moderator_can_end_says_what_to_send() -> None:
    session = match("kings_court")
    states = [step.state for step in way_of(now_of(session).running) if step.state.phase == "dmo"]
    game = now_of(session).running.game
    step = game.close(states[0], "dmo", datetime(2026, 3, 1, tzinfo=UTC), SeededRng(b"end"))
    assert step.refused[0][1].text == "say who it is: `dmo NAME`"


# ── Undone, and closed again. ───────────────────────────────────────────────────────────────────────────────


def test_an_early_closing_that_was_undone_is_not_told_twice(tmp_path: Path) -> None:
    court = table("kings_court", COURT, tmp_path)
    for place, name in enumerate(COURT):
        turns.submit(name, f"VOTE: {COURT[(place + 1) % len(COURT)]}", None, court)
    turns.close("vote", None, court)
    with pytest.raises(DecisionNeeded):
        turns.close("tie", None, court)
    ends = court.clock.now() + timedelta(hours=30)
    first = turns.close("tie", None, court, why_early="the fair is over", next_ends=ends)
    undo(first.receipt.entry, "again", court)
    turns.close("tie", None, court, why_early="the fair is over now")
    [section] = rulings_of(now_of(court))
    facts: Any = section.facts
    assert [row["answer"] for row in facts["rulings"]] == ["yes"]
    ruled = [one.entry for one in standing(now_of(court).running.journal) if isinstance(one.entry, Ruled)]
    assert ruled[-1].why == "the fair is over now"
