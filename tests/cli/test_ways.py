"""Whatever goes wrong, and whatever is told beside an answer, names commands at the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from command_line import run
from knightfall.sentence import Way

NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juniper", "Kestrel", "Lumen", "Moss", "Nettle", "Orrin", "Pike", "Quill", "Rook"),
)
WRONG: tuple[tuple[str, str], ...] = (
    ("activity", "--from-html FILE..."),
    ("alias Nobody Nob --why slip", ""),
    ("alias Ada Ad", "--why"),
    ("archive --public", ""),
    ("archive --out FILE", "--out FOLDER"),
    ("commit dinner", "knightfall commit"),
    ("deal", "knightfall pm roles"),
    ("doctor", ""),
    ("draw nothing-of-this Hit", ""),
    ("explain Ada --at 99", "knightfall log"),
    ("fix 9 --to Ada --ignore --why slip", "--no-elimination"),
    ("flip", "knightfall phase close"),
    ("ics", "knightfall phase open"),
    ("kill Ada --why slip", ""),
    ("log", ""),
    ("missing --at 99", "knightfall log"),
    ("missing", ""),
    ("modkill Ada", "--why"),
    ("near", "--from-jsonl FILE"),
    ("phase close", ""),
    ("phase extend day 1", "--by"),
    ("phase extend day 1 --by long", "--by cannot be used"),
    ("phase extend night 4 --by 24h", ""),
    ("phase lock day 1", ""),
    ("phase open day 1 --ends 2020-01-01T20:00", "--past"),
    ("phase open day 1 --ends 2090-01-01T20:00", "--far"),
    ("phase open day 1 --ends someday", "--ends someday"),
    ("phase stop day 1", "--why"),
    ("plot board", ""),
    ("plot votes", ""),
    ("pm show Nobody", ""),
    ("post archive", "knightfall post endgame"),
    ("post dawn", "knightfall commit night"),
    ("post endgame", "knightfall missing"),
    ("post rules --format csv", "--format"),
    ("post setup --flavour none.txt", ""),
    ("post votecount", ""),
    ("read", "--from-html FILE..."),
    ("replace Ada Boro", ""),
    ("resolve", ""),
    ("revive Ada --why slip", "knightfall roster"),
    ("rule", ""),
    ("signup decide 9 in", "--why"),
    ("signup read", ""),
    ("status", "knightfall"),
    ("submit Ada dance", ""),
    ("submit Ada no-action --at 2090-01-01T20:00", "--at"),
    ("submit", "--threads"),
    ("undo 99 --why slip", "knightfall log"),
    ("vc --stored", ""),
    ("vc --theme area --template x.j2", "--theme"),
    ("verify", ""),
    ("watch --once --every 1s", "--every 1s"),
    ("watch --once --quiet 7", "--quiet 7"),
)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game that was just dealt."""
    folder = tmp_path_factory.mktemp("dealt") / "game"
    made = run("new", "knight-errant", *NAMES, "--setup", "A1-RD", "--out", str(folder))
    assert made.exit_code == 0, made.output
    return folder


@pytest.mark.few(9)
@pytest.mark.parametrize(("line", "says"), WRONG, ids=[line for line, _ in WRONG])
def test_what_is_told_at_the_terminal_spells_every_way(
    line: str, says: str, dealt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A way that nobody spelled shows as itself.
    monkeypatch.setattr(Way, "__str__", lambda way: f"⟦{way.to}⟧")
    monkeypatch.chdir(copytree(dealt, tmp_path / "game"))
    Path("FILE").write_text("", encoding="utf-8")
    result = run(*line.split())
    said = f"{result.output}{result.exception or ''}"
    assert re.findall(r"⟦.*?⟧", said) == []
    assert says in said
