"""`knightfall web`: the moderator's page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.options import Without, verb
from knightfall.cli.terminal import Place, aside

if TYPE_CHECKING:
    from knightfall.services.session import Session


@verb
def web(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]", help="The folder of your games, or of one game (default: your documents)."
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port (default: a free one).")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")
    ] = True,
    *,
    place: Annotated[Place, Without("game")],
) -> None:
    """Run your games on a page in the browser. Example: knightfall web

    The page is for this machine alone. Its address is told once, and opens the page in one browser. Games are
    kept in the folder Knightfall of your documents unless you name another. Ctrl-C ends it.
    """
    import os
    import socket

    from knightfall.cli.terminal import FILE
    from knightfall.errors import InputError
    from knightfall.services.machine import session_of

    try:
        from knightfall.web.server import PageServer, page_of
    except ModuleNotFoundError as missing:
        raise InputError(
            f'The page needs another package ({missing.name}): pip install "knightfall[web]"'
        ) from None

    def session(game: Path | None) -> "Session":
        return session_of(game, place.allow_private, place.cookies, doing="knightfall web")

    # The port is ours before the address is told.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError as error:
        raise InputError(
            f"Port {port} cannot be used ({error.strerror}). Leave out --port for a free one."
        ) from None
    one_game = folder is not None and (folder / FILE).exists()
    games = folder.resolve() if folder is not None else home()
    page = page_of(
        games.parent if one_game else games, games.name if one_game else "", session, bound.getsockname()[1]
    )
    aside(f"Games are kept in {games.parent if one_game else games}.")
    aside(f"The page: {page.address}  (it opens once; Ctrl-C ends it)")
    if browser:
        import webbrowser

        webbrowser.open(page.address)
    PageServer(page).run(sockets=[bound])


def home() -> Path:
    """The folder of games unless another is named."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Knightfall"
