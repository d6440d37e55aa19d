"""Why did a turn go as it did? Every step with the ruling that decided it, for the moderator's sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knightfall.games.knights_duty.plan import PASS
from knightfall.games.knights_duty.state import Attack, Round, State, Wound
from knightfall.games.knights_duty.telling import fate_of

_FATES: Mapping[str, tuple[str, str]] = {
    "moved": ("goes to {to}", "KD-07"),
    "stays": ("stays where it is", "KD-07"),
    "off": ("would step off the board and stays", "KD-10"),
    "thrown": ("cannot have {wanted} and stays", "KD-08"),
}


def trace_facts(state: State) -> list[dict[str, object]]:
    """Rows of round, who, what and ruling."""
    return [
        {"round": played.number, "who": who, "what": what, "ruling": ruling}
        for played in state.rounds
        for who, what, ruling in _rows(played)
    ]


def _rows(played: Round) -> Iterator[tuple[str, str, str]]:
    for slot, entry in played.revealed.items():
        if entry == PASS:
            yield slot, "passes", "KD-04"
    for move in played.moves:
        what, ruling = _FATES[fate_of(move)]
        yield (move.slot, *(what.format(to=move.end, wanted=move.wanted), ruling))
    for swap in played.swaps:
        yield swap.slot, f"takes up the {swap.after}", "KD-11"
    for attack in played.attacks:
        yield from _attacked(attack)
    for slot in played.fell:
        yield slot, "leaves the board", "KD-23"


def _attacked(attack: Attack) -> Iterator[tuple[str, str, str]]:
    if attack.target is None or attack.pile is None:
        yield attack.attacker, f"has nobody to attack with the {attack.weapon}", "KD-13"
        return
    if attack.lot:
        yield attack.attacker, f"attacks {attack.target} by lot: equally near", "KD-15"
    pile = ", ".join(f"{count} {card}" for card, count in attack.pile.counts().items() if count)
    # The rulings that made the pile.
    rulings = ["KD-16", *["KD-17"] * attack.inspired]
    if attack.guard:
        rulings.append("KD-18" if attack.guard == "shield" else "KD-19")
    yield attack.attacker, f"draws {attack.card} of {pile} against {attack.target}", ", ".join(rulings)
    if attack.disarmed:
        yield attack.attacker, "is disarmed", "KD-20"
    if attack.wound:
        hurt = "critically wounded" if attack.wound is Wound.FELLED else "maimed"
        yield attack.target, f"is {hurt}", "KD-21"
