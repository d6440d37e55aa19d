"""What the README and the manual name is there."""

import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from command_line import GROUP
from house.manual import ALL, INDEX, MANUAL, PAGES, README, ROOT, TEXTS, page
from knightfall import errors
from knightfall.config.game_file import parse_setup
from knightfall.engine.rng import SeededRng
from knightfall.forums import FORUMS
from knightfall.forums.platforms import PLATFORMS, Checked
from knightfall.games import GAMES
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.markup.dialects import DIALECTS
from knightfall.sentence import SlotId
from knightfall.services.game.lookups import format_players
from knightfall.services.posts.write import KINDS
from knightfall.web.ways import PLACES

COMMANDS = sorted(GROUP.commands)


def table(head: str) -> list[list[str]]:
    """The cells of each row of the table with that first line."""
    assert ALL.count(f"\n{head}\n") == 1
    rows = ALL.partition(f"\n{head}\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip().replace("–", "-") for cell in row.strip("|").split(" | ")] for row in rows]


def verbs(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its whole name."""
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from verbs(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


def said_first(command: Any) -> str:
    """The first sentence of a command's help."""
    said = " ".join((command.help or "").split()).partition(" Example:")[0]
    return re.split(r"(?<=[.!?])\s", said)[0]


def test_the_table_of_forums_is_the_registry() -> None:
    rows = table("| platform | software | read as | remarks |")
    assert [row[:3] for row in rows] == [[one.name, one.software, one.read_as] for one in PLATFORMS]
    assert {row[0] for row in rows} == {forum.name for forum in FORUMS}
    unseen = {one.name for one in PLATFORMS if one.checked is Checked.DOCUMENTATION}
    assert {row[0] for row in rows if "from its documentation" in row[3]} == unseen


def test_the_table_of_dialects_is_the_registry() -> None:
    assert [row[0] for row in table("| dialect | for |")] == [one.name for one in DIALECTS]


def test_the_table_of_verbs_says_what_their_help_says() -> None:
    told = {row[0].strip("`"): row[1] for row in table("| verb | does |")}
    known = {name: said_first(command) for name, command in verbs(GROUP)}
    wrong = [f"| `{name}` | {says} |" for name, says in known.items() if told.get(name) != says]
    assert not wrong, "rows that the manual should have:\n" + "\n".join(wrong)
    assert set(told) <= set(known)


def test_the_table_of_posts_has_every_kind() -> None:
    told = [name for row in table("| kind | says |") for name in re.findall(r"`([\w-]+)`", row[0])]
    assert sorted(told) == sorted(KINDS)


CASES = [file.stem for file in (ROOT / "fixtures/conformance").glob("*.jsonl")]
GROWN = [game.spec.id for game in GAMES if any(name.startswith(game.spec.id) for name in CASES)]
"""Games with conformance cases: a game that has none, fresh from scripts/new-game, needs no row yet."""


def test_every_game_has_a_row() -> None:
    assert [game for game in GROWN if f"\n| {game} |" not in ALL] == []


def test_every_row_of_the_games_is_a_game_on_board() -> None:
    rows = {row[0]: row[1:3] for row in table("| game | players | rulings | on board |")}
    known = {
        game.spec.id: [format_players(tuple(game.spec.players)), str(len(game.spec.rulings))]
        for game in GAMES
    }
    assert rows
    assert {name: row for name, row in rows.items() if known.get(name) != row} == {}
    assert set(GROWN) <= set(rows)


def test_every_command_stands_in_the_manual_and_has_help() -> None:
    for command in COMMANDS:
        assert re.search(rf"knightfall {command}\b|^\| `{command}[ `]", ALL, re.MULTILINE), command
        assert (GROUP.commands[command].help or "").strip(), command


def test_every_command_line_is_understood() -> None:
    pasted = re.findall(r"^knightfall ([^#\n]+)", ALL.replace("\\\n", " "), re.MULTILINE)
    within = [" ".join(words.split()) for words in re.findall(r"`knightfall\s([^`]+)`", ALL)]
    assert pasted
    assert within
    for line in (*pasted, *within):
        verb, *words = shlex.split(line)
        command: Any = GROUP.commands[verb]
        if hasattr(command, "commands"):
            verb, *words = words or [""]
            command = command.commands[verb]
        command.make_context(verb, words, resilient_parsing=False).close()


def test_every_script_that_is_named_is_there_and_runnable() -> None:
    for script in sorted(set(re.findall(r"`(scripts/[a-z-]+)", ALL))):
        path = ROOT / script
        assert path.exists(), script
        assert path.stat().st_mode & 0o111, script
        assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0, script


def test_every_exit_status_stands_in_the_manual() -> None:
    statuses = {
        value.exit_status
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.KnightfallError)
    }
    assert [row[0] for row in table("| exit status | means |")] == [str(n) for n in sorted({0, *statuses})]


def test_every_path_that_is_named_is_there() -> None:
    paths = re.findall(r"`((?:src|fixtures|scripts|votes)/[\w/.-]+?)`", ALL)
    assert paths
    roots = (ROOT, ROOT / "src" / "knightfall")
    assert [path for path in paths if not any((root / path).exists() for root in roots)] == []


SETUPS = [block for block in re.findall(r"```toml\n(.*?)```", ALL, re.DOTALL) if "[[slots]]" in block]


@pytest.mark.parametrize("setup", SETUPS, ids=range(len(SETUPS)))
def test_every_setup_that_is_shown_can_be_dealt(setup: str) -> None:
    slots = [SlotId(f"P{place}") for place in range(9)]
    state = CUSTOM_MAFIA.setup(slots, {"setup": tomllib.loads(setup)}, SeededRng(b"quay")).state
    assert set(state.cards) == set(slots)
    assert len(SETUPS) == 5


def test_the_game_file_that_is_shown_can_be_read() -> None:
    [shown] = re.findall(r"```toml\n(.*?)```", page("game-file"), re.DOTALL)
    setup = parse_setup(shown)
    assert (setup.url, len(setup.days)) == ("https://forum.example/viewtopic.php?t=90010", 1)


PROGRAM = re.compile(r"^```python\n(.*?)^```\s*```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = [(name, *found) for name, text in TEXTS.items() for found in PROGRAM.findall(text)]


def test_every_program_shows_what_it_prints_and_is_short() -> None:
    assert len(PROGRAMS) == ALL.count("\n```python\n") >= 3
    assert all(len([line for line in program.splitlines() if line]) <= 10 for _, program, _ in PROGRAMS)


@pytest.mark.parametrize(("name", "program", "shown"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_prints_what_is_shown(
    name: str, program: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(program, name, "exec"), {})
    assert capsys.readouterr().out == shown


LINES, COLUMNS = 220, 120


def test_the_readme_is_a_screen_and_a_half() -> None:
    lines = README.splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > COLUMNS and not line.startswith("|")] == []


def test_the_page_and_its_pictures_stand_below_the_first_paragraph() -> None:
    _, first, page_words, pictures, *_ = README.split("\n\n")
    assert not first.startswith(("|", "#", "```"))
    assert "`knightfall web`" in page_words
    assert pictures.count("](fixtures/demo/page/") == 4


def test_the_index_lists_every_page_of_the_manual_once() -> None:
    listed = [found.name for found in PAGES if found.parent == MANUAL]
    assert sorted(listed) == sorted(file.name for file in MANUAL.iterdir())
    rows = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if line.startswith("* ")]
    assert len(rows) == len(listed) - 1


def labels() -> Iterator[re.Pattern[str]]:
    """What the page calls its buttons, links, fields and heads; what changes in one may be anything."""
    web = ROOT / "src" / "knightfall" / "web"
    for label, _ in PLACES.values():
        yield re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(label)))
    for file in sorted(web.glob("*.py")):
        for word in re.findall(r'"([A-Z][\w ]+)"', file.read_text(encoding="utf-8")):
            yield re.compile(re.escape(word))
    for file in sorted((web / "templates").glob("*.html")):
        for words in re.findall(r"[>}]([^<>%]*[A-Za-z]{3}[^<>%]*)[<{]", file.read_text(encoding="utf-8")):
            told = re.split(r"\{\{.*?\}\}", words.strip())
            if any(re.search("[A-Za-z]{3}", part) for part in told):
                yield re.compile(".+".join(re.escape(part) for part in told))


OF_THE_MANUAL = ("page", "moments", "symptoms", "questions")
NAMING_THE_PAGE = ("README.md", *(f"src/knightfall/manual/{name}.md" for name in OF_THE_MANUAL))
"""What calls buttons and heads of the page by their names."""


@pytest.mark.parametrize("name", NAMING_THE_PAGE)
def test_what_stands_in_bold_stands_on_the_page(name: str) -> None:
    """What ends in a colon or a comma begins a paragraph."""
    bold = [" ".join(found.split()) for found in re.findall(r"\*\*([^*]+)\*\*", TEXTS[name])]
    known = tuple(labels())
    assert len(bold) >= 5
    called = [one for one in bold if not one.endswith((":", ","))]
    assert [one for one in called if not any(label.fullmatch(one) for label in known)] == []
