"""What services and errors say is said on the page in its own words, with links to where it is done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from begun import begin
from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli.verbs import VERBS
from knightfall.markup.dialects import dialect_names
from knightfall.sentence import Way
from knightfall.services.count.request import themes
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web.ways import ELSEWHERE
from knightfall.web.words import choice, layout, site
from web.hands import ORIGIN, FormHand, form_hand
from web.served import served
from web.test_pages import begun

COMMAND = re.compile(rf"\bknightfall (?:{'|'.join(VERBS)})\b|(?<![\w-])--[a-z]")
NOBODYS = re.compile(r"⟦(\w+)⟧")
"""A way that no face has spelled, as the tests let it show."""


@pytest.fixture
def unspelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way that no face spells shows as itself."""
    monkeypatch.setattr(Way, "__str__", lambda way: f"⟦{way.to}⟧")


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    """At the page of a game that was dealt."""
    begun("knight_errant", tmp_path / "dealt")
    return form_hand(served(tmp_path))


def links(hand: FormHand, within: str) -> dict[str, str]:
    """The links within an element: what they say → where they lead."""
    return {link.text_content(): link.get("href") for link in hand.tree.xpath(f"{within}//a")}


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("path", "label", "to"),
    [
        ("log/99/undo", "Log", "log"),
        ("posts/dawn", "Close the night", "night#close"),
        ("posts/endgame", "What is open", "night"),
        ("posts/archive", "The endgame post", "posts/endgame"),
    ],
)
def test_an_error_leads_to_where_its_way_out_is(hand: FormHand, path: str, label: str, to: str) -> None:
    hand.go(f"/games/dealt/{path}")
    assert f"“{label}”" in hand.text
    assert links(hand, "//p[@class='actions']")[label] == f"/games/dealt/{to}"


def test_a_line_that_is_told_leads_to_where_its_way_is(hand: FormHand, tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    file.write_text("Player,Order\nThe quiet one,no action\n", encoding="utf-8")
    hand.go("/games/dealt/messages")
    hand.press("Read the table", {"PMs that a vBulletin board exported": file})
    assert "no player is called “The quiet one”. If it is a player: Nickname of a player" in hand.text
    assert links(hand, "//main")["Nickname of a player"] == "/games/dealt/players"


def test_layouts_sites_and_answers_are_called_by_words_of_a_moderator() -> None:
    assert {site(one) for one in dialect_names()} & {*dialect_names()} == set()
    assert {layout(one) for one in themes()} & {*themes()} == set()
    assert (choice("no_result"), choice("72_24"), choice("atonement")) == (
        "no result",
        "72 and 24",
        "atonement",
    )


def test_a_count_and_a_log_hold_no_word_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    posts = [(101, "Wren", "Day 1 begins."), (102, "Ada", "<b>Vote: Boro</b>"), (103, "Boro", "Vote: Ada")]
    with serving(Forum(posts)) as server:
        begun("knight_errant", tmp_path / "dealt")
        hand = form_hand(served(tmp_path))
        hand.go("/")
        hand.press("Go on", {"Address of the thread": f"{server.root}viewtopic.php?t=5"})
    assert "not bold" in hand.text
    assert "not_bold" not in hand.text
    for name in ("Invision Community", "BoardGameGeek", "phpBB", "a mark for each vote"):
        assert name in hand.text
    hand.go("/games/dealt/log")
    assert re.search(r"begins with 18 players .*, you\b", hand.text)


WRONG: tuple[tuple[str, dict[str, str]], ...] = (
    ("deal", {"setup": "no-such-setup"}),
    ("deal", {"own_setup": "nonsense = ["}),
    ("phases/deadline", {"kind": "day", "number": "1", "ends": "2020-01-01 20:00"}),
    ("phases/deadline", {"kind": "day", "number": "1", "ends": "2090-01-01 20:00"}),
    ("phases/deadline", {"kind": "day", "number": "1", "ends": "someday"}),
    ("phases/deadline", {"kind": "dinner", "number": "1", "ends": "48h"}),
    ("phases/deadline", {"kind": "day", "number": "1"}),
    ("phases/deadline", {"kind": "day", "number": "1", "ends": "+ long"}),
    ("phases/deadline", {"kind": "night", "number": "4", "ends": "+24h"}),
    ("phases/stop", {"kind": "day", "number": "1"}),
    ("phases/lock", {"kind": "day", "number": "1"}),
    ("close/look", {"pause": "2", "stored": "1"}),
    ("close/look", {"pause": "nothing"}),
    ("votes/fix", {"post": "9", "as": "to", "to": "Ada"}),
    ("votes/fix", {"post": "9"}),
    ("votes/fix", {"post": "9", "as": "learn"}),
    ("night/say", {"who": "Nobody", "text": "kill Ada"}),
    ("night/say", {"who": "Ada", "text": "no action", "sent": "2090-01-01 20:00"}),
    ("night/say", {"who": "moderator", "text": "dance"}),
    ("night/close", {"kind": "night"}),
    ("night/close", {"kind": "day"}),
    ("messages/threads", {}),
    ("draws", {"label": "kd.card:R1:Ada->Boro", "values": "Hit"}),
    ("log/99/undo", {"why": "a slip"}),
    ("log/1/undo", {"why": ""}),
    ("rule", {}),
    ("players/slot/replace?who=Ada", {}),
    ("players/slot/replace?who=Ada", {"new": "Rook", "at": "no number"}),
    ("players/slot/modkill?who=Ada", {}),
    ("players/slot/revive?who=Ada", {"why": "a slip"}),
    ("players/slot/kill?who=Nobody", {"why": "a slip"}),
    ("players/slot/vla?who=Ada", {"days": "soon"}),
    ("prods", {}),
    ("note", {}),
    ("signups/decide", {"post": "9", "word": "in"}),
    ("signups/read", {}),
    ("posts/endgame/posted", {}),
    ("posts/dawn/posted", {}),
    ("posts/archive/posted", {}),
    ("pms/result/mark", {"batch": "result-1", "state": "sent", "to": "Ada"}),
    ("pms/role/mark", {"batch": "role-1", "state": "burned", "to": "Ada"}),
    ("file", {"text": "nonsense = ["}),
)
LOOKS = (
    *("", "votes", "votes?at=soon", "close", "night", "night?edit=nonsense", "pms/role", "pms/result"),
    *("players", "nicknames", "signups", "board", "board/play?player=Ada", "draws", "messages", "end"),
    *("log/99/undo", "posts/endgame", "posts/dawn", "posts/results", "posts/end-of-day", "posts/note"),
    *("posts/archive", "posts/votecount", "posts/setup", "posts/nonsense", "posts/day-start"),
    *("players/slot?who=Nobody", "pms/nonsense"),
)  # fmt: skip


@pytest.mark.long
@pytest.mark.usefixtures("unspelled")
def test_whatever_goes_wrong_on_a_page_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(101, "Wren", "Day 1"), (102, "Ada", "<b>Vote: the quiet one</b>")])) as server:
        thread = f"{server.root}viewtopic.php?t=5"
        begun("knight_errant", tmp_path / "dealt")
        for name, people in (("counted", ("Ada", "Boro", "Elm")), ("empty", ())):
            request = NewGameRequest(
                "votes", people, tmp_path / name, b"", b"", "Salt Harbour", site="phpbb",
                moderators=("Wren",), threads=(("game", thread),),
            )  # fmt: skip
            begin(request, session_of(tmp_path / name))
        hand = form_hand(served(tmp_path))
        hand.go("/games/counted/votes")
        hand.press("Read the thread")
        token = hand.tree.xpath("//input[@name='form_token']")[0].get("value")
        told, refused = [], 0
        for game in ("dealt", "counted", "empty"):
            for path in LOOKS:
                hand.go(f"/games/{game}/{path}".rstrip("/"))
                told += [(game, path, found) for found in foreign(hand.text)]
            for path, form in WRONG:
                answer = hand.client.post(
                    f"/games/{game}/{path}",
                    data={"form_token": token, **form},
                    headers={"Origin": ORIGIN},
                )
                refused += answer.status_code >= 400
                words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", answer.text, flags=re.DOTALL)
                told += [(game, path, found) for found in foreign(words)]
        assert told == []
        assert refused > 80


def foreign(text: str) -> list[str]:
    """What of a page is a command, a flag, or a way that the page could have spelled."""
    ways = (found[1] for found in NOBODYS.finditer(text))
    return [found[0] for found in COMMAND.finditer(text)] + [way for way in ways if way not in ELSEWHERE]
