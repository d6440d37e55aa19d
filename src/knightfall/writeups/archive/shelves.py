"""On which page of an archive does each post stand: in its thread, and among its author's own?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knightfall.writeups.archive.body import body_html
from knightfall.writeups.archive.book import Book, Said, Volume
from knightfall.writeups.archive.inert import Places, inert

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Leaf:
    """A post as it is printed: its HTML, and where it stands among all posts of its thread."""

    said: Said
    html: str
    link: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of posts: its file, and which of how many it is."""

    file: str
    number: int
    leaves: tuple[Leaf, ...]


def places_of(volume: Volume) -> Places:
    """Where the posts of a thread stand."""
    placed = ((place // PER_PAGE, post) for place, post in enumerate(volume.posts))
    return Places(
        {post.number: f"./{_file(volume.key, place)}#p{post.number}" for place, post in placed},
        {post.id: post.number for post in volume.posts},
        volume.url,
    )


def leaves_of(volume: Volume, book: Book) -> Iterator[Leaf]:
    """The posts of a thread, printed."""
    places = places_of(volume)
    for post in volume.posts:
        html = body_html(inert(post.nodes, places, book.censor))
        yield Leaf(post, html, places.links[post.number])


def sheets(key: str, leaves: Sequence[Leaf]) -> tuple[Sheet, ...]:
    """The posts on pages."""
    starts = range(0, len(leaves), PER_PAGE)
    return tuple(
        Sheet(_file(key, start // PER_PAGE), start // PER_PAGE + 1, tuple(leaves[start : start + PER_PAGE]))
        for start in starts
    )


def by_author(leaves: Sequence[Leaf]) -> dict[str, list[Leaf]]:
    """Each account's posts, who posted first first."""
    found: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        found.setdefault(leaf.said.author, []).append(leaf)
    return found


def _file(key: str, page: int) -> str:
    return f"{key}-{page + 1}.html"
