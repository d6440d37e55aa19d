"""In which dialect is a post for the game of a folder written, and how far was its thread read?"""

from __future__ import annotations

from knightfall.app.ports import Ports
from knightfall.errors import InputError
from knightfall.forums import ORDER, WITHOUT_PAGE
from knightfall.forums.adapter import Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import NAMES, dialect, is_dialect
from knightfall.posts import Thread
from knightfall.setups.setup import Setup

PLAIN = "plain"
RICH = "ips"
"""The dialect whose editor takes formatted text, not markup."""
_SPOKEN = {"invision": "ips", "flarum": "nodebb"}
"""Platforms whose dialect has another name: Invision takes rich text, Flarum the Markdown of NodeBB."""


def dialect_of(wanted: str | None, setup: Setup | None, site: Site, platform: str) -> str:
    """The dialect that is wanted, else the site's own, else its platform's, else plain text."""
    if wanted:
        return dialect(wanted).name
    for name in (setup.site if setup else None, site.dialect):
        if name and is_dialect(name):
            return name
    software = platform.rstrip("0123456789")
    spoken = _SPOKEN.get(software, software)
    if spoken in NAMES:
        return spoken
    is_ours = platform in ORDER or platform in WITHOUT_PAGE
    return platform if not is_ours and is_dialect(platform) else PLAIN


def speech_of(wanted: str | None, setup: Setup, ports: Ports) -> str:
    """The dialect that is wanted, else the site's, else that of the thread as it was read; plain text where
    nothing was. Raises InputError for a dialect that we do not know."""
    site = site_of(setup.url or "")
    found = dialect_of(wanted, setup, site, PLAIN)
    if found != PLAIN or wanted or setup.site == PLAIN:
        return found
    platform = _platform(setup, ports)
    return dialect_of(None, setup, site, platform) if platform else found


def _platform(setup: Setup, ports: Ports) -> str | None:
    """Where the game's thread was read from; None where it never was."""
    if setup.url is None:
        return None
    store = ports.store(setup.url)
    try:
        found = store.platform(setup.url)
    finally:
        store.close()
    thread = None if found else kept_thread(setup, ports)
    return thread.platform if thread else found


def kept_thread(setup: Setup, ports: Ports) -> Thread | None:
    """The game's thread as it was last read; None where it never was, or the game has none."""
    from knightfall.app.reading.read import Kept, gather

    try:
        return gather(Kept(setup.url), ports) if setup.url else None
    except InputError:
        return None
