"""How does an entry get into a game without its posts telling what they must not? They are read before it is
written."""

from __future__ import annotations

from datetime import datetime

from knightfall.app.guarding.hidden import hidden_at
from knightfall.app.guarding.outgoing import allowed, passed
from knightfall.app.people.holders import holders
from knightfall.app.play.table import Table, written
from knightfall.app.play.texts import texts_of
from knightfall.app.ports import Ports
from knightfall.core.entries import Entry
from knightfall.storage.drafts import PUBLIC


def guarded(
    table: Table, entry: Entry, dialect: str, ports: Ports, allow: str = "", at: datetime | None = None
) -> Table:
    """The table with the entry, which is in the journal now. Raises SecretGuard where a post that it leads to
    gives something away and `allow` has no reason: then nothing is written; else what `written` raises."""
    found: list[str] = []

    def look(after: Table) -> None:
        found.extend(looked_at(after, dialect, ports, allow))

    after = written(table, entry, ports, look, at)
    allowed(found, ports, allow)
    return after


def looked_at(after: Table, dialect: str, ports: Ports, allow: str) -> tuple[str, ...]:
    """What the posts of the last entry give away for a written reason, in sentences. Raises SecretGuard
    without one."""
    public = public_text(after, dialect)
    return passed(public, hidden_at(after, ports), allow) if public else ()


def public_text(after: Table, dialect: str) -> str:
    """All posts to which the last entry of a game leads; "" where it leads to none."""
    texts = texts_of(after.game.spec.id, after.last_events, dialect, holders(after.journal))
    return "\n".join(text.text for text in texts if text.whose == PUBLIC)
