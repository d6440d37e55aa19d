"""What can the moderator say, and what follows from a death?

`eliminate NAME` or `no elimination` decides the day, which ends when its window is closed. `modkill NAME`,
`revive NAME` and `draw` act at once. After every death of the moment the wins are checked (KE-R40).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knightfall.core.commands import Ambiguous, Command, Unknown, match_name, parse_command
from knightfall.core.game import Announced, Event, Noted, Refusal, SlotId, Step
from knightfall.games.knight_errant.explain import caution_text
from knightfall.games.knight_errant.roles import Ability
from knightfall.games.knight_errant.state import Decision, Phase, State, depart
from knightfall.games.knight_errant.submissions import unmatched
from knightfall.games.knight_errant.views import ending
from knightfall.games.knight_errant.wins import Winner, stalemate, winner
from knightfall.mafia.night import Caution
from knightfall.mafia.wins import count_sides, majority

ELIMINATE = "eliminate"
NO_ELIMINATION = "no elimination"
MODKILL = "modkill"
REVIVE = "revive"
DRAW = "draw"

WORDS: Mapping[str, str] = {word: word for word in (ELIMINATE, NO_ELIMINATION, MODKILL, REVIVE, DRAW)}


def moderate(state: State, lines: tuple[str, ...], aliases: Mapping[str, SlotId]) -> Step[State]:
    """Apply the moderator's lines in order."""
    events: list[Event] = []
    refused: list[tuple[str, Refusal]] = []
    for line in lines:
        step = _obey(state, line, aliases)
        state = step.state
        events += step.events
        refused += step.refused
    return Step(state, tuple(events), tuple(refused))


def _obey(state: State, line: str, aliases: Mapping[str, SlotId]) -> Step[State]:
    command = parse_command(line, WORDS)
    if command is None:
        return _refuse(state, line, "UNKNOWN_COMMAND", f"the moderator can say: {', '.join(WORDS)}")
    if command.verb == DRAW:
        return checked(replace(state, winner=Winner.DRAW))
    if command.verb in (ELIMINATE, NO_ELIMINATION) and state.phase is not Phase.DAY:
        return _refuse(state, line, "WRONG_PHASE", "eliminations belong to the day")
    if command.verb == NO_ELIMINATION:
        return Step(replace(state, decision=Decision(None)))
    return _about(state, command, aliases)


def _about(state: State, command: Command, aliases: Mapping[str, SlotId]) -> Step[State]:
    """The commands that name a player: a living one, or for `revive` a dead one."""
    slot = match_name(command.argument, state.slots, aliases)
    if isinstance(slot, Ambiguous | Unknown):
        refusal = unmatched(slot)
        return _refuse(state, command.line, refusal.code, refusal.text)
    if (slot in state.left) != (command.verb == REVIVE):
        dead = "dead" if slot in state.left else "alive"
        return _refuse(state, command.line, "WRONG_TARGET", f"{slot} is {dead}")
    if command.verb == ELIMINATE:
        return Step(replace(state, decision=Decision(slot)))
    if command.verb == MODKILL:
        return modkill(state, slot)
    return Step(replace(state, left={name: gone for name, gone in state.left.items() if name != slot}))


def _refuse(state: State, line: str, code: str, text: str) -> Step[State]:
    return Step(state, (), ((line, Refusal(code, text)),))


def modkill(state: State, slot: SlotId) -> Step[State]:
    """The slot leaves at once; a decision against it falls."""
    when = f"{state.phase} {state.number}"
    decision = None if state.decision == Decision(slot) else state.decision
    after = replace(depart(state, (slot,), "modkilled", when), decision=decision)
    told = Announced("modkill", {"name": slot, "role": state.cards[slot].name, **_living(after)})
    return checked(after, (told,))


def end_day(state: State) -> Step[State]:
    """The day ends as the moderator decided; undecided it stays open."""
    if state.decision is None:
        return _refuse(state, "close day", "UNDECIDED", "say `eliminate NAME` or `no elimination` first")
    slot = state.decision.slot
    gone = () if slot is None else (slot,)
    after = depart(state, gone, "eliminated", f"day {state.number}")
    role = None if slot is None else state.cards[slot].name
    told = Announced("elimination", {"day": state.number, "name": slot, "role": role, **_living(after)})
    return checked(replace(after, phase=Phase.NIGHT, decision=None, standing={}), (told,))


def _living(state: State) -> dict[str, int]:
    alive = len(state.living)
    return {"alive": alive, "needed": majority(alive)}


def checked(state: State, events: tuple[Event, ...] = ()) -> Step[State]:
    """Has somebody won now? If nobody has, is there something to tell the moderator?"""
    won = state.winner or winner(count_sides(state.living.values()), state.rules)
    stuck = won is None and _stuck(state)
    if stuck and state.rules["ke_r39"] == "draw":
        won = Winner.DRAW
    if won is not None:
        over = replace(state, phase=Phase.OVER, winner=won, standing={}, decision=None)
        return Step(over, (*events, Announced("ending", ending(over))))
    return Step(state, (*events, *_cautions(state, stuck and state.rules["ke_r39"] == "warn")))


def _stuck(state: State) -> bool:
    """KE-R39: nobody can win any more without the other's help."""
    living = state.living
    strong = sum(uses.get(Ability.STRONG_KILL, 0) for slot, uses in state.shots.items() if slot in living)
    return stalemate(living.values(), strong)


def _cautions(state: State, stuck: bool) -> tuple[Noted, ...]:
    """KE-R38: at one against one the moderator is warned."""
    count = count_sides(state.living.values())
    duel = count.sk == 1 and count.town + count.mafia == 1
    found = [Caution("one_on_one", None, "KE-R38")] * duel + [Caution("stalemate", None, "KE-R39")] * stuck
    return tuple(Noted("caution", {"text": caution_text(c), "ruling": c.ruling}) for c in found)
