"""Nights to ask about: the two demo files, and random ones of both games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from knightfall.games.empowered.game import EMPOWERED
from knightfall.games.knight_errant.game import KNIGHT_ERRANT
from knightfall.mafia.decide import send_all
from knightfall.mafia.night_file import DecidedNight, NightFile
from knightfall.sentence import SlotId
from knightfall.services.night_file import read_night
from salt_harbour import CAST, EXTRAS

DEMO = Path(__file__).parents[2] / "fixtures/demo"
SALT_HARBOUR = read_night(DEMO / "night.toml")
COPPER_LANE = read_night(DEMO / "empowered.toml")

_SALT = {SlotId(name): role for name, role in CAST.items()}
_BARE = (
    NightFile(KNIGHT_ERRANT, "", 2, _SALT, {}, {}, {SlotId("Hollis"): {**EXTRAS, "bulletproof": 1}}),
    NightFile(EMPOWERED, "", 2, COPPER_LANE.roles, {}, {}),
)


@st.composite
def nights(draw: st.DrawFn) -> NightFile:
    """A night in which some send one or two of the lines that their game offers them."""
    bare = draw(st.sampled_from(_BARE))
    state, game = send_all(bare).state, bare.game
    slots = draw(st.permutations(tuple(bare.roles)))
    lines: dict[SlotId, tuple[str, ...]] = {}
    for slot in slots[: draw(st.integers(0, 12))]:
        offered = [line for line in game.legal(state, slot) if line != "ready"]
        if offered:
            lines[slot] = tuple(draw(st.lists(st.sampled_from(offered), min_size=1, max_size=2)))
    return with_lines(bare, lines)


def with_lines(night: NightFile, lines: Mapping[SlotId, tuple[str, ...]]) -> NightFile:
    """The same dusk with other lines."""
    return NightFile(night.game, night.title, night.number, night.roles, night.options, lines, night.shots)


def outcome(found: DecidedNight) -> object:
    """What a night comes to, without the words and without who is to blame."""
    night = found.night
    return (
        {death.slot for death in night.deaths},
        {result.action: result.answer for result in night.results},
        {note.action: (note.fate, note.reason) for note in night.trace},
        {slot: dict(uses) for slot, uses in night.spent.items()},
        dict(found.marks),
        found.refused,
    )
