"""Which questions may a moderator of Knight's Duty answer otherwise, and what did this one choose?

`edition` sets several at once, as the older rule books have them; what is chosen beside it goes first.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.core.game import Option
from knightfall.core.options import Chosen, choose
from knightfall.games.knights_duty.board import CORNERS, MID_EDGE, OWN

NAME = "Knight's Duty"
MAP = "map"
"""Where an own board stands in the options."""

_A_NUMBER = "[1-9][0-9]{0,2}"
_ANY_TEXT = "(?s).+"


def _option(number: int, question: str, *values: str, name: str = "", pattern: str = "") -> Option:
    return Option(name or f"kd_{number:02}", values, f"KD-{number:02}", question, pattern)


def _switch(number: int, question: str, name: str, *, on: bool = False) -> Option:
    values = ("true", "false") if on else ("false", "true")
    return Option(name, values, f"KD-{number:02}", question)


OPTIONS: tuple[Option, ...] = (
    _option(1, "The board", MID_EDGE, CORNERS, OWN, name="board"),
    _option(6, "The two rounds of a wounded knight", "1_and_2", "any_two"),
    _switch(6, "A knight maimed in a turn loses its third action", "maimed_midturn_loses_third"),
    _option(8, "Rivals for one space", "all_stay", "sharing", "agreement", "seat_order"),
    _switch(8, "Knights may share a space", "share_space"),
    _switch(9, "Two knights may trade places", "swap_places", on=True),
    _switch(12, "A swap also attacks with the new weapon", "swap_then_attack"),
    _option(14, "The order of attacks", "seat", "random", "attackers_choose"),
    _option(15, "No target of the list can be attacked", "nearest", "forfeit"),
    _option(16, "The card", "drawn", "picked", name="cards"),
    _option(18, "A shield against a pile without a Hit", "nothing", "adds_a_shield"),
    _option(19, "What a parry does to the pile", "no_card", "shield_card", name="parry_pile"),
    _option(20, "Whom a parry disarms", "not_bows", "all"),
    _option(22, "Inspiration", "hill", "token", "token_shield", "action", name="inspiration"),
    _option(27, "The start weapon", "chosen", "none", "fixed"),
    _option(27, "The fixed start weapon", "sword", "spear", "bow", name="fixed_weapon"),
    _option(29, "Orders at once, or asked for in stages", "orders", "staged", name="mode"),
    _option(31, "Hours of a turn", "48", "24", "72", "96", "168", "none"),
    _option(32, "The last turn, a number", "none", name="max_turns", pattern=_A_NUMBER),
    _option(1, "The text of an own board's file", "none", name=MAP, pattern=_ANY_TEXT),
    _option(1, "The edition", "current", "r00", "r02", "r03", name="edition"),
)

_R02: Mapping[str, str] = {
    "kd_08": "agreement",
    "kd_18": "adds_a_shield",
    "kd_20": "all",
    "kd_27": "none",
    "inspiration": "token",
    "maimed_midturn_loses_third": "true",
}
EDITIONS: Mapping[str, Mapping[str, str]] = {
    "current": {},
    "r00": {"board": CORNERS, "share_space": "true"},
    "r02": _R02,
    "r03": {**_R02, "inspiration": "token_shield"},
}
"""What the older rule books say otherwise."""


def parse_options(given: Mapping[str, object]) -> Chosen:
    """Read the options of a game file. Raises InputError with the choices."""
    edition = choose(NAME, OPTIONS, given)["edition"]
    return choose(NAME, OPTIONS, {**EDITIONS[edition], **given})
