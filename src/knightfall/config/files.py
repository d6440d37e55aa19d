"""Files that a moderator wrote or was sent: only real ones, of a size that somebody wrote, are read."""

from __future__ import annotations

import stat
import tomllib
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

LARGEST = 20_000_000
"""Bytes of a file that is read at once."""


def read_file(path: Path) -> bytes:
    """The file as it lies on the disk. Raises OSError, also for what is no file (a device or a pipe may never
    end) and for one of more than LARGEST bytes."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(0, "it is no file, but a device or a pipe")
    if found.st_size > LARGEST:
        raise OSError(0, f"it is larger than {LARGEST // 1_000_000} MB")
    return path.read_bytes()


def read_file_text(path: Path) -> str:
    """The text of a file in UTF-8, less the mark that some editors put first. Raises UnicodeDecodeError, and
    OSError as `read_file` does."""
    return read_file(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


_parsed = lru_cache(maxsize=8)(tomllib.loads)
"""The same few files are asked for again and again: they are parsed once."""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises TOMLDecodeError, for one that is nested too deep as well."""
    try:
        return deepcopy(_parsed(text))
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deep") from None
