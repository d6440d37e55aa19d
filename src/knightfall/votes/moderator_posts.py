"""What the moderator's own posts tell: which day runs, when it began and ended, how many live, who died.

`told_by` reads one post. `days_told` walks through what all of them tell and finds the days of the thread; a
day that nobody opens by name is found by what has changed: fewer live, fewer votes are needed, the votecounts
have a new number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Link, Nodes
from knightfall.models import Post, Slot
from knightfall.names import Names, fold
from knightfall.votes.ballots import Region
from knightfall.votes.day_opened import day_opened
from knightfall.votes.deaths_told import (
    DEATH,
    MOST_WORDS,
    OUT,
    SENTENCES,
    dead_by,
    deaths_by_nickname,
    named_in,
    tells_death_of,
    without_earlier,
)
from knightfall.votes.house import Saying, Subject, sayings
from knightfall.votes.numbers import ANY_NUMBER, parse_number
from knightfall.votes.posted_votecounts import PostedVotecount, PostedWagon, posted_votecount, said_of_alive
from knightfall.votes.vote_parser import Line, lines_of

# ---- One post


@dataclass(frozen=True, slots=True)
class Replacement:
    """`new` has the seat of `old`; names as written."""

    new: str
    old: str

    @property
    def newcomer(self) -> str:
        """The new name, if it is one, of somebody who has not posted yet; "" for other words."""
        name = self.new.strip(" *@")
        return name if _NAME.fullmatch(name) and fold(name.split()[0]) not in _NO_NEWCOMER else ""


@dataclass(frozen=True, slots=True)
class Told:
    """What one post of a moderator tells.

    `opens` is the day that it opens by name; `closes`: it tells the end of a day; `wakes`: it tells what a
    night has brought. `alive` and `needed` are numbers that it states, `fewer_for_nobody` that no elimination
    takes fewer votes. `roll` are the names of all who live, where it lists as many as it says, `deaths` its
    lines that tell of a death, `rulings` the sentences by which votes do not count, `lines` all that its
    author says in their own words, as far as lines are read for that, `whole_lines` to their ends; `address`
    is its first link.
    """

    post: int
    opens: int | None = None
    closes: bool = False
    wakes: bool = False
    alive: int | None = None
    needed: int | None = None
    fewer_for_nobody: bool = False
    roll: tuple[str, ...] = ()
    deaths: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    replaced: tuple[Replacement, ...] = ()
    count: PostedVotecount | None = None
    lines: tuple[str, ...] = ()
    whole_lines: tuple[str, ...] = ()
    address: str = ""

    def sayings(self) -> tuple[Saying, ...]:
        """What it states of the rules of the house; that votes are made elsewhere with its first link."""
        return tuple(
            replace(one, value=self.address) if one.subject is Subject.ELSEWHERE else one
            for one in sayings(self.whole_lines)
        )

    @property
    def flips(self) -> tuple[str, ...]:
        """The lines of a post that tells of a death or of another day which do not tell of a death
        themselves: whoever died may stand in one."""
        return tuple(line for line in self.lines if line not in self.deaths) if self.turns else ()

    @property
    def turns(self) -> bool:
        """Whether it ends or opens a day, tells of a death, or of how many are left beside a votecount."""
        left = self.alive is not None and not self.has_votes
        return self.opens is not None or self.closes or self.wakes or bool(self.deaths) or left

    def dead(self, names: Names) -> frozenset[str]:
        """The slots of whom it tells, by whole names, that they died."""
        return dead_by(self.lines, names, self.turns)

    @property
    def spared(self) -> bool:
        """Whether it tells that nobody died, or was eliminated."""
        return any(_SPARED.search(line) or _NOBODY_FELL.search(line) for line in self.lines)

    @property
    def revived(self) -> tuple[str, ...]:
        """Its lines that tell of somebody who lives again."""
        return tuple(line for line in self.lines if _REVIVED.search(line))

    @property
    def living(self) -> int | None:
        """How many live by this post: as it says, else as many as its votecount lists."""
        if self.alive is not None or self.count is None or not self.lists_all:
            return self.alive
        return self.count.people

    @property
    def lists_all(self) -> bool:
        """Whether its votecount lists everybody who lives, by all the numbers that it states."""
        count = self.count
        if count is None:
            return False
        if self.alive is None and self.needed is not None and count.people // 2 + 1 != self.needed:
            return False
        return count.whole

    @property
    def has_votes(self) -> bool:
        """Whether its votecount lists votes."""
        return self.count is not None and any(row.voters and not row.idle for row in self.count.rows)

    def eliminated(self, names: Names, day: int) -> tuple[Slot, ...]:
        """Whom its lines tell eliminated, on that day where they tell a day."""
        lines = (line for line in self.deaths if _ELIMINATED.search(line))
        of_day = (line for line in lines if all(int(told) == day for told in _ON_DAY.findall(line)))
        return tuple(slot for line in of_day for slot in deaths_by_nickname(line, names))

    def hammered(self, needed: int | None) -> bool:
        """Whether its votecount has a wagon of as many votes as it takes."""
        return bool(self.full_wagons(needed))

    def full_wagons(self, needed: int | None) -> tuple[PostedWagon, ...]:
        """The wagons of its votecount with as many votes as it takes."""
        if self.count is None:
            return ()
        told = self.needed if needed is None else needed
        enough = self.count.people // 2 + 1 if self.lists_all or told is None else told
        wagons = (row for row in self.count.rows if not row.idle)
        return tuple(row for row in wagons if row.size >= enough > 1)


# “Hilde”, “new_one7”; not “somebody new”, “the next in line”.
_NAME = re.compile(r"[^\W_a-z][\w'’.&-]*(?:\s[^\W_a-z][\w'’.&-]*)?|\w*[\d_]\w*")
_NO_NEWCOMER = frozenset(
    {"somebody", "someone", "a", "an", "the", "whoever", "who", "this", "he", "she", "they", "we", "i"}
)
_ELIMINATED = re.compile(rf"\b{OUT}\b", re.IGNORECASE)
_ON_DAY = re.compile(r"\b(?:d|day|n|night)\s?#?(\d{1,2})\b", re.IGNORECASE)
_NIGHT_ACTIONS = r"\bnight\s(?:actions?|choices|phase)\b"
_CLOSES = re.compile(
    "|".join(
        (
            # “Ada has been lynched.”, “Ada, Townie, lynched Day 1”, “Nobody was eliminated.”
            rf"\b(?:has|have|was|were|is|are)\s(?:been\s)?{OUT}\b",
            rf"\b{OUT}[,:]?\s(?:on\s)?d(?:ay)?\s?\d",
            # “A lynch has been reached.”, “That's a hammer!”, “No lynch has been achieved.”
            r"\b(?:lynch|elimination|execution|majority|hammer)\s(?:has\sbeen\s|was\s|is\s)?(?:reached|achieved)\b",
            r"\bthat['’]?s\s(?:a\s)?(?:no[\s-]?)?(?:lynch|hammer|elimination)\b",
            r"\b(?-i:LYNCH(?:ED)?|HAMMER(?:ED)?|ELIMINATED|EXECUTED)\b(?=\W*$)",
            # “It is now Night 1.”, “Night 2 begins now.”, “Night has fallen.”, “Day 3 is over.”
            r"\b(?:it\sis\snow|it['’]s\snow|now\sbegins|begins?)\snight\b",
            r"\bnight\s(?:#?\w{1,6}\s)?has\s(?:now\s)?(?:begun|started|fallen)\b",
            r"\bnight\s(?:#?\w{1,6}\s)?(?:begins?|falls|starts?)\b(?!\s(?:in|at|on|when|after)\b)",
            r"\bnight\s#?\w{1,6}\s(?:ends?\s(?:in|on|at)|deadline)\b",
            r"\bday\s#?\w{1,6}\s(?:has\s(?:now\s)?ended|is\s(?:now\s)?over)\b",
            # “Send your night actions by …”, “Deadline for night actions”, “Final votecount”.
            rf"\b(?:submit|send|have)\b[^.]{{0,40}}{_NIGHT_ACTIONS}",
            rf"\bdeadline\sfor\s(?:night|{_NIGHT_ACTIONS})",
            r"\b(?:final\svote\s?count|end\sof\sday\s#?\d+\svote\s?count)\b",
        )
    ),
    re.IGNORECASE,
)
# How a rule begins that tells what would eliminate, not that somebody was.
_SUPPOSED = re.compile(
    r"\b(?:if|whoever|whomever|unless|whenever)\b|\b(?:a|any)\splayer\s(?:with|who)\b"
    r"|\bplayer\swith\sthe\smost\svotes\sat\b",
    re.IGNORECASE,
)
_WAKES = re.compile(
    r"\b(?:night-?killed|(?:was|were|has\sbeen|have\sbeen)\s(?:\w+\s){0,2}(?:killed|murdered|shot|stabbed)"
    r"|killed\s(?:on\s)?n(?:ight)?\s?\d|found\sdead|(?:nobody|no\s?one)\s(?:has\s|was\s)?(?:died|killed)"
    r"|night\s#?\w{1,6}\s(?:is\s(?:now\s)?over|has\s(?:now\s)?ended))\b",
    re.IGNORECASE,
)
# “Nobody died.”, “No one was killed.”
_SPARED = re.compile(
    r"\b(?:nobody|no[\s-]?one)\s(?:else\s)?(?:has\s|have\s|was\s|is\s|were\s)?(?:been\s)?(?:died|dies|dead|killed|lost)\b"
    r"|\bno\s(?:deaths?|kills?|night\s?kills?)\b",
    re.IGNORECASE,
)
# “Ada is alive again”, “Boro is not dead after all”, “Elm has been resurrected”, “Fen rises from the dead”.
_REVIVED = re.compile(
    r"\b(?:alive\s(?:again|after\sall)|lives?\s(?:again|after\sall)|(?:not|n['’]t)\s(?:actually\s|really\s)?(?:dead|die)"
    r"|reviv\w+|resurrect\w+|from\sthe\sdead|(?:back|returns?|brought)\sto\slife|(?:returns?\sto|back\sin)\sthe\sgame)\b",
    re.IGNORECASE,
)
# “Ada's vote in post 12 did not count”, “all votes are reset”, “I do not count that vote of Ada's”.
_RULING = re.compile(
    r"\bvot(?:e|es|ing)\b[^.]{0,60}?(?:(?:\bnot\b|n['’]t\b)[^.]{0,20}\bcount"
    r"|\b(?:void|invalid|discounted|disregarded|discarded|reset|cleared|ignored|nullified|removed)\b)"
    r"|(?:(?:\bnot\b|n['’]t\b)\scount(?:ing|ed)?|\b(?:discount|void|ignor|reset|clear|remov)(?:e|es|ed|ing|ting)?)\b"
    r"[^.]{0,40}\bvotes?\b",
    re.IGNORECASE,
)
# “4 alive: Ada, Boro, Elm, Fen.”, “Seven of you are left: …”, “Players alive (7): …”
_ROLL = re.compile(
    rf"\b(?:(?P<n>{ANY_NUMBER})\s(?:players?\s|people\s|of\syou\s|\w+s\s)?(?:are\s|is\s)?(?:still\s|now\s)?(?:alive|left|living|remain(?:ing)?)"
    rf"|(?:alive|living|left|remaining)\s?\(?(?P<m>{ANY_NUMBER})\)?)\s?:\s?(?P<names>\S[^.!?]*?)(?:[.!?](?=\s|$)|$)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\b)?|\band\b|&)\s*", re.IGNORECASE)
_NO_ELIMINATION = r"no[\s-]?(?:lynch|elim\w*|execut\w*|hammer)"
# “7 to lynch, 6 to no lynch”; “a no lynch needs half of the votes”, “one vote fewer for no elimination”.
_FOR_NOBODY = re.compile(
    rf"\b(\d{{1,2}})\s(?:votes?\s)?(?:are\s)?(?:needed\s)?(?:to|for\sa?)\s?{_NO_ELIMINATION}", re.IGNORECASE
)
_HALF = (
    r"(?<!more\sthan\s)(?<!fewer\sthan\s)(?<!less\sthan\s)(?<!over\s)(?<!under\s)(?<!below\s)"
    r"(?:\bhalf\b|\b50\s?%(?!\s?\+)|\bone\s(?:vote\s)?(?:fewer|less)\b|\b1\s(?:vote\s)?(?:fewer|less)\b)"
)
_NOT = r"(?:(?!\bnot?\b|n['’]t\b|\bwithout\b|\bplus\b|\+|\bdeadline\b|[.;])[^.;])"
# “Half of the players vote for a no lynch”, “one vote fewer for no elimination”; “a no lynch needs 50 %”. Not
# “more than half”, “if half of you have not voted, there is no lynch”.
_HALF_FOR_NOBODY = re.compile(
    rf"{_HALF}{_NOT}{{0,60}}?(?:\bvot\w*|\bfor\b|\bto\b)(?:(?!,){_NOT}){{0,30}}?\b{_NO_ELIMINATION}"
    rf"|\b{_NO_ELIMINATION}{_NOT}{{0,30}}?\b(?:needs?|requires?|takes?|only|with|if|when){_NOT}{{0,40}}?{_HALF}",
    re.IGNORECASE,
)
# “Ada replaces Boro”, “Ada has replaced Boro.”, “Ada is subbing in for Boro”, “Ada takes over for Boro”.
_REPLACES = re.compile(
    r"\s(?:has\s|have\s|is\s|will\s(?:be\s)?|is\snow\s|now\s|just\s|hereby\s){0,2}"
    r"(?:replac(?:es?|ed|ing)|sub(?:s|bed|bing)?\s(?:in\s)?for|(?:tak(?:es?|ing)|took)\sover\s(?:for|from)"
    r"|step(?:s|ped|ping)?\sin\sfor|fill(?:s|ed|ing)?\sin\sfor)\s",
    re.IGNORECASE,
)
# “Boro was replaced by Ada”, “Boro is being replaced by Ada”.
_REPLACED_BY = re.compile(
    r"\s(?:has\sbeen|have\sbeen|is|was|gets|got|will\sbe)\s(?:now\s|being\s)?replaced\s(?:by|with)\s",
    re.IGNORECASE,
)
# “No lynch has been reached.”, “Nobody was eliminated.”, “Day 2 ended without a lynch.”, “… in a no lynch.”
_NOBODY_FELL = re.compile(
    rf"\b{_NO_ELIMINATION}\s(?:has\sbeen\s|was\s|is\s)?(?:reached|achieved)\b"
    rf"|\b(?:nobody|no[\s-]?one)\s(?:was|has\sbeen|is|got)\s{OUT}\b(?!\sbefore)"
    rf"|\bend(?:s|ed)\s(?:in|with|as)\s(?:a\s)?{_NO_ELIMINATION}\b"
    r"|\bend(?:s|ed)\swithout\s(?:an?\s|any\s)?(?:lynch|elimination|execution)\b"
    r"|\bfail(?:s|ed)\sto\s(?:reach\san?\s)?(?:lynch|elimin|execut|majority)",
    re.IGNORECASE,
)
# What is not, not yet or no longer so.
_ELSEWHEN = re.compile(
    r"\b(?:if|unless|should|would|could|may|might|will|when|until|yesterday|previous(?:ly)?|last|earlier)\b",
    re.IGNORECASE,
)
_DAY_NAMED = re.compile(r"\bd(?:ay)?\s?#?(\d{1,2})\b", re.IGNORECASE)
LONGEST = 400
"""Letters of a line that are read."""


def told_by(post: Post, html_style: HtmlStyle, names: Names) -> Told:
    """What a moderator's post tells; `names` are those of all who may be listed in a votecount."""
    nodes = parse_html(post.body, html_style)
    read = lines_of(nodes, asides=True, rows=True)
    whole = _own_words(read)
    lines = [line[:LONGEST] for line in whole]
    alive, needed = said_of_alive(lines)
    nobody = (int(found[1]) for line in lines if (found := _FOR_NOBODY.search(line)))
    return Told(
        post.number,
        day_opened([line.text for line in read if line.region is Region.LIVE]),
        any(_CLOSES.search(line) and _closes(line) for line in lines),
        any(_WAKES.search(line) for line in lines),
        alive,
        needed,
        min(nobody, default=99) < (needed or 0) or any(_HALF_FOR_NOBODY.search(line) for line in lines),
        next((roll for line in lines if (roll := _roll(line))), ()),
        tuple(line for line in lines if DEATH.search(line)),
        tuple(said for line in lines for said in SENTENCES.split(line) if _RULING.search(said)),
        tuple(_replacements(lines, names)),
        posted_votecount(post.number, post.author, nodes, names, post.url),
        tuple(lines),
        tuple(whole),
        next(_addresses(nodes), ""),
    )


def _closes(line: str) -> bool:
    """Whether a line that has the words for it tells the end of a day, not when one would end."""
    ends = ((said, _CLOSES.search(said)) for said in SENTENCES.split(line))
    return any(found and not _SUPPOSED.search(said[: found.start()]) for said, found in ends)


def _lines(nodes: Nodes) -> list[str]:
    """What the author says in their own words, spoilers included, as far as lines are read."""
    return [line[:LONGEST] for line in _own_words(lines_of(nodes, asides=True, rows=True))]


def _own_words(lines: Iterable[Line]) -> list[str]:
    asides = (Region.QUOTED, Region.STRUCK, Region.SIGNATURE)
    return [line.text.strip() for line in lines if line.region not in asides]


def _addresses(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Link):
            yield node.url
        yield from _addresses(getattr(node, "children", ()))


def _roll(line: str) -> tuple[str, ...]:
    """The names that a line lists as alive, if they are as many as it says."""
    found = _ROLL.search(line) if ":" in line else None
    if found is None:
        return ()
    names = tuple(without_earlier(name) for name in _BETWEEN.split(found["names"].strip()) if name)
    return names if len(names) == parse_number(found["n"] or found["m"]) else ()


def _replacements(lines: Iterable[str], names: Names) -> Iterator[Replacement]:
    """Who replaced whom by sentences such as “Ada replaces Boro”: one of both at least is known by a whole
    name, or each is a few words alone."""
    for line in lines:
        lower = line.lower()
        if any(sign in lower for sign in _REPLACING):
            for said in SENTENCES.split(line):
                passive = _REPLACED_BY.search(said)
                found = passive or _REPLACES.search(said)
                if found is None:
                    continue
                before = _ends_with_name(said[: found.start()], names)
                behind = _begins_with_name(said[found.end() :], names)
                if before and behind:
                    yield Replacement(behind, before) if passive else Replacement(before, behind)


_REPLACING = ("replac", "sub", " over f", " in for")
# What ends a name that is not known: a sign, or how it goes on: “… as of now”, “… from post 12 on”.
_NAME_ENDS = re.compile(
    r"[,.:;!()\[\]]|\s[-–—]\s|\s(?:immediately|effective|as\sof|starting|from|now|today|since|in|on|at|and|who|because)\b.*",
    re.IGNORECASE,
)


def _begins_with_name(said: str, names: Names) -> str:
    """The whole name of somebody known that a text begins with, else its first words up to a sign."""
    parts = said.strip(" *@").split()
    for size in range(min(MOST_WORDS, len(parts)), 0, -1):
        slot = names.whole(" ".join(parts[:size]).strip(" *,.:;!()[]"))
        if slot is not None:
            return slot.name
    first = _NAME_ENDS.split(said.strip(" *@"), maxsplit=1)[0].strip(" *@")
    return first if len(first.split()) <= MOST_WORDS - 1 else ""


# “And Ada”, “So Ada”, before a name that is not known.
_LEADS_ON = re.compile(r"^(?:(?:and|also|so|then|now|finally|welcome|please|note)\s)+(?=\S)", re.IGNORECASE)


def _ends_with_name(said: str, names: Names) -> str:
    """The whole name of somebody known that a text ends with, else all of it where that is a few words."""
    parts = said.strip(" *@").split()
    for size in range(min(MOST_WORDS, len(parts)), 0, -1):
        slot = names.whole(" ".join(parts[-size:]).strip(" *,.:;!()[]@"))
        if slot is not None:
            return slot.name
    last = re.split(r"[,.:;!()]\s|\s[-–—]\s", said)[-1].strip(" *@•·-–—")
    last = _LEADS_ON.sub("", last)
    return last if len(last.split()) <= MOST_WORDS - 1 else ""


def denies(post: Post, html_style: HtmlStyle, day: int, target: Slot) -> bool:
    """Whether a moderator's post says that day `day` has eliminated nobody, and does not tell that `target`
    died all the same."""
    lines = _lines(parse_html(post.body, html_style))
    if any(tells_death_of(name, line, alone=False) for name in target.names for line in lines):
        return False
    return any(
        _NOBODY_FELL.search(sentence)
        and not _ELSEWHEN.search(sentence)
        and all(int(named) == day for named in _DAY_NAMED.findall(sentence))
        for line in lines
        for sentence in SENTENCES.split(line)
    )


# ---- The days


@dataclass(frozen=True, slots=True)
class DayTold:
    """A day of the thread: it is counted from post `start`; `told` is what the moderator's posts in it tell,
    up to the one that ends it, `ended`. `doubt` says why the start is not sure; "" where it is."""

    number: int
    start: int
    told: tuple[Told, ...] = ()
    ended: int | None = None
    doubt: str = ""

    @property
    def opened(self) -> int:
        """The post that opens it, by what it tells; the start where none does."""
        return next((one.post for one in self.told if one.opens or one.wakes or one.deaths), self.start)

    def named_at_dawn(self, names: Names) -> frozenset[str]:
        """The slots that the post which opens it names, where that is no votecount."""
        dawn = [one for one in self.told if one.post == self.opened and one.count is None]
        lines = (line for one in dawn for line in one.lines)
        return frozenset(slot.name for line in lines for _, slot in named_in(line, names))

    def ends_behind(self, post: int) -> bool:
        """Whether it ended behind a post, or told something there."""
        return (self.ended or self.start) > post or any(one.post > post for one in self.told)

    def running(self, until: int) -> tuple[Told, ...]:
        """What was told while the day ran, as far as post `until`."""
        return tuple(one for one in self.told if one.post <= until and one.post != self.ended)

    def stated(self, until: int) -> Told | None:
        """The last post by then that states how many live."""
        return next((one for one in reversed(self.running(until)) if one.alive is not None), None)

    def thresholds(self, until: int) -> tuple[int, ...]:
        """The numbers of votes needed that were stated by then, in order."""
        return tuple(one.needed for one in self.running(until) if one.needed is not None)

    def threshold(self, until: int) -> Told | None:
        """The last post by then that states how many votes are needed."""
        return next((one for one in reversed(self.running(until)) if one.needed is not None), None)

    def counts_taking(self, needed: int, until: int) -> int:
        """How many votecounts by then state that it takes so many votes."""
        return sum(one.count is not None and one.needed == needed for one in self.running(until))

    def stated_at_end(self, until: int) -> int | None:
        """How many lived by the post that ended the day, where its full wagon is as large as it says it
        takes: it speaks of this day and not of the next."""
        last = next((one for one in self.told if one.post == self.ended and one.post <= until), None)
        if last is None or last.alive is None or last.needed is None or last.needed != last.alive // 2 + 1:
            return None
        sizes = {row.size for row in last.full_wagons(last.needed)}
        return last.alive if sizes == {last.needed} else None

    def hammered(self, since: int) -> tuple[str, ...]:
        """Whom the votecount that ended the day, in a post behind `since`, shows eliminated."""
        last = next((one for one in self.told if one.post == self.ended and one.post > since), None)
        if last is None:
            return ()
        needed = self.thresholds(last.post)[-1:]
        wagons = last.full_wagons(needed[0] if needed else None)
        return tuple(row.target.name for row in wagons if row.target is not None)


def days_told(
    told: Iterable[Told], others: Sequence[int], voters: Mapping[int, str], first: int
) -> tuple[DayTold, ...]:
    """The days of a thread whose first post is `first`. `others` are the numbers of all posts that no
    moderator wrote, in order; `voters` tells who wrote each of them that holds a vote: a day begins only
    after somebody played in the one before."""
    walk = _Walk(others, voters, first)
    for one in told:
        walk.take(one)
    return walk.found()


class _Walk:
    """The walk through the moderator's posts: the day that runs, and the post that seems to end it."""

    def __init__(self, others: Sequence[int], voters: Mapping[int, str], first: int) -> None:
        self.others = others
        self.votes = sorted(voters.items())
        self.days = [DayTold(1, first)]
        self._begin()

    def _begin(self) -> None:
        self.told: list[Told] = []
        self.ended: Told | None = None
        self.sure = False
        """The post that seems to end the day has a full wagon."""
        self.living: int | None = None
        self.needed: int | None = None

    def found(self) -> tuple[DayTold, ...]:
        """The days so far."""
        self._file()
        return tuple(self.days)

    def _file(self) -> None:
        ended = self.ended.post if self.ended else None
        self.days[-1] = replace(self.days[-1], told=tuple(self.told), ended=ended)

    def take(self, one: Told) -> None:
        """The next post of a moderator."""
        if one.count and one.count.day and one.count.day < self.days[-1].number and one.opens is None:
            # A count of an earlier day, posted again: what it states is over.
            one = replace(one, count=None, alive=None, needed=None, closes=False)
        begun = self._begun_by(one)
        if begun is not None:
            self._file()
            self.days.append(begun)
            self._begin()
        elif self._opens_first(one):
            self.days[-1] = replace(self.days[-1], start=one.post)
        elif self.ended and not self.sure and one.count and one.living == self.living and self._resumed(one):
            self.ended = None  # the same players vote on: the day had not ended

        if begun is not None and begun.start > one.post:
            # The post belongs to the day that it ends; what it states holds from now on.
            self.days[-2] = replace(self.days[-2], told=(*self.days[-2].told, one), ended=one.post)
            one = replace(one, count=None, closes=False)
        full = one.hammered(self.needed)
        if self.ended is None and (one.closes or full) and self._voted(self.days[-1].start - 1, one.post) > 1:
            self.ended = one
        self.sure = self.sure or (self.ended is not None and full)
        self.told.append(one)
        self.living = self.living if one.living is None else one.living
        self.needed = self.needed if one.needed is None else one.needed

    def _opens_first(self, one: Told) -> bool:
        """Whether day 1 opens with this post, and is no votecount of it."""
        early = len(self.days) == 1 and not any(before.count for before in self.told)
        return one.opens == 1 and early and not one.has_votes

    def _begun_by(self, one: Told) -> DayTold | None:
        """The day that has begun by this post; None where the same one runs."""
        day, ended = self.days[-1], self.ended
        following = day.number + 1
        if bisect_left(self.others, one.post) == bisect_left(self.others, day.start):
            return None  # nobody has posted since it began
        titled = one.count.day if one.count else None
        full = one.hammered(self.needed)

        # It says so. Where it tells the end of the day before as well, the new one begins behind it.
        if one.opens is not None and one.opens > day.number:
            ends_too = (ended is None or self._resumed(one)) and (full or one.closes)
            bare = one.living is None and one.needed is None and not one.roll
            skipped = one.opens > following and ended is None and bare
            doubt = (
                f"Post #{one.post} seems to open day {one.opens}, behind day {day.number}." if skipped else ""
            )
            return DayTold(one.opens, one.post + ends_too, doubt=doubt)

        # Its votecount has the number of a later day.
        if self._voted(day.start - 1, one.post) < 2:
            return None
        if titled is not None and (titled == following or (titled > day.number and ended)):
            if not one.has_votes:
                return DayTold(titled, one.post)
            if ended:
                return DayTold(titled, ended.post + 1)
            since = max((before.post for before in self.told), default=day.start)
            doubt = f"The votecount in post #{one.post} is of day {titled}, and no post opens that day."
            return DayTold(titled, since + 1, doubt=doubt)

        # After the end of the day: fewer live or are needed, the morning is told, or another count is posted.
        shrank = one.living is not None and self.living is not None and one.living < self.living
        fewer = one.needed is not None and self.needed is not None and one.needed < self.needed
        if ended is not None and titled != day.number:
            resumed = self._resumed(one)
            morning = one.wakes and not resumed
            if shrank or fewer or morning or (self.sure and resumed and one.count is not None):
                return DayTold(following, ended.post + 1 if one.has_votes or resumed else one.post)

        # The post that ends the day states what the next one takes: there is no night between.
        return DayTold(following, one.post + 1) if full and fewer else None

    def _voted(self, after: int, before: int) -> int:
        """How many people voted between two posts."""
        return len({who for post, who in self.votes if after < post < before})

    def _resumed(self, one: Told) -> bool:
        """Whether several have voted since the day seemed to end."""
        return self.ended is not None and self._voted(self.ended.post, one.post) > 2
