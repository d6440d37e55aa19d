"""Whether near misses are looked for or not: the same votes are read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId
from knightfall.votes.ballots import Forms, parse_forms, platform_forms
from knightfall.votes.near_misses import read_votes, read_votes_and_misses
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
