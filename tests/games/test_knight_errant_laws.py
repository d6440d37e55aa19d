"""Laws of every night of Knight-Errant, whatever is sent."""

from __future__ import annotations

from functools import partial
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.crowd import crowd
from growth import LINEAR, TIMES, growth
from knightfall.games.knight_errant import OPTIONS, ROLES, Ability, KnightErrantPosition, resolve
from knightfall.games.knight_errant.abilities import REPORTS, TARGETS
from knightfall.mafia.night import NO_RESULT, Action, Answer, Fate, Night
from knightfall.sentence import SlotId
from salt_harbour import CAST, EXTRAS, NAMES, act, dusk

Uses = dict[str, dict[str, int]]
ABILITIES = tuple(Ability)
anyone = st.sampled_from(NAMES)


def legal(actor: SlotId) -> st.SearchStrategy[Action]:
    """An action that the actor's card has, at anybody."""
    abilities = [ability for ability in ROLES[CAST[actor]].abilities if ability != "bulletproof"]
    return st.one_of(
        [
            st.tuples(*(anyone,) * TARGETS[ability]).map(partial(Action, actor, ability))
            for ability in abilities or ["watch"]
        ]
    )


actions_of_a_night = st.lists(st.one_of([*map(legal, NAMES)]), max_size=14, unique=True)
nonsense = st.lists(
    st.builds(
        Action,
        st.one_of(anyone, st.text(max_size=5).map(SlotId)),
        st.one_of(st.sampled_from(ABILITIES), st.text(max_size=9)),
        st.lists(st.one_of(anyone, st.text(max_size=3).map(SlotId)), max_size=3).map(tuple),
    ),
    max_size=12,
)
some_options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in OPTIONS})
shots = st.dictionaries(st.sampled_from(ABILITIES), st.integers(0, 2)).map(
    lambda uses: {"Hollis": {**EXTRAS, **uses}}
)
many = settings(max_examples=max(30, settings().max_examples))
"""In thirty random nights hardly an action is stopped."""


@many
@given(actions_of_a_night, st.randoms(), st.integers(1, 4), some_options, shots)
def test_the_order_of_the_actions_changes_nothing(
    sent: list[Action], random: Random, number: int, options: dict[str, str], uses: Uses
) -> None:
    position = dusk(number, uses, options)
    shuffled = random.sample(sent, len(sent))
    assert resolve(position, shuffled) == resolve(position, sent)


@many
@given(actions_of_a_night, st.permutations(NAMES), shots)
def test_renaming_the_players_renames_the_answer(
    sent: list[Action], others: list[SlotId], uses: Uses
) -> None:
    """Two lines for one slot are ordered by name, so here each slot sends one line at most."""
    single = list({action.actor: action for action in sent if action.ability != "mafia_kill"}.values())
    new = dict(zip(NAMES, others, strict=True))
    position = dusk(2, uses)
    renamed = KnightErrantPosition(
        {new[n]: r for n, r in position.roles.items()}, 2, {new[n]: u for n, u in position.shots.items()}
    )
    moved = [Action(new[a.actor], a.ability, tuple(new[t] for t in a.targets)) for a in single]
    assert facts(resolve(renamed, moved), {n: n for n in NAMES}) == facts(resolve(position, single), new)


def facts(night: Night, names: dict[SlotId, SlotId]) -> object:
    """The night with other names, and nothing that depends on their alphabet."""

    def line(action: Action) -> tuple[object, ...]:
        return names[action.actor], action.ability, tuple(names[t] for t in action.targets)

    def answer(found: Answer | None) -> object:
        assert found is not None
        return found if isinstance(found, str) else frozenset(names[n] for n in found)

    return (
        {names[death.slot] for death in night.deaths},
        {(line(result.action), answer(result.answer)) for result in night.results},
        {(line(note.action), note.fate, note.reason) for note in night.trace if note.fate is not Fate.STOOD},
        {(names[slot], tuple(sorted(uses.items()))) for slot, uses in night.spent.items()},
    )


@many
@given(actions_of_a_night, anyone, some_options)
def test_a_strong_kill_always_kills(sent: list[Action], victim: SlotId, options: dict[str, str]) -> None:
    rest = [action for action in sent if action.ability != "strong_kill"]
    if victim != "Hollis":
        night = resolve(dusk(2, options=options), [*rest, act(f"Hollis strong_kill {victim}")])
        assert victim in {death.slot for death in night.deaths}


@many
@given(actions_of_a_night, shots)
def test_no_result_means_blocked_and_blocked_means_no_result(sent: list[Action], uses: Uses) -> None:
    night = resolve(dusk(2, uses), sent)
    empty = {result.action for result in night.results if result.answer == NO_RESULT}
    assert empty == {note.action for note in night.blocked if note.action.ability in REPORTS}


@given(nonsense, st.integers(1, 9), some_options)
def test_resolving_never_raises_and_notes_every_line(
    sent: list[Action], number: int, options: dict[str, str]
) -> None:
    night = resolve(dusk(number, options=options), sent)
    assert sorted(note.action for note in night.trace) == sorted(sent)
    assert all(note.ruling.startswith("KE-R") for note in night.trace)


@many
@given(actions_of_a_night, shots)
def test_who_dies_was_hit_and_who_was_hit_dies(sent: list[Action], uses: Uses) -> None:
    night = resolve(dusk(2, uses), sent)
    for death in night.deaths:
        assert any(note.fate is Fate.STOOD for note in death.attacks)
    for saved in night.survived:
        assert all(note.fate in (Fate.BLOCKED, Fate.ABSORBED) for note in saved.attacks)


def test_a_night_takes_as_long_as_it_has_actions() -> None:
    lines = """Cinder jail Quill, Ada heal Iris, Boro track Elm, Gale cop Fen, Fen roleblock Gale,
    Dusk_77 watch Iris, Elm mafia_kill Iris, Hollis strong_kill Rook, Hollis watch Iris"""
    sent = [act(line) for line in lines.split(",")]
    nights = {casts: crowd(dusk(), sent, casts) for casts in (1, TIMES)}
    assert growth(lambda casts: resolve(*nights[casts]), 1) < LINEAR
