"""Tables in the columns of a terminal, aligned.

A count shows three plain columns and no more: for those nothing is loaded. Tables with heads, folded cells or
letters that take two columns are those of tabulate and wcwidth, which are loaded with the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

WIDTH = 80
"""Columns of a terminal: longer lines of prose are broken."""
GAP = "  "
"""Stands between two columns."""


def plain_columns(rows: Sequence[Sequence[str]]) -> str:
    """The rows with their columns below each other, all flush left; a row is a line, without blanks at its
    end."""
    cells = [[cell.strip() for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = (zip(row, widths, strict=True) for row in cells)
    padded = (GAP.join(f"{cell}{' ' * (wide - width(cell))}" for cell, wide in line) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def table(rows: Sequence[Sequence[object]], heads: Sequence[str] = (), **layout: Any) -> str:
    """A table by tabulate; `layout` are its own parameters, such as `tablefmt` and `maxcolwidths`. Numbers
    stay as they are written."""
    from tabulate import tabulate  # the loader of tables: it takes as long as a whole count

    return tabulate(rows, heads, disable_numparse=True, **layout)


def short(text: str, width: int) -> str:
    """A text cut to so many letters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def width(text: str) -> int:
    """How many columns of a terminal a text takes; letters of some scripts take two."""
    if text.isascii() and text.isprintable():
        return len(text)
    from wcwidth import wcswidth  # as above: most names and votes are written in ASCII

    return max(wcswidth(text), 0)
