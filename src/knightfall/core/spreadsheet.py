"""How does a text stand in a table for a spreadsheet, so that nobody's name is computed as a formula?"""

from __future__ import annotations

from knightfall.core.terminal import safe

_FORMULA = tuple("=+-@＝＋－＠\t")
_UNSEEN = " \u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def cell(text: str) -> str:
    """The text on one line, an apostrophe before what a spreadsheet would compute."""
    line = " ".join(safe(text).splitlines())
    return f"'{line}" if line.strip(_UNSEEN).startswith(_FORMULA) else line
