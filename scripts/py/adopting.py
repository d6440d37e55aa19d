"""How well is a running game taken in from its thread alone? Cuts real games at random posts and compares.

Of each game: are its people right (who holds which seat, and whether they live), how many lines of the table
would have to be corrected, and does each wrong one say that it is not sure? Then these lines are corrected,
the game is taken in, who comes in later is entered as they come, and the rest of its day is counted: each
later votecount of the moderator, and whom the day eliminates, beside that count with the whole game file.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import accuracy
from rich.console import Console
from rich.progress import track

from knightfall.api.games import Game
from knightfall.api.running_games import running_game
from knightfall.api.votes import count
from knightfall.errors import KnightfallError
from knightfall.forums import html_style_of
from knightfall.models import DepartureKind, Holder, Thread
from knightfall.names import squash
from knightfall.services.game.adoption import AdoptedSeat, Adoption
from knightfall.services.game.role_cards import card_meant
from knightfall.votes.game_told import LeftTold
from knightfall.votes.rule import Rule
from knightfall.votes.vote_parser import PostReader

MOST_CORRECTIONS = 6


@dataclass
class Cut:
    """What one game, cut once, adds; `cases` are lines to study."""

    topic: int
    post: int
    day: int
    people: int = 0
    right: int = 0
    corrections: int = 0
    silent: int = 0
    flags: int = 0
    roles: int = 0
    roles_right: int = 0
    refused: str = ""
    adopted: accuracy.Score | None = None
    filed: accuracy.Score | None = None
    cases: list[str] = field(default_factory=list)


def score(task: tuple[Path, int]) -> Cut:
    """One game, cut at the post that a seed draws."""
    folder, seed = task
    game = accuracy.load(folder)
    chance = random.Random(f"{game.topic}:{seed}")
    phase = chance.choice([one for one in game.phases if one["end"] > one["start"] + 2])
    first, last = phase["start"] + 1, phase["end"]
    post = chance.randint(first + min(3, (last - first) // 3), max(last - 1, first + 1))
    cut = Cut(game.topic, post, phase["day"])
    posts = tuple(accuracy._posts(game))
    thread = Thread("phpbb", "A game", tuple(one for one in posts if one.number <= post))
    try:
        found = running_game(thread)
    except KnightfallError as fault:
        cut.refused = str(fault)
        return cut
    _judge_people(cut, found, game, phase)
    _judge_rest(cut, found, game, phase, posts)
    return cut


def _judge_people(cut: Cut, found: Adoption, game: accuracy.Game, phase: Mapping[str, Any]) -> None:
    killed = {name for name, at in accuracy._killed(phase, phase["start"], phase["end"]) if at <= cut.post}
    alive = {tuple(names) for names in phase["slots"] if not killed & set(names)}
    slots = [tuple(slot["names"]) for slot in game.meta["slots"]]
    roles = {tuple(slot["names"]): slot["role"] for slot in game.meta["slots"]}
    by_name = {squash(name): names for names in slots for name in names}
    posting = {game.writers[number] for number in game.writers if number <= cut.post}
    used: set[tuple[str, ...]] = set()
    cut.people = len(slots)
    for seat in found.seats:
        doubted = bool(seat.doubts or found.doubts)
        cut.flags += bool(seat.doubts)
        meant = {by_name[squash(one.name)] for one in seat.holders if squash(one.name) in by_name}
        wrong = _wrong_in(seat, meant, used, alive, posting)
        used |= meant
        if wrong:
            cut.corrections += 1
            cut.silent += not doubted
            cut.cases.append(f"{seat.name}: {wrong}{'' if doubted else ' – in silence'}")
            continue
        cut.right += 1
        if seat.left is not None:
            (names,) = meant
            cut.roles += 1
            cut.roles_right += bool(seat.role) and _card(seat.role) == _card(roles[names])
    for names in slots:
        if names not in used:
            cut.corrections += 1
            cut.silent += not found.doubts
            said = "" if found.doubts else " – in silence"
            cut.cases.append(f"{names[0]} is missing{said}")


def _wrong_in(
    seat: AdoptedSeat,
    meant: set[tuple[str, ...]],
    used: set[tuple[str, ...]],
    alive: set[tuple[str, ...]],
    posting: set[str],
) -> str:
    """What is wrong in a line of the table; "" for nothing."""
    if len(meant) != 1:
        return f"is {len(meant)} slots"
    (names,) = meant
    if names in used:
        return f"is a second seat of {names[0]}"
    if (names in alive) is not (seat.left is None):
        return "lives" if names in alive else "is dead"
    newest = next((name for name in names if name in posting), names[-1])
    later = {squash(name) for name in names[: names.index(newest) + 1]}
    return "" if seat.left is not None or squash(seat.name) in later else f"is {newest} by now"


def _card(role: str) -> str:
    card, _ = card_meant("custom_mafia", role)
    return card or " ".join(role.lower().replace("-", " ").split())


def _judge_rest(
    cut: Cut, found: Adoption, game: accuracy.Game, phase: Mapping[str, Any], posts: tuple[Any, ...]
) -> None:
    """The rest of the day by the game as it was taken in, and with the whole file."""
    cut.adopted, cut.filed = accuracy.Score(game.topic), accuracy.Score(game.topic)
    if found.window != f"day-{phase['day']}":
        return
    officials = [one for one in game.votecounts if one["day"] == phase["day"] and one["post_no"] > cut.post]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "game"
        seats = _corrected(found, game, phase, cut.post)
        running = Game.adopt(replace(found, seats=seats), folder, despite_doubts=True)
        for old, new, at in _later(game, cut.post, phase["end"]):
            running.replace(old, new, from_post=at)
        for official in officials:
            until = tuple(one for one in posts if one.number < official["post_no"])
            tallied = count(Thread("phpbb", "A game", until), day=phase["day"], config=folder / "game.toml")
            accuracy._judge_count(cut.adopted, official, tallied.votecount.tally)
        if phase["can_predict_lynch"]:
            until = tuple(one for one in posts if one.number <= phase["end"])
            tallied = count(Thread("phpbb", "A game", until), day=phase["day"], config=folder / "game.toml")
            accuracy._judge_phase(cut.adopted, phase, tallied.votecount.tally)
    _judge_by_file(cut.filed, game, phase, officials, posts)


def _corrected(
    found: Adoption, game: accuracy.Game, phase: Mapping[str, Any], post: int
) -> tuple[AdoptedSeat, ...]:
    """The table as whoever takes the game over would correct it: one seat a slot, and who lives."""
    killed = {name for name, at in accuracy._killed(phase, phase["start"], phase["end"]) if at <= post}
    alive = {tuple(names) for names in phase["slots"] if not killed & set(names)}
    first = {name: number for number, name in sorted(game.writers.items(), reverse=True) if number <= post}
    seats = {squash(one.name): seat for seat in found.seats for one in seat.holders}
    corrected: dict[tuple[str, ...], AdoptedSeat] = {}
    taken: set[str] = set()
    for slot in game.meta["slots"]:
        names = tuple(slot["names"])
        came = [name for name in reversed(names) if name in first] or [names[-1]]
        seat = next((seats[squash(name)] for name in names if squash(name) in seats), None)
        held = {squash(one.name) for one in seat.holders} if seat else set()
        if seat is None or not held <= set(map(squash, names)) or squash(came[-1]) != squash(seat.name):
            holders = tuple(Holder(name, first.get(name, 0) if n else 0) for n, name in enumerate(came))
            seat = AdoptedSeat(holders, seat.left if seat else None)
        if names in alive:
            seat = replace(seat, left=None)
        elif seat.left is None:
            seat = replace(seat, left=LeftTold(DepartureKind.KILLED, max(phase["day"] - 1, 0), True))
        # A name that the record gives to two slots stays with the first.
        free = tuple(one for one in seat.holders if squash(one.name) not in taken)
        taken |= {squash(one.name) for one in free}
        if free:
            corrected[names] = replace(seat, holders=free)
    return tuple(corrected.values())


def _later(game: accuracy.Game, post: int, last: int) -> Iterator[tuple[str, str, int]]:
    """Who comes in for whom behind a post: (old, new, from which post on)."""
    first = {name: number for number, name in sorted(game.writers.items(), reverse=True)}
    for slot in game.meta["slots"]:
        names = list(reversed(slot["names"]))
        for old, new in pairwise(names):
            if post < first.get(new, 0) <= last:
                yield old, new, first[new]


def _judge_by_file(
    score: accuracy.Score,
    game: accuracy.Game,
    phase: Mapping[str, Any],
    officials: list[dict[str, Any]],
    posts: tuple[Any, ...],
) -> None:
    moderators = frozenset(name.casefold() for name in game.meta["moderators"])
    decided = frozenset(accuracy._fixes(game, phase))
    reader = PostReader(html_style_of("phpbb"), Rule().forms, moderators, decided)
    ballots = list(reader.ballots_by_post(posts))
    day = accuracy._phase_read(game, phase, ballots)
    asker = accuracy.Asker(posts, (day,))
    for official in officials:
        read = accuracy._official_read(game, official, ballots)
        accuracy._judge_count(score, official, asker.settled(read, accuracy._tally(read))[1])
    if phase["can_predict_lynch"]:
        counted, _ = accuracy._day_count(day, posts)
        accuracy._judge_phase(score, phase, asker.settled(day, counted)[1])


def _lines(cuts: list[Cut]) -> Iterator[str]:
    whole = sum(cut.people for cut in cuts)
    right = sum(cut.right for cut in cuts)
    many = sum(cut.corrections > MOST_CORRECTIONS for cut in cuts)
    silent = sum(cut.silent for cut in cuts)
    yield f"{len(cuts)} cuts, {sum(bool(cut.refused) for cut in cuts)} of them refused"
    yield f"people right: {right} of {whole} ({right / whole:.1%})"
    corrections = sum(cut.corrections for cut in cuts)
    most = max(cut.corrections for cut in cuts)
    yield f"corrections: {corrections}, at most {most} a game; {many} games over {MOST_CORRECTIONS}"
    yield f"wrong in silence: {silent}; lines that ask: {sum(cut.flags for cut in cuts)}"
    yield f"roles of the dead: {sum(cut.roles_right for cut in cuts)} of {sum(cut.roles for cut in cuts)}"
    for name, scores in (
        ("as taken in", [cut.adopted for cut in cuts if cut.adopted]),
        ("whole file", [cut.filed for cut in cuts if cut.filed]),
    ):
        total: Counter[str] = Counter()
        for one in scores:
            total.update(
                {
                    what: getattr(one, what)
                    for what in ("counts", "exact", "near", "right", "wrong", "undecided")
                }
            )
        yield (
            f"{name}: votecounts exact {total['exact']}, within one {total['near']} of {total['counts']}; "
            f"eliminations right {total['right']}, wrong {total['wrong']}, undecided {total['undecided']}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=1, help="so often each game is cut")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", action="store_true", help="what was wrong in each game")
    options = parser.parse_args()
    games = sorted(one for one in options.folder.iterdir() if (one / "meta.json").exists())
    tasks = [(game, seed) for seed in range(1, options.seeds + 1) for game in games]
    console = Console(stderr=True)
    begun = datetime.now(UTC)
    with ProcessPoolExecutor(options.jobs) as pool:
        cuts = list(track(pool.map(partial(score), tasks), total=len(tasks), console=console))
    if options.cases:
        for cut in cuts:
            if cut.cases or cut.refused:
                print(f"{cut.topic} day {cut.day}, post {cut.post}: {cut.refused}")
                print("".join(f"  {case}\n" for case in cut.cases), end="")
    print("\n".join(_lines(cuts)))
    print(f"{(datetime.now(UTC) - begun).total_seconds():.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
