"""The end of a day: a thread that holds still, its final count, what to check by eye, the evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path

from knightfall.audience import View
from knightfall.config.setup import Setup
from knightfall.engine.entries import Ruled
from knightfall.errors import (
    EvidenceError,
    IncompleteRead,
    InputError,
    RateLimited,
    ServerFault,
    UnknownServer,
)
from knightfall.forums.base import Site
from knightfall.forums.sites import site_of
from knightfall.models import Post, PostId, Thread
from knightfall.sentence import Way, first_line, sentence
from knightfall.services.count.day_answers import earlier_nicknames
from knightfall.services.count.filed_posts import filed_elsewhere, note_filed_posts
from knightfall.services.count.request import post_parts
from knightfall.services.requests import PAUSE, PostFormat
from knightfall.services.session import (
    CountedAsKept,
    ForumDown,
    HeldStill,
    ReadAgain,
    Session,
)
from knightfall.services.threads import (
    Given,
    Kept,
    Link,
    Source,
    dialect_of,
    gather,
    habits_of,
    note_counted,
    versions_of,
)
from knightfall.storage.drafts import write_public
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.rule import Boundary, Tie
from knightfall.votes.tally import UNDECIDED, Fix, Outcome, Vote, Wagon, day_outcome
from knightfall.votes.votecount import Votecount, seen_by

TRIES = 6
"""So many reads, then the thread is told to be restless."""
SHOWN = 3
"""So many changed posts are named."""
FAULTS = (ServerFault, RateLimited, UnknownServer)
"""What may pass by itself: the server, the line, the name service."""
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 600.0
PATIENCE = 24 * 3600.0
"""For so many seconds a forum may be down before we give up."""
FEW = 5
"""With so many alive a wrong elimination can end the game."""
CERTAIN = frozenset({"exact", "alias", "no_elimination", "moderator"})
"""Rules by which a name leaves no doubt."""


@dataclass(frozen=True, slots=True)
class FinalCount:
    """The final count of a day, as the moderator may see it, and the thread that it was made of.

    `as_of` is when the later of two reads that agree began: whatever was posted before that is in it.
    """

    count: Votecount
    thread: Thread
    source: Source
    setup: Setup
    as_of: datetime

    @property
    def site(self) -> Site:
        """The site of the thread."""
        return site_of(self.thread.url or "")

    def with_fixes(self, fixes: tuple[Fix, ...]) -> Votecount:
        """The same count with these decisions beside those that were made."""
        setup = replace(self.setup, fixes=(*self.setup.fixes, *fixes))
        return count_of(setup, self.thread, self.count.day.number, self.as_of)


def final_count(
    setup: Setup,
    day: int | None,
    session: Session,
    pause: float = PAUSE,
    patient: bool = False,
    first: Callable[[Votecount], None] | None = None,
) -> FinalCount:
    """Count a day (None: the latest) once its thread holds still; each read is reported to the session.

    `patient`: a forum that is down is asked again for a day. `first` looks at the count of the first whole
    read, and may refuse what no second read would change. Raises EvidenceError where the thread does not hold
    still, and what reading and counting raise.
    """
    setup = replace(setup, nicknames=earlier_nicknames(setup.url, session))

    looked: tuple[Thread, Votecount] | None = None

    def look(thread: Thread, began: datetime) -> None:
        nonlocal looked
        if first is not None:
            looked = thread, count_of(setup, thread, day, began)
            first(looked[1])

    until = deadlines_past(setup, day)
    thread, began = _steady_thread(url_of(setup), until, session, pause, patient, look)
    session.report(HeldStill(len(thread.posts), pause))
    if looked is not None and looked[0] == thread and not _ran_out(looked[1], began):
        count = looked[1]
    else:
        count = count_of(setup, thread, day, began)
    source = Link(url_of(setup))
    note_counted(source, thread.url, count.tally.at, session)
    count = count.telling(filed_elsewhere(thread, session))
    note_filed_posts(thread, session)
    return FinalCount(count, thread, source, setup, began)


def kept_count(setup: Setup, day: int | None, session: Session) -> FinalCount:
    """Count a day from what was read before: for threads that only the moderator's browser may read.

    Raises InputError where nothing was, and what counting raises.
    """
    setup = replace(setup, nicknames=earlier_nicknames(setup.url, session))
    source: Source = Kept(url_of(setup)) if session.thread is None else Given(session.thread)
    thread, now = gather(source, session), session.clock.now()
    session.report(CountedAsKept(thread.posts[-1].number))
    count = count_of(setup, thread, day, now)
    note_counted(source, thread.url, count.tally.at, session)
    count = count.telling(filed_elsewhere(thread, session))
    note_filed_posts(thread, session)
    return FinalCount(count, thread, source, setup, now)


def count_of(setup: Setup, thread: Thread, day: int | None, as_of: datetime) -> Votecount:
    """The final count of what stands in a thread, as of an instant."""
    count = votecount(thread, habits_of(thread), setup, Ask(day), as_of)
    return replace(count, final=True)


def _ran_out(count: Votecount, at: datetime) -> bool:
    """Whether the time of a day was up at an instant, and not when it was counted: of the same posts nothing
    else follows from the clock."""
    deadline = count.day.deadline
    return count.outcome is None and deadline is not None and at >= count.rule.closes(deadline)


def _steady_thread(
    url: str,
    until: datetime | None,
    session: Session,
    pause: float,
    patient: bool,
    look: Callable[[Thread, datetime], None],
) -> tuple[Thread, datetime]:
    """Read every page until two reads in a row agree on the posts before `until` (None: on every post); the
    first one is looked at.

    Returns the thread and when the later read began. A thread that changes while it is read agrees with
    nothing. Raises EvidenceError where no two reads agree.
    """
    before: Thread | None = None
    why = ""
    for number in range(1, TRIES + 1):
        began = session.clock.now()
        try:
            thread = read_every_page(url, session, patient)
            if number == 1:
                look(thread, began)
            changed = () if before is None else tuple(changes(before, thread, until))
            if before is not None and not changed:
                return thread, began
            rest = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
            before, why = thread, f"{', '.join(changed[:SHOWN])}{rest}." if changed else ""
        except IncompleteRead as error:
            before, why = None, first_line(error)
        if number < TRIES:
            session.report(ReadAgain(number, TRIES, why, pause))
            session.clock.sleep(pause)
    raise EvidenceError(
        sentence(
            "The thread keeps changing: no two of {tries} reads, {pause:.0f} s apart, were the same. {why} "
            "Lock the thread, then try again.",
            tries=TRIES,
            pause=pause,
            why=why,
        )
    )


def read_every_page(url: str, session: Session, patient: bool = False) -> Thread:
    """Read a thread anew from first page to last; `patient`: again after growing pauses while it is down."""
    began, pause = session.clock.elapsed(), FIRST_PAUSE
    while True:
        try:
            return gather(Link(url, again=True), session)
        except FAULTS as fault:
            if not patient or session.clock.elapsed() - began > PATIENCE:
                raise
            session.report(ForumDown(first_line(fault), pause))
        session.clock.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def changes(before: Thread, after: Thread, until: datetime | None = None) -> Iterator[str]:
    """How the posts before `until` differ, one phrase a post: new, gone, or otherwise than before."""

    def mattering(thread: Thread) -> Mapping[PostId, Post]:
        # Only what surely is too late does not matter: a time that the page tells roughly proves nothing.
        return {
            post.id: post
            for post in thread.posts
            if until is None or post.time is None or post.approximate or post.time < until
        }

    def says(post: Post) -> tuple[int, str, str, bool]:
        return post.number, post.author, post.own, post.hidden

    old, new = mattering(before), mattering(after)
    for identity, post in new.items():
        if identity not in old:
            yield f"#{post.number} by {post.author} is new"
        elif says(old[identity]) != says(post):
            yield f"#{post.number} by {post.author} was changed"
    yield from (f"#{post.number} by {post.author} is gone" for key, post in old.items() if key not in new)


def url_of(setup: Setup) -> str:
    """The address of the game's thread. Raises InputError where the game file has none."""
    if setup.url is None:
        raise InputError(
            sentence(
                "The game has no game thread. The end of a day must be read from the forum itself. First: "
                "{name}.",
                name=Way("name_thread", role="game"),
            )
        )
    return setup.url


def deadlines_past(setup: Setup, day: int | None) -> datetime | None:
    """The first instant that is too late for the day (None: for every day of the file); None where posts
    count until the moderator locks, or a day has no deadline."""
    days = [one for one in setup.days if day in (None, one.number)]
    ends = [setup.rule.closes(one.deadline) for one in days if one.deadline]
    locks = setup.rule.boundary is Boundary.UNTIL_LOCK
    return max(ends) if ends and len(ends) == len(days) and not locks else None


def final_text(final: FinalCount, dialect: str | None = None, line: str = "") -> str:
    """The post with the final count, as players may see it, in a dialect (None: the site's own); `line`: the
    head of the log under it."""
    seen = seen_by(View.PUBLIC, final.count)
    speech = dialect_of(dialect, final.setup, final.site, final.thread.platform)
    site = None if dialect else final.site
    return "\n\n".join(post_parts(seen, speech, PostFormat(), final.setup, site, line))


def without_questions(count: Votecount) -> Votecount:
    """The count of a day that has ended, whose open questions change nothing."""
    return count.asking_nothing()


def keep_final(final: FinalCount, text: str, folder: Path) -> Path:
    """Write the post into the game's folder. Raises InputError where that cannot be."""
    return write_public(folder, f"votecount-{final.count.day.number}.F.txt", text)


def ending(count: Votecount) -> Outcome:
    """How the day ends if it ends now."""
    return day_outcome(count.tally, count.rule, count.day.number, over=True) or UNDECIDED


def leading_wagons(count: Votecount) -> tuple[Wagon, ...]:
    """Who has the most votes at the deadline, and enough of them; several are tied."""
    wagons = count.tally.wagons
    cast = sum(wagon.count for wagon in wagons)
    least = count.rule.needed_at_deadline(count.tally.alive, cast, count.day.number)
    if least is None:
        return ()
    return tuple(wagon for wagon in wagons if wagon.count == wagons[0].count >= least)


def choices_of(count: Votecount) -> Mapping[str, tuple[str, ...]]:
    """What the moderator may type to close a day, and who is eliminated then."""
    outcome, nobody = ending(count), count.terms.no_elimination
    if outcome != UNDECIDED:
        names = tuple(slot.name for slot in outcome.eliminated)
        return {", ".join(names) or nobody: names}
    # The rules leave a missed majority or a tie to the moderator: nobody, or one of those who lead; where
    # they leave a tie to chance, only one of the tied.
    wagons, tied = count.tally.wagons, leading_wagons(count)
    leading = (w.target.name for w in wagons if w.target and w.count == wagons[0].count)
    none: dict[str, tuple[str, ...]] = {nobody: ()}
    if is_drawn(count) and all(wagon.target for wagon in tied):
        none = {}
    return {**none, **{name: (name,) for name in leading}}


def is_drawn(count: Votecount) -> bool:
    """Whether the rule leaves who is eliminated to chance: a tie that is drawn."""
    return len(leading_wagons(count)) > 1 and count.rule.tie in (Tie.RANDOM, Tie.ANTI_TOWN)


def is_chosen(count: Votecount) -> bool:
    """Whether the rule leaves to the moderator who is eliminated, and there is a choice: nobody had the votes
    needed at the deadline, or the most were tied."""
    return ending(count) == UNDECIDED and not is_drawn(count) and len(choices_of(count)) > 1


def early_question(day: int) -> str:
    """What the ruling is about that a day was closed before its time."""
    return f"Does day {day} end before its time?"


@dataclass(frozen=True, slots=True)
class WhyDayEnded:
    """Why a day ended, as everybody may know it.

    `how` is “hammer”, “agreed” (all the living voted for the same), “early” (the moderator ended it, with the
    `reason` if that is public), “lock” or “deadline”. `votes` is what they had come to: “most” (one had more
    than all others), “tie”, “few” (nobody had enough), or "" where that is told elsewhere. `leaders` had the
    most, `decided`: the moderator chose; else the rule did, a tie by its `tie`, and took the one who `fell`.
    """

    how: str
    reason: str = ""
    votes: str = ""
    leaders: tuple[str, ...] = ()
    decided: bool = False
    tie: str = ""
    fell: str = ""


def why_ended(count: Votecount, early: Ruled | None, locked: bool) -> WhyDayEnded:
    """Why a day ended with this count; `early` is what the moderator noted of an end before its time,
    `locked` whether the thread was locked at its end."""
    if count.tally.hammer is not None:
        return WhyDayEnded("hammer")
    how, reason = "lock" if locked else "deadline", ""
    if early is not None:
        how = "early" if count.agreed is None else "agreed"
        reason = early.public_why if how == "early" else ""
    nobody, end = count.terms.no_elimination, ending(count)
    leaders = tuple(wagon.target.name if wagon.target else nobody for wagon in leading_wagons(count))
    votes = "tie" if len(leaders) > 1 else "most" if leaders else "few"
    fell = end.eliminated[0].name if end.eliminated else nobody
    return WhyDayEnded(how, reason, votes, leaders, is_chosen(count), count.rule.tie.value, fell)


def living_names(count: Votecount) -> tuple[str, ...]:
    """All who are alive at the end of a count and can vote or be voted for."""
    tally = count.tally
    voting = {vote.voter.name for wagon in tally.wagons for vote in wagon.votes}
    targets = {wagon.target.name for wagon in tally.wagons if wagon.target}
    return tuple(sorted(voting | targets | {slot.name for slot in tally.not_voting}))


def questions_decide(final: FinalCount) -> bool:
    """Whether the answers to the open questions of a count can change who is eliminated.

    Tried are the extremes: all such votes ignored, all of them unvotes, all of them for the same target.
    """
    posts = tuple(dict.fromkeys(doubt.post for doubt in final.count.questions))
    extremes = (
        tuple(Fix(post, ignore=True) for post in posts),
        tuple(Fix(post, unvote=True) for post in posts),
        *(tuple(Fix(post, to=target) for post in posts) for target in ("", *living_names(final.count))),
    )

    def falls(count: Votecount) -> tuple[frozenset[str], bool]:
        outcome = ending(count)
        if outcome != UNDECIDED:
            return frozenset(slot.name for slot in outcome.eliminated), False
        # A tie that chance or the moderator decides: it matters between whom.
        return frozenset(one.target.name if one.target else "" for one in leading_wagons(count)), True

    stands = falls(final.count)
    return bool(posts) and any(falls(final.with_fixes(fixes)) != stands for fixes in extremes)


@dataclass(frozen=True, slots=True)
class DecidingVote:
    """A vote that decides a day, and whether its post was edited."""

    vote: Vote
    edited: bool


@dataclass(frozen=True, slots=True)
class NarrowEnd:
    """Why a day ends narrowly, and the votes to check by eye, what may be wrong with one first.

    `margin` (None: it is wide) is in votes; `exact_hammer`: the hammer was exactly the votes needed; `alive`
    (None: many) is how few are left; `locked`: votes lock on this day.
    """

    margin: int | None
    exact_hammer: bool
    alive: int | None
    locked: bool
    votes: tuple[DecidingVote, ...]


def narrow_end(final: FinalCount, session: Session) -> NarrowEnd | None:
    """What to check by eye before a day is closed; None where its end is not narrow, or nobody has a vote."""
    count = final.count
    tally, wagons, hammer = count.tally, count.tally.wagons, count.tally.hammer
    lead = margin(wagons) if wagons and margin(wagons) <= 1 else None
    hammered = tuple(wagon for wagon in wagons if hammer and wagon.target == hammer.target)
    exact = any(wagon.count == wagon.needed for wagon in hammered)
    alive = tally.alive if tally.alive <= FEW else None
    locked = count.day.number in count.rule.locked_at

    # The wagon that decides, and without a hammer all that are within one vote of it.
    if hammer:
        deciding: tuple[Wagon, ...] = hammered
    else:
        fallen = {slot.name for slot in ending(count).eliminated}
        near = (wagon for wagon in wagons if wagon.count >= wagons[0].count - 1)
        deciding = tuple(sorted(near, key=lambda w: w.target is None or w.target.name not in fallen))
    narrow = lead is not None or exact or alive is not None or locked
    if not narrow or not any(wagon.votes for wagon in deciding):
        return None

    # Edited posts first, then names that were not written exactly, the least sure first.
    votes = []
    for vote in chain.from_iterable(wagon.votes for wagon in deciding):
        post = count.posts.get(vote.post)
        noted = post is not None and bool(post.edited or post.edit_note)
        edited = noted or len(versions_of(final.thread.url or "", vote.post, session=session)) > 1
        votes.append(DecidingVote(vote, edited))
    votes.sort(key=lambda one: (not one.edited, one.vote.rule in CERTAIN, one.vote.score, one.vote.post))
    return NarrowEnd(lead, exact, alive, locked, tuple(votes))


def margin(wagons: tuple[Wagon, ...]) -> int:
    """Votes between the top two; all of the top one's where it is alone."""
    sizes = [wagon.count for wagon in wagons[:2]]
    return sizes[0] - sizes[1] if len(sizes) > 1 else sum(sizes)


def last_of_evidence(count: Votecount) -> Post | None:
    """The last post that the count rests on; None where there is none."""
    return next(iter(_evidence(count)[-1:]), None)


def _evidence(count: Votecount) -> tuple[Post, ...]:
    """The posts of the day in order: those in time, and where there was a hammer none behind it."""
    hammer, day = count.tally.hammer, count.day
    last = hammer.post if hammer else count.tally.at
    within = (post for number, post in sorted(count.posts.items()) if day.start <= number <= last)
    return tuple(post for post in within if count.rule.in_time(post.time, day.deadline))


def evidence_of(count: Votecount) -> str:
    """The digest of the posts that the count rests on, and their numbers: “sha256:9f2c… posts 1-84”.

    It is over id, author and own body of each, so the same posts read at any later time give the same digest.
    """
    posts = _evidence(count)
    text = json.dumps(
        [[post.id, post.author, post.own] for post in posts], ensure_ascii=False, separators=(",", ":")
    )
    span = f"{posts[0].number}-{posts[-1].number}" if posts else "none"
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()} posts {span}"
