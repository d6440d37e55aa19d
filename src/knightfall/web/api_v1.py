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
from knightfall.errors import InputError, KnightfallError
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
from knightfall.web.access import FOR_PLAYERS_ONLY, TokenRefused
from knightfall.web.pages import TheGame, ThePage, status_of
from knightfall.web.question_pages import OF_THE_THREAD, answer_in_game, count_asked, fields_of, of_a_game


def refuse_unknown(request: Request) -> None:
    """Raises InputError for a parameter that the address does not have: a slip would answer otherwise."""
    declared = (getattr(request.scope.get("route"), "openapi_extra", None) or {}).get("parameters", ())
    known = [str(one["name"]) for one in declared]
    for name in request.query_params:
        if name not in known:
            raise InputError(f"{name}: there is no such parameter here. Known: {', '.join(known) or 'none'}.")


ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["schema", "error", "exit_status"],
    "properties": {
        "schema": {"const": 1},
        "error": {"type": "string", "description": "What is wrong, in a sentence."},
        "exit_status": {"type": "integer", "description": "The exit status of a command that ends so."},
    },
}
ANSWER: dict[str, Any] = {
    "type": "object",
    "required": ["schema"],
    "properties": {"schema": {"description": "The number of the schema, or the name of a passport's."}},
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "Refused", "content": {"application/json": {"schema": ERROR}}},
    200: {"description": "The answer", "content": {"application/json": {"schema": ANSWER}}},
}
router = APIRouter(
    prefix="/api/v1", tags=["read-only"], dependencies=[Depends(refuse_unknown)], responses=REFUSALS
)


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


def only_with_secrets(page: ThePage) -> None:
    """Raises TokenRefused for a token of what players may know."""
    token = page.web.access.token_of(page.request)
    if token is not None and token.public:
        raise TokenRefused(FOR_PLAYERS_ONLY)


OF_A_GAME = APIRouter(dependencies=[Depends(not_on_a_screen), Depends(only_with_secrets)])
"""The answers about a game that are for its moderator."""
FOR_PLAYERS = APIRouter(dependencies=[Depends(not_on_a_screen)])
"""Those that players may know, too."""


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
    for path in found["paths"].values():
        path["get"]["responses"].pop("422", None)  # what is wrong is answered with 400, as REFUSALS says
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


def _about_votes(
    name: str, doc: str, ask: Callable[..., Any], *more: Parameter, to: APIRouter = FOR_PLAYERS
) -> None:
    """An address that answers about the votes of what was read, as of a post or a time."""

    def route(game: TheGame, request: Request) -> Response:
        given = dict(request.query_params)
        own = [one.value_in(given) for one in more]
        return answer(ask(*own, count_asked(given), game.session).to_dict())

    to.add_api_route(
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
    to=OF_A_GAME,
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


OF_PLAYERS = ("near",)
"""The declared questions of which players may know the answer."""


def _question(name: str, question: Question) -> None:
    """The address of a declared question; its parameters are those of the page's form."""

    def route(game: TheGame, request: Request) -> Response:
        return answer(answer_in_game(question, dict(request.query_params), game.session).to_dict())

    secret = " Secret." if question.secret else ""
    to = FOR_PLAYERS if name in OF_PLAYERS else OF_A_GAME
    to.add_api_route(
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
router.include_router(FOR_PLAYERS)
