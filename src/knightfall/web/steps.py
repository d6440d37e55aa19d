"""The commands that come next, as buttons of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Way:
    """A button: its label, and the address on which that is done."""

    label: str
    to: str


# A command → its label and page; \1 is what the first group holds.
_WAYS: tuple[tuple[str, str, str], ...] = (
    (r"signup read --write", "Read the sign-ups", "/signups"),
    (r"deal", "Deal the roles", "/deal"),
    (r"pm roles --copy-next", "Send the role PMs", "/pms/role"),
    (r"pm results --copy-next", "Send the results by PM", "/pms/result"),
    (r"post ([a-z-]+)(?: --posted)?", "Post the \\1 post", "/posts/\\1"),
    (r'phase open (\w+ \d+) --ends "…"', "Set the deadline of \\1", "/phases"),
    (r"fix …", "Decide the open votes", "/votes#questions"),
    (r"vc", "Count the votes", "/votes"),
    (r"phase close", "Close the day", "/close"),
    (r'submit moderator "eliminate …"', "Say who is eliminated", "/night"),
    (r"missing --draft", "See who has not sent anything", "/night"),
    (r"commit (\w+)", "Close what is open (\\1)", "/night#close"),
    (r"verify", "Check every post and hash", "/end"),
    (r"archive --public", "Write the archive", "/end"),
)


def next_steps(commands: Iterable[str], root: str) -> tuple[Way, ...]:
    """A button for each command that the page can do, in their order."""
    found: dict[str, Way] = {}
    for command in commands:
        words = command.removeprefix("knightfall ")
        for pattern, label, to in _WAYS:
            match = re.fullmatch(pattern, words)
            if match:
                said = label.replace("\\1", match[1].replace("-", " ")) if match.groups() else label
                way = Way(said, root + match.expand(to))
                found.setdefault(way.to + way.label, way)
                break
    return tuple(found.values())
