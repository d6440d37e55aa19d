"""A login serves for every later read, on phpBB's own rules, and the moderator's browser stays logged in."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fetch.loopback import Server, serving
from fetch.sessions import HEAD, Sessions, netscape
from knightfall.errors import InputError, LoginRequired
from knightfall.services.count.votecount import count_votes
from knightfall.services.logins import log_in
from knightfall.services.machine import session_of
from knightfall.services.requests import CountRequest
from services.test_pasted import written
from web.test_logins import Members

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"


@pytest.fixture
def forum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, Members, Sessions]]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    board = Members(written(12))
    sessions = Sessions(board)
    with serving(board, door=sessions.door) as server:
        board.root = server.root
        yield server, board, sessions


def cookie_file(folder: Path, server: Server, cookies: dict[str, str], remark: str = "") -> Path:
    file = folder / "cookies.txt"
    file.write_text(netscape(urlsplit(server.root).hostname or "", cookies, remark))
    file.chmod(0o600)
    return file


def read(board: Members, cookies: Path | None = None, agent: str = "", said: list[str] | None = None) -> int:
    """Count with a session of its own, as each command does: up to which post."""
    say = (said if said is not None else []).append
    session = session_of(None, True, cookies, say=say, agent=agent)
    return count_votes(CountRequest((board.url,), again=True), session).counted.count.tally.at


@pytest.mark.parametrize("remember", [False, True])
def test_a_session_of_the_browser_serves_every_read_and_its_key_is_left_alone(
    forum: tuple[Server, Members, Sessions], remember: bool
) -> None:
    server, board, sessions = forum
    cookies = sessions.log_in(AGENT, remember)
    keys = set(sessions.keys)
    said = netscape(urlsplit(server.root).hostname or "", cookies)
    assert log_in(board.url, said, session_of(None, True), AGENT).account == "Wren"
    assert [read(board), read(board), read(board)] == [12, 12, 12]
    assert sessions.keys == keys
    assert sessions.serves(AGENT, cookies)


def test_a_key_that_is_good_once_is_used_when_the_session_is_over_and_the_next_one_kept(
    forum: tuple[Server, Members, Sessions], tmp_path: Path
) -> None:
    server, board, sessions = forum
    cookies = sessions.log_in(AGENT, remember=True)
    sessions.sessions.clear()
    said = netscape(urlsplit(server.root).hostname or "", cookies)
    assert log_in(board.url, said, session_of(None, True), AGENT).account == "Wren"
    [file] = (tmp_path / "own" / "logins").iterdir()
    for _ in range(3):
        told: list[str] = []
        sessions.sessions.clear()
        assert read(board, said=told) == 12
        assert "Your browser may have to log in anew" in " ".join(told)
        assert read(board) == 12
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cookies[f"{HEAD}_k"] not in file.read_text()
    assert next(iter(sessions.keys)) in file.read_text()


@pytest.mark.few(1)
@pytest.mark.parametrize("told", ["option", "remark"])
def test_a_cookie_file_serves_for_many_runs_with_the_agent_of_its_browser(
    forum: tuple[Server, Members, Sessions], tmp_path: Path, told: str
) -> None:
    server, board, sessions = forum
    cookies = sessions.log_in(AGENT, remember=True)
    remark = f"# User-Agent: {AGENT}\n" if told == "remark" else ""
    file = cookie_file(tmp_path, server, cookies, remark)
    text, agent = file.read_text(), "" if remark else AGENT
    assert read(board, file, agent) == 12
    assert sessions.serves(AGENT, cookies)
    for _ in range(2):
        sessions.sessions.clear()
        assert [read(board, file, agent), read(board, file, agent)] == [12, 12]
    assert file.read_text() == text
    [side] = (tmp_path / "own" / "lent").iterdir()
    assert (stat.S_IMODE(side.stat().st_mode), stat.S_IMODE(side.parent.stat().st_mode)) == (0o600, 0o700)

    # Another login in the file takes the place of what came back for the one before.
    cookie_file(tmp_path, server, sessions.log_in(AGENT, remember=True), remark)
    assert read(board, file, agent) == 12
    assert not side.exists()


def test_without_its_agent_nothing_is_used_up_and_the_refusal_says_what_is_missing(
    forum: tuple[Server, Members, Sessions], tmp_path: Path
) -> None:
    server, board, sessions = forum
    cookies = sessions.log_in(AGENT, remember=True)
    file = cookie_file(tmp_path, server, cookies)
    with pytest.raises(LoginRequired, match="only with the User-Agent of the browser that they are of"):
        read(board, file)
    assert cookies[f"{HEAD}_k"] in sessions.keys
    assert sessions.serves(AGENT, cookies)
    assert read(board, file, AGENT) == 12


def test_a_login_that_another_browser_tries_in_vain_is_not_kept(
    forum: tuple[Server, Members, Sessions], tmp_path: Path
) -> None:
    server, board, sessions = forum
    said = netscape(urlsplit(server.root).hostname or "", sessions.log_in(AGENT))
    with pytest.raises(InputError, match="only from the browser that they are of"):
        log_in(board.url, said, session_of(None, True), "Another/1.0")
    assert not (tmp_path / "own" / "logins").exists()
    # Where the text tells the browser, as the head of a request does, that one is meant.
    assert log_in(board.url, f"User-Agent: {AGENT}\n{said}", session_of(None, True), "Another/1.0").sure


def test_the_agent_of_the_browser_goes_only_where_its_cookies_go(
    forum: tuple[Server, Members, Sessions], tmp_path: Path
) -> None:
    server, board, sessions = forum
    file = cookie_file(tmp_path, server, sessions.log_in(AGENT))
    with serving(Members(written(3))) as other:
        session = session_of(None, True, file, agent=AGENT)
        from knightfall.forums.base import Request

        session.fetch.get(Request(board.url))
        session.fetch.get(Request(f"{other.root}viewtopic.php?t=9"))
        assert server.headers[-1]["User-Agent"] == AGENT
        assert other.headers[-1]["User-Agent"].startswith("knightfall/")
        assert "Cookie" not in other.headers[-1]
