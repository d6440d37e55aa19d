"""The command line as tests use it: run words, and list every verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner, Result

from knightfall.cli import app


def run(*words: str) -> Result:
    """What `knightfall WORDS` answers."""
    return CliRunner().invoke(app, list(words))


def _verbs(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _verbs(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


VERBS: dict[str, Any] = dict(_verbs(get_command(app)))
"""Every command by its whole name."""
