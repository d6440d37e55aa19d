"""The facts of a votecount: what its templates read, and what programs are given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from knightfall.engine.spans import format_span, time_of_day
from knightfall.markup.dialects.moments import instant_words, local_words, utc_words, zone_name
from knightfall.models import Post, Slot
from knightfall.sentence import Given, SlotId, Title, joined
from knightfall.votes.known import HouseQuestion, How, Knowledge
from knightfall.votes.questions import grouped
from knightfall.votes.second_count import SecondCount
from knightfall.votes.tally import Doubt, Hammer, Outcome, Tally, Uncounted, Vote, Wagon
from knightfall.votes.votecount import Votecount

if TYPE_CHECKING:
    from knightfall.votes.votecount import Terms


Posts = Mapping[int, Post]
"""The posts of the thread by number: their ids and addresses make the links."""


def wagons_facts(tally: Tally, posts: Posts, terms: Terms, history: bool = True) -> list[dict[str, Any]]:
    """Each wagon, biggest first: {name, count, needed, own_needed, bonus, closeness, hammered, voters, left}.

    `own_needed`: the wagon takes another number of votes than most. `closeness` is "" once the day is
    hammered: what would have been near a hammer no longer is. `left` are the votes that are gone, nothing
    without `history`: a long day has thousands.
    """
    over = tally.hammer is not None
    return [
        {
            "name": _name(wagon.target, terms),
            "count": wagon.count,
            "needed": wagon.needed,
            "own_needed": wagon.needed is not None and wagon.needed != tally.needed,
            "bonus": wagon.count - sum(vote.weight for vote in wagon.votes),
            "closeness": "" if over else terms.closeness_mark(wagon.lacks),
            "hammered": tally.hammer is not None and tally.hammer.target == wagon.target,
            "voters": [_voter(vote, posts) for vote in wagon.votes],
            "left": _left(tally, wagon.target, posts) if history else [],
        }
        for wagon in tally.wagons
    ]


def _last_in_time(count: Votecount) -> int:
    """The last post that a count is of: of a final one the hammer, else the last that was in time."""
    if not count.final:
        return count.tally.at
    if count.tally.hammer is not None:
        return count.tally.hammer.post
    here = (post for number, post in count.posts.items() if number <= count.tally.at)
    timely = (post.number for post in here if count.rule.in_time(post.time, count.day.deadline))
    return max(timely, default=count.tally.at)


def emptied_facts(tally: Tally, posts: Posts, terms: Terms) -> list[dict[str, Any]]:
    """Who had votes and has none now, in the order of the first ones: {name, left}."""
    standing = {_name(wagon.target, terms) for wagon in tally.wagons}
    had = {_name(move.vote.target, terms): move.vote.target for move in tally.history}
    left = {name: _left(tally, target, posts) for name, target in had.items() if name not in standing}
    return [{"name": name, "left": votes} for name, votes in left.items() if votes]


def _left(tally: Tally, target: Slot | None, posts: Posts) -> list[dict[str, Any]]:
    """The votes that came and went again, in the order of voting; `until` is the post where each ended."""
    # Whether it is the end of a vote that stood for longer than a post.
    gone = [
        move
        for move in tally.history
        if (not move.joined and move.post != move.vote.post) and move.vote.target == target
    ]
    gone.sort(key=lambda move: move.vote.post)
    return [{**_voter(move.vote, posts), "until": post_facts(move.post, posts)} for move in gone]


def _voter(vote: Vote, posts: Posts) -> dict[str, Any]:
    return {
        "name": SlotId(vote.voter.name),
        "weight": vote.weight,
        "until": None,
        **post_facts(vote.post, posts),
        **({} if vote.post in posts else {"url": vote.url}),
    }


def post_facts(number: int, posts: Posts) -> dict[str, Any]:
    """What a link to a post needs: number, post_id, url."""
    post = posts.get(number)
    return {"number": number, "post_id": post.id if post else None, "url": post.url if post else None}


def _name(target: Slot | None, terms: Terms) -> str:
    return SlotId(target.name) if target else terms.no_elimination


def votecount_facts(count: Votecount, history: bool = True) -> dict[str, Any]:
    """The facts of `any/votecount` and of every other theme; without `history` no votes that are gone.

    On a day that no majority ends every `needed` is None. `least` are the votes with which the leader falls
    at the deadline, None where a majority alone decides or the day is over; `or_nobody`: without one
    nobody falls then; `tie` is what a tie comes to.
    `agreed` names for whom all the living vote, where that may end the day. Where `lists_not_voting` is not
    so, it is not sure who lives, and `not_voting` is empty.
    """
    tally, rule = count.tally, count.rule
    over = count.final or tally.hammer is not None
    cast = sum(wagon.count for wagon in tally.wagons)
    at_deadline = None if over else rule.needed_at_deadline(tally.alive, cast, count.day.number)
    return {
        "title": Title(count.heading),
        "subtitle": f"to post {_last_in_time(count)}",
        "day": count.day.number,
        "wagons": wagons_facts(tally, count.posts, count.terms, history),
        "emptied": emptied_facts(tally, count.posts, count.terms) if history else [],
        "not_voting": [SlotId(slot.name) for slot in count.not_voting or ()],
        "lists_not_voting": count.not_voting is not None,
        "alive": tally.alive,
        "needed": tally.needed,
        "least": at_deadline if count.least is None else count.least,
        "or_nobody": not over and rule.majority_or_nobody(count.day.number),
        "tie": "" if count.known.tie.how is How.OPEN else rule.tie.value,
        "nobody": count.terms.no_elimination,
        "agreed": _name(count.agreed.target, count.terms) if count.agreed and not count.final else None,
        "eliminate_word": count.terms.eliminate,
        "deadline": None if over else _deadline_facts(count),
        "questions": len(count.may_change_it),
        "notes": list(map(Given, count.notes)),
        "prods": list(map(SlotId, count.due)),
        "changes": changes_facts(count),
    }


def votecount_json(count: Votecount) -> dict[str, Any]:
    """The count as JSON values, without the number of their schema; `known` tells how the living, the
    threshold and the rule are known: where the living are open, some of `not_voting` may be dead. With
    `repeated`, how many quotes of votes were read where they stand, and `lost`, a sentence for each decision
    that has lost its post, where there are any. Questions with `same` are one: that many posts hold the same
    name."""
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
        "questions": [
            doubt_json(doubt)
            | ({"same": [one.post for one in question.doubts]} if len(question.doubts) > 1 else {})
            for question in grouped(count.questions)
            for doubt in question.doubts
        ],
        "not_counted": [uncounted_json(m) for m in count.not_counted if not count.repeats(m)],
        "known": known_json(count.known),
        **({"house": asked} if (asked := [house_json(one) for one in count.house if one.unheard]) else {}),
        **({"repeated": repeated} if (repeated := sum(map(count.repeats, count.not_counted))) else {}),
        **({"lost": list(count.lost)} if count.lost else {}),
        **({"second_count": second_json(count.second)} if count.second and count.second.differences else {}),
    }


def house_json(one: HouseQuestion) -> dict[str, Any]:
    """{asked, answers, chosen, open}: a question about the house, with the words that answer it."""
    return {"asked": str(one.asked), "answers": list(one.answers), "chosen": one.chosen, "open": one.open}


def known_json(known: Knowledge) -> dict[str, Any]:
    """{day, living, needed, rule}, each {how, readings: [{value, post, names}], why}: by which reading it is
    counted first; how is known, read or open."""
    return {
        part: {
            "how": one.how.value,
            "readings": [
                {"value": reading.value, "post": reading.post, "names": list(reading.names)}
                for reading in one.readings
            ],
            "why": list(one.doubts),
        }
        for part, one in (
            ("day", known.day),
            ("living", known.living),
            ("needed", known.needed),
            ("rule", known.rule),
        )
    }


def second_json(second: SecondCount) -> dict[str, Any]:
    """{post, leading, leading_here, differences}: the moderator's own votecount where it differs."""
    return {
        "post": second.post,
        "leading": list(second.leading),
        "leading_here": list(second.leading_here),
        "differences": [
            {"voter": one.voter, "here": one.here, "posted": one.posted, "post": one.post}
            for one in second.differences
        ],
    }


def short_time(moment: datetime) -> str:
    """“25 Nov 20:00 EST”, by the clocks of its own zone."""
    return f"{moment:%d %b} {time_of_day(moment)} {zone_name(moment)}"


def utc_time(moment: datetime) -> str:
    """“Thu 26 Nov 01:00 UTC”."""
    return utc_words(moment)


def local_time(moment: datetime, zone: ZoneInfo) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”."""
    return local_words(moment.astimezone(zone))


def full_time(moment: datetime, zone: ZoneInfo) -> str:
    """“Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC”; once where both clocks show the same."""
    return instant_words(moment.astimezone(zone))


def from_now(moment: datetime, now: datetime) -> str:
    """“in 4 d 13 h”, “3 h ago”: for what is read at once, never for a text that stays."""
    span = format_span(abs(moment - now))
    return f"in {span}" if moment > now else f"{span} ago"


def as_of_line(moment: datetime, now: datetime, zone: ZoneInfo | None) -> str:
    """A time that was typed, in full: “As of Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC, 3 h ago.”"""
    return f"As of {full_time(moment, zone or ZoneInfo('UTC'))}, {from_now(moment, now)}."


def changes_facts(count: Votecount) -> list[dict[str, Any]]:
    """What moved since the last count that was posted: {voter, before, now, post}; "" where they did not or
    do not vote."""
    return [
        {
            "voter": SlotId(change.voter.name),
            "before": joined(", ", (_name(target, count.terms) for target in change.before)),
            "now": joined(", ", (_name(target, count.terms) for target in change.now)),
            "post": post_facts(change.post, count.posts),
        }
        for change in count.changes
    ]


def _deadline_facts(count: Votecount) -> dict[str, Any] | None:
    deadline = count.day.deadline
    if deadline is None:
        return None
    zone = count.zone or ZoneInfo("UTC")
    return {
        "countdown": {"instant": deadline.isoformat(), "zone": zone.key},
        "local": local_time(deadline, zone),
        "utc": utc_time(deadline),
    }


def wagon_json(wagon: Wagon) -> dict[str, Any]:
    """{target, kind, count, needed, to_hammer, voters: [each vote]}; the target None for no elimination, and
    `needed` and `to_hammer` None on a day that no majority ends."""
    return {
        "target": wagon.target.name if wagon.target else None,
        "kind": "player" if wagon.target else "no_elimination",
        "count": wagon.count,
        "needed": wagon.needed,
        "to_hammer": wagon.lacks,
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
        "unless": list(hammer.unless),
    }


def _outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    names = [slot.name for slot in outcome.eliminated]
    return {"eliminated": names if len(names) > 1 else next(iter(names), None), "how": outcome.how}


def doubt_json(doubt: Doubt) -> dict[str, Any]:
    """{post, url, voter, text, candidates}; with `name` where all that is unclear is whose that is,
    `unvote` where it seems to be an unvote, `count`
    where a votecount of the moderator shows the vote (the number of its post), `earlier` where answers in
    earlier games on the site called candidates so: [{name, game, date}], `why` where a post changed since it
    was decided on."""
    return {
        "post": doubt.post,
        "url": doubt.url,
        "voter": doubt.voter,
        "text": doubt.text,
        **({"name": doubt.name} if doubt.name else {}),
        **({"unvote": True} if doubt.unvote else {}),
        "candidates": list(doubt.candidates),
        **({"count": doubt.count} if doubt.count is not None else {}),
        **(
            {
                "earlier": [
                    {"name": name, "game": taught.game, "date": f"{taught.at:%Y-%m-%d}"}
                    for name, taught in doubt.earlier
                ]
            }
            if doubt.earlier
            else {}
        ),
        **({"why": doubt.why} if doubt.why else {}),
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
