"""A game on its way from one moderator to another: handed over as text, and taken over from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.services.hand_marks import handed_over, note_handed_over
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.keep.take_over import TakenOver, name_of, reads_whole, take_over
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import Notice, Page, TheGame, plural

router = APIRouter()


@router.get("/games/{name}/hand-over")
def hand_over_page(game: TheGame, since: str = "") -> HTMLResponse:
    """The game as text for the moderators' own topic."""
    number = int(since) if re.fullmatch(r"[0-9]{1,9}", since) else 0
    done = game.secretly(lambda: hand_over(HandOverRequest(number), game.session))
    return game.show("hand_over", done=Secret(done), since=number, handed=handed_over(game.session))


@router.post("/games/{name}/hand-over")
def posted_hand_over(
    game: TheGame, entry: Annotated[int, Form()], digest: Annotated[str, Form()]
) -> Response:
    """Note that the game was handed over as of an entry."""
    note_handed_over(entry, digest, game.session)
    return game.done(game.root, f"The game is handed over as of entry {entry}.")


def take(page: Page, texts: Sequence[str]) -> Response:
    """Make a game of what was handed over, or bring the game here up to it."""
    games = page.web.games
    folder = games.home / name_of(texts)
    done = take_over(texts, folder, games.make)
    to, said = f"/games/{folder.name}", (*_forks(done), *map(Secret, done.notes))

    def work(session: Session, _: Job) -> str:
        read = reads_whole(replace(games.make(folder), progress=session.progress))
        name = page.web.notice(Notice(taken_words(done), (*said, *((Secret(read),) if read else ()))))
        return f"{to}?done={name}"

    return page.follow("Reading the thread of the game", to, games.thread_session(), work, secret=True)


def taken_words(done: TakenOver) -> str:
    """What came in, in a sentence."""
    if not done.fresh and not done.forks:
        return f"Nothing new: the game here has all of it, and {plural(done.ahead, 'entry', 'entries')} more."
    came = plural(done.fresh, "entry", "entries")
    return f"{done.title} is taken over from {done.by}: {came}. Nothing of it was changed."


def _forks(done: TakenOver) -> list[Secret[str]]:
    """What they wrote while we went on."""
    return [
        Secret(
            f"{'Added behind yours' if one.merged else 'Not added, since it bears on yours'}: "
            f"{one.record.number} {one.record.author}: {one.said}"
        )
        for one in done.forks
    ]
