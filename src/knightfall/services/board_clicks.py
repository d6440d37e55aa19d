"""A player's line by clicks: each click on the board, or on a word beside it, leaves fewer lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from knightfall.errors import InputError
from knightfall.games import clickable_of, clicks_of
from knightfall.pictures.clickable import Click
from knightfall.pictures.scene import Point
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.sentence import SlotId
from knightfall.services.boards import has_board
from knightfall.services.game_state import RunningGame, holders, shown, slot_meant, table_of
from knightfall.services.session import Session

MOST = 5_000
"""So many lines of a player are looked at; a game with more is played by typing as well."""


@dataclass(frozen=True, slots=True)
class ClickSpace:
    """A space of the board that can be clicked now: its corners on the picture, and the clicks it stands
    for."""

    name: str
    corners: tuple[Point, ...]
    clicks: tuple[Click, ...]


@dataclass(frozen=True, slots=True)
class BoardClicks:
    """What a player's line can become after the clicks of `picked`.

    `picture` is the board as SVG, of so many points `width` and `height`; `spaces` can be clicked on it,
    `words` beside it; `lines` are whole by now.
    """

    slot: SlotId
    name: str
    picked: tuple[str, ...]
    picture: bytes
    width: float
    height: float
    spaces: tuple[ClickSpace, ...]
    words: tuple[Click, ...]
    lines: tuple[str, ...]


def can_click(table: RunningGame) -> bool:
    """Whether the game has a board that can be clicked."""
    return has_board(table) and clickable_of(table.game.spec.id) is not None


def board_clicks(name: str, picked: Sequence[str], session: Session) -> BoardClicks:
    """What can be clicked for a player after the words of these clicks. Secret: it is what they may see.

    Raises InputError where nobody is meant, the game has no such board, or hides it.
    """
    table = table_of(session)
    make, split = clickable_of(table.game.spec.id), clicks_of(table.game.spec.id)
    if make is None or split is None:
        raise InputError(f"{table.game.spec.name} has no board to click on.")
    slot, held = slot_meant(table, name), holders(table.journal)
    if slot is None:
        raise InputError("You have no lines of your own on this board. Name a player.")
    board = make(table.state, slot, {one: shown(one, held) for one in held})
    if not is_plain(board.scene):
        raise InputError("This picture cannot be clicked on. Write the line instead.")

    # The lines that begin with what was clicked, and their next clicks, each once.
    done, lines, following = tuple(picked), list[str](), dict[Click, None]()
    for line in islice(table.game.legal(table.state, slot), MOST):
        parts = split(table.state, slot, line)
        if tuple(part.words for part in parts[: len(done)]) != done:
            continue
        if len(parts) == len(done):
            lines.append(line)
        else:
            following[parts[len(done)]] = None

    on_board = sorted((one for one in following if one.space in board.spaces), key=lambda one: one.space)
    spaces = tuple(
        ClickSpace(space, board.spaces[space], tuple(clicks))
        for space, clicks in groupby(on_board, key=lambda one: one.space)
    )
    return BoardClicks(
        slot,
        shown(slot, held),
        done,
        svg_text(board.scene).encode(),
        board.scene.width,
        board.scene.height,
        spaces,
        tuple(one for one in following if one.space not in board.spaces),
        tuple(lines),
    )
