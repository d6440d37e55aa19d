"""What is there to be told of a look at the game: a hammer, a wagon before it, a question, an altered vote?

Each has a key under which it is told but once; what is known already is left out elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from knightfall.app.watch.altered import altered_vote
from knightfall.app.watch.asking import questions
from knightfall.core.notices import Notice
from knightfall.core.roster import Slot
from knightfall.core.terminal import safe
from knightfall.forums import flavour_of
from knightfall.posts import PostChange, Thread
from knightfall.setups.setup import Setup
from knightfall.votes.ballots import Forms
from knightfall.votes.standing import Wagon
from knightfall.votes.votecount import Votecount

EXCERPT = 160
"""So many letters of a question are told."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One thread as it was just seen: `changes` with their numbers, `since` the last post that is no news
    because the moderator posted it, or behind it, before watching began; `count` where votes stand there."""

    thread: Thread
    changes: tuple[tuple[int, PostChange], ...]
    since: int
    count: Votecount | None = None


def news(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    """Everything worth telling in it, whether it was told or not."""
    if sight.count is not None:
        yield from _of_count(sight.count, now)
    yield from _changed(sight, setup, now)
    yield from _asked(sight, setup, now)


def to_hammer(count: Votecount | None) -> int | None:
    """Votes that miss to a hammer: 0 after it, None where no day ends by one or nobody is voted for."""
    if count is None or not count.rule.hammers(count.day.number):
        return None
    if count.tally.hammer is not None:
        return 0
    return min((wagon.needed - wagon.count for wagon in count.tally.wagons), default=None)


def _of_count(count: Votecount, now: datetime) -> Iterator[Notice]:
    missing = to_hammer(count)
    if missing == 0:
        yield _hammer(count, now)
    elif missing == 1 and not count.final:
        yield from (
            _next(count, wagon, now) for wagon in count.tally.wagons if wagon.needed - wagon.count == 1
        )


def _hammer(count: Votecount, now: datetime) -> Notice:
    hammer = count.tally.hammer
    assert hammer is not None
    target = _name(hammer.target, count)
    size = next((_size(one) for one in count.tally.wagons if one.target == hammer.target), "")
    who = f"{hammer.voter.name} → {target}" if hammer.voter else f"{target}, by a death"
    key = f"hammer {count.day.number} {hammer.post} {target}"
    words = f"HAMMER #{hammer.post} {who}{f' ({size})' if size else ''}."
    lock = " Lock the thread, then: knightfall phase close"
    return Notice(key, now, plain(words + lock), plain(words), urgent=True)


def _next(count: Votecount, wagon: Wagon, now: datetime) -> Notice:
    target = _name(wagon.target, count)
    words = f"{target} {_size(wagon)}, {count.terms.closeness}-1: THE HAMMER IS NEXT (#{wagon.since})."
    return Notice(f"near {count.day.number} {wagon.since} {target}", now, plain(words), plain(words))


def _changed(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    flavour, forms = flavour_of(sight.thread.platform), _forms(sight, setup)
    for number, change in sight.changes:
        said = altered_vote(change, flavour, forms, setup.moderators)
        if said is not None:
            show = f" knightfall evidence {change.post.number} shows both."
            yield Notice(f"change {number}", now, plain(said + show), plain(said))


def _asked(sight: Sight, setup: Setup, now: datetime) -> Iterator[Notice]:
    fresh = (post for post in sight.thread.posts if post.number > sight.since)
    moderators = moderators_of(setup, sight.thread)
    for asked in questions(fresh, flavour_of(sight.thread.platform), moderators, _forms(sight, setup)):
        post, text = asked.post, plain(asked.text)
        short = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
        words = f"#{post.number} {plain(post.author)} asks you: “{short}”"
        link = f" {post.url}" if post.url else ""
        yield Notice(f"question {sight.thread.url} {post.id}", now, words + link, words + link)


def _forms(sight: Sight, setup: Setup) -> Forms:
    return sight.count.rule.forms if sight.count else setup.rule.forms


def moderators_of(setup: Setup, thread: Thread) -> tuple[str, ...]:
    """Whom the file names, else who wrote the opening post."""
    return setup.moderators or tuple(post.author for post in thread.posts[:1])


def answered_to(thread: Thread, moderators: Iterable[str]) -> int:
    """The moderator's last post: what was asked before it is no news to him; -1 where he never posted."""
    names = {name.casefold() for name in moderators}
    return max((post.number for post in thread.posts if post.author.casefold() in names), default=-1)


def plain(text: str) -> str:
    """On one line, without what plays tricks on a terminal."""
    return " ".join(safe(text).split())


def _size(wagon: Wagon) -> str:
    return f"{wagon.count}/{wagon.needed}"


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination
