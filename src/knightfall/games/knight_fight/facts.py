"""What the write-ups of Knight Fight need: names, numbers, boards, words of the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

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
from knightfall.games.knight_fight.bout import Bidden, Bout, Entry, Passed, Played, Reason, Why
from knightfall.games.knight_fight.drawn import Seen, columns_of, everything, rows_of, text_board
from knightfall.games.knight_fight.moves import placements, targets
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.options import letters_of
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

_COLOUR_NAMES = {"R": "red", "B": "blue", "Y": "yellow", "": ""}


def until(at: datetime | None) -> str:
    """`21:01 UTC on 3 January`, with seconds where they are not zero; empty while no clock runs."""
    if at is None:
        return ""
    instant = at.astimezone(UTC)
    clock = instant.time().isoformat("seconds" if instant.second else "minutes")
    return f"{clock} UTC on {instant.day} {instant:%B}"


def span(seconds: float) -> str:
    """`3:00`, `72:00:00`: what is left of a clock."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


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


def board(seen: Seen) -> dict[str, object]:
    """The board as text and as cells."""
    return {"board": text_board(seen), "columns": columns_of(seen), "rows": list(rows_of(seen))}


def names(state: State) -> dict[str, str]:
    """Who plays X and O."""
    return {side.name: slot for side, slot in seats(state).items()}


def opening(state: State) -> dict[str, object]:
    """The Death Match, before the first bout."""
    rules = state.rules
    listed = [{"letter": a.letter, "name": a.name, "rule": a.rule} for a in in_force(rules.anomalies)]
    return {
        "dmo": state.slots[0],
        "ec": state.slots[1],
        "anomalies": listed,
        "letters": letters_of(rules.anomalies),
        "rows": rules.board.rows,
        "cols": rules.board.cols,
        "move_time": time_in_words(rules.move_time),
        "reserve": "" if "B" in rules.anomalies else time_in_words(rules.reserve),
        "chooser": chooses(state),
    }


def bout_start(state: State, table: Table) -> dict[str, object]:
    """KF section 4: sides, anomalies, colours, clocks, and the board."""
    bout = table.bout
    return {
        "bout": state.number,
        "players": names(state),
        **{
            key: value
            for key, value in opening(state).items()
            if key in ("anomalies", "move_time", "reserve")
        },
        **board(everything(bout)),
        "coloured": bout.has("C"),
        "snapshot": bout.has("N"),
        **_named(state, _open(table)),
    }


def _named(state: State, open_: dict[str, object]) -> dict[str, object]:
    """What is open, with the names of who moves and who may trap."""
    players = names(state)
    said = {f"{who}_name": players.get(str(open_[who]), "") for who in ("next", "trap_by")}
    return open_ | said


def _open(table: Table) -> dict[str, object]:
    """Who may do what until when, and what each has."""
    bout, mover = table.bout, mover_of(table)
    waits = bout.to_move.rival.name if trap_awaited(table) else ""
    shown = bout.has("T") and not (bout.has("N") and bout.rules["kf_45"] == "hidden")
    return {
        "next": mover.name if mover is not None else "",
        "until": until(deadline(table)),
        "trap_by": waits,
        "trap_until": until(minute_over(table)) if waits else "",
        "closed": _closed(table),
        "reserves": [] if bout.has("B") else [span(left) for left in bout.reserve],
        "chips": list(bout.chips) if bout.has("B") else [],
        "points": list(bout.points) if shown else [],
    }


def _closed(table: Table) -> list[dict[str, str]]:
    """KF-24: which colour is closed to whom; in Snapshot the PM says it."""
    bout, mover = table.bout, mover_of(table)
    if bout.has("N"):
        return []
    sides = SIDES if mover is None else (mover,)
    return [{"side": side.name, "colour": colour} for side in sides if (colour := closed_colour(bout, side))]


def closed_colour(bout: Bout, side: Side) -> str:
    """The name of the colour on which the side may not place."""
    return _COLOUR_NAMES[letter_at(bout.colours, banned(bout, side))]


def happened(bout: Bout, played: Sequence[Entry]) -> list[dict[str, object]]:
    """The turns with their numbers, in full."""
    first = bout.turns - len(played) + 1
    return [{"number": first + place, **_entry(entry)} for place, entry in enumerate(played)]


def _entry(entry: Entry) -> dict[str, object]:
    match entry:
        case Played(side, move, how, trapped, vanished, trap):
            return {
                "kind": "played",
                "side": side.name,
                "move": write_move(move),
                "target": name_of(move.target),
                "manure": name_of(move.manure) if move.manure else "",
                "how": str(how),
                "rival": side.rival.name,
                "trapped": trapped,
                "vanished": name_of(vanished) if vanished else "",
                "trap": name_of(trap) if trap else "",
            }
        case Passed(side, why, move):
            return {"kind": str(why), "side": side.name, "move": write_move(move) if move else ""}
    return {}


@dataclass(frozen=True, slots=True)
class Truth:
    """What the thread and the moderator are both told after turns, worked out once: `happened` in full, the
    true board, what is open."""

    happened: list[dict[str, object]]
    board: dict[str, object]
    open: dict[str, object]


def truth(table: Table, played: Sequence[Entry]) -> Truth:
    """The bout as it stands after these turns."""
    seen = everything(table.bout, _latest(played))
    return Truth(happened(table.bout, played), board(seen), _open(table))


def turn(state: State, bout: Bout, true: Truth) -> dict[str, object]:
    """KF section 4: what happened, the board, who is next; in Snapshot only that a turn passed (KF-37)."""
    told, shown = true.happened, true.board
    if bout.has("N"):
        told = [item for item in told[:-1] if item["kind"] == Why.STUCK] + _hidden(told[-1])
        shown = {"board": "", "columns": [], "rows": []}
    return {
        "bout": state.number,
        "happened": told,
        "coloured": bout.has("C"),
        **shown,
        **_named(state, true.open),
    }


def _hidden(item: dict[str, object]) -> list[dict[str, object]]:
    """The latest turn as the thread may see it; one before it in the same round of bids is not told (P10)."""
    return [item if item["kind"] == Why.STUCK else {"kind": "done", "number": item["number"]}]


def _latest(played: Sequence[Entry]) -> int:
    return next((entry.move.target for entry in reversed(played) if isinstance(entry, Played)), 0)


def moderator_turn(state: State, bout: Bout, true: Truth) -> dict[str, object]:
    """The truth, and who is one move from winning."""
    return {
        "bout": state.number,
        "happened": true.happened,
        **true.board,
        "threats": list(threats(bout)),
        "legal": [targets(bout, side).bit_count() for side in SIDES],
        "illegal": bout.illegal,
        **_named(state, true.open),
        "points": list(bout.points) if bout.has("T") else [],
    }


def threats(bout: Bout) -> Iterator[dict[str, object]]:
    """The moves of each side that would make four, or six points, before traps and other accidents."""
    for side in SIDES:
        # Where a placement can win at all: any square while enough stands in rows already.
        knights = bout.knights[side]
        promising = -1 if _wins(bout, side, 0, 0) else completing(knights, 3 if bout.has("T") else 4)
        near = placements(bout, side, promising)
        moves = [move for move in near if _wins(bout, side, move.target, move.source)]
        if moves:
            yield {"side": side.name, "moves": list(map(write_move, moves))}


def _wins(bout: Bout, side: Side, target: int, source: int) -> bool:
    knights = (bout.knights[side] & ~(source & bout.weak)) | target
    return runs_of_three(knights) >= GOAL if bout.has("T") else has_four(knights)


def bids(state: State, bout: Bout, entry: Bidden) -> dict[str, object]:
    """KF-23: both bids, or by option the winner's alone; who pays what; the balances."""
    shown = ["none" if bid is None else str(bid) for bid in entry.bids]
    if bout.rules["kf_23"] == "no":
        shown[entry.winner.rival] = "not told"
    players = names(state)
    return {
        "bout": state.number,
        "players": players,
        "bids": shown,
        "winner": entry.winner.name,
        "paid": entry.paid,
        "chips": list(bout.chips),
    }


def time_up(state: State, table: Table) -> dict[str, object]:
    """KF-09: who is out of time, and who may move for them."""
    mover = mover_of(table) or Side.X
    return {
        "side": mover.name,
        "players": names(state),
        "rival": mover.rival.name,
        "until": until(deadline(table)),
        "source": table.bout.has("S"),
    }


def bout_end(before: State, done: Finished, played: Sequence[Entry]) -> dict[str, object]:
    """Who won by what, the last board, the full record."""
    bout, players = done.bout, names(before)
    winner, reason = (bout.ended.winner, bout.ended.reason) if bout.ended else (None, Reason.CALLED)
    return {
        "bout": before.number,
        "players": players,
        "winner": None if winner is None else winner.name,
        "winner_name": "" if winner is None else players[winner.name],
        "reason": str(reason),
        "moves": bout.moves,
        "happened": happened(bout, played),
        "points": list(bout.points) if bout.has("T") else [],
        "coloured": bout.has("C"),
        "record": write(record_of(done.first, bout)).rstrip("\n"),
        **board(everything(bout, _latest(played))),
    }


def match_end(state: State) -> dict[str, object]:
    """The bouts with their moves, and the deciding rule (KF-10 to KF-12)."""
    verdict = verdict_of(state)
    return {
        "bouts": [_bout_row(state, number, done) for number, done in enumerate(state.done, start=1)],
        "winner": slot_of(state, verdict.winner) if verdict else "",
        "player": str(verdict.winner) if verdict else "",
        "why": str(verdict.why) if verdict else "",
    }


def _bout_row(state: State, number: int, done: Finished) -> dict[str, object]:
    x, o = (slot_of(state, player) for player in players_of(number, done.chosen))
    ended = done.bout.ended
    winner = None if ended is None or ended.winner is None else (x, o)[ended.winner]
    return {
        "number": number,
        "x": x,
        "o": o,
        "winner": winner,
        "reason": str(ended.reason) if ended else "",
        "moves": done.bout.moves,
    }
