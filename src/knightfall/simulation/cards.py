"""Cards as columns of numbers, and the state and orders of many games at once.

A batch has N games of P seats. Everything of a card that a night or a win asks for is looked up in a `Deck`
by the number of the card; who plays a seat does not matter, so seats are in the order of the deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from enum import IntEnum, IntFlag
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from knightfall.games.custom_mafia.abilities import ABILITIES as _CUSTOM
from knightfall.games.custom_mafia.abilities import Passive, is_vanilla
from knightfall.games.empowered.abilities import ABILITIES as _EMPOWERED
from knightfall.games.knight_errant.abilities import ABILITIES as _KNIGHT_ERRANT
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Compact
from knightfall.mafia.ability_table import TABLE
from knightfall.mafia.roles import ON_NIGHT, TEAMS, Alignment, Modifier, Role

Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float32]

NO_RESULT = 0
"""The word of a report that failed."""
NO_WORD = -1
"""An order that brings no word: no report, or one that brings no message."""
NAMES = -2
"""A track or watch: its answer is the set of `seen`."""
ENDLESS = -1
"""Uses of what works every night."""

OTHER = -3
"""A word that no card of the deck is known to bring."""

ROWS: Mapping[str, AbilityRow] = {
    str(row.id): row for row in (*TABLE.values(), *_CUSTOM, *_KNIGHT_ERRANT, *_EMPOWERED)
}
"""Every row of every mafia game. What is read here no game overrides but by another name."""
ABILITIES: tuple[str, ...] = tuple(
    dict.fromkeys(
        (*(name for name, row in ROWS.items() if row.lines or row.role or row.compact), *map(str, Passive))
    )
)
"""Whatever can be on a card and used, by its name in its game; its number is its place."""
CODE: Mapping[str, int] = {name: place for place, name in enumerate(ABILITIES)}
KIND: Mapping[Compact, int] = {kind: number for number, kind in enumerate(Compact, start=1)}
"""The number of each kind of ability that the compact nights know; 0 is none of them."""


def those(which: Callable[[AbilityRow], bool]) -> Bools:
    """(A,) which abilities have such a row."""
    return np.array([name in ROWS and which(ROWS[name]) for name in ABILITIES])


class Side(IntEnum):
    """Alignments as numbers."""

    TOWN = 0
    MAFIA = 1
    KILLER = 2
    JESTER = 3
    SURVIVOR = 4


SIDE_OF: Mapping[Alignment, Side] = {
    Alignment.TOWN: Side.TOWN,
    **dict.fromkeys(TEAMS, Side.MAFIA),
    Alignment.SERIAL_KILLER: Side.KILLER,
    Alignment.JESTER: Side.JESTER,
    Alignment.SURVIVOR: Side.SURVIVOR,
}


class Limit(IntFlag):
    """Modifiers as bits."""

    EVEN = 1
    ODD = 2
    NON_CONSECUTIVE = 4
    LAZY = 8
    LOYAL = 16
    DISLOYAL = 32
    WEAK = 64
    NOVICE = 128
    INDECISIVE = 256
    ROAMING = 512
    SIMPLE = 1024
    COMPLEX = 2048


LIMIT_OF: Mapping[Modifier, Limit] = {
    Modifier.EVEN_NIGHT: Limit.EVEN,
    Modifier.ODD_NIGHT: Limit.ODD,
    Modifier.NON_CONSECUTIVE: Limit.NON_CONSECUTIVE,
    Modifier.LAZY: Limit.LAZY,
    Modifier.LOYAL: Limit.LOYAL,
    Modifier.DISLOYAL: Limit.DISLOYAL,
    Modifier.WEAK: Limit.WEAK,
    Modifier.NOVICE: Limit.NOVICE,
    Modifier.INDECISIVE: Limit.INDECISIVE,
    Modifier.ROAMING: Limit.ROAMING,
    Modifier.SIMPLE: Limit.SIMPLE,
    Modifier.COMPLEX: Limit.COMPLEX,
}
ELSEWHERE = Limit.INDECISIVE | Limit.ROAMING
"""By which somebody who was named for an ability may not be named again."""
ALL_NIGHTS = (1 << 16) - 1
"""Each night as a bit, by its number: that of the last stands for all later ones."""


class Extra(IntFlag):
    """What may be added to an order."""

    INVISIBLE = 1
    OBLITERATE = 2


@dataclass(frozen=True, slots=True)
class Card:
    """A role of a game; `uses` where a deal gives others than are printed on it; `insane`: its checks find
    the guilty innocent and the innocent guilty, which its holder does not know."""

    role: Role
    uses: Mapping[str, int] = field(default_factory=dict)
    insane: bool = False


@dataclass(slots=True)
class Deck:
    """C different cards as columns; A is the number of abilities.

    `has` (C, A): the ability is on the card. `uses` (C, A): how often at first, `ENDLESS` for every night.
    `limits` (C, A): modifiers, and `nights` the bits of those in which it works. `traits`: name → (C,).
    `kind` (A,): as what a compact night counts each ability. `asks` (C, A): where the card uses the ability,
    and `untold` (C,): where its holder lives, the rules themselves are asked. `tiring` (T,): the abilities of
    which it matters who used them the night before, or on whom. `vouches` (C, C): the holder of the first
    knows that the second is of the same side. `public` (C,): everybody is told who holds it. `claims` (C,): a
    card of the town with an ability, which its holder can tell of. `vanilla` (C,): a card without any, of
    either side. `found` (A, C): the place in `words` of what a check finds on a card; `cloaked` (A,) what it
    says of who is hidden. `guilt` (W,): how much a word speaks against somebody, from -1 (clears) to 1
    (accuses).
    """

    cards: tuple[Card, ...]
    side: Ints
    has: Bools
    uses: Ints
    limits: Ints
    nights: Ints
    traits: Mapping[str, Bools]
    kind: Ints
    asks: Bools
    untold: Bools
    tiring: Ints
    vouches: Bools
    public: Bools
    claims: Bools
    vanilla: Bools
    insane: Bools
    words: tuple[str, ...]
    found: Ints
    cloaked: Ints
    guilt: Floats

    def trait(self, name: str) -> Bools:
        """Which cards have it."""
        none: Bools = np.zeros(len(self.cards), bool)
        return self.traits.get(name, none)

    @property
    def names(self) -> tuple[str, ...]:
        """The role of each card."""
        return tuple(card.role.name for card in self.cards)


def claimable(role: Role) -> bool:
    """Whether its holder can tell the others of more than a vote. Partners are another claim."""
    return role.alignment is Alignment.TOWN and bool(role.abilities or role.passives)


class Known(NamedTuple):
    """What the compact night of a game tells: kinds of abilities, and `marks`, the traits and passives."""

    kinds: Set[Compact]
    marks: Set[str]


def _is_told(role: Role, known: Known) -> bool:
    """Whether a compact night tells what works by itself on a card: nothing of it on some nights only."""
    marks = {*role.traits, *role.passives}
    return known.marks >= marks and not role.trait_shots and marks.isdisjoint(role.modifiers)


def deck_of(
    cards: Sequence[Card],
    rows: Iterable[AbilityRow],
    known: Known,
    house: frozenset[str] = frozenset(),
    bare_name: Callable[[Role], str] = attrgetter("name"),
) -> Deck:
    """The deck of these cards. `rows` are the abilities of their game; `house` and `bare_name` are what its
    checks ask for."""
    size, wide = len(cards), len(ABILITIES)
    has, uses = np.zeros((size, wide), bool), np.zeros((size, wide), np.int8)
    limits, strange = np.zeros((size, wide), np.uint16), np.zeros((size, wide), bool)
    nights = np.full((size, wide), ALL_NIGHTS, np.uint16)
    traits: dict[str, Bools] = {}
    for place, card in enumerate(cards):
        role = card.role
        for ability, shots in role.abilities.items():
            if ability in ROWS and ROWS[ability].by_day:
                continue  # no day of a simulation plays it
            has[place, CODE[ability]] = True
            uses[place, CODE[ability]] = ENDLESS if shots is None else card.uses.get(ability, shots)
            for modifier in role.modifiers.get(ability, ()):
                limits[place, CODE[ability]] |= LIMIT_OF.get(modifier, 0)
                strange[place, CODE[ability]] |= modifier not in LIMIT_OF and modifier not in ON_NIGHT
            if named := [ON_NIGHT[one] for one in role.modifiers.get(ability, ()) if one in ON_NIGHT]:
                nights[place, CODE[ability]] = sum(1 << number for number in named)
        for passive, shots in role.passives.items():
            uses[place, CODE[passive]] = ENDLESS if shots is None else shots
        for ability, given in card.uses.items():
            uses[place, CODE[ability]] = given
        for trait in role.traits:
            traits.setdefault(str(trait), np.zeros(size, bool))[place] = True
    # What each check finds; the word for who hides is the one of nobody of note.
    words, guilt = {"No Result": NO_RESULT}, dict[str, float]()
    kind = np.zeros(wide, np.int8)
    found, cloaked = np.zeros((wide, size), np.int16), np.zeros(wide, np.int16)
    for row in rows:
        guilt |= row.guilt
        for answer in row.answers:
            words.setdefault(answer, len(words))
        unfound = row.compact is Compact.CHECK and row.find is None
        if row.compact is None or row.compact not in known.kinds or unfound:
            continue
        code = CODE[row.id]
        kind[code] = KIND[row.compact]
        if row.find is not None:
            seen = [row.find(CardSeen(card.role, house, bare_name)) for card in cards]
            found[code] = [words.setdefault(answer, len(words)) for answer in seen]
            cloaked[code] = words[row.unmarked] if row.answers else NO_RESULT
    return Deck(
        cards=tuple(cards),
        side=np.array([SIDE_OF[card.role.alignment] for card in cards], np.int8),
        has=has,
        uses=uses,
        limits=limits,
        nights=nights,
        traits=traits,
        kind=kind,
        asks=has & ((kind == 0) | strange),
        untold=np.array([not _is_told(card.role, known) for card in cards]),
        tiring=np.flatnonzero((strange | (limits & (Limit.NON_CONSECUTIVE | ELSEWHERE) > 0)).any(0)),
        vouches=np.array([[one.role.vouches(other.role) for other in cards] for one in cards]),
        public=np.array([card.role.is_public for card in cards]),
        claims=np.array([claimable(card.role) for card in cards]),
        vanilla=np.array([is_vanilla(card.role) for card in cards]),
        insane=np.array([card.insane for card in cards]),
        words=tuple(words),
        found=found,
        cloaked=cloaked,
        guilt=np.array([guilt.get(text, 0) for text in words], np.float32),
    )


@dataclass(frozen=True, slots=True)
class Pairing:
    """By what the random numbers of games that are compared are drawn. `key`: of the chunk; `ids` (N,): the
    number of each game in it; `labels` (N, P): the number of each seat, the same where seats match."""

    key: int
    ids: Ints
    labels: Ints


@dataclass(slots=True)
class Table:
    """N games in the same phase. `card`, `dealt` (what it was at first), `side`, `alive` (N, P); `uses` (N,
    P, A) uses left; `love` (N, P): bits of who dies along; `last` (N, P, T): who used the tiring abilities
    the night before; `named` (N, P, T): bits of whom they may not name again for them; `killed` (N, P): who
    has sent a kill; `number` of the day or night; `quiet` (N,): days and nights in a row without a death;
    `voted` (N,): seats voted out, and `fell` (N,): those who died in the first night, as bits.

    `memory` is the policy's: columns whose first dimension is N. `pairing`: where two setups are compared.
    """

    deck: Deck
    card: Ints
    dealt: Ints
    side: Ints
    alive: Bools
    uses: Ints
    love: Ints
    last: Bools
    named: Ints
    killed: Bools
    quiet: Ints
    voted: Ints
    fell: Ints
    number: int = 1
    memory: dict[str, Any] = field(default_factory=dict)
    pairing: Pairing | None = None

    def count(self, side: Side) -> Ints:
        """The living of a side, (N,)."""
        living: Ints = np.count_nonzero(self.alive & (self.side == side), axis=1)
        return living

    def keep(self, rows: Any) -> Table:
        """The table of some of the games."""
        own = {name: column[rows] for name, column in self.memory.items()}
        pairing = self.pairing
        if pairing is not None:
            pairing = Pairing(pairing.key, pairing.ids[rows], pairing.labels[rows])
        return Table(
            self.deck,
            self.card[rows],
            self.dealt[rows],
            self.side[rows],
            self.alive[rows],
            self.uses[rows],
            self.love[rows],
            self.last[rows],
            self.named[rows],
            self.killed[rows],
            self.quiet[rows],
            self.voted[rows],
            self.fell[rows],
            self.number,
            own,
            pairing,
        )


def table_of(deck: Deck, card: Ints, love: Ints | None = None) -> Table:
    """The games of these deals, (N, P) numbers of cards, as they begin."""
    games, seats = card.shape
    return Table(
        deck,
        card,
        card.copy(),
        deck.side[card],
        np.ones((games, seats), bool),
        deck.uses[card],
        np.zeros((games, seats), np.uint64) if love is None else love,
        np.zeros((games, seats, len(deck.tiring)), bool),
        np.zeros((games, seats, len(deck.tiring)), np.uint64),
        np.zeros((games, seats), bool),
        np.zeros(games, np.int16),
        np.zeros(games, np.uint64),
        np.zeros(games, np.uint64),
    )


@dataclass(slots=True)
class Orders:
    """The legal orders of a night, E of them over all games: columns of equal length. A target that is not
    there is -1. `word` and `seen` are filled in when the night is resolved."""

    game: Ints
    actor: Ints
    ability: Ints
    first: Ints
    second: Ints
    extra: Ints

    def __len__(self) -> int:
        return len(self.game)

    def rows(self, rows: Any) -> Orders:
        """Some of them."""
        return Orders(*(getattr(self, one.name)[rows] for one in fields(self)))


def no_orders() -> Orders:
    """Nobody does anything."""
    return orders_of(*(np.zeros(0, np.intp) for _ in range(4)))


def orders_of(
    game: Ints, actor: Ints, ability: Ints, first: Ints, second: Ints | None = None, extra: Ints | None = None
) -> Orders:
    """Orders with at most one target unless `second` says otherwise."""
    return Orders(
        game.astype(np.intp),
        actor.astype(np.intp),
        ability.astype(np.intp),
        first.astype(np.intp),
        np.full(len(game), -1, np.intp) if second is None else second.astype(np.intp),
        np.zeros(len(game), np.uint8) if extra is None else extra.astype(np.uint8),
    )


def joined(parts: Iterable[Orders]) -> Orders:
    """All of them, in the order of games, actors and abilities."""
    several = [one for one in parts if len(one)]
    if not several:
        return no_orders()
    whole = Orders(*(np.concatenate([getattr(o, one.name) for o in several]) for one in fields(Orders)))
    return whole.rows(np.lexsort((whole.ability, whole.actor, whole.game)))


@dataclass(slots=True)
class Dawn:
    """What a night came to. `dead` (N, P); `spent` (N, P, A) uses consumed; `word` and `seen` (E,) the
    answers in the order of the orders; `undecided` (N,): games whose night only the traced resolver can
    tell, with nothing entered for them here."""

    dead: Bools
    spent: Ints
    word: Ints
    seen: Ints
    undecided: Bools


def bit(seats: Ints) -> Ints:
    """A set of one seat."""
    return np.left_shift(np.uint64(1), seats.astype(np.uint64))


def rank_within(*keys: Ints) -> Ints:
    """The place of each row among those whose first key is the same, in the order of the other keys."""
    order = np.lexsort(tuple(reversed(keys)))
    ordered = keys[0][order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else order
    lengths = np.diff(np.r_[starts, len(ordered)])
    places = np.arange(len(ordered)) - np.repeat(starts, lengths)
    rank = np.empty(len(ordered), np.intp)
    rank[order] = places
    return rank


def with_lovers(dead: Bools, alive: Bools, love: Ints) -> Bools:
    """The dead, and the living who loved one of them, and so on."""
    if not dead.any() or not love.any():
        return dead
    while True:
        lost = np.bitwise_or.reduce(np.where(dead, love, np.uint64(0)), axis=1)
        taken = (lost[:, None] >> np.arange(dead.shape[1], dtype=np.uint64)) & np.uint64(1)
        more = dead | (taken.astype(bool) & alive)
        if (more == dead).all():
            return dead
        dead = more
