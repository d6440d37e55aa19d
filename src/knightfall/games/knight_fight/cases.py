"""A match case of Knight Fight put to the game, and the outcome told in the words of the cases.

A case says seconds since the turn began; here they become instants. Actions become the lines that a player
would write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare, left_over, scripted_draws
from knightfall.engine.game import Message, Step
from knightfall.engine.rng import ScriptedRng
from knightfall.games.knight_fight import KNIGHT_FIGHT, Rules, State, parse_options
from knightfall.games.knight_fight.anomalies.coloration import paint, read_colours
from knightfall.games.knight_fight.anomalies.tic_tac_toe import fresh
from knightfall.games.knight_fight.board import SIDES, Pair, Side, Squares, name_of, names
from knightfall.games.knight_fight.events import OwnKnight
from knightfall.games.knight_fight.rules import finish, ready, targets
from knightfall.games.knight_fight.state import (
    Bidden,
    Bout,
    Entry,
    Passed,
    Phase,
    Played,
    Repainted,
    Score,
    Table,
    Turn,
    Why,
    decide,
    mover_of,
    note,
    players_of,
)
from knightfall.games.knight_fight.views import knights_of, seen_by
from knightfall.sentence import SlotId

JSON = dict[str, Any]

_START = datetime(2026, 1, 1, tzinfo=UTC)
_SQUARE = re.compile(r"[A-Za-z]{1,2}\d{1,3}")
_SLOTS = (SlotId("X"), SlotId("O"))
"""In the first bout the DMO takes X, so each slot has the name of its side."""
_NOWHERE = "Z99"
_WINDOWS = {"proxy_timeout": "stand_in", "resolve_bids": "bids"}
_EXACT = ("knights.*", "view.*.own")


def check_match(case: Case) -> CaseResult:
    """Play the bout, or decide the match, of a case and compare."""
    given: Mapping[str, Any] = case
    state = given.get("state") or {}
    if state.get("mode") == "match":
        # KF-10 to KF-12, from sides chosen and bouts played.
        choices = {int(number): Side[side] for number, side in (state.get("choices") or {}).items()}
        bouts = state.get("bouts") or ()
        scores = [
            Score(
                choices.get(number, Side.X),
                Side[bout["winner"]] if bout.get("winner") else None,
                bout["moves"],
            )
            for number, bout in enumerate(bouts, start=1)
        ]
        verdict = decide(scores, _rules(given, {}))
        decided = {
            "sides": {str(number): _seated(number, choices.get(number, Side.X)) for number in (1, 2)},
            "dm_winner": str(verdict.winner) if verdict else None,
            "why": str(verdict.why) if verdict else None,
        }

        return compare(given["expected"], decided)
    run = _Run(scripted_draws(case, ("kf.rng_move", "kf.colors")))

    # The position of a case, as at the beginning of a turn.
    rules = _rules(given, state)
    bout = _bout(state, rules)
    if state.get("colors"):
        first = replace(bout, colours=read_colours(bout.rules.board, state["colors"]))
    elif not bout.has("C"):
        first = bout
    else:
        colours, rejected = paint(bout.rules, run.draw.at("bout", 1))
        first = replace(note(bout, *[Repainted()] * rejected), colours=colours)

    begun = Table(first, ready(first), Turn(_START))
    run.state = finish(State(rules, _SLOTS, Phase.PLAY, table=begun), _START)
    for number, submission in enumerate(given.get("submissions") or ()):
        if "event" in submission:
            # An event; one that nothing waits for is nothing.
            kind, table = _WINDOWS.get(submission["event"], "turn"), run.state.table
            if kind != "turn" or (table is not None and mover_of(table) == Side[submission["player"]]):
                run.state = KNIGHT_FIGHT.close(run.state, kind, _since(run), run.draw).state
        else:
            action, at = submission["action"], _since(run) + timedelta(seconds=submission.get("elapsed") or 0)
            slot = SlotId(submission["player"])
            step = _said(run, slot, _lines(run, slot, action, at), at)
            run.state = step.state
            run.rejected += [{"i": number, "code": refusal.code} for _, refusal in step.refused]
            table = run.state.table
            if table and table.turn.waiting:  # no trap before a spawn counts as declined
                run.state = KNIGHT_FIGHT.close(run.state, "trap", at, run.draw).state

    if run.draw.unused:
        return left_over(run.draw)
    return compare(given["expected"], _told(run), exact=_EXACT)


@dataclass(slots=True)
class _Run:
    """A case being played: the state, and what was refused."""

    draw: ScriptedRng
    state: State = field(init=False)
    rejected: list[JSON] = field(default_factory=list)

    @property
    def bout(self) -> Bout:
        table = self.state.table
        return table.bout if table else self.state.done[-1].bout


def _rules(case: Mapping[str, Any], state: Mapping[str, Any]) -> Rules:
    # `p20` and `kf_p20` are the same option.
    config = {
        (f"kf_{name}" if re.fullmatch(r"p\d+", name) else name): value
        for name, value in (case.get("config") or {}).items()
    }
    if isinstance(start := config.get("start"), Mapping):
        config["start"] = f"{start['X']} {start['O']}"
    return parse_options({"anomalies": "".join(state.get("anomalies") or ()) or "none", **config})


def _bout(state: Mapping[str, Any], rules: Rules) -> Bout:
    knights = state.get("knights") or {}
    loser = state.get("last_bid_loser")
    given = state.get("last_move") or {}
    x, o = (_all(rules, [name]) if (name := given.get(side.name)) else 0 for side in SIDES)
    last = x, o
    own_x, own_o = (_all(rules, knights[s.name]) if s.name in knights else rules.start[s] for s in SIDES)
    bout = Bout(
        rules,
        (own_x, own_o),
        weak=_all(
            rules, [n for own in knights.values() for n, health in own.items() if health == "weakened"]
        ),
        manure=_all(rules, state.get("manure") or ()),
        manure_left=_pair(state.get("manure_left"), 2),
        chips=_pair(state.get("chips"), 20),
        bid_loser=Side[loser] if loser else None,
        last=last,
        binding=last,
        banned=("X" in (state.get("trap_banned") or ()), "O" in (state.get("trap_banned") or ())),
        moves=state.get("moves") or 0,
        turns=state.get("moves") or 0,
        reserve=_pair(state.get("reserve"), rules.reserve),
        to_move=Side[state.get("to_move") or "X"],
    )
    return replace(bout, points=fresh(bout))


def _all(rules: Rules, given: Sequence[str]) -> Squares:
    return sum({rules.board.square(name) or 0 for name in given})


def _pair(given: Mapping[str, Any] | None, usual: Any) -> Pair[Any]:
    return (given or {}).get("X", usual), (given or {}).get("O", usual)


def _since(run: _Run) -> datetime:
    return run.state.table.turn.since if run.state.table else _START


def _said(run: _Run, slot: SlotId, text: str, at: datetime) -> Step[State]:
    return KNIGHT_FIGHT.submit(run.state, Message(slot, text, at), run.draw)


def _lines(run: _Run, slot: SlotId, action: Mapping[str, Any], at: datetime) -> str:
    match action["type"]:
        case "trap":
            return f"TRAP: {_square(action['square'])}" if action.get("square") else "NO TRAP"
        case "proxy":
            return f"FOR {Side[slot].rival.name}: {_move(action)}"
        case "bid":
            # A bid with its trap in one message; a refused bid comes without it.
            bid = f"BID {action.get('chips', 0)}: {_move(action)}"
            if _said(run, slot, bid, at).refused:
                return bid
            trap = action.get("trap")
            declined = "\nNO TRAP" if run.bout.has("H") and not run.bout.banned[Side[slot]] else ""
            return f"{bid}\nTRAP: {_square(trap)}" if trap else bid + declined
        case _:
            return _move(action)


def _move(action: Mapping[str, Any]) -> str:
    source, manure = action.get("from"), action.get("manure")
    before = f"{_square(source)}>" if source else ""
    return before + _square(action["to"]) + (f" MANURE {_square(manure)}" if manure else "")


def _square(name: object) -> str:
    """What is no square in any notation lies off the board."""
    return str(name) if _SQUARE.fullmatch(str(name)) else _NOWHERE


def _told(run: _Run) -> JSON:
    bout = run.bout
    ended = bout.ended
    playing = seen_by(_still(bout), None).playing
    colors = list(playing.colours) if playing and playing.colours else None
    numbers = {
        "moves": bout.moves,
        "reserve": _both(dict(zip(SIDES, bout.reserve, strict=True))),
        "chips": _both(dict(zip(SIDES, bout.chips, strict=True))),
        "manure_left": _both(dict(zip(SIDES, bout.manure_left, strict=True))),
        "points": _both(dict(zip(SIDES, bout.points if bout.has("T") else fresh(bout), strict=True))),
        "colors": colors,
    }

    return {
        "knights": _both({side: _health(knights_of(bout, side)) for side in SIDES}),
        "to_move": None if bout.has("B") else bout.to_move.name,
        "last_bid_loser": None if bout.bid_loser is None else bout.bid_loser.name,
        "last_move": _both({side: name_of(bout.last[side]) if bout.last[side] else None for side in SIDES}),
        "manure": sorted(names(bout.manure)),
        "trap_banned": [side.name for side in sorted(SIDES, key=lambda s: s.name) if bout.banned[side]],
        "legal": _both({side: sorted(names(targets(bout, side))) for side in SIDES}),
        "view": _both({side: _view(run, side) for side in SIDES}),
        "rejected": run.rejected,
        "winner": None if ended is None or ended.winner is None else ended.winner.name,
        "reason": str(ended.reason) if ended else None,
        "log": [line for entry in bout.record for line in _log(entry)],
        **numbers,
    }


def _still(bout: Bout) -> State:
    """The bout as if it were being played: what can be seen at its end, too."""
    return State(bout.rules, _SLOTS, Phase.PLAY, table=Table(bout, bout, Turn(_START)))


def _view(run: _Run, side: Side) -> JSON:
    own = seen_by(_still(run.bout), SlotId(side.name)).own
    return {"own": _health(own.knights), "rival_last": own.rival_last} if own else {}


def _health(knights: tuple[OwnKnight, ...]) -> JSON:
    """{square: healthy or weakened}."""
    return {one.square: one.health for one in knights}


def _both(values: Mapping[Side, Any]) -> JSON:
    return {side.name: value for side, value in values.items()}


def _log(entry: Entry) -> list[str]:
    match entry:
        case Played(side=side, vanished=vanished) if vanished:
            return [f"{side.name} knight vanished at {name_of(vanished)}"]
        case Passed(side=side, why=why):
            return [f"{side.name} {'cannot move' if why is Why.STUCK else 'illegal pass'}"]
        case Bidden((x, o), winner, paid):
            return [f"{winner.name} wins bid {x or 0}-{o or 0}, pays {paid}"]
        case Repainted():
            return ["repaint"]
    return []


def _seated(number: int, chosen: Side) -> JSON:
    x, o = players_of(number, chosen)
    return {"X": str(x), "O": str(o)}


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType({"match": check_match})
