"""What does a moderator tell everybody between the counts: of people, of time, of his own mistakes?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import TypeAlias

from knightfall.app.library.people import dead, holder
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.app.library.stations import phase_name, post_of
from knightfall.app.library.times import until_facts
from knightfall.core.entries import (
    Away,
    Extended,
    Opened,
    Prodded,
    Published,
    Removed,
    Replaced,
    Revived,
    Stopped,
)
from knightfall.errors import InputError
from knightfall.writeups.wagons import post_facts

KIND = "note"
_PEOPLE = (Replaced, Removed, Revived)
_Told: TypeAlias = Replaced | Removed | Revived | Away | Extended | Stopped
_LEFT: Mapping[str, str] = MappingProxyType({"modkill": "is no longer in the game", "kill": "has died"})
"""Never why: that is between the player and the moderator."""


def note(scene: Scene) -> Made:
    """All that has happened to people and clocks since the last note was posted."""
    since = max((number for number, entry in scene.entries(Published) if entry.kind == KIND), default=0)
    items = list(_items(scene, since))
    prods = sum(number > since for number, _ in scene.entries(Prodded))
    if not items and not prods:
        raise InputError(
            "Nobody was replaced, removed, prodded or announced away since the last note, and no deadline "
            "was moved. Your own words go into a post of any kind with --flavour FILE."
        )
    return Made((Section("any/note", {"items": items, "prods": prods}),))


def error(scene: Scene) -> Made:
    """The least that can be said of a mistake."""
    return Made((Section("any/error", {"moderators": list(scene.setup.moderators)}),))


def _items(scene: Scene, since: int) -> Iterator[Mapping[str, object]]:
    """One item an entry, in order."""
    for record in scene.journal:
        entry = record.entry
        if record.number > since and isinstance(
            entry, Replaced | Removed | Revived | Away | Extended | Stopped
        ):
            yield _item(scene, record.number, entry)


def _item(scene: Scene, number: int, entry: _Told) -> Mapping[str, object]:
    match entry:
        case Replaced(slot=slot, name=name):
            said: dict[str, object] = {
                "what": "replaced",
                "name": name,
                "old": _held_before(scene, slot, number),
            }
        case Removed(slot=slot, how=how):
            said = {"what": "removed", "name": holder(scene, slot), "how": _LEFT.get(how, _LEFT["modkill"])}
            said["role"] = next((one.role for one in dead(scene) if one.slot == slot), "")
        case Revived(slot=slot):
            said = {"what": "revived", "name": holder(scene, slot)}
        case Away(slot=slot, first=first, last=last):
            said = {"what": "away", "name": holder(scene, slot), "first": _day(first), "last": _day(last)}
        case Extended(window=window, until=until):
            said = {"what": "extended", "phase": phase_name(window), "until": until_facts(until, scene.zone)}
            said["old"] = until_facts(_end_before(scene, window, number), scene.zone)
        case Stopped(window=window):
            said = {"what": "stopped", "phase": phase_name(window)}
    post = post_of(entry.post) if isinstance(entry, _PEOPLE) else None
    return {**said, "post": None if post is None else post_facts(post, scene.posts)}


def _held_before(scene: Scene, slot: str, number: int) -> str:
    """Who held the slot before that entry."""
    said = [entry.name for n, entry in scene.entries(Replaced) if n < number and entry.slot == slot]
    return said[-1] if said else slot


def _end_before(scene: Scene, window: str, number: int) -> datetime | None:
    """Until when the window was open before that entry."""
    said = [
        record.entry.until
        for record in scene.journal
        if record.number < number
        and isinstance(record.entry, Opened | Extended)
        and record.entry.window == window
        and record.entry.until
    ]
    if said:
        return said[-1]
    kind, _, day = window.partition("-")
    given = scene.setup.day(int(day)) if kind == "day" and day.isdecimal() else None
    return given.deadline if given else None


def _day(iso: str) -> str:
    """“28 Nov 2026”."""
    moment = date.fromisoformat(iso)
    return f"{moment.day} {moment:%b %Y}"
