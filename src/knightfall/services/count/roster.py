"""Who holds which slot as of a post, and nicknames that the thread teaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knightfall.engine.json_text import JsonAnswer
from knightfall.models import Departure, DepartureKind, Post, Thread
from knightfall.sentence import Way, sentence
from knightfall.services.count.day_answers import config_of
from knightfall.services.count.request import ask_of, thread_asked
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask
from knightfall.votes.count import Basis, bases, standing_on
from knightfall.votes.nicknames import Claim, ClaimBasis, Proposal, suggestions


@dataclass(frozen=True, slots=True, repr=False)
class ListedSlot(JsonAnswer):
    """A slot as of a post; `earlier` are its former holders, newest first, `left` None for the living."""

    player: str
    earlier: tuple[str, ...]
    aliases: tuple[str, ...]
    left: Departure | None
    last_post: int | None


@dataclass(frozen=True, slots=True, repr=False)
class SlotList(JsonAnswer):
    """The slots as of post `at`, in list order, and what was assumed."""

    at: int
    slots: tuple[ListedSlot, ...]
    assumed: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """{at, slots: [{number, player, earlier, aliases, alive, left: {how, post} or None, last_post}],
        assumed}."""
        slots = [
            {
                "number": number,
                "player": slot.player,
                "earlier": list(slot.earlier),
                "aliases": list(slot.aliases),
                "alive": slot.left is None,
                "left": {"how": slot.left.how.value, "post": slot.left.post} if slot.left else None,
                "last_post": slot.last_post,
            }
            for number, slot in enumerate(self.slots, start=1)
        ]
        return {"at": self.at, "slots": slots, "assumed": list(self.assumed)}


@dataclass(frozen=True, slots=True, repr=False)
class NicknameSuggestions(JsonAnswer):
    """What the thread teaches up to post `at`; `posts` by number, for the links of the evidence; `game` is
    the game as it was named, for the commands."""

    at: int
    proposals: tuple[Proposal, ...]
    posts: Mapping[int, Post]
    assumed: tuple[str, ...]
    game: Path | None = None

    def links(self, use: Claim) -> tuple[str, ...]:
        """The addresses of the use, and of the count that shows it."""
        numbers = dict.fromkeys(number for number in (use.post, use.count) if number is not None)
        return tuple(url for number in numbers if (url := self.posts[number].url))

    def accept(self, proposal: Proposal) -> Way:
        """How to accept it."""
        counts = [use.count for use in proposal.uses if use.count is not None]
        decided = [use.post for use in proposal.uses if use.because is ClaimBasis.DECIDED]
        if counts:
            why = f"the votecount in post {counts[0]} counts it so"
        elif decided:
            why = f"decided on post {decided[0]}"
        else:
            why = f"{proposal.people} people vote so"
        slot, alias, game = proposal.slot.name, proposal.alias, self.game or ""
        return Way("add_alias", slot=slot, alias=alias, why=why, game=str(game))

    def to_dict(self) -> dict[str, Any]:
        """{at, proposals: [{slot, alias, strength, times, people, evidence: [{post, author, text, because,
        votecount, links}], accept: how to}], assumed}."""
        proposals = [
            {
                "slot": proposal.slot.name,
                "alias": proposal.alias,
                "strength": proposal.strength.value,
                "times": len(proposal.uses),
                "people": proposal.people,
                "evidence": [
                    {
                        "post": use.post,
                        "author": use.author,
                        "text": use.text,
                        "because": use.because.value,
                        "votecount": use.count,
                        "links": list(self.links(use)),
                    }
                    for use in proposal.uses
                ],
                "accept": sentence("{accept}", accept=self.accept(proposal)),
            }
            for proposal in self.proposals
        ]
        return {"at": self.at, "proposals": proposals, "assumed": list(self.assumed)}


def roster(request: CountRequest, session: Session) -> SlotList:
    """The slots as of the post that is asked for; as of a time, of the last post that counts by then. Raises
    what a count raises."""
    setup, _, thread = thread_asked(request, session)
    ask = ask_of(request, setup, session)
    _, basis = standing_on(thread, habits_of(thread), config_of(setup, thread, session), ask)
    at = _as_of(ask, thread, basis)
    last = {post.author.casefold(): post.number for post in thread.posts if post.number <= at}
    # Whom a closing has taken since the day began is dead at once, not from the next day on.
    latest = ask.at_post is None and ask.at_time is None
    gone: dict[str, Departure] = {}
    if setup is not None and latest:
        for how, ended in ((DepartureKind.ELIMINATED, setup.fallen), (DepartureKind.KILLED, setup.slain)):
            gone |= {name: Departure(how, basis.until) for day, name in ended if day >= basis.day.number}
    slots = []
    for slot in basis.roster.slots:
        held = [one.name for one in slot.holders if one.from_post <= at] or [slot.holders[0].name]
        newest = max((last[name.casefold()] for name in held if name.casefold() in last), default=None)
        earlier = tuple(name for name in dict.fromkeys(reversed(held)) if name != held[-1])
        left = slot.gone_at(at) or next((gone[name] for name in slot.names if name in gone), None)
        slots.append(ListedSlot(held[-1], earlier, slot.aliases, left, newest))
    return SlotList(at, tuple(slots), basis.assumed)


def suggest(request: CountRequest, session: Session) -> NicknameSuggestions:
    """The nicknames that the thread teaches up to the same post. Raises what a count raises."""
    setup, _, thread = thread_asked(request, session)
    ask = ask_of(request, setup, session)
    config, habits = config_of(setup, thread, session), habits_of(thread)
    found = bases(thread, habits, config, ask)
    read = (basis.day_read() for basis in found)
    proposals = suggestions(tuple(day.with_counts_in(thread.posts, habits.html_style) for day in read))
    posts = {post.number: post for post in thread.posts}
    at = _as_of(ask, thread, found[-1])
    return NicknameSuggestions(at, proposals, posts, found[-1].assumed, session.game)


def _as_of(ask: Ask, thread: Thread, basis: Basis) -> int:
    """The post as of which is told."""
    if ask.at_time is not None:
        return basis.until
    return thread.posts[-1].number if ask.at_post is None else ask.at_post
