"""Which dialects can a post be written in?"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Literal, Protocol

from knightfall.errors import InputError
from knightfall.markup.dialects.bgg import BGG
from knightfall.markup.dialects.discourse import DISCOURSE
from knightfall.markup.dialects.ips import IPS
from knightfall.markup.dialects.mafiascum import MAFIASCUM
from knightfall.markup.dialects.mybb import MYBB
from knightfall.markup.dialects.nodebb import NODEBB
from knightfall.markup.dialects.phpbb import PHPBB
from knightfall.markup.dialects.plain import PLAIN
from knightfall.markup.dialects.proboards import PROBOARDS
from knightfall.markup.dialects.reddit import REDDIT
from knightfall.markup.dialects.smf import SMF
from knightfall.markup.dialects.vbulletin import VBULLETIN
from knightfall.markup.dialects.xenforo import XENFORO
from knightfall.markup.nodes import Nodes


class Dialect(Protocol):
    """How a site writes a post, and how long one may be there, in the site's own unit."""

    @property
    def name(self) -> str: ...
    @property
    def max_length(self) -> int | None: ...
    @property
    def unit(self) -> Literal["chars", "bytes"]: ...
    def write(self, nodes: Nodes) -> str: ...


DIALECTS: tuple[Dialect, ...] = (
    PHPBB,
    MAFIASCUM,
    XENFORO,
    VBULLETIN,
    SMF,
    MYBB,
    IPS,
    DISCOURSE,
    NODEBB,
    PROBOARDS,
    REDDIT,
    BGG,
    PLAIN,
)


def dialect(name: str) -> Dialect:
    """The dialect of that name, `-` and `_` alike. Raises InputError that names the nearest one."""
    wanted = name.strip().lower().replace("-", "_")
    known = {one.name: one for one in DIALECTS}
    if wanted in known:
        return known[wanted]
    near = get_close_matches(wanted, known, n=1, cutoff=0.0)[0]
    raise InputError(f"There is no dialect {name!r}. Nearest: {near}. Known: {', '.join(known)}.")


def measure(text: str, dialect: Dialect) -> int:
    """The length of a post as the dialect's site counts it."""
    return len(text.encode()) if dialect.unit == "bytes" else len(text)
