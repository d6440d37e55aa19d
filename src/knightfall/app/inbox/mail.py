"""What is a message that waits somewhere, before anybody has decided what becomes of it?"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from knightfall.core.game import SlotId
from knightfall.errors import KnightfallError


@dataclass(frozen=True, slots=True)
class Mail:
    """One post, PM or row. `where` names it for the moderator, `ref` for ever: what has the same `ref` is the
    same message. `at` is when it was sent (None: not known); `question` says why nobody can be meant by its
    sender, and then `slot` is None."""

    ref: str
    where: str
    slot: SlotId | None
    text: str
    at: datetime | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a source holds. `notes` are to be told; `passed` is what it holds for nobody, `troubles` what of
    it could not be read."""

    mails: tuple[Mail, ...]
    notes: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    troubles: tuple[KnightfallError, ...] = field(default=())
