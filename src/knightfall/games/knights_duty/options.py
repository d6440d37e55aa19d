"""The rulings of Knight's Duty, and the questions that its moderator may answer otherwise.

`edition` sets several at once, as the older rule books have them; what is chosen beside it goes first.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.engine.game import Chosen, Option, choose, option
from knightfall.games.knights_duty.board import CORNERS, MID_EDGE, OWN

NAME = "Knight's Duty"
MAP = "map"
"""Where an own board stands in the options."""
FIRST_DEADLINE = "first_deadline"

_A_NUMBER = "[1-9][0-9]{0,2}"
_ANY_TEXT = "(?s).+"


def _switch(ruling: str, question: str, name: str, *, on: bool = False) -> Option:
    return Option(name, ("true", "false") if on else ("false", "true"), ruling, question)


OPTIONS: tuple[Option, ...] = (
    option(
        "KD-01",
        "The board",
        MID_EDGE,
        CORNERS,
        OWN,
        name="board",
        words=(
            "the printed one, starts in the middle of the edges",
            "the older one, starts in the corners",
            "one of your own, from the game file",
        ),
    ),
    option("KD-04", "A plan with a line that breaks a rule", "refused_whole", "line_by_line"),
    option("KD-06", "The two rounds of a wounded knight", "1_and_2", "any_two"),
    _switch("KD-06", "A knight maimed in a turn loses its third action", "maimed_midturn_loses_third"),
    option("KD-08", "Rivals for one space", "all_stay", "sharing", "agreement", "seat_order"),
    _switch("KD-08", "Knights may share a space", "share_space"),
    _switch("KD-09", "Two knights may trade places", "swap_places", on=True),
    _switch("KD-12", "A swap also attacks with the new weapon", "swap_then_attack"),
    option("KD-14", "The order of attacks", "seat", "random", "attackers_choose"),
    option("KD-15", "No target of the list can be attacked", "nearest", "forfeit"),
    option("KD-16", "The card", "drawn", "picked", name="cards"),
    option("KD-18", "A shield against a pile without a Hit", "nothing", "adds_a_shield"),
    option("KD-19", "What a parry does to the pile", "no_card", "shield_card", name="parry_pile"),
    option("KD-20", "Whom a parry disarms", "not_bows", "all"),
    option("KD-22", "Inspiration", "hill", "token", "token_shield", "action", name="inspiration"),
    option("KD-27", "The start weapon", "chosen", "none", "fixed"),
    option("KD-27", "The fixed start weapon", "sword", "spear", "bow", name="fixed_weapon"),
    option("KD-29", "Orders at once, or asked for in stages", "orders", "staged", name="mode"),
    option(
        "KD-31",
        "How long a turn is open",
        *("48", "24", "72", "96", "168", "none"),
        words=("48 hours", "24 hours", "72 hours", "4 days", "a week", "no deadline"),
    ),
    Option(
        FIRST_DEADLINE,
        ("unset", "from_start"),
        "KD-31",
        "The deadline of the choice of starts; games begun before 0.3 had none, new ones have it",
    ),
    option("KD-32", "The last turn, a number", "none", name="max_turns", pattern=_A_NUMBER),
    option("KD-01", "The text of an own board's file", "none", name=MAP, pattern=_ANY_TEXT),
    option("KD-01", "The edition", "current", "r00", "r02", "r03", name="edition"),
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


BEGUN_WITH: Mapping[str, str] = {FIRST_DEADLINE: "from_start"}
"""What a game that begins now has, where its file does not say otherwise."""


def parse_options(given: Mapping[str, object]) -> Chosen:
    """Read the options of a game file. Raises InputError with the choices."""
    edition = choose(NAME, OPTIONS, given)["edition"]
    return choose(NAME, OPTIONS, {**EDITIONS[edition], **given})


RULINGS: Mapping[str, str] = {
    "KD-01": "61 hexes in a hexagon, the hill in its centre, starts in the middle of the edges.",
    "KD-02": "Distance is counted in steps; nothing stands in the way of an attack.",
    "KD-03": "A turn has 2 sword, 2 spear, 2 bow, 2 shield, 2 parry and 3 move tokens; all come back.",
    "KD-04": "Three actions with the Heart up, two when down; a plan that breaks a rule is refused whole.",
    "KD-05": "A round: reveal, all moves, all swaps, all attacks, then the critically wounded leave.",
    "KD-06": "A wounded knight acts in rounds 1 and 2; maimed in mid-turn, what it has laid still counts.",
    "KD-07": "A move goes one space in one of the directions, all at once; STAY spends the token.",
    "KD-08": "Rivals for one space all stay; who wants the space of a knight that stays, stays too.",
    "KD-09": "Two knights may trade places.",
    "KD-10": "A step off the board: the knight stays, the token is spent.",
    "KD-11": "A weapon token other than the weapon held takes that weapon up.",
    "KD-12": "A swap is the whole action; what counts is the weapon at the start of the round.",
    "KD-13": "After movement a bow reaches 4, a spear 3, a sword 2 spaces; nobody in range: forfeit.",
    "KD-14": "Attacks are resolved in seat order.",
    "KD-15": "The first of the list in range and not felled; then, unless ONLY, the nearest, equals by lot.",
    "KD-16": "The pile: bow 1 Hit 3 Misses, spear 2 and 2, sword 3 and 1; a fresh one for each attack.",
    "KD-17": "An inspired attacker adds a Hit first of all.",
    "KD-18": "Against a shield one Hit becomes a Shield; without a Hit nothing does.",
    "KD-19": "A parry leaves the pile alone.",
    "KD-20": "A failed attack with sword or spear on a parrying knight disarms the attacker at once.",
    "KD-21": "A hit takes the Heart down; with the Heart down it wounds critically, in the same round too.",
    "KD-22": "Who stands on the Glory Hill when he attacks is inspired.",
    "KD-23": "The critically wounded still attack in the round and leave when it ends.",
    "KD-24": "The critically wounded may be named, but are skipped for a live target.",
    "KD-25": "The last valid plan before the deadline counts; none is three passes.",
    "KD-26": "After any round: one left wins; none left is a draw between those who fell in it.",
    "KD-27": "Each player names his start weapon; silent is a sword.",
    "KD-28": "Two to six players; start spaces in seat order, the silent get the first free clockwise.",
    "KD-29": "One PM a turn holds tokens, directions and wishes.",
    "KD-30": "One post a turn with three round blocks, the board, Hearts and weapons.",
    "KD-31": "A turn lasts 48 hours, and so does the choice of starts before the first one.",
    "KD-32": "There is no last turn unless one is set; then most Hearts win.",
}
