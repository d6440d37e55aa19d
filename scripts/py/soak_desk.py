"""Whole games through the services, with refused, late, doubled and missing messages, and undos.

Usage: scripts/soak-desk [GAME] [COUNT] [SEED]     all games (100 of each, from seed 1) without GAME

After every message: what was refused is no answer, and the journal grew by one entry or by none. Nothing late
moves a game. Every closing was looked at before, and says who was silent. An undo leads back to where it was.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from playthrough import PLAYERS
from rich.progress import track

from knightfall.engine.commands import lines_of
from knightfall.engine.game import SlotId
from knightfall.engine.journal import Entry, Journal, Record, Started, append
from knightfall.errors import DecisionNeeded, InputError, KnightfallError
from knightfall.games import GAMES, loaded
from knightfall.services import turns
from knightfall.services import undo as undoing
from knightfall.services.awaited import pending, refused_orders
from knightfall.services.game_state import overdue, table_of
from knightfall.services.session import Session

BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)
GARBAGE = ("hello there", "kill nobody at all", "VOTE: the man in the moon", "99: SWORD", "Z99", "no, wait")
LINES = 2_000
"""So many of the lines that a slot could send are chosen from."""
CLOSINGS = 40
"""So many windows of a game are closed at most."""


@dataclass
class Clock:
    """A clock that the soak turns."""

    at: datetime = BEGAN

    def now(self) -> datetime:
        """The instant."""
        return self.at


@dataclass
class Memory:
    """A journal in memory."""

    journal: Journal = ()

    def records(self, known: Journal = ()) -> Journal:  # noqa: ARG002 - it has all of it
        """All of it."""
        return self.journal

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record:
        """One more entry, behind what is expected."""
        assert expected in (None, len(self.journal)), "an entry was written behind another journal"
        self.journal = append(self.journal, entry, at, author)
        return self.journal[-1]

    def extend(self, records: Journal, expected: int) -> None:
        """Nobody brings a journal in here."""
        raise AssertionError((records, expected))

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class Soak:
    """A game at the desk."""

    session: Session
    memory: Memory
    clock: Clock
    chance: random.Random
    seen: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        """To the end, or so many closings."""
        for _ in range(CLOSINGS):
            windows = table_of(self.session).windows
            if not windows:
                self.seen["ended"] += 1
                return
            self._talk()
            self._close()

    def _talk(self) -> None:
        """Every slot that is awaited says something, or does not; some who are not awaited do, too."""
        table = table_of(self.session)
        slots = [one.slot for window in pending(table) for one in window.slots]
        others = [slot for window in table.windows for slot in window.slots if slot not in slots]
        for slot in (*slots, *self.chance.sample(others, min(2, len(others)))):
            for _ in range(self.chance.choice((0, 1, 1, 1, 2))):
                self._say(slot)
            if self.chance.random() < 0.05:
                self._undo()
            if not table_of(self.session).windows:
                return

    def _say(self, slot: SlotId) -> None:
        """A legal line, or words that are none."""
        table = table_of(self.session)
        legal = list(islice(table.game.legal(table.state, slot), LINES))
        good = bool(legal) and self.chance.random() < 0.8
        text = self.chance.choice(legal) if good else self.chance.choice(GARBAGE)
        before, due = len(self.memory.journal), overdue(table, self.clock.now())
        try:
            receipt = turns.submit(str(slot), text, "plain", self.session)
        except DecisionNeeded:
            assert due is not None, f"refused to take “{text}” in time"
            assert len(self.memory.journal) == before, "a late message was written"
            self.seen["late"] += 1
            return
        assert due is None, f"a message was taken after the end of {due and due[0].title}"
        assert len(self.memory.journal) == before + 1
        wrong = refused_orders(text, receipt.refused)
        assert not (good and wrong and len(wrong) == len(lines_of(text))), (
            f"legal, and refused: {text}: {wrong}"
        )
        self.seen["refused" if wrong else "taken"] += 1
        for window in pending(table_of(self.session)):
            for one in window.slots:
                if one.slot == slot and wrong and not one.standing:
                    assert not one.answered, f"{slot}: a refused message counts as an answer"
        if wrong:
            told = [one.text for one in receipt.texts if one.kind == "receipt"]
            assert told, "a refusal without a word to its sender"
            assert not any(why.code in words for words in told for _, why in wrong), f"a code in {told}"

    def _undo(self) -> None:
        """The last entry goes, and the game is where it was; then it goes on."""
        if len(self.memory.journal) < 2 or isinstance(self.memory.journal[-1].entry, Started):
            return
        last = self.memory.journal[-1].number
        try:
            seen = undoing.look_at_undo(last, self.session)
            undoing.undo(seen.record.number, "a soak", self.session)
        except InputError:
            return
        now = table_of(self.session)
        then = now.at(tuple(self.memory.journal[: last - 1]))
        assert now.state == then.state, "an undo leads elsewhere"
        self.seen["undone"] += 1

    def _close(self) -> None:
        """Time goes by, perhaps past the end; what is open is looked at and closed."""
        table = table_of(self.session)
        if not table.windows:
            return
        window = self.chance.choice(table.windows)
        ends = window.closes or self.clock.now() + timedelta(hours=1)
        self.clock.at = max(self.clock.at, ends + timedelta(minutes=self.chance.choice((-30, 1, 90))))
        before = len(self.memory.journal)
        seen = turns.look(window.kind, self.session)
        waits = next(one for one in pending(table) if one.window == window)
        silent = [one for one in waits.slots if not one.answered]
        assert bool(silent) <= bool(seen.doubts), "somebody is silent, and nothing is said"
        try:
            turns.close(window.kind, "plain", self.session, why_early="a soak")
        except (DecisionNeeded, InputError):
            assert len(self.memory.journal) == before, "what was refused was written"
            lines = list(table.game.legal(table.state, None))
            if lines:
                turns.submit("moderator", self.chance.choice(lines), "plain", self.session)
            self.seen["asked"] += 1
            return
        self.seen["closed"] += 1


def soak(game: str, seed: int, folder: Path) -> Counter[str]:
    """One game; what was seen."""
    chance = random.Random(f"{game} {seed}")
    (folder / "private").mkdir(exist_ok=True)
    (folder / "private" / "deal.json").write_text(json.dumps({"seed": f"{seed:064x}"}), encoding="utf-8")
    clock, memory = Clock(), Memory()
    spec = loaded(game).spec
    players = PLAYERS.get(game, chance.choice(spec.players[:5]))
    slots = tuple(SlotId(f"P{number:02}") for number in range(1, players + 1))
    started = Started(game, slots, {}, "private/deal.json", timeouts="ask")
    memory.journal = append((), started, clock.at, "soak")
    nothing: Any = None
    session = Session(clock, nothing, nothing, lambda: memory, "soak", game=folder)  # type: ignore[arg-type]
    table = Soak(session, memory, clock, chance)
    table.play()
    return table.seen


def main() -> int:
    """Count what was seen; 1 where something did not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", choices=[game.spec.id for game in GAMES])
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    asked = parser.parse_args()
    failed = 0
    for game in [asked.game] if asked.game else [one.spec.id for one in GAMES]:
        total: Counter[str] = Counter()
        for seed in track(range(asked.seed, asked.seed + asked.count), game, transient=True):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    total += soak(game, seed, Path(folder))
                except (AssertionError, KnightfallError) as error:
                    failed += 1
                    print(f"{game} seed {seed}: {type(error).__name__}: {error}")
        print(f"{loaded(game).spec.name}: {', '.join(f'{n} {what}' for what, n in sorted(total.items()))}")
    print(f"{failed} games failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
