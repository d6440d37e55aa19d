"""The tags that a board has: by the game file, by its site, else by what is usual for its software."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.config.game_file import parse_setup
from knightfall.config.setup import Setup
from knightfall.errors import InputError, SetupError
from knightfall.forums.base import Site
from knightfall.services.threads import PLAIN, dialect_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]
NO_SITE = Site()


def setup(more: str) -> Setup:
    return parse_setup(f"schema = 1\n[game]\n{more}\n", "game.toml")


def test_the_game_file_goes_before_the_site_and_the_site_before_the_software() -> None:
    site = Site(tags=("table",))
    said = setup('site = "phpbb"\ntags = ["strike", "spoiler"]')
    assert dialect_of(None, said, site, PLAIN) == "phpbb:spoiler,strike"
    assert dialect_of(None, setup('site = "phpbb"'), site, PLAIN) == "phpbb:table"
    assert dialect_of(None, setup('site = "phpbb"'), NO_SITE, PLAIN) == "phpbb"
    assert dialect_of(None, setup("tags = []"), NO_SITE, "xenforo2") == "xenforo:"
    assert dialect_of(None, None, NO_SITE, "xenforo1") == "xenforo:spoiler,strike"
    assert dialect_of("smf", said, site, PLAIN) == "smf"


def test_a_tag_that_the_dialect_cannot_write_is_told_by_where_it_stands() -> None:
    with pytest.raises(InputError, match=r"game\.toml: game\.tags: the dialect reddit knows no tag area"):
        dialect_of(None, setup('site = "reddit"\ntags = ["area"]'), NO_SITE, PLAIN)
    with pytest.raises(SetupError, match=r"tags.*one of area, spoiler, table"):
        setup('tags = ["spoilers"]')


def test_what_a_host_has_is_no_fault_of_another_dialect() -> None:
    assert dialect_of(None, setup('site = "reddit"'), Site(tags=("area",)), PLAIN) == "reddit"
    assert dialect_of(None, setup('site = "plain"\ntags = ["table"]'), NO_SITE, PLAIN) == "plain"


def test_the_votecount_is_written_with_the_tags_of_the_board(tmp_path: Path) -> None:
    head = 'schema = 1\n[game]\nsite = "phpbb"\ntheme = "table"\n'
    counted = ["vc", "--from-html", *DEMO, "--game", str(tmp_path)]
    (tmp_path / "game.toml").write_text(head, encoding="utf-8")
    assert "[b]Kestrel[/b] – Votes: 5" in CliRunner().invoke(app, counted).stdout
    (tmp_path / "game.toml").write_text(f'{head}tags = ["table"]\n', encoding="utf-8")
    assert "[table]\n[tr][td][b]Player[/b][/td]" in CliRunner().invoke(app, counted).stdout
