"""The command line as tests use it: run words, and list every verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.cli.ways import in_commands
from knightfall.errors import KnightfallError


def run(*words: str) -> Result:
    """What `knightfall WORDS` answers; an error says its ways as the terminal does."""
    result = CliRunner().invoke(app, list(words))
    if isinstance(result.exception, KnightfallError):
        result.exception.args = (in_commands(result.exception.message),)
    return result


def _verbs(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _verbs(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


VERBS: dict[str, Any] = dict(_verbs(get_command(app)))
"""Every command by its whole name."""
