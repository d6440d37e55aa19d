"""Votecounts that a moderator posted by hand, read back.

Moderators write a wagon in many ways; a line is taken for one only where it agrees with itself, by the number
of votes that it tells and the names that are surely players'. The file goes from the whole to its parts:

1. Posts: `posted_votecount` finds the wagons of a post and which of them belong to its count.
2. Rows: every way in which a line can be a wagon, and which of them agrees best.
3. Voters: the names behind a label.
4. Facts: the day, the number of the count, how many live and how many votes decide.
5. Nodes: boxes, tables and their titles as lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import islice

from knightfall.engine.heads import heads_in
from knightfall.markup.nodes import Area, Block, Code, Node, Nodes, Quote, Spoiler, Strike, Table, Text
from knightfall.models import Holder, Slot
from knightfall.names import SURE_TIERS, Ambiguous, Matched, Names, NoElimination, squash
from knightfall.votes.lines import Line, lines_of
from knightfall.votes.numbers import ANY_NUMBER, DAY_WORDS, HOW_MANY, parse_number

SURE_RULES = frozenset(tier.rule for tier in SURE_TIERS)
SPELLING_RULES = frozenset({"edit_distance", "repeats", "shuffled", "inside", "word_starts"})
"""How somebody is named whom the rest of the count leaves over."""


@dataclass(frozen=True, slots=True)
class PostedWagon:
    """One wagon as posted: `target` is whom the label surely names (None: nobody we know), `voters` are those
    who are surely named, `strangers` the other names as written."""

    label: str
    target: Slot | None
    voters: tuple[Slot, ...]
    strangers: tuple[str, ...] = ()
    idle: bool = False
    """The list of those who do not vote."""
    nobody: bool = False
    """The votes for no elimination."""

    @property
    def size(self) -> int:
        """How many are listed in it."""
        return len(self.voters) + len(self.strangers)


@dataclass(frozen=True, slots=True)
class PostedVotecount:
    """A votecount post of the moderator, with the facts that it tells; None where it does not tell one.

    `day` and `number` are those of the title (“Votecount 2.1”), `alive` and `needed` those of the sentence
    below (“With 12 alive, it takes 7”). A row without voters tells that the player has no votes.
    """

    post: int
    author: str
    rows: tuple[PostedWagon, ...]
    url: str | None = None
    day: int | None = None
    number: int | None = None
    alive: int | None = None
    needed: int | None = None

    @property
    def people(self) -> int:
        """How many people are listed as voting or not voting."""
        known = {voter.name for row in self.rows for voter in row.voters}
        return len(known) + len({squash(name) for row in self.rows for name in row.strangers})

    @property
    def whole(self) -> bool:
        """Whether everybody alive is listed; where the post does not tell how many live, whether it lists
        those who do not vote."""
        if self.alive is None:
            return any(row.idle for row in self.rows)
        return self.people == self.alive

    @property
    def largest(self) -> int:
        """How many are listed in its largest wagon."""
        return max((row.size for row in self.rows if not row.idle), default=0)

    def row_listing(self, names: Iterable[str]) -> PostedWagon | None:
        """The row that lists somebody of one of these names, as voting or not."""
        keys = set(map(squash, names))
        listed = (
            (row, {squash(v.name) for v in row.voters} | set(map(squash, row.strangers))) for row in self.rows
        )
        return next((row for row, voters in listed if keys & voters), None)

    def row_of(self, voter: Slot) -> PostedWagon | None:
        """The wagon that lists the vote of a slot; None where no wagon does."""
        named = (row for row in self.rows if not row.idle)
        return next((row for row in named if any(v.name == voter.name for v in row.voters)), None)


def names_of_posters(authors: Iterable[str], moderators: Iterable[str] = ()) -> Names:
    """The names of a game whose players nobody listed: a slot for each poster but the moderators. Of the same
    people it is the same value, which remembers what was asked."""
    return _names_of(frozenset(authors), frozenset(moderators))


@lru_cache(maxsize=16)
def _names_of(authors: frozenset[str], moderators: frozenset[str]) -> Names:
    mods = {name.casefold(): name for name in sorted(moderators)}
    players = {name.casefold(): name for name in sorted(authors)}
    slots = [Slot((Holder(name),)) for folded, name in players.items() if folded not in mods]
    return Names(slots, (), sorted(mods.values()))


# ---- Posts


def posted_votecount(
    post: int, author: str, nodes: Nodes, names: Names, url: str | None = None
) -> PostedVotecount | None:
    """The count that a post of the moderator holds, or nothing. `names` are those of its moment."""
    lines = _lines(nodes, opened=False)
    found = _count(lines, names)

    # A count within a box that hides it is read where none stands outside.
    if found is None and any(_has_box(node) for node in nodes):
        lines = _lines(nodes, opened=True)
        found = _count(lines, names)
    if found is None:
        return None
    rows, needed_by_distance = found
    day, number = _title_of(lines)
    alive, needed = said_of_alive(lines)
    return PostedVotecount(post, author, rows, url, day, number, alive, needed or needed_by_distance)


def _lines(nodes: Nodes, opened: bool) -> list[str]:
    """The lines of a post, without the head of the log under it, which looks like a wagon of nobody."""
    texts = (line.text for line in lines_of(_flat(nodes, opened=opened)))
    return [text for text in texts if not heads_in(text)]


def _count(lines: Sequence[str], names: Names) -> tuple[tuple[PostedWagon, ...], int | None] | None:
    """The rows of the count that the lines hold, and the votes needed where their distances agree on them."""
    # Most posts hold no count: they tell no size on two lines, nor who does not vote.
    signs = sum(bool(_SIZE.search(line)) for line in lines if len(line) <= LONGEST_LINE)
    if signs < 2 and not any(_IDLE_SIGN.search(line) or _TITLE.search(line) for line in lines):
        return None

    reader = _Reader(names)
    found = [row for row in reader.rows(lines) if row.agrees is not _Agrees.NOT]
    sure = [row for row in found if row.agrees >= _Agrees.SURE and row.people]
    if not sure:
        return None

    # A row that agrees less well belongs to the count only if it stands among those that agree.
    first, last = sure[0].line, sure[-1].line
    among = [row for row in found if row.agrees >= _Agrees.LABEL or first - 2 <= row.line <= last + 2]
    among = [row for row in among if row.wagon.voters or row.known or first < row.line < last]
    among = [row for row in among if row.known or not _TITLE.search(lines[row.line])]
    rows = _without_doubles(_one_count(among))
    solid = [row for row in rows if row.agrees >= _Agrees.UNSIZED and row.people]
    titled = any(len(line) <= LONGEST_TITLE and _TITLE.search(line) for line in lines)
    if len(solid) < 2 and not (titled and len(rows) > 1 and rows[-1].wagon.idle) and not _alone(rows, lines):
        return None
    if sum(row.agrees in (_Agrees.GUESS, _Agrees.LABEL) for row in rows) > len(solid):
        return None

    # Who is listed twice votes for nobody that we know; where that is many, it is no votecount.
    listed, twice = {voter.name for row in rows for voter in row.wagon.voters}, _listed_twice(rows)
    if not listed or len(listed) < 4 * len(twice):
        return None
    rows = [row.without(twice) for row in rows]
    needed = {row.told_needed for row in rows if row.told_needed is not None}
    agreed = needed.pop() if len(needed) == 1 and sum(r.told_needed is not None for r in rows) > 1 else None
    return tuple(row.wagon for row in _spelled(rows, names)), agreed


def _alone(rows: Sequence[_Row], lines: Sequence[str]) -> bool:
    """Whether a single row is a count: those who do not vote, with their number or under a title, or all who
    live."""
    peopled = [row for row in rows if row.people]
    if len(peopled) != 1:
        return False
    row = peopled[0]
    everybody = said_of_alive(lines)[0] == row.people
    titled = any(len(line) <= LONGEST_TITLE and _TITLE.search(line) for line in lines[: row.line])
    told = row.agrees is _Agrees.SIZED or titled
    return everybody or (row.wagon.idle and told and row.people > 1 and len(row.wagon.strangers) <= 1)


def _one_count(rows: list[_Row]) -> list[_Row]:
    """The rows of the first whole count, where a post holds more than one: the next one begins where, behind
    those who do not vote or a gap, somebody is listed again."""
    seen: set[str] = set()
    for place, row in enumerate(rows):
        mine = {voter.name for voter in row.wagon.voters}
        before = rows[place - 1] if place else None
        if before and (before.wagon.idle or row.line - before.line > 2) and row.agrees >= _Agrees.LABEL:
            again = seen & mine
            rest = {voter.name for later in rows[place:] for voter in later.wagon.voters}
            if again and 2 * len(seen & rest) >= len(seen):
                return rows[:place]
        seen |= mine
    return rows


def _listed_twice(rows: Iterable[_Row]) -> set[str]:
    """Who is a voter in several rows."""
    listed = Counter(name for row in rows for name in {voter.name for voter in row.wagon.voters})
    return {name for name, times in listed.items() if times > 1}


def _without_doubles(rows: list[_Row]) -> list[_Row]:
    """The rows less those that list somebody again and agree less well, the worst first."""
    while True:
        doubled = _listed_twice(rows)
        weak = [row for row in rows if row.weak and any(v.name in doubled for v in row.wagon.voters)]
        if not weak:
            return rows
        worst = min(weak, key=lambda row: (row.agrees, -row.line))
        rows = [row for row in rows if row is not worst]


def _spelled(rows: Sequence[_Row], names: Names) -> Iterator[_Row]:
    """The rows with the strangers named whose spelling fits somebody whom no row lists, and the labels that
    fit somebody without a row."""
    listed = {voter.name for row in rows for voter in row.wagon.voters}
    listed |= {name for row in rows for name in row.wagon.strangers}
    targets = {row.wagon.target.name for row in rows if row.wagon.target}
    for row in rows:
        wagon = row.wagon
        if wagon.target is None and not wagon.idle and not wagon.nobody and row.agrees >= _Agrees.UNSIZED:
            target = _by_spelling(wagon.label, names, targets)
            if target is not None:
                targets.add(target.name)
                wagon = replace(wagon, target=target)
        voters, strangers = list(wagon.voters), []
        for written in wagon.strangers:
            slot = _by_spelling(written, names, listed)
            if slot is None:
                strangers.append(written)
            else:
                listed.add(slot.name)
                voters.append(slot)
        yield replace(row, wagon=replace(wagon, voters=tuple(voters), strangers=tuple(strangers)))


def _by_spelling(written: str, names: Names, taken: set[str]) -> Slot | None:
    """Whom a text means by its spelling, or by a sure tier of which one alone is left."""
    meant = names.match(written)
    if isinstance(meant, Ambiguous) and meant.rule in SURE_RULES:
        left = [name for name in meant.slots if name not in taken]
        meant = names.match(left[0]) if len(left) == 1 else meant
        rules = SURE_RULES
    else:
        rules = SPELLING_RULES
    if isinstance(meant, Matched) and meant.rule in rules and meant.slot.name not in taken:
        return meant.slot
    return None


# ---- Rows


class _Agrees(IntEnum):
    """How well a line agrees with being a wagon, the worst first."""

    NOT = 0
    EMPTY = 1  # a sure label without voters
    GUESS = 2  # no size and no sure label: every voter is surely named
    LABEL = 3  # a sure label, but another size than voters
    UNSIZED = 4  # a sure label, no size
    SIZED = 5  # the size is that of the voters
    SURE = 4


@dataclass(frozen=True, slots=True)
class _Row:
    """A line read as a wagon. `line` is its place; `told` the size that it tells, less any bonus."""

    wagon: PostedWagon
    agrees: _Agrees
    told: int | None = None
    weight: int = 0
    line: int = 0
    told_needed: int | None = None

    @property
    def people(self) -> int:
        return len(self.wagon.voters) + len(self.wagon.strangers)

    def without(self, names: Set[str]) -> _Row:
        """The row with the voters of these names as strangers."""
        if not any(voter.name in names for voter in self.wagon.voters):
            return self
        voters = tuple(voter for voter in self.wagon.voters if voter.name not in names)
        strangers = tuple(voter.name for voter in self.wagon.voters if voter.name in names)
        return replace(
            self, wagon=replace(self.wagon, voters=voters, strangers=(*self.wagon.strangers, *strangers))
        )

    @property
    def known(self) -> bool:
        """Whether the label says for whom the votes are."""
        return self.wagon.target is not None or self.wagon.idle or self.wagon.nobody

    @property
    def weak(self) -> bool:
        return not self.known or self.agrees <= _Agrees.LABEL


# What moderators add to a line: the distance, “(L-1)”, “E-2”, “[L~2]”, and “LYNCHED!” at its end or in
# brackets.
_CLOSENESS = re.compile(r"[(\[{]?\s?\b[LE]\s?[-–−~]\s?(?P<left>\d{1,2})\b\s?[)\]}]?", re.IGNORECASE)
_HAMMERED = re.compile(
    r"[(\[{]\s?(?:lynch|eliminat|hammer|execut)\w{0,4}!*\s?[)\]}]"
    r"|(?:[-–—]\s?)?\b(?:lynch|eliminate|elimination|hammer|execute)(?:e?d)?!*\s*$",
    re.IGNORECASE,
)
_NO_ONE = re.compile(r"\bno\W{0,2}(?:lynch|eliminat|execut|hammer)", re.IGNORECASE)
_SMILEY = re.compile(r"(?<!\w):[a-z_!?]{1,15}:(?!\w\w:)", re.IGNORECASE)
_BULLET = re.compile(r"^[\s•*·▪◦>▮▯■□]+")
# “Votes: 3”, “Voters: Ada” behind a label: the heads of a table's columns.
_COLUMN = re.compile(
    r"(?<=[-–—;|,\ue102])\s*(?:votes?|voters?)\s*:|(?<=\d)\s+votes?\s*(?=[:;,)\]–—-])", re.IGNORECASE
)
# “5/7 incl. +1”.
_BONUS = re.compile(r"\s*\bincl(?:\.|udes|uding)?\s?\+?\s?(?P<bonus>\d)\b", re.IGNORECASE)
# The size of a wagon, alone or of those needed: “3”, “(3)”, “[3/7]”, “(3 votes)”, “(3 / 7 to lynch)”. Not the
# digits of “Mina32”.
_SIZE = re.compile(
    r"(?P<open>[(\[{]\s?)?(?<![\w.])[x×]?(?P<size>\d{1,2})(?:\s?/\s?(?P<needed>\d{1,2}))?(?![\w])(?!\.\d)"
    r"(?(open)(?:[^()\[\]{}]{0,16})?[)\]}]|(?:\s?votes?\b)?)",
    re.IGNORECASE,
)
CELL = "\ue102"
"""Stands between the cells of a table's row."""
# What parts a label from its voters.
_PARTED = re.compile(rf"\s?[:{CELL}]|\s[-–—~=>|]{{1,3}}|[-–—~]{{1,3}}(?=\s|$)|\s?[(\[{{]|\s\s+")
_EDGES = f' .,;()[]{{}}*-–—:~=>|"{CELL}'
# A label that holds the size of its wagon, “Ada (3” or “Ada 3”, belongs to another shape or to none.
_COUNTS = re.compile(r"[(\[{]\s?\d|(?<!\w)\d{1,2}$")
_SIZED = re.compile(r"\W*\d{1,2}\s*(?:[/)\]}:]|-\s|$)")
# The label of those who do not vote: “Not voting”, “No vote”, “Non-voters”, “7 players not voting”.
_IDLE = re.compile(
    r"\W*(?:\d{1,2}\s)?(?:players?\s|those\s|people\s|who\s|(?:is|are)\s|currently\s|still\s){0,3}"
    r"(?:not(?:\s(?:yet|currently))?[\s-]?(?:voting|voted|voters?)|non?[\s-]?(?:voting|voters?|votes?)"
    r"|(?:yet|still)\sto\svote|ha(?:s|ve)(?:\snot|n['’]t)(?:\syet)?\svoted|without\s(?:a\s)?votes?"
    r"|undecided|abstain(?:ing|ed|ers?)?|unvoted|voting\s(?:for\s)?(?:nobody|no\s?one))"
    r"(?:\s(?:yet|currently|players?|anyone|anybody))?\W*",
    re.IGNORECASE,
)
_IDLE_SIGN = re.compile(r"\bno[nt]?\b.{0,12}vot|\bvoted?\b|undecided|abstain|unvoted", re.IGNORECASE)
# Labels of lists that are no wagons: the dead, those on leave, those due a prod, the players.
_NO_WAGON = re.compile(
    r"\W*(?:the\s|all\s|currently\s|still\s|due\s(?:for\s)?(?:a\s)?)?(?:dead|deceased|graveyard|killed|lynched"
    r"|eliminated|alive|living|players?|player\s?list|prods?|prodded|prodding|v\W?la|vacation|replace\w{0,6}"
    r"|mods?|moderators?|deadline|notes?|mod\snotes?|since|changes|spectators?|backups?|town|mafia|winners?"
    r"|thread|day|night|votes?|voters?)\b.*",
    re.IGNORECASE,
)
# Nobody, where voters would stand: “Not voting: none”.
_NONE = frozenset({"", "none", "noone", "nobody", "na", "empty", "nil", "everyonevoting", "everyoneisvoting"})
LONGEST_LINE = 2000
LONGEST_LABEL = 40
MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the lines of a post against the names of its moment."""

    names: Names

    def rows(self, lines: Sequence[str]) -> Iterator[_Row]:
        """The best reading of every line; names that stand on lines of their own belong to the row above."""
        place = 0
        while place < len(lines):
            row = self.row(lines[place])
            end = place + 1
            if row is not None and row.agrees < _Agrees.SIZED:
                row, end = self._continued(row, lines, place)
            if row is not None:
                yield replace(row, line=place)
            place = end

    def _continued(self, row: _Row, lines: Sequence[str], place: int) -> tuple[_Row, int]:
        """A row with the voters of the lines below it: as many as its size lacks, or where it tells none and
        has no voters the names that follow."""
        text, missing = lines[place].rstrip(), (row.told or 0) - row.weight
        opened = row.told is None and not row.people and text.endswith((":", "-", "–", "—"))
        opened = opened or (row.wagon.idle and row.told is None and not row.people)
        if missing <= 0 and not opened:
            return row, place + 1
        best = row, place + 1
        for end in range(place + 1, min(len(lines), place + (missing if missing > 0 else 30)) + 1):
            if end == len(lines) or len(lines[end]) > 300:
                break
            following = _BULLET.sub("", lines[end]).strip(" -–—")
            beside = self.row(lines[end])
            if beside is not None and beside.agrees is not _Agrees.GUESS:
                break
            if missing <= 0 and (
                self._surely(_bare(following)) is None or len(following.split()) > MOST_WORDS
            ):
                break
            text = f"{text.rstrip(' ,')}{' ' if end == place + 1 else ', '}{following}"
            longer = self.row(text)
            if longer is None:
                break
            if len(longer.wagon.strangers) > len(row.wagon.strangers):
                break
            if missing > 0 and longer.agrees is _Agrees.SIZED:
                return longer, end + 1
            if missing <= 0 and longer.people == row.people + end - place:
                best = longer, end + 1
        return best

    def row(self, line: str) -> _Row | None:
        """The reading of a line that agrees best with itself; None where none does at all."""
        if len(line) > LONGEST_LINE or not any(char.isalpha() for char in line):
            return None
        left = [int(found["left"]) for found in _CLOSENESS.finditer(line)]
        text = line if _NO_ONE.search(line) else _HAMMERED.sub(" ", line)
        text = _BULLET.sub("", _SMILEY.sub(" ", _CLOSENESS.sub(" ", text))).rstrip()
        bonus = _BONUS.search(text)
        text = _COLUMN.sub(" ", _BONUS.sub("", text))
        best: _Row | None = None
        for label, told, rest in _readings(text):
            less = told - int(bonus["bonus"]) if told is not None and bonus else told
            row = self._reading(label, less, rest)
            if row is not None and (best is None or row.agrees > best.agrees):
                best = row
                if row.agrees is _Agrees.SIZED and row.known:
                    break
        if best is not None and len(left) == 1 and not best.wagon.idle:
            best = replace(best, told_needed=best.weight + left[0])
        return best

    def _reading(self, label: str, told: int | None, rest: str) -> _Row | None:
        """One reading of a line as a row, with how well it agrees."""
        label = label.strip().strip(CELL).strip()
        bare = label.strip(_EDGES)
        if not bare or len(bare) > LONGEST_LABEL or len(bare.split()) > MOST_WORDS + 1:
            return None
        idle = bool(_IDLE.fullmatch(label))
        if not idle and _NO_WAGON.fullmatch(label) and self._exactly(bare) is None:
            return None
        written = _voters_written(rest)
        if written is None:
            return None
        target, nobody = (None, False) if idle else self._target(label)
        known = target is not None or idle or nobody
        if not known and any(_is_prose(_bare(one)) and not _JOINED.search(one) for one in written):
            return None
        if told is None and (_SIZED.match(rest) or (_COUNTS.search(bare) and self._exactly(bare) is None)):
            return None
        if not known and (told is None or told == 0) and (not written or len(written) > 30):
            return None

        voters: list[Slot] = []
        strangers: list[str] = []
        weight = 0
        for one in written:
            for name, times, slot in self._named(one, told is not None or known):
                weight += times
                if slot is None:
                    strangers.append(name)
                else:
                    voters.append(slot)
        if any(_is_prose(name) for name in strangers):
            return None

        # A line that counts its voters may name more strangers than one that does not.
        certain, strange = len(voters), len(strangers)
        if told is not None and told == weight and told:
            agreed = strange < certain or (known and strange <= max(1, certain))
            agrees = _Agrees.SIZED if agreed else _Agrees.LABEL if known else _Agrees.GUESS
        elif told is not None:
            empty = not weight
            agrees = (_Agrees.EMPTY if empty else _Agrees.LABEL) if known and not strange else _Agrees.NOT
        elif not weight:
            wholly = idle or nobody or self._exactly(bare) is not None
            agrees = _Agrees.EMPTY if wholly and not written else _Agrees.NOT
        elif known:
            agrees = _Agrees.UNSIZED if certain and (strange <= 1 or idle) else _Agrees.NOT
        else:
            agrees = _Agrees.GUESS if certain and not strange else _Agrees.NOT
        if agrees is _Agrees.NOT:
            return None
        wagon = PostedWagon(bare, target, tuple(voters), tuple(strangers), idle, nobody)
        return _Row(wagon, agrees, told, weight)

    # ---- Voters

    def _named(self, written: str, listed: bool) -> list[tuple[str, int, Slot | None]]:
        """The people whom a piece between commas names: (name, weight, slot). `listed` allows several that
        nothing parts."""
        times = _TIMES.search(written)
        weight = int(times["times"]) if times else 1
        text = _TIMES.sub("", written)
        bare = _bare(text)
        if squash(bare) in _NONE:
            return []

        # Brackets behind a name are a note, but where the name itself has some.
        short = _POST.sub("", text).strip()
        slot = self._exactly(bare) or (self._exactly(short) if short != bare else None)
        if slot is None:
            # “Boro & Fen”, “Boro / Fen”; else “Boro Fen Elm”.
            pieces = [piece for piece in (_bare(one) for one in _JOINED.split(bare)) if piece]
            slots = [self._surely(piece) for piece in pieces]
            if len(pieces) > 1 and all(slots):
                return [(piece, 1, one) for piece, one in zip(pieces, slots, strict=True)]
            row = self._in_a_row(bare) if listed else []
            if row:
                return [(one.name, 1, one) for one in row]
            slot = self._surely(bare)
        return [(bare, weight, slot)]

    def _in_a_row(self, text: str) -> list[Slot]:
        """Two whole names or more that nothing but blanks part; empty where a word is left over."""
        typed = text.split()
        if not 1 < len(typed) <= 60:
            return []
        found: list[Slot] = []
        place = 0
        while place < len(typed):
            for end in range(min(len(typed), place + 4), place, -1):
                slot = self._exactly(_bare(" ".join(typed[place:end])))
                if slot is not None:
                    found.append(slot)
                    place = end
                    break
            else:
                return []
        return found if len(found) > 1 else []

    def _target(self, label: str) -> tuple[Slot | None, bool]:
        """Whom a label names; whether it means no elimination."""
        if not _NAME.search(label):
            return None, False
        for text in dict.fromkeys((label.strip(), label.strip(_EDGES))):
            meant = self.names.surely(text)
            if isinstance(meant, NoElimination):
                return None, True
            if isinstance(meant, Matched):
                # A name that begins a longer text is a label only with a word behind it: the rest is prose.
                longest = max(len(name.split()) for name in (*meant.slot.names, *meant.slot.aliases))
                prose = meant.rule == "name_at_start" and len(text.split()) > longest + 1
                return (None if prose else meant.slot), False
        return None, False

    def _exactly(self, text: str) -> Slot | None:
        """Whose whole name or alias the text is."""
        slot = self._surely(text)
        wholly = slot is not None and squash(text) in {squash(name) for name in (*slot.names, *slot.aliases)}
        return slot if wholly else None

    def _surely(self, text: str) -> Slot | None:
        """Whom a text names by a tier that leaves no doubt; the rest is what there is to learn."""
        if _is_prose(text) or not _NAME.search(text):
            return None
        meant = self.names.surely(text)
        return meant.slot if isinstance(meant, Matched) else None


def _readings(line: str) -> Iterator[tuple[str, int | None, str]]:
    """Every way to part a line: (label, size, what stands behind)."""
    sizes = list(islice(_SIZE.finditer(line), 6))

    # Label, size, voters: “Ada (3): Boro, Fen, Elm”, “Ada - 3 votes - Boro, Fen, Elm”.
    for size in sizes:
        if line[: size.start()].strip(_EDGES):
            yield line[: size.start()], int(size["size"]), line[size.end() :]

    # Size, label, voters: “3 Ada (Boro, Fen, Elm)”, “3 votes: Ada - Boro, Fen, Elm”.
    if sizes and not line[: sizes[0].start()].strip(_EDGES):
        body = line[sizes[0].end() :].lstrip(_EDGES)
        for label, rest in _parted(body):
            yield label, int(sizes[0]["size"]), rest
        yield body, int(sizes[0]["size"]), ""

    # Label, voters, size: “Ada: Boro, Fen, Elm (3)”.
    last = next((size for size in sizes if not line[size.end() :].strip(_EDGES)), None)
    if last is not None:
        for label, rest in _parted(line[: last.start()]):
            yield label, int(last["size"]), rest

    # Label, voters: “Ada: Boro, Fen, Elm”, “Ada - Boro”.
    for label, rest in _parted(line):
        yield label, None, rest


def _parted(text: str) -> Iterator[tuple[str, str]]:
    for sign in islice(_PARTED.finditer(text), 4):
        label = text[: sign.start()]
        if label.strip(_EDGES):
            yield label, text[sign.end() :]


# Between voters: “Boro, Fen; Elm”; within one such piece “Boro & Fen”, “Iris | Kestrel and Lumen”.
_COMMAS = re.compile(rf"\s*[,;{CELL}]\s*")
_JOINED = re.compile(r"\s*[|/•·+→]\s*|\s+(?:&|and|~|-|–|—)\s+", re.IGNORECASE)
# Behind a voter: “Boro (#123)”, “Boro [2]”, “Boro (31–38)”, “Boro #12”, “Boro @ 12”.
_NOTE = re.compile(r"\s*(?:[(\[{][^()\[\]{}]{0,40}[)\]}]?|[#@]\s?\d{1,5})\s*$")
_POST = re.compile(r"\s*[(\[{]\s?#?\d[\d\s,–-]{0,20}[)\]}]?\s*$")
_LED = re.compile(r"^(?:#?\d{1,2}[.)]\s+|and\s+|&\s*|@)", re.IGNORECASE)
# A vote that counts more than once: “Boro ×2”, “Boro (x2)”.
_TIMES = re.compile(r"\s*[(\[]?\s?(?<!\w)[x×](?P<times>\d)\b\s?[)\]]?", re.IGNORECASE)
# A vote that left the wagon, on a site that cannot strike it out: “(was Boro) (31–38)”.
_WAS = re.compile(r"^\W*was\s", re.IGNORECASE)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


# What is left of a voter who was struck out: the posts of their vote, “(31–38)”.
_POSTS_ALONE = re.compile(r"\(#?\d{1,6}(?:\s?[–-]\s?#?\d{1,6})?\)[\s–-]{0,3}")


def _voters_written(rest: str) -> list[str] | None:
    """The pieces that stand where voters do, in their order; None where it is prose."""
    text = rest.strip().lstrip(f"-–—:=~>;,.|* {CELL}").strip()
    if text[:1] in _PAIRS and text.count(text[0]) == 1:
        text = text[1:].rstrip()
        text = text[:-1] if text.endswith((")", "]", "}")) else text
    pieces = [piece.strip() for piece in _COMMAS.split(text)]
    names = (piece for piece in pieces if _bare(piece) and not _POSTS_ALONE.fullmatch(piece))
    written = [piece for piece in names if not _WAS.match(piece)]
    if len(written) > 100 or any(len(piece) > 200 for piece in written):
        return None
    return written


# What a name has: a letter, or digits enough to be no number of a list.
_NAME = re.compile(r"[^\W\d_]|\d{3}")


def _is_prose(text: str) -> bool:
    """Whether a text is too long for a name."""
    return len(text) > LONGEST_LABEL or len(text.split()) > MOST_WORDS


def _bare(written: str) -> str:
    """A name without what stands around it."""
    text = written.strip()
    for _ in range(3):
        shorter = _NOTE.sub("", text)
        if not shorter or shorter == text:
            break
        text = shorter
    text = _LED.sub("", text) if not _LED.fullmatch(text) else text
    bare = text.strip(' .,;*:"“”•')
    return bare if any(char.isalnum() for char in bare) else ""


# ---- Facts

_TO_DECIDE = (
    r"(?:to\s(?:reach\s(?:a\s)?)?(?:lynch|eliminate|execute|hang|hammer|kill|exile|banish|vote\sout|majority"
    r"|(?:an?\s)?elimination|secure\sa\smajority)"
    r"|for\s(?:an?\s|the\s)?(?:majority|lynch|elimination|execution|hammer))\b"
)
# “With 12 alive”, “With 9 players”, “12 players are alive”, “12 alive”. Not “with 12 posts”.
_ALIVE = (
    re.compile(
        rf"\bwith\s(?:only\s|just\s|now\s)?(?P<alive>{HOW_MANY})\s(?:living|remaining|alive|left)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<alive>{HOW_MANY})\s(?:players?|people|of\syou)\s(?:(?:are|is|still|now|currently)\s){{0,2}}"
        r"(?:alive|living|left|remain(?:ing)?)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bwith\s(?P<alive>{HOW_MANY})\s(?:living\s)?players?\b(?!\s(?:not|dead|voting))", re.IGNORECASE
    ),
    re.compile(rf"(?:^|[.,;(]\s?)(?P<alive>{HOW_MANY})\s(?:are\s)?(?:still\s)?alive\b", re.IGNORECASE),
    re.compile(
        rf"\bthere\sare\s(?:now\s|still\s|only\s)?(?P<alive>{HOW_MANY})\s(?:alive|living\splayers)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:alive|living(?:\splayers)?|players\s(?:alive|left))\s?[:(=]\s?(?P<alive>\d{1,2})\b",
        re.IGNORECASE,
    ),
)
# “it takes 7 to lynch”, “5 votes are needed for majority”, “majority is 7”, “a lynch requires 6/10 votes”.
_NEEDED = (
    re.compile(
        rf"(?<![/\d])\b(?P<needed>{HOW_MANY})(?:\s?/\s?\d{{1,2}})?\s(?:votes?\s)?"
        r"(?:(?:(?:are|is|will\sbe)\s)?(?:needed|required|necessary)\s)?"
        rf"{_TO_DECIDE}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:majority|lynch|elimination|execution|hammer)\s(?:is|of|at|=|requires|needs|takes|will\stake)\s"
        rf"(?P<needed>{HOW_MANY})\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:it\s(?:takes|is|needs|requires)|it['’]?s)\s(?P<needed>{HOW_MANY})\s(?:votes?\s)?"
        r"(?:for\smajority|to\smajority)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:majority|to\slynch|to\seliminate|votes\sneeded|(?:lynch|elimination)\sthreshold|threshold)\s?[:=(]\s?(?P<needed>\d{1,2})\b",
        re.IGNORECASE,
    ),
)
LONGEST_SENTENCE = 400


def said_of_alive(lines: Iterable[Line | str]) -> tuple[int | None, int | None]:
    """(how many live, how many votes decide) as a post of the moderator tells it, votecount or not: “With 12
    alive, it takes 7 to eliminate”. None for what it does not tell, or tells in a way that cannot be."""
    alive: int | None = None
    needed: int | None = None
    for line in lines:
        text = (line if isinstance(line, str) else line.text)[:LONGEST_SENTENCE]
        if not _TOLD.search(text):
            continue
        flat = " ".join(text.split())
        if alive is None:
            alive = next((parse_number(m["alive"]) for p in _ALIVE if (m := p.search(flat))), None)
        if needed is None:
            needed = next((parse_number(m["needed"]) for p in _NEEDED if (m := p.search(flat))), None)
        if alive is None or needed is None:
            pair = _fitting_pair(flat)
            if pair is not None and alive in (None, pair[0]) and needed in (None, pair[1]):
                alive, needed = pair
    if needed is not None and (not needed or (alive is not None and needed > alive)):
        needed = None
    return alive or None, needed


# “9 alive, 5 to eject”, “You are six and it takes four”, “Seven souls remain and four make a majority”.
_PAIR = re.compile(
    rf"\b(?P<alive>{ANY_NUMBER})\b(?P<who>[^.;:!?\d]{{0,40}}?)\b(?P<needed>{ANY_NUMBER})\b(?=\s(?:to|votes?|stimmen|votos|make|makes|decides?"
    rf"|hangs?|is|are|for|needed|reichen)\b|\s?[.,;!)]|$)",
    re.IGNORECASE,
)
_LIVING = re.compile(
    r"\balive\b|\bleft\b|\bremain|\bsouls?\b|\bplayers?\b|\bof\syou\b|\byou\sare\b|\bliving\b|\bon\s\w+\b|\bleben\b|\bviv[eo]",
    re.IGNORECASE,
)


def _fitting_pair(line: str) -> tuple[int, int] | None:
    """(how many live, how many votes decide) of a line with two numbers that fit each other, the second just
    more than half of the first, in words that speak of who lives."""
    for found in _PAIR.finditer(line) if _LIVING.search(line) else ():
        alive, needed = parse_number(found["alive"]), parse_number(found["needed"])
        before = line[max(0, found.start() - LOOK_BACK) : found.start()]
        if needed == alive // 2 + 1 and alive > 2 and _LIVING.search(f"{before} {found['who']}"):
            return alive, needed
    return None


LOOK_BACK = 20
"""Letters before a number that say what it counts."""
_TOLD = re.compile(
    r"alive|living|players?|left|remain|majority|\bto\s|lynch|eliminat|execut|hammer|needed|you\sare|takes|souls|leben|viv[eo]",
    re.IGNORECASE,
)


_COUNT_WORD = r"(?:vote\s?-?counts?|votals?|\bv/?c|\btally|\bvotes?\scount)"
_DAY = rf"\bd(?:ay)?\s?[#:]?\s?(?P<day>\d{{1,2}}|(?<=day\s)(?:{DAY_WORDS})\b)"
# “Vote Count 2.1”, “VC#2.07”, “Votecount 3,2”, “Votecount 5.F”, “Votecount #4.32.5”.
_DAY_AND_NUMBER = re.compile(
    rf"{_COUNT_WORD}\s?[:#–—-]{{0,2}}\s?(?:day\s)?(?P<day>\d{{1,2}})(?:\s?[.–-]\s?|,)#?(?P<number>\d{{1,3}}|[a-z])(?!\w)",
    re.IGNORECASE,
)
# “Votecount 3”, “Vote Count (#14)”, at the end of a title.
_NUMBER_ONLY = re.compile(
    rf"{_COUNT_WORD}\s?[:–—-]{{0,2}}\s?[(\[]?(?:#|no\.?\s|number\s)?\s?(?P<number>\d{{1,3}})[)\]]?(?=\s*(?:$|[:(\[–—.!,-]))",
    re.IGNORECASE,
)
_HASH = re.compile(r"#\s?(?P<number>\d{1,3})(?!\w)")
# A count of ours that has no number: “Votecount 1 (to post 84)”.
_DAY_ONLY = re.compile(rf"{_COUNT_WORD}\s(?P<day>\d{{1,2}})\s\(to\spost\s", re.IGNORECASE)
_TITLE = re.compile(_COUNT_WORD, re.IGNORECASE)
_DAY_IN_TITLE = re.compile(_DAY, re.IGNORECASE)
_DAY_ALONE = re.compile(
    rf"\W*(?:it\sis\snow\s|it['’]s\snow\s|welcome\sto\s)?{_DAY}\W*(?:begins?(?:\snow)?|starts?|has\s(?:begun|started))?\W*",
    re.IGNORECASE,
)
_DAY_ENDS = re.compile(
    rf"{_DAY}\s(?:will\s)?(?:ends?|deadline)\b|\bdeadline\sfor\s(?:day\s(?P<other>\d{{1,2}}))", re.IGNORECASE
)
LONGEST_TITLE = 80


def _title_of(lines: Sequence[str]) -> tuple[int | None, int | None]:
    """(day, number of the count) as its title tells them; the day else by the line that tells its end."""
    day: int | None = None
    for line in lines:
        if len(line) > LONGEST_TITLE or not _TITLE.search(line):
            continue
        both = _DAY_AND_NUMBER.search(line)
        if both is not None:
            return int(both["day"]), int(both["number"]) if both["number"].isdigit() else None
        only = _DAY_ONLY.search(line)
        if only is not None:
            return int(only["day"]), None
        told = _DAY_IN_TITLE.search(line)
        number = _NUMBER_ONLY.search(line)
        if told is not None or number is not None:
            day = parse_number(told["day"]) if told else _day_told(lines)
            number = number or (_HASH.search(line) if told else None)
            return day, int(number["number"]) if number else None
    return _day_told(lines), None


def _day_told(lines: Sequence[str]) -> int | None:
    """The day of a line of its own, “Day 2”, else of the sentence that tells its end."""
    short = [line for line in lines if len(line) <= LONGEST_TITLE * 2]
    alone = next((found for line in short if (found := _DAY_ALONE.fullmatch(line))), None)
    if alone is not None:
        return parse_number(alone["day"])
    ends = next((found for line in short if (found := _DAY_ENDS.search(line))), None)
    return parse_number(ends["day"] or ends["other"]) if ends is not None else None


# ---- Nodes


def _has_box(node: Node) -> bool:
    """Whether a box that hides its words stands in the node; a quote of somebody is none."""
    if isinstance(node, Spoiler | Code) or (isinstance(node, Quote) and node.author is None):
        return True
    return any(_has_box(child) for child in getattr(node, "children", ()))


def _flat(nodes: Nodes, opened: bool) -> Nodes:
    """The nodes with a line for each row of a table and for each title; `opened` opens the boxes as well."""
    return tuple(flat for node in nodes for flat in _flat_node(node, opened))


def _flat_node(node: Node, opened: bool) -> Nodes:
    match node:
        case Table(rows):
            return tuple(Block(_in_one_line(row)) for row in rows)
        case Area(children, title):
            return (Block((Text(title),)), Block(_flat(children, opened)))
        case Spoiler(children, title):
            box: Node = Block(_flat(children, opened)) if opened else node
            return (Block((Text(title),)), box)
        case Quote(children, None, _) if opened:
            return (Block(_flat(children, opened)),)
        case Code(text) if opened:
            lines = text.split("\n")
            return tuple(Block((Text(line),)) for line in lines)
        case Strike() | Quote():
            return (node,)
    inner: Nodes = getattr(node, "children", ())
    if not any(isinstance(child, Table) or getattr(child, "children", ()) for child in inner):
        return (node,)
    # Every kind of node that holds others, but those above, calls them `children`.
    return (replace(node, children=_flat(inner, opened)),)  # type: ignore[arg-type]


def _in_one_line(cells: Sequence[Nodes]) -> Nodes:
    """The cells of a row in one line; lines within a cell are parted by commas."""
    flat: list[Node] = []
    for place, cell in enumerate(cells):
        lines = [line.text.strip() for line in lines_of(_flat(cell, opened=True))]
        flat.append(Text((f" {CELL} " if place else "") + ", ".join(lines)))
    return tuple(flat)
