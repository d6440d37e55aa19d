"""Who plays which side, and who wins the Death Match? Two bouts, and what decides when each won one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from knightfall.games.knight_fight.board import Pair, Side
from knightfall.games.knight_fight.options import Rules

BOUTS = 2


class Player(StrEnum):
    """Death Match Opponent and Elimination Candidate."""

    DMO = "DMO"
    EC = "EC"

    @property
    def rival(self) -> Player:
        return Player.EC if self is Player.DMO else Player.DMO


class Deciding(StrEnum):
    """KF-10, KF-11, KF-12: what decided."""

    BOUTS = "bouts"
    FEWER_MOVES = "fewer_moves"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Score:
    """What counts of a bout: the side the chooser took, the side that won (None: drawn), its moves."""

    chosen: Side
    winner: Side | None
    moves: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins the match, and why."""

    winner: Player
    why: Deciding


def chooser(number: int) -> Player:
    """KF-03: in the first bout the DMO chooses a side, in the second the EC, and so on."""
    return Player.DMO if number % 2 else Player.EC


def players_of(number: int, chosen: Side) -> Pair[Player]:
    """Who plays X, and who O, in this bout."""
    first = chooser(number)
    return (first, first.rival) if chosen is Side.X else (first.rival, first)


def winners(scores: Sequence[Score]) -> list[Player | None]:
    """Who won each bout."""
    return [
        None if score.winner is None else players_of(number, score.chosen)[score.winner]
        for number, score in enumerate(scores, start=1)
    ]


def decide(scores: Sequence[Score], rules: Rules) -> Verdict | None:
    """The match after these bouts; None where another one is to be played."""
    won = winners(scores)
    dmo, ec = won.count(Player.DMO), won.count(Player.EC)
    if len(scores) < BOUTS:
        return None
    if dmo != ec:
        return Verdict(Player.DMO if dmo > ec else Player.EC, Deciding.BOUTS)
    if None in won and rules["kf_12"] == "extra_bout":
        return None
    # KF-11: fewer moves in the bout one won; else the DMO (KF-11, KF-12).
    moves = {
        player: sum(score.moves for score, winner in zip(scores, won, strict=True) if winner is player)
        for player in Player
    }
    if moves[Player.DMO] == moves[Player.EC]:
        return Verdict(Player.DMO, Deciding.TIE)
    return Verdict(min(Player, key=moves.__getitem__), Deciding.FEWER_MOVES)
