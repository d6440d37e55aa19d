"""The rules that a moderator sets, as a game has them and as they are changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knightfall.config.files import parse_toml
from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import day_rule, with_keys
from knightfall.config.rule_questions import RuleAnswer, Widget, answers_in
from knightfall.config.setup import VOTES
from knightfall.engine.game import DayRule
from knightfall.services.game.file import game_text
from knightfall.services.games import game_named
from knightfall.services.session import GAME_FILE, Session, in_turn
from knightfall.storage.drafts import write_draft


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that was changed: its question, and both values in words."""

    question: str
    before: str
    after: str


def rule_of_days(kind: str, options: Mapping[str, object] | None = None) -> DayRule | None:
    """How the days of a game of that kind are decided; None where none are voted on."""
    return day_rule(None if kind == VOTES else game_named(kind), options)


def new_rules(kind: str) -> tuple[RuleAnswer, ...]:
    """The rules of a game that is about to be hosted, each as it is usual."""
    return answers_in({}, rule_of_days(kind))


def rules_of(session: Session) -> tuple[RuleAnswer, ...]:
    """The rules of the game of a folder, by its file. Raises SetupError for a file that is wrong."""
    return _answers(game_text(session).text)


def _answers(text: str) -> tuple[RuleAnswer, ...]:
    setup = parse_setup(text, GAME_FILE)
    return answers_in(parse_toml(text.removeprefix("\ufeff")), rule_of_days(setup.kind, setup.options))


@in_turn
def change_rules(said: Mapping[str, Sequence[str]], session: Session) -> tuple[RuleChange, ...]:
    """Write the rules that a form says, `RuleQuestion.field` → what was sent, into the game file, which stays
    as it is but for them; return what changed.

    Raises InputError for what cannot be, SetupError where the file cannot be changed so: then nothing is
    written.
    """
    text = game_text(session).text
    answers = _answers(text)
    changed = list[RuleChange]()
    tables: dict[str, dict[str, Any]] = {}
    for one in answers:
        question = one.question
        sent = said.get(question.field, ())
        # Of boxes of which none is ticked nothing is sent; what a form did not ask stays.
        if not sent and question.widget is not Widget.SEVERAL:
            continue
        value = question.parsed(sent)
        if value in (None, []) if not one.given else value == one.value:
            continue
        if not one.given and value == one.usual:
            continue
        # Emptied: the key goes out of the file, and what is usual holds.
        tables.setdefault(question.table, {})[question.key] = value
        after = one.usual if value is None else value
        changed.append(RuleChange(question.question, one.said, question.said(after)))
    for table, values in tables.items():
        text = with_keys(text, table, values)
    if changed:
        parse_setup(text, GAME_FILE)
        write_draft(session.folder, ".", GAME_FILE, text)
    return tuple(changed)
