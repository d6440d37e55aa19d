"""Games of every mafia kind in folders, at their first day, with a thread that lies in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import cast

from begun import MemoryLedger, begin, copy_with_journal
from fetch.loopback import StillClock, client
from knightfall.models import Thread
from knightfall.services.count.votecount import answer_of, counted, post_of
from knightfall.services.day.close import DayClosing, look
from knightfall.services.now import now_of
from knightfall.services.posts.write import PostDraft, write_post
from knightfall.services.requests import ClosingRequest, CountRequest, NewGameRequest, PostRequest
from knightfall.services.running import RunningGame
from knightfall.services.session import Session, Store
from knightfall.services.window.turns import close, submit
from knightfall.storage.links import START
from salt_harbour import NAMES as EIGHTEEN

URL = "https://forum.example/viewtopic.php?t=5"
PLAYERS: Mapping[str, tuple[str, ...]] = {
    "empowered": EIGHTEEN[:9],
    "knight_errant": EIGHTEEN,
    "custom_mafia": EIGHTEEN[:7],
}
MADE_OF = {"slots": [{"role": "Mafia Goon"}, {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True}]}


@dataclass
class MemoryStore:
    """A thread that was read."""

    found: Thread

    def thread(self, url: str) -> Thread | None:
        return self.found if url == URL and self.found.posts else None

    def platform(self, url: str) -> str | None:
        found = self.thread(url)
        return found.platform if found else None

    def versions(self, *_: object) -> tuple[()]:
        return ()

    def changes(self, *_: object) -> tuple[()]:
        return ()

    def answers(self, *_: object) -> dict[int, str]:
        return {}

    def kept_marks(self) -> dict[str, str]:
        return {}

    def keep_marks(self, *_: object) -> None:
        """What the file's numbers meant does not matter."""

    def restate(self, *_: object) -> None:
        """Its posts have no times."""

    def is_sealed(self) -> bool:
        return True

    def links(self) -> tuple[str, ...]:
        return (START,)

    def last_link(self) -> str:
        return START

    def pages_seen(self, *_: object) -> tuple[()]:
        return ()

    def mark_counted(self, *_: object) -> None:
        """What was counted does not matter."""

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class VotingDay:
    """A game at its first day; `said` are the posts of its thread, (author, BBCode) each."""

    folder: Path
    clock: StillClock
    ledger: MemoryLedger
    said: list[tuple[str, str]] = field(default_factory=lambda: [("Wren", "[b]Day 1 begins.[/b]")])

    @property
    def thread(self) -> Thread:
        return replace(Thread.from_posts(self.said, "A day"), url=URL)

    @property
    def session(self) -> Session:
        return Session(
            self.clock,
            client(self.clock, delay=0),
            lambda _thread: cast(Store, MemoryStore(self.thread)),
            lambda: self.ledger,
            "Wren",
            game=self.folder,
        )

    @property
    def table(self) -> RunningGame:
        return now_of(self.session).running

    def vote(self, target: str, *voters: str) -> None:
        self.said += [(voter, f"[b]Vote: {target}[/b]") for voter in voters]

    def wait(self, hours: float) -> None:
        self.clock.sleep(timedelta(hours=hours).total_seconds())

    def look(self, early: str = "") -> DayClosing:
        return look(ClosingRequest(None, early, stored=True), self.session)

    def votecount(self) -> str:
        """The public post of the count."""
        request = CountRequest(stored=True)
        answer = answer_of(counted(request, self.session), request, self.session)
        return post_of(answer, request, self.session).text

    def post(self, kind: str) -> PostDraft:
        return write_post(PostRequest(kind, dialect="plain", stored=True), self.session)


def voting_day(folder: Path, kind: str, rules: str = "", **options: object) -> VotingDay:
    """The game at day 1, by the rules that it brings unless others are given."""
    place, clock = folder / "day", StillClock()

    def make(made: Path, ledger: MemoryLedger) -> None:
        _first_day(VotingDay(made, StillClock(), ledger), kind, options)

    ledger = copy_with_journal(f"day 1 of {kind} with {sorted(options.items())}", make, place)
    if rules:
        file = place / "game.toml"
        head, _, tail = file.read_text(encoding="utf-8").partition("[rules]\n")
        file.write_text(f"{head}[rules]\n{rules}\n\n[[thread]]{tail.partition('[[thread]]')[2]}", "utf-8")
    return VotingDay(place, clock, ledger)


def _first_day(found: VotingDay, kind: str, options: dict[str, object]) -> None:
    given = options | ({"setup": MADE_OF} if kind == "custom_mafia" else {})
    begin(
        NewGameRequest(
            kind,
            PLAYERS[kind],
            found.folder,
            b"a seed for the day",
            b"salt" * 8,
            "Voting day",
            options=given,
            site="plain",
            moderators=("Wren",),
            threads=(("game", URL),),
        ),
        found.session,
    )
    if kind == "empowered":
        for slot in found.table.windows[0].slots:
            submit(slot, "role Ninja", "plain", found.session)
        close("choosing", "plain", found.session)
