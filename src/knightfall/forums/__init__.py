"""The forum platforms that can be read: one line a platform, each loaded when it is first asked for.

Other packages may add more: these are asked where none of ours recognises a page or an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from knightfall.errors import SetupError
from knightfall.forums.platforms import PLATFORMS, Platform
from knightfall.forums.sites import site_of
from knightfall.forums.styles import STYLES

if TYPE_CHECKING:  # who counts what is stored need not wait for twenty readers of pages
    from knightfall.forums.base import Forum, Response, ThreadRef
    from knightfall.forums.outside import OutsideForum, OutsideForums
    from knightfall.markup.html_style import HtmlStyle

    FORUMS: tuple[Forum, ...]

PLACES: Mapping[str, str] = {
    "text": "text",
    "discourse": "discourse",
    "nodebb": "nodebb",
    "flarum": "flarum",
    "reddit": "reddit",
    "bgg": "bgg",
    "discord": "discord",
    "smf": "smf",
    "mybb": "mybb",
    "invision4": "invision",
    "invision3": "invision",
    "phpbb2": "phpbb",
    "phpbb": "phpbb",
    "xenforo2": "xenforo",
    "xenforo1": "xenforo",
    "somethingawful": "somethingawful",
    "vbulletin5": "vbulletin",
    "vbulletin4": "vbulletin",
    "vbulletin3": "vbulletin",
    "mtgsalvation": "mtgsalvation",
    "proboards": "proboards",
    "vanilla": "vanilla",
}
"""The id of every platform → the module of its family, where its adapter is called so in capitals.

They are asked in this order: first text without markup and those with JSON, whose posts may hold the marks of
any page.
pyproject.toml lists them as entry points; a test compares both lists.
"""

ORDER: tuple[str, ...] = tuple(PLACES)

WITHOUT_PAGE = frozenset({"", "jsonl", "plain"})
"""What posts that came without a page have in the place of a platform."""


BEGINNING = 65_536
"""Characters of a page in which the marks of its software stand, but for odd themes."""


def __getattr__(name: str) -> object:
    """`FORUMS`: all of ours, in that order."""
    if name == "FORUMS":
        return _forums()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _forums() -> tuple[Forum, ...]:
    return tuple(map(_loaded, ORDER))


def _loaded(platform: str) -> Forum:
    found: Forum = getattr(import_module(f"{__name__}.{PLACES[platform]}"), platform.upper())
    return found


@cache
def outside_forums() -> OutsideForums:
    """The platforms that other packages add."""
    from knightfall.forums.outside import OutsideForums  # only where none of ours will do

    return OutsideForums(ORDER)


def platform_names() -> tuple[str, ...]:
    """The id of every platform: ours in their order, then those of other packages; nothing is loaded."""
    return (*ORDER, *outside_forums().family.names())


def forum_of(page: Response, known: str | None = None) -> Forum | None:
    """The platform that a page's markup belongs to: one of ours, else of another package. `known` is that of
    the thread, which is asked first."""
    beginning = page
    if len(page.text) > BEGINNING and page.text.lstrip()[:1] == "<":  # the answer of an API tells anywhere
        beginning = replace(page, text=page.text[:BEGINNING])
    if known in ORDER and (forum := _loaded(known)).recognises(beginning):
        return forum
    for part in (beginning, page) if beginning is not page else (page,):
        ours = next((forum for forum in map(_loaded, ORDER) if forum.recognises(part)), None)
        if ours is not None:
            return ours
    outside = next((forum for forum in outside_forums().working() if forum.recognises(page)), None)
    return outside or _by_boxes(page)


def _by_boxes(page: Response) -> Forum | None:
    """The platform whose posts stand on a page: what was copied of one, or saved without its scripts, has
    none of the marks that are written around them."""
    if "<" not in page.text:
        return None
    from knightfall.forums.html import every, parse_page
    from knightfall.forums.payload import is_json, is_xml

    if is_json(page.text) or is_xml(page.text):
        return None
    tree = parse_page(page.text)
    landmarks = {row.name: row.landmarks for row in PLATFORMS}
    for name in ORDER:
        marks = landmarks[name]
        if marks and all(every(tree, one) for one in (marks.boxes, marks.authors, marks.texts)):
            return _loaded(name)
    return None


def all_platforms() -> tuple[Platform, ...]:
    """The row of every platform: ours, then those of other packages that can be loaded."""
    return (*PLATFORMS, *map(_row_of, outside_forums().working()))


def platform_named(name: str) -> Platform:
    """The row of a platform. Raises KeyError for an id of none, BrokenPlugin as loading does."""
    ours = next((row for row in PLATFORMS if row.name == name), None)
    if ours is not None:
        return ours
    found = outside_forums().named(name)
    if found is None:
        raise KeyError(name)
    return _row_of(found)


def _row_of(forum: OutsideForum) -> Platform:
    row = getattr(forum.adapter, "platform", None)
    return row if isinstance(row, Platform) else Platform(forum.name, forum.name, f"by {forum.package}")


def forum_named(platform: str) -> Forum | None:
    """The platform with that id. Raises BrokenPlugin for one of another package that cannot be loaded."""
    if platform in WITHOUT_PAGE:
        return None
    return _loaded(platform) if platform in ORDER else outside_forums().named(platform)


def located(url: str) -> tuple[Forum, ThreadRef] | None:
    """The thread a URL points at: by the platform that its site is known to run, else by its shape.

    None where no platform's URLs look like this, and where those of several do: the page has to tell then.
    """
    found = candidates(url)
    return found[0] if len(found) == 1 else None


def candidates(url: str) -> tuple[tuple[Forum, ThreadRef], ...]:
    """All platforms whose URLs look like this one, or the one that its site is known to run.

    Raises SetupError where a site is said to run a platform that is unknown.
    """
    platform = site_of(url).platform
    if platform is not None and platform not in ORDER:
        named = outside_forums().named(platform)
        if named is None:
            raise SetupError(
                f'sites.toml: platform: found "{platform}" for {url}, expected one of '
                f"{', '.join(platform_names())}."
            )
        ref = named.locate(url)
        if ref is not None:
            return ((named, ref),)
    found = tuple((forum, ref) for forum in _forums() if (ref := forum.locate(url)) is not None)
    if not found:
        return tuple(
            (forum, ref) for forum in outside_forums().working() if (ref := forum.locate(url)) is not None
        )
    return tuple(pair for pair in found if pair[0].name == platform) or found


def html_style_of(platform: str) -> HtmlStyle:
    """How bodies of a platform are written; bodies that came without a page are read as phpBB's."""
    if platform in WITHOUT_PAGE:
        return STYLES["phpbb"]
    if platform in STYLES:
        return STYLES[platform]
    forum = forum_named(platform)
    return forum.html_style if forum else STYLES["phpbb"]
