"""A forum on this machine that a script posts into: phpBB's pages over HTTP, by a clock that we turn, with
private topics behind a login."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from fetch.loopback import Reply, StillClock, serving
from fetch.threads import Said, Topic, login, message, topic_page

PER_PAGE = 25
COOKIE = "phpbb3_sid"
_SIMPLE = ("b", "i", "u", "s")
_TAGS = (
    (r"\[area=([^\]]*)\](.*?)\[/area\]", r"<fieldset><legend>\1</legend>\2</fieldset>"),
    (
        r"\[quote=([^\]]*)\](.*?)\[/quote\]",
        r"<blockquote><div><cite>\1 wrote:</cite>\2</div></blockquote>",
    ),
    (
        r"\[spoiler=([^\]]*)\](.*?)\[/spoiler\]",
        r'<div class="quotetitle">\1</div><div class="quotecontent">\2</div>',
    ),
    (r"\[code\](.*?)\[/code\]", r'<div class="codebox"><pre><code>\1</code></pre></div>'),
    (r"\[vote\](.*?)\[/vote\]", r'<span class="bbvote">VOTE: \1</span>'),
    (r"\[unvote\]\[/unvote\]", r'<span class="bbvote">UNVOTE: </span>'),
    (r"\[(?:url|post)=([^\]]*)\](.*?)\[/(?:url|post)\]", r'<a href="\1">\2</a>'),
    *((rf"\[{tag}\](.*?)\[/{tag}\]", rf"<{tag}>\1</{tag}>") for tag in _SIMPLE),
)


def html_of(bbcode: str) -> str:
    """What the forum makes of a post; tags that it does not know stay as they are."""
    text = escape(bbcode, quote=False).replace("\n", "<br>\n")
    for pattern, by in _TAGS:
        text = re.sub(pattern, by, text, flags=re.DOTALL)
    return text


@dataclass
class Board:
    """A board: topics by their number, its clock, and which topics only who brings a key may read."""

    clock: StillClock
    topics: dict[int, Topic] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    root: str = ""
    said: int = 100

    def open(self, topic: int, title: str, author: str, opening: str, key: str = "") -> str:
        """A new topic with its first post; returns its address."""
        self.topics[topic] = Topic(title, [], topic, PER_PAGE)
        if key:
            self.keys[topic] = key
        self.post(topic, author, opening)
        return self.url(topic)

    def url(self, topic: int) -> str:
        return f"{self.root}viewtopic.php?t={topic}"

    def post(self, topic: int, author: str, bbcode: str, at: datetime | None = None) -> int:
        """A minute passes, then somebody posts; returns the number of the post. `at` turns the clock on."""
        self.clock.sleep(60 if at is None else max(0.0, (at - self.clock.now()).total_seconds()))
        self.said += 7
        posts = self.topics[topic].posts
        posts.append(Said(self.said, author, html_of(bbcode), self.clock.now().isoformat()))
        return len(posts)

    def edit(self, topic: int, number: int, bbcode: str, noted: bool = True) -> None:
        """The author writes his post anew; moderators and the last poster leave no note."""
        post = self.topics[topic].posts[number - 1]
        when = f"{self.clock.now():%a %b %d, %Y %I:%M %p}"
        told = f"Last edited by {post.author} on {when}, edited 1 time in total."
        self.topics[topic].posts[number - 1] = replace(
            post, body=html_of(bbcode), edited=told if noted else post.edited
        )

    def delete(self, topic: int, number: int) -> None:
        """The post is gone, and those behind it move up."""
        del self.topics[topic].posts[number - 1]

    def __call__(self, path: str) -> Reply:
        """What the board answers to everybody who is let in."""
        query = parse_qs(urlsplit(path).query)
        if "p" in query:
            return self._with_post(int(query["p"][0]))
        topic = self.topics.get(int(query.get("t", ["0"])[0]))
        if topic is None:
            return Reply(message("The requested topic does not exist."), 404)
        last = (len(topic.posts) - 1) // topic.per_page * topic.per_page
        return Reply(topic_page(topic, min(int(query.get("start", ["0"])[0]), last)))

    def _with_post(self, identity: int) -> Reply:
        for topic in self.topics.values():
            ids = [post.id for post in topic.posts]
            if identity in ids:
                return Reply(topic_page(topic, ids.index(identity) // topic.per_page * topic.per_page))
        return Reply(message("The requested post does not exist."), 404)

    def door(self, path: str, headers: Mapping[str, str]) -> Reply | None:
        """The login page for who knocks at a private topic without its key."""
        key = self.keys.get(int(parse_qs(urlsplit(path).query).get("t", ["0"])[0]))
        brought = SimpleCookie(headers.get("Cookie", "")).get(COOKIE)
        return Reply(login()) if key and (brought is None or brought.value != key) else None

    def ticket(self, file: Path, key: str) -> Path:
        """A browser's cookies with the login, as a file that its owner alone may read."""
        host = urlsplit(self.root).hostname
        file.write_text(
            f"# Netscape HTTP Cookie File\n{host}\tFALSE\t/\tFALSE\t4102444800\t{COOKIE}\t{key}\n",
            encoding="utf-8",
        )
        file.chmod(0o600)
        return file


@contextmanager
def board(clock: StillClock) -> Iterator[Board]:
    """A board that answers on loopback."""
    found = Board(clock)
    with serving(found, door=found.door) as server:
        found.root = server.root
        yield found
