"""`knightfall plot board` in Knight Fight: for the thread, and for one player where the board is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from begun import copy_of, new_game
from command_line import CliRunner
from knightfall.cli import app
from knightfall.errors import DecisionNeeded, InputError, SecretGuard


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def fight(letters: str, folder: Path) -> None:
    """A bout with a move of each: Ada is X."""

    def make(place: Path) -> None:
        new_game(place, "knight-fight", "Ada", "Boro Salt", "--option", f"anomalies={letters}")
        for who, line in (("Ada", "SIDE: X"), ("Ada", "F6>G4"), ("boro", "G6>H4"), ("Ada", "G4>E3")):
            assert run("submit", who, line, "--game", str(place)).exit_code == 0

    copy_of(f"a bout {letters} with a move of each", make, folder)


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fight("NS", tmp_path / "bout")
    monkeypatch.chdir(tmp_path / "bout")
    return tmp_path / "bout"


def shown(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_snapshot_gives_the_thread_no_board_and_says_how_a_player_gets_his(snapshot: Path) -> None:
    fault = run("plot", "board").exception
    assert isinstance(fault, InputError)
    assert "plot board --for NAME" in str(fault)
    assert not [*(snapshot / "public").glob("*.svg")]
    assert isinstance(run("plot", "board", "--for", "moderator").exception, InputError)


def test_a_player_s_own_board_goes_where_pms_go(snapshot: Path) -> None:
    drawn = run("plot", "board", "--for", "boro").stdout.strip()
    assert drawn == str(Path("private") / "board-005-Boro_Salt.svg")
    assert "Boro Salt plays O. For these eyes only." in shown(snapshot / drawn)
    assert "The rival's latest: E3." in shown(snapshot / drawn)
    assert not [*(snapshot / "public").glob("*.svg")]


def test_the_two_see_different_boards(snapshot: Path) -> None:
    ada, boro = (run("plot", "board", "--for", who).stdout.strip() for who in ("Ada", "boro"))
    assert "The rival's latest: H4." in shown(snapshot / ada)
    weakened = [[shown(snapshot / page).count(f">{mark}<") for mark in "xo"] for page in (ada, boro)]
    assert weakened == [[2, 0], [0, 1]]


@pytest.mark.parametrize("out", ["public/own.svg", "public/../public/own.png"])
def test_it_is_never_written_among_the_public_files(snapshot: Path, out: str) -> None:
    fault = run("plot", "board", "--for", "Ada", "--out", out).exception
    assert isinstance(fault, SecretGuard)
    assert not (snapshot / out).exists()


def test_who_plays_nobody_gets_no_board(snapshot: Path) -> None:
    assert "No player is called" in str(
        run("plot", "board", "--for", "Wren", "--game", str(snapshot)).exception
    )


def test_sickness_alone_hides_nothing(tmp_path: Path) -> None:
    fight("S", tmp_path / "open")
    drawn = Path(run("plot", "board", "--game", str(tmp_path / "open")).stdout.strip())
    assert drawn.parent.name == "public"
    page = shown(drawn)
    assert "O to move." in page
    assert "small: weakened" in page


def test_with_text_the_board_is_printed_and_no_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight("none", tmp_path / "bout")
    monkeypatch.chdir(tmp_path / "bout")
    before = {*tmp_path.glob("*/public/board-*")}
    shown = run("plot", "board", "--text").stdout
    assert shown.splitlines()[0] == "    A B C D E F G H I J K L"
    assert " 3  . . . . X . . . . . . ." in shown
    run("new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path / "duel"))
    assert "*" in run("plot", "board", "--text", "--game", str(tmp_path / "duel")).stdout
    assert {*tmp_path.glob("*/public/board-*")} == before


def test_a_board_that_is_hidden_is_printed_for_its_player_alone(snapshot: Path) -> None:
    assert "plot board --for NAME" in str(run("plot", "board", "--text").exception)
    own = run("plot", "board", "--text", "--for", "boro").stdout
    assert " 3  . . . . X . . . . . . ." in own  # the rival's latest
    assert own.upper().count("X") == 1
    assert not [*snapshot.glob("*/board-*")]


def test_a_picture_calls_everybody_as_they_are_called_now(tmp_path: Path) -> None:
    fight("none", tmp_path / "bout")
    game = ("--game", str(tmp_path / "bout"))
    assert run("replace", "Ada", "Cinder", *game).exit_code == 0
    drawn = shown(Path(run("plot", "board", *game).stdout.strip()))
    assert "X is Cinder (was Ada), O is Boro Salt." in drawn
    fight("N", tmp_path / "dark")
    game = ("--game", str(tmp_path / "dark"))
    assert run("replace", "Ada", "Cinder", *game).exit_code == 0
    drawn = shown(Path(run("plot", "board", "--for", "Cinder", *game).stdout.strip()))
    assert "Cinder (was Ada) plays X." in drawn


def test_after_the_end_the_last_board_is_drawn_and_printed(tmp_path: Path) -> None:
    fight("N", tmp_path)
    run("submit", "moderator", "FORFEIT Ada", "--game", str(tmp_path))
    drawn = Path(run("plot", "board", "--game", str(tmp_path)).stdout.strip())
    assert "O wins after" in shown(drawn)
    board = run("plot", "board", "--text", "--game", str(tmp_path)).stdout
    assert (board.count("X") > 1, board.count("O") > 1) == (True, True)


def test_knights_duty_has_a_picture_for_each_round(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path / "duel"))
    run("new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path / "duel"))
    assert len(run("plot", "board", *game).stdout.split()) == 1  # nobody has moved
    run("commit", "setup", "--yes", "--why", "nobody wants another start", *game)
    run("submit", "Ada", "1: MOVE SE", *game)
    run("replace", "Boro", "Cinder", *game)
    run("commit", "turn", "--yes", *game)
    assert "B  Cinder (was Boro) (red) C7, sword, Heart up" in run("plot", "board", "--text", *game).stdout
    files = [Path(name) for name in run("plot", "board", *game).stdout.split()]
    assert [file.stem.rpartition("-")[2] for file in files] == ["1", "2", "3"]
    for number, file in enumerate(files, start=1):
        assert f"Knight's Duty, turn 1, round {number}" in shown(file)
        assert "Cinder (was Boro), C7" in shown(file)
    out = tmp_path / "turn.svg"
    assert len(run("plot", "board", "--out", str(out), *game).stdout.split()) == 3
    assert (tmp_path / "turn-3.svg").exists()


def court(folder: Path, *options: str) -> tuple[str, str]:
    """A match of King's Court whose first vote is in: Ada is elected."""
    game = ("--game", str(folder))
    new_game(folder, "kings-court", *NAMES, *options)
    for name in NAMES[1:]:
        run("submit", name, "VOTE: Ada", *game)
    return game


NAMES = ("Ada", "Boro", "Cinder", "Dovey", "Elm", "Fen", "Gilt", "Hesper", "Iris", "Jory", "Kestrel")


def test_a_closing_draws_the_board_that_belongs_to_its_post_and_says_where(tmp_path: Path) -> None:
    game = court(tmp_path)
    done = run("commit", "vote", "--yes", *game)
    [picture] = (tmp_path / "public").glob("board-*")
    assert f"The picture for the post: public/{picture.name}" in done.stderr.splitlines()
    assert picture.name not in done.stdout
    assert run("plot", "board", *game).stdout.strip() == str(picture)  # the name that plot board gives it
    assert ">Ada" in shown(picture)


def test_a_closing_that_leaves_the_board_as_it_was_draws_none(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "knight-fight", "Ada", "Boro", "--option", "anomalies=none", "--out", str(tmp_path))
    run("submit", "Ada", "SIDE: X", *game)
    public = tmp_path / "public"
    before = {*public.glob("board-*")}
    assert run("submit", "Ada", "F6>G4", *game).exit_code == 0
    [moved] = {*public.glob("board-*")} - before
    assert "O to move." in shown(moved)
    asked = run("submit", "Ada", "DRAW", *game)
    assert "board-" not in asked.stderr
    assert {*public.glob("board-*")} - before == {moved}
    refused = run("submit", "Boro", "A1>B1", *game)
    assert (refused.exit_code, "board-" in refused.stderr) == (3, False)


def test_no_picture_of_a_hidden_board_is_made_by_itself_before_its_end(snapshot: Path) -> None:
    assert not [*snapshot.glob("*/board-*")]
    ended = run("submit", "moderator", "FORFEIT Ada")
    [picture] = (snapshot / "public").glob("board-*")
    assert f"The picture for the post: public/{picture.name}" in ended.stderr
    assert "O wins after" in shown(picture)


def test_a_turn_of_knights_duty_names_the_pictures_of_its_rounds(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path))
    run("commit", "setup", "--yes", "--why", "nobody wants another start", *game)
    run("submit", "Ada", "1: MOVE SE", *game)
    done = run("commit", "turn", "--yes", *game)
    [line] = [line for line in done.stderr.splitlines() if line.startswith("The pictures for the post: ")]
    names = line.partition(": ")[2].split(", ")
    assert len(names) == 3
    assert all((tmp_path / name).exists() for name in names)


def test_the_picture_of_a_closing_that_is_undone_is_void_and_comes_back_with_it(tmp_path: Path) -> None:
    game = court(tmp_path)
    run("commit", "vote", "--yes", *game)
    [picture] = (tmp_path / "public").glob("board-*")
    number = picture.stem.removeprefix("board-").lstrip("0")
    done = run("undo", number, "--why", "too early", "--yes", *game)
    assert picture.name in done.stderr
    assert not picture.exists()
    assert (tmp_path / "private" / "void" / "public" / picture.name).exists()
    run("undo", "--why", "it was right", "--yes", *game)
    assert picture.exists()


def test_a_picture_that_is_drawn_anew_after_an_undo_bears_the_number_of_its_post(tmp_path: Path) -> None:
    """The entry that was undone counts on in the numbers of what came after it."""
    fight("none", tmp_path)
    game = ("--game", str(tmp_path))
    run("submit", "Boro", "H8", *game)  # entry 6; 5 is Ada's E3
    run("submit", "Boro", "I7", *game)
    run("submit", "Ada", "H5", *game)
    done = run("undo", "6", "--why", "wrong line", "--yes", *game)
    for post in ("007-01-turn.txt", "008-"):
        assert [*(tmp_path / "public").glob(f"{post}*")], done.stderr
    anew = done.stderr.partition("Written again:")[2]
    assert ("board-007.svg" in anew, "board-008.svg" in anew, "board-006.svg" in anew) == (True, True, False)
    assert "after 4 moves" in shown(tmp_path / "public" / "board-007.svg")


def test_a_game_without_a_board_has_no_line_of_pictures(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "knight-errant", *(f"P{n}" for n in range(1, 19)), "--out", str(tmp_path))
    run("submit", "moderator", "no elimination", *game)
    done = run("commit", "--yes", *game)
    assert done.exit_code == 0
    assert "picture" not in done.stderr
    assert not [*tmp_path.glob("public/board-*")]


def test_after_an_early_king_the_picture_shows_the_court_that_elected_them(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "kings-court", *NAMES, "--out", str(tmp_path))
    king = next(
        name for name in NAMES if "the King" in shown(next(tmp_path.glob(f"private/001-*-{name}.txt")))[:40]
    )
    for name in NAMES:
        if name != king:
            run("submit", name, f"VOTE: {king}", *game)
    done = run("commit", "vote", "--yes", *game)
    assert "Attempt 2 of 4" in done.stdout
    [picture] = (tmp_path / "public").glob("board-*")
    assert ("The court, attempt 1" in shown(picture), f">{king} (King)<" in shown(picture)) == (True, True)
    assert "attempt 1" in run("plot", "board", "--text", *game).stdout


def test_undoing_a_closing_asks_even_where_the_next_window_bears_the_same_title(tmp_path: Path) -> None:
    """An early King: round 1 of attempt 1 opens again in the place of round 1 of attempt 2."""
    test_after_an_early_king_the_picture_shows_the_court_that_elected_them(tmp_path)
    asked = run("undo", "--why", "too early", "--game", str(tmp_path))
    assert isinstance(asked.exception, DecisionNeeded)
    assert "This reopens: Round 1." in asked.output


def test_the_status_calls_players_as_they_are_called_now(tmp_path: Path) -> None:
    game = court(tmp_path)
    run("replace", "Iris", "Quill", *game)
    assert "Quill (was Iris)," in " ".join(run("status", *game).stdout.partition("Alive")[2].split())


def test_the_status_knows_who_fell_in_a_turn(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "knights-duty", "Ada", "Boro", "Cinder", "--out", str(tmp_path))
    run("commit", "setup", "--yes", "--why", "nobody wants another start", *game)
    run("submit", "moderator", "modkill Cinder", *game)
    told = run("status", *game).stdout
    assert ("Alive (2): Ada, Boro." in told, "Dead (1): Cinder (" in told) == (True, True)


def test_the_endgame_of_knights_duty_shows_the_last_board_and_the_turn_only_once(tmp_path: Path) -> None:
    game = ("--game", str(tmp_path))
    run("new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path))
    run("commit", "setup", "--yes", "--why", "nobody wants another start", *game)
    run("submit", "moderator", "last turn 1", *game)
    run("submit", "Ada", "1: MOVE SE", *game)
    assert run("commit", "turn", "--yes", *game).stdout.count("Boro[/b] (red) C7") <= 1
    told = run("post", "endgame", *game).stdout
    assert "The last board" in told
    assert "Ada (purple) B4, sword, Heart up" in told.replace("[b]", "").replace("[/b]", "")
