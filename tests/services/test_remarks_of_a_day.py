"""What an evening at the desk says of ties, clocks that are over, and what has no post yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import at_terminal, run
from knightfall.cli.format_play import status_text
from knightfall.engine.entries import Opened
from knightfall.engine.heads import without_line
from knightfall.errors import InputError
from knightfall.services.day.close import close as close_day
from knightfall.services.day.phases import check_ends, extend, left_out, open_phase
from knightfall.services.game.players import replace_player
from knightfall.services.game.status import status
from knightfall.services.publish import note_posted
from knightfall.services.requests import PhaseRequest, PostOptions
from knightfall.services.running import post_of_closing
from knightfall.services.session import journal_of
from knightfall.services.what_if import preview
from knightfall.services.window.turns import close, look, submit
from knightfall.writeups.journal import batch_words, post_words
from salt_harbour import NAMES
from services.test_phases_of_every_game import begun
from services.voting_day import VotingDay, voting_day


@pytest.fixture
def tie(tmp_path: Path) -> VotingDay:
    """A King's Court in which nobody has voted when round 1 is closed, with a deadline for what comes."""
    court = begun(tmp_path, "kings_court")
    ends = check_ends("2026-11-25 20:00", court.session)
    assert close("vote", "plain", court.session, "", "as agreed", ends).opened is None
    return court


def test_a_tie_that_is_posted_after_twelve_hours_gets_no_other_deadline(tie: VotingDay) -> None:
    assert not any(isinstance(record.entry, Opened) for record in tie.ledger.journal)
    says = "Tie of round 1 ends at its own time by the rules, so the deadline was not used."
    assert left_out(tie.session) == says
    with pytest.raises(InputError, match="its post comes when Tie of round 1 is closed"):
        tie.post("results")


def test_a_shop_that_closes_by_itself_is_not_offered_to_be_closed(tie: VotingDay) -> None:
    with pytest.raises(InputError) as refused:
        look("vote", tie.session)
    assert at_terminal(refused.value).endswith("To close one: knightfall commit tie")


def test_who_plays_on_a_board_is_replaced_although_the_thread_was_never_read(tmp_path: Path) -> None:
    folder = tmp_path / "court"
    thread = "game=https://forum.example/viewtopic.php?t=5"
    made = run("new", "kings-court", *NAMES[:11], "--out", str(folder), "--site", "phpbb", "--thread", thread)
    assert made.exit_code == 0, made.output
    done = run("replace", NAMES[4], "Zed", "--game", str(folder))
    assert done.exit_code == 0, done.exception
    assert "from post" not in done.stderr
    assert run("submit", "Zed", f"VOTE: {NAMES[0]}", "--game", str(folder)).exit_code == 0
    undone = run("undo", "--why", "a slip", "--game", str(folder))
    assert f"Zed (was {NAMES[4]}) sends: VOTE: {NAMES[0]}." in undone.stderr


def test_the_post_of_what_comes_before_the_first_day_is_that_of_its_beginning() -> None:
    assert post_of_closing("choosing", "empowered") == "day-start"


def test_a_note_tells_no_deadline_of_a_day_that_is_over_and_no_vote_of_it(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    open_phase(PhaseRequest("day", 1, ends="2026-11-24 20:00"), PostOptions(), day.session)
    extend(PhaseRequest("day", 1, ends="2026-11-25 20:00"), PostOptions(), day.session)
    replace_player("Fen", "Rook", "1", "", PostOptions(), day.session)
    told = day.post("note").text
    assert "Day 1 now ends Wed 25 Nov 2026, 20:00 UTC" in told
    assert "Fen's vote stays until Rook changes it." in told
    close_day(day.look(early="it is enough"), "No Elimination", day.session)
    told = day.post("note").text
    assert "Day 1" not in told
    assert "Rook replaces Fen" in told
    assert "vote stays" not in told


def test_a_night_that_is_only_looked_at_was_not_closed_too_early(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    ends = check_ends("2026-11-25 20:00", day.session)
    close_day(day.look(early="it is enough"), "No Elimination", day.session, ends)
    found = preview(day.session)
    assert found.report is not None
    assert found.cautions == found.report.cautions == ()


def test_the_post_of_the_last_day_says_that_the_game_is_over(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    submit("moderator", "eliminate nobody", "plain", day.session)
    [goon] = [slot for slot, card in day.table.state.cards.items() if card.name == "Mafia Goon"]
    living = [name for name in day.table.game.playing(day.table.state) if name != goon]
    day.vote(goon, *living[:4])
    close_day(day.look(), goon, day.session)
    told = without_line(day.post("end-of-day").text)
    assert told.endswith("The game is over.")
    assert "Night falls" not in told


def test_posts_and_pms_are_called_by_words(tmp_path: Path) -> None:
    assert post_words("votecount-2 13") == "votecount 2.13"
    assert post_words("end-of-day 1") == "end-of-day 1"
    kinds = ("role-1", "role-2", "role-4", "result-3", "result-e0", "result-e24", "prod-2")
    assert [batch_words(kind) for kind in kinds] == [
        "role PMs",
        "second role PMs",
        "4th role PMs",
        "results 3",
        "results before anything was closed",
        "results since entry 24",
        "reminder 2",
    ]
    day = voting_day(tmp_path, "custom_mafia")
    note_posted("votecount-1", "text", 1, journal_of(day.session), day.session)
    assert "Posted: votecount 1.1." in status_text(status(day.session))
