"""scripts/manual: the static pages of the manual are built, and a link that leads nowhere is a failure."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

from knightfall.services.manual import topics

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "src" / "knightfall" / "manual"


@pytest.fixture
def script() -> dict[str, Any]:
    """What the script has. MkDocs comes with the extra “manual”, which no other test needs."""
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: pip install '.[manual]'")
    return runpy.run_path(str(ROOT / "scripts" / "py" / "manual.py"))


def test_every_page_is_built_with_the_anchors_that_links_have(script: dict[str, Any], tmp_path: Path) -> None:
    script["built"](MANUAL, tmp_path / "out")
    assert {f"{one.name}.html" for one in topics()} <= {file.name for file in (tmp_path / "out").iterdir()}
    text = (tmp_path / "out" / "running-a-game.html").read_text(encoding="utf-8")
    assert 'id="two-moderators-and-a-backup"' in text
    assert "https://cdn" not in text


@pytest.mark.parametrize("broken", ["[x](nowhere.md)", "[x](forums.md#nowhere)", "![x](images/none.png)"])
def test_a_link_that_leads_nowhere_is_a_failure(script: dict[str, Any], tmp_path: Path, broken: str) -> None:
    pages = shutil.copytree(MANUAL, tmp_path / "manual")
    with (pages / "games.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{broken}\n")
    with pytest.raises(script["Abort"]):
        script["built"](pages, tmp_path / "out")
