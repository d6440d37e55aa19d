"""What the public, a slot and the moderator of a mafia game may know."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.engine.game import Noted, SlotId, Told, Untyped
from knightfall.mafia.explain import answer_text
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import ELIMINATED, Learned, R, State
from knightfall.mafia.wins import Winner, count_sides

_SIDES: Mapping[Winner, str] = {
    Winner.TOWN: "Town",
    Winner.MAFIA: "Mafia",
    Winner.SERIAL_KILLER: "Serial Killer",
    Winner.JESTER: "Jester",
}


def table_facts(state: State[R]) -> dict[str, object]:
    """What everyone sees: the phase, the living, the dead with their cards."""
    return {
        "phase": str(state.phase),
        "number": state.number,
        "alive": list(state.living),
        "dead": [
            {"name": slot, "role": state.cards[slot].name, "how": gone.how, "when": gone.when}
            for slot, gone in state.left.items()
        ],
    }


def orders_known(state: State[R], slot: SlotId, faction_kill: str) -> list[Action]:
    """What stands of one's own orders, and the faction's kill for all of the faction."""
    mafia = state.cards[slot].alignment is Alignment.MAFIA
    return [
        action
        for action in state.actions
        if action.actor == slot or (mafia and action.ability == faction_kill)
    ]


def results_known(state: State[R], slot: SlotId) -> list[dict[str, object]]:
    """Everything that the slot was told at night."""
    return [_learned(item) for item in state.learned.get(slot, ())]


def _learned(item: Learned) -> dict[str, object]:
    return {
        "night": item.night,
        "ability": str(item.ability),
        "target": item.target,
        "answer": answer_text(item.answer),
    }


def result_pms(state: State[R], night: int) -> tuple[Told, ...]:
    """One PM for each slot that learned something this night."""
    fresh = {
        slot: [_learned(item) for item in items if item.night == night]
        for slot, items in state.learned.items()
    }
    return tuple(
        Told((slot,), Untyped("result_pm", {"name": slot, "night": night, "results": results}))
        for slot, results in fresh.items()
        if results
    )


def dealt(state: State[R]) -> Noted:
    """The whole truth at the start."""
    return Noted(Untyped("moderator_deal", {"code": state.code, "roles": _all_cards(state)}))


def _all_cards(state: State[R]) -> list[dict[str, str]]:
    return [{"name": slot, "role": role.name} for slot, role in state.cards.items()]


def ending(state: State[R]) -> dict[str, object]:
    """Who won, who is left, every card and how its holder left. `endgame_history` adds nights and proof."""
    count = count_sides(state.living.values())
    ends = {slot: f"{gone.how}, {gone.when}" for slot, gone in state.left.items()}
    return {
        "winner": _SIDES.get(state.winner or Winner.DRAW),
        "winners": list(winners(state)),
        "left": [{"name": slot, "role": role.name} for slot, role in state.living.items()],
        "count": count._asdict(),
        "roles": [{**row, "end": ends.get(SlotId(row["name"]), "alive")} for row in _all_cards(state)],
        "code": state.code,
        "nights": [],
        "proof": None,
    }


def winners(state: State[R]) -> tuple[SlotId, ...]:
    """All of the side, the dead too; in a draw, too, who wins alone."""
    return tuple(slot for slot in state.cards if _wins(state, slot))


def _wins(state: State[R], slot: SlotId) -> bool:
    """A Jester who was voted out and a Survivor who lives win along, whoever wins; every Serial Killer is a
    side alone."""
    alignment, gone = state.cards[slot].alignment, state.left.get(slot)
    if alignment is Alignment.JESTER:
        return gone is not None and gone.how == ELIMINATED
    if alignment is Alignment.SURVIVOR:
        return gone is None
    alone = alignment is Alignment.SERIAL_KILLER
    return str(alignment) == str(state.winner) and not (alone and gone)
