"""The clipboard of this machine, as text or as HTML for an editor that takes formatted text."""

from __future__ import annotations

import shutil
import subprocess
import sys

from knightfall.errors import InputError

RICH = (
    ("wl-copy", "--type", "text/html"),
    ("xclip", "-selection", "clipboard", "-t", "text/html"),
)
"""Programs that take HTML from their standard input."""
HINT = "Copy it from the screen, or install xclip (X11) or wl-clipboard (Wayland)."
INSTALL = 'pip install "knightfall[clipboard]"'


class Clipboard:
    """The clipboard of this machine, for posts in parts."""

    def copy(self, text: str, rich: bool) -> None:
        """See `copy` below."""
        copy(text, rich)

    def pasted(self) -> bool:
        """Waits for Enter; without a terminal there is nobody to wait for, and only one part is copied."""
        if not sys.stdin.isatty():
            return False
        input("Paste it, then press Enter for the next part. ")
        return True


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
