"""The list of verbs at 80 columns: each says in whole what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer import Context
from typer.main import get_command
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.cli.verbs import GAME_VERBS, GROUPS, VERBS

CUT = ("...", "…")
HEADINGS = {"Commands:", *(f"{heading}:" for heading in GROUPS)}


def groups(group: Any, *words: str) -> Iterator[tuple[str, ...]]:
    """The words before `--help` of every list of verbs, groups within groups too."""
    yield words
    context = Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if hasattr(command, "commands"):
            yield from groups(command, *words, word)


@pytest.mark.parametrize(
    "words", list(groups(get_command(app))), ids=lambda words: " ".join(words) or "knightfall"
)
def test_no_line_of_a_list_of_verbs_is_cut_at_80_columns(words: tuple[str, ...]) -> None:
    listed = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"}).stdout.splitlines()
    first = next(place for place, line in enumerate(listed) if line in HEADINGS)
    verbs = listed[first + 1 :]
    assert verbs
    assert [line for line in verbs if line.rstrip().endswith(CUT)] == []
    assert max(map(len, listed)) <= 80


def test_every_verb_stands_in_one_group_of_the_help() -> None:
    grouped = [verb for verbs in GROUPS.values() for verb in verbs]
    assert sorted(grouped) == sorted((*VERBS, *GAME_VERBS))
    listed = CliRunner().invoke(app, ["--help"]).stdout
    assert [f"{heading}:" for heading in GROUPS if f"\n{heading}:\n" in listed] == [
        f"{one}:" for one in GROUPS
    ]


@pytest.mark.parametrize("verb", sorted((*VERBS, *GAME_VERBS)))
def test_the_list_of_verbs_says_what_the_verb_itself_says(verb: str) -> None:
    group: Any = get_command(app)
    words = " ".join((group.get_command(Context(group), verb).help or "").partition("\n\n")[0].split())
    assert {**VERBS, **GAME_VERBS}[verb][1] == words.partition(" Example: ")[0]
