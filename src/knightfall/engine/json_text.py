"""An answer as plain values, as the one JSON object that programs are given, and as a line of a shell."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any

from knightfall.audience import Secret, is_secret

SCHEMA = 1
REPR_WIDTH = 120
"""Letters of an answer as a shell shows it."""
PART_WIDTH = 40
"""Letters of one of its parts."""


def as_object(values: Mapping[str, object]) -> str:
    """The values behind their schema number; instants as ISO text, UTC with a Z."""
    return json.dumps({"schema": SCHEMA, **values}, ensure_ascii=False, indent=1, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


class JsonAnswer:
    """A frozen dataclass that a service answers with, as plain values and in a line.

    What is only the surroundings of an answer, such as the game file it was made by, is a field with
    `repr=False`: it stands in neither.
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields by their names as JSON has them: instants and days as ISO text (UTC with a Z), spans in
        seconds, files by their paths, texts as a program reads them."""
        return {one.name: plain_value(getattr(self, one.name)) for one in _shown_fields(self)}

    def __repr__(self) -> str:
        """Its words and numbers, and how many there are of what it lists; no secret."""
        parts = []
        for one in _shown_fields(self):
            value = getattr(self, one.name)
            if is_secret(self, one.name) or value is None or value == "" or value is False:
                continue
            if isinstance(value, bool):
                parts.append(one.name)
            elif isinstance(value, str | int | float | date | Enum):
                parts.append(f"{one.name}={_shown(value)}")
            elif isinstance(value, Collection):
                parts += [f"{len(value)} {one.name}"] if value else []
            elif is_dataclass(value) and len(text := repr(value)) <= PART_WIDTH:
                parts.append(text)
        text = f"{type(self).__name__}({', '.join(parts)})"
        return text if len(text) <= REPR_WIDTH else f"{text[: REPR_WIDTH - 2]}…)"


def plain_value(value: Any) -> Any:
    """A value as JSON has it; a value with a `to_dict` of its own by that."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return plain_value(value.value)
        case Secret():
            return plain_value(value.value)
        case datetime():
            return _plain(value)
        case date():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case bytes():
            return value.hex()
        case Mapping():
            return {str(key): plain_value(one) for key, one in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return plain_value(value._asdict())
        case list() | tuple():
            return [plain_value(one) for one in value]
        case set() | frozenset():
            return sorted(map(plain_value, value))
    if hasattr(value, "to_dict"):
        return plain_value(value.to_dict())
    if is_dataclass(value):
        return {one.name: plain_value(getattr(value, one.name)) for one in _shown_fields(value)}
    return str(value)


def _shown_fields(value: Any) -> tuple[Any, ...]:
    return tuple(one for one in fields(value) if one.repr)


def _shown(value: object) -> str:
    """A word or number in a line: long texts are cut."""
    word = value.value if isinstance(value, Enum) else value
    text = _plain(word) if isinstance(word, date) else repr(word)
    return text if len(text) <= PART_WIDTH else f"{text[: PART_WIDTH - 2]}…{text[-1]}"
