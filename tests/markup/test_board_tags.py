"""Does every board read every tag that we write for it, by its own rules?"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from knightfall.markup.dialects import dialect
from knightfall.markup.nodes import Code, Nodes
from markup.board_tags import BOARDS, faults
from markup.dialect_samples import SAMPLE, thorough, wild_trees

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden"

every_board = pytest.mark.parametrize("board", BOARDS)


# ── the tables themselves ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ("phpbb", "[s]Ada[/s]"),
        ("phpbb", "[table][tr][td]Ada[/td][/tr][/table]"),
        ("phpbb", "[size=1.5em]Ada[/size]"),
        ("phpbb", "[list][b]Ada[/b][/list]"),
        ("phpbb", "[b]Ada"),
        ("phpbb", "[b][i]Ada[/b][/i]"),
        ("mybb", "[size=150]big[/size][table][/table]"),
        ("mybb", "[b]Ada [b]Boro[/b][/b]"),
        ("mybb", '[quote="Ada"]no[/quote]'),
        ("smf", "[size=0.75em]small[/size]"),
        ("smf", "[b]\u200b]ob"),
        ("smf", "[td]Ada[/td]"),
        ("smf", "[table][tr]Ada[/tr][/table]"),
        ("smf", "[b][list][li]Ada[/li][/list][/b]"),
        ("smf", "[list]Ada[/list]"),
        ("smf", "Votes:\n[0] none"),
        ("xenforo", "[size=150]big[/size]"),
        ("xenforo", "[quote=Ada, post]no[/quote]"),
        ("vbulletin", "[s]Ada[/s]"),
        ("vbulletin", "[spoiler]Ada[/spoiler]"),
        ("vbulletin", "[url=https://forum.example/[a]]x[/url]"),
        ("mafiascum", "[table][tr][td]Ada[/td][/tr][/table]"),
        ("mafiascum", "[countdown]tomorrow[/countdown]"),
    ],
)
def test_what_a_board_would_show_raw_is_a_fault(board: str, text: str) -> None:
    assert faults(board, text)


@every_board
def test_a_plain_text_is_none(board: str) -> None:
    assert faults(board, "With 13 alive, it takes 7 to eliminate. [1] [ ] 3 < 4") == []


# ── what we write ────────────────────────────────────────────────────────────────────────────────


@every_board
def test_every_node_is_written_in_a_form_that_the_board_reads(board: str) -> None:
    assert faults(board, dialect(board).write(SAMPLE)) == []


@every_board
def test_every_tag_that_a_board_may_have_is_written_in_a_form_of_its_own(board: str) -> None:
    own = tuple(BOARDS[board].own)
    has = (*dialect(board).tags, *own)  # type: ignore[attr-defined]  # all dialects of boards have tags
    assert faults(board, dialect(f"{board}:{','.join(has)}").write(SAMPLE), own) == []


@thorough
@given(nodes=wild_trees)
def test_nothing_that_a_text_holds_is_read_as_a_tag(nodes: Nodes) -> None:
    for board in BOARDS:
        # A block within a line is a fault of whoever made the nodes: the golden posts hold none.
        found = [fault for fault in faults(board, dialect(board).write(nodes)) if "] within [" not in fault]
        assert found == [], board


@pytest.mark.few(3)
@every_board
def test_every_golden_post_is_read_whole(board: str) -> None:
    files = [
        *GOLDEN.glob(f"*/*-{board}.txt"),
        *GOLDEN.glob(f"*/{board}*.txt"),
        *GOLDEN.glob(f"*/*.{board}.txt"),
    ]
    assert len(files) > 15
    found = {file.name: faults(board, file.read_text(encoding="utf-8")) for file in files}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_code_ends_only_where_it_should() -> None:
    for board in BOARDS:
        assert faults(board, dialect(board).write((Code("a[/code]b"),))) == []
