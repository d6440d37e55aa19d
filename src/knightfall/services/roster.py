"""Who holds which slot as of a post, and nicknames that the thread teaches."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabulate import tabulate

from knightfall.config.setup import Setup
from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html
from knightfall.models import Departure, Post, Slot, Thread
from knightfall.names import squash
from knightfall.services.count_request import CountRequest, ask_of, thread_asked
from knightfall.services.reading import habits_of
from knightfall.services.session import Session
from knightfall.votes.config import Ask
from knightfall.votes.count import Basis, bases, standing_on
from knightfall.votes.nicknames import Claim, ClaimBasis, DayRead, Proposal, suggestions
from knightfall.votes.posted_votecounts import PostedVotecount, posted_votecount
from knightfall.votes.tally import Moderation

SHOWN = 5
"""So many uses of a nickname are shown; the rest is counted."""
NOTHING = "The thread teaches no nickname that could safely be an alias."
COLUMNS = 80
_WIDTHS = (2, 18, 14, 14, 16, 6)

_SAID = {
    ClaimBasis.HEADING: "lists the votes on {slot} under “{text}”",
    ClaimBasis.VOTER: "lists {slot}'s vote under “{text}”",
    ClaimBasis.SHOWN: "votes “{text}”; the votecount in #{count} has it on {slot}",
    ClaimBasis.DECIDED: "votes “{text}”; you decided that it is for {slot}",
    ClaimBasis.FITS: "votes “{text}”, whose letters fit {slot} alone",
    ClaimBasis.OPEN: "votes “{text}”, which no rule can match",
}


@dataclass(frozen=True, slots=True)
class Seat:
    """A slot as of a post; `earlier` are its former holders, newest first, `left` None for the living."""

    player: str
    earlier: tuple[str, ...]
    aliases: tuple[str, ...]
    left: Departure | None
    last_post: int | None


@dataclass(frozen=True, slots=True)
class Listed:
    """The slots as of post `at`, in list order, and what was assumed."""

    at: int
    seats: tuple[Seat, ...]
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """What the thread teaches up to post `at`; `posts` by number, for the links of the evidence."""

    at: int
    proposals: tuple[Proposal, ...]
    posts: Mapping[int, Post]
    assumed: tuple[str, ...]
    game: Path | None = None


def roster(wanted: CountRequest, session: Session) -> Listed:
    """The slots as of the post that is asked for; as of a time, of the last post that counts by then. Raises
    what a count raises."""
    setup, _, thread = thread_asked(wanted, session)
    ask = ask_of(wanted, setup)
    _, basis = standing_on(thread, habits_of(thread), setup, ask)
    at = _asked(ask, thread, basis)
    last = _last_posts(thread, at)
    return Listed(at, tuple(_seat(slot, at, last) for slot in basis.roster.slots), basis.assumed)


def suggest(wanted: CountRequest, session: Session) -> Learned:
    """The nicknames that the thread teaches up to the same post. Raises what a count raises."""
    setup, _, thread = thread_asked(wanted, session)
    ask = ask_of(wanted, setup)
    found = bases(thread, habits_of(thread), setup, ask)
    proposals = suggestions(tuple(_day_read(basis, thread, setup) for basis in found))
    posts = {post.number: post for post in thread.posts}
    return Learned(_asked(ask, thread, found[-1]), proposals, posts, found[-1].assumed, session.game)


def _asked(ask: Ask, thread: Thread, basis: Basis) -> int:
    """The post as of which is told."""
    if ask.at_time is not None:
        return basis.until
    return thread.posts[-1].number if ask.at_post is None else ask.at_post


def _last_posts(thread: Thread, at: int) -> dict[str, int]:
    """Account in lower case → its last post up to that one."""
    return {post.author.casefold(): post.number for post in thread.posts if post.number <= at}


def _seat(slot: Slot, at: int, last: Mapping[str, int]) -> Seat:
    held = [holder.name for holder in slot.holders if holder.from_post <= at] or [slot.holders[0].name]
    posts = [last[name.casefold()] for name in held if name.casefold() in last]
    return Seat(
        held[-1], tuple(reversed(held[:-1])), slot.aliases, slot.gone_at(at), max(posts, default=None)
    )


def _day_read(basis: Basis, thread: Thread, setup: Setup | None) -> DayRead:
    known = setup or Setup("no game file")
    fixes = {fix.post: fix for fix in known.fixes}
    moderation = Moderation(basis.moderators, fixes, known.terms.nobody_words)
    ballots = tuple(basis.read.ballots)
    silent = DayRead(basis.day, basis.until, basis.roster, basis.rule, ballots, moderation)
    return silent.with_counts(tuple(_posted(silent, thread)))


def _posted(day: DayRead, thread: Thread) -> Iterator[PostedVotecount]:
    """The moderator's own votecounts of a day."""
    html_style = html_style_of(thread.platform)
    for post in thread.posts:
        if day.day.start <= post.number <= day.until and _moderates(post, day):
            names, nodes = day.names_at(post.number), parse_html(post.body, html_style)
            found = posted_votecount(post.number, post.author, nodes, names, post.url)
            if found is not None:
                yield found


def _moderates(post: Post, day: DayRead) -> bool:
    return not post.hidden and post.author.casefold() in day.moderation.moderators


def as_table(listed: Listed) -> str:
    """A row a slot, in at most 80 columns."""
    rows = [
        (number, s.player, ", ".join(s.earlier), ", ".join(s.aliases), _state(s), _hash(s.last_post))
        for number, s in enumerate(listed.seats, start=1)
    ]
    alive = sum(seat.left is None for seat in listed.seats)
    head = f"As of post {listed.at}: {alive} of {len(rows)} alive."
    heads = ("#", "player", "before", "aliases", "state", "last")
    table = tabulate(rows, heads, disable_numparse=True)
    if len(table.splitlines()[1]) > COLUMNS:
        table = tabulate(rows, heads, disable_numparse=True, maxcolwidths=list(_WIDTHS))
    return "\n".join([head, *(line.rstrip() for line in table.splitlines())])


def _state(seat: Seat) -> str:
    return "alive" if seat.left is None else f"{seat.left.how.value} #{seat.left.post}"


def _hash(post: int | None) -> str:
    return "" if post is None else f"#{post}"


def as_values(listed: Listed) -> dict[str, Any]:
    """The same as plain values."""
    slots = [
        {
            "number": number,
            "player": seat.player,
            "earlier": list(seat.earlier),
            "aliases": list(seat.aliases),
            "alive": seat.left is None,
            "left": {"how": seat.left.how.value, "post": seat.left.post} if seat.left else None,
            "last_post": seat.last_post,
        }
        for number, seat in enumerate(listed.seats, start=1)
    ]
    return {"at": listed.at, "slots": slots, "assumed": list(listed.assumed)}


def proposals_text(learned: Learned) -> str:
    """A paragraph a proposal: its use, its evidence with links, and the command that accepts it."""
    return "\n\n".join("\n".join(_paragraph(p, learned)) for p in learned.proposals) or NOTHING


def _paragraph(proposal: Proposal, learned: Learned) -> Iterator[str]:
    times, people = len(proposal.uses), proposal.people
    used = f"used {times} time{'s' * (times > 1)} by {people} {'people' if people > 1 else 'person'}"
    yield f"{proposal.slot.name}: “{proposal.alias}”, {used}; {proposal.strength.value}."
    telling = sorted(proposal.uses, key=lambda use: list(ClaimBasis).index(use.because))
    for use in telling[:SHOWN]:
        yield f"  #{use.post} {use.author} {_said(use, proposal)}."
        yield from (f"    {url}" for url in _links(use, learned.posts))
    if times > SHOWN:
        yield f"  … and {times - SHOWN} more: --json lists them all."
    if any(squash(post.author) == squash(proposal.alias) for post in learned.posts.values()):
        yield "  An account of this name posts here: if it held the slot, list it under replaces instead."
    yield f"Accept it: {command(proposal, learned.game)}"


def _said(use: Claim, proposal: Proposal) -> str:
    return _SAID[use.because].format(slot=proposal.slot.name, text=use.text, count=use.count)


def _links(use: Claim, posts: Mapping[int, Post]) -> tuple[str, ...]:
    """Of the use, and of the count that shows it."""
    numbers = dict.fromkeys(number for number in (use.post, use.count) if number is not None)
    return tuple(url for number in numbers if (url := posts[number].url))


def command(proposal: Proposal, game: Path | None) -> str:
    """What to type to accept it; names of players may hold anything, so they are quoted for the shell."""
    words = ["knightfall alias", shlex.quote(proposal.slot.name), f'"{proposal.alias}"']
    words += [f'--why "{_why(proposal)}"'] + ([f"--game {shlex.quote(str(game))}"] if game else [])
    return " ".join(words)


def _why(proposal: Proposal) -> str:
    counts = [use.count for use in proposal.uses if use.count is not None]
    decided = [use.post for use in proposal.uses if use.because is ClaimBasis.DECIDED]
    if counts:
        return f"the votecount in post {counts[0]} has it so"
    return f"decided on post {decided[0]}" if decided else f"{proposal.people} people vote so"


def proposals_values(learned: Learned) -> dict[str, Any]:
    """The same as plain values."""
    proposals = [
        {
            "slot": proposal.slot.name,
            "alias": proposal.alias,
            "strength": proposal.strength.value,
            "times": len(proposal.uses),
            "people": proposal.people,
            "evidence": [_use_values(use, learned.posts) for use in proposal.uses],
            "accept": command(proposal, learned.game),
        }
        for proposal in learned.proposals
    ]
    return {"at": learned.at, "proposals": proposals, "assumed": list(learned.assumed)}


def _use_values(use: Claim, posts: Mapping[int, Post]) -> dict[str, Any]:
    return {
        "post": use.post,
        "author": use.author,
        "text": use.text,
        "because": use.because.value,
        "votecount": use.count,
        "links": list(_links(use, posts)),
    }
