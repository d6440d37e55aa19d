"""Whole games through the services, with refused, late, doubled and missing messages, and undos.

Usage: scripts/soak-desk [--late] [GAME] [COUNT] [SEED]     all games (100 of each, from seed 1) without GAME

With --late each game is played twice: with its messages read in time, and with the same messages read late.

After every message: what was refused is no answer, the same again changes nothing, and the journal grew by
one entry or by none. Nothing late moves a game, and nothing closes while a question stands. Every closing was
looked at before, and says who was silent. An undo leads to where the game is without that entry. In the end
every text that was written is what the game did, and the game is where its journal leads when it is played
again from the beginning.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from late_mail import Clock, Memory, late
from playthrough import PLAYERS
from rich.progress import track

from knightfall.engine.commands import lines_of
from knightfall.engine.entries import Closed, Replaced, Started, Submitted, Undone
from knightfall.engine.journal import append, standing, undone_numbers
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError, KnightfallError
from knightfall.games import GAMES, loaded
from knightfall.sentence import SlotId
from knightfall.services.game import undo as undoing
from knightfall.services.now import now_of
from knightfall.services.publish import texts_of
from knightfall.services.running import overdue
from knightfall.services.session import Session
from knightfall.services.window import turns
from knightfall.services.window.waiting import pending, refused_orders

MEMORY = Path("/dev/shm")
"""A disk in memory, where there is one: thousands of small files are written."""
GARBAGE = ("hello there", "kill nobody at all", "VOTE: the man in the moon", "99: SWORD", "Z99", "no, wait")
LINES = 2_000
"""So many of the lines that a slot could send are chosen from."""
OPTIONS: Mapping[str, Mapping[str, str]] = {"knight_fight": {"move_time": "24h"}}
"""A game by the minute is over before anybody has made a mistake."""
CLOSINGS = 120
"""So many windows of a game are closed at most."""


@dataclass
class Soak:
    """A game at the desk."""

    session: Session
    memory: Memory
    clock: Clock
    chance: random.Random
    seen: Counter[str] = field(default_factory=Counter)
    names: int = 0

    def play(self) -> None:
        """To the end, or so many closings."""
        for _ in range(CLOSINGS):
            windows = now_of(self.session).running.windows
            if not windows:
                self.seen["ended"] += 1
                break
            self._talk()
            self._close()
        self._compare()

    def _compare(self) -> None:
        """The game is where its journal leads from the beginning. Every text of an entry that stands is what
        the game did, and there is no other. Receipts are left aside: they tell what stood when they were
        sent."""
        table = now_of(self.session).running
        again = replay(table.journal, table.game, lambda: SeededRng(table.seed))
        assert again == table.replay, "the journal leads elsewhere from its beginning"
        gone = undone_numbers(self.memory.journal)
        written: dict[int, list[str]] = {}
        for file in sorted(table.folder.glob("p*/[0-9]*.txt")):
            if "receipt" not in file.name:
                written.setdefault(int(file.name[:3]), []).append(file.read_text(encoding="utf-8"))
        for record in self.memory.journal[1:]:
            taken = [one for one in table.replay.taken if one.number == record.number]
            events = tuple(event for one in taken for event in one.events)
            then = replace(table, journal=table.journal[: record.number])
            texts = [one.text for one in texts_of(then, events, "plain") if one.kind != "receipt"]
            told = [text if text.endswith("\n") else f"{text}\n" for text in texts]
            found = written.pop(record.number, [])
            assert record.number not in gone or not found, f"texts of {record.number} lie there, undone"
            assert record.number in gone or sorted(found) == sorted(told), (
                f"entry {record.number} reads otherwise: {set(told) ^ set(found)}"
            )
        assert set(written) <= {1}, f"texts of no entry: {set(written)}"

    def _talk(self) -> None:
        """Every slot that is awaited says something, or does not; some who are not awaited do, too."""
        table = now_of(self.session).running
        slots = [one.slot for window in pending(table) for one in window.slots]
        others = [slot for window in table.windows for slot in window.slots if slot not in slots]
        for slot in (*slots, *self.chance.sample(others, min(2, len(others)))):
            for _ in range(self.chance.choice((0, 1, 1, 1, 2))):
                self._say(slot)
            if self.chance.random() < 0.05:
                self._undo()
            if self.chance.random() < 0.01:
                self.names += 1
                turns.enter(Replaced(slot, f"Newcomer{self.names}", why="a soak"), "plain", self.session)
                self.seen["replaced"] += 1
            if not now_of(self.session).running.windows:
                return

    def _say(self, slot: SlotId) -> None:
        """A legal line, or words that are none, at times with a line behind it that may not be legal then."""
        table = now_of(self.session).running
        legal = list(islice(table.game.legal(table.state, slot), LINES))
        good = bool(legal) and self.chance.random() < 0.8
        text = self.chance.choice(legal) if good else self.chance.choice(GARBAGE)
        if legal and self.chance.random() < 0.1:
            text, good = f"{text}\n{self.chance.choice(legal)}", False
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
        if not wrong and self.chance.random() < 0.1:
            self._again(slot, text)
        for window in pending(now_of(self.session).running):
            for one in window.slots:
                if one.slot == slot and wrong and not one.standing:
                    assert not one.answered, f"{slot}: a refused message counts as an answer"
        if wrong:
            told = [one.text for one in receipt.texts if one.kind == "receipt"]
            assert told, "a refusal without a word to its sender"
            assert not any(why.code in words for words in told for _, why in wrong), f"a code in {told}"

    def _again(self, slot: SlotId, text: str) -> None:
        """The same message once more: where it is taken, what stands of its sender is what stood."""
        table = now_of(self.session).running
        stood = [one for window in pending(table) for one in window.slots if one.slot == slot]
        titles = [window.title for window in table.windows]
        try:
            receipt = turns.submit(str(slot), text, "plain", self.session)
        except DecisionNeeded:
            return
        now = now_of(self.session).running
        stands = [one for window in pending(now) for one in window.slots if one.slot == slot]
        if not receipt.refused and [window.title for window in now.windows] == titles:
            assert [one.standing for one in stands] == [one.standing for one in stood], f"{text}, twice"
        self.seen["doubled"] += 1

    def _undo(self) -> None:
        """One of the last entries goes, and the game is where it is without it; then it goes on."""
        kinds = (Submitted, Closed, Undone)
        last = [one for one in standing(self.memory.journal)[1:][-5:] if isinstance(one.entry, kinds)]
        if not last:
            return
        number = self.chance.choice(last).number
        seen = undoing.look_at_undo(number, self.session)
        undoing.undo(number, "a soak", self.session)
        now = now_of(self.session).running
        rest = tuple(one for one in standing(self.memory.journal) if not isinstance(one.entry, Undone))
        assert now.state == now.at(rest).state, "an undo leads elsewhere"
        titles = [window.title for window in now.windows]
        assert all(title in titles for title in seen.reopens), "what was to be open again is not"
        self.seen["undone"] += 1
        self.seen["undos undone"] += isinstance(self.memory.journal[number - 1].entry, Undone)
        self.seen["undone with others"] += bool(seen.follows or seen.changes)

    def _close(self) -> None:
        """Time goes by, perhaps past the end; what is open is looked at and closed."""
        table = now_of(self.session).running
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
    started = Started(game, slots, OPTIONS.get(game, {}), "private/deal.json", timeouts="ask")
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
    parser.add_argument("--late", action="store_true")
    asked = parser.parse_args()
    play = late if asked.late else soak
    failed = 0
    for game in [asked.game] if asked.game else [one.spec.id for one in GAMES]:
        total: Counter[str] = Counter()
        for seed in track(range(asked.seed, asked.seed + asked.count), game, transient=True):
            with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
                try:
                    total += play(game, seed, Path(folder))
                except (AssertionError, KnightfallError) as error:
                    failed += 1
                    print(f"{game} seed {seed}: {type(error).__name__}: {error}")
        print(f"{loaded(game).spec.name}: {', '.join(f'{n} {what}' for what, n in sorted(total.items()))}")
    print(f"{failed} games failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
