"""Whatever a moderator pastes is read in a time that grows with it, and not with the square of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from growth import LINEAR, growth
from knightfall.config.instants import parse_instant
from knightfall.config.player_list import parse_players
from knightfall.errors import KnightfallError
from knightfall.games.custom_mafia.setup_post import LONGEST_POST, read_setup
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.services.keep.capsule import capsules_in
from knightfall.votes.player_list import listed_players

HEAD = "KNIGHTFALL 1/2 ENTRY 1 SINCE 0 0123456789abcdef0123456789abcdef\n"
READERS: dict[str, Callable[[str], object]] = {
    "list of players": lambda text: parse_players(text, "players.txt"),
    "table of players": lambda text: parse_players(f"name,account\n{text}", "players.csv"),
    "list of sign-ups": lambda text: parse_players(f"Players (3)\n{text}", "players.txt"),
    "setup": lambda text: read_setup(text[:LONGEST_POST]),
    "opening post": lambda text: listed_players(parse_bbcode(text), {"Ada", "Boro", "Cinder"}),
    "hand-over": lambda text: capsules_in([text]),
    "page": lambda text: parse_html(text, HtmlStyle()),
    "post": parse_bbcode,
    "time": lambda text: parse_instant(text, datetime(2026, 11, 18, tzinfo=UTC), None, "at"),
}
KINDS = (
    *("|-\n", "{|\n", "```\n", "1. Ada\n", "[table]", "<table><tr><td>", "Ada, ", "(#1 ", HEAD, "{| |} "),
    *(
        "END KNIGHTFALL 1/2\n",
        "<",
        "[",
        "**",
        "- ",
        "1) ",
        '"',
        "\\\\",
        "@a ",
        "#1 ",
        "Town: ",
        "[td]",
        "[tr][td",
    ),
    *(
        "{|\n|-\n| a || b\n",
        "[quote]",
        "<b>",
        "&amp;",
        "  ",
        "\t",
        "x" * 40 + "\n",
        "| a | b |\n",
        "2x Goon\n",
    ),
    *(
        "Ada the Goon was shot day 1\n",
        "A=B\n",
        "Players (9)\n",
        "\u200b",
        "é",
        "1/",
        "12:00 ",
        "-",
        "=",
        "<!--",
    ),
)
FEW = ("|-\n", "{|\n", "```\n", "1. Ada\n", HEAD, "[table]", "<table><tr><td>")
LONG = tuple(kind for kind in KINDS if kind not in FEW)


def check(reader: str, kind: str) -> None:
    read = READERS[reader]

    def work(size: int) -> None:
        with suppress(KnightfallError):
            read(kind * size)

    assert growth(work, max(2_000 // len(kind), 4)) < LINEAR, (reader, kind)


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", FEW[:5])
@pytest.mark.parametrize("reader", ["list of players", "setup", "hand-over"])
def test_what_a_moderator_pastes_is_read_in_linear_time(reader: str, kind: str) -> None:
    check(reader, kind)


@pytest.mark.long
@pytest.mark.parametrize("kind", [*FEW, *LONG])
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_what_is_pasted_takes_linear_time(reader: str, kind: str) -> None:
    check(reader, kind)
