"""A verb starts without the others, and templates stay compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from command_line import run
from knightfall.cli import app
from knightfall.cli.terminal import compiled_templates
from knightfall.cli.verbs import GAME_VERBS, MEANT, VERBS, ListedVerb
from knightfall.writeups import render
from knightfall.writeups.compiled import keep_compiled_in


@pytest.mark.parametrize("verb", ["vc", "phase", "roles"])
def test_only_the_verb_that_is_asked_for_is_made_ready(verb: str) -> None:
    group: Any = get_command(app)
    assert group.get_command(Context(group), verb).name == verb
    assert [name for name, one in group.commands.items() if not isinstance(one, ListedVerb)] == [verb]
    assert list(group.commands) == [*VERBS, *GAME_VERBS]


@pytest.mark.long
def test_no_other_verb_waits_for_numpy() -> None:
    """Every verb but balance and recount is made ready without it, and so is the library."""
    script = """
import sys
import knightfall as kf
from typer import Context
from typer.main import get_command
from knightfall.cli import app
group = get_command(app)
assert kf.count and kf.resolve and kf.Game
for verb in group.commands:
    group.get_command(Context(group), verb)
import knightfall.services.game.lookups, knightfall.services.count.votecount, knightfall.services.window.turns
sys.exit("numpy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_stored_thread_waits_for_no_reader_of_pages(tmp_path: Path) -> None:
    script = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from knightfall.forums.exchange import Chunk, Response
from knightfall.models import Post, PostId
from knightfall.services.threads import Kept, gather, habits_of
from knightfall.services.session import Session
from knightfall.storage.store import Store
url, at = "https://forum.example/viewtopic.php?t=1", datetime(2026, 1, 2, tzinfo=UTC)
store = Store.open(Path(sys.argv[1]))
chunk = Chunk("A game", (Post(PostId("1"), 1, "Ada", "Hi"),), 1, 1)
store.save_page(url, "phpbb", Response(url, 200, ""), chunk, at)
store.finish_read(url, at)
habits_of(gather(Kept(url), Session(None, None, lambda _: store)))
known = ("base", "html", "tree", "pages", "phpbb", "xenforo", "discourse", "smf")
print(*(name for name in known if f"knightfall.forums.{name}" in sys.modules))
"""
    run = [sys.executable, "-c", script, str(tmp_path / "game.db")]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.split() == []


def test_a_stored_count_waits_for_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    """Not for what checks files and numbers, makes tables, reads pages and mail, or asks other machines."""
    script = """
import atexit, sys
from datetime import UTC, datetime
from pathlib import Path
from knightfall.forums.exchange import Chunk, Response
from knightfall.models import Post, PostId
from knightfall.services.session import evidence_file
from knightfall.storage.store import Store
url, at = "https://forum.example/viewtopic.php?t=1", datetime(2026, 1, 2, tzinfo=UTC)
posts = (
    Post(PostId("1"), 1, "Wren", "Players:<br>1. Ada<br>2. Boro<br>3. Elm"),
    Post(PostId("2"), 2, "Ada", "<blockquote><b>Vote: Elm</b></blockquote>"),
    Post(PostId("3"), 3, "Boro", "<b>Vote: Ada</b>"),
)
store = Store.open(evidence_file(url, {"KNIGHTFALL_HOME": sys.argv[1]}))
store.save_page(url, "phpbb", Response(url, 200, ""), Chunk("A game", posts, 1, 1), at)
store.finish_read(url, at)
store.close()
heavy = ("pydantic", "tabulate", "wcwidth", "rich", "requests", "email", "xml", "importlib.metadata")
engine = ("engine.entries", "engine.journal", "engine.replay")
ours = ("forums.base", "forums.pages", "forums.phpbb", "config.game_file", "games.registry", *engine)
names = (*heavy, *(f"knightfall.{name}" for name in ours))
atexit.register(lambda: print("LOADED", *(name for name in names if name in sys.modules)))
sys.argv = ["knightfall", "vc", url, "--stored"]
from knightfall.cli import main
main()
"""
    run = [sys.executable, "-c", script, str(tmp_path)]
    environment = {**os.environ, "KNIGHTFALL_HOME": str(tmp_path)}
    done = subprocess.run(run, capture_output=True, text=True, check=False, env=environment)
    assert "[b]Ada (1)[/b]: Boro" in done.stdout, done.stderr
    assert done.stdout.rpartition("LOADED")[2].split() == []


@pytest.mark.long
def test_a_begun_game_waits_for_no_other_game(tmp_path: Path) -> None:
    script = """
import atexit, sys
atexit.register(lambda: print("LOADED", *(name for name in sys.modules if name.endswith(".game"))))
from knightfall.cli import main
main()
"""

    def said(*words: str) -> str:
        run = [sys.executable, "-c", script, *words]
        environment = {**os.environ, "KNIGHTFALL_HOME": str(tmp_path)}
        return subprocess.run(run, capture_output=True, text=True, check=True, env=environment).stdout

    names = [f"Player {number}" for number in range(1, 19)]
    said("new", "knight-errant", *names, "--out", str(tmp_path / "game"))
    loaded = said("post", "rules", "--game", str(tmp_path / "game")).rpartition("LOADED")[2].split()
    games = [name for name in loaded if name.startswith("knightfall.games.")]
    assert games == ["knightfall.games.knight_errant.game"]


def test_a_word_that_is_no_verb_is_judged_by_all_of_them() -> None:
    assert "Did you mean 'vc'" in run("vcc").output


@pytest.mark.parametrize(("word", "verb"), MEANT.items())
def test_a_moderators_word_for_a_verb_is_answered_with_the_verb(word: str, verb: str) -> None:
    assert word not in {*VERBS, *GAME_VERBS}
    said = run(word.capitalize())
    assert said.exit_code == 2
    assert f"Did you mean '{verb}'?" in said.output
    assert run(*verb.split(), "--help").exit_code == 0


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    render._sandbox.cache_clear()
    keeping = copy_context()
    keeping.run(keep_compiled_in, lambda: tmp_path)
    said = keeping.run(render.render, "any/removal", {"name": "Ada", "votes": None})
    render._sandbox.cache_clear()
    assert [file.suffix for file in tmp_path.iterdir()] == [".cache"] * len(list(tmp_path.iterdir()))
    assert list(tmp_path.iterdir())
    assert keeping.run(render.render, "any/removal", {"name": "Ada", "votes": None}) == said
    render._sandbox.cache_clear()


def test_without_a_cache_folder_templates_are_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert compiled_templates() is None


def test_the_verb_makes_the_icon_and_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knightfall.services.desktop_icon.user_desktop_path", lambda: tmp_path)
    done = run("web", str(tmp_path / "games"), "--icon")
    assert done.exit_code == 0, done.exception
    (icon,) = tmp_path.iterdir()
    assert icon.name in done.stderr
    assert str(tmp_path / "games") in icon.read_text(encoding="utf-8")
