"""Text made safe for where it is shown: a terminal, a cell of a spreadsheet."""

from __future__ import annotations

import json
import re

# An escape sequence of a terminal: a colour or a movement (CSI), a title or a link (OSC and its like, up to
# BEL or ST), or two letters.
_ANSI = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])"
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
_TURNING = r"[\u061c\u202a-\u202e\u2066-\u2069]"  # not the plain marks that our own posts use (200E, 200F)
_UNSAFE = re.compile(f"{_ANSI}|{_CONTROL}|{_TURNING}")
# What JSON's own writer leaves as it is, and no terminal should be sent.
_LONE = re.compile(rf"[\x7f-\x9f\ud800-\udfff]|{_TURNING}")


def safe(text: str) -> str:
    """The text without escape sequences, control characters (but tab and line end) and marks that turn a line
    around. Where it is JSON nothing is lost: there such letters are written as their numbers."""
    if not _UNSAFE.search(text):
        return text
    if _is_json(text):
        return _LONE.sub(_number, text)
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(_LONE.sub(_number, line) if _is_json(line) else _UNSAFE.sub("", line) for line in lines)


def _number(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# A cell that begins with one of these is a formula to a spreadsheet; full-width signs as well.
_FORMULA = tuple("=+-@＝＋－＠\t")
_UNSEEN = " \u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def cell(text: str) -> str:
    """The text on one line, an apostrophe before what a spreadsheet would compute."""
    line = " ".join(safe(text).splitlines())
    return f"'{line}" if line.strip(_UNSEEN).startswith(_FORMULA) else line
