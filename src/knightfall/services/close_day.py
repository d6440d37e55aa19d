"""Closing a day as the moderator confirms it, the flip, and waiting for the deadline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from shlex import quote

from knightfall.config.calendar import closed_day, closed_days, eliminated, outcome_of, window_of
from knightfall.config.setup import Setup
from knightfall.engine.journal import Closed, Journal, Record, Ruled
from knightfall.errors import DecisionNeeded, InputError, RateLimited, ServerFault, UnknownServer
from knightfall.fetch.clock import Clock
from knightfall.markup.dialects import dialect
from knightfall.models import Slot, Thread
from knightfall.services.count_request import CountRequest
from knightfall.services.day_end import (
    PAUSE,
    Final,
    Read,
    count_of,
    deciding,
    ending,
    every_page,
    evidence_of,
    eye_check,
    final_count,
    final_text,
    keep_final,
    kept_count,
    question_lines,
    summary,
    url_of,
)
from knightfall.services.evidence import versions_of
from knightfall.services.game_state import RunningGame, begun, setup_of, table_of
from knightfall.services.guard import allowed, released
from knightfall.services.phases import day_table, elimination_post, refuse_untaken
from knightfall.services.publish import looked_at
from knightfall.services.reading import PLAIN, Kept, Link, gather, speech_of
from knightfall.services.session import Say, Session, bears, entered, game_folder, journal_of
from knightfall.services.turns import Receipt, receipt_of
from knightfall.services.votecount import Counted
from knightfall.votes.config import DaySetup
from knightfall.votes.tally import UNDECIDED
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render

Console = Callable[[str], str | None]
"""Puts a question to the moderator; returns what he types, None where nobody is there to type."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. `early`: why the day ends before its time."""

    game: Path
    day: int | None = None
    early: str = ""
    pause: float = PAUSE
    allow: str = ""
    """Why the final count may give away what the secret guard stops."""
    stored: bool = False
    """Count what was read before, without asking the forum."""


def look(asked: Asked, session: Session, err: Say) -> Final:
    """The final count of the day, from a thread that holds still, or as it was read before.

    Raises DecisionNeeded where the day runs on or is closed already, EvidenceError where the thread does not
    hold still.
    """
    setup = setup_of(session)
    if asked.day is not None:
        _refuse_closed(asked.day, session)
    final = _counted(setup, asked, session, err)
    _refuse_closed(final.done.count.day.number, session)
    day_table(final.done.count.day.number, session)
    _refuse_running(final.done.count, asked.early)
    return final


def _counted(setup: Setup, asked: Asked, session: Session, err: Say) -> Final:
    if asked.stored:
        return kept_count(setup, asked.day, session, err)
    return final_count(setup, asked.day, asked.pause, session, err, every_page(setup, session))


def close(
    final: Final, asked: Asked, session: Session, console: Console, out: Say, err: Say
) -> Receipt | None:
    """Closes the day as the moderator confirms it; returns what a game that is played here answers.

    Raises DecisionNeeded where questions that matter are open, they type something else, or the thread
    changed meanwhile: then nothing is closed.
    """
    count, text = final.done.count, released(final_text(final.done), session, asked.allow)
    out(text)
    _show(final, session, err)
    names = _confirmed(count, console)
    _refuse_changed(final, session)
    _refuse_closed(count.day.number, session)
    table = day_table(count.day.number, session)
    found = () if table is None else _answer_looked_at(table, final, names, asked, session)
    file = keep_final(final.done, text, asked.game)
    record = _written(final, names, asked, session)
    err(_done(record, names, file.relative_to(game_folder(asked.game))))
    answer = None
    if table is not None:
        answer = receipt_of(table_of(session), _speech(final, session))
    allowed(found, session, asked.allow)
    return answer


def _answer_looked_at(
    table: RunningGame, final: Final, names: tuple[str, ...], asked: Asked, session: Session
) -> tuple[str, ...]:
    """What the game will say to the closing, read for secrets; what of it passes for the written reason.
    Raises DecisionNeeded where the game would not take that end, SecretGuard without a reason."""
    closing = _closing(final.done.count, names)
    refuse_untaken(table, closing, final.done.count.day.number, session)
    after = table.after(closing, session.clock.now(), session.author)
    return looked_at(after, _speech(final, session), session, asked.allow)


def _show(final: Final, session: Session, err: Say) -> None:
    """All that the moderator should look at. Raises DecisionNeeded for questions that matter."""
    count, url = final.done.count, final.done.thread.url or ""
    for line in (*count.assumed, *summary(count)):
        err(line)
    for line in eye_check(count, lambda post: len(versions_of(url, post, session=session))):
        err(line)
    doubts = deciding(count, final.recount)
    if doubts:
        told = "\n".join(question_lines(doubts))
        raise DecisionNeeded(
            f"Day {count.day.number} stays open: {len(doubts)} vote(s) may change how it ends. Decide, then "
            f"close it again.\n{told}"
        )
    if count.tally.questions:
        err("Open questions that change nothing, however they are answered:")
        for line in question_lines(count.tally.questions):
            err(line)


def _refuse_closed(day: int, session: Session) -> None:
    closed = closed_day(journal_of(session), day)
    if closed is not None:
        raise DecisionNeeded(
            f"Day {day} was closed before, by {closed.author}: entry {closed.number}. To close it anew, "
            f'first knightfall undo {closed.number} --why "…"; else go on with knightfall flip --day {day}'
        )


def _refuse_running(count: Votecount, early: str) -> None:
    if count.outcome is None and not early.strip():
        raise DecisionNeeded(
            f"Day {count.day.number} is still running: no hammer, and {_until(count)}. To end it before its "
            'time: knightfall phase close --early "WHY"'
        )


def _until(count: Votecount) -> str:
    deadline, zone = count.day.deadline, count.zone
    if deadline is None:
        return "the game file tells no deadline for it ([[day]] ends = …)"
    shown = local_time(deadline, zone) if zone else f"{deadline:%Y-%m-%d %H:%M UTC}"
    return f"the deadline is {shown}"


def _confirmed(count: Votecount, console: Console) -> tuple[str, ...]:
    """Who is eliminated, as the moderator typed it. Raises DecisionNeeded for anything else."""
    day, choices = count.day.number, _choices(count)
    if len(choices) > 1:
        asks = f"The rules leave day {day} to you. Lock the thread, then type one of: {_list(choices)}"
    else:
        asks = f"Lock the thread, then type {_list(choices)} to close day {day}"
    typed = console(f"{asks}. Anything else closes nothing: ")
    if typed is None or not typed.strip():
        raise DecisionNeeded(
            f"Nothing was typed, so day {day} stays open. Without a terminal, pipe the name in: "
            f"echo {quote(next(iter(choices)))} | knightfall phase close"
        )
    if typed.strip() not in choices:
        raise DecisionNeeded(f"You typed “{typed.strip()}”, expected {_list(choices)}. Nothing was closed.")
    return choices[typed.strip()]


def _choices(count: Votecount) -> Mapping[str, tuple[str, ...]]:
    """What may be typed, and who is eliminated then."""
    outcome, nobody = ending(count), count.terms.no_elimination
    if outcome != UNDECIDED:
        names = tuple(slot.name for slot in outcome.eliminated)
        return {", ".join(names) or nobody: names}
    wagons = count.tally.wagons
    leading = (w.target.name for w in wagons if w.target and w.count == wagons[0].count)
    return {nobody: (), **{name: (name,) for name in leading}}


def _refuse_changed(final: Final, session: Session) -> None:
    """A last look at the end of the thread: what came while the question stood open counts, too."""
    done = final.done
    if done.setup is None or isinstance(done.source, Kept):
        return
    now, day = session.clock.now(), done.count.day.number
    fresh = count_of(done.setup, gather(Link(done.thread.url or ""), session), day, now)
    if evidence_of(fresh) != evidence_of(done.count):
        raise DecisionNeeded(
            f"The thread changed while you were asked; nothing was closed. It now ends at #{fresh.tally.at}. "
            "Run knightfall phase close again."
        )


def _written(final: Final, names: tuple[str, ...], asked: Asked, session: Session) -> Record:
    """The entries, the closing itself last."""
    count = final.done.count
    day, closing = count.day.number, _closing(count, names)
    nowhere = "A day is closed in the journal of a game: name one with --game FOLDER."
    if asked.early.strip() and count.outcome is None:
        entered(Ruled(f"Does day {day} end before its time?", "yes", asked.early.strip()), session, nowhere)
    return entered(closing, session, nowhere, again=partial(_ends_alike, final, session))


def _closing(count: Votecount, names: tuple[str, ...]) -> Closed:
    """Several names are several lines of one message."""
    return Closed(window_of(count.day.number), outcome_of(names), evidence_of(count))


def _speech(final: Final, session: Session) -> str:
    """The dialect of the game's posts."""
    return speech_of(None, final.done.setup, session) if final.done.setup else PLAIN


def _ends_alike(final: Final, session: Session, journal: Journal) -> bool:
    """Whether what somebody else wrote meanwhile leaves the day open, with the same end."""
    done, day = final.done, final.done.count.day.number
    if closed_day(journal, day) is not None:
        return False
    fresh = count_of(setup_of(session), done.thread, day, session.clock.now())
    return _choices(fresh) == _choices(done.count) and evidence_of(fresh) == evidence_of(done.count)


def _done(record: Record, names: tuple[str, ...], file: Path) -> str:
    closed = ", ".join(names) or "nobody"
    return (
        f"Closed, entry {record.number}: {closed} is eliminated. Final votecount: {file}. "
        "The post with the flip: knightfall flip"
    )


def _list(choices: Mapping[str, object]) -> str:
    return " | ".join(choices)


def flip(
    name: str | None,
    day: int | None,
    wanted: str | None,
    session: Session,
    out: Say,
    err: Say,
    allow: str = "",
) -> None:
    """Prints the post. Raises DecisionNeeded where the day (None: the latest) was not closed, or `name` is
    not who fell: then nothing is shown. Says on `err` whose role the game file does not tell."""
    if wanted:
        dialect(wanted)  # an unknown one is told first
    setup = setup_of(session)
    record, number, fallen = _closed(day, session)
    _refuse_other(name, number, fallen, setup)
    speech = speech_of(wanted, setup, session)
    played = _of_game(record, speech, session)
    if played is not None:
        out(released(played, session, allow))
        return
    roles = {one: _role(one, setup) for one in fallen}
    text = render("any/flip", _facts(number, roles, setup), speech)
    out(released(text, session, allow))
    for one in (one for one, role in roles.items() if role is None):
        err(f"{setup.source} has no role for {one}, so the post tells none. It goes in the [[player]]: role.")


def _of_game(record: Record, speech: str, session: Session) -> str | None:
    """The post of the begun game, which has the cards; None where none was begun, or it told nothing."""
    if not begun(journal_of(session)):
        return None
    return elimination_post(record, table_of(session), speech)


def _closed(day: int | None, session: Session) -> tuple[Record, int, tuple[str, ...]]:
    """The record that closed the day, the day, and who fell on it."""
    found = dict(closed_days(journal_of(session)))
    number = max(found, default=None) if day is None else day
    record = found.get(number) if number is not None else None
    if number is None or record is None or not isinstance(record.entry, Closed):
        which = "No day is" if number is None else f"Day {number} is not"
        raise DecisionNeeded(
            f"{which} closed, so nothing is shown of anybody's role. Count, check and confirm first: "
            "knightfall phase close"
        )
    return record, number, eliminated(record.entry)


def _refuse_other(name: str | None, day: int, fallen: tuple[str, ...], setup: Setup) -> None:
    """A slip of the hand must not show another's role."""
    if name is None or any(_is(name, one, setup) for one in fallen):
        return
    said = ", ".join(fallen) or setup.terms.no_elimination
    raise DecisionNeeded(
        f"Day {day} was closed with {said}, not with “{name}”. Nothing is shown. To close it otherwise: "
        "knightfall log, knightfall undo, then knightfall phase close"
    )


def _is(name: str, fallen: str, setup: Setup) -> bool:
    slot = _slot(fallen, setup)
    return bears(slot, name) if slot else name.strip().casefold() == fallen.casefold()


def _role(name: str, setup: Setup) -> str | None:
    """The role of a slot, whoever holds it now."""
    slot = _slot(name, setup)
    return next((setup.roles[one] for one in (slot.names if slot else (name,)) if one in setup.roles), None)


def _slot(name: str, setup: Setup) -> Slot | None:
    return setup.roster.slot_of(name) if setup.roster else None


def _facts(day: int, roles: Mapping[str, str | None], setup: Setup) -> dict[str, object]:
    return {
        "day": day,
        "fallen": [{"name": name, "role": role} for name, role in roles.items()],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }


FAULTS = (ServerFault, RateLimited, UnknownServer)
"""What may pass by itself: the server, the line, the name service."""
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 600.0
PATIENCE = 24 * 3600.0
"""For so many seconds a forum may be down before we give up."""
STEP = 1.0

Countdown = Callable[[float], None]
"""Is told the seconds that are left, about once a second."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A day to wait for: its number, and the first instant that is too late for a vote."""

    setup: Setup
    day: int
    closes: datetime


def wait(wanted: CountRequest, session: Session, err: Say, countdown: Countdown | None = None) -> Awaited:
    """Sleeps until no vote of the day can be in time any more.

    Raises InputError where there is no game file, no thread or no deadline to wait for. The forum is looked
    at once before, so that what cannot work is told while somebody is there to mend it.
    """
    awaited = _awaited(wanted, session)
    err(_line(awaited, session.clock.now()))
    if session.clock.now() < awaited.closes:
        _first_look(awaited.setup, session, err)
    while (left := (awaited.closes - session.clock.now()).total_seconds()) > 0:
        if countdown:
            countdown(left)
        session.clock.sleep(min(left, STEP))
    return awaited


def count_after(awaited: Awaited, wanted: CountRequest, session: Session, err: Say) -> Counted:
    """Reads until the thread holds still, and writes the final votecount into the game's folder.

    Raises EvidenceError where the thread does not hold still, and the last fault where the forum is down for
    a day.
    """
    read = patient(every_page(awaited.setup, session), session.clock, err)
    done = final_count(awaited.setup, awaited.day, PAUSE, session, err, read).done
    text = released(final_text(done, wanted.dialect), session, wanted.allow)
    file = keep_final(done, text, session.folder)
    err(f"Written: {file.relative_to(session.folder)}. The flip waits for: knightfall phase close")
    return done


def patient(read: Read, clock: Clock, say: Say) -> Read:
    """The same read, which outlives faults that pass: it tries again after growing pauses, and says so."""
    return partial(_read_at_last, read, clock, say)


def _read_at_last(read: Read, clock: Clock, say: Say) -> Thread:
    began, pause = clock.elapsed(), FIRST_PAUSE
    while True:
        try:
            return read()
        except FAULTS as fault:
            if clock.elapsed() - began > PATIENCE:
                raise
            say(f"{_cause(fault)} Trying again in {pause:.0f} s.")
        clock.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _first_look(setup: Setup, session: Session, err: Say) -> None:
    try:
        gather(Link(url_of(setup)), session)
    except FAULTS as fault:
        err(f"{_cause(fault)} It may be back in time: waiting all the same.")


def _cause(fault: Exception) -> str:
    return str(fault).splitlines()[0]


def _awaited(wanted: CountRequest, session: Session) -> Awaited:
    if wanted.dialect:
        dialect(wanted.dialect)  # an unknown one is told now, not in the night
    if wanted.words or wanted.html or wanted.jsonl or wanted.stored or wanted.at:
        raise InputError("--wait counts the thread of a game at its deadline: with --game and --day alone.")
    if session.game is None:
        raise InputError(
            "--wait needs the deadline of a game: run it in the game's folder, or --game FOLDER."
        )
    setup = setup_of(session)
    url_of(setup)
    day, deadline = _deadline(setup, wanted.day, session.clock.now())
    return Awaited(setup, day.number, setup.rule.closes(deadline))


def _deadline(setup: Setup, number: int | None, now: datetime) -> tuple[DaySetup, datetime]:
    """The day of that number, else the first one that is not over, else the last one; with its deadline."""
    ends = [(day, day.deadline) for day in setup.days if day.deadline and number in (None, day.number)]
    if not ends:
        which = f"day {number}" if number else "any day"
        raise InputError(
            f"{setup.source} has no deadline of {which} to wait for. Add it:  [[day]]  "
            f"number = {number or 1}, ends = 2026-11-25T20:00:00"
        )
    ahead = sorted((end, day.number) for day, end in ends if setup.rule.closes(end) > now)
    chosen = ahead[0] if ahead else max((end, day.number) for day, end in ends)
    return next((day, end) for day, end in ends if (end, day.number) == chosen)


def _line(awaited: Awaited, now: datetime) -> str:
    zone = awaited.setup.zone
    shown = local_time(awaited.closes, zone) if zone else f"{awaited.closes:%a %d %b %Y, %H:%M UTC}"
    if now >= awaited.closes:
        return f"The deadline of day {awaited.day} was {shown}: counting now."
    left = timedelta(seconds=round((awaited.closes - now).total_seconds()))
    return f"Day {awaited.day} ends {shown}, in {left}. Waiting; Ctrl-C stops."
