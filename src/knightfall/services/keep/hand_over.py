"""Hand a game over: all that another moderator needs to go on, as text for the moderators' own topic."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from knightfall.audience import SECRET
from knightfall.engine.journal import Journal, behind_entry, entry_of
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.parameters import Request, asked
from knightfall.services.hand_marks import own_files
from knightfall.services.journal import line_of
from knightfall.services.keep.capsule import packed, parts_of
from knightfall.services.now import now_of
from knightfall.services.session import NO_GAME, Session, journal_of
from knightfall.storage.drafts import write_draft

SCHEMA = 1
USUAL = 50_000
"""Letters of a post, where nobody says how long one may be."""
KEEP_SECRET = "It holds every secret of the game: post it where moderators alone can read."
"""What stands above each hand-over."""


@dataclass(frozen=True, slots=True)
class HandOverRequest(Request):
    """How a game is to be handed over: only what came behind an entry (`since`; 0: all), and how long a post
    may be (None: as the site allows)."""

    since: int = asked(
        "Only what came after this entry; whoever takes over needs the earlier one as well.", 0
    )
    limit: int | None = asked("Maximum length of a post.", None, metavar="N", least=2_000)


@dataclass(frozen=True, slots=True, repr=False)
class HandOver(JsonAnswer):
    """A game as text: its parts in order, each a post; up to which entry, behind which one it begins, and the
    digest of the last entry."""

    title: str
    entry: int
    since: int
    digest: str
    at: datetime
    parts: tuple[str, ...] = field(metadata=SECRET)

    @property
    def line(self) -> str:
        """What it is, in a sentence for people."""
        behind = f", what came after entry {self.since}" if self.since else ""
        return f"State of {self.title} as of entry {self.entry}{behind}. {KEEP_SECRET}"

    @property
    def posts(self) -> tuple[str, ...]:
        """The parts as they are posted, each with what it is."""
        count = len(self.parts)
        heads = (
            self.line if count == 1 else f"{self.line} Part {n} of {count}." for n in range(1, count + 1)
        )
        return tuple(f"{head}\n{part}" for head, part in zip(heads, self.parts, strict=True))

    def to_dict(self) -> dict[str, object]:
        """{title, entry, since, digest, at, posts}."""
        return {
            "title": self.title,
            "entry": self.entry,
            "since": self.since,
            "digest": self.digest,
            "at": self.at.isoformat(),
            "posts": list(self.posts),
        }


def hand_over(request: HandOverRequest, session: Session) -> HandOver:
    """All that another moderator needs to go on with a game. Raises InputError without a game, and for an
    entry that there is not."""
    if session.ledger is None:
        raise InputError(NO_GAME)
    journal, setup, now = journal_of(session), now_of(session).setup, session.clock.now()
    if not 0 <= request.since <= len(journal):
        raise InputError(f"There is no entry {request.since}. The last one is {len(journal)}.")
    title = setup.title or session.folder.name
    value = {
        "schema": SCHEMA,
        "title": title,
        "at": now.isoformat(),
        "by": session.author,
        "since": request.since,
        "base": entry_of(journal, request.since).digest if request.since else "",
        "journal": [line_of(record) for record in behind_entry(journal, request.since)],
        "files": dict(own_files(session)),
        "pages": list(_pages(session)),
        "marks": dict(_marks(session)),
        "seen": dict(_seen(session)),
    }
    limit = request.limit or site_of(setup.url or "").max_length or USUAL
    parts = parts_of(packed(value), len(journal), request.since, limit)
    return HandOver(title, len(journal), request.since, _head(journal), now, parts)


def write_hand_over(done: HandOver, file: Path) -> None:
    """Write a hand-over into a file that its owner alone may read. Raises InputError where that cannot be."""
    write_draft(file.parent, ".", file.name, "\n\n".join(done.posts))


def _head(journal: Journal) -> str:
    return journal[-1].digest if journal else ""


def _pages(session: Session) -> Iterator[dict[str, Any]]:
    """The copies of pages that cannot be read again: those that were pasted, and earlier ones of posts that
    were changed since."""
    with closing(session.store("")) as store:
        yield from store.pages_to_hand_over()


def _seen(session: Session) -> Iterator[tuple[str, str]]:
    """When the posts of each thread were first seen: what was known when a day was closed goes by that."""
    with closing(session.store("")) as store:
        yield from store.sightings()


def _marks(session: Session) -> Iterator[tuple[str, str]]:
    """Which posts numbers meant, and what was answered about days."""
    with closing(session.store("")) as store:
        yield from store.kept_marks().items()
