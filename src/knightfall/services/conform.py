"""Run conformance files: numbered cases against the games' own rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knightfall.conformance import CaseResult, Report, run_lines
from knightfall.errors import InputError
from knightfall.services.session import Progress


def conform(files: Sequence[Path], progress: Progress | None = None) -> Report:
    """Run every case of the files, in their order. Raises InputError for a file that cannot be read."""
    results: list[tuple[str, CaseResult]] = []
    for done, path in enumerate(files, start=1):
        try:
            lines = path.read_text(encoding="utf-8-sig").split("\n")
        except OSError as error:
            raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
        results.extend(run_lines(lines, path.name).results)
        if progress:
            progress(done, len(files))
    return Report(tuple(results))
