"""What do the lines of a player's message ask for, and which of them stand?

A night plan is one message with every choice, sent by night or by day for the night to come. A plan with an
invalid line is refused whole, and what stood before stands; a valid one replaces its sender's choices. The
Murder is the whole faction's: the latest valid one stands, and only its carrier's own line names the target
where he has sent one (EM-R23).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from knightfall.engine.commands import Command, parse_command
from knightfall.engine.game import Refusal, SlotId
from knightfall.games.empowered.dusk import Code, fault, slots_of
from knightfall.games.empowered.roles import ADAPTABLE, INVISIBLE, TARGETS, Ability, Extra
from knightfall.games.empowered.state import READY, State, dusk_of, mafiosi
from knightfall.mafia import orders
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Aliases, Reading, Wanted
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import Phase, SlotKey

NO_ACTION = "no action"
NO_MURDER = "no murder"
NOT_READY = "not ready"

WORDS: Mapping[str, str] = {
    "empower": Ability.EMPOWER,
    "amplify": Ability.AMPLIFY,
    "protect": Ability.PROTECT,
    "heal": Ability.PROTECT,
    "jail": Ability.INCARCERATE,
    "incarcerate": Ability.INCARCERATE,
    "cop": Ability.INVESTIGATE,
    "investigate": Ability.INVESTIGATE,
    "check": Ability.INVESTIGATE,
    "track": Ability.TRACK,
    "watch": Ability.STAKEOUT,
    "stakeout": Ability.STAKEOUT,
    "shoot": Ability.VIG,
    "vig": Ability.VIG,
    "murder": Ability.MURDER,
    "kill": Ability.MURDER,
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_MURDER: NO_MURDER,
    "no kill": NO_MURDER,
    READY: READY,
    NOT_READY: NOT_READY,
}
_WORD_OF: Mapping[str, str] = {Ability.STAKEOUT: "watch", Ability.VIG: "shoot"}
_EXTRAS = frozenset(map(str, Extra))
_MURDER_SLOT: SlotKey = ("", "murder")

_SENTENCES: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "only a living player can act",
    Code.NOT_YOUR_ABILITY: "your role does not have this ability",
    Code.NOT_YOUR_EXTRA: "only a Ninja can act invisibly, and only his own Murder can he make obliterate",
    Code.USED_UP: "your Adaptability is used up",
    Code.BAD_ARGS: "name one player; to amplify, two",
    Code.UNKNOWN_TARGET: "the player you name is not alive",
    Code.SELF_TARGET: "you cannot target yourself",
    Code.SAME_TARGET: "name two different players",
    Code.SLOT_TAKEN: "a plan has each ability once, and this message has more",
}
_NOT_NOW = Refusal("WRONG_PHASE", "`ready` is for the night, where phases may end early")


def take(
    state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases
) -> tuple[State, tuple[tuple[str, Refusal], ...]]:
    """Apply the message of a living slot whole or not at all; returns the state and what was refused."""
    each = tuple(Reading(line, read_line(state, slot, line, aliases)) for line in lines)
    # EM-R2, EM-R13, EM-R23: what one message asks for twice is refused the second time.
    holders: dict[SlotKey, Action] = {}
    judged = []
    for reading in each:
        action = reading.wanted
        if isinstance(action, Action) and orders.occupy(holders, _slots(state, action), action) is not None:
            reading = replace(reading, wanted=refusal(Code.SLOT_TAKEN))
        judged.append(reading)
    readings = orders.whole(tuple(judged))
    if any(isinstance(reading.wanted, Action) and reading.wanted.ability != READY for reading in readings):
        # The sender's earlier plan; not a Murder that a partner gave him to carry.
        given = state.standing.get(_MURDER_SLOT)
        theirs = given if _own_murder(slot) not in state.standing else None
        own = [action for action in state.actions if action.actor == slot and action != theirs]
        cleared = orders.without(state, own)
    else:
        cleared = state
    return orders.settle(cleared, readings, lambda before, wanted: _apply(before, slot, wanted))


def read_line(state: State, slot: SlotId, line: str, aliases: Aliases) -> Wanted | Refusal:
    """What the line asks for, judged by itself."""
    command = parse_command(line, WORDS)
    if command is None:
        return orders.UNKNOWN
    if command.verb in (READY, NOT_READY):
        may = state.phase is Phase.NIGHT and state.rules["em_r27"] == "unanimous"
        ready = Action(slot, READY) if command.verb == READY else command
        return ready if may else _NOT_NOW
    if command.verb in (NO_ACTION, NO_MURDER):
        return command
    action = _read_action(state, slot, command, aliases)
    return action if isinstance(action, Refusal) else objection(state, slot, action) or action


def _read_action(state: State, slot: SlotId, command: Command, aliases: Aliases) -> Action | Refusal:
    """The action, legal or not; the extras are looked for only where the line has no name without them."""
    # A Vigilante's card calls his shot a Murder, too.
    ability = (
        Ability.VIG
        if command.verb == Ability.MURDER and Ability.VIG in state.cards[slot].abilities
        else command.verb
    )
    if ability not in state.cards[slot].abilities:
        return refusal(Code.NOT_YOUR_ABILITY)
    plain = _aimed(state, slot, ability, command.argument, aliases)
    rest, extras = _extras(command.argument)
    if not extras or isinstance(plain, Action):
        return plain
    action = _aimed(state, slot, ability, rest, aliases)
    return action if isinstance(action, Refusal) else action._replace(options=extras)


def _extras(argument: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the trailing words, and those words, each once."""
    rest, extras = argument.rstrip(" ,;"), set[str]()
    while (last := rest.rpartition(" ")[2].lower()) in _EXTRAS - extras:
        extras.add(last)
        rest = rest[: -len(last)].rstrip(" ,;")
    return rest, tuple(sorted(extras))


def _aimed(state: State, slot: SlotId, ability: str, argument: str, aliases: Aliases) -> Action | Refusal:
    if not argument:
        return refusal(Code.BAD_ARGS)
    targets = orders.parse_targets(state, argument, aliases)
    if not isinstance(targets, Refusal):
        return Action(slot, ability, targets)
    if ability != Ability.MURDER:
        return targets
    carried = orders.parse_carried(state, slot, argument, aliases)
    if carried is None or isinstance(carried, Refusal):
        return carried or targets
    return Action(carried[0], ability, (carried[1],))


def objection(state: State, sender: SlotId, action: Action) -> Refusal | None:
    """What is wrong with an action that the sender asks for; None: nothing."""
    if action.actor != sender and action.options:
        return Refusal(Code.NOT_YOUR_EXTRA, "only the carrier can add a word, in a line of his own")
    if code := fault(dusk_of(state), action):
        return refusal(code)
    return _already_murdering(state, sender, action) if action.ability == Ability.MURDER else None


def _already_murdering(state: State, sender: SlotId, action: Action) -> Refusal | None:
    """EM-R23: the carrier's own line names the target; by option the first Murder stands."""
    standing = state.standing.get(_MURDER_SLOT)
    if standing is None or standing.actor == sender:
        return None
    if state.rules["em_r23"] == "first":
        return Refusal(Code.SLOT_TAKEN, f"tonight's Murder is taken: {notation(standing, sender)}")
    if action.actor == standing.actor and _own_murder(standing.actor) in state.standing:
        return Refusal("CARRIER_DECIDES", f"{standing.actor} has named the target himself")
    return None


def _own_murder(slot: SlotId) -> SlotKey:
    """Filled where the carrier himself has sent the Murder."""
    return slot, "murder"


def refusal(code: Code) -> Refusal:
    return Refusal(code, _SENTENCES[code])


def _slots(state: State, action: Action) -> tuple[SlotKey, ...]:
    return ((action.actor, READY),) if action.ability == READY else slots_of(dusk_of(state), action)


def _apply(state: State, slot: SlotId, wanted: Wanted) -> State:
    if isinstance(wanted, Action):
        sent = (_own_murder(slot),) if wanted.ability == Ability.MURDER and wanted.actor == slot else ()
        return orders.enter(state, wanted, (*_slots(state, wanted), *sent))
    if wanted.verb == NO_MURDER:
        faction = state.cards[slot].alignment is Alignment.MAFIA
        return orders.without(state, [a for a in state.actions if faction and a.ability == Ability.MURDER])
    own = (a for a in state.actions if a.actor == slot)
    return orders.without(state, [a for a in own if wanted.verb == NO_ACTION or a.ability == READY])


def notation(action: Action, reader: SlotId | None = None) -> str:
    """The line that says this action: what a receipt quotes and `take` reads back. For a reader who is not
    its actor it names the carrier."""
    words = [_WORD_OF.get(action.ability, action.ability)]
    words += [" and ".join(action.targets)] if action.targets else []
    words += [f"by {action.actor}"] if reader is not None and reader != action.actor else []
    return " ".join((*words, *action.options))


def legal_lines(state: State, slot: SlotId) -> tuple[str, ...]:
    """Every plan of one line that the slot can send now."""
    ready = state.phase is Phase.NIGHT and state.rules["em_r27"] == "unanimous"
    return (*(notation(action, slot) for action in possible(state, slot)), *((READY,) if ready else ()))


def possible(state: State, slot: SlotId) -> Iterator[Action]:
    """Every action that the slot can ask for now."""
    return (action for action in _thinkable(state, slot) if objection(state, slot, action) is None)


def _thinkable(state: State, slot: SlotId) -> Iterator[Action]:
    names = tuple(state.living)
    for ability in map(str, state.cards[slot].abilities):
        for aim in combinations(names, TARGETS[ability]):
            for extras in _possible_extras(state.cards[slot], ability):
                yield Action(slot, ability, aim, extras)
            if ability == Ability.MURDER:
                yield from (Action(mate, ability, aim) for mate in mafiosi(state) if mate != slot)


def _possible_extras(role: Role, ability: str) -> Iterator[tuple[str, ...]]:
    invisible = ((), (str(Extra.INVISIBLE),)) if INVISIBLE in role.traits else ((),)
    pierces = ADAPTABLE in role.traits and ability == Ability.MURDER
    obliterate = ((), (str(Extra.OBLITERATE),)) if pierces else ((),)
    yield from ((*first, *second) for first in invisible for second in obliterate)
