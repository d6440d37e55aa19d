"""Which messages stand in the private threads of a game? Read like any thread; its pages are marked private.

Only the posts of a thread's members are messages, under whatever name they hold their slots. What is quoted
or hidden in a post is not said in it, and a vote in a private thread is none in public.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knightfall.app.inbox.mail import Delivery, Mail
from knightfall.app.inbox.senders import Senders, asked
from knightfall.app.inbox.words import words_of_html
from knightfall.app.ports import Ports, Progress
from knightfall.app.reading.read import Kept, Link, gather
from knightfall.core.game import SlotId
from knightfall.errors import IncompleteRead, InputError, KnightfallError
from knightfall.fetch.ports import Fetch
from knightfall.forums import flavour_of
from knightfall.forums.adapter import Request, Response
from knightfall.posts import Post, Thread
from knightfall.setups.setup import Setup, ThreadSetup

ROLE = "private"


@dataclass(frozen=True, slots=True)
class Asked:
    """How the threads are read: every page `again`, or only what is `stored`."""

    again: bool = False
    stored: bool = False


def from_threads(
    setup: Setup, senders: Senders, asked_for: Asked, ports: Ports, progress: Progress | None = None
) -> Delivery:
    """The posts of all private threads. A thread that cannot be read whole is a trouble, and the others are
    read all the same. Raises InputError where the game file names no private thread."""
    rooms = [thread for thread in setup.threads if thread.role == ROLE]
    if not rooms:
        raise InputError(
            f"{setup.source}: no private thread. Add one:  [[thread]]  "
            'role = "private"  url = "https://…"  members = ["Ada"]'
        )
    discreet = replace(ports, fetch=_Discreet(ports.fetch))
    return _together([_delivered(room, senders, asked_for, discreet, progress) for room in rooms])


@dataclass(frozen=True, slots=True)
class _Discreet:
    """Marks every page as private, logged in or not: it is not for everybody."""

    fetch: Fetch

    def get(self, request: Request) -> Response:
        return replace(self.fetch.get(request), private=True)

    def follow(self, request: Request) -> Response:
        return replace(self.fetch.follow(request), private=True)


def _together(found: list[Delivery]) -> Delivery:
    return Delivery(
        tuple(mail for one in found for mail in one.mails),
        tuple(note for one in found for note in one.notes),
        tuple(line for one in found for line in one.passed),
        tuple(trouble for one in found for trouble in one.troubles),
    )


def _delivered(
    room: ThreadSetup, senders: Senders, how: Asked, ports: Ports, progress: Progress | None
) -> Delivery:
    try:
        thread = gather(Kept(room.url) if how.stored else Link(room.url, how.again), ports, progress)
        if not thread.complete:
            raise IncompleteRead(f"{room.url}: {' '.join(thread.missing)} Nothing was taken from it.")
        return _Reader(thread, senders, _members(room, senders)).delivery()
    except KnightfallError as error:
        return Delivery((), troubles=(error,))


def _members(room: ThreadSetup, senders: Senders) -> frozenset[SlotId]:
    """Raises InputError where nobody is named, or somebody who does not play."""
    found = [(name, senders.typed(name)) for name in room.members]
    if odd := [name for name, match in found if not isinstance(match, str)]:
        raise InputError(f"{room.url}: members: “{odd[0]}” plays nobody here. Nothing was taken from it.")
    if not found:
        raise InputError(
            f'{room.url}: whose messages may come from here? Name them in game.toml: members = ["Ada"].'
        )
    return frozenset(match for _, match in found if isinstance(match, str))


@dataclass(frozen=True, slots=True)
class _Reader:
    thread: Thread
    senders: Senders
    members: frozenset[SlotId]

    def delivery(self) -> Delivery:
        moderators = self.senders.moderators or {self.thread.posts[0].author.casefold()}
        posts = [
            post for post in self.thread.posts if not post.hidden and post.author.casefold() not in moderators
        ]
        passed = tuple(self._passed(post) for post in posts if self._outside(post))
        mails = tuple(self._mail(post) for post in posts if not self._outside(post))
        return Delivery(mails, passed=passed)

    def _outside(self, post: Post) -> bool:
        slot = self.senders.account(post.author)
        return isinstance(slot, str) and slot not in self.members

    def _passed(self, post: Post) -> str:
        return f"{self._where(post)}: {post.author} is no member of this thread: not read."

    def _mail(self, post: Post) -> Mail:
        ref, where = f"{self.thread.url}#{post.id}", self._where(post)
        text = words_of_html(post.body, flavour_of(self.thread.platform))
        slot = self.senders.account(post.author)
        if isinstance(slot, str):
            return Mail(ref, where, slot, text, post.time)
        return Mail(ref, where, None, text, post.time, asked(slot, where))

    def _where(self, post: Post) -> str:
        link = f" ({post.url})" if post.url else ""
        return f"“{self.thread.title}” #{post.number}{link}"
