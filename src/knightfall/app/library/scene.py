"""What is known of a game when one of its posts is written?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from knightfall.app.diary.journal import journal_of
from knightfall.app.founding.game_names import game_named
from knightfall.app.people.holders import holders, renamed
from knightfall.app.play.table import Table, table_of
from knightfall.app.ports import Ports, Progress
from knightfall.app.setup_now import setup_of
from knightfall.app.speech import kept_thread
from knightfall.core.entries import Started
from knightfall.core.game import Announced, Game, announced
from knightfall.core.journal import Journal, standing
from knightfall.posts import Post, Thread
from knightfall.setups.setup import Setup
from knightfall.writeups.render import has_template

VOTES = "votes"
"""The kind of a game of which the file tells only how votes count."""

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Scene:
    """`journal` holds the entries that stand; `table` is None where no game was begun; `kept` gives the
    thread of the game as it was last read, and takes its time only where a post needs it."""

    folder: Path
    setup: Setup
    journal: Journal
    ports: Ports
    kept: Callable[[], Thread | None]
    table: Table | None = None
    stored: bool = False
    """Whether a count is of what was read before, without asking the forum."""
    progress: Progress | None = None
    """Is told of pages that a post has to read, and of days that it counts."""

    @property
    def game(self) -> Game[Any] | None:
        """The game on board that is played or will be; None where only votes are counted."""
        if self.table is not None:
            return self.table.game
        return None if self.setup.kind == VOTES else game_named(self.setup.kind)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.setup.title or (self.game.spec.name if self.game else "Mafia")

    @property
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def posts(self) -> Mapping[int, Post]:
        """The posts of the thread by number, as far as they were read."""
        thread = self.kept()
        return {post.number: post for post in thread.posts} if thread else {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """What everybody may know of a begun game; nothing where none was begun."""
        return self.table.game.view(self.table.state, None).facts if self.table else {}

    @property
    def public(self) -> tuple[Announced, ...]:
        """All that was announced, in order."""
        return announced(self.table.replay.events) if self.table else ()

    def told(self, event: Announced) -> Mapping[str, Any]:
        """The facts of an announcement, with the names of who holds the slots now."""
        return renamed(event, holders(self.journal)).facts

    def has(self, event: str) -> bool:
        """Whether the game has posts of that kind of its own."""
        return self.game is not None and has_template(f"{self.game.spec.id}/{event}")

    @property
    def votes_by_day(self) -> bool:
        """Whether this game has days on which everybody votes in the thread."""
        return self.game is None or self.has("elimination")

    def last(self, *kinds: str) -> Announced | None:
        """The latest announcement of one of these kinds."""
        return next((event for event in reversed(self.public) if event.kind in kinds), None)

    def entries(self, kind: type[E]) -> Iterator[tuple[int, E]]:
        """The entries of this kind that stand, with their numbers, in order."""
        for record in self.journal:
            if isinstance(record.entry, kind):
                yield record.number, record.entry


def scene_of(folder: Path, ports: Ports, stored: bool = False, progress: Progress | None = None) -> Scene:
    """All that is known of the game of a folder. Raises SetupError for a bad game file, and what reading the
    journal raises."""
    setup, journal = setup_of(folder, ports), standing(journal_of(ports))
    begun = any(isinstance(record.entry, Started) for record in journal)
    table = table_of(folder, ports) if begun else None
    kept = cache(partial(kept_thread, setup, ports))
    return Scene(folder, setup, journal, ports, kept, table, stored, progress)
