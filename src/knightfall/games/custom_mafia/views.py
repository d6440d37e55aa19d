"""What a custom game tells beside the events of every mafia game: role PMs, the opening, “this setup”."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Announced, Event, Facts, Told
from knightfall.games.custom_mafia.abilities import ABILITIES, BY_ID, KILLS, REPORTS, Ability, Passive, Trait
from knightfall.games.custom_mafia.catalog import CATALOG, GOON, INFORMED, MODIFIERS, OWN, TOWNIE
from knightfall.games.custom_mafia.options import (
    EARLIER,
    OPTIONS,
    Group,
    Line,
    Rules,
    Setup,
    row_under,
    ruling_under,
)
from knightfall.games.custom_mafia.roles import bases_of, believed, enabled_by, given_by, own_name, waiting
from knightfall.games.custom_mafia.state import State, known_to, lost_abilities, lovers_of
from knightfall.mafia.events import AbilityLine, MafiaSetup, Opening, Partner
from knightfall.mafia.roles import TEAMS, Alignment, Modifier, Role
from knightfall.mafia.views import ability_line
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """A setup that everybody may know; of the `groups` one is drawn, by its odds, which are none where all
    are as likely. `letters`: in their place what letters are drawn, and what each gives."""

    name: str
    lines: tuple[Line, ...]
    groups: tuple[Group, ...]
    odds: Mapping[str, str]
    letters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CustomOpening(Opening):
    """The first post, with the setup (None: it is secret) and the options that are not at their
    defaults, each with its value."""

    setup: ShownSetup | None
    house: Mapping[str, str]
    cleared: tuple[SlotId, ...] = ()
    """CM-R47: who is known to everybody to be of the town."""


@dataclass(frozen=True, slots=True)
class Revealed(Facts):
    """A mayor who has stepped forward (CM-R74)."""

    kind: ClassVar[str] = "revealed"
    name: SlotId
    role: str


@dataclass(frozen=True, slots=True)
class NowPublic(Facts):
    """Who is known to everybody to be of the town from now on (CM-R86)."""

    kind: ClassVar[str] = "cleared"
    cleared: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of a custom game.

    `setup` is there where the players may know what is in the game, and `sheets`: each role with what it does
    and what limits that, in sentences. `about` are the abilities,
    passives, traits and sides that the rules have to speak of, and `shots` where something is limited: all of
    them where the setup is secret. `teams`: the sides like the mafia that are in the game, where there are
    others than the mafia alone (CM-R69); none of a secret setup. `ruled`: the rulings on all these that the
    post does not say in another place. `failing`: what No Result can mean.
    """

    players: int
    night_first: bool
    setup: ShownSetup | None
    sheets: Mapping[str, tuple[str, ...]]
    about: frozenset[str]
    teams: tuple[str, ...]
    ruled: tuple[str, ...]
    failing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A card in full, under the options of this game (`rules`).

    `known` are whom its holder knows by each bond: mafia, mason or lover. `passives` work by themselves, so
    many times (None: always); `limited`: what limits that and traits, in sentences; `waits` are what their
    holder comes to be by a death,
    `enables` what nobody is any more once they are dead; `changed`: they are told
    again, for a death has changed something. `own_text`: what a card of the moderator's own says,
    `informed` what somebody informed is told. `by_day`:
    the mafia may talk by day. `in_love`: there are lovers, whether they are known or not. `can_be_away`: for
    all that the players know, a Commuter may be in the game, `can_be_killer`: a Serial Killer,
    `can_be_wolves`: werewolves, `can_be_shot`: somebody who kills by day. `failing`: what No Result can mean.
    `team`: the mafia or the pack that its holder is of, "" where they are of none; `rivals`: there may be
    another. `title` is the name of the setup, or of the game where that is
    secret; `wording` in which words.
    """

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    known: Mapping[str, tuple[Partner, ...]]
    abilities: tuple[AbilityLine, ...]
    passives: Mapping[str, int | None]
    traits: tuple[str, ...]
    limited: Mapping[str, tuple[str, ...]]
    waits: tuple[str, ...]
    enables: tuple[str, ...]
    changed: bool
    in_love: bool
    by_day: bool
    own_text: str
    informed: str
    can_be_away: bool
    can_be_killer: bool
    can_be_wolves: bool
    can_be_shot: bool
    failing: tuple[str, ...]
    team: str
    rivals: bool
    rules: Mapping[str, str]
    title: str
    wording: str


_UNTOLD = frozenset({Trait.ARMED, Trait.LOVER})


def partners(state: State, slot: SlotId) -> tuple[Partner, ...]:
    """Everybody known with what binds them (CM-R35): a mafioso learns the partners' cards as well; of masons
    and lovers the bond alone is known."""
    return tuple(
        Partner(name, believed(state.cards[name]).name if bond == "mafia" else None, bond)
        for bond, names in known_to(state, slot).items()
        for name in names
    )


def role_pm(state: State, slot: SlotId, *, changed: bool = False, heir: bool = False) -> Told:
    """The card in full, under the options of this game; `changed`: it is told again. Only an `heir` is told
    what is left of what works by itself."""
    card = believed(state.cards[slot])
    left = state.shots.get(slot, {}) if heir else {}
    # The partners by what binds them.
    everybody = partners(state, slot)
    known = {bond: tuple(one for one in everybody if one.bond == bond) for bond in known_to(state, slot)}
    # A kill is named as receipts quote it: of who has two, `kill` alone does not say which.
    abilities = tuple(
        ability_line(
            card,
            row_under(row, state.rules.chosen),
            state.shots.get(slot, {}).get(row.id, card.abilities[row.id]),
            stoppable=bool(row.targets) and not row.by_day,
            full=row.id in KILLS or bool(row.by_day),
        )
        for row in map(BY_ID.__getitem__, card.abilities)
        if row.by_day or state.rules["nights"] == "played"
    )
    in_game = about(state.rules.setup)
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        known=known,
        abilities=abilities,
        passives={one: left.get(one, uses) for one, uses in card.passives.items()},
        traits=tuple(sorted(map(str, card.traits - _UNTOLD))),
        limited={
            str(one): told for one in (*card.traits, *card.passives) if (told := _limits_told(card, one))
        },
        waits=tuple(sorted(waiting(card))),
        enables=tuple(base.name for base in bases_of(card) if given_by(card, base) in enabled_by(card)),
        changed=changed,
        in_love=bool(lovers_of(state, slot)),
        own_text=state.rules.setup.cards.get(own_name(card), ""),
        informed=state.rules.setup.cards.get(INFORMED.name, "") if Trait.INFORMED in card.traits else "",
        by_day=any(card.is_partner(one) and Trait.ENCRYPTOR in one.traits for one in state.cards.values())
        and Trait.ENCRYPTOR not in lost_abilities(state.cards[gone] for gone in state.left),
        can_be_away=Ability.COMMUTE in in_game,
        can_be_killer=str(Alignment.SERIAL_KILLER) in in_game,
        can_be_wolves=str(Alignment.WEREWOLVES) in in_game,
        can_be_shot=not in_game.isdisjoint(_SHOTS_BY_DAY),
        failing=failing(in_game, (card,)),
        team=TEAMS.get(card.alignment, ""),
        rivals=bool(_teams(state.rules.setup).keys() - {card.alignment}),
        rules=state.rules.chosen.values,
        title=state.rules.setup.name if state.rules.setup.shown else "the game",
        wording=state.rules["wording"],
    )
    return Told((slot,), facts)


def _limits_told(card: Role, given: str) -> tuple[str, ...]:
    """What limits something that works by itself (CM-R103, CM-R104)."""
    limits = card.modifiers.get(given, frozenset())
    told = [modifier.does for modifier in MODIFIERS if modifier.gives in limits]
    if uses := card.trait_shots.get(given):
        nights = "one night" if uses == 1 else f"{uses} nights"
        told.append(f"It stops what is aimed at you on {nights} of the game only.")
    return tuple(told)


_SHOTS_BY_DAY = frozenset({str(Ability.DAY_KILL), str(Ability.AVENGE)})
_FAILING: Mapping[str, frozenset[str]] = {
    "blocked": frozenset(map(str, (Ability.ROLEBLOCK, Ability.JAIL, Ability.ABDUCT))),
    "away": frozenset({str(Ability.COMMUTE)}),
    "ascetic": frozenset({str(Trait.ASCETIC)}),
    "kept": frozenset(map(str, (Ability.ROLESTOP, Ability.ABDUCT))),
}
"""Why an investigation can come to nothing, by what of others does that."""
_LIMITS = (Modifier.LOYAL, Modifier.DISLOYAL, Modifier.LAZY, Modifier.SIMPLE, Modifier.COMPLEX)
"""What of its own card does."""


def failing(in_game: Set[str], cards: Iterable[Role] | None) -> tuple[str, ...]:
    """Why an investigation of these cards (None: of any) can bring No Result, where these abilities and
    traits may be in the game for all that its players know."""
    limits: Set[Modifier] = frozenset(_LIMITS)
    if cards is not None:
        limits = {one for card in cards for report in REPORTS for one in card.modifiers.get(report, ())}
    others = (why for why, by in _FAILING.items() if not by.isdisjoint(in_game))
    return (*others, *(str(one) for one in _LIMITS if one in limits))


def inherited(before: State, after: State) -> tuple[Event, ...]:
    """CM-R86, CM-R87: the role PM again for every living player to whom it says something else now, and for
    everybody who is known to be of the town from now on."""
    events: list[Event] = []
    for slot in after.living:
        if role_pm(before, slot) != role_pm(after, slot):
            heir = Trait.UNIVERSAL_BACKUP in before.cards[slot].traits - after.cards[slot].traits
            events.append(role_pm(after, slot, changed=True, heir=heir))
    cleared = tuple(
        slot for slot, card in after.living.items() if card.is_public and not before.cards[slot].is_public
    )
    if cleared:
        events.append(Announced(NowPublic(cleared)))
    return tuple(events)


def shown_setup(setup: Setup) -> ShownSetup | None:
    """What may be in the game; None where the setup keeps it secret."""
    if not setup.shown:
        return None
    if setup.letters is not None:
        return ShownSetup(setup.name, setup.lines, (), {}, setup.letters.told)
    return ShownSetup(setup.name, setup.lines, setup.groups, setup.odds)


def house_rules(state: State) -> Mapping[str, str]:
    """The options that are not at their defaults, but for those that games of an earlier edition have
    otherwise without having chosen so: “this setup” tells these."""
    chosen = state.rules.chosen
    told = [option.name for option in OPTIONS if option.name in chosen.house and option.name not in EARLIER]
    return {name: chosen[name] for name in told}


_SHOTS = "shots"
"""What `SetupPost.about` calls a limited number of uses."""
_ALL = frozenset({*BY_ID, *map(str, (*Passive, *Trait, *Alignment, *Modifier)), _SHOTS})


def setup_post(players: int, setup: Setup, rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules; of a secret one the rules alone, whatever may be in it."""
    teams = _teams(setup).keys()
    return SetupPost(
        rules=rules.values,
        voting=voting,
        players=players,
        night_first=setup.night_first,
        setup=shown_setup(setup),
        sheets={name: _does(role, setup.cards, rules, about(setup)) for name, role in _roles(setup).items()}
        if setup.shown
        else {},
        about=(spoken_of := about(setup)),
        failing=failing(spoken_of, _roles(setup).values())
        if setup.shown
        else (*_FAILING, *map(str, _LIMITS)),
        ruled=tuple(ruling_under(f"CM-R{number}", rules) for number in sorted(_ruled(spoken_of))),
        teams=tuple(TEAMS[side] for side in teams) if setup.shown and teams != {Alignment.MAFIA} else (),
    )


def _ruled(spoken_of: frozenset[str]) -> set[int]:
    """The numbers of the rulings that say what these are, each of one of them alone."""
    rulings = {str(entry.gives): entry.rulings[0] for entry in (*CATALOG, OWN) if entry.gives}
    own = {row.id: int(row.ruling.removeprefix("CM-R")) for row in ABILITIES}
    found = {({**rulings, **own})[one] for one in spoken_of if one in rulings or one in own}
    return {number for number in found if number > _SAID_IN_THE_POST and number not in _SAID_BESIDE}


_SAID_IN_THE_POST = 45
"""The rulings up to this one are said where the post tells of the night, of wins and of the options."""
_SAID_BESIDE = frozenset({48})
"""Encryptors: where it is said when the mafia may talk."""


def _teams(setup: Setup) -> dict[Alignment, None]:
    """The sides like the mafia that may be in the game for all that the players know (CM-R69), in order."""
    return dict.fromkeys(setup.teams if setup.shown else TEAMS)


def about(setup: Setup) -> frozenset[str]:
    """The abilities, passives, traits and sides that may be in the game for all that the players know."""
    if not setup.shown:
        return _ALL
    lovers = frozenset({str(Trait.LOVER)} if any(line.lovers for line in setup.lines) else ())
    return lovers.union(*map(_about, _roles(setup).values()))


def _roles(setup: Setup) -> dict[str, Role]:
    tables = (*(line.roles for line in setup.lines), *setup.rows)
    return {role.name: role for table in tables for role in table}


def _does(role: Role, cards: Mapping[str, str], rules: Rules, in_game: Set[str]) -> tuple[str, ...]:
    """What the words of its name give it, each with its limits."""
    bare = GOON if role.alignment in TEAMS else TOWNIE
    sentences: list[str] = []
    for entry in bases_of(role) or (bare,):
        given = given_by(role, entry)
        if given in enabled_by(role):
            sentences.append(f"Once they are dead, nobody can do what a {entry.name} does any more.")
            continue
        uses = role.printed.get(given)
        if given in role.passives:
            several = "every kill" if uses is None else "one kill" if uses == 1 else f"{uses} kills"
            when = "" if not in_game.isdisjoint(_SHOTS_BY_DAY) else " at night"
            sentences.append(f"Survives {several}{when}.")
        else:
            own = cards.get(own_name(role), "") if entry is OWN else ""
            used = BY_ID.get(given, entry) if isinstance(entry.gives, Passive) else entry
            told = row_under(BY_ID[given], rules) if given in BY_ID else used
            other = told is not BY_ID.get(given)
            sentences.append(own or (told.does if other else used.does))
            if uses is not None:
                times = "once" if uses == 1 else f"{uses} times"
                sentences.append(f"Works {times} in the whole game.")
        limits = role.modifiers.get(given, frozenset())
        sentences += [modifier.does for modifier in MODIFIERS if modifier.gives in limits]
    return tuple(sentences)


def _about(role: Role) -> frozenset[str]:
    limited = any(uses is not None for uses in role.abilities.values())
    modifiers = frozenset[str]().union(*role.modifiers.values())
    sides = {role.alignment, Alignment.MAFIA if role.alignment in TEAMS else role.alignment}
    own = map(str, (*sides, *role.abilities, *role.passives, *role.traits, *role.modifiers))
    return modifiers.union(own, {_SHOTS} if limited else ())
