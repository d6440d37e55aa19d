"""Do the tests of a room notice that its code is wrong?

    scripts/mutants [WORD…] [--jobs N] [--list]

Each mutant is one piece of the source that says something else, and the tests that have to notice it. It is made in a
copy of the project, and killed where one of those tests fails. Those that live are told. The exit status is 1 where
fewer than FLOOR of them die, or where a text to be changed is not in its file exactly once. With WORDS only the
mutants are run in whose room or file one of them stands.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "fixtures", "scripts")
FLOOR = 0.9
LONGEST = 600.0
"""Seconds after which a mutant counts as killed: it goes on for ever."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands once in the `file` below `src/knightfall`; `tests` are files or folders of tests, asked in
    this order until one fails."""

    room: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def title(self) -> str:
        """The file and what is said in it instead, in a line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.room}: {self.file}: {old} → {new or '(nothing)'}"


def in_room(room: str, tests: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[Mutant]:
    """The mutants of a room; a row is a file, the old and the new text, and tests of its own before the room's."""
    for file, old, new, *own in rows:
        yield Mutant(room, file, old, new, (*own, *tests) if not own else tuple(own))


JOURNAL = (
    ("engine/journal.py", "if (record.number, record.before, record.digest) != (number, before, digest):", "if (record.number, record.digest) != (number, digest):"),
    ("engine/journal.py", "return when or sent or record.at", "return sent or when or record.at"),
    ("engine/journal.py", "return isinstance(entry, Closed) and entry.ended is None and closing.number < message.number", "return isinstance(entry, Closed) and closing.number < message.number"),
    ("engine/journal.py", "if isinstance(record.entry, Undone) and record.number not in gone:", "if isinstance(record.entry, Undone):"),
    ("engine/journal.py", "if entry.again or moment < sent:", "if moment < sent:"),
    ("engine/journal.py", "return isinstance(entry, Submitted) and entry.when is not None and entry.slot is not None", "return isinstance(entry, Submitted) and entry.when is not None"),
    ("engine/replay.py", "if end is not None and end < at]", "if end is not None and end <= at]"),
    ("engine/replay.py", "            if not self._close(record.number, window.kind, end):\n                self.until[window.kind] = None\n                break\n", "            if not self._close(record.number, window.kind, end):\n                break\n"),
    ("engine/replay.py", "if until is None or until > at or self.asks:", "if until is None or until > at:"),
)  # fmt: skip

SESSION = (
    ("services/session.py", "stands = again(journal) if again else not any(bears_on(record.entry, entry) for record in since)", "stands = not any(bears_on(record.entry, entry) for record in since)"),
    ("services/session.py", "if seen.at is not None and record.at < seen.at:", "if seen.at is not None and record.at > seen.at:"),
    ("services/session.py", "if not journal and not even_lost and not session.past and session.game is not None:", "if not journal and not even_lost and session.past and session.game is not None:"),
    ("services/running.py", "elif len(journal) < size or journal[size - 1].digest != known[-1].digest:", "elif len(journal) < size:"),
    ("services/running.py", "if led is None or chance.seed != known_seed:", "if led is None:"),
    ("services/running.py", "return last.entry.ground is not Ground.RESTS or (now.last_events, now.last_refused) == (", "return last.entry.ground is not Ground.RESTS or (now.last_events, ()) == ("),
    ("services/running.py", "own = [one for one in windows if slot in one.slots]", "own = windows"),
)  # fmt: skip

GUARD = (
    ("services/guard.py", "never += (f\"line {number} contains a link with your login key.\" for _ in tokens_in(line))", "pass"),
    ("services/guard.py", "if found and not allow.strip():", "if found and not allow:"),
    ("services/guard.py", "for read in dict.fromkeys((text,) if isinstance(text, Written) else (text, bare)):", "for read in (text,):"),
    ("services/guard.py", "others = tuple(name for name in players if name not in slots[slot]) if dealt_to[slot] > 1 else ()", "others = ()"),
    ("services/guard.py", "if all(record.entry != ruling for record in standing(journal_of(session))):", "if True:"),
    ("services/guard.py", "below = bare.startswith(known) and not bare[len(known) : len(known) + 1].isalnum()", "below = bare.startswith(known)"),
    ("services/guard.py", "if actor in living and verb not in public:", "if actor in living:"),
    ("services/guard.py", "for record in records if roles or not closed else records[closed[-1] :]:", "for record in records:"),
    ("services/guard.py", "if thread.secret\n", "if thread.secret and thread.room\n"),
)  # fmt: skip

TALLY = (
    ("votes/tally.py", "if day.start <= post.number <= last:", "if day.start < post.number <= last:"),
    ("votes/tally.py", "if self.over is not None and post.number > self.over:", "if self.over is not None and post.number >= self.over:"),
    ("votes/tally.py", "(not self.rule.self_vote and target == voter)", "(target == voter)"),
    ("votes/tally.py", "or (target is None and self.rule.no_elimination is NoElim.NO)", ""),
    ("votes/tally.py", "if size and size >= self.rule.needed(len(self.alive), target):", "if size and size > self.rule.needed(len(self.alive), target):"),
    ("votes/tally.py", "return used or self.day.number in self.rule.locked_at", "return used"),
    ("votes/tally.py", "return tuple(sorted(wagons, key=lambda wagon: (-wagon.count, wagon.since)))", "return tuple(sorted(wagons, key=lambda wagon: -wagon.count))"),
    ("votes/tally.py", "return _eliminated(min(leading, key=lambda wagon: wagon.first).target, \"plurality\")", "return _eliminated(min(leading, key=lambda wagon: wagon.since).target, \"plurality\")"),
    ("votes/tally.py", "case Tie.ANTI_TOWN if any(wagon.target is None for wagon in leading):\n            return NOBODY  # EM-R26: a tied no elimination wins\n", ""),
    ("votes/tally.py", "self.changes[voter.name] += bool(standing)", "self.changes[voter.name] += 1"),
)  # fmt: skip

STORAGE = (
    ("storage/turn.py", "if (holder := self._holder()) != before:  # the turn went on to somebody else", "if (holder := self._holder()) and False:"),
    ("storage/drafts.py", "if process.isdigit() and not is_running(int(process)):", "if process.isdigit():"),
    ("storage/logins.py", "        if row[\"schema\"] != SCHEMA:\n            return None\n", ""),
    ("storage/ledger.py", "if noted is None and sealed:", "if noted is None and not sealed:"),
    ("storage/ledger.py", "if expected is not None and number != expected:", "if expected is not None and number < expected:"),
    ("storage/ledger.py", "stands = not known or found[:1] == known[-1:]", "stands = True"),
    ("storage/audit.py", "if promised and any(there.values()) and not linked:", "if any(there.values()) and not linked and False:"),
    ("storage/audit.py", "how = \"gone that had been kept\" if lost > 0 else \"there that nobody kept\"", "how = \"gone that had been kept\""),
    ("storage/store.py", "counted = None if at is None or row[\"number\"] > to or row[\"first_seen\"] > at else int(at)", "counted = None if at is None or row[\"first_seen\"] > at else int(at)"),
    ("storage/store.py", "unsure = last[\"zone\"] == UNKNOWN_ZONE != row[\"zone\"]", "unsure = False"),
    ("storage/store.py", "return {int(day): words for (day, _, thread), words in found if thread == url}", "return {int(day): words for (day, _, _thread), words in found}"),
)  # fmt: skip

SERVICES = (
    ("services/day/phases.py", "if deadline is not None and one.until is not None and deadline <= one.until:", "if deadline is not None and one.until is not None and deadline < one.until:", "tests/services/test_phases.py"),
    ("services/day/phases.py", "if zone is None or span.total % timedelta(days=1):", "if zone is None or not span.days:", "tests/services/test_phases.py", "tests/services/test_deadlines.py"),
    ("services/day/phases.py", "if moment > now or past:", "if moment >= now or past:", "tests/services/test_phases.py"),
    ("services/day/phases.py", "if window.closes is not None and window.closes > now\n", "if window.closes is not None\n", "tests/services/test_phases_of_every_game.py", "tests/services/test_phases.py"),
    ("services/day/end.py", "if until is None or post.time is None or post.approximate or post.time < until", "if until is None or post.time is None or post.time < until", "tests/services/test_close_day.py", "tests/services/test_day_end.py"),
    ("services/day/end.py", "if before is not None and not changed:", "if not changed:", "tests/services/test_close_day.py", "tests/services/test_day_end.py"),
    ("services/day/end.py", "if is_drawn(count) and all(wagon.target for wagon in tied):", "if is_drawn(count):", "tests/services/test_close_day.py", "tests/services/test_day_end.py"),
    ("services/game/due.py", "return one.window.secret and len(one.slots) < len(one.window.slots)", "return one.window.secret", "tests/services/test_due.py"),
    ("services/game/due.py", "elif batch is not kinds[-1]:", "elif False:", "tests/services/test_due.py", "tests/services/test_pms.py"),
    ("services/window/inbox.py", "if too_old or mail.question:", "if mail.question:", "tests/services/test_inbox.py"),
    ("services/window/inbox.py", "if over is not None:\n            if not _understood(self.table, mail, at):", "if over is not None:\n            if False:", "tests/services/test_inbox.py"),
    ("services/keep/take_over.py", "if mine is None or digest_of(mine) == before:", "if mine is None:", "tests/services/test_hand_over.py"),
    ("services/keep/take_over.py", "return one.entry.kind == other.entry.kind", "return False", "tests/services/test_hand_over.py"),
    ("services/keep/verify.py", "if line_of(text) and number and not", "if number and not", "tests/services/test_verify.py", "tests/services/test_verify_texts.py"),
    ("services/watch/notify.py", "if failed and place not in self.down:", "if failed:", "tests/services/test_watch.py"),
    ("services/watch/notify.py", "passed(notice.outside, hidden_in(session))", "pass", "tests/services/test_watch.py"),
    ("services/game/undo.py", "stands = one.number not in gone and one.entry.kind not in again", "stands = one.number not in gone", "tests/services/test_undo.py"),
    ("services/publish.py", "upto = present_number(int(last.upto), last.mark, count.posts.values()) if last and last.upto else None", "upto = int(last.upto) if last and last.upto else None", "tests/services/test_posts_that_hold.py", "tests/services/test_mark_posted.py"),
)  # fmt: skip

RESOLVERS = (
    ("games/knight_errant/rules.py", "own_jail = \"ke_r7\" in house", "own_jail = \"ke_r7\" not in house", "tests/conformance/test_knight_errant_cases.py", "tests/games/test_knight_errant_laws.py"),
    ("games/knight_errant/rules.py", "if action in hidden or (IMMUNE in card.traits and _hides(position, action)):", "if action in hidden:", "tests/conformance/test_knight_errant_cases.py"),
    ("games/knight_errant/rules.py", "serial_killer_wins = rivals <= 1 or (when == \"one_on_one_on_one\" and count.town == count.mafia == 1)", "serial_killer_wins = rivals <= 1", "tests/conformance/test_knight_errant_cases.py", "tests/games/test_knight_errant_options.py"),
    ("games/empowered/rules.py", "if not pierces and victim in self.jailers:", "if victim in self.jailers:", "tests/conformance/test_empowered.py"),
    ("games/empowered/rules.py", "if always or self.stands(action)", "if always", "tests/conformance/test_empowered.py", "tests/games/test_empowered_options.py"),
    ("games/empowered/rules.py", "    if None in tied:\n        return (None,)\n", "", "tests/games/test_empowered_game.py", "tests/conformance/test_empowered.py"),
    ("games/kings_court/rules.py", "return max(balance - amount, min(0, balance))", "return max(balance - amount, 0)", "tests/games/test_kings_court_garnets.py"),
    ("games/kings_court/rules.py", "if state.attempt < FIGURES.attempts:", "if state.attempt <= FIGURES.attempts:", "tests/conformance/test_kings_court.py", "tests/games/test_kings_court_aftermath.py"),
    ("games/knight_fight/rules.py", "return bool(move.target & bout.taken)", "return False", "tests/games/test_knight_fight_board.py"),
    ("games/knight_fight/rules.py", "if not (open_ and over is not None and at <= over):", "if not (open_ and over is not None and at < over):", "tests/conformance/test_knight_fight_cases.py", "tests/games/test_knight_fight_game.py"),
    ("games/knights_duty/rules.py", "return firm[0] if len(firm) == 1 else None", "return firm[0] if firm else None", "tests/games/test_knights_duty_movement.py"),
    ("games/knights_duty/rules.py", "if len(free) == len(going):\n            return going\n        going = free", "return free", "tests/games/test_knights_duty_movement.py"),
    ("games/custom_mafia/rules.py", "return Reason.LAZY if len(others) <= 1 else None", "return Reason.LAZY if len(others) < 1 else None", "tests/conformance/test_cases.py", "tests/games/test_custom_mafia_roles.py"),
    ("games/custom_mafia/rules.py", "if _ASCETIC in roles[target].traits and target != went.actor:", "if _ASCETIC in roles[target].traits:", "tests/games/test_custom_mafia_roles.py", "tests/conformance/test_custom_mafia_cases.py"),
)  # fmt: skip

MUTANTS = (
    *in_room("journal", ("tests/engine", "tests/services/test_around_closings.py"), JOURNAL),
    *in_room("session", ("tests/services/test_two_moderators.py", "tests/services/test_journal.py"), SESSION),
    *in_room("guard", ("tests/services/test_guard.py", "tests/services/test_boards.py"), GUARD),
    *in_room("tally", ("tests/votes/test_tally.py", "tests/votes/test_rule_cases.py"), TALLY),
    *in_room("storage", ("tests/storage",), STORAGE),
    *in_room("services", (), SERVICES),
    *in_room("resolvers", (), RESOLVERS),
)
"""All of them."""


def misplaced(mutants: tuple[Mutant, ...]) -> Iterator[str]:
    """What is not as it has to be to make the mutants."""
    for one in mutants:
        found = (ROOT / "src" / "knightfall" / one.file).read_text(encoding="utf-8").count(one.old)
        if found != 1:
            yield f"{one.title}: the old text is there {found} times"
        yield from (f"{one.title}: there is no {test}" for test in one.tests if not (ROOT / test).exists())


def is_killed(mutant: Mutant, place: Path) -> bool:
    """Whether a test fails where the copy of the project in `place` has the mutant; it is as before then."""
    file = place / "src" / "knightfall" / mutant.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace(mutant.old, mutant.new), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(place / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    words = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests)
    try:
        done = subprocess.run(
            words, cwd=place, env=environment, capture_output=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(whole, encoding="utf-8")
    if done.returncode not in (0, 1, 2):
        raise SystemExit(
            f"{mutant.title}: its tests did not run:\n{done.stdout.decode()}{done.stderr.decode()}"
        )
    return done.returncode != 0


def run(mutants: tuple[Mutant, ...], jobs: int) -> tuple[Mutant, ...]:
    """Those that live. Each job has a copy of the project."""
    with TemporaryDirectory(prefix="knightfall-mutants-") as folder:
        free = [Path(folder) / str(number) for number in range(jobs)]
        for place in free:
            for name in COPIED:
                shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
            for file in ROOT.glob("*.*"):
                if file.is_file():
                    shutil.copy(file, place)

        def tried(mutant: Mutant) -> bool:
            place, began = free.pop(), time.monotonic()
            try:
                killed = is_killed(mutant, place)
            finally:
                free.append(place)
            took = time.monotonic() - began
            print(f"{'killed' if killed else 'LIVES'} {took:5.0f} s  {mutant.title}", flush=True)
            return killed

        with ThreadPoolExecutor(jobs) as pool:
            outcomes = tuple(pool.map(tried, mutants))
    return tuple(one for one, killed in zip(mutants, outcomes, strict=True) if not killed)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__, add_help=True)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("KNIGHTFALL_JOBS", "2")))
    parser.add_argument("--list", action="store_true", help="name them and their tests, and run nothing")
    asked = parser.parse_args()
    mutants = tuple(
        one
        for one in MUTANTS
        if not asked.words or any(word in f"{one.room} {one.file}" for word in asked.words)
    )
    if wrong := tuple(misplaced(mutants)):
        raise SystemExit("\n".join(wrong))
    if asked.list:
        print("\n".join(f"{one.title}  ({', '.join(one.tests)})" for one in mutants))
        return
    alive = run(mutants, asked.jobs)
    killed = len(mutants) - len(alive)
    print(f"{killed} of {len(mutants)} mutants were killed.")
    print("\n".join(("These live:", *(f"  {one.title}" for one in alive)) if alive else ()))
    raise SystemExit(int(killed < FLOOR * len(mutants)))


if __name__ == "__main__":
    main()
