"""Why a count stands as it does: the votes of a wagon, all that was read in a post, near misses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from knightfall.config.calendar import closed_day
from knightfall.config.decided import fix_of
from knightfall.engine.entries import Fixed
from knightfall.engine.journal import Record
from knightfall.engine.json_text import JsonAnswer, plain_value
from knightfall.errors import InputError, KnightfallError
from knightfall.forums import html_style_of
from knightfall.markup.html import plain_text
from knightfall.models import PostVersion
from knightfall.names import squash
from knightfall.services.count.votecount import Counted, counted
from knightfall.services.journal import day_closed_around
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import Kept, Link, versions_of
from knightfall.votes.questions import Question
from knightfall.votes.tally import Doubt, Uncounted, UncountedReason, Vote, Wagon
from knightfall.votes.votecount import FixEffect, Votecount
from knightfall.writeups.facts import doubt_json, uncounted_json, vote_json, wagon_json
from knightfall.writeups.report import Report
from knightfall.writeups.vote_words import REASONS, could_be, vote_excerpt

EXCERPT = 50
"""So much of a near miss is shown."""


@dataclass(frozen=True, slots=True, repr=False)
class ReadVersion(JsonAnswer):
    """A post that was seen in several versions, `seen` of them; `read` is the one that was counted."""

    post: int
    seen: int
    read: PostVersion

    def to_dict(self) -> dict[str, int]:
        """{post, seen, read: the number of the version}."""
        return {"post": self.post, "seen": self.seen, "read": self.read.number}


@dataclass(frozen=True, slots=True, repr=False)
class WagonExplanation(JsonAnswer):
    """The votes of a wagon; `versions` of those of their posts that were seen in more than one."""

    about: str
    count: Votecount
    wagon: Wagon
    versions: tuple[ReadVersion, ...] = ()

    @property
    def votes(self) -> tuple[Vote, ...]:
        """The votes of the wagon in order of voting."""
        return self.wagon.votes

    def to_dict(self) -> dict[str, Any]:
        """{about, at, wagon: as a count has it, each vote with weight and score, versions}."""
        return {
            "about": self.about,
            "at": self.count.tally.at,
            "wagon": wagon_json(self.wagon) | {"voters": [_vote_values(vote) for vote in self.wagon.votes]},
            "versions": [one.to_dict() for one in self.versions],
        }


@dataclass(frozen=True, slots=True, repr=False)
class PostExplanation(JsonAnswer):
    """All that was read in the post of that number; `versions` where it was seen in more than one."""

    about: str
    count: Votecount
    number: int
    versions: tuple[ReadVersion, ...] = ()
    said: str = ""
    """The words of the post, where they were read."""

    @property
    def votes(self) -> tuple[Vote, ...]:
        """The votes of the post that stand."""
        wagons = self.count.tally.wagons
        return tuple(vote for wagon in wagons for vote in wagon.votes if vote.post == self.number)

    @property
    def not_counted(self) -> tuple[Uncounted, ...]:
        """What looks like a vote in the post and does not count, each with its reason."""
        return tuple(one for one in self.count.not_counted if one.post == self.number)

    @property
    def questions(self) -> tuple[Doubt, ...]:
        """The votes in the post that only the moderator can read."""
        return tuple(one for one in self.count.questions if one.post == self.number)

    def to_dict(self) -> dict[str, Any]:
        """{about, at, post, counts: [votes with their target, None for no elimination], not_counted and
        questions as a count has them, versions}."""
        tally, post = self.count.tally, self.count.posts[self.number]
        return {
            "about": self.about,
            "at": tally.at,
            "post": {
                "number": post.number,
                "author": post.author,
                "time": plain_value(post.time),
                "approximate": post.approximate,
                "edit_note": post.edit_note,
                "url": post.url,
            },
            "counts": [
                {"target": vote.target.name if vote.target else None} | _vote_values(vote)
                for vote in self.votes
            ],
            "not_counted": [uncounted_json(one) for one in self.not_counted],
            "questions": [doubt_json(doubt) for doubt in self.questions],
            "versions": [one.to_dict() for one in self.versions],
        }


def _vote_values(vote: Vote) -> dict[str, Any]:
    return {**vote_json(vote), "weight": vote.weight, "score": vote.score}


Explanation = WagonExplanation | PostExplanation


def explain(what: str, request: CountRequest, session: Session) -> Explanation:
    """The explanation of a post (a number, with or without #), or of the wagon on a player.

    Raises InputError where neither is there, and what counting raises.
    """
    number = _post_number(what)
    if number is None:
        done = counted(request, session)
        found = _wagon_on(what, done.count)
        posts = [vote.post for vote in found.wagon.votes]
        return replace(found, versions=_versions_read(posts, done, session))
    done = counted(replace(request, at=request.at or str(number)), session)
    post = done.count.posts.get(number)
    said = plain_text(post.body, html_style_of(done.thread.platform)) if post is not None else ""
    return PostExplanation(
        what, done.count, number, _versions_read([number], done, session), " ".join(said.split())
    )


def explanation_of(what: str, count: Votecount) -> Explanation:
    """The explanation of a post, or of the wagon on a player, in a count that was made; without versions.

    Raises InputError where there is no such post up to the last one counted, and where nobody votes for that
    player.
    """
    number = _post_number(what)
    if number is None:
        return _wagon_on(what, count)
    if number not in count.posts or number > count.tally.at:
        raise InputError(f"Post {number} is not among those that were counted, up to post {count.tally.at}.")
    return PostExplanation(what, count, number)


@dataclass(frozen=True, slots=True)
class FixSeen:
    """A decision on a post and the count that follows it; `closing` is the entry that closed its day, which
    stays as it ended (None: the day is open)."""

    effect: FixEffect
    count: Votecount
    closing: Record | None


def seen_fix(record: Record, session: Session) -> FixSeen | None:
    """What a decision on a post does in the count of what was read; None where nothing can be counted."""
    try:
        count = counted(CountRequest(stored=True), session).count
    except KnightfallError:
        return None
    entry = record.entry
    assert isinstance(entry, Fixed)
    number = next((fix.post for fix in count.fixes if fix.bound and fix.bound.entry == record.number), None)
    fix = replace(fix_of(entry), post=int(entry.post) if number is None else number)
    effect = count.fix_effect(fix)
    closing = closed_day(journal_of(session), count.day.number)
    if closing is None and effect.before:
        closing = day_closed_around(record.number, session)
    return FixSeen(effect, count, closing)


def _post_number(what: str) -> int | None:
    """The number of a post, with or without #; None where a player is meant."""
    digits = what.lstrip("#")
    return int(digits) if digits.isdigit() else None


def _wagon_on(name: str, count: Votecount) -> WagonExplanation:
    """The wagon on whoever has that name. Raises InputError."""
    nobody = count.terms.no_elimination
    for wagon in count.tally.wagons:
        names = wagon.target.names if wagon.target else (nobody, "nl")
        if squash(name) in map(squash, names):
            return WagonExplanation(name, count, wagon)
    targets = (wagon.target.name if wagon.target else nobody for wagon in count.tally.wagons)
    on = ", ".join(targets) or "nobody"
    raise InputError(f"Nobody votes for “{name}” as of post {count.tally.at}. There are votes on {on}.")


def _versions_read(posts: Iterable[int], done: Counted, session: Session) -> tuple[ReadVersion, ...]:
    """The posts that were seen in more than one version. Saved pages and lines of posts have no history."""
    url = done.thread.url
    if url is None or not isinstance(done.source, (Link, Kept)):
        return ()
    seen = ((post, versions_of(url, post, session=session)) for post in posts)
    return tuple(ReadVersion(post, len(found), found[-1]) for post, found in seen if len(found) > 1)


@dataclass(frozen=True, slots=True, repr=False)
class NearMisses(JsonAnswer):
    """What looks like a vote and does not count: questions to the moderator, and the rest without the
    moderator's own posts; each in the order of the thread. `repeated` quotes of votes that were read where
    they stand are left out."""

    day: int
    at: int
    questions: tuple[Doubt, ...]
    uncounted: tuple[Uncounted, ...]
    repeated: int = 0

    def to_dict(self) -> dict[str, Any]:
        """{day, at: post, near: [{post, voter, text, url, reason}], repeated}, in the order of the thread."""
        reasons: list[tuple[Doubt | Uncounted, str]] = [(doubt, "question") for doubt in self.questions]
        reasons += [(missed, missed.why.value) for missed in self.uncounted]
        near = [
            {"post": one.post, "voter": one.voter, "text": one.text, "url": one.url, "reason": reason}
            for one, reason in sorted(reasons, key=lambda entry: entry[0].post)
        ]
        return {"day": self.day, "at": self.at, "near": near, "repeated": self.repeated}

    def report(self) -> Report:
        """A paragraph for each: number, voter, reason, what was written, link; questions first."""
        reasons: list[tuple[Doubt | Uncounted, str]] = [
            (doubt, f"needs your decision, {doubt.why or could_be(Question((doubt,)))}")
            for doubt in self.questions
        ]
        reasons += [(missed, REASONS[missed.why]) for missed in self.uncounted]
        head = f"Day {self.day}, to post {self.at}: "
        quotes = (
            (f"Quoted votes that were counted in the original post: {self.repeated}.",)
            if self.repeated
            else ()
        )
        if not reasons:
            return Report((f"{head}everything that looks like a vote was counted.", *quotes))
        paragraphs = (
            f"#{one.post} {one.voter}: {reason}: “{vote_excerpt(one.text, EXCERPT)}”"
            + (f"\n   {one.url}" if one.url else "")
            for one, reason in reasons
        )
        return Report(
            (f"{head}{len(reasons)} post{'s' * (len(reasons) != 1)} to check.", *paragraphs, *quotes)
        )


def near_misses(request: CountRequest, session: Session) -> NearMisses:
    """What looks like a vote and was not counted. Raises what a count raises."""
    count = counted(request, session).count
    missed = [one for one in count.not_counted if one.why is not UncountedReason.MODERATOR_POST]
    fresh = tuple(one for one in missed if not count.repeats(one))
    day, at = count.day.number, count.tally.at
    return NearMisses(day, at, count.questions, fresh, len(missed) - len(fresh))
