"""What does SQLite complain of, and what can the moderator do about it?

Nothing of a transaction that failed is in the file. Full, locked and read-only are told apart from damage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from knightfall.errors import InputError, KnightfallError, StateDamaged

_PRIMARY = 0xFF
"""The part of SQLite's codes that names the kind of error."""
_READ_ONLY = (
    "{path} cannot be written: the file or its folder is read-only for you. Nothing was written. Give "
    "yourself the right (chmod u+rwX on the folder), or work on a copy."
)
_ADVICE: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "{path}: the disk is full. Nothing was written. Make room and run it again.",
        sqlite3.SQLITE_IOERR: (
            "{path}: the disk refuses to read or write ({said}). Nothing was written. Make room, look after "
            "the disk or your quota, and run it again."
        ),
        sqlite3.SQLITE_BUSY: (
            "{path} is in use: another program has been writing for 10 s. Nothing was written; run it again."
        ),
        sqlite3.SQLITE_READONLY: _READ_ONLY,
        sqlite3.SQLITE_PERM: _READ_ONLY,
        sqlite3.SQLITE_CANTOPEN: (
            "{path} cannot be opened: {said}. Is the folder there, and may you read and write in it? "
            "(chmod u+rwX)"
        ),
    }
)


def named(path: Path, error: BaseException | None) -> KnightfallError:
    """Our error for one of SQLite's: InputError where the world is in the way, else StateDamaged."""
    code = getattr(error, "sqlite_errorcode", None)
    cut_short = code == sqlite3.SQLITE_IOERR_SHORT_READ
    advice = None if code is None or cut_short else _ADVICE.get(code & _PRIMARY)
    if advice is not None:
        return InputError(advice.format(path=path, said=error))
    return StateDamaged(damage(path, str(error)))


def damage(path: Path, said: str) -> str:
    """What is wrong with a file, and how to repair it."""
    return (
        f"{path} is damaged: {said}. Move it away and put your last backup or export in its place "
        "(knightfall import FILE), then read the thread again. What is readable comes out with: "
        f'sqlite3 "{path}" .recover'
    )
