"""What does a game.toml say about silence: after how long a prod is due, and who announced an absence?"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from knightfall.core.silence import Absence
from knightfall.errors import SetupError

_SPAN = re.compile(r"([1-9][0-9]{0,3})([dhm])")
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}


def parse_span(value: object) -> timedelta:
    """“48h”, “2d” or “90m”. Raises ValueError, saying what was expected."""
    found = _SPAN.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("days, hours or minutes such as “2d”, “48h” or “90m”")
    return int(found[1]) * _UNITS[found[2]]


def _day(value: object) -> object:
    """TOML gives dates; a time, a number or a text is not one."""
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueError("a date such as 2026-11-28")
    return value


Span = Annotated[timedelta, BeforeValidator(parse_span)]
_Date = Annotated[date, BeforeValidator(_day)]


class AbsenceTable(BaseModel):
    """An entry of `v_la` as it stands in the file; both days are part of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    begins: Annotated[_Date, Field(alias="from")]
    to: _Date


def absences_of(player: str, tables: tuple[AbsenceTable, ...], source: str) -> tuple[Absence, ...]:
    """A player's announced absences. Raises SetupError where one ends before it begins."""
    for table in tables:
        if table.to < table.begins:
            raise SetupError(
                f"{source}: player “{player}”: v_la: found from {table.begins} to {table.to}, "
                "expected the first day, then the last one."
            )
    return tuple(Absence(table.begins, table.to) for table in tables)
