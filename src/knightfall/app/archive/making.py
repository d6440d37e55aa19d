"""What does `archive` do: gather, print, look a second time at what everybody will read, write?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from knightfall.app.archive.contents import book_of
from knightfall.app.archive.folder import checked, write_folder
from knightfall.app.guarding.hidden import Hidden, hidden_in
from knightfall.app.guarding.outgoing import allowed, passed
from knightfall.app.guarding.rooms import tokens_in
from knightfall.app.library.scene import scene_of
from knightfall.app.play.texts import PRIVATE
from knightfall.app.ports import Ports, Progress, game_folder
from knightfall.errors import SecretGuard
from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.archive.pages import FIRST, Library, count, library_of, pages
from knightfall.writeups.archive.printing import Page

FOLDER = "archive"
_TAG = re.compile(r"<[^>]*>")
_LINE = re.compile(r"</?(?:li|br|p|tr|h[1-6]|[du]l|ol|d[td]|div|pre|section)\b[^>]*>")
"""Tags at which a reader sees a line begin or end."""
_OF_PLAYERS = re.compile(r"(?:thread|room|player)-.*|posts\.js|search\..*|archive\.css")
"""Files that say what players said before everybody, and nothing of ours."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line; `allow`: why a secret may go out."""

    game: Path
    public: bool = False
    out: Path | None = None
    allow: str = ""


def make(asked: Asked, ports: Ports, say: Callable[[str], None], progress: Progress | None = None) -> None:
    """Writes the archive and says where.

    Raises InputError where there is nothing to keep, or the folder holds other things; SecretGuard where a
    page for everybody gives something away, or the moderator's own would get among the public files: then
    nothing is written.
    """
    place = checked(_place(asked))
    scene = scene_of(asked.game, ports, stored=True)
    thread = scene.kept()
    posts = len(thread.posts) if thread else 0
    tell = progress or (lambda *_: None)
    library = library_of(book_of(scene, asked.public, lambda n: tell(n, 2 * posts)))
    made = _counted(pages(library), count(library), lambda part: tell(posts + int(part * posts), 2 * posts))
    if asked.public:
        made = _looked_at(made, hidden_in(asked.game, ports), ports, asked.allow)
    number = write_folder(place, made, secret=not asked.public)
    say(f"Written: {place / FIRST} and {number - 1} files beside it. Open it in a browser.")
    say(_whose(library))


def _place(asked: Asked) -> Path:
    """`public/archive` or `private/archive`, where no other is named. Raises SecretGuard where the
    moderator's own would be among the public files."""
    home = game_folder(asked.game)
    place = asked.out or home / (PUBLIC if asked.public else PRIVATE) / FOLDER
    if not asked.public and place.resolve().is_relative_to((home / PUBLIC).resolve()):
        raise SecretGuard(f"{place} is among the public files, and this archive holds secrets: add --public.")
    return place


def _counted(made: Iterator[Page], all_: int, step: Callable[[float], None]) -> Iterator[Page]:
    for number, page in enumerate(made, start=1):
        yield page
        step(number / all_)


def _looked_at(made: Iterator[Page], hidden: Hidden, ports: Ports, allow: str) -> Iterator[Page]:
    """The pages, each read as a player would read it: ours for every secret, posts for keys alone."""
    found: list[str] = []
    for page in made:
        try:
            found += passed(_read(page), hidden, allow) if not _OF_PLAYERS.fullmatch(page.name) else ()
        except SecretGuard as leak:
            raise SecretGuard(f"{page.name}: {leak}") from None
        _without_keys(page, hidden)
        yield page
    allowed(tuple(dict.fromkeys(found)), ports, allow)


def _without_keys(page: Page, hidden: Hidden) -> None:
    held = [key.what for key in hidden.keys if key.words.casefold() in page.text.casefold()]
    if held or any(tokens_in(page.text)):
        what = held[0] if held else "a link with a key of your login"
        raise SecretGuard(f"{page.name} would hold {what}, so nothing was written.")


def _read(page: Page) -> str:
    """What the page says, line by line."""
    return unescape(_TAG.sub(" ", _LINE.sub("\n", page.text)))


def _whose(library: Library) -> str:
    if library.book.secret:
        return "It holds secrets: keep it to yourself. For everybody: knightfall archive --public"
    if library.book.untold:
        return "It holds what everybody may know now; roles and nights come in when the game is over."
    return "It holds what everybody may know, and nothing of private threads or PMs."
