"""Early Kings, wins, payouts, tokens, the elimination candidate and the opponent."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.kings_court import KINGS_COURT, Phase
from knightfall.games.kings_court.events import EarlyEnd, FourEarlyKings, OpponentNamed
from knightfall.games.kings_court.state import End
from knightfall.games.kings_court.views import EndView, court_view
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
    NOBLES,
    Table,
    seated,
)


def crowned(*court: SlotId, draws: tuple[tuple[str, object], ...] = (), **changes: object) -> Table:
    """The King joins this court."""
    table = Table(seated(*court, **changes), ScriptedRng(list(draws), SeededRng(b"")))
    table.elect(ADA)
    return table


def end_of(table: Table) -> End:
    assert table.state.end is not None
    return table.state.end


@pytest.mark.parametrize("court", [(), (BORO,), (BORO, HOLLIS)])
def test_a_king_with_fewer_than_three_others_is_early(court: tuple[SlotId, ...]) -> None:
    table = crowned(*court)
    assert (table.state.attempt, table.state.prizes.moe, table.state.garnets[ADA]) == (2, {ADA: 1}, 3)
    (post,) = table.posted(EarlyEnd)
    assert (post.king, post.others) == ("Ada", len(court))
    assert "Duke" not in str(post)


def test_the_fourth_early_king_ends_the_match() -> None:
    table = crowned(BORO, attempt=4, past_kings=(FEN, DUSK, IRIS))
    outcome = KINGS_COURT.outcome(table.state)
    assert outcome is not None and (outcome.winner, outcome.slots) == (None, ())
    assert table.posted(FourEarlyKings)[0].kings == (FEN, DUSK, IRIS, ADA)
    assert (table.state.prizes.tol, KINGS_COURT.windows(table.state)) == ({}, ())
    ending = court_view(table.state, BORO).ending
    assert ending == EndView("deathmatch4", deathmatch=(FEN, DUSK, IRIS, ADA))


@pytest.mark.parametrize(
    ("court", "kind"),
    [
        ((BORO, CINDER, HOLLIS), "dukes"),
        ((BORO, IRIS, HOLLIS), "nobles"),
        ((BORO, CINDER, HOLLIS, IRIS), "king"),
    ],
)
def test_the_team_with_more_members_wins_and_the_king_where_they_are_as_many(
    court: tuple[SlotId, ...], kind: str
) -> None:
    assert end_of(crowned(*court)).kind == kind


def test_every_member_of_the_team_is_paid() -> None:
    state = crowned(BORO, IRIS, HOLLIS).state
    assert state.prizes.tol == dict.fromkeys(NOBLES, 1)
    assert {slot for slot in COURT if state.garnets[slot] == 7} == set(NOBLES)


def test_a_winning_king_gets_three_tokens_and_half_the_court() -> None:
    table = crowned(BORO, CINDER, HOLLIS, IRIS)
    assert (table.state.prizes.tol, table.state.garnets[ADA]) == ({ADA: 3}, 7)
    assert table.say(ADA, "TOL: Hollis, Boro") == []
    assert table.state.prizes.tol == {ADA: 1, BORO: 1, HOLLIS: 1}


def test_a_silent_king_gives_at_random_or_by_option_loses_the_tokens() -> None:
    draws = (("kc.tol.duke", "Fen"), ("kc.tol.noble", "Lumen"))
    table = crowned(BORO, CINDER, HOLLIS, IRIS, draws=draws)
    table.close("tol")
    assert table.state.prizes.tol == {ADA: 1, FEN: 1, LUMEN: 1}
    lost = crowned(BORO, CINDER, HOLLIS, IRIS, kc_30="lost")
    lost.close("tol")
    assert lost.state.prizes.tol == {ADA: 1}


def test_the_only_winner_outside_gets_an_opal() -> None:
    assert crowned(BORO, CINDER, DUSK, ELM).state.prizes.opals == {FEN: 1}
    assert crowned(BORO, CINDER, DUSK).state.prizes.opals == {}
    assert crowned(BORO, CINDER, DUSK, ELM, FEN).state.prizes.opals == {}
    king = (BORO, CINDER, HOLLIS, IRIS)
    assert crowned(*king).state.prizes.opals == {}
    assert crowned(*king, opal_solo_win=True).state.prizes.opals == {ADA: 1}


def test_the_score_is_votes_and_the_bonus_of_the_place() -> None:
    court = (BORO, CINDER, DUSK, ELM, HOLLIS, IRIS, JUNIPER)
    end = end_of(crowned(*court, totals=dict.fromkeys(COURT, 2)))
    bonus = [end.scores[slot].bonus for slot in court]
    assert (bonus, end.scores[KESTREL].total) == ([5, 4, 3, 2, 1, 0, 0], 2)
    assert ADA not in end.scores


NOBLE_VOTES: Mapping[SlotId, int] = {HOLLIS: 9, IRIS: 1, JUNIPER: 4, KESTREL: 4, LUMEN: 4}


def test_a_single_lowest_loser_is_the_candidate_at_once() -> None:
    table = crowned(BORO, CINDER, HOLLIS, totals=NOBLE_VOTES)
    assert (end_of(table).ec, end_of(table).tied, table.state.phase) == (IRIS, (), Phase.DMO)


def between(*tied: SlotId, draws: tuple[tuple[str, object], ...] = (), **changes: object) -> Table:
    """The Dukes have won; these Nobles are tied for the lowest score."""
    totals = {slot: 0 if slot in tied else 6 for slot in NOBLES}
    return crowned(BORO, CINDER, HOLLIS, totals=totals, draws=draws, **changes)


def test_more_than_half_of_the_team_decides_a_tie() -> None:
    table = between(IRIS, LUMEN)
    for slot in (BORO, CINDER, DUSK):
        assert table.say(slot, "EC: Lumen") == []
    table.say(ELM, "EC: Iris")
    table.close("ec")
    assert (end_of(table).ec, end_of(table).tied) == (LUMEN, (IRIS, LUMEN))


@pytest.mark.parametrize(
    ("option", "candidate"), [("team", "Iris"), ("ballots", "Lumen"), ("plurality", "Lumen")]
)
def test_what_a_majority_is(option: str, candidate: str) -> None:
    table = between(IRIS, LUMEN, ec_majority=option, garnets={**dict.fromkeys(COURT, 5), IRIS: 4})
    table.say(BORO, "EC: Lumen")
    table.say(CINDER, "EC: Lumen")
    table.close("ec")
    assert end_of(table).ec == candidate


def test_a_winning_king_decides_alone() -> None:
    table = crowned(BORO, CINDER, HOLLIS, IRIS)
    table.say(ADA, "TOL: Boro, Hollis")
    assert table.say(CINDER, "EC: Lumen") == ["NOT_WINNER"]
    table.say(ADA, "EC: Lumen")
    table.close("ec")
    assert end_of(table).ec == LUMEN


def test_who_got_a_token_is_no_candidate_but_by_option() -> None:
    court, totals = (BORO, CINDER, HOLLIS, IRIS), dict.fromkeys(COURT, 3) | {FEN: 0}
    for option, safe in ((False, True), (True, False)):
        table = crowned(*court, totals=totals, tol_holders_can_be_ec=option)
        table.say(ADA, "TOL: Fen, Lumen")
        assert (end_of(table).ec != FEN) is safe


def test_without_a_majority_the_poorest_of_all_tied_then_the_coin() -> None:
    poor = between(IRIS, JUNIPER, LUMEN, garnets={**dict.fromkeys(COURT, 5), JUNIPER: 3})
    poor.say(BORO, "EC: Lumen")
    poor.close("ec")
    assert end_of(poor).ec == JUNIPER
    even = between(IRIS, JUNIPER, LUMEN, draws=(("kc.deadlock_coin", "Lumen"),))
    even.close("ec")
    assert end_of(even).ec == LUMEN


def test_by_option_the_coin_is_thrown_outside() -> None:
    table = between(IRIS, LUMEN, kc_35="external")
    table.close("ec")
    assert table.state.phase is Phase.COIN
    assert table.close("coin") == ["UNDECIDED"]
    assert table.say(None, "coin Boro") == ["WRONG_PHASE"]
    assert set(KINGS_COURT.legal(table.state, None)) == {"coin Iris", "coin Lumen"}
    table.say(None, "coin Lumen")
    assert end_of(table).ec == LUMEN


def test_the_candidate_picks_an_opponent_without_a_token() -> None:
    table = crowned(BORO, CINDER, HOLLIS, totals=NOBLE_VOTES)
    assert table.say(LUMEN, "DMO: Ada") == ["NOT_EC"]
    assert table.say(IRIS, "DMO: Iris") == ["SELF"]
    assert table.say(IRIS, "DMO: Boro") == ["HAS_TOL"]
    assert KINGS_COURT.outcome(table.state) is None
    assert table.say(IRIS, "DMO: Ada") == []
    outcome = KINGS_COURT.outcome(table.state)
    assert outcome is not None and outcome.winner == "dukes"
    assert table.posted(OpponentNamed) == [OpponentNamed(IRIS, ADA)]


def test_a_silent_candidate_waits_for_the_moderator() -> None:
    table = crowned(BORO, CINDER, HOLLIS, totals=NOBLE_VOTES)
    assert table.close("dmo") == ["UNDECIDED"]
    assert table.say(None, "dmo Boro") == ["WRONG_PHASE"]
    assert table.say(None, "dmo Ada") == []
    assert table.state.phase is Phase.DONE
