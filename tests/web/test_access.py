"""Nobody talks to the page but the browser that was opened, on this machine, from the page itself."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from begun import begin
from fetch.loopback import StillClock
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.web import access
from knightfall.web.access import FOREIGN_HOST, HEADERS
from knightfall.web.mounted import with_key
from knightfall.web.server import ServedPage
from knightfall.web.sessions import PAIRING, SHORT
from web.hands import KEY, ORIGIN, ROOT, form_hand
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


@pytest.fixture
def stranger(page: ServedPage) -> TestClient:
    """A browser that was not let in, though it knows every address."""
    return TestClient(page.app, base_url=ROOT)


ADDRESSES = (
    "/",
    "/games/salt-harbour",
    "/games/salt-harbour/log",
    "/games/salt-harbour/pms/role",
    "/games/salt-harbour/texts/private/001.txt",
    "/api/v1/games/salt-harbour/log",
    "/static/page.js",
    "/nowhere",
)


def test_without_the_cookie_nothing_is_told(stranger: TestClient) -> None:
    for path in ADDRESSES:
        assert refused(stranger.get(path)), path


def test_without_the_key_the_cookie_opens_nothing(opened: TestClient) -> None:
    wrong = ("", f"/{'0' * 32}", f"/{KEY[:-1]}", f"/{KEY}x", f"//{KEY}", f"/x/{KEY}", f"/{KEY.upper()}/..")
    token = token_of(opened)
    for prefix, path in product(wrong, ADDRESSES):
        answer = opened.get(f"{ORIGIN}{prefix}{path}", headers={"Accept": "text/html"})
        assert answer.status_code == 403, (prefix, path)
        told = f"{answer.text} {answer.headers}"
        assert not [one for one in (*SECRETS, KEY, token) if one in told], (prefix, path)
    sent = opened.post(f"{ORIGIN}/eyes", data={"form_token": token, "hide": "on"}, headers={"Origin": ORIGIN})
    assert refused(sent)
    assert opened.get("/games/salt-harbour/log").status_code == 200


def test_what_is_let_in_by_other_means_is_not_behind_the_key(opened: TestClient) -> None:
    """A helper shows its token, and an address that opens the page is used up: a cookie is neither."""
    for path in ("/helper/reply?site=x", "/helper/here?nonce=x", "/open/x", "/go/x"):
        assert refused(opened.get(path)), path
    assert refused(opened.post("/helper/pages", json={}, headers={"Origin": ORIGIN}))


def test_a_page_leads_on_by_addresses_with_the_key_alone(opened: TestClient) -> None:
    pages = ("/", "/host", "/help", "/bring", "/sessions", "/games/salt-harbour", "/games/salt-harbour/board")
    for path in pages:
        answer = opened.get(path)
        assert answer.status_code == 200, path
        assert int(answer.headers["content-length"]) == len(answer.content)
        found = re.findall(r'(?:href|src|action|formaction|hx-get|data-live)="(/[^"]*)"', answer.text)
        assert len(found) > 5
        assert not [one for one in found if not one.startswith(f"/{KEY}/")], path
        assert not re.search(rf"{KEY}(?!/)|(?<!/){KEY}", answer.text), path


def test_only_addresses_of_a_page_get_the_key() -> None:
    page = (
        b'<a href="/x"> href="/y" &lt;a href=&quot;/z&quot;&gt;</a><a title="x" href="//evil.example/">'
        b'<button formaction="/a?b=/c" hx-get="/d">/e</button><input value="/f" name="g"><p>/h</p>'
    )
    assert with_key("k", page) == (
        b'<a href="/k/x"> href="/y" &lt;a href=&quot;/z&quot;&gt;</a><a title="x" href="//evil.example/">'
        b'<button formaction="/k/a?b=/c" hx-get="/k/d">/e</button><input value="/f" name="g"><p>/h</p>'
    )


@pytest.mark.parametrize("path", ["/", "/games/salt-harbour/log", "/nowhere"])
def test_an_old_tab_gets_a_page_that_says_how_to_come_back(page: ServedPage, path: str) -> None:
    browser = TestClient(page.app, base_url=ROOT, headers={"Accept": "text/html,*/*"})
    answer = browser.get(path)
    assert answer.status_code == 403
    assert "<h1>This browser is not let in</h1>" in answer.text
    for words in ("Nothing was lost", "it opens the page in your browser", "Try it again"):
        assert words in answer.text
    assert not [one for one in SECRETS if one in answer.text]
    assert "<style" not in answer.text  # which the policy would not let in
    look = re.search(r'stylesheet" href="([^"]+)"', answer.text)
    assert look
    assert browser.get(ORIGIN + look[1]).status_code == 200
    assert browser.get(ORIGIN + look[1], headers={"Host": "evil.example"}).status_code == 403


def test_a_form_of_an_earlier_run_is_refused_on_a_page(opened: TestClient) -> None:
    headers = {"Origin": ORIGIN, "Accept": "text/html"}
    answer = opened.post("/games/salt-harbour/rule", data={"form_token": "0"}, headers=headers)
    assert answer.status_code == 403
    assert "Nothing was taken" in answer.text


def test_a_foreign_host_is_refused(opened: TestClient) -> None:
    foreign = ("evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "0.0.0.0:8765", "")
    for host in (*foreign, "localhost.evil.example:8765", "localhost"):
        answer = opened.get("/games/salt-harbour", headers={"Host": host}, follow_redirects=False)
        assert refused(answer), host


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1:8765", "zyxwvutsrqponmlk.localhost:8765"])
def test_other_names_of_this_machine_tell_one_sentence_and_no_name(opened: TestClient, host: str) -> None:
    """Cookies know no ports, so that whoever serves another one would get those of 127.0.0.1."""
    name = ORIGIN.partition("//")[2].partition(".")[0]
    asked = ("/", "/games/salt-harbour/log?kind=undo", "/here", "/static/style.css", "/nowhere", f"{ORIGIN}/")
    for path, kind in product(asked, ("document", "script")):
        headers = {"Host": host, "Sec-Fetch-Dest": kind, "Accept": "text/html"}
        answer = opened.get(path, headers=headers, follow_redirects=False)
        assert answer.status_code == 403, path
        assert FOREIGN_HOST in answer.text, path
        assert not [one for one in (name, KEY) if one in f"{answer.text} {answer.headers}"], path
    sent = opened.post("/games/salt-harbour/rule", headers={"Host": host, "Origin": f"http://{host}"})
    assert refused(sent)


@pytest.mark.parametrize("site", ["none", "same-origin", "same-site", "cross-site"])
@pytest.mark.parametrize("host", ["zyxwvutsrqponmlk.localhost:8765", "127.0.0.1:8765"])
def test_a_tab_of_an_earlier_run_that_is_loaded_again_is_told_so(
    opened: TestClient, host: str, site: str
) -> None:
    """However it was reached: a browser that loads a page again says so as it said before."""
    headers = {"Host": host, "Sec-Fetch-Site": site, "Sec-Fetch-Dest": "document", "Accept": "text/html,*/*"}
    answer = opened.get("/games/salt-harbour", headers=headers)
    assert answer.status_code == 403
    assert "<h1>This address leads nowhere</h1>" in answer.text
    assert "If the tab is of an earlier run, nothing was lost" in answer.text
    assert "another page" not in answer.text.casefold()


def test_what_another_page_asked_for_is_told_with_the_way_on(opened: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html,*/*"}
    answer = opened.get("/games/salt-harbour", headers=headers)
    assert "<h1>Another page led here</h1>" in answer.text
    assert "open Knightfall in a tab of its own" in answer.text


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
    assert refused(opened.post("/games/salt-harbour/rule", data=data, headers={"Origin": ORIGIN}))
    assert "May one?" not in opened.get("/games/salt-harbour/log").text


def test_what_another_site_asks_for_is_refused(opened: TestClient) -> None:
    for site in ("cross-site", "same-site"):
        assert refused(opened.get("/games/salt-harbour/log", headers={"Sec-Fetch-Site": site})), site


def test_the_page_is_not_framed(opened: TestClient) -> None:
    for kind in ("iframe", "frame", "embed", "object"):
        assert refused(opened.get("/", headers={"Sec-Fetch-Dest": kind})), kind


def test_the_address_of_the_start_opens_one_browser(page: ServedPage) -> None:
    first = TestClient(page.app, base_url=ROOT)
    answer = first.get(page.address)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain" not in cookie
    assert f'http-equiv="refresh" content="0; url=/{KEY}/"' in answer.text
    assert first.get("/").status_code == 200
    # From the history of the same browser it leads to the games; no address that is made up does.
    assert first.get(page.address, follow_redirects=False).headers["location"] == f"/{KEY}/"
    assert refused(first.get(f"{ORIGIN}/open/{'0' * 48}", follow_redirects=False))


def test_an_address_that_two_browsers_use_ends_every_session_and_says_so(page: ServedPage) -> None:
    first, second, third = (TestClient(page.app, base_url=ROOT) for _ in range(3))
    first.get(page.address)
    # Without a cookie it may be the same browser on a way that brings none: it is asked to come by itself.
    assert "again=1" in second.get(page.address).text
    assert first.get("/").status_code == 200
    told = second.get(f"{page.address}?again=1")
    assert refused(told)
    assert "used by two browsers" in told.text
    assert "What it opened was ended" in first.get("/").text
    assert refused(first.get("/"))
    assert refused(third.get(page.address))


def test_a_pairing_that_two_browsers_use_ends_what_it_opened_and_no_other_session(page: ServedPage) -> None:
    hand = form_hand(page)
    hand.go("/sessions")
    hand.press("Pair another browser")
    address = hand.value("Address")
    tablet, other, third = (TestClient(page.app, base_url=ROOT) for _ in range(3))
    tablet.get(address)
    # What came in by it pairs a browser, too, and makes an address that nobody used yet.
    form, headers = {"form_token": token_of(tablet)}, {"Origin": ORIGIN}
    further = [tablet.post("/sessions/pair", data=form, headers=headers).text for _ in range(2)]
    paired, unused = (re.findall(r"http://[^<]*/open/[0-9a-f]{48}", text)[0] for text in further)
    third.get(paired)
    assert third.get("/").status_code == 200
    told = other.get(f"{address}?again=1")
    assert refused(told)
    assert "used by two browsers" in told.text
    for ended in (tablet, third):
        assert "What it opened was ended" in ended.get("/").text
    assert refused(other.get(unused))
    assert hand.client.get("/").status_code == 200
    [_] = page.access.sessions.all()


def test_another_browser_is_paired_named_and_ended(page: ServedPage) -> None:
    hand = form_hand(page)
    hand.go("/sessions")
    hand.press("Pair another browser")
    other = TestClient(
        page.app, base_url=ROOT, headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/150"}
    )
    other.get(hand.value("Address"))
    assert other.get("/").status_code == 200
    hand.go("/sessions")
    assert "Firefox on Linux, since" in hand.text
    [_, paired] = page.access.sessions.all()
    form = {"form_token": token_of(hand.client), "id": paired.id}
    hand.client.post("/sessions/name", data={**form, "name": "The tablet"}, headers={"Origin": ORIGIN})
    hand.go("/sessions")
    assert "The tablet, since" in hand.text
    hand.client.post("/sessions/end", data=form, headers={"Origin": ORIGIN})
    assert refused(other.get("/"))
    assert hand.client.get("/").status_code == 200


def test_a_pairing_that_nobody_used_holds_ten_minutes(tmp_path: Path) -> None:
    clock = StillClock()
    page = served(tmp_path, clock=clock)
    address = page.access.address(page.access.sessions.new_address())
    clock.sleep(PAIRING + 1)
    assert refused(TestClient(page.app, base_url=ROOT).get(address))


def test_a_browser_that_does_not_find_the_name_gets_a_session_that_ends_with_its_tab(tmp_path: Path) -> None:
    clock = StillClock()
    page = served(tmp_path, clock=clock)
    plain = f"http://{page.access.plain_host}"
    client = TestClient(page.app, base_url=f"{plain}/{KEY}")
    client.get(page.address.replace(f"http://{page.access.host}", plain))
    assert client.get("/").status_code == 200
    clock.sleep(SHORT - 1)
    assert client.get("/").status_code == 200
    assert refused(client.get(f"{plain}/"))
    clock.sleep(SHORT + 1)
    assert refused(client.get("/", headers={"Sec-Fetch-Dest": "empty"}))


@pytest.mark.parametrize(
    ("seen", "told"),
    [(65534, "another user of this machine"), (None, "does not tell whose program")],
)
def test_only_the_user_who_runs_it_is_answered_where_the_system_tells_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: int | None, told: str
) -> None:
    page = served(tmp_path, user=lambda: 1)
    monkeypatch.setattr(access, "uid_of_peer", lambda *_: 1)
    client = form_hand(page).client
    monkeypatch.setattr(access, "uid_of_peer", lambda *_: seen)
    for path in ("/", "/static/style.css", f"{ORIGIN}/here", page.address, f"{ORIGIN}/helper/here?nonce=x"):
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert told in answer.text, path


@pytest.mark.few(3)
@pytest.mark.parametrize("site", ["same-origin", "same-site", "cross-site", "none", None])
def test_a_form_whose_origin_is_not_named_is_taken_from_a_page_of_ours_alone(
    opened: TestClient, site: str | None
) -> None:
    """Browsers name the origin of a form to nobody where no referrer is told."""
    headers = {"Origin": "null", **({"Sec-Fetch-Site": site} if site else {})}
    answer = opened.post("/eyes", data={"form_token": token_of(opened), "hide": "on"}, headers=headers)
    assert answer.status_code == 200 if site == "same-origin" else refused(answer)


def test_a_wrong_address_of_the_start_opens_nothing_and_uses_nothing_up(page: ServedPage) -> None:
    client = TestClient(page.app, base_url=ORIGIN)
    assert refused(client.get("/open/" + "0" * 48))
    assert client.get(page.address).status_code == 200


def test_every_answer_carries_the_headers(page: ServedPage, opened: TestClient) -> None:
    paths = (*ADDRESSES, f"{ORIGIN}/open/x", "/host", "/games/salt-harbour/board")
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


def test_a_bot_of_public_scope_reads_what_players_may_know(page: ServedPage, opened: TestClient) -> None:
    form = {"form_token": token_of(opened), "name": "shows the count"}
    shown = opened.post("/bots", data=form, headers={"Origin": ORIGIN}).text
    found = re.search(r"readonly[^>]*>(\w{48})<", shown)
    assert found
    assert "what players may know" in shown
    bot = TestClient(page.app, base_url=ORIGIN, headers={"Authorization": f"Bearer {found[1]}"})
    described = bot.get("/api/v1/openapi.json").json()["paths"]
    seen, refusals = set[str](), set[str]()
    for path in described:
        answer = bot.get(path.replace("{name}", "salt-harbour").replace("{kind}", "empowered"))
        (refusals if answer.status_code == 403 else seen).add(path.rpartition("/")[2])
        if answer.status_code == 403:
            assert answer.text.startswith("Refused: this token reads what players may know alone.")
    assert seen == {"games", "kinds", "rulings", "forums", *PLAYERS_MAY_KNOW}
    assert {"status", "explain", "log", "passport", "messages", "preview", "rooms"} <= refusals


PLAYERS_MAY_KNOW = {"votecount", "near", "roster", "nicknames", "activity"}


def test_a_parameter_that_an_address_does_not_have_is_refused(opened: TestClient) -> None:
    for path, slip in (("votecount", "att=4"), ("log", "day=1"), ("status", "x=1"), ("near", "as_of=4")):
        answer = opened.get(f"/api/v1/games/salt-harbour/{path}?{slip}")
        assert answer.status_code == 400
        assert f"{slip.partition('=')[0]}: there is no such parameter here." in answer.json()["error"]
    bound = opened.get("/api/v1/games/salt-harbour/votecount?day=0")
    assert bound.json()["error"] == "day: expected 1 or more, found 0."


def test_openapi_tells_the_schema_of_answers_and_of_refusals(opened: TestClient) -> None:
    for path in opened.get("/api/v1/openapi.json").json()["paths"].values():
        answers = path["get"]["responses"]
        assert set(answers) == {"200", "4XX"}
        assert "schema" in answers["200"]["content"]["application/json"]["schema"]["required"]
        assert "error" in answers["4XX"]["content"]["application/json"]["schema"]["required"]


def test_a_bot_reads_by_its_token_until_that_is_revoked(page: ServedPage, opened: TestClient) -> None:
    form = {"form_token": token_of(opened), "name": "counter", "scope": "all"}
    shown = opened.post("/bots", data=form, headers={"Origin": ORIGIN}).text
    found = re.search(r"readonly[^>]*>(\w{48})<", shown)
    assert found
    bot = TestClient(page.app, base_url=ORIGIN, headers={"Authorization": f"Bearer {found[1]}"})
    assert bot.get("/api/v1/games/salt-harbour/status").json()["title"] == "Salt Harbour"
    for nothing in ("/api/v1/games/nope/status", "/api/v1/nowhere"):
        there = bot.get(nothing)
        assert (there.status_code, [*there.json()]) == (404, ["schema", "error", "exit_status"])
    assert refused(bot.get("/games/salt-harbour"))
    assert refused(bot.post("/api/v1/games/salt-harbour/status"))
    assert found[1] not in opened.get("/bots").text
    digest = re.search(r'name="digest" value="(\w+)"', opened.get("/bots").text)
    assert digest
    form = {"form_token": token_of(opened), "digest": digest[1]}
    opened.post("/bots/revoke", data=form, headers={"Origin": ORIGIN})
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
    hand.press("Record it")
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
