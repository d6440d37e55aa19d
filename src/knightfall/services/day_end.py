"""The end of a day: a thread that holds still, the final count, what to check by eye, the closing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path

from knightfall.config.setup import Setup
from knightfall.errors import EvidenceError, IncompleteRead, InputError
from knightfall.fetch.clock import Clock
from knightfall.forums.sites import site_of
from knightfall.models import Post, PostId, Slot, Thread
from knightfall.services.count_request import PostFormat, post_parts
from knightfall.services.evidence import note_counted
from knightfall.services.reading import Kept, Link, dialect_of, gather, habits_of
from knightfall.services.session import Say, Session, game_folder
from knightfall.services.votecount import Counted
from knightfall.storage.drafts import write_public
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.rule import Boundary
from knightfall.votes.tally import (
    UNDECIDED,
    Doubt,
    Fix,
    Hammer,
    Outcome,
    Uncounted,
    Vote,
    Wagon,
    Why,
    day_outcome,
)
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.vote_words import RULES, vote_excerpt

Recount = Callable[[tuple[Fix, ...]], Votecount]
"""The same count with these decisions beside those that were made."""


def deciding(count: Votecount, recount: Recount) -> tuple[Doubt, ...]:
    """The open questions where their answers can change who is eliminated; none where they cannot."""
    doubts = count.tally.questions
    if not doubts or all(_falls(recount(fixes)) == _falls(count) for fixes in _extremes(count)):
        return ()
    return doubts


def ending(count: Votecount) -> Outcome:
    """How the day ends if it ends now."""
    return day_outcome(count.tally, count.rule, count.day.number, over=True) or UNDECIDED


def _falls(count: Votecount) -> tuple[frozenset[str], bool]:
    """Who is eliminated, and whether that is open."""
    outcome = ending(count)
    return frozenset(slot.name for slot in outcome.eliminated), outcome == UNDECIDED


def _extremes(count: Votecount) -> Iterator[tuple[Fix, ...]]:
    posts = tuple(dict.fromkeys(doubt.post for doubt in count.tally.questions))
    yield tuple(Fix(post, ignore=True) for post in posts)
    yield tuple(Fix(post, unvote=True) for post in posts)
    for target in ("", *_living(count)):
        yield tuple(Fix(post, to=target) for post in posts)


def _living(count: Votecount) -> tuple[str, ...]:
    voting = {vote.voter.name for wagon in count.tally.wagons for vote in wagon.votes}
    targets = {wagon.target.name for wagon in count.tally.wagons if wagon.target}
    return tuple(sorted(voting | targets | {slot.name for slot in count.tally.not_voting}))


FEW = 5
"""With so many alive a wrong elimination can end the game."""
WIDTH = 40
"""Letters of a vote that are quoted."""
CERTAIN = frozenset({"exact", "alias", "no_elimination", "moderator"})
"""Rules by which a name leaves no doubt."""

Versions = Callable[[int], int]
"""In how many versions the post of that number was seen."""


def summary(count: Votecount) -> Iterator[str]:
    """How the day ends, the margin, and the votes that came too late."""
    hammer = count.tally.hammer
    yield _hammer_line(count, hammer) if hammer else "No hammer."
    yield _margin_line(count)
    yield from _missed("After the hammer, void", count, Why.AFTER_HAMMER)
    yield from _missed("After the deadline, not counted", count, Why.LATE)


def eye_check(count: Votecount, versions: Versions) -> Iterator[str]:
    """Where the end is narrow: why, and each vote that decides, what may be wrong with it first."""
    reasons = tuple(_narrow(count))
    votes = tuple(chain.from_iterable(wagon.votes for wagon in _deciding(count)))
    if not reasons or not votes:
        return
    posts = "this vote" if len(votes) == 1 else f"these {len(votes)} votes"
    yield f"{' '.join(reasons)} Please check {posts} by eye before you go on:"
    for vote in sorted(votes, key=lambda vote: _trust(vote, count, versions)):
        yield f"  {_vote_line(vote, count, versions)}"


def question_lines(doubts: Sequence[Doubt]) -> Iterator[str]:
    """Each open question with the decision that it waits for."""
    for doubt in doubts:
        fits = " or ".join(doubt.candidates) or "nobody"
        said = vote_excerpt(doubt.text, WIDTH)
        yield f"  #{doubt.post} {doubt.voter} writes “{said}”: near {fits}.{_at(doubt.url)}"
        yield f'    knightfall fix {doubt.post} --to NAME --why "…"   (or --ignore, --unvote …)'


def margin(wagons: Sequence[Wagon]) -> int:
    """Votes between the top two; all of the top one's where it is alone."""
    sizes = [wagon.count for wagon in wagons[:2]]
    return sizes[0] - sizes[1] if len(sizes) > 1 else sum(sizes)


def _hammer_line(count: Votecount, hammer: Hammer) -> str:
    by = f" by {hammer.voter.name}" if hammer.voter else ", where a death lowered what is needed"
    post = count.posts.get(hammer.post)
    when = f" at {post.time:%Y-%m-%d %H:%M:%S} UTC" if post and post.time else ""
    return f"Hammer: #{hammer.post}{by} on {_name(hammer.target, count)}{when}.{_at(hammer.url)}"


def _margin_line(count: Votecount) -> str:
    wagons = count.tally.wagons
    top = ", ".join(f"{_name(wagon.target, count)} {wagon.count}/{wagon.needed}" for wagon in wagons[:2])
    return f"Top: {top}; margin {_votes(margin(wagons))}." if wagons else "Nobody has a vote."


def _missed(what: str, count: Votecount, why: Why) -> Iterator[str]:
    found = [missed for missed in count.tally.not_counted if missed.why is why]
    if found:
        yield f"{what} ({len(found)}):"
        yield from (_missed_line(missed) for missed in found)


def _missed_line(missed: Uncounted) -> str:
    return f"  #{missed.post} {missed.voter} “{vote_excerpt(missed.text, WIDTH)}”{_at(missed.url)}"


def _narrow(count: Votecount) -> Iterator[str]:
    """Each reason to look twice, as a sentence."""
    tally = count.tally
    if tally.wagons and margin(tally.wagons) <= 1:
        yield f"The margin is {_votes(margin(tally.wagons))}."
    if tally.hammer and _exact(count, tally.hammer):
        yield "The hammer was exactly the votes needed."
    if tally.alive <= FEW:
        yield f"Only {tally.alive} are alive."
    if count.day.number in count.rule.locked_at:
        yield "Votes lock on this day: a wrong elimination can end the game."


def _exact(count: Votecount, hammer: Hammer) -> bool:
    return any(w.count == w.needed for w in count.tally.wagons if w.target == hammer.target)


def _deciding(count: Votecount) -> tuple[Wagon, ...]:
    """The wagon that decides, and without a hammer all that are within one vote of it."""
    wagons, hammer = count.tally.wagons, count.tally.hammer
    if hammer:
        return tuple(wagon for wagon in wagons if wagon.target == hammer.target)
    fallen = {slot.name for slot in ending(count).eliminated}
    near = (wagon for wagon in wagons if wagon.count >= wagons[0].count - 1)
    return tuple(sorted(near, key=lambda wagon: wagon.target is None or wagon.target.name not in fallen))


def _trust(vote: Vote, count: Votecount, versions: Versions) -> tuple[bool, bool, float, int]:
    """Edited posts first, then names that were not written exactly, the least sure first."""
    return not _edited(vote, count, versions), vote.rule in CERTAIN, vote.score, vote.post


def _edited(vote: Vote, count: Votecount, versions: Versions) -> bool:
    post = count.posts.get(vote.post)
    noted = post is not None and bool(post.edited or post.edit_note)
    return noted or versions(vote.post) > 1


def _vote_line(vote: Vote, count: Votecount, versions: Versions) -> str:
    marks = ["edited"] if _edited(vote, count, versions) else []
    marks += [RULES.get(vote.rule, vote.rule)]
    target = _name(vote.target, count)
    said = vote_excerpt(vote.text, WIDTH)
    return f"#{vote.post} {vote.voter.name} on {target}, “{said}”: {', '.join(marks)}.{_at(vote.url)}"


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


def _votes(number: int) -> str:
    return f"{number} vote{'' if number == 1 else 's'}"


def _at(url: str | None) -> str:
    return f" {url}" if url else ""


PAUSE = 60.0
"""Seconds between two reads."""
TRIES = 6
"""So many reads, then the thread is told to be restless."""
SHOWN = 3
"""So many changed posts are named."""

Read = Callable[[], Thread]


@dataclass(frozen=True, slots=True)
class Steady:
    """A thread that two reads showed alike. `began` is when the later of them began: whatever was posted
    before that is in it; `reads` is how many it took."""

    thread: Thread
    began: datetime
    reads: int


@dataclass(frozen=True, slots=True)
class Still:
    """What holding still means: the pause between two reads in seconds, and an instant from which on posts
    do not matter (None: every post does)."""

    pause: float = PAUSE
    until: datetime | None = None


def steady(read: Read, clock: Clock, say: Say, still: Still = Still()) -> Steady:
    """Reads until two reads in a row agree. Raises EvidenceError where they never do, and what `read` raises.

    A thread that changes while it is read does not agree with anything.
    """
    before: Thread | None = None
    told = "it was read but once"
    for number in range(1, TRIES + 1):
        began = clock.now()
        try:
            thread = read()
            changed = tuple(changes(before, thread, still.until)) if before else ()
            if before and not changed:
                return Steady(thread, began, number)
            before, told = thread, _listed(changed)
        except IncompleteRead as error:
            before, told = None, str(error).splitlines()[0]
        if number < TRIES:
            say(f"{_heading(number, told)} Reading every page again in {still.pause:.0f} s.")
            clock.sleep(still.pause)
    raise EvidenceError(
        f"The thread will not hold still: of {TRIES} reads, {still.pause:.0f} s apart, no two agree. "
        f"{told} Lock the thread, then run the same command again."
    )


def changes(before: Thread, after: Thread, until: datetime | None = None) -> Iterator[str]:
    """How the posts that matter differ, one phrase a post: new, gone, or otherwise than before."""
    old, new = _mattering(before, until), _mattering(after, until)
    for identity, post in new.items():
        if identity not in old:
            yield f"#{post.number} by {post.author} is new"
        elif _says(old[identity]) != _says(post):
            yield f"#{post.number} by {post.author} reads otherwise"
    yield from (f"#{post.number} by {post.author} is gone" for key, post in old.items() if key not in new)


def _mattering(thread: Thread, until: datetime | None) -> dict[PostId, Post]:
    return {post.id: post for post in thread.posts if not _too_late(post, until)}


def _too_late(post: Post, until: datetime | None) -> bool:
    """Only what surely is: a time that the page tells roughly proves nothing."""
    return until is not None and post.time is not None and not post.approximate and post.time >= until


def _says(post: Post) -> tuple[int, str, str, bool]:
    return post.number, post.author, post.body, post.hidden


def _listed(changed: tuple[str, ...]) -> str:
    rest = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    return f"{', '.join(changed[:SHOWN])}{rest}." if changed else ""


def _heading(number: int, told: str) -> str:
    return f"Read {number} of at most {TRIES}. {told}" if told else f"Read {number} of at most {TRIES}."


@dataclass(frozen=True, slots=True)
class Final:
    """A final count, as the moderator may see it; `recount` counts the same thread with more decisions."""

    done: Counted
    recount: Callable[[tuple[Fix, ...]], Votecount]


def final_count(setup: Setup, day: int | None, pause: float, session: Session, say: Say, read: Read) -> Final:
    """The count of a day (None: the latest) when the thread holds still; tells how that comes about.

    Raises EvidenceError where it does not, and what reading and counting raise.
    """
    until = deadlines_past(setup, day)
    found = steady(read, session.clock, say, Still(pause, until))
    say(f"Stable: two reads of all {len(found.thread.posts)} posts agree, {pause:.0f} s apart.")
    count = count_of(setup, found.thread, day, found.began)
    done = Counted(count, Link(url_of(setup)), found.thread, setup, site_of(found.thread.url or ""))
    note_counted(done.source, found.thread.url, count.tally.at, session)
    return Final(done, partial(_decided, setup, found.thread, day, found.began))


def kept_count(setup: Setup, day: int | None, session: Session, say: Say) -> Final:
    """The final count of a day from what was read before: for threads that only your browser may read.

    Raises InputError where nothing was, and what counting raises.
    """
    source = Kept(url_of(setup))
    thread, now = gather(source, session), session.clock.now()
    say(
        f"Counted as it was read before, as far as #{thread.posts[-1].number}; the forum was not asked. Were "
        "its pages saved after you locked the thread?"
    )
    done = Counted(count_of(setup, thread, day, now), source, thread, setup, site_of(thread.url or ""))
    note_counted(source, thread.url, done.count.tally.at, session)
    return Final(done, partial(_decided, setup, thread, day, now))


def count_of(setup: Setup, thread: Thread, day: int | None, as_of: datetime) -> Votecount:
    """The final count of what stands in a thread, as of an instant."""
    count = votecount(thread, habits_of(thread), setup, Ask(day), as_of)
    return replace(count, final=True)


def _decided(
    setup: Setup, thread: Thread, day: int | None, as_of: datetime, fixes: tuple[Fix, ...]
) -> Votecount:
    return count_of(replace(setup, fixes=(*setup.fixes, *fixes)), thread, day, as_of)


def every_page(setup: Setup, session: Session) -> Read:
    """Reads the game's thread anew from its first page to its last."""
    return partial(gather, Link(url_of(setup), again=True), session)


def url_of(setup: Setup) -> str:
    """The address of the game's thread. Raises InputError where the game file has none."""
    if setup.url is None:
        raise InputError(
            f'{setup.source}: no thread with role = "game". The end of a day is read from the forum itself: '
            'add  [[thread]]  url = "https://…"'
        )
    return setup.url


def deadlines_past(setup: Setup, day: int | None) -> datetime | None:
    """The first instant that is too late for the day (None: for every day of the file); None where posts
    count until the moderator locks, or a day has no deadline."""
    days = [one for one in setup.days if day in (None, one.number)]
    ends = [setup.rule.closes(one.deadline) for one in days if one.deadline]
    locks = setup.rule.boundary is Boundary.UNTIL_LOCK
    return max(ends) if ends and len(ends) == len(days) and not locks else None


def final_text(done: Counted, dialect: str | None = None) -> str:
    """The post with the final count, as players may see it, in a dialect (None: the site's own)."""
    seen = seen_by(View.PUBLIC, done.count)
    speech = dialect_of(dialect, done.setup, done.site, done.thread.platform)
    site = None if dialect else done.site
    return "\n\n".join(post_parts(seen, speech, PostFormat(), done.setup, site))


def keep_final(done: Counted, text: str, game: Path) -> Path:
    """Writes the post into the game's folder. Raises InputError where that cannot be."""
    return write_public(game_folder(game), f"votecount-{done.count.day.number}.F.txt", text)


def evidence_of(count: Votecount) -> str:
    """The digest of the posts that the count rests on, and their numbers: “sha256:9f2c… posts 1-84”.

    It is over id, author and body of each, so the same posts read at any later time give the same digest.
    """
    posts = resting_on(count)
    told = [[post.id, post.author, post.body] for post in posts]
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    span = f"{posts[0].number}-{posts[-1].number}" if posts else "none"
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()} posts {span}"


def resting_on(count: Votecount) -> tuple[Post, ...]:
    """The posts of the day in order: those in time, and where there was a hammer none behind it."""
    hammer, day = count.tally.hammer, count.day
    last = hammer.post if hammer else count.tally.at
    within = (post for number, post in sorted(count.posts.items()) if day.start <= number <= last)
    return tuple(post for post in within if count.rule.in_time(post.time, day.deadline))
