"""One game of each kind with every text that goes out in it: what a board's players read, from the sign-up to
the endgame.

The games are random ones of fixed seeds. Of texts that say the same of somebody else the first is kept: one
stays where a sentence stands in it that none before it had.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from knightfall.config.game_file import parse_setup
from knightfall.engine.entries import (
    Away,
    Closed,
    Entry,
    Opened,
    Prodded,
    Removed,
    Replaced,
    Revived,
    Started,
    Submitted,
)
from knightfall.engine.game import Announced, Game, Message, Told
from knightfall.engine.journal import Journal, Record, append
from knightfall.engine.playout import Playout
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import KnightfallError
from knightfall.games import GAMES
from knightfall.markup.nodes import Nodes
from knightfall.models import Post, Thread
from knightfall.sentence import SlotId
from knightfall.services.day.phases import deadline_post
from knightfall.services.deal import SETUP_FILE
from knightfall.services.posts.facts import post_nodes
from knightfall.services.posts.write import content_of
from knightfall.services.running import RunningGame, told_to
from knightfall.services.window.receipts import outcome_of
from knightfall.writeups.events import private_message, public_post
from knightfall.writeups.render import written
from recorded import recorded
from services.game_stages import Pages, folder_of, post, scene
from tin_valley import NAMES

SETUP = Path(__file__).parents[2] / "fixtures/playthroughs/custom_mafia.toml"
SEED = b"the copper draw of seed %d"
ZONE = ZoneInfo("America/New_York")
BEGAN = datetime.fromisoformat("2026-11-18T20:00:00-05:00")
DAY, NIGHT = timedelta(hours=72), timedelta(hours=24)
LATER = timedelta(hours=2)
FILE = """schema = 1
[game]
kind = "{game}"
site = "phpbb"
title = "Copper Fair"
timezone = "America/New_York"
moderators = ["Wren"]
{options}
[rules]
prod_after = "48h"
[[thread]]
role = "game"
url = "https://forum.example/viewtopic.php?t=71"
"""
MOST = 6
"""So many texts of one kind are enough; every role is told once."""


@dataclass(frozen=True, slots=True)
class Play:
    """A random game: of how many, by which options, from which seed."""

    players: int
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)


PLAYS: Mapping[str, tuple[Play, ...]] = {
    "custom_mafia": (Play(18, 2, {"setup": tomllib.loads(SETUP.read_text(encoding="utf-8"))}),),
    "knight_errant": tuple(Play(18, seed) for seed in range(1, 8)),
    "empowered": tuple(Play(20, seed) for seed in range(4)),
    "kings_court": (Play(11, 0, {"garnets": "5"}), Play(11, 1, {"garnets": "5"})),
    "knight_fight": (Play(2, 0), Play(2, 1, {"anomalies": "abchnst"})),
    "knights_duty": (
        Play(4, 0, {"max_turns": "8"}),
        Play(4, 1, {"max_turns": "4", "mode": "staged", "kd_08": "agreement"}),
    ),
}
"""The game that is read, and others for the roles and events that it does not come to."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text with the line that stands over it, and what writes it in a dialect."""

    heading: str
    kind: str
    write: Callable[[str], str]

    @property
    def role(self) -> str:
        """The role that a role PM tells; "" for another text."""
        told = re.search(r"(?:your role is|you are an?|you are the) ([\w -]+)", self.write("plain"))
        return told[1] if told and self.kind == "role_pm" else ""

    @property
    def sentences(self) -> frozenset[str]:
        """What it says whoever it says it of: its lines without names, numbers and spaces of a board."""
        bare = _VALUE.sub("#", self.write("plain"))
        return frozenset(line for line in bare.splitlines() if len(_WORD.findall(line)) > 1)


_VALUE = re.compile(
    rf"\b(?:{'|'.join(NAMES)}|[A-R]?\d+|[XO])\b|(?<=# )(?:(?:and|,) #)+|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@cache
def texts_of(name: str) -> tuple[Written, ...]:
    """Every text of the game, in order, each that says something new."""
    found: list[Written] = []
    said: set[str] = set()
    kinds: dict[str, int] = {}
    for number, one in enumerate(PLAYS[name]):
        for text in _texts(game_named(name), one, again=number > 0):
            about = text.role or text.kind
            if (new := text.sentences - said) and kinds.get(about, 0) < (1 if text.role else MOST):
                said |= new
                kinds[about] = kinds.get(about, 0) + 1
                found.append(text)
    return tuple(found)


def game_named(name: str) -> Game[Any]:
    return next(game for game in GAMES if game.spec.id == name)


def _texts(game: Game[Any], one: Play, again: bool) -> Iterator[Written]:
    def draw() -> SeededRng:
        return SeededRng(SEED % one.seed)

    slots = NAMES[: one.players]
    chance, name = SeededRng(b"chance %d" % one.seed), f"texts-{game.spec.id}-{one.seed}"
    playout = recorded(name, game, slots, one.options, chance, draw())
    journal, thread = framed(game, playout, draw)
    if again:
        yield from _events(game, journal, draw)
        return
    nights = [n for n, record in enumerate(journal, 1) if record.entry == Closed("night")]
    opened = [window for state in playout.states for window in game.windows(state)]
    title = next((one for one in opened if one.kind in ("day", "night")), opened[0]).title
    middle = journal[: nights[0] + 1] if nights else journal[: len(journal) // 2]
    living = game.playing(replay(middle, game, draw).state)

    # Before the beginning, at it, all that the game tells, and what the moderator does by hand.
    yield from _library("sign-ups", game, one, (), None, ("signup", "setup", "rules"))
    yield from _library(
        "the beginning", game, one, journal[: 2 if thread else 1], thread, ("opening", "day-start")
    )
    yield from _deadlines(title)
    yield from _events(game, journal, draw)
    yield from _by_hand(game, middle, living, draw)

    # The posts of the library in the middle, and at the end.
    peopled = _with(middle, _people(living))
    kinds = ("opening", "day-start", "votecount", "note", "dawn", "results")
    yield from _library("the middle", game, one, peopled, thread, kinds)
    dusk = 0
    for n, record in enumerate(journal, 1):
        if _is_dusk(record.entry) and journal[n - 2].entry == Closed("day"):
            dusk = dusk or n
    if dusk:
        yield from _library("the first night", game, one, journal[:dusk], thread, ("end-of-day",))
    yield from _library("the end", game, one, journal, thread, ("endgame", "archive"))


def _is_dusk(entry: Entry) -> bool:
    return isinstance(entry, Opened) and entry.window.startswith("night")


def framed(
    game: Game[Any], playout: Playout[Any], draw: Callable[[], SeededRng]
) -> tuple[Journal, Thread | None]:
    """The journal of a random game as a moderator would have it: phases opened with their deadlines, days
    that end by votes in a thread, which is given with it; of a game without days its journal alone."""
    if game.day_rule({}) is None:
        return timed(game, playout, draw), None
    journal: Journal = ()
    posts: list[Post] = []
    now = BEGAN
    days = first = 0

    def enter(entry: Entry) -> None:
        nonlocal journal
        journal = append(journal, entry, now, "Wren")

    def say(author: str, body: str) -> None:
        posts.append(post(len(posts) + 1, author, body, now + timedelta(minutes=len(posts))))

    def open_day() -> None:
        nonlocal days
        days += 1
        say("Wren", f"Day {days} begins.")
        enter(Opened(f"day-{days}", str(len(posts)), now + DAY))

    for state, record in zip((playout.states[0], *playout.states), playout.journal, strict=False):
        entry = record.entry
        kinds = [window.kind for window in game.windows(state)]
        match entry:
            case Started():
                enter(entry)
                opened = game.windows(playout.states[0])[0].kind
                if opened == "day":
                    open_day()
                elif opened == "night":
                    first = 1
                    enter(Opened("night-1", None, now + NIGHT))
            case Submitted(slot=None, text=text) if "day" in kinds and text.startswith("eliminate "):
                fallen = text.removeprefix("eliminate ")
                voters = [slot for slot in game.playing(state) if slot != fallen]
                for voter in voters[: len(voters) // 2 + 1]:
                    say(voter, f"<b>Vote: {fallen}</b>")
                enter(entry)
            case Closed(window="day"):
                now += DAY
                enter(entry)
                if game.outcome(_after(playout, record)) is None:
                    enter(Opened(f"night-{days + first}", None, now + NIGHT))
            case Closed():
                now += NIGHT
                enter(entry)
                after = _after(playout, record)
                if any(one.kind == "day" for one in game.windows(after)):
                    open_day()
            case _:
                enter(entry)
    return journal, Thread(
        "phpbb", "Copper Fair", tuple(posts), url="https://forum.example/viewtopic.php?t=71"
    )


def timed(game: Game[Any], playout: Playout[Any], draw: Callable[[], SeededRng]) -> Journal:
    """The journal with the times of a forum: every window is open until its deadline."""
    rng, now = draw(), BEGAN
    journal: Journal = ()
    begun = playout.journal[0].entry
    assert isinstance(begun, Started)
    state = game.begin(begun.slots, begun.options, now, rng).state
    for record in playout.journal:
        match record.entry:
            case Submitted(slot, text):
                now += timedelta(seconds=10)
                state = game.submit(state, Message(slot, text, now), rng).state
            case Closed(kind):
                ends = next((one.closes for one in game.windows(state) if one.kind == kind), None)
                if ends is None:  # the moderator closes it, on the minute
                    now = now.replace(second=0) + timedelta(minutes=1)
                else:  # a clock of seconds runs out as the playout let it; a deadline is waited for
                    now = ends if ends - now > timedelta(hours=1) else now + timedelta(seconds=10)
                state = game.close(state, kind, now, rng).state
        journal = append(journal, record.entry, now, "Wren")
    return journal


def _after(playout: Playout[Any], record: Record) -> Any:
    return playout.states[record.number - 1]


def _library(
    when: str,
    game: Game[Any],
    one: Play,
    journal: Journal,
    thread: Thread | None,
    kinds: tuple[str, ...],
) -> Iterator[Written]:
    """Posts of the library as they are written when the journal is so long; those that there are."""
    with TemporaryDirectory() as place:
        head = FILE.format(game=game.spec.id, options=_options(game, one))
        slots = NAMES[: one.players]
        folder = folder_of(
            Path(place) / "game", head, game.spec.id if journal else "", slots, SEED % one.seed, one.options
        )
        if isinstance(setup := one.options.get("setup"), Mapping):
            (folder / SETUP_FILE).write_text(json.dumps(setup), encoding="utf-8")
        read = thread and replace(thread, posts=_until(thread.posts, journal))
        context = scene(folder, Pages(journal, read))
        for kind in kinds:
            try:
                content = content_of(kind, context)
            except KnightfallError:  # a game without days has no votecount
                continue
            nodes = post_nodes(content, zone=ZONE)
            yield Written(f"post {kind}, {when}", kind, partial(_in_dialect, nodes))


def _options(game: Game[Any], one: Play) -> str:
    """The options in a game file; of a setup there is no line, which would be long."""
    given = [f'{name} = "{value}"' for name, value in one.options.items() if isinstance(value, str)]
    lines = "\n".join(("[game.options]", *given)) if given else ""
    return lines if game.spec.id != "custom_mafia" else ""


def _until(posts: Sequence[Post], journal: Journal) -> tuple[Post, ...]:
    """What was posted until the last entry."""
    return tuple(
        one for one in posts if journal and one.time and one.time <= journal[-1].at + timedelta(hours=8)
    )


def _in_dialect(nodes: Nodes, name: str) -> str:
    return "\n\n".join(written(nodes, name))


def _deadlines(title: str) -> Iterator[Written]:
    """The first phase, which is opened, extended and paused."""
    setup = parse_setup(FILE.format(game="votes", options=""), "game.toml")
    for what, until, before in (
        ("opened", BEGAN + DAY, None),
        ("extended", BEGAN + DAY + NIGHT, BEGAN + DAY),
        ("paused", None, BEGAN + DAY),
    ):
        write = partial(deadline_post, title, until, before, setup)
        yield Written(f"post deadline, {what}", "deadline", write)


def _events(
    game: Game[Any], journal: Journal, draw: Callable[[], SeededRng], since: int = 0
) -> Iterator[Written]:
    """What the game tells itself, from that entry on."""
    for taken in replay(journal, game, draw).taken:
        for event in taken.events if taken.number > since else ():
            match event:
                case Announced():
                    write = partial(_public, game.spec.id, event)
                    yield Written(f"post {event.kind}", event.kind, write)
                case Told(slots=slots):
                    own = told_to(event, slots[0], {})
                    yield Written(
                        f"PM {event.kind} to {slots[0]}",
                        event.kind,
                        partial(_private, game.spec.id, own),
                    )


def _public(game: str, event: Announced, name: str) -> str:
    return public_post(game, event, name, zone=ZONE)


def _private(game: str, event: Told, name: str) -> str:
    return private_message(game, event, name, ZONE)


def _by_hand(
    game: Game[Any], journal: Journal, living: Sequence[SlotId], draw: Callable[[], SeededRng]
) -> Iterator[Written]:
    """What a message is answered that cannot be read, and what everybody is told of a player who left and
    came back."""
    for entry in (Submitted(living[0], "xyzzy Nobody"), Removed(living[-1]), Revived(living[-1])):
        state = replay(journal, game, draw).state
        hasty = any(one.closes and one.closes - journal[-1].at < LATER for one in game.windows(state))
        journal = _with(journal, (entry,), timedelta(seconds=10) if hasty else LATER)
        table = RunningGame(game, Path(), b"", journal, replay(journal, game, draw))
        if table.last_refused:
            write = partial(_answer, table, living[0])
            yield Written(f"PM receipt to {living[0]}, refused", "refused", write)
            continue
        yield from _events(game, journal, draw, journal[-1].number - 1)


def _answer(table: RunningGame, slot: SlotId, name: str) -> str:
    """What the slot itself is sent, by the clock of the game file."""
    with TemporaryDirectory() as place:
        file = FILE.format(game=table.game.spec.id, options="")
        (Path(place) / "game.toml").write_text(file, encoding="utf-8")
        found = outcome_of(replace(table, folder=Path(place)), name).texts
    return "\n\n".join(text.text for text in found if text.whose == slot)


def _with(journal: Journal, entries: Sequence[Entry], later: timedelta = LATER) -> Journal:
    for entry in entries:
        journal = append(journal, entry, journal[-1].at + later, "Wren")
    return journal


def _people(living: Sequence[SlotId]) -> tuple[Entry, ...]:
    """What happens to people and clocks in the middle of a game."""
    one, two, *_ = living
    return (Replaced(one, "Zephyr", "30", "a new job"), Away(two, "2026-11-23", "2026-11-25"), Prodded(two))
