"""`knightfall signup …`: who plays, waits, watches or left by a sign-up thread."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here, game_needed
from knightfall.cli.options import AsJson, FromHtml, FromJsonl, Game, PrivateHost, Stored
from knightfall.cli.screen import echo

signup = typer.Typer(help="Read a sign-up thread; decide what is unclear in it.", no_args_is_help=True)


@signup.command("read")
def read(
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL | FILE...", help="The thread; else the game's, of the role signup."),
    ] = None,
    game: Game = None,
    as_json: AsJson = False,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Print the post of the player list.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Names into game.toml if it has none; the post into public/.")
    ] = False,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_leak: Annotated[
        str, typer.Option(metavar="WHY", help="Why the post may tell what looks like a secret.")
    ] = "",
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """List who signed up, in order. Example: knightfall signup read https://forum.example/viewtopic.php?t=90001

    Read are /in, /out, /sub, /spec, "in!", "join", "confirm" and their kin; the last clear word of a player
    counts. Exit status 3: something is unclear; it is listed, never guessed, and nothing is written.
    """
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.count_request import CountRequest
    from knightfall.services.signups import After, run

    folder = game_needed(game) if write else game_here(game)
    wanted = CountRequest(
        tuple(source or ()), from_html, from_jsonl, dialect=dialect, as_json=as_json, stored=stored
    )
    after = After(write, Clipboard() if copying else None, allow_leak)
    with progress_bar(real_session(folder, allow_private_host, cookies)) as session:
        run(wanted, after, session, echo, _aside)


@signup.command("decide")
def decide(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    word: Annotated[str, typer.Argument(metavar="in|out|sub|spec|ignore", help="What its author means.")],
    why: Annotated[str, typer.Option(help="The reason; it is kept with the decision.")] = "",
    game: Game = None,
) -> None:
    """Decide what a post means. Example: knightfall signup decide 22 in --why "asked him by PM" """
    from knightfall.cli.context import real_session
    from knightfall.services.signups import decide as decided

    echo(decided(post, word, why, real_session(game_needed(game), allow_private=False)))


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
