"""A setup as moderators post it: what surrounds its lines, and the table that is dealt.

Of a post the lines with cards are read (`setup_lines`), from lists, boxes, headings by side and tables
(`setup_tables`), and an open setup that is named. What stands around them, rules, players, dates, is left out,
and every line that was is told. The numbers that a post says of itself, such as “13 players” or “Mafia (3)”, are
compared with its cards. Whatever is not sure is a doubt with what may be meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import product
from typing import Any

from knightfall.errors import InputError
from knightfall.games.custom_mafia.open_setups import OpenSetup, open_setup, open_setups
from knightfall.games.custom_mafia.options import PLAYERS
from knightfall.games.custom_mafia.roles import PHRASES, TOWNIE, parse_role
from knightfall.games.custom_mafia.setup_lines import (
    BULLET,
    LONGEST_CARD,
    LONGEST_LINE,
    SIDE_WORDS,
    SetupRow,
    card_row,
    matrix_row,
    read_cards,
)
from knightfall.games.custom_mafia.setup_markup import GONE, HEADING, STRUCK, bare, without_markup
from knightfall.games.custom_mafia.setup_tables import PostTable, tables_in
from knightfall.mafia.roles import Alignment, Role

MOST_ROWS = 200
"""So many cards of a setup are read."""
MOST_LEFT_OUT = 600
"""Letters of a part that was left out, which are shown."""
MOST_DEALS = 1000
"""So many deals a setup with drawn numbers may have."""


@dataclass(frozen=True, slots=True)
class SetupReading:
    """A setup as it was read. `rest`: what all the others are where no line says it; None where one does, or
    where Vanilla Townies are counted. `named`: the open setup that the post names and has no lines for."""

    text: str
    rows: tuple[SetupRow, ...]
    rest: Role | None = None
    named: OpenSetup | None = None

    @property
    def doubts(self) -> tuple[SetupRow, ...]:
        """What has to be decided before it can be dealt."""
        return tuple(row for row in self.rows if row.doubt)

    @property
    def cards(self) -> tuple[SetupRow, ...]:
        """The rows that are cards."""
        return tuple(row for row in self.rows if row.roles)

    @property
    def least(self) -> int:
        """Players that it needs."""
        return self.named.players if self.named else sum(row.count or 0 for row in self.cards)

    @property
    def is_filled(self) -> bool:
        """Whether there may be more."""
        return self.rest is not None or any(row.count is None for row in self.cards)

    @property
    def left_out(self) -> tuple[SetupRow, ...]:
        """What stands in the post and is no card: headings, rules, players, dates."""
        return tuple(row for row in self.rows if not row.roles and not row.doubt)

    def table(self, name: str = "") -> Mapping[str, Any]:
        """The table of a setup file. Raises InputError with every doubt, and where it has no card."""
        if self.doubts:
            raise InputError("\n".join(f"“{row.typed}”: {row.doubt}" for row in self.doubts))
        if self.named is not None:
            return dict(self.named.table)
        if not self.cards:
            raise InputError("The setup has no roles. Write one on each line, such as “2 Goons”.")
        sides = {role.alignment for row in self.cards for role in row.roles}
        if sides.isdisjoint((Alignment.MAFIA, Alignment.SERIAL_KILLER)):
            raise InputError("There is neither mafia nor a Serial Killer in the setup: add one of them.")
        if sum(row.count is None for row in self.cards) > 1:
            raise InputError("Two lines say what all the others are. Keep one of them.")
        slots = [row.slots for row in self.cards if not row.grid and not row.drawn]
        if self.rest is not None:
            slots.append({"role": self.rest.name, "fill": True})
        return {"schema": 1, "name": name.strip() or "Custom", "slots": slots, **self._drawn()}

    def _drawn(self) -> Mapping[str, Any]:
        """What is drawn by the deal: the matrix, or every deal of the numbers that are drawn."""
        grids = [row for row in self.cards if row.grid]
        dice = [row for row in self.cards if row.drawn]
        if len(grids) > 1:
            raise InputError(
                "There are two matrices in the setup: one row or column can be drawn of one only."
            )
        both = bool(grids) and grids[0].ways == "one row or column"
        if not dice:
            columns = {"columns": True} if both else {}
            rows = [{"roles": [role.name for role in one]} for grid in grids for one in grid.grid]
            return {**columns, "row": rows} if rows else {}
        filling = next(
            (row.roles for row in self.cards if row.count is None), (self.rest,) if self.rest else ()
        )
        if len(filling) != 1:
            raise InputError("A number is drawn, and no line says what all the others are: write “rest: …”.")
        fill = filling[0].name
        groups = [[role.name for role in one] for grid in grids for one in grid.grid]
        if both:
            groups += [[role.name for role in one] for one in zip(*grids[0].grid, strict=True)]
        deals: list[Mapping[str, Any]] = []
        for group, *thrown in product(groups or [[]], *(row.drawn for row in dice)):
            roles, weight = list(group), 1
            for row, (number, ways) in zip(dice, thrown, strict=True):
                roles += [row.roles[0].name] * number + [fill] * ((row.count or 0) - number)
                weight *= ways
            deals.append({"roles": roles, **({"weight": weight} if weight > 1 else {})})
        if len(deals) > MOST_DEALS:
            raise InputError(
                f"The numbers that are drawn give {len(deals)} deals; at most {MOST_DEALS} are dealt."
            )
        return {"row": deals}

    def mended(self, row: int, line: str) -> str:
        """The text with another line in the place of a row."""
        one = self.rows[row]
        return f"{self.text[: one.start]}{line}{self.text[one.end :]}"


# ── what words around a setup are ────────────────────────────────────────────────────────────────

_COMMENT = re.compile(r"\s*(?:#(?!#)|//)")
_SETUP_HEADS = re.compile(
    r"(?:the |base |open |game |this )?(?:set[ -]?up|role ?list|roles?|composition|cards|deck|role distribution|"
    r"setup list|roles in (?:play|the game|this game))(?: list)?(?: is| are)?",
    re.IGNORECASE,
)
"""What stands above the cards."""
_SETUP_WORDS = re.compile(
    r"\b(?:set-?up|roles|role ?list|composition|cards|features|contains|consists of)\b", re.I
)
_NO_SETUP_WORDS = re.compile(
    r"\b(?:pm|pms|pm'?s|descriptions?|explan\w+|abilit\w+|samples?|rules?|do|does|work|players?|notes?|claims?)\b",
    re.I,
)
_OF_PLAYERS = re.compile(
    r"\b(?:\d{1,2}|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)[ -]?(?:players?|p)\b", re.I
)
_OTHER_HEADS = re.compile(
    r".*\b(?:rules?|mechanics?|pms?|pm'?s|players?|player ?list|sign[ -]?ups?|replacements?|deadlines?|schedule|"
    r"timeline|dates?|history|discussion|notes?|credits?|links?|voting|votes?|vote ?counts?|win(?:ning)? conditions?|"
    r"wincons?|faq|hosts?|moderators?|mods?|co-?mods?|pre-?ins?|backups?|descriptions?|explanations?|explained|"
    r"abilities|flavou?r|story|intro(?:duction)?|about|alive|dead|graveyard|completed games|questions?|"
    r"night actions?|resolution|activity|phases?|prods?|conduct|summary|examples?|what they do|"
    r"what the roles do|roster|queue|changes|changelog|how to|balance|general|info(?:rmation)?|details|"
    r"order of operations|time|theme|archive|results?|stats|statistics|spectators?|subs|reserves?)\b.*",
    re.IGNORECASE,
)
"""What stands above anything else."""
_META = re.compile(
    r"(?:co-?|main |game |head )?(?:hosts?|mods?|moderators?|size|difficulty|type|genre|date|starts?|start date|"
    r"start time|begins|deadline|days?|nights?|day length|night length|phases?|phase length|day start|majority|"
    r"voting|time ?zone|theme|signups?|sign-ups?|designer|designed by|author|created by|reviewer|reviewed by|link|"
    r"thread|topic|queue|status|ends?|forum|players?|slots?|seats?|population|player count|capacity|spots?|"
    r"number of players|total|game|title|name|format|thanks(?: to)?|prod|prods|replacements?|ita|alive|dead|hammer|"
    r"start|kickoff|rand|win|wins?)",
    re.IGNORECASE,
)
"""The key of a line that says something of the game."""
_COUNT_OF_PLAYERS = re.compile(
    r"(?P<no>\b(?:least|most|up to|than|min(?:imum)?|max(?:imum)?|about|around|first|last|other|every|per)\s+)?"
    r"\b(?P<number>\d{1,2})\s*(?:-|\s)?\s*(?:players?\b|p\b|player\b)(?!\s*(?:each|at|may|can|to|per|a |left|dead|are|is|die))"
    r"|^\W*(?:players?|total|number of players|size|game size|setup size|player count|slots?|seats?|population|capacity)"
    r"(?:\s*\(|\s*[:=–-]\s*)(?:\d{1,2}\s*/\s*)?(?P<total>\d{1,2})\)?\W*$",
    re.IGNORECASE,
)
_UNITS = re.compile(
    r"(?:x\s*)?\d{1,3}(?:st|nd|rd|th)?[\s-]*(?:hours?|hrs?|h|days?|nights?|minutes?|mins?|weeks?|posts?|players?|p|"
    r"votes?|prods?|pm|am|%|points?|replacements?|characters?|words?|gmt|utc|warnings?|/)(?!\w).*",
    re.IGNORECASE,
)
"""A number of something else than cards."""
_ORNAMENT = re.compile(r"[-=_*~#.<>|+:•·—–\s]*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_COMMON = frozenset(
    """the you your yours i my we our us is are was were be been will would must may can could should shall do does
    did this that these those to for please not if by in at it its they them their he she his her who whom which
    when while then than there here after before during until as from but so because also only each every any all
    no none welcome hosted hosting game games day days night nights phase vote votes voting lynch lynched
    elimination eliminated kill kills killed die dies dead alive win wins post posts thread start starts started
    end ends hour hours deadline moderator mod host read enjoy thanks thank everyone everybody someone anyone
    have has had get gets got make makes play plays playing played about with without into out up on off over
    more less most many much very just even still between under against""".split()
)
"""Words of a sentence."""
_LEADS = re.compile(
    r"\b(?:with|of|are|is|be|have|has|had|features?|featuring|contains?|containing|includes?|including|comprises?|"
    r"against|using|uses?|following|add|adding|like this|get|need|want|dealt|:)\s*:?\s+",
    re.IGNORECASE,
)
"""What cards stand behind in a sentence."""
_TAILS = re.compile(
    r"(?<=[\w)])\s*(?:[,;–—-]\s*)?\b(?:to (?:create|make|fill|give|complete|get|form)|for a total|in total|total|making|which|"
    r"that (?:makes|is)|altogether|so that|where|who|in (?:this|the) game|in play|this time|as usual)\b.*$|\s*[.!?:]+\s*$",
    re.IGNORECASE,
)
_BEGINS_WITH_NUMBER = re.compile(
    r"\W*(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|an?\b|rest|every)", re.IGNORECASE
)
_NOT_IN_PLAY = re.compile(
    r"\b(?:not|no|never|without|removed?|removing|except|possibl[ey]|possibilities|maybe|may|might|could|can|potential(?:ly)?|"
    r"random(?:ly|ized)?|chance|out|closed|example|like|such as|instead|replaced?|replacing|banned|excluded?|either|"
    r"optional|unused|old|previous|earlier|was|were|n't|won't|isn't|aren't|\d+\s*%)\b|%",
    re.IGNORECASE,
)
"""Words by which it is not sure that cards are in the game."""
_POSSIBLE = re.compile(
    r"\b(?:not in|removed|excluded|banned|unused|possible (?:\w+ )?roles|potential (?:\w+ )?roles|may (?:be|appear|exist)|"
    r"might (?:be|exist)|could (?:be|exist)|no such)\b",
    re.IGNORECASE,
)
"""A heading of roles that may be in the game, or are not."""
_SURE_KEY = re.compile(
    r"\b(?:always|fixed|in play|in every game|guaranteed|base|town|mafia|scum|setup|set-up|roles?|prs?|vanilla|"
    r"composition|list|cards|added|plus|also|neutrals?|third|here|following|game)\b",
    re.IGNORECASE,
)
"""What may stand before cards and a colon."""
_VARIANT = re.compile(
    r"(?:(?:set-?up|variant|variation|option|version|possibility|row|case|roll)\s*)?#?\s*(?:[A-H]|\d{1,2}|[IVX]{1,4})",
    re.IGNORECASE,
)
_VARIANTS_SAID = re.compile(
    r"\b(?:variants?|variations?|possible set-?ups?|possibilit\w+|one of (?:the|these|them|following)|rolled|"
    r"equally likely|is (?:rolled|drawn|chosen|picked)|one is|random\w*)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\W*(?:for (?:example|instance)|e\.g\.?|example|if|suppose|say|imagine)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(])")
_ROLE_WORDS = frozenset(word for phrase in PHRASES for word in phrase if len(word) > 2) - {
    "town", "mafia", "odd", "even", "night", "shot", "weak", "lazy", "loyal", "body", "guard", "man", "god", "role",
    "strong", "driver", "bus", "keeper", "father", "jail", "proof", "bullet", "killer", "serial", "non", "bomb",
    "consecutive", "vanilla", "lover", "blocker",
}  # fmt: skip
_SPEAKS_OF_CARDS = re.compile(
    rf"\b(?:\d{{1,2}}x?|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:[\w-]+\s+){{0,2}}"
    rf"(?:{'|'.join(sorted(_ROLE_WORDS))}|town|mafia|scum)s?\b",
    re.IGNORECASE,
)
_BOTH_WAYS = re.compile(
    r"\brows?\b[^.\n]{0,30}\bor\b[^.\n]{0,20}\bcolumns?\b|\bcolumns?\b[^.\n]{0,30}\bor\b[^.\n]{0,20}\brows?\b",
    re.IGNORECASE,
)
_AND_WAYS = re.compile(
    r"\brows?\b[^.\n]{0,12}\band\b[^.\n]{0,12}\b(?:one |a )?columns?\b[^.\n]{0,30}", re.IGNORECASE
)
_ROW_WAY = re.compile(r"\b(?:one|a|random(?:ly)?|single)\b[^.\n]{0,40}\brows?\b", re.IGNORECASE)
_COLUMN_WAY = re.compile(r"\b(?:one|a|random(?:ly)?|single)\b[^.\n]{0,40}\bcolumns?\b", re.IGNORECASE)
_AS_KNOWN = re.compile(r"(?:set-?up\s*:\s*)?(?P<name>\S.*?),?\s+as it is known", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:.*\b(?:set-?up|this is|this will be|it'?s|we (?:will |are |'ll )?play(?:ing)?|running|hosting|playing|"
    r"welcome to|game type|format|open)\b\s*(?:is|of|:|=|–|-|a|an|the|game|set-?up|\s)*)?(?P<name>\S.*?)",
    re.IGNORECASE,
)
_AROUND_NAME = re.compile(
    r"^(?:an?|the|open|semi-open|newbie|game of|game|mini|micro)\s+|\s*(?:\(?\d+\s*(?:players?|p)\)?|set-?up|mafia|"
    r"game|\(open\)|\(semi-open\))$",
    re.IGNORECASE,
)
_SAYS_NAME = re.compile(r".*\b(?:set-?up\b\s*(?:is\b|:|=)|this is\b|playing\b)", re.IGNORECASE)


@dataclass(slots=True)
class _Heading:
    """A heading that says how many cards follow."""

    place: int
    number: int
    cards: int = 0
    open: bool = True


@dataclass(slots=True)
class _Post:
    """What was read so far. `section`: in the cards, or out of them; `side` what the heading says."""

    text: str
    plain: str
    rows: list[SetupRow] = field(default_factory=list)
    side: str = ""
    out: str = ""
    after_blank: bool = False
    numbers: list[tuple[int, int]] = field(default_factory=list)
    headings: list[_Heading] = field(default_factory=list)
    known: list[tuple[int, OpenSetup, bool]] = field(default_factory=list)
    variants: list[range] = field(default_factory=list)
    """The places of rows that are each a whole deal, as “A: 2 Goons, 7 VT”."""
    unsure: bool = False
    first: int = -1
    """The place of the first row below a heading of the setup."""

    def line_of(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def take(self, row: SetupRow) -> None:
        self.rows.append(row)
        if row.roles and self.headings and self.headings[-1].open:
            heading = self.headings[-1]
            heading.cards += row.count or 0
            if row.count is None or row.drawn or row.grid:
                self.headings[-1] = replace(heading, open=False)

    def leave(self, start: int, end: int, said: str, why: str = "Left out: no cards.") -> None:
        if said.strip():
            self.rows.append(SetupRow(self.line_of(start), start, end, said, remark=why))


def read_setup(text: str) -> SetupReading:
    """Read a setup as it stands in a post."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    post = _Post(text, without_markup(text))
    tables = list(tables_in(text, post.plain)) if len(text) < 200_000 else []
    place = 0
    for table in tables:
        said = _read_table(post, table)
        if said is None:
            continue
        _read_lines(post, place, table.start)
        for row in said:
            post.take(row)
        place = table.end
    _read_lines(post, place, len(text))
    return _checked(post)


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def _read_lines(post: _Post, begins: int, ends: int) -> None:
    """The lines of a part of the post."""
    start = begins
    lines = post.plain[begins:ends].split("\n")
    for number, written in enumerate(lines):
        if len(post.rows) > MOST_ROWS * 3:
            return
        following = next((one for one in lines[number + 1 : number + 4] if bare(one)), "")
        _read_line(post, start, written, following)
        start += len(written) + 1


def _read_line(post: _Post, start: int, written: str, following: str) -> None:
    """One line: a heading, cards, or what is left out."""
    whole = bare(written)
    if not whole:
        post.after_blank = post.after_blank or not written.strip()
        return
    if _COMMENT.match(written):
        return
    line = post.line_of(start)
    end = start + len(written)
    if len(written) > LONGEST_LINE and not _sentences(whole):
        typed = f"{whole[:LONGEST_CARD]}…"
        post.take(SetupRow(line, start, end, typed, doubt="This line is too long for roles."))
        return
    if STRUCK in written and not post.out:
        told = "Words are struck out here. What is in the game?"
        post.take(SetupRow(line, start, end, whole, doubt=told, choices=(_comment(whole),)))
        return
    marked = HEADING in written
    bulleted = BULLET.match(written)
    cut = bulleted.end() if bulleted else 0
    body = written[cut:]
    said = bare(body)
    is_entry = bool(bare(written[:cut]))
    _note_players(post, said, len(post.rows))

    # A heading of the setup, of something else, or of a side.
    head, colon, after = (one.strip() for one in said.partition(":"))
    if not after and colon and _POSSIBLE.search(head):
        post.out, post.unsure = head, True
        _close_heading(post)
        post.leave(start + cut, end, said)
        return
    if not after and _is_setup_head(head, bool(colon) or marked):
        post.out, post.side, post.unsure = "", "", False
        post.first = len(post.rows) if post.first < 0 else post.first
        _close_heading(post)
        post.leave(start + cut, end, said, "A heading, no card.")
        return
    own, number = _side_heading(head)
    if own is not None and after and not post.out:
        rest = body[body.index(":") + 1 :]
        rows = read_cards(line, start + cut + body.index(":") + 1, rest, own)
        if any(row.roles for row in rows) or not _is_prose(after):
            post.first = len(post.rows) if post.first < 0 else post.first
            if number:
                _open_heading(post, number)
            for row in rows:
                post.take(row)
            _close_heading(post)
        else:
            post.leave(start + cut, end, said)
        return
    if (
        own is not None
        and not after
        and (
            colon or marked or head.casefold() in SIDE_WORDS or _introduces(head, number, is_entry, following)
        )
    ):
        if not post.out or marked or colon:
            post.first = len(post.rows) if post.first < 0 else post.first
            post.out, post.side, post.unsure = "", own, False
            _close_heading(post)
            if number:
                _open_heading(post, number)
            what = f"A heading: what follows is {own}." if own else "A heading, no card."
            post.rows.append(SetupRow(line, start + cut, start + len(written.rstrip()), said, remark=what))
        else:
            post.leave(start + cut, end, said)
        return
    about = (
        _OTHER_HEADS.fullmatch(head) and not _OF_PLAYERS.search(head) and not head.endswith((".", "!", "?"))
    )
    short = len(head.split()) <= 3 and not is_entry
    if not after and about and (colon or marked or short) and _is_no_card(head):
        post.out, post.unsure = head, False
        _close_heading(post)
        post.leave(start + cut, end, said)
        return
    if marked and not after and _is_no_card(head):
        post.side = ""
        _close_heading(post)
        if not _names_setup(post, start + cut, end, said, surely=False):
            post.leave(start + cut, end, said)
        return
    if colon and after and _SETUP_HEADS.fullmatch(head):
        # “Setup: 2 Goons, 7 VT”, or a setup by its name.
        post.out = ""
        at = start + cut + body.index(":") + 1
        if _names_setup(post, start + cut, end, said, surely=True):
            return
        _take_cards(post, line, at, body[body.index(":") + 1 :], end)
        return
    if colon and _META.fullmatch(head):
        post.leave(start + cut, end, said)
        if head.casefold().startswith(("player", "slot", "seat", "sign")) and not re.fullmatch(
            r"[\d/ ]*", after
        ):
            post.out = head
        return
    if _names_setup(post, start + cut, end, said, surely=False):
        return
    if post.out:
        _outside(post, line, start + cut, body, end, said, is_entry)
        post.after_blank = False
        return
    if colon and not after and _is_no_card(head):
        post.leave(start + cut, end, said, "A heading, no card.")
        post.side = ""
        _close_heading(post)
        return
    _take_cards(post, line, start + cut, body, end)


def _is_setup_head(head: str, surely: bool) -> bool:
    """Whether words stand above the cards; with a colon, or as a heading, a longer sentence may."""
    if _SETUP_HEADS.fullmatch(head.strip(" -–—>")):
        return True
    return surely and _SETUP_WORDS.search(head) is not None and _NO_SETUP_WORDS.search(head) is None


def _introduces(head: str, number: int, is_entry: bool, following: str) -> bool:
    """Whether “3 Mafia” or “Mafia (3)” stands above a list of them."""
    if head.endswith(")"):
        return bool(number)
    bulleted = BULLET.match(following)
    return bool(number) and not is_entry and bulleted is not None and bool(bare(following[: bulleted.end()]))


def _side_heading(head: str) -> tuple[str | None, int]:
    """The side that a heading names, "" for neither, None for no heading; and how many it says they are."""
    said = head.strip(" -–—*").casefold()
    match = re.fullmatch(
        r"(?:(?P<first>\d{1,2})\s*[x×]?\s+)?(?P<side>\D+?)(?:\s*[(\[–—:-]\s*(?P<last>\d{1,2})\s*(?:players?|roles?|cards?)?\s*[)\]]?)?",
        said,
    )
    if match is None:
        return None, 0
    return SIDE_WORDS.get(match["side"].strip(" -–—")), int(match["first"] or match["last"] or 0)


def _open_heading(post: _Post, number: int) -> None:
    post.headings.append(_Heading(len(post.rows), number))


def _close_heading(post: _Post) -> None:
    if post.headings and post.headings[-1].open:
        _check_heading(post, post.headings[-1])
        post.headings[-1] = replace(post.headings[-1], open=False)


def _check_heading(post: _Post, heading: _Heading) -> None:
    """A heading that says another number than its cards is a doubt."""
    if heading.cards in (0, heading.number) or heading.place >= len(post.rows):
        return
    row = post.rows[heading.place]
    if not row.roles and not row.doubt and row.remark.startswith("A heading"):
        said = re.sub(
            r"\s*[(\[–—:-]?\s*\d{1,2}\s*(?:players?|roles?|cards?)?\s*[)\]]?\s*:?\s*$|^\d{1,2}\s*[x×]?\s+",
            "",
            row.typed,
        )
        told = f"The heading says {heading.number}, and what follows are {heading.cards} cards."
        post.rows[heading.place] = replace(row, doubt=told, remark="", choices=(f"{said}:",))


def _is_no_card(said: str) -> bool:
    """Whether words are no card: “Goons:” may be one."""
    return all(row.doubt for row in read_cards(0, 0, said))


def _outside(post: _Post, line: int, start: int, body: str, end: int, said: str, is_entry: bool) -> None:
    """A line below a heading of something else: only a number of cards after a blank line ends that part."""
    counted = re.match(r"[(\[]?\d{1,2}\s*[x×)\]]?\s+\D|.*[x×]\s*\d{1,2}\s*$", said)
    if (counted and not _UNITS.match(said)) or post.unsure:
        rows = read_cards(line, start, body, "")
        if all(row.roles and not row.remark for row in rows):
            if post.after_blank and not post.unsure:
                post.out, post.side = "", ""
                for row in rows:
                    post.take(row)
                return
            told = f"Below “{post.out[:60]}”. Is this a card of the setup?"
            post.take(
                SetupRow(line, start, end, said, doubt=told, choices=(f"Setup: {said}", _comment(said)))
            )
            return
    post.leave(start, end, said)


def _take_cards(post: _Post, line: int, start: int, body: str, end: int) -> None:
    """Cards of a line, or of a sentence; else what it says is left out, or asked about."""
    said = bare(body)
    rows = read_cards(line, start, body, post.side)
    if not any(row.doubt for row in rows):
        sides = {role.alignment is Alignment.MAFIA for row in rows for role in row.roles}
        if len(rows) > 1 and len(sides) > 1:
            post.variants.append(range(len(post.rows), len(post.rows) + len(rows)))
        for row in rows:
            post.take(_with_its_other_side(row) if not post.side else row)
        return
    if (_UNITS.fullmatch(said) and not _SPEAKS_OF_CARDS.search(said)) or _OF_PLAYERS.fullmatch(
        said.strip(" .!")
    ):
        post.leave(start, end, said)
        return
    key, colon, after = said.partition(":")
    if colon and after.strip() and not any(row.roles for row in read_cards(line, 0, key)):
        # “Always: 2 Goons, 1 Cop”, “A: 2 Goons, 7 VT”: what stands before the cards.
        at = body.index(":") + 1
        behind = read_cards(line, start + at, body[at:], post.side)
        if all(row.roles and not row.doubt and not row.remark for row in behind):
            is_variant = _VARIANT.fullmatch(key.strip()) is not None and len(behind) > 1
            if is_variant or (_SURE_KEY.search(key) and not _NOT_IN_PLAY.search(key)):
                if is_variant:
                    post.variants.append(range(len(post.rows), len(post.rows) + len(behind)))
                for row in behind:
                    post.take(row)
                return
            told = f"“{key}” stands before cards. Are they in the game?"
            post.take(SetupRow(line, start, end, said, doubt=told, choices=(after.strip(), _comment(said))))
            return
    if _is_title(post, said, rows):
        post.leave(start, end, said)
        return
    sentence = _is_prose(said)
    if sentence and (found := _from_sentences(post, line, start, end, said)):
        for row in found:
            post.take(row)
        return
    if sentence and not any(row.roles for row in rows):
        if _SPEAKS_OF_CARDS.search(said) and not _EXAMPLE.match(said):
            told = "This sentence speaks of cards. Write them as a line of their own, or leave it out."
            row = SetupRow(line, start, end, said[:MOST_LEFT_OUT], doubt=told, choices=(_comment(said),))
            post.take(row)
            return
        post.leave(start, end, said)
        return
    for row in rows:
        post.take(row)


_TITLE = re.compile(
    r"(?:.*\b(?:open|mini|micro|large|newbie|round|game|season|normal|theme|edition|sign-?ups?)\b.*\d.*|(?!town\b|\d).+\s+mafia)\W*",
    re.IGNORECASE,
)


def _is_title(post: _Post, said: str, rows: Sequence[SetupRow]) -> bool:
    """Whether words are the name of the game: the first of the post, and no card that is known."""
    first = not any(row.roles or row.doubt for row in post.rows)
    return first and _TITLE.fullmatch(said) is not None and not any(row.roles for row in rows)


def _comment(said: str) -> str:
    return f"// {said[:60]}"


_OFTEN_MAFIA = ("Town Roleblocker", "Town Rolecop", "Town Redirector")
_SIDED = re.compile(r"\btown|\bmafia|\bscum", re.IGNORECASE)


def _with_its_other_side(row: SetupRow) -> SetupRow:
    """A role that the mafia often has and no word says whose it is: the other side is offered."""
    if len(row.roles) != 1 or row.roles[0].name not in _OFTEN_MAFIA or row.remark or _SIDED.search(row.typed):
        return row
    other = (
        f"{f'{row.count} ' if (row.count or 0) > 1 else ''}{row.roles[0].name.replace('Town', 'Mafia', 1)}"
    )
    return replace(row, remark="No side is written, so it is taken for town.", choices=(other,))


def _is_prose(said: str) -> bool:
    """Whether words are a sentence, and not a card that is not known."""
    words = [word.casefold() for word in _WORD.findall(said)]
    if not words:
        return _ORNAMENT.fullmatch(said) is not None
    common = sum(word in _COMMON for word in words)
    counted = re.match(r"[(\[]?\d{1,3}\s*[x×)\]]?\s+\D", said)
    if counted and len(words) <= 5 and common < 2:
        return False
    if len(words) >= 4 and said.rstrip()[-1:] in ".!?…":
        return True
    if common >= 1 and len(words) >= 4:
        return True
    return (common >= 2 and len(words) >= 3) or (common >= 1 and len(words) >= 14)


def _sentences(said: str) -> bool:
    return _is_prose(said) and len(_SENTENCE_END.split(said)) > 1


def _from_sentences(post: _Post, line: int, start: int, end: int, said: str) -> tuple[SetupRow, ...]:
    """The cards of sentences such as “In this game there are 2 Goons and 7 Townies.”; none where one of the
    sentences speaks of cards and is not understood."""
    found: list[SetupRow] = []
    for sentence in _SENTENCE_END.split(said):
        if _EXAMPLE.match(sentence):
            continue
        rows = _sentence_cards(line, _TAILS.sub("", sentence), post.side)
        if not rows and _SPEAKS_OF_CARDS.search(sentence):
            return ()
        told = f"Read in a sentence: “{said[:120]}”."
        found += (replace(row, start=start, end=end, remark=told) for row in rows)
    return tuple(found)


def _sentence_cards(line: int, short: str, side: str) -> tuple[SetupRow, ...]:
    """The cards that end a sentence, behind a word such as “are”; with a number at least one of them."""
    cuts = [0, *(match.end() for match in _LEADS.finditer(short))]
    if _NOT_IN_PLAY.search(short):
        return ()
    subject = re.match(r"\W*(?:the\s+)?(\w+)\s+(?:has|have|gets?|is|are)\b", short, re.IGNORECASE)
    side = SIDE_WORDS.get(subject[1].casefold(), side) if subject else side
    for cut in cuts:
        tail = _TAILS.sub("", short[cut:]).strip()
        if not tail or (cut == 0 and len(cuts) == 1 and not _SPEAKS_OF_CARDS.match(tail)):
            continue
        rows = read_cards(line, 0, re.sub(r"^(?:an?|the)\s+", "1 ", tail), side)
        clear = all(row.roles and not row.doubt and not row.remark for row in rows)
        if clear and any(_BEGINS_WITH_NUMBER.match(row.typed) for row in rows):
            return rows
    return ()


def _note_players(post: _Post, said: str, place: int) -> None:
    """How many players a post says there are."""
    for match in _COUNT_OF_PLAYERS.finditer(said):
        number = int(match["number"] or match["total"])
        if not match["no"] and number in PLAYERS and number > 4:
            post.numbers.append((number, place))


def _names_setup(post: _Post, start: int, end: int, said: str, *, surely: bool) -> bool:
    """Whether a line names an open setup."""
    if (fixed := _AS_KNOWN.fullmatch(said)) is not None and (found := open_setup(fixed["name"])) is not None:
        post.known.append((len(post.rows), found, True))
        post.leave(start, end, said, f"The open setup {found.name}.")
        return True
    match = _NAMED.fullmatch(said.rstrip(" .!"))
    name = match["name"] if match else ""
    for _ in range(4):
        if found := open_setup(name):
            break
        name = _AROUND_NAME.sub("", name).strip(" .,!:-–—")
    if found := open_setup(name):
        post.known.append((len(post.rows), found, False))
        post.leave(start, end, said, f"The open setup {found.name}.")
        return True
    if surely or (_SAYS_NAME.match(said) and len(name.split()) <= 2):
        line = post.line_of(start)
        if surely and any(row.roles for row in read_cards(line, 0, said.partition(":")[2])):
            return False
        if not surely and (not re.search(r"\d|\+", name) or _is_prose(name)):
            return False
        if surely and (_is_prose(name) or "," in name):
            return False
        near = get_close_matches(name, [one.name for one in open_setups()], n=3, cutoff=0.6)
        told = f"There is no open setup “{name}” here. Write its roles, a line each."
        choices = tuple(f"Setup: {one}, as it is known" for one in near)
        post.take(SetupRow(line, start, end, said, doubt=told, choices=(*choices, _comment(said))))
        return True
    return False


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

_NUMBER_CELL = re.compile(r"[x×]?\s*(?P<number>\d{1,3})\s*[x×]?")
_COUNT_HEADS = re.compile(
    r"(?:number|count|amount|qty|quantity|how many|copies|total|x|n|num|cards?)\W*", re.IGNORECASE
)
_PLACE_HEADS = re.compile(r"(?:#|no\.?|nr\.?|slot|row|line|pos\.?|place|index)\W*", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:row |column |col\.? |set-?up |option |variant |die )?(?:\d{1,2}|[a-h]|[ivx]{1,4})\W?", re.IGNORECASE
)
_TOTAL = re.compile(r"(?:total|sum|players)\W*", re.IGNORECASE)


def _read_table(post: _Post, table: PostTable) -> tuple[SetupRow, ...] | None:
    """The rows of a table: of counted roles, of sides side by side, or a matrix; None where it has no role, and
    its lines are read as any others."""
    width = max(len(row.cells) for row in table.rows)
    cells = [(*row.cells, *[""] * (width - len(row.cells))) for row in table.rows]
    if len(table.rows[0].cells) == width - 1:  # the corner is missing
        cells[0] = ("", *table.rows[0].cells)
    roles = [[_cell_role(cell) for cell in row] for row in cells]
    headed = not any(roles[0])
    body = range(1 if headed else 0, len(cells))
    if not body:
        return None
    share = [sum(roles[n][column] for n in body) for column in range(width)]
    named = [column for column in range(width) if share[column] * 2 >= len(body) and share[column]]
    if not named:
        return None
    line = post.line_of(table.start)
    heads = cells[0] if headed else ("",) * width
    sides = [SIDE_WORDS.get(head.casefold().strip(" :")) for head in heads]
    numbers = [
        c
        for c in range(width)
        if c not in named
        and all(_NUMBER_CELL.fullmatch(cells[n][c]) or not cells[n][c] for n in body)
        and any(cells[n][c] for n in body)
    ]
    if len(named) > 1 and any(sides[c] is not None for c in named) and not numbers:
        return tuple(_side_by_side(post, table, cells, named, sides, body))
    texts = [c for c in named if c != named[0] and any(len(cells[n][c].split()) > 5 for n in body)]
    named = [c for c in named if c not in texts]
    if len(named) > 1:
        labels = [c for c in range(width) if c not in named]
        if all(_LABEL.fullmatch(cells[n][c]) or not cells[n][c] for c in labels for n in body):
            return (_matrix(post, table, line, [[cells[n][c] for c in named] for n in body]),)
    return tuple(_counted(post, table, cells, named[0], numbers, heads, body))


def _cell_role(cell: str) -> bool:
    """Whether a cell has a role, and nothing that is in doubt."""
    if not cell or len(cell) > LONGEST_CARD or cell.isdecimal():
        return False
    row = card_row(0, 0, len(cell), cell)
    return bool(row.roles) and not row.doubt


def _side_by_side(
    post: _Post,
    table: PostTable,
    cells: Sequence[Sequence[str]],
    named: Sequence[int],
    sides: Sequence[str | None],
    body: Iterable[int],
) -> Iterator[SetupRow]:
    """A column for each side."""
    for n in body:
        row = table.rows[n]
        for column in named:
            if cells[n][column]:
                for one in read_cards(post.line_of(row.start), 0, cells[n][column], sides[column] or ""):
                    yield replace(one, start=row.start, end=row.end)


def _matrix(post: _Post, table: PostTable, line: int, grid: list[list[str]]) -> SetupRow:
    typed = " / ".join(", ".join(row) for row in grid)
    empty = SetupRow(line, table.start, table.end, typed[:MOST_LEFT_OUT])
    around = bare(post.plain)
    written = f"of: {{{typed}}}"
    ways = (
        ("row or column",)
        if _BOTH_WAYS.search(around)
        else ()
        if _AND_WAYS.search(around)
        else ("row",)
        if _ROW_WAY.search(around) and not _COLUMN_WAY.search(around)
        else ("column",)
        if _COLUMN_WAY.search(around) and not _ROW_WAY.search(around)
        else ()
    )
    if ways:
        return matrix_row(empty, grid, ways[0])
    trial = matrix_row(empty, grid, "row")
    if trial.doubt:
        return trial
    square = len(grid) == len(grid[0])
    told = "A matrix: nothing says what is dealt of it, one row, one column, or one of either."
    choices = ("row or column", "row", "column") if square else ("row", "column")
    return replace(empty, doubt=told, choices=tuple(f"one {way} {written}" for way in choices))


def _counted(
    post: _Post,
    table: PostTable,
    cells: Sequence[Sequence[str]],
    role: int,
    numbers: Sequence[int],
    heads: Sequence[str],
    body: range,
) -> Iterator[SetupRow]:
    """A role in each row, with how many there are of it and its side, where the table says so."""
    side_columns = [
        c
        for c in range(len(heads))
        if c != role
        and any(cells[n][c] for n in body)
        and all(cells[n][c].casefold() in SIDE_WORDS or not cells[n][c] for n in body)
    ]
    counts = [
        c for c in numbers if not (_PLACE_HEADS.fullmatch(heads[c]) and _in_order(cells[n][c] for n in body))
    ]
    told = [c for c in counts if _COUNT_HEADS.fullmatch(heads[c])]
    count = told[0] if told else counts[0] if counts else -1
    said = [cells[n][count] for n in body if count >= 0]
    if count >= 0 and not told and count < role and len(said) > 2 and _in_order(said):
        typed = ", ".join(f"{cells[n][count]} {cells[n][role]}" for n in body)
        asked = "Do the numbers 1, 2, 3 … say how many there are of each, or do they only number the lines?"
        choices = (typed, ", ".join(f"1 {cells[n][role]}" for n in body))
        yield SetupRow(post.line_of(table.start), table.start, table.end, typed, doubt=asked, choices=choices)
        return
    if body.start:
        head = table.rows[0]
        yield SetupRow(
            post.line_of(head.start),
            head.start,
            head.end,
            " | ".join(head.cells),
            remark="A heading, no card.",
        )
    side = ""
    for n in body:
        row, name = table.rows[n], cells[n][role]
        line = post.line_of(row.start)
        own, _ = _side_heading(name)
        if not name and not any(cells[n]):
            continue
        if _TOTAL.fullmatch(name) and count >= 0:
            match = _NUMBER_CELL.fullmatch(cells[n][count])
            if match:
                post.numbers.append((int(match["number"]), len(post.rows)))
            continue
        if own is not None and (count < 0 or not cells[n][count]):
            side = own
            continue
        where = next((SIDE_WORDS[cells[n][c].casefold()] for c in side_columns if cells[n][c]), side)
        number = _NUMBER_CELL.fullmatch(cells[n][count]) if count >= 0 and cells[n][count] else None
        if count >= 0 and number is None:
            told_why = "The table says no number of this role."
            yield SetupRow(line, row.start, row.end, name, doubt=told_why, choices=(f"1 {name}",))
            continue
        typed = f"{number['number']} {name}" if number else name
        for one in read_cards(line, 0, typed, where):
            yield replace(one, start=row.start, end=row.end)


def _in_order(said: Iterable[str]) -> bool:
    """Whether numbers only number the lines: 1, 2, 3."""
    return all(one.strip(" .)") == str(number) for number, one in enumerate(said, start=1))


# ── what a post says of itself ───────────────────────────────────────────────────────────────────


def _checked(post: _Post) -> SetupReading:
    """The reading, with what does not agree as doubts."""
    _close_heading(post)
    rows = post.rows
    # What stands before the setup and is unknown is no card of it.
    if post.first > 0:
        for place in range(post.first):
            row = rows[place]
            if row.doubt and not row.choices and not any(one.roles for one in rows[:place]):
                rows[place] = replace(row, doubt="", remark="Left out: no cards.")
    if len(post.variants) > 1:
        rows = post.rows = _one_of_variants(post)
    cards = [row for row in rows if row.roles]
    named = _known_setup(post, cards)
    townie = parse_role(TOWNIE.name)
    filled = any(row.count is None for row in cards)
    counted = any(townie in row.roles for row in cards)
    _ask_about_seconds(post)
    if named is None and cards and not any(row.doubt for row in rows):
        if counted and not filled:
            _compare_players(post, sum(row.count or 0 for row in cards))
            _ask_about_dice(post)
        else:
            _compare_players(post, sum(row.count or 0 for row in cards), least=True)
    rest = townie if cards and not counted and not filled else None
    told = _joined(rows)
    if sum(bool(row.roles or row.doubt) for row in told) > MOST_ROWS:
        told = _cut(told)
    return SetupReading(post.text, tuple(told), rest if named is None else None, named)


def _one_of_variants(post: _Post) -> list[SetupRow]:
    """The rows, with the deals of which one is rolled as one row of a matrix; a doubt where that is not said."""
    taken = {place for one in post.variants for place in one}
    parts = [[post.rows[place] for place in one] for one in post.variants]
    first, last = parts[0][0], parts[-1][-1]
    deals = ["; ".join(row.typed for row in part) for part in parts]
    empty = SetupRow(first.line, first.start, last.end, "\n".join(deals)[:MOST_LEFT_OUT])
    if any(len(row.roles) != 1 or row.count is None or row.drawn for part in parts for row in part):
        told = "Several setups, of which one is dealt? Write every card of each: they cannot have “or” or “rest”."
        one = replace(empty, doubt=told)
    else:
        cells = [[row.roles[0].name for row in part for _ in range(row.count or 0)] for part in parts]
        one = matrix_row(empty, cells, "row")
        if not one.doubt and not _VARIANTS_SAID.search(bare(post.plain)):
            listed = " / ".join(", ".join(cell) for cell in cells)
            told = "Several lines are each a whole setup. Is one of them dealt, or are all in one game?"
            choices = (f"one row of: {{{listed}}}", ", ".join(row.typed for part in parts for row in part))
            one = replace(empty, doubt=told, choices=choices)
    kept = [
        row
        for place, row in enumerate(post.rows)
        if place not in taken and not first.start <= row.start <= last.end
    ]
    place = next((at for at, row in enumerate(kept) if row.start > first.start), len(kept))
    return [*kept[:place], one, *kept[place:]]


def _known_setup(post: _Post, cards: Sequence[SetupRow]) -> OpenSetup | None:
    """The open setup that the post names, where that is all it says; else which holds is asked."""
    if not post.known:
        return None
    place, found, fixed = post.known[0]
    others = [row for row in post.rows if row.doubt or row.roles]
    if fixed:
        place, found, _ = next(one for one in post.known if one[2])
        for at, row in enumerate(post.rows):
            if row.doubt or row.roles:
                told = f"Left out: the setup is {found.name}, as it is known."
                post.rows[at] = replace(row, doubt="", roles=(), choices=(), remark=told)
        return found
    if len({one.name for _, one, _ in post.known}) > 1:
        row = post.rows[place]
        choices = tuple(
            f"Setup: {one}, as it is known" for one in dict.fromkeys(one.name for _, one, _ in post.known)
        )
        post.rows[place] = replace(
            row, doubt="Two open setups are named. Which is it?", remark="", choices=choices
        )
        return None
    if not others:
        return found
    if cards and not any(row.doubt for row in post.rows) and _same_cards(found, cards):
        return None
    row = post.rows[place]
    told = f"{found.name} is a known setup, and the post has lines of its own that say something else. Which holds?"
    choices = (f"Setup: {found.name}, as it is known", _comment(row.typed))
    post.rows[place] = replace(row, doubt=told, remark="", choices=choices)
    return None


def _same_cards(found: OpenSetup, cards: Sequence[SetupRow]) -> bool:
    """Whether cards are those of an open setup, the lines of it at least."""
    setup = found.setup
    own: Counter[str] = Counter()
    for row in cards:
        if len(row.roles) == 1 and row.count is not None:
            own[row.roles[0].name] += row.count
    theirs: Counter[str] = Counter()
    for line in setup.lines:
        if len(line.roles) == 1:
            theirs[line.roles[0].name] += line.count or 0
    drawn = {tuple(role.name for role in row.roles) for row in cards if len(row.roles) > 1 and not row.grid}
    pools = {tuple(role.name for role in line.roles) for line in setup.lines if len(line.roles) > 1}
    grids = [row.grid for row in cards if row.grid]
    rest = {row.roles[0].name for row in cards if row.count is None} or {TOWNIE.name}
    short = {name for name in theirs if own[name] < theirs[name]}
    return (
        not own - theirs
        and short <= rest
        and drawn == pools
        and grids == ([setup.rows] if setup.rows else [])
    )


def _ask_about_seconds(post: _Post) -> None:
    """A role that was counted, and is named again with what it does, may be no further card."""
    seen: set[str] = set()
    for place, row in enumerate(post.rows):
        if not row.roles or row.doubt or len(row.roles) != 1:
            continue
        name = row.roles[0].name
        if name in seen and row.remark.startswith("Not read:") and row.count == 1:
            told = f"{name} is named again, with what it does. Is that one more?"
            post.rows[place] = replace(
                row, roles=(), doubt=told, remark="", choices=(_comment(row.typed), f"1 {name}")
            )
        seen.add(name)


def _ask_about_dice(post: _Post) -> None:
    for place, row in enumerate(post.rows):
        if row.drawn:
            told = "How many there are is drawn, so somebody has to take the other places: who are all the others?"
            post.rows[place] = replace(
                row, roles=(), doubt=told, choices=(f"{row.typed}, rest: {TOWNIE.name}",)
            )


def _compare_players(post: _Post, cards: int, least: bool = False) -> None:
    """A post that says for how many its setup is, and has another number of cards, is asked about."""
    said = {number for number, _ in post.numbers}
    if len(said) != 1:
        return
    number, place = post.numbers[0]
    if number == cards or (least and cards <= number):
        return
    told = f"The post says {number} players, and these are {cards} cards. Correct one of them, or leave the number out."
    place = min(place, len(post.rows) - 1)
    row = post.rows[place]
    if row.roles:
        first = next((one for one in post.rows if not one.roles and not one.doubt), None)
        if first is None:
            post.rows.append(SetupRow(row.line, row.end, row.end, f"{number} players", doubt=told))
            return
        place, row = post.rows.index(first), first
    post.rows[place] = replace(row, doubt=told, remark="", choices=(_comment(row.typed),))


def _joined(rows: Iterable[SetupRow]) -> list[SetupRow]:
    """Rows, those that were left out one after the other as one."""
    told: list[SetupRow] = []
    for row in rows:
        before = told[-1] if told else None
        if before and _is_left_out(before) and _is_left_out(row) and row.start >= before.end:
            lines = before.typed.count("\n") + 2
            typed = f"{before.typed}\n{row.typed}"
            told[-1] = replace(
                before, end=row.end, typed=typed, remark=f"Left out: no cards in {lines} lines."
            )
        else:
            told.append(row)
    return [
        replace(row, typed=f"{row.typed[:MOST_LEFT_OUT]}…")
        if _is_left_out(row) and len(row.typed) > MOST_LEFT_OUT
        else row
        for row in told
    ]


def _is_left_out(row: SetupRow) -> bool:
    return not row.roles and not row.doubt and row.remark.startswith("Left out: no cards")


def _cut(rows: list[SetupRow]) -> list[SetupRow]:
    """The first cards of what is no setup at all, and a doubt that says so."""
    kept: list[SetupRow] = []
    cards = 0
    for row in rows:
        if (row.roles or row.doubt) and (cards := cards + 1) > MOST_ROWS:
            told = f"No setup has so many lines: only the first {MOST_ROWS} cards were read."
            kept.append(SetupRow(row.line, row.start, row.end, row.typed, doubt=told))
            break
        kept.append(row)
    return kept
