"""Private eyes: what the page shows while they are on is what everybody may know, on every page alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from html import unescape
from pathlib import Path

import pytest

from fetch.loopback import StillClock
from knightfall.engine.entries import Submitted
from knightfall.services import pms
from knightfall.services.keep.archive import write_archive
from knightfall.services.now import now_of
from knightfall.services.posts.write import KINDS, draft_post
from knightfall.services.questions import QUESTIONS
from knightfall.services.requests import PostRequest
from knightfall.services.session import journal_of
from knightfall.web import app
from long_runs import first
from web.hands import FormHand, form_hand, origin_of
from web.served import served
from web.twins import NAMES, TWINS, masked, public_texts, still

HIDDEN = "hidden by private eyes"
PATHS = (
    "", "row", "phases", "rules", "votes", "votes/decide?post=1", "votes/posts", "votes/posts?kind=unread",
    "close", "close/0", "close/differ/0", "night", "night?edit=remove+Ada:+heal",
    "pms", "pms/role", "pms/result", "pms/result?batch=result-1", "pms/result?to=Ada",
    "rooms", "players", "players/slot?who=Ada", "players/slot?who=Hollis", "thread/game",
    "nicknames", "posts", *(f"posts/{kind}" for kind in KINDS),
    "log", "log?q=vote", "log/1/undo", "log/3/undo", "log/999/undo", "end", "signups", "deal", "deal/read",
    "deal/check.html",
    "board", "board?viewer=Ada", "board/1.svg", "board/1.svg?viewer=Ada",
    "board/play?player=Ada", "board/play.svg?player=Ada", "draws", "messages", "messages/0", "file",
    "archive/private", "archive/private/index.html", "archive/private/nights.html",
    "hand-over", "hand-over?since=1",
    "archive/private/sheets.html", "archive/public/index.html", "archive/public", "texts/public/opening-1",
    "ask", *(f"ask/{name}" for name in QUESTIONS), "ask/evidence?post=1",
)  # fmt: skip
"""Every address of a game that can be opened, but those of its texts and the stream of what changes."""


@dataclass(frozen=True)
class Twins:
    """Two games that everybody sees the same, the hands that look at them with private eyes on, and what they
    saw: path (None: the start page) → the address at which they ended, and the page."""

    folders: tuple[Path, Path]
    hands: tuple[FormHand, FormHand]
    seen: tuple[dict[str | None, tuple[str, str]], dict[str | None, tuple[str, str]]]


@pytest.fixture(
    scope="module",
    params=first(
        1, ("knight_errant", "kings_court", *sorted(TWINS.keys() - {"knight_errant", "kings_court"}))
    ),
)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Twins:
    desk = tmp_path_factory.mktemp("twins")
    folders = (desk / "0" / "harbour", desk / "1" / "harbour")
    hands = []
    for number, folder in enumerate(folders):
        TWINS[request.param](folder, number)
        write_archive(still(folder))
        write_archive(still(folder), public=True)
        hand = form_hand(served(folder.parent, clock=StillClock()))
        hand.press("Private eyes: off")
        hands.append(hand)
    assert public_texts(folders[0]) == public_texts(folders[1])
    with pytest.MonkeyPatch.context() as patch:
        # The order of PMs is drawn from the seed, of which the two have different ones; it knows of no card.
        patch.setattr(pms, "shuffled", lambda found, _: tuple(sorted(found, key=lambda pm: pm.slot)))
        mine, theirs = (
            {path: (shown(hand, path), hand.path)[::-1] for path in (None, *PATHS)} for hand in hands
        )
    return Twins(folders, (hands[0], hands[1]), (mine, theirs))


def private_files(folder: Path) -> list[str]:
    """The texts that are for one reader."""
    return sorted(file.name for file in (folder / "private").glob("*-*.txt"))


def shown(hand: FormHand, path: str | None) -> str:
    """A page of the game as it is sent, whatever its status is; None: the start page."""
    hand.go("/" if path is None else f"/games/harbour/{path}".rstrip("/"))
    assert "This is a bug" not in hand.body, path
    return hand.body


@pytest.mark.long
def test_two_games_that_everybody_sees_the_same_look_the_same(twins: Twins) -> None:
    told = []
    for path in (None, *PATHS):
        sides = []
        for folder, seen in zip(twins.folders, twins.seen, strict=True):
            address, body = seen[path]  # to what address it led counts, too
            sides.append([address, *masked(body).replace(str(folder.parent), "DESK").splitlines()])
        told += [f"{path}: {line}" for line in unified_diff(sides[0], sides[1], lineterm="", n=0)]
    assert not told, "\n".join(told)


def secrets_of(folder: Path) -> Iterator[str]:
    """What stands in no text for everybody: orders, files for one reader, lines that one reader was told."""
    drafts = (draft_post(PostRequest(kind, stored=True), still(folder)).text for kind in ("setup", "rules"))
    public = "\n".join((*public_texts(folder), *drafts))
    for file in (folder / "private").glob("*-*.txt"):
        yield file.name
        yield file.stem
        for line in file.read_text(encoding="utf-8").splitlines():
            if len(line) > 30 and line not in public:
                yield line
    table = now_of(still(folder)).running
    for record in journal_of(still(folder)):
        if isinstance(record.entry, Submitted) and record.entry.slot is not None:
            yield from (line for line in record.entry.text.splitlines() if line not in public)
    yield from (f"{slot}: {role}" for slot, role in table.game.roles(table.state).items())


def test_no_page_holds_an_order_a_private_text_or_the_name_of_its_file(twins: Twins) -> None:
    for folder, seen in zip(twins.folders, twins.seen, strict=True):
        secrets = set(secrets_of(folder))
        assert len(secrets) > 3
        for path, (_, body) in seen.items():
            found = [one for one in secrets if one in unescape(body)]
            assert not found, f"{path}: {found}"


def test_a_private_text_is_neither_shown_nor_said_to_be_there(twins: Twins) -> None:
    hand = twins.hands[0]
    none = "there-is-no-such-file.txt"
    nowhere = shown(hand, f"texts/private/{none}")
    for file in private_files(twins.folders[0])[-3:]:
        there = shown(hand, f"texts/private/{file}")
        assert HIDDEN in hand.text
        # Forms say on which page they stand: that is the address that was asked for, whether it is
        # there or not.
        came = 'name="came" value="/games/harbour/texts/private/{}"'
        assert there.replace(came.format(file), came.format(none)) == nowhere


def test_results_tell_neither_whose_they_are_nor_how_many(twins: Twins) -> None:
    for hand in twins.hands:
        for path in ("pms/result", "pms/result?batch=result-1"):
            shown(hand, path)
            main = hand.tree.get_element_by_id("main").text_content()
            assert HIDDEN in main
            assert not [name for name in NAMES if name in main]
            assert not re.search(r"\d", main)


def test_the_answers_for_programs_are_not_shown_to_a_browser(twins: Twins) -> None:
    for address in ("status", "missing", "submissions", "messages", "log", "preview", "passport"):
        mine, theirs = (hand.client.get(f"/api/v1/games/harbour/{address}") for hand in twins.hands)
        assert mine.status_code == 400
        assert HIDDEN in mine.json()["error"]
        assert mine.text == theirs.text


def test_every_address_of_a_game_is_walked() -> None:
    routers = [module.router for module in vars(app).values() if hasattr(module, "router")]
    walked = {f"/games/harbour/{path.partition('?')[0]}".rstrip("/") for path in PATHS}
    walked |= {"/games/harbour/texts/private/x.txt", "/games/harbour/votes/live"}
    for route in (route for router in routers for route in router.routes):
        path = getattr(route, "path", "")
        if "GET" in (getattr(route, "methods", None) or ()) and path.startswith("/games/{name}"):
            assert any(route.path_regex.match(one) for one in walked), path


SWITCHED_PAGES = ("", "votes", "night", "pms/role", "players", "posts", "posts/rules", "log", "end", "file")


def test_the_switch_has_one_state_on_all_pages_and_says_what_it_does(tmp_path: Path) -> None:
    TWINS["kings_court"](tmp_path / "harbour", 0)
    hand = form_hand(served(tmp_path))

    def states() -> set[str]:
        found = set()
        for path in SWITCHED_PAGES:
            shown(hand, path)
            found |= set(re.findall(r"Private eyes: \w+", hand.text))
        return found

    assert states() == {"Private eyes: off"}
    shown(hand, "players")
    hand.press("Private eyes: off")
    assert "Private eyes are on, on every page: roles, orders, who gets a PM" in hand.text
    assert hand.path.startswith("/games/harbour/players")
    assert states() == {"Private eyes: on"}
    hand.press("Private eyes: on")
    assert "Private eyes are off, on every page: secrets are shown" in hand.text
    assert states() == {"Private eyes: off"}


def test_what_is_done_is_told_without_its_secrets(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    TWINS["kings_court"](folder, 0)
    table = now_of(still(folder)).running
    king = next(slot for slot, role in table.game.roles(table.state).items() if role == "King")
    hand = form_hand(served(tmp_path, clock=StillClock()))
    hand.press("Private eyes: off")

    def notice() -> str:
        [found] = hand.tree.find_class("notice")
        return " ".join(found.text_content().split())

    for path, fields, told in (
        ("night/remind", {}, "The reminders are written."),
        ("night/rest", {"kind": "tie"}, "Noted for all the others."),
        ("pms/result/mark", {"batch": "result-e12", "to": king, "state": "sent"}, "Sent: noted."),
        ("log/3/undo", {"why": "a slip"}, "Entry 3 is taken back."),
    ):
        shown(hand, "log")
        form = {
            one.get("name"): one.get("value")
            for one in hand.tree.xpath("//form[contains(@action, 'rule')]//input")
        }
        known = {name: form[name] for name in ("form_token", "known")}
        hand.took(
            hand.client.post(
                f"/games/harbour/{path}", data=known | fields, headers={"Origin": origin_of(hand.root)}
            )
        )
        assert told in notice(), (path, hand.text)
        assert not re.search(rf"{king}|private/|\d+-\d+-|\d reminder", notice()), notice()


def test_a_message_is_tried_and_taken_in_while_it_stands_on_no_page(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    TWINS["kings_court"](folder, 0)
    hand = form_hand(served(tmp_path, clock=StillClock()))
    hand.press("Private eyes: off")
    shown(hand, "night")
    hand.press("What would it do?", {"From": "Ada", "The whole post or PM": "the quiet one"})
    assert "the quiet one" not in hand.body
    hand.press("Record it")
    assert "The message of Ada is recorded, but refused." in hand.text
    assert "the quiet one" not in hand.body
    [*_, last] = journal_of(still(folder))
    assert isinstance(last.entry, Submitted)
    assert (last.entry.slot, last.entry.text) == ("Ada", "the quiet one")


def test_an_error_that_tells_a_secret_is_hidden_and_any_other_one_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    TWINS["kings_court"](folder, 0)
    hand = form_hand(served(tmp_path))
    shown(hand, "pms/result?batch=result-99")
    assert "result-e12" in hand.text
    hand.press("Private eyes: off")
    shown(hand, "board/play?player=Ada")
    assert "Switch them off to see it." in hand.text
    (folder / "game.toml").write_text('[[player]]\nname = "Ada"\nrole = ["King"', encoding="utf-8")
    shown(hand, "night")
    assert HIDDEN in hand.text
    assert "line 3" not in hand.text
