"""How a setup or a game would end, many times over: each side's chance, the length, who survives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.games import PLACES, loaded
from knightfall.games.custom_mafia.options import SETUP
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.pictures.chances import Chances, DayEnds, SideChance, chances_scene, chances_text
from knightfall.pictures.svg import svg_text
from knightfall.sentence import Way, sentence
from knightfall.services.boards import ENDINGS, write_scene
from knightfall.services.deal import setup_for
from knightfall.services.games import chosen_values, game_named
from knightfall.services.requests import BalanceRequest
from knightfall.simulation.counts import Counts
from knightfall.simulation.intervals import Share, difference, wilson
from knightfall.simulation.run import (
    PairRun,
    Question,
    Run,
    Terms,
    differences,
    each_with_its_insane,
    run,
    run_pairs,
)

_CUSTOM = "custom_mafia"
GAMES = 100_000
"""Games that are played unless it is said how many."""
GAMES_PLAYED = 200
"""The same for games that are played by their own protocol."""
FILLED = 9
"""Players of a setup that takes any number."""

SIDE_NAMES: Mapping[str, str] = {
    "town": "Town",
    "mafia": "Mafia",
    "sk": "Serial Killer",
    "jester": "Jester",
    "survivor": "Survivor",
}
"""What sides are called where people read of them; “nobody” and seats have no other name."""

Told = Callable[[Counts, int], None]
"""Told how it stands after each chunk, and of how many games."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Of a day or night: the share of games that ended then, and who won how many of them."""

    when: str
    share: float
    won: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RoleChance:
    """Of a role's cards: how many were dealt a game, how often one lived to the end, how often it won."""

    role: str
    dealt: float
    alive: Share
    wins: Share


@dataclass(frozen=True, slots=True, repr=False)
class Balance(JsonAnswer):
    """The chances of a setup under a policy.

    `sides`: who wins → share; `along`: who wins beside them, such as a Survivor. `length` is the mean number
    of days begun, or of `unit`; `survivors` how many live at the end. `simulated`: by the compact simulator,
    else by the game's own protocol, which is slower. `enough`: the interval that was asked for is reached.
    """

    title: str
    game: str
    players: int
    policy: str
    seed: int
    games: int
    simulated: bool
    enough: bool
    sides: Mapping[str, Share]
    along: Mapping[str, Share]
    length: float
    unit: str
    survivors: float
    by_day: tuple[Ending, ...]
    roles: tuple[RoleChance, ...]
    nights: int
    traced: int

    def to_dict(self) -> dict[str, object]:
        """{title, game, players, policy, seed, games, simulated, enough, sides: {name: {share, low, high}},
        along, length: {mean, unit}, survivors, by_day: [{when, share, won: {name: share}}], roles: [{role,
        dealt, alive, wins}], nights: {played, traced}}."""
        return {
            "title": self.title,
            "game": self.game,
            "players": self.players,
            "policy": self.policy,
            "seed": self.seed,
            "games": self.games,
            "simulated": self.simulated,
            "enough": self.enough,
            "sides": shares(self.sides),
            "along": shares(self.along),
            "length": {"mean": self.length, "unit": self.unit},
            "survivors": self.survivors,
            "by_day": [{"when": one.when, "share": one.share, "won": dict(one.won)} for one in self.by_day],
            "roles": [
                {
                    "role": one.role,
                    "dealt": one.dealt,
                    "alive": one.alive._asdict(),
                    "wins": one.wins._asdict(),
                }
                for one in self.roles
            ],
            "nights": {"played": self.nights, "traced": self.traced},
        }


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(JsonAnswer):
    """Two balances; `differences`: by how much each side's share of the first is above the second's.
    `paired`: both were played with common random numbers, and the intervals are of the paired games."""

    first: Balance
    second: Balance
    differences: Mapping[str, Share]
    paired: bool

    def to_dict(self) -> dict[str, object]:
        """{first, second: as of one balance, differences: {name: {share, low, high}}, paired}."""
        first, second = self.first.to_dict(), self.second.to_dict()
        return {
            "first": first,
            "second": second,
            "differences": shares(self.differences),
            "paired": self.paired,
        }


def policy_names() -> tuple[str, ...]:
    """How everybody can play: our policies, then those of other packages."""
    from knightfall.simulation import policies  # nothing else waits for numpy

    return policies.policy_names()


def shares(given: Mapping[str, Share]) -> dict[str, dict[str, float]]:
    """Shares as JSON has them."""
    return {name: share._asdict() for name, share in given.items()}


def balance_of(request: BalanceRequest, told: Told | None = None) -> Balance:
    """Play the request.

    Raises InputError for what cannot be played, SetupError for a setup file that cannot be read, StateDamaged
    where the file to resume from is another question's.
    """
    title, question = question_of(request)
    terms = _terms(request, question)
    last = Run()
    for last in run(question, terms):
        if told is not None:
            told(last.counts, terms.games)
    return _balance(title, question, request, last.counts, last.enough)


def compared(request: BalanceRequest, other: BalanceRequest, told: Told | None = None) -> Comparison:
    """Play both by the terms of the first, with common random numbers: the same deal and the same chance
    where seats match. Only a game that is simulated and one that is not are played each by itself.

    With `within` it stops as soon as every difference is so narrow. Raises as `balance_of`.
    """
    (title, question), (beside, counterpart) = question_of(request), question_of(other)
    if question.simulated is not counterpart.simulated:
        file = request.resume and request.resume.with_name(f"{request.resume.name}.2")
        first, second = balance_of(request, told), balance_of(replace(other, resume=file), told)
        none = [wilson(0, one.games) for one in (first, second)]
        apart = {
            name: difference(first.sides.get(name, none[0]), second.sides.get(name, none[1]))
            for name in dict.fromkeys((*first.sides, *second.sides))
        }
        return Comparison(first, second, apart, paired=False)
    if question.simulated and question.insane:
        question, counterpart = each_with_its_insane(question, counterpart)
    terms = _terms(request, question)
    last = PairRun()
    for last in run_pairs(question, counterpart, terms):
        if told is not None:
            told(last.counts.first, terms.games)
    counts = last.counts
    return Comparison(
        _balance(title, question, request, counts.first, last.enough),
        _balance(beside, counterpart, request, counts.second, last.enough),
        differences(counts),
        paired=True,
    )


def _terms(request: BalanceRequest, question: Question) -> Terms:
    """How much is played, and where. Raises InputError for what is out of range."""
    games = request.games or (GAMES if question.simulated else GAMES_PLAYED)
    if games < 1:
        raise InputError(
            sentence(
                "{games} {said}: expected 1 or more.", games=Way("field", name="games"), said=request.games
            )
        )
    if request.within is not None and not 0 < request.within < 1:
        raise InputError(
            sentence(
                "{within} {said:g}: expected a share such as 0.5%.",
                within=Way("field", name="within"),
                said=request.within,
            )
        )
    return Terms(games, request.seed, request.within, request.workers, request.resume, request.scheduler)


# ── As a picture. ─────────────────────────────────────────────────────────────────────────────────────────


def balance_svg(found: Balance | Comparison) -> str:
    """Shares with their intervals, and when games end, as SVG."""
    return svg_text(chances_scene(_chances(found)))


def balance_plot(found: Balance | Comparison) -> str:
    """The same as text, at most 80 columns wide."""
    return chances_text(_chances(found))


def write_balance_plot(found: Balance | Comparison, path: Path) -> None:
    """The same as SVG or PNG, by the ending. Raises InputError for another ending, where the file cannot be
    written, and for a PNG where matplotlib is not installed."""
    check_plot(path)
    write_scene(chances_scene(_chances(found)), path)


def check_plot(path: Path) -> None:
    """Raises InputError for the name of a file that is no picture."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(
            sentence(
                "{plot} {path}: a picture ends in {endings}; - prints it as text.",
                plot=Way("field", name="plot"),
                path=path,
                endings=" or ".join(ENDINGS),
            )
        )


def _chances(found: Balance | Comparison) -> tuple[Chances, ...]:
    if isinstance(found, Comparison):
        return (*_chances(found.first), *_chances(found.second))
    beside = " along" if found.simulated else ""
    sides = [(SIDE_NAMES.get(name, name), share) for name, share in found.sides.items()]
    sides += [(f"{SIDE_NAMES.get(name, name)}{beside}", share) for name, share in found.along.items()]
    ends = [
        DayEnds(one.when, tuple((SIDE_NAMES.get(name, name), share) for name, share in one.won.items()))
        for one in found.by_day
    ]
    about = f"{found.players} players, {found.games:,} games, policy {found.policy}"
    shown = tuple(SideChance(name, *share) for name, share in sides)
    return (Chances(found.title, about, shown, tuple(ends)),)


# ── What is asked, and what was counted. ──────────────────────────────────────────────────────────────────


def question_of(request: BalanceRequest) -> tuple[str, Question]:
    """The title, and what is asked of the simulator. Raises InputError and SetupError."""
    what: Any = setup_for(_CUSTOM, request.what) if isinstance(request.what, str) else request.what
    if isinstance(what, Mapping):
        setup = parse_setup(what)
        players = request.players or (max(FILLED, setup.least) if setup.filled else setup.least)
        given = {**_checked("custom_mafia", request.options), SETUP: dict(what)}
        return setup.name, Question("custom_mafia", given, players, request.policy, request.insane)
    game = game_named(what)
    name = game.spec.id
    given = _checked(name, request.options)
    players = request.players or (FILLED if name == "custom_mafia" else game.spec.players[0])
    return game.spec.name, Question(name, given, players, request.policy, request.insane)


def _checked(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as they were given. Raises InputError for one that the game does not know."""
    if game in PLACES:
        spec = loaded(game).spec
        chosen_values(spec.name, spec.options, {n: v for n, v in options.items() if isinstance(v, str)})
    return dict(options)


def _balance(
    title: str, question: Question, request: BalanceRequest, counts: Counts, enough: bool
) -> Balance:
    games = counts.games

    def share(hits: int) -> Share:
        return wilson(hits, games)

    ends = sorted(counts.ends.items(), key=lambda end: (_number(end[0]), _order(counts, end[0])))
    length = sum(_number(when) * won.total() for when, won in ends) / max(1, games)
    by_day = tuple(
        Ending(when, won.total() / games, {name: n / games for name, n in won.most_common()})
        for when, won in ends
    )
    return Balance(
        title=title,
        game=question.game,
        players=question.players,
        policy=question.policy,
        seed=request.seed,
        games=games,
        simulated=question.simulated,
        enough=enough,
        sides={name: share(hits) for name, hits in counts.won.most_common()},
        along={name: share(hits) for name, hits in sorted(counts.also.items(), key=_by_number)},
        length=length,
        unit="days" if question.simulated else "entries",
        survivors=counts.left / max(1, games),
        by_day=by_day if question.simulated else (),
        roles=tuple(
            RoleChance(
                role, dealt / games, wilson(counts.alive[role], dealt), wilson(counts.carried[role], dealt)
            )
            for role, dealt in counts.dealt.most_common()
        ),
        nights=counts.nights,
        traced=counts.traced,
    )


def _by_number(along: tuple[str, int]) -> tuple[int, str]:
    """“seat 2” before “seat 10”."""
    return len(along[0]), along[0]


def _number(when: str) -> int:
    """The 3 of “day 3”."""
    return int(when.rpartition(" ")[2])


def _order(counts: Counts, when: str) -> bool:
    """Which of a day and a night of one number comes first: the game begins with what is never later."""
    night_first = "night 1" in counts.ends and "day 1" not in counts.ends
    return when.startswith("day") is night_first
