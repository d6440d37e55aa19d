"""Which questions may a moderator of Knight Fight answer otherwise, and what did this one choose?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.core.game import Option
from knightfall.core.options import choose
from knightfall.errors import InputError
from knightfall.games.knight_fight.board import Board, Pair, Squares, board_of

LETTERS = "ABCHSNT"
"""The seven anomalies, in the order of the rulings."""

_TIME = r"\d+(?:\.\d+)?[smhd]?"
_SECONDS: Mapping[str, float] = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZE = r"[5-9]|1[0-4]"


def _option(ruling: str, question: str, *values: str, name: str = "", pattern: str = "") -> Option:
    return Option(name or ruling.lower().replace("-", "_"), values, ruling, question, pattern)


OPTIONS: tuple[Option, ...] = (
    _option(
        "KF-13", "The anomalies in force: letters as ACH", "none", name="anomalies", pattern=r"[abchsnt]{1,7}"
    ),
    _option("KF-01", "Rows of the board", "11", "12", name="rows", pattern=_SIZE),
    _option("KF-01", "Columns of the board", "12", "11", name="cols", pattern=_SIZE),
    _option(
        "KF-02",
        "Where X and O start",
        "adjacent",
        "apart",
        name="start",
        pattern=r"[a-n]\d{1,2}[ ,]+[a-n]\d{1,2}",
    ),
    _option("KF-08", "Time for a move", "60", "24h", name="move_time", pattern=_TIME),
    _option("KF-08", "Reserve for a player and a bout", "180", "72h", name="reserve", pattern=_TIME),
    _option("KF-12", "A level match after drawn bouts", "dmo", "extra_bout"),
    _option("KF-13", "What counts as a move", "placements", "turns"),
    _option("KF-14", "Manure twice a bout", "each", "together"),
    _option("KF-16", "How long manure lies", "bout", "both_bouts"),
    _option("KF-18", "When both get 20 chips", "each_bout", "once"),
    _option("KF-20", "X wins the first bid", "x_wins_tie", "x_wins_auto", name="first_bid"),
    _option("KF-21", "The winner of a tie pays", "yes", "no", name="tie_pays"),
    _option("KF-23", "The losing bid is public", "yes", "no"),
    _option("KF-26", "A trapped square sets the colour", "yes", "no", name="trap_square_sets_colour"),
    _option("KF-27", "An unsprung trap is revealed", "no", "yes"),
    _option("KF-32", "A weakened source whose spawn is trapped", "stays", "vanishes"),
    _option("KF-38", "Typing errors in Snapshot", "sent_back", "pass"),
    _option("KF-39", "The rival's last move after a pass", "real", "passed"),
    _option("KF-44", "Nobody can move, points level", "drawn", "last_mover"),
    _option("KF-45", "Scores in Snapshot", "public", "hidden"),
    _option("KF-P05", "A legal move with illegal manure in Snapshot", "illegal", "fizzles"),
    _option("KF-P10", "An illegal winner in Bidding and Snapshot", "pays", "refund"),
    _option("KF-P20", "Points with Sickness are counted after each", "move", "round", name="recount"),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds: the chosen values by name, and those that are used all the time in their own types.

    `start` is X's and O's first square; times are seconds.
    """

    chosen: Mapping[str, str]
    anomalies: frozenset[str]
    board: Board
    start: Pair[Squares]
    move_time: float
    reserve: float

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file. Raises InputError with the choices, or where no knight can start."""
    chosen = choose("Knight Fight", OPTIONS, given).values
    board = board_of(int(chosen["rows"]), int(chosen["cols"]))
    letters = frozenset() if chosen["anomalies"] == "none" else frozenset(chosen["anomalies"].upper())
    times = _seconds(chosen["move_time"]), _seconds(chosen["reserve"])
    return Rules(chosen, letters, board, _start(board, chosen["start"]), *times)


def _seconds(text: str) -> float:
    """`60`, `90s`, `3m`, `24h`, `3d`."""
    number = float(text.rstrip("smhd"))
    return number * _SECONDS[text.lstrip("0123456789.")]


def _start(board: Board, said: str) -> Pair[Squares]:
    """KF-02: the centre, or two columns further apart, or two squares by name."""
    first, second = _named(board, said) if said[-1].isdigit() else (board.centre() or (None, None))
    if first is None or second is None or first == second:
        raise InputError(
            f"start = “{said}”: no two squares of a board of {board.cols} × {board.rows} (KF-02)."
        )
    if said != "apart":
        return first, second
    step = 1 if second == first << 1 else 16
    return first >> step, second << step


def _named(board: Board, said: str) -> tuple[Squares | None, Squares | None]:
    first, second = re.split(r"[ ,]+", said)
    return board.square(first), board.square(second)


def letters_of(anomalies: frozenset[str]) -> str:
    """The letters in force, in the order of the rulings."""
    return "".join(letter for letter in LETTERS if letter in anomalies)
