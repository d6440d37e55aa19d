"""What was read of a thread: every version of a post, what changed since, what was counted when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.markup.html import plain_text
from knightfall.models import PostChange, PostVersion, Thread
from knightfall.services.reading import Kept, Link, SavedPages, Source, address_of, gather, source_of
from knightfall.services.session import Session, game_database


@dataclass(frozen=True, slots=True)
class History:
    """All that is kept of the posts that have or had one number; `platform` says how bodies are written."""

    thread: str
    platform: str
    number: int
    versions: tuple[PostVersion, ...]
    changes: tuple[PostChange, ...]

    def to_dict(self) -> dict[str, Any]:
        """{thread, post, versions, changes}: bodies as readable text, times in ISO 8601."""
        html_style = html_style_of(self.platform)
        versions = [
            {
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
                "text": plain_text(version.post.body, html_style),
            }
            for version in self.versions
        ]
        changes = [
            {
                "id": change.post.id,
                "became": change.became.value,
                "at": _iso(change.at),
                "counted": _iso(change.counted),
            }
            for change in self.changes
        ]
        return {"thread": self.thread, "post": self.number, "versions": versions, "changes": changes}


def history_of(post: str, url: str | None, session: Session) -> History:
    """What is kept of a post of the thread at `url`, or of the thread of a game.

    Raises InputError where the post is no number, or nothing is kept of it.
    """
    digits = post.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 67.")
    number = int(digits)
    thread = _own_thread(session) if url is None else address_of(url, session)
    store = session.store(thread)
    try:
        found, kept = store.thread(thread), store.versions(thread, number)
        if found is None or not kept:
            raise InputError(f"Nothing is kept of post {number} of {thread}. Read the thread first.")
        return History(thread, found.platform, number, kept, store.changes(thread, number))
    finally:
        store.close()


def _own_thread(session: Session) -> str:
    """The address of the game's own thread where its pages are kept, else of the only one that is kept.

    Raises InputError where there is neither.
    """
    if session.game is None:
        raise InputError("Give the address of the thread, or --game with the folder of a game.")
    store = session.store("")
    try:
        threads = store.threads()
    finally:
        store.close()
    if threads and session.file.exists():
        from knightfall.config.game_file import read_setup

        url = read_setup(session.file).url
        own = address_of(url, session) if url else None
        if own in threads:
            return own
    if len(threads) == 1:
        return threads[0]
    held = f"holds {len(threads)} threads: give the address of one" if threads else "holds no thread yet"
    raise InputError(f"{game_database(session.game)} {held}.")


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
    """Write down that posts up to number `to` were counted now: a later change of one is told as such."""
    if thread is None or not isinstance(source, (Link, Kept)):
        return
    store = session.store(thread)
    try:
        store.mark_counted(thread, to, session.clock.now())
    finally:
        store.close()


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """A thread that was read into the evidence, and what changed in it since it was read before."""

    thread: Thread
    news: tuple[PostChange, ...]

    def to_dict(self) -> dict[str, Any]:
        """{platform, title, complete, pages, posts: [each post]}: times in ISO 8601, bodies as readable
        text."""
        thread, html_style = self.thread, html_style_of(self.thread.platform)
        posts = [
            {
                "id": post.id,
                "number": post.number,
                "author": post.author,
                "author_id": post.author_id,
                "time": _iso(post.time),
                "approximate": post.approximate,
                "edited": _iso(post.edited),
                "hidden": post.hidden,
                "url": post.url,
                "text": plain_text(post.body, html_style),
            }
            for post in thread.posts
        ]
        return {
            "platform": thread.platform,
            "title": thread.title,
            "complete": thread.complete,
            "pages": thread.pages,
            "posts": posts,
        }


def source_here(words: Sequence[str], html: bool, jsonl: bool, again: bool, session: Session) -> Source:
    """What is named on the command line; in a game's folder, where nothing is, the thread of the game.

    Raises InputError where neither says what to read.
    """
    if words or html or jsonl or session.game is None or session.game.suffix == ".db":
        return source_of(words, html, jsonl, again)
    from knightfall.services.game_state import setup_of

    url = setup_of(session).url
    return source_of((url,) if url else (), again=again)


def read(source: Source, session: Session) -> ThreadRead:
    """Read a thread. Pages saved in a browser are kept with the game, as pages of the forum always are.

    Raises what `gather` raises, and InputError for saved pages that cannot be kept.
    """
    if isinstance(source, SavedPages) and session.game is not None:
        thread = _keep_pages(source, session)
        source = Link(thread.url or "")
    else:
        thread = gather(source, session)
    return ThreadRead(thread, news_of(source, thread.url, session))


def _keep_pages(source: SavedPages, session: Session) -> Thread:
    """The thread as it is known with these pages; they may hold what only their reader may see."""
    from knightfall.fetch.saved import saved_pages, together

    pages = saved_pages(source.paths, session.clock.now(), session.progress)
    url = together(pages).url
    if url is None:
        raise InputError(
            f"{pages[0].path} does not say which address it was saved from, so it cannot be kept with the "
            "game. Save it in your browser as a web page, or count it alone: knightfall vc --from-html FILE"
        )
    # Of two copies of a page nobody knows which is the newer one.
    number, times = Counter(page.chunk.page for page in pages).most_common(1)[0]
    if times > 1:
        files = " and ".join(str(page.path) for page in pages if page.chunk.page == number)
        raise InputError(f"{files} are both page {number} of the thread. Give the newer one only.")
    store, now = session.store(url), session.clock.now()
    try:
        for page in pages:
            store.save_page(url, page.platform, replace(page.response, private=True), page.chunk, now)
        store.finish_read(url, now)
        return store.thread(url) or together(pages)
    finally:
        store.close()


def incomplete(thread: Thread) -> str:
    """What is missing, and what to do."""
    return " ".join((*thread.missing, "This is not the whole thread. Add what is missing and read again."))


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None
