"""The verbs by which a game goes from one moderator to another, and to other programs."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.format_due import tell_next
from knightfall.cli.options import verb
from knightfall.cli.terminal import AllowLeak, Place, aside, echo, progress_bar, session_of_game
from knightfall.errors import InputError
from knightfall.services.keep.hand_over import HandOverRequest
from knightfall.services.session import Session


@verb
def hand_over(
    request: partial[HandOverRequest],
    *,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it into a file that you alone can read.")
    ] = None,
    place: Place,
) -> None:
    """Write the game as text for your co-moderators' topic. Example: knightfall hand-over

    The text has all that another moderator needs to go on: journal, game file, deal and secret, and pages
    that no forum shows again. Post it where moderators alone can read. Whoever takes over needs all of its
    parts.
    """
    from knightfall.services.hand_marks import note_handed_over
    from knightfall.services.keep.hand_over import hand_over as handed
    from knightfall.services.keep.hand_over import write_hand_over

    session = session_of_game(place.game)
    done = handed(request(), session)
    if out is None:
        echo("\n\n".join(done.posts))
    else:
        write_hand_over(done, out)
    try:
        note_handed_over(done.entry, done.digest, session)
    except InputError as error:  # the text is what counts, above all where the disk is full
        aside(f"That it was handed over is not noted here: {error}")
    parts = "1 post" if len(done.parts) == 1 else f"{len(done.parts)} posts"
    aside(f"{done.line} {parts}.")


@verb
def take_over(
    file: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]", help="Texts or saved pages with the parts (default: standard input)."
        ),
    ] = None,
    into: Annotated[
        Path, typer.Option(metavar="DIR", help="An empty folder, or the game's own (default: this one).")
    ] = Path(),
    stored: Annotated[bool, typer.Option("--stored", help="Do not read the game's thread now.")] = False,
    *,
    place: Place,
) -> None:
    """Go on with a game that another moderator handed over. Example: knightfall take-over topic.html

    In an empty folder the game is made of it. In a folder of the same game what is new is added; where you
    both went on, what bears on nothing of yours is added behind it, and the rest is named.

    Then the game's thread is read, so that you see what happened since.

    Exit status 3: an entry of theirs was not added, since it bears on what you wrote.
    """
    from knightfall.cli.format_game import taken_over_lines
    from knightfall.fetch.saved import decoded, saved_bytes
    from knightfall.services.keep.take_over import reads_whole
    from knightfall.services.keep.take_over import take_over as taken

    texts = [decoded(saved_bytes(one)) for one in file or ()] or [sys.stdin.read()]

    def session(folder: Path) -> Session:
        return place.of(folder)

    done = taken(texts, into.resolve(), session)
    for line in taken_over_lines(done):
        echo(line)
    if not stored:
        with progress_bar(session(done.folder), "Reading the thread") as reading:
            aside(reads_whole(reading))
    tell_next(session(done.folder))
    if any(not one.merged and one.against for one in done.forks):
        raise typer.Exit(3)


@verb
def passport(
    public: Annotated[bool, typer.Option("--public", help="Only what players may know.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it into a file that you alone can read.")
    ] = None,
    allow_leak: AllowLeak = "",
    *,
    place: Place,
) -> None:
    """Write the game as JSON for other programs. Example: knightfall passport --public

    It has players and holders, days with their votes and posts, what came of them, rulings, nights and proof.
    Its schema is knightfall/passport.schema.json in the package.
    """
    from knightfall.services.keep.passport import passport as made
    from knightfall.services.keep.passport import write_passport

    found = made(session_of_game(place.game), public, allow_leak)
    if out is None:
        echo(found.text)
    else:
        write_passport(found, out)
        aside(f"{out} {'holds only what players may know' if public else 'holds secrets'}.")
