"""The list of verbs at 80 columns: each says in whole what it does. And the verb that shows the manual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer import Context
from typer.main import get_command
from typer.testing import CliRunner

import command_line
from knightfall.cli import app
from knightfall.cli import help as help_verb
from knightfall.cli.verbs import GAME_VERBS, GROUPS, SELDOM, VERBS, seldom_verbs
from knightfall.errors import InputError
from knightfall.services.manual import Topic, all_sections, page, search, sections_naming, topics

CUT = ("...", "…")
HEADINGS = {"Commands:", *(f"{heading}:" for heading in GROUPS), f"{SELDOM}:"}


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


def test_the_help_shows_the_verbs_of_an_evening_and_names_all_others() -> None:
    grouped = [verb for verbs in GROUPS.values() for verb in verbs]
    assert len(grouped) <= 36
    assert sorted((*grouped, *seldom_verbs())) == sorted((*VERBS, *GAME_VERBS))
    listed = CliRunner().invoke(app, ["--help"]).stdout
    assert [f"{heading}:" for heading in GROUPS if f"\n{heading}:\n" in listed] == [
        f"{one}:" for one in GROUPS
    ]
    rest = " ".join(listed.partition(f"\n{SELDOM}:\n")[2].split())
    assert rest == ", ".join(seldom_verbs())


@pytest.mark.parametrize("verb", sorted(command_line.VERBS))
def test_no_help_speaks_python(verb: str) -> None:
    """Values are called as moderators call them, and bounds are said in words."""
    shown = CliRunner().invoke(app, [*verb.split(), "--help"], env={"COLUMNS": "80"}).stdout
    python = r"<(str|int|float|path|list|file|directory)\b[^>]*>|x[<>]=|TEXT RANGE"
    assert not re.search(python, shown)


BOUNDS = {
    ("vc", "--day", "0"): "day: expected 1 or more, found 0.",
    ("vc", "--day", "x"): "day: expected a number, found “x”.",
    ("phase", "open", "day", "0"): "number: expected 1 or more, found 0.",
    ("phase", "close", "--pause", "1"): "pause: expected 2 or more, found 1.0.",
    ("web", "--port", "99999"): "port: expected 65535 or less, found 99999.",
    ("balance", "kings-court", "--games", "-1"): "games: expected 0 or more, found -1.",
    ("hand-over", "--limit", "5"): "limit: expected 2000 or more, found 5.",
}


@pytest.mark.parametrize("words", BOUNDS, ids=" ".join)
def test_a_bound_is_said_as_on_the_page_and_in_python(words: tuple[str, ...]) -> None:
    found = CliRunner().invoke(app, list(words))
    assert isinstance(found.exception, InputError)
    assert str(found.exception) == BOUNDS[words]


@pytest.mark.parametrize("verb", sorted((*VERBS, *GAME_VERBS)))
def test_the_list_of_verbs_says_what_the_verb_itself_says(verb: str) -> None:
    group: Any = get_command(app)
    words = " ".join((group.get_command(Context(group), verb).help or "").partition("\n\n")[0].split())
    assert {**VERBS, **GAME_VERBS}[verb][1] == words.partition(" Example: ")[0]


# -- the verb that shows the manual ------------------------------------------------------------------------


def test_help_lists_the_topics() -> None:
    said = CliRunner().invoke(app, ["help"]).stdout
    assert all(f"{one.name} " in said and one.sentence in said for one in topics())


@pytest.mark.parametrize("topic", topics(), ids=lambda topic: topic.name)
def test_a_page_is_shown_as_it_is_in_a_pipe(topic: Topic) -> None:
    assert (
        CliRunner().invoke(app, ["help", f"{topic.name}.md"]).stdout.rstrip()
        == page(topic.name).text.rstrip()
    )


def test_a_section_is_shown_alone() -> None:
    said = CliRunner().invoke(app, ["help", "forums#manners"]).stdout
    assert said.startswith("# Forums\n\n## Manners\n\n")
    assert "## What is kept" not in said
    assert "Also:" not in said


@pytest.mark.parametrize("words", [("phase", "close"), ("balance",), ("signup",), ("roles",)])
def test_a_verb_shows_its_help_and_the_sections_that_name_it(words: tuple[str, ...]) -> None:
    said = CliRunner().invoke(app, ["help", *words]).stdout
    assert said.startswith("Usage: ")
    assert f"{' '.join(words)} " in said.splitlines()[0]
    assert "--help" in said
    for one in sections_naming(" ".join(words))[:5]:
        assert f"knightfall help {one.name}" in said


def test_a_page_that_is_called_as_a_verb_is_asked_for_by_its_file() -> None:
    assert "  knightfall help balance.md " in CliRunner().invoke(app, ["help", "balance"]).stdout


def test_other_words_show_the_best_section_and_list_the_rest() -> None:
    said = CliRunner().invoke(app, ["help", "votes", "after", "a", "deadline"]).stdout
    best, *others = [one.section for one in search("votes after a deadline")]
    assert f"## {best.heading}" in said or f"# {best.heading}" in said
    assert f"knightfall help {others[0].name}" in said.partition("\nAlso:\n")[2]


def test_words_that_nothing_has_end_with_an_error() -> None:
    found = CliRunner().invoke(app, ["help", "forrums"])
    assert isinstance(found.exception, InputError)
    assert "Did you mean forums?" in str(found.exception)


def test_in_a_terminal_a_page_is_laid_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    help_verb._show("# Quay\n\nSee [forums](forums.md#manners), **now**.\n")
    said = " ".join(capsys.readouterr().out.split())
    assert "Quay" in said
    assert "**" not in said
    assert "forums#manners" in said
    assert ".md" not in said


@pytest.mark.parametrize("name", [one.name for one in all_sections()][::7])
def test_every_section_can_be_asked_for(name: str) -> None:
    assert CliRunner().invoke(app, ["help", name]).exit_code == 0
