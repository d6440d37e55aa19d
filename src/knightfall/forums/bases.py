"""What are a page's links relative to, and do they stay on the page's own server?"""

from __future__ import annotations

from urllib.parse import urlsplit

from knightfall.forums.adapter import Response
from knightfall.forums.links import absolute, is_absolute
from knightfall.forums.soup import Tag, attribute, maybe


def base_of(page: Response, tree: Tag) -> str:
    """The page's base where it names one on its own server, else its address."""
    told = absolute(page.url, attribute(maybe(tree, "base[href]"), "href") or "")
    return told if told and same_server(told, page.url) else page.url


def same_server(url: str, page: str) -> bool:
    """A page does not send us to another server; a saved page's address may be unknown."""
    return not is_absolute(page) or urlsplit(url).hostname == urlsplit(page).hostname
