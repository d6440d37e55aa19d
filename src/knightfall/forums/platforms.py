"""What is told of each platform: its software, how it is read, what its pages give, and how that is known.

One row for every entry of `forums.FORUMS`, in the order in which people should read them. A forum of another
package may bring its row as an attribute `platform`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from knightfall.sentence import Sentence, Way, sentence


class Times(Enum):
    """How exactly pages tell when a post was written."""

    EXACT = "exact"
    APPROXIMATE = "approx."
    EITHER = "either"
    """Exact in newer versions or for older posts only."""


class Deleted(Enum):
    """What is left of a deleted or hidden post."""

    MARKED = "marked"
    NO_TRACE = "no trace"


class Checked(Enum):
    """What an adapter was written against."""

    REAL_PAGES = "real pages"
    OWN_PAGES = "own pages"
    """Pages written for the project in the software's markup; not yet run on real ones."""
    DOCUMENTATION = "docs only"


@dataclass(frozen=True, slots=True)
class Landmarks:
    """CSS selectors of what a page with posts has on that platform, to be counted where reading fails."""

    boxes: str
    authors: str
    texts: str


@dataclass(frozen=True, slots=True)
class Platform:
    """`name` is the adapter's; `edits` says whether an edited post is told from an untouched one. `export` is
    how a thread gets here of a place that lets no program read it; None: its pages can be read."""

    name: str
    software: str
    read_as: str
    landmarks: Landmarks | None = None
    times: Times = Times.EXACT
    deleted: Deleted = Deleted.MARKED
    edits: bool = True
    checked: Checked = Checked.OWN_PAGES
    export: Sentence | None = None


PLATFORMS: tuple[Platform, ...] = (
    Platform(
        "phpbb",
        "phpBB 3.0-3.3",
        "HTML",
        Landmarks(
            'div.post[id^="p"], a[name^="p"], div.post:has(> div.date)',
            ".author, .postauthor",
            "div.content, div.postbody",
        ),
        Times.EITHER,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "phpbb2",
        "phpBB 2.0",
        "HTML",
        Landmarks("span.name > a[name]", "span.name b", "span.postbody"),
        Times.APPROXIMATE,
        Deleted.NO_TRACE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "xenforo2",
        "XenForo 2.0-2.3",
        "HTML",
        Landmarks("article.message--post", "article[data-author]", ".message-body .bbWrapper"),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "xenforo1",
        "XenForo 1",
        "HTML",
        Landmarks('li.message[id^="post-"]', "li.message[data-author]", ".messageText"),
        Times.EITHER,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "vbulletin3",
        "vBulletin 3",
        "HTML",
        Landmarks(
            'table[id^="post"], .post:has(> .posttop)',
            '.bigusername, [id^="postmenu_"], .posttop .username',
            '[id^="post_message_"], .posttext',
        ),
        Times.APPROXIMATE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "vbulletin4",
        "vBulletin 4",
        "HTML",
        Landmarks("li.postcontainer", ".postcontainer .username", ".postcontent"),
        Times.APPROXIMATE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "vbulletin5",
        "vBulletin 5",
        "HTML",
        Landmarks("li.b-post[data-node-id]", ".b-post .author", ".js-post__content-text"),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "smf",
        "SMF 2.0-2.1",
        "HTML",
        Landmarks(
            "div.post_wrapper, #posts .postheader",
            ".poster h4, .postheader strong",
            '.post_wrapper [id^="msg_"], #posts .postbody',
        ),
        Times.APPROXIMATE,
        Deleted.NO_TRACE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "mybb",
        "MyBB 1.6-1.8",
        "HTML",
        Landmarks(
            '[id^="post_"].post, .post > .header:has(> .dateline)',
            ".author_information, .post_author, .post > .header > .author",
            ".post_body, .post > .message",
        ),
        Times.APPROXIMATE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "invision4",
        "Invision 4",
        "HTML",
        Landmarks('article[id^="elComment_"]', ".cAuthorPane_author", '[data-role="commentContent"]'),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "invision3",
        "IP.Board 3",
        "HTML",
        Landmarks('[id^="post_id_"]', ".author", ".entry-content"),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "discourse",
        "Discourse",
        "JSON/HTML",
        Landmarks(
            ".crawler-post, article[data-post-id]",
            ".crawler-post .creator, article .names",
            ".crawler-post .post, article .cooked",
        ),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "nodebb",
        "NodeBB",
        "JSON/HTML",
        Landmarks('[component="post"]', '[component="post"][data-username]', '[component="post/content"]'),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "flarum",
        "Flarum 1",
        "JSON/HTML",
        Landmarks(
            "#flarum-content article, .PostStream-item article",
            ".PostUser-name",
            "#flarum-content .Post-body, .PostStream-item .Post-body",
        ),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "reddit",
        "Reddit",
        "JSON/HTML",
        Landmarks(
            ".thing[data-fullname], shreddit-comment",
            ".thing[data-author], shreddit-comment[author]",
            '.usertext-body, shreddit-comment [id$="-post-rtjson-content"], shreddit-comment '
            '[slot="comment"]',
        ),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "bgg",
        "BoardGameGeek",
        "XML",
        deleted=Deleted.NO_TRACE,
        checked=Checked.DOCUMENTATION,
    ),
    Platform(
        "discord",
        "Discord exports",
        "JSON/HTML",
        Landmarks(
            ".chatlog__message-container, .chatlog__message[data-message-id]",
            ".chatlog__author, .chatlog__author-name",
            ".chatlog__content",
        ),
        deleted=Deleted.NO_TRACE,
        checked=Checked.REAL_PAGES,
        export=sentence(
            "Discord lets no program read a channel: export it with DiscordChatExporter from its beginning, "
            "best as JSON, and use that file: {saved}",
            saved=Way("use_saved"),
        ),
    ),
    Platform(
        "proboards",
        "ProBoards 5",
        "HTML",
        Landmarks('tr.post[id^="post-"]', ".mini-profile .user-link, .user-guest", "tr.post .message"),
        deleted=Deleted.NO_TRACE,
        checked=Checked.DOCUMENTATION,
    ),
    Platform(
        "vanilla",
        "Vanilla 2.0-3.3",
        "HTML",
        Landmarks(
            ".ItemDiscussion, .ItemComment", '.Author .Username, .Author a[href*="/profile/"]', ".Message"
        ),
        Times.EITHER,
        Deleted.NO_TRACE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "somethingawful",
        "Something Awful",
        "HTML",
        Landmarks("table.post", "dt.author", "td.postbody"),
        Times.APPROXIMATE,
        Deleted.NO_TRACE,
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "mtgsalvation",
        "Curse Cobalt",
        "HTML",
        Landmarks(".p-comment-post", ".p-comment-username", ".j-comment-body"),
        checked=Checked.REAL_PAGES,
    ),
    Platform(
        "text",
        "Text, no markup",
        "text",
        times=Times.APPROXIMATE,
        deleted=Deleted.NO_TRACE,
        edits=False,
    ),
)
