"""What was read of a thread: every version of a post, what changed since, what was counted when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from itertools import groupby, pairwise
from typing import Any

from tabulate import tabulate

from knightfall.errors import InputError
from knightfall.fetch.saved import SavedPage, saved_pages, together
from knightfall.forums import html_style_of
from knightfall.markup.html import plain_text
from knightfall.models import ChangeKind, Post, PostChange, PostVersion, Thread
from knightfall.services.game_state import setup_of
from knightfall.services.reading import Kept, Link, SavedPages, Source, address_of, gather, source_of
from knightfall.services.session import Session, Store, game_database

SHOWN = 12
"""So many lines of one kind are shown; the rest is counted."""
EXCERPT = 200


@dataclass(frozen=True, slots=True)
class History:
    """All that is kept of the posts that have or had one number; `platform` says how bodies are written."""

    thread: str
    platform: str
    number: int
    versions: tuple[PostVersion, ...]
    changes: tuple[PostChange, ...]


def history_of(post: str, url: str | None, session: Session) -> History:
    """What is kept of a post of the thread at `url`, or of the thread of a game.

    Raises InputError where the post is no number, or nothing is kept of it.
    """
    number = _number(post)
    store, thread = _kept_thread(url, session)
    try:
        found, kept = store.thread(thread), store.versions(thread, number)
        if found is None or not kept:
            raise InputError(f"Nothing is kept of post {number} of {thread}. Read the thread first.")
        return History(thread, found.platform, number, kept, store.changes(thread, number))
    finally:
        store.close()


def news_of(source: Source, thread: str | None, session: Session) -> tuple[PostChange, ...]:
    """What the read of a thread just now found changed; nothing for what was not read from its forum."""
    if thread is None or not isinstance(source, Link):
        return ()
    store = session.store(thread)
    try:
        return store.changes(thread)
    finally:
        store.close()


def versions_of(thread: str, post: int, *, session: Session) -> tuple[PostVersion, ...]:
    """All versions of a post that were seen, oldest first."""
    store = session.store(thread)
    try:
        return store.versions(thread, post)
    finally:
        store.close()


def note_counted(source: Source, thread: str | None, to: int, session: Session) -> None:
    """Posts up to number `to` were counted now: a later change of one is told as such."""
    if thread is None or not isinstance(source, (Link, Kept)):
        return
    store = session.store(thread)
    try:
        store.mark_counted(thread, to, session.clock.now())
    finally:
        store.close()


def as_text(history: History) -> str:
    """Every version with its times, hashes and the way it differs from the one before."""
    return "\n".join(_lines(history))


def history_values(history: History) -> dict[str, Any]:
    """{thread, post, versions, changes}: bodies as readable text, times in ISO 8601."""
    return {
        "thread": history.thread,
        "post": history.number,
        "versions": [_version_values(history.platform, version) for version in history.versions],
        "changes": [_change_values(change) for change in history.changes],
    }


def change_line(change: PostChange) -> str:
    """ "Post 67 (Boro) changed after it was counted." """
    did = "was hidden or deleted by the forum" if _was_hidden(change) else _DID[change.became]
    counted = f" after it was counted ({_when(change.counted)})" if change.counted else ""
    return f"Post {change.post.number} ({change.post.author}) {did}{counted}."


def change_lines(changes: Sequence[PostChange], platform: str) -> Iterator[str]:
    """What changed, each with the lines that differ."""
    for change in changes[:SHOWN]:
        yield change_line(change)
        if change.became is ChangeKind.VANISHED:
            yield f"  it said: {_excerpt(change.post, platform)}"
        elif change.before is not None:
            yield from (f"  {line}" for line in _difference(change.before, change.post, platform))
    if len(changes) > SHOWN:
        yield f"… and {len(changes) - SHOWN} more changes: knightfall evidence POST shows each."


_DID = {ChangeKind.CHANGED: "changed", ChangeKind.VANISHED: "vanished", ChangeKind.RETURNED: "is there again"}


def _was_hidden(change: PostChange) -> bool:
    return change.before is not None and change.post.hidden and not change.before.hidden


def _number(post: str) -> int:
    digits = post.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 67.")
    return int(digits)


def _kept_thread(url: str | None, session: Session) -> tuple[Store, str]:
    if url is not None:
        thread = address_of(url, session)
        return session.store(thread), thread
    if session.game is None:
        raise InputError("Give the address of the thread, or --game with the folder of a game.")
    store = session.store("")
    threads = store.threads()
    own = [thread for thread in threads if thread == _own_thread(session)]
    if len(own or threads) == 1:
        return store, (own or threads)[0]
    store.close()
    held = f"holds {len(threads)} threads: give the address of one" if threads else "holds no thread yet"
    raise InputError(f"{game_database(session.game)} {held}.")


def _own_thread(session: Session) -> str | None:
    """The address of the game's own thread; None where its file names none, or there is no file."""
    from knightfall.config.game_file import read_setup

    file = session.folder / "game.toml"
    url = read_setup(file).url if file.exists() else None
    return address_of(url, session) if url else None


def _lines(history: History) -> Iterator[str]:
    for _, group in groupby(history.versions, key=lambda version: version.post.id):
        yield from _one_post(tuple(group), history.platform)
    if history.changes:
        yield ""
        yield from (f"{_when(change.at)}  {change_line(change)}" for change in history.changes)


def _one_post(versions: Sequence[PostVersion], platform: str) -> Iterator[str]:
    post = versions[-1].post
    yield f"Post #{post.number} by {post.author}{f', {post.url}' if post.url else ''}"
    yield from _one_version(versions[0])
    yield from (
        f"  {line}" for line in plain_text(versions[0].post.body, html_style_of(platform)).split("\n")
    )
    for before, after in pairwise(versions):
        yield from _one_version(after)
        yield from (f"  {line}" for line in _difference(before.post, after.post, platform))


def _one_version(version: PostVersion) -> Iterator[str]:
    until = f" until {_when(version.superseded)}" if version.superseded else ", still so"
    private = ", read while logged in" if version.private else ""
    yield ""
    yield f"Version {version.number}: seen from {_when(version.first_seen)}{until}{private}"
    if version.server_date:
        yield f"  forum's clock  {version.server_date}"
    yield f"  text sha256    {version.sha256}"
    if version.page_sha256:
        yield f"  page sha256    {version.page_sha256}"
        yield f"  page           {version.page_url}"
    if version.post.edit_note:
        yield f"  edit notice    {version.post.edit_note}"


def _difference(before: Post, after: Post, platform: str) -> Iterator[str]:
    """The lines that went and came, author and hidden mark too; a sentence where only the looks differ."""
    texts = (_described(before, platform), _described(after, platform))
    lines = list(unified_diff(*texts, lineterm="", n=1))[2:]
    if not lines:
        yield "(the same words; formatting or links differ)"
    yield from (line for line in lines if not line.startswith("@@"))


def _described(post: Post, platform: str) -> list[str]:
    hidden = ["(hidden or deleted)"] if post.hidden else []
    return [f"by {post.author}", *hidden, *plain_text(post.body, html_style_of(platform)).split("\n")]


def _excerpt(post: Post, platform: str) -> str:
    text = " ".join(plain_text(post.body, html_style_of(platform)).split())
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "…"


def _when(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "unknown"


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None


def _version_values(platform: str, version: PostVersion) -> dict[str, Any]:
    return {
        "id": version.post.id,
        "version": version.number,
        "author": version.post.author,
        "hidden": version.post.hidden,
        "first_seen": _iso(version.first_seen),
        "superseded": _iso(version.superseded),
        "server_date": version.server_date,
        "sha256": version.sha256,
        "page_url": version.page_url,
        "page_sha256": version.page_sha256,
        "private": version.private,
        "text": plain_text(version.post.body, html_style_of(platform)),
    }


def _change_values(change: PostChange) -> dict[str, Any]:
    return {
        "id": change.post.id,
        "became": change.became.value,
        "at": _iso(change.at),
        "counted": _iso(change.counted),
    }


@dataclass(frozen=True, slots=True)
class WasRead:
    """A thread that was read, and what a later look at it is compared with."""

    thread: Thread
    source: Source


def source_here(words: Sequence[str], html: bool, jsonl: bool, again: bool, session: Session) -> Source:
    """What is named on the command line; in a game's folder, where nothing is, the thread of the game.

    Raises InputError where neither says what to read.
    """
    if words or html or jsonl or session.game is None or session.game.suffix == ".db":
        return source_of(words, html, jsonl, again)
    url = setup_of(session).url
    return source_of((url,) if url else (), again=again)


def read(source: Source, session: Session) -> WasRead:
    """Reads a thread. Pages saved in a browser are kept with the game, as pages of the forum always are.

    Raises what `gather` raises, and InputError for saved pages that cannot be kept.
    """
    if isinstance(source, SavedPages) and session.game is not None:
        return _kept(saved_pages(source.paths, session.clock.now(), session.progress), session)
    return WasRead(gather(source, session), source)


def _kept(pages: Sequence[SavedPage], session: Session) -> WasRead:
    """The thread as it is known with these pages; they may hold what only their reader may see."""
    url = together(pages).url
    if url is None:
        raise InputError(
            f"{pages[0].path} does not say which address it was saved from, so it cannot be kept with the "
            "game. Save it in your browser as a web page, or count it alone: knightfall vc --from-html FILE"
        )
    _refuse_twice(pages)
    store, now = session.store(url), session.clock.now()
    try:
        for page in pages:
            store.save_page(url, page.platform, replace(page.response, private=True), page.chunk, now)
        store.finish_read(url, now)
        return WasRead(store.thread(url) or together(pages), Link(url))
    finally:
        store.close()


def _refuse_twice(pages: Sequence[SavedPage]) -> None:
    """Of two copies of a page nobody knows which is the newer one."""
    number, times = Counter(page.chunk.page for page in pages).most_common(1)[0]
    if times > 1:
        files = " and ".join(str(page.path) for page in pages if page.chunk.page == number)
        raise InputError(f"{files} are both page {number} of the thread. Give the newer one only.")


VALUE_WIDTH = 64
EDITS = 3
"""So many of the newest edits are shown."""


def as_table(thread: Thread) -> str:
    """Pages, posts, first and last post; fits 80 columns."""
    rows = [
        ("Title", thread.title),
        ("Forum", thread.platform),
        ("Pages", thread.pages),
        ("Posts", len(thread.posts)),
        *((name, _named(post)) for name, post in _ends(thread.posts)),
        ("Complete", "yes" if thread.complete else "no"),
    ]
    return tabulate(rows, tablefmt="plain", maxcolwidths=[None, VALUE_WIDTH], disable_numparse=True)


def thread_values(thread: Thread) -> dict[str, Any]:
    """{platform, title, complete, pages, posts: [each post]}: times in ISO 8601, bodies as readable text."""
    return {
        "platform": thread.platform,
        "title": thread.title,
        "complete": thread.complete,
        "pages": thread.pages,
        "posts": [_post_values(thread.platform, post) for post in thread.posts],
    }


def news_lines(thread: Thread, changes: Sequence[PostChange]) -> Iterator[str]:
    """What changed since the last read, and which posts the forum says were edited last."""
    yield from change_lines(changes, thread.platform)
    edited = sorted((post for post in thread.posts if post.edited), key=_edited, reverse=True)
    if edited:
        more = f" and {len(edited) - EDITS} older" if len(edited) > EDITS else ""
        yield f"Newest edits: {'; '.join(map(_edit, edited[:EDITS]))}{more}."


def incomplete(thread: Thread) -> str:
    """What is missing, and what to do."""
    return " ".join((*thread.missing, "This is not the whole thread. Add what is missing and read again."))


def _ends(posts: tuple[Post, ...]) -> tuple[tuple[str, Post], ...]:
    return (("First post", posts[0]), ("Last post", posts[-1])) if posts else ()


def _named(post: Post) -> str:
    when = f"{post.time:%Y-%m-%d %H:%M} UTC" if post.time else "no time told"
    return f"#{post.number} {post.author}, {'about ' if post.time and post.approximate else ''}{when}"


def _edited(post: Post) -> tuple[float, int]:
    return (post.edited.timestamp() if post.edited else 0.0, post.number)


def _edit(post: Post) -> str:
    return f"#{post.number} {post.author}, {post.edited:%Y-%m-%d %H:%M} UTC"


def _post_values(platform: str, post: Post) -> dict[str, Any]:
    return {
        "id": post.id,
        "number": post.number,
        "author": post.author,
        "author_id": post.author_id,
        "time": _iso(post.time),
        "approximate": post.approximate,
        "edited": _iso(post.edited),
        "hidden": post.hidden,
        "url": post.url,
        "text": plain_text(post.body, html_style_of(platform)),
    }
