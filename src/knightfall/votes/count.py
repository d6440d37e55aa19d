"""Count the votes of a thread, with or without a game file.

The moderator's file speaks where it speaks; what it leaves open is taken from the thread itself, and every
such assumption is told in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from knightfall.errors import IncompleteRead, InputError
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Departure, How, Post, Roster, Thread, roster_of
from knightfall.votes.ballots import Cast, Forms, custom_of, parse_forms
from knightfall.votes.config import Ask, CountConfig, DaySetup, changed
from knightfall.votes.names import squash
from knightfall.votes.near_misses import Examined, examine, only_casts
from knightfall.votes.player_list import day_opened, listed_players, renamed_accounts, roster_from
from knightfall.votes.rule import Rule, forms_sentence
from knightfall.votes.tally import Day, Fix, Tally, Uncounted, Why, day_outcome, tally
from knightfall.votes.votecount import Votecount

_MAY_MENTION_DAY = "day"


@dataclass(frozen=True, slots=True)
class Habits:
    """How the thread's site writes: the markup of its bodies, and in which forms votes count there where
    nobody says otherwise (none: the platform's own)."""

    html_style: HtmlStyle
    forms: tuple[str, ...] = ()


def votecount(
    thread: Thread, habits: Habits, config: CountConfig | None, ask: Ask, now: datetime
) -> Votecount:
    """The count that is asked for. Raises IncompleteRead where posts are missing, InputError where there is
    nobody to count or the day is not known."""
    _whole(thread, ask)
    return _Sources(thread, habits, config or CountConfig("no game file")).count(ask, now)


@dataclass(frozen=True, slots=True)
class Basis:
    """What the count of a day stands on, as far as post `until`: who plays and moderates (in lower case), by
    which rule, and what was read, near misses only in a count; `assumed` tells what neither the file nor a
    post says."""

    day: Day
    until: int
    roster: Roster
    moderators: frozenset[str]
    rule: Rule
    read: Examined
    assumed: tuple[str, ...] = ()


def bases(thread: Thread, habits: Habits, config: CountConfig | None, ask: Ask) -> tuple[Basis, ...]:
    """What the counts of all days up to the one that is asked for stand on, oldest first. Raises as
    `votecount`."""
    _whole(thread, ask)
    sources = _Sources(thread, habits, config or CountConfig("no game file"))
    last = sources.basis(ask)
    return (*(sources.basis(replace(ask, day=day)) for day in sources.days_before(last.day.number)), last)


def standing_on(
    thread: Thread, habits: Habits, config: CountConfig | None, ask: Ask
) -> tuple[tuple[Day, ...], Basis]:
    """The days up to the one that is asked for, oldest first, and what the count of that one stands on; what
    was voted before is not read. Raises as `votecount`."""
    _whole(thread, ask)
    sources = _Sources(thread, habits, config or CountConfig("no game file"))
    last = sources.basis(ask)
    return (*sources.days_to(last.day.number, ask), last.day), last


def _whole(thread: Thread, ask: Ask) -> None:
    """Refuses a thread with gaps, but for a count as of a post before the first of them."""
    if not thread.posts:
        raise IncompleteRead("The thread holds no posts; there is nothing to count.")
    if not thread.complete and not _before_the_gap(thread, ask):
        raise IncompleteRead(f"{' '.join(thread.missing)} Count withheld: posts are missing.{_sure(thread)}")


def _before_the_gap(thread: Thread, ask: Ask) -> bool:
    """As of a time, a later post must be there too: the next one missing might have been in time."""
    if thread.whole_to is None or (ask.at_post is None and ask.at_time is None):
        return False
    until = _until(thread.posts, ask)
    return until <= thread.whole_to if ask.at_post is not None else until < thread.whole_to


def _sure(thread: Thread) -> str:
    if thread.whole_to is None:
        return ""
    return f" Nothing is missing up to post {thread.whole_to}: --at {thread.whole_to} counts so far."


@dataclass(frozen=True, slots=True)
class _People:
    """Who moderates and who plays, and what was assumed about it."""

    moderators: frozenset[str]
    roster: Roster
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where the count's facts come from: the file first, the thread else."""

    thread: Thread
    habits: Habits
    config: CountConfig
    begun: dict[int, int] = field(default_factory=dict, init=False)
    """What `_starts` found: the posts are searched once, however many days are asked for."""

    def basis(self, ask: Ask, read: Callable[..., Examined] = only_casts) -> Basis:
        until = _until(self.thread.posts, ask)
        day, day_assumed = self._day(ask, until)
        until = until if day.end is None else min(until, day.end)
        people = self._people(day, until)
        rule = replace(self.config.rule, forms=self._forms())
        folded = frozenset(name.casefold() for name in people.moderators)
        found = read(self._posts(day, until), self.habits.html_style, rule.forms, folded, *self._ruled())
        roster, renamed = self._with_renamed(people, found.casts, folded)
        return Basis(day, until, roster, folded, rule, found, (*people.assumed, *day_assumed, *renamed))

    def days_before(self, day: int) -> tuple[int, ...]:
        return tuple(sorted(number for number in self._starts() if number < day))

    def days_to(self, day: int, ask: Ask) -> Iterator[Day]:
        until = _until(self.thread.posts, ask)
        return (self._day(replace(ask, day=number), until)[0] for number in self.days_before(day))

    def count(self, ask: Ask, now: datetime) -> Votecount:
        basis = self.basis(ask, examine)
        day, roster, rule, casts = basis.day, basis.roster, basis.rule, basis.read.casts
        words = self.config.terms.nobody_words
        counted = tally(casts, roster, rule, day, basis.until, basis.moderators, self._fixes(), words)
        counted = _with_misses(counted, basis.read.concerning(roster, basis.moderators))
        return Votecount(
            title=self.config.title or self.thread.title,
            day=day,
            tally=counted,
            rule=rule,
            posts={post.number: post for post in self.thread.posts},
            terms=self.config.terms,
            zone=self.config.zone,
            assumed=(
                *basis.assumed,
                *_told(counted, casts, roster, day),
                *self._hidden(day, basis.until),
                *self._custom(rule),
            ),
            complete=True,  # as of what was asked: see _whole
            said=frozenset(squash(ballot.line) for cast in casts for ballot in cast.ballots),
            notes=tuple(self._changed(basis)),
            outcome=day_outcome(counted, rule, day.number, _over(day, rule, counted, ask, now)),
        )

    def _forms(self) -> Forms:
        if self.config.forms_given:
            return self.config.rule.forms
        return parse_forms(self.habits.forms) if self.habits.forms else custom_of(self.thread.platform)

    def _fixes(self) -> Mapping[int, Fix]:
        return {fix.post: fix for fix in self.config.fixes}

    def _people(self, day: Day, until: int) -> _People:
        """As the file or the thread tells, with what became of them since and the aliases given; by the names
        of who held the slots at post `until`."""
        people = self._listed(day)
        roster = changed(people.roster, self.config.changes, self._first_after)
        for name, alias in self.config.aliases:
            roster = roster.with_alias(name, alias)
        return replace(people, roster=self._bereaved(roster, day).as_of(until))

    def _bereaved(self, roster: Roster, day: Day) -> Roster:
        """Without whom the days before eliminated, and who died in the nights after them."""
        starts = self._starts() if self.config.fallen or self.config.slain else {}
        gone = [(How.ELIMINATED, *one) for one in self.config.fallen]
        for how, ended, name in (*gone, *((How.KILLED, *one) for one in self.config.slain)):
            if ended < day.number:
                after = min((start for number, start in starts.items() if number > ended), default=day.start)
                roster = roster.with_departure(name, Departure(how, after))
        return roster

    def _first_after(self, moment: datetime) -> int:
        """The first post after an instant; the next one where there is none yet."""
        later = (post.number for post in self.thread.posts if post.time is not None and post.time > moment)
        return next(later, self.thread.posts[-1].number + 1)

    def _changed(self, basis: Basis) -> Iterator[str]:
        """Who was replaced, left or came back since the day began, as far as the count goes."""
        for change in self.config.changes:
            post = self._first_after(change.at) if change.post is None else change.post
            if basis.day.start < post <= basis.until:
                yield change.sentence(basis.roster, post)

    def _known_at(self, ask: Ask, until: int) -> datetime | None:
        """Up to when a count as of an earlier post knows the calendar: till the next post was made."""
        if ask.at_post is None and ask.at_time is None:
            return None
        return next((post.time for post in self.thread.posts if post.number > until), None)

    def _listed(self, day: Day) -> _People:
        opening = self.thread.posts[0]
        moderators = frozenset(self.config.moderators or (opening.author,))
        told = [] if self.config.moderators else [f"Moderator: {opening.author}, who wrote the opening post."]
        if self.config.roster is not None:
            return _People(moderators, self.config.roster, tuple(told))
        roster, sentence = _found_roster(self.thread.posts, self.habits.html_style, moderators, day)
        return _People(moderators, roster, (*told, sentence))

    def _day(self, ask: Ask, until: int) -> tuple[Day, tuple[str, ...]]:
        """The day that is asked for, else the one that post `until` stands in; and what was assumed of it."""
        starts = self._starts()
        begun = [number for number, start in starts.items() if start <= until]
        number = ask.day or max(begun, default=min(starts, default=1))
        given = self.config.day(number)
        self._refuse_unknown(number, given, starts)
        start, end = starts[number], _before(self.thread.posts, starts.get(number + 1))
        told = () if given and given.start is not None else (f"Day {number} starts at post #{start}.",)
        known = (given or DaySetup(number)).counted_from(start, end, self._known_at(ask, until))
        return known, told

    def _refuse_unknown(self, number: int, given: DaySetup | None, starts: Mapping[int, int]) -> None:
        if given is None and self._filed():
            known = ", ".join(str(day.number) for day in self.config.days)
            raise InputError(
                f"Day {number} is not in {self.config.source}; it has day {known}. Add a [[day]]."
            )
        if number not in starts:
            raise InputError(
                f"No post of the moderator opens day {number}. Tell where it starts: a [[day]] with "
                f"number and start_post in game.toml, or knightfall phase open day {number} --post POST"
            )

    def _filed(self) -> bool:
        """Whether the file lists the days: then there are no others but those that were opened since."""
        return any(day.filed for day in self.config.days)

    def _starts(self) -> dict[int, int]:
        """Day number → the post it starts at: as file and journal say, else as the moderator's posts tell,
        else the first one after the instant at which the day begins."""
        if not self.begun:
            self.begun.update(self._found_starts())
        return self.begun

    def _found_starts(self) -> dict[int, int]:
        said = {day.number: day.start for day in self.config.days if day.start is not None}
        if self._filed() and len(said) == len(self.config.days):
            return said
        found = {1: self.thread.posts[0].number, **self._timed(), **self._days_opened(), **said}
        numbers = {day.number for day in self.config.days} if self._filed() else set(found)
        return {number: start for number, start in found.items() if number in numbers}

    def _timed(self) -> dict[int, int]:
        """Day number → the first post after it began by the clock, where there is one yet."""
        begun = ((day.number, self._first_after(day.begins)) for day in self.config.days if day.begins)
        return {number: start for number, start in begun if start <= self.thread.posts[-1].number}

    def _days_opened(self) -> dict[int, int]:
        """Day number → the moderator's post that opens it. Days rise; players post between two openings."""
        moderators = self.config.moderators or (self.thread.posts[0].author,)
        opened: dict[int, int] = {}
        played = False
        for post in self.thread.posts:
            if post.author not in moderators:
                played = True
            elif _MAY_MENTION_DAY in post.body.lower():
                number = day_opened(parse_html(post.body, self.habits.html_style)) or 0
                if number > max(opened, default=0) and (played or number == 1):
                    opened[number] = post.number
                    played = False
        return opened

    def _with_renamed(
        self, people: _People, casts: Iterable[Cast], moderators: frozenset[str]
    ) -> tuple[Roster, tuple[str, ...]]:
        """The roster with accounts that were renamed; each inference in a sentence."""
        authors = frozenset(post.author for post in self.thread.posts)
        roster, told = people.roster, []
        for inferred in renamed_accounts(roster, authors, casts, moderators):
            roster = inferred.applied(roster)
            told.append(
                f"{inferred.author} votes and is not listed, {inferred.slot.name} is listed and never posts: "
                f"taken for one player. If they are two, list {inferred.author} too."
            )
        return roster, tuple(told)

    def _custom(self, rule: Rule) -> tuple[str, ...]:
        """In which forms votes count, where the file does not say."""
        return () if self.config.forms_given else (forms_sentence(rule),)

    def _hidden(self, day: Day, until: int) -> tuple[str, ...]:
        hidden = [f"#{post.number}" for post in self._posts(day, until) if post.hidden]
        return (f"Deleted or hidden posts, whose votes do not count: {', '.join(hidden)}.",) if hidden else ()

    def _posts(self, day: Day, until: int) -> Iterator[Post]:
        """The posts of the day as far as asked."""
        return (post for post in self.thread.posts if day.start <= post.number <= until)

    def _ruled(self) -> tuple[frozenset[int], frozenset[int]]:
        """The posts on which the moderator has ruled, and those that he made count, in whatever form."""
        fixes = self.config.fixes
        return frozenset(fix.post for fix in fixes), frozenset(fix.post for fix in fixes if fix.count)


def _with_misses(counted: Tally, misses: Iterable[Uncounted]) -> Tally:
    both = dict.fromkeys((*counted.not_counted, *misses))
    news = (missed for missed in both if not _said_again(missed, counted))
    return replace(counted, not_counted=tuple(sorted(news, key=lambda missed: missed.post)))


def _said_again(missed: Uncounted, counted: Tally) -> bool:
    """Words that were not bold, in a post whose vote for the very same player counts: no news to anybody."""
    if missed.why is not Why.NOT_BOLD:
        return False
    targets = (move.vote.target for move in counted.history if move.joined and move.post == missed.post)
    line = squash(missed.text)
    return any(squash(name) in line for target in targets if target for name in target.names)


def _found_roster(
    posts: tuple[Post, ...], html_style: HtmlStyle, moderators: frozenset[str], day: Day
) -> tuple[Roster, str]:
    """The player list of the opening post, else everybody who posts."""
    authors = tuple(dict.fromkeys(post.author for post in posts if post.author not in moderators))
    listed = listed_players(parse_html(posts[0].body, html_style), frozenset(authors))
    if listed:
        roster = roster_from(listed, day.number, day.start, day.end is None)
        dead = len(roster.slots) - len(roster.alive_at(day.start))
        sentence = f"Players: the {len(listed)} listed in the opening post; {dead} of them dead."
        return roster, sentence
    if not authors:
        raise InputError("Nobody but the moderator posts here. Give the players in a game.toml: --game.")
    return roster_of(authors), f"Players: the {len(authors)} who post; the opening post lists nobody."


def _until(posts: tuple[Post, ...], ask: Ask) -> int:
    """The last post that counts for what is asked."""
    if ask.at_post is not None:
        return _known_post(posts, ask.at_post)
    if ask.at_time is None:
        return posts[-1].number
    moment = ask.at_time
    before = [post.number for post in posts if post.time is not None and post.time <= moment]
    if not before:
        raise InputError(f"No post of this thread is as old as {moment.isoformat()}.")
    return max(before)


def _known_post(posts: tuple[Post, ...], number: int) -> int:
    first, last = posts[0].number, posts[-1].number
    if not first <= number <= last:
        raise InputError(f"Post {number} is not in this thread, which goes from {first} to {last}.")
    return number


def _before(posts: tuple[Post, ...], start: int | None) -> int | None:
    """The last post before the one that opens the next day."""
    if start is None:
        return None
    return max((post.number for post in posts if post.number < start), default=None)


def _told(counted: Tally, casts: Iterable[Cast], roster: Roster, day: Day) -> tuple[str, ...]:
    """What a moderator should know of the posts that hold votes: edits, and voters who are not listed."""
    read = [cast for cast in casts if day.start <= cast.number <= counted.at]
    edited = [f"#{cast.number}" for cast in read if cast.edited]
    strangers = dict.fromkeys(cast.author for cast in read if roster.slot_of(cast.author) is None)
    sentences = []
    if edited:
        sentences.append(f"Edited posts that hold votes, counted as they read now: {', '.join(edited)}.")
    if strangers:
        sentences.append(f"Not listed as players, so their votes do not count: {', '.join(strangers)}.")
    return tuple(sentences)


def _over(day: Day, rule: Rule, counted: Tally, ask: Ask, now: datetime) -> bool:
    """Whether the day is over by what is asked: a count as of an earlier moment never is."""
    if ask.at_post is not None or ask.at_time is not None:
        return False
    past = day.deadline is not None and now >= rule.closes(day.deadline)
    return past or (day.end is not None and counted.at >= day.end)
