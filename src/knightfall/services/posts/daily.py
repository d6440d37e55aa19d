"""The posts of a running game: a day begins and ends, the dawn, results, a note to the players, a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from knightfall.audience import View
from knightfall.config.calendar import closed_days, phases, window_of
from knightfall.engine.entries import (
    Away,
    Extended,
    Locked,
    Opened,
    Prodded,
    Published,
    Removed,
    Replaced,
    Revived,
    Ruled,
    Stopped,
)
from knightfall.engine.game import Facts, announced
from knightfall.engine.journal import window_name
from knightfall.engine.replay import with_deadlines
from knightfall.errors import InputError
from knightfall.mafia.events import Dawn, Elimination
from knightfall.models import DepartureKind
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.count.request import count_nodes
from knightfall.services.count.votecount import counted
from knightfall.services.day.end import WhyDayEnded, early_question, why_ended
from knightfall.services.fair_deal import cards_of_fair_deal
from knightfall.services.now import Now
from knightfall.services.posts.facts import (
    DayEnding,
    PostContent,
    Section,
    end_of,
    ending_of,
    number_of,
    phase_name,
    until_facts,
    voting_over,
)
from knightfall.services.posts.people import NOTE, votes_from
from knightfall.services.publish import next_text, votecount_kind
from knightfall.services.requests import CountRequest, PostFormat
from knightfall.services.running import behind, opened_by, tells_instant
from knightfall.services.running import closings as closings_of
from knightfall.services.threads import NO_THREAD
from knightfall.services.window.void import void_posts
from knightfall.services.window.waiting import pending
from knightfall.votes.rule import Boundary, boundary_sentence, sentences_not_in
from knightfall.votes.votecount import seen_by
from knightfall.writeups.facts import post_facts
from knightfall.writeups.fair import CARD_CHECK, check_facts, check_lines
from knightfall.writeups.journal import post_words

_CLOSE_NIGHT = Way("close", kind="night", title="the night")
_Change: TypeAlias = Replaced | Removed | Revived | Away | Extended | Stopped
_LEFT: Mapping[str, str] = MappingProxyType({"modkill": "is no longer in the game", "kill": "has died"})
"""Never why: that is between the player and the moderator."""


def day_start(context: Now) -> PostContent:
    """The post that opens a day, which is where its count starts."""
    number = _running_day(context)

    # Sentences on voting that the rules post does not say as it was last posted.
    changed = list[str]()
    posted = next_text(context.standing, "rules").last
    if posted is not None:
        rule, terms = context.setup.rule, context.setup.terms
        changed = list(sentences_not_in(posted.text, rule, terms.no_elimination))

    facts = {
        **_deaths(context, number),
        **_standing(context, number),
        "day": number,
        "changed": changed,
        "last_end": _locked(context, number - 1),
    }
    return PostContent((Section("any/day-start", facts),))


def votecount(context: Now, stored: bool = True) -> PostContent:
    """The count of the day, as the players may see it; of what was read before, or else as the forum shows
    the thread now."""
    _refuse_without_votes(context, "votecount")
    if context.setup.url is None and context.session.thread is None:
        raise InputError(NO_THREAD)  # a post is of no other thread than the game's
    found = counted(CountRequest(stored=stored), context.session)
    count = seen_by(View.PUBLIC, found.count)
    questions = len(count.questions) + len(count.lost)
    remarks = (
        (
            sentence(
                "{questions} vote(s) need your decision. To see them: {count}",
                questions=questions,
                count=Way("count_votes"),
            ),
        )
        if questions
        else ()
    )
    name = votecount_kind(count.day.number)
    return PostContent((count_nodes(count, PostFormat(), context.setup),), remarks, count.tally.at, name)


def end_of_day(context: Now) -> PostContent:
    """The post that closes a day: the end of the vote, the final count, who fell and as what, the night."""
    _refuse_without_votes(context, "end-of-day")
    number, flip = _flip(context)
    ending, remarks = ending_of(context, number)
    head = voting_over(number, ending, _locked(context, number), _why(context, number, ending))
    count = (count_nodes(ending.count, PostFormat(), context.setup),) if ending else ()
    # Where the next day runs by now the night is over, too.
    outlived = _outlived(context, "day", number)
    # Of a game that began with a night the one behind day 1 is night 2.
    dark = context.window if context.phase == "night" else f"night-{number}"
    night = {
        "day": number,
        "until": until_facts(end_of(context, dark), context.zone),
        "over": bool(outlived) or context.is_over,
        # Not where it was a night that ended it, of which this post tells nothing.
        "ended": context.is_over and isinstance(context.last_facts(Dawn, Elimination), Elimination),
    }
    checks = _checks(context, context.last_facts(Elimination))
    sections = (head, *count, flip, *checks, Section("any/night", night))
    return PostContent(sections, (*outlived, *remarks))


def _why(context: Now, day: int, ending: DayEnding | None) -> WhyDayEnded | None:
    """Why that day ended; None where its votes are not known. A tie that the game itself drew is told with
    the elimination."""
    if ending is None:
        return None
    question, locked = early_question(day), _locked(context, day) is not None
    ends = {number: record.number for number, record in closed_days(context.standing)}
    before = max((ends[number] for number in ends if number < day), default=0)
    rulings = (entry for number, entry in context.entries(Ruled) if before < number < ends.get(day, 0))
    early = next((entry for entry in rulings if entry.question == question), None)
    why, event = why_ended(ending.count, early, locked), context.last_facts(Elimination)
    return replace(why, votes="") if event is not None and event.tied else why


def dawn(context: Now) -> PostContent:
    """The post of the morning: who died, by what everybody may know, and what comes now."""
    if context.table is None and context.game is None:
        number = _running_day(context)
        facts = {**_deaths(context, number), **_standing(context, number)}
        return PostContent((Section("any/dawn", facts),))
    event = context.last_facts(Dawn)
    if context.game is None or not context.has("dawn"):
        raise InputError(f"{_game_name(context)} has no nights, so there is no dawn.")
    if event is None:
        raise InputError(
            sentence(
                "No night has ended yet, so there is no dawn post. First: {close}",
                close=_CLOSE_NIGHT,
            )
        )
    outlived = _outlived(context, "night", event.night)
    sections = [Section(f"{context.game.spec.id}/dawn", context.renamed(event)), *_checks(context, event)]
    after = context.number
    if context.phase == "day" and after is not None:  # not where the game is over, or it is night again
        sections.append(Section("any/day-ends", {"day": after, **_standing(context, after)}))
    return PostContent(tuple(sections), outlived)


def results(context: Now) -> PostContent:
    """The posts of the latest closing; of a night only that every PM is out, the same after each."""
    if context.has("dawn"):
        event = context.last_facts(Dawn)
        if event is None:
            raise InputError(
                sentence(
                    "No night has ended yet, so there are no results. First: {close}",
                    close=_CLOSE_NIGHT,
                )
            )
        outlived = _outlived(context, "night", event.night)
        return PostContent((Section("any/results", {"night": event.night}),), outlived)
    if context.game is None or context.table is None:
        raise InputError(
            sentence(
                "No game has begun here, so there are no results. Start one: {start}", start=Way("new_game")
            )
        )
    # What was announced last, without the first post of the game; nothing older than the last closing.
    closed = closings_of(context.table)
    if closed and not any(
        announced(one.events) for one in context.table.replay.taken if one.number >= closed[-1].number
    ):
        opened = opened_by(context.table)
        when = f"when {opened.title} is closed" if opened else "later"
        raise InputError(
            f"There is nothing to post yet of what entry {closed[-1].number} closed: its post comes {when}."
        )
    told = [one for one in reversed(context.table.replay.taken[1:]) if announced(one.events)]
    if not told:
        raise InputError(
            sentence(
                "Nothing has been closed yet, so there are no results. First: {close}",
                close=Way("close", title="what is open"),
            )
        )

    # With the deadlines as they are now; one that the game's own words do not tell stands behind them.
    led_by = next(one for one in context.standing if one.number == told[0].number)
    then = {window_name(one): one.closes for one in behind(context.table, led_by).windows}
    ends = {window_name(one.window): one.until for one in pending(context.table)}
    moved = {old: now for name, old in then.items() if (now := ends.get(name)) is not None and now != old}
    events = [with_deadlines(event, moved) for event in announced(told[0].events)]
    spec = context.game.spec
    sections = [Section(f"{spec.id}/{event.kind}", context.renamed(event.facts)) for event in events]
    window = opened_by(context.table)
    until = ends.get(window_name(window)) if window else None
    if window and until and not any(tells_instant(event.facts, until) for event in events):
        facts = {"title": window.title, "until": until_facts(until, context.zone)}
        sections.append(Section("any/phase-ends", facts))
    return PostContent(tuple(sections))


def note(context: Now) -> PostContent:
    """All that has happened to people and clocks since the last note was posted."""
    since = max((number for number, entry in context.entries(Published) if entry.kind == NOTE), default=0)
    changes = [
        (record.number, record.entry)
        for record in context.standing
        if record.number > since
        and isinstance(record.entry, Replaced | Removed | Revived | Away | Extended | Stopped)
        and not _is_past(context, record.number, record.entry)
    ]
    items = [_change_facts(context, number, entry) for number, entry in changes]
    prods = sum(number > since for number, _ in context.entries(Prodded))
    if not items and not prods:
        raise InputError(
            sentence(
                "There is nothing to report since the last note: nobody was replaced, removed, prodded or "
                "announced away, and no deadline was moved. To add your own words to a post of any kind: "
                "{flavour}",
                flavour=Way("field", name="flavour", value="FILE"),
            )
        )
    # How many votes it takes by now, where that changed while a day runs.
    votes = None
    closed = max((record.number for _, record in closed_days(context.standing)), default=0)
    left = [entry for number, entry in changes if number > closed and isinstance(entry, Removed | Revived)]
    if left and context.votes_by_day and context.phase in ("", "day"):
        votes = votes_from(left[-1], context)
    return PostContent((Section("any/note", {"items": items, "prods": prods, "votes": votes}),))


def error(context: Now) -> PostContent:
    """The least that can be said of a mistake: which posts hold no more, what is open and who lives."""
    over = context.table is not None and not context.table.windows
    void = void_posts(context.table) if context.table is not None else ()
    told = bool(void) and not over and context.votes_by_day
    dark = context.phase == "night"
    facts = {
        "moderators": list(context.setup.moderators),
        "over": over,
        "void": [post_words(one) for one in void],
        "phase": phase_name(context.window) if told else "",
        "until": until_facts(end_of(context, context.window), context.zone) if told else None,
        "living": list(context.living) if told else [],
        "orders": told and dark,
    }
    return PostContent((Section("any/error", facts),))


def _game_name(context: Now) -> str:
    return context.game.spec.name if context.game else "This game"


def _outlived(context: Now, kind: str, number: int) -> tuple[str, ...]:
    """That the day or night of a post is not what ended last; nothing where it is."""
    if context.table is not None:
        # After a day comes a night, and after that a day: of the same kind is a later one.
        now = ", ".join(window.title for window in context.table.windows)
        if context.phase != kind:
            return ()
        return (f"This is the post for {kind} {number}, but the game is now in {now}.",)
    later = [day.number for day in context.setup.days if kind == "day" and day.number > number]
    return (f"This is the post for day {number}, but day {max(later)} has already begun.",) if later else ()


def _refuse_without_votes(context: Now, kind: str) -> None:
    if not context.votes_by_day:
        raise InputError(
            sentence(
                "{game} has no day votes in the thread, so it has no {kind} post. To post what was closed "
                "last: {results}",
                game=_game_name(context),
                kind=kind,
                results=Way("draft_post", kind="results"),
            )
        )


def _running_day(context: Now) -> int:
    """The day that runs. Raises InputError where none does."""
    _refuse_without_votes(context, "day-start")
    if context.table is not None:
        if not context.table.windows:
            raise InputError(
                sentence("The game is over. Its last post: {post}", post=Way("draft_post", kind="endgame"))
            )
        if context.phase != "day" or context.number is None:
            window = context.table.windows[0]
            title = window.title[0].lower() + window.title[1:]
            raise InputError(
                sentence(
                    "No day is running ({title} is open). First: {close}",
                    title=title,
                    close=Way("close", kind=window.kind, title=title),
                )
            )
        return context.number
    if context.game is not None:
        raise InputError(
            sentence(
                "The game has not begun, so there is no first day. First: {deal}",
                deal=Way("deal"),
            )
        )
    closed = {day for day, _ in closed_days(context.standing)}
    running = max((day.number for day in context.setup.days), default=max(closed, default=0) + 1)
    if running in closed:
        raise InputError(
            sentence(
                "Day {closed} is closed. Before the post of the next day: {file}.",
                closed=running,
                file=Way("file_line", table="a new [[day]]", line=f"number = {running + 1}"),
            )
        )
    return running


def _deaths(context: Now, day: int) -> dict[str, object]:
    """{night, deaths, first}: who died since the day before, with the roles that were shown, and of what."""
    deaths = list[dict[str, str]]()
    if context.table is not None:  # by its latest dawn
        event = context.last_facts(Dawn, Elimination)
        rows = event.deaths if isinstance(event, Dawn) else ()
        deaths = [{"name": context.shown(row.name), "role": row.role, "cause": row.cause} for row in rows]
    else:  # by the posts at which players left
        before = context.setup.day(day - 1)
        since = before.start if before and before.start is not None else 0
        for one in context.dead:
            slot = context.setup.roster.slot_of(one.slot) if context.setup.roster else None
            if slot and slot.left and slot.left.how is DepartureKind.KILLED and slot.left.post >= since:
                deaths.append({"name": one.slot, "role": one.role, "cause": ""})
    return {"night": day - 1, "deaths": deaths, "first": day == 1}


def _standing(context: Now, day: int) -> dict[str, object]:
    """How many live, how many votes it takes (None where most votes decide at the deadline, with `least`
    or more), until when."""
    names, rule = context.living, context.setup.rule
    needed = rule.majority(len(names)) if rule.hammers(day) else None
    return {
        "alive": len(names),
        "names": [context.shown(name) for name in names],
        "needed": needed,
        "least": rule.needed_at_deadline(len(names), 0, day) if needed is None else None,
        "or_nobody": rule.majority_or_nobody(day),
        "tie": rule.tie.value,
        "nobody": context.setup.terms.no_elimination,
        "eliminate_word": context.setup.terms.eliminate,
        "until": until_facts(end_of(context, window_of(day)), context.zone),
        "boundary": boundary_sentence(rule, end_of(context, window_of(day)), context.zone),
        "locks": rule.boundary is Boundary.UNTIL_LOCK,
    }


def _locked(context: Now, day: int) -> dict[str, Any] | None:
    """The post after which that day was locked; None where it was not."""
    posts = [
        number_of(entry, context) for _, entry in context.entries(Locked) if entry.window == window_of(day)
    ]
    post = posts[-1] if posts else None
    return None if post is None else post_facts(post, context.posts)


def _checks(context: Now, facts: Facts | None) -> tuple[Section, ...]:
    """What opens the cards that an announcement shows, where nobody could choose the deal."""
    cards = cards_of_fair_deal(context.session.folder) if context.table is not None else None
    lines = check_lines(cards, facts) if cards is not None and facts is not None else ()
    return (Section(CARD_CHECK, check_facts(lines)),) if lines else ()


def _flip(context: Now) -> tuple[int, Section]:
    """The day that was closed last, and the words on who fell. Raises InputError where none was."""
    event = context.last_facts(Elimination)
    closed = [number for number, _ in closed_days(context.standing)]
    if context.table is not None and context.game is not None:
        if event is not None:
            return event.day, Section(f"{context.game.spec.id}/elimination", context.renamed(event))
    elif closed:
        roles = {str(one.slot): one.role for one in context.dead}
        fell = [name for day, name in context.setup.fallen if day == closed[-1]]
        facts = {
            "day": closed[-1],
            "fallen": [{"name": SlotId(name), "role": roles.get(name) or None} for name in fell],
            "eliminate_word": context.setup.terms.eliminate,
            "nobody": context.setup.terms.no_elimination,
        }
        return closed[-1], Section("any/flip", facts)
    raise InputError(
        sentence(
            "No day has been closed yet, so no role is shown. Count, check and confirm first: {close}",
            close=Way("close_day"),
        )
    )


def _change_facts(context: Now, number: int, entry: _Change) -> Mapping[str, object]:
    """An item of a note: what entry `number` changed for people or clocks."""
    match entry:
        case Replaced(slot=slot, name=name):
            before = [e.name for n, e in context.entries(Replaced) if n < number and e.slot == slot]
            said: dict[str, object] = {
                "what": "replaced",
                "name": SlotId(name),
                "old": SlotId(before[-1] if before else slot),
                "votes": context.votes_by_day
                and not any(record.number > number for _, record in closed_days(context.standing)),
            }
        case Removed(slot=slot, how=how):
            said = {"what": "removed", "name": context.holder(slot), "how": _LEFT.get(how, _LEFT["modkill"])}
            said["role"] = next((one.role for one in context.dead if one.slot == slot), "")
        case Revived(slot=slot):
            said = {"what": "revived", "name": context.holder(slot)}
        case Away(slot=slot, first=first, last=last):
            said = {"what": "away", "name": context.holder(slot), "first": _day(first), "last": _day(last)}
        case Extended(window=window, until=until):
            said = {"what": "extended", "phase": phase_name(window)}
            said["until"] = until_facts(until, context.zone)
            said["old"] = until_facts(_deadline_before(context, window, number), context.zone)
        case Stopped(window=window):
            said = {"what": "stopped", "phase": phase_name(window)}
    post = number_of(entry, context) if isinstance(entry, Replaced | Removed | Revived) else None
    return {**said, "post": None if post is None else post_facts(post, context.posts)}


def _is_past(context: Now, number: int, entry: _Change) -> bool:
    """Whether entry `number` moved the clock of what is over by now."""
    if not isinstance(entry, Extended | Stopped):
        return False
    table = context.table
    if table is None:
        known = phases(context.setup.days, context.standing)
        return any(one.closed is not None and one.window == entry.window for one in known)
    then = next((step.state for step in table.replay.path if step.record.number == number), None)
    windows = () if then is None else table.game.windows(then)
    meant = {one.title for one in windows if entry.window in (one.kind, window_name(one))}
    return bool(meant) and not meant & {one.title for one in table.windows}


def _deadline_before(context: Now, window: str, number: int) -> datetime | None:
    """Until when the window was open before entry `number`."""
    said = [
        record.entry.until
        for record in context.standing
        if record.number < number
        and isinstance(record.entry, Opened | Extended)
        and record.entry.window == window
        and record.entry.until
    ]
    if said:
        return said[-1]
    kind, _, day = window.partition("-")
    given = context.setup.day(int(day)) if kind == "day" and day.isdecimal() else None
    return given.deadline if given else None


def _day(iso: str) -> str:
    """“28 Nov 2026”."""
    moment = date.fromisoformat(iso)
    return f"{moment.day} {moment:%b %Y}"
