"""Messages that wait elsewhere: private threads, saved PMs, answers of a form; and cards drawn by hand."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, UploadFile
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.errors import InputError
from knightfall.fetch.containers import ENDINGS
from knightfall.fetch.saved import saved_from
from knightfall.sentence import sentence
from knightfall.services.pasted import pages_here
from knightfall.services.requests import MailRequest
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.services.window.inbox import (
    Intake,
    case_words,
    counts_words,
    is_skipped,
    leave_mail_out,
    take_in,
)
from knightfall.services.window.sources import PM_COLUMNS, read_sheet
from knightfall.web.jobs import Job
from knightfall.web.pages import GamePage, TheGame, plural
from knightfall.web.uploads import kept_files, new_folder

router = APIRouter(prefix="/games/{name}")


@dataclass(frozen=True, slots=True)
class ReadMessages:
    """Messages that were read and not taken in yet: their source, what would become of each, and the folder
    of the file."""

    request: MailRequest
    intake: Intake
    folder: TemporaryDirectory[str] | None = None


def read_copied(html: str, address: str, game: GamePage) -> str:
    """Read the page of a PM that was copied in a browser at an address ("": nobody told); returns the page on
    which is shown what would be taken in."""
    folder = new_folder()
    path = Path(folder.name) / "private-message.html"
    path.write_text(saved_from(address, html), encoding="utf-8", errors="replace")
    moment = game.session.clock.now().timestamp()
    os.utime(path, (moment, moment))  # its times are told as of now, whenever it is taken in
    request = MailRequest(pages=(path,), dry=True)
    kept = game.web.keep(ReadMessages(request, take_in(request, game.session), folder))
    return f"{game.root}/messages/{kept}"


@router.get("/messages")
def messages_page(game: TheGame) -> HTMLResponse:
    """Where messages can be read from."""
    game.running()
    rooms = [one for one in game.setup.threads if one.role == "private"]
    kept = [found for one in rooms if (found := pages_here(one.url, game.session)) is not None]
    return game.show("messages", rooms=Secret(rooms), kept=Secret(kept))


@router.post("/messages/threads")
def read_rooms(
    game: TheGame, again: Annotated[str, Form()] = "", stored: Annotated[str, Form()] = ""
) -> Response:
    """Read the private threads, or what is here of them, and show what would be taken in."""

    def work(session: Session, _: Job) -> str:
        request = MailRequest(threads=True, again=bool(again), stored=bool(stored), dry=True)
        kept = game.web.keep(ReadMessages(request, take_in(request, session)))
        return f"{game.root}/messages/{kept}"

    title, back = "Reading the private threads", f"{game.root}/messages"
    return game.follow(title, back, game.session, work, secret=True)


@router.post("/messages/file")
def read_file(
    game: TheGame,
    file: UploadFile,
    name_column: Annotated[str, Form()] = "",
    text_column: Annotated[str, Form()] = "",
    dates: Annotated[str, Form()] = "",
) -> Response:
    """Read a table of PMs or of a form's answers, or a saved page of PMs, and show what would be taken in."""
    if not file.filename:
        raise InputError("Choose the file that you saved.")
    folder = new_folder()
    [path] = kept_files((file,), folder.name)
    if path.suffix.lower() in ENDINGS:
        pages = MailRequest(pages=(path,), dry=True)
        read = ReadMessages(pages, take_in(pages, game.session), folder)
        return game.go(f"{game.root}/messages/{game.web.keep(read)}")
    heads = {head.casefold() for head in read_sheet(path).heads}
    texts = tuple(one.strip() for one in text_column.split(",") if one.strip())
    columns = partial(
        MailRequest, name_column=name_column.strip(), text_column=texts, dates=dates or None, dry=True
    )
    is_mail = heads.issuperset(name.casefold() for name in PM_COLUMNS)
    request = columns(pms=path) if is_mail else columns(form=path)
    found = ReadMessages(request, take_in(request, game.session), folder)
    return game.go(f"{game.root}/messages/{game.web.keep(found)}")


def _read(game: GamePage, name: str) -> ReadMessages:
    found = game.web.kept.get(name)
    if not isinstance(found, ReadMessages):
        raise HTTPException(404)
    return found


@router.get("/messages/{read}")
def messages_read(game: TheGame, read: str) -> HTMLResponse:
    """What would become of each message. Nothing is written."""
    found = _read(game, read)
    intake = found.intake
    return game.show(
        "messages_read",
        intake=intake,
        read=read,
        told=Secret(
            [(one, case_words(one, dry=True, zone=game.zone)) for one in intake.cases if not is_skipped(one)]
        ),
        skipped=Secret(
            [case_words(one, dry=True, zone=game.zone) for one in intake.cases if is_skipped(one)]
        ),
        counts=Secret(counts_words(intake)),
    )


@router.post("/messages/{read}/take")
def take_messages(game: TheGame, read: str, late: Annotated[str, Form()] = "") -> Response:
    """Take in what was shown, with `late` also what is read after it was due; what was taken before is not
    taken again."""
    found = _read(game, read)
    request = replace(found.request, dry=False, stored=found.request.threads, again=False, late=bool(late))
    with game.changing():
        intake = take_in(request, game.session)
    if intake.stopped is not None:
        raise intake.stopped
    refused = [
        sentence("{slot}, refused: “{line}”: {why}", slot=one.mail.slot, line=line, why=why.text)
        for one in intake.cases
        if one.receipt is not None
        for line, why in one.receipt.refused
    ]
    said = Secret(f"{plural(intake.taken, 'message')} recorded.", "What was read is recorded.")
    more = (*refused, *intake.questions, *(one.message for one in intake.troubles))
    receipts = (one.receipt for one in intake.cases if one.receipt is not None)
    files = [file for receipt in receipts for file in game.files_of(receipt)]
    texts = game.private_links(files)
    return game.done(f"{game.root}/night", said, *map(Secret, more), secret_texts=texts)


@router.post("/messages/{read}/leave/{place:int}")
def leave_message_out(game: TheGame, read: str, place: int, why: Annotated[str, Form()] = "") -> Response:
    """Keep why a message that was read does not count, and read them again without it."""
    found = _read(game, read)
    if not 0 <= place < len(found.intake.cases):
        raise HTTPException(404)
    with game.changing():
        record = leave_mail_out(found.intake.cases[place].mail, why, game.session)
    request = replace(found.request, stored=found.request.threads, again=False)
    left = replace(found, request=request, intake=take_in(request, game.session))
    here = f"{game.root}/messages/{game.web.keep(left)}"
    return game.done(here, "It is left out.", entry=record.number)


# ── cards by hand ────────────────────────────────────────────────────────────────────────────────


@router.get("/draws")
def draws_page(game: TheGame) -> HTMLResponse:
    """What the next closing draws, to be typed in by who drew it."""
    game.running()
    return game.show("draws", ahead=game.secretly(lambda: turns.draws_ahead(game.session)))


@router.post("/draws")
def draw_by_hand(
    game: TheGame, label: Annotated[str, Form()], values: Annotated[str, Form()] = ""
) -> Response:
    """Keep a card or a die that the moderator drew."""
    with game.changing():
        typed = values.split(",") if "," in values else values.split()
        drawn = turns.draw(label, typed, game.session)
    return game.done(f"{game.root}/draws", "Your draw is recorded.", entry=drawn.record.number)
