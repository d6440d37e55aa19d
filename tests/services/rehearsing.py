"""A moderator who hosts a rehearsal: does what is due by the ordinary acts, and decides what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fetch.loopback import StillClock
from knightfall.forums.exchange import Request, Response
from knightfall.mafia.rehearsed_players import VOLUNTEER, Planted
from knightfall.services.count.votecount import VotecountAnswer, count_votes
from knightfall.services.day import close as day
from knightfall.services.day.phases import open_phase
from knightfall.services.game.due import due
from knightfall.services.game.players import prod, replace_player
from knightfall.services.journal import Decision, fix
from knightfall.services.now import now_of
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.rehearsal import RehearsalStep, begin_rehearsal, step
from knightfall.services.rehearsal_thread import RehearsalRecord, read_record
from knightfall.services.requests import (
    ClosingRequest,
    CountRequest,
    MailRequest,
    PhaseRequest,
    PostOptions,
    PostRequest,
)
from knightfall.services.running import RunningGame, is_voted_on
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.services.window.inbox import Case, take_in
from knightfall.services.window.waiting import pending
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store


class NoNetwork:
    """Nothing of a rehearsal is asked of a network."""

    def get(self, request: Request) -> Response:
        raise AssertionError(request.url)

    follow = get


@dataclass
class Host:
    """The moderator of a rehearsal: its steps, every count that was looked at, and every message."""

    folder: Path
    seed: bytes
    clock: StillClock = field(default_factory=StillClock)
    steps: list[RehearsalStep] = field(default_factory=list)
    counts: list[VotecountAnswer] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    @cached_property
    def session(self) -> Session:
        database = self.folder / "game.db"
        return Session(
            self.clock,
            NoNetwork(),
            lambda _thread: Store.open(database),
            lambda: Ledger.open(database),
            "Wren",
            game=self.folder,
        )

    @property
    def table(self) -> RunningGame:
        return now_of(self.session).running

    @property
    def record(self) -> RehearsalRecord:
        found = read_record(self.folder)
        assert found is not None
        return found

    def begin(self) -> Host:
        begin_rehearsal(self.folder, self.seed, self.session)
        return self

    def players_go_on(self, minutes: float = 5) -> RehearsalStep:
        self.clock.sleep(minutes * 60)
        self.steps.append(step(self.session))
        self.clock.sleep(60)
        return self.steps[-1]

    def post_what_is_due(self) -> None:
        for one in due(self.session):
            if one.way.to == "post":
                kind = str(one.way.values["kind"])
                mark_posted(write_post(PostRequest(kind, stored=True), self.session), self.session)

    def take_messages(self, found: RehearsalStep) -> None:
        if found.file is not None:
            self.cases += take_in(MailRequest(pms=found.file), self.session).cases

    def count(self) -> VotecountAnswer:
        self.counts.append(count_votes(CountRequest(stored=True), self.session))
        return self.counts[-1]

    def by_day(self) -> None:
        """Count, decide what is asked, and close the day once it is decided."""
        answer = self.count()
        for doubt in answer.questions:
            fix(str(doubt.post), Decision(ignore=True), "asked them by PM", self.session)
        count = self.count().counted.count
        if count.outcome is not None:
            found = day.look(ClosingRequest(stored=True), self.session)
            self.clock.sleep(30)
            day.close(found, next(iter(found.choices)), self.session)

    def by_night(self, quiet: bool) -> None:
        """Prod and replace who is silent, and close the night once everybody has answered."""
        [waits] = pending(self.table)
        if not waits.absent:
            turns.close(waits.window.kind, None, self.session)
            return
        silent = self.record.vanished
        if self.record.vanished in waits.absent and quiet:
            if any(one.author == VOLUNTEER for one in self.record.posts):
                replace_player(silent, VOLUNTEER, None, "never answered", PostOptions(), self.session)
            else:
                prod((silent,), False, PostOptions(), self.session)

    def set_deadline(self, ends: str) -> None:
        open_phase(PhaseRequest("day", 1, ends=ends), PostOptions(), self.session)

    def play(self, steps: int = 60, until: str = "") -> Host:
        """To the end of the game, or so many steps, or until something of that title is open."""
        for _ in range(steps):
            self.post_what_is_due()
            found = self.players_go_on()
            self.take_messages(found)
            windows = self.table.windows
            if not windows:
                return self
            self.clock.sleep(60)
            if is_voted_on(windows[0]):
                self.by_day()
            else:
                self.by_night(quiet=not found.pms)
            if until in [one.title for one in self.table.windows]:
                return self
        return self

    def planted(self) -> set[str]:
        """All that was wrong on purpose so far."""
        found = [one.planted for one in self.record.posts] + [one.planted for one in self.record.pms]
        return {*filter(None, found), str(Planted.SILENT)}
