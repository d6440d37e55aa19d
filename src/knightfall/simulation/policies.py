"""How players play, in named policies with knobs: `random`, `suspicion`, `follow-the-claims`, mixtures.

A policy is written `NAME:knob=value,knob=value`; `0.7*follow-the-claims + 0.3*random` plays so many of the
games by each. Other packages add policies by entry points of the group `knightfall.policies`: a subclass of
`Policy` each, under its `name`.

Policies play N games at once: every answer is a column with a row for each game. Numbers are drawn by
`simulation/draws.py`, so that a comparison can play both setups with the same; one drawn from the generator
itself is right as well, but the comparison gains less.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple, cast

import numpy as np

from knightfall.engine.game import nearest
from knightfall.errors import InputError
from knightfall.mafia.ability_row import Effect
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.plugins import Family as PluginFamily
from knightfall.simulation.cards import (
    ALL_NIGHTS,
    CODE,
    ELSEWHERE,
    NAMES,
    Bools,
    Dawn,
    Extra,
    Floats,
    Ints,
    Limit,
    Orders,
    Side,
    Table,
    bit,
    joined,
    orders_of,
    those,
)
from knightfall.simulation.draws import by_part, by_seat, normal_by_seat, once
from knightfall.simulation.families import Family

GROUP = "knightfall.policies"

_TWO_TARGETS = those(lambda row: row.targets == 2)
_NO_TARGET = those(lambda row: row.targets == 0)
_KILLS = those(lambda row: Effect.KILLS in row.effects)
_FACTION = those(lambda row: row.faction)
SHOOTS = _KILLS & ~_FACTION
HINDERS = those(lambda row: Effect.HOLDS in row.effects)
PROTECTS = those(lambda row: row.trusted)
CHECKS = those(lambda row: Effect.CHECKS in row.effects)
FOLLOWS = those(lambda row: Effect.FOLLOWS in row.effects)
WATCHES = those(lambda row: Effect.WATCHES in row.effects)
REPORTS = CHECKS | FOLLOWS | WATCHES
_HALF = np.float32(0.5)
_LAST_NIGHT = ALL_NIGHTS.bit_length() - 1
"""The number of the last night that a deck tells apart from those after it."""


class Policy:
    """Play at random: each day one of the living is voted out, every one as likely as another; each night
    the mafia kills one who is no mafioso, and whoever can act does, on anybody.

    Knobs: `no_elimination_when_even` 1: nobody is voted out while an even number lives. `kills_from`: the
    first night on which the mafia kills (1; more than there are nights: a game without kills). `idle`: the
    share of players who do nothing in a night.

    Of the mafia somebody carries the kill who has no other ability to use, if there is one. A Serial Killer
    of Knight-Errant kills each night, by a strong kill half the time while one is left, and uses one thing
    more half the time. A Ninja of Empowered Mafia hides half of what it does, and obliterates
    with half of its Murders.
    """

    name: ClassVar[str] = "random"
    knobs: ClassVar[Mapping[str, float]] = {"no_elimination_when_even": 0, "kills_from": 1, "idle": 0}

    def __init__(self, **given: float) -> None:
        """Raises InputError for a knob that there is not."""
        known = self.all_knobs()
        for name in given:
            if name not in known:
                near, listed = nearest(name, known), ", ".join(known)
                raise InputError(f"The policy {self.name} has no knob “{name}”{near} It has: {listed}.")
        self.knob = {**known, **given}

    @classmethod
    def all_knobs(cls) -> dict[str, float]:
        """Every knob with its default, those of the policies that it builds on first."""
        found: dict[str, float] = {}
        for kind in reversed(cls.__mro__):
            found |= vars(kind).get("knobs", {})
        return found

    # ── What a policy answers. ──────────────────────────────────────────────────────────────────────────────

    def begin(self, family: Family, table: Table, chance: np.random.Generator) -> None:
        """Make ready: what is to be remembered goes into `table.memory`, a row for each game."""

    def day(self, family: Family, table: Table, chance: np.random.Generator) -> Ints:
        """(N,) the seat that is voted out, -1 for nobody."""
        return self.or_nobody(table, self.vote(family, table, chance))

    def vote(self, family: Family, table: Table, chance: np.random.Generator) -> Ints:
        """(N,) whom the votes would eliminate."""
        return highest(by_seat(table, chance, "vote"), table.alive)

    def or_nobody(self, table: Table, seat: Ints) -> Ints:
        """The seat, or -1 where an even number lives and nobody is voted out then."""
        if not self.knob["no_elimination_when_even"]:
            return seat
        return np.where(table.alive.sum(1) % 2 == 0, -1, seat)

    def flipped(self, family: Family, table: Table, seat: Ints) -> None:
        """The day's elimination has shown its card."""

    def wish(
        self,
        family: Family,
        table: Table,
        game: Ints,
        actor: Ints,
        what: Ints,
    ) -> Floats | None:
        """(E, P) how much more than 0 to 1 at random each seat is wanted as a target of these orders."""
        return None

    def learn(self, family: Family, table: Table, orders: Orders, dawn: Dawn) -> None:
        """The night is over, and everybody has their answers."""

    # ── The orders of a night. ──────────────────────────────────────────────────────────────────────────────

    def night(self, family: Family, table: Table, chance: np.random.Generator) -> Orders:
        """The legal orders of every game."""
        deck = table.deck
        own = deck.has & ~_FACTION
        if family.killer_has_extra:
            own = own & ~(SHOOTS & (deck.side == Side.KILLER)[:, None])
        game, actor, what = self._acts(table, own, chance)
        if family.killer_has_extra:
            # The Serial Killer's extra is used half the time.
            used = once(table, chance, "extra", game, actor) >= 0.5
            rare = (deck.side[table.card[game, actor]] == Side.KILLER) & ~used
            game, actor, what = game[~rare], actor[~rare], what[~rare]
        parts = []
        carrier, victim_game, kill = self._carriers(family, table, game, actor, chance)
        if len(victim_game):
            if family.kill_is_act:
                busy = np.full(len(table.alive), -1)
                busy[victim_game] = carrier
                free = busy[game] != actor
                game, actor, what = game[free], actor[free], what[free]
            parts.append(self._aimed(family, table, victim_game, carrier, kill, chance))
        if family.killer_has_extra:
            parts.append(self._killer(family, table, chance))
        parts.append(self._aimed(family, table, game, actor, what, chance))
        return self._with_extras(table, joined(parts), chance)

    def _acts(self, table: Table, own: Bools, chance: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        """Who uses which of their own abilities tonight: one of those that they can use."""
        deck = table.deck
        game, actor = np.nonzero(table.alive & np.asarray(own.any(1))[table.card])
        if self.knob["idle"]:
            up = once(table, chance, "idle", game, actor) >= self.knob["idle"]
            game, actor = game[up], actor[up]
        card = table.card[game, actor]
        there = np.flatnonzero(own.any(0))  # the abilities that anybody here has
        usable = own[:, there][card] & (table.uses[..., there][game, actor] != 0)
        if deck.limits.any():
            limits = deck.limits[:, there][card]
            wrong = limits & (Limit.EVEN if table.number % 2 else Limit.ODD) > 0
            again = np.zeros((len(game), len(CODE)), bool)
            again[:, deck.tiring] = table.last[game, actor]
            wrong |= (limits & Limit.NOVICE > 0) & (table.number == 1)
            usable &= ~wrong & ~((limits & Limit.NON_CONSECUTIVE > 0) & again[:, there])
        usable &= deck.nights[:, there][card] >> min(table.number, _LAST_NIGHT) & 1 > 0
        several = np.count_nonzero(usable, axis=1)
        which = usable.argmax(1) if len(there) else np.zeros(len(game), np.intp)
        if (several > 1).any():
            rows = np.flatnonzero(several > 1)
            score = by_part(table, chance, "ability", game[rows], actor[rows], there)
            which[rows] = highest(score, usable[rows])
        what = there[which] if len(there) else which
        able = several > 0
        return game[able], actor[able], what[able]

    def _carriers(
        self, family: Family, table: Table, game: Ints, actor: Ints, chance: np.random.Generator
    ) -> tuple[Ints, Ints, Ints]:
        """The carrier of the faction's kill, the games that have one, and its ability."""
        deck = table.deck
        faction = deck.has & _FACTION
        none = np.zeros(0, np.intp)
        if table.number < self.knob["kills_from"] or not faction.any():
            return none, none, none
        can = table.alive & np.asarray(faction.any(1))[table.card]
        score = by_seat(table, chance, "carrier")
        if family.kill_is_act and len(game):
            score[game, actor] -= 1  # rather somebody with nothing else to do
        carrier = highest(score, can)
        victims = (table.alive & (table.side != Side.MAFIA)).any(1)
        rows = np.flatnonzero((carrier >= 0) & victims)
        carrier = carrier[rows]
        kill = faction[table.card[rows, carrier]].argmax(1)
        return carrier, rows, kill

    def _killer(self, family: Family, table: Table, chance: np.random.Generator) -> Orders:
        """The kill of Knight-Errant's Serial Killer."""
        game, actor = np.nonzero(table.alive & (table.side == Side.KILLER))
        strong = once(table, chance, "strong", game, actor) < 0.5
        strong &= table.uses[game, actor, CODE["strong_kill"]] > 0
        return self._aimed(
            family, table, game, actor, np.where(strong, CODE["strong_kill"], CODE["kill"]), chance
        )

    def _aimed(
        self,
        family: Family,
        table: Table,
        game: Ints,
        actor: Ints,
        what: Ints,
        chance: np.random.Generator,
    ) -> Orders:
        """Each order aimed at whom the policy wishes; those that find nobody are left out."""
        score = by_seat(table, chance, "target", game, actor, what)
        wished = self.wish(family, table, game, actor, what)
        if wished is not None:
            score += wished
        able = table.alive[game]
        if not family.self_target:
            able[np.arange(len(game)), actor] = False
        else:
            able[np.arange(len(game)), actor] &= ~_KILLS[what]
        if (table.deck.limits & ELSEWHERE).any():
            places = np.full(len(CODE), -1)
            places[table.deck.tiring] = np.arange(len(table.deck.tiring))
            rows = np.flatnonzero(places[what] >= 0)
            barred = table.named[game[rows], actor[rows], places[what[rows]]]
            able[rows] &= barred[:, None] >> np.arange(able.shape[1], dtype=np.uint64) & np.uint64(1) == 0
        faction = _FACTION[what]
        if faction.any():
            able[faction] &= table.side[game[faction]] != Side.MAFIA
        first = np.where(_NO_TARGET[what], -1, highest(score, able))
        second = np.full(len(game), -1)
        twice = np.flatnonzero(_TWO_TARGETS[what])
        if len(twice):
            able[twice, first[twice]] = False
            second[twice] = highest(score[twice], able[twice])
        found = ((first >= 0) | _NO_TARGET[what]) & ((second >= 0) | ~_TWO_TARGETS[what])
        return orders_of(game, actor, what, first, second).rows(found)

    def _with_extras(self, table: Table, orders: Orders, chance: np.random.Generator) -> Orders:
        """A Ninja of Empowered Mafia hides half of what it does, and obliterates with half of the Murders in
        a night in which it does not incarcerate."""
        adaptable = table.deck.traits.get("adaptable")
        if adaptable is None or not len(orders):
            return orders
        game, actor = orders.game, orders.actor
        ninja = adaptable[table.card[game, actor]]
        hidden = ninja & (once(table, chance, "hidden", game, actor, orders.ability) < 0.5)
        busy = np.zeros_like(table.alive)
        jails = orders.ability == CODE["incarcerate"]
        busy[game[jails], actor[jails]] = True
        able = ninja & (orders.ability == CODE["murder"]) & ~busy[game, actor]
        able &= table.uses[game, actor, CODE["incarcerate"]] > 0
        pierces = able & (once(table, chance, "pierces", game, actor, orders.ability) < 0.5)
        extra = np.where(hidden, int(Extra.INVISIBLE), 0) | np.where(pierces, int(Extra.OBLITERATE), 0)
        return replace(orders, extra=extra)


def highest(score: Ints, able: Bools) -> Ints:
    """For each row the column with the highest score among those that are able; -1 where none is."""
    best: Ints = np.where(able, score, -np.inf).argmax(1)
    return np.where(able[np.arange(len(able)), best], best, -1) if len(able) else best


class Doubts(NamedTuple):
    """What the living think on one day, E of them over all games: `doubt` (E, P) how much the `voter` of a
    `game` suspects each seat; `tie` (N, P) is less than a vote, and decides between equal wagons."""

    game: Ints
    voter: Ints
    doubt: Floats
    tie: Floats

    def keep(self, rows: Ints) -> Doubts:
        """Those of some of the games."""
        place = np.full(len(self.tie), -1)
        place[rows] = np.arange(len(rows))
        mine = place[self.game] >= 0
        return Doubts(place[self.game[mine]], self.voter[mine], self.doubt[mine], self.tie[rows])


class Suspicion(Policy):
    """Everybody votes for whom they suspect most; the most votes eliminate. By night as at random.

    A suspicion of somebody is 1 for mafia and Serial Killers and 0 for everybody else, plus `noise` times a
    normal deviate, new each day: 0 never errs, a large one votes at random. The part `shared` of its variance
    is an impression that all have alike, the rest each player's own. Mafiosi vote like everybody, but never
    for one of theirs; with `bus` 1 for theirs, too. Nobody votes for whom their card vouches for: masons;
    nor for whom everybody is told of.
    """

    name = "suspicion"
    knobs: ClassVar[Mapping[str, float]] = {"noise": 4, "bus": 0, "shared": 0.8}

    def begin(self, family: Family, table: Table, chance: np.random.Generator) -> None:
        """`partners` (N, P, P), where a card vouches for others: the first knows that the second is of the
        same side."""
        super().begin(family, table, chance)
        if table.deck.vouches.any():
            others = ~np.eye(table.alive.shape[1], dtype=bool)
            vouched = table.deck.vouches[table.card[:, :, None], table.card[:, None, :]]
            table.memory["partners"] = vouched & others

    def vote(self, family: Family, table: Table, chance: np.random.Generator) -> Ints:
        able = table.alive & ~table.deck.public[table.card]
        return self.most_voted(table, self.doubts(table, chance), able)

    def doubts(self, table: Table, chance: np.random.Generator) -> Doubts:
        """What all of the living think today."""
        side = table.side
        noise, shared = self.knob["noise"], self.knob["shared"]
        impression = np.float32(noise * shared**0.5) * normal_by_seat(table, chance, "impression")
        impression += (side == Side.MAFIA) | (side == Side.KILLER)
        game, voter = np.nonzero(table.alive)
        doubt = normal_by_seat(table, chance, "doubt", game, voter)
        doubt *= np.float32(noise * (1 - shared) ** 0.5)
        doubt += impression[game]
        return Doubts(game, voter, doubt, by_seat(table, chance, "tie") * _HALF)

    def most_voted(self, table: Table, doubts: Doubts, able: Bools) -> Ints:
        """Count the votes for those who are able to be voted for, or for all where nobody is."""
        games, seats = table.alive.shape
        able = np.where(np.asarray(able.any(1))[:, None], able, table.alive)
        game, voter = doubts.game, doubts.voter
        choices = able[game]
        choices[np.arange(len(game)), voter] = False
        if not self.knob["bus"]:
            own = table.side[game, voter] == Side.MAFIA
            choices[own] &= table.side[game[own]] != Side.MAFIA
        if "partners" in table.memory:
            choices &= ~table.memory["partners"][game, voter]
        choice = highest(doubts.doubt, choices)
        voting = choice >= 0
        wagons = np.bincount(game[voting] * seats + choice[voting], minlength=games * seats)
        return highest(wagons.reshape(games, seats) + doubts.tie, able)


class FollowTheClaims(Suspicion):
    """The town believes its investigators, and weighs a claim by how the cards flip.

    * Who has found somebody living guilty claims in the morning, and from then on tells every result. A
      tracker finds guilty who visited one who died that night, a watcher the only visitor of one who died.
    * The day votes for whom most claimants accuse. With chance `counter` an accused mafioso claims
      the same and the day is a toss between the two, unless two accuse them.
    * With chance `fake` another mafioso answers a new claim of the town: they claim the same and accuse the
      claimant, one of them for each claim.
    * When an accused flips mafia or Serial Killer, by day or night, their accusers are cleared; when they
      flip anything else their accusers are accused in turn and believed no more, as are those who accuse
      the cleared.
      The results of a claimant who flips town are still believed.
    * The mafia tells nothing that it has found.
    * What a card tells its holder is known from the start, and who holds a card of which everybody is told is
      cleared. Who is about to be voted out and has partners (masons) claims them; the partners confirm it,
      all of them are cleared, and the day chooses again. The mafia fakes no such claim. Nobody votes for,
      checks or shoots a partner.
    * Who of the town is about to be voted out and has an ability claims it with all results, unless a
      claimant accuses them, and the day chooses again; at most `claims` do so in a day. A mafioso or Serial
      Killer there claims an ability with chance `bluff`, or always where every card of the town has one: one
      that the setup need not hold and that no flip rules out. Where the setup can hold no more of it than
      were dealt, somebody who has it says so, and the day is a toss between the claimants.
    * A claim of what every deal holds is believed, for the mafia makes none. Any other one saves its holder
      for that day alone.
    * Where one more wrong elimination loses the game everybody with an ability claims, and bluffs that would
      be contradicted are not made.
    * Without an accused the day votes as by suspicion, among those neither cleared nor claimed.
    * The mafia kills claimed and cleared players first, and its roleblockers hold them; doctors, bodyguards,
      watchers and Empowerers look after them. Vigilantes shoot the accused, then anybody not cleared.
      Investigators check whom nobody has cleared and they have not checked.
    """

    name = "follow-the-claims"
    knobs: ClassVar[Mapping[str, float]] = {"counter": 0.25, "fake": 0, "bluff": 0.25, "claims": 2}

    def begin(self, family: Family, table: Table, chance: np.random.Generator) -> None:
        """`found` (N, P, P), where anybody can investigate: 1 the checker has found the seat guilty, -1
        innocent; of a fake claim 1, too. `claimed`, `cleared`, `liar`, `proven`, `unproven` (N, P) are known
        to all; `proven`: a claimant who is dead and was town; `unproven`: a claim, true or not, of an ability
        that the setup need not hold; `spared`: whom a claim saves today."""
        super().begin(family, table, chance)
        games, seats = table.alive.shape
        if table.deck.has[:, REPORTS].any():
            table.memory["found"] = np.zeros((games, seats, seats), np.int8)
        for name in ("claimed", "liar", "proven", "unproven", "spared"):
            table.memory[name] = np.zeros((games, seats), bool)
        table.memory["cleared"] = table.deck.public[table.card]
        if table.deck.claims.any():
            size = len(table.deck.cards)
            places = np.arange(games)[:, None] * size + table.card
            counted = np.bincount(places.ravel(), minlength=games * size)
            table.memory["dealt"] = counted.reshape(games, size).astype(np.int16)

    def accusations(self, table: Table) -> Ints:
        """(N, P) by how many believed claimants each of the living is accused; a liar by one more."""
        memory = table.memory
        accused = (memory["liar"] & table.alive).astype(np.int16)
        if "found" in table.memory:
            speaking = self.believed(table)[:, :, None]
            accused = accused + ((memory["found"] > 0) & speaking).sum(1)
        return np.where(table.alive & ~memory["cleared"], accused, 0)

    def believed(self, table: Table) -> Bools:
        """(N, P) whose results count: claimants who live or were town, and are no liars."""
        memory = table.memory
        return np.asarray(memory["claimed"] & (table.alive | memory["proven"]) & ~memory["liar"])

    def public_innocents(self, table: Table) -> Bools:
        """(N, P) who is cleared, by a flip or by a claimant who is believed."""
        memory = table.memory
        cleared: Bools = memory["cleared"]
        if "found" in table.memory:
            speaking = (memory["claimed"] & ~memory["liar"])[:, :, None]
            cleared = cleared | ((memory["found"] < 0) & speaking).any(1)
        return np.asarray(cleared & ~memory["liar"])

    def vote(self, family: Family, table: Table, chance: np.random.Generator) -> Ints:
        if "found" in table.memory:
            # Whoever has found somebody living guilty claims.
            holding = ((table.memory["found"] > 0) & table.alive[:, None, :]).any(2)
            fresh = holding & table.alive & (table.side != Side.MAFIA) & ~table.memory["claimed"]
            table.memory["claimed"] |= fresh
            if self.knob["fake"] and fresh.any():
                self._answered(table, fresh & (table.side == Side.TOWN), chance)
        table.memory["spared"][:] = False
        self._claim_at_the_last(family, table, chance)
        doubts, toss = self.doubts(table, chance), by_seat(table, chance, "accused") * _HALF
        accused, seat = self._chosen(table, doubts, toss)
        # Whoever is about to be voted out claims partners or an ability, and the day chooses again.
        rows, claims = np.arange(len(seat)), np.zeros(len(seat), np.intp)
        while len(rows):
            fresh = self._claim_partners(table, rows, seat[rows])
            calm = rows[(accused[rows, seat[rows]] == 0) & (claims[rows] < self.knob["claims"])]
            claiming = self._claim_ability(family, table, calm, seat, chance)
            claims[claiming] += 1
            rows = np.union1d(fresh, claiming).astype(np.intp)
            if len(rows):
                again = table.keep(rows)
                accused[rows], seat[rows] = self._chosen(again, doubts.keep(rows), toss[rows])
        if "found" in table.memory and self.knob["counter"]:
            rows = np.flatnonzero(accused[np.arange(len(seat)), seat] > 0)
            target = seat[rows]
            speaking = self.believed(table)[rows] & table.alive[rows]
            accusers = (table.memory["found"][rows, :, target] > 0) & speaking
            accuser = accusers.argmax(1)
            contested = (
                (accused[rows, target] == 1)
                & accusers.any(1)
                & (table.side[rows, target] == Side.MAFIA)
                & (once(table, chance, "counter", rows) < self.knob["counter"] / 2)
            )
            if "partners" in table.memory:  # for whom others vouch nobody doubts
                contested &= ~table.memory["partners"][rows, accuser].any(1)
            seat[rows[contested]] = accuser[contested]
        return seat

    def _chosen(self, table: Table, doubts: Doubts, toss: Floats) -> tuple[Ints, Ints]:
        """(N, P) by how many each is accused, and (N,) whom the day would vote out."""
        accused = self.accusations(table)
        memory = table.memory
        spared = (memory["claimed"] & ~memory["unproven"]) | memory["spared"]
        able = table.alive & ~self.public_innocents(table) & ~spared
        first = highest(accused + toss, accused > 0)
        return accused, np.where(first >= 0, first, self.most_voted(table, doubts, able))

    def _claim_partners(self, table: Table, rows: Ints, seat: Ints) -> Ints:
        """In these games the seat is about to be voted out: if it is of the town, has partners and has not
        claimed them, it and they are cleared. Returns the games in which that is new."""
        if "partners" not in table.memory:
            return rows[:0]
        memory = table.memory
        new = memory["partners"][rows, seat].any(1) & (table.side[rows, seat] == Side.TOWN)
        new &= ~memory["cleared"][rows, seat]
        rows, seat = rows[new], seat[new]
        claiming = memory["partners"][rows, seat] & table.alive[rows]
        claiming[np.arange(len(rows)), seat] = True
        memory["claimed"][rows] |= claiming
        memory["cleared"][rows] |= claiming
        return rows

    def _claim_at_the_last(self, family: Family, table: Table, chance: np.random.Generator) -> None:
        """Where one more wrong elimination loses the game, everybody with an ability has claimed it; who has
        none to tell of may have said so, too."""
        if not table.deck.claims.any():
            return
        memory, side = table.memory, table.side
        evil = table.alive & ((side == Side.MAFIA) | (side == Side.KILLER))
        last = 2 * evil.sum(1) >= table.alive.sum(1) - 2
        game, seat = np.nonzero(table.alive & table.deck.claims[table.card] & last[:, None])
        self._told(family, table, game, seat)
        game, seat = np.nonzero(evil & last[:, None] & ~memory["claimed"] & ~memory["unproven"])
        claim = self._bluffed(family, table, game, seat, chance)
        stands = (claim >= 0) & (memory["dealt"][game, claim] < family.most[claim])
        memory["unproven"][game[stands], seat[stands]] = True

    def _told(self, family: Family, table: Table, game: Ints, seat: Ints) -> None:
        """They claim the abilities that they have."""
        memory, card = table.memory, table.card[game, seat]
        fresh = ~memory["claimed"][game, seat]
        memory["claimed"][game, seat] = True
        memory["unproven"][game, seat] |= fresh & (family.least < family.most)[card]

    def _claim_ability(
        self, family: Family, table: Table, rows: Ints, seats: Ints, chance: np.random.Generator
    ) -> Ints:
        """In these games the seat is about to be voted out: it claims an ability, if it has one or bluffs.
        Returns the games in which that is new; where a bluff is contradicted one of the claimants takes the
        seat's place."""
        if not table.deck.claims.any() or not len(rows):
            return rows[:0]
        memory, seat = table.memory, seats[rows]
        silent = ~memory["claimed"][rows, seat] & ~memory["unproven"][rows, seat]
        true = silent & table.deck.claims[table.card[rows, seat]] & ~memory["liar"][rows, seat]
        self._told(family, table, rows[true], seat[true])
        memory["spared"][rows[true], seat[true]] = True
        side = table.side[rows, seat]
        evil = silent & ((side == Side.MAFIA) | (side == Side.KILLER))
        game, liar = rows[evil], seat[evil]
        claim = self._bluffed(family, table, game, liar, chance)
        stands = (claim >= 0) & (memory["dealt"][game, claim] < family.most[claim])
        for name in ("unproven", "spared"):
            memory[name][game[stands], liar[stands]] = True
        # Somebody who has the card says so: the day is a toss between the claimants, and the flip tells.
        met = np.flatnonzero((claim >= 0) & ~stands)
        if len(met):
            game_met, liar_met = game[met], liar[met]
            owners = table.alive[game_met] & (table.card[game_met] == claim[met, None])
            memory["claimed"][game_met] |= owners
            toss = by_seat(table, chance, "contradicted", game_met, liar_met)
            owners[np.arange(len(met)), liar_met] = True
            out = highest(toss, owners)
            seats[game_met] = out
            caught = out == liar_met
            owners[np.arange(len(met)), liar_met] = False
            memory["cleared"][game_met[caught]] |= owners[caught]
            memory["liar"][game_met[~caught], liar_met[~caught]] = True
        return np.concatenate((rows[true], game[stands]))

    def _bluffed(
        self, family: Family, table: Table, game: Ints, seat: Ints, chance: np.random.Generator
    ) -> Ints:
        """The card whose ability each of them claims falsely, -1 where they claim none."""
        if not len(game):
            return np.zeros(0, np.intp)
        deck = table.deck
        size = len(deck.cards)
        # What every deal holds in full is known to be somebody's.
        open_ones = deck.claims & (family.least < family.most)
        if not open_ones.any():
            return np.full(len(game), -1)
        places = np.arange(len(game))[:, None] * size + table.card[game]
        flipped = np.bincount(places[~table.alive[game]], minlength=len(game) * size)
        free = open_ones & (flipped.reshape(-1, size) < family.most)
        claim = highest(by_part(table, chance, "bluffed", game, seat, np.arange(size)), free)
        bare = (deck.side == Side.TOWN) & ~deck.claims & (family.most > 0)
        if bare.any():
            claim[once(table, chance, "bluff", game, seat) >= self.knob["bluff"]] = -1
        return claim

    def _answered(self, table: Table, fresh: Bools, chance: np.random.Generator) -> None:
        """Fake claims of the mafia against one of these new claimants in each game."""
        memory = table.memory
        free = table.alive & (table.side == Side.MAFIA) & ~memory["claimed"] & (self.accusations(table) == 0)
        target = highest(by_seat(table, chance, "answered"), fresh)
        liar = highest(by_seat(table, chance, "faker"), free)
        rows = np.flatnonzero((target >= 0) & (liar >= 0))
        rows = rows[once(table, chance, "fake", rows) < self.knob["fake"]]
        memory["claimed"][rows, liar[rows]] = True
        memory["found"][rows, liar[rows], target[rows]] = 1

    def flipped(self, family: Family, table: Table, seat: Ints) -> None:
        shown = np.zeros_like(table.alive)
        rows = np.flatnonzero(seat >= 0)
        shown[rows, seat[rows]] = True
        self._shown(table, shown)

    def _shown(self, table: Table, dead: Bools) -> None:
        """These cards (N, P) have been shown."""
        if "found" not in table.memory or not dead.any():
            return
        memory, side = table.memory, table.side
        evil = (side == Side.MAFIA) | (side == Side.KILLER)
        memory["proven"] |= memory["claimed"] & dead & (side == Side.TOWN)
        accuses = (memory["found"] > 0) & memory["claimed"][:, :, None]
        memory["cleared"] |= (accuses & (dead & evil)[:, None, :]).any(2)
        wrong = accuses & ((dead & ~evil) | memory["cleared"])[:, None, :]
        memory["liar"] |= wrong.any(2) & ~memory["cleared"]

    def wish(self, family: Family, table: Table, game: Ints, actor: Ints, what: Ints) -> Floats | None:
        claimed = table.memory["claimed"] | table.memory["unproven"]
        known = claimed | self.public_innocents(table)
        partners = table.memory.get("partners")
        if "found" not in table.memory and partners is None and not known.any():
            return None
        accused = self.accusations(table) > 0
        wished = np.zeros((len(game), table.alive.shape[1]), np.float32)
        known = known & ~accused
        mafia = table.side[game, actor] == Side.MAFIA
        hunted = known & (table.side != Side.MAFIA)
        wished += np.where((_FACTION[what] | (mafia & HINDERS[what]))[:, None] & hunted[game], 2, 0)
        wished += np.where((PROTECTS[what] & ~mafia)[:, None] & known[game], 2, 0)
        hunts = (SHOOTS[what] | (HINDERS[what] & ~mafia)) & (table.side[game, actor] == Side.TOWN)
        wished += np.where(hunts[:, None] & accused[game], 4, 0)
        wished -= np.where(hunts[:, None] & known[game], 2, 0)
        asks = CHECKS[what] | FOLLOWS[what]
        if asks.any():
            own = table.memory["found"][game[asks], actor[asks]] != 0
            wished[asks] -= 2 * (own | known[game[asks]] | accused[game[asks]])
        if partners is not None:
            wished -= np.where((hunts | asks)[:, None] & partners[game, actor], 2, 0)
        return wished

    def learn(self, family: Family, table: Table, orders: Orders, dawn: Dawn) -> None:
        if "found" not in table.memory:
            return
        deck, found = table.deck, table.memory["found"]
        game, actor, first = orders.game, orders.actor, orders.first
        told = dawn.word >= 0
        if told.any():
            weight = deck.guilt[np.where(told, dawn.word, 0)]
            weight = np.where(deck.insane[table.card[game, actor]], -weight, weight)
            sure = told & (np.abs(weight) >= 0.5)
            found[game[sure], actor[sure], first[sure]] = np.sign(weight[sure])
        looked = dawn.word == NAMES
        if looked.any() and dawn.dead.any():
            seats = bit(np.arange(table.alive.shape[1]))
            dead = np.bitwise_or.reduce(np.where(dawn.dead, seats, np.uint64(0)), axis=1)
            tracks = looked & FOLLOWS[orders.ability]
            caught = tracks & ((dawn.seen & dead[game]) > 0)
            found[game[caught], actor[caught], first[caught]] = 1
            watches = looked & WATCHES[orders.ability] & dawn.dead[game, np.maximum(first, 0)]
            alone = watches & (dawn.seen > 0) & ((dawn.seen & (dawn.seen - np.uint64(1))) == 0)
            visitor = np.log2(np.where(alone, dawn.seen, 1).astype(float)).astype(np.intp)
            found[game[alone], actor[alone], visitor[alone]] = 1
        self._shown(table, dawn.dead)


OURS: Mapping[str, type[Policy]] = {kind.name: kind for kind in (Policy, Suspicion, FollowTheClaims)}
"""The policies on board; pyproject.toml has the same as entry points."""
OUTSIDE: PluginFamily[type[Policy]] = PluginFamily(
    GROUP, "policy", tuple(OURS), ("begin", "day", "night", "learn", "all_knobs")
)

_TERM = re.compile(r"\s*(?:(?P<weight>[\d.]+)\s*\*)?\s*(?P<name>[\w-]+)\s*(?::(?P<knobs>[^+]*))?")


def policy_names() -> tuple[str, ...]:
    """Ours, then those of other packages."""
    return (*OURS, *OUTSIDE.names())


def parse_policy(text: str) -> tuple[tuple[float, Policy], ...]:
    """The policies of a mixture with their weights, which add up to 1.

    Raises InputError for a policy or knob that there is not, and for what is no mixture.
    """
    terms = []
    for part in text.split("+"):
        match = _TERM.fullmatch(part)
        if match is None:
            raise InputError(
                f"Policy “{text}”: “{part.strip()}” cannot be read; write NAME, NAME:knob=1 or 0.5*NAME."
            )
        kind = _policy_named(match["name"])
        try:
            given = dict(pair.split("=") for pair in (match["knobs"] or "").split(",") if pair.strip())
            knobs = {_knob_named(kind, knob.strip()): float(value) for knob, value in given.items()}
            weight = float(match["weight"] or 1)
        except ValueError:
            raise InputError(f"Policy “{text}”: a knob is written as in noise=3.") from None
        terms.append((weight, kind(**knobs)))
    total = sum(weight for weight, _ in terms)
    if total <= 0:
        raise InputError(f"Policy “{text}”: the weights add up to nothing.")
    return tuple((weight / total, policy) for weight, policy in terms)


def _policy_named(written: str) -> type[Policy]:
    """The policy that is meant, as names are matched everywhere. Raises InputError for none or several."""
    known = policy_names()
    found = _named(written, known)
    if found is None:
        listed = ", ".join(known)
        raise InputError(f"There is no policy “{written}”{nearest(written, known)} Policies: {listed}.")
    return OURS.get(found) or cast("type[Policy]", OUTSIDE.named(found))


def _knob_named(kind: type[Policy], written: str) -> str:
    """The same for one of a policy's knobs; one that there is not is refused by the policy."""
    return _named(written, tuple(kind.all_knobs())) or written.replace("-", "_")


def _named(written: str, known: tuple[str, ...]) -> str | None:
    """`-` and `_` are the same."""
    spelled = {name.replace("_", "-"): name for name in known}
    found = match_name(written.replace("_", "-"), tuple(spelled), {})
    if isinstance(found, Ambiguous):
        raise InputError(f"“{written}” may be {' or '.join(spelled[name] for name in found.slots)}.")
    return None if isinstance(found, Unknown) else spelled[found]
