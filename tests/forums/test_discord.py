"""Discord from exports: one invented game in both formats of the exporter, against its truth."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command_line import run
from knightfall.fetch.saved import read_html
from knightfall.forums import html_style_of
from knightfall.forums.base import Chunk, Response
from knightfall.forums.discord import DISCORD
from knightfall.forums.pages import read_chunk
from knightfall.markup.html import plain_text
from knightfall.models import Post, Thread
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import votecount
from lantern_quay import ADDRESS, CHECKPOINTS, KEYS, MESSAGES, TIMES, Checkpoint, as_html, as_json

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
FORMATS = {"json": as_json, "html": as_html}


def read(text: str, address: str = "") -> Chunk:
    return read_chunk(Response(address, 200, text), "the export", NOW)[1]


@pytest.fixture(scope="module", params=FORMATS)
def chunk(request: pytest.FixtureRequest) -> Chunk:
    return read(FORMATS[request.param]())


def test_the_game_has_three_hundred_messages() -> None:
    assert len(MESSAGES) == 300
    assert len(CHECKPOINTS) >= 12


@pytest.mark.few(7)
@pytest.mark.parametrize("check", CHECKPOINTS, ids=lambda one: f"post {one.post}")
def test_every_checkpoint_of_the_game_is_counted_right(chunk: Chunk, check: Checkpoint) -> None:
    thread = Thread("discord", chunk.title, chunk.posts)
    count = votecount(thread, habits_of(thread), CountConfig(), Ask(at_post=check.post), NOW)
    wagons = {
        vote.voter.name: wagon.target.name if wagon.target else "no lynch"
        for wagon in count.tally.wagons
        for vote in wagon.votes
    }
    hammer = count.tally.hammer
    told = (count.day.number, wagons, count.tally.alive, count.tally.needed)
    assert told == (check.day, check.votes, len(check.alive), check.needed)
    assert (hammer.target.name if hammer and hammer.target else None) == check.hammered
    assert not count.tally.questions


def test_posts_have_their_times_to_the_second_in_both_formats(chunk: Chunk) -> None:
    written = [time for time, one in zip(TIMES, MESSAGES, strict=True) if one.kind in ("Default", "Reply")]
    assert [post.time for post in chunk.posts] == [time.replace(microsecond=0) for time in written]
    assert not any(post.approximate for post in chunk.posts)
    assert [post.number for post in chunk.posts] == list(range(1, len(written) + 1))


def test_both_formats_say_the_same_line_by_line() -> None:
    ours, theirs = read(as_json()), read(as_html())
    assert ours.title == theirs.title == "Lantern Quay / Games / lantern-mafia"
    for one, other in zip(ours.posts, theirs.posts, strict=True):
        assert (one.id, one.author, one.author_id, one.time) == (
            other.id,
            other.author,
            other.author_id,
            other.time,
        )
        assert _said(one) == _said(other)


def _said(post: Post) -> list[str]:
    """The words of a post without blank lines, marks of a reply and who reacted, whom HTML does not name."""
    lines = plain_text(post.body, html_style_of("discord")).replace("**", "").split("\n")
    return [re.sub(r" \([^)]*\)", "", line) for line in lines if line.strip()]


def test_replies_edits_files_and_reactions_are_told() -> None:
    posts = {str(post.id): post for post in read(as_json()).posts}
    by_text = {one.text: posts[KEYS[n]] for n, one in enumerate(MESSAGES) if KEYS[n] in posts}
    reply = next(post for post in posts.values() if "lol that vote" in post.body)
    assert plain_text(reply.body, html_style_of("discord")).startswith("> ")
    assert "Attached: chart.png" in by_text["**vote Sable_Fox**"].body
    hammer = next(posts[KEYS[n]] for n, one in enumerate(MESSAGES) if one.edited)
    assert (hammer.edit_note, hammer.edited is None) == ("edited", False)
    reacted = next(posts[KEYS[n]] for n, one in enumerate(MESSAGES) if len(one.reactions) == 2)
    assert "Reactions: 👀 1 (Bento), 🔥 3 (Pip, Kestrel, Dory)" in reacted.body
    assert reply.url == f"{ADDRESS}/{reply.id}"


def test_parts_of_an_export_are_one_thread_in_whatever_order_they_come(tmp_path: Path) -> None:
    names = []
    for n, (start, stop) in enumerate(((200, 300), (0, 120), (110, 200))):
        names.append(tmp_path / f"part {n}.json")
        names[-1].write_text(as_json(start, stop), encoding="utf-8")
    thread = read_html(names, NOW)
    assert thread.complete
    assert thread.url == ADDRESS
    assert thread.posts == read(as_json()).posts


def test_an_older_export_goes_where_a_later_one_has_all_of_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    early = as_json(0, 90, made=TIMES[90]).replace("!vote Roz", "!vote Wim")
    old.write_text(early, encoding="utf-8")
    new.write_text(as_json(), encoding="utf-8")
    thread = read_html([old, new], NOW)
    assert thread.complete
    assert thread.posts == read(as_json()).posts


def test_an_export_with_fewer_messages_than_it_says_is_read_but_not_counted() -> None:
    text = as_json(0, 40).replace('"messageCount": 40', '"messageCount": 41')
    chunk = read(text)
    assert len(chunk.posts) == 38
    assert chunk.missing == (
        "The export says that it holds 41 messages, and 40 are there. Export the channel again.",
    )


def test_two_people_of_one_name_are_told_apart_by_their_accounts() -> None:
    text = as_json(0, 60).replace('"nickname": "Dory"', '"nickname": "pip"')
    assert {post.author for post in read(text).posts} >= {"Pip (pipsqueak)", "pip (dory_watches)"}


@pytest.mark.parametrize(
    "url",
    [
        ADDRESS,
        f"{ADDRESS}/",
        f"{ADDRESS}/1467610472382464000",
        ADDRESS.replace("discord.com", "ptb.discord.com"),
        ADDRESS.replace("discord.com", "discordapp.com"),
    ],
)
def test_links_to_a_channel_are_located(url: str) -> None:
    ref = DISCORD.locate(url)
    assert ref is not None
    assert DISCORD.start(ref).url == ADDRESS


def test_a_link_to_a_thread_in_a_channel_is_that_of_the_thread() -> None:
    ref = DISCORD.locate(f"{ADDRESS}/threads/811200000000000099")
    assert ref is not None
    assert ref.id == f"{ADDRESS.split('/')[-2]}/811200000000000099"


@pytest.mark.parametrize(
    "url", ["https://discord.gg/abc", "https://discord.com/app", "https://a.example/channels/1/2"]
)
def test_other_links_are_not_located(url: str) -> None:
    assert DISCORD.locate(url) is None


def test_an_address_of_discord_says_how_an_export_is_made_and_asks_nobody() -> None:
    result = run("vc", ADDRESS)
    assert result.exit_code != 0
    said = " ".join(str(result.exception or result.output).split())
    assert "export it with DiscordChatExporter" in said
    assert "--from-html" in said


def test_an_export_is_counted_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "Lantern Quay - Games - lantern-mafia [811200000000000077].json"
    file.write_text(as_json(0, 70), encoding="utf-8")
    result = run("vc", str(file))
    assert "**Roz \\(3\\)**: Pip" in result.stdout
    assert "With 9 alive, it takes 5 to eliminate." in result.stdout
