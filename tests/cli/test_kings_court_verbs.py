"""King's Court at the moderator's desk: what the command line makes of a match."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from begun import new_game
from knightfall.cli import app

COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.chdir(new_game(folder, "kings-court", *COURT, *options))


def test_garnets_are_given_at_the_start_and_changed_by_the_moderator(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(here / "court", monkeypatch, "--option", "garnets=5")
    assert "KC-01" in run("rulings", "kings-court").stdout
    assert run("submit", "Ada", "GIVE: 5 to Boro").exit_code == 0
    said = run("submit", "moderator", "garnets Boro +2\ngarnets Ada 8")
    assert said.exit_code == 0, said.output
    sheet = "".join(
        page.read_text() for page in (here / "court/private").glob("*-moderator_sheet-moderator.txt")
    )
    assert "Garnets: Ada 8, Boro 12, Cinder 5" in sheet


def test_garnets_are_a_table_in_the_game_file(here: Path) -> None:
    names = "".join(f'[[player]]\nname = "{name}"\n' for name in COURT)
    Path("match.toml").write_text(
        'schema = 1\n[game]\nkind = "kings-court"\ntitle = "Court"\n'
        f"[game.options]\ngarnets = {{ Ada = 4, Boro = 2 }}\n{names}"
    )
    made = run("new", "--from", "match.toml", "--out", "court")
    assert made.exit_code == 0, made.output
    assert "Garnets" in next((here / "court/private").glob("*-moderator_deal-moderator.txt")).read_text()
    assert run("status", "--game", "court").exit_code in (0, 2)  # the file still says what was begun
    assert run("submit", "Ada", "GIVE: 4 to Boro", "--game", "court").exit_code == 0


def test_what_is_no_balance_is_refused_with_how_it_is_written(here: Path) -> None:
    refused = run("new", "kings-court", *COURT, "--out", "court", "--option", "garnets=many")
    assert "garnets = { Ada = 5, Boro = 3 }" in str(refused.exception)
    assert list(here.iterdir()) == []


def test_the_court_is_drawn_with_who_plays_now(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(here / "court", monkeypatch)
    assert run("replace", "Kestrel", "Rook").exit_code == 0
    drawn = Path(run("plot", "board").stdout.strip())
    assert "Rook (was Kestrel)" in drawn.read_text(encoding="utf-8")


def test_the_court_is_written_in_letters_with_who_plays_now(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"5" * size)  # Ada is not the King
    play(here / "court", monkeypatch)
    assert "No round is over yet." in run("plot", "board", "--text").stdout
    assert run("replace", "Kestrel", "Rook").exit_code == 0
    for voter in ["Rook" if one == "Kestrel" else one for one in COURT]:
        assert run("submit", voter, "VOTE: Ada" if voter != "Ada" else "VOTE: Boro").exit_code == 0
    assert run("commit", "vote", "--yes").exit_code == 0
    said = run("plot", "board", "--text")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[1].split() == ["Seat", "Player", "R1"]
    assert any(line.startswith("1     Ada") and line.endswith("10 ◄") for line in lines)
    assert any("Rook (was Kestrel)" in line for line in lines)


def test_a_new_court_has_a_deadline_in_round_one_and_a_seed_for_each_attempt(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(here / "court", monkeypatch)
    opening = next((here / "court/public").glob("*-opening.txt")).read_text(encoding="utf-8")
    assert "Round 1 is open until" in opening
    assert '"seeds": "each_attempt"' in (here / "court/private/deal.json").read_text()
    assert run("fair", "verify", "private/deal.json").exit_code == 0


def test_a_refused_check_does_not_stop_the_post_of_the_next_election(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal states a rule in the words of the post; it tells nothing of who was refused."""
    play(here / "court", monkeypatch)
    assert run("submit", "Boro", "CHECK: Ada, Fen").exit_code == 3
    pages = {name: next(Path("private").glob(f"001-*-{name}.txt")) for name in COURT}
    king = next(name for name, page in pages.items() if "the King" in page.read_text()[:40])
    first, second = [name for name in COURT if name != king][:2]
    for name in COURT:
        run("submit", name, f"VOTE: {second if name == first else first}")
    done = run("commit", "vote", "--yes")
    assert done.exit_code == 0, done.exception
    assert "can check a pair" in done.stdout


def test_a_king_whose_list_names_none_of_the_tied_is_awaited(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KC-08: such a list counts as no list, so nobody may think that the King has answered."""
    play(here / "court", monkeypatch)
    pages = {name: next(Path("private").glob(f"001-*-{name}.txt")) for name in COURT}
    king = next(name for name, page in pages.items() if "the King" in page.read_text()[:40])
    one, two, other = [name for name in COURT if name != king][:3]
    assert run("submit", king, f"TIEBREAK: {other}").exit_code == 0
    for voter, target in ((king, one), (other, two)):
        assert run("submit", voter, f"VOTE: {target}").exit_code == 0
    assert run("commit", "vote", "--yes").exit_code == 0
    assert f"Missing: {king}" in run("missing").stdout
    assert f"Waiting for: {king}." in run("status").stdout
    assert run("submit", king, f"TIEBREAK: {two} > {other}").exit_code == 0
    assert "Nobody is missing" in run("missing").stdout


def test_a_commit_names_all_who_will_be_fined_whatever_else_they_sent(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(here / "court", monkeypatch, "--option", "garnets=5")
    assert run("submit", "Ada", "VOTE: Boro").exit_code == 0
    assert run("submit", "Boro", "GIVE: 1 to Ada").exit_code == 0
    assert run("submit", "Cinder", "VOTE: Cinder").exit_code == 3
    told = run("commit", "vote").stderr
    silent = told.partition("Nothing is on file from: ")[2].partition(" (")[0].split(", ")
    assert silent == [name for name in COURT if name != "Ada"]
    assert "Refused from Cinder" in told
