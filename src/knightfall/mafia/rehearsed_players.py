"""What do the nine players of a rehearsal write? Posts of a day and PMs of a night, some of them wrong.

Each answer is a pure function of where the game stands and of a source of chance: nobody here counts, closes
or decides anything. What is wrong on purpose is named, so that it can be checked that it was met.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.engine.rng import Rng
from knightfall.sentence import SlotId

SETUP: Mapping[str, object] = {
    "schema": 1,
    "name": "Rehearsal",
    "slots": [
        {"role": "Mafia Goon"},
        {"role": "Mafia Roleblocker"},
        {"role": "Town Cop"},
        {"role": "Town Doctor"},
        {"role": "Vanilla Townie", "fill": True},
    ],
}
"""The open setup of a rehearsal, as a setup file has it."""
PLAYERS = tuple(map(SlotId, ("Ada", "Boro", "Cato", "Dilyn", "Dilys", "Fenwick", "Gisa", "Hollis", "Ingram")))
ALIKE, MISSPELT = ("Dilyn", "Dilys"), "Dily"
"""Two players with names that are alike, and what may mean either."""
VOLUNTEER = "Juniper"
"""Who takes over from the player who vanished."""
KILLERS = ("Mafia Goon", "Mafia Roleblocker")
"""Who carries out the kill: the first of them who lives."""
VANISHES = "Town Cop"
"""The role of the player who never writes: the night waits for them."""
_ORDERS: Mapping[str, str] = {
    "Mafia Roleblocker": "roleblock",
    "Town Cop": "cop",
    "Town Doctor": "heal",
}
_KILL, _WRONG_KILL = "mafia kill", "murder"
_AT_ONCE = 3
"""So many posts come at once, but for what follows a hammer."""
_CHAT = (
    "Hello all. I am reading along.",
    "I do not like how quiet it is here.",
    "Who wants to say something first?",
    "That reads too careful to me.",
    "I can be talked out of this.",
    "Good point, I had not seen it so.",
)


class Planted(StrEnum):
    """What is wrong on purpose, and has to be met by a question or a caution."""

    MISSPELT = "misspelt"
    """A vote for a name that is written so that it fits two players."""
    UNCLEAR = "unclear"
    """A vote for a name that nobody has."""
    QUOTED = "quoted"
    """A vote that stands in a quote."""
    AFTER_END = "after the end"
    """A vote after the day was decided or its deadline passed."""
    UNKNOWN_WORD = "unknown word"
    """An order in a word that the game does not have."""
    LATE_ORDER = "late order"
    """An order after the night was closed."""
    SILENT = "silent"
    """A player who never writes."""


@dataclass(frozen=True, slots=True)
class Written:
    """A post in BBCode, or a PM, of an account; `planted` is what is wrong about it (None: nothing)."""

    author: str
    text: str
    planted: Planted | None = None


@dataclass(frozen=True, slots=True)
class DayNow:
    """A day as its players see it.

    `present` are the names of the living who write; `votes` are by voter, as they count now; `tried` are
    those who voted for the day's target, `asked` those whose vote the moderator has to read. `begun`:
    somebody wrote in it before; `ended`: it was hammered or its deadline has passed; `late`: somebody voted
    after that.
    """

    number: int
    present: tuple[str, ...]
    votes: Mapping[str, str]
    needed: int
    tried: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    begun: bool = False
    ended: bool = False
    late: bool = False


def target_of(day: int, present: Sequence[str], chance: Rng) -> str:
    """Whom the players agree on."""
    return chance.at("day", day).choice("target", sorted(present))


def posts_of(day: DayNow, target: str, chance: Rng) -> tuple[Written, ...]:
    """What the players write next in a day; nothing where each has said what they had to say.

    `target` is whom they agree on (`target_of` the first time: who was replaced since keeps their place).
    """
    draw = chance.at("day", day.number)
    writers = [name for name in draw.sample("order", sorted(day.present), len(day.present)) if name != target]
    if len(writers) < 2:
        return ()
    fickle, first, second, *others = (*writers, *writers)[: max(len(writers), 3)]
    if day.ended:
        return () if day.late else (_late_vote(day, target, writers, draw),)
    if not day.begun:
        return _opening_posts(day, target, (fickle, first, second, others), draw)

    # The wagon grows until it has what it needs; who changed their mind takes the first vote back before.
    found = list[Written]()
    if day.votes.get(fickle, target) != target:
        found.append(Written(fickle, "[b]Unvote[/b] You are right, that was nothing."))
    on_it = sum(voted == target for voted in day.votes.values())
    # Last come those who changed their mind, and those whose own vote nobody has read yet.
    free = sorted(
        (name for name in writers if name not in day.tried and not (name in day.asked and name in day.votes)),
        key=lambda name: (name in day.asked, name == fickle),
    )
    joining = free[: min(_AT_ONCE, max(day.needed - on_it, 0))]
    found += [Written(name, f"{_chat(name, draw)} [b]Vote: {target}[/b]") for name in joining]
    if joining and on_it + len(joining) >= day.needed:
        found.append(_late_vote(day, target, writers, draw))
    return tuple(found)


def _opening_posts(
    day: DayNow, target: str, cast: tuple[str, str, str, list[str]], draw: Rng
) -> tuple[Written, ...]:
    fickle, first, second, others = cast
    found = [
        Written(fickle, f"{_chat(fickle, draw)} [b]Vote: {first}[/b]"),
        Written(first, f"Somebody has to be first. [b]Vote: {target}[/b]"),
    ]
    if day.number == 1:
        rest = [name for name in (second, *others) if name not in ALIKE]
        rest += [name for name in (second, *others) if name in ALIKE]
        wrong = (
            (f"Same here. [b]Vote: {MISSPELT}[/b]", Planted.MISSPELT),
            (f"[quote={first}]I am for it, too. [b]Vote: {fickle}[/b][/quote]", Planted.QUOTED),
            ("[b]Vote: the loud one[/b]", Planted.UNCLEAR),
        )
        found += [Written(name, text, planted) for name, (text, planted) in zip(rest, wrong, strict=False)]
    found.append(Written(target, f"Me? No. [b]Vote: {first}[/b]"))
    return tuple(found)


def _late_vote(day: DayNow, target: str, writers: Sequence[str], draw: Rng) -> Written:
    """Somebody who has not seen that it is over."""
    off = [name for name in writers if name not in day.tried] or [target]
    name = draw.choice("late", sorted(off))
    other = next(one for one in writers if one != name)
    return Written(name, f"Wait, not so fast. [b]Vote: {other}[/b]", Planted.AFTER_END)


def _chat(name: str, draw: Rng) -> str:
    return draw.choice(f"chat {name}", _CHAT)


@dataclass(frozen=True, slots=True)
class NightNow:
    """A night as its players see it.

    `roles` are those of the living, by slot; `names` who holds each now; `silent` the slot of the player who
    vanished, None once somebody took it over; `sent` how many PMs of a slot came in this night; `unsettled`
    the slots of which nothing stands.
    """

    number: int
    roles: Mapping[SlotId, str]
    names: Mapping[SlotId, str]
    silent: SlotId | None = None
    sent: Mapping[SlotId, int] = field(default_factory=dict)
    unsettled: frozenset[SlotId] = frozenset()


def killer_of(roles: Mapping[SlotId, str]) -> SlotId | None:
    """Who carries out the kill of the mafia; None where no mafioso lives."""
    return next((slot for role in KILLERS for slot, own in roles.items() if own == role), None)


def orders_of(night: NightNow, chance: Rng) -> tuple[tuple[SlotId, Written], ...]:
    """The PMs that the players send next in a night, each with its slot: everybody once, and who was not
    understood once more."""
    draw, killer, sent = chance.at("night", night.number), killer_of(night.roles), night.sent
    found = list[tuple[SlotId, Written]]()
    plain = [slot for slot, role in night.roles.items() if slot != killer and role not in _ORDERS]
    for slot, role in night.roles.items():
        if slot == night.silent:
            continue
        name, times = night.names[slot], sent.get(slot, 0)
        if slot == killer:
            # The mafia kills nobody of its own, and not whom nobody has replaced yet.
            town = [one for one, own in night.roles.items() if own not in KILLERS and one != night.silent]
            whom = night.names[draw.choice("kill", sorted(town or [slot]))]
            if night.number == 1 and times == 0:
                found.append((slot, Written(name, f"{_WRONG_KILL} {whom}", Planted.UNKNOWN_WORD)))
            elif times == 0 or (night.number == 1 and times == 1 and slot in night.unsettled):
                found.append((slot, Written(name, f"{_KILL} {whom}")))
        elif times == 0 and role in _ORDERS:
            found.append((slot, Written(name, f"{_ORDERS[role]} {_aim(slot, night, draw)}")))
        elif times == 0 and slot in plain[:1]:
            found.append((slot, Written(name, "no action")))
        elif times == 0 and slot in plain[1:2]:
            found.append((slot, Written(name, "Good night, and thanks for hosting!")))
    return tuple(found)


def late_order_of(night: NightNow, said: Collection[str], chance: Rng) -> tuple[SlotId, Written] | None:
    """An order that is sent after the night was closed, by somebody who lives and had one, other than all
    that was `said` in it; None where nobody is left who had one."""
    draw = chance.at("night", night.number)
    able = [slot for slot, role in night.roles.items() if role in _ORDERS and slot != night.silent]
    if not able:
        return None
    slot = draw.choice("late", sorted(able))
    text = f"{_ORDERS[night.roles[slot]]} {_aim(slot, night, draw, said)}"
    return slot, Written(night.names[slot], text, Planted.LATE_ORDER)


def _aim(slot: SlotId, night: NightNow, draw: Rng, said: Collection[str] = ()) -> str:
    """Whom a slot names: nobody of its own where it is of the mafia, and nobody whom it `said` before."""
    order, mafia = _ORDERS[night.roles[slot]], night.roles[slot] in KILLERS
    others = sorted(
        one
        for one, role in night.roles.items()
        if one != slot and not (mafia and role in KILLERS) and f"{order} {night.names[one]}" not in said
    )
    return night.names[draw.choice(f"aim {slot}", others, 1 if said else 0)]
