"""Every text of random games: read whole by every board, and written for people.

scripts/soak GAME --texts reads as many games as you like.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knightfall.engine.entries import Started
from knightfall.engine.game import Game, Message
from knightfall.engine.playout import Playout, play
from knightfall.engine.rng import SeededRng
from knightfall.errors import KnightfallError
from knightfall.games import GAMES
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.nodes import Text
from knightfall.services.posts.facts import post_nodes
from knightfall.services.posts.write import KINDS, content_of
from long_runs import first
from properties.test_every_game import draws, every_game, played
from properties.texts import Sent, machine_words, misread, texts
from services.game_stages import CROWD, random_game, scene

SETUP = Path(__file__).parents[2] / "fixtures/playthroughs/custom_mafia.toml"
SEEDS = first(1, (8, 0, 9))
"""Twice by a house's own choices, and by the rulings' defaults, as the games with odd names are."""
ODD_NAMES = (
    "[b]ob",
    "x[/area]",
    "@everyone",
    "[0]",
    "[*]x",
    "a=b;c",
    "[url=x]",
    "Ze\u200bro",
    "<script>",
    "'\"q",
    "a|b",
    "日本",
    "{{ 7*7 }}",
    "1. Elm",
    "__Ada__",
    "u/Moth",
    "[/code]",
    "(c)",
)

NONSENSE = (
    "xyzzy",
    "kill",
    "VOTE: Nobody",
    "cop nobody\nkill nobody",
    "MOVE",
    "A9>Z9",
    "1: FLY N",
    "BUY a crown",
    "START Q9",
)


@cache
def random_play(name: str, seed: int) -> Playout[Any]:
    """A random game; of Custom Mafia one of eighteen with many roles, else it would be of townies."""
    game: Game[Any] = next(game for game in GAMES if game.spec.id == name)
    if name != "custom_mafia":
        return played(game, seed)
    setup = tomllib.loads(SETUP.read_text(encoding="utf-8"))
    return play(game, CROWD, {"setup": setup}, SeededRng(b"chance %d" % seed), draws(seed))


@cache
def told(name: str, seed: int) -> tuple[tuple[Sent, ...], SeededRng]:
    """The texts of a random game, and the source of its chance with all that was drawn."""
    game: Game[Any] = next(game for game in GAMES if game.spec.id == name)
    chance = draws(seed)
    return tuple(texts(game, random_play(name, seed), chance)), chance


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_every_board_reads_every_text_of_a_random_game(game: Game[Any], seed: int) -> None:
    sent, _ = told(game.spec.id, seed)
    assert len(sent) > 10
    assert list(misread(sent)) == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "game",
    first(4, sorted(GAMES, key=lambda game: game.spec.id in ("knight_fight", "knights_duty"))),
    ids=lambda game: game.spec.id,
)
def test_every_board_reads_every_text_whatever_the_players_are_called(game: Game[Any]) -> None:
    playout = random_play(game.spec.id, 1)
    begun = playout.journal[0].entry
    assert isinstance(begun, Started)
    held = dict(zip(begun.slots, ODD_NAMES, strict=False))
    assert list(misread(texts(game, playout, draws(1), held))) == []


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_no_text_for_players_holds_what_is_the_programs_own(game: Game[Any], seed: int) -> None:
    sent, chance = told(game.spec.id, seed)
    assert list(machine_words(sent, chance.log)) == []


@every_game
def test_no_refusal_holds_what_is_the_programs_own(game: Game[Any]) -> None:
    playout = random_play(game.spec.id, 0)
    refused: dict[str, None] = {}
    for state, record in zip(playout.states[::5], playout.journal[::5], strict=True):
        for slot in dict.fromkeys(slot for window in game.windows(state) for slot in window.slots):
            for line in NONSENSE:
                step = game.submit(state, Message(slot, line, record.at), draws(0))
                refused |= {why.text: None for _, why in step.refused}
    assert refused
    assert list(machine_words(Sent("refused", False, True, (Text(text),)) for text in refused)) == []


@pytest.mark.few(2)
@every_game
def test_every_post_of_the_library_is_read_whole_and_written_for_people(
    game: Game[Any], tmp_path: Path
) -> None:
    sent: list[Sent] = []
    for whole in (False, True):
        context = scene(*random_game(tmp_path / str(whole), game, whole))
        for kind in KINDS:
            try:
                nodes = post_nodes(content_of(kind, context))
            except KnightfallError:  # not every game has every post at every time
                continue
            sent.append(Sent(kind, True, True, nodes))
    assert {"opening", "rules", "endgame"} <= {one.kind for one in sent}
    assert list(misread(sent)) == []
    assert list(machine_words(sent)) == []


@pytest.mark.parametrize(
    "line",
    [
        "A tie is drawn by lot (KC-10).",
        "The tie rule is EM-R26.",
        "Option ke_r17 is on.",
        "UNKNOWN_COMMAND: I don't understand that.",
        "Draws: kd.card:R1:Boro->Ada = Miss",
        "Drawn at deal/1.",
        "Your target: None",
        "Ada, you are Card(name='Cop').",
        "You are <Side.TOWN: 1>.",
        "They live: ('Ada', 'Boro').",
        "They live: ['Ada'].",
        "Nobody died: ().",
        "self_target = True",
    ],
)
def test_what_is_the_programs_own_is_found(line: str) -> None:
    chance = SeededRng(b"drawn")
    chance.at("deal", 1).choice("kd.card:R1:Boro->Ada", ("Hit", "Miss"))
    found = list(
        machine_words([Sent("note", True, True, parse_bbcode(line.replace("[", "[\u200b")))], chance.log)
    )
    assert len(found) == 1, found


@pytest.mark.parametrize(
    "line",
    [
        "None of you is eliminated.",
        "Gunsmith: True or False.",
        "GMT-5, E-2, L-1: with 7 alive it takes 4.",
        "Vote: Ada (was Elm), in post 12.",
        "The day ends in 3 h (20:00 UTC).",
    ],
)
def test_what_people_write_is_not(line: str) -> None:
    assert list(machine_words([Sent("note", True, True, parse_bbcode(line))])) == []
