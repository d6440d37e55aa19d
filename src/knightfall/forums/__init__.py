"""Which forum platforms can be read? One line a platform; each is loaded when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from knightfall.forums.sites import site_of

if TYPE_CHECKING:  # who counts what is stored need not wait for twenty readers of pages
    from knightfall.forums.adapter import ForumAdapter, Response, ThreadRef
    from knightfall.markup.flavour import Flavour

    FORUMS: tuple[ForumAdapter, ...]

ORDER: tuple[str, ...] = (
    "discourse",
    "nodebb",
    "flarum",
    "reddit",
    "bgg",
    "smf",
    "mybb",
    "invision4",
    "invision3",
    "phpbb2",
    "phpbb",
    "xenforo2",
    "xenforo1",
    "somethingawful",
    "vbulletin5",
    "vbulletin4",
    "vbulletin3",
    "mtgsalvation",
    "proboards",
    "vanilla",
)
"""The id of every platform, which is its module; its adapter is called so in capitals.

They are asked in this order: first those with JSON, whose posts may hold the marks of any page.
"""


def __getattr__(name: str) -> object:
    """`FORUMS`: all of them, in that order."""
    if name == "FORUMS":
        return _forums()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _forums() -> tuple[ForumAdapter, ...]:
    return tuple(map(_loaded, ORDER))


def _loaded(platform: str) -> ForumAdapter:
    found: ForumAdapter = getattr(import_module(f"{__name__}.{platform}"), platform.upper())
    return found


def forum_of(page: Response) -> ForumAdapter | None:
    """The platform that a page's markup belongs to."""
    return next((forum for forum in _forums() if forum.recognises(page)), None)


def forum_named(platform: str) -> ForumAdapter | None:
    """The platform with that id."""
    return _loaded(platform) if platform in ORDER else None


def located(url: str) -> tuple[ForumAdapter, ThreadRef] | None:
    """The thread a URL points at: by the platform that its site is known to run, else by its shape.

    None where no platform's URLs look like this, and where those of several do: the page has to tell then.
    """
    found = candidates(url)
    return found[0] if len(found) == 1 else None


def candidates(url: str) -> tuple[tuple[ForumAdapter, ThreadRef], ...]:
    """All platforms whose URLs look like this one, or the one that its site is known to run."""
    platform = site_of(url).platform
    found = tuple((forum, ref) for forum in _forums() if (ref := forum.locate(url)) is not None)
    return tuple(pair for pair in found if pair[0].name == platform) or found


def flavour_of(platform: str) -> Flavour:
    """How bodies of a platform are written; bodies that came without a page are read as phpBB's."""
    return _loaded(platform if platform in ORDER else "phpbb").flavour
