"""What does a message change among the orders that stand, and what is its sender told?

A game reads its own notation (`Reading`); here names are matched, standing orders replaced and receipts
written. A refused line changes nothing that stood before, and no refusal tells what its reader may not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from knightfall.engine.commands import Command, lines_of, parse_command
from knightfall.engine.game import Message, Refusal, SlotId, Step, Told
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, R, SlotKey, State
from knightfall.names import Ambiguous, Unknown, match_name

T = TypeVar("T")

Aliases: TypeAlias = Mapping[str, SlotId]
Wanted: TypeAlias = Action | Command
"""A line read: an action, or a command about actions, such as taking one back."""

GAME_OVER = Refusal("WRONG_PHASE", "the game is over")
UNKNOWN = Refusal("UNKNOWN_COMMAND", "this is no night action; for instance: track NAME")
_BY_DAY = Refusal("WRONG_PHASE", "actions are taken at night")
_PART_OF_A_PLAN = Refusal("PLAN_REFUSED", "a plan is taken whole, and another line of it cannot be")

_BY = re.compile(" by ", re.I)
_COMMA = re.compile(" ?, ?")
_BETWEEN = re.compile(" ?, ?and | ?[,&+] ?| and ", re.I)
_MOST_CUTS = 8  # a name that holds this many commas is nobody's


@dataclass(frozen=True, slots=True)
class Reading:
    """What one line came to."""

    line: str
    wanted: Wanted | Refusal


def whole(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """A plan stands or falls whole: with one line of it all others are refused."""
    if not any(isinstance(reading.wanted, Refusal) for reading in readings):
        return readings
    return tuple(r if isinstance(r.wanted, Refusal) else replace(r, wanted=_PART_OF_A_PLAN) for r in readings)


def settle(
    state: State[R], readings: Iterable[Reading], apply: Callable[[State[R], Wanted], State[R]]
) -> tuple[State[R], tuple[tuple[str, Refusal], ...]]:
    """Apply what was read in order; returns the state and the refused lines."""
    refused = []
    for reading in readings:
        if isinstance(reading.wanted, Refusal):
            refused.append((reading.line, reading.wanted))
        else:
            state = apply(state, reading.wanted)
    return state, tuple(refused)


def refuse_all(state: State[R], lines: Iterable[str], why: Refusal) -> Step[State[R]]:
    """The state as it is, every line refused."""
    return Step(state, (), tuple((line, why) for line in lines))


def heard(
    state: State[R],
    message: Message,
    moderate: Callable[[tuple[str, ...]], Step[State[R]]],
    stranger: Refusal,
    act: Callable[[SlotId, tuple[str, ...]], Step[State[R]]],
) -> Step[State[R]]:
    """Who is listened to: the moderator always, the living at night; `stranger` is what others are told."""
    lines = lines_of(message.text)
    if state.phase is Phase.OVER:
        return refuse_all(state, lines, GAME_OVER)
    if message.slot is None:
        return moderate(lines)
    if message.slot not in state.living:
        return refuse_all(state, lines, stranger)
    if state.phase is not Phase.NIGHT or state.questions.open:
        return refuse_all(state, lines, _BY_DAY)
    return act(message.slot, lines)


def read_line(
    line: str, words: Mapping[str, str], idle: Collection[str], read: Callable[[Command], Action | Refusal]
) -> Reading:
    """A line by itself: an action as `read` reads it, or one of the commands that stand for doing nothing."""
    command = parse_command(line, words)
    if command is None:
        return Reading(line, UNKNOWN)
    return Reading(line, command if command.verb in idle else read(command))


def read_action(
    ability: str | Refusal,
    aimed: Callable[[str], Action | Refusal],
    objection: Callable[[Action], Refusal | None],
) -> Action | Refusal:
    """The action of a line: its ability as the card has it, aimed, and legal; else the first refusal."""
    if isinstance(ability, Refusal):
        return ability
    action = aimed(ability)
    return action if isinstance(action, Refusal) else objection(action) or action


def unmatched(match: Ambiguous | Unknown) -> Refusal:
    """Two hits are listed, never guessed."""
    if isinstance(match, Ambiguous):
        return Refusal("AMBIGUOUS_NAME", f"“{match.written}” can be {' or '.join(match.slots)}")
    return Refusal("UNKNOWN_TARGET", f"nobody here is called “{match.written}”")


def parse_target(state: State[R], written: str, aliases: Aliases) -> SlotId | Refusal:
    """The one player that is named."""
    match = match_name(written, state.slots, aliases)
    return unmatched(match) if isinstance(match, Ambiguous | Unknown) else match


def parse_targets(state: State[R], written: str, aliases: Aliases) -> tuple[SlotId, ...] | Refusal:
    """The players that are named, between them commas, `and` or `&`; a name may itself hold these."""
    written = " ".join(written.split())
    for parts in _splittings(written):
        found = [match_name(part, state.slots, aliases) for part in parts]
        if not any(isinstance(match, Ambiguous | Unknown) for match in found):
            return tuple(SlotId(str(match)) for match in found)
    parts = _BETWEEN.split(written)
    each = (parse_target(state, part, aliases) for part in parts)
    return next(one for one in each if isinstance(one, Refusal))


def _splittings(written: str) -> Iterator[Sequence[str]]:
    """At commas, then at every separator, then in two at each of them."""
    yield _COMMA.split(written)
    yield _BETWEEN.split(written)
    cuts = tuple(_BETWEEN.finditer(written))
    if len(cuts) <= _MOST_CUTS:
        yield from ((written[: cut.start()], written[cut.end() :]) for cut in cuts)


def aimed_at_one(
    state: State[R], slot: SlotId, ability: str, argument: str, aliases: Aliases, faction_kill: str
) -> Action | Refusal:
    """The action on whom the line names; the faction's kill also as `TARGET by CARRIER`."""
    target = parse_target(state, argument, aliases)
    if not isinstance(target, Refusal):
        return Action(slot, ability, (target,))
    if ability != faction_kill or ability not in state.cards[slot].abilities:
        return target
    carried = parse_carried(state, slot, argument, aliases)
    if carried is None or isinstance(carried, Refusal):
        return carried or target
    return Action(carried[0], ability, (carried[1],))


def parse_carried(
    state: State[R], sender: SlotId, written: str, aliases: Aliases
) -> tuple[SlotId, SlotId] | Refusal | None:
    """`TARGET by CARRIER`: carrier and target. The carrier must be of the sender's faction; None: not this
    form. Ask only for a sender who has the faction's kill: nobody else may learn who is of whose faction."""
    found = parse_pair(state, _BY, written, aliases)
    if found is None or isinstance(found, Refusal):
        return found
    target, carrier = found
    if state.cards[carrier].alignment is not state.cards[sender].alignment:
        return Refusal("NOT_YOUR_FACTION", f"{carrier} does not carry your faction's kill")
    return carrier, target


def parse_pair(
    state: State[R], between: re.Pattern[str], written: str, aliases: Aliases
) -> tuple[SlotId, SlotId] | Refusal | None:
    """Two players with a word between them, which a name may itself hold; None: not this form."""
    found: tuple[SlotId, SlotId] | Refusal | None = None
    written = " ".join(written.split())
    for cut in tuple(between.finditer(written))[:_MOST_CUTS]:
        found = _both(state, written[: cut.start()], written[cut.end() :], aliases)
        if not isinstance(found, Refusal):
            break
    return found


def _both(state: State[R], first: str, second: str, aliases: Aliases) -> tuple[SlotId, SlotId] | Refusal:
    one, other = parse_target(state, first, aliases), parse_target(state, second, aliases)
    if isinstance(one, Refusal):
        return one
    return other if isinstance(other, Refusal) else (one, other)


def occupy(holders: dict[SlotKey, T], wanted: tuple[SlotKey, ...], holder: T) -> T | None:
    """Take the slots; where one of them has a holder take none and return him."""
    for slot in wanted:
        if slot in holders:
            return holders[slot]
    for slot in wanted:
        holders[slot] = holder
    return None


def enter(state: State[R], action: Action, wanted: tuple[SlotKey, ...]) -> State[R]:
    """The action takes its slots, as the latest; who held one of them loses the other too."""
    freed = without(state, [state.standing[slot] for slot in wanted if slot in state.standing])
    return replace(freed, standing={**freed.standing, **dict.fromkeys(wanted, action)})


def without(state: State[R], gone: Sequence[Action]) -> State[R]:
    """These orders do not stand any more."""
    return replace(state, standing={key: a for key, a in state.standing.items() if a not in gone})


def take_back(
    state: State[R], slot: SlotId, faction_kill: str, kills: Container[str] | None = None
) -> State[R]:
    """A slot does nothing, or of `kills` nothing: a mafioso's word is then that of his whole faction."""
    mafioso = state.cards[slot].alignment is Alignment.MAFIA
    gone = [
        action
        for action in state.actions
        if (action.actor == slot and (kills is None or action.ability in kills))
        or (mafioso and kills is not None and action.ability == faction_kill)
    ]
    return without(state, gone)


def one_check(own: Sequence[str], usable: Callable[[str], bool], none: Refusal) -> str | Refusal:
    """Which of a card's checks the word `check` means; `none` says that there is none."""
    named = [ability for ability in own if usable(ability)] or own[:1]
    if len(named) == 1:
        return named[0]
    return (
        Refusal("AMBIGUOUS_ABILITY", f"you have several checks: say {' or '.join(named)}") if named else none
    )


def receipt(state: State[R], slot: SlotId, standing: list[str]) -> Told:
    """What stands, as the slot may know it: the same whatever will come of it."""
    return Told((slot,), "receipt", {"name": slot, "night": state.number, "standing": standing})
