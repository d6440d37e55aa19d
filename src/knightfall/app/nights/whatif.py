"""What would change if somebody had acted otherwise, or if another ruling held?

An edit is a sentence: `remove Juniper:protect` (or `remove Juniper` for all of it), `add Ada: track Boro`,
`set em_r3 = snapshot`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import fill
from typing import TypeAlias

from knightfall.app.nights.differences import Change, changes
from knightfall.app.nights.night_file import NightFile
from knightfall.app.nights.night_words import means
from knightfall.app.nights.sensitivity import with_option
from knightfall.app.nights.verdict import decide, judge, options_of, standing
from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.game import SlotId
from knightfall.core.options import choose
from knightfall.errors import InputError
from knightfall.mafia.explain import Words, said
from knightfall.mafia.night import Action

NOTHING = "Nothing changes."
_WIDTH = 80
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


def whatif(night: NightFile, edits: Sequence[str]) -> str:
    """What changes, a line each, the gravest first; “Nothing changes.” otherwise.

    Raises InputError where an edit is not understood, names nobody alive, or removes what is not there.
    """
    found = what_changes(night, tuple(parse_edit(night, text) for text in edits))
    return "\n".join(_line(change) for change in found) or NOTHING


def what_changes(night: NightFile, edits: Sequence[Edit]) -> tuple[Change, ...]:
    """The same as values: () where the edits change nothing."""
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


def _line(change: Change) -> str:
    text = f"{change.text} ({change.why})" if change.why else change.text
    return fill(f"{text}.", _WIDTH, subsequent_indent="  ")


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
