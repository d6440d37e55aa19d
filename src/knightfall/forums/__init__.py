"""Which forum platforms can be read?"""

from __future__ import annotations

from knightfall.forums.adapter import ForumAdapter, Response, ThreadRef
from knightfall.forums.bgg import BGG
from knightfall.forums.discourse import DISCOURSE
from knightfall.forums.flarum import FLARUM
from knightfall.forums.invision3 import INVISION3
from knightfall.forums.invision4 import INVISION4
from knightfall.forums.mtgsalvation import MTGSALVATION
from knightfall.forums.mybb import MYBB
from knightfall.forums.nodebb import NODEBB
from knightfall.forums.phpbb import PHPBB
from knightfall.forums.phpbb2 import PHPBB2
from knightfall.forums.proboards import PROBOARDS
from knightfall.forums.reddit import REDDIT
from knightfall.forums.sites import site_of
from knightfall.forums.smf import SMF
from knightfall.forums.somethingawful import SOMETHINGAWFUL
from knightfall.forums.vanilla import VANILLA
from knightfall.forums.vbulletin3 import VBULLETIN3
from knightfall.forums.vbulletin4 import VBULLETIN4
from knightfall.forums.vbulletin5 import VBULLETIN5
from knightfall.forums.xenforo1 import XENFORO1
from knightfall.forums.xenforo2 import XENFORO2
from knightfall.markup.flavour import Flavour

FORUMS: tuple[ForumAdapter, ...] = (
    DISCOURSE,
    NODEBB,
    FLARUM,
    REDDIT,
    BGG,
    SMF,
    MYBB,
    INVISION4,
    INVISION3,
    PHPBB2,
    PHPBB,
    XENFORO2,
    XENFORO1,
    SOMETHINGAWFUL,
    VBULLETIN5,
    VBULLETIN4,
    VBULLETIN3,
    MTGSALVATION,
    PROBOARDS,
    VANILLA,
)
"""Every platform, asked in this order: first those with JSON, whose posts may hold the marks of any page."""


def forum_of(page: Response) -> ForumAdapter | None:
    """The platform that a page's markup belongs to."""
    return next((forum for forum in FORUMS if forum.recognises(page)), None)


def forum_named(platform: str) -> ForumAdapter | None:
    """The platform with that id."""
    return next((forum for forum in FORUMS if forum.name == platform), None)


def located(url: str) -> tuple[ForumAdapter, ThreadRef] | None:
    """The thread a URL points at: by the platform that its site is known to run, else by its shape.

    None where no platform's URLs look like this, and where those of several do: the page has to tell then.
    """
    found = candidates(url)
    return found[0] if len(found) == 1 else None


def candidates(url: str) -> tuple[tuple[ForumAdapter, ThreadRef], ...]:
    """All platforms whose URLs look like this one, or the one that its site is known to run."""
    platform = site_of(url).platform
    found = tuple((forum, ref) for forum in FORUMS if (ref := forum.locate(url)) is not None)
    return tuple(pair for pair in found if pair[0].name == platform) or found


def flavour_of(platform: str) -> Flavour:
    """How bodies of a platform are written; bodies that came without a page are read as phpBB's."""
    forum = forum_named(platform)
    return forum.flavour if forum else PHPBB.flavour
