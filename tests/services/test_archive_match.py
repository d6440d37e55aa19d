"""The match of a board game, step by step, in the archive: every turn has an address, and nobody reads more
there than they may."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import pytest
from lxml import html

from knightfall.engine.game import Game
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES, loaded
from knightfall.games.knight_fight.record import positions, record_of
from knightfall.games.knight_fight.state import Played
from knightfall.services.keep.archive import write_archive
from knightfall.services.keep.match import way_of
from knightfall.services.now import now_of
from knightfall.services.session import Session
from long_runs import first
from services.game_stages import CROWD, PLAYERS, SEED, Pages, folder_of, session_of_test

KEPT = TemporaryDirectory(prefix="match-")
KILOBYTES = 12 * 1024
"""A step of a match weighs no more."""


def match(name: str, whole: bool = True, **options: str) -> Session:
    """A random match to its end, or to its middle."""
    game = loaded(name)
    names = CROWD[: PLAYERS[name]]
    journal = play(game, names, options, SeededRng(b"chance"), SeededRng(SEED)).journal
    head = (
        f'schema = 1\n[game]\nkind = "{name}"\ntitle = "Copper Fair"\nmoderators = ["Wren"]\n[game.options]\n'
    )
    file = head + "".join(f'{key} = "{value}"\n' for key, value in options.items())
    folder = folder_of(Path(mkdtemp(dir=KEPT.name)) / "game", file, name, names, SEED, options)
    return session_of_test(folder, Pages(journal if whole else journal[: len(journal) // 2]))


@cache
def written(name: str, letters: str = "", *, public: bool = True, whole: bool = True) -> Path:
    options = {"anomalies": letters} if letters else {}
    return write_archive(match(name, whole, **options), public).folder


def pages(folder: Path) -> list[Any]:
    """The pages to step through, in order."""
    files = sorted(folder.glob("match*.html"), key=lambda file: (len(file.name), file.name))
    return [html.document_fromstring(file.read_text("utf-8")) for file in files]


def steps(page: Any) -> list[Any]:
    found: list[Any] = page.xpath("//section[@class='step']")
    return found


def links(step: Any) -> dict[str, str]:
    return {one.text_content(): one.get("href") for one in step.xpath("./nav//a")}


BOARDS = ("kings_court", "knights_duty", "knight_fight")


@pytest.mark.parametrize("name", first(1, BOARDS))
def test_from_the_first_step_next_leads_through_every_one_to_the_last(name: str) -> None:
    for page in pages(written(name)):
        names = [step.get("id") for step in steps(page)]
        assert len(set(names)) == len(names) > 3
        for place, step in enumerate(steps(page)):
            found = links(step)
            if place + 1 < len(names):
                assert found["Next"] == f"#{names[place + 1]}"
                assert found["Last"] == f"#{names[-1]}"
            if place:
                assert (found["Back"], found["First"]) == (f"#{names[place - 1]}", f"#{names[0]}")
        assert "Next" not in links(steps(page)[-1])
        assert "Back" not in links(steps(page)[0])


def test_a_move_has_an_address_that_says_its_number_and_a_bout_a_page() -> None:
    first, second = pages(written("knight_fight"))
    assert [step.get("id") for step in steps(first)][:3] == ["the-start", "move-1", "move-2"]
    assert links(steps(first)[-1])["Next: Bout 2"] == "match-2.html"
    assert "Bout 2, step by step" in second.findtext(".//h1")


@pytest.mark.long
def test_a_round_of_a_turn_has_an_address_and_a_round_of_votes_too() -> None:
    [duty], [court] = pages(written("knights_duty")), pages(written("kings_court"))
    assert [one.get("id") for one in steps(duty)][:4] == [
        "the-start",
        "turn-1-round-1",
        "turn-1-round-2",
        "turn-1-round-3",
    ]
    assert [one.get("id") for one in steps(court)][:2] == ["round-1", "round-2"]


@pytest.mark.long
@pytest.mark.parametrize("letters", first(1, ["t", "none", "bn", "abchst", "abchsnt"]))
def test_there_is_a_step_for_every_turn_with_its_board(letters: str) -> None:
    session = match("knight_fight", anomalies=letters)
    state = now_of(session).running.state
    found = pages(write_archive(session, public=True).folder)
    for page, done in zip(found, state.done, strict=True):
        boards = [one.xpath("string(.//pre)") for one in steps(page)]
        placed = list(positions(record_of(done.first, done.bout)))
        assert len(boards) <= len(placed)
        assert re.sub(r"[^XOxo#]", "", boards[-1].partition("\n")[2]).upper().count("X") == (
            done.bout.knights[0].bit_count()
        )
        told = page.xpath("string(//div[@class='steps'])")
        for entry in done.bout.record:
            if isinstance(entry, Played):
                assert entry.side.name in told
        assert str(done.bout.moves) in boards[-1] or str(done.bout.moves) in told


@pytest.mark.parametrize("name", BOARDS)
def test_the_last_step_stands_where_the_game_stands(name: str) -> None:
    session = match(name)
    table = now_of(session).running
    assert way_of(table)[-1].state == table.state


@pytest.mark.long
def test_who_plays_snapshot_is_not_told_the_board_before_the_end() -> None:
    assert pages(written("knight_fight", "bn", whole=False)) == []
    [page] = pages(written("knight_fight", "bn", public=False, whole=False))
    assert len(steps(page)) > 10
    assert pages(written("knight_fight", "bn"))


def test_who_voted_for_whom_is_told_to_the_moderator_alone() -> None:
    [public], [private] = pages(written("kings_court")), pages(written("kings_court", public=False))
    assert "who voted for whom" not in public.text_content()
    assert "who voted for whom" in private.text_content()
    assert "Next deadline" not in private.text_content()


@pytest.mark.parametrize("name", first(1, BOARDS))
def test_a_step_weighs_little_and_loads_nothing(name: str) -> None:
    folder = written(name)
    for file in folder.glob("match*.html"):
        page: Any = html.document_fromstring(file.read_text("utf-8"))
        assert file.stat().st_size < KILOBYTES * len(steps(page))
        assert page.xpath("//script | //img | //iframe | //@style") == []
        shared = {f"#{one}" for one in page.xpath("//defs/g/@id")}
        assert set(page.xpath("//use/@href")) <= shared


@pytest.mark.parametrize(
    "game", [game for game in GAMES if game.spec.id not in BOARDS], ids=lambda one: one.spec.id
)
def test_a_game_without_a_board_has_no_such_page(game: Game[Any]) -> None:
    from services.game_stages import random_game

    folder, kept = random_game(Path(mkdtemp(dir=KEPT.name)) / "game", game, whole=True)
    made = write_archive(session_of_test(folder, kept), public=True).folder
    assert not [*made.glob("match*.html")]
    assert "Step by step" not in (made / "index.html").read_text("utf-8")


def test_the_first_page_and_the_menu_lead_there() -> None:
    first: Any = html.document_fromstring((written("knight_fight") / "index.html").read_text("utf-8"))
    assert first.xpath("//nav//a[text()='Step by step']/@href") == ["match.html"]
    assert {"match.html", "match-2.html"} <= set(first.xpath("//main//a/@href"))
