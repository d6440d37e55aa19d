"""What looks like a vote and is none, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Roster
from knightfall.votes.ballots import Action, Ballot, Cast, Form, Forms, Region
from knightfall.votes.tally import Uncounted, Why
from knightfall.votes.vote_parser import EVERY_FORM, cast_of, casts_of, read_body, read_both


@dataclass(frozen=True, slots=True)
class Examined:
    """The casts of some posts in their order, and what only looks like a vote in them."""

    casts: list[Cast] = field(default_factory=list)
    misses: list[Uncounted] = field(default_factory=list)

    def concerning(self, roster: Roster, moderators: Set[str]) -> tuple[Uncounted, ...]:
        """The misses of players and moderators; what others write is no news."""
        return tuple(
            miss
            for miss in self.misses
            if miss.voter.casefold() in moderators or roster.slot_of(miss.voter) is not None
        )


def examine(
    posts: Iterable[Post],
    html_style: HtmlStyle,
    forms: Forms,
    moderators: Set[str],
    decided: Set[int] = frozenset(),
    any_form: Set[int] = frozenset(),
) -> Examined:
    """Reads posts for votes and near misses at once. Posts numbered in `decided`, on which the moderator
    has ruled, make a cast whatever they hold; those of `any_form` are read in every form."""
    found = Examined()
    for post in posts:
        if post.author.casefold() in moderators:
            found.misses.extend(_missed(post, read_body(post.body, html_style, forms), Why.MODERATOR_POST))
            continue
        if post.hidden:
            found.misses.extend(_missed(post, read_body(post.body, html_style, forms), Why.VOID))
            continue
        accepted = EVERY_FORM if post.number in any_form else forms
        ballots, misses = read_both(post.body, html_style, accepted)
        if ballots or post.number in decided:
            found.casts.append(cast_of(post, ballots))
        found.misses.extend(_missed(post, misses))
    return found


def only_casts(
    posts: Iterable[Post],
    html_style: HtmlStyle,
    forms: Forms,
    moderators: Set[str],
    decided: Set[int] = frozenset(),
    any_form: Set[int] = frozenset(),
) -> Examined:
    """The same for who needs no near misses, which takes less than half the time."""
    return Examined(list(casts_of(posts, html_style, forms, moderators, decided, any_form)))


def _missed(post: Post, ballots: Iterable[Ballot], why: Why | None = None) -> Iterator[Uncounted]:
    for ballot in ballots:
        if ballot.text or ballot.action is Action.UNVOTE:
            yield Uncounted(post.number, post.author, ballot.line, why or _why(ballot), post.url)


def _why(ballot: Ballot) -> Why:
    if ballot.region is not Region.LIVE:
        return Why(ballot.region.value)
    return Why.NOT_BOLD if ballot.form is Form.OWN_LINE else Why.VOID
