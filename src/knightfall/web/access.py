"""Who may talk to the page: the browser that was opened with the address of this run, and nobody else.

The page holds the secrets of running games, and any page in the same browser can send requests to this
machine. So every request must name our host, carry our cookie, and come from a page of ours; every change is
a POST with a form token besides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from hmac import compare_digest
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from knightfall.web.api_tokens import ApiTokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("knightfall.web")
OPEN = "/open/"
API = "/api/v1/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_FRAMES = frozenset({"iframe", "frame", "embed", "object", "fencedframe"})

FOREIGN_HOST = "Refused: this page is reached by the address that knightfall web told, and by no other name."
FOREIGN_PAGE = "Refused: the request came from another page than Knightfall's own."
FRAMED = "Refused: this page is not shown inside another one."
NO_COOKIE = "Refused: open the address that knightfall web told when it started."
USED = "Refused: this address was used already. Stop knightfall web with Ctrl-C and start it again."
NO_FORM_TOKEN = "Refused: the form is not from this run of Knightfall. Load the page again, then send it."
NO_API_TOKEN = "Refused: the token is unknown or was revoked."
READ_ONLY = "Refused: a token may only read."


class Access:
    """The secrets of one run: the token that opens the page once, the cookie, and the token of its forms.

    `random` gives so many random bytes.
    """

    def __init__(self, port: int, random: Callable[[int], bytes], tokens: ApiTokens) -> None:
        self.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        self.cookie = f"knightfall-{port}"
        self.start = random(24).hex()
        self.form_token = random(24).hex()
        self.tokens = tokens
        self._session = random(24).hex()
        self._opened = False

    def is_ours(self, request: Request) -> bool:
        """Whether the request carries the cookie of this run."""
        return compare_digest(request.cookies.get(self.cookie, "").encode(), self._session.encode())

    def opened(self, request: Request) -> Response:
        """The answer to the address of the start: the cookie, once; a sentence and 403 afterwards."""
        if self.is_ours(request):
            return RedirectResponse("/", 303)
        token = request.url.path.removeprefix(OPEN)
        if self._opened or not compare_digest(token.encode(), self.start.encode()):
            return refused(USED if self._opened else NO_COOKIE, request)
        self._opened = True
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, self._session, httponly=True, samesite="strict", path="/")
        return answer

    def refusal(self, request: Request) -> str:
        """Why a request is not answered, in a sentence; "" where it is."""
        headers = request.headers
        host = headers.get("host", "")
        if host not in self.hosts:
            return FOREIGN_HOST
        if headers.get("sec-fetch-dest", "") in _FRAMES:
            return FRAMED
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return FOREIGN_PAGE
        if request.url.path.startswith(OPEN):
            return ""
        if request.url.path.startswith(API) and "authorization" in headers:
            scheme, _, token = headers["authorization"].partition(" ")
            if scheme.casefold() != "bearer" or not self.tokens.knows(token.strip()):
                return NO_API_TOKEN
            return "" if request.method in ("GET", "HEAD") else READ_ONLY
        if not self.is_ours(request):
            return NO_COOKIE
        if request.method not in ("GET", "HEAD") and headers.get("origin") != f"http://{host}":
            return FOREIGN_PAGE
        return ""


def refused(sentence: str, request: Request) -> Response:
    """403 with one sentence; the log tells what was asked, never what was sent."""
    LOG.warning("%s (%s)", sentence, request.method)
    return PlainTextResponse(f"{sentence}\n", 403)


class AccessMiddleware:
    """Refuses what `Access` refuses before any page sees it, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if sentence := self._access.refusal(request):
            await refused(sentence, request)(scope, receive, with_headers)
        elif request.url.path.startswith(OPEN):
            await self._access.opened(request)(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)


class FormRefused(Exception):
    """A form without the token of this run."""


async def checked_form(request: Request) -> None:
    """Raise FormRefused for a change whose form does not carry the token of this run."""
    if request.method in ("GET", "HEAD"):
        return
    access: Access = request.app.state.access
    form = await request.form(max_files=2_000)
    if not compare_digest(str(form.get("form_token", "")).encode(), access.form_token.encode()):
        raise FormRefused(NO_FORM_TOKEN)
