"""`knightfall plot` from end to end: where the pictures go, what is refused, what stays unloaded."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from services.test_votecount import HEAD, PLAYERS, game, posts, status, vote

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]
KINDS = ("wagons", "activity", "votes")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def run(kind: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["plot", kind, *words])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_goes_to_the_folder_we_are_in_where_there_is_no_game(kind: str, here: Path) -> None:
    result = run(kind, "--from-html", *DEMO)
    assert result.stdout == f"{kind}-day1.svg\n"
    page = (here / f"{kind}-day1.svg").read_bytes()
    assert ElementTree.fromstring(page).tag == "{http://www.w3.org/2000/svg}svg"
    assert b"Kestrel" in page


def test_a_picture_of_a_game_goes_to_its_public_folder(here: Path) -> None:
    folder = here / "salt"
    folder.mkdir()
    file = posts(here, ("Ada", vote("Boro")), ("Boro", "hm"))
    result = run("wagons", file, "--game", game(folder, HEAD + PLAYERS))
    assert result.stdout.strip() == str(folder / "public" / "wagons-day1.svg")
    assert (folder / "public" / "wagons-day1.svg").exists()


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["day.svg", "day.png", "day.PNG"])
def test_the_ending_decides_what_is_written(name: str, here: Path) -> None:
    assert run("votes", "--from-html", *DEMO, "--out", str(here / name)).exit_code == 0
    start = (here / name).read_bytes()[:5]
    assert start == (b"<svg " if name.endswith("svg") else b"\x89PNG\r")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pies",), "Expected one of wagons, activity, votes"),
        (("wagons", "--out", "day.pdf"), ".svg or .png"),
        (("wagons", "--out", "nowhere/day.svg"), "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(words: tuple[str, ...], says: str) -> None:
    result = run(words[0], *DEMO, "--from-html", *words[1:])
    assert status(result) == 2
    assert says in str(result.exception)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
def test_the_text_goes_to_standard_output_and_no_file_is_made(kind: str, here: Path) -> None:
    lines = run(kind, "--from-html", *DEMO, "--text").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Kestrel ") for line in lines)
    assert not list(here.glob("*.svg"))


def test_the_chain_of_a_voter_is_as_he_voted() -> None:
    lines = run("votes", "--from-html", *DEMO, "--text").stdout.splitlines()
    assert "Ada      Fen #2 → – #34 → Kestrel #46" in lines


def test_as_of_an_earlier_post_nothing_later_is_drawn() -> None:
    text = run("votes", "--from-html", *DEMO, "--at", "40", "--text").stdout
    assert "Ada      Fen #2 → – #34\n" in text


def test_a_vote_that_waits_for_the_moderator_is_told_after_the_picture(here: Path) -> None:
    file = posts(here, ("Ada", vote("Boro")), ("Boro", vote("Zed")))
    result = run("wagons", file)
    assert result.stdout == "wagons-day1.svg\n"
    assert status(result) == 3
    assert "(#3)" in str(result.exception)


def test_activity_is_by_day_and_on_request_one_day_by_hours(here: Path) -> None:
    said = [("Ada", "a"), ("Boro", "b"), ("Wren", "<b>Day 2 has begun.</b>"), ("Boro", "c")]
    file = posts(here, *said, opening="Day 1")
    both = run("activity", file, "--text").stdout.splitlines()
    assert both[0] == "Posts of days 1 to 2, per day of the game"
    assert [line.split() for line in both[2:5]] == [
        ["1", "2", "all"],
        ["Ada", "1", "0", "1"],
        ["Boro", "1", "1", "2"],
    ]
    assert "per 6 hours, UTC" in run("activity", file, "--text", "--day", "2").stdout


def test_a_player_who_died_before_is_marked(here: Path) -> None:
    dead = '[[player]]\nname = "Pike"\nleft = { how = "killed", post = 2 }\n'
    file = posts(here, ("Ada", vote("Boro")), ("Ada", "hm"))
    text = run("activity", file, "--game", game(here, HEAD + PLAYERS + dead), "--text").stdout
    assert "Pike †" in text


def test_wagons_along_the_time_need_times(here: Path) -> None:
    assert run("wagons", "--from-html", *DEMO, "--time").exit_code == 0
    assert "time, " in (here / "wagons-day1.svg").read_text(encoding="utf-8")


LOADED = """
import sys
from typer.testing import CliRunner
from knightfall.cli import app
for words in (["--help"], ["plot", "--help"], ["plot", "wagons", "--text", "--from-html", *sys.argv[1:]]):
    assert CliRunner().invoke(app, words).exit_code == 0, words
print(sorted(name for name in sys.modules if name in ("matplotlib", "numpy", "PIL")))
"""


@pytest.mark.long
def test_neither_help_nor_a_text_loads_matplotlib() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, *DEMO], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
