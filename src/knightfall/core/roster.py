"""Who holds which slot when: names over time, aliases, replacements, deaths.

A slot is a seat in the game whoever holds it. A post number is the clock of this module: every question is
asked "as of post n", so that a count as of an earlier post stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from knightfall.errors import InputError


class How(Enum):
    """How a slot left the living."""

    ELIMINATED = "eliminated"
    KILLED = "killed"
    MODKILLED = "modkilled"


@dataclass(frozen=True, slots=True)
class Departure:
    """From post `post` on the slot is not alive."""

    how: How
    post: int


@dataclass(frozen=True, slots=True)
class Holder:
    """`name` holds the slot from its first post `from_post` on."""

    name: str
    from_post: int = 0


@dataclass(frozen=True, slots=True)
class Slot:
    """One seat: `holders` oldest first, never empty.

    `weight` counts its vote (0 voteless, 2 double voter), `needed_delta` shifts the votes needed against it
    (+1 loved, -1 hated), `bonus` votes stand against it beside the players'.
    """

    holders: tuple[Holder, ...]
    aliases: tuple[str, ...] = ()
    weight: int = 1
    needed_delta: int = 0
    bonus: int = 0
    left: Departure | None = None
    name: str = field(init=False, compare=False)
    """Who holds the slot now."""
    names: tuple[str, ...] = field(init=False, compare=False)
    """Everyone who ever held it, newest first."""

    def __post_init__(self) -> None:
        names = tuple(holder.name for holder in reversed(self.holders))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "name", names[0])

    def alive_at(self, post: int) -> bool:
        """A slot that left at post n is alive before n and not from n on."""
        return self.left is None or post < self.left.post

    def holder_at(self, post: int) -> str:
        """Who held the slot when post `post` was made; the first holder before anyone's time."""
        held = [holder.name for holder in self.holders if holder.from_post <= post]
        return held[-1] if held else self.holders[0].name


@dataclass(frozen=True, slots=True)
class Roster:
    """All slots in list order. Raises InputError where one name stands for two slots."""

    slots: tuple[Slot, ...]
    by_name: dict[str, Slot] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", _by_name(self.slots))

    def slot_of(self, author: str) -> Slot | None:
        """The slot that an account of this name has or had, by its exact or case-folded name."""
        return self.by_name.get(author) or self.by_name.get(author.casefold())

    def with_alias(self, name: str, alias: str) -> Roster:
        """The roster where the slot of that name may be called so too; the same where there is none."""
        known = self.slot_of(name)
        if known is None or alias in known.aliases:
            return self
        taught = replace(known, aliases=(*known.aliases, alias))
        return Roster(tuple(taught if slot is known else slot for slot in self.slots))

    def with_departure(self, name: str, left: Departure) -> Roster:
        """The roster where the slot of that name left so; the same where there is none, or it had left."""
        known = self.slot_of(name)
        if known is None or known.left is not None:
            return self
        return Roster(tuple(replace(slot, left=left) if slot is known else slot for slot in self.slots))

    def alive_at(self, post: int) -> tuple[Slot, ...]:
        """The living as of post `post`, in list order."""
        return tuple(slot for slot in self.slots if slot.alive_at(post))


def roster_of(names: Iterable[str]) -> Roster:
    """A roster of players who were never replaced: most tests and a thread's own player list."""
    return Roster(tuple(Slot((Holder(name),)) for name in names))


def _by_name(slots: tuple[Slot, ...]) -> dict[str, Slot]:
    """Every name of every slot, exact and folded; a name of two slots is refused."""
    table: dict[str, Slot] = {}
    for slot in slots:
        for name in slot.names:
            _claim(table, name, slot)
    return table


def _claim(table: dict[str, Slot], name: str, slot: Slot) -> None:
    other = table.get(name.casefold())
    if other is not None and other is not slot:
        raise InputError(
            f"“{name}” is in the player list twice ({other.name} and {slot.name}). "
            "One name can hold one slot: rename one of them or add it as a replacement."
        )
    table[name] = table[name.casefold()] = slot
