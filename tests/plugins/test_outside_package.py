"""A forum, a dialect and a game of another package, used through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from long_runs import rows
from plugins.outside_package import COMMAND, ENTRY_POINTS, PAGE, ROOT, install, write_package

OURS = ROOT / "fixtures" / "demo" / "kettle" / "day-1.html"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the small one in it."""
    folder = tmp_path_factory.mktemp("packages")
    write_package(folder)
    install(folder)
    return folder


@pytest.fixture
def page(tmp_path: Path) -> str:
    file = tmp_path / "planks.html"
    file.write_text(PAGE, encoding="utf-8")
    return str(file)


def knightfall(packages: Path, *words: str, config: str = "") -> subprocess.CompletedProcess[str]:
    """The command line with those packages beside the installed ones, and no settings of the user's own."""
    path = os.pathsep.join((str(ROOT / "src"), str(packages)))
    environment = {**os.environ, "PYTHONPATH": path, "KNIGHTFALL_CONFIG": config or str(packages / "none")}
    return subprocess.run(
        [*COMMAND, *words], env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )


IN_ONE = """
import json, sys
from typer.testing import CliRunner
from knightfall.cli import app
for words in json.loads(sys.argv[1]):
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, (words, told.output, told.exception)
    print(json.dumps([told.stdout, told.stderr]))
"""


def answers(packages: Path, *commands: tuple[str, ...]) -> list[list[str]]:
    """What each of some commands prints, and says beside it; they run in one process."""
    path = os.pathsep.join((str(ROOT / "src"), str(packages)))
    environment = {**os.environ, "PYTHONPATH": path, "KNIGHTFALL_CONFIG": str(packages / "none")}
    words = [sys.executable, "-c", IN_ONE, json.dumps(commands)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


ON_THE_PAGE = """
import json, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from web.hands import form_hand
from web.served import served
with TemporaryDirectory() as folder:
    hand, pages = form_hand(served(Path(folder))), []
    for address in json.loads(sys.argv[1]):
        hand.go(address)
        pages.append(hand.body)
    print(json.dumps(pages))
"""


def pages_at(packages: Path, *addresses: str) -> list[str]:
    """What the page shows there, opened in one process."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests"), str(packages)))
    environment = {**os.environ, "PYTHONPATH": path, "KNIGHTFALL_CONFIG": str(packages / "none")}
    words = [sys.executable, "-c", ON_THE_PAGE, json.dumps(addresses)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def answer(packages: Path, *words: str) -> str:
    done = knightfall(packages, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_a_page_of_its_forum_is_counted(packages: Path, page: str) -> None:
    asked = (("vc", "--from-html", page), ("doctor", page), ("forums", "--json"))
    counted, looked, known = (told for told, _ in answers(packages, *asked))
    assert "Boro (2): Ada (2), Cinder (3)" in counted
    assert "plank_board (Plank Board 1)" in looked
    listed = json.loads(known)["platforms"]
    assert (listed[-1]["platform"], listed[-1]["software"]) == ("plank_board", "Plank Board 1")


@pytest.mark.long
def test_a_question_of_its_game_is_a_verb_and_a_page(packages: Path) -> None:
    asked = (("planks", "9"), ("planks", "9", "--json"), ("planks", "--help"), ("games", "--json"))
    said, told, helped, on_board = (told for told, _ in answers(packages, *asked))
    assert said == "A plank of 9 feet bears 4 players.\n"
    assert json.loads(told)["feet"] == 9
    assert "Say how many players a plank bears. Example: knightfall planks 8" in helped
    assert json.loads(on_board)["games"][-1]["lookups"] == ["planks"]
    addresses = ("/ask", *(f"/ask/plank_game/planks?feet={feet}" for feet in ("9", "nine")))
    listed, answered, refused = pages_at(packages, *addresses)
    assert "/ask/plank_game/planks" in listed
    assert "A plank of 9 feet bears 4 players." in answered
    assert "feet: expected a number, found “nine”." in refused


@pytest.mark.long
def test_a_setup_is_played_by_its_policy(packages: Path) -> None:
    """Its day votes out a mafioso without fail."""
    asked = ("balance", "custom-mafia", "--games", "100", "--policy", "plank-votes", "--json")
    sides = json.loads(answer(packages, *asked))["sides"]
    assert sides["town"]["share"] == 1


def test_a_count_is_written_in_its_dialect(packages: Path) -> None:
    asked = (("vc", "--from-html", str(OURS), "--as", name) for name in ("plain", "plank-talk"))
    plain, theirs = (told for told, _ in answers(packages, *asked))
    assert theirs.splitlines()[0].startswith("| ")
    assert theirs != plain


NUMBERS = {"Ada": 7, "Boro": 3, "Cinder": 3}


@pytest.mark.long
def test_its_game_is_dealt_played_and_told_with_its_own_posts(packages: Path, tmp_path: Path) -> None:
    table = str(tmp_path / "table")
    place = ("--game", table)
    listed, begun, taken, _, _, closed, rulings = answers(
        packages,
        ("games",),
        ("new", "plank-game", "Ada", "Boro", "Cinder", "--out", table),
        *(("submit", name, f"NUMBER {number}", *place) for name, number in NUMBERS.items()),
        ("commit", "--yes", "--as", "plank_talk", *place),
        ("rulings", "plank_game", *place),
    )
    assert "plank_game" in listed[0]
    assert "Plank Game, 3 players; 1 post in public/" in begun[0]
    posts = [file.read_text(encoding="utf-8") for file in (tmp_path / "table" / "public").iterdir()]
    assert any("Each round everybody sends me a number" in post for post in posts)
    assert "NUMBER 7" in taken[1]
    assert "| Ada alone sent 7 and scores." in closed[0]
    assert "pg_03 = 3 (default)" in rulings[0]


@pytest.mark.long
def test_a_folder_whose_game_is_no_longer_installed_says_so(packages: Path, tmp_path: Path) -> None:
    table = str(tmp_path / "table")
    answer(packages, "new", "plank-game", "Ada", "Boro", "--out", table)
    done = knightfall(tmp_path / "empty", "submit", "Ada", "NUMBER 7", "--game", table)
    assert done.returncode == 2
    assert "There is no game called “plank_game”" in done.stderr


BROKEN = ENTRY_POINTS.replace("plank_pack.", "no_such_pack.")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("broken")
    install(folder, BROKEN, "broken-pack")
    return folder


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("new", "plank-game", "Ada", "Boro"), "game"),
        (("vc", "--from-html", str(OURS), "--as", "plank_talk"), "dialect"),
    ],
)
def test_a_broken_part_names_its_package_and_what_to_do(
    broken: Path, words: tuple[str, ...], kind: str
) -> None:
    done = knightfall(broken, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"The {kind} “plank_" in done.stderr
    assert "of the package broken-pack cannot be loaded (ModuleNotFoundError" in done.stderr
    assert "python -m pip uninstall broken-pack" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_forum_is_named_where_a_page_is_recognised_by_none(broken: Path, page: str) -> None:
    done = knightfall(broken, "vc", "--from-html", page)
    assert done.returncode == 4
    assert "The forum “plank_board” of the package broken-pack cannot be loaded" in done.stderr


@pytest.mark.long
def test_a_broken_package_stops_no_count_and_no_list_of_ours(broken: Path, tmp_path: Path) -> None:
    counted = ("vc", "--from-html", str(OURS))
    assert answer(broken, *counted) == answer(tmp_path, *counted)
    for words in (("games",), ("forums",)):
        done = knightfall(broken, *words)
        assert (done.returncode, done.stdout) == (0, answer(tmp_path, *words))
        assert "of the package broken-pack cannot be loaded" in done.stderr


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("entry_points", "says"),
    rows(
        1,
        [
            ("[knightfall.games]\nplank_game = json:loads\n", "is no game: it has no spec"),
            (
                "[knightfall.games]\nother = plank_pack.plank_game.game:PLANK_GAME\n",
                "registered under the wrong name",
            ),
            (
                "[knightfall.games]\nplank_game = plank_pack.plank_game.game:NO\n",
                "cannot be loaded (AttributeError",
            ),
        ],
    ),
)
def test_what_is_no_game_says_so(tmp_path: Path, entry_points: str, says: str) -> None:
    write_package(tmp_path)
    install(tmp_path, entry_points)
    done = knightfall(tmp_path, "games")
    assert done.returncode == 0
    assert says in done.stderr


@pytest.mark.long
def test_two_packages_with_one_name_are_told(packages: Path, tmp_path: Path) -> None:
    install(tmp_path, name="other-pack")
    both = Path(os.pathsep.join((str(packages), str(tmp_path))))
    done = knightfall(both, "new", "plank_game", "Ada", "Boro")
    assert done.returncode == 2
    assert "Both other-pack and plank-pack add a game “plank_game”. Uninstall one of them." in done.stderr


def test_an_adapter_that_fails_is_told_as_its_packages_fault(tmp_path: Path, page: str) -> None:
    write_package(tmp_path)
    install(tmp_path)
    board = tmp_path / "plank_pack" / "board.py"
    text = board.read_text(encoding="utf-8")
    board.write_text(text.replace("drafts = [", "1 / 0\n        drafts = ["), encoding="utf-8")
    done = knightfall(tmp_path, "vc", "--from-html", page)
    assert done.returncode == 2
    assert "of the package plank-pack failed in read (ZeroDivisionError" in done.stderr


def test_the_users_sites_stand_beside_ours(packages: Path, tmp_path: Path) -> None:
    sites = tmp_path / "sites.toml"
    sites.write_text(
        '["planks.example"]\nplatform = "plank_board"\ndialect = "plank_talk"\n', encoding="utf-8"
    )
    saved = tmp_path / "planks.html"
    address = '<head><link rel="canonical" href="https://planks.example/t?plank=7">'
    saved.write_text(PAGE.replace("<head>", address), encoding="utf-8")
    done = knightfall(packages, "vc", "--from-html", str(saved), config=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| ")


LOCATED = "from knightfall.forums import located; print(located('https://planks.example/t?plank=7')[0].name)"


def located(packages: Path, config: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(ROOT / "src"), str(packages)))
    environment = {**os.environ, "PYTHONPATH": path, "KNIGHTFALL_CONFIG": str(config)}
    words = [sys.executable, "-c", LOCATED]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def test_an_address_that_none_of_ours_knows_is_located_by_its_forum(packages: Path, tmp_path: Path) -> None:
    assert located(packages, tmp_path).stdout == "plank_board\n"


@pytest.mark.long
def test_a_site_that_runs_an_unknown_platform_is_told(packages: Path, tmp_path: Path) -> None:
    (tmp_path / "sites.toml").write_text('["planks.example"]\nplatform = "plunk"\n', encoding="utf-8")
    assert 'sites.toml: platform: found "plunk" for https://' in located(packages, tmp_path).stderr


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "says"),
    rows(
        1,
        [
            ("[planks", "is not valid TOML"),
            ('["planks.example"]\ncolour = "red"', '["planks.example"]: unknown key colour'),
            ('["planks.example"]\nfirst_number = "0"', "first_number: found '0', expected a whole number"),
            ('["planks.example"]\ntimezone = "Moon"', "timezone: found 'Moon', expected the name of a zone"),
            ("planks = 1", "planks: found 1, expected a table of a host"),
        ],
    ),
)
def test_a_broken_file_of_sites_is_named_with_its_key(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "sites.toml").write_text(text, encoding="utf-8")
    done = knightfall(tmp_path, "vc", "--from-html", str(OURS), config=str(tmp_path))
    assert done.returncode == 2
    assert str(tmp_path / "sites.toml") in done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
