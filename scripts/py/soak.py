"""Does a game stand a long time of random play? Nights of the mafia games under their laws; whole matches.

Usage: scripts/soak GAME [COUNT] [SEED]
       scripts/soak GAME --secrets [COUNT] [SEED]     whole games whose public posts are read for roles
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import nights_empowered
import nights_knight_errant
from playouts import play_one
from playthrough import PLAYERS
from rich.console import Console
from rich.progress import track

from knightfall.app.secrecy import told_too_early
from knightfall.games import GAMES, empowered, knight_errant
from knightfall.mafia.night import NO_RESULT, Action, Night, Reason

COUNT = 200_000
MATCHES = 10_000
THREADS = 1_000
SECRETS = "--secrets"

Resolved = Callable[[Any, Iterable[Action]], Any]


def night_of(found: Any) -> Night:
    """Empowered Mafia wraps its night in what it adds."""
    return found.night if isinstance(found, empowered.Outcome) else found


def check_laws(resolve: Resolved, dusk: Any, actions: list[Action], chance: random.Random) -> None:
    """Order changes nothing, nor does resolving again; a strong kill kills; No Result comes of a block."""
    found = resolve(dusk, actions)
    assert resolve(dusk, actions) == found, "resolving again changes the night"
    assert resolve(dusk, chance.sample(actions, len(actions))) == found, "the order changes the night"
    night = night_of(found)
    dead = {death.slot for death in night.deaths}
    for note in night.trace:
        assert note.reason != Reason.UNSTOPPABLE or note.action.targets[0] in dead, note
    _check_reports(night)


def _check_reports(night: Night) -> None:
    blocked = {note.action for note in night.blocked}
    for result in night.results:
        if result.answer == NO_RESULT:
            assert result.action in blocked, result


NIGHTS: Mapping[str, tuple[Callable[..., list[Any]], Resolved]] = MappingProxyType(
    {
        "knight_errant": (nights_knight_errant.dusks, knight_errant.resolve),
        "empowered": (nights_empowered.dusks, empowered.resolve),
    }
)


def soak_nights(game: str, count: int, seed: int) -> None:
    """So many random nights, with as few actions as none and as many as all can send."""
    dusks, resolve = NIGHTS[game]
    chance = random.Random(seed)
    for _ in track(range(count), f"Nights of {game}", console=Console(stderr=True)):
        [(dusk, actions)] = dusks(1, chance)
        check_laws(resolve, dusk, chance.sample(actions, chance.randint(0, len(actions))), chance)
    print(f"{game}: {count} nights, no failure")


def variant(game: str, number: int) -> Mapping[str, object]:
    """Other options for each match, where a game has variants: all subsets of the anomalies in turn."""
    if game != "knight_fight":
        return {}
    chosen = [letter for place, letter in enumerate("ABCHSNT") if number >> place & 1]
    return {"anomalies": "".join(chosen) or "none"}


def soak_matches(game: str, count: int, seed: int) -> None:
    """So many whole matches: each ends and replays to the same."""
    known = {one.spec.id: one for one in GAMES}
    for number in track(range(count), f"Matches of {game}", console=Console(stderr=True)):
        play_one(known[game], seed + number, options=variant(game, number))
    print(f"{game}: {count} matches ended and replayed to the same")


def soak_secrets(game: str, count: int, seed: int) -> None:
    """So many whole games: no public post before the end tells a living player's role."""
    known = {one.spec.id: one for one in GAMES}
    for number in track(range(seed, seed + count), f"Threads of {game}", console=Console(stderr=True)):
        playout = play_one(known[game], number, PLAYERS.get(game))
        told = told_too_early(known[game], playout, b"draw %d" % number)
        assert not told, f"{game}, seed {number}: {told[0]}"
    print(f"{game}: {count} games, no living player's role in public")


def main(words: list[str]) -> None:
    if not words:
        sys.exit(__doc__)
    game = words[0].replace("-", "_")
    known = {one.spec.id for one in GAMES} | set(NIGHTS)
    if game not in known:
        sys.exit(f"There is no game {game!r}. Known: {', '.join(sorted(known))}.")
    secrets, words = SECRETS in words, [word for word in words if word != SECRETS]
    seed = int(words[2]) if len(words) > 2 else 1
    if secrets:
        soak_secrets(game, int(words[1]) if len(words) > 1 else THREADS, seed)
    elif game in NIGHTS:
        soak_nights(game, int(words[1]) if len(words) > 1 else COUNT, seed)
    else:
        soak_matches(game, int(words[1]) if len(words) > 1 else MATCHES, seed)


if __name__ == "__main__":
    main(sys.argv[1:])
