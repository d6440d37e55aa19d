"""What changes by itself: each browser that looks at a game hears of it by server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.responses import StreamingResponse
from starlette.types import Message, Send

MOST = 64
"""So many streams are open at once; who comes later asks again after `LATER`."""
LATER = 10_000
"""Milliseconds."""
AGAIN = 1_000
"""Milliseconds after which a browser that lost its stream asks for it again."""
LOOK = 0.1
"""Seconds between two looks at whether something was written."""
QUIET = 15.0
"""Seconds after which a stream says that it is there, though there is nothing to tell."""
STUCK = 20.0
"""Seconds in which a reader takes what is sent; who does not loses the stream."""


@dataclass(slots=True)
class Broadcaster:
    """Looks at the version of one game, once for all who read of it, and wakes them when it changes.

    A reader who is late finds the latest version alone: nothing piles up, and nobody waits for them.
    """

    version: Callable[[], str]
    latest: str = ""
    readers: set[asyncio.Event] = field(default_factory=set)
    looking: asyncio.Task[None] | None = None

    def join(self) -> asyncio.Event:
        """Take in a reader; the first begins the looking."""
        reader = asyncio.Event()
        self.readers.add(reader)
        if self.looking is None:
            self.latest = self.version()
            self.looking = asyncio.get_running_loop().create_task(self._look())
        return reader

    def leave(self, reader: asyncio.Event) -> None:
        """Let a reader go; the last ends the looking."""
        self.readers.discard(reader)
        if not self.readers and self.looking is not None:
            self.looking.cancel()
            self.looking = None

    def wake(self) -> None:
        """Wake every reader."""
        for reader in self.readers:
            reader.set()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            found = self.version()
            if found != self.latest:
                self.latest = found
                self.wake()


class Live:
    """The streams of a run, with a broadcaster for each game that somebody looks at."""

    def __init__(self) -> None:
        self._broadcasters: dict[str, Broadcaster] = {}
        self._ended = False

    @property
    def open(self) -> int:
        """How many streams are open."""
        return sum(len(one.readers) for one in self._broadcasters.values())

    def end(self) -> None:
        """End every stream; the server stops."""
        self._ended = True
        for one in self._broadcasters.values():
            one.wake()

    async def events(self, game: str, version: Callable[[], str]) -> AsyncIterator[str]:
        """The version of a game now, and again each time it has changed, as `text/event-stream`."""
        if self.open >= MOST:
            yield f"retry: {LATER}\n\n"
            return
        here = self._broadcasters.setdefault(game, Broadcaster(version))
        reader, told = here.join(), ""
        try:
            yield f"retry: {AGAIN}\n\n"
            while not self._ended:
                if told != here.latest:
                    told = here.latest
                    yield f"data: {told}\n\n"
                try:
                    await asyncio.wait_for(reader.wait(), QUIET)
                except TimeoutError:
                    yield ": nothing new\n\n"
                reader.clear()
        finally:
            here.leave(reader)
            if not here.readers:
                self._broadcasters.pop(game, None)


class LiveResponse(StreamingResponse):
    """A stream whose reader takes what is sent in time, or is let go."""

    def __init__(self, events: AsyncIterator[str]) -> None:
        super().__init__(events, media_type="text/event-stream")

    async def stream_response(self, send: Send) -> None:
        async def in_time(message: Message) -> None:
            async with asyncio.timeout(STUCK):
                await send(message)

        try:
            await super().stream_response(in_time)
        except TimeoutError:
            return
