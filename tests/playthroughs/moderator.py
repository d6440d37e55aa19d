"""A moderator at the command line, in the folder of a game, with a clock that can be turned."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fetch.loopback import StillClock
from knightfall.cli import app, clipboard
from knightfall.cli.terminal import real_session
from knightfall.errors import KnightfallError
from knightfall.fetch import clock as system_clock
from knightfall.services.guard import hidden_in, passed
from playthroughs.forum import Board, board

NAME = "Wren"
OWN_NETWORK = "--allow-private-host"
PATIENCE = 300.0
"""Seconds within which a command ends as a process of its own, on a machine that has much else to do."""
_READS_THE_FORUM = ("vc", "near", "read", "post", "phase close", "commit", "signup read", "submit --threads")


_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_CODE = re.compile(r"<code>(.*?)</code>", re.DOTALL)


@dataclass(frozen=True)
class Said:
    """What a command printed, what it said beside it, and how it ended."""

    status: int
    out: str
    err: str


@dataclass
class Moderator:
    """`desk` is where the game folders lie; `folder` the one he stands in."""

    board: Board
    clock: StillClock
    desk: Path
    pasted: list[str] = field(default_factory=list)
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = self.desk

    def types(self, line: str, *words: str, answers: str | None = None, status: int = 0) -> Said:
        """Runs a command: the words of `line`, then `words` as they are; it has to end with `status`."""
        typed = [*line.split(), *words]
        if line.startswith(_READS_THE_FORUM):
            typed.append(OWN_NETWORK)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            result = CliRunner().invoke(app, typed, input=answers)
        error = result.exception
        if error is not None and not isinstance(error, (KnightfallError, SystemExit)):
            raise error
        known = isinstance(error, KnightfallError)
        ended = error.exit_status if isinstance(error, KnightfallError) else result.exit_code
        said = Said(ended, result.stdout, f"{result.stderr}{error if known else ''}")
        assert ended == status, f"{' '.join(typed)}: {ended}\n{said.out}\n{said.err}"
        return said

    def runs(self, *words: str, status: int = 0) -> Said:
        """The same as a process of its own, by the computer's own clock."""
        command = [sys.executable, "-c", "from knightfall.cli import main; main()", *words]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == status, (
            f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def turns_to(self, moment: datetime) -> None:
        """Time goes by; never backwards."""
        assert moment >= self.clock.now()
        self.clock.sleep((moment - self.clock.now()).total_seconds())

    def posts(self, topic: int, text: str) -> int:
        """Pastes a text into a topic."""
        return self.board.post(topic, NAME, text)

    def cards(self) -> Mapping[str, str]:
        """Who holds which card: the moderator's secret."""
        found: Mapping[str, str] = json.loads(self.file("private/deal.json"))["cards"]
        return found

    def holders(self, role: str) -> list[str]:
        """Who holds that card, in the order of the list."""
        return [name for name, card in self.cards().items() if card == role]

    def file(self, name: str) -> str:
        """What a file of the folder says."""
        return (self.folder / name).read_text(encoding="utf-8")

    def writes(self, name: str, text: str) -> None:
        """Writes a file of the folder in an editor."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def given_away(self) -> list[str]:
        """What the files in public/ tell at this moment that not everybody may know."""
        hidden = hidden_in(real_session(self.folder, allow_private=False))
        return [
            f"{file.name}: {leak}"
            for file in sorted((self.folder / "public").glob("*.txt"))
            for leak in passed(file.read_text(encoding="utf-8"), hidden, "only to look")
        ]

    def proves_the_deal(self, topic: int) -> None:
        """A reader checks the deal: with the commitment of the opening post and what the last post shows, as
        both read in the forum."""
        bodies = [post.body for post in self.board.topics[topic].posts]
        committed = next(found[0] for found in map(_DIGEST.search, bodies) if found)
        shown = next(said for said in map(unescape, _CODE.findall(bodies[-1])) if '"commitment"' in said)
        self.writes("../deal.json", shown)
        right = self.types(f"fair verify ../deal.json --published {committed}")
        dealt = f"All {len(self.cards())} cards match the seed." in right.out
        nothing = right.out.startswith("Nothing was dealt. The seed, the options and the players match.")
        assert dealt or nothing or re.search(r"draws? match(?:es)? the seed\.", right.out)
        self.writes("../forged.json", shown.replace('"seed": "', '"seed": "00'))
        self.types(f"fair verify ../forged.json --published {committed}", status=1)


@contextmanager
def moderating(desk: Path, begins: datetime) -> Iterator[Moderator]:
    """The moderator with a forum on this machine; what he copies gets onto no real clipboard."""
    clock = StillClock(began=begins)
    with pytest.MonkeyPatch.context() as patch, board(clock) as forum:
        found = Moderator(forum, clock, desk)
        patch.setattr(system_clock, "SystemClock", lambda: clock)
        patch.setattr(clipboard, "copy", lambda text, *_: found.pasted.append(text))
        patch.setenv("KNIGHTFALL_DELAY", "0")
        patch.setenv("KNIGHTFALL_AUTHOR", NAME)
        patch.setenv("XDG_DATA_HOME", str(desk / "data"))
        yield found
