"""Facts as the templates see them, for tests that look at one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from knightfall.engine.game import Facts


def seen(facts: Facts) -> dict[str, Any]:
    """The facts by name, rows as mappings too."""
    if is_dataclass(facts) and not isinstance(facts, type):
        return asdict(facts)
    assert isinstance(facts, Mapping)
    return dict(facts)
