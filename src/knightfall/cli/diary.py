"""`knightfall rule`, `verify`, `export` and `import`: the journal looked after."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import Game
from knightfall.cli.screen import echo


def rule(
    question: Annotated[str, typer.Argument(help="What had to be decided.")],
    answer: Annotated[str, typer.Argument(help="What you decided.")],
    why: Annotated[str, typer.Option(help="The reason; it is kept with the ruling.")] = "",
    game: Game = None,
) -> None:
    """Keep a ruling. Example: knightfall rule "May the dead post?" "In the dead thread" --why "as ever" """
    from knightfall.app.diary.decisions import rule as decide
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    echo(decide(question, answer, why, real_ports(folder, allow_private=False)))


def verify(game: Game = None) -> None:
    """Check that the game is what was written. Example: knightfall verify

    Hashes, deal and posted texts: every text that was noted as posted is made again from the entries and
    posts of its moment, and compared byte for byte; a count by a template that is not in the folder, by its
    votes. Exit status 1: something differs; 7: something is not as it was written.
    """
    from knightfall.app.diary.checks import verified
    from knightfall.cli.ports import progress_bar, real_ports

    folder = game_needed(game)
    with progress_bar("Making posts again") as progress:
        found = verified(folder, real_ports(folder, allow_private=False), progress)
    for line in found.lines:
        echo(line)
    for fault in (*found.damaged, *found.differences):
        echo(fault, err=True)
    if found.damaged:
        echo(_REPAIR, err=True)
    raise typer.Exit(found.exit_status)


_REPAIR = (
    "To repair: move game.db away, bring the journal back from your last export (knightfall import FILE), "
    "and read the thread again (knightfall read --again)."
)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; only you may read it.")],
    public: Annotated[
        bool, typer.Option("--public", help="Only what everybody may know; it cannot be imported.")
    ] = False,
    game: Game = None,
) -> None:
    """Write the journal as JSON Lines. Example: knightfall export a.jsonl

    An entry with its hash a line.
    """
    from knightfall.app.diary.export import export as write
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    echo(write(file, folder, real_ports(folder, allow_private=False), public, _aside))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What knightfall export wrote.")],
    drop_torn_line: Annotated[
        bool, typer.Option("--drop-torn-line", help="Leave out a last line that is cut off.")
    ] = False,
    game: Game = None,
) -> None:
    """Bring in a journal, or what it has more than this one. Example: knightfall import backup.jsonl

    Into an empty folder, or behind what is there. Nothing is imported unless every hash holds and both
    journals are one up to where the shorter ends.
    """
    from knightfall.app.diary.bring import bring
    from knightfall.cli.ports import progress_bar, real_ports

    folder = game_needed(game)
    with progress_bar("Checking entries") as progress:
        echo(bring(file, drop_torn_line, real_ports(folder, allow_private=False), progress))


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
