"""The verb that takes a running game in, which was not begun here."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Annotated

import typer

from knightfall.cli.format_due import tell_next
from knightfall.cli.game import parse_options
from knightfall.cli.options import verb
from knightfall.cli.terminal import Place, aside, echo, progress_bar
from knightfall.services.game.adoption import AdoptRequest
from knightfall.services.session import Session


@verb
def adopt(
    request: partial[AdoptRequest],
    roles: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who has which role: lines, a spreadsheet (CSV) or a wiki table."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The table as you corrected it, in place of what was read."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table there, to correct it (CSV).")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Make the game in this new folder.")] = None,
    until: Annotated[
        str, typer.Option(metavar="TIME", help="The deadline of what is open, such as Sun 8pm or 48h.")
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")
    ] = None,
    despite: Annotated[
        bool, typer.Option("--despite", help="Take it in although something is not sure.")
    ] = False,
    *,
    place: Place,
) -> None:
    """Take in a running game that was not begun here. Example: knightfall adopt URL --roles roles.txt

    Its thread is read: who plays, who replaced whom, who died and how, which day or night it is, each with
    the post that tells it and with what is not sure. Without --out nothing is made. Correct the table with
    --save, your spreadsheet and --table, then make the game with --out.

    Without roles, votes are counted and nothing else is played.

    Exit status 3: something is not sure yet.
    """
    from knightfall.cli.format_adopt import adoption_lines, taken_in_lines
    from knightfall.services.game.adopt import TakeInRequest, adopt_game, deadline_of
    from knightfall.services.game.adoption import read_adoption, read_list, write_table

    whole = request(roles=read_list(roles), table=read_list(table), options=parse_options(option or ()))
    session = place.of(None)
    with progress_bar(session, "Reading the thread") as reading:
        found = read_adoption(whole, reading)
    for line in adoption_lines(found):
        echo(line)
    if save is not None:
        write_table(found, save)
        aside(f"{save} holds the table, with all roles. Correct it, and give it back with --table {save}.")
    if out is None:
        if found.open_questions and save is None:
            raise typer.Exit(3)
        return

    def made(folder: Path) -> Session:
        return place.of(folder)

    what = TakeInRequest(
        out.resolve(),
        token_bytes(32),
        token_bytes(32),
        deadline_of(until, whole.timezone, session.clock.now()) or found.until,
        whole.timezone,
        whole.options,
        despite,
    )
    done = adopt_game(found, what, session, made)
    for line in taken_in_lines(done):
        aside(line)
    tell_next(made(done.folder))
