"""What came into a game's thread since the moderator last looked: posts, edits and deletions."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from knightfall.engine.json_text import JsonAnswer
from knightfall.forums import html_style_of
from knightfall.markup.html import plain_text
from knightfall.models import ChangeKind, Post, PostChange, PostId, PostMark, Thread
from knightfall.services.now import zone_of
from knightfall.services.session import Session, game_database
from knightfall.services.threads import says_otherwise
from knightfall.storage.store import Notices
from knightfall.votes.post_marks import Became, PostIndex
from knightfall.writeups.vote_words import change_line

KEY = "looked at the thread"


@dataclass(frozen=True, slots=True)
class ChangedPost:
    """A post that the moderator had seen and that says something else now, or is gone: what happened in a
    sentence, what it said, and what it says now (“”: nothing, or the same)."""

    post: int
    became: ChangeKind
    what: str
    said: str
    now: str


@dataclass(frozen=True, slots=True, repr=False)
class SinceLooked(JsonAnswer):
    """What came since the moderator last looked.

    `post` is the last post that they saw, None where they never said so; `posts` is how many came since;
    `changes` are the edits, deletions and returns of posts that they had seen. `mark` is what to note once
    this was seen.
    """

    post: int | None
    posts: int
    changes: tuple[ChangedPost, ...]
    mark: str

    @property
    def deleted(self) -> int:
        """How many posts are gone."""
        return sum(one.became is ChangeKind.VANISHED for one in self.changes)

    @property
    def edited(self) -> int:
        """How many posts say something else, or are there again."""
        return len(self.changes) - self.deleted


def since_looked(thread: Thread, session: Session) -> SinceLooked:
    """What came into the thread, as it was last read, since it was last noted as seen."""
    last = thread.posts[-1] if thread.posts else None
    notices = Notices.open(game_database(session.place))
    try:
        change, noted, identity = _parsed(notices.marked(KEY))
        found = notices.changes_after(thread.url or "", change)
    finally:
        notices.close()
    post = _number_now(noted, identity, thread)
    there = {one.id: one.number for one in thread.posts}

    def was_seen(changed: Post) -> bool:
        # A post that came after the last look is new: what became of it since is no change of what was seen.
        if post is None or noted is None:
            return True
        return there[changed.id] <= post if changed.id in there else changed.number <= noted

    zone = zone_of(session)
    told = (one for _, one in found if was_seen(one.post) and says_otherwise(one, thread.platform))
    seen = tuple(_told(one, thread, zone) for one in told)
    newest = max((number for number, _ in found), default=change)
    posts = 0 if post is None else sum(one.number > post for one in thread.posts)
    return SinceLooked(post, posts, seen, f"{newest} {last.number if last else 0} {last.id if last else ''}")


def _number_now(noted: int | None, identity: str, thread: Thread) -> int | None:
    """The number that the last post which was seen has now: forums number anew when a post is deleted."""
    if noted is None or not identity or not thread.posts:
        return noted
    place = PostIndex(thread.posts).find(PostMark(noted, PostId(identity), "", ""))
    return place.number - (place.became is Became.GONE and place.sure)


def words_of(post: Post, thread: Thread) -> str:
    """What a post of a thread says, as plain text."""
    return plain_text(post.body, html_style_of(thread.platform))


def _told(change: PostChange, thread: Thread, zone: ZoneInfo | None) -> ChangedPost:
    now = words_of(change.post, thread)
    said = words_of(change.before, thread) if change.before is not None else ""
    if change.became is ChangeKind.VANISHED:
        said, now = now, ""
    return ChangedPost(change.post.number, change.became, change_line(change, zone), said, now)


def note_looked(mark: str, session: Session) -> None:
    """Note that what a mark stands for was seen; one that cannot be read notes nothing."""
    if _parsed(mark)[1] is None:
        return
    notices = Notices.open(game_database(session.place))
    try:
        notices.replace_mark(KEY, mark, session.clock.now())
    finally:
        notices.close()


def _parsed(mark: str | None) -> tuple[int, int | None, str]:
    """The last change and the last post that a mark stands for, by its number then and its id ("": older
    marks tell none)."""
    parts = (mark or "").split(maxsplit=2)
    if len(parts) < 2 or not all(one.isascii() and one.isdigit() for one in parts[:2]):
        return 0, None, ""
    return int(parts[0]), int(parts[1]), parts[2] if len(parts) > 2 else ""
