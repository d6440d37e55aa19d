"""The part of every address that only a run knows: taken off before a page sees the address, and put before
every address by which a page leads on to another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LEADS_ON = ("location", "hx-redirect")
"""Headers that hold an address."""
_TAG = re.compile(rb'<[a-z][^<>]*="/[^<>]*>')
_ADDRESS = re.compile(rb'(\s(?:href|src|action|formaction|data-live|hx-get|hx-post)=")/(?!/)')
"""An address of ours as an attribute has it. The texts of a page hold no tag: they are escaped."""


def without(key: str, path: str) -> str | None:
    """The path as the pages know it; None where it does not begin with the key."""
    first, slash, rest = path.removeprefix("/").partition("/")
    return f"/{rest}" if slash and first == key else None


def with_key(key: str, page: bytes) -> bytes:
    """A page of HTML whose links and forms lead to addresses with the key."""
    put = rb"\g<1>/" + key.encode() + b"/"
    return _TAG.sub(lambda tag: _ADDRESS.sub(put, tag[0]), page)


class Mounted:
    """An app under `/key`: it sees its own paths alone, and need not know the key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = without(self._key, scope["path"])
        assert path is not None
        inner = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(inner, receive, _Keyed(self._key, send))


class _Keyed:
    """Sends what an app answers, with the key in every address."""

    def __init__(self, key: str, send: Send) -> None:
        self._key = key
        self._send = send
        self._start: Message | None = None
        """The head of a page, held back until the page is whole."""

        self._parts: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name in _LEADS_ON:
                to = headers.get(name, "")
                if to.startswith("/") and not to.startswith("//"):
                    headers[name] = f"/{self._key}{to}"
            if headers.get("content-type", "").startswith("text/html"):
                self._start = message
                return
        elif self._start is not None:
            self._parts.append(message.get("body", b""))
            if message.get("more_body", False):
                return
            page = with_key(self._key, b"".join(self._parts))
            MutableHeaders(scope=self._start)["content-length"] = str(len(page))
            start, self._start = self._start, None
            await self._send(start)
            message = {"type": "http.response.body", "body": page}
        await self._send(message)
