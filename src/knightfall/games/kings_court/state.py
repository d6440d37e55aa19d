"""The position of a match of King's Court: the deal, the phase, what stands, and the table of the court."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import permutations
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from knightfall.engine.game import Chosen, Step, check_distinct
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.kings_court.options import FIGURES, source
from knightfall.sentence import Sentence, SlotId, joined


class Role(StrEnum):
    """The three teams; the King is a team of one."""

    KING = "King"
    DUKE = "Duke"
    NOBLE = "Noble"


OTHER: Mapping[Role, Role] = {Role.KING: Role.KING, Role.DUKE: Role.NOBLE, Role.NOBLE: Role.DUKE}
"""What the annoyed are claimed to be."""


@dataclass(frozen=True, slots=True)
class Deal:
    """KC-01: roles in slot order, the annoyed Duke and the annoyed Noble, three names for each player."""

    roles: Mapping[SlotId, Role]
    king: SlotId
    annoyed: frozenset[SlotId] = frozenset()
    hints: Mapping[SlotId, tuple[SlotId, ...]] = field(default_factory=dict)

    def team(self, role: Role) -> tuple[SlotId, ...]:
        """Its members in slot order."""
        return tuple(slot for slot, held in self.roles.items() if held is role)

    def claimed(self, slot: SlotId) -> Role:
        """KC-15: an annoyed Duke counts as Noble, an annoyed Noble as Duke."""
        role = self.roles[slot]
        return OTHER[role] if slot in self.annoyed else role


def check_slots(slots: Sequence[SlotId]) -> None:
    """KC-01: exactly 11 names. Raises InputError."""
    if len(slots) != FIGURES.players:
        raise InputError(f"King's Court is for {FIGURES.players} players; the list has {len(slots)}.")
    check_distinct(slots)


def deal(
    slots: Sequence[SlotId], rules: Chosen, draw: Rng, number: int, past_kings: Sequence[SlotId] = ()
) -> Deal:
    """Deal `number` of the match. KC-23: the kings of earlier attempts cannot be King."""
    here = source(rules, draw, "deal", number)
    king = here.choice("kc.king", tuple(slot for slot in slots if slot not in past_kings))
    others = tuple(slot for slot in slots if slot != king)
    dukes = here.sample("kc.dukes", others, FIGURES.dukes)
    roles = {slot: _role(slot, king, dukes) for slot in slots}
    bare = Deal(roles, king)
    duke = here.choice("kc.annoyed.duke", bare.team(Role.DUKE))
    noble = here.choice("kc.annoyed.noble", bare.team(Role.NOBLE))
    dealt = Deal(roles, king, frozenset({duke, noble}))
    # KC-19: one list each, or by option one for all.
    lists: Mapping[SlotId, tuple[SlotId, ...]]
    if rules["hint_lists"] == "shared":
        lists = dict.fromkeys(dealt.roles, _list(dealt, rules, None, here))
    else:
        lists = {slot: _list(dealt, rules, slot, here) for slot in dealt.roles}
    return Deal(roles, king, dealt.annoyed, lists)


def _role(slot: SlotId, king: SlotId, dukes: Sequence[SlotId]) -> Role:
    if slot == king:
        return Role.KING
    return Role.DUKE if slot in dukes else Role.NOBLE


def _list(dealt: Deal, rules: Chosen, reader: SlotId | None, draw: Rng) -> tuple[SlotId, ...]:
    """A Noble and a Duke other than its reader, a third out of everybody else, in random order."""
    seen = dealt.claimed if rules["annoyed_scope"] == "lists" else dealt.roles.__getitem__  # KC-16
    others = [slot for slot in dealt.roles if slot != reader]
    key = f":{reader}" if reader else ""
    noble = draw.choice(f"kc.hint.noble{key}", [slot for slot in others if seen(slot) is Role.NOBLE])
    duke = draw.choice(f"kc.hint.duke{key}", [slot for slot in others if seen(slot) is Role.DUKE])
    without_king = rules["hint_lists"] == "king_excluded"
    rest = [s for s in others if s not in (noble, duke) and not (without_king and s == dealt.king)]
    third = draw.choice(f"kc.hint.third{key}", rest)
    return draw.choice(f"kc.hint.order{key}", tuple(permutations((noble, duke, third))))


_NOTHING: Mapping[Any, Any] = MappingProxyType({})


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


def plain(verb: Verb, *names: SlotId) -> Sentence:
    """The line that says it: what receipts quote and `orders.read_order` reads back."""
    between = " > " if verb is Verb.TIEBREAK else ", "
    return joined("", (verb, ": ", joined(between, names))) if names else joined("", (verb,))


class Phase(StrEnum):
    """What is going on; `COIN` only where the deadlock coin is thrown outside (KC-35)."""

    VOTE = "vote"
    TIE = "tie"
    TOL = "tol"
    EC = "ec"
    COIN = "coin"
    DMO = "dmo"
    DONE = "done"


OPEN = frozenset({Phase.VOTE, Phase.TIE})
"""The King has not joined: purchases and gifts are open."""
FROZEN = frozenset({Phase.TOL, Phase.EC, Phase.COIN, Phase.DMO})
"""KC-37: from the King joining until the DMO is named."""


@dataclass(frozen=True, slots=True)
class Poll:
    """One vote as it was counted, `deal` the how-manyth deal it belongs to. `counts` above zero, most first;
    `tied` () without a tie; `elected` who joined by it, the last King who joins at once included (KC-20)."""

    deal: int
    attempt: int
    round: int
    counts: Mapping[SlotId, int]
    missed: tuple[SlotId, ...] = ()
    tied: tuple[SlotId, ...] = ()
    elected: tuple[SlotId, ...] = ()
    king: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """One private answer: a look, a peek, a pair check, a name of the list, annoyed or not."""

    attempt: int
    kind: str
    names: tuple[SlotId, ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """KC-26 by option: a purchase paid for and not yet answered; `target` None: am I annoyed?"""

    slot: SlotId
    target: SlotId | None


@dataclass(frozen=True, slots=True)
class Score:
    """KC-32: votes received in the final attempt, and the bonus for the place in the court."""

    votes: int
    bonus: int

    @property
    def total(self) -> int:
        return self.votes + self.bonus


DUKES, NOBLES, KING, DEATHMATCH = "dukes", "nobles", "king", "deathmatch4"
"""How a match ends."""


@dataclass(frozen=True, slots=True)
class End:
    """How it ended: members of the teams in the court, who won, the scores of Dukes and Nobles (KC-32), who
    got a token from the King, who is tied for EC, the winners' ballots, EC and DMO."""

    kind: str
    dukes: int = 0
    nobles: int = 0
    winners: tuple[SlotId, ...] = ()
    scores: Mapping[SlotId, Score] = field(default_factory=dict)
    gifted: tuple[SlotId, ...] = ()
    tied: tuple[SlotId, ...] = ()
    ballots: Mapping[SlotId, SlotId] = field(default_factory=dict)
    coin: tuple[SlotId, ...] = ()
    ec: SlotId | None = None
    dmo: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Prizes:
    """Counters: Marks of Elimination, Tokens of Life, Opals."""

    moe: Mapping[SlotId, int] = field(default_factory=dict)
    tol: Mapping[SlotId, int] = field(default_factory=dict)
    opals: Mapping[SlotId, int] = field(default_factory=dict)


class State(NamedTuple):
    """`court` in order of election; `totals` votes received in this attempt; `ballots` what stands in this
    round, the latest last; `covers` every role shown for the King in this attempt, with who paid for it;
    `pending` a counted vote whose tie is open; `opened` when the phase began, None: nobody said; `moved` the
    phase that the moderator gave another deadline, and which (None: its clock stands still); `deals` how
    often roles were dealt, `past_deals` all of them but the last. A tuple, because every message changes one
    part of many: `_replace` is quick."""

    slots: tuple[SlotId, ...]
    rules: Chosen
    deal: Deal
    garnets: Mapping[SlotId, int]
    phase: Phase = Phase.VOTE
    attempt: int = 1
    round: int = 1
    deals: int = 1
    court: tuple[SlotId, ...] = ()
    totals: Mapping[SlotId, int] = _NOTHING
    ballots: Mapping[SlotId, SlotId] = _NOTHING
    tiebreak: tuple[SlotId, ...] = ()
    learned: tuple[SlotId, ...] = ()
    check_right: SlotId | None = None
    check_pair: tuple[SlotId, ...] = ()
    covers: tuple[tuple[SlotId, str], ...] = ()
    waiting: tuple[Waiting, ...] = ()
    known: Mapping[SlotId, tuple[Known, ...]] = _NOTHING
    polls: tuple[Poll, ...] = ()
    pending: Poll | None = None
    past_kings: tuple[SlotId, ...] = ()
    prizes: Prizes = Prizes()
    end: End | None = None
    removed: frozenset[SlotId] = frozenset()
    opened: datetime | None = None
    moved: tuple[tuple[object, ...], datetime | None] | None = None
    past_deals: tuple[Deal, ...] = ()
    early_paid: tuple[tuple[SlotId, int], ...] = ()
    """KC-22: what each early King could pay of the fine."""

    @property
    def outside(self) -> tuple[SlotId, ...]:
        """KC-04: voters and candidates are the players outside the court."""
        court = self.court
        return tuple([slot for slot in self.slots if slot not in court])  # quicker than a generator

    @property
    def present(self) -> tuple[SlotId, ...]:
        """KC-39: all but those whom the moderator removed."""
        removed = self.removed
        return tuple([slot for slot in self.slots if slot not in removed]) if removed else self.slots

    @property
    def king(self) -> SlotId:
        return self.deal.king


Move: TypeAlias = Step[State]


def credited(balances: Mapping[SlotId, int], slot: SlotId, amount: int) -> dict[SlotId, int]:
    """The balances with so much more for one slot."""
    return {**balances, slot: balances.get(slot, 0) + amount}


_HOURS: Mapping[Phase, int] = {
    Phase.TIE: FIGURES.tie_hours,
    Phase.TOL: FIGURES.end_hours,
    Phase.EC: FIGURES.end_hours,
    Phase.DMO: FIGURES.end_hours,
}


def phase_of(state: State) -> tuple[object, ...]:
    """What tells a phase from every other one of the match."""
    return (state.phase, state.deals, state.round, state.opened)


def deadline(state: State) -> datetime | None:
    """When the phase ends, as the moderator said where they gave it another deadline; None where nobody said
    when it began, where its clock stands still, and where it waits for the moderator."""
    if state.moved is not None and state.moved[0] == phase_of(state):
        return state.moved[1]
    hours = int(state.rules["kc_02"]) if state.phase is Phase.VOTE else _HOURS.get(state.phase)
    return state.opened + timedelta(hours=hours) if state.opened and hours else None


_COLUMNS, _SEAT, _CELL = 80, "Seat  ", 5  # of the table in letters


@dataclass(frozen=True, slots=True)
class Cell:
    """One player in one round: votes received; `joins` by the vote of it; `seated` already before it."""

    votes: int
    joins: bool = False
    seated: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """One player over the rounds; `place` in the court, None: outside; `king` where that is known."""

    name: SlotId
    place: int | None
    king: bool
    cells: tuple[Cell, ...]

    @property
    def called(self) -> str:
        """The name, and whether they are the King."""
        return f"{self.name} (King)" if self.king else self.name


@dataclass(frozen=True, slots=True)
class Seats:
    """The table: the court in order of election first, then those outside."""

    attempt: int
    rounds: tuple[int, ...]
    rows: tuple[Seat, ...]


def seats_of(state: State, deal: int | None = None) -> Seats:
    """The table of one deal, the latest by default; until a round of an attempt is over that of the attempt
    before it, which an early King ended."""
    wanted = state.deals if deal is None else deal
    last = state.polls[-1] if state.polls else None
    if deal is None and last is not None and last.deal != wanted and last.attempt != state.attempt:
        wanted = last.deal
    polls = tuple(poll for poll in state.polls if poll.deal == wanted)
    court = tuple(slot for poll in polls for slot in poll.elected)
    order = (*court, *(slot for slot in state.slots if slot not in court))
    rounds = tuple(poll.round for poll in polls)
    attempt = polls[0].attempt if polls else state.attempt
    return Seats(attempt, rounds, tuple(_seat(slot, court, polls) for slot in order))


def _seat(slot: SlotId, court: tuple[SlotId, ...], polls: tuple[Poll, ...]) -> Seat:
    cells, seated = [], False
    for poll in polls:
        # KC-20: the King as the last one outside joins in the same round, but by no vote.
        cells.append(Cell(poll.counts.get(slot, 0), poll.elected[:1] == (slot,), seated))
        seated = seated or slot in poll.elected
    place = court.index(slot) + 1 if slot in court else None
    return Seat(slot, place, any(poll.king == slot for poll in polls), tuple(cells))


def court_text(seats: Seats) -> str:
    """The table in letters of one width, at most 80 columns: of many rounds only the latest fit."""
    wide = max(len("Player"), *(len(seat.called) for seat in seats.rows))
    room = max(1, (_COLUMNS - len(_SEAT) - wide - 2) // _CELL)
    left_out = max(0, len(seats.rounds) - room)
    heads = "".join(f"{f'R{number}':<{_CELL}}" for number in seats.rounds[left_out:])
    lines = [f"The court, attempt {seats.attempt}", f"{_SEAT}{'Player':<{wide}}  {heads}".rstrip()]
    for seat in seats.rows:
        cells = "".join(f"{_letters_of(cell):<{_CELL}}" for cell in seat.cells[left_out:])
        lines.append(f"{seat.place or '–':<{len(_SEAT)}}{seat.called:<{wide}}  {cells}".rstrip())
    if seats.rounds:
        lines.append("Votes received in each round; ◄ joined the court, · was in it already.")
    else:
        lines.append("No round is over yet.")
    if left_out:
        lines.append(f"Left out: the first {left_out} round{'s' * (left_out > 1)}.")
    return "\n".join(lines)


def _letters_of(cell: Cell) -> str:
    if cell.joins:
        return f"{cell.votes} ◄"
    return "·" if cell.seated else str(cell.votes)


def called(seats: Seats, names: Mapping[SlotId, str]) -> Seats:
    """The table with the names of who holds the slots now."""
    rows = tuple(replace(seat, name=SlotId(names.get(seat.name, seat.name))) for seat in seats.rows)
    return replace(seats, rows=rows)
