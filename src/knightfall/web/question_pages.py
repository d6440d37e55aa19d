"""Every declared question as a page: its parameters are a form, its answer paragraphs, tables and lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.engine.lookup import Lookup
from knightfall.errors import InputError
from knightfall.parameters import Parameter, request_of
from knightfall.services.boards import svg_of
from knightfall.services.game.lookups import games, rulings
from knightfall.services.games import ask, lookups_on_board, pasted
from knightfall.services.now import as_of
from knightfall.services.questions import ENTRY, QUESTIONS, About, Question, Reported
from knightfall.services.requests import CountRequest, of_the_thread
from knightfall.services.session import Session
from knightfall.web.board_pages import PICTURE_POLICY
from knightfall.web.pages import Page, TheGame, ThePage
from knightfall.writeups.report import AsIs, Rows

router = APIRouter()
OF_THE_THREAD = tuple(one for one in of_the_thread() if one.name in ("day", "at"))
"""Which count is meant; the page has the thread's posts already."""
ELSEWHERE = {"log": "log"}
"""Questions about a game that a page of its own answers."""
ROLES = ("custom_mafia", "roles")
"""The question whose answer is all that a setup may name; it has a page of its own."""
ROLE_GROUPS = (
    ("With something to do at night", ("action",)),
    ("What works by itself", ("trait", "passive")),
    ("Sides of their own", ("own side",)),
    ("Without a power", ("no power",)),
    ("Modifiers: a word before a role that limits or changes its power", ("modifier",)),
)
"""The kinds of the catalog under their headings."""
SHARED = {About.THREAD: OF_THE_THREAD, About.MOMENT: (ENTRY,)}
"""What every question about the same is asked with, besides its own parameters."""


def in_general() -> dict[str, Question]:
    """What no game is needed for."""
    return {name: one for name, one in QUESTIONS.items() if one.about is About.NOTHING}


def of_a_game() -> dict[str, Question]:
    """What is asked about a game."""
    return {name: one for name, one in QUESTIONS.items() if one.about is not About.NOTHING}


def own_fields(question: Question) -> tuple[Parameter, ...]:
    """A question's own parameters; files of this machine are named at the terminal alone."""
    return tuple(one for one in question.parameters if one.type is not Path)


def own_of(question: Question, given: Mapping[str, str]) -> dict[str, object]:
    """What is given of a question's own parameters."""
    return {one.name: given[one.name] for one in own_fields(question) if one.name in given}


def fields_of(question: Question) -> tuple[Parameter, ...]:
    """What the form of a question asks for."""
    return (*own_fields(question), *SHARED.get(question.about, ()))


def count_asked(given: Mapping[str, str]) -> CountRequest:
    """Which count of what was read an address asks for. Raises InputError for a day that is no number."""
    said = {one.name: given.get(one.name, "").strip() for one in OF_THE_THREAD}
    return replace(request_of(CountRequest, said), stored=True)


def answer_in_game(question: Question, given: dict[str, str], session: Session) -> Reported:
    """What a service answers to a question about a game, from what was read; `given` are the form's values,
    "" where nothing was put in."""
    own = own_of(question, given)
    match question.about:
        case About.THREAD:
            return question.answer(count_asked(given), session, given=own)
        case About.MOMENT:
            return question.answer(as_of(given.get("at") or None, session), given=own)
    return question.answer(session, given=own)


def _named(name: str, among: Mapping[str, Question]) -> Question:
    if name not in among:
        raise HTTPException(404)
    return among[name]


@router.get("/games/{name}/ask")
def questions_of_a_game(game: TheGame) -> HTMLResponse:
    """What can be asked about a game, and in general."""
    own = {name: one for name, one in of_a_game().items() if name not in ELSEWHERE}
    return game.show("questions", own=own, general=in_general(), lookups=lookups_on_board())


@router.get("/games/{name}/ask/{question}")
def ask_about_a_game(game: TheGame, question: str, request: Request) -> Response:
    """A question with its answer, once all that it needs is given."""
    if question in ELSEWHERE:
        return game.go(f"{game.root}/{ELSEWHERE[question]}")
    asked, given = _named(question, of_a_game()), dict(request.query_params)
    answer = answer_in_game(asked, given, game.session) if _is_whole(asked, given) else None
    return _show(game, asked, given, answer)


@router.get("/ask")
def questions_in_general(page: ThePage) -> HTMLResponse:
    """What can be looked up without a game."""
    return page.show("questions", own={}, general=in_general(), lookups=lookups_on_board())


@router.get("/ask/rulings")
def look_up_rulings(page: ThePage, game: str = "") -> HTMLResponse:
    """The rulings of a game and what a moderator may choose, without the codes of commands."""
    return page.show("rulings", games=games().games, found=rulings(game) if game.strip() else None)


@router.get("/ask/{question}")
def look_up(page: ThePage, question: str, request: Request) -> HTMLResponse:
    """A question that no game is needed for, with its answer."""
    asked, given = _named(question, in_general()), dict(request.query_params)
    answer = asked.answer(given=own_of(asked, given)) if _is_whole(asked, given) else None
    return _show(page, asked, given, answer)


@router.get("/roles")
def roles(page: ThePage, name: str = "", q: str = "") -> HTMLResponse:
    """Every role and modifier that a setup may name, or everything about one."""
    wanted, trouble, role = name.strip(), "", None
    try:
        role = ask(*ROLES, {"name": wanted.split()}) if wanted else None
    except InputError as error:
        trouble = error.message
    entries = [one for one in ask(*ROLES, {}).entries if _speaks_of(one, q)]  # type: ignore[attr-defined]  # who answers has them
    groups = [(head, [one for one in entries if one.kind in kinds]) for head, kinds in ROLE_GROUPS]
    return page.show("roles", groups=groups, role=role, name=wanted, q=q.strip(), trouble=trouble)


def _speaks_of(entry: Any, wanted: str) -> bool:
    """Whether a role is called so, or does so."""
    return wanted.strip().casefold() in " ".join((entry.name, entry.does, *entry.aliases)).casefold()


@router.get("/ask/{kind}/{question}")
def look_up_in_a_game(page: ThePage, kind: str, question: str, request: Request) -> Response:
    """A question that one kind of game answers from its rules, with its answer and picture."""
    if (kind, question) == ROLES:
        return page.go(f"/roles?{request.url.query}")
    lookup, given = _lookup(kind, question), _given(request)
    answer = ask(kind, question, given, pasted) if _is_whole(lookup, given) else None
    picture = f"/ask/{kind}/{question}/picture.svg?{request.url.query}" if answer and lookup.draws else ""
    help, _, more = lookup.help.partition("\n\n")
    return page.show(
        "answer",
        question=Question(help, "", About.NOTHING, more),
        fields=lookup.parameters,
        given=given,
        blocks=[("AsIs", AsIs(answer.text()))] if answer else [],
        picture=picture,
    )


@router.get("/ask/{kind}/{question}/picture.svg")
def picture_of_an_answer(kind: str, question: str, request: Request) -> Response:
    """The picture of an answer that can be drawn."""
    lookup = _lookup(kind, question)
    if not lookup.draws:
        raise HTTPException(404)
    drawn = svg_of(ask(kind, question, _given(request), pasted).scene())  # type: ignore[attr-defined]  # who declares that it draws has it
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


def _lookup(kind: str, question: str) -> Lookup:
    lookup = lookups_on_board().get(kind, {}).get(question)
    if lookup is None:
        raise HTTPException(404)
    return lookup


def _given(request: Request) -> dict[str, str]:
    """What the address says, without what was left empty."""
    return {name: value for name, value in request.query_params.items() if value.strip()}


def _is_whole(question: Question | Lookup, given: dict[str, str]) -> bool:
    return all(given.get(one.name) for one in question.parameters if one.required)


def _show(page: Page, question: Question, given: dict[str, str], answer: Reported | None) -> HTMLResponse:
    report = answer.report() if answer is not None else None
    said = (*report.blocks, *report.remarks) if report else ()
    shown = (one.without_typed() if isinstance(one, Rows) else one for one in said)
    blocks = [(type(one).__name__, one) for one in shown]
    return page.show(
        "answer",
        question=question,
        fields=fields_of(question),
        given=given,
        blocks=Secret(blocks) if question.secret and blocks else blocks,
        picture="",
    )
