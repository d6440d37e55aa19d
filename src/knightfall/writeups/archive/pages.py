"""The files of an archive: which posts stand on which page, the search index, and the text of each page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from knightfall.markup.nodes import Nodes
from knightfall.writeups.archive.book import ArchivedPost, ArchivedThread, Book
from knightfall.writeups.archive.html import Places, body_html, body_words, inert
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import TEMPLATES

if TYPE_CHECKING:
    from jinja2 import Environment

_HOME = TEMPLATES / "archive"
PER_PAGE = 100
"""Posts on a page."""
FIRST = "index.html"
ALWAYS = (FIRST, "players.html", "search.html", "posts.js", "search.js", "archive.css")


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the archive."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A post as it is printed: its HTML, and where it stands among all posts of its thread."""

    said: ArchivedPost
    html: str
    link: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of posts: its file, and which of how many it is."""

    file: str
    number: int
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    """The printed posts of a thread on their pages."""

    key: str
    title: str
    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """All posts of one account in the game's thread."""

    name: str
    sheets: tuple[Sheet, ...]

    @property
    def posts(self) -> int:
        """How many they are."""
        return sum(len(sheet.leaves) for sheet in self.sheets)

    @property
    def ends(self) -> tuple[Leaf, Leaf]:
        """The first and the last one."""
        return self.sheets[0].leaves[0], self.sheets[-1].leaves[-1]


@dataclass(frozen=True, slots=True)
class Library:
    """A book whose posts are printed: what every page links to."""

    book: Book
    shelves: tuple[Shelf, ...]
    accounts: tuple[Account, ...]
    places: Places


def library_of(book: Book) -> Library:
    """The book with its posts printed, each once."""
    printed = [(volume, tuple(_leaves(volume, book))) for volume in book.volumes]
    shelves = tuple(
        Shelf(volume.key, volume.title, _sheets(volume.key, leaves)) for volume, leaves in printed
    )

    # Each account's posts in the game's own thread; who posted first goes first.
    own: dict[str, list[Leaf]] = {}
    for leaf in printed[0][1] if printed else ():
        own.setdefault(leaf.said.author, []).append(leaf)
    accounts = tuple(
        Account(name, _sheets(f"player-{number}", leaves))
        for number, (name, leaves) in enumerate(own.items(), start=1)
    )
    return Library(book, shelves, accounts, _places_of(book.volumes[0]) if book.volumes else Places())


def count(library: Library) -> int:
    """How many files there will be."""
    book = library.book
    posts = sum(len(shelf.sheets) for shelf in library.shelves)
    posts += sum(len(account.sheets) for account in library.accounts)
    parts = len(book.days) + len(book.chapters) + len(book.match)
    return posts + parts + int(_has_nights(book)) + len(ALWAYS)


def _has_nights(book: Book) -> bool:
    return bool(book.nights or book.untold)


def pages(library: Library) -> Iterator[Page]:
    """Every file, one after the other."""
    # What every page may use.
    book = library.book
    authors = {account.name: account.sheets[0].file for account in library.accounts}
    files = [match_file(place) for place in range(len(book.match))]
    around = {
        "book": book,
        "library": library,
        "zone": book.zone,
        "player_page": authors,
        "match_files": files,
    }
    yield _page(FIRST, "index", around)
    for shelf in library.shelves:
        yield from _post_pages(shelf.title, shelf.sheets, around, of_account=False)
    yield _page("players.html", "players", around)
    for account in library.accounts:
        yield from _post_pages(f"Posts by {account.name}", account.sheets, around, of_account=True)
    for day in library.book.days:
        shown = {
            "number": day.number,
            "html": _html(day.nodes, library),
            "picture": day.picture.replace("<svg ", '<svg role="img" ', 1),
            "strip": day.strip,
            "remark": day.remark,
        }
        yield _page(f"day-{day.number}.html", "day", {**around, "day": shown})
    if _has_nights(library.book):
        yield _page("nights.html", "nights", around)
    for number, part in enumerate(book.match):
        steps = [
            {"step": step, "told": [_html(nodes, library) for nodes in step.told]} for step in part.steps
        ]
        shown = {"part": part, "steps": steps, "number": number}
        yield _page(files[number], "match", {**around, **shown})
    for chapter in library.book.chapters:
        parts = [{"heading": part.heading, "html": _html(part.nodes, library)} for part in chapter.parts]
        told = {"key": chapter.key, "title": chapter.title, "intro": chapter.intro, "parts": parts}
        yield _page(f"{chapter.key}.html", "chapter", {**around, "chapter": told})
    yield _page("search.html", "search", around)
    yield Page("posts.js", _search_index(library))
    yield _constant("search.js")
    yield _constant("archive.css")


def match_file(place: int) -> str:
    """The page of a part of the match, the first one first."""
    return f"match-{place + 1}.html" if place else "match.html"


def _post_pages(
    title: str, shown: Sequence[Sheet], around: Mapping[str, object], *, of_account: bool
) -> Iterator[Page]:
    for sheet in shown:
        facts = {"title": title, "sheet": sheet, "sheets": shown, "of_account": of_account}
        yield _page(sheet.file, "posts", {**around, **facts})


def _html(nodes: Nodes, library: Library) -> str:
    """Nodes of a text of ours as HTML: they are calmed as posts are, for they hold names."""
    return body_html(inert(nodes, library.places, library.book.censor))


def _search_index(library: Library) -> str:
    """All posts as data in a script, so that the search needs no server: `window.ARCHIVE = {pages, authors,
    posts: [[number, page, author, words], …]}`, page and author by place."""
    hide = library.book.censor.words
    pages: dict[str, int] = {}
    authors: dict[str, int] = {}
    posts: list[list[object]] = []
    for shelf in library.shelves:
        for sheet in shelf.sheets:
            for leaf in sheet.leaves:
                page = pages.setdefault(sheet.file, len(pages))
                author = authors.setdefault(leaf.said.author, len(authors))
                posts.append([leaf.said.number, page, author, hide(body_words(leaf.html))])
    data = {"pages": list(pages), "authors": list(authors), "posts": posts}

    # Letters that could end the script or begin a tag are written as numbers.
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return f"window.ARCHIVE={text};\n"


def _leaves(volume: ArchivedThread, book: Book) -> Iterator[Leaf]:
    """The posts of a thread, printed."""
    places = _places_of(volume)
    for post in volume.posts:
        yield Leaf(post, body_html(inert(post.nodes, places, book.censor)), places.links[post.number])


def _places_of(volume: ArchivedThread) -> Places:
    """Where the posts of a thread stand."""
    placed = ((place // PER_PAGE, post) for place, post in enumerate(volume.posts))
    return Places(
        {post.number: f"./{_file(volume.key, place)}#p{post.number}" for place, post in placed},
        {post.id: post.number for post in volume.posts},
        volume.url,
    )


def _sheets(key: str, leaves: Sequence[Leaf]) -> tuple[Sheet, ...]:
    """The posts on pages."""
    starts = range(0, len(leaves), PER_PAGE)
    return tuple(
        Sheet(_file(key, start // PER_PAGE), start // PER_PAGE + 1, tuple(leaves[start : start + PER_PAGE]))
        for start in starts
    )


def _file(key: str, page: int) -> str:
    return f"{key}-{page + 1}.html"


def _page(name: str, template: str, facts: Mapping[str, object]) -> Page:
    """A page; every string among the facts is escaped but what the template says is HTML of ours."""
    return Page(name, _environment().get_template(f"{template}.html").render({**facts, "file": name}))


def _constant(name: str) -> Page:
    """A file that every archive has as it is."""
    return Page(name, (_HOME / name).read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_HOME),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["local"] = local_time
    return made
