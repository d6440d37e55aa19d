"""Whatever a post repeats or nests, reading it takes as long as it is long: nobody can stall a count.

Each token and tag is repeated to fill a post, alone and behind and before a few words, at a size and at four
times that size.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import process_time

import pytest

from knightfall.forums import forum_of, html_style_of
from knightfall.forums.base import Response
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects import dialect
from knightfall.markup.html import parse_html, plain_text
from knightfall.models import Post, PostId, roster_of
from knightfall.names import Names
from knightfall.reading.clauses import clauses_of
from knightfall.reading.house_rules import rules_of
from knightfall.reading.rows import living_listed
from knightfall.reading.statements import statements
from knightfall.votes.ballots import platform_forms
from knightfall.votes.near_misses import read_votes_and_misses
from knightfall.votes.player_list import listed_players
from knightfall.votes.posted_votecounts import posted_votecount
from knightfall.votes.signups import signup_lines
from knightfall.votes.vote_parser import EVERY_FORM, PostReader, body_reader, read_body, read_both
from knightfall.writeups.leak_check import Secret, leaks
from long_runs import first

SIZE = 2_000
TIMES = 4
LINEAR = 6.0
"""Four times the size takes less than so many times as long: what is quadratic takes 16 times."""
QUICK = 0.008
"""Seconds of the processor at the larger size that need no comparison."""

STYLE = html_style_of("phpbb")
FORMS = platform_forms("phpbb")
CAST_NAMES = ("Alder", "Bryony", "Clover", "Dill", "Elder")
CAST = roster_of(CAST_NAMES)

WORDS = (
    *(
        "vote Clover ",
        "vote: Clover ",
        "vote",
        "vot",
        "v: ",
        "unvote ",
        "unvote vote Clover ",
        "un vote ",
        "des",
    ),
    *(
        "##vote Clover ",
        "##",
        "# ",
        "!vote Clover ",
        "!for ",
        "@x for ",
        "@x ",
        "@",
        "no lynch ",
        "vote count ",
    ),
    *(
        "vote - ",
        "I vote ",
        "not vote ",
        "n't vote ",
        "hereby vote ",
        "hammer ",
        "and ",
        "Ada or ",
        "Ada/",
        "/",
    ),
    *("[vote]", "[vote]a[/vote]", "[vote=", "[v", "[v=a][/v]", "[unvote]", "[quote]", "[quote=a", "[/quote]"),
    *(
        "[\\vote]",
        "[b/]",
        "[",
        "[[",
        "]",
        "(",
        "((",
        ")",
        "{",
        "<",
        "<b",
        "<b ",
        "<b x=y ",
        "</",
        "<!--",
        "&amp;",
        "&",
    ),
    *(
        " ",
        "\t",
        "\n",
        "&nbsp;",
        "\u3000",
        "\ufdfa",
        "e\u0301",
        "\u200b",
        "\ue100",
        "\x00",
        "ä",
        "a",
        "A ",
        "1 ",
        "1",
    ),
    *(
        ".",
        ", ",
        ":",
        ";",
        "!",
        "?",
        "-",
        "– ",
        "--",
        " - ",
        "= ",
        "~",
        "|",
        "…",
        "'",
        '"',
        "_",
        "*",
        "> ",
        "#1 ",
    ),
    *(
        "/in ",
        "/in/out",
        "/in if ",
        "in ",
        "maybe ",
        "I'm in, ",
        "bold ",
        "bold>",
        "vote>",
        "signature ",
        "quote",
    ),
    *(
        "Ada (3): ",
        "Ada (1): Boro, ",
        "Ada - ",
        "Ada: Boro, ",
        "3 ",
        "(1) ",
        "not voting ",
        "L-1 ",
        "lynched!",
        "E",
    ),
    *(
        "replaced by ",
        "Ada -> ",
        "formerly ",
        "(was ",
        "1. ",
        "Day 2 ",
        "until ",
        "2 alive ",
        "one two three four ",
    ),
)
TAGS = (
    *(
        "<b>",
        "</b>",
        "<b>x</b>",
        "<b>vote Clover</b> ",
        "<b>vote Clover</b><br>",
        "<b>vote</b> ",
        "<b> ",
        "<b>vote ",
    ),
    *(
        "<br>",
        "<br>vote",
        "<br>vote: Clover",
        "<p>",
        "<p>vote</p>",
        "<div>",
        "<div>vote",
        "<span>",
        "<font>",
        "<hr>",
    ),
    *(
        '<span class="bbvote">Clover</span>',
        '<span class="bbvote">',
        '<span class="bbvote">unvote, vote: a</span> ',
    ),
    *("<blockquote>", "<blockquote>vote</blockquote>", "<blockquote><b>vote Clover</b>", "</blockquote>"),
    *(
        "<blockquote ",
        "<h2>vote Clover</h2>",
        "<h2>",
        "<ul><li>",
        "<li>vote",
        "<ol>",
        "<table><tr><td>",
        "<td>",
    ),
    *(
        "<s>vote Clover</s>",
        "<s>",
        "<s>vote<br>",
        "<code>vote</code>",
        "<pre>vote",
        "<i>vote</i>",
        "<a>",
        "<a href=x>",
    ),
    *(
        '<span style="font-weight:bold">vote Clover</span> ',
        '<div style="display:none">',
        '<div class="spoiler">vote',
    ),
    *(
        '<div class="signature">vote',
        "<fieldset><legend>a</legend>",
        "<details><summary>",
        "<script>",
        "<style>",
    ),
    *(
        "<div><input></div><blockquote>vote</blockquote>",
        "<svg>",
        "<!-- a -->",
        "<img alt=vote src=a/b.gif>",
        "<textarea>",
    ),
)
BBCODE = (
    *(
        "[b]",
        "[/b]",
        "[b]x[/b]",
        "[i][b]",
        "[quote]",
        "[quote=",
        "[code]",
        "[code]x[/code]",
        "[list][*]",
        "[*]",
    ),
    *(
        "[table][tr][td]",
        "[url=",
        "[url]",
        "[size=9]",
        "[spoiler=a]",
        "[area]",
        "[img]",
        "[post=1]",
        "[color=red]",
    ),
    *(
        "[countdown=",
        "[",
        "]",
        "[[",
        "[/",
        "@",
        "@a ",
        "\n",
        " ",
        "*",
        "**",
        "_",
        "`",
        "> ",
        "# ",
        "|",
        "\\",
        "<",
        "&",
    ),
    *(
        "[nobbc]",
        "[/code]",
        "[b][/i]",
        "[h=2]",
        "~~",
        "www.x.y ",
        "http://x.y/",
        ":)",
        "1. ",
        "- ",
        "--",
        "'",
        '"',
    ),
)
PAGE = (
    *(
        '<meta name="',
        "<meta ",
        '<div class="',
        "<div ",
        '<body id="',
        "<body ",
        '<link rel="',
        "<link ",
        "<li ",
    ),
    *(
        "<li postcontainer ",
        "<li class=",
        "<script ",
        "<script>",
        "<script id=x>",
        "<article ",
        "<article js-post ",
    ),
    *(
        '<html id="',
        "<html ",
        "<tr ",
        "<table ",
        '<span class="',
        'component="post" ',
        'class="',
        "id='",
        "ipb.",
        "<",
    ),
    *(
        '{"',
        '"links": {',
        '{"error":404 ',
        '"type" ',
        "proboards.data ",
        "<!-- ",
        "profile.php?",
        "viewtopic.php ",
        " ",
    ),
)

Work = Callable[[str], object]


def post(body: str) -> Post:
    return Post(PostId("1"), 1, "Alder", body)


def written(text: str) -> None:
    """A text in BBCode as it is read, and written in three kinds of dialects."""
    nodes = parse_bbcode(text)
    for name in ("phpbb", "discourse", "ips"):
        dialect(name).write(nodes)


SECRETS = (Secret("mafia goon", "a role"), Secret("vote", "a word"), Secret("Ada", "a name", ("Clover",)))
PM = "You are the goon of this game and you know that Clover is with you tonight and always"


def misses_of_anybody(text: str) -> object:
    """What is read where nothing is remembered of the text."""
    body_reader.cache_clear()
    return read_votes_and_misses([post(text)], PostReader(STYLE, FORMS))


READERS: dict[str, tuple[tuple[str, ...], Work]] = {
    "votes": (WORDS + TAGS, lambda text: read_body(text, STYLE, FORMS)),
    "votes in every form": (WORDS + TAGS, lambda text: read_body(text, STYLE, EVERY_FORM)),
    "near misses": (WORDS + TAGS, lambda text: read_both(text, STYLE, FORMS)),
    "misses of anybody": (
        WORDS + TAGS,
        misses_of_anybody,
    ),
    "sign-ups": (WORDS + TAGS, lambda text: signup_lines([post(text)], STYLE)),
    "posted votecounts": (
        WORDS + TAGS,
        lambda text: posted_votecount(1, "Wren", parse_html(text, STYLE), Names(CAST.slots)),
    ),
    "player lists": (
        WORDS + TAGS,
        lambda text: listed_players(parse_html(text, STYLE), frozenset(CAST_NAMES)),
    ),
    "statements": (WORDS, lambda text: statements(clauses_of([text], Names(CAST.slots)))),
    "rules of a house": (WORDS, lambda text: list(rules_of([text], Names(CAST.slots)))),
    "lists of the living": (
        WORDS,
        lambda text: living_listed(clauses_of(text.split("."), Names(CAST.slots))),
    ),
    "readable text": (WORDS + TAGS, lambda text: plain_text(text, STYLE)),
    "names": (WORDS, lambda text: Names(CAST.slots).match(text, CAST.slots[0])),
    "the leak check": (WORDS, lambda text: leaks(text, SECRETS, (PM, text), ("x",), CAST_NAMES)),
    "rendering": (BBCODE, written),
    "recognition": (PAGE, lambda text: forum_of(Response("", 200, f"<html>{text}"))),
}


def bodies(tokens: tuple[str, ...], marked: bool) -> Iterator[tuple[str, str, str]]:
    """What stands before a token, the token, and what stands behind all of them."""
    for token in tokens:
        yield "", token, ""
        if marked:
            yield ("<b>vote ", token, "</b>") if "<" not in token else ("vote ", token, "vote")
        else:
            yield "a ", token, " a: b, c"


def seconds(work: Work, text: str) -> float:
    begun = process_time()
    work(text)
    return process_time() - begun


def ratio(work: Work, small: str, large: str) -> float:
    """How many times as long the large text takes, at best of some tries; 1 for what is quick anyway."""
    best, least = seconds(work, large), float("inf")
    if best < QUICK:
        return 1.0
    for _ in range(10):
        least = min(least, seconds(work, small))
        if best <= LINEAR * least:
            break
        best = min(best, seconds(work, large))
    return best / least


@pytest.mark.parametrize("name", first(1, READERS))
def test_nothing_that_a_post_repeats_takes_longer_than_it_is_long(name: str) -> None:
    tokens, work = READERS[name]
    work("a first word")  # what is made once
    found: dict[str, float] = {}
    gc.disable()
    try:
        for before, token, behind in bodies(tokens, name.startswith(("votes", "near", "misses"))):
            small, large = (
                f"{before}{token * (size // len(token))}{behind}" for size in (SIZE, SIZE * TIMES)
            )
            if (grown := ratio(work, small, large)) > LINEAR:
                found[f"{before}{token}…{behind}"] = round(grown, 1)
    finally:
        gc.enable()
    assert found == {}
