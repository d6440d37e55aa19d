"""Who signed up: what each line says, and that the last clear word of a player decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.markup.html_style import PLAIN
from knightfall.models import Post, PostId
from knightfall.votes.signups import Intent, Signups, Unclear, readings, signup_lines, signups

IN, OUT, SUB, SPEC, CONFIRM = Intent
CLEAR = {
    IN: (
        "/in",
        "In!",
        "/in!",
        "/IN :)",
        "##in",
        "/ in",
        "/pre-in",
        "join",
        "I'll join",
        "count me in, please",
        "sign me up",
        "Hey all! in",
        "/in, can't wait!",
        "/in – first game",
        "@Wren /in",
        "back in!",
        "I'd like to join",
        "/in 7",
        "in for this game",
    ),
    OUT: ("/out", "I'm out", "sorry, /out", "out, sorry", "dropping out"),
    SUB: ("/sub", "/backup", "backup", "I can sub", "switch me to sub", "put me down as a backup"),
    SPEC: ("/spec", "spectating", "spec me", "/spectate"),
    CONFIRM: ("confirm", "Confirmed!", "I confirm"),
}
UNCLEAR = (
    "maybe in?",
    "in if there is room",
    "in?",
    "/in?",
    "/in, if there is room",
    "/in (maybe)",
    "/in or /sub",
    "/in/sub",
    "in as a sub",
    "/in as a sub",
    "not in",
    "no longer in",
    "probably in",
    "could I sub?",
    "I might /in later",
    "everyone who posts /in gets a cookie",
    "Thinking about joining",
)
NOTHING = (
    "In my opinion, this is fun",
    "In this game, the mod lies",
    "Out of curiosity, when does it start?",
    "What time zone are you in?",
    "http://forum.example/in",
    "I can confirm that Ada is fun",
    "see you in the game",
    "/invite",
    "yes",
    "I'll be out of town",
    "in general I agree",
    "7",
)


def post(number: int, author: str, body: str, hidden: bool = False) -> Post:
    return Post(PostId(str(number)), number, author, body, hidden=hidden)


def read(*said: tuple[str, str], decided: dict[int, str] | None = None) -> Signups:
    """The lists of (author, body) from post 1 on; Wren moderates."""
    posts = [post(number, author, body) for number, (author, body) in enumerate(said, start=1)]
    return signups(signup_lines(posts, PLAIN, frozenset({"wren"}), decided))


@pytest.mark.parametrize(("line", "word"), [(line, word) for word, lines in CLEAR.items() for line in lines])
def test_a_clear_word_is_read(line: str, word: Intent) -> None:
    assert readings(line) == (word,)


@pytest.mark.parametrize("line", UNCLEAR)
def test_what_is_unclear_is_never_guessed(line: str) -> None:
    assert readings(line) == (Unclear.UNCLEAR,)


@pytest.mark.parametrize("line", NOTHING)
def test_prose_that_holds_the_words_says_nothing(line: str) -> None:
    assert readings(line) == ()


def test_quotes_spoilers_struck_words_and_the_moderator_sign_nobody_up() -> None:
    lists = read(
        ("Wren", "/in to join, <b>in</b>"),
        ("Ada", "<blockquote>/in</blockquote>good luck"),
        ("Boro", "<s>/in</s>"),
        ("Cinder", '<div class="spoiler">/in</div>'),
        ("Dusk", "<blockquote>/out</blockquote>/in"),
    )
    assert lists.names == ("Dusk",)
    assert [(one.post, one.text) for one in lists.unclear] == [(2, "good luck")]


def test_later_words_move_a_player_and_duplicates_keep_his_place() -> None:
    lists = read(
        ("Ada", "/in"),
        ("Boro", "/in"),
        ("Ada", "in!"),
        ("Cinder", "/sub"),
        ("Boro", "/out"),
        ("Cinder", "/in"),
        ("Dusk", "/spec"),
        ("boro", "/in"),
        ("Ada", "confirm"),
    )
    assert [(one.name, one.post, one.again, one.confirmed) for one in lists.players] == [
        ("Ada", 1, (3,), 9),
        ("Cinder", 6, (), None),
        ("Boro", 8, (), None),
    ]
    assert [one.name for one in lists.spectators] == ["Dusk"]
    assert (lists.backups, lists.out) == ((), ())


def test_the_last_word_of_a_post_counts_and_bold_is_asked_first() -> None:
    lists = read(
        ("Ada", "/in<br>edit: /sub"),
        ("Boro", "what a day for a game I was once <b>in</b> and so on, <b>/in</b>"),
    )
    assert [one.name for one in lists.backups] == ["Ada"]
    assert lists.names == ("Boro",)


def test_an_unclear_word_waits_until_its_author_is_clear_or_the_moderator_decides() -> None:
    said = (("Ada", "maybe in?"), ("Boro", "in if there is room"), ("Ada", "/in"), ("Cinder", "confirm"))
    lists = read(*said)
    assert lists.names == ("Ada",)
    assert [(one.post, one.author, one.text) for one in lists.unclear] == [
        (2, "Boro", "in if there is room"),
        (4, "Cinder", "confirm"),
    ]
    decided = read(*said, decided={2: "sub", 4: "ignore", 3: "out"})
    assert decided.unclear == ()
    assert [one.name for one in decided.backups] == ["Boro"]
    assert [one.name for one in decided.out] == ["Ada"]


def test_a_doubt_after_a_clear_word_leaves_him_where_he_was() -> None:
    lists = read(("Ada", "/in"), ("Ada", "maybe out?"))
    assert lists.names == ("Ada",)
    assert [one.post for one in lists.unclear] == [2]


@pytest.mark.parametrize("line", ["I'd like to play", "Me!", "yes", "What time zone are you in?", "x " * 300])
def test_words_of_who_has_not_signed_are_unclear_and_never_silent(line: str) -> None:
    lists = read(("Ada", line), ("Boro", "/in"), ("Boro", line), ("Cinder", line), ("Cinder", "/spec"))
    assert [(one.post, one.author, one.text) for one in lists.unclear] == [(1, "Ada", line.strip())]
    assert lists.names == ("Boro",)
    assert read(("Ada", line), decided={1: "in"}).names == ("Ada",)


def test_one_decision_is_enough_for_all_that_was_said_before_without_a_word() -> None:
    said = (("Ada", "hi"), ("Ada", "nice setup"), ("Ada", "how long are days"))
    assert [one.post for one in read(*said).unclear] == [1, 2, 3]
    assert [one.post for one in read(*said, decided={2: "ignore"}).unclear] == [3]
    assert read(*said, decided={3: "ignore"}).unclear == ()
    assert read(*said, decided={3: "in"}).names == ("Ada",)


def test_deleted_posts_say_nothing() -> None:
    assert signups(signup_lines([post(1, "Ada", "/in", hidden=True)], PLAIN)) == Signups()


SAID = st.lists(
    st.tuples(
        st.sampled_from(("Ada", "Boro", "Cinder", "Dusk")),
        st.sampled_from(
            ("/in", "in!", "join", "/out", "/sub", "/spec", "maybe in?", "hello there", "confirm")
        ),
    ),
    max_size=25,
)
MEANT = {"/in": IN, "in!": IN, "join": IN, "/out": OUT, "/sub": SUB, "/spec": SPEC}


@given(SAID)
def test_the_last_clear_word_of_a_player_decides(said: list[tuple[str, str]]) -> None:
    lists = read(*said)
    last = {author: MEANT[word] for author, word in said if word in MEANT}
    stands = {
        one.name: one.word
        for part in (lists.players, lists.backups, lists.spectators, lists.out)
        for one in part
    }
    assert stands == last


@given(SAID)
def test_players_stand_in_the_order_of_the_words_that_still_stand(said: list[tuple[str, str]]) -> None:
    lists = read(*said)
    assert [one.post for one in lists.players] == sorted(one.post for one in lists.players)
    for one in lists.players:
        clear = [(n, MEANT[w]) for n, (a, w) in enumerate(said, start=1) if a == one.name and w in MEANT]
        before = [word for n, word in clear if n < one.post]
        assert before[-1:] != [IN]
        assert [word for n, word in clear if n >= one.post] == [IN] * (1 + len(one.again))
