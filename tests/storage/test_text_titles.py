"""What texts of a game's folder are called: by what they are, not by their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.storage.drafts import text_files, text_title, title_of, write_draft


@pytest.mark.parametrize(
    ("half", "name", "title"),
    [
        ("public", "012-deadline-day-1", "Deadline of day 1"),
        ("public", "004-v_la", "V/LA 1"),
        ("public", "056-01-dawn", "Dawn 1"),
        ("public", "rules", "Rules"),
        ("private", "043-01-receipt-Ada", "Receipt for Ada"),
        ("private", "001-02-role_pm-Ada", "Role PM for Ada"),
        ("private", "prod-1-Boro", "Prod for Boro"),
        ("private", "prod-2-Elm-Fen", "Prod for Elm-Fen, 2"),
        ("private", "reminder-night_1-Boro", "Reminder for Boro, night 1"),
        ("private", "001-19-moderator_deal-moderator", "Your own sheet, deal"),
        ("private", "009-01-moderator_sheet-moderator", "Your own sheet"),
    ],
)
def test_a_text_is_called_by_what_it_is(tmp_path: Path, half: str, name: str, title: str) -> None:
    file = write_draft(tmp_path, half, f"{name}.txt", "Words.")
    [found] = text_files(tmp_path, half)
    assert found.title == title
    assert title_of(file) in (title, title.removesuffix(" 1"))


def test_a_second_one_is_told_apart_by_its_number(tmp_path: Path) -> None:
    for name in ("012-deadline-day-1", "015-deadline-day-1", "003-01-receipt-Ada", "005-01-receipt-Ada"):
        write_draft(tmp_path, "private" if "receipt" in name else "public", f"{name}.txt", "Words.")
    assert {one.title for one in text_files(tmp_path, "public")} == {
        "Deadline of day 1",
        "Deadline of day 1, 2",
    }
    assert {one.title for one in text_files(tmp_path, "private")} == {"Receipt for Ada", "Receipt for Ada, 2"}


def test_what_was_told_is_called_as_its_text_is() -> None:
    assert text_title("public", "dawn") == "Dawn"
    assert text_title("Ada", "result_pm") == "Result PM for Ada"
    assert text_title("moderator", "moderator_deal") == "Your own sheet, deal"


def test_a_picture_is_called_so() -> None:
    assert title_of(Path("private/void/public/board-004.png")) == "Picture of the board"
