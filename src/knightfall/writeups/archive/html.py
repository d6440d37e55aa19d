"""The HTML of a post in an archive: what of its nodes may stand there, and as which tags.

`inert` keeps words, boxes and links to other posts of the archive. Nothing of it loads, runs or leads
elsewhere: pictures and addresses of the web become words, colours go, and what is nested deeper than anybody
can read is told in bare words. `body_html` writes it with few tags and no attributes but `class` and `href`,
all escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from urllib.parse import urljoin, urlsplit

from knightfall.markup.boards import NO_BOARD
from knightfall.markup.dialects.ips import Html
from knightfall.markup.dialects.tree import with_children, words
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Colour,
    Countdown,
    Image,
    Link,
    Mention,
    Node,
    Nodes,
    PostLink,
    Quote,
    Size,
    Spoiler,
    Text,
)

CLOSED = "[private thread]"
DEEPEST = 30
"""Quotes within quotes within quotes."""

# The id of a post in an address of any of our platforms: “?p=12”, “#post-12”, “/posts/12”, “.msg12”.
_POST_ID = re.compile(r"(?:[?&;]p(?:id)?=|#p(?:id)?|#?post-?|/posts?/|#msg|\.msg)(\d+)")
# A picture is a smiley where its text holds no word, or is “:name:”.
_WORD = re.compile(r"[^\W\d_]{3,}")
_SMILEY = re.compile(r":\w{1,20}:")


@dataclass(frozen=True, slots=True)
class Censor:
    """What may be shown: `words` gives a text without what must not stand in it, `address` an address as it
    may be written, None where it must not be."""

    words: Callable[[str], str] = str
    address: Callable[[str], str | None] = str


@dataclass(frozen=True, slots=True)
class Places:
    """Where the posts of a thread stand: number → link into the archive, the forum's id → number, and the
    thread's own address, by which links to it are known."""

    links: Mapping[int, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    url: str = ""

    def leads_to(self, url: str) -> str | None:
        """The link into the archive for an absolute address of one of its posts."""
        if not self.url or urlsplit(url).netloc.casefold() != urlsplit(self.url).netloc.casefold():
            return None
        found = _POST_ID.findall(url)
        return self.links.get(self.numbers.get(found[-1], -1)) if found else None


def inert(nodes: Nodes, places: Places, censor: Censor, depth: int = 0) -> Nodes:
    """The nodes as an archive may show them."""
    if depth > DEEPEST:
        return (Text(censor.words(words(nodes))),)
    return tuple(calm for node in nodes for calm in _calm(node, places, censor, depth + 1))


def _calm(node: Node, places: Places, censor: Censor, depth: int) -> Nodes:
    match node:
        case Text(text) | Code(text):
            return (replace(node, text=censor.words(text)),)
        case Break():
            return (node,)
        case Mention(name):
            return (Text(censor.words(f"@{name}")),)
        case Image(alt, url):
            # A smiley as its letters; of another picture what it shows, and where it was.
            if alt and (not _WORD.search(alt) or _SMILEY.fullmatch(alt)):
                picture = censor.words(alt)
            else:
                said = censor.address(urljoin(places.url, url)) if url else ""
                where = CLOSED if said is None else censor.words(said)
                picture = f"[picture: {', '.join(part for part in (censor.words(alt), where) if part)}]"

            return (Text(picture),)
        case Aside(kind) if "sig" in kind:
            return ()
        case _:
            return _around(node, lambda inner: inert(inner, places, censor, depth), places, censor)


def _around(node: Node, calm: Callable[[Nodes], Nodes], places: Places, censor: Censor) -> Nodes:
    """A node that has others inside."""
    match node:
        case Link(url):
            return _link(url, calm(node.children), places, censor)
        case PostLink(number):
            inner = calm(node.children) or (Text(f"#{number}"),)
            return (Link(places.links[number], inner),) if number in places.links else inner
        case Quote():
            return (Quote((*_cited(node, places, censor), *calm(node.children))),)
        case Spoiler(inner, title) | Area(inner, title):
            return (replace(node, children=calm(inner), title=censor.words(title)),)
        case Colour() | Size():
            return calm(node.children)
        case Countdown() if not node.children:
            return (node,)
        case _:
            return (with_children(node, calm),)


def _link(url: str, inner: Nodes, places: Places, censor: Censor) -> Nodes:
    """A link within the archive; an address elsewhere stands behind its words."""
    try:
        target = urljoin(places.url, url.strip()) if places.url else url.strip()
        _ = urlsplit(target).port
    except ValueError:  # such as “http://[::1”: it leads nowhere
        return inner
    said = censor.address(target)
    if said is None:
        return (Text(CLOSED),)
    if here := places.leads_to(target):
        return (Link(here, inner),)
    if urlsplit(said).scheme not in ("http", "https") or words(inner).strip() in (said, url):
        return inner
    return (*inner, Text(f" ({censor.words(said)})"))


def _cited(quote: Quote, places: Places, censor: Censor) -> Nodes:
    """The line above a quote: who is quoted, with a link to the post."""
    number = places.numbers.get(quote.post or "", -1)
    link = (Link(places.links[number], (Text(f"#{number}"),)),) if number in places.links else ()
    author = (Bold((Text(censor.words(quote.author)),)),) if quote.author else ()
    between = (Text(", "),) if author and link else ()
    return (Block((*author, *between, *link)),) if author or link else ()


FORMS: Mapping[str, str] = {
    "bold": "<strong>{body}</strong>",
    "italic": "<em>{body}</em>",
    "underline": "<u>{body}</u>",
    "strike": "<s>{body}</s>",
    "link": '<a href="{url}">{body}</a>',
    "quote": "<blockquote>{body}</blockquote>",
    "spoiler": "<details><summary>Spoiler</summary>{body}</details>",
    "spoiler_titled": "<details><summary>Spoiler: {title}</summary>{body}</details>",
    "area": '<div class="box">{body}</div>',
    "area_titled": '<div class="box"><p class="box-title">{title}</p>{body}</div>',
    "aside": '<div class="aside">{body}</div>',
    "list": "<ul>{body}</ul>",
    "ordered": "<ol>{body}</ol>",
    "table": '<div class="wide" tabindex="0"><table><tbody>{body}</tbody></table></div>',
    "code": '<pre class="wide" tabindex="0">{body}</pre>',
}
_HTML = Html("archive", FORMS, board=NO_BOARD)
# Tags that may stand within a word: taken out they leave no gap.
_WITHIN_A_WORD = re.compile(r"</?(?:strong|em|u|s|a|code)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")


def body_html(nodes: Nodes) -> str:
    """The nodes as HTML; they are `inert` already."""
    return _HTML.write(nodes)


def body_words(html: str) -> str:
    """What HTML of ours says, on one line: in it, < and > are nothing but tags."""
    return " ".join(unescape(_TAG.sub(" ", _WITHIN_A_WORD.sub("", html))).split())
