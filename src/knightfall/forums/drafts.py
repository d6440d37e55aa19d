"""What does a page tell of one post, and how does that become a Post?

Every platform drafts the same things; what they mean (which instant, which number) is decided once, here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from knightfall.errors import LayoutChanged
from knightfall.forums.adapter import Site
from knightfall.forums.stamps import machine_time, order_told, written_time, zone_named
from knightfall.posts import Post, PostId


@dataclass(frozen=True, slots=True)
class Draft:
    """A post as far as its box tells; None where the box does not have the thing at all."""

    id: str
    author: str | None
    body: str | None
    author_id: str | None = None
    number: int | None = None
    machine: str | None = None
    """A machine-readable time."""
    written: str = ""
    """The words around the time."""
    edit_note: str | None = None
    edit_machine: str | None = None
    edit_stamp: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Clockwork:
    """What turns written stamps into instants: when the page was read, the board's zone and date order."""

    now: datetime
    zone: tzinfo
    order: str

    def read(self, machine: str | None, written: str) -> datetime | None:
        """The exact instant where there is one, else the written one."""
        return machine_time(machine) or written_time(written, self.now, self.zone, self.order)


def clock_of(site: Site, now: datetime, zone: tzinfo | None = None) -> Clockwork:
    """The clock of a page whose zone is told by `zone`, else by the site."""
    return Clockwork(now, zone or zone_named(site.timezone) or UTC, site.date_order)


def set_by(clock: Clockwork, drafts: Iterable[Draft]) -> Clockwork:
    """The same clock, with the order of day and month that the drafts' own dates give away."""
    return replace(clock, order=order_told((draft.written for draft in drafts), clock.order))


def checked(drafts: list[Draft], platform: str, skin: str) -> list[Draft]:
    """The drafts, if each has an author and a body. Raises LayoutChanged with the counts."""
    for what, there in (
        ("authors", [draft for draft in drafts if draft.author]),
        ("texts", [draft for draft in drafts if draft.body is not None]),
    ):
        if len(there) < len(drafts):
            raise LayoutChanged(
                f"Found {len(drafts)} post boxes but {what} in {len(there)} – the forum's layout changed "
                f"(adapter {platform}, {skin}). No count was made. Another theme may do: save its pages."
            )
    return drafts


def numbered(drafts: Sequence[Draft], first: int) -> Iterator[tuple[int, Draft]]:
    """Each draft with its number: as its box shows it, else the next. A hidden post without one uses none up:
    boards that show such placeholders give the number to the post after it."""
    following = first
    for draft in drafts:
        number = following if draft.number is None else draft.number
        following = number if draft.hidden and draft.number is None else number + 1
        yield number, draft


def posts_of(
    counted: Iterable[tuple[int, Draft]], link: Callable[[str], str | None], clock: Clockwork
) -> tuple[Post, ...]:
    """The posts of drafts and their numbers; `link` tells the address of a post by its id."""
    return tuple(post_of(draft, number, link(draft.id), clock) for number, draft in counted)


def post_of(draft: Draft, number: int, url: str | None, clock: Clockwork) -> Post:
    """The post; `number` is its place in the thread, taken where its box shows none."""
    number = number if draft.number is None else draft.number
    return Post(
        id=PostId(draft.id or f"n{number}"),
        number=number,
        author=draft.author or "",
        body=draft.body or "",
        author_id=draft.author_id,
        time=clock.read(draft.machine, draft.written),
        approximate=machine_time(draft.machine) is None,
        url=url,
        edited=clock.read(draft.edit_machine, draft.edit_stamp),
        edit_note=draft.edit_note,
        hidden=draft.hidden,
    )
