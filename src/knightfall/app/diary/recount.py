"""Does a text that went out come out the same again, byte for byte, from what was known when it did?

In which dialect and look it was posted is not noted, so all that there are are tried, the likely ones first.
Words of the moderator's own before a post are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import chain, islice
from pathlib import Path

from knightfall.app.count.look import Look, post_parts, themes
from knightfall.app.count.vc import Counted, Wanted, counted, with_footnotes
from knightfall.app.diary.then import evidence_then, ports_then
from knightfall.app.library.going_out import in_dialect
from knightfall.app.library.kinds import KINDS, made
from knightfall.app.library.scene import scene_of
from knightfall.app.people.notes import KIND as NOTE
from knightfall.app.ports import Ports
from knightfall.app.speech import dialect_of
from knightfall.core.entries import Published
from knightfall.core.journal import Journal, Record
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import DIALECTS
from knightfall.writeups.facts import View, seen_by

VOTECOUNT = "votecount-"
SHOWN = 12
"""So many lines of a difference are shown."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a text: `same`, or how it differs in lines (- posted, + today), or `why` it cannot be
    made again; and whose record it is."""

    record: Record
    same: bool
    difference: tuple[str, ...] = ()
    why: str = ""


def compared(record: Record, journal: Journal, game: Path, ports: Ports) -> Compared:
    """A published text against the one that the same entries and posts give now. Raises StateDamaged."""
    entry = record.entry
    assert isinstance(entry, Published)
    try:
        return _against(record, entry.text, _again(record, entry, journal, game, ports))
    except StateDamaged:
        raise
    except KnightfallError as error:
        return Compared(record, same=False, why=str(error).splitlines()[0])


def _against(record: Record, posted: str, again: Iterable[str]) -> Compared:
    """The nearest of the texts is shown where none is the same."""
    nearest, common = "", -1
    lines = set(posted.splitlines())
    for text in again:
        if posted == text or posted.endswith(f"\n\n{text}"):
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


def _again(record: Record, entry: Published, journal: Journal, game: Path, ports: Ports) -> Iterator[str]:
    """The text in every form in which it may have gone out. The first is made before anything is yielded, so
    that what cannot be made is told at once."""
    then = ports_then(ports, journal[: record.number - 1], record.at)
    if entry.kind.startswith(VOTECOUNT):
        return _counts(int(entry.kind.removeprefix(VOTECOUNT)), entry, record, game, then)
    if entry.kind == NOTE:
        raise InputError("the words are your own. They stand in the journal, whose hashes hold.")
    return _posts(entry.kind, game, evidence_then(then, record.at))


def _counts(day: int, entry: Published, record: Record, game: Path, then: Ports) -> Iterator[str]:
    """As the latest count at that moment, and as one that was asked for as of its last post."""
    known = evidence_then(then, record.at, int(entry.upto or 0))
    latest = counted(Wanted(game=game, day=day, stored=True), known)
    yield from _forms(latest)
    yield from _forms(counted(Wanted(game=game, day=day, at=entry.upto, stored=True), then))


def _forms(done: Counted) -> Iterator[str]:
    looks = (None, *themes())
    for shown in (done, with_footnotes(done)):
        count = seen_by(View.PUBLIC, shown.count)
        for theme in looks:
            look = Look(theme=theme)
            own = dialect_of(None, done.setup, done.site, done.thread.platform)
            yield "\n\n".join(post_parts(count, own, look, done.setup, done.site))
            for one in DIALECTS:
                yield "\n\n".join(post_parts(count, one.name, look, done.setup, None))


def _posts(name: str, game: Path, then: Ports) -> Iterator[str]:
    """A post of the library, as its kind gives it at that moment."""
    kind = next((kind for kind in KINDS if name == kind or name.startswith(f"{kind}-")), name)
    scene = scene_of(game, then, stored=True)
    found = made(kind, scene)
    limit = site_of(scene.setup.url or "").max_length
    sited = (in_dialect(kind, found, one.name, limit=limit).text for one in DIALECTS)
    return chain(sited, (in_dialect(kind, found, one.name).text for one in DIALECTS))
