"""A game's home: everything that waits in it, each done there, beside how the game stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from knightfall.errors import KnightfallError
from knightfall.sentence import Way
from knightfall.services import pms
from knightfall.services.count.looked import since_looked
from knightfall.services.count.votecount import count_votes, post_of
from knightfall.services.day.deadlines import deadlines
from knightfall.services.deal import file_options
from knightfall.services.fair_deal import promise_of
from knightfall.services.game.new import setup_option
from knightfall.services.games import game_named
from knightfall.services.posts.write import preview
from knightfall.services.rehearsal import is_rehearsal
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.services.threads import kept_thread
from knightfall.services.window.message_table import MessageRow, message_table
from knightfall.web.pages import GamePage, Step, TheGame, plural
from knightfall.web.posts_pages import drafted
from knightfall.web.votes_pages import DECIDED

router = APIRouter(prefix="/games/{name}")


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits, and how it is done in place: by the form of that name in `_inbox.html`, with what it shows.
    `form` is "" where it leads to its page."""

    step: Step
    form: str = ""
    shown: object = None


class RowToSettle(NamedTuple):
    """A row of what is open that is not settled, and when it could be sent last where its time is up."""

    row: MessageRow
    is_over: object


class TextToCopy(NamedTuple):
    """A public text part by part, with what its board would make otherwise."""

    parts: tuple[str, ...]
    rich: bool
    remarks: tuple[str, ...]


@router.get("")
def today(game: TheGame) -> HTMLResponse:
    """How the game stands, and all that waits."""
    found = game.status
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    # Of a day that is closed nothing waits any more.
    votes = game.table is None or any(one.window.kind == "day" for one in found.windows)
    since = since_looked(thread, game.session) if thread is not None and votes else None
    return game.show(
        "today",
        found=found,
        waiting=[_waiting(step, game) for step in game.steps(found.next)],
        since=since,
        votes=votes and thread is not None,
        rehearsal=is_rehearsal(game.session) and not found.is_over,
        why=DECIDED,
    )


def _waiting(step: Step, game: GamePage) -> Waiting:
    """What is due, with its form where it can be done in place."""
    way = step.due.way
    if way.to not in IN_PLACE:
        return Waiting(step)
    try:
        shown = IN_PLACE[way.to](way, game)
    except KnightfallError:  # its own page says why
        return Waiting(step)
    return Waiting(step, way.to, shown) if shown is not None else Waiting(step)


# ── what each form shows; None where it has to be done on its page ───────────────────────────────


def _one_button(way: Way, _: GamePage) -> object:
    return dict(way.values)


def _votes(_: Way, game: GamePage) -> object:
    request = CountRequest(stored=True)
    return game.asked(("apart", request), lambda session: count_votes(request, session))


def _votecount(_: Way, game: GamePage) -> object:
    thread = kept_thread(game.setup, game.session)
    if thread is None or not thread.posts:
        return ()
    request = CountRequest(stored=True)

    def written(session: Session) -> TextToCopy:
        post = post_of(count_votes(request, session), request, session)
        looks = (preview(part, post.dialect) for part in post.parts)
        return TextToCopy(post.parts, post.rich, tuple(line for look in looks for line in look.warnings))

    return game.asked(("to copy", request), written)


def _rows(_: Way, game: GamePage) -> object:
    table = message_table(game.session)
    return [
        RowToSettle(row, table.last_moment(window))
        for window in table.windows
        for row in window.rows
        if row.refused or row.in_part
    ] or None


def _deadline(way: Way, game: GamePage) -> object:
    wanted = str(way.values["title"]) if "title" in way.values else f"day {way.values['day']}"
    return next((one for one in deadlines(game.session) if one.title.casefold() == wanted), None)


def _post(way: Way, game: GamePage) -> object:
    draft = drafted(game, str(way.values["kind"]))
    looks = (preview(part, draft.dialect, game.setup.roster) for part in draft.parts)
    warnings = tuple(line for look in looks for line in look.warnings)
    return TextToCopy(tuple(draft.parts), draft.rich, (*draft.remarks, *warnings))


def _pm(way: Way, game: GamePage) -> object:
    batch = str(way.values["batch"]) if "batch" in way.values else None
    return pms.pm_queue(str(way.values["kind"]), batch, None, game.reader, game.session)


def _deal(_: Way, game: GamePage) -> object:
    """Dealing needs a page where something is chosen for it: seats, a setup, a deal that nobody chooses."""
    option = setup_option(game.setup.kind)
    named = option is None or "setup" in file_options(game.setup, game.session.folder)
    asks = game_named(game.setup.kind).spec.seats or promise_of(game.journal) is not None or not named
    return None if asks or game.setup.roster is None else plural(len(game.setup.roster.slots), "player")


def _players(_: Way, game: GamePage) -> object:
    return [slot.name for slot in game.setup.roster.slots] if game.setup.roster else []


IN_PLACE: Mapping[str, Callable[[Way, GamePage], object]] = {
    "archive": _one_button,
    "close_day": _one_button,
    "count_votes": _votecount,
    "deal": _deal,
    "decide_votes": _votes,
    "enter_round": _one_button,
    "lock": _deadline,
    "mark_sent": _pm,
    "name_thread": _one_button,
    "post": _post,
    "prod": _one_button,
    "read_signups": _one_button,
    "remind": _one_button,
    "rooms": _one_button,
    "see_open": _rows,
    "send_batch": _pm,
    "send_pms": _pm,
    "set_deadline": _deadline,
    "type_players": _players,
    "verify": _one_button,
    "write_texts": _one_button,
}
"""The ways that are gone on Today itself, each with what its form shows."""
