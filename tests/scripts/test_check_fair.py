"""The verifier outside the package: forty lines of another language agree with ours on every game."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from fair_deals import LIES, any_deal, worded

SCRIPT = Path(__file__).parents[2] / "scripts" / "check-fair.js"
NODE = shutil.which("node") or ""
WITHOUT_RULES = frozenset(
    {"chance_line", "value_unasked", "word_unasked", "commitment_replaced", "commitment_hidden", "card_added"}
    | {"draw_thrown_away", "draw_twice", "option_changed"}
)
"""Of these forty lines tell nothing: they look at each number, not at promises, earlier posts and lists."""

needs_node = pytest.mark.skipif(not NODE, reason="node is not on this machine: apt-get install nodejs")


def told(folder: Path, texts: Sequence[str]) -> list[str]:
    """What the script says of each game, in order."""
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{number}.txt")
        files[-1].write_text(text, encoding="utf-8")
    ran = subprocess.run([NODE, SCRIPT, *files], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.returncode == any(line != "fair" for line in ran.stdout.splitlines())
    return ran.stdout.splitlines()


def test_it_has_forty_lines() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 40


@needs_node
def test_it_agrees_on_a_thousand_random_games(tmp_path: Path) -> None:
    texts = [any_deal(random.Random(number)).text for number in range(1000)]
    assert told(tmp_path, texts) == ["fair"] * 1000


@needs_node
def test_posts_are_read_as_boards_write_them(tmp_path: Path) -> None:
    """The first line of a box of code stands behind its tag."""
    text = worded(random.Random(5)).text
    for line in ("Value: ", "Round "):
        text = text.replace(f"\n{line}", f"\n[code]{line}")
    assert told(tmp_path, [text]) == ["fair"]


@needs_node
def test_it_finds_a_draw_or_a_card_changed_in_any_game(tmp_path: Path) -> None:
    texts, chance = [], random.Random(4)
    for number in range(200):
        made = any_deal(random.Random(number))
        draw = chance.choice([one for one in made.proof["draws"] if len(set(one[4])) > 1])
        draw[5] = [next(one for one in draw[4] if one != draw[5][0]), *draw[5][1:]]
        assert made.found
        texts.append(made.text)
    assert all("was drawn otherwise" in line for line in told(tmp_path, texts))


@needs_node
def test_it_finds_the_lies_that_ours_finds(tmp_path: Path) -> None:
    texts, names = [], []
    for name, (code, act) in LIES.items():
        if code in WITHOUT_RULES or name in ("no proof", "another schema"):
            continue
        made = worded(random.Random(5))
        act(made)
        texts.append(made.text)
        names.append(name)
    found = dict(zip(names, told(tmp_path, texts), strict=True))
    assert len(found) > 25
    assert [name for name, line in found.items() if line == "fair"] == []


@needs_node
def test_it_checks_a_flip_during_the_game(tmp_path: Path) -> None:
    made = worded(random.Random(5))
    assert made.tree is not None
    assert told(tmp_path, [f"Cards: {made.tree.root}\n{made.lines[0]}"]) == ["fair"]
    made = worded(random.Random(6))
    LIES["flip not as dealt"][1](made)
    assert "Ada was not dealt" in told(tmp_path, [made.posts])[0]
