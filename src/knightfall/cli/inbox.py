"""`knightfall submit` and `missing`: whose messages are there, and who still has to send his?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.loudness import is_verbose
from knightfall.cli.options import AllowLeak, AsJson, PrivateHost, Then
from knightfall.cli.screen import echo
from knightfall.cli.turns import DIALECT, GAME

if TYPE_CHECKING:
    from knightfall.app.inbox.importing import Wanted


def submit(
    who: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Whose message it is; “moderator” for your own.")
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="The message; “-” reads it from standard input."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The message as a file: a pasted PM.")
    ] = None,
    threads: Annotated[
        bool, typer.Option("--threads", help="Read the private threads of the game and take what is new.")
    ] = False,
    pms: Annotated[
        Path | None, typer.Option("--from-pms", metavar="FILE", help="PMs that vBulletin saved as CSV.")
    ] = None,
    form: Annotated[
        Path | None, typer.Option("--from-form", metavar="FILE", help="Answers of a form, saved as CSV.")
    ] = None,
    name_column: Annotated[
        str, typer.Option(metavar="HEAD", help="The form's column with the player; else guessed, and said.")
    ] = "",
    text_column: Annotated[
        list[str] | None,
        typer.Option(metavar="HEAD", help="Its column with the action; several are put together."),
    ] = None,
    dates: Annotated[
        str | None, typer.Option(metavar="dmy|mdy", help="How its dates are written, where both would do.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be taken.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page of the threads again, to find edits.")
    ] = False,
    stored: Annotated[bool, typer.Option("--stored", help="Threads as they were last read.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List what is passed over, too.")] = False,
    dialect: DIALECT = "plain",
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
    allow_private_host: PrivateHost = False,
    game: GAME = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Take in a message, or all that wait somewhere. Example: knightfall submit Kit "VOTE: Ada"

    All lines of a message are one entry; the receipt and what was refused go to standard error, public posts
    to standard output and public/, PMs to private/.

    --threads reads every [[thread]] with role = "private" of game.toml and takes the posts of its members
    since the last closing; --from-pms and --from-form take a saved file. What was taken once is not taken
    again; what comes too late or was edited since is told. Example: knightfall submit --threads --dry-run

    Exit status 3: a sender is nobody, or can be two; the other messages were taken.
    """
    from knightfall.app.inbox.forms import Asked as Columns
    from knightfall.app.inbox.importing import Wanted
    from knightfall.app.inbox.threads import Asked as Reading
    from knightfall.errors import InputError

    sources = [bool(who), threads, pms is not None, form is not None]
    if sum(sources) != 1 or (source and not who):
        raise InputError("One source at a time: NAME TEXT, --threads, --from-pms FILE or --from-form FILE.")
    folder = game_needed(game)
    if who:
        _one(who, text or [], source, (dialect, dry_run, allow_leak), folder)
        return
    reading = Reading(again, stored) if threads else None
    columns = Columns(name_column, tuple(text_column or ()), dates)
    wanted = Wanted(reading, pms, form, columns, dry_run, verbose or is_verbose(), dialect, allow_leak)
    _all(wanted, folder, allow_private_host, cookies)


def missing(
    draft: Annotated[
        bool, typer.Option("--draft", help="Write a reminder for each of them into private/.")
    ] = False,
    game: GAME = None,
    at: Then = None,
    as_json: AsJson = False,
) -> None:
    """Say what is open and whose message is awaited. Example: knightfall missing --draft

    It tells until when, and what happens if the message never comes.
    """
    from knightfall.app.diary.then import as_of
    from knightfall.app.inbox.awaited import missing as awaited
    from knightfall.app.inbox.awaited import missing_values, reminders
    from knightfall.app.plain_values import as_object
    from knightfall.cli.ports import real_ports

    folder = game_needed(game)
    ports = real_ports(folder, allow_private=False)
    then = as_of(at, folder, ports)
    echo(as_object(missing_values(folder, then)) if as_json else awaited(folder, then))
    for path in reminders(folder, ports) if draft else ():
        _aside(f"Draft: {path}")


def _one(who: str, text: list[str], source: Path | None, how: tuple[str, bool, str], folder: Path) -> None:
    """`how`: --as, --dry-run and --allow-leak."""
    import sys

    from knightfall.app.play.turns import submit as take_in
    from knightfall.app.text_file import read_text
    from knightfall.cli.ports import real_ports

    said = read_text(source) if source else " ".join(text)
    said = sys.stdin.read() if said.strip() == "-" else said
    ports = real_ports(folder, allow_private=False)
    dialect, dry, allow_leak = how
    if dry:
        from knightfall.app.inbox.telling import dry_run

        dry_run(who, said, folder, ports, _aside)
        return
    take_in(who, said, dialect, folder, ports, echo, _aside, allow_leak)


def _all(wanted: "Wanted", folder: Path, allow_private_host: bool, cookies: Path | None) -> None:
    from knightfall.app.inbox.importing import take_in
    from knightfall.cli.ports import progress_bar, real_ports

    ports = real_ports(folder, allow_private_host, cookies)
    with progress_bar("Reading messages") as progress:
        take_in(wanted, folder, ports, echo, _aside, progress)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
