"""Every form of a command, every refusal code in its order, receipts, and what the moderator can say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from knightfall.games.kings_court import KINGS_COURT, Phase
from knightfall.games.kings_court.events import PublicBallot, Receipt, Reminder, Removed
from knightfall.games.kings_court.orders import Code
from knightfall.games.kings_court.state import Role
from knightfall.games.kings_court.views import court_view
from knightfall.sentence import SlotId
from salt_court import ADA, BORO, CINDER, COURT, DUSK, ELM, FEN, HOLLIS, IRIS, LUMEN, NOON, Table, seated


@pytest.mark.parametrize(
    "text",
    [
        "VOTE: Hollis",
        "vote hollis",
        "[b]VOTE: Hollis[/b]",
        "**Vote: hol**",
        "##vote HOLLIS",
        "Vote: @Hollis.",
        "[quote]VOTE: Elm[/quote]\nVOTE: Hollis",
        "VOTE: Elm\nVOTE: Hollis",
        "VOTE: Hollis\nVOTE: Nobody",
        "VOTE = Hollis",
        "vote: the old one",
    ],
)
def test_a_vote_in_many_forms(text: str) -> None:
    table = Table(seated())
    table.say(ADA, text, {"The Old One": HOLLIS})
    assert table.state.ballots == {ADA: HOLLIS}


def test_one_message_can_hold_several_commands() -> None:
    table = Table(seated(garnets=dict.fromkeys(COURT, 20)))
    votes = "[b]vote: elm[/b]\nLearn: Boro and Hollis\nTie-break: Elm > Fen, Iris"
    assert table.say(ADA, f"{votes}\npeek Cinder\nannoyed ?\ngive: 2 garnets to Fen") == []
    assert table.state.ballots == {ADA: ELM}
    assert table.state.tiebreak == (ELM, FEN, IRIS)
    assert (table.state.garnets[ADA], table.state.garnets[FEN]) == (7, 22)
    stands = ("VOTE: Elm", "TIEBREAK: Elm > Fen > Iris")
    until = NOON + timedelta(hours=24)
    receipt = Receipt(
        ADA, "12:00 UTC", Phase.VOTE, 1, stands, cast="VOTE: Elm", vote_due=False, asked=True, deadline=until
    )
    assert table.told(ADA, Receipt) == [receipt]


def at_vote() -> Table:
    """Round 2; Boro is in the court and may check; nobody can pay for a peek."""
    return Table(seated(BORO, check_right=BORO))


def first_round() -> Table:
    table = Table(seated(garnets=dict.fromkeys(COURT, 8)))
    table.say(ADA, "LEARN: Hollis")
    return table


def in_a_tie() -> Table:
    table = Table(seated())
    table.vote(Boro="Cinder Dusk", Iris="Hollis Juniper", Ada="Elm Fen")
    return table


def tokens() -> Table:
    table = Table(seated(BORO, CINDER, HOLLIS, IRIS))
    table.elect(ADA)
    return table


def candidates() -> Table:
    table = Table(seated(BORO, CINDER, HOLLIS))
    table.elect(ADA)
    return table


def opponent() -> Table:
    table = candidates()
    for slot in (BORO, CINDER, DUSK):
        table.say(slot, "EC: Iris")
    table.close("ec")
    return table


REFUSED = [
    (at_vote, "Zoe", "VOTE: Elm", "NOT_A_PLAYER"),
    (at_vote, "Cinder", "VOTE: Elm, Fen", "BAD_ARGS"),
    (at_vote, "Cinder", "VOTE:", "BAD_ARGS"),
    (at_vote, "Cinder", "UNVOTE: Elm", "BAD_ARGS"),
    (at_vote, "Cinder", "vote please", "UNKNOWN_TARGET"),
    (at_vote, "Cinder", "hello", "UNKNOWN_COMMAND"),
    (at_vote, "Boro", "VOTE: Nobody", "VOTER_IN_COURT"),
    (at_vote, "Boro", "UNVOTE", "VOTER_IN_COURT"),
    (at_vote, "Cinder", "VOTE: Cinder", "SELF_VOTE"),
    (at_vote, "Cinder", "VOTE: Boro", "TARGET_IN_COURT"),
    (in_a_tie, "Cinder", "VOTE: Cinder", "WRONG_PHASE"),
    (in_a_tie, "Cinder", "UNVOTE", "WRONG_PHASE"),
    (at_vote, "Cinder", "LEARN: Cinder", "NOT_KING"),
    (at_vote, "Ada", "LEARN: Ada", "TOO_LATE"),
    (at_vote, "Ada", "LEARN: Elm, Fen, Iris", "BAD_ARGS"),
    (first_round, "Ada", "LEARN: Ada, Ada", "SELF"),
    (first_round, "Ada", "LEARN: Hollis, Nobody", "DUPLICATE"),
    (first_round, "Ada", "LEARN: Zed, zed", "DUPLICATE"),
    (first_round, "Ada", "LEARN: Elm, Nobody", "UNKNOWN_TARGET"),
    (first_round, "Ada", "LEARN: Elm, Fen", "LIMIT"),
    (at_vote, "Cinder", "TIEBREAK: Cinder", "NOT_KING"),
    (candidates, "Ada", "TIEBREAK: Ada", "WRONG_PHASE"),
    (at_vote, "Ada", "TIEBREAK: Elm > Ada > Nobody", "SELF"),
    (at_vote, "Ada", "TIEBREAK: Elm > Nobody", "UNKNOWN_TARGET"),
    (at_vote, "Ada", "TIEBREAK:", "BAD_ARGS"),
    (in_a_tie, "Ada", "TIEBREAK: Elm > Fen", "NOT_TIED"),
    (at_vote, "Cinder", "CHECK: Elm", "NO_CHECK_RIGHT"),
    (at_vote, "Boro", "CHECK: Elm", "NEED_TWO"),
    (at_vote, "Boro", "CHECK: Elm, Fen, Iris", "NEED_TWO"),
    (at_vote, "Boro", "CHECK: Boro, Boro", "DUPLICATE"),
    (at_vote, "Boro", "CHECK: Boro, Nobody", "SELF"),
    (at_vote, "Boro", "CHECK: Elm, Nobody", "UNKNOWN_TARGET"),
    (candidates, "Boro", "PEEK: Boro", "WRONG_PHASE"),
    (candidates, "Boro", "ANNOYED?", "WRONG_PHASE"),
    (at_vote, "Cinder", "PEEK: Cinder", "SELF"),
    (at_vote, "Cinder", "PEEK: Nobody", "UNKNOWN_TARGET"),
    (at_vote, "Cinder", "PEEK: Elm", "INSUFFICIENT_GARNETS"),
    (at_vote, "Cinder", "PEEK", "BAD_ARGS"),
    (at_vote, "Cinder", "ANNOYED: Elm", "BAD_ARGS"),
    (candidates, "Boro", "GIVE: 0 to Boro", "FROZEN"),
    (at_vote, "Cinder", "GIVE: 0 to Cinder", "BAD_AMOUNT"),
    (at_vote, "Cinder", "GIVE: 1.5 to Elm", "BAD_AMOUNT"),
    (at_vote, "Cinder", "GIVE: -1 to Elm", "BAD_AMOUNT"),
    (at_vote, "Cinder", "GIVE -2 to Elm", "BAD_AMOUNT"),
    (at_vote, "Cinder", "GIVE: all to Elm", "BAD_AMOUNT"),
    (at_vote, "Cinder", "GIVE: 3", "BAD_ARGS"),
    (at_vote, "Cinder", "GIVE: 1 to Cinder", "SELF"),
    (at_vote, "Cinder", "GIVE: 1 to Nobody", "UNKNOWN_TARGET"),
    (at_vote, "Cinder", "GIVE: 6 to Elm", "INSUFFICIENT_GARNETS"),
    (at_vote, "Cinder", "GIVE: 99999999999999999999 to Elm", "INSUFFICIENT_GARNETS"),
    (at_vote, "Cinder", "TOL: Elm, Iris", "WRONG_PHASE"),
    (tokens, "Cinder", "TOL: Elm, Fen", "NOT_KING"),
    (tokens, "Ada", "TOL: Elm", "BAD_ARGS"),
    (tokens, "Ada", "TOL: Elm, Fen", "BAD_PAIR"),
    (tokens, "Ada", "TOL: Elm, Nobody", "BAD_PAIR"),
    (tokens, "Ada", "TOL: Ada, Iris", "BAD_PAIR"),
    (tokens, "Ada", "EC: Elm", "WRONG_PHASE"),
    (candidates, "Iris", "EC: Elm", "NOT_WINNER"),
    (candidates, "Boro", "EC: Hollis", "NOT_TIED"),
    (candidates, "Boro", "EC: Nobody", "NOT_TIED"),
    (candidates, "Iris", "DMO: Ada", "WRONG_PHASE"),
    (opponent, "Ada", "DMO: Elm", "NOT_EC"),
    (opponent, "Iris", "DMO: Iris", "SELF"),
    (opponent, "Iris", "DMO: Nobody", "UNKNOWN_TARGET"),
    (opponent, "Iris", "DMO: Boro", "HAS_TOL"),
]


@pytest.mark.parametrize(
    ("start", "slot", "line", "code"), REFUSED, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_the_first_code_that_applies_is_given_and_nothing_changes(
    start: Callable[[], Table], slot: str, line: str, code: str
) -> None:
    table = start()
    before = table.state
    assert table.say(SlotId(slot), line) == [code]
    assert table.state == before
    assert table.refused[-1][0] == line


def test_every_code_is_given_somewhere() -> None:
    elsewhere = {"AMBIGUOUS_NAME", "NOT_CHECKABLE", "PUBLIC_BALLOT", "UNDECIDED"}
    assert {code for *_, code in REFUSED} | elsewhere == set(Code)


def test_two_hits_are_listed_and_not_guessed() -> None:
    names = tuple(SlotId(name) for name in (*COURT[:9], "Lumen", "Lumina"))
    state = KINGS_COURT.setup(names, {}, Table(seated()).draw).state
    table = Table(state)
    assert table.say(SlotId("Ada"), "VOTE: lum") == ["AMBIGUOUS_NAME"]
    assert "Lumen or Lumina" in table.refused[0][1].text


def test_a_refusal_says_what_still_stands() -> None:
    table = Table(seated(BORO, CINDER, HOLLIS, check_right=BORO))
    table.say(ELM, "VOTE: Fen")
    table.say(ELM, "VOTE: Elm")
    assert table.refused[-1][1].text == "you cannot vote for yourself. Your earlier vote for Fen still stands"
    table.say(ADA, "TIEBREAK: Elm\nTIEBREAK: Ada")
    assert table.refused[-1][1].text.endswith("Your earlier TIEBREAK: Elm still stands")
    table.say(BORO, "CHECK: Elm, Fen\nCHECK: Elm")
    assert table.refused[-1][1].text.endswith("Your earlier CHECK: Elm, Fen still stands")
    table.elect(ADA)
    table.say(BORO, "EC: Iris\nEC: Boro")
    assert table.refused[-1][1].text.endswith("Your earlier EC: Iris still stands")


def test_every_offered_line_is_taken() -> None:
    for start in (at_vote, first_round, in_a_tie, tokens, candidates, opponent):
        state = start().state
        for slot in (None, *COURT):
            for line in KINGS_COURT.legal(state, slot):
                assert Table(state).say(slot, line) == [], line


def test_a_vote_posted_in_public_is_not_counted_but_by_option() -> None:
    table = Table(seated())
    assert table.say(None, "public Elm: VOTE: Boro") == ["PUBLIC_BALLOT"]
    assert (table.state.ballots, table.posted(PublicBallot)) == ({}, [PublicBallot(ELM)])
    other = Table(seated(public_ballots="accept"))
    assert other.say(None, "public Elm: VOTE: Boro") == []
    assert other.state.ballots == {ELM: BORO}


def test_the_reminder_counts_missing_votes_and_names_nobody_but_by_option() -> None:
    table = Table(seated(BORO))
    table.say(ELM, "VOTE: Fen")
    table.say(None, "reminder")
    (post,) = table.posted(Reminder)
    assert (post.missing, post.voters, post.names) == (9, 10, ())
    named = Table(seated(missing_votes="names"))
    named.say(None, "reminder")
    assert named.posted(Reminder)[0].names == COURT
    assert opponent().say(None, "reminder") == ["WRONG_PHASE"]


def test_a_removed_player_sends_nothing_pays_and_can_be_elected() -> None:
    table = Table(seated())
    table.say(None, "modkill Elm")
    assert table.say(ELM, "VOTE: Fen") == ["NOT_A_PLAYER"]
    assert list(KINGS_COURT.legal(table.state, ELM)) == []
    table.vote(Elm="Ada Boro Cinder Dusk Fen Hollis Iris Juniper Kestrel Lumen")
    assert (table.state.court, table.state.garnets[ELM]) == ((ELM,), 4)
    assert table.say(None, "modkill Elm") == ["WRONG_PHASE"]
    assert table.say(None, "revive Elm\nrevive Elm") == ["WRONG_PHASE"]
    assert table.say(ELM, "CHECK: Ada, Boro") == []


def test_by_option_a_removal_shows_the_role_and_deals_again() -> None:
    table = Table(seated(BORO, kc_39="role_revealed"))
    table.say(None, "modkill Iris")
    assert table.posted(Removed) == [Removed(IRIS, Role.NOBLE, again=True)]
    assert (table.state.court, table.state.attempt, table.state.deals) == ((), 1, 2)
    table.elect(LUMEN)
    assert court_view(table.state, None).court == (LUMEN,)


@pytest.mark.parametrize(
    "line", ["hello", "modkill Nobody", "public Nobody: VOTE: Elm", "coin Elm", "dmo Elm"]
)
def test_what_the_moderator_cannot_say_now_is_refused(line: str) -> None:
    table = Table(seated())
    assert len(table.say(None, line)) == 1
    assert table.state == seated()


def test_after_the_end_only_gifts_are_taken() -> None:
    table = opponent()
    table.say(IRIS, "DMO: Hollis")
    assert table.state.phase is Phase.DONE
    assert table.say(BORO, "GIVE: 1 to Elm\nDMO: Elm\nVOTE: Elm") == ["WRONG_PHASE"] * 2
