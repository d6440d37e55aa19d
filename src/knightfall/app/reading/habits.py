"""How the site of a thread writes, for the count of its votes."""

from __future__ import annotations

from knightfall.forums import flavour_of
from knightfall.forums.adapter import Site
from knightfall.forums.sites import site_of
from knightfall.posts import Thread
from knightfall.votes.count import Habits


def habits_of(thread: Thread, site: Site | None = None) -> Habits:
    """The habits of a thread's site: the one of its address, unless another is given."""
    known = site_of(thread.url or "") if site is None else site
    return Habits(flavour_of(thread.platform), known.forms)
