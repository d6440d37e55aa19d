"""An ability as one row: all that parser, PM, receipts, resolver, explanations and simulations say of it.

`mafia.ability_table` has all rows. A game takes those that it has, each with what it overrides, and derives
from them the words its lines begin with, how many players each ability names, the sentences of its role
PMs, what is told of a night and by which rulings. An ability is added by its row;
`tests/mafia/test_ability_rows.py` names what a row has forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

from knightfall.mafia.nar import ActionModifier
from knightfall.mafia.roles import Role
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
    SEES_DEEDS = "sees deeds"
    """Brings an answer about what a player did."""
    SEES_DONE = "sees what was done"
    """Brings an answer about what was done to a player."""
    JOINS = "joins"
    """Lets its actor and its target talk from then on."""


VISIT = ("visit", "target", "use it on", "go to")
"""What people say of anything that is done to one player."""
SIGHTS = frozenset({Effect.FOLLOWS, Effect.WATCHES, Effect.SEES_DEEDS, Effect.SEES_DONE})
"""What brings an answer about the night."""
REPORTING = SIGHTS | {Effect.CHECKS, Effect.JOINS}
"""What brings an answer."""


class Compact(StrEnum):
    """As what the nights in columns of numbers (`simulation/nights.py`) count an ability; each game's night
    treats it by that game's rules. What has none is put to the game's own resolver."""

    KILL = "kill"
    FACTION_KILL = "faction_kill"
    STRONG_KILL = "strong_kill"
    COMMUTE = "commute"
    JAIL = "jail"
    ROLEBLOCK = "roleblock"
    HEAL = "heal"
    GUARD = "guard"
    CHECK = "check"
    """Its answer is what `find` says of the card that it reached."""
    TRACK = "track"
    WATCH = "watch"
    VEST = "vest"
    IMMUNITY = "immunity"
    EMPOWER = "empower"
    AMPLIFY = "amplify"


class CardSeen(NamedTuple):
    """A card as a check finds it. `house` are the options that are not at their default, `bare_name` gives a
    card's name without side and limits."""

    role: Role
    house: frozenset[str] = frozenset()
    bare_name: Callable[[Role], str] = attrgetter("name")


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityRow:
    """One ability. What happens by itself, such as the blow of a Bomb, has no `lines` and no `pm`.

    *Its line.* `lines` are the words that a line may begin with, as it is written first. `called` are a
    moderator's words for it, the first as it is spoken of; without any it is called as it is written.
    `between` are the words between two targets, `and` first where any names in a row will do. `everyday` are
    words that people say for it and that begin no line of it: they are offered, never taken.

    *Who may.* `faction`: it is the faction's, one a night, whoever carries it. `role` is the word of a role's
    name that gives it in a game where roles are put together, with `aliases`; "" where none does. `gun`: who
    has it is armed.

    `by_day`: when it is done instead of at night, as a role PM says it; "" for what is of the night.

    *What is told.* `pm` is its sentence in a role PM under the heading `title` (classic wording), `deed` what
    it is called with a target after it: “kill of”. `does` says it in a catalog, with what it is `stopped_by`.

    *What it asks.* `asks` is the question that it puts, `answers` has each answer with what it means, the one
    of no note first; an answer that is names has none.

    *What is done.* Other actions are changed by `act`, in a ring as the wiki's list has it (`rank`), and a
    card is answered for by `find`; the rest is of a game's own making.

    *By which ruling.* `ruling` is a game's own, which the table of all abilities leaves open. `rulings` are
    the numbers of all that bear on it, and `rule` the sentence of `ruling` where that is about nothing else.

    *How simulations may treat it.* `compact`: as what a night in columns of numbers counts it; None: the
    game's own resolver is asked. `guilt`: how much an answer speaks against whom it is about, from -1
    (clears) to 1 (accuses). `trusted`: who trusts somebody would rather use it on them.
    """

    id: str
    lines: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()
    targets: int = 1
    between: tuple[str, ...] = ()
    faction: bool = False
    role: str = ""
    aliases: tuple[str, ...] = ()
    gun: bool = False
    by_day: str = ""
    title: str = ""
    pm: str = ""
    deed: str
    does: str = ""
    stopped_by: str = ""
    effects: frozenset[Effect] = frozenset()
    asks: str = ""
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)
    act: ActionModifier | None = None
    rank: int | None = None
    find: Callable[[CardSeen], str] | None = None
    ruling: str = ""
    rulings: tuple[int, ...] = ()
    rule: str = ""
    compact: Compact | None = None
    guilt: Mapping[str, float] = field(default_factory=dict, hash=False)
    trusted: bool = False

    @property
    def written(self) -> str:
        """The word that its line begins with, as receipts quote it."""
        return self.lines[0] if self.lines else self.word

    @property
    def word(self) -> str:
        """What it is called: `kill`, `strong kill`, `amplify`."""
        return self.called[0] if self.called else self.lines[0]

    @property
    def all_words(self) -> tuple[str, ...]:
        """Every word that somebody may say for it."""
        visit = VISIT if self.targets == 1 else ()
        return tuple(dict.fromkeys((*self.lines, *self.called, *self.everyday, *visit)))

    @property
    def reports(self) -> bool:
        """Whether it brings an answer."""
        return not REPORTING.isdisjoint(self.effects)

    @property
    def unmarked(self) -> str:
        """The answer about somebody of whom there is nothing to note, and about whoever hides as one."""
        return next(iter(self.answers))

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
    """Every word that a line can begin with → the ability, what its role is called in short among them (`rb
    NAME`); of one word in two rows the later row has it."""
    rows = tuple(rows)
    short = {alias: row.id for row in rows for alias in row.aliases if row.targets and " " not in alias}
    return short | {line: row.id for row in rows for line in row.lines}


def having(rows: Iterable[AbilityRow], effect: Effect) -> frozenset[str]:
    """The abilities that do this."""
    return frozenset(str(row.id) for row in rows if effect in row.effects)
