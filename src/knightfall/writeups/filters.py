"""The filters that a template may use: those of Jinja whose result cannot outgrow what they are given.

`join`, `replace`, `string` and `format` are our own: they look at the size of what they make before they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import wraps
from types import MappingProxyType
from typing import Any

from jinja2 import TemplateRuntimeError, pass_context
from jinja2.filters import FILTERS as OF_JINJA
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context

from knightfall.writeups.allowance import bounded, built, counted, fits, spend, weighed

SAFE = (
    *("capitalize", "lower", "trim", "upper"),
    *("abs", "float", "int", "round"),
    *("d", "default", "dictsort", "groupby", "items", "map"),
    *("count", "first", "last", "length", "list", "max", "min", "reverse", "sort", "unique"),
    *("reject", "rejectattr", "select", "selectattr"),
)
COMPARING = frozenset(("dictsort", "groupby", "max", "min", "sort", "unique"))
CHOOSING = frozenset(("select", "reject", "selectattr", "rejectattr"))
"""These compare each value with what they are given: with a text or a number only."""
LARGEST = 10_000
"""No number given to a filter is larger, e.g. the digits to round to."""

# A width or precision in a pattern of format that is a star or has four digits: “%*d”, “%9999s”.
_WIDE = re.compile(r"\*|\d{4,}")


def printable(value: object) -> object:
    """The value as it is printed. Raises TemplateRuntimeError for None and for a whole list."""
    if value is None:
        raise TemplateRuntimeError("it prints nothing (None)")
    if isinstance(value, list | tuple | dict):
        raise TemplateRuntimeError(f"it prints a whole {type(value).__name__}")
    return bounded(value)


def _guarded(function: Callable[..., Any], compares: bool = False) -> Callable[..., Any]:
    """The filter, what it takes and gives paid for, all of it where it `compares`; marks of Jinja on the
    function stay."""

    @wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(arg, int) and abs(arg) > LARGEST for arg in (*args[1:], *kwargs.values())):
            raise TemplateRuntimeError("a number given to a filter is too large")
        spend(sum(len(arg) for arg in args if isinstance(arg, list | tuple | dict)))
        if compares:
            weighed(args)
        made = function(*args, **kwargs)
        return counted(made) if isinstance(made, Iterator) else bounded(made)

    return guarded


@pass_context
def _joined(context: Context, values: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
    """The values in a row; their length is looked at on the way."""
    chosen = map(make_attrgetter(context.environment, attribute), values) if attribute else values
    texts: list[str] = []
    total = 0
    for value in chosen:
        texts.append(str(printable(value)))
        total += len(texts[-1]) + len(d)
        fits(total)
    return str(bounded(str(d).join(texts)))


def _moment(moment: datetime) -> str:
    """An instant as our BBCode says it: the text that it stands in tells it by the clocks of its readers."""
    return f"[countdown={moment.isoformat()}][/countdown]"


def _replaced(text: object, old: str, new: str) -> str:
    whole = str(printable(text))
    fits(len(whole) + whole.count(old) * len(new))
    return str(bounded(whole.replace(old, new)))


def _formatted(pattern: str, *values: object) -> str:
    if _WIDE.search(pattern):
        raise TemplateRuntimeError("the pattern of format is too wide")
    return str(bounded(pattern % tuple(printable(value) for value in values)))


def _text(value: object) -> str:
    return str(printable(value))


@pass_context
def _spent(_context: Context, text: str, steps: int) -> str:
    """Pay for the part of a template that stands behind it; of a context, so that it is never folded."""
    spend(steps)
    return text


FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        **{name: _guarded(OF_JINJA[name], name in COMPARING) for name in SAFE},
        "moment": _moment,
        "join": _joined,
        "replace": _replaced,
        "format": _formatted,
        "string": _text,
        "counted": counted,
        "paid": weighed,
        "built": built,
        "spent": _spent,
    }
)
