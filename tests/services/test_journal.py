"""`knightfall rule`, `verify`, `export`, `import`, `doctor` of a folder, and `--at`."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fetch.loopback import StillClock
from fetch.threads import Forum
from knightfall.cli.format_game import fault_lines, verified_lines
from knightfall.engine import entries as e
from knightfall.engine.entries import Aliased, Ruled
from knightfall.errors import DecisionNeeded, InputError, StateDamaged
from knightfall.forums.base import Response
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import count_votes, note_as_counted, note_as_posted, post_of
from knightfall.services.journal import rule
from knightfall.services.keep.doctor import health
from knightfall.services.keep.verify import verify_game
from knightfall.services.requests import CountRequest, PostFormat
from knightfall.services.session import Session
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from services.end_of_day import PLAYERS, Evening, board, game, vote
from services.journal_folder import court, journal, lines, run
from storage.test_store import AT, URL, chunk, post


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KNIGHTFALL_AUTHOR", "Wren")
        return court(tmp_path_factory.mktemp("made") / "court")


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A court, in whose folder we stand; Wren moderates."""
    monkeypatch.setenv("KNIGHTFALL_AUTHOR", "Wren")
    place = Path(shutil.copytree(made, tmp_path / "court"))
    monkeypatch.chdir(place)
    return place


def test_a_ruling_is_kept_with_its_reason(folder: Path) -> None:
    said = run("rule", "Do ties kill?", "nobody", "--why", "rules post").stdout
    assert "5: ruling: Do ties kill? nobody (rules post)" in said
    assert journal(folder)[-1].entry == Ruled("Do ties kill?", "nobody", "rules post")
    for words in (("rule", "", "x", "--why", "y"), ("rule", "x", " ", "--why", "y"), ("rule", "x", "y")):
        assert isinstance(run(*words).exception, InputError)


def test_the_same_ruling_again_is_the_entry_that_it_is_until_another_one_stands(folder: Path) -> None:
    again = ("rule", "Do ties kill?", "nobody", "--why", "rules post")
    run(*again)
    told = str(run(*again).exception)
    assert told == "That is entry 5 already: ruling: Do ties kill? nobody (rules post)."
    assert len(journal(folder)) == 5
    run("rule", "Do ties kill?", "both", "--why", "asked the site")
    run(*again)
    assert journal(folder)[-1].number == 7
    run("undo", "7", "--why", "the site is right")
    run(*again)
    assert [record.number for record in journal(folder)][-2:] == [8, 9], "what was taken back does not stand"


def test_the_log_the_messages_and_who_is_missing_are_told_as_of_an_entry_or_a_time(folder: Path) -> None:
    assert "[undone]" in run("log").stdout
    then = run("log", "--at", "3").stdout
    assert "May the dead post?" in then
    assert "[undone]" not in then
    assert run("submissions", "--at", "1").stdout.strip() == "No messages in the current phase."
    assert "VOTE: Boro" in run("submissions", "--at", "2").stdout
    assert "Missing: Ada, Boro" in run("missing", "--at", "1").stdout
    assert "Missing: Boro" in run("missing").stdout
    second = journal(folder)[1].at
    assert len(run("log", "--at", second.isoformat()).stdout.splitlines()) == 2
    assert run("log", "--at", (second - timedelta(days=1)).isoformat()).stdout.strip() == "Nothing yet."
    assert "entries 1 to 4" in str(run("log", "--at", "9").exception)
    ago = run("log", "--at", "30 days ago")
    assert ago.stdout.strip() == "Nothing yet."
    assert "UTC, 30 d ago." in ago.stderr
    assert run("log", "--at", "2").stderr == ""


@pytest.mark.usefixtures("folder")
def test_an_untouched_game_verifies() -> None:
    done = run("verify")
    assert done.exit_code == 0
    assert done.stdout.startswith("Journal: 4 entries. Evidence: 0 pages, 0 versions of posts.")
    assert "King's Court, 4 entries produce" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "status", "says"),
    [
        ("private/deal.json", '"seed": "', '"seed": "00', 1, "give the commitment"),
        ("private/deal.json", '"Ada"', '"Ade"', 1, "belongs to another game"),
        ("private/deal.json", '"seed"', '"sead"', 7, "Restore it from a backup"),
        ("public/commitment.txt", "Commitment:\n", "Commitment:\n0", 1, "the published one"),
    ],
)
def test_a_deal_that_was_changed_is_named(
    folder: Path, file: str, old: str, new: str, status: int, says: str
) -> None:
    text = (folder / file).read_text()
    (folder / file).write_text(text.replace(old, new))
    done = run("verify")
    assert done.exit_code == status
    assert says in done.stderr


def test_a_changed_record_is_damage_and_the_way_to_repair_is_told(folder: Path) -> None:
    with sqlite3.connect(folder / "game.db") as raw:
        raw.execute("UPDATE journal SET entry = replace(entry, 'Boro', 'Bora') WHERE number = 2")
    raw.close()
    done = run("verify")
    assert done.exit_code == 7
    assert "Record 2 of the journal was changed or damaged" in done.stderr
    assert "import your last export (knightfall import FILE)" in done.stderr
    assert isinstance(run("submit", "Ada", "VOTE: Elm").exception, StateDamaged)


# Posted texts


def count_and_post(request: CountRequest, session: Session) -> None:
    """Count, and note the post as posted."""
    answer = count_votes(request, session)
    note_as_posted(post_of(answer, request, session), answer, session)
    note_as_counted(answer, session)


@pytest.mark.parametrize("theme", [None, "ticks"])
def test_a_posted_count_comes_out_the_same_after_more_was_posted(tmp_path: Path, theme: str | None) -> None:
    evening = Evening(Forum(board(("Ada", vote("Fen")), ("Boro", vote("Fen")))))
    with game(tmp_path, evening, ends=None) as played:
        count_and_post(CountRequest(format=PostFormat(theme=theme), dialect="phpbb"), played.session)
        evening.forum.posts += [(104, "Fen", vote("Ada")), (105, "Ada", vote("Boro"))]
        evening.forum.posts[2] = (103, "Boro", vote("Kestrel"))
        evening.clock.sleep(60)
        note_as_counted(count_votes(CountRequest(), played.session), played.session)
        ledger = played.ledger()
        ledger.append(Aliased(SlotId("Fen"), "fenny", "w"), evening.clock.now(), "Wren")
        ledger.close()
        found = verify_game(played.session)
    assert (found.damaged, *fault_lines(found)) == ((),)
    assert "Posted: 1 text, 1 of them the same byte for byte." in list(verified_lines(found))


def test_a_rule_that_was_changed_since_is_named_with_what_differs(tmp_path: Path) -> None:
    evening = Evening(Forum(board(("Ada", vote("Fen")), ("Boro", vote("Fen")))))
    with game(tmp_path, evening, ends=None) as played:
        count_and_post(CountRequest(), played.session)
        file = tmp_path / "game.toml"
        file.write_text(file.read_text().replace('[[player]]\nname = "Kestrel"\n', ""))
        found = verify_game(played.session)
    assert found.exit_status == 1
    [told] = fault_lines(found)
    assert told.startswith("Entry 1, votecount-1 1 differs:\n")
    assert "-With 5 alive, it takes 3 to eliminate." in told
    assert "+With 4 alive, it takes 3 to eliminate." in told


def test_a_count_whose_thread_is_not_kept_is_said_to_be_beyond_comparing(tmp_path: Path) -> None:
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in PLAYERS)
    (tmp_path / "game.toml").write_text(f'schema = 1\n[game]\nmoderators = ["Wren"]\n{players}')
    post = {"number": 1, "id": "1", "user": "Ada", "content": "<b>Vote: Fen</b>"}
    (tmp_path / "posts.jsonl").write_text(json.dumps(post))
    words = ("vc", "--from-jsonl", str(tmp_path / "posts.jsonl"), "--game", str(tmp_path), "--posted")
    assert run(*words).exit_code == 0
    done = run("verify", "--game", str(tmp_path))
    assert done.exit_code == 1, "nobody can say whether that count was right"
    assert "Entry 1, votecount-1 1 cannot be written again here:" in done.stdout + done.stderr


def test_posts_of_a_game_come_out_the_same_in_their_dialect_and_under_words_of_one_s_own(
    folder: Path,
) -> None:
    (folder / "words.txt").write_text("Welcome, [b]all[/b].")
    assert run("post", "opening", "--as", "phpbb", "--posted").exit_code == 0
    assert run("post", "rules", "--flavour", "words.txt", "--posted").exit_code == 0
    assert "2 of them the same" in run("verify").stdout
    file = folder / "game.toml"
    file.write_text(file.read_text().replace("Salt Court", "Pepper Court"))
    done = run("verify")
    assert done.exit_code == 1
    assert (
        "Entry 5, opening 1 differs:\n-[b][size=150]Salt Court[/size][/b]\n+[b][size=150]Pepper"
        in done.stderr
    )


# Export and import


def test_what_was_exported_is_imported_whole_and_only_its_owner_may_read_it(folder: Path) -> None:
    old = os.umask(0)
    try:
        told = run("export", "out.jsonl").stdout
    finally:
        os.umask(old)
    assert told.startswith("Wrote 4 entries to out.jsonl, including secrets")
    assert (folder / "out.jsonl").stat().st_mode & 0o777 == 0o600
    assert [line["digest"] for line in lines(folder / "out.jsonl")] == [r.digest for r in journal(folder)]
    (folder / "empty").mkdir()
    told = run("import", "out.jsonl", "--game", "empty").stdout
    assert "Imported 4 entries, 1 to 4. All hashes are valid." in told
    assert "copy private/deal.json" in told
    assert journal(folder / "empty") == journal(folder)


def test_a_file_that_is_there_is_not_written_over(folder: Path) -> None:
    (folder / "out.jsonl").write_text("mine")
    assert "exists already" in str(run("export", "out.jsonl").exception)
    assert (folder / "out.jsonl").read_text() == "mine"
    (folder / "empty").mkdir()
    assert "nothing to export" in str(run("export", "x.jsonl", "--game", "empty").exception)


def test_an_import_goes_on_behind_what_is_here_and_says_where_nothing_is_new(folder: Path) -> None:
    run("export", "early.jsonl")
    (folder / "other").mkdir()
    run("import", "early.jsonl", "--game", "other")
    assert "all 4 entries are here already" in run("import", "early.jsonl").stdout
    run("rule", "Do ties kill?", "nobody", "--why", "rules post")
    run("export", "late.jsonl")
    assert "1 entries ahead" in run("import", "early.jsonl").stdout
    assert "Imported entry 5." in run("import", "late.jsonl", "--game", "other").stdout
    assert journal(folder / "other") == journal(folder)


def test_a_fork_is_named_with_both_sides(folder: Path) -> None:
    run("export", "early.jsonl")
    (folder / "other").mkdir()
    run("import", "early.jsonl", "--game", "other")
    run("rule", "Do ties kill?", "nobody", "--why", "here")
    run("rule", "Do ties kill?", "both", "--why", "there", "--game", "other")
    run("export", "fork.jsonl", "--game", "other")
    fault = run("import", "fork.jsonl").exception
    assert isinstance(fault, DecisionNeeded)
    assert "The two journals differ from entry 5 on, so nothing was imported." in str(fault)
    assert "Wren: ruling: Do ties kill? nobody (here)" in str(fault)
    assert "Wren: ruling: Do ties kill? both (there)" in str(fault)
    assert len(journal(folder)) == 5


def test_a_torn_last_line_is_refused_and_can_be_left_out(folder: Path) -> None:
    run("export", "out.jsonl")
    whole = (folder / "out.jsonl").read_bytes()
    (folder / "torn.jsonl").write_bytes(whole[:-40])
    (folder / "empty").mkdir()
    fault = run("import", "torn.jsonl", "--game", "empty").exception
    assert isinstance(fault, InputError)
    assert "torn.jsonl: line 4, the last one, is cut off, so nothing was imported." in str(fault)
    assert "--drop-torn-line imports the 3 lines before it" in str(fault)
    assert journal(folder / "empty") == ()
    told = run("import", "torn.jsonl", "--drop-torn-line", "--game", "empty").stdout
    assert "Imported 3 entries" in told
    assert "Line 4 was cut off and left out." in told
    assert journal(folder / "empty") == journal(folder)[:3]


def test_every_changed_byte_of_an_export_is_named_by_its_record(folder: Path) -> None:
    run("export", "out.jsonl")
    (folder / "empty").mkdir()
    whole = (folder / "out.jsonl").read_bytes()
    for place in range(0, len(whole) - 1, 211):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        (folder / "bad.jsonl").write_bytes(damaged)
        fault = run("import", "bad.jsonl", "--game", "empty").exception
        number = whole[:place].count(b"\n") + 1
        assert isinstance(fault, StateDamaged), place
        assert f"record {number} " in str(fault).casefold(), (place, fault)
    assert journal(folder / "empty") == ()


SECRETS = (
    "VOTE: Boro",
    "deal.json",
    "seed",
    "Wren",
    "rooms.example",
    "seance",
    "medic",
    "sid=",
    "cold feet",
    "lamp-lighters",
)


def test_a_public_export_holds_nothing_secret(folder: Path) -> None:
    file = folder / "game.toml"
    file.write_text(
        file.read_text() + '[[thread]]\nrole = "private"\nurl = "https://rooms.example/t/7-seance"\n'
    )
    at = journal(folder)[-1].at
    ledger = Ledger.open(folder / "game.db")
    for entry in (
        e.Published("mod_note", 1, "0" * 64, "see https://rooms.example/t/7-seance/4", "3"),
        e.Published("mod_note", 2, "0" * 64, "see https://forum.example/t?sid=0123456789abcdef0123", "3"),
        e.Fixed("9", "ignore", "see https://rooms.example/t/7-seance/4"),
        e.Drawn("tie", 3),
        e.Ruled("Is Ada the medic?", "yes", "x"),
        e.Replaced(SlotId("Elm"), "Pike", "12", "cold feet"),
        e.Delivered("role-1", SlotId("Ada"), "sent", "0" * 64),
        e.Roomed("lamp-lighters", "Gale", True),
        e.Published("votecount-1", 1, "0" * 64, "[b]Boro[/b] (1)\nNot voting: Ada", "3"),
        e.Undone(8, "x"),
        e.Undone(7, "x"),
    ):
        ledger.append(entry, at, "Wren")
    ledger.close()
    done = run("export", "--public", "out.jsonl")
    assert done.exit_code == 0, done.exception
    text = (folder / "out.jsonl").read_text()
    assert [word for word in SECRETS if word in text] == []
    kinds = [(line["number"], line["entry"]) for line in lines(folder / "out.jsonl")]
    assert kinds == [(1, "started"), (7, "fixed"), (10, "replaced"), (13, "published"), (15, "undone")]
    assert not {"before", "digest"} & set(text.split('"'))
    assert "links to a private thread.\nEntry 6 is left out: line" in done.stderr
    assert "5 of 15 entries" in done.stdout


# The doctor of a folder


def told(folder: Path, *words: str) -> dict[str, str]:
    result = run("doctor", "--game", str(folder), *words)
    rows = [line.split(maxsplit=1) for line in result.stdout.splitlines() if line[:1] != " "]
    return dict(rows) | {"status": str(result.exit_code)}


def test_a_new_folder_is_healthy(folder: Path) -> None:
    found = told(folder)
    assert found["status"] == "0"
    assert "only you can open it" in run("doctor").stdout
    assert found["Journal"].startswith("4 entries")
    assert found["Seed"].startswith("private/deal.json can be read")


def test_each_illness_of_a_folder_is_told_with_its_cure(folder: Path) -> None:
    folder.chmod(0o755)
    assert "chmod 700" in run("doctor").stdout
    folder.chmod(0o700)
    (folder / "private" / "deal.json").chmod(0o644)
    assert "chmod go=" in run("doctor").stdout
    (folder / "private" / "deal.json").chmod(0o600)
    assert told(folder)["status"] == "0"
    (folder / "private" / "deal.json").rename(folder / "moved.json")
    seedless = run("doctor")
    assert seedless.exit_code == 7
    assert "Restore it" in seedless.stdout
    (folder / "game.toml").write_text("schema = 1\n[gaem]\n")
    assert "gaem" in run("doctor").stdout
    (folder / "game.db").write_bytes(b"This is no database. " * 60)
    for name in ("game.db-wal", "game.db-shm"):
        (folder / name).unlink(missing_ok=True)
    assert run("doctor").exit_code == 7
    assert "is damaged" in run("doctor").stdout


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("date", "says"),
    [
        ("Sat, 21 Nov 2026 12:00:20 GMT", "agrees with the forum's (-20 s"),
        ("Sat, 21 Nov 2026 11:56:00 GMT", "Your clock was 4 min ahead of the forum's at"),
        ("Sat, 21 Nov 2026 13:00:00 GMT", "Your clock was 60 min behind the forum's at"),
        ("yesterday", "not compared"),
    ],
)
def test_the_clock_is_compared_with_the_forum_s(tmp_path: Path, date: str, says: str) -> None:
    store = Store.open(tmp_path / "game.db")
    page = Response(URL, 200, "<html></html>", {"date": date})
    store.save_page(URL, "phpbb", page, chunk(1, post(1), pages=1), AT)
    store.close()
    assert says in " ".join(run("doctor", "--game", str(tmp_path)).stdout.split())


def test_threads_are_asked_for_only_online(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(("Ada", vote("Fen")))))) as played:
        offline = dict(health(played.session, online=False).lines)
        assert offline["Threads"] == "1 in game.toml, not checked. To check the forum: “online”"
        assert played.server.asked == []
        online = dict(health(played.session, online=True).lines)
        assert "page 1 of 1" in online["Thread (game)"]
    gone = health(played.session, online=True)
    assert gone.exit_status == 6


def test_a_clock_that_was_set_back_is_told_once_and_by_the_doctor(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(("Ada", vote("Fen")))))) as played:
        heard: list[str] = []
        played.session.seen.tell = heard.append
        rule("One?", "yes", "w", played.session)
        early = StillClock([-7200.0])
        back = replace(played.session, clock=early)
        rule("Two?", "yes", "w", back)
        rule("Three?", "yes", "w", back)
        assert [line for line in heard if "The clock of this machine" in line] == heard
        assert len(heard) == 1
        assert "before entry 1 " in heard[0]
        assert [r.number for r in journal(tmp_path)] == [1, 2, 3]
        assert "was the clock set back?" in dict(health(back, online=False).lines)["Clock"]
        assert verify_game(back).exit_status == 0
    assert isinstance(journal(tmp_path)[0].entry, Ruled)
