"""Pages of real boards, where the folder with them stands beside the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.errors import PastTheEnd, TopicMissing
from knightfall.forums import FORUMS, forum_of
from knightfall.forums.adapter import Response
from knightfall.forums.pages import read_chunk
from knightfall.forums.sites import site_of
from knightfall.posts import Post, PostId

SHARED = Path(__file__).parents[3] / "shared" / "pages"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = {forum.name for forum in FORUMS}
READ_BY = {"discourse-html": "discourse"}
"""Folders whose pages another folder's adapter reads as well."""
UNMARKED = {
    "nodebb/local-440-guest_beyond_end.html": PastTheEnd,
    "nodebb/local-440-guest_missing.html": TopicMissing,
    "flarum/local-181-guest_missing.html": TopicMissing,
}
"""Answers to a wrong address that bear no mark of their software: their status tells."""


def entries() -> list[dict[str, Any]]:
    index = SHARED / "INDEX.jsonl"
    lines = index.read_text(encoding="utf-8").splitlines() if index.exists() else []
    return [entry for entry in map(json.loads, lines) if entry["file"].endswith((".html", ".json"))]


pytestmark = pytest.mark.skipif(
    not SHARED.exists(), reason="../shared/pages is not here: real pages are not read"
)


def response(entry: dict[str, Any]) -> Response:
    text = (SHARED / entry["file"]).read_text(encoding="utf-8", errors="replace")
    return Response(entry.get("page_url") or "", entry.get("status", 200), text)


def adapter_of(entry: dict[str, Any]) -> str | None:
    platform = READ_BY.get(entry["platform"], entry["platform"])
    return platform if platform in NAMES and entry["file"] not in UNMARKED else None


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry["file"])
def test_a_page_is_recognised_by_its_own_platform_only(entry: dict[str, Any]) -> None:
    forum = forum_of(response(entry))
    assert (forum.name if forum else None) == adapter_of(entry)


def as_indexed(entry: dict[str, Any], posts: tuple[Post, ...]) -> list[Post]:
    """The index knows Reddit's comments as a tree and without the submission; we order them by time."""
    if entry["platform"] != "reddit":
        return list(posts)
    answer = json.loads((SHARED / entry["file"]).read_text(encoding="utf-8"))
    by_id = {post.id: post for post in posts}
    return [by_id[PostId(name)] for name in depth_first(answer[1])]


def depth_first(listing: Any) -> Iterator[str]:
    for thing in listing["data"]["children"] if listing else ():
        if thing["kind"] == "t1":
            yield thing["data"]["name"]
            yield from depth_first(thing["data"]["replies"])


@pytest.mark.parametrize(
    "entry",
    [entry for entry in entries() if adapter_of(entry) and entry.get("posts_expected")],
    ids=lambda entry: entry["file"],
)
def test_a_real_page_reads_exactly(entry: dict[str, Any]) -> None:
    page = response(entry)
    forum = forum_of(page)
    assert forum is not None
    posts = as_indexed(entry, forum.read(page, site_of(page.url), NOW).posts)
    assert len(posts) == entry["posts_expected"]
    assert (posts[0].author, posts[-1].author) == (entry["first_author"], entry["last_author"])
    assert all(post.time and post.body is not None for post in posts)


@pytest.mark.parametrize("file", UNMARKED)
def test_an_answer_without_marks_is_told_by_its_status(file: str) -> None:
    [entry] = [entry for entry in entries() if entry["file"] == file]
    with pytest.raises(UNMARKED[file]):
        read_chunk(response(entry), "The page", NOW)
