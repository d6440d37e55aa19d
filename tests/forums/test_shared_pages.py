"""Pages of real boards, where the folder with them stands beside the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.config.game_file import read_setup
from knightfall.errors import PastTheEnd, TopicMissing
from knightfall.fetch.saved import read_html
from knightfall.forums import FORUMS, forum_named, forum_of
from knightfall.forums.base import Response
from knightfall.forums.pages import read_chunk
from knightfall.forums.sites import site_of
from knightfall.models import Post, PostId
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.writeups.facts import votecount_json

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


@pytest.mark.few(26)
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


@pytest.mark.few(18)
@pytest.mark.parametrize(
    "entry",
    [entry for entry in entries() if adapter_of(entry) and entry.get("posts_expected")],
    ids=lambda entry: entry["file"],
)
def test_a_real_page_reads_exactly(entry: dict[str, Any]) -> None:
    page, forum = response(entry), forum_named(adapter_of(entry) or "")
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


def game_file(told: dict[str, Any]) -> str:
    """A game.toml with the players and moderators of the game that the rendered pages hold."""
    lines = ["schema = 1", "[game]", 'timezone = "UTC"', f"moderators = {quoted(told['moderators'])}"]
    for player in told["players"]:
        lines += ["[[player]]", f"name = {quoted(player['name'])}", f"aliases = {quoted(player['aliases'])}"]
    return "\n".join(lines)


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("place", [0, 1])
def test_the_rendered_game_is_counted_to_its_checkpoints(place: int, tmp_path: Path) -> None:
    told = json.loads((SHARED / "local-game.json").read_text(encoding="utf-8"))
    checkpoint = told["checkpoints"][place]
    (tmp_path / "game.toml").write_text(game_file(told), encoding="utf-8")
    pages = read_html([SHARED / "phpbb" / f"local-3310-guest_p{number}.html" for number in (1, 2)], NOW)
    setup = read_setup(tmp_path / "game.toml")
    count = votecount(pages, habits_of(pages), setup, Ask(at_post=checkpoint["after_post"]), NOW)
    read = votecount_json(count)
    wagons = {wagon["target"]: {voter["slot"] for voter in wagon["voters"]} for wagon in read["wagons"]}
    assert wagons == {name: set(voters) for name, voters in checkpoint["wagons"].items()}
    assert read["not_voting"] == checkpoint["not_voting"]
    assert (read["alive"], read["needed"]) == (checkpoint["alive"], checkpoint["needed"])
