"""The mistakes of a first hour: each is one message that says what to do, with a link into the manual."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from knightfall import cli
from knightfall.services.manual import section

PLAYERS = ("Ada", "Boro", "Cato", "Dunya", "Edda", "Falk", "Gisla")
LOGIN = '<html><body><form action="/login"><input type="password" name="p"></form></body></html>'
SETUP = ("--tz", "UTC", "--option", "setup=Classic Newbie")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game that was dealt, and with files that are no threads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    assert ended("new", "custom-mafia", *PLAYERS, "--out", "m", *SETUP) == 0
    (tmp_path / "notes.pdf").write_bytes(b"%PDF-1.4 x")
    (tmp_path / "login.html").write_text(LOGIN, encoding="utf-8")
    (tmp_path / "posts.jsonl").write_text("{no json\n", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "game.toml").write_text('schema = 1\ntitel = "A typo"\n', encoding="utf-8")
    return tmp_path


def ended(*words: str) -> int:
    """How a command ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["knightfall", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
    return int(end.value.code or 0)


MISTAKES = {
    # what is done: (the command, what the message says, where the manual goes on)
    "no thread": ("vc", "Give the address of a thread", "moments"),
    "a file in place of an address": ("vc posts.html", "is not a web address", "moments"),
    "a file that is not there": ("vc --from-html posts.html", "cannot be read", "moments"),
    "a PDF": ("vc --from-html notes.pdf", "Save the page in your browser", "moments"),
    "a page of a login": ("vc --from-html login.html", "no thread of a forum", "symptoms"),
    "posts that are no JSON": ("vc --from-jsonl posts.jsonl", "posts.jsonl", ""),
    "a forum of this machine": ("vc http://127.0.0.1:9/viewtopic.php?t=1", "--allow-private-host", ""),
    "a board that is not known": ("vc --from-html login.html --as phbb", "Nearest: phpbb", "moments"),
    "outside the folder": ("status", "--game FOLDER", "moments"),
    "a game that is not known": ("new chess Ada Boro", "Games: knight_errant", "moments"),
    "too few players": ("new custom-mafia Ada --out x", "3 to 60 players", "moments"),
    "a folder in use": ("new knights-duty Ada Boro --out m", "Use another folder", "moments"),
    "a key with a typo": ("status --game full", "titel", ""),
    "to deal twice": ("deal --game m", "dealt already", "moments"),
    "a name of nobody": ("submit Zed kill --game m", "Players: Ada", "moments"),
    "half a name of two": ("replace Z Newt --game m", "Players: Ada", "moments"),
    "an empty message": ("submit Ada  --game m", "nothing was recorded", "moments"),
    "no thread to close by": ("phase close --game m", "names no thread", "moments"),
    "a time that there is not": ("phase open day 1 --ends 25:00 --game m", "no time of day", "symptoms"),
    "a deadline in the past": ("phase open day 1 --ends 2020-03-08T02:30 --game m", "ago", "symptoms"),
    "a flip before the day is closed": ("flip --game m", "phase close", ""),
    "to undo what there is not": ("undo 99 --game m", "1 to 1", "symptoms"),
    "a PM to nobody": ("pm show Zed --game m", "Zed", ""),
    "a word that the manual has not": ("help xyzzy", "knightfall help", ""),
}


@pytest.mark.few(4)
@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_says_what_to_do_and_where_to_read_on(
    mistake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, says, page = MISTAKES[mistake]
    capsys.readouterr()
    status = ended(*command.split(" "))
    told = capsys.readouterr().err.strip().splitlines()
    assert 1 <= status <= 7
    assert says in "\n".join(told[:-1])
    assert "Traceback" not in "\n".join(told)
    assert told[-1].startswith("More: knightfall help ")
    found = section(told[-1].removeprefix("More: knightfall help "))
    assert found.page.startswith(page)


@pytest.mark.usefixtures("table")
def test_a_word_that_is_no_command_is_answered_with_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("vote", "Ada") == 2
    assert "Did you mean 'vc'?" in capsys.readouterr().err
