"""The start page: a sample to try, finished games apart, every role, what cannot be read in plain words."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.forums import all_platforms
from knightfall.services.games import ask
from knightfall.services.machine import session_of
from knightfall.web.games import SAMPLES
from knightfall.web.jobs import Job
from knightfall.web.server import page_of
from salt_harbour import NAMES
from web.hands import PORT, FormHand, form_hand
from web.served import in_turn, no_users, served
from web.test_page_words import game_at, played
from web.test_pages import begun

EXAMPLE = "What a count looks like"


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    """At the start page of somebody who has no game."""
    return form_hand(served(tmp_path))


def test_a_sample_thread_leads_to_a_count_at_once(hand: FormHand, tmp_path: Path) -> None:
    hand.press("Try it with a sample thread")
    assert "This is a sample" in hand.text
    assert "Hammer" not in hand.text
    assert hand.value("The text").startswith("Votecount 1")
    assert "1 vote unclear" in hand.text
    hand.press("Show", {"Layout": "compact"})
    assert "This is a sample" in hand.text
    hand.go(f"{hand.path.partition('?')[0]}?at=3")
    assert "up to post 3" in hand.text
    assert not [one for one in tmp_path.rglob("*") if one.is_file()]  # nothing of it is kept


def test_an_empty_start_page_shows_what_a_count_looks_like(hand: FormHand, tmp_path: Path) -> None:
    assert EXAMPLE in hand.text
    assert "7 alive, 4 needed" in hand.text
    begun("knight_errant", tmp_path / "harbour")
    hand.go("/")
    assert EXAMPLE not in hand.text


@pytest.mark.long
def test_finished_games_stand_below_the_running_ones_and_say_that_they_are_finished(tmp_path: Path) -> None:
    from knightfall.games import loaded

    game = loaded("knight_fight")
    journal = played(game)
    for name, stage in (("ended", "over"), ("going", "begun")):
        game_at(tmp_path, game, journal, stage)
        shutil.move(tmp_path / "fair", tmp_path / name)
    hand = form_hand(served(tmp_path))
    for _ in range(2):
        hand.go("/")
    running, over = (
        hand.tree.xpath(f"//section[h2[text()='{head}']]")[0] for head in ("Your games", "Finished")
    )
    assert [one.get("href") for one in running.xpath(".//h3/a")] == ["/games/going"]
    assert [one.get("href") for one in over.xpath(".//h3/a")] == ["/games/ended"]
    assert "Finished, winner: " in " ".join(over.text_content().split())
    assert "alive" not in over.text_content()
    assert NAMES[0] in hand.text or NAMES[1] in hand.text  # who won


@pytest.mark.long
def test_every_role_has_its_line_and_its_page(hand: FormHand) -> None:
    hand.go("/")
    hand.press("Help")
    hand.press("Roles")
    entries = ask("custom_mafia", "roles", {}).entries  # type: ignore[attr-defined]
    for one in entries:
        assert one.name in hand.text
        assert one.does in hand.text
    links = [link.get("href") for link in hand.tree.xpath("//dl//a")]
    assert len(links) == len(entries)
    for link in links:
        hand.go(link)
        assert hand.status == 200
        assert "All roles" in hand.text, link


def test_roles_are_found_by_what_they_do_and_by_words_put_together(hand: FormHand) -> None:
    hand.go("/roles")
    hand.press("Show", {"Show roles with": "guilty"})
    assert [one.text_content() for one in hand.tree.xpath("//dt/a")] == [
        "Cop",
        "Framer",
        "Miller",
        "Lycan",
        "Paranoid",
    ]
    hand.press("Look it up", {"Everything about a role": "2-shot weak doctor"})
    assert "Town 2-Shot Weak Doctor" in hand.text
    assert "Works 2 times in the whole game." in hand.text
    hand.go("/roles?name=Docter")
    assert "the nearest is Doctor" in hand.text
    hand.go("/ask/custom_mafia/roles?name=Cop")
    assert hand.path == "/roles?name=Cop"


def test_an_unknown_role_at_hosting_leads_to_the_list_of_roles(hand: FormHand) -> None:
    from knightfall.sentence import Way
    from knightfall.web.ways import link

    found = link(Way("list_roles", name="2-shot weak doctor"), "")
    assert found is not None
    hand.go(found.to)
    assert "Town 2-Shot Weak Doctor" in hand.text


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        (
            "soup.html",
            "<html><head><title>Soup</title></head><body>Soup</body></html>",
            "is no thread of a forum",
        ),
        ("notes.txt", "buy milk", "is no thread of a forum"),
        (
            "door.html",
            '<html><head><title>Board - Log in</title></head><body><input type="password"></body></html>',
            "shows a login form",
        ),
    ],
)
def test_what_is_no_thread_is_said_without_a_list_of_ids(
    hand: FormHand, tmp_path: Path, name: str, body: str, said: str
) -> None:
    (tmp_path / name).write_text(body)
    hand.press("Go on", {"Or files": tmp_path / name})
    assert f"{name} {said}" in hand.refusal
    assert len([one for one in all_platforms() if one.name in hand.refusal]) == 0


def test_a_forum_of_ones_own_is_read_once_it_is_allowed_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "kept"))
    page = page_of(
        tmp_path, "", session_of, PORT, in_turn(), tmp_path / "own", partial(session_of, allow_private=True),
        user=no_users,
    )  # fmt: skip
    posts = [(101, "Wren", "<b>Day 1 begins.</b>"), (102, "Ada", "<b>Vote: Boro</b>"), (103, "Boro", "no")]
    with serving(Forum(posts)) as server:
        hand = form_hand(page)
        thread = {"Address of the thread": f"{server.root}viewtopic.php?t=5"}
        hand.press("Go on", thread)
        assert "only the usual ports are read" in hand.text
        hand.press("Forums on your own network")
        hand.press("Read forums on my own network")
        assert "are read now" in hand.text
        hand.go("/")
        hand.press("Go on", thread)
        assert "Boro" in hand.text
        hand.go("/own-network")
        hand.press("Read them no more")
        hand.go("/")
        hand.press("Go on", thread)
        assert "only the usual ports are read" in hand.text


class EndsMeanwhile(Event):
    """Work that goes on when it is looked at, and has ended a moment later."""

    looks = 0

    def is_set(self) -> bool:
        self.looks += 1
        return self.looks > 1


def test_work_that_ends_while_its_page_is_made_is_not_told_to_be_stopped(tmp_path: Path) -> None:
    served_page = served(tmp_path)
    hand = form_hand(served_page)
    job = Job("a1", "Reading the thread", "/", 0.0, then="/host", ended=EndsMeanwhile())
    served_page.watches._jobs._jobs["a1"] = job
    shown = hand.client.get("/jobs/a1").text
    assert "Stopped" not in shown
    assert "Reading the thread" in shown
    hand.go("/jobs/a1")
    assert hand.path == "/host"


def test_an_icon_on_the_desktop_is_one_press_and_no_file_of_others_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = tmp_path / "Desktop"
    monkeypatch.setattr("knightfall.services.desktop_icon.user_desktop_path", lambda: desktop)
    monkeypatch.setattr("sys.platform", "linux")
    hand = form_hand(served(tmp_path / "games"))
    hand.go("/settings")
    hand.press("Make a desktop icon")
    assert "There is no desktop here" in hand.text
    desktop.mkdir()
    hand.go("/settings")
    hand.press("Make a desktop icon")
    icon = desktop / "Knightfall.desktop"
    assert str(icon) in hand.text and "To remove the icon" in hand.text
    assert str(tmp_path / "games") in icon.read_text(encoding="utf-8")
    icon.write_text("mine", encoding="utf-8")
    hand.go("/settings")
    hand.press("Make a desktop icon")
    assert "was not made by Knightfall" in hand.text
    assert icon.read_text(encoding="utf-8") == "mine"


def test_a_folder_of_samples_says_that_it_is_removed_and_makes_no_icon(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/settings")
    assert "Make a desktop icon" in hand.text
    (tmp_path / SAMPLES).touch()
    hand.go("/")
    assert "This folder is removed when the demo ends" in hand.text
    hand.go("/settings")
    assert "Make a desktop icon" not in hand.text
