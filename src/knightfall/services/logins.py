"""A login that the moderator lends to read a forum: tried at once, kept for its server, removed."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from knightfall.errors import AccessDenied, EvidenceError, InputError, LoginRequired
from knightfall.fetch.cookies import agent_in, is_for, parse_cookies
from knightfall.forums.accounts import reader_of
from knightfall.forums.addresses import require_address
from knightfall.forums.base import Request, Response
from knightfall.forums.pages import read_chunk
from knightfall.services.session import Session
from knightfall.storage.logins import Login, Logins, server_of

SAID = "What you pasted"
NOT_IN = (
    "These cookies did not log you in to {server}: they have expired, or the forum takes them only from the "
    "browser that they are of. Log in in this browser, export its cookies, and paste them here. Nothing was "
    "kept."
)


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """A login that was tried and is kept: as whom, where the forum tells that; `sure`: it tells that
    somebody is logged in."""

    server: str
    account: str
    sure: bool


def log_in(address: str, said: str, session: Session, agent: str = "") -> LoggedIn:
    """Read the page of a thread with the cookies that were pasted, and keep them for its server alone: those
    that came back for them. `agent` is the User-Agent of the browser that they are of, unless they tell it.

    Raises InputError for what is no cookies, none of that server, or logs nobody in; what fetching a page
    raises.
    """
    require_address(address)
    host, server = urlsplit(address).hostname or "", server_of(address)
    jar = parse_cookies(said, SAID, address)
    own = [copy(cookie) for cookie in jar if is_for(cookie, host)]
    if not own:
        others = ", ".join(sorted({cookie.domain.removeprefix(".") for cookie in jar})[:5])
        raise InputError(
            f"None of these cookies is for {host}: they are for {others}. Export those of the forum itself."
        )
    # What a browser got over https goes nowhere else.
    if urlsplit(address).scheme == "https":
        for cookie in own:
            cookie.secure = True
    elif all(cookie.secure for cookie in own):
        raise InputError(f"These cookies go over https only. Give the address as https://{server}/…")

    logins, now = logins_of(session), session.clock.now()
    tried = Login(server, "", now, tuple(own), agent_in(said) or agent)
    with logins.trying(tried):
        page = session.fetch.get(Request(address))
        tried = logins.tried or tried
    reader = reader_of(page)
    if reader.logged_in is False or _is_closed(page, session):
        raise InputError(NOT_IN.format(server=server))
    logins.keep(replace(tried, account=reader.name))
    return LoggedIn(server, reader.name, reader.logged_in is True)


def _is_closed(page: Response, session: Session) -> bool:
    """Whether the forum wants a login, or another one, for a page."""
    try:
        read_chunk(page, page.url, session.clock.now())
    except (LoginRequired, AccessDenied):
        return True
    except EvidenceError:  # no thread, but it was shown
        return False
    return False


def logins_of(session: Session) -> Logins:
    """The logins of this user. Raises InputError where there is nowhere to keep them."""
    if session.logins is None:
        raise InputError("There is no folder of yours in which a login could be kept.")
    return session.logins()
