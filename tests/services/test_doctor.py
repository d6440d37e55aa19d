"""`knightfall doctor`: what it says of pages that read, that do not, and that are of no forum."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fetch.loopback import Reply, serving
from fetch.threads import Forum, thread
from knightfall.cli import app

FORUMS = Path(__file__).parents[2] / "fixtures" / "forums"
READABLE = FORUMS / "vanilla" / "game-p1.html"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words])


def line(result: Result, name: str) -> str:
    """What stands behind a name, with its further lines."""
    lines = result.stdout.splitlines()
    start = next(index for index, text in enumerate(lines) if text.split(maxsplit=1)[0] == name)
    further = [text.strip() for text in lines[start + 1 :] if text.startswith(" ")]
    until = next((i for i, text in enumerate(lines[start + 1 :]) if not text.startswith(" ")), len(further))
    return " ".join([lines[start].removeprefix(name).strip(), *further[:until]])


def test_a_page_that_reads_is_told_in_numbers() -> None:
    result = run("--from-html", str(READABLE))
    assert result.exit_code == 0
    assert line(result, "Platform") == "vanilla (Vanilla 2.0-3.3)"
    assert line(result, "Thread") == "Fogbank Ferry [Day 1], page 1 of 2"
    assert line(result, "Posts") == "6, by 6 authors"
    assert line(result, "Times") == "6 read, 6 of them exact"
    assert line(result, "Edited") == "1"
    assert line(result, "Next").endswith("/discussion/512/x/p2")
    assert line(result, "Verdict") == "this page can be read"


def test_size_and_hash_are_of_the_file_itself() -> None:
    result = run(str(READABLE))
    assert line(result, "sha256").startswith(sha256(READABLE.read_bytes()).hexdigest())
    assert f"{READABLE.stat().st_size:,} bytes" in line(result, "Size")


def test_a_changed_layout_is_told_with_the_selector_that_finds_nothing() -> None:
    result = run(str(FORUMS / "vanilla" / "no-authors.html"))
    assert result.exit_code == 4
    assert line(result, "Boxes").startswith("3 by .ItemDiscussion, .ItemComment")
    assert line(result, "Authors").startswith("none by .Author .Username")
    assert "LayoutChanged: Found 3 post boxes but authors in 0" in line(result, "Problem")
    assert "Send us these lines" in result.stdout


@pytest.mark.parametrize(
    ("page", "status", "problem"),
    [
        ("phpbb/login.html", 6, "LoginRequired"),
        ("mtgsalvation/past-the-end.html", 0, ""),
        ("somethingawful/archived.html", 6, "AccessDenied"),
        ("none/garden.html", 4, "NotAForum"),
    ],
)
def test_the_exit_status_is_that_of_the_reason(page: str, status: int, problem: str) -> None:
    result = run(str(FORUMS / page))
    assert result.exit_code == status
    assert problem in result.stdout


def test_a_page_that_nobody_recognises_is_told_what_it_looks_like(tmp_path: Path) -> None:
    strange = READABLE.read_text(encoding="utf-8").replace('id="vanilla_', 'id="x').replace("gdn.", "no.")
    strange = strange.replace("Author", "Writer")
    plain = strange.replace("Powered by Vanilla", "").replace(
        "<meta charset", '<meta name="generator" content="Boardwalk 9">\n<meta charset'
    )
    (tmp_path / "page.html").write_text(plain, encoding="utf-8")
    result = run(str(tmp_path / "page.html"))
    assert result.exit_code == 4
    told = line(result, "Platform")
    assert told.startswith("not recognised; ")
    assert "its software says “Boardwalk 9”" in told
    assert "its marks are like vanilla's" in told
    assert "its address is like vanilla's" in told


def test_a_page_that_ended_early_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(READABLE.read_text(encoding="utf-8")[:4000], encoding="utf-8")
    result = run(str(tmp_path / "page.html"))
    assert result.exit_code == 4
    assert "IncompleteRead" in line(result, "Problem")


def test_a_page_of_the_web_is_asked_for_once_and_looked_at() -> None:
    with serving(Forum(thread(3))) as server:
        result = run(server.root + "viewtopic.php?t=5", "--allow-private-host")
        assert len(server.asked) == 1
    assert result.exit_code == 0
    assert line(result, "Platform").startswith("phpbb")
    assert "(of the text)" in line(result, "sha256")


def test_a_refusal_by_status_is_told() -> None:
    with serving(lambda _path: Reply(status=404)) as server:
        result = run(server.root + "viewtopic.php?t=5", "--allow-private-host")
    assert (result.exit_code, line(result, "Status")) == (6, "404")
    assert "TopicMissing" in line(result, "Problem")


def test_the_lines_fit_80_columns() -> None:
    for page in ("vanilla/no-authors.html", "none/garden.html", "somethingawful/game-p1.html"):
        assert max(map(len, run(str(FORUMS / page)).stdout.splitlines())) <= 80


def test_an_answer_of_an_api_is_examined_as_well(tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text('{"nothing": "known"}', encoding="utf-8")
    (tmp_path / "answer.xml").write_text("<?xml version='1.0'?><garden/>", encoding="utf-8")
    for name in ("answer.json", "answer.xml"):
        result = run(str(tmp_path / name))
        assert (result.exit_code, line(result, "Title")) == (4, "none")
