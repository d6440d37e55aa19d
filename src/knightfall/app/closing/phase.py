"""How does a day end for good: counted twice alike, checked, typed by the moderator, written down?

Nothing of the flip is shown before. Each step can only stop the next one; the journal is written last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote

from knightfall.app.calendar.day_table import day_table, refuse_untaken
from knightfall.app.closing.day_end import eye_check, question_lines, summary
from knightfall.app.closing.doubts import deciding, ending
from knightfall.app.closing.final import (
    Final,
    count_of,
    every_page,
    final_count,
    final_text,
    keep_final,
    kept_count,
)
from knightfall.app.closing.proof import evidence_of
from knightfall.app.closing.steady import PAUSE
from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.guarding.outgoing import allowed, released
from knightfall.app.play.guarded_entry import looked_at
from knightfall.app.play.table import Table, table_of
from knightfall.app.ports import Ports, Progress, Say, game_folder
from knightfall.app.reading.evidence import versions_of
from knightfall.app.reading.read import Kept, Link, gather
from knightfall.app.setup_now import setup_of
from knightfall.app.speech import PLAIN, speech_of
from knightfall.core.entries import Closed, Ruled
from knightfall.core.journal import Journal, Record
from knightfall.errors import DecisionNeeded
from knightfall.services.turns import Receipt, receipt_of
from knightfall.setups.closed import closed_day, outcome_of, window_of
from knightfall.setups.setup import Setup
from knightfall.votes.outcome import UNDECIDED
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import local_time

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


def look(asked: Asked, ports: Ports, err: Say, progress: Progress | None = None) -> Final:
    """The final count of the day, from a thread that holds still, or as it was read before.

    Raises DecisionNeeded where the day runs on or is closed already, EvidenceError where the thread does not
    hold still.
    """
    setup = setup_of(asked.game, ports)
    if asked.day is not None:
        _refuse_closed(asked.day, ports)
    final = _counted(setup, asked, ports, err, progress)
    _refuse_closed(final.done.count.day.number, ports)
    day_table(final.done.count.day.number, asked.game, ports)
    _refuse_running(final.done.count, asked.early)
    return final


def _counted(setup: Setup, asked: Asked, ports: Ports, err: Say, progress: Progress | None) -> Final:
    if asked.stored:
        return kept_count(setup, asked.day, ports, err)
    return final_count(setup, asked.day, asked.pause, ports, err, every_page(setup, ports, progress))


def close(final: Final, asked: Asked, ports: Ports, console: Console, out: Say, err: Say) -> Receipt | None:
    """Closes the day as the moderator confirms it; returns what a game that is played here answers.

    Raises DecisionNeeded where questions that matter are open, they type something else, or the thread
    changed meanwhile: then nothing is closed.
    """
    count, text = final.done.count, released(final_text(final.done), asked.game, ports, asked.allow)
    out(text)
    _show(final, ports, err)
    names = _confirmed(count, console)
    _refuse_changed(final, ports)
    _refuse_closed(count.day.number, ports)
    table = day_table(count.day.number, asked.game, ports)
    found = () if table is None else _answer_looked_at(table, final, names, asked, ports)
    file = keep_final(final.done, text, asked.game)
    record = _written(final, names, asked, ports)
    err(_done(record, names, file.relative_to(game_folder(asked.game))))
    answer = None
    if table is not None:
        answer = receipt_of(table_of(asked.game, ports), _speech(final, ports))
    allowed(found, ports, asked.allow)
    return answer


def _answer_looked_at(
    table: Table, final: Final, names: tuple[str, ...], asked: Asked, ports: Ports
) -> tuple[str, ...]:
    """What the game will say to the closing, read for secrets; what of it passes for the written reason.
    Raises DecisionNeeded where the game would not take that end, SecretGuard without a reason."""
    closing = _closing(final.done.count, names)
    refuse_untaken(table, closing, final.done.count.day.number, ports)
    after = table.after(closing, ports.clock.now(), ports.author)
    return looked_at(after, _speech(final, ports), ports, asked.allow)


def _show(final: Final, ports: Ports, err: Say) -> None:
    """All that the moderator should look at. Raises DecisionNeeded for questions that matter."""
    count, url = final.done.count, final.done.thread.url or ""
    for line in (*count.assumed, *summary(count)):
        err(line)
    for line in eye_check(count, lambda post: len(versions_of(url, post, ports=ports))):
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


def _refuse_closed(day: int, ports: Ports) -> None:
    closed = closed_day(journal_of(ports), day)
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


def _refuse_changed(final: Final, ports: Ports) -> None:
    """A last look at the end of the thread: what came while the question stood open counts, too."""
    done = final.done
    if done.setup is None or isinstance(done.source, Kept):
        return
    now, day = ports.clock.now(), done.count.day.number
    fresh = count_of(done.setup, gather(Link(done.thread.url or ""), ports), day, now)
    if evidence_of(fresh) != evidence_of(done.count):
        raise DecisionNeeded(
            f"The thread changed while you were asked; nothing was closed. It now ends at #{fresh.tally.at}. "
            "Run knightfall phase close again."
        )


def _written(final: Final, names: tuple[str, ...], asked: Asked, ports: Ports) -> Record:
    """The entries, the closing itself last."""
    count = final.done.count
    day, closing = count.day.number, _closing(count, names)
    nowhere = "A day is closed in the journal of a game: name one with --game FOLDER."
    if asked.early.strip() and count.outcome is None:
        entered(Ruled(f"Does day {day} end before its time?", "yes", asked.early.strip()), ports, nowhere)
    return entered(closing, ports, nowhere, again=partial(_ends_alike, final, asked, ports))


def _closing(count: Votecount, names: tuple[str, ...]) -> Closed:
    """Several names are several lines of one message."""
    return Closed(window_of(count.day.number), outcome_of(names), evidence_of(count))


def _speech(final: Final, ports: Ports) -> str:
    """The dialect of the game's posts."""
    return speech_of(None, final.done.setup, ports) if final.done.setup else PLAIN


def _ends_alike(final: Final, asked: Asked, ports: Ports, journal: Journal) -> bool:
    """Whether what somebody else wrote meanwhile leaves the day open, with the same end."""
    done, day = final.done, final.done.count.day.number
    if closed_day(journal, day) is not None:
        return False
    fresh = count_of(setup_of(asked.game, ports), done.thread, day, ports.clock.now())
    return _choices(fresh) == _choices(done.count) and evidence_of(fresh) == evidence_of(done.count)


def _done(record: Record, names: tuple[str, ...], file: Path) -> str:
    closed = ", ".join(names) or "nobody"
    return (
        f"Closed, entry {record.number}: {closed} is eliminated. Final votecount: {file}. "
        "The post with the flip: knightfall flip"
    )


def _list(choices: Mapping[str, object]) -> str:
    return " | ".join(choices)
