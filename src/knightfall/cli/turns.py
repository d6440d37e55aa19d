"""`knightfall commit` and `submissions`: what was sent to a game of a folder, and what is closed."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak, AsJson, Then
from knightfall.cli.screen import echo

GAME = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]
DIALECT = Annotated[str, typer.Option("--as", metavar="DIALECT", help="Dialect of the posts.")]


def commit(
    window: Annotated[
        str | None, typer.Argument(metavar="WINDOW", help="What is closed, where several things are open.")
    ] = None,
    dialect: DIALECT = "plain",
    game: GAME = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Close what is open and write its posts. Example: knightfall commit night

    A night, a round, a turn. Exit status 3: it cannot be closed yet; nothing is written then.
    """
    from knightfall.app.play.turns import close
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    ports = real_ports(folder, allow_private=False)
    close(window, dialect, folder, ports, echo, _aside, allow_leak)


def submissions(game: GAME = None, at: Then = None, as_json: AsJson = False) -> None:
    """List the messages since something was last closed. Secret: for the moderator's eyes.

    Example: knightfall submissions
    """
    from knightfall.app.diary.then import as_of
    from knightfall.app.plain_values import as_object
    from knightfall.app.play.turns import submissions as listed
    from knightfall.app.play.turns import submissions_values
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    ports = as_of(at, folder, real_ports(folder, allow_private=False))
    echo(as_object(submissions_values(folder, ports)) if as_json else listed(folder, ports))


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
