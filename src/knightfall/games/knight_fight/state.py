"""The position of a whole match: which bout, who chooses, what was played before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from knightfall.engine.rng import Rng
from knightfall.games.knight_fight.action import ready
from knightfall.games.knight_fight.anomalies.coloration import paint
from knightfall.games.knight_fight.board import Pair, Side, Squares
from knightfall.games.knight_fight.bout import CHIPS, Bout, Repainted, note
from knightfall.games.knight_fight.options import Rules
from knightfall.games.knight_fight.table import Table, Turn
from knightfall.sentence import SlotId

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
    FORFEIT = "forfeit"


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


class Phase(StrEnum):
    """A side is chosen, a bout is played, the match is over."""

    SIDES = "sides"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Finished:
    """A bout that was played: how it began and how it ended."""

    chosen: Side
    first: Bout
    bout: Bout


@dataclass(frozen=True, slots=True)
class State:
    """`slots` are DMO and EC; `number` counts bouts from 1; `since`: when a side could first be chosen;
    `forfeited`: who lost the match by the moderator's word."""

    rules: Rules
    slots: tuple[SlotId, SlotId]
    phase: Phase = Phase.SIDES
    number: int = 1
    chosen: Side = Side.X
    table: Table | None = None
    done: tuple[Finished, ...] = ()
    since: datetime | None = None
    forfeited: Player | None = None


def slot_of(state: State, player: Player) -> SlotId:
    """Who is DMO, who is EC."""
    return state.slots[player is Player.EC]


def seats(state: State) -> Mapping[Side, SlotId]:
    """Who plays which side in the bout at hand."""
    return seats_in(state, state.number, state.chosen)


def seats_in(state: State, number: int, chosen: Side) -> Mapping[Side, SlotId]:
    """Who plays which side in a bout, where its chooser took this side."""
    x, o = players_of(number, chosen)
    return {Side.X: slot_of(state, x), Side.O: slot_of(state, o)}


def side_of(state: State, slot: SlotId | None) -> Side | None:
    """The side of a slot in the bout at hand; None for everybody else."""
    return next((side for side, held in seats(state).items() if held == slot), None)


def chooses(state: State) -> SlotId:
    """KF-03: who says which side they take."""
    return slot_of(state, chooser(state.number))


def verdict_of(state: State) -> Verdict | None:
    """Who won the match, once its bouts are played, or one of the two is out of it."""
    if state.forfeited is not None:
        return Verdict(state.forfeited.rival, Deciding.FORFEIT)
    return decide([_score(done) for done in state.done], state.rules)


def _score(done: Finished) -> Score:
    ended = done.bout.ended
    return Score(done.chosen, ended.winner if ended else None, done.bout.moves)


def begin(state: State, chosen: Side, at: datetime, draw: Rng) -> State:
    """KF-03: the chooser takes this side, and the bout begins."""
    seated = replace(state, phase=Phase.PLAY, chosen=chosen)
    first = _opening(seated, draw.at("bout", state.number))
    return replace(seated, table=Table(first, ready(first), Turn(max(at, state.since or at))))


def _opening(state: State, draw: Rng) -> Bout:
    """KF-02: the opening position, with what the options carry over from the bout before."""
    rules = state.rules
    bout = Bout(rules, rules.start, reserve=(rules.reserve, rules.reserve), **_carried(state))  # type: ignore[arg-type]  # by their names
    if not bout.has("C"):
        return bout
    colours, rejected = paint(rules, draw)
    return replace(note(bout, *[Repainted()] * rejected), colours=colours)


def _carried(state: State) -> dict[str, tuple[int, int] | Squares]:
    """KF-16, KF-18, by option: manure and chips of the bout before; an extra bout (KF-12) begins without
    manure, which else would pile up until every bout is drawn."""
    if not state.done:
        return {}
    before, rules = state.done[-1], state.rules
    kept: dict[str, tuple[int, int] | Squares] = {}
    if rules["kf_16"] == "both_bouts" and state.number <= BOUTS:
        kept["manure"] = before.bout.manure & ~(rules.start[0] | rules.start[1])
    if rules["kf_18"] == "once":
        # Chips belong to the player, whatever side they take.
        owned = dict(zip(players_of(state.number - 1, before.chosen), before.bout.chips, strict=True))
        x, o = players_of(state.number, state.chosen)
        kept["chips"] = owned.get(x, CHIPS), owned.get(o, CHIPS)
    return kept


def finish(state: State, at: datetime) -> State:
    """KF-10: a bout that has ended is put away; another follows, or the match is over."""
    if state.table is None or state.table.bout.ended is None:
        return state
    done = (*state.done, Finished(state.chosen, state.table.first, state.table.bout))
    over = replace(state, done=done, table=None, since=max(at, state.table.turn.since))
    if verdict_of(over):
        return replace(over, phase=Phase.OVER)
    return replace(over, phase=Phase.SIDES, number=state.number + 1)
