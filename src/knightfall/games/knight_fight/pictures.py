"""The board of a bout as a picture: the true one, or what one player may see of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from knightfall.errors import InputError
from knightfall.games.knight_fight.anomalies.coloration import letter_at
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
from knightfall.games.knight_fight.board import SIDES, Side, Squares
from knightfall.games.knight_fight.events import MatchView, OwnSide, Playing
from knightfall.games.knight_fight.state import Bout, Played, Reason, State, seats, seats_in
from knightfall.games.knight_fight.views import everything, mark, seen_by
from knightfall.pictures.board import Cell, board_scene, space_corners
from knightfall.pictures.board import Squares as Picture
from knightfall.pictures.clickable import Clickable
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
