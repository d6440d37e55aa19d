"""What every verb shares at the terminal: options, loudness, printing, bars, questions, the clipboard."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.parameters import asked
from knightfall.services.questions import ENTRY

if TYPE_CHECKING:
    from rich.console import Console

    from knightfall.services.day.close import Countdown
    from knightfall.services.requests import CountRequest
    from knightfall.services.session import Progress, Session

Game: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A game folder or its game.toml (default: this folder)."),
]
CopyIt: TypeAlias = Annotated[bool, typer.Option("--copy", help="Also copy the post to the clipboard.")]
Then: TypeAlias = Annotated[str | None, typer.Option("--at", metavar=ENTRY.metavar, help=ENTRY.help)]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object for programs (schema 1).")
]
Why: TypeAlias = Annotated[
    str, typer.Option(metavar="REASON", help="The reason. It is kept in the log and never posted.")
]
AllowLeak: TypeAlias = Annotated[
    str,
    typer.Option(
        "--allow-leak", metavar="WHY", help="Allow a text that the secret check stopped, for this reason."
    ),
]


def at_in_full(request: CountRequest, session: Session) -> CountRequest:
    """The request as the services take it: a time of `--at` is told in full and becomes an instant."""
    return replace(request, at=moment_in_full(request.at, session))


def moment_in_full(at: str | None, session: Session) -> str | None:
    """What was typed for `--at`: a time is told in full and becomes an instant, a number stays."""
    if at is None or at.removeprefix("#").isdigit():
        return at
    from knightfall.services.session import parse_at
    from knightfall.writeups.facts import as_of_line

    now, zone = session.clock.now(), None
    if session.game is not None:
        from knightfall.services.now import zone_of  # a thread alone need not wait for the games

        zone = zone_of(session)
    moment = parse_at(at, zone, now).at_time
    if moment is None:
        return at
    echo(as_of_line(moment, now, zone), err=True)
    return moment.isoformat()


FILE, JOURNAL = "game.toml", "game.db"


def game_here(game: Path | None) -> Path | None:
    """The game that is named, else the folder we are in if it is one; None where there is no game."""
    return game or (Path() if Path(FILE).exists() else None)


def game_needed(game: Path | None) -> Path:
    """The same for verbs that need a game. Raises InputError where there is none."""
    from knightfall.errors import InputError

    found = game_of(None, game)
    if found is None:
        raise InputError(f"This needs a game. Run it in a folder that has a {FILE}, or add --game FOLDER.")
    return found


def game_of(named: object, game: Path | None) -> Path | None:
    """The game that is named, else the folder's; a thread that is named is counted by itself, and says so
    where it stands beside a game. Raises InputError where neither is named and the folder has a journal
    without a game file."""
    if not named or game is not None:
        found = game_here(game)
        if found is None and Path(JOURNAL).exists():
            from knightfall.errors import InputError

            raise InputError(
                f"This folder has a game's journal, {JOURNAL}, but no {FILE}. The journal was not touched. "
                f"Put the {FILE} back, for example from a backup, and run this again."
            )
        return found
    if game_here(None) is not None:
        aside("Using only the thread, not the game in this folder. To use the game, add --game .")
    return None


_IN_THE_WAY: ContextVar[Callable[[], None] | None] = ContextVar("_IN_THE_WAY", default=None)
"""What takes a bar off the screen, while there is one."""


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints a text with its ways as commands, without what would play tricks on a terminal; what goes to
    standard error beside the answer only where it is wanted."""

    if not (err and is_quiet()):
        say(text, err, nl)


def aside(sentence: str) -> None:
    """Tell beside the answer, on standard error."""
    echo(sentence, err=True)


def nowhere(_sentence: str) -> None:
    """Where a text is part of another that is printed."""


def say(text: object, err: bool = False, nl: bool = True) -> None:
    """The same, however quiet it is to be: errors and questions."""
    import typer

    from knightfall.cli.ways import in_commands
    from knightfall.engine.safe_text import safe

    if clear := _IN_THE_WAY.get():
        clear()
    typer.echo(safe(in_commands(text)), err=err, nl=nl)


@contextmanager
def making_way(clear: Callable[[], None]) -> Iterator[None]:
    """Within it `clear` is called before a text is printed: it takes off the screen what is drawn there."""
    before = _IN_THE_WAY.set(clear)
    try:
        yield
    finally:
        _IN_THE_WAY.reset(before)


LOUDNESS = "KNIGHTFALL_LOUDNESS"
"""“quiet” or “verbose”; the same as the flags, for scripts. It is read, never written."""
QUIET, VERBOSE = "quiet", "verbose"
_CHOSEN: ContextVar[str | None] = ContextVar("_CHOSEN", default=None)
"""What the flags of this command line say; None: nothing."""
ANYWHERE = {"-q", "-v", "--debug"}
"""Flags that may stand behind the verb, too."""


def _print_version(wanted: bool) -> None:
    """Print name and version. What is installed knows it; looking it up takes a while, so only on demand."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"knightfall {version('knightfall')}")
        raise typer.Exit


Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result, and errors.")]
Verbose: TypeAlias = Annotated[bool, typer.Option("-v", "--verbose", help="Also report each step.")]
Version: TypeAlias = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version and exit."),
]
Debug: TypeAlias = Annotated[bool, typer.Option("--debug", help="Show the traceback if there is an error.")]


def globally(
    ctx: typer.Context,
    quiet: Quiet = False,
    verbose: Verbose = False,
    debug: Debug = False,  # noqa: ARG001  # main() looks for it: an error is caught there
    version: Version = False,  # noqa: ARG001  # its callback prints and ends
) -> None:
    """An assistant for people who moderate mafia and other forum games."""
    if quiet or verbose:
        before = _CHOSEN.set(QUIET if quiet else VERBOSE)
        ctx.call_on_close(lambda: _CHOSEN.reset(before))


def is_quiet() -> bool:
    """Whether only the answer and errors are wanted."""
    return _loudness() == QUIET


def is_verbose() -> bool:
    """Whether each step is to be told."""
    return _loudness() == VERBOSE


def in_front(words: list[str]) -> list[str]:
    """The command line with its global flags before the verb; what stands behind `--` is text."""
    end = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:end] if word in ANYWHERE]
    return [*flags, *(word for word in words[:end] if word not in ANYWHERE), *words[end:]]


def _loudness() -> str | None:
    """What the flags say, else the environment."""
    return _CHOSEN.get() or os.environ.get(LOUDNESS)


def compiled_templates() -> Path | None:
    """Where templates of ours stay once they are compiled: in your cache folder, readable by you alone; None
    where there cannot be one."""
    from platformdirs import user_cache_path

    folder = user_cache_path("knightfall") / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@dataclass(frozen=True, slots=True)
class Place:
    """Which game a verb works with, and how it gets at the forum."""

    game: Path | None = asked(
        "A game folder or its game.toml (default: this folder).", None, metavar="FOLDER"
    )
    allow_private: bool = asked("Allow forums on your own network.", False, flag="allow-private-host")
    cookies: Path | None = asked("Browser cookies for logging in: Netscape format, file mode 0600.", None)
    agent: str = asked("With --cookies: the User-Agent of that browser.", "", flag="user-agent")

    def session(self, named: object = ()) -> Session:
        """The session of the game, or of a thread that is `named` by itself."""
        return self.of(game_of(named, self.game))

    def of_game(self) -> Session:
        """The session of the game. Raises InputError where there is none."""
        return self.of(game_needed(self.game))

    def of(self, game: Path | None) -> Session:
        """The session of this game; None: of none."""
        return real_session(game, self.allow_private, self.cookies, self.agent)


def session_of_game(game: Path | None) -> Session:
    """The session of a verb that reads no forum. Raises InputError where there is no game."""
    return Place(game).of_game()


def real_session(
    game: Path | None, allow_private: bool, cookies: Path | None = None, agent: str = ""
) -> Session:
    """The session of a command, which tells what happens meanwhile on standard error.

    `game` is a game folder, its game.toml or its database; None: one a thread. `cookies` is the file of a
    login, `agent` the User-Agent of its browser.
    """
    from knightfall.services.machine import session_of

    verb = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return session_of(game, allow_private, cookies, _say, _step, f"knightfall {verb}".strip(), agent)


@contextmanager
def progress_bar(session: Session, what: str = "Reading pages") -> Iterator[Session]:
    """The session whose progress is a bar on stderr, where that is a terminal."""
    with bar_of(what) as progress:
        yield replace(session, progress=progress)


@contextmanager
def bar_of(what: str) -> Iterator[Progress | None]:
    """A bar on stderr over `what`; from a text that is printed to the next step it is not there. None where
    stderr is no terminal, or the moderator wants it quiet."""

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

    say(question, err=True, nl=False)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        say("", err=True)
    return line or None


def confirm(question: str, done: str) -> None:
    """Ask for a yes; `done` is what has not happened without one: closed, undone.

    Raises DecisionNeeded for any other answer, and where there is nobody to ask.
    """
    from knightfall.errors import DecisionNeeded

    answer = typed(f"{question} Type yes: ")
    if answer is None or answer.strip().casefold() not in ("yes", "y"):
        found = "There was nobody to ask" if answer is None else f"You typed “{answer.strip()}”"
        raise DecisionNeeded(f"{found}, so nothing was {done}. To do it without asking: --yes.")


def _step(sentence: str) -> None:
    """Told where each step is wanted."""
    if is_verbose():
        _say(sentence)


def _say(sentence: str) -> None:
    echo(sentence, err=True)
