"""`knightfall nicknames`: what answers in one game teach, and what the next one on the site offers."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from command_line import run
from fetch.threads import Said, Topic, topic_page
from knightfall.errors import InputError, StateDamaged
from knightfall.services.machine import session_of
from knightfall.storage import turn
from knightfall.storage.turn import Turn

PLAYERS = ("Ada", "Boro", "Cinder", "Fen", "Kestrel", "Moth")
SITE = "forum.example"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The moderator's own folder."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KNIGHTFALL_AUTHOR", "Wren")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def vote(name: str) -> str:
    return f"<b>Vote: {name}</b>"


def game(title: str, *said: tuple[str, str], site: str = SITE, players: tuple[str, ...] = PLAYERS) -> str:
    """A game of that title whose thread was read: post 1 opens the day, these follow. Its folder."""
    folder = Path(title.casefold().replace(" ", "-"))
    folder.mkdir()
    names = "".join(f"[[player]]\nname = {json.dumps(name)}\n" for name in players)
    url = f"https://{site}/viewtopic.php?t=5"
    (folder / "game.toml").write_text(
        f'schema = 1\n[game]\ntitle = {json.dumps(title)}\nmoderators = ["Wren"]\nsite = "phpbb"\n'
        f'[[thread]]\nrole = "game"\nurl = "{url}"\n[[day]]\nnumber = 1\nstart_post = 1\n{names}',
        encoding="utf-8",
    )
    posts = [Said(100 + n, who, body) for n, (who, body) in enumerate((("Wren", "Day 1 begins."), *said))]
    page = topic_page(Topic(title, posts, per_page=40), 0).replace(
        b"./viewtopic", f"https://{site}/viewtopic".encode()
    )
    saved = folder / "page.html"
    saved.write_bytes(page)
    kept = kf.Game.open(folder).read(pages=[saved])
    assert kept.thread.url == url
    return str(folder)


def questions(folder: str) -> list[dict[str, Any]]:
    found = json.loads(run("vc", "--stored", "--json", "--game", folder).stdout)
    return list(found["questions"])


def fix(folder: str, post: int, name: str) -> None:
    assert run("fix", str(post), "--to", name, "--why", "clear", "--game", folder).exit_code == 0


def book(*words: str) -> list[tuple[str, str, str]]:
    """The book: site, nickname and account."""
    found = json.loads(run("nicknames", *words, "--json").stdout)
    return [(one["site"], one["nickname"], one["account"]) for one in found["nicknames"]]


LAMPMAN = [(SITE, "lampman", "Moth")]


def test_what_one_game_was_answered_the_next_one_on_the_site_offers() -> None:
    fix(game("Tin Valley", ("Ada", vote("lampman"))), 2, "Moth")
    assert book() == LAMPMAN
    later = game("Salt Lane", ("Boro", vote("Lampman")))
    (question,) = questions(later)
    assert question["candidates"] == ["Moth"]
    assert [(one["name"], one["game"]) for one in question["earlier"]] == [("Moth", "Tin Valley")]
    counted = run("vc", "--stored", "--game", later)
    assert "Not voting (6)" in counted.stdout
    assert "could be Moth (as in Tin Valley)" in str(counted.exception)
    assert 'knightfall alias Moth Lampman --why "…"' in str(counted.exception)


def test_a_question_of_the_same_game_does_not_name_the_game_itself() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")), ("Boro", vote("lampman")))
    fix(here, 2, "Moth")
    (question,) = questions(here)
    assert question["candidates"] == ["Moth"]
    assert "earlier" not in question


def test_a_nickname_is_learned_for_its_site_alone() -> None:
    fix(game("Tin Valley", ("Ada", vote("lampman")), site="www.forum.example"), 2, "Moth")
    other = game("Salt Lane", ("Boro", vote("lampman")), site="board.example")
    assert [one["candidates"] for one in questions(other)] == [[]]
    fix(other, 2, "Fen")
    assert book() == [("board.example", "lampman", "Fen"), *LAMPMAN]
    assert book("board.example") == [("board.example", "lampman", "Fen")]
    assert book("https://www.forum.example/viewtopic.php?t=9") == LAMPMAN
    assert book("--game", other) == [("board.example", "lampman", "Fen")]


def test_a_name_that_two_games_gave_to_two_players_offers_both() -> None:
    fix(game("Tin Valley", ("Ada", vote("lampman"))), 2, "Moth")
    fix(game("Salt Lane", ("Ada", vote("lampman"))), 2, "Fen")
    (question,) = questions(game("Dry Moor", ("Boro", vote("lampman"))))
    assert question["candidates"] == ["Fen", "Moth"]


def test_an_alias_is_learned_where_the_thread_calls_them_so() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")), ("Boro", vote("lampman")))
    run("alias", "Moth", "lampman", "--why", "all say so", "--game", here)
    run("alias", "Fen", "swampy", "--why", "in a PM", "--game", here)
    assert book() == LAMPMAN


def test_an_answer_that_is_taken_back_is_unlearned_if_nothing_else_taught_it() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")), ("Boro", vote("lampman")))
    fix(here, 2, "Moth")
    fix(here, 3, "Moth")
    run("undo", "1", "--why", "no", "--game", here)
    assert book() == LAMPMAN
    run("undo", "2", "--why", "no", "--game", here)
    assert book() == []
    run("undo", "4", "--why", "yes", "--game", here)
    assert book() == LAMPMAN


def test_another_answer_takes_the_place_of_the_first_one() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")))
    fix(here, 2, "Moth")
    fix(here, 2, "Fen")
    assert book() == [(SITE, "lampman", "Fen")]
    run("fix", "2", "--ignore", "--why", "a joke", "--game", here)
    assert book() == []
    run("undo", "--why", "no joke", "--game", here)
    assert book() == [(SITE, "lampman", "Fen")]


def test_of_a_slot_that_changed_hands_nobody_knows_whose_nickname_it_is() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")))
    run("replace", "Moth", "Gale", "--at", "2", "--why", "left", "--game", here)
    fix(here, 2, "Gale")
    assert book() == []


def test_a_decision_on_a_sign_up_is_no_answer_about_a_vote() -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")))
    assert run("signup", "decide", "2", "in", "--why", "by PM", "--game", here).exit_code == 0
    fix(here, 2, "Moth")
    assert run("undo", "1", "--why", "no", "--game", here).exit_code == 0
    assert book() == LAMPMAN


def test_a_nickname_is_forgotten_for_one_player_or_for_all() -> None:
    fix(game("Tin Valley", ("Ada", vote("lampman")), ("Boro", vote("sparky"))), 2, "Moth")
    fix("tin-valley", 3, "Fen")
    fix(game("Salt Lane", ("Ada", vote("lampman"))), 2, "Fen")
    done = run("nicknames", "--forget", "LAMPMAN", "--of", "moth")
    assert done.stdout.startswith("Forgotten: “lampman” for Moth on forum.example.\n")
    assert book() == [(SITE, "lampman", "Fen"), (SITE, "sparky", "Fen")]
    run("nicknames", SITE, "--forget", "lampman")
    assert book() == [(SITE, "sparky", "Fen")]
    assert run("nicknames", "--forget", "lampman").exception is not None


def test_the_list_names_player_game_and_date_in_eighty_columns() -> None:
    assert run("nicknames").stdout == "No nickname is in your book.\n"
    fix(game("Tin Valley", ("Ada", vote("lampman"))), 2, "Moth")
    lines = run("nicknames").stdout.splitlines()
    assert lines[0].split() == ["nickname", "account", "game", "date", "site"]
    assert lines[2].split()[:4] == ["lampman", "Moth", "Tin", "Valley"]
    with pytest.raises(InputError, match="is no site"):
        kf.Game.open("tin-valley").nickname_book(site="//")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"schema": 2, "nicknames": []}', '{"schema": 1, "nicknames": [{"site": 4}]}', "\udcff"],
)
def test_a_damaged_book_is_told_stays_as_it_is_and_stops_nothing(text: str, home: Path) -> None:
    home.mkdir()
    content = text.encode("utf-8", "surrogateescape")
    (home / "nicknames.json").write_bytes(content)
    here = game("Tin Valley", ("Ada", vote("lampman")), ("Boro", vote("Kestrel")))
    counted = run("vc", "--stored", "--game", here)
    assert "Kestrel (1)[/b]: Boro" in counted.stdout
    assert counted.stderr.count("cannot be read") == 1
    done = run("fix", "2", "--to", "Moth", "--why", "clear", "--game", here)
    assert done.exit_code == 0
    assert "your book of nicknames is as it was" in done.stderr
    assert (home / "nicknames.json").read_bytes() == content
    assert isinstance(run("nicknames").exception, StateDamaged)


def test_a_folder_that_cannot_be_written_is_told_and_the_decision_is_kept(home: Path) -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")))
    home.write_text("a file is in the way", encoding="utf-8")
    done = run("fix", "2", "--to", "Moth", "--why", "clear", "--game", here)
    assert done.exit_code == 0
    assert "your book of nicknames is as it was" in done.stderr
    assert "Moth (1)[/b]: Ada" in run("vc", "--stored", "--game", here).stdout


def test_a_book_that_another_program_keeps_is_told_and_the_decision_is_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "PATIENCE", 0.1)
    here = game("Tin Valley", ("Ada", vote("lampman")))
    home.mkdir()
    with Turn(home / "nicknames.json", "Wren", "another run"):
        done = run("fix", "2", "--to", "Moth", "--why", "clear", "--game", here)
    assert done.exit_code == 0
    assert "Wren (another run, process" in done.stderr
    assert "has been writing in your book of nicknames" in done.stderr
    assert book() == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")
def test_the_book_is_for_its_owner_alone_and_holds_no_more_than_it_says(home: Path) -> None:
    fix(game("Tin Valley", ("Ada", vote("lampman"))), 2, "Moth")
    file = home / "nicknames.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (row,) = json.loads(file.read_text(encoding="utf-8"))["nicknames"]
    assert sorted(row) == ["account", "at", "game", "nickname", "site"]


def test_python_learns_offers_and_forgets_alike() -> None:
    kf.Game.open(game("Tin Valley", ("Ada", vote("lampman")))).fix(2, to="Moth", why="clear")
    later = kf.Game.open(game("Salt Lane", ("Boro", vote("lampman"))))
    (doubt,) = later.count(stored=True).questions
    assert doubt.candidates == ("Moth",)
    assert [(one.nickname, one.account) for one in later.nickname_book().entries] == [("lampman", "Moth")]
    assert later.nickname_book(forget="lampman").entries == ()
    assert session_of(Path("salt-lane")).nicknames is not None


def test_a_thread_without_an_address_teaches_nothing(home: Path) -> None:
    here = game("Tin Valley", ("Ada", vote("lampman")))
    file = Path(here) / "game.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("[[thread]]", "[[other]]"), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    start = text.index("[[other]]")
    file.write_text(text[:start] + text[text.index("[[day]]") :], encoding="utf-8")
    fix(here, 2, "Moth")
    assert not (home / "nicknames.json").exists()
