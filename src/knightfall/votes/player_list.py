"""Players, days and renamed accounts as the thread itself tells them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum

from knightfall.markup.nodes import Nodes
from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.names import fold, slips, squash
from knightfall.votes.ballots import PostBallots, Region
from knightfall.votes.vote_parser import Line, lines_of

FEWEST = 3
"""A list of fewer names is no player list."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a player list: who holds the slot, whom he replaced (newest first), whether he lives, and
    the day in or after which he died, where the list tells it."""

    name: str
    replaced: tuple[str, ...] = ()
    dead: bool = False
    day: int | None = None

    def dead_on(self, day: int, latest: bool) -> bool:
        """Whether he is dead when that day begins. A list without days tells only about the latest one."""
        if self.day is not None:
            return self.day < day
        return self.dead and latest


_NUMBERED = re.compile(r"^\s*#?(\d{1,2})\s*[.):\]–-]\s*")
_BULLET = re.compile(r"^\s*[•*·‣▪◦–—+-]\s*(?=\S)")
_HEADING = re.compile(
    r"\b(?:players?|living|alive|player\s?list|roster|signed[\s-]up|participants|cast)\b", re.IGNORECASE
)
_DEAD = re.compile(
    r"\b(?:dead|died|killed|lynched|eliminated|executed|mod-?killed|murdered|shot|endgamed)\b", re.IGNORECASE
)
_REPLACED = re.compile(
    r"^(?P<new>.+?)\s*[,(\[–-]*\s*\b(?:replac(?:es|ed|ing)|rep\.|replacement\s+(?:for|of)|formerly|was|prev\.?|subs?\s+for)\b\s*:?\s*(?P<old>.+?)\s*[)\]]*$",
    re.IGNORECASE,
)
_DIED_ON = re.compile(r"\b(?:day|night|[dn])\s*#?(?P<day>\d{1,2})\b", re.IGNORECASE)
_DEAD_HEADING = re.compile(
    r"\b(?:dead|deceased|killed|lynched|eliminated|graveyard|fallen|ghosts?)\b", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"[=\[<]|\w+\s+(?:a\s+)?prods?\b|(?:(?:end|start)\s+of\s+)?(?:day|night|game|votecounts?|vc|final|etc)\b",
    re.IGNORECASE,
)
_SIGNS = ",;:*⋆★†()[]-–—"
_REPLACED_BY = re.compile(
    r"^(?P<old>.+?)\s*[,(\[–-]*\s*(?:\brepl(?:aced|\.)?\s+by\b|[➙→➔➜]|[-=]+>)\s*:?\s*(?P<new>.+?)\s*[)\]]*$",
    re.IGNORECASE,
)
_CHAINED = re.compile(r"\s*(?:,|\breplac(?:ed|ing)\b|\bwho\b)\s*", re.IGNORECASE)
_NOTE = re.compile(r"\s+[-–—|:]\s.*$|\s*[,;:]\s.*$|(?<=\S)\s+[(\[{].*$|\s+[-–—]+>.*$")
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DAY = re.compile(rf"\bday\s*#?(?P<number>\d{{1,2}}|{'|'.join(_WORDS)})\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"\b(?:begins?|begun|starts?|started|is\s+(?:now\s+)?open|it\s+is\s+now|it['’]s\s+now|welcome\s+to|morning|dawns?)\b",
    re.IGNORECASE,
)
_DEADLINE = re.compile(r"\b(?:deadline|ends?|length|lasts?)\b", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:will|until|before|when|if)\b.{0,30}\b(?:begin|start|open|dawn)|\bcount\b|\bexten", re.IGNORECASE
)
_NOBODY_YET = re.compile(r"\bnot\s+voting\b", re.IGNORECASE)


def listed_players(opening: Nodes, authors: Set[str]) -> tuple[Listed, ...]:
    """The player list of an opening post, or nothing. `authors` are the thread's posters: lists in which at
    least half of the names are theirs are the players' (the living and the dead may stand apart)."""
    known = {fold(author): author for author in authors}
    lists = _lists(lines_of(opening, asides=True), known)
    players = [entry for entries in lists if _known_share(entries, known) >= 0.5 for entry in entries]

    # One entry a slot: what later lists say of a slot (that it is dead, whom it replaced) is added to it.
    slots: list[Listed] = []
    for entry in players:
        names = {fold(name) for name in (entry.name, *entry.replaced)}
        place = next(
            (
                i
                for i, slot in enumerate(slots)
                if names & {fold(name) for name in (slot.name, *slot.replaced)}
            ),
            None,
        )
        if place is None:
            slots.append(entry)
        else:
            # The newest holder is who is told to have replaced others; else who was listed first.
            slot = slots[place]
            newest = entry if fold(slot.name) in {fold(name) for name in entry.replaced} else slot
            older = dict.fromkeys((*slot.replaced, *entry.replaced, slot.name, entry.name))
            replaced = tuple(name for name in older if fold(name) != fold(newest.name))
            slots[place] = Listed(newest.name, replaced, slot.dead or entry.dead, slot.day or entry.day)
    once = tuple(slots)

    return once if len(once) >= FEWEST else ()


def roster_from(listed: Sequence[Listed], day: int, start: int, latest: bool) -> Roster:
    """The roster of a list for a day that begins at post `start`."""
    return Roster(tuple(_slot(entry, start if entry.dead_on(day, latest) else None) for entry in listed))


def day_opened(nodes: Nodes) -> int | None:
    """The day that a moderator's post opens: “Day 2” on a line of its own, “Day 2 has begun”, or, in a post
    that is no votecount, the deadline of Day 2."""
    lines = [line.text for line in lines_of(nodes)]
    counting = any(_NOBODY_YET.search(line) for line in lines)
    days = (_opened(line, counting) for line in lines)
    return next((day for day in days if day is not None), None)


def _opened(line: str, counting: bool) -> int | None:
    found = _DAY.search(line)
    if found is None or _NOT_YET.search(line):
        return None
    alone = not line.replace(found.group(0), "").strip(" .:!–—-=~*[]")
    if alone or _BEGINS.search(line) or (_DEADLINE.search(line) and not counting):
        said = found["number"]
        return int(said) if said.isdigit() else _WORDS.index(said.lower()) + 1
    return None


def _slot(entry: Listed, dead_from: int | None) -> Slot:
    holders = tuple(Holder(name) for name in (*reversed(entry.replaced), entry.name))
    return Slot(holders, left=None if dead_from is None else Departure(DepartureKind.KILLED, dead_from))


def _known_share(entries: Sequence[Listed], known: Mapping[str, str]) -> float:
    """Which part of a list's entries names somebody who posts."""
    named = [any(fold(name) in known for name in (entry.name, *entry.replaced)) for entry in entries]
    return sum(named) / len(named) if named else 0.0


def _lists(lines: Sequence[Line], known: Mapping[str, str]) -> Iterator[tuple[Listed, ...]]:
    """Runs of entries marked alike, each with the heading above it: a list of the dead lists dead."""
    run: list[Listed] = []
    heading, style = "", None
    for line in lines:
        if line.region is Region.STRUCK:  # told again by the line that it stands in
            continue
        if _NUMBERED.match(_said(line)):
            mark = _Mark.NUMBER
        elif line.item or _BULLET.match(_said(line)):
            mark = _Mark.BULLET
        else:
            mark = _Mark.NONE
        headed = style in (None, _Mark.NONE) and bool(_HEADING.search(heading))

        # A line of a player list: numbered, bulleted, headed by a word for players, or beginning with a
        # poster. A struck name is dead; beside a name that stands it is whom that one replaced.
        marked = mark is not _Mark.NONE
        stands, struck = _unnumbered(line.text), _unnumbered(line.struck)
        if stands.startswith(("(", "[killed", "–", "-")):
            stands = ""
        name = _name(stands or struck, known)
        plain = headed and len(_said(line)) <= 60 and not _said(line).endswith((":", ".", "!", "?"))
        # “Living”, “Dead players”, “Day 2”, “= prod”: words around a list, not a name in it.
        if fold(name) not in known and (
            not (marked or plain)
            or not name
            or bool(_HEADING.search(name) or _DEAD_HEADING.search(name) or _NO_NAME.match(name))
        ):
            entry = None
        else:
            said = _said(line)
            day = _DIED_ON.search(said)
            dead = not stands or bool(_DEAD.search(said))

            # Who held the slot before: “A replaced B”, or B struck out before A.
            replaced = _replacement(stands)
            if replaced is None:
                found = [_name(struck, known)] if stands and struck else []
            else:
                found = [_name(part, known) for part in _CHAINED.split(replaced[1])]
            older = tuple(older for older in found if older and fold(older) != fold(name))

            entry = Listed(name, older, dead, int(day["day"]) if day and dead else None)

        if run and (entry is None or mark is not style):
            yield tuple(run)
            run = []
        if entry is None:
            heading, style = _said(line) or heading, None
            continue
        run.append(replace(entry, dead=True) if _DEAD_HEADING.search(heading) else entry)
        style = mark
    if run:
        yield tuple(run)


class _Mark(Enum):
    """What stands before an entry."""

    NUMBER = 1
    BULLET = 2
    NONE = 3


def _said(line: Line) -> str:
    """The line with what is struck out in it."""
    return f"{line.text} {line.struck}".strip()


def _replacement(said: str) -> tuple[str, str] | None:
    """(who came, who left) of “A replaced B”, “B replaced by A” or “A -> B” read as B after A."""
    found = _REPLACED_BY.match(said) or _REPLACED.match(said)
    return None if found is None else (found["new"], found["old"])


def _unnumbered(said: str) -> str:
    return _BULLET.sub("", _NUMBERED.sub("", said)).strip()


def _name(said: str, known: Mapping[str, str]) -> str:
    """The name that an entry tells: who came where it tells of a replacement, else the longest poster's name
    that it begins with, else what stands before a note."""
    bare = said.removeprefix("@").strip()
    replaced = _replacement(bare)
    if replaced is not None and fold(bare) not in known:
        bare = replaced[0].strip()
    return _poster(bare, known) or _NOTE.sub("", bare).strip(" \t,;:*⋆★†")


def _poster(said: str, known: Mapping[str, str]) -> str | None:
    words = said.split()[:6]
    for size in range(len(words), 0, -1):
        start = fold(" ".join(words[:size]))
        author = known.get(start) or known.get(start.rstrip(_SIGNS))
        if author:
            return author
    return None


@dataclass(frozen=True, slots=True)
class Renamed:
    """`author` is taken for the holder of `slot`."""

    slot: Slot
    author: str

    def applied(self, roster: Roster) -> Roster:
        """The roster with the account as one more (earlier) holder of the slot: the listed name stays."""
        held = (Holder(self.author), *self.slot.holders)
        return Roster(tuple(replace(s, holders=held) if s is self.slot else s for s in roster.slots))


def renamed_accounts(
    roster: Roster, authors: Set[str], casts: Iterable[PostBallots], moderators: frozenset[str]
) -> tuple[Renamed, ...]:
    """Every inference that can be made without a second candidate on either side."""
    votes = Counter(cast.author for cast in casts)
    strangers = [author for author in votes if roster.slot_of(author) is None and author not in moderators]
    silent = [slot for slot in roster.slots if not any(name in authors for name in slot.names)]
    regular = [author for author in strangers if votes[author] > 1]
    if len(silent) == len(regular) == 1:
        return (Renamed(silent[0], regular[0]),)
    unused = [(slot, name) for slot in roster.slots for name in slot.names if name not in authors]
    near = [(slot, author) for slot, name in unused for author in strangers if _alike(name, author)]
    return tuple(Renamed(*pair) for pair in near if _alone(pair, near))


def _alone(pair: tuple[Slot, str], pairs: list[tuple[Slot, str]]) -> bool:
    return sum(slot is pair[0] or author == pair[1] for slot, author in pairs) == 1


def _alike(name: str, author: str) -> bool:
    """At most a slip of the pen apart, or one the other with a number or a letter more."""
    one, other = squash(name), squash(author)
    allowed = 1 if min(len(one), len(other)) < 5 else 2
    return slips(one, other) <= allowed
