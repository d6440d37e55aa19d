"""What `scripts/calibrate` takes a played game for."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def calibrate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "scripts" / "py")])
    import calibrate

    return calibrate


def written(folder: Path, name: str, *fates: tuple[str, str]) -> Path:
    meta = folder / name / "meta.json"
    meta.parent.mkdir()
    slots = [{"names": [f"P{n}"], "role": role, "fate": fate} for n, (role, fate) in enumerate(fates)]
    meta.write_text(json.dumps({"slots": slots}), encoding="utf-8")
    return meta


TOWN = [("Town Cop", "killed Night 1"), *[("Vanilla Townie", "survived")] * 5]


def test_the_fates_say_who_won_and_when_it_ended(tmp_path: Path, calibrate: ModuleType) -> None:
    won = calibrate.played(written(tmp_path, "1", *TOWN, ("Mafia Goon", "lynched Day 3")))
    lost = calibrate.played(written(tmp_path, "2", *TOWN, ("Mafia Goon", "survived")))
    assert (won.town_won, won.days, won.known) == (True, 3, True)
    assert (lost.town_won, lost.days) == (False, 1)


def test_a_third_side_and_an_unclear_end_are_left_out(tmp_path: Path, calibrate: ModuleType) -> None:
    third = (*TOWN, ("Mafia Goon", "survived"), ("Serial Killer", "lynched Day 2"))
    assert calibrate.played(written(tmp_path, "1", *third)) is None
    assert calibrate.played(written(tmp_path, "2", *TOWN, ("Mafia Goon", "endgamed Day 4"))) is None


def test_each_policy_has_a_line_beside_the_real_share(
    tmp_path: Path, calibrate: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "1", *TOWN, ("Mafia Goon", "lynched Day 2"))
    written(tmp_path, "2", *TOWN, ("Mafia Baker of Pies", "survived"))
    calibrate.main([str(tmp_path), "20"])
    known, everything = capsys.readouterr().out.split("\n\n")[:2]
    assert known.startswith("Every role known: 1 games, the town won 100.0%")
    assert everything.startswith("All: 2 games, the town won 50.0%")
    assert all(f"\n{policy} " in known for policy in calibrate.POLICIES)
