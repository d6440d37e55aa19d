"""What a body holds is remembered, and depends on nothing but its words, its style and the forms."""

from __future__ import annotations

import pytest

from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Nodes
from knightfall.votes import body_memory, vote_parser
from knightfall.votes.ballots import parse_forms
from knightfall.votes.body_memory import BodyMemory, digest
from knightfall.votes.vote_parser import NOTHING, TOO_LONG, BodyReader, body_reader, short_votes

STYLE = html_style_of("phpbb")
BOLD = parse_forms(["bold"])
VOTE = "<b>vote Clover</b>"


def test_a_body_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def parse(body: str, style: HtmlStyle) -> Nodes:
        parsed.append(body)
        return parse_html(body, style)

    monkeypatch.setattr(vote_parser, "parse_html", parse)
    reader = BodyReader(STYLE, parse_forms(["tag", "bold"]))
    for _ in range(3):
        assert [ballot.text for ballot in reader.ballots(VOTE)] == ["Clover"]
        assert [ballot.text for ballot in reader.found(VOTE)[0]] == ["Clover"]
    assert parsed == [VOTE]


def test_other_forms_or_another_style_have_a_reader_of_their_own() -> None:
    for words, count in (("bold", 1), ("hashes", 0), ("regex:^vote (?P<name>.+)$", 1)):
        assert len(body_reader(STYLE, parse_forms([words])).ballots(VOTE)) == count
    quoted = "<div class='odd'><b>vote Clover</b></div>"
    odd = HtmlStyle(quotes=(".odd",))
    assert len(body_reader(STYLE, BOLD).ballots(quoted)) == 1
    assert body_reader(odd, BOLD).ballots(quoted) == ()


def test_a_body_that_took_too_long_is_read_again() -> None:
    reader = BodyReader(STYLE, parse_forms(["bold", "regex:^(a|aa)+$"]))
    slow = "a" * 60 + "!<br><b>vote Clover</b>"
    assert reader.ballots(slow) == (TOO_LONG,)
    assert reader.found(slow)[0] == (TOO_LONG,)
    reader.forms = BOLD
    assert [ballot.text for ballot in reader.ballots(slow)] == ["Clover"]
    assert [ballot.text for ballot in reader.found(slow)[0]] == ["Clover"]


def test_no_more_bodies_are_remembered_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_memory, "MOST_POSTS", 100)
    reader = BodyReader(STYLE, BOLD)
    for number in range(500):
        body = f"{VOTE} {number}"
        assert len(reader.ballots(body)) == len(reader.found(body)[0]) == 1
        assert reader.size <= 200


def test_a_thread_above_the_bound_is_remembered_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_memory, "MOST_POSTS", 100)
    memory: BodyMemory[int] = BodyMemory()
    known = 0
    for _ in range(3):
        known = 0
        for number in range(120):
            found = memory.get(digest(str(number)))
            assert found in (None, number)
            known += found is not None
            memory.keep(str(number), number)
    assert known > 40


def test_a_body_that_no_text_file_could_hold_is_remembered_too() -> None:
    reader = BodyReader(STYLE, BOLD)
    assert reader.ballots(f"{VOTE}\ud800") == reader.known_ballots(f"{VOTE}\ud800") != ()
    assert reader.known_ballots(f"{VOTE}?") is None


def test_bodies_that_hold_nothing_share_what_is_remembered() -> None:
    reader = BodyReader(STYLE, BOLD)
    assert reader.found("Good morning.") is reader.found("I do not know yet.") is NOTHING


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("V: Rook", ("V: Rook",)),
        ("  v = Rook &amp; Knight", ("v = Rook & Knight",)),
        ("Hm.<br />V : Rook", ("V : Rook",)),
        ("Hm.\n\tV:Rook", ("V:Rook",)),
        ('<span style="font-weight: bold"> V: Rook</span>', ("V: Rook",)),
        ("<i>V: Rook</i>", ()),
        ("so V: Rook", ()),
        ("<blockquote><br>V: Rook</blockquote><br>V: Fen", ("V: Fen",)),
    ],
)
def test_a_short_vote_stands_at_the_beginning_of_a_line_or_in_bold(body: str, said: tuple[str, ...]) -> None:
    assert short_votes(body) == said
