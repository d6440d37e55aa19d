"""As whom a page of a forum was read: boards greet who is logged in, and offer a login to who is not."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from knightfall.errors import LayoutChanged
from knightfall.forums.exchange import Response
from knightfall.forums.html import attribute, every, maybe, parse_page, words
from knightfall.forums.payload import is_json

# Where boards write the name of who is logged in: phpBB 3.1 on, XenForo 2 and 1, MyBB, SMF 2.1 and 2.0,
# vBulletin 4, Invision 4.
NAMES = (
    "#username_logged_in .username",
    ".p-navgroup-link--user .p-navgroup-linkText",
    "#AccountMenu .primaryText",
    "#panel .welcome strong a",
    "#profile_menu_top .textmenu",
    ".greeting span",
    ".welcomelink a",
    "#elUserLink",
)
OUT = 'a[href*="logout"], a[href*="do=signout"], form[action*="logout"]'
IN = 'a[href*="login"], form[action*="login"], input[type="password"]'
BRACKETED = re.compile(r"\[\s*([^\[\]]{1,60}?)\s*\]")
"""“Logout [ Wren ]”, as phpBB writes it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who read a page: `logged_in` is None where the page does not tell, `name` "" where it tells none."""

    logged_in: bool | None
    name: str = ""


def reader_of(page: Response) -> Reader:
    """As whom a page was read, as far as it says so outside of any post's own words."""
    if is_json(page.text):
        return Reader(None)
    try:
        tree = parse_page(page.text)
    except LayoutChanged:
        return Reader(None)
    told = attribute(maybe(tree, "html[data-logged-in]"), "data-logged-in")
    out, entry = maybe(tree, OUT) is not None or told == "true", maybe(tree, IN) is not None
    name = next((said for selector in NAMES for tag in every(tree, selector) if (said := words(tag))), "")
    if not name:
        found = (BRACKETED.search(words(link)) for link in every(tree, OUT))
        name = next((match[1] for match in found if match), "")
    if told == "false" or (entry and not out):
        return Reader(False)
    # Anybody may write a link to the end of a session into a post.
    return Reader(True, name) if out and (name or not entry) else Reader(None)


def keys_good_once(cookies: Collection[str]) -> frozenset[str]:
    """Which of these cookies, by name, a board takes once and gives a new one for: phpBB's remembered login,
    where a session stands beside it that may still serve."""
    heads = (name.removesuffix("_k") for name in cookies if name.endswith("_k"))
    return frozenset(f"{head}_k" for head in heads if {f"{head}_u", f"{head}_sid"} <= set(cookies))
