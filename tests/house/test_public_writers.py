"""Whatever gets into a game's `public/` was read for secrets before: every way there is known here."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from house.source import SOURCE, nodes, trees
from knightfall.cli import app
from knightfall.engine.entries import Ruled, Started
from knightfall.engine.game import Announced
from knightfall.errors import SecretGuard
from knightfall.mafia.events import CautionNote
from knightfall.services.running import RunningGame
from services.journal_folder import court, journal
from services.test_players import closing, errant

WRITERS: Mapping[str, str | None] = {
    "storage/drafts.py:write_public": None,
    "services/day/phases.py:write_calendar": "released",
    "services/day/end.py:keep_final": None,
    "services/day/close.py:close": "released looked_at void_for_the_last",
    "services/day/close.py:count_at_deadline": "released",
    "services/watch/follow.py:end_day": "released",
    "services/posts/write.py:write_post": "draft_post",
    "services/game/signups.py:write_signups": "signup_post",
    "services/window/turns.py:announce": None,
    "services/day/phases.py:_changed": "released",
    "services/day/phases.py:next_phase": "released",
    "services/game/players.py:_entered": "released",
    "services/posts/owed.py:write_missing": "released",
    "services/game/players.py:write_note": "released",
    "services/game/players.py:prod": "released",
    "services/publish.py:kept": None,
    "services/window/receipts.py:receipt_of": None,
    "services/window/receipts.py:written_anew": None,
    "services/window/turns.py:submit": "guarded void_for_the_last",
    "services/window/turns.py:close": "guarded void_for_the_last",
    "services/window/turns.py:enter": "guarded",
    "services/game/undo.py:undo": "looked_at",
    "services/window/inbox.py:_entered": "guarded void_for_the_last",
    "services/game/commitment.py:commit_deal": "released",
    "services/game/new.py:_begin_play": None,
    "services/game/new.py:deal_game": "_opening",
    "services/game/new.py:begin": "_first_opening",
}
"""Who writes there, or lets somebody write what he hands on, and what reads the text for secrets before that;
None: whoever calls it, who stands here, too."""
ELSEWHERE: Mapping[str, str] = {
    "services/journal.py:export_journal": "a file that the moderator names",
    "services/boards.py:write_scene": "a picture of what a board or a count shows to its reader",
    "services/deal.py:_write": "the proof into private/, and a hash with our own words",
    "services/fair_deal.py:keep_secret": "the secret of a commitment, into private/",
    "services/game/new.py:make_folder": "the game file",
    "services/keep/check_page.py:note_address": "the game file",
    "services/game/adoption.py:write_table": "a file that the moderator names",
    "services/game/file.py:save_game_text": "the game file",
    "services/game/file.py:name_thread": "the game file",
    "services/game/signups.py:write_players": "the game file",
    "services/game/rules.py:change_rules": "the game file",
    "services/window/waiting.py:reminders": "private/",
    "services/game/end_marks.py:note_done": "private/",
    "services/hand_marks.py:note_handed_over": "private/",
    "services/hand_marks.py:note_taken_over": "private/",
    "services/keep/take_over.py:_with_files": "private/ and files that were handed over",
    "services/keep/passport.py:write_passport": "a file that the moderator names",
    "services/keep/check_page.py:write_check_page": "a page of the package, in a file that somebody names",
    "services/keep/hand_over.py:write_hand_over": "a file that the moderator names",
    "services/keep/take_over.py:take_over": "private/ and files that were handed over",
    "services/count/activity.py:write_drafts": "private/",
    "services/rehearsal_thread.py:write_record": "private/",
    "web/posts_pages.py:own_words": "the moderator's own words, into private/",
}
"""Who calls `write_draft` for what no player reads, or what holds nobody's words."""


def test_every_writer_into_public_is_known_and_has_the_text_read_before() -> None:
    carriers = {name for name, guard in WRITERS.items() if guard is None}
    found = set(_callers({"storage/drafts.py:write_draft", *carriers}))
    assert found - set(ELSEWHERE) == set(WRITERS)
    assert set(ELSEWHERE) <= found
    unread = {
        one for one, guards in WRITERS.items() if set((guards or "").split()) - set(_called(functions()[one]))
    }
    assert unread == set()


def test_no_verb_writes_a_file_of_its_own_into_public() -> None:
    """Archives alone have their own way: their pages are looked at."""
    files = {
        name
        for name, body in functions().items()
        if name.startswith(("app/", "services/")) and {"write_text", "write_bytes"} & set(_called(body))
    }
    assert files == {"services/keep/archive.py:write_folder"}


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module by its path."""
    return {file.relative_to(SOURCE).as_posix(): tree for file, tree in trees().items()}


@cache
def functions() -> Mapping[str, ast.AST]:
    """“services/window/turns.py:submit” and what it does; a function within another is part of that."""
    return {
        f"{module}:{part.name}": part
        for module, tree in modules().items()
        for part in tree.body
        if isinstance(part, ast.FunctionDef)
    }


def _callers(wanted: set[str]) -> Iterator[str]:
    """Which functions use one of these, by the name under which their module knows it."""
    words = {name.partition(":")[2] for name in wanted}
    for name, body in functions().items():
        module = name.partition(":")[0]
        known = _names_in(module, wanted) if words & _words(module) else set()
        if known & _used(body):
            yield name


@cache
def _used(body: ast.AST) -> frozenset[str]:
    """All names in a function."""
    return frozenset(part.id for part in ast.walk(body) if isinstance(part, ast.Name))


@cache
def _imports(module: str) -> tuple[ast.ImportFrom, ...]:
    """What a module imports, anywhere in it."""
    return tuple(part for part in nodes(modules()[module]) if isinstance(part, ast.ImportFrom))


@cache
def _words(module: str) -> frozenset[str]:
    """All names of functions that a module knows from elsewhere, and its own."""
    own = (part.name for part in modules()[module].body if isinstance(part, ast.FunctionDef))
    return frozenset((*own, *(alias.name for part in _imports(module) for alias in part.names)))


def _names_in(module: str, wanted: set[str]) -> set[str]:
    """What the functions are called in a module: its own, and those it imports, anywhere in it."""
    own = {one.partition(":")[2] for one in wanted if one.startswith(f"{module}:")}
    for part in _imports(module):
        if part.module:
            home = f"{part.module.removeprefix('knightfall.').replace('.', '/')}.py"
            own |= {alias.asname or alias.name for alias in part.names if f"{home}:{alias.name}" in wanted}
    return own


def _called(body: ast.AST) -> Iterator[str]:
    for part in ast.walk(body):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name | ast.Attribute):
            yield part.func.id if isinstance(part.func, ast.Name) else part.func.attr


# ── each of those that were not read ─────────────────────────────────────────────────────────────

ROOM = "https://forum.example/viewtopic.php?f=7&t=90077"
PRIVATE = ("--thread", f"private={ROOM}")
PLAYERS = ("Ada", "Boro", "Cinder", "Elm", "Fen", "Iris", "Moth", "Rook", "Vetch")
SETUP = f"""schema = 1
name = "As told in {ROOM}"
[[slots]]
role = "Mafia Goon"
count = 2
[[slots]]
role = "Vanilla Townie"
fill = true
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that we stand in, with a setup whose name tells where the mafia talks."""
    (tmp_path / "setup.toml").write_text(SETUP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def refused(*words: str) -> str:
    """What a verb says that would have given something away."""
    fault = run(*words).exception
    assert isinstance(fault, SecretGuard), (words, fault)
    assert fault.exit_status == 5
    return str(fault)


def rulings(folder: Path) -> list[str]:
    return [record.entry.why for record in journal(folder) if isinstance(record.entry, Ruled)]


def test_the_first_posts_of_a_new_game_are_read_before_anything_is_made(here: Path) -> None:
    words = ("new", "custom-mafia", *PLAYERS, "--setup", "setup.toml", *PRIVATE, "--out", "quay")
    assert "links to a private thread" in refused(*words)
    assert not (here / "quay").exists()
    assert run(*words, "--allow-leak", "the room is gone").exit_code == 0
    assert [type(record.entry) for record in journal(here / "quay")] == [Started, Ruled]
    assert rulings(here / "quay") == ["the room is gone"]


def test_the_first_posts_of_a_game_by_a_file_are_read_before_anything_is_made(here: Path) -> None:
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in NAMES)
    (here / "game.toml").write_text(
        f'schema = 1\n[game]\nkind = "kings_court"\n[[thread]]\nrole = "private"\nurl = "{ROOM}"\n{players}'
    )
    words = ("new", "--from", "game.toml", "--out", "court")
    assert "links to a private thread" in refused(*words)
    assert not (here / "court").exists()
    assert run(*words, "--allow-leak", "his name is that").exit_code == 0
    assert rulings(here / "court") == ["his name is that"]


def test_the_first_posts_of_a_deal_are_read_before_the_game_begins(here: Path) -> None:
    run("new", "custom-mafia", "--setup", "setup.toml", *PRIVATE, "--out", "quay")
    names = here / "names.txt"
    names.write_text("\n".join(PLAYERS), encoding="utf-8")
    words = ("deal", "--game", "quay", "--players", "names.txt")
    before = (here / "quay" / "game.toml").read_text(encoding="utf-8")
    assert "links to a private thread" in refused(*words)
    assert (here / "quay" / "game.toml").read_text(encoding="utf-8") == before
    assert journal(here / "quay") == ()
    assert not (here / "quay" / "private" / "deal.json").exists()
    assert list((here / "quay" / "public").iterdir()) == []
    assert run(*words, "--allow-leak", "all know it").exit_code == 0
    assert rulings(here / "quay") == ["all know it"]


def test_a_title_in_the_calendar_is_read_for_secrets(here: Path) -> None:
    long = "The long and winding and never ending tale of the harbour, the boats and the"
    (here / "game.toml").write_text(
        f'schema = 1\n[game]\ntitle = "{long} Town Doctor"\ntimezone = "UTC"\n'
        '[[player]]\nname = "Ada"\nrole = "Town Doctor"\n[[player]]\nname = "Boro"\n'
        "[[day]]\nnumber = 1\nends = 2099-11-25T20:00:00\n"
    )
    assert "that Ada, who is alive, is the Town Doctor" in refused("ics")
    assert not (here / "public").exists()
    assert run("ics", "--allow-leak", "that is its name").exit_code == 0
    assert rulings(here) == ["that is its name"]
    assert (here / "public" / "calendar.ics").exists()


def test_the_list_of_players_is_read_for_secrets(here: Path) -> None:
    (here / "game.toml").write_text('schema = 1\n[[player]]\nname = "Ada"\nrole = "Town Doctor"\n')
    said = (("Wren", "Sign up"), ("Ada", "/in"), ("Doctor", "/in"))
    lines = [{"number": n, "id": str(n), "user": who, "content": what} for n, (who, what) in enumerate(said)]
    (here / "posts.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    words = ("signup", "read", "posts.jsonl", "--from-jsonl", "--write")
    assert "that Ada, who is alive, is the Town Doctor" in refused(*words)
    assert not (here / "public").exists()
    assert run(*words, "--allow-leak", "a name").exit_code == 0


NAMES = (f"Ada {ROOM}", *(f"Player {letter}" for letter in "ABCDEFGHIJ"))


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words", [("modkill", "Ada", "--why", "quoted"), ("replace", "Ada", "Pike"), ("revive", "Ada")]
)
def test_what_a_begun_game_answers_is_read_before_the_entry_is_written(
    tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = court(tmp_path / "court")
    if words[0] == "revive":
        run("modkill", "Ada", "--why", "quoted", "--game", str(folder))
    file = folder / "game.toml"
    file.write_text(f'{file.read_text()}\n[[thread]]\nrole = "private"\nurl = "{ROOM}"\n')
    loud = Announced(CautionNote(f"see {ROOM}", "KC-R1"))
    monkeypatch.setattr(RunningGame, "last_events", property(lambda _: (loud,)))
    monkeypatch.setattr("knightfall.services.publish.public_post", lambda *_, **__: f"see {ROOM}")
    before, posts = journal(folder), sorted((folder / "public").iterdir())
    assert "links to a private thread" in refused(*words, "--game", str(folder))
    assert journal(folder) == before
    assert sorted((folder / "public").iterdir()) == posts
    done = run(*words, "--allow-leak", "all know it", "--game", str(folder))
    assert done.exit_code == 0, done.exception
    assert "all know it" in rulings(folder)


def test_what_a_game_answers_to_the_end_of_a_day_is_read_before_the_day_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with errant(tmp_path) as played:
        file = tmp_path / "game.toml"
        file.write_text(f'{file.read_text()}[[thread]]\nrole = "private"\nurl = "{ROOM}"\n')
        monkeypatch.setattr("knightfall.services.publish.public_post", lambda *_, **__: f"see {ROOM}")
        before = journal(tmp_path)
        with pytest.raises(SecretGuard, match="links to a private thread"):
            closing(played)
        assert journal(tmp_path) == before
        assert not list((tmp_path / "public").glob("votecount*"))
