"""Balance: how often each side of a setup would win, played many times while the page tells how far it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.services.balance import (
    SIDE_NAMES,
    Balance,
    balance_of,
    balance_svg,
    policy_names,
    question_of,
)
from knightfall.services.game.lookups import games
from knightfall.services.game.setups import pasted_setup
from knightfall.services.requests import BalanceRequest
from knightfall.services.session import Session
from knightfall.simulation.counts import Counts
from knightfall.web.board_pages import PICTURE_POLICY
from knightfall.web.jobs import Job
from knightfall.web.pages import ThePage

router = APIRouter(prefix="/balance")
MOST_GAMES = 10_000_000
"""More are for the command, which can go on after a break."""


@router.get("")
def balance_form(page: ThePage) -> HTMLResponse:
    """What to play: a game or a pasted setup, by which policy, how often."""
    return page.show("balance", games=games().games, policies=policy_names())


@router.post("")
def play_balance(
    page: ThePage,
    kind: Annotated[str, Form()] = "",
    setup: Annotated[str, Form()] = "",
    players: Annotated[str, Form()] = "",
    policy: Annotated[str, Form()] = "random",
    number: Annotated[str, Form()] = "",
    seed: Annotated[str, Form()] = "",
) -> Response:
    """Play it, and show how far it is."""
    if kind not in {one.id for one in games().games}:
        raise InputError("Choose a game from the list.")
    times = number_up_to(number, "Games", MOST_GAMES)
    request = BalanceRequest(
        pasted_setup(setup) if setup.strip() else kind,
        number_up_to(players, "Players", 1000),
        times,
        policy.strip() or "random",
        number_up_to(seed, "Seed", 2**32) if seed.strip() else 1,
    )
    question_of(request)  # what cannot be read is told at once

    def work(_: Session, job: Job) -> str:
        def told(counts: Counts, of: int) -> None:
            job.check()
            job.page, job.pages = counts.games, of

        job.unit, job.keeps = "Game", False
        return f"/balance/{page.web.keep(balance_of(request, told))}"

    return page.follow("Playing", "/balance", page.web.games.thread_session(), work)


def number_up_to(said: str, what: str, most: int) -> int:
    """0 where nothing was said. Raises InputError for what is no number up to `most`."""
    text = said.strip().replace(",", "")
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()) or len(text) > 12 or int(text) > most:
        raise InputError(f"{what}: expected a number up to {most:,}, found “{said.strip()}”.")
    return int(text)


@router.get("/{name}")
def balance_page(page: ThePage, name: str) -> HTMLResponse:
    """The shares with their intervals, the days, the roles, and the picture of it."""
    return page.show("balance_found", found=_found(page, name), name=name, sides=SIDE_NAMES)


@router.get("/{name}/chances.svg")
def balance_picture(page: ThePage, name: str) -> Response:
    """The picture."""
    headers = {"Content-Security-Policy": PICTURE_POLICY}
    return Response(balance_svg(_found(page, name)), media_type="image/svg+xml", headers=headers)


def _found(page: ThePage, name: str) -> Balance:
    found = page.web.kept.get(name)
    if not isinstance(found, Balance):
        raise HTTPException(404)
    return found
