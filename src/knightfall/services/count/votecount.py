"""The votecount of a thread or a game: counted, with what stands beside it, and laid out as a post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from knightfall.audience import View
from knightfall.forums.exchange import Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect
from knightfall.models import PageSeen, PostChange, PostMark, Thread
from knightfall.sentence import Way, sentence
from knightfall.services.count.day_answers import NOT_KEPT, answering, config_of, earlier_house
from knightfall.services.count.remembered_votes import votes_remembered
from knightfall.services.count.request import ask_of, check_format, post_parts, thread_asked
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.threads import (
    Kept,
    Link,
    Source,
    dialect_of,
    habits_of,
    is_rich,
    news_of,
    note_counted,
    old_pages,
    read_again,
)
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.known import whether_they_live
from knightfall.votes.tally import Doubt, Uncounted, UncountedReason
from knightfall.votes.votecount import ClockDoubt, Votecount, clock_doubt, seen_by
from knightfall.writeups.facts import votecount_json

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.engine.entries import Published


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, and where it came from."""

    count: Votecount
    source: Source
    thread: Thread
    setup: Setup | None
    site: Site
    news: tuple[PostChange, ...] = ()
    """What the first of two reads found changed, where pages were read again for this count."""


@dataclass(frozen=True, slots=True)
class VotecountAnswer:
    """A count as it was asked for, with what stands beside it.

    `counted` is all of it, for the moderator; `seen` is what may be seen in the view of the request. `news`
    is what changed in the thread since it was read before. `uncounted` looks like a vote and does not count,
    without the moderator's own posts; `repeated` are quotes of votes that were read where they stand.
    """

    counted: Counted
    seen: Votecount
    news: tuple[PostChange, ...]
    uncounted: tuple[Uncounted, ...]
    repeated: tuple[Uncounted, ...]
    now: datetime
    old: tuple[PageSeen, ...] = ()
    """The pages that were not read of late."""
    clock: ClockDoubt | None = None
    """A post that may have been in time or late, since nobody knows the zone of its time."""
    earlier_house: tuple[str, ...] = ()
    """What was answered about the house of an earlier game on the site, where nothing was about this one."""

    @property
    def questions(self) -> tuple[Doubt, ...]:
        """The votes that wait for the moderator; until then they change nothing."""
        return self.counted.count.questions

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each decision of the moderator that has lost its post."""
        return self.counted.count.lost

    @property
    def to_say(self) -> tuple[str, ...]:
        """What the moderator has to say of who lives and of the form of votes before anybody can tell what
        decides: why, and how."""
        count = self.counted.count
        asked = whether_they_live(count.known, count.day.number)
        return (*count.known.asks, *asked) if count.known.asks else ()

    def to_dict(self) -> Mapping[str, Any]:
        """The count as JSON values, without the number of their schema."""
        return votecount_json(self.seen)


@dataclass(frozen=True, slots=True)
class VotecountPost:
    """The post of a count in a dialect, in as many parts as the site needs."""

    parts: tuple[str, ...]
    dialect: str

    @property
    def text(self) -> str:
        """The parts with a blank line between them."""
        return "\n\n".join(self.parts)

    @property
    def rich(self) -> bool:
        """Whether the site's editor takes formatted text, not markup."""
        return is_rich(self.dialect)


def count_votes(request: CountRequest, session: Session) -> VotecountAnswer:
    """Count the votes of the thread that is asked for.

    Raises what a count raises, and InputError for a dialect, a theme or a template that there is not, before
    anything is read.
    """
    if request.dialect:
        dialect(request.dialect)
    check_format(request.format)
    return answer_of(counted(request, session), request, session)


def answer_of(done: Counted, request: CountRequest, session: Session) -> VotecountAnswer:
    """The answer of a count that was made."""
    done = with_footnotes(done) if request.footnotes else done
    uncounted: list[Uncounted] = []
    repeated: list[Uncounted] = []
    for missed in done.count.not_counted:
        if done.count.repeats(missed):
            repeated.append(missed)
        elif missed.why is not UncountedReason.MODERATOR_POST:
            uncounted.append(missed)
    news = (*done.news, *news_of(done.source, done.thread.url, session))
    old = old_pages(done.source, done.thread.url, session)
    seen = seen_by(request.view, done.count)
    now = session.clock.now()
    asked = ask_of(request, done.setup, session).at_time
    doubt = clock_doubt(done.count, now, asked)
    earlier = earlier_house(done.thread, session) if done.setup is None else ()
    return VotecountAnswer(done, seen, news, tuple(uncounted), tuple(repeated), now, old, doubt, earlier)


def post_of(answer: VotecountAnswer, request: CountRequest, session: Session) -> VotecountPost:
    """The post of a count.

    Raises InputError for a template or a limit that cannot be, SecretGuard where players may see it and it
    gives something away for which `request.allow` has no reason.
    """
    done = answer.counted
    speech = dialect_of(request.dialect, done.setup, done.site, done.thread.platform)
    site = None if request.dialect else done.site
    if request.view is not View.PUBLIC or session.game is None:
        return VotecountPost(post_parts(answer.seen, speech, request.format, done.setup, site), speech)
    from knightfall.services.guard import released  # a thread alone need not wait for the games
    from knightfall.services.heads import log_line

    parts = post_parts(answer.seen, speech, request.format, done.setup, site, log_line(session))
    post = VotecountPost(parts, speech)
    released(post.text, session, request.allow)
    return post


@in_turn
def note_as_posted(post: VotecountPost, answer: VotecountAnswer, session: Session) -> Published:
    """Write down that the post of a count went out. Raises InputError without a game."""
    from knightfall.services.publish import note_posted, votecount_kind

    count = answer.counted.count
    kind = votecount_kind(count.day.number)
    last = count.posts.get(count.tally.at)
    upto = PostMark.of(last) if last else count.tally.at
    return note_posted(kind, post.text, upto, journal_of(session), session)


def note_as_counted(answer: VotecountAnswer, session: Session) -> None:
    """Write down how far the thread was counted: a later change of one of these posts is told as such."""
    done = answer.counted
    note_counted(done.source, done.thread.url, done.count.tally.at, session)
    if session.game is not None and isinstance(done.source, Link | Kept):
        from knightfall.services.count.filed_posts import note_filed_posts  # a thread alone has no file

        note_filed_posts(done.thread, session)


def counted(request: CountRequest, session: Session) -> Counted:
    """The count that is asked for, as the moderator may see it."""
    setup, source, thread = thread_asked(request, session)
    site, ask = site_of(thread.url or ""), ask_of(request, setup, session)
    answers = session.answers
    session = answering(request, setup, thread, session)
    count, news = count_of(thread, site, setup, ask, session), tuple[PostChange, ...]()
    if isinstance(source, Link) and thread.url is not None:
        # What decides is claimed of fresh pages only: a vote on an earlier page may have been edited.
        for _ in range(CHECKS):
            telling = claimed_on(count)
            stale = [page for page in old_pages(source, thread.url, session) if telling & set(page.posts)]
            if not stale:
                break
            news = (*news, *news_of(source, thread.url, session))
            thread = read_again(thread.url, stale, session)
            count = count_of(thread, site, setup, ask, session)
    if session.game is not None and isinstance(source, Link | Kept):
        from knightfall.services.count.filed_posts import filed_elsewhere  # a thread alone has no file

        count = count.telling(filed_elsewhere(thread, session))
    if session.answers != answers:
        count = count.telling((NOT_KEPT,))
    return Counted(count, source, thread, setup, site, news)


CHECKS = 5
"""So often another wagon may lead after pages were read again."""


def claimed_on(count: Votecount) -> frozenset[int]:
    """The posts with the votes of the leading wagons, where the count says that they decide: a hammer, one
    vote short of it, or the end of the day. None else."""
    wagons, hammer = count.tally.wagons, count.tally.hammer
    decides = hammer is not None or count.outcome is not None or any(wagon.lacks == 1 for wagon in wagons)
    if not decides or not wagons:
        return frozenset()
    target = hammer.target if hammer else None
    leading = (
        wagon
        for wagon in wagons
        if wagon.count == wagons[0].count or wagon.lacks in (0, 1) or (hammer and wagon.target == target)
    )
    return frozenset(vote.post for wagon in leading for vote in wagon.votes)


def count_of(thread: Thread, site: Site, setup: Setup | None, ask: Ask, session: Session) -> Votecount:
    """The count of a thread with what the game's journal adds: its number, and what moved since the one that
    was posted; and who is due a prod, where the latest count is asked for. Raises as `votecount`."""
    config = config_of(setup, thread, session)
    habits = habits_of(thread, site)
    with votes_remembered(thread, habits, config, session):
        count = votecount(thread, habits, config, ask, session.clock.now())
    if session.ledger is not None:
        from knightfall.services.publish import numbered

        count = numbered(count, journal_of(session))
    latest = ask.at_post is None and ask.at_time is None
    if session.ledger is not None and latest:
        count = _beside_the_game(count, ask, session)
    if setup is not None and setup.prods.after is not None and latest and not setup.votes_apart:
        from knightfall.services.count.activity import due_names, measured

        count = replace(count, due=due_names(measured(thread, setup, ask, session.clock.now())))
    return count


def _beside_the_game(count: Votecount, ask: Ask, session: Session) -> Votecount:
    """The count as the final one, where its day was closed; with a sentence on that, and one where another
    day than the one that was counted is open in the game, if nobody asked for this one."""
    from knightfall.config.calendar import closed_day, day_of
    from knightfall.engine.journal import window_name
    from knightfall.services.now import now_of
    from knightfall.services.running import begun

    journal, day, said = journal_of(session), count.day.number, list[str]()
    closed = closed_day(journal, day)
    if closed is not None:
        said.append(f"Day {day} was closed with entry {closed.number}: this is its final count.")
        said.extend(count.lost)
        count = replace(count.asking_nothing(), final=True)
    windows = now_of(session).running.windows if ask.day is None and begun(journal) else ()
    for window in windows:
        number = day_of(window_name(window)) or day
        if number > day:
            said.append(
                sentence(
                    "{window} is open, and no post of it was read yet: {read}",
                    window=window.title,
                    read=Way("read"),
                )
            )
        elif number < day:
            said.append(f"In the game it is {window.title} still.")
    return count.telling(said)


def with_footnotes(done: Counted, *, reasons: bool = True) -> Counted:
    """The count with the moderator's decisions on its posts under its post, and their `reasons`."""
    from knightfall.writeups.journal import footnote
    from knightfall.writeups.vote_words import REASONS

    count = done.count
    notes = list[str]()
    for fix in sorted(count.fixes, key=lambda fix: fix.post):
        effect = count.fix_effect(fix)
        if effect.before or effect.behind:
            continue
        if effect.post is not None and effect.post.hidden:
            notes.append(f"{footnote(fix, reason=reasons)}, but does not count: deleted or hidden")
        elif effect.missed and not effect.votes and not fix.ignore:
            missed = REASONS[effect.missed[-1].why]
            notes.append(f"{footnote(fix, reason=reasons)}, but does not count: {missed}")
        else:
            notes.append(footnote(fix, "counts", reason=reasons))
    return replace(done, count=count.telling(notes=notes))
