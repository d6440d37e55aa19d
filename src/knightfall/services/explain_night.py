"""Why a night came out as it did, and what would be different with other orders or rulings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from knightfall.engine.commands import Ambiguous, Unknown, match_name
from knightfall.engine.game import Option, SlotId, choose
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.explain import Words, because, said, word
from knightfall.mafia.night import NO_RESULT, Action, Answer, Fate, Note, Reason, Result
from knightfall.services.night import (
    INCARCERATED,
    LOST,
    POWERED,
    Verdict,
    decide,
    deed,
    judge,
    means,
    not_taken,
    options_of,
    standing,
    told,
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


class Change(NamedTuple):
    """One difference in a few words; `why` gives the reason where there is one."""

    text: str
    why: str = ""


def changes(before: Verdict, after: Verdict, known: Collection[Action] = ()) -> tuple[Change, ...]:
    """What is different after, the gravest first; () where nothing is.

    `known` are actions whose absence afterwards is no news.
    """
    return (
        *_deaths(before, after),
        *_marks(before, after),
        *_results(before, after, known),
        *_fates(before, after, known),
        *_shots(before, after),
        *_refused(before, after),
    )


def _deaths(before: Verdict, after: Verdict) -> Iterator[Change]:
    then, now = ({death.slot: death for death in found.night.deaths} for found in (before, after))
    for slot in sorted(now.keys() - then.keys()):
        yield Change(f"{slot} dies", _blows(after.words, now[slot].attacks))
    saved = {death.slot: death for death in after.night.survived}
    for slot in sorted(then.keys() - now.keys()):
        attacks = saved[slot].attacks if slot in saved else ()
        yield Change(f"{slot} lives", _blows(after.words, attacks) or "no kill")


def _blows(words: Words, attacks: Iterable[Note]) -> str:
    return "; ".join(f"{said(words, note.action)}: {because(words, note)}" for note in attacks)


_MARKS: Mapping[str, tuple[str, str]] = {
    POWERED: ("is powered", "is not powered"),
    INCARCERATED: ("is incarcerated", "is not incarcerated"),
    LOST: ("loses Adaptability", "keeps Adaptability"),
}


def _marks(before: Verdict, after: Verdict) -> Iterator[Change]:
    for mark, (gained, missing) in _MARKS.items():
        then, now = before.marks.get(mark, frozenset()), after.marks.get(mark, frozenset())
        yield from (Change(f"{slot} {gained}") for slot in sorted(now - then))
        yield from (Change(f"{slot} {missing}") for slot in sorted(then - now))


def _results(before: Verdict, after: Verdict, known: Collection[Action]) -> Iterator[Change]:
    then, now, notation = _answers(before), _answers(after), after.words.notation
    for action in sorted(now):
        if action not in then or then[action] != now[action]:
            text = f"{action.actor} is told “{told(now[action])}” ({notation(action)})"
            yield Change(f"{text} instead of “{told(then[action])}”" if action in then else text)
    for action in sorted(then.keys() - now.keys() - set(known)):
        yield Change(f"{action.actor} has no answer to {notation(action)}")


def _answers(found: Verdict) -> dict[Action, Answer | None]:
    return {result.action: result.answer for result in found.night.results}


_NOW: Mapping[Fate, str] = {
    Fate.STOOD: "works",
    Fate.ABSORBED: "is survived",
    Fate.BLOCKED: "fails",
    Fate.IDLE: "has no effect",
    Fate.LOST: "fails",
    Fate.REJECTED: "is rejected",
}


def _fates(before: Verdict, after: Verdict, known: Collection[Action]) -> Iterator[Change]:
    then, now = ({note.action: note for note in found.night.trace} for found in (before, after))
    for action, note in now.items():
        old, why = then.get(action), because(after.words, note)
        if old is None:
            yield Change(f"{deed(action)} {_NOW[note.fate]}", why)
        elif (old.fate, old.reason) != (note.fate, note.reason):
            yield Change(f"{deed(action)} {_NOW[note.fate]}", f"{why}; before: {because(before.words, old)}")
    for action in then:
        if action not in now and action not in known:
            yield Change(f"{deed(action)} does not happen")


def _shots(before: Verdict, after: Verdict) -> Iterator[Change]:
    """Uses of what is limited in both; an ability that an option makes unlimited spends nothing."""
    then, now = _uses(before), _uses(after)
    for slot, ability in sorted((then.keys() | now.keys()) - before.unlimited - after.unlimited):
        old, new = then.get((slot, ability), 0), now.get((slot, ability), 0)
        if old != new:
            yield Change(f"{slot} {_spends(old, new)} {word(ability)}")


def _spends(old: int, new: int) -> str:
    if (old, new) in ((0, 1), (1, 0)):
        return "spends a shot of" if new else "keeps a shot of"
    return f"spends {new} instead of {old} shots of"


def _uses(found: Verdict) -> dict[tuple[SlotId, str], int]:
    spent = found.night.spent.items()
    return {(slot, str(ability)): count for slot, uses in spent for ability, count in uses.items() if count}


def _refused(before: Verdict, after: Verdict) -> Iterator[Change]:
    for slot, line, why in after.refused:
        if (slot, line, why) not in before.refused:
            yield Change(not_taken(slot, line, why))


@dataclass(frozen=True, slots=True)
class Dependence:
    """An option that this night hangs on, its other value, and what would then be different."""

    option: Option
    value: str
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, object]:
        """{option, value, ruling, changes: [texts]}."""
        return {
            "option": self.option.name,
            "value": self.value,
            "ruling": self.option.ruling,
            "changes": [change.text for change in self.changes],
        }


def sensitivity(night: NightFile, decided: Verdict | None = None) -> tuple[Dependence, ...]:
    """Every flip of one option that changes the outcome; `decided` spares deciding the night as it is."""
    before = decided or decide(night)
    return tuple(
        Dependence(option, value, found)
        for option in options_of(night.kind)
        for value in option.values
        if value != chosen(night, option)
        and (found := _changes(before, with_option(night, option.name, value)))
    )


def _changes(before: Verdict, other: NightFile) -> tuple[Change, ...]:
    """A night that only the moderator could decide is different, whatever he would say."""
    try:
        return changes(before, decide(other))
    except DecisionNeeded:
        return (Change("the night waits for your ruling on a ring of actions"),)


def with_option(night: NightFile, name: str, value: str) -> NightFile:
    """The same night under another value of one option."""
    return replace(night, options={**night.options, name: value})


def chosen(night: NightFile, option: Option) -> str:
    """The value that the file gives an option, or its default."""
    return str(night.options.get(option.name, option.default)).lower()


_REMOVE = re.compile(r"remove\s+([^:]+?)\s*(?::\s*(.+))?", re.I)
_ADD = re.compile(r"add\s+([^:]+?)\s*:\s*(.+)", re.I)
_SET = re.compile(r"set\s+(\w+)\s*=\s*(\w+)", re.I)


@dataclass(frozen=True, slots=True)
class Remove:
    """Take back what the slot does with this ability; "" for everything."""

    slot: SlotId
    ability: str


@dataclass(frozen=True, slots=True)
class Add:
    """One more line of the slot, the last to arrive of his."""

    slot: SlotId
    line: str


@dataclass(frozen=True, slots=True)
class Choose:
    """Another value of an option."""

    option: str
    value: str


Edit: TypeAlias = Remove | Add | Choose


@dataclass(frozen=True, slots=True)
class NightChanges:
    """What some edits change, the gravest first; () where they change nothing."""

    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, object]:
        """{changes: [{text, why}]}."""
        return {"changes": [change._asdict() for change in self.changes]}


def whatif(night: NightFile, edits: Sequence[str]) -> NightChanges:
    """Decide a night again under edits.

    Raises InputError where an edit is not understood, names nobody alive, or removes what is not there.
    """
    return NightChanges(what_changes(night, tuple(parse_edit(night, text) for text in edits)))


def what_changes(night: NightFile, edits: Sequence[Edit]) -> tuple[Change, ...]:
    """What parsed edits change; () where they change nothing."""
    edited = night
    for edit in edits:
        edited = _edited(edited, edit)
    before, after = decide(night), decide(edited)
    removals = [edit for edit in edits if isinstance(edit, Remove)]
    gone = {action for edit in removals for action in _removed(after.words, standing(edited), edit)}
    if gone:
        left = [action for action in standing(edited) if action not in gone]
        after = replace(judge(edited, left), refused=after.refused)
    return changes(before, after, gone)


def parse_edit(night: NightFile, text: str) -> Edit:
    """Read one edit. Raises InputError with what was expected."""
    said = text.strip()
    if found := _REMOVE.fullmatch(said):
        return Remove(_living(night, found[1]), (found[2] or "").strip())
    if found := _ADD.fullmatch(said):
        return Add(_living(night, found[1]), found[2])
    if found := _SET.fullmatch(said):
        name, value = found[1].lower(), found[2].lower()
        choose("This game", options_of(night.kind), {name: value})
        return Choose(name, value)
    raise InputError(
        f"“{text}” is no change of a night; expected “remove NAME:ABILITY”, “add NAME: LINE” "
        "or “set OPTION = VALUE”."
    )


def _living(night: NightFile, written: str) -> SlotId:
    """The living slot that a name means; two hits are never guessed."""
    slot = match_name(written, tuple(night.roles), night.names)
    if isinstance(slot, Ambiguous):
        raise InputError(f"“{written}” can be {' or '.join(slot.slots)}.")
    if isinstance(slot, Unknown):
        raise InputError(f"Nobody alive is called “{written}”; alive are {', '.join(night.roles)}.")
    return slot


def _edited(night: NightFile, edit: Edit) -> NightFile:
    """The file with an added line or another option; a removal waits for the actions."""
    if isinstance(edit, Choose):
        return with_option(night, edit.option, edit.value)
    return _with_line(night, edit.slot, edit.line) if isinstance(edit, Add) else night


def _with_line(night: NightFile, slot: SlotId, line: str) -> NightFile:
    """The line arrives last; it takes the place of those of the slot that cannot stand beside it."""
    others = {other: lines for other, lines in night.lines.items() if other != slot}
    beside = [own for own in night.lines.get(slot, ()) if not _clash(night, slot, own, line)]
    return replace(night, lines={**others, slot: (*beside, line)})


def _clash(night: NightFile, slot: SlotId, *lines: str) -> bool:
    refused = decide(replace(night, lines={slot: lines})).refused
    return any(why.code == "SLOT_TAKEN" for _, _, why in refused)


def _removed(words: Words, actions: Sequence[Action], edit: Remove) -> list[Action]:
    """The actions that the removal means. Raises InputError where there are none."""
    own = [action for action in actions if action.actor == edit.slot]
    found = [action for action in own if not edit.ability or means(words, edit.ability, action)]
    if not found:
        stands = ", ".join(said(words, action) for action in own) or "nothing"
        raise InputError(f"{edit.slot} does no “{edit.ability}” to remove; of {edit.slot} stands: {stands}.")
    return found
