"""Who may talk to the page: browsers that were let in by an address of this run, and nobody else.

The page holds the secrets of running games, and any page in the same browser can send requests to this
machine. So every request must come from a program of this user, name our host, carry a cookie of ours, ask
for an address that begins with the key of the run, and come from a page of ours; every change is a POST with
a form token besides. Who lacks any of these is told neither the name of the run nor its key. Two things stand
outside: bots with a token may read `/api/v1`, and helpers in browsers hand over pages under `/helper`.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hmac import compare_digest
from html import escape
from string import Template
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from knightfall.fetch.clock import Clock
from knightfall.services.pasted import MOST
from knightfall.web.api_tokens import ApiToken, ApiTokens
from knightfall.web.mounted import Mounted, without
from knightfall.web.paired_helpers import HELPER, NOT_PAIRED, Helpers, extension_of
from knightfall.web.peer import uid_of_peer
from knightfall.web.sessions import BrowserSession, Sessions

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("knightfall.web")
OPEN = "/open/"
HERE = "/here"
"""Answers nothing but that it is there: a browser that gets it finds the name of this run."""
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
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Where the text of a whole game is pasted."""
PASTE = "/paste"
"""How the addresses end to which pages of a forum are pasted."""
GO = "/go/"
"""How the addresses begin that a helper opens: each leads to one page, and nobody else knows it."""
OUTSIDE = (OPEN, GO, HELPER)
"""What is no page: it is asked for without the key, and let in by other means."""
WAYS = 200
"""So many of them are remembered."""
LARGEST_FIELD = 2**20
LARGEST_PASTE = 4 * MOST
"""Bytes of one field of a form as it is sent; what is pasted may be sent with three bytes a letter."""
_FRAMES = frozenset({"iframe", "frame", "embed", "object", "fencedframe"})

FOREIGN_HOST = (
    "Refused: Knightfall is reached by the address that it opens in your browser, and by no other; start it "
    "again, or go to the window in which it runs."
)
FOREIGN_USER = "Refused: another user of this machine asked."
UNKNOWN_USER = "Refused: this machine does not tell whose program asked."
FOREIGN_PAGE = "Refused: the request came from another page than Knightfall's own."
FRAMED = "Refused: this page is not shown inside another one."
NO_COOKIE = "Refused: this browser was not let in by the Knightfall that runs now."
STOLEN = (
    "Refused: the address was used by two browsers, so somebody else may have seen it. What it opened was "
    "ended."
)
NO_FORM_TOKEN = "Refused: the form is not from this run of Knightfall. Load the page again, then send it."
NO_API_TOKEN = "Refused: the token is unknown or was revoked."
READ_ONLY = "Refused: a token may only read."
FOR_PLAYERS_ONLY = "Refused: this token reads what players may know alone."
OPEN_AGAIN = (
    "Start Knightfall again, or go to the window in which it runs: it opens the page in your browser. If "
    "another browser of yours has the page open, choose “Browsers” at its end, and pair this one."
)
LOAD_AGAIN = "Go back, load that page again, and send it once more. Nothing was taken."
NEXT: Mapping[str, tuple[str, str]] = {
    FOREIGN_HOST: (
        "This address leads nowhere",
        f"If the tab is of an earlier run, nothing was lost: your games are as you left them. {OPEN_AGAIN}",
    ),
    FOREIGN_USER: ("The games of another user", "Knightfall shows them to the user alone who started it."),
    UNKNOWN_USER: ("Whose program is it?", f"If it was your browser: load the page again. {LOAD_AGAIN}"),
    FOREIGN_PAGE: (
        "Another page led here",
        "If you followed a link: open Knightfall in a tab of its own, and go there from its first page. If "
        f"you sent something: {LOAD_AGAIN[0].lower()}{LOAD_AGAIN[1:]}",
    ),
    FRAMED: ("This page stands inside another one", "Open it in a tab of its own."),
    NO_COOKIE: (
        "This browser is not let in",
        "Knightfall was started again since this tab was opened, or the browser is new to it. Nothing was "
        f"lost: your games are as you left them. {OPEN_AGAIN} The address of this tab is of no use any more.",
    ),
    STOLEN: (
        "The page was closed here, to be safe",
        "Your games are as you left them. If another browser of yours has the page open, pair this one there "
        "again. Else end Knightfall and start it again.",
    ),
    NO_FORM_TOKEN: ("This form is from an earlier run of Knightfall", LOAD_AGAIN),
}
"""What a page that refuses says: in short, and how to come back."""
LOOKS = frozenset({"/static/style.css", "/static/icon.svg"})
"""How a page looks is no secret, and one that refuses looks so, too."""
REFUSAL = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$heading · Knightfall</title>
<link rel="stylesheet" href="/static/style.css">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml"></head>
<body><header class="top"><div class="bar"><span class="brand">Knightfall</span></div></header>
<main id="main"><h1>$heading</h1>
<div class="card warning"><p>$sentence</p></div>
<p>$next</p>
<p class="actions"><a class="button" href="">Try it again</a></p>
</main></body></html>
""")
AGAIN = "again"
"""What an address of the start says besides where the page itself asks for it once more."""


class Access:
    """Who may talk to the page of a run: its name and key, the sessions of its browsers, the token of its
    forms.

    Cookies know no ports: whoever serves another port of 127.0.0.1 gets those of 127.0.0.1. So the page is
    served under a name of its own, which browsers resolve to this machine, and each of its addresses begins
    with a key, which no request to another port carries. `random` gives so many random bytes; `user` is who
    alone may ask (None: the system does not tell who does).
    """

    def __init__(
        self,
        port: int,
        random: Callable[[int], bytes],
        tokens: ApiTokens,
        helpers: Helpers,
        clock: Clock,
        user: int | None,
    ) -> None:
        name = "".join(chr(ord("a") + byte % 26) for byte in random(16))
        self.port, self.host, self.plain_host = port, f"{name}.localhost:{port}", f"127.0.0.1:{port}"
        self.key = random(16).hex()
        self.cookie = f"knightfall-{port}"
        self.form_token = random(24).hex()
        self.tokens = tokens
        self.helpers = helpers
        self.sessions = Sessions(random, clock)
        self.start = self.sessions.new_address(lasting=True)
        self._ways: OrderedDict[str, str] = OrderedDict()
        self._random = random
        self._user = user

    @property
    def home(self) -> str:
        """How every address of a page of this run begins; nothing for eyes without a session."""
        return f"http://{self.host}/{self.key}"

    @property
    def tells_users(self) -> bool:
        """Whether other users of this machine are known by their programs."""
        return self._user is not None

    def within(self, path: str) -> str | None:
        """The path of a page as the pages know it; None where it does not begin with the key, or lies outside
        of the pages."""
        found = without(self.key, path)
        return None if found is None or found.startswith(OUTSIDE) else found

    def address(self, token: str, plain: bool = False) -> str:
        """The address that lets a browser in with a token; `plain`: one that does not find the run's name."""
        return f"http://{self.plain_host if plain else self.host}{OPEN}{token}"

    def way_to(self, page: str) -> str:
        """An address by which a helper opens a page of ours; it says nothing of the page to who sees it."""
        address = f"{GO}{self._random(16).hex()}"
        self._ways[address] = page
        while len(self._ways) > WAYS:
            self._ways.popitem(last=False)
        return address

    def whole(self, way: str) -> str | None:
        """Such an address with the name by which browsers were let in; None for one that no helper was
        given."""
        every = self.sessions.all()
        plain = every and all(one.short for one in every)
        return f"http://{self.plain_host if plain else self.host}{way}" if way in self._ways else None

    def followed(self, request: Request) -> Response:
        """The answer to an address that a helper opened: on to its page, for a browser that was let in."""
        way = request.url.path
        if self.session_of(request) is not None:
            return RedirectResponse(f"/{self.key}{self._ways.get(way, '/')}", 303)
        # A browser brings its cookie only where the page itself sends it on.
        return refused(NO_COOKIE, request) if AGAIN in request.query_params else hop(f"{way}?{AGAIN}=1")

    def session_of(self, request: Request) -> BrowserSession | None:
        """The session whose cookie a request carries; one of 127.0.0.1 holds there alone."""
        found = self.sessions.of(self._cookie_of(request))
        plain = request.headers.get("host") == self.plain_host
        return found if found is not None and found.short == plain else None

    def _cookie_of(self, request: Request) -> str:
        return request.cookies.get(self.cookie, "")

    def opened(self, request: Request) -> Response:
        """The answer to an address that lets a browser in: the cookie, once."""
        token, said = request.url.path.removeprefix(OPEN), request.query_params
        if self.session_of(request) is not None and self.sessions.knows(token):
            return RedirectResponse(f"/{self.key}/", 303)
        plain = request.headers.get("host") == self.plain_host
        cookie = self.sessions.let_in(token, request.headers.get("user-agent", ""), short=plain)
        if cookie is not None:
            answer = hop(f"/{self.key}/")
            answer.set_cookie(self.cookie, cookie, httponly=True, samesite="strict", path="/")
            return answer
        if self.sessions.is_used(token):
            # A browser brings its cookie only where the page itself sends it on.
            if AGAIN not in said:
                return hop(f"{OPEN}{token}?{AGAIN}=1")
            self.sessions.end_opened(token)
        return refused(STOLEN if self.sessions.was_ended(token) else NO_COOKIE, request)

    def refusal(self, request: Request) -> str:
        """Why a request is not answered, in a sentence; "" where it is."""
        headers, path = request.headers, request.url.path
        host = headers.get("host", "")
        by_token = path.startswith(API) and "authorization" in headers
        opening = path.startswith(OPEN) or path in self._ways
        if stranger := self._stranger(request):
            return stranger
        if path.startswith(HELPER):
            known = host in (self.plain_host, f"localhost:{self.port}")
            return self.helpers.refusal(request) if known else FOREIGN_HOST
        plain = host == self.plain_host and (opening or self.session_of(request) is not None)
        by_program = by_token and host in (self.plain_host, f"localhost:{self.port}")
        if host != self.host and not plain and not by_program:
            return FOREIGN_HOST
        if headers.get("sec-fetch-dest", "") in _FRAMES:
            return FRAMED
        if path == HERE or (request.method == "GET" and opening):
            return ""  # another page leads there: a file of ours, or a helper
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return FOREIGN_PAGE
        if by_token:
            if self.token_of(request) is None:
                return NO_API_TOKEN
            return "" if request.method in ("GET", "HEAD") else READ_ONLY
        if request.method == "GET" and path in LOOKS:
            return ""
        if self.within(path) is None or self.session_of(request) is None:
            return STOLEN if self.sessions.was_ended(self._cookie_of(request)) else NO_COOKIE
        if request.method not in ("GET", "HEAD") and not _is_of_our_page(request):
            return FOREIGN_PAGE
        return ""

    def token_of(self, request: Request) -> ApiToken | None:
        """The token for bots that a request carries, where it holds."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self.tokens.of(token.strip()) if scheme.casefold() == "bearer" else None

    def _stranger(self, request: Request) -> str:
        """Why the user who asks is not answered; "" for the one who runs this, and where nobody can tell."""
        if self._user is None:
            return ""
        client, server = request.scope.get("client"), request.scope.get("server")
        found = uid_of_peer(tuple(client), tuple(server)) if client and server else None
        if found is None:
            return UNKNOWN_USER
        return "" if found == self._user else FOREIGN_USER


def _is_of_our_page(request: Request) -> bool:
    """Whether a browser says that a page of ours sent a form: by its origin, or, where that is not named to
    anybody, by having seen whence it goes."""
    origin = request.headers.get("origin")
    if origin == "null":
        return request.headers.get("sec-fetch-site") == "same-origin"
    return origin == f"http://{request.headers.get('host')}"


def hop(to: str) -> HTMLResponse:
    """A page that leads on by itself: what it leads to is asked for by a page of ours."""
    url = escape(to)
    head = f'<link rel="icon" href="/static/icon.svg"><meta http-equiv="refresh" content="0; url={url}">'
    return HTMLResponse(
        f'<!doctype html><title>Knightfall</title>{head}<p><a href="{url}">On to your games</a></p>'
    )


def refused(sentence: str, request: Request) -> Response:
    """403 with one sentence; a browser gets a page that says how to come back. The log tells what was asked,
    never what was sent."""
    LOG.warning("%s (%s)", sentence, request.method)
    if request.url.path.startswith(HELPER):
        return JSONResponse({"error": sentence}, 401 if sentence == NOT_PAIRED else 403)
    if sentence not in NEXT or "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"{sentence}\n", 403)
    heading, following = NEXT[sentence]
    told = {"heading": heading, "sentence": sentence, "next": following}
    return HTMLResponse(REFUSAL.substitute({name: escape(words) for name, words in told.items()}), 403)


class AccessMiddleware:
    """Refuses what `Access` refuses before any page sees it, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._pages = Mounted(app, access.key)
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
                for name, value in self._own_headers(request).items():
                    headers[name] = value
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if sentence := self._access.refusal(request):
            await refused(sentence, request)(scope, receive, with_headers)
        elif request.url.path.startswith(HELPER) and request.method == "OPTIONS":
            await Response(status_code=204)(scope, receive, with_headers)
        elif request.url.path == HERE:
            found = Response(status_code=204, headers={"Cross-Origin-Resource-Policy": "cross-origin"})
            await found(scope, receive, with_headers)
        elif request.url.path.startswith(GO):
            await self._access.followed(request)(scope, receive, with_headers)
        elif request.url.path.startswith(OPEN):
            await self._access.opened(request)(scope, receive, with_headers)
        elif self._access.within(request.url.path) is not None:
            await self._pages(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)

    @staticmethod
    def _own_headers(request: Request) -> Mapping[str, str]:
        """Headers by what is asked for: a helper reads its answer."""
        if request.url.path.startswith(HELPER) and (origin := extension_of(request)):
            return {
                "Access-Control-Allow-Origin": origin,
                "Access-Control-Allow-Headers": "authorization, content-type",
                "Access-Control-Allow-Methods": "GET, POST",
                "Access-Control-Allow-Private-Network": "true",
                "Vary": "Origin",
            }
        return {}


class FormRefused(Exception):
    """A form without the token of this run."""


class TokenRefused(FormRefused):
    """A token that may not read what was asked for."""


async def checked_form(request: Request) -> None:
    """Raise FormRefused for a change whose form does not carry the token of this run."""
    if request.method in ("GET", "HEAD") or request.url.path.startswith(HELPER):
        return
    access: Access = request.app.state.access
    largest = LARGEST_PASTE if request.url.path.endswith(PASTE) else LARGEST_FIELD
    form = await request.form(max_files=2_000, max_part_size=largest)
    request.state.form = form  # to give it back where it is refused
    if not compare_digest(str(form.get("form_token", "")).encode(), access.form_token.encode()):
        raise FormRefused(NO_FORM_TOKEN)
