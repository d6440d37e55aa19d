"""`knightfall new --players-from`: names one a line, a table, the list of the sign-ups, or piped in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.config.game_file import read_setup
from knightfall.config.player_list import parse_players
from knightfall.errors import InputError
from knightfall.markup.dialects import DIALECTS, Dialect
from knightfall.writeups.render import render

ODD = (
    "Ada",
    "Mr_T [b]",
    "@here #3",
    "a|b*c",
    "Dusk 77",
    "O'Neil (2)",
    "x \\ y",
    "1. Rook",
    "שלום",
    "<i>Elm</i>",
)


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=text)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def players(folder: str) -> list[str]:
    roster = read_setup(Path(folder)).roster
    return [slot.name for slot in roster.slots] if roster else []


def test_names_stand_one_a_line_and_comments_and_blank_lines_are_skipped() -> None:
    text = "\ufeff# who plays\n\nAda\n  Boro Bay \r\n\t\n# later: Elm\nFen, the Bold\n"
    assert parse_players(text, "names.txt") == ("Ada", "Boro Bay", "Fen, the Bold")


@pytest.mark.parametrize(
    "text",
    [
        "1. Elm\n2. Fen\n3. Iris\n",
        "1) Elm\n2) Fen\n\n3) Iris\n",
        "\ufeff1 Elm\n2 Fen\n3 Iris\n",
        "- Elm\n– Fen\n* Iris\n",
        "• @Elm\n• @Fen\n• @Iris\n",
        "[*]Elm\n[*]Fen\n[*] @Iris\n",
        "@Elm\n\n\ufeff@Fen\n\u200b\nIris\u00a0\n-\n",
        "- 1. Elm\r\n- 2. Fen\r\n- 3. Iris\r\n",
    ],
)
def test_a_list_that_was_pasted_from_a_post_names_the_same_players(text: str) -> None:
    assert parse_players(text, "names.txt") == ("Elm", "Fen", "Iris")


def test_numbers_and_signs_that_are_part_of_a_name_stay() -> None:
    text = "7 Seas\nAda\n007\n-Fen-\n1 Elm\n*Iris*\nB@d\n3.14\n"
    names = ("7 Seas", "Ada", "007", "-Fen-", "1 Elm", "*Iris*", "B@d", "3.14")
    assert parse_players(text, "names.txt") == names


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Ada\nBoro\nAda\n", "lines 1 and 3"),
        ("# a\nAda\n\nADA\n", "lines 2 and 4"),
        ("Ada\n\u0410da\n", "lines 1 and 2"),
        ("Fen\nEl1m\nBoro\nEllm\n", "lines 2 and 4"),
        ("Zoë\nBoro\nZoe\n", "lines 1 and 3"),
        ("Ada\u200b\nAda\n", "lines 1 and 2"),
        ("Salt  Harbour\nSalt Harbour\n", "lines 1 and 2"),
    ],
)
def test_who_stands_there_twice_is_refused_with_both_lines(text: str, lines: str) -> None:
    with pytest.raises(InputError, match=f"names.txt: {lines} name the same player, or seem to") as told:
        parse_players(text, "names.txt")
    assert "Nothing was created." in str(told.value)


def test_every_double_name_is_told_at_once() -> None:
    with pytest.raises(InputError) as told:
        parse_players("Ada\nBoro\nada\nBORO\nAda", "x")
    assert "lines 1 and 3" in str(told.value)
    assert "lines 1 and 5" in str(told.value)
    assert "lines 2 and 4" in str(told.value)


@pytest.mark.parametrize("text", ["", "\n\n", "# nobody\n", "Sign up\n\nPlayers (0)\nNobody yet.\n"])
def test_a_list_of_nobody_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="standard input contains no names"):
        parse_players(text, "standard input")


@pytest.mark.parametrize("one", DIALECTS, ids=lambda one: one.name)
@pytest.mark.parametrize("linked", [True, False])
def test_the_list_that_signup_writes_is_read_in_every_dialect(one: Dialect, linked: bool) -> None:
    url = "https://forum.example/viewtopic.php?p=90{}#p90{}"
    people = [
        {
            "name": name,
            "post": {
                "number": n,
                "post_id": f"90{n}" if linked else None,
                "url": url.format(n, n) if linked else None,
            },
        }
        for n, name in enumerate(ODD, start=2)
    ]
    groups = [
        {"title": "Players", "people": people},
        {"title": "Backups", "people": [{**people[0], "name": "Moth"}]},
        {"title": "Spectators", "people": []},
    ]
    text = render("any/signups", {"title": "Players (3), please", "groups": groups}, one.name)
    assert parse_players(text, "signups.txt") == ODD


def test_the_lists_that_signup_prints_and_writes_begin_a_game(here: Path) -> None:
    said = (("Wren", "Sign up"), ("Ada", "/in"), ("Boro", "/in"), ("Ada", "/in!"), ("Moth", "/sub"))
    posts = [
        {"number": n, "id": str(n), "user": who, "content": what} for n, (who, what) in enumerate(said, 1)
    ]
    (here / "posts.jsonl").write_text("\n".join(map(json.dumps, posts)))
    (here / "game.toml").write_text('schema = 1\n[game]\nsite = "mafiascum"\nmoderators = ["Wren"]\n')
    done = run("signup", "read", "posts.jsonl", "--from-jsonl", "--write")
    assert "Ada #2" in done.stdout
    assert run("new", "knight-fight", "--players-from", "public/signups.txt", "--out", "one").exit_code == 0
    assert run("new", "knight-fight", "--players-from", "-", "--out", "two", text=done.stdout).exit_code == 0
    assert players("one") == players("two") == ["Ada", "Boro"]


def test_a_list_of_signups_that_is_cut_off_is_refused() -> None:
    with pytest.raises(InputError, match=r"signups.txt: line 3 says 3 players, but 2 follow it"):
        parse_players(
            "Sign up\n\nPlayers (3)\n1. Ada (#2)\n2. Boro (#3)\n\nBackups (1)\n1. Moth (#4)\n", "signups.txt"
        )


@pytest.mark.parametrize(
    "text",
    [
        'name,zone\nAda,UTC\n"Boro, the Bold",Europe/Lisbon\n',
        "Player;zone\nAda;UTC\nBoro, the Bold;CET\n",
        '# who plays\n\nname,zone\nAda,UTC\n"Boro, the Bold",CET\n',
        "username\tzone\nAda\tUTC\nBoro, the Bold\tCET\n",
        'Ada,UTC\n\n# who comes later\n"Boro, the Bold"\n',
        'Ada\n"Boro, the Bold"\n',
    ],
)
def test_a_table_has_the_names_in_its_first_column(here: Path, text: str) -> None:
    (here / "names.csv").write_text(text, encoding="utf-8")
    assert parse_players(text, "names.csv") == ("Ada", "Boro, the Bold")
    assert run("new", "knight-fight", "--players-from", "names.csv", "--out", "one").exit_code == 0
    assert players("one") == ["Ada", "Boro, the Bold"]


def test_a_table_without_that_name_is_known_by_its_heading_and_refused_without_one() -> None:
    assert parse_players("name,zone\nAda,UTC\nBoro,CET\n", "standard input") == ("Ada", "Boro")
    with pytest.raises(InputError, match="every line has a “,”") as told:
        parse_players("Ada,UTC\nBoro,CET\n", "standard input")
    assert "name,…" in str(told.value)


def test_lines_of_a_table_are_told_by_their_own_numbers() -> None:
    with pytest.raises(InputError, match=r"names.csv: lines 2 and 4"):
        parse_players("name,zone\nAda,UTC\nBoro,CET\nada,UTC\n", "names.csv")


def test_a_name_that_a_spreadsheet_took_for_a_formula_is_itself_again() -> None:
    assert parse_players("name,n\n'=Ada,1\n'@Boro,2\n'Elm,3\n", "names.csv") == ("=Ada", "@Boro", "'Elm")


@pytest.mark.parametrize(
    "words",
    [("Ada", "Boro"), ("Ada", "--out", "quay"), ("Ada", "--title", "Quay"), ("Ada", "Boro", "--out", "quay")],
)
def test_names_of_a_list_and_on_the_command_line_are_refused(here: Path, words: tuple[str, ...]) -> None:
    (here / "names.txt").write_text("Ada\nBoro\n")
    fault = run("new", "knight-fight", *words, "--players-from", "names.txt").exception
    assert isinstance(fault, InputError)
    assert "--players-from" in str(fault)
    assert "--title" in str(fault)
    assert [file.name for file in here.iterdir()] == ["names.txt"]


def test_one_word_beside_a_list_is_still_the_title(here: Path) -> None:
    (here / "names.txt").write_text("Ada\nBoro\n")
    assert run("new", "knight-fight", "Salt Bout", "--players-from", "names.txt").exit_code == 0
    assert read_setup(here / "salt-bout").title == "Salt Bout"
    assert players("salt-bout") == ["Ada", "Boro"]


@pytest.mark.usefixtures("here")
def test_a_deal_takes_the_same_lists() -> None:
    run("new", "knight-fight", "--out", "one")
    words = ("deal", "--players-from", "-", "--game", "one")
    assert isinstance(run(*words, text="Ada\nada\n").exception, InputError)
    assert run(*words, text="name,zone\nAda,UTC\nBoro,CET\n").exit_code == 0
    assert players("one") == ["Ada", "Boro"]


def test_a_file_that_is_not_there_is_told(here: Path) -> None:
    fault = run("new", "knight-fight", "--players-from", "none.txt", "--out", "one").exception
    assert "none.txt: the file cannot be read" in str(fault)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('name,zone\nAda,UTC\n"Boro,CET\nCinder,UTC\n', "line 3: unexpected end of data"),
        ('name,zone\nAda,"UTC\nBoro,CET\n', "line 2: unexpected end of data"),
        ('name,zone\n"Ada\nBoro",CET\n', "line 2: a name continues on the next line"),
    ],
)
def test_a_quotation_mark_that_is_left_open_swallows_nobody(text: str, told: str) -> None:
    with pytest.raises(InputError, match=f"names.csv: {told}"):
        parse_players(text, "names.csv")


def test_only_the_apostrophe_that_a_table_puts_before_a_sign_is_taken_off() -> None:
    text = "name,zone\n'=Ada,UTC\n'\uff20Boro,UTC\nRock'-n'-Roll,UTC\n"
    assert parse_players(text, "names.csv") == ("=Ada", "\uff20Boro", "Rock'-n'-Roll")
