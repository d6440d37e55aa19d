"""An invented game at the end of its first day: a forum that changes while it is read, and what reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from fetch.loopback import Reply, Server, StillClock, near_client, serving
from fetch.threads import Forum
from knightfall.services.session import Ledger as LedgerPort
from knightfall.services.session import Session, step_words
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store

PLAYERS = ("Ada", "Boro", "Cinder", "Fen", "Kestrel")
"""Five alive: three votes are a hammer."""
ROLES = {"Ada": "Town Medic", "Fen": "Mafia Goon"}
PAST = "2026-11-20T20:00:00Z"
"""Before the still clock's noon of 21 November."""
AHEAD = "2026-11-21T12:05:00Z"
"""Five minutes after it."""


def vote(name: str) -> str:
    return f"<b>Vote: {name}</b>"


def board(*said: tuple[str, str]) -> list[tuple[int, str, str]]:
    """The moderator opens, then (author, body) each; post n has the id 100 + n."""
    posts = [("Wren", "<b>Day 1 begins.</b>"), *said]
    return [(100 + number, author, body) for number, (author, body) in enumerate(posts, start=1)]


@dataclass
class Evening:
    """A forum with what happens to it after so many seconds; `down` is from when until when it does not
    answer, `stamps` the times of posts by id where they are not the usual one."""

    forum: Forum
    clock: StillClock = field(default_factory=StillClock)
    happens: dict[float, Callable[[Forum], object]] = field(default_factory=dict)
    down: tuple[float, float] = (0, 0)
    stamps: Mapping[int, str] = field(default_factory=dict)

    def __call__(self, path: str) -> Reply:
        for moment in [moment for moment in self.happens if moment <= self.clock.elapsed()]:
            self.happens.pop(moment)(self.forum)
        if self.down[0] <= self.clock.elapsed() < self.down[1]:
            return Reply(b"<html><body>down</body></html>", 503)
        reply = self.forum(path)
        text = reply.body.decode()
        for identity, time in self.stamps.items():
            text = re.sub(rf'(<div id="p{identity}".*?datetime=")[^"]*', rf"\g<1>{time}", text, count=1)
        return Reply(text.encode(), reply.status)


def unheard(_: str) -> None:
    """What is said is not what the test looks at."""


@dataclass
class Game:
    """The folder of a game whose thread is the evening's, and the session of its commands."""

    folder: Path
    session: Session
    server: Server
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        """All that was said beside the posts."""
        return "\n".join(self.err)

    @property
    def followed(self) -> Session:
        """The session whose steps are said beside the posts, as a command says them."""
        return replace(self.session, report=lambda step: self.err.append(step_words(step)))

    def ledger(self) -> LedgerPort:
        """The journal of its folder, opened as the commands open it."""
        opened = self.session.ledger
        assert opened is not None
        return opened()


@contextmanager
def game(
    folder: Path, evening: Evening, ends: str | None = PAST, rules: str = "", more: str = ""
) -> Iterator[Game]:
    """The game folder in `folder`, the forum running."""
    runs = True
    with serving(evening) as server:

        def served(path: str) -> Reply:
            server.asked.append(path)
            return evening(path) if runs else Reply(status=503)

        day = f"[[day]]\nnumber = 1\nstart_post = 1\n{f'ends = {ends}' if ends else ''}\n"
        thread = f'[[thread]]\nrole = "game"\nurl = "{server.root}viewtopic.php?t=5"\n'
        head = f'schema = 1\n[game]\nmoderators = ["Wren"]\nsite = "plain"\n[rules]\n{rules}\n'
        text = head + thread + "".join(map(_player, PLAYERS)) + day + more
        (folder / "game.toml").write_text(text, encoding="utf-8")
        database = folder / "game.db"
        session = Session(
            evening.clock,
            near_client(evening.clock, served),
            lambda _thread: Store.open(database),
            lambda: Ledger.open(database),
            "Wren",
            game=folder,
        )
        yield Game(folder, session, server)
    runs = False


def _player(name: str) -> str:
    role = f'role = "{ROLES[name]}"\n' if name in ROLES else ""
    return f'[[player]]\nname = "{name}"\n{role}'
