"""Which changes of posts touch a vote, and what do they do to it?"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.app.reading.evidence import change_line
from knightfall.markup.flavour import Flavour
from knightfall.posts import Became, Post, PostChange
from knightfall.votes.ballots import Action, Ballot, Forms
from knightfall.votes.letters import squash
from knightfall.votes.reading import read_body

NONE = "no vote"


def altered_vote(change: PostChange, flavour: Flavour, forms: Forms, moderators: Iterable[str]) -> str | None:
    """A sentence or two on a change that touches a vote; None for one that does not, and for posts of the
    moderators."""
    if change.post.author.casefold() in {name.casefold() for name in moderators}:
        return None
    before, now = _before_and_now(change, flavour, forms)
    if _meant(before) == _meant(now):
        return None
    return f"{change_line(change)} Its vote: {_shown(before)} → {_shown(now)}{_unmarked(change)}."


def _before_and_now(
    change: PostChange, flavour: Flavour, forms: Forms
) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    now = _ballots(change.post, flavour, forms)
    if change.became is Became.VANISHED:
        return now, ()
    if change.became is Became.RETURNED:
        return (), now
    return (_ballots(change.before, flavour, forms) if change.before else now), now


def _ballots(post: Post, flavour: Flavour, forms: Forms) -> tuple[Ballot, ...]:
    return () if post.hidden else read_body(post.body, flavour, forms)


def _meant(ballots: tuple[Ballot, ...]) -> tuple[tuple[Action, str], ...]:
    return tuple((ballot.action, squash(ballot.text)) for ballot in ballots)


def _shown(ballots: tuple[Ballot, ...]) -> str:
    return ", ".join(f"“{_words(ballot)}”" for ballot in ballots) or NONE


def _words(ballot: Ballot) -> str:
    return ballot.text or ballot.action.value


def _unmarked(change: PostChange) -> str:
    """An edit that leaves no trace on the page is what only our evidence can show."""
    edited = change.became is Became.CHANGED and not change.post.hidden
    return ", without an edit mark" if edited and not change.post.edited and not change.post.edit_note else ""
