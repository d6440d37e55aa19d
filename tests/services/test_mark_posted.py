"""`knightfall vc --posted` and `--copy`: numbers rise only when a count went out; changes since are told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.cli.clipboard import copy
from knightfall.errors import InputError
from knightfall.services.machine import session_of
from knightfall.services.posts.write import draft_post, mark_posted
from knightfall.services.requests import PostRequest
from knightfall.services.session import Session
from knightfall.services.window import turns

SAID = (
    ("Wren", "Day 1 begins."),
    ("Ada", "<b>Vote: Fen</b>"),
    ("Boro", "<b>Vote: Fen</b>"),
    ("Ada", "<b>Vote: Kestrel</b>"),
    ("Fen", "<b>Vote: no elimination</b>"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Fen", "Kestrel"))
    (tmp_path / "game.toml").write_text(f'schema = 1\n[game]\nmoderators = ["Wren"]\n{players}')
    lines = [
        json.dumps({"number": number, "id": str(number), "user": user, "content": content})
        for number, (user, content) in enumerate(SAID, start=1)
    ]
    (tmp_path / "posts.jsonl").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def vc(*words: str) -> Result:
    return CliRunner().invoke(app, ["vc", "--from-jsonl", "posts.jsonl", "--game", ".", *words])


@pytest.mark.usefixtures("folder")
def test_the_number_rises_only_when_a_count_was_posted() -> None:
    assert vc("--at", "3").stdout.startswith("Votecount 1.1 (to post 3)")
    noted = vc("--at", "3", "--posted")
    assert noted.stdout.startswith("Votecount 1.1")
    assert "Votecount 1.1 is marked as posted. The next one will be number 2." in noted.stderr
    assert vc().stdout.startswith("Votecount 1.2 (to post 5)")
    assert vc().stdout.startswith("Votecount 1.2 (to post 5)")


@pytest.mark.usefixtures("folder")
def test_changes_since_the_last_posted_count_are_told() -> None:
    assert "Changes since" not in vc().stderr
    vc("--at", "3", "--posted")
    told = "Changes since the last posted count: Ada Fen → Kestrel (#4), Fen – → No Elimination (#5)."
    assert told in vc().stderr
    assert "Since the last count: Ada Fen → Kestrel (4), Fen – → No Elimination (5)." in vc().stdout


@pytest.mark.usefixtures("folder")
def test_a_post_in_parts_is_copied_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    monkeypatch.setattr("knightfall.cli.clipboard.pasted", lambda: True)
    result = vc("--as", "phpbb", "--limit", "180", "--copy")
    assert len(copied) > 1
    assert f"Copied: part 1 of {len(copied)}." in result.stderr
    assert all(part.strip() in result.stdout for part in copied)


@pytest.mark.usefixtures("folder")
def test_without_a_terminal_the_first_part_alone_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    vc("--as", "phpbb", "--limit", "180", "--copy")
    assert len(copied) == 1


def test_a_count_of_no_game_cannot_be_noted(folder: Path) -> None:
    (folder / "game.toml").unlink()
    result = CliRunner().invoke(app, ["vc", "--from-jsonl", "posts.jsonl", "--posted"])
    assert isinstance(result.exception, InputError)
    assert "What was posted is recorded in a game" in str(result.exception)


def clipboard(folder: Path, monkeypatch: pytest.MonkeyPatch, status: int = 0) -> Path:
    """Clipboard programs of our own, which write what they get and their arguments into files."""
    target = folder / "copied"
    for name in ("wl-copy", "xclip"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho "$@" >"{target}.how"\ncat >"{target}"\nexit {status}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return target


def test_rich_text_is_copied_as_html(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = clipboard(tmp_path, monkeypatch)
    copy("<p><strong>Zoë</strong></p>", rich=True)
    assert target.read_text(encoding="utf-8") == "<p><strong>Zoë</strong></p>"
    assert "text/html" in (tmp_path / "copied.how").read_text()


def test_a_clipboard_that_fails_or_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard(tmp_path, monkeypatch, status=1)
    with pytest.raises(InputError, match="could not copy the text"):
        copy("x", rich=True)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"No program for copying formatted text .* install xclip"):
        copy("x", rich=True)


def test_the_post_of_a_site_with_a_rich_editor_is_copied_as_such(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = clipboard(folder, monkeypatch)
    result = vc("--as", "ips", "--copy")
    assert "Copied." in result.stderr
    assert target.read_text(encoding="utf-8").strip() == result.stdout.strip()


@pytest.mark.usefixtures("folder")
def test_plain_text_is_copied_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    result = vc("--as", "phpbb", "--copy")
    assert [text.strip() for text in copied] == [result.stdout.strip()]


def test_a_post_of_a_closing_is_compared_with_none_of_an_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "keep"
    names = ("Ada", "Boro", "Cinder", "Dorn", "Elm", "Fen", "Gale")
    (tmp_path / "setup.toml").write_text(
        'schema = 1\nname = "Seven"\n[[slots]]\nrole = "Mafia Goon"\n'
        '[[slots]]\nrole = "Vanilla Townie"\nfill = true\n',
        encoding="utf-8",
    )
    words = ["new", "custom_mafia", *names, "--setup", str(tmp_path / "setup.toml"), "--out", str(folder)]
    assert CliRunner().invoke(app, words).exit_code == 0
    cards = json.loads((folder / "private" / "deal.json").read_text(encoding="utf-8"))["cards"]
    goon = next(name for name, card in cards.items() if card == "Mafia Goon")
    innocent = [name for name in names if name != goon]

    def session() -> Session:
        return session_of(folder)

    drafts = []
    for victim in innocent[:2]:
        turns.submit("moderator", f"eliminate {victim}", None, session())
        turns.close("day", None, session())
        draft = draft_post(PostRequest("end-of-day", stored=True), session())
        drafts.append(draft)
        mark_posted(draft, session())
        again = draft_post(PostRequest("end-of-day", stored=True), session())
        assert again.last is not None
        assert again.last.text == draft.text
        turns.submit(goon, "no kill", None, session())
        turns.close("night", None, session())
    assert [draft.last for draft in drafts] == [None, None]
