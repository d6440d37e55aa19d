"""Why did a player live or die, why did his actions fail or work, what was he told and why?

For the moderator, in words that can be passed on once the game is over. Each line ends with its ruling;
what it rests on stands below it, indented, down to the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill

from knightfall.app.nights.causes import Step, Trace, tell
from knightfall.app.nights.night_file import CUSTOM_ID, EMPOWERED_ID, KNIGHT_ERRANT_ID, NightFile
from knightfall.app.nights.night_words import deed, not_taken, told, word
from knightfall.app.nights.verdict import INCARCERATED, LOST, POWERED, Verdict, decide
from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.game import SlotId
from knightfall.errors import InputError
from knightfall.mafia.night import NO_RESULT, Fate, Note, Result

_WIDTH = 80


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


def why(name: str, night: NightFile) -> str:
    """The chains about one player as indented lines. Raises InputError for a name that is nobody's."""
    slot = slot_meant(night, name)
    steps = why_steps(slot, night)
    head = f"Night {night.number}, {slot} ({night.roles[slot]}): for the moderator only"
    return "\n".join([head, *map(_line, steps)])


def why_steps(slot: SlotId, night: NightFile) -> tuple[Step, ...]:
    """The same as values: life or death, what was done to him, what he did, what he was told."""
    found = decide(night)
    trace = Trace(night.kind, {note.action: note for note in found.night.trace})
    case = _Case(night, found, slot, trace)
    parts = (_life(case), _state(case), _deeds(case), _told(case), _spent(case))
    return tuple(step for part in parts for step in part)


def _line(step: Step) -> str:
    text = f"{step.text} ({step.ruling})." if step.ruling else f"{step.text}."
    indent = "  " * step.depth
    return fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")


def slot_meant(night: NightFile, name: str) -> SlotId:
    """The living slot that a name means. Raises InputError where it is nobody's, or two are meant."""
    slot = match_name(name, tuple(night.roles), night.names)
    if isinstance(slot, Ambiguous):
        raise InputError(f"“{name}” can be {' or '.join(slot.slots)}.")
    if isinstance(slot, Unknown):
        raise InputError(f"Nobody alive is called “{name}”; alive are {', '.join(night.roles)}.")
    return slot


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
        yield Step(0, f"{head}: it did not get through", _no_result(case))
    elif result.action.ability in ("track", "watch", "stakeout"):
        yield Step(0, head, note.ruling)
        yield from _footsteps(case, result)
    else:
        yield Step(0, f"{head}: {_card(case, result)}", note.ruling)


def _silence(note: Note) -> str:
    if note.fate is Fate.STOOD:
        return "who dies in the night reads no answer"
    return "a check without power, or from jail, brings no message"


def _no_result(case: _Case) -> str:
    return _STOPPED[case.night.kind]


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
