"""Private messages on the pages of boards: who sent what, and when.

Their boxes are mostly those of posts, so the adapters read them: `HtmlForum.message_rows` tells them from
posts. Discourse's are topics and are read as such.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.errors import LayoutChanged
from knightfall.forums import forum_of
from knightfall.forums.base import Clockwork, Draft, Response
from knightfall.forums.dates import machine_time
from knightfall.forums.discourse import Discourse, is_private
from knightfall.forums.html import parse_page
from knightfall.forums.no_thread import with_messages
from knightfall.forums.pages import refuse_partial
from knightfall.forums.payload import is_json, is_xml
from knightfall.forums.sites import site_of


@dataclass(frozen=True, slots=True, repr=False)
class PrivateMessage:
    """One message. `sender` is called as the board shows them; `sent` is an aware instant in UTC, None where
    the page tells none or needs a zone that nobody told. `body` is what `Post.body` is. `ref` names the
    message for good on that board: its id, "" where the page does not tell it."""

    sender: str
    sent: datetime | None
    body: str
    ref: str


@dataclass(frozen=True, slots=True, repr=False)
class MessagePage:
    """The messages of one page, as they stand on it. `subject` is "" where they have none, or several."""

    platform: str
    url: str
    subject: str
    messages: tuple[PrivateMessage, ...]


def message_page(page: Response, now: datetime, zone: str | None = None) -> MessagePage | None:
    """The private messages of a page; None where it shows none. `zone` is that of its times where the
    moderator says it; words as “5 minutes ago” count from `now`.

    Raises LayoutChanged where a message has no sender or no text, and IncompleteRead for a page whose end did
    not arrive: a message may have lost its own.
    """
    site = replace(site_of(page.url), stated_zone=zone)
    known = forum_of(page, site.platform)
    if isinstance(known, Discourse):
        if not is_private(page):
            return None
        chunk = known.read(page, site, now)
        topic = tuple(
            PrivateMessage(post.author, _whole(post.time), post.body, post.id)
            for post in chunk.posts
            if post.body and not post.hidden
        )
        return MessagePage(known.name, page.url, chunk.title, topic)
    if is_json(page.text) or is_xml(page.text):
        return None

    tree = parse_page(page.text)
    found = with_messages(tree, known.name if known else None)
    if found is None:
        return None
    refuse_partial(page.text, page.url or "The page")
    forum, rows = found
    subject = forum.message_subject(tree)
    drafts = [forum.message_draft(row) for row in rows]
    for what, there in (
        ("senders", [draft for draft in drafts if draft.author]),
        ("texts", [draft for draft in drafts if draft.body is not None]),
    ):
        if len(there) < len(drafts):
            raise LayoutChanged(
                f"Found {len(drafts)} private messages but {what} of {len(there)} – the forum's layout "
                f"changed (adapter {forum.name}). Copy the text of the message instead."
            )
    clock = forum.clock_on(page, tree, site, now, drafts)
    messages = tuple(
        PrivateMessage(draft.author or "", _sent(draft, clock), draft.body, draft.id)
        for draft in drafts
        if draft.body and not draft.hidden
    )
    return MessagePage(forum.name, page.url, subject, messages)


def _sent(draft: Draft, clock: Clockwork) -> datetime | None:
    exact = machine_time(draft.machine)
    told, by_calendar = (exact, False) if exact else clock.read(draft.written)
    return None if by_calendar and clock.zone is None else _whole(told)


def _whole(moment: datetime | None) -> datetime | None:
    """The instant in whole seconds, as posts are kept."""
    return moment and moment.replace(microsecond=0)
