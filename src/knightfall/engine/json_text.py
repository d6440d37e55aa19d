"""An answer as the one JSON object that programs are given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

SCHEMA = 1


def as_object(values: Mapping[str, object]) -> str:
    """The values behind their schema number; instants as ISO text, UTC with a Z."""
    return json.dumps({"schema": SCHEMA, **values}, ensure_ascii=False, indent=1, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)
