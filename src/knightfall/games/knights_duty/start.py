"""Who starts where and with what? Seats in order, the free spaces clockwise (KD-27, KD-28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from knightfall.core.game import SlotId
from knightfall.core.options import Chosen
from knightfall.errors import InputError
from knightfall.games.knights_duty.board import OWN, Board, printed_board
from knightfall.games.knights_duty.board_text import parse_board
from knightfall.games.knights_duty.options import MAP
from knightfall.games.knights_duty.plan import Token
from knightfall.games.knights_duty.state import Choice, Knight, State

PLAYERS = range(2, 7)


def check_slots(slots: Sequence[SlotId], board: Board) -> None:
    """KD-28. Raises InputError unless there are two to six different names and a start for each."""
    if len(slots) not in PLAYERS:
        raise InputError(f"Knight's Duty is for 2 to 6 players; the list has {len(slots)}.")
    folded = [slot.casefold() for slot in slots]
    if twice := sorted({slot for slot in slots if folded.count(slot.casefold()) > 1}):
        raise InputError(f"Names that stand for two players: {', '.join(twice)}.")
    if len(slots) > len(board.starts):
        raise InputError(f"The board has {len(board.starts)} start spaces for {len(slots)} players.")


def choose_board(rules: Chosen) -> Board:
    """The printed board, or the moderator's own. Raises InputError where it is missing or cannot be read."""
    if rules["board"] == OWN:
        return parse_board(rules[MAP])
    if rules[MAP] != "none":
        raise InputError(f"map is given, but board = {rules['board']!r}: expected board = 'own'.")
    return printed_board(rules["board"])


def first_weapon(rules: Chosen, wish: Token | None) -> Token | None:
    """KD-27: the one chosen, a sword for who is silent; or none, or the fixed one."""
    if rules["kd_27"] == "none":
        return None
    return Token(rules["fixed_weapon"]) if rules["kd_27"] == "fixed" else wish or Token.SWORD


def placed(state: State) -> State:
    """Everyone on his start space: in seat order the first wish still free, else the first free clockwise."""
    knights, free = {}, list(state.board.starts)
    for slot in state.knights:
        choice = state.choices.get(slot, Choice())
        pos = next((space for space in choice.starts if space in free), free[0])
        free.remove(pos)
        weapon = first_weapon(state.rules, choice.weapon)
        knight = replace(state.knights[slot], clan=state.board.clan(pos), pos=pos, weapon=weapon)
        knights[slot] = knight
    return replace(state, knights=knights, choices={})


def seated(slots: Sequence[SlotId], board: Board, rules: Chosen) -> State:
    """The game before anybody has chosen."""
    limit = None if rules["max_turns"] == "none" else int(rules["max_turns"])
    return State(rules, board, {slot: Knight(slot) for slot in slots}, limit=limit)
