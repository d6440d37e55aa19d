"""`knightfall watch`: follows the game and tells at once what cannot wait."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import PrivateHost
from knightfall.cli.screen import echo

STOPPED = "Stopped. What was noticed and told is kept: knightfall watch goes on from here."


def watch(
    notify: Annotated[
        list[str] | None,
        typer.Option(metavar="WAY,WAY…", help="desktop, webhook, mail or an address; the terminal always."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="deadline", help="Stop when the day's final count is ready.")
    ] = None,
    every: Annotated[
        str, typer.Option(metavar="SPAN", help="The longest pause between two looks: 5m, 1h.")
    ] = "5m",
    quiet: Annotated[
        str, typer.Option(metavar="HOURS", help="23:00-07:00: tell afterwards, but for hammer and deadline.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="One look, for a timer of your own.")] = False,
    game: Annotated[
        Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
    ] = None,
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """Follow the game's threads and tell at once what needs you.

    Example: knightfall watch --notify desktop,webhook --until deadline --quiet 23:00-07:00

    A hammer, a wagon one vote before it, a question to you in bold or with @mod, an altered vote, messages
    missing an hour before their time, a deadline that passed.

    At the deadline every page is read until two reads agree; the final count and the draft of the next post
    then lie in public/. A look asks for one page in 30 seconds at most. Addresses hold keys, so they come
    from the environment: KNIGHTFALL_WEBHOOK=https://… KNIGHTFALL_MAIL=mailtos://NAME:PASSWORD@SERVER
    """
    import os

    from knightfall.cli.context import real_session
    from knightfall.services.notify import Voices, channels_of
    from knightfall.services.watch import Asked, parse_every, parse_quiet
    from knightfall.services.watch import watch as watched

    folder = game_needed(game)
    hours = parse_quiet(quiet) if quiet else None
    asked = Asked(folder, parse_every(every), _to_deadline(until), once, hours)
    voices = Voices(echo, _aside, channels_of(notify or (), os.environ))
    try:
        watched(asked, real_session(folder, allow_private_host, cookies), voices)
    except KeyboardInterrupt:
        _aside(STOPPED)


def _to_deadline(until: str | None) -> bool:
    from knightfall.errors import InputError

    if until not in (None, "deadline"):
        raise InputError(f"--until {until}: expected deadline. Without it the watch goes on until Ctrl-C.")
    return until is not None


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
