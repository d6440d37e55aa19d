"""Addresses of pages: their parameters, what they are beside each other, and the sessions that leave them."""

from __future__ import annotations

from collections.abc import Mapping
from html import unescape
from re import compile as pattern
from urllib.parse import unquote_plus, urljoin, urlsplit, urlunsplit

from knightfall.errors import InputError

SESSIONS = frozenset({"sid", "phpsessid", "s"})
"""Parameters that name the reader's session: they never belong to the address of a post."""

_PARTS = pattern(r"([&;]|^)([^&;]+)")
# A session in the query of a link, between what separates it from the parameters beside it. `s` alone may
# be another thing: only a long value is a session.
_SID = pattern(r"(?P<before>\?|&amp;|&|;)(?:sid|PHPSESSID|s)=[0-9a-z]{16,64}(?P<after>&amp;|&|;)?")


def query_of(url: str) -> Mapping[str, str]:
    """The parameters of a URL; one written twice counts as last written, `&amp;` is read as `&`."""
    parts = (part.partition("=") for part in urlsplit(unescape(url)).query.split("&") if part)
    return {unquote_plus(name): unquote_plus(value) for name, _, value in parts}


def number_in(url: str, name: str) -> int | None:
    """A parameter that is a plain number."""
    value = query_of(url).get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def require_address(url: str) -> None:
    """Raise InputError for an address that cannot be taken apart, such as “http://[::1”."""
    try:
        _ = urlsplit(url).port
    except ValueError as fault:
        raise InputError(
            f"{url} is not the address of a page ({fault}). Copy it from your browser."
        ) from None


def is_absolute(url: str) -> bool:
    """True for a URL that a browser could open from anywhere."""
    try:
        split = urlsplit(url)
    except ValueError:  # such as “http://[::1”: a page may link to anything
        return False
    return split.scheme in ("http", "https") and bool(split.hostname)


def absolute(page: str, link: str) -> str | None:
    """A link of a page as an absolute URL; None where it is none, or the page's own address is unknown."""
    try:
        url = urljoin(page, link.strip())
    except ValueError:
        return None
    return url if is_absolute(url) else None


def without_session(url: str) -> str:
    """An address without the reader's session; what else it says stays as it is written."""
    split = urlsplit(unescape(url))
    kept = (part for part in _PARTS.findall(split.query) if part[1].partition("=")[0].lower() not in SESSIONS)
    query = "".join(f"{before}{part}" for before, part in kept)
    return urlunsplit(split._replace(query=query.lstrip("&;")))


def body_without_session(html: str) -> str:
    """HTML without the session that boards write into the links of a reader without cookies."""
    return _SID.sub(lambda found: found["before"] if found["after"] else "", html)


def at_path(url: str, path: str) -> str:
    """Another path on the URL's own server, without parameters."""
    return urlunsplit(urlsplit(url)._replace(path=path, query="", fragment=""))


def folder_of(url: str) -> str:
    """The URL up to the last slash of its path, without parameters."""
    return at_path(url, urlsplit(url).path.rpartition("/")[0] + "/")
