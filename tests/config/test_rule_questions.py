"""Every rule that a moderator sets has a question, its choices in words, and a way into the file and back."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args

import pytest

from knightfall.config.files import parse_toml
from knightfall.config.game_file import RULE_TABLES, parse_setup
from knightfall.config.new_file import FileStart, new_file, toml_value, with_keys
from knightfall.config.rule_questions import (
    BY_FIELD,
    GROUPS,
    QUESTIONS,
    RuleQuestion,
    Widget,
    answers_in,
    asked_of,
    grouped,
    parse_rules,
)
from knightfall.engine.game import DayRule
from knightfall.errors import FieldError, SetupError
from knightfall.games import game_ids, loaded
from knightfall.services.games import game_named

MAJORITY = DayRule("majority")
each = pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.field)


def test_every_key_of_the_file_has_one_question() -> None:
    keys = [f"{table}.{key}" for table, model in RULE_TABLES.items() for key in model.model_fields]
    assert sorted(one.field for one in QUESTIONS) == sorted(keys)
    assert {one.group for one in QUESTIONS} == set(GROUPS)


def written_values(annotation: Any) -> set[str]:
    """Every value that a key can have of a fixed set, as the file has it."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {str(one.value) for one in annotation}
    return {
        one
        for part in get_args(annotation)
        for one in ({part} if isinstance(part, str) else written_values(part))
    }


@each
def test_every_value_of_a_fixed_set_is_a_choice(question: RuleQuestion) -> None:
    model = RULE_TABLES[question.table].model_fields[question.key]
    values = written_values(model.annotation)
    assert values <= {str(value) for value, _ in question.choices}


@each
def test_a_question_is_in_the_words_of_moderators(question: RuleQuestion) -> None:
    assert question.question.endswith("?")
    assert question.key not in question.question or "_" not in question.key
    for _, words in question.choices:
        assert "_" not in words
    assert question.hint == "" or question.hint.endswith(".")


@each
def test_every_choice_comes_back_from_a_form_and_stands_in_the_file(question: RuleQuestion) -> None:
    for value, words in question.choices:
        sent = question.written(value)
        parsed = question.parsed([sent])
        held = [value] if question.widget is Widget.SEVERAL else value
        assert parsed == held
        assert question.said(parsed) == words
        text = f"schema = 1\n[{question.table}]\n{question.key} = {toml_value(parsed)}\n"
        parse_setup(text)
        assert parse_toml(text)[question.table][question.key] == parsed


@each
def test_what_is_usual_is_what_the_file_says_when_it_says_nothing(question: RuleQuestion) -> None:
    usual = question.usual(MAJORITY)
    sent = question.written(usual) if question.widget is not Widget.SEVERAL else ""
    assert parse_rules({question.field: [sent]}, MAJORITY) == {}


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ("rules.prod_after", "2 days", "48h"),
        ("rules.prod_after", "1 week", "7d"),
        ("rules.prod_grace", "90 min", "90m"),
        ("rules.needed", "5", 5),
        ("rules.needed", "45", 45),
        ("rules.max_changes", "0", 0),
        ("rules.locked_at", "4 5", [4, 5]),
        ("terms.eliminate", "banish", "banish"),
    ],
)
def test_what_is_typed_is_written_as_the_file_has_it(field: str, typed: str, value: object) -> None:
    table, _, key = field.partition(".")
    assert parse_rules({field: [typed]}, MAJORITY) == {table: {key: value}}


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("rules.prod_after", "a while"),
        ("rules.minimum_votes", "0"),
        ("rules.eliminations", "ten"),
        ("rules.tie", "nonsense"),
        ("rules.locked_at", "the last"),
        ("terms.closeness_from", "-1"),
    ],
)
def test_what_cannot_stand_in_the_file_is_refused_at_its_field(field: str, typed: str) -> None:
    with pytest.raises(FieldError, match=typed) as refused:
        BY_FIELD[field].parsed([typed])
    assert refused.value.field == field


@pytest.mark.parametrize("kind", game_ids())
def test_a_game_asks_what_its_own_rules_leave_open(kind: str) -> None:
    days = loaded(kind).day_rule({})
    asked = asked_of(days)
    if days is None:
        assert asked == ()
        return
    known = {one.key for one in QUESTIONS if one.table == "rules"}
    # A key that the models do not have yet may be named in advance.
    assert days.fixed - known <= {"at_deadline"}
    assert not {one.key for one in asked if one.table == "rules"} & days.fixed
    assert {one.key for one in asked} >= {"prod_after", "edited", "boundary"}
    usual = {one.question.key: one.usual for one in answers_in({}, days)}
    assert usual.get("tie", days.tie) == days.tie
    assert [name for name, _ in grouped(answers_in({}, days))] == [
        one for one in GROUPS if any(question.group == one for question in asked)
    ]


def test_a_new_file_says_the_rules_that_were_chosen() -> None:
    rules: dict[str, dict[str, Any]] = {
        "rules": {"tie": "ask", "needed": {"at_deadline": "half_rounded_up"}},
        "terms": {"closeness": "L"},
    }
    text = new_file(FileStart("custom_mafia", "Salt Harbour", rules=rules), game_named("custom_mafia"))
    read = parse_toml(text)
    assert read["rules"] == {"death": "majority", "at_deadline": "ask", **rules["rules"]}
    assert read["terms"] == rules["terms"]


FILE = """\
schema = 1   # never changed

[game]
title = "Salt # Harbour"

[rules]  # as we voted in the thread
tie = "random"   # by lot
forms = [
  "tag",
  # and
  "bold",
]
prod_after = "48h"
# a last word

[[player]]
name = "Ada"
"""


def test_keys_are_changed_where_they_stand_and_nothing_else_is() -> None:
    after = with_keys(FILE, "rules", {"tie": "ask", "prod_after": None, "self_vote": False, "forms": ["tag"]})
    assert after == FILE.replace('"random"', '"ask"').replace('prod_after = "48h"\n', "").replace(
        'forms = [\n  "tag",\n  # and\n  "bold",\n]', 'forms = ["tag"]'
    ).replace("thread\n", "thread\nself_vote = false\n")


def test_a_table_that_is_not_there_comes_at_the_end() -> None:
    assert with_keys(FILE, "terms", {"closeness": "L"}) == f'{FILE}\n[terms]\ncloseness = "L"\n'
    assert with_keys(FILE, "terms", {"closeness": None}) == FILE


@pytest.mark.parametrize(
    "text",
    ['schema = 1\nrules.tie = "ask"\n', 'schema = 1\nrules = { tie = "ask" }\n', "schema = 1\n[ rules ]\n"],
)
def test_a_file_that_is_written_otherwise_is_left_alone(text: str) -> None:
    with pytest.raises(SetupError, match="Edit the file itself"):
        with_keys(text, "rules", {"tie": "random"})
