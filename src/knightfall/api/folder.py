"""The folder of a game: what every question of `Game` begins with, and how instants and posts are said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from knightfall.api.door import Doors
from knightfall.errors import TimeError
from knightfall.models import Thread
from knightfall.services.machine import session_of
from knightfall.services.now import as_of as session_as_of
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session


@dataclass(frozen=True, slots=True, repr=False)
class GameFolder(Doors):
    """Where a game lies, and how its forum is asked.

    `cookies` is a file of your browser's login (Netscape format, readable by you alone, outside of the
    folder), `user_agent` that of this browser, where the file does not tell it; `allow_private_host` lets the
    forum be on this machine or its network. `thread` has the posts of a game that has no forum, such as one
    in a chat: they are counted in the place of the game's thread.
    """

    folder: Path
    cookies: Path | None = None
    allow_private_host: bool = False
    user_agent: str = ""
    thread: Thread | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.folder, Path):  # named as text, by who has no type checker
            object.__setattr__(self, "folder", Path(self.folder))

    def __repr__(self) -> str:
        return f"Game({str(self.folder)!r})"

    def _session(self, at: int | str | datetime | None = None) -> Session:
        """A session of the game, as it stands or as of an entry or a time."""
        session = session_of(self.folder, self.allow_private_host, self.cookies, agent=self.user_agent)
        session = replace(session, thread=self.thread)
        return session if at is None else session_as_of(typed(at), session)


def typed(moment: int | str | datetime) -> str:
    """A post, an entry or a time as the services read it. Raises TimeError for an instant without a zone."""
    if isinstance(moment, datetime):
        if moment.tzinfo is None:
            raise TimeError(f"{moment.isoformat()}: a time without a zone names no instant; give it a zone.")
        return moment.isoformat()
    return str(moment)


def of_thread(
    as_of: int | str | datetime | None, day: int | None, stored: bool, again: bool = False
) -> CountRequest:
    """The game's own thread, as of a post or a time."""
    return CountRequest(day=day, at=None if as_of is None else typed(as_of), stored=stored, again=again)
