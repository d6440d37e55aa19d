"""An ability of which nothing is said to simulations neither breaks `balance` nor escapes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from simulation.added_abilities import asked, copied
from simulation.chances import agrees, vanilla, with_power

GAMES = 2_000

PLAY = f"""
import json
from knightfall.simulation.run import Question, play_chunk

def told(players, mafia, *powers, policy="random", games={GAMES}):
    slots = [
        {{"role": "Mafia Goon", "count": mafia}},
        *({{"role": power, "count": 1 + ("Lover" in power)}} for power in powers),
        {{"role": "Vanilla Townie", "fill": True}},
    ]
    setup = {{"schema": 1, "name": "Quarry", "slots": slots}}
    counts = play_chunk(Question("custom_mafia", {{"setup": setup}}, players, policy), 23, 0, games)
    return [counts.won["town"], counts.nights, counts.traced]

"""
BULLETPROOF, SHIELDED = "Bulletproof", ("Quiet Bulletproof", "2-Shot Thick Bulletproof")
NINE = ("Vigilante", "Sniper", "Shy Vigilante", "Eavesdropper", BULLETPROOF, *SHIELDED)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("added"))


@pytest.fixture(scope="module")
def nine(copy: Path) -> Mapping[str, tuple[int, int, int]]:
    """Of nine players with two Goons and this role: games that the town wins, nights, nights that the rules
    themselves decide."""
    found = asked(copy, PLAY + f"print(json.dumps([told(9, 2, f'Town {{role}}') for role in {NINE}]))")
    return {role: (town, nights, traced) for role, (town, nights, traced) in zip(NINE, found, strict=True)}


@pytest.mark.long
@pytest.mark.parametrize("role", ["Vigilante", "Sniper", "Shy Vigilante"])
def test_an_added_kill_or_modifier_has_the_chances_of_a_vigilante(
    nine: Mapping[str, tuple[int, int, int]], role: str
) -> None:
    """By the recursion over the living: the nights in which it is used are put to the rules themselves."""
    town, nights, traced = nine[role]
    assert agrees(town, float(with_power("Vigilante", 2, 6, 1)), GAMES)
    assert traced < nights
    assert (traced > 0) == (role != "Vigilante")


def test_an_added_report_trait_or_passive_that_kills_nobody_changes_no_chance_at_random(
    nine: Mapping[str, tuple[int, int, int]],
) -> None:
    assert agrees(nine["Eavesdropper"][0], float(vanilla(7, 2, True)), GAMES)
    assert nine["Eavesdropper"][2] > 0 == nine[BULLETPROOF][2]
    for added in SHIELDED:
        assert nine[added][:2] == nine[BULLETPROOF][:2]
        assert nine[added][2] > 0


def test_the_rules_answer_what_an_added_report_asks(copy: Path) -> None:
    """The words that it brings are none that the simulation knows, and no policy stumbles over them."""
    program = """
import json
import numpy as np
from knightfall.simulation.cards import CODE, NAMES, OTHER, orders_of
from knightfall.simulation.families import family_of
from knightfall.simulation.simulator import night_of

slots = [{"role": role} for role in ("Town Eavesdropper", "Town Doctor", "Vanilla Townie", "Mafia Goon")]
family = family_of("custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": slots}}, 4)
table = family.deal(2, np.random.default_rng(1))
rows = [(0, 0, "overhear", 2), (0, 1, "heal", 2), (0, 3, "mafia_kill", 2)]
rows += [(1, 0, "overhear", 2), (1, 3, "mafia_kill", 1)]
columns = np.array([(game, actor, CODE[what], first) for game, actor, what, first in rows]).T
dawn = night_of(family, table, orders_of(*columns), np.random.default_rng(1))
print(json.dumps({
    "other": (dawn.word == OTHER).tolist(),
    "names": (dawn.word == NAMES).tolist(),
    "dead": np.argwhere(dawn.dead).tolist(),
    "undecided": dawn.undecided.tolist(),
}))
"""
    assert asked(copy, program) == {
        "other": [True, False, False, False, False],  # what was done to the third: a heal and a kill
        "names": [False, False, False, True, False],  # nothing was done to them
        "dead": [[1, 1]],
        "undecided": [True, True],
    }


@pytest.mark.long
def test_every_policy_plays_every_word_of_the_catalog(copy: Path, tmp_path: Path) -> None:
    """Those that were added are among them; the verb says so too."""
    program = (
        PLAY
        + """
from knightfall.games.custom_mafia.catalog import (CATALOG, MODIFIERS, Kind)
from knightfall.simulation.policies import OURS

bases = [entry for entry in CATALOG if entry.kind not in (Kind.MODIFIER, Kind.BARE, Kind.OWN_SIDE)]
words = [f"Mafia {one.name}" if one.leans == "mafia" else f"Town {one.name}" for one in bases]
words += ["Serial Killer", "Jester", "Survivor", "Town 2-Shot Eavesdropper"]
limited = {"activated": "Bulletproof", "personal": "Alien"}
words += [f"Town {one.name} {limited.get(str(one.gives), 'Sniper')}" for one in MODIFIERS]
halves = (words[::2], words[1::2])
print(json.dumps([told(60, 8, *half, policy=policy, games=15) for policy in OURS for half in halves]))
"""
    )
    assert all(nights >= traced > 0 for _, nights, traced in asked(copy, program))
    setup = tmp_path / "quarry.toml"
    setup.write_text(
        'schema = 1\nname = "Quarry"\nslots = [{role = "Mafia Goon", count = 2}, '
        '{role = "Town Eavesdropper"}, {role = "Vanilla Townie", fill = true}]\n',
        encoding="utf-8",
    )
    verb: Any = asked(
        copy,
        f"import sys; sys.argv = ['knightfall', 'balance', {str(setup)!r}, '--games', '200', '--json', "
        "'--policy', 'follow-the-claims']; from knightfall.cli import main; main()",
    )
    assert verb["games"] == 200
    assert verb["nights"]["traced"] > 0


@pytest.mark.long
def test_compact_and_traced_nights_agree_with_what_was_added(copy: Path) -> None:
    program = """
import json, random
from simulation.compact import BATCH, compared

chance = random.Random(29)
found = [one for _ in range(40) for one in compared("custom_mafia", chance)]
print(json.dumps([[one for one in found if one], found.count(""), len(found)]))
"""
    differing, asked_for, nights = asked(copy, program)
    assert differing == []
    assert 0 < asked_for < nights
