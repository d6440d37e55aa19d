"""`knightfall new`: a folder for a game, or for votes alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.names import OPTION, PlayersFrom, listed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.new_game import Beginning


def new(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="For instance kings-court: see knightfall games; or votes.")
    ] = "",
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...", help="The players, or give --players. One word, and no --out: the title."
        ),
    ] = None,
    file: PlayersFrom = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the game is kept; else named by its title.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    timezone: Annotated[
        str, typer.Option("--tz", metavar="ZONE", help="For instance America/New_York.")
    ] = "",
    site: Annotated[str, typer.Option(metavar="DIALECT", help="How your site is written.")] = "",
    moderator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Your account, and each co-moderator's.")
    ] = None,
    thread: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=URL", help="A thread: game, vote, signup, private or dead."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option: see knightfall rulings GAME.")
    ] = None,
    setup: Annotated[
        str, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own: a TOML file.")
    ] = "",
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A game.toml that says all of this.")
    ] = None,
    showing: Annotated[
        bool, typer.Option("--example", help="Print a game.toml with every key and its meaning.")
    ] = False,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of the first posts; else your site's.")
    ] = "",
    allow_leak: AllowLeak = "",
) -> None:
    """Begin a game. Example: knightfall new kings-court --players names.txt --out harbour/

    With players the game is dealt: posts in public/, PMs in private/. Without any the folder waits:
    knightfall signup read URL --write, then knightfall deal. On a terminal, with GAME alone, you are asked.
    """
    from secrets import token_bytes

    from knightfall.cli.context import real_session
    from knightfall.services.new_game import (
        Beginning,
        begin,
        begin_from,
        example_of,
        folder_for,
        folder_of,
        said_options,
    )
    from knightfall.services.new_game import said_threads as threads_of

    if showing:
        echo(example_of(game or "votes"), nl=False)
        return
    names, called = _named(file, tuple(players or ()), title, out is None)
    chosen = said_options([*(option or ()), *([f"setup={setup}"] if setup else ())])
    threads, moderators = threads_of(tuple(thread or ())), tuple(moderator or ())
    place = out or (folder_for(source) if source else folder_of(called))
    said = bool(names or called or timezone or chosen or site or threads or moderators)
    zone = timezone or "UTC"
    asked = Beginning(
        game, names, place, token_bytes(32), token_bytes(32), called, zone, chosen, dialect, site,
        moderators, threads, allow_leak,
    )  # fmt: skip
    if source is not None:
        _alone(said)
        echo(begin_from(source, asked, real_session(place, allow_private=False)))
        return
    if not said and on_terminal():
        asked = _asked(asked, out is not None)
    echo(begin(asked, real_session(asked.folder, allow_private=False)))


def on_terminal() -> bool:
    """Whether there is somebody to ask."""
    import sys

    return sys.stdin.isatty() and sys.stderr.isatty()


def _named(
    file: Path | None, words: tuple[str, ...], title: str, unplaced: bool
) -> tuple[tuple[str, ...], str]:
    """The players and the title; nobody plays alone, so one word that the folder is named by is a title."""
    if len(words) == 1 and unplaced and not title:
        title, words = words[0], ()
    if file is None:
        return words, title
    _refuse_both(words, file)
    return tuple(listed(file)), title


def _refuse_both(words: tuple[str, ...], file: Path) -> None:
    from knightfall.errors import InputError

    if words:
        raise InputError(
            f"{', '.join(words)} and {OPTION} {file}: the players stand on the command line or in a list, "
            "not in both. Nothing was made. A title is said with --title."
        )


def _alone(said: bool) -> None:
    from knightfall.errors import InputError

    if said:
        raise InputError("--from FILE says all of a game: leave the other options out, or write them there.")


def _asked(asked: "Beginning", named: bool) -> "Beginning":
    from knightfall.services.new_game import answered, kind_of

    return answered(asked, kind_of(asked.game), named, _answer, _aside)


def _answer(question: str, offered: str) -> str:
    return str(typer.prompt(question, default=offered, show_default=bool(offered), err=True))


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
