"""The invented players of Empowered Mafia: twenty-four names with a role each, by day and by night."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from knightfall.engine.game import Message, Step
from knightfall.engine.rng import SeededRng
from knightfall.games.empowered import EMPOWERED, ROLES, EmpoweredPosition, Phase, State, parse_options
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId
from salt_harbour import NAMES as EIGHTEEN

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = (*EIGHTEEN, *map(SlotId, ("Sable", "Teal", "Umber", "Vesper", "Willow", "Yarrow")))
_CARDS = (
    *("Empowerer",) * 4,
    *("Strongman", "Kidnapper", "Ninja", "Serial Bomber"),
    *("Amplifier", "Amplifier", "Doctor", "Doctor", "Jailkeeper", "Jailkeeper", "Cop", "Cop"),
    *("Tracker", "Tracker", "Watcher", "Watcher", "Vigilante", "Vigilante", "Bomb", "Bomb"),
)
CAST: Mapping[SlotId, str] = dict(zip(NAMES, _CARDS, strict=True))
"""Ada to Dusk_77 empower; Elm, Fen, Gale and Hollis are the mafia; every other role twice."""

assert set(CAST.values()) == set(ROLES)


def at(phase: Phase = Phase.NIGHT, *living: str, number: int = 1, **options: object) -> State:
    """The whole cast, or the named of it."""
    cards = {name: ROLES[role] for name, role in CAST.items() if not living or name in living}
    return State("P24", parse_options(options), cards, phase, number)


def dusk(options: Mapping[str, object] | None = None, lost: tuple[str, ...] = ()) -> EmpoweredPosition:
    """The whole cast at dusk."""
    roles = {name: ROLES[role] for name, role in CAST.items()}
    return EmpoweredPosition(roles, 1, frozenset(map(SlotId, lost)), parse_options(options or {}))


def act(line: str) -> Action:
    """`Ada empower Boro` or `Gale murder Boro +obliterate` as an action."""
    actor, ability, *rest = line.split()
    targets = tuple(SlotId(word) for word in rest if not word.startswith("+"))
    extras = tuple(sorted(word[1:] for word in rest if word.startswith("+")))
    return Action(SlotId(actor), ability, targets, extras)


def say(state: State, slot: str | None, text: str, seed: bytes = b"", when: datetime = NOON) -> Step[State]:
    """One message; slot None: the moderator's."""
    message = Message(None if slot is None else SlotId(slot), text, when, {"Zed": SlotId("Quill")})
    return EMPOWERED.submit(state, message, SeededRng(seed))


def close(state: State, kind: str, seed: bytes = b"", when: datetime = NOON) -> Step[State]:
    return EMPOWERED.close(state, kind, when, SeededRng(seed))


def sent(state: State, *messages: tuple[str, str]) -> State:
    """The state after messages that are all taken."""
    for slot, text in messages:
        step = say(state, slot, text)
        assert step.refused == ()
        state = step.state
    return state


def stands(state: State) -> list[str]:
    return [" ".join((a.actor, a.ability, *a.targets, *a.options)) for a in state.actions]


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]
