"""What does a link of a forum say, and how is it written without the reader's own session in it?"""

from __future__ import annotations

from collections.abc import Mapping
from html import unescape
from re import compile as pattern
from urllib.parse import parse_qsl, urljoin, urlsplit, urlunsplit

from knightfall.forums.adapter import ThreadRef

SESSIONS = frozenset({"sid", "phpsessid", "s"})
"""Parameters that name the reader's session: they never belong to the address of a post."""

_PARTS = pattern(r"([&;]|^)([^&;]+)")
_SID = pattern(r"(?P<before>\?|&amp;|&|;)(?:sid|PHPSESSID|s)=[0-9a-z]{16,64}(?P<after>&amp;|&|;)?")


def query_of(url: str) -> Mapping[str, str]:
    """The parameters of a URL; one written twice counts as last written, `&amp;` is read as `&`."""
    return dict(parse_qsl(urlsplit(unescape(url)).query, keep_blank_values=True))


def number_in(url: str, name: str) -> int | None:
    """A parameter that is a plain number."""
    value = query_of(url).get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def is_absolute(url: str) -> bool:
    """True for a URL that a browser could open from anywhere."""
    split = urlsplit(url)
    return split.scheme in ("http", "https") and bool(split.hostname)


def absolute(page: str, link: str) -> str | None:
    """A link of a page as an absolute URL; None where the page's own address is unknown."""
    url = urljoin(page, link.strip())
    return url if is_absolute(url) else None


def without_session(url: str) -> str:
    """The same address without the reader's session; what else it says stays as it is written."""
    split = urlsplit(unescape(url))
    kept = (part for part in _PARTS.findall(split.query) if part[1].partition("=")[0].lower() not in SESSIONS)
    query = "".join(f"{before}{part}" for before, part in kept)
    return urlunsplit(split._replace(query=query.lstrip("&;")))


def body_without_session(html: str) -> str:
    """The same HTML without the session that boards write into the links of a reader without cookies."""
    return _SID.sub(lambda found: found["before"] if found["after"] else "", html)


def at_path(url: str, path: str) -> str:
    """Another path on the URL's own server, without parameters."""
    return urlunsplit(urlsplit(url)._replace(path=path, query="", fragment=""))


def folder_of(url: str) -> str:
    """The URL up to the last slash of its path, without parameters."""
    return at_path(url, urlsplit(url).path.rpartition("/")[0] + "/")


def thread_asked(platform: str, url: str, topic: str, post: str, start: int) -> ThreadRef | None:
    """The thread that a URL's parameter `topic` names, else the "p" + id of the post that `post` names.

    `start` is the page or offset that it asks for; the forum's root is the folder of its script.
    """
    thread, single = number_in(url, topic), number_in(url, post)
    identity = str(thread) if thread is not None else f"p{single}" if single is not None else None
    return ThreadRef(platform, folder_of(url), identity, start) if identity else None


def page_between(before: str | None, after: str | None, url: str) -> int:
    """The number of a page by its links to the one before and the one after, else by its own address."""
    if after and (number := number_in(after, "page")):
        return number - 1
    return (number_in(before, "page") or 1) + 1 if before else number_in(url, "page") or 1
