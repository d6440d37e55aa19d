"""The numbered cases, run against the games.

`run_lines` takes the lines of case files; an adapter a kind turns a case into the game's own public calls.
Games never import this package, and no game knows a key of a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from knightfall.conformance import match, night, vote, win
from knightfall.conformance.cases import Case, CaseResult, Report, failure, parse_case
from knightfall.errors import KnightfallError

ADAPTERS: Mapping[str, Callable[[Case], CaseResult]] = {
    "night": night.check,
    "win": win.check,
    "vote": vote.check,
    "match": match.check,
}

_MALFORMED = (KnightfallError, LookupError, TypeError, ValueError, AttributeError)

__all__ = ["ADAPTERS", "Case", "CaseResult", "Report", "run_case", "run_lines"]


def run_case(case: Case) -> CaseResult:
    """Decide one case. What cannot be run is a failed case with a message, never an exception."""
    kind = case.get("kind")
    adapter = ADAPTERS.get(kind) if isinstance(kind, str) else None
    if adapter is None:
        return failure(f"kind {kind!r} is not supported; known: {', '.join(ADAPTERS)}")
    if "expected" not in case and kind != "vote":
        return failure("the case expects nothing: it has no “expected”")
    try:
        return adapter(case)
    except _MALFORMED as fault:
        return failure(f"the case cannot be run: {type(fault).__name__}: {fault}")


def run_lines(lines: Iterable[str], source: str = "line") -> Report:
    """Run every line that is not blank; a malformed one fails under the name `source:number`."""
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    return Report(tuple(_run_line(f"{source}:{number}", line) for number, line in numbered))


def _run_line(place: str, line: str) -> tuple[str, CaseResult]:
    try:
        case = parse_case(line)
    except (ValueError, RecursionError) as fault:
        return place, failure(f"not a case: {fault}")
    return str(case.get("id", place)), run_case(case)
