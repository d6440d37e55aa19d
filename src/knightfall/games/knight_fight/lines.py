"""The lines that a player of Knight Fight or the moderator can send now, part by part.

In Snapshot they are made of what the player knows: any square can be named, and what cannot be legal as far
as they see weighs nothing (KF-38).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from knightfall.engine.lines import (
    END,
    NOTHING,
    Choices,
    Part,
    PartKind,
    Pick,
    a_slot,
    a_word,
    beside,
    either,
    last,
    optional,
    then,
)
from knightfall.games.knight_fight.anomalies.horse_trap import trap_fault
from knightfall.games.knight_fight.anomalies.snapshot import known, plausible
from knightfall.games.knight_fight.board import SIDES, Side, Squares, each, name_of, spread
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.moves import targets
from knightfall.games.knight_fight.state import Phase, State, chooses, side_of
from knightfall.games.knight_fight.submissions import DRAWN, callable_drawn
from knightfall.games.knight_fight.table import Table, bidders, mover_of, trap_open
from knightfall.sentence import SlotId

_SIDES = last(a_word(f"SIDE: {side.name}", f"play {side.name}") for side in SIDES)
_RESIGN = last([a_word("RESIGN", "resign the bout")])
_NO_TRAP = last([a_word("NO TRAP", "no trap")])
_BIDS = 3
"""How often random play bids, for each move: as if with nothing, some and all of the chips."""


def line_tree(state: State, slot: SlotId | None) -> Choices:
    """Everything that this slot (None: the moderator) can send."""
    if slot is None:
        return _moderator(state)
    if state.phase is Phase.SIDES and slot == chooses(state):
        return _SIDES
    side, table = side_of(state, slot), state.table
    if table is None or side is None:
        return NOTHING
    return beside(NOTHING if table.turn.stopped else _turn(table, side), lambda: _RESIGN)


def _turn(table: Table, side: Side) -> Choices:
    """What a side can say in the turn, or round of bids, that is open."""
    bout, mover = table.bout, mover_of(table)
    if table.turn.stand_in:
        return _stand_in(table, mover) if mover is side.rival else NOTHING
    if bout.has("B"):
        bids = _bids(bout, side) if side in bidders(table) else NOTHING
        return bids if trap_fault(bout, side) else either(bids, _traps(bout, side))
    if mover is side:
        return _moves(bout, side, _seen(bout, side))
    return _traps(bout, side) if trap_open(table) and trap_fault(bout, side) is None else NOTHING


def _seen(bout: Bout, side: Side) -> Squares:
    """Where a side may place a knight now, as far as it knows."""
    return plausible(bout, side) if bout.has("N") else targets(bout, side)


def _stand_in(table: Table, mover: Side) -> Choices:
    """KF-09: a plain move for the rival, onto one's own trap only where nothing else is legal; in Snapshot
    any square, for what is not legal is drawn."""
    bout, trap = table.bout, table.turn.traps[mover.rival] or 0
    legal = targets(bout, mover)
    barred = legal & trap if legal & ~trap else 0
    return _moves(bout, mover, legal & ~barred, f"FOR {mover.name}: ", barred=barred)


def _bids(bout: Bout, side: Side) -> Choices:
    """KF-18: any number of one's chips, with a move."""
    seen = _seen(bout, side)
    weight = _BIDS * max(1, seen.bit_count())
    bid = Part("BID ", PartKind.NUMBER, "Bid", most=bout.chips[side], weight=weight)
    return then([bid], lambda _: _moves(bout, side, seen, ": "))


def _traps(bout: Bout, side: Side) -> Choices:
    """KF-29: any square, or none; most likely one to which a knight of the rival's that is seen can jump."""
    ground = bout.rules.board.ground
    likely = ground & spread(known(bout, side) if bout.has("N") else bout.knights[side.rival])
    traps = either(_NO_TRAP, last(_squares("TRAP: ", likely, "trap on")))
    return beside(traps, lambda: last(_squares("TRAP: ", ground & ~likely, "trap on")))


def _moves(bout: Bout, side: Side, seen: Squares, before: str = "", barred: Squares = 0) -> Choices:
    """Placements with what stands before them; with Sickness from a knight that is named (KF-31), else one
    may be named. `seen` are the squares that are legal as far as the side knows."""
    own, dark = bout.knights[side], bout.has("N")
    open_ = bout.rules.board.ground & ~barred if dark else seen

    def onto(pick: Pick) -> Choices:
        # KF-09: no manure with a move for the rival.
        manured = bout.has("A") and bout.manure_left[side] and not before.startswith("FOR")
        return _manure(bout, side, bout.rules.board.square(pick.part.space) or 0) if manured else END

    def onto_any(squares: Squares, usual: Squares, sign: str) -> Choices:
        moves = then(_squares(sign, squares & usual), onto)
        return beside(moves, lambda: then(_squares(sign, squares & ~usual), onto)) if dark else moves

    def from_there(pick: Pick) -> Choices:
        reach = spread(bout.rules.board.square(pick.part.space) or 0)
        return onto_any(open_ if dark else open_ & reach, seen & reach, "")

    def from_knights() -> Choices:
        counts = ((square, (spread(square) & seen).bit_count()) for square in each(own))
        return then((_source(before, square, count) for square, count in counts if count), from_there)

    def from_others() -> Choices:
        """KF-38: in Snapshot a knight from which nothing seems legal, or that is not one's own."""
        squares = (one for one in each(bout.rules.board.ground) if not (one & own and spread(one) & seen))
        return then((_source(before, square, 1) for square in squares), from_there)

    if bout.has("S"):
        return beside(from_knights(), from_others) if dark else from_knights()
    return beside(
        onto_any(open_, seen, before),
        lambda: either(from_knights(), from_others()) if dark else from_knights(),
    )


def _manure(bout: Bout, side: Side, target: Squares) -> Choices:
    """KF-15: with a placement, on a free square; in Snapshot on any, and it passes where that is not free."""
    dark, ground, own = bout.has("N"), bout.rules.board.ground, bout.knights[side]
    theirs, manure = bout.knights[side.rival], bout.manure
    if dark:
        theirs, manure = known(bout, side), bout.last_manure[0] | bout.last_manure[1]
    free = ground & ~(own | theirs | manure | target)

    def squares(_pick: Pick) -> Choices:
        usual = last(_squares(" ", free, "manure on"))
        return beside(usual, lambda: last(_squares(" ", ground & ~free, "manure on"))) if dark else usual

    return optional(then([a_word(" MANURE", "with manure")], squares))


def _squares(before: str, squares: Squares, label: str = "") -> Iterator[Part]:
    return (_square(before, square, label) for square in each(squares))


@cache
def _square(before: str, square: Squares, label: str) -> Part:
    name = name_of(square)
    return Part(f"{before}{name}", PartKind.SPACE, f"{label} {name}" if label else name, name)


@cache
def _source(before: str, square: Squares, weight: int) -> Part:
    name = name_of(square)
    return Part(f"{before}{name}>", PartKind.SPACE, f"from {name}", name, weight=max(weight, 1))


def _moderator(state: State) -> Choices:
    """The clock, who does not come back, and a bout that leads nowhere."""
    if state.phase is Phase.OVER:
        return NOTHING
    drawn = last([a_word(DRAWN, "call the bout drawn")]) if callable_drawn(state) else NOTHING
    return beside(drawn, lambda: _interruptions(state))


def _interruptions(state: State) -> Choices:
    forfeit = then([a_word("FORFEIT")], lambda _: last(map(a_slot, state.slots)))
    if state.table is None:
        return forfeit
    if state.table.turn.stopped:
        return either(last([a_word("START CLOCK")]), forfeit)
    return either(last([Part("STOP CLOCK: ", PartKind.TEXT, "stop the clock, because")]), forfeit)
