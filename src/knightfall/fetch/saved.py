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
from typing import TYPE_CHECKING

from knightfall.errors import EvidenceError, IncompleteRead, InputError, KnightfallError, SiteRefused
from knightfall.fetch.containers import ENDINGS, Contained, contents
from knightfall.forums import forum_named
from knightfall.forums.addresses import is_absolute
from knightfall.forums.base import Chunk, Response
from knightfall.forums.dates import machine_time, needs_zone, written_time, zone_named
from knightfall.forums.gaps import missing_pages, missing_posts, whole_to
from knightfall.forums.pages import address_of_thread, read_chunk
from knightfall.models import UNKNOWN_ZONE, Post, PostId, Thread
from knightfall.sentence import Way, sentence

if TYPE_CHECKING:
    from knightfall.forums.messages import MessagePage

# The charset that a page names in its head, and the one that its server names.
META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
HEADER = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
SINGLE_BYTE = ("cp125", "iso8859", "latin", "koi8", "mac", "ascii")
WIDE = ("utf-16", "utf-32")
SEARCHED = 4096
EARLIEST = datetime.min.replace(tzinfo=UTC)
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


# The address that browsers, SingleFile and the clipboard of Windows write into a page.
SAVED_FROM = re.compile(
    r"<!--\s*saved from url=\(\d+\)(\S+)\s*-->|<!--\s*Page saved with SingleFile\s+url:\s*(\S+)"
    r"|\AVersion:[\d.]+\s[^<]{0,400}?^SourceURL:(\S+)",
    re.MULTILINE,
)
# Else the page's own links to itself.
OWN = (
    re.compile(r"""<link\b[^<>]{0,500}\brel=["']?canonical["'\s][^<>]*>""", re.IGNORECASE),
    re.compile(r"""<meta\b[^<>]{0,500}["'=]og:url["'\s][^<>]*>""", re.IGNORECASE),
)
TARGET = re.compile(r"""\b(?:href|content)=(?:["']([^"']+)["']|([^\s"'>]+))""", re.IGNORECASE)
FRAGMENT = re.compile(r"<!--\s*StartFragment\s*-->(.*)<!--\s*EndFragment\s*-->", re.DOTALL)
"""What was selected, in the HTML of a clipboard."""
BODY_TAGS = re.compile(r"</?(?:html|body)\b[^<>]*>", re.IGNORECASE)

Progress = Callable[[int, int], None]
"""Is told after each file: how many were read, and how many there are."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page that was saved or pasted: how messages call it, and what it holds. `at` is when it was loaded,
    where that is known: of two copies of a post the later one counts."""

    name: str
    response: Response
    platform: str
    chunk: Chunk
    at: datetime | None = None


def pasted_page(html: str, now: datetime, zone: str | None = None, address: str = "") -> SavedPage:
    """A page, or the source of one, that was pasted: what a browser copies of a whole page keeps its posts.

    It is marked as private, and `now` is when it was loaded; `address` is where ("": as the page tells).
    Raises SiteRefused and its kinds, IncompleteRead, NotAForum, LayoutChanged, PastTheEnd.
    """
    found = FRAGMENT.search(html)
    text = html if found is None else BODY_TAGS.sub("", found[1])
    page = read_page(
        Response(address or _address_told(html), 200, text), "The page that you pasted", now, zone, at=now
    )
    return replace(page, response=replace(page.response, private=True))


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
    """The pages of one thread, first posts first; a folder means all its pages, and a file may hold several.
    Raises as `read_html`."""
    # A folder means the pages in it, in the order of their names.
    files: list[Path] = []
    for path in paths:
        inside = (
            sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS)
            if path.is_dir()
            else [path]
        )
        if not inside:
            raise InputError(f"{path} holds no saved pages (.html).")
        files += inside

    pages: list[SavedPage] = []
    for number, path in enumerate(files, start=1):
        pages += _pages_of(path, now, zone, pages[-1].platform if pages else None)
        if progress:
            progress(number, len(files))
    if not pages:
        raise InputError(sentence("No saved pages were given. To name them: {saved}", saved=Way("use_saved")))
    refuse_two_threads(pages)
    return tuple(sorted(following_on(placed(pages), now, zone), key=_first_number))


def saved_from(address: str, html: str) -> str:
    """A page as a browser saves it, with the address where it was; "": nobody told."""
    return f"<!-- saved from url=({len(address):04}){address} -->\n{html}" if address else html


def saved_messages(path: Path, now: datetime, zone: str | None = None) -> tuple[MessagePage, ...]:
    """The pages of private messages that a file holds; `zone` is that of their times where they tell none.

    Raises InputError for a file that cannot be read or holds none, and as `message_page`.
    """
    from knightfall.forums.messages import message_page  # who reads threads need not wait for it

    parts = (_response(part) for part in contents(str(path), saved_bytes(path)))
    found = tuple(page for part in parts if (page := message_page(part, now, zone)) is not None)
    if not found:
        raise InputError(f"{path} shows no private messages. Save the page of the message itself.")
    return found


def _pages_of(path: Path, now: datetime, zone: str | None, known: str | None) -> Iterator[SavedPage]:
    """The pages of a thread that a file holds. What is beside them in it (frames, the board's index) is
    passed over; where there are none, the first one's fault is told."""
    fault: KnightfallError | None = None
    found = False
    for part in contents(str(path), saved_bytes(path)):
        try:
            page = read_page(_response(part), part.name, now, zone, known, part.at)
        except (EvidenceError, SiteRefused) as error:
            fault = fault or error
        else:
            found, known = True, page.platform
            yield page
    if not found and fault is not None:
        raise fault


def read_page(
    response: Response,
    name: str,
    now: datetime,
    zone: str | None,
    known: str | None = None,
    at: datetime | None = None,
) -> SavedPage:
    """A page as it was read, its address by its own links where nobody told it."""
    if not response.url and (told := address_of_thread(response, known)):
        response = replace(response, url=told)
    forum, chunk = read_chunk(response, name, now, zone, known)
    return SavedPage(name, response, forum.name, chunk, at or (chunk.part.made if chunk.part else None))


def refuse_two_threads(pages: Sequence[SavedPage]) -> None:
    """Raises InputError for pages of two threads, which make none."""
    first = pages[0]
    for page in pages[1:]:
        if page.platform != first.platform or _identity(page) != _identity(first):
            raise InputError(
                f'{first.name} is a page of "{first.chunk.title}", {page.name} one of "{page.chunk.title}". '
                "Give the pages of one thread only."
            )


def placed(pages: Sequence[SavedPage]) -> Sequence[SavedPage]:
    """The pages; parts of a thread that tell no place in it one behind the other, as their posts were
    written, and these numbered through. A part goes where a later one holds all from its first post to its
    last."""
    if len(pages) < 2 or not all(page.chunk.part and page.chunk.posts for page in pages):
        return pages

    def span(page: SavedPage) -> tuple[datetime, datetime]:
        moments = [post.time or EARLIEST for post in page.chunk.posts]
        return min(moments), max(moments)

    def is_within(page: SavedPage, other: SavedPage) -> bool:
        (first, last), (begins, ends) = span(page), span(other)
        return bool(page.at and other.at and other.at > page.at) and begins <= first and last <= ends

    kept = [page for page in pages if not any(is_within(page, other) for other in pages)]
    moments = {post.id: (post.time or EARLIEST, post.number) for page in kept for post in page.chunk.posts}
    numbers = {one: number for number, one in enumerate(sorted(moments, key=moments.__getitem__), start=1)}
    return [
        replace(
            page,
            chunk=replace(
                page.chunk,
                page=place,
                pages=len(kept),
                posts=tuple(replace(post, number=numbers[post.id]) for post in page.chunk.posts),
            ),
        )
        for place, page in enumerate(sorted(kept, key=span), start=1)
    ]


def following_on(pages: Sequence[SavedPage], now: datetime, zone: str | None) -> Iterator[SavedPage]:
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
                chunk = read_chunk(page.response, page.name, now, zone, page.platform, size)[1]
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
    """A saved page as if it had just been fetched from where it says it is from; of a file that holds several
    the first. Raises InputError and IncompleteRead."""
    return _response(next(contents(str(path), saved_bytes(path))))


def _response(part: Contained) -> Response:
    text = decoded(part.body, part.content_type)
    return Response(part.address or _address_told(text), part.status, text)


def _address_told(text: str) -> str:
    """The address that a page says it came from, else the one that it gives itself; "" where neither is."""
    if saved := SAVED_FROM.search(text):
        return unescape(next(filter(None, saved.groups())))
    for own in filter(None, (pattern.search(text) for pattern in OWN)):
        target = TARGET.search(own[0])
        url = unescape(target[1] or target[2]) if target else ""
        if is_absolute(url):
            return url
    return ""


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
    """The thread that these pages make, whether they were saved or pasted one after the other; what is not
    there stands in `missing`, with its address where that can be told.

    Of a post that differs in two pages the later one counts, where both know when they were loaded.
    """
    pages = _newest(pages)
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


def _newest(pages: Sequence[SavedPage]) -> list[SavedPage]:
    """The pages without those of which a later copy is there, from its first post to its last."""
    kept: list[SavedPage] = []
    for page in pages:
        ids = {post.id for post in page.chunk.posts}
        later = (
            other
            for other in pages
            if other.at and page.at and other.at > page.at and other.chunk.page == page.chunk.page
        )
        ends = {page.chunk.posts[0].id, page.chunk.posts[-1].id} if ids else ids
        if not any(ends <= {post.id for post in other.chunk.posts} for other in later):
            kept.append(page)
    return kept


@dataclass(frozen=True, slots=True)
class _Conflict:
    """A post that says one thing in one file and another in the other."""

    number: int
    files: tuple[str, str]


def _merged(pages: Sequence[SavedPage]) -> tuple[tuple[Post, ...], tuple[_Conflict, ...]]:
    """All posts by number (of several threads: as the page has them). A post in two pages is one post, if
    both give it one text, or one is the later."""
    known: dict[PostId, tuple[Post, SavedPage]] = {}
    conflicts: list[_Conflict] = []
    for page in pages:
        for post in page.chunk.posts:
            earlier, other = known.setdefault(post.id, (post, page))
            if earlier.own == post.own:
                continue
            if page.at and other.at and page.at != other.at:
                if page.at > other.at:
                    known[post.id] = (post, page)
            else:
                conflicts.append(_Conflict(post.number, (other.name, page.name)))
    posts = tuple(post for post, _ in known.values())
    if len(pages) > 1 or pages[0].chunk.thread is not None:
        posts = tuple(sorted(posts, key=lambda post: post.number))
    return posts, tuple(conflicts)


def _lines(path: Path) -> Iterator[str]:
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as file
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
