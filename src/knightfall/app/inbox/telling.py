"""How is a moderator told what became of the messages that were found?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from knightfall.app.inbox.mail import Mail
from knightfall.app.inbox.taking import Became, Case
from knightfall.app.people.holders import holders
from knightfall.app.play.table import Table, refusal_lines, table_of
from knightfall.app.play.texts import texts_of
from knightfall.app.play.turns import slot_meant
from knightfall.app.ports import Ports, Say
from knightfall.core.entries import Submitted

LONG = 60
_QUIET = (Became.KNOWN, Became.TALK, Became.UNDONE)
_COUNTED: Mapping[Became, str] = {
    Became.TAKEN: "taken",
    Became.LATE: "too late",
    Became.UNREAD: "not read in time",
    Became.EARLY: "too early",
    Became.EDITED: "changed since",
    Became.QUESTION: "in question",
    Became.KNOWN: "taken before",
    Became.UNDONE: "undone before",
    Became.TALK: "without a command",
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells each case as it comes; `dry`: nothing is written, `verbose`: what is passed over, too."""

    err: Say
    full: Callable[[Table], None]
    dry: bool = False
    verbose: bool = False

    def tell(self, case: Case) -> None:
        if case.became in _QUIET and not self.verbose:
            return
        self.err(_WORDS[case.became](case) if not (self.dry and case.after) else _would(case))
        if case.after is not None:
            self.full(case.after)


def dry_lines(after: Table) -> Iterator[str]:
    """What would be answered, and what refused; nothing of it is written."""
    for text in texts_of(after.game.spec.id, after.last_events, "plain", holders(after.journal)):
        if text.kind == "receipt":
            yield f"To {text.whose}: {text.text}"
    yield from refusal_lines(after.last_refused)


def dry_run(who: str, said: str, folder: Path, ports: Ports, err: Say) -> None:
    """What one message would lead to; nothing is written. Raises as taking it would."""
    table = table_of(folder, ports)
    after = table.after(Submitted(slot_meant(table, who), said), ports.clock.now(), ports.author)
    for line in (*dry_lines(after), "Nothing was written."):
        err(line)


def summary(cases: Sequence[Case], dry: bool) -> str:
    """“3 taken, 1 too late, 4 without a command (-v lists them).”"""
    counts = Counter(case.became for case in cases)
    told = [f"{counts[became]} {word}" for became, word in _COUNTED.items() if counts[became]]
    if not told:
        return "No message was found."
    hidden = " (-v lists what was passed over)" if any(counts[became] for became in _QUIET) else ""
    return f"{', '.join(told)}{hidden}.{' Nothing was written.' if dry else ''}"


def _head(mail: Mail) -> str:
    time = f", {mail.at:%d %b %H:%M} UTC" if mail.at else ""
    return f"{mail.where}{time}, {mail.slot or 'nobody known'}"


def _short(text: str) -> str:
    line = " / ".join(text.split("\n"))
    return line if len(line) <= LONG else f"{line[: LONG - 1]}…"


def _said(case: Case) -> str:
    return f"{_head(case.mail)}: “{_short(case.mail.text)}”"


def _would(case: Case) -> str:
    return f"{_said(case)} would be taken."


def _late(case: Case) -> str:
    return f"{_said(case)} came after {case.window} had closed: not taken."


def _unread(case: Case) -> str:
    return (
        f"{_said(case)} was in time for {case.window}, but entry {case.entry} closed that before it was "
        f"read: not taken. To let it count: knightfall undo {case.entry} --why WHY, read again, close again."
    )


def _early(case: Case) -> str:
    return (
        f"{_said(case)} came before {case.window} was open: not taken. If it is meant for that: "
        f"knightfall submit {quote(str(case.mail.slot))} TEXT."
    )


def _edited(case: Case) -> str:
    return (
        f"{_said(case)}: changed since it was taken as entry {case.entry}, which stands. To take it as it is "
        f"now: knightfall undo {case.entry} --why WHY, and read again."
    )


_WORDS: Mapping[Became, Callable[[Case], str]] = {
    Became.TAKEN: lambda case: f"{_said(case)}: taken as entry {case.entry}.",
    Became.LATE: _late,
    Became.UNREAD: _unread,
    Became.EARLY: _early,
    Became.EDITED: _edited,
    Became.QUESTION: lambda case: case.mail.question,
    Became.KNOWN: lambda case: f"{_head(case.mail)}: taken before, as entry {case.entry}.",
    Became.UNDONE: lambda case: f"{_head(case.mail)}: entry {case.entry} took it and was undone.",
    Became.TALK: lambda case: f"{_said(case)}: no command, passed over.",
}
