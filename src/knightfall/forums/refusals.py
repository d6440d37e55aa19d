"""How do we tell that a forum gave a page, but not the posts? The same sentences for every platform.

Which of them is true is for the adapter to say: by markup first, by wording last.
"""

from __future__ import annotations

import re

from knightfall.errors import (
    AccessDenied,
    KnightfallError,
    LayoutChanged,
    LoginRequired,
    PastTheEnd,
    TopicMissing,
)
from knightfall.forums.adapter import Response

SAVE_PAGES = "then: knightfall read --from-html FILE..."

DENIED = re.compile(
    r"authori[sz]|autori[sz]|permission|permiss|permit|berechtig|zugriff|bevoegd|toegang|behörig|"
    r"uprawnie|dostęp|oprávněn|прав[аоы]?\b|доступ",
    re.IGNORECASE,
)
"""What boards say who refuse, in the languages of the boards: the last hint, after status and markup."""


def login_required(page: Response, text: str = "") -> LoginRequired:
    """The page has a password field and no posts, or says that one has to log in."""
    said = f' ("{text}")' if text else ""
    return LoginRequired(
        f"{page.url or 'The page'} shows a login form, not posts{said}. Lend your login (--cookies FILE), or "
        f"save the pages in your browser while logged in, {SAVE_PAGES}"
    )


def refused(page: Response, text: str) -> KnightfallError:
    """AccessDenied or TopicMissing: by the status, else by what the board's message says."""
    if page.status in (401, 403) or (page.status not in (404, 410) and DENIED.search(text)):
        return access_denied(page, text)
    return topic_missing(page, text)


def access_denied(page: Response, text: str) -> AccessDenied:
    """The board says that we may not read this."""
    return AccessDenied(
        f'{page.url or "The page"}: the board refuses: "{text}". Save the pages in your browser while logged '
        f"in as somebody who may read it, {SAVE_PAGES}"
    )


def topic_missing(page: Response, text: str = "") -> TopicMissing:
    """The board says, or its answer's status does, that there is no such topic."""
    said = f'; the board says: "{text}"' if text else ""
    return TopicMissing(f"{page.url or 'The page'} shows no topic{said}. Moved? Give its new address.")


def past_the_end(page: Response, known: str) -> PastTheEnd:
    """The URL asks for what lies behind the last page; `known` says what the thread has."""
    return PastTheEnd(
        f"{page.url} lies behind the end: the thread has {known}. The board answered with another page. "
        "Give the address of the thread itself."
    )


def past_the_last_page(page: Response, pages: int) -> PastTheEnd:
    """The same, for a thread with so many pages."""
    return past_the_end(page, f"{pages} page{'s' * (pages > 1)}")


def refuse_beyond(page: Response, asked: int, pages: int) -> None:
    """Raises PastTheEnd where the page that the URL asks for is behind the last; 0 where it asks for none."""
    if asked > pages:
        raise past_the_last_page(page, pages)


def no_posts(page: Response, software: str, tried: str) -> LayoutChanged:
    """A page of a known platform without any post; `tried` in brackets."""
    return LayoutChanged(
        f"{page.url or 'The page'} is of a {software} board, but no post boxes were found on it ({tried}). "
        "If it is an index or a search, give the address of the topic; otherwise the forum's layout changed. "
        "No count was made."
    )
