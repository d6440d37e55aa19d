"""`knightfall fair`: a deal that nobody can choose, from the commitment to the check."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.options import verb
from knightfall.cli.terminal import Place, aside, echo, session_of_game
from knightfall.errors import InputError
from knightfall.services.requests import CommitRequest

if TYPE_CHECKING:
    from knightfall.services.session import Session

fair = typer.Typer(
    help="Deal so that nobody can choose the deal, and check such a deal.\n\n"
    "In this order: commit, round, deal, open, and verify at the end.",
    no_args_is_help=True,
)


@fair.command("commit")
@verb
def commit(request: partial[CommitRequest], *, place: Place) -> None:
    """Commit to a deal that nobody can choose. Example: knightfall fair commit

    Do this when sign-ups are closed, and post the text at once: it fixes players, options and rules before
    the round of the beacon is known. After the round, knightfall fair round fetch and knightfall fair deal.
    """
    from secrets import token_bytes

    committed(request(secret=token_bytes(32)), session_of_game(place.game))


def committed(request: CommitRequest, session: Session) -> None:
    """Commit, and print the post and what comes then."""
    from knightfall.services.game.commitment import commit_deal

    made = commit_deal(request, session)
    echo(made.post)
    aside(f"Post it now. Round {made.round} comes at {made.due}. Then: knightfall fair round fetch")


@fair.command("round")
@verb
def round_(
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="What a mirror answers, its signature, or fetch.")
    ],
    *,
    place: Place,
) -> None:
    """Enter the round of the beacon that was named. Example: knightfall fair round fetch

    With fetch it is read at two mirrors, which have to agree. Or open a mirror in your browser and paste what
    it answers, or its “signature”. With its “randomness” alone nobody can verify the value.
    """
    from knightfall.extras import command_here
    from knightfall.services.game.commitment import enter_round

    found = enter_round(value, session_of_game(place.game))
    echo(f"Round {found.round}: {found.value}")
    if found.verified is None:
        aside(f"The value was not verified: that needs its signature, and {command_here('fair')}.")
    aside("Now: knightfall fair deal")


@fair.command("deal")
@verb
def deal(*, place: Place) -> None:
    """Deal by the commitment and its round. Example: knightfall fair deal"""
    from secrets import token_bytes

    from knightfall.cli.format_due import tell_next
    from knightfall.cli.format_game import begun_game_text
    from knightfall.services.fair_deal import promise_of
    from knightfall.services.game.new import deal_game
    from knightfall.services.requests import DealRequest
    from knightfall.services.session import journal_of

    session = session_of_game(place.game)
    if promise_of(journal_of(session)) is None:
        raise InputError("Nothing was committed to yet. First: knightfall fair commit")
    echo(begun_game_text(deal_game(DealRequest(token_bytes(32), token_bytes(32)), session)))
    tell_next(session_of_game(place.game))


@fair.command("open")
@verb
def open_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose card (default: the root of all).")] = "",
    *,
    place: Place,
) -> None:
    """Show what opens a card, or all of them. Example: knightfall fair open Ada

    The line of a card stands in its player's PM and under its flip. Without NAME you get the lines of the
    opening post.
    """
    from knightfall.services.fair_deal import opened

    echo(opened(name, session_of_game(place.game)))


@fair.command("verify")
@verb
def verify(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Posts of a game, or its proof (default: this game's threads)."),
    ] = None,
    published: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment, of a deal without a round.")
    ] = None,
    written: Annotated[
        str, typer.Option(metavar="TIME", help="When the commitment was posted, such as 2026-11-28T10:00Z.")
    ] = "",
    mirror: Annotated[
        str, typer.Option(metavar="HEX", help="The value that a mirror of the beacon told you.")
    ] = "",
    *,
    place: Place,
) -> None:
    """Say what is shown of a deal. Example: knightfall fair verify posts.txt --written 2026-11-28T10:00Z

    Save the post of the commitment, the opening post and the last post in one file. Each sentence is shown,
    contradicted or not shown. The deal is fair only where all are shown; else the exit status is 1.
    """
    from knightfall.cli.format_game import deal_check_text
    from knightfall.engine.fair import Witness
    from knightfall.services.beacon import is_signed
    from knightfall.services.deal import check_deal
    from knightfall.services.fair_deal import check_game

    if file is None:
        check = check_game(session_of_game(place.game))
    else:
        witness = Witness(_instant(written), None, mirror.strip().lower(), is_signed)
        check = check_deal(file, published, witness)
    echo(deal_check_text(check))
    raise typer.Exit(0 if check.holds else 1)


def _instant(said: str) -> datetime | None:
    """An instant as it was typed, in UTC unless it says otherwise. Raises InputError."""
    if not said:
        return None
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        raise InputError(f"--written {said}: expected a time such as 2026-11-28T10:00Z.") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@fair.command("page")
@verb
def page(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, such as check.html.")],
    url: Annotated[
        str, typer.Option(metavar="URL", help="Where players will find it: the posts link to it.")
    ] = "",
    *,
    place: Place,
) -> None:
    """Write the page by which players check a deal. Example: knightfall fair page check.html

    One file without a network, the same for every game: put it where players can open it. They paste posts,
    and it says of each sentence whether it is shown.
    """
    from knightfall.services.keep.check_page import note_address, write_check_page

    if url:
        note_address(url, session_of_game(place.game))
    aside(f"{write_check_page(file)} holds nothing of a game: anybody may have it.")
