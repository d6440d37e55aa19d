"""In which forms may a votecount have gone out, when all that is kept of it is its text?

As the latest count of its moment, as one of its last post, or as the final one; with decisions under it or
without; as players or the moderator see it; in every look and dialect, cut as its parts say.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from knightfall.app.count.look import Look, count_nodes, themes
from knightfall.app.count.vc import Counted, Wanted, counted, with_footnotes
from knightfall.app.diary.parts import GAP, limits
from knightfall.app.diary.then import evidence_then
from knightfall.app.ports import Ports, game_folder
from knightfall.app.speech import dialect_of
from knightfall.core.entries import Published
from knightfall.errors import InputError
from knightfall.markup.dialects import all_dialects, dialect
from knightfall.markup.nodes import Nodes
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.render import written

KIND = "votecount-"
"""What counts are called in the journal, before the number of the day."""


def counts_of(entry: Published, at: datetime, game: Path, then: Ports) -> Iterator[Counted]:
    """The counts that the text may be of. Raises InputError where there is nothing to count, or no day."""
    wanted = Wanted(game=game, day=int(entry.kind.removeprefix(KIND)), stored=True)
    yield counted(wanted, evidence_then(then, at, int(entry.upto or 0)))
    yield counted(replace(wanted, at=entry.upto), then)


def forms_of(done: Counted, posted: str, game: Path) -> Iterator[str]:
    """The posts of a count that a text may be, cut where that one is cut."""
    own = dialect_of(None, done.setup, done.site, done.thread.platform)
    speeches = dict.fromkeys((own, *(one.name for one in all_dialects())))
    for count in _seen(done):
        for look in _looks(game):
            with suppress(InputError):  # a template that is none of a count
                nodes = count_nodes(count, look, done.setup)
                yield from chain.from_iterable(_cut(nodes, speech, posted) for speech in speeches)


def _cut(nodes: Nodes, speech: str, posted: str) -> Iterator[str]:
    for limit in limits(posted, dialect(speech)):
        with suppress(InputError):  # a limit of another dialect
            yield GAP.join(written(nodes, speech, limit))


def _seen(done: Counted) -> Iterator[Votecount]:
    """With and without what may stand under it, and as the final count; for the players first."""
    noted = with_footnotes(done).count
    counts = [done.count] if noted == done.count else [done.count, noted]
    counts += [replace(one, final=True, number=None, changes=(), due=()) for one in counts]
    for view in View:
        yield from (seen for one in counts if (seen := seen_by(view, one)) != one or view is View.MOD)


def _looks(game: Path) -> Iterator[Look]:
    """The game's own look, our themes, and templates of the moderator's."""
    yield from (Look(theme=theme) for theme in (None, *themes()))
    yield from (Look(template=file) for file in sorted(game_folder(game).glob("*.j2")))
