"""Who signed up in a thread, with what the moderator decided and which posts were edited?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from knightfall.app.count.vc import Wanted, source_asked
from knightfall.app.diary.journal import journal_of
from knightfall.app.ports import Ports, Progress
from knightfall.app.reading.read import Kept, Link, Source, gather
from knightfall.app.reading.read_report import incomplete
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Fixed
from knightfall.core.journal import Journal, standing
from knightfall.errors import IncompleteRead
from knightfall.forums import flavour_of
from knightfall.posts import Post, Thread
from knightfall.setups.decided import SIGNUP
from knightfall.setups.setup import Setup
from knightfall.votes.signups import Signed, Signups, said_in, signups


@dataclass(frozen=True, slots=True)
class SignupsRead:
    """The lists of a thread; `posts` by number, `edited` those whose text is not the first one, `decided`
    those on which the moderator ruled; `told` is what was assumed."""

    lists: Signups
    thread: Thread
    setup: Setup
    posts: Mapping[int, Post]
    edited: frozenset[int]
    decided: frozenset[int]
    told: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.setup.title or self.thread.title

    @property
    def groups(self) -> tuple[tuple[str, tuple[Signed, ...]], ...]:
        """The lists by name; out last."""
        lists = self.lists
        parts = (lists.players, lists.backups, lists.spectators, lists.out)
        return tuple(zip(("Players", "Backups", "Spectators", "Out"), parts, strict=True))


def read_signups(wanted: Wanted, ports: Ports, progress: Progress | None = None) -> SignupsRead:
    """The sign-ups of the thread that is named, else of the sign-up thread of the game file. Raises
    IncompleteRead where posts are missing, and what reading raises."""
    setup = setup_of(wanted.game, ports) if wanted.game else Setup("no game file")
    place = next((thread.url for thread in setup.threads if thread.role == "signup"), None)
    source = _whole(source_asked(wanted, replace(setup, url=place)))
    thread = gather(source, ports, progress)
    if not thread.complete or not thread.posts:
        raise IncompleteRead(incomplete(thread))
    found = _read(thread, setup, decisions(journal_of(ports)))
    return replace(found, edited=found.edited | _changed(source, found, ports))


def _whole(source: Source) -> Source:
    """From a forum every page is read again: an early post may say something else by now."""
    return Link(source.url, again=True) if isinstance(source, Link) else source


def _read(thread: Thread, setup: Setup, decided: Mapping[int, str]) -> SignupsRead:
    moderators = setup.moderators or (thread.posts[0].author,)
    told = () if setup.moderators else (f"Moderator: {moderators[0]}, who wrote the opening post.",)
    folded = frozenset(name.casefold() for name in moderators)
    said = said_in(thread.posts, flavour_of(thread.platform), folded, decided)
    posts = {post.number: post for post in thread.posts}
    marked = (post for post in thread.posts if post.edit_note is not None or post.edited is not None)
    return SignupsRead(
        lists=signups(said),
        thread=thread,
        setup=setup,
        posts=posts,
        edited=frozenset(post.number for post in marked),
        decided=frozenset(decided) & frozenset(posts),
        told=told,
    )


def _changed(source: Source, found: SignupsRead, ports: Ports) -> frozenset[int]:
    """Listed posts of which more than one version was seen; files have no history."""
    if found.thread.url is None or not isinstance(source, Link | Kept):
        return frozenset()
    numbers = {one.post for _, people in found.groups for one in people}
    numbers |= {one.post for one in found.lists.unclear}
    store = ports.store(found.thread.url)
    try:
        seen = {n: {version.sha256 for version in store.versions(found.thread.url, n)} for n in numbers}
    finally:
        store.close()
    return frozenset(number for number, texts in seen.items() if len(texts) > 1)


def decisions(journal: Journal) -> dict[int, str]:
    """What the moderator made of posts of the sign-up thread; the latest decision on a post counts."""
    fixed = (record.entry for record in standing(journal) if isinstance(record.entry, Fixed))
    return {int(one.post): one.reads.removeprefix(SIGNUP) for one in fixed if one.reads.startswith(SIGNUP)}
