"""What is told in Knight's Duty: a dataclass for each post, PM and sheet, and one for what can be seen.

Boards are lines of letters of one width; weapons, tokens, cards and Hearts ("up" or "down") are words of the
game; a deadline is an instant, None where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from knightfall.engine.game import Facts, NotTaken
from knightfall.games.knights_duty.state import Deed
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class KnightRow:
    """A knight. `pos` None: not on the board; `weapon` None: empty hands; `left`: how it went out of the game
    ("": it is in), in which turn and round."""

    name: SlotId
    clan: str
    letter: str
    pos: str | None
    hill: bool
    weapon: str | None
    heart: str
    left: str
    turn: int
    round: int


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token that a knight revealed in a round."""

    name: SlotId
    entry: str


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move token played. `fate`: moved, stays (on purpose), off (the board) or thrown (back from `wanted`);
    `inspired`: the hill inspires who stands on it."""

    name: SlotId
    start: str
    end: str
    wanted: str | None
    fate: str
    hill: bool
    inspired: bool


@dataclass(frozen=True, slots=True)
class SwapRow:
    """A weapon taken up; `before` None: into empty hands."""

    name: SlotId
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class CardCount:
    """How many of a card are in a pile, at least one."""

    card: str
    count: int


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack; without a target it found nobody. `lot`: the target was drawn; `shuffle` and `pick`: the
    pile as the target laid it out, and which card was taken; `wound`: maimed, felled or None."""

    attacker: SlotId
    weapon: str
    target: SlotId | None
    pile: tuple[CardCount, ...]
    card: str | None
    inspired: bool
    guard: str | None
    disarmed: bool
    wound: str | None
    lot: bool
    shuffle: tuple[str, ...]
    pick: int


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round as it happened, in the order of its steps."""

    number: int
    revealed: tuple[TokenRow, ...]
    moves: tuple[MoveRow, ...]
    swaps: tuple[SwapRow, ...]
    attacks: tuple[AttackRow, ...]
    fell: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class DrawRow:
    """What chance decided in a turn, in words, and what came of it."""

    words: str
    value: str


@dataclass(frozen=True, slots=True)
class StartRow:
    """A start space and its colour."""

    space: str
    clan: str


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon: how far it reaches, its cards, and how likely its hit is, in per cent: against no defence,
    against a shield, inspired, both; `against_marker`: against an inspiration marker, "" where there is
    none."""

    weapon: str
    reach: int
    cards: tuple[CardCount, ...]
    plain: str
    shielded: str
    inspired: str
    inspired_shielded: str
    against_marker: str


@dataclass(frozen=True, slots=True)
class TokenLimit:
    """How many tokens of a kind may be played in a turn."""

    token: str
    count: int


@dataclass(frozen=True, slots=True)
class DutyRules:
    """The board and the rules in force, as posts tell them.

    `rivals`: what happens where several want one space: all_stay, agreement, seat_order or sharing; `hours`
    of a turn and `last_turn` None where there is no such thing; `options` are all options by name, with the
    value chosen.
    """

    hexes: bool
    spaces: int
    board: tuple[str, ...]
    starts: tuple[StartRow, ...]
    hill: str
    directions: tuple[str, ...]
    rivals: str
    hours: int | None
    last_turn: int | None
    weapons: tuple[WeaponRow, ...]
    limits: tuple[TokenLimit, ...]
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RulesPost(Facts):
    """What both posts of the rules have: the players, nobody before they have signed up, and the rules."""

    players: tuple[SlotId, ...]
    rules: DutyRules


@dataclass(frozen=True, slots=True)
class Opening(RulesPost):
    """The post that begins the game: the rules, and what can be chosen before the first turn, until when."""

    kind: ClassVar[str] = "opening"

    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class SetupPost(RulesPost):
    """“This setup”: the whole rules as they are chosen, for everybody, before or after the game begins."""

    kind: ClassVar[str] = "setup"


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """An option that is not at its default, and the ruling that it changes."""

    name: str
    value: str
    ruling: str


@dataclass(frozen=True, slots=True)
class ModeratorOptions(Facts):
    """The moderator's sheet of what is played otherwise than by default."""

    kind: ClassVar[str] = "moderator_options"

    chosen: tuple[ChosenOption, ...]


@dataclass(frozen=True, slots=True)
class PositionPost(Facts):
    """What every post of a position has: the turn, the board, the knights."""

    turn: int
    knights: tuple[KnightRow, ...]
    board: tuple[str, ...]
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Start(PositionPost):
    """The post that shows everyone on their start space and opens the first turn."""

    kind: ClassVar[str] = "start"


@dataclass(frozen=True, slots=True)
class TurnPost(PositionPost):
    """The post of a turn, round by round; `next` is the turn that is open now, None: the game is over."""

    kind: ClassVar[str] = "turn"

    rounds: tuple[RoundRow, ...]
    draws: tuple[DrawRow, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class RoundStep(Facts):
    """A round as it is looked at afterwards, beside its picture."""

    kind: ClassVar[str] = "step"

    turn: int
    round: RoundRow


@dataclass(frozen=True, slots=True)
class Stage(PositionPost):
    """The post of a stage of a round: what happened since the last one, and who is asked. `question`: moves
    or attacks."""

    kind: ClassVar[str] = "stage"

    rounds: tuple[RoundRow, ...]
    draws: tuple[DrawRow, ...]
    question: str
    asked: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class NearRow:
    """Another knight, how many spaces away, and the weapons that reach so far."""

    name: SlotId
    distance: int
    reach: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question(Facts):
    """To who is asked in a staged round: where to, or whom. `way`: a direction that they can go; `hits`:
    somebody is within reach of the weapon; `nearest`: who names nobody attacks the nearest; `yields`: who
    wants a space can leave it to others."""

    kind: ClassVar[str] = "question"

    name: SlotId
    turn: int
    round: int
    question: str
    token: str
    way: str
    near: tuple[NearRow, ...]
    hits: bool
    nearest: bool
    yields: bool
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class TurnPm(Facts):
    """To every living player when a turn opens: where they stand, who is near, how many rounds they act in.
    `way`: a direction that they can go; `any_two_rounds`: in two of the three, whichever they like;
    `swap_attacks`: a weapon that is taken up attacks at once; `limits` of the tokens in a turn."""

    kind: ClassVar[str] = "turn_pm"

    name: SlotId
    turn: int
    pos: str
    way: str
    hill: bool
    clan: str
    weapon: str | None
    heart: str
    actions: int
    any_two_rounds: bool
    swap_attacks: bool
    near: tuple[NearRow, ...]
    staged: bool
    limits: tuple[TokenLimit, ...]
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class OwnOrders:
    """What a player has sent: a plan of numbered lines, wishes for the start, how they lay out the cards."""

    plan: tuple[str, ...]
    starts: tuple[str, ...]
    weapon: str | None
    shuffle: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenUp:
    """KD-12: a round of a plan that attacks nobody: its token takes up another weapon than the one `held`."""

    round: int
    weapon: str
    held: str | None


@dataclass(frozen=True, slots=True)
class Receipt(Facts):
    """To who sent something: what was refused, then all that is on file; `setup`: before the first turn."""

    kind: ClassVar[str] = "receipt"

    name: SlotId
    received: str
    turn: int
    setup: bool
    refused: tuple[NotTaken, ...]
    orders: OwnOrders
    deadline: datetime | None
    taken_up: tuple[TakenUp, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A player's plan as sent; empty where none was."""

    name: SlotId
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A step of a turn, and the ruling behind it."""

    round: int
    who: SlotId
    what: str
    ruling: str


@dataclass(frozen=True, slots=True)
class ModeratorTurn(Facts):
    """The moderator's sheet of a turn: every plan, each step."""

    kind: ClassVar[str] = "moderator_turn"

    turn: int
    plans: tuple[PlanRow, ...]
    trace: tuple[TraceRow, ...]


@dataclass(frozen=True, slots=True)
class ModeratorLimit(Facts):
    """The moderator's sheet in a long game: a last turn can be set."""

    kind: ClassVar[str] = "moderator_limit"

    turn: int


@dataclass(frozen=True, slots=True)
class Limit(Facts):
    """The post that sets the last turn, or takes it away (None)."""

    kind: ClassVar[str] = "limit"

    limit: int | None


@dataclass(frozen=True, slots=True)
class Modkill(Facts):
    """The post that takes a knight out of the game."""

    kind: ClassVar[str] = "modkill"

    name: SlotId
    turn: int


@dataclass(frozen=True, slots=True)
class Revive(Facts):
    """The post that brings a knight back; `pos` None: nobody has been placed yet."""

    kind: ClassVar[str] = "revive"

    name: SlotId
    pos: str | None


@dataclass(frozen=True, slots=True)
class HandDraw:
    """One draw of the moderator's: what it decided, and which cards or names came."""

    words: str
    drawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ByHand(Facts):
    """The post that says what the moderator drew in a turn."""

    kind: ClassVar[str] = "by_hand"

    turn: int
    draws: tuple[HandDraw, ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """What a knight did in the whole game."""

    name: SlotId
    hits: int
    misses: int
    shields: int
    forfeits: int
    disarmed: int
    disarms: int
    wounds: int


@dataclass(frozen=True, slots=True)
class Ending(Facts):
    """The post that ends the game: who won, or between whom it is drawn; `why`: last, fell, limit or left.
    `knights` and `scores` are in the same order. `over`: it is repeated at the end of the game, with the last
    `board`, which the post of the turn has shown before."""

    kind: ClassVar[str] = "ending"

    winner: SlotId | None
    drawn: tuple[SlotId, ...]
    why: str
    turns: int
    knights: tuple[KnightRow, ...]
    story: tuple[Deed, ...]
    scores: tuple[ScoreRow, ...]
    board: tuple[str, ...]
    over: bool = False


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What a player alone knows: what they sent, and what of it is on file and can still change."""

    orders: OwnOrders
    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableView(Facts):
    """What somebody may know of the game; `own` None for everybody but its players."""

    phase: str
    turn: int
    knights: tuple[KnightRow, ...]
    board: tuple[str, ...]
    rounds: tuple[RoundRow, ...]
    limit: int | None
    winner: SlotId | None
    drawn: tuple[SlotId, ...]
    own: OwnSide | None = None
