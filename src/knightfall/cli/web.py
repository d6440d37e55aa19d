"""`knightfall web`: the moderator's page."""

from functools import partial
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

    The page is for you alone, on this machine. Its address opens the page in one browser; another one is
    paired on the page itself. Games are kept in the folder Knightfall of your documents unless you name
    another. The port stays the same from run to run where it is free. Ctrl-C ends it.
    """
    from knightfall.cli.terminal import FILE
    from knightfall.errors import InputError
    from knightfall.services.machine import session_of

    try:
        from knightfall.web import ports
        from knightfall.web.logs import say_without_waiting
        from knightfall.web.server import PageServer, page_of
    except ModuleNotFoundError as missing:
        raise InputError(
            f'The page needs another package ({missing.name}): pip install "knightfall[web]"'
        ) from None

    def session(game: Path | None, own_network: bool = place.allow_private) -> "Session":
        return session_of(game, own_network, place.cookies, doing="knightfall web")

    one_game = folder is not None and (folder / FILE).exists()
    named = folder.resolve() if folder is not None else home()
    games = named.parent if one_game else named
    bound = ports.bind(port or None, games)
    page = page_of(
        games,
        named.name if one_game else "",
        session,
        bound.getsockname()[1],
        own_network=None if place.allow_private else partial(session, own_network=True),
    )

    def ready() -> None:
        aside(f"Games are kept in {games}.")
        aside(f"The page: {page.address}  (it opens one browser; Ctrl-C ends it)")
        if browser:
            page.open_browser(games)

    told = say_without_waiting()
    try:
        PageServer(page, ready).run(sockets=[bound])
    finally:
        page.forget_start()
        told.stop()


def home() -> Path:
    """The folder of games unless another is named."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Knightfall"
