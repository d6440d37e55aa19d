"""What may a template do? Read plain data and write text: nothing else, and not for ever.

Jinja's immutable sandbox with a budget for each rendering: every round of a loop and every call takes a step
of it, what is written is counted, and a repeated string or a power has a largest size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, Template, TemplateRuntimeError, TemplateSyntaxError, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

STEPS = 300_000
LENGTH = 1_000_000

_steps: ContextVar[Iterator[int]] = ContextVar("_steps")


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates by `loader`; nothing undefined, no None and no whole list is ever printed."""

    intercepted_binops = frozenset({"*", "**"})

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_printable,
        )
        self.filters["counted"] = _counted

    def write(self, template: Template, data: dict[str, object]) -> str:
        """What the template writes. Raises Jinja's TemplateError, or Python's of a wrong operation."""
        spent = _steps.set(iter(range(STEPS)))
        try:
            return "".join(_limited(template.generate(data)))
        finally:
            _steps.reset(spent)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            if loop.recursive:
                raise TemplateSyntaxError("a loop cannot be recursive here", loop.lineno, name, filename)
            loop.iter = nodes.Filter(loop.iter, "counted", [], [], None, None, lineno=loop.lineno)
        return tree

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as Jinja's
        _step()
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if _size(left) * _size(right) > LENGTH:
            raise TemplateRuntimeError(f"the result of {operator} would be too large")
        return super().call_binop(context, operator, left, right)


def _counted(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        _step()
        yield value


def _step() -> None:
    if next(_steps.get(), None) is None:
        raise TemplateRuntimeError(f"it takes more than {STEPS} steps")


def _size(value: object) -> float:
    if isinstance(value, int | float):
        return max(1, abs(value))
    return max(1, len(value)) if isinstance(value, str | list | tuple) else 1


def _limited(pieces: Iterator[str]) -> Iterator[str]:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > LENGTH:
            raise TemplateRuntimeError(f"it writes more than {LENGTH} characters")
        yield piece


def _printable(value: object) -> object:
    if value is None:
        raise TemplateRuntimeError("it prints nothing (None)")
    if isinstance(value, list | tuple | dict):
        raise TemplateRuntimeError(f"it prints a whole {type(value).__name__}")
    return value
