"""An ability as one row: everything that parser, PM, receipts, resolver and explanations say about it.

A game has a table of rows, and derives from it the words its lines begin with, how many players each ability
names, the sentences of its role PMs, what is told of a night and by which rulings. An ability is added by its
row; `tests/games/test_ability_rows.py` names what a row has forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.sentence import Sentence, joined


class Effect(StrEnum):
    """What an ability does, as far as the explanation of a night asks."""

    KILLS = "kills"
    HOLDS = "holds"
    """Its target does nothing."""
    SHIELDS = "shields"
    """Its target is not killed."""
    POWERS = "powers"
    """Its target's own ability works."""
    CHECKS = "checks"
    """Brings an answer about a card."""
    FOLLOWS = "follows"
    """Brings an answer about whom a player visited."""
    WATCHES = "watches"
    """Brings an answer about who visited a player."""


REPORTING = frozenset({Effect.CHECKS, Effect.FOLLOWS, Effect.WATCHES})
"""What brings an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityRow:
    """One ability of a game. What happens by itself, such as the blow of a Bomb, has no `lines` and no `pm`.

    `lines` are the words that a line may begin with, as it is written first. `called` are a moderator's words
    for it, the first as it is spoken of; without any it is called as it is written. `between` are the words
    between two targets, `and` first where any names in a row will do. `pm` is its sentence in a role PM,
    `deed` what it is called with a target after it: “kill of”. `asks` is the question that it puts, `answers`
    has each answer with what it means, the one of no note first; an answer that is names has none. `title` is
    the heading of the ability in a role PM of the classic wording.
    """

    id: str
    lines: tuple[str, ...] = ()
    targets: int = 1
    between: tuple[str, ...] = ()
    title: str = ""
    pm: str = ""
    deed: str
    called: tuple[str, ...] = ()
    ruling: str
    effects: frozenset[Effect] = frozenset()
    asks: str = ""
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def written(self) -> str:
        """The word that its line begins with, as receipts quote it."""
        return self.lines[0] if self.lines else self.word

    @property
    def word(self) -> str:
        """What it is called: `kill`, `strong kill`, `amplify`."""
        return self.called[0] if self.called else self.lines[0]

    @property
    def reports(self) -> bool:
        """Whether it brings an answer."""
        return not REPORTING.isdisjoint(self.effects)

    @property
    def visits(self) -> str:
        """Whom its actor visits."""
        return ("nobody", "its target", "both targets")[self.targets]

    def aim(self, targets: Iterable[str]) -> Sentence:
        """The targets as its line has them."""
        return joined(f" {self.between[0] if self.between else 'and'} ", targets)

    def line(self, word: str) -> str:
        """The line for somebody who has to put in names: `heal NAME`, `drive NAME and NAME`."""
        return f"{word} {self.aim(['NAME'] * self.targets)}".rstrip()


def verbs_of(rows: Iterable[AbilityRow]) -> dict[str, str]:
    """Every word that a line can begin with → the ability; of one word in two rows the later row has it."""
    return {line: row.id for row in rows for line in row.lines}


def having(rows: Iterable[AbilityRow], effect: Effect) -> frozenset[str]:
    """The abilities that do this."""
    return frozenset(str(row.id) for row in rows if effect in row.effects)
