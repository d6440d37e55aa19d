"""Look up the roles and modifiers that a game of one's own (Custom Mafia) can have.

What a role looks like is not written down anywhere: a Cop, a Gunsmith and a Rolecop are sent to it by the
game's own rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from knightfall.engine.game import SlotId
from knightfall.games.custom_mafia.catalog import (
    CATALOG,
    FACTION_KILL,
    GOON,
    MODIFIERS,
    STRONG,
    TOWNIE,
    X_SHOT,
    Entry,
    Kind,
    line_of,
)
from knightfall.games.custom_mafia.dusk import Dusk
from knightfall.games.custom_mafia.night import Found
from knightfall.games.custom_mafia.options import RULINGS, parse_options
from knightfall.games.custom_mafia.roles import bases_of, parse_role
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.verbs import AIMS, KILLS, Ability, Passive, Trait
from knightfall.games.custom_mafia.words import PHRASES, split
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment, Role

_VISITS = ("nobody", "its target", "both targets")
_WIN_RULINGS: Mapping[Alignment, int] = {
    Alignment.TOWN: 36,
    Alignment.MAFIA: 37,
    Alignment.SERIAL_KILLER: 38,
    Alignment.JESTER: 39,
    Alignment.SURVIVOR: 40,
}
"""How a side wins."""
_SHOT_RULINGS: Mapping[Kind, tuple[int, ...]] = {
    Kind.ACTION: (20,),
    Kind.OWN_SIDE: (20,),
    Kind.PASSIVE: (12,),
}
"""What is said of the shots of an action, and of a vest."""
_ASKERS: Mapping[str, Ability] = {
    "Cop": Ability.COP,
    "Gunsmith": Ability.GUNSMITH,
    "Rolecop": Ability.ROLECOP,
}


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A role or modifier of the catalog. `written`: the line of a PM; it and `visits` are None for what is
    not done at night, `stopped_by` where nothing happens."""

    name: str
    kind: str
    does: str
    written: str | None
    visits: str | None
    stopped_by: str | None
    aliases: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def is_modifier(self) -> bool:
        """Whether it limits or changes the power that follows it."""
        return self.kind == Kind.MODIFIER


@dataclass(frozen=True, slots=True)
class RoleCatalog:
    """All roles and modifiers, in the order of the catalog."""

    entries: tuple[CatalogEntry, ...]

    def to_dict(self) -> dict[str, object]:
        """{roles: [{name, kind, does, written, visits, stopped_by, aliases, rulings}]}."""
        return {"roles": [asdict(entry) for entry in self.entries]}


@dataclass(frozen=True, slots=True)
class ModifierDetails:
    """Everything about one modifier. `rulings`: number → line; `example` is a role that has it."""

    entry: CatalogEntry
    example: str
    rulings: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """{modifier: one of the entries that RoleCatalog has}."""
        return {"modifier": asdict(self.entry)}


@dataclass(frozen=True, slots=True)
class Power:
    """One thing a role has. `limits`: modifier → what it does; `written`: the line of a PM; `visits` and
    `written` are None for what is not done at night, `stopped_by` where nothing happens."""

    name: str
    kind: str
    does: str
    limits: Mapping[str, str]
    written: str | None
    visits: str | None
    stopped_by: str | None


@dataclass(frozen=True, slots=True)
class RoleDetails:
    """Everything about one role. `looks`: asker → answer; `rulings`: number → line, in their order."""

    name: str
    side: str
    powers: tuple[Power, ...]
    looks: Mapping[str, str]
    rulings: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """{role: {name, side, powers: [{name, kind, does, limits, written, visits, stopped_by}], looks,
        rulings}}."""
        return {"role": asdict(self)}


def role_catalog() -> RoleCatalog:
    """All roles and modifiers that a game of one's own can have."""
    return RoleCatalog(tuple(map(_catalog_entry, CATALOG)))


def _catalog_entry(entry: Entry) -> CatalogEntry:
    ability = entry.gives if isinstance(entry.gives, Ability) else None
    return CatalogEntry(
        entry.name,
        str(entry.kind),
        entry.does,
        None if ability is None else line_of(ability),
        None if ability is None else _VISITS[AIMS[ability]],
        entry.stopped_by,
        tuple(entry.aliases),
        tuple(entry.numbers),
    )


def role_details(name: str) -> RoleDetails | ModifierDetails:
    """Everything about one role, or one modifier. Raises InputError for a role that is none, with the nearest
    word."""
    modifier = PHRASES.get(tuple(split(name.casefold())))
    if isinstance(modifier, Entry) and modifier.kind is Kind.MODIFIER:
        example = "2-Shot Doctor" if modifier is X_SHOT else f"{modifier.name} Doctor"
        lines = {key: RULINGS[key] for key in (f"CM-R{number}" for number in sorted(modifier.rulings))}
        return ModifierDetails(_catalog_entry(modifier), example, lines)
    role = parse_role(name)
    # What the card is made of, the faction's kill included.
    if role.alignment is Alignment.MAFIA:
        entries = (*(bases_of(role) or (GOON,)), FACTION_KILL)
    else:
        entries = bases_of(role) or (TOWNIE,)
    looks = {asker.lower(): _looks_like(role, asker) for asker in _ASKERS}
    # The rulings: of what it has and what limits that, of how it wins, and of looks that an innocent has not.
    ruled = {_WIN_RULINGS[role.alignment]}
    for base in entries:
        ruled.update(base.rulings)
        for limit in _modifiers_on(role, base):
            ruled.update(n for n in limit.rulings if limit is not X_SHOT or n in _SHOT_RULINGS[base.kind])
    if looks["cop"] != "Innocent":
        ruled.add(23)
    if looks["gunsmith"] == "Gun":
        ruled.add(24)
    side = "serial killer" if role.alignment is Alignment.SERIAL_KILLER else str(role.alignment)
    lines = {key: RULINGS[key] for key in (f"CM-R{number}" for number in sorted(ruled))}
    return RoleDetails(role.name, side, tuple(_power(role, entry) for entry in entries), looks, lines)


def _modifiers_on(role: Role, base: Entry) -> list[Entry]:
    """The modifiers that the card has for one of its powers."""
    shots = {**role.abilities, **role.passives}.get(base.gives or "")
    own = role.modifiers.get(base.gives or "", frozenset())
    return [*([X_SHOT] if shots is not None else []), *(entry for entry in MODIFIERS if entry.gives in own)]


def _power(role: Role, entry: Entry) -> Power:
    ability = entry.gives if isinstance(entry.gives, Ability) else None
    limits: dict[str, str] = {}
    for limit in _modifiers_on(role, entry):
        shots = {**role.abilities, **role.passives}.get(entry.gives or "")
        if limit is not X_SHOT:
            limits[limit.name] = limit.does
        elif shots and isinstance(entry.gives, Passive):
            limits[f"{shots}-Shot"] = f"Stops {shots} kill{'s' * (shots > 1)} in the whole game."
        elif shots:
            times = "once" if shots == 1 else f"{shots} times"
            limits[f"{shots}-Shot"] = f"Works {times} in the whole game."
    strong = ability in KILLS and Trait.STRONGMAN in role.traits
    unseen = ability in KILLS and Trait.NINJA in role.traits
    return Power(
        entry.name,
        entry.kind,
        entry.does,
        limits,
        None if ability is None else line_of(ability),
        None if ability is None else _VISITS[AIMS[ability]] + ", unseen" * unseen,
        STRONG if strong else entry.stopped_by,
    )


def _looks_like(role: Role, asker: str) -> str:
    """What the asker is told, by the game's own rules; both answers where an option decides."""
    here, there = SlotId("asker"), SlotId("asked")
    cards = {here: parse_role(asker), there: role}
    answers: list[str] = []
    for options in ({}, {"cop_sees_killer": "innocent"}):
        found = resolve(Dusk(cards, rules=parse_options(options)), [Action(here, _ASKERS[asker], (there,))])
        assert isinstance(found, Found)  # one action alone is no ring
        answers.append(str(found.night.results[0].answer))
    answer, other = answers
    return answer if answer == other else f"{answer} ({other} by cop_sees_killer = innocent)"
