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
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port, from now on (default: that of last time).")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")
    ] = True,
    helper: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write the helper for your browser into this folder, and start nothing."
        ),
    ] = None,
    icon: Annotated[
        bool,
        typer.Option("--icon", help="Put a file on your desktop that starts the page, and start nothing."),
    ] = False,
    *,
    place: Annotated[Place, Without("game")],
) -> None:
    """Run your games on a page in the browser. Example: knightfall web

    The page is for you alone, on this machine. Its address opens the page in one browser; another one is
    paired on the page itself. Games are kept in the folder Knightfall of your documents unless you name
    another. The port stays the same from run to run, so that a helper finds it; where another program
    has it, that is said. Ctrl-C ends it.
    """
    from knightfall.cli.terminal import FILE
    from knightfall.services.desktop_icon import icon_here, icon_told
    from knightfall.services.machine import session_of
    from knightfall.web import ports
    from knightfall.web.helper_files import write_helper
    from knightfall.web.logs import say_without_waiting
    from knightfall.web.server import PageServer, page_of

    if helper is not None:
        count = write_helper(helper)
        aside(f"The helper is in {helper} ({count} files). {LOADS_HELPER}")
        return

    def session(game: Path | None, own_network: bool = place.allow_private) -> "Session":
        return session_of(game, own_network, place.cookies, doing="knightfall web", agent=place.agent)

    one_game = folder is not None and (folder / FILE).exists()
    named = folder.resolve() if folder is not None else home()
    games = named.parent if one_game else named
    if icon:
        aside(icon_told(icon_here(games)))
        return
    bound = ports.bind(port or None, games)
    page = page_of(
        games,
        named.name if one_game else "",
        session,
        bound.port,
        own_network=None if place.allow_private else partial(session, own_network=True),
    )

    def ready() -> None:
        if bound.taken is not None:
            aside(
                f"Another program has port {bound.taken}, by which your helper knows the page. "
                f"In this run it has port {bound.port}. End that program and start the page again; or give "
                "it a port for good: knightfall web --port NUMBER"
            )
        if not page.access.tells_users:
            aside(ONE_WALL)
        aside(f"Games are kept in {games}.")
        aside(f"The page: {page.address}  (it opens one browser; Ctrl-C ends it)")
        if browser:
            page.open_browser(games)

    told = say_without_waiting()
    try:
        PageServer(page, ready).run(sockets=[bound.socket])
    finally:
        page.forget_start()
        told.stop()


ONE_WALL = (
    "This system does not tell whose program asks for the page. Other users of this machine are kept out by "
    "the secret part of its address alone, so show and send nobody the whole address."
)
LOADS_HELPER = (
    "In Chromium, Chrome or Edge: open chrome://extensions, switch on “Developer mode”, choose “Load "
    "unpacked” and this folder. In Firefox: open about:debugging#/runtime/this-firefox, choose “Load "
    "Temporary Add-on”, and manifest.json in this folder. Then pair it: Knightfall’s page, “Bring pages in”."
)


def home() -> Path:
    """The folder of games unless another is named."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Knightfall"
