"""The verbs of a deal that nobody can choose."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.options import verb
from knightfall.cli.terminal import Place, aside, echo, session_of_game
from knightfall.services.requests import CommitRequest


def check_page(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, such as check.html.")],
) -> None:
    """Write the page by which players check a deal. Example: knightfall check-page check.html

    One file without a network, the same for every game: put it where players can open it. They paste posts,
    and it says that the cards are as dealt, or what is not.
    """
    from knightfall.services.keep.check_page import write_check_page

    aside(f"{write_check_page(file)} holds nothing of a game: anybody may have it.")


@verb
def commit_deal(request: partial[CommitRequest], *, place: Place) -> None:
    """Commit to a deal that nobody can choose. Example: knightfall commit-deal --words

    Do this when sign-ups are closed, and post the text at once: it fixes players, options and rules before
    the chance is known. After the round, knightfall round fetch and knightfall deal.
    """
    from secrets import token_bytes

    from knightfall.services.game.commitment import commit_deal as committed

    made = committed(request(secret=token_bytes(32)), session_of_game(place.game))
    echo(made.post)
    if made.due:
        aside(f"Post it now. Round {made.round} comes at {made.due}. Then: knightfall round fetch")
    else:
        aside("Post it now. For each player's word: knightfall word NAME WORD. Then: knightfall deal")


@verb
def word(
    slot: Annotated[str, typer.Argument(metavar="NAME", help="The player.")],
    word_: Annotated[str, typer.Argument(metavar="WORD", help="One line of at most 80 letters.")],
    *,
    place: Place,
) -> None:
    """Note a player's word for the deal. Example: knightfall word Ada "a red boat"

    The player posts it in the thread, after the commitment. The last word of a player counts.
    """
    from knightfall.services.game.commitment import give_word

    given = give_word(slot, word_, session_of_game(place.game))
    echo(f"{given.slot}: “{given.word}”")


@verb
def round_(
    value: Annotated[str, typer.Argument(metavar="VALUE", help="64 hex digits, or fetch.")],
    *,
    place: Place,
) -> None:
    """Enter the round of the beacon that is waited for. Example: knightfall round fetch

    Before the deal it is the round of the commitment; in a game with a round at each deadline, that of what
    ends next. With fetch it is read at two mirrors, which have to agree. Or open a mirror in your browser and
    enter the “randomness” of the round.
    """
    from knightfall.services.game.commitment import enter_round

    found = enter_round(value, session_of_game(place.game))
    echo(found.post or f"Round {found.round}: {found.value}")
    aside("Post it, then close." if found.post else "Now: knightfall deal")
