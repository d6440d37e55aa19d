"""The rules of a game are changed in its file, which stays as its moderator wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from begun import begin
from knightfall.errors import FieldError, SetupError
from knightfall.services.game.rules import change_rules, rules_of
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest

MINE = """

# what we agreed on
[terms]
eliminate = "banish"   # since game 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "valley"
    begin(NewGameRequest("custom_mafia", (), place, b"", b"", "Tin Valley"), session_of(place))
    file = place / "game.toml"
    file.write_text(file.read_text(encoding="utf-8") + MINE, encoding="utf-8")
    return place


def sent(folder: Path, changed: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """What the form sends of rules that are as they are, but for these."""
    said = {}
    for one in rules_of(session_of(folder)):
        values = (
            [value for value, _, held, _ in one.offered if held] if one.question.choices else [one.written]
        )
        said[one.question.field] = values
    return said | {name: [value] for name, value in (changed or {}).items()}


def test_nothing_is_written_where_nothing_was_changed(folder: Path) -> None:
    before = (folder / "game.toml").read_text(encoding="utf-8")
    assert change_rules(sent(folder), session_of(folder)) == ()
    assert (folder / "game.toml").read_text(encoding="utf-8") == before


def test_what_changed_is_told_in_words_and_stands_in_the_file(folder: Path) -> None:
    before = (folder / "game.toml").read_text(encoding="utf-8")
    wanted = {"rules.tie": "ask", "rules.self_vote": "false", "terms.eliminate": "execute"}
    changed = change_rules(sent(folder, wanted), session_of(folder))
    assert [(one.before, one.after) for one in changed] == [
        ("nobody is eliminated", "I decide each time"), ("yes", "no"), ("banish", "execute"),
    ]  # fmt: skip
    after = (folder / "game.toml").read_text(encoding="utf-8")
    assert after == before.replace('tie = "no_elimination"', 'tie = "ask"').replace(
        "[rules]\n", "[rules]\nself_vote = false\n"
    ).replace('"banish"', '"execute"')
    assert change_rules(sent(folder), session_of(folder)) == ()


def test_a_rule_that_is_emptied_goes_out_of_the_file(folder: Path) -> None:
    change_rules(sent(folder, {"rules.prod_after": "48h"}), session_of(folder))
    [one] = change_rules(sent(folder, {"rules.prod_after": ""}), session_of(folder))
    assert (one.before, one.after) == ("2 d", "not set")
    assert "prod_after" not in (folder / "game.toml").read_text(encoding="utf-8")


def test_a_number_that_is_emptied_is_the_usual_one_again(folder: Path) -> None:
    change_rules(sent(folder, {"rules.minimum_votes": "3"}), session_of(folder))
    [one] = change_rules(sent(folder, {"rules.minimum_votes": ""}), session_of(folder))
    assert (one.before, one.after) == ("3", "1")
    assert "minimum_votes" not in (folder / "game.toml").read_text(encoding="utf-8")


def test_forms_of_a_vote_are_ticked_and_unticked(folder: Path) -> None:
    said = sent(folder) | {"rules.forms": ["tag", "hashes"]}
    [one] = change_rules(said, session_of(folder))
    assert one.after == "the site's vote tag, if it has one; “##vote name”"
    assert change_rules(sent(folder), session_of(folder)) == ()
    [one] = change_rules(sent(folder) | {"rules.forms": []}, session_of(folder))
    assert one.after == "not set"


def test_a_rule_back_to_what_is_usual_is_said_so(folder: Path) -> None:
    change_rules(sent(folder, {"rules.boundary": "minute"}), session_of(folder))
    [one] = change_rules(sent(folder, {"rules.boundary": "before"}), session_of(folder))
    assert one.after == "one of 19:59:59"


def test_nothing_is_written_where_one_answer_is_wrong(folder: Path) -> None:
    before = (folder / "game.toml").read_text(encoding="utf-8")
    with pytest.raises(FieldError):
        change_rules(sent(folder, {"rules.tie": "ask", "rules.prod_after": "soon"}), session_of(folder))
    assert (folder / "game.toml").read_text(encoding="utf-8") == before


def test_a_file_with_its_rules_on_one_line_is_left_to_its_moderator(folder: Path) -> None:
    file = folder / "game.toml"
    file.write_text('schema = 1\nrules.tie = "random"\n', encoding="utf-8")
    with pytest.raises(SetupError, match="Edit the file itself"):
        change_rules(sent(folder, {"rules.tie": "ask"}), session_of(folder))
    assert file.read_text(encoding="utf-8") == 'schema = 1\nrules.tie = "random"\n'
