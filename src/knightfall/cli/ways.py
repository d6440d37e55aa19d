"""Ways as the command line does them: a command each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from knightfall.cli.terminal import aside
from knightfall.sentence import Sentence, Way, filled

if TYPE_CHECKING:
    from knightfall.services.due import Due
    from knightfall.services.session import Session

COMMANDS: Mapping[str, str] = {
    "archive": "archive --public",
    "close": "commit {kind}",
    "close_day": "phase close",
    "count_votes": "vc",
    "deal": "deal",
    "decide": 'submit moderator "…"',
    "decide_votes": "fix …",
    "lock": "phase lock",
    "log": "log",
    "mark_sent": "pm mark sent NAME… --batch {batch}",
    "name_thread": "file --thread {role}=URL",
    "post": "post {kind} --posted",
    "prod": "prod",
    "read_signups": "signup read --write",
    "remind": "missing --draft",
    "say_elimination": 'submit moderator "eliminate …"',
    "send_batch": "pm {kind}s --copy-next --batch {batch}",
    "send_pms": "pm {kind}s --copy-next",
    "set_deadline": 'phase open {title} --ends "…"',
    "undo": "undo {entry}",
    "verify": "verify",
    "write_texts": "verify --write",
}
"""Each way as the command that goes it, without the word `knightfall`."""

FLAGS: Mapping[str, str] = {"why": "--why"}
"""Fields of questions as flags, where a flag is not called as its field."""


def command(way: Way) -> str:
    """The command of a way; a field as its flag, with what to put there."""
    if way.to == "field":
        name = str(way.values["name"])
        flag = FLAGS.get(name, "--" + name.replace("_", "-"))
        return f"{flag} {way.values['value']}" if way.values.get("value") else flag
    return f"knightfall {filled(COMMANDS[way.to], way.values)}"


def in_commands(text: object) -> str:
    """A text as the terminal prints it: its ways as commands."""
    return text.spelled(command) if isinstance(text, Sentence) else str(text)


def next_line(found: Sequence[Due], about: Way | None = None) -> str:
    """“Next: knightfall vc”: the first that is due, or that way where it is, and what it is where it cannot
    wait; "" where nothing is."""
    from knightfall.services.due import DueUrgency

    if not found:
        return ""
    first = next((one for one in found if one.way == about), found[0])
    said = f"{in_commands(first.what)}: " if first.urgency is DueUrgency.NOW else ""
    return f"Next: {said}{command(first.way)}"


def tell_next(session: Session, about: Way | None = None) -> None:
    """Tell beside the answer what is due first (`about`: that way, where it is) after something was done;
    nothing where nothing is, or where that cannot be told now: what was done is done."""
    from knightfall.errors import KnightfallError
    from knightfall.services.due import due

    try:
        line = next_line(due(session), about)
    except KnightfallError:
        return
    if line:
        aside(line)
