"""An invented game of 300 messages on Discord, its truth, and what an exporter writes of it in each format.

Every message says what it does to the votes; the truth of a checkpoint follows from that alone, by the rule
that a player's last vote stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import count, groupby
from typing import Any

GUILD, CHANNEL = "811200000000000001", "811200000000000077"
ADDRESS = f"https://discord.com/channels/{GUILD}/{CHANNEL}"
BEGIN = datetime(2026, 3, 6, 18, 0, 7, 250_000, tzinfo=UTC)
EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
HOST = "Maren"
ACCOUNTS: Mapping[str, str] = {
    HOST: "maren_ok",
    "Tamsin": "tamsin.q",
    "Oleg 🌊": "oleg_tide",
    "Pip": "pipsqueak",
    "Juno Vale": "junov",
    "Roz": "rozalind",
    "Kestrel": "kestrel_99",
    "Wim": "wimmm",
    "Sable_Fox": "sablefox",
    "Bento": "bento.box",
    "Lookout": "lookout_bot",
    "Dory": "dory_watches",
}
"""The shown name of each → the account."""
IDS = {name: str(700_000_000_000_000_000 + n) for n, name in enumerate(ACCOUNTS)}
PLAYERS = tuple(name for name in ACCOUNTS if name not in (HOST, "Lookout", "Dory"))
BOTS = frozenset({"Lookout"})


@dataclass(frozen=True)
class Said:
    """One message: Markdown as typed, mentions as “@shown name”; `html` is what the exporter makes of it
    where that is not just its text. `does` is whom it votes (“-” takes back), None for talk."""

    who: str
    text: str
    does: str | None = None
    html: str | None = None
    reply: int | None = None
    edited: bool = False
    files: tuple[str, ...] = ()
    reactions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: str = "Default"
    embed: tuple[str, str] | None = None


TALK = (
    "anyone else think the harbour was quiet last night?",
    "I was asleep, catching up now",
    "that read on page one is thin",
    "lol",
    "who has actually voted so far?",
    "my vote is staying where it is for now",
    "brb food",
    "can we get a count soon",
    "I would vote for a snack break",
    "not voting until I have read everything",
    "the voting is slow today",
    "hm. noted.",
)


def _talk(speakers: Sequence[str], amount: int, start: int) -> Iterator[Said]:
    for n in range(amount):
        yield Said(speakers[(start + n) % len(speakers)], TALK[(start * 5 + n * 7) % len(TALK)])


@dataclass
class Script:
    """The messages in their order, and how many of them are posts."""

    messages: list[Said] = field(default_factory=list)

    def say(self, *said: Said) -> None:
        self.messages.extend(said)

    def talk(self, speakers: Sequence[str], amount: int) -> None:
        self.messages.extend(_talk(speakers, amount, len(self.messages)))

    @property
    def posts(self) -> int:
        return sum(one.kind in ("Default", "Reply") for one in self.messages)


@dataclass(frozen=True)
class Checkpoint:
    """The votes as of a post: whom each voted for, who lives, and how many it takes."""

    post: int
    day: int
    votes: Mapping[str, str]
    alive: tuple[str, ...]
    needed: int
    hammered: str | None = None


def script() -> tuple[tuple[Said, ...], tuple[Checkpoint, ...]]:
    """The whole game: three days, two lynches by a hammer, two deaths at night, one by day's end."""
    game, checks = Script(), list[Checkpoint]()
    alive = list(PLAYERS)
    votes: dict[str, str] = {}
    day = 1

    def check(hammered: str | None = None) -> None:
        checks.append(Checkpoint(game.posts, day, dict(votes), tuple(alive), len(alive) // 2 + 1, hammered))

    def cast(one: Said) -> None:
        game.say(one)
        if one.does == "-":
            votes.pop(one.who, None)
        elif one.does:
            votes.pop(one.who, None)
            votes[one.who] = one.does

    rules = (
        "**Lantern Quay Mafia**\n"
        "Votes stand on a line of their own: `vote @name`. You may also write `!vote name`; "
        "`unvote` takes it back.\nA majority eliminates at once.\n\n"
        "Players:\n" + "\n".join(f"@{name}" for name in PLAYERS)
    )
    rules_html = (
        "<strong>Lantern Quay Mafia</strong>\n"
        'Votes stand on a line of their own: <code class="chatlog__markdown-pre '
        'chatlog__markdown-pre--inline">vote @name</code>. '
        'You may also write <code class="chatlog__markdown-pre chatlog__markdown-pre--inline">'
        "!vote name</code>; "
        '<code class="chatlog__markdown-pre chatlog__markdown-pre--inline">unvote</code> takes it back.\n'
        "A majority eliminates at once.\n\nPlayers:\n" + "\n".join(map(mention, PLAYERS))
    )
    game.say(
        Said(HOST, rules, html=rules_html, reactions=(("🏮", ("Tamsin", "Pip")),)),
        Said(HOST, "pinned a message.", kind="ChannelPinnedMessage"),
        Said("Dory", "joined the server.", kind="GuildMemberJoin"),
    )
    game.talk(PLAYERS, 6)
    game.say(
        Said(
            HOST,
            "# Day 1 begins\nWith 9 alive it takes 5.",
            html="<h1>Day 1 begins</h1>With 9 alive it takes 5.",
        )
    )
    game.talk(PLAYERS, 7)
    cast(vote("Tamsin", "Oleg 🌊"))
    game.talk(PLAYERS, 5)
    cast(Said("Pip", "!vote Roz", "Roz"))
    cast(Said("Juno Vale", "VOTE: Roz", "Roz"))
    game.talk(PLAYERS, 9)
    check()
    first_vote = next(n for n, one in enumerate(game.messages) if one.does)
    game.say(
        Said("Wim", "lol that vote", reply=first_vote, kind="Reply"),
        Said(
            "Wim",
            "> vote @Kestrel\nnobody said that",
            html=f"{quoted('vote ' + mention('Kestrel'))}nobody said that",
        ),
        Said("Bento", "||vote Wim||", html=hidden("vote Wim")),
        Said(
            "Bento",
            "```\nvote Wim\n```",
            html='<code class="chatlog__markdown-pre chatlog__markdown-pre--multiline">vote Wim</code>',
        ),
        Said("Dory", "vote @Pip", html=f"vote {mention('Pip')}"),
        Said("Sable_Fox", "~~vote Wim~~", html="<s>vote Wim</s>"),
    )
    check()
    game.talk(PLAYERS, 12)
    cast(
        Said(
            "Kestrel",
            "ok here goes\nvote @Roz\nthat slip was real",
            "Roz",
            html=f"ok here goes\nvote {mention('Roz')}\nthat slip was real",
        )
    )
    cast(Said("Tamsin", "unvote", "-"))
    game.talk(PLAYERS, 8)
    cast(
        Said(
            "Bento",
            "**vote Sable_Fox**",
            "Sable_Fox",
            html="<strong>vote Sable_Fox</strong>",
            files=("chart.png",),
        )
    )
    check()
    game.talk(PLAYERS, 10)
    cast(vote("Wim", "Roz", reactions=(("👀", ("Bento",)), ("🔥", ("Pip", "Kestrel", "Dory")))))
    game.talk(PLAYERS, 4)
    check()
    cast(vote("Oleg 🌊", "Roz", edited=True))
    check("Roz")
    game.talk(PLAYERS, 3)
    game.say(
        Said(
            HOST,
            "Hammer! @Roz was lynched. Roz was a **Vanilla Townie**.\nIt is now Night 1.",
            html=f"Hammer! {mention('Roz')} was lynched. Roz was a <strong>Vanilla Townie</strong>.\n"
            "It is now Night 1.",
        )
    )

    alive.remove("Roz")
    alive.remove("Kestrel")
    day, votes = 2, {}
    living = tuple(alive)
    game.say(
        Said(
            HOST,
            "# Day 2 begins\n@Kestrel was killed in the night. Kestrel was the **Town Cop**.\n"
            "With 7 alive it takes 4.",
            html=f"<h1>Day 2 begins</h1>{mention('Kestrel')} was killed in the night. "
            "Kestrel was the <strong>Town Cop</strong>.\nWith 7 alive it takes 4.",
        ),
        Said(HOST, "", kind="ThreadCreated"),
    )
    game.talk(living, 16)
    cast(vote("Tamsin", "Bento"))
    cast(vote("Sable_Fox", "Bento"))
    game.talk(living, 12)
    check()
    cast(Said("Bento", "omgus. !vote Sable_Fox", "Sable_Fox"))
    game.talk(living, 14)
    cast(Said("Oleg 🌊", "vote juno", "Juno Vale"))
    cast(Said("Sable_Fox", "unvote\nvote @Oleg 🌊", "Oleg 🌊", html=f"unvote\nvote {mention('Oleg 🌊')}"))
    game.talk(living, 18)
    check()
    game.say(Said("Lookout", "", embed=("Reminder", "Deadline in two hours. Type vote @name to vote.")))
    cast(vote("Juno Vale", "Oleg 🌊"))
    cast(Said("Wim", "vote no lynch", "no lynch"))
    game.talk(living, 15)
    check()
    cast(vote("Pip", "Oleg 🌊"))
    cast(vote("Wim", "Pip"))
    game.talk(living, 9)
    check()
    cast(vote("Tamsin", "Oleg 🌊"))
    check("Oleg 🌊")
    game.talk(living, 4)
    game.say(
        Said(
            HOST,
            "Oleg 🌊 was lynched. They were a **Mafia Goon**.\nIt is now Night 2.",
            html="Oleg 🌊 was lynched. They were a <strong>Mafia Goon</strong>.\nIt is now Night 2.",
        )
    )

    alive.remove("Oleg 🌊")
    alive.remove("Wim")
    day, votes = 3, {}
    living = tuple(alive)
    game.say(
        Said(
            HOST,
            "**Day 3 begins.** Wim was found dead. Wim was a **Vanilla Townie**.\nWith 5 alive it takes 3.",
            html="<strong>Day 3 begins.</strong> Wim was found dead. Wim was a "
            "<strong>Vanilla Townie</strong>.\nWith 5 alive it takes 3.",
        )
    )
    game.talk(living, 20)
    cast(vote("Pip", "Bento"))
    game.talk(living, 12)
    check()
    cast(vote("Bento", "Pip"))
    cast(Said("Juno Vale", "Vote Bento", "Bento"))
    game.talk(living, 300 - len(game.messages) - 3)
    check()
    cast(Said("Pip", "Unvote", "-"))
    cast(Said("Sable_Fox", "!vote @Pip", "Pip", html=f"!vote {mention('Pip')}"))
    check()
    game.say(Said("Dory", "what a game"))
    return tuple(game.messages), tuple(checks)


def mention(name: str) -> str:
    return f'<span class="chatlog__markdown-mention" title="{escape(ACCOUNTS[name])}">@{escape(name)}</span>'


def quoted(html: str) -> str:
    return (
        '<div class="chatlog__markdown-quote"><div class="chatlog__markdown-quote-border"></div>'
        f'<div class="chatlog__markdown-quote-content">{html}</div></div>'
    )


def hidden(html: str) -> str:
    return (
        '<span class="chatlog__markdown-spoiler chatlog__markdown-spoiler--hidden" '
        f'onclick="showSpoiler(event, this)">{html}</span>'
    )


def vote(who: str, whom: str, **more: Any) -> Said:
    return Said(who, f"vote @{whom}", whom, html=f"vote {mention(whom)}", **more)


MESSAGES, CHECKPOINTS = script()
TIMES = tuple(BEGIN + n * timedelta(minutes=11, seconds=13, milliseconds=37) for n in range(len(MESSAGES)))


def snowflake(moment: datetime, n: int) -> str:
    return str((int((moment - EPOCH) / timedelta(milliseconds=1)) << 22) + n)


KEYS = tuple(snowflake(moment, n) for n, moment in enumerate(TIMES))


# ── the exporter's JSON ──────────────────────────────────────────────────────────────────────────


def _user(name: str) -> dict[str, Any]:
    return {
        "id": IDS[name],
        "name": ACCOUNTS[name],
        "discriminator": "0000",
        "nickname": name,
        "color": None,
        "isBot": name in BOTS,
        "roles": [],
        "avatarUrl": "https://cdn.example/avatar.png",
    }


def _emoji(sign: str) -> dict[str, Any]:
    return {
        "id": "",
        "name": sign,
        "code": "sign",
        "isAnimated": False,
        "imageUrl": "https://cdn.example/e.svg",
    }


def _json_message(n: int) -> dict[str, Any]:
    one = MESSAGES[n]
    told: dict[str, Any] = {
        "id": KEYS[n],
        "type": one.kind,
        "timestamp": TIMES[n].isoformat(timespec="milliseconds"),
        "timestampEdited": (TIMES[n] + timedelta(seconds=40)).isoformat() if one.edited else None,
        "callEndedTimestamp": None,
        "isPinned": n == 0,
        "content": one.text,
        "author": _user(one.who),
        "attachments": [
            {"id": "1", "url": f"https://cdn.example/{name}?ex=1", "fileName": name, "fileSizeBytes": 2048}
            for name in one.files
        ],
        "embeds": [
            {
                "title": one.embed[0],
                "url": None,
                "timestamp": None,
                "description": one.embed[1],
                "images": [],
                "fields": [],
                "inlineEmojis": [],
            }
        ]
        if one.embed
        else [],
        "stickers": [],
        "reactions": [
            {"emoji": _emoji(sign), "count": len(people), "users": [_user(name) for name in people]}
            for sign, people in one.reactions
        ],
        "mentions": [_user(name) for name in PLAYERS if f"@{name}" in one.text],
        "inlineEmojis": [],
    }
    if one.reply is not None:
        told["reference"] = {"messageId": KEYS[one.reply], "channelId": CHANNEL, "guildId": GUILD}
    return told


def as_json(start: int = 0, stop: int | None = None, made: datetime | None = None, **channel: str) -> str:
    """The export of the messages from `start` to `stop`; `channel` says otherwise what it is of."""
    chosen = range(start, len(MESSAGES) if stop is None else stop)
    told = {
        "guild": {"id": GUILD, "name": "Lantern Quay", "iconUrl": "https://cdn.example/icon.png"},
        "channel": {
            "id": CHANNEL,
            "type": "GuildTextChat",
            "categoryId": "811200000000000002",
            "category": "Games",
            "name": "lantern-mafia",
            "topic": None,
        }
        | channel,
        "dateRange": {"after": TIMES[start].isoformat() if start else None, "before": None},
        "exportedAt": (made or TIMES[-1] + timedelta(hours=1)).isoformat(),
        "messages": [_json_message(n) for n in chosen],
        "messageCount": len(chosen),
    }
    return json.dumps(told, ensure_ascii=False, indent=2)


# ── the exporter's HTML ──────────────────────────────────────────────────────────────────────────


def _shown_time(moment: datetime) -> str:
    """By the clocks of whoever exports, to the minute."""
    return f"{moment + timedelta(hours=3):%m/%d/%Y %H:%M}"


def _html_message(n: int, first: bool) -> str:
    one = MESSAGES[n]
    box = (
        f'<div id="chatlog__message-container-{KEYS[n]}" class="chatlog__message-container " '
        f'data-message-id="{KEYS[n]}"><div class="chatlog__message">'
    )
    person = f'title="{escape(ACCOUNTS[one.who])}" data-user-id="{IDS[one.who]}"'
    if one.kind not in ("Default", "Reply"):
        return (
            f'{box}<div class="chatlog__message-aside"><svg></svg></div>'
            '<div class="chatlog__message-primary">'
            f'<span class="chatlog__system-notification-author" {person}>{escape(one.who)}</span><span>'
            " </span>"
            f'<span class="chatlog__system-notification-content"><span>{escape(one.text)}</span></span>'
            f'<span class="chatlog__system-notification-timestamp"><a href="#">{_shown_time(TIMES[n])}</a>'
            "</span></div></div></div>"
        )
    parts = []
    if first and one.reply is not None:
        to = MESSAGES[one.reply]
        parts.append(
            '<div class="chatlog__reply"><img class="chatlog__reply-avatar" src="a.png" alt="Avatar">'
            f'<div class="chatlog__reply-author" title="{escape(ACCOUNTS[to.who])}">{escape(to.who)}</div>'
            '<div class="chatlog__reply-content">'
            f'<span class="chatlog__reply-link" onclick="scrollToMessage(event, \'{KEYS[one.reply]}\')">'
            f"{to.html or escape(to.text)}</span></div></div>"
        )
    if first:
        tag = '<span class="chatlog__author-tag">BOT</span>' if one.who in BOTS else ""
        parts.append(
            f'<div class="chatlog__header"><span class="chatlog__author" style="" {person}>'
            f"{escape(one.who)}</span>{tag}"
            f'<span class="chatlog__timestamp"><a href="#chatlog__message-container-{KEYS[n]}">'
            f"{_shown_time(TIMES[n])}</a></span></div>"
        )
    if one.text or one.edited:
        edit = (
            f'<span class="chatlog__edited-timestamp" title="{_shown_time(TIMES[n])}">(edited)</span>'
            if one.edited
            else ""
        )
        parts.append(
            '<div class="chatlog__content chatlog__markdown">\n'
            '<span class="chatlog__markdown-preserve"><!--wmm:ignore-->'
            f"{one.html or escape(one.text)}<!--/wmm:ignore--></span>\n{edit}</div>"
        )
    parts += [
        f'<div class="chatlog__attachment "><a href="https://cdn.example/{name}">'
        f'<img class="chatlog__attachment-media" src="https://cdn.example/{name}" alt="Image attachment" '
        f'title="Image: {name} (2 KB)" loading="lazy"></a></div>'
        for name in one.files
    ]
    if one.embed:
        parts.append(
            '<div class="chatlog__embed"><div class="chatlog__embed-color-pill"></div>'
            '<div class="chatlog__embed-content-container"><div class="chatlog__embed-content">'
            '<div class="chatlog__embed-text">'
            '<div class="chatlog__embed-title"><div class="chatlog__markdown chatlog__markdown-preserve">'
            f"{escape(one.embed[0])}</div></div>"
            '<div class="chatlog__embed-description">'
            f'<div class="chatlog__markdown chatlog__markdown-preserve">{escape(one.embed[1])}</div></div>'
            "</div></div></div></div>"
        )
    if one.reactions:
        parts.append(
            '<div class="chatlog__reactions">'
            + "".join(
                '<div class="chatlog__reaction" title="sign">'
                f'<img class="chatlog__emoji chatlog__emoji--small" alt="{sign}" src="e.svg" '
                f'loading="lazy"><span class="chatlog__reaction-count">{len(people)}</span></div>'
                for sign, people in one.reactions
            )
            + "</div>"
        )
    aside = (
        '<img class="chatlog__avatar" src="a.png" alt="Avatar" loading="lazy">'
        if first
        else f'<div class="chatlog__short-timestamp" title="{_shown_time(TIMES[n])}">{TIMES[n]:%H:%M}</div>'
    )
    said = f'<div class="chatlog__message-primary">{"".join(parts)}</div>'
    return f'{box}<div class="chatlog__message-aside">{aside}</div>{said}</div></div>\n'


def _groups(chosen: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Messages that the exporter writes under one head: neighbours of one author, no reply among them."""
    number = count()

    def key(n: int) -> tuple[str, int]:
        alone = MESSAGES[n].reply is not None or MESSAGES[n].kind != "Default"
        return MESSAGES[n].who, next(number) if alone else -1

    for _, group in groupby(chosen, key=key):
        yield tuple(group)


def as_html(start: int = 0, stop: int | None = None) -> str:
    """The same as a page."""
    chosen = range(start, len(MESSAGES) if stop is None else stop)
    boxes = "".join(
        '<div class="chatlog__message-group">\n'
        + "".join(_html_message(n, n == group[0]) for n in group)
        + "</div>"
        for group in _groups(chosen)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><title>Lantern Quay - lantern-mafia</title>'
        '<meta charset="utf-8">'
        "<style>.chatlog__message-group { display: grid; }</style></head>\n<body>\n"
        '<div class="preamble"><div class="preamble__guild-icon-container">'
        '<img class="preamble__guild-icon" src="icon.png" alt="Guild icon"></div>'
        '<div class="preamble__entries-container"><div class="preamble__entry">Lantern Quay</div>'
        '<div class="preamble__entry">Games / lantern-mafia</div></div></div>\n'
        f'<div class="chatlog">\n{boxes}\n</div>\n'
        f'<div class="postamble"><div class="postamble__entry">Exported {len(chosen):,} message(s)</div>'
        '<div class="postamble__entry">Timezone: UTC+3</div></div>\n</body>\n</html>'
    )
