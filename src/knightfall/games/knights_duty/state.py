"""The position of a game of Knight's Duty: tokens and plans, piles of cards, knights, and what is open.

Swords reach two spaces, spears three, bows four (KD-13). A plan is a tuple of entries, entry k for round k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from knightfall.engine.game import Chosen, check_distinct
from knightfall.errors import InputError
from knightfall.games.knights_duty.board import OWN, Board, parse_board, printed_board
from knightfall.games.knights_duty.options import MAP
from knightfall.sentence import Sentence, SlotId, joined


class Token(StrEnum):
    """What lies face down in a knight's corner."""

    SWORD = "sword"
    SPEAR = "spear"
    BOW = "bow"
    SHIELD = "shield"
    PARRY = "parry"
    MOVE = "move"
    PASS = "pass"
    INSPIRATION = "inspiration"


WEAPONS = (Token.SWORD, Token.SPEAR, Token.BOW)
REACH: Mapping[str, int] = {Token.SWORD: 2, Token.SPEAR: 3, Token.BOW: 4}
"""KD-13: the farthest space a weapon reaches; the nearest is one away."""

LIMITS: Mapping[str, int] = {
    **dict.fromkeys((*WEAPONS, Token.SHIELD, Token.PARRY), 2),
    Token.MOVE: 3,
    Token.INSPIRATION: 1,
}
"""KD-03: tokens of a kind in one turn. Passes are no tokens and have no limit."""

ROUNDS = 3
WOUNDED_ROUNDS = 2
"""KD-04, KD-06: rounds of a turn, and how many of them a knight with the Heart down acts in."""


class Extra(StrEnum):
    """What an option lets a player add to an entry."""

    YIELD = "yield"
    FIRST = "first"
    LAST = "last"
    INSPIRED = "inspired"


@dataclass(frozen=True, slots=True)
class Entry:
    """One token with its orders. `only`: nobody but the named; `pick`: which card, from 1 (0: any)."""

    token: Token
    direction: str | None = None
    targets: tuple[SlotId, ...] = ()
    only: bool = False
    extras: frozenset[Extra] = frozenset()
    pick: int = 0


Plan: TypeAlias = tuple[Entry, ...]

PASS = Entry(Token.PASS)


def entry_at(plan: Sequence[Entry], number: int) -> Entry:
    """What round `number` (from 1) plays; KD-04: nothing laid is a pass."""
    return plan[number - 1] if number <= len(plan) else PASS


def write_entry(entry: Entry) -> Sentence:
    """`MOVE NE`, `SWORD @ Bob, Cyd ONLY`: what `read_entry` reads back."""
    words: list[object] = [entry.token.upper(), *([entry.direction] if entry.direction else [])]
    if entry.targets:
        words += ["@", joined(", ", entry.targets)]
    words += ["ONLY"] * entry.only
    words += [extra.upper() for extra in sorted(entry.extras)]
    return joined(" ", [*words, f"PICK {entry.pick}"] if entry.pick else words)


def numbered(plan: Sequence[Entry]) -> tuple[str, ...]:
    """`1 MOVE NE`, `2 SWORD @ Bob`: a plan as a receipt repeats it."""
    return tuple(joined(" ", (number, write_entry(entry))) for number, entry in enumerate(plan, start=1))


class Card(StrEnum):
    """A battle card. Dodge and Miss are one card under two names (KD-16)."""

    HIT = "Hit"
    MISS = "Miss"
    SHIELD = "Shield"


class Pile(NamedTuple):
    """How many of each card."""

    hit: int
    miss: int
    shield: int = 0

    def cards(self) -> tuple[Card, ...]:
        """Every card, Hits first."""
        return (Card.HIT,) * self.hit + (Card.MISS,) * self.miss + (Card.SHIELD,) * self.shield

    def counts(self) -> dict[str, int]:
        """By the cards' names."""
        return {"Hit": self.hit, "Miss": self.miss, "Shield": self.shield}


PRINTED: Mapping[Token, Pile] = {Token.BOW: Pile(1, 3), Token.SPEAR: Pile(2, 2), Token.SWORD: Pile(3, 1)}
"""KD-16: what each weapon is worth."""


class Defence(NamedTuple):
    """What the target does this round: shield, parry or neither, and whether it uses an inspiration token."""

    guard: Token | None = None
    inspired: bool = False


def make_pile(weapon: Token, inspired: bool, defence: Defence, rules: Chosen) -> Pile:
    """The pile of one attack: a fresh one for each."""
    pile = PRINTED[weapon]
    if inspired:  # KD-17: first of all
        pile = Pile(pile.hit + 1, pile.miss, pile.shield)
    if defence.inspired:
        # KD-22: the defender's token takes a Hit away (R02) or adds a Shield (R03).
        if rules["inspiration"] == "token_shield":
            pile = Pile(pile.hit, pile.miss, pile.shield + 1)
        else:
            pile = Pile(max(pile.hit - 1, 0), pile.miss, pile.shield)
    if defence.guard is Token.SHIELD:
        # KD-18: one Hit becomes a Shield; without a Hit nothing does, or a Shield is added all the same.
        if pile.hit:
            return Pile(pile.hit - 1, pile.miss, pile.shield + 1)
        return Pile(0, pile.miss, pile.shield + (rules["kd_18"] == "adds_a_shield"))
    if defence.guard is Token.PARRY and rules["parry_pile"] == "shield_card":
        # KD-19, the variant: a parry turns one Miss into a Shield.
        return Pile(pile.hit, pile.miss - 1, pile.shield + 1) if pile.miss else pile
    return pile


def chance(pile: Pile, card: Card = Card.HIT) -> Fraction:
    """How likely one card drawn from the pile is this one: by counting all of them."""
    cards = pile.cards()
    return Fraction(sum(one is card for one in cards), len(cards))


def disarms(weapon: Token, card: Card, guard: Token | None, rules: Chosen) -> bool:
    """KD-20: a failed attack on a parrying target; never a bow (older editions: any weapon). KD-19, the
    variant: only the Shield card."""
    if guard is not Token.PARRY or card is Card.HIT:
        return False
    if weapon is Token.BOW and rules["kd_20"] == "not_bows":
        return False
    return rules["parry_pile"] == "no_card" or card is Card.SHIELD


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
    check_distinct(slots)
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


def phase_of(state: State) -> tuple[object, ...]:
    """What tells what is open from all else that is ever open in the game."""
    return (state.phase, state.turn, len(state.rounds), state.opened)


def deadline(state: State) -> datetime | None:
    """KD-31: when what is open ends; None: as the moderator says, or its clock stands still."""
    if state.moved is not None and state.moved[0] == phase_of(state):
        return state.moved[1]
    hours = state.rules["kd_31"]
    if state.opened is None or hours == "none":
        return None
    return state.opened + timedelta(hours=int(hours))
