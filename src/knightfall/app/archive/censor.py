"""What must not stand in an archive, whatever a post says? Keys of a login in any; in one for everybody also
where private threads are, and what they are called."""

from __future__ import annotations

import re
from functools import partial

from knightfall.app.guarding.rooms import Room, rooms_named, tokens_in
from knightfall.forums.links import without_session
from knightfall.writeups.archive.inert import CLOSED, Censor

_CHUNK = re.compile(r"(\s+)")
SHORT = 6
"""A title of so few letters is a word like others."""


def censor_of(rooms: tuple[Room, ...]) -> Censor:
    """The censor of an archive from which these private threads are kept out."""
    return Censor(partial(_words, rooms), partial(_address, rooms))


def _words(rooms: tuple[Room, ...], text: str) -> str:
    for token in tuple(tokens_in(text)):
        text = text.replace(token, "…")
    for room in rooms:
        if len(room.title.strip()) > SHORT:
            text = _without(text, room.title.strip())
    if not rooms or not _may_name(text, rooms):
        return text
    return "".join(_chunk(rooms, chunk) for chunk in _CHUNK.split(text))


def _may_name(text: str, rooms: tuple[Room, ...]) -> bool:
    """Whether an address could be among the words."""
    low = text.casefold()
    return "[t" in low or any(_host(room.url) in low for room in rooms)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].casefold().removeprefix("www.")


def _chunk(rooms: tuple[Room, ...], chunk: str) -> str:
    for said, _ in tuple(rooms_named(chunk, rooms)):
        chunk = _without(chunk, said)
    return chunk


def _without(text: str, said: str) -> str:
    return re.sub(re.escape(said), CLOSED, text, flags=re.IGNORECASE)


def _address(rooms: tuple[Room, ...], url: str) -> str | None:
    """The address without the reader's session; None where it leads into a private thread."""
    try:
        bare = without_session(url)
    except ValueError:
        return url
    return None if any(rooms_named(bare, rooms)) else bare
