"""How long is each phase open, and how are its instants said? KC-02."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from knightfall.games.kings_court.state import Phase, State

TIE_HOURS, END_HOURS = 12, 24
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_HOURS: Mapping[Phase, int] = {
    Phase.TIE: TIE_HOURS,
    Phase.TOL: END_HOURS,
    Phase.EC: END_HOURS,
    Phase.DMO: END_HOURS,
}


def deadline(state: State) -> datetime | None:
    """When the phase ends; None where nobody said when it began, or where it waits for the moderator."""
    hours = int(state.rules["kc_02"]) if state.phase is Phase.VOTE else _HOURS.get(state.phase)
    return state.opened + timedelta(hours=hours) if state.opened and hours else None


def deadline_said(state: State) -> str | None:
    """“Tue 20:00 UTC”: no phase is longer than three days."""
    ends = deadline(state)
    return f"{_DAYS[ends.astimezone(UTC).weekday()]} {time_said(ends)}" if ends else None


def time_said(at: datetime) -> str:
    """“21:14 UTC”."""
    there = at.astimezone(UTC)
    return f"{there.hour:02}:{there.minute:02} UTC"
