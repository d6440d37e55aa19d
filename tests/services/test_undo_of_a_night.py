"""An undo of a night says what went out since, its correction what is void, and a PM that it replaces one."""

from __future__ import annotations

from pathlib import Path

from knightfall.cli.format_play import undo_lines
from knightfall.services.game.undo import look_at_undo, undo
from knightfall.services.journal import log
from knightfall.services.pms import RESULT, known_batches, ledger, mark, next_pm, pm_at_hand
from knightfall.services.running import closings
from knightfall.services.window.turns import close, submit
from services.test_posts_that_hold import holder, told_dawn, town
from services.voting_day import VotingDay


def told_and_answered(tmp_path: Path) -> tuple[VotingDay, str]:
    """The dawn was posted, and the result of the Cop was sent."""
    day = told_dawn(tmp_path)
    undo(closings(day.table)[-1].number, "the Cop was late", day.session)
    cop = holder(day, "Town Cop")
    submit(cop, f"investigate {town(day)[2]}", "plain", day.session)
    close("night", "plain", day.session)
    [batch] = known_batches(RESULT, day.session)
    mark("sent", (str(cop),), batch.kind, day.session)
    return day, str(cop)


def test_the_look_at_an_undo_names_the_pms_that_were_sent_since(tmp_path: Path) -> None:
    day, cop = told_and_answered(tmp_path)
    look = look_at_undo(closings(day.table)[-1].number, day.session)
    assert [getattr(one.entry, "slot", "") for one in look.sent] == [cop]
    said = {one.record.number: one.said for one in log(day.session).entries}
    assert f"PMs sent since (send them anew where they change): result-1 to {cop}." in list(
        undo_lines(look, said)
    )


def test_the_correction_says_what_is_void_what_is_open_and_who_lives(tmp_path: Path) -> None:
    day, _ = told_and_answered(tmp_path)
    killed = str(town(day)[0])
    assert killed not in day.table.state.living
    undo(closings(day.table)[-1].number, "too early", day.session)
    said = day.post("error").text
    assert "This post of mine does not hold any more: dawn 1. What else I posted holds." in said
    assert "We are in Night 1 again" in said
    alive = next(line for line in said.splitlines() if line.startswith("Alive: "))
    assert killed in alive
    assert alive.count(",") == 6  # all seven


def test_a_correction_without_a_void_post_says_no_more_than_before(tmp_path: Path) -> None:
    day, _ = told_and_answered(tmp_path)
    said = day.post("error").text
    assert "hold" not in said
    assert "Alive" not in said


def test_a_result_in_the_place_of_one_that_was_sent_says_so(tmp_path: Path) -> None:
    day, cop = told_and_answered(tmp_path)
    [first] = known_batches(RESULT, day.session)
    again = next_pm(first, cop, "plain", "", day.session)
    assert again is not None and "replaces" not in again.text
    undo(closings(day.table)[-1].number, "the Cop meant somebody else", day.session)
    submit(cop, f"investigate {holder(day, 'Mafia Goon')}", "plain", day.session)
    close("night", "plain", day.session)
    [batch] = known_batches(RESULT, day.session)
    found = next_pm(batch, cop, "plain", "", day.session)
    assert found is not None
    assert found.text.startswith("This replaces what I sent you before (results of night 1).\n\n")
    at_hand = pm_at_hand(batch, cop, day.session)
    assert at_hand is not None and at_hand.sending.text == found.text
    [row] = [one for one in ledger(batch, (), day.session).rows if one.name == cop]
    assert row.progress.other == "sent"
