"""`knightfall vc`: the votes of a thread, counted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AllowLeak, AsJson, Day, Game, PrivateHost
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.count_request import CountRequest
    from knightfall.services.session import Session
    from knightfall.services.votecount import VotecountAnswer


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
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.errors import InputError
    from knightfall.services.count_request import CountRequest, PostFormat
    from knightfall.services.votecount import count_votes
    from knightfall.votes.votecount import View

    if view not in [one.value for one in View]:
        raise InputError(f"--view {view}: expected public or mod.")
    words = tuple(what or ())
    game = game if words else game_here(game)
    request = CountRequest(
        words,
        from_html,
        from_jsonl,
        day,
        at,
        dialect,
        stored=stored,
        view=View(view),
        footnotes=footnotes,
        look=PostFormat(theme, template, limit),
        allow=allow_leak,
    )
    session = real_session(game, allow_private_host, cookies)
    if waiting:
        from knightfall.cli.day import count_at_deadline
        from knightfall.services.votecount import answer_of

        done = count_at_deadline(request, session)
        show(answer_of(done, request, session), request, session, as_json, copying, posted)
        return
    with progress_bar(session) as reading:
        show(count_votes(request, reading), request, reading, as_json, copying, posted)


def show(
    answer: "VotecountAnswer",
    request: "CountRequest",
    session: "Session",
    as_json: bool = False,
    copying: bool = False,
    posted: bool = False,
) -> None:
    """Print a count with what stands beside it, and do with its post what is asked for.

    Raises what `post_of` raises, and at last DecisionNeeded where a vote waits for the moderator.
    """
    from knightfall.cli.format_count import after_count, before_count, part_headings, questions_text
    from knightfall.engine.json_text import as_object
    from knightfall.errors import DecisionNeeded
    from knightfall.services.votecount import note_as_counted, note_as_posted, post_of

    for line in before_count(answer):
        _aside(line)
    if as_json:
        echo(as_object(answer.to_dict()))
    else:
        # The post, then the clipboard, and only then the note that it went out.
        post = post_of(answer, request, session)
        for number, heading in enumerate(part_headings(post.parts, post.dialect), 1):
            if heading:
                _aside(heading)
            part = post.parts[number - 1]
            echo(part if number == len(post.parts) else f"{part}\n")
        if copying:
            _copy(post.parts, post.rich)
        if posted:
            noted = note_as_posted(post, answer, session)
            heading = answer.counted.count.heading
            _aside(f"{heading} is noted as posted; the next one will be number {noted.number + 1}.")
    note_as_counted(answer, session)
    for line in after_count(answer):
        _aside(line)
    if answer.questions:
        raise DecisionNeeded(questions_text(answer.questions))


def _copy(parts: "tuple[str, ...]", rich: bool) -> None:
    """Put one part after the other on the clipboard, as long as the moderator asks for the next."""
    from knightfall.cli.clipboard import Clipboard

    clipboard = Clipboard()
    for number, part in enumerate(parts, start=1):
        clipboard.copy(part, rich)
        _aside("Copied." if len(parts) == 1 else f"Copied: part {number} of {len(parts)}.")
        if number < len(parts) and not clipboard.pasted():
            return


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
