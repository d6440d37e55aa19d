"""What a user's typed program looks like: every name of the public API once, checked by mypy --strict."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import knightfall as kf


def counted(pages: list[Path]) -> tuple[str, ...]:
    thread: kf.Thread = kf.read_html(pages)
    count: kf.Count = kf.count(thread, as_of=datetime(2026, 3, 1, tzinfo=UTC), config="game.toml")
    for wagon in count.wagons:
        votes: tuple[kf.Vote, ...] = wagon.votes
        print(wagon.target.name if wagon.target else "nobody", wagon.count, wagon.needed, len(votes))
    hammer: kf.Hammer | None = count.hammer
    questions: tuple[kf.Doubt, ...] = count.questions
    uncounted: tuple[kf.Uncounted, ...] = count.uncounted
    print(count.to_text("mafiascum"), count.as_of, count.to_dict()["alive"])
    print([vote.score for vote in count.explain("Ada").votes], count.explain(84).to_dict())
    print(hammer, questions, [missed.why for missed in uncounted])
    return count.not_voting


def table(rows: list[tuple[str, str, datetime | None]]) -> list[dict[str, object]]:
    thread = kf.Thread.from_posts(rows)
    points: tuple[kf.Standings, ...] = kf.series(thread, moderators=["Wren"], replaced={"Elm": "Ada"})
    count = kf.count(thread, day=1, needed=4, moderators=["Wren"])
    return [*(row for point in points for row in point.rows()), *count.rows()]


def chatted(thread: kf.Thread) -> tuple[str, ...]:
    game = kf.Game.open("court", thread=thread)
    return game.choices("Ada").lines


def threads() -> list[kf.Thread]:
    ours = kf.Thread.from_posts([("Ada", "[b]VOTE: Boro[/b]")], title="Salt Harbour")
    post: kf.Post = ours.posts[0]
    print(post.author)
    return [kf.read("https://forum.example/viewtopic.php?t=1", stored=True), kf.read_jsonl("day.jsonl"), ours]


def decided(roles: Mapping[str, str]) -> str:
    night: kf.Night = kf.resolve(
        "knight_errant", 2, roles, {"Elm": "kill Ada", "Ada": ["heal Boro"]}, shots={"Elm": {"watch": 1}}
    )
    changes: tuple[kf.Change, ...] = night.whatif("remove Ada:heal")
    steps: tuple[kf.Step, ...] = night.why("Ada")
    told: tuple[str, ...] = night.results["Ada"]
    print(night.deaths, night.posts, night.pms.get("Ada"), told, [line.code for line in night.refused])
    return "\n".join([*(change.text for change in changes), *(step.text for step in steps)])


def played(players: list[str]) -> kf.Closing:
    game = kf.Game.create("kings_court", players, folder="court", options={}, title="Salt Court")
    receipt: kf.Receipt = game.submit("Ada", "VOTE: Boro")
    for line in receipt.refused:
        print(line.line, line.code, line.sentence)
    missing: tuple[kf.PendingWindow, ...] = kf.Game.open("court").missing()
    due: tuple[kf.Due, ...] = game.due()
    print([(one.what, one.why, one.since, one.until, one.urgency.value) for one in due])
    print(receipt.accepted, [one.absent for one in missing], kf.__version__.upper())
    try:
        return game.close()
    except kf.errors.DecisionNeeded as needed:
        raise SystemExit(needed.exit_status) from needed


def balanced() -> float:
    found: kf.Balance = kf.balance("setup.toml", games=1000, policy="suspicion:noise=3", within=0.01)
    share: kf.Share = found.sides["town"]
    print(share.low, share.high, found.to_dict()["length"], [one.role for one in found.roles])
    return share.share


def reviewed() -> list[str]:
    found: kf.Review = kf.review("setup.toml", strict="normal", games=1000)
    print(found.band["town"], found.swing, [(one.role, one.worth.share) for one in found.worth])
    return [one.text for one in found.remarks]


def run_by_a_bot(game: kf.Game) -> list[str]:
    """A moderator's evening: what the command line asks, with typed answers."""
    status = game.status()
    count: kf.Count = game.count(as_of=datetime(2026, 3, 1, tzinfo=UTC), stored=True)
    fixed = game.fix(12, to="Ada", why="she meant it")
    look = game.look_at_day(stored=True)
    closed = game.close_day(next(iter(look.choices)), stored=True, next_ends="48h")
    draft = game.post("dawn", dialect="mafiascum", posted=True)
    sent: list[str] = []
    while (pm := game.next_pm("result")) is not None:
        sent.append(pm.pm.holder)
        game.mark_pms("sent", [pm.pm.holder])
    print(
        status.alive, count.hammer, fixed.number, closed.eliminated, draft.text, game.undo(why="wrong").void
    )
    return sent


class Board(kf.HtmlForum):
    """Who adds a forum, a dialect or a game names its base."""


def bases(forum: kf.Forum, dialect: kf.Dialect) -> tuple[str, str]:
    return forum.name, dialect.write(kf.parse_bbcode("[b]Ada[/b]"))
