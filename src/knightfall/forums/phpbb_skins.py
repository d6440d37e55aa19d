"""How do the themes of phpBB 3 write a post? Prosilver, subsilver2, and the print view."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

from knightfall.forums.drafts import Draft
from knightfall.forums.links import body_without_session, query_of
from knightfall.forums.soup import (
    Tag,
    attribute,
    classes,
    enclosing,
    every,
    holds,
    inner,
    is_element,
    maybe,
    one,
    own_words,
    with_id,
    words,
    words_after,
)

NAMES = ".username, .username-coloured"
PROFILE = 'a[href*="mode=viewprofile"]'
POST_ID = re.compile(r"p(\d+)")
SHOWN_NUMBER = re.compile(r"(?:[^\W\d_]+\s)?#\s?(\d+)")
FURNITURE = " \u00a0»-–—|·•,"
"""What themes put between the author's name and the date."""


@dataclass(frozen=True, slots=True)
class Skin:
    """A family of themes: `boxes` finds the posts of a page, `draft` reads one."""

    name: str
    boxes: Callable[[Tag], list[Tag]]
    draft: Callable[[Tag], Draft]


def skin_of(tree: Tag) -> tuple[Skin, list[Tag]] | None:
    """The theme that finds posts on a page, with their boxes."""
    found = ((skin, skin.boxes(tree)) for skin in SKINS)
    return next(((skin, boxes) for skin, boxes in found if boxes), None)


def _prosilver_boxes(tree: Tag) -> list[Tag]:
    return with_id(tree, 'div.post[id^="p"], li.post[id^="p"], article.post[id^="p"]', POST_ID)


def _prosilver(box: Tag) -> Draft:
    head = maybe(box, "p.author, .author")

    # The element with the author's name: in the post's head, else in the profile beside it. A viewer's foe
    # (3.0) has neither: the notice that stands for the post names him.
    beside = (
        f".postprofile dt :is({NAMES})",
        f".postprofile dt {PROFILE}",
        f".ignore :is({NAMES}, {PROFILE}, strong)",
    )
    in_head = (tag for selector in (NAMES, PROFILE, "strong") if head for tag in every(head, selector))
    elsewhere = (tag for selector in beside for tag in every(box, selector))
    name = next((tag for tag in chain(in_head, elsewhere) if words(tag) and not _is_number(tag)), None)

    stamp = maybe(head, "time[datetime]") if head else None
    content = maybe(box, ".content")
    tags = every(box, "div.notice")
    note = next((tag for tag in tags if content is None or not holds(content, tag)), None)
    # A placeholder of a deleted post, or (3.0) of a post by somebody the viewer ignores.
    if content is None:
        prosilver_body = "" if maybe(box, ".ignore") else None
    else:
        prosilver_body = body_without_session(inner(content))

    # A number "#12" that the board prints in the head of a post, unless it is the author's name.
    tags = every(head, ".post-number-bolded, a, span, strong, b") if head else []
    texts = [
        words(tag)
        for tag in tags
        if name is None or not (tag is name or holds(tag, name) or holds(name, tag))
    ]
    shown = [found for found in map(SHOWN_NUMBER.fullmatch, texts) if found]

    return Draft(
        id=(attribute(box, "id") or "")[1:],
        author=_name(name),
        author_id=_profile_id(name),
        number=int(shown[0][1]) if shown else None,
        machine=attribute(stamp, "datetime"),
        written=words_after(name, head).strip(FURNITURE) if name and head else "",
        body=prosilver_body,
        edit_note=words(note) if note else None,
        edit_stamp=_after_name(note),
        hidden="deleted" in classes(box) or content is None,
    )


def _is_number(tag: Tag) -> bool:
    """A bare "#12"; a member or a marked guest may be called so."""
    named = "username" in (attribute(tag, "class") or "") or _profile_link(tag) is not None
    return SHOWN_NUMBER.fullmatch(words(tag)) is not None and not named


def _after_name(note: Tag | None) -> str:
    """What an edit notice says after the editor's name, which may hold digits."""
    if note is None:
        return ""
    name = maybe(note, f"{NAMES}, {PROFILE}")
    return words_after(name, note) if name else words(note)


def _name(tag: Tag | None) -> str | None:
    return words(tag) if tag else None


def _profile_link(tag: Tag | None) -> str | None:
    """The link to a member's profile on or around a name; guests and deleted users have none."""
    if tag is None:
        return None
    link = tag if tag.name == "a" else maybe(tag, PROFILE) or tag.find_parent("a")
    target = attribute(link, "href") if is_element(link) else None
    return target if target and "u" in query_of(target) else None


def _profile_id(tag: Tag | None) -> str | None:
    link = _profile_link(tag)
    return query_of(link)["u"] if link else None


def _subsilver_boxes(tree: Tag) -> list[Tag]:
    anchors = [tag for tag in every(tree, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or "")]
    tables = [enclosing(anchor, "table", "tablebg") for anchor in anchors]
    return [table for table in tables if table is not None]


def _subsilver(box: Tag) -> Draft:
    """Subsilver2 has a table a post; the signature stands beside the body in a container of its own."""
    anchor = next(tag for tag in every(box, "a[name]") if POST_ID.fullmatch(attribute(tag, "name") or ""))
    mark = attribute(anchor, "name") or ""
    target = maybe(box, f'a[href$="#{mark}"]')
    body = maybe(box, "div.postbody")

    # The edit notice stands next to the body, in small print.
    if body is None or body.parent is None:
        note = None
    else:
        note = next((tag for tag in every(body.parent, "span.gensmall") if tag.parent is body.parent), None)

    # The body; empty where the whole post is a notice in one wide cell (a viewer's foe).
    if body is None:
        subsilver_body = "" if maybe(box, "td.gensmall[colspan]") else None
    else:
        subsilver_body = body_without_session(inner(body))
    return Draft(
        id=mark[1:],
        author=_name(maybe(box, ".postauthor") or maybe(box, f"td.gensmall {PROFILE}")),
        author_id=_profile_id(maybe(box, f".postauthor {PROFILE}") or maybe(box, f".icons {PROFILE}")),
        written=words_after(target, target.parent) if target and target.parent else "",
        body=subsilver_body,
        edit_note=words(note) if note else None,
        edit_stamp=_after_name(note),
        hidden=body is None,
    )


def _print_boxes(tree: Tag) -> list[Tag]:
    return [box for box in every(tree, "div.post") if maybe(box, "div.date") and maybe(box, "div.content")]


def _print(box: Tag) -> Draft:
    """The print view tells neither ids nor edits."""
    content = maybe(box, "div.content")
    date = maybe(box, "div.date")
    return Draft(
        id="",
        author=words(one(box, "div.author strong")),
        written=_name(maybe(date, "strong")) or own_words(date) if date else "",
        body=body_without_session(inner(content)) if content else None,
    )


SKINS = (
    Skin("prosilver", _prosilver_boxes, _prosilver),
    Skin("subsilver2", _subsilver_boxes, _subsilver),
    Skin("print view", _print_boxes, _print),
)
