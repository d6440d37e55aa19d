"""The numbered cases, run against votes and games.

`run_lines` takes the lines of case files. A case of a game is decided by the game's own `cases.py`, which
turns it into the game's public calls.
"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.conformance import vote
from knightfall.engine.cases import Case, CaseResult, Report, failure, parse_case
from knightfall.errors import KnightfallError
from knightfall.games import cases_of, game_ids

VOTE = "vote"
KINDS = ("night", "win", VOTE, "match")
"""What a case can be about; those of `vote` belong to no game."""

_MALFORMED = (KnightfallError, LookupError, TypeError, ValueError, AttributeError)

__all__ = ["KINDS", "Case", "CaseResult", "Report", "run_case", "run_lines"]


def run_case(case: Case) -> CaseResult:
    """Decide one case. What cannot be run is a failed case with a message, never an exception."""
    kind, game = case.get("kind"), case.get("game")
    if not isinstance(kind, str) or kind not in KINDS:
        return failure(f"kind {kind!r} is not supported; known: {', '.join(KINDS)}")
    if "expected" not in case and kind != VOTE:
        return failure("the case expects nothing: it has no “expected”")
    adapters = cases_of(game) if isinstance(game, str) and game in game_ids() else {}
    adapter = vote.check if kind == VOTE else adapters.get(kind)
    if adapter is None:
        known = ", ".join(name for name in game_ids() if kind in cases_of(name))
        return failure(f"game {game!r} has no {kind} cases yet; known: {known}")
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
