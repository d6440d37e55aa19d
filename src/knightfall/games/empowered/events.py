"""What Empowered Mafia tells beside the events of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts
from knightfall.mafia.events import Alive, MafiaSetup, NightSheet, OwnFacts
from knightfall.sentence import SlotId

# ── Rows. ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RoleCount:
    """How many of a role are in the game."""

    role: str
    count: int


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability of a role: its heading, its line and, under the options, its sentence."""

    id: str
    title: str
    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RulingText:
    """A ruling and what it says."""

    ruling: str
    text: str


@dataclass(frozen=True, slots=True)
class AliveNow(Alive):
    """How many live, and how many `hours` what comes now lasts. `early`: everybody's `ready` ends a night;
    `ties` is how they are drawn; `quiet` days and nights nobody has died, `quiet_limit` at most."""

    hours: int
    early: bool
    ties: str
    quiet: int
    quiet_limit: int


# ── For everybody. ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class EmpoweredOpening(Facts):
    """Everything that the number of players tells everyone: how many of each kind there are, `copies` of each
    role in the `list` that the rest was dealt from, and what mafiosi choose from."""

    kind: ClassVar[str] = "opening"
    players: tuple[SlotId, ...]
    mafia: int
    empowerers: int
    others: int
    copies: int
    list: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstDay(Facts):
    """Day 1 begins: every mafioso has chosen."""

    kind: ClassVar[str] = "first_day"
    now: AliveNow


@dataclass(frozen=True, slots=True)
class RoleNumbers:
    """How many there are of each kind with so many players; `copies` of each role are on the shuffled list,
    which holds `cards` in all."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int
    cards: int


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of Empowered Mafia.

    `numbers` is None as long as nobody knows how many will play. `fewest` and `most` say how many can.
    `listed` are the roles of the shuffled list. `quiet_limit` is how many days and nights without a death end
    the game.
    """

    fewest: int
    most: int
    numbers: RoleNumbers | None
    listed: tuple[str, ...]
    day_hours: int
    night_hours: int
    quiet_limit: int


# ── By PM. ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RoleChoice(Facts):
    """A mafioso is asked for a role. `needy`: in this game each of these needs power."""

    kind: ClassVar[str] = "choosing"
    name: SlotId
    partners: tuple[SlotId, ...]
    choices: tuple[str, ...]
    needy: bool


@dataclass(frozen=True, slots=True)
class ChosenRole(Facts):
    """What a mafioso has chosen so far; None for nothing."""

    kind: ClassVar[str] = "chosen"
    answers: ClassVar[bool] = True
    name: SlotId
    role: str | None


@dataclass(frozen=True, slots=True)
class Awareness(Facts):
    """EM-R30: a mafioso learns the partners, and how many of every role are in the game."""

    kind: ClassVar[str] = "awareness"
    name: SlotId
    partners: tuple[SlotId, ...]
    counts: tuple[RoleCount, ...]


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A role in full: what can be sent, a mafioso's Murder last; the value of every option by name (`rules`),
    how many `hours` a night lasts, in which `wording`; `quiet_limit` days and nights without a death end the
    game."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    abilities: tuple[AbilityLine, ...]
    rules: Mapping[str, str]
    hours: int
    wording: str
    quiet_limit: int


@dataclass(frozen=True, slots=True)
class AdaptabilityLost(Facts):
    """EM-R12: a Ninja has used Adaptability up."""

    kind: ClassVar[str] = "adaptability_lost"
    name: SlotId
    night: int


# ── For the moderator alone. ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RolesMissing(Facts):
    """Day 1 cannot begin: who has not chosen, and what there is to choose."""

    kind: ClassVar[str] = "question"
    missing: tuple[SlotId, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TieDrawn(Facts):
    """EM-R26: who was tied, whom the draw took from, and who was drawn."""

    kind: ClassVar[str] = "moderator_tie"
    day: int
    tied: tuple[str, ...]
    pool: tuple[str, ...]
    drawn: str


@dataclass(frozen=True, slots=True)
class PoweredNight(NightSheet):
    """All of a night, with who had power, who was in jail, who lost Adaptability, and the rulings that
    decided something."""

    powered: tuple[SlotId, ...]
    incarcerated: tuple[SlotId, ...]
    lost: tuple[SlotId, ...]
    rulings: tuple[RulingText, ...]

    @property
    def marks(self) -> tuple[tuple[str, tuple[SlotId, ...]], ...]:
        """Who had power, who was in jail, who lost Adaptability."""
        return (
            ("Powered", self.powered),
            ("Incarcerated", self.incarcerated),
            ("Adaptability lost", self.lost),
        )


# ── What a slot may look up at any time. ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class EmpoweredOwn(OwnFacts):
    """With whether a Ninja still has Adaptability, and how many of every role a mafioso knows of; None for
    who is neither."""

    adaptability: bool | None
    counts: tuple[RoleCount, ...] | None
