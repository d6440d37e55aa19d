"""`knightfall fix`, `alias`, `undo` and `log`: what the moderator decides, each with its reason."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AsJson, Then
from knightfall.cli.screen import echo

WHY = Annotated[str, typer.Option(help="The reason; it is kept with the decision.")]
GAME = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]


def fix(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="It is a vote for NAME.")] = None,
    no_elimination: Annotated[
        bool, typer.Option("--no-elimination", help="It is a vote for no elimination.")
    ] = False,
    ignore: Annotated[bool, typer.Option("--ignore", help="No vote of it counts.")] = False,
    count: Annotated[bool, typer.Option("--count", help="It counts as it stands, in whatever form.")] = False,
    unvote: Annotated[bool, typer.Option("--unvote", help="It takes the voter's vote back.")] = False,
    why: WHY = "",
    game: GAME = None,
) -> None:
    """Decide how one post counts. Example: knightfall fix 70 --to Kestrel --why "bold without colon is fine"

    Exactly one of --to, --no-elimination, --ignore, --count and --unvote; the latest decision on a post
    counts.
    """
    from knightfall.app.diary.decisions import Decision
    from knightfall.app.diary.decisions import fix as decide
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    chosen = Decision(to, no_elimination, ignore, unvote, count)
    echo(decide(post, chosen, why, folder, real_ports(folder, allow_private=False)))


def alias(
    slot: Annotated[str, typer.Argument(help="The player, by name.")],
    name: Annotated[str, typer.Argument(help="How players call him, too.")],
    why: WHY = "",
    game: GAME = None,
) -> None:
    """Teach another name of a player. Example: knightfall alias Kestrel Kes --why "post 12 calls him so" """
    from knightfall.app.diary.decisions import alias as teach
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    echo(teach(slot, name, why, folder, real_ports(folder, allow_private=False)))


def undo(
    number: Annotated[
        int | None, typer.Argument(help="The entry, by its number in the log; else the last one.")
    ] = None,
    why: WHY = "",
    game: GAME = None,
) -> None:
    """Take a decision back; an undo can be undone as well. Example: knightfall undo 41 --why "wrong post" """
    from knightfall.app.diary.decisions import undo as take_back
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    echo(take_back(number, why, real_ports(folder, allow_private=False)))


def log(
    as_json: AsJson = False,
    game: GAME = None,
    at: Then = None,
) -> None:
    """List all that was decided and put into the game. Example: knightfall log --at 40

    Oldest first; what was taken back is marked.
    """
    from knightfall.app.diary.log import as_table, log_values
    from knightfall.app.diary.then import as_of
    from knightfall.app.plain_values import as_object
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    ports = as_of(at, folder, real_ports(folder, allow_private=False))
    echo(as_object(log_values(ports)) if as_json else as_table(ports))
