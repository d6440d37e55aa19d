"""Games at every stage for the post library: one of seven with its thread, and a random one of each kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from knightfall.engine.entries import (
    Away,
    Closed,
    Entry,
    Extended,
    Locked,
    Opened,
    Prodded,
    Replaced,
    Ruled,
    Started,
    Submitted,
)
from knightfall.engine.game import Game
from knightfall.engine.journal import Journal, Record, append
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from knightfall.models import Post, PostId, Thread
from knightfall.sentence import SlotId
from knightfall.services.deal import DealTerms, commit, proof_json
from knightfall.services.now import Now, now_of
from knightfall.services.session import Session
from knightfall.storage.links import START

SEED, SALT = b"tin lantern seed", b"tin lantern salt"
NAMES = tuple(map(SlotId, ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Gale")))
URL = "https://forum.example/viewtopic.php?t=71"
BEGAN = datetime(2026, 11, 18, 19, tzinfo=UTC)
FILE = """schema = 1
[game]
kind = "custom_mafia"
title = "Tin Lantern"
site = "phpbb"
timezone = "America/New_York"
moderators = ["Wren", "Finch"]
[game.options]
self_target = "yes"
[rules]
boundary = "before"
prod_after = "48h"
prod_grace = "24h"
max_prods = 2
[[thread]]
role = "signup"
url = "https://forum.example/viewtopic.php?t=70"
[[thread]]
role = "game"
url = "https://forum.example/viewtopic.php?t=71"
[[thread]]
role = "private"
url = "https://forum.example/viewtopic.php?t=72"
members = ["Ada"]
"""


@dataclass
class Minutes:
    """A clock that stands still."""

    at: datetime

    def now(self) -> datetime:
        return self.at

    def elapsed(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        raise AssertionError(f"nobody waits {seconds} s for a post")


@dataclass
class Pages:
    """A ledger and a store in memory."""

    journal: Journal = ()
    kept: Thread | None = None

    def records(self, known: Journal = ()) -> Journal:  # noqa: ARG002 - it has all of it
        return self.journal

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record:
        assert expected in (None, len(self.journal))
        self.journal = append(self.journal, entry, at, author)
        return self.journal[-1]

    def is_sealed(self) -> bool:
        return True

    def links(self) -> tuple[str, ...]:
        return (START,)

    def last_link(self) -> str:
        return START

    def restate(self, *_: object) -> None:
        """Its posts have their times."""

    def thread(self, url: str) -> Thread | None:
        return self.kept if url.endswith("t=71") else None

    def platform(self, url: str) -> str | None:
        found = self.thread(url)
        return found.platform if found else None

    def title(self, url: str) -> str | None:
        return "Hidden parlour" if url.endswith("t=72") else None

    def answers(self, *_: object) -> dict[int, str]:
        return {}

    def kept_marks(self) -> dict[str, str]:
        return {}

    def pages_seen(self, _url: str) -> tuple[()]:
        return ()

    def keep_marks(self, *_: object) -> None:
        """What the file's numbers meant does not matter."""

    def close(self) -> None:
        """Nothing is open."""


def session_of_test(folder: Path, pages: Pages) -> Session:
    clock = Minutes(pages.journal[-1].at if pages.journal else BEGAN)
    reads_only: Any = pages
    no_network: Any = None
    return Session(clock, no_network, lambda _: reads_only, lambda: reads_only, "Wren", game=folder)


def folder_of(
    place: Path,
    file: str,
    game: str = "",
    slots: Iterable[str] = (),
    seed: bytes = SEED,
    options: Mapping[str, object] | None = None,
) -> Path:
    """A game folder, with its deal where there is one."""
    (place / "private").mkdir(parents=True)
    (place / "public").mkdir()
    players = "".join(f"[[player]]\nname = {json.dumps(name)}\n" for name in slots)
    (place / "game.toml").write_text(file + players, encoding="utf-8")
    if game:
        proof = commit(DealTerms(game, options or {}, tuple(map(SlotId, slots))), seed, SALT)
        (place / "private" / "deal.json").write_text(proof_json(proof), encoding="utf-8")
    return place


def post(number: int, author: str, body: str, at: datetime) -> Post:
    return Post(PostId(str(9000 + number)), number, author, body, time=at, url=f"{URL}&p={9000 + number}")


FALLEN = ("Cinder", "Ada")
"""Whom the votes eliminate, by day."""
OPTIONS: dict[str, object] = {
    "self_target": "yes",
    "setup": {
        "schema": 1,
        "name": "Lantern light",
        "slots": [
            {"role": "Mafia Goon"},
            {"role": "Town Cop"},
            {"role": "Town Doctor"},
            {"role": "Town Tracker"},
            {"role": "Vanilla Townie", "fill": True},
        ],
    },
}


def lantern_thread(upto: int = 99) -> Thread:
    """Two days with a hammer each, the first of them with two votes that came too late."""
    first, second = FALLEN
    said = [("Wren", "Day 1 begins."), ("Cinder", "<b>Vote: Ada</b>")]
    said += [(name, f"<b>Vote: {first}</b>") for name in ("Ada", "Boro", "Elm", "Gale", "Fen", "Dusk_77")]
    said += [("Wren", "Day 1 is over."), ("Wren", "Day 2 begins.")]
    said += [(name, f"<b>Vote: {second}</b>") for name in ("Dusk_77", "Rook", "Gale")]
    posts = tuple(
        post(number, author, body, BEGAN + timedelta(hours=2 * number))
        for number, (author, body) in enumerate(said, start=1)
    )
    return Thread("phpbb", "Tin Lantern", posts[:upto], url=URL)


def lantern_entries() -> dict[str, list[tuple[int, Entry]]]:
    """Stage → (hours since the beginning, entry) that it adds to the one before."""
    first, second = FALLEN

    def at(hours: int) -> datetime:
        return BEGAN + timedelta(hours=hours)

    return {
        "day 1": [
            (0, Started("custom_mafia", NAMES, OPTIONS, "private/deal.json")),
            (1, Opened("day-1", "1", at(54))),
        ],
        "night 1": [
            (16, Locked("day-1", "8")),
            (17, Closed("day-1", f"eliminate {first}", "sha256:00 posts 1-6")),
            (17, Opened("night-1", "9", at(54))),
        ],
        "day 2": [
            (18, Submitted(SlotId("Ada"), "mafia kill Boro")),
            (18, Submitted(SlotId("Boro"), "heal Fen")),
            (19, Submitted(SlotId("Gale"), "cop Ada")),
            (19, Submitted(SlotId("Fen"), "track Ada")),
            (19, Closed("night-1")),
            (20, Opened("day-2", "10", at(102))),
            (21, Replaced(SlotId("Elm"), "Rook", "11", "a new job")),
            (21, Prodded(SlotId("Gale"))),
            (21, Prodded(SlotId("Fen"))),
            (22, Away(SlotId("Gale"), "2026-11-21", "2026-11-22")),
            (22, Extended("day-2", at(126))),
            (23, Ruled("Does a replacement take over the vote?", "Yes.", "the house always did")),
        ],
        "over": [(27, Closed("day-2", f"eliminate {second}", "sha256:00 posts 10-13"))],
    }


STAGES = ("sign-ups", "day 1", "night 1", "day 2", "over")
POSTS = {"sign-ups": 0, "day 1": 4, "night 1": 9, "day 2": 12, "over": 99}


def lantern(place: Path, stage: str) -> tuple[Path, Pages]:
    """The game of seven at a stage: its folder, and its journal and thread."""
    begun = stage != "sign-ups"
    folder = folder_of(
        place, FILE, "custom_mafia" if begun else "", NAMES if begun else NAMES[:5], SEED, OPTIONS
    )
    pages = Pages(kept=lantern_thread(POSTS[stage]) if begun else None)
    for name in STAGES[1 : STAGES.index(stage) + 1]:
        for hours, entry in lantern_entries()[name]:
            pages.append(entry, BEGAN + timedelta(hours=hours), "Wren")
    return folder, pages


def scene(folder: Path, pages: Pages) -> Now:
    return now_of(session_of_test(folder, pages))


_CROWD = (
    "Ada Boro Cinder Dusk_77 Elm Fen Gale Hollis Iris Juniper Kestrel Lumen Moth Nettle Onyx Pike Quill Rook"
)
CROWD = tuple(map(SlotId, _CROWD.split()))
PLAYERS = {"knight_errant": 18, "kings_court": 11, "knights_duty": 3, "knight_fight": 2}
"""So many play; seven elsewhere."""


@cache
def played(name: str, seed: bytes = SEED) -> Journal:
    game: Game[Any] = next(game for game in GAMES if game.spec.id == name)
    names = CROWD[: PLAYERS.get(name, 7)]
    return play(game, names, {}, SeededRng(b"chance"), SeededRng(seed)).journal


def random_game(place: Path, game: Game[Any], whole: bool) -> tuple[Path, Pages]:
    """A game of that kind, to its end or to the middle: of games with nights to the last morning."""
    journal = played(game.spec.id)
    nights = [n for n, record in enumerate(journal, 1) if record.entry == Closed("night")]
    middle = nights[-1] if nights else len(journal) // 2
    names = journal[0].entry.slots if isinstance(journal[0].entry, Started) else ()
    head = f'schema = 1\n[game]\nkind = "{game.spec.id}"\ntitle = "Copper Fair"\nmoderators = ["Wren"]\n'
    folder = folder_of(place, head, game.spec.id, names)
    return folder, Pages(journal if whole else journal[:middle])
