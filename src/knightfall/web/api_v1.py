"""What the services answer as JSON, for bots: read-only, with a token that the moderator makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fastapi import APIRouter, Depends
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from knightfall.engine.json_text import as_object
from knightfall.errors import KnightfallError
from knightfall.parameters import Parameter
from knightfall.services import what_if
from knightfall.services.count.activity import activity
from knightfall.services.count.explain import explain
from knightfall.services.count.roster import roster, suggest
from knightfall.services.count.votecount import count_votes
from knightfall.services.game.lookups import forum_platforms, games, rulings
from knightfall.services.game.rooms import rooms
from knightfall.services.game.status import status
from knightfall.services.keep.passport import passport
from knightfall.services.questions import Question
from knightfall.services.session import Session
from knightfall.services.window import waiting as awaited
from knightfall.services.window.message_table import message_table
from knightfall.web.pages import TheGame, ThePage, status_of
from knightfall.web.question_pages import OF_THE_THREAD, answer_in_game, count_asked, fields_of, of_a_game

router = APIRouter(prefix="/api/v1", tags=["read-only"])


def not_on_a_screen(page: ThePage) -> None:
    """Raises InputError for a browser while private eyes are on: what programs read is for the moderator. A
    bot with a token shows it to nobody here."""
    if "authorization" not in page.request.headers:
        page.for_the_moderator()


def described(parameters: Iterable[Parameter]) -> list[dict[str, object]]:
    """Declared parameters as OpenAPI describes those of an address."""
    return [
        {
            "name": one.name,
            "in": "query",
            "required": one.required,
            "description": one.help,
            "schema": {"type": "integer" if one.type is int else "string"},
        }
        for one in parameters
    ]


OF_A_GAME = APIRouter(dependencies=[Depends(not_on_a_screen)])
"""The answers about a game."""


def answer(value: Mapping[str, Any] | dict[str, Any]) -> Response:
    """An answer of a service as JSON, with the number of its schema."""
    return Response(as_object(dict(value)), media_type="application/json")


def failed(error: KnightfallError, status: int = 0) -> Response:
    """An error of the product as JSON, with that status (0: the one of its kind)."""
    status = status or status_of(error)[0]
    found = as_object({"error": str(error), "exit_status": error.exit_status})
    return Response(found, status, media_type="application/json")


@router.get("/", include_in_schema=False)
def about(page: ThePage) -> HTMLResponse:
    """The addresses of this interface, and what each answers."""
    rows = [
        (getattr(route, "path", ""), (getattr(route, "description", "") or "").partition("\n")[0])
        for route in router.routes
        if getattr(route, "include_in_schema", False)
    ]
    return page.show("api", rows=rows)


@router.get("/openapi.json", include_in_schema=False)
def openapi() -> Response:
    """The interface as OpenAPI describes it."""
    found = get_openapi(title="Knightfall", version="1", routes=list(router.routes))
    return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")


@router.get("/games")
def game_names(page: ThePage) -> Response:
    """The games of this folder, by name."""
    return answer({"games": list(page.web.games.names())})


@router.get("/kinds")
def kinds() -> Response:
    """The games that can be played."""
    return answer(games().to_dict())


@router.get("/kinds/{kind}/rulings")
def kind_rulings(kind: str) -> Response:
    """The rulings of a game, and its options."""
    return answer(rulings(kind).to_dict())


@router.get("/forums")
def forums() -> Response:
    """The forum software that can be read."""
    return answer(forum_platforms().to_dict())


@OF_A_GAME.get("/games/{name}/status")
def game_status(game: TheGame) -> Response:
    """How a game stands, and what comes next."""
    return answer(status(game.session).to_dict())


def _about_votes(name: str, doc: str, ask: Callable[..., Any], *more: Parameter) -> None:
    """An address that answers about the votes of what was read, as of a post or a time."""

    def route(game: TheGame, request: Request) -> Response:
        given = dict(request.query_params)
        own = [one.value_in(given) for one in more]
        return answer(ask(*own, count_asked(given), game.session).to_dict())

    OF_A_GAME.add_api_route(
        f"/games/{{name}}/{name}",
        route,
        name=name,
        description=doc,
        operation_id=name,
        openapi_extra={"parameters": described((*more, *OF_THE_THREAD))},
    )


_about_votes("votecount", "The votecount.", count_votes)
_about_votes(
    "explain",
    "Why votes count or don't, for a player or a post. Secret: hidden weights are in it.",
    explain,
    Parameter("what", "A player, or a post's number.", required=True),
)
_about_votes("roster", "Who holds which slot.", roster)
_about_votes("nicknames", "Nicknames that the thread teaches.", suggest)
_about_votes("activity", "Who posts how much, and who is silent.", activity)


def _secret(name: str, doc: str, ask: Callable[[Session], Mapping[str, Any]]) -> None:
    """An address that tells secrets of the game."""

    def route(game: TheGame) -> Response:
        return answer(ask(game.session))

    OF_A_GAME.add_api_route(f"/games/{{name}}/{name}", route, name=name, description=doc, operation_id=name)


_secret("missing", "Whose message is awaited.", lambda session: awaited.missing(session).to_dict())
_secret(
    "messages", "A row for every slot that may act. Secret.", lambda session: message_table(session).to_dict()
)
_secret(
    "rooms",
    "Who should be in each private topic, and who is noted as being in it. Secret.",
    lambda session: rooms(session).to_dict(),
)
_secret(
    "passport",
    "The whole game by the published schema, as its moderator may read it. Secret.",
    lambda session: passport(session).to_dict(),
)


def _question(name: str, question: Question) -> None:
    """The address of a declared question; its parameters are those of the page's form."""

    def route(game: TheGame, request: Request) -> Response:
        return answer(answer_in_game(question, dict(request.query_params), game.session).to_dict())

    secret = " Secret." if question.secret else ""
    OF_A_GAME.add_api_route(
        f"/games/{{name}}/{name}",
        route,
        name=name,
        description=f"{question.help}{secret}",
        operation_id=name,
        openapi_extra={"parameters": described(fields_of(question))},
    )


for verb, asked in of_a_game().items():
    _question(verb, asked)


@OF_A_GAME.get("/games/{name}/preview")
def preview(game: TheGame) -> Response:
    """What closing the open window would lead to. Secret."""
    return answer(what_if.preview(game.session).to_dict())


router.include_router(OF_A_GAME)
