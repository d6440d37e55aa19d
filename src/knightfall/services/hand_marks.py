"""When a game was handed over and taken over, as of which entry and with which files: two small files in
`private/` keep it, beside the journal, which stays the same in every hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from knightfall.engine.journal import entry_of
from knightfall.engine.json_text import JsonAnswer
from knightfall.services.session import COMMITTED_FILES, DEAL_FILE, GAME_FILE, Session, journal_of
from knightfall.storage.drafts import write_draft

PRIVATE = "private"
HANDED, TAKEN = "handed-over.json", "taken-over.json"
OWN_FILES = (GAME_FILE, DEAL_FILE, "private/setup.json", "private/end-marks.json", f"{PRIVATE}/{TAKEN}")
"""The files of a game that no entry tells."""
OWN_TEXTS = (
    f"{PRIVATE}/flavour-*.txt",
    "public/*-deadline-*.txt",
    "public/*-commitment.txt",
    COMMITTED_FILES,
)
"""And the texts: own words before a post, posts of deadlines, which tell the one that stood before, and what
was committed to before a deal."""


@dataclass(frozen=True, slots=True)
class TakeOver(JsonAnswer):
    """That somebody took the game over from `by`, as of an entry; `files`: the SHA-256 of each file then, and
    `handed` when the other one handed it over."""

    entry: int
    by: str
    author: str
    at: datetime
    files: Mapping[str, str]
    handed: datetime

    @property
    def said(self) -> str:
        """Who took over from whom."""
        return f"{self.author} took the game over from {self.by}, as of entry {self.entry}"


def own_files(session: Session) -> Iterator[tuple[str, str]]:
    """The files that no entry tells, by their names in the folder."""
    own = sorted(file.relative_to(session.folder) for one in OWN_TEXTS for file in session.folder.glob(one))
    for name in (*OWN_FILES, *(file.as_posix() for file in own)):
        file = session.folder / name
        if file.is_file():
            yield name, file.read_text(encoding="utf-8", errors="replace")


def digest_of(text: str) -> str:
    """The SHA-256 of a file's text."""
    return sha256(text.encode("utf-8")).hexdigest()


def note_handed_over(entry: int, digest: str, session: Session) -> None:
    """Note that all up to an entry, by its digest, was handed over."""
    told = {"entry": entry, "digest": digest, "at": session.clock.now().isoformat()}
    write_draft(session.folder, PRIVATE, HANDED, json.dumps(told | {"files": _digests(session)}))


def handed_over(session: Session) -> int:
    """Up to which entry the game was handed over; 0 where it never was, or that entry stands no more."""
    told = _handed(session)
    entry, journal = int(told.get("entry", 0)), journal_of(session)
    return entry if 0 < entry <= len(journal) and entry_of(journal, entry).digest == told["digest"] else 0


def note_taken_over(entry: int, by: str, handed: datetime, session: Session) -> None:
    """Note that the session's author took the game over as of an entry, which was `handed` over then; once,
    however often it is noted."""
    now = TakeOver(entry, by, session.author, session.clock.now(), _digests(session), handed)
    before = taken_over(session)
    if any((one.entry, one.author, one.handed) == (entry, now.author, handed) for one in before):
        return
    told = [
        {
            "entry": one.entry,
            "by": one.by,
            "author": one.author,
            "at": one.at.isoformat(),
            "files": one.files,
            "handed": one.handed.isoformat(),
        }
        for one in (*before, now)
    ]
    write_draft(session.folder, PRIVATE, TAKEN, json.dumps(told, default=dict))


def taken_over(session: Session) -> tuple[TakeOver, ...]:
    """Every time that the game was taken over, oldest first."""
    try:
        told = json.loads((session.folder / PRIVATE / TAKEN).read_text(encoding="utf-8"))
        return tuple(
            TakeOver(
                int(one["entry"]),
                str(one["by"]),
                str(one["author"]),
                datetime.fromisoformat(one["at"]),
                {str(name): str(digest) for name, digest in one["files"].items()},
                datetime.fromisoformat(one.get("handed", one["at"])),
            )
            for one in told
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def last_exchange(session: Session) -> tuple[datetime | None, Mapping[str, str]]:
    """When the game was last handed on, None where never, and the SHA-256 of each file then."""
    marks = [(one.handed, one.files) for one in taken_over(session)]
    told = _handed(session)
    if told:
        marks.append((told["at"], told["files"]))
    return max(marks, key=lambda one: one[0]) if marks else (None, {})


def _handed(session: Session) -> Mapping[str, Any]:
    """The note that the game was handed over, as far as it can be read; empty where there is none."""
    try:
        told = json.loads((session.folder / PRIVATE / HANDED).read_text(encoding="utf-8"))
        return {
            "entry": int(told["entry"]),
            "digest": str(told["digest"]),
            "at": datetime.fromisoformat(told["at"]),
            "files": dict(told.get("files", {})),
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _digests(session: Session) -> dict[str, str]:
    return {name: digest_of(text) for name, text in own_files(session)}
