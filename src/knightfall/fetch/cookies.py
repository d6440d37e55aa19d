"""The login that a moderator lends: cookies of their browser, in the forms in which browsers give them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from knightfall.errors import InputError

OTHERS = 0o077
EXPORT = (
    "Export the forum's cookies from your browser in Netscape format (cookies.txt) or as JSON "
    "(Cookie-Editor), or copy the line “Cookie: …” of a request."
)
IS_NONE = "is not a cookie file."
HEAD = "cookie:"
AGENT = re.compile(r"^[#\s]*User-Agent:[ \t]*([\x21-\x7e][\x20-\x7e]{0,500})", re.IGNORECASE | re.MULTILINE)
"""The browser, in the head of a request or in a remark of a file."""
HTTP_ONLY = "#HttpOnly_"
"""How a Netscape file begins the line of a cookie that scripts of the page do not see."""


@dataclass(frozen=True, slots=True)
class Loan:
    """The cookies that a server may have, and the User-Agent of the browser that they are of ("": not told).
    `elsewhere`: the moderator lends cookies, whether or not any is for this server."""

    cookies: tuple[Cookie, ...] = field(default=(), repr=False)
    agent: str = ""
    elsewhere: bool = False


def agent_in(text: str) -> str:
    """The User-Agent that stands beside cookies; "" where none does."""
    found = AGENT.search(text)
    return found[1].strip() if found else ""


def cookie_text(path: Path) -> str:
    """The text of a cookie file. Raises InputError where it cannot be read, or is open to others.

    No message ever shows a line of the file: its cookies are as good as a password.
    """
    try:
        mode = path.stat().st_mode & 0o777
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if os.name == "posix" and mode & OTHERS:
        raise InputError(
            f"{path} can be read by others (mode {mode:04o}). Whoever reads it can log in as you. "
            f"Close it first: chmod 600 {path}"
        )
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}.") from None


def parse_cookies(text: str, name: str, url: str = "") -> CookieJar:
    """Parse the cookies of a Netscape cookie file, of the JSON of Cookie-Editor, or of a `Cookie:` line.
    The last says nothing of its server: it is meant for that of `url`, and for https alone where that is so.

    Raises InputError for anything else, and where no cookie is valid any more; `name` is what the messages
    call the text, of which they show nothing.
    """
    jar = CookieJar()
    for cookie in _cookies(text.strip(), name, url):
        jar.set_cookie(cookie)
    jar.clear_expired_cookies()
    if not len(jar):
        raise InputError(f"{name} has no cookies that are still valid. Log in again. {EXPORT}")
    return jar


def _cookies(text: str, name: str, url: str) -> Iterable[Cookie]:
    if text.startswith(("[", "{")):
        try:
            return list(_of_json(json.loads(text)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(f"{name} {IS_NONE} {EXPORT}") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if found := [cookie for line in lines if (cookie := _of_netscape(line)) is not None]:
        return found
    if lines and all(line.startswith("#") for line in lines):
        return ()

    # A line of a request; where the server is known, without its head, too.
    split = urlsplit(url)
    line = next((one for one in lines if one.casefold().startswith(HEAD)), "")
    if not line and split.hostname and len(lines) == 1:
        line = f"{HEAD} {lines[0]}"
    pairs = list(_pairs(line[len(HEAD) :]))
    if not pairs:
        raise InputError(f"{name} {IS_NONE} {EXPORT}")
    if not split.hostname:
        raise InputError(
            f"{name} is a line of cookies, which does not say of which server they are. Export them in "
            "Netscape format, or log in on the page of Knightfall."
        )
    return [_cookie(key, value, split.hostname, secure=split.scheme == "https") for key, value in pairs]


def _of_netscape(line: str) -> Cookie | None:
    """The cookie of a line with seven columns; None for a remark, and for any other line."""
    http_only = line.startswith(HTTP_ONLY)
    columns = line.removeprefix(HTTP_ONLY).split("\t")
    if (line.startswith("#") and not http_only) or len(columns) != 7:
        return None
    domain, _, path, secure, expires, key, value = columns
    # Browsers write 0 for "until the browser is closed", which is not 1970.
    try:
        until = int(float(expires or 0)) or None
    except (ValueError, OverflowError):
        return None
    return _cookie(key, value, domain, path, secure.upper() == "TRUE", until)


def _of_json(said: Any) -> Iterator[Cookie]:
    """The cookies of a list of objects, or of an object with such a list. Raises what a wrong shape does."""
    rows: list[Mapping[str, Any]] = said["cookies"] if isinstance(said, dict) else said
    for row in rows:
        until = row.get("expirationDate", row.get("expires"))
        expires = int(until) if isinstance(until, int | float) and until > 0 else None
        name, value, domain = (str(row[key]) for key in ("name", "value", "domain"))
        yield _cookie(name, value, domain, str(row.get("path") or "/"), bool(row.get("secure")), expires)


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for part in line.split(";"):
        key, sign, value = part.strip().partition("=")
        if key and sign and not any(letter.isspace() for letter in key):
            yield key, value


def _cookie(
    name: str, value: str, domain: str, path: str = "/", secure: bool = False, expires: int | None = None
) -> Cookie:
    return Cookie(
        version=0, name=name, value=value, port=None, port_specified=False, domain=domain,
        domain_specified=domain.startswith("."), domain_initial_dot=domain.startswith("."), path=path or "/",
        path_specified=True, secure=secure, expires=expires, discard=expires is None, comment=None,
        comment_url=None, rest={},
    )  # fmt: skip


def is_for(cookie: Cookie, host: str) -> bool:
    """Whether a browser would send a cookie to a host: that of its domain, or one below it."""
    domain = cookie.domain.removeprefix(".").casefold()
    return host.casefold() == domain or host.casefold().endswith(f".{domain}")
