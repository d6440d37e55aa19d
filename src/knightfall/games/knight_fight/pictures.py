"""The board of a bout as a picture: the true one, or what one player may see of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from knightfall.engine.game import Announced, Step
from knightfall.errors import InputError
from knightfall.games.knight_fight.anomalies.coloration import letter_at
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
from knightfall.games.knight_fight.board import SIDES, Side, Squares
from knightfall.games.knight_fight.events import MatchView, MoveStep, OwnSide, Playing, Seats
from knightfall.games.knight_fight.record import positions, record_of
from knightfall.games.knight_fight.state import (
    Bidden,
    Bout,
    Passed,
    Played,
    Reason,
    State,
    seats,
    seats_in,
)
from knightfall.games.knight_fight.views import (
    drawn_board,
    everything,
    happened,
    mark,
    seen_by,
    told_bids,
    turn_title,
)
from knightfall.pictures.board import Cell, board_scene, space_corners
from knightfall.pictures.board import Squares as Picture
from knightfall.pictures.clickable import Clickable
from knightfall.pictures.match_steps import MatchStep
from knightfall.pictures.scene import Scene
from knightfall.sentence import SlotId, Way, sentence

_REASONS = {
    Reason.LINE: "four in a row",
    Reason.POINTS: "six points",
    Reason.NO_MOVES: "no move left",
    Reason.RESIGNED: "resigned",
    Reason.FORFEIT: "forfeit",
}


def picture(bout: Bout) -> Picture:
    """The true board as facts of a picture."""
    seen = everything(bout, _latest(bout))
    rows = [
        tuple(
            Cell(mark(seen, s), letter_at(seen.colours, s), s == seen.latest, bool(s & seen.line))
            for s in seen.board.row(number)
        )
        for number in range(seen.board.rows)
    ]
    return Picture(f"Knight Fight after {bout.moves} moves", tuple(rows), tuple(standing_lines(bout)))


def _latest(bout: Bout) -> Squares:
    played = [entry for entry in bout.record if isinstance(entry, Played)]
    return played[-1].move.target if played else 0


def standing_lines(bout: Bout) -> Iterator[str]:
    """What each has, and who is to move, or who won by what."""
    if bout.has("B"):
        yield f"Chips: X {bout.chips[0]}, O {bout.chips[1]}."
    if bout.has("T"):
        yield f"Points: X {bout.points[0]}, O {bout.points[1]}."
    yield ending(bout) if bout.ended else "Both bid." if bout.has("B") else f"{bout.to_move.name} to move."


def ending(bout: Bout) -> str:
    """Who won, after how many moves, by what."""
    ended = bout.ended
    if ended is None or ended.winner is None:
        return f"The bout is drawn after {bout.moves} moves."
    why = _REASONS.get(ended.reason, "more points")
    return f"{ended.winner.name} wins after {bout.moves} moves: {why}."


def own_picture(view: MatchView, name: str = "") -> Picture:
    """A player's own board, from their view during a bout; `name` is how they are shown now."""
    own, playing = view.own, view.playing
    assert own and playing and view.board  # the view of a player while a bout is played
    # The rival's latest placement; None before one, and where they passed.
    last = own.rival_last or ""
    framed = (ord(last[0]) - ord("A"), int(last[1:]) - 1) if last[1:].isdigit() else None
    cells = (
        tuple(
            Cell(cell.mark, cell.colour, (column, row.number - 1) == framed)
            for column, cell in enumerate(row.cells)
        )
        for row in view.board.rows
    )
    return Picture(
        f"Knight Fight: {own.side}'s own board",
        tuple(cells),
        tuple(_own_notes(view, own, playing, name or own.name)),
    )


def _own_notes(view: MatchView, own: OwnSide, playing: Playing, name: str) -> Iterator[str]:
    """Whose board it is, what the rival did, what both have as far as it is told."""
    yield f"{name} plays {own.side}. For these eyes only."
    if own.rival_last:
        yield f"The rival's latest: {own.rival_last}."
    if playing.chips:
        yield f"Chips: X {playing.chips[0]}, O {playing.chips[1]}."
    if playing.points:
        yield f"Points: X {playing.points[0]}, O {playing.points[1]}."
    if "A" in view.anomalies:
        yield f"Manure left: {own.manure_left}."
    yield f"{playing.to_move} to move." if playing.to_move else "Both bid."


def scene(state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> Scene:
    """The board as everybody sees it, or in Snapshot (KF-S) the one of the slot; between bouts and after the
    match the board that the latest bout ended with. `names`: slots that changed hands, as they are shown now.

    Raises InputError before the first bout, and where a board that is hidden is asked for by nobody.
    """
    if state.table is None:
        if not state.done:
            raise InputError("No bout has begun: there is no board to draw yet.")
        done = state.done[-1]
        return board_scene(_named(picture(done.bout), seats_in(state, len(state.done), done.chosen), names))
    if not state.table.bout.has(SNAPSHOT.letter):
        return board_scene(_named(picture(state.table.bout), seats(state), names))
    if slot is None:
        raise InputError(
            sentence(
                "Snapshot hides the board: each player has their own.\nDraw it:  {draw}",
                draw=Way("draw_board"),
            )
        )
    return board_scene(own_picture(seen_by(state, slot), names.get(slot, slot)))


def _named(board: Picture, players: Mapping[Side, SlotId], names: Mapping[SlotId, str]) -> Picture:
    """The picture with who plays which side."""
    x, o = (names.get(players[side], players[side]) for side in SIDES)
    return replace(board, notes=(f"X is {x}, O is {o}.", *board.notes))


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:
    """The board as that slot may see it. Raises InputError where there is none."""
    drawn = scene(state, slot, names)
    if state.table is None:
        return Clickable(drawn, {})
    board = state.table.bout.rules.board
    return Clickable(drawn, space_corners(board.rows, board.cols))


def match_steps(way: Sequence[Step[State]], names: Mapping[SlotId, str]) -> Iterator[MatchStep]:
    """Every turn of every bout, in full: the record of a bout, which is published when it is over (KF 4), has
    them. In Snapshot a bout that goes on is a secret."""
    state = way[-1].state
    for number, done in enumerate(state.done, start=1):
        players = seats_in(state, number, done.chosen)
        yield from _bout_steps(number, done.first, done.bout, players, names)
    if state.table is not None:
        hidden = state.table.bout.has(SNAPSHOT.letter)
        for step in _bout_steps(state.number, state.table.first, state.table.bout, seats(state), names):
            yield replace(step, secret=hidden)


def _bout_steps(
    number: int, first: Bout, last: Bout, players: Mapping[Side, SlotId], names: Mapping[SlotId, str]
) -> Iterator[MatchStep]:
    way = [*positions(record_of(first, last))]
    # The record knows nothing of a bout that ended without a turn: by a word of the moderator, or RESIGN.
    way[-1] = replace(last, record=way[-1].record)
    before = way[0]
    yield MatchStep(f"Bout {number}", "The start", (), *_drawn(before, players, names))
    for bout in way[1:]:
        fresh = bout.record[len(before.record) :]
        turns = [entry for entry in fresh if isinstance(entry, Played | Passed)]
        if not turns:  # a round of bids is told with the turn that it decides
            continue
        before = bout
        rounds = [entry for entry in fresh if isinstance(entry, Bidden)]
        bids = (
            told_bids(number, Seats(players[Side.X], players[Side.O]), bout, rounds[-1]) if rounds else None
        )
        rows = happened(bout, turns)
        told = Announced(MoveStep(rows, bids, tuple(standing_lines(bout))))
        title = " and ".join(dict.fromkeys(turn_title(row.turn) for row in rows))
        yield MatchStep(f"Bout {number}", title.capitalize(), (told,), *_drawn(bout, players, names))


def _drawn(bout: Bout, players: Mapping[Side, SlotId], names: Mapping[SlotId, str]) -> tuple[Scene, str]:
    """The true board as a picture and in letters."""
    return board_scene(_named(picture(bout), players, names)), drawn_board(everything(bout)).text
