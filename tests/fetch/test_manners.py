"""What a site may ask of us and what a moderator may lend us: robots.txt, copies, cookies, challenges."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from fetch.loopback import Reply, Server, StillClock, client, in_turn, serving
from fetch.threads import Forum, thread
from knightfall.errors import AccessDenied, InputError, ServerFault
from knightfall.fetch.client import Client, Conditional, Manners
from knightfall.fetch.cookies import Loan, cookie_text, parse_cookies
from knightfall.fetch.reader import Reader, read_pages
from knightfall.forums.base import Request, Response

PAGE = Reply(b"<html><body>A page</body></html>")
FORBIDDEN = Reply(b"User-agent: *\nDisallow: /viewtopic.php", headers={"Content-Type": "text/plain"})


def pages_read(server: Server, clock: StillClock) -> int:
    reader = Reader(client(clock, delay=0), clock)
    return sum(1 for _ in read_pages(server.root + "viewtopic.php?t=5", reader))


def test_the_page_that_was_named_is_read_and_no_further_one_where_robots_txt_says_so() -> None:
    clock = StillClock()
    with serving(Forum(thread(8)), FORBIDDEN) as server:
        reader = Reader(client(clock, delay=0), clock)
        pages = read_pages(server.root + "viewtopic.php?t=5", reader)
        assert len(next(pages).chunk.posts) == 3
        with pytest.raises(
            AccessDenied, match=r"\(robots\.txt\) not to read .*start=3.*use those: the saved pages"
        ) as caught:
            next(pages)
        assert (caught.value.exit_status, len(server.asked)) == (6, 1)


@pytest.mark.parametrize(
    "robots",
    [
        Reply(b"", 404),
        Reply(b"", 403),
        Reply(b"<html>cf-chl-</html>", 403),
        Reply(b"<html><body>No such page: sorry</body></html>"),
        Reply(b"User-agent: *\nDisallow: /ucp.php\n\nUser-agent: otherbot\nDisallow: /"),
        Reply(b"User-agent: *\nDisallow: /*&sid=\nDisallow: /*.pdf$"),
        Reply(b"User-agent: *\nDisallow: /*start=\nAllow: /viewtopic.php?*start="),
    ],
)
def test_a_site_that_asks_nothing_of_us_is_read_and_asked_only_once(robots: Reply) -> None:
    with serving(Forum(thread(8)), robots) as server:
        assert pages_read(server, StillClock()) == 3
        assert server.robots == ["/robots.txt"]


def test_a_wish_with_a_wildcard_is_understood() -> None:
    with serving(Forum(thread(8)), Reply(b"User-agent: *\nDisallow: /*start=")) as server:
        with pytest.raises(AccessDenied, match="asks programs"):
            pages_read(server, StillClock())
        assert len(server.asked) == 1


def test_a_thread_of_one_page_needs_no_robots_txt() -> None:
    with serving(Forum(thread(2)), FORBIDDEN) as server:
        assert pages_read(server, StillClock()) == 1
        assert server.robots == []


def test_a_site_whose_robots_txt_fails_is_left_alone() -> None:
    with (
        serving(Forum(thread(8)), Reply(status=500)) as server,
        pytest.raises(ServerFault, match=r"robots\.txt"),
    ):
        pages_read(server, StillClock())


def test_the_pause_that_a_site_asks_for_is_kept() -> None:
    clock = StillClock()
    with serving(Forum(thread(8)), Reply(b"User-agent: *\nCrawl-delay: 7")) as server:
        pages_read(server, clock)
    assert clock.waited == [7.0, 7.0]


def kept(url: str, headers: dict[str, str], asked: str) -> Response | None:
    return Response(url, 200, "ours", headers) if asked == url else None


def test_a_page_that_did_not_change_is_taken_from_what_we_keep() -> None:
    with serving(in_turn(Reply(PAGE.body, headers={"ETag": '"7"'}))) as server:
        ours = partial(
            kept, server.root + "a", {"etag": '"7"', "last-modified": "Sat, 21 Nov 2026 11:00:00 GMT"}
        )
        fetch = Conditional(client(StillClock(), delay=0), ours)
        assert fetch.get(Request(server.root + "a")).text == "ours"
        assert fetch.follow(Request(server.root + "b")).text == PAGE.body.decode()
    assert server.headers[0]["If-None-Match"] == '"7"'
    assert server.headers[0]["If-Modified-Since"] == "Sat, 21 Nov 2026 11:00:00 GMT"
    assert "If-None-Match" not in server.headers[1]


def test_a_page_that_did_change_is_the_new_one() -> None:
    with serving(in_turn(Reply(PAGE.body, headers={"ETag": '"8"'}))) as server:
        fetch = Conditional(client(StillClock()), partial(kept, server.root, {"etag": '"7"'}))
        assert fetch.get(Request(server.root)).text == PAGE.body.decode()


def cookie_file(
    folder: Path, domain: str = "127.0.0.1", mode: int = 0o600, head: str = "# Netscape HTTP Cookie File"
) -> Path:
    path = folder / "cookies.txt"
    path.write_text(f"{head}\n#HttpOnly_{domain}\tFALSE\t/\tFALSE\t0\tphpbb_u\tcanary\n")
    path.chmod(mode)
    return path


def lent(folder: Path, domain: str = "127.0.0.1") -> Client:
    file = cookie_file(folder, domain)
    loan = Loan(tuple(parse_cookies(cookie_text(file), str(file))), elsewhere=True)
    return Client(StillClock(), lambda pause: pause, True, Manners(delay=0), loan=lambda _url: loan)


def test_a_login_that_the_moderator_lends_goes_to_its_own_server_and_marks_the_page_private(
    tmp_path: Path,
) -> None:
    with serving(in_turn(PAGE)) as server:
        assert lent(tmp_path).get(Request(server.root)).private
        assert server.headers[0]["Cookie"] == "phpbb_u=canary"
        assert not lent(tmp_path, "other.example").get(Request(server.root)).private
        assert "Cookie" not in server.headers[1]


def test_a_guests_session_is_kept_from_page_to_page_and_is_not_private() -> None:
    with serving(in_turn(Reply(PAGE.body, headers={"Set-Cookie": "sid=guest"}))) as server:
        guest = client(StillClock(), delay=0)
        assert not any(guest.get(Request(server.root)).private for _ in range(2))
        assert server.headers[1]["Cookie"] == "sid=guest"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_cookie_file_that_others_can_read_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    path = cookie_file(tmp_path, mode=mode)
    with pytest.raises(InputError, match=f"mode {mode:04o}.*chmod 600 {re.escape(str(path))}"):
        cookie_text(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("canary=1", "is not a cookie file"),
        ("# Netscape HTTP Cookie File\ncanary no tabs\n", "is not a cookie file"),
        ("# Netscape HTTP Cookie File\n", "no cookies that are still valid"),
        ("# Netscape HTTP Cookie File\na.example\tFALSE\t/\tFALSE\t1000\tcanary\t1\n", "still valid"),
    ],
)
def test_what_is_no_cookie_file_is_named_and_never_shown(tmp_path: Path, text: str, says: str) -> None:
    path = cookie_file(tmp_path)
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        parse_cookies(cookie_text(path), str(path))
    assert "canary" not in str(caught.value)


def test_a_cookie_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        cookie_text(tmp_path / "gone.txt")


@pytest.mark.parametrize(
    ("reply", "challenged"),
    [
        (Reply(b"<html>Just a moment</html>", 403, {"cf-mitigated": "challenge"}), True),
        (
            Reply(b'<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>', 503),
            True,
        ),
        (Reply(b'<html><script id="anubis_challenge" type="application/json">{}</script></html>'), True),
        (
            Reply(
                b'<html><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script></html>',
                403,
            ),
            False,
        ),
        (Reply(b"<html>I was asked for cf-chl- on another site</html>"), False),
    ],
)
def test_a_human_check_is_told_from_a_page(reply: Reply, challenged: bool) -> None:
    with serving(in_turn(reply)) as server:
        if challenged:
            with pytest.raises(AccessDenied, match=r"try to get around it\. .*use those: the saved pages"):
                client(StillClock()).get(Request(server.root))
        else:
            assert client(StillClock()).get(Request(server.root)).text == reply.body.decode()
        assert len(server.asked) == 1
