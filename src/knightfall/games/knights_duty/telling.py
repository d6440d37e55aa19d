"""What happened in a round, as facts for a write-up? Public, every word of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knightfall.core.game import SlotId
from knightfall.games.knights_duty.board_text import draw_board
from knightfall.games.knights_duty.geometry import STAY
from knightfall.games.knights_duty.plan import Entry, write_entry
from knightfall.games.knights_duty.state import Attack, Knight, Move, Round, State

_SHOWN_TOGETHER = 3  # letters that fit beside each other on the text board


def knight_facts(state: State) -> list[dict[str, object]]:
    """Everyone in seat order: where, with what, and whether the Heart is up."""
    return [
        {
            "name": slot,
            "clan": knight.clan,
            "letter": letter(knight),
            "pos": None if knight.left else knight.pos or None,
            "hill": not knight.left and knight.pos in state.board.hills,
            "weapon": str(knight.weapon) if knight.weapon else None,
            "heart": "up" if knight.heart else "down",
            "left": knight.left,
            "turn": knight.fell[0],
            "round": knight.fell[1],
        }
        for slot, knight in state.knights.items()
    ]


def letter(knight: Knight) -> str:
    """The clan's first letter; small with the Heart down."""
    return knight.clan[:1].upper() if knight.heart else knight.clan[:1]


def board_lines(state: State) -> list[str]:
    """The board with the knights on it; before the first turn with the starts."""
    standing = dict.fromkeys(state.board.starts, "P") if state.turn == 0 else {}
    for knight in state.living.values():
        if knight.pos:
            standing[knight.pos] = standing.get(knight.pos, "") + letter(knight)
    crowded = {space: text for space, text in standing.items() if len(text) > _SHOWN_TOGETHER}
    standing |= {space: f"{text[:1]}+{len(text) - 1}" for space, text in crowded.items()}
    return draw_board(state.board, standing)


def round_facts(state: State, played: Round) -> dict[str, object]:
    """One block of the turn post."""
    return {
        "number": played.number,
        "revealed": [{"name": slot, "entry": said} for slot, said in revealed(played).items()],
        "moves": [
            {
                "name": move.slot,
                "from": move.start,
                "to": move.end,
                "wanted": move.wanted,
                "fate": fate_of(move),
                "hill": move.end in state.board.hills,
                "inspired": state.rules["inspiration"] in ("hill", "action"),
            }
            for move in played.moves
        ],
        "swaps": [
            {"name": s.slot, "before": str(s.before) if s.before else None, "after": str(s.after)}
            for s in played.swaps
        ],
        "attacks": [_attack_facts(attack) for attack in played.attacks],
        "fell": list(played.fell),
    }


def revealed(played: Round) -> dict[SlotId, str]:
    """The tokens of a round; a direction only once the move step has shown it."""
    moved = {move.slot: move.direction for move in played.moves}
    return {slot: _open(entry, moved.get(slot)) for slot, entry in played.revealed.items()}


def _open(entry: Entry, direction: str | None) -> str:
    """A token without wishes; with the direction it went in, and what it was laid with."""
    if direction is None:
        return entry.token.upper()
    return write_entry(Entry(entry.token, direction, extras=entry.extras))


def fate_of(move: Move) -> str:
    """moved | stays (KD-07) | off (KD-10) | thrown (KD-08, KD-09)."""
    if move.end != move.start:
        return "moved"
    if move.direction == STAY:
        return "stays"
    return "off" if move.wanted is None else "thrown"


def _attack_facts(attack: Attack) -> dict[str, object]:
    return {
        "attacker": attack.attacker,
        "weapon": str(attack.weapon),
        "target": attack.target,
        "pile": attack.pile.counts() if attack.pile else {},
        "card": str(attack.card) if attack.card else None,
        "inspired": attack.inspired,
        "guard": str(attack.guard) if attack.guard else None,
        "disarmed": attack.disarmed,
        "wound": str(attack.wound) if attack.wound else None,
        "lot": attack.lot,
        "shuffle": [str(card) for card in attack.shuffle],
        "pick": attack.pick,
    }


def draws_of(rounds: Sequence[Round]) -> list[dict[str, str]]:
    """Every draw of a turn by its label, for players to check against the commitment."""
    drawn = (one for played in rounds for one in _draws(played.number, played))
    return [{"label": label, "value": value} for label, value in drawn]


def _draws(number: int, played: Round) -> Iterator[tuple[str, str]]:
    for attack in played.attacks:
        if attack.lot and attack.target:
            yield f"kd.target:R{number}:{attack.attacker}", attack.target
        if attack.card and not attack.shuffle:
            yield f"kd.card:R{number}:{attack.attacker}->{attack.target}", str(attack.card)
