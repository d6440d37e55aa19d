"""Whole games from the deal to the endgame post, as scripts/playthrough writes them, and their secrets.

To accept a change: run this module with KNIGHTFALL_GOLDEN=write and read the diff as the players would.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from knightfall.engine.game import Announced, Game, Step, announced
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.empowered import EMPOWERED
from knightfall.games.knight_errant import KNIGHT_ERRANT
from knightfall.mafia.events import NightDeath
from knightfall.services.deal import parse_proof, verify
from knightfall.writeups.events import public_post
from long_runs import first
from properties.secrecy import told_too_early
from tin_valley import NAMES

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "fixtures/playthroughs"
SEEDS = {"knight_errant": 1, "empowered": 2, "custom_mafia": 1}
PLAYERS = {"knight_errant": 18, "empowered": 20, "custom_mafia": 18}
MAFIA = [KNIGHT_ERRANT, EMPOWERED, CUSTOM_MAFIA]


def options(game: str) -> dict[str, object]:
    """Where a game is dealt from a setup of one's own, that stands beside its golden file."""
    setup = GOLDEN / f"{game}.toml"
    return {"setup": tomllib.loads(setup.read_text("utf-8"))} if setup.exists() else {}


def script(game: str, seed: int, out: Path) -> str:
    call = [sys.executable, str(ROOT / "scripts/py/playthrough.py"), game, str(seed), str(out)]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module", params=SEEDS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    out = tmp_path_factory.mktemp("played") / request.param
    script(request.param, SEEDS[request.param], out)
    return request.param, out


def in_order(out: Path, *audiences: str) -> list[Path]:
    found = (path for audience in audiences for path in (out / audience).glob("*.txt"))
    return sorted(found, key=lambda path: path.name)


@pytest.mark.few(1)
def test_posts_and_sheets_read_as_in_the_golden_file(written: tuple[str, Path]) -> None:
    game, out = written
    paths = in_order(out, "public", "moderator")
    text = "\n".join(f"=== {path.parent.name}/{path.stem} ===\n{path.read_text('utf-8')}" for path in paths)
    golden = GOLDEN / f"{game}.txt"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_the_deal_of_the_endgame_post_can_be_checked(written: tuple[str, Path]) -> None:
    _, out = written
    opening, *_, ending = (path.read_text("utf-8") for path in in_order(out, "public"))
    (told,) = re.findall(r"\[code\](.*)\[/code\]", ending)
    commitment = re.findall(r"^[0-9a-f]{64}$", opening, re.MULTILINE)[0]
    assert verify(parse_proof("post", told), commitment) == ()


def test_everyone_has_a_role_pm_and_the_last_post_is_the_ending(written: tuple[str, Path]) -> None:
    game, out = written
    assert len(list((out / "private").glob("*-role_pm-*.txt"))) == PLAYERS[game]
    assert in_order(out, "public")[-1].stem.endswith("-ending")


@pytest.mark.parametrize("game", first(0, [game.spec.id for game in GAMES if game.spec.id not in SEEDS]))
def test_any_game_can_be_played_through(game: str, tmp_path: Path) -> None:
    assert "winner:" in script(game, 1, tmp_path / game)
    assert in_order(tmp_path / game, "public")


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(subprocess.CalledProcessError):
        script("empowered", 1, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def played(game: Game[Any], seed: int) -> Playout[Any]:
    names = NAMES[: PLAYERS[game.spec.id]]
    given = options(game.spec.id)
    return play(game, names, given, SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(3))  # scripts/soak GAME --secrets reads a thousand games
@pytest.mark.parametrize("game", MAFIA, ids=lambda game: game.spec.id)
def test_no_public_post_tells_a_living_players_role(game: Game[Any], seed: int) -> None:
    assert told_too_early(game, played(game, seed), b"draw %d" % seed) == ()


_DAWN = re.compile(
    r"Night \d+ is over\.|Nobody died in the night\.|"
    r"\d+ players? (?:is|are) alive\.(?: It takes \d+ votes? to eliminate\.)?|"
    r"(\w+) was found dead in the morning\. Role: [\w -]+\."
)


@pytest.mark.parametrize("seed", range(3))
def test_no_kill_of_knight_errant_can_be_told_from_another(seed: int) -> None:
    """Every line of a dawn is one of four sentences, and the dead stand in alphabetical order."""
    journal = played(KNIGHT_ERRANT, seed).journal
    events = replay(journal, KNIGHT_ERRANT, lambda: SeededRng(b"draw %d" % seed)).events
    for dawn in (event for event in announced(events) if event.kind == "dawn"):
        read = [_DAWN.fullmatch(line) for line in public_post("knight_errant", dawn).splitlines()]
        assert all(read)
        dead = [found[1] for found in read if found and found[1]]
        assert dead == sorted(dead)


@dataclass(frozen=True, slots=True)
class Chatty:
    """A game whose dawns name one more player with the card."""

    game: Game[Any]
    post: str = "dawn"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def close(self, state: Any, kind: str, at: Any, draw: Any) -> Step[Any]:
        step = self.game.close(state, kind, at, draw)
        living = next(iter(step.state.living), None)
        events = tuple(self._loud(event, step.state, living) for event in step.events)
        return replace(step, events=events)

    def _loud(self, event: Any, state: Any, living: Any) -> Any:
        if not isinstance(event, Announced) or event.kind != self.post or living is None:
            return event
        loud = NightDeath(living, state.cards[living].name, cause="shooting")
        facts: Any = event.facts
        return replace(event, facts=replace(facts, deaths=(loud,)))


@pytest.mark.parametrize("game", MAFIA, ids=lambda game: game.spec.id)
def test_a_post_that_does_is_found(game: Game[Any]) -> None:
    playout = played(game, 1)
    told = told_too_early(cast("Game[Any]", Chatty(game)), playout, b"draw 1")
    assert told
    assert "who is alive, is the" in told[0]
    assert replay(playout.journal, game, lambda: SeededRng(b"draw 1")).state == playout.state
