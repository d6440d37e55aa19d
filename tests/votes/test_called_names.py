"""Who is called by a name in replies: read in one pass, for all names. Every name and post is invented."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Nodes
from knightfall.models import Post, PostId, roster_of
from knightfall.votes import called_names
from knightfall.votes.called_names import PORTION, called_in_replies

PLAYERS = ("Ada", "Boro", "Cinder", "Dusk", "Elm")
CAST = roster_of(PLAYERS)
STYLE = html_style_of("phpbb")


def reply(number: int, author: str, quoted: Sequence[str], text: str) -> Post:
    heads = "".join(f"<blockquote><div><cite>{name} wrote:</cite>hm</div></blockquote>" for name in quoted)
    return Post(PostId(str(number)), number, author, f"{heads}{text} ({number})")


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    called_names._reply_reader.cache_clear()
    yield
    called_names._reply_reader.cache_clear()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bodies that were parsed since."""
    bodies: list[str] = []

    def parse(body: str, style: HtmlStyle) -> Nodes:
        bodies.append(body)
        return parse_html(body, style)

    monkeypatch.setattr(called_names, "parse_html", parse)
    return bodies


def called(names: Sequence[str], posts: Sequence[Post]) -> Mapping[str, str]:
    return called_in_replies(names, CAST, posts, STYLE)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("lampman", "no, Lampman!", True),
        ("The Lamp", "what, the lamp?", True),
        ("The Lamp", "the<br>lamp", False),
        ("lampman", "the lampmans", False),
        ("lampman", "<s>lampman</s>", False),
        ("lampman", "lamp<b>man</b>", True),
        ("lampman", "l&#97;mpman", False),
        ("Zoë", "ah, zoe", True),
        ("la", "la la", False),
        ("___", "___", False),
    ],
)
def test_a_name_is_found_by_its_words_in_one_line_of_the_posts_own(name: str, text: str, found: bool) -> None:
    posts = [reply(number, "Ada", ["Elm"], text) for number in (1, 2)]
    assert called([name], posts) == ({name: "Elm"} if found else {})


def test_a_reply_that_quotes_others_besides_its_author_tells_nothing() -> None:
    posts = [reply(number, "Ada", ["Elm", "Boro"], "lampman") for number in (1, 2)]
    assert called(["lampman"], posts) == {}
    own = [reply(number, "Ada", ["Elm", "Ada", "Wren"], "lampman") for number in (1, 2)]
    assert called(["lampman"], own) == {"lampman": "Elm"}


@pytest.mark.parametrize("seed", range(12))
def test_names_that_are_asked_together_get_the_answers_of_each_alone(seed: int) -> None:
    dice = random.Random(seed)
    names = ("lampman", "the hat", "Sir Oak", "oak")
    biased = {name: dice.choice(PLAYERS) for name in names}
    posts: list[Post] = []
    expected = {name: Counter[str]() for name in names}
    for number in range(1, dice.choice((3, 40, 5 * PORTION))):
        name, author = dice.choice(names), dice.choice(PLAYERS)
        whom = biased[name] if dice.random() < 0.5 else dice.choice(PLAYERS)
        posts.append(reply(number, author, [whom], f"well, {name}"))
        if whom != author:
            for said in {name, "oak"} if name == "Sir Oak" else {name}:
                expected[said][whom] += 1
    due = {
        name: whom
        for name, who in expected.items()
        for whom, times in who.items()
        if times > 1 and times * 2 > who.total()
    }
    assert called(names, posts) == due
    for name in names:
        assert called([name], posts).get(name) == due.get(name)


def test_a_reply_is_parsed_once_for_all_names_and_not_again_for_the_next_count(parsed: list[str]) -> None:
    names = [f"lampman {letter}" for letter in "abcdefgh"]
    posts = [reply(number, "Ada", ["Elm"], names[number % 8]) for number in range(40)]
    first = called(names, posts)
    assert len(first) == 8
    assert len(parsed) == 40
    assert called(names, posts) == first
    assert len(parsed) == 40


def test_no_more_is_read_than_can_change_the_answer(parsed: list[str]) -> None:
    posts = [reply(number, "Ada", ["Elm"], "lampman") for number in range(10 * PORTION)]
    assert called(["lampman"], posts) == {"lampman": "Elm"}
    assert len(parsed) <= 6 * PORTION


def test_a_post_that_quotes_nobody_or_says_no_name_is_not_parsed(parsed: list[str]) -> None:
    posts = [reply(1, "Ada", [], "lampman"), reply(2, "Ada", ["Elm"], "hm")]
    assert called(["lampman"], posts) == {}
    assert not parsed
