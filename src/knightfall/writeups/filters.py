"""The filters that a template may use: those of Jinja that leave nothing to chance and make no HTML.

`join`, `replace`, `string` and `format` are our own: they take no None and no whole list for a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from jinja2 import TemplateRuntimeError, pass_context
from jinja2.filters import FILTERS as OF_JINJA
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context

SAFE = (
    *("capitalize", "lower", "trim", "upper"),
    *("abs", "float", "int", "round"),
    *("d", "default", "dictsort", "groupby", "items", "map"),
    *("count", "first", "last", "length", "list", "max", "min", "reverse", "sort", "unique"),
    *("reject", "rejectattr", "select", "selectattr"),
)


def printable(value: object) -> object:
    """The value as it is printed. Raises TemplateRuntimeError for None and for a whole list."""
    if value is None:
        raise TemplateRuntimeError("it prints nothing (None)")
    if isinstance(value, list | tuple | dict):
        raise TemplateRuntimeError(f"it prints a whole {type(value).__name__}")
    return value


@pass_context
def _joined(context: Context, values: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
    chosen = map(make_attrgetter(context.environment, attribute), values) if attribute else values
    return str(d).join(_text(value) for value in chosen)


def _moment(moment: datetime) -> str:
    """An instant as our BBCode says it: the text that it stands in tells it by the clocks of its readers."""
    return f"[countdown={moment.isoformat()}][/countdown]"


def _replaced(text: object, old: str, new: str) -> str:
    return _text(text).replace(old, new)


def _formatted(pattern: str, *values: object) -> str:
    return pattern % tuple(printable(value) for value in values)


def _text(value: object) -> str:
    return str(printable(value))


FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        **{name: OF_JINJA[name] for name in SAFE},
        "moment": _moment,
        "join": _joined,
        "replace": _replaced,
        "format": _formatted,
        "string": _text,
    }
)
