"""Every page of every game opens, and says what its service says."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import Reply, StillClock, serving
from fetch.threads import Forum, thread
from knightfall.fetch import clock as system_clock
from knightfall.games import game_ids
from knightfall.games import loaded as game_loaded
from knightfall.services.game.players import replace_player
from knightfall.services.game.status import GameStatus, status
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest, PostOptions
from knightfall.services.session import Session
from knightfall.services.window import turns
from web.hands import ORIGIN as SERVER
from web.hands import Fields, FormHand, form_hand
from web.hosting import up_to_preview
from web.served import served

ROOT = Path(__file__).parents[2]
PAGES = (
    "", "phases", "votes", "close", "night", "pms", "pms/role", "pms/result", "rooms", "players", "posts",
    "log", "end", "signups", "deal", "board", "log/1/undo", "posts/rules", "posts/opening",
    "night?edit=nonsense",
)  # fmt: skip
NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juniper", "Kestrel", "Lumen", "Moth", "Nettle", "Onyx", "Pike", "Quill", "Rook"),
)


def begun(kind: str, folder: Path, options: dict[str, object] | None = None) -> None:
    """A game of that kind, dealt to as many players as it takes."""
    fits = game_loaded(kind).spec.players
    players = tuple(NAMES[: max(fits[0], min(fits[-1], 9))])
    if kind == "custom_mafia":
        options = {"setup": "fixed"} if options is None else options
    request = NewGameRequest(kind, players, folder, b"s" * 32, b"t" * 32, "Salt Harbour")
    begin(request, session_of(folder))


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", game_ids())
def test_every_page_of_a_begun_game_opens(tmp_path: Path, kind: str) -> None:
    begun(kind, tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    for path in PAGES:
        hand.go(f"/games/harbour/{path}".rstrip("/"))
        assert hand.status in (200, 400, 409), f"{path}: {hand.text}"
        assert "This is a bug" not in hand.text, path
    hand.go("/games/harbour")
    assert "Salt Harbour" in hand.text


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [*game_ids(), "votes"])
def test_every_game_can_be_hosted_up_to_its_preview(tmp_path: Path, kind: str) -> None:
    hand = form_hand(served(tmp_path))
    up_to_preview(hand, kind, {"Title of the game": "Tin Valley", "Your username": "Wren"})
    assert "Nothing is written yet" in hand.text
    assert not (tmp_path / "tin-valley").exists()
    hand.press("Create it")
    assert hand.path.startswith("/games/tin-valley")
    assert (tmp_path / "tin-valley" / "game.toml").exists()


def test_first_posts_are_shown_before_anything_is_written_and_are_those_that_are_written(
    tmp_path: Path,
) -> None:
    hand = form_hand(served(tmp_path))
    players = {"Players, one on a line": "\n".join(NAMES[:11])}
    up_to_preview(hand, "kings_court", {"Title of the game": "Tin Court"}, players=players)
    shown = " ".join(hand.tree.xpath("//*[contains(@class, 'looks')]")[0].text_content().split())
    hand.press("Create it and deal to 11 players")
    [post] = (tmp_path / "tin-court" / "public").glob("001-*.txt")
    for words in ("One of you is the King, five are Dukes", ", ".join(NAMES[:11])):
        assert words in shown
        assert words in post.read_text(encoding="utf-8")


def test_an_address_is_counted_with_nothing_else_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    posts = thread(4)
    posts[1] = (posts[1][0], posts[1][1], "<b>Vote: Elm</b>")
    with serving(Forum(posts)) as server:
        hand = form_hand(served(tmp_path))
        hand.press("Go on", {"Address of the thread": f"{server.root}viewtopic.php?t=5"})
        assert "Elm" in hand.text
        assert hand.value("The text").startswith("[")
        hand.press("Show", {"Written for": "plain", "Layout": "compact"})
        assert "[b]" not in hand.value("The text")


def test_saved_pages_are_counted(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    pages = [
        ("files", (file.name, file.read_bytes())) for file in sorted((ROOT / "fixtures/demo").glob("*.html"))
    ]
    token = hand.tree.xpath("//input[@name='form_token']")[0].get("value")
    headers = {"Origin": SERVER}
    answer = hand.client.post("/count/paste", data={"form_token": token}, files=pages, headers=headers)
    assert answer.status_code == 200
    assert "Votecount" in answer.text
    assert "Not counted" in answer.text


def test_a_file_that_was_given_is_called_as_its_owner_calls_it(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    recipe = tmp_path / "my recipe.html"
    recipe.write_text("<html><body>Soup</body></html>", encoding="utf-8")
    hand.press("Go on", {"Or files": recipe})
    assert "my recipe.html" in hand.refusal
    assert "/tmp" not in hand.refusal


KETTLE = ROOT / "fixtures/demo/kettle"


def kettle(desk: Path, setup: Fields | None = None, players: Fields | None = None) -> FormHand:
    """A game of custom mafia whose forum lets no program in."""
    hand = form_hand(served(desk))
    about = {
        "Title of the game": "Kettle Lane",
        "Your username": "Wren",
        "Sign-up thread": "https://forum.example/viewtopic.php?t=4700",
        "Game thread": "https://forum.example/viewtopic.php?t=4711",
    }
    up_to_preview(hand, "custom_mafia", about, setup, players)
    return hand


def test_a_game_is_run_from_saved_pages(tmp_path: Path) -> None:
    hand = kettle(tmp_path)
    hand.press("Create it")
    hand.go("/games/kettle-lane/signups")
    hand.press("Read these pages", {"Saved pages": KETTLE / "day-1.html"})
    assert "These pages are of the thread https://forum.example/viewtopic.php?t=4711" in hand.text
    hand.go("/games/kettle-lane/signups")
    hand.press("Read these pages", {"Saved pages": KETTLE / "signups.html"})
    assert "1 page read, up to post 9." in hand.text
    hand.press("In", within="#7 Elder")
    hand.press("Take them into the game")
    hand.go("/games/kettle-lane/deal")
    hand.press("Deal and begin")
    assert "No setup was named, so this one is used: vanilla." in hand.text
    hand.go("/games/kettle-lane")
    due = [" ".join(one.text_content().split()) for one in hand.tree.xpath("//ol[@class='inbox']/li/p[1]/a")]
    assert due[:2] == ["Set the deadline of day 1", "Send the role PMs"]
    assert due[2:5] == ["Post the setup post", "Post the rules post", "Post the opening post"]
    hand.go("/games/kettle-lane/votes")
    hand.press("Read these pages", {"Saved pages": KETTLE / "day-1.html"})
    assert "1 page read, up to post 11." in hand.text
    assert "Clover 3/4" in hand.text
    hand.press("Read these pages", {"Saved pages": KETTLE / "day-2.html"})
    assert "up to post 18" in hand.text


def test_what_is_missing_of_saved_pages_is_told_where_more_can_be_given(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    about = {"Title of the game": "Quay", "Game thread": "https://forum.example/viewtopic.php?t=90010"}
    up_to_preview(hand, "votes", about, players={"Players, one on a line": "\n".join(NAMES[:6])})
    hand.press("Create it")
    hand.go("/games/quay/votes")
    first, *rest = sorted((ROOT / "fixtures/demo").glob("thread-p*.html"))
    hand.press("Read these pages", {"Saved pages": first})
    assert hand.status == 422
    assert "This is not the whole thread." in hand.text
    for page in rest:
        hand.press("Read these pages", {"Saved pages": page})
    assert hand.status == 200
    assert "This is not the whole thread." not in hand.text


ROLES = "2x Mafia Goon\n- Town Cop\n\nTown Doctor\n"


def test_a_setup_of_ones_own_is_a_list_of_roles(tmp_path: Path) -> None:
    hand = kettle(tmp_path, {"Its roles": ROLES}, {"Players, one on a line": "\n".join(NAMES[:7])})
    assert "No setup is named" not in hand.text
    for card in ("2 × Mafia Goon", "Town Cop", "Town Doctor", "Everyone else: Vanilla Townie"):
        assert card in hand.text
    hand.press("Create it and deal to 7 players")
    cards = json.loads((tmp_path / "kettle-lane/private/deal.json").read_text(encoding="utf-8"))["cards"]
    assert sorted(cards.values()) == sorted(
        ["Mafia Goon"] * 2 + ["Town Cop", "Town Doctor"] + ["Vanilla Townie"] * 3
    )


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        ("3 Mafia Gon", "the nearest is Goon"),
        ("nonsense = [", "Write a role on each line, such as “2 Mafia Goon”"),
        ("Town Cop", "There is neither mafia nor a Serial Killer"),
    ],
)
def test_what_is_no_list_of_roles_is_told_before_anything_is_made(
    tmp_path: Path, roles: str, told: str
) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", {"Title of the game": "Kettle Lane"})
    hand.press("Go on", {"Its roles": roles})
    assert hand.status == 400
    assert told in hand.refusal
    assert "/tmp" not in hand.refusal
    assert not (tmp_path / "kettle-lane").exists()


def test_a_list_of_roles_is_dealt_to_who_signed_up(tmp_path: Path) -> None:
    hand = kettle(tmp_path)
    hand.press("Create it")
    hand.go("/games/kettle-lane/signups")
    hand.press("Read these pages", {"Saved pages": KETTLE / "signups.html"})
    hand.press("Out", within="#7 Elder")
    hand.press("Take them into the game")
    hand.go("/games/kettle-lane/deal")
    assert "Without one it is vanilla: nobody has a power." in hand.text
    hand.press("Deal and begin", {"Its roles": "Mafia Goon\n4 Vanilla Townie"})
    assert "No setup was named" not in hand.text
    cards = json.loads((tmp_path / "kettle-lane/private/deal.json").read_text(encoding="utf-8"))["cards"]
    assert sorted(cards.values()) == ["Mafia Goon", *["Vanilla Townie"] * 4]


def test_who_took_over_a_slot_is_called_so_on_every_page(tmp_path: Path) -> None:
    folder = tmp_path / "lane"
    cards = [{"role": "Mafia Goon"}, {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True}]
    request = NewGameRequest(
        "custom_mafia", NAMES[:5], folder, b"s" * 32, b"t" * 32, "Lane", options={"setup": {"slots": cards}}
    )
    begin(request, session_of(folder))
    roles = {name: slot for slot, name in json.loads(cards_of(folder)).items()}
    goon, cop = roles["Mafia Goon"], roles["Town Cop"]
    first = next(name for name in NAMES if name not in (goon, cop))
    for old, new in ((first, "Zephyr"), (cop, "Quince")):
        replace_player(old, new, None, "", PostOptions(), session_of(folder))
    turns.submit("moderator", "no elimination", None, session_of(folder))
    turns.close("day", None, session_of(folder))
    turns.submit("Quince", "cop Zephyr", None, session_of(folder))
    hand = form_hand(served(tmp_path))
    hand.go("/games/lane/night")
    assert "Understood: cop Zephyr" in hand.text
    assert "mafia kill Zephyr" in hand.text
    lines = [*hand.tree.xpath("//option/text()"), *hand.tree.xpath("//strong/text()")]
    assert [line for line in lines if first in line.split() and "(was" not in line] == [f"{first} (has left)"]
    turns.submit(goon, "no action", None, session_of(folder))
    turns.close("night", None, session_of(folder))
    turns.submit("moderator", f"eliminate {goon}", None, session_of(folder))
    turns.close("day", None, session_of(folder))
    hand.go("/games/lane/end")
    assert "Town won: " in hand.text
    assert f"Zephyr (was {first})" in hand.text
    assert f"Quince (was {cop})" in hand.text


def cards_of(folder: Path) -> str:
    """Who was dealt which card, as JSON."""
    return json.dumps(json.loads((folder / "private/deal.json").read_text(encoding="utf-8"))["cards"])


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", "Give the address of a thread"),
        ("no address", "no address"),
        ("http://127.0.0.1:9/viewtopic.php?t=5", "The forum did not give the page"),
    ],
)
def test_what_cannot_be_counted_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, told: str
) -> None:
    monkeypatch.setattr(system_clock, "SystemClock", StillClock)
    hand = form_hand(served(tmp_path))
    hand.press("Go on", {"Address of the thread": address})
    for _ in range(100):
        if "Waiting for the first page" not in hand.text:
            break
        time.sleep(0.1)
        hand.go(hand.path)
    assert told in hand.refusal
    assert hand.value("Address of the thread") == address


def test_a_long_read_is_shown_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    going_on = threading.Event()
    forum = Forum(thread(30))

    def slow(path: str) -> Reply:
        if "start=6" in path:
            going_on.wait(20)
        return forum(path)

    with serving(slow) as server:
        hand: FormHand = form_hand(served(tmp_path))
        client = hand.client
        token = hand.tree.xpath("//input[@name='form_token']")[0].get("value")
        data = {"form_token": token, "given": f"{server.root}viewtopic.php?t=5"}
        answer = client.post("/count/paste", data=data, headers={"Origin": SERVER})
        assert "Page 2 of 10" in answer.text
        job = str(answer.url).removeprefix(hand.root)
        stop = threading.Thread(
            target=client.post,
            args=(f"{job}/stop",),
            kwargs={"data": {"form_token": token}, "headers": {"Origin": SERVER}},
        )
        stop.start()
        time.sleep(0.2)
        going_on.set()
        stop.join()
        hand.go(job)
        assert "Stopped" in hand.text
        hand.go("/")
        hand.press("Go on", {"Address of the thread": data["given"]})
        assert "Posts 1–30" in hand.text


def test_a_page_that_was_overtaken_closes_nothing(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    page = served(tmp_path)
    hand = form_hand(page)
    hand.go("/games/harbour/night")
    stale = FormHand(hand.client)
    stale.go("/games/harbour/night")
    hand.press("Close Round 1", {"I have seen this": True})
    stale.press("Close Round 1", {"I have seen this": True})
    hand.go("/games/harbour/log?q=closed")
    assert hand.text.count("round 1 closed") == 1, hand.text


def test_what_was_done_can_be_undone_where_it_is_told(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/log")
    hand.press("Record it", {"Question": "May one whisper?", "Your answer": "No", "Reason": "house rule"})
    assert "Your ruling is recorded" in hand.text
    hand.press("Undo entry 2")
    hand.press("Undo entry 2", {"Reason": "a slip"})
    assert "Entry 2 is taken back" in hand.text


def test_a_decision_that_is_sent_twice_is_kept_once_and_says_so(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    for _ in range(2):
        hand.go("/games/harbour/log")
        hand.press("Record it", {"Question": "May one whisper?", "Your answer": "No", "Reason": "house rule"})
    assert "That is entry 2 already: ruling: May one whisper? No (house rule)." in hand.text
    assert "2 entries" in hand.text


def version_of(hand: FormHand) -> str:
    """The version of the votecount that is shown."""
    return str(hand.tree.get_element_by_id("live").get("data-version"))


def test_looking_at_the_votecount_changes_nothing_and_a_read_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    forum = Forum([(101, "Wren", "Day 1"), (102, "Ada", "<b>Vote: Boro</b>")])
    with serving(forum) as server:
        hand = form_hand(served(tmp_path))
        about = {
            "Title of the game": "Tin Valley",
            "Your username": "Wren",
            "Game thread": f"{server.root}viewtopic.php?t=5",
        }
        up_to_preview(hand, "votes", about, players={"Players, one on a line": "Ada\nBoro\nElm\nFen"})
        hand.press("Create it")
        hand.go("/games/tin-valley/votes")
        hand.press("Read the thread")
        before = version_of(hand)
        for path in ("votes", "players", "log", "votes"):
            hand.go(f"/games/tin-valley/{path}")
        assert version_of(hand) == before
        forum.posts.append((103, "Elm", "<b>Vote: Boro</b>"))
        hand.go("/games/tin-valley/votes")
        hand.press("Watch the thread")
        for _ in range(100):
            hand.go("/games/tin-valley/votes")
            if "Elm" in hand.tree.xpath("//table")[0].text_content():
                break
            time.sleep(0.05)
        assert "2/3" in hand.text
        hand.press("Stop watching the thread")
        assert "not watched any more" in hand.text
        assert version_of(hand) != before


def test_private_eyes_see_no_hidden_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(101, "Wren", "Day 1"), (102, "Ada", "<b>Vote: Boro</b>")])) as server:
        request = NewGameRequest(
            "votes", NAMES[:5], tmp_path / "harbour", b"", b"", "Salt Harbour", site="phpbb",
            moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "harbour"))
        file = tmp_path / "harbour" / "game.toml"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('name = "Ada"', 'name = "Ada"\nweight = 2'), encoding="utf-8")
        hand = form_hand(served(tmp_path))
        hand.go("/games/harbour/votes")
        hand.press("Private eyes: off")
        hand.go("/games/harbour/votes")
        hand.press("Read the thread")
        assert "1/3" in hand.text
        assert "2/3" not in hand.text
        hand.press("Private eyes: on")
        hand.go("/games/harbour/votes")
        assert "2/3" in hand.text
        assert "(2)" not in hand.value("The text")


def test_two_counts_that_differ_keep_a_day_open_until_the_moderator_says_which_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    votes = [(102 + number, voter, "<b>Vote: Boro</b>") for number, voter in enumerate(("Ada", "Elm", "Fen"))]
    own = "<b>Votecount 1</b><br>Fen (3): Ada, Elm, Boro<br>Not voting (1): Fen"
    forum = Forum([(101, "Wren", "<b>Day 1 begins.</b>"), *votes, (110, "Wren", own)])
    with serving(forum) as server:
        request = NewGameRequest(
            "votes", ("Ada", "Boro", "Elm", "Fen"), tmp_path / "harbour", b"", b"", "Salt Harbour",
            site="phpbb", moderators=("Wren",), threads=(("game", f"{server.root}viewtopic.php?t=5"),),
        )  # fmt: skip
        begin(request, session_of(tmp_path / "harbour"))
        hand = form_hand(served(tmp_path))
        hand.go("/games/harbour/votes")
        hand.press("Read the thread")
        hand.go("/games/harbour/close")
        hand.press("Read and count", {"the forum is not asked": True})
        assert "Two counts differ" in hand.text
        assert "Ada: Fen there, Boro here" in hand.text
        hand.press("Close by the posts", {"What is wrong with it": "I counted in my sleep"})
        assert "A second count, on another way" in hand.text
        hand.press("Close the day", {"Lock the thread": "Boro"})
        assert "Day 1 is closed: Boro is eliminated" in hand.text
        hand.go("/games/harbour/log?q=sleep")
        assert "I counted in my sleep" in hand.text


def test_what_a_thread_does_not_tell_is_answered_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "kept"))
    posts = [(101, "Wren", "The thread."), (102, "Wren", "Go on."), (103, "Ada", "<b>Vote: Boro</b>")]
    with serving(Forum(posts)) as server:
        hand = form_hand(served(tmp_path))
        address = {"Address of the thread": f"{server.root}viewtopic.php?t=5"}
        hand.press("Go on", address)
        fields = {"Post that opened it": "2", "Who was alive": "Ada\nBoro\nElm"}
        hand.press("Keep it", fields)
        assert "Day 1: opened by post 2; alive then: Ada, Boro, Elm" in hand.text
        assert "3 alive, 2 needed" in hand.text
        hand.go("/")
        hand.press("Go on", address)
        assert "alive then: Ada, Boro, Elm" in hand.text


def test_a_game_file_is_edited_and_a_mistake_leaves_it_as_it_was(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    file = tmp_path / "harbour" / "game.toml"
    before = file.read_text(encoding="utf-8")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour")
    hand.press("The game file")
    hand.press("Check and save it", {"game.toml": f"{before}\nnonsense = ["})
    assert "game.toml" in hand.text
    assert "nonsense" in hand.value("game.toml")
    assert file.read_text(encoding="utf-8") == before
    hand.press("Check and save it", {"game.toml": before.replace("Salt Harbour", "Tin Harbour")})
    assert "The game file is written" in hand.text
    assert "Tin Harbour" in hand.text
    # Another hand breaks it: the page says so, and leads to it.
    file.write_text("nonsense = [", encoding="utf-8")
    hand.go("/games/harbour")
    hand.press("The game file")
    assert hand.value("game.toml") == "nonsense = ["
    hand.press("Check and save it", {"game.toml": before})
    assert "The game file is written" in hand.text


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    file = tmp_path / "harbour" / "game.toml"
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/file")
    mine = hand.value("game.toml")
    theirs = file.read_text(encoding="utf-8").replace("Salt Harbour", "Tin Harbour")
    file.write_text(theirs, encoding="utf-8")
    hand.press("Check and save it", {"game.toml": mine.replace("Salt Harbour", "Copper Harbour")})
    assert "changed by somebody else" in hand.text
    assert file.read_text(encoding="utf-8") == theirs


def test_a_card_drawn_by_hand_is_kept(tmp_path: Path) -> None:
    request = NewGameRequest(
        "knights_duty", ("Ada", "Boro", "Cinder"), tmp_path / "harbour", b"s" * 32, b"t" * 32, "Salt Harbour"
    )
    begin(request, session_of(tmp_path / "harbour"))
    turns.submit("Ada", "WEAPON bow", None, session_of(tmp_path / "harbour"))
    turns.close("setup", None, session_of(tmp_path / "harbour"), why_early="all have chosen")
    turns.submit("Ada", "BOW @ Boro / BOW @ Boro", None, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/draws")
    assert "card, R1, Ada → Boro" in hand.text
    assert "1 of 1 Hit, 3 Miss" in hand.text
    hand.press("It was this for card, R1, Ada → Boro", {"card, R1, Ada → Boro": "Hit"})
    assert "Your draw is recorded" in hand.text
    hand.go("/games/harbour/draws")
    assert "card, R1, Ada → Boro" not in hand.text
    hand.press("Private eyes: off")
    hand.go("/games/harbour/draws")
    assert "kd.card" not in hand.body
    assert "card, R1" not in hand.body


def test_a_piece_is_moved_by_clicks_and_the_line_is_shown_before_it_is_played(tmp_path: Path) -> None:
    begun("knight_fight", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour/board")
    hand.press("Play for Ada", {"Choose for Ada": "SIDE: X"})
    hand.go("/games/harbour/board")
    first = next(name for name in ("Ada", "Boro") if f"Click on the board for {name}" in hand.text)
    hand.press(f"Click on the board for {first}")
    links = hand.tree.xpath("//svg//a")
    assert links
    assert hand.client.get("/games/harbour/board/play.svg", params={"player": first}).status_code == 200
    space = links[0].get("aria-label").partition(":")[0]
    hand.go(links[0].get("href"))
    assert f"So far: {space}" in hand.text
    hand.press("Play it")
    assert f"The message of {first} is recorded." in hand.text
    hand.go("/games/harbour/log")
    assert space in hand.text


@pytest.mark.long
def test_a_plan_of_knights_duty_is_clicked_round_by_round(tmp_path: Path) -> None:
    begun("knights_duty", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    for number, name in enumerate(NAMES[:6]):
        hand.go(f"/games/harbour/board/play?player={name}")
        hand.go(hand.tree.xpath("//svg//a")[number].get("href"))
        hand.press("Play it")
    hand.go("/games/harbour/night")
    hand.press("Close Choice of starts", {"I have seen this": True})
    hand.go("/games/harbour/board/play?player=Ada")
    hand.go(hand.tree.xpath("//svg//a[contains(@aria-label, 'MOVE')]")[0].get("href"))
    hand.press("SHIELD")
    hand.press("PASS")
    assert "SHIELD / PASS" in hand.text
    hand.press("Play it")
    assert "The message of Ada is recorded." in hand.text


def test_private_eyes_see_neither_who_may_act_nor_what_they_can_do(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "harbour")
    hand = form_hand(served(tmp_path))
    hand.go("/games/harbour")
    hand.press("Private eyes: off")
    for path in ("night", "board"):
        hand.go(f"/games/harbour/{path}")
        assert "VOTE: Ada" not in hand.body
    hand.go("/games/harbour/night")
    assert "Who may act: hidden by private eyes" in hand.text
    hand.go("/games/harbour/board/play?player=Ada")
    assert hand.status == 400
    # What was refused is an order, too: it is in the log for other eyes.
    hand.go("/games/harbour/night")
    hand.press("Record it", {"From": "Ada", "The whole post or PM": "VOTE: the quiet one"})
    assert "is recorded, but refused" in hand.text
    assert "the quiet one" not in hand.text
    hand.go("/games/harbour/messages")
    form = tmp_path / "form.csv"
    form.write_text("Player,Action\nBoro,VOTE: the loud one\n", encoding="utf-8")
    hand.press("Read the table", {"answers to a form": form})
    hand.press("Record what was read")
    assert "What was read is recorded" in hand.text
    assert "the loud one" not in hand.text


def test_an_answer_is_kept_until_something_is_written_or_time_goes_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def counted(session: Session) -> GameStatus:
        asked.append(session)
        return status(session)

    monkeypatch.setattr("knightfall.web.pages.status", counted)
    begun("kings_court", tmp_path / "harbour")
    page = served(tmp_path)
    hand = form_hand(page)
    monkeypatch.setattr("knightfall.web.pages.FRESH", 1e12)
    hand.go("/games/harbour")
    hand.go("/games/harbour")
    assert len(asked) == 1
    hand.go("/games/harbour/log")
    hand.press("Record it", {"Question": "May one whisper?", "Your answer": "No", "Reason": "house rule"})
    hand.go("/games/harbour")
    assert len(asked) == 2
    monkeypatch.setattr("knightfall.web.pages.FRESH", 1e-9)
    hand.go("/games/harbour")
    assert len(asked) == 3


def test_a_thread_that_was_never_read_is_told_without_a_word_of_commands(tmp_path: Path) -> None:
    threads = (
        ("game", "http://127.0.0.1:9/viewtopic.php?t=5"),
        ("signup", "http://127.0.0.1:9/viewtopic.php?t=4"),
    )
    request = NewGameRequest(
        "knight_errant", (), tmp_path / "harbour", b"", b"", "Salt Harbour", site="phpbb", threads=threads
    )
    begin(request, session_of(tmp_path / "harbour"))
    hand = form_hand(served(tmp_path))
    for path in ("signups", "players", "votes"):
        hand.go(f"/games/harbour/{path}")
        assert "has not been read yet" in hand.text, path
        assert "--" not in hand.text, path
