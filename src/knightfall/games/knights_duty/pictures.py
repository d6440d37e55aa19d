"""The board of a game as pictures: one for each round of the latest turn, or an empty board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from knightfall.engine import game as engine
from knightfall.engine.game import Announced
from knightfall.games.knights_duty.board import Board, Grid
from knightfall.games.knights_duty.events import Ending, Modkill, Revive, RoundStep, Start, TurnPost
from knightfall.games.knights_duty.state import Attack, Knight, Phase, Round, State, Token, Wound
from knightfall.pictures.battlefield import (
    Battlefield,
    Panel,
    Piece,
    Space,
    Step,
    Strike,
    battlefield_scene,
    space_corners,
)
from knightfall.pictures.clickable import Clickable
from knightfall.pictures.match_steps import MatchStep
from knightfall.pictures.scene import Scene
from knightfall.sentence import SlotId

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

Names: TypeAlias = Mapping[SlotId, str]


def board_picture(board: Board, title: str) -> Battlefield:
    """An empty board: every space by name, the starts in their colours, the hill with a star."""
    subtitle = "Starts bear the names of their clans; ★ is the Glory Hill."
    return Battlefield(title, subtitle, board.grid is Grid.HEX, _spaces(board, tints=True), (Panel(""),))


_KEY = (
    "Filled disc: Heart up; ring: Heart down. Block arrow: move; thick dashes and a cross: thrown back. "
    "Thin arrow: attack that hits; dashed: one that fails. Four strokes round a disc: falls."
)


def round_pictures(state: State, names: Names = MappingProxyType({})) -> tuple[Battlefield, ...]:
    """Each round of the latest turn; the position alone where none was played.

    `names`: slots that changed hands, as they are shown now.
    """
    panels = tuple(reversed([*_panels(state, names)]))
    hexes, spaces = state.board.grid is Grid.HEX, _spaces(state.board)
    if not panels:
        return (Battlefield("Knight's Duty", _KEY, hexes, spaces, (_position(state, names),)),)
    turn = turn_shown(state)
    return tuple(
        Battlefield(
            f"Knight's Duty, turn {turn}, {panel.title.lower()}",
            _KEY,
            hexes,
            spaces,
            (replace(panel, title=""),),
        )
        for panel in panels
    )


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


def _panels(state: State, names: Names) -> Iterator[Panel]:
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
            _piece(knights[slot], back, hearts[slot], names, slot in played.fell) for slot in played.revealed
        )
        yield Panel(
            f"Round {played.number}",
            pieces,
            tuple(_steps(knights, played)),
            tuple(_strikes(back, played, names)),
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


def _piece(knight: Knight, back: _Back, heart: bool, names: Names, fell: bool = False) -> Piece:
    weapon, place = back.weapons[knight.slot], back.places[knight.slot]
    name = names.get(knight.slot, knight.slot)
    said = f"{name}, {place}, {weapon or 'empty hands'}, Heart {'up' if heart else 'down'}"
    colour = COLOURS.get(knight.clan, _NO_CLAN)
    return Piece(name, colour, place, weapon, heart, fell, f"{said}, falls" if fell else said)


def _steps(knights: Mapping[SlotId, Knight], played: Round) -> Iterator[Step]:
    for move in played.moves:
        colour = COLOURS.get(knights[move.slot].clan, _NO_CLAN)
        if move.wanted is not None:
            yield Step(colour, move.start, move.wanted, held=move.end == move.start)


def _strikes(back: _Back, played: Round, names: Names) -> Iterator[Strike]:
    for attack in played.attacks:
        if attack.target is not None:
            places = back.places
            attacker, target = (names.get(slot, slot) for slot in (attack.attacker, attack.target))
            said = _result(attack, attacker, target)
            yield Strike(places[attack.attacker], places[attack.target], bool(attack.wound), said)


def _result(attack: Attack, attacker: str, target: str) -> str:
    said = f"{attacker} ({attack.weapon}) → {target}: {attack.card}"
    if attack.wound:
        return f"{said}, {'critically wounded' if attack.wound is Wound.FELLED else 'maimed'}"
    return f"{said}, disarmed" if attack.disarmed else said


def _position(state: State, names: Names) -> Panel:
    living = state.living
    back = _Back(
        {slot: knight.pos for slot, knight in living.items()},
        {slot: knight.weapon for slot, knight in living.items()},
        {slot: knight.heart for slot, knight in living.items()},
    )
    standing = [knight for knight in living.values() if knight.pos]
    return Panel("", tuple(_piece(knight, back, knight.heart, names) for knight in standing))


def position(state: State, names: Names = MappingProxyType({})) -> Battlefield:
    """Where everybody stands now; before the first turn an empty board with the starts."""
    if state.phase is Phase.SETUP:
        return board_picture(state.board, "Knight's Duty")
    hexes = state.board.grid is Grid.HEX
    return Battlefield("Knight's Duty", _KEY, hexes, _spaces(state.board), (_position(state, names),))


def scenes(state: State, _slot: SlotId | None, names: Names) -> tuple[Scene, ...]:
    """The latest turn, which everybody may see: a picture a round."""
    return tuple(map(battlefield_scene, round_pictures(state, names)))


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:  # noqa: ARG001  # public
    """The board with everybody where they stand now."""
    field = position(state, names)
    return Clickable(battlefield_scene(field), space_corners(field))


def match_steps(way: Sequence[engine.Step[State]], names: Names) -> Iterator[MatchStep]:
    """Every round of every turn, the places that everybody took first; who was removed or came back."""
    for step in way:
        ends = tuple(event for event in step.events if isinstance(event.facts, Ending))
        told = [event.facts for event in step.events if isinstance(event, Announced)]
        played = next((facts for facts in told if isinstance(facts, TurnPost)), None)
        if played is not None:
            drawn = round_pictures(step.state, names)
            for row, field in zip(played.rounds, drawn, strict=True):
                title = f"Turn {played.turn}, round {row.number}"
                events = (Announced(RoundStep(played.turn, row)), *(ends if row is played.rounds[-1] else ()))
                yield _step(title, events, field)
            continue
        for facts in told:
            if isinstance(facts, Start):
                yield _step("The start", ends, position(step.state, names))
            elif isinstance(facts, Modkill | Revive):
                what = "leaves" if isinstance(facts, Modkill) else "comes back"
                title = f"Turn {step.state.turn}, a knight {what}"
                yield _step(title, (Announced(facts), *ends), position(step.state, names))


def _step(title: str, events: tuple[engine.Event, ...], field: Battlefield) -> MatchStep:
    return MatchStep("", title, events, battlefield_scene(field), _in_words(field))


def _in_words(field: Battlefield) -> str:
    """Who stands where with what, a line each."""
    return "\n".join(piece.note for panel in field.panels for piece in panel.pieces)
