"""Today, Start and what an action answers show what is due, each with a button that leads to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import StillClock, serving
from fetch.threads import Forum
from knightfall.games import game_ids
from knightfall.services.game.players import modkill, replace_player
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from services.test_people_posts import AS_IS, OWN_WORDS
from web.hands import FormHand, form_hand, words
from web.served import served
from web.test_pages import begun

URL = "https://forum.example/viewtopic.php?t=90010"
HERE = "/games/harbour"
NAMES = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale")


def button(hand: FormHand) -> str:
    """What is first on Today, by the words of its link."""
    found = hand.tree.xpath("//section[contains(@class, 'next')]//ol/li[1]/p/a")
    return words(found[0]) if found else ""


def listed(hand: FormHand) -> list[str]:
    """The links of what waits, in their order."""
    return [words(one) for one in hand.tree.xpath("//ol[@class='inbox']/li/p[1]/a")]


def follows(hand: FormHand) -> None:
    """Go to the page of what is first."""
    hand.press(button(hand))
    assert hand.status == 200, hand.text


# ── the thread (F5) ──────────────────────────────────────────────────────────────────────────────


def test_a_game_without_its_thread_is_one_field_away_from_it(tmp_path: Path) -> None:
    begun("custom_mafia", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    assert button(hand) == "Set the deadline of day 1"
    follows(hand)
    hand.press("Set the deadline of Day 1", {"Deadline of Day 1": "48h"})
    # The thread begins with the post that tells it, and how to vote.
    assert "“Opening”, which you have not posted yet, tells it to everybody." in hand.text
    hand.go(HERE)
    assert button(hand) == "Name the game thread"
    assert "Without it no votes are counted" in hand.text
    follows(hand)
    hand.press("the opening post")
    assert "Day 1 ends:" in hand.value("The text")
    assert "To vote, use " in hand.value("The text")
    hand.go(f"{HERE}/thread/game")
    hand.press("Name it", {"Address of the thread": "forum"})
    assert "is not the address of a thread" in hand.text
    hand.go(f"{HERE}/thread/game")
    hand.press("Name it", {"Address of the thread": URL})
    assert f"The game thread is {URL}." in hand.text
    hand.go(HERE)
    assert "Post the opening post" in hand.text
    assert "Votecount" in hand.text
    hand.go(f"{HERE}/thread/nonsense")
    assert hand.status == 404


# ── a day in a thread (F8, F9, F9b, F15) ─────────────────────────────────────────────────────────


@dataclass
class Harbour:
    """A game of seven whose thread lies on a forum of this machine, and the hand that runs it."""

    folder: Path
    forum: Forum
    hand: FormHand
    clock: StillClock

    def vote(self, target: str, *voters: str) -> None:
        last = self.forum.posts[-1][0]
        for number, voter in enumerate(voters, start=1):
            self.forum.posts.append((last + number, voter, f"<b>Vote: {target}</b>"))

    def reads(self) -> None:
        self.hand.go(f"{HERE}/votes")
        self.hand.press("Read the thread" if "has not been read" in self.hand.text else "Read what is new")
        self.hand.go(HERE)


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Harbour]:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    forum, clock = Forum([(101, "Wren", "<b>Day 1 begins.</b>")]), StillClock()
    folder = tmp_path / "harbour"
    with serving(forum) as server:
        request = NewGameRequest(
            "custom_mafia", NAMES, folder, b"s" * 32, b"t" * 32, "Salt Harbour", options={"setup": "vanilla"},
            site="phpbb", moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        session = session_of(folder, allow_private=True)
        begin(request, session)
        hand = form_hand(served(tmp_path, clock=clock))
        yield Harbour(folder, forum, hand, clock)


def sets_deadline(here: Harbour, ends: str) -> None:
    here.hand.go(f"{HERE}/phases")
    here.hand.press("Set the deadline of Day 1", {"Deadline of Day 1": ends})
    here.hand.go(HERE)


@pytest.mark.few(1)
@pytest.mark.parametrize("ends", ["48h", "2026-11-24 20:00"])
def test_a_deadline_is_asked_for_until_it_is_set_and_posts_stay_due(harbour: Harbour, ends: str) -> None:
    hand = harbour.hand
    hand.go(HERE)
    assert button(hand) == "Set the deadline of day 1"
    posts = ["Post the setup post", "Post the rules post", "Post the opening post"]
    assert [one for one in listed(hand) if one in posts] == posts
    follows(hand)
    sets_deadline(harbour, ends)
    assert "Set the deadline" not in hand.text
    assert [one for one in listed(hand) if one in posts] == posts


def test_a_hammer_is_told_on_today_and_start_without_a_time_left(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "47h")
    assert "left" in hand.text
    harbour.vote("Ada", "Boro", "Cinder", "Dusk", "Elm")
    harbour.reads()
    assert "Day 1 is hammered (Ada, #5): close the day." in hand.text
    assert button(hand) == "Close the day"
    assert "Hammered: Ada, #5" in hand.text
    assert " left" not in words(hand.tree.xpath("//section[@aria-labelledby='open-head']")[0])
    hand.go("/?all=1")
    assert "Day 1, hammered" in hand.text
    assert "Day 1 is hammered (Ada, #5)" in hand.text
    assert " left" not in hand.text


def test_the_close_of_a_day_asks_for_the_deadline_of_what_opens_then(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "47h")
    harbour.vote("Ada", "Boro", "Cinder", "Dusk", "Elm")
    harbour.reads()
    follows(hand)
    hand.press("Read and count", {"the forum is not asked": True})
    hand.press("Close the day", {"Lock the thread": "Adda", "Deadline of what comes next": "24h"})
    assert "You typed “Adda”" in hand.text
    assert hand.value("Deadline of what comes next") == "24h"
    hand.press("Close the day", {"Lock the thread": "Ada"})
    assert "Day 1 is closed: Ada is eliminated. " in hand.text
    assert "Night 1 is open until " in hand.text
    ends = harbour.clock.now() + timedelta(hours=24)
    assert f"must reach me by {ends:%a %d %b %Y, %H:%M}" in hand.value("The text")
    hand.go(HERE)
    assert "Set the deadline" not in hand.text
    assert button(hand) == "Post the end of day post"


def test_a_night_that_begins_without_a_deadline_is_told_where_the_day_was_closed(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "47h")
    harbour.vote("Ada", "Boro", "Cinder", "Dusk", "Elm")
    harbour.reads()
    follows(hand)
    hand.press("Read and count", {"the forum is not asked": True})
    hand.press("Close the day", {"Lock the thread": "Ada"})
    assert "Next: Set the deadline of Night 1. Set the deadline of night 1" in hand.text
    hand.go(HERE)
    assert button(hand) == "Set the deadline of night 1"


# ── people (F14) ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", game_ids())
def test_a_modkill_leads_to_its_post_and_is_due_until_it_was_posted(tmp_path: Path, kind: str) -> None:
    begun(kind, tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go(f"{HERE}/players/slot?who=Boro")
    hand.press("Take Boro out of the game", {"Reason": "quoted a PM"})
    assert "Boro is out of the game." in hand.text
    assert hand.path.startswith(f"{HERE}/posts/removal")
    assert hand.value("The text").startswith(OWN_WORDS[kind])
    hand.go(HERE)
    assert "Announce it: Boro is out of the game" in hand.text
    hand.go(f"{HERE}/posts")
    row = next(row for row in hand.tree.xpath("//tr") if "Removal" in row.text_content())
    assert row.text_content().strip().endswith("–")
    hand.press("Removal or death by your word")
    hand.copied()
    assert "Announce it" not in hand.text
    hand.go(f"{HERE}/posts")
    row = next(row for row in hand.tree.xpath("//tr") if "Removal" in row.text_content())
    assert row.text_content().strip().endswith("number 1")


def test_a_replacement_leads_to_its_post(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go(f"{HERE}/players/slot?who=Boro")
    hand.press("Replace Boro", {"Who takes over": "Zed"})
    assert hand.value("The text").startswith("Zed replaces Boro as of this post")
    hand.copied()
    assert "Announce it" not in hand.text


# ── texts, secrets, the end (A6, F26) ────────────────────────────────────────────────────────────


def test_a_text_that_is_missing_is_written_by_one_button(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    replace_player("Ada", "Zed", None, "", AS_IS, session_of(tmp_path / "harbour"))
    next((tmp_path / "harbour/public").glob("*-replacement.txt")).unlink()
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    assert button(hand) == "Write the missing texts"
    follows(hand)
    assert "replacement of entry 2" in hand.text
    hand.press("Write them")
    assert "Written: 1 text." in hand.text
    assert "Texts that were not written" not in hand.text


def test_private_eyes_are_not_told_that_the_king_is_awaited(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    turns.close("vote", None, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    hand.go(HERE)
    assert "See who has not sent anything" in hand.text
    hand.press("Private eyes: off")
    hand.go(HERE)
    assert "See who has not sent anything" not in hand.text
    assert "result" not in hand.text.casefold().partition("posted")[0].replace("post the results", "")


def test_a_finished_game_is_shown_as_finished_and_asks_for_nothing_when_all_is_done(tmp_path: Path) -> None:
    begun("custom_mafia", tmp_path / "harbour")
    deal = json.loads((tmp_path / "harbour/private/deal.json").read_text("utf-8"))["cards"]
    for name in [name for name, card in deal.items() if card.startswith("Mafia")]:
        modkill(name, None, "left", AS_IS, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    hand.go(f"{HERE}/posts/endgame")
    hand.copied()
    assert hand.path.partition("?")[0] == f"{HERE}/end"  # what is left to do
    hand.go(HERE)
    assert "The game is over. Winner: Town." in hand.text
    assert listed(hand)[:2] == ["Check that nothing was changed", "Write the archive"]
    hand.go("/?all=1")
    assert "Finished, winner: Town" in hand.text
    assert "Check that nothing was changed" not in hand.text
    assert "alive" not in hand.text
    hand.go(f"{HERE}/end")
    hand.press("Check everything")
    hand.press("For everybody")
    hand.go(HERE)
    assert "Check that nothing was changed" not in hand.text
    assert "Finished The game is over: Town won. Everything was checked" in hand.text
    assert "Write the archive" not in hand.text
