"""The words of a page that are ours, and those of the code that must not be among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

from knightfall.games import GAMES
from knightfall.markup.dialects import dialect_names
from knightfall.services.count.request import themes
from knightfall.votes.tally import UncountedReason
from knightfall.web.words import choice, layout, site
from web.hands import FormHand

OTHERS = (
    "//script | //style | //textarea | //pre | //blockquote"
    " | //*[contains(concat(' ', @class, ' '), ' looks ')]"  # a post as it will look
    " | //td[contains(concat(' ', @class, ' '), ' said ')]"  # what a post says
    " | //*[contains(concat(' ', @class, ' '), ' told ')]"  # a line of a post or PM
    " | //*[contains(concat(' ', @class, ' '), ' address ')]"
    " | //p[contains(concat(' ', @class, ' '), ' pre ')][not(ancestor::*[contains(@class, 'warning')])]"
    " | //*[contains(concat(' ', @class, ' '), ' diff ')]"
)
"""Posts and PMs, and what others wrote: their words are not ours."""
CODE = re.compile(r"(?<![\w./@:-])[a-z]+(?:_[a-z0-9]+)+(?![\w/])|\b(?:[a-z]+_)?\d+_\d+\b")
"""A word as code writes it: snake_case, or the value `72_24` of an option."""
LABEL = re.compile(r"\b[a-z]+\.[a-z_]+:\w")
"""What a draw is called in the journal: `kd.card:R1`."""
WINDOW = re.compile(r"(?<![\w/-])(?:[a-z]+-e?\d+|e\d+)(?![\w-])")
"""What the journal calls a window or a batch: `day-1`, `role-1`, `result-e5`."""
ADDRESS = re.compile(r"\S*(?:/|://)\S*")
ELSEWHERE = ("/static", "/api", "/jobs", "/open")
"""What is no page, or is for programs."""


@cache
def words_of_code() -> re.Pattern[str]:
    """Ids of dialects, keys of options beside a value, keys of rulings, and the user of this machine."""
    options = {option for game in GAMES for option in (one.name for one in game.spec.options)}
    rulings = {key for game in GAMES for key in dict(game.spec.rulings)}
    rulings |= {one.ruling for game in GAMES for one in game.spec.options if one.ruling}
    plain = {one for one in dialect_names() if one in site(one).split()}
    listed = [*map(re.escape, sorted({*dialect_names()} - plain)), *map(re.escape, sorted(rulings))]
    listed += [rf"{re.escape(key)}(?= = )" for key in sorted(options)] + ["root"]
    return re.compile(rf"(?<![\w./@-])(?:{'|'.join(listed)})(?![\w-])")


@cache
def ids() -> frozenset[str]:
    """What is no word by itself, although it looks like one: ids that the page has another name for."""
    names = {one for one in dialect_names() if site(one) != one}
    names |= {one for one in themes() if layout(one) != one} | {one.value for one in UncountedReason}
    for game in GAMES:
        names |= {game.spec.id}
        names |= {value for one in game.spec.options for value in one.values if choice(value) != value}
    return frozenset(names)


def own_text(tree: Any, names: Iterable[str] = ()) -> str:
    """What a page says itself, without the names of players."""
    for one in tree.xpath(OTHERS):
        one.text = ""
        for below in list(one):
            one.remove(below)
    said = " ".join(tree.find("body").itertext())
    for name in names:
        said = said.replace(name, "·")
    return " ".join(ADDRESS.sub(" ", said).split())


def foreign_words(tree: Any, names: Iterable[str] = ()) -> list[str]:
    """Each word of the code that a page shows, with what stands around it."""
    lone = [
        " ".join("".join(one.itertext()).split())
        for one in tree.xpath("//option | //td | //th | //label | //strong | //*[@class='tag']")
    ]
    said = own_text(tree, names)
    found = [one for pattern in (CODE, LABEL, WINDOW, words_of_code()) for one in pattern.finditer(said)]
    around = [said[max(0, one.start() - 30) : one.end() + 20] for one in found]
    return [*around, *(one for one in lone if one in ids())]


def pages_from(hand: FormHand, start: str, within: str, alike: int = 1) -> Iterator[str]:
    """Every page below `within` that links lead to from one, `alike` of each kind, each opened."""
    seen, kinds, ahead = {start}, dict[str, int](), [start]
    while ahead:
        path = ahead.pop(0)
        hand.go(path)
        if not hand.body.lstrip().startswith("<"):
            continue
        yield path
        for link in hand.tree.xpath("//a[@href]/@href"):
            to = urljoin(path, str(link).partition("#")[0])
            if not to.startswith(within) or to in seen or to.startswith(ELSEWHERE):
                continue
            seen.add(to)
            split = urlsplit(to)
            kind = re.sub(r"\d+", "0", split.path) + re.sub(r"=[^&]*", "", split.query)
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] <= alike:
                ahead.append(to)
