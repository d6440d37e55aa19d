"""Why a night came out as it did, and what would be different with other orders or rulings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from knightfall.engine.game import Option, choose
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.ability_row import Effect
from knightfall.mafia.decide import decide, judge, not_taken, standing, told
from knightfall.mafia.explain import Words, because, deed, means, said, word
from knightfall.mafia.game import DecidedNight, NightFile
from knightfall.mafia.night import NO_RESULT, Action, Answer, Fate, Note, Result
from knightfall.mafia.trace import Step, Trace
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class _Case:
    """One player's night; what `trace` has told once is not told again."""

    night: NightFile
    found: DecidedNight
    slot: SlotId
    trace: Trace


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
        raise InputError(f"No living player is called “{name}”. Alive: {', '.join(night.roles)}.")
    return PlayerExplanation(night.number, slot, night.roles[slot], why_steps(slot, night))


def why_steps(slot: SlotId, night: NightFile) -> tuple[Step, ...]:
    """Life or death, what was done to the player, what they did, what they were told."""
    found = decide(night)
    trace = night.game.trace(found.words, found.night, night.roles)
    case = _Case(night, found, slot, trace)
    parts = (_life(case), _state(case), _deeds(case), _told(case), _spent(case))
    return tuple(step for part in parts for step in part)


def _life(case: _Case) -> Iterator[Step]:
    """Every kill aimed at the player, landed or not."""
    for toll, verb in ((case.found.night.deaths, "died"), (case.found.night.survived, "lived")):
        for attacks in (death.attacks for death in toll if death.slot == case.slot):
            yield Step(0, f"{case.slot} {verb}")
            yield from _chains(case, attacks, 1)
            return
    yield Step(0, f"{case.slot} lived: nobody tried to kill {case.slot}")


def _chains(case: _Case, notes: tuple[Note, ...], depth: int = 0) -> Iterator[Step]:
    for note in notes:
        yield from case.trace.tell(note, depth)


def _state(case: _Case) -> Iterator[Step]:
    """Who held them, and the states that only this game knows."""
    words = case.found.words
    behind = frozenset[str]().union(*(mark.behind for mark in words.marks))
    held = words.having(Effect.HOLDS) - behind
    yield from _chains(case, case.trace.standing_at(case.slot, held))
    for mark in words.marks:
        before = case.night.marked.get(mark.before, frozenset())
        if case.slot in case.found.marks.get(mark.name, frozenset()) - before:
            yield Step(0, f"{case.slot} {mark.was}", mark.ruling)
            yield from _chains(case, case.trace.standing_at(case.slot, mark.behind), 1)


def _deeds(case: _Case) -> Iterator[Step]:
    own = tuple(note for note in case.found.night.trace if note.action.actor == case.slot)
    yield from _chains(case, own)
    refused = [not_taken(*item) for item in case.found.refused if item[0] == case.slot]
    yield from (Step(0, text) for text in refused)
    if not own and not refused:
        # What they sent may be taken back, or a partner's message took its place.
        yield Step(0, f"{case.slot} {'did' if case.slot in case.night.senders else 'sent'} nothing")


def _told(case: _Case) -> Iterator[Step]:
    for result in case.found.night.results:
        if result.action.actor == case.slot:
            yield from _answered(case, result)


def _answered(case: _Case, result: Result) -> Iterator[Step]:
    """The answer, and what it rests on; why a check was stopped stands with the action."""
    head = f"{case.slot} was told “{told(result.answer)}” for {case.found.words.notation(result.action)}"
    note = case.trace.notes[case.found.went.get(result.action, result.action)]
    if result.answer is None:
        clause, ruling = case.trace.silence(note)
        yield Step(0, f"{head}: {clause}", ruling)
    elif result.answer == NO_RESULT:
        yield Step(0, f"{head}: it did not get through", case.trace.stopped_ruling)
    elif result.action.ability in case.found.words.having(Effect.FOLLOWS, Effect.WATCHES):
        yield Step(0, head, note.ruling)
        yield from _footsteps(case, result)
    else:
        yield Step(0, f"{head}: {case.trace.card(result)}", note.ruling)


def _footsteps(case: _Case, result: Result) -> Iterator[Step]:
    """Each action that was seen, and each that was not, of or on the one who was watched."""
    words = case.found.words
    (target, *_), by = result.action.targets, result.action.ability in words.having(Effect.FOLLOWS)
    for note in case.found.night.trace:
        action = note.action
        met = action.actor == target if by else (target in action.targets and action.actor != case.slot)
        row = words.abilities[action.ability]
        walked = action.targets and (row.lines or Effect.KILLS not in row.effects)
        if not met or not walked or note.fate is Fate.REJECTED:
            continue
        if "invisible" in action.options:
            yield Step(1, f"{deed(words, action)} was invisible", "EM-R14")
        elif _was_visit(case, note):
            yield Step(1, f"{deed(words, action)} was seen", case.trace.visit_ruling)
        else:
            yield from case.trace.tell(note, 1)


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
        said = ", ".join(f"{word(case.found.words, ability)} ({count})" for ability, count in uses.items())
        yield Step(0, f"{case.slot} used: {said}")


class Change(NamedTuple):
    """One difference in a few words; `why` gives the reason where there is one."""

    text: str
    why: str = ""


def changes(before: DecidedNight, after: DecidedNight, known: Collection[Action] = ()) -> tuple[Change, ...]:
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


def _deaths(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    then, now = ({death.slot: death for death in found.night.deaths} for found in (before, after))
    for slot in sorted(now.keys() - then.keys()):
        yield Change(f"{slot} dies", _blows(after.words, now[slot].attacks))
    saved = {death.slot: death for death in after.night.survived}
    for slot in sorted(then.keys() - now.keys()):
        attacks = saved[slot].attacks if slot in saved else ()
        yield Change(f"{slot} lives", _blows(after.words, attacks) or "no kill")


def _blows(words: Words, attacks: Iterable[Note]) -> str:
    return "; ".join(f"{said(words, note.action)}: {because(words, note)}" for note in attacks)


def _marks(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    for mark in after.words.marks:
        then, now = before.marks.get(mark.name, frozenset()), after.marks.get(mark.name, frozenset())
        yield from (Change(f"{slot} {mark.gained}") for slot in sorted(now - then))
        yield from (Change(f"{slot} {mark.missing}") for slot in sorted(then - now))


def _results(before: DecidedNight, after: DecidedNight, known: Collection[Action]) -> Iterator[Change]:
    then, now, notation = _answers(before), _answers(after), after.words.notation
    for action in sorted(now):
        if action not in then or then[action] != now[action]:
            text = f"{action.actor} is told “{told(now[action])}” ({notation(action)})"
            yield Change(f"{text} instead of “{told(then[action])}”" if action in then else text)
    for action in sorted(then.keys() - now.keys() - set(known)):
        yield Change(f"{action.actor} has no answer to {notation(action)}")


def _answers(found: DecidedNight) -> dict[Action, Answer | None]:
    return {result.action: result.answer for result in found.night.results}


_NOW: Mapping[Fate, str] = {
    Fate.STOOD: "works",
    Fate.ABSORBED: "is survived",
    Fate.BLOCKED: "fails",
    Fate.IDLE: "has no effect",
    Fate.LOST: "fails",
    Fate.REJECTED: "is rejected",
}


def _fates(before: DecidedNight, after: DecidedNight, known: Collection[Action]) -> Iterator[Change]:
    then, now = ({note.action: note for note in found.night.trace} for found in (before, after))
    for action, note in now.items():
        old, why = then.get(action), because(after.words, note)
        if old is None:
            yield Change(f"{deed(after.words, action)} {_NOW[note.fate]}", why)
        elif (old.fate, old.reason) != (note.fate, note.reason):
            yield Change(
                f"{deed(after.words, action)} {_NOW[note.fate]}",
                f"{why}; before: {because(before.words, old)}",
            )
    for action in then:
        if action not in now and action not in known:
            yield Change(f"{deed(before.words, action)} does not happen")


def _shots(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    """Uses of what is limited in both; an ability that an option makes unlimited spends nothing."""
    then, now = _uses(before), _uses(after)
    for slot, ability in sorted((then.keys() | now.keys()) - before.unlimited - after.unlimited):
        old, new = then.get((slot, ability), 0), now.get((slot, ability), 0)
        if old != new:
            yield Change(f"{slot} {_spends(old, new)} {word(after.words, ability)}")


def _spends(old: int, new: int) -> str:
    if (old, new) in ((0, 1), (1, 0)):
        return "spends a shot of" if new else "keeps a shot of"
    return f"spends {new} instead of {old} shots of"


def _uses(found: DecidedNight) -> dict[tuple[SlotId, str], int]:
    spent = found.night.spent.items()
    return {(slot, str(ability)): count for slot, uses in spent for ability, count in uses.items() if count}


def _refused(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
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


def sensitivity(night: NightFile, decided: DecidedNight | None = None) -> tuple[Dependence, ...]:
    """Every flip of one option that changes the outcome; `decided` spares deciding the night as it is."""
    before = decided or decide(night)
    return tuple(
        Dependence(option, value, found)
        for option in night.game.night_options
        for value in option.values
        if value != chosen(night, option)
        and (found := _changes(before, with_option(night, option.name, value)))
    )


def _changes(before: DecidedNight, other: NightFile) -> tuple[Change, ...]:
    """A night that only the moderator could decide is different, whatever they would say."""
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
    """One more line of the slot, the last to arrive of theirs."""

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
    return (*changes(before, after, gone), *_free(before, after))


def _free(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    """Whose use of tonight is no longer counted. It is what was asked for, so that no night hangs on it."""
    for slot, ability in sorted(_uses(before).keys() & after.unlimited - before.unlimited):
        yield Change(f"{slot} spends no shot of {word(after.words, ability)}: there is no end of them")


def parse_edit(night: NightFile, text: str) -> Edit:
    """Read one edit. Raises InputError with what was expected."""
    said = text.strip()
    if found := _REMOVE.fullmatch(said):
        return Remove(_living(night, found[1]), (found[2] or "").strip())
    if found := _ADD.fullmatch(said):
        return Add(_living(night, found[1]), found[2])
    if found := _SET.fullmatch(said):
        name, value = found[1].lower(), found[2].lower()
        choose("This game", night.game.night_options, {name: value})
        return Choose(name, value)
    raise InputError(
        f"“{text}” is not a change that I understand. Expected “remove NAME:ABILITY”, “add NAME: "
        "LINE” or “set OPTION = VALUE”."
    )


def _living(night: NightFile, written: str) -> SlotId:
    """The living slot that a name means; two hits are never guessed."""
    slot = match_name(written, tuple(night.roles), night.names)
    if isinstance(slot, Ambiguous):
        raise InputError(f"“{written}” can be {' or '.join(slot.slots)}.")
    if isinstance(slot, Unknown):
        raise InputError(f"No living player is called “{written}”. Alive: {', '.join(night.roles)}.")
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
        raise InputError(f"{edit.slot} has no “{edit.ability}” to remove. Planned for {edit.slot}: {stands}.")
    return found
