"""Why a night came out as it did, what it hangs on, and what would be different with other orders or rulings.

Every question is asked of a night with what stands in it, or of a night that is written down in a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from knightfall.engine.game import Event, announced, choose, noted
from knightfall.engine.what_if import (
    NIGHT_FORMS,
    Add,
    Change,
    Choose,
    Dependence,
    Edit,
    Remove,
    Step,
    WhatIf,
    Why,
    parse_edit,
)
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.ability_row import SIGHTS, Effect
from knightfall.mafia.decide import (
    PendingNight,
    Refused,
    chosen,
    decide,
    not_taken,
    pending_night,
    standing,
    told,
    with_line,
    with_option,
    without,
)
from knightfall.mafia.events import CautionNote, Dawn, EarlyClosing, NightSheet
from knightfall.mafia.explain import Words, because, deed, means, said, word
from knightfall.mafia.night import JOINED, NO_RESULT, PARTED, Action, Answer, Fate, Note, Result
from knightfall.mafia.night_file import DecidedNight, NightFile
from knightfall.mafia.trace import Trace
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId, joined, sentence


@dataclass(frozen=True, slots=True)
class NightReport:
    """What a mafia game knows of a night beyond its texts: the moderator's `sheet`, the `causes` of death
    that the dawn tells, `cautions` beside those of the sheet; `depends` are the options on which it hangs."""

    sheet: NightSheet
    causes: Mapping[SlotId, str]
    cautions: tuple[CautionNote, ...]
    depends: tuple[Dependence, ...]


def report(night: NightFile | PendingNight, events: Iterable[Event]) -> NightReport | None:
    """What is known of a night beyond the texts of `events`, to which closing it leads; None where these ask
    the moderator something first. That it is closed before its time is no word about the night."""
    found, events = pending_night(night), tuple(events)
    sheets = [one.facts for one in (*found.cautions, *noted(events))]
    sheet = next((one for one in sheets if isinstance(one, NightSheet)), None)
    if sheet is None:
        return None
    dawns = (one.facts for one in announced(events) if isinstance(one.facts, Dawn))
    return NightReport(
        sheet,
        {death.name: death.cause for dawn in dawns for death in dawn.deaths if death.cause},
        tuple(one for one in sheets if isinstance(one, CautionNote) and not isinstance(one, EarlyClosing)),
        sensitivity(found),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """One player's night; what `trace` has told once is not told again."""

    night: PendingNight
    found: DecidedNight
    slot: SlotId
    trace: Trace


def why(name: str, night: NightFile | PendingNight) -> Why:
    """Explain one player's night. Raises InputError for a name that is nobody's, DecisionNeeded where only
    the moderator can decide the night."""
    found = pending_night(night)
    slot = _living(found, name)
    steps = why_steps(slot, found)
    return Why(sentence("Night {number}", number=found.number), slot, found.roles[slot], found.number, steps)


def why_steps(slot: SlotId, night: NightFile | PendingNight) -> tuple[Step, ...]:
    """Life or death, what was done to the player, what they did, what they were told."""
    asked = pending_night(night)
    found = decide(asked)
    trace = asked.game.trace(found.words, found.night, asked.roles)
    case = _Case(asked, found, slot, trace)
    parts = (_life(case), _state(case), _deeds(case), _told(case), _spent(case))
    return tuple(step for part in parts for step in part)


def _life(case: _Case) -> Iterator[Step]:
    """Every kill aimed at the player, landed or not."""
    for toll, verb in ((case.found.night.deaths, "died"), (case.found.night.survived, "lived")):
        for attacks in (death.attacks for death in toll if death.slot == case.slot):
            yield Step(0, sentence("{slot} {verb}", slot=case.slot, verb=verb))
            yield from _chains(case, attacks, 1)
            return
    yield Step(0, sentence("{slot} lived: nobody tried to kill {slot}", slot=case.slot))


def _chains(case: _Case, notes: tuple[Note, ...], depth: int = 0) -> Iterator[Step]:
    for note in notes:
        yield from case.trace.tell(note, depth)


def _state(case: _Case) -> Iterator[Step]:
    """Who held them, and the states that only this game knows."""
    words = case.found.words
    marked = case.night.game.file_marks_of(case.night.state)
    behind = frozenset[str]().union(*(mark.behind for mark in words.marks))
    held = words.having(Effect.HOLDS) - behind
    yield from _chains(case, case.trace.standing_at(case.slot, held))
    for mark in words.marks:
        before = marked.get(mark.before, frozenset())
        if case.slot in case.found.marks.get(mark.name, frozenset()) - before:
            yield Step(0, sentence("{slot} {was}", slot=case.slot, was=mark.was), mark.ruling)
            yield from _chains(case, case.trace.standing_at(case.slot, mark.behind), 1)


def _deeds(case: _Case) -> Iterator[Step]:
    own = tuple(note for note in case.found.night.trace if note.action.actor == case.slot)
    yield from _chains(case, own)
    refused = [not_taken(*item) for item in case.found.refused if item[0] == case.slot]
    yield from (Step(0, text) for text in refused)
    if not own and not refused:
        # What they sent may be taken back, or a partner's message took its place.
        did = "did" if case.slot in case.night.senders else "sent"
        yield Step(0, sentence("{slot} {did} nothing", slot=case.slot, did=did))


def _told(case: _Case) -> Iterator[Step]:
    for result in case.found.night.results:
        if result.action.actor == case.slot:
            yield from _answered(case, result)


def _answered(case: _Case, result: Result) -> Iterator[Step]:
    """The answer, and what it rests on; why a check was stopped stands with the action."""
    head = sentence(
        "{slot} was told “{told}” for {notation}",
        slot=case.slot,
        told=told(result.answer),
        notation=case.found.words.notation(result.action),
    )
    note = case.trace.notes[result.went or result.action]
    if result.answer is None:
        clause, ruling = case.trace.silence(note)
        yield Step(0, sentence("{head}: {clause}", head=head, clause=clause), ruling)
    elif result.answer == NO_RESULT:
        yield Step(0, sentence("{head}: it did not get through", head=head), case.trace.stopped_ruling)
    elif not result.reason and result.action.ability in case.found.words.having(*SIGHTS):
        yield Step(0, head, note.ruling)
        yield from _footsteps(case, result)
    elif result.answer in (JOINED, PARTED):
        yield Step(0, head, note.ruling)
    else:
        text = sentence("{head}: {because}", head=head, because=case.trace.answer(result))
        yield Step(0, text, result.ruling or note.ruling)
        if result.cause is not None and result.cause in case.trace.notes:
            yield from case.trace.tell(case.trace.notes[result.cause], 1)


_OF_THEIRS = frozenset({Effect.FOLLOWS, Effect.SEES_DEEDS})
_TO_THEM = frozenset({Effect.WATCHES, Effect.SEES_DONE})
"""What answers about a player's own actions, and about those of others on them."""


def _footsteps(case: _Case, result: Result) -> Iterator[Step]:
    """Each action that was seen, and each that was not, of or on the one who was watched."""
    words = case.found.words
    target, effects = result.reached, words.abilities[result.action.ability].effects
    for note in case.found.night.trace:
        action = note.action
        went = not effects.isdisjoint(_OF_THEIRS) and action.actor == target
        came = not effects.isdisjoint(_TO_THEM) and target in action.targets and action.actor != case.slot
        row = words.abilities[action.ability]
        walked = action.targets and (row.lines or Effect.KILLS not in row.effects)
        if not (went or came) or not walked or note.fate is Fate.REJECTED:
            continue
        if "invisible" in action.options:
            yield Step(1, sentence("{deed} was invisible", deed=deed(words, action)), "EM-R14")
        elif _was_visit(case, note):
            yield Step(1, sentence("{deed} was seen", deed=deed(words, action)), case.trace.visit_ruling)
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
        yield Step(0, sentence("{slot} used: {said}", slot=case.slot, said=said))


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
        yield Change(sentence("{slot} dies", slot=slot), _blows(after.words, now[slot].attacks))
    saved = {death.slot: death for death in after.night.survived}
    for slot in sorted(then.keys() - now.keys()):
        attacks = saved[slot].attacks if slot in saved else ()
        yield Change(sentence("{slot} lives", slot=slot), _blows(after.words, attacks) or "no kill")


def _blows(words: Words, attacks: Iterable[Note]) -> str:
    return joined("; ", (joined(": ", (said(words, one.action), because(words, one))) for one in attacks))


def _marks(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    for mark in after.words.marks:
        then, now = before.marks.get(mark.name, frozenset()), after.marks.get(mark.name, frozenset())
        yield from (Change(joined(" ", (slot, mark.gained))) for slot in sorted(now - then))
        yield from (Change(joined(" ", (slot, mark.missing))) for slot in sorted(then - now))


def _results(before: DecidedNight, after: DecidedNight, known: Collection[Action]) -> Iterator[Change]:
    then, now, notation = _answers(before), _answers(after), after.words.notation
    for action in sorted(now):
        if action not in then or then[action] != now[action]:
            text = sentence(
                "{actor} is told “{told}” ({notation})",
                actor=action.actor,
                told=told(now[action]),
                notation=notation(action),
            )
            yield Change(
                sentence("{text} instead of “{told}”", text=text, told=told(then[action]))
                if action in then
                else text
            )
    for action in sorted(then.keys() - now.keys() - set(known)):
        yield Change(
            sentence("{actor} has no answer to {notation}", actor=action.actor, notation=notation(action))
        )


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
            yield Change(joined(" ", (deed(after.words, action), _NOW[note.fate])), why)
        elif (old.fate, old.reason) != (note.fate, note.reason):
            yield Change(
                joined(" ", (deed(after.words, action), _NOW[note.fate])),
                sentence("{why}; before: {because}", why=why, because=because(before.words, old)),
            )
    for action in then:
        if action not in now and action not in known:
            yield Change(sentence("{deed} does not happen", deed=deed(before.words, action)))


def _shots(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    """Uses of what is limited in both; an ability that an option makes unlimited spends nothing."""
    then, now = _uses(before), _uses(after)
    for slot, ability in sorted((then.keys() | now.keys()) - before.unlimited - after.unlimited):
        old, new = then.get((slot, ability), 0), now.get((slot, ability), 0)
        if old != new:
            yield Change(
                sentence(
                    "{slot} {spends} {word}",
                    slot=slot,
                    spends=_spends(old, new),
                    word=word(after.words, ability),
                )
            )


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


# ── What a night hangs on, and what edits change. ───────────────────────────────────────────────────────────


def sensitivity(
    night: NightFile | PendingNight, decided: DecidedNight | None = None
) -> tuple[Dependence, ...]:
    """Every flip of one option that changes the outcome; `decided` spares deciding the night as it is."""
    asked = pending_night(night)
    before = decided or decide(asked)
    return tuple(
        Dependence(option, value, found)
        for option in asked.game.night_options
        for value in option.values
        if value != chosen(asked, option)
        and (found := _changes(before, with_option(asked, option.name, value)))
    )


def _changes(before: DecidedNight, other: PendingNight) -> tuple[Change, ...]:
    """A night that only the moderator could decide is different, whatever they would say."""
    try:
        return changes(before, decide(other))
    except DecisionNeeded:
        return (Change("the night waits for your ruling on a ring of actions"),)


class EditedNight(NamedTuple):
    """A night under edits; `gone` are the actions that they took out, `refused` the added lines that the game
    did not take."""

    night: PendingNight
    gone: frozenset[Action] = frozenset()
    refused: tuple[Refused, ...] = ()


def whatif(night: NightFile | PendingNight, edits: Sequence[str]) -> WhatIf:
    """Decide a night again under edits.

    Raises InputError where an edit is not understood, names nobody alive, or removes what is not there;
    DecisionNeeded where only the moderator can say what comes of the night.
    """
    asked = pending_night(night)
    living = tuple(asked.roles)
    changed = edited(asked, tuple(parse_edit(text, living, asked.names, NIGHT_FORMS) for text in edits))
    return WhatIf(compare(asked, changed), refused=changed.refused)


def edited(night: PendingNight, edits: Sequence[Edit]) -> EditedNight:
    """The night under edits: options first, then in their order what is added, as the game itself takes it,
    and what is taken out. Raises InputError as `whatif`."""
    for edit in edits:
        if isinstance(edit, Choose):
            value = choose("This game", night.game.night_options, {edit.option: edit.value})[edit.option]
            night = with_option(night, edit.option, value)
    gone: set[Action] = set()
    refused: list[Refused] = []
    for edit in edits:
        if isinstance(edit, Add):
            known = len(night.refused)
            night = with_line(night, _living(night, edit.name), edit.line)
            refused += night.refused[known:]
        elif isinstance(edit, Remove):
            found = _meant(night, _living(night, edit.name), edit.line)
            night = without(night, found)
            gone.update(found)
    return EditedNight(night, frozenset(gone), tuple(refused))


def compare(before: PendingNight, after: EditedNight) -> tuple[Change, ...]:
    """What is different after edits, the gravest first; () where nothing is."""
    one, other = decide(before), decide(after.night)
    return (*changes(one, other, after.gone), *_free(one, other))


def _free(before: DecidedNight, after: DecidedNight) -> Iterator[Change]:
    """Whose use of tonight is no longer counted. It is what was asked for, so that no night hangs on it."""
    for slot, ability in sorted(_uses(before).keys() & after.unlimited - before.unlimited):
        yield Change(
            sentence(
                "{slot} spends no shot of {word}: there is no end of them",
                slot=slot,
                word=word(after.words, ability),
            )
        )


def _living(night: PendingNight, written: str) -> SlotId:
    """The living slot that a name means; two hits are never guessed."""
    living = tuple(night.roles)
    names = {name: slot for name, slot in night.names.items() if slot in living}
    slot = match_name(written, living, names)
    if isinstance(slot, Ambiguous):
        raise InputError(f"“{written}” can be {' or '.join(slot.slots)}.")
    if isinstance(slot, Unknown):
        raise InputError(f"No living player is called “{written}”. Alive: {', '.join(living)}.")
    return slot


def _meant(night: PendingNight, slot: SlotId, written: str) -> tuple[Action, ...]:
    """The actions of a slot that are called so ("": all). Raises InputError where there are none."""
    words = night.game.words
    own = [action for action in standing(night) if action.actor == slot]
    found = tuple(action for action in own if not written or means(words, written, action))
    if not found:
        stands = joined(", ", (said(words, action) for action in own)) or "nothing"
        raise InputError(f"{slot} has no “{written}” to remove. Planned for {slot}: {stands}.")
    return found
