"""Helpers in browsers: extensions that were paired, which hand over pages of forums and read public counts.

A helper has no cookie of ours and sees no page of ours. It is let in by a token of its own, from the
extension that was paired with it and from no other; it may do what lies under `/helper/`, and nothing else.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.requests import Request

from knightfall.errors import InputError
from knightfall.fetch.clock import Clock
from knightfall.web.api_tokens import moment_words
from knightfall.web.own_list import OwnList
from knightfall.web.sessions import browser_named

HELPER = "/helper/"
PAIR = f"{HELPER}pair"
HERE = f"{HELPER}here"
FILE = "helpers.json"
CODE_HOLDS = 600.0
"""Seconds for which a code pairs a helper."""
TRIES = 5
"""So many codes may be tried until a new one has to be made."""
_ORIGIN = re.compile(r"(?:chrome|moz)-extension://[a-z0-9-]{32,36}")
"""Where an extension's own requests come from; no page of the web can say that of itself."""

NO_EXTENSION = "Refused: only Knightfall's helper in your browser is answered here."
NOT_PAIRED = (
    "This helper is not paired with the Knightfall that runs here. Make a code on its page “Bring pages in”, "
    "and type it into the helper."
)
NO_CODE = "There is no code to pair with now. Make one on Knightfall's page “Bring pages in”."
WRONG_CODE = "This is not the code that Knightfall shows."
TOO_OFTEN = f"{WRONG_CODE} It was tried {TRIES} times and holds no more. Make a new one."


@dataclass(frozen=True, slots=True)
class PairedHelper:
    """A helper that was paired with the games of a folder: in which browser, since when, from which
    extension; of its token only the digest."""

    name: str
    since: str
    origin: str
    games: str
    digest: str


class Helpers:
    """The helpers of the games in a folder, in a file of `own`; and the code that pairs one more. `random`
    gives so many random bytes."""

    def __init__(self, own: Path, games: Path, random: Callable[[int], bytes], clock: Clock) -> None:
        self._kept = OwnList(own, FILE, _helper, asdict)
        self._games = str(games)
        self._random = random
        self._clock = clock
        self._lock = Lock()
        self._code, self._until, self._left = "", 0.0, 0

    def all(self) -> tuple[PairedHelper, ...]:
        """The helpers of these games, oldest first."""
        return tuple(one for one in self._kept.all() if one.games == self._games)

    def new_code(self) -> str:
        """Six figures that pair one helper, once; the code before them holds no more."""
        with self._lock:
            self._code = f"{int.from_bytes(self._random(8)) % 10**6:06}"
            self._until, self._left = self._clock.elapsed() + CODE_HOLDS, TRIES
            return self._code

    def pair(self, code: str, origin: str, agent: str) -> str:
        """The token of a new helper, from which extension and in which browser by how that calls itself.
        Raises InputError for a code that is wrong, was used, or holds no more."""
        said = re.sub(r"[^0-9]", "", code)
        with self._lock:
            if not self._code or self._clock.elapsed() > self._until:
                self._code = ""
                raise InputError(NO_CODE)
            if not compare_digest(said, self._code):
                self._left -= 1
                if self._left > 0:
                    raise InputError(WRONG_CODE)
                self._code = ""
                raise InputError(TOO_OFTEN)
            self._code = ""
            token, now = self._random(24).hex(), self._clock.now()
        made = PairedHelper(browser_named(agent), moment_words(now), origin, self._games, _digest(token))
        self._kept.change(lambda _: False, (made,))
        return token

    def proofs(self, nonce: str, origin: str, port: int) -> list[str]:
        """What only this Knightfall can say of a nonce and of the port that it has, to each helper of that
        extension. Whoever has another port knows none of their tokens, and what they asked for here says that
        it is of this port."""
        said = f"{port} {nonce}".encode("utf-8", "replace")
        helpers = (one for one in self.all() if one.origin == origin)
        return [hmac.new(one.digest.encode(), said, sha256).hexdigest() for one in helpers]

    def revoke(self, digest: str) -> None:
        """Let a helper hand over no more; one that is unknown is no harm."""
        self._kept.change(lambda one: one.digest == digest)

    def refusal(self, request: Request) -> str:
        """Why a request of a helper is not answered, in a sentence; "" where it is."""
        origin = extension_of(request)
        if not origin:
            return NO_EXTENSION
        if request.method == "OPTIONS" or (request.url.path == PAIR and request.method == "POST"):
            return ""
        if request.url.path == HERE and request.method == "GET":
            return ""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        digest = _digest(token.strip()) if scheme.casefold() == "bearer" else ""
        known = (one for one in self.all() if compare_digest(one.digest, digest))
        return "" if any(one.origin == origin for one in known) else NOT_PAIRED


def extension_of(request: Request) -> str:
    """The extension from which a request comes, by its origin; "" where it comes from elsewhere."""
    origin = request.headers.get("origin", "")
    return origin if _ORIGIN.fullmatch(origin) else ""


def _helper(one: Any) -> PairedHelper:
    keys = ("name", "since", "origin", "games", "digest")
    return PairedHelper(*(str(one[key]) for key in keys))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
