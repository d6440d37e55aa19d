"""How the command line ends: with a sentence and a status, and a traceback only where it is asked for."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from command_line import run
from knightfall import cli
from knightfall.cli.terminal import in_front
from knightfall.errors import IncompleteRead
from knightfall.services.manual import section_of_error


def failing(error: Exception) -> Callable[[list[str]], None]:
    """Instead of the command line: one that ends with this error."""

    def fail(args: list[str]) -> None:
        assert args == in_front(sys.argv[1:])
        raise error

    return fail


def ended(monkeypatch: pytest.MonkeyPatch, error: Exception, *words: str) -> int:
    monkeypatch.setattr(cli, "app", failing(error))
    monkeypatch.setattr(sys, "argv", ["knightfall", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(str(end.value.code))


def test_an_error_of_ours_ends_with_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, IncompleteRead("Page 2 is missing.")) == 4
    said, more = capsys.readouterr().err.splitlines()
    assert said == "knightfall: Page 2 is missing."
    assert more == f"More: knightfall help {section_of_error(IncompleteRead).name}"


@pytest.mark.parametrize("words", [("vc", "--json"), ("-q", "vc")])
def test_a_program_and_whoever_wants_it_quiet_get_the_error_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert ended(monkeypatch, IncompleteRead("Page 2 is missing."), *words) == 4
    assert capsys.readouterr().err == "knightfall: Page 2 is missing.\n"


def test_a_bug_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, KeyError("nobody")) == 1
    said = capsys.readouterr().err
    assert "bug in Knightfall" in said
    assert "KeyError: 'nobody'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("error", [IncompleteRead("Page 2 is missing."), KeyError("nobody")])
def test_debug_shows_the_error_itself(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(cli, "app", failing(error))
    monkeypatch.setattr(sys, "argv", ["knightfall", "--debug"])
    with pytest.raises(type(error)):
        cli.main()


def test_the_version_is_told_by_the_flag_and_by_the_module() -> None:
    module = [sys.executable, "-m", "knightfall", "--version"]
    done = subprocess.run(module, capture_output=True, text=True, check=True)
    assert done.stdout == run("--version").stdout == "knightfall 0.2.0\n"


def test_neither_the_words_nor_the_environment_are_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["knightfall", "games", "-q"]
    monkeypatch.setattr(sys, "argv", list(words))
    before = dict(os.environ)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    assert sys.argv == words
    assert dict(os.environ) == before
