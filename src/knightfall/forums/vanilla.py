"""Vanilla: a discussion with its comments, in any theme since 2.0.

The opening post stands on page 1 only and is no comment: comment N ("Item_N") is post N + 1. What was deleted
leaves no trace. Times are exact since 2.1; edits are told in words, in a title.
"""

from __future__ import annotations

import re
from datetime import tzinfo

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    access_denied,
    is_absolute,
    login_required,
    mentions,
    past_the_last_page,
    refused,
    topic_missing,
)
from knightfall.forums.dates import zone_beside
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    first_of,
    inner,
    maybe,
    text_of,
    title_or_words,
    with_id,
    worded,
    words,
)
from knightfall.forums.styles import STYLES

# The body's id, which themes keep, else Vanilla's own script variables beside ids of posts.
BODY = re.compile(r"""<body[^<>]*\bid=["']?(?:vanilla|dashboard)_\w""", re.IGNORECASE)
SCRIPT = re.compile(r"\bgdn\.meta\b|\bpowered by vanilla\b", re.IGNORECASE)
BOX = re.compile(r"""\bid=["']?(?:Discussion|Comment)_\d""")
# `discussion/12/name/p3`, and `discussion/comment/345`, which does not tell its discussion.
THREAD = re.compile(
    r"(?P<root>https?://[^#]*?/)(?:vanilla/)?discussion/(?P<id>\d+)(?:/[^/?#&]*(?:/p(?P<page>\d+))?)?(?=[/?#&.]|$)"
)
COMMENT = re.compile(r"(?P<root>https?://[^#]*?/)(?:vanilla/)?discussion/comment/(?P<id>\d+)")
IDENTITY = re.compile(r"(Discussion|Comment)_(\d+)")
MESSAGE_ID = re.compile(r"Message_(\d+)")
PLACE = re.compile(r"Item_(\d+)")
PAGE = re.compile(r"/p(\d+)(?:[?#]|$)")
PROFILE = re.compile(r"/profile/(\d+)/.")
PER_PAGE = 30
"""Comments on a page, unless the board is set otherwise."""


class Vanilla(HtmlForum):
    """The adapter; it has no state."""

    name = "vanilla"
    html_style = STYLES["vanilla"]
    software = "Vanilla"
    tried = ".ItemDiscussion and .ItemComment were looked for"
    titles = (".PageTitle h1", ".Discussion h1, h1.H, main h1, #Content h1, h1", "title")
    messages = ("#Message, .SplashInfo p", ".SplashInfo")
    first_post = 1

    def recognises(self, page: Response) -> bool:
        """By the body's id, which themes keep, else by Vanilla's own script variables and post ids."""
        text = page.text
        if BODY.search(text):
            return True
        scripts = mentions(page, ("gdn.meta", "powered by vanilla"), any_case=True)
        return scripts and bool(SCRIPT.search(text) and BOX.search(text))

    def locate(self, url: str) -> ThreadRef | None:
        """`/discussion/12/name/p3`, and `/discussion/comment/345`, which does not tell its discussion."""
        if not is_absolute(url):
            return None
        if found := THREAD.match(url):
            return ThreadRef(self.name, found["root"], found["id"], int(found["page"] or 1))
        comment = COMMENT.match(url)
        return ThreadRef(self.name, comment["root"], f"p{comment['id']}") if comment else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """By pages of the usual size; a board may have chosen another, which only its pages tell."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}discussion/comment/{ref.id[1:]}")
        return Request(_address(ref, max(0, since - 2) // PER_PAGE + 1))

    def rows(self, tree: Tag) -> list[Tag]:
        return with_id(tree, ".ItemDiscussion, .ItemComment, .FirstComment", IDENTITY)

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Vanilla shows a page behind the end with its pager and no comments."""
        if maybe(tree, self.login_form):
            return login_required(page)
        if message := first_of(tree, self.messages):
            # The body's id names the page of Vanilla that speaks, in any language.
            text = words(message)
            speaker = attribute(maybe(tree, "body"), "id") or ""
            if speaker.endswith("_permission"):
                return access_denied(page, text)
            return topic_missing(page, text) if speaker.endswith("_filenotfound") else refused(page, text)
        here, pages = self._place(page, tree)
        return past_the_last_page(page, pages) if here > pages else self.no_posts(page)

    def draft(self, row: Tag) -> Draft:
        kind, _, number = (attribute(row, "id") or "").partition("_")
        opening = kind == "Discussion"
        # The author's name; links around their picture have no words. A quote in the text names others.
        author = worded(row, ':is(.Author, .AuthorWrap) .Username, .Author a[href*="/profile/"]')
        stamp = maybe(row, ".DateCreated time[datetime]") or maybe(row, ".Meta time[datetime]")
        content = maybe(row, ".Message")
        place = PLACE.fullmatch(attribute(maybe(row, 'a[name^="Item_"]'), "name") or "")
        note = maybe(row, ".DateUpdated")
        said = title_or_words(note)

        # The author's id: newer boards write it as an attribute, others only into links of members with odd
        # names.
        told = attribute(maybe(row, ".Author [data-userid]"), "data-userid")
        found = PROFILE.search(attribute(author, "href") or "")
        return Draft(
            id=f"d{number}" if opening else number,
            author=text_of(author),
            author_id=told or (found[1] if found else None),
            number=1 if opening else int(place[1]) + 1 if place else None,
            machine=attribute(stamp, "datetime"),
            written=title_or_words(stamp or maybe(row, ".DateCreated")),
            body=inner(content).strip() if content else None,
            edit_note=said if note else None,
            edit_machine=attribute(maybe(note, "time[datetime]"), "datetime") if note else None,
            edit_stamp=said,
        )

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The discussion that the page names; where it was asked for in another way, at the asked board."""
        asked = self.locate(page.url)
        links = [
            attribute(maybe(tree, 'link[rel="canonical"]'), "href"),
            attribute(maybe(tree, 'meta[property="og:url"]'), "content"),
        ]
        urls = [url for link in links if link and (url := absolute(page.url, link))]
        refs = [ref for url in urls if (ref := self.locate(url)) and not ref.id.startswith("p")]
        if not refs:
            return asked if asked and not asked.id.startswith("p") else None
        return ThreadRef(self.name, asked.root if asked else refs[0].root, refs[0].id)

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        """The opening post comes before the comments of every page but the first, which holds it."""
        here, pages = self._place(page, tree)
        size = site.posts_per_page or PER_PAGE
        return Paging(here, pages, 0 if here == 1 else (here - 1) * size + 1)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return Request(_address(thread, paging.page + 1))

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """The viewer's, in which edits are told, by the times of posts, which are told in both ways."""
        stamps = every(tree, ".DateCreated time[datetime][title]")
        return zone_beside((attribute(tag, "title") or "", attribute(tag, "datetime")) for tag in stamps)

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        if post.startswith("d"):
            return _address(thread, 1)
        return f"{thread.root}discussion/comment/{post}#Comment_{post}"

    def title(self, tree: Tag) -> str:
        return words(first_of(tree, self.titles) or tree)

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The messages of a conversation."""
        return [row for row in with_id(tree, "li[id]", MESSAGE_ID) if maybe(row, ".ConversationMessage")]

    def message_subject(self, tree: Tag) -> str:
        """What stands beside the names of those who take part."""
        return words(maybe(tree, "h1 .Gloss"))

    def _place(self, page: Response, tree: Tag) -> tuple[int, int]:
        """This page and the last one, as the pager tells; a page without a pager is the only one."""
        asked = self.locate(page.url)
        linked = [
            _page_in(attribute(link, "href"))
            for link in every(tree, ":is(.Pager, .MorePager, .PagerWrap) a[href]")
        ]
        following = attribute(maybe(tree, 'link[rel="next"]'), "href")
        shown = maybe(tree, ".Pager .Highlight")
        number = words(shown)
        here = int(number) if number.isdecimal() else (asked.start or 1) if asked else 1
        if not linked and not following:
            return here, here if every(tree, ".ItemComment") else 1
        return here, max([here if shown else 1, *linked, _page_in(following) if following else 1])


def _address(ref: ThreadRef, page: int) -> str:
    """Any word may stand where the discussion's name does."""
    return f"{ref.root}discussion/{ref.id}/x" + (f"/p{page}" if page > 1 else "")


def _page_in(link: str | None) -> int:
    found = PAGE.search(link or "")
    return int(found[1]) if found else 1


VANILLA = Vanilla()
