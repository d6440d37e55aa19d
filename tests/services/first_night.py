"""A game of Knight-Errant in a folder, at its first night, with a private thread on a loopback forum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from begun import begin, copy_of
from fetch.loopback import Server, StillClock, client, near_client, serving
from fetch.threads import Forum
from knightfall.cli.format_play import show_receipt
from knightfall.cli.night import show_intake
from knightfall.cli.ways import in_commands
from knightfall.engine.entries import Submitted
from knightfall.engine.journal import standing
from knightfall.fetch.client import Client
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId
from knightfall.services.now import now_of
from knightfall.services.requests import MailRequest, NewGameRequest
from knightfall.services.running import RunningGame
from knightfall.services.session import Session
from knightfall.services.window.inbox import Case, take_in
from knightfall.services.window.turns import close, submit
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from salt_harbour import NAMES
from services.end_of_day import Evening

SEED = b"a seed for the quay"
NIGHT = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""When the still clock starts, and the first night with it."""


def at(minutes: int) -> str:
    """So many minutes into the night, as a page writes it."""
    return f"2026-11-21T{12 + minutes // 60:02}:{minutes % 60:02}:00Z"


@dataclass
class Quay:
    """The folder and what was said there."""

    folder: Path
    evening: Evening
    server: Server
    session: Session
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)

    @property
    def table(self) -> RunningGame:
        return now_of(self.session).running

    @property
    def told(self) -> str:
        return "\n".join(map(in_commands, self.err))

    def holder(self, role: str) -> SlotId:
        """The first who holds a card."""
        cards: Mapping[SlotId, Role] = self.table.state.cards
        return next(slot for slot, card in cards.items() if card.name == role)

    def wait(self, minutes: int) -> None:
        self.evening.clock.sleep(minutes * 60)

    def post(self, identity: int, author: str, body: str, minutes: int) -> None:
        """Somebody writes in the private thread."""
        self.evening.forum.posts.append((identity, author, body))
        self.evening.stamps = {**self.evening.stamps, identity: at(minutes)}

    def read(self, dry: bool = False, verbose: bool = False, again: bool = True) -> tuple[Case, ...]:
        return self.take(MailRequest(threads=True, again=again, dry=dry), verbose)

    def take(self, request: MailRequest, verbose: bool = False) -> tuple[Case, ...]:
        self.out.clear()
        self.err.clear()
        intake = take_in(request, self.session)
        show_intake(intake, verbose, self.out.append, self.err.append)
        return intake.cases

    def say(self, who: str, text: str) -> None:
        show_receipt(submit(who, text, "plain", self.session), self.out.append, self.err.append)

    def close(self, window: str) -> None:
        closing = close(window, "plain", self.session)
        show_receipt(closing.receipt, self.out.append, self.err.append)

    def sent(self) -> list[tuple[str | None, str]]:
        """What the players' entries say."""
        entries = (record.entry for record in standing(self.table.journal))
        return [(e.slot, e.text) for e in entries if isinstance(e, Submitted) and e.slot is not None]


@contextmanager
def quay(folder: Path, more: str = "") -> Iterator[Quay]:
    """The game at night 1, nobody dead; its private thread begins with a post of the moderator."""
    evening = Evening(Forum([(100, "Wren", "Send me your actions here: <b>heal NAME</b>")]), StillClock())
    place = folder / "quay"
    copy_of("the quay at night 1", _at_night, place)
    with serving(evening) as server:
        _file(place, server.root, more)
        yield Quay(
            place, evening, server, session_of_test(place, evening.clock, near_client(evening.clock, evening))
        )


def _at_night(place: Path) -> None:
    """The game as every test finds it."""
    session = session_of_test(place, StillClock())
    begin(
        NewGameRequest("knight_errant", NAMES, place, SEED, b"salt" * 8, "Quay", "America/New_York"), session
    )
    found = Quay(place, Evening(Forum([])), Server("", [], [], []), session)
    found.say("moderator", "no elimination")
    found.close("day")


def session_of_test(folder: Path, clock: StillClock, fetch: Client | None = None) -> Session:
    """The session of a game's folder."""
    return Session(
        clock,
        fetch or client(clock, delay=0),
        lambda _thread: Store.open(folder / "game.db"),
        lambda: Ledger.open(folder / "game.db"),
        "Wren",
        game=folder,
    )


def _file(folder: Path, root: str, more: str) -> None:
    """The game file as it was begun, with the moderator and a private thread."""
    file = folder / "game.toml"
    text = file.read_text(encoding="utf-8").replace("[game]\n", '[game]\nmoderators = ["Wren"]\n')
    room = f'[[thread]]\nrole = "private"\nurl = "{root}viewtopic.php?t=5"\n'
    file.write_text(f"{text}\n{room}members = {list(NAMES[:-1])!r}\n{more}", encoding="utf-8")
