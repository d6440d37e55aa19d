"""A board as text, read and drawn.

A file of a moderator's own board begins with a line `hex` or `square`; then a line a row, each space four
characters wide: `( )` plain, `(P)` a start, `(*)` the Glory Hill. A row of hexes is shifted by two characters
against the next. Lines that begin with `#` say something to people.

    hex
      (P) ( )
    ( ) (*) ( )
      ( ) (P)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from knightfall.errors import InputError
from knightfall.games.knights_duty.board import CLANS, STEPS, Board, Cell, Grid, make_board

PLAIN, START, HILL = "( )", "(P)", "(*)"

_MARK = re.compile(r"\(.\)|\S+")
_PITCH = 4  # characters from one space to the next in its row
_HALF = 2
_MOST_ROWS, _MOST_COLUMNS = 26, 40
_FEWEST_STARTS = 2


def parse_board(text: str) -> Board:
    """A moderator's own board. Raises InputError with line and column of the first thing that is wrong."""
    grid, rows = _rows(text)
    marks = dict(_cells(grid, rows))
    starts = [cell for cell, mark in marks.items() if mark == START]
    hills = [cell for cell, mark in marks.items() if mark == HILL]
    # Raises InputError for a board nobody can play on.
    if not _FEWEST_STARTS <= len(starts) <= len(CLANS):
        raise InputError(f"The board has {len(starts)} starts {START}; expected two to six.")
    if len(hills) != 1:
        raise InputError(f"The board has {len(hills)} hills {HILL}; expected one.")
    start = hills[0]
    seen, edge = {start}, [start]
    while edge:
        q, r = edge.pop()
        beside = {Cell(q + step.q, r + step.r) for step in STEPS[grid].values()}
        new = (beside & marks.keys()) - seen
        seen |= new
        edge += new
    cut = len(marks) - len(seen)
    if cut:
        raise InputError(f"The board is in pieces: {cut} spaces cannot be reached from the hill.")
    return make_board(grid, marks, starts, hills)


def _rows(text: str) -> tuple[Grid, list[tuple[int, str]]]:
    """The grid, and each row with the number of its line."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.expandtabs().splitlines(), start=1)]
    said = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not said or said[0][1].strip().lower() not in tuple(Grid):
        found = f"“{said[0][1].strip()}”" if said else "nothing"
        raise InputError(f"The board begins with {found}; expected a line “hex” or “square”.")
    rows = said[1:]
    if not rows:
        raise InputError(f"The board has no rows; expected lines of {PLAIN}, {START} and {HILL}.")
    if len(rows) > _MOST_ROWS:
        raise InputError(f"The board has {len(rows)} rows; there are letters for {_MOST_ROWS}.")
    return Grid(said[0][1].strip().lower()), rows


def _cells(grid: Grid, rows: list[tuple[int, str]]) -> Iterator[tuple[Cell, str]]:
    """Every space with its mark."""
    # Where the first space of the first row begins.
    origin = next(len(line) - len(line.lstrip()) for _, line in rows)
    for r, (number, line) in enumerate(rows):
        for found in _MARK.finditer(line):
            mark = found[0].upper()
            if mark not in (PLAIN, START, HILL):
                raise _at(number, found.start(), f"found “{found[0]}”, expected {PLAIN}, {START} or {HILL}")
            # KD-01: q grows by one with each space to the right; a row of hexes begins half a space further
            # on.
            at = found.start()
            shift = (found.start() - origin) - (_HALF * r if grid is Grid.HEX else 0)
            if shift % _PITCH:
                between = "rows of hexes are shifted by two" if grid is Grid.HEX else "columns are four wide"
                raise _at(number, at, f"this space stands between two columns: {between}")
            if abs(shift) > _PITCH * _MOST_COLUMNS:
                raise _at(number, at, f"the board is wider than {_MOST_COLUMNS} spaces")
            yield Cell(shift // _PITCH, r), mark


def _at(number: int, at: int, what: str) -> InputError:
    return InputError(f"The board, line {number}, column {at + 1}: {what}.")


def draw_board(board: Board, standing: Mapping[str, str]) -> list[str]:
    """The board for letters of equal width: what stands on a space, else a star on the hill or a dot."""
    rows = list(board.blank)
    for name, shown in standing.items():
        row, at = ord(name[0]) - ord("A"), board.columns[name]
        rows[row] = f"{rows[row][:at].ljust(at)}{shown}{rows[row][at + len(shown) :]}"
    return rows
