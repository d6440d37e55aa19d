"""What the command line answers, Python answers: every verb has its method, and every flag its keyword."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import get_type_hints

import pytest

import knightfall as kf
from command_line import VERBS
from knightfall.services.questions import QUESTIONS

METHODS = {
    "activity": "activity prods_post",
    "adopt": "adopt",
    "alias": "alias",
    "archive": "archive",
    "commit": "close look_at_close",
    "deal": "deal",
    "doctor": "health",
    "draw": "draw draws",
    "evidence": "evidence",
    "explain": "explain history",
    "fair commit": "commit_deal",
    "fair deal": "deal",
    "fair open": "open_card",
    "fair round": "enter_round",
    "fair verify": "check_deal",
    "export": "export",
    "file": "name_thread",
    "fix": "fix",
    "flip": "flip",
    "ics": "calendar",
    "import": "import_journal",
    "kill": "kill",
    "log": "log",
    "missing": "missing remind",
    "mod-note": "write_note",
    "modkill": "modkill",
    "moves": "lookup",
    "near": "near_misses ask",
    "new": "create create_from",
    "nicknames": "nickname_book",
    "odds": "lookup",
    "phase close": "close_day look_at_day",
    "phase extend": "extend_phase",
    "phase lock": "lock_phase",
    "phase open": "open_phase",
    "phase stop": "stop_phase",
    "plot": "plot board board_text",
    "pm mark": "mark_pms",
    "pm prods": "prod_pms next_pm",
    "pm results": "pms next_pm",
    "pm roles": "pms next_pm",
    "pm show": "pms_for",
    "post": "post preview_post",
    "prod": "prod",
    "read": "read",
    "replace": "replace",
    "replay": "lookup",
    "resolve": "preview",
    "revive": "revive",
    "roles": "lookup",
    "rooms": "rooms mark_rooms",
    "roster": "roster nicknames",
    "rule": "rule",
    "rulings": "rulings",
    "setups": "lookup",
    "signup decide": "decide_signup",
    "signup players": "type_players",
    "signup read": "signups write_signups",
    "status": "status due",
    "submissions": "submissions",
    "submit": "submit leave_out preview_message take_in choices",
    "undo": "undo look_at_undo",
    "hand-over": "hand_over",
    "passport": "passport",
    "take-over": "take_over",
    "vc": "count",
    "verify": "verify write_missing",
    "vla": "note_absence",
    "watch": "watch",
    "whatif": "whatif",
    "why": "why",
}
METHODS = {**{name: "ask" for name in QUESTIONS if name not in ("games", "forums")}, **METHODS}
"""Verb → the methods of `kf.Game` that answer it; a question that is declared has `ask`, at least."""

NO_QUESTION_OF_A_GAME: Mapping[str, str] = {
    "balance": "kf.balance",
    "completion": "of a shell",
    "conform": "of the rules: a check of case files",
    "fair page": "of the product",
    "forums": "of the product",
    "games": "of the product",
    "help": "the manual, for people",
    "put-away": "of the shelf where games stand",
    "rehearse": "of a sample game, to learn",
    "review": "kf.review",
    "recount": "of an archive: kf.count of each thread",
    "web": "another face",
}

PRINTED = {
    *(
        "as_json",
        "copy",
        "copying",
        "every",
        "next_one",
        "sent",
        "whose",
        "verbose",
        "yes",
        "view",
        "preview",
    ),
    *("showing", "pasting"),
}
ELSEWHERE = "game folder cookies agent allow_private from_html html jsonl source words what night".split()  # noqa: SIM905
NO_KEYWORDS = frozenset((*PRINTED, *ELSEWHERE))
"""Parameters that are no part of a question: how the answer is printed, copied or asked about; where the game
lies and how its forum is asked (`Game.open`); a thread or a night of no game (`kf.count`, `kf.resolve`)."""

KEYWORDS: Mapping[str, Mapping[str, str]] = {
    "": {
        "allow": "allow_leak",
        "at": "at as_of from_post",
        "begins": "at",
        "dry": "dry_run",
        "post": "post first_post last_post",
        "text": "text as_text",
        "out": "out folder",
        "tell": "tell_why",
        "timed": "by_time",
    },
    "adopt": {
        **dict.fromkeys(("at", "moderators", "phase", "roles", "save", "site", "table", "title"), "running"),
        "despite": "despite_doubts",
        "option": "options",
    },
    "commit": {"why": "why_early", "posted": ".post", "stored": ".close_day"},
    "deal": {"out": ".create"},
    "fair verify": dict.fromkeys(("file", "published", "written", "mirror"), ".check_deal"),
    "missing": {"draft": ".remind"},
    "moves": dict.fromkeys(("record", "turn"), "given"),
    "new": {
        "file": "players",
        "option": "options",
        "setup": "options",
        "thread": "threads",
    },
    "odds": dict.fromkeys(("weapon", "parry", "shield", "hill", "edition"), "given"),
    "file": {"thread": "role"},
    "phase close": {"posted": ".post"},
    "pm prods": {"dialect": ".next_pm"},
    "post": {"diff": ".preview_post"},
    "replay": dict.fromkeys(("record", "turn", "every", "out"), "given"),
    "roles": {"name": "given"},
    "setups": dict.fromkeys(("code", "players"), "given"),
    "signup read": {"write": ".write_signups"},
    "submit": {"form": "from_form", "pages": "from_pages", "pms": "from_pms", "text_column": "text_columns"},
    "vc": {
        "alive": ".count",  # of a thread without a game file alone, as `opened` is
        "house": ".count",
        "opened": ".count",
        "allow": ".post",
        "dialect": "Count.to_text",
        "limit": "Count.to_text",
        "template": "Count.to_text",
        "theme": "Count.to_text",
        "posted": ".post",
        "waiting": ".watch",
    },
    "verify": {"writing": ".write_missing"},
    "take-over": {"file": "texts", "into": "folder"},
    "vla": {"days": "first"},
    "watch": {"until": "until_deadline"},
    "whatif": {"words": "changes"},
}
"""Verb (“”: all) → parameter → its keyword, where that has another name; after a dot: the method with it."""


def test_every_verb_is_a_method_or_no_question_of_a_game() -> None:
    assert sorted({**METHODS, **NO_QUESTION_OF_A_GAME}) == sorted(VERBS)
    assert not METHODS.keys() & NO_QUESTION_OF_A_GAME.keys()


def test_every_method_answers_a_verb() -> None:
    public = {name for name in dir(kf.Game) if not name.startswith("_")}
    fields = {"folder", "cookies", "user_agent", "allow_private_host", "thread"}
    assert public - fields - {"open"} == {name for methods in METHODS.values() for name in methods.split()}


@pytest.mark.parametrize("verb", METHODS)
def test_every_parameter_of_a_verb_is_a_keyword(verb: str) -> None:
    methods = [getattr(kf.Game, name) for name in METHODS[verb].split()]
    known = {name for method in methods for name in inspect.signature(method).parameters}
    known |= {one.name for one in QUESTIONS[verb].parameters} if verb in QUESTIONS else set()
    missing = []
    for name in {one.name for one in VERBS[verb].params} - NO_KEYWORDS:
        said = KEYWORDS.get(verb, {}).get(name) or KEYWORDS[""].get(name, name)
        owner, dot, method = said.rpartition(".")
        if dot and hasattr(kf.Count if owner else kf.Game, method):
            continue
        if not known & set(said.split()):
            missing.append(name)
    assert missing == []


@pytest.mark.few(29)
@pytest.mark.parametrize("name", sorted({name for methods in METHODS.values() for name in methods.split()}))
def test_a_method_says_what_it_takes(name: str) -> None:
    """Nothing hides in `**more`, every parameter has a type, and the docstring is the method's own."""
    method = getattr(kf.Game, name)
    parameters = inspect.signature(method).parameters.values()
    assert not [one.name for one in parameters if one.kind is inspect.Parameter.VAR_KEYWORD]
    assert [one.name for one in parameters if one.annotation is inspect.Parameter.empty] in ([], ["self"])
    assert method.__doc__
    assert get_type_hints(getattr(method, "__func__", method))["return"] is not type(None)


@pytest.mark.parametrize("function", [kf.balance, kf.count, kf.read, kf.resolve, kf.Game.create])
def test_nothing_of_the_public_functions_hides(function: object) -> None:
    assert callable(function)
    kinds = {one.kind for one in inspect.signature(function).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds
