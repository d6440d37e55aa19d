"""Ways as the page goes them: a label and an address each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.sentence import Sentence, Way, filled

PLACES: Mapping[str, tuple[str, str]] = {
    "archive": ("Write the archive", "end"),
    "close": ("Close {title}", "night#close"),
    "close_day": ("Close the day", "close"),
    "count_votes": ("Count the votes", "votes"),
    "deal": ("Deal the roles", "deal"),
    "decide_votes": ("Decide the open votes", "votes#questions"),
    "log": ("Log", "log"),
    "name_thread": ("Name the {role} thread", "file"),
    "post": ("Post the {kind} post", "posts/{kind}"),
    "read_signups": ("Read the sign-ups", "signups"),
    "remind": ("See who has not sent anything", "night"),
    "say_elimination": ("Say who is eliminated", "night"),
    "send_pms": ("Send the {kind} PMs", "pms/{kind}"),
    "set_deadline": ("Set the deadline of {title}", "phases"),
    "undo": ("Undo entry {entry}", "log/{entry}/undo"),
    "verify": ("Check every post and hash", "end"),
}
"""Each way as its label and its page: within the game, where it does not begin with “/”."""

FIELDS: Mapping[str, str] = {"why": "Reason"}
"""Fields of questions by the label that they have on the page."""


@dataclass(frozen=True, slots=True)
class Link:
    """A way as a button or a link: its label and address."""

    label: str
    to: str


def link(way: Way, root: str) -> Link:
    """A way in the game at `root` (“/games/NAME”)."""
    label, place = PLACES[way.to]
    to = filled(place, way.values)
    return Link(filled(label, way.values), to if to.startswith("/") else f"{root}/{to}")


def in_page_words(text: object) -> str:
    """A text as the page says it: a way by the label of its page, a field by its label there."""
    return text.spelled(_label) if isinstance(text, Sentence) else str(text)


def _label(way: Way) -> str:
    if way.to == "field":
        name = str(way.values["name"])
        return f"“{FIELDS.get(name, name.replace('_', ' ').capitalize())}”"
    return f"“{filled(PLACES[way.to][0], way.values)}”"
