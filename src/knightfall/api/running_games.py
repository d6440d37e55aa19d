"""Running games that were not begun here, read to be taken in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from knightfall.api.door import door
from knightfall.api.folder import typed
from knightfall.api.threads import refuse_disorder
from knightfall.models import Thread
from knightfall.services.game.adoption import Adoption, AdoptRequest, adoption_of
from knightfall.services.machine import session_of


@door
def running_game(
    thread: Thread,
    *,
    roles: str = "",
    table: str = "",
    game: str = "",
    phase: str = "",
    as_of: int | str | datetime | None = None,
    moderators: Sequence[str] = (),
    title: str = "",
    site: str = "",
) -> Adoption:
    """What a thread tells of the game that runs in it, for whoever takes it over: `seats` with who held them,
    how they left and what they are, each with the post it was read in and its `doubts`; where the game
    stands; what is in doubt of the whole. Make a game of it with `Game.adopt`.

    `roles` is a list of the roles in any wording: lines, a table of a spreadsheet or a wiki. `table` is a
    corrected table, as `table_text(…)` writes one, and takes the place of all that was read of the seats.
    `game` is an id, or "votes" ("": custom_mafia where every role is told, else votes alone); `phase` says
    where the game stands (“day 3 #812”, “night 2”) where that was read wrongly. `moderators` are who
    moderates from now on, beside those who did.

    Raises InputError for a thread that cannot be counted, and for a table with a line that cannot be read.
    """
    refuse_disorder(thread)
    at = None if as_of is None else typed(as_of)
    request = AdoptRequest(
        at=at,
        roles=roles,
        table=table,
        game=game,
        phase=phase,
        moderators=tuple(moderators),
        title=title,
        site=site,
    )
    return adoption_of(thread, request, session_of(None))
