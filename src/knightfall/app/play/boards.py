"""Which boards can Knight's Duty be played on, and is a moderator's own board one of them?"""

from __future__ import annotations

from pathlib import Path

from knightfall.app.plain_values import as_object
from knightfall.errors import InputError
from knightfall.games.knights_duty import PRINTED_BOARDS, Board, draw_board, parse_board, printed_board


def boards(which: str | None, as_json: bool) -> str:
    """Both printed boards, one of them by name, or the board in a text file.

    JSON: {schema, boards: [{name, grid, spaces, starts: [{space, clan}], hill}]}. Raises InputError with line
    and column where the file is no board that can be played.
    """
    named = [_board(which)] if which else [(name, printed_board(name)) for name in PRINTED_BOARDS]
    if as_json:
        return as_object({"boards": [_facts(name, board) for name, board in named]})
    return "\n\n".join(_text(name, board) for name, board in named)


def _board(which: str) -> tuple[str, Board]:
    """By its name, else by the file of that name."""
    if which in PRINTED_BOARDS:
        return which, printed_board(which)
    try:
        return which, parse_board(Path(which).read_text(encoding="utf-8"))
    except InputError as fault:
        raise InputError(f"{which}: {fault}") from None
    except (OSError, UnicodeDecodeError):
        known = ", ".join(PRINTED_BOARDS)
        raise InputError(f"No board “{which}”, and no text file of that name; there are {known}.") from None


def _facts(name: str, board: Board) -> dict[str, object]:
    return {
        "name": name,
        "grid": str(board.grid),
        "spaces": list(board.spaces),
        "starts": [{"space": space, "clan": board.clan(space)} for space in board.starts],
        "hill": min(board.hills),
    }


def _text(name: str, board: Board) -> str:
    starts = ", ".join(f"{space} {board.clan(space)}" for space in board.starts)
    about = (
        f"{name}: {board.grid}, {len(board.spaces)} spaces, starts {starts}, the hill on {min(board.hills)}"
    )
    return "\n".join([about, *draw_board(board, dict.fromkeys(board.starts, "P"))])
