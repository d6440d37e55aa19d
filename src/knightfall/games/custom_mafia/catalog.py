"""Every word of a role's name, as data: what it gives, what it does in a sentence, by which rulings.

After the convention of the MafiaScum wiki, in our own words. The rulings in `options` decide; a sentence here
only says them shorter. How words are put together to a role is in `roles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knightfall.games.custom_mafia.abilities import ABILITIES, BY_ID, Ability, Passive, Trait
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.ability_table import NOTHING
from knightfall.mafia.roles import ON_NIGHT, Alignment, Knowledge, Modifier
from knightfall.votes.numbers import NUMBER_WORDS

_TOWN, _MAFIA, _KILLER = Alignment.TOWN, Alignment.MAFIA, Alignment.SERIAL_KILLER
_WOLVES = Alignment.WEREWOLVES
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
    ability's; `limited`: as which ability it is used where it does not always work. `side`: the only one
    there is; `leans`: the one where none is written; `sides`: where the role can be, () anywhere.
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
    limited: AbilityRow | None = None

    @property
    def numbers(self) -> tuple[str, ...]:
        """`CM-R10`."""
        return tuple(f"CM-R{number}" for number in self.rulings)


STRONG = "a commuting target only"
"""What stops the kill of a Strongman."""


_SIDES: Mapping[str, tuple[Alignment, ...]] = {Ability.BEFRIEND: (_TOWN,), Ability.SORCERER: (_MAFIA,)}
"""Where an ability belongs to some sides only."""


def _action(name: str, row: AbilityRow, side: Alignment | None = None) -> Entry:
    return Entry(
        name,
        Kind.ACTION,
        row.does,
        row.rulings,
        row.id,
        row,
        row.stopped_by,
        side,
        leans=_WOLVES if row.id == Ability.SORCERER else _TOWN,
        sides=_SIDES.get(row.id, ()),
        aliases=row.aliases,
    )


OWN = _action("Own card", BY_ID[Ability.OWN])
"""A card that nobody but its moderator knows: it is written in quotation marks, Town “Lamplighter”."""
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
        limited=BY_ID[Ability.WEAR],
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
        "Neighbor",
        Kind.TRAIT,
        "Knows the other Neighbors and talks with them in private, but does not know their sides.",
        (46,),
        Trait.NEIGHBOR,
        stopped_by=NOTHING,
        aliases=("neighbour",),
        tells=Knowledge.NEIGHBORS,
        compact=True,
    ),
    Entry(
        "Innocent Child",
        Kind.TRAIT,
        "Everybody is told at the start that they are of the town.",
        (47,),
        Trait.INNOCENT_CHILD,
        stopped_by=NOTHING,
        sides=(_TOWN,),
        aliases=("ic", "innocentchild"),
        tells=Knowledge.PUBLIC,
        compact=True,
    ),
    Entry(
        "Encryptor",
        Kind.TRAIT,
        "While an Encryptor lives, the mafia may talk in private by day, too.",
        (48,),
        Trait.ENCRYPTOR,
        stopped_by=NOTHING,
        leans=_MAFIA,
        sides=(_MAFIA,),
        aliases=("encrypter",),
        compact=True,
    ),
    Entry(
        "Traitor",
        Kind.TRAIT,
        "Wins with the mafia, but neither knows its other members nor is known to them, and has no part in "
        "its kill.",
        (49,),
        Trait.TRAITOR,
        stopped_by=NOTHING,
        leans=_MAFIA,
        sides=(_MAFIA,),
        compact=True,
    ),
    Entry(
        "Minion",
        Kind.TRAIT,
        "Wins with the mafia or the werewolves and knows them, but they do not know who it is.",
        (101,),
        Trait.MINION,
        stopped_by=NOTHING,
        leans=_WOLVES,
        sides=(_MAFIA,),
    ),
    Entry(
        "Macho",
        Kind.TRAIT,
        "Nothing that others do protects them from a kill.",
        (63,),
        Trait.MACHO,
        stopped_by=NOTHING,
    ),
    Entry(
        "Ascetic",
        Kind.TRAIT,
        "Nothing but a kill works on them.",
        (64,),
        Trait.ASCETIC,
        stopped_by=NOTHING,
    ),
    Entry(
        "Doublevoter",
        Kind.TRAIT,
        "Their vote counts twice, which nobody is told.",
        (75,),
        Trait.DOUBLEVOTER,
        stopped_by=NOTHING,
        aliases=("double voter", "doublevote"),
        compact=True,
    ),
    Entry(
        "Voteless",
        Kind.TRAIT,
        "Their vote does not count, which nobody is told.",
        (75,),
        Trait.VOTELESS,
        stopped_by=NOTHING,
        compact=True,
    ),
    Entry(
        "Loved",
        Kind.TRAIT,
        "It takes one vote more to eliminate them.",
        (76,),
        Trait.LOVED,
        stopped_by=NOTHING,
        aliases=("beloved",),
        compact=True,
    ),
    Entry(
        "Hated",
        Kind.TRAIT,
        "It takes one vote fewer to eliminate them.",
        (76,),
        Trait.HATED,
        stopped_by=NOTHING,
        compact=True,
    ),
    Entry(
        "Treestump",
        Kind.TRAIT,
        "Goes on posting after their death, without a vote.",
        (77,),
        Trait.TREESTUMP,
        stopped_by=NOTHING,
        aliases=("tree stump",),
        compact=True,
    ),
    Entry(
        "Universal Backup",
        Kind.TRAIT,
        "Becomes the first player of the same side who dies and was not vanilla, with the uses left.",
        (87,),
        Trait.UNIVERSAL_BACKUP,
        stopped_by=NOTHING,
        sides=(_TOWN, _MAFIA),
        aliases=("universal back up", "super backup"),
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
        "Informed",
        Kind.TRAIT,
        "Is told something about the game at the start, in the moderator's words.",
        (105,),
        Trait.INFORMED,
        stopped_by=NOTHING,
        compact=True,
    ),
    Entry(
        "Lycan",
        Kind.TRAIT,
        "Is a Werewolf to a Seer and Guilty to a Cop, although they are not one.",
        (99,),
        Trait.LYCAN,
        stopped_by=NOTHING,
        sides=(_TOWN, *_LONERS),
        aliases=("lycanthrope",),
        compact=True,
    ),
    Entry(
        "Paranoid Gun Owner",
        Kind.TRAIT,
        "Shoots whoever comes to them at night, of whichever side.",
        (96,),
        Trait.GUN_OWNER,
        stopped_by=NOTHING,
        aliases=("pgo", "gun owner"),
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
        aliases=("gf", "god father", "investigation immune", "investigative immune"),
        compact=True,
    ),
    Entry(
        "Ninja",
        Kind.TRAIT,
        "Kills without being seen by anybody who looks.",
        (28,),
        Trait.NINJA,
        limited=BY_ID[Ability.HIDDEN_KILL],
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
        limited=BY_ID[Ability.STRONG_KILL],
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
    Entry(
        "Jester",
        Kind.OWN_SIDE,
        "Wins by being voted out.",
        (39,),
        side=Alignment.JESTER,
        aliases=("tanner", "fool"),
    ),
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
    aliases=("townie", "vt", "vanilla town", "villager", "vanilla villager", "townsperson", "peasant"),
)
GOON = Entry(
    "Goon",
    Kind.BARE,
    "Has partners and the mafia's kill, and no other ability.",
    (32, 35, 37),
    side=Alignment.MAFIA,
    aliases=("mafioso", "vanilla goon", "mobster", "henchman", "mafia member"),
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
NIGHT_X = Entry("Night-X", Kind.MODIFIER, "Works on this one of nights 1 to 9 only.", (80,))
NIGHTS: tuple[Entry, ...] = tuple(
    _modifier(
        f"Night-{number}",
        modifier,
        f"Works on night {number}.",
        80,
        f"n{number}",
        f"night{number}",
        f"night {NUMBER_WORDS[number - 1]}",
    )
    for modifier, number in ON_NIGHT.items()
)
"""Each night that can be named; of several the ability works on each."""
MODIFIERS: tuple[Entry, ...] = (
    *NIGHTS,
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
    _modifier(
        "Backup",
        Modifier.BACKUP,
        "Does not work before a player of the same side who could do the same is dead.",
        65,
        "back up",
    ),
    _modifier(
        "Compulsive", Modifier.COMPULSIVE, "Whoever sends nothing uses it on a player who is drawn.", 66
    ),
    _modifier("Novice", Modifier.NOVICE, "Does not work on night 1.", 81),
    _modifier(
        "Indecisive", Modifier.INDECISIVE, "Is not used on the same player on two nights in a row.", 82
    ),
    _modifier("Roaming", Modifier.ROAMING, "Is never used on the same player twice.", 83),
    _modifier("Simple", Modifier.SIMPLE, "Works on a Vanilla Townie or a Goon only.", 84),
    _modifier("Complex", Modifier.COMPLEX, "Fails on a Vanilla Townie and a Goon.", 84),
    _modifier("Personal", Modifier.PERSONAL, "Has no effect on the mafia's kill.", 88),
    _modifier(
        "Enabler",
        Modifier.ENABLER,
        "Does not do so; once its holder is dead, nobody does any more.",
        94,
    ),
    _modifier("Insane", Modifier.INSANE, "Gets every answer turned round, and is not told so.", 102),
    _modifier("Naive", Modifier.NAIVE, "Finds everybody Innocent, and is not told so.", 102),
    _modifier("Paranoid", Modifier.PARANOID, "Finds everybody Guilty, and is not told so.", 102),
    _modifier(
        "Activated",
        Modifier.ACTIVATED,
        "Does not work by itself, but on a night on which it is used.",
        85,
    ),
)
INFORMED = next(entry for entry in TRAITS if entry.gives is Trait.INFORMED)
"""What its holder is told stands among the texts of cards, under its name."""
ENABLER = next(entry for entry in MODIFIERS if entry.gives is Modifier.ENABLER)
"""May stand behind the role that it is about, too: Doctor Enabler."""
BASES: tuple[Entry, ...] = (*TRAITS, *PASSIVES, *ACTIONS, OWN, *OWN_SIDES)
"""What gives a role something, in the order of its name."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A word for several bases at once; `shots` and `modifiers` are those that each has by itself."""

    name: str
    entries: tuple[Entry, ...]
    shots: int | None = None
    modifiers: frozenset[Modifier] = frozenset()


def _base(name: str) -> Entry:
    return next(entry for entry in BASES if entry.name == name)


_BACKUP = frozenset({Modifier.BACKUP})
JACK = Bundle("Jack-of-all-Trades", tuple(map(_base, ("Doctor", "Vigilante", "Roleblocker", "Cop"))), 1)
"""CM-R67: where its abilities are written, it means nothing else than that each works once."""
BUNDLES: Mapping[str, Bundle] = {
    **dict.fromkeys(("jack of all trades", "joat", "jack"), JACK),
    "witch": Bundle("Witch", (_base("Doctor"), _base("Vigilante")), 1),
    "deputy": Bundle("Deputy", (_base("Cop"),), None, _BACKUP),
    **dict.fromkeys(
        ("medical student", "nurse"), Bundle("Medical Student", (_base("Doctor"),), None, _BACKUP)
    ),
}
"""Names for what has a name in full."""

CATALOG: tuple[Entry, ...] = (
    TOWNIE,
    GOON,
    *ACTIONS,
    *PASSIVES,
    *TRAITS,
    *OWN_SIDES,
    X_SHOT,
    NIGHT_X,
    *(one for one in MODIFIERS if one not in NIGHTS),
)
"""Every word that a role can be written with, but for the sides and numbers."""

AIMED = frozenset(
    {
        Modifier.LOYAL,
        Modifier.DISLOYAL,
        Modifier.WEAK,
        Modifier.INDECISIVE,
        Modifier.ROAMING,
        Modifier.SIMPLE,
        Modifier.COMPLEX,
    }
)
"""Modifiers that ask whom an action is aimed at."""


def role_aliases(role: str) -> tuple[str, ...]:
    """The other words that players use for the bases of a role's name, such as “doc”."""
    bases = (base for base in BASES if base.kind is not Kind.BARE and base.name.casefold() in role.casefold())
    return tuple(alias for base in bases for alias in base.aliases)
