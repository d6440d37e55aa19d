"""The house: the rule of voting as its moderator states it in the thread, where no game file does.

`sayings` reads one post, `house_of` makes a house of what all posts said until the game was on: the last
statement on a subject holds, and before all of them a rule in its own sentences, as the rules post tells it.
What the moderator answered about the house comes before everything; what is stated and no count can follow is
told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from knightfall.errors import InputError
from knightfall.names import Names, squash
from knightfall.reading.house_rules import NOT_APPLIED, HouseRule, Subject, marks_of, rules_of
from knightfall.reading.share import Share
from knightfall.sentence import Sentence, Way, sentence
from knightfall.votes.ballots import FORM_OF, Form, Forms, Frame, Mark, parse_forms
from knightfall.votes.config import DEATHS, NOT
from knightfall.votes.frames import Shown, Use, form_of, is_known, shown_in, taken_back_in
from knightfall.votes.rule import AtDeadline, Death, NoElim, Rule, RuleTold, Tie, rule_told

LONGEST_SAID = 160
"""Letters of a statement that are repeated."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What a sentence of a moderator's post states of a subject; `value` is a form, a tie, a number, an
    address, where the subject has one, `rule` the whole rule where the post tells that."""

    subject: Subject
    words: str
    value: str = ""
    rule: RuleTold | None = None

    @property
    def quoted(self) -> str:
        """The words, as far as they are repeated."""
        return self.words if len(self.words) <= LONGEST_SAID else f"{self.words[:LONGEST_SAID].rstrip()}…"


def sayings(lines: Sequence[str], names: Names) -> Iterator[Saying]:
    """What the lines of a moderator's post state of the house, in their order; of one that tells the rule in
    its own sentences that rule."""
    told = rule_told(lines)
    if told is not None:
        yield Saying(Subject.RULE, "", rule=told)
        return
    yield from map(_saying, rules_of(lines, names))


def standing(lines: Iterable[str], names: Names) -> Iterator[Saying]:
    """What the lines of a moderator's post of any time say of the votes of, or against, somebody."""
    yield from map(_saying, marks_of(lines, names))


def _saying(one: HouseRule) -> Saying:
    return Saying(one.subject, one.words, one.value)


# ---- The house


@dataclass(frozen=True, slots=True)
class House:
    """The rule of a house and what it rests on.

    `nobody` are its own words for no elimination, squashed: “no eject” where it takes so many “to eject”.
    `death` is the post that states what eliminates (None: none does), `answered` whether the moderator did.
    `elsewhere` is the address of the thread in which votes are made ("" where none is told), None where that
    is this one. `said` tells all that was stated, a sentence each, `untold` what of it no count follows, and
    `marks` from which post on the votes of somebody, or those against them, count otherwise. `tie_said`:
    somebody told what a tie does. `numbered`: votes name players by their numbers.
    """

    rule: Rule
    nobody: frozenset[str] = frozenset()
    death: int | None = None
    answered: bool = False
    elsewhere: str | None = None
    said: tuple[Sentence, ...] = ()
    untold: tuple[Sentence, ...] = ()
    tie_said: bool = True
    numbered: bool = False
    marks: tuple[PlayerMark, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerMark:
    """From a post on the vote of somebody weighs so much (None: as before), or it takes so many votes
    more."""

    name: str
    post: int
    weight: int | None = None
    needed_delta: int | None = None


Stated: TypeAlias = Sequence[tuple[int, tuple[Saying, ...]]]
"""Posts by their numbers, in order, and what each states."""
HERE = "here"
"""The answer that votes are made in this thread."""


def check_answers(words: Iterable[str]) -> tuple[str, ...]:
    """What a moderator answers about a house, checked: what eliminates, “here”, or forms of a vote. Raises
    InputError for another word."""
    chosen = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    for word in chosen:
        if word not in DEATHS and word != HERE:
            try:
                parse_forms([word.removeprefix(NOT)])
            except InputError as fault:
                known = ", ".join((*DEATHS, HERE))
                raise InputError(f"{fault} What eliminates, or where votes are made: {known}.") from None
    return chosen


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in frames in the players' posts, what the moderator's rules show of such, and the names of
    those who play."""

    frames: Mapping[Frame, tuple[Use, ...]]
    shown: Shown = field(default_factory=Shown)
    names: Names = field(default_factory=lambda: Names(()))


UNWRITTEN = Written({})


def house_of(told: Stated, rule: Rule, answers: Iterable[str] = (), written: Written = UNWRITTEN) -> House:
    """The house by what the moderator's posts said, in their order, by what was answered, and by what players
    write as the rules show it; `rule` holds where nobody said anything."""
    answered = tuple(answers)
    said: list[Sentence] = []
    nobody: set[str] = set()
    ours = next(((at, one.rule) for at, each in reversed(told) for one in each if one.rule), None)
    if ours is not None:
        # The sentences tell all of it; where votes are made is the one thing that other posts add.
        rule = _as_told(ours[1], rule)
        nobody.add(squash(ours[1].nobody))
        told = [(at, tuple(one for one in each if one.subject is Subject.ELSEWHERE)) for at, each in told]
        said.append(_rule_sentence(ours[0], rule.death))
    death, post, by_answer = _death(told, answered)
    if ours is not None and not by_answer:
        post = ours[0]
    if death is not None:
        rule = replace(rule, death=death)
        if post is not None:
            said.append(_death_sentence(death, *_last(told, _OF_DEATH[death])))
    for change, spoken in _changes(told):
        rule = replace(rule, **change)
        said.append(spoken)
    forms, spoken_forms = _forms(told, rule.forms, answered, written)
    rule = replace(rule, forms=forms)
    verbs = (one.value for _, each in told for one in each if one.subject is Subject.VERB)
    nobody.update(squash(f"no{verb}") for verb in verbs)
    ties = [one for _, each in told for one in each if one.subject is Subject.TIE]
    elsewhere = [(at, one) for at, each in told for one in each if one.subject in _NOT_HERE]
    away = bool(elsewhere) and HERE not in answered
    if away:
        said.append(_elsewhere_sentence(*elsewhere[-1]))
    return House(
        rule,
        frozenset(nobody),
        post,
        by_answer,
        elsewhere[-1][1].value if away else None,
        (*said, *spoken_forms),
        tuple(_untold(told)),
        ours is not None or (bool(ties) and ties[-1].value in _TIES),
        any(one.subject is Subject.BY_NUMBER for _, each in told for one in each),
        tuple(_player_marks(told)),
    )


_NOT_HERE = (Subject.ELSEWHERE, Subject.PRIVATE)
_TIES = {tie.value for tie in Tie}


def _untold(told: Stated) -> Iterator[Sentence]:
    """A sentence for each statement that no count follows."""
    for post, each in told:
        for one in each:
            unknown_tie = one.subject is Subject.TIE and one.value not in _TIES
            if one.subject in NOT_APPLIED or unknown_tie:
                yield sentence(
                    "The rules in post #{post} say what this count does not apply: “{said}”",
                    post=post,
                    said=one.quoted,
                )


def _player_marks(told: Stated) -> Iterator[PlayerMark]:
    """From which post on the votes of somebody, or those against them, count otherwise."""
    for post, each in told:
        for one in each:
            name, _, number = one.value.rpartition("=")
            if one.subject is Subject.WEIGHT:
                yield PlayerMark(name, post, weight=int(number))
            elif one.subject is Subject.SHIFT:
                yield PlayerMark(name, post, needed_delta=int(number))


def _as_told(told: RuleTold, usual: Rule) -> Rule:
    """The rule that its sentences tell, with what they leave out of the forms of a vote: an empty tag, a form
    of the game's own."""
    forms, before = told.rule.forms, usual.forms
    if told.own_form:
        return replace(told.rule, forms=replace(before, accepted=before.accepted | forms.accepted))
    accepted = forms.accepted | (before.accepted & {Form.EMPTY_TAG})
    return replace(told.rule, forms=replace(forms, accepted=accepted))


def _rule_sentence(post: int, death: Death) -> Sentence:
    other = Death.PLURALITY if death is Death.MAJORITY else Death.MAJORITY
    return sentence(
        "Votes count by the rules in post #{post}. If it is otherwise: {answer}",
        post=post,
        answer=Way("say_house", word=other.value),
    )


_OF_DEATH = {
    Death.MAJORITY: (Subject.MAJORITY,),
    Death.PLURALITY: (Subject.MOST, Subject.NO_HAMMER, Subject.STANDING),
    Death.BOTH: (Subject.MOST, Subject.STANDING),
}


def _last(told: Stated, subjects: Sequence[Subject]) -> tuple[int, Saying]:
    """The last statement on one of these subjects, and its post; a rule before a mere number of votes."""
    return [(post, one) for post, each in told for one in each if one.subject in subjects][-1]


def _death(told: Stated, answers: Sequence[str]) -> tuple[Death | None, int | None, bool]:
    """What eliminates, the post that says so, and whether the moderator answered it. A post that states only
    one of both rules is the last word where it says more than a number of votes; that no majority ends the
    day is not taken back by a number either."""
    chosen = next((DEATHS[word] for word in reversed(answers) if word in DEATHS), None)
    if chosen is not None:
        return chosen, None, True
    majority = most = unhammered = False
    last: int | None = None
    for post, each in told:
        subjects = {one.subject for one in each}
        if Subject.STANDING in subjects and not most:
            most, last = True, post
        if subjects.isdisjoint((Subject.MAJORITY, Subject.MOST, Subject.NO_HAMMER)):
            continue
        number = all(one.value == "number" for one in each if one.subject is Subject.MAJORITY)
        if number and subjects.isdisjoint((Subject.MOST, Subject.NO_HAMMER)):
            majority = majority or not unhammered
            last = post if last is None else last
            continue
        last = post
        if Subject.NO_HAMMER in subjects:
            majority, most, unhammered = False, True, True
        elif Subject.MAJORITY in subjects and not (number and unhammered):
            majority, most, unhammered = True, Subject.MOST in subjects, False
        else:
            majority = majority and not any(one.value == "plurality" for one in each)
            most = True
    if last is None:
        return None, None, False
    found = Death.BOTH if majority and most else Death.PLURALITY if most else Death.MAJORITY
    return found, last, False


def _death_sentence(death: Death, post: int, saying: Saying) -> Sentence:
    rules = {
        Death.MAJORITY: "A majority eliminates at once",
        Death.PLURALITY: "Whoever has the most votes at the deadline is eliminated, and there is no hammer",
        Death.BOTH: "A majority eliminates at once, and the most votes at the deadline",
    }
    other = Death.PLURALITY if death is Death.MAJORITY else Death.MAJORITY
    return sentence(
        "{rule}, as post #{post} says: “{said}” If it is otherwise: {answer}",
        rule=rules[death],
        post=post,
        said=saying.quoted,
        answer=Way("say_house", word=other.value),
    )


def _changes(told: Stated) -> Iterator[tuple[dict[str, Any], Sentence]]:
    """The other changes to the rule, by the last statement on each, with a sentence on it; how long a day is
    and until when changes nothing here."""
    last = {one.subject: (post, one) for post, each in told for one in each}
    for subject, (what, change) in _CHANGES.items():
        if subject in last:
            post, one = last[subject]
            if subject is Subject.TIE and one.value not in _TIES:
                yield {"tie": Tie.ASK}, sentence("")
                continue
            yield (
                change(one.value),
                sentence("{what}, by post #{post}: “{said}”", what=what, post=post, said=one.quoted),
            )


_EVERY_DAY = frozenset(range(1, 100))
_CHANGES: Mapping[Subject, tuple[str, Callable[[str], dict[str, Any]]]] = {
    Subject.SHARE: ("How many votes it takes", lambda said: {"share": Share.parse(said)}),
    Subject.FIXED: ("How many votes it takes", lambda said: {"fixed_needed": int(said)}),
    Subject.FIXED_ON: (
        "How many votes it takes on one day",
        lambda said: {"fixed_on": (tuple(map(int, said.split("="))),)},
    ),
    Subject.NEEDED_OTHERWISE: ("How many votes it takes", lambda _: {"threshold": False}),
    Subject.NOBODY_AT_DEADLINE: (
        "Without a majority nobody is eliminated",
        lambda _: {"at_deadline": AtDeadline.NOBODY},
    ),
    Subject.NOBODY_CHEAPER: (
        "No elimination takes fewer votes",
        lambda _: {"no_elimination": NoElim.ONE_FEWER},
    ),
    Subject.TIE: ("Ties", lambda said: {"tie": Tie(said)}),
    Subject.NO_SELF_VOTE: ("Votes for oneself do not count", lambda _: {"self_vote": False}),
    Subject.NO_NOBODY: ("Nobody cannot be voted for", lambda _: {"no_elimination": NoElim.NO}),
    Subject.UNVOTE_FIRST: ("A vote has to be taken back before another", lambda _: {"unvote_first": True}),
    Subject.FINAL: ("A vote stays", lambda _: {"locked_at": _EVERY_DAY}),
    Subject.CHANGES: ("How often a vote may change", lambda said: {"max_changes": int(said)}),
    Subject.SEVERAL_VOTES: ("Several votes each", lambda said: {"votes_per_player": int(said)}),
    Subject.ELIMINATIONS: ("Eliminations a day", lambda said: {"eliminations": int(said)}),
    Subject.LENGTH: ("Days", lambda _: {}),
}
"""Subject → what it is about, and what its value changes of the rule."""


_FORM_OF = {
    "red": Form.RED,
    "own_line": Form.OWN_LINE,
    "heading": Form.HEADING,
    "italic": Form.ITALIC,
    "coloured": Form.COLOUR,
    "large": Form.LARGE,
    "item": Form.ITEM,
    "code": Form.CODE,
    "plain": Form.OWN_LINE,
    "spoken": Form.SPOKEN,
    "hashes": Form.HASHES,
    "bang": Form.BANG,
    "raw_tag": Form.RAW_TAG,
}


def _forms(
    told: Stated, usual: Forms, answers: Sequence[str], written: Written
) -> tuple[Forms, tuple[Sentence, ...]]:
    """In which forms votes count: those of the board, those that were stated, and what players write as the
    rules show it. Bold is none where another mark is the form, or a post says so; a line of its own is one
    where no post asks for bold."""
    marks = {one.value: (post, one) for post, each in told for one in each if one.subject is Subject.MARK}
    bold = "bold" in marks
    words = dict.fromkeys(word for word in answers if word not in DEATHS and word != HERE)
    declined = {word.removeprefix(NOT) for word in words if word.startswith(NOT)}
    said: list[Sentence] = []

    def add(form: str, post: int, shown: str) -> None:
        if form in declined or form in words:
            return
        words[form] = None
        said.append(
            sentence(
                "Votes are written as post #{post} says: “{said}” If it is otherwise: {answer}",
                post=post,
                said=shown,
                answer=Way("say_house", word=f"{NOT}{form}"),
            )
        )

    for mark, form in _FORM_OF.items():
        as_tag = form is Form.RAW_TAG and Form.TAG in usual.accepted
        if mark in marks and not as_tag and not (mark == "own_line" and bold):
            add(form.value, marks[mark][0], marks[mark][1].quoted)
    if "spoken" in marks:
        words.setdefault(Form.OWN_LINE.value)
    rule_post = next((post for post, each in told if each), 0)
    takes_back = [one.words.casefold() for _, each in told for one in each if one.subject is Subject.UNVOTE]
    stated = {form for mark, form in _FORM_OF.items() if mark in marks} | ({Form.BOLD} if bold else set())
    named = frozenset(mark for mark, form in FORM_OF.items() if form in stated)
    known = usual.accepted | parse_forms(word for word in words if not word.startswith(NOT)).accepted
    for frame, uses in sorted(written.frames.items(), key=lambda each: not each[0].undoes):
        shown = not is_known(frame, known) and shown_in(frame, written.shown, named, written.names)
        if shown or taken_back_in(frame, takes_back):
            add(form_of(frame), rule_post, uses[0].text)
    added = parse_forms(word for word in words if not word.startswith(NOT))
    accepted = usual.accepted | added.accepted
    nothing = any(one.subject is Subject.BOLD_IS_NOTHING for _, each in told for one in each)
    used = {FORM_OF[one.mark] for one in written.frames if one.mark in _SEEN_WHERE_USED and not one.undoes}
    instead = {Form.RED, Form.OWN_LINE, *used} - _kept_beside(added)
    if nothing or (not bold and not added.accepted.isdisjoint(instead)):
        accepted -= {Form.BOLD, Form.BOLD_COLON}
    accepted -= parse_forms(declined).accepted
    verbs = (*usual.words, *added.words)
    frames = (*usual.frames, *(one for one in added.frames if one.form not in declined))
    forms = Forms(accepted, (*usual.house, *added.house), verbs, bool(verbs) and bold, frames)
    return forms, tuple(said)


_SEEN_WHERE_USED = (Mark.COLOUR, Mark.LARGE, Mark.ITEM)
"""Marks of which a moderator also speaks otherwise: they replace bold only where players use them."""


def _kept_beside(added: Forms) -> frozenset[Form]:
    """The forms that take nothing away where votes may stand in plain words, too."""
    return frozenset({Form.OWN_LINE}) if Form.SPOKEN in added.accepted else frozenset()


def _elsewhere_sentence(post: int, saying: Saying) -> Sentence:
    where = "sent to the moderator" if saying.subject is Subject.PRIVATE else "made in another thread"
    return sentence(
        "Votes are {where}{url}, as post #{post} says: “{said}” Nothing here is counted. "
        "If votes are made here: {answer}",
        where=where,
        url=f" ({saying.value})" if saying.value else "",
        post=post,
        said=saying.quoted,
        answer=Way("say_house", word=HERE),
    )
