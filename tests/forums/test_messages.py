"""Pages of private messages, over fixtures/messages.

A page `name.html` or `name.json` stands beside `name.expected.json`: url, zone (where the page tells none and
somebody says it), platform, subject and messages; `checked` says what of the page was checked against the
board's own template and what was written from memory.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fetch.boards import MyBB, Written
from forums.page_forms import copied
from knightfall.errors import IncompleteRead, KnightfallError, LayoutChanged, LoginRequired, NotAForum
from knightfall.fetch.saved import pasted_page
from knightfall.forums import html_style_of
from knightfall.forums.base import Response
from knightfall.forums.messages import MessagePage, message_page
from knightfall.forums.pages import read_chunk
from knightfall.markup.html import plain_text
from knightfall.sentence import ways_of

ROOT = Path(__file__).parents[2] / "fixtures"
MESSAGES, THREADS, WALLS = ROOT / "messages", ROOT / "forums", ROOT / "walls"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SUFFIX = ".expected.json"
EXPECTED = {
    file.name.removesuffix(SUFFIX): json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(MESSAGES.glob(f"*{SUFFIX}"))
}
TOPICS = {"discourse", "discourse-drawn"}
"""Discourse's messages are topics: they are read as threads, too."""


def served(name: str) -> Response:
    [file] = [file for end in (".html", ".json") if (file := MESSAGES / f"{name}{end}").exists()]
    return Response(EXPECTED[name]["url"], 200, file.read_text(encoding="utf-8"))


def pasted(name: str) -> Response:
    page = served(name)
    return Response("", 200, copied(page.text, page.url))


def shown(page: Response, zone: str | None) -> MessagePage:
    found = message_page(page, NOW, zone)
    assert found is not None
    return found


def words_of(body: str, platform: str) -> str:
    """What the sender wrote, without what they quoted."""
    lines = plain_text(body, html_style_of(platform)).splitlines()
    return "\n".join(line for line in lines if not line.startswith(">"))


def test_every_page_says_what_it_was_checked_against() -> None:
    assert {file.stem for file in MESSAGES.glob("*.*") if not file.name.endswith(SUFFIX)} == set(EXPECTED)
    assert all(expected["checked"] for expected in EXPECTED.values())


@pytest.mark.parametrize("name", EXPECTED)
def test_each_message_is_read_as_it_stands_on_the_page(name: str) -> None:
    expected = EXPECTED[name]
    page = shown(served(name), expected.get("zone"))
    assert (page.platform, page.url, page.subject) == (
        expected["platform"],
        expected["url"],
        expected["subject"],
    )
    told = [
        {"sender": one.sender, "sent": one.sent and one.sent.isoformat(), "body": one.body, "ref": one.ref}
        for one in page.messages
    ]
    assert told == expected["messages"]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "discourse"])
def test_a_copied_page_holds_the_same_messages(name: str) -> None:
    zone = EXPECTED[name].get("zone")
    whole, copy = shown(served(name), zone), shown(pasted(name), zone)
    assert (copy.platform, copy.subject) == (whole.platform, whole.subject)
    assert [(one.sender, one.sent, one.ref) for one in copy.messages] == [
        (one.sender, one.sent, one.ref) for one in whole.messages
    ]
    for one, other in zip(copy.messages, whole.messages, strict=True):
        assert words_of(one.body, copy.platform) == words_of(other.body, whole.platform)


@pytest.mark.parametrize("name", EXPECTED)
def test_quoted_messages_are_not_the_senders_words(name: str) -> None:
    for message in shown(served(name), None).messages:
        said = words_of(message.body, EXPECTED[name]["platform"])
        assert said.strip()
        assert "Whom?" not in said
        assert "everyone" not in said, "a signature"


@pytest.mark.few(12)
@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in TOPICS])
@pytest.mark.parametrize("form", [served, pasted])
def test_a_page_of_private_messages_is_no_thread(name: str, form: Any) -> None:
    page = form(name)
    with pytest.raises(NotAForum, match="is a page of private messages, not a thread") as caught:
        read_chunk(page, page.url or "page.html", NOW)
    assert [way.to for way in ways_of(caught.value.message)] == ["submit"]
    with pytest.raises(NotAForum, match="private messages"):
        pasted_page(page.text, NOW)


@pytest.mark.few(64)
@pytest.mark.parametrize(
    "file", sorted((*THREADS.glob("*/*.html"), *THREADS.glob("*/*.json"), *WALLS.glob("*.html")))
)
def test_a_page_of_a_thread_shows_no_private_messages(file: Path) -> None:
    if file.name.endswith((SUFFIX, ".tally.json")):
        return
    text = file.read_text(encoding="utf-8")
    beside = file.with_name(f"{file.stem}{SUFFIX}")
    url = json.loads(beside.read_text(encoding="utf-8"))["url"] if beside.exists() else ""
    assert message_page(Response(url, 200, text), NOW) is None
    if file.suffix == ".html":
        assert message_page(Response("", 200, copied(text, url)), NOW) is None


def test_a_time_needs_a_zone_that_somebody_tells() -> None:
    [unknown] = shown(served("mybb-18"), None).messages
    [told] = shown(served("mybb-18"), "America/New_York").messages
    assert unknown.sent is None
    assert told.sent == datetime(2026, 11, 20, 2, 41, tzinfo=UTC)


def test_a_recipient_who_looks_more_like_a_name_is_not_the_sender() -> None:
    bare = served("phpbb-prosilver-30").text.replace(
        '<a href="./memberlist.php?mode=viewprofile&amp;u=5">', "<b>"
    )
    page = Response("", 200, bare.replace("<dt><b>Møller</a></dt>", "<dt>Møller</dt>"))
    assert [message.sender for message in shown(page, None).messages] == ["Møller"]


def test_a_page_whose_end_did_not_arrive_is_not_read() -> None:
    whole = served("phpbb-prosilver-33")
    cut = whole.text[: whole.text.index("Łukasz")]
    with pytest.raises(IncompleteRead, match="ended early"):
        message_page(Response(whole.url, 200, cut), NOW)


def test_a_message_without_its_sender_is_refused() -> None:
    text = served("smf-21").text.replace("<h4>", "<h4 hidden>").replace(">Ada Vane</a>", "></a>")
    with pytest.raises(LayoutChanged, match="Found 2 private messages but senders of 1"):
        message_page(Response("", 200, text), NOW)


def test_messages_are_not_shown_where_values_are_printed() -> None:
    page = shown(served("phpbb-prosilver-33"), None)
    assert "protect" not in f"{page!r} {page.messages!r}"


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://tide.example/", ""),
        ("https://tide.example/", "protect Moth"),
        ("https://tide.example/a.json", '{"a": 1}'),
        ("https://tide.example/a.xml", "<thread id='1'></thread>"),
    ],
)
def test_what_is_no_page_of_a_board_shows_no_private_messages(url: str, text: str) -> None:
    assert message_page(Response(url, 200, text), NOW) is None


@pytest.mark.parametrize(
    ("url", "platform"),
    [
        ("https://tide.example/ucp.php?i=pm&folder=inbox", "phpbb"),
        ("https://pier.example/private.php", "mybb"),
        ("https://bakery.example/conversations/", "xenforo2"),
        ("https://quay.example/index.php?action=pm", "smf"),
    ],
)
def test_a_list_of_private_messages_is_named(url: str, platform: str) -> None:
    marks = {
        "phpbb": '<body id="phpbb"><h2>User Control Panel</h2>',
        "mybb": "<script>var my_post_key = '0';</script><table class='tborder'></table>",
        "xenforo2": "<div class='structItem--conversation'></div>",
        "smf": "<script>var smf_scripturl = 'x';</script><div id='personal_messages'></div>",
    }
    head = '<html id="XF">' if platform == "xenforo2" else "<html>"
    with pytest.raises(KnightfallError, match="is a list of private messages") as caught:
        read_chunk(Response(url, 200, f"{head}{marks[platform]}</html>"), url, NOW)
    assert isinstance(caught.value, NotAForum)


def test_a_list_of_private_messages_that_asks_for_a_login_says_so() -> None:
    text = (THREADS / "mybb" / "denied.html").read_text(encoding="utf-8")
    with pytest.raises(LoginRequired):
        read_chunk(Response("https://pier.example/private.php", 200, text), "page.html", NOW)


LINK = '<a href="private.php?action=send&amp;pmid=1&amp;do=reply">Answer me</a>'


def test_what_players_write_makes_no_thread_a_page_of_private_messages() -> None:
    """A link that answers a message is no button of the page where it stands in a text or a signature."""
    board = MyBB([Written(101, "Ada", LINK, NOW), Written(102, "Boro", "[vote]Ada[/vote]", NOW)])
    board.root = "https://forum.example/"
    plain = board.rendered(1)
    for text in (plain, plain.replace("<b>Vote: Cobb</b></div>", f"{LINK}</div>")):
        page = Response(board.url, 200, text)
        assert message_page(page, NOW) is None
        assert len(read_chunk(page, board.url, NOW)[1].posts) == 2
    assert text.count(LINK) == 3
