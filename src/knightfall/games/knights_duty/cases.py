"""A `match` case of Knight's Duty put to the game, and its turn told in the words of the cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare, left_over, scripted_draws
from knightfall.engine.rng import ScriptedRng
from knightfall.errors import StateDamaged
from knightfall.games.knights_duty import (
    KNIGHTS_DUTY,
    Knight,
    Phase,
    State,
    Token,
    Wanted,
    choose_board,
    first_weapon,
    lay,
    parse_options,
)
from knightfall.sentence import SlotId

JSON = dict[str, Any]

_NOON = datetime(2026, 1, 1, tzinfo=UTC)
_TURN_DEADLINE = "turn_deadline"


def check_match(case: Case) -> CaseResult:
    """Play the turns of a case and compare."""
    draw = scripted_draws(case, ("kd.card", "kd.target"))

    # The case's position with a turn open; states are not checked.
    given = _mapping(case.get("state"))
    rules = parse_options(_mapping(case.get("config")))
    board = choose_board(rules)
    free = [space for space in board.starts if space not in {one.get("pos") for one in given["players"]}]
    knights: dict[SlotId, Knight] = {}
    for one in given["players"]:
        slot, pos = SlotId(str(one["name"])), one.get("pos") or free.pop(0)
        if pos not in board.spaces:
            raise ValueError(f"the board has no space {pos!r}")
        weapon = one["weapon"] if "weapon" in one else first_weapon(rules, None)
        knights[slot] = Knight(
            slot, "", pos, Token(weapon) if weapon else None, one.get("heart", "up") == "up"
        )
    limit = None if rules["max_turns"] == "none" else int(rules["max_turns"])
    state = State(rules, board, knights, Phase.TURN, int(given.get("turn") or 1), limit, _NOON)

    rejected: list[JSON] = []
    for i, submission in enumerate(_list(case.get("submissions"))):
        if "event" in submission:
            state = _event(state, str(submission["event"]), draw)
        else:
            state, code = _submit(state, submission)
            rejected += [{"i": i, "code": code}] if code else []
    if draw.unused:
        return left_over(draw)
    attacks = [(f"R{played.number}:{one.attacker}", one) for played in state.rounds for one in played.attacks]
    end: JSON = {"result": "ongoing", "winner": None, "draw": None}
    if state.ending is not None:
        winner, between = state.ending.winner, [str(slot) for slot in state.ending.drawn]
        end = {"result": "win" if winner else "draw", "winner": winner, "draw": None if winner else between}
    told = {
        "positions": {slot: knight.pos for slot, knight in state.living.items()},
        "hearts": {slot: "up" if knight.heart else "down" for slot, knight in state.knights.items()},
        "weapons": {slot: knight.weapon for slot, knight in state.knights.items()},
        "out": list(state.out),
        "moves": {f"R{played.number}:{m.slot}": m.end for played in state.rounds for m in played.moves},
        "piles": {f"{key}->{one.target}": one.pile.counts() for key, one in attacks if one.pile},
        "attacks": {
            key: ":".join([one.target, str(one.card), *["disarmed"] * one.disarmed])
            if one.target is not None
            else "forfeit"
            for key, one in attacks
        },
        "last_round": len(state.rounds),
        **end,
    }

    return compare(case["expected"], told | {"rejected": rejected})


def _list(value: Any) -> list[Any]:
    return list(value or ())


def _mapping(value: Any) -> Mapping[str, Any]:
    return value or {}


def _submit(state: State, submission: Mapping[str, Any]) -> tuple[State, str | None]:
    """The state with the plan on file, or the code it was refused with."""
    if state.phase is Phase.OVER:
        return state, "GAME_OVER" if submission["player"] in state.living else "NOT_A_PLAYER"
    wanted = [
        Wanted(
            str(action.get("token")),
            action.get("dir"),
            tuple(str(name) for name in _list(action.get("targets"))),
            bool(action.get("only")),
        )
        for action in _list(submission.get("actions"))
    ]
    state, refused = lay(state, SlotId(str(submission["player"])), wanted)
    return state, refused[0][1].code if refused else None


def _event(state: State, event: str, draw: ScriptedRng) -> State:
    """The turn's deadline; in a staged game nobody answers the questions either."""
    if event != _TURN_DEADLINE:
        raise ValueError(f"no event {event!r}; known: {_TURN_DEADLINE}")
    turn = state.turn
    while state.phase is not Phase.OVER and state.turn == turn:
        step = KNIGHTS_DUTY.close(state, str(state.phase), _NOON, draw)
        if step.refused:
            raise StateDamaged(step.refused[0][1].text)
        state = step.state
    return state


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType({"match": check_match})
