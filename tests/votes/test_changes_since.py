"""What changed between two counts of a day."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knightfall.models import Holder, Slot
from knightfall.votes.tally import Move, Standing, Vote, changes_since

SLOTS = {name: Slot((Holder(name),)) for name in ("Ada", "Boro", "Cinder", "Fen", "Kestrel")}


def history(*votes: tuple[int, str, str | None]) -> tuple[Move, ...]:
    """Moves of votes (post, voter, target); a target None takes the vote back."""
    standing = Standing()
    for post, voter, target in votes:
        if target is None:
            standing.withdraw(voter, post)
        else:
            standing.place(Vote(SLOTS[voter], SLOTS[target], post, "", "exact"), 1)
    return standing.moves()


def told(moves: tuple[Move, ...], post: int) -> list[tuple[str, str, str, int]]:
    def name(slots: tuple[Slot | None, ...]) -> str:
        return "+".join(slot.name if slot else "nobody" for slot in slots)

    return [(c.voter.name, name(c.before), name(c.now), c.post) for c in changes_since(moves, post)]


def test_moves_new_votes_and_unvotes_since_a_post_are_told() -> None:
    moves = history((2, "Ada", "Fen"), (3, "Boro", "Fen"), (7, "Ada", "Kestrel"), (8, "Cinder", "Fen"))
    assert told(moves, 5) == [("Ada", "Fen", "Kestrel", 7), ("Cinder", "", "Fen", 8)]
    assert told((*moves, *history((9, "Boro", None))), 8) == []
    assert told(history((2, "Ada", "Fen"), (9, "Ada", None)), 5) == [("Ada", "Fen", "", 9)]


def test_who_came_back_to_his_vote_has_not_changed() -> None:
    assert told(history((2, "Ada", "Fen"), (6, "Ada", "Kestrel"), (7, "Ada", "Fen")), 5) == []


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(SLOTS)), st.none() | st.sampled_from(sorted(SLOTS))), max_size=20
    ),
    st.integers(0, 21),
)
def test_changes_lead_from_the_count_then_to_the_count_now(
    votes: list[tuple[str, str | None]], post: int
) -> None:
    numbered = [(number, *vote) for number, vote in enumerate(votes, start=1)]
    changes = {c.voter.name: c for c in changes_since(history(*numbered), post)}
    then, now = standing_at(numbered, post), standing_at(numbered, 99)
    for name in SLOTS:
        if then.get(name) == now.get(name):
            assert name not in changes
        else:
            assert [slot and slot.name for slot in changes[name].now] == ([now[name]] if name in now else [])


def standing_at(votes: list[tuple[int, str, str | None]], post: int) -> dict[str, str]:
    stands: dict[str, str] = {}
    for number, voter, target in votes:
        if number <= post:
            stands.pop(voter, None)
            if target is not None:
                stands[voter] = target
    return stands
