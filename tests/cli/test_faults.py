"""What happens where something goes wrong under a verb: it works, or refuses with the way to repair."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from cli.killed_verbs import RUN, VERBS, again, forum, killed, template
from fetch.boards import Prosilver
from knightfall.errors import InputError, StateDamaged
from knightfall.services.machine import session_of
from knightfall.services.pasted import keep_pasted
from long_runs import first
from services.journal_folder import court, journal, run
from services.test_pasted import ROOT, copy_of, written

KILLS = 2
"""scripts/soak-faults tries 200."""
LATEST = 1.2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return court(tmp_path_factory.mktemp("made") / "court")


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "court")
    return tmp_path / "court"


@pytest.mark.long
def test_a_verb_that_is_killed_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    chance = Random(2)
    with forum() as url:
        for number, (sort, words) in enumerate(chance.sample(VERBS, KILLS)):
            place = tmp_path / str(number)
            killed(words, template(sort, tmp_path, url), chance.uniform(0.1, LATEST), place)
            if number == 0:
                again(words, place)


# The disk is full


@pytest.mark.long
def test_a_full_disk_is_told_where_a_file_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    fault = run("export", str(folder / "out.jsonl"), "--game", str(folder)).exception
    assert isinstance(fault, InputError)
    assert "out.jsonl cannot be written: No space left on device." in str(fault)
    assert [file.name for file in folder.iterdir() if "out.jsonl" in file.name] == []


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from knightfall.cli import main
main()
"""


@pytest.mark.parametrize("size", first(0, [0, 40_000]))
def test_a_disk_that_takes_no_more_leaves_the_journal_as_it_was(folder: Path, size: int) -> None:
    before = journal(folder)
    words = ("submit", "Fen", "VOTE: Ada " + "x" * 60_000, "--game", str(folder))
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(size), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "try again" in done.stderr or "cannot be written" in done.stderr
    assert journal(folder)[: len(before)] == before
    assert run("submit", "Fen", "VOTE: Ada", "--game", str(folder)).exit_code == 0


# A folder that one may only read

DROP, OVERRIDE, SEARCH = 24, 1, 2


def bound_by_modes() -> None:
    """Who runs as root is bound by the modes of files from the next program on, like everybody else."""
    if os.getuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for power in (OVERRIDE, SEARCH):
            assert library.prctl(DROP, power, 0, 0, 0) == 0, os.strerror(ctypes.get_errno())


@pytest.fixture
def readable(folder: Path) -> Iterator[Path]:
    """A game that may be read and not written."""
    paths = (folder, *folder.rglob("*"))
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in paths:
        path.chmod(0o755)


ADVICE = ("read-only", "can you read and write", "cannot be written")


def bound(words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder, by somebody who is bound by the modes of files."""
    return subprocess.run(
        [*RUN, *words],
        cwd=folder,
        preexec_fn=bound_by_modes,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "words",
    first(1, [("rule", "Do ties kill?", "nobody", "--why", "w"), ("export", "out.jsonl")]),
    ids=lambda words: words[0],
)
def test_a_read_only_folder_is_told_as_such(readable: Path, words: tuple[str, ...]) -> None:
    done = bound(words, readable)
    assert done.returncode == 2, done.stderr
    assert any(told in done.stderr for told in ADVICE)
    assert "fault of ours" not in done.stderr


@pytest.mark.parametrize("verb", first(1, ["log", "verify", "status", "missing", "submissions", "passport"]))
def test_a_read_only_folder_can_be_looked_at(readable: Path, verb: str) -> None:
    done, there = bound((verb,), readable), {path.name for path in readable.iterdir()}
    assert (done.returncode, done.stderr) == (0, "")
    assert any(told in done.stdout for told in ("Ada", "Boro", "All hashes are valid"))
    assert not {name for name in there if name.endswith(("-shm", "-wal"))}


@pytest.mark.long
def test_a_game_can_be_handed_over_from_a_read_only_folder(readable: Path) -> None:
    done = bound(("hand-over",), readable)
    assert done.returncode == 0, done.stderr
    assert "END KNIGHTFALL 1/1" in done.stdout
    assert "That it was handed over is not noted here: " in done.stderr


def test_a_game_that_cannot_be_read_is_told_as_such(readable: Path) -> None:
    (readable / "game.db").chmod(0)
    done = bound(("log",), readable)
    assert (done.returncode, done.stdout) == (2, "")
    assert any(told in done.stderr for told in ADVICE)


@pytest.mark.long
def test_what_was_written_last_is_never_left_out_to_look_at_a_folder(readable: Path) -> None:
    (readable / "game.db-wal").write_bytes(b"an entry that is not in the file yet")
    done = bound(("log",), readable)
    assert (done.returncode, done.stdout) == (2, "")
    assert any(told in done.stderr for told in ADVICE)


# The file is damaged


def test_a_damaged_page_of_the_database_is_told_with_the_way_to_repair(folder: Path) -> None:
    run("export", str(folder / "backup.jsonl"), "--game", str(folder))
    file, before = folder / "game.db", journal(folder)
    data = bytearray(file.read_bytes())
    for place in range(4096, len(data), 7):
        data[place] ^= 0xFF
    file.write_bytes(data)
    for beside in ("game.db-wal", "game.db-shm"):
        (folder / beside).unlink(missing_ok=True)
    for words in (("verify",), ("doctor",)):
        done = run(*words, "--game", str(folder))
        assert done.exit_code == 7, done.output
    fault = run("rule", "Q?", "yes", "--why", "w", "--game", str(folder)).exception
    assert isinstance(fault, StateDamaged)
    assert "knightfall import FILE" in str(fault)
    file.rename(folder / "damaged.db")
    assert run("import", str(folder / "backup.jsonl"), "--game", str(folder)).exit_code == 0
    assert journal(folder) == before
    assert run("verify", "--game", str(folder)).exit_code == 0


def test_a_file_that_was_cut_short_is_damage(folder: Path) -> None:
    file = folder / "game.db"
    file.write_bytes(file.read_bytes()[:9000])
    for beside in ("game.db-wal", "game.db-shm"):
        (folder / beside).unlink(missing_ok=True)
    assert isinstance(run("log", "--game", str(folder)).exception, StateDamaged)


@pytest.mark.parametrize("words", [("status",), ("log",), ("vc",), ("rule", "Q?", "yes", "--why", "w")])
def test_a_game_without_its_file_is_not_told_as_no_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(folder)
    before = journal(folder)
    Path("game.toml").rename("mine.toml")
    fault = run(*words).exception
    assert isinstance(fault, InputError)
    assert "has a game's journal, game.db, but no game.toml" in str(fault)
    Path("mine.toml").rename("game.toml")
    assert journal(folder) == before
    assert run("status").exit_code == 0


# The address is none


@pytest.mark.parametrize("address", ["http://[::1", "https://forum.example:99999/t"])
@pytest.mark.parametrize(
    "words",
    [
        ("vc",), ("read",), ("near",), ("roster",), ("activity",), ("explain", "3"), ("pm", "prods"),
        ("signup", "read"), ("doctor",),
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], address: str
) -> None:
    monkeypatch.chdir(tmp_path)
    head = 'schema = 1\n[game]\ntimezone = "UTC"\n[rules]\nprod_after = "48h"\n'
    (tmp_path / "game.toml").write_text(head + '[[player]]\nname = "Ada"\n', encoding="utf-8")
    fault = run(*words, address).exception
    assert isinstance(fault, InputError)
    assert fault.exit_status == 2
    assert str(fault).startswith(f"{address} is not the address of a page")


def test_a_thread_whose_address_is_none_is_told_with_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    says = "thread.1.url: found 'http://[::1', expected an address such as https://"
    assert says in str(run("new", "votes", "Kettle", "--thread", "game=http://[::1").exception)
    (tmp_path / "game.toml").write_text('schema = 1\n[[thread]]\nurl = "http://[::1"\n', encoding="utf-8")
    assert says in str(run("vc").exception)


# The database is lost


@pytest.mark.parametrize("left", [False, True], ids=["no file", "an empty one"])
def test_a_lost_database_is_damage_and_nothing_is_begun_in_its_place(folder: Path, left: bool) -> None:
    backup = folder.parent / "backup.jsonl"
    assert run("export", str(backup), "--game", str(folder)).exit_code == 0
    (folder / "game.db").unlink()
    if left:
        (folder / "game.db").touch()
    for words in (
        ("log",),
        ("missing",),
        ("roster",),
        ("deal",),
        ("pm", "roles"),
        ("mod-note", "hi"),
    ):
        fault = run(*words, "--game", str(folder)).exception
        assert isinstance(fault, StateDamaged), (words, fault)
        assert "The journal of this game is lost" in str(fault)
        assert "knightfall import FILE" in str(fault)
    verified = run("verify", "--game", str(folder))
    assert verified.exit_code == 7
    assert "The journal of this game is lost" in verified.stderr
    examined = run("doctor", "--game", str(folder))
    assert examined.exit_code == 7
    assert "The journal of this game is lost" in " ".join(examined.stdout.split())
    assert run("import", str(backup), "--game", str(folder)).exit_code == 0
    assert run("doctor", "--game", str(folder)).exit_code == 0
    assert run("log", "--game", str(folder)).exit_code == 0


@pytest.mark.long
def test_a_votecount_is_printed_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setenv("KNIGHTFALL_HOME", str(own))
    board = Prosilver(written(4))
    board.root = ROOT
    url = keep_pasted(copy_of(board, 1), session_of(None)).pages.url
    expected = bound(("vc", url, "--stored"), tmp_path)
    for path in (own, *own.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    done = bound(("vc", url, "--stored"), tmp_path)
    for path in (own, *own.rglob("*")):
        path.chmod(0o755)
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    assert "How far it was counted is not noted here: " in done.stderr
    assert expected.stdout
