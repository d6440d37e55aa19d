"""Posts on their way out: printed in their parts, and put on the clipboard of this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from knightfall.cli.format_count import part_headings
from knightfall.cli.terminal import aside, echo
from knightfall.errors import InputError

if TYPE_CHECKING:
    from knightfall.services.window.turns import Announcement

RICH = (
    ("wl-copy", "--type", "text/html"),
    ("xclip", "-selection", "clipboard", "-t", "text/html"),
)
"""Programs that take HTML from their standard input."""
HINT = "Copy it from the screen, or install xclip (X11) or wl-clipboard (Wayland)."
INSTALL = 'pip install "knightfall[clipboard]"'


def print_parts(parts: Sequence[str], dialect: str) -> None:
    """Print a post in its parts, with a blank line between them; each part is headed where there are more."""
    headings = part_headings(parts, dialect)
    for number, (heading, part) in enumerate(zip(headings, parts, strict=True), 1):
        if heading:
            aside(heading)
        echo(part if number == len(parts) else f"{part}\n")


def copy_parts(parts: Sequence[str], rich: bool) -> None:
    """Put one part after the other on the clipboard, as long as the moderator asks for the next."""
    count = len(parts)
    for number, part in enumerate(parts, 1):
        copy(part, rich)
        aside("Copied." if count == 1 else f"Copied: part {number} of {count}.")
        if number < count and not pasted():
            return


def pasted() -> bool:
    """Wait for Enter; without a terminal there is nobody to wait for, and only one part is copied."""
    if not sys.stdin.isatty():
        return False
    input("Paste it, then press Enter for the next part. ")
    return True


def print_post(post: Announcement | None, copying: bool) -> None:
    """Print a post that lies in `public/`, and put it on the clipboard where that is wanted."""
    if post is None:
        return
    echo(post.text)
    if copying:
        copy_parts((post.text,), post.rich)
    aside(f"Saved: {post.file}.")


def copy(text: str, rich: bool = False) -> None:
    """Puts a text on the clipboard; `rich`: it is HTML for an editor that takes formatted text.

    Raises InputError where this machine has no clipboard that we can reach.
    """
    if rich:
        _copy_rich(text)
    else:
        _copy_plain(text)


def _copy_plain(text: str) -> None:
    try:
        import pyperclip
    except ModuleNotFoundError:
        raise InputError(f"Copying needs another package: {INSTALL}") from None
    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException:
        raise InputError(f"No clipboard was found. {HINT}") from None


def _copy_rich(text: str) -> None:
    command = next((command for command in RICH if shutil.which(command[0])), None)
    if command is None:
        raise InputError(f"No program for copying formatted text was found. {HINT}")
    done = subprocess.run(command, input=text.encode(), check=False, capture_output=True)
    if done.returncode:
        raise InputError(f"{command[0]} could not copy the text: {done.stderr.decode().strip()}. {HINT}")
