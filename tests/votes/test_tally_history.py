"""The history of a tally: what came to stand and ceased to, in order."""

from __future__ import annotations

from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.votes.ballots import Action, Ballot, Form, PostBallots, Region
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, tally

ROSTER = Roster(
    (
        *(Slot((Holder(name),)) for name in ("Ada", "Boro", "Cinder", "Fen")),
        Slot((Holder("Kestrel"),), left=Departure(DepartureKind.KILLED, 9)),
    )
)


def cast(number: int, author: str, target: str | None) -> PostBallots:
    action = Action.UNVOTE if target is None else Action.VOTE
    ballot = Ballot(action, target or "", Form.BOLD, f"vote: {target}", Region.LIVE)
    return PostBallots(number, author, (ballot,))


def test_moves_unvotes_and_deaths_are_told_in_order() -> None:
    posts = [
        cast(1, "Ada", "Kestrel"),
        cast(2, "Boro", "Fen"),
        cast(3, "Boro", "Kestrel"),
        cast(4, "Ada", None),
        cast(5, "Cinder", "Fen"),
        cast(6, "Cinder", "Fen"),
    ]
    found = tally(posts, ROSTER, Rule(), Day(), 10)
    told = [
        (move.post, move.vote.voter.name, move.vote.target and move.vote.target.name, move.joined)
        for move in found.history
    ]
    assert told == [
        (1, "Ada", "Kestrel", True),
        (2, "Boro", "Fen", True),
        (3, "Boro", "Fen", False),
        (3, "Boro", "Kestrel", True),
        (4, "Ada", "Kestrel", False),
        (5, "Cinder", "Fen", True),
        (9, "Boro", "Kestrel", False),
    ]
