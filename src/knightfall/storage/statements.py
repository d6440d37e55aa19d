"""How are rows put into a table and changed? By the names of their columns; values are never part of a
statement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import Any

from knightfall.storage.schema import Table

AMONG = "(SELECT replace(replace(value, char(1) || '2', char(0)), char(1) || '1', char(1)) FROM json_each(?))"
"""Behind IN: the texts that `among` hands over, however many there are."""

Values = Mapping[str, Any]


def among(texts: Iterable[str]) -> str:
    """The value that AMONG takes. SQLite cuts a text of JSON at a NUL, so that goes in other letters."""
    return json.dumps([text.replace("\x01", "\x011").replace("\0", "\x012") for text in texts])


def insert(connection: Connection, table: Table, row: Values) -> int:
    """Adds a row; the number that it got."""
    return int(connection.execute(_inserting(table, tuple(row)), tuple(row.values())).lastrowid or 0)


def insert_all(connection: Connection, table: Table, rows: Sequence[Values], known: str = "") -> None:
    """Adds rows, all with the same columns. `known="OR IGNORE"`: one whose key is there is no news."""
    if rows:
        names = tuple(rows[0])
        values = ([row[name] for name in names] for row in rows)
        connection.executemany(_inserting(table, names, known), values)


def update(connection: Connection, table: Table, told: Values, where: str, of: Sequence[Any]) -> None:
    """Sets columns of the rows that a condition chooses; `of` are the values for its question marks."""
    columns = ", ".join(f'"{name}" = ?' for name in told)
    connection.execute(f"UPDATE {table.name} SET {columns} WHERE {where}", (*told.values(), *of))


def _inserting(table: Table, names: Sequence[str], known: str = "") -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT {known} INTO {table.name} ({columns}) VALUES ({', '.join('?' * len(names))})"
