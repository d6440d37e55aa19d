"""`knightfall completion`: how does a shell complete our verbs and options?"""

from __future__ import annotations

import os
from typing import Annotated

import typer

from knightfall.cli.screen import echo

VARIABLE = "_KNIGHTFALL_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print what makes your shell complete verbs and options. Example: knightfall completion bash

    For this session: eval "$(knightfall completion bash)"; for good, write it where your shell looks:
    knightfall completion fish > ~/.config/fish/completions/knightfall.fish
    """
    from typer._completion_shared import get_completion_script

    from knightfall.errors import InputError

    if shell not in SHELLS:
        raise InputError(f"“{shell}” is no shell that we know; expected one of {', '.join(SHELLS)}.")
    echo(get_completion_script(prog_name="knightfall", complete_var=VARIABLE, shell=shell))


def when_asked() -> None:
    """Makes ready to answer a shell that completes; nothing at all at any other start."""
    if VARIABLE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
