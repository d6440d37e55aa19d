"""What the moderator answered once about a day of a thread without a game file holds in every verb."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from command_line import CliRunner
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.errors import InputError

SAID = [
    ("Wren", "Welcome to the mill."),
    ("Ada", "Good evening."),
    ("Boro", "<b>Vote: Gale</b>"),
    ("Cinder", "<b>Vote: Gale</b>"),
    ("Dusk", "Rain again."),
    ("Elm", "<b>Vote: Ada</b>"),
    ("Fen", "<b>Vote: Ada</b>"),
    ("Ada", "<b>Vote: Elm</b>"),
]
ANSWER = ("--day", "2", "--opened", "6", "--alive", "Ada, @Dusk, Elm, Fen, Hollis")


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a thread that opens no second day."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(SAID)])) as server:
        yield server.root + "viewtopic.php?t=5"


def run(verb: str, *words: str) -> Result:
    return CliRunner().invoke(app, [verb, *words, "--allow-private-host"])


def test_an_answer_is_asked_for_once_and_holds_in_every_verb(mill: str) -> None:
    before = run("vc", mill)
    assert "Votecount 1" in before.stdout
    assert "E-" not in before.stdout
    assert "More may play than have posted so far." in before.stderr
    told = run("vc", mill, *ANSWER)
    assert told.exit_code == 0, told.output
    assert "With 5 alive, it takes 3" in told.stdout
    again = run("vc", mill)
    assert again.stdout == told.stdout
    assert "Players: the 5 whom you named as alive; Hollis did not post yet." in again.stderr
    listed = run("roster", mill)
    assert "Hollis" in listed.stdout
    assert "Boro" not in listed.stdout
    drawn = run("plot", "wagons", mill, "--text").stdout
    assert "Elm" in drawn
    assert "Boro" not in drawn
    silent = run("activity", mill)
    assert "Hollis" in silent.stdout
    assert "Boro" not in silent.stdout
    assert "Ada: 2 of 3" in run("explain", "Ada", mill).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (ANSWER[2:], "Say which day --opened and --alive are about: --day N"),
        (("--day", "2", "--opened", "noon"), "noon"),
    ],
)
def test_an_answer_that_cannot_be_kept_says_so(mill: str, words: tuple[str, ...], says: str) -> None:
    refused = run("vc", mill, *words)
    assert isinstance(refused.exception, InputError)
    assert says in str(refused.exception)
