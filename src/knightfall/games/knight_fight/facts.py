"""What the write-ups of Knight Fight need: names, numbers, boards, words of the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import TypeAlias

from knightfall.games.knight_fight.anomalies import in_force
from knightfall.games.knight_fight.anomalies.coloration import banned, letter_at
from knightfall.games.knight_fight.anomalies.tic_tac_toe import GOAL
from knightfall.games.knight_fight.board import (
    SIDES,
    Side,
    completing,
    has_four,
    name_of,
    runs_of_three,
)
from knightfall.games.knight_fight.bout import Bidden, Bout, Passed, Played, Reason, Why
from knightfall.games.knight_fight.drawn import DrawnBoard, drawn_board, everything, snapshot
from knightfall.games.knight_fight.events import (
    AnomalyRow,
    BidsPost,
    BoutEnd,
    BoutRow,
    BoutStart,
    ClosedColour,
    FightRules,
    MatchEnd,
    ModeratorTurn,
    NewsRow,
    Open,
    Opening,
    Seat,
    Seats,
    SetupPost,
    Sides,
    SnapshotPm,
    Threat,
    TimeUp,
    TurnPost,
    TurnRow,
)
from knightfall.games.knight_fight.moves import placements, targets
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.options import Rules, letters_of
from knightfall.games.knight_fight.record import record_of, write
from knightfall.games.knight_fight.state import (
    Finished,
    State,
    chooses,
    players_of,
    seats,
    slot_of,
    verdict_of,
)
from knightfall.games.knight_fight.table import Table, deadline, minute_over, mover_of, trap_awaited
from knightfall.sentence import SlotId

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
        extra_bout=rules["kf_12"] == "extra_bout",
        turns_count=rules["kf_13"] == "turns",
        manure_shared=rules["kf_14"] == "together",
        manure_stays=rules["kf_16"] == "both_bouts",
        chips_once=rules["kf_18"] == "once",
        x_wins_first=rules["first_bid"] == "x_wins_auto",
        tie_pays=rules["tie_pays"] == "yes",
        losing_bid_told=rules["kf_23"] == "yes",
        trap_colours=rules["trap_square_sets_colour"] == "yes",
        trap_told=rules["kf_27"] == "yes",
        source_vanishes=rules["kf_32"] == "vanishes",
        errors_pass=rules["kf_38"] == "pass",
        pass_shown=rules["kf_39"] == "passed",
        last_mover_wins=rules["kf_44"] == "last_mover",
        points_hidden=rules["kf_45"] == "hidden",
        manure_fizzles=rules["kf_p05"] == "fizzles",
        refund=rules["kf_p10"] == "refund",
        points_by_round=rules["recount"] == "round",
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
        closed=_closed(table),
        reserves=() if bout.has("B") else tuple(map(span, bout.reserve)),
        chips=bout.chips if bout.has("B") else (),
        points=bout.points if shown else (),
    )


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
    """The turns with their numbers, in full."""
    first = bout.turns - len(played) + 1
    return tuple(_row(first + place, entry) for place, entry in enumerate(played))


def _row(number: int, entry: Turned) -> TurnRow:
    match entry:
        case Passed(side, why, move):
            return TurnRow(str(why), number, side.name, write_move(move) if move else "")
        case Played(side, move, how, trapped, vanished, trap):
            return TurnRow(
                kind="played",
                number=number,
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
    told.append(last if last.kind == Why.STUCK else TurnRow("done", last.number))
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


def bids(state: State, bout: Bout, entry: Bidden) -> BidsPost:
    """KF-23: both bids, or by option the winner's alone; who pays what; the balances."""
    x, o = (
        "not told"
        if side is entry.winner.rival and bout.rules["kf_23"] == "no"
        else "none"
        if (bid := entry.bids[side]) is None
        else str(bid)
        for side in SIDES
    )
    return BidsPost(state.number, seats_of(state), (x, o), entry.winner.name, entry.paid, bout.chips)


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
    )


def _news(row: TurnRow, side: Side) -> NewsRow:
    """P19: of the rival's move only the square and its manure, of an illegal one only that it was a pass."""
    if row.side == side.name:
        own = {each.name: getattr(row, each.name) for each in fields(row)}
        return NewsRow(**own, own=True)
    if row.kind == Why.ILLEGAL:
        return NewsRow("passed", row.number)
    return NewsRow(row.kind, row.number, target=row.target, manure=row.manure, trapped=row.trapped)
