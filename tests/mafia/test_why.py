"""Why: from a fate down to its root."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from knightfall.cli.format_night import format_explanation
from knightfall.errors import InputError
from knightfall.mafia.explain_night import why, why_steps
from knightfall.mafia.night_file import NightFile
from knightfall.services.night_file import parse_night
from mafia.night_files import COPPER_LANE, SALT_HARBOUR, nights


def told(name: str, night: NightFile) -> str:
    return re.sub(r"\s+", " ", format_explanation(why(name, night)))


def night(roles: str, actions: str) -> NightFile:
    """`Ada Town Doctor; …` and `Ada heal Boro; …`."""
    cards = "\n".join('{} = "{}"'.format(*part.strip().split(" ", 1)) for part in roles.split(";"))
    lines = "\n".join('{} = "{}"'.format(*part.strip().split(" ", 1)) for part in actions.split(";"))
    return parse_night("n.toml", f'kind = "knight_errant"\nnight = 2\n[roles]\n{cards}\n[actions]\n{lines}\n')


def test_a_failed_kill_leads_through_the_jail_to_its_root() -> None:
    text = told(
        "Fen", night("Ada Town Jailkeeper; Fen Mafia Goon; Boro Town Cop", "Ada jail Fen; Fen kill Boro")
    )
    assert "Fen's kill of Boro failed: Fen is jailed by Ada (KE-R1)." in text
    assert "Ada's jail of Fen held: nobody roleblocked Ada, and Fen did not commute (KE-R1)." in text


def test_a_roleblock_on_the_jailer_is_told_to_change_nothing() -> None:
    roles = "Ada Town Jailkeeper; Fen Mafia Goon; Gale Mafia Roleblocker; Boro Town Cop"
    text = told("Fen", night(roles, "Ada jail Fen; Fen kill Boro; Gale roleblock Ada"))
    assert "Gale roleblocked Ada, but that does not open a jail (KE-R4)" in text


def test_a_victim_learns_why_nobody_saved_him() -> None:
    roles = "Ada Town Doctor; Fen Mafia Goon; Gale Mafia Roleblocker; Boro Town Cop"
    text = told("Boro", night(roles, "Ada heal Boro; Fen kill Boro; Gale roleblock Ada"))
    assert "Boro died. Fen's kill of Boro landed: nothing stopped it (KE-R15)." in text
    assert "Ada's heal of Boro failed: Ada is roleblocked by Gale (KE-R1)." in text
    assert "Gale's roleblock of Ada held" in text


def test_an_answer_names_what_was_seen() -> None:
    text = told("Hollis", SALT_HARBOUR)
    assert "Hollis was told “Ada, Elm” for watch Juniper (KE-R31). Elm's kill of Juniper was seen" in text
    assert "not taken: “heal Rook”: NO_SHOTS" in text
    assert "Gale was told “No Result” for cop Hollis: it did not get through (KE-R26)" in told(
        "Gale", SALT_HARBOUR
    )


def test_power_is_followed_to_the_empowerer_and_the_paradox() -> None:
    text = told("Lumen", COPPER_LANE)
    chain = (
        "Kestrel's murder",
        "Boro's protection",
        "Ada's amplifying",
        "Hollis's amplifying",
        "Dusk_77's empowering",
    )
    places = [text.index(part) for part in chain]
    assert places == sorted(places)
    assert "if it held, Gale would not have the power that it needs, so it undid itself (EM-R33)" in text
    assert "Kestrel's murder of Lumen was invisible (EM-R14)" in told("Iris", COPPER_LANE)


def test_who_did_nothing_is_told_so() -> None:
    assert told("Fen", COPPER_LANE).endswith("Fen lived: nobody tried to kill Fen. Fen sent nothing.")


def test_a_name_that_is_nobodys_is_refused() -> None:
    with pytest.raises(InputError, match=r"No living player is called “Wren”\. Alive: Ada, Boro"):
        why("Wren", COPPER_LANE)


@given(nights())
def test_every_chain_ends_and_tells_every_own_action_and_attack(some: NightFile) -> None:
    for slot in some.roles:
        steps = why_steps(slot, some)
        assert len(steps) < 100
        assert all(step.depth <= len(some.roles) + 2 for step in steps)
        assert "nobody had" not in " ".join(step.text for step in steps)
