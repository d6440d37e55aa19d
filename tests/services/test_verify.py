"""`knightfall verify` and how a votecount looked when it was posted: theme, template, limit, view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from fetch.threads import Forum
from knightfall.audience import View
from knightfall.cli.format_game import fault_lines, verified_lines
from knightfall.engine.entries import Published
from knightfall.services.count.votecount import count_votes, note_as_counted, note_as_posted, post_of
from knightfall.services.day.end import final_text, kept_count
from knightfall.services.keep.verify import Verification, verify_game
from knightfall.services.now import now_of
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import CountRequest, PostFormat, PostRequest
from long_runs import first
from services.end_of_day import Evening, Game, board, game, vote

OWN = (
    "The vote on day {{ day }}\n{% for w in wagons %}\n"
    "{{ w.name }} has {{ w.count }}: {{ w.voters|join(', ', attribute='name') }}\n{% endfor %}\n"
    "Silent: {{ not_voting|join(', ') }}\n"
)
"""A template that shares no line with ours."""
SAID = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Cinder", vote("Ada")))
SAME = "Posted: 1 text, 1 of them the same byte for byte."


@contextmanager
def evening(folder: Path, more: str = "") -> Iterator[Game]:
    with game(folder, Evening(Forum(board(*SAID))), None, more=more) as played:
        yield played


def posted(played: Game, **asked: Any) -> None:
    request = CountRequest(**asked)
    answer = count_votes(request, played.session)
    note_as_posted(post_of(answer, request, played.session), answer, played.session)
    note_as_counted(answer, played.session)


def write_and_note(request: PostRequest, played: Game) -> None:
    mark_posted(write_post(request, played.session), played.session)


def template(folder: Path, text: str = OWN) -> Path:
    file = folder / "mine.j2"
    file.write_text(text, encoding="utf-8")
    return file


def found(played: Game) -> Verification:
    return verify_game(played.session)


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [130, 200, 100_000])
@pytest.mark.parametrize("speech", first(2, (None, "discourse", "phpbb", "mybb")))
def test_a_count_that_was_posted_in_parts_is_made_again_in_the_same_parts(
    tmp_path: Path, limit: int, speech: str | None
) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(limit=limit, theme="compact"), dialect=speech)
        assert SAME in list(verified_lines(found(played)))


def test_a_count_in_more_than_nine_parts_is_made_again(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(limit=38), dialect="plain")
        text = played.ledger().records()[0].entry
        assert isinstance(text, Published)
        assert "(10/" in text.text
        assert SAME in list(verified_lines(found(played)))


def test_a_post_of_the_library_in_parts_is_made_again(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        for kind in ("votecount", "rules"):
            write_and_note(PostRequest(kind, limit=210), played)
        checked = found(played)
        assert checked.exit_status == 0
        assert "Posted: 2 texts, 2 of them the same byte for byte." in list(verified_lines(checked))


def test_the_final_count_of_a_day_is_made_again(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        posted(played)
        final = kept_count(now_of(played.session).setup, 1, played.session)
        note(played, final_text(final))
        checked = found(played)
    assert checked.exit_status == 0
    assert "Posted: 2 texts, 2 of them the same byte for byte." in list(verified_lines(checked))


def test_a_count_as_they_looked_before_only_looks_otherwise(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(theme="tilde"))
        entry = played.ledger().records()[0].entry
        assert isinstance(entry, Published)
        note(played, entry.text.replace("Votecount 1.1", "Votecount 1.02"))
        assert found(played).exit_status == 0


@pytest.mark.parametrize("form", ["csv", "json", None])
def test_the_record_for_programs_is_made_again(tmp_path: Path, form: str | None) -> None:
    with evening(tmp_path) as played:
        write_and_note(PostRequest("archive", form=form), played)
        assert SAME in list(verified_lines(found(played)))


def test_the_count_that_only_the_moderator_may_see_is_made_again(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        file = tmp_path / "game.toml"
        file.write_text(file.read_text().replace('name = "Ada"', 'name = "Ada"\nweight = 2'))
        posted(played, view=View.MOD)
        [record] = played.ledger().records()
        assert isinstance(record.entry, Published)
        assert "Fen (3): Ada ×2" in record.entry.text
        assert SAME in list(verified_lines(found(played)))


def test_a_template_in_the_game_s_folder_is_tried(tmp_path: Path) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(template=template(tmp_path)))
        (tmp_path / "broken.j2").write_text("{% for %}")
        (tmp_path / "another.j2").write_text("{{ nobody_knows }}")
        assert SAME in list(verified_lines(found(played)))


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that verify does not look into."""
    return tmp_path_factory.mktemp("elsewhere")


def test_a_count_by_a_template_that_is_gone_only_looks_otherwise(tmp_path: Path, elsewhere: Path) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(template=template(elsewhere)), dialect="phpbb")
        checked = found(played)
    assert checked.exit_status == 0
    told = next(line for line in verified_lines(checked) if "has a layout" in line)
    assert told.startswith("Entry 1, votecount-1 1 has a layout that can't be written here")
    assert "only its votes were compared: it contains every wagon of the count, voter by voter" in told
    assert "game's folder" in told
    assert "Posted: 1 text, 0 of them the same byte for byte." in list(verified_lines(checked))


CHANGES: dict[str, Callable[[str], str]] = {
    "a vote moved": lambda text: text.replace("Fen has 2: Ada, Boro", "Fen has 1: Ada").replace(
        "Ada has 1: Cinder", "Ada has 2: Cinder, Boro"
    ),
    "a vote is gone": lambda text: text.replace("Fen has 2: Ada, Boro", "Fen has 1: Ada"),
    "a vote too many": lambda text: text.replace("has 1: Cinder", "has 2: Cinder, Kestrel"),
    "the number is wrong": lambda text: text.replace("Fen has 2", "Fen has 3"),
    "a number too many": lambda text: text.replace("Fen has 2", "Fen has 2 of 9"),
    "the other way round": lambda text: text.replace("Ada has 1: Cinder", "Cinder has 1: Ada"),
    "one is not named": lambda text: text.replace(", Kestrel", ""),
    "a wagon is missing": lambda text: text.replace("Ada has 1: Cinder\n", ""),
    "a wagon too many": lambda text: f"{text}\nKestrel has 1: Fen",
    "the order of voting": lambda text: text.replace("Ada, Boro", "Boro, Ada"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("change", first(2, CHANGES.values()), ids=CHANGES)
def test_other_votes_are_a_difference_in_any_look(
    tmp_path: Path, elsewhere: Path, change: Callable[[str], str]
) -> None:
    with evening(tmp_path) as played:
        posted(played, format=PostFormat(template=template(elsewhere)))
        entry = played.ledger().records()[0].entry
        assert isinstance(entry, Published)
        said = change(entry.text)
        assert said != entry.text
        note(played, said)
        checked = found(played)
    assert checked.exit_status == 1
    assert [line.partition("\n")[0] for line in fault_lines(checked)] == ["Entry 2, votecount-1 2 differs:"]


def note(played: Game, text: str) -> None:
    """Another text goes out with the count of all posts."""
    ledger = played.ledger()
    entry = Published("votecount-1", 2, sha256(text.encode()).hexdigest(), text, "4")
    ledger.append(entry, played.session.clock.now(), "Wren")
    ledger.close()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [("takes 3", "takes 2"), ("Wed 25", "Tue 24"), ("alive, it", "living, it")],
    ids=lambda s: s,
)
def test_a_line_of_ours_with_another_number_is_a_difference(tmp_path: Path, old: str, new: str) -> None:
    with evening(tmp_path, more="ends = 2026-11-25T20:00:00Z\n") as played:
        posted(played)
        entry = played.ledger().records()[0].entry
        assert isinstance(entry, Published)
        assert old in entry.text
        note(played, entry.text.replace(old, new).replace("Votecount 1.1", "Votecount 1.2"))
        assert found(played).exit_status == (0 if old == "alive, it" else 1)
