"""Names in the lines of a night, and the orders that stand.

The names of a line are matched to slots, and what stands for the night is entered, replaced and taken back.
No refusal tells what its reader may not know.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias

from knightfall.engine.commands import Aliases, Command, NameMatch
from knightfall.engine.game import Refusal
from knightfall.mafia.night import Action
from knightfall.mafia.state import R, SlotKey, State
from knightfall.names import Ambiguous, Unknown, begun_with, match_name
from knightfall.sentence import SlotId, sentence

Wanted: TypeAlias = Action | Command
"""A line read: an action, or a command about actions, such as taking one back."""

NO_ACTION = "no action"
NO_KILL = "no kill"

GAME_OVER = Refusal("WRONG_PHASE", "the game is over")
UNKNOWN = Refusal("UNKNOWN_COMMAND", "this is not a night action")
DAY_OVER = Refusal("DAY_OVER", "the votes had ended the day by then, so it came too late")
"""What is done by day, after the hammer."""
BY_DAY = Refusal("WRONG_PHASE", "night actions can only be sent at night")
_PART_OF_A_PLAN = Refusal(
    "PLAN_REFUSED", "the plan counts only as a whole, and another line of it was refused"
)

# What stands between a target and the carrier of the faction's kill.
_BY = re.compile(" by ", re.I)
# Between names: a name may itself hold a comma or an "and", so the commas are tried by themselves first.
_COMMA = re.compile(" ?, ?")
_BETWEEN = re.compile(" ?, ?and | ?[,&+] ?| and ", re.I)
_MOST_CUTS = 8  # a name that holds this many commas is nobody's


@dataclass(frozen=True, slots=True)
class Reading:
    """What one line came to."""

    line: str
    wanted: Wanted | Refusal


@dataclass(frozen=True, slots=True)
class Taken(Generic[R]):
    """A message applied. `replaced` are the orders that stood, be it only for a line of the message, and do
    not stand after it; `heard` where a line of it was taken."""

    state: State[R]
    refused: tuple[tuple[str, Refusal], ...]
    replaced: tuple[Action, ...]
    heard: bool = True


def whole(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """A plan stands or falls whole: with one line of it all others are refused."""
    if not any(isinstance(reading.wanted, Refusal) for reading in readings):
        return readings
    return tuple(r if isinstance(r.wanted, Refusal) else replace(r, wanted=_PART_OF_A_PLAN) for r in readings)


NOT_NAMED = frozenset({"UNKNOWN_TARGET", "AMBIGUOUS_NAME", "BAD_ARGS"})
"""The refusals of a line in which no player is found: read in another way it may name one."""


def parse_target(state: State[R], written: str, aliases: Aliases) -> SlotId | Refusal:
    """The one player that is named; two hits are listed, never guessed."""
    match = match_name(written, state.slots, aliases)
    if isinstance(match, Unknown) and (slot := begun_with(match.written, state.slots)) is not None:
        words = (
            "nobody here is called “{written}”, and {slot} is dead"
            if slot in state.left
            else "nobody here is called “{written}”; if {slot} is meant, write that name alone"
        )
        return Refusal("UNKNOWN_TARGET", sentence(words, written=match.written, slot=slot))
    return _target(match)


def _target(match: NameMatch) -> SlotId | Refusal:
    if isinstance(match, Ambiguous):
        return Refusal("AMBIGUOUS_NAME", sentence("{could}; write the whole name", could=match.words))
    if isinstance(match, Unknown):
        return Refusal("UNKNOWN_TARGET", f"nobody here is called “{match.written}”")
    return match


def named_in(state: State[R], command: Command, aliases: Aliases) -> SlotId | Refusal:
    """The one player whom a command names."""
    return _target(command.whom(state.slots, aliases))


def parse_targets(state: State[R], written: str, aliases: Aliases) -> tuple[SlotId, ...] | Refusal:
    """The players that are named, between them commas, `and` or `&`; a name may itself hold these."""
    written = " ".join(written.split())
    for parts in _splittings(written):
        found = [match_name(part, state.slots, aliases) for part in parts]
        if not any(isinstance(match, Ambiguous | Unknown) for match in found):
            return tuple(SlotId(str(match)) for match in found)
    # No way of cutting gives names alone: the refusal is that of the first part that is none.
    each = (parse_target(state, part, aliases) for part in _BETWEEN.split(written))
    return next(one for one in each if isinstance(one, Refusal))


def _splittings(written: str) -> Iterator[Sequence[str]]:
    """At commas, then at every separator, then in two at each of them."""
    yield _COMMA.split(written)
    yield _BETWEEN.split(written)
    cuts = tuple(_BETWEEN.finditer(written))
    if len(cuts) <= _MOST_CUTS:
        yield from ((written[: cut.start()], written[cut.end() :]) for cut in cuts)


def parse_carried(
    state: State[R], sender: SlotId, written: str, aliases: Aliases
) -> tuple[SlotId, SlotId] | Refusal | None:
    """`TARGET by CARRIER`: carrier and target. The carrier must be of the sender's faction; None: not this
    form. Ask only for a sender who has the faction's kill: nobody else may learn who is of whose faction."""
    found = parse_pair(state, _BY, written, aliases)
    if found is None or isinstance(found, Refusal):
        return found
    target, carrier = found
    if carrier != sender and not state.cards[sender].is_partner(state.cards[carrier]):
        return Refusal("NOT_YOUR_FACTION", sentence("{slot} is not in your faction", slot=carrier))
    return carrier, target


def parse_pair(
    state: State[R], between: re.Pattern[str], written: str, aliases: Aliases
) -> tuple[SlotId, SlotId] | Refusal | None:
    """Two players with a word between them, which a name may itself hold; None: not this form."""
    refused: Refusal | None = None
    written = " ".join(written.split())
    for cut in tuple(between.finditer(written))[:_MOST_CUTS]:
        one = parse_target(state, written[: cut.start()], aliases)
        other = parse_target(state, written[cut.end() :], aliases)
        if isinstance(one, Refusal):
            refused = one
        elif isinstance(other, Refusal):
            refused = other
        else:
            return one, other
    return refused


def enter(state: State[R], action: Action, wanted: tuple[SlotKey, ...]) -> State[R]:
    """The action takes its slots, as the latest; who held one of them loses the other too."""
    freed = without(state, [state.standing[slot] for slot in wanted if slot in state.standing])
    return replace(freed, standing={**freed.standing, **dict.fromkeys(wanted, action)})


def without(state: State[R], gone: Sequence[Action]) -> State[R]:
    """These orders do not stand any more."""
    return replace(state, standing={key: a for key, a in state.standing.items() if a not in gone})


def is_faction_kill(state: State[R], action: Action, faction_kills: Container[str]) -> bool:
    """Whether an order is the kill of a mafia: with a card of the mafia also an ability that others use for
    themselves."""
    return action.ability in faction_kills and state.cards[action.actor].in_team


def is_kill_of(state: State[R], slot: SlotId, action: Action, faction_kills: Container[str]) -> bool:
    """Whether an order is the kill of the mafia that a slot is of."""
    of_theirs = action.actor == slot or state.cards[slot].is_partner(state.cards[action.actor])
    return of_theirs and is_faction_kill(state, action, faction_kills)


def take_back(
    state: State[R], slot: SlotId, faction_kills: Container[str], kills: Container[str] | None = None
) -> State[R]:
    """A slot does nothing, or of `kills` nothing: a mafioso's word is then that of the whole faction."""
    gone = [
        action
        for action in state.actions
        if (action.actor == slot and (kills is None or action.ability in kills))
        or (kills is not None and is_kill_of(state, slot, action, faction_kills))
    ]
    return without(state, gone)


def one_check(own: Sequence[str], usable: Sequence[str], none: Refusal) -> str | Refusal:
    """Which of a card's checks the word `check` means: the usable one; `none` says that the card has none."""
    named = usable or own[:1]
    if len(named) == 1:
        return named[0]
    return (
        Refusal("AMBIGUOUS_ABILITY", f"you can investigate in several ways; write {' or '.join(named)}")
        if named
        else none
    )


def sent_by(slot: SlotId) -> SlotKey:
    """Filled by the faction's kill as long as one of the slot's own lines stands for it."""
    return slot, "sent"


def sender_of(state: State[R], kill: Action) -> SlotId | None:
    """Who sent the faction's kill that stands, whoever carries it."""
    return next((slot for slot in state.living if state.standing.get(sent_by(slot)) == kill), None)
