"""Run conformance files: which cases fail, and how many pass?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knightfall.app.ports import Progress
from knightfall.conformance import Report, run_lines
from knightfall.errors import InputError


def conform(files: Sequence[Path], progress: Progress | None = None) -> Report:
    """The report of all files together. Raises InputError for a file that cannot be read."""
    reports = list[Report]()
    for path in files:
        reports.append(run_lines(_lines(path), path.name))
        if progress:
            progress(len(reports), len(files))
    return Report(tuple(item for report in reports for item in report.results))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
