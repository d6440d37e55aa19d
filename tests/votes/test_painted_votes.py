"""Votes whose letters are painted one by one, and bold that was left as text. All names are invented."""

import pytest

from knightfall.forums import html_style_of
from knightfall.votes.ballots import Action, Ballot, platform_forms
from knightfall.votes.vote_parser import read_body, read_both

FORMS = platform_forms("phpbb")


def read(body: str) -> tuple[Ballot, ...]:
    """The ballots of a body; they are the same where near misses are looked for."""
    found = read_body(body, html_style_of("phpbb"), FORMS)
    assert read_both(body, html_style_of("phpbb"), FORMS)[0] == found
    return found


def painted(text: str, tag: str = "span") -> str:
    """The text with a colour for each letter, blanks between them."""
    return "".join(
        c if c == " " else f'<{tag} style="color:#00000{n % 10}">{c}</{tag}>' for n, c in enumerate(text)
    )


@pytest.mark.parametrize("tag", ["span", "div"])
def test_a_vote_painted_letter_by_letter_is_read_whole(tag: str) -> None:
    body = f'Well.<br><div style="display:inline;font-weight:bold">{painted("Vote: Moon Pike", tag)}</div>!'
    assert [(one.action, one.text) for one in read(body)] == [(Action.VOTE, "Moon Pike")]


def test_painted_letters_that_are_not_bold_are_no_vote() -> None:
    assert not read(f"Well.<br>{painted('Vote: Ada')}")


def test_words_with_a_colour_each_stay_apart() -> None:
    body = '<b><span style="color:red">Vote: Ada</span></b><br><span style="color:red">V</span>'
    assert [one.text for one in read(body)] == ["Ada"]


def test_a_quoted_painted_vote_is_not_read() -> None:
    assert not read(f"<blockquote><b>{painted('Vote: Ada')}</b></blockquote>no")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Hm.<br>Vote: Ada[/b]", "Ada"),
        ("[b]Vote: Ada[/b]", "Ada"),
        ("[b]Vote: Ada", "Ada"),
        ("so, [b]vote ada[/b] it is", "ada"),
    ],
)
def test_bold_that_was_left_as_text_is_asked_about(body: str, text: str) -> None:
    assert [(one.action, one.text, one.unclear) for one in read(body)] == [(Action.VOTE, text, True)]


def test_an_unvote_in_bold_that_was_left_as_text_is_asked_about() -> None:
    assert [(one.action, one.unclear) for one in read("[b]unvote[/b]")] == [(Action.UNVOTE, True)]


@pytest.mark.parametrize(
    "body",
    [
        "[b]Ada[/b] is my next vote: soon",
        "I vote Ada, [b]maybe[/b].",
        "[b]do not vote Ada[/b]",
        "[b]votecount[/b]",
        "<blockquote>[b]Vote: Ada[/b]</blockquote>",
    ],
)
def test_its_neighbours_are_no_question(body: str) -> None:
    assert not read(body)


def test_real_bold_beside_it_counts_without_a_question() -> None:
    assert [(one.text, one.unclear) for one in read("[b]hm[/b] <b>Vote: Ada</b>")] == [("Ada", False)]
