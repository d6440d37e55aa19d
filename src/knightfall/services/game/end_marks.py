"""What is done behind the end of a game and no entry tells: all was checked, the archive was written.

A small file in `private/` keeps up to which entry each was done. Where it cannot be written nothing is lost:
it is only asked for once more.
"""

from __future__ import annotations

import json
from contextlib import suppress

from knightfall.engine.entries import Aliased, Away, Delivered, Prodded, Published, Roomed, Ruled
from knightfall.engine.journal import Journal, entry_of, standing
from knightfall.errors import InputError
from knightfall.services.now import now_of
from knightfall.services.running import begun
from knightfall.services.session import Session, journal_of
from knightfall.storage.drafts import write_draft

PRIVATE = "private"
FILE = "end-marks.json"
CHECKED, ARCHIVED = "checked", "archived"
ENDGAME = "endgame"
"""The post with which a game ends for its players."""
_ASIDE = (Delivered, Roomed, Prodded, Away, Ruled, Aliased)
"""Entries behind which nothing has to be checked or archived again."""


def note_done(what: str, session: Session) -> None:
    """Note that something was done as the game stands; nothing while it goes on."""
    journal = journal_of(session)
    if session.past or not begun(journal) or now_of(session).running.windows:
        return
    marks = {**_marks(session), what: [journal[-1].number, journal[-1].digest]}
    with suppress(InputError):
        write_draft(session.folder, PRIVATE, FILE, json.dumps(marks))


def is_done(what: str, session: Session) -> bool:
    """Whether it was done since the last entry that bears on it."""
    journal = journal_of(session)
    number, digest = _marks(session).get(what, (0, ""))
    same = 0 < number <= len(journal) and entry_of(journal, number).digest == digest
    return same and number >= _last_that_counts(journal)


def _last_that_counts(journal: Journal) -> int:
    return max(
        record.number
        for record in standing(journal)
        if not isinstance(record.entry, _ASIDE)
        and not (isinstance(record.entry, Published) and record.entry.kind != ENDGAME)
    )


def _marks(session: Session) -> dict[str, tuple[int, str]]:
    """What the file says; nothing where there is none, or it cannot be read."""
    try:
        found = json.loads((session.folder / PRIVATE / FILE).read_text(encoding="utf-8"))
        return {str(what): (int(number), str(digest)) for what, (number, digest) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
