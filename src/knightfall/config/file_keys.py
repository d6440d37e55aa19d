"""The keys of a game file, each with its values, what holds without it, and what it means in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knightfall.config.game_file import FILE_TABLES
from knightfall.config.rule_questions import QUESTIONS


@dataclass(frozen=True, slots=True)
class FileKey:
    """A key of a table such as “[rules]” or “[[player]]”; `usual` is what holds where the file does not have
    it, "" where it then says nothing."""

    table: str
    key: str
    values: str
    usual: str
    meaning: str


def file_keys() -> Iterator[FileKey]:
    """Every key of a game file, in its order. A rule means what a moderator is asked about it."""
    asked = {(one.table, one.key): f"{one.question} {one.hint}".strip() for one in QUESTIONS}
    for table, model in FILE_TABLES.items():
        schema = model.model_json_schema()
        for key, told in schema["properties"].items():
            usual = told.get("default")
            meaning = told.get("description") or asked[table.strip("[]"), key]
            said = "" if usual in (None, [], {}) else json.dumps(usual, ensure_ascii=False)
            yield FileKey(table, key, _values(told, schema.get("$defs", {})), said, meaning)


def _values(told: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    """What may stand behind a key, by its JSON schema."""
    match told:
        case {"$ref": ref}:
            return _values(models[ref.rpartition("/")[2]], models)
        case {"anyOf": several}:
            return " or ".join(_values(one, models) for one in several if one != {"type": "null"})
        case {"enum": values}:
            return ", ".join(map(json.dumps, values))
        case {"type": "boolean"}:
            return "true, false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"{least} to {most}"
        case {"type": "integer", "minimum": least}:
            return f"a number from {least}"
        case {"type": "array", "items": items}:
            return f"a list: {_values(items, models)}"
        case {"type": "string", "format": "date-time"}:
            return "a date with a time"
        case {"type": "string", "format": "duration"}:
            return 'a span such as "48h"'
        case {"type": "object", "properties": keys}:
            return f"a table of {', '.join(keys)}"
        case {"type": "object"}:
            return "a table"
    return "text"
