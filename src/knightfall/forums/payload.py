"""JSON and XML answers of forums."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias, TypeVar
from xml.etree.ElementTree import Element, ParseError, fromstring

from knightfall.errors import IncompleteRead, LayoutChanged

Json: TypeAlias = Any
Kind = TypeVar("Kind")

BEGINS_JSON = re.compile(r'\ufeff?\s*(?:\{\s*["}]|\[\s*[\[{"\]])')
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
KINDS = {str: "text", int: "a whole number", list: "a list", dict: "an object", bool: "true or false"}


def is_json(text: str) -> bool:
    """True for what begins as an object or a list; whether its end arrived is another question."""
    return BEGINS_JSON.match(text) is not None


def parse_json(text: str, name: str = "The answer") -> Json:
    """The value of a JSON text; `name` is how the message calls it. Raises IncompleteRead."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            fault = f"JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        else:
            fault = "JSON that cannot be read"
        raise IncompleteRead(
            f"{name} ended early or is broken ({fault}). No count was made. "
            "Fetch or save it again, then try once more."
        ) from None


def embedded(page: str, identity: str) -> Json | None:
    """The value of `<script id="identity" type="application/json">` in a page; None where there is none."""
    mark = rf"""<script\b[^<>]{{0,500}}\bid=["']?{re.escape(identity)}["']?(?=[\s>])[^<>]*>"""
    found = re.search(mark, page, re.IGNORECASE)
    end = _SCRIPT_END.search(page, found.end()) if found else None
    if found is None or end is None:
        return None
    return parse_json(page[found.end() : end.start()], f"The page's own data ({identity})")


def look(value: Json, *path: str) -> Json | None:
    """What stands at a path of keys; None where nothing does."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def need(value: Json, kind: type[Kind], *path: str) -> Kind:
    """What stands at a path, if it is of that kind. Raises LayoutChanged."""
    found = look(value, *path)
    if isinstance(found, kind) and not (kind is int and isinstance(found, bool)):
        return found
    where = f" in {_shown(value)}" if isinstance(value, dict) else ""
    raise LayoutChanged(
        f"Expected {KINDS.get(kind, kind.__name__)} at “{'.'.join(path)}”{where}: the answer is not laid out "
        "as this platform does it. No count was made."
    )


def entries(value: Json, *path: str) -> list[dict[str, Json]]:
    """The objects of a list. Raises LayoutChanged where there is no list, or something else stands in it."""
    found = need(value, list, *path)
    if not all(isinstance(entry, dict) for entry in found):
        raise LayoutChanged(f"Not everything in the list “{'.'.join(path)}” is an object. No count was made.")
    return found


def text_at(value: Json, *path: str) -> str | None:
    """Text at a path; None for anything else and for empty text."""
    found = look(value, *path)
    return found if isinstance(found, str) and found else None


def number_at(value: Json, *path: str) -> int | None:
    """A whole number at a path, written as a number or in digits; None for anything else."""
    found = look(value, *path)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 16:
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def identity_at(value: Json, *path: str) -> str:
    """An id, whether written as a number or as text. Raises LayoutChanged."""
    found = look(value, *path)
    return found if isinstance(found, str) and found else str(need(value, int, *path))


def _shown(value: dict[str, Json]) -> str:
    named = next((f"{key} {value[key]}" for key in ("id", "pid", "name", "type") if key in value), None)
    return named or "an object with " + ", ".join(sorted(value)[:6])


__all__ = ["Element", "is_xml", "parse_xml"]

# An XML declaration, or the root of an answer of BoardGameGeek's API.
BEGINS_XML = re.compile(r"\ufeff?\s*(?:<\?xml\b|<(?:thread|errors?|message)[\s>])")
DECLARES = re.compile(r"<!(?:DOCTYPE|ENTITY)\b", re.IGNORECASE)


def is_xml(text: str) -> bool:
    """True for what begins as XML; XHTML is for the HTML parser."""
    return BEGINS_XML.match(text) is not None and not re.search(r"<html[\s>]", text[:2000], re.IGNORECASE)


def parse_xml(text: str, name: str = "The answer") -> Element:
    """The root element. Raises IncompleteRead, and LayoutChanged for XML that declares entities."""
    if DECLARES.search(text):
        raise LayoutChanged(
            f"{name} declares a document type or entities, as no forum's answer does: not read."
        )
    declared = re.sub(r"^\ufeff?\s*<\?xml[^<>]*\?>", "", text)
    try:
        return fromstring(declared.strip())
    except ParseError as error:
        raise IncompleteRead(
            f"{name} ended early or is broken (XML: {error}). No count was made. "
            "Fetch or save it again, then try once more."
        ) from None
