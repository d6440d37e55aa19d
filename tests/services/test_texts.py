"""A program that ends between an entry and its texts leaves an entry that owes them: they come again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from knightfall.engine.heads import without_line
from knightfall.errors import InputError
from knightfall.games import game_ids
from knightfall.services.game.players import modkill, note_absence, replace_player
from knightfall.services.game.undo import undo
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.posts.owed import OwedText, missing_texts, write_missing
from knightfall.services.session import Session, journal_of
from knightfall.services.window.turns import close, submit
from services.test_people_posts import AS_IS, begun
from services.voting_day import voting_day

Act = Callable[[Session], object]


class Killed(BaseException):
    """What ends the program at once."""


def texts(folder: Path) -> dict[str, str]:
    """Every numbered text of a folder, without the line that tells when it was written."""
    files = (file for half in ("public", "private") for file in (folder / half).glob("[0-9]*.txt"))
    found = {f"{file.parent.name}/{file.name}": file.read_text("utf-8") for file in sorted(files)}
    return {name: without_line(text) for name, text in found.items()}


def replaces(session: Session) -> object:
    return replace_player("Boro", "Zed", None, "", AS_IS, session)


def removes(session: Session) -> object:
    return modkill("Boro", None, "left", AS_IS, session)


def closes(session: Session) -> object:
    submit("moderator", "no elimination", "plain", session)
    return close("day", "plain", session)


ACTS: tuple[tuple[str, Act], ...] = (
    *((kind, act) for kind in game_ids() for act in (replaces, removes)),
    ("knight_errant", closes),
    ("knights_duty", lambda session: note_absence("Boro", "2026-12-01", AS_IS, session)),
)


@pytest.mark.few(3)
@pytest.mark.parametrize(("kind", "act"), ACTS)
def test_what_was_cut_off_is_written_again_as_it_would_have_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, act: Act
) -> None:
    begun(kind, tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "cut")
    file = tmp_path / "cut/game.toml"
    file.write_text(file.read_text("utf-8").replace("[game]\n", '[game]\nsite = "plain"\n', 1), "utf-8")
    shutil.copytree(tmp_path / "cut", tmp_path / "whole")
    act(session_of(tmp_path / "whole"))

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("knightfall.services.publish.write_draft", killed)
        patch.setattr("knightfall.services.window.turns.write_public", killed)
        with pytest.raises(Killed):
            act(session_of(tmp_path / "cut"))
        entry = journal_of(session_of(tmp_path / "cut"))[-1]
    session = session_of(tmp_path / "cut")
    missing = missing_texts(session)
    assert {one.entry for one in missing} == {entry.number}
    written = write_missing(session)
    assert written
    assert texts(tmp_path / "cut") == texts(tmp_path / "whole")
    assert missing_texts(session) == ()
    assert write_missing(session) == ()


def test_a_whole_game_owes_nothing_whatever_was_taken_back(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    folder = day.folder
    replace_player("Boro", "Zed", "1", "", AS_IS, day.session)
    replace_player("Zed", "Yew", "1", "", AS_IS, day.session)
    undo(day.ledger.journal[-2].number, "never came", day.session)
    assert missing_texts(day.session) == ()
    submit("moderator", "eliminate Ada", "plain", day.session)
    undo(None, "too soon", day.session)
    assert missing_texts(day.session) == ()
    public = next((folder / "public").glob("*-opening.txt"))
    public.unlink()
    assert missing_texts(day.session) == (OwedText(1, "opening"),)


def test_nothing_is_owed_where_nothing_was_entered(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        missing_texts(session_of(None))
    assert missing_texts(session_of(tmp_path)) == ()


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", game_ids())
def test_a_game_that_nobody_cut_off_owes_nothing(tmp_path: Path, kind: str) -> None:
    session = begun(kind, tmp_path / "harbour")
    assert missing_texts(session) == ()
    replaces(session)
    for window in now_of(session).running.windows[:1]:
        if window.kind == "day":
            submit("moderator", "no elimination", "plain", session)
        for slot in window.slots if window.kind == "choosing" else ():
            submit(slot, "role Ninja", "plain", session)
        close(window.kind, "plain", session, why_early="agreed")
    assert missing_texts(session) == ()
    modkill("Cinder" if kind != "knight_fight" else "Ada", None, "left", AS_IS, session)
    assert missing_texts(session) == ()
