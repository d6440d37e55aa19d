"""`knightfall phase …`: the moderator's calendar. Phases open, are extended, stopped and locked; `close` ends
a day."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.desk import CopyIt, Dialect, GameHere, desk
from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak, Day, PrivateHost, Stored
from knightfall.cli.screen import echo

phase = typer.Typer(
    help="Open, extend, lock and end a day.\n\nThe end is counted twice alike, checked, confirmed by you.",
    no_args_is_help=True,
)
KIND = Annotated[str, typer.Argument(metavar="day|night")]
NUMBER = Annotated[int, typer.Argument(min=1)]
ENDS = Annotated[
    str, typer.Option("--ends", metavar="TIME", help="The deadline, in the game's zone or with its offset.")
]
PAST = Annotated[bool, typer.Option("--past", help="The deadline is over: this is written down afterwards.")]


@phase.command("open")
def open_(
    kind: KIND,
    number: NUMBER,
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="When it begins.")] = "",
    ends: ENDS = "",
    post: Annotated[str | None, typer.Option(metavar="POST", help="Its first post that counts.")] = None,
    past: PAST = False,
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Open a phase. Example: knightfall phase open day 1 --at "2026-11-18 20:00" --ends "2026-11-25 20:00"

    Without --post a day starts with the post that opens it by its words, else with the first one after --at.
    """
    from knightfall.services.phases import Asked, open_phase

    open_phase(Asked(kind, number, at, ends, post=post, past=past), desk(game, dialect, copy, allow_leak))


@phase.command("extend")
def extend(
    kind: KIND,
    number: NUMBER,
    ends: ENDS = "",
    by: Annotated[
        str, typer.Option(metavar="SPAN", help="48h, 90m: so much time; 2d: days later at the same time.")
    ] = "",
    shorten: Annotated[bool, typer.Option("--shorten", help="An earlier deadline is meant.")] = False,
    past: PAST = False,
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Give a phase another deadline. Example: knightfall phase extend day 1 --by 24h

    A count as of a post before that keeps the deadline that stood then.
    """
    from knightfall.services.phases import Asked
    from knightfall.services.phases import extend as extended

    asked = Asked(kind, number, ends=ends, by=by, past=past, shorten=shorten)
    extended(asked, desk(game, dialect, copy, allow_leak))


@phase.command("stop")
def stop(
    kind: KIND,
    number: NUMBER,
    why: Annotated[str, typer.Option(metavar="REASON", help="For the journal.")] = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Stop the clock of a phase until it is extended. Example: knightfall phase stop day 2 --why "down" """
    from knightfall.services.phases import Asked
    from knightfall.services.phases import stop as stopped

    stopped(Asked(kind, number), why, desk(game, dialect, copy, allow_leak))


@phase.command("lock")
def lock(
    kind: Annotated[str, typer.Argument(metavar="[day|night]")] = "day",
    number: Annotated[int | None, typer.Argument(min=1, help="Else the one that runs.")] = None,
    post: Annotated[
        str | None, typer.Option(metavar="POST", help="The last post that counts; else the last one read.")
    ] = None,
    game: GameHere = None,
) -> None:
    """Note that you locked the thread: no later post counts. Example: knightfall phase lock --post 655"""
    from knightfall.services.phases import Asked, latest
    from knightfall.services.phases import lock as locked

    here = desk(game, None, False, "")
    locked(Asked(kind, latest(kind, here) if number is None else number, post=post), here)


@phase.command("close")
def close(
    game: Annotated[
        Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
    ] = None,
    day: Day = None,
    early: Annotated[str, typer.Option(metavar="WHY", help="End the day before its time, and why.")] = "",
    pause: Annotated[
        float, typer.Option(min=2, max=3600, help="Seconds between two reads of the thread.")
    ] = 60,
    stored: Stored = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """Close a day: you type who is eliminated.

    It reads every page until two reads agree, shows how the day ends and what to check by eye, asks for the
    name, and writes it down. Only then knightfall flip shows a role. Where only your browser may read the
    thread: lock it, knightfall read --from-html its pages, then close --stored.

    Example: knightfall phase close

    Exit status 3: a vote that matters is open, the day still runs, or the name was not typed; nothing is
    closed then. Without a terminal the name is read from standard input.
    """
    from knightfall.cli.context import progress_bar, real_session, typed
    from knightfall.services.close_day import Asked, look
    from knightfall.services.close_day import close as closed

    folder = game_needed(game)
    session = real_session(folder, allow_private_host, cookies)
    asked = Asked(folder, day, early, pause, allow_leak, stored)
    with progress_bar(session) as reading:
        final = look(asked, reading, _aside)
    answer = closed(final, asked, session, typed, echo, _aside)
    if answer is not None:
        from knightfall.cli.game import show

        show(answer, echo, _aside)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
