"""The whole game as pages to keep, for its moderator or for everybody."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from pathlib import Path

from knightfall.config.calendar import closed_day
from knightfall.config.setup import ThreadSetup
from knightfall.engine.game import Event, noted
from knightfall.engine.journal import Replaced
from knightfall.errors import EvidenceError, InputError, SecretGuard
from knightfall.forums import html_style_of
from knightfall.forums.base import is_absolute, without_session
from knightfall.forums.sites import site_of
from knightfall.mafia.endgame_history import nights
from knightfall.markup.html import parse_html
from knightfall.markup.nodes import Break, Nodes, Text
from knightfall.models import Post, Slot, Thread
from knightfall.pictures.svg import svg_text
from knightfall.pictures.wagons import by_post, wagons_of, wagons_scene, wagons_text
from knightfall.services.count_request import HISTORY, PostFormat, count_nodes
from knightfall.services.day_end import count_of
from knightfall.services.guard import (
    Hidden,
    Room,
    allowed,
    hidden_in,
    passed,
    rooms_named,
    rooms_of,
    tokens_in,
)
from knightfall.services.post_facts import PostContext, closing, groups, post_nodes, scene_of, slots, stations
from knightfall.services.posts import archive_post, over, proof_of, record_of, rulings_of
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.reading import Kept, gather, habits_of
from knightfall.services.session import Session, game_folder
from knightfall.services.votecount import Counted, with_footnotes
from knightfall.storage.drafts import PUBLIC
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on, votecount
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.archive.book import ArchivedPost, ArchivedThread, Book, Chapter, Day, Part
from knightfall.writeups.archive.html import CLOSED, Censor
from knightfall.writeups.archive.pages import FIRST, Library, Page, count, library_of, pages
from knightfall.writeups.facts import local_time
from knightfall.writeups.journal import footnote
from knightfall.writeups.render import render_nodes

_CHUNK = re.compile(r"(\s+)")
SHORT = 6
"""A title of so few letters is a word like others."""


def censor_of(rooms: tuple[Room, ...]) -> Censor:
    """The censor of an archive from which these private threads are kept out."""
    return Censor(partial(_words, rooms), partial(_address, rooms))


def _words(rooms: tuple[Room, ...], text: str) -> str:
    for token in tuple(tokens_in(text)):
        text = text.replace(token, "…")
    for room in rooms:
        if len(room.title.strip()) > SHORT:
            text = _without(text, room.title.strip())
    if not rooms or not _may_name(text, rooms):
        return text
    return "".join(_chunk(rooms, chunk) for chunk in _CHUNK.split(text))


def _may_name(text: str, rooms: tuple[Room, ...]) -> bool:
    """Whether an address could be among the words."""
    low = text.casefold()
    return "[t" in low or any(_host(room.url) in low for room in rooms)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].casefold().removeprefix("www.")


def _chunk(rooms: tuple[Room, ...], chunk: str) -> str:
    for said, _ in tuple(rooms_named(chunk, rooms)):
        chunk = _without(chunk, said)
    return chunk


def _without(text: str, said: str) -> str:
    return re.sub(re.escape(said), CLOSED, text, flags=re.IGNORECASE)


def _address(rooms: tuple[Room, ...], url: str) -> str | None:
    """The address without the reader's session; None where it leads into a private thread."""
    try:
        bare = without_session(url)
    except ValueError:
        return url
    return None if any(rooms_named(bare, rooms)) else bare


LATER = "The rest is published when the game is over."


def chapters_of(scene: PostContext, told: bool, secret: bool) -> Iterator[Chapter]:
    """Those that have something to say. `told`: what the game hid may be told; `secret`: the moderator alone
    reads it, so what is for his eyes only may be in it."""
    yield Chapter("people", "People", tuple(_people(scene, told, secret)))
    if scene.public:
        yield Chapter("announced", "Announced", tuple(_events(scene, scene.public)))
    if decided := tuple(_decided(scene, told)):
        yield Chapter("rulings", "Rulings", decided)
    if deal := tuple(_deal(scene, told)):
        yield Chapter("deal", "The deal", deal)
    sheets = noted(scene.table.replay.events) if scene.table and secret else ()
    if sheets:
        intro = "What only the moderator knows, entry by entry."
        yield Chapter("sheets", "Moderator's sheets", tuple(_events(scene, sheets)), intro)


def _people(scene: PostContext, told: bool, secret: bool) -> Iterator[Part]:
    if told and (scene.game is None or over(scene)):
        yield Part("The record", post_nodes(archive_post(scene)))
    known = {"groups": groups(scene), "stations": stations(scene)}
    yield Part("Who played", render_nodes("any/players", known))
    if secret and scene.setup.roles:
        yield Part(
            "Roles in the game file", _lines([f"{slot}: {role}" for slot, role in scene.setup.roles.items()])
        )
    came = [f"{entry.name} for {entry.slot}" for _, entry in scene.entries(Replaced)]
    if came:
        yield Part("Replacements", _lines(came))


def _events(scene: PostContext, events: tuple[Event, ...]) -> Iterator[Part]:
    """Each as the game's own template says it."""
    for event in events:
        if scene.has(event.kind) and scene.game is not None:
            nodes = render_nodes(f"{scene.game.spec.id}/{event.kind}", event.facts)
            yield Part(event.kind.replace("_", " ").capitalize(), nodes)


def _decided(scene: PostContext, told: bool) -> Iterator[Part]:
    """What votes were decided on, which everybody may read; answers to questions of the rules may tell of a
    night, so they wait."""
    if told:
        yield from (Part("", render_nodes(one.template, one.facts)) for one in rulings_of(scene))
    votes = [footnote(fix) for fix in sorted(scene.setup.fixes, key=lambda fix: fix.post)]
    if votes:
        yield Part("Decisions on votes", _lines(votes))


def _deal(scene: PostContext, told: bool) -> Iterator[Part]:
    proof = proof_of(scene)
    if proof is None:
        return
    if told:
        yield Part("", render_nodes("any/proof", {"proof": proof}))
    else:
        yield Part("", (Text(f"Commitment: {proof.commitment}"), Break(), Text(LATER)))


def _lines(lines: list[str]) -> Nodes:
    return tuple(node for line in lines for node in (Text(line), Break()))


def days_of(scene: PostContext, thread: Thread, view: View) -> tuple[tuple[Day, ...], str]:
    """Every day that can be counted, as that view may see it; or none, and why."""
    try:
        known, last = standing_on(thread, habits_of(thread), scene.setup, Ask())
    except (EvidenceError, InputError) as fault:
        return (), f"The votes are not told: {fault}"
    numbers = tuple(day.number for day in known)
    return tuple(_days(scene, thread, view, numbers, last.roster.slots)), ""


def _days(
    scene: PostContext, thread: Thread, view: View, numbers: tuple[int, ...], slots: tuple[Slot, ...]
) -> Iterator[Day]:
    for number in numbers:
        try:
            count = _count(scene, thread, number, number < numbers[-1])
        except (EvidenceError, InputError) as fault:
            yield Day(number, remark=f"This day has no count: {fault}")
        else:
            yield _day(scene, thread, seen_by(view, count), slots)


def _count(scene: PostContext, thread: Thread, number: int, past: bool) -> Votecount:
    """The final count of a day that is over, the present one of the day that runs."""
    if past or closed_day(scene.journal, number) or _fell(scene, number):
        return count_of(scene.setup, thread, number, closing(scene, number))
    return votecount(thread, habits_of(thread), scene.setup, Ask(number), scene.session.clock.now())


def _fell(scene: PostContext, day: int) -> bool:
    """Whether the game itself has told how the day ended."""
    return any(event.kind == "elimination" and event.facts.get("day") == day for event in scene.public)


def _day(scene: PostContext, thread: Thread, count: Votecount, slots: tuple[Slot, ...]) -> Day:
    noted = _with_notes(scene, thread, count)
    wagons = wagons_of(count.tally, count.day, count.rule, slots, count.terms.no_elimination)
    return Day(
        count.day.number,
        count_nodes(noted, PostFormat(HISTORY), scene.setup),
        svg_text(wagons_scene(wagons, by_post(count.day.start, count.tally.at))),
        wagons_text(wagons),
    )


def _with_notes(scene: PostContext, thread: Thread, count: Votecount) -> Votecount:
    """With the moderator's decisions on its posts under it; nothing there is due any more."""
    source = Kept(thread.url or "")
    done = Counted(replace(count, due=(), changes=()), source, thread, scene.setup, site_of(thread.url or ""))
    return with_footnotes(done).count


Step = Callable[[int], None]
"""Is told after each post how many there were."""

UNTOLD = "What was done at night is told when the game is over."


def book_of(scene: PostContext, public: bool, step: Step) -> Book:
    """All that may be in it. Raises InputError where there is nothing to keep yet."""
    thread = scene.kept()
    if thread is None and scene.table is None:
        raise InputError("There is nothing to keep: no game was begun, and no thread read (knightfall read).")
    told = not public or over(scene)
    censor = censor_of(rooms_of(scene.setup, scene.session) if public else ())
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


def _facts(scene: PostContext, thread: Thread | None, told: bool) -> Iterator[tuple[str, str]]:
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
    yield "Archive made", local_time(scene.session.clock.now(), scene.zone)


def _course(scene: PostContext, told: bool) -> Iterator[tuple[str, str]]:
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
    scene: PostContext, thread: Thread | None, public: bool, censor: Censor, step: Step
) -> Iterator[ArchivedThread]:
    """The game's thread; for the moderator his private ones, too."""
    if thread is not None:
        yield ArchivedThread(
            "thread", "The whole thread", tuple(_posts(thread, censor, step)), thread.url or ""
        )
    rooms = () if public else tuple(one for one in scene.setup.threads if one.secret)
    for number, room in enumerate(rooms, start=1):
        found = _room(scene, room)
        if found is not None:
            posts = tuple(_posts(found, censor, lambda _: None))
            yield ArchivedThread(f"room-{number}", f"Private: {found.title}", posts, found.url or "")


def _room(scene: PostContext, room: ThreadSetup) -> Thread | None:
    """A private thread as it was last read; None where it never was."""
    try:
        return gather(Kept(room.url), scene.session)
    except InputError:
        return None


def _posts(thread: Thread, censor: Censor, step: Step) -> Iterator[ArchivedPost]:
    html_style = html_style_of(thread.platform)
    for place, post in enumerate(thread.posts, start=1):
        nodes = () if post.hidden else parse_html(post.body, html_style)
        url, edit = _post_address(post, censor), censor.words(post.edit_note or "")
        yield ArchivedPost(
            post.number, post.id, post.author, nodes, post.time, post.approximate, url, edit, post.hidden
        )
        step(place)


def _post_address(post: Post, censor: Censor) -> str | None:
    """Where the post stands on the forum; None for what is no address of the web, or of a private thread."""
    said = censor.address(post.url) if post.url else None
    return said if said and is_absolute(said) else None


OURS = re.compile(r"[a-z]+(?:-\d+){0,2}\.html|posts\.js|search\.js|archive\.css")
PRIVATE_MODE, PUBLIC_MODE = 0o700, 0o755


def checked(place: Path) -> Path:
    """The folder, where it may be written: new, empty, or an archive from before. Raises InputError."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise InputError(f"{place} is no folder. Give another one: --out FOLDER")
    others = (
        [file.name for file in place.iterdir() if not OURS.fullmatch(file.name)] if place.exists() else []
    )
    if others:
        raise InputError(
            f"{place} holds {others[0]}, which is no part of an archive, so nothing was written. Give a new "
            "folder: --out FOLDER"
        )
    return place


def write_folder(place: Path, pages: Iterable[Page], secret: bool) -> int:
    """Writes the pages beside the folder and then puts them in its place; returns how many they are. Where
    making one raises, what stood there still stands. Raises InputError where it cannot be written."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    try:
        written = sum(_write(draft, page) for page in pages)
        draft.chmod(PRIVATE_MODE if secret else PUBLIC_MODE)
        _put(draft, place)
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return written


def _write(draft: Path, page: Page) -> int:
    (draft / page.name).write_text(page.text, encoding="utf-8", errors="replace", newline="\n")
    return 1


def _put(draft: Path, place: Path) -> None:
    """The old archive goes out of the way first, and comes back where the new one cannot take its place."""
    old = draft.with_name(f"{draft.name}.old")
    if place.exists():
        place.rename(old)
    try:
        draft.rename(place)
    except OSError:
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


FOLDER = "archive"
_TAG = re.compile(r"<[^>]*>")
_LINE = re.compile(r"</?(?:li|br|p|tr|h[1-6]|[du]l|ol|d[td]|div|pre|section)\b[^>]*>")
"""Tags at which a reader sees a line begin or end."""
_OF_PLAYERS = re.compile(r"(?:thread|room|player)-.*|posts\.js|search\..*|archive\.css")
"""Files that say what players said before everybody, and nothing of ours."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line; `allow`: why a secret may go out."""

    game: Path
    public: bool = False
    out: Path | None = None
    allow: str = ""


def make(asked: Asked, session: Session, say: Callable[[str], None]) -> None:
    """Writes the archive and says where.

    Raises InputError where there is nothing to keep, or the folder holds other things; SecretGuard where a
    page for everybody gives something away, or the moderator's own would get among the public files: then
    nothing is written.
    """
    place = checked(_place(asked))
    scene = scene_of(replace(session, progress=None), stored=True)
    thread = scene.kept()
    posts = len(thread.posts) if thread else 0
    tell = session.progress or (lambda *_: None)
    library = library_of(book_of(scene, asked.public, lambda n: tell(n, 2 * posts)))
    made = _counted(pages(library), count(library), lambda part: tell(posts + int(part * posts), 2 * posts))
    if asked.public:
        made = _looked_at(made, hidden_in(session), session, asked.allow)
    number = write_folder(place, made, secret=not asked.public)
    say(f"Written: {place / FIRST} and {number - 1} files beside it. Open it in a browser.")
    say(_whose(library))


def _place(asked: Asked) -> Path:
    """`public/archive` or `private/archive`, where no other is named. Raises SecretGuard where the
    moderator's own would be among the public files."""
    home = game_folder(asked.game)
    place = asked.out or home / (PUBLIC if asked.public else PRIVATE_FOLDER) / FOLDER
    if not asked.public and place.resolve().is_relative_to((home / PUBLIC).resolve()):
        raise SecretGuard(f"{place} is among the public files, and this archive holds secrets: add --public.")
    return place


def _counted(made: Iterator[Page], all_: int, step: Callable[[float], None]) -> Iterator[Page]:
    for number, page in enumerate(made, start=1):
        yield page
        step(number / all_)


def _looked_at(made: Iterator[Page], hidden: Hidden, session: Session, allow: str) -> Iterator[Page]:
    """The pages, each read as a player would read it: ours for every secret, posts for keys alone."""
    found: list[str] = []
    for page in made:
        try:
            found += passed(_read(page), hidden, allow) if not _OF_PLAYERS.fullmatch(page.name) else ()
        except SecretGuard as leak:
            raise SecretGuard(f"{page.name}: {leak}") from None
        _without_keys(page, hidden)
        yield page
    allowed(tuple(dict.fromkeys(found)), session, allow)


def _without_keys(page: Page, hidden: Hidden) -> None:
    held = [key.what for key in hidden.keys if key.words.casefold() in page.text.casefold()]
    if held or any(tokens_in(page.text)):
        what = held[0] if held else "a link with a key of your login"
        raise SecretGuard(f"{page.name} would hold {what}, so nothing was written.")


def _read(page: Page) -> str:
    """What the page says, line by line."""
    return unescape(_TAG.sub(" ", _LINE.sub("\n", page.text)))


def _whose(library: Library) -> str:
    if library.book.secret:
        return "It holds secrets: keep it to yourself. For everybody: knightfall archive --public"
    if library.book.untold:
        return "It holds what everybody may know now; roles and nights come in when the game is over."
    return "It holds what everybody may know, and nothing of private threads or PMs."
