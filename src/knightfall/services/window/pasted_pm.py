"""The head under which a forum shows a PM, where it was pasted along with the message."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from knightfall.markup.tags import without_tags

_LINE = re.compile(
    r"(?P<key>from|to|cc|bcc|recipients?|sent(?: by| at| on)?|date|posted|(?:message )?subject|title|re) *:"
    r"(?P<said>.*)",
    re.IGNORECASE,
)
_LEAST = 2
"""One such line is no head yet: a message may begin with any word."""
_SENDER, _SENT = ("from", "sent by"), ("sent", "sent at", "sent on", "date", "posted")


class PastedPm(NamedTuple):
    """Who sent a PM and when by the lines of its head, as written ("" where none says it), and its words."""

    sender: str
    sent: str
    text: str


def without_head(text: str) -> PastedPm:
    """A message less the head that was pasted with it: lines such as `From: Ada` and `Subject: …`, of which
    at least two begin it."""
    lines = text.strip().splitlines()
    bare = (without_tags(line, ("b", "i", "url")).replace("**", "").strip() for line in lines)
    head = [found for found in takewhile(bool, map(_LINE.fullmatch, bare)) if found]
    if len(head) < _LEAST:
        return PastedPm("", "", text)
    said = {found["key"].casefold(): found["said"].strip(" \t»") for found in reversed(head)}
    sender = next((said[key] for key in _SENDER if key in said), "")
    sent = next((said[key] for key in _SENT if key in said), "")
    return PastedPm(sender, sent, "\n".join(lines[len(head) :]).strip())
