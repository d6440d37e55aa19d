"""What the rules of a house say of votes: a subject and a value a sentence, found by shapes over tags.

What a sentence says of votes and nobody here understands is `UNKNOWN`: it is told, never left out in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from knightfall.names import Names
from knightfall.reading.clauses import Clause, clauses
from knightfall.reading.lexicon import LETTERS
from knightfall.reading.share import Share
from knightfall.reading.statements import shape


class Subject(Enum):
    """What a statement is about."""

    MAJORITY = "majority"
    """So many votes eliminate at once; “number” where nothing but how many is said."""
    SHARE = "share"
    """Another part of the living than more than half: “2/3”, “1/2”, “>3/5”, “1/2+2”, “1-1”."""
    FIXED = "fixed"
    """That many votes, however many live."""
    FIXED_ON = "fixed_on"
    """So many votes on one day alone: “1=6”."""
    MOST = "most"
    """Whoever has the most votes at the deadline is eliminated; “plurality” where that is its name."""
    STANDING = "standing"
    """Who would be eliminated as it stands."""
    NO_HAMMER = "no_hammer"
    NOBODY_AT_DEADLINE = "nobody_at_deadline"
    """Without a majority nobody is eliminated."""
    NOBODY_CHEAPER = "nobody_cheaper"
    """No elimination takes one vote fewer, or half."""
    MARK = "mark"
    """How votes are marked: bold, red, italic, code, heading, own_line, plain."""
    BOLD_IS_NOTHING = "bold_is_nothing"
    UNVOTE = "unvote"
    """The words that take a vote back; in the sentence they are an example."""
    BY_NUMBER = "by_number"
    NO_NOBODY = "no_nobody"
    """Nobody cannot be voted for."""
    ELSEWHERE = "elsewhere"
    PRIVATE = "private"
    """Votes are sent to the moderator."""
    TIE = "tie"
    NO_SELF_VOTE = "no_self_vote"
    UNVOTE_FIRST = "unvote_first"
    FINAL = "final"
    CHANGES = "changes"
    SEVERAL_VOTES = "several_votes"
    ELIMINATIONS = "eliminations"
    WEIGHT = "weight"
    """The vote of somebody counts so much: “NAME=2”."""
    SHIFT = "shift"
    """It takes so many votes more or fewer for somebody: “NAME=-1”."""
    NOMINATIONS = "nominations"
    NO_CARRY = "no_carry"
    LENGTH = "length"
    VERB = "verb"
    """What it takes so many votes to do."""
    RULE = "rule"
    """The whole rule, in its own sentences."""
    NEEDED_OTHERWISE = "needed_otherwise"
    """It takes so many votes as no `SHARE` or `FIXED` tells: other numbers on some days."""
    UNKNOWN = "unknown"


NOT_APPLIED = frozenset({Subject.NOMINATIONS, Subject.NO_CARRY, Subject.NEEDED_OTHERWISE, Subject.UNKNOWN})
"""What a count does not know how to follow."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """What a sentence states of a subject, with its value where the subject has one."""

    subject: Subject
    words: str
    value: str = ""


def _t(*names: str) -> str:
    return "[" + "".join(re.escape(LETTERS[name]) for name in names) + "]"


_OUT = _t("out", "puts_out", "dead", "kills")
_SHARE = shape(
    r"(?:(?P<more><more>|<ended>|<most>|<more><vote>?w)[~t]{0,2})?(?:(?P<n>#)(?P<part><third>|<quarter>|%)|(?P<half><half>))(?P<plus>[+&](?:#|<more>)?)?"
)
# “A majority and two”, “majority plus one”, “la majorité plus une voix”, “one more than a majority”.
_PLUS = shape(
    r"(?P<n>#|t)<vote>?<more>(?:[w~t]|<plurality>)*<majority>|<majority>(?:<of>|<article>|<alive>|<players>|w){0,4}(?:<more>(?P<m>#|t)|[+&](?P<k>#|t(?=<vote>)))"
)
# “One vote fewer than a majority”, “majority minus one”, “the majority less two”.
_MINUS = shape(
    r"(?P<n>#|t)<vote>?<fewer>(?:[w~tp]|<plurality>)*<majority>|<majority>(?:<of>|<article>|<alive>|<players>|w){0,4}(?:<except>|<fewer>)(?P<m>#)?"
)
# “All but two”, “everybody except the accused”.
_ALL_BUT = shape(
    r"(?:^|<everybody>.{0,4}|<future>|<when>)<except>t?(?P<n>#)?|<except>(?P<m>#)(?:<players>|~|<be>)"
)
_NOBODY_UNTIL = shape(r"<nobody>[^,;]{0,5}(?:<when>|<if>|<ends>)[^κ]*$")
# “On day 1 five votes, from then on a majority”.
_ON_A_DAY = shape(r"<day>#|(?:<before>|\^)<day>|#<day>")
# “On day 1 it takes six votes to lynch”, “six votes on the first day”.
_FIXED_ON = shape(
    r"^(?!<day>#[:,-])[^;#]*?(?:<day>(?P<day>#)|(?P<rank><ranks>|<before>)<day>)[^;#]{0,8}?(?:(?P<n>#)(?:<vote>|<to>?<puts_out>)|<takes>(?P<m>#))"
)
_FIXED_IF = shape(r"(?:<if>|<when>|<ranks>|t).{0,6}?(?P<n>#)<vote>")
_FIXED_AT = shape(r"^(?P<n>#)<vote>(?:<be>|<takes>|<adverb>)*(?:<to>)?(?:<puts_out>|<at_once>)")
# “It takes 4 to lynch”, “4 votes to eliminate”.
_NUMBER_TAKES = shape(r"(?:<takes>|<be>)#<vote>?(?:<to>)<puts_out>|#<vote><to><puts_out>")
_NOT = _t("not")
_DENIED = shape(r"(?:<not>|<nobody>)[^,;]{0,4}$")
_MOST = shape(
    r"<most>(?:w|~|<number_word>){0,2}<vote>|(?:<if>|<they>|t|<players>)(?:<be>|<takes>|[tw])*<most>|<most>$"
)
_MOST_FALLS = shape(rf"<most>[^,;]{{0,12}}{_OUT}")
_LEAVES = re.compile(r"\b(?:goes|gone|out|leaves?|departs?|loses)\b", re.IGNORECASE)
_NO_HAMMER = shape(
    r"(?:<not>|<nobody>)[tAw]{0,2}<majority>(?!(?:<be>)?<reached>|,)|<majority>(?:<be>|<was>|w)*(?:<not>|<forbidden>)(?!<reached>)|<majority>(?:<be>)<back>"
    r"|<day>A*(?:<ends>|<future>)A*(?:[tw>~])*<deadline>|<day>(?:[A]|<future>)*<ends><ends>?[t]*<deadline>"
)
_MISSED = shape(r"<deadline>[&,].{0,4}<not>[tAw]{0,2}<majority>$")  # “Time is up and there is no majority.”
# “No hammer, the most votes decide.”
_NO_SUCH_HAMMER = re.compile(r"\W*no hammer(?:ing|s)?\b", re.IGNORECASE)
_TIE = shape(r"<tie>|<if>(?:#|<everybody>|<more>|w?<players>)(?:<players>|[~qt])*(?:<be>|<takes>|t)*<most>")
_TIES = (
    ("runoff", shape(r"<runoff>")),
    ("random", shape(r"<random>")),
    ("longest_held", shape(r"<longest>")),
    ("last_to_reach", shape(r"<last>")),
    ("first_to_reach", shape(r"<ranks>|<before>")),
    ("ask", shape(r"<decides>")),
    ("no_elimination", shape(rf"<no_out>|<nobody>|<not>.{{0,5}}{_OUT}")),
    ("all", shape(rf"<everybody>.{{0,8}}{_OUT}")),
)
_SELF = shape(
    r"(?:<forbidden>|<not>|<nobody>).{0,4}<vote>.{0,3}<self>|(?:<voteless>|<forbidden>).{0,3}<self>|<vote>.{0,3}<self>.{0,5}(?:<forbidden>|<not>)|(?:<nobody>|<not>)<self>(?!.)|<self>(?:<be>|<future>)*(?:<forbidden>|<not>)"
)
_NO_NOBODY = shape(
    r"(?:<not>|<forbidden>|<when><not>)(?:<vote>)(?:<to>)?(?:<nobody>|<no_out>)|<no_out>(?:w)?(?:<be>|<was>)?<forbidden>"
    r"|^[^IW]{0,2}(?:<be>|w)<not>[wtv]{0,5}<no_out>"
    r"|<vote>(?:<to>|w){0,2}(?:<nobody>|<no_out>)[^,;]{0,3}(?:<not>|<forbidden>)|<voteless>(?:<to>)?(?:<nobody>|<no_out>)"
)
_CHEAPER = shape(
    r"(?:(?:#<vote>?)?<fewer>|<half>)(?:.{0,8})(?:<to>|t|<vote>)*<no_out>|<no_out>(?:.{0,4})(?:<takes>|<take>|<be>|w).{0,4}(?:<fewer>|<half>)"
)
_UNVOTE_FIRST = shape(
    r"<must>(?:w|<adverb>|<to>|<before>){0,2}<unvote>[^,;]{0,4}<before>|<must>(?:w|<adverb>)?<before><unvote>"
)
# “A second vote does not count until the first is taken back”, “vote without unvoting and the old one
# stands”.
_OLD_STANDS = re.compile(
    r"\b(?:as long as|so long as|until|unless|without|before|while|bevor|solange|bis|ohne|hasta|mientras|sin"
    r"|tant|avant|sans|dopóki|zanim|bez|até|enquanto|antes|sem)\b",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\b(?:no effect|ohne wirkung|wirkungslos|sin efecto|sans effet|bez skutku|sem efeito|stands?"
    r"|stays?|remains?|bleibt|gilt|queda|reste|zostaje|fica)\b",
    re.IGNORECASE,
)
_FREE = shape(r"(?:<not>|<nobody>)[^,;]{0,3}<unvote>")
_FINAL = shape(
    r"<vote>.{0,6}<final>|<before><vote>[^,;]{0,12}<counts>|<final>.{0,6}<vote>|<only><vote>|<vote>[^T]{0,6}<only>(?:#|<vote>)?$"
)
_CHANGES = shape(
    r"(?:<changes>)[tw]{0,2}<vote>[^#]{0,6}?(?P<n>#|w|<when>|<double>)?(?:w)?<per_day>|(?P<m>#)(?:w|<vote>)?<changes>.{0,3}<per_day>"
    r"|<changes>(?:[tw])*(?P<o>#|<double>)(?:w)?<per_day>|(?P<p>#)<changes>t?<vote>"
)
_SEVERAL_VOTES = shape(
    r"<vote><to>?[^,]{0,3}<players>[^,]{0,5}<you>|#<vote>|<vote>.{0,3}(?:w|<more>)<players>|<double>|<vote>(?:<to>)?#<players>"
)
_SEVERAL_OUT = shape(
    rf"(?P<n>#)(?:w)?(?:<puts_out>|<players>(?:<be>|<future>)*{_OUT}).{{0,8}}<per_day>|<per_day>.{{0,8}}(?P<m>#)(?:w)?(?:<puts_out>|<players>)"
)
_CARRY = shape(r"<vote>.{0,4}<not>.{0,2}<carry>|<carry>.{0,8}<not>|<vote>.{0,6}<carry>")
_WEIGHT = shape(
    r"(?P<who><name>)'?w{0,2}(?:<vote>)(?:<future>|<be>|<adverb>)*<counts>?[w~]*(?P<how><double>|<triple>|<voteless>)"
    r"|(?P<has><name>)(?:<be>|<was>|<adverb>|[ta])*(?P<what><double>|<triple>|<voteless>)"
    r"|(?P<whose><name>)[^NnI?]{0,12}<vote>(?:<future>|<be>|<adverb>|w)*<counts>[w~]*(?P<times><double>|<triple>|#)"
)
_LOST = shape(
    r"(?P<who><name>)'?(?:w{0,2})<vote>(?:<future>|<be>|<adverb>|w)*(?:<not><counts>|<forbidden>)"
    r"|<vote>(?:~|<by>)(?P<of><name>)(?:<future>|<be>|<adverb>|w)*(?:<not><counts>|<forbidden>)"
)
_VOTELESS = shape(r"(?P<who><name>)[^NnI?]{0,12}<voteless>")
_LOVED = shape(r"(?P<who><name>)(?:[^NnI!]{0,6})(?P<how><hated>|<loved>)")
_SHIFT = shape(r"(?P<n>#)<vote>?(?P<how><fewer>|<more>)(?:.{0,6}?)(?:<puts_out>)(?P<who><name>)")
_PRIVATE = shape(
    r"<vote>(?:<adverb>|<be>|<to>|<future>|<must>|<by>|<you>|<article>|[w,]){0,6}(?<!<role>)<private>"
    r"|(?<!<role>)<private>(?:<you>|<article>|<moderator>|<to>|<be>|w){0,4}<vote>"
)
_ELSEWHERE = shape(
    r"<vote>(?:.{0,8})(?:w|<to>)[t](?:w){0,2}<vote><thread>|<not>[w]?<vote>(?:w){0,2}<thread>|<vote>.{0,10},?(?:<and>)?<not>(?:w)?<thread>|<vote>.{0,4}<thread>(?:<be>|<future>|w)*(?:<not>|<forbidden>)"
)
_HERE = shape(r"<begins>t?<vote><thread>|<be>t<vote><thread>")
_NUMBERED = shape(r"<vote>.{0,4}<number_word>|<number_word>.{0,6}<vote>")
_LENGTH = shape(r"<day>.{0,6}(?:<ends>|<be>).{0,6}#(?:w|<day>)")
_TO_VERB = shape(
    r"<alive>,?(?:<adverb>|<and>)*(?:<they>)?(?:<be>|<takes>)*#<to>(?P<verb>w|<puts_out>|<kills>)"
)
_TAKES_BACK = shape(
    r"<takes_back>.{0,6}(?:<vote>|<back>|<they>|<takes_back>)|<take>(?:<they>|t|<vote>|w){0,3}(?:<back>|<puts_out>)|<to><unvote>|<unvote>(?:<to>|[:])|<vote>.{0,3}<back>"
)
# “Bold without hashes is decoration”, “bold votes do not count”; not “bold your votes or they do not count”.
_BOLD_IS_NOTHING = shape(r"<bold>(?:<vote>|<be>|<future>|<not>|<to>|[wt])*?(?:<talk>|<forbidden>)")
_MARKS = (
    "bold",
    "red",
    "italic",
    "code",
    "heading",
    "own_line",
    "plain",
    "spoken",
    "coloured",
    "large",
    "item",
)
_SIGNS = (
    ("hashes", re.compile(r"#{1,5}\s?vote", re.IGNORECASE)),
    ("bang", re.compile(r"!vote\b", re.IGNORECASE)),
    ("raw_tag", re.compile(r"\[/?vote\]", re.IGNORECASE)),
)
_STANDING = shape(
    rf"<standing>.{{0,9}}(?:<standing>|<when>|<to>|<be>).{{0,3}}{_OUT}|(?:<standing>|<when>).{{0,3}}{_OUT}.{{0,4}}<standing>"
)


def rules_of(lines: Iterable[str], names: Names) -> Iterator[HouseRule]:
    """What lines state of the rules of a house, in their order."""
    lines = tuple(lines)
    yield from _threshold_table(lines, names)
    for line in lines:
        of_nobody = False
        for clause in clauses(line, names, rules=True):
            of_nobody = _has(clause, "no_out") or (of_nobody and clause.text.lower().startswith("it "))
            if clause.asked or not clause.tags:
                continue
            if of_nobody and not _has(clause, "no_out") and _share_of(clause) is not None:
                # “You may vote for no elimination. It takes one vote fewer.”
                yield HouseRule(Subject.NOBODY_CHEAPER, clause.text)
                continue
            yield from _stated(clause)


# “9 alive: 5 to eliminate”, “| 13 | 8 |”.
_ROW = shape(
    r"^\|?(?:w|t)*(?P<n>#)(?:<fewer>|<more>|<alive>|<players>|[wtq])*[:,|»=\-–>]*(?:p?<takes>|[wt])*(?P<m>#)(?:<vote>|<to>|[|w]|<puts_out>)*$"
)
_CELL = re.compile(r"^\s*(\d{1,2})\.\s(?=\d)")
"""The first number of a row whose second cell is a number: “9. 6”."""
_SHARES = (
    *(f">1/2{plus}" for plus in ("", "+1", "+2", "-1", "-2")),
    "2/3",
    ">2/3",
    "3/4",
    "3/5",
    ">3/5",
    "1/2",
    "1-1",
    "1-2",
    "1",
)


def _threshold_table(lines: Sequence[str], names: Names) -> Iterator[HouseRule]:
    """The part of the living that a table of how many live and how many votes it takes then shows; what no
    part tells is `NEEDED_OTHERWISE`."""
    rows: list[tuple[int, int, str]] = []
    heads = False
    for line in (*lines, ""):
        read = list(clauses(_CELL.sub(r"\1: ", line), names, rules=True))
        clause = read[0] if read else None
        found = _ROW.search(clause.tags) if clause is not None and len(read) == 1 else None
        if found is not None and clause is not None:
            alive, votes = (clause.tokens[found.start(one)].value for one in "nm")
            if 1 < votes <= alive:
                heads = heads or _has(clause, "alive", "players")
                rows.append((alive, votes, clause.text))
                continue
        if len(rows) > 1 and heads:
            fits = (
                each
                for each in _SHARES
                if all(Share.parse(each).votes(alive) == votes for alive, votes, _ in rows)
            )
            share, said = next(fits, None), rows[0][2]
            if share == ">1/2":
                yield HouseRule(Subject.MAJORITY, said)
            elif share is not None:
                yield from (HouseRule(Subject.MAJORITY, said), HouseRule(Subject.SHARE, said, share))
            else:
                yield HouseRule(Subject.NEEDED_OTHERWISE, said)
        rows = []
        heads = clause is not None and _has(clause, "alive", "players") and (line.strip() != "" or heads)


def marks_of(lines: Iterable[str], names: Names) -> Iterator[HouseRule]:
    """What lines of any time state of single players: whose vote counts how much, for whom it takes more or
    fewer votes."""
    for line in lines:
        for clause in clauses(line, names, rules=True):
            if not clause.asked:
                found = [*_of_players(clause)]
                kept = LETTERS["if"] not in clause.tags
                yield from (one for one in found if kept or one.subject is Subject.STANDING)


def _stated(clause: Clause) -> Iterator[HouseRule]:
    """What one sentence states."""
    tags, said = clause.tags, clause.text
    found = [*_decides(clause), *_limits(clause), *_forms(clause)]
    yield from found
    of_players = [*_of_players(clause)]
    yield from of_players
    if not found and not of_players and _is_unknown(clause):
        yield HouseRule(Subject.UNKNOWN, said)
    if _LENGTH.search(tags) and LETTERS["vote"] not in tags:
        yield HouseRule(Subject.LENGTH, said)


def _has(clause: Clause, *names: str) -> bool:
    return any(LETTERS[name] in clause.tags for name in names)


def _decides(clause: Clause) -> Iterator[HouseRule]:
    """What eliminates, at once and at the deadline, and what a tie does."""
    tags, said = clause.tags, clause.text
    tied = _TIE.search(tags)
    if tied:
        tie = next((name for name, words in _TIES if words.search(tags)), "")
        yield HouseRule(Subject.TIE, said, tie)
    falls = bool(re.search(_OUT, tags))
    no_hammer = bool(_NO_HAMMER.search(tags) or _NO_SUCH_HAMMER.match(said))
    no_hammer = no_hammer and not (_has(clause, "if", "reached", "when", "half") or _MISSED.search(tags))
    if no_hammer and _has(clause, "nobody", "no_out"):
        # “Without a majority nobody is eliminated.”
        yield HouseRule(Subject.MAJORITY, said)
        yield HouseRule(Subject.NOBODY_AT_DEADLINE, said)
    elif no_hammer:
        yield HouseRule(Subject.NO_HAMMER, said)
    falls_then = falls or (_has(clause, "most") and bool(_LEAVES.search(said)))
    most = not tied and (
        (
            _MOST.search(tags)
            and (falls_then or _has(clause, "deadline"))
            and _has(clause, "vote", "deadline", "day")
        )
        or _MOST_FALLS.search(tags)
        or (_has(clause, "most") and _has(clause, "deadline") and falls_then)
    )
    named = _has(clause, "plurality") and not _DENIED.search(tags[: tags.find(LETTERS["plurality"])])
    if most or named:
        yield HouseRule(Subject.MOST, said, "plurality" if named else "")
    all_but = _has(clause, "everybody") and _has(clause, "no_out") and bool(_ALL_BUT.search(tags))
    of_votes = all_but or _has(clause, "out", "puts_out", "vote", "majority", "at_once")
    of_votes = of_votes and not _has(clause, "otherwise")
    cheaper = _CHEAPER.search(tags)
    if cheaper or (_has(clause, "no_out") and not _has(clause, "majority") and _share_of(clause) == "1/2"):
        yield HouseRule(Subject.NOBODY_CHEAPER, said)
    if no_hammer or not of_votes:
        return
    # “Nobody swings until three quarters vote for them” says what it takes.
    until = all_but or _NOBODY_UNTIL.search(tags)
    for_nobody = _has(clause, "no_out", "nobody") and not until
    share = None if for_nobody and not _has(clause, "majority", "unanimous") else _share_of(clause)
    if cheaper and share and share.startswith(">1/2-"):
        share = None  # it is nobody for whom that is enough
    fixed = _fixed(clause)
    if (share or fixed or (falls and _has(clause, "vote", "takes"))) and _ON_A_DAY.search(tags):
        of_day = _FIXED_ON.search(tags)
        if (
            of_day is None
            or _has(clause, "alive", "players")
            or share not in (None, _MORE_THAN_HALF)
            or tags.count(LETTERS["day"]) > 1
        ):
            yield HouseRule(Subject.NEEDED_OTHERWISE, said)
            return
        place = max(of_day.start("day"), of_day.start("rank"))
        day = 1 if tags[place] == LETTERS["before"] else clause.tokens[place].value  # “first”
        votes = clause.tokens[max(of_day.start("n"), of_day.start("m"))].value
        yield HouseRule(Subject.FIXED_ON, said, f"{day}={votes}")
        yield HouseRule(Subject.MAJORITY, said)
        return
    majority = _has(clause, "majority") and (
        falls or _has(clause, "vote", "at_once", "ends", "ended", "day", "takes")
    )
    if share is not None and share != "half":
        yield HouseRule(Subject.SHARE, said, share)
    elif fixed is not None:
        yield HouseRule(Subject.FIXED, said, str(fixed))
    number = _FIXED_AT.search(tags) or _FIXED_IF.search(tags)
    if share is not None or fixed is not None or majority or (number and falls and _has(clause, "at_once")):
        yield HouseRule(Subject.MAJORITY, said)
        nobody = _has(clause, "no_out", "nobody") or re.search(shape(r"<not>.{0,4}<puts_out>"), tags)
        if _has(clause, "deadline", "ends") and _has(clause, "if", "when") and nobody:
            yield HouseRule(Subject.NOBODY_AT_DEADLINE, said)
    elif _NUMBER_TAKES.search(tags) and not for_nobody:
        yield HouseRule(Subject.MAJORITY, said, "number")
    if verb := _TO_VERB.search(tags):
        yield HouseRule(Subject.VERB, said, clause.tokens[verb.start("verb")].text.lower())


def _all_but(clause: Clause) -> int | None:
    """How many “all the living but two” leaves out; None where a sentence says nothing of the kind."""
    for place, token in enumerate(clause.tokens[:-1]):
        follows = clause.tags[place + 1] == LETTERS["numbers"]
        if follows and token.text.lower() == "but" and LETTERS["everybody"] in clause.tags[:place]:
            return clause.tokens[place + 1].value
    return None


def _value(clause: Clause, place: int | None) -> int:
    """The number at a place of a clause; 1 for an article, or where there is none."""
    if place is None or place < 0 or clause.tags[place] != LETTERS["numbers"]:
        return 1
    return max(clause.tokens[place].value, 1)


_HALF, _LITTLE_ABOVE, _MORE_THAN_HALF = Fraction(1, 2), Fraction(51, 100), "half"
_ONE_MORE = shape(r"(?:\+|<and>)#|(?<!<not>.)(?<!<not>)#<more>")
_NAMED_MAJORITY = shape(r"(?<!<to>)<majority>")  # not “half is enough to hammer”
_EVERYONE_ELSE = shape(r"<everyone_else>[^,;]{0,4}<vote>")


def _share_of(clause: Clause) -> str | None:
    """The part of the living that it takes, as `Subject.SHARE` has it; “half” for more than half, None where
    no part is told."""
    tags = clause.tags
    if _has(clause, "unanimous"):
        return "1-1" if _has(clause, "except") else "1"
    if (left := _all_but(clause)) is not None:
        return f"1-{left}"
    if _EVERYONE_ELSE.search(tags) and _has(clause, "if", "when", "takes", "puts_out", "out"):
        return "1-1"
    if but := _ALL_BUT.search(tags):
        return f"1-{_value(clause, max(but.start('n'), but.start('m')))}"
    if minus := _MINUS.search(tags):
        return f">1/2-{_value(clause, max(minus.start('n'), minus.start('m')))}"
    if plus := _PLUS.search(tags):
        return f">1/2+{_value(clause, max(map(plus.start, 'nmk')))}"
    found = _SHARE.search(tags)
    if found is None:
        return None
    if found["half"]:
        part = _HALF
    else:
        number = clause.tokens[found.start("n")].value
        whole = {LETTERS["third"]: 3, LETTERS["quarter"]: 4}.get(found["part"], 100)
        if not 0 < number <= whole:
            return None
        part = Fraction(number, whole)
    one_more = _ONE_MORE.search(tags) or _NAMED_MAJORITY.search(tags)
    if _HALF <= part <= _LITTLE_ABOVE and (found["more"] or found["plus"] or one_more or part > _HALF):
        return _MORE_THAN_HALF
    return f"{'>' if found['more'] else ''}{part.numerator}/{part.denominator}"


def _fixed(clause: Clause) -> int | None:
    """How many votes decide by a sentence that tells it for whatever number of players."""
    tags = clause.tags
    if not re.search(_OUT, tags) and not _has(clause, "at_once", "ended", "ends"):
        return None
    found = _FIXED_IF.search(tags) or _FIXED_AT.search(tags)
    if found is None or LETTERS["per_day"] in tags or LETTERS["fewer"] in tags or LETTERS["more"] in tags:
        return None
    number = clause.tokens[found.start("n")].value
    # “Seven votes to hang, while there are thirteen of you” is half of these and one more.
    alone = tags.count(LETTERS["numbers"]) == 1
    return number if number > 1 and alone else None


def _limits(clause: Clause) -> Iterator[HouseRule]:
    """Who may vote for whom, how often, and whether a vote can be changed."""
    tags, said = clause.tags, clause.text
    if _SELF.search(tags):
        yield HouseRule(Subject.NO_SELF_VOTE, said)
    if _NO_NOBODY.search(tags):
        yield HouseRule(Subject.NO_NOBODY, said)
    first = _UNVOTE_FIRST.search(tags) and not _FREE.search(tags)
    if first or _keeps_the_old(clause):
        yield HouseRule(Subject.UNVOTE_FIRST, said)
    elif _FINAL.search(tags) and not _has(clause, "votecount", "puts_out", "out", "ended"):
        yield HouseRule(Subject.FINAL, said)
    elif (changes := _CHANGES.search(tags)) and not _FREE.search(tags):
        yield HouseRule(Subject.CHANGES, said, str(_often(clause, changes)))
    if (several := _SEVERAL_OUT.search(tags)) is not None:
        number = clause.tokens[max(several.start("n"), several.start("m"))].value
        if 1 < number < 5:
            yield HouseRule(Subject.ELIMINATIONS, said, str(number))
    elif _SEVERAL_VOTES.search(tags) and (votes := _votes_each(clause)):
        yield HouseRule(Subject.SEVERAL_VOTES, said, str(votes))
    if _has(clause, "nominate") and not re.search(
        shape(r"(?:<not>|<nobody>)(?:w|<takes>|<must>|<to>)*<nominate>"), tags
    ):
        yield HouseRule(Subject.NOMINATIONS, said)
    if _CARRY.search(tags) and LETTERS["not"] in tags:
        yield HouseRule(Subject.NO_CARRY, said)
    if _PRIVATE.search(tags) and not _has(clause, "not"):
        yield HouseRule(Subject.PRIVATE, said)
    elif _ELSEWHERE.search(tags) and not _HERE.search(tags):
        yield HouseRule(Subject.ELSEWHERE, said)


def _keeps_the_old(clause: Clause) -> bool:
    """Whether a vote counts for nothing by it until the one before is taken back."""
    undone = _has(clause, "unvote", "takes_back", "back")
    lost = _has(clause, "forbidden") or bool(_STANDS.search(clause.text))
    of_votes = _has(clause, "vote", "runoff") or "vote" in clause.text.lower()
    return of_votes and undone and lost and bool(_OLD_STANDS.search(clause.text))


def _often(clause: Clause, found: re.Match[str]) -> int:
    place = max(map(found.start, "nmop"))
    said = clause.tokens[place].text.lower() if place >= 0 else "once"
    value = clause.tokens[place].value if place >= 0 and clause.tags[place] == LETTERS["numbers"] else 0
    return value or {"once": 1, "twice": 2}.get(said, 1)


_AS_MANY = (
    "as many",
    "several",
    "any number",
    "multiple",
    "more than one",
    "so viele",
    "tantos",
    "autant",
    "ilu chcecie",
)


def _votes_each(clause: Clause) -> int:
    """How many votes everybody has, by a sentence that says so; 0 where it does not."""
    said = clause.text.lower()
    if any(words in said for words in _AS_MANY) and _has(clause, "players"):
        return 99
    if re.search(_OUT, clause.tags) or _has(clause, "changes", "nobody"):
        return 0
    found = _VOTES_EACH.search(clause.tags)
    if found is None:
        return 0
    if found["double"]:
        return 2 if "two votes" in said else 0
    number = clause.tokens[max(found.start("n"), found.start("m"))].value
    return number if 1 < number < 10 else 0


_VOTES_EACH = shape(
    r"(?:<everybody>|<players>|<you>|w)(?:<be>|<takes>|<must>|w)+(?:(?P<n>#)<vote>|(?P<double><double>))"
    r"|(?:<you>|<everybody>|<players>)[^,;]{0,3}<vote>(?:<to>)?(?P<m>#)<players>"
)


def _forms(clause: Clause) -> Iterator[HouseRule]:
    """How votes are written and taken back."""
    tags, said = clause.tags, clause.text
    if not _has(clause, "vote", "unvote", "takes_back", "bold", "puts_out"):
        return
    if _BOLD_IS_NOTHING.search(tags):
        yield HouseRule(Subject.BOLD_IS_NOTHING, said)
        return
    for mark in _MARKS:
        place = tags.find(LETTERS[mark])
        denied = place >= 0 and LETTERS["not"] in tags[:place]
        if place < 0 or denied or not _has(clause, "vote") or (mark == "code" and "[" in said):
            continue
        if mark == "plain" and _has(clause, "forbidden") and _has(clause, "if"):
            mark = "bold"
        yield HouseRule(Subject.MARK, said, mark)
    for sign, pattern in _SIGNS:
        if pattern.search(said):
            yield HouseRule(Subject.MARK, said, sign)
    if _TAKES_BACK.search(tags):
        yield HouseRule(Subject.UNVOTE, said)
    if _NUMBERED.search(tags) and not _has(clause, "votecount"):
        yield HouseRule(Subject.BY_NUMBER, said)


def _of_players(clause: Clause) -> Iterator[HouseRule]:
    """What a sentence says of the votes of, or against, somebody."""
    tags, said = clause.tags, clause.text
    if _STANDING.search(tags) and not _has(clause, "nobody", "no_out"):
        yield HouseRule(Subject.STANDING, said)
    voteless = _VOTELESS.search(tags)
    if voteless and voteless.group("who"):
        yield HouseRule(Subject.WEIGHT, said, f"{_name(clause, voteless.start('who'))}=0")
        return
    lost = _LOST.search(tags)
    if lost and not _has(clause, "numbers", "if"):
        yield HouseRule(Subject.WEIGHT, said, f"{_name(clause, max(lost.start('who'), lost.start('of')))}=0")
        return
    for found in _WEIGHT.finditer(tags):
        who, how = next(
            pair for pair in (("who", "how"), ("has", "what"), ("whose", "times")) if found[pair[0]]
        )
        weight = {LETTERS["double"]: 2, LETTERS["triple"]: 3}.get(found[how], 0)
        if how == "times" and not weight:
            weight = clause.tokens[found.start(how)].value
        if weight and not re.search(_NOT, tags[found.start() : found.end()]):
            yield HouseRule(Subject.WEIGHT, said, f"{_name(clause, found.start(who))}={weight}")
    shift = _SHIFT.search(tags)
    hated = _LOVED.search(tags)
    if shift:
        number = clause.tokens[shift.start("n")].value
        sign = "-" if shift["how"] == LETTERS["fewer"] else ""
        yield HouseRule(Subject.SHIFT, said, f"{_name(clause, shift.start('who'))}={sign}{number}")
    elif hated:
        sign = "-1" if hated["how"] == LETTERS["hated"] else "1"
        yield HouseRule(Subject.SHIFT, said, f"{_name(clause, hated.start('who'))}={sign}")


def _name(clause: Clause, place: int) -> str:
    slot = clause.tokens[place].slot
    return slot.name if slot is not None else clause.tokens[place].text


def _is_unknown(clause: Clause) -> bool:
    """Whether a sentence sets a rule of voting that nobody here understood: it speaks of votes and says what
    must be, alone counts, or counts otherwise."""
    tags = clause.tags
    plain = _has(clause, "votecount", "handled", "bold", "own_line") or len(tags) >= 40
    if plain or not _has(clause, "vote") or _NOTHING_SPECIAL.search(tags):
        return False
    limits = _has(clause, "must", "double", "triple", "forbidden") and not _has(clause, "if", "deadline")
    weighs = _has(clause, "counts") and _has(clause, "double", "triple", "numbers")
    wiped = bool(_WIPED.search(clause.text)) and (
        _has(clause, "dead", "out", "kills", "if") or not _AFTER_EACH_DAY.search(tags)
    )
    return limits or weighs or wiped


_NOTHING_SPECIAL = shape(
    r"(?:<not>|<nobody>)[^,;]{0,4}(?:<must>|<double>|<triple>|<counts>)|<forbidden>[^,;]{0,2}(?:<double>|<triple>)"
)
_AFTER_EACH_DAY = shape(r"<day>|<night>|<per_day>")
_WIPED = re.compile(r"\b(?:reset|wiped|cleared|erased|start afresh|start over)\b", re.IGNORECASE)


def sentences_on_votes(lines: Iterable[str], names: Names) -> Iterator[tuple[str, str]]:
    """The sentences of these lines that speak of votes, folded, each with its line."""
    for line in lines:
        for clause in clauses(line, names, rules=True):
            if _has(clause, "vote", "unvote", "puts_out"):
                yield " ".join(clause.text.split()).casefold(), " ".join(line.split()).casefold()
