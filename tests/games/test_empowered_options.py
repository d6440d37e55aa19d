"""Every option of Empowered Mafia: what changes in a night, a win, a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from facts_seen import seen
from knightfall.engine.game import noted
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.empowered import (
    EMPOWERED,
    OPTIONS,
    EmpoweredPosition,
    Phase,
    parse_options,
    resolve,
    winner,
)
from knightfall.mafia.night import Answer
from knightfall.mafia.wins import Count
from knightfall.sentence import SlotId
from tin_valley import NOON, act, at, close, codes, dusk, say, sent, stands


def night(lines: str, **options: object) -> str:
    """What a night comes to, in one line: the dead, the results, the stopped, the rejected, the lost."""
    sent_lines = [act(line) for line in lines.split(", ")]
    position = dusk(options)
    ordered = EmpoweredPosition(
        position.roles, 1, rules=position.rules, arrival={a: n for n, a in enumerate(sent_lines)}
    )
    found = resolve(ordered, sent_lines)
    parts = [
        "dead " + " ".join(death.slot for death in found.night.deaths),
        *(f"{r.action.actor}={answer(r.answer)}" for r in found.night.results),
        *(f"stopped {note.action.actor}" for note in found.night.blocked),
        *(f"rejected {note.action.actor}:{note.action.ability}" for note in found.night.rejected),
        *(f"lost {slot}" for slot in sorted(found.lost)),
    ]
    return "; ".join(part.strip() for part in parts)


def answer(told: Answer | None) -> str:
    return told if isinstance(told, str) else "+".join(told) if told else "-"


NIGHTS = [
    ("em_r1", "always", "Fen incarcerate Ada, Ada empower Onyx, Onyx investigate Elm", "dead; Onyx=Mafia"),
    ("em_r1", "always", "Elm murder Rook, Ada empower Moth, Moth incarcerate Rook", "dead"),
    ("em_r2", "one_action", "Fen murder Rook, Fen incarcerate Ada", "dead; rejected Fen:murder"),
    (
        "em_r3",
        "snapshot",
        "Ada empower Iris, Iris amplify Juniper Rook, Juniper amplify Onyx Quill, Onyx investigate Elm",
        "dead; Onyx=-",
    ),
    ("em_r4", "allowed", "Ada empower Onyx, Onyx investigate Onyx", "dead; Onyx=Town"),
    ("em_r5", "does_not_count", "Ada empower Hollis, Rook track Hollis", "dead Ada; Rook=-"),
    ("em_r10", "cancelled", "Fen incarcerate Elm, Elm murder Rook", "dead; stopped Elm"),
    ("em_r12", "consumed", "Fen incarcerate Gale, Gale incarcerate Rook", "dead; stopped Gale; lost Gale"),
    ("em_r14", "unseen", "Ada empower Hollis, Gale incarcerate Hollis +invisible", "dead Ada; lost Gale"),
    (
        "em_r15",
        "one_kill",
        "Ada empower Kestrel, Kestrel protect Rook, Fen murder Rook, Boro empower Umber, Umber vig Rook",
        "dead Rook",
    ),
    (
        "em_r17",
        "one_drawn",
        "Ada empower Willow, Fen murder Willow, Boro empower Umber, Umber vig Willow",
        "dead Fen Willow",
    ),
    (
        "em_r20",
        "withheld",
        "Ada empower Onyx, Onyx investigate Elm, Fen murder Onyx",
        "dead Onyx; Onyx=-",
    ),
    ("em_r21", "no_result", "Onyx investigate Elm", "dead; Onyx=No Result"),
    ("em_r22", "listed", "Ada empower Sable, Sable stakeout Rook", "dead; Sable=Sable"),
    (
        "em_r33",
        "on_a_way",
        "Ada empower Iris, Boro empower Juniper, Iris amplify Juniper Onyx, Juniper amplify Moth Nettle, "
        "Moth incarcerate Juniper, Nettle incarcerate Iris, Onyx investigate Elm",
        "dead; Onyx=Mafia; stopped Nettle; stopped Moth",
    ),
    ("ring", "all_hold", "Fen incarcerate Gale, Gale incarcerate Fen, Hollis murder Gale", "dead; lost Gale"),
    ("ring", "first_sent", "Gale incarcerate Fen, Fen incarcerate Gale", "dead; stopped Fen; lost Gale"),
]


@pytest.mark.parametrize(
    ("option", "value", "lines", "expected"), NIGHTS, ids=[f"{n[0]}-{n[1]}-{i}" for i, n in enumerate(NIGHTS)]
)
def test_an_option_changes_the_night(option: str, value: str, lines: str, expected: str) -> None:
    assert night(lines, **{option: value}) == expected
    assert night(lines) != expected


def test_which_killer_a_bomb_attacks_is_drawn() -> None:
    lines = [("Ada", "empower Willow"), ("Fen", "murder Willow"), ("Boro", "empower Umber")]
    state = sent(at(em_r17="one_drawn"), *lines, ("Umber", "shoot Willow"))
    dead = {tuple(close(state, "night", bytes([seed])).state.left) for seed in range(12)}
    assert dead == {("Fen", "Willow"), ("Umber", "Willow")}
    order = ["Umber", *(slot for slot in state.slots if slot != "Umber")]
    dice = ScriptedRng([("em.bomb", order)], SeededRng(b""))
    assert list(EMPOWERED.close(state, "night", NOON, dice).state.left) == ["Umber", "Willow"]
    everyone = close(sent(at(), *lines, ("Umber", "shoot Willow")), "night").state
    assert list(everyone.left) == ["Fen", "Umber", "Willow"]


def test_whose_kill_on_a_bomb_one_protection_stops_is_drawn() -> None:
    lines = (
        "Ada empower Willow, Boro empower Umber, Fen murder Willow, Umber vig Willow, Cinder empower Kestrel"
    )
    sent_lines = [act(line) for line in (*lines.split(", "), "Kestrel protect Willow")]

    def dead(seed: int, **options: object) -> tuple[str, ...]:
        position = dusk({"em_r15": "one_kill", **options})
        nights = [
            resolve(position, some, SeededRng(b"%d" % seed)).night for some in (sent_lines, sent_lines[::-1])
        ]
        assert nights[0] == nights[1]
        assert len(nights[0].lots) == (not options)
        return tuple(death.slot for death in nights[0].deaths)

    assert {dead(seed) for seed in range(20)} == {("Fen", "Willow"), ("Umber", "Willow")}
    assert {dead(seed, ties="by_name") for seed in range(20)} == {("Umber", "Willow")}
    dice = ScriptedRng([("em.stopped:Willow", "Umber")], SeededRng(b""))
    found = resolve(dusk({"em_r15": "one_kill"}), sent_lines, dice).night
    assert [death.slot for death in found.deaths] == ["Fen", "Willow"]
    assert found.lots[0].among == ("Fen", "Umber")


@pytest.mark.parametrize(
    ("option", "value", "count", "default", "changed"),
    [
        ("em_r24", "draw", Count(0, 0), "mafia", "draw"),
        ("em_r24", "draw", Count(1, 1), "mafia", "mafia"),
        ("em_r25", "nobody", Count(1, 0), "town", "draw"),
        ("em_r25", "nobody", Count(2, 1), "town", "town"),
    ],
)
def test_an_option_changes_who_has_won(
    option: str, value: str, count: Count, default: str, changed: str
) -> None:
    assert winner(count) == default
    assert winner(count, parse_options({option: value})) == changed


def test_of_two_murders_the_latest_or_the_first_stands() -> None:
    for value, carrier in (("latest", "Fen"), ("first", "Elm")):
        state = sent(at(em_r23=value), ("Elm", "murder Ada"))
        assert stands(say(state, "Fen", "murder Ada").state) == [f"{carrier} murder Ada"]


def test_a_tie_hurts_the_town_or_is_drawn_from_all() -> None:
    def falls(value: str, names: str) -> set[tuple[str, ...]]:
        day = say(at(Phase.DAY, em_r26=value), None, f"tie {names}").state
        return {tuple(close(day, "day", bytes([seed])).state.left) for seed in range(40)}

    assert falls("anti_town", "Elm, Rook, no elimination") == {()}
    assert falls("anti_town", "Elm, Rook") == {("Rook",)}
    assert falls("uniform", "Elm, Rook, no elimination") == {(), ("Elm",), ("Rook",)}


def test_a_phase_may_end_early_or_never() -> None:
    early = NOON + timedelta(hours=1)
    for phase, kind in ((Phase.DAY, "day"), (Phase.NIGHT, "night")):
        free = replace(at(phase), since=NOON, decision=None)
        bound = replace(at(phase, em_r27="never"), since=NOON)
        if phase is Phase.DAY:
            free, bound = (say(state, None, "no elimination").state for state in (free, bound))
        step = close(free, kind, when=early)
        assert step.refused == ()
        assert "EM-R27" in [seen(note.facts).get("ruling") for note in noted(step.events)]
        assert codes(close(bound, kind, when=early)) == ["TOO_EARLY"]
        late = close(bound, kind, when=NOON + timedelta(hours=72))
        assert "EM-R27" not in [seen(note.facts).get("ruling") for note in noted(late.events)]
        assert late.refused == ()


def test_a_night_that_all_agree_to_end_is_no_caution() -> None:
    state = replace(at(Phase.NIGHT, "Elm", "Fen", "Ada", "Boro", "Rook"), since=NOON)
    ready = sent(state, *((name, "ready") for name in ("Elm", "Fen", "Ada", "Boro")))
    step = say(ready, "Rook", "ready", when=NOON + timedelta(hours=1))
    assert (step.state.phase, step.state.since) == (Phase.DAY, NOON + timedelta(hours=1))
    assert [note.kind for note in noted(step.events)] == ["moderator_night"]


def test_a_day_without_a_decision_waits_or_ends_without_an_elimination() -> None:
    assert codes(close(at(Phase.DAY), "day")) == ["UNDECIDED"]
    step = close(at(Phase.DAY, em_r28="no_elimination"), "day")
    assert (step.refused, step.state.phase, step.state.left) == ((), Phase.NIGHT, {})
    decided = say(at(Phase.DAY, em_r28="no_elimination"), None, "eliminate Rook").state
    assert list(close(decided, "day").state.left) == ["Rook"]


@pytest.mark.parametrize(("value", "day"), [("72_24", 72), ("48_24", 48)])
def test_days_have_their_length(value: str, day: int) -> None:
    state = replace(at(Phase.DAY, phases=value), since=NOON)
    assert EMPOWERED.windows(state)[0].closes == NOON + timedelta(hours=day)


def test_first_sent_follows_the_order_of_arrival_by_message() -> None:
    for first, second in (("Fen", "Gale"), ("Gale", "Fen")):
        state = sent(
            at(ring="first_sent"), (first, f"incarcerate {second}"), (second, f"incarcerate {first}")
        )
        killed = sent(state, ("Elm", f"murder {second}"), ("Hollis", f"murder {second}"))
        assert SlotId(second) not in close(killed, "night").state.left
        killed = sent(state, ("Hollis", f"murder {first}"))
        assert SlotId(first) in close(killed, "night").state.left


def test_every_option_is_named_by_its_ruling_and_flipped_in_a_test_here() -> None:
    for option in OPTIONS:
        assert option.name in (option.ruling.lower().replace("-", "_"), "phases", "ring", "ties")
        assert len(option.values) == len(set(option.values)) >= 2
    elsewhere = {"ties", "em_r23", "em_r24", "em_r25", "em_r26", "em_r27", "em_r28", "phases"}
    assert {option.name for option in OPTIONS} == {entry[0] for entry in NIGHTS} | elsewhere
