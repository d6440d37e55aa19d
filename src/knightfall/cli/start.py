"""How does a verb start quickly? The others are not made ready, and templates stay compiled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import copy
from pathlib import Path

import typer


def only(app: typer.Typer, words: Sequence[str]) -> typer.Typer:
    """The command line with the verb that is asked for; all of it where that is none of ours."""
    verb = next((word for word in words if not word.startswith("-")), None)
    commands = [command for command in app.registered_commands if command.name == verb]
    groups = [group for group in app.registered_groups if group.name == verb]
    if not commands and not groups:
        return app
    small = copy(app)
    small.registered_commands, small.registered_groups = commands, groups
    return small


def compiled_templates() -> Path | None:
    """Where templates of ours stay once they are compiled: in your cache folder, readable by you alone; None
    where there cannot be one."""
    from platformdirs import user_cache_path

    folder = user_cache_path("knightfall") / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
