"""`knightfall roster`: who plays, and with `suggest` which nicknames the thread teaches."""

from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AsJson, At, FromHtml, FromJsonl, Game, PrivateHost, Stored
from knightfall.cli.screen import echo

SUGGEST = "suggest"


def roster(
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="[suggest] URL | FILE...", help="The thread, as for vc; before it: suggest."),
    ] = None,
    game: Game = None,
    at: At = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """List who plays, or nicknames to accept as aliases. Example: knightfall roster suggest

    Of each slot: who holds it, who held it before, aliases, how and where it left, last post.

    With the word suggest: nicknames that the votes and your own votecounts teach, each with its evidence and
    the command that makes it an alias. Nothing is applied by itself. What was assumed goes to standard error.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import roster as people
    from knightfall.services.count_request import CountRequest

    words = tuple(source or ())
    learning = words[:1] == (SUGGEST,)
    words = words[learning:]
    game = game if words else game_here(game)
    wanted = CountRequest(words, from_html, from_jsonl, at=at, stored=stored)
    with progress_bar(real_session(game, allow_private_host)) as session:
        if learning:
            learned = people.suggest(wanted, session)
            text, values = people.proposals_text(learned), people.proposals_values(learned)
        else:
            listed = people.roster(wanted, session)
            text, values = people.as_table(listed), people.as_values(listed)
    echo(as_object(values) if as_json else text)
    for sentence in values["assumed"]:
        echo(sentence, err=True)
