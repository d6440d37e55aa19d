"""`knightfall new` and `deal`: a folder, its game file, and the beginning of the game in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.cli import game as new
from knightfall.config import game_file
from knightfall.config.game_file import parse_setup, read_setup
from knightfall.errors import DecisionNeeded, InputError, SetupError
from knightfall.games import GAMES
from knightfall.services.game.new import example_of
from knightfall.services.requests import NewGameRequest
from knightfall.votes.rule import AtDeadline, Death, Tie
from salt_harbour import NAMES

KINDS = ["votes", *(game.spec.id for game in GAMES)]
THREAD = "https://forum.example/viewtopic.php?t=90010"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def said(result: Result) -> str:
    return f"{result.exception}"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that we stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sign_up(folder: Path, names: tuple[str, ...] = NAMES) -> None:
    """A sign-up thread is read into the game file."""
    lines = [
        {"number": n, "id": str(n), "user": who, "content": "/in"}
        for n, who in enumerate(("Wren", *names), 1)
    ]
    (folder / "posts.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run(
        "signup", "read", str(folder / "posts.jsonl"), "--from-jsonl", "--write", "--game", str(folder)
    )
    assert done.exit_code == 0, done.output


# -- a folder ----------------------------------------------------------------------------------------


def test_a_game_without_players_is_a_folder_that_waits(here: Path) -> None:
    made = run("new", "knight_errant", "Salt Harbour", "--site", "mafiascum", "--tz", "America/New_York")
    assert "Created salt-harbour (game.toml, public/, private/)" in made.stdout
    assert "knightfall signup read URL --write, then knightfall deal" in made.stdout
    setup = read_setup(here / "salt-harbour")
    assert (setup.kind, setup.title, setup.site) == ("knight_errant", "Salt Harbour", "mafiascum")
    assert (setup.rule.death, setup.roster) == (Death.MAJORITY, None)


def test_nobody_else_can_look_into_the_folder(here: Path) -> None:
    run("new", "kings-court", *NAMES[:11], "--out", "court")
    modes = {str(path.relative_to(here)): path.stat().st_mode & 0o077 for path in here.rglob("*")}
    assert modes["court"] == modes["court/private"] == modes["court/game.toml"] == 0
    assert modes["court/private/deal.json"] == modes["court/public"] == 0


def test_threads_moderators_and_options_are_taken_by_flags(here: Path) -> None:
    flags = ("--moderator", "Wren", "--moderator", "Rook", "--option", "phases=48_24", "--thread")
    private = "private=https://forum.example/viewtopic.php?t=7&b=1"
    run("new", "empowered", "--title", 'The "Quay"', *flags, f"game={THREAD}", "--thread", private)
    setup = read_setup(here / "the-quay")
    assert (setup.title, setup.moderators, setup.url) == ('The "Quay"', ("Wren", "Rook"), THREAD)
    assert [(one.role, one.url[-4:]) for one in setup.threads] == [("game", "0010"), ("private", "&b=1")]
    assert dict(setup.options) == {"phases": "48_24"}


@pytest.mark.parametrize(
    ("kind", "death", "tie"),
    [
        ("knight-errant", Death.MAJORITY, Tie.NO_ELIMINATION),
        ("custom-mafia", Death.MAJORITY, Tie.NO_ELIMINATION),
        ("votes", Death.MAJORITY, Tie.NO_ELIMINATION),
        ("empowered", Death.PLURALITY, Tie.ANTI_TOWN),
    ],
)
@pytest.mark.usefixtures("here")
def test_the_rule_of_votes_is_the_games_own(kind: str, death: Death, tie: Tie) -> None:
    run("new", kind, "--out", "quay")
    rule = read_setup(Path("quay")).rule
    assert (rule.death, rule.tie) == (death, tie)


@pytest.mark.usefixtures("here")
def test_the_rule_follows_the_option_and_games_without_votes_have_none() -> None:
    run("new", "empowered", "--option", "em_r26=uniform", "--out", "quay")
    assert read_setup(Path("quay")).rule.tie is Tie.RANDOM
    run("new", "kings-court", "--out", "court")
    assert "[rules]" not in Path("court/game.toml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("here")
def test_a_folder_for_votes_alone_is_no_game() -> None:
    made = run("new", "votes", "Ada", "Boro", "Cinder", "--out", "count", "--title", "Count")
    assert made.exit_code == 0
    setup = read_setup(Path("count"))
    assert setup.kind == "votes"
    assert setup.roster is not None
    assert [slot.name for slot in setup.roster.slots] == ["Ada", "Boro", "Cinder"]
    assert 'game.kind: found "votes", expected a game that is dealt' in said(run("deal", "--game", "count"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Which game? Choose one of knight_errant,"),
        (("chess",), "There is no game called “chess”. Games: knight_errant,"),
        (("empowered", "--tz", "Mars/Base"), "game.timezone: found 'Mars/Base', expected an IANA name"),
        (("empowered", "--site", "wiki"), "wiki"),
        (("empowered", "--thread", "main=x"), "--thread main=x: expected ROLE=URL"),
        (("empowered", "--option", "em_r99=x"), "Empowered Mafia has no option “em_r99”"),
        (("empowered", "--option", "phases=1_1"), "expected one of 72_24, 48_24"),
        (("votes", "--option", "phases=1_1"), "a votes-only game has no options"),
        (("knight-errant", "Ada", "Boro"), "18"),
        (("votes", "Ada", "Ada"), "Ada"),
    ],
)
def test_a_complaint_says_what_was_expected_and_nothing_is_made(
    here: Path, words: tuple[str, ...], says: str
) -> None:
    result = run("new", *words, *(("--out", "quay") if words else ()))
    assert isinstance(result.exception, InputError)
    assert says in said(result)
    assert list(here.iterdir()) == []


# -- from a file, with an example --------------------------------------------------------------------


def test_a_file_says_it_all(here: Path) -> None:
    text = (
        '# mine\nschema = 1\n[game]\nkind = "knight-fight"\ntitle = "Two"\n[game.options]\nanomalies = "ac"\n'
    )
    (here / "mine.toml").write_text(
        text + '[[player]]\nname = "Ada"\n[[player]]\nname = "Boro"\n', encoding="utf-8"
    )
    assert "Created two: Knight Fight, 2 players" in run("new", "--from", "mine.toml").stdout
    assert (here / "two/game.toml").read_text(encoding="utf-8") == (here / "mine.toml").read_text(
        encoding="utf-8"
    )
    assert run("missing", "--game", "two").exit_code == 0
    assert "Leave the other options out" in said(run("new", "--from", "mine.toml", "--title", "Three"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[game]\nkind = "chess"', "mine.toml: game.kind: There is no game called “chess”"),
        ('[game]\nkind = "empowered"\noptions = { ring = "x" }', "mine.toml: game.options: ring = 'x'"),
        ('[game]\nkin = "votes"', "game.kin: unknown key; did you mean kind?"),
    ],
)
def test_a_complaint_about_a_file_names_file_and_key(here: Path, text: str, says: str) -> None:
    (here / "mine.toml").write_text(f"schema = 1\n{text}\n", encoding="utf-8")
    assert says in said(run("new", "--from", "mine.toml"))
    assert [path.name for path in here.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_has_an_example_that_fits_80_columns(kind: str) -> None:
    text = example_of(kind)
    setup = parse_setup(text)
    assert setup.kind == kind
    assert max(map(len, text.splitlines())) <= 80
    printed = run("new", kind, "--example")
    assert printed.stdout == text
    assert f"knightfall rulings {kind}" in printed.stderr or kind == "votes"


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_example_has_behind_marks_can_stand_there(kind: str) -> None:
    lines = [re.sub(r"^# (?=\[\[|\w+ = )", "", line) for line in example_of(kind).splitlines()]
    setup = parse_setup("\n".join(line for line in lines if not line.startswith("needed = {")))
    assert setup.roster is not None
    assert [slot.name for slot in setup.roster.slots] == ["Ada"]
    assert {one.role for one in setup.threads} == {"game", "private"}
    spec = next((game.spec for game in GAMES if game.spec.id == kind), None)
    assert set(setup.options) == {option.name for option in (spec.options if spec else ())}


def keys(model: type[BaseModel]) -> Iterator[str]:
    """Every key of a table and of the tables in it."""
    for name, info in model.model_fields.items():
        yield info.alias or name
        inner = game_file._model_of(info.annotation)
        yield from keys(inner) if inner else ()


def test_every_key_of_the_game_file_is_shown() -> None:
    shown = "\n".join(map(example_of, KINDS))
    missing = [
        key
        for key in set(keys(game_file._File))
        if not re.search(rf"(?:^|[\[{{ .]){key}(?: = |\])", shown, re.M)
    ]
    assert missing == []


def test_an_example_is_printed_and_nothing_is_made(here: Path) -> None:
    assert run("new", "kings-court", "--example").stdout == example_of("kings_court")
    assert list(here.iterdir()) == []


# -- questions ---------------------------------------------------------------------------------------


def test_who_is_asked_can_take_what_is_offered_and_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = iter(
        ["Gull Rock", "wiki", "phpbb", "Mars", "Europe/Lisbon", "Wren, Rook", f"game={THREAD}", "", "3", "48"]
    )

    def ask(_: str, default: str, **__: object) -> str:
        return next(replies) or default

    monkeypatch.setattr("typer.prompt", ask)
    asked = new.asked_for(NewGameRequest("kings-court", (), Path("game"), b"", b""), named=False)
    assert (asked.title, asked.site, asked.timezone) == ("Gull Rock", "phpbb", "Europe/Lisbon")
    assert asked.moderators == ("Wren", "Rook")
    assert asked.threads == (("game", THREAD),)
    assert (asked.players, dict(asked.options)) == ((), {"kc_02": "3"})
    assert asked.folder == Path("gull-rock")
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert list(replies) == ["48"]


def test_on_a_terminal_a_game_alone_asks(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knightfall.cli.game.on_terminal", lambda: True)
    made = CliRunner().invoke(app, ["new", "votes"], input="Gull Rock\n\n\n\n\n\nmaybe\nnobody\n")
    assert "Created gull-rock" in made.stdout
    assert "Time zone for deadlines" in made.stderr
    assert "If nobody has a majority at the deadline" in made.stderr
    assert read_setup(here / "gull-rock").title == "Gull Rock"
    assert read_setup(here / "gull-rock").rule.at_deadline is AtDeadline.NOBODY


# -- the deal in the folder --------------------------------------------------------------------------


def test_new_sign_up_deal_and_the_first_pms_go_in_one_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("new", "knight_errant", "Salt Harbour")
    sign_up(here / "salt-harbour")
    monkeypatch.chdir(here / "salt-harbour")
    dealt = run("deal", "--setup", "A1-RD")
    assert "Knight-Errant, 18 players" in dealt.stdout
    commitment = json.loads(Path("private/deal.json").read_text(encoding="utf-8"))["commitment"]
    assert f"sha256:{commitment}" in dealt.stdout
    assert read_setup(Path()).options["setup"] == "A1-RD"
    assert run("missing").exit_code == 0
    assert run("fair", "verify", "private/deal.json", "--published", commitment).exit_code == 0
    assert "18" in run("pm", "roles").output
    assert "was dealt already (entry 1" in said(run("deal"))


def test_a_deal_that_was_cut_off_goes_on_with_the_cards_that_are_there(here: Path) -> None:
    run("new", "kings-court", "--out", "court")
    sign_up(here / "court", NAMES[:11])
    assert run("deal", "--game", "court").exit_code == 0
    first = Path("court/private/deal.json").read_bytes()
    Path("court/game.db").unlink()
    for text in (*Path("court").glob("public/*.txt"), *Path("court").glob("private/*.txt")):
        text.unlink()  # they are written after the first entry
    assert run("deal", "--game", "court").exit_code == 0
    assert Path("court/private/deal.json").read_bytes() == first
    assert Path("court/public/commitment.txt").exists()


def test_a_game_of_ones_own_setup_says_loudly_that_none_was_named(here: Path) -> None:
    loud = "NO SETUP WAS CHOSEN, so this game uses the default: “vanilla”"
    made = run("new", "custom-mafia", *NAMES[:6], "--out", "a")
    assert loud in made.stderr
    assert "in a new folder with --setup" in made.stderr
    waits = run("new", "custom-mafia", "Kettle")
    assert loud in waits.stderr
    assert "knightfall deal --setup" in waits.stderr
    (here / "names.txt").write_text("\n".join(NAMES[:6]), encoding="utf-8")
    assert loud in run("deal", "--game", "kettle", "--players", "names.txt").stderr
    named = run("new", "custom-mafia", *NAMES[:6], "--out", "b", "--setup", "vanilla")
    assert "NO SETUP" not in named.output
    for game, number in (("knight-errant", 18), ("kings-court", 11), ("votes", 2)):
        assert "NO SETUP" not in run("new", game, *NAMES[:number], "--out", game).output


def test_a_game_without_a_title_has_a_folder_of_its_own_name(here: Path) -> None:
    assert "Created knight-fight" in run("new", "knight_fight", "Ada", "Boro").stdout
    assert 'title = "Knight Fight"' in (here / "knight-fight" / "game.toml").read_text(encoding="utf-8")
    assert "Created knights-duty" in run("new", "Knights Duty").stdout
    assert "Created votes" in run("new", "votes").stdout
    (here / "x.toml").write_text('schema = 1\n[game]\nkind = "empowered"\n', encoding="utf-8")
    assert "Created empowered" in run("new", "--from", "x.toml").stdout


@pytest.mark.usefixtures("here")
def test_a_deal_needs_players_and_a_game() -> None:
    run("new", "knight-errant", "--out", "quay")
    result = run("deal", "--game", "quay")
    assert isinstance(result.exception, SetupError)
    assert "quay/game.toml: no players found. Add a [[player]] table for each" in said(result)
    assert "and you said empowered: which is it?" in said(run("deal", "empowered", "--game", "quay"))
    assert "To deal without a game file: " in said(run("deal", "--out", "elsewhere"))


def test_players_of_a_file_are_written_into_the_game_file(here: Path) -> None:
    (here / "names.txt").write_text("Ada\nBoro\n", encoding="utf-8")
    run("new", "knight-fight", "--out", "bout")
    assert run("deal", "--players", "names.txt", "--out", "bout").exit_code == 0
    roster = read_setup(Path("bout")).roster
    assert roster is not None
    assert [slot.name for slot in roster.slots] == ["Ada", "Boro"]
    run("new", "knight-fight", "--out", "other")
    sign_up(here / "other", NAMES[:2])
    assert "lists players already" in said(run("deal", "--players", "names.txt", "--game", "other"))


# -- what the game began with ------------------------------------------------------------------------


@pytest.fixture
def bout(here: Path) -> Path:
    """A game of two that was begun, with an option."""
    run("new", "knight-fight", "Ada", "Boro", "--option", "rows=9", "--out", "bout")
    return here / "bout" / "game.toml"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('rows = "9"', 'rows = "8"', 'game.options.rows: found "8", but the game was started with "9"'),
        ('rows = "9"', "", 'game.options.rows: found "11", but the game was started with "9"'),
        ('name = "Boro"', 'name = "Bora"', "player: “Boro” is missing, but was in the game when it started"),
        ('name = "Boro"', 'name = "Bora"', "player: “Bora” was not in the game when it started"),
        ('"knight_fight"', '"knights_duty"', 'game.kind: found "knights_duty", but the game was started as'),
    ],
)
def test_a_seeded_key_that_was_edited_is_a_question(bout: Path, old: str, new: str, says: str) -> None:
    assert run("missing", "--game", "bout").exit_code == 0
    text = bout.read_text(encoding="utf-8")
    bout.write_text(text.replace(old, new), "utf-8")
    result = run("missing", "--game", "bout")
    assert isinstance(result.exception, DecisionNeeded)
    assert says in said(result)
    assert "Put these keys back" in said(result)
    bout.write_text(text, encoding="utf-8")
    assert run("missing", "--game", "bout").exit_code == 0


def test_everything_else_is_the_moderators_at_any_time(bout: Path) -> None:
    text = bout.read_text(encoding="utf-8")
    edited = text.replace('title = "knight_fight"', 'title = "Two at dusk"\nmoderators = ["Wren"]')
    edited = edited.replace('name = "Boro"', 'name = "Rook"\nreplaces = [{ name = "Boro", from_post = 9 }]')
    bout.write_text(f'{edited}\n[terms]\neliminate = "banish"\n', encoding="utf-8")
    assert run("missing", "--game", "bout").exit_code == 0


def test_a_setup_of_ones_own_stands_in_the_journal(here: Path) -> None:
    setup = Path(__file__).parents[2] / "fixtures" / "setups" / "matrix.toml"
    made = run("new", "custom-mafia", *NAMES[:9], "--setup", str(setup), "--out", "quay")
    assert made.exit_code == 0, made.output
    assert run("missing", "--game", "quay").exit_code == 0
    assert "the setup itself is in the journal" in (here / "quay/game.toml").read_text(encoding="utf-8")


def test_a_setup_of_ones_own_waits_for_the_sign_ups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("quay.toml").write_text(
        'schema = 1\nname = "Quay"\n[[slots]]\nrole = "Town Cop"\ncount = 2\n'
        '[[slots]]\nrole = "Mafia Goon"\n',
        encoding="utf-8",
    )
    Path("names.txt").write_text("Ada\nBoro\nCinder\n", encoding="utf-8")
    made = ["new", "custom-mafia", "Quay Nights", "--setup", "quay.toml"]
    assert CliRunner().invoke(app, made).exit_code == 0
    Path("quay.toml").unlink()
    dealt = CliRunner().invoke(app, ["deal", "--game", "quay-nights", "--players", "names.txt"])
    assert dealt.exit_code == 0, dealt.stderr
    cards = json.loads(Path("quay-nights/private/deal.json").read_text(encoding="utf-8"))["cards"]
    assert sorted(cards.values()) == ["Mafia Goon", "Town Cop", "Town Cop"]
