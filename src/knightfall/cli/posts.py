"""`knightfall post` and `archive`: the texts for the thread, and the whole game as a folder of pages."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak, Game, GameHere, PrivateHost
from knightfall.cli.screen import echo


def post(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="signup, rules, opening, day-start, votecount, note, end-of-day, dawn, results, error, "
            "endgame or archive.",
        ),
    ],
    game: Game = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before it, read for secrets first.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So long may a post be; a longer one is split.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="csv|json", help="The archive record for programs.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show only what changes against the last posted one.")
    ] = False,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Note in the game that this was posted; later ones compare.")
    ] = False,
    allow_leak: Annotated[
        str, typer.Option("--allow-leak", metavar="WHY", help="Let a secret pass for this reason.")
    ] = "",
    stored: Annotated[
        bool, typer.Option("--stored", help="Count what was read before, without asking the forum.")
    ] = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Write a post for the thread and keep it in public/.

    It is ready to paste. Before it is shown every text is read for secrets; exit status 5: it would give one
    away.

    Example: knightfall post dawn --flavour dawn.txt --as mafiascum --copy --posted
    """
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.cli.format_count import part_headings
    from knightfall.cli.format_posts import comparison_line, difference_text, kept_line
    from knightfall.services.posts import PostRequest, draft_post, mark_posted, write_post

    folder = game_needed(game)
    request = PostRequest(kind, dialect, flavour, limit, form, allow_leak, stored)
    with progress_bar(real_session(folder, allow_private_host), "Reading and counting") as session:
        draft = draft_post(request, session) if diff else write_post(request, session)
        for remark in draft.remarks:
            _aside(remark)
        if diff or draft.last is not None:
            _aside(comparison_line(draft))
        if diff:
            echo(difference_text(draft))
            return

        # The parts with a blank line between them, and where they are kept.
        count = len(draft.parts)
        for number, (heading, part) in enumerate(
            zip(part_headings(draft.parts, draft.dialect), draft.parts, strict=True), 1
        ):
            if heading:
                _aside(heading)
            echo(part if number == count else f"{part}\n")
        _aside(kept_line(draft))

        # One part after the other on the clipboard, as long as the moderator asks for the next.
        clipboard = Clipboard()
        for number, part in enumerate(draft.parts if copying else (), 1):
            clipboard.copy(part, draft.rich)
            _aside("Copied." if count == 1 else f"Copied: part {number} of {count}.")
            if number < count and not clipboard.pasted():
                break
        if posted:
            noted = mark_posted(draft, session)
            _aside(f"{draft.name} is noted as posted, number {noted.number}.")


def archive(
    game: GameHere = None,
    public: Annotated[
        bool, typer.Option("--public", help="For everybody: no secret until the game is over.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to; else archive/ in public/ or private/.")
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Write the game as pages to keep. Example: knightfall archive --public

    Posts, also by player, votes and wagons of each day, nights, people, rulings, the deal, a search. It opens
    by double click and loads nothing from anywhere. Made from what was read: run knightfall read first.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.cli.format_posts import archive_lines
    from knightfall.services.archive import write_archive

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Writing pages") as session:
        for line in archive_lines(write_archive(session, public, out, allow_leak)):
            echo(line)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
