"""The nights of the three mafia games, many at once and without text.

Each function is the night of one game as its `rules` resolve it, in sets of seats instead of notes: the same
deaths, answers and uses. What it does not tell (abilities of no kind that it knows, rings of actions, options
that order a night in another way) it leaves `undecided`, for the traced resolver. `scripts/soak`
compares the two.

The living who act are orders in columns (`cards.Orders`); `at` is the place of a seat in a flat (N · P)
column, so that a set of seats of all games is one column of bits.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from knightfall.mafia.ability_row import Compact
from knightfall.simulation.cards import (
    ABILITIES,
    CODE,
    ENDLESS,
    KIND,
    NAMES,
    NO_RESULT,
    NO_WORD,
    Bools,
    Dawn,
    Extra,
    Ints,
    Limit,
    Orders,
    Side,
    Table,
    bit,
    rank_within,
    with_lovers,
)

FACTION_KILL, KILL, STRONG_KILL = KIND[Compact.FACTION_KILL], KIND[Compact.KILL], KIND[Compact.STRONG_KILL]
COMMUTE, JAIL, ROLEBLOCK = KIND[Compact.COMMUTE], KIND[Compact.JAIL], KIND[Compact.ROLEBLOCK]
HEAL, GUARD, VEST = KIND[Compact.HEAL], KIND[Compact.GUARD], KIND[Compact.VEST]
CHECK, TRACK, WATCH = KIND[Compact.CHECK], KIND[Compact.TRACK], KIND[Compact.WATCH]
EMPOWER, AMPLIFY = KIND[Compact.EMPOWER], KIND[Compact.AMPLIFY]
# What is counted by the name of the ability.
VESTS, IMMUNITIES, COP = CODE["bulletproof"], CODE["immunity"], CODE["cop"]
ADAPTABILITY = CODE["incarcerate"]
_BY_NAME = np.argsort(np.argsort(ABILITIES))
"""The place of each ability in alphabetical order, which is the canonical one of checks."""

WITHOUT_END = 1 << 20
"""More kills than a night can have."""


class _Night:
    """The columns that every night asks for."""

    __slots__ = (
        "actor",
        "at",
        "card",
        "cell",
        "first",
        "game",
        "kind",
        "orders",
        "seats",
        "size",
        "table",
        "what",
    )

    def __init__(self, table: Table, orders: Orders) -> None:
        games, self.seats = table.alive.shape
        self.size = games * self.seats
        self.table, self.orders = table, orders
        self.game, self.actor, self.first = orders.game, orders.actor, orders.first
        self.what, self.kind = orders.ability, table.deck.kind[orders.ability]
        self.cell = self.game * self.seats + self.actor
        self.at = np.where(self.first < 0, self.cell, self.game * self.seats + self.first)
        self.card = table.card.ravel()

    def does(self, *kinds: int) -> Bools:
        """Which orders are of one of these kinds."""
        found: Bools = self.kind == kinds[0]
        for other in kinds[1:]:
            found = found | (self.kind == other)
        return found

    def untold(self) -> Bools:
        """(N,) the games in which somebody uses or is what only the rules themselves can tell."""
        deck, table = self.table.deck, self.table
        found = np.zeros(len(table.alive), bool)
        if deck.asks.any():
            found[self.game[deck.asks[self.card[self.cell], self.what]]] = True
        if deck.untold.any():
            found |= (table.alive & deck.untold[table.card]).any(1)
        return found

    def marked(self, places: Ints) -> Bools:
        """A set of seats, flat."""
        found = np.zeros(self.size, bool)
        found[places] = True
        return found

    def counted(self, places: Ints) -> Ints:
        """How often each seat is there, flat."""
        return np.bincount(places, minlength=self.size)

    def bits(self, places: Ints, seats: Ints) -> Ints:
        """For each place the set of the seats given for it."""
        found = np.zeros(self.size, np.uint64)
        np.bitwise_or.at(found, places, bit(seats))
        return found

    def trait(self, name: str) -> Bools | None:
        """Which seats have it, flat; None where no card has."""
        if name not in self.table.deck.traits:
            return None
        return self.table.deck.traits[name][self.card]

    def shaped(self, flat: Bools) -> Bools:
        """(N, P)."""
        return flat.reshape(-1, self.seats)

    def spend(self, rows: Bools) -> Ints:
        """(N, P, A): one use of every limited ability that these orders use."""
        spent = np.zeros_like(self.table.uses)
        game, actor, what = self.game[rows], self.actor[rows], self.what[rows]
        limited = self.table.uses[game, actor, what] != ENDLESS
        spent[game[limited], actor[limited], what[limited]] = 1
        return spent


# ── Custom Mafia. ─────────────────────────────────────────────────────────────────────────────────────────


CUSTOM_KINDS = frozenset(
    {
        Compact.KILL,
        Compact.FACTION_KILL,
        Compact.COMMUTE,
        Compact.JAIL,
        Compact.ROLEBLOCK,
        Compact.HEAL,
        Compact.GUARD,
        Compact.CHECK,
        Compact.TRACK,
        Compact.WATCH,
    }
)
"""The kinds of abilities that this night tells."""


def custom_night(table: Table, orders: Orders, house: Set[str]) -> Dawn:
    """A night of Custom Mafia; `house` are the options that are not at their default.

    Undecided: rings of blocks and jails (CM-R2), ties inside a role (CM-R45), and what is of no kind here,
    such as a redirection or a bus.
    """
    night, deck = _Night(table, orders), table.deck
    game, cell, at = night.game, night.cell, night.at
    aimed, itself = night.first >= 0, night.first == night.actor
    # Why an action would come to nothing whatever stands in its way (CM-R18, CM-R19, CM-R84).
    limits = deck.limits[night.card[cell], night.what]
    sides = deck.side[night.card]
    own = itself | ((sides[cell] == sides[at]) & (sides[cell] != Side.KILLER))
    fails = aimed & (((limits & Limit.LOYAL) > 0) & ~own | ((limits & Limit.DISLOYAL) > 0) & own)
    if (limits & (Limit.SIMPLE | Limit.COMPLEX)).any():
        bare = deck.vanilla[night.card][at]
        fails |= aimed & (((limits & Limit.SIMPLE) > 0) & ~bare | ((limits & Limit.COMPLEX) > 0) & bare)
    if (limits & Limit.LAZY).any():
        others = (table.alive & (table.side != Side.TOWN)).sum(1)
        fails |= ((limits & Limit.LAZY) > 0) & (others <= 1)[game]
    # CM-R3: who is away.
    away = night.marked(cell[night.does(COMMUTE)])
    home = ~(aimed & away[at] & ~itself)
    undecided = night.untold()
    # CM-R1: blocks and jails that nothing can change any more act first, then those that they left free.
    blocked, jailed = np.zeros(night.size, bool), np.zeros(night.size, bool)
    arrived, stopped = np.zeros(len(orders), bool), ~home
    waiting = np.flatnonzero(night.does(ROLEBLOCK, JAIL))
    while len(waiting):
        threatened = night.marked(at[waiting][~itself[waiting]])
        free = ~threatened[cell[waiting]]
        moving = np.zeros(len(table.alive), bool)
        moving[game[waiting[free]]] = True
        ring = ~moving[game[waiting]]  # CM-R2: each of them could be changed by another
        undecided[game[waiting[ring]]] = True
        acting = waiting[free]
        held = (blocked | jailed)[cell[acting]]
        stopped[acting[held]] = True
        acting = acting[home[acting] & ~held & ~fails[acting]]
        arrived[acting] = True
        blocked[at[acting[night.kind[acting] == ROLEBLOCK]]] = True
        jailed[at[acting[night.kind[acting] == JAIL]]] = True
        waiting = waiting[~free & ~ring]
        held = (blocked | jailed)[cell[waiting]]
        stopped[waiting[held]] = True
        waiting = waiting[~held]
    # Everything else, in one go; a Strongman's kill only stops at an empty house (CM-R14).
    killing = night.does(KILL, FACTION_KILL)
    strongman = night.trait("strongman")
    strong = killing & strongman[cell] if strongman is not None else np.zeros(len(orders), bool)
    plain = ~night.does(ROLEBLOCK, JAIL, COMMUTE)
    held_back = plain & ~strong & (blocked | jailed)[cell]
    stopped |= held_back
    arrived |= plain & home & ~held_back & ~fails
    # CM-R10 to CM-R13: how many kills each player is shielded from, and by whom.
    regular = np.flatnonzero(killing & arrived & ~strong)
    dead = night.marked(at[strong & arrived])
    spent = night.spend(~stopped if "blocked_shot" in house else np.ones(len(orders), bool))
    landed = np.flatnonzero(strong & arrived)
    if len(regular) or len(landed):
        heals = night.counted(at[arrived & night.does(HEAL)])
        worn = table.uses[..., VESTS].ravel()
        vests = np.maximum(worn, 0).astype(np.intp)
        posted = np.flatnonzero(arrived & night.does(GUARD))
        guards = night.counted(at[posted])
        proof = jailed | (worn == ENDLESS)
        if "doctor_saves" in house:
            proof |= heals > 0
        room = np.where(proof, WITHOUT_END, heals + vests + guards)
        rank = rank_within(at[regular], night.kind[regular] != FACTION_KILL, night.actor[regular])
        landed = np.r_[landed, regular[rank >= room[at[regular]]]]
        attempts = night.counted(at[regular])
        bomb = night.trait("bomb")
        if bomb is not None and "ties" not in house:
            # CM-R45: whose kill on a Bomb is stopped, where not every one is, is drawn.
            met = bomb & (room > 0) & (room < attempts)
            undecided[np.flatnonzero(met) // night.seats] = True
        blows = _blows(night, landed)
        if "bomb" in house:
            dead[blows] = True
        else:
            attempts = attempts + night.counted(blows)
        dead |= attempts > room
        if vests.any():
            used = np.where(proof, 0, np.clip(attempts - heals, 0, vests))
            spent[..., VESTS] += used.reshape(-1, night.seats).astype(spent.dtype)
        if len(posted):
            # CM-R11: the bodyguards step in, one for each kill; which of them do is for the rules.
            used = np.where(proof, 0, np.clip(attempts - heals - vests, 0, guards))
            stepped, waiting = used[at[posted]], guards[at[posted]]
            undecided[game[posted[(stepped > 0) & (stepped < waiting)]]] = True
            dead[cell[posted[stepped > 0]]] = True
    # CM-R17: the weak who came to another side; CM-R16: who loved the dead.
    weak = arrived & aimed & ((limits & Limit.WEAK) > 0) & ~own
    dead[cell[weak]] = True
    gone = with_lovers(night.shaped(dead), table.alive, table.love)
    word, seen = _custom_reports(night, arrived, killing)
    return Dawn(gone, spent, word, seen, undecided)


def _blows(night: _Night, landed: Ints) -> Ints:
    """CM-R15: the seats that Bombs killed at night strike back at, flat: once for each Bomb and killer."""
    bomb = night.trait("bomb")
    if bomb is None or not len(landed):
        return np.zeros(0, np.intp)
    fatal = landed[bomb[night.at[landed]]]
    pairs = np.unique(night.at[fatal] * night.seats + night.actor[fatal])
    killers: Ints = pairs // night.seats // night.seats * night.seats + pairs % night.seats
    return killers


def _custom_reports(night: _Night, arrived: Bools, killing: Bools) -> tuple[Ints, Ints]:
    """CM-R26 to CM-R30, CM-R44."""
    deck = night.table.deck
    word, seen = np.full(len(night.orders), NO_WORD, np.int16), np.zeros(len(night.orders), np.uint64)
    checks = night.does(CHECK)
    looks = night.does(TRACK, WATCH)
    word[checks | looks] = NO_RESULT
    told = checks & arrived
    word[told] = deck.found[night.what[told], night.card[night.at[told]]]
    if (looks & arrived).any():
        visits = arrived & (night.first >= 0) & (night.first != night.actor)
        ninja = night.trait("ninja")
        if ninja is not None:
            visits &= ~(killing & ninja[night.cell])  # CM-R28
        _looked(night, looks & arrived, visits, word, seen, hidden=True)
    return word, seen


def _looked(night: _Night, looks: Bools, visits: Bools, word: Ints, seen: Ints, hidden: bool) -> None:
    """Enter what trackers and watchers see of these visits; `hidden`: watchers do not see themselves."""
    tracks, watches = looks & night.does(TRACK), looks & night.does(WATCH)
    if tracks.any():
        seen[tracks] = night.bits(night.cell[visits], night.first[visits])[night.at[tracks]]
    if watches.any():
        came = night.bits(night.at[visits], night.actor[visits])[night.at[watches]]
        seen[watches] = came & ~bit(night.actor[watches]) if hidden else came
    word[looks] = NAMES


# ── Knight-Errant. ────────────────────────────────────────────────────────────────────────────────────────

KNIGHT_ERRANT_KINDS = CUSTOM_KINDS - {Compact.GUARD} | {Compact.STRONG_KILL, Compact.VEST, Compact.IMMUNITY}
UNTOLD_BY_KNIGHT_ERRANT = frozenset({"ke_r2"})
"""Options under which only the traced resolver tells a night: holds that stop holds."""


def knight_errant_night(table: Table, orders: Orders, house: Set[str], gunsmith_sees: bool = False) -> Dawn:
    """A night of Knight-Errant; `gunsmith_sees`: no immunity turns a gunsmith's check (KE-R34)."""
    night, deck = _Night(table, orders), table.deck
    game, actor, cell, at = night.game, night.actor, night.cell, night.at
    aimed, itself = night.first >= 0, night.first == actor
    undecided = night.untold() | bool(house & UNTOLD_BY_KNIGHT_ERRANT)
    away = night.marked(cell[night.does(COMMUTE)])
    empty = aimed & away[at] & ~itself
    jails, blocks, strong = night.does(JAIL), night.does(ROLEBLOCK), night.does(STRONG_KILL)
    out = away[cell] if "commute_stops_own_actions" in house else np.zeros(len(orders), bool)
    # Stages 1 to 3: jails hold unless their target is away. Only somebody else's jail stops an action.
    own_jail = "ke_r7" in house
    holding = jails & ~empty & ~out
    jailers = night.bits(at[holding], actor[holding])
    mine = bit(actor)
    from_jail = (jailers[cell] & ~mine) > 0
    into_jail = aimed & ((jailers[at] if own_jail else jailers[at] & ~mine) > 0)
    works_in_jail = blocks & ("ke_r5" in house)  # KE-R5
    walled = empty | (from_jail & ~works_in_jail) | into_jail
    # Stage 4: roleblocks hold all at once.
    held = blocks & ~walled & ~out
    blockers = night.bits(at[held], actor[held])
    # Stage 5 and later: strong kills ignore everything (KE-R8), the rest is walled off or blocked.
    early = night.does(COMMUTE) | jails | blocks | strong
    later = ~early & ~walled & ~out & ((blockers[cell] & ~mine) == 0)
    # Stage 6: heals, then the cards, then the Serial Killer's vests (KE-R10 to KE-R14).
    regular = np.flatnonzero(later & night.does(KILL, FACTION_KILL))
    dead = night.marked(at[strong])
    refunded = "ke_r24" in house
    stops = ~(jails & ~holding) & ~(blocks & ~held) & ~(~early & ~later)
    spent = night.spend(stops if refunded else np.ones(len(orders), bool))
    attempts = night.counted(at[regular])
    heals = night.counted(at[later & night.does(HEAL)])
    proof = night.trait("bulletproof")
    proof = np.zeros(night.size, bool) if proof is None else proof.copy()
    proof[cell[later & night.does(VEST)]] = True
    vests = np.zeros(night.size, np.intp)
    if "ke_r13" not in house:
        vests = np.where(deck.side[night.card] == Side.KILLER, table.uses[..., VESTS].ravel(), 0)
    dead |= ~proof & (attempts > heals + vests)
    if vests.any():
        after_heals = np.where(proof, 0, np.clip(attempts - heals, 0, vests))
        used = np.minimum(attempts, vests) if "ke_r11" in house else after_heals
        spent[..., VESTS] += used.reshape(-1, night.seats).astype(spent.dtype)
    # Stage 7: reports, on everything that stood or was survived.
    reports = night.does(CHECK, TRACK, WATCH)
    standing = later & reports
    if "ke_r16" in house:
        lost = standing & dead[cell]
        standing &= ~lost
        if refunded:
            spent[game[lost], actor[lost], night.what[lost]] = 0
    word, seen = np.full(len(orders), NO_WORD, np.int16), np.zeros(len(orders), np.uint64)
    word[reports] = NO_RESULT
    checks = standing & night.does(CHECK)
    if checks.any():
        hidden = _hidden_by_immunity(night, checks, spent, house, gunsmith_sees, undecided)
        immune = night.trait("immune")
        if immune is not None:
            hidden |= immune[at] & checks & ((night.what == COP) | (not gunsmith_sees))
        word[checks] = np.where(
            hidden[checks],
            deck.cloaked[night.what[checks]],
            deck.found[night.what[checks], night.card[at[checks]]],
        )
    looks = standing & night.does(TRACK, WATCH)
    if looks.any():
        visits = aimed & (holding | held | strong | (later & ~reports) | standing)
        if "ke_r28" in house:
            # KE-R28: what failed at an empty house or at the wall around its target counts as well.
            walkers = aimed & ~jails & ~strong
            at_wall = walkers & into_jail & ~(from_jail & ~works_in_jail)
            visits |= ~out & ((empty & (walkers | jails)) | at_wall)
        _looked(night, looks, visits, word, seen, hidden="ke_r31" not in house)
    return Dawn(night.shaped(dead), spent, word, seen, undecided)


def _hidden_by_immunity(
    night: _Night, checks: Bools, spent: Ints, house: Set[str], gunsmith_sees: bool, undecided: Bools
) -> Bools:
    """KE-R35: the checks that the Serial Killer's immunity turns; the uses that it costs are entered, and the
    games in which it is drawn what it turns."""
    left = night.table.uses[..., IMMUNITIES].ravel()
    turned = checks & (left[night.at] > 0)
    if gunsmith_sees:
        turned &= night.what == COP
    rows = np.flatnonzero(turned)
    if not len(rows):
        return np.asarray(turned)
    places = night.at[rows]
    if "ke_r35" in house:
        # By option every check costs a use; which of several is drawn.
        if "ties" not in house:
            asked = night.counted(places)
            undecided[np.flatnonzero((left > 0) & (left < asked)) // night.seats] = True
        rank = rank_within(places, _BY_NAME[night.what[rows]], night.actor[rows])
        turned[rows[rank >= left[places]]] = False
        places = night.at[turned]
        cost = night.counted(places)
    else:
        cost = night.marked(places).astype(np.intp)
    spent[..., IMMUNITIES] += cost.reshape(-1, night.seats).astype(spent.dtype)
    return np.asarray(turned)


# ── Empowered Mafia. ──────────────────────────────────────────────────────────────────────────────────────

EMPOWERED_KINDS = CUSTOM_KINDS - {Compact.COMMUTE, Compact.ROLEBLOCK, Compact.GUARD} | {
    Compact.EMPOWER,
    Compact.AMPLIFY,
}
TOLD_BY_EMPOWERED = frozenset(
    {
        "em_r23",
        "em_r24",
        "em_r25",
        "em_r26",
        "em_r27",
        "em_r28",
        "em_r33",
        "phases",
        "ring",
        "ties",
        "wording",
    }
)
"""Options on which no night hangs that has one reading; under any other only the traced resolver tells it."""


def empowered_night(table: Table, orders: Orders, house: Set[str]) -> Dawn:
    """A night of Empowered Mafia. A use of the ability `incarcerate` that a Ninja has lost is spent.

    Undecided: nights in which incarcerations undo the power that they need (EM-R33).
    """
    night, deck = _Night(table, orders), table.deck
    game, actor, cell, at = night.game, night.actor, night.cell, night.at
    second = np.where(orders.second < 0, at, game * night.seats + orders.second)
    undecided = night.untold() | bool(house - TOLD_BY_EMPOWERED)
    mafioso = deck.side[night.card[cell]] == Side.MAFIA
    needy = ~mafioso & ~night.does(EMPOWER, FACTION_KILL)
    empowers, amplifies = night.does(EMPOWER), np.flatnonzero(night.does(AMPLIFY))

    def powered(gone: Bools) -> Bools:
        """EM-R3: who has power where the actions of `gone` are undone."""
        found = night.marked(at[empowers & ~gone[cell]])
        open_ = amplifies[~gone[cell[amplifies]]]
        while len(open_):
            passing = found[cell[open_]]
            if not passing.any():
                break
            found[at[open_[passing]]] = True
            found[second[open_[passing]]] = True
            open_ = open_[~passing]
        return found

    # Incarcerations: those that no reading changes are settled, again and again.
    rows = np.flatnonzero(night.does(JAIL))
    holding, unsettled = np.zeros(len(orders), bool), rows
    while len(unsettled):
        least = night.marked(at[holding])
        most = least.copy()
        most[at[unsettled]] = True
        low, high = powered(most), powered(least)
        owner = cell[unsettled]
        lacks = needy[unsettled]
        out = least[owner] | (lacks & ~high[owner])
        sure = ~most[owner] & (~lacks | low[owner])
        if not (out | sure).any():
            break
        holding[unsettled[sure]] = True
        unsettled = unsettled[~out & ~sure]
    undecided[game[unsettled]] = True
    gone = night.marked(at[holding])
    power = powered(gone)
    # EM-R10: a Strongman's Murder goes on from jail.
    piercing = night.trait("piercing")
    murders = night.does(FACTION_KILL)
    through_walls = murders & piercing[cell] if piercing is not None else np.zeros(len(orders), bool)
    stands = ~gone[cell] | holding | through_walls
    works = stands & (power[cell] | ~needy)
    pierces = murders & (through_walls | ((orders.extra & Extra.OBLITERATE) > 0))
    # EM-R7, EM-R15, EM-R16: shots and explosions come at once; prisoners and the protected survive.
    shielded = gone | night.marked(at[night.does(HEAL) & works])
    shots = works & night.does(FACTION_KILL, KILL)
    landed = shots & (pierces | ~shielded[at])
    dead = night.marked(at[landed])
    targeting = stands & (night.first >= 0)
    serial = night.trait("serial_bomb")
    if serial is not None:
        armed = serial & power
        caught = targeting & ((armed[at] & (at != cell)) | (armed[second] & (second != cell)))
        blown = cell[caught]
        dead[blown[~shielded[blown]]] = True
    bomb = night.trait("bomb")
    if bomb is not None:
        struck = cell[landed & (bomb & power)[at]]  # EM-R17
        dead[struck[~shielded[struck]]] = True
    # EM-R20 to EM-R22, EM-R32: reports.
    word, seen = np.full(len(orders), NO_WORD, np.int16), np.zeros(len(orders), np.uint64)
    told = works & ~gone[cell]
    checks = told & night.does(CHECK)
    word[checks] = deck.found[night.what[checks], night.card[at[checks]]]
    looks = told & night.does(TRACK, WATCH)
    if looks.any():
        visits = targeting & ((orders.extra & Extra.INVISIBLE) == 0)
        _looked(night, looks, visits, word, seen, hidden=True)
        _looked_twice(night, looks, visits & (orders.second >= 0), second, seen)
    # EM-R12: who used Adaptability without power has lost it.
    spent = np.zeros_like(table.uses)
    adaptable = night.trait("adaptable")
    if adaptable is not None:
        adapts = adaptable[cell] & (night.does(JAIL) | ((orders.extra & Extra.OBLITERATE) > 0))
        lost = adapts & stands & ~power[cell]
        spent[game[lost], actor[lost], ADAPTABILITY] = 1
    return Dawn(night.shaped(dead), spent, word, seen, undecided)


def _looked_twice(night: _Night, looks: Bools, visits: Bools, second: Ints, seen: Ints) -> None:
    """Add the second targets of Amplifiers to what trackers and watchers see."""
    if not visits.any():
        return
    tracks, watches = looks & night.does(TRACK), looks & night.does(WATCH)
    went = night.bits(night.cell[visits], night.orders.second[visits])
    came = night.bits(second[visits], night.actor[visits])
    seen[tracks] |= went[night.at[tracks]]
    seen[watches] |= came[night.at[watches]] & ~bit(night.actor[watches])
