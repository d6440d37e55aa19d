"""The order in which actions that change other actions take effect."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from knightfall.mafia.abilities import Block, Drive, Jail, Redirect
from knightfall.mafia.nar import ActionModifier, Cycle, Pass, Reach, label, resolve_modifiers
from knightfall.mafia.night import Action, Reason, Sheet
from knightfall.sentence import SlotId

MODIFIERS: dict[str, ActionModifier] = {
    "roleblock": Block(),
    "jail": Jail(),
    "redirect": Redirect(),
    "drive": Drive(),
}


def night(chance: random.Random) -> list[Action]:
    """A crowded night; a target may be named twice, as after a redirect."""
    names = [SlotId(name) for name in "ABCDEFGH"[: chance.randint(3, 8)]]
    actions = []
    for actor in chance.sample(names, chance.randint(2, len(names))):
        verb = chance.choice(["roleblock", "jail", "redirect", "redirect", "drive", "drive"])
        amount = 2 if verb in ("redirect", "drive") else 1
        actions.append(Action(actor, verb, tuple(chance.choices(names, k=amount))))
    return actions


def pass_of(actions: list[Action]) -> Pass:
    return Pass(Sheet({}), actions, MODIFIERS, (), lambda _: None)


def changers(run: Pass, at: int) -> set[int]:
    """Who could change an action, as the rule has it: from wherever all could be sent without it."""
    reaches = [run.reach(action) for action in run.waiting]
    acts = [MODIFIERS[action.ability] for action in run.waiting]
    everybody = range(len(reaches))
    wider = True
    while wider:
        wider = False
        for by in everybody:
            for other in everybody:
                if by not in (at, other) and acts[by].widen(reaches[by], [reaches[other]]):
                    wider = True
    return {by for by in everybody if by != at and acts[by].could_change(reaches[by], reaches[at])}


def behind(by: dict[int, set[int]], at: int) -> set[int]:
    found, fresh = set[int](), by[at]
    while fresh:
        found |= fresh
        fresh = {more for one in fresh for more in by[one]} - found
    return found


def first_ring(actions: list[Action]) -> Cycle | None:
    """The ring by the rule, where nothing goes before it."""
    run = pass_of(actions)
    by = {at: changers(run, at) for at in range(len(run.waiting))}
    if not all(by.values()):
        return None
    before = {at: behind(by, at) for at in by}
    rings = [before[at] for at in by if all(at in before[other] for other in before[at])]
    named = [tuple(sorted(run.waiting[at] for at in ring)) for ring in rings]
    return min(Cycle(" ".join(sorted(map(label, ring))), ring) for ring in named)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_the_ring_that_is_asked_about_is_the_one_of_the_rule(seed: int) -> None:
    chance = random.Random(seed)
    rings = 0
    for _ in range(500):
        actions = night(chance)
        ring = first_ring(actions)
        if ring is not None:
            rings += 1
            assert resolve_modifiers(pass_of(actions), lambda _: None) == ring, actions
    assert rings > 80


def test_what_a_night_without_a_ring_leaves_free_is_what_nothing_can_change() -> None:
    chance = random.Random(9)
    for _ in range(1_000):
        run = pass_of(night(chance))
        free = [action for at, action in enumerate(run.waiting) if not changers(run, at)]
        assert run.free() == free


def test_a_copy_of_a_pass_leaves_the_pass_as_it_was() -> None:
    run = pass_of(
        [Action(SlotId("A"), "roleblock", (SlotId("B"),)), Action(SlotId("B"), "jail", (SlotId("C"),))]
    )
    other = run.copy()
    other.sheet.blocks.setdefault(SlotId("B"), []).append(other.waiting[0])
    other.turn(other.waiting[1], (SlotId("A"),), other.waiting[0])
    assert run.aims[run.waiting[1]] == (SlotId("C"),)
    assert not run.sheet.blocks
    assert not run.turners


@pytest.mark.parametrize("order", [0, 1, 2])
def test_who_is_jailed_and_roleblocked_is_told_to_have_been_jailed(order: int) -> None:
    """The jail says more: its prisoner was safe, too."""
    a, b, c, d = map(SlotId, "ABCD")
    jail, block, held = Action(a, "jail", (b,)), Action(c, "roleblock", (b,)), Action(b, "roleblock", (d,))
    sent = [jail, block, held]
    rulings: Mapping[str, Mapping[str, str]] = {
        reason: dict.fromkeys(MODIFIERS, "CM-R6") for reason in Reason
    }
    run = Pass(Sheet(rulings), [*sent[order:], *sent[:order]], MODIFIERS, (), lambda _: None)
    assert resolve_modifiers(run, lambda _: None) is None
    assert (run.sheet.jails, run.sheet.blocks) == ({b: [jail]}, {b: [block]})
    [note] = [note for note in run.sheet.notes if note.action == held]
    assert (note.reason, note.cause) == (Reason.ACTOR_JAILED, jail)


def test_a_redirect_of_what_another_sends_there_can_lose_its_say_where_it_reaches_further() -> None:
    """Of two redirects of Ada the order counts until the first could turn the second, to Ada again."""
    ada, boro, cato = 1, 2, 4
    other = Reach("redirect", boro, [ada, cato])
    mine, wider = Reach("redirect", cato, [ada, ada]), Reach("redirect", cato, [ada | boro, ada])
    redirect = Redirect()
    assert redirect.could_change(mine, other)
    assert not redirect.could_change(wider, other)
    assert not redirect.grows(mine, other)
