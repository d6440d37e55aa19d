"""What happened in a round, as facts for a write-up; public, every word of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from knightfall.games.knights_duty.board import STAY, draw_board
from knightfall.games.knights_duty.events import (
    AttackRow,
    CardCount,
    DrawRow,
    KnightRow,
    MoveRow,
    RoundRow,
    SwapRow,
    TokenRow,
    TraceRow,
)
from knightfall.games.knights_duty.piles import Pile
from knightfall.games.knights_duty.plan import PASS, Entry, write_entry
from knightfall.games.knights_duty.state import Attack, Knight, Move, Round, State, Wound
from knightfall.sentence import Sentence, SlotId, sentence

_SHOWN_TOGETHER = 3  # letters that fit beside each other on the text board


def knight_rows(state: State) -> tuple[KnightRow, ...]:
    """Everyone in seat order: where, with what, and whether the Heart is up."""
    return tuple(
        KnightRow(
            name=slot,
            clan=knight.clan,
            letter=letter(knight),
            pos=None if knight.left else knight.pos or None,
            hill=not knight.left and knight.pos in state.board.hills,
            weapon=str(knight.weapon) if knight.weapon else None,
            heart="up" if knight.heart else "down",
            left=knight.left,
            turn=knight.fell[0],
            round=knight.fell[1],
        )
        for slot, knight in state.knights.items()
    )


def letter(knight: Knight) -> str:
    """The clan's first letter; small with the Heart down."""
    return knight.clan[:1].upper() if knight.heart else knight.clan[:1]


def board_lines(state: State) -> tuple[str, ...]:
    """The board with the knights on it; before the first turn with the starts."""
    standing = dict.fromkeys(state.board.starts, "P") if state.turn == 0 else {}
    for knight in state.living.values():
        if knight.pos:
            standing[knight.pos] = standing.get(knight.pos, "") + letter(knight)
    crowded = {space: text for space, text in standing.items() if len(text) > _SHOWN_TOGETHER}
    standing |= {space: f"{text[:1]}+{len(text) - 1}" for space, text in crowded.items()}
    return tuple(draw_board(state.board, standing))


def round_row(state: State, played: Round) -> RoundRow:
    """One block of the turn post."""
    return RoundRow(
        number=played.number,
        revealed=tuple(TokenRow(slot, said) for slot, said in revealed(played).items()),
        moves=tuple(
            MoveRow(
                name=move.slot,
                start=move.start,
                end=move.end,
                wanted=move.wanted,
                fate=fate_of(move),
                hill=move.end in state.board.hills,
                inspired=state.rules["inspiration"] in ("hill", "action"),
            )
            for move in played.moves
        ),
        swaps=tuple(
            SwapRow(one.slot, str(one.before) if one.before else None, str(one.after)) for one in played.swaps
        ),
        attacks=tuple(map(_attack_row, played.attacks)),
        fell=played.fell,
    )


def card_counts(pile: Pile) -> tuple[CardCount, ...]:
    """The cards that are in the pile, Hits first."""
    return tuple(CardCount(card, count) for card, count in pile.counts().items() if count)


def _attack_row(attack: Attack) -> AttackRow:
    return AttackRow(
        attacker=attack.attacker,
        weapon=str(attack.weapon),
        target=attack.target,
        pile=card_counts(attack.pile) if attack.pile else (),
        card=str(attack.card) if attack.card else None,
        inspired=attack.inspired,
        guard=str(attack.guard) if attack.guard else None,
        disarmed=attack.disarmed,
        wound=str(attack.wound) if attack.wound else None,
        lot=attack.lot,
        shuffle=tuple(map(str, attack.shuffle)),
        pick=attack.pick,
    )


def revealed(played: Round) -> dict[SlotId, str]:
    """The tokens of a round; a direction only once the move step has shown it."""
    moved = {move.slot: move.direction for move in played.moves}
    # A token without wishes; with the direction it went in, and what it was laid with.
    return {
        slot: write_entry(Entry(entry.token, moved[slot], extras=entry.extras))
        if slot in moved
        else entry.token.upper()
        for slot, entry in played.revealed.items()
    }


def fate_of(move: Move) -> str:
    """moved | stays (KD-07) | off (KD-10) | thrown (KD-08, KD-09)."""
    if move.end != move.start:
        return "moved"
    if move.direction == STAY:
        return "stays"
    return "off" if move.wanted is None else "thrown"


_LABEL = re.compile(r"kd\.(?P<what>\w+):R(?P<round>\d+)(?::(?P<who>.+?)(?:->(?P<whom>.+))?)?", re.DOTALL)


def draw_in_words(label: str) -> Sentence:
    """What a draw decides, for players: “Ada's card against Bob in round 1”."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return sentence("a draw")
    what, number, who, whom = found.group("what", "round", "who", "whom")
    said = {"card": "{who}'s card against {whom}", "target": "{who}'s target", "order": "order of attacks"}
    template = said.get(what, "a draw of {who}") + " in round {number}"
    return sentence(template, who=SlotId(who or ""), whom=SlotId(whom or ""), number=number)


def draws_of(rounds: Sequence[Round]) -> tuple[DrawRow, ...]:
    """Every draw of a turn in words."""
    drawn: list[DrawRow] = []
    for played in rounds:
        for attack in played.attacks:
            where = f"R{played.number}:{attack.attacker}"
            if attack.lot and attack.target:
                drawn.append(DrawRow(draw_in_words(f"kd.target:{where}"), attack.target))
            if attack.card and not attack.shuffle:
                label = f"kd.card:{where}->{attack.target}"
                drawn.append(DrawRow(draw_in_words(label), str(attack.card)))
    return tuple(drawn)


_FATES: Mapping[str, tuple[str, str]] = {
    "moved": ("goes to {to}", "KD-07"),
    "stays": ("stays where it is", "KD-07"),
    "off": ("would step off the board and stays", "KD-10"),
    "thrown": ("cannot have {wanted} and stays", "KD-08"),
}


def trace_rows(state: State) -> tuple[TraceRow, ...]:
    """Each step of the turn with its ruling."""
    return tuple(
        TraceRow(played.number, who, what, ruling)
        for played in state.rounds
        for who, what, ruling in _rows(played)
    )


def _rows(played: Round) -> Iterator[tuple[SlotId, str, str]]:
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


def _attacked(attack: Attack) -> Iterator[tuple[SlotId, str, str]]:
    if attack.target is None or attack.pile is None:
        yield attack.attacker, f"has nobody to attack with the {attack.weapon}", "KD-13"
        return
    if attack.lot:
        by_lot = sentence("attacks {target} by lot: equally near", target=attack.target)
        yield attack.attacker, by_lot, "KD-15"
    pile = ", ".join(f"{count} {card}" for card, count in attack.pile.counts().items() if count)
    # The rulings that made the pile.
    rulings = ["KD-16", *["KD-17"] * attack.inspired]
    if attack.guard:
        rulings.append("KD-18" if attack.guard == "shield" else "KD-19")
    drawn = sentence(
        "draws {card} of {pile} against {target}", card=attack.card, pile=pile, target=attack.target
    )
    yield attack.attacker, drawn, ", ".join(rulings)
    if attack.disarmed:
        yield attack.attacker, "is disarmed", "KD-20"
    if attack.wound:
        hurt = "critically wounded" if attack.wound is Wound.FELLED else "maimed"
        yield attack.target, f"is {hurt}", "KD-21"
