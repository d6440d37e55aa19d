"""What stands in a text file that somebody wrote by hand?"""

from __future__ import annotations

from pathlib import Path

from knightfall.errors import SetupError


def read_text(path: Path) -> str:
    """A text file written by hand. Raises SetupError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: the file cannot be read ({error}).") from error
