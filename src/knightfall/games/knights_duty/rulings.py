"""Which ruling decides what? KD-01 to KD-32 in one line each."""

from __future__ import annotations

from collections.abc import Mapping

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
    "KD-31": "A turn lasts 48 hours.",
    "KD-32": "There is no last turn unless one is set; then most Hearts win.",
}
