"""The rules of a house as its moderator states them in the thread, where no game file does.

`sayings` reads one post, `house_of` makes a house of what all posts said until the game was on: the last
statement on a subject holds, and before all of them a rule in its own sentences, as the rules post tells it.
What the moderator answered about the house comes before everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from knightfall.errors import InputError
from knightfall.names import squash
from knightfall.sentence import Sentence, Way, sentence
from knightfall.votes.ballots import Form, Forms, parse_forms
from knightfall.votes.config import DEATHS, NOT
from knightfall.votes.deaths_told import CLAUSES
from knightfall.votes.numbers import parse_number
from knightfall.votes.rule import AtDeadline, Death, NoElim, Rule, RuleTold, Tie, rule_told


class Subject(Enum):
    """What a statement is about."""

    MAJORITY = "majority"
    """So many votes eliminate at once."""
    MOST = "most"
    """Whoever has the most votes at the deadline is eliminated."""
    STANDING = "standing"
    """Who would be eliminated as it stands."""
    NO_HAMMER = "no_hammer"
    NOBODY_AT_DEADLINE = "nobody_at_deadline"
    """Without a majority nobody is eliminated."""
    FORM = "form"
    BOLD = "bold"
    """Votes have to be in bold."""
    BOLD_IS_NOTHING = "bold_is_nothing"
    NO_NOBODY = "no_nobody"
    """Nobody cannot be voted for."""
    ELSEWHERE = "elsewhere"
    TIE = "tie"
    NO_SELF_VOTE = "no_self_vote"
    ELIMINATIONS = "eliminations"
    LENGTH = "length"
    VERB = "verb"
    """What it takes so many votes to do."""
    RULE = "rule"
    """The whole rule, in its own sentences."""


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


# ---- One post

_OUT = (
    r"(?:lynch\w*|eliminat\w*|execut\w*|hang(?:s|ed|ing)?|hung|kill(?:s|ed)?|dies?|die[sd]|vot(?:e|ed|es)\s(?:out|off)"
    r"|exil\w*|banish\w*|burn(?:s|ed|t)?|goes\shome|leaves?|removed|hingerichtet|gehängt|gelyncht|stirbt|eliminad[oa]|muere)"
)
_FALLS = re.compile(rf"\b{_OUT}\b", re.IGNORECASE)
_AT_THE_END = re.compile(
    r"\bdead\s?line\b|\bend\sof\s(?:the\s|each\s|every\s)?(?:game\s)?(?:day|phase)\b|\bEoD\b|\bday(?:['’]s)?\s(?:ends?|end|is\sover|phase\sends)\b"
    r"|\btime\s(?:is\sup|runs\sout|expires)\b|\b(?:Frist|Tagesende|Ende\sdes\sTages)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\bmost\s(?:\w+\s){0,2}votes?\b|\bhighest\s(?:vote\s?(?:count|total)|number\sof\svotes|votes?|tally)\b"
    r"|\b(?:largest|biggest|leading|top)\swagon\b|\b(?:vote\s)?leader\b|\b(?:whoever|who|player\sthat)\s(?:leads|is\sleading|is\sin\sthe\slead)\b"
    r"|\bmeisten\sStimmen\b|\bmás\s(?:votos|votad[oa])\b|\ble\splus\sde\s(?:votes|voix)\b",
    re.IGNORECASE,
)
_PLURALITY = re.compile(
    r"(?<!not\s)(?<!not\sa\s)(?<!no\s)(?<!than\s)(?<!without\s)\bplurality\b", re.IGNORECASE
)
# A majority of the living, in words.
_MAJORITY = re.compile(
    r"\bmajority\b|\bhalf\b[^.;]{0,40}(?:\bplus|\+)\s?(?:one|1)\b|\b50\s?%\s?\+|\bmore\sthan\s(?:half|50\s?%)"
    r"|\bMehrheit\b|\bmayoría\b|\bmajorité\b",
    re.IGNORECASE,
)
_NUMBER = r"(?:\d{1,2}|four|five|six|seven|eight|nine|ten|eleven|twelve)"
# “7 to lynch”, “it takes seven votes to eliminate”.
_TO_FALL = re.compile(
    rf"\b{_NUMBER}\s(?:votes?\s)?(?:(?:are|is|will\sbe)\s)?(?:needed\s|required\s)?(?:to|for\san?)\s"
    r"(?:lynch|eliminat|execut|hang|hammer|kill)",
    re.IGNORECASE,
)
_TO_VERB = re.compile(
    rf"\balive,?\s(?:and\s|so\s)?(?:it\s(?:is|takes)\s)?{_NUMBER}\sto\s(?P<verb>[a-z]{{3,12}})\b",
    re.IGNORECASE,
)
_HAMMER_ENDS = re.compile(
    r"\bhammer\w*\b[^.;]{0,60}\b(?:ends?|immediate\w*|at\sonce|instant\w*|over|twilight|count(?:s|ed)?)\b",
    re.IGNORECASE,
)
# What a majority decides that is no vote of the day.
_OTHER_MAJORITY = re.compile(
    r"\bwin(?:s|ning)?\b|\bcontrol|\boutnumber|\bparity\b|\bcompris|\bexten[ds]|\breplac|\bprod|\bconced|\bsurrender",
    re.IGNORECASE,
)
_NO_HAMMER = re.compile(
    r"\bno\s(?:auto[\s-]?|insta[\s-]?)?hammer(?:s|ing)?\b(?!\s(?:yet|so\sfar|has|was|occur))"
    r"|\bhammers?\s(?:is|are|does|do|will|has|have)\s?(?:not\b|n['’]t\b|turned\soff|off\b|disabled|no\seffect)"
    r"|\bno\s(?:majority|early)\s(?:lynch|eliminat|execut|hammer)\w*"
    r"|\b(?:majority|hammer(?:ing)?)\b[^.;]{0,30}\b(?:does|do|will|is|are|shall)\s?(?:not\b|n['’]t\b)[^.;]{0,30}"
    r"\b(?:ends?|hammers?|lynch|eliminat|apply|effect|close|enough)"
    r"|\bdays?\s(?:will\s|always\s|only\s){0,2}(?:run|last|go|end)s?\s(?:\w+\s)?(?:until|to|till|at)\s(?:the\s)?(?:dead\s?line|full)\b"
    r"(?![^.;]*\bunless\b|[^.;]*\bor\b)|\b(?:kein(?:en)?|ohne)\sHammer\b|\bsin\smartillo\b",
    re.IGNORECASE,
)
# What says when there is no majority, not that none counts: “if a majority is not reached”.
_CONDITION = re.compile(r"\b(?:if|when|unless|should|once)\b|\b(?:reach|achiev|attain|obtain)", re.IGNORECASE)
_NOBODY_FALLS = re.compile(
    r"\bno[\s-]?(?:one|body|lynch\w*|elim\w*|execut\w*)\b|\bwithout\s(?:an?\s)?(?:lynch|elim|execut)|\bniemand\b|\bnadie\b",
    re.IGNORECASE,
)
_TIE = re.compile(
    r"\b(?:tie[sd]?|tying|Gleichstand|empate)\b|\bif\s(?:two|several|more|both)\b[^.;]{0,30}\b(?:lead|level|even|equal)\b",
    re.IGNORECASE,
)
_TIES: tuple[tuple[Tie, re.Pattern[str]], ...] = (
    (
        Tie.RANDOM,
        re.compile(
            r"\brandom|\bcoin|\bdice\b|\bdraws?\s(?:a\s)?(?:straw|lot)s?\b"
            r"|\bdie\sroll|\brng\b|\bzufall|\bLos\b|\bazar\b",
            re.IGNORECASE,
        ),
    ),
    (Tie.LONGEST_HELD, re.compile(r"\blongest\b", re.IGNORECASE)),
    (Tie.FIRST_TO_REACH, re.compile(r"\bfirst\b", re.IGNORECASE)),
    (
        Tie.ASK,
        re.compile(
            r"\b(?:I|moderators?|mods?|hosts?)\s(?:will\s|shall\s)?(?:decides?|choose|pick)", re.IGNORECASE
        ),
    ),
    (
        Tie.NO_ELIMINATION,
        re.compile(
            rf"\bno[\s-]?(?:one|body|lynch|elim\w*|execut\w*)\b|\bnot?\b[^.;]{{0,20}}\b{_OUT}|\bniemand\b|\bnadie\b",
            re.IGNORECASE,
        ),
    ),
    (Tie.ALL, re.compile(rf"\b(?:all|both)\b[^.;]{{0,40}}\b{_OUT}", re.IGNORECASE)),
)
_VOTES = re.compile(r"\bvot(?:e|es|ing)\b|\bStimmen?\b|\bvotos?\b|#vote", re.IGNORECASE)
_OWN_LINE = re.compile(
    r"\b(?:own|separate|single|new|different)\slines?\b|\balone\son\s(?:its|a|the|their)\sline\b|\bline\sby\sitself\b|\bline\sof\s(?:its|it['’]s|their)\sown\b|\beigenen?\sZeile\b"
    r"|\blínea\s(?:propia|aparte)\b",
    re.IGNORECASE,
)
_RED = re.compile(
    r"\b(?:in|with|use|using)\s(?:\w+\s){0,2}red\b|\bred\s(?:text|font|letter|colou?r|ink)|\b(?:roter|rote)\s(?:Schrift|Farbe)\b|\ben\srojo\b",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\bbold(?:ed|face)?\b|\bfett\b|\bnegrita\b", re.IGNORECASE)
_NO_BOLD = re.compile(
    r"\b(?:no|not|without|needn['’]t|n['’]t)\b[^.;]{0,30}\bbold|\bbold\w*\b[^.;]{0,25}\b(?:not\s(?:needed|required|necessary)|optional|unnecessary)"
    r"|\bnicht\sfett\b|\bohne\sfett",
    re.IGNORECASE,
)
# “Bold without hashes is decoration”, “what is bold is for shouting”, “bold votes do not count”.
_BOLD_IS_NOTHING = re.compile(
    r"\bbold\b[^.;]{0,40}(?:=|\bis\b|\bare\b|\bdo(?:es)?\b|\bwill\b)[^.;]{0,30}"
    r"\b(?:not\scount|n['’]t\scount|decoration|nothing|ignored|shout\w*|talk|for\s(?:emphasis|looks))",
    re.IGNORECASE,
)
_HASHES = re.compile(r"#{1,3}\s?vote", re.IGNORECASE)
_BANG = re.compile(r"!vote\b", re.IGNORECASE)
_RAW_TAG = re.compile(r"\[/?vote\]", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\bvot(?:e|es|ing)\b[^.;]{0,60}\b(?:in|to|into|goes?\s(?:in|to))\s(?:the|a|our|that)\s(?:\w+\s){0,2}(?:voting|votes?)\s(?:thread|topic)\b"
    r"|\b(?:do\snot|don['’]t|never)\s(?:\w+\s)?vote\s(?:here|in\sthis\s(?:thread|topic))\b"
    r"|\bvot(?:e|es|ing)\b[^.;]{0,80}(?:,|\band|\bbut)?\s?\bnot\s(?:in\s)?(?:here|this\s(?:thread|topic))\b"
    r"|\bvotes?\s(?:made\s|posted\s|cast\s)?(?:here|in\sthis\s(?:thread|topic))\s(?:do|does|will|are)\s?(?:not|n['’]t)\b",
    re.IGNORECASE,
)
_HERE = re.compile(r"\bthis\sis\sthe\s(?:voting|votes?)\s(?:thread|topic)\b", re.IGNORECASE)
_SELF = re.compile(
    r"\bself[\s-]?vot\w+|\bvot(?:es?|ing)\s(?:for\s)?(?:yourself|oneself|yourselves|themsel(?:f|ves))\b",
    re.IGNORECASE,
)
_NO_NOBODY = re.compile(
    r"\b(?:not|n['’]t|cannot|never)\s(?:\w+\s){0,2}vote\s(?:for\s)?(?:nobody|no[\s-]?(?:one|lynch|elimination|execution))\b"
    r"|\bno[\s-]?(?:lynch(?:es|ing)?|elimination)\b[^.;]{0,20}\b(?:is|are)\s"
    r"(?:not\s(?:allowed|possible|an\soption|permitted)|disabled)",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\bnobody\svotes\b|\bnot\b|n['’]t\b|\bno\b|\bnever\b|\bforbid|\bprohibit|\billegal|\bdisallow|\bcannot\b|\bvoid\b|\bignored\b|\binvalid\b",
    re.IGNORECASE,
)
_PER_DAY = r"(?:per|a|each|every|in\sa|on\seach)\sday\b"
_SEVERAL = re.compile(
    rf"\b(?P<n>two|three|2|3)\s(?:\w+\s)?(?:lynche?s|eliminations|executions|hangings|players\s(?:are|will\sbe|get)\s{_OUT})\b[^.;]{{0,30}}\b{_PER_DAY}"
    rf"|\b{_PER_DAY[:-2]}\b[^.;]{{0,40}}\b(?P<m>two|three|2|3)\s(?:\w+\s)?(?:lynche?s|eliminations|executions|players)\b",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\bdays?\b[^.;]{0,40}\b(?:lasts?|ends?|runs?|long|are|deadlines?)\b[^.;]{0,40}\b(?:\d+|one|two|three|four|five|seven|ten)\b[\s-]?(?:h\b|hours?|days?|weeks?)",
    re.IGNORECASE,
)
# “Stimme: Name”, “Voto: jugador”: a word that is told to stand before a name.
_WORD = re.compile(
    r"\b(?P<word>[^\W\d_]{3,15})\s?:\s?[\[<(„“\"']{0,2}(?:player|spieler|jugador|joueur|name|nombre|nom|username|X)\b",
    re.IGNORECASE,
)
# “Ada is currently set to be eliminated”, “if the day ended right now, Ada would be the one to go”: whoever
# has the most votes falls.
_STANDING = re.compile(
    r"\b(?:currently|right\snow|at\s(?:the|this)\smoment|as\s(?:it|things)\sstands?|(?:is|are)\snow|if\sthe\sday\sended)\b"
    rf"[^.;!?]{{0,80}}?\b(?:set\sto\s(?:be\s)?|would\s(?:be\s)?(?:the\sone\s)?(?:to\s)?(?:be\s)?)(?:go\b|{_OUT}\b)"
    rf"|\bwould\s(?:be\s)?{_OUT}\s(?:as\s(?:it|things)\sstands?|right\snow)",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"vot|bold|plural|majorit|hammer|lynch|elimin|deadline|stimm|mehrheit|mayor|tie|\bdays?\b", re.IGNORECASE
)
LONGEST_LINE = 4_000
"""Letters of a line that are read for rules."""


def sayings(lines: Sequence[str]) -> Iterator[Saying]:
    """What the lines of a moderator's post state of the house, in their order; of one that tells the rule in
    its own sentences that rule."""
    told = rule_told(lines)
    if told is not None:
        yield Saying(Subject.RULE, "", rule=told)
        return
    for line in lines:
        if _SIGNS.search(line):
            for said in CLAUSES.split(line[:LONGEST_LINE]):
                if "?" not in said:
                    yield from _stated(said.strip())


def standing(lines: Iterable[str]) -> Iterator[Saying]:
    """What the lines of a moderator's post of any time say of who would be eliminated as it stands: then the
    most votes decide."""
    for line in lines:
        for said in CLAUSES.split(line):
            if _STANDING.search(said) and "?" not in said and not _NOBODY_FALLS.search(said):
                yield Saying(Subject.STANDING, said.strip())


def _stated(said: str) -> Iterator[Saying]:
    """What one sentence states."""
    tied = _TIE.search(said)
    if tied:
        tie = next((tie for tie, words in _TIES if words.search(said)), None)
        if tie is not None:
            yield Saying(Subject.TIE, said, tie.value)
    falls = bool(_FALLS.search(said))
    no_hammer = bool(_NO_HAMMER.search(said)) and not _CONDITION.search(said)
    if no_hammer:
        yield Saying(Subject.NO_HAMMER, said)
    most = _MOST.search(said) and (falls or _AT_THE_END.search(said)) and not tied
    if most or _PLURALITY.search(said):
        yield Saying(Subject.MOST, said)
    majority = _MAJORITY.search(said) and (falls or _VOTES.search(said)) and not _OTHER_MAJORITY.search(said)
    if not no_hammer and (majority or _TO_FALL.search(said) or _HAMMER_ENDS.search(said)):
        yield Saying(Subject.MAJORITY, said)
        if _AT_THE_END.search(said) and _CONDITION.search(said) and _NOBODY_FALLS.search(said):
            yield Saying(Subject.NOBODY_AT_DEADLINE, said)
    if verb := _TO_VERB.search(said):
        yield Saying(Subject.VERB, said, verb["verb"])
    if several := _SEVERAL.search(said):
        number = several["n"] or several["m"]
        yield Saying(Subject.ELIMINATIONS, said, str(parse_number(number)))
    if _SELF.search(said) and _FORBIDDEN.search(said):
        yield Saying(Subject.NO_SELF_VOTE, said)
    if _LENGTH.search(said):
        yield Saying(Subject.LENGTH, said)
    if _NO_NOBODY.search(said):
        yield Saying(Subject.NO_NOBODY, said)
    if _BOLD_IS_NOTHING.search(said) or _VOTES.search(said):
        yield from _form(said)
    if _VOTES.search(said) and _ELSEWHERE.search(said) and not _HERE.search(said):
        yield Saying(Subject.ELSEWHERE, said)


def _form(said: str) -> Iterator[Saying]:
    """How votes are written by one sentence that speaks of votes."""
    if _BOLD_IS_NOTHING.search(said):
        yield Saying(Subject.BOLD_IS_NOTHING, said)
    elif _BOLD.search(said) and not _NO_BOLD.search(said):
        yield Saying(Subject.BOLD, said)
    for form, words in (
        (Form.OWN_LINE, _OWN_LINE),
        (Form.RED, _RED),
        (Form.HASHES, _HASHES),
        (Form.BANG, _BANG),
        (Form.RAW_TAG, _RAW_TAG),
    ):
        if words.search(said):
            yield Saying(Subject.FORM, said, form.value)
    for found in _WORD.finditer(said):
        word = found["word"]
        if not word.lower().startswith(("vot", "unvot")):
            yield Saying(Subject.FORM, said, f"word:{word}")


# ---- The house


@dataclass(frozen=True, slots=True)
class House:
    """The rule of a house and what it rests on.

    `nobody` are its own words for no elimination, squashed: “no eject” where it takes so many “to eject”.
    `death` is the post that states what eliminates (None: none does), `answered` whether the moderator did.
    `elsewhere` is the address of the thread in which votes are made ("" where none is told), None where that
    is this one. `said` tells all that was stated, a sentence each.
    """

    rule: Rule
    nobody: frozenset[str] = frozenset()
    death: int | None = None
    answered: bool = False
    elsewhere: str | None = None
    said: tuple[Sentence, ...] = ()


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


def house_of(told: Stated, rule: Rule, answers: Iterable[str] = ()) -> House:
    """The house by what the moderator's posts said, in their order, and by what was answered; `rule` holds
    where nobody said anything."""
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
    forms, spoken_forms = _forms(told, rule.forms, answered)
    rule = replace(rule, forms=forms)
    verbs = (one.value for _, each in told for one in each if one.subject is Subject.VERB)
    nobody.update(squash(f"no{verb}") for verb in verbs)
    elsewhere = [(at, one) for at, each in told for one in each if one.subject is Subject.ELSEWHERE]
    if elsewhere and HERE not in answered:
        said.append(_elsewhere_sentence(*elsewhere[-1]))
        address = elsewhere[-1][1].value
        return House(rule, frozenset(nobody), post, by_answer, address, (*said, *spoken_forms))
    return House(rule, frozenset(nobody), post, by_answer, None, (*said, *spoken_forms))


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
    found = [(post, one) for post, each in told for one in each if one.subject in subjects]
    rules = [each for each in found if _MAJORITY.search(each[1].words) or _MOST.search(each[1].words)]
    rules = [each for each in rules if not _NOBODY_FALLS.search(each[1].words)] or rules
    return (rules or found)[-1]


def _death(told: Stated, answers: Sequence[str]) -> tuple[Death | None, int | None, bool]:
    """What eliminates, the post that says so, and whether the moderator answered it. A post that states only
    one of both rules is the last word where it says more than a number of votes; that no majority ends the
    day is not taken back by a number either."""
    chosen = next((DEATHS[word] for word in reversed(answers) if word in DEATHS), None)
    if chosen is not None:
        return chosen, None, True
    majority = most = no_hammer = False
    last: int | None = None
    for post, each in told:
        subjects = {one.subject for one in each}
        rules = any(one.subject is Subject.MAJORITY and _MAJORITY.search(one.words) for one in each)
        if Subject.STANDING in subjects and not most:
            most, last = True, post
        if subjects.isdisjoint((Subject.MAJORITY, Subject.MOST, Subject.NO_HAMMER)):
            continue
        last = post
        plural = any(one.subject is Subject.MOST and _PLURALITY.search(one.words) for one in each)
        if Subject.NO_HAMMER in subjects:
            majority, most, no_hammer = False, True, True
        elif Subject.MAJORITY in subjects and Subject.MOST in subjects:
            majority, most, no_hammer = True, True, False
        elif Subject.MOST in subjects:
            most, majority = True, majority and not plural
        elif rules:
            majority, most, no_hammer = True, False, False
        else:
            majority = not no_hammer
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
    rows: tuple[tuple[Subject, str], ...] = (
        (Subject.NOBODY_AT_DEADLINE, "Without a majority nobody is eliminated"),
        (Subject.TIE, "Ties"),
        (Subject.NO_SELF_VOTE, "Votes for oneself do not count"),
        (Subject.NO_NOBODY, "Nobody cannot be voted for"),
        (Subject.ELIMINATIONS, "Eliminations a day"),
        (Subject.LENGTH, "Days"),
    )
    for subject, what in rows:
        if subject in last:
            post, one = last[subject]
            change: dict[str, Any] = {}
            if subject is Subject.NOBODY_AT_DEADLINE:
                change["at_deadline"] = AtDeadline.NOBODY
            elif subject is Subject.TIE:
                change["tie"] = Tie(one.value)
            elif subject is Subject.NO_SELF_VOTE:
                change["self_vote"] = False
            elif subject is Subject.NO_NOBODY:
                change["no_elimination"] = NoElim.NO
            elif subject is Subject.ELIMINATIONS:
                change["eliminations"] = int(one.value)
            yield change, sentence("{what}, by post #{post}: “{said}”", what=what, post=post, said=one.quoted)


def _forms(told: Stated, usual: Forms, answers: Sequence[str]) -> tuple[Forms, tuple[Sentence, ...]]:
    """In which forms votes count: those of the board and those that were stated. Bold is none where red or a
    line of its own is the form, or a post says so; a line of its own is one where no post asks for bold."""
    stated = [(post, one) for post, each in told for one in each if one.subject is Subject.FORM]
    bold = any(one.subject is Subject.BOLD for _, each in told for one in each)
    words = dict.fromkeys(word for word in answers if word not in DEATHS and word != HERE)
    declined = {word.removeprefix(NOT) for word in words if word.startswith(NOT)}
    said: list[Sentence] = []
    for post, one in stated:
        # Where the board has a vote tag, its raw text shows how that is written.
        known = one.value == Form.RAW_TAG.value and Form.TAG in usual.accepted
        if (
            known
            or one.value in declined
            or (one.value == Form.OWN_LINE.value and bold)
            or one.value in words
        ):
            continue
        words[one.value] = None
        said.append(
            sentence(
                "Votes are written as post #{post} says: “{said}” If it is otherwise: {answer}",
                post=post,
                said=one.quoted,
                answer=Way("say_house", word=f"{NOT}{one.value}"),
            )
        )
    added = parse_forms(word for word in words if not word.startswith(NOT))
    accepted = usual.accepted | added.accepted
    nothing = any(one.subject is Subject.BOLD_IS_NOTHING for _, each in told for one in each)
    if nothing or (not bold and not added.accepted.isdisjoint({Form.RED, Form.OWN_LINE})):
        accepted -= {Form.BOLD, Form.BOLD_COLON}
    accepted -= parse_forms(declined).accepted
    verbs = (*usual.words, *added.words)
    forms = Forms(accepted, (*usual.house, *added.house), verbs, words_in_bold=bool(verbs) and bold)
    return forms, tuple(said)


def _elsewhere_sentence(post: int, saying: Saying) -> Sentence:
    return sentence(
        "Votes are made in another thread{url}, as post #{post} says: “{said}” Nothing here is counted. "
        "If votes are made here: {answer}",
        url=f" ({saying.value})" if saying.value else "",
        post=post,
        said=saying.quoted,
        answer=Way("say_house", word=HERE),
    )
