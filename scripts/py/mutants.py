"""Do the tests of a room notice that its code is wrong?

    scripts/mutants [WORD…] [--jobs N] [--list]

Each mutant of `mutants.toml` is made in a copy of the project, and killed where one of its tests fails. Those
that live are told. The exit status is 1 where fewer than FLOOR of them die, or where a text that is to be
changed does not stand in its file once. With WORDS only those in whose room or file they stand.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "fixtures", "scripts")
FLOOR = 0.9
LONGEST = 600.0
"""A mutant that lets its tests go on for so many seconds is killed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`new` in place of `old` in a file below `src/knightfall`; `tests` are asked until one fails."""

    room: str
    file: str
    old: str
    new: str
    tests: list[str]

    @property
    def title(self) -> str:
        """The file and what is said in it instead, in a line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old} → {new or '(nothing)'}"

    def in_place(self, root: Path) -> Path:
        """Its file in a copy of the project."""
        return root / "src" / "knightfall" / self.file


def all_mutants() -> Iterator[Mutant]:
    """Those of the table, as they stand there."""
    table = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    yield from (Mutant(**row) for row in tomllib.loads(table)["mutant"])


def misplaced(mutants: Sequence[Mutant]) -> Iterator[str]:
    """What is not as it has to be to make the mutants."""
    for one in mutants:
        if (found := one.in_place(ROOT).read_text(encoding="utf-8").count(one.old)) != 1:
            yield f"{one.title}: the old text is there {found} times"
        yield from (f"{one.title}: there is no {test}" for test in one.tests if not (ROOT / test).exists())


def is_killed(mutant: Mutant, place: Path) -> bool:
    """Whether a test fails in a copy of the project that has the mutant; the copy is as before then."""
    file = mutant.in_place(place)
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace(mutant.old, mutant.new), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(place / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    words = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests)
    try:
        done = subprocess.run(
            words, cwd=place, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(whole, encoding="utf-8")
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{mutant.title}: its tests did not run:\n{done.stdout}{done.stderr}")
    return done.returncode != 0


def living(mutants: Sequence[Mutant], jobs: int) -> tuple[Mutant, ...]:
    """Those that no test notices. Each job has a copy of the project."""
    with TemporaryDirectory(prefix="knightfall-mutants-") as folder:
        free = [Path(folder) / str(number) for number in range(jobs)]
        for place in free:
            for name in COPIED:
                shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", place)

        def lives(mutant: Mutant) -> bool:
            place, began = free.pop(), time.monotonic()
            try:
                killed = is_killed(mutant, place)
            finally:
                free.append(place)
            took = f"{time.monotonic() - began:4.0f} s"
            print(f"{'killed' if killed else 'LIVES '} {took}  {mutant.title}", flush=True)
            return not killed

        with ThreadPoolExecutor(jobs) as pool:
            outcomes = tuple(pool.map(lives, mutants))
    return tuple(one for one, alive in zip(mutants, outcomes, strict=True) if alive)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description="Do the tests notice wrong code?")
    parser.add_argument("words", nargs="*", metavar="WORD", help="a part of a room's or file's name")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("KNIGHTFALL_JOBS", "2")))
    parser.add_argument("--list", action="store_true", help="name them and their tests, and run nothing")
    asked = parser.parse_args()
    named = [one for one in all_mutants() if all(word in f"{one.room} {one.file}" for word in asked.words)]
    if wrong := tuple(misplaced(named)):
        raise SystemExit("\n".join(wrong))
    if asked.list:
        print("\n".join(f"{one.title}  ({', '.join(one.tests)})" for one in named))
        return
    alive = living(named, asked.jobs)
    print(f"{len(named) - len(alive)} of {len(named)} mutants were killed.")
    print("".join(f"This one lives: {one.title}\n" for one in alive), end="")
    raise SystemExit(int(len(named) - len(alive) < FLOOR * len(named)))


if __name__ == "__main__":
    main()
