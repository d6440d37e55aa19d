"""`knightfall doctor`: why can a page not be read, or what is wrong with a game's folder?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AsJson, Game
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.app.reading.doctor import Report


def doctor(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[URL|FILE]", help="A page's address, or a saved page; else the game."),
    ] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="It is a page saved in a browser.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Ask a forum of your own network, too.")
    ] = False,
    online: Annotated[
        bool, typer.Option("--online", help="Without a page: ask the forum for the game's threads, too.")
    ] = False,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with a page, or with a game.

    Example: knightfall doctor --game salt-harbour --online

    Of a page: what it is, what was found on it, what is missing.

    Without a page: what is wrong with the game's folder, its database, journal and seed, or with the clock,
    and what to do about it. Exit status 0 where all is well, else that of what is worst.
    """
    asked = _page(what, from_html, allow_private_host) if what else _folder(game, allow_private_host, online)
    echo(asked.json() if as_json else asked.text())
    raise typer.Exit(asked.exit_status)


def _page(what: str, from_html: bool, allow_private_host: bool) -> "Report":
    from knightfall.app.reading.doctor import examine, fetched, saved
    from knightfall.cli.ports import real_ports

    ports = real_ports(None, allow_private_host)
    is_file = from_html or ("://" not in what and Path(what).exists())
    page = saved(Path(what)) if is_file else fetched(what, ports.fetch)
    return examine(page, ports.clock.now())


def _folder(game: Path | None, allow_private_host: bool, online: bool) -> "Report":
    from knightfall.app.diary.health import health
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    return health(folder, real_ports(folder, allow_private_host), online)
