"""Explain a night: why a player lived or died, why actions failed, what the player was told.

Each step has its ruling; what it rests on follows it one level deeper, down to the root. For the moderator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.game import SlotId
from knightfall.errors import InputError
from knightfall.mafia.night import NO_RESULT, Action, Fate, Note, Reason, Result
from knightfall.services.night import (
    INCARCERATED,
    LOST,
    POWERED,
    Verdict,
    decide,
    deed,
    not_taken,
    told,
    word,
)
from knightfall.services.night_file import CUSTOM_ID, EMPOWERED_ID, KNIGHT_ERRANT_ID, NightFile

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


_VISIT = {EMPOWERED_ID: "EM-R5", KNIGHT_ERRANT_ID: "KE-R30", CUSTOM_ID: "CM-R29"}
_STOPPED = {EMPOWERED_ID: "EM-R21", KNIGHT_ERRANT_ID: "KE-R26", CUSTOM_ID: "CM-R30"}


@dataclass(frozen=True, slots=True)
class _Case:
    """One player's night; what `trace` has told once is not told again."""

    night: NightFile
    found: Verdict
    slot: SlotId
    trace: Trace

    @property
    def seen_by(self) -> str:
        """The ruling that says what a visit is."""
        return _VISIT[self.night.kind]


@dataclass(frozen=True, slots=True)
class PlayerExplanation:
    """The chains of causes about one player of a night."""

    night: int
    slot: SlotId
    role: str
    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, object]:
        """{night, slot, role, steps: [{depth, text, ruling}]}."""
        steps = [step._asdict() for step in self.steps]
        return {"night": self.night, "slot": self.slot, "role": self.role, "steps": steps}


def why(name: str, night: NightFile) -> PlayerExplanation:
    """Explain one player's night. Raises InputError for a name that is nobody's."""
    slot = match_name(name, tuple(night.roles), night.names)
    if isinstance(slot, Ambiguous):
        raise InputError(f"“{name}” can be {' or '.join(slot.slots)}.")
    if isinstance(slot, Unknown):
        raise InputError(f"Nobody alive is called “{name}”; alive are {', '.join(night.roles)}.")
    return PlayerExplanation(night.number, slot, night.roles[slot], why_steps(slot, night))


def why_steps(slot: SlotId, night: NightFile) -> tuple[Step, ...]:
    """Life or death, what was done to the player, what they did, what they were told."""
    found = decide(night)
    trace = Trace(night.kind, {note.action: note for note in found.night.trace})
    case = _Case(night, found, slot, trace)
    parts = (_life(case), _state(case), _deeds(case), _told(case), _spent(case))
    return tuple(step for part in parts for step in part)


def _life(case: _Case) -> Iterator[Step]:
    """Every kill aimed at him, landed or not."""
    for toll, verb in ((case.found.night.deaths, "died"), (case.found.night.survived, "lived")):
        for attacks in (death.attacks for death in toll if death.slot == case.slot):
            yield Step(0, f"{case.slot} {verb}")
            yield from _chains(case, attacks, 1)
            return
    yield Step(0, f"{case.slot} lived: nobody tried to kill {case.slot}")


def _chains(case: _Case, notes: tuple[Note, ...], depth: int = 0) -> Iterator[Step]:
    for note in notes:
        yield from tell(case.trace, note, depth)


def _state(case: _Case) -> Iterator[Step]:
    """Who held him; in Empowered Mafia who gave him power."""
    held = case.trace.aimed_at(case.slot, frozenset({"jail", "roleblock"}))
    yield from _chains(case, tuple(note for note in held if note.fate is Fate.STOOD))
    for mark, ability in ((POWERED, "powered"), (INCARCERATED, "incarcerated")):
        if case.slot in case.found.marks.get(mark, ()):
            yield Step(0, f"{case.slot} was {ability}")
            yield from _chains(case, _behind(case, mark), 1)
    if case.slot in case.found.marks.get(LOST, frozenset()) - case.night.lost:
        yield Step(0, f"{case.slot} used Adaptability without power, and has lost it", "EM-R12")


def _behind(case: _Case, mark: str) -> tuple[Note, ...]:
    """The standing actions that gave him power, or hold him."""
    abilities = ("empower", "amplify") if mark == POWERED else ("incarcerate",)
    return tuple(
        note
        for note in case.found.night.trace
        if note.action.ability in abilities and case.slot in note.action.targets and note.fate is Fate.STOOD
    )


def _deeds(case: _Case) -> Iterator[Step]:
    own = tuple(note for note in case.found.night.trace if note.action.actor == case.slot)
    yield from _chains(case, own)
    refused = [not_taken(*item) for item in case.found.refused if item[0] == case.slot]
    yield from (Step(0, text) for text in refused)
    if not own and not refused:
        yield Step(0, f"{case.slot} sent nothing")


def _told(case: _Case) -> Iterator[Step]:
    for result in case.found.night.results:
        if result.action.actor == case.slot:
            yield from _answered(case, result)


def _answered(case: _Case, result: Result) -> Iterator[Step]:
    """The answer, and what it rests on; why a check was stopped stands with the action."""
    head = f"{case.slot} was told “{told(result.answer)}” for {case.found.words.notation(result.action)}"
    note = case.trace.notes[case.found.went.get(result.action, result.action)]
    if result.answer is None:
        yield Step(0, f"{head}: {_silence(note)}", "EM-R20" if note.fate is Fate.STOOD else "EM-R21")
    elif result.answer == NO_RESULT:
        yield Step(0, f"{head}: it did not get through", _STOPPED[case.night.kind])
    elif result.action.ability in ("track", "watch", "stakeout"):
        yield Step(0, head, note.ruling)
        yield from _footsteps(case, result)
    else:
        yield Step(0, f"{head}: {_card(case, result)}", note.ruling)


def _silence(note: Note) -> str:
    if note.fate is Fate.STOOD:
        return "who dies in the night reads no answer"
    return "a check without power, or from jail, brings no message"


def _card(case: _Case, result: Result) -> str:
    """KE-R33 to KE-R35: the card, and what hides it."""
    (target, *_), answer = result.action.targets, result.answer
    role = case.night.roles[target]
    if role == "Mafia Godfather" and answer in ("Town", "False"):
        return f"{target} is {role}, and checks find that card innocent"
    if role == "Serial Killer" and case.found.night.spent.get(target, {}).get("immunity"):
        return f"{target} is {role}, and an immunity covered the check (KE-R35)"
    return f"{target} is {role}"


def _footsteps(case: _Case, result: Result) -> Iterator[Step]:
    """Each action that was seen, and each that was not, of or on the one who was watched."""
    (target, *_), by = result.action.targets, result.action.ability == "track"
    for note in case.found.night.trace:
        action = note.action
        met = action.actor == target if by else (target in action.targets and action.actor != case.slot)
        if not met or not action.targets or action.ability == "detonate" or note.fate is Fate.REJECTED:
            continue
        if "invisible" in action.options:
            yield Step(1, f"{deed(action)} was invisible", "EM-R14")
        elif _was_visit(case, note):
            yield Step(1, f"{deed(action)} was seen", case.seen_by)
        else:
            yield from tell(case.trace, note, 1)


def _was_visit(case: _Case, note: Note) -> bool:
    """A failed action is seen only under KE-R28, and then no other of the same pair explains the visit."""
    pairs = {(note.action.actor, aim) for aim in note.action.targets} & set(case.found.night.visits)
    if note.fate not in (Fate.BLOCKED, Fate.LOST):
        return bool(pairs)
    stood = (n.action for n in case.found.night.trace if n.fate in (Fate.STOOD, Fate.ABSORBED, Fate.IDLE))
    return bool(pairs - {(action.actor, aim) for action in stood for aim in action.targets})


def _spent(case: _Case) -> Iterator[Step]:
    uses = case.found.night.spent.get(case.slot, {})
    if uses:
        said = ", ".join(f"{word(str(ability))} ({count})" for ability, count in uses.items())
        yield Step(0, f"{case.slot} used: {said}")
