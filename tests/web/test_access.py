"""Nobody talks to the page but the browser that was opened, on this machine, from the page itself."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from begun import begin
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web.access import HEADERS
from knightfall.web.server import ServedPage
from web.hands import ROOT, form_hand
from web.served import served

SECRETS = ("Salt Harbour", "Ada", "Seer of the Pier")
PLAYERS = (
    *("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen"),
    *("Hollis", "Iris", "Juniper", "Kestrel", "Lumen"),
)


@pytest.fixture
def page(tmp_path: Path) -> ServedPage:
    folder = tmp_path / "salt-harbour"
    request = NewGameRequest("kings_court", PLAYERS, folder, b"s" * 32, b"t" * 32, "Salt Harbour")
    begin(request, session_of(folder))
    return served(tmp_path)


@pytest.fixture
def opened(page: ServedPage) -> TestClient:
    """A browser that was let in."""
    return form_hand(page).client


def token_of(client: TestClient) -> str:
    """The token of the forms of this run."""
    found = re.search(r'name="form_token" value="(\w+)"', client.get("/").text)
    assert found
    return found[1]


def refused(answer: object) -> bool:
    """403 with one sentence, and no byte of a game."""
    text = getattr(answer, "text", "")
    assert not [one for one in SECRETS if one in text]
    return getattr(answer, "status_code", 0) == 403 and text.startswith("Refused: ") and text.count("\n") == 1


ADDRESSES = (
    "/",
    "/games/salt-harbour",
    "/games/salt-harbour/log",
    "/games/salt-harbour/pms/role",
    "/games/salt-harbour/texts/private/001.txt",
    "/api/v1/games/salt-harbour/log",
    "/static/style.css",
    "/nowhere",
)


def test_without_the_cookie_nothing_is_told(page: ServedPage) -> None:
    for path in ADDRESSES:
        assert refused(TestClient(page.app, base_url=ROOT).get(path)), path


def test_a_foreign_host_is_refused(opened: TestClient) -> None:
    for host in ("evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "0.0.0.0:8765", ""):
        assert refused(opened.get("/games/salt-harbour", headers={"Host": host})), host


def test_localhost_is_our_host_too_but_its_cookie_is_its_own(opened: TestClient) -> None:
    assert opened.get("/games/salt-harbour", headers={"Host": "localhost:8765"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8765", None]
)
def test_a_change_from_another_page_is_refused(opened: TestClient, origin: str | None) -> None:
    data = {"form_token": token_of(opened), "question": "May one?", "answer": "No", "why": "so"}
    headers = {"Origin": origin} if origin else {}
    assert refused(opened.post("/games/salt-harbour/rule", data=data, headers=headers))
    assert "May one?" not in opened.get("/games/salt-harbour/log").text


@pytest.mark.parametrize("token", ["", "0" * 48, None])
def test_a_form_without_its_token_is_refused(opened: TestClient, token: str | None) -> None:
    data = {"question": "May one?", "answer": "No", "why": "so"} | (
        {} if token is None else {"form_token": token}
    )
    assert refused(opened.post("/games/salt-harbour/rule", data=data, headers={"Origin": ROOT}))
    assert "May one?" not in opened.get("/games/salt-harbour/log").text


def test_what_another_site_asks_for_is_refused(opened: TestClient) -> None:
    for site in ("cross-site", "same-site"):
        assert refused(opened.get("/games/salt-harbour/log", headers={"Sec-Fetch-Site": site})), site


def test_the_page_is_not_framed(opened: TestClient) -> None:
    for kind in ("iframe", "frame", "embed", "object"):
        assert refused(opened.get("/", headers={"Sec-Fetch-Dest": kind})), kind


def test_the_address_of_the_start_opens_once(page: ServedPage) -> None:
    first = TestClient(page.app, base_url=ROOT)
    answer = first.get(page.address, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    second = TestClient(page.app, base_url=ROOT)
    assert refused(second.get(page.address))
    assert refused(second.get("/"))
    assert first.get(page.address).status_code == 200


def test_a_wrong_address_of_the_start_opens_nothing_and_uses_nothing_up(page: ServedPage) -> None:
    client = TestClient(page.app, base_url=ROOT)
    assert refused(client.get("/open/" + "0" * 48))
    assert client.get(page.address).status_code == 200


def test_every_answer_carries_the_headers(page: ServedPage, opened: TestClient) -> None:
    paths = (*ADDRESSES, "/open/x", "/host", "/games/salt-harbour/board")
    for client, path in product((opened, TestClient(page.app, base_url=ROOT)), paths):
        headers = client.get(path).headers
        assert {name: headers.get(name) for name in HEADERS} == HEADERS


def test_no_page_holds_a_script_or_a_style_of_its_own(opened: TestClient) -> None:
    for path in ("/", "/host", "/games/salt-harbour", "/games/salt-harbour/night", "/games/salt-harbour/pms"):
        text = opened.get(path).text
        assert not re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", text)
        assert not [one for one in re.findall(r'(?:src|href)="([^"]*)"', text) if "//" in one]


def test_nothing_outside_the_two_folders_of_texts_is_shown(opened: TestClient) -> None:
    outside = ("../game.toml", "..%2fgame.toml", "%2e%2e/game.toml", "deal.json/../../game.toml", ".hidden")
    for path in outside:
        answer = opened.get(f"/games/salt-harbour/texts/private/{path}")
        assert answer.status_code == 404, path
        assert "schema" not in answer.text, path


def test_no_folder_that_is_no_game_is_opened(opened: TestClient) -> None:
    for name in ("..", "%2e%2e", ".", "salt-harbour%2f..", "tokens"):
        answer = opened.get(f"/games/{name}/log")
        assert answer.status_code in (404, 200), name
        assert "Log" not in answer.text or name == ".", name


def test_a_bot_reads_by_its_token_until_that_is_revoked(page: ServedPage, opened: TestClient) -> None:
    form = {"form_token": token_of(opened), "name": "counter"}
    shown = opened.post("/bots", data=form, headers={"Origin": ROOT}).text
    found = re.search(r"readonly[^>]*>(\w{48})<", shown)
    assert found
    bot = TestClient(page.app, base_url=ROOT, headers={"Authorization": f"Bearer {found[1]}"})
    assert bot.get("/api/v1/games/salt-harbour/status").json()["title"] == "Salt Harbour"
    assert refused(bot.get("/games/salt-harbour"))
    assert refused(bot.post("/api/v1/games/salt-harbour/status"))
    assert found[1] not in opened.get("/bots").text
    digest = re.search(r'name="digest" value="(\w+)"', opened.get("/bots").text)
    assert digest
    form = {"form_token": token_of(opened), "digest": digest[1]}
    opened.post("/bots/revoke", data=form, headers={"Origin": ROOT})
    assert refused(bot.get("/api/v1/games/salt-harbour/status"))


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def test_script_in_messages_notes_and_rulings_shows_as_text(page: ServedPage) -> None:
    hand = form_hand(page)
    hand.go("/games/salt-harbour/log")
    hand.press("Record it", {"Question": SCRIPT, "Your answer": SCRIPT, "Reason": SCRIPT})
    hand.go("/games/salt-harbour/night")
    hand.press("What would it do?", {"From": "Elm", "The whole post or PM": f"VOTE: Boro {SCRIPT}"})
    assert "<script>alert" not in hand.body
    assert SCRIPT in hand.text
    hand.press("Take it in")
    for path in ("night", "log", "players", "posts", "players/slot?who=Elm", ""):
        hand.go(f"/games/salt-harbour/{path}".rstrip("/"))
        assert "<script>alert" not in hand.body
        assert "<img src=x" not in hand.body
    hand.go("/games/salt-harbour/players")
    hand.press("Write the note", {"What it says": SCRIPT})
    assert "<script>alert" not in hand.body
    assert "<img" not in hand.body


def test_private_eyes_leave_no_secret_in_the_page(page: ServedPage) -> None:
    hand = form_hand(page)
    hand.go("/games/salt-harbour/pms/role")
    told = hand.value("Text")
    assert len(told) > 40
    hand.press("Private eyes: off")
    hand.go("/games/salt-harbour/pms/role")
    assert told[:40] not in hand.body
    assert "hidden by private eyes" in hand.text
    hand.go("/games/salt-harbour/players")
    assert "hidden by private eyes" in hand.text
