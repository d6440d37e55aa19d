"""A rehearsal on the page: it is begun by one button, and its players go on by another."""

from __future__ import annotations

from itertools import count

from fastapi import APIRouter
from starlette.responses import Response

from knightfall.audience import Secret
from knightfall.services.rehearsal import begin_rehearsal, step
from knightfall.services.requests import MailRequest
from knightfall.services.window.inbox import take_in
from knightfall.storage.drafts import own_folder
from knightfall.web.intake_pages import ReadMessages
from knightfall.web.pages import GamePage, TheGame, ThePage, plural

router = APIRouter()


@router.post("/rehearse")
def begin(page: ThePage) -> Response:
    """Make a sample game of nine players who are played, in a folder of its own."""
    home = page.web.games.home
    own_folder(home)
    names = (f"rehearsal-{number}" if number > 1 else "rehearsal" for number in count(1))
    folder = next(home / name for name in names if not (home / name).exists())
    begin_rehearsal(folder, page.web.random(32), page.web.games.make(folder))
    game = GamePage(folder.name, page.request, page.web)
    return page.done(
        game.root,
        "A rehearsal of nine players, who are played. You moderate it.",
        "Do what is due, as in any game. Then let the players go on, with the button below.",
    )


@router.post("/games/{name}/rehearse")
def go_on(game: TheGame) -> Response:
    """Let the players of a rehearsal go on; what they sent is read, and taken in once it is confirmed."""
    with game.changing():
        found = step(game.session)
    said = [Secret(game.told(line)) for line in found.said]
    head = f"The players wrote {plural(len(found.posts), 'post')}." if found.posts else "The players went on."
    if found.file is None:
        return game.done(f"{game.root}/votes" if found.posts else game.root, head, *said)
    request = MailRequest(pms=found.file, dry=True)
    kept = game.web.keep(ReadMessages(request, take_in(request, game.session)))
    return game.done(f"{game.root}/messages/{kept}", head, *said)
