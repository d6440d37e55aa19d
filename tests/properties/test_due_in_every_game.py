"""Whatever happens in a game: nothing that is due is done already, and what is done is due no more."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from knightfall.cli.ways import COMMANDS, command
from knightfall.engine.entries import Closed, Published, Started
from knightfall.engine.game import Game
from knightfall.engine.journal import Journal, standing
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from knightfall.models import Post, Thread
from knightfall.sentence import PHRASES, SlotId, Way
from knightfall.services import pms
from knightfall.services.day.close import close as close_voted
from knightfall.services.day.close import look as look_at_day
from knightfall.services.day.phases import extend
from knightfall.services.game.due import Due, due, game_now
from knightfall.services.game.end_marks import ARCHIVED, CHECKED, is_done
from knightfall.services.game.file import name_thread
from knightfall.services.game.players import modkill, replace_player
from knightfall.services.game.rooms import mark_rooms, rooms
from knightfall.services.keep.archive import write_archive
from knightfall.services.keep.verify import verify_game
from knightfall.services.machine import session_of
from knightfall.services.now import Standing, now_of
from knightfall.services.posts.owed import missing_texts, write_missing
from knightfall.services.posts.people import REMOVAL, REPLACEMENT, REVIVAL, untold
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import ClosingRequest, PhaseRequest, PostOptions, PostRequest, RoomsRequest
from knightfall.services.session import Session, Store, journal_of
from knightfall.services.window import turns
from knightfall.services.window.waiting import pending, reminders
from knightfall.storage.ledger import Ledger
from knightfall.web.ways import PLACES
from long_runs import first, spread
from salt_harbour import NAMES
from services.game_stages import folder_of

URL = "https://forum.example/viewtopic.php?t=71"
PLAYERS = {"knight_errant": 18, "kings_court": 11, "knights_duty": 3, "knight_fight": 2}
"""So many play; seven elsewhere."""
LOOKS = 3
"""So many moments of each game are looked at, beside its beginning and its end."""
SEEDS = (b"the first fair of harbour", b"the second of the fairs")


def played(game: Game[Any], seed: bytes) -> Journal:
    names = tuple(map(SlotId, NAMES[: PLAYERS.get(game.spec.id, 7)]))
    options = {"setup": "vanilla"} if game.spec.id == "custom_mafia" else {}
    return play(game, names, options, SeededRng(b"chance" + seed), SeededRng(seed)).journal


class KeptThread:
    """A thread in which each of so many days was begun, and nobody voted."""

    def __init__(self, store: Store, begun: list[datetime]) -> None:
        self._store = store
        self._begun = begun

    def thread(self, url: str) -> Thread:
        said = [("Wren", f"[b]Day {number}[/b] begins.") for number, _ in enumerate(self._begun, start=1)]
        found = Thread.from_posts(said, "A day")
        posts = (replace(post, time=at) for post, at in zip(found.posts, self._begun, strict=True))
        return replace(found, url=url, posts=tuple(posts))

    def posts_then(self, url: str, at: datetime) -> tuple[Post, ...]:
        return tuple(post for post in self.thread(url).posts if post.time and post.time <= at)

    def platform(self, url: str) -> str | None:
        return self.thread(url).platform

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def session_at(folder: Path, journal: Journal) -> Session:
    session = session_of(folder)
    nights = [one.at for one in journal if isinstance(one.entry, Closed) and one.entry.window == "night"]
    begun = [at + timedelta(seconds=1) for at in (journal[0].at, *nights)]
    store: Callable[[str], Any] = lambda thread: KeptThread(session.store(thread), begun)  # noqa: E731
    return replace(session, clock=Standing(journal[-1].at + timedelta(seconds=1)), store=store)


def moments(journal: Journal) -> Iterator[int]:
    """How many entries there are when the game is looked at: always behind a closing, and at its end."""
    closings = [one.number for one in journal if isinstance(one.entry, Closed)]
    step = max(1, len(closings) // LOOKS)
    yield from dict.fromkeys(
        (1, *(number + place % 2 for place, number in enumerate(closings[::step])), len(journal))
    )


def game_at(place: Path, journal: Journal, seed: bytes, threaded: bool) -> Path:
    """A folder with a journal, and with none of the texts that its entries led to."""
    began = journal[0].entry
    assert isinstance(began, Started)
    head = (
        f'schema = 1\n[game]\nkind = "{began.game}"\ntitle = "Fair"\nmoderators = ["Wren"]\nsite = "plain"\n'
    )
    if "setup" in began.options:
        head += f'[game.options]\nsetup = "{began.options["setup"]}"\n'
    if threaded:
        head += f'[[thread]]\nrole = "game"\nurl = "{URL}"\n'
    folder = folder_of(place, head, began.game, began.slots, seed, began.options)
    ledger = Ledger.open(folder / "game.db")
    ledger.extend(journal, 0)
    ledger.close()
    return folder


# ── doing what is due ────────────────────────────────────────────────────────────────────────────


def posts(way: Way, session: Session) -> None:
    draft = write_post(PostRequest(str(way.values["kind"]), "plain", stored=True), session)
    mark_posted(draft, session)


def sends(way: Way, session: Session) -> None:
    found = pms.known_batches(str(way.values["kind"]), session)
    batch = pms.chosen(found, str(way.values["batch"]) if "batch" in way.values else None)
    pms.mark("sent", tuple(dict.fromkeys(pm.holder for pm in batch.pms)), batch.kind, session)


def sets_deadline(way: Way, session: Session) -> None:
    kind, _, number = str(way.values["title"]).partition(" ")
    ends = (session.clock.now() + timedelta(hours=48)).isoformat()
    extend(PhaseRequest(kind, int(number), ends=ends), PostOptions(), session)


def decides(_: Way, session: Session) -> None:
    table = now_of(session).running
    lines = [line for line in table.game.legal(table.state, None) if not line.startswith(("modkill", "kill"))]
    turns.submit("moderator", lines[0], "plain", session)


def closes(way: Way, session: Session) -> None:
    turns.close(str(way.values["kind"]), "plain", session, why_early="agreed")


def closes_day(_: Way, session: Session) -> None:
    found = look_at_day(ClosingRequest(None, "agreed", stored=True), session)
    close_voted(found, next(iter(found.choices)), session)


DONE: Mapping[str, Callable[[Way, Session], object]] = {
    "write_texts": lambda _, session: write_missing(session),
    "name_thread": lambda _, session: name_thread("game", URL, session),
    "set_deadline": sets_deadline,
    "post": posts,
    "send_pms": sends,
    "send_batch": sends,
    "mark_sent": sends,
    "say_elimination": lambda _, session: turns.submit("moderator", "no elimination", "plain", session),
    "decide": decides,
    "close": closes,
    "close_day": closes_day,
    "count_votes": lambda _, session: posts(Way("post", kind="votecount"), session),
    "remind": lambda _, session: reminders(session),
    "rooms": lambda way, session: mark_rooms(RoomsRequest(str(way.values["room"])), session),
    "verify": lambda _, session: verify_game(session),
    "archive": lambda _, session: write_archive(session, public=True),
}
"""What a moderator does who goes each way."""


def is_done_already(one: Due, session: Session) -> bool:
    """Whether the effect of a way is there, asked of the game without what is due."""
    way, now = one.way, game_now(session)
    match way.to:
        case "write_texts":
            return not missing_texts(session)
        case "name_thread":
            return now.setup.url is not None
        case "set_deadline":
            [window] = [w for w in now.windows if w.window.title.casefold() == way.values["title"]]
            return window.until is not None or window.stopped
        case "post" if way.values["kind"] in (REMOVAL, REPLACEMENT, REVIVAL):
            return not untold(str(way.values["kind"]), now.game)
        case "post":
            closed = [r.number for r in standing(now.journal) if isinstance(r.entry, Closed)]
            since = 0 if way.values["kind"] in ("setup", "rules", "opening") else max(closed, default=0)
            entries = (r for r in standing(now.journal) if r.number > since)
            return any(isinstance(r.entry, Published) and r.entry.kind == way.values["kind"] for r in entries)
        case "send_pms" | "send_batch" | "mark_sent":
            return not any(kind.startswith(str(way.values["kind"])) for kind in now.unsent)
        case "close" | "decide" | "say_elimination" | "close_day" | "count_votes" | "remind":
            open_ = {w.window.title.casefold().replace(" ", "-") for w in pending(now_of(session).running)}
            return one.window not in open_
        case "rooms":
            return all(
                row.inside == row.should for row in rooms(session).rows if row.room == way.values["room"]
            )
        case "verify":
            return is_done(CHECKED, session)
        case "archive":
            return is_done(ARCHIVED, session)
    raise AssertionError(f"nobody knows what {way} does")


def holds(folder: Path, journal: Journal) -> Way | None:
    """The law, where the game stands; returns what was due first, which is done now."""
    session = session_at(folder, journal)
    found = due(session)
    assert [one for one in found if is_done_already(one, session)] == []
    ways = [one.way for one in found]
    assert len(ways) == len(set(ways))
    for way in ways:
        assert way.to in PHRASES and way.to in COMMANDS and way.to in PLACES
        assert "{" not in command(way) + str(way)
    assert json.dumps([one.to_dict() for one in found], default=str)
    if not found:
        return None
    DONE[ways[0].to](ways[0], session)
    after = session_at(folder, journal_of(session))
    assert ways[0] not in [one.way for one in due(after)], f"{found[0]} is due although it was done"
    return ways[0]


@pytest.mark.wider
@pytest.mark.parametrize("seed", first(1, SEEDS))
@pytest.mark.parametrize(
    "game",
    first(0, GAMES),
    ids=lambda game: game.spec.id,
)
def test_nothing_is_due_that_is_done_and_what_is_done_is_due_no_more(
    tmp_path: Path, game: Game[Any], seed: bytes
) -> None:
    journal = played(game, seed)
    seen: set[str] = set()
    for place, size in spread(2, tuple(enumerate(moments(journal))), most=6):
        folder = game_at(tmp_path / str(size), journal[:size], seed, threaded=place % 2 == 0)
        session = session_at(folder, journal[:size])
        write_missing(session)
        if place % 3 == 1 and now_of(session).running.windows:
            table = now_of(session).running
            first, second = table.game.playing(table.state)[:2]
            replace_player(first, "Zed", "1", "", PostOptions(), session)
            if place % 2:
                modkill(second, "1", "left", PostOptions(), session)
        # What was done leads on: the next thing that is due is done as well.
        for _ in range(3):
            done = holds(folder, journal_of(session_at(folder, journal[:size])))
            seen |= {done.to} if done else set()
        shutil.rmtree(folder)
    assert {"post", "verify"} <= seen or "post" in seen


@pytest.mark.long
def test_the_whole_end_of_a_game_can_be_gone(tmp_path: Path) -> None:
    game = next(game for game in GAMES if game.spec.id == "custom_mafia")
    journal = played(game, SEEDS[0])
    folder = game_at(tmp_path / "end", journal, SEEDS[0], threaded=True)
    done = []
    while (way := holds(folder, journal_of(session_at(folder, journal)))) is not None:
        done.append(way.to)
        assert len(done) < 30
    assert done[0] == "write_texts"
    assert done[-2:] == ["verify", "archive"]
    assert due(session_at(folder, journal_of(session_at(folder, journal)))) == ()
