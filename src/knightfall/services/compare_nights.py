"""Compare nights: what would change under another ruling, or if somebody had acted otherwise.

An edit is a sentence: `remove Juniper:protect` (or `remove Juniper` for all of it), `add Ada: track Boro`,
`set em_r3 = snapshot`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.game import Option, SlotId
from knightfall.core.options import choose
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.explain import Words, because, said
from knightfall.mafia.night import Action, Answer, Fate, Note
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
    word,
)
from knightfall.services.night_file import NightFile


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
