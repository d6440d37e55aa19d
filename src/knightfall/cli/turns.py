"""`knightfall submit`, `commit`, `submissions` and `missing`: a game of a folder, message by message."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed

GAME = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]
DIALECT = Annotated[str, typer.Option("--as", metavar="DIALECT", help="Dialect of the posts.")]


def submit(
    who: Annotated[
        str, typer.Argument(metavar="NAME", help="Whose message it is; “moderator” for your own.")
    ],
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="The message; “-” reads it from standard input."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The message as a file: a pasted PM.")
    ] = None,
    dialect: DIALECT = "plain",
    game: GAME = None,
) -> None:
    """Take in a message. Example: knightfall submit Kit "VOTE: Ada"

    All lines are one entry; the receipt and what was refused go to standard error, public posts to standard
    output and public/, PMs to private/.
    """
    import sys

    from knightfall.app.night_file import read_text
    from knightfall.app.turns import submit as take_in
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    said = read_text(source) if source else " ".join(text or ())
    said = sys.stdin.read() if said.strip() == "-" else said
    take_in(who, said, dialect, folder, real_ports(folder, allow_private=False), typer.echo, _aside)


def commit(
    window: Annotated[
        str | None, typer.Argument(metavar="WINDOW", help="What is closed, where several things are open.")
    ] = None,
    dialect: DIALECT = "plain",
    game: GAME = None,
) -> None:
    """Close what is open (a night, a round, a turn) and write its posts. Example: knightfall commit night

    Exit status 3: it cannot be closed yet; nothing is written then.
    """
    from knightfall.app.turns import close
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    close(window, dialect, folder, real_ports(folder, allow_private=False), typer.echo, _aside)


def submissions(game: GAME = None) -> None:
    """List the messages since something was last closed. Secret: for the moderator's eyes."""
    from knightfall.app.turns import submissions as listed
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    typer.echo(listed(folder, real_ports(folder, allow_private=False)))


def missing(game: GAME = None) -> None:
    """Say what is open, until when, and whose message is awaited."""
    from knightfall.app.turns import missing as awaited
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    typer.echo(awaited(folder, real_ports(folder, allow_private=False)))


def _aside(sentence: str) -> None:
    typer.echo(sentence, err=True)
