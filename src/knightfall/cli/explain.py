"""`knightfall explain`: why a count stands as it does."""

from typing import Annotated

import typer

from knightfall.cli.folder import game_here
from knightfall.cli.options import AsJson, At, Day, FromHtml, FromJsonl, Game, PrivateHost, Source, Stored
from knightfall.cli.screen import echo


def explain(
    what: Annotated[str, typer.Argument(metavar="NAME|POST", help="A player with votes, or a post number.")],
    source: Source = None,
    game: Game = None,
    day: Day = None,
    at: At = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Say why votes count or do not, for a player or for a post. Example: knightfall explain Kestrel --day 1

    For a player each vote with post, voter, text and how the name was matched; for a post all that was read
    in it, counted or not. For the moderator's eyes: weights are shown.

    In the folder of a game that is played there (knightfall new): every line that was told of a name or a
    number, with the entry and the rulings behind it; --at is then an entry of the log. There, too, --day says
    that the votes of a day are meant.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.count_request import CountRequest
    from knightfall.services.explain_count import explain as explained
    from knightfall.services.turns import history, is_played

    game = game if source else game_here(game)
    session = real_session(game, allow_private_host)
    if game is not None and not source and day is None and is_played(session):
        from knightfall.cli.format_game import history_text
        from knightfall.engine.json_text import as_object

        told = history(what, at, session)
        echo(as_object(told.to_dict()) if as_json else history_text(told))
        return
    wanted = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, as_json=as_json, stored=stored)
    with progress_bar(session) as session:
        echo(explained(what, wanted, session))
