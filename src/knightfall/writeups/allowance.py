"""The allowance of one rendering of a template: how much it may take before it is stopped.

Work is counted in steps: one for each node of the template that is evaluated, one for each SHARE characters
of text that is made. A single text has a largest length. Outside a rendering, where Jinja folds constants,
only that length holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from jinja2 import TemplateRuntimeError

STEPS = 300_000
LENGTH = 200_000
SHARE = 16
HELD = 20_000
"""Values that one list of a template holds, those in its lists included."""

_left: ContextVar[list[int] | None] = ContextVar("_left", default=None)


@contextmanager
def allowance() -> Iterator[None]:
    """A fresh allowance for what is rendered inside."""
    token = _left.set([STEPS])
    try:
        yield
    finally:
        _left.reset(token)


def spend(steps: int) -> None:
    """Take so many steps. Raises TemplateRuntimeError where they are used up."""
    left = _left.get()
    if left is None:
        return
    left[0] -= steps
    if left[0] < 0:
        raise TemplateRuntimeError(f"it takes more than {STEPS} steps")


def bounded(value: object) -> object:
    """The value, its size paid for. Raises TemplateRuntimeError for a text that is too long."""
    if isinstance(value, str):
        fits(len(value))
        spend(1 + len(value) // SHARE)
    elif isinstance(value, list | tuple | dict):
        spend(1 + len(value))
    return value


def weighed(value: object, most: int = LENGTH) -> object:
    """The value, all that it holds paid for, however deep: a list that holds another one twice is compared
    twice as long. Raises TemplateRuntimeError for one that holds more than `most`."""
    waiting, held = [value], 0
    while waiting:
        one = waiting.pop()
        held += 1 + (len(one) // SHARE if isinstance(one, str) else 0)
        if held > most:
            raise TemplateRuntimeError(f"it makes a list that holds more than {most} values")
        if isinstance(one, Mapping):
            waiting += (*one.keys(), *one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
    spend(held)
    return value


def built(value: object) -> object:
    """A list, tuple or mapping that a template makes. Raises TemplateRuntimeError for one that holds too
    much."""
    return weighed(value, HELD)


def fits(length: float) -> None:
    """Raises TemplateRuntimeError where a text or a list would be longer than any may be."""
    if length > LENGTH:
        raise TemplateRuntimeError(f"it makes a text that is too long: more than {LENGTH} characters")


def counted(values: Iterable[object], steps: int = 1) -> Iterator[object]:
    """The values one by one, each paid for."""
    for value in values:
        spend(steps)
        yield value


def limited(pieces: Generator[str, None, None]) -> Iterator[str]:
    """The pieces of the text that is written, as long as there are not too many characters: the template is
    stopped where it writes one too many."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > LENGTH:
            pieces.throw(TemplateRuntimeError(f"it writes more than {LENGTH} characters"))
        yield piece
