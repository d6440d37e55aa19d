"""The page by which anybody checks a deal that nobody could choose: one file, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import with_keys
from knightfall.errors import FieldError, InputError
from knightfall.sentence import sentence
from knightfall.services.session import Session, read_text
from knightfall.storage.drafts import write_draft
from knightfall.writeups.render import TEMPLATES

CHECK_PAGE: Final = "check.html"


def check_page() -> str:
    """The page, the same for every game: it holds nothing of one."""
    return (TEMPLATES / "archive" / CHECK_PAGE).read_text(encoding="utf-8")


def write_check_page(file: Path) -> Path:
    """Write the page into a file. Raises InputError where that is a folder or cannot be written."""
    if file.is_dir():
        raise InputError(sentence("{file} is a folder. Name a file, such as check.html.", file=file))
    return write_draft(file.parent, ".", file.name, check_page())


def note_address(url: str, session: Session) -> None:
    """Write into the game file where players find the page, so that posts link to it. Raises InputError for
    what is no address."""
    if not url.startswith(("https://", "http://")) or len(url.split()) != 1:
        raise FieldError(
            f"“{url}” is no address. Expected one such as https://example.org/check.html.", "url"
        )
    text = read_text(session.file)
    if parse_setup(text, str(session.file)).check_page != url:
        longer = with_keys(text, "game", {"check_page": url})
        write_draft(session.folder, ".", session.file.name, longer)
