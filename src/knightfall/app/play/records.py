"""What does a record of Knight Fight show: its positions one by one, the moves that are legal, a picture?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from knightfall.app.count.plot import ENDINGS, png_of
from knightfall.app.play.fight_boards import ending, picture, standing_lines
from knightfall.errors import InputError
from knightfall.games.knight_fight.board import SIDES, Side
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.drawn import everything, text_board
from knightfall.games.knight_fight.facts import closed_colour, threats
from knightfall.games.knight_fight.moves import placements
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.record import positions, read, turn_lines
from knightfall.pictures.board import board_scene
from knightfall.pictures.svg_text import svg_text


def replay(path: Path, turn: int | None, every: bool, out: Path | None) -> str:
    """The board after the last turn, or after turn number `turn`, or after each; `out` gets a picture of it.

    Raises InputError for a file that cannot be read, a turn that does not follow, another ending of `out`.
    """
    bouts = _bouts(path, turn)
    if out is not None:
        _draw(bouts[-1], out)
    shown = bouts if every else bouts[-1:]
    return "\n\n".join("\n".join(_position(bout)) for bout in shown)


def moves(path: Path, turn: int | None) -> str:
    """The legal moves of the position: of who is to move, in Bidding of both. Raises as `replay` does."""
    bout = _bouts(path, turn)[-1]
    if bout.ended:
        return ending(bout)
    sides = SIDES if bout.has("B") else (bout.to_move,)
    return "\n".join(line for side in sides for line in _legal(bout, side))


def _bouts(path: Path, turn: int | None) -> list[Bout]:
    """Every position up to the turn asked for."""
    try:
        record = read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
    found = [bout for bout in positions(record) if turn is None or len(bout.record) <= turn]
    if turn is not None and len(found[-1].record) < turn:
        raise InputError(f"{path}: turn {turn} is asked for; the record has {len(found[-1].record)}.")
    return found


def _position(bout: Bout) -> Iterator[str]:
    """The latest turn, the board, what each has."""
    yield from turn_lines(bout.record)[-1:]
    yield text_board(everything(bout))
    yield from standing_lines(bout)


def _legal(bout: Bout, side: Side) -> Iterator[str]:
    found = sorted(map(write_move, placements(bout, side)))
    yield f"{side.name} has {len(found)} legal {'move' if len(found) == 1 else 'moves'}: {' '.join(found)}"
    if colour := closed_colour(bout, side):
        yield f"{side.name} may not place on {colour}."
    for threat in threats(bout):
        if threat["side"] == side.name:
            yield f"{side.name} is one move from {'six points' if bout.has('T') else 'four in a row'}."


def _draw(bout: Bout, out: Path) -> None:
    """The board as SVG or PNG, by the ending."""
    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    scene = board_scene(picture(bout))
    try:
        out.write_bytes(png_of(scene) if out.suffix.lower() == ".png" else svg_text(scene).encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error
