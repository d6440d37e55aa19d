"""Which characters do the bytes of a page stand for?

By the header, else by the page's own meta tag, else UTF-8, else Windows-1252, as browsers do; bytes that are
valid UTF-8 are never read as a single-byte character set, nor such without zeros as UTF-16, whatever a label
says.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
HEADER = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
SINGLE_BYTE = ("cp125", "iso8859", "latin", "koi8", "mac", "ascii")
WIDE = ("utf-16", "utf-32")
SEARCHED = 4096
FEW = 1000
"""One unreadable character in so many is a damaged character, not a wrong label."""


def decoded(body: bytes, content_type: str = "") -> str:
    """The text of a page; never raises."""
    for name in _candidates(body, content_type):
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            if name.startswith("utf") and _nearly(body, name):
                return body.decode(name, "replace")
    return body.decode("cp1252", "replace")


def _candidates(body: bytes, content_type: str) -> Iterator[str]:
    if body.startswith(codecs.BOM_UTF8):
        yield "utf-8-sig"
    valid = _is_utf8(body)
    wrong = SINGLE_BYTE if b"\0" in body else SINGLE_BYTE + WIDE
    for label in (_label(HEADER.search(content_type)), _label(META.search(body[:SEARCHED]))):
        if label and not (valid and label.startswith(wrong)):
            yield label
    yield "utf-8"


def _label(found: re.Match[str] | re.Match[bytes] | None) -> str | None:
    """The codec of a label; Latin-1 means Windows-1252 on the web."""
    if found is None:
        return None
    written = found[1].decode("ascii", "replace") if isinstance(found[1], bytes) else found[1]
    try:
        codec = codecs.lookup(written)
    except LookupError:
        return None
    # A page must not choose a codec that unpacks or rewrites ("zip", "rot13").
    if not codec._is_text_encoding:
        return None
    return "cp1252" if codec.name in ("iso8859-1", "ascii") else codec.name


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _nearly(body: bytes, name: str) -> bool:
    text = body.decode(name, "replace")
    return text.count("\ufffd") * FEW <= len(text)
