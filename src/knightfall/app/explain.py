"""Why does a count stand as it does: each vote of a wagon, or all that was read in one post?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tabulate import tabulate

from knightfall.app.read import Ports, Progress
from knightfall.app.vc import REASONS, Wanted, counted, vote_excerpt
from knightfall.errors import InputError
from knightfall.posts import Post
from knightfall.votes.letters import squash
from knightfall.votes.standing import Vote, Wagon
from knightfall.writeups.facts import Votecount

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
    """The explanation of a post (a number, with or without #), or of the wagon on a player.

    Raises InputError where neither is there, and what counting raises.
    """
    number = what.lstrip("#")
    if not number.isdigit():
        return _wagon(counted(wanted, ports, progress).count, what)
    done = counted(replace(wanted, at=wanted.at or number), ports, progress)
    return "\n".join(_post(done.count, int(number)))


def _wagon(count: Votecount, name: str) -> str:
    found = [wagon for wagon in count.tally.wagons if squash(name) in _names(count, wagon)]
    if not found:
        on = ", ".join(_target(count, wagon) for wagon in count.tally.wagons) or "nobody"
        raise InputError(f"Nobody votes for “{name}” as of post {count.tally.at}. There are votes on {on}.")
    wagon = found[0]
    rows = [
        (f"#{v.post}", v.voter.name, RULES.get(v.rule, v.rule), vote_excerpt(v.text, 34)) for v in wagon.votes
    ]
    head = f"{_target(count, wagon)}: {wagon.count} of {wagon.needed} as of post {count.tally.at}"
    table = tabulate(rows, ("post", "voter", "name matched by", "written"), disable_numparse=True)
    return "\n".join([head, table, *_links(wagon)])


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
    return f"Counts for {target}{weight}: “{vote.text}”, matched by {RULES.get(vote.rule, vote.rule)}."
