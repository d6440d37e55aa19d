"""What can be looked up about a game of one's own: its roles and modifiers, and open setups by name.

What a role looks like is not written down anywhere: a Cop, a Gunsmith and a Rolecop are sent to it by the
game's own rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap

from tabulate import tabulate

from knightfall.engine.game import nearest
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lookup import Lookup
from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import (
    ABILITIES,
    BY_ID,
    CHECKS,
    HIDDEN_KILLS,
    KILLS,
    REPORTS,
    STRONG_KILLS,
    Passive,
    Trait,
)
from knightfall.games.custom_mafia.catalog import (
    CATALOG,
    FACTION_KILL,
    GOON,
    MODIFIERS,
    NIGHT_X,
    STRONG,
    TOWNIE,
    X_SHOT,
    Entry,
    Kind,
)
from knightfall.games.custom_mafia.open_setups import OpenSetup, open_setup, open_setups
from knightfall.games.custom_mafia.options import RULINGS, parse_options
from knightfall.games.custom_mafia.roles import PHRASES, bases_of, given_by, parse_role, split
from knightfall.games.custom_mafia.rules import CustomNight, resolve
from knightfall.games.custom_mafia.state import CustomPosition
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.night import Action
from knightfall.mafia.roles import TEAMS, Alignment, Modifier, Role
from knightfall.parameters import Parameter
from knightfall.sentence import SlotId, Way, joined, sentence

_WIDTH = 80
"""Columns of a page."""
_WIN_RULINGS: Mapping[Alignment, int] = {
    **dict.fromkeys(TEAMS, 37),
    Alignment.TOWN: 36,
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
_ASKERS = tuple(row for row in ABILITIES if row.id in CHECKS)
"""The abilities that find something on a card."""
_HEAD = max(len(f"to a {row.role}") for row in _ASKERS)
"""Columns of the head of a line about a role."""


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


@dataclass(frozen=True, slots=True, repr=False)
class RoleCatalog(JsonAnswer):
    """All roles and modifiers, in the order of the catalog."""

    entries: tuple[CatalogEntry, ...]

    def to_dict(self) -> dict[str, object]:
        """{roles: [{name, kind, does, written, visits, stopped_by, aliases, rulings}]}."""
        return {"roles": [asdict(entry) for entry in self.entries]}

    def text(self) -> str:
        """A table of the roles, then one of the modifiers."""
        own = [
            (entry.name, entry.does, entry.written or "") for entry in self.entries if not entry.is_modifier
        ]
        modifiers = [(entry.name, entry.does) for entry in self.entries if entry.is_modifier]
        return joined(
            "\n\n",
            (
                tabulate(own, ("Role", "What it does", "In a PM"), maxcolwidths=[18, 37, 21]),
                tabulate(
                    modifiers, ("Modifier", "What it does to the power after it"), maxcolwidths=[15, 63]
                ),
                sentence(
                    "What is done is done each night, one action a player. Roles go together and may\n"
                    "begin with a side: Mafia Ninja 2-Shot Doctor. Everything about one, in words:\n"
                    "{show}",
                    show=Way("list_roles", name="2-shot weak doctor"),
                ),
            ),
        )


@dataclass(frozen=True, slots=True, repr=False)
class ModifierDetails(JsonAnswer):
    """Everything about one modifier. `rulings`: number → line; `example` is a role that has it."""

    entry: CatalogEntry
    example: str
    rulings: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """{modifier: one of the entries that RoleCatalog has}."""
        return {"modifier": asdict(self.entry)}

    def text(self) -> str:
        """What it does and an example, its rulings last."""
        lines = [self.entry.name, self.entry.does]
        if self.entry.aliases:
            lines.append(_headed("also written", ", ".join(self.entry.aliases)))
        lines += [_headed("for instance", self.example), "", *_ruling_lines(self.rulings)]
        return "\n".join(lines)


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


@dataclass(frozen=True, slots=True, repr=False)
class RoleDetails(JsonAnswer):
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

    def text(self) -> str:
        """Its side, each power with its limits, how it looks, its rulings last."""
        lines = [self.name, _headed("side", self.side)]
        for power in self.powers:
            lines += ["", *wrap(f"{power.name}: {power.does}", _WIDTH)]
            lines += [_headed(name, does) for name, does in power.limits.items()]
            told = {"in a PM": power.written, "visits": power.visits, "stopped by": power.stopped_by}
            lines += [_headed(head, text) for head, text in told.items() if text]
        lines.append("")
        lines += [_headed(f"to a {asker}", answer) for asker, answer in self.looks.items()]
        lines += ["", *_ruling_lines(self.rulings)]
        return "\n".join(lines)


def _headed(head: str, text: str) -> str:
    """A line with its head, wrapped."""
    return "\n".join(wrap(f"  {head:<{_HEAD}} {text}", _WIDTH, subsequent_indent=" " * (_HEAD + 3)))


def _ruling_lines(rulings: Mapping[str, str]) -> list[str]:
    """Each ruling after its number, wrapped."""
    return [
        line
        for number, text in rulings.items()
        for line in wrap(f"{number:<7} {text}", _WIDTH, subsequent_indent=" " * 8)
    ]


def role_catalog() -> RoleCatalog:
    """All roles and modifiers that a game of one's own can have."""
    return RoleCatalog(tuple(map(_catalog_entry, CATALOG)))


def _catalog_entry(entry: Entry) -> CatalogEntry:
    row = entry.row
    return CatalogEntry(
        entry.name,
        str(entry.kind),
        entry.does,
        None if row is None else row.line(row.word),
        None if row is None else row.visits,
        _stopped_by(entry.stopped_by, row),
        tuple(entry.aliases),
        tuple(entry.numbers),
    )


def role_details(name: str) -> RoleDetails | ModifierDetails:
    """Everything about one role, or one modifier. Raises InputError for a role that is none, with the nearest
    word."""
    modifier = PHRASES.get(tuple(split(name.casefold())))
    if isinstance(modifier, Entry) and modifier.kind is Kind.MODIFIER:
        examples = {X_SHOT: "2-Shot Doctor", NIGHT_X: "Night-2 Doctor"}
        limited = {Modifier.ACTIVATED: "Bulletproof", Modifier.PERSONAL: "Alien"}
        fitting = next((base for one, base in limited.items() if modifier.gives == one), "Doctor")
        example = examples.get(modifier) or f"{modifier.name} {fitting}"
        lines = {key: RULINGS[key] for key in (f"CM-R{number}" for number in sorted(modifier.rulings))}
        return ModifierDetails(_catalog_entry(modifier), example, lines)
    role = parse_role(name)
    # What the card is made of, the faction's kill included.
    bare = GOON if role.in_team else TOWNIE
    entries = (*(bases_of(role) or (bare,)), *([FACTION_KILL] if role.in_team else []))
    looks = {asker.role.lower(): _looks_like(role, asker) for asker in _ASKERS}
    # The rulings: of what it has and what limits that, of how it wins, and of looks that an innocent has not.
    ruled = {_WIN_RULINGS[role.alignment]}
    for base in entries:
        ruled.update(base.rulings)
        for limit in _modifiers_on(role, base):
            ruled.update(n for n in limit.rulings if limit is not X_SHOT or n in _SHOT_RULINGS[base.kind])
    for asker in _ASKERS:
        if asker.answers and looks[asker.role.lower()] != next(iter(asker.answers)):
            ruled.add(int(asker.ruling.removeprefix("CM-R")))
    side = "serial killer" if role.alignment is Alignment.SERIAL_KILLER else str(role.alignment)
    lines = {key: RULINGS[key] for key in (f"CM-R{number}" for number in sorted(ruled))}
    return RoleDetails(role.name, side, tuple(_power(role, entry) for entry in entries), looks, lines)


def _modifiers_on(role: Role, base: Entry) -> list[Entry]:
    """The modifiers that the card has for one of its powers."""
    given = given_by(role, base)
    shots = role.printed.get(given)
    own = role.modifiers.get(given, frozenset())
    return [*([X_SHOT] if shots is not None else []), *(entry for entry in MODIFIERS if entry.gives in own)]


def _power(role: Role, entry: Entry) -> Power:
    given = given_by(role, entry)
    row = BY_ID.get(given, entry.row)
    limits: dict[str, str] = {}
    for limit in _modifiers_on(role, entry):
        shots = role.printed.get(given)
        if limit is not X_SHOT:
            limits[limit.name] = limit.does
        elif shots and isinstance(entry.gives, Passive) and given == entry.gives:
            limits[f"{shots}-Shot"] = f"Stops {shots} kill{'s' * (shots > 1)} in the whole game."
        elif shots:
            times = "once" if shots == 1 else f"{shots} times"
            limits[f"{shots}-Shot"] = f"Works {times} in the whole game."
    # A passive that has to be used is what its ability says.
    used = row if row is not None and isinstance(entry.gives, Passive) else entry
    strong = given in STRONG_KILLS or (given in KILLS and Trait.STRONGMAN in role.traits)
    unseen = given in HIDDEN_KILLS or (given in KILLS and Trait.NINJA in role.traits)
    return Power(
        entry.name,
        entry.kind,
        used.does,
        limits,
        None if row is None else row.line(row.word),
        None if row is None else row.visits + ", unseen" * unseen,
        STRONG if strong else _stopped_by(used.stopped_by, row),
    )


def _stopped_by(said: str | None, row: AbilityRow | None) -> str | None:
    """What stops something, with what stops an investigation in this game alone."""
    if not said or row is None or row.id not in REPORTS:
        return said
    return f"{said}; an Ascetic target, and a rolestop or an alien on the target"


def _looks_like(role: Role, asker: AbilityRow) -> str:
    """What the asker is told, by the game's own rules; both answers where an option decides."""
    here, there = SlotId("asker"), SlotId("asked")
    cards = {here: parse_role(asker.role), there: role}
    answers: list[str] = []
    for options in ({}, {"cop_sees_killer": "innocent"}):
        found = resolve(
            CustomPosition(cards, rules=parse_options(options)), [Action(here, asker.id, (there,))]
        )
        assert isinstance(found, CustomNight)  # one action alone is no ring
        answers.append(str(found.night.results[0].answer))
    answer, other = answers
    return answer if answer == other else f"{answer} ({other} if the game is set so)"


def roles(name: Sequence[str] = ()) -> RoleCatalog | RoleDetails | ModifierDetails:
    """All roles and modifiers; or everything about the one that the words name."""
    return role_details(" ".join(name)) if name else role_catalog()


@dataclass(frozen=True, slots=True, repr=False)
class OpenSetups(JsonAnswer):
    """Open setups; `whole` where one was asked for by its name."""

    setups: tuple[OpenSetup, ...]
    whole: bool = False

    def to_dict(self) -> dict[str, object]:
        """{setups: [{name, aliases, players, cards: texts, source, year: number or null, note, table}]}."""
        return {
            "setups": [
                {
                    "name": one.name,
                    "aliases": list(one.aliases),
                    "players": one.players,
                    "cards": list(one.cards),
                    "source": one.source,
                    "year": one.year or None,
                    "note": one.note,
                    "table": one.table,
                }
                for one in self.setups
            ]
        }

    def text(self) -> str:
        """A table of all; of one its cards, where it is from, and what else is to be known."""
        if not self.whole:
            rows = [(one.name, one.players, _in_short(one), _written(one)) for one in self.setups]
            return tabulate(rows, ("Setup", "Players", "What is in it", "From"), maxcolwidths=[14, 7, 31, 20])
        return "\n\n".join("\n".join(_setup_lines(one)) for one in self.setups)


def _in_short(one: OpenSetup) -> str:
    setup = one.setup
    drawn = (f"and one of {len(setup.rows)} groups",) if setup.rows else ()
    return "; ".join((*one.cards[: len(setup.lines)], *drawn))


def _written(one: OpenSetup) -> str:
    return f"{one.source} ({one.year})" if one.year else one.source


def _setup_lines(one: OpenSetup) -> list[str]:
    told = [*one.cards, *([one.note] if one.note else []), f"From: {_written(one)}"]
    if one.aliases:
        told.append(f"Also called: {', '.join(one.aliases)}")
    return [
        f"{one.name}, {one.players} players",
        *(line for said in told for line in wrap(f"  {said}", _WIDTH, subsequent_indent="    ")),
    ]


def setups(code: str | None = None, players: int | None = None) -> OpenSetups:
    """The open setups, those for so many players, or the one of a name. Raises InputError for a name that
    none has, with the nearest."""
    if code is not None:
        found = open_setup(code)
        if found is None:
            names = [one.name for one in open_setups()]
            raise InputError(f"There is no open setup “{code}”{nearest(code, names)}")
        return OpenSetups((found,), whole=True)
    return OpenSetups(tuple(one for one in open_setups() if players is None or one.players == players))


LOOKUPS = {
    "setups": Lookup(
        "List the open setups.",
        setups,
        (
            Parameter("code", "A setup's name, such as Matrix6: all of it."),
            Parameter("players", "For so many players.", int),
        ),
        {"code": "Matrix6"},
    ),
    "roles": Lookup(
        "List the roles for Custom Mafia, or say what one does.",
        roles,
        (
            Parameter(
                "name",
                "A role in words; without it all roles and modifiers.",
                metavar="NAME",
                positional=True,
                several=True,
            ),
        ),
        {"name": "2-shot weak doctor"},
    ),
}
"""By the name of the verb that asks."""
