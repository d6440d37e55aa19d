"""`knightfall near`: what looks like a vote and was not counted."""

from knightfall.cli.folder import game_here
from knightfall.cli.options import AsJson, At, Day, FromHtml, FromJsonl, Game, PrivateHost, Source, Stored
from knightfall.cli.screen import echo


def near(
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
    """List what looks like a vote and was not counted. Example: knightfall near

    Each with its reason and link. Decide on one with: knightfall fix POST --to NAME --why "…"
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.count_request import CountRequest
    from knightfall.services.explain_count import as_text, near_values
    from knightfall.services.explain_count import near as find

    game = game if source else game_here(game)
    wanted = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    with progress_bar(real_session(game, allow_private_host)) as session:
        found = find(wanted, session)
    echo(as_object(near_values(found)) if as_json else as_text(found))
