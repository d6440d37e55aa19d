"""What the public and each player may know, and what a player's own board says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count, starmap
from typing import TypeAlias

from knightfall.engine.game import Announced, Event, Noted, NotTaken, Refused, Told
from knightfall.games.knight_fight.anomalies import in_force
from knightfall.games.knight_fight.anomalies.coloration import banned, letter_at, painted, write_colours
from knightfall.games.knight_fight.anomalies.snapshot import known, rival_last
from knightfall.games.knight_fight.anomalies.tic_tac_toe import GOAL
from knightfall.games.knight_fight.board import (
    SIDES,
    Board,
    Pair,
    Side,
    Squares,
    completing,
    each,
    has_four,
    in_line,
    lay,
    name_of,
    put,
    runs_of_three,
)
from knightfall.games.knight_fight.board import names as square_names
from knightfall.games.knight_fight.events import (
    AnomalyRow,
    BidsPost,
    BoutEnd,
    BoutRow,
    BoutStart,
    ClosedColour,
    DrawnBoard,
    DrawnCell,
    DrawnRow,
    FightRules,
    FinishedBout,
    MatchEnd,
    MatchView,
    ModeratorTurn,
    NewsRow,
    Numbered,
    Offer,
    Open,
    Opening,
    OwnKnight,
    OwnSide,
    Playing,
    Receipt,
    Seat,
    Seats,
    SetupPost,
    Shown,
    Sides,
    SnapshotPm,
    Threat,
    TimeUp,
    TurnPost,
    TurnRow,
)
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.options import Rules, letters_of
from knightfall.games.knight_fight.record import record_of, write
from knightfall.games.knight_fight.rules import bidders, placements, targets
from knightfall.games.knight_fight.state import (
    Bidden,
    Bout,
    Entry,
    Finished,
    Passed,
    Phase,
    Played,
    Reason,
    State,
    Table,
    Waiting,
    Why,
    chooses,
    deadline,
    is_move,
    minute_over,
    mover_of,
    passes_apart,
    players_of,
    seats,
    side_of,
    slot_of,
    trap_awaited,
    trap_open,
    verdict_of,
)
from knightfall.sentence import SlotId


def seen_by(state: State, slot: SlotId | None) -> MatchView:
    """The table, and for a player their own side of it."""
    table, side = state.table, side_of(state, slot)
    public = MatchView(
        phase=str(state.phase),
        bout=state.number,
        anomalies=letters_of(state.rules.anomalies),
        finished=tuple(_finished(done.bout) for done in state.done),
    )
    if table is None:
        return public
    hidden = table.bout.has("N")
    if state.phase is Phase.PLAY:
        board = None if hidden else drawn_board(everything(table.bout))
        public = replace(public, board=board, playing=_playing(state, table))
    if side is None:
        return public
    # In Snapshot a player sees a board that nobody else sees (KF-37).
    board = drawn_board(snapshot(table.bout, side)) if hidden else public.board
    return replace(public, board=board, own=_own(state, table, side))


def _playing(state: State, table: Table) -> Playing:
    """What everyone sees of a bout: in Snapshot no knight at all (KF-37)."""
    bout, mover = table.bout, mover_of(table)
    hidden_points = bout.has("N") and bout.rules["kf_45"] == "hidden"
    x, o = (name_of(square) if square else None for square in bout.last)
    return Playing(
        turn=bout.turns,
        players=seats_of(state),
        to_move=None if mover is None else mover.name,
        reserve=bout.reserve,
        chips=bout.chips if bout.has("B") else (),
        points=bout.points if bout.has("T") and not hidden_points else (),
        colours=tuple(write_colours(bout.rules.board, bout.colours)) if bout.colours else (),
        shown=None
        if bout.has("N")
        else Shown(
            manure=tuple(square_names(bout.manure)),
            manure_left=bout.manure_left,
            last=(x, o),
            trap_banned=tuple(side.name for side in SIDES if bout.banned[side]),
            moves=bout.moves,
        ),
    )


def _finished(bout: Bout) -> FinishedBout:
    winner = bout.ended.winner if bout.ended else None
    return FinishedBout(None if winner is None else winner.name, bout.moves)


def _own(state: State, table: Table, side: Side) -> OwnSide:
    """Own knights with their health, the rival's latest placement, and what one has on file."""
    bout = table.bout
    latest = rival_last(bout, side)
    return OwnSide(
        side=side.name,
        name=seats(state)[side],
        knights=knights_of(bout, side),
        rival_last="passed" if latest is None else name_of(latest) if latest else None,
        standing=standing(table, side),
        manure_left=bout.manure_left[side],
    )


def knights_of(bout: Bout, side: Side) -> tuple[OwnKnight, ...]:
    """The side's knights with their health, in the order of the squares."""
    return tuple(
        OwnKnight(name_of(square), "weakened" if bout.weak & square else "healthy")
        for square in each(bout.knights[side])
    )


def standing(table: Table, side: Side) -> tuple[str, ...]:
    """What the side has on file, as lines that could be sent again."""
    turn, lines = table.turn, list[str]()
    bid, trap = turn.bids[side], turn.traps[side]
    if turn.waiting and table.bout.to_move == side:
        lines.append(_move(turn.waiting))
    if bid:
        lines.append(f"BID {bid.chips}: {_move(bid.waiting)}")
    if trap is not None:
        lines.append(f"TRAP: {name_of(trap)}" if trap else "NO TRAP")
    return tuple(lines)


def _move(waiting: Waiting) -> str:
    return write_move(waiting.move) if waiting.move else "(no readable move)"


EMPTY = "."
MANURE_MARK = "#"


_Row: TypeAlias = tuple[int, tuple[str, ...], tuple[str, ...]]
"""The number of a row, of each square its mark, and the letter of its colour."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one pair of eyes sees: knights of X and of O, the weakened of them, manure, colours, the latest
    placement, the squares that won."""

    board: Board
    knights: Pair[Squares]
    weak: Squares = 0
    manure: Squares = 0
    colours: tuple[Squares, ...] = ()
    latest: Squares = 0
    line: Squares = 0


def everything(bout: Bout, latest: Squares = 0) -> Seen:
    """The true board."""
    winning_line: Squares
    ended = bout.ended
    if ended is None or ended.winner is None or ended.reason not in (Reason.LINE, Reason.POINTS):
        winning_line = 0
    else:
        winning_line = in_line(bout.knights[ended.winner], 4 if ended.reason is Reason.LINE else 3)
    return Seen(bout.rules.board, bout.knights, bout.weak, bout.manure, bout.colours, latest, winning_line)


def snapshot(bout: Bout, side: Side) -> Seen:
    """KF-37, KF-34, P05: own knights with their health, the rival's latest placement with its manure."""
    rival = bout.knights[side.rival] & known(bout, side)
    knights = put((rival, rival), side, bout.knights[side])
    manure = bout.last_manure[side.rival]
    weak = bout.weak & bout.knights[side]
    return Seen(bout.rules.board, knights, weak, manure, bout.colours, bout.last[side.rival])


def mark(seen: Seen, square: Squares) -> str:
    """The letter of a square, without its colour; empty where nothing is."""
    for side in SIDES:
        if seen.knights[side] & square:
            return side.name.lower() if seen.weak & square else side.name
    return MANURE_MARK if seen.manure & square else ""


def drawn_board(seen: Seen) -> DrawnBoard:
    """The board as text, in letters of one width, and as cells."""
    columns, rows = tuple(chr(65 + column) for column in range(seen.board.cols)), _rows(seen)
    lines = [f"    {('  ' if seen.colours else ' ').join(columns)}", *starmap(_line, rows)]
    return DrawnBoard("\n".join(lines), columns, tuple(starmap(_drawn_row, rows)))


@lru_cache(maxsize=4)
def _rows(seen: Seen) -> tuple[_Row, ...]:
    """Row by row, marks as `mark` says them; what is above is laid last."""
    cells = [""] * seen.board.bits
    lay(cells, seen.manure & seen.board.ground, MANURE_MARK)
    for side in reversed(SIDES):
        knights = seen.knights[side] & seen.board.ground
        lay(cells, knights & ~seen.weak, side.name)
        lay(cells, knights & seen.weak, side.name.lower())
    colours = seen.board.cut(painted(seen.board, seen.colours))
    return tuple(zip(count(1), seen.board.cut(tuple(cells)), colours, strict=False))


@lru_cache(maxsize=512)
def _line(number: int, marks: tuple[str, ...], letters: tuple[str, ...]) -> str:
    """One row as text; most are the same from board to board."""
    if any(letters):
        cells = (f"{letter.lower()}{mark or ' '}" for mark, letter in zip(marks, letters, strict=True))
    else:
        cells = (mark or EMPTY for mark in marks)
    return f"{number:>2}  {' '.join(cells)}".rstrip()


@lru_cache(maxsize=512)
def _drawn_row(number: int, marks: tuple[str, ...], letters: tuple[str, ...]) -> DrawnRow:
    """One row as facts; most are the same from board to board."""
    return DrawnRow(number, tuple(map(DrawnCell, marks, letters)))


Turned: TypeAlias = Played | Passed
"""What a turn can be."""

_COLOUR_NAMES = {"R": "red", "B": "blue", "Y": "yellow", "": ""}


def received(at: datetime) -> str:
    """`21:01 UTC on 3 January`, with seconds where they are not zero."""
    instant = at.astimezone(UTC)
    clock = instant.time().isoformat("seconds" if instant.second else "minutes")
    return f"{clock} UTC on {instant.day} {instant:%B}"


def span(seconds: float) -> str:
    """`3:00`, `72 h`, `71 h 5 min`: what is left of a clock; from an hour on nobody counts seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes}:{rest:02}"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


_UNITS = ((3600, "hour"), (60, "minute"), (1, "second"))


def time_in_words(seconds: float) -> str:
    """`60 seconds`, `3 minutes`, `24 hours`, `1 hour 30 minutes`: a time that was agreed on."""
    if round(seconds) in (60, 90):  # as the rules of the game say it
        return f"{round(seconds)} seconds"
    left, said = round(seconds), list[str]()
    for size, word in _UNITS:
        number, left = divmod(left, size)
        said += [f"{number} {word}{'' if number == 1 else 's'}"] * bool(number)
    return " ".join(said) or "no time"


def seats_of(state: State) -> Seats:
    """Who plays X and O."""
    players = seats(state)
    return Seats(players[Side.X], players[Side.O])


def _seat(state: State, side: Side) -> Seat:
    return Seat(side.name, seats(state)[side])


def rules_told(rules: Rules) -> FightRules:
    """The rules in force as the posts tell them."""
    return FightRules(
        letters=letters_of(rules.anomalies),
        anomalies=tuple(AnomalyRow(one.letter, one.name) for one in in_force(rules.anomalies)),
        rows=rules.board.rows,
        cols=rules.board.cols,
        move_time=time_in_words(rules.move_time),
        # KF-22: in Bidding there is no reserve.
        reserve="" if "B" in rules.anomalies or not rules.reserve else time_in_words(rules.reserve),
        options=rules.chosen,
        from_the_start=rules.from_the_start,
    )


def setup_post(slots: Sequence[SlotId], rules: Rules) -> SetupPost:
    """The rules as they are chosen; who plays, where they are two already."""
    dmo, ec = slots if len(slots) == 2 else (None, None)
    x, o = rules.start
    return SetupPost(
        dmo, ec, rules_told(rules), chr(ord("A") + rules.board.cols - 1), (name_of(x), name_of(o))
    )


def opening(state: State) -> Opening:
    """The Death Match, before the first bout."""
    return Opening(state.slots[0], state.slots[1], rules_told(state.rules), chooses(state))


def sides(state: State) -> Sides:
    """KF-03: who chooses before a later bout."""
    rules = state.rules
    return Sides(state.number, chooses(state), time_in_words(rules.move_time), "B" in rules.anomalies)


def bout_start(state: State, table: Table) -> BoutStart:
    """KF section 4: sides, anomalies, colours, clocks, and the board."""
    return BoutStart(
        bout=state.number,
        players=seats_of(state),
        rules=rules_told(state.rules),
        board=drawn_board(everything(table.bout)),
        open=open_now(state, table),
    )


def open_now(state: State, table: Table) -> Open:
    """Who may do what until when, and what each has."""
    bout, mover = table.bout, mover_of(table)
    traps = trap_awaited(table)
    shown = bout.has("T") and not (bout.has("N") and bout.rules["kf_45"] == "hidden")
    return Open(
        next=None if mover is None else _seat(state, mover),
        until=deadline(table),
        trap_by=_seat(state, bout.to_move.rival) if traps else None,
        trap_until=minute_over(table) if traps else None,
        # In Snapshot the thread is not told that a trap was sprung (KF-37).
        banned=()
        if bout.has("N")
        else tuple(_seat(state, side) for side in SIDES if _may_not_trap(bout, side)),
        closed=_closed(table),
        reserves=() if bout.has("B") else tuple(map(span, bout.reserve)),
        chips=bout.chips if bout.has("B") else (),
        points=bout.points if shown else (),
    )


def _may_not_trap(bout: Bout, side: Side) -> bool:
    """KF-30: whether it is the side's turn to trap, but for the ban."""
    return bout.banned[side] and (bout.has("B") or side is bout.to_move.rival)


def _closed(table: Table) -> tuple[ClosedColour, ...]:
    """KF-24: which colour is closed to whom; in Snapshot the PM says it."""
    bout, mover = table.bout, mover_of(table)
    if bout.has("N"):
        return ()
    sides = SIDES if mover is None else (mover,)
    return tuple(ClosedColour(side.name, colour) for side in sides if (colour := closed_colour(bout, side)))


def closed_colour(bout: Bout, side: Side) -> str:
    """The name of the colour on which the side may not place."""
    return _COLOUR_NAMES[letter_at(bout.colours, banned(bout, side))]


def happened(bout: Bout, played: Sequence[Turned]) -> tuple[TurnRow, ...]:
    """The turns with their numbers, in full; `bout` is as they left it."""
    turn, moves = bout.turns - len(played), bout.moves - sum(is_move(bout, entry) for entry in played)
    rows: list[TurnRow] = []
    for entry in played:
        turn, moves = turn + 1, moves + is_move(bout, entry)
        number = Numbered(turn, moves if is_move(bout, entry) else None, passes_apart(bout.rules))
        rows.append(_row(number, entry))
    return tuple(rows)


def turn_title(turn: Numbered) -> str:
    """“move 5”; “turn 5” where passes, which are no moves, are counted among the turns (KF-13)."""
    return f"{'turn' if turn.passes else 'move'} {turn.number}"


def turn_at_hand(bout: Bout) -> Numbered:
    """The turn that is played now, by its number."""
    return Numbered(bout.turns + 1, None, passes_apart(bout.rules))


def _row(number: Numbered, entry: Turned) -> TurnRow:
    match entry:
        case Passed(side, why, move):
            return TurnRow(str(why), number, side.name, write_move(move) if move else "")
        case Played(side, move, how, trapped, vanished, trap):
            return TurnRow(
                kind="played",
                turn=number,
                side=side.name,
                move=write_move(move),
                target=name_of(move.target),
                manure=name_of(move.manure) if move.manure else "",
                how=str(how),
                rival=side.rival.name,
                trapped=trapped,
                vanished=name_of(vanished) if vanished else "",
                trap=name_of(trap) if trap else "",
            )


@dataclass(frozen=True, slots=True)
class Truth:
    """What the thread and the moderator are both told after turns, worked out once: `happened` in full, the
    true board, what is open."""

    happened: tuple[TurnRow, ...]
    board: DrawnBoard
    open: Open


def truth(state: State, table: Table, played: Sequence[Turned]) -> Truth:
    """The bout as it stands after these turns."""
    seen = everything(table.bout, _latest(played))
    return Truth(happened(table.bout, played), drawn_board(seen), open_now(state, table))


def turn(state: State, bout: Bout, true: Truth) -> TurnPost:
    """KF section 4: what happened, the board, who is next; in Snapshot only that a turn passed (KF-37)."""
    if not bout.has("N"):
        return TurnPost(state.number, true.happened, true.board, true.open)
    # The latest turn as the thread may see it; one before it in the same round of bids is not told (P10).
    *before, last = true.happened
    told = [row for row in before if row.kind == Why.STUCK]
    hidden = replace(last.turn, moves=None)
    told.append(last if last.kind == Why.STUCK else TurnRow("done", hidden))
    return TurnPost(state.number, tuple(told), None, true.open)


def _latest(played: Sequence[Turned]) -> int:
    return next((entry.move.target for entry in reversed(played) if isinstance(entry, Played)), 0)


def moderator_turn(state: State, bout: Bout, true: Truth) -> ModeratorTurn:
    """The truth, and who is one move from winning."""
    return ModeratorTurn(
        bout=state.number,
        happened=true.happened,
        board=true.board,
        threats=tuple(threats(bout)),
        legal=(targets(bout, Side.X).bit_count(), targets(bout, Side.O).bit_count()),
        illegal=bout.illegal,
        open=replace(true.open, points=bout.points if bout.has("T") else ()),
    )


def threats(bout: Bout) -> Iterator[Threat]:
    """The moves of each side that would make four, or six points, before traps and other accidents."""
    for side in SIDES:
        # Where a placement can win at all: any square while enough stands in rows already.
        knights = bout.knights[side]
        promising = -1 if _wins(bout, side, 0, 0) else completing(knights, 3 if bout.has("T") else 4)
        near = placements(bout, side, promising)
        moves = [move for move in near if _wins(bout, side, move.target, move.source)]
        if moves:
            yield Threat(side.name, tuple(map(write_move, moves)))


def _wins(bout: Bout, side: Side, target: int, source: int) -> bool:
    knights = (bout.knights[side] & ~(source & bout.weak)) | target
    return runs_of_three(knights) >= GOAL if bout.has("T") else has_four(knights)


def told_bids(number: int, players: Seats, bout: Bout, entry: Bidden) -> BidsPost:
    """KF-23: both bids of bout `number`, or by option the winner's alone; who pays what; the balances."""
    x, o = (
        "not told"
        if side is entry.winner.rival and bout.rules["kf_23"] == "no"
        else "none"
        if (bid := entry.bids[side]) is None
        else str(bid)
        for side in SIDES
    )
    return BidsPost(number, players, (x, o), entry.winner.name, entry.paid, bout.chips)


def time_up(state: State, table: Table) -> TimeUp:
    """KF-09: who is out of time, and who may move for them."""
    mover = mover_of(table) or Side.X
    return TimeUp(_seat(state, mover), _seat(state, mover.rival), deadline(table), table.bout.has("S"))


def bout_end(before: State, done: Finished, played: Sequence[Turned]) -> BoutEnd:
    """Who won by what, the last board, the full record."""
    bout = done.bout
    winner, reason = (bout.ended.winner, bout.ended.reason) if bout.ended else (None, Reason.CALLED)
    return BoutEnd(
        bout=before.number,
        winner=None if winner is None else _seat(before, winner),
        reason=str(reason),
        moves=bout.moves,
        happened=happened(bout, played),
        points=bout.points if bout.has("T") else (),
        record=write(record_of(done.first, bout)).rstrip("\n"),
        board=drawn_board(everything(bout, _latest(played))),
    )


def match_end(state: State) -> MatchEnd:
    """The bouts with their moves, and the deciding rule (KF-10 to KF-12)."""
    verdict = verdict_of(state)
    return MatchEnd(
        bouts=tuple(_bout_row(state, number, done) for number, done in enumerate(state.done, start=1)),
        winner=slot_of(state, verdict.winner) if verdict else None,
        player=str(verdict.winner) if verdict else "",
        why=str(verdict.why) if verdict else "",
    )


def _bout_row(state: State, number: int, done: Finished) -> BoutRow:
    x, o = (slot_of(state, player) for player in players_of(number, done.chosen))
    ended = done.bout.ended
    winner = None if ended is None or ended.winner is None else (x, o)[ended.winner]
    board = drawn_board(everything(done.bout))
    return BoutRow(number, x, o, winner, str(ended.reason) if ended else "", done.bout.moves, board)


def snapshot_pm(state: State, table: Table, side: Side, played: Sequence[Turned]) -> SnapshotPm:
    """KF-37, KF-38: a player's PM in Snapshot: their board and what they may know of the latest turns."""
    bout, mover = table.bout, mover_of(table)
    return SnapshotPm(
        name=seats(state)[side],
        side=side.name,
        bout=state.number,
        news=tuple(_news(row, side) for row in happened(bout, played)),
        closed=closed_colour(bout, side),
        manure_left=bout.manure_left[side] if bout.has("A") else None,
        board=drawn_board(snapshot(bout, side)),
        next="" if mover is None else mover.name,
        until=deadline(table),
        offer=offer_to(state, seats(state)[side]),
    )


def _news(row: TurnRow, side: Side) -> NewsRow:
    """P19: of the rival's move only the square and its manure, of an illegal one only that it was a pass."""
    if row.side == side.name:
        own = {each.name: getattr(row, each.name) for each in fields(row)}
        return NewsRow(**own, own=True)
    if row.kind == Why.ILLEGAL:
        return NewsRow("passed", row.turn)
    return NewsRow(row.kind, row.turn, target=row.target, manure=row.manure, trapped=row.trapped)


def events(before: State, after: State) -> Iterator[Event]:
    """Everything that a step is to be told by."""
    ended = len(after.done) > len(before.done)
    if ended:
        done = after.done[-1]
        known = before.table.bout if before.table else done.first
        fresh = done.bout.record[len(known.record) :]
        yield from _bids(before, done.bout, fresh)
        yield Announced(bout_end(before, done, _turns(fresh)))
    elif before.table is not None and after.table is not None:
        yield from _went_on(before.table, after, after.table)
    if before.table is None and after.table is not None:
        yield from bout_begins(after, after.table)
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        yield Announced(match_end(after))
    elif ended and after.phase is Phase.SIDES:
        yield Announced(sides(after))


def bout_begins(state: State, table: Table) -> Iterator[Event]:
    """The first post of a bout; in Snapshot both opening knights are public (KF-37)."""
    yield Announced(bout_start(state, table))
    yield from _boards(state, table, ())


def _went_on(old: Table, state: State, table: Table) -> Iterator[Event]:
    fresh = table.bout.record[len(old.bout.record) :]
    yield from _bids(state, table.bout, fresh)
    played = _turns(fresh)
    if played:
        true = truth(state, table, played)
        yield Announced(turn(state, table.bout, true))
        yield from _boards(state, table, played)
        yield Noted(moderator_turn(state, table.bout, true))
    if table.turn.stand_in and not old.turn.stand_in:
        yield Announced(time_up(state, table))


def _turns(fresh: Sequence[Entry]) -> tuple[Turned, ...]:
    return tuple(entry for entry in fresh if isinstance(entry, Played | Passed))


def _bids(state: State, bout: Bout, fresh: Sequence[Entry]) -> Iterator[Event]:
    for entry in fresh:
        if isinstance(entry, Bidden):
            yield Announced(told_bids(state.number, seats_of(state), bout, entry))


def _boards(state: State, table: Table, played: Sequence[Turned]) -> Iterator[Event]:
    """KF-37: to each player their own board."""
    if table.bout.has("N"):
        for side in SIDES:
            yield Told((seats(state)[side],), snapshot_pm(state, table, side, played))


def receipt(state: State, slot: SlotId, at: datetime, refused: Refused) -> Iterator[Event]:
    """To who sent something: what was refused and what can be sent, and what is on file and waits."""
    side, table = side_of(state, slot), state.table
    # A trap of before the time was up stands, but it cannot be changed any more.
    lines = standing(table, side) if table and side is not None and not table.turn.stand_in else ()
    if lines or refused:
        turn = Numbered(0, None, False) if table is None else turn_at_hand(table.bout)
        not_taken = tuple(NotTaken(line, why.text) for line, why in refused)
        when = received(at)
        yield Told((slot,), Receipt(slot, when, turn, not_taken, lines, offer_to(state, slot)))


_MOST = 40
"""Of more moves than this an example is told."""


def offer_to(state: State, slot: SlotId) -> Offer:
    """What a player can send now. In Snapshot no squares are named: they are to be remembered (KF-40)."""
    side, table = side_of(state, slot), state.table
    if state.phase is Phase.SIDES and slot == chooses(state):
        return Offer("side")
    if table is None or side is None or table.turn.stopped:
        return Offer("wait")
    bout, mover = table.bout, mover_of(table)
    hidden = bout.has("N")

    def example(moves: tuple[str, ...]) -> str:
        usual = "F6>E4" if bout.has("S") else "E4"
        return usual if hidden or not moves else moves[0]

    if side in bidders(table):
        moves = () if hidden else tuple(map(write_move, placements(bout, side)))
        return Offer("bid", example=example(moves), chips=bout.chips[side])
    if mover is None or (mover is not side and not table.turn.stand_in):
        return Offer("trap" if trap_open(table) else "wait")
    if table.turn.stand_in and mover is side:
        return Offer("wait")
    legal = placements(bout, mover)
    if table.turn.stand_in:  # KF-09: not onto their own trap, unless nothing else is legal
        trap = table.turn.traps[side] or 0
        legal = [move for move in legal if move.target != trap] or legal
    moves = () if hidden else tuple(map(write_move, legal))
    kind = "stand_in" if table.turn.stand_in else "move"
    return Offer(kind, mover.name, moves if len(moves) <= _MOST else (), example(moves))
