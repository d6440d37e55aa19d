"""What the public, a slot and the moderator of a mafia game may know."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from knightfall.engine.game import DeadPlayer, Noted, Told
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.events import (
    AbilityLine,
    Card,
    CardEnd,
    Deal,
    Ending,
    LearnedAnswer,
    MafiaView,
    NightResults,
    SideCount,
    UsesLeft,
)
from knightfall.mafia.explain import answer_text
from knightfall.mafia.night import JOINED, SENT_OUT, TOO_LATE, Action
from knightfall.mafia.orders import is_kill_of
from knightfall.mafia.roles import ON_NIGHT, Alignment, Modifier, Role
from knightfall.mafia.rooms import neighborhoods
from knightfall.mafia.state import ELIMINATED, Phase, R, State
from knightfall.mafia.wins import Winner, count_sides
from knightfall.sentence import SlotId

_SIDES: Mapping[Winner, str] = {
    Winner.TOWN: "Town",
    Winner.MAFIA: "Mafia",
    Winner.SERIAL_KILLER: "Serial Killer",
    Winner.JESTER: "Jester",
    Winner.MAFIA_A: "Mafia A",
    Winner.MAFIA_B: "Mafia B",
    Winner.MAFIA_C: "Mafia C",
    Winner.WEREWOLVES: "Werewolf pack",
}
_NIGHTS = frozenset({Modifier.EVEN_NIGHT, Modifier.ODD_NIGHT, *ON_NIGHT})


def table_view(state: State[R], needed: int | None) -> MafiaView:
    """What everyone sees; every card once the game is over."""
    over = state.phase is Phase.OVER
    return MafiaView(
        phase=str(state.phase),
        number=state.number,
        alive=tuple(state.living),
        dead=dead(state),
        needed=needed,
        roles={slot: role.name for slot, role in state.cards.items()} if over else None,
    )


def dead(state: State[R]) -> tuple[DeadPlayer, ...]:
    """Who has left the living, with their cards."""
    return tuple(
        DeadPlayer(slot, state.cards[slot].name, gone.how, gone.when) for slot, gone in state.left.items()
    )


def orders_known(
    state: State[R], slot: SlotId, faction_kills: Container[str], orders: Iterable[Action]
) -> list[Action]:
    """Of these orders one's own, and the faction's kill for all of the faction."""
    return [
        action for action in orders if action.actor == slot or is_kill_of(state, slot, action, faction_kills)
    ]


def results_known(state: State[R], slot: SlotId) -> tuple[LearnedAnswer, ...]:
    """Everything that the slot was told at night."""
    return tuple(
        LearnedAnswer(item.night, str(item.ability), item.target, answer_text(item.answer))
        for item in state.learned.get(slot, ())
    )


def result_pms(state: State[R], night: int, left: Mapping[SlotId, tuple[UsesLeft, ...]]) -> tuple[Told, ...]:
    """One PM for each slot that learned something this night, or used what has an end (`left`)."""
    fresh = {
        slot: tuple(_of_rooms(state, slot, (one for one in results_known(state, slot) if one.night == night)))
        for slot in (*state.learned, *(slot for slot in left if slot not in state.learned))
    }
    return tuple(
        Told((slot,), NightResults(slot, night, results, left.get(slot, ())))
        for slot, results in fresh.items()
        if results or slot in left
    )


def _of_rooms(state: State[R], slot: SlotId, told: Iterable[LearnedAnswer]) -> Iterator[LearnedAnswer]:
    """What is told of a night, with the rooms as its deaths leave them: the dead hear of none, and nobody
    gets one to be alone in."""
    for one in told:
        if one.answer in (JOINED, SENT_OUT) and slot in state.left:
            continue
        if one.answer == JOINED and one.target in state.left:
            rooms = [{host, *invited} for host, invited in neighborhoods(state).items()]
            shared = any({slot, one.target} < room and len(room - state.left.keys()) > 1 for room in rooms)
            yield one if shared else replace(one, answer=TOO_LATE)
        else:
            yield one


def ability_line(card: Role, row: AbilityRow, shots: int | None, stoppable: bool, full: bool) -> AbilityLine:
    """An ability of a card with so many uses left; `full`: its line begins as receipts quote it, else with
    what it is called."""
    limits = card.modifiers.get(row.id, frozenset())
    numbers = sorted(str(ON_NIGHT[limit]) for limit in limits if limit in ON_NIGHT)
    return AbilityLine(
        id=row.id,
        title=row.title,
        line=row.line(row.written if full else row.word),
        sentence=row.pm,
        shots=shots,
        nights=" and ".join(numbers or map(str, sorted(_NIGHTS & limits))),
        modifiers=tuple(sorted(map(str, limits - _NIGHTS))),
        by_day=row.by_day,
        aimed=bool(row.targets),
        stoppable=stoppable and shots is not None,
        reports=row.reports,
    )


def dealt(state: State[R]) -> Noted:
    """The whole truth at the start."""
    return Noted(Deal(state.code, tuple(Card(slot, role.name) for slot, role in state.cards.items())))


def ending(state: State[R], reason: str) -> Ending:
    """Who won and why, who is left, every card and how its holder left. `endgame_history` adds the nights."""
    count = count_sides(state.living.values())
    ends = {slot: f"{gone.how}, {gone.when}" for slot, gone in state.left.items()}
    return Ending(
        winner=_SIDES.get(state.winner or Winner.DRAW),
        winners=winners(state),
        reason=reason,
        left=tuple(Card(slot, role.name) for slot, role in state.living.items()),
        count=SideCount(count.town, count.mafia, count.sk),
        roles=tuple(CardEnd(slot, role.name, ends.get(slot, "alive")) for slot, role in state.cards.items()),
        code=state.code,
    )


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
