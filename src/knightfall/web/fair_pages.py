"""The page of the deal, where nobody is to choose it: to commit, to enter the round, and to check it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from knightfall.services.fair_deal import check_game, verdict_of
from knightfall.services.game.commitment import FETCH, commit_deal, enter_round
from knightfall.services.game.setups import pasted_setup
from knightfall.services.keep.check_page import CHECK_PAGE, check_page, note_address
from knightfall.services.requests import CommitRequest
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import TheGame

router = APIRouter(prefix="/games/{name}")


@router.post("/deal/commit")
def commit(
    game: TheGame,
    setup: Annotated[str, Form()] = "",
    own_setup: Annotated[str, Form()] = "",
    seat: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Commit to the deal, and show its post to copy."""
    own = own_setup.strip()
    with game.changing():
        chosen = pasted_setup(own, game.title) if own else setup.strip()
        request = CommitRequest(game.web.random(32), setup=chosen, seated=tuple(seat or ()))
        made = commit_deal(request, game.session)
    return game.done(f"{game.root}/deal", "Post this commitment now.", f"The round comes at {made.due}.")


@router.post("/deal/round")
def note_round(game: TheGame, value: Annotated[str, Form()] = "") -> Response:
    """Enter the round as it was pasted, or read it at two mirrors."""

    def work(session: Session, _: Job) -> str:
        found = enter_round(value.strip() or FETCH, session)
        told = "" if found.verified else "Its value was not verified: that needs the signature and py-ecc."
        return game.done(f"{game.root}/deal", f"Round {found.round} is entered. Now deal.", told).headers[
            "location"
        ]

    return game.follow("Reading the round", f"{game.root}/deal", game.session, work)


@router.get("/deal/check.html")
def the_check_page(name: str) -> Response:  # noqa: ARG001
    """The page by which players check a deal, to be put where they can open it."""
    saved = {"content-disposition": f'attachment; filename="{CHECK_PAGE}"'}
    return Response(check_page(), media_type="text/html; charset=utf-8", headers=saved)


@router.post("/deal/check-page")
def say_where(game: TheGame, url: Annotated[str, Form()]) -> Response:
    """Note where players find that page: posts link to it from now on."""
    with game.changing():
        note_address(url.strip(), game.session)
    return game.done(f"{game.root}/deal", "The posts of the deal link to that page now.")


@router.post("/deal/verify")
def verify(game: TheGame) -> Response:
    """What the posts of the thread show of the deal."""
    found = verdict_of(check_game(game.session).findings)
    return game.done(f"{game.root}/deal", f"{found.verdict}.", *(one.text for one in found.findings))
