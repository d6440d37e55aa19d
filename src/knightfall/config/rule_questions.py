"""The rules that a moderator sets, each declared once: its question, its choices in words, what is usual.

A row for every key of `[rules]` and `[terms]` of a game file. The page asks with it, when a game is hosted
and later; what is answered is checked by the models of the file (`game_file`), and written as they have it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

from pydantic import ValidationError

from knightfall.config.game_file import RULE_TABLES
from knightfall.engine.game import DayRule
from knightfall.engine.spans import EXPECTED, format_span, parse_span
from knightfall.errors import FieldError
from knightfall.votes.ballots import Form
from knightfall.votes.rule import (
    DEFAULT_FORMS,
    FORMS,
    AtDeadline,
    Boundary,
    Death,
    DoubleVoter,
    Edited,
    NeededAtDeadline,
    NoElim,
    Tie,
)

HOW_DAYS_END = "How a day ends"
NOBODY = "No elimination"
VOTES = "What counts as a vote"
SILENCE = "Who is silent"
WORDS = "Words in posts"
GROUPS = (HOW_DAYS_END, NOBODY, VOTES, SILENCE, WORDS)
"""Heads over the questions, in their order."""
MOST_VOTES = 30
"""Fixed numbers of votes are offered up to this one; a file may have more."""


class Widget(Enum):
    """How a question is answered."""

    CHOICE = "choice"
    NUMBER = "number"
    SPAN = "span"
    WORDS = "words"
    SEVERAL = "several"
    """Any of its choices."""
    DAYS = "days"
    """Numbers of days."""


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A key of a table of the game file as a moderator is asked for it. `choices` are values as the file has
    them, with their words; `hint` says how to answer; `lead` stands before the answer in the sentence of its
    group ("": it is not in that)."""

    table: str
    key: str
    group: str
    question: str
    widget: Widget
    choices: tuple[tuple[Any, str], ...] = ()
    hint: str = ""
    lead: str = ""

    @property
    def field(self) -> str:
        """What its field is called in a form."""
        return f"{self.table}.{self.key}"

    def usual(self, game: DayRule | None) -> Any:
        """The value that holds where the file says nothing, by the game's own rule for days."""
        if game is not None and self.table == "rules" and self.key in ("death", "tie"):
            return game.death if self.key == "death" else game.tie
        return _plain(RULE_TABLES[self.table].model_fields[self.key].get_default())

    def written(self, value: Any) -> str:
        """A value as a form sends it."""
        if value is None:
            return ""
        if self.widget is Widget.DAYS:
            return ", ".join(map(str, value))
        return value if isinstance(value, str) else json.dumps(value)

    def offered(self, value: Any) -> tuple[tuple[str, str], ...]:
        """Each choice as a form sends it with its words; a value of the file that is none is kept as one."""
        own = value if self.widget is Widget.SEVERAL and value is not None else ()
        more = own if self.widget is Widget.SEVERAL else (value,)
        known = [one for one, _ in self.choices]
        others = ((one, self._own_words(one)) for one in more if one not in known)
        return tuple((self.written(one), words) for one, words in (*self.choices, *others))

    def _own_words(self, value: Any) -> str:
        return f"{value} votes" if isinstance(value, int) else f"your own: {value}"

    def said(self, value: Any) -> str:
        """A value in words."""
        if value is None or value in ((), []):
            return "not set"
        if self.widget is Widget.SEVERAL:
            return "; ".join(words for one, words in self.offered(value) if one in value)
        if self.widget is Widget.CHOICE:
            return dict(self.offered(value))[self.written(value)]
        if self.widget is Widget.SPAN:
            return format_span(parse_span(str(value)).total)
        return self.written(value)

    def parsed(self, said: Sequence[str]) -> Any:
        """The value of what a form sent, as the file has it; None: the key is left out.

        Raises FieldError for what cannot stand in the file.
        """
        typed = [one.strip() for one in said if one.strip()]
        if not typed:
            return None
        value = self._value_of(typed)
        try:
            RULE_TABLES[self.table].model_validate({self.key: value})
        except ValidationError as fault:
            raise self._refused(typed[0], _expected(fault)) from None
        return value

    def _value_of(self, typed: Sequence[str]) -> Any:
        match self.widget:
            case Widget.SEVERAL:
                return list(typed)
            case Widget.CHOICE:
                chosen = {self.written(value): value for value, _ in self.choices}
                return chosen.get(typed[0], int(typed[0]) if typed[0].isdecimal() else typed[0])
            case Widget.NUMBER:
                if not typed[0].isdecimal() or len(typed[0]) > 6:
                    raise self._refused(typed[0], "a number")
                return int(typed[0])
            case Widget.DAYS:
                numbers = typed[0].replace(",", " ").split()
                if not all(one.isdecimal() and len(one) < 4 for one in numbers):
                    raise self._refused(typed[0], "numbers of days, such as 4, 5")
                return [int(one) for one in numbers]
            case Widget.SPAN:
                try:
                    return _short_span(typed[0])
                except ValueError:
                    raise self._refused(typed[0], EXPECTED) from None
            case Widget.WORDS:
                return typed[0]

    def _refused(self, found: str, expected: str) -> FieldError:
        return FieldError(f"{self.question} Found “{found}”, expected {expected}.", self.field)


def _short_span(said: str) -> str:
    """A span in the short form that the file keeps to. Raises ValueError."""
    span = parse_span(said).total
    for unit, letter in ((timedelta(days=1), "d"), (timedelta(hours=1), "h"), (timedelta(minutes=1), "m")):
        number, rest = divmod(span, unit)
        # “48h” stays hours: days begin where half of a day more would not be whole.
        if not rest and 1 <= number <= 9999 and (letter != "d" or number >= 7):
            return f"{number}{letter}"
    raise ValueError(EXPECTED)


def _expected(fault: ValidationError) -> str:
    """What the model of the file wanted."""
    found = fault.errors()[0]
    said = str(found.get("ctx", {}).get("expected") or found["msg"])
    return said.removeprefix("Value error, ").removeprefix("Input should be ")


def _plain(value: Any) -> Any:
    """A value of a model as a file has it."""
    return value.value if isinstance(value, Enum) else value


def _rule(
    key: str,
    group: str,
    question: str,
    widget: Widget,
    *choices: tuple[Any, str],
    hint: str = "",
    lead: str = "",
) -> RuleQuestion:
    return RuleQuestion("rules", key, group, question, widget, choices, hint, lead)


def _word(
    key: str, question: str, widget: Widget, *choices: tuple[Any, str], hint: str = "", lead: str = ""
) -> RuleQuestion:
    return RuleQuestion("terms", key, WORDS, question, widget, choices, hint, lead)


_YES, _NO = (True, "yes"), (False, "no")
_MAJORITY = "more than half of the living"

QUESTIONS: tuple[RuleQuestion, ...] = (
    _rule(
        "death",
        HOW_DAYS_END,
        "What eliminates a player?",
        Widget.CHOICE,
        (Death.MAJORITY.value, "enough votes, at once (a hammer)"),
        (Death.PLURALITY.value, "the most votes, at the deadline"),
        (Death.BOTH.value, "enough votes at once, else the most votes at the deadline"),
        lead="what eliminates is",
    ),
    _rule(
        "needed",
        HOW_DAYS_END,
        "How many votes are enough?",
        Widget.CHOICE,
        ("half_plus_one", _MAJORITY),
        (
            {"at_deadline": NeededAtDeadline.HALF_ROUNDED_UP.value},
            f"{_MAJORITY}; at the deadline half as many are enough",
        ),
        ("of_votes_cast", f"{_MAJORITY}; at the deadline more than half of the votes given"),
        *((number, f"{number} votes") for number in range(2, MOST_VOTES + 1)),
        lead="enough is",
    ),
    _rule(
        "at_deadline",
        HOW_DAYS_END,
        "And if nobody has enough votes at the deadline?",
        Widget.CHOICE,
        (AtDeadline.ASK.value, "I decide each time, and say why"),
        (AtDeadline.NOBODY.value, "nobody is eliminated"),
        (AtDeadline.MOST.value, "the player with the most votes is eliminated"),
        lead="without that, at the deadline",
    ),
    _rule(
        "minimum_votes",
        HOW_DAYS_END,
        "How many votes does the leader need at the deadline, at least?",
        Widget.NUMBER,
    ),
    _rule(
        "tie",
        HOW_DAYS_END,
        "What happens in a tie at the deadline?",
        Widget.CHOICE,
        (Tie.NO_ELIMINATION.value, "nobody is eliminated"),
        (Tie.RANDOM.value, "one of the tied is drawn by lot"),
        (Tie.FIRST_TO_REACH.value, "who had that many votes first is eliminated"),
        (Tie.LONGEST_HELD.value, "who has had that many votes the longest is eliminated"),
        (Tie.ANTI_TOWN.value, "it goes against the town, by lot among those it needs most"),
        (Tie.ALL.value, "all tied players are eliminated"),
        (Tie.ASK.value, "I decide each time"),
        lead="in a tie",
    ),
    _rule(
        "eliminations",
        HOW_DAYS_END,
        "How many players can be eliminated in a day?",
        Widget.NUMBER,
    ),
    _rule(
        "majority_from_day",
        HOW_DAYS_END,
        "From which day on do enough votes end the day at once?",
        Widget.NUMBER,
        hint="On the days before it the most votes decide.",
    ),
    _rule(
        "boundary",
        HOW_DAYS_END,
        "Which post is the last that counts, with a deadline at 20:00?",
        Widget.CHOICE,
        (Boundary.BEFORE.value, "one of 19:59:59"),
        (Boundary.SECOND.value, "one of 20:00:00, to the second"),
        (Boundary.MINUTE.value, "one of 20:00:59, in the same minute"),
        (Boundary.UNTIL_LOCK.value, "the last one before I lock the thread"),
        lead="the last post before 20:00 is",
    ),
    _rule(
        "no_elimination",
        NOBODY,
        "Can players vote that nobody is eliminated?",
        Widget.CHOICE,
        (NoElim.VOTABLE.value, "yes, with as many votes as for a player"),
        (NoElim.ONE_FEWER.value, "yes, and half of the living are enough"),
        (NoElim.NO.value, "no"),
        lead="a vote that nobody is eliminated counts:",
    ),
    _rule(
        "forms",
        VOTES,
        "How is a vote written?",
        Widget.SEVERAL,
        *(
            (form.value, FORMS.get(form, "an empty vote tag takes the vote back"))
            for form in Form
            if form is not Form.HOUSE
        ),
        hint="None ticked: as it is usual on your site.",
    ),
    _rule(
        "unvote_first",
        VOTES,
        "Must players unvote before they vote for somebody else?",
        Widget.CHOICE,
        _NO,
        _YES,
        lead="unvote before the next vote:",
    ),
    _rule(
        "self_vote",
        VOTES,
        "Can players vote for themselves?",
        Widget.CHOICE,
        _YES,
        _NO,
        lead="votes for oneself:",
    ),
    _rule(
        "edited",
        VOTES,
        "What becomes of a vote in a post that was edited?",
        Widget.CHOICE,
        (Edited.FLAG.value, "I look at each one"),
        (Edited.VOID.value, "it does not count"),
        (Edited.ACCEPT.value, "it counts as it reads after the edit"),
        lead="with a vote in an edited post:",
    ),
    _rule("votes_per_player", VOTES, "How many votes has each player?", Widget.NUMBER),
    _rule(
        "double_voter",
        VOTES,
        "What can a player with two votes do?",
        Widget.CHOICE,
        (DoubleVoter.WEIGHT.value, "each of their votes counts twice"),
        (DoubleVoter.TWO_TARGETS.value, "vote for two players"),
        (DoubleVoter.X2.value, "vote for two, or put both on one with “x2”"),
    ),
    _rule(
        "show_weights",
        VOTES,
        "Does the votecount show who has two votes, or none?",
        Widget.CHOICE,
        ("hidden", "no"),
        ("open", "yes"),
    ),
    _rule(
        "max_changes",
        VOTES,
        "How often may a player change their vote in a day?",
        Widget.NUMBER,
        hint="Empty: as often as they like.",
    ),
    _rule(
        "locked_at",
        VOTES,
        "On which days can a vote not be changed?",
        Widget.DAYS,
        hint="Numbers of days, such as 4, 5. Empty: on none.",
    ),
    _rule(
        "prod_after",
        SILENCE,
        "After how much silence is a prod due?",
        Widget.SPAN,
        hint="Such as 48h or 2 days. Empty: nobody is prodded.",
        lead="a prod is due after silence of",
    ),
    _rule(
        "prod_grace",
        SILENCE,
        "How long after a prod is the next one due?",
        Widget.SPAN,
        hint="Such as 24h. Empty: one prod only.",
    ),
    _rule(
        "max_prods",
        SILENCE,
        "After how many prods is a player replaced?",
        Widget.NUMBER,
        hint="Empty: no limit.",
    ),
    _rule(
        "weekends",
        SILENCE,
        "Do Saturday and Sunday count as silence?",
        Widget.CHOICE,
        ("count", "yes"),
        ("skip", "no"),
        lead="weekends count:",
    ),
    _word(
        "eliminate",
        "What does the town do with who is voted out?",
        Widget.WORDS,
        hint="A verb, such as eliminate, execute or banish.",
        lead="posts call it",
    ),
    _word("no_elimination", "What is it called when nobody is?", Widget.WORDS),
    _word(
        "closeness",
        "How is it written that one vote is missing?",
        Widget.CHOICE,
        ("E", "E-1"),
        ("L", "L-1"),
        lead="one vote short is",
    ),
    _word(
        "closeness_from",
        "With how many votes missing is that first written?",
        Widget.NUMBER,
        hint="0: never.",
    ),
)
"""Every rule that a moderator sets, in the order in which they are asked."""

BY_FIELD: Mapping[str, RuleQuestion] = {one.field: one for one in QUESTIONS}


def asked_of(game: DayRule | None) -> tuple[RuleQuestion, ...]:
    """The questions that a game leaves open, by its own rule for days (None: none are voted on)."""
    if game is None:
        return ()
    return tuple(one for one in QUESTIONS if one.table != "rules" or one.key not in game.fixed)


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """A question with the value that holds; `given`: the file says it; `usual` is what else would hold."""

    question: RuleQuestion
    value: Any
    usual: Any
    given: bool

    @property
    def said(self) -> str:
        """The value in words."""
        return self.question.said(self.value)

    @property
    def written(self) -> str:
        """The value as a form sends it."""
        return self.question.written(self.value)

    @property
    def offered(self) -> tuple[tuple[str, str, bool, bool], ...]:
        """Each choice: as a form sends it, its words, whether it holds, whether it is usual."""
        several = self.question.widget is Widget.SEVERAL
        held = {self.question.written(one) for one in self.value or ()} if several else {self.written}
        usual = set() if several else {self.question.written(self.usual)}
        return tuple(
            (written, words, written in held, written in usual)
            for written, words in self.question.offered(self.value)
        )


def answers_in(file: Mapping[str, Any], game: DayRule | None) -> tuple[RuleAnswer, ...]:
    """What holds by the tables of a game file, question by question."""
    found = list[RuleAnswer]()
    for one in asked_of(game):
        table = file.get(one.table)
        given = isinstance(table, Mapping) and one.key in table
        usual = one.usual(game)
        value = table[one.key] if given and isinstance(table, Mapping) else usual
        found.append(RuleAnswer(one, value, usual, given))
    return tuple(found)


def grouped(answers: Iterable[RuleAnswer]) -> tuple[tuple[str, tuple[RuleAnswer, ...]], ...]:
    """The answers under the heads of their groups."""
    kept = tuple(answers)
    rows = ((name, tuple(one for one in kept if one.question.group == name)) for name in GROUPS)
    return tuple((name, group) for name, group in rows if group)


def parse_rules(said: Mapping[str, Sequence[str]], game: DayRule | None) -> dict[str, dict[str, Any]]:
    """The tables of a game file by what a form sent of each question, `RuleQuestion.field` → what was sent;
    what holds anyhow is left out, and so is what was not sent. Raises FieldError."""
    tables: dict[str, dict[str, Any]] = {}
    for one in asked_of(game):
        value = one.parsed(said.get(one.field, ()))
        if value is not None and value != one.usual(game) and not _as_ever(one, value):
            tables.setdefault(one.table, {})[one.key] = value
    return tables


def _as_ever(question: RuleQuestion, value: Any) -> bool:
    """Whether an empty list, or the forms of every site, were chosen."""
    forms: Collection[str] = {form.value for form in DEFAULT_FORMS.accepted}
    return value == [] or (question.key == "forms" and set(value) == forms)
