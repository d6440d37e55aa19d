"""Laws of every night of a custom game, whatever the roles and whatever is sent."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import AIMS, Ability
from knightfall.games.custom_mafia.catalog import CATALOG, Kind
from knightfall.games.custom_mafia.options import OPTIONS, parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, Decided, resolve
from knightfall.games.custom_mafia.state import CustomPosition
from knightfall.mafia.abilities import STRIKE_BACK
from knightfall.mafia.night import Action, Answer, Fate, Reason
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId
from salt_harbour import NAMES

TABLE = NAMES[:10]
Sent = tuple[CustomPosition, list[Action]]
"""A position and what is sent in it."""


@cache
def cards() -> tuple[Role, ...]:
    """Every role on every side that can have it, bare and with every modifier that fits."""
    bases = [entry.name for entry in CATALOG if entry.kind is not Kind.MODIFIER]
    words = ["", *(entry.name for entry in CATALOG if entry.kind is Kind.MODIFIER and entry.gives), "1-Shot"]
    written = (f"{side} {word} {base}" for side in ("", "Town", "Mafia") for word in words for base in bases)
    return tuple({role.name: role for role in map(_card, written) if role}.values())


def _card(written: str) -> Role | None:
    try:
        return parse_role(" ".join(written.split()))
    except InputError:
        return None


some_options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in OPTIONS})
groups = st.lists(st.frozensets(st.sampled_from(TABLE), min_size=2, max_size=3), max_size=2).map(tuple)
many = settings(max_examples=max(30, settings().max_examples))
"""Of thirty random nights none is a knot."""


@st.composite
def positions(draw: st.DrawFn) -> CustomPosition:
    roles = {slot: draw(st.sampled_from(cards())) for slot in TABLE}
    return CustomPosition(
        roles, draw(st.integers(1, 3)), rules=parse_options(draw(some_options)), lovers=draw(groups)
    )


@st.composite
def nights(draw: st.DrawFn) -> Sent:
    """A position, and what some of those who can act send; some of it nonsense."""
    dusk = draw(positions())
    sent = []
    for slot, role in dusk.roles.items():
        ability = draw(st.sampled_from([None, *role.abilities, Ability.DRIVE]))
        if ability is not None:
            aims = draw(st.permutations(TABLE))[: draw(st.sampled_from([AIMS[ability], AIMS[ability], 1]))]
            sent.append(Action(slot, str(ability), tuple(aims)))
    return dusk, sent


@many
@given(nights(), st.randoms())
def test_neither_the_order_nor_a_second_look_changes_anything(night: Sent, random: Random) -> None:
    dusk, sent = night
    found = resolve(dusk, sent)
    assert resolve(dusk, sent) == found
    assert resolve(dusk, random.sample(sent, len(sent))) == found


@many
@given(nights(), st.permutations(TABLE))
def test_renaming_the_players_renames_the_night(night: Sent, others: list[SlotId]) -> None:
    """Two kills of the mafia are ordered by name, and so are bodyguards: here one kill is sent, no guard."""
    dusk, sent = night
    kills = [action for action in sent if action.ability == Ability.MAFIA_KILL]
    ordered = (Ability.MAFIA_KILL, Ability.GUARD)
    single = [action for action in sent if action.ability not in ordered] + kills[:1]
    new = dict(zip(TABLE, others, strict=True))
    roles = {new[slot]: role for slot, role in dusk.roles.items()}
    lovers = tuple(frozenset(new[slot] for slot in group) for group in dusk.lovers)
    moved = [Action(new[a.actor], a.ability, tuple(new[t] for t in a.targets)) for a in single]
    renamed = resolve(replace(dusk, roles=roles, lovers=lovers), moved)
    assert told(renamed, {n: n for n in TABLE}) == told(resolve(dusk, single), new)


def told(decided: Decided, names: dict[SlotId, SlotId]) -> object:
    """What came of it with other names, and nothing that depends on their alphabet."""

    def line(action: Action) -> tuple[object, ...]:
        return names[action.actor], action.ability, tuple(names[t] for t in action.targets)

    def answer(found: Answer | None) -> object:
        assert found is not None
        return found if isinstance(found, str) else frozenset(names[n] for n in found)

    if isinstance(decided, CycleQuestion):
        return "a knot"  # of two the first by name is asked about first
    night = decided.night
    return (
        {names[death.slot] for death in night.deaths},
        {(line(result.action), answer(result.answer)) for result in night.results},
        {
            (line(note.action), note.fate)
            for note in night.trace
            if note.fate in (Fate.BLOCKED, Fate.REJECTED)
        },
    )


@many
@given(nights())
def test_a_knot_leads_where_its_readings_say(night: Sent) -> None:
    dusk, sent = night
    found = resolve(dusk, sent)
    if isinstance(found, CycleQuestion):
        for reading in found.readings:
            ruled = replace(dusk, ruled={found.key: reading.choice})
            after = resolve(ruled, sent)
            assert after == reading.leads_to or isinstance(reading.leads_to, CycleQuestion)


@many
@given(nights())
def test_every_line_is_told_and_nobody_dies_without_a_cause(night: Sent) -> None:
    dusk, sent = night
    found = resolve(dusk, sent)
    if isinstance(found, CustomNight):
        told = {(note.action.actor, note.action.ability) for note in found.night.trace}
        struck_back = {line for line in told if line[1] == STRIKE_BACK}  # sent by nobody
        assert told - struck_back == {action[:2] for action in sent}
        for death in found.night.deaths:
            assert death.slot in dusk.roles
            assert any(note.fate is Fate.STOOD for note in death.attacks)


def test_a_strong_kill_ends_whoever_is_at_home() -> None:
    dusk = CustomPosition(
        {SlotId("Ada"): parse_role("Mafia Strongman"), SlotId("Boro"): parse_role("Jailkeeper")}
    )
    sent = [
        Action(SlotId("Ada"), "mafia_kill", (SlotId("Boro"),)),
        Action(SlotId("Boro"), "jail", (SlotId("Ada"),)),
    ]
    found = resolve(dusk, sent)
    assert isinstance(found, CustomNight)
    assert [(death.slot, death.attacks[0].reason) for death in found.night.deaths] == [
        ("Boro", Reason.UNSTOPPABLE)
    ]
