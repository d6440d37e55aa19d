"""The icon on the desktop, for three systems, and that it harms no file which is not ours."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.services import desktop_icon as icons
from knightfall.services.desktop_icon import MARK, desktop_icon, icon_told, write_icon

ODD = "/opt/My Games/a \"b\" $c `d` 100% \\ é 'f'"
WINDOWS = (r"C:\Program Files\Python\python.exe", r"D:\Spiele für uns\100% Mafia")


def exec_words(text: str) -> list[str]:
    """The words of the key Exec, read as its specification says."""
    line = next(line for line in text.splitlines() if line.startswith("Exec="))
    as_text = line.removeprefix("Exec=").replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")
    words, word, inside, signs = list[str](), "", False, iter(as_text)
    for sign in signs:
        if sign == '"':
            inside = not inside
            if not inside:
                words.append(word)
                word = ""
        elif inside:
            word += next(signs) if sign == "\\" else sign
    return [word.replace("%%", "%") for word in words]


@pytest.mark.parametrize("games", ["/home/ada/Documents/Knightfall", ODD, "/tmp/a\nExec=rm"])
def test_linux_starts_exactly_this_python_and_this_folder(games: str) -> None:
    icon = desktop_icon("linux", f"{ODD}/python3", games)
    assert (icon.name, icon.mode) == ("Knightfall.desktop", 0o700)
    assert exec_words(icon.text) == [f"{ODD}/python3", "-P", "-m", "knightfall", "web", games]
    lines = icon.text.splitlines()
    assert lines[0] == "[Desktop Entry]"
    assert sum(line.startswith("Exec=") for line in lines) == 1
    assert {"Type=Application", "Name=Knightfall", "Terminal=true", f"# {MARK}"} <= {*lines}


@pytest.mark.parametrize("games", ["/Users/ada/Documents/Knightfall", ODD])
def test_macos_runs_it_by_sh(games: str) -> None:
    icon = desktop_icon("darwin", f"{ODD}/python3", games)
    assert (icon.name, icon.mode) == ("Knightfall.command", 0o700)
    first, mark, last = icon.text.splitlines()
    assert (first, mark) == ("#!/bin/sh", f"# {MARK}")
    assert shlex.split(last) == ["exec", f"{ODD}/python3", "-P", "-m", "knightfall", "web", games]


def test_windows_has_its_line_ends_its_quotes_and_utf_8() -> None:
    icon = desktop_icon("win32", *WINDOWS)
    assert icon.name == "Knightfall.cmd"
    assert icon.text.count("\r\n") == icon.text.count("\n")
    lines = icon.text.split("\r\n")
    # What is not ASCII stands behind the line that says how the file is read.
    assert lines[:3] == ["@echo off", "chcp 65001 >nul", f"rem {MARK}"]
    assert lines[3] == (
        r'"C:\Program Files\Python\python.exe" "-P" "-m" "knightfall" "web" "D:\Spiele für uns\100%% Mafia"'
    )


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_it_is_written_again_in_the_place_of_an_older_one(system: str, tmp_path: Path) -> None:
    write_icon(desktop_icon(system, "/old/python", "/games"), tmp_path)
    path = write_icon(desktop_icon(system, "/new/python", "/games"), tmp_path)
    assert [*tmp_path.iterdir()] == [path]
    assert b"/new/python" in path.read_bytes()
    assert str(path) in icon_told(path) and "delete" in icon_told(path)
    if os.name == "posix":
        assert bool(path.stat().st_mode & stat.S_IXUSR) is (system != "win32")


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_a_file_that_is_not_ours_stays(system: str, tmp_path: Path) -> None:
    icon = desktop_icon(system, "python", "games")
    (tmp_path / icon.name).write_bytes(b"mine \xff")
    with pytest.raises(InputError, match="not made by Knightfall"):
        write_icon(icon, tmp_path)
    assert (tmp_path / icon.name).read_bytes() == b"mine \xff"


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    icon = desktop_icon("linux", "python", "games")
    (tmp_path / icon.name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="cannot be written"):
        write_icon(icon, tmp_path)
    assert not (tmp_path / "elsewhere").exists()


def test_without_a_desktop_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no desktop here"):
        write_icon(desktop_icon("linux", "python", "games"), tmp_path / "Desktop")


@pytest.mark.skipif(sys.platform == "win32", reason="it runs what macOS is given")
def test_the_file_of_macos_starts_the_page_of_this_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(icons, "user_desktop_path", lambda: tmp_path)
    path = icons.icon_here(tmp_path / "no such games")
    text = path.read_text(encoding="utf-8").replace("exec ", "echo ")
    told = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True).stdout
    assert told.split("\n")[0] == f"{sys.executable} -P -m knightfall web {tmp_path / 'no such games'}"
