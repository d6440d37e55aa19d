"""What a moderator's post tells of the game: which day it opens or closes, who lives, how many votes it takes.

`told_by` reads one post. Nothing is concluded here: `told_days` makes days and players of what all the posts
of a thread tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post
from knightfall.names import Names
from knightfall.votes.ballots import Region
from knightfall.votes.player_list import day_opened
from knightfall.votes.posted_votecounts import PostedVotecount, posted_votecount
from knightfall.votes.vote_parser import lines_of


@dataclass(frozen=True, slots=True)
class Told:
    """What one post tells.

    `opens` is the day that it opens by name, `closes` whether it ends the day that runs; `alive`, `needed` and
    `needed_for_nobody` are numbers that it states. `dead` are lines that tell of a death, `replaced` pairs
    (who came, who left), names as written. `count` is the votecount in it, of day `count_day`.
    """

    post: int
    opens: int | None = None
    closes: bool = False
    dawns: bool = False
    alive: int | None = None
    needed: int | None = None
    needed_for_nobody: int | None = None
    dead: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    count: PostedVotecount | None = None
    count_day: int | None = None


_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_N = rf"(\d{{1,2}}|{'|'.join(_NUMBER_WORDS)})"
_ALIVE = re.compile(
    rf"\bwith\s+{_N}\s+(?:players?\s+|people\s+)?(?:still\s+)?(?:alive|left|living|remaining|players?)\b"
    rf"|\b{_N}\s+(?:players?\s+|people\s+)?(?:are\s+|is\s+)?(?:still\s+)?(?:alive|living)\b"
    rf"|\b{_N}\s+players?\s+(?:left|remain(?:ing)?)\b",
    re.IGNORECASE,
)
_TO_ELIM = r"(?:lynch|eliminat\w*|execut\w*|hammer|hang|kill|exile|majority)"
_NEEDED = re.compile(
    rf"\b(?:it\s+takes|it\s+will\s+take|takes|it['’]?s|it\s+is|need(?:s|ed)?|require[sd]?|threshold\s+(?:is|of))\s+{_N}\b(?:\s+votes?)?(?!\s*(?:hours|days|more))"
    rf"|\b{_N}\s+(?:votes?\s+)?(?:are\s+|is\s+)?(?:needed\s+|required\s+|necessary\s+)?(?:(?:in\s+order\s+)?to|for\s+a?)\s*(?:a\s+)?{_TO_ELIM}\b"
    rf"|\b(?:lynch|majority)\s+threshold\s*(?:is|:|=)?\s*{_N}\b"
    rf"|\bmajority\s*(?:is|:|=)\s*{_N}\b",
    re.IGNORECASE,
)
_NO_ELIM = re.compile(rf"\b{_N}\s+(?:votes?\s+)?(?:to|for\s+a?)\s*no[\s-]?(?:lynch|elim\w*|execut\w*)", re.IGNORECASE)

# “Ada has been lynched”, “Ada, Townie, lynched Day 1”, “A lynch has been reached”, “That's a lynch!”.
_CLOSES = re.compile(
    r"\b(?:has|have|was|were|is|are|been)\s+(?:been\s+)?(?:lynched|eliminated|executed|hanged|hung)\b"
    r"|\b(?:lynched|eliminated|executed)[,:]?\s+(?:on\s+)?(?:day|d)\s*\d"
    r"|\b(?:lynch|elimination|majority|hammer)\s+(?:has\s+been\s+|was\s+|is\s+)?(?:reached|achieved)\b"
    r"|\bthat['’]?s\s+a\s+(?:no[\s-]?)?(?:lynch|hammer|elim\w*)\b"
    r"|\bno(?:body|\s?one)?[\s-](?:lynch|elim\w*|was\s+(?:lynched|eliminated))\W*(?:has\s+been\s+|was\s+)?(?:reached|achieved|\(reached\)|day\b)"
    r"|\b(?:it\s+is\s+now|it['’]s\s+now|this\s+(?:now\s+)?begins|begins?)\s+night\b"
    r"|\bnight\s*#?\w{1,6}\s+(?:has\s+(?:now\s+)?(?:begun|started)|begins?|starts?|ends?\s+(?:in|on|at)|deadline)\b"
    r"|\bnight\s+(?:has\s+(?:now\s+)?(?:begun|started|fallen)|(?:begins?|falls|starts?)(?!\s+(?:in|at|on|when|after)\b))\b"
    r"|\bday\s*#?\w{1,6}\s+(?:has\s+ended|is\s+(?:now\s+)?over|ends?\s+here)\b"
    r"|\b(?:submit|send|send\s+in|have)\b.{0,30}\bnight\s+(?:actions?|choices)\b"
    r"|\bdeadline\s+for\s+night\b|\bnight\s+actions?\s+(?:are\s+)?due\b"
    r"|\bfinal\s+vote\s?count\b|\bend\s+of\s+day\s*#?\d+\s+vote\s?count\b|\bthread\s+(?:is\s+)?locked\b",
    re.IGNORECASE,
)
_DAWNS = re.compile(
    r"\b(?:nightkilled|(?:was|were|has\s+been|have\s+been)\s+(?:\w+\s+){0,2}(?:killed|murdered|shot|stabbed)|killed\s+(?:on\s+)?(?:night|n)\s*\d|found\s+dead"
    r"|night\s*#?\w{1,6}\s+(?:is\s+over|has\s+ended)|nobody\s+(?:has\s+)?died|no\s?one\s+(?:has\s+)?died)\b",
    re.IGNORECASE,
)
DEATH = re.compile(
    r"\b(?:lynched|eliminated|executed|killed|murdered|shot|died|dies|dead|mod-?killed|endgamed|stabbed|nightkilled)\b",
    re.IGNORECASE,
)
_LOUD = re.compile(r"(?:\b|\()(?:LYNCH(?:ED)?|HAMMER(?:ED)?|ELIMINATED|EXECUTED)\b|\(L-0\)|\((?:lynch|hammer)(?:ed)?!*\)", 0)
_COUNT_DAY = re.compile(
    r"\b(?:vote\s?counts?|vc|count)\s*(?:for\s+)?(?:day\s*|d)?#?\s*(\d{1,2})\s*[.,]\s*\d{1,3}\b|\bday\s*#?(\d{1,2})\s*[,:–-]?\s*(?:vote\s?count|vc|count)\b|\b(?:vote\s?count|vc)\s+d(?:ay\s*)?(\d{1,2})\b",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"^\W*(?P<new>\S.{0,40}?)\s+(?:(?:has|is|will\s+be)\s+)?(?:replac(?:es|ed|ing)|subs?\s+(?:in\s+)?for|takes?\s+over\s+(?:for|from))\s+(?P<old>\S.{0,40}?)\W*(?:\s(?:immediately|effective|as\s+of|starting|now|\().*)?$",
    re.IGNORECASE,
)
_REPLACED_BY = re.compile(
    r"^\W*(?P<old>\S.{0,40}?)\s+(?:has\s+been|is|was|gets)\s+(?:being\s+)?replaced\s+(?:by|with)\s+(?P<new>\S.{0,40}?)\W*$", re.IGNORECASE
)


def _number(said: str | None) -> int | None:
    if said is None:
        return None
    return int(said) if said.isdigit() else _NUMBER_WORDS.index(said.lower())


def told_by(post: Post, html_style: HtmlStyle, names: Names) -> Told:
    """What a moderator's post tells; `names` are those of everybody who may be listed in a votecount."""
    nodes = parse_html(post.body, html_style)
    lines = [line.text.strip() for line in lines_of(nodes, asides=True) if line.region is not Region.QUOTED and line.region is not Region.STRUCK]
    alive = needed = nobody = count_day = None
    closes = dawns = False
    dead = []
    replaced = []
    for line in lines:
        if len(line) > 600:
            line = line[:600]
        if alive is None and (found := _ALIVE.search(line)):
            alive = _number(next(g for g in found.groups() if g))
        if needed is None and (found := _NEEDED.search(line)):
            needed = _number(next(g for g in found.groups() if g))
        if nobody is None and (found := _NO_ELIM.search(line)):
            nobody = _number(found[1])
        if count_day is None and (found := _COUNT_DAY.search(line)):
            count_day = int(next(g for g in found.groups() if g))
        closes = closes or bool(_CLOSES.search(line)) or bool(_LOUD.search(line))
        dawns = dawns or bool(_DAWNS.search(line))
        if DEATH.search(line):
            dead.append(line)
        for pattern in (_REPLACES, _REPLACED_BY):
            for part in re.split(r"[.!]\s+", line):
                if found := pattern.match(part):
                    replaced.append((found["new"], found["old"]))
    return Told(
        post.number, day_opened(nodes), closes, dawns, alive, needed, nobody, tuple(dead), tuple(replaced),
        posted_votecount(post.number, post.author, nodes, names, post.url), count_day,
    )
