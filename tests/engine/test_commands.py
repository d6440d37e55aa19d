"""Commands: which lines count, which names are meant."""

from __future__ import annotations

import pytest

from knightfall.engine.commands import lines_of, parse_command
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId

WORDS = {"kill": "kill", "strong kill": "strong_kill", "no action": "none"}
SLOTS = tuple(SlotId(name) for name in ("Juniper", "June", "Boro", "boro", "Dusk_77", "Elm"))


def test_quotes_struck_text_and_markup_are_skipped() -> None:
    quoted = "[quote=Ada]kill Boro\n[quote]kill Elm[/quote]\n[/quote]"
    text = quoted + "[b]kill June[/b]\n\n[s]kill Elm[/s]\n> kill Ada\n**no action**"
    assert lines_of(text) == ("kill June", "no action")


@pytest.mark.parametrize(
    "quote",
    [
        "[quote author=Ada link=topic=7.msg9#msg9 date=1795219200]kill Elm[/quote]",
        '[quote="Ada [mod]" post_id=12]kill Elm[/quote]',
        "[quote]kill Elm [s]kill June[/quote]",
    ],
)
def test_a_quote_is_skipped_however_its_board_writes_it(quote: str) -> None:
    assert lines_of(f"{quote}\nkill Boro") == ("kill Boro",)


@pytest.mark.parametrize(
    ("line", "verb", "argument"),
    [
        ("kill Boro", "kill", "Boro"),
        ("KILL: Boro", "kill", "Boro"),
        ("Action: kill Boro", "kill", "Boro"),
        ("##kill Boro", "kill", "Boro"),
        ("- strong kill   Elm", "strong_kill", "Elm"),
        ("no action", "none", ""),
    ],
)
def test_a_command_is_read_in_all_its_forms(line: str, verb: str, argument: str) -> None:
    command = parse_command(line, WORDS)
    assert command is not None
    assert (command.verb, command.argument, command.line) == (verb, argument, line)


@pytest.mark.parametrize("line", ["killing time", "I would kill for a coffee", "strongly"])
def test_what_only_looks_like_a_command_is_none(line: str) -> None:
    assert parse_command(line, WORDS) is None


@pytest.mark.parametrize(
    ("written", "slot"),
    [
        ("Elm", "Elm"),
        ("ELM", "Elm"),
        ("@dusk_77.", "Dusk_77"),
        ("dus", "Dusk_77"),
        ("Boro", "Boro"),
        ("D7", "Dusk_77"),
    ],
)
def test_a_name_is_found_by_the_first_rule_that_fits(written: str, slot: str) -> None:
    assert match_name(written, SLOTS, {"d7": SlotId("Dusk_77")}) == slot


def test_two_hits_are_listed_and_never_guessed() -> None:
    assert match_name("Jun", SLOTS, {}) == Ambiguous("Jun", (SlotId("Juniper"), SlotId("June")))
    assert match_name("BORO", SLOTS, {}) == Ambiguous("BORO", (SlotId("Boro"), SlotId("boro")))


@pytest.mark.parametrize("written", ["El", "Wren", ""])
def test_a_short_or_strange_name_is_nobody(written: str) -> None:
    assert match_name(written, SLOTS, {}) == Unknown(written)
