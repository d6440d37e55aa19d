"""The players of a game, what happens to their slots, their rooms; and the sign-ups before it begins."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, UploadFile
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.config.player_list import parse_players
from knightfall.config.setup import VOTES
from knightfall.engine.entries import Replaced
from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import Way, sentence
from knightfall.services.count.activity import ActivityReport, activity, by_silence
from knightfall.services.count.nickname_book import alias, nickname_book
from knightfall.services.count.roster import suggest
from knightfall.services.game import players, rooms, signups
from knightfall.services.pasted import pages_here
from knightfall.services.posts.people import post_of_change
from knightfall.services.posts.write import preview
from knightfall.services.requests import CountRequest, NicknameRequest, PostOptions, RoomsRequest
from knightfall.services.session import Session
from knightfall.services.threads import NeverRead, is_rich
from knightfall.services.window.message_table import roles_by_name
from knightfall.services.window.turns import history
from knightfall.storage.drafts import text_title
from knightfall.web import words
from knightfall.web.jobs import Job
from knightfall.web.pages import GamePage, TheGame, plural
from knightfall.web.paging import paged
from knightfall.web.votes_pages import read_given

router = APIRouter(prefix="/games/{name}")


@router.get("/players")
def players_page(game: TheGame) -> HTMLResponse:
    """Who plays, who is gone, who is silent, and what can be done about a slot."""
    found = game.status
    report: ActivityReport | None = None
    trouble = ""
    if game.setup.url:
        try:
            report = game.asked("activity", lambda session: activity(CountRequest(stored=True), session))
        except NeverRead:
            trouble = "The thread has not been read yet, so nobody's posts are counted."
        except KnightfallError as error:
            trouble = error.message
    rows = {row.name: row for row in by_silence(report.rows)} if report else {}
    return game.show(
        "players",
        found=found,
        rows=rows,
        report=report,
        ruled=report is not None and report.rule.after is not None,
        trouble=trouble,
        can_type=not game.begun and (game.setup.kind != VOTES or not game.journal),
        listed=[slot.name for slot in game.setup.roster.slots] if game.setup.roster else [],
        roles=Secret(roles_by_name(game.session)) if game.begun else {},
    )


@router.get("/nicknames")
def nicknames_page(game: TheGame) -> HTMLResponse:
    """The nicknames that the thread teaches, and those of earlier games on its site; looking for the former
    takes longer than a page should."""
    found = game.asked("nicknames", lambda session: suggest(CountRequest(stored=True), session))
    book, trouble = None, ""
    try:
        book = nickname_book(NicknameRequest(), game.session)
    except KnightfallError as error:
        trouble = error.message
    return game.show("nicknames", proposals=found.proposals, book=book, trouble=trouble)


@router.post("/nicknames/forget")
def forget_nickname(
    game: TheGame,
    site: Annotated[str, Form()],
    forget: Annotated[str, Form()],
    account: Annotated[str, Form()] = "",
) -> Response:
    """Take a nickname out of the book."""
    nickname_book(NicknameRequest(site, forget, account or None), game.session)
    game.web.answers.clear()  # any count of a game on that site may offer it
    return game.done(f"{game.root}/nicknames", f"“{forget}” is forgotten.")


@router.get("/players/slot")
def player_page(game: TheGame, who: str, page: str = "") -> HTMLResponse:
    """The history of a slot, and what can be done with it."""
    told = None
    if game.begun:
        try:
            told = history(who, None, game.session)
        except InputError:
            told = None
    found = game.status
    dead = {one.name.partition(" (was ")[0]: one.how for one in found.dead}
    alive = {name.partition(" (was ")[0] for name in found.alive}
    if told is None and who not in alive | dead.keys():
        raise HTTPException(404)
    entries = Secret(paged(told.entries[::-1] if told else (), page)) if game.begun else None
    how = dead.get(who, "")
    return game.show("player", who=who, told=entries, how=how, begun=game.begun, text_title=text_title)


def _changed(game: GamePage, change: players.SlotChange, said: str) -> Response:
    """On to the post of a change, with what a replacement has to get."""
    owed = f"They need these PMs: {', '.join(batch.words for batch in change.owed)}." if change.owed else ""
    texts = []
    if isinstance(change.record.entry, Replaced):
        new = quote(change.record.entry.name)
        texts = [
            (f"{game.root}/pms/{batch.kind.partition('-')[0]}?batch={batch.kind}&to={new}", batch.words)
            for batch in change.owed
        ]
    if game.begun:  # where it is copied and marked as posted, in the game's own words
        to = f"{game.root}/posts/{post_of_change(change.record.entry)}"
    else:
        to = game.text_link(change.post.file) if change.post else f"{game.root}/players"
    owes = Secret(owed) if owed else ""
    return game.moved_on(to, said, owes, entry=change.record.number, secret_texts=texts)


@router.post("/players/slot/{what}")
def change_player(
    game: TheGame,
    who: str,
    what: str,
    new: Annotated[str, Form()] = "",
    at: Annotated[str, Form()] = "",
    days: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Replace, modkill, kill, revive, note an absence or a nickname, or prod."""
    options, post = PostOptions(), at.strip() or None
    with game.changing():
        match what:
            case "replace":
                change = players.replace_player(who, new, post, why, options, game.session)
                return _changed(game, change, f"{new.strip()} replaces {change.name}.")
            case "modkill":
                change = players.modkill(who, post, why, options, game.session)
                return _changed(game, change, f"{change.name} is out of the game.")
            case "kill":
                change = players.kill(who, post, why, options, game.session)
                return _changed(game, change, f"{change.name} is dead.")
            case "revive":
                change = players.revive(who, post, why, options, game.session)
                return _changed(game, change, f"{change.name} is alive again.")
            case "vla":
                absence = players.note_absence(who, days, options, game.session)
                said = f"{absence.name} is away from {absence.first:%a %d %b} to {absence.last:%a %d %b %Y}."
                return game.done(game.text_link(absence.post.file), said, entry=absence.record.number)
            case "alias":
                record = alias(who, new, why, game.session)
                return game.done(
                    f"{game.root}/players", f"“{new.strip()}” means {who} from now on.", entry=record.number
                )
            case "prod":
                prods = players.prod((who,), False, options, game.session)
                return _prodded(game, prods)
    raise HTTPException(404)


@router.post("/prods")
def prod_due(game: TheGame) -> Response:
    """Prod everybody who is due."""
    with game.changing():
        return _prodded(game, players.prod((), False, PostOptions(), game.session))


def _prodded(game: GamePage, prods: players.Prods) -> Response:
    """On to the post that tells how many were prodded, with the PMs to copy."""
    post = game.text_link(prods.post.file) if prods.post else ""
    to = game.back_to(post or f"{game.root}/players")
    entry = prods.entries[-1][0].number if prods.entries else 0
    return game.done(
        to,
        Secret(f"Prodded: {', '.join(prods.names)}.", "The prods are written."),
        "This post says how many were prodded, not who." if prods.post else "",
        Secret("Send each their PM:", "Their PMs are written."),
        entry=entry,
        texts=[(post, "The post")] if post and to != post else (),
        secret_texts=game.private_links(prods.files),
    )


@router.post("/note")
def note(game: TheGame, text: Annotated[str, Form()] = "") -> Response:
    """A note for everybody."""
    with game.changing():
        written = players.write_note(text, PostOptions(), game.session)
    return game.done(game.text_link(written.post.file), "The note is kept. Paste it into the thread.")


# ── rooms ────────────────────────────────────────────────────────────────────────────────────────


@router.get("/rooms")
def rooms_page(game: TheGame) -> HTMLResponse:
    """Who should be in each private topic, and what is to be done."""
    return game.show("rooms", ledger=rooms.rooms(game.session))


@router.post("/rooms")
def mark_rooms(
    game: TheGame,
    room: Annotated[str, Form()] = "",
    account: Annotated[str, Form()] = "",
) -> Response:
    """Note who was let in and taken out: one account, a whole room, or all of them."""
    with game.changing():
        marked = rooms.mark_rooms(RoomsRequest(room, (account,) if account else ()), game.session)
    said = Secret(f"{'; '.join(one.said for one in marked.moves)}.", "It is noted.")
    return game.moved_on(game.back_to(f"{game.root}/rooms"), said, entry=marked.entry)


# ── sign-ups ─────────────────────────────────────────────────────────────────────────────────────


@router.get("/signups")
def signups_page(game: TheGame) -> HTMLResponse:
    """Every post of the sign-up thread with how it was read."""
    trouble, found, post = "", None, ""
    try:
        found = signups.read_signups(CountRequest(stored=True), None, game.session)
        post = signups.signup_post(found, game.session)
    except NeverRead:
        trouble = "The sign-up thread has not been read yet."
    except KnightfallError as error:
        trouble = error.message
    url = next((one.url for one in game.setup.threads if one.role == "signup"), "")
    return game.show(
        "signups",
        found=found,
        trouble=trouble,
        url=url,
        kept=pages_here(url, game.session) if url else None,
        post=post,
        rich=is_rich(found.dialect) if found else False,
        look=preview(post, found.dialect) if found else None,
        listed=[slot.name for slot in game.setup.roster.slots] if game.setup.roster else [],
        begun=game.begun,
        words=("in", "out", "sub", "spec", "ignore"),
    )


@router.post("/signups/read")
def read_signups(game: TheGame) -> Response:
    """Read every page of the sign-up thread."""

    def work(session: Session, _: Job) -> str:
        found = signups.read_signups(CountRequest(), None, session)
        said = f"{plural(len(found.posts), 'post')} read, {len(found.lists.players)} in."
        return game.done(f"{game.root}/signups", said).headers["location"]

    return game.follow("Reading the sign-ups", f"{game.root}/signups", game.session, work)


@router.post("/signups/pages")
def read_signup_pages(game: TheGame, pages: list[UploadFile]) -> Response:
    """Read pages of the sign-up thread that were saved in a browser."""
    url = next((one.url for one in game.setup.threads if one.role == "signup"), None)
    if url is None:
        raise InputError(
            sentence("The game has no sign-up thread. First: {name}.", name=Way("name_thread", role="signup"))
        )
    return read_given(game, pages, url, f"{game.root}/signups")


@router.post("/players/typed")
def type_players(game: TheGame, players: Annotated[str, Form()] = "") -> Response:
    """List who plays, until the deal."""
    with game.changing():
        names = parse_players(players, "the list of players")
        typed = signups.write_players(tuple(map(str, names)), game.session)
    said = f"The game now lists {plural(len(typed.players), 'player')}."
    gone = f"Removed: {', '.join(typed.removed)}." if typed.removed else ""
    return game.moved_on(game.root, said, gone)


@router.post("/signups/decide")
def decide_signup(
    game: TheGame,
    post: Annotated[str, Form()],
    word: Annotated[str, Form()],
    why: Annotated[str, Form()] = "",
) -> Response:
    """Say what a post of the sign-up thread means."""
    with game.changing():
        record = signups.decide(post, word, why.strip() or "decided on the page", game.session)
    return game.done(f"{game.root}/signups", f"Post {post}: {words.answer(word)}.", entry=record.number)


@router.post("/signups/write")
def write_signups(game: TheGame) -> Response:
    """Bring the players of the game file up to date."""
    with game.changing():
        found = signups.read_signups(CountRequest(stored=True), None, game.session)
        written = signups.write_signups(found, game.session)
    if written.dealt:
        return game.done(f"{game.root}/signups", "The roles have been dealt, so the list was not changed.")
    return game.done(
        f"{game.root}/signups",
        f"The game now lists {plural(written.players, 'player')}.",
        f"Added: {', '.join(written.added)}." if written.added else "",
        f"Removed: {', '.join(written.removed)}." if written.removed else "",
        f"Not signed up, but kept because you added them: {', '.join(written.by_hand)}."
        if written.by_hand
        else "",
    )
