"""Why a count stands as it does: the votes of a wagon, all that was read in a post, near misses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from tabulate import tabulate

from knightfall.engine.json_text import as_object
from knightfall.errors import InputError
from knightfall.models import Post, PostVersion
from knightfall.services import reading as read
from knightfall.services.count_request import CountRequest
from knightfall.services.evidence import versions_of
from knightfall.services.session import Session
from knightfall.services.votecount import Counted, counted
from knightfall.votes.names import squash
from knightfall.votes.tally import Vote, Wagon, Why
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import doubt_json, uncounted_json, vote_json, wagon_json
from knightfall.writeups.vote_words import REASONS, matched_by, short, vote_excerpt

Kept: TypeAlias = Callable[[int], tuple[PostVersion, ...]]
"""The versions of a post that were seen, oldest first."""


def wagon_values(count: Votecount, wagon: Wagon, kept: Kept) -> dict[str, Any]:
    """{at, wagon: as `vc --json` has it, each vote with weight and score, versions: [{post, seen, read}]}."""
    voters = [_vote_values(vote) for vote in wagon.votes]
    versions = _versions((vote.post for vote in wagon.votes), kept)
    return {"at": count.tally.at, "wagon": wagon_json(wagon) | {"voters": voters}, "versions": versions}


def post_values(count: Votecount, number: int, kept: Kept) -> dict[str, Any]:
    """{at, post, counts: [votes with their target, None for no elimination], not_counted, questions,
    versions}; the last three as `vc --json` and `wagon_values` have them."""
    tally = count.tally
    votes = [vote for wagon in tally.wagons for vote in wagon.votes if vote.post == number]
    return {
        "at": tally.at,
        "post": _post_values(count.posts[number]),
        "counts": [
            {"target": vote.target.name if vote.target else None} | _vote_values(vote) for vote in votes
        ],
        "not_counted": [uncounted_json(missed) for missed in tally.not_counted if missed.post == number],
        "questions": [doubt_json(doubt) for doubt in tally.questions if doubt.post == number],
        "versions": _versions([number], kept),
    }


def _vote_values(vote: Vote) -> dict[str, Any]:
    return {**vote_json(vote), "weight": vote.weight, "score": vote.score}


def _versions(posts: Iterable[int], kept: Kept) -> list[dict[str, int]]:
    """Only of posts that were seen in more than one: how many, and which of them is read here."""
    seen = ((post, kept(post)) for post in posts)
    return [
        {"post": post, "seen": len(all_), "read": all_[-1].number} for post, all_ in seen if len(all_) > 1
    ]


def _post_values(post: Post) -> dict[str, Any]:
    return {
        "number": post.number,
        "author": post.author,
        "time": post.time,
        "approximate": post.approximate,
        "edit_note": post.edit_note,
        "url": post.url,
    }


def explain(what: str, wanted: CountRequest, session: Session) -> str:
    """The explanation of a post (a number, with or without #), or of the wagon on a player; where `wanted`
    says so as JSON: {schema, about} and what `wagon_values` or `post_values` tell.

    Raises InputError where neither is there, and what counting raises.
    """
    number = what.lstrip("#")
    if not is_post(what):
        return _of_wagon(what, counted(wanted, session), wanted.as_json, session)
    done = counted(replace(wanted, at=wanted.at or number), session)
    kept = _kept_by(done, session)
    if wanted.as_json:
        return as_object({"about": what, **post_values(done.count, int(number), kept)})
    return "\n".join((*_post(done.count, int(number)), *_version_lines(int(number), kept)))


def _of_wagon(what: str, done: Counted, as_json: bool, session: Session) -> str:
    wagon, kept = _meant(done.count, what), _kept_by(done, session)
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


def _kept_by(done: Counted, session: Session) -> Kept:
    """From the evidence; saved pages and lines of posts have no history."""
    if done.thread.url is None or not isinstance(done.source, (read.Link, read.Kept)):
        return lambda _: ()
    return partial(versions_of, done.thread.url, session=session)


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


WIDTH = 50


def near(wanted: CountRequest, session: Session) -> Counted:
    """The count whose near misses are asked for. Raises what a count raises."""
    return counted(wanted, session)


def as_text(found: Counted) -> str:
    """One paragraph a post: number, voter, reason, what was written, link."""
    tally = found.count.tally
    lines = [*_questions(found), *_missed(found)]
    head = f"Day {found.count.day.number}, to post {tally.at}: "
    if not lines:
        return f"{head}everything that looks like a vote counts."
    return "\n".join([f"{head}{len(lines)} that may need your eye.", *lines])


def near_values(found: Counted) -> dict[str, Any]:
    """{day, at: post, near: [{post, voter, text, url, reason}]}, in the order of the thread."""
    tally = found.count.tally
    asked = [
        {"post": d.post, "voter": d.voter, "text": d.text, "url": d.url, "reason": "question"}
        for d in tally.questions
    ]
    missed = [
        {"post": m.post, "voter": m.voter, "text": m.text, "url": m.url, "reason": m.why.value}
        for m in tally.not_counted
        if m.why is not Why.MODERATOR_POST
    ]
    near = sorted([*asked, *missed], key=lambda entry: int(str(entry["post"])))
    return {"day": found.count.day.number, "at": tally.at, "near": near}


def _questions(found: Counted) -> Iterator[str]:
    for doubt in found.count.tally.questions:
        fits = " or ".join(doubt.candidates) or "nobody"
        text = vote_excerpt(doubt.text, WIDTH)
        yield _paragraph(doubt.post, doubt.voter, f"a question: near {fits}", text, doubt.url)


def _missed(found: Counted) -> Iterator[str]:
    for missed in found.count.tally.not_counted:
        if missed.why is not Why.MODERATOR_POST:
            text = vote_excerpt(missed.text, WIDTH)
            yield _paragraph(missed.post, missed.voter, REASONS[missed.why], text, missed.url)


def _paragraph(post: int, voter: str, reason: str, text: str, url: str | None) -> str:
    return f"#{post} {voter}: {reason}: “{text}”" + (f"\n   {url}" if url else "")
