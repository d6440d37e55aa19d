"""Which roles can a game of one's own have, and what is there to know of one?

What a role looks like is not written down anywhere: a Cop, a Gunsmith and a Rolecop are sent to it by the
game's own rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from textwrap import wrap

from tabulate import tabulate

from knightfall.app.plain_values import as_object
from knightfall.core.game import SlotId
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

_WIDTH = 80
_INDENT = 14
_VISITS = ("nobody", "its target", "both targets")
_WINS: Mapping[Alignment, int] = {
    Alignment.TOWN: 36,
    Alignment.MAFIA: 37,
    Alignment.SERIAL_KILLER: 38,
    Alignment.JESTER: 39,
    Alignment.SURVIVOR: 40,
}
"""How a side wins."""
_SHOT: Mapping[Kind, tuple[int, ...]] = {Kind.ACTION: (20,), Kind.OWN_SIDE: (20,), Kind.PASSIVE: (12,)}
"""What is said of the shots of an action, and of a vest."""
_SIDES: Mapping[Alignment, str] = {side: str(side) for side in Alignment} | {
    Alignment.SERIAL_KILLER: "serial killer"
}
_ASKERS: Mapping[str, Ability] = {
    "Cop": Ability.COP,
    "Gunsmith": Ability.GUNSMITH,
    "Rolecop": Ability.ROLECOP,
}


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
class Sheet:
    """Everything about one role. `looks`: asker → answer; `rulings`: number → line, in their order."""

    name: str
    side: str
    powers: tuple[Power, ...]
    looks: Mapping[str, str]
    rulings: Mapping[str, str]


def roles(name: str | None = None, as_json: bool = False) -> str:
    """A table of all roles and modifiers, or what is to be known of one role or modifier.

    JSON: {schema, roles: [{name, kind, does, written, visits, stopped_by, aliases, rulings}]}, or modifier:
    one of these; with a role's name {schema, role: {name, side, powers: [{name, kind, does, limits, written,
    visits, stopped_by}], looks, rulings}}. Raises InputError for a role that is none, with the nearest word.
    """
    if name is None:
        return as_object({"roles": [_row(entry) for entry in CATALOG]}) if as_json else _tables()
    modifier = PHRASES.get(tuple(split(name.casefold())))
    if isinstance(modifier, Entry) and modifier.kind is Kind.MODIFIER:
        return as_object({"modifier": _row(modifier)}) if as_json else _modifier(modifier)
    sheet = sheet_of(parse_role(name))
    return as_object({"role": asdict(sheet)}) if as_json else "\n".join(_lines(sheet))


def sheet_of(role: Role) -> Sheet:
    """All that the catalog and the rules say of a card."""
    entries = _entries(role)
    looks = {asker.lower(): _look(role, asker) for asker in _ASKERS}
    return Sheet(
        role.name,
        _SIDES[role.alignment],
        tuple(_power(role, entry) for entry in entries),
        looks,
        _rulings({*_of_entries(role, entries), *_of_looks(looks), _WINS[role.alignment]}),
    )


def _of_entries(role: Role, entries: Iterable[Entry]) -> Iterator[int]:
    """The rulings of what a card has and of what limits it."""
    for base in entries:
        yield from base.rulings
        for modifier in _limiting(role, base):
            yield from (n for n in modifier.rulings if modifier is not X_SHOT or n in _SHOT[base.kind])


def _of_looks(looks: Mapping[str, str]) -> Iterator[int]:
    """CM-R23 and CM-R24, where the answer is not what an innocent has."""
    if looks["cop"] != "Innocent":
        yield 23
    if looks["gunsmith"] == "Gun":
        yield 24


def _entries(role: Role) -> tuple[Entry, ...]:
    """What the card is made of, the faction's kill included."""
    if role.alignment is Alignment.MAFIA:
        return (*(bases_of(role) or (GOON,)), FACTION_KILL)
    return bases_of(role) or (TOWNIE,)


def _limiting(role: Role, base: Entry) -> Iterator[Entry]:
    """The modifiers that the card has for this."""
    if _shots(role, base) is not None:
        yield X_SHOT
    own = role.modifiers.get(base.gives or "", frozenset())
    yield from (entry for entry in MODIFIERS if entry.gives in own)


def _shots(role: Role, base: Entry) -> int | None:
    return {**role.abilities, **role.passives}.get(base.gives or "")


def _power(role: Role, entry: Entry) -> Power:
    ability = entry.gives if isinstance(entry.gives, Ability) else None
    strong = ability in KILLS and Trait.STRONGMAN in role.traits
    unseen = ability in KILLS and Trait.NINJA in role.traits
    return Power(
        entry.name,
        entry.kind,
        entry.does,
        dict(_limits(role, entry)),
        None if ability is None else line_of(ability),
        None if ability is None else _VISITS[AIMS[ability]] + ", unseen" * unseen,
        STRONG if strong else entry.stopped_by,
    )


def _limits(role: Role, base: Entry) -> Iterator[tuple[str, str]]:
    for entry in _limiting(role, base):
        if entry is not X_SHOT:
            yield entry.name, entry.does
        elif shots := _shots(role, base):
            yield f"{shots}-Shot", _counted(shots, isinstance(base.gives, Passive))


def _counted(shots: int, passive: bool) -> str:
    """What so many shots are."""
    if passive:
        return f"Stops {shots} kill{'s' * (shots > 1)} in the whole game."
    return "Works once in the whole game." if shots == 1 else f"Works {shots} times in the whole game."


def _look(role: Role, asker: str) -> str:
    """What the asker hears; where an option decides, both answers."""
    answer = _heard(role, asker, {})
    other = _heard(role, asker, {"cop_sees_killer": "innocent"})
    return answer if answer == other else f"{answer} ({other} by cop_sees_killer = innocent)"


def _heard(role: Role, asker: str, options: Mapping[str, object]) -> str:
    """The result of a night in which nothing else happens."""
    here, there = SlotId("asker"), SlotId("asked")
    dusk = Dusk({here: parse_role(asker), there: role}, rules=parse_options(options))
    found = resolve(dusk, [Action(here, _ASKERS[asker], (there,))])
    assert isinstance(found, Found)  # one action alone is no ring
    return str(found.night.results[0].answer)


def _rulings(numbers: Iterable[int]) -> Mapping[str, str]:
    return {key: RULINGS[key] for key in (f"CM-R{number}" for number in sorted(numbers))}


def _row(entry: Entry) -> Mapping[str, object]:
    """One entry for programs."""
    ability = entry.gives if isinstance(entry.gives, Ability) else None
    return {
        "name": entry.name,
        "kind": str(entry.kind),
        "does": entry.does,
        "written": None if ability is None else line_of(ability),
        "visits": None if ability is None else _VISITS[AIMS[ability]],
        "stopped_by": entry.stopped_by,
        "aliases": list(entry.aliases),
        "rulings": list(entry.numbers),
    }


def _tables() -> str:
    """Roles, then modifiers."""
    own = [entry for entry in CATALOG if entry.kind is not Kind.MODIFIER]
    rows = [(entry.name, entry.does, _row(entry)["written"] or "") for entry in own]
    limits = [(entry.name, entry.does) for entry in CATALOG if entry.kind is Kind.MODIFIER]
    return "\n\n".join(
        (
            tabulate(rows, ("Role", "What it does", "In a PM"), maxcolwidths=[14, 40, 22]),
            tabulate(limits, ("Modifier", "What it does to the power after it"), maxcolwidths=[15, 63]),
            "What is done is done each night, one action a player. Roles go together and may\n"
            "begin with a side: Mafia Ninja 2-Shot Doctor. Everything about one, in words:\n"
            "knightfall roles 2-shot weak doctor",
        )
    )


def _modifier(entry: Entry) -> str:
    also = [_said("also written", ", ".join(entry.aliases))] if entry.aliases else []
    example = "2-Shot Doctor" if entry is X_SHOT else f"{entry.name} Doctor"
    lines = [entry.name, entry.does, *also, _said("for instance", example), ""]
    return "\n".join((*lines, *_ruling_lines(_rulings(entry.rulings))))


def _lines(sheet: Sheet) -> Iterator[str]:
    yield sheet.name
    yield _said("side", sheet.side)
    for power in sheet.powers:
        yield ""
        yield from _power_lines(power)
    yield ""
    for asker, answer in sheet.looks.items():
        yield _said(f"to a {asker}", answer)
    yield ""
    yield from _ruling_lines(sheet.rulings)


def _power_lines(power: Power) -> Iterator[str]:
    yield f"{power.name}: {power.does}"
    for name, does in power.limits.items():
        yield _said(name, does)
    if power.written:
        yield _said("in a PM", power.written)
    if power.visits:
        yield _said("visits", power.visits)
    if power.stopped_by:
        yield _said("stopped by", power.stopped_by)


def _said(head: str, text: str) -> str:
    """A line with its head, wrapped."""
    return "\n".join(wrap(f"  {head:<{_INDENT}} {text}", _WIDTH, subsequent_indent=" " * (_INDENT + 3)))


def _ruling_lines(rulings: Mapping[str, str]) -> Iterator[str]:
    for number, text in rulings.items():
        yield from wrap(f"{number:<7} {text}", _WIDTH, subsequent_indent=" " * 8)
