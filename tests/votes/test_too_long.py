"""A post that takes too long to read becomes a question: no player can stop a count, nor hide a vote."""

from __future__ import annotations

import pytest

from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html, plain_text
from knightfall.models import Post, PostId, roster_of
from knightfall.names import Names, word_prefixes
from knightfall.votes.ballots import Forms, parse_forms, platform_forms
from knightfall.votes.near_misses import read_votes_and_misses
from knightfall.votes.posted_votecounts import posted_votecount
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, tally
from knightfall.votes.vote_parser import LONGEST_POST, TOO_LONG, PostReader, read_body, read_both

STYLE = html_style_of("phpbb")
FORMS = platform_forms("phpbb")
CAST = roster_of(("Alder", "Bryony", "Clover", "Dill"))
SLOW = parse_forms(["bold", "regex:^(a|aa)+$"])


@pytest.mark.parametrize(
    ("body", "forms"),
    [
        ("<b>vote Clover</b><br>" * 101, FORMS),
        ("<i>" * 300 + "x" + "</i>" * 300 + "<br><b>vote Clover</b>", FORMS),
        ("<b>vote Clover</b>" + "<i>x</i>" * LONGEST_POST, FORMS),
        ("a" * 60 + "!<br><b>vote Clover</b>", SLOW),
    ],
    ids=["too many votes", "too deep", "too long", "a pattern of the moderator's own"],
)
def test_a_post_that_cannot_be_read_asks_the_moderator(body: str, forms: Forms) -> None:
    assert read_body(body, STYLE, forms) == (TOO_LONG,)
    assert read_both(body, STYLE, forms)[0] == (TOO_LONG,)


def test_the_vote_of_such_a_post_is_a_question_and_the_others_count() -> None:
    deep = "<i>" * 300 + "x" + "</i>" * 300 + "<br><b>vote Clover</b>"
    said = (("Alder", deep), ("Bryony", "<b>vote Clover</b>"))
    posts = [Post(PostId(str(n)), n, author, body) for n, (author, body) in enumerate(said, start=1)]
    read = read_votes_and_misses(posts, PostReader(STYLE, FORMS))
    found = tally(read.ballots, CAST, Rule(), Day(1, 1), 2)
    assert [(one.post, one.text) for one in found.questions] == [(1, TOO_LONG.line)]
    assert [vote.voter.name for wagon in found.wagons for vote in wagon.votes] == ["Bryony"]


def test_a_quote_that_is_too_deep_hides_no_vote() -> None:
    body = "<blockquote>" * 300 + "x" + "</blockquote>" * 300 + "<b>vote Clover</b>"
    assert [ballot.text for ballot in read_both(body, STYLE, FORMS)[0]] == ["Clover"]


def test_a_body_of_any_depth_has_a_readable_text() -> None:
    for tag in ("div", "blockquote", "h2", "fieldset"):
        assert "Ada" in plain_text(f"Ada{f'<{tag}>' * 2_000}", STYLE)


@pytest.mark.parametrize(
    "line",
    [
        "Clover (3): Alder, Bryony, Dill",
        "Clover - 3 votes - Alder, Bryony, Dill",
        "Clover  [3/4]   Alder, Bryony &amp; Dill",
        "3 Clover (Alder, Bryony, Dill)",
        "3 votes: Clover - Alder, Bryony, Dill",
        "Clover: Alder, Bryony, Dill",
    ],
)
def test_a_wagon_is_read_in_every_shape(line: str) -> None:
    nodes = parse_html(f"{line}<br>Not voting (1): Clover", STYLE)
    found = posted_votecount(9, "Wren", nodes, Names(CAST.slots))
    assert found is not None
    row = found.rows[0]
    assert row.target == CAST.slots[2]
    assert [voter.name for voter in row.voters] == ["Alder", "Bryony", "Dill"]


def test_a_name_of_many_equal_words_is_matched_at_once() -> None:
    assert not word_prefixes("a" * 60 + "b", ("aaaaaa",) * 12)
    assert word_prefixes("catsix", ("category", "of", "six")) is False
    assert word_prefixes("catofsix", ("category", "of", "six"))
