"""Discord, as DiscordChatExporter writes a channel or a thread to a file: JSON, or HTML of any year.

Nothing is asked of Discord itself. A message has no number there: it is its place in the export. Its id
tells when it was written, to the millisecond. Messages of Discord itself (somebody joined, a message was
pinned) are no posts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from html import escape
from urllib.parse import urlsplit

from knightfall.forums.base import (
    Chunk,
    Draft,
    HtmlForum,
    Paging,
    Part,
    Request,
    Response,
    Site,
    ThreadRef,
    is_absolute,
    mentions,
)
from knightfall.forums.dates import machine_time, unix_stamp
from knightfall.forums.html import (
    Tag,
    amount,
    attribute,
    enclosing,
    every,
    inner,
    maybe,
    title_or_words,
    words,
)
from knightfall.forums.payload import (
    Json,
    entries,
    identity_at,
    is_json,
    look,
    need,
    number_at,
    parse_json,
    text_at,
)
from knightfall.forums.styles import STYLES
from knightfall.markup.dialects.ips import AS_READ
from knightfall.markup.dialects.tree import unhush
from knightfall.models import REACTIONS, Post, PostId

ROOT = "https://discord.com/"
HOST = re.compile(r"(?:[\w-]+\.)?discord(?:app)?\.com")
CHANNEL = re.compile(r"/channels/(?P<guild>\d+|@me)/(?P<channel>\d+)(?:/threads/(?P<thread>\d+))?(?:/\d+)?/?")
GUILD, CHANNEL_KEY = re.compile(r'"guild"\s*:\s*\{'), re.compile(r'"channel"\s*:\s*\{')
HEAD = 20_000
"""Letters of an export among which it names its server and channel."""
PAGE = re.compile(r"""<div[^<>]{0,80}\bclass=["']?(?:chatlog\b|chatlog__message)""")
EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the beginning of ids."""
NO_GUILD = "0"
"""The server of direct messages, in an export."""
WRITTEN = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand"})
"""Types of messages that somebody wrote; exporters that do not know one write its number."""
WRITTEN_NUMBERS = frozenset({0, 19, 20, 21, 23})
LONGEST_REPLY = 200
"""Letters that are repeated of the message to which one replies: Discord shows one line."""
RAW_USER = re.compile(r"<@!?(\d+)>")
RAW_EMOJI = re.compile(r"<a?(:\w+:)\d+>")
IN_CODE = re.compile(r"(<(code|pre)\b.*?</\2>)", re.DOTALL)
CUT = re.compile(r"""preamble__entry--small["'\s>][^<]*\b(?:After|Between) """)
"""What an export says that begins at a date."""
FILE = re.compile(r"^(?:Image|Video|Audio): (.+?)(?: \([\d.,]+ [KMG]?B(?:ytes)?\))?$")
WRITER = replace(
    AS_READ, forms={**AS_READ.forms, "spoiler": '<span class="chatlog__markdown-spoiler">{body}</span>'}
)
"""How the Markdown of a message is kept: as an export writes it that is HTML."""
PARTED = "\n"
"""Between the name that is shown and the account, until it is known which names several people have."""


class Discord(HtmlForum):
    """The adapter; it has no state."""

    name = "discord"
    html_style = STYLES["discord"]
    software = "Discord"
    tried = ".chatlog__message was looked for"
    layout = "export"
    first_post = 1

    def recognises(self, page: Response) -> bool:
        """By the server and the channel that an export names first, or by the boxes of its messages."""
        if is_json(page.text):
            head = page.text[:HEAD]
            return bool(GUILD.search(head) and CHANNEL_KEY.search(head))
        return mentions(page, ("chatlog__",)) and bool(PAGE.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/channels/server/channel, a thread in it, or a message; the id is “server/channel”."""
        split = urlsplit(url) if is_absolute(url) else None
        found = split and HOST.fullmatch(split.hostname or "") and CHANNEL.fullmatch(split.path)
        if not found:
            return None
        return ThreadRef(self.name, ROOT, f"{found['guild']}/{found['thread'] or found['channel']}")

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The channel, as people open it."""
        return Request(f"{ref.root}channels/{ref.id}")

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LayoutChanged, and IncompleteRead for a file that ended early."""
        chunk = _of_json(page) if is_json(page.text) else super().read(page, site, now)
        part = chunk.part or Part(cut=CUT.search(page.text) is not None)
        return replace(chunk, posts=_by_one_name(chunk.posts), part=part)

    def rows(self, tree: Tag) -> list[Tag]:
        """The messages by their ids, which rise: an export may begin with the newest."""
        written = (row for row in _messages(tree) if not maybe(row, ".chatlog__system-notification-content"))
        return sorted(written, key=lambda row: int(attribute(row, "data-message-id") or 0))

    def draft(self, row: Tag) -> Draft:
        identity = attribute(row, "data-message-id") or ""
        # Messages in a row have one head, which stands in the first of them or before it.
        around = enclosing(row, "div", "chatlog__message-group")
        group = row if around is None else around
        head = maybe(row, AUTHORS)
        head = maybe(group, AUTHORS) if head is None else head
        by_bot = maybe(group, ".chatlog__author-tag, .chatlog__bot-tag") is not None
        content = maybe(row, ".chatlog__content")
        text = maybe(content, TEXTS) if content is not None else None

        is_first = every(group, "[data-message-id]")[:1] in ([], [row])
        replied = maybe(group if is_first else row, ".chatlog__reply, .chatlog__reference")
        to = maybe(replied, REPLIED_TO) if replied is not None else None
        reply = (words(to), words(maybe(replied, REPLY))) if replied is not None and to is not None else None
        files = [_file(box) for box in every(row, ".chatlog__attachment, .chatlog__sticker")]
        reactions = [
            (attribute(maybe(one, "img"), "alt") or "?", amount(maybe(one, COUNT)) or 1, ())
            for one in every(row, ".chatlog__reaction")
        ]
        own = every(row, EMBED_TEXTS) if by_bot else []
        edited = maybe(row, ".chatlog__edited-timestamp") is not None
        return Draft(
            id=identity,
            author=None if head is None else f"{words(head)}{PARTED}{attribute(head, 'title') or ''}",
            author_id=attribute(head, "data-user-id"),
            machine=_written_at(identity),
            body=_body(
                reply,
                "" if text is None else _broken(inner(text)),
                [_broken(inner(one)) for one in own],
                files,
                reactions,
            ),
            edit_note="edited" if edited and content is not None else None,
        )

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        return Paging(1, 1, total=len(drafts))

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}channels/{thread.id}/{post}"

    def missing(self, tree: Tag) -> tuple[str, ...]:
        return _lacking(amount(maybe(tree, ".postamble__entry")), len(_messages(tree)))

    def title(self, tree: Tag) -> str:
        """The server, the category and the channel, as the export is headed."""
        return " / ".join(words(one) for one in every(tree, ".preamble__entry")[:2])


AUTHORS = ".chatlog__author, .chatlog__author-name"
TEXTS = ".chatlog__markdown-preserve, .preserve-whitespace"
REPLIED_TO = ".chatlog__reply-author, .chatlog__reference-name"
REPLY = ".chatlog__reply-link, .chatlog__reference-content"
COUNT = ".chatlog__reaction-count"
EMBED_TEXTS = (
    ".chatlog__embed-title, .chatlog__embed-description, .chatlog__embed-field-name, "
    ".chatlog__embed-field-value, .chatlog__embed-footer-text"
)


def _messages(tree: Tag) -> list[Tag]:
    """All messages of a page, those of Discord itself among them."""
    return every(tree, ".chatlog__message-container[data-message-id], .chatlog__message[data-message-id]")


def _written_at(identity: str) -> str | None:
    """When a message was written, by its id: ISO 8601 in UTC."""
    is_id = identity.isascii() and identity.isdigit() and 15 < len(identity) < 21
    return unix_stamp(str((int(identity) >> 22) + EPOCH), per_second=1000) if is_id else None


def _file(box: Tag) -> str:
    """The name of a file that is attached."""
    named = maybe(box, ".chatlog__attachment-generic-name, [title]")
    said = title_or_words(box if named is None else named)
    found = FILE.match(said)
    source = attribute(maybe(box, "[href], [src]"), "href") or ""
    return (found[1] if found else said) or urlsplit(source).path.rpartition("/")[2]


def _broken(html: str) -> str:
    """HTML in which each line end, which the export shows, is written as one; those of code are kept."""
    pieces = IN_CODE.split(html)
    return "".join(
        piece.replace("\n", "<br/>") if n % 3 == 0 else piece for n, piece in enumerate(pieces) if n % 3 != 2
    )


def _body(
    reply: tuple[str, str] | None,
    text: str,
    own: Sequence[str],
    files: Iterable[str],
    reactions: Iterable[tuple[str, int, Sequence[str]]],
) -> str:
    """The body of a message: what it replies to as a quote, its own text, what a bot shows in boxes, and
    beside it the files and what others reacted with."""
    pieces = [text] if text else []
    if reply is not None:
        author, said = reply
        short = said if len(said) <= LONGEST_REPLY else f"{said[:LONGEST_REPLY].rstrip()}…"
        pieces.insert(0, f"<blockquote><cite>{escape(author)}</cite>{escape(short)}</blockquote>")
    pieces += [f"<div>{one}</div>" for one in own]
    beside = [f'<div class="chatlog__attachment">{escape(f"Attached: {name}")}</div>' for name in files]
    told = [
        f"{sign} {count}" + (f" ({', '.join(people)})" if people else "") for sign, count, people in reactions
    ]
    if told:
        beside.append(f'<div class="{REACTIONS}">{escape("Reactions: " + ", ".join(told))}</div>')
    return "<br/>".join(("".join(pieces), *beside) if pieces else beside)


def _by_one_name(posts: Sequence[Post]) -> tuple[Post, ...]:
    """The posts, each author by the name that is shown; two people of one name by their accounts, too."""
    accounts: dict[str, set[str]] = defaultdict(set)
    for post in posts:
        shown, _, account = post.author.partition(PARTED)
        accounts[shown.casefold()].add(account)
    named = []
    for post in posts:
        shown, _, account = post.author.partition(PARTED)
        several = len(accounts[shown.casefold()]) > 1
        named.append(replace(post, author=f"{shown} ({account})" if several else shown))
    return tuple(named)


def _lacking(told: int | None, found: int) -> tuple[str, ...]:
    """What is missing of an export that says how many messages it holds."""
    if told is None or told == found:
        return ()
    return (
        f"The export says that it holds {told} messages, and {found} are there. Export the channel again.",
    )


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def _of_json(page: Response) -> Chunk:
    from knightfall.markup.markdown import CHAT, parse_markdown  # who reads HTML need not wait for it

    data = parse_json(page.text, page.url or "The export")
    messages = entries(data, "messages")
    guild, channel = identity_at(data, "guild", "id"), identity_at(data, "channel", "id")
    ref = ThreadRef("discord", ROOT, f"{'@me' if guild == NO_GUILD else guild}/{channel}")
    written = [one for one in messages if _is_written(one)]
    by_id = {identity_at(one, "id"): one for one in written}
    people = {
        identity_at(who, "id"): _shown(who)
        for one in written
        for who in (need(one, dict, "author"), *_listed(one, "mentions"))
    }

    def html_of(text: str) -> str:
        text = RAW_USER.sub(lambda found: f"@{people.get(found[1], found[1])}", RAW_EMOJI.sub(r"\1", text))
        return unhush(WRITER.write(parse_markdown(text, CHAT)))

    posts = []
    in_order = sorted(written, key=lambda one: (need(one, str, "timestamp"), int(identity_at(one, "id"))))
    for number, one in enumerate(in_order, start=1):
        identity, author = identity_at(one, "id"), need(one, dict, "author")
        exact = machine_time(need(one, str, "timestamp")) or machine_time(_written_at(identity))
        edited = machine_time(text_at(one, "timestampEdited"))
        to = by_id.get(text_at(one, "reference", "messageId") or "")
        text = html_of(text_at(one, "content") or "")
        if forwarded := text_at(one, "forwardedMessage", "content"):
            text += f"<blockquote>{html_of(forwarded)}</blockquote>"
        files = [text_at(each, "fileName") or "a file" for each in _listed(one, "attachments")]
        files += [text_at(each, "name") or "a sticker" for each in _listed(one, "stickers")]
        body = _body(
            None
            if to is None
            else (_shown(need(to, dict, "author")), " ".join((text_at(to, "content") or "").split())),
            text,
            [html_of(part) for part in _embedded(one)] if look(author, "isBot") is True else [],
            files,
            [_reaction(each) for each in _listed(one, "reactions")],
        )
        posts.append(
            Post(
                id=PostId(identity),
                number=number,
                author=f"{_shown(author)}{PARTED}{text_at(author, 'name') or ''}",
                body=body,
                author_id=identity_at(author, "id"),
                time=exact,
                approximate=exact is None,
                url=f"{ROOT}channels/{ref.id}/{identity}",
                edited=edited,
                edit_note="edited" if text_at(one, "timestampEdited") else None,
            )
        )
    names = (
        text_at(data, "guild", "name"),
        text_at(data, "channel", "category"),
        text_at(data, "channel", "name"),
    )
    return Chunk(
        title=" / ".join(filter(None, names)),
        posts=tuple(posts),
        page=1,
        pages=1,
        posts_total=len(posts),
        thread=ref,
        missing=_lacking(number_at(data, "messageCount"), len(messages)),
        part=Part(text_at(data, "dateRange", "after") is not None, machine_time(text_at(data, "exportedAt"))),
    )


def _is_written(message: Mapping[str, Json]) -> bool:
    """Whether a message is somebody's, and not one of Discord itself."""
    kind = str(message.get("type", "Default"))
    return int(kind) in WRITTEN_NUMBERS if kind.isdecimal() else kind in WRITTEN


def _shown(who: Json) -> str:
    """The name by which a user is shown in that server."""
    return " ".join((text_at(who, "nickname") or need(who, str, "name")).split())


def _listed(message: Json, key: str) -> list[dict[str, Json]]:
    """The objects of a list that older exports may lack."""
    return entries(message, key) if look(message, key) is not None else []


def _embedded(message: Json) -> Iterable[str]:
    """What the boxes of a bot say."""
    for box in _listed(message, "embeds"):
        fields = [text_at(one, key) for one in _listed(box, "fields") for key in ("name", "value")]
        yield from filter(
            None,
            (text_at(box, "title"), text_at(box, "description"), *fields, text_at(box, "footer", "text")),
        )


def _reaction(one: Json) -> tuple[str, int, Sequence[str]]:
    sign = text_at(one, "emoji", "name") or text_at(one, "emoji", "code") or "?"
    return sign, number_at(one, "count") or 1, [_shown(who) for who in _listed(one, "users")]


DISCORD = Discord()
