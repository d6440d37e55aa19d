"""The verbs that look something up in several places: setups, doctor and conform."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.options import verb
from knightfall.cli.terminal import AsJson, Place, echo, game_of
from knightfall.cli.ways import as_object


def setups(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="knight-errant, empowered, knights-duty or custom-mafia.")
    ],
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A setup's code or name, or a board's name or file."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Only setups for this many players.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the setups of a game. Example: knightfall setups knight-errant A1-RD

    Depending on the game, these are setup codes, player counts, boards or open setups. Give a code or a name
    to see that setup.
    """
    from knightfall.services.games import ask

    found = ask(game, "setups", {"code": code, "players": players})
    echo(as_object(found.to_dict()) if as_json else found.text())


def conform(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Case files, one JSON object per line.")
    ],
) -> None:
    """Run conformance cases and report failures.

    Example: knightfall conform fixtures/conformance/*.jsonl

    Prints a line for each failure, then the totals. Exit status 1: a case failed.
    """
    from knightfall.cli.terminal import bar_of
    from knightfall.services.conform import conform as run

    with bar_of("Running cases") as progress:
        report = run(files, progress)
    echo("\n".join(report.lines()))
    raise typer.Exit(1 if report.failed else 0)


@verb
def doctor(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[URL|FILE]", help="A page's address or a saved page (default: the game)."),
    ] = None,
    from_html: Annotated[
        bool, typer.Option("--from-html", help="The file is a page saved in your browser.")
    ] = False,
    online: Annotated[bool, typer.Option("--online", help="With a game: also contact the forum.")] = False,
    support: Annotated[
        bool, typer.Option("--support", help="Print what support asks for: no secret, no name of a player.")
    ] = False,
    as_json: AsJson = False,
    *,
    place: Place,
) -> None:
    """Find problems with a page or with a game.

    Example: knightfall doctor --game salt-harbour --online

    For a page: what it is, what was found on it and what is missing.

    For a game: problems with its folder, database, journal or seed, or with the clock, and how to fix them.

    With --support, and where there is neither: version, system, packages, folders, logins by the names of
    their sites. You can send it as it is.

    The exit status is 0 if all is well, or that of the worst problem.
    """
    from knightfall.cli.format_game import format_examination
    from knightfall.services.keep.doctor import examine, fetched, health, saved
    from knightfall.services.keep.support import for_support

    if what:
        session = place.of(None)
        is_file = from_html or ("://" not in what and Path(what).exists())
        page = saved(Path(what)) if is_file else fetched(what, session.fetch)
        report = examine(page, session.clock.now())
    elif support or game_of(None, place.game) is None:
        report = for_support(place.session(), os.environ)
    else:
        report = health(place.of_game(), online)
    echo(as_object(report.to_dict()) if as_json else format_examination(report))
    raise typer.Exit(report.exit_status)
