"""The game file as a text that the moderator edits: shown, checked, written where nobody else did; and a
thread that is named in it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from knightfall.config.files import read_file_text
from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import with_thread
from knightfall.errors import DecisionNeeded, InputError
from knightfall.forums.addresses import require_address
from knightfall.services.session import GAME_FILE, Session, in_turn, why_unread
from knightfall.storage.drafts import write_draft


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of a game file, and the digest by which a later change is seen."""

    text: str
    digest: str


def game_text(session: Session) -> GameText:
    """The game file as it is on the disk, in order or not. Raises InputError where it cannot be read."""
    file = session.folder / GAME_FILE
    try:
        text = read_file_text(file)
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"{file}: cannot be read ({why_unread(fault)}).") from None
    return GameText(text, sha256(text.encode()).hexdigest())


@in_turn
def save_game_text(text: str, digest: str, session: Session) -> None:
    """Write the game file. `digest` is that of the text which was edited.

    Raises SetupError where the new text is no game file, DecisionNeeded where somebody else wrote the file
    meanwhile: then it stays as it is.
    """
    said = text.replace("\r\n", "\n").rstrip("\n") + "\n"
    parse_setup(said, GAME_FILE)
    if game_text(session).digest != digest:
        raise DecisionNeeded(
            f"{GAME_FILE} was changed by somebody else meanwhile, so nothing was written. Load it again, and "
            "make your change once more."
        )
    write_draft(session.folder, ".", GAME_FILE, said)


ONE_EACH = ("game", "vote", "signup")
"""Roles of threads of which a game has one."""


def thread_address(url: str) -> str:
    """An address of a thread without blanks around it. Raises InputError for what is none, and for that of a
    whole site."""
    address = url.strip()
    if not address.startswith(("http://", "https://")) or len(address.split()) != 1:
        raise InputError(
            f"“{address}” is not the address of a thread. It begins with https://, as your browser shows it."
        )
    require_address(address)
    parts = urlsplit(address)
    if not parts.path.strip("/") and not parts.query:
        raise InputError(
            f"“{address}” is the address of a whole site. Open the game's thread in your browser, and copy "
            "the address that it shows there."
        )
    return address


@in_turn
def name_thread(role: str, url: str, session: Session) -> str:
    """Name a thread of the game in its file, which stays as it is but for that; return its address.

    Raises InputError for what is no address, and where such a thread is named already, SetupError for a role
    that there is not.
    """
    address = thread_address(url)
    text = game_text(session).text
    known = {one.role: one.url for one in parse_setup(text, GAME_FILE).threads}
    if role in ONE_EACH and role in known:
        raise InputError(
            f"{GAME_FILE} names a {role} thread already: {known[role]}. To change it, edit the file."
        )
    after = with_thread(text, role, address)
    parse_setup(after, GAME_FILE)
    write_draft(session.folder, ".", GAME_FILE, after)
    return address
