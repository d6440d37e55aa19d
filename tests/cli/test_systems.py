"""What differs from system to system, made to look so here: consoles, paths, line ends, zones, rights."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from knightfall.errors import InputError
from knightfall.services.keep import doctor
from long_runs import first, rows

ROOT = Path(__file__).parents[2]
KETTLE = ROOT / "fixtures" / "demo" / "kettle" / "day-1.html"
MAIN = "from knightfall.cli import main\nmain()"
ODD = "Жанна 玉 😀"
POSTS = (
    {"number": 1, "id": 1, "user": ODD, "content": "[b]Vote: Ada[/b]", "time": "2026-03-01T10:00"},
    {"number": 2, "id": 2, "user": "Ada", "content": f"[b]Vote: {ODD}[/b] …", "time": "2026-03-01T10:05"},
)


def knightfall(
    *words: str | Path, script: str = MAIN, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """A run of the command line, its streams as bytes."""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, words)],
        env={**os.environ, "PYTHONUTF8": "0", **environment},
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    """A thread whose author no old code page can write."""
    file = tmp_path / "posts.jsonl"
    lines = [json.dumps(post, ensure_ascii=False) for post in POSTS]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


# ── consoles ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("page", first(1, ["ascii", "cp1252", "cp932", "utf-8"]))
def test_what_a_console_has_no_letter_for_is_no_fault(page: str, posts: Path) -> None:
    done = knightfall("vc", "--from-jsonl", posts, "--json", PYTHONIOENCODING=page)
    assert b"Traceback" not in done.stderr and b"bug" not in done.stderr
    # What was replaced is written as JSON does, so that programs read the same.
    encoding = "utf-8" if page == "ascii" else page  # click takes ASCII for a mistake
    assert ODD in json.dumps(json.loads(done.stdout.decode(encoding)), ensure_ascii=False)


@pytest.mark.few(1)
@pytest.mark.parametrize("words", [("--help",), ("vc", "--help"), ("roles",), ("no-such-verb",)])
@pytest.mark.parametrize("page", first(1, ["cp1252", "ascii", "cp437"]))
def test_help_and_tables_are_printed_on_every_console(page: str, words: tuple[str, ...]) -> None:
    done = knightfall(*words, PYTHONIOENCODING=page)
    assert done.returncode == (2 if words == ("no-such-verb",) else 0)
    assert b"Traceback" not in done.stderr and b"This is a bug" not in done.stderr


@pytest.mark.long
def test_an_error_with_such_a_name_is_told(tmp_path: Path) -> None:
    done = knightfall("vc", "--from-html", tmp_path / f"{ODD}.html", PYTHONIOENCODING="cp1252")
    assert done.returncode == 2
    assert rb"\u0416\u0430" in done.stderr


def test_ctrl_c_ends_without_a_traceback(tmp_path: Path) -> None:
    script = f"""
import signal
import knightfall.services.conform
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored in what runs behind it
knightfall.services.conform.conform = lambda *_: signal.raise_signal(signal.SIGINT)
{MAIN}
"""
    cases = tmp_path / "cases.jsonl"
    cases.touch()
    done = knightfall("conform", cases, script=script)
    assert done.returncode == 128 + signal.SIGINT
    assert b"Traceback" not in done.stderr and b"bug" not in done.stderr


# ── time zones ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("zone", "status"), rows(0, [("America/New_York", 0), ("Nowhere/Land", 2)]))
def test_zones_are_known_where_the_system_has_none(zone: str, status: int, tmp_path: Path) -> None:
    place = tmp_path / "game"
    run("new", "knights-duty", "Ada", "Boro", "--out", str(place))
    file = place / "game.toml"
    text = file.read_text(encoding="utf-8")
    said = re.sub(r"(?m)^timezone = .*$", f'timezone = "{zone}"', text)
    assert zone in said
    file.write_text(said, encoding="utf-8")
    done = knightfall("status", "--game", place, PYTHONTZPATH="")
    assert done.returncode == status, done.stderr


# ── line ends, and the mark that an editor of Windows puts in front ──────────────────────────────


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_a_page_with_the_line_ends_of_windows_is_counted_alike(mark: bytes, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(mark + KETTLE.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    counted = [run("vc", "--from-html", str(file), "--as", "plain").stdout for file in (page, KETTLE)]
    assert counted[0] == counted[1]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_posts_names_and_a_setup_with_the_line_ends_of_windows_are_read_alike(
    mark: bytes, posts: Path, tmp_path: Path
) -> None:
    def windows(file: Path, text: bytes) -> str:
        file.write_bytes(mark + text.replace(b"\n", b"\r\n"))
        return str(file)

    plain = run("vc", "--from-jsonl", str(posts), "--json").stdout
    same = tmp_path / "windows" / posts.name
    same.parent.mkdir()
    assert run("vc", "--from-jsonl", windows(same, posts.read_bytes()), "--json").stdout == plain
    setup = windows(tmp_path / "setup.toml", (ROOT / "fixtures/demo/kettle/setup.toml").read_bytes())
    names = windows(tmp_path / "names.txt", b"Alder\nBryony\nClover\nDill\nElder\nFennel\n")
    place = str(tmp_path / "lane")
    made = run("new", "custom-mafia", "--setup", setup, "--players-from", names, "--out", place)
    assert made.exit_code == 0, made.exception
    file = (tmp_path / "lane" / "game.toml").read_bytes()
    assert b'"Fennel"' in file and b"\\r" not in file


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_with_spaces_quotes_and_what_looks_like_a_drive_is_a_folder(tmp_path: Path) -> None:
    name = "My Games 'é' 100% [1]" if os.name == "nt" else r"C:\My Games\'é' 100% [1]"
    place = str(tmp_path / name)
    for words in (
        ("new", "knights-duty", "Ada", "Boro", "--out", place),
        ("post", "opening", "--game", place),
        ("status", "--game", place),
        ("verify", "--game", place),
        ("archive", "--game", place),
        ("export", str(tmp_path / "a b.jsonl"), "--game", place),
        ("doctor", "--game", place),
    ):
        done = run(*words)
        assert done.exit_code == 0, (words, done.exception, done.output)


# ── rights ───────────────────────────────────────────────────────────────────────────────────────


def test_a_stick_that_knows_no_rights_takes_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refused)
    monkeypatch.setattr(os, "chmod", refused)
    place = str(tmp_path / "game")
    for words in (
        ("new", "knights-duty", "Ada", "Boro", "--out", place),
        ("post", "opening", "--game", place),
        ("archive", "--game", place),
    ):
        done = run(*words)
        assert done.exit_code == 0, (words, done.exception, done.output)


def test_doctor_gives_no_advice_about_rights_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "game"
    run("new", "knights-duty", "Ada", "Boro", "--out", str(place))
    place.chmod(0o777)
    assert "chmod" in run("doctor", "--game", str(place)).stdout
    monkeypatch.setattr(doctor, "HAS_MODES", False)
    told = run("doctor", "--game", str(place))
    assert told.exit_code == 0
    assert "chmod" not in told.stdout


# ── the clipboard ────────────────────────────────────────────────────────────────────────────────


def test_without_a_clipboard_the_post_is_printed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyperclip

    def none(_: str) -> None:
        raise pyperclip.PyperclipException

    monkeypatch.setattr(pyperclip, "copy", none)
    done = run("vc", "--from-html", str(KETTLE), "--as", "plain", "--copy")
    assert "Clover (3)" in done.stdout
    assert isinstance(done.exception, InputError)
    assert "No clipboard was found" in str(done.exception)
