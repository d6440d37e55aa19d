"""What the simulator asks of each mafia game: its deals, its nights, its wins, and its traced resolver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from knightfall.engine.game import nearest
from knightfall.engine.playout import seat_names
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia import rules as custom_rules
from knightfall.games.custom_mafia.abilities import ABILITIES as CUSTOM_ABILITIES
from knightfall.games.custom_mafia.abilities import Trait
from knightfall.games.custom_mafia.catalog import PASSIVES, TRAITS
from knightfall.games.custom_mafia.options import PLAYERS as CUSTOM_PLAYERS
from knightfall.games.custom_mafia.options import SETUP, Setup
from knightfall.games.custom_mafia.options import parse_options as custom_options
from knightfall.games.custom_mafia.roles import heir_of, parse_role, rolecop_name, waiting, words_of
from knightfall.games.custom_mafia.rules import CycleQuestion
from knightfall.games.custom_mafia.setup import deal as custom_deal
from knightfall.games.custom_mafia.setup import parse_setup, setup_of
from knightfall.games.custom_mafia.state import CustomPosition, fallen_abilities, heirs
from knightfall.games.empowered.abilities import ABILITIES as EMPOWERED_ABILITIES
from knightfall.games.empowered.abilities import (
    ADAPTABLE,
    BOMB,
    EMPOWERER,
    INVISIBLE,
    MAFIA_ROLES,
    PIERCING,
    SERIAL_BOMB,
    TOWN_ROLES,
)
from knightfall.games.empowered.options import numbers
from knightfall.games.empowered.options import parse_options as empowered_options
from knightfall.games.empowered.rules import QUIET_LIMIT
from knightfall.games.empowered.rules import resolve as empowered_resolve
from knightfall.games.empowered.state import EmpoweredPosition
from knightfall.games.knight_errant.abilities import ABILITIES as KNIGHT_ERRANT_ABILITIES
from knightfall.games.knight_errant.abilities import ANTI_TOWN, ARMED, IMMUNE, PROOF
from knightfall.games.knight_errant.options import CODES, DRAWN, PLAYERS, parse_code
from knightfall.games.knight_errant.options import parse_options as knight_errant_options
from knightfall.games.knight_errant.rules import resolve as knight_errant_resolve
from knightfall.games.knight_errant.state import KnightErrantPosition
from knightfall.mafia.ability_row import Compact, Effect
from knightfall.mafia.night import NOBODY, Action, Night
from knightfall.mafia.roles import TEAMS, Role
from knightfall.sentence import SlotId
from knightfall.simulation.cards import (
    ABILITIES,
    CODE,
    ENDLESS,
    NAMES,
    NO_WORD,
    OTHER,
    ROWS,
    Bools,
    Card,
    Dawn,
    Deck,
    Extra,
    Ints,
    Known,
    Orders,
    Side,
    Table,
    bit,
    deck_of,
    table_of,
)
from knightfall.simulation.nights import (
    CUSTOM_KINDS,
    EMPOWERED_KINDS,
    KNIGHT_ERRANT_KINDS,
    custom_night,
    empowered_night,
    knight_errant_night,
)

T = TypeVar("T")

PLAYING, TOWN, MAFIA, KILLER, JESTER, NOBODY_WINS = range(6)
"""How a game stands; the words of `RESULTS` for it."""
RESULTS = ("playing", "town", "mafia", "sk", "jester", "nobody")

PRINTED_EXTRAS: Mapping[int, str] = {Extra.INVISIBLE: "invisible", Extra.OBLITERATE: "obliterate"}


def checker_named(said: str, roles: Iterable[Role], words: Callable[[str], Sequence[object]]) -> str:
    """The name of the role that is meant, among those with a check: as it is written in a setup, or by some
    of its words if no other role has them all. Raises InputError for another."""
    named = {role.name: role for role in roles}
    checkers = [
        name
        for name, role in named.items()
        if any(Effect.CHECKS in ROWS[ability].effects for ability in role.abilities)
    ]
    with suppress(InputError):
        if (exact := parse_role(said).name) in checkers:
            return exact
    asked = words(said)
    found = [name for name in checkers if asked and _holds(words(name), asked)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"Role “{said}”: it may be {' or '.join(found)}. Write the name in full.")
    if idle := [name for name in named if asked and _holds(words(name), asked)]:
        raise InputError(f"Role “{said}”: {idle[0]} checks nobody.")
    known = f"Roles with a check: {', '.join(checkers)}." if checkers else "No role there has a check."
    raise InputError(f"Role “{said}”: it is not in this game{nearest(said, checkers)} {known}")


def _holds(whole: Sequence[object], part: Sequence[object]) -> bool:
    """Whether all words of the one are among those of the other, each as often."""
    left = list(whole)
    for word in part:
        if word not in left:
            return False
        left.remove(word)
    return True


class _Lots:
    """Ties inside a role, drawn by the chance of a simulation: nobody plays it again draw by draw."""

    __slots__ = ("chance",)

    def __init__(self, chance: np.random.Generator) -> None:
        self.chance = chance

    def at(self, *path: object) -> _Lots:
        return self

    apart = at

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        return options[int(self.chance.integers(len(options)))]

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return tuple(self.choice(label, options, repeat) for _ in range(count))

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return tuple(options[place] for place in self.chance.permutation(len(options))[:count].tolist())


class Family(ABC):
    """One mafia game with its options chosen, for so many players.

    `night_first`: night 1 comes before day 1. `votes_apart`: a killer's kill is not its other act. `asked`:
    who is to be seen by every role that a deal can have, for the table of survivors.
    """

    deck: Deck
    roles: tuple[Role, ...]
    """Those that can be dealt."""
    players: int
    house: frozenset[str]
    most: Ints
    """(C,) of each card, how many a deal can have for all that the players know."""
    least: Ints
    """(C,) of each card, how many every deal has, as far as they know."""
    night_first: bool = False
    kill_is_act: bool = True
    """The faction's kill is also its carrier's one act of the night."""
    killer_has_extra: bool = False
    """A Serial Killer may kill and use one thing more."""
    self_target: bool = False
    nights: bool = True
    """Whether there are any."""
    draws_when_quiet: int = 0
    """After so many days and nights in a row without a death the game is drawn; 0: never."""

    def words(self, role: str) -> Sequence[object]:
        """The words of a role's name, such that two of them are the same if they mean the same. Raises
        InputError for one that is none."""
        return words_of(role)

    def checker(self, said: str) -> str:
        """The name of the role with a check that is meant. Raises InputError for none or several."""
        return checker_named(said, self.roles, self.words)

    @abstractmethod
    def deal(self, games: int, chance: np.random.Generator) -> Table:
        """So many games as they begin."""

    @abstractmethod
    def dawn(self, table: Table, orders: Orders) -> Dawn:
        """The night of every game, resolved at once."""

    @abstractmethod
    def won(self, table: Table) -> Ints:
        """(N,) how each game stands: `PLAYING`, or who has won."""

    @abstractmethod
    def traced(self, position: Any, actions: Sequence[Action], chance: np.random.Generator | None) -> Night:
        """One night by the game's own resolver; `chance` rules where its moderator would have to."""

    @abstractmethod
    def position(self, table: Table, row: int) -> Any:
        """One game of the table as its own resolver wants it."""

    def living(self, table: Table, row: int) -> dict[SlotId, Role]:
        """The cards of the living of one game by name."""
        names = seat_names(table.alive.shape[1])
        cards, alive = table.card[row].tolist(), table.alive[row].tolist()
        return {
            name: self.deck.cards[card].role for name, card, on in zip(names, cards, alive, strict=True) if on
        }

    def shots(self, table: Table, row: int) -> dict[SlotId, dict[str, int]]:
        """The limited uses that are left in one game."""
        names = seat_names(table.alive.shape[1])
        found: dict[SlotId, dict[str, int]] = {}
        for place, name in enumerate(names):
            card = self.deck.cards[table.card[row, place]]
            listed = {*card.role.abilities, *card.role.passives, *card.uses}
            left = {ability: int(table.uses[row, place, CODE[ability]]) for ability in listed}
            found[name] = {ability: uses for ability, uses in left.items() if uses != ENDLESS}
        return found

    def inherit(self, table: Table, gone: Bools) -> int:
        """Give the living what they have of those (N, P) who died now; returns how many cards changed."""
        return 0

    def settle(self, table: Table, orders: Orders, dawn: Dawn, chance: np.random.Generator) -> None:
        """Enter what the traced resolver says of the nights that are undecided."""
        for row in np.flatnonzero(dawn.undecided).tolist():
            rows = np.flatnonzero(orders.game == row)
            actions = actions_of(orders, rows, table.alive.shape[1])
            night = self.traced(self.position(table, row), list(actions.values()), chance)
            enter_night(self.deck, dawn, row, night, actions)


def actions_of(orders: Orders, rows: Ints, seats: int) -> dict[int, Action]:
    """Orders as the traced resolvers want them, by their row."""
    names = seat_names(seats)
    found: dict[int, Action] = {}
    for place in rows.tolist():
        targets = tuple(names[t] for t in (orders.first[place], orders.second[place]) if t >= 0)
        extras = tuple(word for flag, word in PRINTED_EXTRAS.items() if orders.extra[place] & flag)
        what = ABILITIES[orders.ability[place]]
        found[place] = Action(names[orders.actor[place]], what, targets, extras)
    return found


def enter_night(deck: Deck, dawn: Dawn, row: int, night: Night, actions: Mapping[int, Action]) -> None:
    """Enter a traced night of one game in place of what stands there."""

    def seat(name: str) -> int:
        return int(name[1:])

    dawn.dead[row] = False
    dawn.spent[row] = 0
    for death in night.deaths:
        dawn.dead[row, seat(death.slot)] = True
    for slot, uses in night.spent.items():
        for ability, used in uses.items():
            dawn.spent[row, seat(slot), CODE[ability]] = used
    told = {result.action: result.answer for result in night.results}
    for place, action in actions.items():
        answer = told.get(action)
        dawn.seen[place] = 0
        if answer is None:
            dawn.word[place] = NO_WORD
        elif isinstance(answer, tuple) or answer == NOBODY:
            dawn.word[place] = NAMES
            dawn.seen[place] = sum(1 << seat(name) for name in answer) if isinstance(answer, tuple) else 0
        else:
            dawn.word[place] = deck.words.index(answer) if answer in deck.words else OTHER


# ── Custom Mafia. ─────────────────────────────────────────────────────────────────────────────────────────

CUSTOM_KNOWN = Known(
    CUSTOM_KINDS,
    frozenset({str(Trait.ARMED), *(str(word.gives) for word in (*TRAITS, *PASSIVES) if word.compact)}),
)


def custom_deck(cards: Sequence[Card], house: frozenset[str]) -> Deck:
    """Cards of a custom game."""
    known = CUSTOM_KNOWN
    if "bodyguard" in house:  # CM-R11: theirs is another ability then
        known = known._replace(kinds=known.kinds - {Compact.GUARD})
    return deck_of(cards, CUSTOM_ABILITIES, known, house, rolecop_name)


def _inherits(role: Role) -> bool:
    """Whether the card changes by a death."""
    return Trait.UNIVERSAL_BACKUP in role.traits or bool(waiting(role))


def _later(roles: Sequence[Role]) -> dict[str, Role]:
    """The cards that backups of what works by itself come to have, by name (CM-R86)."""
    found: dict[str, Role] = {}
    new = [role for role in roles if waiting(role)]
    while new:
        after = [heir_of(role, (one,)) for role in new for one in roles]
        new = [role for role in after if role.name not in found and role not in roles]
        found |= {role.name: role for role in new}
    return found


class CustomFamily(Family):
    """A setup of a moderator's own."""

    def __init__(
        self,
        options: Mapping[str, object],
        players: int,
        insane: Sequence[str] = (),
        dealt: Mapping[str, object] | None = None,
    ) -> None:
        """`insane`: roles whose checks lie; `dealt`: a setup of some of the same cards that is dealt instead.
        Raises InputError as the deal of the game."""
        self.setup: Setup = setup_of(options, players)
        self.drawn = self.setup if dealt is None else parse_setup(dealt)
        if players not in CUSTOM_PLAYERS:
            raise InputError(
                f"Custom Mafia is for {CUSTOM_PLAYERS[0]} to {CUSTOM_PLAYERS[-1]} players; found {players}."
            )
        custom_deal(seat_names(players), options, SeededRng(b"balance"))  # raises what is wrong with it
        own = {name: value for name, value in options.items() if name != SETUP}
        self.rules = custom_options({**self.setup.given, **own})
        self.house, self.players = self.rules.house, players
        self.night_first = self.setup.night_first
        self.nights = self.rules["nights"] == "played"
        self.kill_is_act = "carrier" not in self.house
        self.self_target = "self_target" in self.house
        tables = (*(line.roles for line in self.setup.lines), *self.setup.rows)
        dealt_roles = {role.name: role for roles in tables for role in roles}
        self.roles = tuple({**dealt_roles, **_later(tuple(dealt_roles.values()))}.values())
        if self.setup.has_rivals:
            names = " and ".join(TEAMS[side] for side in self.setup.teams)
            raise InputError(f"Simulations know one mafia, and this setup has {names}.")
        self.place = {role.name: number for number, role in enumerate(self.roles)}
        lying = {self.checker(said) for said in insane}
        self.deck = custom_deck([Card(role, insane=role.name in lying) for role in self.roles], self.house)
        self._count_cards()

    def _count_cards(self) -> None:
        """Add up what each line can give, and at least gives; of a matrix the row with the most or least. Of
        a secret setup nobody can tell: there may be one more of any card, or none."""
        most, least = np.zeros((2, len(self.roles)), np.intp)
        for line in self.setup.lines:
            count = self.players - self.setup.least if line.count is None else line.count
            listed = np.bincount([self.place[role.name] for role in line.roles], minlength=len(self.roles))
            others = len(line.roles) - listed
            if line.pick:
                most += np.minimum(listed, count)
                least += np.maximum(0, count - others)
            else:
                most += np.where(listed > 0, count, 0)
                least += np.where(others == 0, count, 0)
        if groups := self.setup.groups:
            rows = np.array(
                [
                    np.bincount([self.place[role.name] for role in group.roles], minlength=len(self.roles))
                    for group in groups
                ]
            )
            most, least = most + rows.max(0), least + rows.min(0)
        if self.setup.shown:
            self.most, self.least = most, least
        else:
            self.most, self.least = most + 1, np.zeros_like(least)

    def deal(self, games: int, chance: np.random.Generator) -> Table:
        card = np.zeros((games, self.players), np.int16)
        love = np.zeros((games, self.players), np.uint64)
        lover = self.deck.trait(str(Trait.LOVER))
        at = 0
        for line in self.drawn.lines:
            count = self.players - self.drawn.least if line.count is None else line.count
            places = np.array([self.place[role.name] for role in line.roles], np.int16)
            if len(places) == 1:
                drawn = np.zeros((games, count), np.intp)
            elif line.pick:
                drawn = chance.random((games, len(places))).argsort(1)[:, :count]
            else:
                drawn = chance.integers(0, len(places), (games, count))
            card[:, at : at + count] = places[drawn]
            own = lover[card[:, at : at + count]]
            own[:, : line.lovers] = True
            self._love(love, own, at)
            at += count
        if groups := self.drawn.groups:
            rows = np.array([[self.place[role.name] for role in group.roles] for group in groups], np.int16)
            ends = np.cumsum([group.weight for group in groups], dtype=np.int64)
            ticket = chance.integers(0, ends[-1], games)
            card[:, at:] = rows[np.searchsorted(ends, ticket, side="right")]
            self._love(love, lover[card[:, at:]], at)
        return table_of(self.deck, card, love)

    def _love(self, love: Ints, own: Bools, at: int) -> None:
        """Those of one table love each other, whom one of them is nobody."""
        if not own.any():
            return
        bits = bit(np.arange(at, at + own.shape[1]))
        group = np.bitwise_or.reduce(np.where(own, bits, np.uint64(0)), axis=1)
        others = group[:, None] & ~bits
        love[:, at : at + own.shape[1]] |= np.where(own, others, np.uint64(0))

    def inherit(self, table: Table, gone: Bools) -> int:
        """CM-R86, CM-R87."""
        changed = 0
        heir = np.array([_inherits(role) for role in self.roles])
        rows = np.flatnonzero(gone.any(1) & (table.alive & heir[table.card]).any(1))
        for row in rows.tolist():
            cards = {
                SlotId(str(seat)): self.roles[card] for seat, card in enumerate(table.card[row].tolist())
            }
            dead = {SlotId(str(seat)) for seat in np.flatnonzero(~table.alive[row]).tolist()}
            for slot, (card, of) in heirs(cards, dead).items():
                seat, place, changed = int(slot), self.place[card.name], changed + 1
                table.card[row, seat] = place
                table.uses[row, seat] = self.deck.uses[place] if of is None else table.uses[row, int(of)]
        return changed

    def dawn(self, table: Table, orders: Orders) -> Dawn:
        return custom_night(table, orders, self.house)

    def won(self, table: Table) -> Ints:
        """CM-R36 to CM-R42."""
        town, mafia, killers = table.count(Side.TOWN), table.count(Side.MAFIA), table.count(Side.KILLER)
        alive = np.count_nonzero(table.alive, axis=1)
        rivals = alive - table.count(Side.SURVIVOR) - 1
        if self.rules["mafia_wins"] == "last_side":
            mafia_wins = town == 0
        else:
            mafia_wins = 2 * mafia > alive - (self.rules["mafia_wins"] == "parity")
        found = np.where(mafia_wins, MAFIA, PLAYING)
        if self.rules["town_wins"] == "one":
            found = np.where((mafia == 1) & (town > 0), TOWN, found)
        found = np.where(mafia == 0, np.where(town > 0, TOWN, NOBODY_WINS), found)
        found = np.where(killers > 0, PLAYING, found)
        found = np.where(
            (killers == 1) & (rivals <= (self.rules["killer_wins"] == "one_on_one")), KILLER, found
        )
        if self.rules["jester"] == "ends":
            found = np.where(jester_out(table), JESTER, found)
        return found

    def position(self, table: Table, row: int) -> CustomPosition:
        living = self.living(table, row)
        names = seat_names(self.players)
        used = {
            names[place]: frozenset(ABILITIES[ability] for ability in self.deck.tiring[own])
            for place, own in enumerate(table.last[row])
        }
        # Pairs of lovers die as their groups do.
        pairs = tuple(
            frozenset({one, names[other]})
            for place, one in enumerate(names)
            for other in range(place + 1, self.players)
            if int(table.love[row, place]) >> other & 1
        )
        fallen = fallen_abilities(
            self.deck.cards[card].role
            for card, alive in zip(table.card[row].tolist(), table.alive[row].tolist(), strict=True)
            if not alive
        )
        barred = [ABILITIES[ability] for ability in self.deck.tiring]
        # Whom a player may not name again is as if they had named them last night.
        aimed = {
            names[place]: {
                ability: {name: table.number - 1 for seat, name in enumerate(names) if int(bits) >> seat & 1}
                for ability, bits in zip(barred, own, strict=True)
            }
            for place, own in enumerate(table.named[row])
            if own.any()
        }
        killed = frozenset(names[seat] for seat in np.flatnonzero(table.killed[row]).tolist())
        return CustomPosition(
            living,
            table.number,
            self.shots(table, row),
            self.rules,
            used,
            pairs,
            fallen=fallen,
            aimed=aimed,
            killed=killed,
        )

    def traced(self, position: Any, actions: Sequence[Action], chance: np.random.Generator | None) -> Night:
        """CM-R2: of a ring every ruling is as likely as another."""
        draw = None if chance is None else _Lots(chance)
        found = custom_rules.resolve(position, actions, draw)
        while isinstance(found, CycleQuestion):
            if chance is None:
                raise InputError(f"The night asks its moderator about {found.key}.")
            choices = [reading.choice for reading in found.readings] or ["none"]
            ruled = {**position.ruled, found.key: choices[chance.integers(0, len(choices))]}
            position = replace(position, ruled=ruled)
            found = custom_rules.resolve(position, actions, draw)
        return found.night


def jester_out(table: Table) -> Bools:
    """(N,) whether a Jester was voted out."""
    seats = bit(np.arange(table.alive.shape[1]))
    out: Bools = ((table.voted[:, None] & seats) > 0) & (table.side == Side.JESTER)
    return np.asarray(out.any(1))


# ── Knight-Errant. ────────────────────────────────────────────────────────────────────────────────────────


KNIGHT_ERRANT_KNOWN = Known(KNIGHT_ERRANT_KINDS, frozenset({PROOF, IMMUNE, ARMED, ANTI_TOWN}))


def knight_errant_deck(cards: Sequence[Card], house: frozenset[str]) -> Deck:
    """Cards of Knight-Errant."""
    return deck_of(cards, KNIGHT_ERRANT_ABILITIES, KNIGHT_ERRANT_KNOWN, house)


class KnightErrantFamily(Family):
    """One code, or each of the 48 as often as the knight walks it."""

    killer_has_extra = True

    def __init__(
        self, options: Mapping[str, object], players: int = PLAYERS, insane: Sequence[str] = ()
    ) -> None:
        """Raises InputError for another number of players, an unknown code, option or role."""
        if players != PLAYERS:
            raise InputError(f"Knight-Errant is for {PLAYERS} players; found {players}.")
        self.rules = knight_errant_options(options)
        self.house, self.players = self.rules.house, players
        named = str(options.get(SETUP, DRAWN))
        codes = list(CODES.values()) if named == DRAWN else [parse_code(named)]
        self.chances = np.array([float(code.probability) for code in codes])
        self.chances /= self.chances.sum()
        roles = self.rules.roles
        self.roles = tuple(
            roles[name] for name in dict.fromkeys(name for code in codes for name in code.roles)
        )
        lying = {self.checker(said) for said in insane}
        cards = [
            Card(role, insane=role.name in lying) for role in roles.values() if role.name != "Serial Killer"
        ]
        killers: dict[tuple[tuple[str, int], ...], int] = {}
        rows = []
        for code in codes:
            given = tuple(sorted(code.shots.items()))
            if given not in killers:
                killers[given] = len(cards)
                uses = {str(ability): number for ability, number in given}
                cards.append(Card(roles["Serial Killer"], uses, "Serial Killer" in lying))
            place = {card.role.name: number for number, card in enumerate(cards)}
            place["Serial Killer"] = killers[given]
            rows.append([place[name] for name in code.roles])
        self.rows = np.array(rows, np.int16)
        self.deck = knight_errant_deck(cards, self.house)
        dealt = np.array([np.bincount(row, minlength=len(cards)) for row in self.rows])
        self.most, self.least = dealt.max(0), dealt.min(0)

    def deal(self, games: int, chance: np.random.Generator) -> Table:
        return table_of(self.deck, self.rows[chance.choice(len(self.rows), games, p=self.chances)])

    def dawn(self, table: Table, orders: Orders) -> Dawn:
        return knight_errant_night(table, orders, self.house, self.rules["ke_r34"] == "godfather_true")

    def won(self, table: Table) -> Ints:
        """KE-R37 to KE-R42."""
        town, mafia, killers = table.count(Side.TOWN), table.count(Side.MAFIA), table.count(Side.KILLER)
        majority = mafia > town if self.rules["ke_r37"] == "majority" else mafia >= town
        found = np.where(mafia == 0, TOWN, np.where(majority, MAFIA, PLAYING))
        found = np.where(killers > 0, PLAYING, found)
        when, rivals = self.rules["ke_r38"], town + mafia
        alone = rivals <= (when != "last_alive")
        if when == "one_on_one_on_one":
            alone |= (town == 1) & (mafia == 1)
        found = np.where((killers == 1) & alone, KILLER, found)
        # KE-R39: nobody is left, or a Serial Killer without a strong kill meets one Town Bulletproof.
        if self.rules["ke_r39"] == "draw":
            proof = (table.alive & self.deck.trait(PROOF)[table.card] & (table.side == Side.TOWN)).any(1)
            strong = (table.alive & (table.uses[..., CODE["strong_kill"]] > 0)).any(1)
            stuck = (killers == 1) & (mafia == 0) & (town == 1) & proof & ~strong
            found = np.where((found == PLAYING) & stuck, NOBODY_WINS, found)
        return np.where(town + mafia + killers == 0, NOBODY_WINS, found)

    def position(self, table: Table, row: int) -> KnightErrantPosition:
        return KnightErrantPosition(self.living(table, row), table.number, self.shots(table, row), self.rules)

    def traced(self, position: Any, actions: Sequence[Action], chance: np.random.Generator | None) -> Night:
        return knight_errant_resolve(position, actions, None if chance is None else _Lots(chance))


# ── Empowered Mafia. ──────────────────────────────────────────────────────────────────────────────────────


EMPOWERED_KNOWN = Known(EMPOWERED_KINDS, frozenset({BOMB, SERIAL_BOMB, PIERCING, INVISIBLE, ADAPTABLE}))


def empowered_deck(cards: Sequence[Card], house: frozenset[str]) -> Deck:
    """Cards of Empowered Mafia."""
    return deck_of(cards, EMPOWERED_ABILITIES, EMPOWERED_KNOWN, house)


class EmpoweredFamily(Family):
    """By number of players; each mafioso has chosen one of the four roles at random."""

    kill_is_act = False
    draws_when_quiet = QUIET_LIMIT

    def __init__(self, options: Mapping[str, object], players: int, insane: Sequence[str] = ()) -> None:
        """Raises InputError for a number of players, an option or a role that cannot be."""
        self.numbers = numbers(players)
        self.rules = empowered_options(options)
        self.house, self.players = self.rules.house, players
        self.kill_is_act = "em_r2" in self.house
        self.self_target = "em_r4" in self.house
        self.roles = (EMPOWERER, *TOWN_ROLES, *MAFIA_ROLES)
        # A Ninja's use of Adaptability is counted, for it may be lost (EM-R12).
        lying = {self.checker(said) for said in insane}
        cards = [
            Card(r, {"incarcerate": 1} if r.name == "Ninja" else {}, r.name in lying) for r in self.roles
        ]
        self.deck = empowered_deck(cards, self.house)
        # Of the list so many are left out, and each mafioso has any of the four roles.
        count = self.numbers
        left = len(TOWN_ROLES) * count.copies - count.others
        town, mafia = len(TOWN_ROLES), len(MAFIA_ROLES)
        copies = [min(count.copies, count.others)] * town
        self.most = np.array([count.empowerers, *copies, *[count.mafia] * mafia])
        self.least = np.array([count.empowerers, *[max(0, count.copies - left)] * town, *[0] * mafia])

    def words(self, role: str) -> Sequence[object]:
        """Its roles are none that are put together."""
        return role.casefold().split()

    def deal(self, games: int, chance: np.random.Generator) -> Table:
        count, town = self.numbers, len(TOWN_ROLES)
        card = np.zeros((games, self.players), np.int16)
        card[:, : count.mafia] = chance.integers(1 + town, 1 + town + len(MAFIA_ROLES), (games, count.mafia))
        listed = np.repeat(np.arange(1, 1 + town, dtype=np.int16), count.copies)
        order = chance.random((games, len(listed))).argsort(1)[:, : count.others]
        card[:, count.mafia + count.empowerers :] = listed[order]
        return table_of(self.deck, card)

    def dawn(self, table: Table, orders: Orders) -> Dawn:
        return empowered_night(table, orders, self.house)

    def won(self, table: Table) -> Ints:
        """EM-R24, EM-R25."""
        town, mafia = table.count(Side.TOWN), table.count(Side.MAFIA)
        alone = (town < 2) & (self.rules["em_r25"] == "nobody")
        found = np.where(mafia > 1, PLAYING, np.where(alone, NOBODY_WINS, TOWN))
        found = np.where(mafia >= town, MAFIA, found)
        if self.rules["em_r24"] == "draw":
            found = np.where(town + mafia == 0, NOBODY_WINS, found)
        return found

    def position(self, table: Table, row: int) -> EmpoweredPosition:
        living = self.living(table, row)
        names = seat_names(self.players)
        lost = frozenset(
            name
            for place, name in enumerate(names)
            if name in living
            and living[name].name == "Ninja"
            and not table.uses[row, place, CODE["incarcerate"]]
        )
        return EmpoweredPosition(living, table.number, lost, self.rules)

    def traced(self, position: Any, actions: Sequence[Action], chance: np.random.Generator | None) -> Night:
        """By option a Bomb attacks one of several killers, as lots are drawn (EM-R17)."""
        arrival = {action: place for place, action in enumerate(actions)}
        lot = {}
        if chance is not None and "em_r17" in self.house:
            lot = dict(zip(position.roles, chance.permutation(len(position.roles)).tolist(), strict=True))
        draw = None if chance is None else _Lots(chance)
        found = empowered_resolve(replace(position, arrival=arrival, lot=lot), actions, draw)
        lost = {slot: {"incarcerate": 1} for slot in found.lost - position.lost}
        return found.night._replace(spent=lost)


def family_of(
    game: str,
    options: Mapping[str, object],
    players: int,
    insane: Sequence[str] = (),
    dealt: Mapping[str, object] | None = None,
) -> Family:
    """The family of a mafia game of ours; `dealt` is for a custom game. Raises InputError for what cannot be
    played."""
    if game == "custom_mafia":
        return CustomFamily(options, players, insane, dealt)
    if game == "knight_errant":
        return KnightErrantFamily(options, players, insane)
    return EmpoweredFamily(options, players, insane)
