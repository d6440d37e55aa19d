"""Which characters the bytes of a page stand for."""

from __future__ import annotations

import pytest

from knightfall.fetch.saved import decoded

GERMAN = "Zoë wählt Łukasz"


@pytest.mark.parametrize(
    ("body", "header", "expected"),
    [
        ("Zoë".encode(), "text/html; charset=utf-8", "Zoë"),
        ("Zoë".encode("cp1252"), "text/html; charset=ISO-8859-1", "Zoë"),
        ("“Zoë”".encode("cp1252"), "text/html; charset=iso-8859-1", "“Zoë”"),
        ("Иван".encode("cp1251"), "text/html; charset=windows-1251", "Иван"),
        (
            b'<meta charset="windows-1251">' + "Иван".encode("cp1251"),
            "text/html",
            '<meta charset="windows-1251">Иван',
        ),
        ("Zoë".encode(), "", "Zoë"),
        ("Zoë".encode("cp1252"), "", "Zoë"),
        (b"\xef\xbb\xbf" + "Zoë".encode(), "", "Zoë"),
        (GERMAN.encode(), "text/html; charset=iso-8859-1", GERMAN),
        ("Zoë".encode("cp1252"), "text/html; charset=utf-8", "Zoë"),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本"),
        ("Zoë".encode(), "text/html; charset=no-such-thing", "Zoë"),
        (b"Zo", "text/html; charset=zip", "Zo"),
        ("Zoë!".encode(), "text/html; charset=utf-16", "Zoë!"),
        ("Zoe!".encode("utf-16-le"), "text/html; charset=utf-16-le", "Zoe!"),
    ],
)
def test_bytes_are_read_by_header_then_meta_then_likelihood(body: bytes, header: str, expected: str) -> None:
    assert decoded(body, header) == expected


def test_one_damaged_character_does_not_spoil_the_page() -> None:
    text = "Zoë " * 2000
    assert decoded(text.encode() + b"\xff", "text/html; charset=utf-8") == text + "\ufffd"
