"""The session of a command, and what it shows on the terminal while it works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from knightfall.services.close_day import Countdown
    from knightfall.services.session import Progress, Session


def real_session(game: Path | None, allow_private: bool, cookies: Path | None = None) -> Session:
    """The session of a command, which tells what happens meanwhile on standard error.

    `game` is a game folder, its game.toml or its database; None: one a thread. `cookies` is the file of a
    login.
    """
    from knightfall.services.this_machine import session_of

    return session_of(game, allow_private, cookies, _say, _step)


@contextmanager
def progress_bar(session: Session, what: str = "Reading pages") -> Iterator[Session]:
    """The session whose progress is a bar on stderr, where that is a terminal."""
    with bar_of(what) as progress:
        yield replace(session, progress=progress)


@contextmanager
def bar_of(what: str) -> Iterator[Progress | None]:
    """A bar on stderr over `what`; from a text that is printed to the next step it is not there. None where
    stderr is no terminal, or the moderator wants it quiet."""
    from knightfall.cli.loudness import is_quiet
    from knightfall.cli.screen import making_way

    screen = None if is_quiet() else _screen()
    if screen is None:
        yield None
        return
    from rich.progress import Progress as Bar

    bar = Bar(console=screen, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task(what, total=None)

    def step(done: int, of: int) -> None:
        bar.update(task, completed=done, total=of)
        bar.start()

    with bar, making_way(bar.stop):
        yield step


def _screen() -> Console | None:
    """The terminal behind stderr; None where nothing can be drawn and wiped off again."""
    import sys

    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    screen = Console(stderr=True)
    return screen if screen.is_interactive else None


@contextmanager
def countdown() -> Iterator[Countdown | None]:
    """The time that is left on stderr, where that is a terminal; it makes way for a text as a bar does."""
    from datetime import timedelta

    from knightfall.cli.screen import making_way

    screen = _screen()
    if screen is None:
        yield None
        return
    status = screen.status("")

    def tick(left: float) -> None:
        status.update(f"{timedelta(seconds=round(left))} left")
        status.start()

    with status, making_way(status.stop):
        yield tick


def typed(question: str) -> str | None:
    """What the moderator types after the question, or what is piped in; None where there is nothing."""
    import sys

    from knightfall.cli.screen import say

    say(question, err=True, nl=False)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        say("", err=True)
    return line or None


def _step(sentence: str) -> None:
    """Told where each step is wanted."""
    from knightfall.cli.loudness import is_verbose

    if is_verbose():
        _say(sentence)


def _say(sentence: str) -> None:
    from knightfall.cli.screen import echo

    echo(sentence, err=True)
