"""Which account is a listed player under another name."""

from knightfall.models import roster_of
from knightfall.votes.player_list import renamed_accounts
from votes.build import ballots

LINES = "1 Ada: vote Boro\n2 Zebra: vote Ada\n3 Zebra: vote Boro"


def found(listed: str, authors: set[str], lines: str = LINES) -> list[tuple[str, str]]:
    inferred = renamed_accounts(roster_of(listed.split()), authors, ballots(lines), frozenset({"Wren"}))
    return [(one.slot.name, one.author) for one in inferred]


def test_one_silent_name_and_one_voting_stranger_are_the_same_slot() -> None:
    assert found("Ada Boro Pike", {"Ada", "Boro", "Zebra", "Wren"}) == [("Pike", "Zebra")]


def test_a_stranger_who_votes_once_is_nobody() -> None:
    assert found("Ada Boro Pike", {"Ada", "Boro", "Zebra"}, "2 Zebra: vote Ada") == []


def test_of_two_silent_names_only_a_near_one_is_taken() -> None:
    assert found("Ada Boro Pike Zebrra", {"Ada", "Boro", "Zebra"}) == [("Zebrra", "Zebra")]
    assert found("Ada Boro Pike Rook", {"Ada", "Boro", "Zebra"}) == []


def test_the_slot_answers_to_both_names_afterwards() -> None:
    roster = roster_of(["Ada", "Pike"])
    [inferred] = renamed_accounts(roster, {"Ada", "Zebra"}, ballots(LINES), frozenset())
    slot = inferred.applied(roster).slot_of("Zebra")
    assert slot is not None
    assert slot.name == "Pike"
