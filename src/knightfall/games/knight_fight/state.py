"""The position of a match of Knight Fight: a bout, what is open in it, the match, why a line is not taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from knightfall.engine.game import Refusal
from knightfall.games.knight_fight.board import Pair, Side, Squares, put
from knightfall.games.knight_fight.options import Rules
from knightfall.sentence import SlotId

CHIPS = 20
MANURE = 2
COLOURS = "RBY"


class Move(NamedTuple):
    """A placement: each a square, 0 where none is named."""

    target: Squares
    source: Squares = 0
    manure: Squares = 0


class How(StrEnum):
    """Who chose a move: its player, the rival in their place, chance (KF-09)."""

    OWN = "own"
    STAND_IN = "stand_in"
    RANDOM = "random"


class Why(StrEnum):
    """Why a turn passed: an illegal move in Snapshot (KF-38), or no legal square (KF-43)."""

    ILLEGAL = "illegal"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Played:
    """A knight was placed. `trap` is the trap of that turn where it is told (KF-27); `seconds` how long the
    player took."""

    side: Side
    move: Move
    how: How = How.OWN
    trapped: bool = False
    vanished: Squares = 0
    trap: Squares = 0
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn without a placement; `move` is what was tried, None where nothing was on file."""

    side: Side
    why: Why
    move: Move | None = None
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Bidden:
    """A round of bids: what each bid (None: nothing), who plays, what they pay."""

    bids: Pair[int | None]
    winner: Side
    paid: int


@dataclass(frozen=True, slots=True)
class Repainted:
    """KF-25: a painting was rejected."""


Entry: TypeAlias = Played | Passed | Bidden | Repainted


class Reason(StrEnum):
    """What ended a bout."""

    LINE = "line"
    POINTS = "points"
    NO_MOVES = "no_moves"
    STUCK = "stuck"
    CALLED = "called"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Ending:
    """Who won the bout (None: drawn), and by what."""

    winner: Side | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Bout:
    """A position. `last` are the latest real placements (KF-39), `binding` those whose colour binds (KF-26),
    `last_manure` what fell with the latest ones; `moves` counts placements (KF-13), `turns` whatever was
    played or passed, `illegal` the illegal passes in a row; `passed`: the latest turn was a pass."""

    rules: Rules
    knights: Pair[Squares]
    weak: Squares = 0
    manure: Squares = 0
    manure_left: Pair[int] = (MANURE, MANURE)
    chips: Pair[int] = (CHIPS, CHIPS)
    bid_loser: Side | None = None
    colours: tuple[Squares, ...] = ()
    last: Pair[Squares] = (0, 0)
    binding: Pair[Squares] = (0, 0)
    last_manure: Pair[Squares] = (0, 0)
    banned: Pair[bool] = (False, False)
    points: Pair[int] = (0, 0)
    moves: int = 0
    turns: int = 0
    illegal: int = 0
    passed: Pair[bool] = (False, False)
    reserve: Pair[float] = (0, 0)
    to_move: Side = Side.X
    record: tuple[Entry, ...] = ()
    ended: Ending | None = None

    def has(self, letter: str) -> bool:
        """Whether this anomaly is in force."""
        return letter in self.rules.anomalies

    @property
    def taken(self) -> Squares:
        """Where knights stand."""
        return self.knights[0] | self.knights[1]


def note(bout: Bout, *entries: Entry) -> Bout:
    """The bout with more in its record."""
    return replace(bout, record=bout.record + entries)


def give(bout: Bout, side: Side, knights: Squares) -> Bout:
    """The bout with other knights for one side; nobody weak stands where no knight is."""
    after = replace(bout, knights=put(bout.knights, side, knights))
    return replace(after, weak=after.weak & after.taken)


def counts_turn(bout: Bout) -> int:
    """KF-13: what a pass adds to the count of moves."""
    return int(bout.rules["kf_13"] == "turns")


def is_move(bout: Bout, entry: Entry) -> bool:
    """KF-13: whether a turn counts as a move."""
    return isinstance(entry, Played) or (isinstance(entry, Passed) and bool(counts_turn(bout)))


def passes_apart(rules: Rules) -> bool:
    """Whether there can be turns that are no moves (KF-13): passes in Snapshot and Tic-Tac-Toe."""
    return rules["kf_13"] != "turns" and bool(rules.anomalies & {"N", "T"})


class Code(StrEnum):
    """When several apply, the first listed is given (KF-05, KF-09, KF-30)."""

    BOUT_OVER = "BOUT_OVER"
    USE_BID = "USE_BID"
    NO_BIDDING = "NO_BIDDING"
    BAD_BID = "BAD_BID"
    NO_PROXY = "NO_PROXY"
    PROXY_NO_MANURE = "PROXY_NO_MANURE"
    NO_HORSE_TRAP = "NO_HORSE_TRAP"
    NOT_YOUR_TRAP = "NOT_YOUR_TRAP"
    TRAP_BANNED = "TRAP_BANNED"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    OFF_BOARD = "OFF_BOARD"
    SOURCE_REQUIRED = "SOURCE_REQUIRED"
    NO_AIRDROP = "NO_AIRDROP"
    NO_MANURE_LEFT = "NO_MANURE_LEFT"
    BAD_SOURCE = "BAD_SOURCE"
    OCCUPIED = "OCCUPIED"
    MANURED = "MANURED"
    NOT_REACHABLE = "NOT_REACHABLE"
    WRONG_COLOR = "WRONG_COLOR"
    BAD_MANURE = "BAD_MANURE"
    PROXY_TRAP = "PROXY_TRAP"
    LATE = "LATE"
    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_CHOICE = "NOT_YOUR_CHOICE"
    UNKNOWN_COMMAND = "UNKNOWN_COMMAND"
    CLOCK_STOPPED = "CLOCK_STOPPED"


ILLEGAL = frozenset(
    {Code.BAD_SOURCE, Code.OCCUPIED, Code.MANURED, Code.NOT_REACHABLE, Code.WRONG_COLOR, Code.BAD_MANURE}
)
"""KF-38: readable but illegal: in Snapshot a pass."""

_SENTENCES: Mapping[Code, str] = {
    Code.BOUT_OVER: "no bout is being played now",
    Code.USE_BID: "in Bidding a move comes with a bid, for example BID 3: E4",
    Code.NO_BIDDING: "there is no bidding in this game, so send the move alone",
    Code.BAD_BID: "a bid is a whole number, from 0 to the chips you have",
    Code.NO_PROXY: "you cannot move for that side now",
    Code.PROXY_NO_MANURE: "a move for your rival can't drop manure",
    Code.NO_HORSE_TRAP: "there are no traps in this game",
    Code.NOT_YOUR_TRAP: "it is your own move, so only your rival can set a trap",
    Code.TRAP_BANNED: "your knight was trapped: no trap until your rival has placed a knight again or passed",
    Code.NOT_YOUR_TURN: "it is not your turn",
    Code.OFF_BOARD: "that square is not on the board",
    Code.SOURCE_REQUIRED: "name the knight that the new one comes from, for example F6>E4",
    Code.NO_AIRDROP: "there is no manure in this game",
    Code.NO_MANURE_LEFT: "you have no manure left in this bout",
    Code.BAD_SOURCE: "you have no knight on the square that you start from",
    Code.OCCUPIED: "there is a knight on that square already",
    Code.MANURED: "there is manure on that square",
    Code.NOT_REACHABLE: "that is not a knight's move from a knight of yours, or not from the one you named",
    Code.WRONG_COLOR: "that square has the colour of your rival's latest placement",
    Code.BAD_MANURE: "manure needs a free square without manure, and not the one you place your knight on",
    Code.PROXY_TRAP: "you trapped that square yourself, so choose another one",
    Code.LATE: "your time was up",
    Code.NOT_A_PLAYER: "only the two players can move",
    Code.NOT_YOUR_CHOICE: "it is not you who chooses a side now",
    Code.UNKNOWN_COMMAND: "I don't understand that",
    Code.CLOCK_STOPPED: "the clock is stopped; send it again when it runs",
}


_OF_A_STAND_IN: Mapping[Code, str] = {
    Code.BAD_SOURCE: "your rival has no knight on the square that you start from",
    Code.NOT_REACHABLE: (
        "that is not a knight's move from a knight of your rival's, or not from the one you named"
    ),
    Code.WRONG_COLOR: "that square has the colour of your own latest placement",
}


def refusal(code: Code, *, stand_in: bool = False) -> Refusal:
    """The code with its sentence; `stand_in`: for a move that was made for the rival."""
    return Refusal(code, (_OF_A_STAND_IN if stand_in else {}).get(code, _SENTENCES[code]))


def seconds_between(start: datetime, end: datetime) -> float:
    """From one instant to the other."""
    return (end - start).total_seconds()


def allowed(bout: Bout, side: Side) -> float:
    """KF-08: how many seconds the side has for this move; exactly so many are in time."""
    return bout.rules.move_time + (0 if bout.has("B") else bout.reserve[side])


def charged(bout: Bout, side: Side, seconds: float) -> Bout:
    """The bout with what this move cost of the reserve."""
    over = seconds - bout.rules.move_time
    if bout.has("B") or over <= 0:
        return bout
    return replace(bout, reserve=put(bout.reserve, side, max(0, bout.reserve[side] - over)))


def emptied(bout: Bout, side: Side) -> Bout:
    """KF-09: out of time: nothing of the reserve is left."""
    return bout if bout.has("B") else replace(bout, reserve=put(bout.reserve, side, 0))


def seconds_later(start: datetime, seconds: float) -> datetime:
    """The instant so many seconds later."""
    return start + timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A move on file: when it came; `legal` is false only in Snapshot, where it will be a pass (KF-38)."""

    move: Move | None
    at: datetime
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid on file; its move is judged anew when the round resolves."""

    chips: int
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class Turn:
    """What is open since when. `traps`: None not said, 0 declined; `trap_over`: the first minute is over.

    `stand_in`: the rival may move for the mover (KF-09); `winner`: who plays after a round of bids; `extra`:
    the seconds that the moderator gave beyond the clocks, which cost nobody anything; `trap_extra`: those for
    a trap.
    """

    since: datetime
    waiting: Waiting | None = None
    traps: Pair[Squares | None] = (None, None)
    trap_over: bool = False
    bids: Pair[Bid | None] = (None, None)
    stand_in: bool = False
    winner: Side | None = None
    stopped: datetime | None = None
    extra: float = 0.0
    trap_extra: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """A bout being played: how it began, how it stands, what is open."""

    first: Bout
    bout: Bout
    turn: Turn


def mover_of(table: Table) -> Side | None:
    """Whose move it is; None while both bid."""
    return table.turn.winner if table.bout.has("B") else table.bout.to_move


def trap_open(table: Table) -> bool:
    """KF-27: whether a move still waits for the trap of the one who waits (rounds of bids never do)."""
    bout, turn = table.bout, table.turn
    if not bout.has("H") or bout.has("B") or turn.stand_in or turn.trap_over:
        return False
    return not bout.banned[bout.to_move.rival]


def trap_awaited(table: Table) -> bool:
    """Whether the trap is neither in nor declined while it may still come."""
    return trap_open(table) and table.turn.traps[table.bout.to_move.rival] is None


def deadline(table: Table) -> datetime | None:
    """Until when what is open can be answered; None while the clock stands still."""
    turn = table.turn
    if turn.stopped:
        return None
    return seconds_later(turn.since, _span(table) + turn.extra)


def _span(table: Table) -> float:
    """For how many seconds what is open can be answered by the clocks."""
    if table.turn.stand_in or table.bout.has("B"):
        return table.bout.rules.move_time
    return allowed(table.bout, table.bout.to_move)


def moved(table: Table, *, trap: bool, until: datetime | None, at: datetime) -> Table:
    """What is open with another deadline, or the first minute of a trap (KF-27) with one; None stops the
    clock at that instant. By option the other of the two ends as it did before; if it had time left when the
    clock stopped, it has that now."""
    turn, minute = table.turn, table.bout.rules.move_time
    if until is None:
        return replace(table, turn=replace(turn, stopped=turn.stopped or at))
    if not trap_open(table) or table.bout.rules["trap_deadline"] == "together":
        extra = seconds_between(turn.since, until) - (minute if trap else _span(table))
        return replace(table, turn=replace(turn, extra=extra, trap_extra=extra, stopped=None))
    stopped = turn.stopped or at

    def beyond(span: float, extra: float, is_moved: bool) -> float:
        """The seconds beyond the clock of a window that has so many."""
        if is_moved:
            return seconds_between(turn.since, until) - span
        had_time_left = seconds_between(turn.since, stopped) <= span + extra
        return extra + seconds_between(stopped, at) if had_time_left else extra

    extra = beyond(_span(table), turn.extra, not trap)
    trap_extra = beyond(minute, turn.trap_extra, trap)
    return replace(table, turn=replace(turn, extra=extra, trap_extra=trap_extra, stopped=None))


def minute_over(table: Table) -> datetime | None:
    """Until when a trap can be set, a bid made, or a move for who is out of time."""
    turn = table.turn
    extra = turn.trap_extra if trap_open(table) else turn.extra
    return None if turn.stopped else seconds_later(turn.since, table.bout.rules.move_time + extra)


def next_table(table: Table, bout: Bout, at: datetime) -> Table:
    """The bout with its next turn open."""
    return replace(table, bout=bout, turn=Turn(_not_before(table, at)))


def _not_before(table: Table, at: datetime) -> datetime:
    """The latest instant of the turn, `at` included: a message with a wrong time, or one that was sent before
    what it settles, takes no time from the next turn."""
    turn = table.turn
    moves = (turn.waiting, *(bid.waiting for bid in turn.bids if bid))
    return max(at, turn.since, *(one.at for one in moves if one))


def stand_in(table: Table, side: Side, at: datetime) -> Table:
    """KF-09: the side is out of time, and its rival may move for it; a trap on file stays."""
    turn = Turn(_not_before(table, at), traps=table.turn.traps, stand_in=True, winner=side)
    return replace(table, bout=emptied(table.bout, side), turn=turn)


def with_trap(table: Table, side: Side, square: Squares) -> Table:
    """The last choice counts (KF-29); 0 declines."""
    return replace(table, turn=replace(table.turn, traps=put(table.turn.traps, side, square)))


BOUTS = 2


class Player(StrEnum):
    """Death Match Opponent and Elimination Candidate."""

    DMO = "DMO"
    EC = "EC"

    @property
    def rival(self) -> Player:
        return Player.EC if self is Player.DMO else Player.DMO


class Deciding(StrEnum):
    """KF-10, KF-11, KF-12: what decided."""

    BOUTS = "bouts"
    FEWER_MOVES = "fewer_moves"
    TIE = "tie"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Score:
    """What counts of a bout: the side the chooser took, the side that won (None: drawn), its moves."""

    chosen: Side
    winner: Side | None
    moves: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins the match, and why."""

    winner: Player
    why: Deciding


def chooser(number: int) -> Player:
    """KF-03: in the first bout the DMO chooses a side, in the second the EC, and so on."""
    return Player.DMO if number % 2 else Player.EC


def players_of(number: int, chosen: Side) -> Pair[Player]:
    """Who plays X, and who O, in this bout."""
    first = chooser(number)
    return (first, first.rival) if chosen is Side.X else (first.rival, first)


def winners(scores: Sequence[Score]) -> list[Player | None]:
    """Who won each bout."""
    return [
        None if score.winner is None else players_of(number, score.chosen)[score.winner]
        for number, score in enumerate(scores, start=1)
    ]


def decide(scores: Sequence[Score], rules: Rules) -> Verdict | None:
    """The match after these bouts; None where another one is to be played."""
    won = winners(scores)
    dmo, ec = won.count(Player.DMO), won.count(Player.EC)
    if len(scores) < BOUTS:
        return None
    if dmo != ec:
        return Verdict(Player.DMO if dmo > ec else Player.EC, Deciding.BOUTS)
    if None in won and rules["kf_12"] == "extra_bout":
        return None
    # KF-11: fewer moves in the bout one won; else the DMO (KF-11, KF-12).
    moves = {
        player: sum(score.moves for score, winner in zip(scores, won, strict=True) if winner is player)
        for player in Player
    }
    if moves[Player.DMO] == moves[Player.EC]:
        return Verdict(Player.DMO, Deciding.TIE)
    return Verdict(min(Player, key=moves.__getitem__), Deciding.FEWER_MOVES)


class Phase(StrEnum):
    """A side is chosen, a bout is played, the match is over."""

    SIDES = "sides"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Finished:
    """A bout that was played: how it began and how it ended."""

    chosen: Side
    first: Bout
    bout: Bout


@dataclass(frozen=True, slots=True)
class State:
    """`slots` are DMO and EC; `number` counts bouts from 1; `since`: when a side could first be chosen;
    `forfeited`: who lost the match by the moderator's word."""

    rules: Rules
    slots: tuple[SlotId, SlotId]
    phase: Phase = Phase.SIDES
    number: int = 1
    chosen: Side = Side.X
    table: Table | None = None
    done: tuple[Finished, ...] = ()
    since: datetime | None = None
    forfeited: Player | None = None


def slot_of(state: State, player: Player) -> SlotId:
    """Who is DMO, who is EC."""
    return state.slots[player is Player.EC]


def seats(state: State) -> Mapping[Side, SlotId]:
    """Who plays which side in the bout at hand."""
    return seats_in(state, state.number, state.chosen)


def seats_in(state: State, number: int, chosen: Side) -> Mapping[Side, SlotId]:
    """Who plays which side in a bout, where its chooser took this side."""
    x, o = players_of(number, chosen)
    return {Side.X: slot_of(state, x), Side.O: slot_of(state, o)}


def side_of(state: State, slot: SlotId | None) -> Side | None:
    """The side of a slot in the bout at hand; None for everybody else."""
    return next((side for side, held in seats(state).items() if held == slot), None)


def chooses(state: State) -> SlotId:
    """KF-03: who says which side they take."""
    return slot_of(state, chooser(state.number))


def verdict_of(state: State) -> Verdict | None:
    """Who won the match, once its bouts are played, or one of the two is out of it."""
    if state.forfeited is not None:
        return Verdict(state.forfeited.rival, Deciding.FORFEIT)
    return decide([_score(done) for done in state.done], state.rules)


def _score(done: Finished) -> Score:
    ended = done.bout.ended
    return Score(done.chosen, ended.winner if ended else None, done.bout.moves)
