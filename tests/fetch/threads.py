"""Invented threads as phpBB 3.3 would serve them, of any length."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from fetch.loopback import Reply

PER_PAGE = 3
NEAR = 4
"""A page links to the pages so near, the first and the last."""


@dataclass
class Forum:
    """A board with one topic, t=5, whose posts can be changed while it is read: (id, author, body)."""

    posts: list[tuple[int, str, str]]

    def __call__(self, path: str) -> Reply:
        query = parse_qs(urlsplit(path).query)
        if "p" in query:
            ids = [post[0] for post in self.posts]
            return self.page(ids.index(int(query["p"][0])) // PER_PAGE * PER_PAGE)
        if query.get("t") != ["5"]:
            return Reply(message("The requested topic does not exist."), 404)
        last = (len(self.posts) - 1) // PER_PAGE * PER_PAGE
        return self.page(min(int(query.get("start", ["0"])[0]), last))

    def page(self, start: int) -> Reply:
        return Reply(page(self.posts, start))


def thread(length: int) -> list[tuple[int, str, str]]:
    """So many posts by three people."""
    return [(100 + 2 * n, ("Ada", "Boro", "Elm")[n % 3], f"Post number {n + 1}.") for n in range(length)]


def page(posts: list[tuple[int, str, str]], start: int) -> bytes:
    """The page that begins behind `start` posts."""
    pages = -(-len(posts) // PER_PAGE)
    here = start // PER_PAGE + 1
    near = (number for number in range(1, pages + 1) if number in (1, pages) or abs(number - here) < NEAR)
    links = "".join(_link(number, number == here) for number in near)
    boxes = "".join(map(_box, posts[start : start + PER_PAGE]))
    return (
        '<!DOCTYPE html><html><head><title>A game</title></head><body id="phpbb"><div id="page-body">'
        f'<h2 class="topic-title"><a href="./viewtopic.php?t=5&amp;start={start}">A game</a></h2>'
        f'<div class="pagination">{len(posts)} posts <ul>{links}</ul></div>{boxes}</div></body></html>'
    ).encode()


def message(text: str) -> bytes:
    """A page that says something instead of showing posts."""
    return f'<html><body id="phpbb"><div id="message"><p>{text}</p></div></body></html>'.encode()


def _link(number: int, active: bool) -> str:
    if active:
        return f'<li class="active"><span>{number}</span></li>'
    return f'<li><a href="./viewtopic.php?t=5&amp;start={(number - 1) * PER_PAGE}">{number}</a></li>'


def _box(post: tuple[int, str, str]) -> str:
    identity, author, body = post
    return (
        f'<div id="p{identity}" class="post"><p class="author"><strong><a class="username" '
        f'href="./memberlist.php?mode=viewprofile&amp;u={len(author)}">{author}</a></strong> » '
        f'<time datetime="2026-11-18T20:00:00+00:00">x</time></p><div class="content">{body}</div></div>'
    )
