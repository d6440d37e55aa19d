"""The verb that reviews a setup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.options import verb
from knightfall.cli.terminal import AsJson, CopyIt, bar_of, echo
from knightfall.cli.ways import as_object
from knightfall.services.requests import ReviewRequest


@verb
def review(
    request: ReviewRequest,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Write it in a site's markup, such as phpbb.")
    ] = "plain",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg|FILE.png", help="Also save a picture; - prints one as text instead."),
    ] = None,
    copying: CopyIt = False,
    as_json: AsJson = False,
) -> None:
    """Review a setup: its faults, and what each role is worth.

    Example: knightfall review fixtures/setups/matrix.toml --strict normal --games 2000

    It is a post to copy (--as phpbb, --copy). Faults are found by the cards alone: cards that do
    nothing, contradictions, a game that is lost before anybody can vote. --strict normal also holds the names
    against the list for Normal games.

    What a role is worth is the share of its side with it, less the share with a vanilla card in its place, by
    the same random games. Who wins is told as a band, from a town that reads well to one that hardly does:
    compare setups by it, and do not predict a game.
    """
    from knightfall.cli.clipboard import copy_parts
    from knightfall.markup.dialects import dialect as dialect_named
    from knightfall.services.balance import check_plot
    from knightfall.services.review import review_of, review_plot, review_post, write_review_plot
    from knightfall.services.threads import is_rich

    as_text = plot is not None and str(plot) == "-"
    if plot is not None and not as_text:
        check_plot(plot)  # before anything is played
    speech = dialect_named(dialect)
    with bar_of("Playing") as bar:

        def told(games: int, of: int) -> None:
            if bar is not None:
                bar(games, of)

        found = review_of(request, told)
    if plot is not None and not as_text:
        write_review_plot(found, plot)
    post = review_post(found, speech.name)
    if as_json:
        echo(as_object(found.to_dict()))
    else:
        echo(review_plot(found) if as_text else post)
    if copying:
        copy_parts((post,), is_rich(speech.name))
