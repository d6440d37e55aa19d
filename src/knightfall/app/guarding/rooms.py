"""Which threads of a game may not everybody know: their addresses in every form, and what they are called?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from knightfall.app.ports import Ports, Store
from knightfall.forums import candidates
from knightfall.forums.links import without_session
from knightfall.setups.setup import Setup, ThreadSetup

_ADDRESS = re.compile(r"(?:https?://|\bwww\.)[^\s\[\]<>\"'`()|]+", re.IGNORECASE)
_TAG = re.compile(r"\[(?:thread|topic)=\"?(\w+)\"?[\];]", re.IGNORECASE)
_TOKEN = re.compile(
    r"[?&;](?:sid|phpsessid|s|csrf\w*|form_token|creation_time|securitytoken|_xfToken|auth|api_key|token)"
    r"=([\w-]{16,})",
    re.IGNORECASE,
)
_Place = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Room:
    """A thread that only some may read. `places`: platform, forum and topic as its address tells them;
    `title` as it was last seen, "" where it was not."""

    url: str
    places: frozenset[_Place]
    title: str = ""


def rooms_unread(setup: Setup) -> tuple[Room, ...]:
    """The private threads of a game file, of which nothing was read: nothing is opened."""
    return tuple(_room(thread, "") for thread in setup.threads if thread.secret)


def rooms_of(setup: Setup, ports: Ports) -> tuple[Room, ...]:
    """The private threads of a game file; none where it names none, and then nothing is opened."""
    secret = [thread for thread in setup.threads if thread.secret]
    if not secret:
        return ()
    store = ports.store(secret[0].url)
    try:
        return tuple(_room(thread, _title(thread.url, store)) for thread in secret)
    finally:
        store.close()


def rooms_named(line: str, rooms: tuple[Room, ...]) -> Iterator[tuple[str, Room]]:
    """(address, room) for every link of a line into a private thread, however it is written."""
    if not rooms:
        return
    for said in _ADDRESS.findall(line):
        url = without_session(said.rstrip(".,;:!?"))
        places = _places(url)
        yield from ((said, room) for room in rooms if places & room.places or _is_below(url, room.url))
    for topic in _TAG.findall(line):
        yield from ((topic, room) for room in rooms if any(topic == place[2] for place in room.places))
    for room in rooms:
        bare = _bare(room.url)
        if bare in line and not _ADDRESS.search(line):
            yield bare, room


def tokens_in(line: str) -> Iterator[str]:
    """Sessions and keys of a login in the links of a line."""
    yield from (found[0] for found in _TOKEN.finditer(line))


def _room(thread: ThreadSetup, title: str) -> Room:
    return Room(thread.url, _places(without_session(thread.url)), title)


def _places(url: str) -> frozenset[_Place]:
    try:
        found = candidates(url)
    except ValueError:
        return frozenset()
    return frozenset((forum.name, _bare(ref.root), ref.id) for forum, ref in found)


def _is_below(url: str, room: str) -> bool:
    """The same address with more behind it: a page, a post, a reader's option."""
    bare, known = _bare(url), _bare(room)
    return bare.startswith(known) and not bare[len(known) : len(known) + 1].isalnum()


def _bare(url: str) -> str:
    """Without what makes no difference: scheme, www, a slash at the end, capitals."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    host = parts.netloc.casefold().removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}".casefold()


def _title(url: str, store: Store) -> str:
    """What a room is called, where it was read: under its address, or as its forum writes that."""
    addresses = dict.fromkeys((url, *(forum.start(ref).url for forum, ref in candidates(url))))
    return next((title for one in addresses if (title := store.title(one))), "")
