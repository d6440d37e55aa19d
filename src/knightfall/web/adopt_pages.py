"""A running game that was not begun here: read from its thread, corrected in a table, and taken in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, HTTPException, Request, UploadFile
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, Response

from knightfall.config.setup import VOTES
from knightfall.errors import InputError
from knightfall.services.game.adopt import TakeInRequest, adopt_game, deadline_of, games_taken_in
from knightfall.services.game.adoption import (
    AdoptedSeat,
    Adoption,
    AdoptRequest,
    adoption_of,
    checked,
    read_adoption,
    seat_said,
)
from knightfall.services.game.new import folder_of
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import Page, ThePage, kind_name, plural
from knightfall.web.start import CountedThread
from knightfall.web.uploads import kept_files, new_folder

router = APIRouter()
MORE_ROWS = 2
"""So many empty lines stand below the table, for who is missing in it."""


@dataclass(frozen=True, slots=True, repr=False)
class ReadGame:
    """A running game as it was read or corrected: what was asked, what came of it, whether its table was
    looked at, and the folder of its saved pages."""

    request: AdoptRequest
    found: Adoption
    corrected: bool = False
    files: TemporaryDirectory[str] | None = None


async def form_of(request: Request) -> FormData:
    """What was sent."""
    return await request.form()


TheForm = Annotated[FormData, Depends(form_of)]


@router.get("/adopt")
def adopt(page: ThePage, count: str = "") -> HTMLResponse:
    """Which thread it is, and what is known beside it; `count` is one that was counted."""
    page.for_the_moderator()
    return page.show("adopt", counted=_counted(count, page), count=count, kinds=_kinds())


@router.post("/adopt")
def read_running(
    page: ThePage,
    address: Annotated[str, Form()] = "",
    count: Annotated[str, Form()] = "",
    roles: Annotated[str, Form()] = "",
    moderator: Annotated[str, Form()] = "",
    game: Annotated[str, Form()] = "",
    pages: Annotated[list[UploadFile] | None, File()] = None,
) -> Response:
    """Read the thread, and show what it tells."""
    page.for_the_moderator()
    counted, folder = _counted(count, page), None
    words: tuple[str, ...] = (address.strip(),) if address.strip() else ()
    html = jsonl = False
    if counted is not None:
        words, html, jsonl = counted.words, counted.html, counted.is_sample
        folder = counted.files
    given = [one for one in pages or () if one.filename]
    if given:
        folder, html = new_folder(), True
        words = tuple(map(str, kept_files(given, folder.name)))
    if not words:
        raise InputError("Give the address of the thread, or choose the pages of it that you saved.")
    moderators = tuple(one.strip() for one in moderator.split(",") if one.strip())
    asked = AdoptRequest(words, html, jsonl, roles=roles, game=game, moderators=moderators)

    def work(session: Session, _: Job) -> str:
        found = read_adoption(asked, session)
        return f"/adopt/{page.web.keep(ReadGame(asked, found, files=folder))}"

    return page.follow("Reading the thread", "/adopt", page.web.games.thread_session(), work)


@router.get("/adopt/{name}")
def table(page: ThePage, name: str) -> HTMLResponse:
    """What was read, as a table to correct."""
    page.for_the_moderator()
    kept = _kept(name, page)
    return page.show(
        "adopt_table", kept=kept, found=kept.found, name=name, kinds=_kinds(), more=range(MORE_ROWS)
    )


@router.post("/adopt/{name}")
def corrected(page: ThePage, name: str, form: TheForm) -> Response:
    """Take the table as it was corrected: show it again, or make a game of it."""
    page.for_the_moderator()
    kept = _kept(name, page)
    said = {key: str(value).strip() for key, value in form.items() if isinstance(value, str)}
    asked = replace(
        kept.request,
        game=said.get("game", ""),
        title=said.get("title", ""),
        timezone=said.get("timezone", "") or "UTC",
        phase=said.get("phase", ""),
        moderators=tuple(one.strip() for one in said.get("moderators", "").split(",") if one.strip()),
    )
    session = page.web.games.thread_session()
    assert kept.found.thread is not None
    found = adoption_of(kept.found.thread, asked, session, kept.found.source, _seats(said))
    again = f"/adopt/{page.web.keep(ReadGame(asked, found, corrected=True, files=kept.files))}"
    if "make" not in said or any(one.doubts for one in found.seats):
        doubted = [one.name for one in found.seats if one.doubts]
        lines = f"{plural(len(doubted), 'line')} still to be corrected: {', '.join(doubted)}."
        told = lines if doubted else "The table is as you wrote it."
        return page.done(again, told)
    request = TakeInRequest(
        page.web.games.home / folder_of(found.title),
        page.web.random(32),
        page.web.random(32),
        deadline_of(said.get("until", ""), asked.timezone, session.clock.now()),
        asked.timezone,
        despite=True,
    )
    done = adopt_game(found, request, session, page.web.games.make)
    live = plural(done.alive, "player lives", "players live")
    return page.done(
        f"/games/{done.folder.name}", f"The game goes on here: {found.phase}, {live}.", *done.notes
    )


def _counted(name: str, page: Page) -> CountedThread | None:
    kept = page.web.kept.get(name) if name else None
    return kept if isinstance(kept, CountedThread) else None


def _kept(name: str, page: Page) -> ReadGame:
    kept = page.web.kept.get(name)
    if not isinstance(kept, ReadGame):
        raise HTTPException(404)
    return kept


def _kinds() -> tuple[tuple[str, str], ...]:
    """The games that can be taken in while they run, and votes alone: id and name."""
    games = ((one, kind_name(one)) for one in games_taken_in())
    return (*games, (VOTES, "Votes alone, without roles"))


_FIELDS = ("player", "earlier", "fate", "role", "source")
MOST_LINES = 200
"""So many lines of a table are read."""


def _seats(said: Mapping[str, str]) -> tuple[AdoptedSeat, ...]:
    """The lines of the table that name somebody. Raises InputError for one that cannot be read."""
    places = (name.removeprefix("player-") for name in said if name.startswith("player-"))
    lines = [
        {name: said.get(f"{name}-{place}", "") for name in _FIELDS} for place in islice(places, MOST_LINES)
    ]
    return checked(
        [
            seat_said({**line, "read in": line["source"]}, f"Line {place}")
            for place, line in enumerate(lines, start=1)
            if line["player"]
        ]
    )
