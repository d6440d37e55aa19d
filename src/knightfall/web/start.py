"""The start: count a thread, the games of the folder, a new game, long work, private eyes, bots' tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Request, UploadFile
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from knightfall.audience import Secret
from knightfall.config.player_list import parse_players
from knightfall.config.setup import VOTES
from knightfall.engine.game import Option
from knightfall.errors import InputError, KnightfallError
from knightfall.markup.dialects import dialect_names
from knightfall.services.count.day_answers import answers_of
from knightfall.services.count.request import themes
from knightfall.services.count.votecount import count_votes, post_of
from knightfall.services.deal import pasted_setup
from knightfall.services.game.lookups import games
from knightfall.services.game.new import begin, folder_of, kind_of, preview_game
from knightfall.services.game.status import GameStatus
from knightfall.services.games import chosen_values, game_named
from knightfall.services.posts.write import preview_html
from knightfall.services.requests import CountRequest, NewGameRequest
from knightfall.services.session import Session
from knightfall.web.jobs import Job
from knightfall.web.pages import GamePage, Page, Step, TheGame, ThePage, asked_with, page_at
from knightfall.web.private_eyes import OFF, ON
from knightfall.web.refused_forms import form_again
from knightfall.web.uploads import kept_files, new_folder
from knightfall.writeups.vote_words import REASONS, could_be, matched_by

router = APIRouter()
THE_COUNT = asked_with(CountRequest, "at", "day", "theme", "dialect")
THE_DAY = asked_with(CountRequest, "day", "opened", "alive")
ROLES = (
    ("signup", "Sign-up thread"),
    ("game", "Game thread"),
    ("vote", "Thread for votes alone"),
    ("private", "Private thread"),
    ("dead", "Thread of the dead"),
)


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
    for name in page.web.games.names():
        # The page is there at once: games that are slow to look at follow by themselves.
        late = page.web.clock.elapsed() - began > AT_ONCE
        rows.append(_row_of(GamePage(name, page.request, page.web), wait=not late))
    over = [row for row in rows if row.found is not None and row.found.is_over]
    running = [row for row in rows if row not in over]
    # Who has no game yet sees what a count looks like.
    sample = CountRequest((SAMPLE,), jsonl=True)
    example = None if rows else count_votes(sample, page.web.games.thread_session()).counted.count
    return page.show("start", running=running, over=over, home=page.web.games.home, example=example)


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

    def asked(self, how: CountRequest) -> CountRequest:
        """The request of a count of this thread, whose forum was asked already."""
        kept = not self.html and not self.is_sample
        return replace(how, words=self.words, html=self.html, jsonl=self.is_sample, stored=kept)


@router.post("/count")
def count_address(page: ThePage, address: Annotated[str, Form()] = "") -> Response:
    """Read a thread and count it, with nothing else asked."""
    words = (address.strip(),) if address.strip() else ()
    session = page.web.games.thread_session()

    def work(reading: Session, _: Job) -> str:
        count_votes(CountRequest(words), reading)
        return f"/counts/{page.web.keep(CountedThread(words))}"

    return page.follow("Reading the thread", "/", session, work)


@router.post("/count/sample")
def count_sample(page: ThePage) -> Response:
    """Count a thread of invented posts, to see what comes out."""
    return page.go(f"/counts/{page.web.keep(CountedThread((SAMPLE,), is_sample=True))}")


@router.post("/count/files")
def count_files(page: ThePage, pages: list[UploadFile]) -> Response:
    """Count pages that were saved in a browser."""
    folder = new_folder()
    paths = tuple(map(str, kept_files(pages, folder.name)))
    if not paths:
        raise InputError("Choose the pages of the thread that you saved in your browser.")
    counted = CountedThread(paths, html=True, files=folder)
    count_votes(counted.asked(CountRequest()), page.web.games.thread_session())
    return RedirectResponse(f"/counts/{page.web.keep(counted)}", 303)


@router.get("/counts/{name}")
def counted_thread(page: ThePage, name: str, asked: Annotated[CountRequest, THE_COUNT]) -> HTMLResponse:
    """The votecount of a thread that belongs to no game."""
    counted = page.web.kept.get(name)
    if not isinstance(counted, CountedThread):
        raise HTTPException(404)
    session = page.web.games.thread_session()
    request = counted.asked(asked)
    answer = count_votes(request, session)
    return page.show(
        "count",
        **count_facts(answer, request, session),
        address=f"/counts/{name}",
        answers=answers_of(answer.counted.thread, session),
        is_sample=counted.is_sample,
    )


@router.post("/counts/{name}/answer")
def answer_day(
    page: ThePage,
    name: str,
    asked: Annotated[CountRequest, THE_DAY],
) -> Response:
    """Keep which post opened a day of the thread, and who was alive then."""
    counted = page.web.kept.get(name)
    if not isinstance(counted, CountedThread):
        raise HTTPException(404)
    if asked.day is None:
        raise InputError("day: this is needed. Give its number, for example 2.")
    names = ", ".join((asked.alive or "").replace(",", "\n").split("\n"))
    request = replace(asked, alive=names if names.strip(" ,") else None)
    count_votes(counted.asked(request), page.web.games.thread_session())
    return page.done(f"/counts/{name}", f"Kept for day {asked.day} of this thread.")


def count_facts(answer: Any, request: CountRequest, session: Session) -> dict[str, Any]:
    """What the template of a votecount reads."""
    post = post_of(answer, request, session)
    return {
        "answer": answer,
        "count": answer.counted.count,
        "thread": answer.counted.thread,
        "post": post,
        "previews": [preview_html(part, post.dialect) for part in post.parts],
        "themes": themes(),
        "dialects": dialect_names(),
        "asked": request,
        "matched_by": matched_by,
        "could_be": could_be,
        "reasons": REASONS,
    }


# ── a new game ───────────────────────────────────────────────────────────────────────────────────


@router.get("/host")
def host(page: ThePage) -> HTMLResponse:
    """Which game?"""
    return page.show("host", games=games().games)


@router.get("/host/{kind}")
def host_form(page: ThePage, kind: str) -> HTMLResponse:
    """What a new game is made of."""
    return _form(page, kind_of(kind), {})


def _form(page: Page, kind: str, said: Mapping[str, str]) -> HTMLResponse:
    name, options, players = "Votecounts", tuple[Option, ...](), ""
    if kind != VOTES:
        spec = game_named(kind).spec
        name = spec.name
        asked = {*spec.asked, "setup"}
        options = tuple(one for one in spec.options if one.name in asked)
        fits = spec.players
        players = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
    return page.show(
        "host_form",
        kind=kind,
        name=name,
        options=options,
        players=players,
        dialects=dialect_names(),
        roles=ROLES,
        said=said,
        home=page.web.games.home,
    )


@router.post("/host/{kind}")
async def host_preview(page: ThePage, kind: str, request: Request) -> HTMLResponse:
    """Show what would be made: the game file and the first posts. Nothing is written."""
    form = await request.form()
    said = {name: str(value).strip() for name, value in form.items() if isinstance(value, str)}
    kind = kind_of(kind)
    made = _request_of(page, kind, said)
    found = preview_game(made, page.web.games.make(made.folder))
    name = page.web.keep(made)
    speech = made.site or "plain"
    posts = [(text, preview_html(text, speech)) for text in found.posts]
    own = said.get("option-setup", "") if isinstance(made.options.get("setup"), Mapping) else ""
    return page.show(
        "host_preview",
        found=found,
        posts=posts,
        asked=made,
        name=name,
        kind=kind,
        said=said,
        own_setup=Secret(own) if own else "",
    )


def _request_of(page: Page, kind: str, said: Mapping[str, str]) -> NewGameRequest:
    """The request that a form makes. Raises InputError for what cannot be."""
    web = page.web
    if not said.get("title"):
        raise InputError("Give the game a title.")
    options: dict[str, object] = {}
    if kind != VOTES:
        spec = game_named(kind).spec
        for option in spec.options:
            value = said.get(f"option-{option.name}", "")
            if not value:
                continue
            listed = option.name == "setup" and option.pattern and value not in option.values
            options[option.name] = pasted_setup(value, said["title"]) if listed else value
        chosen = chosen_values(spec.name, spec.options, options)
        # Only what differs from the default is written down; a setup is always named.
        options = {
            one.name: own if isinstance(own := options[one.name], Mapping) else chosen[one.name]
            for one in spec.options
            if one.name in options and (one.name == "setup" or chosen[one.name] != one.default)
        }
    threads = tuple(
        (role, address) for role, _ in ROLES for address in said.get(f"thread-{role}", "").split() if address
    )
    players = parse_players(said["players"], "the list of players") if said.get("players") else ()
    moderators = tuple(one.strip() for one in said.get("moderators", "").split(",") if one.strip())
    return NewGameRequest(
        kind,
        tuple(map(str, players)),
        web.games.home / folder_of(said["title"]),
        web.random(32),
        web.random(32),
        said["title"],
        said.get("timezone") or "UTC",
        options,
        "",
        said.get("site", ""),
        moderators,
        threads,
    )


@router.post("/host/{kind}/create")
def host_create(page: ThePage, kind: str, name: Annotated[str, Form()]) -> Response:
    """Make the folder of the game that was shown."""
    made = page.web.kept.get(name)
    if not isinstance(made, NewGameRequest):
        raise InputError("This form is too old. Fill it in again.")
    made.folder.parent.mkdir(parents=True, exist_ok=True)
    new = begin(replace(made), page.web.games.make(made.folder))
    page.web.kept.pop(name, None)
    home = f"/games/{new.folder.name}"
    if new.begun is None:
        more = "Nobody plays yet. Read the sign-ups, or write the players into game.toml, then deal."
        return page.done(
            home, f"Created {new.folder.name}. Only you can open it.", more if kind != VOTES else ""
        )
    return page.done(
        home,
        f"Created {new.folder.name}, and dealt to {len(new.begun.slots)} players.",
        f"Commitment of the deal (safe to post): sha256:{new.begun.commitment}",
    )


# ── long work, eyes, bots ────────────────────────────────────────────────────────────────────────


@router.get("/jobs/{name}")
async def job_page(page: ThePage, name: str) -> Response:
    """How far long work has come; once it is done, where it leads; the form of what was refused."""
    job = page.web.jobs.get(name)
    if job is None:
        raise HTTPException(404)
    if job.ended.is_set() and job.error is None:
        if "hx-request" in page.request.headers:
            return Response(headers={"HX-Redirect": job.then})
        return RedirectResponse(job.then, 303)
    if job.ended.is_set() and "hx-request" in page.request.headers:
        return Response(headers={"HX-Redirect": f"/jobs/{name}"})
    if job.ended.is_set() and isinstance(job.error, KnightfallError):
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
    return await run_in_threadpool(here.show, "job", job=job, left=job.left(now), rest=rest)


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
def new_token(page: ThePage, name: Annotated[str, Form()] = "") -> HTMLResponse:
    """Make a token; it is shown this once."""
    tokens = page.web.access.tokens
    fresh = tokens.create(name, page.web.clock.now(), page.web.random)
    return page.show("bots", tokens=tokens.all(), fresh=fresh)


@router.post("/bots/revoke")
def revoke_token(page: ThePage, digest: Annotated[str, Form()]) -> Response:
    """Let a token hold no more."""
    page.web.access.tokens.revoke(digest)
    return page.done("/bots", "Revoked. Who has that token reads nothing any more.")
