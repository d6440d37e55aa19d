"""A player's line: its command and the names in it, not yet whether that is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from knightfall.engine.commands import NameMatch, parse_command
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import Sentence, SlotId, joined

Aliases: TypeAlias = Mapping[str, SlotId]


class Verb(StrEnum):
    """The commands of the game."""

    VOTE = "VOTE"
    UNVOTE = "UNVOTE"
    LEARN = "LEARN"
    TIEBREAK = "TIEBREAK"
    CHECK = "CHECK"
    PEEK = "PEEK"
    ANNOYED = "ANNOYED"
    GIVE = "GIVE"
    TOL = "TOL"
    EC = "EC"
    DMO = "DMO"


WORDS: Mapping[str, str] = {
    **{verb.lower(): verb for verb in Verb},
    "annoyed?": Verb.ANNOYED,  # KC-40: the same
    "tie-break": Verb.TIEBREAK,
    "tie break": Verb.TIEBREAK,
}

_ANY = 99
ARITY: Mapping[str, tuple[int, int]] = {
    Verb.VOTE: (1, 1),
    Verb.UNVOTE: (0, 0),
    Verb.LEARN: (1, 2),
    Verb.TIEBREAK: (1, _ANY),
    Verb.CHECK: (0, _ANY),  # KC-13: a wrong number has a code of its own, NEED_TWO
    Verb.PEEK: (1, 1),
    Verb.ANNOYED: (0, 0),
    Verb.GIVE: (1, 1),
    Verb.TOL: (2, 2),
    Verb.EC: (1, 1),
    Verb.DMO: (1, 1),
}
"""How many names each command takes, at least and at most."""

_RANKED = re.compile(r"\s*[>,]\s*")
_COMMA = re.compile(r"\s*,\s*")
_LOOSE = re.compile(r"\s*(?:,\s*and\s+|[,&+]|\s+and\s+)\s*", re.I)
_GIFT = re.compile(r"(?P<amount>\S+?)(?:\s*,\s*|\s+)(?:garnets?\s+)?(?:to\s+)?(?P<name>\S.*)", re.I)
_NEGATIVE = re.compile(r"^\W*give\W*[-−]\d", re.I)
_LARGE = 9  # digits: nobody has more garnets than that


@dataclass(frozen=True, slots=True)
class Order:
    """A line understood. `names` as they were matched; `amount` only of a gift: None if no number."""

    verb: Verb
    names: tuple[NameMatch, ...]
    line: str
    amount: int | None = None
    complete: bool = True

    @property
    def slots(self) -> tuple[SlotId, ...]:
        """The names that are somebody's."""
        return tuple(SlotId(name) for name in self.names if isinstance(name, str))

    @property
    def unknown(self) -> bool:
        """Whether a name is nobody's."""
        return any(isinstance(name, Unknown) for name in self.names)

    @property
    def doubtful(self) -> Ambiguous | None:
        """The first name that fits several."""
        return next((name for name in self.names if isinstance(name, Ambiguous)), None)

    @property
    def repeats(self) -> bool:
        """Whether a name stands there twice."""
        said = [n.written.casefold() if isinstance(n, Unknown) else n for n in self.names]
        return len({str(name) for name in said}) < len(said)


def read_order(line: str, slots: Sequence[SlotId], aliases: Aliases) -> Order | None:
    """What the line asks for; None: no command of the game."""
    command = parse_command(line, WORDS)
    if command is None:
        return None
    verb, said = Verb(command.verb), command.argument.strip(" ?!.")
    if verb is Verb.GIVE:
        # `3 to Kit`; a sign before the number is no separator.
        found = _GIFT.fullmatch(said)
        if found is None:
            return Order(Verb.GIVE, (), line, complete=False)
        amount = None if _NEGATIVE.match(line) else _number(found["amount"])
        return Order(Verb.GIVE, (match_name(found["name"], slots, aliases),), line, amount)
    return Order(verb, _names(verb, said, slots, aliases), line)


def _number(text: str) -> int | None:
    """KC-37: whole numbers only."""
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text[: _LARGE + 1]) if len(text) > _LARGE else int(text)


def _names(verb: Verb, said: str, slots: Sequence[SlotId], aliases: Aliases) -> tuple[NameMatch, ...]:
    """The names in it; one may itself hold a comma or an `and`."""
    first: tuple[NameMatch, ...] | None = None
    for parts in _splittings(verb, said):
        found = tuple(match_name(part, slots, aliases) for part in parts)
        if all(isinstance(name, str) for name in found):
            return found
        first = found if first is None or len(first) == 1 else first
    return first or ()


def _splittings(verb: Verb, said: str) -> Iterator[list[str]]:
    """Whole, then at commas (`>` in a ranking), then at every separator."""
    if said:
        yield [said]
        for pattern in (_RANKED,) if verb is Verb.TIEBREAK else (_COMMA, _LOOSE):
            yield [part for part in pattern.split(said) if part]


def plain(verb: Verb, *names: SlotId) -> Sentence:
    """The line that says it: what receipts quote and `read_order` reads back."""
    between = " > " if verb is Verb.TIEBREAK else ", "
    return joined("", (verb, ": ", joined(between, names))) if names else joined("", (verb,))
