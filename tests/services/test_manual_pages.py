"""The manual as data: it is complete, an error leads to its section, and a question finds its answer."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from command_line import VERBS
from knightfall import errors
from knightfall.config.file_keys import file_keys
from knightfall.errors import InputError, KnightfallError
from knightfall.games import GAMES
from knightfall.services import manual

ROOT = Path(__file__).parents[2]
ERRORS = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, KnightfallError)]
SECTIONS = {one.name: one for one in manual.all_sections()}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """What scripts/reference has."""
    return runpy.run_path(str(ROOT / "scripts" / "py" / "reference.py"))


# -- complete ----------------------------------------------------------------------------------------


def test_the_reference_is_up_to_date(script: dict[str, Any]) -> None:
    now = manual.page("reference").text
    assert now == script["text"](), "scripts/reference writes it again"


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_every_verb_is_in_the_manual(verb: str) -> None:
    text = manual.section(f"reference#{manual.anchor_of(f'knightfall {verb}')}").text
    for parameter in VERBS[verb].params:
        if parameter.param_type_name == "option" and parameter.name != "help" and not parameter.hidden:
            assert any(f"`{option}" in text or f", {option}" in text for option in parameter.opts), parameter


def test_every_key_of_the_game_file_is_in_the_manual_with_a_meaning() -> None:
    for one in file_keys():
        assert one.meaning, one
        assert f"| `{one.key}` |" in manual.section(f"reference#the-table-{one.table.strip('[]')}").text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_every_option_of_every_game_is_in_the_manual(game: Any) -> None:
    text = manual.section(f"reference#{manual.anchor_of(game.spec.name)}").text
    assert f"`{game.spec.id}`" in text
    assert [one.name for one in game.spec.options if f"| `{one.name}` |" not in text] == []


def test_every_page_in_the_browser_is_in_the_manual(script: dict[str, Any]) -> None:
    text = manual.section("reference#pages-in-the-browser").text
    paths = [one.path for one in script["routes"]()]
    assert len(paths) > 50
    assert {"/", "/help", "/help/{name}", "/games/{name}/votes"} <= set(paths)
    assert [path for path in paths if f"| `{path}` |" not in text] == []


def test_every_error_leads_to_a_section_that_there_is() -> None:
    assert set(manual.PAGE_OF_ERROR) == set(ERRORS)
    for kind in ERRORS:
        name = manual.PAGE_OF_ERROR[kind]
        assert name.partition("#")[0].endswith(".md")
        assert manual.section_of_error(kind) == manual.section(name)
    assert f"`{ERRORS[0].__name__}`" in manual.section("reference#errors").text


def test_an_error_of_another_package_leads_where_the_class_above_it_does() -> None:
    class Rusty(errors.LoginRequired):
        pass

    assert manual.section_of_error(Rusty("Log in.")) == manual.section_of_error(errors.LoginRequired)


# -- as data -----------------------------------------------------------------------------------------


def test_every_page_has_a_title_a_sentence_and_anchors_of_its_own() -> None:
    for topic in manual.topics():
        page = manual.page(topic.name)
        assert topic.sentence.startswith(topic.title)
        assert topic.sentence.endswith(".")
        assert page.sections[0].level == 1
        anchors = [one.anchor for one in page.sections]
        assert len(anchors) == len(set(anchors)), topic.name


def test_what_stands_in_a_block_of_code_is_no_head() -> None:
    assert "7-fennel-not-bold-vote-clover" not in {one.anchor for one in manual.page("first-game").sections}


def test_what_there_is_not_is_refused() -> None:
    for name in ("nowhere", "forums#nowhere", "../errors.py"):
        with pytest.raises(InputError):
            manual.section(name)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("forums", "forums"),
        ("forums.md", "forums"),
        ("Running a game", "running-a-game"),
        ("forums#manners", "forums#manners"),
        ("forums.md#manners", "forums#manners"),
        ("you decide", "running-a-game#you-decide"),
        ("user-agent manners", "forums#manners"),
    ],
)
def test_words_mean_a_page_a_section_or_the_best_one_found(words: str, meant: str) -> None:
    found = manual.topic_meant(words)
    assert not isinstance(found, tuple)
    assert found.name == meant


def test_a_misspelled_page_is_offered() -> None:
    assert manual.topic_meant("forrums") == ("forums",)
    assert manual.topic_meant("xqzt") == ()


def test_a_title_weighs_more_than_a_head_and_a_head_more_than_the_text() -> None:
    found = [one.section.name for one in manual.search("balance")]
    assert found[0] == "balance"
    assert manual.search("manners")[0].section.name == "forums#manners"
    assert found.index("balance") < found.index("reference#knightfall-balance")


def test_a_verb_is_found_where_it_is_named() -> None:
    named = [one.name for one in manual.sections_naming("phase close")]
    assert "running-a-game#days-and-deadlines" in named
    assert named.index("running-a-game#days-and-deadlines") < named.index("reference#knightfall-phase-close")
    assert "running-a-game#days-and-deadlines" not in [one.name for one in manual.sections_naming("phase c")]


# -- a question finds its answer -----------------------------------------------------------------------

BY_MOMENT, BY_SYMPTOM = "moments", "symptoms"
"""The pages that a moderator in need looks into first."""
QUESTIONS = {
    "it is the deadline": (BY_MOMENT, "running-a-game"),
    "I miscounted": (BY_MOMENT, BY_SYMPTOM),
    "co-moderator vanished": (BY_MOMENT, BY_SYMPTOM, "running-a-game"),
    "rigged": (BY_MOMENT, BY_SYMPTOM),
    "asks whether I am human": (BY_SYMPTOM, "helper"),
    "undo": (BY_MOMENT, BY_SYMPTOM, "running-a-game", "page"),
    "change what a vote counts as": (BY_MOMENT, BY_SYMPTOM, "page", "counting"),
    "log in to a forum": (BY_SYMPTOM, "forums"),
    "prod": (BY_MOMENT, "running-a-game", "rehearsal"),
    "replacement": (BY_MOMENT, "running-a-game", "rehearsal"),
}
"""What somebody types → the pages of which one is to answer."""
FIRST = 5
"""So many sections that a search finds are looked at."""


@pytest.mark.few(5)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_finds_its_answer_by_one_search_and_one_click(question: str) -> None:
    found = [one.section.page for one in manual.search(question)[:FIRST]]
    assert set(found) & set(QUESTIONS[question]), found


def test_every_page_is_one_click_from_the_index() -> None:
    files = {file.name.removesuffix(".md") for file in (ROOT / "src/knightfall/manual").glob("*.md")}
    assert {one.name for one in manual.topics()} == files - {manual.INDEX}


IN_A_MODERATORS_WORDS = (
    ("lynch", "questions"), ("how do I delete a game", "questions"), ("add a player", "questions"),
    ("how do players vote", "questions"), ("sub out a player", "questions"), ("edited vote", "questions"),
    ("mafia chat", "questions"), ("extend the deadline", "questions"), ("a player is silent", "questions"),
    ("undo", "questions"), ("replace a player", "questions"), ("tie at the deadline", "questions"),
    ("votecount wrong", "questions"), ("how do I send role PMs", "questions"), ("hammer", "moments"),
    ("vote by mistake counted", "questions"), ("someone quoted their role pm", "questions"),
    ("night action came late", "questions"), ("a vote is not counted", "symptoms"),
    ("lock the thread", "moments"),
    ("two players have the same name", "questions"), ("nickname", "questions"), ("co-mod", "questions"),
    ("hand the game to another moderator", "questions"), ("archive", "moments"), ("unvote", "questions"),
    ("log in to the forum", "symptoms"), ("spectators", "questions"), ("no lynch", "questions"),
    ("forgot to close the day", "questions"), ("typo in a vote", "questions"), ("vacation", "questions"),
    ("private topic for masons", "questions"), ("who has not sent an action", "questions"),
    ("change the rules", "questions"), ("host a game without a thread", "questions"),
    ("random roles", "questions"), ("prove that the deal was fair", "fairness"),
)  # fmt: skip


@pytest.mark.parametrize(("asked", "page"), IN_A_MODERATORS_WORDS)
def test_a_question_in_a_moderators_words_is_answered_by_one_of_the_first_two_that_are_found(
    asked: str, page: str
) -> None:
    assert page in [found.section.page for found in manual.search(asked)[:2]]
