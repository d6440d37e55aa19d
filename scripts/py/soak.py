"""Does a game stand a long time of random play? Nights of the mafia games under their laws; whole matches.

Usage: scripts/soak GAME [COUNT] [SEED] [--jobs N]      N matches at a time (1)
       scripts/soak GAME --secrets [COUNT] [SEED]     whole games whose public posts are read for roles
       scripts/soak GAME --compact [COUNT] [SEED]     a mafia game's nights, simulated beside traced
       scripts/soak GAME --texts [COUNT] [SEED]       whole games whose texts are read by every board's rules

Of Knight's Duty COUNT matches are played for each number of players.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any

import matches_knights_duty
import nights_custom_mafia
import nights_empowered
import nights_knight_errant
from playouts import play_one
from playthrough import PLAYERS
from rich.console import Console
from rich.progress import Progress, track

from knightfall.engine.playout import Playout
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES, empowered, knight_errant
from knightfall.games.custom_mafia import rules as custom_mafia
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion
from knightfall.mafia.night import NO_RESULT, Action, Fate, Night, Reason
from properties import empowered_paradox  # in tests
from properties import knight_fight as fight_laws  # in tests
from properties.knights_duty import broken_laws  # in tests
from properties.secrecy import told_too_early  # in tests
from properties.texts import machine_words, misread, texts  # in tests
from simulation.compact import compared  # in tests

COUNT = 200_000
MATCHES = 10_000
THREADS = 1_000
TEXTS = 50
COMPACT = 100_000
CHUNK = 8  # matches that a process takes at once
gc.set_threshold(100_000, 20, 20)  # a match makes many small values and next to no cycles

Resolved = Callable[[Any, Iterable[Action]], Any]


def night_of(found: Any) -> Night:
    """Some games wrap their night in what they add."""
    return found.night if isinstance(found, empowered.EmpoweredNight | CustomNight) else found


def check_laws(resolve: Resolved, dusk: Any, actions: list[Action], chance: random.Random) -> None:
    """Order changes nothing, nor does resolving again; a strong kill kills; No Result comes of a block."""
    found = resolve(dusk, actions)
    assert resolve(dusk, actions) == found, "resolving again changes the night"
    assert resolve(dusk, chance.sample(actions, len(actions))) == found, "the order changes the night"
    if isinstance(found, CycleQuestion):
        _check_readings(resolve, dusk, actions, found)
        return
    night = night_of(found)
    dead = {death.slot for death in night.deaths}
    for note in night.trace:
        assert note.reason != Reason.UNSTOPPABLE or note.action.targets[0] in dead, note
    _check_reports(night)


def _check_readings(resolve: Resolved, dusk: Any, actions: list[Action], knot: CycleQuestion) -> None:
    """Ruled on, a knot leads to the night that its reading told; a further knot is looked into more then."""
    for reading in knot.readings:
        ruled = replace(dusk, ruled={**dusk.ruled, knot.key: reading.choice})
        after = resolve(ruled, actions)
        assert isinstance(reading.leads_to, CycleQuestion) or after == reading.leads_to, (
            knot.key,
            reading.choice,
        )


def _check_reports(night: Night) -> None:
    """Whose report failed was stopped, or lacked what it asks for."""
    failed = {(n.action.actor, n.action.ability) for n in night.trace if n.fate in (Fate.BLOCKED, Fate.IDLE)}
    for result in night.results:
        if result.answer == NO_RESULT:
            assert (result.action.actor, result.action.ability) in failed, result


NIGHTS: Mapping[str, tuple[Callable[..., list[Any]], Resolved]] = MappingProxyType(
    {
        "knight_errant": (nights_knight_errant.dusks, knight_errant.resolve),
        "empowered": (nights_empowered.dusks, empowered.resolve),
        "custom_mafia": (nights_custom_mafia.dusks, custom_mafia.resolve),
    }
)


def soak_nights(game: str, count: int, seed: int) -> None:
    """So many random nights, with as few actions as none and as many as all can send."""
    dusks, resolve = NIGHTS[game]
    chance = random.Random(seed)
    for _ in track(range(count), f"Nights of {game}", console=Console(stderr=True)):
        [(dusk, actions)] = dusks(1, chance)
        check_laws(resolve, dusk, chance.sample(actions, chance.randint(0, len(actions))), chance)
        if game == "empowered":
            # Rings are rare among dealt cards: beside each night one with jailers in plenty (EM-R33).
            odd = empowered_paradox.disagreement(empowered_paradox.dense_night(chance))
            assert not odd, odd
    print(f"{game}: {count} nights, no failure")


def variant(game: str, seed: int, number: int) -> tuple[int | None, Mapping[str, object]]:
    """Players (None: the fewest) and options of a match: all subsets of the anomalies, all tables in turn."""
    if game == "knights_duty":
        return matches_knights_duty.table(seed + number)
    if game != "knight_fight":
        return None, {}
    chosen = [letter for place, letter in enumerate("ABCHSNT") if number >> place & 1]
    return None, {"anomalies": "".join(chosen) or "none"}


def _tables(game: str) -> int:
    """How many numbers of players take turns."""
    return len(matches_knights_duty.SIZES) if game == "knights_duty" else 1


LAWS: Mapping[str, Callable[[Playout[Any]], Iterable[str]]] = MappingProxyType(
    {
        "knight_fight": fight_laws.broken_laws,
        "knights_duty": lambda playout: broken_laws(playout.states),
    }
)
"""What does not hold in a match, in sentences: for the games that have laws of their own."""


def check_match(game: str, seed: int, number: int) -> None:
    """One match of many: it ends, replays to the same, and keeps the laws of its game."""
    [known] = [one for one in GAMES if one.spec.id == game]
    players, options = variant(game, seed, number)
    playout = play_one(known, seed + number, players, options)
    if game in LAWS:
        broken = next(iter(LAWS[game](playout)), "")
        assert not broken, f"{game}, seed {seed + number}, {players} players, {dict(options)}: {broken}"


def checked(game: str, count: int, seed: int, jobs: int) -> Iterator[None]:
    """Every match as it is done, on so many processes."""
    check = partial(check_match, game, seed)
    if jobs == 1:
        yield from map(check, range(count))
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(check, range(count), chunksize=CHUNK)


def soak_matches(game: str, count: int, seed: int, jobs: int = 1) -> None:
    """So many whole matches: each ends and replays to the same."""
    total = count * _tables(game)
    matches = checked(game, total, seed, jobs)
    for _ in track(matches, f"Matches of {game}", total=total, console=Console(stderr=True)):
        pass
    kept = ", and every law was kept" if game in LAWS else ""
    print(f"{game}: {total} matches ended and replayed to the same{kept}")


def soak_secrets(game: str, count: int, seed: int) -> None:
    """So many whole games: no public post before the end tells a living player's role."""
    known = {one.spec.id: one for one in GAMES}
    for number in track(range(seed, seed + count), f"Threads of {game}", console=Console(stderr=True)):
        playout = play_one(known[game], number, PLAYERS.get(game))
        told = told_too_early(known[game], playout, b"draw %d" % number)
        assert not told, f"{game}, seed {number}: {told[0]}"
    print(f"{game}: {count} games, no living player's role in public")


def soak_texts(game: str, count: int, seed: int) -> None:
    """So many whole games: every board reads every text, and none holds what is the program's own."""
    [known] = [one for one in GAMES if one.spec.id == game]
    for number in track(range(count), f"Texts of {game}", console=Console(stderr=True)):
        players, options = variant(game, seed, number)
        playout = play_one(known, seed + number, players or PLAYERS.get(game), options)
        chance = SeededRng(b"draw %d" % (seed + number))
        sent = tuple(texts(known, playout, chance))
        for found in (*misread(sent), *machine_words(sent, chance.log)):
            raise AssertionError(f"{game}, seed {seed + number}: {found}")
    print(f"{game}: {count} games, every text read whole")


def soak_compact(game: str, count: int, seed: int) -> None:
    """So many nights told by the simulator as by the traced resolver, those that it leaves to it left out."""
    chance = random.Random(seed)
    told = left = 0
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(f"Compact nights of {game}", total=count)
        while told < count:
            for odd in compared(game, chance):
                assert not odd, odd
                told, left = told + (odd is None), left + (odd is not None)
            bar.update(task, completed=told)
    print(f"{game}: {told} nights told alike, {left} more left to the traced resolver")


def _said(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("scripts/soak", usage=__doc__)
    parser.add_argument("game", type=lambda name: name.replace("-", "_"))
    parser.add_argument("count", type=int, nargs="?")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--secrets", action="store_true")
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("--compact", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_intermixed_args(words)


def main(words: list[str]) -> None:
    if not words:
        sys.exit(__doc__)
    said = _said(words)
    known = {one.spec.id for one in GAMES} | set(NIGHTS)
    if said.game not in known:
        sys.exit(f"There is no game {said.game!r}. Known: {', '.join(sorted(known))}.")
    if said.secrets:
        soak_secrets(said.game, said.count or THREADS, said.seed)
    elif said.compact and said.game in NIGHTS:
        soak_compact(said.game, said.count or COMPACT, said.seed)
    elif said.texts:
        soak_texts(said.game, said.count or TEXTS, said.seed)
    elif said.game in NIGHTS:
        soak_nights(said.game, said.count or COUNT, said.seed)
    else:
        soak_matches(said.game, said.count or MATCHES, said.seed, said.jobs)


if __name__ == "__main__":
    main(sys.argv[1:])
