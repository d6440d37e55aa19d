"""The position of a game of Knight's Duty, and what is remembered of its rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from knightfall.engine.game import Chosen
from knightfall.errors import InputError
from knightfall.games.knights_duty.board import OWN, Board, parse_board, printed_board
from knightfall.games.knights_duty.options import MAP
from knightfall.games.knights_duty.piles import Card, Pile
from knightfall.games.knights_duty.plan import Entry, Plan, Token
from knightfall.sentence import SlotId


class Phase(StrEnum):
    """What is open. `MOVES` and `ATTACKS` are the questions of a staged round (KD-29)."""

    SETUP = "setup"
    TURN = "turn"
    MOVES = "moves"
    ATTACKS = "attacks"
    OVER = "over"


class Wound(StrEnum):
    """KD-21: what a hit does."""

    MAIMED = "maimed"
    FELLED = "felled"


@dataclass(frozen=True, slots=True)
class Knight:
    """A knight. `heart`: up; `maimed` the turn it went down in; `fresh`: the inspiration token can be used;
    `left`: how it went out of the game (empty: it lives), in turn and round `fell`."""

    slot: SlotId
    clan: str = ""
    pos: str = ""
    weapon: Token | None = Token.SWORD
    heart: bool = True
    maimed: int = 0
    fresh: bool = True
    left: str = ""
    fell: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Move:
    """A move token played. `wanted`: where it would have led, None off the board and for `STAY`."""

    slot: SlotId
    direction: str
    start: str
    wanted: str | None
    end: str


@dataclass(frozen=True, slots=True)
class Swap:
    """A weapon taken up in place of another, or into empty hands."""

    slot: SlotId
    before: Token | None
    after: Token


@dataclass(frozen=True, slots=True)
class Attack:
    """One attempt; without a target it was forfeited. `lot`: the target was drawn between equals; `shuffle`:
    the order the cards were presented in, where the attacker picks."""

    attacker: SlotId
    weapon: Token
    target: SlotId | None = None
    pile: Pile | None = None
    card: Card | None = None
    inspired: bool = False
    guard: Token | None = None
    disarmed: bool = False
    wound: Wound | None = None
    lot: bool = False
    shuffle: tuple[Card, ...] = ()
    pick: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """KD-05: one round as it happened, in the order of its steps; `positions` at its end."""

    number: int
    revealed: Mapping[SlotId, Entry]
    moves: tuple[Move, ...] = ()
    swaps: tuple[Swap, ...] = ()
    attacks: tuple[Attack, ...] = ()
    fell: tuple[SlotId, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """What a knight did in the game: attempts by their end, disarms of and by it, wounds taken."""

    hits: int = 0
    misses: int = 0
    shields: int = 0
    forfeits: int = 0
    disarmed: int = 0
    disarms: int = 0
    wounds: int = 0


@dataclass(frozen=True, slots=True)
class Deed:
    """A line of the story: who did what to whom, when and with which weapon."""

    turn: int
    round: int
    attacker: SlotId
    weapon: Token
    target: SlotId
    wound: Wound


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player wishes at setup: start spaces, best first, and a weapon."""

    starts: tuple[str, ...] = ()
    weapon: Token | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """KD-26: the winner, or between whom it is drawn; `why`: last | fell | limit | left."""

    winner: SlotId | None
    drawn: tuple[SlotId, ...]
    why: str


@dataclass(frozen=True, slots=True)
class State:
    """The whole position. `knights` in seat order, the fallen too; `rounds` are those of the latest turn;
    `moved` is what the moderator gave another deadline, and which (None: its clock stands still); `plans`,
    `choices` and `shuffles` (how a target lays out a pile) are secret until they are used."""

    rules: Chosen
    board: Board
    knights: Mapping[SlotId, Knight]
    phase: Phase = Phase.SETUP
    turn: int = 0
    limit: int | None = None
    opened: datetime | None = None
    moved: tuple[tuple[object, ...], datetime | None] | None = None
    choices: Mapping[SlotId, Choice] = field(default_factory=dict)
    plans: Mapping[SlotId, Plan] = field(default_factory=dict)
    shuffles: Mapping[SlotId, tuple[int, ...]] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    out: tuple[SlotId, ...] = ()
    scores: Mapping[SlotId, Score] = field(default_factory=dict)
    story: tuple[Deed, ...] = ()
    ending: Ending | None = None

    @property
    def living(self) -> dict[SlotId, Knight]:
        """Who still stands, in seat order."""
        return {slot: knight for slot, knight in self.knights.items() if not knight.left}


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
    """Everyone on a start space: in seat order the first wish still free, else the first free clockwise."""
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
