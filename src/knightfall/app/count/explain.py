"""Why does a count stand as it does: each vote of a wagon, or all that was read in one post?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tabulate import tabulate

from knightfall.app.count.beside import REASONS, short, vote_excerpt
from knightfall.app.count.explain_values import Kept, post_values, wagon_values
from knightfall.app.count.vc import Counted, Wanted, counted
from knightfall.app.plain_values import as_object
from knightfall.app.ports import Ports, Progress
from knightfall.app.reading import read
from knightfall.app.reading.evidence import versions_of
from knightfall.errors import InputError
from knightfall.posts import Post
from knightfall.votes.letters import squash
from knightfall.votes.standing import Vote, Wagon
from knightfall.votes.votecount import Votecount

RULES = {
    "exact": "the name as listed",
    "alias": "an alias of yours",
    "look_alike": "letters that look alike",
    "prefix": "beginning or word of the name",
    "initials": "initials",
    "name_at_start": "begins with the name",
    "inside": "part of the name",
    "word_starts": "beginnings of its words",
    "edit_distance": "few letters wrong",
    "repeats": "letters drawn out",
    "abbreviated": "letters in order",
    "shuffled": "letters shuffled",
    "affix": "a word glued to the name",
    "name_contained": "the name among other words",
    "first_words": "its first word",
    "shared_word": "a word that it alone has",
    "no_elimination": "words for nobody",
    "moderator": "your decision",
}
"""The rules of `votes.tiers`, in words that fit a table."""


def explain(what: str, wanted: Wanted, ports: Ports, progress: Progress | None = None) -> str:
    """The explanation of a post (a number, with or without #), or of the wagon on a player; where `wanted`
    says so as JSON: {schema, about} and what `wagon_values` or `post_values` tell.

    Raises InputError where neither is there, and what counting raises.
    """
    number = what.lstrip("#")
    if not is_post(what):
        return _of_wagon(what, counted(wanted, ports, progress), wanted.as_json, ports)
    done = counted(replace(wanted, at=wanted.at or number), ports, progress)
    kept = _kept_by(done, ports)
    if wanted.as_json:
        return as_object({"about": what, **post_values(done.count, int(number), kept)})
    return "\n".join((*_post(done.count, int(number)), *_version_lines(int(number), kept)))


def _of_wagon(what: str, done: Counted, as_json: bool, ports: Ports) -> str:
    wagon, kept = _meant(done.count, what), _kept_by(done, ports)
    if as_json:
        return as_object({"about": what, **wagon_values(done.count, wagon, kept)})
    return "\n".join(_wagon(done.count, wagon, kept))


def is_post(what: str) -> bool:
    """Whether a post is meant, with or without #, and not a player."""
    return what.lstrip("#").isdigit()


def explanation(what: str, count: Votecount) -> str:
    """Why a count stands as it does: all that was read in a post (a number, with or without #), or the votes
    of the wagon on a player. Raises InputError where there is no such post up to the last one counted, and
    where nobody votes for that player."""
    if not is_post(what):
        return "\n".join(_wagon(count, _meant(count, what), lambda _: ()))
    number = int(what.lstrip("#"))
    if number not in count.posts or number > count.tally.at:
        raise InputError(f"Post {number} is not among those that were counted, up to post {count.tally.at}.")
    return "\n".join(_post(count, number))


def _kept_by(done: Counted, ports: Ports) -> Kept:
    """From the evidence; saved pages and lines of posts have no history."""
    if done.thread.url is None or not isinstance(done.source, (read.Link, read.Kept)):
        return lambda _: ()
    return partial(versions_of, done.thread.url, ports=ports)


def _version_lines(post: int, kept: Kept) -> Iterator[str]:
    """Only where there is more than one: which of them was counted, and how to see the others."""
    versions = kept(post)
    if len(versions) > 1:
        newest = versions[-1]
        yield (
            f"#{post} was seen in {len(versions)} versions; version {newest.number} is read here, first seen "
            f"{newest.first_seen:%Y-%m-%d %H:%M:%S} UTC: knightfall evidence {post}"
        )


def _meant(count: Votecount, name: str) -> Wagon:
    """The wagon on whoever has that name. Raises InputError."""
    for wagon in count.tally.wagons:
        if squash(name) in _names(count, wagon):
            return wagon
    on = ", ".join(_target(count, wagon) for wagon in count.tally.wagons) or "nobody"
    raise InputError(f"Nobody votes for “{name}” as of post {count.tally.at}. There are votes on {on}.")


def _wagon(count: Votecount, wagon: Wagon, kept: Kept) -> Iterator[str]:
    """Each vote with post, time, rule and words; then the links and what was edited."""
    yield f"{_target(count, wagon)}: {wagon.count} of {wagon.needed} as of post {count.tally.at}"
    heads = ("post", "voter", "time", "name matched by", "written")
    yield tabulate([_row(vote) for vote in wagon.votes], heads, disable_numparse=True)
    yield from _links(wagon)
    for vote in wagon.votes:
        yield from _version_lines(vote.post, kept)


def _row(vote: Vote) -> tuple[str, ...]:
    """A vote in a table of 80 columns."""
    when = f"{vote.time:%d %b %H:%M}" if vote.time else "unknown"
    return f"#{vote.post}", short(vote.voter.name, 14), when, matched_by(vote), vote_excerpt(vote.text, 18)


def matched_by(vote: Vote) -> str:
    """How the name was matched, in words; with the score where letters were wrong."""
    words = RULES.get(vote.rule, vote.rule)
    return words if vote.score >= 1 else f"{words} ({vote.score:.2f})"


def _names(count: Votecount, wagon: Wagon) -> set[str]:
    return {
        squash(name) for name in (wagon.target.names if wagon.target else (count.terms.no_elimination, "nl"))
    }


def _target(count: Votecount, wagon: Wagon) -> str:
    return wagon.target.name if wagon.target else count.terms.no_elimination


def _links(wagon: Wagon) -> Iterator[str]:
    yield from (f"#{vote.post}: {vote.url}" for vote in wagon.votes if vote.url)


def _post(count: Votecount, number: int) -> Iterator[str]:
    post = count.posts[number]
    yield _headline(post)
    votes = [vote for wagon in count.tally.wagons for vote in wagon.votes if vote.post == number]
    yield from (_counts(count, vote) for vote in votes)
    for missed in count.tally.not_counted:
        if missed.post == number:
            yield f"Not counted, {REASONS[missed.why]}: “{missed.text}”."
    for doubt in count.tally.questions:
        if doubt.post == number:
            near = " or ".join(doubt.candidates) or "nobody"
            yield f"A question to you: “{doubt.text}” is near {near}."


def _headline(post: Post) -> str:
    when = post.time.isoformat().replace("+00:00", "Z") if post.time else "at an unknown time"
    about = " (approximate)" if post.approximate and post.time else ""
    edited = f" Edited: {post.edit_note}." if post.edit_note else ""
    return f"#{post.number} by {post.author}, {when}{about}. {post.url or ''}{edited}".rstrip()


def _counts(count: Votecount, vote: Vote) -> str:
    target = vote.target.name if vote.target else count.terms.no_elimination
    weight = f", with weight {vote.weight}" if vote.weight != 1 else ""
    return f"Counts for {target}{weight}: “{vote.text}”, matched by {matched_by(vote)}."
