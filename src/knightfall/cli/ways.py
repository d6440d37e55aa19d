"""Ways as the command line does them: a command each."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.sentence import Sentence, Way, filled

COMMANDS: Mapping[str, str] = {
    "archive": "archive --public",
    "close": "commit {kind}",
    "close_day": "phase close",
    "count_votes": "vc",
    "deal": "deal",
    "decide_votes": "fix …",
    "log": "log",
    "name_thread": "file --thread {role}=URL",
    "post": "post {kind} --posted",
    "read_signups": "signup read --write",
    "remind": "missing --draft",
    "say_elimination": 'submit moderator "eliminate …"',
    "send_pms": "pm {kind} --copy-next",
    "set_deadline": 'phase open {title} --ends "…"',
    "undo": "undo {entry}",
    "verify": "verify",
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
