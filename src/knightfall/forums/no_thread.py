"""What a page is that shows no thread: named for what it is, with what to do next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from knightfall.errors import AccessDenied, KnightfallError, LoginRequired, NotAForum, SiteRefused
from knightfall.forums import ORDER, forum_named
from knightfall.forums.addresses import absolute, folder_of, is_absolute
from knightfall.forums.base import Forum, HtmlForum, login_required, private_messages
from knightfall.forums.exchange import Response, ThreadRef
from knightfall.forums.html import Tag, attribute, every, maybe, parse_page, seen_texts, words
from knightfall.sentence import Sentence, Way, sentence

CHALLENGED = sentence(
    "The site asks for a human check, and I do not try to get around it. Open the thread in your browser, "
    "save its pages, and use those: {saved}",
    saved=Way("use_saved"),
)
REFUSING = frozenset({401, 403, 405, 429, 503})
# The scripts and names of the guards: Cloudflare, DataDome, Imperva and DDoS-Guard.
GUARDS = re.compile(
    r"/cdn-cgi/challenge-platform/(?!scripts/jsd/)|cf[-_]chl[-_]|cf-browser-verification|captcha-delivery\.com"
    r"|_Incapsula_|check\.ddos-guard\.net|challenges\.cloudflare\.com"
)
"""Words of such pages. A page that is served (200) may hold them too, so there they say nothing; a forum's
refusal may hold a captcha for its login form and Cloudflare's silent script (jsd), so these never do."""
ALWAYS = re.compile(r"""<script[^>]{0,200}\bid=["']?anubis_challenge|<script>sucuri_cloudproxy_js""")
"""Scripts of checks that are served with status 200; no post can hold a script."""
WAITING = re.compile(
    r"\b(?:just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot"
    r"|ddos protection by|einen moment bitte|making sure you.re not a bot)\b",
    re.IGNORECASE,
)
"""What such pages say, where they have no posts and few words."""


def refuse_challenge(url: str, status: int, headers: Mapping[str, str], text: str) -> None:
    """Raises AccessDenied for a challenge, which names the way around that is allowed: saved pages."""
    refused = status in REFUSING and GUARDS.search(text)
    if refused or "cf-mitigated" in headers or ALWAYS.search(text):
        raise AccessDenied(sentence("{url}: {why}", url=url, why=CHALLENGED))


BRIEF, LONGEST = 40, 300
"""Characters of a board's own words: fewer are a heading, and more are not told."""
SHORT = 250
"""Words of a page that asks one thing."""
LOGIN_HEAD = re.compile(
    r"\b(?:log|sign)[ -]?in\b"
    r"|\b(?:anmelden|einloggen|connexion|identification|iniciar sesi[oó]n|inloggen|logowanie)\b",
    re.IGNORECASE,
)
AGE = re.compile(
    r"\b(?:are you (?:at least |over )?(?:18|21)\b|(?:at least|over|older than) (?:18|21)\b"
    r"|(?:18|21) years (?:old|of age)|age (?:verification|check|gate)|(?:verify|confirm) your age"
    r"|mindestens (?:16|18) jahre|über 18)",
    re.IGNORECASE,
)
CONSENT = re.compile(
    r"\b(?:before you continue|(?:value|respect) your privacy|accept (?:all )?(?:cookies|and continue)"
    r"|consent to (?:the use of )?cookies|cookie (?:consent|settings)|alle (?:cookies )?akzeptieren)\b",
    re.IGNORECASE,
)
CLOSED = re.compile(
    r"[^.!?]{0,160}\b(?:board|forums?|site|community|foro|forum)\b"
    r"[^.!?]{0,80}\b(?:currently|temporarily|down for|derzeit|vorübergehend)\b"
    r"[^.!?]{0,60}\b(?:unavailable|disabled|closed|offline|down|maintenance|upgrad\w+"
    r"|nicht verfügbar|geschlossen|wartung)\b[^.!?]{0,200}[.!?]?"
    r"|[^.!?]{0,80}\b(?:maintenance mode|board (?:is )?(?:closed|disabled)|wartungsmodus)\b"
    r"[^.!?]{0,200}[.!?]?",
    re.IGNORECASE,
)
PROFILE = re.compile(
    r"memberlist\.php\?.*mode=viewprofile|\bmode=viewprofile|/member\.php|action=profile|/(?:members?|profile|users?|u)/[^/?#]+",
    re.IGNORECASE,
)
PROFILE_HEAD = re.compile(
    r"\bview(?:ing)? profile\b|\bprofile (?:of|for)\b|'s profile\b|\bprofil von\b", re.I
)
SEARCH = re.compile(r"/search(?:\.php|/|\?|$)|action=search|do=search", re.IGNORECASE)
SEARCH_HEAD = re.compile(r"^\W*(?:search|suche|recherche|buscar)\b|\bsearch results\b|\bsuchergebnis", re.I)
FORUM_LINK = re.compile(
    r"viewforum\w*\.(?:php|html)|forumdisplay\.php|[?;&]board[=,]\d|/board,\d|/forums?/[\w-]+\.\d+|/forum-\d+"
    r"|/board/\d+|/forum/\d+-|/(?:categories|category|c)/[\w-]+|/t/[\w-]+$|showforum=",
    re.IGNORECASE,
)
"""Links to lists of topics."""
LISTED = 3
"""So many topics, or lists of them, make a page a list."""
BOARD_MARKS = (
    "body.section-index, ul.topiclist.forums, #boardindex_table, #boardindex, #board_index, .node--forum, "
    'ol.nodeList, html[data-template="forum_list"], .forumbit_post, #forumbits, [component="categories"], '
    ".category-list, body.action_boardindex, body[data-pagecontroller=index] .cForumList, .forums > table"
)
"""What boards' indexes are made of."""
TOPICS_MARKS = (
    "body.section-viewforum, ul.topiclist.topics, #messageindex, body.action_messageindex, "
    ".structItem--thread, "
    'html[data-template="forum_view"], .discussionListItem, .threadbit, [id^="thread_title_"], #threadslist, '
    '[component="category"], .topic-list, body#vanilla_discussions_index, .conversation-list.list-container, '
    ".DiscussionList, .ipsDataItem[data-rowid]"
)
"""What lists of topics are made of."""
PROFILE_MARKS = (
    'body.section-memberlist, html[data-template^="member_view"], #profileview, body.action_profile, '
    '.memberHeader, [component="account/cover"], #user-profile'
)
MESSAGES = re.compile(
    r"\bucp\.php\?(?:[^#]*&)?i=(?:ucp_)?pm\b|/(?:private|privmsg)\.php|\baction=pm\b|\bmodule=messaging\b"
    r"|/(?:conversations|direct-messages|messenger)/?(?:[?#]|$)|/messages/(?:inbox|all)\b|/my/messages\b",
    re.IGNORECASE,
)
"""Addresses of lists of private messages."""
MESSAGES_MARKS = "#viewfolder, form[name=pmFolder], .structItem--conversation, #message_list #msgFolderForm"
SEARCH_MARKS = 'body.section-search, html[data-template^="search"], body.action_search, body.action_search2'


def named(
    page: Response, name: str, forum: Forum | None, fault: KnightfallError | None
) -> KnightfallError | None:
    """The error that says what a page without a thread is; None where that is not known, or the `fault` that
    its platform found says it already."""
    tree = parse_page(page.text)
    if forum is None and with_messages(tree):
        return private_messages(page, name)
    title, said = words(maybe(tree, "title")), _spaced(maybe(tree, "body") or tree)
    few = said.count(" ") < SHORT
    where = page.url or name
    challenged = GUARDS.search(page.text) or WAITING.search(title) or (few and WAITING.search(said))
    if ALWAYS.search(page.text) or (challenged and few):
        return AccessDenied(sentence("{page}: {why}", page=where, why=CHALLENGED))
    if few and CLOSED.search(said):
        return SiteRefused(
            sentence(
                '{page}: the board is closed. It says: "{said}". Try again when it is open; pages that you '
                "saved before can be used: {saved}",
                page=where,
                said=_closing_words(tree),
                saved=Way("use_saved"),
            )
        )
    if few and (AGE.search(said) or CONSENT.search(f"{title} {said}")):
        asked = "how old you are" if AGE.search(said) else "whether it may set cookies"
        return AccessDenied(
            sentence(
                "{page} asks {asked} before it shows the thread. Answer it in your browser, save the pages "
                "of the thread there, and use those: {saved}",
                page=where,
                asked=asked,
                saved=Way("use_saved"),
            )
        )
    if isinstance(fault, LoginRequired) and (forum is None or _is_thread(forum, page.url)):
        return None
    password = maybe(tree, 'input[type="password"]') is not None
    if password and LOGIN_HEAD.search(title or words(maybe(tree, "h1, h2"))):
        return None if isinstance(fault, LoginRequired) else login_required(page, name=name)
    # A board that refuses has said why.
    refused = isinstance(fault, LoginRequired | AccessDenied)
    listed = forum is not None and MESSAGES.search(page.url)
    if not refused and (listed or maybe(tree, MESSAGES_MARKS)):
        return NotAForum(
            sentence(
                "{page} is a list of private messages, not a thread. Open the message in your browser, and "
                "paste its page where the messages of the night or round that is open are entered: {submit}",
                page=where,
                submit=Way("submit"),
            )
        )
    if forum is not None and (fault is None or not _is_thread(forum, page.url)):
        return _list_of_topics(tree, page, where, title, forum)
    return None


def with_messages(tree: Tag, platform: str | None = None) -> tuple[HtmlForum, list[Tag]] | None:
    """The platform whose private messages stand on a page, and the elements that they are; None where there
    are none. A copied page has no marks of its platform: without one, each of ours is asked."""
    for name in ORDER if platform is None else (platform,):
        forum = forum_named(name)
        if isinstance(forum, HtmlForum) and (rows := forum.message_rows(tree)):
            return forum, rows
    return None


def _is_thread(forum: Forum, url: str) -> bool:
    return forum.locate(url) is not None


def _list_of_topics(
    tree: Tag, page: Response, where: str, title: str, forum: Forum
) -> KnightfallError | None:
    """A profile, a search, a list of topics, or the board's index: by its address or title, else by its
    links."""
    links = [absolute(page.url, attribute(tag, "href") or "") or "" for tag in every(tree, "a[href]")]
    found = [ref for link in links if (ref := forum.locate(link)) and not ref.id.startswith("p")]
    topics = {(ref.root, ref.id) for ref in found}
    forums = {link.partition("#")[0] for link in links if FORUM_LINK.search(link)}
    if PROFILE.search(page.url) or PROFILE_HEAD.search(title) or maybe(tree, PROFILE_MARKS):
        what = "the profile of a member"
    elif SEARCH.search(page.url) or SEARCH_HEAD.search(title) or maybe(tree, SEARCH_MARKS):
        what = "a page to search on, or what a search found"
    elif maybe(tree, BOARD_MARKS):
        what = "the index of the board, not a thread"
    elif maybe(tree, TOPICS_MARKS) or FORUM_LINK.search(page.url):
        what = "a list of topics, not one of them"
    elif max(len(topics), len(forums)) >= LISTED:
        listed = len(topics) > len(forums)
        what = "a list of topics, not one of them" if listed else "the index of the board, not a thread"
    else:
        return None
    root = next((ref.root for ref in found), folder_of(page.url) if is_absolute(page.url) else "")
    return NotAForum(
        sentence(
            "{page} is {what}. Open the thread in your browser, and give its address{like}, or its pages as "
            "you saved them: {saved}",
            page=where,
            what=what,
            like=_likeness(forum, root),
            saved=Way("use_saved"),
        )
    )


def _likeness(forum: Forum, root: str) -> Sentence | str:
    """What a thread's address looks like on that board."""
    drawn = {
        "discourse": "t/name/123",
        "nodebb": "topic/123/name",
        "flarum": "d/123-name",
        "reddit": "r/name/comments/abc123/",
    }
    if not root:
        return ""
    path = drawn.get(forum.name)
    example = root + path if path else forum.start(ThreadRef(forum.name, root, "123")).url
    return f" (on this board it looks like {example})"


def closed(text: str) -> str:
    """What a refusal says of a board that is closed, in the board's words; "" where it says nothing."""
    tree = parse_page(text)
    said = _spaced(tree)
    return _closing_words(tree) if said.count(" ") < SHORT and CLOSED.search(said) else ""


def _closing_words(tree: Tag) -> str:
    """The words of the box in which a board says that it is closed; of one with a heading only, what stands
    under it as well."""
    saying = [tag for tag in every(tree, "body, body *") if CLOSED.search(_spaced(tag))]
    box = saying[-1] if saying else tree
    while len(_spaced(box)) < BRIEF and (around := box.getparent()) is not None:
        box = cast(Tag, around)
    return _spaced(box)[:LONGEST]


def _spaced(tag: Tag) -> str:
    """The text of an element, that of its boxes set apart."""
    return " ".join(" ".join(seen_texts(tag)).split())
