"""Knight Fight on the core protocol: what is open, and what a message or a closing window changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from knightfall.engine.commands import Order
from knightfall.engine.game import (
    Announced,
    Event,
    Facts,
    Message,
    Outcome,
    Refusal,
    Silence,
    Spec,
    Step,
    Window,
)
from knightfall.engine.lines import Choices
from knightfall.engine.rng import Rng
from knightfall.engine.round_game import RoundGame
from knightfall.errors import InputError
from knightfall.games.knight_fight import rules, views
from knightfall.games.knight_fight.board import SIDES, Side, name_of
from knightfall.games.knight_fight.events import ByHand
from knightfall.games.knight_fight.options import OPTIONS, RULINGS, parse_options
from knightfall.games.knight_fight.orders import decide, line_tree, moderate, take
from knightfall.games.knight_fight.rules import begin, bidders, finish
from knightfall.games.knight_fight.state import (
    Code,
    Phase,
    State,
    Table,
    chooses,
    deadline,
    minute_over,
    moved,
    mover_of,
    refusal,
    seats,
    seconds_later,
    side_of,
    slot_of,
    trap_open,
    verdict_of,
)
from knightfall.games.knight_fight.views import (
    drawn_board,
    events,
    everything,
    receipt,
    turn_at_hand,
    turn_title,
)
from knightfall.sentence import SlotId, sentence

SIDE, TURN, TRAP, STAND_IN, BIDS = "side", "turn", "trap", "stand_in", "bids"


class KnightFight(RoundGame[State]):
    """A match of two bouts, with any of seven anomalies."""

    spec = Spec(
        "knight_fight",
        "Knight Fight",
        range(2, 3),
        OPTIONS,
        RULINGS,
        ("anomalies", "move_time", "reserve"),
        seats=("Deathmatch Opponent", "Elimination Candidate"),
        # Earlier games gave the first choice no deadline, and moved a trap's with that of its move: they are
        # replayed so.
        begun_with={"first_choice": "game", "trap_deadline": "apart"},
    )
    silences: ClassVar[Mapping[str, Silence]] = {
        SIDE: Silence("X", "KF-03"),
        BIDS: Silence("a bid of 0 without a move", "KF-22"),
        TURN: Silence("the rival moves instead, or a move is drawn", "KF-09"),
        STAND_IN: Silence("a legal move is drawn", "KF-09"),
        TRAP: Silence("no trap", "KF-27"),
    }

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """DMO and EC, in this order. Raises InputError for other numbers of players or a bad option."""
        if len(set(slots)) != 2 or len(slots) != 2:
            names = ", ".join(map(str, slots)) or "none"
            players = f"{'player' if len(slots) == 1 else 'players'}: {names}"
            raise InputError(f"Knight Fight is played by two, DMO and EC; found {len(slots)} {players}.")
        state = State(parse_options(options), (slots[0], slots[1]))
        return Step(state, (Announced(views.opening(state)),))

    def begin(
        self, slots: Sequence[SlotId], options: Mapping[str, object], at: datetime, draw: Rng
    ) -> Step[State]:
        """KF-03: the first choice of a side has its time from the beginning, but in one sitting, where the
        clock begins with the moderator's post."""
        step = self.setup(slots, options, draw)
        if step.state.rules.from_the_start:
            return replace(step, state=replace(step.state, since=at))
        return step

    def windows(self, state: State) -> tuple[Window, ...]:
        """A side to choose, a move, a trap, bids, or a move for who is out of time."""
        if state.phase is Phase.SIDES:
            closes = seconds_later(state.since, state.rules.move_time) if state.since else None
            title = f"Choice of sides for bout {state.number}"
            return (Window(SIDE, title, (chooses(state),), False, state.since, closes, choice=True),)
        return tuple(_windows(state, state.table)) if state.table else ()

    def take(self, state: State, lines: tuple[str, ...], message: Message, draw: Rng) -> Step[State]:
        """A message whole, its receipt before what it leads to; the moderator can stop the clock."""
        if message.slot is None:
            return super().take(state, lines, message, draw)
        if state.phase is Phase.OVER:
            over = tuple((line, refusal(Code.BOUT_OVER)) for line in lines)
            return Step(state, tuple(receipt(state, message.slot, message.at, over)), over)
        after, refused = take(state, message, draw)
        told = receipt(after, message.slot, message.at, refused)
        return Step(after, (*told, *events(state, after)), refused)

    def obey(self, state: State, order: Order, at: datetime, draw: Rng) -> Step[State]:
        """The match without one of the two."""
        return decide(state, order, at)

    def take_line(self, state: State, line: str, message: Message, draw: Rng) -> Step[State]:
        """One line of the moderator."""
        return moderate(state, line, message)

    def reveal(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """The time of a window is up."""
        after: State
        here = draw.at("bout", state.number)
        if state.table is None:
            after = begin(state, Side.X, at, draw)  # KF-03: no answer
        else:
            table = state.table
            match kind:
                case "bids":
                    table = rules.resolve(table, at)
                case "trap":
                    table = rules.end_trap(table, at)
                case "stand_in":
                    table = rules.end_stand_in(table, at, here)
                case _:
                    table = rules.end_move(table, at)
            after = finish(replace(state, table=table), at)
        return Step(after, tuple(events(state, after)))

    def cautions(self, state: State, window: Window) -> tuple[str, ...]:
        """KF-03: in one sitting the first choice of a side has no clock that the game could keep, for it
        begins with the moderator's post."""
        if window.kind != SIDE or window.closes is not None:
            return ()
        time = views.time_in_words(state.rules.move_time)
        chooser = chooses(state)
        return (
            sentence(
                "{chooser} has {time} from your opening post to choose. Closed now, {chooser} plays X.",
                chooser=chooser,
                time=time,
            ),
        )

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """KF-08: a move is in time by the deadline that the moderator gave, and nobody's reserve pays for
        what lies beyond the clocks."""
        kind = _window_meant(state, kind)
        if state.table is None or kind not in (TURN, TRAP, STAND_IN, BIDS):
            return state
        return replace(state, table=moved(state.table, trap=kind == TRAP, until=until, at=at))

    def lines(self, state: State, slot: SlotId | None) -> Choices:
        """A move, a bid, a trap, a side; in Snapshot as far as the player knows."""
        return line_tree(state, slot)

    def standing(self, state: State, kind: str, slot: SlotId) -> tuple[str, ...]:
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

    def unheard(self, state: State, slot: SlotId | None) -> Refusal | None:
        """Nobody: what is not taken, after the end, too, stands in a receipt."""
        return None

    def listens(self, state: State, slot: SlotId) -> bool:
        """Both, until the match is over; who is not to move is told so."""
        return state.phase is not Phase.OVER and slot in state.slots

    def drawn_by_hand(self, state: State, draws: Sequence[tuple[str, object]]) -> tuple[Event, ...]:
        """Who drew a move or the colours is public; in Snapshot not which move (KF-37)."""
        moves = [value for label, value in draws if label == rules.RNG_MOVE]
        secret = "N" in state.rules.anomalies
        told = [ByHand(colours=False, move="" if secret else str(move)) for move in moves]
        colours = [ByHand(colours=True, move="")] if len(moves) < len(draws) else []
        return tuple(map(Announced, (*colours, *told)))

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Facts | None:
        """The rules with every anomaly that was chosen. Raises InputError for a bad option."""
        return views.setup_post(slots, parse_options(options))

    def is_live(self, options: Mapping[str, object]) -> bool:
        """KF-08: with minutes for a move, not hours. Raises InputError for a bad option."""
        return parse_options(options).is_live

    def board(self, state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> str:
        """The board in letters; in Snapshot a player's own, and none for anybody else. Between bouts and
        after the match the one that the latest bout ended with."""
        if state.table is None and state.done:
            return drawn_board(everything(state.done[-1].bout)).text
        seen = views.seen_by(state, slot).board
        return seen.text if seen else ""

    def seen_by(self, state: State, slot: SlotId | None) -> Facts:
        """The board as they may see it, and for a player their own side of it."""
        return views.seen_by(state, slot)

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """Both."""
        return state.slots

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the match goes on."""
        verdict = verdict_of(state) if state.phase is Phase.OVER else None
        return Outcome(str(verdict.winner), (slot_of(state, verdict.winner),)) if verdict else None


KNIGHT_FIGHT = KnightFight()


_BY_MOVES = re.compile(r"(?P<what>a-trap-against-|bids-for-|)move-(?P<number>\d+)")


def _window_meant(state: State, kind: str) -> str:
    """The kind of the open window that a journal means by “move-5”: so the turns of every match were called
    before passes were counted apart."""
    found = _BY_MOVES.fullmatch(kind)
    if found is None or state.table is None or int(found["number"]) != state.table.bout.turns + 1:
        return kind
    return {"": TURN, "bids-for-": BIDS}.get(found["what"], TRAP)


def _windows(state: State, table: Table) -> Iterator[Window]:
    """What is open in a bout. A move on file can still be replaced while a trap is awaited (KF-04)."""
    players, bout, mover = seats(state), table.bout, mover_of(table)
    since, closes = table.turn.since, deadline(table)
    secret = bool(state.rules.anomalies & {"B", "H", "N"})
    if bidding := bidders(table):
        slots = tuple(players[side] for side in bidding)
        yield Window(BIDS, f"Bids for {turn_title(turn_at_hand(bout))}", slots, True, since, closes)
    elif table.turn.stand_in and mover is not None:
        title = f"A move for {mover.name}"
        yield Window(STAND_IN, title, (players[mover.rival],), bout.has("N"), since, closes)
    elif mover is not None:
        yield from _turn_windows(table, players, mover, secret)


def _turn_windows(
    table: Table, players: Mapping[Side, SlotId], mover: Side, secret: bool
) -> Iterator[Window]:
    since, title = table.turn.since, turn_title(turn_at_hand(table.bout))
    waiting = table.turn.waiting is not None
    if trap_open(table):
        slots = tuple(players[side] for side in SIDES if waiting or side is not mover)
        yield Window(TRAP, f"A trap against {title}", slots, True, since, minute_over(table))
    if not waiting:
        yield Window(TURN, title.capitalize(), (players[mover],), secret, since, deadline(table))
