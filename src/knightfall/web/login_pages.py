"""Logins that the moderator lends to forums: cookies that are pasted, tried, kept and removed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, Response

from knightfall.services.logins import log_in, logins_of
from knightfall.web.pages import ThePage

router = APIRouter()


@router.get("/logins")
def logins(page: ThePage) -> HTMLResponse:
    """The servers for which a login is kept; never the login itself."""
    return page.show("logins", logins=logins_of(page.web.games.thread_session()).all())


@router.post("/logins")
def new_login(
    page: ThePage, login_address: Annotated[str, Form()] = "", cookies: Annotated[str, Form()] = ""
) -> Response:
    """Try cookies on the page of a thread, and keep them for its server if they log somebody in."""
    agent = page.request.headers.get("user-agent", "")
    found = log_in(login_address.strip(), cookies, page.web.games.thread_session(), agent)
    if found.account:
        said = f"Logged in to {found.server} as {found.account}."
    elif found.sure:
        said = f"Logged in to {found.server}; the page does not tell as whom."
    else:
        said = (
            f"{found.server} was read with these cookies; its page does not tell whether you are logged in."
        )
    more = "Every page of it is read with this login from now on, until you remove it under Forum logins."
    return page.done(page.back, said, more)


@router.post("/logins/remove")
def remove_login(page: ThePage, server: Annotated[str, Form()]) -> Response:
    """Forget the login of a server."""
    logins_of(page.web.games.thread_session()).remove(server)
    return page.done("/logins", f"The login of {server} is removed. Its pages are read as a guest again.")
