"""Why can this page not be read? What it is, what was found on it, what is missing, what we would need.

Nothing is counted or kept: the page is looked at once, whole or not, and everything found is told in lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from tabulate import tabulate

from knightfall.app.plain_values import as_object
from knightfall.errors import KnightfallError
from knightfall.fetch.ports import Fetch
from knightfall.fetch.saved import saved_bytes, saved_response
from knightfall.forums import forum_of, located
from knightfall.forums.adapter import Chunk, Request, Response
from knightfall.forums.pages import read_chunk
from knightfall.forums.payload import is_json
from knightfall.forums.platforms import PLATFORMS, Platform, platform_named
from knightfall.forums.soup import Tag, attribute, every, maybe, parse_page, words
from knightfall.forums.xml_answer import is_xml

VALUE_WIDTH = 68
SEND = (
    "Send us these lines. If the page is public, its address is enough; else a copy of the page with texts "
    "and names made up. Never send passwords or cookies."
)


@dataclass(frozen=True, slots=True)
class Examined:
    """A page as it came; `sha256` is of `hashed`: the file on the disk, or the text that was fetched."""

    name: str
    response: Response
    sha256: str
    hashed: str


@dataclass(frozen=True, slots=True)
class Report:
    """What is told of a page, line by line, and the exit status of what is wrong with it (0: nothing)."""

    lines: tuple[tuple[str, str], ...]
    exit_status: int = 0

    def text(self) -> str:
        """The lines as a table; fits 80 columns."""
        return tabulate(self.lines, tablefmt="plain", maxcolwidths=[None, VALUE_WIDTH], disable_numparse=True)

    def json(self) -> str:
        """{schema, exit_status, found: [{what, says}]}."""
        found = [{"what": what, "says": says} for what, says in self.lines]
        return as_object({"exit_status": self.exit_status, "found": found})


def saved(path: Path) -> Examined:
    """A saved page. Raises InputError."""
    return Examined(str(path), saved_response(path), sha256(saved_bytes(path)).hexdigest(), "the file")


def fetched(url: str, fetch: Fetch) -> Examined:
    """A page of the web. Raises InputError, and SiteRefused where not even a refusal arrives as a page."""
    response = fetch.get(Request(url))
    return Examined(url, response, sha256(response.text.encode()).hexdigest(), "the text")


def examine(page: Examined, now: datetime) -> Report:
    """Reads the page as a count would and says how far that went."""
    tree = _tree(page.response.text)
    forum = forum_of(page.response)
    lines = [*_about(page, tree), ("Platform", _platform(forum.name if forum else None, tree, page))]
    try:
        _, chunk = read_chunk(page.response, page.name, now)
    except KnightfallError as error:
        counted = _counted(forum.name if forum else None, tree)
        told = (*lines, *counted, ("Problem", f"{type(error).__name__}: {error}"), ("To do", SEND))
        return Report(told, error.exit_status)
    return Report((*lines, *_read(chunk), ("Verdict", _verdict(chunk))))


def _tree(text: str) -> Tag:
    """Only HTML has marks to look for; the answers of an API say themselves what they lack."""
    return parse_page("" if is_json(text) or is_xml(text) else text)


def _about(page: Examined, tree: Tag) -> tuple[tuple[str, str], ...]:
    response = page.response
    title = maybe(tree, "title")
    size = len(response.text.encode())
    return (
        ("Page", page.name),
        ("Address", response.url or "not told by the page"),
        ("Status", str(response.status)),
        ("Title", (words(title) if title else "") or "none"),
        ("Size", f"{size:,} bytes, begins “{_beginning(response.text)}”"),
        ("sha256", f"{page.sha256} (of {page.hashed})"),
    )


def _beginning(text: str) -> str:
    return " ".join(text[:200].split())[:32]


def _platform(name: str | None, tree: Tag, page: Examined) -> str:
    """Who recognises the page; where nobody does, what it looks like."""
    if name:
        return f"{name} ({platform_named(name).software})"
    hints = [
        *(f"its software says “{said}”" for said in _says(tree)),
        *(f"its marks are like {row.name}'s" for row in _alike(tree)),
        *(f"its address is like {found[0].name}'s" for found in [located(page.response.url)] if found),
    ]
    return "not recognised" + (f"; {', '.join(hints)}" if hints else "; it looks like no forum we know")


def _says(tree: Tag) -> list[str]:
    """What the page itself calls the software that made it."""
    maker = attribute(maybe(tree, 'meta[name="generator"]'), "content")
    return [maker] if maker else []


def _alike(tree: Tag) -> list[Platform]:
    """Platforms of which boxes and texts are there."""
    marked = [(row, row.landmarks) for row in PLATFORMS if row.landmarks]
    return [row for row, marks in marked if every(tree, marks.boxes) and every(tree, marks.texts)]


def _counted(name: str | None, tree: Tag) -> list[tuple[str, str]]:
    """How often each thing that a page with posts has was found, with the selector it was looked for by."""
    rows: Sequence[Platform] = [platform_named(name)] if name else _alike(tree)
    marks = [pair for row in rows for pair in _marks(row, tree)]
    return [*marks, ("Password", _found(tree, 'input[type="password"]'))]


def _marks(row: Platform, tree: Tag) -> list[tuple[str, str]]:
    if row.landmarks is None:
        return []
    wanted = (
        ("Boxes", row.landmarks.boxes),
        ("Authors", row.landmarks.authors),
        ("Texts", row.landmarks.texts),
    )
    return [(what, f"{_found(tree, selector)} ({row.name})") for what, selector in wanted]


def _found(tree: Tag, selector: str) -> str:
    count = len(every(tree, selector))
    return f"{count or 'none'} by {selector}"


def _read(chunk: Chunk) -> tuple[tuple[str, str], ...]:
    posts = chunk.posts
    total = f" of {chunk.posts_total}" if chunk.posts_total is not None else ""
    exact = sum(post.time is not None and not post.approximate for post in posts)
    timed = sum(post.time is not None for post in posts)
    return (
        ("Thread", f"{chunk.title}, page {chunk.page} of {chunk.pages}"),
        ("Posts", f"{len(posts)}{total}, by {len({post.author for post in posts})} authors"),
        ("Times", f"{timed} read, {exact} of them exact"),
        ("Edited", str(sum(post.edit_note is not None for post in posts))),
        ("Hidden", str(sum(post.hidden for post in posts))),
        ("Next page", chunk.following.url if chunk.following else "none"),
    )


def _verdict(chunk: Chunk) -> str:
    if chunk.missing:
        return "read, but not to be counted: " + " ".join(chunk.missing)
    return "this page can be read"
