"""Where posts and remarks of a phase go, until `phases` answers with values, too."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knightfall.config.setup import Setup
from knightfall.engine.journal import Entry, Record
from knightfall.services.announcements import announce
from knightfall.services.announcements import enter as write_entry
from knightfall.services.game_state import refusal_lines, setup_of
from knightfall.services.guard import released
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.reading import speech_of
from knightfall.services.session import Copy, Say, Session
from knightfall.storage.drafts import PUBLIC


@dataclass(frozen=True, slots=True)
class Desk:
    """The session of a verb, its options, where posts and remarks go, and the clipboard, if wanted."""

    folder: Path
    session: Session
    out: Say
    err: Say
    dialect: str | None = None
    copy: Copy | None = None
    allow: str = ""

    @property
    def setup(self) -> Setup:
        """The game as it stands now."""
        return setup_of(self.session)

    def speech(self, setup: Setup) -> str:
        """The dialect of its posts."""
        return speech_of(self.dialect, setup, self.session)


def enter(entry: Entry, desk: Desk) -> tuple[Record, tuple[str, ...]]:
    """Write the entry and tell what a begun game answers. Raises as `announcements.enter`."""
    record, receipt = write_entry(entry, desk.speech(desk.setup), desk.session, desk.allow)
    if receipt is None:
        return record, ()
    for post in receipt.public:
        desk.out(post)
    for told in receipt.texts:
        if told.kind == "receipt":
            desk.err(f"To {told.whose}: {told.text}")
    others = [told.whose for told in receipt.texts if told.whose != PUBLIC and told.kind != "receipt"]
    if others:
        desk.err(f"In {PRIVATE_FOLDER}/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}.")
    for line in refusal_lines(receipt.refused):
        desk.err(line)
    return record, tuple(text.kind for text in receipt.texts if text.whose == PUBLIC)


def guarded(text: str, desk: Desk) -> str:
    """The text, where it gives nothing away."""
    return released(text, desk.session, desk.allow)


def publish(name: str, text: str, desk: Desk, speech: str) -> None:
    """Keep a post, tell it, and copy it where that is wanted."""
    post = announce(name, text, speech, desk.session)
    desk.out(text)
    if desk.copy is not None:
        desk.copy.copy(text, post.rich)
        desk.err("Copied.")
    desk.err(f"Kept: {post.file}.")
