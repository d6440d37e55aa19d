"""Every role and modifier: what it does, and by which rulings.

One entry a word of a role's name: data, after the convention of the MafiaScum wiki, in our own words. The
rulings in `options` decide; a sentence here only says them shorter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from knightfall.games.custom_mafia.abilities import ABILITIES, BY_ID, Ability, Passive, Trait
from knightfall.mafia.abilities import NOTHING
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.roles import Alignment, Knowledge, Modifier

_TOWN, _MAFIA, _KILLER = Alignment.TOWN, Alignment.MAFIA, Alignment.SERIAL_KILLER
_LONERS = (Alignment.JESTER, Alignment.SURVIVOR)


class Kind(StrEnum):
    """What an entry gives. The order is that of a name: what one is, what works by itself, what one does."""

    TRAIT = "trait"
    PASSIVE = "passive"
    ACTION = "action"
    OWN_SIDE = "own side"
    """A role that is a side of its own."""
    BARE = "no power"
    MODIFIER = "modifier"


@dataclass(frozen=True, slots=True)
class Entry:
    """One word of a role's name. `rulings` are numbers of CM-R.

    `gives`: the ability, passive, trait or modifier; None for what has nothing, or only shots. `row` is the
    ability's. `side`: the only one there is; `leans`: the one where none is written; `sides`: where the role
    can be, () anywhere.
    `stopped_by`: what keeps it from working, None where nothing happens. `needs_kill`: nothing without one.
    `tells`: what its holder knows of the others who have it. `compact`: what it does by night is told by the
    nights in columns of numbers (`simulation/nights.py`); else the rules themselves are asked.
    """

    name: str
    kind: Kind
    does: str
    rulings: tuple[int, ...]
    gives: str | None = None
    row: AbilityRow | None = None
    stopped_by: str | None = None
    side: Alignment | None = None
    leans: Alignment = Alignment.TOWN
    sides: tuple[Alignment, ...] = ()
    aliases: tuple[str, ...] = ()
    needs_kill: bool = False
    tells: Knowledge | None = None
    compact: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """`CM-R10`."""
        return tuple(f"CM-R{number}" for number in self.rulings)


STRONG = "a commuting target only (CM-R14)"
"""What stops the kill of a Strongman."""


def _action(name: str, row: AbilityRow, side: Alignment | None = None) -> Entry:
    return Entry(
        name, Kind.ACTION, row.does, row.rulings, row.id, row, row.stopped_by, side, aliases=row.aliases
    )


ACTIONS: tuple[Entry, ...] = tuple(_action(row.role, row) for row in ABILITIES if row.role)
FACTION_KILL = _action("Mafia Kill", BY_ID[Ability.MAFIA_KILL], _MAFIA)
"""What every mafioso has; it is no word of a role's name."""

PASSIVES: tuple[Entry, ...] = (
    Entry(
        "Bulletproof",
        Kind.PASSIVE,
        "Survives every kill, or as many as the card says.",
        (12, 13),
        Passive.BULLETPROOF,
        stopped_by="a Strongman's kill",
        aliases=("bp", "bullet proof"),
        compact=True,
    ),
)

TRAITS: tuple[Entry, ...] = (
    Entry(
        "Lover",
        Kind.TRAIT,
        "Dies when another of the lovers dies.",
        (16, 35),
        Trait.LOVER,
        stopped_by=NOTHING,
        compact=True,
    ),
    Entry(
        "Mason",
        Kind.TRAIT,
        "Knows the other Masons, and that they are town.",
        (35,),
        Trait.MASON,
        stopped_by=NOTHING,
        sides=(_TOWN,),
        tells=Knowledge.PARTNERS,
        compact=True,
    ),
    Entry(
        "Miller",
        Kind.TRAIT,
        "Is Guilty to a Cop, and knows it.",
        (23, 35),
        Trait.MILLER,
        stopped_by=NOTHING,
        sides=(_TOWN, *_LONERS),
        compact=True,
    ),
    Entry(
        "Bomb",
        Kind.TRAIT,
        "Kills whoever kills them at night.",
        (15, 35),
        Trait.BOMB,
        stopped_by=NOTHING,
        compact=True,
    ),
    Entry(
        "Godfather",
        Kind.TRAIT,
        "Is Innocent to a Cop.",
        (23,),
        Trait.GODFATHER,
        stopped_by=NOTHING,
        leans=_MAFIA,
        sides=(_MAFIA, _KILLER),
        aliases=("gf", "god father"),
        compact=True,
    ),
    Entry(
        "Ninja",
        Kind.TRAIT,
        "Kills without being seen by Trackers and Watchers.",
        (28,),
        Trait.NINJA,
        stopped_by=NOTHING,
        leans=_MAFIA,
        needs_kill=True,
        compact=True,
    ),
    Entry(
        "Strongman",
        Kind.TRAIT,
        "A kill that roleblocks, jails, protection and Bulletproof can't stop.",
        (14,),
        Trait.STRONGMAN,
        stopped_by=NOTHING,
        leans=_MAFIA,
        aliases=("strong man",),
        needs_kill=True,
        compact=True,
    ),
)

OWN_SIDES: tuple[Entry, ...] = (
    Entry(
        "Serial Killer",
        Kind.OWN_SIDE,
        "Kills a player, and has no partners.",
        (13, 23, 24, 38),
        Ability.KILL,
        BY_ID[Ability.KILL],
        BY_ID[Ability.KILL].stopped_by,
        _KILLER,
        aliases=("sk", "serialkiller"),
    ),
    Entry("Jester", Kind.OWN_SIDE, "Wins by being voted out.", (39,), side=Alignment.JESTER),
    Entry(
        "Survivor",
        Kind.OWN_SIDE,
        "Wins by being alive at the end, whoever else wins.",
        (40,),
        side=Alignment.SURVIVOR,
    ),
)
TOWNIE = Entry(
    "Vanilla Townie",
    Kind.BARE,
    "Has only a vote.",
    (36,),
    side=Alignment.TOWN,
    aliases=("townie", "vt", "vanilla town"),
)
GOON = Entry(
    "Goon",
    Kind.BARE,
    "Has partners and the mafia's kill, and no other ability.",
    (32, 35, 37),
    side=Alignment.MAFIA,
    aliases=("mafioso", "vanilla goon", "vanilla mafia", "mafia vanilla"),
)
VANILLA = "vanilla"
"""The word by itself: no power, on the side that is written."""


def _modifier(name: str, modifier: Modifier, does: str, ruling: int, *aliases: str) -> Entry:
    return Entry(name, Kind.MODIFIER, does, (ruling,), modifier, aliases=aliases)


X_SHOT = Entry(
    "X-Shot",
    Kind.MODIFIER,
    "Works 1 to 9 times in the whole game; Bulletproof stops as many kills.",
    (12, 20),
)
MODIFIERS: tuple[Entry, ...] = (
    _modifier("Odd-Night", Modifier.ODD_NIGHT, "Works on nights 1, 3, 5 and so on.", 21, "odd"),
    _modifier("Even-Night", Modifier.EVEN_NIGHT, "Works on nights 2, 4, 6 and so on.", 21, "even"),
    _modifier(
        "Non-Consecutive",
        Modifier.NON_CONSECUTIVE,
        "Does not work on two nights in a row.",
        22,
        "nonconsecutive",
        "non consecutive night",
    ),
    _modifier("Lazy", Modifier.LAZY, "Fails while at most one living player is not of the town.", 19),
    _modifier("Loyal", Modifier.LOYAL, "Works on players of the same side only.", 18),
    _modifier("Disloyal", Modifier.DISLOYAL, "Works on players of other sides only.", 18),
    _modifier("Weak", Modifier.WEAK, "Its user dies on reaching a player of another side.", 17),
)
BASES: tuple[Entry, ...] = (*TRAITS, *PASSIVES, *ACTIONS, *OWN_SIDES)
"""What gives a role something, in the order of its name."""

CATALOG: tuple[Entry, ...] = (
    TOWNIE,
    GOON,
    *ACTIONS,
    *PASSIVES,
    *TRAITS,
    *OWN_SIDES,
    X_SHOT,
    *MODIFIERS,
)
"""Every word that a role can be written with, but for the sides and numbers."""

AIMED = frozenset({Modifier.LOYAL, Modifier.DISLOYAL, Modifier.WEAK})
"""Modifiers that ask whom an action is aimed at."""


def role_aliases(role: str) -> tuple[str, ...]:
    """The other words that players use for the bases of a role's name, such as “doc”."""
    bases = (base for base in BASES if base.kind is not Kind.BARE and base.name.casefold() in role.casefold())
    return tuple(alias for base in bases for alias in base.aliases)
