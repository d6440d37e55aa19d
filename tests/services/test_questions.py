"""A question that is declared once is answered by the command line, the page and for programs alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from command_line import VERBS, run
from knightfall.cli import app
from knightfall.errors import InputError
from knightfall.parameters import Parameter, parameters_of
from knightfall.services.machine import session_of
from knightfall.services.questions import QUESTIONS, About, Question
from knightfall.services.requests import ClosingRequest
from knightfall.services.session import Session
from knightfall.services.window.turns import submit
from knightfall.web.question_pages import ELSEWHERE
from knightfall.writeups.report import AsIs, Item, Items, Report, Rows
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun

IN_A_GAME = sorted(name for name, one in QUESTIONS.items() if one.about is About.MOMENT)
IN_GENERAL = sorted(name for name, one in QUESTIONS.items() if one.about is About.NOTHING)


class Greeting:
    """The answer to a question of another package."""

    def __init__(self, name: str, times: str = "1") -> None:
        self.name, self.times = name, int(times)

    def to_dict(self) -> dict[str, object]:
        return {"name": self.name, "times": self.times}

    def report(self) -> Report:
        rows = tuple((str(number), self.name) for number in range(1, self.times + 1))
        return Report(("Hello.", Rows(("time", "who"), rows)), ("Spoken softly.",))


def greet(session: Session, name: str, times: str = "1") -> Greeting:
    """In the place of a function of a service."""
    assert session.folder.name == "harbour"
    return Greeting(name, times)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A King's Court that has begun; the command line stands in its folder."""
    folder = tmp_path / "harbour"
    begun("kings_court", folder)
    submit("Ada", "VOTE: Boro", None, session_of(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def hand(game: Path) -> FormHand:
    return form_hand(served(game.parent))


@pytest.mark.parametrize("name", sorted({*IN_A_GAME} - {*ELSEWHERE}))
def test_all_faces_give_the_same_answer(name: str, hand: FormHand) -> None:
    said = json.loads(run(name, "--json").stdout)
    assert json.loads(hand.client.get(f"/api/v1/games/harbour/{name}").text) == said
    shown = run(name).stdout
    hand.go(f"/games/harbour/ask/{name}")
    for line in shown.splitlines():
        for word in line.split():
            assert word.strip("-─") in hand.text, word


def test_the_log_says_on_its_page_what_the_command_says(hand: FormHand) -> None:
    said = [line.partition(": ")[2] for line in run("log").stdout.splitlines() if ": " in line]
    hand.go("/games/harbour/ask/log")
    assert hand.at == "/games/harbour/log"
    assert said and all(line in hand.text for line in said)


@pytest.mark.parametrize("name", sorted({*IN_GENERAL} - {"rulings"}))
def test_what_needs_no_game_is_answered_without_one(name: str, hand: FormHand) -> None:
    given = QUESTIONS[name].example
    asked = {one: str(given[one]) for one in given if one != "folder"}
    hand.go(f"/ask/{name}")
    for parameter in QUESTIONS[name].parameters:
        assert (parameter.help in hand.text) is (parameter.type is not Path)
    hand.go(f"/ask/{name}?" + "&".join(f"{key}={value}" for key, value in asked.items()))
    # All that the command shows stands on the page, except what is typed at a terminal alone.
    report = QUESTIONS[name].answer(given=given).report()
    blocks = (one.without_typed() if isinstance(one, Rows) else one for one in report.blocks)
    shown = str(Report(tuple(blocks)).text())
    assert all(word.strip("-─") in hand.text for word in shown.split())
    command = CliRunner().invoke(app, [name, *asked.values()]).stdout
    assert all(word in command for word in shown.split() if word.isalpha())


def test_the_rulings_of_a_game_stand_on_a_page_without_the_codes_of_commands(hand: FormHand) -> None:
    found = QUESTIONS["rulings"].answer(given={"game": "knight-errant"}).to_dict()
    hand.go("/ask/rulings?game=knight-errant")
    assert all(" ".join(one["text"].split()) in hand.text for one in found["rulings"])
    assert not any(one["ruling"] in hand.text for one in found["rulings"])


def test_all_faces_say_alike_what_cannot_be_answered(hand: FormHand) -> None:
    words = "holds no thread yet."
    assert words in str(run("evidence", "67").exception)
    hand.go("/games/harbour/ask/evidence?post=67")
    assert words in hand.text
    assert words in json.loads(hand.client.get("/api/v1/games/harbour/evidence?post=67").text)["error"]


def test_the_page_lists_what_can_be_asked(hand: FormHand) -> None:
    hand.go("/games/harbour/ask")
    assert all(QUESTIONS[name].help in hand.text for name in (*{*IN_A_GAME} - {*ELSEWHERE}, "near"))
    hand.go("/ask")
    assert all(QUESTIONS[name].help in hand.text for name in IN_GENERAL)


@pytest.mark.parametrize("path", ["/ask/log", "/ask/nothing", "/games/harbour/ask/games"])
def test_a_question_is_asked_where_it_belongs(path: str, hand: FormHand) -> None:
    hand.go(path)
    assert hand.status == 404


@pytest.mark.parametrize("name", IN_A_GAME)
def test_private_eyes_hide_an_answer_for_the_moderator(name: str, hand: FormHand) -> None:
    hand.go(f"/games/harbour/ask/{name}")
    assert "VOTE: Boro" in hand.text
    hand.press("Private eyes: off")
    hand.go(f"/games/harbour/ask/{name}")
    assert "VOTE: Boro" not in hand.text
    assert "hidden by private eyes" in hand.text


def test_a_file_of_this_machine_cannot_be_named_on_the_page(game: Path, hand: FormHand) -> None:
    hand.go(f"/ask/rulings?game=kings-court&folder={game}")
    assert hand.status == 200
    assert "chosen here" not in hand.text


def test_a_row_is_all_that_a_new_question_needs(hand: FormHand, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = (
        Parameter("name", "Whom to greet.", positional=True, required=True),
        Parameter("times", "How often.", int, least=1),
    )
    row = Question("Greet somebody.", "greet", About.GAME, "Kindly.", parameters, {"name": "Ada"})
    monkeypatch.setattr(Question, "_function", property(lambda _: greet))
    monkeypatch.setitem(QUESTIONS, "greet", row)
    from knightfall.cli.questions import verb_of_question

    verb = verb_of_question("greet")
    assert verb.__doc__ == "Greet somebody. Example: knightfall greet Ada\n\nKindly."
    hand.go("/games/harbour/ask/greet?name=Ada&times=2")
    assert "Spoken softly." in hand.text
    assert hand.text.count("Ada") >= 2
    hand.go("/games/harbour/ask/greet")
    assert "Whom to greet." in hand.text
    assert "Hello." not in hand.text


@pytest.mark.parametrize(("given", "words"), [({}, "needed"), ({"post": "1", "colour": "red"}, "colour")])
def test_what_is_missing_or_not_known_is_refused(given: dict[str, object], words: str, game: Path) -> None:
    with pytest.raises(InputError, match=words):
        QUESTIONS["evidence"].answer(session_of(game), given=given)


def test_every_verb_of_a_question_has_the_options_that_are_declared() -> None:
    for name, question in QUESTIONS.items():
        options: dict[str, Any] = {one.name: one for one in VERBS[name].params}
        for parameter in question.parameters:
            assert options[parameter.name].help == parameter.help, name
            assert options[parameter.name].required is parameter.required


def test_a_report_as_text_folds_and_aligns() -> None:
    report = Report(
        (
            "Head.",
            Items((Item("7", "word " * 20), Item("KE-R1", "A rule.", ("one = two", "three"))), 8),
            AsIs("  as  is"),
        )
    )
    lines = str(report.text()).splitlines()
    assert lines[0] == "Head."
    assert lines[1].startswith("     7  word")
    assert lines[2].startswith("        word")
    assert lines[3:] == ["KE-R1   A rule.", "        one = two", "        three", "  as  is"]


@pytest.mark.parametrize("said", ["nan", "inf", "-inf", "1", "3601", "soon"])
def test_a_number_outside_its_bounds_is_refused_whatever_it_is_called(said: str) -> None:
    pause = next(one for one in parameters_of(ClosingRequest) if one.name == "pause")
    assert pause.read("2") == 2.0
    with pytest.raises(InputError, match="pause: expected"):
        pause.read(said)
