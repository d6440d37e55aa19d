"""Text without markup: twenty samples in seven shapes, and the print views of boards as text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command_line import run
from knightfall.errors import AnotherView
from knightfall.forums import forum_of, html_style_of
from knightfall.forums.base import Chunk, Response, Site
from knightfall.forums.pages import read_chunk
from knightfall.forums.text import TEXT
from knightfall.markup.html import plain_text

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"

SAMPLES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "print view": (
        "Plum Bay Mafia\n\nTitle: Plum Bay Mafia\nPost by: Orla on March 06, 2026, 06:10:11 PM\n"
        "Welcome.\nDay 1!\n"
        "Title: Re: Plum Bay Mafia\nPost by: Zed on March 06, 2026, 06:20:00 PM\nVote: Ines\n",
        [("Orla", "Welcome.\nDay 1!"), ("Zed", "Vote: Ines")],
    ),
    "print view with a quote": (
        "Title: Plum\nPost by: Orla on March 06, 2026, 06:10:11 PM\nhi\nTitle: Re: Plum\n"
        "Post by: Zed on March 06, 2026, 06:21:00 PM\nQuote from: Ines on March 06, 2026, 06:11:00 PM\n"
        "Vote: Zed\n\nno.\n",
        [("Orla", "hi"), ("Zed", "> Vote: Zed\nno.")],
    ),
    "print view with a foot": (
        "Title: Plum\nPost by: Orla on Today at 06:10:11 PM\nhi\nTitle: Re: Plum\n"
        "Post by: Zed on Today at 06:12:11 PM\n"
        "bye\nNavigation\n[0] Message Index\n",
        [("Orla", "hi"), ("Zed", "bye")],
    ),
    "posted by": (
        "Plum Bay\nPosted: Fri Mar 06, 2026 6:10 pm\nby Orla\nDay 1 begins\n\nRe: x\n"
        "Posted: Fri Mar 06, 2026 7:00 pm\nby Zed\n"
        "vote Ines\n",
        [("Orla", "Day 1 begins"), ("Zed", "vote Ines")],
    ),
    "posted with a colon left out": (
        "Plum\nPosted Fri Mar 06, 2026 6:10 pm\nby Mr Orla\none\nRe: Plum\n"
        "Posted Fri Mar 06, 2026 6:11 pm\nby Zed\ntwo",
        [("Mr Orla", "one"), ("Zed", "two")],
    ),
    "author and date": (
        "Plum Bay Mafia - Printable Version\n\nOrla - 03-06-2026, 06:10 PM\nDay 1\n\n"
        "Zed - 03-06-2026, 06:13 PM\n> vote Orla\nvote Ines",
        [("Orla", "Day 1"), ("Zed", "> vote Orla\nvote Ines")],
    ),
    "author and the day alone": (
        "Orla - 2026-03-06\nDay 1\nZed - 2026-03-06\nvote Ines",
        [("Orla", "Day 1"), ("Zed", "vote Ines")],
    ),
    "copied from a chat": (
        "Orla — 03/06/2026 6:10 PM\nDay 1\nZed — 03/06/2026 6:13 PM\nvote Ines\n!unvote",
        [("Orla", "Day 1"), ("Zed", "vote Ines\n!unvote")],
    ),
    "copied from a chat today": (
        "Orla — Today at 6:10 PM\nDay 1\nMr. Zed — Today at 6:13 PM\nvote Ines",
        [("Orla", "Day 1"), ("Mr. Zed", "vote Ines")],
    ),
    "chat": (
        "[12:03] Orla: Day 1 begins\n[12:04] Zed: vote Ines\n[12:05] Ines: unvote: no",
        [("Orla", "Day 1 begins"), ("Zed", "vote Ines"), ("Ines", "unvote: no")],
    ),
    "chat with seconds and two lines": (
        "12:03:10 Orla: Day 1\nsecond line\n12:04:59 Zed: ok",
        [("Orla", "Day 1\nsecond line"), ("Zed", "ok")],
    ),
    "chat of a phone": (
        "06/03/2026, 18:10 - Orla: Day 1\n06/03/2026, 18:12 - Aunt Zed: vote: Ines",
        [("Orla", "Day 1"), ("Aunt Zed", "vote: Ines")],
    ),
    "chat of another phone": (
        "[06.03.26, 18:10:01] Orla: Day 1\n[06.03.26, 18:12:44] Zed: vote Ines",
        [("Orla", "Day 1"), ("Zed", "vote Ines")],
    ),
    "irc": (
        "[12:03] <@Orla> Day 1\n[12:03] * Ines has joined\n[12:04] <Zed> vote Ines",
        [("Orla", "Day 1\n[12:03] * Ines has joined"), ("Zed", "vote Ines")],
    ),
    "irc with days": (
        "2026-03-06 12:03:11 <Orla> Day 1\n2026-03-06 12:04:00 <Zed> ##vote Ines",
        [("Orla", "Day 1"), ("Zed", "##vote Ines")],
    ),
    "an exporter's text": (
        "==============================\nGuild: Plum Bay\nChannel: Games / plum\n"
        "==============================\n\n"
        "[03/06/2026 18:10] orla_hosts\nDay 1\n\n\n[03/06/2026 18:12] zed.z (pinned)\nvote Ines\n\n"
        "==============================\nExported 2 message(s)\n==============================",
        [
            ("orla_hosts", "Day 1"),
            ("zed.z", "vote Ines"),
        ],
    ),
    "an exporter's text with words for months": (
        "[06-Mar-26 06:10 PM] orla#1\nDay 1\n[06-Mar-26 06:12 PM] zed#2\nvote Ines",
        [("orla#1", "Day 1"), ("zed#2", "vote Ines")],
    ),
    "digest of mails": (
        "From: Orla <orla@mail.example>\nDate: Fri, 6 Mar 2026 18:10:11 +0000\nSubject: [plum] Day 1\n\n"
        "Day 1 begins\n-- \nOrla\n\n"
        "------------------------------\n\nFrom: Zed <zed@mail.example>\n"
        "Date: Fri, 6 Mar 2026 18:12:00 +0000\n"
        "Subject: Re: [plum] Day 1\n\nOrla wrote:\n> vote Orla\nvote Ines",
        [("Orla", "Day 1 begins"), ("Zed", "> vote Orla\nvote Ines")],
    ),
    "mails with heads between": (
        'From: "Orla Q" <o@mail.example>\nTo: plum@mail.example\nSent: 6 March 2026 18:10\n'
        "Subject: Day 1\n\nDay 1\n\n"
        "From: z@mail.example (Zed)\nDate: 6 March 2026 18:12\n\nvote Ines",
        [("Orla Q", "Day 1"), ("Zed", "vote Ines")],
    ),
    "a chat within a print view": (
        "Title: Plum\nPost by: Orla on March 06, 2026, 06:10:11 PM\nlog of the night:\n\n\n\n"
        "[12:03] Ines: a\n[12:04] Zed: b\n"
        "Title: Re: Plum\nPost by: Zed on March 06, 2026, 06:12:11 PM\nI see\n",
        [("Orla", "log of the night:\n\n\n\n[12:03] Ines: a\n[12:04] Zed: b"), ("Zed", "I see")],
    ),
}


def read(text: str) -> Chunk:
    forum, chunk = read_chunk(Response("", 200, text), "the text", NOW)
    assert forum.name == "text"
    return chunk


def told(chunk: Chunk) -> list[tuple[str, str]]:
    return [(post.author, plain_text(post.body, html_style_of("text"))) for post in chunk.posts]


def squeezed(said: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    return [(who, [line for line in text.split("\n") if line.strip()]) for who, text in said]


def test_there_are_twenty_samples() -> None:
    assert len(SAMPLES) == 20


@pytest.mark.parametrize("name", SAMPLES)
def test_the_posts_of_a_text_are_told_by_their_heads(name: str) -> None:
    text, posts = SAMPLES[name]
    assert squeezed(told(read(text))) == squeezed(posts)


def test_times_are_read_where_the_heads_tell_the_day() -> None:
    posts = read(SAMPLES["print view"][0]).posts
    assert posts[1].time == datetime(2026, 3, 6, 18, 20, tzinfo=UTC)
    assert posts[1].approximate
    assert read(SAMPLES["chat"][0]).posts[0].time is None


TWO_WAYS = "12:03 Orla: hi\nOrla - 2026-03-06\nDay 1\n12:05 Zed: vote Ines\nZed - 2026-03-06\nvote Orla"


def test_a_text_that_can_be_read_in_two_ways_is_asked_about() -> None:
    with pytest.raises(AnotherView, match="can be read in 2 ways") as caught:
        read(TWO_WAYS)
    assert "“read as: dated” for 2 posts, the first by Orla" in str(caught.value)
    assert "“read as: chat” for 2 posts" in str(caught.value)


@pytest.mark.parametrize(("shape", "last"), [("chat", "vote Ines"), ("Dated", "vote Orla")])
def test_a_first_line_says_how_a_text_is_read(shape: str, last: str) -> None:
    assert told(read(f"read as: {shape}\n{TWO_WAYS}"))[-1][1].split("\n")[0] == last


def test_a_first_line_that_names_no_shape_of_the_text_is_told() -> None:
    with pytest.raises(AnotherView, match="It may name: print, posted, mail, dated, chat, irc, log"):
        read(f"read as: mail\n{TWO_WAYS}")


@pytest.mark.parametrize(
    "text",
    [
        "Ada wrote: vote Boro",
        "Meeting notes\n12:03 lunch\n12:10 Boro: late",
        "<html><body>[12:03] Orla: x<br>[12:04] Zed: y</body></html>",
        "Shopping: eggs\nFrom: the market\nDate: tomorrow",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    forum = forum_of(Response("", 200, text))
    assert forum is None or forum.name != "text"


@pytest.mark.parametrize("page", ["smf/print-page", "phpbb/print-view", "mybb/print-view"])
def test_a_print_view_as_text_has_the_posts_of_the_page(page: str) -> None:
    html = (FIXTURES / f"{page}.html").read_text(encoding="utf-8")
    expected = json.loads((FIXTURES / f"{page}.expected.json").read_text(encoding="utf-8"))
    text = plain_text(html.partition("<body")[2].partition(">")[2], html_style_of("text"))
    found, posts = read(text), expected["posts"]
    assert [post.author for post in found.posts] == [post["author"] for post in posts]
    for post, served in zip(found.posts, posts, strict=True):
        shown = plain_text(served["body"], html_style_of(page.partition("/")[0]))
        assert words_of(plain_text(post.body, html_style_of("text"))) == words_of(shown)


def words_of(text: str) -> list[str]:
    """The words of a post, whoever is quoted left out: text does not tell where their words end."""
    return text.replace(">", " ").split()


def test_votes_of_a_pasted_chat_are_counted(tmp_path: Path) -> None:
    lines = ["[12:00] Orla: Players: Zed, Ines, Pim, Wes. A majority eliminates. Day 1 begins"]
    lines += [
        "[12:01] Zed: vote Ines",
        "[12:02] Pim: I agree",
        "[12:03] Pim: !vote ines",
        "[12:04] Wes: hm",
        "[12:05] Ines: no",
    ]
    file = tmp_path / "log.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert "Ines (2): Zed (2), Pim (4)" in run("vc", str(file), "--as", "plain").stdout


def first_time(text: str, now: datetime) -> datetime | None:
    return TEXT.read(Response("", 200, text), Site(), now).posts[0].time


TWO_DATES = "Ada - {}\nhello\n\nBram - {}\nvote Ada\n"


@pytest.mark.parametrize(
    ("first", "second", "day"),
    [
        # Only in one order does a later post have a later date.
        ("11/03/2026 10:00", "02/04/2026 10:00", (3, 11)),
        ("03/11/2026 10:00", "04/02/2026 10:00", (3, 11)),
        # No post is of the time to come.
        ("05/11/2026 10:00", "06/11/2026 10:00", (5, 11)),
        # It makes no difference.
        ("04/04/2026 10:00", "04/04/2026 11:00", (4, 4)),
    ],
)
def test_the_order_of_day_and_month_is_told_by_the_posts(
    first: str, second: str, day: tuple[int, int]
) -> None:
    text = TWO_DATES.format(first, second)
    time = first_time(text, datetime(2026, 8, 1, tzinfo=UTC))
    assert time is not None and (time.month, time.day) == day


def test_dates_that_can_be_read_in_two_orders_are_asked_about() -> None:
    text, now = TWO_DATES.format("12/03/2026 10:00", "12/03/2026 11:00"), datetime(2027, 1, 1, tzinfo=UTC)
    with pytest.raises(
        AnotherView, match=r"dates such as 12/03/2026.*“dates: day first”, “dates: month first”"
    ):
        first_time(text, now)
    for line, month in (("dates: day first", 3), ("Dates: Month first", 12)):
        for above in (f"{line}\n", f"{line}\nread as: dated\n", f"read as: dated\n{line}\n"):
            time = first_time(above + text, now)
            assert time is not None and time.month == month
