"""What does a moderator's `--setup` mean: a name that the game knows, or a file with a setup of his own?"""

from __future__ import annotations

import tomllib
from pathlib import Path

from knightfall.app.text_file import read_text
from knightfall.errors import SetupError

SUFFIX = ".toml"


def setup_said(value: str) -> object:
    """The table of a TOML file, or the name as it was written. Raises SetupError where the file is no TOML,
    InputError where it cannot be read."""
    if not value.endswith(SUFFIX):
        return value
    try:
        return tomllib.loads(read_text(Path(value)))
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{value}: this is no TOML: {error}.") from None
