"""In every post of the library a player's name is a name: who is replaced, leaks and boards ask it alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knightfall.engine.game import Game
from knightfall.errors import InputError
from knightfall.games import GAMES
from knightfall.markup.dialects.tree import children
from knightfall.markup.nodes import Code, Nodes, Text
from knightfall.services.now import Now
from knightfall.services.posts.facts import post_nodes
from knightfall.services.posts.write import KINDS, content_of
from services.game_stages import NAMES, STAGES, lantern, random_game, scene

NAMED = re.compile(rf"(?<!\w)(?:{'|'.join(NAMES)})(?!\w)")
FOR_PROGRAMS = {"archive"}
"""The record has a part for programs to read, in a box of code."""


def texts(nodes: Nodes) -> Iterator[str]:
    """Every text of a post that is neither a name nor somebody else's words."""
    for node in nodes:
        if type(node) is Text:
            yield node.text
        elif not isinstance(node, Code):
            yield from texts(children(node))


def unmarked(context: Now) -> Iterator[tuple[str, str]]:
    for kind in KINDS:
        try:
            content = content_of(kind, context)
        except InputError:
            continue
        for text in texts(post_nodes(content)):
            if NAMED.search(text):
                yield kind, text


@pytest.mark.few(3)
@pytest.mark.parametrize("stage", STAGES)
def test_every_name_in_a_post_of_a_game_with_its_thread_is_a_name(stage: str, tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", stage)
    assert list(unmarked(scene(folder, pages))) == []


@pytest.mark.few(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_every_name_in_a_post_of_every_game_is_a_name(game: Game[Any], tmp_path: Path) -> None:
    for whole in (False, True):
        folder, pages = random_game(tmp_path / str(whole), game, whole)
        assert list(unmarked(scene(folder, pages))) == []
