"""Links without their reader."""

from __future__ import annotations

import pytest

from knightfall.forums.base import absolute, body_without_session, is_absolute, without_session


@pytest.mark.parametrize(
    ("html", "clean"),
    [
        ('<a href="v.php?p=1&amp;sid=0123456789abcdef0123456789abcdef#p1">', '<a href="v.php?p=1#p1">'),
        ('<a href="v.php?sid=0123456789abcdef0123456789abcdef&amp;p=1">', '<a href="v.php?p=1">'),
        ('<a href="v.php?sid=0123456789abcdef0123456789abcdef">', '<a href="v.php">'),
        ("my sid=12 is mine", "my sid=12 is mine"),
    ],
)
def test_the_readers_session_is_no_part_of_a_body(html: str, clean: str) -> None:
    assert body_without_session(html) == clean


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("viewtopic.php?t=5&amp;sid=0123456789abcdef&start=25#p7", "viewtopic.php?t=5&start=25#p7"),
        ("index.php?PHPSESSID=0a1b2c&topic=7.0", "index.php?topic=7.0"),
        ("index.php?topic=7.0;PHPSESSID=0a1b2c", "index.php?topic=7.0"),
        ("showthread.php?s=0123456789abcdef&t=3", "showthread.php?t=3"),
        ("showthread.php?12-A-game&s=0123456789abcdef", "showthread.php?12-A-game"),
        ("threads/a%20b/?x=%C3%B6+y&pages=2", "threads/a%20b/?x=%C3%B6+y&pages=2"),
    ],
)
def test_an_address_without_session_is_the_same_page(url: str, clean: str) -> None:
    assert without_session(f"https://a.example/{url}") == f"https://a.example/{clean}"


def test_a_link_that_is_no_address_leads_nowhere() -> None:
    assert not is_absolute("http://[::1")
    assert absolute("https://forum.example/t", "http://[::1") is None
