"""Habits of every verb: help with an example, one spelling for one meaning, quiet and loud, statuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import VERBS, run
from knightfall import cli, errors
from knightfall.cli.terminal import LOUDNESS, in_front

RUN = [
    sys.executable,
    "-c",
    "import sys; sys.argv[0] = 'knightfall'; from knightfall.cli import main; main()",
]

SPELLINGS = {
    option: parameter.name
    for command in VERBS.values()
    for parameter in command.params
    if parameter.param_type_name == "option"
    for option in parameter.opts
}


def test_every_verbs_help_has_an_example_of_it() -> None:
    for name, verb in VERBS.items():
        assert f"Example: knightfall {name}" in (verb.help or "").replace("\n    ", "\n")


@pytest.mark.parametrize(
    ("meant", "others"),
    [
        ("--game", ("--folder", "--game-file", "--dir")),
        ("--as", ("--dialect", "--format-as", "--to-dialect")),
        ("--copy", ("--clipboard", "--clip")),
        ("--at", ("--as-of", "--when", "--moment", "--post-number")),
        ("--day", ("--day-number", "--phase-day")),
        ("--json", ("--as-json", "--to-json", "--output-json")),
        ("--why", ("--reason", "--because", "--comment")),
        ("--allow-leak", ("--leak", "--allow-secret")),
        ("--stored", ("--offline", "--cached", "--kept")),
        ("--from-html", ("--html", "--saved")),
        ("--from-jsonl", ("--jsonl", "--from-json")),
        ("--tz", ("--timezone", "--zone")),
        ("--players", ("--names", "--player")),
        ("--option", ("--set", "--rule-option")),
    ],
)
def test_one_meaning_has_one_spelling(meant: str, others: tuple[str, ...]) -> None:
    assert meant in SPELLINGS
    assert [other for other in others if other in SPELLINGS] == []


MANY = {
    "--at": {"at", "begins"},
    "--json": {"as_json"},
    "--as": {"dialect"},
    "--game": {"game", "folder"},
    "--why": {"why"},
    "--stored": {"stored"},
}


@pytest.mark.parametrize("option", sorted(MANY))
def test_one_spelling_has_one_meaning(option: str) -> None:
    """The same parameter behind the same option, whatever the verb."""
    names = {
        parameter.name
        for command in VERBS.values()
        for parameter in command.params
        if parameter.param_type_name == "option" and option in parameter.opts
    }
    assert names <= MANY[option]


FLAGS = ("--json", "--stored", "--from-html", "--from-jsonl", "--allow-private-host", "--draft")


def test_a_switch_never_takes_a_value() -> None:
    taking = [
        (name, option)
        for name, verb in VERBS.items()
        for parameter in verb.params
        for option in parameter.opts
        if option in FLAGS and not parameter.is_flag
    ]
    assert taking == []


# -- quiet and loud ----------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of two that was begun, in whose folder we stand, with two posts of a thread beside it."""
    run("new", "knight-fight", "Ada", "Boro", "--out", str(tmp_path / "bout"))
    monkeypatch.chdir(tmp_path / "bout")
    said = [
        {
            "number": 1,
            "id": "1",
            "user": "Wren",
            "content": "Players:<br>1. Ada<br>2. Boro<br>3. Fen<br>4. Elm<br>5. Dusk",
        },
        {"number": 2, "id": "2", "user": "Ada", "content": "<b>Vote: Boro</b>"},
    ]
    (tmp_path / "posts.jsonl").write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    return tmp_path


COUNT = ("vc", "../posts.jsonl", "--from-jsonl")


@pytest.mark.usefixtures("here")
def test_quiet_leaves_the_answer_alone_and_what_was_set_before(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, quiet = run(*COUNT), run("-q", *COUNT)
    assert usual.stdout == quiet.stdout != ""
    assert str(usual.exception) == str(quiet.exception)
    assert "Read posts 1–2" in usual.stderr
    assert quiet.stderr == ""
    assert LOUDNESS not in os.environ
    monkeypatch.setenv(LOUDNESS, "quiet")
    assert run(*COUNT).stderr == ""


def test_verbose_tells_each_step(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from knightfall.cli.terminal import real_session
    from knightfall.forums.base import Request

    for loud, told in (("", 0), ("verbose", 1)):
        monkeypatch.setenv(LOUDNESS, loud)
        with pytest.raises(errors.InputError):
            real_session(None, allow_private=False).fetch.get(Request("ftp://forum.example/x"))
        assert capsys.readouterr().err.count("Asking for ftp://forum.example/x") == told


def test_global_flags_may_stand_anywhere_but_behind_a_double_dash() -> None:
    assert in_front(["vc", "-q", "x", "--debug", "--", "-v"]) == ["-q", "--debug", "vc", "x", "--", "-v"]
    assert in_front(["watch", "--quiet", "23:00-07:00"]) == ["watch", "--quiet", "23:00-07:00"]


def test_no_colour_is_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from knightfall.cli.terminal import bar_of

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    with bar_of("Reading pages") as progress:
        assert progress is not None
        progress(1, 2)
    assert "\x1b[3" not in capsys.readouterr().err.replace("\x1b[39m", "")


# -- completion, start-up, errors --------------------------------------------------------------------


def test_a_shell_completes_verbs_and_options() -> None:
    asked = {"_KNIGHTFALL_COMPLETE": "complete_bash", "COMP_WORDS": "knightfall phase ", "COMP_CWORD": "2"}
    done = subprocess.run(RUN, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert {"open", "extend", "lock", "close"} <= set(done.stdout.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(shell: str) -> None:
    script = run("completion", shell).stdout
    assert f"_KNIGHTFALL_COMPLETE=complete_{shell}" in script
    assert "knightfall" in script


def test_another_shell_is_told_which_there_are() -> None:
    assert "expected one of bash, zsh, fish" in str(run("completion", "tcsh").exception)


HEAVY = (
    "sqlite3",
    "pydantic",
    "requests",
    "jinja2",
    "lxml",
    "bs4",
    "knightfall.games",
    "knightfall.services.session",
)


def test_help_starts_without_anything_heavy() -> None:
    code = f"import sys; import knightfall.cli; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


ERRORS = sorted(
    (value for value in vars(errors).values() if isinstance(value, type)), key=lambda value: value.__name__
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_ends_with_its_status_and_a_sentence_however_quiet(
    error: type[errors.KnightfallError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(args: list[str]) -> None:
        assert args == ["-q", "vc"]
        raise error("Something is so. Do that.")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(sys, "argv", ["knightfall", "vc", "-q"])
    monkeypatch.setenv(LOUDNESS, "quiet")
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == error.exit_status
    said = capsys.readouterr().err
    assert said == "knightfall: Something is so. Do that.\n"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("games",), 0),
        (("fair", "verify", "private/deal.json", "--published", "00"), 1),
        (("vc", "nowhere.html", "--from-html"), 2),
        (("no-such-verb",), 2),
        (("undo", "--nonsense"), 2),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_verb_ends_with_the_status_of_the_readme(words: tuple[str, ...], status: int) -> None:
    found = run(*words)
    assert getattr(found.exception, "exit_status", found.exit_code) == status
