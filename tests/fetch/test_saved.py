"""Files that the moderator saved himself."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fetch.threads import page, thread
from knightfall.errors import IncompleteRead, InputError, NotAForum, TopicMissing
from knightfall.fetch.saved import read_html, read_jsonl

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [FIXTURES / "demo" / f"thread-p{number}.html" for number in (1, 2, 3)]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_saved_pages_make_a_thread_in_whatever_order_they_come() -> None:
    found = read_html([DEMO[2], DEMO[0], DEMO[1]], NOW)
    assert found.complete
    assert [post.number for post in found.posts] == list(range(1, 59))
    assert (found.title, found.pages) == ("Salt Harbour [Day 1]", 3)


def test_a_folder_means_all_its_pages() -> None:
    assert read_html([FIXTURES / "demo"], NOW) == read_html(DEMO, NOW)


def test_pages_know_their_address_where_they_tell_it() -> None:
    found = read_html(DEMO, NOW)
    assert found.url == "https://forum.example/viewtopic.php?t=90010"
    assert (
        found.posts[0].url
        == f"https://forum.example/viewtopic.php?p={found.posts[0].id}#p{found.posts[0].id}"
    )


def test_a_page_too_few_is_named() -> None:
    assert read_html([DEMO[0], DEMO[2]], NOW).missing == ("Page 2 of 3 is missing.",)
    assert read_html([DEMO[1]], NOW).missing == ("Pages 1, 3 of 3 are missing.",)


def test_the_pages_before_a_missing_one_are_whole() -> None:
    assert read_html([DEMO[0], DEMO[2]], NOW).whole_to == 25
    assert read_html([DEMO[1], DEMO[2]], NOW).whole_to is None
    assert read_html(DEMO, NOW).whole_to is None


def test_the_same_page_twice_is_one_page() -> None:
    assert read_html([DEMO[0], *DEMO], NOW) == read_html(DEMO, NOW)


def test_an_older_copy_of_a_page_that_has_grown_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "old.html").write_bytes(page(thread(2), 0))
    (tmp_path / "new.html").write_bytes(page(thread(3), 0))
    found = read_html([tmp_path], NOW)
    assert (found.complete, len(found.posts)) == (True, 3)


def test_a_post_that_differs_in_two_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page([(1, "Ada", "Vote: Elm")], 0))
    (tmp_path / "b.html").write_bytes(page([(1, "Ada", "Vote: Fen")], 0))
    found = read_html([tmp_path], NOW)
    (missing,) = found.missing
    assert missing.startswith("Post #1 differs in ")
    assert found.whole_to is None


def test_pages_of_two_threads_are_refused() -> None:
    other = FIXTURES / "forums" / "phpbb" / "prosilver-33.html"
    with pytest.raises(InputError, match=r'"Salt Harbour \[Day 1\]".*"Short & sweet"'):
        read_html([DEMO[0], other], NOW)


def test_half_a_page_an_empty_one_and_none_are_named(tmp_path: Path) -> None:
    half, empty = tmp_path / "half.html", tmp_path / "empty.html"
    half.write_bytes(DEMO[0].read_bytes()[:9000])
    empty.touch()
    with pytest.raises(IncompleteRead, match=r"half\.html ended early"):
        read_html([half], NOW)
    with pytest.raises(IncompleteRead, match=r"empty\.html is empty"):
        read_html([empty], NOW)
    with pytest.raises(InputError, match=r"gone\.html cannot be read: No such file"):
        read_html([tmp_path / "gone.html"], NOW)
    with pytest.raises(NotAForum, match=r"garden\.html is no thread of a forum"):
        read_html([FIXTURES / "forums" / "none" / "garden.html"], NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Not Found",
        "<html><head><title>Harbour</title></head><body><p>The page could not be found.</p></body></html>",
        "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>",
    ],
)
def test_an_error_page_of_no_known_software_says_that_nothing_is_there(tmp_path: Path, text: str) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    with pytest.raises(TopicMissing, match="says that nothing is there"):
        read_html([tmp_path / "page.html"], NOW)


def test_posts_of_several_threads_stay_as_the_page_has_them(tmp_path: Path) -> None:
    posts = [
        {"id": place, "post_number": number, "topic_id": topic, "username": "Ada", "cooked": "<p>Hi</p>"}
        for place, (number, topic) in enumerate([(9, 1), (2, 2), (8, 1)])
    ]
    (tmp_path / "posts.json").write_text(json.dumps({"latest_posts": posts}), encoding="utf-8")
    assert [post.number for post in read_html([tmp_path / "posts.json"], NOW).posts] == [9, 2, 8]


def test_a_page_in_latin_1_is_read(tmp_path: Path) -> None:
    text = page([(1, "Zoë", "Grüße")], 0).decode().replace("<head>", '<head><meta charset="iso-8859-1">')
    (tmp_path / "old.html").write_bytes(text.encode("cp1252"))
    (post,) = read_html([tmp_path / "old.html"], NOW).posts
    assert (post.author, post.body) == ("Zoë", "Grüße")


STAMP = "Sun Aug 06, 2017 11:18 am"
LINES: list[dict[str, object]] = [
    {
        "number": 0,
        "id": "7",
        "user": "Ada",
        "user_id": "3",
        "content": "<b>Hi</b>",
        "time": "Sun Aug 06, 2017 11:18 am",
    },
    {"number": 1, "id": 8, "user": "Elm", "content": "", "time": None},
]


def written(path: Path, lines: list[dict[str, object]]) -> Path:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("name", ["posts.jsonl", "posts.jsonl.gz"])
def test_posts_come_as_lines_too(tmp_path: Path, name: str) -> None:
    found = read_jsonl(written(tmp_path / name, LINES), NOW)
    first, second = found.posts
    assert (found.platform, found.title, found.complete) == ("jsonl", "posts", True)
    assert (first.id, first.number, first.author, first.author_id) == ("7", 0, "Ada", "3")
    assert (first.time, first.approximate) == (datetime(2017, 8, 6, 11, 18, tzinfo=UTC), True)
    assert (second.id, second.author_id, second.time) == ("8", None, None)


def test_a_gap_between_lines_is_named(tmp_path: Path) -> None:
    gap = [LINES[0], {**LINES[1], "number": 3}]
    found = read_jsonl(written(tmp_path / "a.jsonl", gap), NOW)
    assert (found.missing, found.whole_to) == (("Posts between #0 and #3 are missing.",), 0)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", IncompleteRead, "holds no posts"),
        ('{"number": 0, "id": "7"', IncompleteRead, "line 1: not JSON"),
        ("[1]", IncompleteRead, "line 1: expected an object"),
        ('{"number": 0, "id": "7", "content": ""}', IncompleteRead, "a post needs user"),
        ('{"number": "x", "id": "7", "user": "A", "content": ""}', IncompleteRead, "a post needs a number"),
    ],
)
def test_a_line_that_is_no_post_is_named(
    tmp_path: Path, text: str, error: type[Exception], says: str
) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(error, match=says):
        read_jsonl(tmp_path / "a.jsonl", NOW)


def test_a_compressed_file_that_ends_early_or_is_none_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl.gz", LINES)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(IncompleteRead, match="ended early"):
        read_jsonl(path, NOW)
    path.write_bytes(b"plain")
    with pytest.raises(InputError, match="cannot be read"):
        read_jsonl(path, NOW)
