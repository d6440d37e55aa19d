"""What of the messages of a slot is not settled: refused, taken the place of, sent before it changed hands.

A row of the page is settled only where all that was sent is. What a later message of the same slot says anew,
sends once more as it stands, or gives up, is settled by it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from knightfall.engine.commands import lines_of
from knightfall.engine.entries import Removed, Replaced, Submitted
from knightfall.engine.game import Refusal, Window
from knightfall.engine.journal import Record, instant
from knightfall.mafia.game import MafiaGame
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId, joined, sentence
from knightfall.services.running import Holders, RunningGame, holders, names_of, shown, since_closing
from knightfall.services.window.ear import likely_meant

UNKNOWN = "UNKNOWN_COMMAND"
"""How every game answers a line that is no command."""


def refused_orders(text: str, refused: tuple[tuple[str, Refusal], ...]) -> tuple[tuple[str, Refusal], ...]:
    """The lines of a message that were not taken, without talk: words beside a line that was taken."""
    if len(refused) == len(lines_of(text)):
        return refused
    return tuple((line, why) for line, why in refused if why.code != UNKNOWN)


@dataclass(frozen=True, slots=True)
class LostLine:
    """A line that was taken and does not stand any more, and why in a sentence."""

    line: str
    why: str


@dataclass(slots=True)
class SentSoFar:
    """The messages of a slot for an open window, one after the other."""

    slot: SlotId
    refused: list[tuple[str, Refusal]] = field(default_factory=list)
    lost: list[LostLine] = field(default_factory=list)
    former: str = ""
    """Who sent what stands, where somebody else holds the slot by now."""

    declined: bool = False
    """Whether they said that they do nothing, and nothing after it."""

    orders: dict[Action, str] = field(default_factory=dict)
    """What was taken and stands, with the line as it was written; in games in which a line is an action."""

    sent: bool = False

    @property
    def unsettled(self) -> bool:
        """Whether something is left to the moderator."""
        return bool(self.refused or self.lost or self.former)


def sent_so_far(table: RunningGame, window: Window) -> dict[SlotId, SentSoFar]:
    """What came of every slot's messages since the window opened: of whoever plays and has sent something."""
    records = {record.number for record in since_closing(table)}
    steps, held = table.replay.path, holders(table.journal)
    found: dict[SlotId, SentSoFar] = {}
    names = dict[SlotId, str]()
    for place, step in enumerate(steps):
        entry = step.record.entry
        if isinstance(entry, Replaced):
            before, names[entry.slot] = names.get(entry.slot, str(entry.slot)), entry.name
            own = found.get(entry.slot)
            if step.record.number in records and own is not None and (own.sent or own.refused):
                own.former = before
        if step.record.number not in records or not place or step.state is None:
            continue  # of another phase, or written before the deal
        if isinstance(entry, Submitted) and entry.slot is not None and _is_for(window, step.record):
            own = found.setdefault(entry.slot, SentSoFar(entry.slot))
            refused = next((t.refused for t in step.taken if t.number == step.record.number), ())
            _take(own, entry.text, refused, steps[place - 1].state or step.state, step.state, table)
        _fallen(found, step.record, step.state, table, held)
    playing = set(table.game.playing(table.state))
    return {slot: one for slot, one in found.items() if slot in playing}


def _is_for(window: Window, record: Record) -> bool:
    """A message opens a window too: what came before it is no try at this one."""
    return window.opens is None or instant(record) >= window.opens


def _take(
    own: SentSoFar,
    text: str,
    wrong: tuple[tuple[str, Refusal], ...],
    before: Any,
    after: Any,
    table: RunningGame,
) -> None:
    """What a message adds to what is unsettled, and what it settles."""
    game = table.game
    left = [line for line, _ in wrong]
    taken: list[str] = []
    for line in lines_of(text):
        if line in left:
            left.remove(line)
        else:
            taken.append(line)
    given = [line for line in taken if not game.declines(line)]
    orders = {line: action for line in given if (action := _action_of(line, own.slot, before, table))}
    if taken:
        own.sent, own.former = True, ""
        own.declined = any(map(game.declines, taken))
        if own.refused or own.lost:
            _settle(own, taken, before, after, table)
    # Words beside an order are talk, unless an order can be heard in them.
    told = refused_orders(text, wrong)
    own.refused += [
        (line, why) for line, why in wrong if (line, why) in told or likely_meant(line, own.slot, table)
    ]
    if isinstance(game, MafiaGame):
        stands = game.standing_orders(after)
        for line, action in orders.items():
            own.orders.pop(action, None)
            if action in stands:
                own.orders[action] = line
            else:
                own.lost.append(LostLine(line, "Another line of the same message took its place."))
        # An order of the same kind is what they changed their mind to; of another kind they may want both.
        kinds = {action.ability for action in orders.values()}
        for action in [action for action in own.orders if action not in stands]:
            line = own.orders.pop(action)
            if not own.declined and kinds and action.ability not in kinds:
                own.lost.append(LostLine(line, "Their later message took its place."))


def _settle(own: SentSoFar, taken: Sequence[str], before: Any, after: Any, table: RunningGame) -> None:
    """Drop what the lines that were taken now settle of what was unsettled before them."""
    kinds = {part.text for part in table.game.continuations(before, own.slot).parts}
    if own.declined or before == after or len(kinds) < 2 or _says_no_more(taken, own.slot, before, table):
        own.refused, own.lost = [], []
        return
    words = {line.split()[0].casefold() for line in taken}
    actions = (_action_of(line, own.slot, before, table) for line in taken)
    settled = {action.ability for action in actions if action}
    own.refused = [
        (line, why)
        for line, why in own.refused
        if line.split()[0].casefold() not in words
        and not _is_said_anew(line, taken, settled, own, before, table)
    ]
    own.lost = [one for one in own.lost if one.line.split()[0].casefold() not in words]


def _action_of(line: str, slot: SlotId, state: Any, table: RunningGame) -> Action | None:
    """The action that a line of a mafia game asks for; None where it asks for none."""
    game = table.game
    if not isinstance(game, MafiaGame) or slot not in state.living:
        return None
    found = game.read_line(state, slot, line, names_of(table)[1])
    return found if isinstance(found, Action) else None


def _says_no_more(taken: Sequence[str], slot: SlotId, before: Any, table: RunningGame) -> bool:
    """Whether a message sends what stands once more and nothing else."""
    standing = {
        line.casefold()
        for window in table.game.windows(before)
        for one in table.game.awaits(before, window)
        if one.slot == slot
        for line in one.standing
    }
    return {line.casefold() for line in taken} <= standing


def _is_said_anew(
    line: str, taken: Sequence[str], settled: Set[str], own: SentSoFar, before: Any, table: RunningGame
) -> bool:
    """Whether the lines that were taken, with these abilities, say what a refused line may have meant: the
    very same, or the same action on somebody else. Of orders that stand together each has to be there."""
    lines = {one.casefold() for one in taken}
    stands = {action.ability for action in own.orders}
    for message in likely_meant(line, own.slot, table):
        each = message.split("\n")
        abilities = [(action := _action_of(one, own.slot, before, table)) and action.ability for one in each]
        now = [
            one.casefold() in lines or ability in settled
            for one, ability in zip(each, abilities, strict=True)
        ]
        if any(now) and all(
            is_now or ability in stands for is_now, ability in zip(now, abilities, strict=True)
        ):
            return True
    return False


def _fallen(
    found: dict[SlotId, SentSoFar], record: Record, state: Any, table: RunningGame, held: Holders
) -> None:
    """Note the orders that an entry of somebody else took the place of, or that fell with it."""
    game, entry = table.game, record.entry
    if not isinstance(game, MafiaGame):
        return
    stands = game.standing_orders(state)
    for own in found.values():
        for action in [action for action in own.orders if action not in stands]:
            line = own.orders.pop(action)
            why = joined("", ["It fell with what you entered after it."])
            if isinstance(entry, Submitted) and entry.slot is not None:
                why = sentence("A message of {who} took its place.", who=shown(entry.slot, held))
            own.lost.append(LostLine(line, why))
        if isinstance(entry, Removed | Submitted):
            _aimed_at_the_dead(own, state, held)


def _aimed_at_the_dead(own: SentSoFar, state: Any, held: Holders) -> None:
    """Note the orders on somebody who left since: they stand, and come to nothing."""
    for action, line in own.orders.items():
        for target in action.targets:
            if target in state.left:
                lost = LostLine(line, sentence("{who} is out of the game by now.", who=shown(target, held)))
                if lost not in own.lost:
                    own.lost.append(lost)
