"""Rows of names: who a moderator's post lists as alive, on one line or below a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from knightfall.reading.clauses import NAME, NUMBER, Clause, Token
from knightfall.reading.lexicon import LETTERS
from knightfall.reading.statements import shape

FEWEST = 3
"""A list of fewer is none."""

# “4 alive: Ada, Boro”, “Players alive (7): …”, “Still alive: …”, “Seven of you are left: …”
_LABEL = shape(
    r"^(?P<label>[^Nn:]{0,9}(?:<alive>|<players>)[^Nn:]{0,5}):?(?P<names>(?:#?[:)]?<name>(?:\([^()]{0,8}\)|#)*[,/|·&]{0,2}){3,})$"
)
_HEADING = shape(
    r"^(?:[#():tA~/=-]|<players>|<be>|<begins>|<day>|w(?=[PL]))*(?:<alive>|<players>)(?:[#():tA~/=-]|<players>|<alive>)*$"
)
_ENTRY = shape(r"^[#:)·*-]{0,3}(?P<who><name>)(?:\([^()]{0,8}\)|[,:-][^Nn]{0,8})?$")
_GONE = re.compile("|".join(re.escape(LETTERS[tag]) for tag in ("dead", "out", "kills", "mourns")))


def living_listed(lines: Sequence[Sequence[Clause]]) -> tuple[str, ...]:
    """The names of all who live, where a post lists them under a heading or behind a label: as many as it
    says where it says a number. Nothing where it lists none, or the dead."""
    for place, line in enumerate(lines):
        tags = "".join(clause.tags for clause in line)
        if (LETTERS["alive"] not in tags and LETTERS["players"] not in tags) or _GONE.search(tags):
            continue
        tokens = tuple(chain.from_iterable(clause.tokens for clause in line))
        row = _LABEL.match(tags)
        if row is not None:
            names = list(_outside_brackets(tokens[row.start("names") :]))
            numbers = [one.value for one in tokens[: row.end("label")] if one.letter == NUMBER]
        elif _HEADING.match(tags):
            names = list(_entries(lines[place + 1 :]))
            numbers = [one.value for one in tokens if one.letter == NUMBER and one.value > 2]
        else:
            continue
        if len(set(names)) == len(names) >= FEWEST and (not numbers or numbers[-1] == len(names)):
            return tuple(names)
    return ()


def _outside_brackets(tokens: Sequence[Token]) -> Iterator[str]:
    """The names among these tokens; not “(was Elm)”, who had the seat before."""
    within = False
    for one in tokens:
        within = one.letter == "(" or (within and one.letter != ")")
        if one.letter == NAME and one.slot is not None and not within:
            yield one.slot.name


def _entries(lines: Sequence[Sequence[Clause]]) -> Iterator[str]:
    """The names of the lines that follow, each on a line of its own, as far as they go."""
    begun = False
    for line in lines:
        tags = "".join(clause.tags for clause in line)
        if not tags and not begun:
            continue
        found = _ENTRY.match(tags)
        if found is None:
            return
        begun = True
        tokens = tuple(chain.from_iterable(clause.tokens for clause in line))
        slot = tokens[found.start("who")].slot
        if slot is not None:
            yield slot.name
