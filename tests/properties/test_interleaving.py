"""Two moderators write in one game at once, in any order: nothing is lost, nothing is written that would not
be so any more, and both see the same game afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from begun import MemoryLedger
from fetch.loopback import StillClock, client
from knightfall.engine.entries import (
    KINDS,
    Adopted,
    Aliased,
    Away,
    Closed,
    Committed,
    Delivered,
    Drawn,
    Entry,
    Extended,
    Fixed,
    Locked,
    Opened,
    Prodded,
    Published,
    Removed,
    Replaced,
    Revived,
    Roomed,
    Rounded,
    Ruled,
    Started,
    Stopped,
    Submitted,
    Undone,
    Worded,
    bears_on,
)
from knightfall.engine.journal import Journal, Record, verify
from knightfall.engine.repeats import repeated
from knightfall.errors import DecisionNeeded, Overtaken, SaidAlready
from knightfall.games import game_ids
from knightfall.sentence import SlotId
from knightfall.services.now import now_of
from knightfall.services.running import RunningGame, written
from knightfall.services.session import Seen, Session, entered, journal_of
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from long_runs import LONG_JOB
from web.twins import TWINS

NOWHERE = "nowhere"
LATER = datetime(2026, 12, 24, 20, tzinfo=UTC)
ADA, BORO = SlotId("Ada"), SlotId("Boro")

ONE_OF_EACH: Mapping[type[Entry], Entry] = {
    type(one): one
    for one in (
        Started("kings_court", (ADA, BORO)),
        Adopted("day-2", {ADA: "Town Cop"}),
        Submitted(ADA, "VOTE: Boro"),
        Closed("vote"),
        Opened("day-2", "12"),
        Locked("day-1", "9"),
        Extended("vote", LATER),
        Stopped("vote", "a storm"),
        Replaced(ADA, "Zephyr", "12"),
        Removed(ADA),
        Revived(ADA),
        Prodded(ADA),
        Away(ADA, "2026-12-24", "2026-12-26"),
        Delivered("role-1", ADA, "sent"),
        Roomed("mafia", "Ada", True),
        Aliased(ADA, "ad"),
        Fixed("7", "ignore", "a joke"),
        Ruled("Do ties kill?", "no", "as ever"),
        Drawn("kc.tiebreak", "Ada"),
        Published("rules", 1, "", "x"),
        Committed("c0" * 32, "{}"),
        Worded(ADA, "a red boat"),
        Rounded(7, "ab"),
        Undone(2, "a slip"),
    )
}
FOLLOW_FROM_HOW_THINGS_STAND = {
    *(Started, Adopted, Closed, Opened, Locked, Extended, Stopped, Replaced, Removed, Revived),
    *(Committed, Rounded),
}
BESIDE_THE_GAME = {Prodded, Away, Delivered, Roomed, Ruled, Published}
SAID_OTHERWISE: Mapping[type[Entry], Entry] = {
    type(one): one
    for one in (
        Submitted(ADA, "VOTE: Cinder"),
        Stopped("vote", "the site is down"),
        Away(ADA, "2026-12-24", "2026-12-27"),
        Delivered("role-1", ADA, "failed"),
        Aliased(BORO, "bo"),
        Fixed("7", "count", "no joke"),
        Ruled("Do ties kill?", "yes", "as ever"),
        Published("rules", 1, "", "y"),
        Worded(ADA, "a blue boat"),
    )
}
"""Of each kind whose words are kept once another entry than the one above, on the same subject."""


def test_every_kind_of_entry_says_what_it_has_to_do_with_how_things_stand() -> None:
    assert ONE_OF_EACH.keys() == set(KINDS.values())
    for later in KINDS.values():
        for earlier in KINDS.values():
            wrong = later in FOLLOW_FROM_HOW_THINGS_STAND and earlier not in BESIDE_THE_GAME
            if later is earlier is Published:
                wrong = True
            assert bears_on(ONE_OF_EACH[earlier], ONE_OF_EACH[later]) is wrong, (earlier, later)


def test_posts_of_two_kinds_are_numbered_apart() -> None:
    assert not bears_on(Published("dawn", 1, "", "x"), Published("rules", 1, "", "y"))
    assert not bears_on(Delivered("rules", ADA, "sent"), Published("rules", 1, "", "y"))


def in_memory(ledger: MemoryLedger, author: str, heard: list[str]) -> Session:
    clock = StillClock()
    seen = Seen(heard.append)
    return Session(clock, client(clock), lambda _: pytest.fail("no evidence"), lambda: ledger, author, seen)


@pytest.mark.few(8)
@pytest.mark.parametrize("mine", ONE_OF_EACH, ids=lambda kind: kind.__name__)
def test_what_came_in_between_is_told_and_stops_what_rests_on_it(mine: type[Entry]) -> None:
    for theirs, entry in {**ONE_OF_EACH, mine: SAID_OTHERWISE.get(mine, ONE_OF_EACH[mine])}.items():
        ledger, heard = MemoryLedger(), list[str]()
        wren, pike = in_memory(ledger, "Wren", heard), in_memory(ledger, "Pike", [])
        entered(Ruled("Who begins?", "Ada", "alphabet"), pike, NOWHERE)
        journal_of(wren)
        entered(entry, pike, NOWHERE)
        refused = mine in FOLLOW_FROM_HOW_THINGS_STAND and theirs not in BESIDE_THE_GAME
        if refused or mine is theirs is Published:
            with pytest.raises(Overtaken, match="Nothing was written"):
                entered(ONE_OF_EACH[mine], wren, NOWHERE)
            assert [one.entry for one in ledger.journal[1:]] == [entry]
            # Who looks again knows of it, and may write.
            journal_of(wren)
        entered(ONE_OF_EACH[mine], wren, NOWHERE)
        assert [one.entry for one in ledger.journal[1:]] == [entry, ONE_OF_EACH[mine]]
        assert len(heard) == 1
        assert heard[0].startswith("Meanwhile: 2 Pike: ")
        verify(tuple(ledger.journal))


@pytest.mark.parametrize("kind", SAID_OTHERWISE, ids=lambda kind: kind.__name__)
def test_what_both_say_is_kept_once_unless_something_else_was_said_since(kind: type[Entry]) -> None:
    ledger = MemoryLedger()
    wren, pike = in_memory(ledger, "Wren", []), in_memory(ledger, "Pike", [])
    journal_of(wren)
    entered(ONE_OF_EACH[kind], pike, NOWHERE)
    with pytest.raises(SaidAlready, match="entry 1 already"):
        entered(ONE_OF_EACH[kind], wren, NOWHERE)
    assert [one.entry for one in ledger.journal] == [ONE_OF_EACH[kind]]
    entered(SAID_OTHERWISE[kind], pike, NOWHERE)
    if kind is not Aliased:  # each of two aliases is one
        entered(ONE_OF_EACH[kind], in_memory(ledger, "Wren", []), NOWHERE)
        assert [one.author for one in ledger.journal] == ["Pike", "Pike", "Wren"]


def test_what_is_sent_from_a_page_rests_on_what_stood_on_it_whatever_is_read_meanwhile() -> None:
    ledger, heard = MemoryLedger(), list[str]()
    pike = in_memory(ledger, "Pike", [])
    entered(Ruled("Who begins?", "Ada", "alphabet"), pike, NOWHERE)
    page = replace(in_memory(ledger, "Wren", heard), seen=Seen(heard.append, number=1, held=True))
    entered(Submitted(ADA, "VOTE: Boro"), pike, NOWHERE)
    assert len(journal_of(page)) == 2
    with pytest.raises(Overtaken):
        entered(Closed("vote"), page, NOWHERE)
    assert len(heard) == 1
    # It was told by now. From its own entry on a look counts.
    entered(Closed("vote"), page, NOWHERE)
    entered(Submitted(BORO, "VOTE: Ada"), pike, NOWHERE)
    journal_of(page)
    entered(Closed("vote"), page, NOWHERE)
    assert len(heard) == 1
    assert [one.author for one in ledger.journal] == ["Pike", "Pike", "Wren", "Pike", "Wren"]


# ── two sessions on one folder ───────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=game_ids())
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each kind in its middle."""
    folder = tmp_path_factory.mktemp("interleaving") / request.param
    TWINS[request.param](folder, 1)
    return Path(folder)


@dataclass
class Writer:
    """One of the two: the entry that they have prepared and not written yet, with the game as they saw it."""

    session: Session
    ready: tuple[RunningGame, Entry] | None = None
    wrote: list[Record] = field(default_factory=list)

    def prepare(self, what: tuple[str, int]) -> None:
        """Look at the game, and make up an entry of that kind."""
        table = now_of(self.session).running
        self.ready = (table, prepared(table, *what)) if table.game.playing(table.state) else None

    def write(self, order: list[Record]) -> None:
        """Write what is ready behind all that was written, if it still may be."""
        if self.ready is None:
            return
        table, entry = self.ready
        expected = led_to(table.after(entry, self.session.clock.now(), self.session.author))
        try:
            if isinstance(entry, BY_ITSELF):
                record = entered(entry, self.session, NOWHERE)
            else:
                after = written(table, entry, self.session)
                record = after.journal[-1]
                if not isinstance(entry, Submitted):
                    assert led_to(after) == expected, entry
        except DecisionNeeded:
            # It rests on what was written since: there is something, and it is of a kind that can.
            assert order
            assert order[-1].number > table.journal[-1].number
            assert type(entry) in {*FOLLOW_FROM_HOW_THINGS_STAND, Published}
            return
        except SaidAlready:
            # It stands in the journal, and is of a kind whose words are kept once.
            assert type(entry) in SAID_OTHERWISE
            now = self.session.clock.now()
            assert repeated(entry, now, journal_of(replace(self.session, seen=Seen()))) is not None
            return
        assert record.entry == entry
        self.wrote.append(record)
        order.append(record)


BY_ITSELF = (
    *(Aliased, Fixed, Ruled, Drawn, Published, Delivered, Roomed, Prodded, Away, Undone),
    *(Committed, Worded, Rounded),
)
"""Entries that are written without asking the game."""


def writer(folder: Path, author: str) -> Writer:
    clock, file = StillClock(), folder / "game.db"
    session = Session(
        clock, client(clock), lambda _: Store.open(file), lambda: Ledger.open(file), author, Seen(), folder
    )
    return Writer(session)


def prepared(table: RunningGame, kind: str, n: int) -> Entry:
    """An entry of that kind as things stand; `n` chooses among them."""
    slots = table.game.playing(table.state)
    slot, windows = slots[n % len(slots)], table.windows
    window = windows[n % len(windows)].kind if windows else "day"
    make: Mapping[str, Callable[[], Entry]] = {
        "submitted": lambda: Submitted(slot, line_of(table, slot, n)),
        "decided": lambda: Submitted(None, line_of(table, None, n)),
        "closed": lambda: Closed(window),
        "opened": lambda: Opened("day-7", str(n), LATER),
        "locked": lambda: Locked("day-1", str(n)),
        "extended": lambda: Extended(window, LATER + timedelta(hours=n)),
        "stopped": lambda: Stopped(window, "a storm"),
        "replaced": lambda: Replaced(slot, f"Zephyr{n}"),
        "removed": lambda: Removed(slot),
        "revived": lambda: Revived(slot),
        "prodded": lambda: Prodded(slot),
        "away": lambda: Away(slot, "2026-12-24", "2026-12-26"),
        "delivered": lambda: Delivered("role-1", slot, "sent"),
        "roomed": lambda: Roomed("mafia", str(slot), n % 2 == 0),
        "aliased": lambda: Aliased(slot, f"nick{n}"),
        "fixed": lambda: Fixed(str(n), "ignore", "a joke"),
        "ruled": lambda: Ruled(f"Question {n}?", "yes", "as ever"),
        "drawn": lambda: Drawn("kc.tiebreak", str(slot)),
        "published": lambda: Published("mod-note", n % 3, "", "x"),
        "committed": lambda: Committed(f"{n:064x}", "{}"),
        "worded": lambda: Worded(slot, f"a red boat {n}"),
        "rounded": lambda: Rounded(n, f"{n:02x}"),
        "undone": lambda: undoing(table, n),
    }
    return make[kind]()


def undoing(table: RunningGame, n: int) -> Entry:
    """One of the last entries taken back; the beginning of the game never is."""
    behind_the_start = [record.number for record in table.journal if not isinstance(record.entry, Started)]
    if not behind_the_start:
        return Ruled("What is there to take back?", "nothing", "as ever")
    return Undone(behind_the_start[-1 - n % min(4, len(behind_the_start))], "a slip")


def line_of(table: RunningGame, slot: SlotId | None, n: int) -> str:
    """Something that they may send, or nothing that the game understands."""
    lines = tuple(table.game.legal(table.state, slot))
    return lines[n % len(lines)] if lines and n % 5 else "the quiet one"


MOVES = ("submitted", "submitted", "decided", "removed", "undone", "drawn")
ALL = tuple(sorted({*(kind for kind in KINDS if kind not in ("started", "adopted")), "decided"}))
ENTRIES = st.tuples(st.sampled_from(MOVES) | st.sampled_from(ALL), st.integers(0, 60))
ROUNDS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.tuples(
            st.sampled_from(("closed", "closed", "removed", "submitted")) | st.sampled_from(ALL),
            st.integers(0, 60),
        ),
        st.lists(ENTRIES, max_size=3),
        ENTRIES,
    ),
    min_size=2,
    max_size=4,
)
"""Who begins, and what they prepare; what the other one writes before they write it; what they write then at
once."""


def led_to(table: RunningGame) -> tuple[object, object]:
    """What the last entry of a journal leads to."""
    return table.last_events, table.last_refused


@pytest.mark.few(2)
@pytest.mark.wider
def test_whatever_two_write_at_once_nothing_is_lost_and_no_closing_comes_out_otherwise(whole: Path) -> None:
    # Each example writes ten entries on a disk, each of which is a game played again: a few are enough, and
    # looking for a shorter one would take minutes.
    @settings(
        max_examples=40 if LONG_JOB else 2,
        suppress_health_check=[HealthCheck.too_slow],
        phases=[Phase.generate],
    )
    @given(ROUNDS)
    def interleaved(
        rounds: list[tuple[int, tuple[str, int], list[tuple[str, int]], tuple[str, int]]],
    ) -> None:
        folder = Path(mkdtemp(dir=whole.parent))
        try:
            shutil.copy(whole / "game.db", folder)
            shutil.copy(whole / "game.toml", folder)
            shutil.copytree(whole / "private", folder / "private")
            both = (writer(folder, "Wren"), writer(folder, "Pike"))
            before = journal_of(replace(both[0].session, seen=Seen()))
            order: list[Record] = []
            for who, first, between, last in rounds:
                one, other = both[who], both[1 - who]
                one.prepare(first)
                for what in between:
                    other.prepare(what)
                    other.write(order)
                one.write(order)
                one.prepare(last)
                one.write(order)
            check(folder, before, both, order)
        finally:
            shutil.rmtree(folder)

    interleaved()


def check(folder: Path, before: Journal, both: tuple[Writer, Writer], order: list[Record]) -> None:
    """All that was written stands behind what was there, in its order, once; and all see the same game."""
    fresh = writer(folder, "Rook").session
    journal = journal_of(fresh)
    assert journal == (*before, *order)
    verify(journal)
    for one in both:
        assert [
            record for record in journal[len(before) :] if record.author == one.session.author
        ] == one.wrote
    tables: list[RunningGame] = [
        now_of(session).running for session in (fresh, both[0].session, both[1].session)
    ]
    states: list[Any] = [table.state for table in tables]
    assert states[0] == states[1] == states[2]
    assert tables[0].replay == tables[1].replay == tables[2].replay
