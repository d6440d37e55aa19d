"""Count the votes of a thread, with or without a game file.

The moderator's file speaks where it speaks; what it leaves open is taken from the thread itself, and every
such assumption is told in one line.

`votecount` is the way from a thread to its count: `_Sources.basis` settles the day, the players, the rule and
the ballots of the day's posts (`vote_parser`), `_Sources.count` has them counted (`tally`) and adds what the
moderator should know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from knightfall.errors import IncompleteRead, InputError
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Departure, DepartureKind, Post, Roster, Thread
from knightfall.names import squash
from knightfall.sentence import Way, sentence
from knightfall.votes import hammer_check
from knightfall.votes.ballots import parse_forms, platform_forms
from knightfall.votes.config import Ask, CountConfig, DaySetup, RosterChange, with_changes
from knightfall.votes.near_misses import VotesFound, read_votes, read_votes_and_misses
from knightfall.votes.nicknames import DayRead
from knightfall.votes.player_list import Renamed, renamed_accounts
from knightfall.votes.post_marks import Became, Strayed, bind
from knightfall.votes.questions import informed
from knightfall.votes.rule import NoElim, Rule, forms_sentence
from knightfall.votes.second_count import SecondCount, second_count
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
from knightfall.votes.thread_players import (
    PlayersTold,
    ThreadRead,
    listed_players_told,
    players_answered,
    players_told,
    read_thread,
    renamed_by_counts,
)
from knightfall.votes.vote_parser import BodyReader, body_reader
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
    _refuse_gaps(thread, ask)
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
    """What the count of a day stands on, as far as post `until`: who plays and moderates (in lower case), by
    which rule, and what was read, near misses only in a count; `assumed` tells what neither the file nor a
    post says. `fixes` are the decisions on posts by their present numbers."""

    day: Day
    until: int
    roster: Roster
    moderators: frozenset[str]
    rule: Rule
    read: VotesFound
    assumed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why nobody can tell who lives or when the day began; with one, no threshold and no hammer is sure."""
    fixes: Mapping[int, Fix] = field(default_factory=dict)

    def moderation(self, nobody_words: frozenset[str]) -> Moderation:
        """What the moderators decided on posts; `nobody_words` are those for a vote for nobody."""
        return Moderation(self.moderators, self.fixes, nobody_words)

    def day_read(self, moderation: Moderation) -> DayRead:
        """The day as it was read, without the moderator's own votecounts of it."""
        ballots = tuple(self.read.ballots)
        return DayRead(self.day, self.until, self.roster, self.rule, ballots, moderation)


def bases(thread: Thread, habits: Habits, config: CountConfig, ask: Ask) -> tuple[Basis, ...]:
    """What the counts of all days up to the one that is asked for stand on, oldest first. Raises as
    `votecount`."""
    _refuse_gaps(thread, ask)
    sources = _sources(thread, habits, config, ask)
    last = sources.basis(ask)
    return (*(sources.basis(replace(ask, day=day)) for day in sources.days_before(last.day.number)), last)


def standing_on(
    thread: Thread, habits: Habits, config: CountConfig, ask: Ask
) -> tuple[tuple[Day, ...], Basis]:
    """The days up to the one that is asked for, oldest first, and what the count of that one stands on; what
    was voted before is not read. Raises as `votecount`."""
    _refuse_gaps(thread, ask)
    sources = _sources(thread, habits, config, ask)
    last = sources.basis(ask)
    until = _last_post(thread.posts, ask)
    earlier = (sources.day(replace(ask, day=day), until)[0] for day in sources.days_before(last.day.number))
    return (*earlier, last.day), last


def _sources(thread: Thread, habits: Habits, config: CountConfig, ask: Ask) -> _Sources:
    """The sources of a count, every decision bound to its post as the thread reads now."""
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

    def basis(self, ask: Ask, read: Callable[..., VotesFound] = read_votes) -> Basis:
        """All that the count of a day stands on; `read` finds its ballots, with near misses or without."""
        posts, config = self.thread.posts, self.config

        # The day, and up to which post.
        until = _last_post(posts, ask)
        day, day_assumed = self.day(ask, until)
        until = until if day.end is None else min(until, day.end)

        # Who moderates and who plays, as the file or the thread tells.
        moderators = frozenset(config.moderators or self.told().moderators)
        folded = frozenset(name.casefold() for name in moderators)
        assumed: list[str] = []
        if not config.moderators:
            assumed.append(_moderators_sentence(self.told().moderators))
        roster, rule, doubts = config.roster, self._rule(), list[str]()
        if roster is None:
            players = self._players(moderators, day, until)
            roster, doubts = players.roster, [*self._day_doubts(day), *players.doubts]
            fewer = NoElim.ONE_FEWER if players.fewer_for_nobody else rule.no_elimination
            needed = rule.fixed_needed or players.needed
            rule = replace(rule, fixed_needed=needed, no_elimination=fewer)
            assumed.append(players.said)

        # With what became of them since and the aliases given; by the names of who held the slots then.
        roster = with_changes(roster, config.changes, self._first_after)
        for name, alias in config.aliases:
            roster = roster.with_alias(name, alias)
        roster = self._bereaved(roster, day).as_of(until)

        # The forms of a vote here, and the ballots in the posts of the day. `decided` are the posts on which
        # the moderator has ruled, `any_form` those that they made count in whatever form.
        decided = frozenset(fix.post for fix in config.fixes)
        any_form = frozenset(fix.post for fix in config.fixes if fix.count)
        of_day = (post for post in posts if day.start <= post.number <= until)
        found = read(of_day, self.habits.html_style, rule.forms, folded, decided, any_form)

        # Accounts that were renamed since the list was made: by the moderator's counts where nobody lists the
        # players, then by who is left.
        authors = frozenset(post.author for post in posts)
        inferences: tuple[Renamed, ...] = ()
        if config.roster is None:
            reader = body_reader(self.habits.html_style, rule.forms)
            inferences = renamed_by_counts(self.told(), posts, roster, reader, until)
            for inferred in inferences:
                roster = inferred.applied(roster)
        rest = renamed_accounts(roster, authors, found.ballots, folded)
        for inferred in rest:
            roster = inferred.applied(roster)
        renamed = [
            f"{inferred.author} votes but is not listed, and {inferred.slot.name} is listed "
            f"and never posts: taken for one player. If they are two, list {inferred.author} too."
            for inferred in (*inferences, *rest)
        ]
        told = (*assumed, *day_assumed, *renamed)
        fixes = {fix.post: fix for fix in config.fixes}
        return Basis(day, until, roster, folded, rule, found, told, tuple(doubts), fixes)

    def count(self, ask: Ask, now: datetime) -> Votecount:
        """The count of a day with all that its post says beside it."""
        basis = self.basis(ask, read_votes_and_misses)
        day, roster, rule, terms = basis.day, basis.roster, basis.rule, self.config.terms
        changed, lost, astray = self._astray(basis, ask)
        # The votes of a post that changed wait for the moderator, like those that nobody can read.
        fixes = {**basis.fixes, **{number: Fix(number, ignore=True) for number in changed}}
        moderation = Moderation(basis.moderators, fixes, terms.nobody_words)
        counted = tally(basis.read.ballots, roster, rule, day, basis.until, moderation)
        # So does a hammer that the moderator's own words deny.
        denied = self._denied_hammer(counted, basis)
        if denied is not None:
            changed = {**changed, denied.post: denied}
            fixes = {**fixes, denied.post: Fix(denied.post, ignore=True)}
            moderation = replace(moderation, fixes=fixes)
            counted = tally(basis.read.ballots, roster, rule, day, basis.until, moderation)
        misses = basis.read.concerning(roster, basis.moderators)
        # A moderator's own post is not read for votes, whatever was decided on it.
        ruled = (post for post in self.thread.posts if post.number in fixes) if fixes else ()
        own = (post for post in ruled if post.author.casefold() in basis.moderators)
        decided = tuple(
            Uncounted(post.number, post.author, fix.why, UncountedReason.MODERATOR_POST, post.url)
            for post in own
            if day.start <= post.number <= counted.at and not (fix := fixes[post.number]).ignore
        )
        missed = (one for one in misses if one.post not in fixes)
        counted = _with_misses(counted, (*missed, *decided))
        today = basis.day_read(moderation).with_counts_in(self.thread.posts, self.habits.html_style)
        asked = self._informed(today, counted, ask)
        questions = sorted((*asked, *changed.values()), key=lambda doubt: doubt.post)
        counted = replace(counted, questions=tuple(questions))
        doubts = basis.doubts or tuple(self._hammer_doubts(counted, basis))
        if doubts:
            counted = _without_threshold(counted)
            doubts = (*doubts, _question(basis))

        # What a moderator should know of the posts: edits, voters who are not listed, deleted posts; and in
        # which forms votes count, where the file does not say.
        read = [post for post in basis.read.ballots if day.start <= post.number <= counted.at]
        edited = [f"#{post.number}" for post in read if post.edited]
        strangers = dict.fromkeys(post.author for post in read if roster.slot_of(post.author) is None)
        of_day = (post for post in self.thread.posts if day.start <= post.number <= basis.until)
        hidden = [f"#{post.number}" for post in of_day if post.hidden]
        assumed = [*basis.assumed, *doubts, *astray]
        if edited:
            assumed.append(f"Edited posts with votes, counted as they read now: {', '.join(edited)}.")
        if strangers:
            assumed.append(f"Not listed as players, so their votes do not count: {', '.join(strangers)}.")
        if hidden:
            assumed.append(f"Deleted or hidden posts, whose votes do not count: {', '.join(hidden)}.")
        if not self.config.forms_given:
            assumed.append(forms_sentence(rule))

        # Who was replaced, left or came back since the day began, as far as the count goes. Of several
        # holders of a slot as of one post only the last had it; who had it before, too, was not replaced.
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
            terms=terms,
            zone=self.config.zone,
            assumed=tuple(assumed),
            complete=True,  # as of what was asked: see _refuse_gaps
            said=frozenset(squash(ballot.line) for post in basis.read.ballots for ballot in post.ballots),
            notes=tuple(notes),
            outcome=day_outcome(counted, rule, day.number, latest and (past_deadline or past_end)),
            fixes=tuple(fix for number, fix in basis.fixes.items() if number not in changed),
            lost=lost,
            second=_second(today, counted),
        )

    def _informed(self, today: DayRead, counted: Tally, ask: Ask) -> tuple[Doubt, ...]:
        """The doubts of the count with all that the thread tells of them, and those of which only the
        moderator's own counts tell."""
        html_style, posts = self.habits.html_style, self.thread.posts
        days = [today]
        if any(doubt.name for doubt in counted.questions):
            for number in reversed(self.days_before(today.day.number)):
                earlier = self.basis(replace(ask, day=number))
                before = earlier.moderation(today.moderation.nobody_words)
                days.insert(0, earlier.day_read(before).with_counts_in(posts, html_style))
        until = tuple(post for post in posts if post.number <= today.until)
        return informed(counted, tuple(days), until, html_style)

    def _astray(self, basis: Basis, ask: Ask) -> tuple[Mapping[int, Doubt], tuple[str, ...], tuple[str, ...]]:
        """Of the decisions that matter here and whose posts are not as they were: a question for each post
        that changed, by its number; a sentence for each that lost its post; sentences that only tell."""
        day, last = basis.day, self.thread.posts[-1].number
        setup = self.config.day(day.number)
        closed = setup is not None and setup.closed
        latest = ask.at_post is None and ask.at_time is None
        changed: dict[int, Doubt] = {}
        lost: list[str] = []
        told: list[str] = []
        for one in self.strayed:
            number, post = one.place.number, one.place.post
            # A post at the very end that is gone belongs to the count of all there is.
            ended = one.place.became is Became.GONE and number > last
            # A place just behind the last post that counts may have cut it off.
            within = number <= basis.until + (not one.on_votes) or (ended and latest and basis.until == last)
            if not within or (one.on_votes and number < day.start):
                continue
            if not one.asks:
                told.append(one.sentence)
            elif not one.on_votes or post is None:
                lost.append(one.sentence)
            elif closed:
                told.append(f"{one.sentence} Day {day.number} is closed, so that stands.")
            else:
                read = (each for each in basis.read.ballots if each.number == number)
                said = "; ".join(dict.fromkeys(ballot.line for each in read for ballot in each.ballots))
                changed[number] = Doubt(number, post.author, said, (), post.url, one.words)
        return changed, tuple(lost), tuple(told)

    def told(self) -> ThreadRead:
        """What the moderators' own posts tell, as far as the last post that was asked for."""
        if not self.known_thread:
            posts = tuple(post for post in self.thread.posts if post.number <= self.last)
            style, mods = self.habits.html_style, self.config.moderators
            self.known_thread.append(read_thread(posts, style, self._rule().forms, mods))
        return self.known_thread[0]

    def _rule(self) -> Rule:
        return _rule_of(self.thread, self.habits, self.config)

    def _players(self, moderators: frozenset[str], day: Day, until: int) -> PlayersTold:
        """Who plays where no file lists them: by the moderator's answer, else by their votecounts, else by
        the opening post, else everybody who posts."""
        answer = self.config.answer(day.number)
        if answer is not None and answer.alive:
            return players_answered(self.told(), answer.alive, day, until)
        told = players_told(self.told(), day.number, until)
        if told is not None:
            return told
        return listed_players_told(self.told(), self.thread.posts, moderators, day, until)

    def _day_doubts(self, day: Day) -> Iterator[str]:
        """Why it is not sure where the day begins, unless the file says it."""
        given, told = self.config.day(day.number), self.told().day(day.number)
        answer = self.config.answer(day.number)
        said = (given and given.start is not None) or (answer and answer.opened is not None)
        if told is not None and told.doubt and not said:
            yield told.doubt

    def _denied_hammer(self, counted: Tally, basis: Basis) -> Doubt | None:
        """The doubt on a hammer that the moderator's own words deny; None where they have decided on it, or
        closed the day."""
        given = self.config.day(basis.day.number)
        closed = given is not None and given.closed
        if closed or counted.hammer is None or counted.hammer.post in basis.fixes:
            return None
        posts = (post for post in self.thread.posts if post.number <= basis.until)
        style = self.habits.html_style
        return hammer_check.denied(counted, basis.day.number, posts, basis.moderators, style)

    def _hammer_doubts(self, counted: Tally, basis: Basis) -> Iterator[str]:
        """Why a hammer is not claimed, where nobody listed the players."""
        if counted.hammer is not None and self.config.roster is None:
            told, day = self.told(), basis.day.number
            yield from hammer_check.outlived(counted, told, day, basis.roster)
            yield from hammer_check.opposed(counted, told.day(day), basis.roster, basis.until)

    def _bereaved(self, roster: Roster, day: Day) -> Roster:
        """The roster without whom the days before eliminated, and who died in the nights after them."""
        starts = self.starts() if self.config.fallen or self.config.slain else {}
        gone = [(DepartureKind.ELIMINATED, *one) for one in self.config.fallen]
        for how, ended, name in (*gone, *((DepartureKind.KILLED, *one) for one in self.config.slain)):
            if ended < day.number:
                after = min((start for number, start in starts.items() if number > ended), default=day.start)
                roster = roster.with_departure(name, Departure(how, after))
        return roster

    def _first_after(self, moment: datetime) -> int:
        """The first post after an instant; the next one where there is none yet."""
        later = (post.number for post in self.thread.posts if post.time is not None and post.time > moment)
        return next(later, self.thread.posts[-1].number + 1)

    def day(self, ask: Ask, until: int) -> tuple[Day, tuple[str, ...]]:
        """The day that is asked for, else the one that post `until` stands in; and what was assumed of it."""
        posts, starts = self.thread.posts, self.starts()
        begun = [number for number, start in starts.items() if start <= until]
        number = ask.day or max(begun, default=min(starts, default=1))
        given = self.config.day(number)
        if given is None and self._filed():
            known = ", ".join(str(day.number) for day in self.config.days)
            raise InputError(
                f"Day {number} is not in {self.config.source}, which has day {known}. Add a [[day]]."
            )
        if number not in starts:
            raise InputError(
                sentence(
                    "No post of the moderator opens day {number}. Say where it starts: add a [[day]] with "
                    "number and start_post to game.toml, or {open}",
                    number=number,
                    open=Way("open_phase", kind="day", number=number, post="POST"),
                )
            )

        # It ends with the last post before the one that opens the next day.
        start, after = starts[number], starts.get(number + 1)
        before = [post.number for post in posts if after is not None and post.number < after]
        end = max(before, default=None)

        # A count as of an earlier post knows the calendar as it stood till the next post was made.
        latest = ask.at_post is None and ask.at_time is None
        moment = None if latest else next((post.time for post in posts if post.number > until), None)
        day = (given or DaySetup(number)).counted_from(start, end, moment)
        filed = given is not None and given.start is not None
        assumed = () if filed else (f"Day {number} starts at post #{start}.",)
        return day, (*assumed, *self._left_out(given, after))

    def _left_out(self, given: DaySetup | None, after: int | None) -> Iterator[str]:
        """The sentence where players wrote behind the last post of a day that is not closed."""
        if given is None or given.closed or given.end is None or after is not None:
            return
        own = {name.casefold() for name in self.config.moderators}
        later = [p for p in self.thread.posts if p.number > given.end and p.author.casefold() not in own]
        if later:
            posts = "1 later post does" if len(later) == 1 else f"{len(later)} later posts do"
            yield f"Day {given.number} was locked after post #{given.end}: {posts} not count."

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


def _second(today: DayRead, counted: Tally) -> SecondCount | None:
    """The count on another way, by the last whole votecount that a moderator posted on the day."""
    posted = next((one for one in reversed(today.posted) if one.whole and one.post <= counted.at), None)
    if posted is None:
        return None
    then = tally(today.ballots, today.roster, today.rule, today.day, posted.post - 1, today.moderation)
    return second_count(posted, then, counted)


def _moderators_sentence(moderators: Sequence[str]) -> str:
    first, *others = moderators
    counters = f", and {', '.join(others)}, who posted votecounts" if others else ""
    return f"Moderator: {first}, who wrote the opening post{counters}."


def _question(basis: Basis) -> str:
    """What settles who lives and when the day began."""
    day = basis.day.number
    return sentence(
        "So no number of votes needed is shown, and no hammer. Which post opened day {day}, and who was "
        "alive then? Answer once: {answer}",
        day=day,
        answer=Way("say_alive", day=day),
    )


def _without_threshold(counted: Tally) -> Tally:
    """The tally where nobody can tell how many votes decide."""
    wagons = tuple(replace(wagon, needed=None) for wagon in counted.wagons)
    return replace(counted, needed=None, wagons=wagons, hammer=None)


def _with_misses(counted: Tally, misses: tuple[Uncounted, ...]) -> Tally:
    """The tally that lists the near misses as well, each once and all in the order of their posts."""
    # Post → the names of those for whom a vote in it counted.
    voted: dict[int, list[str]] = {}
    for move in counted.history:
        if move.joined and move.vote.target:
            voted.setdefault(move.post, []).extend(map(squash, move.vote.target.names))

    # Words that were not bold, in a post whose vote for the very same player counts, are no news to anybody.
    news = [
        missed
        for missed in dict.fromkeys((*counted.not_counted, *misses))
        if missed.why is not UncountedReason.NOT_BOLD
        or not any(name in squash(missed.text) for name in voted.get(missed.post, ()))
    ]
    return replace(counted, not_counted=tuple(sorted(news, key=lambda missed: missed.post)))
