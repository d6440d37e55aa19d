"""Boards of many platforms that answer on loopback: one invented thread, in each platform's own markup.

A board shows times as its software does: in its own zone and words, recent ones as “Yesterday” or “2 hours
ago”. Bodies are written once, in a few tags (`[vote]`, `[quote=…]`), and made into the platform's HTML.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from fetch.loopback import Reply

TITLE = "Sorrel Lane [Day 1]"
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Written:
    """A post; `edited` is when its author changed it, as the board shows to everybody."""

    id: int
    author: str
    text: str
    at: datetime
    edited: datetime | None = None

    @property
    def member(self) -> int:
        """The id of its author's account."""
        return sum(map(ord, self.author))


def page_number(found: re.Match[str] | None) -> int | None:
    """The page that an address names in its first group, 1 where it names none; None for another address."""
    return int(found[1] or 1) if found else None


class Board(ABC):
    """A board with one thread. `posts` may change between two answers; `root` is set when it is served."""

    name: ClassVar[str]
    platform: ClassVar[str]
    zone: ClassVar[tzinfo]
    """That of the times on its pages."""
    first: ClassVar[int] = 1
    """The number of the opening post."""
    vote: ClassVar[str] = "<b>Vote: {}</b>"
    unvote: ClassVar[str] = "<b>Unvote</b>"
    quote: ClassVar[str] = "<blockquote>{1}</blockquote>"
    suffix: ClassVar[str] = ".html"
    saved: ClassVar[bool] = True
    """Whether its pages can be put together again from files."""
    stated: ClassVar[str] = ""
    """The zone as a moderator states it, where a saved page does not tell it; "" where none is needed."""

    def __init__(self, posts: list[Written], per_page: int = 5) -> None:
        self.posts, self.per_page, self.root, self.now = posts, per_page, "", datetime.now(UTC)

    def __call__(self, path: str) -> Reply:
        number = self.asked(path)
        if number is None or not 1 <= number <= self.pages:
            return Reply(b"<html><body>Nothing here.</body></html>", 404)
        kind = "application/json" if self.suffix == ".json" else "text/html"
        return Reply(self.rendered(number).encode(), headers={"Content-Type": f"{kind}; charset=utf-8"})

    @property
    def pages(self) -> int:
        """How many pages the thread has."""
        return -(-len(self.posts) // self.per_page)

    @property
    def url(self) -> str:
        """The address that one would paste."""
        return self.page_url(1)

    def rendered(self, number: int) -> str:
        """A page as it is served now."""
        self.now = datetime.now(UTC)
        return self.page(number, self.posts[(number - 1) * self.per_page : number * self.per_page])

    def save(self, folder: Path) -> list[str]:
        """The pages as a browser saves them, with the address that they came from."""
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for number in range(1, self.pages + 1):
            text, url = self.rendered(number), self.page_url(number)
            if self.suffix == ".html":
                text = text.replace("<head>", f"<!-- saved from url=({len(url):04}){url} -->\n<head>", 1)
            file = folder / f"page-{number}{self.suffix}"
            file.write_text(text, encoding="utf-8")
            files.append(str(file))
        return files

    def html(self, post: Written) -> str:
        """The body of a post as the board shows it."""
        text = post.text.replace("\n", "<br/>\n")
        text = re.sub(r"\[vote\](.*?)\[/vote\]", lambda found: self.vote.format(found[1]), text)
        text = text.replace("[unvote]", self.unvote)

        def quoted(found: re.Match[str]) -> str:
            return self.quote.format(found[1], found[2])

        return re.sub(r"\[quote=(.*?)\](.*?)\[/quote\]", quoted, text, flags=re.DOTALL)

    def local(self, at: datetime) -> datetime:
        """What the board's clock showed at that instant."""
        return at.astimezone(self.zone)

    def ago(self, at: datetime) -> int:
        """How many days ago an instant was by the board's calendar: 0 for today."""
        return (self.local(self.now).date() - self.local(at).date()).days

    def number(self, post: Written) -> int:
        """The number of a post in the thread."""
        return self.posts.index(post) + self.first

    @abstractmethod
    def page_url(self, number: int) -> str:
        """The address of a page."""

    @abstractmethod
    def asked(self, path: str) -> int | None:
        """The page that a path asks for; None where it is no page of the thread."""

    @abstractmethod
    def page(self, number: int, posts: list[Written]) -> str:
        """A page of the thread with those posts on it."""


def asked_by(path: str, script: str, identity: tuple[str, str], offset: str, size: int) -> int | None:
    """The page that the query of a script asks for by an offset (`size` posts a page) or a number (size "
    "0)."""
    query = parse_qs(urlsplit(path).query)
    if not urlsplit(path).path.endswith(script) or query.get(identity[0], [""])[0] != identity[1]:
        return None
    value = int(query.get(offset, ["0" if size else "1"])[0])
    return value // size + 1 if size else value


# ---- phpBB


class Prosilver(Board):
    """phpBB 3.3 in its own theme: instants for machines, the words of an edit by the board's clock."""

    name, platform = "phpbb-3.3", "phpbb"
    zone: ClassVar[tzinfo] = ZoneInfo("Europe/Berlin")
    vote = '<strong class="text-strong">Vote: {}</strong>'
    unvote = '<strong class="text-strong">Unvote</strong>'
    quote = "<blockquote><div><cite>{0} wrote:</cite>{1}</div></blockquote>"
    footer = '<li class="rightside">All times are <span title="Europe/Berlin">UTC+01:00</span></li>'

    def page_url(self, number: int) -> str:
        start = (number - 1) * self.per_page
        return f"{self.root}viewtopic.php?t=9" + (f"&start={start}" if start else "")

    def asked(self, path: str) -> int | None:
        return asked_by(path, "viewtopic.php", ("t", "9"), "start", self.per_page)

    def stamp(self, at: datetime) -> str:
        return f'<time datetime="{at:%Y-%m-%dT%H:%M:%S+00:00}">{self.words(at)}</time>'

    def words(self, at: datetime) -> str:
        """An instant by the board's clock."""
        return f"{self.local(at):%a %b %d, %Y %-I:%M %p}".replace("AM", "am").replace("PM", "pm")

    def mark(self, post: Written) -> str:
        """What stands before the author's name."""
        return f'<a class="unread" href="./viewtopic.php?p={post.id}#p{post.id}" title="Post"></a>'

    def page(self, number: int, posts: list[Written]) -> str:
        links = "".join(
            f'<li class="active"><span>{one}</span></li>'
            if one == number
            else f'<li><a href="./viewtopic.php?t=9&amp;start={(one - 1) * self.per_page}">{one}</a></li>'
            for one in range(1, self.pages + 1)
        )
        start = f"&amp;start={(number - 1) * self.per_page}" if number > 1 else ""
        return (
            '<!DOCTYPE html>\n<html dir="ltr" lang="en">\n<head>\n<meta charset="utf-8" /><title>'
            f"{TITLE}</title>\n"
            '</head>\n<body id="phpbb" class="nojs notouch section-viewtopic ltr ">\n<div id="wrap">'
            '<div id="page-header"><a href="./ucp.php?mode=login">Login</a></div><div id="page-body">\n'
            f'<h2 class="topic-title"><a href="./viewtopic.php?t=9{start}">{TITLE}</a></h2>\n'
            f'<div class="action-bar bar-top"><div class="pagination">\n{len(self.posts)} posts\n<ul>'
            f"{links}</ul>"
            f"</div></div>\n{''.join(map(self.box, posts))}</div>\n"
            f'<div id="page-footer"><ul class="nav-footer linklist">{self.footer}</ul></div></div>\n</body>'
            "\n</html>"
        )

    def box(self, post: Written) -> str:
        who = (
            f'<a href="./memberlist.php?mode=viewprofile&amp;u={post.member}" class="username">'
            f"{post.author}</a>"
        )
        notice = ""
        if post.edited:
            notice = (
                f'<div class="notice">Last edited by {who} on {self.words(post.edited)}, edited 1 time in '
                "total.</div>"
            )
        return (
            f'<div id="p{post.id}" class="post has-profile bg1"><div class="inner">'
            f'<dl class="postprofile" id="profile{post.id}"><dt>{who}</dt></dl><div class="postbody">'
            f'<div id="post_content{post.id}"><h3><a href="./viewtopic.php?p={post.id}#p{post.id}">Re</a>'
            "</h3>\n"
            f'<p class="author">{self.mark(post)}<span class="responsive-hide">by <strong>{who}</strong> '
            "&raquo; "
            f'</span>{self.stamp(post.at)}</p>\n<div class="content">{self.html(post)}</div>\n{notice}'
            f'<div id="sig{post.id}" class="signature"><b>Vote: Cobb</b></div></div></div></div></div>\n'
        )


class MafiaScum(Prosilver):
    """MafiaScum's phpBB: numbers from 0, its own vote tag, times by a clock of New York alone."""

    name = "mafiascum"
    zone, first = ZoneInfo("America/New_York"), 0
    vote = '<span class="bbvote" title="This is an official vote.">VOTE: {}</span>'
    unvote = '<span class="bbvote" title="This is an official unvote.">UNVOTE: </span>'
    footer = '<li class="rightside">All times are <span title="America/New York">UTC-05:00</span></li>'

    def stamp(self, at: datetime) -> str:
        return self.words(at)

    def mark(self, post: Written) -> str:
        return (
            f'<a class="unread" href="./viewtopic.php?p={post.id}#p{post.id}" title="Post">'
            f'<span class="post-number-bolded">#{self.number(post)}</span></a> '
        )


class Prosilver30(Prosilver):
    """phpBB 3.0: words alone, by a zone of whole hours with summer time added."""

    name = "phpbb-3.0"
    zone = timezone(timedelta(hours=-7))
    vote = '<span style="font-weight: bold">Vote: {}</span>'
    unvote = '<span style="font-weight: bold">Unvote</span>'
    footer = (
        '<li class="rightside">All times are UTC - 8 hours [ <abbr title="Daylight Saving Time">DST</abbr> '
        "]</li>"
    )

    def stamp(self, at: datetime) -> str:
        return self.words(at)


class PhpBB2(Board):
    """phpBB 2.0: tables, and a zone with half an hour in it, by its name."""

    name = platform = "phpbb2"
    zone = timezone(timedelta(hours=9, minutes=30))
    vote = '<span style="font-weight: bold">Vote: {}</span>'
    unvote = '<span style="font-weight: bold">Unvote</span>'
    quote = (
        '</span><table width="90%" align="center"><tr><td><span class="genmed"><b>{0} wrote:</b></span></td>'
        "</tr>"
        '<tr><td class="quote">{1}</td></tr></table><span class="postbody">'
    )

    def page_url(self, number: int) -> str:
        start = (number - 1) * self.per_page
        return f"{self.root}viewtopic.php?t=9" + (f"&start={start}" if start else "")

    def asked(self, path: str) -> int | None:
        return asked_by(path, "viewtopic.php", ("t", "9"), "start", self.per_page)

    def words(self, at: datetime) -> str:
        return f"{self.local(at):%a %b %d, %Y %I:%M %p}"

    def page(self, number: int, posts: list[Written]) -> str:
        link = '<a href="viewtopic.php?t=9&amp;postdays=0&amp;postorder=asc&amp;start={0}">{1}</a>'
        goto = "Goto page " + ", ".join(
            f"<b>{one}</b>" if one == number else link.format((one - 1) * self.per_page, one)
            for one in range(1, self.pages + 1)
        )
        title = link.format((number - 1) * self.per_page, TITLE).replace("<a ", '<a class="maintitle" ')
        return (
            f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html dir="LTR">\n<head>\n'
            f"<title>Lane :: View topic - {TITLE}</title>\n</head>\n<body>\n"
            '<table><tr><td class="bodyline"><a href="profile.php?mode=register" class="mainmenu">'
            "Register</a>\n"
            f'<table><tr><td>{title}<br /><span class="gensmall"><b>{goto}</b></span></td></tr></table>\n'
            f'<table class="forumline">{"".join(map(self.box, posts))}</table>\n'
            '<table><tr><td align="right"><span class="gensmall">All times are CST (Australia)</span><br />'
            f'<span class="nav">{goto}</span></td></tr><tr><td><span class="nav">Page <b>{number}</b> of '
            f"<b>{self.pages}</b></span></td></tr></table></td></tr></table>\n</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        told = ""
        if post.edited:
            told = (
                f"<br /><br />Last edited by {post.author} on {self.words(post.edited)}; edited 1 time in "
                "total"
            )
        return (
            f'<tr><td class="row1"><span class="name"><a name="{post.id}"></a><b>{post.author}</b></span>'
            "</td>\n"
            f'<td class="row1"><table><tr><td width="100%"><a href="viewtopic.php?p={post.id}#{post.id}"></a>'
            f'<span class="postdetails">Posted: {self.words(post.at)}<span class="gen">&nbsp;</span>&nbsp; '
            '&nbsp;Post subject: </span></td></tr><tr><td colspan="2"><hr /></td></tr><tr><td colspan="2">'
            f'<span class="postbody">{self.html(post)}</span><span class="gensmall">{told}</span></td></tr>'
            f'</table></td></tr><tr><td class="row1"><span class="nav"></span></td><td class="row1">'
            f'<a href="profile.php?mode=viewprofile&amp;u={post.member}"></a></td></tr>\n'
        )


# ---- SMF


class Smf21(Board):
    """SMF 2.1: replies are counted, the opening post is #0; one clock for machines and one for people."""

    name, platform, first = "smf-2.1", "smf", 0
    zone = ZoneInfo("Asia/Tokyo")
    quote = '<blockquote class="bbc_standard_quote"><cite>Quote from: {0}</cite>{1}</blockquote>'

    def page_url(self, number: int) -> str:
        return f"{self.root}index.php?topic=9.{(number - 1) * self.per_page}"

    def asked(self, path: str) -> int | None:
        found = re.search(r"index\.php\?topic=9\.(\d+)", path)
        return int(found[1]) // self.per_page + 1 if found else None

    def words(self, at: datetime) -> str:
        clock = f"{self.local(at):%I:%M %p}"
        if self.ago(at) < 2:
            return f"<strong>{('Today', 'Yesterday')[self.ago(at)]}</strong> at {clock}"
        return f"{self.local(at):%b %d, %Y}, {clock}"

    def page(self, number: int, posts: list[Written]) -> str:
        links = " ".join(
            f'<span class="current_page">{one}</span>'
            if one == number
            else f'<a class="nav_page" href="{self.page_url(one)}">{one}</a>'
            for one in range(1, self.pages + 1)
        )
        shown = f"{self.local(self.now):%b %d, %Y, %I:%M %p}"
        return (
            f'<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<meta charset="UTF-8">\n<script>\n'
            f'var smf_theme_url = "{self.root}Themes/default";\nvar smf_scripturl = '
            f'"{self.root}index.php";\n</script>\n'
            f'<title>{TITLE}</title>\n<link rel="canonical" href="{self.page_url(number)}">\n'
            f'<link rel="index" href="{self.root}index.php?board=3.0">\n</head>\n<body id="smf">\n'
            f'<div id="inner_wrap"><div class="user"><time datetime="{self.now:%Y-%m-%dT%H:%M:%SZ}">'
            f"{shown}</time></div>"
            f'</div><div id="display_head"><h2 class="display_title"><span id="top_subject">{TITLE}</span>'
            "</h2></div>\n"
            '<div class="pagesection top"><div class="pagelinks floatleft"><span class="pages">Pages</span>'
            f" {links}"
            f'</div></div>\n<div id="forumposts"><form action="{self.root}index.php?action=quickmod2;topic=9.'
            f'{(number - 1) * self.per_page}" method="post" id="quickModForm">\n'
            f"{''.join(map(self.box, posts))}</form></div>\n"
            '<div id="footer"><ul><li class="copyright">SMF 2.1.4</li></ul></div>\n</body>\n</html>'
        )

    def box(self, post: Written) -> str:
        reply, link = self.number(post), f"{self.root}index.php?msg={post.id}"
        said = f"Last Edit: {self.words(post.edited)} by {post.author}" if post.edited else ""
        return (
            f'<div class="windowbg" id="msg{post.id}"><div class="post_wrapper"><div class="poster"><h4>'
            f'<a href="{self.root}index.php?action=profile;u={post.member}">{post.author}</a></h4></div>\n'
            f'<div class="postarea"><div class="keyinfo"><div id="subject_{post.id}"><a href="{link}">Re</a>'
            "</div>"
            f'<span class="page_number floatright">{f"#{reply}" if reply else ""}</span><div '
            'class="postinfo">'
            f'<a href="{link}" title="Reply #{reply} - {TITLE}" class="smalltext">{self.words(post.at)}</a>'
            f'<span class="smalltext modified floatright" id="modified_{post.id}">{said}</span></div></div>\n'
            f'<div class="post"><div class="inner" data-msgid="{post.id}" id="msg_{post.id}">'
            f"{self.html(post)}</div>"
            f'</div></div><div class="moderatorbar"><div class="signature" id="msg_{post.id}_signature">'
            "<b>Vote: Cobb</b></div></div></div></div>\n"
        )


class Smf20(Smf21):
    """SMF 2.0 in German: no clock for guests, so whoever runs the count says the board's zone."""

    name, stated = "smf-2.0", "Europe/Berlin"
    zone = ZoneInfo("Europe/Berlin")
    vote, unvote = "<strong>Vote: {}</strong>", "<strong>Unvote</strong>"
    quote = (
        '<div class="quoteheader"><div class="topslice_quote">Zitat von: {0}</div></div>'
        '<blockquote class="bbc_standard_quote">{1}</blockquote><div class="quotefooter"></div>'
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}index.php?topic=9.{(number - 1) * self.per_page}"

    def words(self, at: datetime) -> str:
        clock = f"{self.local(at):%H:%M:%S}"
        if self.ago(at) < 2:
            return f"<strong>{('Heute', 'Gestern')[self.ago(at)]}</strong> um {clock}"
        return f"{self.local(at):%d.%m.%Y}, {clock}"

    def edit_words(self, at: datetime) -> str:
        """When a post was changed."""
        return self.words(at)

    def page(self, number: int, posts: list[Written]) -> str:
        links = " ".join(
            f"[<strong>{one}</strong>]"
            if one == number
            else f'<a class="navPages" href="{self.page_url(one)}">{one}</a>'
            for one in range(1, self.pages + 1)
        )
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "xhtml1-transitional.dtd">\n'
            "<html>\n<head>\n"
            f'<script type="text/javascript">var smf_scripturl = "{self.root}index.php";</script>\n<title>'
            f"{TITLE}</title>"
            f'\n<link rel="canonical" href="{self.page_url(number)}" />\n</head>\n<body>\n'
            f'<div class="navigate_section"><ul><li class="last"><a href="{self.url}"><span>{TITLE}</span>'
            "</a></li></ul>"
            f'</div><div class="pagesection"><div class="pagelinks floatleft">Seiten: {links}</div></div>\n'
            f'<div id="forumposts"><form action="{self.root}index.php?action=quickmod2;topic=9.'
            f'{(number - 1) * self.per_page}" method="post" id="quickModForm">\n'
            f"{''.join(map(self.box, posts))}</form></div>\n"
            "</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        reply = self.number(post)
        counted = f"<strong>Antwort #{reply} am:</strong>" if reply else "<strong>am:</strong>"
        told = ""
        if post.edited:
            told = f"&#171; <em>Letzte Änderung: {self.edit_words(post.edited)} von {post.author}</em> &#187;"
        return (
            f'<a id="msg{post.id}"></a><div class="windowbg"><div class="post_wrapper"><div class="poster">'
            "<h4>"
            f'<a href="{self.root}index.php?action=profile;u={post.member}">{post.author}</a></h4></div>\n'
            f'<div class="postarea"><div class="flow_hidden"><div class="keyinfo"><h5 id="subject_{post.id}">'
            f'<a href="{self.root}index.php?topic=9.msg{post.id}#msg{post.id}">Re</a></h5><div '
            'class="smalltext">'
            f"&#171; {counted} {self.words(post.at)} &#187;</div></div></div>\n"
            f'<div class="post"><div class="inner" id="msg_{post.id}">{self.html(post)}</div></div></div>'
            f'<div class="moderatorbar"><div class="smalltext modified" id="modified_{post.id}">{told}</div>'
            f'<div class="signature" id="msg_{post.id}_signature"><strong>Vote: Cobb</strong></div></div>'
            "</div></div>\n"
        )


# ---- XenForo


class XenForo2(Board):
    """XenForo 2.3: instants for machines, with the board's own offset."""

    name = platform = "xenforo2"
    zone = timezone(timedelta(hours=5, minutes=45))
    quote = (
        '<blockquote class="bbCodeBlock bbCodeBlock--quote" data-quote="{0}"><div class="bbCodeBlock-title">'
        "{0} said:"
        '</div><div class="bbCodeBlock-content">{1}</div></blockquote>'
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}threads/sorrel-lane.9/" + (f"page-{number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/threads/(?:sorrel-lane\.)?9/(?:page-(\d+))?", path))

    def stamp(self, at: datetime) -> str:
        there = self.local(at)
        words = (
            f"{there:%b %-d, %Y}"
            if self.ago(at) > 1
            else f"{('Today', 'Yesterday')[self.ago(at)]} at {there:%H:%M}"
        )
        return (
            f'<time class="u-dt" dir="auto" datetime="{there:%Y-%m-%dT%H:%M:%S%z}" '
            f'data-timestamp="{at.timestamp():.0f}" '
            f'data-date="{there:%b %-d, %Y}" data-time="{there:%H:%M}" title="{there:%b %-d, %Y at %H:%M}">'
            f"{words}</time>"
        )

    def page(self, number: int, posts: list[Written]) -> str:
        links = "".join(
            f'<li class="pageNav-page {"pageNav-page--current" if one == number else ""}">'
            f'<a href="{self.page_url(one)}">{one}</a></li>'
            for one in range(1, self.pages + 1)
        )
        return (
            '<!DOCTYPE html>\n<html id="XF" lang="en-US" data-xf="2.3" data-app="public" '
            'data-template="thread_view" '
            f'data-content-key="thread-9" data-logged-in="false">\n<head>\n<title>{TITLE} | Lane</title>\n'
            f'<link rel="canonical" href="{self.page_url(number)}" />\n</head>\n<body '
            'data-template="thread_view">\n'
            f'<div class="p-title"><h1 class="p-title-value">{TITLE}</h1></div><div class="p-description">'
            f'{self.stamp(self.posts[0].at - 400 * DAY)}</div><div class="p-body-content"><div '
            'class="p-body-pageContent">'
            f'<nav class="pageNavWrapper"><div class="pageNav"><ul class="pageNav-main">{links}</ul></div>'
            "</nav>\n"
            f'<div class="block-body js-replyNewMessageContainer">\n{"".join(map(self.box, posts))}</div>'
            "</div></div>\n"
            "</body></html>"
        )

    def box(self, post: Written) -> str:
        told = (
            f'<div class="message-lastEdit">Last edited: {self.stamp(post.edited)}</div>'
            if post.edited
            else ""
        )
        link = f"{self.url}post-{post.id}"
        return (
            '<article class="message message--post js-post js-inlineModContainer" '
            f'data-author="{post.author}" '
            f'data-content="post-{post.id}" id="js-post-{post.id}"><div class="message-inner">\n'
            '<div class="message-cell message-cell--user"><h4 class="message-name"><a class="username" '
            f'data-user-id="{post.member}">{post.author}</a></h4></div><div class="message-cell '
            'message-cell--main">'
            '<header class="message-attribution message-attribution--split"><ul '
            'class="message-attribution-main">'
            f'<li><a href="{link}">{self.stamp(post.at)}</a></li></ul><ul '
            'class="message-attribution-opposite"><li>'
            f'<a href="{link}" rel="nofollow">\n#{self.number(post)}\n</a></li></ul></header>\n'
            '<div class="message-content"><article class="message-body js-selectToQuote">\n<div '
            'class="bbWrapper">'
            f"{self.html(post)}</div></article>\n{told}</div>"
            '<aside class="message-signature"><div class="bbWrapper"><b>Vote: Cobb</b></div></aside></div>'
            "</div>"
            "</article>\n"
        )


class XenForo1(Board):
    """XenForo 1: recent times are exact, older ones are words; its script tells when the viewer's day "
    "began."""

    name = platform = "xenforo1"
    zone = timezone(timedelta(hours=-3, minutes=-30))
    quote = (
        '<div class="bbCodeBlock bbCodeQuote" data-author="{0}"><aside><div class="attribution type">{0} '
        "said:</div>"
        '<blockquote class="quoteContainer"><div class="quote">{1}</div></blockquote></aside></div>'
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}threads/sorrel-lane.9/" + (f"page-{number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/threads/(?:sorrel-lane\.)?9/(?:page-(\d+))?", path))

    def stamp(self, at: datetime) -> str:
        there = self.local(at)
        date, clock = f"{there:%b %-d, %Y}", f"{there:%-I:%M %p}"
        if self.now - at < 7 * DAY:
            return (
                f'<abbr class="DateTime" data-time="{at.timestamp():.0f}" data-diff="1000" '
                f'data-datestring="{date}" '
                f'data-timestring="{clock}" title="{date} at {clock}">{there:%A} at {clock}</abbr>'
            )
        return f'<span class="DateTime" title="{date} at {clock}">{date}</span>'

    def page(self, number: int, posts: list[Written]) -> str:
        began = self.local(self.now).replace(hour=0, minute=0, second=0, microsecond=0)
        links = "".join(f'<a href="{self.page_url(one)}">{one}</a>' for one in range(1, self.pages + 1))
        return (
            '<!DOCTYPE html>\n<html id="XenForo" lang="en-US" class="Public LoggedOut">\n<head>\n<base '
            f'href="{self.root}"'
            f' /><title>{TITLE} | Lane</title><link rel="canonical" href="{self.page_url(number)}" />\n'
            "</head>\n<body>\n"
            '<div id="loginBar"><form action="login/login" method="post"><input type="password" '
            'name="password" /></form>'
            '</div><div id="content" class="thread_view"><div class="mainContent"><div class="titleBar">'
            f"<h1>{TITLE}</h1>"
            f'</div>\n<div class="pageNavLinkGroup"><div class="PageNav" data-page="{number}" '
            f'data-last="{self.pages}" '
            f'data-baseurl="threads/sorrel-lane.9/page-{{{{sentinel}}}}"><nav>{links}</nav></div></div>\n'
            f'<ol class="messageList" id="messageList">\n{"".join(map(self.box, posts))}</ol></div></div>\n'
            f"<script>XenForo = {{serverTimeInfo:\n{{\nnow: {self.now.timestamp():.0f},\n"
            f"today: {began.timestamp():.0f},\ntodayDow: {began.isoweekday() % 7}\n}}}};</script>\n</body>"
            "</html>"
        )

    def box(self, post: Written) -> str:
        told = f'<div class="editDate">Last edited: {self.stamp(post.edited)}</div>' if post.edited else ""
        who = f'<a href="members/x.{post.member}/" class="username">{post.author}</a>'
        link = f"threads/sorrel-lane.9/#post-{post.id}"
        return (
            f'<li id="post-{post.id}" class="message " data-author="{post.author}"><div '
            'class="messageUserInfo">'
            f'<h3 class="userText">{who}</h3></div>\n<div class="messageInfo primaryContent"><div '
            'class="messageContent">'
            '<article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">\n'
            f"{self.html(post)}\n"
            f'<div class="messageTextEndMarker">&nbsp;</div></blockquote></article></div>\n{told}'
            '<div class="baseHtml signature messageText ugc"><aside><b>Vote: Cobb</b></aside></div>'
            f'<div class="messageMeta"><div class="privateControls"><a href="{link}" title="Permalink" '
            f'class="datePermalink">{self.stamp(post.at)}</a></div><div class="publicControls"><a '
            f'href="{link}" '
            f'class="item muted postNumber hashPermalink">#{self.number(post)}</a></div></div></div></li>\n'
        )


# ---- vBulletin


class VBulletin3(Board):
    """vBulletin 3.8: months before days, "Today" and "Yesterday"; the foot tells the zone."""

    name = platform = "vbulletin3"
    zone = timezone(timedelta(hours=-5))
    quote = (
        '<div style="margin:20px"><div class="smallfont">Quote:</div><table><tr><td class="alt2"><div>'
        "Originally Posted "
        "by <strong>{0}</strong></div><div>{1}</div></td></tr></table></div>"
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}showthread.php?t=9" + (f"&page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return asked_by(path, "showthread.php", ("t", "9"), "page", 0)

    def words(self, at: datetime, between: str = ", ") -> str:
        day = ("Today", "Yesterday")[self.ago(at)] if self.ago(at) < 2 else f"{self.local(at):%m-%d-%Y}"
        return f"{day}{between}{self.local(at):%I:%M %p}"

    def results(self, number: int) -> str:
        """Which posts a page shows, of how many."""
        last = min(number * self.per_page, len(self.posts))
        return f"{(number - 1) * self.per_page + 1} to {last} of {len(self.posts)}"

    def page(self, number: int, posts: list[Written]) -> str:
        after = ""
        if number < self.pages:
            after = (
                f'<td class="alt1"><a rel="next" href="showthread.php?t=9&amp;page={number + 1}" '
                f'title="Next Page - Results {self.results(number + 1)}">&gt;</a></td>'
            )
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "xhtml1-transitional.dtd">\n'
            "<html>\n<head>\n"
            '<meta name="generator" content="vBulletin 3.8.7" />\n<style type="text/css" id="vbulletin_css">'
            "</style>\n"
            f'<title>{TITLE} - Lane</title>\n</head>\n<body>\n<table><tr><td class="navbar"><a '
            'href="showthread.php?t=9">'
            f"</a> <strong>{TITLE}</strong></td></tr></table>\n"
            f'<div class="pagenav"><table><tr><td class="vbmenu_control">Page {number} of {self.pages}</td>'
            f'<td class="alt2"><span class="smallfont" title="Showing results {self.results(number)}">'
            f"<strong>{number}"
            f"</strong></span></td>{after}</tr></table></div>\n"
            f'<div id="posts">{"".join(map(self.box, posts))}</div>\n<div class="smallfont" align="center">'
            "All times are "
            f'GMT -5. The time now is <span class="time">{self.local(self.now):%I:%M %p}</span>.</div>\n'
            "</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        number, told = self.number(post), ""
        if post.edited:
            told = (
                '<!-- edit note --><div class="smallfont"><hr size="1" /><em>Last edited by '
                f"{post.author}; {self.words(post.edited, ' at ')}.</em></div><!-- / edit note -->"
            )
        return (
            f'<div id="edit{post.id}"><table class="tborder" id="post{post.id}"><tr><td class="thead">\n'
            f'<!-- status icon and date --><a name="post{post.id}"><img src="post_old.gif" alt="Old" /></a>\n'
            f'{self.words(post.at)}\n<!-- / status icon and date --></td><td class="thead" align="right">#<a '
            f'href="showpost.php?p={post.id}&amp;postcount={number}" id="postcount{post.id}" '
            f'name="{number}"><strong>'
            f'{number}</strong></a></td></tr>\n<tr><td class="alt2"><div id="postmenu_{post.id}"><a '
            'class="bigusername" '
            f'href="member.php?u={post.member}">{post.author}</a></div></td><td class="alt1" '
            f'id="td_post_{post.id}">'
            f'<!-- message --><div id="post_message_{post.id}">\n{self.html(post)}\n</div><!-- / message -->'
            "<!-- sig -->"
            f"<div>__________________<br /><b>Vote: Cobb</b></div><!-- / sig -->\n{told}</td></tr></table>"
            "</div>\n"
        )


class VBulletin4(VBulletin3):
    """vBulletin 4.2 in German: days before months."""

    name = platform = "vbulletin4"
    zone = timezone(timedelta(hours=1))
    quote = (
        '<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div '
        'class="bbcode_postedby">'
        'Zitat von <strong>{0}</strong></div><div class="message">{1}</div></div></div></div>'
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}showthread.php/9-Sorrel-Lane" + (f"/page{number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        found = re.fullmatch(r"/showthread\.php/9-Sorrel-Lane(?:/page(\d+))?", path)
        return int(found[1] or 1) if found else super().asked(path)

    def words(self, at: datetime, between: str = ",&nbsp;") -> str:
        day = ("Heute", "Gestern")[self.ago(at)] if self.ago(at) < 2 else f"{self.local(at):%d.%m.%Y}"
        return f'{day}{between}<span class="time">{self.local(at):%H:%M}</span>'

    def page(self, number: int, posts: list[Written]) -> str:
        after = ""
        if number < self.pages:
            after = (
                '<span class="prev_next"><a rel="next" '
                f'href="showthread.php/9-Sorrel-Lane/page{number + 1}">&gt;</a></span>'
            )
        last = min(number * self.per_page, len(self.posts))
        shown = f"Ergebnis {(number - 1) * self.per_page + 1} bis {last} von {len(self.posts)}"
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "xhtml1-transitional.dtd">\n'
            f'<html dir="ltr" lang="de" id="vbulletin_html">\n<head>\n<base href="{self.root}" />\n'
            f'<meta name="generator" content="vBulletin 4.2.3" />\n<title>{TITLE}</title>\n</head>\n<body>\n'
            '<div id="pagination_top" class="pagination_top"><form action="showthread.php/9-Sorrel-Lane" '
            'method="get" '
            'class="pagination popupmenu"><input type="hidden" name="t" value="9" /><span><a '
            'class="popupctrl">Seite '
            f'{number} von {self.pages}</a></span>{after}</form><div class="postpagestats">{shown}</div>'
            "</div>\n"
            '<div id="pagetitle"><h1>Thema: <span class="threadtitle"><a '
            f'href="showthread.php/9-Sorrel-Lane">{TITLE}</a>'
            f'</span></h1></div>\n<ol id="posts" class="posts">{"".join(map(self.box, posts))}</ol>\n'
            '<div id="footer_time" class="shade footer_time">Alle Zeitangaben in WEZ +1. Es ist jetzt '
            f'<span class="time">{self.local(self.now):%H:%M}</span> Uhr.</div>\n</body>\n</html>'
        )

    def box(self, post: Written) -> str:
        number, told = self.number(post), ""
        if post.edited:
            told = (
                f'<blockquote class="postcontent lastedited">Geändert von {post.author} '
                f"({self.words(post.edited, ' um ')} Uhr)</blockquote>"
            )
        return (
            f'<li class="postbitlegacy postbitim postcontainer old" id="post_{post.id}"><div '
            'class="posthead">'
            f'<span class="postdate old"><span class="date">{self.words(post.at)}</span></span><span '
            'class="nodecontrols">'
            f'<a name="post{post.id}" '
            f'href="showthread.php/9-Sorrel-Lane?p={post.id}&amp;viewfull=1#post{post.id}" '
            f'class="postcounter">#{number}</a><a id="postcount{post.id}" name="{number}"></a></span></div>\n'
            '<div class="postdetails"><div class="userinfo"><div class="username_container"><a '
            'class="username offline" '
            f'href="member.php/{post.member}-x"><strong>{post.author}</strong></a></div></div>\n<div '
            'class="postbody">'
            f'<div class="content"><div id="post_message_{post.id}"><blockquote class="postcontent restore">'
            "\n"
            f'{self.html(post)}\n</blockquote></div></div></div></div><div class="after_content">{told}'
            '<blockquote class="signature restore"><b>Vote: Cobb</b></blockquote></div></li>\n'
        )


class VBulletin5(VBulletin3):
    """vBulletin 5: instants in Unix time; the words of an edit by the clock of the foot."""

    name = platform = "vbulletin5"
    quote = VBulletin4.quote

    def page_url(self, number: int) -> str:
        return f"{self.root}forum/lane/9-sorrel-lane" + (f"/page{number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/forum/lane/9(?:-sorrel-lane)?(?:/page(\d+))?", path))

    def page(self, number: int, posts: list[Written]) -> str:
        after = f'<link rel="next" href="{self.page_url(number + 1)}" />' if number < self.pages else ""
        return (
            f'<!DOCTYPE html>\n<html id="htmlTag">\n<head>\n<base href="{self.root}" />\n<meta '
            'name="generator" '
            f'content="vBulletin 5.5.2" />\n<title>{TITLE} - Lane</title>\n<link rel="canonical" '
            f'href="{self.page_url(number)}" />{after}\n</head>\n<body id="vb-page-body">\n<h1 '
            f'class="main-title">{TITLE}'
            f'</h1><div class="pagenav">Page <input type="text" class="js-pagenum textbox" value="{number}" '
            "/> of "
            f'<span class="pagetotal">{self.pages}</span></div>\n<ul class="conversation-list">'
            f'{"".join(map(self.box, posts))}</ul>\n<div id="footer-current-datetime">All times are GMT-5. '
            "This page was "
            f"generated at {self.local(self.now):%I:%M %p}.</div>\n</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        told = ""
        if post.edited:
            words = self.words(post.edited)
            told = (
                f'<div class="b-post__edit">Last edited by {post.author}; <span class="date">{words}</span>'
                ".</div>"
            )
        return (
            f'<li data-node-id="{post.id}" data-node-publishdate="{post.at.timestamp():.0f}" class="b-post '
            "js-post "
            f'b-post--text"><div class="author"><strong><a href="{self.root}member/{post.member}-x">'
            f"{post.author}</a>"
            f'</strong></div>\n<a class="b-post__count" href="{self.url}?p={post.id}#post{post.id}">'
            f"#{self.number(post)}</a>"
            f'<time itemprop="dateCreated" datetime="{post.at:%Y-%m-%dT%H:%M:%S}">'
            f"{self.words(post.at)}</time>\n"
            f'<div class="js-post__content-text restore">\n{self.html(post)}\n</div>\n{told}'
            '<div class="post-signature"><b>Vote: Cobb</b></div></li>\n'
        )


# ---- MyBB


class MyBB(Board):
    """MyBB 1.8 for guests: recent dates stand in titles, and only the clock at the foot tells the zone."""

    name, platform, stated = "mybb", "mybb", "Etc/GMT+5"
    zone = timezone(timedelta(hours=-5))
    vote = '<span class="mycode_b" style="font-weight: bold;">Vote: {}</span>'
    unvote = '<span class="mycode_b" style="font-weight: bold;">Unvote</span>'
    quote = (
        '<blockquote class="mycode_quote"><cite><span> (11-18-2024, 06:20 PM)</span>{0} Wrote: </cite>'
        "{1}</blockquote>"
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}showthread.php?tid=9" + (f"&page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return asked_by(path, "showthread.php", ("tid", "9"), "page", 0)

    def words(self, at: datetime) -> str:
        date, clock, apart = f"{self.local(at):%m-%d-%Y}", f"{self.local(at):%I:%M %p}", self.now - at
        if apart < timedelta(hours=1):
            return f'<span title="{date}, {clock}">{apart // timedelta(minutes=1)} minutes ago</span>'
        if apart < timedelta(hours=12) and self.ago(at) == 0:
            return f'<span title="{date}, {clock}">{apart // timedelta(hours=1)} hours ago</span>'
        if self.ago(at) < 2:
            return f'<span title="{date}">{("Today", "Yesterday")[self.ago(at)]}</span>, {clock}'
        return f"{date}, {clock}"

    def page(self, number: int, posts: list[Written]) -> str:
        links = "\n".join(
            f'<span class="pagination_current">{one}</span>'
            if one == number
            else f'<a href="showthread.php?tid=9&amp;page={one}" class="pagination_page">{one}</a>'
            for one in range(1, self.pages + 1)
        )
        if number < self.pages:
            links += (
                f'\n<a href="showthread.php?tid=9&amp;page={number + 1}" class="pagination_next">Next</a>'
            )
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "xhtml1-transitional.dtd">\n'
            "<html>\n<head>\n"
            f'<title>{TITLE}</title>\n<script type="text/javascript">var my_post_key = "0"; var MyBBEditor '
            "= null;</script>\n"
            f'</head>\n<body>\n<div class="navigation"><span class="active">{TITLE}</span></div>\n<div '
            'class="pagination">'
            f'<span class="pages">Pages ({self.pages}):</span>\n{links}</div>\n<div id="posts">'
            f'{"".join(map(self.box, posts))}</div>\n<div id="footer"><span id="current_time"><strong>'
            "Current time:"
            f"</strong> {self.local(self.now):%m-%d-%Y, %I:%M %p}</span></div>\n</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        who, told = f'<a href="member.php?action=profile&amp;uid={post.member}">{post.author}</a>', ""
        if post.edited:
            told = (
                '<span class="edited_post">(This post was last modified: '
                f"{self.words(post.edited)} by {who}.)</span>"
            )
        link = f"showthread.php?tid=9&amp;pid={post.id}#pid{post.id}"
        return (
            f'<div class="post" id="post_{post.id}"><div class="post_author"><div '
            'class="author_information"><strong>'
            f'<span class="largetext">{who}</span></strong></div></div>\n<div class="post_content"><div '
            'class="post_head">'
            f'<div class="float_right"><strong><a href="{link}">#{self.number(post)}</a></strong></div>'
            f'<span class="post_date">{self.words(post.at)} <span class="post_edit" '
            f'id="edited_by_{post.id}">{told}</span>'
            f'</span></div>\n<div class="post_body scaleimages" id="pid_{post.id}">\n{self.html(post)}\n'
            "</div>"
            '<div class="signature scaleimages"><b>Vote: Cobb</b></div></div></div>\n'
        )


# ---- Invision


class Invision4(Board):
    """Invision Community 4: instants for machines, no numbers; the notice of an edit stands in the text."""

    name = platform = "invision4"
    zone = timezone(timedelta(hours=2))
    vote, unvote = "<strong>Vote: {}</strong>", "<strong>Unvote</strong>"
    quote = (
        '<blockquote class="ipsQuote" data-ipsquote-username="{0}"><div class="ipsQuote_citation">{0} '
        "said:</div>"
        '<div class="ipsQuote_contents">{1}</div></blockquote>'
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}topic/9-sorrel-lane/" + (f"page/{number}/" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/topic/9-sorrel-lane/(?:page/(\d+)/)?", path))

    def stamp(self, at: datetime) -> str:
        return (
            f'<time datetime="{at:%Y-%m-%dT%H:%M:%SZ}" title="{self.local(at):%m/%d/%y %I:%M %p}">'
            f"{self.local(at):%B %d}</time>"
        )

    def page(self, number: int, posts: list[Written]) -> str:
        links = "".join(
            f'<li class="ipsPagination_page {"ipsPagination_active" if one == number else ""}">'
            f'<a href="{self.page_url(one)}">{one}</a></li>'
            for one in range(1, self.pages + 1)
        )
        after = self.page_url(number + 1) if number < self.pages else "#"
        state = "" if number < self.pages else " ipsPagination_inactive"
        return (
            f'<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<title>{TITLE} - Lane</title>\n<link '
            'rel="canonical" '
            f'href="{self.page_url(number)}">\n</head>\n<body class="ipsApp ipsApp_front" '
            'data-pagecontroller="topic">\n'
            f'<h1 class="ipsType_pageTitle">{TITLE}</h1><h2 data-role="comment_count">{len(self.posts)} '
            "posts in this topic"
            f'</h2>\n<ul class="ipsPagination" data-pages="{self.pages}" '
            f'data-ipsPagination-perPage="{self.per_page}">{links}'
            f'<li class="ipsPagination_next{state}"><a href="{after}" rel="next">Next</a></li></ul>\n'
            f'<div id="elPostFeed">{"".join(map(self.box, posts))}</div>\n<script>var ipsSettings = {{ '
            "memberID: 0 };"
            "</script>\n</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        told = ""
        if post.edited:
            told = (
                '<span class="ipsType_reset ipsType_medium ipsType_light" data-excludequote><strong>Edited '
                f"{self.stamp(post.edited)} by {post.author}</strong></span>"
            )
        return (
            f'<article id="elComment_{post.id}" class="cPost ipsComment"><aside class="ipsComment_author '
            'cAuthorPane">'
            f'<h3 class="cAuthorPane_author"><strong><a href="{self.root}profile/{post.member}-member/">'
            f"{post.author}</a>"
            '</strong></h3></aside>\n<div class="ipsComment_meta"><a '
            f'href="{self.url}?do=findComment&amp;comment={post.id}">'
            f"Posted {self.stamp(post.at)}</a></div>\n"
            f'<div data-role="commentContent" class="ipsType_richText">\n{self.html(post)}\n{told}\n</div>'
            '<div data-role="memberSignature"><strong>Vote: Cobb</strong></div></article>\n'
        )


class Invision3(Board):
    """IP.Board 3.4: instants for machines, but an edit in words by the viewer's clock."""

    name = platform = "invision3"
    zone = timezone(timedelta(hours=-6))
    vote, unvote = '<strong class="bbc">Vote: {}</strong>', '<strong class="bbc">Unvote</strong>'
    quote = (
        '<p class="citation">{0} said:</p><blockquote class="ipsBlockquote" data-author="{0}">'
        "{1}</blockquote>"
    )

    def page_url(self, number: int) -> str:
        start = (number - 1) * self.per_page
        return f"{self.root}index.php?showtopic=9" + (f"&st={start}" if start else "")

    def asked(self, path: str) -> int | None:
        return asked_by(path, "index.php", ("showtopic", "9"), "st", self.per_page)

    def words(self, at: datetime) -> str:
        clock = f"{self.local(at):%I:%M %p}"
        if self.ago(at) < 2:
            return f"{('Today', 'Yesterday')[self.ago(at)]}, {clock}"
        return f"{self.local(at):%d %B %Y} - {clock}"

    def page(self, number: int, posts: list[Written]) -> str:
        links = "".join(
            f"<li class='page active'>{one}</li>"
            if one == number
            else f"<li class='page'><a href=\"{self.page_url(one)}\">{one}</a></li>"
            for one in range(1, self.pages + 1)
        )
        if number < self.pages:
            links += f"<li class='next'><a href=\"{self.page_url(number + 1)}\" rel='next'>Next</a></li>"
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>{TITLE} - Lane</title>\n<script '
            f"type='text/javascript'>\nipb.vars['base_url'] = '{self.root}index.php?s=&';\n"
            f"ipb.topic.topic_id  = 9;\nipb.topic.start_id  = {(number - 1) * self.per_page};\n"
            "ipb.topic.counts = { postTotal: "
            f"{len(self.posts)}, curStart: 0, perPage: {self.per_page} }};\n</script>\n</head>\n<body "
            "id='ipboard_body'>\n"
            f"<div id='content'><h1 itemprop=\"name\" class='ipsType_pagetitle'>{TITLE}</h1>\n"
            f"<div class='pagination clearfix left'><ul class='ipsList_inline left pages'>{links}</ul></div>"
            "\n"
            f"<div id='ips_Posts'>{''.join(map(self.box, posts))}</div></div>\n</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        told = ""
        if post.edited:
            told = f"<p class='edit'>Edited by {post.author}, {self.words(post.edited)}.</p>"
        return (
            f"<div class='post_block hentry' id='post_id_{post.id}'><div class='post_wrap'><h3 class='row2'>"
            f"<span class='post_id right'><a href='#entry{post.id}'>#{self.number(post)}</a></span>"
            f'<span itemprop="creator name" class="author vcard"><a hovercard-id="{post.member}" '
            f'href="{self.root}index.php'
            f'?showuser={post.member}"><span itemprop="name">{post.author}</span></a></span></h3>\n<div '
            'class="post_body">'
            f'<p class="posted_info">Posted <abbr class="published" itemprop="commentTime" '
            f'title="{post.at:%Y-%m-%dT%H:%M:%S+00:00}">{self.words(post.at)}</abbr></p>\n'
            f'<div itemprop="commentText" class="post entry-content ">\n{self.html(post)}\n{told}</div>'
            '<div class="signature"><b>Vote: Cobb</b></div></div></div></div>\n'
        )


# ---- ProBoards and Vanilla


class ProBoards(Board):
    """ProBoards 5: instants in thousandths, neither numbers nor how many posts make a page."""

    name = platform = "proboards"
    zone = timezone(timedelta(hours=-4))
    quote = (
        '<div author="@1" class="quote"><div class="quote_body"><div class="quote_header">{0} said:</div>'
        "{1}</div></div>"
    )

    def page_url(self, number: int) -> str:
        return f"{self.root}thread/9/sorrel-lane" + (f"?page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/thread/9(?:/[\w-]*)?(?:\?page=(\d+))?", path))

    def stamp(self, at: datetime) -> str:
        return (
            f'<abbr class="o-timestamp time" data-timestamp="{at.timestamp() * 1000:.0f}" '
            f'title="{self.local(at):%b %d, %Y %H:%M:%S}">{self.local(at):%b %d, %Y %-I:%M%p}</abbr>'
        )

    def page(self, number: int, posts: list[Written]) -> str:
        links = "".join(
            f'<li class="ui-pagination-page{" ui-selected state-selected" if one == number else ""}">'
            f'<a href="/thread/9/sorrel-lane?page={one}">{one}</a></li>'
            for one in range(1, self.pages + 1)
        )
        return (
            f"<!DOCTYPE html>\n<html>\n<head>\n<title>{TITLE} | Lane</title>\n"
            '<script>proboards.data({"route":{"name":"thread"},"thread":{"id":"9"}});</script>\n</head>\n'
            "<body>\n"
            f'<div class="container posts"><div class="title-bar"><h1>{TITLE}</h1></div><ul '
            f'class="ui-pagination">{links}'
            f'</ul>\n<table class="list"><tbody>{"".join(map(self.box, posts))}</tbody></table></div>\n'
            "</body>\n</html>"
        )

    def box(self, post: Written) -> str:
        who = (
            f'<a href="/user/{post.member}" class="user-link o-user-link" data-id="{post.member}">'
            f"{post.author}</a>"
        )
        told = (
            f'<div class="edited_by">Last Edit: {self.stamp(post.edited)} by {who}</div>'
            if post.edited
            else ""
        )
        return (
            f'<tr id="post-{post.id}" class="post item"><td><table><tr><td class="left-panel"><div '
            'class="mini-profile">'
            f'{who}</div></td><td class="content"><div class="content-head"><span class="date">Post by <b>'
            f"{post.author}</b> "
            f'on {self.stamp(post.at)}</span></div><article><div class="message">\n{self.html(post)}\n</div>'
            "</article>\n"
            f'{told}</td></tr><tr><td class="foot"><table><tr><td class="signature"><b>Vote: Cobb</b></td>'
            "</tr></table>"
            "</td></tr></table></td></tr>\n"
        )


class Vanilla(Board):
    """Vanilla: the opening post stands above the comments of the first page; an edit in a title, in words."""

    name = platform = "vanilla"
    zone = timezone(timedelta(hours=-4))
    quote = '<blockquote class="Quote"><div class="QuoteAuthor">{0} said:</div><div>{1}</div></blockquote>'

    def page_url(self, number: int) -> str:
        return f"{self.root}discussion/9/sorrel-lane" + (f"/p{number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return page_number(re.fullmatch(r"/discussion/9(?:/[a-z-]+)?(?:/p(\d+))?", path))

    def page(self, number: int, posts: list[Written]) -> str:
        boxes = [self.box(post) for post in posts]
        opening = boxes.pop(0) if number == 1 else ""
        links = "".join(
            f'<a href="{self.page_url(one)}" class="{"Highlight " if one == number else ""}Pager-p p-{one}">'
            f"{one}</a>"
            for one in range(1, self.pages + 1)
        )
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>{TITLE} - Lane</title>\n<link '
            'rel="canonical" '
            f'href="{self.page_url(number)}">\n</head>\n<body id="vanilla_discussion_index">\n'
            f'<div class="MessageList Discussion"><div class="PageTitle"><h1>{TITLE}</h1></div>'
            f"{opening}</div>\n"
            f'<ul class="MessageList DataList Comments">{"".join(boxes)}</ul>\n<div class="PagerWrap"><div '
            f'class="Pager NumberedPager">{links}</div></div>\n</body>\n</html>'
        )

    def box(self, post: Written) -> str:
        place = self.number(post) - 1
        kind = "Comment" if place else "Discussion"
        anchor = f' name="Item_{place}"' if place else ""
        told = ""
        if post.edited:
            there = f"{self.local(post.edited):%B %-d, %Y %-I:%M%p}"
            told = (
                f' <span class="MItem"><span title="Edited {there} by {post.author}." class="DateUpdated">'
                "edited</span></span>"
            )
        return (
            f'<div class="Item Item{kind}" id="{kind}_{post.id}"><div class="AuthorWrap"><span '
            'class="Author">'
            f'<a href="/profile/{post.member}/{post.author}" class="Username">{post.author}</a></span></div>'
            "\n"
            f'<div class="Meta"><span class="MItem DateCreated"><a href="#" class="Permalink"{anchor}><time '
            f'title="{self.local(post.at):%B %d, %Y %I:%M%p}" datetime="{post.at:%Y-%m-%dT%H:%M:%S+00:00}">'
            f'{self.local(post.at):%B %Y}</time></a></span>{told}</div>\n<div class="Item-Body"><div '
            'class="Message userContent">'
            f'\n{self.html(post)}\n</div></div><div class="Signature"><b>Vote: Cobb</b></div></div>\n'
        )


# ---- JSON


class Json(Board):
    """A board that is read by its API."""

    suffix = ".json"
    zone = timezone(timedelta(hours=-10))
    """That of its moderator; its answers are in UTC."""
    vote, unvote = "<p><strong>Vote: {}</strong></p>", "<p><strong>Unvote</strong></p>"
    quote = "<blockquote>\n<p>{1}</p>\n</blockquote>"

    @abstractmethod
    def answer(self, posts: list[Written]) -> Any:
        """What the API answers for a page."""

    def page(self, number: int, posts: list[Written]) -> str:  # noqa: ARG002  # its posts tell which it is
        return json.dumps(self.answer(posts), indent=1)


class Discourse(Json):
    """Discourse: all ids in each answer, posts twenty by twenty (here five by five)."""

    name = platform = "discourse"
    quote = '<aside class="quote" data-username="{0}"><blockquote>\n<p>{1}</p>\n</blockquote></aside>'

    def page_url(self, number: int) -> str:
        return f"{self.root}t/sorrel-lane/9" + (f"?page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return asked_by(f"{path}{'&' if '?' in path else '?'}t=9", "/t/9.json", ("t", "9"), "page", 0)

    def answer(self, posts: list[Written]) -> Any:
        return {
            "post_stream": {
                "posts": [self.entry(post) for post in posts],
                "stream": [post.id for post in self.posts],
            },
            "id": 9,
            "title": TITLE,
            "posts_count": len(self.posts),
            "slug": "sorrel-lane",
            "highest_post_number": len(self.posts),
            "chunk_size": self.per_page,
        }

    def entry(self, post: Written) -> Any:
        return {
            "id": post.id,
            "username": post.author,
            "created_at": f"{post.at:%Y-%m-%dT%H:%M:%S.250Z}",
            "cooked": f"<p>{self.html(post)}</p>",
            "post_number": self.number(post),
            "post_type": 1,
            "updated_at": f"{post.edited or post.at:%Y-%m-%dT%H:%M:%S.250Z}",
            "topic_id": 9,
            "topic_slug": "sorrel-lane",
            "user_id": post.member,
            "version": 2 if post.edited else 1,
            "hidden": False,
            "deleted_at": None,
            "user_deleted": False,
            "edit_reason": None,
        }


class NodeBB(Json):
    """NodeBB: places from 0, instants in thousandths."""

    name = platform = "nodebb"

    def page_url(self, number: int) -> str:
        return f"{self.root}topic/9/sorrel-lane" + (f"?page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        return asked_by(f"{path}{'&' if '?' in path else '?'}t=9", "/api/topic/9", ("t", "9"), "page", 0)

    def answer(self, posts: list[Written]) -> Any:
        page = (self.number(posts[0]) - 1) // self.per_page + 1
        return {
            "tid": 9,
            "mainPid": self.posts[0].id,
            "title": TITLE,
            "slug": "9/sorrel-lane",
            "postcount": len(self.posts),
            "titleRaw": TITLE,
            "posts": [self.entry(post) for post in posts],
            "sortOption": "oldest_to_newest",
            "pagination": {"currentPage": page, "pageCount": self.pages},
            "template": {"name": "topic", "topic": True},
        }

    def entry(self, post: Written) -> Any:
        return {
            "pid": post.id,
            "tid": 9,
            "content": f"{self.html(post)}\n",
            "uid": post.member,
            "timestamp": int(post.at.timestamp() * 1000) + 250,
            "deleted": 0,
            "edited": int(post.edited.timestamp() * 1000) if post.edited else 0,
            "index": self.number(post) - 1,
            "user": {
                "uid": post.member,
                "username": post.author,
                "signature": "<p><strong>Vote: Cobb</strong></p>",
            },
            "editor": {"username": post.author} if post.edited else None,
        }


class Flarum(Json):
    """Flarum: a window of the discussion, no longer than this board allows. A saved answer does not tell how
    long its windows are; that of a real board has 20 or 50 posts."""

    name, platform, saved = "flarum", "flarum", False

    def page_url(self, number: int) -> str:
        return f"{self.root}d/9-sorrel-lane" + (f"?page={number}" if number > 1 else "")

    def asked(self, path: str) -> int | None:
        found = urlsplit(path).path.endswith("/api/discussions/9")
        offset = int(parse_qs(urlsplit(path).query).get("page[offset]", ["0"])[0])
        return offset // self.per_page + 1 if found else None

    def answer(self, posts: list[Written]) -> Any:
        named = {str(post.member): post.author for post in posts}
        users = [
            {"type": "users", "id": key, "attributes": {"username": name.lower(), "displayName": name}}
            for key, name in named.items()
        ]
        return {
            "data": {
                "type": "discussions",
                "id": "9",
                "attributes": {"title": TITLE, "commentCount": len(self.posts)},
                "relationships": {
                    "posts": {"data": [{"type": "posts", "id": str(post.id)} for post in self.posts]}
                },
            },
            "included": [*users, *map(self.entry, posts)],
        }

    def entry(self, post: Written) -> Any:
        edited = {"editedAt": f"{post.edited:%Y-%m-%dT%H:%M:%S+00:00}"} if post.edited else {}
        return {
            "type": "posts",
            "id": str(post.id),
            "attributes": {
                "number": self.number(post),
                "createdAt": f"{post.at:%Y-%m-%dT%H:%M:%S+00:00}",
                "contentType": "comment",
                "contentHtml": self.html(post),
                **edited,
            },
            "relationships": {"user": {"data": {"type": "users", "id": str(post.member)}}},
        }


BOARDS: tuple[type[Board], ...] = (
    MafiaScum,
    Prosilver,
    Prosilver30,
    PhpBB2,
    Smf21,
    Smf20,
    XenForo2,
    XenForo1,
    VBulletin3,
    VBulletin4,
    VBulletin5,
    MyBB,
    Invision4,
    Invision3,
    ProBoards,
    Vanilla,
    Discourse,
    NodeBB,
    Flarum,
)
