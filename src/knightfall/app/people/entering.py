"""How does one entry about people or phases get into the journal, and where it is played, into the game?

A game that was begun hears of it at once, and what it says to that goes out; an entry that it does not take
is not written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.guarding.outgoing import released
from knightfall.app.people.dead import begun
from knightfall.app.play.guarded_entry import guarded as entry_guarded
from knightfall.app.play.table import refusal_lines, table_of
from knightfall.app.play.texts import PRIVATE
from knightfall.app.ports import Copy, Ports, Say, game_folder
from knightfall.app.setup_now import setup_of
from knightfall.app.speech import RICH, speech_of
from knightfall.core.entries import Entry, Removed, Revived
from knightfall.core.game import Announced
from knightfall.core.journal import Record
from knightfall.errors import DecisionNeeded
from knightfall.services.turns import Receipt, receipt_of
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import PUBLIC, write_public

NOWHERE = "This is kept with a game: --game FOLDER, or run it in the game's folder."


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the moderator sits: the game's folder, the dialect that he wants (None: the site's), where posts
    and remarks go, the clipboard if posts go there, and why a post may tell a secret."""

    folder: Path
    ports: Ports
    out: Say
    err: Say
    dialect: str | None = None
    copy: Copy | None = None
    allow: str = ""

    @property
    def setup(self) -> Setup:
        """The game as it stands now."""
        return setup_of(self.folder, self.ports)

    def speech(self, setup: Setup) -> str:
        """The dialect of its posts."""
        return speech_of(self.dialect, setup, self.ports)


def enter(entry: Entry, desk: Desk) -> tuple[Record, tuple[str, ...]]:
    """Writes the entry; returns its record and the kinds of the posts with which a begun game answers, which
    are printed and kept. Raises DecisionNeeded where the game does not take it, SecretGuard where a post of
    it gives something away: then nothing is written."""
    if not begun(journal_of(desk.ports)):
        return entered(entry, desk.ports, NOWHERE), ()
    table, at = table_of(desk.folder, desk.ports), desk.ports.clock.now()
    after = table.after(entry, at, desk.ports.author)
    line = _line(entry)
    refused = tuple(one for one in after.last_refused if one[0] == line)
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was written.", *refusal_lines(refused))))
    speech = desk.speech(desk.setup)
    after = entry_guarded(table, entry, speech, desk.ports, desk.allow, at)
    _tell(receipt_of(after, speech), desk)
    return after.journal[-1], tuple(event.kind for event in after.last_events if isinstance(event, Announced))


def _tell(receipt: Receipt, desk: Desk) -> None:
    """Prints the game's answer, as the verbs of people print everything: not yet in the command line."""
    for text in receipt.public:
        desk.out(text)
    for told in receipt.texts:
        if told.kind == "receipt":
            desk.err(f"To {told.whose}: {told.text}")
    others = [told.whose for told in receipt.texts if told.whose != PUBLIC and told.kind != "receipt"]
    if others:
        desk.err(f"In {PRIVATE}/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}.")
    for line in refusal_lines(receipt.refused):
        desk.err(line)


def publish(name: str, text: str, desk: Desk, speech: str) -> None:
    """Prints a post for everybody, keeps it in `public/` and copies it where that is wanted. It has passed
    the guard before: see `guarded`."""
    file = write_public(game_folder(desk.folder), f"{name}.txt", text)
    desk.out(text)
    if desk.copy is not None:
        desk.copy.copy(text, speech == RICH)
        desk.err("Copied.")
    desk.err(f"Kept: {file.relative_to(game_folder(desk.folder))}.")


def guarded(text: str, desk: Desk) -> str:
    """The text, where it gives nothing away. Raises SecretGuard as `outgoing.released` does."""
    return released(text, desk.folder, desk.ports, desk.allow)


def _line(entry: Entry) -> str | None:
    """What an entry says to the game, as its replay puts it."""
    match entry:
        case Removed(slot=slot, how=how):
            return f"{how} {slot}"
        case Revived(slot=slot):
            return f"revive {slot}"
    return None
