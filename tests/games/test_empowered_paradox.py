"""Which incarcerations hold: what `paradox` finds against all readings of a small night, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growth import growth
from knightfall.games.empowered import ROLES, EmpoweredPosition, resolve
from knightfall.games.empowered.paradox import Held, Supply, settle
from knightfall.mafia.night import Action, Reason
from knightfall.sentence import SlotId
from properties.empowered_paradox import PowerNight, dense_night, disagreement, solve, supplied_night

EMPOWERERS = tuple(map(SlotId, ("E1", "E2", "E3")))
AMPLIFIERS = tuple(map(SlotId, ("A1", "A2", "A3")))
JAILERS = tuple(map(SlotId, ("J1", "J2", "J3", "J4")))
KIDNAPPERS = tuple(map(SlotId, ("K1", "K2")))
EVERYBODY = EMPOWERERS + AMPLIFIERS + JAILERS + KIDNAPPERS
Set = frozenset[Action]
Night = tuple[list[Action], list[Action], list[Action]]
"""Who empowers, who amplifies, who incarcerates."""

target = st.sampled_from(EVERYBODY)


def each(actors: tuple[SlotId, ...], ability: str, targets: int) -> st.SearchStrategy[list[Action]]:
    """For each of them an action at anybody else, or nothing."""
    others = st.lists(target, min_size=targets, max_size=targets, unique=True).map(tuple)
    choices = st.tuples(*(st.one_of(st.none(), others, others) for _ in actors))
    return choices.map(
        lambda chosen: [
            Action(a, ability, aim) for a, aim in zip(actors, chosen, strict=True) if aim and a not in aim
        ]
    )


nights = st.tuples(
    each(EMPOWERERS, "empower", 1),
    each(AMPLIFIERS, "amplify", 2),
    each(JAILERS + KIDNAPPERS, "incarcerate", 1),
)
many = settings(max_examples=max(50, settings().max_examples))
"""Of two hundred random nights two hold a paradox, of thirty none."""


def needy(jails: list[Action]) -> Set:
    return frozenset(jail for jail in jails if jail.actor in JAILERS)


def found(empower: list[Action], amplify: list[Action], jails: list[Action]) -> Held:
    return settle(jails, Supply([*empower, *amplify]), needy(jails), lambda _ring, _stories: frozenset())


# The definition, read off the rulings and as slow as it likes.


def powered(empower: list[Action], amplify: list[Action], gone: set[SlotId]) -> set[SlotId]:
    reached = {action.targets[0] for action in empower if action.actor not in gone}
    while True:
        more = {t for a in amplify if a.actor in reached and a.actor not in gone for t in a.targets}
        if more <= reached:
            return reached
        reached |= more


def holding(empower: list[Action], amplify: list[Action], jails: Set, assumed: Set) -> Set:
    gone = {jail.targets[0] for jail in assumed}
    power = powered(empower, amplify, gone)
    return frozenset(j for j in jails if j.actor not in gone and (j.actor in KIDNAPPERS or j.actor in power))


def readings(empower: list[Action], amplify: list[Action], jails: Set) -> Iterator[Set]:
    subsets = chain.from_iterable(combinations(sorted(jails), size) for size in range(len(jails) + 1))
    return (s for s in map(frozenset, subsets) if holding(empower, amplify, jails, s) == s)


@many
@given(nights)
def test_a_night_with_one_consistent_reading_is_read_so(night: Night) -> None:
    empower, amplify, jails = night
    stories = list(readings(empower, amplify, frozenset(jails)))
    held = found(*night)
    if len(stories) == 1:
        assert held == Held(stories[0], frozenset())
    else:
        assert held.failed


@many
@given(nights)
def test_without_those_that_failed_the_night_has_exactly_the_reading_that_is_found(night: Night) -> None:
    empower, amplify, jails = night
    held = found(*night)
    assert not held.holding & held.failed
    assert held.failed <= set(jails)
    assert list(readings(empower, amplify, frozenset(jails) - held.failed)) == [held.holding]


@many
@given(nights)
def test_every_reading_is_found_and_nothing_else(night: Night) -> None:
    from knightfall.games.empowered.paradox import _Night, _Part

    empower, amplify, jails = night
    question = _Night(Supply([*empower, *amplify]), needy(jails), frozenset())
    stories = list(question.readings(_Part(frozenset(), frozenset(jails))))
    assert len(stories) == len(set(stories))
    assert set(stories) == set(readings(empower, amplify, frozenset(jails)))


def test_dense_nights_are_read_as_an_independent_solver_reads_them() -> None:
    chance = Random(33)
    assert next(filter(None, (disagreement(dense_night(chance)) for _ in range(2_000))), "") == ""


def resolved(night: PowerNight) -> tuple[Set, Set]:
    """The incarcerations that hold and those that fail by their paradox, as the rules of a night say."""
    kinds = {"E": "Empowerer", "A": "Amplifier", "J": "Jailkeeper"}
    sent = [*night.empower, *night.amplify, *night.jails]
    everybody = {slot for action in sent for slot in (action.actor, *action.targets)}
    result = resolve(EmpoweredPosition({slot: ROLES[kinds[slot[0]]] for slot in sorted(everybody)}), sent)
    failed = {note.action for note in result.night.blocked if note.reason is Reason.PARADOX}
    stood = {note.action for note in result.night.trace if note.reason is Reason.HOLDS}
    assert {jail.targets[0] for jail in stood} == result.incarcerated
    return frozenset(stood), frozenset(failed)


def test_a_jail_bears_only_on_power_to_which_it_can_make_the_difference() -> None:
    """Against the definition taken literally: every choice of the other open ones is tried."""
    chance = Random(17)
    for _ in range(4_000):
        night = supplied_night(chance)
        assert resolved(night) == solve(night), night


def test_ways_that_double_at_every_amplifier_are_not_walked_one_by_one() -> None:
    pairs = [(SlotId(f"L{step}"), SlotId(f"R{step}")) for step in range(40)]
    amplify = [Action(one, "amplify", after) for pair, after in pairwise(pairs) for one in pair]
    empower = [Action(one, "empower", (to,)) for one, to in zip(EMPOWERERS, pairs[0], strict=False)]
    supply = Supply([*empower, *amplify])
    first, second, _ = EMPOWERERS
    (left, right), (slot, _) = pairs[-2:]
    assert supply.deciders(slot, set(), {first, second, left}) == {first, second}
    assert supply.deciders(slot, {right}, {first, second, left}) == {first, second, left}
    assert supply.deciders(slot, set(), {first, left}) == frozenset()


def test_with_the_snapshot_a_way_has_one_amplifier_at_most() -> None:
    empower, amplify, _ = lines("E1>A1, E2>A2, A1>A2+X, A2>J1+X")
    everybody = set(map(SlotId, ("E1", "E2", "A2")))
    closure, snapshot = (Supply([*empower, *amplify], once) for once in (False, True))
    assert closure.deciders(SlotId("J1"), set(), everybody) == everybody
    assert snapshot.deciders(SlotId("J1"), set(), everybody) == {"E2", "A2"}


@many
@given(nights, st.randoms(), st.permutations(range(9)))
def test_neither_order_nor_names_matter(night: Night, random: Random, places: list[int]) -> None:
    empower, amplify, jails = night
    held = found(*night)
    assert found(*(random.sample(part, len(part)) for part in night)) == held
    kinds = {"E": EMPOWERERS, "A": AMPLIFIERS, "J": JAILERS, "K": KIDNAPPERS}
    new: dict[SlotId, SlotId] = {}
    for group in kinds.values():
        turned = sorted(group, key=lambda slot: places[EVERYBODY.index(slot) % 9])
        new |= dict(zip(group, turned, strict=True))

    def moved(actions: Iterable[Action]) -> list[Action]:
        return [a._replace(actor=new[a.actor], targets=tuple(new[t] for t in a.targets)) for a in actions]

    other = found(moved(empower), moved(amplify), moved(jails))
    assert other == Held(frozenset(moved(held.holding)), frozenset(moved(held.failed)))


def lines(text: str) -> Night:
    """`E1>A1, A1>J1+J2, J1>E1`."""
    abilities = {"E": "empower", "A": "amplify", "J": "incarcerate", "K": "incarcerate"}
    actions: dict[str, list[Action]] = {"empower": [], "amplify": [], "incarcerate": []}
    for line in text.split(", "):
        owner, _, aim = line.partition(">")
        ability = abilities[owner[0]]
        actions[ability].append(Action(SlotId(owner), ability, tuple(map(SlotId, aim.split("+")))))
    return actions["empower"], actions["amplify"], actions["incarcerate"]


@pytest.mark.parametrize(
    ("pattern", "night", "holds", "fails"),
    [
        ("P1", "E1>J1, J1>E1", "", "J1"),
        ("P2", "E1>A1, A1>J1+X, J1>A1", "", "J1"),
        ("P3", "E1>A1, A1>J1+X, J1>E1", "", "J1"),
        ("P3 chain", "E1>A1, A1>A2+X, A2>A3+X, A3>J1+X, J1>A2", "", "J1"),
        ("P4", "E1>A1, A1>J1+J2, J1>E1, J2>E1", "", "J1 J2"),
        ("P5", "E1>A1, E2>A1, A1>J1+J2, J1>E1, J2>E2", "", "J1 J2"),
        ("R1", "E1>J1, E2>J2, J1>J2, J2>J1", "", "J1 J2"),
        ("R2", "E1>J1, E2>J2, E3>J3, J1>J2, J2>J3, J3>J1", "", "J1 J2 J3"),
        ("R3", "E1>J1, E2>J2, J1>E2, J2>E1", "", "J1 J2"),
        ("R4", "E1>J1, E2>J2, J1>E2, J2>J1", "", "J1 J2"),
        ("R5", "E1>J1, J1>K1, K1>J1", "", "J1 K1"),
        ("R5 supply", "E1>J1, J1>K1, K1>E1", "", "J1 K1"),
        ("R5 amplifier", "E1>A1, A1>J1+X, J1>K1, K1>A1", "", "J1 K1"),
        ("R6", "K1>K2, K2>K1", "", "K1 K2"),
        ("second supply", "E1>J1, E2>J1, J1>E1", "J1", ""),
        ("jailed by another", "E1>J1, E2>J2, J1>E1, J2>J1", "J2", ""),
        ("row", "E1>J1, E2>J2, E3>J3, J1>J2, J2>J3", "J1", ""),
        ("only reading", "E1>A1, A1>J1+J2, J1>E1, J2>J1", "J2", ""),
        ("no power", "E1>J1, J1>K1, K1>E1, K2>J1", "K1 K2", ""),
        ("downstream", "E1>J1, J1>E1, E2>J2, J2>X", "J2", "J1"),
    ],
)
def test_the_patterns_of_the_rulings(pattern: str, night: str, holds: str, fails: str) -> None:
    held = found(*lines(night))
    assert " ".join(sorted(jail.actor for jail in held.holding)) == holds, pattern
    assert " ".join(sorted(jail.actor for jail in held.failed)) == fails, pattern


def test_a_ring_of_the_jailers_of_sixty_players_is_not_tried_out_reading_by_reading() -> None:
    def settled(size: int) -> None:
        ring = [SlotId(f"K{n}") for n in range(size)]
        jails = [Action(a, "incarcerate", (b,)) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
        held = settle(jails, Supply([]), frozenset(), lambda _ring, _stories: frozenset())
        assert held.failed == set(jails)

    cubic = 4**3  # of all readings there are 2**12 times as many
    assert growth(settled, 4, 4, cubic) < cubic
    settled(17)
