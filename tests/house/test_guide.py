"""Who pastes the blocks of the README and the manual in order sees what they show, and ends a game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from house.guide import Block, Reader, blocks
from house.manual import TEXTS
from markup.board_tags import faults

pytestmark = pytest.mark.long
BLOCKS = tuple(block for page in TEXTS for block in blocks(page))
Pasted = tuple[Reader, dict[Block, tuple[str, list[int]]]]


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pasted]:
    """All blocks in order in one folder: what each said, and how its commands ended."""
    with pytest.MonkeyPatch.context() as patch:
        reader, found = Reader(tmp_path_factory.mktemp("guide"), patch), {}
        for block in BLOCKS:
            found[block] = reader.pastes(block), reader.ended
        yield reader, found


def test_every_command_runs(pasted: Pasted) -> None:
    assert len(BLOCKS) >= 10
    for block in BLOCKS:
        said, ended = pasted[1][block]
        assert set(ended) == block.statuses, f"{block}: {ended}\n{said}"


def test_the_lines_that_are_shown_come(pasted: Pasted) -> None:
    shown = [block for block in BLOCKS if block.shown]
    assert len(shown) >= 3
    for block in shown:
        printed = iter(pasted[1][block][0].splitlines())
        assert [line for line in block.shown if line not in printed] == [], f"{block}: not there, or not then"


def test_what_alder_learned_is_what_the_guide_confirms(pasted: Pasted) -> None:
    said = "\n".join(text for text, _ in pasted[1].values())
    assert "Confirmed: Alder (role PMs), Bryony (role PMs)" in said
    assert "Confirmed: Alder (results of night 1)." in said


def test_the_game_of_the_guide_ends(pasted: Pasted) -> None:
    game = pasted[0].home / "kettle" / "kettle-lane"
    cards = json.loads((game / "private/deal.json").read_text(encoding="utf-8"))["cards"]
    told = (game / "public/endgame.txt").read_text(encoding="utf-8")
    assert "Kettle Lane is over" in told
    rows = [" ".join(line.split()) for line in told.splitlines()]
    assert all(any(row.startswith(f"{name} {card} ") for row in rows) for name, card in cards.items())
    assert (game / "public/archive/index.html").exists()


def test_who_takes_over_has_the_same_posts_and_pms(pasted: Pasted) -> None:
    said = "\n".join(text for text, _ in pasted[1].values())
    assert said.count("Posted: 6 texts, 6 of them the same byte for byte.") == 2
    assert re.search(
        r"Kettle Lane: 31 entries, handed over by .*; there are 31 now. All hashes are valid.", said
    )


def test_blocks_to_paste_hold_no_comments() -> None:
    """Some shells take what stands behind # for words."""
    assert [line for block in BLOCKS for line in block.commands if " #" in f" {line}"] == []


def test_a_block_that_asks_asks_last() -> None:
    """What is pasted behind a question would answer it."""
    asking = [block for block in BLOCKS if any("phase close" in line for line in block.commands)]
    assert asking
    assert all(block.answer and "phase close" in block.commands[-1] for block in asking)


def test_addresses_are_quoted() -> None:
    """Some shells take ? for a wildcard."""
    words = [word for block in BLOCKS for line in block.commands for word in line.split() if "?" in word]
    assert words
    assert [word for word in words if not (word.startswith('"') and word.endswith('"'))] == []


def test_every_text_of_the_guide_is_written_for_the_site_of_its_game(pasted: Pasted) -> None:
    game = pasted[0].home / "kettle" / "kettle-lane"
    texts = {file: file.read_text(encoding="utf-8") for file in game.glob("p*/*.txt")}
    assert len(texts) > 20
    assert {file.name: found for file, text in texts.items() if (found := faults("phpbb", text))} == {}
    posts = {file.name: text for file, text in texts.items() if file.parent.name == "public"}
    assert [name for name, text in posts.items() if "[b]" not in text] == ["commitment.txt"]
