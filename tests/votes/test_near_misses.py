"""Whether near misses are looked for or not: the same votes are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, roster_of
from knightfall.votes.ballots import Forms, parse_forms, platform_forms
from knightfall.votes.near_misses import VotesFound, read_votes, read_votes_and_misses
from knightfall.votes.vote_parser import PostReader

PIECES = (
    "<b>Vote: Ada</b>",
    "<strong>unvote</strong>",
    "<b>Vote:</b> Boro",
    "<b>Vote:</b><br><b>Fen</b>",
    "Vote: Cinder",
    "vote ada",
    "[vote]Ada[/vote]",
    "##vote Boro",
    "!vote Fen",
    '<span class="bbvote" title="This is an official vote.">VOTE: Ada</span>',
    "<blockquote><div><cite>Ada wrote:</cite><b>Vote: Boro</b></div></blockquote>",
    "<blockquote><b>Vote: Fen</b><blockquote>Vote: Ada</blockquote></blockquote>",
    "<blockquote><b>Vote: Fen",
    "<s><b>Vote: Ada</b></s>",
    "<code>Vote: Ada</code>",
    "<h2>Vote: Ada</h2>",
    "I would not vote there, nor unvote.",
    "I am going to vote Ada.",
    "<b>I'm voting for Boro</b>",
    "unvote",
    "Good morning.",
    "<b>Votecount</b>",
    "",
)
AUTHORS = ("Ada", "Boro", "Wren")
posts = st.lists(
    st.tuples(st.sampled_from(AUTHORS), st.lists(st.sampled_from(PIECES), max_size=6), st.booleans()),
    max_size=6,
)
forms = st.sampled_from(
    (platform_forms("phpbb"), platform_forms("mafiascum"), parse_forms(("own_line", "hashes", "bang")))
)


@given(said=posts, accepted=forms, platform=st.sampled_from(("phpbb", "smf", "discourse")), ruled=st.data())
def test_the_votes_are_the_same_without_near_misses(
    said: list[tuple[str, list[str], bool]], accepted: Forms, platform: str, ruled: st.DataObject
) -> None:
    thread = [
        Post(PostId(str(n)), n, author, "<br>".join(body), hidden=hidden)
        for n, (author, body, hidden) in enumerate(said, start=1)
    ]
    decided, forced = (ruled.draw(st.frozensets(st.integers(1, 6), max_size=2)) for _ in range(2))
    reading = PostReader(html_style_of(platform), accepted, frozenset({"wren"}), decided | forced, forced)
    assert read_votes(thread, reading).ballots == read_votes_and_misses(thread, reading).ballots


@pytest.mark.parametrize(
    "body",
    [
        "unvote",
        "Hm.<br>Unvote",
        "<b>I'm voting for Boro</b>",
        "<b>I&#39;m voting for Boro</b>",
        "Fine, I am going to vote Boro then.",
        "Im voting <i>Boro</i>",
        "I'll vote for boro tonight.",
        "My vote goes to Boro.",
        "So I'm unvoting.",
        "<b>I am now voting: Boro</b>",
    ],
)
@pytest.mark.parametrize("forms", ["bold", "hashes"])
def test_who_says_how_they_vote_is_listed_and_not_counted(body: str, forms: str) -> None:
    found = found_in(body, forms)
    assert [ballots.ballots for ballots in found.ballots] == []
    assert [miss.post for miss in found.concerning(PLAYERS, frozenset({"wren"}))] == [1]


@pytest.mark.parametrize(
    "body",
    [
        "I'm voting for whoever lied.",
        "If I vote Boro we lose.",
        "I am not voting Boro.",
        "Why should I vote Boro?",
        "I would vote Boro.",
        "<blockquote>I'm voting for Boro</blockquote>Why?",
        "<b>Vote: Boro</b><br>Yes, I am voting for Boro.",
        "I voted Boro before.",
        "I am going to the polls, vote counts are fun.",
    ],
)
def test_talk_of_votes_is_no_near_miss(body: str) -> None:
    assert found_in(body, "bold").concerning(PLAYERS, frozenset({"wren"})) == ()


PLAYERS = roster_of(["Ada", "Boro", "Fen"])


def found_in(body: str, accepted: str) -> VotesFound:
    reading = PostReader(html_style_of("phpbb"), parse_forms([accepted]), frozenset({"wren"}))
    return read_votes_and_misses([Post(PostId("1"), 1, "Ada", body)], reading)
