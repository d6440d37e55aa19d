"""How fast is it? One line a measure: name, value, unit. Everything measured is made here, on one core."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import bouts_knight_fight
import matches_kings_court
import matches_knights_duty
import nights_custom_mafia
import nights_empowered
import nights_knight_errant
import numpy as np
from bench_pages import page_ratios
from bench_verbs import RUN, THREAD, kept_thread, verbs_timed
from bench_web import pages_timed

from knightfall.forums import forum_of, html_style_of
from knightfall.forums.base import Response
from knightfall.forums.sites import site_of
from knightfall.games import empowered, knight_errant
from knightfall.games.custom_mafia import rules as custom_mafia
from knightfall.games.knight_fight import moves
from knightfall.games.knight_fight.board import Side, names
from knightfall.models import Post, PostId
from knightfall.services.session import evidence_file
from knightfall.simulation.families import KnightErrantFamily
from knightfall.simulation.policies import parse_policy
from knightfall.simulation.run import Question, play_chunk
from knightfall.votes.ballots import platform_forms
from knightfall.votes.vote_parser import ballots_by_post

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
TALK = "<br>\n".join(["I have been thinking about what happened and I am not sure yet."] * 6)
QUOTES = (
    f"<blockquote><div><cite>Elm wrote:</cite>{TALK}</div></blockquote>",
    "<blockquote><div><cite>Elm wrote:</cite><b>Vote: Ada</b> now</div></blockquote>",
)


def shown(name: str, value: float, unit: str) -> None:
    print(
        f"{name:<46}{value:>12,.4g} {unit}" if value < 1000 else f"{name:<46}{value:>12,.0f} {unit}",
        flush=True,
    )


def median_seconds(work: Callable[[], object], times: int) -> float:
    """The middle of several runs; the first, which warms what can be warm, is left out."""
    work()
    return statistics.median(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def bodies(amount: int) -> Iterator[str]:
    """Invented posts in the mixture of real games: one in three quotes (one in four of these a vote), one in
    eight votes."""
    chance = random.Random(7)
    for _ in range(amount):
        quote = QUOTES[chance.random() < 0.25] if chance.random() < 0.35 else ""
        vote = f"<br><b>Vote: {chance.choice(NAMES)}</b>" if chance.random() < 0.125 else ""
        yield f"{quote}{TALK}{vote}<br>{TALK if chance.random() < 0.5 else ''}"


def thread(amount: int, day: int) -> Iterator[Post]:
    """A thread of so many posts, opened by the moderator; a day is `day` posts long."""
    listing = "<br>".join(f"{place}. {name}" for place, name in enumerate(NAMES, start=1))
    yield Post(PostId("1"), 1, "Wren", f"Players:<br>{listing}", time=NOW - timedelta(days=90))
    for place, body in enumerate(bodies(amount - 1), start=2):
        moment = NOW - timedelta(days=90) + timedelta(minutes=place)
        opens = place % day == 0
        said = f"<b>Day {place // day + 1} has begun.</b>" if opens else body
        author = "Wren" if opens else NAMES[place % len(NAMES)]
        yield Post(PostId(str(place)), place, author, said, time=moment)


def command(home: str, *arguments: str) -> None:
    environment = {**os.environ, "KNIGHTFALL_HOME": home}
    done = subprocess.run([*RUN, *arguments], env=environment, capture_output=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"knightfall {' '.join(arguments)} failed:\n{done.stderr.decode()}")


def start_up() -> None:
    with tempfile.TemporaryDirectory() as home:
        shown("start-up of knightfall --help", median_seconds(lambda: command(home, "--help"), 7), "s")


def page_parsed() -> None:
    text = (ROOT / "fixtures" / "demo" / "thread-p1.html").read_text(encoding="utf-8")
    page = Response(THREAD, 200, text)
    forum = forum_of(page)
    if forum is None:
        raise SystemExit("the demo page is not recognised")
    seconds = median_seconds(lambda: forum.read(page, site_of(THREAD), NOW), 9)
    shown("a page of 25 posts parsed (phpBB)", seconds * 1000, "ms")


def posts_counted() -> None:
    posts = list(thread(20_000, 1500))
    html_style, forms = html_style_of("phpbb"), platform_forms("phpbb")
    begun = time.process_time()
    ballots = sum(len(post.ballots) for post in ballots_by_post(posts, html_style, forms))
    seconds = time.process_time() - begun
    shown(f"posts read for votes ({ballots} ballots)", len(posts) / seconds, "posts/s")


def stored_recount(day: int, name: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        kept_thread(evidence_file(THREAD, {"KNIGHTFALL_HOME": home}), thread(10_000, day), NOW)
        seconds = median_seconds(lambda: command(home, "vc", THREAD, "--stored"), 5)
    shown(name, seconds, "s")


def eight_act(amount: int, chance: random.Random) -> list[Any]:
    """Nights of custom games in which eight of eighteen players act."""
    return list(nights_custom_mafia.dusks(amount, chance, 18, 8, house=False))


def nights_resolved() -> None:
    for name, dusks, resolve in (
        ("Knight-Errant", nights_knight_errant.dusks, knight_errant.resolve),
        ("Empowered, 24 players,", nights_empowered.dusks, empowered.resolve),
        ("Custom, 18 players, all roles,", eight_act, custom_mafia.resolve),
    ):
        nights: list[Any] = list(dusks(1000, random.Random(11)))
        actions = sum(len(chosen) for _, chosen in nights) / len(nights)
        begun = time.process_time()
        for dusk, chosen in nights:
            resolve(dusk, chosen)
        seconds = time.process_time() - begun
        shown(f"{name} nights ({actions:.1f} actions each)", len(nights) / seconds, "nights/s")


def games_simulated() -> None:
    """Nights and whole games without text, ten thousand at a time, with the choice of every action."""
    chance = np.random.default_rng(11)
    family = KnightErrantFamily({})
    [(_, policy)] = parse_policy("random")
    table = family.deal(10_000, chance)
    table.number = 2
    orders = policy.night(family, table, chance)
    acting = len(orders) / 10_000
    seconds = median_seconds(lambda: family.dawn(table, orders), 9)
    shown(f"compact Knight-Errant nights ({acting:.1f} actions each)", 10_000 / seconds, "nights/s")
    seconds = median_seconds(lambda: family.dawn(table, policy.night(family, table, chance)), 9)
    shown("the same with the choice of the actions", 10_000 / seconds, "nights/s")
    goons = [{"role": "Mafia Goon", "count": 3}, {"role": "Vanilla Townie", "fill": True}]
    vanilla = Question("custom_mafia", {"setup": {"schema": 1, "slots": goons}}, 13)
    for name, question in (
        ("vanilla games of 13", vanilla),
        ("the same by suspicion", replace(vanilla, policy="suspicion")),
        ("Knight-Errant games", Question("knight_errant", {}, 18)),
        ("Empowered games of 13", Question("empowered", {}, 13)),
    ):
        seconds = median_seconds(partial(play_chunk, question, 1, 0, 10_000), 3)
        shown(f"simulated {name}", 10_000 / seconds, "games/s")


def duties_played() -> None:
    """Whole matches with their posts, six players at random, sixty turns at most."""
    begun = time.process_time()
    turns = sum(1 for seed in range(100) for _ in matches_knights_duty.match(seed, 6, 60))
    seconds = time.process_time() - begun
    shown(f"Knight's Duty matches of 6 ({turns / 100:.1f} turns each)", 100 / seconds, "matches/s")


def courts_played() -> None:
    """Whole matches with their posts and PMs: every ballot is a line that is read."""
    begun = time.process_time()
    rounds = sum(matches_kings_court.match(seed)[1] for seed in range(200))
    seconds = time.process_time() - begun
    shown(f"King's Court matches ({rounds / 200:.1f} rounds each)", 200 / seconds, "matches/s")


def bouts_played() -> None:
    """Random plain bouts, and the names of all legal squares among sixty knights."""
    chance = random.Random(5)
    begun = time.process_time()
    placed = sum(bouts_knight_fight.bout(chance) for _ in range(2_000))
    seconds = time.process_time() - begun
    shown(f"Knight Fight bouts ({placed / 2_000:.1f} moves each)", 2_000 / seconds, "bouts/s")
    crowd = bouts_knight_fight.crowded(60, chance)
    seconds = median_seconds(lambda: [names(moves.targets(crowd, Side.X)) for _ in range(1_000)], 9)
    shown("Knight Fight: legal moves of 60 knights", seconds * 1000, "µs")


def main() -> None:
    start_up()
    page_parsed()
    posts_counted()
    stored_recount(1_500, "stored 10,000 posts recounted cold, 7 days")
    stored_recount(100_000, "stored 10,000 posts recounted cold, one day")
    verbs_timed(thread(10_000, 1_500), NAMES, NOW, shown)
    pages_timed(thread(10_000, 1_500), NAMES, NOW, shown)
    nights_resolved()
    games_simulated()
    courts_played()
    duties_played()
    bouts_played()
    for platform, ratio in page_ratios():
        shown(f"page read / BeautifulSoup alone: {platform}", ratio, "times")


if __name__ == "__main__":
    main()
