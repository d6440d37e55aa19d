"""`knightfall phase` on the windows of every game: another deadline, before and after the old one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.cli.format_day import phase_lines, phase_remarks
from knightfall.cli.format_game import slot_change_line
from knightfall.cli.format_play import missing_text
from knightfall.engine.entries import Extended, Ruled, Stopped
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.markup.dialects.moments import in_words
from knightfall.markup.nodes import Countdown
from knightfall.services.day.close import close
from knightfall.services.day.phases import extend, open_phase, stop
from knightfall.services.game.players import replace_player
from knightfall.services.game.undo import undo
from knightfall.services.posts.write import write_post
from knightfall.services.requests import NewGameRequest, PhaseRequest, PostOptions, PostRequest
from knightfall.services.running import overdue
from knightfall.services.window.turns import close as close_window
from knightfall.services.window.turns import look, submit
from knightfall.services.window.waiting import missing, pending, refused_orders
from salt_harbour import NAMES
from services.voting_day import VotingDay, voting_day

GAMES = {"kings_court": 11, "knights_duty": 3, "knight_fight": 2, "empowered": 9}


def begun(folder: Path, kind: str) -> VotingDay:
    """A game as it was dealt."""
    found = VotingDay(folder / "game", StillClock(), MemoryLedger())
    names = NAMES[: GAMES[kind]]
    begin(NewGameRequest(kind, names, found.folder, b"seed" * 8, b"salt" * 8, "Windows"), found.session)
    return found


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", GAMES)
def test_every_window_can_be_stopped_and_extended_by_its_kind_and_its_title(
    tmp_path: Path, kind: str
) -> None:
    game = begun(tmp_path, kind)
    window = game.table.windows[0]
    ends = (game.clock.now() + timedelta(hours=30)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends, shorten=True), PostOptions(), game.session, "as agreed")
    assert pending(game.table)[0].until == game.clock.now() + timedelta(hours=30)
    [ruled] = [r.entry for r in game.ledger.journal if isinstance(r.entry, Ruled)]
    assert ruled.why == "as agreed"
    stop(PhaseRequest(window.title), "the site is down", PostOptions(), game.session)
    assert isinstance(game.ledger.journal[-1].entry, Stopped)
    assert pending(game.table)[0].stopped
    game.wait(48)
    ends = (game.clock.now() + timedelta(hours=5)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends), PostOptions(), game.session)
    assert pending(game.table)[0].until == game.clock.now() + timedelta(hours=5)
    assert game.table.windows[0].title == window.title


@pytest.mark.parametrize("kind", GAMES)
def test_a_window_whose_time_is_up_goes_on_when_it_is_extended(tmp_path: Path, kind: str) -> None:
    game = begun(tmp_path, kind)
    window = game.table.windows[0]
    ends = (game.clock.now() + timedelta(hours=1)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends, shorten=True), PostOptions(), game.session)
    game.wait(2)
    with pytest.raises(InputError, match=r"has passed\. To move it now, say why"):
        extend(PhaseRequest(window.kind, by="24h"), PostOptions(), game.session)
    change = extend(PhaseRequest(window.kind, by="24h"), PostOptions(), game.session, "the site was down")
    assert "It had passed, so messages sent since then count now." in change.post.text
    assert isinstance(game.ledger.journal[-1].entry, Extended)
    assert change.overdue == timedelta(hours=1)
    assert game.table.windows[0].title == window.title
    assert not change.receipt or not change.receipt.texts


def test_a_window_that_is_not_open_is_told_with_those_that_are(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    with pytest.raises(InputError, match="“turn” is not a phase: open now: vote"):
        extend(PhaseRequest("turn", by="24h"), PostOptions(), game.session)


def opens(day: VotingDay, kind: str, number: int, ends: str = "") -> None:
    open_phase(PhaseRequest(kind, number, ends=ends), PostOptions(), day.session)


def test_only_what_is_open_or_comes_next_is_opened(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    refused: tuple[tuple[str, int], ...] = (("night", 7), ("day", 2), ("night", 2))
    for kind, number in refused:
        with pytest.raises(DecisionNeeded, match="the game is in Day 1, and next comes night 1"):
            opens(day, kind, number)
    opens(day, "day", 1)
    # Its deadline can be said before it begins; that it has begun would be false.
    with pytest.raises(DecisionNeeded, match="Night 1 has not begun: Day 1 is open in the game"):
        opens(day, "night", 1)
    opens(day, "night", 1, "72h")
    submit("moderator", "draw", "plain", day.session)
    with pytest.raises(DecisionNeeded, match="The game is over"):
        opens(day, "night", 1)


def test_a_deadline_in_another_year_is_asked_about(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    with pytest.raises(DecisionNeeded, match="days ahead"):
        opens(day, "day", 1, "2027-11-23 20:00")
    open_phase(PhaseRequest("day", 1, ends="2027-11-23 20:00", far=True), PostOptions(), day.session)


def test_a_phase_of_empowered_mafia_is_opened_with_its_own_deadline(tmp_path: Path) -> None:
    """EM-R31: 72 hours; “when it ends will be told” would be false."""
    day = voting_day(tmp_path, "empowered")
    change = open_phase(PhaseRequest("day", 1), PostOptions(), day.session)
    assert "Day 1 ends: Tue 24 Nov 2026, 12:00 UTC" in change.post.text


def test_posts_of_a_phase_that_is_not_the_last_one_say_so(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert not day.post("end-of-day").remarks
    close_window("night", "plain", day.session)
    assert not day.post("dawn").remarks
    said = day.post("end-of-day")
    assert "This is the post for day 1, but the game is now in Day 2." in said.remarks
    assert "Night falls" not in said.text
    day.said += [("Ada", "hm"), ("Wren", "[b]Day 2 begins.[/b]")]
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert "This is the post for night 1, but the game is now in Night 2." in day.post("dawn").remarks


def deadline_said(at: datetime) -> str:
    """As every text tells it, but for the time left."""
    return in_words(Countdown(at, "UTC"))


@pytest.mark.parametrize(("kind", "who", "line"), [("kings_court", 1, "VOTE: {0}"), ("knights_duty", 0, "")])
def test_a_receipt_tells_the_deadline_that_holds(tmp_path: Path, kind: str, who: int, line: str) -> None:
    game = begun(tmp_path, kind)
    if kind == "knights_duty":
        close_window("setup", None, game.session, why_early="a short game")
    window, line = game.table.windows[0], line.format(NAMES[0]) or "1: SHIELD"
    assert window.closes is not None
    before = submit(NAMES[who], line, None, game.session).texts[0].text
    assert deadline_said(window.closes) in before
    extend(PhaseRequest(window.kind, by="3h"), PostOptions(), game.session)
    later = submit(NAMES[who], line, None, game.session).texts[0].text
    assert deadline_said(window.closes + timedelta(hours=3)) in later
    assert deadline_said(window.closes) not in later
    stop(PhaseRequest(window.kind), "the site is down", PostOptions(), game.session)
    assert "eadline" not in submit(NAMES[who], line, None, game.session).texts[0].text
    extend(PhaseRequest(window.kind, ends="50h"), PostOptions(), game.session)
    assert deadline_said(game.clock.now() + timedelta(hours=50)) in (
        submit(NAMES[who], line, None, game.session).texts[0].text
    )
    close_window(window.kind, None, game.session, why_early="all are in")
    assert game.table.windows[0].closes != game.clock.now() + timedelta(hours=50)


def fight(folder: Path) -> VotingDay:
    game = begun(folder, "knight_fight")
    submit(NAMES[0], "SIDE: X", None, game.session)
    return game


def test_a_move_within_the_extension_is_taken_and_costs_no_reserve(tmp_path: Path) -> None:
    game = fight(tmp_path)
    extend(PhaseRequest("turn", by="24h"), PostOptions(), game.session)
    game.wait(20)
    receipt = submit(NAMES[0], "F6>G4", None, game.session)
    assert receipt.refused == ()
    assert "Reserve: X 3:00, O 3:00." in receipt.public[-1]
    # The next move has the deadline of its own clock, in every answer.
    [window] = pending(game.table)
    assert window.until == game.table.windows[0].closes == game.clock.now() + timedelta(minutes=4)
    assert overdue(game.table, game.clock.now() + timedelta(minutes=5)) is not None


def test_a_stopped_move_waits_and_the_clock_runs_on_from_the_new_deadline(tmp_path: Path) -> None:
    game = fight(tmp_path)
    stop(PhaseRequest("turn"), "the site is down", PostOptions(), game.session)
    assert "CLOCK_STOPPED" in {why.code for _, why in submit(NAMES[0], "F6>G4", None, game.session).refused}
    game.wait(20)
    extend(PhaseRequest("turn", ends="2h"), PostOptions(), game.session)
    game.wait(1)
    assert submit(NAMES[0], "F6>G4", None, game.session).refused == ()
    assert not pending(game.table)[0].stopped


def test_the_moderators_own_line_starts_a_clock_that_the_desk_stopped(tmp_path: Path) -> None:
    game = fight(tmp_path)
    stop(PhaseRequest("turn"), "the site is down", PostOptions(), game.session)
    game.wait(5)
    assert submit("moderator", "START CLOCK", None, game.session).refused == ()
    [window] = pending(game.table)
    assert (window.stopped, window.until) == (False, game.clock.now() + timedelta(minutes=4))


def test_another_deadline_of_a_choice_of_sides_is_not_that_of_the_next_bout(tmp_path: Path) -> None:
    game = begun(tmp_path, "knight_fight")
    extend(PhaseRequest("side", ends="50h"), PostOptions(), game.session)
    submit(NAMES[0], "SIDE: X", None, game.session)
    assert dict(game.table.replay.pending.until) == {}


def test_the_opening_tells_the_deadline_and_the_players_of_now(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    first = game.table.windows[0].closes
    assert first is not None
    extend(PhaseRequest("vote", by="3h"), PostOptions(), game.session)
    replace_player(NAMES[3], "Quill", None, "", PostOptions(), game.session)
    told = write_post(PostRequest("opening"), game.session).text
    assert deadline_said(first + timedelta(hours=3)) in told
    assert deadline_said(first) not in told
    assert f"Quill (was {NAMES[3]})" in told
    for name in NAMES[1:11]:
        submit("Quill" if name == NAMES[3] else name, f"VOTE: {NAMES[0]}", None, game.session)
    close_window("vote", None, game.session)
    assert (
        "Round 1 is open until"
        not in write_post(PostRequest("opening"), game.session).text.partition("How it began")[2]
    )


@pytest.mark.parametrize("lost", ["hello, 1: SWORD @ Boro", "SWORD @ Boro"])
def test_an_order_that_cannot_be_placed_is_told_before_the_turn_is_closed(tmp_path: Path, lost: str) -> None:
    game = begun(tmp_path, "knights_duty")
    close_window("setup", None, game.session, why_early="a short game")
    receipt = submit("Ada", f"{lost}\n2: SHIELD\n3: SHIELD", None, game.session)
    assert refused_orders(f"{lost}\n2: SHIELD\n3: SHIELD", receipt.refused) == receipt.refused != ()
    assert any(lost in doubt for doubt in look("turn", game.session).doubts)
    talk = submit("Boro", "good luck all!\n2: SHIELD", None, game.session)
    assert refused_orders("good luck all!\n2: SHIELD", talk.refused) == ()


def test_another_deadline_of_a_move_tells_nothing_of_votes_and_keeps_the_title_of_the_window(
    tmp_path: Path,
) -> None:
    game = fight(tmp_path)
    close_window("turn", None, game.session)
    change = extend(PhaseRequest("stand_in", ends="2h"), PostOptions(), game.session)
    told = (change.post.text, *phase_lines(change), *phase_remarks(change))
    assert "A move for X now ends" in told[0]
    assert not [line for line in told if "osts" in line]


def test_the_post_of_a_deadline_that_is_undone_is_void_and_comes_back_with_it(tmp_path: Path) -> None:
    game = fight(tmp_path)
    extend(PhaseRequest("turn", by="24h"), PostOptions(), game.session)
    entry = game.ledger.journal[-1].number
    file = game.folder / "public" / f"{entry:03}-deadline-move-1.txt"
    assert file.exists()
    [void] = undo(entry, "a slip", game.session).void
    assert (void.name, void.exists()) == (file.name, True)
    assert not file.exists()
    undo(None, "it was right", game.session)
    assert file.exists()


def test_a_replacement_takes_over_everything_where_nobody_votes_in_the_thread(tmp_path: Path) -> None:
    for kind in ("knight_fight", "knights_duty", "kings_court"):
        game = begun(tmp_path / kind, kind)
        change = replace_player(NAMES[0], "Quill", None, "", PostOptions(), game.session)
        assert change.post is not None
        assert "takes over everything" in change.post.text
        assert "vote" not in change.post.text
        assert "Counts" not in slot_change_line(change)
    game = begun(tmp_path / "empowered", "empowered")
    change = replace_player(NAMES[0], "Quill", None, "", PostOptions(), game.session)
    assert change.post is not None and "'s vote" in change.post.text


def test_missing_tells_a_deadline_by_the_clock_of_the_game_too(tmp_path: Path) -> None:
    game = fight(tmp_path)
    file = game.folder / "game.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"UTC"', '"Asia/Tokyo"'), encoding="utf-8")
    until = game.table.windows[0].closes
    assert until is not None
    assert f"until {until.astimezone(ZoneInfo('Asia/Tokyo')):%d %b %H:%M JST} = " in missing_text(
        missing(game.session)
    )


def test_what_was_refused_of_an_earlier_move_is_no_try_at_this_one(tmp_path: Path) -> None:
    """In a game that a message moves on, nothing is closed between two moves."""
    game = fight(tmp_path)
    submit(NAMES[1], "SIDE: O", None, game.session)
    game.wait(0.01)
    submit(NAMES[0], "F6>G4", None, game.session)
    assert [one.refused for one in pending(game.table)[0].slots] == [()]
    assert submit(NAMES[1], "A1", None, game.session).refused
    [mover] = pending(game.table)[0].slots
    assert [line for line, _ in mover.refused] == ["A1"]


def test_what_was_refused_from_the_start_rests_on_nothing_that_was_taken_back(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    for name in NAMES[2:11]:
        submit(name, "VOTE: Boro", None, game.session)
    closed = close_window("vote", None, game.session).receipt.entry
    undo(closed, "too early", game.session)
    # Refused when it was written; where the closing stood, they were in the court and could check a pair.
    assert submit("Boro", "CHECK: Cinder, Elm", None, game.session).refused
    late = submit(NAMES[2], "UNVOTE", None, game.session).entry
    undo(late, "a slip", game.session)
    assert game.table.replay.questions == ()


@pytest.mark.parametrize(("kind", "window"), [("knight_fight", "side"), ("knights_duty", "setup")])
def test_a_choice_is_closed_before_its_time_for_a_reason_alone_while_somebody_has_time_left(
    tmp_path: Path, kind: str, window: str
) -> None:
    game = begun(tmp_path, kind)
    extend(PhaseRequest(window, ends="49h"), PostOptions(), game.session)
    entries = len(game.ledger.journal)
    game.wait(2)
    seen = look(window, game.session)
    assert (seen.early, seen.left) == (True, "47 h left")
    with pytest.raises(DecisionNeeded, match=r"47 h left\. Who has not chosen yet: .*Ada"):
        close_window(window, None, game.session)
    assert len(game.ledger.journal) == entries
    close_window(window, None, game.session, why_early="they are away")
    [ruled] = [one.entry for one in game.ledger.journal if isinstance(one.entry, Ruled)]
    assert ruled.why == "they are away"


def test_when_all_have_chosen_or_the_time_is_up_a_choice_is_closed_without_a_reason(tmp_path: Path) -> None:
    for all_chose in (True, False):
        game = begun(tmp_path / str(all_chose), "knights_duty")
        for name in NAMES[:3] if all_chose else ():
            submit(name, "WEAPON: SWORD", None, game.session)
        extend(PhaseRequest("setup", ends="49h"), PostOptions(), game.session)
        game.wait(1 if all_chose else 50)
        assert not look("setup", game.session).early
        close_window("setup", None, game.session)


@pytest.mark.parametrize("minutes", [-1, 0])
def test_a_phase_ends_later_than_the_one_before_it(tmp_path: Path, minutes: int) -> None:
    day = voting_day(tmp_path, "empowered")
    ends = pending(day.table)[0].until
    assert ends is not None
    with pytest.raises(TimeError, match=r"Night 1 would end .*, and Day 1, which comes before it, ends"):
        opens(day, "night", 1, (ends + timedelta(minutes=minutes)).isoformat())
    opens(day, "night", 1, (ends + timedelta(minutes=1)).isoformat())
