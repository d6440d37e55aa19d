"""What is wrong with a setup, and what can be counted of it without playing: the pure half of a review.

Nothing here knows a role by name. What a card is for is read from its rows: a check is idle where it finds
the same on everybody it may be used on, a look where no check would find anything else without it, a block
where nobody else acts. What differs by deal is asked of every deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from knightfall.games.custom_mafia.abilities import ABILITIES, BY_DAY, BY_ID, KILLS, VOTES, Ability, Trait
from knightfall.games.custom_mafia.catalog import MODIFIERS as MODIFIER_WORDS
from knightfall.games.custom_mafia.catalog import NIGHT_X, TRAITS, Entry, Kind
from knightfall.games.custom_mafia.options import Rules, Setup
from knightfall.games.custom_mafia.roles import bases_of, enabled_by, rolecop_name
from knightfall.games.custom_mafia.rules import winner
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Effect
from knightfall.mafia.roles import ON_NIGHT, TEAMS, THREATS, Alignment, Knowledge, Modifier, Role
from knightfall.mafia.wins import Winner
from knightfall.simulation import normal_roles
from knightfall.simulation.deals import Deal, Deals
from knightfall.simulation.normal_roles import folded

FEW, MANY = 0.16, 0.34
"""Shares of mafiosi and killers among the players, below and above which a reviewer asks."""
MUCH = 4
"""Cards of the town with a power, from which on the mafia should have one, too."""
OPEN = 3
"""Cards that nobody can claim falsely, from which on a mass claim may decide a game."""
_SIDES = (Alignment.TOWN, *TEAMS)


class Weight(StrEnum):
    """How much a remark weighs."""

    FAULT = "fault"
    """The setup cannot be run so, or a card does nothing."""
    DOUBT = "doubt"
    """A reviewer would ask about it."""
    NOTE = "note"
    """Good to know."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that a review says of a setup. `key` is of its kind; `share` of the deals it is true of;
    `role`: about which card."""

    key: str
    weight: Weight
    text: str
    role: str = ""
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Span:
    """The least and the most over the deals."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is counted of a setup. `mislynches`: how many wrong eliminations the town can afford where the
    mafia kills every night; `town_end`, `mafia_end`: the earliest phase at which each side can have won where
    all goes its way, "" where it cannot."""

    players: int
    mafia: Span
    killers: Span
    town_powers: Span
    scum_share: tuple[float, float]
    mislynches: Span
    town_end: str
    mafia_end: str
    deals: int
    all_deals: bool


# ── What cards do, by their rows. ─────────────────────────────────────────────────────────────────────────


def _rows(role: Role) -> Iterator[AbilityRow]:
    """The abilities that are a card's own: not its faction's kill."""
    for ability in role.abilities:
        row = BY_ID.get(ability)
        if row is not None and not row.faction:
            yield row


def _has(role: Role, effect: Effect) -> bool:
    return any(effect in row.effects for row in _rows(role))


def _kills(role: Role) -> bool:
    """Whether it kills of its own; the kill of its faction aside."""
    mafia = role.alignment in TEAMS
    # What one mafioso alone can do is the faction's kill in another way, unless it is a Vigilante's.
    return any(row.id in KILLS and (not mafia or row.id == Ability.KILL) for row in _rows(role))


def _acts_on_others(role: Role) -> bool:
    return any(row.targets for row in _rows(role))


def powers(role: Role) -> bool:
    """Whether it has more than a vote and, of the mafia, the kill."""
    return bool([*_rows(role)] or role.passives or _words(role))


def _words(role: Role) -> tuple[Entry, ...]:
    """The words of its traits."""
    return tuple(entry for entry in TRAITS if entry.gives in role.traits)


@cache
def _looks(trait: str) -> bool:
    """Whether it is there for what checks find: without it some check would say something else."""
    for side in (Alignment.TOWN, Alignment.MAFIA):
        bare = Role("Vanilla Townie" if side is Alignment.TOWN else "Mafia Goon", side)
        seen = replace(bare, traits=frozenset({trait}))
        if bare.in_team is not seen.in_team:  # more than a look
            return False
        if any(_finds(row, bare) != _finds(row, seen) for row in _checks()):
            return True
    return False


@cache
def _checks() -> tuple[AbilityRow, ...]:
    """The checks with a list of answers."""
    return tuple(row for row in ABILITIES if row.find is not None and row.answers)


def _finds(row: AbilityRow, role: Role, house: frozenset[str] = frozenset()) -> str:
    assert row.find is not None
    return row.find(CardSeen(role, house, rolecop_name))


@dataclass(frozen=True, slots=True)
class _Table:
    """The cards of one deal, under these rules."""

    roles: tuple[Role, ...]
    rules: Rules
    deal: Deal


@dataclass(frozen=True, slots=True)
class _Seat:
    """One card of a deal, and the others as its holder meets them."""

    role: Role
    others: tuple[Role, ...]
    house: frozenset[str]

    @property
    def mafia(self) -> bool:
        """Whether its holder knows the others of its side, as a Traitor does not."""
        return self.role.in_team

    @property
    def partners(self) -> list[Role]:
        """The others of its side."""
        return [role for role in self.others if role.alignment is self.role.alignment]

    @property
    def targets(self) -> list[Role]:
        """On whom its holder would use it: a mafioso knows the partners."""
        return [role for role in self.others if not self.mafia or role.alignment is not self.role.alignment]

    @property
    def strangers(self) -> list[Role]:
        """The others of another side."""
        own = self.role.alignment
        return [role for role in self.others if role.alignment is not own or own not in _SIDES]

    @property
    def acting(self) -> list[Role]:
        """Who of those does something at night to somebody."""
        return [role for role in self.targets if _acts_on_others(role) or role.alignment in THREATS]

    @property
    def threatened(self) -> bool:
        """Whether somebody may kill those of its side at night, one of the town by mistake."""
        return any(_kills(role) or role.alignment in TEAMS for role in self.targets)


Check = Callable[[_Table], Iterator[Remark]]


def remarks(setup: Setup, deals: Deals, rules: Rules, strict: str = "") -> tuple[Remark, ...]:
    """Everything there is to say of a setup without playing it, the worst first. `strict`: "normal" holds
    its names against the list for Normal games."""
    shares: dict[tuple[str, str], float] = {}
    found: dict[tuple[str, str], Remark] = {}
    for deal in deals.deals:
        table = _Table(deal.roles, rules, deal)
        seen = {(one.key, one.text): one for check in _CHECKS for one in check(table)}
        for key, one in seen.items():
            found.setdefault(key, one)
            shares[key] = shares.get(key, 0.0) + deal.chance
    whole = [replace(one, share=min(1.0, shares[key])) for key, one in found.items()]
    whole += _of_the_clock(setup, deals, rules)
    whole += _of_claims(setup, deals)
    if strict:
        whole += _off_the_list(deals)
    order = list(Weight)
    return tuple(sorted(whole, key=lambda one: (order.index(one.weight), -one.share)))


# ── Numbers. ──────────────────────────────────────────────────────────────────────────────────────────────


def numbers_of(setup: Setup, deals: Deals, rules: Rules, players: int) -> Numbers:
    """What is counted over all deals."""

    def span(count: Callable[[Deal], int]) -> Span:
        counted = [count(deal) for deal in deals.deals]
        return Span(min(counted), max(counted))

    evil = span(lambda deal: sum(role.alignment in THREATS for role in deal.roles))
    towns = [_earliest(deal.roles, rules, setup.night_first, town=True) for deal in deals.deals]
    mafias = [_earliest(deal.roles, rules, setup.night_first, town=False) for deal in deals.deals]
    return Numbers(
        players=players,
        mafia=span(lambda deal: sum(role.alignment in TEAMS for role in deal.roles)),
        killers=span(lambda deal: sum(role.alignment is Alignment.SERIAL_KILLER for role in deal.roles)),
        town_powers=span(
            lambda deal: sum(role.alignment is Alignment.TOWN and powers(role) for role in deal.roles)
        ),
        scum_share=(evil.least / players, evil.most / players),
        mislynches=span(lambda deal: mislynches(deal.roles, rules, setup.night_first)),
        town_end=_first(towns),
        mafia_end=_first(mafias),
        deals=len(deals.deals),
        all_deals=deals.complete,
    )


def mislynches(roles: Sequence[Role], rules: Rules, night_first: bool = False) -> int:
    """How many wrong eliminations the town can afford where the mafia kills one every night and nobody else
    dies."""
    left = list(roles)
    if night_first and not _lose_one(left):
        return 0
    for number in range(len(roles)):
        if _evil_won(left, rules) or not _lose_one(left) or _evil_won(left, rules):
            return number
        if any(role.alignment in THREATS for role in left) and not _lose_one(left):
            return number
        if _evil_won(left, rules):
            return number
    return len(roles)


def _lose_one(left: list[Role]) -> bool:
    """The town loses somebody; whether there was anybody to lose."""
    for role in left:
        if role.alignment not in THREATS:
            left.remove(role)
            return True
    return False


def _evil_won(left: Sequence[Role], rules: Rules) -> bool:
    """Whether the town cannot win any more: a side against it has won, or would if the other were gone."""
    if winner(left, rules) not in (None, Winner.TOWN):
        return True
    town = sum(role.alignment not in THREATS for role in left)
    return 2 * (len(left) - town) >= len(left)


def _earliest(roles: Sequence[Role], rules: Rules, night_first: bool, *, town: bool) -> int:
    """The first phase after which a side can have won where all deaths go its way; -1 where there is none.
    `phase_name` says it.

    Every way is gone, breadth first: mafiosi, killers, others who kill at night, and the rest, so many each.
    """
    kinds: tuple[list[Role], ...] = ([], [], [], [])
    for role in roles:
        mafia, killer = role.alignment in TEAMS, role.alignment is Alignment.SERIAL_KILLER
        kinds[0 if mafia else 1 if killer else 2 if _kills(role) else 3].append(role)
    wanted = {Winner.TOWN} if town else set(map(Winner, TEAMS))
    states = {tuple(len(kind) for kind in kinds)}
    seen = set(states)
    for phase in range(2 * len(roles)):
        is_day = (phase % 2 == 0) is not night_first
        states = {after for state in states for after in _after(state, is_day, town)}
        for state in states:
            left = [role for kind, number in zip(kinds, state, strict=True) for role in kind[:number]]
            if winner(left, rules) in wanted:
                return 2 * phase + night_first
        if is_day:
            states -= seen
            seen |= states
    return -1


def _after(state: tuple[int, ...], is_day: bool, town: bool) -> Iterator[tuple[int, ...]]:
    """What can be left after a phase where one side alone loses nobody: the town, or the mafia."""
    mafia, killers, others, rest = state
    kill = int(mafia > 0)
    if town:
        # By night the mafia's kill can meet a killer alone, and one killer no more than mafiosi.
        by_killers = 0 if is_day else killers + others
        at_killers = 0 if is_day else kill + others + (killers if killers > 1 else 0)
        most = 1 if is_day else kill + killers + others
        for lost in range(min(mafia, 1 if is_day else by_killers) + 1):
            for more in range(min(killers, 1 if is_day else at_killers, most - lost) + 1):
                yield mafia - lost, killers - more, others, rest
        return
    most = 1 if is_day else kill + killers + others
    for lost in range(min(killers, most) + 1):
        for more in range(min(others, most - lost) + 1):
            yield mafia, killers - lost, others - more, rest - min(rest, most - lost - more)


def _first(phases: Sequence[int]) -> str:
    """“Day 2” of the earliest."""
    reached = [phase for phase in phases if phase >= 0]
    return phase_name(min(reached)) if reached else ""


def phase_name(code: int) -> str:
    """“Night 1” of what `_earliest` gives."""
    phase, night_first = code // 2, bool(code % 2)
    is_day = (phase % 2 == 0) is not night_first
    return f"{'Day' if is_day else 'Night'} {phase // 2 + 1}"


# ── How the game begins and ends. ─────────────────────────────────────────────────────────────────────────


def _over(table: _Table) -> Iterator[Remark]:
    if won := winner(table.roles, table.rules):
        name = won.name.lower().replace("_", " ")
        yield Remark("over", Weight.FAULT, f"The game is over before it begins: the {name} has won.")


def _sides(table: _Table) -> Iterator[Remark]:
    count = Counter(role.alignment for role in table.roles)
    killers, players = count[Alignment.SERIAL_KILLER], len(table.roles)
    mafia = sum(count[side] for side in TEAMS)
    share = (mafia + killers) / players
    if share < FEW:
        text = f"{mafia + killers} of {players} players are against the town ({share:.0%}): few."
        yield Remark("few_scum", Weight.DOUBT, text)
    if share > MANY:
        text = f"{mafia + killers} of {players} players are against the town ({share:.0%}): many."
        yield Remark("many_scum", Weight.DOUBT, text)
    if mafia == 1 and players > 6:
        yield Remark("lone_mafioso", Weight.DOUBT, "There is one mafioso alone, with nobody to talk to.")
    if killers > 1:
        yield Remark("killers", Weight.DOUBT, f"There are {killers} Serial Killers.")
    if not count[Alignment.TOWN]:
        yield Remark("no_town", Weight.FAULT, "Nobody is of the town.")
    for side in (Alignment.JESTER, Alignment.SURVIVOR):
        if count[side]:
            yield Remark("third_party", Weight.NOTE, f"A {side.value.title()} plays for no side.")


def _of_the_clock(setup: Setup, deals: Deals, rules: Rules) -> Iterator[Remark]:
    """How soon it can be lost."""
    early = Counter[str]()
    for deal in deals.deals:
        if winner(deal.roles, rules):
            continue
        end = _earliest(deal.roles, rules, setup.night_first, town=False)
        name = phase_name(end) if end >= 0 else ""
        voted = mislynches(deal.roles, rules, setup.night_first)
        if setup.night_first and name == "Night 1":
            early["before_vote"] += 1
        elif voted == 0:
            early["no_mislynch"] += 1
        elif name in ("Day 1", "Night 1"):
            early["swing"] += 1
    shares = {key: number / len(deals.deals) for key, number in early.items()}
    if share := shares.get("before_vote"):
        text = "The mafia can win in Night 1, before anybody has voted."
        yield Remark("before_vote", Weight.FAULT, text, share=share)
    if share := shares.get("no_mislynch"):
        text = "The town can afford no wrong elimination: Day 1 is its last chance."
        yield Remark("no_mislynch", Weight.FAULT, text, share=share)
    if share := shares.get("swing"):
        text = "One wrong elimination and the kills of one night can lose the game in Night 1."
        yield Remark("swing", Weight.DOUBT, text, share=share)


# ── Power on both sides. ──────────────────────────────────────────────────────────────────────────────────


def _power(table: _Table) -> Iterator[Remark]:
    town = [role for role in table.roles if role.alignment is Alignment.TOWN]
    mafia = [role for role in table.roles if role.alignment in TEAMS]
    strong = [role for role in town if powers(role) and not _only_looks(role)]
    scum = [role for role in mafia if powers(role)]
    if town and not strong:
        yield Remark("no_town_power", Weight.DOUBT, "The town has no power at all.")
    if mafia and not scum and len(strong) >= MUCH:
        text = f"{MUCH} cards of the town or more have a power, and none of the mafia has one."
        yield Remark("no_scum_power", Weight.DOUBT, text)
    if scum and not strong and len(scum) >= len(mafia):
        text = "Every mafioso has a power, and nobody of the town."
        yield Remark("scum_power", Weight.DOUBT, text)
    killing = [role for role in town if any(_unlimited(role, row) for row in _rows(role) if row.id in KILLS)]
    if len(killing) > 1:
        text = "Several of the town kill every night: they may kill the town for the mafia."
        yield Remark("many_vigilantes", Weight.DOUBT, text)
    # Somebody is found out by a check every night, and kept alive by the same protector.
    checkers = [
        role
        for role in town
        if any(_clean(role, row) and min(row.guilt.values(), default=0) < 0 for row in _rows(role))
        and any(max(row.guilt.values(), default=0) > 0 for row in _rows(role))
    ]
    keepers = [
        role
        for role in town
        if any(_clean(role, row) and row.trusted and row.id != "watch" for row in _rows(role))
        and any(Effect.SHIELDS in row.effects or row.trusted for row in _rows(role))
    ]
    breakers = [
        role
        for role in table.roles
        if role.alignment in THREATS
        and (any(row.act is not None for row in _rows(role)) or _pierces(role) or _hides(role, table))
    ]
    if checkers and keepers and not breakers:
        text = (
            f"Follow the {checkers[0].name}: once claimed, a protector keeps them alive while they check, "
            "and the mafia has nothing against it."
        )
        yield Remark("follow_the_cop", Weight.DOUBT, text, checkers[0].name)


def _only_looks(role: Role) -> bool:
    """Whether all that it has is how it looks: a Miller is no power."""
    return not [*_rows(role)] and not role.passives and all(_looks(str(e.gives)) for e in _words(role))


def _unlimited(role: Role, row: AbilityRow) -> bool:
    return role.abilities[row.id] is None


def _clean(role: Role, row: AbilityRow) -> bool:
    """Every night, on anybody."""
    return _unlimited(role, row) and not role.modifiers.get(row.id)


def _pierces(role: Role) -> bool:
    return Trait.STRONGMAN in role.traits or Ability.STRONG_KILL in role.abilities


def _hides(role: Role, table: _Table) -> bool:
    return any(
        _looks(str(trait)) and _finds(row, role) != _finds(row, replace(role, traits=role.traits - {trait}))
        for trait in role.traits
        for row in _checks()
        if any(row.id in other.abilities for other in table.roles)
    )


# ── Cards without a use. ──────────────────────────────────────────────────────────────────────────────────


def _idle(table: _Table) -> Iterator[Remark]:
    """Cards of which something does nothing in this deal."""
    for place, role in enumerate(table.roles):
        seat = _Seat(role, table.roles[:place] + table.roles[place + 1 :], table.rules.house)
        reasons = [_idle_ability(seat, row) for row in _rows(role)]
        reasons += [_idle_trait(seat, entry) for entry in _words(role)]
        if role.passives and not seat.threatened:
            reasons.append("survives kills that nobody can aim at it")
        if not seat.partners and any(Modifier.LOYAL in limits for limits in role.modifiers.values()):
            reasons.append("is loyal without a partner: it works on nobody")
        for why in filter(None, reasons):
            yield Remark("idle", Weight.FAULT, f"{_a(role.name, capital=True)} {why}.", role.name)
        for bond, known in role.bonds.items():
            if known is not Knowledge.PUBLIC and not any(role.shares(bond, other) for other in seat.others):
                text = f"There is one {bond.title()} alone."
                yield Remark("alone", Weight.FAULT, text, role.name)
    if table.deal.lone_lover:
        yield Remark("alone", Weight.FAULT, "There is one Lover alone.")


def _idle_ability(seat: _Seat, row: AbilityRow) -> str:
    """Why an ability does nothing; "" where it does something."""
    limits = seat.role.modifiers.get(row.id, frozenset())
    if row.find is not None:
        answers = {_finds(row, role, seat.house) for role in seat.targets}
        # On whom a loyal or disloyal check does not work tells something, too.
        answers |= {
            limit for limit in (Modifier.LOYAL, Modifier.DISLOYAL) if limit in limits and not seat.mafia
        }
        if len(answers) < 2:
            return f"finds the same on everybody: “{next(iter(answers), 'No Result')}”"
    elif Effect.FOLLOWS in row.effects or Effect.WATCHES in row.effects:
        if not any(map(_seen_moving, seat.targets)):
            return "never sees anybody move: nobody else visits anybody, but for kills that hide"
    elif Effect.HOLDS in row.effects and Effect.SHIELDS in row.effects:
        if not seat.acting and not seat.threatened:
            return "has nothing to stop and nobody to protect"
    elif Effect.HOLDS in row.effects or row.act is not None:
        if not seat.acting:
            return "has nothing to stop: nobody else acts at night"
    elif Effect.SHIELDS in row.effects or (row.trusted and not row.reports):
        killers = [role for role in seat.targets if _kills(role) or role.alignment in THREATS]
        if not killers:
            return "protects from nothing: nobody kills its side at night"
        if all(map(_pierces, killers)):
            return "protects from nothing: every kill goes through"
    elif not row.targets and not seat.acting:
        return "avoids nothing: nobody else acts at night"
    return ""


def _idle_trait(seat: _Seat, entry: Entry) -> str:
    """Why a trait does nothing; "" where it does something."""
    trait = str(entry.gives)
    if _looks(trait):
        bare = replace(seat.role, traits=seat.role.traits - {trait})
        checks = [row for role in seat.targets for row in _rows(role) if row in _checks()]
        if not any(_finds(row, bare, seat.house) != _finds(row, seat.role, seat.house) for row in checks):
            return f"is {_a(entry.name)} for nothing: no check in the game would find it otherwise"
    elif trait == Trait.NINJA:
        if not any(_has(role, Effect.FOLLOWS) or _has(role, Effect.WATCHES) for role in seat.strangers):
            return "hides from nobody: no other side tracks or watches"
    elif trait == Trait.STRONGMAN:
        if not any(map(_stops_kills, seat.strangers)):
            return "goes through nothing: nobody of another side stops a kill"
    elif trait == Trait.BOMB and not seat.threatened:
        return "strikes back at nobody: nobody kills its side at night"
    return ""


def _seen_moving(role: Role) -> bool:
    """Whether a Tracker could see it go somewhere: by an ability, or by a kill that does not hide."""
    return any(row.targets and row.id not in KILLS for row in _rows(role)) or (
        (role.alignment in THREATS or _kills(role)) and Trait.NINJA not in role.traits
    )


def _stops_kills(role: Role) -> bool:
    return bool(role.passives) or any(
        Effect.SHIELDS in row.effects or Effect.HOLDS in row.effects or (row.trusted and not row.reports)
        for row in _rows(role)
    )


# ── Contradictions. ───────────────────────────────────────────────────────────────────────────────────────


def _contradictions(table: _Table) -> Iterator[Remark]:
    for role in table.roles:

        def against(why: str, weight: Weight = Weight.FAULT, name: str = role.name) -> Remark:
            return Remark("contradiction", weight, f"{_a(name, capital=True)}: {why}", name)

        for row in _rows(role):
            limits = role.modifiers.get(row.id, frozenset())
            harms = row.id in KILLS or Effect.HOLDS in row.effects
            helps = not harms and (Effect.SHIELDS in row.effects or (row.trusted and not row.reports))
            if Modifier.LOYAL in limits and harms:
                yield against("it works on its own side only, and harms it.")
            if Modifier.DISLOYAL in limits and helps:
                yield against("it works on other sides only, and helps them.")
            if {Modifier.WEAK, Modifier.LOYAL} <= limits:
                yield against("Weak says nothing where Loyal keeps it from every other side.", Weight.DOUBT)
            if {Modifier.WEAK, Modifier.DISLOYAL} <= limits:
                yield against("it dies of every use that works.")
            nights = limits & {Modifier.ODD_NIGHT, Modifier.EVEN_NIGHT}
            if Modifier.NON_CONSECUTIVE in limits and (nights or role.abilities[row.id] == 1):
                yield against("Non-Consecutive says nothing beside the other limit.", Weight.DOUBT)
            shots = role.abilities[row.id]
            if shots is not None and shots > len(table.roles) // 2:
                yield against("it has more shots than the game has nights.", Weight.DOUBT)
        looking = [entry for entry in _words(role) if _looks(str(entry.gives))]
        known = [
            bond for bond in role.bonds if any(role.shares(bond, o) for o in table.roles if o is not role)
        ]
        if looking and any(role.vouches(other) for other in table.roles if other is not role) and known:
            text = f"others vouch for it, so how it looks as {_a(looking[0].name)} says little."
            yield against(text, Weight.DOUBT)
        if len(looking) > 1:
            yield against("it looks guilty and innocent at once.")


def _unmodelled(table: _Table) -> Iterator[Remark]:
    """Cards of the moderator's own, enablers, and what is done by day or weighs votes."""
    for role in table.roles:
        if enabled_by(role):
            text = f"{role.name}: what is lost by an Enabler's death is not modelled."
            yield Remark("not_modelled", Weight.NOTE, text, role.name)
        if by_day := [entry.name for entry in bases_of(role) if entry.gives in (*BY_DAY, *VOTES)]:
            text = f"{role.name}: what a {by_day[0]} does by day is not modelled."
            yield Remark("not_modelled", Weight.NOTE, text, role.name)
        if Ability.OWN in role.abilities:
            text = f"{role.name} is a card of your own: what it does is not modelled."
            yield Remark("not_modelled", Weight.FAULT, text, role.name)


_CHECKS: tuple[Check, ...] = (_over, _sides, _power, _idle, _contradictions, _unmodelled)


# ── What a mass claim confirms. ───────────────────────────────────────────────────────────────────────────


def confirmed(setup: Setup, deals: Deals) -> Mapping[str, int]:
    """Cards of the town of which no false claim is possible, and how many: everybody knows that each deal
    has exactly so many, or their partners vouch for them."""
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    cards = [deal.cards for deal in deals.deals]
    for name in {name for counted in cards for name in counted}:
        least[name] = min(counted[name] for counted in cards)
        most[name] = max(counted[name] for counted in cards)
    roles = {role.name: role for deal in deals.deals for role in deal.roles}
    found = {}
    for name, role in sorted(roles.items()):
        if role.alignment is not Alignment.TOWN or not (powers(role) or role.is_public):
            continue
        vouched = role.is_public or (least[name] > 1 and role.vouches(role))
        if vouched or (
            setup.shown and deals.complete and least[name] == most[name] and not _only_looks(role)
        ):
            found[name] = least[name]
    return {name: number for name, number in found.items() if number}


def _of_claims(setup: Setup, deals: Deals) -> Iterator[Remark]:
    sure = confirmed(setup, deals)
    if not sure:
        return
    listed = ", ".join(f"{number} × {name}" if number > 1 else name for name, number in sure.items())
    players = len(deals.deals[0].roles)
    left = players - sum(sure.values())
    mafia = min(sum(role.alignment in THREATS for role in deal.roles) for deal in deals.deals)
    rest = f"of the {left} others at least {mafia} are against the town"
    if mafia and left <= 2 * mafia + 1 and sum(sure.values()) >= OPEN:
        text = f"If everybody claims on Day 1, nobody can claim falsely: {listed}. Then {rest}."
        yield Remark("mass_claim", Weight.FAULT, text)
    else:
        text = f"If everybody claims on Day 1, these can be believed: {listed}; {rest}."
        yield Remark("claims", Weight.NOTE, text)


# ── The list for Normal games. ────────────────────────────────────────────────────────────────────────────


def _off_the_list(deals: Deals) -> Iterator[Remark]:
    listed = normal_roles.SOURCE
    roles = {role.name: role for deal in deals.deals for role in deal.roles}
    for name, role in sorted(roles.items()):
        allowed = {Alignment.TOWN: normal_roles.FOR_TOWN, Alignment.MAFIA: normal_roles.FOR_MAFIA}.get(
            role.alignment, frozenset()
        )
        bases = bases_of(role)
        for entry in bases:
            if folded(entry.name) in allowed:
                continue
            elsewhere = folded(entry.name) in normal_roles.NAMES and allowed
            why = f"is on {listed} for the other side only" if elsewhere else f"is not on {listed}"
            yield Remark("off_list", Weight.FAULT, f"{entry.name} {why}.", name)
        words = {word.gives: word.name for word in MODIFIER_WORDS}
        for modifier in sorted({one for limits in role.modifiers.values() for one in limits}):
            listed_as = NIGHT_X.name if modifier in ON_NIGHT else words[modifier]
            if folded(listed_as) not in normal_roles.MODIFIERS:
                yield Remark("off_list", Weight.FAULT, f"{words[modifier]} is not on {listed}.", name)
        active = [base for base in bases if base.kind is Kind.ACTION]
        passive = [base for base in bases if base.kind in (Kind.TRAIT, Kind.PASSIVE)]
        jack = len(active) > 1 and all(role.abilities[str(base.gives)] == 1 for base in active)
        if (len(active) > 1 and not jack) or len(passive) > 1:
            text = f"{name} is a hybrid: a Normal card has one active role, and one passive one beside it."
            yield Remark("hybrid", Weight.FAULT, text, name)
    least = min(sum(role.alignment in TEAMS for role in deal.roles) for deal in deals.deals)
    if least < 2:
        text = "A Normal game has a mafia of two at least."
        yield Remark("off_list", Weight.FAULT, text)


def _a(name: str, *, capital: bool = False) -> str:
    """“a Cop”, “an Even-Night Cop”."""
    article = "an" if name[:1].casefold() in "aeio" else "a"
    return f"{article.capitalize() if capital else article} {name}"
