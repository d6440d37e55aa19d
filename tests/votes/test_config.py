"""What file and journal tell a count of a day."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall import votes
from knightfall.votes.config import DaySetup

NOON, EVENING, LATER = (datetime(2026, 5, 4, hour, tzinfo=UTC) for hour in (12, 18, 20))
DAY = DaySetup(1, deadline=LATER, stood=((NOON, EVENING), (EVENING, None)))


@pytest.mark.parametrize(
    ("moment", "deadline"),
    [
        (datetime(2026, 5, 4, 11, tzinfo=UTC), EVENING),
        (NOON, None),
        (datetime(2026, 5, 4, 17, tzinfo=UTC), None),
        (EVENING, LATER),
        (None, LATER),
    ],
)
def test_a_deadline_is_known_as_it_stood(moment: datetime | None, deadline: datetime | None) -> None:
    assert DAY.deadline_at(moment) == deadline


@pytest.mark.parametrize("path", sorted(Path(votes.__path__[0]).glob("*.py")), ids=lambda path: path.stem)
def test_no_loop_variable_hides_a_function_of_its_module(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {one.name for one in tree.body if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
    for one in tree.body:
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            named |= {alias.asname or alias.name for alias in one.names}
    loops = (one for one in ast.walk(tree) if isinstance(one, (ast.For, ast.comprehension)))
    variables = {name.id for loop in loops for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    assert not variables & named
