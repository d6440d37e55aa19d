"""The review of a setup: what is wrong with it, what each role is worth, how much hangs on the deal.

What two volunteers do by hand for each game of a queue. Faults are found by the cards alone
(`simulation/review_faults.py`); power is measured by playing, each role by the same random games with it and
with a vanilla card in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from knightfall.engine.game import nearest
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.playout import seat_names
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import Ability
from knightfall.games.custom_mafia.catalog import GOON, TOWNIE
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import SETUP, Setup
from knightfall.games.custom_mafia.options import parse_options as rules_of
from knightfall.games.custom_mafia.roles import SIDES, UnknownRoleWord, near_words, parse_role
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.mafia.roles import Alignment, Role
from knightfall.pictures.chances import Chances, SideChance, chances_scene, chances_text
from knightfall.pictures.svg import svg_text
from knightfall.sentence import Way, sentence
from knightfall.services.balance import SIDE_NAMES, check_plot, shares
from knightfall.services.boards import write_scene
from knightfall.services.deal import setup_said
from knightfall.services.requests import ReviewRequest
from knightfall.simulation.counts import PairCounts
from knightfall.simulation.deals import Deal, Deals, deals_of
from knightfall.simulation.intervals import Share, paired_difference, wilson
from knightfall.simulation.normal_roles import NAMES, SOURCE, folded
from knightfall.simulation.review_faults import (
    Numbers,
    Remark,
    Weight,
    numbers_of,
    powers,
    remarks,
)
from knightfall.simulation.run import CHUNK, Question, is_slow, play_either
from knightfall.simulation.workers import in_order, spread
from knightfall.writeups.render import render

GAMES, GAMES_SLOW = 10_000, 4_000
"""Games of each question unless it is said how many, and where a card asks for the full rules at night."""
NOISES = (2, 3, 4, 6, 8)
"""How well the town reads: from 2, very well, to 8, hardly. A share is told as a band over them."""
MIDDLE = 4
MOST_DEALS = 16
"""Deals that are played each by itself, likeliest first."""
NORMAL = "normal"
STRICT = (NORMAL,)
"""The lists that names can be held against."""
DEALS_FOR_PMS = 40
"""Deals by which the longest role PM is looked for."""
QUICK = 2 * CHUNK
"""Games in all that are not worth a second process."""

Told = Callable[[int, int], None]
"""Told how many games were played, and of how many."""


@dataclass(frozen=True, slots=True)
class RoleWorth:
    """What all cards of a role are worth to their side: by how much its share is above the one with vanilla
    cards in their place, by the same random games. `dealt`: how many a game has on average."""

    role: str
    side: str
    dealt: float
    worth: Share


@dataclass(frozen=True, slots=True)
class DealShare:
    """The town's share with one deal, whose chance is `chance`. `name`: its row, or what it has."""

    name: str
    chance: float
    town: Share


@dataclass(frozen=True, slots=True)
class FirstDeath:
    """The town's share in the games in which the role died in the first night; `games`: their share."""

    role: str
    games: float
    town: Share


@dataclass(frozen=True, slots=True)
class Play:
    """How often each side wins where everybody plays so; `noise` 0: at random."""

    policy: str
    noise: int
    sides: Mapping[str, Share]


@dataclass(frozen=True, slots=True)
class PmSize:
    """The characters of a role PM without markup."""

    role: str
    characters: int


@dataclass(frozen=True, slots=True, repr=False)
class Review(JsonAnswer):
    """Everything a review says of a setup. `plays`: at random first, then by how well the town reads; they,
    `worth`, `by_deal` and `first_night` are empty where a deal is over before it begins."""

    title: str
    players: int
    strict: str
    policy: str
    seed: int
    games: int
    remarks: tuple[Remark, ...]
    numbers: Numbers
    plays: tuple[Play, ...]
    worth: tuple[RoleWorth, ...]
    by_deal: tuple[DealShare, ...]
    first_night: tuple[FirstDeath, ...]
    pms: tuple[PmSize, ...]

    @property
    def band(self) -> Mapping[str, tuple[float, float]]:
        """The least and the most share of each side, over how well the town reads."""
        read = [play for play in self.plays if play.noise]
        sides = dict.fromkeys(name for play in read for name in play.sides)
        none = Share(0.0, 0.0, 0.0)
        each = {name: [play.sides.get(name, none).share for play in read] for name in sides}
        return {name: (min(found), max(found)) for name, found in each.items()}

    @property
    def swing(self) -> float:
        """How far apart the town's shares of two deals are; 0 where there is one."""
        found = [one.town.share for one in self.by_deal]
        return max(found) - min(found) if found else 0.0

    @property
    def longest_pm(self) -> PmSize:
        """The longest role PM."""
        return max(self.pms, key=lambda pm: pm.characters)

    def counted(self, weight: Weight) -> int:
        """How many remarks weigh so."""
        return sum(one.weight is weight for one in self.remarks)

    def to_dict(self) -> dict[str, object]:
        """{title, players, strict, policy, seed, games, remarks: [{key, weight, text, role, share}], numbers,
        band: {side: [least, most]}, plays: [{policy, noise, sides}], worth: [{role, side, dealt, worth}],
        swing, by_deal: [{name, chance, town}], first_night: [{role, games, town}], pms: [{role,
        characters}]}."""
        return {
            "title": self.title,
            "players": self.players,
            "strict": self.strict,
            "policy": self.policy,
            "seed": self.seed,
            "games": self.games,
            "remarks": [{**asdict(one), "weight": one.weight.value} for one in self.remarks],
            "numbers": asdict(self.numbers),
            "band": {name: list(ends) for name, ends in self.band.items()},
            "plays": [
                {"policy": one.policy, "noise": one.noise, "sides": shares(one.sides)} for one in self.plays
            ],
            "worth": [
                {"role": one.role, "side": one.side, "dealt": one.dealt, "worth": one.worth._asdict()}
                for one in self.worth
            ],
            "swing": self.swing,
            "by_deal": [
                {"name": one.name, "chance": one.chance, "town": one.town._asdict()} for one in self.by_deal
            ],
            "first_night": [
                {"role": one.role, "games": one.games, "town": one.town._asdict()} for one in self.first_night
            ],
            "pms": [asdict(one) for one in self.pms],
        }


def review_of(request: ReviewRequest, told: Told | None = None) -> Review:
    """Review a setup.

    Raises InputError for what is no setup of a moderator's own, for a number of players it is not for and for
    an unknown list or policy; SetupError for a file that cannot be read.
    """
    table, unknown = _table(request)
    setup = parse_setup(table)
    players = _players(setup, request.players)
    rules = rules_of(setup.given)
    deals = deals_of(setup, players)
    found = (*unknown, *remarks(setup, deals, rules, request.strict))
    question = Question("custom_mafia", {SETUP: table}, players, request.policy)
    empty = Review(
        title=setup.name,
        players=players,
        strict=request.strict,
        policy=request.policy,
        seed=request.seed,
        games=request.games or GAMES,
        remarks=found,
        numbers=numbers_of(setup, deals, rules, players),
        plays=(),
        worth=(),
        by_deal=(),
        first_night=(),
        pms=(),
    )
    if any(one.key == "over" for one in found):
        return empty
    if setup.has_rivals:
        alone = Remark("several_mafias", Weight.NOTE, "There is more than one mafia: no games were played.")
        return replace(empty, remarks=(*found, alone), pms=_pms(table, players))
    games = request.games or (GAMES_SLOW if is_slow(question) else GAMES)
    whole = replace(empty, games=games, pms=_pms(table, players))
    return _measured(whole, question, setup, deals, request, told)


def checked_review(request: ReviewRequest) -> None:
    """Raises what `review_of` would raise before it plays."""
    table, _ = _table(request)
    setup = parse_setup(table)
    _players(setup, request.players)


# ── What is asked. ────────────────────────────────────────────────────────────────────────────────────────


def _table(request: ReviewRequest) -> tuple[dict[str, Any], tuple[Remark, ...]]:
    """The setup's table with a vanilla card for each that is not known, and what is said of these."""
    strict = request.strict.casefold()
    if strict and strict not in STRICT:
        raise InputError(
            sentence(
                "{strict} {said}: there is no such list{near} Lists: {lists}.",
                strict=Way("field", name="strict"),
                said=request.strict,
                near=nearest(request.strict, STRICT),
                lists=", ".join(STRICT),
            )
        )
    given: Any = setup_said(request.what) if isinstance(request.what, str) else request.what
    if not isinstance(given, Mapping):
        raise InputError(f"“{given}”: a review reads a setup of your own. Name its file (.toml).")
    unknown: dict[str, Remark] = {}

    def known(name: str) -> str:
        try:
            parse_role(name)
        except InputError as error:
            card = _vanilla_for(name)
            if isinstance(error, UnknownRoleWord):
                near = near_words(error.written[error.at :], 1)
                why = f": the nearest word is {near[0]}" if near else ""
            else:
                why = f": {str(error).rstrip('.')}"
            text = f"“{name}” is not modelled, and counted as {card}{why}."
            unknown.setdefault(name, Remark("not_modelled", Weight.FAULT, text, name))
            return card
        return name

    table = with_roles(given, known)
    found = list(unknown.values())
    if strict == NORMAL:
        for name in unknown:
            words = folded(name.casefold().replace("town", "").replace("mafia", ""))
            if not any(words.endswith(listed) for listed in NAMES):
                found.append(Remark("off_list", Weight.FAULT, f"“{name}” is not on {SOURCE}.", name))
    return table, tuple(found)


def _vanilla_for(name: str) -> str:
    """The vanilla card of the side that a name says."""
    mafia = any(word in name.casefold() for word in ("mafia", "goon", "werewol"))
    return f"{SIDES[1].name} {GOON.name}" if mafia else TOWNIE.name


_ROLE_KEYS = ("role", "one_of", "from", "roles", "cards", "fill")
"""What names roles in a table of a setup file; `fill` of a slot is true or false, and stays."""


def with_roles(given: Mapping[str, Any], changed: Callable[[str], str]) -> dict[str, Any]:
    """A setup's table with each role as `changed` says; what is no text stays."""

    def role(value: object) -> object:
        if isinstance(value, list | tuple):
            return [role(one) for one in value]
        return changed(value) if isinstance(value, str) else value

    def line(table: object) -> object:
        if not isinstance(table, Mapping):
            return table
        return {
            key: lines(value) if key == "letter" else role(value) if key in _ROLE_KEYS else value
            for key, value in table.items()
        }

    def lines(value: object) -> object:
        return [line(one) for one in value] if isinstance(value, list | tuple) else value

    return {
        key: lines(value) if key in ("slots", "row") else line(value) if key == "letters" else value
        for key, value in given.items()
    }


def _players(setup: Setup, said: int) -> int:
    """Raises InputError for a number of players that the setup is not for."""
    players = said or (max(9, setup.least) if setup.filled else setup.least)
    if players < setup.least or (players > setup.least and not setup.filled):
        more = " or more" if setup.filled else ""
        raise InputError(f"{setup.name} is for {setup.least}{more} players; found {players}.")
    return players


# ── What is played. ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question of a review: a setup, or two that are compared; `games` of each."""

    kind: str
    name: str
    first: Question
    second: Question | None
    games: int

    def tasks(self, seed: int) -> Iterator[tuple[Any, ...]]:
        """The chunks."""
        for number in range(0, self.games, CHUNK):
            size = min(CHUNK, self.games - number)
            yield self.first, self.second, seed, number // CHUNK, size


def _measured(
    review: Review,
    question: Question,
    setup: Setup,
    deals: Deals,
    request: ReviewRequest,
    told: Told | None,
) -> Review:
    """The review with what is found by playing."""
    roles = {role.name: role for deal in deals.deals for role in deal.roles}
    weighed = [
        role
        for role in roles.values()
        if powers(role) and role.alignment in _VANILLA and Ability.OWN not in role.abilities
    ]
    listed = deals.deals[:MOST_DEALS] if len(deals.deals) > 1 else ()
    plays = [
        (name, noise, replace(question, policy=name))
        for name, noise in (("random", 0), *((_reading(request.policy, noise), noise) for noise in NOISES))
    ]
    middle = replace(question, policy=_reading(request.policy, MIDDLE))
    asked = [_Asked("play", name, one, None, review.games) for name, _, one in plays]
    asked += [
        _Asked("worth", role.name, middle, _without(middle, role), review.games)
        for role in sorted(weighed, key=lambda role: (str(role.alignment), role.name))
    ]
    asked += [
        _Asked("deal", str(place), _dealt(middle, setup, deal), None, max(1, review.games // 4))
        for place, deal in enumerate(listed)
    ]
    found = _played(asked, request, told)
    counts = {(one.kind, one.name): counted for one, counted in zip(asked, found, strict=True)}
    base = counts["play", middle.policy].first
    return replace(
        review,
        plays=tuple(
            Play(name, noise, _sides(counts["play", name].first.won, review.games))
            for name, noise, _ in plays
        ),
        worth=tuple(
            _worth(roles[one.name], counted, base.dealt[one.name] / base.games)
            for one, counted in zip(asked, found, strict=True)
            if one.kind == "worth"
        ),
        by_deal=tuple(
            DealShare(
                deal_name(deal, deals), deal.chance, _share(counts["deal", str(place)].first.won, "town")
            )
            for place, deal in enumerate(listed)
        ),
        first_night=tuple(
            FirstDeath(role, won.total() / base.games, _share(won, "town"))
            for role, won in sorted(base.fell.items(), key=lambda fell: -fell[1].total())
        ),
    )


def _played(asked: Sequence[_Asked], request: ReviewRequest, told: Told | None) -> list[PairCounts]:
    """The sums of each question, all of them shared out over the same workers."""
    tasks = [(place, task) for place, one in enumerate(asked) for task in one.tasks(request.seed)]
    whole = sum(task[-1] for _, task in tasks)
    few = whole <= QUICK and not request.scheduler
    arguments = [task for _, task in tasks]
    answers = (
        in_order(play_either, arguments, 1)
        if few
        else spread(play_either, arguments, request.workers, request.scheduler)
    )
    found = [PairCounts() for _ in asked]
    done = 0
    for (place, task), counted in zip(tasks, answers, strict=True):
        found[place].add(counted)
        done += task[-1]
        if told is not None:
            told(done, whole)
    return found


_VANILLA: Mapping[Alignment, str] = {
    Alignment.TOWN: TOWNIE.name,
    Alignment.MAFIA: f"{SIDES[1].name} {GOON.name}",
}
"""The card without a power of each side that has one."""


def _reading(policy: str, noise: int) -> str:
    """The policy where the town reads so well; one with knobs said, mixed or without such a knob stays."""
    return f"{policy}:noise={noise}" if policy in ("follow-the-claims", "suspicion") else policy


def _without(question: Question, role: Role) -> Question:
    """The setup with vanilla cards in the place of a role's."""
    vanilla = _VANILLA[role.alignment]
    table = with_roles(
        question.options[SETUP], lambda said: vanilla if parse_role(said).name == role.name else said
    )
    return replace(question, options={SETUP: table})


def _dealt(question: Question, setup: Setup, deal: Deal) -> Question:
    """The setup with one deal alone, of which the players know no more than of any other."""
    return replace(question, dealt=deal.table(setup.name, setup.night_first, setup.given))


def _sides(won: Counter[str], games: int) -> dict[str, Share]:
    return {name: wilson(hits, games) for name, hits in won.most_common()}


def _share(won: Counter[str], side: str) -> Share:
    return wilson(won[side], won.total())


def _worth(role: Role, counted: PairCounts, dealt: float) -> RoleWorth:
    side = str(role.alignment)
    return RoleWorth(role.name, side, dealt, paired_difference(*counted.alone(side), counted.games))


def deal_name(deal: Deal, deals: Deals) -> str:
    """What tells a deal from the others: its row, or the cards that not every deal has so often."""
    common = deals.deals[0].cards.copy()
    for other in deals.deals:
        common &= other.cards
    own = deal.cards - common
    cards = ", ".join(f"{number} {name}" if number > 1 else name for name, number in sorted(own.items()))
    return f"{deal.row}: {cards}" if deal.row and cards else deal.row or cards or "nothing else"


def _pms(table: Mapping[str, Any], players: int) -> tuple[PmSize, ...]:
    """The role PMs of every card that some deals had, longest first."""
    slots = seat_names(players)
    sizes: dict[str, int] = {}
    for number in range(DEALS_FOR_PMS):
        state = CUSTOM_MAFIA.deal(slots, {SETUP: table}, SeededRng(b"review %d" % number))
        for slot, role in state.cards.items():
            if role.name not in sizes:
                facts = CUSTOM_MAFIA.first_pm(state, slot).facts
                sizes[role.name] = len(render(f"{CUSTOM_MAFIA.spec.id}/{facts.kind}", facts))
    return tuple(PmSize(*one) for one in sorted(sizes.items(), key=lambda size: (-size[1], size[0])))


# ── As a post, and as a picture. ──────────────────────────────────────────────────────────────────────────


def review_post(found: Review, dialect: str = "plain") -> str:
    """The review as a post in a dialect. Raises InputError for an unknown dialect."""
    facts = {
        **{name: getattr(found, name) for name in ("title", "players", "policy", "games", "seed", "numbers")},
        "groups": {weight.value: [one for one in found.remarks if one.weight is weight] for weight in Weight},
        "strict": SOURCE if found.strict else "",
        "random": next((one.sides for one in found.plays if not one.noise), {}),
        "band": found.band,
        "reads": len({one.policy for one in found.plays if one.noise}) > 1,
        "noises": NOISES,
        "sides": SIDE_NAMES,
        "worth": found.worth,
        "by_deal": found.by_deal,
        "swing": found.swing,
        "first_night": found.first_night,
        "pms": found.pms,
    }
    return render("any/review", facts, dialect)


def review_svg(found: Review) -> str:
    """Shares by how well the town reads, and by deal, as SVG."""
    return svg_text(chances_scene(_chances(found)))


def review_plot(found: Review) -> str:
    """The same as text, at most 80 columns wide."""
    return chances_text(_chances(found))


def write_review_plot(found: Review, path: Path) -> None:
    """The same as SVG or PNG, by the ending. Raises InputError as `write_balance_plot`."""
    check_plot(path)
    write_scene(chances_scene(_chances(found)), path)


def _chances(found: Review) -> tuple[Chances, ...]:
    about = f"{found.players} players, {found.games:,} games each"
    drawn = [
        Chances(
            f"{found.title}: the town's share by how it reads",
            about,
            tuple(
                SideChance(
                    f"noise {play.noise}" if play.noise else "at random",
                    *play.sides.get("town", Share(0.0, 0.0, 0.0)),
                )
                for play in found.plays
            ),
            (),
        )
    ]
    if found.by_deal:
        shown = tuple(SideChance(one.name, *one.town) for one in found.by_deal)
        drawn.append(Chances("The town's share by deal", about, shown, ()))
    return tuple(drawn)
