"""Where does a setup of the moderator's own wait for the sign-ups, until it is dealt?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from knightfall.app.founding.setup_table import setup_said
from knightfall.app.text_file import read_text
from knightfall.errors import SetupError
from knightfall.storage.drafts import write_draft

HALF, NAME = "private", "setup.json"


def keep_setup(folder: Path, options: Mapping[str, object]) -> None:
    """Keeps a setup that is a table, not a code: a game file has no place for it."""
    setup = options.get("setup")
    if isinstance(setup, Mapping):
        write_draft(folder, HALF, NAME, json.dumps(setup, ensure_ascii=False, indent=1) + "\n")


def own_setup(folder: Path, asked: str) -> dict[str, object]:
    """The option of the setup that is asked for, else of the one that waits; nothing where there is neither.

    Raises SetupError for a file that is no setup.
    """
    if asked:
        return {"setup": setup_said(asked)}
    waiting = folder / HALF / NAME
    return {"setup": _table(waiting)} if waiting.exists() else {}


def _table(file: Path) -> object:
    try:
        return json.loads(read_text(file))
    except ValueError as fault:
        raise SetupError(f"{file}: this is no JSON: {fault}. Or name the setup: --setup FILE.") from None
