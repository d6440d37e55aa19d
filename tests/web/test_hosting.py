"""A game is hosted in three questions: what its thread tells, its setup read back, its players and rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from fetch.loopback import Reply, serving
from fetch.threads import Said, Topic, login, topic_page
from knightfall.config.game_file import read_setup
from knightfall.games import game_ids
from knightfall.services.games import game_named
from knightfall.votes.rule import Boundary, Death, Tie
from long_runs import first
from web.browser import browsing
from web.hands import FormHand, Hand, form_hand
from web.hosting import up_to_preview
from web.served import running, served
from web.test_browser import opened
from web.test_pages import NAMES

Hands: TypeAlias = Callable[[Path], AbstractContextManager[Hand]]
ABOUT = {"Title of the game": "Tin Valley", "Your username": "Wren"}


@contextmanager
def by_forms(desk: Path) -> Iterator[Hand]:
    """A browser without JavaScript."""
    yield form_hand(served(desk))


@contextmanager
def by_browser(desk: Path) -> Iterator[Hand]:
    """A real browser, which has nothing to complain about."""
    faults: list[str] = []
    with browsing() as browser, running(desk) as page, opened(browser, page, faults) as hand:
        yield hand
    # A form that was refused is a page with the status 400, which a browser notes.
    assert [one for one in faults if "400 (Bad Request)" not in one] == []


both_hands = pytest.mark.parametrize(
    "hands", first(1, [by_forms, by_browser]), ids=["without scripts", "browser"]
)


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))


GAME = (
    ("Wren", "Welcome. Players:<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Dusk<br>5. Elm<br>6. Fen"),
    ("Ada", "<b>Vote: Boro</b>"),
    ("Boro", "<b>Vote: Ada</b>"),
    ("Cinder", "hello"),
    ("Dusk", "hello"),
)
SIGN_UPS = (("Wren", "Sign up here."), ("Ada", "/in"), ("Boro", "in!"))


@contextmanager
def members_only() -> Iterator[str]:
    """The address of a thread that only members may read."""
    with serving(lambda _: Reply(login())) as server:
        yield f"{server.root}viewtopic.php?t=5"


@contextmanager
def board(title: str, said: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """The address of a thread on a forum of this machine."""
    topic = Topic(title, [Said(101 + n, author, body) for n, (author, body) in enumerate(said)], per_page=25)
    with serving(lambda _: Reply(topic_page(topic, 0))) as server:
        yield f"{server.root}viewtopic.php?t=5"


# ── the thread ───────────────────────────────────────────────────────────────────────────────────


@both_hands
def test_a_game_thread_tells_title_moderator_site_and_players(hands: Hands, tmp_path: Path) -> None:
    with board("Tin Valley | Day 1", GAME) as address, hands(tmp_path) as hand:
        hand.go("/host/custom_mafia")
        hand.press("Read it", {"Address of the thread": address})
        assert hand.value("Title of the game") == "Tin Valley"
        assert hand.value("Your username") == "Wren"
        assert hand.value("What kind of site") == "phpbb"
        assert hand.value("Game thread") == address
        assert hand.value("Sign-up thread") == ""
        assert "who wrote the opening post" in hand.text
        assert "6 players, as the opening post lists them" in hand.text
        # All of it can be changed, and goes on from page to page.
        hand.press("Go on", {"Title of the game": "Tin Dale", "Time zone": "Europe/Lisbon"})
        hand.press("Go on", {"Its roles": "2 Goons\nCop\nrest VT"})
        assert hand.value("Players, one on a line") == "Ada\nBoro\nCinder\nDusk\nElm\nFen"
        hand.press("Show what would be made")
        hand.press("Create it and deal to 6 players")
    setup = read_setup(tmp_path / "tin-dale")
    assert (setup.title, setup.site, setup.url) == ("Tin Dale", "phpbb", address)
    assert str(setup.zone) == "Europe/Lisbon"
    assert setup.moderators == ("Wren",)


def test_a_sign_up_thread_is_told_from_a_game_thread(tmp_path: Path) -> None:
    with board("Tin Valley (Sign-ups)", SIGN_UPS) as address, by_forms(tmp_path) as hand:
        hand.go("/host/knight_errant")
        hand.press("Read it", {"Address of the thread": address})
        assert hand.value("Title of the game") == "Tin Valley"
        assert hand.value("Sign-up thread") == address
        assert hand.value("Game thread") == ""
        assert "by its title" in hand.text


@both_hands
def test_a_thread_that_cannot_be_read_is_told_in_a_sentence_and_the_form_goes_on(
    hands: Hands, tmp_path: Path
) -> None:
    with members_only() as address, hands(tmp_path) as hand:
        hand.go("/host/votes")
        hand.press("Read it", {"Address of the thread": address})
        assert "The thread could not be read." in hand.text
        assert hand.value("Game thread") == address
        hand.press("Go on", ABOUT)
        hand.press("Show what would be made", {"Players, one on a line": "Ada\nBoro\nElm"})
        hand.press("Create it")
    assert read_setup(tmp_path / "tin-valley").url == address


def test_what_is_no_address_comes_back_at_its_field_with_all_that_was_said(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/votes/about")
    hand.press("Go on", ABOUT)
    hand.press("Back")
    hand.press("Back")
    hand.press("Read it", {"Address of the thread": "the one in the forum"})
    assert hand.status == 400
    assert "is not the address of a thread" in hand.refusal
    assert hand.value("Address of the thread") == "the one in the forum"
    hand.press("There is no thread yet")
    assert hand.value("Title of the game") == "Tin Valley"


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("Time zone", "Lisbon time", "There is no time zone"),
        ("Title of the game", " ", "Give the game a title"),
        ("Game thread", "soon", "is not the address of a thread"),
        ("Game thread", "https://forum.example/", "is the address of a whole site"),
        ("Thread of the dead", "soon", "is not the address of a thread"),
    ],
)
def test_what_is_wrong_about_the_game_is_said_at_its_field(
    tmp_path: Path, field: str, typed: str, told: str
) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", {**ABOUT, field: typed})
    assert hand.status == 400
    assert told in hand.refusal
    assert hand.tree.xpath("//*[@aria-invalid]/@name")[0] in (
        "timezone",
        "title",
        "thread-game",
        "thread-dead",
    )
    assert hand.value("Your username") == "Wren"


def test_a_title_of_a_game_that_is_there_is_refused_before_the_setup(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "votes", ABOUT)
    hand.press("Create it")
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", ABOUT)
    assert "You have a game of that name already" in hand.refusal


# ── the setup ────────────────────────────────────────────────────────────────────────────────────

ROLES = "2 Goons\n3x VT\nTown Copp\nrest Vanilla"


@both_hands
def test_a_setup_is_read_back_and_a_doubt_is_mended_by_one_click(hands: Hands, tmp_path: Path) -> None:
    with hands(tmp_path) as hand:
        hand.go("/host/custom_mafia/about")
        hand.press("Go on", ABOUT)
        hand.press("Read it back", {"Its roles": ROLES})
        for told in ("2 Goons", "Mafia Goon", "Vanilla Townie", "all the others", "Not clear yet."):
            assert told in hand.text
        assert "Jester wins" not in hand.text
        hand.press("Go on")
        assert "There is no role “Copp”" in hand.text
        hand.press("Town Cop")
        assert hand.value("Its roles") == ROLES.replace("Copp", "Cop")
        assert "Not clear yet." not in hand.text
        hand.press("Go on")
        assert "Learns whether a player is Guilty or Innocent." in hand.text
        hand.press("Show what would be made", {"Players, one on a line": "\n".join(NAMES[:8])})
        hand.press("Create it and deal to 8 players")
    cards = json.loads((tmp_path / "tin-valley/private/deal.json").read_text(encoding="utf-8"))["cards"]
    assert sorted(cards.values()) == ["Mafia Goon"] * 2 + ["Town Cop"] + ["Vanilla Townie"] * 5


@both_hands
def test_a_setup_is_put_together_from_the_list_of_roles(hands: Hands, tmp_path: Path) -> None:
    with hands(tmp_path) as hand:
        hand.go("/host/custom_mafia/about")
        hand.press("Go on", ABOUT)
        hand.press("Add Goon", {"How many": "2"})
        hand.press("Add Doctor", {"How many": "1", "Limited by": "2-Shot"})
        hand.press("Add Roleblocker", {"How many": "1", "Side": "Mafia", "Limited by": ""})
        assert hand.value("Its roles") == "2 Goon\n2-Shot Doctor\nMafia Roleblocker"
        assert "Protects a player from being killed." in hand.text


@pytest.mark.long
def test_a_typed_setup_is_read_back_while_it_is_written(tmp_path: Path) -> None:
    with by_browser(tmp_path) as hand:
        hand.go("/host/custom_mafia/about")
        hand.press("Go on", ABOUT)
        hand.page.get_by_label("Its roles").fill("3 Goons\nMasons x2")  # type: ignore[attr-defined]
        hand.page.get_by_text("Town Mason").first.wait_for()  # type: ignore[attr-defined]
        assert "How many" in hand.text


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", game_ids())
def test_what_a_game_leaves_open_is_asked_in_words(tmp_path: Path, kind: str) -> None:
    hand = form_hand(served(tmp_path))
    hand.go(f"/host/{kind}/setup")
    spec = game_named(kind).spec
    for option in (one for one in spec.options if one.name in spec.asked):
        assert option.question in hand.text
        assert option.said[0][1] in hand.body or option.together
        assert not any("_" in words for _, words in option.said)


def test_the_anomalies_are_boxes_and_who_is_who_is_asked(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    who = {"Deathmatch Opponent": "Zephyr", "Elimination Candidate": "Ada"}
    up_to_preview(hand, "knight_fight", ABOUT, {"Airdrop": True, "Horse Trap": True}, who)
    assert "Airdrop, Horse Trap" in hand.text
    assert "Deathmatch Opponent Zephyr" in " ".join(hand.tree.xpath("string(//table)").split()).replace(
        "OpponentZ", "Opponent Z"
    )
    # Back at the boxes they are still ticked, and can be taken away.
    hand.press("Change the setup")
    assert hand.tree.xpath("//input[@type='checkbox'][@checked]/@value") == ["A", "H"]
    hand.press("Go on", {"Airdrop": False, "Snapshot": True})
    hand.press("Show what would be made")
    hand.press("Create it and deal to 2 players")
    deal = json.loads((tmp_path / "tin-valley/private/deal.json").read_text(encoding="utf-8"))
    assert deal["slots"] == ["Zephyr", "Ada"]
    assert deal["options"]["anomalies"] == "h+n"


def test_one_seat_alone_is_asked_again(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "knight_fight", ABOUT, players={"Deathmatch Opponent": "Zephyr"})
    assert hand.refusal.endswith("Who is the Elimination Candidate? Name all, or leave all empty. Help")
    assert hand.value("Deathmatch Opponent") == "Zephyr"


def test_who_is_who_is_asked_when_players_signed_up(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "knight_fight", ABOUT)
    hand.press("Create it")
    file = tmp_path / "tin-valley/game.toml"
    tables = '\n[[player]]\nname = "Ada"\n\n[[player]]\nname = "Zephyr"\n'
    file.write_text(file.read_text(encoding="utf-8") + tables, encoding="utf-8")
    hand.go("/games/tin-valley/deal")
    hand.press("Deal and begin")
    assert "Who is the Deathmatch Opponent?" in hand.refusal
    hand.press("Deal and begin", {"Deathmatch Opponent": "Zephyr", "Elimination Candidate": "Zephyr"})
    assert "Name each player once" in hand.refusal
    hand.press("Deal and begin", {"Deathmatch Opponent": "Zephyr", "Elimination Candidate": "Ada"})
    deal = json.loads((tmp_path / "tin-valley/private/deal.json").read_text(encoding="utf-8"))
    assert deal["slots"] == ["Zephyr", "Ada"]


def test_a_setup_that_is_dealt_to_sign_ups_is_read_back_first(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "custom_mafia", ABOUT)
    hand.press("Create it")
    file = tmp_path / "tin-valley/game.toml"
    tables = "".join(f'\n[[player]]\nname = "{name}"\n' for name in NAMES[:6])
    file.write_text(file.read_text(encoding="utf-8") + tables, encoding="utf-8")
    hand.go("/games/tin-valley/deal")
    hand.press("Read it back", {"Its roles": "2 Goons\nTown Copp\nrest VT", "Salt (empty": "ab" * 20})
    assert "Not clear yet." in hand.text
    # Dealt nevertheless, it is refused beside its field, and nothing is lost.
    hand.press("Deal and begin")
    assert hand.status == 400
    assert "There is no role “Copp”" in hand.refusal
    assert hand.value("Salt (empty") == "ab" * 20
    hand.press("Read it back")
    hand.press("Town Cop")
    assert hand.value("Its roles") == "2 Goons\nTown Cop\nrest VT"
    assert hand.value("Salt (empty") == "ab" * 20
    hand.press("Deal and begin")
    cards = json.loads((tmp_path / "tin-valley/private/deal.json").read_text(encoding="utf-8"))["cards"]
    assert sorted(cards.values()) == ["Mafia Goon"] * 2 + ["Town Cop"] + ["Vanilla Townie"] * 3


# ── the players, and the rules ───────────────────────────────────────────────────────────────────


def test_a_list_of_players_that_is_wrong_comes_back_with_everything(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    names = {"Players, one on a line": "1. @Ada\n2. Boro\n3. ada"}
    rules = {"What happens in a tie": "ask", "Do Saturday and Sunday": "skip"}
    up_to_preview(hand, "custom_mafia", ABOUT, {"Its roles": "Goon\nrest VT"}, names | rules)
    assert hand.status == 400
    assert "name the same player" in hand.refusal
    assert hand.value("Players, one on a line") == names["Players, one on a line"]
    assert hand.value("What happens in a tie") == "ask"
    hand.press("Show what would be made", {"Players, one on a line": "1. @Ada\n2. Boro\n- Cinder\n• Dusk"})
    assert "4: Ada, Boro, Cinder, Dusk" in hand.text
    assert "I decide each time" in hand.text


def test_too_few_players_are_told_at_their_field(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "kings_court", ABOUT, players={"Players, one on a line": "Ada\nBoro"})
    assert hand.status == 400
    assert hand.tree.xpath("//*[@aria-invalid]/@name") == ["players"]


@both_hands
def test_rules_are_set_without_the_file_when_hosting_and_later(hands: Hands, tmp_path: Path) -> None:
    with hands(tmp_path) as hand:
        said = {
            "What eliminates a player": "plurality",
            "What happens in a tie": "random",
            "Which post is the last that counts": "minute",
            "After how much silence": "2 days",
        }
        up_to_preview(hand, "custom_mafia", ABOUT, {"Its roles": "Goon\nrest VT"}, said)
        assert "one of the tied is drawn by lot" in hand.text
        hand.press("Create it")
        setup = read_setup(tmp_path / "tin-valley")
        assert (setup.rule.death, setup.rule.tie) == (Death.PLURALITY, Tie.RANDOM)
        assert setup.rule.boundary is Boundary.MINUTE
        assert setup.prods.after is not None
        assert setup.prods.after.total_seconds() == 48 * 3600

        hand.go("/games/tin-valley")
        hand.press("Rules")
        assert hand.value("After how much silence") == "48h"
        hand.press("Save the rules", {"What happens in a tie": "ask", "How is it written": "L"})
        assert "2 rules changed." in hand.text
        assert "I decide each time (before: one of the tied is drawn by lot)" in hand.text
    setup = read_setup(tmp_path / "tin-valley")
    assert (setup.rule.tie, setup.terms.closeness) == (Tie.ASK, "L")
    assert setup.rule.boundary is Boundary.MINUTE


def test_a_rule_that_cannot_be_is_said_at_its_field_and_nothing_is_written(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "votes", ABOUT)
    hand.press("Create it")
    file = tmp_path / "tin-valley/game.toml"
    before = file.read_text(encoding="utf-8")
    hand.go("/games/tin-valley/rules")
    hand.press("Save the rules", {"After how much silence": "a while", "What happens in a tie": "ask"})
    assert hand.status == 400
    assert hand.tree.xpath("//*[@aria-invalid]/@name") == ["rules.prod_after"]
    assert hand.value("What happens in a tie") == "ask"
    assert file.read_text(encoding="utf-8") == before


def test_saving_rules_that_hold_already_leaves_the_file_alone(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, "custom_mafia", ABOUT)
    hand.press("Create it")
    file = tmp_path / "tin-valley/game.toml"
    text = file.read_text(encoding="utf-8").replace(
        "[rules]", '[rules]  # mine\nforms = ["regex:^I say (?P<name>.+)$"]'
    )
    file.write_text(text, encoding="utf-8")
    hand.go("/games/tin-valley/rules")
    hand.press("Save the rules")
    assert "Nothing was changed" in hand.text
    assert file.read_text(encoding="utf-8") == text


def test_players_page_leads_to_the_rules(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    with board("Tin Valley", GAME) as address:
        up_to_preview(hand, "votes", {**ABOUT, "Game thread": address})
        hand.press("Create it")
        hand.go("/games/tin-valley/votes")
        hand.press("Read the thread")
        hand.go("/games/tin-valley/players")
        hand.press("Say after how much silence one is due")
    assert hand.path == "/games/tin-valley/rules"


@pytest.mark.parametrize("kind", ["kings_court", "knight_fight", "knights_duty"])
def test_a_game_without_votes_asks_for_no_rules(tmp_path: Path, kind: str) -> None:
    hand = form_hand(served(tmp_path))
    hand.go(f"/host/{kind}/players")
    assert "Rules that you set" not in hand.text


def test_a_game_asks_only_for_the_rules_that_it_leaves_open(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/empowered/players")
    assert "What happens in a tie" not in hand.text
    assert "After how much silence" in hand.text


# ── the end of it ────────────────────────────────────────────────────────────────────────────────


def test_no_word_of_a_file_stands_on_the_pages(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    for kind in (*game_ids(), "votes"):
        for step in ("", "/about", "/setup", "/players"):
            hand.go(f"/host/{kind}{step}")
            shown = " ".join(word for word in hand.text.split() if "/" not in word)
            assert "_" not in shown, f"{kind}{step}"


def test_a_restart_before_the_last_click_loses_nothing(tmp_path: Path) -> None:
    page = served(tmp_path)
    hand = form_hand(page)
    up_to_preview(hand, "votes", ABOUT, players={"Players, one on a line": "Ada\nBoro\nElm"})
    # The name under which the first one kept it is not known to this one.
    hand = FormHand(form_hand(served(tmp_path)).client, status=hand.status, body=hand.body, at=hand.at)
    hand.press("Create it")
    assert "Nothing is written yet" in hand.text
    assert "3: Ada, Boro, Elm" in hand.text
    hand.press("Create it")
    assert hand.path.startswith("/games/tin-valley")


def test_a_game_whose_thread_was_left_empty_asks_for_it_first(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    players = {"Players, one on a line": "\n".join(NAMES[:7])}
    up_to_preview(hand, "custom_mafia", ABOUT, {"Its roles": "2 Goons\nrest VT"}, players)
    hand.press("Create it and deal to 7 players")
    hand.go("/games/tin-valley")
    assert "Name the game thread" in hand.text
    hand.press("Name the game thread")
    # The first post can be had before there is a thread to name.
    assert "There is no thread yet? Copy the opening post" in hand.text
    hand.press("Name it", {"Address of the thread": "https://forum.example/viewtopic.php?t=5"})
    hand.go("/games/tin-valley")
    assert "Name the game thread" not in hand.text
    assert "Post the opening post" in hand.text
    assert "Votecount" in hand.text
