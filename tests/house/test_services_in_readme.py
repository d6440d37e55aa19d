"""Every service is named in the README's map, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVICES = ROOT / "src" / "knightfall" / "services"


def test_the_map_of_the_readme_names_every_service() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rooms = re.findall(r"`src/knightfall/services/(\w*)/?`: ((?:`\w+`(?: \([^)]*\))?(?:, )?)+)", readme)
    named = [f"{room}/{name}".lstrip("/") for room, names in rooms for name in re.findall(r"`(\w+)`", names)]
    there = (file.relative_to(SERVICES).with_suffix("") for file in SERVICES.rglob("*.py"))
    assert sorted(named) == sorted(file.as_posix() for file in there if file.name != "__init__")
