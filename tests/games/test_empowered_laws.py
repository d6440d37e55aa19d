"""Laws of every night of Empowered Mafia, whatever is sent."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.crowd import crowd
from growth import LINEAR, TIMES, growth
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games.empowered import EMPOWERED, OPTIONS, ROLES, EmpoweredNight, EmpoweredPosition, resolve
from knightfall.games.empowered.abilities import TARGETS, Ability
from knightfall.mafia.night import Action, Answer, Fate, Reason
from knightfall.sentence import SlotId
from tin_valley import CAST, NAMES, act, dusk

anyone = st.sampled_from(NAMES)
ACTIVE = tuple(slot for slot, role in CAST.items() if ROLES[role].abilities)
EXTRAS = st.sampled_from(((), ("invisible",), ("obliterate",), ("invisible", "obliterate")))


def sendable(actor: SlotId) -> st.SearchStrategy[Action]:
    """An action that the actor's role has, at anybody, with extras that he may or may not have."""
    return st.one_of(
        [
            st.builds(
                Action,
                st.just(actor),
                st.just(str(ability)),
                st.tuples(*(anyone,) * TARGETS[ability]),
                EXTRAS if CAST[actor] == "Ninja" else st.just(()),
            )
            for ability in sorted(ROLES[CAST[actor]].abilities)
        ]
    )


actions_of_a_night = st.lists(st.one_of([*map(sendable, ACTIVE)]), max_size=18, unique=True)
nonsense = st.lists(
    st.builds(
        Action,
        st.one_of(anyone, st.text(max_size=5).map(SlotId)),
        st.one_of(st.sampled_from(tuple(Ability)), st.text(max_size=9)),
        st.lists(st.one_of(anyone, st.text(max_size=3).map(SlotId)), max_size=3).map(tuple),
        st.lists(st.sampled_from(("invisible", "obliterate", "loud")), max_size=2).map(tuple),
    ),
    max_size=14,
)
some_options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in OPTIONS})
ninjas_spent = st.sampled_from(((), ("Gale",)))
many = settings(max_examples=max(30, settings().max_examples))
"""In thirty random nights hardly an action is stopped."""


@many
@given(actions_of_a_night, st.randoms(), some_options, ninjas_spent)
def test_the_order_of_the_actions_changes_nothing(
    sent: list[Action], random: Random, options: dict[str, str], lost: tuple[str, ...]
) -> None:
    position = dusk(options, lost)
    shuffled = random.sample(sent, len(sent))
    assert resolve(position, shuffled) == resolve(position, sent)


@many
@given(actions_of_a_night, st.permutations(NAMES), ninjas_spent)
def test_renaming_the_players_renames_the_answer(
    sent: list[Action], others: list[SlotId], lost: tuple[str, ...]
) -> None:
    """Two lines for one slot are ordered by name, so here each slot sends one line and one carries."""
    single = list({action.actor: action for action in sent}.values())
    murders = [action for action in single if action.ability == "murder"]
    single = [action for action in single if action not in murders[1:]]
    new = dict(zip(NAMES, others, strict=True))
    position = dusk(lost=lost)
    renamed = EmpoweredPosition(
        {new[n]: r for n, r in position.roles.items()}, 1, frozenset(new[n] for n in position.lost)
    )
    moved = [a._replace(actor=new[a.actor], targets=tuple(new[t] for t in a.targets)) for a in single]
    assert facts(resolve(renamed, moved), {n: n for n in NAMES}) == facts(resolve(position, single), new)


def facts(found: EmpoweredNight, names: dict[SlotId, SlotId]) -> object:
    """The night with other names, and nothing that depends on their alphabet."""

    def line(action: Action) -> tuple[object, ...]:
        return names[action.actor], action.ability, tuple(names[t] for t in action.targets), action.options

    def answer(told: Answer | None) -> object:
        return told if isinstance(told, str | None) else frozenset(names[n] for n in told)

    return (
        {names[death.slot] for death in found.night.deaths},
        {(line(result.action), answer(result.answer)) for result in found.night.results},
        {(line(note.action), note.fate, note.reason) for note in found.night.trace},
        *({names[slot] for slot in group} for group in (found.powered, found.incarcerated, found.lost)),
    )


@many
@given(actions_of_a_night, anyone, some_options)
def test_a_protection_never_adds_the_death_of_the_protected(
    sent: list[Action], saved: SlotId, options: dict[str, str]
) -> None:
    rest = [action for action in sent if action.actor != "Kestrel"]
    shield = act(f"Kestrel protect {saved}")
    for power in ([], [act("Ada empower Kestrel")]):
        others = [action for action in rest if not power or action.actor != "Ada"]
        before = {death.slot for death in resolve(dusk(options), [*others, *power]).night.deaths}
        after = {death.slot for death in resolve(dusk(options), [*others, *power, shield]).night.deaths}
        assert saved in before or saved not in after or saved == "Kestrel"


@many
@given(actions_of_a_night, anyone, some_options)
def test_an_obliterating_murder_kills_unless_it_is_cancelled(
    sent: list[Action], victim: SlotId, options: dict[str, str]
) -> None:
    calm = options | {"em_r1": "never"}
    for line in (f"Elm murder {victim}", f"Gale murder {victim} +obliterate"):
        murder = act(line)
        others = [a for a in sent if a.ability != "murder" and not (a.actor == "Gale" == murder.actor)]
        if dusk(calm).fault(murder) is None:
            found = resolve(dusk(calm), [*others, murder])
            (note,) = (note for note in found.night.trace if note.action == murder)
            stopped = note.reason == Reason.INCARCERATED
            assert stopped or victim in {death.slot for death in found.night.deaths}
            free = murder.actor not in found.incarcerated
            assert not stopped or not free
            assert not stopped or murder.actor == "Gale" or calm["em_r10"] == "cancelled"


@many
@given(actions_of_a_night, some_options)
def test_nothing_depends_on_an_action_that_was_cancelled(sent: list[Action], options: dict[str, str]) -> None:
    """Take a prisoner's other actions away, and the night is the same for everybody else (EM-R6)."""
    calm = options | {"em_r12": "kept"}
    found = resolve(dusk(calm), sent)
    gone = {
        note.action
        for note in found.night.blocked
        if note.reason == Reason.INCARCERATED
        and note.action.ability not in ("incarcerate", "empower", "amplify")
    }
    rejected = {note.action for note in found.night.rejected}
    again = resolve(dusk(calm), [action for action in sent if action not in gone | rejected])
    assert again.night.deaths == found.night.deaths
    assert again.night.visits == found.night.visits
    assert (again.powered, again.incarcerated) == (found.powered, found.incarcerated)


@given(nonsense, some_options)
def test_resolving_never_raises_and_notes_every_line(sent: list[Action], options: dict[str, str]) -> None:
    found = resolve(dusk(options), sent)
    submitted = sorted(note.action for note in found.night.trace if note.action.ability != "detonate")
    assert submitted == sorted(action for action in sent if action.ability != "detonate")
    assert all(note.ruling.startswith("EM-R") for note in found.night.trace)


@many
@given(actions_of_a_night, some_options)
def test_who_dies_was_hit_and_who_was_hit_dies(sent: list[Action], options: dict[str, str]) -> None:
    found = resolve(dusk(options), sent)
    for death in found.night.deaths:
        assert any(note.fate is Fate.STOOD for note in death.attacks)
    for saved in found.night.survived:
        assert all(note.fate is Fate.ABSORBED for note in saved.attacks)


@many
@given(actions_of_a_night, ninjas_spent)
def test_adaptability_never_comes_back(sent: list[Action], lost: tuple[str, ...]) -> None:
    assert frozenset(lost) <= resolve(dusk(lost=lost), sent).lost <= {"Gale"}


@given(st.integers(0, 10_000), st.sampled_from((5, 7, 11)), some_options)
def test_random_games_end_under_all_options_and_no_offered_line_is_refused(
    seed: int, players: int, options: dict[str, str]
) -> None:
    chosen = options | {"em_r27": "unanimous"}  # at random, minutes after the start, nobody keeps deadlines
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    playout = play(EMPOWERED, NAMES[:players], chosen, chance, draw)
    assert playout.ended
    assert playout.refused == ()


def test_a_night_takes_as_long_as_it_has_actions() -> None:
    lines = """Ada empower Iris, Boro empower Moth, Cinder empower Willow, Dusk_77 empower Hollis,
    Iris amplify Onyx Quill, Juniper amplify Rook Sable, Kestrel protect Rook, Lumen protect Ada,
    Moth incarcerate Fen, Nettle incarcerate Boro, Onyx investigate Elm, Pike investigate Fen,
    Quill track Umber, Rook track Elm, Sable stakeout Willow, Teal stakeout Rook,
    Umber vig Hollis, Vesper vig Elm, Elm murder Willow,
    Fen incarcerate Onyx, Gale incarcerate Quill +invisible"""
    sent = [act(line) for line in lines.split(",")]
    nights = {casts: crowd(dusk(), sent, casts) for casts in (1, TIMES)}
    assert growth(lambda casts: resolve(*nights[casts]), 1) < LINEAR
