"""The board of a game: its picture as everybody or one player sees it, and a line of a player to enter."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, HTTPException
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.services.boards import board_text, plot_board
from knightfall.services.message_table import message_table
from knightfall.services.status import status
from knightfall.web.pages import GamePage, TheGame

router = APIRouter(prefix="/games/{name}")
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


@router.get("/board")
def board_page(game: TheGame, viewer: str = "") -> HTMLResponse:
    """The board, whose turn it is, and the lines that can be played."""
    if game.table is None:
        raise InputError("The game has not begun, so there is no board yet. Deal first.")
    trouble, text, pictures = "", "", 0
    try:
        pictures = len(_drawn(game, viewer))
    except InputError as error:
        trouble = str(error)
    else:
        try:
            text = board_text(game.session, viewer or None)
        except InputError:
            text = ""
    return game.show(
        "board",
        viewer=viewer,
        trouble=trouble,
        text=text,
        pictures=pictures,
        table=message_table(game.session),
        found=status(game.session),
    )


@router.get("/board/{number}.svg")
def board_picture(game: TheGame, number: int, viewer: str = "") -> Response:
    """A picture of the board."""
    drawn = _drawn(game, viewer)
    if not 1 <= number <= len(drawn):
        raise HTTPException(404)
    return Response(
        drawn[number - 1],
        media_type="image/svg+xml",
        headers={"Content-Security-Policy": PICTURE_POLICY},
    )


def _drawn(game: GamePage, viewer: str) -> list[bytes]:
    """The pictures of the board as SVG; those of a player are secret, and of private eyes not drawn."""
    if viewer and game.eyes:
        raise InputError("Private eyes are on, so no player's own board is shown.")
    with TemporaryDirectory(prefix="knightfall-") as place:
        paths = plot_board(Path(place) / "board.svg", game.session, viewer or None)
        return [path.read_bytes() for path in paths]
