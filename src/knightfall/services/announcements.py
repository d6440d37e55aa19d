"""An entry of the moderator's own: what the begun game answers to it, and the post that tells everybody."""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.config.setup import Setup
from knightfall.engine.journal import Entry, Record, Removed, Revived
from knightfall.errors import DecisionNeeded, InputError
from knightfall.services.game_state import begun, refusal_lines, table_of
from knightfall.services.publish import guarded
from knightfall.services.reading import RICH, kept_thread
from knightfall.services.session import Session, entered, journal_of
from knightfall.services.turns import Receipt, receipt_of
from knightfall.storage.drafts import PUBLIC, write_public

NOWHERE = "This is kept with a game: --game FOLDER, or run it in the game's folder."


@dataclass(frozen=True, slots=True)
class PostOptions:
    """How a post is written: its dialect (None: the site's), and why it may tell what looks like a secret."""

    dialect: str | None = None
    allow: str = ""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A post for everybody: `file` is where it lies in the game's folder, `rich` whether it is formatted text
    instead of markup."""

    text: str
    file: str
    rich: bool


def enter(entry: Entry, dialect: str, session: Session, allow: str = "") -> tuple[Record, Receipt | None]:
    """Write an entry; return its record, and what a begun game answers (None: none was begun).

    Raises DecisionNeeded where the game does not take it, SecretGuard where a post of it gives something
    away: then nothing is written.
    """
    if not begun(journal_of(session)):
        return entered(entry, session, NOWHERE), None
    table, at = table_of(session), session.clock.now()

    # Does the game take it? The refusal bears the line that the replay makes of the entry.
    line: str | None = None
    match entry:
        case Removed(slot=slot, how=how):
            line = f"{how} {slot}"
        case Revived(slot=slot):
            line = f"revive {slot}"
    refused = tuple(one for one in table.after(entry, at, session.author).last_refused if one[0] == line)
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was written.", *refusal_lines(refused))))

    after = guarded(table, entry, dialect, session, allow, at)
    return after.journal[-1], receipt_of(after, dialect)


def announce(name: str, text: str, dialect: str, session: Session) -> Announcement:
    """Keep a post in `public/`. The text has passed the guard before: nothing can be unwritten."""
    file = write_public(session.folder, f"{name}.txt", text)
    return Announcement(text, f"{PUBLIC}/{file.name}", dialect == RICH)


def parse_post_number(said: str) -> int:
    """Parse “412” or “#412”. Raises InputError for what is no number of a post."""
    number = said.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{said} is no number of a post. Give it as the forum counts, for example 412.")
    return int(number)


def last_post(setup: Setup, session: Session) -> int | None:
    """The last post of the game's thread that was read; None where none was."""
    thread = kept_thread(setup, session)
    return thread.posts[-1].number if thread and thread.posts else None
