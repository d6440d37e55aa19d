"""One day that has every feature of a votecount post, and one that is too long for a post."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from knightfall.models import Holder, Post, PostId, Roster, Slot, roster_of
from knightfall.votes.ballots import PostBallots
from knightfall.votes.remarks import Remarks
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Doubt, Fix, Moderation, changes_since, tally
from knightfall.votes.votecount import Terms, Votecount

NASTY = (
    "[b]ob",
    "x[/area]",
    "@everyone",
    "__Ada__",
    "Mr_T",
    "a|b",
    "日本太郎",
    "<script>",
    "{{ 7*7 }}",
    "עמית",
    "\u202eLumen",
    "Ze\u200bro",
    "1. Elm",
)
ROOK = Slot((Holder("Pike"), Holder("Rook", 40)))
DOUBLE = Slot((Holder("Dusk_77"),), weight=2)
BONUS = Slot((Holder("Fen"),), bonus=1, needed_delta=1)
OPEN = Rule(show_weights=True, fixed_needed=6)
MOVES = (
    (4, "[b]ob", "Fen"),
    (6, "x[/area]", "Fen"),
    (9, "Pike", "__Ada__"),
    (12, "@everyone", "<script>"),
    (15, "Dusk_77", "a|b"),
    (17, "__Ada__", "Fen"),
    (20, "@everyone", "Fen"),
    (23, "{{ 7*7 }}", "日本太郎"),
    (26, "Dusk_77", "{{ 7*7 }}"),
    (31, "a|b", "Fen"),
    (33, "Mr_T", "{{ 7*7 }}"),
    (38, "a|b", "x[/area]"),
    (41, "日本太郎", ""),
    (44, "עמית", "@everyone"),
    (46, "<script>", "עמית"),
    (52, "Ze\u200bro", "\u202eLumen"),
    (60, "Fen", "1. Elm"),
)
DEADLINE = datetime(2026, 11, 26, 1, tzinfo=UTC)


def golden_day(names: Sequence[str] = NASTY) -> Votecount:
    """The day; with other names in the places of the nasty ones the same day."""
    called = dict(zip(NASTY, names, strict=True))
    moves = tuple((post, called.get(voter, voter), called.get(to, to)) for post, voter, to in MOVES)
    slots = (ROOK, DOUBLE, BONUS, *roster_of(names).slots)
    count = _count(Roster(slots), moves, OPEN)
    doubt = Doubt(70, "Fen", "vote: mo", ("Mr_T", names[0]))
    notes = ("Rook replaces Pike as of post 40.", f"{names[2]} is away until Friday; see {names[0]}.")
    remarks = Remarks(questions=(doubt,), notes=notes)
    changes = changes_since(count.tally.history, 40)
    return replace(count, remarks=remarks, number=3, changes=changes, due=(names[4], names[0]))


def long_day(players: int = 150) -> Votecount:
    """A day of many players, all of whom vote: longer than a post may be on most sites."""
    names = tuple(f"Player {number}" for number in range(1, players + 1))
    moves = tuple((n + 1, name, names[n % 7]) for n, name in enumerate(names, 1))
    return _count(roster_of(names), moves, Rule(fixed_needed=players))


def _count(roster: Roster, moves: tuple[tuple[int, str, str], ...], rule: Rule) -> Votecount:
    day = Day(1, 1, None, DEADLINE)
    ballots = [PostBallots(post, voter, ()) for post, voter, _ in moves]
    fixes = {post: Fix(post, to=target) for post, _, target in moves}
    return Votecount(
        title="Salt Harbour",
        day=day,
        tally=tally(ballots, roster, rule, day, max(84, moves[-1][0]), Moderation(fixes=fixes)),
        rule=rule,
        posts={post: _post(post, voter) for post, voter, _ in moves},
        terms=Terms(),
        zone=ZoneInfo("America/New_York"),
    )


def _post(number: int, author: str) -> Post:
    post = 1_270_000 + number
    url = f"https://forum.example/viewtopic.php?p={post}#p{post}"
    return Post(PostId(str(post)), number, author, "", url=url)
