"""Which characters did a board turn into a smiley picture?

Boards replace `:D` inside a player's name too; the stock packs of phpBB, vBulletin and SMF name their
picture files alike.
"""

from __future__ import annotations

import re

_STOCK = {
    "biggrin": ":D",
    "cheesy": ":D",
    "smile": ":)",
    "smiley": ":)",
    "frown": ":(",
    "sad": ":(",
    "wink": ";)",
    "tongue": ":p",
    "razz": ":p",
    "redface": ":o",
    "surprised": ":o",
    "mad": ":x",
    "cool": "8)",
    "neutral": ":|",
}
_FILE = re.compile(r"(?:^|/)(?:icon_)?([a-z]+)\.\w+$")


def smiley(source: str) -> str | None:
    """The characters behind a stock smiley's picture URL, None for any other picture."""
    name = _FILE.search(source)
    return _STOCK.get(name.group(1)) if name else None
