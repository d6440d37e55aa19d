"""What is open: every slot's message, a preview of the closing, the closing itself; and the PMs it owes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, RedirectResponse, Response

from knightfall.audience import Secret
from knightfall.engine.commands import lines_of
from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import sentence
from knightfall.services import pms, what_if
from knightfall.services.day.phases import check_ends, left_out, next_phase
from knightfall.services.requests import PostOptions
from knightfall.services.running import post_of_closing
from knightfall.services.window import turns
from knightfall.services.window.ear import offers
from knightfall.services.window.message_table import message_table
from knightfall.services.window.pasted_pm import without_head
from knightfall.services.window.placing import PlacingNeeded
from knightfall.services.window.receipts import Receipt
from knightfall.services.window.waiting import refused_orders, reminders
from knightfall.storage.drafts import PUBLIC, title_of
from knightfall.web import words
from knightfall.web.pages import GamePage, TheGame, plural

router = APIRouter(prefix="/games/{name}")


@router.get("/night")
def night(game: TheGame, edit: str = "") -> HTMLResponse:
    """A row for every slot that may act, and what the closing would lead to."""
    table = message_table(game.session)
    preview, changed, trouble, wrong, edits = None, None, "", "", edit.strip()
    if table.windows:
        try:
            preview = game.asked("preview", what_if.preview)
        except KnightfallError as error:
            trouble = error.message
        try:
            changed = what_if.what_if(game.session, [edits]) if edits else None
        except KnightfallError as error:
            wrong = error.message
    looks = {}
    for one in table.windows:
        looks[one.window.window.kind] = turns.look(one.window.window.kind, game.session)
    return game.show(
        "night",
        table=table,
        looks=looks,
        preview=Secret(preview),
        trouble=Secret(trouble),
        edit=edits,
        changed=Secret(changed),
        wrong=Secret(wrong),
        examples=Secret(what_if.examples(game.session)),
        messages=Secret(turns.submissions(game.session).entries),
    )


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """A message that was tried and not taken in yet."""

    text: str


@router.post("/night/say")
def say(
    game: TheGame,
    who: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
    line: Annotated[str, Form()] = "",
    kept: Annotated[str, Form()] = "",
    sent: Annotated[str, Form()] = "",
    try_: Annotated[str, Form(alias="try")] = "",
    to: Annotated[str, Form()] = "night",
    late: Annotated[str, Form()] = "",
    for_slot: Annotated[str, Form()] = "",
    keep: Annotated[str, Form()] = "",
    nothing: Annotated[str, Form()] = "",
    nothing_at: Annotated[str, Form()] = "",
) -> Response:
    """Take in a message as it was sent; or show what it would do, or what has to be decided about it. One
    that says `nothing` was sent at `nothing_at` where nobody says when: it names no time."""
    back = game.back_to(f"{game.root}/{'board' if to == 'board' else 'night'}")
    if not who.strip():
        raise InputError("Say who sent it.")
    if isinstance(waiting := game.web.kept.get(kept), TypedMessage):
        text = waiting.text
    text = (text if text.strip() else line).replace("\r\n", "\n")
    if not text.strip():
        raise InputError("Choose a line, or write one.")
    if nothing_at and text == nothing:
        sent = sent.strip() or nothing_at
    moment = turns.instant_of(sent, game.session) if sent.strip() else None
    try:
        if try_:
            receipt = turns.preview(who, text, game.session, moment, bool(for_slot))
        else:
            with game.changing():
                receipt = turns.submit(
                    who, text, None, game.session, "", moment, bool(late), bool(for_slot), bool(keep)
                )
    except (PlacingNeeded, turns.SenderLeft) as asked:
        placing = asked.placing if isinstance(asked, PlacingNeeded) else None
        return game.show(
            "message_asked",
            placing=Secret(placing),
            is_late=placing is not None,
            who=who,
            text=Secret(text),
            kept=game.web.keep(TypedMessage(text)),
            sent=placing.sent.isoformat() if placing else moment.isoformat() if moment else "",
            for_slot=for_slot,
            back=back,
            to=to,
        )
    if try_:
        # What was typed waits here: it is an order, and stands on no page for everybody.
        kept = game.web.keep(TypedMessage(text))
        meant = Secret(offers(who, [line for line, _ in receipt.refused], game.session))
        return game.show(
            "try",
            receipt=receipt,
            who=who,
            text=Secret(text),
            meant=meant,
            notes=Secret([line for line in (receipt.by_head, receipt.waits) if line]),
            kept=kept,
            sent=sent,
            for_slot=for_slot,
            back=back,
            to=to,
        )
    # Everybody may know that it was refused, but not what was ordered.
    said: list[Secret[str]] = [
        Secret(sentence("Refused: “{line}”: {why}", line=line, why=why.text)) for line, why in receipt.refused
    ]
    said += [Secret(line) for line in (receipt.by_head, receipt.waits) if line]
    if receipt.anew:
        said.append(Secret(f"Written again: {words.titles(receipt.anew)}."))
    # Words beside an order are talk; an order that is refused is no answer.
    refused = bool(refused_orders(without_head(text).text, receipt.refused))
    texts = _texts(game, receipt)
    head = f"The message of {who.strip()} is recorded"
    some = len(receipt.refused) < len(lines_of(without_head(text).text))
    wrong = ", but a part of it was refused" if some else ", but refused"
    return game.done(
        back,
        f"{head}{wrong if refused else ''}.",
        *said,
        entry=receipt.entry,
        texts=texts,
        secret_texts=game.private_links(game.files_of(receipt)),
    )


@router.post("/night/leave")
def leave_out(
    game: TheGame,
    who: Annotated[str, Form()],
    kept: Annotated[str, Form()],
    sent: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Keep why a message does not count, so that nobody is asked about it again."""
    waiting = game.web.kept.get(kept)
    if not isinstance(waiting, TypedMessage):
        raise InputError("The message waits here no more. Paste it again, and leave it out then.")
    moment = turns.instant_of(sent, game.session) if sent.strip() else None
    with game.changing():
        record = turns.leave_out(who, waiting.text, why, game.session, moment)
    return game.done(f"{game.root}/night", "It is left out.", entry=record.number)


@router.post("/night/rest")
def rest(game: TheGame, kind: Annotated[str, Form()]) -> Response:
    """They do nothing, from everybody who has not sent anything."""
    count = 0
    with game.changing():
        table = message_table(game.session)
        for one in table.windows:
            for row in one.rows if one.window.window.kind == kind else ():
                if row.untouched and row.nothing:
                    at = table.last_moment(one)
                    turns.submit(str(row.slot), row.nothing, None, game.session, at=at, for_slot=True)
                    count += 1
    noted = Secret(f"They do nothing: noted for {plural(count, 'player')}.", "Noted for all the others.")
    return game.done(f"{game.root}/night", noted)


@router.post("/night/remind")
def remind(game: TheGame) -> Response:
    """Write a reminder for everybody whose message is awaited."""
    files = reminders(game.session)
    written = Secret(f"{plural(len(files), 'reminder')} written.", "The reminders are written.")
    return game.done(game.back_to(f"{game.root}/night"), written, secret_texts=game.private_links(files))


@router.post("/night/close")
def close(
    game: TheGame,
    kind: Annotated[str, Form()],
    anyway: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
    next_ends: Annotated[str, Form()] = "",
) -> Response:
    """Close what is open, and go on to its post."""
    with game.changing():
        seen = turns.look(kind, game.session)
        rows = message_table(game.session).windows
        in_part = any(one.in_part for one in rows if one.window.window.kind == seen.window.kind)
        if (seen.doubts or in_part) and not anyway:
            raise InputError("Settle every row first, or tick that you close it anyway. Nothing was closed.")
        if seen.undecided and not why.strip():
            raise InputError(
                "Not everybody has chosen, and there is time left. Say why you close it earlier. Nothing was "
                "closed."
            )
        ends = check_ends(next_ends, game.session) if next_ends.strip() else None
        closed = turns.close(kind, None, game.session, "", why, ends)
        receipt, more = closed.receipt, []
        if closed.opened is not None:
            opened = next_phase(closed.opened, PostOptions(), game.session).change
            more.append(f"{opened.title} is open.")
        elif ends is not None:
            more.append(left_out(game.session))
    table = game.table
    post = post_of_closing(kind, table.game.spec.id if table else None)
    to = f"{game.root}/posts/{post}" if post != "results" else game.onward
    return game.moved_on(
        to, f"{seen.window.title} is closed.", *more, entry=receipt.entry, texts=_texts(game, receipt)
    )


def _texts(game: GamePage, receipt: Receipt) -> list[tuple[str, str]]:
    """The public texts that an entry led to, as links."""
    return [
        (game.text_link(f"{PUBLIC}/{file.name}"), f"Post: {title_of(file)}")
        for file in game.files_of(receipt)
        if file.parent.name == PUBLIC
    ]


# ── PMs ──────────────────────────────────────────────────────────────────────────────────────────


@router.get("/pms")
def pms_first(game: TheGame) -> Response:
    """The PMs that are owed now."""
    for family in (pms.RESULT, pms.ROLE):
        if pms.batches_seen(family, game.reader, game.session):
            return RedirectResponse(f"{game.root}/pms/{family}", 303)
    return RedirectResponse(f"{game.root}/pms/{pms.ROLE}", 303)


@router.get("/pms/{family}")
def pms_page(game: TheGame, family: str, batch: str = "", to: str = "") -> HTMLResponse:
    """The queue of a batch: the next PM to copy, and how far each has come."""
    if family not in (pms.ROLE, pms.RESULT):
        raise InputError("There are role PMs and results.")
    return _queue(game, family, batch or None, to or None)


def _queue(
    game: GamePage, family: str, batch: str | None, to: str | None, twin: pms.SameText | None = None
) -> HTMLResponse:
    """The queue; `twin`: why the PM at hand was not noted as sent."""
    other = pms.RESULT if family == pms.ROLE else pms.ROLE
    queue = pms.pm_queue(family, batch, to, game.reader, game.session)
    if queue is None:
        return game.show("pms_empty", family=family, other=other, empty=Secret(True))
    shown = Secret(twin) if twin else None
    return game.show("pms", 409 if twin else 200, family=family, other=other, queue=queue, twin=shown)


@router.post("/pms/{family}/copied")
def pm_copied(
    game: TheGame,
    family: str,
    batch: Annotated[str, Form()],
    to: Annotated[str, Form()],
    same_text: Annotated[str, Form()] = "",
) -> Response:
    """Note that a PM was copied, and so sent; go on to the next one."""
    try:
        with game.changing():
            chosen = pms.chosen(pms.known_batches(family, game.session), batch)
            pms.send_pm(chosen, to, same_text, game.session)
            entry = game.session.seen.number or 0
    except pms.SameText as error:
        return _queue(game, family, batch, to, error)
    return _noted(game, family, batch, Secret(f"Sent: {to}.", "Sent: noted."), entry)


@router.post("/pms/{family}/mark")
def pm_mark(
    game: TheGame,
    family: str,
    batch: Annotated[str, Form()],
    state: Annotated[str, Form()],
    to: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Note that PMs were sent or confirmed."""
    if not to:
        raise InputError("Tick the players whose PMs you mean.")
    with game.changing():
        marked = pms.mark(state, tuple(to), batch, game.session)
    names = ", ".join(name for name, _ in marked.pms)
    noted = Secret(f"{state.capitalize()}: {names}.", f"{state.capitalize()}: noted.")
    return _noted(game, family, batch, noted)


def _noted(game: GamePage, family: str, batch: str, noted: Secret[str], entry: int = 0) -> Response:
    """On to the next PM of the batch; where none is left to send, to what is due then."""
    left = pms.pm_queue(family, batch, None, game.reader, game.session)
    if left is None or left.at_hand:
        to = game.back_to(f"{game.root}/pms/{family}?batch={quote(batch)}")
        return game.moved_on(to, noted, entry=entry)
    every = Secret(f"Every PM was sent: {left.batch.words}.", "Every PM was sent.")
    return game.moved_on(game.back_to(game.onward), noted, every, entry=entry)
