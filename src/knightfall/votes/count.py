"""Count the votes of a thread, with or without a game file.

The moderator's file speaks where it speaks; what it leaves open is taken from the thread itself, and every
such assumption is told in one line.

`votecount` is the way from a thread to its count, four values in this order, none changed after it was made:
the `Basis` (the day, the people, the ballots of its posts, what the moderator decided), the `Rule` as it
applies, the `Tally` by it, and the `Remarks` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from knightfall.errors import IncompleteRead, InputError
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Departure, DepartureKind, Post, Roster, Thread, VoteMark
from knightfall.names import Matched, squash
from knightfall.sentence import Sentence, Way, sentence
from knightfall.votes import hammer_check
from knightfall.votes.ballots import Forms, Frame, parse_forms, platform_forms
from knightfall.votes.config import NOT, Ask, CountConfig, DaySetup, RosterChange, with_changes
from knightfall.votes.deadlines import Ending, ending_of, late_hammer, left_behind
from knightfall.votes.frames import Use, frames_in, is_known
from knightfall.votes.house import House, house_of
from knightfall.votes.house_form import form_known, house_questions
from knightfall.votes.known import (
    UNSAID,
    How,
    Knowledge,
    Known,
    Reading,
    lives_sentence,
    moderators_sentence,
    threshold_question,
    unopened_sentence,
    whether_they_live,
)
from knightfall.votes.living import Living, PlayersTold, living_at, renamed_in
from knightfall.votes.near_misses import VotesFound, read_votes, read_votes_and_misses
from knightfall.votes.nicknames import DayRead
from knightfall.votes.player_list import Renamed, renamed_accounts
from knightfall.votes.players_told import players_answered, players_told
from knightfall.votes.post_marks import Became, Strayed, bind
from knightfall.votes.questions import informed
from knightfall.votes.remarks import Remarks, uncounted_and_missed
from knightfall.votes.rule import NoElim, Rule, forms_sentence
from knightfall.votes.second_count import SecondCount, second_count, shown_votes
from knightfall.votes.tally import (
    Day,
    Doubt,
    Fix,
    Moderation,
    Tally,
    Uncounted,
    UncountedReason,
    day_outcome,
    tally,
)
from knightfall.votes.thread_read import ThreadRead, read_thread, renamed_by_counts
from knightfall.votes.vote_parser import BodyReader, PostReader, body_reader
from knightfall.votes.votecount import Votecount


@dataclass(frozen=True, slots=True)
class Habits:
    """How the thread's site writes: the markup of its bodies, and in which forms votes count there where
    nobody says otherwise (none: the platform's own)."""

    html_style: HtmlStyle
    forms: tuple[str, ...] = ()


def votecount(thread: Thread, habits: Habits, config: CountConfig, ask: Ask, now: datetime) -> Votecount:
    """The count that is asked for. Raises IncompleteRead where posts are missing, InputError where there is
    nobody to count or the day is not known."""
    return _sources(thread, habits, config, ask).count(ask, now)


def reader_of(thread: Thread, habits: Habits, config: CountConfig) -> BodyReader:
    """What the counts of a thread read its posts with."""
    return body_reader(habits.html_style, _rule_of(thread, habits, config).forms)


def _rule_of(thread: Thread, habits: Habits, config: CountConfig) -> Rule:
    """The rule of the file, with the forms of the site where the file names none."""
    if config.forms_given:
        return config.rule
    own = habits.forms
    return replace(config.rule, forms=parse_forms(own) if own else platform_forms(thread.platform))


@dataclass(frozen=True, slots=True)
class Basis:
    """What the count of a day stands on, as far as post `until`: the ballots that were read, near misses only
    in a count, what the moderators (in lower case) decided on posts, and the rule of the house.

    `living` are the readings of who plays that are possible, that which is counted by first; `known` tells
    how day, living and rule are known. `asked` are the posts that wait for the moderator's decision, whose
    votes change nothing until then: those that changed since they decided, and a hammer that their own words
    deny.
    `assumed` tells what neither the file nor a post says.
    """

    day: Day
    until: int
    living: tuple[Living, ...]
    moderators: frozenset[str]
    house: Rule
    read: VotesFound
    moderation: Moderation
    known: Knowledge
    assumed: tuple[str, ...] = ()
    asked: tuple[Doubt, ...] = ()
    needed_said: bool = False
    """Whether the moderator answered how many votes eliminate on the day, whoever lives."""

    @property
    def roster(self) -> Roster:
        """Who plays, by the reading that is counted by."""
        return self.living[0].roster

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why nobody can tell who lives or when the day began."""
        return (*self.known.day.doubts, *self.known.living.doubts)

    @property
    def bounded(self) -> bool:
        """Whether the readings are all that are possible: one alone without a doubt, or several."""
        sure = self.needed_said or len(self.living) > 1 or not self.known.living.doubts
        return not self.known.day.doubts and sure

    @property
    def rule(self) -> Rule:
        """The rule as it applies as far as the basis tells: without a threshold where more is possible than
        one reading."""
        return self.rule_by(self.living[0], threshold=self.needed_said or not self.doubts)

    def rule_by(self, living: Living, threshold: bool = True) -> Rule:
        """The rule as it applies by one reading."""
        needed = self.house.fixed_needed or living.needed
        return replace(self.house, fixed_needed=needed, threshold=threshold)

    def tally_by(self, living: Living, rule: Rule, until: int | None = None) -> Tally:
        """The count by one reading, as of post `until` (None: the last that counts)."""
        last = self.until if until is None else until
        return tally(self.read.ballots, living.roster, rule, self.day, last, self.moderation)

    def asking(self, doubt: Doubt) -> Basis:
        """What the count stands on where the votes of one more post wait for the moderator."""
        fixes = {**self.moderation.fixes, doubt.post: Fix(doubt.post, ignore=True)}
        moderation = replace(self.moderation, fixes=fixes)
        return replace(self, moderation=moderation, asked=(*self.asked, doubt))

    def with_shown(self, fixes: Iterable[Fix]) -> Basis:
        """What the count stands on with votes as the moderator's own counts show them."""
        moderation = replace(
            self.moderation, fixes={**self.moderation.fixes, **{fix.post: fix for fix in fixes}}
        )
        return replace(self, moderation=moderation)

    def day_read(self, rule: Rule | None = None) -> DayRead:
        """The day as it was read, by that rule (None: as the basis tells it), without the moderator's own
        votecounts of it."""
        ballots = tuple(self.read.ballots)
        return DayRead(self.day, self.until, self.roster, rule or self.rule, ballots, self.moderation)


@dataclass(frozen=True, slots=True)
class Settled:
    """A day counted: the basis with what the moderator's own words settle, the rule as it applies and how its
    threshold is known, the tally, the day as it was read with their votecounts, and the votes in doubt."""

    basis: Basis
    rule: Rule
    needed: Known
    counted: Tally
    today: DayRead
    doubts: tuple[Doubt, ...]


def bases(thread: Thread, habits: Habits, config: CountConfig, ask: Ask) -> tuple[Basis, ...]:
    """What the counts of all days up to the one that is asked for stand on, oldest first. Raises as
    `votecount`."""
    sources = _sources(thread, habits, config, ask)
    last = sources.basis(ask)
    return (*(sources.basis(replace(ask, day=day)) for day in sources.days_before(last.day.number)), last)


def standing_on(
    thread: Thread, habits: Habits, config: CountConfig, ask: Ask
) -> tuple[tuple[Day, ...], Basis]:
    """The days up to the one that is asked for, oldest first, and what the count of that one stands on; what
    was voted before is not read. Raises as `votecount`."""
    sources = _sources(thread, habits, config, ask)
    last = sources.basis(ask)
    until = _last_post(thread.posts, ask)
    earlier = (sources.day(replace(ask, day=day), until)[0] for day in sources.days_before(last.day.number))
    return (*earlier, last.day), last


def days_settled(
    thread: Thread, habits: Habits, config: CountConfig, ask: Ask
) -> tuple[ThreadRead, tuple[Settled, ...]]:
    """What the moderators' posts tell, and every day up to the one that is asked for, counted, oldest first.
    Raises as `votecount`."""
    sources = _sources(thread, habits, config, ask)
    last = sources.settled(ask)
    earlier = (sources.settled(replace(ask, day=day)) for day in sources.days_before(last.basis.day.number))
    return sources.told(), (*earlier, last)


def _sources(thread: Thread, habits: Habits, config: CountConfig, ask: Ask) -> _Sources:
    """The sources of a count, every decision bound to its post as the thread reads now. Raises IncompleteRead
    where posts are missing."""
    _refuse_gaps(thread, ask)
    bound, strayed = bind(config, thread.posts)
    return _Sources(thread, habits, bound, _last_post(thread.posts, ask), strayed)


def _refuse_gaps(thread: Thread, ask: Ask) -> None:
    """Refuse a thread with gaps, but for a count as of a post before the first of them. As of a time, a later
    post must be there too: the next one missing might have been in time."""
    if not thread.posts:
        raise IncompleteRead("The thread has no posts, so there is nothing to count.")
    if thread.complete:
        return
    sure = ""
    if thread.whole_to is not None:
        if ask.at_post is not None and _last_post(thread.posts, ask) <= thread.whole_to:
            return
        if ask.at_time is not None and _last_post(thread.posts, ask) < thread.whole_to:
            return
        sure = sentence(
            " Nothing is missing up to post {post}. To count up to there: {at}",
            post=thread.whole_to,
            at=Way("field", name="at", value=thread.whole_to),
        )
    missing = " ".join(thread.missing)
    raise IncompleteRead(
        sentence("{missing} Count withheld: posts are missing.{sure}", missing=missing, sure=sure)
    )


def _last_post(posts: tuple[Post, ...], ask: Ask) -> int:
    """The last post that counts for what is asked."""
    first, last = posts[0].number, posts[-1].number
    if ask.at_post is not None:
        if not first <= ask.at_post <= last:
            raise InputError(f"Post {ask.at_post} is not in this thread, which goes from {first} to {last}.")
        return ask.at_post
    if ask.at_time is None:
        return last
    moment = ask.at_time
    before = [post.number for post in posts if post.time is not None and post.time <= moment]
    if not before:
        raise InputError(f"This thread has no post from before {moment.isoformat()}.")
    return max(before)


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where the count's facts come from: the file first, the thread else."""

    thread: Thread
    habits: Habits
    config: CountConfig
    last: int
    """The last post that was asked for: what later ones tell is not known yet."""
    strayed: tuple[Strayed, ...] = ()
    """Decisions whose posts are not as they were decided on."""
    known_starts: dict[int, int] = field(default_factory=dict, init=False)
    """What `starts` found: the posts are searched once, however many days are asked for."""
    known_thread: list[ThreadRead] = field(default_factory=list, init=False)
    """What `told` found, once."""
    known_fallen: dict[int, frozenset[str]] = field(default_factory=dict, init=False)
    """What `_fallen` found."""
    known_house: list[House] = field(default_factory=list, init=False)
    """What `house` found, once."""

    def basis(self, ask: Ask, read: Callable[[Iterable[Post], PostReader], VotesFound] = read_votes) -> Basis:
        """All that the count of a day stands on; `read` finds its ballots, with near misses or without."""
        posts, config = self.thread.posts, self.config

        # The day, and up to which post.
        until = _last_post(posts, ask)
        day, day_known, left_out = self.day(ask, until)
        until = until if day.end is None else min(until, day.end)

        # Who moderates and who plays, as the file or the thread tells.
        moderators = frozenset(config.moderators or self.told().moderators)
        folded = frozenset(name.casefold() for name in moderators)
        rule, answer = self._rule().on_day(day.number), config.answer(day.number)
        if answer is not None and answer.needed is not None:
            rule = replace(rule, fixed_needed=answer.needed)
        moderating = "" if config.moderators else moderators_sentence(self.told().moderators)
        if config.roster is None:
            players = self._players(moderators, day, until)
            if players.fewer_for_nobody:
                rule = replace(rule, no_elimination=NoElim.ONE_FEWER)
            # With what became of them since and the aliases given; by the names of who held the slots then.
            rosters = [self._as_of(one.roster, day, until) for one in players.readings]
        else:
            rosters = [self._as_of(config.roster, day, until)]
            filed = Living(rosters[0], len(rosters[0].alive_at(until)))
            players = PlayersTold((filed,), "", answered=True)

        # The forms of a vote here, and the ballots in the posts of the day. `decided` are the posts on which
        # the moderator has ruled, `any_form` those that they made count in whatever form.
        decided = frozenset(fix.post for fix in config.fixes)
        any_form = frozenset(fix.post for fix in config.fixes if fix.count)
        of_day = (post for post in posts if day.start <= post.number <= until)
        found = read(of_day, PostReader(self.habits.html_style, rule.forms, folded, decided, any_form))
        if self.house().elsewhere is not None:
            found = found.elsewhere()
        found = found.without_voteless(self.house().marks)
        found = found.naming(rosters[0], self.house().nobody | config.terms.nobody_words)

        # Accounts that were renamed since the list was made: by the moderator's counts where nobody lists the
        # players, then by who is left.
        authors = frozenset(post.author for post in posts)
        renamed: tuple[Renamed, ...] = ()
        if config.roster is None:
            reader = body_reader(self.habits.html_style, rule.forms)
            renamed = renamed_by_counts(self.told(), posts, rosters[0], reader, until)
        rosters = [renamed_in(roster, renamed) for roster in rosters]
        rest = renamed_accounts(rosters[0], authors, found.ballots, folded)
        rosters = [renamed_in(roster, rest) for roster in rosters]
        inferred = [
            f"{one.author} votes but is not listed, and {one.slot.name} is listed "
            f"and never posts: taken for one player. If they are two, list {one.author} too."
            for one in (*renamed, *rest)
        ]

        # What the moderator decided on posts; the votes of a post that changed since wait for them again.
        changed = self._changed(day, until, found)
        fixes = {fix.post: fix for fix in config.fixes}
        fixes |= {doubt.post: Fix(doubt.post, ignore=True) for doubt in changed}
        house = self.house().said
        told = (moderating, players.said, day_known.said, *left_out, *inferred, *house)
        readings = zip(players.readings, rosters, strict=True)
        return Basis(
            day=day,
            until=until,
            living=tuple(replace(one, roster=roster) for one, roster in readings),
            moderators=folded,
            house=rule,
            read=found,
            moderation=Moderation(
                folded, fixes, config.terms.nobody_words | self.house().nobody, self._ahead(ask, day)
            ),
            known=Knowledge(
                day=day_known,
                living=_living_known(players, rosters, until),
                rule=self._rule_known(rule, until),
                tie=UNSAID if self.house().tie_said else Known(How.OPEN),
            ),
            assumed=tuple(one for one in told if one),
            asked=changed,
            needed_said=answer is not None and answer.needed is not None,
        )

    def settled(
        self, ask: Ask, read: Callable[[Iterable[Post], PostReader], VotesFound] = read_votes
    ) -> Settled:
        """The basis of a day with all that the moderator's own words settle of it, and the count by it."""
        basis = self.basis(ask, read)
        rule, needed, counted = self._counted(basis)
        denied = self._denied_hammer(counted, basis)
        if denied is not None:
            # The vote waits for the moderator, and the day is counted without it from the start.
            basis = basis.asking(denied)
            rule, needed, counted = self._counted(basis)
        today = basis.day_read(rule).with_counts_in(self.thread.posts, self.habits.html_style)
        doubts = self._informed(today, counted, ask)
        shown = tuple(shown_votes(doubts, today, counted))
        if shown:
            # What the moderator's own counts show of the votes in doubt is taken, and said.
            basis = basis.with_shown(shown)
            rule, needed, counted = self._counted(basis)
            today = basis.day_read(rule).with_counts(today.posted)
            doubts = self._informed(today, counted, ask)
        return Settled(basis, rule, needed, counted, today, doubts)

    def count(self, ask: Ask, now: datetime) -> Votecount:
        """The count of a day with all that its post says beside it."""
        found = self.settled(ask, read_votes_and_misses)
        basis, rule, counted, day = found.basis, found.rule, found.counted, found.basis.day
        asked = {doubt.post for doubt in basis.asked}
        unheard, config = self._unheard(found), self.config
        declined = {word.removeprefix(NOT) for word in config.house if word.startswith(NOT)}
        form = form_known(unheard, basis.roster, _voting(counted), declined, config.filed)
        house = (rule, basis.known.rule, day, unheard, basis.roster, counted.questions, config.house)

        # A count as of an earlier moment never ends the day.
        latest = ask.at_post is None and ask.at_time is None
        past_deadline = day.deadline is not None and now >= rule.closes(day.deadline)
        past_end = day.end is not None and counted.at >= day.end
        return Votecount(
            title=self.config.title or self.thread.title,
            day=day,
            tally=counted,
            rule=rule,
            posts={post.number: post for post in self.thread.posts},
            terms=self.config.terms,
            zone=self.config.zone,
            known=replace(basis.known, needed=found.needed, form=form),
            house=() if config.filed else house_questions(*house),
            remarks=self._remarks(found, form, ask),
            complete=True,  # as of what was asked: see _refuse_gaps
            said=frozenset(squash(ballot.line) for post in basis.read.ballots for ballot in post.ballots),
            outcome=day_outcome(counted, rule, day.number, latest and (past_deadline or past_end)),
            fixes=tuple(
                fix for post, fix in basis.moderation.fixes.items() if post not in asked and fix.shown is None
            ),
            second=_second(found.today, counted, {one.post for one in basis.living}),
        )

    def _counted(self, basis: Basis) -> tuple[Rule, Known, Tally]:
        """The rule as it applies, how its threshold is known, and the tally by it.

        Where several readings of the living are possible the day is counted by each of them; where they do
        not agree, or the moderator's posts speak against the hammer, it is counted by a rule without one.
        """
        first, *others = basis.living
        against: tuple[str, ...] = ()
        if basis.bounded:
            rule = basis.rule_by(first)
            counted = basis.tally_by(first, rule)
            apart = (other for other in others if not _agree(basis, first, counted, other))
            if next(apart, None) is None:
                against = tuple(self._hammer_doubts(counted, basis))
                if not against:
                    return rule, self._needed_known(basis, rule, counted), counted
        rule = basis.rule_by(first, threshold=False)
        said = threshold_question(basis.day.number) if rule.by_majority(basis.day.number) else ""
        if basis.bounded and others and said:
            against = (*against, *(_by_reading(basis, one) for one in basis.living))
        needed = Known(How.OPEN, _thresholds(basis), said, against)
        return rule, needed, basis.tally_by(first, rule)

    def _needed_known(self, basis: Basis, rule: Rule, counted: Tally) -> Known:
        """How the threshold is known, where nothing speaks against it and every reading agrees on it."""
        if counted.needed is None:
            return Known(basis.known.rule.how)
        how = basis.known.living.how
        if self.config.rule.fixed_needed or basis.needed_said:
            how = How.KNOWN
        elif rule.fixed_needed or how is How.OPEN:
            how = How.READ
        said = ""
        if len(basis.living) > 1 and counted.hammer is not None:
            said = f"Whichever of these is right, post #{counted.hammer.post} is the hammer."
        elif len(basis.living) > 1:
            said = f"Whichever of these is right, it takes {counted.needed} votes."
        first = basis.living[0]
        return Known(how, (Reading(counted.needed, first.stated or first.post),), said)

    def _unheard(self, found: Settled) -> Mapping[Frame, tuple[Use, ...]]:
        """What players write in frames that are not known to count, where few vote in a form that is."""
        basis, tally = found.basis, found.counted
        if self.config.forms_given or self.house().elsewhere is not None:
            return {}
        if 2 * len(_voting(tally)) > tally.alive:
            return {}
        of_day = (post for post in self.thread.posts if basis.day.start <= post.number <= tally.at)
        players = [p for p in of_day if not p.hidden and p.author.casefold() not in basis.moderators]
        frames = frames_in(players, self.habits.html_style, found.today.names_at(tally.at))
        return {one: uses for one, uses in frames.items() if not is_known(one, basis.rule.forms.accepted)}

    def _remarks(self, found: Settled, form: Known, ask: Ask) -> Remarks:
        """What the moderator should know beside the tally."""
        basis, needed, counted = found.basis, found.needed, found.counted
        day, roster, fixes = basis.day, basis.roster, basis.moderation.fixes

        # What looks like a vote and does not count. A moderator's own post is not read for votes, whatever
        # was decided on it.
        ruled = (post for post in self.thread.posts if post.number in fixes) if fixes else ()
        own = (post for post in ruled if post.author.casefold() in basis.moderators)
        decided = (
            Uncounted(post.number, post.author, fix.why, UncountedReason.MODERATOR_POST, post.url)
            for post in own
            if day.start <= post.number <= counted.at and not (fix := fixes[post.number]).ignore
        )
        misses = basis.read.concerning(roster, basis.moderators)
        missed = (one for one in misses if one.post not in fixes)

        # Edits, voters who are not listed, deleted posts; and in which forms votes count, where the file does
        # not say.
        read = [post for post in basis.read.ballots if day.start <= post.number <= counted.at]
        edited = [f"#{post.number}" for post in read if post.edited]
        strangers = dict.fromkeys(post.author for post in read if roster.slot_of(post.author) is None)
        of_day = (post for post in self.thread.posts if day.start <= post.number <= basis.until)
        hidden = [f"#{post.number}" for post in of_day if post.hidden]
        lost, astray = self._lost(basis, ask)
        asked = list(whether_they_live(basis.known, day.number))
        if basis.known.living.how is How.OPEN:
            asked.insert(0, sentence(NOT_LISTED))
        assumed = [
            *basis.assumed,
            *self.house().untold,
            *basis.doubts,
            *asked,
            *needed.doubts,
            needed.said,
            *astray,
        ]
        assumed += [*form.doubts, *_shown_sentences(basis)]
        if edited:
            assumed.append(f"Edited posts with votes, counted as they read now: {', '.join(edited)}.")
        if strangers:
            assumed.append(f"Not listed as players, so their votes do not count: {', '.join(strangers)}.")
        if hidden:
            assumed.append(f"Deleted or hidden posts, whose votes do not count: {', '.join(hidden)}.")
        assumed.append(basis.known.rule.said)

        # Who fell while the day went on; who was replaced, left or came back since the day began, as far as
        # the count goes. Of several holders of a slot as of one post only the last had it; who had it before,
        # too, was not replaced.
        told = {(change.slot, post, bool(change.name)): change for change, post in self._dated_changes()}
        notes = [
            f"{fallen.target.name} was eliminated with #{fallen.post}. The day goes on."
            for fallen in counted.fallen
            if fallen.target
        ]
        notes += [f"All votes were reset with #{post}." for post in day.resets if post <= counted.at]
        for (_, post, held), change in told.items():
            if day.start < post <= basis.until:
                slot = roster.slot_of(change.slot) if held else None
                if slot is None or slot.holder_at(post - 1) != change.name:
                    notes.append(change.sentence(roster, post))

        questions = (*found.doubts, *basis.asked)
        return Remarks(
            questions=tuple(sorted(questions, key=lambda doubt: doubt.post)),
            not_counted=uncounted_and_missed(counted, (*missed, *decided)),
            assumed=tuple(one for one in assumed if one),
            notes=tuple(notes),
            lost=lost,
        )

    def _informed(self, today: DayRead, counted: Tally, ask: Ask) -> tuple[Doubt, ...]:
        """The doubts of the count with all that the thread tells of them, and those of which only the
        moderator's own counts tell."""
        html_style, posts = self.habits.html_style, self.thread.posts
        days = [today]
        if any(doubt.name for doubt in counted.questions):
            for number in reversed(self.days_before(today.day.number)):
                earlier = self.basis(replace(ask, day=number)).day_read()
                days.insert(0, earlier.with_counts_in(posts, html_style))
        until = tuple(post for post in posts if post.number <= today.until)
        return informed(counted, tuple(days), until, html_style, self.config.nicknames)

    def _strayed(self, basis_day: Day, until: int, latest: bool) -> Iterator[Strayed]:
        """The decisions that matter for a day and whose posts are not as they were."""
        last = self.thread.posts[-1].number
        for one in self.strayed:
            number = one.place.number
            # A post at the very end that is gone belongs to the count of all there is.
            ended = one.place.became is Became.GONE and number > last
            # A place just behind the last post that counts may have cut it off.
            within = number <= until + (not one.on_votes) or (ended and latest and until == last)
            if within and not (one.on_votes and number < basis_day.start):
                yield one

    def _reopened(self, day: Day, one: Strayed) -> bool:
        """Whether the votes of a post on which the moderator decided wait for them again: it changed, and the
        day is not closed."""
        setup = self.config.day(day.number)
        closed = setup is not None and setup.closed
        return one.asks and one.on_votes and one.place.post is not None and not closed

    def _changed(self, day: Day, until: int, found: VotesFound) -> tuple[Doubt, ...]:
        """A question for each post that changed since the moderator decided on its votes."""
        doubts = {}
        for one in self._strayed(day, until, latest=False):
            number, post = one.place.number, one.place.post
            if post is not None and self._reopened(day, one):
                read = (each for each in found.ballots if each.number == number)
                said = "; ".join(dict.fromkeys(ballot.line for each in read for ballot in each.ballots))
                doubts[number] = Doubt(number, post.author, said, (), post.url, one.words)
        return tuple(doubts.values())

    def _lost(self, basis: Basis, ask: Ask) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A sentence for each decision that has lost its post, and those that only tell of one."""
        latest = ask.at_post is None and ask.at_time is None
        lost: list[str] = []
        told: list[str] = []
        for one in self._strayed(basis.day, basis.until, latest):
            if not one.asks:
                told.append(one.sentence)
            elif not one.on_votes or one.place.post is None:
                lost.append(one.sentence)
            elif not self._reopened(basis.day, one):
                told.append(f"{one.sentence} Day {basis.day.number} is closed, so that stands.")
        return tuple(lost), tuple(told)

    def told(self) -> ThreadRead:
        """What the moderators' own posts tell, as far as the last post that was asked for."""
        self.house()  # where votes are written otherwise, the thread is read again
        return self.told_first()

    def told_first(self) -> ThreadRead:
        """The same, by the forms of a vote that are known so far."""
        if not self.known_thread:
            self.known_thread.append(self._read_thread(_rule_of(self.thread, self.habits, self.config).forms))
        return self.known_thread[0]

    def _read_thread(self, forms: Forms) -> ThreadRead:
        posts = tuple(post for post in self.thread.posts if post.number <= self.last)
        people = [name.lstrip("+-") for one in self.config.answers for name in one.alive or ()]
        people += [name for pair in self.config.replaced for name in pair]
        read = read_thread(posts, self.habits.html_style, forms, self.config.moderators, people)
        return read.with_replaced(self.config.replaced, posts)

    def house(self) -> House:
        """The rule of the house: as a file or whoever asks says it, else as the moderator states it in the
        thread. Where votes are written as nobody would expect, the thread is read again so."""
        if not self.known_house:
            rule = _rule_of(self.thread, self.habits, self.config)
            said = self.config.filed or self.config.rule != Rule() or self.config.forms_given
            if said:
                self.known_house.append(House(rule))
            else:
                thread = self.told_first()
                posts = [post for post in self.thread.posts if post.number <= self.last]
                stated = thread.sayings()
                written = thread.written(stated, posts, self.habits.html_style)
                found = house_of(stated, rule, self.config.house, written)
                self.known_house.append(found)
                if found.rule.forms != rule.forms:
                    self.known_thread[:] = [self._read_thread(found.rule.forms)]
        return self.known_house[0]

    def _rule(self) -> Rule:
        return self.house().rule

    def _players(self, moderators: frozenset[str], day: Day, until: int) -> PlayersTold:
        """Who plays where no file lists them: by the moderator's answer, else by their votecounts, else by
        the opening post, else everybody who posts."""
        answer, thread = self.config.answer(day.number), self.told()
        if answer is not None and answer.alive and not answer.changes:
            return players_answered(thread, answer.alive, day, until)
        told = players_told(thread, self.thread.posts, moderators, day.number, until, self._fallen)
        return self._with_those_answered(told, answer.alive, day, until) if answer and answer.alive else told

    def _with_those_answered(
        self, told: PlayersTold, alive: Sequence[str], day: Day, until: int
    ) -> PlayersTold:
        """Who plays where the moderator answered only of some that they live (“+Ada”) or do not (“-Ada”): by
        every reading that is possible with that."""
        named = {name[1:]: name[0] == "+" for name in alive}
        readings: dict[frozenset[str], Living] = {}
        unknown: set[str] = set()
        by_names = {living_at(one, until): one for one in reversed(told.readings)}
        for one in told.readings:
            living = dict.fromkeys(slot.name for slot in one.roster.alive_at(until))
            before = dict.fromkeys(slot.name for slot in one.roster.alive_at(day.start))
            for name, lives in named.items():
                meant = self.told().names.match(name)
                account = meant.slot.name if isinstance(meant, Matched) else name
                slot = one.roster.slot_of(name) or one.roster.slot_of(account)
                known = slot.name if slot else account
                if lives:
                    living[known] = before[known] = None
                elif slot is None:
                    unknown.add(name)
                else:
                    living.pop(known, None)
                    before.pop(known, None)
            wanted = frozenset(living)
            if wanted not in readings:
                living_so = frozenset(known for known in living if named.get(known))
                rebuilt = players_answered(self.told(), [*before], day, until, living_so).readings[0]
                readings[wanted] = by_names.get(wanted, rebuilt)
        said = f"{told.said} {lives_sentence(named, unknown)}"
        several = len(readings) > 1
        return PlayersTold(
            tuple(readings.values()),
            said,
            told.doubts if several else (),
            answered=not several,
            fewer_for_nobody=told.fewer_for_nobody,
        )

    def _fallen(self, number: int) -> Set[str]:
        """Whom a day before eliminated by our own count of it: nobody where that is not sure."""
        if number not in self.known_fallen:
            self.known_fallen[number] = frozenset()  # no day is asked about itself
            found = self.settled(Ask(day=number))
            hammer, known = found.counted.hammer, {found.basis.known.rule.how, found.needed.how}
            open_ = found.counted.questions or found.basis.day.unsure
            clear = not hammer.unless if hammer else not open_
            sure = How.OPEN not in known and clear
            outcome = day_outcome(found.counted, found.rule, number, over=True) if sure else None
            fell = outcome.eliminated if outcome is not None else ()
            self.known_fallen[number] = frozenset(name for slot in fell for name in slot.names)
        return self.known_fallen[number]

    def _day_known(self, number: int, start: int) -> Known:
        """How it is known with which post a day begins."""
        given, answer = self.config.day(number), self.config.answer(number)
        begins = (Reading(start, start),)
        if given is not None and given.start is not None:
            return Known(How.KNOWN, begins)
        said = f"Day {number} starts at post #{start}."
        if answer is not None and answer.opened is not None:
            return Known(How.KNOWN, begins, said)
        if self.config.roster is None and (told := self.told().day(number)) is not None and told.doubt:
            return Known(How.OPEN, begins, said, (told.doubt,))
        return Known(How.READ, begins, said)

    def _rule_known(self, rule: Rule, until: int) -> Known:
        """How the rule is known: as the game file has it, else by the first post that states how many votes
        it takes; where none does, a majority is taken and nobody says it."""
        said = "" if self.config.forms_given else forms_sentence(rule)
        if self.config.filed:
            return Known(How.KNOWN, (Reading(rule.death.value),), said)
        house = self.house()
        if house.answered:
            return Known(How.KNOWN, (Reading(rule.death.value),), said)
        thread = self.told()
        told = thread.told
        stated = next((one.post for one in told if one.needed is not None and one.post <= until), house.death)
        how = How.OPEN if stated is None else How.READ
        return Known(how, (Reading(rule.death.value, house.death or stated),), said)

    def _denied_hammer(self, counted: Tally, basis: Basis) -> Doubt | None:
        """The doubt on a hammer that the moderator's own words deny; None where they have decided on it, or
        closed the day."""
        given = self.config.day(basis.day.number)
        closed = given is not None and given.closed
        if closed or counted.hammer is None or counted.hammer.post in basis.moderation.fixes:
            return None
        posts = (post for post in self.thread.posts if post.number <= basis.until)
        style = self.habits.html_style
        return hammer_check.denied(counted, basis.day.number, posts, basis.moderators, style)

    def _hammer_doubts(self, counted: Tally, basis: Basis) -> Iterator[str]:
        """Why a hammer is not claimed, where nobody listed the players."""
        if counted.hammer is not None and self.config.roster is None:
            told, day = self.told(), basis.day.number
            yield from late_hammer(counted, basis.day, told)
            yield from hammer_check.outlived(counted, told, day, basis.roster)
            yield from hammer_check.opposed(counted, told.day(day), basis.roster, basis.until)

    def _as_of(self, roster: Roster, day: Day, until: int) -> Roster:
        """The roster with what became of its slots and the aliases given, by the names of who held them."""
        roster = with_changes(roster, self.config.changes, self._first_after)
        for mark in self.config.marks:
            roster = mark.on(roster, self._first_after)
        for name, alias in self.config.aliases:
            roster = roster.with_alias(name, alias)
        if self.config.roster is None:
            roster = self._as_the_house_says(roster)
        return self._bereaved(roster, day).as_of(until)

    def _as_the_house_says(self, roster: Roster) -> Roster:
        """The roster with the marks that the moderator's posts give, and with the numbers of the players for
        names where votes are written so."""
        house = self.house()
        for mark in house.marks:
            slot = roster.slot_of(mark.name)
            if slot is not None:
                before = slot.mark_at(mark.post)
                weight = before.weight if mark.weight is None else mark.weight
                delta = before.needed_delta if mark.needed_delta is None else mark.needed_delta
                roster = roster.with_mark(slot.name, VoteMark(mark.post, weight, delta))
        for number, one in enumerate(self.told().listed if house.numbered else (), start=1):
            roster = roster.with_alias(one.name, str(number))
        return roster

    def _bereaved(self, roster: Roster, day: Day) -> Roster:
        """The roster without whom the days before eliminated, and who died in the nights after them."""
        starts = self.starts() if self.config.fallen or self.config.slain else {}
        gone = [(DepartureKind.ELIMINATED, *one) for one in self.config.fallen]
        for how, ended, name in (*gone, *((DepartureKind.KILLED, *one) for one in self.config.slain)):
            if ended < day.number:
                after = min((start for number, start in starts.items() if number > ended), default=day.start)
                roster = roster.with_departure(name, Departure(how, after))
        return roster

    def _ahead(self, ask: Ask, day: Day) -> int | None:
        """The post still to come, in the latest count of a day that goes on."""
        given = self.config.day(day.number)
        goes_on = day.end is None and (given is None or not given.closed)
        latest = ask.at_post is None and ask.at_time is None
        return self.thread.posts[-1].number + 1 if latest and goes_on else None

    def _first_after(self, moment: datetime) -> int:
        """The first post after an instant; the next one where there is none yet."""
        later = (post.number for post in self.thread.posts if post.time is not None and post.time > moment)
        return next(later, self.thread.posts[-1].number + 1)

    def day(self, ask: Ask, until: int) -> tuple[Day, Known, tuple[Sentence | str, ...]]:
        """The day that is asked for, else the one that post `until` stands in; how its beginning is known;
        and what was left out of it."""
        posts, starts = self.thread.posts, self.starts()
        # As of the very post that opens a day nobody has voted in it: that count is of the day before.
        read = ask.at_post is not None and not self.config.days and until > posts[0].number
        last = until - read
        begun = [number for number, start in starts.items() if start <= last]
        number = ask.day or max(begun, default=min(starts, default=1))
        given = self.config.day(number)
        if given is None and self._filed():
            known = ", ".join(str(day.number) for day in self.config.days)
            raise InputError(
                f"Day {number} is not in {self.config.source}, which has day {known}. Add a [[day]]."
            )
        if number not in starts:
            raise InputError(unopened_sentence(number, self.config.filed))
        if ask.day is not None and until < starts[number] <= posts[-1].number:
            raise InputError(f"Day {number} starts at post #{starts[number]}, which is behind #{until}.")

        # It ends with the last post before the one that opens the next day.
        start, after = starts[number], starts.get(number + 1)
        end = max((post.number for post in posts if after and post.number < after), default=None)
        told = self._ending(number, start, after) if given is None else Ending()
        end = min((one for one in (end, told.called) if one is not None), default=None)

        # A count as of an earlier post knows the calendar as it stood till the next post was made.
        latest = ask.at_post is None and ask.at_time is None
        moment = None if latest else next((post.time for post in posts if post.number > until), None)
        day = (given or DaySetup(number)).counted_from(start, end, moment)
        if given is None:
            day = replace(day, late=told.late, unsure=told.unsure)
        out = (*told.said, *left_behind(given, after, posts, self.config.moderators))
        return day, self._day_known(number, start), out

    def _ending(self, number: int, start: int, after: int | None) -> Ending:
        """How a day ends by its thread; with a game file by nothing but a post that calls time."""
        place, config = (number, start, after), self.config
        posts = () if config.filed else self.thread.posts
        return ending_of(self.told(), posts, place, self._rule(), config.zone, config.house)

    def _dated_changes(self) -> Iterator[tuple[RosterChange, int]]:
        """What the journal says of people, each with the post from which on it holds."""
        for change in self.config.changes:
            yield change, self._first_after(change.at) if change.post is None else change.post

    def days_before(self, day: int) -> tuple[int, ...]:
        """The numbers of the days before that one, in order."""
        return tuple(sorted(number for number in self.starts() if number < day))

    def _filed(self) -> bool:
        """Whether the file lists the days: then there are no others but those that were opened since."""
        return any(day.filed for day in self.config.days)

    def starts(self) -> Mapping[int, int]:
        """Day number → the post it starts at: as file and journal say, else as the moderator's posts tell,
        else the first one after the instant at which the day begins."""
        if self.known_starts:
            return self.known_starts
        posts, days = self.thread.posts, self.config.days
        said = {day.number: day.start for day in days if day.start is not None}
        if self._filed() and len(said) == len(days):
            self.known_starts.update(said)
            return self.known_starts
        timed = ((day.number, self._first_after(day.begins)) for day in days if day.begins)
        by_clock = {number: start for number, start in timed if start <= posts[-1].number}
        opened = {day.number: day.start for day in self.told().days}
        answered = {one.day: one.opened for one in self.config.answers if one.opened is not None}
        found = {1: posts[0].number, **by_clock, **opened, **answered, **said}
        numbers = {day.number for day in days} if self._filed() else set(found)
        self.known_starts.update({day: start for day, start in found.items() if day in numbers})
        return self.known_starts


def _voting(counted: Tally) -> Set[str]:
    """The slots that voted, or took a vote back."""
    return {move.vote.voter.name for move in counted.history}


def _second(today: DayRead, counted: Tally, listing: Set[int | None]) -> SecondCount | None:
    """The count on another way, by the last whole votecount that a moderator posted on the day. One of the
    posts of `listing`, by which the players are counted, bears nothing where it says the same."""
    posted = next((one for one in reversed(today.posted) if one.whole and one.post <= counted.at), None)
    if posted is None:
        return None
    then = tally(today.ballots, today.roster, today.rule, today.day, posted.post - 1, today.moderation)
    found = second_count(posted, then, counted)
    return None if found and not found.differences and posted.post in listing else found


def _shown_sentences(basis: Basis) -> Iterator[Sentence]:
    """The votes that are counted as the moderator's own counts show them."""
    authors = {post.number: post.author for post in basis.read.ballots}
    for fix in basis.moderation.fixes.values():
        if fix.shown is not None:
            yield sentence(
                "#{post} {voter}: {target}, as #{shown} shows it (“{said}”). If it is otherwise: {decide}",
                post=fix.post,
                voter=authors.get(fix.post, ""),
                target=fix.to or "no elimination",
                shown=fix.shown,
                said=fix.why,
                decide=Way("decide_vote", post=fix.post),
            )


NOT_LISTED = "Who does not vote is not listed: it is not sure who is alive."


def _living_known(players: PlayersTold, rosters: Sequence[Roster], until: int) -> Known:
    """How it is known who lives at post `until`, by every reading that is possible."""
    alive = [{slot.name for slot in roster.alive_at(until)} for roster in rosters]
    always = set.intersection(*alive)
    readings = tuple(
        Reading(one.alive, one.post, tuple(sorted(names - always)))
        for one, names in zip(players.readings, alive, strict=True)
    )
    how = How.KNOWN if players.answered else How.OPEN if players.doubts else How.READ
    return Known(how, readings, players.said, players.doubts)


def _by_reading(basis: Basis, living: Living) -> str:
    """What the count is by one of several readings of who lives, in a line."""
    rule = basis.rule_by(living)
    counted = basis.tally_by(living, rule)
    place = living.stated or living.post
    where = f"By post #{place}" if place is not None else "By that list"
    said = f"{where}: {living.alive} alive, {living.threshold} votes needed"
    if counted.hammer is not None:
        target = counted.hammer.target.name if counted.hammer.target else "nobody"
        return f"{said}, post #{counted.hammer.post} is the hammer on {target}."
    if not counted.wagons:
        return f"{said}, no votes."
    most = counted.wagons[0]
    return f"{said}, {most.target.name if most.target else 'no elimination'} leads with {most.size}."


def _thresholds(basis: Basis) -> tuple[Reading, ...]:
    """How many votes decide by each reading that is possible, each number once."""
    if not basis.house.by_majority(basis.day.number):
        return ()
    found: dict[int, Reading] = {}
    for one in basis.living:
        needed = basis.house.fixed_needed or one.threshold
        found.setdefault(needed, Reading(needed, one.stated or one.post))
    return tuple(found.values())


def _agree(basis: Basis, first: Living, counted: Tally, other: Living) -> bool:
    """Whether the count by another reading claims the same: the hammer with its wagon and threshold, else the
    wagons and the threshold. `counted` is the count by the first reading."""
    rules = basis.rule_by(first), basis.rule_by(other)
    if first.roster == other.roster and rules[0].needed(first.alive, None) != rules[1].needed(
        other.alive, None
    ):
        return False  # the roster does not tell how many votes for nobody decide
    counts: tuple[Tally, ...] = (counted, basis.tally_by(other, rules[1]))
    hammers = [one.hammer.post for one in counts if one.hammer is not None]
    if len(hammers) == 2 and hammers[0] == hammers[1]:
        # Who died behind the hammer changes nothing of it.
        readings = zip((first, other), rules, strict=True)
        mine, theirs = (basis.tally_by(one, rule, hammers[0]) for one, rule in readings)
        counts = mine, theirs
    return _claims(counts[0]) == _claims(counts[1])


def _claims(counted: Tally) -> tuple[object, ...]:
    """What a count claims of who is eliminated, and by how many votes."""
    ended = [(one.target.name if one.target else "", one.post) for one in counted.fallen]
    if counted.hammer is not None:
        ended.append((counted.hammer.target.name if counted.hammer.target else "", counted.hammer.post))
    wagons = {
        (wagon.target.name if wagon.target else "", vote.voter.name, vote.post, wagon.needed)
        for wagon in counted.wagons
        for vote in wagon.votes
    }
    return counted.needed, ended, wagons
