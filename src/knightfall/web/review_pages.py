"""Review: what is wrong with a setup and what its roles are worth, with a bar while it is played."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.markup.dialects import dialect, dialect_names
from knightfall.services.balance import SIDE_NAMES
from knightfall.services.game.setups import pasted_setup
from knightfall.services.requests import ReviewRequest
from knightfall.services.review import (
    STRICT,
    Review,
    checked_review,
    review_of,
    review_post,
    review_svg,
)
from knightfall.services.session import Session
from knightfall.services.threads import is_rich
from knightfall.web.balance_pages import number_up_to
from knightfall.web.board_pages import PICTURE_POLICY
from knightfall.web.jobs import Job
from knightfall.web.pages import ThePage

router = APIRouter(prefix="/review")
MOST_GAMES = 1_000_000
"""For each question; more are for the command."""


@router.get("")
def review_form(page: ThePage) -> HTMLResponse:
    """What to review: a pasted setup, held against which list."""
    return page.show("review", lists=STRICT)


@router.post("")
def play_review(
    page: ThePage,
    setup: Annotated[str, Form()] = "",
    players: Annotated[str, Form()] = "",
    strict: Annotated[str, Form()] = "",
    number: Annotated[str, Form()] = "",
    seed: Annotated[str, Form()] = "",
) -> Response:
    """Review it, and show how far it is."""
    if not setup.strip():
        raise InputError("Paste a setup: a role on each line, or a setup file.")
    request = ReviewRequest(
        pasted_setup(setup),
        number_up_to(players, "Players", 1000),
        strict.strip(),
        number_up_to(number, "Games", MOST_GAMES),
        seed=number_up_to(seed, "Seed", 2**32) if seed.strip() else 1,
    )
    checked_review(request)  # what cannot be read is told at once

    def work(_: Session, job: Job) -> str:
        def told(games: int, of: int) -> None:
            job.check()
            job.page, job.pages = games, of

        job.unit, job.keeps = "Game", False
        return f"/review/{page.web.keep(review_of(request, told))}"

    return page.follow("Playing", "/review", page.web.games.thread_session(), work)


@router.get("/{name}")
def review_page(page: ThePage, name: str, to: str = "phpbb") -> HTMLResponse:
    """The review, and the post to copy in the markup of a site."""
    found = _found(page, name)
    speech = dialect(to)
    return page.show(
        "review_found",
        found=found,
        name=name,
        sides=SIDE_NAMES,
        post=review_post(found, speech.name),
        rich=is_rich(speech.name),
        dialect=speech.name,
        dialects=dialect_names(),
    )


@router.get("/{name}/shares.svg")
def review_picture(page: ThePage, name: str) -> Response:
    """The picture."""
    headers = {"Content-Security-Policy": PICTURE_POLICY}
    return Response(review_svg(_found(page, name)), media_type="image/svg+xml", headers=headers)


def _found(page: ThePage, name: str) -> Review:
    found = page.web.kept.get(name)
    if not isinstance(found, Review):
        raise HTTPException(404)
    return found
