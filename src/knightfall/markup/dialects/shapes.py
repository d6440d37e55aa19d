"""Under which keys does a node look for its form in a dialect's data, and what does the form need filled in?

A dialect holds forms by key, e.g. `"quote_by": '[quote="{author}"]{body}[/quote]'`. A node names its keys,
best first; where the dialect has none of them, `simpler` says the node in other ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch

from knightfall.markup.dialects import moments
from knightfall.markup.dialects.tree import CALLS, web_address
from knightfall.markup.nodes import (
    Area,
    Colour,
    Countdown,
    Heading,
    Image,
    Link,
    Listing,
    Mention,
    Node,
    PostLink,
    Quote,
    Size,
    Spoiler,
    VoteTag,
)

_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}|[a-zA-Z]{3,25}")
_ACCOUNT = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")
_POST = re.compile(r"[0-9]{1,20}")
_WEB_IMAGE = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """`keys` best first; `values` raw: the writer escapes them, except `url`, which is safe already."""

    keys: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)


@singledispatch
def shape_of(node: Node) -> Shape:
    """The one key of a node that nothing varies: its class in lower case."""
    return Shape((type(node).__name__.lower(),))


@shape_of.register
def _colour(node: Colour) -> Shape:
    known = _COLOUR.fullmatch(node.colour)
    return Shape(("colour",), {"colour": node.colour}) if known else Shape(())


@shape_of.register
def _size(node: Size) -> Shape:
    return Shape(("size",), {"percent": str(node.percent)})


@shape_of.register
def _heading(node: Heading) -> Shape:
    return Shape(("heading",), {"level": str(min(max(node.level, 1), 6))})


@shape_of.register
def _link(node: Link) -> Shape:
    url = web_address(node.url)
    return Shape(("link",), {"url": url}) if url else Shape(())


@shape_of.register
def _post_link(node: PostLink) -> Shape:
    known = bool(node.post_id and _POST.fullmatch(node.post_id))
    keys = (*(("post_id",) if known else ()), *(("post_number",) if node.number >= 0 else ()))
    return Shape(keys, {"id": node.post_id or "", "number": str(node.number)})


@shape_of.register
def _mention(node: Mention) -> Shape:
    callable_ = _ACCOUNT.fullmatch(node.name) and node.name.lower() not in CALLS
    return Shape(("mention",) if callable_ else (), {"name": node.name})


@shape_of.register
def _image(node: Image) -> Shape:
    url = web_address(node.url) if _WEB_IMAGE.match(node.url) else None
    return Shape(("image",), {"url": url, "alt": node.alt}) if url else Shape(())


@shape_of.register
def _vote(node: VoteTag) -> Shape:
    return Shape((node.tag.value,))


@shape_of.register
def _quote(node: Quote) -> Shape:
    if not node.author:
        return Shape(("quote",))
    known = bool(node.post and _POST.fullmatch(node.post))
    keys = ("quote_post", "quote_by") if known else ("quote_by",)
    return Shape(keys, {"author": node.author, "post": node.post or ""})


@shape_of.register
def _spoiler(node: Spoiler) -> Shape:
    return Shape(("spoiler_titled",) if node.title else ("spoiler",), {"title": node.title})


@shape_of.register
def _area(node: Area) -> Shape:
    return Shape(("area_titled",) if node.title else ("area",), {"title": node.title})


@shape_of.register
def _listing(node: Listing) -> Shape:
    return Shape(("ordered",) if node.ordered else ("list",))


@shape_of.register
def _countdown(node: Countdown) -> Shape:
    return Shape(("countdown",), moments.parts(node))
