"""Is a long post divided where a reader would divide it, with nothing lost and nothing left open?"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.errors import InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects import DIALECTS, Dialect, dialect, measure
from knightfall.markup.dialects.tree import words
from knightfall.markup.nodes import Area, Bold, Break, Heading, Listing, Nodes, PostLink, Table, Text, VoteTag
from knightfall.markup.nodes import Tag as VoteKind
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.render import render_nodes
from knightfall.writeups.render import written as in_parts
from knightfall.writeups.split import pieces, rebuilt, split
from long_runs import rows
from markup.dialect_samples import SAMPLE, t, trees, wild_trees
from markup.marks import left_open
from writeups.golden_day import golden_day, long_day

MAFIASCUM = dialect("mafiascum")
PLAIN = dialect("plain")
_MARK = re.compile(r"\A\s*\(\d+/\d+\)")


def written(nodes: Nodes, limit: int, one: Dialect = MAFIASCUM) -> list[str]:
    return [one.write(part) for part in split(nodes, one, limit)]


def lines(*texts: str) -> Nodes:
    return tuple(node for text in texts for node in (Text(text), Break()))[:-1]


# ── where it is cut ──────────────────────────────────────────────────────────────────────────────


def test_a_post_that_fits_is_left_alone() -> None:
    assert split(SAMPLE, MAFIASCUM) == (SAMPLE,)
    assert split(SAMPLE, PLAIN, None) == (SAMPLE,)


def test_it_is_cut_between_lines_and_says_which_part_it_is() -> None:
    nodes = lines("Ada votes Boro.", "Boro votes Ada.", "", "Cinder sleeps all day.")
    assert written(nodes, 50) == [
        "[b](1/2)[/b]\nAda votes Boro.\nBoro votes Ada.",
        "[b](2/2)[/b]\nCinder sleeps all day.",
    ]


def test_a_box_is_closed_and_opened_again_with_its_title() -> None:
    nodes: Nodes = (Area(lines("Ada votes Boro.", "Boro votes Ada."), "Votes"),)
    assert written(nodes, 50) == [
        "[area=Votes (1/2)]\nAda votes Boro.\n[/area]",
        "[area=Votes (2/2)]\nBoro votes Ada.\n[/area]",
    ]


def test_a_list_is_cut_between_items_and_a_table_between_rows() -> None:
    items: Nodes = (Listing((t("Ada, who sleeps all day"), t("Boro, who talks all day"))),)
    assert written(items, 60) == [
        "[b](1/2)[/b]\n[list]\n[*]Ada, who sleeps all day\n[/list]",
        "[b](2/2)[/b]\n[list]\n[*]Boro, who talks all day\n[/list]",
    ]
    rows: Nodes = (Table(((t("Name"), t("Votes")), (t("Ada"), t("4")), (t("Boro 2, 3"), ()))),)
    assert written(rows, 32, PLAIN) == ["(1/2)\nName  Votes\nAda   4", "(2/2)\nBoro 2, 3"]


def test_a_line_that_is_too_long_is_cut_behind_a_comma_and_its_marks_are_set_again() -> None:
    nodes: Nodes = (Bold((Text("Ada 31, Boro 32, Cinder 33, Dusk 34"),)),)
    assert written(nodes, 40) == [
        "[b](1/2)[/b]\n[b]Ada 31, Boro 32,[/b]",
        "[b](2/2)[/b]\n[b]Cinder 33, Dusk 34[/b]",
    ]


def test_a_word_that_is_too_long_is_cut_between_letters_as_they_are_seen() -> None:
    family = "👩‍👩‍👧"
    parts = written((Text("ab" + family * 4),), 6 + len(family) * 3, PLAIN)
    assert parts == [f"(1/2)\nab{family * 2}", f"(2/2)\n{family * 2}"]


def test_votes_and_links_stay_whole_where_they_can() -> None:
    nodes: Nodes = (
        Text("see "),
        PostLink(31, t("post 31"), "1270031"),
        Text(" "),
        VoteTag(VoteKind.VOTE, t("a b c")),
    )
    assert written(nodes, 50) == [
        "[b](1/2)[/b]\nsee [post=#1270031]post 31[/post]",
        "[b](2/2)[/b]\n[vote]a b c[/vote]",
    ]


def test_mybb_is_cut_by_bytes() -> None:
    nodes = lines("日本太郎 日本太郎", "日本次郎 日本次郎")
    assert written(nodes, 40, dialect("mybb")) == [
        "[b](1/2)[/b]\n日本太郎 日本太郎",
        "[b](2/2)[/b]\n日本次郎 日本次郎",
    ]
    assert len(written(nodes, 40, dialect("phpbb"))) == 1


def test_more_than_nine_parts_are_numbered_so_that_all_fit() -> None:
    parts = written(lines(*("Ada votes Boro." for _ in range(12))), 30, PLAIN)
    assert parts[0] == "(1/12)\nAda votes Boro."
    assert parts[11] == "(12/12)\nAda votes Boro."


@pytest.mark.parametrize("limit", [1, 5, 12])
def test_a_limit_with_room_for_nothing_is_refused(limit: int) -> None:
    with pytest.raises(InputError, match=f"A limit of {limit} characters is too small"):
        split((Heading(1, t("Day 1")), *lines("Ada votes Boro.")), MAFIASCUM, limit)


def test_a_limit_that_makes_a_hundred_posts_is_refused() -> None:
    with pytest.raises(InputError, match="even in 99 parts"):
        split(lines(*("Ada votes Boro." for _ in range(120))), PLAIN, 25)


def test_a_post_in_parts_takes_the_limit_of_the_dialect() -> None:
    facts = votecount_facts(long_day())
    assert len(in_parts(render_nodes("any/votecount", facts), "xenforo")) == 2
    assert len(in_parts(render_nodes("any/votecount", facts), "mafiascum")) == 1
    assert len(in_parts(render_nodes("any/votecount", facts), "mafiascum", 5000)) > 1


# ── nothing lost, nothing left open ──────────────────────────────────────────────────────────────


def seen(text: str) -> str:
    """What a reader sees, without spaces and what is not seen at all."""
    return re.sub(r"[\s\u200b]+", "", text)


def seen_in_parts(parts: list[str]) -> str:
    return "".join(seen(_MARK.sub("", words(parse_bbcode(part)))) for part in parts)


@given(nodes=trees, limit=st.integers(60, 400))
def test_each_part_reads_back_and_together_they_say_the_whole_once(nodes: Nodes, limit: int) -> None:
    try:
        parts = written(nodes, limit)
    except InputError:
        return
    whole = MAFIASCUM.write(nodes)
    assert all(len(part) <= limit for part in parts)
    if len(whole) <= limit:
        assert parts == [whole]
    else:
        assert seen_in_parts(parts) == seen(words(parse_bbcode(whole)))


@given(names=st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=30), limit=st.integers(80, 300))
def test_no_part_leaves_a_tag_open_whatever_the_names_are(names: list[str], limit: int) -> None:
    items = tuple((Bold(t(name)), Text(" votes "), PostLink(n, t(name))) for n, name in enumerate(names))
    nodes: Nodes = (Area((Listing(items), *lines(*names)), names[0]),)
    for part in written(nodes, limit):
        assert left_open(part) == []
        assert len(part) <= limit


@given(nodes=wild_trees, limit=st.integers(40, 400))
def test_every_part_fits_in_every_dialect(nodes: Nodes, limit: int) -> None:
    for one in DIALECTS:
        with suppress(InputError):
            assert all(measure(part, one) <= limit for part in written(nodes, limit, one)), one.name


THEMES = ("", "-compact", "-history", "-table", "-ticks")
PAIRS = sorted(
    ((number + place) % 3 > 0, place, number)
    for place in range(len(THEMES))
    for number in range(len(DIALECTS))
)
"""First every third, with each theme in several dialects and each dialect in a theme or two."""
FEW = sum(not later for later, _, _ in PAIRS)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("theme", "one"),
    rows(FEW, [(THEMES[place], DIALECTS[number]) for _, place, number in PAIRS]),
    ids=lambda given: given if isinstance(given, str) else given.name,
)
def test_the_votecount_fits_in_every_dialect_and_theme(one: Dialect, theme: str) -> None:
    for limit, nodes in votecounts(theme):
        assert all(measure(part, one) <= limit for part in written(nodes, limit, one))


@cache
def votecounts(theme: str) -> tuple[tuple[int, Nodes], ...]:
    """A short one and a long one for each of two limits."""
    days = ((600, golden_day()), (600, long_day(30)), (3000, golden_day()), (3000, long_day(80)))
    name = f"any/votecount{theme}"
    return tuple((limit, render_nodes(name, votecount_facts(day))) for limit, day in days)


@given(nodes=trees)
def test_all_pieces_together_write_the_whole_post(nodes: Nodes) -> None:
    again = rebuilt(nodes, pieces(nodes))
    assert seen(words(again)) == seen(words(nodes))


def test_the_pieces_of_a_votecount_are_the_votecount() -> None:
    for theme in ("", "-compact", "-history", "-table", "-ticks"):
        nodes = render_nodes(f"any/votecount{theme}", votecount_facts(golden_day()))
        assert rebuilt(nodes, pieces(nodes)) == nodes
