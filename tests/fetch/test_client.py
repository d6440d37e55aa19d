"""Fetching from a server that fails in every way a server can."""

from __future__ import annotations

import re
import socket
from datetime import timedelta
from email.utils import format_datetime

import pytest

from fetch.loopback import Reply, StillClock, client, in_turn, serving, zipped
from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    InputError,
    KnightfallError,
    RateLimited,
    ServerFault,
    SiteRefused,
    UnknownServer,
)
from knightfall.fetch.ssrf import guarded_session, is_public
from knightfall.forums.base import Request

PAGE = Reply(b"<html><body>A page</body></html>")


def test_a_page_comes_with_status_text_and_headers() -> None:
    with serving(in_turn(PAGE)) as server:
        page = client(StillClock()).get(Request(server.root + "viewtopic.php?t=1"))
    assert (page.url, page.status, page.text) == (server.root + "viewtopic.php?t=1", 200, PAGE.body.decode())
    assert page.headers["content-type"] == "text/html; charset=utf-8"


def test_a_missing_page_is_a_page_and_not_tried_again() -> None:
    with serving(in_turn(Reply(status=404))) as server:
        assert client(StillClock()).get(Request(server.root)).status == 404
        assert len(server.asked) == 1


def test_two_requests_to_a_server_are_two_seconds_apart() -> None:
    clock = StillClock()
    with serving(in_turn(PAGE)) as server:
        polite = client(clock)
        for _ in range(3):
            polite.get(Request(server.root))
    assert clock.waited == [2.0, 2.0]


def test_a_fault_of_the_server_is_tried_three_times_with_growing_pauses() -> None:
    clock = StillClock()
    with serving(in_turn(Reply(status=502))) as server:
        with pytest.raises(ServerFault, match="answers 502"):
            client(clock, delay=0).get(Request(server.root))
        assert len(server.asked) == 3
    assert clock.waited == [2.0, 4.0]


def test_a_fault_that_passes_is_forgotten() -> None:
    with serving(in_turn(Reply(status=500), Reply(silent=True), PAGE)) as server:
        assert client(StillClock()).get(Request(server.root)).text == PAGE.body.decode()


def test_too_many_requests_waits_as_long_as_asked() -> None:
    clock = StillClock()
    with serving(in_turn(Reply(status=429, headers={"Retry-After": "90"}), PAGE)) as server:
        assert client(clock).get(Request(server.root)).status == 200
    assert clock.waited == [90.0]


def test_retry_after_may_be_a_date() -> None:
    clock = StillClock()
    until = format_datetime(clock.now() + timedelta(seconds=75), usegmt=True)
    with serving(in_turn(Reply(status=503, headers={"Retry-After": until}), PAGE)) as server:
        client(clock).get(Request(server.root))
    assert clock.waited == [75.0]


def test_too_many_requests_for_ever_is_told_as_such() -> None:
    with serving(in_turn(Reply(status=429, headers={"Retry-After": "90"}))) as server:
        with pytest.raises(RateLimited, match="429, too many requests, asked to wait 90 s"):
            client(StillClock()).get(Request(server.root))
        assert len(server.asked) == 3


def test_a_wait_of_an_hour_is_not_waited() -> None:
    clock = StillClock()
    with (
        serving(in_turn(Reply(status=429, headers={"Retry-After": "3600"}))) as server,
        pytest.raises(RateLimited, match=r"wants no more pages before \d\d:\d\d UTC"),
    ):
        client(clock).get(Request(server.root))
    assert clock.waited == []


@pytest.mark.parametrize("reply", [Reply(silent=True), Reply(body=b"x" * 5000, cut=100)])
def test_a_cut_connection_is_a_fault_of_the_server(reply: Reply) -> None:
    with serving(in_turn(reply)) as server, pytest.raises(ServerFault, match="cut the connection") as caught:
        client(StillClock()).get(Request(server.root))
    assert caught.value.exit_status == 6


def test_a_silent_server_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(ServerFault, match="did not answer in time"):
            client(StillClock(), read=0.1, tries=1).get(Request(url))


def test_a_closed_port_refuses() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closing:
        url = f"http://127.0.0.1:{closing.getsockname()[1]}/"
    with pytest.raises(ServerFault, match="nothing answers there"):
        client(StillClock()).get(Request(url))


def test_an_unknown_server_is_a_mistake_of_the_address() -> None:
    with pytest.raises(UnknownServer, match=r'no server "nowhere\.invalid"') as caught:
        client(StillClock(), allow_private=False).get(Request("https://nowhere.invalid/viewtopic.php?t=1"))
    assert caught.value.exit_status == 2


def test_a_challenge_is_not_evaded() -> None:
    body = b"<html><body><script src='/cdn-cgi/challenge-platform/x.js'></script></body></html>"
    with serving(in_turn(Reply(body, status=403))) as server:
        with pytest.raises(AccessDenied, match=r"human check, and I do not try to get around it"):
            client(StillClock()).get(Request(server.root))
        assert len(server.asked) == 1


def test_a_page_that_is_too_large_is_not_read_to_its_end() -> None:
    bomb = zipped(b"0" * 3_000_000)
    with serving(in_turn(bomb)) as server, pytest.raises(IncompleteRead, match="larger than 2 MB"):
        client(StillClock(), size=2_000_000).get(Request(server.root))


def test_redirects_are_followed_and_the_last_address_is_kept() -> None:
    with serving(
        lambda path: PAGE if path == "/b" else Reply(status=301, headers={"Location": "/b"})
    ) as server:
        assert client(StillClock()).get(Request(server.root + "a")).url == server.root + "b"


def test_a_redirect_that_never_ends_is_left() -> None:
    with (
        serving(in_turn(Reply(status=302, headers={"Location": "/again"}))) as server,
        pytest.raises(SiteRefused, match="redirects more than 5 times"),
    ):
        client(StillClock()).get(Request(server.root))


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest/", "http://127.0.0.1:9/", "http://[::1]/"])
def test_a_redirect_to_another_private_address_is_refused_even_from_ones_own_forum(target: str) -> None:
    with serving(in_turn(Reply(status=302, headers={"Location": target}))) as server:
        with pytest.raises(AccessDenied, match="redirects to " + re.escape(target)):
            client(StillClock()).get(Request(server.root))
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("forum.example/viewtopic.php?t=1", "not a web address"),
        ("ftp://forum.example/", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("javascript:alert(1)", "not a web address"),
        ("http://", "not a web address"),
        ("https://ada:secret@forum.example/", "user name"),
        ("http://forum.example:8080/", "port 8080"),
        ("http://forum.example:99999/", "not a web address"),
        ("http://127.0.0.1/", "private or local"),
        ("http://127.1/", "private or local"),
        ("http://2130706433/", "private or local"),
        ("http://0x7f000001/", "private or local"),
        ("http://0.0.0.0/", "private or local"),
        ("http://localhost/", "private or local"),
        ("http://10.1.2.3/", "private or local"),
        ("http://172.16.0.1/", "private or local"),
        ("http://192.168.0.1/", "private or local"),
        ("http://169.254.169.254/latest/meta-data/", "private or local"),
        ("http://100.64.0.1/", "private or local"),
        ("http://[::1]/", "private or local"),
        ("http://[::ffff:127.0.0.1]/", "private or local"),
        ("http://[fe80::1]/", "private or local"),
        ("http://[fd00::1]/", "private or local"),
    ],
)
def test_addresses_that_are_no_public_web_servers_are_refused(url: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        client(StillClock(), allow_private=False).get(Request(url))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("fec0::1", False),
        ("192.0.0.8", False),
        ("192.88.99.1", False),
        ("3fff::1", False),
        ("64:ff9b:1::7f00:1", False),
        ("100::1", False),
        ("100:0:0:1::1", False),
        ("5f00::1", False),
        ("::7f00:1", False),
        ("::ffff:192.0.0.8", False),
        ("2002:c000:8::", False),
        ("240.0.0.1", False),
    ],
)
def test_wrapped_addresses_are_unwrapped(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_connection_that_reaches_a_private_address_after_all_is_dropped_before_anything_is_sent() -> None:
    with serving(in_turn(PAGE)) as server:
        with pytest.raises(KnightfallError, match="private or local address"):
            guarded_session(allow_private=False).get(server.root)
        assert server.asked == []
