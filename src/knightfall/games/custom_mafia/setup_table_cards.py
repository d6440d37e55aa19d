"""The cards of a table: roles with their numbers, a column for each side, or a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from knightfall.games.custom_mafia.setup_lines import (
    LONGEST_CARD,
    SIDE_WORDS,
    SetupRow,
    card_row,
    matrix_row,
    read_cards,
)
from knightfall.games.custom_mafia.setup_markup import bare
from knightfall.games.custom_mafia.setup_reading import MOST_LEFT_OUT, PostState
from knightfall.games.custom_mafia.setup_tables import PostTable
from knightfall.games.custom_mafia.setup_words import (
    AND_WAYS,
    BOTH_WAYS,
    COLUMN_WAY,
    ROW_WAY,
    side_heading,
)

_NUMBER_CELL = re.compile(r"[x×]?\s*(?P<number>\d{1,3})\s*[x×]?")
_COUNT_HEADS = re.compile(
    r"(?:number|count|amount|qty|quantity|how many|copies|total|x|n|num|cards?)\W*", re.IGNORECASE
)
_PLACE_HEADS = re.compile(r"(?:#|no\.?|nr\.?|slot|row|line|pos\.?|place|index)\W*", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:row |column |col\.? |set-?up |option |variant |die )?(?:\d{1,2}|[a-h]|[ivx]{1,4})\W?", re.IGNORECASE
)
_TOTAL = re.compile(r"(?:total|sum|players)\W*", re.IGNORECASE)


def read_table(post: PostState, table: PostTable) -> tuple[SetupRow, ...] | None:
    """The rows of a table: of counted roles, of sides side by side, or a matrix; None where it has no role,
    and its lines are read as any others."""
    width = max(len(row.cells) for row in table.rows)
    cells = [(*row.cells, *[""] * (width - len(row.cells))) for row in table.rows]
    if len(table.rows[0].cells) == width - 1:  # the corner is missing
        cells[0] = ("", *table.rows[0].cells)
    roles = [[_cell_role(cell) for cell in row] for row in cells]
    headed = not any(roles[0])
    body = range(1 if headed else 0, len(cells))
    if not body:
        return None
    share = [sum(roles[n][column] for n in body) for column in range(width)]
    named = [column for column in range(width) if share[column] * 2 >= len(body) and share[column]]
    if not named:
        return None
    line = post.line_of(table.start)
    heads = cells[0] if headed else ("",) * width
    sides = [SIDE_WORDS.get(head.casefold().strip(" :")) for head in heads]
    numbers = [
        c
        for c in range(width)
        if c not in named
        and all(_NUMBER_CELL.fullmatch(cells[n][c]) or not cells[n][c] for n in body)
        and any(cells[n][c] for n in body)
    ]
    if len(named) > 1 and any(sides[c] is not None for c in named) and not numbers:
        return tuple(_side_by_side(post, table, cells, named, sides, body))
    texts = [c for c in named if c != named[0] and any(len(cells[n][c].split()) > 5 for n in body)]
    named = [c for c in named if c not in texts]
    if len(named) > 1:
        labels = [c for c in range(width) if c not in named]
        if all(_LABEL.fullmatch(cells[n][c]) or not cells[n][c] for c in labels for n in body):
            return (_matrix(post, table, line, [[cells[n][c] for c in named] for n in body]),)
    return tuple(_counted(post, table, cells, named[0], numbers, heads, body))


def _cell_role(cell: str) -> bool:
    """Whether a cell has a role, and nothing that is in doubt."""
    if not cell or len(cell) > LONGEST_CARD or cell.isdecimal():
        return False
    row = card_row(0, 0, len(cell), cell)
    return bool(row.roles) and not row.doubt


def _side_by_side(
    post: PostState,
    table: PostTable,
    cells: Sequence[Sequence[str]],
    named: Sequence[int],
    sides: Sequence[str | None],
    body: Iterable[int],
) -> Iterator[SetupRow]:
    """A column for each side."""
    for n in body:
        row = table.rows[n]
        for column in named:
            if cells[n][column]:
                for one in read_cards(post.line_of(row.start), 0, cells[n][column], sides[column] or ""):
                    yield replace(one, start=row.start, end=row.end)


def _matrix(post: PostState, table: PostTable, line: int, grid: list[list[str]]) -> SetupRow:
    typed = " / ".join(", ".join(row) for row in grid)
    empty = SetupRow(line, table.start, table.end, typed[:MOST_LEFT_OUT])
    around = bare(post.plain)
    written = f"of: {{{typed}}}"
    ways = (
        ("row or column",)
        if BOTH_WAYS.search(around)
        else ()
        if AND_WAYS.search(around)
        else ("row",)
        if ROW_WAY.search(around) and not COLUMN_WAY.search(around)
        else ("column",)
        if COLUMN_WAY.search(around) and not ROW_WAY.search(around)
        else ()
    )
    if ways:
        return matrix_row(empty, grid, ways[0])
    trial = matrix_row(empty, grid, "row")
    if trial.doubt:
        return trial
    square = len(grid) == len(grid[0])
    told = "A matrix: nothing says what is dealt of it, one row, one column, or one of either."
    choices = ("row or column", "row", "column") if square else ("row", "column")
    return replace(empty, doubt=told, choices=tuple(f"one {way} {written}" for way in choices))


def _counted(
    post: PostState,
    table: PostTable,
    cells: Sequence[Sequence[str]],
    role: int,
    numbers: Sequence[int],
    heads: Sequence[str],
    body: range,
) -> Iterator[SetupRow]:
    """A role in each row, with how many there are of it and its side, where the table says so."""
    side_columns = [
        c
        for c in range(len(heads))
        if c != role
        and any(cells[n][c] for n in body)
        and all(cells[n][c].casefold() in SIDE_WORDS or not cells[n][c] for n in body)
    ]
    counts = [
        c for c in numbers if not (_PLACE_HEADS.fullmatch(heads[c]) and _in_order(cells[n][c] for n in body))
    ]
    told = [c for c in counts if _COUNT_HEADS.fullmatch(heads[c])]
    count = told[0] if told else counts[0] if counts else -1
    said = [cells[n][count] for n in body if count >= 0]
    if count >= 0 and not told and count < role and len(said) > 2 and _in_order(said):
        typed = ", ".join(f"{cells[n][count]} {cells[n][role]}" for n in body)
        asked = "Do the numbers 1, 2, 3 … say how many there are of each, or do they only number the lines?"
        choices = (typed, ", ".join(f"1 {cells[n][role]}" for n in body))
        yield SetupRow(post.line_of(table.start), table.start, table.end, typed, doubt=asked, choices=choices)
        return
    if body.start:
        head = table.rows[0]
        yield SetupRow(
            post.line_of(head.start),
            head.start,
            head.end,
            " | ".join(head.cells),
            remark="A heading, no card.",
        )
    side = ""
    for n in body:
        row, name = table.rows[n], cells[n][role]
        line = post.line_of(row.start)
        own, _ = side_heading(name)
        if not name and not any(cells[n]):
            continue
        if _TOTAL.fullmatch(name) and count >= 0:
            match = _NUMBER_CELL.fullmatch(cells[n][count])
            if match:
                total = SetupRow(
                    line, row.start, row.end, " | ".join(row.cells), remark="Left out: no cards."
                )
                post.numbers.append((int(match["number"]), total))
                yield total
            continue
        if own is not None and (count < 0 or not cells[n][count]):
            side = own
            continue
        where = next((SIDE_WORDS[cells[n][c].casefold()] for c in side_columns if cells[n][c]), side)
        number = _NUMBER_CELL.fullmatch(cells[n][count]) if count >= 0 and cells[n][count] else None
        if count >= 0 and number is None:
            told_why = "The table says no number of this role."
            yield SetupRow(line, row.start, row.end, name, doubt=told_why, choices=(f"1 {name}",))
            continue
        typed = f"{number['number']} {name}" if number else name
        for one in read_cards(line, 0, typed, where):
            yield replace(one, start=row.start, end=row.end)


def _in_order(said: Iterable[str]) -> bool:
    """Whether numbers only number the lines: 1, 2, 3."""
    return all(one.strip(" .)") == str(number) for number, one in enumerate(said, start=1))
