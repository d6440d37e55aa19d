"""The rulings of Knight Fight, and the questions that its moderator may answer otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.engine.game import Option, choose, option
from knightfall.engine.spans import parse_span
from knightfall.errors import InputError
from knightfall.games.knight_fight.board import Board, Pair, Squares, board_of, spread

ANOMALIES = (
    ("A", "Airdrop"),
    ("B", "Bidding"),
    ("C", "Coloration"),
    ("H", "Horse Trap"),
    ("S", "Sickness"),
    ("N", "Snapshot"),
    ("T", "Tic-Tac-Toe"),
)
"""The letter and the name of each anomaly, in the order of the rulings."""
LETTERS = "".join(letter for letter, _ in ANOMALIES)
_NAMED: Mapping[str, str] = {re.sub("[ -]", "", name).lower(): letter for letter, name in ANOMALIES}
"""The letter of each anomaly by its name without blanks and hyphens."""

_TIMES = "a time such as 90s, 3m, 24h or 3d"
_TIME = r"[0-9]{1,6}(?:\.[0-9]{1,3})?[smhd]?"
_SIZE = r"[3-9]|1[0-4]"

_NAME = r"airdrop|bidding|coloration|horse[ -]?trap|sickness|snapshot|tic[ -]?tac[ -]?toe"
_ONE = rf"(?:{_NAME}|[abchsnt]{{1,7}}(?![a-z]))"
_BETWEEN = r"(?:\s*[+,&/]\s*|\s+and\s+|\s+)"
_ANOMALIES = "letters or names, such as AH, A+H, A,H, airdrop or airdrop+snapshot ({})".format(
    ", ".join(map(" ".join, ANOMALIES))
)


OPTIONS: tuple[Option, ...] = (
    option(
        "KF-13",
        "The anomalies in force",
        "none",
        name="anomalies",
        pattern=rf"{_ONE}(?:{_BETWEEN}{_ONE})*",
        form=_ANOMALIES,
        together=ANOMALIES,
    ),
    option("KF-01", "Rows of the board", "11", "12", name="rows", pattern=_SIZE, form="3 to 14"),
    option("KF-01", "Columns of the board", "12", "11", name="cols", pattern=_SIZE, form="3 to 14"),
    option(
        "KF-02",
        "Where X and O start",
        "adjacent",
        "apart",
        name="start",
        pattern=r"[a-n]\d{1,2}[ ,]+[a-n]\d{1,2}",
        form="two squares such as F6 G6",
    ),
    option(
        "KF-03",
        "The clock of the first choice of a side begins with",
        "opening_post",
        "game",
        name="first_choice",
    ),
    option(
        "KF-08",
        "Time for a move",
        "60",
        "24h",
        name="move_time",
        pattern=_TIME,
        form=_TIMES,
        words=("60 seconds", "24 hours"),
    ),
    option(
        "KF-08",
        "Reserve for each player in a bout",
        "180",
        "72h",
        name="reserve",
        pattern=_TIME,
        form=_TIMES,
        words=("3 minutes", "72 hours"),
    ),
    option("KF-12", "A level match after drawn bouts", "dmo", "extra_bout"),
    option("KF-13", "What counts as a move", "placements", "turns"),
    option("KF-14", "Manure twice a bout", "each", "together"),
    option("KF-16", "How long manure lies", "bout", "both_bouts"),
    option("KF-18", "When both get 20 chips", "each_bout", "once"),
    option("KF-20", "X wins the first bid", "x_wins_tie", "x_wins_auto", name="first_bid"),
    option("KF-21", "The winner of a tie pays", "yes", "no", name="tie_pays"),
    option("KF-23", "The losing bid is public", "yes", "no"),
    option("KF-26", "A trapped square sets the colour", "yes", "no", name="trap_square_sets_colour"),
    option("KF-27", "An unsprung trap is revealed", "no", "yes"),
    option(
        "KF-27",
        "The moderator moves the deadlines of a move and its trap",
        "together",
        "apart",
        name="trap_deadline",
    ),
    option("KF-32", "A weakened source whose spawn is trapped", "stays", "vanishes"),
    option("KF-38", "Typing errors in Snapshot", "sent_back", "pass"),
    option("KF-39", "The rival's last move after a pass", "real", "passed"),
    option("KF-44", "Nobody can move, points level", "drawn", "last_mover"),
    option("KF-45", "Scores in Snapshot", "public", "hidden"),
    option("KF-P05", "A legal move with illegal manure in Snapshot", "illegal", "fizzles"),
    option("KF-P10", "An illegal winner in Bidding and Snapshot", "pays", "refund"),
    option("KF-P20", "Points with Sickness are counted after each", "move", "round", name="recount"),
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

    @property
    def is_live(self) -> bool:
        """KF-08: with minutes for a move, not hours: a match in one sitting."""
        return self.move_time < 3600

    @property
    def from_the_start(self) -> bool:
        """KF-03: whether the first choice of a side has its time from the beginning; in one sitting its clock
        begins with the moderator's post."""
        return self.chosen["first_choice"] == "game" and not self.is_live


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file. Raises InputError with the choices, or where no knight can start."""
    chosen = choose("Knight Fight", OPTIONS, given).values
    board = board_of(int(chosen["rows"]), int(chosen["cols"]))
    letters = _letters(chosen["anomalies"])
    times = _seconds(chosen["move_time"]), _seconds(chosen["reserve"])
    start = _start(board, chosen["start"])
    # KF-25: each starting knight must be able to reach two colours, so two squares.
    free = board.ground & ~(start[0] | start[1])
    if "C" in letters and any((spread(knight) & free).bit_count() < 2 for knight in start):
        raise InputError(
            f"A board of {board.cols} × {board.rows} is too small for Coloration: a knight could not "
            "reach two colours (KF-25)."
        )
    return Rules(chosen, letters, board, start, *times)


def _letters(said: str) -> frozenset[str]:
    """The letters of the anomalies, from letters and names in any mixture."""
    if said == "none":
        return frozenset()
    words = re.findall(_ONE, re.sub(r"\s+and\s+", "+", said))
    return frozenset("".join(_NAMED.get(re.sub(r"[ -]", "", one), one.upper()) for one in words))


def _seconds(text: str) -> float:
    """`60`, which are seconds, `90s`, `3m`, `24h` or `3d`."""
    return parse_span(text if text[-1].isalpha() else f"{text}s").total.total_seconds()


def _start(board: Board, said: str) -> Pair[Squares]:
    """KF-02: the centre, or two columns further apart, or two squares by name."""
    first, second = _named(board, said) if said[-1].isdigit() else (board.centre() or (None, None))
    if first is None or second is None or first == second:
        raise InputError(
            f"start = “{said}”: no two squares of a board of {board.cols} × {board.rows} (KF-02). A board "
            "that is not odd by even has no two centre squares: say start, such as start = “C3 D3”."
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


RULINGS: Mapping[str, str] = {
    "KF-01": "12 columns A to L, 11 rows; row 1 on top, column A left.",
    "KF-02": "X starts on F6, O on G6: the two centre squares.",
    "KF-03": "The DMO chooses a side for bout 1, the EC for bout 2; no answer is X. X moves first.",
    "KF-04": "A new own knight on a free square, a knight's jump from an own one; the first legal is final.",
    "KF-05": "Refusals in a fixed order of codes; the clock keeps running.",
    "KF-06": "Four or more own knights in an unbroken row or column at the end of your move win.",
    "KF-07": "No legal square when your turn begins loses the bout, judged on the true board.",
    "KF-08": "60 s a move, then 180 s of reserve for each player and bout; exactly as much is in time.",
    "KF-09": "Out of time: the rival has 60 s to move for him, then a legal move is drawn.",
    "KF-10": "More bouts won wins the Death Match.",
    "KF-11": "One bout each: fewer moves in the bout you won; equal: the DMO.",
    "KF-12": "Drawn bouts exist only where nobody could move on level points; level after them: the DMO.",
    "KF-13": "Every placement counts as a move, whoever made it, also one lost to a trap; passes do not.",
    "KF-14": "Airdrop: each player twice a bout, at most once with each placement.",
    "KF-15": "Manure falls on the board, on a square free before the action and not the one being played.",
    "KF-16": "Manure lies until the end of the bout.",
    "KF-17": "Manure falls after knight, trap and sickness are settled.",
    "KF-18": "Bidding: 20 chips each at the start of each bout; both send a bid with a legal move.",
    "KF-19": "The higher bid pays its amount to the rival and plays; the lower pays nothing.",
    "KF-20": "A tie goes to the loser of the latest bid; before any bid to X.",
    "KF-21": "The winner of a tie pays his bid.",
    "KF-22": "60 s for each bid, no reserve; no bid is 0 without a move, and if that wins, KF-09.",
    "KF-23": "Both bids, payment and balances are published; the losing move stays secret.",
    "KF-24": "Coloration: you may not place on the colour of your rival's latest placement.",
    "KF-25": "The board is repainted until each starting knight can reach two colours.",
    "KF-26": "A placement lost to a trap still sets the colour.",
    "KF-27": "Horse Trap: by PM in the mover's first minute, or declined; the move waits; told if sprung.",
    "KF-28": "A knight placed on the trap is removed; the move is over and counts.",
    "KF-29": "Any square can be trapped; the last choice counts; the trap is gone after the turn.",
    "KF-30": "A trapped mover may not trap until his rival has next placed a knight or passed his turn.",
    "KF-31": "Sickness: the source must be named; a healthy source becomes weakened.",
    "KF-32": "A weakened source vanishes when it spawns; lines are judged after that.",
    "KF-33": "Weakness lasts for the bout.",
    "KF-34": "Health is public except in Snapshot, where each sees that of his own knights.",
    "KF-35": "Both without a move in Bidding: the one who would win ties loses.",
    "KF-37": "Snapshot: each sees his own knights and the rival's latest placement, by PM.",
    "KF-38": "A readable but illegal move is a pass; what cannot be read is sent back.",
    "KF-39": "The rival's latest placement is the latest real one, also one lost to a trap.",
    "KF-40": "No notes: a matter of honour; the reminder is posted.",
    "KF-41": "Tic-Tac-Toe: every straight run of three knights standing now is a point.",
    "KF-42": "Six points at the end of your move win.",
    "KF-43": "Who cannot move passes.",
    "KF-44": "Nobody can move: more points; level: the bout is drawn.",
    "KF-45": "Scores are public, also in Snapshot.",
    "KF-P01": "A+B: only the bid winner's manure falls and is spent.",
    "KF-P02": "A+C: manure has no colour; the knight's square sets the ban.",
    "KF-P03": "A+H: trapped: the manure stays and is spent.",
    "KF-P04": "A+S: a source about to vanish still stands in the way of the manure of its move.",
    "KF-P05": "A+N: any fault in either half makes the move illegal; no manure is spent.",
    "KF-P06": "A+T: manure may force passes, never a loss.",
    "KF-P07": "B+C: the ban is the rival's latest placement, however many rounds ago.",
    "KF-P08": "B+H: only the trap of the one who does not play counts; a trap under a ban is dropped.",
    "KF-P09": "B+S: only the winner's source changes.",
    "KF-P10": "B+N: an illegal winner passes, still pays, and the loser's move is played.",
    "KF-P11": "B+T: who cannot move does not bid; the other plays for free, tie priority unchanged.",
    "KF-P12": "C+H: the trapped square's colour binds.",
    "KF-P13": "C+S: a vacated square keeps its colour.",
    "KF-P14": "C+N: colours are visible; a wrong one is a pass; a pass changes no colour.",
    "KF-P15": "C+T: no square of another colour is a pass.",
    "KF-P16": "H+S: trapped: the source stays as it was.",
    "KF-P17": "H+N: an illegal move springs nothing and bans nobody; a trapped one is a real move.",
    "KF-P18": "H+T: a trapped knight never scores.",
    "KF-P19": "S+N: the rival sees the target square, not the source or the vanishing.",
    "KF-P20": "S+T: points are counted after the vanishing; six must stand then.",
    "KF-P21": "N+T: illegal is a pass; who cannot move is judged on the true board.",
}
