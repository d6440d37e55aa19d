"""The conform verb from files to exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from knightfall.cli.lookups import conform as command
from knightfall.errors import InputError
from knightfall.services.conform import conform

WIN = {"id": "w", "kind": "win", "game": "knight_errant", "town": 1, "mafia": 1, "sk": 0, "expected": "mafia"}


def run(*files: Path) -> tuple[int, list[str]]:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, [str(file) for file in files])
    return result.exit_code, result.stdout.splitlines()


def test_a_failed_case_makes_the_status_1(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(json.dumps(WIN) + "\n")
    bad.write_text(json.dumps({**WIN, "id": "v", "expected": "town"}))
    assert run(good) == (0, ["1 passed, 0 failed"])
    assert run(good, bad) == (1, ['v: expected "town", got "mafia"', "1 passed, 1 failed"])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"odd\.jsonl"):
        conform([odd])
    with pytest.raises(InputError, match=r"none\.jsonl"):
        conform([tmp_path / "none.jsonl"])
