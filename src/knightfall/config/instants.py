"""Times as people write them in a game file, made into instants."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from knightfall.errors import TimeError


def aware(moment: datetime, zone: ZoneInfo | None, where: str) -> datetime:
    """The instant in UTC. Raises TimeError where it has no zone, or the clocks skip or repeat it."""
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    if zone is None:
        raise TimeError(
            f"{where}: {moment.isoformat()} has no zone. Set timezone in [game], or write the offset: "
            f"{moment.isoformat()}-05:00."
        )
    early, late = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        shown = moment.strftime("%H:%M on %d %b %Y")
        exists = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == moment
        if not exists:
            skipped = " to ".join(map(_offset, (early, late)))
            raise TimeError(
                f"{where}: {shown} does not exist in {zone.key}: the clocks skip it, from {skipped}. "
                "Choose another time."
            )
        offsets = " or ".join(f"{moment.isoformat()}{_offset(side)}" for side in (early, late))
        raise TimeError(f"{where}: {shown} happens twice in {zone.key}. Write {offsets}.")
    return early.astimezone(UTC)


def _offset(moment: datetime) -> str:
    """“-05:00”."""
    return f"{moment:%z}"[:3] + ":" + f"{moment:%z}"[3:]
