"""What is kept of a post: every version that was seen, and how they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import unified_diff
from itertools import groupby
from typing import Any

from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.markup.html import plain_text
from knightfall.models import Post, PostChange, PostVersion
from knightfall.sentence import Way, sentence
from knightfall.services.session import Session, game_database
from knightfall.services.threads import iso, known_address
from knightfall.writeups.report import AsIs, Report
from knightfall.writeups.vote_words import change_line


@dataclass(frozen=True, slots=True, repr=False)
class History(JsonAnswer):
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
                "first_seen": iso(version.first_seen),
                "superseded": iso(version.superseded),
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
                "at": iso(change.at),
                "counted": iso(change.counted),
            }
            for change in self.changes
        ]
        return {"thread": self.thread, "post": self.number, "versions": versions, "changes": changes}

    def report(self) -> Report:
        """Every version of the post with its times, hashes and the way it differs from the one before."""
        return Report((AsIs("\n".join(_history_lines(self))),))


def history_of(session: Session, post: str, url: str | None = None) -> History:
    """What is kept of a post of the thread at `url`, or of the thread of a game.

    Raises InputError where the post is no number, or nothing is kept of it.
    """
    digits = post.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"{post} is not a post number. Use the number that the forum shows, for example 67.")
    number = int(digits)
    thread = _own_thread(session) if url is None else known_address(url, session)
    store = session.store(thread)
    try:
        found, kept = store.thread(thread), store.versions(thread, number)
        if found is None or not kept:
            raise InputError(f"Post {number} of {thread} has not been read yet. Read the thread first.")
        return History(thread, found.platform, number, kept, store.changes(thread, number))
    finally:
        store.close()


def _own_thread(session: Session) -> str:
    """The address of the game's own thread where its pages are kept, else of the only one that is kept.

    Raises InputError where there is neither.
    """
    if session.game is None:
        raise InputError(
            sentence(
                "Give the address of the thread, or the folder of a game: {game}",
                game=Way("field", name="game", value="FOLDER"),
            )
        )
    store = session.store("")
    try:
        threads = store.threads()
    finally:
        store.close()
    if threads and session.file.exists():
        from knightfall.config.game_file import read_setup  # counts need no game file: it loads pydantic

        url = read_setup(session.file).url
        own = known_address(url, session) if url else None
        if own in threads:
            return own
    if len(threads) == 1:
        return threads[0]
    held = f"holds {len(threads)} threads: give the address of one" if threads else "holds no thread yet"
    raise InputError(f"{game_database(session.game)} {held}.")


def _history_lines(history: History) -> Iterator[str]:
    """Every version of a post with its times, hashes and the way it differs from the one before."""
    html_style = html_style_of(history.platform)
    for _, group in groupby(history.versions, key=lambda version: version.post.id):
        versions = tuple(group)
        newest = versions[-1].post
        yield f"Post #{newest.number} by {newest.author}{f', {newest.url}' if newest.url else ''}"
        before: Post | None = None
        for version in versions:
            yield from _version_lines(version)
            if before is None:
                yield from (f"  {line}" for line in plain_text(version.post.body, html_style).split("\n"))
            else:
                yield from (f"  {line}" for line in difference(before, version.post, history.platform))
            before = version.post
    if history.changes:
        yield ""
        yield from (f"{_instant(change.at)}  {change_line(change)}" for change in history.changes)


def _version_lines(version: PostVersion) -> Iterator[str]:
    until = f" until {_instant(version.superseded)}" if version.superseded else ", current version"
    private = ", read while logged in" if version.private else ""
    yield ""
    yield f"Version {version.number}: seen from {_instant(version.first_seen)}{until}{private}"
    if version.server_date:
        yield f"  forum's clock  {version.server_date}"
    yield f"  text sha256    {version.sha256}"
    if version.page_sha256:
        yield f"  page sha256    {version.page_sha256}"
        yield f"  page           {version.page_url}"
    if version.post.edit_note:
        yield f"  edit notice    {version.post.edit_note}"


def _instant(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def difference(before: Post, after: Post, platform: str) -> Iterator[str]:
    """The lines that went and came, author and hidden mark too; a sentence where only the looks differ."""

    def described(post: Post) -> list[str]:
        hidden = ["(hidden or deleted)"] if post.hidden else []
        return [f"by {post.author}", *hidden, *plain_text(post.body, html_style_of(platform)).split("\n")]

    lines = list(unified_diff(described(before), described(after), lineterm="", n=1))[2:]
    if not lines:
        yield "(same words; only formatting or links differ)"
    yield from (line for line in lines if not line.startswith("@@"))
