"""What are a page's links relative to, and do they stay on the page's own server?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from knightfall.forums.adapter import Request, Response, ThreadRef
from knightfall.forums.links import absolute, is_absolute, without_session
from knightfall.forums.soup import Tag, attribute, maybe


def base_of(page: Response, tree: Tag) -> str:
    """The page's base where it names one on its own server, else its address."""
    told = absolute(page.url, attribute(maybe(tree, "base[href]"), "href") or "")
    return told if told and same_server(told, page.url) else page.url


def same_server(url: str, page: str) -> bool:
    """A page does not send us to another server; a saved page's address may be unknown."""
    return not is_absolute(page) or urlsplit(url).hostname == urlsplit(page).hostname


def own_request(page: Response, tree: Tag, link: str | None) -> Request | None:
    """What a link of the page asks for; None without one, and for one to another server."""
    target = absolute(base_of(page, tree), link) if link else None
    return Request(without_session(target)) if target and same_server(target, page.url) else None


def own_thread(
    page: Response, tree: Tag, links: Iterable[str], locate: Callable[[str], ThreadRef | None]
) -> ThreadRef | None:
    """The first thread, not a single post, that one of these links means on the page's own server."""
    base = base_of(page, tree)
    targets = (absolute(base, link) for link in links)
    refs = (locate(target) for target in targets if target and same_server(target, page.url))
    return next((replace(ref, start=0) for ref in refs if ref and not ref.id.startswith("p")), None)
