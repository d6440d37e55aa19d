"""Texts in a game's folder that its journal does not bear out are found by `verify`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from knightfall.engine.entries import Published
from knightfall.services.game.players import write_note
from knightfall.services.keep import verify
from knightfall.services.keep.verify import Verification, names_agree, verify_game
from knightfall.services.posts.owed import write_missing
from knightfall.services.requests import PostOptions
from knightfall.services.session import entered
from services.journal_folder import court
from services.test_two_moderators import session_of_test


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = court(tmp_path_factory.mktemp("made") / "court")
    write_note("Lumen is away.", PostOptions(), session_of_test(folder, "Wren", []))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "court"))


def checked(folder: Path) -> Verification:
    return verify_game(session_of_test(folder, "Wren", []))


def test_a_game_as_it_was_written_is_whole(folder: Path) -> None:
    assert (checked(folder).texts, checked(folder).exit_status) == ((), 0)


def test_a_public_text_that_was_changed_is_told(folder: Path) -> None:
    (folder / "public" / "mod-note-1.txt").write_text("Lumen is dead.\n")
    found = checked(folder)
    assert found.texts[0].startswith("public/mod-note-1.txt is not the text of entry")
    assert found.exit_status == 1


def test_a_text_of_an_entry_that_is_not_there_is_told(folder: Path) -> None:
    (folder / "public" / "099-dawn.txt").write_text("Dawn.\n")
    assert "entries are missing" in checked(folder).texts[0]


def test_a_count_without_its_line_may_be_written_again(folder: Path) -> None:
    """It is told by its line which of the counts that went out a file is; one without is a draft."""
    session = session_of_test(folder, "Wren", [])
    entered(Published("votecount-1", 1, "", "Nobody votes."), session, "")
    (folder / "public" / "votecount-1.txt").write_text("One votes.\n")
    assert checked(folder).texts == ()


def test_a_text_that_is_pasted_says_what_its_entry_says(folder: Path) -> None:
    file = next(iter(sorted((folder / "public").glob("[0-9]*-*.txt"))))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("the", "no", 1), encoding="utf-8")
    found = checked(folder)
    assert found.texts == (f"public/{file.name} says something else than entry {int(file.name[:3])}",)
    assert found.exit_status == 1
    file.write_text(f"{text}\n\n", encoding="utf-8")
    assert checked(folder).exit_status == 0


def test_a_private_text_that_was_changed_or_is_gone_is_told(folder: Path) -> None:
    file = next(iter(sorted((folder / "private").glob("001-*-role_pm-*.txt"))))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("You", "Nobody", 1), encoding="utf-8")
    found = checked(folder)
    assert found.texts == (f"private/{file.name} says something else than entry 1",)
    assert found.exit_status == 1
    file.unlink()
    found = checked(folder)
    assert [(one.entry, one.half) for one in found.missing] == [(1, "private")]
    assert found.exit_status == 1
    assert write_missing(session_of_test(folder, "Wren", [])) == (file,)
    assert file.read_text(encoding="utf-8") == text
    assert checked(folder).exit_status == 0


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game was begun by a version before this one."""
    monkeypatch.setattr(verify, "VERSION", "9.0")


@pytest.mark.usefixtures("newer")
def test_a_text_in_the_words_of_another_version_is_no_fault_while_it_names_the_same(folder: Path) -> None:
    file = next(iter(sorted((folder / "private").glob("001-*-role_pm-*.txt"))))
    text = file.read_text(encoding="utf-8")
    file.write_text(f"As ever:\n{text.replace('the', 'that', 1)}", encoding="utf-8")
    found = checked(folder)
    assert (found.texts, found.exit_status) == ((), 0)
    assert any(note.endswith(f"they agree: private/{file.name}") for note in found.notes)


@pytest.mark.usefixtures("newer")
def test_a_text_of_another_version_that_names_another_player_is_told(folder: Path) -> None:
    [file] = (folder / "private").glob("001-*-moderator_deal-moderator.txt")
    text = file.read_text(encoding="utf-8")
    assert "Ada" in text
    file.write_text(text.replace("Ada", "Boro", 1), encoding="utf-8")
    assert f"private/{file.name} says something else than entry 1" in checked(folder).texts


@pytest.mark.parametrize("again", ["", "Ada kills Boro.\nCinder is jailed."])
def test_lines_that_name_players_agree_whatever_stands_around_them(again: str) -> None:
    names = re.compile("Ada|Boro|Cinder")
    assert names_agree("Ada killed Boro!\nCinder was jailed.\nGood night.", again, names)
    assert not names_agree(
        "Boro killed Ada!\nCinder was jailed.", "Ada kills Boro.\nCinder is jailed.", names
    )
