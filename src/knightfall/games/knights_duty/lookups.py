"""What can be looked up about Knight's Duty: its boards, and the odds of an attack."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tabulate import tabulate

from knightfall.engine.game import Chosen
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lookup import Lookup
from knightfall.errors import InputError
from knightfall.games.knights_duty.board import PRINTED_BOARDS, Board, draw_board, parse_board, printed_board
from knightfall.games.knights_duty.options import parse_options
from knightfall.games.knights_duty.state import (
    WEAPONS,
    Card,
    Defence,
    Pile,
    Token,
    chance,
    disarms,
    make_pile,
)
from knightfall.parameters import Parameter, TextFile


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """One attack: its pile, and the chances of a hit and of being disarmed."""

    weapon: Token
    inspired: bool
    guard: Token | None
    pile: Pile
    hit: Fraction
    disarmed: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class OddsTable(JsonAnswer):
    """The chances of attacks; `single` where one weapon was asked for."""

    rows: tuple[AttackOdds, ...]
    single: bool

    def to_dict(self) -> dict[str, object]:
        """{odds: [{weapon, inspired, guard, pile, hit: "3/5", disarmed: "0"}]}."""
        rows = [
            {
                "weapon": one.weapon,
                "inspired": one.inspired,
                "guard": one.guard,
                "pile": one.pile.counts(),
                "hit": str(one.hit),
                "disarmed": str(one.disarmed),
            }
            for one in self.rows
        ]
        return {"odds": rows}

    def text(self) -> str:
        """A table of pile, chance of a hit and of being disarmed; of one weapon a sentence."""
        if self.single:
            return _sentence(self.rows[0])
        heads = ("Weapon", "Inspired", "Against", "Pile", "Hit", "Disarmed")
        rows = [
            (
                one.weapon,
                "yes" if one.inspired else "no",
                one.guard or "nothing",
                _cards(one),
                _percent(one.hit),
                _percent(one.disarmed),
            )
            for one in self.rows
        ]
        return tabulate(rows, heads, disable_numparse=True)


def odds(
    weapon: str | None = None,
    shield: bool = False,
    parry: bool = False,
    hill: bool = False,
    edition: str = "current",
) -> OddsTable:
    """The chances of one attack; without a weapon those of all, against every defence or the one asked for.

    Raises InputError for another weapon or edition, and for shield and parry at once.
    """
    if shield and parry:
        raise InputError("A knight shields or parries, never both in one round: give one of them.")
    rules = parse_options({"edition": edition})
    guard = Token.SHIELD if shield else Token.PARRY if parry else None
    if weapon is None:
        guards = (guard,) if guard else (None, Token.SHIELD, Token.PARRY)
        ways = product(WEAPONS, (True,) if hill else (False, True), guards)
        rows = tuple(_attack_odds(one, inspired, against, rules) for one, inspired, against in ways)
        return OddsTable(rows, single=False)
    named = next((one for one in WEAPONS if weapon.strip().casefold() == one), None)
    if named is None:
        raise InputError(f"No weapon “{weapon}”; there are {', '.join(WEAPONS)}.")
    return OddsTable((_attack_odds(named, hill, guard, rules),), single=True)


def _attack_odds(weapon: Token, inspired: bool, guard: Token | None, rules: Chosen) -> AttackOdds:
    """KD-16 to KD-20: the pile of such an attack, and what its cards do."""
    pile = make_pile(weapon, inspired, Defence(guard), rules)
    lost = sum((chance(pile, card) for card in Card if disarms(weapon, card, guard, rules)), Fraction(0))
    return AttackOdds(weapon, inspired, guard, pile, chance(pile), lost)


def _sentence(one: AttackOdds) -> str:
    """`sword, inspired, against a shield: 3 Hit 1 Miss 1 Shield, a hit 3/5 (60 %)`."""
    attack = str(one.weapon) + (", inspired" if one.inspired else "")
    attack += f", against a {one.guard}" if one.guard else ""
    lost = f", disarmed {_percent(one.disarmed)}" if one.disarmed else ""
    return f"{attack}: {_cards(one)}, a hit {_percent(one.hit)}{lost}"


def _cards(one: AttackOdds) -> str:
    return " ".join(f"{count} {card}" for card, count in one.pile.counts().items() if count)


def _percent(part: Fraction) -> str:
    return f"{part} ({round(float(part) * 100, 1):g} %)" if part else "0"


@dataclass(frozen=True, slots=True)
class NamedBoard:
    """A board and the name or file it was asked for by."""

    name: str
    board: Board


@dataclass(frozen=True, slots=True, repr=False)
class Boards(JsonAnswer):
    """Boards to play on."""

    boards: tuple[NamedBoard, ...]

    def to_dict(self) -> dict[str, object]:
        """{boards: [{name, grid, spaces, starts: [{space, clan}], hill}]}."""
        boards = [
            {
                "name": one.name,
                "grid": str(one.board.grid),
                "spaces": list(one.board.spaces),
                "starts": [{"space": space, "clan": one.board.clan(space)} for space in one.board.starts],
                "hill": min(one.board.hills),
            }
            for one in self.boards
        ]
        return {"boards": boards}

    def text(self) -> str:
        """Each board with its starts."""
        texts: list[str] = []
        for one in self.boards:
            board = one.board
            starts = ", ".join(f"{space} {board.clan(space)}" for space in board.starts)
            spaces, hill = len(board.spaces), min(board.hills)
            about = f"{one.name}: {board.grid}, {spaces} spaces, starts {starts}, the hill on {hill}"
            texts.append("\n".join([about, *draw_board(board, dict.fromkeys(board.starts, "P"))]))
        return "\n\n".join(texts)


def setups(code: str | TextFile | None = None) -> Boards:
    """The printed boards: all, or the one of that name; or a board of one's own, from its file.

    Raises InputError for a text that is no board, with line and column.
    """
    if isinstance(code, TextFile):
        try:
            return Boards((NamedBoard(code.name, parse_board(code.text)),))
        except InputError as fault:
            raise InputError(f"{code.name}: {fault}") from None
    if code and code not in PRINTED_BOARDS:
        known = ", ".join(PRINTED_BOARDS)
        raise InputError(f"No board “{code}”, and no text file of that name; there are {known}.")
    names = (code,) if code else tuple(PRINTED_BOARDS)
    return Boards(tuple(NamedBoard(name, printed_board(name)) for name in names))


LOOKUPS = {
    "setups": Lookup(
        "List the boards.", setups, (Parameter("code", "A board, or your board's file.", TextFile),)
    ),
    "odds": Lookup(
        "Count the chance of a hit in Knight's Duty.\n\n"
        "Also of being disarmed; by counting the cards of the pile.",
        odds,
        (
            Parameter(
                "weapon",
                "sword, spear or bow; a table of all without it.",
                metavar="WEAPON",
                positional=True,
            ),
            Parameter("shield", "The target shields.", bool, default=False),
            Parameter("parry", "The target parries.", bool, default=False),
            Parameter("hill", "The attacker is inspired.", bool, default=False),
            Parameter("edition", "Rules of current, r00, r02 or r03.", default="current"),
        ),
        {"weapon": "SWORD", "shield": True, "hill": True},
    ),
}
"""By the name of the verb that asks."""
