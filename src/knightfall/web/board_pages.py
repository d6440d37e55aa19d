"""The board of a game: its picture as everybody or one player sees it, what each can do, lines by clicks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.services.boards import board_text, has_board, plot_board
from knightfall.services.window.board_clicks import BoardClicks, board_clicks, can_click
from knightfall.services.window.message_table import message_table, player_moves
from knightfall.web.pages import GamePage, TheGame
from knightfall.web.uploads import new_folder

router = APIRouter(prefix="/games/{name}")
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


@router.get("/board")
def board_page(game: TheGame, viewer: str = "") -> HTMLResponse:
    """The board, whose turn it is, and what each can do."""
    table = game.running()
    trouble, text, pictures = "", "", 0
    try:
        pictures = len(_drawn(game, viewer))
    except InputError as error:
        trouble = error.message
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
        drawn=has_board(table),
        table=message_table(game.session),
        players=player_moves(game.session),
        clickable=can_click(table),
    )


@router.get("/board/{number:int}.svg")
def board_picture(game: TheGame, number: int, viewer: str = "") -> Response:
    """A picture of the board."""
    drawn = _drawn(game, viewer)
    if not 1 <= number <= len(drawn):
        raise HTTPException(404)
    return _picture(drawn[number - 1])


def _picture(drawn: bytes) -> Response:
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


def _drawn(game: GamePage, viewer: str) -> list[bytes]:
    """The pictures of the board as SVG; those of a player are secret."""
    if viewer:
        game.for_the_moderator()
    with new_folder() as place:
        paths = plot_board(Path(place) / "board.svg", game.session, viewer or None)
        return [path.read_bytes() for path in paths]


# ── a line part by part ──────────────────────────────────────────────────────────────────────────


def _clicks(game: GamePage, player: str, pick: list[str]) -> BoardClicks:
    game.running()
    game.for_the_moderator()
    return board_clicks(player, pick, game.session)


@router.get("/board/play")
def play_page(
    game: TheGame,
    player: str,
    pick: Annotated[list[str] | None, Query()] = None,
    space: str = "",
    head: str = "",
    value: str | None = None,
) -> HTMLResponse:
    """A line of a player to put together: each click is a link and adds a part; what is filled in (`value`)
    is added behind the text that stands before it (`head`)."""
    filled_in = [] if value is None else [head + " ".join(value.split())]
    found = _clicks(game, player, [*(pick or []), *filled_in])
    here = f"{game.root}/board/play?"

    def to(*texts: str, on: str = "") -> str:
        asked = [("player", player), *(("pick", one) for one in (*found.picked, *texts))]
        return here + urlencode([*asked, ("space", on)] if on else asked)

    # A space that stands for several things asks which.
    chosen = next((one for one in found.spaces if one.name == space), None)
    spaces = [
        (one, to(one.buttons[0].text) if len(one.buttons) == 1 else to(on=one.name)) for one in found.spaces
    ]
    words = [(one, to(one.text)) for one in (chosen.buttons if chosen else found.words)]
    picked = urlencode([("player", player), *(("pick", one) for one in found.picked[:-1])])
    return game.show(
        "play",
        found=found,
        player=player,
        spaces=spaces,
        words=words,
        blanks=() if chosen else found.blanks,
        chosen=chosen,
        back=here + picked,
    )


@router.get("/board/play.svg")
def play_picture(game: TheGame, player: str) -> Response:
    """The board of a player as it is clicked."""
    return _picture(_clicks(game, player, []).picture)
