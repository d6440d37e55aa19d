"""The public API: what a program gets from `import knightfall`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import knightfall as kf
from knightfall.forums.phpbb import PHPBB
from knightfall.markup.dialects import dialect
from knightfall.services.games import game_named

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "fixtures/demo"
KETTLE = DEMO / "kettle"
COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
POSTS = (
    ("Wren", "Day 1 begins."),
    ("Ada", "[vote]Boro[/vote] for now"),
    ("Boro", "[b]VOTE: Cinder[/b]\nbecause I can"),
    ("Cinder", '[quote="Ada"][b]VOTE: Cinder[/b][/quote]No. vote boro'),
    ("Elm", "[b]VOTE: Brro Zed[/b]"),
)
ROLES = {
    "Ada": "Town Doctor",
    "Boro": "Town Cop",
    "Elm": "Mafia Goon",
    "Fen": "Mafia Roleblocker",
    "Hollis": "Serial Killer",
    "Iris": "Vanilla Townie",
}
ACTIONS = {"Elm": "kill Iris", "Ada": ["heal Iris"], "Boro": ("check Elm",), "Fen": "roleblock Hollis"}


@pytest.fixture
def court(tmp_path: Path) -> kf.Game:
    return kf.Game.create("kings_court", COURT, folder=tmp_path / "court", title="Salt Court", options={})


@pytest.fixture
def night() -> kf.Night:
    return kf.resolve("knight_errant", night=2, roles=ROLES, actions=ACTIONS)


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(getattr(kf, name) is not None for name in kf.__all__)
    assert dir(kf) == sorted(kf.__all__)
    with pytest.raises(AttributeError, match="cuont"):
        kf.cuont  # type: ignore[attr-defined]  # noqa: B018


def test_importing_it_loads_nothing_else() -> None:
    code = (
        "import sys, knightfall; print(sorted(name for name in sys.modules if name.startswith('knightfall')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['knightfall']"


@pytest.mark.parametrize("before", ["", "import knightfall.forums.phpbb"])
def test_what_is_there_does_not_depend_on_what_was_imported(before: str) -> None:
    code = f"import knightfall as kf; {before}\nprint(hasattr(kf, 'forums'), hasattr(kf, 'fora'), dir(kf))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == f"True False {dir(kf)}\n"


def test_who_adds_to_it_finds_what_they_build_on() -> None:
    writer: kf.Dialect = dialect("phpbb")
    assert writer.write(kf.parse_bbcode("[b]Vote: Ada[/b]")) == "[b]Vote: Ada[/b]"
    assert issubclass(type(game_named("knight_errant")), kf.NightFileGame)
    assert issubclass(type(game_named("kings_court")), kf.RoundGame)
    assert isinstance(PHPBB, kf.HtmlForum)
    assert {"recognises", "locate", "start", "read"} <= set(dir(kf.Forum))


def test_values_are_told_in_a_line() -> None:
    count = kf.count(kf.Thread.from_posts(POSTS), as_of=2)
    [wagon] = count.wagons
    assert repr(wagon) == "Wagon(Boro, 1 vote)"
    assert repr(wagon.votes) == "(Vote(Ada → Boro, #2),)"
    assert repr(wagon.target) == "Slot(Boro)"
    assert repr(count.votecount) == "Votecount(day 1 as of #2: Boro 1)"
    assert repr(count.explain("Boro")).endswith(" Wagon(Boro, 1 vote))")
    page = kf.count(kf.read_html(KETTLE / "day-1.html"))
    assert repr(page.wagons[0]) == "Wagon(Clover, 3 votes, 4 needed)"


def test_posts_of_a_program_become_a_count() -> None:
    count = kf.count(kf.Thread.from_posts(POSTS, title="Salt Harbour"))
    sizes = {wagon.target.name: wagon.count for wagon in count.wagons if wagon.target}
    assert sizes == {"Boro": 1, "Cinder": 1}
    assert (count.day, count.as_of, count.alive, count.needed, count.hammer) == (1, 5, 4, None, None)
    assert count.not_voting == ("Cinder", "Elm")
    assert [(missed.voter, missed.why.value) for missed in count.uncounted][:1] == [("Cinder", "quoted")]
    assert "Boro (1): Ada (2)\n" in count.to_text("plain")
    assert [(vote.voter.name, vote.post, vote.rule) for vote in count.explain("Boro").votes] == [
        ("Ada", 2, "exact")
    ]
    assert [vote.target and vote.target.name for vote in count.explain(2).votes] == ["Boro"]
    assert count.explain(2).to_dict()["counts"][0]["target"] == "Boro"
    assert count.to_dict()["not_voting"] == ["Cinder", "Elm"]
    assert any("Wren" in sentence for sentence in count.assumed)
    assert "More may play than have posted so far." in count.assumed


def test_a_count_as_of_an_earlier_post_or_instant() -> None:
    thread = kf.read_html(KETTLE / "day-1.html")
    early = kf.count(thread, as_of=8)
    assert repr(early).startswith("Count(day 1 as of #8: Clover 2/4")
    assert early.as_of == 8
    moment = thread.posts[3].time
    assert moment is not None
    assert kf.count(thread, as_of=moment).as_of == thread.posts[3].number
    with pytest.raises(kf.errors.TimeError):
        kf.count(thread, as_of=datetime(2024, 4, 6))  # noqa: DTZ001  # that it has no zone is the point
    with pytest.raises(kf.errors.InputError):
        kf.count(thread, as_of=datetime(1999, 1, 1, tzinfo=UTC))
    with pytest.raises(kf.errors.InputError):
        early.explain(11)


def test_a_game_file_speaks_where_it_speaks(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Cinder", "Elm"))
    fix = '[[fix]]\npost = 5\nto = "Boro"\nwhy = "asked them"\n'
    file.write_text(f'schema = 1\n[game]\ntitle = "Salt Harbour"\nmoderators = ["Wren"]\n{players}{fix}')
    thread = kf.Thread.from_posts(POSTS)
    count = kf.count(thread, config=file)
    assert {wagon.target.name: wagon.count for wagon in count.wagons if wagon.target} == {
        "Boro": 2,
        "Cinder": 1,
    }
    file.write_text("schema = 1\n[game]\nkolour = 1\n")
    with pytest.raises(kf.errors.SetupError, match="kolour"):
        kf.count(thread, config=str(file))


def test_what_a_thread_does_not_tell_is_answered(tmp_path: Path) -> None:
    thread = kf.Thread.from_posts(POSTS)
    told = kf.count(thread, day=1, alive=("Ada", "Boro", "Cinder", "Elm", "Fen"), house=["plurality"])
    assert (told.alive, told.needed) == (5, None)
    assert kf.count(thread, day=1, alive=("Ada", "Boro", "Cinder", "Elm", "Fen")).needed == 3
    assert kf.count(thread, day=2, opened=4).as_of == 5
    with pytest.raises(kf.errors.InputError, match="chaos"):
        kf.count(thread, house=["chaos"])
    file = tmp_path / "game.toml"
    file.write_text("schema = 1\n", encoding="utf-8")
    with pytest.raises(kf.errors.InputError, match="for threads without a game file"):
        kf.count(thread, house=["both"], config=file)


def test_a_vote_that_nobody_can_read_is_a_question() -> None:
    names = [
        ("Wren", "Day 1 begins."),
        ("Rookery", "hello"),
        ("Rookwood", "hello"),
        ("Ada", "[b]VOTE: Rook[/b]"),
    ]
    [doubt] = kf.count(kf.Thread.from_posts(names)).questions
    assert (doubt.voter, doubt.candidates) == ("Ada", ("Rookery", "Rookwood"))


def test_saved_pages_and_lines_of_posts_are_read(tmp_path: Path) -> None:
    file = tmp_path / "day.jsonl"
    file.write_text(
        '{"number": 1, "id": 1, "user": "Ada", "content": "hello", "time": "2026-03-01T10:00:00"}\n'
    )
    assert kf.read_jsonl(file).posts[0].author == "Ada"
    assert len(kf.read_html([KETTLE / "day-1.html"]).posts) == 11


def test_an_address_without_a_server_is_an_error_of_ours() -> None:
    with pytest.raises(kf.errors.KnightfallError):
        kf.read("ftp://forum.example/viewtopic.php?t=1")


def test_a_night_is_decided(night: kf.Night) -> None:
    assert night.deaths == ()
    assert night.results["Boro"] == ("Anti-Town",)
    assert night.results["Ada"] == ()
    assert night.posts and "Boro" in night.pms
    assert any("Iris lived" in step.text for step in night.why("iri"))
    changes = night.whatif("remove Ada:heal")
    assert changes[0].text == "Iris dies"
    assert night.whatif() == ()
    assert repr(night) == "<Night 2 of knight_errant: nobody dies>"
    assert night.to_dict()["night"] == 2


def test_lines_that_a_night_does_not_take_are_told() -> None:
    night = kf.resolve("knight errant", 2, ROLES, {"Iris": "kill Ada"}, shots={"Hollis": {"watch": 1}})
    [refused] = night.refused
    assert (refused.slot, refused.line) == ("Iris", "kill Ada")
    assert refused.code and refused.sentence


def test_a_night_that_cannot_be_says_why(night: kf.Night) -> None:
    with pytest.raises(kf.errors.SetupError, match=r"roles\.Ada"):
        kf.resolve("knight_errant", 2, {"Ada": "Town Docter"}, {})
    with pytest.raises(kf.errors.InputError):
        kf.resolve("kings_court", 2, {"Ada": "King"}, {})
    with pytest.raises(kf.errors.InputError, match="No living player"):
        night.why("Zed")
    with pytest.raises(kf.errors.InputError, match="is not a change that I understand"):
        night.whatif("kill them all")


def test_a_game_is_created_played_and_closed(court: kf.Game, capsys: pytest.CaptureFixture[str]) -> None:
    receipt = court.submit("Ada", "VOTE: Boro")
    assert receipt.accepted and "VOTE: Boro" in receipt.led_to.pms["Ada"]
    [refused] = court.submit("Elm", "VOTE: Elm").refused
    assert (refused.line, refused.code) == ("VOTE: Elm", "SELF_VOTE")
    awaited, _ = kf.Game.open(court.folder).missing()
    assert "Send the role PMs" in [one.what for one in kf.Game.open(court.folder).due()]
    assert awaited.window.kind == "vote"
    assert awaited.until is not None  # KC-02: round 1 has a deadline, too
    assert "Ada" not in awaited.absent and "Boro" in awaited.absent
    with pytest.raises(kf.errors.SaidAlready):
        court.submit("Ada", "VOTE: Boro")
    for name in COURT[1:]:
        court.submit(name, f"VOTE: {'Boro' if name != 'Boro' else 'Ada'}")
    closing = court.close("vote")
    assert closing.posts and "Boro" in closing.posts[0]
    drafts = [file.read_text().strip() for file in (court.folder / "public").glob("*.txt")]
    assert closing.posts[0].strip() in drafts
    assert set(closing.pms) <= set(COURT)
    assert capsys.readouterr().out == ""


def test_posts_are_written_for_the_site_of_the_game(tmp_path: Path) -> None:
    court = kf.Game.create("kings_court", COURT, folder=tmp_path / "court", site="discourse")
    for name in COURT:
        court.submit(name, f"VOTE: {'Boro' if name != 'Boro' else 'Ada'}")
    assert any("**" in text for text in court.close("vote").posts)
    drafts = {file.name: file.read_text() for file in (court.folder / "public").glob("*.txt")}
    assert [name for name, text in drafts.items() if "[b]" in text] == []


def test_a_game_that_is_not_there_is_an_error_of_ours(court: kf.Game, tmp_path: Path) -> None:
    with pytest.raises(kf.errors.InputError):
        kf.Game.open(tmp_path / "nowhere")
    with pytest.raises(kf.errors.InputError):
        kf.Game.create("kings_court", COURT, folder=court.folder)
    with pytest.raises(kf.errors.DecisionNeeded, match="Zed"):
        court.submit("Zed", "VOTE: Ada")


@pytest.mark.long  # scripts/check reads it, too
def test_a_users_typed_program_passes_the_strictest_check(tmp_path: Path) -> None:
    """As a user's own: outside of the project, with its types read from the package."""
    shutil.copy(Path(__file__).with_name("typed_use.py"), tmp_path)
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "typed_use.py"]
    checked = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
