"""Random setups of every word that a role can be written with: each is played to its end, and no post tells.

A role of the moderator's own is among them; what it brings is typed by nobody here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from knightfall.engine.game import noted, told
from knightfall.engine.playout import play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.catalog import CATALOG, MODIFIERS, Kind
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.mafia.state import Phase
from knightfall.writeups.events import moderator_sheet, private_message
from long_runs import first
from properties.secrecy import told_too_early
from salt_harbour import NAMES

GAMES = range(250)
FEW = 12
_SIDES = ("Town", "Mafia", "Serial Killer", "")
_BASES = [one.name for one in CATALOG if one.kind not in (Kind.MODIFIER, Kind.BARE, Kind.OWN_SIDE)]
_BASES += ["“Lamplighter”", "Jack-of-all-Trades", "Deputy"]
_LIMITS = ("", "", "1-Shot", "2-Shot", *(one.name for one in MODIFIERS))


def a_role(chance: random.Random) -> str:
    """A role of one or two words with what may limit them, on a side where that goes together."""
    while True:
        words = [chance.choice(_SIDES)]
        for _ in range(chance.choice((1, 1, 1, 2))):
            words += [chance.choice(_LIMITS), chance.choice(_BASES)]
        try:
            role = parse_role(" ".join(words))
        except InputError:
            continue
        if "lover" not in role.traits:  # love needs two of a table
            return role.name


def a_setup(chance: random.Random) -> Mapping[str, object]:
    """Two Goons, up to nine roles that are drawn, and Vanilla Townies."""
    slots: list[Mapping[str, object]] = [{"role": "Mafia Goon", "count": 2}]
    slots += [{"role": a_role(chance)} for _ in range(chance.randint(3, 9))]
    slots.append({"role": "Vanilla Townie", "fill": True})
    starts = chance.choice(("day", "night"))
    return {
        "setup": {"schema": 1, "starts": starts, "slots": slots, "cards": {"Lamplighter": "Lights a lamp."}}
    }


@pytest.mark.few(2)
@pytest.mark.parametrize("number", first(FEW, GAMES))
def test_a_random_setup_is_played_to_its_end_and_tells_nothing(number: int) -> None:
    chance, seed = random.Random(number), b"any %d" % number
    players = NAMES[: chance.randint(12, 16)]
    options = a_setup(chance)
    try:
        playout = play(CUSTOM_MAFIA, players, options, SeededRng(b"chance %d" % number), SeededRng(seed))
    except InputError as error:
        assert "before it begins" in str(error)  # the mafia has half of the table at once
        return
    assert playout.refused == ()
    assert playout.ended
    assert playout.state.phase is Phase.OVER
    assert told_too_early(CUSTOM_MAFIA, playout, seed) == ()
    # Every text of the game can be written.
    for entry in replay(playout.journal, CUSTOM_MAFIA, lambda: SeededRng(seed)).taken:
        for event in told(entry.events):
            assert private_message("custom_mafia", event).strip()
        for note in noted(entry.events):
            assert moderator_sheet("custom_mafia", note).strip()
