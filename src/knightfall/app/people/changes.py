"""How does the moderator replace, take out, bring back: one entry, one neutral post, from one post on?

A post never says why somebody left; the reason stands in the journal. Counts as of earlier posts stay what
they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.app.people.entering import Desk, enter, guarded, publish
from knightfall.app.people.moments import from_post
from knightfall.app.people.seats import lives, needed_line, refuse_taken, shown_name, slot_id
from knightfall.core.entries import Entry, Removed, Replaced, Revived
from knightfall.core.game import SlotId
from knightfall.core.journal import Record
from knightfall.errors import InputError
from knightfall.setups.setup import Setup
from knightfall.writeups.render import render

TOLD_BY_THE_GAME = ("modkill", "removed", "revive", "revived")
"""Posts in which a game itself tells that somebody left or came back: ours would say it twice."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """A slot, who holds it now, and the post from which on something is said of it."""

    slot: SlotId
    name: str
    post: int | None
    setup: Setup

    @property
    def said(self) -> str | None:
        """The post as the journal has it."""
        return None if self.post is None else str(self.post)

    def must_live(self, verb: str) -> None:
        """Raises InputError for the dead."""
        if not lives(self.slot, self.post, self.setup):
            raise InputError(
                f"{self.name} is not alive any more, so there is nobody to {verb}. See knightfall roster."
            )


def replaced(old: str, new: str, at: str | None, why: str, desk: Desk) -> None:
    """Gives a slot to somebody else. Raises InputError where he plays already, or the slot is dead."""
    seat, name = _seat(old, at, desk), new.strip()
    if not name:
        raise InputError("Name who comes: knightfall replace OLD NEW")
    seat.must_live("replace")
    if name.casefold() == seat.name.casefold():
        raise InputError(f"{seat.name} holds the slot already.")
    refuse_taken(name, seat.slot, seat.setup)
    entry = Replaced(seat.slot, name, seat.said, why.strip())
    _done(entry, "replacement", {"old": seat.name, "new": name}, f"{name} replaces {seat.name}", seat, desk)


def modkilled(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Takes a slot out of the game; the reason stays between moderators. Raises InputError without one."""
    if not why.strip():
        raise InputError('A modkill needs its reason: --why "…". It is kept in the journal and never posted.')
    seat = _seat(name, at, desk)
    seat.must_live("take out")
    entry = Removed(seat.slot, "modkill", seat.said, why.strip())
    _done(entry, "removal", {"name": seat.name}, f"{seat.name} is out of the game", seat, desk)


def killed(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Somebody died in the middle of a day. Raises DecisionNeeded where a begun game knows no such death."""
    seat = _seat(name, at, desk)
    seat.must_live("kill")
    entry = Removed(seat.slot, "kill", seat.said, why.strip())
    _done(entry, "death", {"name": seat.name}, f"{seat.name} is dead", seat, desk)


def revived(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Brings a slot back to life. Raises InputError for one that lives."""
    seat = _seat(name, at, desk)
    if lives(seat.slot, seat.post, seat.setup):
        raise InputError(f"{seat.name} is alive: there is nobody to bring back. See knightfall roster.")
    entry = Revived(seat.slot, seat.said, why.strip())
    _done(entry, "revival", {"name": seat.name}, f"{seat.name} lives again", seat, desk)


def _seat(name: str, at: str | None, desk: Desk) -> _Seat:
    setup = desk.setup
    slot = slot_id(name, setup, desk)
    return _Seat(slot, shown_name(slot, setup), from_post(at, setup, desk.ports), setup)


def _done(
    entry: Entry, template: str, facts: Mapping[str, object], said: str, seat: _Seat, desk: Desk
) -> None:
    """Writes the entry, then tells it; the post passes the guard before, as nothing can be unwritten."""
    speech = desk.speech(seat.setup)
    guarded(render(f"any/{template}", {**facts, "votes": None}), desk)
    record, kinds = enter(entry, desk)
    desk.err(_line(said, seat.post, record))
    if not set(kinds) & set(TOLD_BY_THE_GAME):
        votes = needed_line(seat.post, desk.setup) if template != "replacement" else None
        text = render(f"any/{template}", {**facts, "votes": votes}, speech)
        publish(f"{record.number:03}-{template}", text, desk, speech)


def _line(said: str, post: int | None, record: Record) -> str:
    since = f" from post {post} on" if post is not None else ""
    return (
        f"{said}{since}, entry {record.number}; counts as of earlier posts stay as they were. Take it back "
        f'with: knightfall undo {record.number} --why "…"'
    )
