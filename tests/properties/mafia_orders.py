"""What holds of the orders of a night in every mafia game, checked on any state of a random game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from facts_seen import seen
from knightfall.engine.game import Message, Told
from knightfall.engine.rng import SeededRng
from knightfall.mafia.game import MafiaGame
from knightfall.mafia.night import Action
from knightfall.mafia.orders import sender_of
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
_DRAW = SeededRng(b"orders")


def sent(game: MafiaGame[Any], state: Any, slot: SlotId, line: str) -> Any:
    """The step of one line."""
    return game.submit(state, Message(slot, line, NOON), _DRAW)


def broken_awaits(game: MafiaGame[Any], state: Any) -> Iterator[str]:
    """Where `awaits` and what a message can change are not the same, in sentences.

    Everyone has their own orders, and the kill that they gave a partner to carry. Whoever is awaited without
    an answer can send a line that changes what is done tonight. Whoever is not awaited cannot, but for
    putting another kill of the faction in the place of the one that stands.
    """
    for window in game.windows(state):
        if window.kind != "night":
            continue
        awaited = {one.slot: one.standing for one in game.awaits(state, window)}
        before = set(game.standing_orders(state))
        carried = any(action.ability == game.faction_kill for action in before)
        for slot in state.living:
            own = tuple(
                game.words.notation(action, slot)
                for action in before
                if action.actor == slot
                or (action.ability == game.faction_kill and sender_of(state, action) == slot)
            )
            if set(awaited.get(slot, ())) != set(own):
                yield f"{slot} is said to do {awaited.get(slot)}, and does {own}"
            changing = set[Action]()
            for line in game.player_lines(state, slot):
                changing |= set(game.standing_orders(sent(game, state, slot, line).state)) - before
            new = {a for a in changing if not (carried and a.ability == game.faction_kill)}
            if slot in awaited and not own and not changing:
                yield f"{slot} is awaited, and nothing that they can send changes anything"
            if slot not in awaited and new:
                yield f"{slot} is not awaited, and can send {new}"


def broken_receipts(game: MafiaGame[Any], state: Any) -> Iterator[str]:
    """Whom a message leaves in the dark about an order of theirs, in sentences.

    Who sent a message is told all of their own that it replaced, whoever loses an order by another's message
    is told, and so is every sender of a faction's kill that falls.
    """
    if not any(game.listens(state, slot) for slot in state.living) or str(state.phase) == "choosing":
        return
    before = game.standing_orders(state)
    for slot in state.living:
        for line in tuple(game.player_lines(state, slot))[:3]:
            step = sent(game, state, slot, line)
            if str(step.state.phase) != str(state.phase):
                continue
            receipts: dict[SlotId, Any] = {
                event.slots[0]: dict(seen(event.facts))
                for event in step.events
                if isinstance(event, Told) and event.kind == "receipt"
            }
            after = game.standing_orders(step.state)
            for action in before:
                if action in after:
                    continue
                told = receipts.get(action.actor)
                if told is None or game.told_line(state, action, action.actor) not in told["replaced"]:
                    yield f"{slot} sends {line}: {action.actor} is not told that {action} fell"
            kills = [action for action in after if action.ability == game.faction_kill]
            for reader, facts in receipts.items():
                side = state.cards[reader].alignment
                shown = [
                    game.told_line(step.state, kill, reader) for kill in kills if side is Alignment.MAFIA
                ]
                if not set(shown) <= set(facts["standing"]):
                    yield f"{slot} sends {line}: {reader} does not read that {kills} stands"
