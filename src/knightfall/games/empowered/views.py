"""What Empowered Mafia tells beside the events of every mafia game, and what each may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts, Told
from knightfall.games.empowered.abilities import (
    ADAPTABLE,
    BY_ID,
    MAFIA_ROLES,
    ROLES,
    TOWN_ROLES,
    UNCHOSEN,
    Ability,
)
from knightfall.games.empowered.options import PLAYERS, Numbers, Rules, numbers
from knightfall.games.empowered.rules import QUIET_LIMIT, won
from knightfall.games.empowered.state import State, has_lost, hours, hours_of
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.events import AbilityLine, Alive, MafiaSetup, NightSheet, OwnFacts, Partner
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, teammates
from knightfall.sentence import SlotId

# ── Rows. ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RoleCount:
    """How many of a role are in the game."""

    role: str
    count: int


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
    """Everything that the number of players tells everyone: how many of each kind there are, the roles on
    the `list` that the rest was dealt from, and what mafiosi choose from."""

    kind: ClassVar[str] = "opening"
    players: tuple[SlotId, ...]
    numbers: Numbers
    list: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstDay(Facts):
    """Day 1 begins: every mafioso has chosen."""

    kind: ClassVar[str] = "first_day"
    now: AliveNow


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of Empowered Mafia.

    `numbers` is None as long as nobody knows how many will play. `fewest` and `most` say how many can.
    `listed` are the roles of the shuffled list. `quiet_limit` is how many days and nights without a death end
    the game.
    """

    fewest: int
    most: int
    numbers: Numbers | None
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


def partners(state: State, slot: SlotId) -> tuple[Partner, ...]:
    """A mafioso is told the partners' names; the rest they tell each other."""
    return tuple(Partner(mate) for mate in teammates(state, slot))


def own_facts(state: State, slot: SlotId, known: OwnFacts) -> EmpoweredOwn:
    """What is known in every game, with what a Ninja has left; from day 1 on a mafioso knows how many of each
    role there are (EM-R30)."""
    card = state.cards[slot]
    aware = card.alignment is Alignment.MAFIA and state.phase is not Phase.CHOOSING
    return EmpoweredOwn(
        role=known.role,
        partners=known.partners,
        shots=known.shots,
        standing=known.standing,
        learned=known.learned,
        adaptability=not has_lost(state, slot) if ADAPTABLE in card.traits else None,
        counts=_counts(state) if aware else None,
    )


def now(state: State) -> AliveNow:
    """What posts say beside a death: how many live, how long they now have, how long nobody has died."""
    return AliveNow(
        alive=len(state.living),
        needed=None,
        over=won(state) is not None,
        hours=hours(state),
        early=state.rules["em_r27"] == "unanimous",
        ties=state.rules["em_r26"],
        quiet=state.quiet,
        quiet_limit=QUIET_LIMIT,
    )


def opening(state: State) -> EmpoweredOpening:
    """Everything that the number of players tells everyone (source: Assigning Roles)."""
    return EmpoweredOpening(
        players=state.slots,
        numbers=numbers(len(state.cards)),
        list=tuple(role.name for role in TOWN_ROLES),
        choices=tuple(role.name for role in MAFIA_ROLES),
    )


def first_pm(state: State, slot: SlotId) -> Told:
    """A mafioso is asked for a role; everyone else is told theirs."""
    if state.cards[slot] is not UNCHOSEN:
        return role_pm(state, slot)
    choices = tuple(role.name for role in MAFIA_ROLES)
    needy = state.rules["em_r1"] == "always"
    return Told((slot,), RoleChoice(slot, teammates(state, slot), choices, needy))


def role_pm(state: State, slot: SlotId) -> Told:
    """The role in full, under the options of this game."""
    card = state.cards[slot]
    needs_power = card.alignment is not Alignment.MAFIA or state.rules["em_r1"] == "always"
    # A mafioso has the Murder, and perhaps an ability of the role besides.
    rows = sorted((BY_ID[ability] for ability in card.abilities), key=lambda row: row.id == Ability.MURDER)
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        abilities=tuple(
            AbilityLine(row.id, row.title, row.line(row.written), _sentence(state, row, needs_power))
            for row in rows
        ),
        rules=state.rules.values,
        hours=hours_of(state.rules)[Phase.NIGHT],
        wording=state.rules["wording"],
        quiet_limit=QUIET_LIMIT,
    )
    return Told((slot,), facts)


def _sentence(state: State, row: AbilityRow, needs_power: bool) -> str:
    """What an ability does, under the options: EM-R1 for the incarceration of a mafioso, EM-R15."""
    stopped = "one kill" if state.rules["em_r15"] == "one_kill" else "every kill"
    return row.pm.format(that="If you have power, that" if needs_power else "That", stopped=stopped)


def awareness(state: State, slot: SlotId) -> Awareness:
    """EM-R30: partners, and how many of every role are in the game."""
    return Awareness(slot, teammates(state, slot), _counts(state))


def _counts(state: State) -> tuple[RoleCount, ...]:
    """Of every role, those that nobody has too; it does not change when somebody dies."""
    names = [role.name for role in state.cards.values()]
    return tuple(RoleCount(name, names.count(name)) for name in ROLES)


def setup_post(players: int, rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules, with the numbers of roles where so many can play."""
    lasts = hours_of(rules)
    return SetupPost(
        fewest=PLAYERS[0],
        most=PLAYERS[-1],
        numbers=numbers(players) if players in PLAYERS else None,
        rules=rules.values,
        listed=tuple(role.name for role in TOWN_ROLES),
        day_hours=lasts[Phase.DAY],
        night_hours=lasts[Phase.NIGHT],
        quiet_limit=QUIET_LIMIT,
        voting=voting,
    )
