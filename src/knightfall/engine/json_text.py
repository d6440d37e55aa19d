"""An answer as the one JSON object that programs are given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime

from knightfall.sentence import Way

SCHEMA = 1


def as_object(values: Mapping[str, object], way: Callable[[Way], str] = str) -> str:
    """The values behind their schema number; instants as ISO text, UTC with a Z; a way that is a value of its
    own as `way` spells it."""

    def plain(value: object) -> str:
        if isinstance(value, Way):
            return way(value)
        return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)

    return json.dumps({"schema": SCHEMA, **values}, ensure_ascii=False, indent=1, default=plain)
