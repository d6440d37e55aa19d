"""Does a text that went out come out the same again, byte for byte, from what was known when it did?

In which dialect and look it was posted is not noted, so all that there are are tried, and cut as the parts of
the text are. Words of the moderator's own before a post are taken as they are. A votecount in a look that is
not known here is compared by its votes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from knightfall.app.diary.forms import KIND as VOTECOUNT
from knightfall.app.diary.forms import counts_of, forms_of
from knightfall.app.diary.parts import GAP, limits
from knightfall.app.diary.then import evidence_then, ports_then
from knightfall.app.diary.votes_told import same_votes
from knightfall.app.library.archive import archive_file
from knightfall.app.library.going_out import in_dialect
from knightfall.app.library.kinds import KINDS, made
from knightfall.app.library.scene import scene_of
from knightfall.app.people.notes import KIND as NOTE
from knightfall.app.ports import Ports
from knightfall.core.entries import Published
from knightfall.core.journal import Journal, Record
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.markup.dialects import all_dialects

RECORD = "archive-"
"""The record of a game for programs, before its format."""
SHOWN = 12
"""So many lines of a difference are shown."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a text: `same`, or how it differs in lines (- posted, + today), or `why` it cannot be
    made again; and whose record it is. `looks`: it differs in nothing but its look."""

    record: Record
    same: bool
    difference: tuple[str, ...] = ()
    why: str = ""
    looks: bool = False


def compared(record: Record, journal: Journal, game: Path, ports: Ports) -> Compared:
    """A published text against the one that the same entries and posts give now. Raises StateDamaged."""
    entry = record.entry
    assert isinstance(entry, Published)
    then = ports_then(ports, journal[: record.number - 1], record.at)
    try:
        if entry.kind.startswith(VOTECOUNT):
            return _votecount(record, entry, game, then)
        return _against(record, entry.text, _posts(entry, game, evidence_then(then, record.at)))
    except StateDamaged:
        raise
    except KnightfallError as error:
        return Compared(record, same=False, why=str(error).splitlines()[0])


def _votecount(record: Record, entry: Published, game: Path, then: Ports) -> Compared:
    """By its bytes, else by its votes; the least difference is shown."""
    others, looks = list[Compared](), False
    for done in counts_of(entry, record.at, game, then):
        tried = list[str]()
        found = _against(record, entry.text, _kept(forms_of(done, entry.text, game), tried))
        if found.same:
            return found
        looks |= same_votes(entry.text, done.count, tried)
        others.append(found)
    return replace(min(others, key=lambda one: len(one.difference)), looks=looks)


def _kept(texts: Iterable[str], tried: list[str]) -> Iterator[str]:
    for text in texts:
        tried.append(text)
        yield text


def _against(record: Record, posted: str, again: Iterable[str]) -> Compared:
    """The nearest of the texts is shown where none is the same."""
    nearest, common = "", -1
    lines = set(posted.splitlines())
    for text in again:
        if posted == text or posted.endswith(f"{GAP}{text}"):
            return Compared(record, same=True)
        if (shared := len(lines & set(text.splitlines()))) > common:
            nearest, common = text, shared
    return Compared(record, same=False, difference=tuple(_difference(posted, nearest)))


def _difference(posted: str, now: str) -> Iterator[str]:
    """Short: without the heads of the format, and not for ever."""
    changed = list(unified_diff(posted.splitlines(), now.splitlines(), "posted", "now", n=0, lineterm=""))[2:]
    lines = [line for line in changed if not line.startswith("@@")]
    yield from islice(lines, SHOWN)
    if not lines:
        yield "only in blanks or ends of lines"
    if len(lines) > SHOWN:
        yield f"… and {len(lines) - SHOWN} more lines"


def _posts(entry: Published, game: Path, then: Ports) -> Iterator[str]:
    """A post of the library, as its kind gives it at that moment, in every form in which it may have gone
    out."""
    if entry.kind == NOTE:
        raise InputError("the words are your own. They stand in the journal, whose hashes hold.")
    name, scene = entry.kind, scene_of(game, then, stored=True)
    if name.startswith(RECORD):
        yield archive_file(scene, name.removeprefix(RECORD)).rstrip("\n")
        return
    kind = next((kind for kind in KINDS if name == kind or name.startswith(f"{kind}-")), name)
    found = made(kind, scene)
    for one in all_dialects():
        for limit in limits(entry.text, one):
            with suppress(InputError):  # a limit of another dialect
                yield in_dialect(kind, found, one.name, limit=limit).text
