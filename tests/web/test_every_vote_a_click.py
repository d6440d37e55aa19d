"""A vote that was counted is decided on its row; what changed since the last look is told and decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.services.game.status import GameStatus
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Session
from web.browser import browsing
from web.hands import BrowserHand, FormHand, form_hand
from web.served import running, served

NAMES = ("Ada", "Boro", "Cinder", "Dorn", "Elm", "Fen", "Gale")


@contextmanager
def counted(desk: Path, votes: int = 4) -> Iterator[tuple[Forum, FormHand]]:
    """A game whose day was read and looked at: votes on Elm, of which the fourth is the hammer."""
    posts = [(100, "Wren", "<b>Day 1 begins.</b>")]
    posts += [(101 + number, name, "<b>Vote: Elm</b>") for number, name in enumerate(NAMES[:votes])]
    forum = Forum(posts)
    with serving(forum) as server:
        request = NewGameRequest(
            "votes", NAMES, desk / "lane", b"", b"", "Salt Lane", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(desk / "lane"))
        hand = form_hand(served(desk))
        hand.go("/games/lane/votes")
        hand.press("Read the thread")
        yield forum, hand


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")


def test_every_counted_vote_has_its_decision_on_its_row(tmp_path: Path) -> None:
    with counted(tmp_path) as (_, hand):
        assert "Hammer: Elm, post 5" in hand.text
        hand.press("Decide how post 3 of Boro counts")
        hand.press("Count for them", {"For": "Gale"})
        assert "Post 3 is decided. In the count as of post 5, Boro votes for Gale." in hand.text
        assert "Hammer" not in hand.text
        hand.press("Decide how post 5 of Dorn counts")
        assert "Vote: Elm" in hand.text
        hand.press("Ignore post 5")
        assert "Not voting (4): Dorn, Elm, Fen, Gale" in hand.text


def test_an_edited_vote_is_told_with_both_texts_until_it_was_seen_and_decided_there(tmp_path: Path) -> None:
    with counted(tmp_path, 3) as (forum, hand):
        hand.copied()
        forum.posts[3] = (*forum.posts[3][:2], "<b>Vote: Elm</b> no wait, unvote")
        forum.posts.append((160, "Fen", "<b>Vote: Gale</b>"))
        hand.press("Read all pages again")
        hand.go("/games/lane/votes")
        assert "Since you last looked" in hand.text
        assert "1 new post. Fen → Gale (#5)" in hand.text
        assert "Post 4 (Cinder) changed" in hand.text
        assert "It said:Vote: ElmNow it says:Vote: Elm no wait, unvote" in hand.text
        for page in ("/games/lane", "/games/lane/close"):
            hand.go(page)
            assert "Since you last looked" in hand.text
        hand.go("/games/lane/votes")
        hand.press("Count for them", {"For": "Elm"}, within="Post 4 (Cinder) changed")
        assert "Cinder votes for Elm" in hand.text
        hand.press("I have seen this")
        assert "Since you last looked" not in hand.text
        hand.go("/games/lane")
        assert "Since you last looked" not in hand.text


def test_an_unvote_that_is_not_clear_is_settled_by_one_button(tmp_path: Path) -> None:
    with counted(tmp_path, 3) as (forum, hand):
        forum.posts.append((160, "Ada", "<b>Vote: unvote</b>"))
        hand.press("Read what is new")
        assert "1 vote needs your decision" in hand.text
        hand.press("It is an unvote", within="Vote: unvote")
        assert "needs your decision" not in hand.text
        assert "Elm2" in hand.text.replace(" ", "")


def test_a_deleted_vote_is_told_with_what_it_said(tmp_path: Path) -> None:
    with counted(tmp_path) as (forum, hand):
        hand.copied()
        del forum.posts[4]
        hand.press("Read all pages again")
        hand.go("/games/lane")
        assert "Since you last looked Post 5 (Dorn) vanished after it was counted" in hand.text
        hand.go("/games/lane/votes")
        assert "Post 5 (Dorn)" in hand.text
        assert "It said:Vote: Elm" in hand.text


def test_a_new_post_is_counted_where_a_deletion_gave_it_an_old_number(tmp_path: Path) -> None:
    with counted(tmp_path, 3) as (forum, hand):
        hand.copied()
        del forum.posts[2]
        forum.posts.append((160, "Fen", "<b>Vote: Gale</b>"))
        hand.press("Read all pages again")
        hand.go("/games/lane")
        assert "Since you last looked 1 new post.Post 3 (Boro) vanished" in hand.text
        hand.press("I have seen this")
        hand.go("/games/lane")
        assert "Since you last looked" not in hand.text


def test_many_games_are_on_the_start_page_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that would take long follow by themselves, and what is known is not asked again."""
    from knightfall.services.game.status import status
    from knightfall.web import pages, start

    for number in range(6):
        request = NewGameRequest("kings_court", (), tmp_path / f"court-{number}", b"", b"", f"Court {number}")
        begin(request, session_of(tmp_path / f"court-{number}"))
    asked: list[object] = []

    def noted(session: Session) -> GameStatus:
        asked.append(session)
        return status(session)

    monkeypatch.setattr(pages, "status", noted)
    monkeypatch.setattr(start, "AT_ONCE", -1.0)
    hand = form_hand(served(tmp_path))
    assert hand.body.count('hx-trigger="intersect once"') == 6
    assert asked == []
    row = hand.client.get("/games/court-3/row").text
    assert row.count("<li") == 1
    assert "Court 3" in row
    monkeypatch.setattr(start, "AT_ONCE", 60.0)
    for _ in range(3):
        hand.go("/")
    assert "Court 5" in hand.text
    assert len(asked) == 6


def test_a_late_vote_and_any_other_post_are_decided_in_the_browser(tmp_path: Path) -> None:
    with counted(tmp_path) as (forum, hand):
        forum.posts += [
            (170, "Fen", "<b>Vote: Gale</b>"),
            (171, "Gale", "I am thinking of Elm, I suppose."),
            (172, "Pike", "<b>Vote: Elm</b>"),
        ]
        hand.press("Read what is new")
        # The votes after the hammer are a list of their own.
        assert "Late votes (1)" in hand.text
        assert "Not counted (1)" in hand.text
        hand.press("Late: after the deadline, the lock or the hammer (2)")
        assert "I am thinking of Elm, I suppose." in hand.text
        assert "after the hammer" in hand.text
        hand.press("Decide how post 7 of Gale counts")
        hand.press("Count for them", {"For": "Elm"})
        assert "Gale votes for Elm" in hand.text
        hand.press("Decide this post", {"Post number": "6"})
        assert "How does post 6 count?" in hand.text
        hand.press("Count as written")
        assert "Post 6 is decided." in hand.text
        hand.go("/games/lane/votes/decide?post=99")
        assert "“99” is no post that was read. The thread goes from 1 to 8." in hand.text


def test_posts_without_a_vote_are_listed_with_their_decision(tmp_path: Path) -> None:
    with counted(tmp_path, 2) as (forum, hand):
        forum.posts += [
            (170, "Fen", "my vote goes to the one with the hat, you know who"),
            (171, "Gale", "hm"),
        ]
        hand.press("Read what is new")
        hand.press("No vote was found (2)")
        assert "my vote goes to the one with the hat" in hand.text
        hand.press("Decide how post 4 of Fen counts")
        hand.press("Count for them", {"For": "Ada"})
        assert "Fen votes for Ada" in hand.text
        # The post's own words stay beside the decision.
        assert "my vote goes to the one with the hat, you know who decided by you" in hand.text


def test_what_is_no_vote_and_looks_like_one_is_listed_and_can_be_counted(tmp_path: Path) -> None:
    with counted(tmp_path, 2) as (forum, hand):
        forum.posts += [
            (170, "Fen", "<b>Vote: Wren</b>"),
            (171, "Ada", "unvote"),
            (172, "Gale", "Right. I am going to vote Cinder."),
            (173, "Dorn", "Why would anybody vote Cinder?"),
        ]
        hand.press("Read what is new")
        listed = hand.text[hand.text.index("Not counted") :]
        assert "the target does not play" in listed[listed.index("#4 Fen") :][:200]
        assert "not bold" in listed[listed.index("#5 Ada") :][:200]
        assert "#6 Gale" in listed
        assert "#7 Dorn" not in listed
        assert "not a player" not in hand.text
        hand.press("Count as written", within="#6 Gale")
        assert "Gale votes for Cinder" in hand.text


def test_at_the_vote_of_who_does_not_play_the_button_is_what_helps(tmp_path: Path) -> None:
    with counted(tmp_path, 2) as (forum, hand):
        forum.posts.append((170, "Pike", "<b>Vote: Gale</b>"))
        hand.press("Read what is new")
        row = hand.text[hand.text.index("#4 Pike") :][:300]
        assert "not a player" in row
        assert "Count as written" not in row
        hand.press("Of people who are not on the list (1)")
        hand.press("Decide how post 4 of Pike counts")
        hand.press("They play", {"They hold the slot of": "Fen"})
        assert "Pike holds the slot of Fen from post 4 on." in hand.text
        assert "Pike" in hand.text[hand.text.index("Gale 1") :]
        hand.go("/games/lane/votes/decide?post=4")
        assert "is not on the list" not in hand.text


def test_odd_voters_are_decided_by_clicks_too(tmp_path: Path) -> None:
    """A hydra with a slash, somebody with two votes, and a vote of who was replaced."""
    names = ("Ann/Bob", *NAMES)
    posts = [
        (100, "Wren", "<b>Day 1 begins.</b>"),
        (101, "Ann/Bob", "Elm, says Bob"),
        (102, "Ada", "<b>Vote: Ann/Bob</b>"),
        (103, "Boro", "<b>Vote: Elm</b>"),
    ]
    forum = Forum(posts)
    with serving(forum) as server:
        request = NewGameRequest(
            "votes", names, tmp_path / "lane", b"", b"", "Salt Lane", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "lane"))
        hand = form_hand(served(tmp_path))
        hand.go("/games/lane/votes")
        hand.press("Read the thread")
        hand.press("Decide this post", {"Post number": "2"})
        hand.press("Count for them", {"For": "Elm"})
        assert "Ann/Bob votes for Elm" in hand.text
        hand.press("Decide how post 3 of Ada counts")
        hand.press("Count for them", {"For": "Elm"})
        hand.go("/games/lane/players/slot?who=Boro")
        hand.press("Replace Boro", {"Who takes over": "Newcomer", "Reason": "away"})
        forum.posts.append((170, "Boro", "<b>Vote: Ada</b>"))
        hand.go("/games/lane/votes")
        hand.press("Read what is new")
        assert "the voter was replaced" in hand.text
        hand.press("Decide this post", {"Post number": "5"})
        hand.press("Count for them", {"For": "Gale"})
        assert "Newcomer (written by Boro) votes for Gale" in hand.text


def test_every_deciding_vote_of_a_closing_has_its_decision_and_no_hammer_is_called_close(
    tmp_path: Path,
) -> None:
    with counted(tmp_path) as (_, hand):
        hand.go("/games/lane/close")
        hand.press("Read and count", {"the forum is not asked": True})
        assert "Hammer: Elm, post 5" in hand.text
        assert "exactly the votes needed" not in hand.text
        assert "Reading every page again" not in hand.text
        for post, name in ((2, "Ada"), (3, "Boro"), (4, "Cinder"), (5, "Dorn")):
            assert f"Decide how post {post} of {name} counts" in hand.text
        hand.press("Decide how post 5 of Dorn counts")
        assert "Counts for Elm" in hand.text
        hand.press("Ignore post 5")
        assert "Post 5 is decided." in hand.text
        hand.press("Decide this post", {"Post number": "#5"})
        assert "You decided: #5 its votes do not count" in hand.text


def test_a_count_that_was_marked_and_is_not_in_the_thread_is_told_so(tmp_path: Path) -> None:
    with counted(tmp_path) as (_, hand):
        hand.go("/games/lane/close")
        hand.press("Read and count", {"the forum is not asked": True})
        assert "You posted no votecount today" in hand.text
        hand.go("/games/lane/votes")
        hand.copied()
        hand.go("/games/lane/close")
        hand.press("Read and count", {"the forum is not asked": True})
        assert "The votecount that you marked as posted is not seen in the thread yet" in hand.text


@pytest.mark.long
def test_the_decision_of_a_listed_post_opens_beside_it_in_a_browser(tmp_path: Path) -> None:
    posts = [(100, "Wren", "<b>Day 1 begins.</b>"), (101, "Fen", "Gale it is, then"), (102, "Pike", "hello")]
    with browsing() as browser, serving(Forum(posts)) as server, running(tmp_path) as page:
        request = NewGameRequest(
            "votes", NAMES, tmp_path / "lane", b"", b"", "Salt Lane", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "lane"))
        hand = BrowserHand(browser.new_page(), page.access.home)
        hand.opens(page.address)
        hand.page.wait_for_url(f"{hand.root}/")
        hand.go("/games/lane/votes")
        hand.press("Read the thread")
        hand.go("/games/lane/votes/posts?kind=unread")
        hand.page.get_by_role("link", name="Decide how post 2 of Fen counts").click()
        hand.page.get_by_label("For", exact=True).select_option("Gale")
        hand.page.get_by_role("button", name="Count for them").click()
        hand.page.get_by_text("Fen votes for Gale").first.wait_for()
        hand.go("/games/lane/votes/posts?kind=stranger")
        hand.page.get_by_role("link", name="Decide how post 3 of Pike counts").click()
        hand.page.get_by_role("button", name="Ignore post 3").click()
        hand.page.get_by_text("Post 3 is decided.").first.wait_for()
        assert hand.faults == []


WRONG: tuple[tuple[str, str, str, dict[str, str], str], ...] = (
    # What was posted, what the moderator presses, and what the count says then.
    ("a start of a name", "<b>Vote: Ga</b>", "Count for them", {"For": "Boro"}, "Fen votes for Boro"),
    ("two votes", "<b>Vote: Ada</b> no, <b>Vote: Boro</b>", "Count for them", {"For": "Ada"},
     "Fen votes for Ada"),
    ("a quote", "<blockquote><cite>Ada wrote:</cite><b>Vote: Elm</b></blockquote>", "Count for them",
     {"For": "Elm"}, "Fen votes for Elm"),
    ("a nickname", "<b>Vote: the hat</b>", "Count for them", {"For": "Gale"}, "Fen votes for Gale"),
    ("an unvote in words", "I take it back", "It is an unvote", {}, "Post 4 is decided."),
    ("no elimination in words", "nobody should go", "No elimination", {}, "No Elimination"),
    ("a plain word", "elm it is", "Count for them", {"For": "Elm"}, "Fen votes for Elm"),
    ("a joke that was counted", "<b>Vote: Ada</b>", "Ignore post 4", {}, "Not voting"),
)  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize(("what", "body", "button", "fields", "then"), WRONG, ids=[one[0] for one in WRONG])
def test_no_wrong_reading_needs_a_command(
    tmp_path: Path, what: str, body: str, button: str, fields: dict[str, str], then: str
) -> None:
    with counted(tmp_path, 2) as (forum, hand):
        forum.posts.append((170, "Fen", body))
        hand.press("Read what is new")
        hand.press("Decide this post", {"Post number": "4"})
        assert "Fen" in hand.text, what
        hand.press(button, fields)
        assert then in hand.text
