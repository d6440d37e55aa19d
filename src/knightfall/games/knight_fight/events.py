"""What is told in Knight Fight: a dataclass for each post, PM and sheet, and one for what can be seen.

Sides are "X" and "O", squares and moves are as players write them, times are in words. What an anomaly brings
is empty where it is not in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from knightfall.engine.game import Facts, NotTaken
from knightfall.games.knight_fight.board import Pair
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A square: X O x o # or nothing, and the letter of its colour."""

    mark: str
    colour: str


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of the board by its number."""

    number: int
    cells: tuple[DrawnCell, ...]


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board as text, and square by square under the letters of its columns."""

    text: str
    columns: tuple[str, ...]
    rows: tuple[DrawnRow, ...]


@dataclass(frozen=True, slots=True)
class AnomalyRow:
    """An anomaly in force, by its letter and name."""

    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class FightRules:
    """The rules in force, for the posts that tell them. `letters` are the anomalies, in the order of the
    rulings; `reserve` "": there is none; `options` are all options by name, with the value chosen.
    `from_the_start`: the first choice of a side has its time from the beginning of the game."""

    letters: str
    anomalies: tuple[AnomalyRow, ...]
    rows: int
    cols: int
    move_time: str
    reserve: str
    options: Mapping[str, str]
    from_the_start: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """A side, and who plays it."""

    side: str
    name: SlotId


@dataclass(frozen=True, slots=True)
class Seats:
    """Who plays X and who plays O in a bout."""

    x: SlotId
    o: SlotId


@dataclass(frozen=True, slots=True)
class Numbered:
    """A turn by its number. `moves`: which move of the bout it was (KF-13), None where it was none, or where
    nobody is to know; `passes`: in this match a turn can be a pass, which is no move, so that turns and moves
    are counted apart."""

    number: int
    moves: int | None
    passes: bool


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn. `kind`: played; stuck (nobody could move); illegal (a pass in Snapshot); in Snapshot done (all
    that the thread is told) and passed (all that the rival is told).

    `how`: own, stand_in (the rival moved for them) or random; `trap` the trap of that turn where it is told;
    `vanished` the square of a knight that went; "" for what there was not.
    """

    kind: str
    turn: Numbered
    side: str = ""
    move: str = ""
    target: str = ""
    manure: str = ""
    how: str = ""
    rival: str = ""
    trapped: bool = False
    vanished: str = ""
    trap: str = ""


@dataclass(frozen=True, slots=True)
class NewsRow(TurnRow):
    """A turn as one player may know it; `own`: it was theirs."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class ClosedColour:
    """The colour on which a side may not place now."""

    side: str
    colour: str


@dataclass(frozen=True, slots=True)
class Open:
    """Who may do what until when, and what each side has, X first.

    `next`: who is to move, None while both bid; `until` None while the clock stands; `trap_by`: who may set a
    trap now; `banned`: who may not, since a trap took their knight (KF-30).
    """

    next: Seat | None
    until: datetime | None
    trap_by: Seat | None
    trap_until: datetime | None
    banned: tuple[Seat, ...]
    closed: tuple[ClosedColour, ...]
    reserves: tuple[str, ...]
    chips: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetupPost(Facts):
    """“This setup”: the whole rules as they are chosen, for everybody, before or after the match begins.

    `dmo` and `ec` None: nobody has signed up yet; `start`: where X and O begin.
    """

    kind: ClassVar[str] = "setup"

    dmo: SlotId | None
    ec: SlotId | None
    rules: FightRules
    last_column: str
    start: Pair[str]


@dataclass(frozen=True, slots=True)
class Opening(Facts):
    """The post that begins the match: who plays, the rules in short, who chooses a side."""

    kind: ClassVar[str] = "opening"

    dmo: SlotId
    ec: SlotId
    rules: FightRules
    chooser: SlotId


@dataclass(frozen=True, slots=True)
class Sides(Facts):
    """The post before a later bout: who chooses a side. `bidding`: nobody moves first."""

    kind: ClassVar[str] = "sides"

    bout: int
    chooser: SlotId
    move_time: str
    bidding: bool


@dataclass(frozen=True, slots=True)
class BoutStart(Facts):
    """The first post of a bout: sides, anomalies, clocks, the board with its colours."""

    kind: ClassVar[str] = "bout_start"

    bout: int
    players: Seats
    rules: FightRules
    board: DrawnBoard
    open: Open


@dataclass(frozen=True, slots=True)
class TurnPost(Facts):
    """The post after a turn; in Snapshot without a board."""

    kind: ClassVar[str] = "turn"

    bout: int
    happened: tuple[TurnRow, ...]
    board: DrawnBoard | None
    open: Open


@dataclass(frozen=True, slots=True)
class Threat:
    """The moves with which a side would win at once, before traps and other accidents."""

    side: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModeratorTurn(Facts):
    """The moderator's sheet of a turn: the true board, how many legal squares X and O have, and who is one
    move from winning; `illegal`: illegal passes in a row."""

    kind: ClassVar[str] = "moderator_turn"

    bout: int
    happened: tuple[TurnRow, ...]
    board: DrawnBoard
    threats: tuple[Threat, ...]
    legal: Pair[int]
    illegal: int
    open: Open


@dataclass(frozen=True, slots=True)
class BidsPost(Facts):
    """The post of a round of bids: both bids in words, who plays, what they pay, the chips after it."""

    kind: ClassVar[str] = "bids"

    bout: int
    players: Seats
    bids: Pair[str]
    winner: str
    paid: int
    chips: Pair[int]


@dataclass(frozen=True, slots=True)
class TimeUp(Facts):
    """The post that says who is out of time and who may move for them; `source`: with the knight it comes
    from."""

    kind: ClassVar[str] = "time_up"

    mover: Seat
    rival: Seat
    until: datetime | None
    source: bool


@dataclass(frozen=True, slots=True)
class BoutEnd(Facts):
    """The post that ends a bout: who won by what (None: drawn), the last board, the record."""

    kind: ClassVar[str] = "bout_end"

    bout: int
    winner: Seat | None
    reason: str
    moves: int
    happened: tuple[TurnRow, ...]
    points: tuple[int, ...]
    record: str
    board: DrawnBoard


@dataclass(frozen=True, slots=True)
class MoveStep(Facts):
    """A step of the match as it is looked at afterwards: what happened, and what each side has by then, in
    sentences. Nobody is asked for anything."""

    kind: ClassVar[str] = "step"

    happened: tuple[TurnRow, ...]
    bids: BidsPost | None
    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoutRow:
    """A bout in the table at the end of the match, with its last board; `winner` None: drawn."""

    number: int
    x: SlotId
    o: SlotId
    winner: SlotId | None
    reason: str
    moves: int
    board: DrawnBoard


@dataclass(frozen=True, slots=True)
class Removed(Facts):
    """The moderator took one of the two out: the match ends with it."""

    kind: ClassVar[str] = "removed"

    name: SlotId


@dataclass(frozen=True, slots=True)
class MatchEnd(Facts):
    """The post that ends the match: who won it, as DMO or EC, by which rule."""

    kind: ClassVar[str] = "match_end"

    bouts: tuple[BoutRow, ...]
    winner: SlotId | None
    player: str
    why: str


@dataclass(frozen=True, slots=True)
class SnapshotPm(Facts):
    """A player's PM in Snapshot: their own board, and what they may know of the latest turns.

    `manure_left` None: there is no manure; `next`: the side to move, "" while both bid; `until` None:
    the clock is stopped. `offer`: what they can send, and what it looks like.
    """

    kind: ClassVar[str] = "snapshot"

    name: SlotId
    side: str
    bout: int
    news: tuple[NewsRow, ...]
    closed: str
    manure_left: int | None
    board: DrawnBoard
    next: str
    until: datetime | None
    offer: Offer


@dataclass(frozen=True, slots=True)
class Offer:
    """What a player can send now. `kind`: side, move, bid, trap, stand_in (a move for `side`) or wait.

    `moves` are all that are legal, () where they are many or a secret; `example` is one of them, or what one
    looks like.
    """

    kind: str
    side: str = ""
    moves: tuple[str, ...] = ()
    example: str = ""
    chips: int = 0


@dataclass(frozen=True, slots=True)
class Receipt(Facts):
    """To who sent something: what was refused and what they can send, and what waits for this move."""

    kind: ClassVar[str] = "receipt"

    name: SlotId
    at: str
    turn: Numbered
    refused: tuple[NotTaken, ...]
    lines: tuple[str, ...]
    offer: Offer


@dataclass(frozen=True, slots=True)
class Clock(Facts):
    """The post that stops the clock, with the reason, or starts it; `until` None: nothing is awaited."""

    kind: ClassVar[str] = "clock"

    stopped: bool
    why: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class ByHand(Facts):
    """The post that says that the moderator drew something: the colours, or a move ("": it is a secret)."""

    kind: ClassVar[str] = "by_hand"

    colours: bool
    move: str


@dataclass(frozen=True, slots=True)
class FinishedBout:
    """A bout that was played: the side that won it (None: drawn), its moves."""

    winner: str | None
    moves: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody sees on the board, which Snapshot hides. `last`: X's and O's latest placements."""

    manure: tuple[str, ...]
    manure_left: Pair[int]
    last: Pair[str | None]
    trap_banned: tuple[str, ...]
    moves: int


@dataclass(frozen=True, slots=True)
class Playing:
    """The bout at hand. `to_move` None: both bid; `colours`: a text of R, B and Y for each row."""

    turn: int
    players: Seats
    to_move: str | None
    reserve: Pair[float]
    chips: tuple[int, ...]
    points: tuple[int, ...]
    colours: tuple[str, ...]
    shown: Shown | None


@dataclass(frozen=True, slots=True)
class OwnKnight:
    """A knight of one's own; `health`: healthy or weakened."""

    square: str
    health: str


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What a player alone knows: their knights with their health, the rival's latest placement (or “passed”),
    what they have on file, their manure."""

    side: str
    name: SlotId
    knights: tuple[OwnKnight, ...]
    rival_last: str | None
    standing: tuple[str, ...]
    manure_left: int


@dataclass(frozen=True, slots=True)
class MatchView(Facts):
    """What somebody may know of the match. `board`: as they see it, None where nobody plays or it is hidden;
    `playing` None between bouts; `own` None for everybody but the two players."""

    phase: str
    bout: int
    anomalies: str
    finished: tuple[FinishedBout, ...]
    board: DrawnBoard | None = None
    playing: Playing | None = None
    own: OwnSide | None = None
