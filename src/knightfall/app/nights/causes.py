"""Why did an action of a night end as it did, from block to block down to the root?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from knightfall.app.nights.night_file import EMPOWERED_ID, KNIGHT_ERRANT_ID
from knightfall.app.nights.night_words import deed
from knightfall.core.game import SlotId
from knightfall.mafia.night import Action, Fate, Note, Reason

_HOLDERS = frozenset({"jail", "roleblock", "incarcerate"})
_SHIELDS = frozenset({"heal", "protect", "jail", "incarcerate"})
_SUPPLY = frozenset({"empower", "amplify"})
KILLS = frozenset({"mafia_kill", "kill", "strong_kill", "murder", "vig", "detonate"})


class Step(NamedTuple):
    """One link: how deep in the chain, the sentence, the ruling it rests on ("" for none)."""

    depth: int
    text: str
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A night's notes by action; `told` are those a chain has come to already."""

    kind: str
    notes: Mapping[Action, Note]
    told: set[Action] = field(default_factory=set)

    def aimed_at(self, slot: SlotId, abilities: frozenset[str]) -> list[Note]:
        """What was aimed at a slot with one of these abilities."""
        return [n for a, n in self.notes.items() if slot in a.targets and a.ability in abilities]


def tell(trace: Trace, note: Note, depth: int = 0) -> Iterator[Step]:
    """The action's end and its reason; then, deeper, whatever that reason rests on."""
    text = f"{deed(note.action)} {_verb(note)}"
    if note.action in trace.told:
        yield Step(depth, f"{text}: see above")
        return
    trace.told.add(note.action)
    yield Step(depth, f"{text}: {reason(trace, note)}", note.ruling)
    for below in _rests_on(trace, note):
        yield from tell(trace, below, depth + 1)


_VERBS: Mapping[Fate, str] = {
    Fate.ABSORBED: "was survived",
    Fate.BLOCKED: "failed",
    Fate.LOST: "failed",
    Fate.IDLE: "had no effect",
    Fate.REJECTED: "was rejected",
}


def _verb(note: Note) -> str:
    if note.fate is not Fate.STOOD:
        return _VERBS[note.fate]
    ability = note.action.ability
    return "held" if ability in _HOLDERS else "landed" if ability in KILLS else "worked"


_REASONS: Mapping[str, str] = {
    Reason.TARGET_COMMUTING: "{t} is away, {t} commuted",
    Reason.ACTOR_JAILED: "{a} is jailed by {c}",
    Reason.TARGET_JAILED: "{t} is jailed by {c}",
    Reason.ACTOR_ROLEBLOCKED: "{a} is roleblocked by {c}",
    Reason.ACTOR_KILLED: "{a} was killed by {c}",
    Reason.ACTOR_COMMUTING: "{a} commuted, and a commute stops one's own actions too",
    Reason.AWAY: "nothing stops a commute",
    Reason.UNSTOPPABLE: "nothing stops it",
    Reason.HEALED: "{c} healed {t}",
    Reason.BULLETPROOF: "{t} is bulletproof",
    Reason.VEST: "{t} wore a vest",
    Reason.UNUSED: "but no kill was left for it to stop",
    Reason.WORN: "it was worn all night",
    Reason.UNPOWERED: "{a} had no power",
    Reason.INCARCERATED: "{a} is incarcerated by {c}",
    Reason.IN_JAIL: "{t} is in the jail of {c}, and a prisoner cannot be killed",
    Reason.TURNED: "it changed where others went",
    Reason.KNOT: "no action of its ring happens, as was ruled",
    Reason.GUARDED: "{c} guarded {t}, and took it",
    Reason.TOOK_THE_KILL: "{a} took the kill, and died of it",
    Reason.STRUCK_BACK: "{a} is a Bomb, and {t} had killed {a}",
    Reason.LOVE: "{t} died, and {a} loved {t}",
    Reason.WEAKNESS: "{a} is weak, {t} is of another side, and {a} dies of it",
    Reason.LOYAL: "{a} is loyal, and {t} is of another side",
    Reason.DISLOYAL: "{a} is disloyal, and {t} is of the same side",
    Reason.LAZY: "{a} is lazy, and at most one living player was not of the town",
}


def reason(trace: Trace, note: Note) -> str:
    """One clause in plain words, without the ruling."""
    if note.fate is Fate.REJECTED:
        return f"it was not legal ({note.reason})"
    if note.reason == Reason.SAVED:
        return f"{_by(note)} protected {note.action.targets[0]}" if note.cause else "it stopped a kill"
    if note.reason == Reason.PARADOX:
        return _paradox(trace, note)
    if note.reason in _REASONS:
        clause = _REASONS[note.reason].format(a=note.action.actor, t=_target(note), c=_by(note))
        return clause + (_power(trace, note) if note.reason == Reason.UNPOWERED else "")
    return _unhindered(trace, note)


def _target(note: Note) -> str:
    return " and ".join(note.action.targets)


def _by(note: Note) -> str:
    return note.cause.actor if note.cause else "nobody"


def _power(trace: Trace, note: Note) -> str:
    tried = trace.aimed_at(note.action.actor, _SUPPLY)
    return "" if tried else ", and nobody tried to give any"


def _paradox(trace: Trace, note: Note) -> str:
    """EM-R33: alone it would undo its own power; otherwise it stands in a ring with others."""
    others = [deed(a) for a, n in trace.notes.items() if n.reason == Reason.PARADOX and a != note.action]
    if not others:
        return f"if it held, {note.action.actor} would not have the power that it needs, so it undid itself"
    return f"it stands in a ring with {', '.join(others)}: each bears on another, and none comes first"


def _unhindered(trace: Trace, note: Note) -> str:
    """Why what stood could stand."""
    actor = note.action.actor
    if note.action.ability == "detonate":
        return f"{_target(note)} killed {actor}" if _echo(note) else f"{_target(note)} targeted {actor}"
    if trace.kind == EMPOWERED_ID:
        power = f"{actor} is powered by {note.cause.actor}" if note.cause else "it needs no power"
        return f"{power}, and no incarceration held {actor}" if _free(trace, actor) else power
    if note.action.ability == "jail" and trace.kind == KNIGHT_ERRANT_ID:
        return _jail(trace, note)
    if note.action.ability == "roleblock" and trace.kind == KNIGHT_ERRANT_ID:
        return "no jail and no commute stood in its way"
    return "nothing stopped it"


def _echo(note: Note) -> bool:
    """A Bomb's answer has the kill for its cause; a Serial Bomber's explosion whoever gave him power."""
    return note.cause is not None and note.cause.ability in KILLS


def _free(trace: Trace, slot: SlotId) -> bool:
    return not any(n.fate is Fate.STOOD for n in trace.aimed_at(slot, frozenset({"incarcerate"})))


def _jail(trace: Trace, note: Note) -> str:
    """KE-R4: a roleblock on the jailer changes nothing."""
    actor = note.action.actor
    blocks = [n.action.actor for n in trace.aimed_at(actor, frozenset({"roleblock"})) if n.fate is Fate.STOOD]
    if blocks:
        return f"{' and '.join(blocks)} roleblocked {actor}, but that does not open a jail (KE-R4)"
    return f"nobody roleblocked {actor}, and {_target(note)} did not commute"


def _rests_on(trace: Trace, note: Note) -> list[Note]:
    """The notes behind a reason: the cause; failed power; what should have stopped it and did not."""
    found = [trace.notes[note.cause]] if note.cause and note.cause in trace.notes else []
    if note.reason == Reason.UNPOWERED:
        found += trace.aimed_at(note.action.actor, _SUPPLY)
    if note.fate is Fate.STOOD and note.reason != Reason.UNSTOPPABLE:
        found += _vain(trace, note)
    return [n for n in dict.fromkeys(found) if n.action != note.action]


def _vain(trace: Trace, note: Note) -> list[Note]:
    """Holds on its actor, and for a kill shields on its victim, that failed or were used up."""
    tried = [n for n in trace.aimed_at(note.action.actor, _HOLDERS) if n.fate is not Fate.STOOD]
    if note.action.ability in KILLS and note.action.ability != "detonate":
        tried += trace.aimed_at(note.action.targets[0], _SHIELDS)
    return [n for n in tried if n.fate is not Fate.REJECTED]
