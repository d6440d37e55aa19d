"""Pictures of a board game where it stands, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knightfall.engine.game import SlotId
from knightfall.errors import InputError, SecretGuard
from knightfall.games.kings_court import seats_of
from knightfall.games.knight_fight.anomalies.coloration import letter_at
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
from knightfall.games.knight_fight.board import Squares
from knightfall.games.knight_fight.bout import Bout, Played, Reason
from knightfall.games.knight_fight.drawn import everything, mark
from knightfall.games.knights_duty import Attack, Board, Grid, Knight, Phase, Round, State, Token, Wound
from knightfall.pictures.battlefield import Battlefield, Panel, Piece, Space, Step, Strike, battlefield_scene
from knightfall.pictures.board import Cell, board_scene
from knightfall.pictures.board import Squares as Picture
from knightfall.pictures.court import court_scene
from knightfall.pictures.scene import Scene
from knightfall.services.game_state import RunningGame, slot_meant, table_of
from knightfall.services.plots import ENDINGS, PUBLIC, write_scene
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.session import Session

_MARKS = frozenset("XOxo#")
_REASONS = {Reason.LINE: "four in a row", Reason.POINTS: "six points", Reason.NO_MOVES: "no move left"}


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


def own_picture(view: Mapping[str, Any]) -> Picture:
    """A player's own board, from the facts of his view during a bout."""
    rows, framed = tuple(map(str.split, view["board"].splitlines()[1:])), _framed(view)
    cells = (
        tuple(
            Cell(letter if letter in _MARKS else "", _colour(view, row, column), (column, row) == framed)
            for column, letter in enumerate(letters[1:])
        )
        for row, letters in enumerate(rows)
    )
    return Picture(f"Knight Fight: {view['side']}'s own board", tuple(cells), tuple(_own_notes(view)))


def _framed(view: Mapping[str, Any]) -> tuple[int, int] | None:
    """Column and row of the rival's latest placement; None before one, and where he passed."""
    name = view["rival_last"]
    return (ord(name[0]) - ord("A"), int(name[1:]) - 1) if name and name[1:].isdigit() else None


def _colour(view: Mapping[str, Any], row: int, column: int) -> str:
    return str(view["colours"][row][column]) if view["colours"] else ""


def _own_notes(view: Mapping[str, Any]) -> Iterator[str]:
    """Whose board it is, what the rival did, what both have as far as it is told."""
    yield f"{view['players'][view['side']]} plays {view['side']}. For these eyes only."
    if view["rival_last"]:
        yield f"The rival's latest: {view['rival_last']}."
    for what in ("chips", "points"):
        if view[what]:
            yield f"{what.capitalize()}: X {view[what][0]}, O {view[what][1]}."
    if "A" in view["anomalies"]:
        yield f"Manure left: {view['manure_left']}."
    yield f"{view['to_move']} to move." if view["to_move"] else "Both bid."


COLOURS: Mapping[str, str] = {
    "purple": "#8e44ad",
    "red": "#c93c38",
    "yellow": "#e6b800",
    "aqua": "#0e7c8c",
    "blue": "#2f5fd0",
    "green": "#24803f",
}
_TINTS: Mapping[str, str] = {
    "purple": "#ead7f2",
    "red": "#f8d7d5",
    "yellow": "#fbefb8",
    "aqua": "#cdeef3",
    "blue": "#d3dffa",
    "green": "#d2efdb",
}
_NO_CLAN = "#555555"


def board_picture(board: Board, title: str) -> Battlefield:
    """An empty board: every space by name, the starts in their colours, the hill with a star."""
    subtitle = "Starts bear the names of their clans; ★ is the Glory Hill."
    return Battlefield(title, subtitle, board.grid is Grid.HEX, _spaces(board, tints=True), (Panel(""),))


def turn_picture(state: State) -> Battlefield:
    """The rounds of the latest turn side by side; the position alone where none was played."""
    panels = tuple(reversed([*_panels(state)])) or (_position(state),)
    title = f"Knight's Duty, turn {turn_shown(state)}" if state.rounds else "Knight's Duty"
    subtitle = (
        "Filled disc: Heart up; ring: Heart down. Block arrow: move; thick dashes and a cross: thrown back. "
        "Thin arrow: attack that hits; dashed: one that fails. Four strokes round a disc: falls."
    )
    return Battlefield(title, subtitle, state.board.grid is Grid.HEX, _spaces(state.board), panels)


def turn_shown(state: State) -> int:
    """The turn whose rounds the state holds: the one before that is open, or the last."""
    begun = state.phase in (Phase.MOVES, Phase.ATTACKS, Phase.OVER)
    return state.turn if begun else state.turn - 1


def _spaces(board: Board, *, tints: bool = False) -> tuple[Space, ...]:
    left = min(board.columns.values())
    return tuple(
        Space(
            name,
            (board.columns[name] - left) / 4,
            ord(name[0]) - ord("A"),
            name in board.hills,
            _TINTS[board.clan(name)] if tints and name in board.starts else None,
            board.clan(name) if tints and name in board.starts else "",
        )
        for name in board.spaces
    )


@dataclass(slots=True)
class _Back:
    """The turn told backwards: how everyone stood before what was undone so far."""

    places: dict[SlotId, str]
    weapons: dict[SlotId, Token | None]
    hearts: dict[SlotId, bool]


def _panels(state: State) -> Iterator[Panel]:
    """The last round first."""
    knights = state.knights
    back = _Back(
        {slot: knight.pos for slot, knight in knights.items()},
        {slot: knight.weapon for slot, knight in knights.items()},
        {slot: knight.heart for slot, knight in knights.items()},
    )
    for played in reversed(state.rounds):
        hearts = dict(back.hearts)
        _undo_attacks(back, played)
        pieces = tuple(
            _piece(knights[slot], back, hearts[slot], slot in played.fell) for slot in played.revealed
        )
        yield Panel(
            f"Round {played.number}", pieces, tuple(_steps(knights, played)), tuple(_strikes(back, played))
        )
        for swap in played.swaps:
            back.weapons[swap.slot] = swap.before
        for move in played.moves:
            back.places[move.slot] = move.start


def _undo_attacks(back: _Back, played: Round) -> None:
    for attack in reversed(played.attacks):
        if attack.disarmed:
            back.weapons[attack.attacker] = attack.weapon
        if attack.wound is Wound.MAIMED and attack.target:
            back.hearts[attack.target] = True


def _piece(knight: Knight, back: _Back, heart: bool, fell: bool = False) -> Piece:
    weapon, place = back.weapons[knight.slot], back.places[knight.slot]
    said = f"{knight.slot}, {place}, {weapon or 'empty hands'}, Heart {'up' if heart else 'down'}"
    colour = COLOURS.get(knight.clan, _NO_CLAN)
    return Piece(knight.slot, colour, place, weapon, heart, fell, f"{said}, falls" if fell else said)


def _steps(knights: Mapping[SlotId, Knight], played: Round) -> Iterator[Step]:
    for move in played.moves:
        colour = COLOURS.get(knights[move.slot].clan, _NO_CLAN)
        if move.wanted is not None:
            yield Step(colour, move.start, move.wanted, held=move.end == move.start)


def _strikes(back: _Back, played: Round) -> Iterator[Strike]:
    for attack in played.attacks:
        if attack.target is not None:
            places = back.places
            yield Strike(places[attack.attacker], places[attack.target], bool(attack.wound), _result(attack))


def _result(attack: Attack) -> str:
    said = f"{attack.attacker} ({attack.weapon}) → {attack.target}: {attack.card}"
    if attack.wound:
        return f"{said}, {'critically wounded' if attack.wound is Wound.FELLED else 'maimed'}"
    return f"{said}, disarmed" if attack.disarmed else said


def _position(state: State) -> Panel:
    living = state.living
    back = _Back(
        {slot: knight.pos for slot, knight in living.items()},
        {slot: knight.weapon for slot, knight in living.items()},
        {slot: knight.heart for slot, knight in living.items()},
    )
    standing = [knight for knight in living.values() if knight.pos]
    return Panel("", tuple(_piece(knight, back, knight.heart) for knight in standing))


def plot_board(out: Path | None, session: Session, viewer: str | None = None) -> Path:
    """Draws the board as SVG or PNG by the ending of `out`; without it into the game's public folder, or into
    its private one where it is the board of one `viewer`.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(session)
    slot = None if viewer is None else slot_meant(table, viewer)
    scene = _scene(table, slot)
    path = out or _place(table, slot)
    _guarded(path, table, slot)
    write_scene(scene, path)
    return path


def _place(table: RunningGame, slot: SlotId | None) -> Path:
    """“public/board-014.svg”, “private/board-014-Ada.svg”."""
    number = f"board-{len(table.journal):03}"
    if slot is None:
        return table.folder / PUBLIC / f"{number}.svg"
    return table.folder / PRIVATE_FOLDER / f"{number}-{safe_name(slot)}.svg"


def _guarded(path: Path, table: RunningGame, slot: SlotId | None) -> None:
    public = (table.folder / PUBLIC).resolve()
    if slot is not None and path.resolve().is_relative_to(public):
        raise SecretGuard(f"{path} is among the public files, and this is {slot}'s board: nothing was drawn.")


def _scene(table: RunningGame, slot: SlotId | None) -> Scene:
    draw = SCENES.get(table.game.spec.id)
    if draw is None:
        raise InputError(f"{table.game.spec.name} has no board to draw; there is one in {', '.join(SCENES)}.")
    return draw(table, slot)


def _fight(table: RunningGame, slot: SlotId | None) -> Scene:
    bout = table.state.table.bout if table.state.table is not None else None
    if bout is None:
        raise InputError("No bout is being played: there is nothing to draw.")
    if not bout.has(SNAPSHOT.letter):
        return board_scene(picture(bout))
    if slot is None:
        raise InputError(
            "Snapshot hides the board: each player has his own.\nDraw it:  knightfall plot board --for NAME"
        )
    return board_scene(own_picture(table.game.view(table.state, slot).facts))


SCENES: Mapping[str, Callable[[RunningGame, SlotId | None], Scene]] = MappingProxyType(
    {
        "kings_court": lambda table, _: court_scene(seats_of(table.state)),
        "knight_fight": _fight,
        "knights_duty": lambda table, _: battlefield_scene(turn_picture(table.state)),
    }
)
"""How each game that has a board is drawn for one slot, or for everybody."""
