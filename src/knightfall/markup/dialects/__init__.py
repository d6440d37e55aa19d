"""The dialects that a post can be written in: one line a dialect, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

from knightfall.errors import InputError
from knightfall.markup.nodes import Nodes
from knightfall.plugins import Family

if TYPE_CHECKING:  # who writes in one dialect need not wait for the others
    DIALECTS: tuple[Dialect, ...]


class Dialect(Protocol):
    """How a site writes a post, and how long one may be there, in the site's own unit."""

    @property
    def name(self) -> str: ...
    @property
    def max_length(self) -> int | None: ...
    @property
    def unit(self) -> Literal["chars", "bytes"]: ...
    def write(self, nodes: Nodes) -> str: ...


PLACES: Mapping[str, str] = {
    "phpbb": "bbcode_family",
    "mafiascum": "bbcode_family",
    "xenforo": "bbcode_family",
    "vbulletin": "bbcode_family",
    "smf": "bbcode_family",
    "mybb": "bbcode_family",
    "ips": "ips",
    "discourse": "markdown_family",
    "nodebb": "markdown_family",
    "proboards": "bbcode_family",
    "reddit": "markdown_family",
    "bgg": "bbcode_family",
    "discord": "markdown_family",
    "plain": "plain",
}
"""The name of every dialect of ours → the module of its family, where it is called so in capitals.

pyproject.toml lists them as entry points; a test compares both lists.
"""
NAMES = tuple(PLACES)

OUTSIDE: Family[Dialect] = Family(
    "knightfall.dialects", "dialect", NAMES, ("name", "max_length", "unit", "write")
)
"""What other installed packages add."""


def __getattr__(name: str) -> object:
    """`DIALECTS`: all of ours, in the order of `NAMES`."""
    if name == "DIALECTS":
        return tuple(map(_ours, NAMES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _ours(name: str) -> Dialect:
    found: Dialect = getattr(import_module(f"{__name__}.{PLACES[name]}"), name.upper())
    return found


def dialect_names() -> tuple[str, ...]:
    """The name of every dialect: ours, then those of other packages; nothing is loaded."""
    return (*NAMES, *OUTSIDE.names())


def all_dialects() -> tuple[Dialect, ...]:
    """Every dialect: ours, then those of other packages that can be loaded."""
    return (*map(_ours, NAMES), *OUTSIDE.working())


def is_dialect(name: str) -> bool:
    """Whether there is a dialect of exactly that name, whatever tags it is given."""
    base = base_name(name)
    return base in NAMES or base in OUTSIDE.names()


def base_name(name: str) -> str:
    """The name of a dialect without the tags that a board was said to have."""
    return name.partition(":")[0]


def has_tags(name: str) -> bool:
    """Whether a dialect is written by the tags that its board has."""
    return hasattr(dialect(name), "with_tags")


def with_tags(speech: Dialect, tags: Iterable[str]) -> Dialect:
    """A dialect as a board writes it that has these tags of `shapes.TAGS` and no other. Raises InputError for
    a tag that it knows no form of."""
    choose = getattr(speech, "with_tags", None)
    if choose is None:
        raise InputError(f"tags: the dialect {speech.name} has no tags to choose.")
    chosen: Dialect = choose(tags)
    return chosen


def dialect(name: str) -> Dialect:
    """The dialect of that name, `-` and `_` alike; `phpbb:spoiler,strike` is that of a phpBB board with these
    tags of `shapes.TAGS` and no other. Raises InputError that names the nearest one."""
    base, chosen, tags = name.partition(":")
    if chosen:
        return with_tags(dialect(base), tags.split(",") if tags.strip() else ())
    wanted = name.strip().lower().replace("-", "_")
    if wanted in NAMES:
        return _ours(wanted)
    outside = OUTSIDE.named(wanted)
    if outside is not None:
        return outside
    known = dialect_names()
    near = get_close_matches(wanted, known, n=1, cutoff=0.0)[0]
    raise InputError(f"There is no dialect {name!r}. Nearest: {near}. Known: {', '.join(known)}.")


def measure(text: str, dialect: Dialect) -> int:
    """The length of a post as the dialect's site counts it."""
    return len(text.encode()) if dialect.unit == "bytes" else len(text)
