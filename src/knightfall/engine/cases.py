"""The matching of what came out with what a case expects, and the report of many cases."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from knightfall.engine.rng import ScriptedRng, SeededRng

Case: TypeAlias = Mapping[str, object]
Verdict: TypeAlias = Literal["right", "missed", "wrong"]
_MISSING = object()


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case decided. `message` says why nothing could be compared; `verdict` is for vote cases alone."""

    passed: bool
    expected: object = None
    got: object = None
    message: str = ""
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Ids with their results, in the order of the files."""

    results: tuple[tuple[str, CaseResult], ...]

    @property
    def failed(self) -> tuple[tuple[str, CaseResult], ...]:
        return tuple(item for item in self.results if not item[1].passed)

    def lines(self) -> list[str]:
        """One line a failing case, the vote line where there were vote cases, and the sum."""
        verdicts = [result.verdict for _, result in self.results if result.verdict]
        counts = [verdicts.count(verdict) for verdict in ("right", "missed", "wrong")]
        votes = ["votes: {} right, {} missed, {} wrong".format(*counts)] if verdicts else []
        passed = len(self.results) - len(self.failed)
        closing = [f"{passed} passed, {len(self.failed)} failed"]
        return [_failure(*item) for item in self.failed] + votes + closing


def scripted_draws(case: Mapping[str, Any], listed: Collection[str]) -> ScriptedRng:
    """What is drawn in a case: `random_draws` [{label, value}] in their order, which has every draw
    of the labels `listed`; all else is by one seed."""
    script = [(str(drawn["label"]), drawn["value"]) for drawn in case.get("random_draws") or ()]
    return ScriptedRng(script, SeededRng(b"case"), frozenset(listed))


def left_over(draw: ScriptedRng) -> CaseResult:
    """A case whose script has draws that nobody asked for."""
    return failure(f"scripted but never drawn: {', '.join(draw.unused)}")


def failure(message: str) -> CaseResult:
    """A case that could not be compared."""
    return CaseResult(passed=False, message=message)


def compare(expected: object, got: object, free: Iterable[str] = (), exact: Iterable[str] = ()) -> CaseResult:
    """A result by the matching rule.

    `free` and `exact` are dotted paths, `*` any key: lists whose order is free, mappings without extra keys.
    """
    paths = _Paths(_split(free), _split(exact))
    return CaseResult(_matches(expected, got, (), paths), expected, got)


@dataclass(frozen=True, slots=True)
class _Paths:
    free: tuple[tuple[str, ...], ...]
    exact: tuple[tuple[str, ...], ...]


def _split(paths: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(path.split(".")) for path in paths)


def _at(path: tuple[str, ...], patterns: tuple[tuple[str, ...], ...]) -> bool:
    return any(
        len(pattern) == len(path) and all(part in ("*", key) for part, key in zip(pattern, path, strict=True))
        for pattern in patterns
    )


def _matches(expected: object, got: object, path: tuple[str, ...], paths: _Paths) -> bool:
    if isinstance(expected, Mapping):
        return isinstance(got, Mapping) and _mapping(expected, got, path, paths)
    if isinstance(expected, list | tuple):
        return isinstance(got, list | tuple) and _sequence(expected, got, path, paths)
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    return got is not _MISSING and expected == got


def _mapping(
    expected: Mapping[str, object], got: Mapping[str, object], path: tuple[str, ...], paths: _Paths
) -> bool:
    """Extra keys are fine, save in an empty mapping; null also matches a missing key."""
    if (not expected or _at(path, paths.exact)) and set(got) - set(expected):
        return False
    return all(
        (value is None and key not in got) or _matches(value, got.get(key, _MISSING), (*path, key), paths)
        for key, value in expected.items()
    )


def _sequence(
    expected: Sequence[object], got: Sequence[object], path: tuple[str, ...], paths: _Paths
) -> bool:
    if len(expected) != len(got):
        return False
    if not _at(path, paths.free):
        return all(_matches(e, g, path, paths) for e, g in zip(expected, got, strict=True))
    left = list(got)
    for value in expected:
        found = next((i for i, g in enumerate(left) if _matches(value, g, path, paths)), None)
        if found is None:
            return False
        del left[found]
    return True


def parse_case(line: str) -> Case:
    """One line of a file. Raises ValueError where it is no JSON object."""
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError(f"a case is a JSON object, this line is a {type(value).__name__}")
    return value


def _failure(name: str, result: CaseResult) -> str:
    if result.message:
        return f"{name}: {result.message}"

    # Of two mappings only the entries that differ.
    if not (isinstance(result.expected, Mapping) and isinstance(result.got, Mapping)):
        expected, got = result.expected, result.got
    else:
        keys = [key for key, value in result.expected.items() if result.got.get(key, _MISSING) != value]
        expected, got = (
            {key: result.expected[key] for key in keys},
            {key: result.got[key] for key in keys if key in result.got},
        )

    return f"{name}: expected {_text(expected)}, got {_text(got)}"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
