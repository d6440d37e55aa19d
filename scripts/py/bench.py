"""How fast is it? One line a measure: name, value, unit, and the limit that it should keep.

    scripts/bench [GROUP…] [--list]

Everything measured is made here, on one core, but for real pages where the folder with them stands beside the
project. Times of programs that are started are of the clock and of the processor; all others of the processor
alone. A measure beyond its limit is marked; the exit status is 0, because another machine has other limits.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
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
from bench_pages import page_times
from bench_verbs import RUN, THREAD, environment, kept_thread, verbs_timed
from bench_web import pages_timed

from knightfall.cli import collect_seldom
from knightfall.config.game_file import read_setup
from knightfall.forums import html_style_of
from knightfall.forums.base import Response
from knightfall.forums.pages import read_chunk
from knightfall.games import empowered, knight_errant
from knightfall.games.custom_mafia import rules as custom_mafia
from knightfall.games.knight_fight import rules
from knightfall.games.knight_fight.board import Side, names
from knightfall.models import Post, PostId, Thread
from knightfall.services.session import evidence_file
from knightfall.services.threads import habits_of
from knightfall.simulation.families import KnightErrantFamily
from knightfall.simulation.policies import parse_policy
from knightfall.simulation.run import Question, play_chunk
from knightfall.storage.store import Store
from knightfall.votes.ballots import platform_forms
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.vote_parser import PostReader

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
TALK = "<br>\n".join(["I have been thinking about what happened and I am not sure yet."] * 6)
QUOTES = (
    f"<blockquote><div><cite>Elm wrote:</cite>{TALK}</div></blockquote>",
    "<blockquote><div><cite>Elm wrote:</cite><b>Vote: Ada</b> now</div></blockquote>",
)


def shown(name: str, value: float, unit: str, most: float | None = None, least: float | None = None) -> None:
    """Print a measure, and beside it the most or the least that it may be."""
    number = f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"
    limit = f"   at most {most:,g}" if most is not None else f"   at least {least:,g}" if least else ""
    missed = (most is not None and value > most) or (least is not None and value < least)
    print(f"{name:<52}{number:>12} {unit}{limit}{'  MISSED' if missed else ''}", flush=True)


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
    eight votes. No two are the same, so that what is remembered of a body serves that one alone."""
    chance = random.Random(7)
    for number in range(amount):
        quote = QUOTES[chance.random() < 0.25] if chance.random() < 0.35 else ""
        vote = f"<br><b>Vote: {chance.choice(NAMES)}</b>" if chance.random() < 0.125 else ""
        yield f"{quote}{TALK}<br>{number:,} reasons.{vote}<br>{TALK if chance.random() < 0.5 else ''}"


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
    done = subprocess.run([*RUN, *arguments], env=environment(home), capture_output=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"knightfall {' '.join(arguments)} failed:\n{done.stderr.decode()}")


def start_up() -> None:
    with tempfile.TemporaryDirectory() as home:
        shown("start-up of knightfall --help", median_seconds(lambda: command(home, "--help"), 7), "s")


def posts_counted() -> None:
    posts = list(thread(20_000, 1500))
    html_style, forms = html_style_of("phpbb"), platform_forms("phpbb")
    begun = time.process_time()
    ballots = sum(len(post.ballots) for post in PostReader(html_style, forms).ballots_by_post(posts))
    seconds = time.process_time() - begun
    shown(f"posts read for votes ({ballots} ballots)", len(posts) / seconds, "posts/s")


def stored_recount(day: int, name: str) -> None:
    """A count of stored posts as a program of its own, and what of it is imports."""
    with tempfile.TemporaryDirectory() as home:
        kept_thread(evidence_file(THREAD, {"KNIGHTFALL_HOME": home}), thread(10_000, day), NOW)
        words = ("vc", THREAD, "--stored")
        command(home, *words)
        walls, processor = [], []
        for _ in range(7):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            walls.append(_seconds(lambda: command(home, *words)))
            spent = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor.append(spent.ru_utime + spent.ru_stime - used.ru_utime - used.ru_stime)
        shown(name, min(walls), "s", most=0.40)
        shown("  the same, of the processor", min(processor), "s")
        shown("  of it imports, of the processor", imports(home, words), "s", most=0.15)


def imports(home: str, words: tuple[str, ...]) -> float:
    """Seconds of the processor that a run takes to import what it imports: in a program that does no more."""
    told = "import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules)); "
    run = [RUN[0], "-c", told + RUN[2], *words]
    said = subprocess.run(run, env=environment(home), capture_output=True, text=True, check=False).stdout
    again = (
        "import contextlib, importlib, sys, time\nbegun = time.process_time()\n"
        "for name in sys.argv[1:]:\n    with contextlib.suppress(ImportError):\n"
        "        importlib.import_module(name)\nprint(time.process_time() - begun)"
    )
    names = [name for name in said.rpartition("LOADED ")[2].split() if name != "__main__"]
    loading = [RUN[0], "-c", again, *names]
    runs = (subprocess.run(loading, env=environment(home), capture_output=True, check=True) for _ in range(5))
    return min(float(one.stdout) for one in runs)


def recounted_in_a_running_process() -> None:
    """The count that a watcher makes again when a post came: all the others were counted before."""
    posts = list(thread(10_000, 100_000))
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in NAMES)
    with tempfile.TemporaryDirectory() as home:
        file = Path(home) / "game.toml"
        file.write_text(f'schema = 1\n[game]\nmoderators = ["Wren"]\n{players}', encoding="utf-8")
        setup = read_setup(file)
    habits = habits_of(Thread("phpbb", "A long game", tuple(posts)))

    def counted(amount: int) -> None:
        votecount(Thread("phpbb", "A long game", tuple(posts[:amount])), habits, setup, Ask(), NOW)

    counted(9_990)
    least = min(_processor(partial(counted, amount)) for amount in range(9_991, 10_001))
    shown("a watched thread of 10,000 counted again", least * 1000, "ms", most=30)


def eight_act(amount: int, chance: random.Random) -> list[Any]:
    """Nights of custom games in which eight of eighteen players act."""
    return list(nights_custom_mafia.dusks(amount, chance, 18, 8, house=False))


def all_act(amount: int, chance: random.Random) -> list[Any]:
    """Nights of custom games in which all of eighteen players act."""
    return list(nights_custom_mafia.dusks(amount, chance, 18, 0, house=False))


def nights_resolved() -> None:
    for name, dusks, resolve, least in (
        ("Knight-Errant", nights_knight_errant.dusks, knight_errant.resolve, 20_000),
        ("Empowered, 24 players,", nights_empowered.dusks, empowered.resolve, 12_000),
        ("Custom, 18 players, eight act,", eight_act, custom_mafia.resolve, None),
        ("Custom, 18 players, all act,", all_act, custom_mafia.resolve, 5_000),
    ):
        nights: list[Any] = list(dusks(1000, random.Random(11)))
        actions = sum(len(chosen) for _, chosen in nights) / len(nights)
        seconds = min(_processor(partial(_each, resolve, nights)) for _ in range(3))
        shown(f"{name} nights ({actions:.1f} actions each)", len(nights) / seconds, "nights/s", least=least)
    crowds = list(nights_custom_mafia.dusks(300, random.Random(5), 60, 0, house=False))
    times = sorted(_processor(partial(custom_mafia.resolve, *night)) * 1000 for night in crowds)
    shown("Custom, 60 players, all act: middle night", statistics.median(times), "ms")
    shown("Custom, 60 players, all act: longest of 300", times[-1], "ms", most=50)


def _each(resolve: Callable[..., object], nights: Iterable[Any]) -> None:
    for dusk, chosen in nights:
        resolve(dusk, chosen)


def _processor(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def memory_while_reading() -> None:
    """Megabytes that stay behind after reading and keeping pages, from the hundredth to the last."""
    text = (ROOT / "fixtures" / "demo" / "thread-p1.html").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        store = Store.open(Path(home) / "game.db")
        sizes = []
        for number in range(1, 501):
            _, chunk = read_chunk(Response(THREAD, 200, text), "a page", NOW, None, "phpbb")
            page = Response(f"{THREAD}&start={number * 25}", 200, text)
            posts = tuple(
                replace(post, id=PostId(f"{number}-{post.id}"), number=number * 25 + place)
                for place, post in enumerate(chunk.posts)
            )
            store.save_page(THREAD, "phpbb", page, replace(chunk, posts=posts, page=number, pages=500), NOW)
            if number in (100, 500):
                sizes.append(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize())
        store.close()
    shown("memory left behind by 400 pages read and kept", (sizes[1] - sizes[0]) / 1e6, "MB", most=4)


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
    seconds = median_seconds(lambda: [names(rules.targets(crowd, Side.X)) for _ in range(1_000)], 9)
    shown("Knight Fight: legal moves of 60 knights", seconds * 1000, "µs")


def pages_read() -> None:
    """Pages as the program reads them, and the parsers alone in the same run."""
    times = page_times()
    middle = statistics.median(one.read for one in times)
    shown(f"a page of HTML read (middle of {len(times)})", middle, "ms", most=4)
    shown("  its platform recognised anew", statistics.median(one.known for one in times), "ms")
    shown("  lxml alone", statistics.median(one.lxml for one in times), "ms")
    shown("  BeautifulSoup alone", statistics.median(one.soup for one in times), "ms")
    for platform in sorted({one.platform for one in times}):
        some = [one for one in times if one.platform == platform]
        name = f"  {platform} ({len(some)}; lxml alone {statistics.mean(one.lxml for one in some):.2f})"
        shown(name, statistics.mean(one.read for one in some), "ms")


def recounts() -> None:
    stored_recount(1_500, "stored 10,000 posts recounted, 7 days")
    stored_recount(100_000, "stored 10,000 posts recounted, one day")
    recounted_in_a_running_process()


GROUPS: dict[str, Callable[[], None]] = {
    "start": start_up,
    "pages": pages_read,
    "counts": posts_counted,
    "recounts": recounts,
    "memory": memory_while_reading,
    "nights": nights_resolved,
    "simulated": games_simulated,
    "courts": courts_played,
    "duties": duties_played,
    "bouts": bouts_played,
    "verbs": lambda: verbs_timed(thread(10_000, 1_500), NAMES, NOW, shown),
    "web": lambda: pages_timed(thread(10_000, 1_500), NAMES, NOW, shown),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("group", nargs="*", help=f"of {', '.join(GROUPS)}; all where none is named")
    parser.add_argument("--list", action="store_true", help="name the groups and measure nothing")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(GROUPS))
        return
    if unknown := [group for group in asked.group if group not in GROUPS]:
        parser.error(f"there is no group {unknown[0]!r}: {', '.join(GROUPS)}")
    collect_seldom()  # as the program that is measured
    for group in asked.group or GROUPS:
        gc.collect()
        gc.freeze()  # what the groups before it left behind is not searched for garbage in its time
        GROUPS[group]()


if __name__ == "__main__":
    main()
