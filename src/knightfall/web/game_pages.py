"""A game's deadlines and deal, its log, its end, and the texts that lie in its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from knightfall.audience import Audience, Secret
from knightfall.config.setup import VOTES
from knightfall.engine.journal import Record
from knightfall.errors import FieldError, InputError, KnightfallError
from knightfall.sentence import Way
from knightfall.services.day import phases
from knightfall.services.day.deadlines import deadlines, set_deadline
from knightfall.services.deal import file_options, parse_hex
from knightfall.services.fair_deal import commitment_text, promise_of
from knightfall.services.game.due import due
from knightfall.services.game.file import game_text, name_thread, save_game_text
from knightfall.services.game.new import assumed_setup, deal_game, setup_option
from knightfall.services.game.setups import mended_setup, pasted_setup, setup_reading
from knightfall.services.game.shelf import delete_game, is_put_away, put_away
from knightfall.services.game.undo import UndoLook, look_at_undo, undo
from knightfall.services.games import game_named
from knightfall.services.journal import log, rule
from knightfall.services.keep.archive import write_archive
from knightfall.services.keep.verify import Verification, verify_game
from knightfall.services.now import now_of
from knightfall.services.posts.framing import winner_named
from knightfall.services.posts.write import Preview, preview
from knightfall.services.requests import DealRequest, PhaseRequest, PostOptions
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import is_rich, speech_of
from knightfall.storage.drafts import PUBLIC
from knightfall.web import words
from knightfall.web.host_pages import ROLES
from knightfall.web.jobs import Job
from knightfall.web.pages import (
    GamePage,
    Notice,
    TheGame,
    asked_with,
    file_of,
    plural,
    text_file,
)
from knightfall.web.paging import Paged, paged
from knightfall.writeups.journal import entry_line

router = APIRouter(prefix="/games/{name}")
THE_PHASE = asked_with(PhaseRequest, "kind", "number", "begins", "ends", "post", "past", "shorten", "far")
TELLS_DEADLINE = ("opening", "day-start", "end-of-day", "dawn")
"""Posts that tell until when what they begin lasts."""
ARCHIVES = {"public": "public", "private": "private"}


# ── deadlines ────────────────────────────────────────────────────────────────────────────────────


@router.get("/phases")
def phases_page(game: TheGame) -> HTMLResponse:
    """The deadline of each phase that is open, or comes."""
    return game.show("phases", deadlines=deadlines(game.session))


@router.post("/phases/{what}")
def change_phase(
    game: TheGame,
    what: str,
    request: Annotated[PhaseRequest, THE_PHASE],
    why: Annotated[str, Form()] = "",
) -> Response:
    """Set a deadline, stop or lock a phase, and show the post that tells everybody."""
    options = PostOptions()
    with game.changing():
        if what == "lock":
            locked = phases.lock(request, game.session)
            said = f"{locked.kind.capitalize()} {locked.number} is locked after post {locked.post}."
            return game.done(game.root, said, "Later posts don't count.", entry=locked.record.number)
        if what == "deadline":
            change = set_deadline(request, options, game.session, why)
        elif what == "stop":
            change = phases.stop(request, why, options, game.session)
        else:
            raise HTTPException(404)
    if change.deadline is None:
        said = f"{change.title} is paused."
    else:
        ends = " = ".join(game.moment(change.deadline).clocks)
        said = f"{change.title} {'now ends' if change.before else 'ends'} {ends}."
    more = []
    if change.overdue is not None:
        more.append("The old deadline had passed. What was sent since then counts now.")
        if not phases.counts_posts(change.title):
            more.append("Record those messages again that were refused as late.")
    more += [f"{title} now ends {' = '.join(game.moment(ends).clocks)}." for title, ends in change.also]
    if change.elsewhere:
        still = ", ".join(change.elsewhere)
        more.append(f"This is still open in the game: {still}. The deadline counts from when it opens there.")
    if change.clocks is not None:
        more.append(f"The clocks change before then. The other reading is {change.clocks.other}.")
    if change.deadline is not None and change.before is None and (teller := _post_that_tells(game)):
        more.append(f"“{words.post(teller)}”, which you have not posted yet, tells it to everybody.")
        return game.moved_on(game.back_to(game.onward), said, *more, entry=change.record.number)
    post = game.text_link(change.post.file)
    to = game.back_to(post)
    texts = ((post, "The post that tells it"),) if to != post else ()
    paste = "" if texts else "Paste this post into the thread."
    return game.moved_on(to, said, *more, paste, entry=change.record.number, texts=texts)


def _post_that_tells(game: GamePage) -> str:
    """The kind of a post that is due and tells the deadline of what is open; "" where none is."""
    found = due(game.session)
    if any(one.way == Way("name_thread", role="game") for one in found):
        return "opening"  # the thread begins with it
    kinds = (str(one.way.values["kind"]) for one in found if one.way.to == "post")
    return next((kind for kind in kinds if kind in TELLS_DEADLINE), "")


# ── the deal ─────────────────────────────────────────────────────────────────────────────────────


@router.get("/deal")
@router.get("/deal/read")
def deal_page(game: TheGame) -> HTMLResponse:
    """Deal the roles to the players of the game file."""
    return _deal(game)


@router.post("/deal/read")
async def read_setup_back(game: TheGame, request: Request) -> HTMLResponse:
    """The same with a setup of one's own as it is understood; a line that was chosen goes into it."""
    form = await request.form()
    said = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    own = said.get("own_setup", "")
    if chosen := said.get("mend", ""):
        own = mended_setup(own, chosen, said.get(f"typed-{chosen.partition(':')[0]}", ""))
    return await run_in_threadpool(_deal, game, own, said)


def _deal(game: GamePage, own: str = "", said: Mapping[str, str] | None = None) -> HTMLResponse:
    slots = game.setup.roster.slots if game.setup.roster else ()
    named = file_options(game.setup, game.session.folder)
    journal = journal_of(game.session)
    promise = promise_of(journal)
    return game.show(
        "deal",
        players=[slot.name for slot in slots],
        seats=_seats(game),
        setup_option=setup_option(game.setup.kind),
        assumed=assumed_setup(game.setup.kind, named),
        named="setup" in named,
        own=own,
        reading=Secret(setup_reading(own) if own else None),
        said=said or {},
        promise=promise,
        check_page=game.setup.check_page,
        committed=commitment_text(game.session.folder, promise.number) if promise else "",
    )


def _seats(game: GamePage) -> tuple[str, ...]:
    """What each player is by their place, where that decides."""
    return () if game.setup.kind == VOTES else game_named(game.setup.kind).spec.seats


@router.post("/deal")
def deal_now(
    game: TheGame,
    seat: Annotated[list[str] | None, Form()] = None,
    setup: Annotated[str, Form()] = "",
    own_setup: Annotated[str, Form()] = "",
    seed: Annotated[str, Form()] = "",
    salt: Annotated[str, Form()] = "",
) -> Response:
    """Deal, and begin the game."""
    chance = parse_hex("Seed", seed.strip()) if seed.strip() else game.web.random(32)
    grain = parse_hex("Salt", salt.strip()) if salt.strip() else game.web.random(32)
    code, own = setup.strip(), own_setup.strip()
    if code.endswith(".toml") or (code and own):
        raise InputError("Give the code of a setup, or paste the lines of your own; not both.")
    seated = tuple(seat or ())
    for title, name in zip(_seats(game), seated, strict=False):
        if not name:
            raise FieldError(f"Who is the {title}?", "seat")
    with game.changing():
        chosen = pasted_setup(own, game.title) if own else code
        begun = deal_game(DealRequest(chance, grain, setup=chosen, seated=seated), game.session)
    return game.done(
        game.back_to(game.onward),
        f"Dealt to {plural(len(begun.slots), 'player')}. The game has begun.",
        f"No setup was named, so this one is used: {begun.assumed}." if begun.assumed else "",
        f"Commitment of the deal (safe to post): sha256:{begun.commitment}",
    )


# ── the log ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry of the log as it is shown."""

    number: int
    when: str
    author: str
    said: str
    undone: bool


@router.get("/log")
def log_page(game: TheGame, q: str = "", page: str = "") -> HTMLResponse:
    """Every entry in plain words, the newest first, and what would be taken back with it."""
    found = game.secretly(lambda: _log_rows(game, q, page))
    taken = game.secretly(
        lambda: [f"{one.said}, {game.local(one.at)}." for one in log(game.session).taken_over]
    )
    return game.show("log", list=found, taken=taken, entries=Secret(len(game.journal)), q=q)


def _log_rows(game: GamePage, q: str, page: str) -> Paged[LogRow]:
    """The entries in which something is said, or by whom it was."""
    wanted, own = q.casefold().strip(), game.session.author
    said = [
        (one, one.said, "you" if one.record.author == own else one.record.author)
        for one in reversed(log(game.session).entries)
    ]
    found = paged([row for row in said if wanted in f"{row[1]} {row[2]}".casefold()], page)
    return found.shown_as(
        lambda row: LogRow(row[0].record.number, game.local(row[0].record.at), row[2], row[1], row[0].undone)
    )


@dataclass(frozen=True, slots=True)
class UndoRows:
    """What an undo takes back, in words."""

    look: UndoLook
    said: str
    follows: list[str]
    changes: list[str]
    waits: list[str]
    posted: list[str]
    sent: list[str]


@router.get("/log/{number}/undo")
def undo_page(game: TheGame, number: int) -> HTMLResponse:
    """What taking an entry back would take back."""

    def told(records: Iterable[Record]) -> list[str]:
        return [f"{one.number}: {entry_line(one.entry, one.at, game.zone)}" for one in records]

    def looked() -> UndoRows:
        seen = look_at_undo(number, game.session)
        said = entry_line(seen.record.entry, seen.record.at, game.zone)
        return UndoRows(
            seen,
            said,
            told(seen.follows),
            told(seen.changes),
            told(seen.waits),
            told(seen.posted),
            told(seen.sent),
        )

    return game.show("undo", number=number, rows=game.secretly(looked))


@router.post("/log/{number}/undo")
def undo_now(game: TheGame, number: int, why: Annotated[str, Form()] = "") -> Response:
    """Take an entry back; that a text went out, to go on with that text."""
    with game.changing():
        done = undo(number, why, game.session)
    return game.moved_on(
        game.back_to(game.marked_text(number) or f"{game.root}/log"),
        f"Entry {number} is taken back.",
        *(
            Secret(f"{what}: {words.titles(files)}.")
            for what, files in (
                ("No longer valid, and put away", done.void),
                ("Written again", done.anew),
            )
            if files
        ),
        entry=done.record.number,
    )


@router.post("/rule")
def rule_now(
    game: TheGame,
    question: Annotated[str, Form()] = "",
    answer: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
    tell: Annotated[str, Form()] = "",
) -> Response:
    """Keep how a question of the rules was decided."""
    with game.changing():
        record = rule(question, answer, why, game.session, bool(tell))
    return game.done(f"{game.root}/log", "Your ruling is recorded.", entry=record.number)


# ── the game file ────────────────────────────────────────────────────────────────────────────────


@router.get("/file")
def file_page(game: TheGame) -> HTMLResponse:
    """The game file, to edit; one that is not in order, too."""
    found, trouble = game_text(game.session), ""
    try:
        _ = game.setup
    except KnightfallError as error:
        trouble = error.message
    return _file_page(game, found.text, found.digest, trouble, 200)


def _file_page(game: GamePage, text: str, digest: str, trouble: str, status: int) -> HTMLResponse:
    facts = {"text": Secret(text), "digest": digest, "trouble": Secret(trouble)}
    try:
        _ = game.links
    except KnightfallError:  # the file on the disk is not in order, so nothing of the game is known
        return game.show("file", status, game=None, **facts)
    return game.show("file", status, **facts)


@router.post("/file")
def save_file(
    game: TheGame, text: Annotated[str, Form()] = "", digest: Annotated[str, Form()] = ""
) -> Response:
    """Check the game file and write it; a mistake leaves it as it was, and what was typed stays."""
    try:
        with game.changing():
            save_game_text(text, digest, game.session)
    except KnightfallError as error:
        return _file_page(game, text, digest, error.message, 400)
    return game.done(game.root, "The game file is written.")


@router.get("/thread/{role}")
def thread_page(game: TheGame, role: str) -> HTMLResponse:
    """Name a thread that the game file does not name yet."""
    label = dict(ROLES).get(role)
    if label is None:
        raise HTTPException(404)
    known = [one.url for one in game.setup.threads if one.role == role]
    return game.show("thread", role=role, label=label, addresses=known)


@router.post("/thread/{role}")
def name_thread_now(game: TheGame, role: str, address: Annotated[str, Form()] = "") -> Response:
    """Write the address of a thread into the game file."""
    with game.changing():
        url = name_thread(role, address, game.session)
    return game.done(game.back_to(game.onward), f"The {role} thread is {url}.")


# ── texts of the folder ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of the folder as the page shows it."""

    name: str
    half: str
    text: str
    rich: bool
    look: Preview


@router.get("/texts/{half}/{file}")
def text_page(game: TheGame, half: str, file: str) -> HTMLResponse:
    """A post or a PM of the folder, to copy."""
    if half != PUBLIC and game.reader is not Audience.MODERATOR:
        # Not even whether there is such a file.
        return game.show("text", shown=Secret(None))
    named = text_file(game.session.folder, half, file)
    found = file_of(game.session.folder, half, named.name if named else file)
    if found is None or found.suffix not in (".txt", ".csv", ".json", ".ics"):
        raise HTTPException(404)
    text = found.read_text(encoding="utf-8").rstrip("\n")
    speech = speech_of(None, game.setup, game.session)
    title = named.title if named else words.text_kind(file)
    looks = preview(text, speech, game.setup.roster)
    shown = ShownText(title, half, text, is_rich(speech), looks)
    return game.show("text", shown=shown)


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


@router.get("/end")
def end_page(game: TheGame, check: str = "") -> HTMLResponse:
    """Who won, the last posts, the archive and the checks."""
    found = game.web.kept.get(check)
    outcome = game.table.game.outcome(game.table.state) if game.table else None
    context = now_of(game.session)
    places = {half: game.session.folder / half / "archive" for half in ARCHIVES}
    there = {half: (place / "index.html").is_file() for half, place in places.items()}
    matches = {half: (place / "match.html").is_file() for half, place in places.items()}
    return game.show(
        "end",
        over=outcome is not None,
        outcome=outcome,
        winner=winner_named(context),
        winners=[context.shown(str(slot)) for slot in outcome.slots] if outcome else [],
        verified=found if isinstance(found, Verification) else None,
        there=there,
        matches=matches,
        begun=game.begun,
        away=is_put_away(game.session.folder),
    )


@router.post("/end/shelf")
def put_it_away(game: TheGame, away: Annotated[str, Form()] = "") -> Response:
    """Put the game away, or bring it back."""
    with game.changing():
        put_away(game.session, bool(away))
    said = "The game is put away." if away else "The game is listed again."
    return game.done("/?all=1" if away else game.root, said)


@router.post("/end/delete")
def delete_it(game: TheGame, typed: Annotated[str, Form()] = "") -> Response:
    """Delete the game."""
    with game.changing():
        if typed.strip() == game.name:
            game.web.watches.stop(game.name)
        left = delete_game(typed, game.session)
    game.web.forget(game.name)
    stays = f"These files of its folder are not the game's, and stay: {', '.join(left)}." if left else ""
    return game.told_at("/?all=1", Notice(f"{game.name} is deleted.", (stays,) if stays else ()))


@router.post("/end/verify")
def verify_now(game: TheGame) -> Response:
    """Check the log, the deal, and every text that was posted."""

    def work(session: Session, _: Job) -> str:
        return f"{game.root}/end?check={game.web.keep(verify_game(session))}#checked"

    return game.follow("Checking that nothing was changed", f"{game.root}/end", game.session, work)


@router.post("/end/archive")
def archive_now(game: TheGame, public: Annotated[str, Form()] = "") -> Response:
    """Write the game as pages to keep."""

    def work(session: Session, _: Job) -> str:
        made = write_archive(session, bool(public), None, "")
        said = f"The archive is written: {made.first} and {plural(made.files - 1, 'other file')}."
        secret = "It contains secrets, so keep it to yourself." if made.secret else ""
        answer = game.done(game.back_to(f"{game.root}/end"), said, secret)
        return answer.headers["location"]

    return game.follow("Writing the archive", f"{game.root}/end", game.session, work)


@router.get("/archive/{half}/{path:path}")
def archive_file(game: TheGame, half: str, path: str) -> Response:
    """A page of the archive that was written."""
    if half != "public":
        game.for_the_moderator()
    if not path.isprintable():
        raise HTTPException(404)
    place = game.session.folder / ARCHIVES.get(half, "public") / "archive"
    file = (place / (path or "index.html")).resolve()
    if not file.is_relative_to(place.resolve()) or not file.is_file():
        raise HTTPException(404)
    return FileResponse(file)


@router.get("/archive/{half}")
def archive_first(game: TheGame, half: str) -> Response:
    """The first page of an archive."""
    return RedirectResponse(f"{game.root}/archive/{half}/index.html", 303)
