"""Every room of the verbs is named in the README, and says what it is for."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = ROOT / "src" / "knightfall" / "app"


def test_the_readme_names_every_room_and_each_says_what_it_is_for() -> None:
    row = re.search(r"\| what a verb does \|(.*)\|", (ROOT / "README.md").read_text(encoding="utf-8"))
    rooms = {folder.parent.name for folder in APP.glob("*/__init__.py")}
    assert row is not None
    assert set(re.findall(r"`(\w+)`", row[1])) == rooms
    for room in rooms:
        assert (APP / room / "__init__.py").read_text(encoding="utf-8").startswith('"""')
