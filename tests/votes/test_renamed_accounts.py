"""Which account is a listed player under another name."""

from knightfall.models import Holder, Roster, Slot, roster_of
from knightfall.votes.player_list import renamed_accounts
from votes.build import ballots, count, wagons

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


def test_case_makes_no_name_another() -> None:
    assert found("ada Boro Pike", {"Ada", "Boro", "Zebra", "WREN"}) == [("Pike", "Zebra")]


def test_who_is_left_over_after_the_near_names_is_taken() -> None:
    lines = "2 Zebra: vote Ada\n3 Zebra: vote Boro\n4 Rook: vote Ada\n5 Rook: vote Boro"
    assert found("Ada Boro Pike Zebrra", {"Ada", "Boro", "Zebra", "Rook"}, lines) == [
        ("Zebrra", "Zebra"),
        ("Pike", "Rook"),
    ]


def test_a_holder_who_never_posts_is_the_stranger_though_others_of_the_slot_post() -> None:
    slot = Slot((Holder("Pike"), Holder("Rook", 10)))
    roster = Roster((*roster_of(["Ada", "Boro"]).slots, slot))
    lines = "2 Pike: vote Ada\n12 Zebra: vote Ada\n13 Zebra: vote Boro\n14 Pike: vote Ada"
    [inferred] = renamed_accounts(roster, {"Ada", "Boro", "Pike", "Zebra"}, ballots(lines), frozenset())
    assert (inferred.slot.name, inferred.author, inferred.listed) == ("Rook", "Zebra", "Rook")
    held = inferred.applied(roster)
    assert [holder.name for holder in held.slots[2].holders] == ["Pike", "Zebra", "Rook"]
    assert wagons(count(lines, held)) == {"Boro": "Rook"}


def test_the_slot_answers_to_both_names_afterwards() -> None:
    roster = roster_of(["Ada", "Pike"])
    [inferred] = renamed_accounts(roster, {"Ada", "Zebra"}, ballots(LINES), frozenset())
    slot = inferred.applied(roster).slot_of("Zebra")
    assert slot is not None
    assert slot.name == "Pike"
