"""What the players of a rehearsal wrote so far, kept in its folder; and its thread as a forum shows one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.errors import StateDamaged
from knightfall.forums.exchange import Request, Response
from knightfall.markup.board_look import look
from knightfall.services.session import REHEARSAL_FILE
from knightfall.storage.drafts import write_draft

if TYPE_CHECKING:
    from knightfall.fetch.clock import Fetch

PM_FILE = "private/rehearsal-pms.csv"
"""The PMs of the players in the last night, as a board exports them."""
DIALECT = "phpbb"
TITLE = "Rehearsal"
_FORUM = "https://forum.example/"
_FIRST_ID = 100


@dataclass(frozen=True, slots=True)
class RehearsalPost:
    """A post of the thread: in BBCode, `at` an aware instant as ISO text, `planted` what is wrong about it
    (“”: nothing)."""

    author: str
    at: str
    text: str
    planted: str = ""
    day: int = 0
    """The day in which a player wrote it."""


@dataclass(frozen=True, slots=True)
class RehearsalPm:
    """A PM of a player to the moderator; `night` is the one that it is meant for."""

    slot: str
    author: str
    at: str
    text: str
    planted: str = ""
    night: int = 0


@dataclass(frozen=True, slots=True)
class RehearsalRecord:
    """A rehearsal so far: the `seed` of all its chance as hexadecimal digits, the slot of the player who
    `vanished`, whom the players agree on in each day (`targets`: slots), and up to which entry of the journal
    the moderator's own posts stand in the thread."""

    seed: str
    topic: int
    vanished: str
    targets: Mapping[str, str] = field(default_factory=dict)
    published: int = 0
    posts: tuple[RehearsalPost, ...] = ()
    pms: tuple[RehearsalPm, ...] = ()

    @property
    def url(self) -> str:
        """The address of its thread, which no network has."""
        return address_of_topic(self.topic)


def address_of_topic(topic: int) -> str:
    """The address of a rehearsal's thread: a name that is nobody's, so nothing is ever asked for it."""
    return f"{_FORUM}viewtopic.php?t={topic}"


def read_record(folder: Path) -> RehearsalRecord | None:
    """The rehearsal of a folder; None where there is none. Raises StateDamaged where it cannot be read."""
    try:
        said = json.loads((folder / REHEARSAL_FILE).read_text(encoding="utf-8"))
        posts = tuple(RehearsalPost(**one) for one in said.pop("posts"))
        return RehearsalRecord(
            **said | {"posts": posts, "pms": tuple(RehearsalPm(**one) for one in said.pop("pms"))}
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StateDamaged(
            f"{REHEARSAL_FILE} cannot be read ({error}). Begin another rehearsal, in another folder."
        ) from error


def write_record(record: RehearsalRecord, folder: Path) -> None:
    """Keep a rehearsal, and the PMs of its last night as a board exports them."""
    if record.pms:
        last = record.pms[-1].night
        out = io.StringIO()
        sheet = csv.writer(out, lineterminator="\n")
        sheet.writerow(("Date", "Title", "From", "To", "Message"))
        for pm in (one for one in record.pms if one.night == last):
            sheet.writerow((pm.at, f"Night {pm.night}", pm.author, "", pm.text))
        half, _, name = PM_FILE.partition("/")
        write_draft(folder, half, name, out.getvalue())
    half, _, name = REHEARSAL_FILE.partition("/")
    write_draft(folder, half, name, json.dumps(asdict(record), indent=1, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class RehearsalForum:
    """A Fetch that answers for the thread of a rehearsal from its folder; all else `fetch` is asked for."""

    folder: Path
    fetch: Fetch

    def get(self, request: Request) -> Response:
        return self._page(request) or self.fetch.get(request)

    def follow(self, request: Request) -> Response:
        return self._page(request) or self.fetch.follow(request)

    def _page(self, request: Request) -> Response | None:
        record = read_record(self.folder)
        if record is None or request.url.partition("#")[0] not in (record.url, f"{record.url}&start=0"):
            return None
        return Response(record.url, 200, page_of(record))


def page_of(record: RehearsalRecord) -> str:
    """The whole thread as one page of a board of ours."""
    posts = "\n".join(_post(number, post, record) for number, post in enumerate(record.posts))
    return f"""<!DOCTYPE html>
<html dir="ltr" lang="en-gb"><head><meta charset="utf-8"><title>{TITLE}</title>
<link rel="canonical" href="{escape(record.url)}"></head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap">
<div id="page-body" class="page-body" role="main">
<h2 class="topic-title"><a href="./viewtopic.php?t={record.topic}">{TITLE}</a></h2>
<div class="action-bar bar-top"><div class="pagination">{len(record.posts)} posts
&bull; Page <strong>1</strong> of <strong>1</strong></div></div>
{posts}
</div></div></body></html>
"""


def _post(number: int, post: RehearsalPost, record: RehearsalRecord) -> str:
    own = _FIRST_ID + 3 * number
    user = 200 + sorted({one.author for one in record.posts}).index(post.author)
    at = datetime.fromisoformat(post.at)
    who = (
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={user}" class="username">{escape(post.author)}</a>'
    )
    return f"""<div id="p{own}" class="post has-profile bg{number % 2 + 1}"><div class="inner">
<dl class="postprofile" id="profile{own}"><dt class="no-profile-rank no-avatar">{who}</dt></dl>
<div class="postbody"><div id="post_content{own}">
<h3><a href="./viewtopic.php?p={own}#p{own}">{TITLE}</a></h3>
<p class="author"><span class="responsive-hide">by <strong>{who}</strong> &raquo; </span>\
<time datetime="{at.isoformat()}">{at:%a %b %d, %Y %H:%M}</time></p>
<div class="content">{look(post.text, DIALECT)}</div>
</div></div></div></div>"""
