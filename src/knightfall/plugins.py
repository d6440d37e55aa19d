"""Forums, dialects and games that other installed packages add, found by their entry points.

This is an effect, and the one place for it: what is installed is read from disk, and the modules of a
package run when something of it is loaded. The pure packages `forums`, `markup` and `games` ask here only
where a name is none of ours, a page is recognised by none of ours, or a list of all is wanted. Ours stand
in tables of their own, because reading all entry points takes longer than starting. The user's own
`sites.toml` is read here too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from knightfall.errors import BrokenPlugin

if TYPE_CHECKING:  # reading what is installed takes time; most runs need none of it
    from importlib.metadata import EntryPoint

T = TypeVar("T")

CONFIG = "KNIGHTFALL_CONFIG"
"""The environment variable that names another folder for what the user sets."""
_OURS = "knightfall"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Family(Generic[T]):
    """One kind of thing that packages may add.

    `group` is the group of entry points, `kind` what one is called in a message, `own` the names that are
    ours and stay ours, `parts` the attributes that one must have, `id` the attribute that repeats its name.
    """

    group: str
    kind: str
    own: Sequence[str]
    parts: tuple[str, ...]
    id: str = "name"

    def names(self) -> tuple[str, ...]:
        """The names that installed packages add to ours, sorted; nothing is loaded."""
        return tuple(sorted({entry.name for entry in _entries(self.group)} - set(self.own)))

    def named(self, name: str) -> T | None:
        """What a package adds under that name; None where none does. Raises BrokenPlugin."""
        if name in self.own or name not in self.names():
            return None
        loaded = _loaded(self.group, self.kind, self.parts, self.id, name)
        if isinstance(loaded, _Fault):
            raise BrokenPlugin(loaded.sentence)
        return cast(T, loaded)

    def working(self) -> tuple[T, ...]:
        """Everything that packages add and that can be loaded."""
        return tuple(cast(T, one) for one in self._all() if not isinstance(one, _Fault))

    def faults(self) -> tuple[str, ...]:
        """A sentence for each thing that packages add and that cannot be loaded."""
        return tuple(one.sentence for one in self._all() if isinstance(one, _Fault))

    def package_of(self, name: str) -> str:
        """The package that adds this, as a message calls it."""
        return ", ".join(_package(entry) for entry in _entries(self.group) if entry.name == name)

    def _all(self) -> tuple[object, ...]:
        return tuple(_loaded(self.group, self.kind, self.parts, self.id, name) for name in self.names())


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why something cannot be used, as one sentence and what to do."""

    sentence: str


@cache
def _entries(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, without those of our own package."""
    from importlib.metadata import entry_points

    return tuple(one for one in entry_points(group=group) if _package(one) != _OURS)


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unnamed package"


@cache
def _loaded(group: str, kind: str, parts: tuple[str, ...], identity: str, name: str) -> object:
    """The thing itself, or a _Fault; tried once in a run."""
    entries = [entry for entry in _entries(group) if entry.name == name]
    if len(entries) > 1:
        packages = " and ".join(sorted(map(_package, entries)))
        return _Fault(f"Both {packages} add a {kind} “{name}”. Uninstall one of them.")
    [entry] = entries
    try:
        thing: Any = entry.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001  # what a stranger's package does at its import is unknown
        return _fault(kind, entry, f"cannot be loaded ({type(error).__name__}: {_line(error)})")
    try:
        missing = [part for part in parts if not hasattr(thing, part)]
        called = None if missing else attrgetter(identity)(thing)
    except Exception as error:  # noqa: BLE001  # the same
        return _fault(kind, entry, f"cannot be looked at ({type(error).__name__}: {_line(error)})")
    if missing:
        return _fault(kind, entry, f"is no {kind}: it has no {missing[0]}")
    if called != name or not _NAME.fullmatch(name):
        return _fault(
            kind,
            entry,
            f"is registered under the wrong name: it calls itself {called!r}. Both names must be "
            "the same, of lower-case letters, digits and underscores",
        )
    return thing


def _fault(kind: str, entry: EntryPoint, what: str) -> _Fault:
    package = _package(entry)
    return _Fault(
        f"The {kind} “{entry.name}” of the package {package} {what}. Update {package} or uninstall it: "
        f"python -m pip uninstall {package}."
    )


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


def config_folder() -> Path:
    """Where the user's own settings lie: the folder that KNIGHTFALL_CONFIG names, else the system's."""
    named = os.environ.get(CONFIG)
    if named:
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("knightfall")


def user_sites() -> tuple[Path, bytes] | None:
    """The user's own sites.toml and what is in it; None where there is none."""
    return user_file("sites.toml")


def user_file(name: str) -> tuple[Path, bytes] | None:
    """A file of the user's own settings and what is in it; None where there is none."""
    file = config_folder() / name
    try:
        return file, file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
