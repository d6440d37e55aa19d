"""The page by which anybody checks a deal that nobody could choose: one file, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from knightfall.errors import InputError
from knightfall.sentence import sentence
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
