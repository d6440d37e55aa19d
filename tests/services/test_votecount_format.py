"""`knightfall vc` with themes, templates and limits, from end to end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from growth import soon
from knightfall.cli import app
from knightfall.errors import KnightfallError

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = ["--from-html", *(str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3))]
GAME = 'schema = 1\n[game]\ntimezone = "UTC"\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["vc", *DEMO, "--as", "plain", *words])


def refused(result: Result) -> str:
    """The complaint of a run that printed no post and ended with exit status 2."""
    assert isinstance(result.exception, KnightfallError)
    assert result.exception.exit_status == 2
    assert result.stdout == ""
    return str(result.exception)


def template(folder: Path, text: str) -> str:
    path = folder / "mine.j2"
    path.write_text(text, encoding="utf-8")
    return str(path)


def game(folder: Path, more: str) -> str:
    (folder / "game.toml").write_text(GAME + more, encoding="utf-8")
    return str(folder)


def test_a_theme_is_chosen_by_name() -> None:
    assert "▮▮▮▮▮▯▯ Kestrel (5): Cinder (17)" in run("--theme", "ticks").stdout
    assert "Kestrel (5): Cinder, Lumen, Iris, Ada, Hollis – E-2\n" in run("--theme", "compact").stdout
    assert run("--theme", "area").stdout == run().stdout


def test_an_unknown_theme_names_the_nearest_before_anything_is_read() -> None:
    result = run("--theme", "comapct")
    assert "no theme 'comapct'. Nearest: compact." in refused(result)
    assert "Read posts" not in result.stderr


def test_the_game_file_chooses_a_theme_and_the_command_line_another(tmp_path: Path) -> None:
    folder = game(tmp_path, 'theme = "ticks"\n')
    assert "▮▮▮▮▮▯▯ Kestrel" in run("--game", folder).stdout
    assert "▮" not in run("--game", folder, "--theme", "area").stdout
    assert "Nearest: table" in refused(run("--game", game(tmp_path, 'theme = "tabel"\n')))


def test_closeness_begins_where_the_game_file_says(tmp_path: Path) -> None:
    said = run("--game", game(tmp_path, '[terms]\ncloseness = "L"\ncloseness_from = 4\n')).stdout
    assert "Hollis (53) – L-2\nFen (3): " in said
    assert "Elm (55) – L-4\n" in said


def test_a_template_of_the_moderator_has_the_same_facts(tmp_path: Path) -> None:
    file = template(tmp_path, "{% for w in wagons %}\n[b]{{ w.name }}[/b]: {{ w.count }}\n{% endfor %}")
    assert run("--template", file).stdout.split("\n")[:2] == ["Kestrel: 5", "Fen: 3"]
    (tmp_path / "game.toml").write_text(GAME + 'template = "mine.j2"\n', encoding="utf-8")
    assert run("--game", str(tmp_path)).stdout.split("\n")[:2] == ["Kestrel: 5", "Fen: 3"]


def test_a_template_may_change_one_block_of_ours(tmp_path: Path) -> None:
    own = '{% extends "any/votecount.j2" %}{% block wagons %}\n{{ wagons|length }} wagons\n{% endblock %}'
    said = run("--template", template(tmp_path, own)).stdout
    assert said.split("\n")[:4] == ["Votecount 1 (to post 58)", "6 wagons", "", "Not voting (0)"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a\n{% if %}", "line 2: Expected an expression"),
        ("a\n\n{{ wagon }}", "line 3: 'wagon' is undefined"),
        ("a\n{{ title.__class__ }}", "line 2: access to attribute '__class__'"),
        (
            "{% for a in range(9999) %}\n{{ 'x' * 999 }}{% endfor %}",
            ": it writes more than 200000 characters",
        ),
        (
            "{% set ns = namespace(x=title) %}\n{% for a in range(99) %}\n{% set ns.x = ns.x ~ ns.x %}\n"
            "{% endfor %}",
            "line 3: it needs too much memory",
        ),
    ],
)
def test_a_bad_template_gives_file_line_and_cause_and_no_post(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = template(tmp_path, text)
    said = refused(run("--template", file))
    assert said.startswith(f"Template {file}")
    assert complaint in said


@pytest.mark.long
def test_a_template_that_never_ends_is_stopped_soon(tmp_path: Path) -> None:
    loops = "".join(f"{{% for {name} in range(9999) %}}" for name in "abcd")
    file = template(tmp_path, loops + "{% endfor %}" * 4)
    with soon():
        assert "it was stopped, because it takes more than" in refused(run("--template", file))


def test_a_template_that_cannot_be_read_or_lies_elsewhere_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused(run("--template", str(tmp_path / "none.j2")))
    (tmp_path / "latin.j2").write_bytes(b"\xe9t\xe9")
    assert "is not UTF-8" in refused(run("--template", str(tmp_path / "latin.j2")))
    outside = game(tmp_path, 'template = "../other.j2"\n')
    assert "expected a file beside it" in refused(run("--game", outside))
    both = game(tmp_path, 'template = "mine.j2"\ntheme = "area"\n')
    assert "found both a theme and a template" in refused(run("--game", both))
    assert "not both" in refused(run("--theme", "area", "--template", str(tmp_path / "latin.j2")))


def test_parts_are_told_apart_on_standard_error() -> None:
    result = run("--limit", "200")
    first, second = result.stdout.rstrip("\n").split("\n\nVotecount")
    assert first.startswith("Votecount 1 (to post 58) (1/2)\nKestrel (5): ")
    assert second.startswith(" 1 (to post 58) (2/2)\n")
    assert f"— part 1 of 2, {len(first)} characters —" in result.stderr
    assert "— part 2 of 2, " in result.stderr


def test_one_part_is_printed_as_ever() -> None:
    result = run("--limit", "60000")
    assert result.stdout == run().stdout
    assert "part 1" not in result.stderr


def test_a_limit_with_room_for_nothing_gives_no_post() -> None:
    assert "A limit of 5 characters is too small for this post" in refused(run("--limit", "5"))
