"""How much is told beside the answer: everything as usual, nothing but errors (-q), or each step too (-v)?

The answer itself, on standard output, is always the same.
"""

from __future__ import annotations

import os
from typing import Annotated, TypeAlias

import typer

LOUDNESS = "KNIGHTFALL_LOUDNESS"
"""“quiet” or “verbose”; the same as the flags, for scripts."""
QUIET, VERBOSE = "quiet", "verbose"
ANYWHERE = {"-q", "-v", "--debug"}
"""Flags that may stand behind the verb, too."""

Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="The answer alone, and errors.")]
Verbose: TypeAlias = Annotated[bool, typer.Option("-v", "--verbose", help="Tell each step, too.")]
Debug: TypeAlias = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


def globally(
    ctx: typer.Context,
    quiet: Quiet = False,
    verbose: Verbose = False,
    debug: Debug = False,  # noqa: ARG001  # main() looks for it: an error is caught there
) -> None:
    """The assistant of people who moderate text-post games on forums."""
    before = os.environ.get(LOUDNESS)
    if quiet or verbose:
        os.environ[LOUDNESS] = QUIET if quiet else VERBOSE
        ctx.call_on_close(lambda: _back(before))


def is_quiet() -> bool:
    """Whether only the answer and errors are wanted."""
    return os.environ.get(LOUDNESS) == QUIET


def is_verbose() -> bool:
    """Whether each step is to be told."""
    return os.environ.get(LOUDNESS) == VERBOSE


def in_front(words: list[str]) -> list[str]:
    """The command line with its global flags before the verb; what stands behind `--` is text."""
    end = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:end] if word in ANYWHERE]
    return [*flags, *(word for word in words[:end] if word not in ANYWHERE), *words[end:]]


def _back(before: str | None) -> None:
    if before is None:
        os.environ.pop(LOUDNESS, None)
    else:
        os.environ[LOUDNESS] = before
