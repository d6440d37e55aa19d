"""What a program gets: one JSON object of every verb that has --json, its schema first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import VERBS, run
from knightfall.engine.json_text import SCHEMA

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
PAGES = ("--from-html", *(str(DEMO / f"thread-p{number}.html") for number in (1, 2, 3)))


FOR_PROGRAMS = sorted(
    name for name, command in VERBS.items() if any("--json" in parameter.opts for parameter in command.params)
)
ASKED: dict[str, tuple[tuple[str, ...], ...]] = {
    "activity": (PAGES,),
    "balance": (
        ("empowered", "--games", "50"),
        ("custom-mafia", "--games", "50", "--compare", "empowered"),
        ("knights-duty", "--games", "1"),
    ),
    "doctor": ((), (PAGES[1],)),
    "review": ((str(DEMO.parent / "setups" / "matrix.toml"), "--games", "50"),),
    "evidence": (("13",),),
    "explain": (("Ada",), ("Kestrel", *PAGES), ("13", *PAGES)),
    "forums": ((),),
    "games": ((),),
    "log": ((),),
    "missing": ((),),
    "moves": (("bout.txt",),),
    "near": (PAGES,),
    "nicknames": ((), ("forum.example",)),
    "odds": ((), ("SWORD",)),
    "read": (PAGES,),
    "replay": (("bout.txt", "--all"),),
    "resolve": ((str(DEMO / "night.toml"),),),
    "roles": ((), ("weak", "doctor"), ("weak",)),
    "rooms": ((),),
    "roster": (PAGES, ("suggest", *PAGES)),
    "rulings": (("knight-fight",),),
    "setups": (("knight-errant",), ("empowered",), ("knights-duty",), ("custom-mafia",)),
    "signup read": (PAGES,),
    "status": ((),),
    "submissions": ((),),
    "vc": (PAGES,),
}
"""How each verb is asked in the folder below; every form whose answer is made in another place."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a begun game with a thread that was read."""
    folder = tmp_path_factory.mktemp("bout") / "bout"
    run("new", "knight-fight", "Ada", "Boro", "--out", str(folder))
    run("read", *PAGES, "--game", str(folder))
    (folder / "bout.txt").write_text("X: C3 D3 E3 G5\nO: G6\n1. X F3 5 s\n", encoding="utf-8")
    return folder


def test_every_verb_for_programs_is_asked_here() -> None:
    assert sorted(ASKED) == FOR_PROGRAMS


@pytest.mark.parametrize(
    "words",
    [(*verb.split(), *more) for verb, forms in ASKED.items() for more in forms],
    ids=lambda words: " ".join(word for word in words[:3] if "/" not in word),
)
def test_a_program_gets_one_object_with_its_schema_first(
    words: tuple[str, ...], played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(played)
    told = json.loads(run(*words, "--json").stdout)
    assert isinstance(told, dict)
    assert next(iter(told.items())) == ("schema", SCHEMA)
    assert len(told) > 1
