"""In which dialect is a post for the game of a folder written, and how far was its thread read?"""

from __future__ import annotations

from knightfall.app.count.vc import dialect_of
from knightfall.app.reading.read import Kept, Ports, gather
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.posts import Thread
from knightfall.setups.setup import Setup

PLAIN = "plain"


def speech_of(wanted: str | None, setup: Setup, ports: Ports) -> str:
    """The dialect that is wanted, else the site's, else that of the thread as it was read; plain text where
    nothing was. Raises InputError for a dialect that we do not know."""
    site = site_of(setup.url or "")
    found = dialect_of(wanted, setup, site, PLAIN)
    if found != PLAIN or wanted or setup.site == PLAIN:
        return found
    thread = kept_thread(setup, ports)
    return dialect_of(None, setup, site, thread.platform) if thread else found


def kept_thread(setup: Setup, ports: Ports) -> Thread | None:
    """The game's thread as it was last read; None where it never was, or the game has none."""
    try:
        return gather(Kept(setup.url), ports) if setup.url else None
    except InputError:
        return None
