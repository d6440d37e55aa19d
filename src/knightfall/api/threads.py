"""Threads, from a forum or from files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from knightfall.api.door import door
from knightfall.errors import InputError
from knightfall.models import Thread
from knightfall.services.machine import session_of
from knightfall.services.threads import Kept, Link, PostLines, SavedPages, Source, gather


@door
def read(
    url: str,
    *,
    game: str | Path | None = None,
    stored: bool = False,
    again: bool = False,
    cookies: str | Path | None = None,
    user_agent: str = "",
    allow_private_host: bool = False,
) -> Thread:
    """The thread at an address, all its pages.

    What is read is kept: in the database of the folder `game`, else under your user data folder; the next
    read fetches only what is new, with `again` every page, with `stored` none. One page is asked for at a
    time, two seconds apart. `cookies` is a file of your browser's login (Netscape format, readable by you
    alone), `user_agent` that of this browser, where the file does not tell it; `allow_private_host` lets
    the address lead to this machine or its network.

    `Thread.missing` says in sentences what could not be read; such a thread is not counted to its end.

    Raises InputError (no such server, never read before), EvidenceError (no forum we know, a broken page)
    and SiteRefused (login required, access denied, too many requests).
    """
    source: Source = Kept(url) if stored else Link(url, again)
    folder, login = Path(game) if game else None, Path(cookies) if cookies else None
    return gather(source, session_of(folder, allow_private_host, login, agent=user_agent))


@door
def read_html(paths: str | Path | Iterable[str | Path]) -> Thread:
    """The thread that pages saved in a browser make together, in any order; a folder means all its pages.

    Raises InputError (no such file, pages of two threads) and EvidenceError (no forum we know).
    """
    files = [paths] if isinstance(paths, str | Path) else paths
    return gather(SavedPages(tuple(map(Path, files))), session_of(None))


@door
def read_jsonl(path: str | Path) -> Thread:
    """The thread of a file with one post a line as JSON, `.gz` or not: number, id, user, content, time.

    Raises InputError (no such file) and IncompleteRead (a line that is no post, a file that ends early).
    """
    return gather(PostLines(Path(path)), session_of(None))


def refuse_disorder(thread: Thread) -> None:
    """Raise InputError for a thread made by hand whose posts are not in the order of their numbers."""
    for before, post in pairwise(thread.posts):
        if post.number <= before.number:
            raise InputError(
                f"The posts of “{thread.title}” are not in order: #{post.number} stands behind "
                f"#{before.number}. Sort them by their numbers, each once."
            )
