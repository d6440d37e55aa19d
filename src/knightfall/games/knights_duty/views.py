"""What each may know of Knight's Duty, and what its posts and PMs say.

Public are positions, weapons, Hearts and tokens once revealed; plans and wishes are their owner's alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from knightfall.engine.game import Announced, Noted, Refusal, SlotId, Told, Untyped, View
from knightfall.games.knights_duty.endings import scores_of
from knightfall.games.knights_duty.options import OPTIONS
from knightfall.games.knights_duty.plan import REACH, ROUNDS, WOUNDED_ROUNDS, numbered
from knightfall.games.knights_duty.staging import asked, shown
from knightfall.games.knights_duty.state import Choice, Knight, Phase, State
from knightfall.games.knights_duty.telling import (
    board_lines,
    draws_of,
    knight_facts,
    round_facts,
    trace_facts,
)


def view(state: State, slot: SlotId | None) -> View:
    """What that slot (None: the public) may know."""
    if slot is None or slot not in state.knights:
        return View(slot, table_facts(state))
    return View(slot, table_facts(state) | own_facts(state, slot) | {"standing": standing(state, slot)})


def table_facts(state: State) -> dict[str, object]:
    """What everyone sees."""
    return {
        "phase": str(state.phase),
        "turn": state.turn,
        "knights": knight_facts(state),
        "board": board_lines(state),
        "rounds": [round_facts(state, played) for played in state.rounds],
        "limit": state.limit,
        "winner": state.ending.winner if state.ending else None,
        "drawn": list(state.ending.drawn) if state.ending else [],
    }


def own_facts(state: State, slot: SlotId) -> dict[str, object]:
    """What the slot itself sent: wishes, plan, shuffle."""
    choice = state.choices.get(slot)
    return {
        "plan": numbered(state.plans.get(slot, ())),
        "starts": list(choice.starts) if choice else [],
        "weapon": str(choice.weapon) if choice and choice.weapon else None,
        "shuffle": list(state.shuffles.get(slot, ())),
    }


def standing(state: State, slot: SlotId) -> list[str]:
    """What of the slot's is on file and can still change, as lines that could be sent again."""
    plan, choice = numbered(state.plans.get(slot, ())), state.choices.get(slot)
    match state.phase:
        case Phase.SETUP:
            return _wishes(choice) if choice else []
        case Phase.TURN:
            shuffle = state.shuffles.get(slot, ())
            return plan + ([f"SHUFFLE {' '.join(map(str, shuffle))}"] if shuffle else [])
        case Phase.MOVES | Phase.ATTACKS:
            return plan[len(state.rounds) - 1 : len(state.rounds)] if slot in asked(state) else []
        case Phase.OVER:
            return []


def _wishes(choice: Choice) -> list[str]:
    starts = [f"START {', '.join(choice.starts)}"] if choice.starts else []
    return starts + ([f"WEAPON {choice.weapon.upper()}"] if choice.weapon else [])


def deadline(state: State) -> datetime | None:
    """KD-31: when what is open ends; None: as the moderator says."""
    hours = state.rules["kd_31"]
    if state.opened is None or hours == "none":
        return None
    return state.opened + timedelta(hours=int(hours))


def _until(state: State) -> str | None:
    ends = deadline(state)
    return _weekday(ends) if ends else None


@lru_cache(maxsize=64)  # asked for in every receipt of a turn
def _weekday(at: datetime) -> str:
    return f"{at.astimezone(UTC):%a %H:%M} UTC"


def opening(state: State) -> Announced:
    """How to join: the starts with their colours, and what can be chosen."""
    starts = [{"space": space, "clan": state.board.clan(space)} for space in state.board.starts]
    facts = {
        "players": list(state.knights),
        "board": board_lines(state),
        "starts": starts,
        "weapon": state.rules["kd_27"],
        "fixed": state.rules["fixed_weapon"],
    }
    return Announced(Untyped("opening", facts))


def house(state: State) -> Noted:
    """What this moderator plays otherwise than the defaults."""
    chosen = [
        {"name": option.name, "value": state.rules[option.name], "ruling": option.ruling}
        for option in OPTIONS
        if option.name in state.rules.house
    ]
    return Noted(Untyped("moderator_options", {"chosen": chosen}))


def placed(state: State) -> Announced:
    """Everyone on their start space."""
    return Announced(Untyped("start", _position(state) | {"deadline": _until(state)}))


def _position(state: State) -> dict[str, object]:
    return {"turn": state.turn, "knights": knight_facts(state), "board": board_lines(state)}


def turn_post(state: State, after: State) -> Announced:
    """KD-30: three blocks, the board, Hearts and weapons, the draws; `after`: what is open next."""
    goes_on = after.phase is not Phase.OVER
    return Announced(
        Untyped(
            "turn",
            _position(state)
            | {
                "rounds": [round_facts(state, played) for played in state.rounds],
                "draws": draws_of(state.rounds),
                "next": after.turn if goes_on else None,
                "deadline": _until(after) if goes_on else None,
            },
        ),
    )


def stage_post(state: State, since: int) -> Announced:
    """KD-29: what happened since round `since`, and who is asked now."""
    facts = _position(state) | {
        "rounds": [round_facts(state, played) for played in state.rounds if played.number >= since],
        "draws": draws_of([played for played in state.rounds if played.number >= since]),
        "question": str(state.phase),
        "asked": list(asked(state)),
        "deadline": _until(state),
    }
    return Announced(Untyped("stage", facts))


def questions(state: State) -> tuple[Told, ...]:
    """A PM to each who is asked in a staged round."""
    tokens, number, living = shown(state), len(state.rounds), state.living
    facts = {"turn": state.turn, "round": number, "question": str(state.phase), "deadline": _until(state)}
    return tuple(
        Told(
            (slot,),
            Untyped(
                "question", facts | {"name": slot, "token": tokens[slot], "near": _near(state, slot, living)}
            ),
        )
        for slot in asked(state)
    )


def turn_pms(state: State) -> tuple[Told, ...]:
    """A PM to every living player: where they are, what they may lay, who is near."""
    living, until = state.living, _until(state)
    return tuple(_turn_pm(state, knight, living, until) for knight in living.values())


def _turn_pm(state: State, knight: Knight, living: Mapping[SlotId, Knight], until: str | None) -> Told:
    slot = knight.slot
    facts = {
        "name": slot,
        "turn": state.turn,
        "pos": knight.pos,
        "hill": knight.pos in state.board.hills,
        "clan": knight.clan,
        "weapon": str(knight.weapon) if knight.weapon else None,
        "heart": "up" if knight.heart else "down",
        "actions": ROUNDS if knight.heart else WOUNDED_ROUNDS,
        "near": _near(state, slot, living),
        "staged": state.rules["mode"] == "staged",
        "deadline": until,
    }
    return Told((slot,), Untyped("turn_pm", facts))


def _near(state: State, slot: SlotId, living: Mapping[SlotId, Knight]) -> list[dict[str, object]]:
    """The others by distance, with what reaches them from here."""
    distances = state.board.distances[state.knights[slot].pos]
    others = [(distances[one.pos], name) for name, one in living.items() if name != slot]
    return [
        {"name": name, "distance": far, "reach": [str(w) for w, most in REACH.items() if 1 <= far <= most]}
        for far, name in sorted(others, key=lambda pair: pair[0])
    ]


def receipt(state: State, slot: SlotId, at: datetime, refused: Sequence[tuple[str, Refusal]] = ()) -> Told:
    """What was not taken and why; then what is on file, whole: the same whether it has changed or not."""
    not_taken = [{"line": line, "why": why.text.rstrip(".")} for line, why in refused]
    facts = {
        "refused": not_taken,
        "name": slot,
        "received": f"{at.astimezone(UTC):%H:%M} UTC",
        "turn": state.turn,
    }
    facts_of_phase = {"setup": state.phase is Phase.SETUP, "deadline": _until(state)}
    return Told((slot,), Untyped("receipt", facts | facts_of_phase | own_facts(state, slot)))


def sheet(before: State, state: State) -> Noted:
    """The turn in full: every plan as sent, who sent none, and each step with its ruling."""
    plans = [
        {"name": slot, "plan": numbered(state.plans[slot]) if slot in state.plans else []}
        for slot in before.living
    ]
    return Noted(Untyped("moderator_turn", {"turn": state.turn, "plans": plans, "trace": trace_facts(state)}))


def ending(state: State) -> Announced:
    """Who won, the story of the game, and a table of hits, misses and disarms."""
    end = state.ending
    facts = {
        "winner": end.winner if end else None,
        "drawn": list(end.drawn) if end else [],
        "why": end.why if end else "",
        "turns": state.turn,
        "knights": knight_facts(state),
        "story": [
            {
                "turn": deed.turn,
                "round": deed.round,
                "attacker": deed.attacker,
                "weapon": str(deed.weapon),
                "target": deed.target,
                "wound": str(deed.wound),
            }
            for deed in state.story
        ],
        "scores": [{"name": slot, **asdict(score)} for slot, score in scores_of(state).items()],
    }
    return Announced(Untyped("ending", facts))
