"""A small game folder whose journal is looked after."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import Result

from begun import copy_of
from command_line import CliRunner
from knightfall.cli import app
from knightfall.engine.journal import Journal
from knightfall.storage.ledger import Ledger

COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=text)


def court(folder: Path) -> Path:
    """A King's Court with a message, a ruling and something taken back: four entries."""
    return copy_of("a court with four entries", _court, folder)


def _court(folder: Path) -> None:
    assert run("new", "kings-court", *COURT, "--out", str(folder), "--title", "Salt Court").exit_code == 0
    game = ("--game", str(folder))
    run("submit", "Ada", "VOTE: Boro", *game)
    run("rule", "May the dead post?", "no", "--why", "as ever", *game)
    run("undo", "3", "--why", "asked again", *game)


def journal(folder: Path) -> Journal:
    ledger = Ledger.open(folder / "game.db")
    try:
        return ledger.records()
    finally:
        ledger.close()


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
