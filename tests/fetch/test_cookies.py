"""Cookies in the three forms in which browsers give them, read by one parser; no message shows them."""

from __future__ import annotations

import json

import pytest

from knightfall.errors import InputError
from knightfall.fetch.cookies import is_for, parse_cookies

URL = "https://forum.example/viewtopic.php?t=9"
NETSCAPE = (
    "# Netscape HTTP Cookie File\n"
    "#HttpOnly_.forum.example\tTRUE\t/\tTRUE\t4102444800\tphpbb_sid\tcanary\n"
    "forum.example\tFALSE\t/\tFALSE\t0\tphpbb_u\t42\n"
)
EDITOR = json.dumps(
    [
        {"domain": ".forum.example", "expirationDate": 4102444800.5, "hostOnly": False, "httpOnly": True,
         "name": "phpbb_sid", "path": "/", "sameSite": "lax", "secure": True, "session": False,
         "storeId": None, "value": "canary"},
        {"domain": "forum.example", "hostOnly": True, "httpOnly": False, "name": "phpbb_u", "path": "/",
         "sameSite": None, "secure": False, "session": True, "storeId": None, "value": "42"},
    ]
)  # fmt: skip
LINE = "Cookie: phpbb_sid=canary; phpbb_u=42"


@pytest.mark.parametrize(
    "text",
    [
        NETSCAPE,
        NETSCAPE.partition("\n")[2],
        NETSCAPE.replace("\n", "\r\n"),
        EDITOR,
        json.dumps({"cookies": json.loads(EDITOR)}),
        LINE,
        LINE.removeprefix("Cookie: "),
        f"GET / HTTP/1.1\nHost: forum.example\n{LINE.replace('Cookie', 'cookie')}\nAccept: */*",
    ],
)
def test_every_form_gives_the_same_cookies(text: str) -> None:
    jar = {cookie.name: cookie for cookie in parse_cookies(text, "What you pasted", URL)}
    assert {name: cookie.value for name, cookie in jar.items()} == {"phpbb_sid": "canary", "phpbb_u": "42"}
    assert jar["phpbb_sid"].secure
    assert all(is_for(cookie, "forum.example") for cookie in jar.values())
    assert not any(is_for(cookie, "otherforum.example") for cookie in jar.values())


def test_a_line_of_cookies_is_for_the_server_that_is_named_and_over_https_where_that_is_so() -> None:
    [secure, *_] = parse_cookies(LINE, "It", URL)
    [plain, *_] = parse_cookies(LINE, "It", "http://forum.example/")
    assert secure.secure
    assert not plain.secure
    with pytest.raises(InputError, match="does not say of which server"):
        parse_cookies(LINE, "cookies.txt")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a cookie file"),
        ("canary", "is not a cookie file"),
        ("I am canary\nand so is she", "is not a cookie file"),
        ('{"canary": 1}', "is not a cookie file"),
        ('[{"name": "canary"}]', "is not a cookie file"),
        ("[canary", "is not a cookie file"),
        ("[" * 100_000, "is not a cookie file"),
        (
            NETSCAPE.replace("4102444800", "1000").replace("\t0\t", "\t1000\t"),
            "no cookies that are still valid",
        ),
    ],
)
def test_what_is_none_or_has_expired_is_told_and_never_shown(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse_cookies(text, "What you pasted", URL)
    assert "canary" not in caught.value.message
