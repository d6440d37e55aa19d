"""Which kinds of posts are there, and what makes each?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from knightfall.app.library.archive import archive_post
from knightfall.app.library.beginning import opening, rules, sign_ups
from knightfall.app.library.days import dawn, day_start, end_of_day, votecount
from knightfall.app.library.endgame import endgame
from knightfall.app.library.notices import error, note
from knightfall.app.library.results import results
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made
from knightfall.errors import InputError

KINDS: Mapping[str, Callable[[Scene], Made]] = MappingProxyType(
    {
        "signup": sign_ups,
        "rules": rules,
        "opening": opening,
        "day-start": day_start,
        "votecount": votecount,
        "note": note,
        "end-of-day": end_of_day,
        "dawn": dawn,
        "results": results,
        "error": error,
        "endgame": endgame,
        "archive": archive_post,
    }
)
"""In the order in which a game needs them."""


def checked(kind: str) -> str:
    """The kind. Raises InputError with those there are."""
    wanted = kind.strip().lower().replace("_", "-")
    if wanted not in KINDS:
        raise InputError(f"“{kind}” is no kind of post; expected one of {', '.join(KINDS)}.")
    return wanted


def made(kind: str, scene: Scene) -> Made:
    """The post of that kind. Raises InputError where the game cannot say it yet, or never says it."""
    return KINDS[checked(kind)](scene)
