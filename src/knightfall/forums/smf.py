"""SMF 2.0 and 2.1.

SMF numbers replies: the opening post has no number and is our #0. Whoever asks behind the end gets the last
page again; guests get one login form for a topic that they may not see and for one that is not there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta, tzinfo
from urllib.parse import unquote

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    body_without_session,
    first_number,
    folder_of,
    is_absolute,
    login_required,
    mentions,
    past_the_end,
    refused,
    topic_missing,
)
from knightfall.forums.dates import CLOCK, machine_time, written_time, zone_at
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    inner,
    maybe,
    own_words,
    with_id,
    worded,
    words,
    words_after,
)
from knightfall.forums.styles import STYLES

# Variables that every page gives its scripts.
MARKS = re.compile(r"\bsmf_(?:scripturl|theme_url|default_theme_url|session_id)\b")
# `?topic=12.30`, `index.php/topic,12.30.html`; behind the dot stands an offset, a post (`msg99`), a time
# (`from99`) or "new".
TOPIC = re.compile(r"(?:[?;&]|index\.php/|/)topic[=,](\d+)(?:\.(?:(msg|from)?(\d+)|new))?", re.IGNORECASE)
MESSAGE = re.compile(r"[?;&]msg=(\d+)")
MEMBER = re.compile(r"[?;&]u=(\d+)")
POST_ID = re.compile(r"msg_(\d+)")
NUMBER = re.compile(r"#\s?(\d+)")
HERE = ".pagelinks .current_page, .pagelinks > strong"
PRINTED = "#posts .postheader"
MESSAGES = "#fatal_error .padding, #fatal_error .windowbg, #frmLogin .information, #frmLogin p"


class Smf(HtmlForum):
    """The adapter; it has no state."""

    name = "smf"
    html_style = STYLES["smf"]
    software = "SMF"
    tried = "the markup of 2.0 and 2.1 was tried"
    layout = "2.0 and 2.1"
    titles = ("#top_subject", ".navigate_section li.last", ".postheader strong", "title")
    first_post = 0
    dates_tell_order = True

    def recognises(self, page: Response) -> bool:
        """By the variables that every SMF page gives its scripts."""
        return mentions(page, ("smf_",)) and bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`index.php?topic=12.30`, its `index.php/topic,12.30.html` form, links to posts."""
        if not is_absolute(url):
            return None
        plain = unquote(url)
        if topic := TOPIC.search(plain):
            start = int(topic[3]) if topic[3] and not topic[2] else 0
            return ThreadRef(self.name, _root(url), topic[1], start)
        message = MESSAGE.search(plain)
        return ThreadRef(self.name, _root(url), f"p{message[1]}") if message else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """SMF rounds an offset down to the beginning of its page."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}index.php?msg={ref.id[1:]}")
        return _page_from(ref, since - 1)

    def rows(self, tree: Tag) -> list[Tag]:
        """The posts; of the print view, which has the whole topic, their headings."""
        return every(tree, "div.post_wrapper") or every(tree, PRINTED)

    def layout_of(self, row: Tag) -> str:
        return "print view" if "postheader" in classes(row) else self.layout

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Only for a topic that is there does the page know which board it is in."""
        known = maybe(tree, 'link[rel="index"]') is not None
        message = maybe(tree, MESSAGES)
        text = words(message)
        if maybe(tree, '#frmLogin input[type="password"]'):
            return login_required(page, text) if known or not text else topic_missing(page, text)
        if message is None:
            return self.no_posts(page)
        return access_denied(page, text) if known else refused(page, text)

    def draft(self, row: Tag) -> Draft:
        if "postheader" in classes(row):
            return _printed(row)
        content = next(iter(with_id(row, '[id^="msg_"]', POST_ID)), None)

        # The link to the author's profile; for guests the heading with the bare name.
        link = worded(row, '.poster h4 a[href*="action=profile"], .poster h4 a[href*="/profile/"]')
        name = link or maybe(row, ".poster h4")
        author = words(link) if link else (own_words(name) or words(name)) if name else None
        found = MEMBER.search(attribute(name, "href") or "")

        # The reply number; the opening post shows none.
        texts = [words(tag) for tag in every(row, ".page_number, .keyinfo .smalltext strong")]
        texts += [attribute(tag, "title") or "" for tag in every(row, ".postinfo a.smalltext")]

        # 2.1 links the date; 2.0 writes it after the words in bold that count the reply.
        if link := maybe(row, ".postinfo a.smalltext"):
            written = words(link)
        else:
            line = maybe(row, ".keyinfo .smalltext")
            counted = maybe(line, "strong") if line else None
            written = words_after(counted, line).strip("« »") if line and counted else words(line)

        said = words(maybe(row, '.modified[id^="modified_"]')).strip("« »")
        return Draft(
            id=(attribute(content, "id") or "").removeprefix("msg_"),
            author=author,
            author_id=found[1] if found else None,
            number=first_number(map(NUMBER.search, texts)),
            written=written,
            body=body_without_session(inner(content).strip()) if content else None,
            edit_note=said or None,
            edit_stamp=said,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The topic as the page itself names it, on the board that the page came from."""
        links = ".pagelinks a, #pagelist a, .keyinfo h5 a, .postinfo a.smalltext, .print_options a"
        told_by = (
            attribute(maybe(tree, 'link[rel="canonical"]'), "href"),
            attribute(maybe(tree, "form#quickModForm"), "action"),
            page.url,
            *(attribute(link, "href") for link in every(tree, links)),
        )
        refs = [ref for link in told_by if link and (ref := self.locate(link)) and ref.id[0] != "p"]
        if not refs:
            return None
        asked = self.locate(page.url)
        root = asked.root if asked else _root(page.url) if is_absolute(page.url) else refs[0].root
        return replace(refs[0], root=root)

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        # The offset: by the first number shown, else as the page's own address says.
        told = (draft.number - index for index, draft in enumerate(drafts) if draft.number is not None)
        ref = self.thread(page, tree)
        start = max(0, next(told, ref.start if ref else 0))
        end = start + len(drafts)
        asked = self.locate(page.url)
        if asked is not None and asked.start and asked.start >= end:
            raise past_the_end(page, f"{end} posts, the last is #{end - 1}")

        # The links of a list of pages: (page number, offset). The size is the offset of page n by n - 1.
        links = [
            (int(words(link)), int(topic[3] or 0))
            for link in every(tree, ".pagelinks a[href]")
            if words(link).isdecimal() and (topic := TOPIC.search(unquote(attribute(link, "href") or "")))
        ]
        size = next((offset // (number - 1) for number, offset in links if number > 1 and offset), None)
        here = next((int(words(tag)) for tag in every(tree, HERE) if words(tag).isdecimal()), 1)
        size = size or (start // (here - 1) if here > 1 else None)
        if not size or len(drafts) > size:
            return Paging(1, 1, start)
        number = start // size + 1
        return Paging(number, max([number, *(number for number, _ in links)]), start, size)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return _page_from(thread, paging.next_start) if paging.next_start is not None else None

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """2.1 shows its clock twice: for machines in UTC, for people in the zone of all other times."""
        clock = maybe(tree, "#inner_wrap time[datetime], .user time[datetime]")
        exact = machine_time(attribute(clock, "datetime"))
        shown = written_time(words(clock), exact, UTC, site.date_order) if clock and exact else None
        if exact is None or shown is None:
            return None
        # The clock shows whole minutes and zones are whole quarters of an hour, at most 14 of them away.
        quarters = round((shown - exact) / timedelta(minutes=15))
        ahead = quarters * timedelta(minutes=15)
        return zone_at(ahead, exact, site.timezone) if abs(quarters) <= 56 else None

    def clock(self, tree: Tag) -> str:
        """2.0 shows its clock to members, as an entry of the list beside their name."""
        said = map(words, every(tree, "#upper_section .user li:not(:has(a))"))
        return next((text for text in said if CLOCK.search(text)), "")

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}index.php?topic={thread.id}.msg{post}#msg{post}" if post else None

    def title(self, tree: Tag) -> str:
        return words(worded(tree, *self.titles))

    def message_rows(self, tree: Tag) -> list[Tag]:
        """What stands around the text of each message: a folder shows several, whole."""
        around = (area.getparent() for area in every(tree, "#personal_messages .postarea"))
        return [box for box in around if isinstance(box, Tag) and maybe(box, ".poster h4")]

    def message_draft(self, row: Tag) -> Draft:
        """The date stands behind the last of the labels in its line; names of recipients come before."""
        line = maybe(row, ".keyinfo .smalltext:has(strong)")
        labels = every(line, "strong") if line else []
        written = words_after(labels[-1], line).strip("« »") if labels else ""
        return replace(self.draft(row), number=None, written=written)

    def message_subject(self, tree: Tag) -> str:
        if conversation := worded(tree, "#personal_messages .display_title"):
            return words(conversation)
        subjects = {words(tag) for tag in every(tree, '#personal_messages .postarea [id^="subject_"]')}
        return subjects.pop() if len(subjects) == 1 else ""


def _printed(heading: Tag) -> Draft:
    """A post of the print view: subject, author and time in bold; it tells neither ids nor edits."""
    told = every(heading, "strong")
    following = heading.getnext()
    body = following if isinstance(following, Tag) and "postbody" in classes(following) else None
    return Draft(
        id="",
        author=words(told[1]) if len(told) > 2 else None,
        written=words(told[-1]) if told else "",
        body=body_without_session(inner(body).strip()) if body is not None else None,
    )


def _root(url: str) -> str:
    """The board's base: what stands before index.php."""
    head, script, _ = url.partition("index.php")
    return head if script else folder_of(url)


def _page_from(ref: ThreadRef, offset: int) -> Request:
    return Request(f"{ref.root}index.php?topic={ref.id}.{max(0, offset)}")


SMF = Smf()
