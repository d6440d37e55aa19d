"""The clipboard of this machine: posts on their way out, and pages that were copied in a browser."""

from __future__ import annotations

import codecs
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from knightfall.cli.format_count import part_headings
from knightfall.cli.terminal import aside, echo
from knightfall.errors import InputError
from knightfall.extras import missing_extra

if TYPE_CHECKING:
    from knightfall.services.window.turns import Announcement

RICH = (
    ("wl-copy", "--type", "text/html"),
    ("xclip", "-selection", "clipboard", "-t", "text/html"),
)
"""Programs that take HTML from their standard input."""
HINT = "Copy it from the screen, or install xclip (X11) or wl-clipboard (Wayland)."


PASTES = (
    ("wl-paste", "--no-newline", "--type", "text/html"),
    ("xclip", "-selection", "clipboard", "-out", "-target", "text/html"),
)
"""Programs that write the HTML of the clipboard to their standard output: on Wayland, on X11."""
PASTES_MAC = ("osascript", "-e", "the clipboard as «class HTML»")
PASTES_WINDOWS = (
    "powershell",
    "-NoProfile",
    "-Command",
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -TextFormatType Html",
)
PATIENCE = 20.0
"""Seconds that such a program may take."""
NO_PROGRAM = (
    "No program for reading the clipboard was found. Install wl-clipboard (Wayland) or xclip (X11); or paste "
    "it on the page of Knightfall (knightfall web), or save it in your browser and use --from-html FILE."
)
NO_PAGE = (
    "The clipboard holds no page of a browser. Open a page of the thread in your browser, select all of it "
    "(Ctrl-A), copy it (Ctrl-C), and run this again."
)
_HEX = re.compile(r"«data HTML([0-9A-Fa-f]*)»".encode())
_SOURCE = re.compile(r"^SourceURL:(\S+)\s*$", re.MULTILINE)
"""Where the clipboard of Windows says that a copy is from."""


def copied_page() -> str:
    """The HTML of a page that was copied in a browser. Raises InputError where there is none, or no program
    that could tell."""
    if sys.platform == "darwin":
        commands: tuple[tuple[str, ...], ...] = (PASTES_MAC,)
    elif sys.platform == "win32":
        commands = (PASTES_WINDOWS,)
    else:
        commands = PASTES
    there = [command for command in commands if shutil.which(command[0])]
    if not there:
        raise InputError(NO_PROGRAM)
    for command in there:
        try:
            done = subprocess.run(command, check=False, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise InputError(f"{command[0]} did not give the clipboard within {PATIENCE:.0f} s.") from None
        except OSError as error:
            raise InputError(f"{command[0]} cannot be run: {error.strerror}.") from None
        if done.returncode == 0 and (html := html_of(done.stdout)).strip():
            return html
    raise InputError(NO_PAGE)


def html_of(said: bytes) -> str:
    """The HTML of what such a program wrote: in UTF-8 or UTF-16, in hexadecimal digits (macOS), or behind a
    head that tells its address (Windows)."""
    if found := _HEX.search(said):
        said = bytes.fromhex(found[1].decode())
    wide = said.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = said.decode("utf-16" if wide else "utf-8-sig", "replace")
    if text.startswith("Version:"):
        head, _, rest = text.partition("<")
        source = _SOURCE.search(head)
        address = f"<!-- saved from url=({len(source[1]):04}){source[1]} -->\n" if source else ""
        return f"{address}<{rest}" if rest else ""
    return text if "<" in text else ""


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
        raise missing_extra("clipboard") from None
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
