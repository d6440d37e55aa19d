"""What do the shared posts need to say? A count as facts for a template, and as the JSON of game-file.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any
from zoneinfo import ZoneInfo

from knightfall.core.roster import Slot
from knightfall.posts import Post
from knightfall.votes.changes import Change
from knightfall.votes.election import Rule
from knightfall.votes.names import NO_ELIMINATION_WORDS
from knightfall.votes.outcome import Outcome
from knightfall.votes.standing import Vote, Wagon, by_size
from knightfall.votes.tally import Day, Doubt, Hammer, Tally, Uncounted
from knightfall.writeups.wagons import emptied_facts, post_facts, wagons_facts


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of the house: what the town does, how closeness is written and from which distance on (0:
    never), the name of no elimination."""

    eliminate: str = "eliminate"
    closeness: str = "E"
    closeness_from: int = 3
    no_elimination: str = "No Elimination"

    def closeness_mark(self, missing: int) -> str:
        """“E-2” for two votes missing; "" where that is too far, or nothing is missing."""
        return f"{self.closeness}-{missing}" if 0 < missing <= self.closeness_from else ""

    @property
    def nobody_words(self) -> frozenset[str]:
        """What players may write for no elimination in this house, squashed."""
        house = "".join(letter for letter in self.no_elimination.casefold() if letter.isalnum())
        return NO_ELIMINATION_WORDS | {house}


class View(Enum):
    """Who will read a count: the players, who may not see hidden weights, or the moderator."""

    PUBLIC = "public"
    MOD = "mod"


@dataclass(frozen=True, slots=True)
class Votecount:
    """A count and all that its post says beside it. `posts` gives ids and times of the posts by number;
    `at` is the last post counted; `outcome` None while the day runs."""

    title: str
    day: Day
    tally: Tally
    rule: Rule
    posts: Mapping[int, Post]
    terms: Terms = Terms()
    zone: ZoneInfo | None = None
    assumed: tuple[str, ...] = ()
    complete: bool = True
    outcome: Outcome | None = None
    notes: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()
    """The lines of all live votes, squashed: a quote of one of them is no news."""
    number: int | None = None
    """The how-many-th count of the day this is, where counts that were posted are kept."""
    changes: tuple[Change, ...] = ()
    """What moved since the last count that was posted."""
    due: tuple[str, ...] = ()
    """Who is due a prod, by the name of the holder."""
    final: bool = False
    """The day ended with it."""

    @property
    def heading(self) -> str:
        """“Votecount 1.03”: the day and the number of the count; “Final votecount 1”."""
        if self.final:
            return f"Final votecount {self.day.number}"
        return f"Votecount {self.day.number}" + (f".{self.number:02}" if self.number else "")


def seen_by(view: View, count: Votecount) -> Votecount:
    """The count as that view may see it: hidden weights, bonus votes and shifted thresholds are true only for
    the moderator. Where the rule shows weights the views are the same."""
    if view is View.MOD or count.rule.show_weights:
        return count
    tally = count.tally
    plain = by_size(_unweighted(wagon, count.rule, tally.alive) for wagon in tally.wagons)
    history = tuple(replace(move, vote=replace(move.vote, weight=1)) for move in tally.history)
    return replace(count, tally=replace(tally, wagons=plain, history=history))


def _unweighted(wagon: Wagon, rule: Rule, alive: int) -> Wagon:
    """One vote each, and the threshold of an ordinary player."""
    needed = rule.majority(alive) if wagon.target else rule.needed(alive, None)
    votes = tuple(replace(vote, weight=1) for vote in wagon.votes)
    return replace(wagon, votes=votes, count=len(votes), needed=needed, since=wagon.held)


def votecount_facts(count: Votecount, history: bool = True) -> dict[str, Any]:
    """The facts of `any/votecount` and of every other theme; without `history` no votes that are gone."""
    tally = count.tally
    return {
        "title": count.heading,
        "subtitle": f"to post {tally.at}",
        "day": count.day.number,
        "wagons": wagons_facts(tally, count.posts, count.terms, history),
        "emptied": emptied_facts(tally, count.posts, count.terms) if history else [],
        "not_voting": [slot.name for slot in tally.not_voting],
        "alive": tally.alive,
        "needed": tally.needed,
        "eliminate_word": count.terms.eliminate,
        "deadline": None if count.final else _deadline_facts(count),
        "questions": len(tally.questions),
        "notes": list(count.notes),
        "prods": list(count.due),
        "changes": changes_facts(count),
    }


def votecount_json(count: Votecount) -> dict[str, Any]:
    """The count as `vc --json` prints it behind its schema."""
    tally = count.tally
    last = count.posts.get(tally.at)
    return {
        "title": count.title,
        "day": count.day.number,
        "at": {"post": tally.at, "time": _iso(last.time if last else None)},
        "complete": count.complete,
        "assumed": list(count.assumed),
        "alive": tally.alive,
        "needed": tally.needed,
        "wagons": [wagon_json(wagon) for wagon in tally.wagons],
        "not_voting": [slot.name for slot in tally.not_voting],
        "hammer": _hammer_json(tally.hammer),
        "outcome": _outcome_json(count.outcome),
        "questions": [doubt_json(doubt) for doubt in tally.questions],
        "not_counted": [uncounted_json(missed) for missed in tally.not_counted],
    }


def local_time(moment: datetime, zone: ZoneInfo) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”."""
    return moment.astimezone(zone).strftime("%a %d %b %Y, %H:%M %Z")


def changes_facts(count: Votecount) -> list[dict[str, Any]]:
    """What moved since the last count that was posted: {voter, before, now, post}."""
    return [_change_facts(count, change) for change in count.changes]


def _change_facts(count: Votecount, change: Change) -> dict[str, Any]:
    """Who votes otherwise than at the last count; "" where he did not or does not vote."""

    def names(targets: tuple[Slot | None, ...]) -> str:
        return ", ".join(target.name if target else count.terms.no_elimination for target in targets)

    return {
        "voter": change.voter.name,
        "before": names(change.before),
        "now": names(change.now),
        "post": post_facts(change.post, count.posts),
    }


def _deadline_facts(count: Votecount) -> dict[str, Any] | None:
    deadline = count.day.deadline
    if deadline is None:
        return None
    zone = count.zone or ZoneInfo("UTC")
    return {
        "countdown": {"instant": deadline.isoformat(), "zone": zone.key},
        "local": local_time(deadline, zone),
        "utc": deadline.astimezone(UTC).strftime("%a %d %b %H:%M UTC"),
    }


def wagon_json(wagon: Wagon) -> dict[str, Any]:
    """{target, kind, count, needed, to_hammer, voters: [each vote]}; the target None for no elimination."""
    return {
        "target": wagon.target.name if wagon.target else None,
        "kind": "player" if wagon.target else "no_elimination",
        "count": wagon.count,
        "needed": wagon.needed,
        "to_hammer": max(wagon.needed - wagon.count, 0),
        "voters": [vote_json(vote) for vote in wagon.votes],
    }


def vote_json(vote: Vote) -> dict[str, Any]:
    """{slot, post, url, time, text, rule}."""
    return {
        "slot": vote.voter.name,
        "post": vote.post,
        "url": vote.url,
        "time": _iso(vote.time),
        "text": vote.text,
        "rule": vote.rule,
    }


def _hammer_json(hammer: Hammer | None) -> dict[str, Any] | None:
    if hammer is None:
        return None
    return {
        "target": hammer.target.name if hammer.target else None,
        "voter": hammer.voter.name if hammer.voter else None,
        "post": hammer.post,
        "url": hammer.url,
    }


def _outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    names = [slot.name for slot in outcome.eliminated]
    return {"eliminated": names if len(names) > 1 else next(iter(names), None), "how": outcome.how}


def doubt_json(doubt: Doubt) -> dict[str, Any]:
    """{post, url, voter, text, candidates}."""
    return {
        "post": doubt.post,
        "url": doubt.url,
        "voter": doubt.voter,
        "text": doubt.text,
        "candidates": list(doubt.candidates),
    }


def uncounted_json(missed: Uncounted) -> dict[str, Any]:
    """{post, url, voter, text, reason}."""
    return {
        "post": missed.post,
        "url": missed.url,
        "voter": missed.voter,
        "text": missed.text,
        "reason": missed.why.value,
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
