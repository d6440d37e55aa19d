"""What does a page of a Vanilla board hold? Its discussion with the comments, in any theme since 2.0.

The opening post stands on page 1 only and is no comment: comment N ("Item_N") is post N + 1. What was deleted
leaves no trace. Times are exact since 2.1; edits are told in words, in a title.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    access_denied,
    checked,
    clock_of,
    is_absolute,
    login_required,
    no_posts,
    oldest_first,
    past_the_last_page,
    posts_of,
    refused,
    topic_missing,
)
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    inner,
    maybe,
    parse_page,
    title_or_words,
    with_id,
    worded,
    words,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".Quote", ".UserQuote", ".blockquote", ".embedQuote", ".js-quoteEmbed"),
    quote_citations=("cite", ".QuoteAuthor"),
    spoilers=(".Spoiler", ".UserSpoiler", ".spoiler", "details"),
    asides=(".Signature", ".UserSignature"),
    mentions=("a.atMention", "a.mention"),
)
BODY = re.compile(r"""<body[^>]*\bid=["']?(?:vanilla|dashboard)_\w""", re.IGNORECASE)
SCRIPT = re.compile(r"\bgdn\.meta\b|\bpowered by vanilla\b", re.IGNORECASE)
BOX = re.compile(r"""\bid=["']?(?:Discussion|Comment)_\d""")
THREAD = re.compile(
    r"(?P<root>https?://[^#]*?/)(?:vanilla/)?discussion/(?P<id>\d+)(?:/[^/?#&]*(?:/p(?P<page>\d+))?)?(?=[/?#&.]|$)"
)
COMMENT = re.compile(r"(?P<root>https?://[^#]*?/)(?:vanilla/)?discussion/comment/(?P<id>\d+)")
IDENTITY = re.compile(r"(Discussion|Comment)_(\d+)")
PLACE = re.compile(r"Item_(\d+)")
PAGE = re.compile(r"/p(\d+)(?:[?#]|$)")
PROFILE = re.compile(r"/profile/(\d+)/.")
PER_PAGE = 30
"""Comments on a page, unless the board is set otherwise."""


class Vanilla:
    """The adapter; it has no state."""

    name = "vanilla"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's id, which themes keep, else by Vanilla's own script variables and post ids."""
        text = page.text
        return bool(BODY.search(text)) or bool(SCRIPT.search(text) and BOX.search(text))

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

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged."""
        tree = parse_page(page.text)
        ref = _thread(self, page, tree)
        here, pages = _paging(tree, self.locate(page.url))
        boxes = with_id(tree, ".ItemDiscussion, .ItemComment, .FirstComment", IDENTITY)
        if not boxes:
            raise _refusal(page, tree, here, pages)
        drafts = checked([_draft(box) for box in boxes], self.name, "stock theme")
        size = site.posts_per_page or PER_PAGE
        heading = maybe(tree, ".PageTitle h1") or maybe(
            tree, ".Discussion h1, h1.H, main h1, #Content h1, h1"
        )
        title = words(heading or maybe(tree, "title") or tree)
        return Chunk(
            title=title,
            posts=_posts(drafts, 1 if here == 1 else (here - 1) * size + 2, site, now, ref),
            page=here,
            pages=pages,
            following=Request(_address(ref, here + 1)) if ref and here < pages else None,
            thread=ref,
        )


def _address(ref: ThreadRef, page: int) -> str:
    """Any word may stand where the discussion's name does."""
    return f"{ref.root}discussion/{ref.id}/x" + (f"/p{page}" if page > 1 else "")


def _draft(box: Tag) -> Draft:
    kind, _, number = (attribute(box, "id") or "").partition("_")
    opening = kind == "Discussion"
    # The author's name; links around his picture have no words. A quote in the text names others.
    author = worded(box, ':is(.Author, .AuthorWrap) .Username, .Author a[href*="/profile/"]')
    stamp = maybe(box, ".DateCreated time[datetime]") or maybe(box, ".Meta time[datetime]")
    content = maybe(box, ".Message")
    place = PLACE.fullmatch(attribute(maybe(box, 'a[name^="Item_"]'), "name") or "")
    note = maybe(box, ".DateUpdated")
    said = title_or_words(note)

    # Newer boards write it as an attribute, others only into links of members with odd names.
    told = attribute(maybe(box, ".Author [data-userid]"), "data-userid")
    found = PROFILE.search(attribute(author, "href") or "")
    return Draft(
        id=f"d{number}" if opening else number,
        author=words(author) if author else None,
        author_id=told or (found[1] if found else None),
        number=1 if opening else int(place[1]) + 1 if place else None,
        machine=attribute(stamp, "datetime"),
        written=title_or_words(stamp or maybe(box, ".DateCreated")),
        body=inner(content).strip() if content else None,
        edit_note=said if note else None,
        edit_machine=attribute(maybe(note, "time[datetime]"), "datetime") if note else None,
        edit_stamp=said,
    )


def _thread(adapter: Vanilla, page: Response, tree: Tag) -> ThreadRef | None:
    """The discussion that the page names; where it was asked for in another way, at the asked board."""
    asked = adapter.locate(page.url)
    links = [
        attribute(maybe(tree, 'link[rel="canonical"]'), "href"),
        attribute(maybe(tree, 'meta[property="og:url"]'), "content"),
    ]
    urls = [url for link in links if link and (url := absolute(page.url, link))]
    refs = [ref for url in urls if (ref := adapter.locate(url)) and not ref.id.startswith("p")]
    if not refs:
        return asked if asked and not asked.id.startswith("p") else None
    return ThreadRef(adapter.name, asked.root if asked else refs[0].root, refs[0].id)


def _paging(tree: Tag, asked: ThreadRef | None) -> tuple[int, int]:
    """This page and the last one, as the pager tells; a page without a pager is the only one."""
    links = every(tree, ":is(.Pager, .MorePager, .PagerWrap) a[href]")
    linked = [_page(attribute(link, "href")) for link in links]
    following = attribute(maybe(tree, 'link[rel="next"]'), "href")
    shown = maybe(tree, ".Pager .Highlight")
    number = words(shown)
    here = int(number) if number.isdecimal() else asked.start or 1 if asked else 1
    if not linked and not following:
        return here, here if every(tree, ".ItemComment") else 1
    return here, max([here if shown else 1, *linked, _page(following) if following else 1])


def _page(link: str | None) -> int:
    found = PAGE.search(link or "")
    return int(found[1]) if found else 1


def _posts(
    drafts: list[Draft], first: int, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    return oldest_first(posts_of(enumerate(drafts, first), partial(_permalink, ref), clock_of(site, now)))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    if ref is None:
        return None
    return _address(ref, 1) if post.startswith("d") else f"{ref.root}discussion/comment/{post}#Comment_{post}"


def _refusal(page: Response, tree: Tag, here: int, pages: int) -> KnightfallError:
    """Vanilla shows a page behind the end with its pager and no comments."""
    if maybe(tree, 'form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, "#Message, .SplashInfo p") or maybe(tree, ".SplashInfo")
    if message:
        # The body's id names the page of Vanilla that speaks, in any language.
        text = words(message)
        speaker = attribute(maybe(tree, "body"), "id") or ""
        if speaker.endswith("_permission"):
            return access_denied(page, text)
        return topic_missing(page, text) if speaker.endswith("_filenotfound") else refused(page, text)
    if here > pages:
        return past_the_last_page(page, pages)
    return no_posts(page, "Vanilla", "adapter vanilla; .ItemDiscussion and .ItemComment were looked for")


VANILLA = Vanilla()
