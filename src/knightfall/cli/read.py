"""`knightfall read`: what does a thread hold, is it whole?"""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AsJson, PrivateHost
from knightfall.cli.screen import echo


def read(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL | FILE...", help="The thread, or files with --from-…; else the game's."),
    ] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="Read pages saved in a browser.")] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Read posts as JSON Lines, .gz or not.")
    ] = False,
    as_json: AsJson = False,
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page again, to find edits and deletions.")
    ] = False,
    game: Annotated[
        Path | None,
        typer.Option(
            help="Keep the pages with this game: its folder, game.toml or game.db; else the one you are in."
        ),
    ] = None,
) -> None:
    """Read a thread into the evidence and say what is there. Example: knightfall read --again

    What has changed since the last read is told, too. A thread that was read before is read on from its last
    known page. Pages saved in a browser are kept in the folder of a game, too; then every verb counts them
    with --stored.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.evidence import (
        as_table,
        incomplete,
        news_lines,
        news_of,
        source_here,
        thread_values,
    )
    from knightfall.services.evidence import read as was_read

    folder = game_here(game)
    session = real_session(folder, allow_private_host, cookies)
    source = source_here(what or (), from_html, from_jsonl, again, session)
    with progress_bar(session) as reading:
        done = was_read(source, reading)
    thread = done.thread
    echo(as_object(thread_values(thread)) if as_json else as_table(thread))
    for line in news_lines(thread, news_of(done.source, thread.url, session)):
        echo(line, err=as_json)
    if not thread.complete:
        echo(incomplete(thread), err=True)
        raise typer.Exit(4)
