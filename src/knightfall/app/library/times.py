"""Until when does a phase last, and how does a post say so?"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from knightfall.app.library.scene import Scene
from knightfall.setups.calendar import phases
from knightfall.writeups.facts import local_time


def until_facts(moment: datetime | None, zone: ZoneInfo) -> dict[str, object] | None:
    """{countdown, local, utc} for `any/moment`, `utc` "" where that is the same; None for no moment."""
    if moment is None:
        return None
    return {
        "countdown": {"instant": moment.isoformat(), "zone": zone.key},
        "local": local_time(moment, zone),
        "utc": f"{moment.astimezone(UTC):%a %d %b %H:%M} UTC" if moment.astimezone(zone).utcoffset() else "",
    }


def end_of(scene: Scene, kind: str, number: int) -> datetime | None:
    """When day or night of that number ends: by journal and game file, else by the game's own clock; None
    where nobody says."""
    window = f"{kind}-{number}"
    known = next((phase for phase in phases(scene.setup.days, scene.journal) if phase.window == window), None)
    return (known.deadline if known else None) or _of_game(scene, window)


def _of_game(scene: Scene, window: str) -> datetime | None:
    """When the phase ends that the game itself has open under that name."""
    open_ = scene.table.windows if scene.table else ()
    return next((one.closes for one in open_ if one.title.casefold().replace(" ", "-") == window), None)
