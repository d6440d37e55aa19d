"""What a mafia game tells: to everybody, by PM, and to the moderator alone.

Games add classes of their own in their `events.py`, or fields to these by inheritance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import DeadPlayer, Facts
from knightfall.mafia.night import Lot
from knightfall.sentence import SlotId

# ── Rows. ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Card:
    """A player and the name of their card."""

    name: SlotId
    role: str


@dataclass(frozen=True, slots=True)
class CardEnd(Card):
    """A card once the game is over; `end` is how and when its holder left, or “alive”."""

    end: str


@dataclass(frozen=True, slots=True)
class Partner:
    """Somebody a player knows. `role` is None where the card stays unknown; `bond` is what binds them, where
    there are several kinds."""

    name: SlotId
    role: str | None = None
    bond: str = ""


@dataclass(frozen=True, slots=True)
class NightDeath(Card):
    """Who was found dead. `cause` is what everybody learns of it beyond the card; "" for nothing."""

    cause: str = ""


@dataclass(frozen=True, slots=True)
class LearnedAnswer:
    """What an investigator was told in a night."""

    night: int
    ability: str
    target: SlotId
    answer: str


@dataclass(frozen=True, slots=True)
class UsesLeft:
    """How many uses of an ability are left; `ability` is what it is called."""

    ability: str
    uses: int


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One action of a night: `action` as its line, what became of it, and the ruling that says so."""

    actor: SlotId
    action: str
    fate: str
    because: str
    ruling: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A kill that was aimed at somebody: `kill` with its actor, and why it landed or not."""

    kill: str
    because: str


@dataclass(frozen=True, slots=True)
class Attacked:
    """A player at whom kills were aimed in a night."""

    name: SlotId
    attacks: tuple[Attack, ...]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What an action brought its actor; "" where no message is sent. `because`: what changed the answer ("":
    nothing)."""

    actor: SlotId
    action: str
    answer: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its heading, its line, its sentence, the uses it begins with (None: no end of
    them), on which `nights` (“even_night”, “odd_night”, “2 and 4”, "" on all), and what else limits it.
    `by_day`: when it is done instead of at night. `aimed`: it names players; `stoppable`: a limited use of it
    can be stopped by somebody else; `reports`: it brings an answer."""

    id: str
    title: str
    line: str
    sentence: str
    shots: int | None = None
    nights: str = ""
    modifiers: tuple[str, ...] = ()
    by_day: str = ""
    aimed: bool = False
    stoppable: bool = False
    reports: bool = False


@dataclass(frozen=True, slots=True)
class SpentUses:
    """How many uses of an ability a slot spent in a night."""

    slot: SlotId
    ability: str
    uses: int


@dataclass(frozen=True, slots=True)
class SideCount:
    """How many of each side live."""

    town: int
    mafia: int
    sk: int


@dataclass(frozen=True, slots=True)
class Alive:
    """What posts say beside a death: how many live, the votes that eliminate (None: the most at the deadline
    do), whether the game is over."""

    alive: int
    needed: int | None
    over: bool


# ── For everybody. ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Opening(Facts):
    """The first post: which `phase` (“day”, “night”) begins with which number, who plays."""

    kind: ClassVar[str] = "opening"
    phase: str
    number: int
    alive: tuple[SlotId, ...]
    needed: int | None


@dataclass(frozen=True, slots=True)
class MafiaSetup(Facts):
    """“This setup”: the rules of a game under the chosen options, for everybody. Nothing of the deal.

    `rules` has the value of every option by name; `voting` are sentences about the day.
    """

    kind: ClassVar[str] = "setup"
    rules: Mapping[str, str]
    voting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Elimination(Facts):
    """The end of a day. `name` is None where nobody was eliminated; `others` are who else was, by the same
    vote, `tied` those whom the game drew from, `along` who died with the eliminated."""

    kind: ClassVar[str] = "elimination"
    day: int
    name: SlotId | None
    role: str | None
    others: tuple[Card, ...]
    tied: tuple[str, ...]
    along: tuple[Card, ...]
    now: Alive


@dataclass(frozen=True, slots=True)
class Removal(Facts):
    """A death out of turn. `how` is “killed” or “modkilled”; `along` are who died with the player."""

    kind: ClassVar[str] = "modkill"
    name: SlotId
    role: str
    how: str
    along: tuple[Card, ...]
    now: Alive


@dataclass(frozen=True, slots=True)
class Dawn(Facts):
    """The end of a night: who was found dead."""

    kind: ClassVar[str] = "dawn"
    night: int
    deaths: tuple[NightDeath, ...]
    now: Alive


@dataclass(frozen=True, slots=True)
class NightRow(TraceRow):
    """An action of a night, told after the game, with what its actor was told ("": nothing) and what changed
    that."""

    answer: str
    behind: str


@dataclass(frozen=True, slots=True)
class NightHistory:
    """A night, told after the game. `default` are who could act and sent nothing, `nothing` who sent
    something that came to nothing."""

    night: int
    rows: tuple[NightRow, ...]
    dead: tuple[SlotId, ...]
    default: tuple[SlotId, ...]
    nothing: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What lets everybody deal the game again: all of it is published at the end, `file` to be checked.

    `sealed`: only the seeds of some parts are published; `draws`: how many draws `file` tells; `by_hand` are
    those that the moderator made. Without a seed none can be published. `adopted`: the roles were told when
    the game was taken in, and nothing here proves them. `fair`: nobody could choose the deal, and all of
    it stands in `file`.
    """

    commitment: str
    seed: str
    salt: str
    file: str
    sealed: bool = False
    draws: int = 0
    by_hand: tuple[str, ...] = ()
    adopted: bool = False
    fair: bool = False


@dataclass(frozen=True, slots=True)
class Ending(Facts):
    """Who won and why, who is left, every card. `winner` is the side (None: nobody), `reason` a word that the
    template knows, `along` who wins beside the side. Nights and proof are added when it is posted."""

    kind: ClassVar[str] = "ending"
    winner: str | None
    winners: tuple[SlotId, ...]
    reason: str
    left: tuple[Card, ...]
    count: SideCount
    roles: tuple[CardEnd, ...]
    code: str
    along: tuple[Card, ...] = ()
    nights: tuple[NightHistory, ...] = ()


# ── By PM. ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Receipt(Facts):
    """What stands of a slot's orders after a message, and what was `replaced` by it, as lines. `no_kill`: the
    faction's kill fell; `sender` is whose message it was, and `heard` whether a line of it was taken.
    `phase`: they are for the night or, as “Day”, for the day of that number."""

    kind: ClassVar[str] = "receipt"
    name: SlotId
    night: int
    standing: tuple[str, ...]
    replaced: tuple[str, ...]
    no_kill: bool
    sender: SlotId | None
    heard: bool = True
    phase: str = "Night"


@dataclass(frozen=True, slots=True)
class NightResults(Facts):
    """What a slot learned in a night, and what is `left` of the limited abilities that it used."""

    kind: ClassVar[str] = "result_pm"
    name: SlotId
    night: int
    results: tuple[LearnedAnswer, ...]
    left: tuple[UsesLeft, ...] = ()


# ── For the moderator alone. ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal(Facts):
    """Every card as it was dealt."""

    kind: ClassVar[str] = "moderator_deal"
    code: str
    roles: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CautionNote(Facts):
    """Something that is legal and worth a look: a sentence, and the ruling that it hangs on."""

    kind: ClassVar[str] = "caution"
    text: str
    ruling: str


@dataclass(frozen=True, slots=True)
class EarlyClosing(CautionNote):
    """That a phase was closed before its deadline: a word about the closing, none about what came of it."""


@dataclass(frozen=True, slots=True)
class NightSheet(Facts):
    """All of a night. `silent` are who could act, and of whom nothing stands; `lots` are the ties that were
    drawn, `rings` the actions that change each other in a ring on which nothing hung."""

    kind: ClassVar[str] = "moderator_night"
    night: int
    trace: tuple[TraceRow, ...]
    deaths: tuple[Attacked, ...]
    survived: tuple[Attacked, ...]
    results: tuple[AnswerRow, ...]
    spent: tuple[SpentUses, ...]
    cautions: tuple[CautionNote, ...]
    silent: tuple[SlotId, ...]
    lots: tuple[Lot, ...]
    rings: tuple[tuple[str, ...], ...]

    @property
    def marks(self) -> tuple[tuple[str, tuple[SlotId, ...]], ...]:
        """States of players that only this game knows: what each is called, and who was in it."""
        return ()


@dataclass(frozen=True, slots=True)
class RingAnswer:
    """What an action of the ring would bring its actor."""

    sent: str
    answer: str


@dataclass(frozen=True, slots=True)
class RingChoice:
    """What one ruling on a ring leads to. `first` is the action that goes first (None: none happens);
    `listed`: the wiki's list of priorities has it so. `end` is `night`, `knot` (another question) or `unseen`
    (too many orders to play them all)."""

    choice: str
    first: str | None
    listed: bool
    end: str
    deaths: tuple[SlotId, ...]
    results: tuple[RingAnswer, ...]


@dataclass(frozen=True, slots=True)
class RingQuestion(Facts):
    """Actions that change each other in a ring, put to the moderator. `precedent` is the number of the choice
    that an earlier ruling comes to, `earlier` that ruling."""

    kind: ClassVar[str] = "knot"
    night: int
    key: str
    actions: tuple[str, ...]
    choices: tuple[RingChoice, ...]
    precedent: int | None
    earlier: str | None


# ── What a slot, or everybody, may look up at any time. ─────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OwnFacts:
    """What a slot knows beyond the table: its card, partners, uses left, what stands, what it has learned."""

    role: str
    partners: tuple[Partner, ...]
    shots: dict[str, int]
    standing: tuple[str, ...]
    learned: tuple[LearnedAnswer, ...]


@dataclass(frozen=True, slots=True)
class MafiaView(Facts):
    """The table as everybody sees it: `needed` are the votes that eliminate, `roles` every card once the game
    is over; `own` is for the slot that looks."""

    phase: str
    number: int
    alive: tuple[SlotId, ...]
    dead: tuple[DeadPlayer, ...]
    needed: int | None
    roles: dict[SlotId, str] | None = None
    own: OwnFacts | None = None
