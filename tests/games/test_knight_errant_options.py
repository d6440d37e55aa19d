"""Every option of Knight-Errant: what changes in a night or a win."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from knightfall.engine.rng import Rng, ScriptedRng, SeededRng
from knightfall.games.knight_errant import OPTIONS, ROLES, parse_options, resolve, winner
from knightfall.games.knight_errant.rules import stalemate
from knightfall.mafia.night import Answer
from knightfall.mafia.wins import Count
from salt_harbour import EXTRAS, act, dusk


def night(lines: str, **options: object) -> str:
    """What a night comes to, in one line: the dead, the results, the blocked, the rejected, the uses."""
    return told(lines, 2, **options)


def in_a_line(answer: Answer | None) -> str:
    assert answer is not None
    return answer if isinstance(answer, str) else "+".join(answer)


def told(lines: str, number: int, **options: object) -> str:
    shots = {"Hollis": {**EXTRAS, "bulletproof": 1, "immunity": 1}}
    came = resolve(dusk(number, shots, options), [act(line) for line in lines.split(", ")])
    parts = [
        "dead " + " ".join(death.slot for death in came.deaths),
        *(f"{r.action.actor}={in_a_line(r.answer)}" for r in came.results),
        *(f"blocked {note.action.actor}:{note.action.ability}" for note in came.blocked),
        *(f"rejected {note.action.actor}:{note.action.ability}" for note in came.rejected),
        *(f"spent {slot}:{ability}" for slot, uses in came.spent.items() for ability in uses),
    ]
    return "; ".join(part.strip() for part in parts)


NIGHTS = [
    (
        "ke_r2",
        "chain",
        "Fen roleblock Moth, Moth roleblock Elm, Elm mafia_kill Juniper",
        "dead Juniper; blocked Moth:roleblock",
    ),
    ("ke_r2", "chain", "Fen roleblock Moth, Moth roleblock Fen", "dead"),
    (
        "ke_r2",
        "chain",
        "Cinder jail Hollis, Hollis jail Ada, Ada heal Quill",
        "dead; blocked Hollis:jail; spent Hollis:jail",
    ),
    (
        "ke_r5",
        "works",
        "Cinder jail Fen, Fen roleblock Gale, Gale cop Elm",
        "dead; Gale=No Result; blocked Gale:cop; spent Gale:cop",
    ),
    ("commute_stops_own_actions", True, "Hollis commute, Hollis kill Quill", "dead; spent Hollis:commute"),
    ("ke_r7", "cancelled", "Hollis jail Quill, Hollis kill Quill", "dead; spent Hollis:jail"),
    ("ke_r11", "vest_first", "Ada heal Hollis, Elm mafia_kill Hollis", "dead; spent Hollis:bulletproof"),
    ("ke_r13", "activated", "Elm mafia_kill Hollis", "dead Hollis"),
    ("ke_r13", "activated", "Hollis bulletproof, Elm mafia_kill Hollis", "dead; spent Hollis:bulletproof"),
    (
        "ke_r16",
        "lost",
        "Elm mafia_kill Boro, Boro track Elm",
        "dead Boro; Boro=No Result; blocked Boro:track",
    ),
    ("ke_r18", "forbidden", "Elm mafia_kill Pike", "dead; rejected Elm:mafia_kill"),
    (
        "ke_r19",
        "two_actions",
        "Hollis heal Ada, Hollis track Ada",
        "dead; Hollis=nobody; spent Hollis:heal; spent Hollis:track",
    ),
    (
        "ke_r19",
        "two_actions",
        "Hollis heal Ada, Hollis track Ada, Hollis kill Quill",
        "dead Quill; rejected Hollis:track; spent Hollis:heal",
    ),
    (
        "ke_r19",
        "unlimited",
        "Hollis heal Ada, Hollis track Ada, Hollis kill Quill",
        "dead Quill; Hollis=nobody; spent Hollis:heal; spent Hollis:track",
    ),
    ("ke_r24", "refunded", "Moth roleblock Gale, Gale cop Elm", "dead; Gale=No Result; blocked Gale:cop"),
    ("ke_r25", "unlimited", "Gale cop Elm", "dead; Gale=Anti-Town"),
    (
        "ke_r28",
        "visit",
        "Cinder jail Quill, Elm mafia_kill Quill, Boro track Elm",
        "dead; Boro=Quill; blocked Elm:mafia_kill",
    ),
    (
        "ke_r28",
        "visit",
        "Moth roleblock Elm, Elm mafia_kill Quill, Boro track Elm",
        "dead; Boro=nobody; blocked Elm:mafia_kill",
    ),
    ("ke_r31", "listed", "Dusk_77 watch Quill", "dead; Dusk_77=Dusk_77"),
    ("ke_r34", "godfather_true", "Lumen gunsmith Pike", "dead; Lumen=True"),
    ("ke_r34", "godfather_true", "Lumen gunsmith Hollis", "dead; Lumen=True"),
    (
        "ke_r35",
        "one_check",
        "Gale cop Hollis, Lumen gunsmith Hollis",
        "dead; Gale=Town; Lumen=True; spent Gale:cop; spent Hollis:immunity",
    ),
    ("ke_r36", "allowed", "Gale cop Gale", "dead; Gale=Town; spent Gale:cop"),
]


@pytest.mark.parametrize(
    ("option", "value", "lines", "expected"), NIGHTS, ids=[f"{n[0]}-{n[1]}-{i}" for i, n in enumerate(NIGHTS)]
)
def test_an_option_changes_the_night(option: str, value: object, lines: str, expected: str) -> None:
    assert night(lines, **{option: value}) == expected


@pytest.mark.parametrize(("option", "value"), sorted({(n[0], n[1]) for n in NIGHTS}, key=str))
def test_by_default_some_night_of_the_option_goes_otherwise(option: str, value: object) -> None:
    nights = [(lines, expected) for name, of, lines, expected in NIGHTS if (name, of) == (option, value)]
    assert any(night(lines) != expected for lines, expected in nights)


def test_the_killers_watch_can_be_bound_to_even_nights() -> None:
    assert told("Hollis watch Quill", 3) == "dead; Hollis=nobody; spent Hollis:watch"
    assert told("Hollis watch Quill", 3, ke_r22="even_nights") == "dead; rejected Hollis:watch"


def test_the_killer_can_be_unarmed() -> None:
    options = parse_options({"ke_r34": "serial_killer_false"})
    assert "armed" not in options.roles["Serial Killer"].traits


def test_the_last_mafioso_can_be_given_both() -> None:
    for value, rejected in (("one_each", 1), ("last_may_do_both", 0)):
        whole = dusk(2, options={"ke_r17": value})
        alone = {
            slot: role for slot, role in whole.roles.items() if role.alignment != "mafia" or slot == "Fen"
        }
        position = type(whole)(alone, whole.night, whole.shots, whole.rules)
        came = resolve(position, [act("Fen mafia_kill Ada"), act("Fen roleblock Boro")])
        assert len(came.rejected) == rejected


def test_which_of_two_checks_an_immunity_for_one_misleads_is_drawn() -> None:
    sent = [act("Gale cop Hollis"), act("Lumen gunsmith Hollis")]

    def misled(source: Callable[[], Rng | None], **options: object) -> str:
        position = dusk(2, {"Hollis": {**EXTRAS, "immunity": 1}}, {"ke_r35": "one_check", **options})
        one, other = (resolve(position, lines, source()) for lines in (sent, sent[::-1]))
        assert one == other
        assert one.spent == {"Hollis": {"immunity": 1}, "Gale": {"cop": 1}}
        (found,) = (result.action.actor for result in one.results if result.answer in ("Town", "False"))
        return found

    assert {misled(partial(SeededRng, b"%d" % seed)) for seed in range(20)} == {"Gale", "Lumen"}
    for name in ("Gale", "Lumen"):
        assert misled(lambda: ScriptedRng([("ke.immunity:Hollis", name)], SeededRng(b""))) == name  # noqa: B023
    assert {misled(partial(SeededRng, b"%d" % seed), ties="by_name") for seed in range(20)} == {"Gale"}
    # One use for each of two checks: nothing is drawn.
    two = dusk(2, {"Hollis": {**EXTRAS, "immunity": 2}}, {"ke_r35": "one_check"})
    assert resolve(two, sent, ScriptedRng([], SeededRng(b""), frozenset({"ke.immunity"}))).lots == ()


@pytest.mark.parametrize(
    ("option", "value", "count", "default", "changed"),
    [
        ("ke_r37", "majority", Count(3, 3), "mafia", None),
        ("ke_r38", "one_on_one", Count(1, 0, 1), None, "sk"),
        ("ke_r38", "one_on_one", Count(1, 1, 1), None, None),
        ("ke_r38", "one_on_one_on_one", Count(1, 1, 1), None, "sk"),
        ("ke_r38", "one_on_one_on_one", Count(2, 0, 1), None, None),
    ],
)
def test_an_option_changes_who_has_won(
    option: str, value: str, count: Count, default: str | None, changed: str | None
) -> None:
    assert winner(count) == default
    assert winner(count, parse_options({option: value})) == changed


def test_a_stalemate_needs_two_and_no_strong_kill() -> None:
    last = [ROLES["Town Bulletproof"], ROLES["Serial Killer"]]
    assert stalemate(last, 0)
    assert not stalemate(last, 1)
    assert not stalemate([ROLES["Town Doctor"], ROLES["Serial Killer"]], 0)
    assert not stalemate([*last, ROLES["Town Mason"]], 0)


def test_every_option_is_named_by_its_ruling_and_has_a_choice() -> None:
    for option in OPTIONS:
        assert option.name in (option.ruling.lower().replace("-", "_"), "commute_stops_own_actions", "ties")
        assert len(option.values) == len(set(option.values)) >= 2
