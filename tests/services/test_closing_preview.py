"""`resolve`, `why` and `whatif` in a game that is no mafia: what closing leads to, without closing it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app

COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Round 1 of a court in which Ada voted for Boro and Boro for Ada; the other nine were silent."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"5" * size)  # neither Ada nor Boro is King
    made = run("new", "kings-court", *COURT, "--out", str(tmp_path / "court"))
    assert made.exit_code == 0, made.output
    monkeypatch.chdir(tmp_path / "court")
    for name, text in (("Ada", "VOTE: Boro"), ("Cinder", "VOTE: Boro"), ("Boro", "VOTE: Ada")):
        assert run("submit", name, text).exit_code == 0
    return tmp_path / "court"


@pytest.mark.usefixtures("court")
def test_resolve_tells_what_closing_leads_to_and_writes_nothing() -> None:
    before = run("log").stdout
    told = run("resolve").stdout
    assert "Nothing was written" in told and "joins the court" in told
    assert run("log").stdout == before
    closed = run("commit", "vote", "--yes", "--why", "a test")
    assert closed.exit_code == 0, closed.output
    result = closed.stdout.partition("Next deadline")[0]  # which is counted from the closing
    assert result in told
    again = run("resolve", "--night", "1").stdout
    assert result in again and "as it was closed" in again


@pytest.mark.usefixtures("court")
def test_why_tells_what_stands_what_is_told_and_where_a_player_is_named() -> None:
    told = run("why", "Boro").stdout
    assert "Boro sent: VOTE: Ada." in told
    assert "About Boro: Boro joins the court" in told
    silent = run("why", "Kestrel").stdout
    assert "Kestrel sent nothing (no vote in this round, and a fine of 1 garnet)." in silent


@pytest.mark.usefixtures("court")
def test_whatif_shows_the_lines_that_change() -> None:
    told = run("whatif", "remove Cinder", "add Dusk: VOTE: Ada", "add Elm: VOTE: Ada").stdout
    assert "+ Ada joins the court" in told and "- Boro joins the court" in told
    assert run("whatif", "add Ada: VOTE: Boro").stdout == "Nothing changes.\n"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("swap Ada", "Expected “add NAME: LINE”"),
        ("add Ada: VOTE: Nobody", "was refused"),
        ("remove Kestrel", "has sent nothing like that"),
        ("remove moderator", "is you"),
        ("set kc_99 = 1", "kc_99"),
    ],
)
@pytest.mark.usefixtures("court")
def test_an_edit_that_cannot_be_is_refused_with_why(edit: str, says: str) -> None:
    assert says in str(run("whatif", edit).exception)
