"""The page of the deal, where nobody is to choose it: to commit, to note words, to enter the round."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from knightfall.services.game.commitment import FETCH, commit_deal, enter_round, give_word
from knightfall.services.game.setups import pasted_setup
from knightfall.services.requests import CommitRequest
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import TheGame

router = APIRouter(prefix="/games/{name}")
BY_WORDS, BY_BOTH = "words", "both"


@router.post("/deal/commit")
def commit(
    game: TheGame,
    chance: Annotated[str, Form()] = "",
    each_phase: Annotated[bool, Form()] = False,
    setup: Annotated[str, Form()] = "",
    own_setup: Annotated[str, Form()] = "",
    seat: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Commit to the deal, and show its post to copy."""
    own = own_setup.strip()
    with game.changing():
        request = CommitRequest(
            game.web.random(32),
            words=chance in (BY_WORDS, BY_BOTH),
            without_beacon=chance == BY_WORDS,
            each_phase=each_phase and chance != BY_WORDS,
            setup=pasted_setup(own, game.title) if own else setup.strip(),
            seated=tuple(seat or ()),
        )
        made = commit_deal(request, game.session)
    due = f"The round comes at {made.due}." if made.due else ""
    return game.done(f"{game.root}/deal", "Post this commitment now.", due)


@router.post("/deal/word")
def note_word(game: TheGame, slot: Annotated[str, Form()], word: Annotated[str, Form()]) -> Response:
    """Note a player's word."""
    with game.changing():
        given = give_word(slot, word, game.session)
    return game.done(f"{game.root}/deal", f"{given.slot}: “{given.word}”")


@router.post("/deal/round")
def note_round(game: TheGame, value: Annotated[str, Form()] = "") -> Response:
    """Enter the value of the round, or read it at two mirrors."""

    def work(session: Session, _: Job) -> str:
        found = enter_round(value.strip() or FETCH, session)
        said = f"Round {found.round} is entered. " + ("Post it, then close." if found.post else "Now deal.")
        return game.done(f"{game.root}/deal", said).headers["location"]

    return game.follow("Reading the round", f"{game.root}/deal", game.session, work)
