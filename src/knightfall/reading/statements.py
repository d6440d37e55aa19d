"""What the sentences of a moderator's post state of a game: who died, who came in, which day it is, how many
live.

A statement is a shape over the tags of a sentence. What is supposed, asked, denied, reported or told of
another game states nothing: `_void` says so once for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

from knightfall.reading.clauses import NAME, SHORT, Clause
from knightfall.reading.lexicon import LETTERS
from knightfall.reading.moments import is_of_time, month_of


class Cause(Enum):
    """How a death is told."""

    VOTE = "vote"
    KILLED = "killed"
    SHOWN = "shown"
    """A role is shown of somebody, in whatever words."""


@dataclass(frozen=True, slots=True)
class Dead:
    """These died. `sure`: by a sentence of their own with their whole names; else by a short name, or because
    a role stands behind a name in a post that ends or opens a day. `day` is the day or night that it
    names."""

    who: tuple[str, ...]
    cause: Cause
    words: str
    sure: bool = True
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Spared:
    """Nobody died (`cause` KILLED), or nobody was eliminated (VOTE); on `day`, where it names one."""

    cause: Cause
    words: str
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Revived:
    """These live again."""

    who: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """`new` has the seat of `old`, names as written; at least one of them is known by a whole name."""

    new: str
    old: str


class Phase(Enum):
    """What a sentence says of a day or night that it names."""

    TITLE = "title"
    """It stands alone, or begins a post or a line."""
    BEGINS = "begins"
    RUNS = "runs"
    """It is to end at some time, so it is on."""
    ENDED = "ended"
    COMES = "comes"
    """It is to begin, or was spoken of in another way."""


@dataclass(frozen=True, slots=True)
class When:
    """A day, or a night, that a sentence names; `number` None where it has none."""

    night: bool
    number: int | None
    phase: Phase
    words: str


@dataclass(frozen=True, slots=True)
class GoesOn:
    """The day is not over, or is open again."""

    words: str


@dataclass(frozen=True, slots=True)
class Decided:
    """The day is over in other words: a majority was reached, the votecount is the final one, actions of the
    night are asked for; `timed`: because the time is up."""

    words: str
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Alive:
    """So many live."""

    number: int


@dataclass(frozen=True, slots=True)
class Needed:
    """So many votes eliminate; `for_nobody`: so many votes for no elimination end the day."""

    number: int
    for_nobody: bool = False


Statement: TypeAlias = Dead | Spared | Revived | Replaced | When | Decided | GoesOn | Alive | Needed


# ---- Shapes

_WORD = re.compile(r"(?<!P)<(\w+)>")


@cache
def shape(written: str) -> re.Pattern[str]:
    """A shape over tags: words in angle brackets are tables of the lexicon, blanks are nothing."""

    def letter(found: re.Match[str]) -> str:
        return "[Nn]" if found[1] == "name" else re.escape(LETTERS.get(found[1], found[1]))

    return re.compile(_WORD.sub(letter, written).replace(" ", ""))


_NAMES = "<name>(?:[,/&]{1,2}<name>)*"
# What stands between a name and its verb: “, the Town Cop,”, “ (Town)”, “ the Vanilla Townie”.
_APART = (
    r"(?:,?[-]?(?:[wtT#~A3^:Sɱ!GD]|<be>(?=[tT]))*?<role>[wtT#~A^]*?,?[-]?|t?\([^()]{1,9}\)"
    r"|,[wtT~#A]{1,7},|[xwv#A]{1,5}&){0,2}"
)
_LEAD = "(?:<be>|<was>|<adverb>|<takes>|<begins>|<morning>|<they>,?|,[qwp]{1,4},)"

_SUFFERS = shape(
    rf"(?P<who>{_NAMES}){_APART}[,(-]?(?P<be>{_LEAD}{{0,5}})(?P<how><dead>|<out>|<puts_out>(?=$|[,(]))"
)
# In words of a story: “Ada, Town Cop, was cooked Night 2”.
_TOLD_DATED = shape(
    rf"(?P<who>{_NAMES})[,(-]?[wtT#~A^]{{0,5}}<role>[wT)]{{0,3}},?(?:<was>|<be>)"
    r"(?P<how>[wAKkOojtb>~]{1,5})(?:<night>|<day>)#"
)
# “In der Nacht wurde Ada von Wölfen gefressen.”
_VERB_LAST = shape(
    rf"(?:<be>|<was>)(?P<who>{_NAMES})(?!<be>|<was>)[^NnVRr,;?]{{1,5}}(?P<how><dead>|<out>)(?=$|[,.&(])"
)
# “Ada was the next to be killed.”
_NEXT = shape(
    rf"(?P<who>{_NAMES})(?:<was>|<be>)t(?:<future>|<ranks>|w)(?:w|<players>)?(?:<when>|<to>|<be>){{1,2}}"
    r"(?P<how><dead>|<out>)"
)
# “Ada has been dragged to the gallows”, “the rope goes to Ada”.
_TAKEN_TO = shape(
    rf"(?P<who>{_NAMES}){_APART},?(?:<be>|<was>|<adverb>|<they>){{0,4}}w{{0,2}}<to>[tp]?(?P<how><gallows>)"
    rf"|(?P<how2><gallows>)(?:<be>|<adverb>|w)?<to>(?P<who2>{_NAMES})(?!<be>|<was>)"
)
_ACTS = shape(rf"(?P<how><dead>|<out>)(?P<gap>[:-]?[tAP]{{0,2}}(?:[wT#]{{0,4}}<role>,?)?)(?P<who>{_NAMES})")
# “A bolt out of nowhere kills Ada.”
_KILLS = shape(rf"(?P<how><kills>)(?P<who>{_NAMES})(?=$|[,.;(&])")
_NIGHT_LIST = shape(
    rf"(?P<how><dead>|<out>|<kills>)(?:<night>|<day>|<adverb>|<of>)*#?(?P<gap>:)(?P<who>{_NAMES})"
)
_MOURNED = shape(rf"<mourns>(?:[twAT,]{{0,3}}?)(?P<who>{_NAMES})")
_REMOVED = shape(
    rf"<removed>[tw]{{0,2}}(?P<who>{_NAMES})(?:\([^()]{{1,6}}\))?[A]*<from_game>|(?P<they>{_NAMES})(?:\([^()]{{1,6}}\))?{_LEAD}{{1,4}}<removed>(?:<from_game>)"
)
_WAS_ROLE = shape(
    r"(?P<who><name>)[,(]?(?:<they>)?(?:<was>|<flips>|<be><flips>)(?:<adverb>|<everybody>)*(?P<what>[t:]?[wtA#~^Xɱ(]{0,6}?<role>)"
)
_WAS_SOMETHING = shape(
    r"(?P<who><name>),?(?:<they>)?(?:<was>|<flips>)(?:<adverb>)*t(?!<dead>|<out>)(?P<what>[wT#]{1,6})"
)
_IS_ROLE = shape(
    r"(?P<who><name>)A*(?:[,:(»/-]|<be>A*t?(?!A*<revealed>)|t)[tA]*(?P<what>[w#^~t!GD(]{0,6}?<role>)"
)
_DATED_ROLE = shape(r"(?P<who><name>),[wtT#~AGD!]{0,5}<role>[wT]{0,3},[^NnVRr!]{1,4}(?:<day>|<night>)#")
_LINE_ROLE = shape(r"(?P<who><name>)(?:[,:(/-]|»|:\()[tA]*(?P<what>[wT#^~tA!GD]{0,7}?<role>[wT#)&A~,]{0,6})$")
_ROW = shape(
    r"^[^Nn]{0,6}(?P<who><name>)?[^Nn]{0,3}(?:#|\(#).*?(?:[:\-(])?.*(?:<name>|w)(?:,|&|/)[^,]{0,3}(?:<name>|w)"
)
_DATED = shape(r"(?P<who><name>)(?:,|\()[^NnVRr!]{1,9}(?:<day>|<night>)#")
_THEY = shape(r"^[A,w]{0,2}(?P<they><they>)(?:<be>|<was>|<adverb>)*(?P<how><dead>|<out>)")
# “Both were murdered.”
_ALL_OF_THEM = shape(r"^<everybody>#?(?:<be>|<was>)(?:<be>|<adverb>|w){0,2}<dead>")
_THEY_DIED = shape(r"[,&]w?<they>(?:<be>|<was>|<adverb>)*<dead>")
_THEY_WERE = shape(r"^[A,w]{0,2}<they>(?:<was>|<flips>|<be>)A*(?P<what>[t:]?[wtA#~^Xɱ(]{0,5}?<role>)")
# “She was the Almoner.”
_THEY_WERE_SOMETHING = shape(r"[A,w]{0,2}<they>(?:<was>|<flips>)A*t[wT]{1,4}")
_THEIR_ROLE = shape(r"(?P<who><name>)[wt']{0,2}<role>(?:<was>|<be>|:)(?P<what>.{0,4}<role>)")

_NOBODY = shape(
    r"(?:<nobody>|!<players>)(?:<be>|!(?=[XSA])|<was>|<adverb>|<of>|<you>|w(?=[XSA]))*(?P<how><dead>|<out>)"
)
_NOBODY_ACTED = shape(r"(?:<dead>|<out>)(?:<nobody>)|<you>[A]*(?:<out>|<puts_out>)<nobody>")
_REVIVES = shape(
    rf"(?P<who>{_NAMES}),?(?:[wTt~]{{0,3}})(?P<be>(?:<be>|<was>|<adverb>|<takes>|w)*)(?P<how><revived>)|<revived>[:,]?[tT]{{0,2}}(?P<them>{_NAMES})"
)

_REPLACES = shape(r"(?P<be>(?:<be>|<was>|<adverb>|<future>|[(,]|<they>)*)<replaces>(?:[tw]{0,2}(?=<name>))?")
_REPLACED_BY = shape(r"(?:<be>|<was>|<adverb>|<future>)*<replaced_by>(?:[tw]{0,2}(?=<name>))?")

_ALIVE = (
    shape(r"(?P<n>#)(?:<players>|<be>|<adverb>)*<alive>"),
    shape(r"<alive>(?:<players>)?[:(=-](?P<n>#)"),
    shape(r"<players><alive>?[:(=](?P<n>#)"),
    shape(r"(?P<n>#)<players>(?:<be>|<adverb>)+(?:<alive>|$)"),
    shape(r"(?:<takes>|<begins>|^)(?P<n>#)<alive>?<players>(?=,|<takes>|$)"),
    shape(r"<you>?<be>[A]*(?P<n>#)(?=[,&]*$|,|&)"),
    shape(r"<players>(?P<n>#)(?=$|,|&)"),
)
_NEEDED = (
    shape(
        r"(?<![/])(?P<n>#)(?:/#)?<vote>?(?:<be>|<takes>|<adverb>)*(?:<to>|[>t])+(?:<takes>t?)?(?:<puts_out>|<majority>|<kills>)"
    ),
    shape(
        r"(?:<majority>|<puts_out>)(?:<be>|<takes>|<adverb>|<of>|[:=(>w](?=[#:(]))+(?P<n>#)(?!%|<players>|<ranks>|<third>|<quarter>|<vote>?<more>|<vote>?<fewer>)"
    ),
    shape(r"<alive>(?:[,&;]|w)*(?:<they>)?(?:<takes>|<be>)+(?P<n>#)(?:<vote>|$|,|<to>)"),
    shape(r"<vote>(?:<takes>)(?:[:(=])(?P<n>#)"),
    shape(r"(?P<n>#)<vote>?(?:<takes>|<be><takes>)t?<majority>"),
    shape(r"(?P<n>#)<vote>(?:<puts_out>)"),
    shape(r"(?:<alive>|<players>)[,&A]{1,3}(?P<n>#)(?:<puts_out>|<vote><takes>)"),
    shape(r"<players>#[,&](?:<they>)?<takes>(?P<n>#)"),
)
_FOR_NOBODY = shape(
    r"(?P<n>#)<vote>?(?:<be>|<takes>)*(?:<to>)*[ta]*<no_out>|<to><no_out>(?:<adverb>|w)?(?P<m>#)(?:<be>|<takes>|<vote>)"
)
_ASSISTS = (
    shape(r"(?P<who><name>)(?:<be>|<future>|<adverb>)+w[tp]?<votecount>"),
    shape(r"<moderator>(?:<be>|:|,|-|&|<players>|[wt(])*(?P<who><name>|w)"),
    shape(r"(?P<who><name>)(?:<be>|,|<adverb>|[t(]|<future>)+(?:w{0,2})<moderator>"),
    shape(r"(?P<who><name>)(?:<be>|,|<adverb>|[twp(]|<future>){0,4}<assists>"),
    shape(r"<moderator>(?:[tw>,]|<be>){0,6}<be>(?P<who><name>)|<assists>(?P<by><name>)"),
)


_INVERTED = shape(r"<be><name>")
"""“Had Ada died, …”."""


def _void(clause: Clause, start: int, verb: int) -> bool:
    """Whether what a sentence says from token `start` up to its verb is supposed, asked, denied, reported or
    of another game."""
    tags = clause.tags
    if clause.asked or LETTERS["elsewhere"] in tags or LETTERS["if"] in tags[:verb]:
        return True
    if verb > 1 and _INVERTED.match(tags):
        return True
    segment = clause.part(start, verb)
    return any(LETTERS[tag] in segment for tag in ("when", "not", "future"))


def _who(clause: Clause, found: re.Match[str], group: str = "who") -> tuple[str, ...]:
    return clause.people(*found.span(group))


def _whole(clause: Clause, found: re.Match[str], group: str = "who") -> bool:
    """Whether all who are named there are named by their whole names."""
    return SHORT not in clause.tags[found.start(group) : found.end(group)]


_ON = shape(r"(?:<day>|<night>)(?P<n>#)")


def day_of(clause: Clause) -> int | None:
    """The day or night that a sentence names."""
    found = _ON.search(clause.tags)
    return clause.tokens[found.start("n")].value if found else None


def _cause(clause: Clause, found: re.Match[str], group: str = "how") -> Cause:
    voted = clause.tags[found.start(group)] in (LETTERS["out"], LETTERS["puts_out"])
    return Cause.VOTE if voted else Cause.KILLED


# What nobody does to somebody else: behind a short name it needs no “was”.
_DIED = re.compile(
    r"(?:die[sd]?|starb|stirbt|murió|muere|meurt|mourut|zmarł|umarł|ginie|zginął|morreu|morre)\w*$",
    re.IGNORECASE,
)


def _suffers(clause: Clause, found: re.Match[str], short: bool) -> bool:
    """Whether somebody suffers a death and does not bring it; a short name must begin the sentence."""
    tags, how, who = clause.tags, found.start("how"), found.start("who")
    behind = tags[how + 1 : how + 4]
    apart = "," in tags[found.end("who") : how]
    if not found["be"] and re.match(r"[tA]*[wT]?[Nn]", behind) and not apart:
        return False
    if not short:
        return True
    begins = who == 0 or re.fullmatch(r"[tA,&w-]*", tags[:who]) is not None
    return begins and (bool(found["be"]) or _DIED.match(clause.tokens[how].text) is not None)


def _deaths(clause: Clause) -> Iterator[Dead]:
    tags, day = clause.tags, day_of(clause)
    taken: set[int] = set()
    if NAME not in tags and SHORT not in tags:
        return
    row = _row(clause)
    if row:
        if row["who"] and LETTERS["out"] in tags[row.start("who") :] and not _void(clause, 0, len(tags)):
            yield Dead(_who(clause, row), Cause.VOTE, clause.text, True, day)
        return
    for found in _SUFFERS.finditer(tags):
        how, short = found.start("how"), not _whole(clause, found)
        if not _suffers(clause, found, short):
            continue
        taken.add(how)
        if not _void(clause, found.start("who"), how):
            yield Dead(_who(clause, found), _cause(clause, found), clause.text, not short, day)
    for pattern in (_TOLD_DATED, _NEXT, _VERB_LAST):
        for found in pattern.finditer(tags):
            how, end = found.span("how")
            if taken.isdisjoint(range(how, end)) and _whole(clause, found) and not clause.asked:
                taken.update(range(how, end))
                voted = LETTERS["out"] in found["how"] or LETTERS["puts_out"] in found["how"]
                yield Dead(_who(clause, found), Cause.VOTE if voted else Cause.KILLED, clause.text, True, day)
    for pattern in (_NIGHT_LIST, _ACTS):
        for found in pattern.finditer(tags):
            how = found.start("how")
            passive = (
                re.search(r"[XS]A*$", tags[:how]) and tags[how - 1 : how] != "" and _has_subject(tags[:how])
            )
            if how in taken or passive or (not _whole(clause, found) and ":" not in found["gap"]):
                continue
            if not _void(clause, how, how):
                taken.add(how)
                cause = Cause.KILLED if tags[how] == LETTERS["kills"] else _cause(clause, found)
                yield Dead(_who(clause, found), cause, clause.text, True, day)
    for found in _KILLS.finditer(tags):
        said = clause.tokens[found.start("how")].text.lower()
        told = said in _KILLING and found.start("how") and found.start("how") not in taken
        if told and _whole(clause, found) and not _void(clause, 0, found.start("how")):
            yield Dead(_who(clause, found), Cause.KILLED, clause.text, True, day)
    yield from _deaths_otherwise(clause)


_OF_DEATHS = shape(r"[#:)·*-]{0,3}(?P<who><name>)(?:$|[,:(/-])")


_LONGEST_HEADING = 14
"""Words and signs of a heading at most."""


def _heads_deaths(line: Sequence[Clause]) -> str:
    """The letter of the death in a heading of deaths, “Dead during Night 1:”; "" for any other line."""
    clause = line[0]
    tags = clause.tags.replace(LETTERS["future"], "", 1) if clause.tags.endswith(":") else clause.tags
    other = ("if", "when", "not", "nobody", "you", "future", "vote", "takes", "alive")
    short = len(tags) <= _LONGEST_HEADING if tags.endswith(":") else len(tags) < 4
    if len(line) > 1 or clause.asked or not short or clause.people():
        return ""
    if any(LETTERS[one] in tags for one in other):
        return ""
    return next((one for one in tags if one in (LETTERS["dead"], LETTERS["out"], LETTERS["kills"])), "")


# Not “the wolves kill Ada every night in the other game”, nor “to kill Ada”.
_KILLING = frozenset(("kills", "murders", "shoots", "slays", "stabs", "tötet", "mata", "tue", "zabija"))


def _listed_dead(lines: Sequence[Sequence[Clause]]) -> Iterator[Dead]:
    """Who stands on lines of their own below a heading of deaths: “Dead during Night 1:”. What it says of a
    day or night is news, any other list may have been posted before."""
    heading, day = "", None
    for line in lines:
        tags = "".join(clause.tags for clause in line)
        if not tags.strip("#"):
            continue
        told = next(clause for clause in line if clause.tags.strip("#"))  # “1. Ada”
        entry = _OF_DEATHS.match(told.tags) if heading else None
        if entry is not None:
            voted = heading == LETTERS["out"]
            cause = Cause.SHOWN if day is None else Cause.VOTE if voted else Cause.KILLED
            yield Dead(_who(told, entry), cause, told.text, True, day)
            continue
        heading = _heads_deaths(line)
        day = day_of(line[0]) if heading else None


def _deaths_otherwise(clause: Clause) -> Iterator[Dead]:
    """Deaths of whom a sentence mourns, tells in a pronoun, or takes out of the game."""
    tags, day = clause.tags, day_of(clause)
    for found in _TAKEN_TO.finditer(tags):
        group = "who" if found["who"] else "who2"
        if _whole(clause, found, group) and not _void(clause, found.start(), found.end()):
            yield Dead(_who(clause, found, group), Cause.VOTE, clause.text, True, day)
    for found in _MOURNED.finditer(tags):
        if _whole(clause, found) and not _void(clause, found.start(), found.start("who")):
            yield Dead(_who(clause, found), Cause.KILLED, clause.text, True, day)
    names = {slot.name for slot in clause.named(0, len(clause.tokens))}
    if len(names) == 1 and (theirs := _THEY_DIED.search(tags)) and theirs.start() > tags.find(NAME) >= 0:
        # “…, and Ada, a gardener, is not here to see it, she died at night.”
        segment = tags[theirs.start() + 1 : theirs.end()]
        if not clause.asked and not any(LETTERS[one] in segment for one in ("when", "not", "future", "if")):
            yield Dead(tuple(names), Cause.KILLED, clause.text, True, day)
    for found in _REMOVED.finditer(tags):
        group = "who" if found["who"] else "they"
        if not _void(clause, found.start(), found.end()):
            yield Dead(_who(clause, found, group), Cause.KILLED, clause.text, True, day)


def _row(clause: Clause) -> re.Match[str] | None:
    """A sentence that is a wagon of a votecount: a size at its beginning, voters behind it."""
    tags = clause.tags
    if (
        LETTERS["numbers"] not in tags
        or tags.count(",") < 1
        or any(LETTERS[one] in tags for one in ("was", "be", "they"))
    ):
        return None
    return _ROW.match(tags)


_AT_A_TIME = shape(r"w?[tp]?(?:<day>|<night>|<morning>)#?")
"""“In this night”, “at dawn”."""


def _has_subject(before: str) -> bool:
    """Whether somebody or something stands before a verb in the passive."""
    return bool(re.search(r"[NnwTPtp0]", _AT_A_TIME.sub("", before)))


def _shown(clause: Clause, turns: bool) -> Iterator[Dead]:
    """Of whom a sentence shows what they were; `turns`: the post ends or opens a day, so that a role behind a
    name is enough."""
    tags, day = clause.tags, day_of(clause)
    patterns = [(_WAS_ROLE, True), (_THEIR_ROLE, turns), (_DATED_ROLE, True)]
    patterns += [(_IS_ROLE, True), (_WAS_SOMETHING, True), (_DATED, True)] if turns else []
    for pattern, sure in patterns:
        for found in pattern.finditer(tags):
            end = found.end("what") if "what" in pattern.groupindex else found.end("who")
            if sure and not _void(clause, found.start(), end) and _whole(clause, found):
                yield Dead(_who(clause, found), Cause.SHOWN, clause.text, pattern is _WAS_ROLE, day)


def _whens(clause: Clause, first: bool, alone: bool) -> Iterator[When]:
    """The days and nights that a sentence names; `first`: it begins a line, `alone`: it is all of one."""
    tags = clause.tags
    for found in _PHASES.finditer(tags):
        number = next(
            (
                clause.tokens[place].value
                for place in map(found.start, ("n", "rank", "behind", "late"))
                if place >= 0
            ),
            None,
        )
        night = LETTERS["night"] in found[0]
        if number is None and (not night or len(clause.tokens[found.start()].text) == 1):
            continue
        yield When(night, number, _phase(clause, found, first, alone), clause.text)


_PHASES = shape(
    r"(?:<day>|<night>)(?:,?t?(?P<behind><ranks>)|(?:[(:-](?=#))?(?P<n>#)?)|<morning>,?t?(?P<late><ranks>)"
    r"|(?P<rank><ranks>)(?:<day>|<night>|<morning>)"
)


def _phase(clause: Clause, found: re.Match[str], first: bool, alone: bool) -> Phase:
    before, behind = clause.tags[: found.start()], clause.tags[found.end() :]
    segment = before[before.rfind(",") + 1 :]
    if (
        clause.asked
        or LETTERS["elsewhere"] in clause.tags
        or LETTERS["if"] in before
        or LETTERS["goes_on"] in behind
    ):
        return Phase.COMES
    if re.match(shape(r"<of>(?:<not>|t)"), behind) and clause.tokens[found.end() + 1].text.lower() != "the":
        return Phase.COMES  # “day 5 of my holiday”, “day 2 of no sleep”
    rest = re.sub(r"[tA:.,()|=*-]", "", before + behind)
    if LETTERS["votecount"] in before + behind:
        return Phase.COMES
    if any(LETTERS[one] in segment for one in ("future", "when", "not")):
        return Phase.COMES
    if _ENDED_BEHIND.match(behind):
        return Phase.ENDED
    if _ENDED_BEFORE.search(before):
        # “The end of Day 1 moves to Sunday” speaks of a time to come.
        moved = _A_TIME.match(behind) and not _FELL.search(before)
        return Phase.RUNS if moved else Phase.ENDED
    if _BEGINS_BEFORE.search(before) or _BEGINS_BEHIND.match(behind):
        later = behind[behind.find(LETTERS["begins"]) + 1 :] if LETTERS["begins"] in behind else ""
        if LETTERS["future"] in behind or LETTERS["not"] in behind[:4] or (later and _later(clause, later)):
            return Phase.COMES
        return Phase.BEGINS
    if LETTERS["future"] in behind[:3] and LETTERS["ends"] not in behind:
        return Phase.COMES
    if _RUNS_BEHIND.match(behind) or _RUNS_BEFORE.search(before):
        return Phase.RUNS
    if _PAST_ROW.match(behind):
        return Phase.COMES  # “Day 2: Ada was lynched.”
    if LETTERS["night"] in found[0] and not before and _TITLE_OF_FEW.match(behind):
        return Phase.TITLE
    if not rest or (first and not before.strip("tA(:=-*") and (alone or _TITLE_ENDS.match(behind))):
        return Phase.TITLE
    return Phase.COMES


_TITLE_OF_FEW = shape(r",[Awtq]{1,3}$")  # “Night 1, actions please.”
_TITLE_ENDS = shape(r"[:,.(|/-]|(?:<of>t?[wT]{1,2})?$")
_ENDED_BEHIND = shape(r"[:,(-]?(?:<be>|<was>|<adverb>|<players>)*<ended>")
_ENDED_BEFORE = shape(r"<ended>[tA~w]{0,2}$")
_A_TIME = shape(r"(?:<be>|<future>|<adverb>|w)+")
_FELL = shape(r"<out>|<dead>")
_BEGINS_BEFORE = shape(r"(?:<begins>|<be>)[tA:,]*$|<morning>[tA:,w>~]{0,3}$")
_BEGINS_BEHIND = shape(r"[:,(-]?(?:<be>|<was>|<adverb>|w(?=B))*(?:<begins>|<morning>)")
_RUNS_BEHIND = shape(r"[:,(-]?(?:<be>|<future>|<adverb>)*(?:<ends>|<be>#)")
_RUNS_BEFORE = shape(r"<ends>[:~>tA-]*$")


_PAST_ROW = shape(r"^[:,-]t?<name>[^,;]{0,6}<out>")


def _later(clause: Clause, behind: str) -> bool:
    """Whether what follows “begins” names a time to come: “on Friday”, “in 24 hours”, “at 8 pm”."""
    tokens = clause.tokens[len(clause.tokens) - len(behind) :]
    if tokens and _is_dated(clause.text[tokens[0].start :]):
        return True
    said = [token.text.lower() for token in tokens[:3]]
    return any(map(is_of_time, said)) and not any(word in ("now", "here") for word in said[:1])


# “May 3rd”, “3. Mai”, “12/5”.
_DATE = re.compile(
    r"\W*(?:[^\W\d_]{2}\s)?(?:(?P<month>[^\W\d_]+)\.?\s\d"
    r"|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:[^\W\d_]{2}\s)?(?P<named>[^\W\d_]+)|\d{1,2}[./]\d)"
)


def _is_dated(text: str) -> bool:
    """Whether a text begins with a date."""
    found = _DATE.match(text)
    month = found and (found["month"] or found["named"])
    return found is not None and (not month or month_of(month.casefold()) is not None)


def _numbers(clause: Clause) -> Iterator[Statement]:
    tags = clause.tags
    if LETTERS["numbers"] not in tags or clause.asked:
        return
    alive = next((found for one in _ALIVE if (found := one.search(tags))), None)
    nobody = _FOR_NOBODY.search(tags)
    needed = next(
        (
            found
            for one in _NEEDED
            for found in one.finditer(tags)
            if nobody is None or found.start("n") not in (nobody.start("n"), nobody.start("m"))
        ),
        None,
    )
    if alive is not None and needed is not None and alive.start("n") == needed.start("n"):
        alive = None
    if alive is not None and (number := clause.tokens[alive.start("n")].value) > 1:
        yield Alive(number)
    if needed is not None and clause.tokens[needed.start("n")].value > 1:
        yield Needed(clause.tokens[needed.start("n")].value)
    if nobody is not None:
        yield Needed(clause.tokens[max(nobody.start("n"), nobody.start("m"))].value, for_nobody=True)


def _replacements(clause: Clause) -> Iterator[Replaced]:
    tags = clause.tags
    if clause.asked or LETTERS["if"] in tags:
        return
    for pattern, passive in ((_REPLACED_BY, True), (_REPLACES, False)):
        for found in pattern.finditer(tags):
            before = _ending_name(clause, found.start()) or _subject(clause, found.start())
            behind = _beginning_name(clause, found.end())
            segment = clause.part(found.start(), found.start())
            if not before or not behind or any(LETTERS[one] in segment for one in ("when", "not")):
                continue
            yield Replaced(behind, before) if passive else Replaced(before, behind)


def _subject(clause: Clause, end: int) -> str:
    """Who a verb is said of from which a few words part it: “Zed has kindly agreed to fill in for Ada”."""
    found = _FEW_WORDS.search(clause.tags, 0, end)
    slot = clause.tokens[found.start()].slot if found else None
    return slot.name if slot is not None else ""


_FEW_WORDS = shape(r"<name>(?:<be>|<adverb>|w|<to>|<plays>){1,5}$")
_HANDED_ON = (
    shape(r"(?P<old><name>)<be>?w[tp](?:<seat>|<role>)<to>(?P<new><name>|w)"),
    shape(r"^(?:<to>|<by>)(?P<old><name>)<plays>(?:<adverb>|<be>|w){0,3}?(?P<new><name>|w)$"),
    shape(r"(?P<new><name>|w)(?:<adverb>|<be>){0,2}<plays>(?:<adverb>|w){0,2}(?:<to>|<by>)(?P<old><name>)"),
    shape(r"(?:^|[:(])(?P<old><name>)»(?P<new><name>|w)(?:$|[,(])"),
    shape(r"<replacement>[:,(t]{1,2}(?P<new><name>|w)(?:<to>|<by>)(?P<old><name>)"),
)
"""“Ada has handed her role to Zed”, “Für Ada spielt Zed”, “Zed spielt jetzt für Ada”, “Ada → Zed
(replacement)”, “Substitution: Zed for Ada”."""


def _handed_on(clause: Clause) -> Iterator[Replaced]:
    """Who plays for somebody else, in other words."""
    denied = ("if", "when", "not", "elsewhere", "future")
    if clause.asked or any(LETTERS[one] in clause.tags for one in denied):
        return
    for pattern in _HANDED_ON:
        for found in pattern.finditer(clause.tags):
            arrow = "»" in found[0]
            if arrow and LETTERS["replacement"] not in clause.tags:
                continue
            new, old = (clause.tokens[found.start(one)] for one in ("new", "old"))
            known = new.slot.name if new.slot is not None else new.text
            if old.slot is not None and (new.slot is not None or known[:1].isupper()):
                yield Replaced(known, old.slot.name)


# “Zed has taken Ada's spot”, “please welcome Zed, who inherits the chair of Ada”, “Ada's slot goes to Zed”.
_SEAT = shape(r"(?P<old><name>|n)'?(?:w)?<seat>|<seat>(?:<of>|[t])+(?P<of><name>)")
_THEIR_SEAT = shape(r"[tp>]<seat>")
_GIVEN_TO = shape(r"^(?:<be>|<future>|<adverb>|w){0,4}(?:<to>|<by>)")


def _seat_taken(clause: Clause, before: tuple[str, ...]) -> Iterator[Replaced]:
    """Who takes whose seat; “in their place” is that of whoever alone was named `before`."""
    tags = clause.tags
    found = _SEAT.search(tags) or _THEIR_SEAT.search(tags)
    denied = ("not", "when", "elsewhere", "replaces", "replaced_by")
    if found is None or clause.asked or LETTERS["if"] in tags:
        return
    segment = clause.part(found.start(), len(tags))
    if any(LETTERS[one] in segment for one in denied):
        return
    given = _GIVEN_TO.match(tags[found.end() :])
    if given:
        name = _beginning_name(clause, found.end() + given.end())
    else:
        name = _newcomer_before(clause, found.start())
    if found.re is _SEAT:
        held = clause.tokens[max(found.start("old"), found.start("of"))].slot
        old = held.name if held is not None else ""
    else:
        named = dict.fromkeys(slot.name for slot in clause.named(0, found.start()) if slot.name != name)
        earlier = tuple(named) or before
        old = earlier[0] if len(earlier) == 1 else ""
    if name and old and name != old:
        yield Replaced(name, old)


def _newcomer_before(clause: Clause, end: int) -> str:
    """The last name before a token; one that begins the sentence where a verb of a third person follows."""
    for place in range(end - 1, -1, -1):
        if clause.tags[place] == NAME:
            return clause.tokens[place].slot.name  # type: ignore[union-attr]
        if clause.tags[place] != "w" or not _like_name(clause, place):
            continue
        if place == 0:
            follows = clause.tags[1:2] in (LETTERS["be"], LETTERS["future"]) or clause.tokens[
                1
            ].text.endswith("s")
            return clause.tokens[0].text if follows else ""
        return clause.tokens[place].text
    return ""


# “Out: Ada. In: Zed.”, “Ada out, Zed in.”
_GOES_OUT = r"(?:out|leaves|raus|sale|sort|wychodzi|sai)"
_COMES_IN = r"(?:in|joins|rein|entra|entre|wchodzi)"
_AND_I = shape(r"(?P<who><name>)<and><you>|<you><and>(?P<other><name>)")
_TOGETHER = re.compile(
    r"\b(?:runn?(?:ing)?|host\w*|modd?(?:ing|erat\w*)?|leit\w*|dirig\w*|prowadz\w*)\b", re.IGNORECASE
)
_NAMED = r"[^\s,;/.:()&][^,;/.:()&]{0,28}?"
_SWAPPED = (
    re.compile(
        rf"\b{_GOES_OUT}\b[\s:=-]*(?P<old>{_NAMED})[\s,;/.&|-]+{_COMES_IN}\b[\s:=-]+(?P<new>{_NAMED})\s*(?=[,;/.)]|$)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:^|[.;(:,])\s*(?P<old>{_NAMED})\s+(?:is\s)?{_GOES_OUT}\b(?:\s\w+)?[\s,;/.&|-]+(?:and\s|so\s)?(?P<new>{_NAMED})\s+(?:is\s)?{_COMES_IN}\b",
        re.IGNORECASE,
    ),
)


def _swaps(line: Sequence[Clause]) -> Iterator[Replaced]:
    """Replacements that a line tells as who goes and who comes."""
    text = ". ".join(clause.text for clause in line)
    for pattern in _SWAPPED:
        for found in pattern.finditer(text):
            yield Replaced(found["new"], found["old"])


def _ending_name(clause: Clause, end: int) -> str:
    """The name that ends before a token: a whole name, else the words there that look like one."""
    place = end
    while place and clause.tags[place - 1] in "(,)-A:X":
        place -= 1
    if place and clause.tokens[place - 1].slot is not None and clause.tags[place - 1] == NAME:
        return clause.tokens[place - 1].slot.name  # type: ignore[union-attr]
    first, words = place, 0
    while first and words < _MOST_WORDS and _like_name(clause, first - 1):
        first -= 1
        while first and _joined(clause, first):
            first -= 1
        words += 1
    return clause.written(first, place)


def _beginning_name(clause: Clause, start: int) -> str:
    place = start
    while place < len(clause.tags) and clause.tags[place] in "(t:AP-":
        place += 1
    if place < len(clause.tags) and clause.tags[place] == NAME:
        return clause.tokens[place].slot.name  # type: ignore[union-attr]
    last, words = place, 0
    while last < len(clause.tags) and words < _MOST_WORDS and _like_name(clause, last):
        last += 1
        while last < len(clause.tags) and _joined(clause, last):
            last += 1
        words += 1
    return clause.written(place, last)


def _joined(clause: Clause, place: int) -> bool:
    """Whether a token belongs to the word of the one before it: “Z-16_of_Falcon”."""
    before, here = clause.tokens[place - 1], clause.tokens[place]
    between = clause.text[before.end : here.start]
    return len(between) < 2 and not between.isspace() and here.letter not in _APART_FROM_NAMES


_MOST_WORDS = 3
"""Words of a name that is not known; what a sign joins is one."""
_APART_FROM_NAMES = frozenset(",:()/|»·")


def _like_name(clause: Clause, place: int) -> bool:
    """Whether a word may be part of a name that is not known: it has a capital, a digit or a sign in it."""
    token = clause.tokens[place]
    if token.letter not in "wn#B":
        return False
    return any(char.isupper() or char.isdigit() or char == "_" for char in token.text)


def _revivals(clause: Clause) -> Iterator[Revived]:
    for found in _REVIVES.finditer(clause.tags):
        group = "who" if found["who"] else "them"
        how = found.start("how") if found["who"] else found.start()
        start = found.start()
        tags = clause.tags
        segment = clause.part(start, how)
        if (
            clause.asked
            or LETTERS["if"] in tags[:how]
            or LETTERS["elsewhere"] in tags
            or "W" in segment
            or "!" in segment
        ):
            continue
        yield Revived(_who(clause, found, group), clause.text)


def _spared(clause: Clause) -> Iterator[Spared]:
    tags, day = clause.tags, day_of(clause)
    if clause.asked or LETTERS["if"] in tags or LETTERS["elsewhere"] in tags:
        return
    for found in _NOBODY.finditer(tags):
        segment = clause.part(found.start(), found.start())
        later = _WHEN_SOMEBODY.match(tags, found.end())  # “before Ada, and now Ada was”
        if not later and LETTERS["when"] not in segment and LETTERS["future"] not in segment + found[0]:
            yield Spared(_cause(clause, found), clause.text, day)
    if _NOBODY_ACTED.search(tags) or _MISSED.search(tags):
        yield Spared(Cause.VOTE, clause.text, day)
    if LETTERS["no_kill"] in tags:
        yield Spared(Cause.KILLED, clause.text, day)
    place = tags.find(LETTERS["no_out"])
    segment = clause.part(place, place) if place >= 0 else ""
    if place >= 0 and not any(LETTERS[one] in segment for one in ("when", "future", "not", "vote")):
        # Not “5 to no lynch”, nor the wagon “No Lynch (1): Ada”, nor “votes for no lynch”.
        counted = any(LETTERS[one] in tags for one in ("vote", "tie", "to", "takes"))
        if (
            not counted
            and LETTERS["future"] not in tags
            and NAME not in tags
            and not _NO_OUT_WAGON.search(tags)
        ):
            yield Spared(Cause.VOTE, clause.text, day)


_WHEN_SOMEBODY = shape(r"<when><name>")
_NO_OUT_WAGON = shape(r"<no_out>[(:-]*#|#[()]*<no_out>")
# “The town has failed to reach a majority.”
_MISSED = shape(r"<not>(?:<to>|w){0,2}(?:<reached>|<takes>|w)t?<majority>$")
_REACHED = shape(r"(?:<puts_out>|<majority>|<no_out>|<out>)(?:<be>|<was>|<adverb>)*<reached>")
_CALLED = shape(r"^(?:[tA]|<be>|<begins>|<they>|w){0,3}(?:<majority>|<puts_out>|<no_out>)$")
_FINAL = shape(r"<ended>.{0,4}<votecount>|<votecount>[(:-]*<ended>")
_ACTIONS = shape(r"<night_acts>")


_CALLING = (
    "hammer",
    "that's",
    "that’s",
    "that is",
    "and that's",
    "and that is",
    "thats",
    "das ist",
    "eso es",
)


def _decided(clause: Clause) -> Iterator[Decided]:
    """Whether a sentence tells in other words that the day is over."""
    tags = clause.tags
    if clause.asked or LETTERS["if"] in tags or LETTERS["elsewhere"] in tags:
        return
    up = tags.find(LETTERS["time_is_up"])
    timed = up >= 0 and not any(LETTERS[one] in tags for one in ("when", "future"))
    timed = timed and LETTERS["not"] not in clause.part(up, up)
    if LETTERS["not"] in tags and not timed:
        return
    reached = _REACHED.search(tags)
    if (
        (reached and not any(LETTERS[one] in tags[: reached.end()] for one in ("when", "future")))
        or _FINAL.search(tags)
        or _ACTIONS.search(tags)
        or timed
        or (_CALLED.match(tags) and (clause.text.isupper() or clause.text.lower().startswith(_CALLING)))
    ):
        yield Decided(clause.text, timed)


def _assistants(clause: Clause) -> Iterator[str]:
    together = _AND_I.search(clause.tags)
    if together and _TOGETHER.search(clause.text) and not clause.asked:
        token = clause.tokens[max(together.start("who"), together.start("other"))]
        yield from (token.slot.name,) if token.slot is not None else ()
    helps = any(LETTERS[one] in clause.tags for one in ("moderator", "assists", "votecount"))
    if clause.asked or not helps or LETTERS["if"] in clause.tags or LETTERS["not"] in clause.tags:
        return
    for pattern in _ASSISTS:
        for found in pattern.finditer(clause.tags):
            token = clause.tokens[found.start(found.lastgroup or "who")]
            if token.slot is not None and token.letter == NAME:
                yield token.slot.name


def statements(lines: Sequence[Sequence[Clause]]) -> tuple[Statement, ...]:
    """What the sentences of a post state, in their order; each line is its sentences."""
    found = [*_stated(lines), *_listed_dead(lines)]
    turns = any(_turns(one) for one in found)
    if turns:
        found += _more(lines)
    return tuple(dict.fromkeys(found))


def _turns(one: Statement) -> bool:
    """Whether a statement shows that a post ends or opens a day, or tells of a death."""
    if isinstance(one, When):
        return one.phase in (Phase.TITLE, Phase.BEGINS, Phase.ENDED)
    return isinstance(one, Dead | Spared)


def _stated(lines: Sequence[Sequence[Clause]]) -> Iterator[Statement]:
    for line in lines:
        alone = len(line) == 1
        of_one: tuple[str, ...] = ()
        before: tuple[str, ...] = ()
        yield from _swaps(line)
        for place, clause in enumerate(line):
            if not clause.tags:
                continue
            yield from _whens(clause, place == 0, alone)
            yield from _deaths(clause)
            yield from _shown(clause, False)
            if (
                alone
                and not clause.asked
                and (role := _LINE_ROLE.fullmatch(clause.tags))
                and _whole(clause, role)
            ):
                yield Dead(_who(clause, role), Cause.SHOWN, clause.text, False, None)
            if of_one and not clause.asked and not _void(clause, 0, len(clause.tags)):
                theirs = _THEY.match(clause.tags)
                were = _THEY_WERE.match(clause.tags)
                if theirs or were:
                    cause = Cause.SHOWN if theirs is None else _cause(clause, theirs)
                    yield Dead(of_one, cause, clause.text, True, day_of(clause))
            if len(before) > 1 and _ALL_OF_THEM.match(clause.tags) and not clause.asked:
                yield Dead(before, Cause.KILLED, clause.text, True, day_of(clause))
            yield from _spared(clause)
            yield from _revivals(clause)
            yield from _replacements(clause)
            yield from _handed_on(clause)
            yield from _seat_taken(clause, of_one)
            yield from _decided(clause)
            if LETTERS["goes_on"] in clause.tags and not clause.asked:
                yield GoesOn(clause.text)
            yield from _numbers(clause)
            here = clause.people()
            before = here or before
            of_one = here if len(here) == 1 else of_one if not here else ()


def _more(lines: Sequence[Sequence[Clause]]) -> Iterator[Dead]:
    """What a post that ends or opens a day tells beside its sentences: roles behind names, and what somebody
    was of whom alone a sentence before speaks."""
    for line in lines:
        alone: tuple[str, ...] = ()
        for clause in line:
            if len(alone) == 1 and not clause.asked and _THEY_WERE_SOMETHING.fullmatch(clause.tags):
                yield Dead(alone, Cause.SHOWN, clause.text, False, day_of(clause))
            here = clause.people()
            alone = here or alone
            told = {name for one in _shown(clause, False) for name in one.who}
            yield from (one for one in _shown(clause, True) if not told.issuperset(one.who))


def assistants(lines: Sequence[Sequence[Clause]]) -> tuple[str, ...]:
    """Whom a moderator's post names as moderating, too."""
    return tuple(dict.fromkeys(name for line in lines for clause in line for name in _assistants(clause)))
