"""How are sign-ups told: to the moderator, to programs, and to everybody as a post?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knightfall.app.people.signup_list import SignupsRead
from knightfall.app.plain_values import as_object
from knightfall.votes.signups import Said, Signed
from knightfall.writeups.render import render
from knightfall.writeups.wagons import post_facts

TEMPLATE = "any/signups"
LONG = 60


def read_line(found: SignupsRead) -> str:
    """“31 posts read. 13 in, 2 backups, 4 spectators, 1 out (Pike, #17).”"""
    lists = found.lists
    out = ", ".join(f"{one.name}, #{one.post}" for one in lists.out)
    counts = (
        f"{len(lists.players)} in",
        f"{len(lists.backups)} backup{'s' * (len(lists.backups) != 1)}",
        f"{len(lists.spectators)} spectator{'s' * (len(lists.spectators) != 1)}",
        f"{len(lists.out)} out{f' ({out})' if out else ''}",
    )
    return f"{len(found.posts)} posts read. {', '.join(counts)}; {len(lists.unclear)} unclear."


def as_text(found: SignupsRead) -> str:
    """The lists with the posts that they rest on, then what is unclear, with links."""
    return "\n".join(_lines(found))


def _lines(found: SignupsRead) -> Iterator[str]:
    for title, people in found.groups:
        if people:
            yield f"{title} ({len(people)})"
            yield from (
                f"{place:3}. {one.name} {_notes(one, found)}" for place, one in enumerate(people, start=1)
            )
    if found.lists.unclear:
        yield f"Unclear, not counted ({len(found.lists.unclear)})"
        for said in found.lists.unclear:
            yield from _unclear(said, found)


def _unclear(said: Said, found: SignupsRead) -> Iterator[str]:
    yield f"  #{said.post} {said.author}: “{_short(said.text)}”{' (edited)' * (said.post in found.edited)}"
    if url := found.posts[said.post].url:
        yield f"      {url}"


def _notes(one: Signed, found: SignupsRead) -> str:
    """“#4 (edited; again #9; confirmed #12)”."""
    notes = ["edited"] * (one.post in found.edited) + ["decided by you"] * (one.post in found.decided)
    notes += [f"again {', '.join(f'#{post}' for post in one.again)}"] if one.again else []
    notes += [f"confirmed #{one.confirmed}"] if one.confirmed is not None else []
    return f"#{one.post}" + (f" ({'; '.join(notes)})" if notes else "")


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def as_json(found: SignupsRead) -> str:
    """The same for programs, schema 1."""
    values = {
        "title": found.title,
        **{title.lower(): [_values(one, found) for one in people] for title, people in found.groups},
        "unclear": [
            {"post": one.post, "url": found.posts[one.post].url, "author": one.author, "text": one.text}
            for one in found.lists.unclear
        ],
        "assumed": list(found.told),
    }
    return as_object(values)


def _values(one: Signed, found: SignupsRead) -> dict[str, Any]:
    return {
        "name": one.name,
        "post": one.post,
        "url": found.posts[one.post].url,
        "again": list(one.again),
        "confirmed": one.confirmed,
        "edited": one.post in found.edited,
        "decided": one.post in found.decided,
    }


def as_post(found: SignupsRead, speech: str) -> str:
    """The player list for everybody, with links to the posts; nobody is told who left."""
    groups = [
        {
            "title": title,
            "people": [{"name": one.name, "post": post_facts(one.post, found.posts)} for one in people],
        }
        for title, people in found.groups[:3]
        if people or title == "Players"
    ]
    return render(TEMPLATE, {"title": found.title, "groups": groups}, speech)
