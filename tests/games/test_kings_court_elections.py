"""Votes, fines, ties and the moment of their publication."""

from __future__ import annotations

from datetime import timedelta

import pytest

from knightfall.engine.game import Announced
from knightfall.games.kings_court import KINGS_COURT, Phase
from knightfall.games.kings_court.events import Count, Fined, RoundResult, TieAsked
from knightfall.sentence import SlotId
from salt_court import (
    ADA,
    BORO,
    CINDER,
    COURT,
    DUSK,
    ELM,
    FEN,
    HOLLIS,
    IRIS,
    JUNIPER,
    KESTREL,
    LUMEN,
    NOON,
    Table,
    seated,
)


def posted(table: Table) -> list[str]:
    return [event.kind for event in table.events if isinstance(event, Announced)]


def test_most_votes_joins_and_the_counts_are_posted_without_voters() -> None:
    table = Table(seated())
    table.vote(Boro="Ada Cinder Dusk", Ada="Boro", Elm="Fen Hollis")
    (poll,) = (post.poll for post in table.posted(RoundResult))
    assert poll.counts == (Count(BORO, 3), Count(ELM, 2), Count(ADA, 1))
    assert (poll.elected, poll.king, poll.missed) == (BORO, False, 5)
    assert (table.state.court, table.state.round, table.state.ballots) == ((BORO,), 2, {})


def test_the_last_vote_counts_and_an_unvote_withdraws() -> None:
    table = Table(seated())
    table.say(ADA, "VOTE: Boro\nVOTE: Cinder")
    table.say(DUSK, "vote elm")
    table.say(DUSK, "[b]UNVOTE[/b]")
    assert table.state.ballots == {ADA: CINDER}


def test_who_has_no_vote_pays_a_garnet_and_is_told_alone() -> None:
    table = Table(seated(garnets={**dict.fromkeys(COURT, 5), LUMEN: 0}))
    table.vote(Boro="Ada Cinder Dusk Elm Fen Hollis Iris Juniper Kestrel")
    assert (table.state.garnets[BORO], table.state.garnets[LUMEN], table.state.garnets[ADA]) == (4, 0, 5)
    assert [len(table.told(slot, Fined)) for slot in (BORO, LUMEN, ADA)] == [1, 1, 0]


@pytest.mark.parametrize(("outside", "paid"), [((ADA,), 0), ((ADA, LUMEN), 1)], ids=["one", "two"])
def test_who_has_nobody_to_vote_for_pays_nothing(outside: tuple[SlotId, ...], paid: int) -> None:
    table = Table(seated(*(slot for slot in COURT if slot not in outside)))
    table.close("vote")
    assert [len(table.told(slot, Fined)) for slot in outside] == [paid] * len(outside)
    assert all(post.poll.missed == 0 for post in table.posted(RoundResult))


def test_a_balance_goes_below_zero_by_option_alone() -> None:
    table = Table(seated(garnet_floor="none", garnets=dict.fromkeys(COURT, 0)))
    table.vote(Boro="Ada")
    assert set(table.state.garnets.values()) == {0, -1}


def tied(*, king: bool = False, **options: object) -> Table:
    """Boro and Iris on four each, or the King and Iris."""
    table = Table(seated(**options))
    first = {"Ada" if king else "Boro": "Cinder Dusk Elm Fen"}
    table.vote(**first, Iris="Hollis Juniper Kestrel Lumen")
    return table


def test_on_a_tie_nothing_is_posted_until_the_tie_window_has_run_out() -> None:
    open_tie, forced, listed = tied(), tied(king=True), Table(seated())
    listed.say(ADA, "TIEBREAK: Iris")
    listed.vote(Boro="Cinder Dusk Elm Fen", Iris="Hollis Juniper Kestrel Lumen")
    for table in (open_tie, forced, listed):
        assert table.state.phase is Phase.TIE
        assert posted(table) == []
        window = KINGS_COURT.windows(table.state)[0]
        assert (window.slots, window.closes) == (COURT, table.now + timedelta(hours=12))


def test_the_king_decides_a_tie_and_can_change_his_mind() -> None:
    table = tied()
    assert table.say(ADA, "TIEBREAK: Iris > Boro") == []
    assert table.say(ADA, "TIEBREAK: Boro") == []
    assert table.state.phase is Phase.TIE
    table.close("tie")
    assert table.state.court == (BORO,)


def test_a_list_sent_in_advance_holds_and_its_first_tied_name_wins() -> None:
    table = Table(seated())
    table.say(ADA, "TIEBREAK: Fen > Iris > Boro")
    table.vote(Boro="Cinder Dusk Elm Fen", Iris="Hollis Juniper Kestrel Lumen")
    table.close("tie")
    assert (table.state.court, table.state.tiebreak) == ((IRIS,), ())


def test_tied_with_one_other_the_king_stays_outside() -> None:
    table = tied(king=True)
    (asked,) = table.told(ADA, TieAsked)
    assert asked.free == (IRIS,)
    table.close("tie")
    assert table.state.court == (IRIS,)


def test_a_silent_king_leaves_it_to_a_draw_without_himself() -> None:
    table = Table(seated())
    table.vote(Ada="Cinder Dusk", Boro="Elm Fen", Iris="Juniper Kestrel")
    table.close("tie")
    assert table.state.court in ((BORO,), (IRIS,))


def test_at_once_by_option_a_settled_tie_waits_for_nobody() -> None:
    assert tied(king=True, tie_publish="at_once").state.court == (IRIS,)
    waiting = tied(tie_publish="at_once")
    assert waiting.state.phase is Phase.TIE
    waiting.say(ADA, "TIEBREAK: Boro")
    assert waiting.state.court == (BORO,)
    assert waiting.state.opened == waiting.now


@pytest.mark.parametrize(("option", "court"), [("revote", ()), ("longest_listed", ("Iris",))])
def test_other_ends_of_a_silent_tie(option: str, court: tuple[str, ...]) -> None:
    table = Table(seated(kc_10=option))
    for voter, target in (("Cinder", "Boro"), ("Hollis", "Iris"), ("Juniper", "Iris"), ("Dusk", "Boro")):
        table.say(SlotId(voter), f"VOTE: {target}")
    table.close("vote")
    table.close("tie")
    assert (table.state.court, table.state.phase, table.state.ballots) == (court, Phase.VOTE, {})


def test_nobody_voted_is_a_tie_of_everybody_on_0() -> None:
    table = Table(seated(LUMEN))
    table.close("vote")
    assert table.state.pending is not None
    assert table.state.pending.tied == COURT[:10]
    table.say(ADA, "TIEBREAK: Fen")
    table.close("tie")
    assert table.state.court == (LUMEN, FEN)


@pytest.mark.parametrize(("option", "number", "listed"), [("revote", 1, (FEN,)), ("no_election", 2, ())])
def test_nobody_voted_by_option_nobody_joins_and_a_list_holds_for_its_round(
    option: str, number: int, listed: tuple[SlotId, ...]
) -> None:
    table = Table(seated(zero_votes=option))
    table.say(ADA, "TIEBREAK: Fen")
    table.close("vote")
    assert table.state.tiebreak == listed
    assert (table.state.court, table.state.round, table.state.phase) == ((), number, Phase.VOTE)
    assert set(table.state.garnets.values()) == {4}


def test_when_only_the_king_is_left_he_joins_at_once() -> None:
    table = Table(seated(*(slot for slot in COURT if slot not in (ADA, JUNIPER))))
    table.vote(Ada="Juniper", Juniper="Ada")
    table.close("tie")
    assert table.state.court[-2:] == (JUNIPER, ADA)
    assert table.state.end is not None
    assert (table.state.end.kind, table.state.garnets[ADA]) == ("king", 10)
    assert posted(table) == ["round", "alone", "ending"]


def test_a_window_that_is_not_open_cannot_be_closed() -> None:
    assert [Table(seated()).close(kind) for kind in ("tie", "tol", "ec", "dmo", "shop")] == [
        ["WRONG_PHASE"]
    ] * 5


def test_windows_have_their_lengths() -> None:
    def hours(table: Table) -> float:
        window = KINGS_COURT.windows(table.state)[0]
        assert window.opens is not None and window.closes is not None
        return (window.closes - window.opens) / timedelta(hours=1)

    assert hours(Table(seated())) == 24
    assert hours(Table(seated(kc_02=72))) == 72
    assert hours(tied()) == 12
    assert KINGS_COURT.windows(seated(opened=None))[0].closes is None


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.DONE])
def test_who_disposes_of_tokens_or_names_a_candidate_has_a_choice(phase: Phase) -> None:
    window = KINGS_COURT.windows(seated(phase=phase))[0]
    assert window.choice is (phase in (Phase.TOL, Phase.EC, Phase.DMO))


def test_the_next_window_starts_at_the_announcement() -> None:
    table = tied()
    table.close("tie")
    assert KINGS_COURT.windows(table.state)[0].opens == table.now == NOON + timedelta(hours=48)


def test_members_of_the_court_have_no_vote_and_get_none() -> None:
    table = Table(seated(BORO, HOLLIS))
    assert table.say(BORO, "VOTE: Elm") == ["VOTER_IN_COURT"]
    assert table.say(ELM, "VOTE: Hollis") == ["TARGET_IN_COURT"]
    window = KINGS_COURT.windows(table.state)[0]
    assert window.slots == tuple(slot for slot in COURT if slot not in (BORO, HOLLIS))
    assert KESTREL in window.slots
