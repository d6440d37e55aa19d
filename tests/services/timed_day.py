"""A custom game at its first day whose thread has times: who is who goes by the cards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.models import Post, PostId, Thread
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import counted
from knightfall.services.day.close import ClosedDay, look
from knightfall.services.day.close import close as close_day
from knightfall.services.requests import ClosingRequest, CountRequest, NewGameRequest
from knightfall.services.window.receipts import Receipt
from knightfall.services.window.turns import close, submit
from knightfall.votes.votecount import Votecount
from salt_harbour import NAMES
from services.voting_day import URL, VotingDay

STEP = timedelta(minutes=10)


@dataclass
class TimedDay(VotingDay):
    """Every post and every message comes ten minutes after what was before it."""

    posts: list[Post] = field(default_factory=list)

    @property
    def thread(self) -> Thread:
        return replace(Thread("jsonl", "A day", tuple(self.posts)), url=URL)

    def says(self, author: str, body: str) -> int:
        """The number of the post."""
        self.clock.sleep(STEP.total_seconds())
        number = len(self.posts) + 1
        self.posts.append(Post(PostId(str(number)), number, author, body, time=self.clock.now()))
        return number

    def votes(self, voter: str, target: str) -> int:
        return self.says(voter, f"<strong>Vote: {target}</strong>")

    def sends(self, slot: str, line: str, at: datetime | None = None) -> Receipt:
        self.clock.sleep(STEP.total_seconds())
        return submit(slot, line, "plain", self.session, at=at)

    def who(self, role: str) -> list[SlotId]:
        return [slot for slot, card in self.table.state.cards.items() if card.name == role]

    def count(self, day: int | None = None, at: str | None = None) -> Votecount:
        found = counted(CountRequest(stored=True, day=day, at=at), self.session)
        assert isinstance(found.count, Votecount)
        return found.count

    def wagons(self, day: int | None = None) -> dict[str, int]:
        return {one.target.name: one.count for one in self.count(day).tally.wagons if one.target}

    def ends(self, eliminated: str, early: str = "They agree") -> ClosedDay:
        found = look(ClosingRequest(None, early, stored=True), self.session)
        return close_day(found, eliminated, self.session)

    def dawns(self) -> None:
        self.clock.sleep(STEP.total_seconds())
        close("night", "plain", self.session)


def timed_day(folder: Path, *roles: str, players: int = 7) -> TimedDay:
    """A custom game of these roles and townies at its first day."""
    slots = [{"role": role} for role in roles] + [{"role": "Vanilla Townie", "fill": True}]
    day = TimedDay(folder / "day", StillClock(), MemoryLedger())
    begin(
        NewGameRequest(
            "custom_mafia",
            NAMES[:players],
            day.folder,
            b"a seed for the day",
            b"salt" * 8,
            "Timed day",
            options={"setup": {"slots": slots}},
            site="plain",
            moderators=("Wren",),
            threads=(("game", URL),),
        ),
        day.session,
    )
    day.says("Wren", "<strong>Day 1 begins.</strong>")
    return day
