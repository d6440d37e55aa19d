"""Two moderators at one game: no entry is lost, and the second is told what came in between."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.diaries import court, journal
from app.evening import Evening, Game, board, game, vote
from fetch.loopback import StillClock, client
from fetch.threads import Forum
from knightfall.engine.game import SlotId
from knightfall.engine.journal import (
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
from knightfall.errors import DecisionNeeded
from knightfall.services.close_day import ClosingRequest, close, look
from knightfall.services.game_state import table_of, written
from knightfall.services.journal import rule
from knightfall.services.publish import note_posted
from knightfall.services.session import Seen, Session, entered, journal_of
from knightfall.services.undo import undo
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store

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
    table = table_of(pike)
    written(table_of(wren), Submitted(SlotId("Elm"), "VOTE: Ada"), wren)
    after = written(table, Submitted(SlotId("Fen"), "VOTE: Ada"), pike)
    assert [record.author for record in after.journal[-2:]] == ["Wren", "Pike"]
    assert after.journal == journal(folder)


def test_a_closing_is_refused_where_it_would_not_be_the_same_any_more(folder: Path) -> None:
    heard: list[str] = []
    pike, wren = session_of_test(folder, "Pike", heard), session_of_test(folder, "Wren", [])
    table = table_of(pike)
    for name in ("Boro", "Cinder", "Dusk"):
        written(table_of(wren), Submitted(SlotId(name), "VOTE: Elm"), wren)
    with pytest.raises(DecisionNeeded, match="“vote closed” was prepared before entry 7") as no:
        written(table, Closed("vote"), pike)
    assert no.value.exit_status == 3
    assert len(heard) == 3
    assert len(journal(folder)) == 7


def test_a_closing_that_stays_the_same_is_written(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    table = table_of(pike)
    rule("Do ties kill?", "nobody", "rules", wren)
    written(table, Closed("vote"), pike)
    assert [type(record.entry) for record in journal(folder)[4:]] == [Ruled, Closed]


def test_the_same_closing_twice_is_written_once(folder: Path) -> None:
    pike, wren = session_of_test(folder, "Pike", []), session_of_test(folder, "Wren", [])
    mine, theirs = table_of(pike), table_of(wren)
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
    found = look(ClosingRequest(pause=1), played.session)
    for entry in wren:
        entered(entry, other, NOWHERE)
    close(found, "Fen", played.session)


def test_a_day_whose_end_was_changed_meanwhile_stays_open(evening: Game) -> None:
    with pytest.raises(DecisionNeeded, match=r"“day-1 closed: eliminate Fen” was prepared before entry 1"):
        closing(evening, [Fixed("3", "ignore", "a joke")])
    assert [type(record.entry) for record in journal(evening.folder)] == [Fixed]


def test_a_day_whose_end_stays_the_same_is_closed(evening: Game) -> None:
    closing(evening, [Aliased(SlotId("Kestrel"), "kes", "w"), Ruled("Q?", "yes", "w")])
    assert isinstance(journal(evening.folder)[-1].entry, Closed)


def test_notes_of_several_at_once_wait_for_their_turn(folder: Path) -> None:
    notes = [("mod-note", f"Note {n}.", "--game", str(folder)) for n in range(6)]
    processes = [
        subprocess.Popen([*RUN, *one], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for one in notes
    ]
    said = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 6, said
    entries = [record.entry for record in journal(folder) if isinstance(record.entry, Published)]
    assert sorted(entry.number for entry in entries) == [1, 2, 3, 4, 5, 6]
    for entry in entries:
        assert (folder / "public" / f"mod-note-{entry.number}.txt").read_text().strip() == entry.text.strip()


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
