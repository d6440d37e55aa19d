"""`knightfall vc`: the votecount of a thread."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AllowLeak, AsJson, Day, Game, PrivateHost
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.count_request import CountRequest
    from knightfall.services.session import Copy, Session


def vc(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL | FILE...",
            help="The thread, or files with --from-…; with --game the thread that game.toml names.",
        ),
    ] = None,
    game: Game = None,
    day: Day = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="Count as of this post or moment.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    as_json: AsJson = False,
    from_html: Annotated[bool, typer.Option("--from-html", help="Count pages saved in a browser.")] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Count posts as JSON Lines, .gz or not.")
    ] = False,
    view: Annotated[
        str, typer.Option(metavar="public|mod", help="What players may see, or with hidden weights.")
    ] = "public",
    footnotes: Annotated[
        bool, typer.Option("--footnotes", help="Your decisions on posts, with reasons, under the count.")
    ] = False,
    theme: Annotated[
        str | None, typer.Option(metavar="NAME", help="area, compact, table, ticks or history.")
    ] = None,
    template: Annotated[Path | None, typer.Option(help="A template of your own, in Jinja.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So long may a post be; a longer one is split.")
    ] = None,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Note in the game that this count was posted; numbers rise.")
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--wait", help="Wait for the day's deadline, then make the final count.")
    ] = False,
    stored: Annotated[
        bool, typer.Option("--stored", help="Count what was read before, without asking the forum.")
    ] = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """Count the votes of a thread and print the votecount post. Example: knightfall vc --at 84 --as mafiascum

    The post goes to standard output, ready to paste; what was assumed, asked and not counted goes to standard
    error. Exit status 3: a vote needs your decision; the count is printed all the same.
    """
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.count_request import CountRequest, PostFormat
    from knightfall.services.votecount import run, view_of

    words, seen = tuple(what or ()), view_of(view)
    game = game if words else game_here(game)
    wanted = CountRequest(
        words,
        from_html,
        from_jsonl,
        day,
        at,
        dialect,
        as_json,
        stored,
        seen,
        footnotes,
        posted,
        PostFormat(theme, template, limit),
        allow_leak,
    )
    session, copied = real_session(game, allow_private_host, cookies), Clipboard() if copying else None
    if waiting:
        _after_deadline(wanted, session, copied)
        return
    with progress_bar(session) as session:
        run(wanted, session, echo, _aside, copied)


def _after_deadline(wanted: "CountRequest", session: "Session", copied: "Copy | None") -> None:
    """The final count of the day, once it is over."""
    from knightfall.cli.context import countdown, progress_bar
    from knightfall.services.close_day import count_after, wait

    with countdown() as left:
        awaited = wait(wanted, session, _aside, left)
    with progress_bar(session) as reading:
        count_after(awaited, wanted, reading, echo, _aside, copied)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
