"""A reader of the README and the manual who pastes their blocks, one after the other, into one shell."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from typer import testing
from typer.main import get_command
from typer.testing import CliRunner

from house.manual import ROOT, TEXTS
from knightfall.cli import app
from knightfall.errors import KnightfallError

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"\s*```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r"type `(\w+)`")
STATUS = re.compile(r"exit status (\d)")
_commands = cache(get_command)
"""Putting all verbs together takes longer than most of them."""


@dataclass(frozen=True)
class Block:
    """Commands to paste, what the paragraph before them says of exit statuses and what to type, and the
    lines that are shown below them."""

    page: str
    number: int
    commands: tuple[str, ...]
    answer: str
    statuses: frozenset[int]
    shown: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page} {self.number}: {self.commands[0]}"


def blocks(page: str) -> Iterator[Block]:
    """All that a page asks to paste, in order."""
    text, end = TEXTS[page], 0
    for number, found in enumerate(BLOCK.finditer(text), start=1):
        said, end = text[end : found.start()].strip().rpartition("\n\n")[2], found.end()
        asked, shown = ASKED.search(said), SHOWN.match(text, end)
        yield Block(
            page,
            number,
            tuple(found[1].replace("\\\n", " ").strip().splitlines()),
            asked[1] if asked else "",
            frozenset({0, *map(int, STATUS.findall(said))}),
            tuple(shown[1].splitlines()) if shown else (),
        )


@dataclass
class Reader:
    """`checkout` holds the sample data, and each page is begun there; `here` is where the shell stands."""

    home: Path
    patch: pytest.MonkeyPatch
    checkout: Path = field(init=False)
    here: Path = field(init=False)
    said: list[str] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.checkout = self.here = self.home / "knightfall"
        for part in ("demo", "setups"):
            shutil.copytree(ROOT / "fixtures" / part, self.checkout / "fixtures" / part)
        self.patch.setenv("XDG_DATA_HOME", str(self.home / "data"))
        self.patch.setattr(testing, "_get_command", _commands)
        self.patch.setattr("socket.socket.connect", no_network)

    def pastes(self, block: Block) -> str:
        """Runs the commands of a block; returns all that was printed and said beside it."""
        if block.number == 1:
            self.here = self.checkout
        self.said, self.ended = [], []
        for command in block.commands:
            self._runs([self._home(word) for word in shlex.split(command)], block)
        return "\n".join(self.said)

    def _home(self, word: str) -> str:
        return f"{self.home}/{word[2:]}" if word.startswith("~/") else word

    def _runs(self, words: list[str], block: Block) -> None:
        """What names the sample data is typed in the checkout."""
        place = self.checkout if any("fixtures/" in word for word in words) else self.here
        match words:
            case ["cd", folder]:
                self.here = self.here / folder
            case ["cp", "-r", source, target]:
                shutil.copytree(place / source, target)
            case ["knightfall", *rest]:
                last = shlex.split(block.commands[-1])[1:] == rest
                self._types(rest, place, f"{block.answer}\n" if last and block.answer else None)
            case _:
                raise AssertionError(f"a command is shown that no test runs: {words}")

    def _types(self, words: list[str], place: Path, answer: str | None) -> None:
        self.patch.chdir(place)
        result = CliRunner().invoke(app, words, input=answer)
        error = result.exception
        if error is not None and not isinstance(error, (KnightfallError, SystemExit)):
            raise error
        ours = isinstance(error, KnightfallError)
        self.ended.append(error.exit_status if isinstance(error, KnightfallError) else result.exit_code)
        self.said += [result.stdout, result.stderr, str(error) if ours else ""]


def no_network(*_: object) -> None:
    """What is shown needs none."""
    raise AssertionError("a command that is shown asked the network")
