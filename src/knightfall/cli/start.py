"""How does a verb start quickly? Templates stay compiled."""

from __future__ import annotations

import os
from pathlib import Path


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
