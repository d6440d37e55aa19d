"""Pictures of a board game where it stands, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knightfall.engine.game import SlotId
from knightfall.errors import InputError, SecretGuard
from knightfall.games.kings_court import seats_of
from knightfall.games.knight_fight.anomalies.coloration import letter_at
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
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
    played = [entry for entry in bout.record if isinstance(entry, Played)]
    seen = everything(bout, played[-1].move.target if played else 0)
    rows = [
        tuple(
            Cell(mark(seen, s), letter_at(seen.colours, s), s == seen.latest, bool(s & seen.line))
            for s in seen.board.row(number)
        )
        for number in range(seen.board.rows)
    ]
    return Picture(f"Knight Fight after {bout.moves} moves", tuple(rows), tuple(standing_lines(bout)))


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
    """A player's own board, from the facts of their view during a bout."""
    rows = tuple(map(str.split, view["board"].splitlines()[1:]))
    # The rival's latest placement is framed, if there is one and they did not pass.
    last, colours = view["rival_last"], view["colours"]
    framed = (ord(last[0]) - ord("A"), int(last[1:]) - 1) if last and last[1:].isdigit() else None
    cells = (
        tuple(
            Cell(
                letter if letter in _MARKS else "",
                str(colours[row][column]) if colours else "",
                (column, row) == framed,
            )
            for column, letter in enumerate(letters[1:])
        )
        for row, letters in enumerate(rows)
    )
    return Picture(f"Knight Fight: {view['side']}'s own board", tuple(cells), tuple(_own_notes(view)))


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


class _Rewound:
    """Knights as they stood before the rounds of a turn that were undone so far, the last one first."""

    def __init__(self, knights: Mapping[SlotId, Knight]) -> None:
        self.knights = knights
        self.places: dict[SlotId, str] = {slot: knight.pos for slot, knight in knights.items()}
        self.weapons: dict[SlotId, Token | None] = {slot: one.weapon for slot, one in knights.items()}
        self.hearts: dict[SlotId, bool] = {slot: knight.heart for slot, knight in knights.items()}

    def undo_attacks(self, played: Round) -> None:
        """Before what a round's attacks did to weapons and hearts."""
        for attack in reversed(played.attacks):
            if attack.disarmed:
                self.weapons[attack.attacker] = attack.weapon
            if attack.wound is Wound.MAIMED and attack.target:
                self.hearts[attack.target] = True

    def undo_moves(self, played: Round) -> None:
        """Before what was done in a round ahead of its attacks."""
        for swap in played.swaps:
            self.weapons[swap.slot] = swap.before
        for move in played.moves:
            self.places[move.slot] = move.start

    def colour(self, slot: SlotId) -> str:
        return COLOURS.get(self.knights[slot].clan, _NO_CLAN)

    def piece(self, slot: SlotId, heart: bool, fell: bool = False) -> Piece:
        """A knight where they stand here; `heart` as the picture shows it."""
        weapon, place = self.weapons[slot], self.places[slot]
        said = f"{slot}, {place}, {weapon or 'empty hands'}, Heart {'up' if heart else 'down'}"
        return Piece(slot, self.colour(slot), place, weapon, heart, fell, f"{said}, falls" if fell else said)


def _panels(state: State) -> Iterator[Panel]:
    """The last round first: pieces as they stood when its attacks began, with the hearts that it left."""
    then = _Rewound(state.knights)
    for played in reversed(state.rounds):
        hearts = dict(then.hearts)
        then.undo_attacks(played)
        pieces = tuple(then.piece(slot, hearts[slot], slot in played.fell) for slot in played.revealed)
        steps = tuple(
            Step(then.colour(move.slot), move.start, move.wanted, held=move.end == move.start)
            for move in played.moves
            if move.wanted is not None
        )
        strikes = tuple(
            Strike(
                then.places[attack.attacker],
                then.places[attack.target],
                bool(attack.wound),
                _result(attack),
            )
            for attack in played.attacks
            if attack.target is not None
        )
        yield Panel(f"Round {played.number}", pieces, steps, strikes)
        then.undo_moves(played)


def _result(attack: Attack) -> str:
    said = f"{attack.attacker} ({attack.weapon}) → {attack.target}: {attack.card}"
    if attack.wound:
        return f"{said}, {'critically wounded' if attack.wound is Wound.FELLED else 'maimed'}"
    return f"{said}, disarmed" if attack.disarmed else said


def _position(state: State) -> Panel:
    now, living = _Rewound(state.living), state.living.values()
    return Panel("", tuple(now.piece(knight.slot, knight.heart) for knight in living if knight.pos))


def plot_board(out: Path | None, session: Session, viewer: str | None = None) -> Path:
    """Draw the board as SVG or PNG by the ending of `out`, and return where; without it into the game's
    public folder, or into its private one where it is the board of one `viewer`.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(session)
    slot = None if viewer is None else slot_meant(table, viewer)
    draw = SCENES.get(table.game.spec.id)
    if draw is None:
        raise InputError(f"{table.game.spec.name} has no board to draw; there is one in {', '.join(SCENES)}.")
    scene = draw(table, slot)

    # “public/board-014.svg”, “private/board-014-Ada.svg”.
    public, number = table.folder / PUBLIC, f"board-{len(table.journal):03}"
    if slot is None:
        path = out or public / f"{number}.svg"
    else:
        path = out or table.folder / PRIVATE_FOLDER / f"{number}-{safe_name(slot)}.svg"
        if path.resolve().is_relative_to(public.resolve()):
            raise SecretGuard(
                f"{path} is among the public files, and this is {slot}'s board: nothing was drawn."
            )
    write_scene(scene, path)
    return path


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
