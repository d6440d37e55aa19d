"""A match of King's Court put to the game, and what came of it told in the words of the cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare, left_over, scripted_draws
from knightfall.engine.game import Facts, Message, Step, Told
from knightfall.engine.rng import ScriptedRng
from knightfall.games.kings_court import KINGS_COURT, Deal, Phase, Prizes, Role, State, parse_options
from knightfall.games.kings_court.events import AnnoyedAnswer, HintSent, LookAnswer, PairAnswer, PeekAnswer
from knightfall.games.kings_court.rules import lowest, verdict
from knightfall.games.kings_court.state import DEATHMATCH, FROZEN, KING, Poll
from knightfall.sentence import SlotId

JSON = dict[str, Any]

_START, _STEP = datetime(2026, 1, 1, tzinfo=UTC), timedelta(minutes=1)
_LISTED = frozenset(
    [
        *("kc.king", "kc.dukes", "kc.annoyed.duke", "kc.annoyed.noble"),
        *("kc.tiebreak", "kc.peek_king", "kc.tol.duke", "kc.tol.noble", "kc.deadlock_coin"),
    ]
)
"""FORMAT.md: draws that a case must script."""
_WINDOWS: Mapping[str, str] = {
    "vote_deadline": Phase.VOTE,
    "tie_deadline": Phase.TIE,
    "tol_deadline": Phase.TOL,
    "ec_deadline": Phase.EC,
}


@dataclass(slots=True)
class _Match:
    """A case being played."""

    state: State
    draw: ScriptedRng
    tallies: list[JSON] = field(default_factory=list)
    rejected: list[JSON] = field(default_factory=list)
    private: dict[str, list[JSON]] = field(default_factory=dict)


def check_match(case: Case) -> CaseResult:
    """Play the match of a case and compare."""
    match = _play(case)
    if match.draw.unused:
        return left_over(match.draw)
    state, end = match.state, match.state.end
    counters = state.prizes
    outcome: JSON | None = None
    if end is not None:
        outcome = {"type": end.kind}
        if end.kind != DEATHMATCH:
            outcome |= {"dukes": end.dukes, "nobles": end.nobles, "winners": list(end.winners)}
    told = {
        "phase": str(state.phase),
        "round": state.round,
        "attempt": state.attempt,
        "court": list(state.court),
        "elected": [slot for poll in state.polls for slot in poll.elected],
        "tallies": match.tallies,
        "totals": {slot: state.totals.get(slot, 0) for slot in state.slots},
        "garnets": dict(state.garnets),
        "roles": {slot: str(role) for slot, role in state.deal.roles.items()},
        "past_kings": list(state.past_kings),
        "moe": {slot: count for slot, count in counters.moe.items() if count},
        "tol": {slot: count for slot, count in counters.tol.items() if count},
        "opals": {slot: count for slot, count in counters.opals.items() if count},
        "private": match.private,
        "rejected": match.rejected,
        "adjusted": {slot: score.total for slot, score in end.scores.items()} if end else None,
        "ec_tied": list(end.tied) or None if end else None,
        "ec": end.ec if end else None,
        "dmo": end.dmo if end else None,
        "dm4": list(state.past_kings) if end and end.kind == DEATHMATCH else None,
        "outcome": outcome,
    }

    return compare(case["expected"], told)


def _play(case: Mapping[str, Any]) -> _Match:
    draw = scripted_draws(case, _LISTED)
    match = _Match(_state(case.get("state") or {}, case.get("config") or {}), draw)
    for index, said in enumerate(case.get("submissions") or ()):
        at = _START + _STEP * index
        step = _close(match, said["event"], at) if "event" in said else _send(match, said, at)
        match.rejected += [{"i": index, "code": str(refusal.code)} for _, refusal in step.refused]
        match.state = step.state
        for event in step.events:
            if isinstance(event, Told):
                for slot in event.slots:
                    for entry in _entries(event.facts):
                        match.private.setdefault(slot, []).append(entry)
    return match


def _entries(told: Facts) -> list[JSON]:
    """What one PM told in the words of the cases; nothing for PMs that they leave out."""
    match told:
        case LookAnswer(results=results):
            return [{"kind": "learn", "target": one.name, "role": one.role} for one in results]
        case PeekAnswer(target=target, role=role):
            return [{"kind": "peek", "target": target, "role": role}]
        case PairAnswer(first=first, second=second, answer=answer):
            return [{"kind": "check", "pair": [first, second], "answer": answer}]
        case HintSent(hint=hint):
            return [{"kind": "hint", "name": hint}]
        case AnnoyedAnswer(annoyed=annoyed):
            return [{"kind": "annoyed", "value": annoyed}]
    return []


def _send(match: _Match, said: Mapping[str, Any], at: datetime) -> Step[State]:
    # The command as a player writes it.
    command = str(said["cmd"])
    arguments = said.get("args") or ()
    words = [str(argument) for argument in arguments]
    if command == "GIVE":
        line = f"GIVE: {' to '.join(words)}"
    else:
        line = f"{command}: {(' > ' if command == 'TIEBREAK' else ', ').join(words)}"

    message = Message(SlotId(str(said["player"])), line, at)
    return KINGS_COURT.submit(match.state, message, match.draw)


def _close(match: _Match, event: str, at: datetime) -> Step[State]:
    before = match.state
    step = KINGS_COURT.close(before, _WINDOWS[event], at, match.draw)
    if event == "vote_deadline" and not step.refused:
        poll = step.state.pending or step.state.polls[len(before.polls)]
        match.tallies.append({str(slot): votes for slot, votes in poll.counts.items()})
    return step


def _state(given: Mapping[str, Any], config: Mapping[str, Any]) -> State:
    """The position of the case; what it leaves out has its default."""
    slots = tuple(SlotId(str(name)) for name in given["players"])
    balances = given.get("garnets") or {}
    court = _slots(given.get("court"))
    roles = {slot: Role(given["roles"][slot]) for slot in slots}
    king = next(slot for slot, role in roles.items() if role is Role.KING)
    annoyed = frozenset(SlotId(name) for name in (given.get("annoyed") or {}).values() if name)
    hints = {SlotId(slot): _slots(names) for slot, names in (given.get("hints") or {}).items()}

    state = State(
        slots,
        parse_options(config),
        Deal(roles, king, annoyed, hints),
        {slot: int(balances.get(slot) or 0) for slot in slots},
        Phase(given.get("phase") or Phase.VOTE),
        int(given.get("attempt") or 1),
        int(given.get("round") or 1),
        int(given.get("attempt") or 1),
        court,
        {slot: int((given.get("totals") or {}).get(slot) or 0) for slot in slots},
        learned=_slots(given.get("learned")),
        check_right=given.get("check_right"),
        check_pair=_slots(given.get("check_pair")),
        covers=((slots[0], str(given["king_cover"])),) if given.get("king_cover") else (),
        past_kings=_slots(given.get("past_kings")),
        prizes=Prizes(*(dict(given.get(kind) or {}) for kind in ("moe", "tol", "opals"))),
    )
    if state.phase is Phase.TIE:
        # A case may begin in a tie window, everyone outside tied if it does not say who.
        tied = _slots(given.get("tied")) or state.outside
        return state._replace(pending=Poll(state.deals, state.attempt, state.round, {}, (), tied))
    return _after_the_end(state, given) if state.phase in FROZEN else state


def _slots(names: Any) -> tuple[SlotId, ...]:
    return tuple(SlotId(str(name)) for name in names or ())


def _after_the_end(state: State, given: Mapping[str, Any]) -> State:
    """A case may begin after the King has joined: who won follows from the court."""
    end = verdict(state)
    gifted = [slot for slot in state.slots if slot in state.prizes.tol and slot != state.king]
    end = replace(end, gifted=tuple(gifted) if end.kind == KING and state.phase is not Phase.TOL else ())
    end = replace(end, ec=given.get("ec"), dmo=given.get("dmo"))
    state = state._replace(end=end)
    tied = _slots(given.get("ec_tied")) or (lowest(state) if state.phase is Phase.EC else ())
    return state._replace(end=replace(end, tied=tied))


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType({"match": check_match})
