"""How the command line ends: with a sentence and a status, and a traceback only where it is asked for."""

import sys
from collections.abc import Callable

import pytest

from knightfall import cli
from knightfall.errors import IncompleteRead


def failing(error: Exception) -> Callable[..., Callable[[], None]]:
    """Instead of the command line: one that ends with this error."""

    def fail() -> None:
        raise error

    return lambda *_: fail


def ended(monkeypatch: pytest.MonkeyPatch, error: Exception, *words: str) -> int:
    monkeypatch.setattr(cli, "command_line", failing(error))
    monkeypatch.setattr(sys, "argv", ["knightfall", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(str(end.value.code))


def test_an_error_of_ours_ends_with_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, IncompleteRead("Page 2 is missing.")) == 4
    assert capsys.readouterr().err == "knightfall: Page 2 is missing.\n"


def test_a_bug_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, KeyError("nobody")) == 1
    said = capsys.readouterr().err
    assert "fault of ours" in said
    assert "KeyError: 'nobody'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("error", [IncompleteRead("Page 2 is missing."), KeyError("nobody")])
def test_debug_shows_the_error_itself(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(cli, "command_line", failing(error))
    monkeypatch.setattr(sys, "argv", ["knightfall", "--debug"])
    with pytest.raises(type(error)):
        cli.main()
