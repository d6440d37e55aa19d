"""Running games are taken in from their threads: real ones, cut at a random post, where they are at hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
GAMES = sorted(one for one in CORPUS.glob("*") if (one / "meta.json").exists())


@pytest.fixture
def adopting(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "scripts" / "py")])
    yield import_module("adopting")


@pytest.mark.skipif(not GAMES, reason="the real games are not at hand: ../shared/corpus")
@pytest.mark.long
def test_real_games_are_read_rightly_or_with_a_doubt(adopting: ModuleType) -> None:
    cuts = [adopting.score((game, 1)) for game in GAMES]
    people, right = sum(cut.people for cut in cuts), sum(cut.right for cut in cuts)
    assert not [cut.topic for cut in cuts if cut.refused]
    assert right >= 0.95 * people
    assert max(cut.corrections for cut in cuts) <= adopting.MOST_CORRECTIONS
    # The record itself misspells an account here and there.
    assert sum(cut.silent for cut in cuts) <= 0.01 * people
    taken, filed = ([getattr(cut, name) for cut in cuts] for name in ("adopted", "filed"))
    assert sum(one.wrong for one in taken) == 0
    assert sum(one.right for one in taken) >= 0.95 * sum(one.right for one in filed)
    assert sum(one.near for one in taken) >= 0.95 * sum(one.near for one in filed)
