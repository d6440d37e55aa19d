"""Who may speak as a helper, and what a helper may do: hand over pages, and read what is public."""

from __future__ import annotations

import json
import re
import shutil
import socket
import time
from dataclasses import replace
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import requests
from starlette.testclient import TestClient

from fetch.boards import Prosilver
from fetch.loopback import StillClock
from knightfall.services.machine import session_of
from knightfall.services.pasted import pages_here
from knightfall.web import paired_helpers
from knightfall.web.helper_files import OPTIONAL, PERMISSIONS, helper_files, pack_helper, write_helper
from knightfall.web.paired_helpers import CODE_HOLDS, NO_CODE, NOT_PAIRED, TRIES, WRONG_CODE
from knightfall.web.server import ServedPage
from services.test_pasted import ROOT as FORUM
from services.test_pasted import written
from web.hands import PORT, form_hand, origin_of
from web.served import running, served
from web.test_paste import a_game

OURS = f"http://127.0.0.1:{PORT}"
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
REPLY = "/helper/reply?site=https://forum.example"
OTHER = "moz-extension://0b7ba1d0-5c39-4d2a-9b0a-5f2f0c0f9c11"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))


def helper_of(page: ServedPage, origin: str = EXTENSION) -> TestClient:
    """A helper that was paired."""
    client = TestClient(page.app, base_url=OURS, headers={"Origin": origin})
    told = client.post("/helper/pair", json={"code": page.access.helpers.new_code()})
    assert told.status_code == 200, told.text
    client.headers["Authorization"] = f"Bearer {told.json()['token']}"
    return client


def board() -> Prosilver:
    """Three pages of a thread."""
    found = Prosilver(written(13))
    found.root = FORUM
    return found


def leads_to(page: ServedPage, address: str) -> str:
    """The page to which an address leads that a helper opens: from outside, with no cookie on the way."""
    host = f"http://{page.access.host}"
    stranger, own = TestClient(page.app, base_url=host), TestClient(page.app, base_url=host)
    own.get(page.access.address(page.access.sessions.new_address()))
    answer = stranger.get(address, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"})
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', answer.text)
    assert found, answer.text
    assert page.access.key not in answer.text
    assert stranger.get(found[1]).status_code == 403
    to = str(own.get(found[1], follow_redirects=False).headers["location"])
    return to.removeprefix(f"/{page.access.key}")


def hands_over(client: TestClient, number: int, of: Prosilver | None = None, **more: str) -> Any:
    """What a helper is told of a page that it hands over."""
    of = of or board()
    return client.post(
        "/helper/pages", json={"url": of.page_url(number), "html": of.rendered(number), **more}
    )


def test_a_helper_is_paired_by_a_code_once(tmp_path: Path) -> None:
    page = served(tmp_path)
    client = TestClient(page.app, base_url=OURS, headers={"Origin": EXTENSION})

    def paired(code: str) -> Any:
        return client.post("/helper/pair", json={"code": code}).json()

    assert paired("123456") == {"error": NO_CODE, "stops": False}
    code = page.access.helpers.new_code()
    assert len(code) == 6
    assert code.isdigit()
    spoken = f"{code[:3]} {code[3:]}"
    assert set(paired(spoken)) == {"token"}
    assert paired(code)["error"] == NO_CODE
    [one] = page.access.helpers.all()
    assert one.origin == EXTENSION
    kept = next((tmp_path / "tokens").glob("helpers.json"))
    assert kept.stat().st_mode & 0o077 == 0


def test_a_code_holds_for_five_tries_and_ten_minutes(tmp_path: Path) -> None:
    clock = StillClock()
    page = served(tmp_path, clock=clock)
    client = TestClient(page.app, base_url=OURS, headers={"Origin": EXTENSION})
    code = page.access.helpers.new_code()
    wrong = f"{(int(code) + 1) % 10**6:06}"
    said = [client.post("/helper/pair", json={"code": wrong}).json()["error"] for _ in range(TRIES)]
    assert said[:-1] == [WRONG_CODE] * (TRIES - 1)
    assert "holds no more" in said[-1]
    assert client.post("/helper/pair", json={"code": code}).json()["error"] == NO_CODE
    late = page.access.helpers.new_code()
    clock.sleep(CODE_HOLDS + 1)
    assert client.post("/helper/pair", json={"code": late}).json()["error"] == NO_CODE
    assert page.access.helpers.all() == ()


@pytest.mark.parametrize(
    "origin", ["https://forum.example", "null", OURS, "chrome-extension://", f"{EXTENSION}.evil.example", ""]
)
def test_no_page_of_the_web_speaks_as_a_helper(tmp_path: Path, origin: str) -> None:
    page = served(tmp_path)
    token = helper_of(page).headers["Authorization"]
    client = TestClient(page.app, base_url=OURS, headers={"Authorization": token})
    if origin:
        client.headers["Origin"] = origin
    for path in ("/helper/pair", "/helper/pages"):
        answer = client.post(path, json={"code": page.access.helpers.new_code(), "html": "<p>", "url": FORUM})
        assert answer.status_code == 403
        assert answer.json() == {"error": paired_helpers.NO_EXTENSION}
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Access-Control-Allow-Origin" not in client.options(path).headers
    assert client.get(REPLY).status_code == 403


def test_a_token_is_bound_to_its_extension_its_games_and_its_host(tmp_path: Path) -> None:
    page = served(tmp_path / "games")
    helper = helper_of(page)
    assert helper.get(REPLY).json() == {"parts": [], "rich": False}
    # Another extension has the token, or none has it.
    assert helper.get(REPLY, headers={"Origin": OTHER}).json() == {"error": NOT_PAIRED}
    assert helper.get(REPLY, headers={"Authorization": "Bearer 0"}).status_code == 401
    # The page has a name of its own, by which no helper is let in.
    for host in (page.access.host, "evil.example", "127.0.0.1"):
        assert helper.get(REPLY, headers={"Host": host}).status_code == 403
    # Another folder of games on the same machine is another Knightfall.
    others = served(tmp_path / "others")
    (tmp_path / "others" / "tokens").mkdir(parents=True)
    kept = tmp_path / "games" / "tokens" / "helpers.json"
    (tmp_path / "others" / "tokens" / "helpers.json").write_bytes(kept.read_bytes())
    stranger = TestClient(others.app, base_url=OURS, headers=dict(helper.headers))
    assert stranger.get(REPLY).json() == {"error": NOT_PAIRED}
    # The next run of the same games knows it.
    again = TestClient(served(tmp_path / "games").app, base_url=OURS, headers=dict(helper.headers))
    assert again.get(REPLY).status_code == 200
    page.access.helpers.revoke(page.access.helpers.all()[0].digest)
    assert helper.get(REPLY).status_code == 401


def test_a_helper_may_do_nothing_else_and_is_no_browser(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=9"))
    page = served(tmp_path)
    helper = helper_of(page)
    for path in ("/", "/games/harbour", "/api/v1/games", "/bring", "/sessions"):
        answer = helper.get(path, headers={"Host": page.access.host})
        assert answer.status_code == 403, path
        assert "Salt Harbour" not in answer.text
    assert helper.post("/bring/code").status_code == 403
    # The cookie of a browser is of no use there.
    hand = form_hand(page)
    assert hand.client.get(REPLY).status_code in (401, 403)


def test_the_preflight_of_an_extension_is_answered(tmp_path: Path) -> None:
    client = TestClient(served(tmp_path).app, base_url=OURS, headers={"Origin": EXTENSION})
    answer = client.options("/helper/pages")
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == EXTENSION
    assert answer.headers["Access-Control-Allow-Headers"] == "authorization, content-type"
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_pages_find_their_game_and_say_what_is_next(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=9"))
    page = served(tmp_path)
    helper = helper_of(page)
    told = hands_over(helper, 2).json()
    assert told["game"] == "Salt Harbour"
    assert leads_to(page, told["to"]) == "/games/harbour/votes"
    assert (told["here"], told["missing"], told["complete"]) == ([2], [1, 3], False)
    assert told["next"] == board().page_url(1).replace("&start=0", "")
    assert hands_over(helper, 1).json()["next"] == board().page_url(3)
    last = hands_over(helper, 3).json()
    assert (last["next"], last["complete"]) == (None, True)
    found = helper.get("/helper/badges", params={"thread": last["thread"]}).json()
    assert [one["target"] for one in found["wagons"]] == ["Elm", "Fen", "Ada", "Boro"]
    assert {one["kind"] for one in found["badges"]} == {"counts"}
    early = helper.get("/helper/badges", params={"thread": last["thread"], "at": "2"}).json()
    assert [(one["post"], one["text"]) for one in early["badges"]] == [(2, "counts for Elm")]
    after = helper.get("/helper/next", params={"thread": last["thread"]}).json()
    assert after["next"] is None


def test_a_thread_of_no_game_is_counted_alone_at_one_address(tmp_path: Path) -> None:
    page = served(tmp_path)
    helper = helper_of(page)
    places = {leads_to(page, hands_over(helper, number).json()["to"]) for number in (1, 2, 3)}
    [place] = places
    hand = form_hand(page)
    hand.go(place)
    assert "Posts 1–13, complete" in hand.text


def test_the_last_page_is_read_again_after_a_minute(tmp_path: Path) -> None:
    clock = StillClock()
    helper = helper_of(served(tmp_path, clock=clock))
    for number in (1, 2, 3):
        told = hands_over(helper, number).json()
    assert told["next"] is None
    clock.sleep(timedelta(minutes=2).total_seconds())
    assert hands_over(helper, 1).json()["next"] == board().page_url(3)


def test_what_cannot_be_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    helper = helper_of(served(tmp_path))

    def told(**said: object) -> str:
        answer = helper.post("/helper/pages", json=said)
        assert answer.status_code >= 400
        return str(answer.json()["error"])

    html, url = board().rendered(1), board().page_url(1)
    assert told(html=html) == "What the helper sent has no “url”. Nothing was taken."
    assert "is no thread of a forum" in told(html="<html><body><p>Soup</p></body></html>", url=url)
    assert "larger than 16 MiB" in told(html="x" * (2**24 + 1), url=url)
    assert "not the address of a page" in told(html=html, url="http://[::1")
    assert "cannot be read" in helper.post("/helper/pages", content=b"[1").json()["error"]
    assert "cannot be read" in helper.post("/helper/pages", content=b"[" * 100_000).json()["error"]
    unknown = told(html=html.replace("viewtopic", "index"), url="https://forum.example/index.php")
    assert "does not say which thread it is of" in unknown


def test_a_page_that_claims_another_forum_is_not_taken(tmp_path: Path) -> None:
    """Who hands a page over is known by the browser: a page of one site cannot speak for another's thread."""
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=9"))
    helper = helper_of(served(tmp_path))
    claims = f'<link rel="canonical" href="{FORUM}viewtopic.php?t=9">'
    html = board().rendered(1).replace("</head>", f"{claims}</head>")
    for url in (
        "https://evil.example/viewtopic.php?t=9",
        "https://evil.example/",
        "https://evil.example/x.html",
    ):
        told = helper.post("/helper/pages", json={"url": url, "html": html}).json()
        assert told.get("game", "") == "", (url, told)
    assert pages_here(f"{FORUM}viewtopic.php?t=9", session_of(tmp_path / "harbour")) is None


def test_hidden_weights_are_not_in_badges(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=9"))
    file = tmp_path / "harbour" / "game.toml"
    text = file.read_text(encoding="utf-8")
    weighty = text.replace('name = "Ada"', 'name = "Ada"\nweight = 2')
    assert weighty != text
    file.write_text(weighty, encoding="utf-8")
    helper = helper_of(served(tmp_path))
    for number in (1, 2, 3):
        told = hands_over(helper, number).json()
    found = helper.get("/helper/badges", params={"thread": told["thread"]}).json()
    assert {one["size"].partition("/")[0] for one in found["wagons"]} == {"1"}


def test_a_text_lies_ready_until_another_one_does_or_half_an_hour_is_over(tmp_path: Path) -> None:
    clock = StillClock()
    page = served(tmp_path, clock=clock)
    helper, hand = helper_of(page), form_hand(page)

    def lays(*parts: str, **more: str) -> None:
        data = {"form_token": page.access.form_token, "part": list(parts), **more}
        origin = {"Origin": origin_of(hand.root)}
        assert hand.client.post("/bring/text", data=data, headers=origin).status_code == 204

    lays("one\r\ntwo", "three")
    assert helper.get(REPLY).json() == {"parts": ["one\ntwo", "three"], "rich": False}
    lays("<b>x</b>", rich="1")
    assert helper.get(REPLY).json() == {"parts": ["<b>x</b>"], "rich": True}
    clock.sleep(3600)
    assert helper.get(REPLY).json()["parts"] == []


def test_the_name_of_the_run_is_told_to_a_paired_helper_alone_for_a_page_that_it_was_led_to(
    tmp_path: Path,
) -> None:
    page = served(tmp_path)
    helper = helper_of(page)
    handed = hands_over(helper, 1)
    name = page.access.host.partition(":")[0]
    assert name not in handed.text
    way = handed.json()["to"]
    found = helper.get("/helper/address", params={"way": way})
    assert found.json() == {"address": f"http://{page.access.host}{way}"}
    assert page.access.key not in found.text
    for strange in ("/", "/go/0", f"{way}0", f"@evil.example{way}"):
        answer = helper.get("/helper/address", params={"way": strange})
        assert answer.status_code == 404
        assert name not in answer.text
    answer = helper.get("/helper/address", params={"way": way}, headers={"Authorization": "Bearer 0"})
    assert (answer.status_code, name in answer.text) == (401, False)


def test_a_proof_names_the_port(tmp_path: Path) -> None:
    page = served(tmp_path)
    helper_of(page)
    helpers = page.access.helpers
    assert helpers.proofs("n", EXTENSION, 8765) == helpers.proofs("n", EXTENSION, 8765) != []
    assert helpers.proofs("n", EXTENSION, 8765) != helpers.proofs("n", EXTENSION, 8766)


def test_the_helper_asks_for_what_the_page_says_and_for_nothing_else(tmp_path: Path) -> None:
    manifest = json.loads(dict(helper_files())["manifest.json"])
    assert manifest["permissions"] == list(PERMISSIONS)
    assert manifest["optional_host_permissions"] == list(OPTIONAL)
    for key in ("host_permissions", "content_scripts", "externally_connectable", "web_accessible_resources"):
        assert key not in manifest
    hand = form_hand(served(tmp_path))
    hand.go("/bring")
    manual = (files("knightfall") / "manual" / "helper.md").read_text(encoding="utf-8")
    for name, why in (*PERMISSIONS.items(), *OPTIONAL.items()):
        assert name in hand.text
        assert why in hand.text
        assert re.search(rf"\| `{re.escape(name)}`[^|]* \| {re.escape(why)} \|", manual), name


def test_the_helper_speaks_with_this_machine_alone() -> None:
    """No address stands in its files but that of this machine, and nothing is run that came from outside."""
    for name, content in helper_files():
        if name.endswith((".js", ".html", ".css")):
            text = content.decode()
            assert set(re.findall(r"https?://[^/\s`\"'$]+", text)) <= {"http://127.0.0.1:"}, name
            assert not re.search(
                r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", text
            ), name


def test_the_helper_is_written_into_an_empty_folder_or_its_own(tmp_path: Path) -> None:
    from knightfall.errors import InputError

    folder = tmp_path / "helper"
    count = write_helper(folder)
    assert {one.name for one in folder.iterdir()} == {name for name, _ in helper_files()}
    assert write_helper(folder) == count
    (folder / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="holds other files"):
        write_helper(folder)
    pack_helper(tmp_path / "one.zip")
    pack_helper(tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_an_old_page_of_a_thread_does_not_undo_what_is_newer(tmp_path: Path) -> None:
    helper, of = helper_of(served(tmp_path)), board()
    for number in (1, 2, 3):
        hands_over(helper, number, of)
    of.posts = [*of.posts, *(replace(one, id=one.id + 50) for one in of.posts[-4:])]
    for number in (3, 4):
        told = hands_over(helper, number, of).json()
    assert (told["pages"], told["complete"]) == (4, True)


def test_an_address_that_no_helper_was_given_leads_nowhere(tmp_path: Path) -> None:
    page = served(tmp_path)
    browser = TestClient(page.app, base_url=f"http://{page.access.host}")
    for path in ("/go/", "/go/0", "/go/../games", f"/go/{'0' * 32}"):
        answer = browser.get(path, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"})
        assert answer.status_code in (403, 404), path
        assert "refresh" not in answer.text
        assert page.access.form_token not in answer.text


def test_a_helper_never_gets_a_page_whatever_it_asks(tmp_path: Path) -> None:
    page = served(tmp_path)
    helper = helper_of(page)
    for answer in (helper.get("/helper/nowhere"), helper.get("/helper/badges"), helper.put("/helper/pages")):
        assert answer.status_code in (400, 404, 405)
        assert "Save the helper again" in answer.json()["error"]
        assert page.access.form_token not in answer.text


def test_a_hammer_by_a_hidden_weight_is_no_badge(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=9"))
    file = tmp_path / "harbour" / "game.toml"
    file.write_text(
        file.read_text(encoding="utf-8").replace('name = "Ada"', 'name = "Ada"\nweight = 2'), encoding="utf-8"
    )
    of = board()
    first = of.posts[0]
    said = (("Ada", "Elm"), ("Boro", "Elm"), ("Fen", "Boro"), ("Elm", "Boro"))
    of.posts = [first, *(
        replace(one, author=voter, text=f"[vote]{target}[/vote]")
        for one, (voter, target) in zip(of.posts[1:5], said, strict=True)
    )]  # fmt: skip
    helper = helper_of(served(tmp_path))
    thread = hands_over(helper, 1, of).json()["thread"]
    found = helper.get("/helper/badges", params={"thread": thread}).json()
    assert found["hammer"] == ""
    assert "hammer" not in str(found["badges"])
    assert {one["size"] for one in found["wagons"]} <= {"1/3", "2/3"}


@pytest.mark.parametrize(
    "its",
    [
        "http://forum.example/viewtopic.php?t=9",
        "https://www.forum.example/viewtopic.php?t=9",
        "https://FORUM.example:443/viewtopic.php?t=9",
        "https://forum.example//viewtopic.php?t=9",
    ],
)
def test_a_thread_is_known_however_the_game_file_spells_it(tmp_path: Path, its: str) -> None:
    a_game(tmp_path, ("game", its))
    told = hands_over(helper_of(served(tmp_path)), 1).json()
    assert told.get("game") == "Salt Harbour", told


def test_a_page_goes_to_every_game_of_its_thread(tmp_path: Path) -> None:
    url = f"{FORUM}viewtopic.php?t=9"
    a_game(tmp_path, ("game", url))
    shutil.copytree(tmp_path / "harbour", tmp_path / "second")
    hands_over(helper_of(served(tmp_path)), 1)
    for name in ("harbour", "second"):
        assert pages_here(url, session_of(tmp_path / name)) is not None


def test_a_game_file_that_cannot_be_read_keeps_its_forum_out(tmp_path: Path) -> None:
    a_game(tmp_path, ("game", f"{FORUM}viewtopic.php?t=12"))
    file = tmp_path / "harbour" / "game.toml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n[[[", encoding="utf-8")
    helper = helper_of(served(tmp_path))
    assert "Mend the file first" in hands_over(helper, 1).json()["error"]
    other = board()
    other.root = "https://elsewhere.example/"
    assert hands_over(helper, 1, other).json()["kind"] == "thread"


def test_badges_read_no_file_and_fetch_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room.html"
    room.write_text(board().rendered(1), encoding="utf-8")
    asked: list[str] = []
    page = served(tmp_path)
    helper = helper_of(page)
    monkeypatch.setattr("knightfall.fetch.client.Client.get", lambda _, request: asked.append(request.url))
    monkeypatch.setattr("knightfall.fetch.client.Client.follow", lambda _, request: asked.append(request.url))
    for thread in (str(room), str(tmp_path), f"file://{room}", "x.jsonl", "http://[::1", "\ud800",
                   "https://forum.example/viewtopic.php?p=5", "https://forum.example/anything"):  # fmt: skip
        for path in ("badges", "next"):
            answer = helper.get(f"/helper/{path}", params={"thread": thread.encode("utf-8", "replace")})
            assert answer.status_code < 500, (thread, answer.text)
            assert "wagons" not in answer.json()
    assert asked == []
    hands_over(helper, 1)
    url = f"{FORUM}viewtopic.php?t=9"
    assert helper.get("/helper/badges", params={"thread": url, "at": "9" * 5000}).status_code == 400


def test_a_slow_page_holds_no_other_back(tmp_path: Path) -> None:
    with running(tmp_path) as page:
        token = page.access.helpers.pair(page.access.helpers.new_code(), EXTENSION, "Chrome")
        head = (
            f"POST /helper/pages HTTP/1.1\r\nHost: 127.0.0.1:{page.access.port}\r\nOrigin: {EXTENSION}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Length: 900000\r\n\r\n{{"
        )
        with socket.create_connection(("127.0.0.1", page.access.port), 5) as slow:
            slow.sendall(head.encode())
            began = time.monotonic()
            of = board()
            answer = requests.post(
                f"http://127.0.0.1:{page.access.port}/helper/pages",
                json={"url": of.page_url(1), "html": of.rendered(1)},
                headers={"Origin": EXTENSION, "Authorization": f"Bearer {token}"},
                timeout=10,
            )
            assert answer.json()["kind"] == "thread"
            assert time.monotonic() - began < 5
        many = requests.post(
            f"http://127.0.0.1:{page.access.port}/helper/pair",
            data=b'{"code": "' + b"0" * 100_000 + b'"}',
            headers={"Origin": EXTENSION},
            timeout=10,
        )
        assert many.status_code == 400


def test_figures_of_other_scripts_are_no_code(tmp_path: Path) -> None:
    page = served(tmp_path)
    client = TestClient(page.app, base_url=OURS, headers={"Origin": EXTENSION})
    code = page.access.helpers.new_code()
    arabic = "".join(chr(0x660 + int(figure)) for figure in code)
    assert client.post("/helper/pair", json={"code": arabic}).json()["error"] == WRONG_CODE
