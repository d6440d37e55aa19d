"""A table of counts as Parquet; reading it back needs pyarrow, an extra."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.services.count.recount import Row, check_out, write_parquet

ROWS = (
    Row("east.jsonl", "Salt Harbour", 120, 2, 9, 5, (("Ada", 3), ("Boro", 1)), 97, 1),
    Row("west.jsonl", error="IncompleteRead: no post"),
)


def test_without_pyarrow_its_extra_is_named_before_anything_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"knightfall\[parquet\]"):
        check_out(tmp_path / "counts.parquet")
    check_out(tmp_path / "counts.jsonl")


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow: pip install 'knightfall[parquet]'")
def test_a_table_comes_back_from_parquet_as_it_was(tmp_path: Path) -> None:
    import pyarrow.parquet

    write_parquet(ROWS, tmp_path / "counts.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "counts.parquet")
    read = [{**row, "wagons": dict(row["wagons"])} for row in table.to_pylist()]
    assert read == [row.to_dict() for row in ROWS]
