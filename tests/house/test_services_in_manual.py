"""Every service is named in the map of the source, and nothing that is not there."""

from __future__ import annotations

import re

from house.manual import ROOT, page

SERVICES = ROOT / "src" / "knightfall" / "services"


def test_the_map_of_the_source_names_every_service() -> None:
    manual = page("how-it-is-built")
    rooms = re.findall(r"`src/knightfall/services/(\w*)/?`: ((?:`\w+`(?: \([^)]*\))?(?:, )?)+)", manual)
    named = [f"{room}/{name}".lstrip("/") for room, names in rooms for name in re.findall(r"`(\w+)`", names)]
    there = (file.relative_to(SERVICES).with_suffix("") for file in SERVICES.rglob("*.py"))
    assert sorted(named) == sorted(file.as_posix() for file in there if file.name != "__init__")
