"""The login that a moderator lends: a cookie file from their browser, which only they can read."""

from __future__ import annotations

import os
import warnings
from http.cookiejar import CookieJar, LoadError, MozillaCookieJar
from pathlib import Path

from knightfall.errors import InputError

OTHERS = 0o077
EXPORT = (
    "Export the forum's cookies from your browser in Netscape format (cookies.txt); its first line is "
    '"# Netscape HTTP Cookie File".'
)


def read_cookies(path: Path) -> CookieJar:
    """The cookies of a Netscape cookie file. Raises InputError where it is none, or open to others.

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

    jar = MozillaCookieJar(path)
    try:
        with warnings.catch_warnings(action="ignore"):
            jar.load(ignore_discard=True, ignore_expires=True)
    except LoadError:
        raise InputError(f"{path} is not a cookie file. {EXPORT}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}.") from None

    # Browsers write 0 for "until the browser is closed", which is not 1970.
    for cookie in jar:
        if cookie.expires == 0:
            cookie.expires, cookie.discard = None, True
    jar.clear_expired_cookies()

    if not len(jar):
        raise InputError(f"{path} has no cookies that are still valid. Log in again. {EXPORT}")
    return jar
