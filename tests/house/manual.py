"""The README and the pages of the manual, as tests read them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "src" / "knightfall" / "manual"
INDEX = MANUAL / "index.md"
LINK = re.compile(r"\]\(([\w-]+\.md)\)")
PAGES: tuple[Path, ...] = tuple(
    dict.fromkeys(
        (
            ROOT / "README.md",
            INDEX,
            *(MANUAL / name for name in LINK.findall(INDEX.read_text(encoding="utf-8"))),
        )
    )
)
"""In the order in which somebody reads them: the README, then the manual as its index lists it."""
TEXTS: dict[str, str] = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES
}
"""Each by its path from the top of the project."""
README = TEXTS["README.md"]
ALL = "\n".join(TEXTS.values())


def page(name: str) -> str:
    """A page of the manual by the name of its file, such as "forums"."""
    return TEXTS[f"src/knightfall/manual/{name}.md"]
