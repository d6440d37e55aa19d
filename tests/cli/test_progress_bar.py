"""How far is it? A bar on a terminal, out of the way of every text; and which verbs tell."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.cli import terminal as context
from knightfall.cli.terminal import LOUDNESS, QUIET, echo
from knightfall.services.session import Progress

ROOT = Path(__file__).parents[2]
PAGES = tuple(str(ROOT / "fixtures" / "demo" / f"thread-p{number}.html") for number in (1, 2, 3))


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error, as it is captured in this test, takes itself for one."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")


def left_on_screen(written: str) -> list[str]:
    """The lines that a terminal shows in the end: it knows carriage return, new line, cursor up, erase."""
    lines, row, column = [""], 0, 0
    for part in re.split(r"(\r|\n|\x1b\[\??\d*(?:;\d+)*[A-Za-z])", written):
        if part == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif part == "\r":
            column = 0
        elif part.endswith("A") and part.startswith("\x1b"):
            row -= 1
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith("\x1b"):
            lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + len(part) :]
            column += len(part)
    return [line.rstrip() for line in lines if line.strip()]


def test_the_bar_shows_what_is_done_and_is_gone_in_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch)
    with context.bar_of("Taking messages in") as progress:
        assert progress is not None
        progress(3, 4)
    written = capsys.readouterr().err
    assert "Taking messages in" in written
    assert "75%" in written
    assert left_on_screen(written) == []


def test_a_text_takes_the_place_of_the_bar_until_the_next_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch)
    with context.bar_of("Reading pages") as progress:
        assert progress is not None
        for number in (1, 2):
            progress(number, 2)
            echo(f"{number} taken", err=True)
    echo("Done.", err=True)
    assert left_on_screen(capsys.readouterr().err) == ["1 taken", "2 taken", "Done."]


def test_the_time_left_makes_way_for_a_text_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch)
    with context.countdown() as left:
        assert left is not None
        left(90.0)
        echo("The deadline was moved.", err=True)
        left(60.0)
    assert left_on_screen(capsys.readouterr().err) == ["The deadline was moved."]


@pytest.mark.parametrize(("term", "loudness"), [("xterm-256color", QUIET), ("dumb", "")])
def test_no_bar_where_it_is_to_be_quiet_or_nothing_can_be_drawn(
    term: str, loudness: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv(LOUDNESS, loudness)
    with context.bar_of("Reading pages") as progress:
        assert progress is None
    assert capsys.readouterr().err == ""


# -- who tells how far it is -------------------------------------------------------------------------


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In the folder of a begun game: answers of a form, saved PMs, an export, and a post that went out."""
    names = [f"P{number}" for number in range(1, 12)]
    run("new", "kings-court", *names, "--out", str(tmp_path / "court"))
    monkeypatch.chdir(tmp_path / "court")
    run("post", "rules", "--posted")
    run("export", "../court.jsonl")
    with Path("form.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("Player", "Action"), ("P1", "VOTE: P2"), ("P2", "VOTE: P1")])
    with Path("pms.csv").open("w", newline="") as file:
        head = ("Date", "Title", "From", "To", "Message")
        csv.writer(file).writerows([head, ("2026-11-25 12:00", "Vote", "P3", "Wren", "VOTE: P1")])
    return tmp_path


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[tuple[int, int]]]:
    """What each bar was told."""
    bars: dict[str, list[tuple[int, int]]] = {}

    @contextmanager
    def bar(what: str) -> Iterator[Progress]:
        bars[what] = []
        yield lambda done, all_: bars[what].append((done, all_))

    monkeypatch.setattr(context, "bar_of", bar)
    return bars


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "bar", "steps"),
    [
        (("submit", "--from-form", "form.csv"), "Reading messages", [(1, 2), (2, 2)]),
        (("submit", "--from-pms", "pms.csv"), "Reading messages", [(1, 1)]),
        (("import", "../court.jsonl"), "Checking entries", [(1, 2), (2, 2)]),
        (("verify",), "Checking posts", [(1, 1)]),
        (("read", "--from-html", *PAGES), "Reading pages", [(1, 3), (2, 3), (3, 3)]),
        (("vc", "--from-html", *PAGES), "Reading pages", [(1, 3), (2, 3), (3, 3)]),
        (("conform", *["../cases.jsonl"] * 2), "Running cases", [(1, 2), (2, 2)]),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) and isinstance(value[0], str) else "",
)
def test_what_may_take_long_tells_how_far_it_is(
    words: tuple[str, ...],
    bar: str,
    steps: list[tuple[int, int]],
    court: Path,
    told: dict[str, list[tuple[int, int]]],
) -> None:
    (court / "cases.jsonl").write_text("")
    result = run(*words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert told == {bar: steps}
