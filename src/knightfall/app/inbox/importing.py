"""How do the messages of a source get into the game of a folder, and what does the moderator hear of it?

The good ones are taken, whatever is wrong with others; what is in question is told at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from knightfall.app.inbox.forms import Asked as AskedOfForm
from knightfall.app.inbox.forms import from_form
from knightfall.app.inbox.mail import Delivery
from knightfall.app.inbox.pms import from_pms
from knightfall.app.inbox.senders import Senders, senders_of
from knightfall.app.inbox.taking import Became, Case, Desk, Write
from knightfall.app.inbox.telling import Teller, dry_lines, summary
from knightfall.app.inbox.threads import Asked as AskedOfThreads
from knightfall.app.inbox.threads import from_threads
from knightfall.app.play.guarded_entry import guarded
from knightfall.app.play.table import Table, table_of
from knightfall.app.play.turns import tell
from knightfall.app.ports import Ports, Progress, Say
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Entry
from knightfall.errors import DecisionNeeded, InputError, KnightfallError
from knightfall.setups.setup import Setup


@dataclass(frozen=True, slots=True)
class Wanted:
    """One source, and how it is read: private `threads`, a file of `pms`, or the answers of a `form`."""

    threads: AskedOfThreads | None = None
    pms: Path | None = None
    form: Path | None = None
    columns: AskedOfForm = field(default_factory=AskedOfForm)
    dry: bool = False
    verbose: bool = False
    dialect: str = "plain"
    allow: str = ""


def take_in(
    wanted: Wanted, folder: Path, ports: Ports, out: Say, err: Say, progress: Progress | None = None
) -> tuple[Case, ...]:
    """Takes what the source holds. Raises DecisionNeeded at the end where senders are in question, else the
    first trouble of a thread that could not be read; what was taken then is taken all the same."""
    table, setup = table_of(folder, ports), setup_of(folder, ports)
    found = _delivery(wanted, setup, senders_of(table, setup), ports, progress)
    for note in (*found.notes, *(found.passed if wanted.verbose else ())):
        err(note)
    teller = Teller(err, _full(wanted, out, err), wanted.dry, wanted.verbose)
    desk = Desk(table, ports.clock.now(), _write(wanted, ports))
    cases = desk.take(found.mails, lambda case: None if _asks(case) else teller.tell(case), progress)
    err(summary(cases, wanted.dry))
    _ended(cases, found)
    return cases


def _delivery(
    wanted: Wanted, setup: Setup, senders: Senders, ports: Ports, progress: Progress | None
) -> Delivery:
    now, columns = ports.clock.now(), wanted.columns
    if wanted.threads is not None:
        return from_threads(setup, senders, wanted.threads, ports, progress)
    if wanted.pms is not None:
        return from_pms(wanted.pms, senders, setup.zone, columns.order, now)
    if wanted.form is not None:
        return from_form(wanted.form, senders, setup.zone, columns, now)
    raise InputError("Whose message? Say NAME TEXT, or --threads, --from-pms FILE or --from-form FILE.")


def _full(wanted: Wanted, out: Say, err: Say) -> Callable[[Table], None]:
    """Receipts, refusals, and whatever else a message leads to."""

    def show(after: Table) -> None:
        if not wanted.dry:
            tell(after, wanted.dialect, out, err)
            return
        for line in dry_lines(after):
            err(line)

    return show


def _write(wanted: Wanted, ports: Ports) -> Write:
    """Puts an entry into the journal, unless this is only to see."""

    def write(table: Table, entry: Entry, at: datetime) -> Table:
        if wanted.dry:
            return table.after(entry, at, ports.author)
        return guarded(table, entry, wanted.dialect, ports, wanted.allow, at)

    return write


def _asks(case: Case) -> bool:
    return case.became is Became.QUESTION


def _ended(cases: tuple[Case, ...], found: Delivery) -> None:
    questions = tuple(dict.fromkeys(case.mail.question for case in cases if _asks(case)))
    taken = sum(case.became is Became.TAKEN for case in cases)
    rest = "The others were taken." if taken else "Nothing was taken."
    troubles = tuple(map(str, found.troubles))
    if questions:
        raise DecisionNeeded("\n".join((f"{rest} These wait for you:", *questions, *troubles)))
    if found.troubles:
        raise _trouble(found.troubles, rest)


def _trouble(troubles: tuple[KnightfallError, ...], rest: str) -> KnightfallError:
    """The first one's kind, with all that went wrong."""
    return type(troubles[0])("\n".join((*map(str, troubles), rest)))
