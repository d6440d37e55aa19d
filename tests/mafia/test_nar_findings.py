"""What one way through a night has found out is used on the others, and changes nothing there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from knightfall.mafia.abilities import Block, Drive, Jail, Redirect
from knightfall.mafia.nar import (
    NONE_HAPPENS,
    ActionModifier,
    Cycle,
    Findings,
    Pass,
    Spread,
    go_first,
    label,
    resolve_modifiers,
)
from knightfall.mafia.night import Action, Reason, Sheet
from knightfall.sentence import SlotId
from long_runs import first

MODIFIERS: dict[str, ActionModifier] = {
    "roleblock": Block(),
    "jail": Jail(),
    "redirect": Redirect(),
    "drive": Drive(),
}
RULINGS: dict[str, dict[str, str]] = {reason: dict.fromkeys(MODIFIERS, "CM-R1") for reason in Reason}
DEEP = 2
"""So many rings of a night are followed."""


def night(chance: random.Random) -> list[Action]:
    names = [SlotId(name) for name in "ABCDEFGHIJKLMN"[: chance.randint(4, 14)]]
    actions = []
    for actor in names:
        verb = chance.choice(["roleblock", "jail", "redirect", "redirect", "drive"])
        others = [name for name in names if name != actor]
        actions.append(Action(actor, verb, tuple(chance.sample(others, 1 + (verb in ("redirect", "drive"))))))
    return actions


def begin(actions: Sequence[Action]) -> Pass:
    return Pass(Sheet(RULINGS), actions, MODIFIERS, (), lambda _: None)


def choices(ring: Cycle) -> tuple[str, ...]:
    return (*map(label, ring.actions), NONE_HAPPENS)


def ways(run: Pass, chosen: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Cycle | None, Pass]]:
    """Every way through a night, each ring followed on copies that share what is known."""
    ring = resolve_modifiers(run, lambda _: None)
    yield chosen, ring, run
    if ring is not None and len(chosen) < DEEP:
        for choice in choices(ring)[:: 1 + len(chosen)]:
            onward = run.copy()
            go_first(onward, ring, choice)
            yield from ways(onward, (*chosen, choice))


@pytest.mark.parametrize("seed", first(0, range(3)))
def test_a_way_is_the_same_for_who_goes_it_alone(seed: int) -> None:
    chance = random.Random(seed)
    compared = 0
    for _ in range(25):
        actions = night(chance)
        for chosen, ring, run in ways(begin(actions)):
            alone, left = begin(actions), list(chosen)
            found = resolve_modifiers(alone, lambda _: None)
            while left:
                assert found is not None
                alone.findings = Findings(MODIFIERS, actions)  # nothing known of what came before
                alone.stands = {one: alone.findings.stand(one, alone.aims[one]) for one in alone.stands}
                alone.clusters, alone.horizons = [], {}
                go_first(alone, found, left.pop(0))
                found = resolve_modifiers(alone, lambda _: None)
            assert (found, alone.aims, alone.sheet.notes) == (ring, run.aims, run.sheet.notes)
            compared += bool(chosen)
    assert compared > 100


def test_sixty_readings_of_one_ring_do_not_each_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in how often it is followed where everything could be sent: for each action of each reading
    that would be sixty times sixty times."""
    chance, counted = random.Random(5), 0
    names = [SlotId(f"P{at:02}") for at in range(60)]
    actions = [
        Action(name, "redirect", tuple(chance.sample([other for other in names if other != name], 2)))
        for name in names
    ]
    begin_spread = Spread.__init__

    def count(*given: object) -> None:
        nonlocal counted
        counted += 1
        begin_spread(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Spread, "__init__", count)
    run = begin(actions)
    ring = resolve_modifiers(run, lambda _: None)
    assert ring is not None
    for choice in choices(ring):
        onward = run.copy()
        go_first(onward, ring, choice)
        resolve_modifiers(onward, lambda _: None)
    assert len(ring.actions) > 40
    assert counted < 10 * len(ring.actions)
