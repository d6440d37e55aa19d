"""The keys under which a node looks for its form in a dialect's data, and the values that a form needs.

A dialect holds forms by key, e.g. `"quote_by": '[quote="{author}"]{body}[/quote]'`. A node names its keys,
best first; where the dialect has none of them, `simpler` says the node in other ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from knightfall.errors import InputError
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

TAGS: Mapping[str, tuple[str, ...]] = {
    "area": ("area", "area_titled"),
    "spoiler": ("spoiler", "spoiler_titled"),
    "table": ("table", "row", "cell", "head_cell"),
    "strike": ("strike",),
    "countdown": ("countdown",),
    "post": ("post_id", "post_number"),
    "vote": ("vote", "unvote"),
}
"""The tags that some boards have and others lack, and the keys of their forms; every board has the rest."""
_TAG_OF = {key: tag for tag, keys in TAGS.items() for key in keys}

# A colour by its digits, or by a name: the longest of CSS has 20 letters.
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}|[a-zA-Z]{3,20}")
# What every site takes for one whole name behind an @: no blanks, no dot or dash at its end.
_ACCOUNT = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")
_POST = re.compile(r"[0-9]{1,20}")
_WEB_IMAGE = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """`keys` best first; `values` raw: the writer escapes them, except `url`, which is safe already."""

    keys: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)


def form_of(shape: Shape, forms: Mapping[str, str], tags: Collection[str] | None) -> str | None:
    """The best form of a shape on a board that has these tags (None: all); None where it has none."""
    lacking = () if tags is None else TAGS.keys() - set(tags)
    known = (key for key in shape.keys if key in forms and _TAG_OF.get(key) not in lacking)
    return next((forms[key] for key in known), None)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A dialect whose sites have `tags` of `TAGS` (None: all that it has forms of)."""

    name: str
    forms: Mapping[str, str] = field(repr=False)
    tags: tuple[str, ...] | None = None

    def with_tags(self, tags: Iterable[str]) -> Self:
        """The dialect of a site with these tags, called `phpbb:spoiler,strike`. Raises InputError for one
        that it knows no form of."""
        wanted = {tag.strip().lower() for tag in tags}
        possible = [tag for tag, keys in TAGS.items() if any(key in self.forms for key in keys)]
        for tag in sorted(wanted - set(possible)):
            known = f"the dialect {self.name} knows no tag {tag}"
            why = known if tag in TAGS else f"there is no tag {tag!r}"
            raise InputError(f"tags: {why}. {self.name} can have: {', '.join(possible) or 'none'}.")
        chosen = tuple(tag for tag in possible if tag in wanted)  # in our order
        return replace(self, name=f"{self.name.partition(':')[0]}:{','.join(chosen)}", tags=chosen)


def shape_of(node: Node) -> Shape:
    """The shape of a node; no key where what it holds cannot be written as it is, such as an unsafe URL.

    A node that nothing varies has one key, its class in lower case.
    """
    match node:
        case Colour(colour):
            return Shape(("colour",), {"colour": colour}) if _COLOUR.fullmatch(colour) else Shape(())
        case Size(percent):
            return Shape(("size",), {"percent": str(percent)})
        case Heading(level):
            keys = ("heading",) if level < 3 else ("heading_small", "heading")
            return Shape(keys, {"level": str(min(max(level, 1), 6))})
        case Link():
            url = web_address(node.url)
            return Shape(("link",), {"url": url}) if url else Shape(())
        case PostLink(number):
            known = bool(node.post_id and _POST.fullmatch(node.post_id))
            keys = (*(("post_id",) if known else ()), *(("post_number",) if number >= 0 else ()))
            return Shape(keys, {"id": node.post_id or "", "number": str(number)})
        case Mention(name):
            callable_ = _ACCOUNT.fullmatch(name) and name.lower() not in CALLS
            return Shape(("mention",) if callable_ else (), {"name": name})
        case Image(alt):
            url = web_address(node.url) if _WEB_IMAGE.match(node.url) else None
            return Shape(("image",), {"url": url, "alt": alt}) if url else Shape(())
        case VoteTag(tag):
            return Shape((tag.value,))
        case Quote(author=str(author)) if author:
            known = bool(node.post and _POST.fullmatch(node.post))
            keys = ("quote_post", "quote_by") if known else ("quote_by",)
            return Shape(keys, {"author": author, "post": node.post or ""})
        case Spoiler():
            return Shape(("spoiler_titled",) if node.title else ("spoiler",), {"title": node.title})
        case Area():
            return Shape(("area_titled",) if node.title else ("area",), {"title": node.title})
        case Listing():
            return Shape(("ordered",) if node.ordered else ("list",))
        case Countdown():
            return Shape(("countdown",), moments.parts(node))
        case _:
            return Shape((type(node).__name__.lower(),))
