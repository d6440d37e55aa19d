"""Every service is named in the README's map, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVICES = ROOT / "src" / "knightfall" / "services"


def test_the_map_of_the_readme_names_every_service() -> None:
    rows = re.findall(
        r"\| `src/knightfall/services/`: (.*) \|", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(file.stem for file in SERVICES.glob("*.py") if file.stem != "__init__")
