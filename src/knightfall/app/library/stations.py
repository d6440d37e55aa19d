"""At which posts of its thread did a game come to a turn? The index of a thread's first post."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knightfall.app.library.people import holder
from knightfall.app.library.scene import Scene
from knightfall.core.entries import Locked, Opened, Removed, Replaced, Revived
from knightfall.writeups.wagons import post_facts

_WORDS = {"modkill": "removed", "kill": "killed"}


def stations(scene: Scene) -> list[dict[str, Any]]:
    """{what, post} in the order of the thread, each with a link; what happened without a post is left out."""
    found = dict.fromkeys(sorted((*_of_file(scene), *_of_journal(scene))))
    return [{"what": what, "post": post_facts(post, scene.posts)} for post, what in found]


def post_of(written: str | None) -> int | None:
    """The number of a post as an entry writes it; None where it names none."""
    said = (written or "").strip().removeprefix("#")
    return int(said) if said.isdecimal() else None


def phase_name(window: str) -> str:
    """“Day 2” for `day-2`."""
    return window.replace("-", " ").replace("_", " ").capitalize()


def _of_file(scene: Scene) -> Iterator[tuple[int, str]]:
    for day in scene.setup.days:
        if day.start is not None:
            yield day.start, f"Day {day.number}"


def _of_journal(scene: Scene) -> Iterator[tuple[int, str]]:
    for record in scene.journal:
        entry = record.entry
        if isinstance(entry, Opened | Locked | Replaced | Removed | Revived):
            post = post_of(entry.post)
            if post is not None:
                yield post, _said(scene, entry)


def _said(scene: Scene, entry: Opened | Locked | Replaced | Removed | Revived) -> str:
    match entry:
        case Opened(window=window):
            return phase_name(window)
        case Locked(window=window):
            return f"{phase_name(window)} locked"
        case Replaced(slot=slot, name=name):
            return f"{name} for {slot}"
        case Removed(slot=slot, how=how):
            return f"{holder(scene, slot)} {_WORDS.get(how, how)}"
        case Revived(slot=slot):
            return f"{holder(scene, slot)} back in the game"
