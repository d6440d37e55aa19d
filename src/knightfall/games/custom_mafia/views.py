"""What a slot of a custom game knows, its role PM, and what the opening post says of the setup."""

from __future__ import annotations

from knightfall.engine.game import LooseFacts, SlotId, Told, Untyped
from knightfall.games.custom_mafia.abilities import BY_ID, Passive, Trait
from knightfall.games.custom_mafia.catalog import GOON, MODIFIERS, TOWNIE
from knightfall.games.custom_mafia.events import RoleSheet, SetupLine, SetupPost, SetupRow, ShownSetup
from knightfall.games.custom_mafia.options import OPTIONS, Rules
from knightfall.games.custom_mafia.role_grammar import bases_of
from knightfall.games.custom_mafia.setup import Setup
from knightfall.games.custom_mafia.state import State, active_shots, known_to
from knightfall.mafia.roles import Alignment, Modifier, Role

_UNTOLD = frozenset({Trait.ARMED, Trait.LOVER})


def card_facts(state: State, slot: SlotId) -> LooseFacts:
    """Everybody known with what binds them (CM-R35), and active uses left."""
    partners = [
        {**_partner(state, bond, name), "bond": bond}
        for bond, names in known_to(state, slot).items()
        for name in names
    ]
    return {"partners": partners, "shots": active_shots(state, slot)}


def _partner(state: State, bond: str, name: SlotId) -> dict[str, str]:
    """A mafioso learns the partners' cards as well; of masons and lovers the bond alone is known."""
    return {"name": name} | ({"role": state.cards[name].name} if bond == "mafia" else {})


def role_pm(state: State, slot: SlotId) -> Told:
    """The card in full, under the options of this game."""
    card = state.cards[slot]
    # The partners by what binds them.
    known = [
        {"bond": bond, "partners": [_partner(state, bond, name) for name in names]}
        for bond, names in known_to(state, slot).items()
    ]
    facts = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "known": known,
        "abilities": [
            {
                "id": str(ability),
                "sentence": BY_ID[ability].pm,
                "shots": shots,
                "modifiers": sorted(map(str, card.modifiers.get(ability, ()))),
            }
            for ability, shots in card.abilities.items()
        ],
        "passives": [{"id": str(passive), "uses": uses} for passive, uses in card.passives.items()],
        "traits": sorted(map(str, card.traits - _UNTOLD)),
        "rules": dict(state.rules.chosen.chosen),
    }
    return Told((slot,), Untyped("role_pm", facts))


def setup_facts(state: State) -> LooseFacts:
    """What may be in the game unless the setup keeps it secret, and the house rules."""
    setup, chosen = state.rules.setup, state.rules.chosen
    house = [
        {"question": option.question, "value": chosen[option.name].replace("_", " ")}
        for option in OPTIONS
        if option.name in chosen.house
    ]
    if not setup.shown:
        return {"setup": None, "house": house}
    lines = [
        {"count": line.count, "pick": line.pick, "roles": _names(line.roles), "lovers": line.lovers}
        for line in setup.lines
    ]
    matrix = [{"name": name, "roles": _names(roles)} for name, roles in setup.matrix.items()]
    return {"setup": {"name": setup.name, "lines": lines, "matrix": matrix}, "house": house}


def _names(roles: tuple[Role, ...]) -> list[str]:
    return [role.name for role in roles]


_SHOTS = "shots"
"""What `SetupPost.about` calls a limited number of uses."""
_ALL = frozenset({*BY_ID, *map(str, (*Passive, *Trait, *Alignment, *Modifier)), _SHOTS})


def setup_post(players: int, setup: Setup, rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules; of a secret one the rules alone, whatever may be in it."""
    shown, sheets, about = None, tuple[RoleSheet, ...](), _ALL
    if setup.shown:
        shown = ShownSetup(
            setup.name,
            tuple(SetupLine(_role_names(x.roles), x.count, x.pick, x.lovers) for x in setup.lines),
            tuple(SetupRow(_role_names(roles)) for roles in setup.matrix.values()),
        )
        tables = (*(line.roles for line in setup.lines), *setup.matrix.values())
        roles = {role.name: role for table in tables for role in table}
        sheets = tuple(RoleSheet(name, _does(role)) for name, role in roles.items())
        lovers = frozenset({str(Trait.LOVER)} if any(line.lovers for line in setup.lines) else ())
        about = lovers.union(*map(_about, roles.values()))
    return SetupPost(players, setup.night_first, shown, sheets, about, rules.chosen, voting)


def _role_names(roles: tuple[Role, ...]) -> tuple[str, ...]:
    return tuple(role.name for role in roles)


def _does(role: Role) -> tuple[str, ...]:
    """What the words of its name give it, each with its limits."""
    bare = GOON if role.alignment is Alignment.MAFIA else TOWNIE
    sentences: list[str] = []
    for entry in bases_of(role) or (bare,):
        given = entry.gives or ""
        uses = {**role.abilities, **role.passives}.get(given)
        if isinstance(entry.gives, Passive):
            several = "every kill" if uses is None else "one kill" if uses == 1 else f"{uses} kills"
            sentences.append(f"Survives {several} at night.")
        else:
            sentences.append(entry.does)
            if uses is not None:
                times = "once" if uses == 1 else f"{uses} times"
                sentences.append(f"Works {times} in the whole game.")
        limits = role.modifiers.get(given, frozenset())
        sentences += [modifier.does for modifier in MODIFIERS if modifier.gives in limits]
    return tuple(sentences)


def _about(role: Role) -> frozenset[str]:
    limited = any(uses is not None for uses in role.abilities.values())
    modifiers = frozenset[str]().union(*role.modifiers.values())
    own = {str(role.alignment), *map(str, (*role.abilities, *role.passives, *role.traits))}
    return modifiers.union(own, {_SHOTS} if limited else ())
