"""Names of roles, policies and knobs are matched as everywhere, and unknown ones are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import run
from knightfall.errors import InputError
from knightfall.services.balance import balance_of, compared
from knightfall.services.requests import BalanceRequest
from knightfall.simulation.families import family_of
from knightfall.simulation.policies import parse_policy
from knightfall.simulation.run import Question, play_chunk

GAMES = 4_000


def kiln(*roles: str) -> dict[str, Any]:
    """Two Goons, these roles and Vanilla Townies."""
    slots = [{"role": "Mafia Goon", "count": 2}, *({"role": role} for role in roles)]
    return {"schema": 1, "name": "Kiln", "slots": [*slots, {"role": "Vanilla Townie", "fill": True}]}


def town(setup: dict[str, Any], *insane: str) -> int:
    question = Question("custom_mafia", {"setup": setup}, 9, "follow-the-claims", insane)
    return play_chunk(question, 5, 0, GAMES).won["town"]


@pytest.mark.few(2)
@pytest.mark.parametrize("said", ["Town Cop", "town cop", "Cop", "cop", "TOWN-COP", " cop "])
def test_an_insane_role_is_meant_by_every_way_to_write_it(said: str) -> None:
    setup = kiln("Town Cop")
    assert town(setup, said) == town(setup, "Town Cop") < town(setup) - GAMES / 10


@pytest.mark.parametrize(
    ("roles", "said", "meant"),
    [
        (("Town 2-Shot Cop",), "Cop", "Town 2-Shot Cop"),
        (("Town Cop", "Mafia Cop"), "Cop", "Town Cop"),
        (("Town Cop", "Mafia Cop"), "mafia cop", "Mafia Cop"),
        (("Town Odd-Night Cop", "Town Even-Night Cop"), "odd cop", "Town Odd-Night Cop"),
        (("Town Gunsmith", "Town Weak Rolecop"), "role cop", "Town Weak Rolecop"),
        (("Town Mason Cop", "Town Doctor"), "mason", "Town Mason Cop"),
    ],
)
def test_some_words_of_a_role_are_enough_where_one_role_has_them(
    roles: tuple[str, ...], said: str, meant: str
) -> None:
    assert family_of("custom_mafia", {"setup": kiln(*roles)}, 9).checker(said) == meant


@pytest.mark.parametrize(
    ("roles", "said", "told"),
    [
        (("Town Cop",), "Bogus", "there is no “Bogus”; the nearest is"),
        (("Town Cop",), "Coop", "the nearest is Cop"),
        (("Town Cop",), "Gunsmith", "it is not in this game. Roles with a check: Town Cop."),
        ((), "Cop", "it is not in this game. No role there has a check."),
        (("Town Cop",), "Mafia Cop", "it is not in this game. Roles with a check: Town Cop."),
        (("Town Doctor", "Town Cop"), "Doctor", "Town Doctor checks nobody"),
        (
            ("Town 1-Shot Cop", "Town 2-Shot Cop"),
            "Cop",
            "it may be Town 1-Shot Cop or Town 2-Shot Cop. Write the name in full.",
        ),
        (("Town Cop",), "", "Role “”"),
    ],
)
def test_an_insane_role_that_is_none_or_several_is_refused(
    roles: tuple[str, ...], said: str, told: str
) -> None:
    with pytest.raises(InputError, match="Role") as refusal:
        town(kiln(*roles), said)
    assert told in str(refusal.value)


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "players"), [("knight_errant", 18), ("empowered", 13)])
def test_cops_of_the_other_mafia_games_can_be_insane_too(game: str, players: int) -> None:
    sane, insane = (
        play_chunk(Question(game, {}, players, "follow-the-claims", roles), 5, 0, GAMES)
        for roles in ((), ("cop",))
    )
    assert insane.won["town"] < sane.won["town"]
    with pytest.raises(InputError, match="Role “Bogus”"):
        family_of(game, {}, players, ("Bogus",))


def test_a_code_without_a_cop_has_no_insane_one() -> None:
    with pytest.raises(InputError, match="it is not in this game"):
        family_of("knight_errant", {"setup": "A1-RD"}, 18, ("Town Cop",))


def test_where_two_setups_are_compared_one_of_them_has_to_have_the_insane_role() -> None:
    one, other = (BalanceRequest(kiln(*roles), 9, 500, "follow-the-claims") for roles in (("Town Cop",), ()))
    lying = BalanceRequest(kiln("Town Cop"), 9, 500, "follow-the-claims", insane=("cop",))
    found = compared(lying, BalanceRequest(kiln(), 9, 500, "follow-the-claims", insane=("cop",)))
    plain = compared(one, other)
    assert found.first.sides != plain.first.sides
    assert found.second.sides == plain.second.sides
    with pytest.raises(InputError, match="Bogus"):
        compared(
            BalanceRequest(kiln(), 9, 500, insane=("Bogus",)),
            BalanceRequest(kiln(), 9, 500, insane=("Bogus",)),
        )


def test_the_verb_refuses_an_unknown_role_with_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "kiln.toml"
    file.write_text(
        'schema = 1\nname = "Kiln"\nslots = [{role = "Mafia Goon"}, {role = "Town Cop"}, '
        '{role = "Vanilla Townie", fill = true}]\n',
        encoding="utf-8",
    )
    asked = ("balance", str(file), "--games", "50", "--workers", "1", "--insane")
    done = run(*asked, "Bogus")
    assert isinstance(done.exception, InputError)
    assert done.exception.exit_status == 2
    assert "the nearest is" in str(done.exception)
    assert run(*asked, "cop").exit_code == 0


@pytest.mark.parametrize(
    ("written", "name", "knobs"),
    [
        ("Follow-The-Claims", "follow-the-claims", {}),
        ("follow", "follow-the-claims", {}),
        ("follow_the_claims:Noise=3", "follow-the-claims", {"noise": 3}),
        ("SUSPICION:BUS=1", "suspicion", {"bus": 1}),
        ("random:kills-from=2", "random", {"kills_from": 2}),
    ],
)
def test_policies_and_knobs_are_matched_as_names_are(
    written: str, name: str, knobs: dict[str, float]
) -> None:
    [(_, policy)] = parse_policy(written)
    assert policy.name == name
    assert policy.knob.items() >= knobs.items()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("followers", "There is no policy “followers”; did you mean “follow-the-claims”?"),
        ("random:iddle=0.5", "no knob “iddle”; did you mean “idle”?"),
        ("suspicion:no=3", "no knob “no”"),
    ],
)
def test_an_unknown_policy_or_knob_is_refused_with_the_nearest(written: str, told: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_policy(written)
    assert told in str(refusal.value)


def test_the_answer_is_the_same_however_the_role_is_written() -> None:
    one, other = (
        balance_of(BalanceRequest(kiln("Town Cop"), 9, 300, "follow-the-claims", insane=(said,)))
        for said in ("cop", "Town Cop")
    )
    assert one.to_dict() == other.to_dict()
