"""How does a text get onto the screen? Every verb prints through here, whoever wrote what it prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_IN_THE_WAY: ContextVar[Callable[[], None] | None] = ContextVar("_IN_THE_WAY", default=None)
"""What takes a bar off the screen, while there is one."""


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints a text, without what would play tricks on a terminal; what goes to standard error beside the
    answer only where it is wanted."""
    from knightfall.cli.loudness import is_quiet

    if not (err and is_quiet()):
        say(text, err, nl)


def say(text: object, err: bool = False, nl: bool = True) -> None:
    """The same, however quiet it is to be: errors and questions."""
    import typer

    from knightfall.engine.safe_text import safe

    if clear := _IN_THE_WAY.get():
        clear()
    typer.echo(safe(str(text)), err=err, nl=nl)


@contextmanager
def making_way(clear: Callable[[], None]) -> Iterator[None]:
    """Within it `clear` is called before a text is printed: it takes off the screen what is drawn there."""
    before = _IN_THE_WAY.set(clear)
    try:
        yield
    finally:
        _IN_THE_WAY.reset(before)
