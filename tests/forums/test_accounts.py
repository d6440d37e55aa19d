"""As whom a page was read: by the greeting of each board, never by what somebody wrote into a post."""

from __future__ import annotations

import pytest

from knightfall.forums.accounts import Reader, reader_of
from knightfall.forums.base import Response

OUT = '<a href="./ucp.php?mode=logout&amp;sid=1">Logout</a>'
ENTRY = '<a href="./ucp.php?mode=login">Login</a>'


@pytest.mark.parametrize(
    ("body", "reader"),
    [
        (f'<li id="username_logged_in"><span class="username">Wren</span></li>{OUT}', Reader(True, "Wren")),
        (OUT.replace("Logout", "Logout [ Wren ]"), Reader(True, "Wren")),
        (
            '<a class="p-navgroup-link--user"><span class="p-navgroup-linkText">Wren</span></a>'
            '<a href="/logout/?t=1">Log out</a>',
            Reader(True, "Wren"),
        ),
        (
            '<div id="panel"><span class="welcome"><strong>Welcome back, <a href="/user-2">Wren</a></strong>'
            '<a href="member.php?action=logout">Log Out</a></span></div>',
            Reader(True, "Wren"),
        ),
        (OUT, Reader(True)),
        (ENTRY, Reader(False)),
        ('<form action="/x"><input type="password"></form>', Reader(False)),
        # Somebody links to the end of a session in a post; a member links to the login.
        (f"{ENTRY}<div class='content'>{OUT}</div>", Reader(None)),
        (
            f'<li id="username_logged_in"><span class="username">Wren</span></li>{OUT}<p>{ENTRY}</p>',
            Reader(True, "Wren"),
        ),
        ("<p>Soup</p>", Reader(None)),
    ],
)
def test_a_page_tells_who_is_logged_in(body: str, reader: Reader) -> None:
    page = Response("https://forum.example/", 200, f"<html><body>{body}</body></html>")
    assert reader_of(page) == reader


def test_xenforo_tells_a_guest_by_the_page_itself_and_an_answer_for_programs_tells_nobody() -> None:
    guest = '<html data-logged-in="false"><body><a href="/logout/">out</a></body></html>'
    assert reader_of(Response("", 200, guest)) == Reader(False)
    assert reader_of(Response("", 200, '{"posts": []}')) == Reader(None)
