"""Posts and players: a thread is posts in order, a roster is slots and who holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum
from hashlib import sha256
from typing import Any, NewType, TypeAlias

from knightfall.errors import InputError

PostId = NewType("PostId", str)
"""The forum's own id of a post, as text: digits on most platforms."""

UNKNOWN_ZONE = ""
"""The zone of a time that a page wrote without one, where neither board nor moderator tells it."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post as the forum served it.

    `number` counts as the platform counts (MafiaScum from 0, most from 1; gaps kept). `time` is an aware
    instant in UTC or None where the page tells none; `approximate` marks one read from relative or zoneless
    text. `zone` names the zone in which the page wrote the time: UNKNOWN_ZONE where nobody knows, then it is
    read as if it were UTC; None for a time that needs none. `body` is the inner HTML of the post's own
    content container. `hidden` marks a placeholder of a deleted or hidden post.
    """

    id: PostId
    number: int
    author: str
    body: str
    author_id: str | None = None
    time: datetime | None = None
    approximate: bool = False
    url: str | None = None
    edited: datetime | None = None
    edit_note: str | None = None
    hidden: bool = False
    zone: str | None = None

    @property
    def own(self) -> str:
        """The body without what others added below it, such as reactions: that changes, and is no edit."""
        return own_body(self.body)


REACTIONS = "chatlog__reactions"
"""The class of the box below a post that tells what others reacted with."""
_REACTIONS = re.compile(rf'(?:<br/>)?<div class="{REACTIONS}">[^<]*</div>\Z')


def own_body(body: str) -> str:
    """A body without the box of reactions at its end."""
    return _REACTIONS.sub("", body)


@dataclass(frozen=True, slots=True)
class PostMark:
    """Which post somebody meant by a number: the post as it was read then.

    `sha256` is of the body, in hex; "" for a post whose body was hidden. Forums renumber their posts: the id
    stays.
    """

    number: int
    id: PostId
    author: str
    sha256: str

    @classmethod
    def of(cls, post: Post) -> PostMark:
        """The mark of a post as it is read now."""
        body = post.own.encode("utf-8", "surrogatepass")
        return cls(post.number, post.id, post.author, "" if post.hidden else sha256(body).hexdigest())


@dataclass(frozen=True, slots=True)
class BoundPost:
    """The post that a decision is bound to, and the number of the decision's entry in the journal."""

    mark: PostMark
    entry: int


@dataclass(frozen=True, slots=True)
class Thread:
    """The posts of one thread in page order, and whether they are all there.

    `platform` is an id of `forums.FORUMS` (or "jsonl" for posts that came without a page); `missing` says in
    one sentence each what is not there: a thread with such a sentence is never counted to its end. `whole_to`
    is then the number of the last post up to which nothing is missing; None where the thread is complete, and
    where even its beginning is missing.
    """

    platform: str
    title: str
    posts: tuple[Post, ...]
    pages: int = 1
    url: str | None = None
    missing: tuple[str, ...] = ()
    whole_to: int | None = None

    @classmethod
    def from_posts(cls, posts: Iterable[PostRow], title: str = "Thread", first: int = 1) -> Thread:
        """A thread of rows: (author, text) or (author, text, time), or a mapping with `author`, `text` and,
        where you have them, `number`, `id`, `time`, `url`.

        The text is BBCode (`html` in the place of `text`: HTML); a time has a zone, or is None. Rows without
        a number are numbered from `first` on. Raises InputError for a row that is none, and for numbers that
        do not rise.
        """
        made = list[Post]()
        for place, row in enumerate(posts, start=1):
            number = made[-1].number + 1 if made else first
            made.append(_post_of(row, number, place))
            if len(made) > 1 and made[-1].number <= made[-2].number:
                raise InputError(
                    f"from_posts, row {place}: number {made[-1].number} is not behind {made[-2].number}."
                )
        return cls("jsonl", title, tuple(made))

    @property
    def complete(self) -> bool:
        """True where nothing is known to be missing."""
        return not self.missing


PostRow: TypeAlias = "tuple[str, str] | tuple[str, str, datetime | None] | Mapping[str, Any]"
"""A post as a program has it: see `Thread.from_posts`."""

_ROW_TYPES: Mapping[str, tuple[type | None, ...]] = {
    "author": (str,),
    "text": (str, None),
    "html": (str, None),
    "time": (datetime, None),
    "number": (int, None),
    "id": (str, int, None),
    "url": (str, None),
}


def _post_of(row: PostRow, number: int, place: int) -> Post:
    """The post of a row, the `place`th. Raises InputError."""
    where = f"from_posts, row {place}"
    if isinstance(row, Mapping):
        said = dict(row)
    elif isinstance(row, tuple | list) and len(row) in (2, 3):
        said = dict(zip(("author", "text", "time"), row, strict=False))
    else:
        raise InputError(
            f"{where}: expected (author, text), (author, text, time) or a dict, found {row!r:.60}."
        )
    unknown = [repr(name) for name in said if name not in _ROW_TYPES]
    if unknown:
        raise InputError(f"{where}: {', '.join(unknown)} is not known; expected {', '.join(_ROW_TYPES)}.")
    for name, kinds in _ROW_TYPES.items():
        value = said.get(name)
        fits = any(value is None if kind is None else isinstance(value, kind) for kind in kinds)
        if not fits or isinstance(value, bool):
            expected = " or ".join("None" if kind is None else kind.__name__ for kind in kinds)
            raise InputError(f"{where}: {name}: expected {expected}, found {value!r:.60}.")
    if (said.get("text") is None) == (said.get("html") is None):
        raise InputError(f"{where}: expected text (BBCode) or html, one of the two.")
    time = said.get("time")
    if time is not None and time.tzinfo is None:
        raise InputError(f"{where}: time {time.isoformat()} has no zone, so it is no instant; give it one.")
    number = number if said.get("number") is None else said["number"]
    return Post(
        PostId(str(number if said.get("id") is None else said["id"])),
        number,
        said["author"],
        said["html"] if said.get("html") is not None else _html_of(said["text"]),
        time=None if time is None else time.astimezone(UTC),
        url=said.get("url"),
    )


def _html_of(text: str) -> str:
    # Posts are everywhere, and next to nobody who has some writes them in BBCode: it need not be loaded.
    from knightfall.markup.bbcode import parse_bbcode
    from knightfall.markup.dialects.ips import AS_READ

    return AS_READ.write(parse_bbcode(text))


@dataclass(frozen=True, slots=True)
class PostVersion:
    """What a post said from `first_seen` on; `superseded` is when it was first seen otherwise, or gone.

    `sha256` is of the body; `page_url`, `page_sha256` and `server_date` (the forum's own clock, as written)
    are of the page that first showed this version; `private` marks a page read while logged in.
    """

    number: int
    post: Post
    first_seen: datetime
    superseded: datetime | None
    sha256: str
    page_url: str | None = None
    page_sha256: str | None = None
    server_date: str | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class PageSeen:
    """A page of a thread: when it was last read from the forum, and the numbers of the posts on it."""

    number: int
    url: str
    at: datetime
    posts: tuple[int, ...]


class ChangeKind(Enum):
    """What can become of a post that was read before."""

    CHANGED = "changed"
    VANISHED = "vanished"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class PostChange:
    """`post` as it stands now, or as it last stood; `before` is what it said where it now says otherwise.

    `counted` is when it had been counted as it stood before; None where it had not.
    """

    became: ChangeKind
    at: datetime
    post: Post
    before: Post | None = None
    counted: datetime | None = None


class DepartureKind(Enum):
    """How a slot left the living."""

    ELIMINATED = "eliminated"
    KILLED = "killed"
    MODKILLED = "modkilled"


@dataclass(frozen=True, slots=True)
class Departure:
    """From post `post` on the slot is not alive."""

    how: DepartureKind
    post: int


@dataclass(frozen=True, slots=True)
class VoteMark:
    """From post `post` on the slot's vote weighs so much, and it takes so many votes more against it."""

    post: int
    weight: int = 1
    needed_delta: int = 0


@dataclass(frozen=True, slots=True)
class Holder:
    """`name` holds the slot from its first post `from_post` on; `passed` where somebody else took it over at
    the same post."""

    name: str
    from_post: int = 0
    passed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Slot:
    """One seat: `holders` oldest first, never empty.

    `weight` counts its vote (0 voteless, 2 double voter), `needed_delta` shifts the votes needed against it
    (+1 loved, -1 hated), both until the first of its `marks`, which are in order; `bonus` votes stand against
    it beside the players'. `left` is how it left for good,
    `before` how it left where it came back, and `back` the posts from which on it lives again. `later` holds
    it only after the moment that is asked for: known by name, not shown.
    """

    holders: tuple[Holder, ...]
    aliases: tuple[str, ...] = ()
    weight: int = 1
    needed_delta: int = 0
    bonus: int = 0
    left: Departure | None = None
    before: tuple[Departure, ...] = ()
    back: tuple[int, ...] = ()
    later: tuple[str, ...] = ()
    marks: tuple[VoteMark, ...] = ()
    name: str = field(init=False, compare=False)
    """Who holds the slot now."""
    names: tuple[str, ...] = field(init=False, compare=False)
    """Everyone who ever held it, newest first; at the end who holds it later."""

    def __post_init__(self) -> None:
        names = (*(holder.name for holder in reversed(self.holders)), *self.later)
        object.__setattr__(self, "names", tuple(dict.fromkeys(names)))
        object.__setattr__(self, "name", names[0])

    def __repr__(self) -> str:
        left = f", {self.left.how.value} at #{self.left.post}" if self.left else ""
        return f"Slot({self.name}{left})"

    def mark_at(self, post: int) -> VoteMark:
        """How its vote weighs, and what it takes against it, as of that post."""
        begun = VoteMark(0, self.weight, self.needed_delta)
        return next((mark for mark in reversed(self.marks) if mark.post <= post), begun)

    def alive_at(self, post: int) -> bool:
        """A slot that left at post n is alive before n and not from n on, until it comes back."""
        if not self.back:
            return self.left is None or post < self.left.post
        return self.gone_at(post) is None

    def gone_at(self, post: int) -> Departure | None:
        """How it had left as of that post; None for the living."""
        left = [one for one in self.departures if one.post <= post]
        gone = max(left, key=lambda one: one.post, default=None)
        return None if gone and any(gone.post <= back <= post for back in self.back) else gone

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Each time it left the living."""
        return (*self.before, self.left) if self.left else self.before

    def voted_out(self, start: int, last: int) -> Departure | None:
        """The elimination that took it behind post `start` and not after `last`; None where none did."""
        within = (one for one in self.departures if start < one.post <= last)
        return next((one for one in within if one.how is DepartureKind.ELIMINATED), None)

    def without(self, gone: Departure) -> Slot:
        """The slot as if it had not left so."""
        left = None if self.left == gone else self.left
        return replace(self, left=left, before=tuple(one for one in self.before if one != gone))

    @property
    def turns(self) -> tuple[int, ...]:
        """The posts at which it left the living or came back, in order."""
        return tuple(sorted({*(one.post for one in self.departures), *self.back}))

    def leaving(self, left: Departure) -> Slot:
        """The slot that left so, too."""
        if any(left.post <= back for back in self.back):
            return replace(self, before=(*self.before, left))
        kept = () if self.left is None else (self.left,)
        return replace(self, before=(*self.before, *kept), left=left)

    def returning(self, post: int) -> Slot:
        """The slot that lives again from that post on."""
        stays = self.left if self.left and self.left.post > post else None
        gone = (self.left,) if self.left and stays is None else ()
        return replace(self, before=(*self.before, *gone), left=stays, back=(*self.back, post))

    def as_of(self, post: int) -> Slot:
        """The slot by the name of who held it then."""
        held = tuple(holder for holder in self.holders if holder.from_post <= post) or self.holders[:1]
        if len(held) == len(self.holders):
            return self
        return replace(self, holders=held, later=tuple(one.name for one in self.holders[len(held) :]))

    def replaced_at(self, name: str, post: int) -> bool:
        """Whether somebody else held the slot when an earlier holder of that name made post `post`; False
        where the post from which on they held it is not known."""
        if len(self.holders) == 1:
            return False
        begun = max((one.from_post for one in self.holders if one.from_post <= post), default=0)
        folded = name.casefold()
        # Who came back held it before, too: only what was theirs by then counts.
        held = (one for one in self.holders if one.from_post <= post)
        own = [one for one in held if one.name.casefold() == folded]
        return bool(own) and all(one.passed or one.from_post < begun for one in own)

    def joins_after(self, name: str, post: int) -> bool:
        """Whether whoever is called `name` takes the slot over only after post `post`."""
        folded = name.casefold()
        own = [one.from_post for one in self.holders if one.name.casefold() == folded]
        if not own:
            return any(one.casefold() == folded for one in self.later)
        return min(own) > post

    def holder_at(self, post: int) -> str:
        """Who held the slot when post `post` was made; the first holder before anyone's time."""
        held = [holder.name for holder in self.holders if holder.from_post <= post]
        return held[-1] if held else self.holders[0].name


@dataclass(frozen=True, slots=True)
class Roster:
    """All slots in list order. Raises InputError where one name stands for two slots."""

    slots: tuple[Slot, ...]
    by_name: dict[str, Slot] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Every name of every slot, exact and folded; a name of two slots is refused.
        by_name: dict[str, Slot] = {}
        for slot in self.slots:
            for name in slot.names:
                other = by_name.get(name.casefold())
                if other is not None and other is not slot:
                    raise InputError(
                        f"“{name}” is in the player list twice ({other.name} and {slot.name}). "
                        "One name can hold one slot: rename one of them or add it as a replacement."
                    )
                by_name[name] = by_name[name.casefold()] = slot

        object.__setattr__(self, "by_name", by_name)

    def slot_of(self, author: str) -> Slot | None:
        """The slot that an account of this name has or had, by its exact or case-folded name."""
        return self.by_name.get(author) or self.by_name.get(author.casefold())

    def with_alias(self, name: str, alias: str) -> Roster:
        """The roster where the slot of that name may be called so too; unchanged where there is none."""
        known = self.slot_of(name)
        if known is None or alias in known.aliases:
            return self
        return self._with(known, replace(known, aliases=(*known.aliases, alias)))

    def with_departure(self, name: str, left: Departure) -> Roster:
        """The roster where the slot of that name left so; unchanged where there is none, or it had left."""
        known = self.slot_of(name)
        if known is None or not known.alive_at(left.post):
            return self
        return self._with(known, known.leaving(left))

    def with_return(self, name: str, post: int) -> Roster:
        """The roster where the slot of that name lives again from that post on; unchanged where there is
        none, or it is known."""
        known = self.slot_of(name)
        return self if known is None or post in known.back else self._with(known, known.returning(post))

    def with_holder(self, name: str, holder: Holder) -> Roster:
        """The roster where the slot of that name has a new holder; unchanged where there is none, or they are
        known. Raises InputError where they hold another slot."""
        known = self.slot_of(name)
        if known is None or known.holders[-1] == holder:
            return self
        # Of those who took it over at one post the last word counts, also where they had it there before.
        kept = (
            replace(one, passed=True) if one.from_post == holder.from_post else one
            for one in known.holders
            if one != holder
        )
        held = sorted((*kept, holder), key=lambda one: one.from_post)
        return self._with(known, replace(known, holders=tuple(held)))

    def with_mark(self, name: str, mark: VoteMark) -> Roster:
        """The roster where the votes of the slot of that name, or those against it, count so from then on;
        unchanged where there is none, or the list itself says how its vote weighs."""
        known = self.slot_of(name)
        if known is None or (known.weight, known.needed_delta) != (1, 0):
            return self
        marks = (*(one for one in known.marks if one.post < mark.post), mark)
        return self._with(known, replace(known, marks=marks))

    def as_of(self, post: int) -> Roster:
        """The slots by the names of who held them then."""
        slots = tuple(slot.as_of(post) for slot in self.slots)
        return self if slots == self.slots else Roster(slots)

    def _with(self, known: Slot, changed: Slot) -> Roster:
        return Roster(tuple(changed if slot is known else slot for slot in self.slots))

    def alive_at(self, post: int) -> tuple[Slot, ...]:
        """The living as of post `post`, in list order."""
        return tuple(slot for slot in self.slots if slot.alive_at(post))


def roster_of(names: Iterable[str]) -> Roster:
    """A roster of players who were never replaced: most tests and a thread's own player list."""
    return Roster(tuple(Slot((Holder(name),)) for name in names))
