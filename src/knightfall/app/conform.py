"""Run conformance files: which cases fail, and how many pass?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from knightfall.conformance import Report, run_lines
from knightfall.errors import InputError


def conform(files: Iterable[Path]) -> Report:
    """The report of all files together. Raises InputError for a file that cannot be read."""
    reports = [run_lines(_lines(path), path.name) for path in files]
    return Report(tuple(item for report in reports for item in report.results))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
