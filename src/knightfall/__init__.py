"""Knightfall: the assistant of people who moderate text-post games on forums.

```python
import knightfall as kf

thread = kf.read("https://forum.example/viewtopic.php?t=90010")
print(kf.count(thread, as_of=84, config="game.toml").to_text("mafiascum"))
```

The names of `__all__` are the public API; each is loaded when it is first used. `Forum`, `HtmlForum`,
`Dialect`, `MafiaGame`, `NightFileGame`, `RoundGame` and `parse_bbcode` are for who adds a forum, a
dialect or a game.
Whatever goes wrong is a `kf.errors.KnightfallError`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knightfall import errors
    from knightfall.api.balance import balance
    from knightfall.api.games import Closing, Game, Receipt, RefusedLine
    from knightfall.api.nights import Night, resolve
    from knightfall.api.review import review
    from knightfall.api.running_games import running_game
    from knightfall.api.setups import parse_setup
    from knightfall.api.threads import read, read_html, read_jsonl
    from knightfall.api.votes import Count, count, series
    from knightfall.engine.round_game import RoundGame
    from knightfall.engine.what_if import Change, Step
    from knightfall.forums.base import Forum, HtmlForum
    from knightfall.games.custom_mafia.setup_reading import SetupReading
    from knightfall.mafia.game import MafiaGame
    from knightfall.mafia.night_file import NightFileGame
    from knightfall.markup.bbcode import parse_bbcode
    from knightfall.markup.dialects import Dialect
    from knightfall.models import Post, Thread
    from knightfall.services.balance import Balance
    from knightfall.services.count.series import Standings
    from knightfall.services.game.adoption import Adoption
    from knightfall.services.game.due import Due
    from knightfall.services.review import Review
    from knightfall.services.window.waiting import PendingWindow
    from knightfall.simulation.intervals import Share
    from knightfall.version import VERSION
    from knightfall.votes.tally import Doubt, Hammer, Uncounted, Vote, Wagon

    __version__ = VERSION

__all__ = [
    "Adoption",
    "Balance",
    "Change",
    "Closing",
    "Count",
    "Dialect",
    "Doubt",
    "Due",
    "Forum",
    "Game",
    "Hammer",
    "HtmlForum",
    "MafiaGame",
    "Night",
    "NightFileGame",
    "PendingWindow",
    "Post",
    "Receipt",
    "RefusedLine",
    "Review",
    "RoundGame",
    "SetupReading",
    "Share",
    "Standings",
    "Step",
    "Thread",
    "Uncounted",
    "Vote",
    "Wagon",
    "__version__",
    "balance",
    "count",
    "errors",
    "parse_bbcode",
    "parse_setup",
    "read",
    "read_html",
    "read_jsonl",
    "resolve",
    "review",
    "running_game",
    "series",
]

_HOMES = {
    "Adoption": "services.game.adoption",
    "Balance": "services.balance",
    "PendingWindow": "services.window.waiting",
    "Change": "engine.what_if",
    "Closing": "api.games",
    "Count": "api.votes",
    "Dialect": "markup.dialects",
    "Doubt": "votes.tally",
    "Due": "services.game.due",
    "Forum": "forums.base",
    "Game": "api.games",
    "Hammer": "votes.tally",
    "HtmlForum": "forums.base",
    "MafiaGame": "mafia.game",
    "RoundGame": "engine.round_game",
    "Night": "api.nights",
    "NightFileGame": "mafia.night_file",
    "Post": "models",
    "Receipt": "api.games",
    "RefusedLine": "api.games",
    "Review": "services.review",
    "SetupReading": "games.custom_mafia.setup_reading",
    "Share": "simulation.intervals",
    "Standings": "services.count.series",
    "Step": "engine.what_if",
    "Thread": "models",
    "Uncounted": "votes.tally",
    "Vote": "votes.tally",
    "Wagon": "votes.tally",
    "balance": "api.balance",
    "count": "api.votes",
    "parse_bbcode": "markup.bbcode",
    "parse_setup": "api.setups",
    "read": "api.threads",
    "read_html": "api.threads",
    "read_jsonl": "api.threads",
    "resolve": "api.nights",
    "review": "api.review",
    "running_game": "api.running_games",
    "series": "api.votes",
}
"""Where each public name is defined, below this package."""


if not TYPE_CHECKING:  # a type checker sees the imports above, and a name that is not there as a mistake

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("knightfall.version").VERSION
        if name in _HOMES:
            return getattr(import_module(f"knightfall.{_HOMES[name]}"), name)
        # A package below this one is there whether or not somebody imported it before.
        if name.startswith("_") or find_spec(f"knightfall.{name}") is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"knightfall.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
