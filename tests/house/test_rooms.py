"""Every service is named in the map of the source, and nothing that is not there."""

from __future__ import annotations

import re

from house.manual import ROOT, page

SERVICES = ROOT / "src" / "knightfall" / "services"


def test_the_map_of_the_source_names_every_service() -> None:
    rows = re.findall(r"\| `src/knightfall/services/`: (.*) \|", page("how-it-is-built"))
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(file.stem for file in SERVICES.glob("*.py") if file.stem != "__init__")
