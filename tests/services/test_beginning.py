"""What the first page of a thread tells of a game that is to be hosted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fetch.loopback import Reply, serving
from fetch.threads import Said, Topic, login, message, topic_page
from knightfall.errors import InputError
from knightfall.services.game.beginning import GAME, SIGNUP, Beginning, game_title, read_beginning
from knightfall.services.machine import session_of

PLAYERS = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")


@contextmanager
def answering(page: bytes, status: int = 200) -> Iterator[str]:
    with serving(lambda _: Reply(page, status)) as server:
        yield f"{server.root}viewtopic.php?t=5"


def read(title: str, *said: tuple[str, str]) -> Beginning:
    posts = [Said(101 + number, author, body) for number, (author, body) in enumerate(said)]
    with answering(topic_page(Topic(title, posts, per_page=25), 0)) as address:
        return read_beginning(address, session_of(None, allow_private=True))


def test_the_opening_post_tells_who_moderates_and_who_plays() -> None:
    opening = "Players:<br>" + "<br>".join(f"{n}. {name}" for n, name in enumerate(PLAYERS, 1))
    found = read(
        "Tin Valley | Day 1", ("Wren", opening), *((name, "<b>Vote: Ada</b>") for name in PLAYERS[1:5])
    )
    assert (found.title.value, found.moderators.value, found.site.value) == ("Tin Valley", "Wren", "phpbb")
    assert (found.role.value, found.fault) == (GAME, "")
    assert found.players.value.split("\n") == list(PLAYERS)
    for one in (found.title, found.moderators, found.site, found.role, found.players):
        assert one.how
    # Where nothing tells it, nothing is said.
    assert (found.timezone.value, found.timezone.how) == ("", "")


@pytest.mark.parametrize(
    ("title", "said", "role"),
    [
        ("Tin Valley – sign-ups", ("hello", "hello"), SIGNUP),
        ("Tin Valley", ("/in", "in!"), SIGNUP),
        ("Tin Valley", ("<b>Vote: Boro</b>", "hello"), GAME),
        ("Tin Valley", ("hello", "hello"), GAME),
    ],
)
def test_a_thread_of_sign_ups_is_told_by_its_title_or_its_posts(
    title: str, said: tuple[str, str], role: str
) -> None:
    found = read(title, ("Wren", "Welcome."), ("Ada", said[0]), ("Boro", said[1]))
    assert found.role.value == role
    assert found.players.value == ""


@pytest.mark.parametrize(
    ("page", "status"),
    [
        (login(), 200),
        (message("The requested topic does not exist."), 404),
        (b"<p>Soup</p>", 200),
        (b"", 500),
    ],
)
def test_what_cannot_be_read_keeps_its_address_and_says_why(page: bytes, status: int) -> None:
    with answering(page, status) as address:
        found = read_beginning(address, session_of(None, allow_private=True))
    assert found.url == address
    assert found.fault
    assert found.title.value == ""


@pytest.mark.parametrize(
    "address", ["", "the one in the forum", "https://a.example https://b.example", "http://[::1"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        read_beginning(address, session_of(None))


@pytest.mark.parametrize(
    ("thread", "title"),
    [
        ("Salt Harbour", "Salt Harbour"),
        ("Salt Harbour – sign-ups", "Salt Harbour"),
        ("[Signups] Salt Harbour", "Salt Harbour"),
        ("Mini 12: Salt Harbour (Sign-ups open)", "Mini 12: Salt Harbour"),
        ("Salt Harbour | Day 2", "Salt Harbour"),
        ("Recruiting: Salt Harbour", "Salt Harbour"),
        ("Salt Harbour [Night 1]", "Salt Harbour"),
        ("Salt Harbour - Game Thread", "Salt Harbour – Game Thread"),
        ("Sign-ups", ""),
    ],
)
def test_the_title_of_a_game_is_that_of_its_thread_without_what_it_is_for(thread: str, title: str) -> None:
    assert game_title(thread) == title
