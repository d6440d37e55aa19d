"""The start: count a thread, the games of the folder, long work, private eyes, bots' tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from knightfall.audience import Secret
from knightfall.errors import EvidenceError, InputError, KnightfallError
from knightfall.markup.dialects import dialect_names
from knightfall.sentence import ways_of
from knightfall.services.count.day_answers import Answers, answers_of, answers_with
from knightfall.services.count.request import themes
from knightfall.services.count.votecount import count_votes, post_of
from knightfall.services.desktop_icon import icon_here, icon_told
from knightfall.services.game.shelf import is_put_away
from knightfall.services.game.status import GameStatus
from knightfall.services.pasted import pages_here
from knightfall.services.posts.write import preview
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import GamePage, Page, Step, TheGame, ThePage, asked_with, fields_of, page_at
from knightfall.web.private_eyes import OFF, ON
from knightfall.web.refused_forms import form_again
from knightfall.web.uploads import kept_files, new_folder
from knightfall.writeups.vote_words import FORMS, REASONS, could_be, house_rule, matched_by

router = APIRouter()
THE_COUNT = asked_with(CountRequest, "at", "day", "theme", "dialect")
THE_ANSWER = asked_with(CountRequest, "day", "opened", "alive")

AT_ONCE = 0.1
"""Seconds that the start page spends on looking at games before it is shown."""
SAMPLE = str(Path(__file__).parent / "sample" / "lantern-street.jsonl")
"""A thread of invented posts and players, to try the votecount with."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of the folder as the start page shows it; `fault` where it cannot be read."""

    name: str
    title: str
    found: GameStatus | None = None
    step: Step | None = None
    fault: str | Secret[str] = ""
    kind: str = ""
    pending: bool = False
    """Whether it was not looked at yet."""


@router.get("/")
def start(page: ThePage) -> Response:
    """One field for a thread, and every game with its phase and what waits."""
    only = page.web.games.only
    if only and only in page.web.games.names() and not page.request.query_params.get("all"):
        return RedirectResponse(f"/games/{only}", 303)
    began, rows = page.web.clock.elapsed(), list[GameRow]()
    names = page.web.games.names()
    away = [name for name in names if is_put_away(page.web.games.folder(name))]
    for name in names:
        if name in away:
            continue
        # The page is there at once: games that are slow to look at follow by themselves.
        late = page.web.clock.elapsed() - began > AT_ONCE
        rows.append(_row_of(GamePage(name, page.request, page.web), wait=not late))
    over = [row for row in rows if row.found is not None and row.found.is_over]
    running = [row for row in rows if row not in over]
    # Who has no game yet sees what a count looks like.
    sample = CountRequest((SAMPLE,), jsonl=True)
    example = None if names else count_votes(sample, page.web.games.thread_session()).counted.count
    samples = page.web.games.are_samples
    return page.show("start", running=running, over=over, away=away, samples=samples, example=example)


@router.post("/icon")
def make_icon(page: ThePage) -> Response:
    """Put a file on the desktop that starts the page by a double click."""
    path = icon_here(page.web.games.home)
    return page.done(
        "/settings", "A double click on the new icon on your desktop starts this page.", icon_told(path)
    )


@router.get("/games/{name}/row")
def row_of_a_game(game: TheGame) -> Response:
    """A game as the start page shows it, which asks for it once it is there."""
    return game.show("game_row", row=_row_of(game, wait=True))


def _row_of(game: GamePage, wait: bool) -> GameRow:
    """A game of the folder; without what has to be computed unless it is waited for."""
    try:
        found = game.standing() if wait else game.known_standing()
    except KnightfallError as error:
        return GameRow(game.name, game.name, fault=Secret(error.message) if error.secret else error.message)
    if found is None:
        return GameRow(game.name, game.name, pending=True)
    step = next((one for one in game.steps(found.status.next) if one.waits), None)
    return GameRow(game.name, found.status.title, found.status, step, kind=found.kind)


# ── a thread alone ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CountedThread:
    """A thread that was counted from the start page: what names it, and the folder of its saved pages."""

    words: tuple[str, ...]
    html: bool = False
    files: TemporaryDirectory[str] | None = None
    is_sample: bool = False
    answers: Answers = field(default_factory=Answers)
    """What was answered about pages that have no address to keep it with."""
    pasted: bool = False
    """Whether its pages were pasted one by one."""

    def asked(self, how: CountRequest) -> CountRequest:
        """The request of a count of this thread, whose forum was asked already."""
        kept = not self.html and not self.is_sample
        return replace(how, words=self.words, html=self.html, jsonl=self.is_sample, stored=kept)


def count_address(page: Page, address: str) -> Response:
    """Read a thread and count it, with nothing else asked."""

    def work(reading: Session, _: Job) -> str:
        count_votes(CountRequest((address,)), reading)
        return f"/counts/{page.web.keep(CountedThread((address,)))}"

    return page.follow("Reading the thread", "/", page.web.games.thread_session(), work)


@router.post("/count/sample")
def count_sample(page: ThePage) -> Response:
    """Count a thread of invented posts, to see what comes out."""
    return page.go(f"/counts/{page.web.keep(CountedThread((SAMPLE,), is_sample=True))}")


def count_files(page: Page, pages: Sequence[UploadFile]) -> Response:
    """Count pages that were saved in a browser."""
    folder = new_folder()
    paths = tuple(map(str, kept_files(pages, folder.name)))
    counted = CountedThread(paths, html=True, files=folder)
    count_votes(counted.asked(CountRequest()), page.web.games.thread_session())
    return RedirectResponse(f"/counts/{page.web.keep(counted)}", 303)


def count_text(page: Page, text: str) -> Response:
    """Count a whole thread that was pasted and names no address."""
    return count_files(page, [UploadFile(BytesIO(text.encode()), filename="What you pasted")])


@router.get("/counts/{name}")
def counted_thread(page: ThePage, name: str, asked: Annotated[CountRequest, THE_COUNT]) -> HTMLResponse:
    """The votecount of a thread that belongs to no game."""
    counted = page.web.kept.get(name)
    if not isinstance(counted, CountedThread):
        raise HTTPException(404)
    session = replace(page.web.games.thread_session(), answers=counted.answers)
    request = counted.asked(asked)
    kept = pages_here(counted.words[0], session) if counted.pasted else None
    try:
        answer = count_votes(request, session)
    except EvidenceError as error:
        if kept is None:
            raise
        # What is missing can be pasted here.
        return page.show("pasted", kept=kept, trouble="" if kept.missing else error.message)
    return page.show(
        "count",
        **count_facts(answer, request, session),
        kept=kept,
        address=f"/counts/{name}",
        answers=answers_of(answer.counted.thread, session),
        is_sample=counted.is_sample,
        is_kept=answer.counted.thread.url is not None,
        forms=FORMS,
        offers=lambda line: [*offers(line)],
    )


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer of one click: its label, and the field of the form that it fills in."""

    label: str
    name: str
    value: str
    day: str = ""


def offers(line: str) -> Iterator[Offer]:
    """The answers that a sentence offers, each as a button."""
    for way in ways_of(line):
        if way.to == "say_house":
            word = str(way.values["word"])
            yield Offer(house_rule(word), "house", word)
        elif way.to in ("say_lives", "say_dead"):
            slot, day = str(way.values["slot"]), str(way.values["day"])
            lives = way.to == "say_lives"
            said = f"{slot} lives" if lives else f"{slot} does not"
            yield Offer(said, "alive", f"{'+' if lives else '-'}{slot}", day)


async def said_of_house(request: Request) -> tuple[str, ...]:
    """What is answered about the house: a field for each question, and one that votes begin with."""
    form = await request.form()
    said = [value.strip() for name, value in fields_of(form) if re.fullmatch(r"house(?:-\d+)?", name)]
    said += [f"word:{word}" for name, value in fields_of(form) if name == "word" and (word := value.strip())]
    return tuple(word for word in said if word)


@router.post("/counts/{name}/answer")
def answer_thread(
    page: ThePage,
    name: str,
    asked: Annotated[CountRequest, THE_ANSWER],
    house: Annotated[tuple[str, ...], Depends(said_of_house)],
) -> Response:
    """Keep what is answered about the thread: which post opened a day and who was alive then, or the rules of
    the house."""
    counted = page.web.kept.get(name)
    if not isinstance(counted, CountedThread):
        raise HTTPException(404)
    names = ", ".join((asked.alive or "").replace(",", "\n").split("\n"))
    request = replace(asked, alive=names if names.strip(" ,") else None, house=house)
    if not house and asked.day is None:
        raise InputError("day: this is needed. Give its number, for example 2.")
    session = replace(page.web.games.thread_session(), answers=counted.answers)
    found = count_votes(counted.asked(request), session)
    about = "for this thread" if house else f"for day {asked.day} of this thread"
    if found.counted.thread.url is None:
        page.web.kept[name] = replace(counted, answers=answers_with(request, session))
        return page.done(f"/counts/{name}", f"That holds {about}, as long as these pages are shown.")
    return page.done(f"/counts/{name}", f"Kept {about}.")


def count_facts(answer: Any, request: CountRequest, session: Session) -> dict[str, Any]:
    """What the template of a votecount reads."""
    post = post_of(answer, request, session)
    return {
        "answer": answer,
        "count": answer.counted.count,
        "thread": answer.counted.thread,
        "post": post,
        "previews": [preview(part, post.dialect) for part in post.parts],
        "themes": themes(),
        "dialects": dialect_names(),
        "asked": request,
        "matched_by": matched_by,
        "could_be": could_be,
        "reasons": REASONS,
    }


# ── long work, eyes, bots ────────────────────────────────────────────────────────────────────────


@router.get("/jobs/{name}")
async def job_page(page: ThePage, name: str) -> Response:
    """How far long work has come; once it is done, where it leads; the form of what was refused."""
    job = page.web.jobs.get(name)
    if job is None:
        raise HTTPException(404)
    # It is looked at once: what ends while this page is made is told by the next look.
    ended = job.ended.is_set()
    job.seen = ended
    if ended and job.error is None:
        if "hx-request" in page.request.headers:
            return Response(headers={"HX-Redirect": job.then})
        return RedirectResponse(job.then, 303)
    if ended and "hx-request" in page.request.headers:
        return Response(headers={"HX-Redirect": f"/jobs/{name}"})
    if ended and isinstance(job.error, KnightfallError):
        here = page_at(job.back, page.request, page.web)
        answer = await run_in_threadpool(here.failed, job.error, job.back, secret=job.secret)
        hidden = page.web.private_eyes and (job.secret or job.error.secret)
        if job.sent is None or hidden:
            return answer
        again = await form_again(page.request, job.back, *job.sent, here, job.error)
        return again or answer
    now = page.web.clock.elapsed()
    here = page_at(job.back, page.request, page.web)
    rest = (max(0.0, job.resting[0] - now), job.resting[1]) if job.resting else None
    return await run_in_threadpool(here.show, "job", job=job, ended=ended, left=job.left(now), rest=rest)


@router.post("/jobs/{name}/stop")
def stop_job(page: ThePage, name: str) -> Response:
    """End long work; what was read so far is kept."""
    job = page.web.jobs.get(name)
    if job is None:
        raise HTTPException(404)
    job.stopping.set()
    job.ended.wait(2)
    kept = " What was read so far is kept; the next read goes on from there." if job.keeps else ""
    return page.done(job.back, f"Stopped.{kept}")


@router.post("/eyes")
def eyes(page: ThePage, hide: Annotated[str, Form()]) -> Response:
    """Hide every secret on every page, or show them."""
    page.web.private_eyes = hide == "on"
    return page.done(page.back, ON if page.web.private_eyes else OFF)


@router.get("/bots")
def bots(page: ThePage) -> HTMLResponse:
    """The tokens with which bots may read."""
    return page.show("bots", tokens=page.web.access.tokens.all(), fresh="")


@router.post("/bots")
def new_token(
    page: ThePage, name: Annotated[str, Form()] = "", scope: Annotated[str, Form()] = "public"
) -> HTMLResponse:
    """Make a token, of what players may know unless all is said; it is shown this once."""
    tokens = page.web.access.tokens
    fresh = tokens.create(name, page.web.clock.now(), page.web.random, scope != "all")
    return page.show("bots", tokens=tokens.all(), fresh=fresh)


@router.post("/bots/revoke")
def revoke_token(page: ThePage, digest: Annotated[str, Form()]) -> Response:
    """Let a token hold no more."""
    page.web.access.tokens.revoke(digest)
    return page.done("/bots", "Revoked. Who has that token reads nothing any more.")
