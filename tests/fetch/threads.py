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
    return topic_page(Topic("A game", [Said(*post) for post in posts]), start)


@dataclass
class Said:
    """A post as a page shows it; `edited`: the words of the notice below it."""

    id: int
    author: str
    body: str
    at: str = "2026-11-18T20:00:00+00:00"
    edited: str = ""


@dataclass
class Topic:
    """A topic of a board."""

    title: str
    posts: list[Said]
    id: int = 5
    per_page: int = PER_PAGE


def topic_page(topic: Topic, start: int) -> bytes:
    """The page of a topic that begins behind `start` posts."""
    posts, size = topic.posts, topic.per_page
    pages = -(-len(posts) // size)
    here = start // size + 1
    near = (number for number in range(1, pages + 1) if number in (1, pages) or abs(number - here) < NEAR)
    links = "".join(_link(topic, number, number == here) for number in near)
    boxes = "".join(map(_box, posts[start : start + size]))
    link = f"./viewtopic.php?t={topic.id}&amp;start={start}"
    return (
        f'<!DOCTYPE html><html><head><title>{topic.title}</title></head><body id="phpbb"><div id="page-body">'
        f'<h2 class="topic-title"><a href="{link}">{topic.title}</a></h2>'
        f'<div class="pagination">{len(posts)} posts <ul>{links}</ul></div>{boxes}</div></body></html>'
    ).encode()


def message(text: str) -> bytes:
    """A page that says something instead of showing posts."""
    return f'<html><body id="phpbb"><div id="message"><p>{text}</p></div></body></html>'.encode()


def login() -> bytes:
    """A page that asks who is there."""
    return (
        b'<html><body id="phpbb"><form action="./ucp.php?mode=login" method="post">'
        b'<input type="text" name="username"><input type="password" name="password"></form></body></html>'
    )


def _link(topic: Topic, number: int, active: bool) -> str:
    if active:
        return f'<li class="active"><span>{number}</span></li>'
    start = (number - 1) * topic.per_page
    return f'<li><a href="./viewtopic.php?t={topic.id}&amp;start={start}">{number}</a></li>'


def _box(post: Said) -> str:
    notice = f'<div class="notice">{post.edited}</div>' if post.edited else ""
    return (
        f'<div id="p{post.id}" class="post"><p class="author"><strong><a class="username" '
        f'href="./memberlist.php?mode=viewprofile&amp;u={len(post.author)}">{post.author}</a></strong> » '
        f'<time datetime="{post.at}">x</time></p><div class="content">{post.body}</div>{notice}</div>'
    )
