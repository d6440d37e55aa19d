"""Two moderators at one game: no entry is lost, and the second is told what came in between."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from cli.killed_verbs import VOTES, template
from fetch.loopback import StillClock, client
from fetch.threads import Forum
from knightfall.engine.entries import (
    Aliased,
    Closed,
    Delivered,
    Entry,
    Fixed,
    Locked,
    Published,
    Ruled,
    Submitted,
)
from knightfall.engine.journal import standing
from knightfall.errors import DecisionNeeded, InputError
from knightfall.sentence import SlotId
from knightfall.services.day.close import close, look
from knightfall.services.game.undo import undo
from knightfall.services.journal import rule
from knightfall.services.now import now_of
from knightfall.services.publish import note_posted
from knightfall.services.requests import ClosingRequest
from knightfall.services.running import written
from knightfall.services.session import Seen, Session, entered, journal_of
from knightfall.storage import turn
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from services.end_of_day import Evening, Game, board, game, vote
from services.journal_folder import court, journal, run
from web.hands import form_hand
from web.served import served

RUN = (sys.executable, "-c", "from knightfall.cli import main; main()")
NOWHERE = "nowhere"


def session_of_test(folder: Path, author: str, heard: list[str]) -> Session:
    """The session of one of the two."""
    clock, file, seen = StillClock(), folder / "game.db", Seen(heard.append)
    journal = lambda: Ledger.open(file)  # noqa: E731
    return Session(clock, client(clock), lambda _: Store.open(file), journal, author, seen, folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return court(tmp_path_factory.mktemp("made") / "court")


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "court"))


def test_who_writes_second_is_told_what_came_in_between(folder: Path) -> None:
    heard: list[str] = []
    pike, wren = session_of_test(folder, "Pike", heard), session_of_test(folder, "Wren", [])
    journal_of(pike)
    rule("Do ties kill?", "nobody", "rules", wren)
    entered(Fixed("7", "ignore", "a joke"), wren, NOWHERE)
    rule("Who begins?", "Ada", "alphabet", pike)
    assert heard == [
        "Meanwhile: 5 Wren: ruling: Do ties kill? nobody (rules)",
        "Meanwhile: 6 Wren: post 7: its votes do not count (a joke)",
    ]
    assert [record.author for record in journal(folder)[4:]] == ["Wren", "Wren", "Pike"]


def test_what_was_told_is_told_once_and_nothing_where_nothing_came(folder: Path) -> None:
    heard: list[str] = []
    pike, wren = session_of_test(folder, "Pike", heard), session_of_test(folder, "Wren", [])
    journal_of(pike)
    rule("Do ties kill?", "nobody", "rules", wren)
    for answer in ("yes", "no"):
        rule("More?", answer, "w", pike)
    journal_of(pike)
    undo(None, "w", pike)
    assert len(heard) == 1


def test_a_message_is_taken_in_behind_what_came_in_between(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    table = now_of(pike).running
    written(now_of(wren).running, Submitted(SlotId("Elm"), "VOTE: Ada"), wren)
    after = written(table, Submitted(SlotId("Fen"), "VOTE: Ada"), pike)
    assert [record.author for record in after.journal[-2:]] == ["Wren", "Pike"]
    assert after.journal == journal(folder)


def test_a_closing_is_refused_where_it_would_not_be_the_same_any_more(folder: Path) -> None:
    heard: list[str] = []
    pike, wren = session_of_test(folder, "Pike", heard), session_of_test(folder, "Wren", [])
    table = now_of(pike).running
    for name in ("Boro", "Cinder", "Dusk"):
        written(now_of(wren).running, Submitted(SlotId(name), "VOTE: Elm"), wren)
    with pytest.raises(DecisionNeeded, match="“vote closed” was prepared before entry 7") as no:
        written(table, Closed("vote"), pike)
    assert no.value.exit_status == 3
    assert len(heard) == 3
    assert len(journal(folder)) == 7


def test_a_closing_that_stays_the_same_is_written(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    table = now_of(pike).running
    rule("Do ties kill?", "nobody", "rules", wren)
    written(table, Closed("vote"), pike)
    assert [type(record.entry) for record in journal(folder)[4:]] == [Ruled, Closed]


def test_the_same_closing_twice_is_written_once(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    mine, theirs = now_of(pike).running, now_of(wren).running
    written(theirs, Closed("vote"), wren)
    with pytest.raises(DecisionNeeded):
        written(mine, Closed("vote"), pike)
    assert len(journal(folder)) == 5


@pytest.mark.parametrize(
    ("mine", "theirs", "refused"),
    [
        (Locked("day-1", "9"), Fixed("7", "ignore", "w"), True),
        (Locked("day-1", "9"), Delivered("role-1", SlotId("Ada"), "sent"), False),
        (Aliased(SlotId("Ada"), "ad"), Locked("day-1", "9"), False),
        (Published("rules", 1, "", "x"), Published("rules", 1, "", "y"), True),
        (Published("rules", 1, "", "x"), Published("dawn", 1, "", "y"), False),
    ],
    ids=["lock-fix", "lock-pm", "alias-lock", "same-number", "other-kind"],
)
def test_what_rests_on_the_state_is_refused_by_what_came(
    folder: Path, mine: Entry, theirs: Entry, refused: bool
) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    journal_of(pike)
    entered(theirs, wren, NOWHERE)
    if refused:
        with pytest.raises(DecisionNeeded, match="Nothing was written"):
            entered(mine, pike, NOWHERE)
    else:
        entered(mine, pike, NOWHERE)
    assert len(journal(folder)) == 5 + (not refused)


def test_the_number_of_a_post_is_given_out_once(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    known = journal_of(pike)
    assert note_posted("rules", "x", 0, journal_of(wren), wren).number == 1
    with pytest.raises(DecisionNeeded):
        note_posted("rules", "y", 0, known, pike)
    assert note_posted("rules", "y", 0, journal_of(pike), pike).number == 2


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Game]:
    said = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Cinder", vote("Fen")))
    with game(tmp_path, Evening(Forum(board(*said)))) as played:
        yield played


def closing(played: Game, wren: list[Entry]) -> None:
    """A day is closed while somebody else writes, just before the moderator types."""
    other = replace(played.session, author="Pike", seen=Seen())
    found = look(ClosingRequest(pause=2), played.session)
    for entry in wren:
        entered(entry, other, NOWHERE)
    close(found, "Fen", played.session)


def test_a_day_whose_end_was_changed_meanwhile_stays_open(evening: Game) -> None:
    with pytest.raises(
        DecisionNeeded,
        match=r"“day 1 closed as of [^:]+:[0-9]+ UTC: eliminate Fen” was prepared before entry 1",
    ):
        closing(evening, [Fixed("3", "ignore", "a joke")])
    assert [type(record.entry) for record in journal(evening.folder)] == [Fixed]


def test_a_day_whose_end_stays_the_same_is_closed(evening: Game) -> None:
    closing(evening, [Aliased(SlotId("Kestrel"), "kes", "w"), Ruled("Q?", "yes", "w")])
    assert isinstance(journal(evening.folder)[-1].entry, Closed)


@pytest.mark.long
def test_notes_of_several_at_once_wait_for_their_turn(folder: Path) -> None:
    notes = [("mod-note", f"Note {n}.", "--game", str(folder)) for n in range(3)]
    processes = [
        subprocess.Popen([*RUN, *one], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for one in notes
    ]
    said = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, said
    entries = [record.entry for record in journal(folder) if isinstance(record.entry, Published)]
    assert sorted(entry.number for entry in entries) == [1, 2, 3]
    for entry in entries:
        assert (folder / "public" / f"mod-note-{entry.number}.txt").read_text().strip() == entry.text.strip()


@pytest.mark.long
def test_many_processes_at_once_lose_nothing(folder: Path) -> None:
    words = [("rule", f"Question {n}?", "yes", "--why", "w", "--game", str(folder)) for n in range(3)]
    processes = [
        subprocess.Popen([*RUN, *one], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for one in words
    ]
    said = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, said
    told = {int(out.partition(":")[0]) for out, _ in said}
    assert told == {5, 6, 7}
    asked = {record.entry.question for record in journal(folder)[4:] if isinstance(record.entry, Ruled)}
    assert asked == {f"Question {n}?" for n in range(3)}


WRITER = """
import json, sys
from services.journal_folder import run
said = ""
for words in json.loads(sys.argv[1]):
    done = run(*(said.partition(":")[0] if word == "LAST" else word for word in words))
    said = done.output
    print(json.dumps([" ".join(words), done.exit_code, f"{said} {done.exception or ''}"]), flush=True)
"""
"""Runs commands one after the other; the word LAST is the number with which the one before answered."""


def of_a_court(name: str, place: int) -> list[tuple[str, ...]]:
    """Twelve writes of one of three moderators of a King's Court; no two of the three are alike."""
    return [
        ("submit", name, "VOTE: Elm"),
        ("mod-note", f"Note of {name}."),
        ("phase", "extend", "vote", "--by", "1h", "--far"),
        ("rule", f"First of {name}?", "yes", "--why", "w"),
        ("undo", "LAST", "--why", "sent too early"),
        ("pm", "mark", "sent", name),
        ("replace", name, f"{name}-two", "--at", "12"),
        ("post", "rules", "--posted", "--stored"),
        ("phase", "extend", "vote", "--by", "1h", "--far", "--why", "asked for"),
        ("submit", f"{name}-two", "VOTE: Hollis"),
        ("vla", name, f"2027-01-0{place}"),  # by the old name: another's undo may take the replacement back
        ("pm", "mark", "confirmed", f"{name}-two"),
    ]


def of_votes(name: str, place: int) -> list[tuple[str, ...]]:
    """The same of a game of votes."""
    day = ("phase", "extend", "day", "1", "--far", "--by")
    posted = ("vc", "--from-jsonl", "posts.jsonl", "--posted", "--game", ".")
    return [
        ("fix", str(place + 1), "--ignore", "--why", "a joke"),
        (*day, "1h"),
        ("alias", name, f"{name}-one", "--why", "all say so"),
        posted,
        ("undo", "--why", "not yet", "--yes"),
        ("mod-note", f"Note of {name}."),
        posted,
        (*day, "2h", "--why", "asked for"),
        ("replace", name, f"{name}-two", "--at", "4"),
        ("vla", name, f"2027-01-0{place}"),  # by the old name: another's undo may take the replacement back
        ("phase", "lock", "day", "1", "--post", "4"),
        ("rule", f"First of {name}?", "yes", "--why", "w"),
    ]


def folder_of_votes(place: Path) -> Path:
    """A game of votes with a deadline."""
    made = template(VOTES, place, "")
    ends = ("--ends", "2099-01-05T20:00:00+00:00", "--far")
    assert run("phase", "extend", "day", "1", *ends, "--game", str(made)).exit_code == 0
    return made


@pytest.mark.long
@pytest.mark.parametrize("of_game", [of_a_court, of_votes])
def test_what_three_write_at_once_is_written_one_after_the_other(
    folder: Path, tmp_path: Path, of_game: Callable[[str, int], list[tuple[str, ...]]]
) -> None:
    place = folder if of_game is of_a_court else folder_of_votes(tmp_path)
    before = journal(place)
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    processes = {
        name: subprocess.Popen(
            [sys.executable, "-c", WRITER, json.dumps(of_game(name, number))],
            cwd=place,
            env={**paths, "KNIGHTFALL_AUTHOR": name},
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, name in enumerate(("Ada", "Boro", "Fen"), start=1)
    }
    for name, process in processes.items():
        said = [json.loads(line) for line in process.communicate(timeout=120)[0].splitlines()]
        assert [code for _, code, _ in said] == [0] * 12, "\n".join(
            f"{name}: {one}" for one in said if one[1]
        )

    # Each wrote their own in their order; what was there stands where it stood.
    after = journal(place)
    assert after[: len(before)] == before
    kinds = {name: [type(one.entry).__name__ for one in after if one.author == name] for name in processes}
    assert kinds["Ada"] == kinds["Boro"] == kinds["Fen"]
    assert len(kinds["Ada"]) > 12  # the reason of an extension is an entry, too
    posted = [one.entry for one in standing(after) if isinstance(one.entry, Published)]
    assert len({(one.kind, one.number) for one in posted}) == len(posted)
    assert run("verify", "--game", str(place)).exit_code == 0


HOLDER = """
import os, signal, sys
from pathlib import Path
from knightfall.storage.turn import Turn
with Turn(Path(sys.argv[1]), "Wren", "knightfall commit"):
    print("held", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.fixture
def hanging(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A program that took its turn and hangs."""
    words = [sys.executable, "-c", HOLDER, str(folder / "game.db")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.kill()


def test_who_waits_for_a_program_that_hangs_gives_up_and_says_what_to_do(
    folder: Path, hanging: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 3 <= turn.PATIENCE <= 8
    monkeypatch.setattr(turn, "PATIENCE", 0.3)
    before, pid = journal(folder), hanging.pid
    for words in (
        ("rule", "Q?", "yes", "--why", "w"),
        ("undo",),
        ("commit", "--yes"),
        ("submit", "Ada", "x"),
    ):
        fault = run(*words, "--game", str(folder)).exception
        assert isinstance(fault, InputError)
        assert re.fullmatch(
            rf"Wren \(knightfall commit, process {pid}\) has been writing in this game for \d+ s\. Nothing "
            rf"was written\. Try again when that is done; if it hangs, end process {pid} first\.",
            str(fault),
        )
    assert journal(folder) == before


def test_who_only_reads_never_waits(
    folder: Path, hanging: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(_: object) -> None:
        raise AssertionError("a verb that only reads waits for its turn")

    assert hanging.poll() is None
    monkeypatch.setattr(turn.Turn, "__enter__", taken)
    for words in (("status",), ("log",), ("missing",), ("submissions",), ("pm", "roles"), ("verify",)):
        assert run(*words, "--game", str(folder)).exit_code == 0, words


def test_a_turn_ends_with_its_program(folder: Path, hanging: subprocess.Popen[str]) -> None:
    hanging.kill()
    hanging.wait(10)
    began = time.monotonic()
    assert run("rule", "Q?", "yes", "--why", "w", "--game", str(folder)).exit_code == 0
    assert time.monotonic() - began < turn.PATIENCE


def test_a_command_and_the_page_wait_for_each_other(
    folder: Path, hanging: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "PATIENCE", 0.3)
    ruling = {"Question": "Who begins?", "Your answer": "Ada", "Reason (kept in the log)": "w"}
    hand = form_hand(served(folder.parent))
    hand.go(f"/games/{folder.name}/log")
    hand.press("Record it", ruling)
    assert "has been writing in this game" in hand.text
    hanging.kill()
    hanging.wait(10)
    hand.go(f"/games/{folder.name}/log")
    hand.press("Record it", ruling)
    assert isinstance(journal(folder)[-1].entry, Ruled)


def test_a_turn_can_be_taken_again_by_who_has_it_and_by_nobody_else(folder: Path) -> None:
    mine, theirs = (turn.Turn(folder / "game.db", name, patience=0.1) for name in ("Pike", "Wren"))
    with mine, mine, pytest.raises(InputError, match="Pike"), theirs:
        pass
    with theirs, pytest.raises(InputError, match="Wren"), mine:
        pass


def test_where_there_can_be_no_lock_nobody_waits(tmp_path: Path) -> None:
    with turn.Turn(tmp_path / "no folder" / "game.db", "Wren"):
        assert not list(tmp_path.iterdir())


def test_who_waits_for_one_after_the_other_does_not_give_up(folder: Path) -> None:
    """Ten who hold it for longer together than anybody waits for one."""

    def write(number: int) -> None:
        with turn.Turn(folder / "game.db", str(number), patience=0.5):
            time.sleep(0.15)

    with ThreadPoolExecutor(10) as pool:
        assert len(list(pool.map(write, range(10)))) == 10
