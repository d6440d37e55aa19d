"""In what does one night differ from another: who dies, what is told, what works, which uses are spent?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from knightfall.app.nights.night_words import deed, not_taken, told, word
from knightfall.app.nights.verdict import INCARCERATED, LOST, POWERED, Verdict
from knightfall.core.game import SlotId
from knightfall.mafia.explain import Words, because, said
from knightfall.mafia.night import Action, Answer, Fate, Note


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
