"""How much is told beside the answer: everything as usual, nothing but errors (-q), or each step too (-v)?

The answer itself, on standard output, is always the same.
"""

from __future__ import annotations

import os
from contextvars import ContextVar
from typing import Annotated, TypeAlias

import typer

LOUDNESS = "KNIGHTFALL_LOUDNESS"
"""“quiet” or “verbose”; the same as the flags, for scripts. It is read, never written."""
QUIET, VERBOSE = "quiet", "verbose"
_CHOSEN: ContextVar[str | None] = ContextVar("_CHOSEN", default=None)
"""What the flags of this command line say; None: nothing."""
ANYWHERE = {"-q", "-v", "--debug"}
"""Flags that may stand behind the verb, too."""


def _print_version(wanted: bool) -> None:
    """Print name and version. What is installed knows it; looking it up takes a while, so only on demand."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"knightfall {version('knightfall')}")
        raise typer.Exit


Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="The answer alone, and errors.")]
Verbose: TypeAlias = Annotated[bool, typer.Option("-v", "--verbose", help="Tell each step, too.")]
Version: TypeAlias = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and end."),
]
Debug: TypeAlias = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


def globally(
    ctx: typer.Context,
    quiet: Quiet = False,
    verbose: Verbose = False,
    debug: Debug = False,  # noqa: ARG001  # main() looks for it: an error is caught there
    version: Version = False,  # noqa: ARG001  # its callback prints and ends
) -> None:
    """The assistant of people who moderate text-post games on forums."""
    if quiet or verbose:
        before = _CHOSEN.set(QUIET if quiet else VERBOSE)
        ctx.call_on_close(lambda: _CHOSEN.reset(before))


def is_quiet() -> bool:
    """Whether only the answer and errors are wanted."""
    return _loudness() == QUIET


def is_verbose() -> bool:
    """Whether each step is to be told."""
    return _loudness() == VERBOSE


def in_front(words: list[str]) -> list[str]:
    """The command line with its global flags before the verb; what stands behind `--` is text."""
    end = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:end] if word in ANYWHERE]
    return [*flags, *(word for word in words[:end] if word not in ANYWHERE), *words[end:]]


def _loudness() -> str | None:
    """What the flags say, else the environment."""
    return _CHOSEN.get() or os.environ.get(LOUDNESS)
