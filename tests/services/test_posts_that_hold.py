"""A post that went out holds as long as it would read the same by now, whatever was taken back in between."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from knightfall.engine.entries import Closed
from knightfall.engine.journal import instant
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId
from knightfall.services.game.due import due
from knightfall.services.game.status import status
from knightfall.services.game.undo import undo
from knightfall.services.posts.write import mark_posted
from knightfall.services.running import closings
from knightfall.services.session import entered
from knightfall.services.window.placing import PlacingNeeded
from knightfall.services.window.turns import close, submit
from knightfall.services.window.void import void_posts
from services.voting_day import VotingDay, voting_day


def holder(day: VotingDay, role: str) -> SlotId:
    cards: Mapping[SlotId, Role] = day.table.state.cards
    return next(slot for slot, card in cards.items() if card.name == role)


def ended(day: VotingDay, number: int) -> None:
    """A day ends, and nobody is eliminated."""
    entered(Closed(f"day-{number}", "no elimination"), day.session)


def told_dawn(tmp_path: Path, killed: bool = True) -> VotingDay:
    """Night 1 is over, and its dawn was posted."""
    day = voting_day(tmp_path, "custom_mafia")
    ended(day, 1)
    day.wait(2)
    if killed:
        submit(holder(day, "Mafia Goon"), f"kill {town(day)[0]}", "plain", day.session)
    day.wait(2)
    close("night", "plain", day.session)
    mark_posted(day.post("dawn"), day.session)
    day.wait(1)
    return day


def town(day: VotingDay) -> list[SlotId]:
    return [slot for slot, card in day.table.state.cards.items() if card.name == "Vanilla Townie"]


def owed(day: VotingDay) -> list[str]:
    return [str(one.way.values.get("kind", "")) for one in due(day.session) if one.way.to == "post"]


def test_a_dawn_that_reads_the_same_after_undo_and_redo_is_told(tmp_path: Path) -> None:
    day = told_dawn(tmp_path)
    assert "dawn" not in owed(day)
    night = closings(day.table)[-1].number
    undo(night, "too early", day.session)
    assert void_posts(day.table) == ("dawn 1",)
    day.wait(1)
    close("night", "plain", day.session)
    assert void_posts(day.table) == () == status(day.session).void
    assert not {"dawn", "error"} & set(owed(day))


def test_a_dawn_that_reads_otherwise_after_undo_and_redo_is_due_again(tmp_path: Path) -> None:
    day = told_dawn(tmp_path)
    undo(closings(day.table)[-1].number, "a kill was mistyped", day.session)
    submit(holder(day, "Mafia Goon"), f"kill {town(day)[1]}", "plain", day.session)
    close("night", "plain", day.session)
    assert void_posts(day.table) == ("dawn 1",)
    assert "dawn" in owed(day)
    mark_posted(day.post("dawn"), day.session)
    assert void_posts(day.table) == ()
    assert "dawn" not in owed(day)


def test_who_was_told_that_the_dawn_does_not_hold_is_told_it_again(tmp_path: Path) -> None:
    day = told_dawn(tmp_path)
    undo(closings(day.table)[-1].number, "too early", day.session)
    mark_posted(day.post("error"), day.session)
    close("night", "plain", day.session)
    assert "dawn" in owed(day)
    mark_posted(day.post("dawn"), day.session)
    assert "dawn" not in owed(day)


def test_an_earlier_night_that_ends_the_same_leaves_later_posts_valid(tmp_path: Path) -> None:
    day = told_dawn(tmp_path)
    ended(day, 2)
    mark_posted(day.post("end-of-day"), day.session)
    first = next(
        one for one in closings(day.table) if isinstance(one.entry, Closed) and "night" in one.entry.window
    )
    undo(first.number, "too early", day.session)
    assert set(void_posts(day.table)) == {"dawn 1", "end-of-day 1"}
    close("night", "plain", day.session)
    assert void_posts(day.table) == ()
    assert not {"dawn", "end-of-day", "error"} & set(owed(day))


def test_a_late_pm_that_changes_no_post_leaves_it_valid(tmp_path: Path) -> None:
    day = told_dawn(tmp_path)
    sent = instant(closings(day.table)[-1]) - timedelta(minutes=30)
    cop = holder(day, "Town Cop")
    try:
        submit(cop, f"investigate {town(day)[2]}", "plain", day.session, at=sent)
    except PlacingNeeded as asked:
        assert asked.placing.replayed
        assert asked.placing.posted == ()
    else:
        raise AssertionError("nobody was asked")
    receipt = submit(cop, f"investigate {town(day)[2]}", "plain", day.session, at=sent, late=True)
    assert receipt.anew
    assert void_posts(day.table) == ()
    assert not {"dawn", "error"} & set(owed(day))
