"""A page that was copied in a browser, read from the clipboard by a program of this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from knightfall.cli import app, clipboard
from knightfall.cli.clipboard import html_of
from knightfall.errors import InputError, KnightfallError
from services.test_pasted import ROOT, a_board, copy_of
from web.test_paste import a_game

Says = Callable[[str, str, int], None]


@pytest.fixture
def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Says:
    """Puts a program on the PATH, which has no other one, that answers so."""
    if sys.platform == "win32":
        pytest.skip("a program of its own is no script here")
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))

    def put(name: str, text: str, status: int = 0) -> None:
        answer = programs / f"{name}.out"
        answer.write_text(f"{text}\n", encoding="utf-8")
        script = programs / name
        cat = "while IFS= read -r line; do printf '%s\\n' \"$line\"; done"
        script.write_text(f"#!/bin/sh\n{cat} < {answer}\nexit {status}\n", encoding="utf-8")
        script.chmod(0o700)

    return put


def run(folder: Path, *words: str) -> tuple[str, str, int]:
    """What a command printed, what it said beside it, and its exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = CliRunner().invoke(app, words)
    error = result.exception
    if isinstance(error, KnightfallError):
        return result.stdout, f"{result.stderr}{error.message}", error.exit_status
    assert error is None or isinstance(error, SystemExit), error
    return result.stdout, result.stderr, result.exit_code


@pytest.mark.parametrize("program", ["wl-paste", "xclip"])
def test_pages_are_counted_from_the_clipboard_one_by_one(says: Says, tmp_path: Path, program: str) -> None:
    board = a_board()
    board.posts = board.posts[:8]
    says(program, copy_of(board, 2), 0)
    _, told, status = run(tmp_path, "vc", "--from-clipboard")
    assert "Page 2 of 2 read: 3 posts, #6–8." in told
    assert "Page 1 of 2 is missing." in told
    assert status == 4
    says(program, copy_of(board, 1), 0)
    out, told, status = run(tmp_path, "vc", "--from-clipboard")
    assert "Page 1 of 2 read: 5 posts, #1–5." in told
    assert "to post 8" in out
    assert status == 0


def test_a_page_of_a_thread_of_the_game_is_kept_with_it(says: Says, tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{ROOT}viewtopic.php?t=9"))
    board = a_board()
    board.posts = board.posts[:4]
    says("xclip", copy_of(board, 1), 0)
    out, told, status = run(tmp_path / "harbour", "read", "--from-clipboard")
    assert status == 0, told
    assert "Sorrel Lane" in out
    out, _, status = run(tmp_path / "harbour", "vc", "--stored")
    assert "to post 4" in out
    out, _, status = run(tmp_path / "harbour", "vc", "--from-clipboard")
    assert "to post 4" in out
    _, told, status = run(tmp_path / "harbour", "vc", "--from-clipboard", "--again")
    assert "leave out addresses, files and --again" in told
    assert status == 2
    board.root = "https://other.example/"
    says("xclip", copy_of(board, 1), 0)
    assert (
        "is of the thread https://other.example/" in run(tmp_path / "harbour", "read", "--from-clipboard")[1]
    )


def test_no_program_no_page_and_plain_text_are_told_apart(
    says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, told, status = run(tmp_path, "vc", "--from-clipboard")
    assert "Install wl-clipboard (Wayland) or xclip (X11)" in told
    assert status == 2
    says("xclip", "", 1)
    assert "The clipboard holds no page of a browser" in run(tmp_path, "vc", "--from-clipboard")[1]
    says("xclip", "Ada wrote: vote Boro", 0)
    assert "The clipboard holds no page of a browser" in run(tmp_path, "vc", "--from-clipboard")[1]
    monkeypatch.setattr(clipboard, "PATIENCE", 0.2)
    (tmp_path / "programs" / "xclip").write_text("#!/bin/sh\nwhile :; do :; done\n", encoding="utf-8")
    with pytest.raises(InputError, match="xclip did not give the clipboard"):
        clipboard.copied_page()


@pytest.mark.parametrize(
    "said",
    [
        "<p>Élan</p>".encode(),
        "<p>Élan</p>".encode("utf-16"),
        f"«data HTML{'<p>Élan</p>'.encode().hex().upper()}»\n".encode(),
        b"Version:0.9\r\nStartHTML:00000097\r\n" + "<p>Élan</p>".encode(),
    ],
    ids=["utf-8", "utf-16", "macOS", "Windows"],
)
def test_every_clipboard_gives_the_same_html(said: bytes) -> None:
    assert html_of(said) == "<p>Élan</p>"


def test_the_clipboard_of_windows_tells_the_address() -> None:
    head = "Version:0.9\r\nStartHTML:00000097\r\nSourceURL:https://forum.example/viewtopic.php?t=9\r\n"
    assert html_of(f"{head}<html></html>".encode()) == (
        "<!-- saved from url=(0039)https://forum.example/viewtopic.php?t=9 -->\n<html></html>"
    )
