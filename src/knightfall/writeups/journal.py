"""Entries of the journal in words, for the log, and decisions as footnotes under a count."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import datetime, timedelta, tzinfo
from types import MappingProxyType
from typing import Any

from knightfall.engine.commands import ELIMINATE
from knightfall.engine.entries import (
    Adopted,
    Aliased,
    Away,
    Closed,
    Committed,
    Delivered,
    Drawn,
    Entry,
    Extended,
    Fixed,
    Locked,
    Opened,
    Prodded,
    Published,
    Removed,
    Replaced,
    Revived,
    Roomed,
    Rounded,
    Ruled,
    Started,
    Stopped,
    Submitted,
    Undone,
    Worded,
)
from knightfall.engine.journal import Record, adopted_until
from knightfall.engine.spans import time_of_day
from knightfall.markup.dialects.moments import zone_name
from knightfall.sentence import Sentence, SlotId, joined, sentence
from knightfall.votes.tally import Fix
from knightfall.writeups.tables import short

LONG = 60


def entry_line(entry: Entry, entered: datetime | None = None, zone: tzinfo | None = None) -> Sentence:
    """What an entry says, on one line, with its reason; no full stop. A message says when it was sent where
    that is not when it was `entered`, to the minute. Times are by the clocks of `zone`; None: as they were
    entered."""
    if zone is not None:
        entry = _on_clocks(entry, zone)
    told = _message_words(entry, entered) if isinstance(entry, Submitted) else _WORDS[type(entry)](entry)
    why = getattr(entry, "why", "")
    return sentence("{told} ({why})", told=told, why=why) if why else joined("", (told,))


def _on_clocks(entry: Entry, zone: tzinfo) -> Entry:
    """The entry with every instant in it by the clocks of a zone."""
    told = {one.name: getattr(entry, one.name) for one in fields(entry)}
    times: dict[str, Any] = {
        name: at.astimezone(zone) for name, at in told.items() if isinstance(at, datetime)
    }
    return replace(entry, **times) if times else entry


def entry_lines(records: Iterable[tuple[Record, bool]], zone: tzinfo | None = None) -> Iterator[Sentence]:
    """What each record of a journal says, with the players as they were called when it was written; of each
    whether it stands. What was taken from another's word says so. Times are as in `entry_line`."""
    told = list(records)
    bound = adopted_until(tuple(record for record, _ in told))
    for line, (record, _) in zip(_lines(told, zone), told, strict=True):
        yield sentence("{line} (adopted)", line=line) if record.number < bound else line


def _lines(records: Iterable[tuple[Record, bool]], zone: tzinfo | None) -> Iterator[Sentence]:
    held: dict[SlotId, SlotId] = {}
    own: dict[SlotId, SlotId] = {}
    slots: tuple[SlotId, ...] = ()

    for record, stands in records:
        entry = record.entry
        match entry:
            case Started(slots=slots):
                yield entry_line(entry)
            case Replaced(slot=slot, name=name):
                yield entry_line(entry).with_names(own)
                if stands:
                    own[slot] = SlotId(name)
                    held[slot] = SlotId(f"{name} (was {slot})") if name != slot else slot
            case Drawn():
                yield drawn_words(entry, slots).with_names(own)
            case _:
                yield entry_line(entry, record.at, zone).with_names(held)


def footnote(fix: Fix, counts: str = "decided", *, reason: bool = True) -> str:
    """A decision on a post, with its reason or without: “#70 counts as a vote for Kestrel (bold is enough)”.
    By itself a decision does not say whether it can count: “#70 decided as a vote for Kestrel”."""
    why = f" ({fix.why})" if fix.why and reason else ""
    if fix.to is not None:
        decision = f"vote {fix.to}" if fix.to else "no elimination"
    else:
        decision = "ignore" if fix.ignore else "unvote" if fix.unvote else "count"
    return f"#{fix.post} {_fixed(decision, counts)}{why}"


_FIXED = {
    "unvote": "as an unvote",
    "count": "as it stands",
    "no elimination": "as a vote for no elimination",
}


def _fixed(reads: str, counts: str = "decided") -> str:
    """“decided as a vote for Kestrel” of `vote Kestrel`."""
    if reads == "ignore":
        return "its votes do not count"
    verb, _, name = reads.partition(" ")
    return f"{counts} {_FIXED.get(reads) or (f'as a vote for {name}' if verb == 'vote' else f'as a {reads}')}"


def post_words(posted: str) -> str:
    """What a posted text is called: “votecount 1.3” for `votecount-1 3`."""
    return re.sub(r"^votecount-(\d+) (\d+)$", r"votecount \1.\2", posted)


def window_words(window: str) -> str:
    """What the journal calls a window, in words: “day 1” for `day-1`."""
    return window.replace("-", " ").replace("_", " ")


def batch_words(kind: str) -> str:
    """Which PMs a batch such as `role-1` holds: “role PMs”, “second role PMs” of who got another role,
    “results 1”, “results since entry 5”, “reminder 2”."""
    family, _, number = kind.partition("-")
    match family:
        case "role":
            again = {"1": "", "2": "second ", "3": "third "}
            return f"{again.get(number, f'{number}th ')}role PMs"
        case "result" if number == "e0":
            return "results before anything was closed"
        case "result" if number.startswith("e"):
            return f"results since entry {number[1:]}"
        case "result":
            return f"results {number}"
        case "prod":
            return f"reminder {number}"
    return kind


def _short(text: str) -> str:
    return short(" ".join(text.split()), LONG)


def _from(post: str | None) -> str:
    return f" from post {post}" if post else ""


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d} {time_of_day(moment)} {zone_name(moment)}"


def label_words(label: str, slots: Container[str]) -> Sentence:
    """The label of a draw with the names in it as names: `kd.target:R1:Ada`, `kd.card:R1:Ada->Boro`."""
    for colon in re.finditer(":", label):
        head, rest = label[: colon.end()], label[colon.end() :]
        if rest in slots:
            return joined("", (head, SlotId(rest)))
        for arrow in re.finditer("->", rest):
            one, other = rest[: arrow.start()], rest[arrow.end() :]
            if one in slots or other in slots:
                names = (SlotId(name) if name in slots else name for name in (one, other))
                return joined("", (head, joined("->", names)))
    return joined("", (label,))


def draw_words(label: str, slots: Container[str]) -> Sentence:
    """What a draw is about: “card, R1, Ada → Boro” for `kd.card:R1:Ada->Boro`."""
    said: list[str] = []
    for part in label_words(label, slots).parts:
        if isinstance(part, SlotId):
            said.append(part)
            continue
        text = str(part)
        if not said:
            kind, colon, rest = text.partition(":")
            text = f"{kind.rpartition('.')[2].replace('_', ' ')}{colon}{rest}"
        said.append(text.replace("->", " → ").replace(":", ", "))
    return joined("", said)


def drawn_words(entry: Drawn, slots: Container[str]) -> Sentence:
    """A draw of the moderator's own on one line, with the names in its label and values as names."""
    label, drawn = draw_words(entry.label, slots), values_words(entry.value, slots)
    return sentence("drawn by hand: {label} = {drawn}", label=label, drawn=drawn)


def values_words(value: object, slots: Container[str]) -> Sentence:
    """What was drawn, a list with commas, with the names in it as names."""
    values = value if isinstance(value, list | tuple) else (value,)
    return joined(", ", (SlotId(one) if isinstance(one, str) and one in slots else one for one in values))


def _outcome(entry: Closed) -> Sentence:
    if entry.eliminated:
        return joined("", (": ", ELIMINATE, " ", joined(", ", map(SlotId, entry.eliminated))))
    return joined("", (": ", joined("; ", entry.lines)) if entry.lines else ())


_WORDS: Mapping[type[Entry], Callable[[Any], str]] = MappingProxyType(
    {
        Started: lambda e: f"the game {'is taken in' if e.adopted else 'begins'} with {len(e.slots)} players",
        Adopted: lambda e: (
            f"adopted as it stood in {window_words(e.window)}: "
            + (f"{len(e.roles)} roles were told, none dealt" if e.roles else "no roles were told")
        ),
        Closed: lambda e: joined(
            "", (f"{window_words(e.named or e.window)} closed{_as_of(e.ended)}", _outcome(e))
        ),
        Opened: lambda e: (
            f"{window_words(e.window)} opened{_from(e.post)}{f' until {_time(e.until)}' if e.until else ''}"
        ),
        Locked: lambda e: f"{window_words(e.window)} locked after post {e.post}",
        Extended: lambda e: f"{window_words(e.window)} extended to {_time(e.until)}",
        Stopped: lambda e: f"the clock of {window_words(e.window)} stopped",
        Replaced: lambda e: joined("", (f"{e.name} replaces ", e.slot, _from(e.post))),
        Removed: lambda e: joined("", (e.slot, f": {e.how}{_from(e.post)}")),
        Revived: lambda e: joined("", (e.slot, f" lives again{_from(e.post)}")),
        Prodded: lambda e: joined("", (e.slot, " prodded")),
        Away: lambda e: joined("", (e.slot, f" away from {e.first} to {e.last}")),
        Delivered: lambda e: joined(
            "", (batch_words(e.kind).replace("PMs", "PM"), " for ", e.slot, f": {e.state}")
        ),
        Roomed: lambda e: f"room “{e.room}”: {e.name} {'let in' if e.inside else 'taken out'}",
        Aliased: lambda e: joined("", (f"“{e.alias}” means ", e.slot)),
        Fixed: lambda e: f"post {e.post}: {_fixed(e.reads)}",
        Ruled: lambda e: f"ruling: {_short(e.question)} {_short(e.answer)}",
        Drawn: lambda e: drawn_words(e, ()),
        Published: lambda e: f"{window_words(post_words(f'{e.kind} {e.number}'))} published",
        Committed: lambda e: f"the deal committed to: {_short(e.commitment)}",
        Worded: lambda e: joined("", (e.slot, f" gives the word “{e.word}”")),
        Rounded: lambda e: f"round {e.round} of the beacon: {_short(e.value)}",
        Undone: lambda e: f"entry {e.entry} taken back",
    }
)


def is_apart(sent: datetime, entered: datetime) -> bool:
    """Whether a message was sent at another time than it was entered, by a minute at least."""
    return abs(sent - entered) >= _A_MINUTE


def sent_words(sent: datetime, entered: datetime, told: Callable[[datetime], str]) -> str:
    """When a message was sent, and when it was entered where these are apart: “21 Nov 15:10 UTC, entered
    21 Nov 16:00 UTC”. `told` writes an instant."""
    return f"{told(sent)}, entered {told(entered)}" if is_apart(sent, entered) else told(sent)


def _message_words(entry: Submitted, entered: datetime | None) -> Sentence:
    sent = entry.when or entry.sent
    if entry.when and (entered is None or not is_apart(entry.when, entered)):
        sent = None
    return joined("", (entry.slot or "the moderator", f" sends{_as_of(sent)}: ", _short(entry.text)))


_A_MINUTE = timedelta(minutes=1)


def _as_of(moment: datetime | None) -> str:
    """“ as of 2026-11-24 20:00 UTC”, where an entry says so."""
    return f" as of {_time(moment)}" if moment else ""
