"""Knight Fight on the core protocol: what is open, and what a message or a closing window changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from knightfall.engine.commands import lines_of
from knightfall.engine.game import (
    Announced,
    Awaited,
    Event,
    Facts,
    Game,
    Message,
    Outcome,
    Refusal,
    Silence,
    Spec,
    Step,
    View,
    Window,
)
from knightfall.engine.lines import Choices, descend
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.knight_fight import facts, flow, table, views
from knightfall.games.knight_fight import flow as rounds
from knightfall.games.knight_fight.announce import events, receipt
from knightfall.games.knight_fight.board import SIDES, Side, name_of
from knightfall.games.knight_fight.codes import Code, refusal
from knightfall.games.knight_fight.drawn import drawn_board, everything
from knightfall.games.knight_fight.events import ByHand
from knightfall.games.knight_fight.lines import line_tree
from knightfall.games.knight_fight.options import OPTIONS, RULINGS, parse_options
from knightfall.games.knight_fight.state import (
    Phase,
    State,
    begin,
    chooses,
    finish,
    seats,
    side_of,
    slot_of,
    verdict_of,
)
from knightfall.games.knight_fight.submissions import moderate, take
from knightfall.games.knight_fight.table import (
    Table,
    bidders,
    deadline,
    minute_over,
    moved,
    mover_of,
    trap_open,
)
from knightfall.sentence import SlotId

SIDE, TURN, TRAP, STAND_IN, BIDS = "side", "turn", "trap", "stand_in", "bids"
_SILENCE: Mapping[str, Silence] = {
    SIDE: Silence("X", "KF-03"),
    BIDS: Silence("a bid of 0 without a move", "KF-22"),
    TURN: Silence("the rival moves instead, or a move is drawn", "KF-09"),
    STAND_IN: Silence("a legal move is drawn", "KF-09"),
    TRAP: Silence("no trap", "KF-27"),
}


class KnightFight(Game[State]):
    """A match of two bouts, with any of seven anomalies."""

    spec = Spec(
        "knight_fight", "Knight Fight", range(2, 3), OPTIONS, RULINGS, ("anomalies", "move_time", "reserve")
    )

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """DMO and EC, in this order. Raises InputError for other numbers of players or a bad option."""
        if len(set(slots)) != 2 or len(slots) != 2:
            names = ", ".join(map(str, slots)) or "none"
            players = f"{'player' if len(slots) == 1 else 'players'}: {names}"
            raise InputError(f"Knight Fight is played by two, DMO and EC; found {len(slots)} {players}.")
        state = State(parse_options(options), (slots[0], slots[1]))
        return Step(state, (Announced(facts.opening(state)),))

    def windows(self, state: State) -> tuple[Window, ...]:
        """A side to choose, a move, a trap, bids, or a move for who is out of time."""
        if state.phase is Phase.SIDES:
            closes = table.after(state.since, state.rules.move_time) if state.since else None
            title = f"Choice of sides for bout {state.number}"
            return (Window(SIDE, title, (chooses(state),), False, state.since, closes),)
        return tuple(_windows(state, state.table)) if state.table else ()

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:
        """Apply a message whole; the moderator can stop the clock."""
        if message.slot is None:
            return moderate(state, message)
        if state.phase is Phase.OVER:
            over = tuple((line, refusal(Code.BOUT_OVER)) for line in lines_of(message.text))
            return Step(state, tuple(receipt(state, message.slot, message.at, over)), over)
        after, refused = take(state, message, draw)
        told = receipt(after, message.slot, message.at, refused)
        return Step(after, (*told, *events(state, after)), refused)

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """The time of a window is up. Closing what is not open is refused."""
        if kind not in [window.kind for window in self.windows(state)]:
            return Step(state, (), ((f"close {kind}", Refusal("WRONG_PHASE", f"no {kind} is open")),))
        after: State
        here = draw.at("bout", state.number)
        if state.table is None:
            after = begin(state, Side.X, at, draw)  # KF-03: no answer
        else:
            table = state.table
            match kind:
                case "bids":
                    table = rounds.resolve(table, at)
                case "trap":
                    table = flow.end_trap(table, at)
                case "stand_in":
                    table = flow.end_stand_in(table, at, here)
                case _:
                    table = flow.end_move(table, at)
            after = finish(replace(state, table=table), at)
        return Step(after, tuple(events(state, after)))

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """KF-08: a move is in time by the deadline that the moderator gave, and nobody's reserve pays for
        what lies beyond the clocks."""
        if state.table is None or kind not in (TURN, TRAP, STAND_IN, BIDS):
            return state
        return replace(state, table=moved(state.table, trap=kind == TRAP, until=until, at=at))

    def continuations(self, state: State, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:
        """A move, a bid, a trap, a side; in Snapshot as far as the player knows."""
        return descend(line_tree(state, slot), parts)

    def awaits(self, state: State, window: Window) -> tuple[Awaited, ...]:
        """Whoever the window is open for; a bid and a trap on file stand until it closes."""
        return tuple(Awaited(slot, _on_file(state, window.kind, slot)) for slot in window.slots)

    def listens(self, state: State, slot: SlotId) -> bool:
        """Both, until the match is over; who is not to move is told so."""
        return state.phase is not Phase.OVER and slot in state.slots

    def silence(self, kind: str) -> Silence | None:
        """KF-03, KF-09, KF-22 and KF-27."""
        return _SILENCE.get(kind)

    def drawn_by_hand(self, state: State, label: str, value: object) -> Event | None:
        """Who drew a move or the colours is public; in Snapshot not which move (KF-37)."""
        move = str(value) if label == flow.RNG_MOVE and "N" not in state.rules.anomalies else ""
        return Announced(ByHand(label != flow.RNG_MOVE, move))

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Facts | None:
        """The rules with every anomaly that was chosen. Raises InputError for a bad option."""
        return facts.setup_post(slots, parse_options(options))

    def is_live(self, options: Mapping[str, object]) -> bool:
        """KF-08: with minutes for a move, not hours. Raises InputError for a bad option."""
        return parse_options(options).move_time < 3600

    def board(self, state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> str:
        """The board in letters; in Snapshot a player's own, and none for anybody else. Between bouts and
        after the match the one that the latest bout ended with."""
        if state.table is None and state.done:
            return drawn_board(everything(state.done[-1].bout)).text
        seen = views.seen_by(state, slot).board
        return seen.text if seen else ""

    def view(self, state: State, slot: SlotId | None) -> View:
        """What that slot, or the public, may know."""
        return views.view(state, slot)

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """Both."""
        return state.slots

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the match goes on."""
        verdict = verdict_of(state) if state.phase is Phase.OVER else None
        return Outcome(str(verdict.winner), (slot_of(state, verdict.winner),)) if verdict else None


KNIGHT_FIGHT = KnightFight()


def _windows(state: State, table: Table) -> Iterator[Window]:
    """What is open in a bout. A move on file can still be replaced while a trap is awaited (KF-04)."""
    players, bout, mover = seats(state), table.bout, mover_of(table)
    since, closes = table.turn.since, deadline(table)
    secret = bool(state.rules.anomalies & {"B", "H", "N"})
    if bidding := bidders(table):
        slots = tuple(players[side] for side in bidding)
        yield Window(BIDS, f"Bids for move {bout.turns + 1}", slots, True, since, closes)
    elif table.turn.stand_in and mover is not None:
        title = f"A move for {mover.name}"
        yield Window(STAND_IN, title, (players[mover.rival],), bout.has("N"), since, closes)
    elif mover is not None:
        yield from _turn_windows(table, players, mover, secret)


def _turn_windows(
    table: Table, players: Mapping[Side, SlotId], mover: Side, secret: bool
) -> Iterator[Window]:
    since, number = table.turn.since, table.bout.turns + 1
    waiting = table.turn.waiting is not None
    if trap_open(table):
        slots = tuple(players[side] for side in SIDES if waiting or side is not mover)
        yield Window(TRAP, f"A trap against move {number}", slots, True, since, minute_over(table))
    if not waiting:
        yield Window(TURN, f"Move {number}", (players[mover],), secret, since, deadline(table))


def _on_file(state: State, kind: str, slot: SlotId) -> tuple[str, ...]:
    """What of a slot's stands in a window that is still open: a bid, or a trap."""
    side, table = side_of(state, slot), state.table
    if side is None or table is None:
        return ()
    if kind == BIDS and table.turn.bids[side] is not None:
        return ("BID",)
    if kind == TRAP and table.turn.waiting is not None and side is mover_of(table):
        return views.standing(table, side)
    if kind == TRAP and (square := table.turn.traps[side]) is not None:
        return (f"TRAP: {name_of(square)}" if square else "NO TRAP",)
    return ()
