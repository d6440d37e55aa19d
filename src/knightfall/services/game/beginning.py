"""What the first page of a thread tells of a game to be hosted: each value with how it is known.

Nothing of it is sure: it is what a form is filled with, for the moderator to look at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from knightfall.errors import EvidenceError, InputError, SiteRefused
from knightfall.forums import html_style_of
from knightfall.forums.exchange import Site
from knightfall.forums.sites import site_of
from knightfall.models import Post
from knightfall.services.game.file import thread_address
from knightfall.services.session import Session
from knightfall.services.threads import PLAIN, address_of, dialect_of
from knightfall.votes.rule import DEFAULT_FORMS
from knightfall.votes.signups import signup_lines, signups
from knightfall.votes.thread_read import ThreadRead, read_thread

SIGNUP, GAME = "signup", "game"
"""Roles of the thread that was read."""
LONGEST_TITLE = 120
FEWEST = 2
"""So many who sign up make a thread one of sign-ups."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value, and how it is known, such as “as the thread is called”; both "" where nobody knows."""

    value: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a thread tells of the game it belongs to. `role` is "signup" or "game"; `moderators` with commas,
    `players` one on a line; `site` is a dialect. `fault`: why nothing could be read, "" where it was."""

    url: str
    role: Found = Found(GAME)
    title: Found = Found()
    moderators: Found = Found()
    site: Found = Found()
    timezone: Found = Found()
    players: Found = Found()
    fault: str = ""


def read_beginning(url: str, session: Session) -> Beginning:
    """Read the first page of a thread, and what it tells of its game.

    Raises InputError for what is no address at all; a thread that cannot be read comes back with its `fault`
    and with what its address alone tells.
    """
    address = thread_address(url)
    site = site_of(address)
    from knightfall.fetch.reader import Reader, read_pages

    try:
        thread = address_of(address, session)
        page = next(read_pages(thread, Reader(session.fetch, session.clock)))
    except (SiteRefused, EvidenceError, InputError) as fault:
        host = Found(site.dialect, f"as on {urlsplit(address).hostname}") if site.dialect else Found()
        return Beginning(address, site=host, timezone=_zone(site), fault=fault.message)
    posts, title = page.chunk.posts, page.chunk.title.strip()
    known = Beginning(
        thread,
        title=Found(game_title(title), "as the thread is called"),
        site=Found(dialect_of(None, None, site, page.platform), "by how the page is made"),
        timezone=_zone(site),
    )
    if known.site.value == PLAIN:
        known = Beginning(thread, title=known.title, timezone=known.timezone)
    return _with_posts(known, title, posts, page.platform) if posts else known


def _zone(site: Site) -> Found:
    return Found(site.timezone, "in which the site shows its times") if site.timezone else Found()


def _with_posts(known: Beginning, title: str, posts: tuple[Post, ...], platform: str) -> Beginning:
    """What the posts of the first page tell, too."""
    style = html_style_of(platform)
    read = read_thread(posts, style, DEFAULT_FORMS)
    author = posts[0].author
    signed = signups(signup_lines(posts[1:], style, frozenset({author.casefold()}))).players
    role = _role(title, read, len(signed))
    players = _players(read) if role.value == GAME else Found()
    return Beginning(
        known.url,
        role,
        known.title,
        Found(author, "who wrote the opening post"),
        known.site,
        known.timezone,
        players,
    )


_SIGN_UP = re.compile(
    r"\b(?:sign[\s-]?ups?|signing[\s-]up|recruit(?:ing|ment)|in[\s-]?thread|interest(?:[\s-]check)?|enrol(?:l?ment)?)\b",
    re.IGNORECASE,
)
"""What a thread of sign-ups is called."""


def _role(title: str, read: ThreadRead, signed: int) -> Found:
    """Whether it is a thread of sign-ups or that of a game."""
    if _SIGN_UP.search(title):
        return Found(SIGNUP, "by its title")
    if read.voters:
        return Found(GAME, "players vote in it")
    if signed >= FEWEST:
        return Found(SIGNUP, "players sign up in it")
    return Found(GAME, "nothing in it says so: change it if it is that of the sign-ups")


def _players(read: ThreadRead) -> Found:
    """Who plays, where the opening post lists them: those who post, else a list that may be one."""
    how = "as the opening post lists them"
    if read.listed:
        return Found("\n".join(one.name for one in read.listed if not one.dead), how)
    if len(read.claimed) == 1:
        return Found("\n".join(read.claimed[0]), f"{how}, if that is the list of players")
    return Found()


_EDGES = " \t-–—|:·•/,~"
_BRACKETS = re.compile(r"[\[({][^\[\](){}]*[\])}]")
_BETWEEN = re.compile(r"\s+[-–—|•·]\s+|\s*\|\s*")
_LEADING = re.compile(rf"\W*{_SIGN_UP.pattern}\W*:\s*", re.IGNORECASE)
_DAY = re.compile(r"(?:day|night)\s*\d+\b.*", re.IGNORECASE)


def game_title(thread: str) -> str:
    """The title of a game by that of its thread, without the parts that only tell what the thread is for."""

    def is_idle(part: str) -> bool:
        return bool(_SIGN_UP.search(part) or _DAY.fullmatch(part.strip("[](){} ")))

    said = _LEADING.sub("", _BRACKETS.sub(lambda found: "" if is_idle(found[0]) else found[0], thread))
    parts = [part.strip(_EDGES) for part in _BETWEEN.split(said)]
    title = " – ".join(part for part in parts if part and not is_idle(part))
    return " ".join(title.split())[:LONGEST_TITLE]
