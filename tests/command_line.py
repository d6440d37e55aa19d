"""The command line as tests use it: run words, and list every verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer import Context, testing
from typer.main import get_command
from typer.testing import Result

from knightfall.cli import app
from knightfall.cli.ways import in_commands
from knightfall.errors import KnightfallError


class CliRunner(testing.CliRunner):
    """A terminal: an error says its ways as it is printed there."""

    def invoke(self, *asked: Any, **given: Any) -> Result:
        """What the command line answers."""
        result = super().invoke(*asked, **given)
        if isinstance(result.exception, KnightfallError):
            result.exception.args = (at_terminal(result.exception),)
        return result


def run(*words: str) -> Result:
    """What `knightfall WORDS` answers."""
    return CliRunner().invoke(app, list(words))


def at_terminal(said: object) -> str:
    """A text or an error of ours as the terminal says it: its ways as commands."""
    return in_commands(said.message if isinstance(said, KnightfallError) else said)


def _verbs(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    context = Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if hasattr(command, "commands"):
            yield from _verbs(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


GROUP: Any = get_command(app)
"""The command line; with the names of all commands each of them is loaded."""
VERBS: dict[str, Any] = dict(_verbs(GROUP))
"""Every command by its whole name."""
