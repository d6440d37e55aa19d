"""Of which files does an archive consist, and what stands in each?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knightfall.markup.nodes import Nodes
from knightfall.writeups.archive.body import body_html, body_words
from knightfall.writeups.archive.book import Book
from knightfall.writeups.archive.index import Entry, index_script
from knightfall.writeups.archive.inert import Places, inert
from knightfall.writeups.archive.printing import Page, as_it_is, printed
from knightfall.writeups.archive.shelves import Leaf, Sheet, by_author, leaves_of, places_of, sheets

FIRST = "index.html"
ALWAYS = (FIRST, "players.html", "search.html", "posts.js", "search.js", "archive.css")


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
    leaved = [(volume, tuple(leaves_of(volume, book))) for volume in book.volumes]
    shelves = tuple(Shelf(volume.key, volume.title, sheets(volume.key, leaves)) for volume, leaves in leaved)
    own = by_author(leaved[0][1]) if leaved else {}
    accounts = tuple(
        Account(name, sheets(f"player-{number}", leaves))
        for number, (name, leaves) in enumerate(own.items(), start=1)
    )
    return Library(book, shelves, accounts, places_of(book.volumes[0]) if book.volumes else Places())


def count(library: Library) -> int:
    """How many files there will be."""
    book = library.book
    posts = sum(len(shelf.sheets) for shelf in library.shelves)
    posts += sum(len(account.sheets) for account in library.accounts)
    return posts + len(book.days) + len(book.chapters) + int(_has_nights(book)) + len(ALWAYS)


def _has_nights(book: Book) -> bool:
    return bool(book.nights or book.untold)


def pages(library: Library) -> Iterator[Page]:
    """Every file, one after the other."""
    # What every page may use.
    book = library.book
    authors = {account.name: account.sheets[0].file for account in library.accounts}
    around = {"book": book, "library": library, "zone": book.zone, "player_page": authors}
    yield printed(FIRST, "index", around)
    for shelf in library.shelves:
        yield from _sheets(shelf.title, shelf.sheets, around, of_account=False)
    yield printed("players.html", "players", around)
    for account in library.accounts:
        yield from _sheets(f"Posts by {account.name}", account.sheets, around, of_account=True)
    for day in library.book.days:
        shown = {
            "number": day.number,
            "html": _html(day.nodes, library),
            "picture": day.picture.replace("<svg ", '<svg role="img" ', 1),
            "strip": day.strip,
            "remark": day.remark,
        }
        yield printed(f"day-{day.number}.html", "day", {**around, "day": shown})
    if _has_nights(library.book):
        yield printed("nights.html", "nights", around)
    for chapter in library.book.chapters:
        parts = [{"heading": part.heading, "html": _html(part.nodes, library)} for part in chapter.parts]
        told = {"key": chapter.key, "title": chapter.title, "intro": chapter.intro, "parts": parts}
        yield printed(f"{chapter.key}.html", "chapter", {**around, "chapter": told})
    yield printed("search.html", "search", around)
    yield Page("posts.js", index_script(_entries(library)))
    yield as_it_is("search.js")
    yield as_it_is("archive.css")


def _sheets(
    title: str, shown: Sequence[Sheet], around: Mapping[str, object], *, of_account: bool
) -> Iterator[Page]:
    for sheet in shown:
        facts = {"title": title, "sheet": sheet, "sheets": shown, "of_account": of_account}
        yield printed(sheet.file, "posts", {**around, **facts})


def _html(nodes: Nodes, library: Library) -> str:
    """Nodes of a text of ours as HTML: they are calmed as posts are, for they hold names."""
    return body_html(inert(nodes, library.places, library.book.censor))


def _entries(library: Library) -> Iterator[Entry]:
    hide = library.book.censor.words
    for shelf in library.shelves:
        for sheet in shelf.sheets:
            for leaf in sheet.leaves:
                words = hide(body_words(leaf.html))
                yield Entry(leaf.said.number, sheet.file, leaf.said.author, words)
