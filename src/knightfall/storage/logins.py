"""The logins that a moderator lends to forums: cookies, a file a server, in their own folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from knightfall.errors import InputError
from knightfall.storage.drafts import write_draft

FOLDER = "logins"
SCHEMA = 1
USUAL = (80, 443)
KEPT = ("name", "value", "domain", "path", "secure", "expires")
"""What is kept of a cookie."""


def server_of(url: str) -> str:
    """The server of an address: its host, which is the same with “www.” before it, and a port that is not one
    of the usual ones; "" for what is no address."""
    try:
        split = urlsplit(url)
        host, port = (split.hostname or "").removeprefix("www."), split.port
    except ValueError:
        return ""
    return host if port is None or port in USUAL else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class Login:
    """The login of a server: as whom (“”: the forum does not tell), since when, and its cookies, which are as
    good as a password; `agent` is the User-Agent of the browser that they are of."""

    server: str
    account: str
    at: datetime
    cookies: tuple[Cookie, ...] = field(repr=False)
    agent: str = ""


@dataclass(slots=True)
class Logins:
    """The logins in `folder`, each in a file that its owner alone may read; `part` is where in it, `mark` how
    their names begin."""

    folder: Path
    part: str = FOLDER
    mark: str = ""
    _tried: Login | None = None

    def all(self) -> tuple[Login, ...]:
        """Every login, by its server. A file that cannot be read is none."""
        place = self.folder / self.part
        files = sorted(place.glob("*.json")) if place.is_dir() else ()
        return tuple(found for file in files if (found := _read(file)) is not None)

    def of(self, url: str) -> Login | None:
        """The login of the server of an address: the one that is tried, else the one that is kept."""
        server = server_of(url)
        if self._tried is not None and self._tried.server == server:
            return self._tried
        return _read(self._file(server)) if server else None

    @contextmanager
    def trying(self, login: Login) -> Iterator[None]:
        """Use a login that is not kept yet."""
        self._tried = login
        try:
            yield
        finally:
            self._tried = None

    @property
    def tried(self) -> Login | None:
        """The login that is tried, with the cookies that came back for it."""
        return self._tried

    def came_back(self, url: str, cookies: tuple[Cookie, ...]) -> None:
        """The cookies that a server gave for those of its login: they are kept in their place. Raises as
        `keep`."""
        known = self.of(url)
        if known is not None and known is self._tried:
            self._tried = replace(known, cookies=cookies)
        elif known is not None:
            self.keep(replace(known, cookies=cookies))

    def keep(self, login: Login) -> None:
        """Keep a login in place of an earlier one of its server. Raises InputError where it cannot be
        written."""
        cookies = [{name: getattr(cookie, name) for name in KEPT} for cookie in login.cookies]
        row = {
            "schema": SCHEMA,
            "server": login.server,
            "account": login.account,
            "at": login.at.isoformat(),
            "agent": login.agent,
            "cookies": cookies,
        }
        file = self._file(login.server)
        write_draft(self.folder, self.part, file.name, json.dumps(row, ensure_ascii=False, indent=1))

    def remove(self, server: str) -> None:
        """Forget the login of a server. Raises InputError where its file cannot be removed."""
        file = self._file(server)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{file} cannot be removed: {error.strerror}.") from None

    def _file(self, server: str) -> Path:
        return self.folder / self.part / f"{quote(self.mark + server, safe='')}.json"


def _read(file: Path) -> Login | None:
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        if row["schema"] != SCHEMA:
            return None
        cookies = tuple(_cookie(one) for one in row["cookies"])
        at, agent = datetime.fromisoformat(row["at"]), str(row.get("agent", ""))
        return Login(str(row["server"]), str(row["account"]), at, cookies, agent)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _cookie(row: Any) -> Cookie:
    domain, expires = str(row["domain"]), row["expires"]
    return Cookie(
        version=0, name=str(row["name"]), value=str(row["value"]), port=None, port_specified=False,
        domain=domain, domain_specified=domain.startswith("."), domain_initial_dot=domain.startswith("."),
        path=str(row["path"]), path_specified=True, secure=bool(row["secure"]),
        expires=None if expires is None else int(expires), discard=expires is None, comment=None,
        comment_url=None, rest={},
    )  # fmt: skip
