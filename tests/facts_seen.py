"""Facts as the templates see them, for tests that look at one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from knightfall.engine.game import Facts


def seen(facts: Facts) -> dict[str, Any]:
    """The facts by name, rows as mappings and lists; a slot's own among what everybody sees."""
    found = _plain(facts)
    assert isinstance(found, dict)
    own = found.pop("own", None)
    return found | (own if isinstance(own, dict) else {})


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
