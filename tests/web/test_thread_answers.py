"""On the page of a thread that belongs to no game every question is answered where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from fetch.loopback import serving
from fetch.threads import Forum, Said, Topic, topic_page
from web.hands import FormHand, form_hand, words
from web.served import served

QUARRY = (
    (
        "Wren",
        "Welcome to the quarry. Whoever has the most votes at the deadline is eliminated.<br><br>Players:<br>"
        "Ada<br>Boro<br>Cinder<br>Dusk<br>Elm",
    ),
    ("Ada", "<b>Vote: Elm</b>"),
    ("Boro", "<b>Vote: Elm</b>"),
    ("Cinder", "<b>Vote: Elm</b>"),
    ("Dusk", "Stimme: Ada"),
)


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FormHand:
    """At the start page of somebody who has no game."""
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "kept"))
    return form_hand(served(tmp_path))


def count_saved(hand: FormHand, tmp_path: Path, posts: Sequence[tuple[str, str]]) -> None:
    """Count posts as a page that was saved in a browser."""
    file = tmp_path / "thread.html"
    said = [Said(100 + n, who, body) for n, (who, body) in enumerate(posts)]
    file.write_bytes(topic_page(Topic("A game", said, per_page=len(said)), 0))
    hand.press("Go on", {"Or files": file})


def chosen(hand: FormHand) -> list[str]:
    """The answers that are marked in the form of the house, but for those that say nothing."""
    radios = hand.tree.xpath("//details[@id='house']//label[input[@type='radio'][@checked][@value!='']]")
    return [words(one) for one in radios]


def test_a_rule_of_the_house_is_answered_by_the_button_beside_it(hand: FormHand, tmp_path: Path) -> None:
    count_saved(hand, tmp_path, QUARRY)
    assert "Hammer" not in hand.text
    hand.press("A majority eliminates at once")
    assert "Hammer: Elm, post 4" in hand.text
    assert "That holds for this thread, as long as these pages are shown." in hand.text
    hand.press("Keep these rules", {"A word that votes begin with": "Stimme"})
    assert chosen(hand) == ["A majority eliminates at once", "Votes such as “Stimme: Ada”"]
    assert "Hammer: Elm, post 4" in hand.text
    hand.press("Keep these rules", {"Votes such as “Stimme: Ada”: no": True})
    assert chosen(hand) == ["A majority eliminates at once", "Votes such as “Stimme: Ada”: no"]


def test_who_was_alive_is_answered_for_saved_pages_too(hand: FormHand, tmp_path: Path) -> None:
    count_saved(hand, tmp_path, QUARRY)
    hand.press("Keep it", {"Who was alive then": "Ada\nBoro\nCinder\nDusk\nElm\nFen"})
    assert "6 alive" in hand.text
    assert "That holds for day 1 of this thread, as long as these pages are shown." in hand.text
    assert (
        "Say it once where the thread does not tell; it holds as long as these pages are shown." in hand.text
    )


def test_a_rule_of_a_thread_with_an_address_is_kept_with_it(hand: FormHand) -> None:
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(QUARRY)])) as server:
        address = {"Address of the thread": f"{server.root}viewtopic.php?t=5"}
        hand.press("Go on", address)
        hand.press("Keep these rules", {"A majority eliminates at once": True})
        assert "Kept for this thread." in hand.text
        hand.go("/")
        hand.press("Go on", address)
        assert "Hammer: Elm, post 4" in hand.text


ARROWS = (
    (
        "Wren",
        "Welcome to the quarry. 3 votes needed.<br><br>Players:<br>Ada<br>Boro<br>Cinder<br>Dusk<br>Elm",
    ),
    ("Ada", "<b>→ Elm</b>"),
    ("Boro", "<b>→ Elm</b>"),
    ("Cinder", "<b>→ Elm</b>"),
    ("Ada", "<b>Peace</b>"),
    ("Boro", "<b>Peace</b>"),
    ("Dusk", "<b>Peace</b>"),
)


def test_all_that_players_write_and_no_rule_shows_is_one_form_that_is_answered_once(
    hand: FormHand, tmp_path: Path
) -> None:
    count_saved(hand, tmp_path, ARROWS)
    assert "3 players write “→ Elm” (#2): is that a vote?" in hand.text
    assert "3 players write “Peace” (#5): does that take a vote back?" in hand.text
    vote, back = "Votes such as “→ name” in bold", "“peace” in bold takes a vote back"
    hand.press("Keep these rules", {vote: True, back: True})
    assert chosen(hand) == [vote, back]
    assert "Not voting (4)" in hand.text


def test_what_was_answered_about_a_house_is_offered_for_the_next_game_on_its_site(hand: FormHand) -> None:
    with serving(Forum([(100 + n, who, body) for n, (who, body) in enumerate(QUARRY)])) as server:
        hand.press("Go on", {"Address of the thread": f"{server.root}viewtopic.php?t=5"})
        hand.press("Keep these rules", {"A majority eliminates at once": True})
    with serving(Forum([(200 + n, who, body) for n, (who, body) in enumerate(QUARRY)])) as server:
        hand.go("/")
        hand.press("Go on", {"Address of the thread": f"{server.root}viewtopic.php?t=5"})
        assert "For an earlier game on this site you said: A majority eliminates at once." in hand.text
        assert "Hammer" not in hand.text
        hand.press("The same here")
        assert "Hammer: Elm, post 4" in hand.text
        assert "For an earlier game" not in hand.text


FERRY = (
    ("Wren", "Welcome to the ferry. 3 to eliminate. Players:<br>Ada<br>Boro<br>Cinder<br>Dusk<br>Elm"),
    ("Ada", "<b>Vote: Boro</b>"),
    ("Wren", "Votecount 1<br>Boro (1): Ada<br>Not voting: Boro, Cinder"),
    ("Cinder", "<b>Vote: Boro</b>"),
)


def test_who_is_missing_in_a_list_is_answered_by_two_buttons_each(hand: FormHand, tmp_path: Path) -> None:
    count_saved(hand, tmp_path, FERRY)
    assert "Post #3 does not list Dusk, Elm, and no post tells of their death." in hand.text
    assert "Not voting" not in hand.text
    assert "Who does not vote is not listed: it is not sure who is alive." in hand.text
    hand.press("Dusk lives")
    assert "Does Dusk live?" not in hand.text
    hand.press("Elm does not")
    assert "You said that Dusk lives, and that Elm does not." in hand.text
    assert "4 alive, 3 needed" in hand.text
    assert "Not voting (2): Boro, Dusk" in hand.text
