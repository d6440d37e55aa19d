"""The file on the desktop by which the page is started with a double click."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_desktop_path

from knightfall.errors import InputError

MARK = "Made by Knightfall. To remove the icon, delete this file."
"""A line of each such file, by which it is known again."""


@dataclass(frozen=True, slots=True)
class DesktopIcon:
    """A file that can be double-clicked: its name, its text and its mode."""

    name: str
    text: str
    mode: int


def desktop_icon(system: str, python: str, games: str) -> DesktopIcon:
    """The icon for a system as `sys.platform` calls it, which starts the page for a folder of games by the
    Python of this install."""
    # -P: a file beside the icon is never taken for a module.
    words = (python, "-P", "-m", "knightfall", "web", games)
    if system == "win32":
        quoted = " ".join(f'"{word}"' for word in words).replace("%", "%%")
        # Windows reads the file in an old code page until it is told that it is UTF-8.
        lines = ("@echo off", "chcp 65001 >nul", f"rem {MARK}", quoted, "if errorlevel 1 pause", "")
        return DesktopIcon("Knightfall.cmd", "\r\n".join(lines), 0o600)
    if system == "darwin":
        return DesktopIcon("Knightfall.command", f"#!/bin/sh\n# {MARK}\nexec {shlex.join(words)}\n", 0o700)
    entry = (
        "[Desktop Entry]",
        f"# {MARK}",
        "Type=Application",
        "Name=Knightfall",
        "Comment=Count votes and run games on a page in the browser",
        f"Exec={' '.join(map(_exec_word, words))}",
        "Terminal=true",
        "",
    )
    return DesktopIcon("Knightfall.desktop", "\n".join(entry), 0o700)


def _exec_word(word: str) -> str:
    """A word of the key Exec: quoted as its specification says, then as every text of such a file is."""
    for sign in ("\\", '"', "`", "$"):
        word = word.replace(sign, f"\\{sign}")
    quoted = f'"{word}"'.replace("%", "%%")
    return quoted.replace("\\", "\\\\").replace("\n", "\\n")


def write_icon(icon: DesktopIcon, desktop: Path) -> Path:
    """Write the icon into the folder of the desktop, in the place of an older one of ours.

    Raises InputError where there is no such folder, or where a file of that name is not ours.
    """
    path = desktop / icon.name
    if not desktop.is_dir():
        raise InputError(
            f"There is no desktop here: {desktop} is not a folder. Make it, or start the page with a command."
        )
    try:
        if path.is_file():
            if MARK not in path.read_text(encoding="utf-8", errors="replace"):
                raise InputError(
                    f"{path} was not made by Knightfall, so it stays as it is. Rename or remove it first."
                )
            path.unlink()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, icon.mode)
        with os.fdopen(handle, "wb") as file:
            file.write(icon.text.encode())
    except OSError as fault:
        raise InputError(f"{path} cannot be written: {fault.strerror}.") from None
    return path


def icon_told(path: Path) -> str:
    """Where the icon is, and how to be rid of it."""
    return f"It is the file {path}. To remove the icon, delete that file; nothing else was changed."


def icon_here(games: Path) -> Path:
    """Make the icon for this system and this install on the desktop of whoever runs it; where it is.

    Raises InputError as `write_icon` does.
    """
    return write_icon(desktop_icon(sys.platform, sys.executable, str(games)), user_desktop_path())
