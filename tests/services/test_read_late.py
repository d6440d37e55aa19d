"""A message belongs to the window that was open when it was sent, whenever it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.cli.format_play import missing_text
from knightfall.engine.entries import Closed, Published, Replaced, Submitted
from knightfall.engine.journal import instant
from knightfall.errors import DecisionNeeded, InputError
from knightfall.sentence import SlotId
from knightfall.services.game.undo import look_at_undo, undo
from knightfall.services.journal import log
from knightfall.services.keep.verify import verify_game
from knightfall.services.requests import MailRequest, NewGameRequest
from knightfall.services.session import entered
from knightfall.services.window.message_table import message_table
from knightfall.services.window.placing import PlacingNeeded
from knightfall.services.window.turns import SenderLeft, close, leave_out, submissions, submit
from knightfall.services.window.void import void_posts
from knightfall.services.window.waiting import missing, pending
from salt_harbour import NAMES
from services.first_night import NIGHT, Quay, quay
from services.test_inbox import became, town, write
from services.voting_day import VotingDay


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Quay]:
    with quay(tmp_path) as found:
        yield found


def in_twilight(here: Quay) -> None:
    """The day ended by a hammer ten minutes into the clock, and was closed two hours in."""
    undo(2 + 1, "closed by its votes instead", here.session)
    here.wait(120)


def closed_by_votes(here: Quay) -> None:
    ended = NIGHT + timedelta(minutes=10)
    entered(Closed("day-1", "no elimination", "2 posts 1-2", ended), here.session)


def test_an_order_of_twilight_belongs_to_the_night_that_follows(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    in_twilight(here)
    here.post(101, goon, f"kill {victim}", 50)
    closed_by_votes(here)
    assert became(here.read()) == ["taken"]
    [one] = [one for window in pending(here.table) for one in window.slots if one.slot == goon]
    assert any(victim in line for line in one.standing)


def test_an_order_of_twilight_that_was_typed_before_the_day_was_closed_counts_then(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    in_twilight(here)
    receipt = submit(goon, f"kill {victim}", "plain", here.session, at=NIGHT + timedelta(minutes=50))
    assert receipt.refused, "by day nobody can kill"
    assert "it counts for the night as soon as you close the day" in receipt.waits
    closed_by_votes(here)
    here.close("night")
    assert victim not in here.table.state.living


def test_what_was_sent_before_the_hammer_is_no_order_of_the_night(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    in_twilight(here)
    submit(goon, f"kill {victim}", "plain", here.session, at=NIGHT + timedelta(minutes=5))
    closed_by_votes(here)
    here.close("night")
    assert victim in here.table.state.living


@pytest.fixture
def court(tmp_path: Path) -> VotingDay:
    """A court of eleven with three rounds played, each of an hour."""
    found = VotingDay(tmp_path / "game", StillClock(), MemoryLedger())
    names = NAMES[:11]
    begin(NewGameRequest("kings_court", names, found.folder, b"seed" * 8, b"salt" * 8, "Late"), found.session)
    for target in ("Boro", "Cinder", "Elm"):
        found.wait(1)
        for voter in [one for one in names if one != target][:3]:
            submit(voter, f"VOTE: {target}", "plain", found.session)
        close("vote", "plain", found.session)
    return found


def closing(court: VotingDay, number: int) -> int:
    """The entry that closed the round of that number."""
    named = (one for one in court.ledger.journal if isinstance(one.entry, Closed))
    return next(one.number for one in named if one.entry.named == f"round-{number}")  # type: ignore[union-attr]


def test_a_pm_that_was_in_time_is_shown_with_what_it_changes_and_put_in_its_place(court: VotingDay) -> None:
    first, second = closing(court, 1), closing(court, 2)
    in_round_two = instant(court.ledger.journal[second - 1]) - timedelta(minutes=20)
    before = len(court.ledger.journal)
    with pytest.raises(PlacingNeeded) as asked:
        submit("Fen", "VOTE: Hollis", "plain", court.session, at=in_round_two)
    assert len(court.ledger.journal) == before
    placing = asked.value.placing
    assert (placing.sender, placing.window, placing.closed.number) == ("Fen", "Round 2", second)
    assert [one.record.number for one in placing.replayed] == [second]
    [told] = [text for text in placing.replayed[0].texts if text.whose == "public"]
    assert any(line.startswith("+") and "Hollis" in line for line in told.lines)
    assert placing.posted == ()

    receipt = submit("Fen", "VOTE: Hollis", "plain", court.session, at=in_round_two, late=True)
    assert receipt.anew
    [post] = [file for file in receipt.anew if file.parent.name == "public" and file.suffix == ".txt"]
    assert post.name.startswith(f"{second:03}-") and "Hollis" in post.read_text(encoding="utf-8")
    assert closing(court, 1) == first
    assert not verify_game(court.session).exit_status


def test_a_post_that_went_out_and_reads_otherwise_now_is_void(court: VotingDay) -> None:
    third = closing(court, 3)
    entered(Published("results", 1, "", "Elm joins"), court.session)
    sent = instant(court.ledger.journal[third - 1]) - timedelta(minutes=5)
    assert void_posts(court.table) == ()
    receipt = submit("Gale", "VOTE: Hollis", "plain", court.session, at=sent, late=True)
    assert receipt.anew
    assert void_posts(court.table) == ("results 1",)


def test_two_messages_of_one_slot_count_in_the_order_in_which_they_were_sent(court: VotingDay) -> None:
    now = court.clock.now()
    court.wait(0.5)
    submit("Ada", "VOTE: Fen", "plain", court.session, at=now + timedelta(minutes=20))
    submit("Ada", "VOTE: Gale", "plain", court.session, at=now + timedelta(minutes=10))
    [one] = [one for window in pending(court.table) for one in window.slots if one.slot == "Ada"]
    assert one.standing == ("VOTE: Fen",)


def test_nothing_is_dated_before_the_game_or_to_come(court: VotingDay) -> None:
    began, now = court.ledger.journal[0].at, court.clock.now()
    with pytest.raises(InputError, match="before the game began"):
        submit("Ada", "VOTE: Fen", "plain", court.session, at=began - timedelta(seconds=1))
    with pytest.raises(InputError, match="in the future"):
        submit("Ada", "VOTE: Fen", "plain", court.session, at=now + timedelta(seconds=1))


def test_a_round_that_is_opened_again_keeps_the_ballots_of_the_later_ones(court: VotingDay) -> None:
    stood, second, third = court.table.state, closing(court, 2), closing(court, 3)
    look = look_at_undo(second, court.session)
    assert look.reopens == ("Round 2",)
    assert third in [one.number for one in look.waits]
    assert not look.follows and not look.changes
    undo(second, "one vote was missing", court.session)
    assert [one.title for one in court.table.windows if one.kind == "vote"] == ["Round 2"]
    [window] = [one for one in pending(court.table) if one.window.kind == "vote"]
    assert sum(bool(one.standing) for one in window.slots) == 2, "the ballots of round 3 wait"

    court.wait(5)
    close("vote", "plain", court.session)
    assert court.table.state == stood
    assert not court.table.replay.waiting
    assert not verify_game(court.session).exit_status


def test_votes_of_the_very_instant_of_a_closing_stay_in_their_round_when_it_is_closed_again(
    tmp_path: Path,
) -> None:
    found = VotingDay(tmp_path / "game", StillClock(), MemoryLedger())
    begin(NewGameRequest("kings_court", NAMES[:11], found.folder, b"seed" * 8, b"salt" * 8), found.session)
    for target in ("Boro", "Cinder"):
        for voter in ("Dusk_77", "Elm", "Fen"):
            submit(voter, f"VOTE: {target}", "plain", found.session)
        found.wait(1)
        close("vote", "plain", found.session)
    stood = found.table.state
    undo(closing(found, 1), "a vote was missing", found.session)
    close("vote", "plain", found.session)
    assert found.table.state == stood


def test_a_missing_vote_is_put_in_between_undo_and_closing(court: VotingDay) -> None:
    second = closing(court, 2)
    sent = instant(court.ledger.journal[second - 1]) - timedelta(minutes=20)
    undo(second, "one vote was missing", court.session)
    submit("Fen", "VOTE: Hollis", "plain", court.session, at=sent)
    close("vote", "plain", court.session)
    texts = [file.read_text(encoding="utf-8") for file in (court.folder / "public").glob("*-round.txt")]
    assert any("Hollis" in text for text in texts)
    assert [one.title for one in court.table.windows if one.kind == "vote"] == ["Round 4"]


def test_a_message_of_somebody_who_left_is_a_question(court: VotingDay) -> None:
    entered(Replaced(SlotId("Fen"), "Zephyr"), court.session)
    with pytest.raises(SenderLeft, match="Fen has left the game, and Zephyr plays in their place"):
        submit("Fen", "VOTE: Gale", "plain", court.session)
    assert not any(isinstance(one.entry, Submitted) for one in court.ledger.journal[-1:])
    receipt = submit("Fen", "VOTE: Gale", "plain", court.session, for_slot=True)
    assert receipt.left == ("Fen", "Zephyr")


def test_the_log_tells_when_something_was_sent_and_when_it_was_entered(court: VotingDay) -> None:
    now = court.clock.now()
    court.wait(0.5)
    submit("Ada", "VOTE: Fen", "plain", court.session, at=now + timedelta(minutes=10))
    submit("Boro", "VOTE: Fen", "plain", court.session)
    *_, late, at_once = log(court.session).entries
    assert "as of 2026-11-21 15:10 UTC" in late.said
    assert "as of" not in at_once.said


def test_missing_tells_both_times_of_what_was_read_late_and_of_what_came_by_then(court: VotingDay) -> None:
    sent = court.clock.now() + timedelta(minutes=10)
    court.wait(0.5)
    submit("Ada", "VOTE: Fen", "plain", court.session, at=sent)
    court.wait(0.5)
    submit("Boro", "VOTE: Fen", "plain", court.session)
    both = "sent 21 Nov 15:10 UTC, entered 21 Nov 15:30 UTC"
    told = missing_text(missing(court.session))
    assert told.count(both) == 1 and "entered 21 Nov 16:00" not in told
    then = missing(court.session, "2026-11-21 15:20 UTC")
    assert SlotId("Ada") in then.windows[0].absent
    assert f"Ada: {both}" in missing_text(then)
    assert both not in missing_text(missing(court.session, "2026-11-21 15:05 UTC"))

    listed = str(submissions(court.session).report().text())
    assert "21 Nov 15:10, entered 21 Nov 15:30" in listed
    assert "entered 21 Nov 16:00" not in listed
    rows = {str(row.slot): row for one in message_table(court.session).windows for row in one.rows}
    assert rows["Ada"].is_late and not rows["Boro"].is_late


def test_answers_to_a_form_without_times_are_not_taken_for_those_of_an_earlier_round(
    here: Quay, tmp_path: Path
) -> None:
    goon = here.holder("Mafia Goon")
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(f"Your name,Your action\n{goon},no action\n", encoding="utf-8")
    assert became(here.take(MailRequest(form=first))) == ["taken"]
    here.close("night")
    here.say("moderator", "no elimination")
    here.close("day")
    other = SlotId(town(here))
    second.write_text(f"Your name,Your action\n{other},no action\n{goon},no action\n", encoding="utf-8")
    # The sheet that grew holds what it held before; the one of a new form asks.
    assert became(here.take(MailRequest(form=second, dry=True)))[1] == "known"
    fresh = tmp_path / "fresh.csv"
    fresh.write_text(f"Your name,Your action\n{other},no action\n", encoding="utf-8")
    assert became(here.take(MailRequest(form=fresh))) == ["taken"]
    again = tmp_path / "again.csv"
    again.write_text(f"Your name,Your action\n{goon},no action\n", encoding="utf-8")
    assert became(here.take(MailRequest(form=again))) == ["again"]
    assert "If these are new" in here.told


def test_a_private_thread_asks_about_somebody_who_left(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    entered(Replaced(goon, "Sorrel"), here.session)
    here.wait(30)
    here.post(101, goon, f"kill {victim}", 20)
    with pytest.raises(DecisionNeeded, match="has left the game, and Sorrel plays in their place"):
        here.read()
    assert here.sent() == []


def replaced_goon(here: Quay) -> tuple[SlotId, str]:
    """Who has left, and what they send after it."""
    goon, victim = here.holder("Mafia Goon"), town(here)
    entered(Replaced(goon, "Sorrel"), here.session)
    here.wait(30)
    return goon, f"kill {victim}"


def from_thread(here: Quay, who: str, line: str) -> MailRequest:
    here.post(101, who, line, 20)
    return MailRequest(threads=True, again=True)


def from_pms(here: Quay, who: str, line: str) -> MailRequest:
    return MailRequest(
        pms=write(here, "pms.csv", "Date,Title,From,To,Message", f'"2026-11-21 07:20",x,{who},Wren,"{line}"')
    )


def from_form(here: Quay, who: str, line: str) -> MailRequest:
    return MailRequest(form=write(here, "form.csv", "Your name,Your action", f"{who},{line}"))


@pytest.mark.parametrize("arriving", [from_thread, from_pms, from_form])
def test_what_was_left_out_of_who_has_left_is_not_asked_again(
    here: Quay, arriving: Callable[[Quay, str, str], MailRequest]
) -> None:
    goon, line = replaced_goon(here)
    request = arriving(here, goon, line)
    with pytest.raises(DecisionNeeded, match="has left the game, and Sorrel plays in their place"):
        here.take(request)
    left_out = replace(request, leave_out="they play no more")
    assert became(here.take(replace(left_out, dry=True))) == ["left out"]
    assert became(here.take(left_out)) == ["left out"]
    assert "left out, as entry" in here.told
    assert became(here.take(request)) == ["left out"]
    assert here.sent() == []

    ruling = log(here.session).entries[-1]
    assert "ruling: Does the message of" in ruling.said and "they play no more" in ruling.said
    undo(ruling.record.number, "it was for the slot", here.session)
    with pytest.raises(DecisionNeeded, match="has left the game"):
        here.take(request)


def test_another_text_in_the_same_place_is_asked_about_anew(here: Quay) -> None:
    goon, line = replaced_goon(here)
    request = from_thread(here, goon, line)
    here.take(replace(request, leave_out="they play no more"))
    here.evening.forum.posts[-1] = (101, goon, "no action")
    with pytest.raises(DecisionNeeded, match="has left the game"):
        here.take(request)


@pytest.mark.parametrize("minutes", [None, 10])
def test_a_typed_message_that_was_left_out_is_not_asked_again(here: Quay, minutes: int | None) -> None:
    goon, line = replaced_goon(here)
    sent = None if minutes is None else NIGHT + timedelta(minutes=minutes)
    record = leave_out(goon, line, "they play no more", here.session, sent)
    for text in (line, f"From: {goon}\nSubject: my order\n\n{line}"):
        with pytest.raises(DecisionNeeded, match=f"left out .*, as entry {record.number} says"):
            submit(goon, text, "plain", here.session, at=sent)
    with pytest.raises(SenderLeft):
        submit(goon, "no action", "plain", here.session, at=sent)
    undo(record.number, "it was for the slot", here.session)
    with pytest.raises(SenderLeft):
        submit(goon, line, "plain", here.session, at=sent)
    submit(goon, line, "plain", here.session, at=sent, for_slot=True)
    assert here.sent() == [(goon, line)]


def test_a_message_that_nobody_asks_about_is_not_left_out(here: Quay) -> None:
    with pytest.raises(InputError, match="nothing asks whether it counts"):
        leave_out(here.holder("Mafia Goon"), "no action", "by mistake", here.session)
    goon, line = replaced_goon(here)
    with pytest.raises(InputError, match="Give a reason"):
        leave_out(goon, line, " ", here.session)


def test_a_late_message_that_was_left_out_is_not_asked_again(court: VotingDay) -> None:
    sent = court.clock.now() - timedelta(hours=1, minutes=20)
    with pytest.raises(PlacingNeeded):
        submit("Fen", "VOTE: Gale", "plain", court.session, at=sent)
    record = leave_out("Fen", "VOTE: Gale", "they took it back", court.session, sent)
    with pytest.raises(DecisionNeeded, match=f"left out .*, as entry {record.number} says"):
        submit("Fen", "VOTE: Gale", "plain", court.session, at=sent)
