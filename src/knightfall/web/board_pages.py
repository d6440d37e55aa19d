"""The board of a game: its picture as everybody or one player sees it, what each can do, lines by clicks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.errors import InputError
from knightfall.services.boards import board_text, has_board, plot_board, season_book
from knightfall.services.window.board_clicks import (
    Blank,
    BoardClicks,
    Button,
    ClickSpace,
    awaited_senders,
    board_clicks,
    can_click,
)
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
    # Where one alone is to move, the board is theirs to click.
    clickable = can_click(table)
    awaited = _awaited(game)
    alone = clickable and not viewer and len(awaited) == 1
    asked = awaited_senders(game.session)
    return game.show(
        "board",
        awaited=Secret(awaited),
        line=Secret(_line(game, asked[0].name, []) if alone else None),
        viewer=viewer,
        trouble=trouble,
        text=text,
        pictures=pictures,
        drawn=has_board(table),
        table=message_table(game.session),
        players=player_moves(game.session),
        season=season_book(game.session),
        clickable=clickable,
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


@dataclass(frozen=True, slots=True)
class BuiltLine:
    """A line that is put together, and where each click leads: on a space of the board, on a word beside it.
    `chosen` is a space that stands for several things; `more` leads to where each space asks what it stands
    for ("": none stands for anything else); `others` are those who are awaited beside its sender.
    """

    found: BoardClicks
    player: str
    spaces: tuple[tuple[ClickSpace, str], ...]
    words: tuple[tuple[Button, str], ...]
    blanks: tuple[Blank, ...]
    chosen: ClickSpace | None
    back: str
    more: str
    others: tuple[tuple[str, str], ...]


def _awaited(game: GamePage) -> tuple[tuple[str, str], ...]:
    """Everybody who is awaited, as they are shown, with where a line of theirs is put together."""
    asked = awaited_senders(game.session)
    return tuple((one.shown, f"{game.root}/board/play?{urlencode({'player': one.name})}") for one in asked)


def _line(game: GamePage, player: str, picked: list[str], space: str = "", ask: str = "") -> BuiltLine:
    """A line of a player after these parts; `ask`: a space asks for what it is meant."""
    found = board_clicks(player, picked, game.session)
    here = f"{game.root}/board/play?"

    def to(*texts: str, on: str = "") -> str:
        asked = [("player", player), *(("pick", one) for one in (*found.picked, *texts))]
        return here + urlencode([*asked, ("space", on)] if on else asked)

    # A space that stands for several things asks which; what is seldom meant by it only where that is wanted.
    chosen = next((one for one in found.spaces if one.name == space), None)
    spaces: list[tuple[ClickSpace, str]] = []
    for one in found.spaces:
        usual = [button for button in one.buttons if not button.seldom]
        meant = one.buttons if ask or not usual else usual
        spaces.append((one, to(meant[0].text) if len(meant) == 1 else to(on=one.name)))
    both = any(len({button.seldom for button in one.buttons}) > 1 for one in found.spaces)
    words = tuple((one, to(one.text)) for one in (chosen.buttons if chosen else found.words))
    picked_before = urlencode([("player", player), *(("pick", one) for one in found.picked[:-1])])
    others = tuple((name, there) for name, there in _awaited(game) if name != found.name)
    return BuiltLine(
        found,
        player,
        tuple(spaces),
        words,
        () if chosen else found.blanks,
        chosen,
        here + picked_before,
        f"{to()}&ask=1" if both and not ask else "",
        others,
    )


@router.get("/board/play")
def play_page(
    game: TheGame,
    player: str,
    pick: Annotated[list[str] | None, Query()] = None,
    space: str = "",
    ask: str = "",
    head: str = "",
    value: str | None = None,
) -> HTMLResponse:
    """A line of a player to put together: each click is a link and adds a part; what is filled in (`value`)
    is added behind the text that stands before it (`head`). `ask`: a space asks for what it is meant."""
    game.running()
    game.for_the_moderator()
    filled_in = [] if value is None else [head + " ".join(value.split())]
    return game.show("play", line=_line(game, player, [*(pick or []), *filled_in], space, ask))


@router.get("/board/play.svg")
def play_picture(game: TheGame, player: str) -> Response:
    """The board of a player as it is clicked."""
    game.running()
    game.for_the_moderator()
    return _picture(board_clicks(player, [], game.session).picture)
