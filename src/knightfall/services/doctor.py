"""Examine a page that cannot be read: what it is, what was found on it, what is missing.

Nothing is counted or kept: the page is looked at once, whole or not, and everything found becomes a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from knightfall.errors import KnightfallError
from knightfall.fetch.ports import Fetch
from knightfall.fetch.saved import saved_bytes, saved_response
from knightfall.forums import forum_of, located
from knightfall.forums.adapter import Request, Response
from knightfall.forums.pages import read_chunk
from knightfall.forums.payload import is_json
from knightfall.forums.platforms import PLATFORMS, Platform, platform_named
from knightfall.forums.soup import Tag, attribute, every, maybe, parse_page, words
from knightfall.forums.xml_answer import is_xml

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
    """What was found, as pairs of name and text, and the exit status of what is wrong (0: nothing)."""

    lines: tuple[tuple[str, str], ...]
    exit_status: int = 0

    def to_dict(self) -> dict[str, object]:
        """{exit_status, found: [{what, says}]}."""
        found = [{"what": what, "says": says} for what, says in self.lines]
        return {"exit_status": self.exit_status, "found": found}


def saved(path: Path) -> Examined:
    """A saved page. Raises InputError."""
    return Examined(str(path), saved_response(path), sha256(saved_bytes(path)).hexdigest(), "the file")


def fetched(url: str, fetch: Fetch) -> Examined:
    """A page of the web. Raises InputError, and SiteRefused where not even a refusal arrives as a page."""
    response = fetch.get(Request(url))
    return Examined(url, response, sha256(response.text.encode()).hexdigest(), "the text")


def examine(page: Examined, now: datetime) -> Report:
    """Read the page as a count would, and report how far that went."""
    response = page.response
    # Only HTML has marks to look for; the answers of an API say themselves what they lack.
    is_html = not (is_json(response.text) or is_xml(response.text))
    tree = parse_page(response.text if is_html else "")
    title = maybe(tree, "title")
    beginning = " ".join(response.text[:200].split())[:32]
    forum = forum_of(response)
    platform = platform_named(forum.name) if forum else None
    lines = [
        ("Page", page.name),
        ("Address", response.url or "not told by the page"),
        ("Status", str(response.status)),
        ("Title", (words(title) if title else "") or "none"),
        ("Size", f"{len(response.text.encode()):,} bytes, begins “{beginning}”"),
        ("sha256", f"{page.sha256} (of {page.hashed})"),
        ("Platform", f"{platform.name} ({platform.software})" if platform else _resemblance(tree, response)),
    ]
    try:
        _, chunk = read_chunk(response, page.name, now)
    except KnightfallError as error:
        # How often each thing that a page with posts has was found, by the selector it is looked for with.
        for row in [platform] if platform else _similar_platforms(tree):
            if row.landmarks is not None:
                lines.append(("Boxes", f"{_found_by(tree, row.landmarks.boxes)} ({row.name})"))
                lines.append(("Authors", f"{_found_by(tree, row.landmarks.authors)} ({row.name})"))
                lines.append(("Texts", f"{_found_by(tree, row.landmarks.texts)} ({row.name})"))
        lines.append(("Password", _found_by(tree, 'input[type="password"]')))
        lines += [("Problem", f"{type(error).__name__}: {error}"), ("To do", SEND)]
        return Report(tuple(lines), error.exit_status)
    posts = chunk.posts
    total = f" of {chunk.posts_total}" if chunk.posts_total is not None else ""
    exact = sum(post.time is not None and not post.approximate for post in posts)
    timed = sum(post.time is not None for post in posts)
    verdict = "this page can be read"
    if chunk.missing:
        verdict = "read, but not to be counted: " + " ".join(chunk.missing)
    lines += [
        ("Thread", f"{chunk.title}, page {chunk.page} of {chunk.pages}"),
        ("Posts", f"{len(posts)}{total}, by {len({post.author for post in posts})} authors"),
        ("Times", f"{timed} read, {exact} of them exact"),
        ("Edited", str(sum(post.edit_note is not None for post in posts))),
        ("Hidden", str(sum(post.hidden for post in posts))),
        ("Next page", chunk.following.url if chunk.following else "none"),
        ("Verdict", verdict),
    ]
    return Report(tuple(lines))


def _resemblance(tree: Tag, response: Response) -> str:
    """What a page that no platform recognises looks like."""
    maker = attribute(maybe(tree, 'meta[name="generator"]'), "content")
    site = located(response.url)
    hints = [
        *([f"its software says “{maker}”"] if maker else []),
        *(f"its marks are like {row.name}'s" for row in _similar_platforms(tree)),
        *([f"its address is like {site[0].name}'s"] if site else []),
    ]
    return "not recognised" + (f"; {', '.join(hints)}" if hints else "; it looks like no forum we know")


def _similar_platforms(tree: Tag) -> list[Platform]:
    """Platforms of which boxes and texts are there."""
    marked = [(row, row.landmarks) for row in PLATFORMS if row.landmarks]
    return [row for row, marks in marked if every(tree, marks.boxes) and every(tree, marks.texts)]


def _found_by(tree: Tag, selector: str) -> str:
    count = len(every(tree, selector))
    return f"{count or 'none'} by {selector}"
