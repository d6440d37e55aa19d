"""Whatever a program gives wrongly is one sentence of ours at the door, in Python's words, or it is fine:
nothing is taken silently, and nothing ends in an error of Python's own."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from knightfall.api import door
from knightfall.cli.ways import COMMANDS
from knightfall.errors import KnightfallError
from knightfall.sentence import PHRASES, Way

NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
ROWS = [
    ("Wren", "Day 1 begins."),
    ("Ada", "[b]VOTE: Boro[/b]"),
    ("Boro", "[b]VOTE: Cinder[/b]"),
    ("Cinder", "hello"),
    ("Elm", "hello"),
]
THREAD = kf.Thread.from_posts(ROWS)
NAIVE = datetime(2026, 3, 1)  # noqa: DTZ001  # that it has no zone is the point
Call = Callable[[Any], object]


def _count(**given: Any) -> Call:
    return lambda _: kf.count(**{"thread": THREAD, **given})


def _series(**given: Any) -> Call:
    return lambda _: kf.series(**{"thread": THREAD, **given})


def _rows(*rows: Any) -> Call:
    return lambda _: kf.Thread.from_posts(rows)


def _night(**given: Any) -> Call:
    usual: dict[str, Any] = {
        "game": "custom_mafia",
        "night": 1,
        "roles": {"Ada": "Vanilla Townie"},
        "actions": {},
    }
    return lambda _: kf.resolve(**{**usual, **given})


def _game(name: str, *args: Any, **given: Any) -> Call:
    return lambda game: getattr(game, name)(*args, **given)


def _text(**given: Any) -> Call:
    return lambda _: kf.count(THREAD).to_text(**given)


# (what is given, what its sentence says)
WRONG: dict[str, tuple[Call, str]] = {
    "an address for a thread": (
        _count(thread="thread.html"),
        r"count\(thread='thread.html'\): expected a Thread",
    ),
    "nothing for a thread": (_count(thread=None), r"expected a Thread, found None"),
    "a list for a thread": (_count(thread=ROWS), "expected a Thread, found list"),
    "posts for a thread": (_count(thread=THREAD.posts), "expected a Thread, found tuple"),
    "a number for a thread": (_count(thread=5), r"count\(thread=5\)"),
    "posts out of order": (_count(thread=replace(THREAD, posts=THREAD.posts[::-1])), "#4 stands behind #5"),
    "a post twice": (_count(thread=replace(THREAD, posts=THREAD.posts[:2] * 2)), "#1 stands behind #2"),
    "no posts": (_count(thread=replace(THREAD, posts=())), "no posts"),
    "one name for a list of the living": (_count(day=1, alive="Ada"), r"alive='Ada'.*write \['Ada'\]"),
    "a number among the living": (_count(day=1, alive=["Ada", 3]), r"alive\[1\]=3"),
    "nobody among the living": (_count(day=1, alive=["Ada", None]), r"alive\[1\]=None"),
    "a mapping of the living": (_count(day=1, alive={"Ada": 1}), "expected a list of str, found dict"),
    "bytes of the living": (_count(day=1, alive=b"Ada"), "expected a list of str, found bytes"),
    "the living of no day": (_count(alive=["Ada"]), r"day=N"),
    "the first post of no day": (_count(opened=2), r"opened=… is about: day=N"),
    "a threshold of no day": (_count(needed=2), r"needed=… is about: day=N"),
    "a first post that there is not": (
        _count(day=2, opened=999),
        "post 999 is not in this thread, which goes from 1 to 5",
    ),
    "a first post below all": (_count(day=2, opened=-5), "post -5 is not in this thread"),
    "a first post of text": (_count(day=2, opened="4"), r"opened='4'"),
    "a first post that is a share": (_count(day=2, opened=4.0), r"opened=4.0"),
    "a first post behind the count": (
        _count(day=2, opened=4, as_of=3),
        "Day 2 starts at post #4, which is behind #3",
    ),
    "day nought": (_count(day=0), "day: expected 1 or more, found 0"),
    "a day below nought": (_count(day=-1), "expected 1 or more, found -1"),
    "a day of text": (_count(day="1"), r"day='1'\): expected an int or None, found str"),
    "a day that is a share": (_count(day=1.0), "found float"),
    "a day that is true": (_count(day=True), "found bool"),
    "a day that there is not": (_count(day=7), r"opens day 7.*day=7, opened=POST, alive="),
    "a post that is a share": (_count(as_of=12.0), r"as_of=12.0\): expected an int, a datetime or None"),
    "a post that is true": (_count(as_of=True), r"as_of=True"),
    "a post of text": (_count(as_of="3"), r"as_of='3'"),
    "a date": (_count(as_of=date(2026, 3, 1)), "found date"),
    "an instant without a zone": (_count(as_of=NAIVE), "zone"),
    "an instant before all": (_count(as_of=datetime(1999, 1, 1, tzinfo=UTC)), "no post from before"),
    "a post that there is not": (_count(as_of=99), "Post 99 is not in this thread"),
    "a post before all": (_count(as_of=-1), "Post -1 is not in this thread"),
    "one word for a list of rules": (_count(house="both"), r"write \['both'\]"),
    "a rule that there is not": (_count(house=["chaos"]), "chaos"),
    "a rule that is a number": (_count(house=[1]), r"house\[0\]=1"),
    "one moderator for a list": (_count(moderators="Wren"), r"write \['Wren'\]"),
    "a moderator that is a number": (_count(moderators=[1]), r"moderators\[0\]=1"),
    "a threshold of text": (_count(day=1, needed="2"), "needed='2'"),
    "a threshold of nought": (_count(day=1, needed=0), "needed: expected 1 or more, found 0"),
    "a threshold that is true": (_count(day=1, needed=True), "needed=True"),
    "pairs for replacements": (_count(replaced=[("Elm", "Boro")]), "expected a dict"),
    "a number for whom they replaced": (_count(replaced={"Elm": 3}), r"replaced\['Elm'\]=3"),
    "a number that replaced somebody": (_count(replaced={3: "Elm"}), r"\.keys\(\)=3"),
    "a game file that is a number": (_count(config=3), "config=3"),
    "a game file that is not there": (_count(config="nowhere/game.toml"), "cannot be read|nowhere"),
    "a series of nothing": (_series(thread=None), r"series\(thread=None\)"),
    "a series with one moderator": (_series(moderators="Wren"), r"\['Wren'\]"),
    "a dialect that there is not": (_text(dialect="klingon"), "klingon"),
    "a dialect that is a number": (_text(dialect=3), r"to_text\(dialect=3\)"),
    "a theme that there is not": (_text(theme="neon"), "neon"),
    "a limit of nought": (_text(limit=0), "limit: expected 1 or more, found 0"),
    "a limit of text": (_text(limit="9"), "limit='9'"),
    "a template that is not there": (_text(template="nowhere.txt"), "nowhere.txt"),
    "theme and template": (_text(theme="table", template="x.txt"), "theme=… or template=…"),
    "a view that there is not": (lambda _: kf.count(THREAD).to_dict("all"), "'public' or 'mod'"),  # type: ignore[arg-type]
    "an explanation of nobody": (lambda _: kf.count(THREAD).explain("Zed"), "Zed"),
    "an explanation of nothing": (lambda _: kf.count(THREAD).explain(None), r"explain\(what=None\)"),  # type: ignore[arg-type]
    "a row of one": (_rows(("Ada",)), "row 1: expected"),
    "a row of four": (_rows(("Ada", "hi", None, 3)), "row 1: expected"),
    "a row of text": (_rows("ab"), "row 1: expected"),
    "a row that is nothing": (_rows(None), "row 1: expected"),
    "a second row that is wrong": (_rows(ROWS[0], 7), "row 2: expected"),
    "an author that is a number": (_rows((3, "hi")), "author: expected str, found 3"),
    "an author that is nothing": (_rows((None, "hi")), "author: expected str"),
    "a text that is a number": (_rows(("Ada", 3)), "text: expected str"),
    "a time of text": (_rows(("Ada", "hi", "2026-03-01")), "time: expected datetime"),
    "a time in seconds": (_rows(("Ada", "hi", 1767225600)), "time: expected datetime"),
    "a time without a zone": (_rows(("Ada", "hi", NAIVE)), "has no zone"),
    "a column that is not known": (
        _rows({"user": "Ada", "text": "hi"}),
        "'user' is not known; expected author",
    ),
    "a row without a text": (_rows({"author": "Ada"}), "text .BBCode. or html"),
    "a row with two texts": (_rows({"author": "Ada", "text": "a", "html": "b"}), "one of the two"),
    "a number of text": (_rows({"author": "Ada", "text": "a", "number": "7"}), "number: expected int"),
    "a number that does not rise": (
        _rows({"author": "Ada", "text": "a", "number": 7}, {"author": "Elm", "text": "a", "number": 7}),
        "not behind 7",
    ),
    "an id that is a list": (_rows({"author": "Ada", "text": "a", "id": []}), "id: expected str or int"),
    "pages that are a number": (lambda _: kf.read_html(3), r"read_html\(paths=3\)"),  # type: ignore[arg-type]
    "a page that is a number": (lambda _: kf.read_html([3]), r"paths\[0\]=3"),  # type: ignore[list-item]
    "pages that are not there": (lambda _: kf.read_html("nowhere.html"), "nowhere.html"),
    "lines that are not there": (lambda _: kf.read_jsonl("nowhere.jsonl"), "nowhere.jsonl"),
    "lines that are a number": (lambda _: kf.read_jsonl(3), "path=3"),  # type: ignore[arg-type]
    "an address that is a number": (lambda _: kf.read(3), "url=3"),  # type: ignore[arg-type]
    "an address that is none": (lambda _: kf.read("hello"), "hello"),
    "a night of text": (_night(night="1"), "night='1'"),
    "night nought": (_night(night=0), "night"),
    "a game that there is not": (_night(game="chess"), "chess"),
    "a game that is nothing": (_night(game=None), "game=None"),
    "a game without nights": (_night(game="kings_court"), "kings_court|King's Court"),
    "roles that are a list": (_night(roles=["Ada"]), "roles=.*expected a dict"),
    "a role that is a number": (_night(roles={"Ada": 3}), r"roles\['Ada'\]=3"),
    "a role that there is not": (_night(roles={"Ada": "Wizzard of Oz"}), "Wizzard"),
    "actions that are text": (_night(actions="kill Ada"), "actions="),
    "an action that is a number": (_night(actions={"Ada": 3}), r"actions\['Ada'\]=3"),
    "uses left of text": (_night(shots={"Ada": {"watch": "1"}}), r"shots\['Ada'\]\['watch'\]='1'"),
    "the dead as one name": (_night(dead="Ada"), "dead='Ada'"),
    "lovers as one name": (_night(lovers="Ada"), "lovers='Ada'"),
    "lovers as names": (_night(lovers=["Ada", "Elm"]), r"lovers\[0\]='Ada'"),
    "a setup that is a number": (lambda _: kf.parse_setup(3), "text=3"),  # type: ignore[arg-type]
    "a balance of a number": (lambda _: kf.balance(3), "what=3"),  # type: ignore[arg-type]
    "a balance of so few games": (lambda _: kf.balance("kings_court", games=-1), "games: expected 0 or more"),
    "a balance of text games": (lambda _: kf.balance("kings_court", games="9"), "games='9'"),  # type: ignore[arg-type]
    "a review of nothing": (lambda _: kf.review(None), "what=None"),  # type: ignore[arg-type]
    "a running game of nothing": (lambda _: kf.running_game(None), "thread=None"),  # type: ignore[arg-type]
    "a folder that is a number": (lambda _: kf.Game.open(3), r"open\(folder=3\)"),  # type: ignore[arg-type]
    "a folder that is not there": (lambda _: kf.Game.open("nowhere"), r"nowhere.*kf.Game.create"),
    "players as one name": (lambda _: kf.Game.create("votes", "Ada", "x"), "players='Ada'"),
    "a player that is a number": (lambda _: kf.Game.create("votes", [3], "x"), r"players\[0\]=3"),  # type: ignore[list-item]
    "one moderator of a new game": (
        lambda _: kf.Game.create("votes", [], "x", moderators="Wren"),
        r"\['Wren'\]",
    ),
    "a seed of text": (lambda _: kf.Game.create("votes", [], "x", seed="abc"), "seed='abc'"),  # type: ignore[arg-type]
    "a thread of a new game": (
        lambda _: kf.Game.create("votes", [], "x", threads=["https://a.example"]),  # type: ignore[list-item]
        r"threads\[0\]",
    ),
    "a message of nobody": (_game("submit", "Zed", "VOTE: Ada"), "Zed"),
    "a message that is a number": (_game("submit", "Ada", 3), r"submit\(text=3\)"),
    "a message from a window's slot": (_game("submit", None, "VOTE: Ada"), "who=None"),
    "an empty message": (_game("submit", "Ada", "  "), "empty"),
    "a message sent at a number": (_game("submit", "Ada", "VOTE: Boro", at=5), "at=5"),
    "a message sent without a zone": (_game("submit", "Ada", "VOTE: Boro", at=NAIVE), "zone"),
    "late as a word": (_game("submit", "Ada", "VOTE: Boro", late="yes"), "late='yes'.*True or False"),
    "choices of nobody": (_game("choices", "Zed"), "Zed"),
    "choices of nothing": (_game("choices", None), "who=None"),
    "a count without a thread": (_game("count"), r"game.name_thread\('game', URL\)"),
    "a roster without a thread": (_game("roster"), "name_thread"),
    "a read without a thread": (_game("read"), "name_thread"),
    "a closing that is not open": (_game("close", "nighht"), "nighht"),
    "a deadline without a zone": (_game("extend_phase", "vote", ends=NAIVE), "zone"),
    "phase nought": (_game("extend_phase", "vote", 0, by="2h"), "number: expected 1 or more, found 0"),
    "a phase of another kind": (_game("open_phase", "dusk", 1), "'day' or 'night'"),
    "an entry of text": (_game("undo", "3", why="x"), "number='3'"),
    "an entry that there is not": (_game("undo", 999, why="x"), "999"),
    "an undo without a reason": (_game("undo", why=""), "reason|why"),
    "a state of PMs": (_game("mark_pms", "read", ["Ada"]), "'sent' or 'confirmed'"),
    "one name for PMs": (_game("mark_pms", "sent", "Ada"), r"write \['Ada'\]"),
    "a question that there is not": (_game("ask", "weather"), "weather"),
    "a question's own parameter": (_game("ask", "log", {"colour": 1}), "colour"),
    "a question's list of parameters": (_game("ask", "log", ["colour"]), "expected a dict"),
    "a picture of another kind": (_game("plot", "board"), "'wagons' or 'activity' or 'votes'"),
    "a day below nought in a game": (_game("count", day=0), "day: expected 1 or more"),
    "a pause of nothing": (_game("look_at_day", pause=0), "pause: expected 2 or more"),
    "a hand-over of short posts": (_game("hand_over", limit=5), "limit: expected 2000 or more"),
    "a moment that is none": (_game("log", at="zz"), "at=…"),
    "a part of a list of sources": (_game("take_in", from_pages="x.html"), r"write \['x.html'\]"),
    "a post of another kind": (_game("post", "weather"), "weather"),
    "an absence that is a number": (_game("note_absence", "Ada", 3), "first=3"),
    "why of nobody": (_game("why", "Zed"), "Zed"),
    "a change that is none": (_game("whatif", 3), r"whatif\(changes\[0\]=3\)"),
}

FINE: dict[str, Call] = {
    "a name with a comma": _count(day=1, alive=["Ada, the Bold", "Boro", "Cinder", "Elm"]),
    "a set of the living": _count(day=1, alive={"Ada", "Boro"}),
    "who wrote the first post among the living": _count(day=1, alive=["Wren", "Ada", "Boro"]),
    "a moderator who never posts": _count(moderators=["Nobody"]),
    "a game file as a path": lambda _: kf.Game.open(Path(_.folder)).status(),
    "a time that is not known": _rows(("Ada", "hi", None)),
    "a list for a row": _rows(["Ada", "hi"]),
    "no posts at all": _rows(),
    "a whole number of another library": lambda _: kf.count(THREAD, as_of=_Index(3)),  # type: ignore[arg-type]
    "a string for a folder": lambda game: kf.Game.open(str(game.folder)),
}


class _Index:
    """A whole number as numpy and pandas have it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> kf.Game:
    folder = tmp_path_factory.mktemp("wrong") / "court"
    return kf.Game.create("kings_court", NAMES, folder=folder, title="Salt Court")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_one_sentence_of_ours(
    name: str, game: kf.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, said = WRONG[name]
    with pytest.raises(KnightfallError, match=said) as caught:
        call(game)
    assert "“at”" not in str(caught.value)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("name", FINE)
def test_what_is_meant_plainly_is_taken(name: str, game: kf.Game) -> None:
    assert FINE[name](game) is not None


def test_every_way_of_a_command_is_a_method_in_python() -> None:
    fields = {"list_forums", "rehearse", "change_players", "close_day_despite"}
    assert sorted(set(COMMANDS) - set(door.METHODS) - fields) == []
    assert set(door.METHODS) <= set(PHRASES)


@pytest.mark.parametrize("to", sorted(door.METHODS))
def test_the_methods_and_keywords_of_a_way_are_there(to: str) -> None:
    """What an error names can be typed as it stands."""
    text = door.as_python(Way(to))
    called = re.match(r"(game|kf|kf\.Game)\.(\w+)\(", text)
    if called is None:
        assert text == "allow_private_host=True"
        return
    owner = kf if called[1] == "kf" else kf.Game
    method = getattr(owner, called[2])
    keywords = set(re.findall(r"(\w+)=", text))
    inner = re.findall(r"kf\.(\w+)\(", text)
    known = set(inspect.signature(method).parameters)
    assert keywords <= known
    assert all(hasattr(kf, one) for one in inner)


def test_an_error_names_the_keyword_of_the_call() -> None:
    torn = replace(THREAD, missing=("Page 2 is missing.",), whole_to=3)
    with pytest.raises(kf.errors.IncompleteRead, match="To count up to there: as_of=3"):
        kf.count(torn)
