"""What is in the archive of a game: everything for its moderator, what everybody may know for all others?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knightfall.app.archive.censor import censor_of
from knightfall.app.archive.chapters import chapters_of
from knightfall.app.archive.days import days_of
from knightfall.app.guarding.rooms import rooms_of
from knightfall.app.library.archive import record_of
from knightfall.app.library.endgame import over
from knightfall.app.library.people import slots
from knightfall.app.library.scene import Scene
from knightfall.app.reading.read import Kept, gather
from knightfall.errors import InputError
from knightfall.forums import flavour_of
from knightfall.forums.links import is_absolute
from knightfall.mafia.chronicle import nights
from knightfall.markup.html import parse_html
from knightfall.posts import Post, Thread
from knightfall.setups.setup import ThreadSetup
from knightfall.votes.votecount import View
from knightfall.writeups.archive.book import Book, Said, Volume
from knightfall.writeups.archive.inert import Censor
from knightfall.writeups.facts import local_time

Step = Callable[[int], None]
"""Is told after each post how many there were."""

UNTOLD = "What was done at night is told when the game is over."


def book_of(scene: Scene, public: bool, step: Step) -> Book:
    """All that may be in it. Raises InputError where there is nothing to keep yet."""
    thread = scene.kept()
    if thread is None and scene.table is None:
        raise InputError("There is nothing to keep: no game was begun, and no thread read (knightfall read).")
    told = not public or over(scene)
    censor = censor_of(rooms_of(scene.setup, scene.ports) if public else ())
    view = View.MOD if told else View.PUBLIC
    days, remark = days_of(scene, thread, view) if thread and scene.votes_by_day else ((), "")
    acts = tuple(nights(scene.table.replay.events)) if scene.table else ()
    return Book(
        title=scene.title,
        secret=not public,
        zone=scene.zone,
        censor=censor,
        facts=tuple(_facts(scene, thread, told)),
        remarks=tuple(_remarks(thread, remark)),
        volumes=tuple(_volumes(scene, thread, public, censor, step)),
        days=days,
        nights=acts if told else (),
        untold=UNTOLD if acts and not told else "",
        chapters=tuple(chapters_of(scene, told, secret=not public)),
    )


def _facts(scene: Scene, thread: Thread | None, told: bool) -> Iterator[tuple[str, str]]:
    """The fields at the head of the first page."""
    if scene.game is not None:
        yield "Game", scene.game.spec.name
    names = scene.setup.moderators
    if names:
        yield f"Moderator{'s' * (len(names) > 1)}", ", ".join(names)
    if people := slots(scene):
        yield "Players", str(len(people))
    if thread and thread.posts:
        yield "Posts", f"{len(thread.posts)}, #{thread.posts[0].number} to #{thread.posts[-1].number}"
    if scene.setup.url:
        yield "Thread", scene.setup.url
    if scene.table is not None:
        yield from _course(scene, told)
    yield "Archive made", local_time(scene.ports.clock.now(), scene.zone)


def _course(scene: Scene, told: bool) -> Iterator[tuple[str, str]]:
    """From when to when it was played, and who won."""
    if not told or not over(scene):
        yield "State", "the game goes on"
        return
    record = record_of(scene)
    yield from (("Began", record.began), ("Ended", record.ended), ("Winner", record.winner))
    if record.setup:
        yield "Setup", record.setup


def _remarks(thread: Thread | None, uncounted: str) -> Iterator[str]:
    if thread is None:
        yield "Nothing of the game's thread was read, so there are no posts here."
    elif not thread.complete:
        yield f"Posts are missing: {' '.join(thread.missing)}"
    if uncounted:
        yield uncounted


def _volumes(
    scene: Scene, thread: Thread | None, public: bool, censor: Censor, step: Step
) -> Iterator[Volume]:
    """The game's thread; for the moderator his private ones, too."""
    if thread is not None:
        yield Volume("thread", "The whole thread", tuple(_posts(thread, censor, step)), thread.url or "")
    rooms = () if public else tuple(one for one in scene.setup.threads if one.secret)
    for number, room in enumerate(rooms, start=1):
        found = _room(scene, room)
        if found is not None:
            posts = tuple(_posts(found, censor, lambda _: None))
            yield Volume(f"room-{number}", f"Private: {found.title}", posts, found.url or "")


def _room(scene: Scene, room: ThreadSetup) -> Thread | None:
    """A private thread as it was last read; None where it never was."""
    try:
        return gather(Kept(room.url), scene.ports)
    except InputError:
        return None


def _posts(thread: Thread, censor: Censor, step: Step) -> Iterator[Said]:
    flavour = flavour_of(thread.platform)
    for place, post in enumerate(thread.posts, start=1):
        nodes = () if post.hidden else parse_html(post.body, flavour)
        url, edit = _address(post, censor), censor.words(post.edit_note or "")
        yield Said(
            post.number, post.id, post.author, nodes, post.time, post.approximate, url, edit, post.hidden
        )
        step(place)


def _address(post: Post, censor: Censor) -> str | None:
    """Where the post stands on the forum; None for what is no address of the web, or of a private thread."""
    said = censor.address(post.url) if post.url else None
    return said if said and is_absolute(said) else None
