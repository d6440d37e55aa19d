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
    "decide": ("Decide {title}", "night"),
    "decide_votes": ("Decide the open votes", "votes#questions"),
    "lock": ("You locked the thread", "phases#lock-head"),
    "log": ("Log", "log"),
    "mark_sent": ("Mark the PMs as sent", "pms/{kind}?batch={batch}"),
    "name_thread": ("Name the {role} thread", "thread/{role}"),
    "post": ("Post the {kind} post", "posts/{kind}"),
    "prod": ("Prod who is silent", "players"),
    "read_signups": ("Read the sign-ups", "signups"),
    "remind": ("See who has not sent anything", "night"),
    "say_elimination": ("Say who is eliminated", "night"),
    "send_batch": ("Send the PMs of {batch}", "pms/{kind}?batch={batch}"),
    "send_pms": ("Send the {kind} PMs", "pms/{kind}"),
    "set_deadline": ("Set the deadline of {title}", "phases"),
    "undo": ("Undo entry {entry}", "log/{entry}/undo"),
    "verify": ("Check every post and hash", "end"),
    "write_texts": ("Write the missing texts", "posts#missing"),
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
    return Link(_said(label, way), to if to.startswith("/") else f"{root}/{to}")


def in_page_words(text: object) -> str:
    """A text as the page says it: a way by the label of its page, a field by its label there."""
    return text.spelled(_label) if isinstance(text, Sentence) else str(text)


def _label(way: Way) -> str:
    if way.to == "field":
        name = str(way.values["name"])
        return f"“{FIELDS.get(name, name.replace('_', ' ').capitalize())}”"
    return f"“{_said(PLACES[way.to][0], way)}”"


def _said(label: str, way: Way) -> str:
    """A label with its values in words: “Post the end of day post”."""
    return filled(label, {name: str(value).replace("-", " ") for name, value in way.values.items()})
