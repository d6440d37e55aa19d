"""`knightfall phase …`: the moderator's calendar. `close` ends a day."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import Day, PrivateHost

phase = typer.Typer(help="End a day: counted twice alike, checked, confirmed by you.", no_args_is_help=True)


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
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """Close a day: read every page until two reads agree, show how the day ends and what to check by eye,
    ask you to type who is eliminated, and write it down. Only then knightfall flip shows a role.

    Exit status 3: a vote that matters is open, the day still runs, or the name was not typed; nothing is
    closed then. Without a terminal the name is read from standard input.
    """
    from knightfall.app.phase import Asked, look
    from knightfall.app.phase import close as closed
    from knightfall.cli.ports import progress_bar, real_ports, typed

    folder = game_needed(game)
    ports = real_ports(folder, allow_private_host, cookies)
    asked = Asked(folder, day, early, pause)
    with progress_bar() as progress:
        final = look(asked, ports, _aside, progress)
    closed(final, asked, ports, typed, typer.echo, _aside)


def _aside(sentence: str) -> None:
    typer.echo(sentence, err=True)
