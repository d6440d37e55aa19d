"""Laws of random nights of random setups, in which every word of the catalog is dealt.

`test_custom_mafia_laws` has one base a card and hypothesis behind it; here cards have up to three, some
players are dead, uses are gone, and there are many more nights: 2,000 in the suite, 200,000 in the long job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, TypeVar

import pytest

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import AIMS, BY_DAY, BY_ID, KILLS, REPORTS, Ability, Trait
from knightfall.games.custom_mafia.catalog import (
    BASES,
    BUNDLES,
    CATALOG,
    GOON,
    MODIFIERS,
    NIGHT_X,
    OWN,
    TOWNIE,
    X_SHOT,
    Entry,
)
from knightfall.games.custom_mafia.options import OPTIONS, parse_options
from knightfall.games.custom_mafia.roles import parse_role, rolecop_name
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, Decided, resolve
from knightfall.games.custom_mafia.state import CustomPosition, fallen_abilities
from knightfall.mafia.night import NO_RESULT, NOBODY, Action, Fate, Note, Reason
from knightfall.mafia.roles import Modifier, Role
from knightfall.sentence import SlotId
from salt_harbour import NAMES

T = TypeVar("T")
HAPPENED = (Fate.STOOD, Fate.ABSORBED)
SHIELDS = {Ability.HEAL, Ability.GUARD, Ability.JAIL, Ability.BABYSIT}
SUITE = [(seed, 250) for seed in range(8)]
LONG = [(seed, 2_000) for seed in range(100, 200)]
"""Seeds, each with how many nights are played by it."""


# ── Random nights. ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Seats:
    """Draws that fall on whoever sits first, so that new names change nothing."""

    order: tuple[SlotId, ...]

    def at(self, *_: object) -> Seats:
        return self

    apart = at

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:  # noqa: ARG002
        return min(options, key=lambda option: self.order.index(SlotId(str(option))))

    def choices(self, *_: object) -> Any:
        raise AssertionError("a night takes single choices only")

    sample = choices


@dataclass(frozen=True)
class Sent:
    """A night before it is decided."""

    dusk: CustomPosition
    lines: tuple[Action, ...]

    def decided(self, lines: Sequence[Action] | None = None) -> Decided:
        return resolve(self.dusk, self.lines if lines is None else lines, Seats(tuple(self.dusk.roles)))


@cache
def cards() -> tuple[Role, ...]:
    """Four thousand cards of one to three bases, and every bundle, base and modifier among them."""
    chance = Random("cards")
    found: dict[str, Role] = {}
    singles = [TOWNIE.name, f"Mafia {GOON.name}", *BUNDLES, *map(_word, BASES)]
    for single in singles:
        found |= _card(single) | _card(f"Mafia {single}")
    while len(found) < 4_000:
        words = [chance.choice(("", "", "Town", "Mafia", "Mafia"))]
        for base in chance.sample(BASES, chance.choice((1, 1, 2, 2, 3))):
            if chance.random() < 0.4:
                words += chance.sample([one.name for one in MODIFIERS], chance.choice((1, 1, 2)))
            if chance.random() < 0.25:
                words.append(f"{chance.randint(1, 3)}-Shot")
            words.append(_word(base))
        found |= _card(" ".join(words))
    return tuple(found.values())


def _word(base: Entry) -> str:
    """The word of a base; one that nobody but its moderator knows is in quotation marks."""
    return "“Lamplighter”" if base is OWN else base.name


def _card(words: str) -> dict[str, Role]:
    try:
        role = parse_role(words)
    except InputError:
        return {}
    return {role.name: role}


@cache
def crowding() -> tuple[tuple[Role, ...], ...]:
    """The cards of busy nights: what nobody else can help, who kills and shields, what changes actions."""
    telling = ({Trait.MACHO, Trait.ASCETIC}, {Trait.NINJA, Trait.BOMB})
    acting = (KILLS, SHIELDS, {Ability.DRIVE, Ability.REDIRECT, Ability.ROLEBLOCK, Ability.JAIL}, REPORTS)
    return (
        *(tuple(role for role in cards() if role.traits & traits) for traits in telling),
        *(tuple(role for role in cards() if role.abilities.keys() & able) for able in acting),
    )


def random_night(chance: Random, players: int) -> Sent:
    """A position and what is sent in it: mostly what is allowed, now and then a second line or nonsense.
    In busy nights most of it is aimed at few players."""
    everybody = NAMES[:players]
    busy = chance.random() < 0.5
    dealt = {slot: chance.choice(chance.choice(crowding()) if busy else cards()) for slot in everybody}
    few = chance.sample(everybody, min(players, 3))
    living = {slot: role for slot, role in dealt.items() if chance.random() < 0.9}
    shots = {
        slot: {
            one: chance.randint(0, printed)
            for one, printed in {**role.abilities, **role.passives}.items()
            if printed is not None
        }
        for slot, role in living.items()
        if chance.random() < 0.3
    }
    dusk = CustomPosition(
        living,
        chance.randint(1, 4),
        shots,
        parse_options(
            {one.name: chance.choice(one.values) for one in OPTIONS if chance.random() < 0.3}
            | {"ties": "drawn"}
        ),
        {slot: frozenset(chance.sample(sorted(AIMS), 5)) for slot in everybody if chance.random() < 0.1},
        tuple(
            frozenset(chance.sample(everybody, min(players, chance.choice((2, 2, 3)))))
            for _ in range(chance.choice((0, 0, 1, 2)))
        ),
        {},
        fallen_abilities(role for slot, role in dealt.items() if slot not in living),
        {
            slot: {one: {chance.choice(everybody): chance.randint(1, 3)} for one in role.abilities}
            for slot, role in living.items()
            if chance.random() < 0.3
        },
    )
    lines = []
    for slot, role in living.items():
        for _ in range(chance.choice((0, 1, 1, 1, 1, 1, 2))):
            able = [*role.abilities] or [Ability.DRIVE]
            ability = str(chance.choice(able) if chance.random() < 0.97 else chance.choice(sorted(AIMS)))
            aims = AIMS[ability] if chance.random() < 0.98 else 1
            among = few if busy and chance.random() < 0.7 else everybody
            lines.append(Action(slot, ability, tuple(chance.sample(among, aims))))
    return Sent(dusk, tuple(dict.fromkeys(lines)))


def ruled(chance: Random, sent: Sent) -> tuple[Sent, CustomNight]:
    """The night once every ring has been ruled on by chance."""
    for _ in range(20):
        found = sent.decided()
        if isinstance(found, CustomNight):
            return sent, found
        choice = chance.choice(found.readings).choice
        sent = replace(sent, dusk=replace(sent.dusk, ruled={**sent.dusk.ruled, found.key: choice}))
    raise AssertionError("twenty rulings end no night")


def nights(seed: int, count: int) -> Iterator[tuple[Random, Sent]]:
    chance = Random(f"nights {seed}")
    for _ in range(count):
        yield chance, random_night(chance, chance.randint(3, len(NAMES)))


# ── The laws. ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("seed", "count"), [*SUITE, *(pytest.param(*one, marks=pytest.mark.long) for one in LONG)]
)
def test_the_laws_of_a_night(seed: int, count: int) -> None:
    for number, (chance, sent) in enumerate(nights(seed, count)):
        try:
            neither_order_nor_names_matter(chance, sent)
            sent, found = ruled(chance, sent)
            the_dead_were_alive(sent, found)
            answers_are_to_accepted_reports(found)
            only_what_happened_is_a_visit(found)
            no_more_uses_than_there_were(sent, found)
            nobody_else_saves_a_macho(sent, found)
            only_kills_touch_an_ascetic(sent, found)
            hidden_kills_are_not_seen(sent, found)
        except Exception as error:
            error.add_note(f"night {number} of seed {seed}: {sent}")
            raise


def neither_order_nor_names_matter(chance: Random, sent: Sent) -> None:
    """Of lines that fill one slot the first by name is kept: the names are changed where there is one."""
    found = sent.decided()
    assert sent.decided(chance.sample(sent.lines, len(sent.lines))) == found
    lines = {line.actor: line for line in sent.lines}
    of_faction = {Ability.MAFIA_KILL, Ability.STRONG_KILL, Ability.HIDDEN_KILL}
    carriers = [
        line.actor
        for line in lines.values()
        if line.ability in of_faction and sent.dusk.roles[line.actor].in_team
    ]
    for carrier in carriers[1:]:
        del lines[carrier]
    single = replace(sent, lines=tuple(lines.values()))
    new = dict(zip(NAMES, chance.sample(NAMES, len(NAMES)), strict=True))
    same = dict(zip(NAMES, NAMES, strict=True))
    assert told(renamed(single, new).decided(), same) == told(single.decided(), new)


def renamed(sent: Sent, new: dict[SlotId, SlotId]) -> Sent:
    """The same night of people with other names on the same seats."""
    dusk = replace(
        sent.dusk,
        roles={new[slot]: role for slot, role in sent.dusk.roles.items()},
        shots={new[slot]: uses for slot, uses in sent.dusk.shots.items()},
        used_last={new[slot]: used for slot, used in sent.dusk.used_last.items()},
        lovers=tuple(frozenset(new[slot] for slot in group) for group in sent.dusk.lovers),
        aimed={
            new[slot]: {
                ability: {new[target]: night for target, night in named.items()}
                for ability, named in own.items()
            }
            for slot, own in sent.dusk.aimed.items()
        },
    )
    return Sent(dusk, tuple(_moved(line, new) for line in sent.lines))


def _moved(line: Action, new: dict[SlotId, SlotId]) -> Action:
    return line._replace(actor=new[line.actor], targets=tuple(new[target] for target in line.targets))


def told(decided: Decided, new: dict[SlotId, SlotId]) -> object:
    """What came of it under other names, whatever their alphabet."""
    if isinstance(decided, CycleQuestion):
        return "a ring"  # of two the first by name is asked about first
    night = decided.night

    def names(answer: object) -> object:
        return frozenset(new[SlotId(one)] for one in answer) if isinstance(answer, tuple) else answer

    return {
        "deaths": {new[death.slot] for death in night.deaths},
        "results": {(_moved(one.action, new), names(one.answer)) for one in night.results},
        "gifts": {(new[one.reader], _moved(one.action, new), one.answer, one.named) for one in night.gifts},
        "spent": {new[slot]: dict(uses) for slot, uses in night.spent.items()},
        "visits": Counter((new[actor], new[target]) for actor, target in night.visits),
        "fates": Counter((_unordered(_moved(note.action, new)), *_end(note)) for note in night.trace),
    }


def _unordered(line: Action) -> Action:
    """Of two drives of the same two the first by name turns the other round."""
    return line._replace(targets=tuple(sorted(line.targets))) if line.ability == Ability.DRIVE else line


def _end(note: Note) -> tuple[str, str]:
    """Of two shields the first by name is used up, of two kills on one player the first is stopped: nobody
    is told which."""
    happened = note.fate in HAPPENED
    if happened and (note.action.ability in KILLS or note.reason in (Reason.SAVED, Reason.UNUSED)):
        return "happened", ""
    return note.fate, note.reason


def the_dead_were_alive(sent: Sent, found: CustomNight) -> None:
    dead = [death.slot for death in found.night.deaths]
    assert set(dead) <= sent.dusk.roles.keys()
    assert len(set(dead)) == len(dead)
    for death in found.night.deaths:
        assert any(note.fate is Fate.STOOD for note in death.attacks)


def answers_are_to_accepted_reports(found: CustomNight) -> None:
    """Each has one, as it was sent; what was stopped says so."""
    sent_as = {turn.went: turn.sent for turn in found.turned}
    fates = {
        sent_as.get(note.action, note.action): note.fate
        for note in found.night.trace
        if note.action.ability in REPORTS and note.fate is not Fate.REJECTED
    }
    assert Counter(one.action for one in found.night.results) == Counter(list(fates))
    for one in found.night.results:
        assert (one.answer == NO_RESULT) == (fates[one.action] not in HAPPENED), one.action


def only_what_happened_is_a_visit(found: CustomNight) -> None:
    happened = _happened(found.night.trace)
    assert set(found.night.visits) <= {(act.actor, target) for act in happened for target in act.targets}


def _happened(trace: Sequence[Note]) -> list[Action]:
    return [note.action for note in trace if note.fate in HAPPENED and note.action.ability in BY_ID]


def no_more_uses_than_there_were(sent: Sent, found: CustomNight) -> None:
    for slot, uses in found.night.spent.items():
        for ability, spent in uses.items():
            left = sent.dusk.uses_left(slot, ability)
            assert left is not None and 0 < spent <= left, (slot, ability)


def nobody_else_saves_a_macho(sent: Sent, found: CustomNight) -> None:
    """CM-R63: what they do themselves may."""
    saved = (Reason.BULLETPROOF, Reason.VEST)
    for note in found.night.trace:
        action = note.action
        if action.ability in KILLS and note.fate in HAPPENED and _is(sent, action.targets[0], Trait.MACHO):
            own = note.cause is not None and note.cause.actor == action.targets[0]
            assert note.fate is Fate.STOOD or note.reason in saved or own, note
            if note.fate is Fate.STOOD:
                assert action.targets[0] in {death.slot for death in found.night.deaths}


def only_kills_touch_an_ascetic(sent: Sent, found: CustomNight) -> None:
    """CM-R64."""
    for action in _happened(found.night.trace):
        for target in action.targets:
            if target != action.actor and _is(sent, target, Trait.ASCETIC):
                assert action.ability in KILLS, action
    for gift in found.night.gifts:
        assert gift.reader == gift.action.actor or not _is(sent, gift.reader, Trait.ASCETIC)


def _is(sent: Sent, slot: SlotId, trait: Trait) -> bool:
    return trait in sent.dusk.roles[slot].traits


def hidden_kills_are_not_seen(sent: Sent, found: CustomNight) -> None:
    """CM-R28: every sight tells what happened, but for a Ninja's kills and what the asker did; a look at
    oneself has cases of its own."""
    sent_as = {turn.sent: turn.went for turn in found.turned}
    open_acts = [
        act
        for act in _happened(found.night.trace)
        if act.ability not in KILLS
        or (act.ability != Ability.HIDDEN_KILL and not _is(sent, act.actor, Trait.NINJA))
    ]
    for one in found.night.results:
        action, answer = one.action, one.answer
        if action.ability in SEEN and answer != NO_RESULT:
            asker, target = action.actor, sent_as.get(action, action).targets[0]
            if asker == target:
                continue
            others = [act for act in open_acts if act.actor != asker]
            came = [act for act in others if target in act.targets and act.actor != target]
            did = [act for act in others if act.actor == target and set(act.targets) - {target}]
            assert _plain(answer) == SEEN[action.ability](sent.dusk.roles, did, came, target), action


def _plain(answer: object) -> object:
    return answer if isinstance(answer, str) else ", ".join(sorted(map(str, answer)))  # type: ignore[call-overload]


def _words(acts: Sequence[Action]) -> str:
    words = {"kill" if act.ability in KILLS else BY_ID[act.ability].word for act in acts}
    return ", ".join(sorted(words)) or "nothing"


SEEN: dict[str, Any] = {
    Ability.TRACK: lambda _, did, __, target: (
        ", ".join(sorted({one for act in did for one in act.targets} - {target})) or NOBODY
    ),
    Ability.WATCH: lambda _, __, came, ___: ", ".join(sorted({act.actor for act in came})) or NOBODY,
    Ability.FOLLOW: lambda _, did, __, ___: _words(did),
    Ability.VOYEUR: lambda _, __, came, ___: _words(came),
    Ability.MOTION: lambda _, did, came, __: "Motion" if did or came else "No motion",
    Ability.REPORT: lambda _, did, __, ___: "Went out" if did else "Stayed in",
    Ability.ROLE_WATCH: lambda roles, _, came, __: (
        ", ".join(sorted(rolecop_name(roles[slot]) for slot in {act.actor for act in came})) or NOBODY
    ),
}
"""What each sight has to say of what its target did, and of what others did to it."""


# ── That the nights have everything. ──────────────────────────────────────────────────────────────────────


def test_every_word_of_the_catalog_is_dealt() -> None:
    dealt = " ".join(role.name for role in cards())
    assert [
        entry.name for entry in CATALOG if entry not in (X_SHOT, NIGHT_X) and entry.name not in dealt
    ] == []
    assert "2-Shot" in dealt
    asked = {one for role in cards() for modifiers in role.modifiers.values() for one in modifiers}
    assert asked == set(Modifier)


def test_everything_that_the_laws_are_about_happens() -> None:
    happened: set[str] = set()
    fates: set[Fate] = set()
    for chance, sent in nights(0, 2_000):
        _, found = ruled(chance, sent)
        happened |= {act.ability for act in _happened(found.night.trace)}
        fates |= {note.fate for note in found.night.trace}
    assert happened == set(map(str, AIMS)) - BY_DAY
    assert fates >= {Fate.STOOD, Fate.ABSORBED, Fate.BLOCKED, Fate.REJECTED}
