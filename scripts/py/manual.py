"""The manual as static pages, made by MkDocs; a link that leads nowhere is a failure."""

from __future__ import annotations

import logging
import sys
from importlib.resources import as_file
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from knightfall.services.manual import INDEX, MANUAL, anchor_of, topics


def slug(heading: str, _separator: str) -> str:
    """The anchor of a head, as the links of the pages have it."""
    return anchor_of(heading)


def built(pages: Path, out: Path) -> None:
    """Build the pages of a folder into another. Raises Abort where a link leads nowhere."""
    named = [{one.title: f"{one.name}.md"} for one in topics()]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mkdocs.yml"
        file.write_text("site_name: Knightfall\n", encoding="utf-8")
        config = load_config(
            str(file),
            docs_dir=str(pages),
            site_dir=str(out),
            strict=True,
            use_directory_urls=False,  # they open from the disk, too
            theme={"name": "mkdocs", "highlightjs": False},  # nothing of another server
            nav=[{"Manual": f"{INDEX}.md"}, *named],
            markdown_extensions=["tables", "fenced_code", "sane_lists", {"toc": {"slugify": slug}}],
            validation={
                "nav": dict.fromkeys(("omitted_files", "not_found", "absolute_links"), "warn"),
                "links": dict.fromkeys(
                    ("not_found", "anchors", "absolute_links", "unrecognized_links"), "warn"
                ),
            },
        )
        build(config)


def main() -> int:
    """Build the manual; returns the exit status."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "dist/manual").absolute()
    try:
        with as_file(MANUAL) as pages:
            built(pages, out)
    except Abort as fault:
        print(fault, file=sys.stderr)
        return 1
    print(out / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
