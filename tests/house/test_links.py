"""No link of the README, the manual or the files beside the README leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from house.manual import MANUAL, PAGES, ROOT

OWN = tuple(page for page in PAGES if page.parent == MANUAL)
FILES = (*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")))


@cache
def tokens(file: Path) -> tuple[Token, ...]:
    """A file taken apart; what stands within a line comes behind its line."""
    lines = MarkdownIt("commonmark").enable("table").parse(file.read_text(encoding="utf-8"))
    return tuple(token for line in lines for token in (line, *(line.children or ())))


def targets(file: Path) -> Iterator[str]:
    """Where the links and pictures of a file lead."""
    for token in tokens(file):
        where = token.attrGet("href") or token.attrGet("src")
        if where is not None:
            yield str(where)


def anchors(file: Path) -> frozenset[str]:
    """The heads of a file as a forge names them in addresses."""
    found = tokens(file)
    heads = (after.content for one, after in pairwise(found) if one.type == "heading_open")
    return frozenset(re.sub(r"[^\w -]", "", head.casefold()).replace(" ", "-") for head in heads)


def leads_nowhere(file: Path, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme:
        return parts.scheme != "https"
    found = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not found.exists():
        return True
    return bool(parts.fragment) and parts.fragment not in anchors(found)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_link_leads_somewhere(file: Path) -> None:
    assert [target for target in targets(file) if leads_nowhere(file, target)] == []


def test_links_are_seen() -> None:
    assert sum(1 for file in FILES for _ in targets(file)) > 50


def test_a_link_that_leads_nowhere_is_found() -> None:
    readme = PAGES[0]
    assert leads_nowhere(readme, "nowhere.md")
    assert leads_nowhere(readme, "CONTRIBUTING.md#nowhere")
    assert leads_nowhere(readme, "#nowhere")
    assert not leads_nowhere(readme, "CONTRIBUTING.md#add-a-forum")
    assert not leads_nowhere(readme, "#a-game-tonight")


@pytest.mark.parametrize(
    "file", [page for page in PAGES if page.parent == MANUAL], ids=lambda file: file.name
)
def test_the_manual_leads_to_itself_alone(file: Path) -> None:
    """It is installed without the rest of the project."""
    local = [urlsplit(target).path for target in targets(file) if not urlsplit(target).scheme]
    assert [path for path in local if path and (file.parent / path).resolve().parent != MANUAL] == []
