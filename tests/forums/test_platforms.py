"""`knightfall forums`, and whether its table is true of the adapters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.forums import FORUMS
from knightfall.forums.html import every, parse_page
from knightfall.forums.platforms import PLATFORMS, Checked, Deleted, Platform, Times

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
WITH_HTML = [row for row in PLATFORMS if "HTML" in row.read_as]


def posts_of(platform: Platform) -> list[dict[str, Any]]:
    """All expected posts of the platform's own pages."""
    files = sorted((FIXTURES / platform.name).glob("*.expected.json"))
    pages = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return [post for page in pages for post in page.get("posts", [])]


def test_every_platform_that_is_read_has_one_row() -> None:
    assert sorted(row.name for row in PLATFORMS) == sorted(forum.name for forum in FORUMS)


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda row: row.name)
def test_what_a_row_claims_is_shown_by_a_post_of_the_platforms_pages(platform: Platform) -> None:
    posts = posts_of(platform)
    approximate = {post["approximate"] for post in posts if post["time"]}
    assert any(post["edit_note"] for post in posts) or not platform.edits
    assert any(post["hidden"] for post in posts) or platform.deleted is Deleted.NO_TRACE
    assert False in approximate or platform.times is Times.APPROXIMATE
    assert True in approximate or platform.times is Times.EXACT


@pytest.mark.parametrize("platform", WITH_HTML, ids=lambda row: row.name)
def test_the_landmarks_of_a_platform_stand_on_its_pages(platform: Platform) -> None:
    marks = platform.landmarks
    assert marks is not None
    files = (FIXTURES / platform.name).glob("*.html")
    pages = [parse_page(file.read_text(encoding="utf-8")) for file in files]
    for selector in (marks.boxes, marks.authors, marks.texts):
        assert any(every(page, selector) for page in pages), selector


def test_the_table_fits_80_columns_and_names_what_was_never_seen_on_real_pages() -> None:
    result = CliRunner().invoke(app, ["forums"])
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    unseen = {row.name for row in PLATFORMS if row.checked is Checked.DOCUMENTATION}
    assert unseen == {"bgg", "proboards"}
    assert "phpBB 3.0-3.3" in result.stdout
