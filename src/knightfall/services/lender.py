"""Who lends the moderator's logins to forums: those that are kept, and the cookies of a file."""

from __future__ import annotations

from hashlib import sha256
from http.cookiejar import Cookie
from pathlib import Path
from urllib.parse import urlsplit

from knightfall.fetch.clock import Clock
from knightfall.fetch.cookies import Loan, agent_in, cookie_text, is_for, parse_cookies
from knightfall.storage.logins import Login, Logins, server_of

LENT = "lent"
"""The folder with what came back for the cookies of a file, which itself stays as it is."""
_DIGITS = 12


class Lender:
    """Lends the logins that are kept, and before them the cookies of a file where one was given; keeps what
    comes back for either. Raises InputError for a file that is none."""

    def __init__(self, logins: Logins, clock: Clock, file: Path | None = None, agent: str = "") -> None:
        self._logins, self._clock, self._lent, self._agent = logins, clock, logins, agent
        self._cookies: tuple[Cookie, ...] = ()
        if file is not None:
            text = cookie_text(file)
            self._cookies = tuple(parse_cookies(text, str(file)))
            self._agent = agent or agent_in(text)
            path, holds = (
                sha256(said.encode()).hexdigest()[:_DIGITS] for said in (str(file.resolve()), text)
            )
            self._lent = Logins(logins.folder, LENT, f"{path}-{holds} ")
            # What came back for what the file held before is of no use any more.
            for old in (logins.folder / LENT).glob(f"{path}-*.json"):
                if not old.name.startswith(f"{path}-{holds}"):
                    old.unlink(missing_ok=True)

    def loan(self, url: str) -> Loan:
        """The login of the server of an address."""
        host = urlsplit(url).hostname or ""
        if any(is_for(cookie, host) for cookie in self._cookies):
            found = self._lent.of(url)
            return Loan(found.cookies if found else self._cookies, self._agent, elsewhere=True)
        kept = self._logins.of(url)
        lends = bool(self._cookies)
        return Loan(kept.cookies, kept.agent, lends) if kept else Loan(elsewhere=lends)

    def came_back(self, url: str, cookies: tuple[Cookie, ...]) -> None:
        """Keep what came back in place of what was lent. Raises InputError where it cannot be written."""
        if any(is_for(cookie, urlsplit(url).hostname or "") for cookie in self._cookies):
            self._lent.keep(Login(server_of(url), "", self._clock.now(), cookies, self._agent))
        else:
            self._logins.came_back(url, cookies)
