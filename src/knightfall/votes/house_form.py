"""What one answer about a house settles, all of it in one form: what eliminates, what players write that is
no known form of a vote, what nobody is called, and whether votes behind a stated deadline count.

Terminal, page and Python ask the same questions: an answer is a word of `house.check_answers`, whoever gives
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from knightfall.models import Roster
from knightfall.names import squash
from knightfall.sentence import Way, sentence
from knightfall.votes.ballots import Frame
from knightfall.votes.config import DEADLINE, DEATHS, NOBODY, NOT
from knightfall.votes.frames import FEWEST, Use, form_used, most_used
from knightfall.votes.known import UNSAID, HouseQuestion, How, Known
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Doubt

FEW = 2
"""So many players call nobody so, or take votes back so."""


def house_questions(
    rule: Rule,
    known: Known,
    day: Day,
    frames: Mapping[Frame, Sequence[Use]],
    roster: Roster,
    doubts: Sequence[Doubt],
    answers: Sequence[str],
) -> tuple[HouseQuestion, ...]:
    """All that can be answered about the house of a thread, by its count: `frames` are those that players
    write and no rule shows, `doubts` the votes that nobody can read, `answers` what was answered before."""
    known_as = rule.death.value
    found = [HouseQuestion("What eliminates?", tuple(DEATHS), known_as, known.how is How.OPEN)]
    late = (DEADLINE, f"{NOT}{DEADLINE}")
    if day.late or day.unsure or not set(late).isdisjoint(answers):
        asked = "Do votes behind the stated deadline count?"
        found.append(HouseQuestion(asked, late, open=bool(day.unsure)))
    found += _of_frames(frames, roster)
    found += _of_nobody(doubts)
    offered = {word for one in found for word in one.answers}
    for word in answers:
        form = word.removeprefix(NOT)
        if ":" in form and form not in offered:
            found.append(HouseQuestion(f"“{form}”", (form, f"{NOT}{form}"), open=False))
    return tuple(_answered(one, answers) for one in found)


def _answered(one: HouseQuestion, answers: Sequence[str]) -> HouseQuestion:
    """A question with the last answer to it."""
    said = next((word for word in reversed(answers) if word in one.answers), None)
    return one if said is None else replace(one, chosen=said, open=False)


def _of_frames(frames: Mapping[Frame, Sequence[Use]], roster: Roster) -> Iterator[HouseQuestion]:
    """A question for each frame that several players write."""
    used: dict[str, list[Use]] = {}
    undoes: set[str] = set()
    for frame, uses in frames.items():
        form = form_used(frame)
        if form is not None:
            used.setdefault(form, []).extend(uses)
            undoes |= {form} if frame.undoes else set()
    for form, uses in used.items():
        people = {slot.name for use in uses if (slot := roster.slot_of(use.voter)) is not None}
        if len(people) >= FEWEST:
            yield HouseQuestion(
                sentence(
                    "{people} players write “{example}” (#{post}): {what}",
                    people=len(people),
                    example=uses[0].text,
                    post=uses[0].post,
                    what="does that take a vote back?" if form in undoes else "is that a vote?",
                ),
                (form, f"{NOT}{form}"),
                unheard=True,
            )


def _of_nobody(doubts: Sequence[Doubt]) -> Iterator[HouseQuestion]:
    """A question for each name of votes which several write, and which may mean no player."""
    called: dict[str, list[Doubt]] = {}
    for doubt in doubts:
        if doubt.name and not doubt.candidates:
            called.setdefault(squash(doubt.name), []).append(doubt)
    for same in called.values():
        people = {doubt.voter for doubt in same}
        if len(people) >= FEW:
            word = f"{NOBODY}{same[0].name.casefold()}"
            yield HouseQuestion(
                sentence(
                    "{people} players vote for “{name}” (#{post}): is that nobody?",
                    people=len(people),
                    name=same[0].name,
                    post=same[0].post,
                ),
                (word, f"{NOT}{word}"),
                unheard=True,
            )


def form_known(
    frames: Mapping[Frame, Sequence[Use]], roster: Roster, voting: Set[str], declined: Set[str], filed: bool
) -> Known:
    """Whether more players write a form that is not known to count than one that does (`voting`): then
    nobody can tell whether these are votes. `filed`: a game file is to say it."""
    seen = most_used(frames, roster, voting, declined)
    if seen is None:
        return UNSAID
    form, first, people = seen
    line = f'forms = ["tag", "bold", "{form}"]'
    no = sentence(". If not: {no}", no=Way("say_house", word=f"{NOT}{form}"))
    said = sentence(
        "{people} players write “{example}” (#{post}): is that a vote? If it is: {yes}{no}",
        people=people,
        example=first.text,
        post=first.post,
        yes=Way("file_line", line=line, table="[rules]") if filed else Way("say_house", word=form),
        no="" if filed else no,
    )
    return Known(How.OPEN, (), said, (said,))
