"""Messages that the moderator left out, with a reason: nobody asks about the same one again.

The ruling that leaves a message out holds its digest: that of where or when it was sent and what it says. Who
takes the ruling back is asked about the message again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256

from knightfall.engine.entries import Ruled
from knightfall.engine.journal import Journal, Record, standing
from knightfall.errors import DecisionNeeded
from knightfall.sentence import Way, sentence
from knightfall.services.journal import NOWHERE, reason_of
from knightfall.services.now import zone_of
from knightfall.services.running import RunningGame
from knightfall.services.session import Session, entered
from knightfall.writeups.facts import short_time


class MessageLeftOut(DecisionNeeded):
    """A message was left out by an earlier ruling."""

    def __init__(self, who: str, record: Record) -> None:
        assert isinstance(record.entry, Ruled)
        super().__init__(
            sentence(
                "This message of {who} is left out and was not recorded, as entry {entry} says ({why}). To "
                "decide otherwise: {undo}, and enter it again.",
                who=who,
                entry=record.number,
                why=record.entry.why,
                undo=Way("undo", entry=record.number),
            )
        )


def message_digest(place: str, text: str) -> str:
    """What a message is known by: where it stands for ever, such as a post of a thread, and its words."""
    return sha256(f"{place}\0{text}".encode()).hexdigest()


def typed_digest(who: str, at: datetime | None, text: str, table: RunningGame) -> str:
    """The same of a message that is typed in or pasted, which stands nowhere: who sent it, and when; where
    nobody says when, while which windows are open."""
    titles = ", ".join(window.title for window in table.windows)
    when = titles if at is None else at.astimezone(UTC).isoformat()
    return message_digest(f"{who.casefold()} {when}", text)


def left_out(journal: Journal) -> Mapping[str, Record]:
    """The rulings that leave a message out, by its digest."""
    return {
        record.entry.message: record
        for record in standing(journal)
        if isinstance(record.entry, Ruled) and record.entry.message
    }


def rule_out(who: str, at: datetime | None, digest: str, why: str, session: Session) -> Record:
    """Keep why a message does not count (`at`: when it was sent, None: nobody says). Raises InputError
    without a reason."""
    sent = "" if at is None else f", sent {short_time(at.astimezone(zone_of(session) or UTC))},"
    question = f"Does the message of {who}{sent} count?"
    return entered(Ruled(question, "no", reason_of(why), digest), session, NOWHERE)
