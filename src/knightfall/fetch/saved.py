"""Pages saved in a browser and posts as JSON Lines, in whatever charset they are."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from knightfall.errors import IncompleteRead, InputError
from knightfall.forums import forum_named
from knightfall.forums.base import Chunk, Response
from knightfall.forums.dates import machine_time, needs_zone, written_time, zone_named
from knightfall.forums.gaps import missing_pages, missing_posts, whole_to
from knightfall.forums.pages import read_chunk
from knightfall.models import UNKNOWN_ZONE, Post, PostId, Thread
from knightfall.sentence import Way, sentence

# The charset that a page names in its head, and the one that its server names.
META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
HEADER = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
SINGLE_BYTE = ("cp125", "iso8859", "latin", "koi8", "mac", "ascii")
WIDE = ("utf-16", "utf-32")
SEARCHED = 4096
FEW = 1000
"""One unreadable character in so many is a damaged character, not a wrong label."""


NO_CHARSETS = frozenset(
    ("undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "mbcs", "oem")
)
"""Codecs of Python that are no charset of a page: some always fail, or take ages."""


def decoded(body: bytes, content_type: str = "") -> str:
    """The text of a page; never raises."""
    # What the text may be written in, the likeliest first. Where the bytes are valid UTF-8, the label of a
    # charset of single bytes is wrong, and so is that of a wide one if they hold no zero.
    likely = ["utf-8-sig"] if body.startswith(codecs.BOM_UTF8) else []
    wrong = SINGLE_BYTE if b"\0" in body else SINGLE_BYTE + WIDE
    valid = _is_utf8(body)
    labels = (_label(HEADER.search(content_type)), _label(META.search(body[:SEARCHED])))
    likely += [label for label in labels if label and not (valid and label.startswith(wrong))]

    for name in (*likely, "utf-8"):
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            text = body.decode(name, "replace") if name.startswith("utf") else ""
            if text and text.count("\ufffd") * FEW <= len(text):
                return text
    return body.decode("cp1252", "replace")


def _label(found: re.Match[str] | re.Match[bytes] | None) -> str | None:
    """The codec of a label; Latin-1 means Windows-1252 on the web."""
    if found is None:
        return None
    written = found[1].decode("ascii", "replace") if isinstance(found[1], bytes) else found[1]
    try:
        codec = codecs.lookup(written)
    except LookupError:
        return None
    # A page must not choose a codec that unpacks or rewrites ("zip", "rot13").
    if not codec._is_text_encoding or codec.name in NO_CHARSETS:
        return None
    return "cp1252" if codec.name in ("iso8859-1", "ascii") else codec.name


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# The address that browsers write into a saved page, else its canonical link.
SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")
CANONICAL = re.compile(r"""<link\b[^<>]{0,500}\brel=["']canonical["'][^<>]*>""", re.IGNORECASE)
HREF = re.compile(r"""\bhref=["']([^"']+)["']""", re.IGNORECASE)
HTML = (".html", ".htm", ".php", ".json", ".xml")

Progress = Callable[[int, int], None]
"""Is told after each file: how many were read, and how many there are."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A file and what it holds."""

    path: Path
    response: Response
    platform: str
    chunk: Chunk


def read_html(
    paths: Sequence[Path], now: datetime, progress: Progress | None = None, zone: str | None = None
) -> Thread:
    """The thread that saved pages make together, in whatever order they come; a folder means all its pages.
    `zone` is that of its times, where the moderator says it.

    Raises InputError (no such file, pages of two threads) and what reading a page raises.
    """
    return together(saved_pages(paths, now, progress, zone))


def saved_pages(
    paths: Sequence[Path], now: datetime, progress: Progress | None = None, zone: str | None = None
) -> tuple[SavedPage, ...]:
    """The pages of one thread, first posts first; a folder means all its pages. Raises as `read_html`."""
    # A folder means the pages in it, in the order of their names.
    files: list[Path] = []
    for path in paths:
        inside = (
            sorted(file for file in path.iterdir() if file.suffix.lower() in HTML)
            if path.is_dir()
            else [path]
        )
        if not inside:
            raise InputError(f"{path} holds no saved pages (.html).")
        files += inside

    pages: list[SavedPage] = []
    for number, path in enumerate(files, start=1):
        response = saved_response(path)
        known = pages[-1].platform if pages else None
        forum, chunk = read_chunk(response, str(path), now, zone, known)
        saved = SavedPage(path, response, forum.name, chunk)
        pages.append(saved)
        if progress:
            progress(number, len(files))

    # Pages of two threads make no thread.
    if not pages:
        raise InputError(sentence("No saved pages were given. To name them: {saved}", saved=Way("use_saved")))
    first = pages[0]
    for page in pages[1:]:
        if page.platform != first.platform or _identity(page) != _identity(first):
            raise InputError(
                f'{first.path} is a page of "{first.chunk.title}", {page.path} one of "{page.chunk.title}". '
                "Give the pages of one thread only."
            )

    return tuple(sorted(_following_on(pages, now, zone), key=_first_number))


def _following_on(pages: Sequence[SavedPage], now: datetime, zone: str | None) -> Iterator[SavedPage]:
    """The pages, the last one with the numbers that follow from the page before it. Where a board numbers no
    posts, a last page by itself does not tell how many come before it."""
    ends = {page.chunk.page: page.chunk.posts[-1].number for page in pages if page.chunk.posts}
    sizes = {page.chunk.page: len(page.chunk.posts) for page in pages}
    for page in pages:
        number, follows = page.chunk.page, page
        if 1 < number == page.chunk.pages and number - 1 in ends and number in ends:
            expected = ends[number - 1] + 1
            if _first_number(page) != expected:
                size = sizes[number - 1]
                chunk = read_chunk(page.response, str(page.path), now, zone, page.platform, size)[1]
                if chunk.posts[0].number == expected:
                    follows = replace(page, chunk=chunk)
        yield follows


def _first_number(page: SavedPage) -> int:
    return page.chunk.posts[0].number if page.chunk.posts else 0


def read_jsonl(path: Path, now: datetime, zone: str | None = None) -> Thread:
    """Posts one a line: number, id, user, user_id, content, time (ISO 8601 with its offset, or board time in
    `zone`), title.

    Raises InputError, and IncompleteRead for a line that is no such post or a file that ends early.
    """
    posts: list[Post] = []
    title = path.name.removesuffix(".gz").removesuffix(".jsonl")
    for count, line in enumerate(_lines(path), start=1):
        place = f"{path}, line {count}"
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise IncompleteRead(f"{place}: not JSON ({error}). The file may have ended early.") from None
        if not isinstance(entry, dict):
            raise IncompleteRead(f"{place}: expected an object with number, id, user and content.")
        posts.append(_post(place, entry, now, zone))
        title = str(entry.get("title", title))
    if not posts:
        raise IncompleteRead(f"{path} holds no posts.")
    missing = missing_posts(posts, None)
    whole = whole_to((1, post.number) for post in posts) if missing else None
    return Thread("jsonl", title, tuple(posts), missing=missing, whole_to=whole)


def saved_response(path: Path) -> Response:
    """A saved page as if it had just been fetched from where it says it is from. Raises InputError."""
    return page_of(decoded(saved_bytes(path)))


def page_of(text: str) -> Response:
    """A page by its text as if it had just been fetched from where it says it is from."""
    # The address a page was saved from, as the browser or the page itself says; empty where neither does.
    if found := SAVED_FROM.search(text):
        address = unescape(found[1])
    else:
        link = CANONICAL.search(text)
        target = HREF.search(link[0]) if link else None
        address = unescape(target[1]) if target else ""

    return Response(address, 200, text)


def saved_bytes(path: Path) -> bytes:
    """The file as it lies on the disk. Raises InputError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def _identity(page: SavedPage) -> tuple[str, str]:
    thread = page.chunk.thread
    return (thread.root, thread.id) if thread else ("", page.chunk.title)


def together(pages: Sequence[SavedPage]) -> Thread:
    """The thread that these pages make; what is not there stands in `missing`."""
    chunks = [page.chunk for page in pages]
    posts, conflicts = _merged(pages)
    last = max(chunk.pages for chunk in chunks)
    total = max((chunk.posts_total for chunk in chunks if chunk.posts_total is not None), default=None)
    gaps = missing_pages((chunk.page for chunk in chunks), last) or missing_posts(posts, total)
    left_out = tuple(dict.fromkeys(sentence for chunk in chunks for sentence in chunk.missing))
    differing = (
        f"Post #{one.number} differs in {one.files[0]} and {one.files[1]}: keep the newer page only."
        for one in conflicts
    )
    missing = (*left_out, *gaps, *differing)

    # The thread is whole up to the last post before what is missing or says two things.
    whole = None
    if missing and not left_out:
        doubtful = min((conflict.number for conflict in conflicts), default=None)
        placed = ((chunk.page, post.number) for chunk in chunks for post in chunk.posts)
        sure = (pair for pair in placed if doubtful is None or pair[1] < doubtful)
        whole = whole_to(sure, (chunk.page for chunk in chunks))

    thread, forum = pages[0].chunk.thread, forum_named(pages[0].platform)
    thread_url = forum.start(thread).url if thread and thread.root and forum else None
    return Thread(pages[0].platform, chunks[0].title, posts, last, thread_url, missing, whole)


@dataclass(frozen=True, slots=True)
class _Conflict:
    """A post that says one thing in one file and another in the other."""

    number: int
    files: tuple[Path, Path]


def _merged(pages: Sequence[SavedPage]) -> tuple[tuple[Post, ...], tuple[_Conflict, ...]]:
    """All posts by number (of several threads: as the page has them). A post in two files is one post, if
    both give it one text."""
    known: dict[PostId, tuple[Post, Path]] = {}
    conflicts: list[_Conflict] = []
    for page in pages:
        for post in page.chunk.posts:
            earlier, path = known.setdefault(post.id, (post, page.path))
            if earlier.body != post.body:
                conflicts.append(_Conflict(post.number, (path, page.path)))
    posts = tuple(post for post, _ in known.values())
    if len(pages) > 1 or pages[0].chunk.thread is not None:
        posts = tuple(sorted(posts, key=lambda post: post.number))
    return posts, tuple(conflicts)


def _lines(path: Path) -> Iterator[str]:
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8") as file
        ):
            yield from (line for line in file if line.strip())
    except (EOFError, zlib.error) as error:
        raise IncompleteRead(f"{path} ended early ({error}). Copy it again.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text ({error.reason}).") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from None


def _post(place: str, entry: Mapping[str, object], now: datetime, zone: str | None) -> Post:
    """The post of a line, which is at `place`; a time without a zone is the board's, in `zone`."""
    names = ("number", "id", "user", "content")
    absent = [name for name in names if entry.get(name) is None]
    number = entry.get("number")
    if absent or not isinstance(number, int):
        raise IncompleteRead(f"{place}: a post needs {' and '.join(absent) or 'a number'}.")
    post = Post(PostId(str(entry["id"])), number, str(entry["user"]), str(entry["content"]))
    stamp = str(entry.get("time") or "")
    exact = machine_time(stamp)
    identity = entry.get("user_id")
    return replace(
        post,
        author_id=None if identity is None else str(identity),
        time=exact or written_time(stamp, now, (zone_named(zone) if zone else None) or UTC),
        approximate=exact is None,
        zone=None if exact or not needs_zone(stamp, now) else zone or UNKNOWN_ZONE,
    )
