"""Texts written into a game's folder such that nobody ever finds half of one there."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from platform import node

from knightfall.audience import SECRET, secret_if, secret_where
from knightfall.errors import InputError

PUBLIC = "public"
_OF_AN_ENTRY = re.compile(r"(\d{3,})-(?:(\d{2,})-)?(.+)")
"""How the name of a text begins that an entry led to: the entry's number, and its place among all texts of
that entry, PMs included."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text in a half of the game's folder.

    Its `name` tells how many entries there were before it, how many PMs the same entry led to, and of one for
    a player whose it is; `label` is what everybody may know of one for everybody, such as `round-2`: its kind
    and which of them it is.
    """

    half: str
    name: str = field(metadata=SECRET)
    label: str = field(metadata=secret_where(lambda one: one.half != PUBLIC))
    written: int = field(metadata=SECRET)

    @property
    @secret_if(lambda one: one.half != PUBLIC)
    def title(self) -> str:
        """The label in words: “Round 2” for `round-2`, “Role PM for Ada” for `role_pm-Ada-1`."""
        return _title(self.half, self.label)


def title_of(file: Path) -> str:
    """What a text of a game's folder is called, wherever it lies by now: “Dawn”, “Receipt for Ada”."""
    if file.suffix != ".txt":
        return "Picture of the board"
    match = _OF_AN_ENTRY.fullmatch(file.stem)
    return _title(file.parent.name, f"{match[3]}-1" if match else file.stem, alone=True)


def text_title(whose: str, kind: str) -> str:
    """What a text of that kind is called: “Dawn” for everybody, “Receipt for Ada”, “Your own sheet, deal”."""
    public = whose == PUBLIC
    return _title(PUBLIC if public else "", f"{kind}-1" if public else f"{kind}-{whose}-1", alone=True)


_NUMBERED = re.compile(r"(?P<what>.+)-(?P<number>\d+)")
_TO_REMIND = re.compile(r"(?P<kind>prod|reminder)-(?P<which>[^-]+)-(?P<whose>.+)")
"""A draft to a player that no entry led to: which prod it is, or of which window it reminds."""
MODERATOR = "moderator"


def _title(half: str, label: str, alone: bool = False) -> str:
    """A label in words; `alone`: which of its kind it is does not matter."""
    numbered = _NUMBERED.fullmatch(label)
    what, number = (numbered["what"], numbered["number"]) if numbered else (label, "1")
    if half == PUBLIC:
        single = alone and number == "1"
        if what.startswith("deadline-"):
            words = kind_words(what) + ("" if number == "1" else f", {number}")
        elif what == "v_la" and not single:
            words = f"{kind_words(what)} {number}"
        else:
            words = kind_words(what if single else label)
    elif drafted := _TO_REMIND.fullmatch(label):
        which = kind_words(drafted["which"])
        more = "" if which == "1" else f", {which}"
        words = f"{drafted['kind']} for {drafted['whose']}{more}"
    elif what.startswith(f"{MODERATOR}_"):  # what the moderator alone is told
        kind = kind_words(what.removesuffix(f"-{MODERATOR}").removeprefix(f"{MODERATOR}_"))
        words = f"your own sheet, {kind}" if kind != "sheet" else "your own sheet"
        words += "" if number == "1" else f", {number}"
    else:
        kind, _, whose = (what if numbered else label).partition("-")
        words = kind_words(kind.replace("_pm", "_PM")) + (f" for {whose}" if whose else "")
        words += f", {number}" if whose and number != "1" else ""
    return words[:1].upper() + words[1:]


def kind_words(label: str) -> str:
    """A kind of text in words: “mod note”, “V/LA”, “deadline of day 1” for `deadline-day-1`."""
    if label == "error":
        return "correction"
    if label == "v_la":
        return "V/LA"
    if label.startswith("deadline-"):
        return f"deadline of {kind_words(label.removeprefix('deadline-'))}"
    return label.replace("_", " ").replace("-", " ")


def text_files(folder: Path, half: str) -> tuple[TextFile, ...]:
    """The texts in a half of a game's folder, the newest first."""
    place = folder / half
    files = [one for one in place.glob("*.txt") if not one.name.startswith(".")] if place.is_dir() else []
    of_kind = Counter[str]()
    found = []
    for file in sorted(files, key=_place):
        label = file.stem
        if match := _OF_AN_ENTRY.fullmatch(file.stem):
            of_kind[match[3]] += 1
            label = f"{match[3]}-{of_kind[match[3]]}"
        found.append(TextFile(half, file.name, label, file.stat().st_mtime_ns))
    return tuple(sorted(found, key=lambda one: (one.written, one.name), reverse=True))


def _place(file: Path) -> tuple[int, int, str]:
    """Where a text stands among those of the game: by its entry, and among those of the entry."""
    match = _OF_AN_ENTRY.fullmatch(file.stem)
    return (int(match[1]), int(match[2] or 0), file.name) if match else (0, 0, file.name)


def write_public(folder: Path, name: str, text: str) -> Path:
    """Writes a text that is ready to post into the game's `public/`; see `write_draft`."""
    return write_draft(folder, PUBLIC, name, text)


def own_folder(folder: Path) -> None:
    """Makes a folder that is not there, and those above it, for their owner alone. Raises OSError."""
    for place in reversed([one for one in (folder, *folder.parents) if not one.is_dir()]):
        place.mkdir(mode=0o700, exist_ok=True)


def write_draft(folder: Path, half: str, name: str, text: str | bytes) -> Path:
    """Writes a text or a picture into a half of the game's folder, whole or not at all, for its owner alone.

    Raises InputError where it cannot be written; what stood there before then stands still.
    """
    place = folder / half
    try:
        own_folder(place)
        data = text if isinstance(text, bytes) else (text if text.endswith("\n") else f"{text}\n").encode()

        # A file beside it, on the disk before it takes the name.
        file = place / name
        sweep(folder)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=_mark(os.getpid()))
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            Path(draft).replace(file)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise

        # The new name is on the disk, too, where the system can say so of a folder.
        if hasattr(os, "O_DIRECTORY"):
            handle = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    except OSError as error:
        raise InputError(f"{place / name} cannot be written: {error.strerror}.") from None
    return place / name


def sweep(folder: Path) -> None:
    """Removes the drafts that programs of this machine left behind in a folder, and in the halves of it, when
    they were killed."""
    left = _mark("*")
    for draft in chain(folder.glob(f".*{left}"), folder.glob(f"*/.*{left}")):
        process = draft.name.removesuffix(DRAFT).rpartition("-")[2]
        if process.isdigit() and not is_running(int(process)):
            with suppress(OSError):
                draft.unlink()


DRAFT = ".draft"


def _mark(process: int | str) -> str:
    """The end of a draft's name: whose it is."""
    return f".{re.sub(r'[^A-Za-z0-9]', '', node())}-{process}{DRAFT}"


def is_running(process: int) -> bool:
    """Whether a program of this machine runs by that number; True where nobody can tell."""
    if os.name == "nt":  # there no signal asks without harm
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
