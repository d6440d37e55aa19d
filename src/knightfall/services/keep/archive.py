"""The whole game as pages to keep, for its moderator or for everybody."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from itertools import chain
from pathlib import Path

from knightfall.audience import Audience, View
from knightfall.config.calendar import closed_day
from knightfall.engine.game import Announced, Event, Noted, noted
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import EvidenceError, InputError, SecretGuard
from knightfall.forums import html_style_of
from knightfall.forums.base import is_absolute, without_session
from knightfall.forums.sites import site_of
from knightfall.mafia.endgame_history import nights
from knightfall.mafia.events import Elimination
from knightfall.markup.html import parse_html
from knightfall.markup.nodes import Break, Nodes, Text
from knightfall.models import Slot, Thread
from knightfall.pictures.svg import svg_text
from knightfall.pictures.wagons import by_post, wagons_of, wagons_scene, wagons_text
from knightfall.sentence import Way, sentence
from knightfall.services.count.request import HISTORY, count_nodes
from knightfall.services.count.votecount import Counted, with_footnotes
from knightfall.services.day.end import count_of
from knightfall.services.fair_deal import fair_proof
from knightfall.services.game.end_marks import ARCHIVED, note_done
from knightfall.services.guard import (
    GameSecrets,
    PrivateThread,
    allowed,
    hidden_in,
    passed,
    private_threads_named,
    private_threads_of,
    tokens_in,
)
from knightfall.services.keep.check_page import CHECK_PAGE, check_page
from knightfall.services.keep.match import match_of
from knightfall.services.keep.passport import passport
from knightfall.services.now import Now, now_of
from knightfall.services.posts.facts import closing, groups, post_nodes, stations
from knightfall.services.posts.framing import archive_post, proof_of, read_late_of, record_of, rulings_of
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.requests import PostFormat
from knightfall.services.running import holders, noted_now, replaced_names, with_holders
from knightfall.services.session import Session
from knightfall.services.threads import Kept, gather, habits_of
from knightfall.storage.drafts import PUBLIC, own_folder
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on, votecount
from knightfall.votes.post_marks import bind
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.archive.book import ArchivedPost, ArchivedThread, Book, Chapter, Day, Part
from knightfall.writeups.archive.html import CLOSED, Censor
from knightfall.writeups.archive.pages import FIRST, Page, count, library_of, pages
from knightfall.writeups.events import in_zone
from knightfall.writeups.facts import local_time
from knightfall.writeups.journal import footnote
from knightfall.writeups.render import render_nodes

_SPACES = re.compile(r"(\s+)")
SHORT = 6
"""A title of so few letters is a word like others."""


def censor_of(threads: tuple[PrivateThread, ...]) -> Censor:
    """The censor of an archive from which these private threads are kept out."""
    return Censor(partial(_words, threads), partial(_address, threads))


def _words(threads: tuple[PrivateThread, ...], text: str) -> str:
    """The text without keys of a login, and without names and addresses of the private threads."""
    for token in tuple(tokens_in(text)):
        text = text.replace(token, "…")
    for thread in threads:
        if len(thread.title.strip()) > SHORT:
            text = _without(text, thread.title.strip())

    # Most texts name no host of these threads: only others are looked at word by word.
    low = text.casefold()
    hosts = (thread.url.partition("://")[2].partition("/")[0].casefold() for thread in threads)
    if not threads or not ("[t" in low or any(host.removeprefix("www.") in low for host in hosts)):
        return text
    chunks = _SPACES.split(text)
    for place, chunk in enumerate(chunks):
        for said, _ in tuple(private_threads_named(chunk, threads)):
            chunks[place] = _without(chunks[place], said)
    return "".join(chunks)


def _without(text: str, said: str) -> str:
    return re.sub(re.escape(said), CLOSED, text, flags=re.IGNORECASE)


def _address(threads: tuple[PrivateThread, ...], url: str) -> str | None:
    """The address without the reader's session; None where it leads into a private thread."""
    try:
        bare = without_session(url)
    except ValueError:
        return url
    return None if any(private_threads_named(bare, threads)) else bare


LATER = "The rest is published when the game is over."
UNTOLD = "Night actions are published when the game is over."

Step = Callable[[int], None]
"""Is told after each post how many there were."""


def book_of(context: Now, reader: Audience, step: Step) -> Book:
    """All that such a reader may have. Raises InputError where there is nothing to keep yet."""
    thread = context.thread
    if thread is None and context.table is None:
        raise InputError(
            sentence(
                "There is nothing to archive: no game has begun, and no thread has been read. To read it: "
                "{read}",
                read=Way("read"),
            )
        )
    told = reader.sees(_hidden_by_the_game(context))
    censor = censor_of(
        () if reader is Audience.MODERATOR else private_threads_of(context.setup, context.session)
    )

    # The votes of each day, and what is missing.
    view = View.MOD if told else View.PUBLIC
    days, uncounted = days_of(context, thread, view) if thread and context.votes_by_day else ((), "")
    remarks = []
    if thread is None:
        remarks.append("No posts of the game's thread have been read, so there are none here.")
    elif not thread.complete:
        remarks.append(f"Posts are missing: {' '.join(thread.missing)}")
    if uncounted:
        remarks.append(uncounted)

    acts = tuple(nights(context.table.replay.events)) if context.table else ()
    acts = with_holders(acts, holders(context.standing))
    chapters = (one.seen_by(reader) for one in chapters_of(context))
    return Book(
        title=context.title,
        secret=reader is Audience.MODERATOR,
        zone=context.zone,
        censor=censor,
        facts=tuple(_facts(context, thread, told)),
        remarks=tuple(remarks),
        volumes=tuple(_volumes(context, thread, reader, censor, step)),
        days=days,
        nights=acts if told else (),
        untold=UNTOLD if acts and not told else "",
        chapters=tuple(one for one in chapters if one is not None),
        match=match_of(context, reader),
    )


def _hidden_by_the_game(context: Now) -> Audience:
    """For whom that is which a game hides while it goes on: roles, nights, the deal."""
    return Audience.EVERYBODY if context.is_over else Audience.MODERATOR


def _volumes(
    context: Now, thread: Thread | None, reader: Audience, censor: Censor, step: Step
) -> Iterator[ArchivedThread]:
    """The game's thread, and the private ones, as far as they were read and are for such a reader."""
    if thread is not None:
        posts = tuple(_posts(thread, censor, step))
        yield ArchivedThread("thread", "The whole thread", posts, thread.url or "")
    secret = [one for one in context.setup.threads if one.secret]
    for number, one in enumerate(secret if reader.sees(Audience.MODERATOR) else (), start=1):
        try:
            found = gather(Kept(one.url), context.session)
        except InputError:
            continue
        posts = tuple(_posts(found, censor, lambda _: None))
        title = f"Private: {found.title}"
        yield ArchivedThread(f"room-{number}", title, posts, found.url or "", Audience.MODERATOR)


def _facts(context: Now, thread: Thread | None, told: bool) -> Iterator[tuple[str, str]]:
    """The fields at the head of the first page."""
    if context.game is not None:
        yield "Game", context.game.spec.name
    names = context.setup.moderators
    if names:
        yield f"Moderator{'s' * (len(names) > 1)}", ", ".join(names)
    if people := context.slots:
        yield "Players", str(len(people))
    if thread and thread.posts:
        yield "Posts", f"{len(thread.posts)}, #{thread.posts[0].number} to #{thread.posts[-1].number}"
        times = [post.time.astimezone(context.zone) for post in thread.posts if post.time is not None]
        if times:
            yield "Posted", f"{min(times):%d %b %Y} to {max(times):%d %b %Y}"
    if context.setup.url:
        yield "Thread", context.setup.url
    if context.is_over and told:
        record = record_of(context)
        yield from (("Began", record.began), ("Ended", record.ended), ("Winner", record.winner))
        if record.setup:
            yield "Setup", record.setup
    elif context.table is not None:
        yield "State", "the game goes on"
    yield "Archive made", local_time(context.session.clock.now(), context.zone)


def _posts(thread: Thread, censor: Censor, step: Step) -> Iterator[ArchivedPost]:
    html_style = html_style_of(thread.platform)
    for place, post in enumerate(thread.posts, start=1):
        nodes = () if post.hidden else parse_html(post.body, html_style)
        # No link to what is no address of the web, or of a private thread.
        url = censor.address(post.url) if post.url else None
        yield ArchivedPost(
            post.number,
            post.id,
            post.author,
            nodes,
            post.time,
            post.approximate,
            url if url and is_absolute(url) else None,
            censor.words(post.edit_note or ""),
            post.hidden,
        )
        step(place)


def days_of(context: Now, thread: Thread, view: View) -> tuple[tuple[Day, ...], str]:
    """Every day that can be counted, as that view may see it; or none, and why."""
    try:
        known, last = standing_on(thread, habits_of(thread), context.setup, Ask())
    except (EvidenceError, InputError) as fault:
        return (), f"The votes cannot be shown: {fault}"
    days, running = [], known[-1].number
    for number in (day.number for day in known):
        try:
            count = seen_by(view, _count(context, thread, number, past=number < running))
        except (EvidenceError, InputError) as fault:
            days.append(Day(number, remark=f"This day has no votecount: {fault}"))
        else:
            days.append(_day(context, thread, count, last.roster.slots))
    return tuple(days), ""


def _count(context: Now, thread: Thread, number: int, past: bool) -> Votecount:
    """The final count of a day that is over, the present one of the day that runs."""
    fell = any(isinstance(e.facts, Elimination) and e.facts.day == number for e in context.public)
    if past or closed_day(context.standing, number) or fell:
        return count_of(context.setup, thread, number, closing(context, number))
    return votecount(thread, habits_of(thread), context.setup, Ask(number), context.session.clock.now())


def _day(context: Now, thread: Thread, count: Votecount, slots: tuple[Slot, ...]) -> Day:
    # The moderator's decisions on its posts stand under it; nothing there is due any more.
    url = thread.url or ""
    done = Counted(replace(count, due=(), changes=()), Kept(url), thread, context.setup, site_of(url))
    wagons = wagons_of(count.tally, count.day, count.rule, slots, count.terms.no_elimination)
    return Day(
        count.day.number,
        count_nodes(with_footnotes(done, reasons=False).count, PostFormat(HISTORY), context.setup),
        svg_text(wagons_scene(wagons, by_post(count.day.start, count.tally.at))),
        wagons_text(wagons),
    )


def chapters_of(context: Now) -> Iterator[Chapter]:
    """Those that have something to say, each part with its audience."""
    hidden = _hidden_by_the_game(context)
    yield Chapter("people", "People", tuple(_people(context, hidden)))
    if context.public:
        yield Chapter("announced", "Announced", tuple(_events(context, context.public)))

    # What votes were decided on everybody may read; answers to questions of the rules may tell of a night, so
    # they wait.
    ruled = (*rulings_of(context), *(read_late_of(context) if context.is_over else ()))
    decided = [Part("", render_nodes(one.template, one.facts), hidden) for one in ruled]
    thread = context.thread
    setup = bind(context.setup, thread.posts)[0] if thread else context.setup
    votes = [footnote(fix, reason=False) for fix in sorted(setup.fixes, key=lambda fix: fix.post)]
    if votes:
        decided.append(Part("Decisions on votes", _lines(votes)))
    if decided:
        yield Chapter("rulings", "Rulings", tuple(decided))

    proof = proof_of(context)
    if proof is not None:
        early = (Text(f"Commitment: {proof.commitment}"), Break(), Text(LATER))
        deal = render_nodes("any/proof", {"proof": proof, "page": ""})
        yield Chapter("deal", "The deal", (Part("", deal, hidden, early),))
    sheets = noted(context.table.replay.events) if context.table else ()
    if sheets:
        intro = "What only the moderator knows, entry by entry."
        parts = tuple(_events(context, sheets, Audience.MODERATOR))
        yield Chapter("sheets", "Moderator's sheets", parts, intro)


def _people(context: Now, hidden: Audience) -> Iterator[Part]:
    if context.game is None or context.is_over:
        yield Part("The record", post_nodes(archive_post(context)), hidden)
    known = {"groups": groups(context), "stations": stations(context)}
    yield Part("Who played", render_nodes("any/players", known))
    if context.setup.roles:
        roles = [f"{slot}: {role}" for slot, role in context.setup.roles.items()]
        yield Part("Roles in the game file", _lines(roles), Audience.MODERATOR)
    came = [f"{new} for {old}" for old, new in replaced_names(context.standing).values()]
    if came:
        yield Part("Replacements", _lines(came))


def _events(
    context: Now, events: tuple[Event, ...], audience: Audience = Audience.EVERYBODY
) -> Iterator[Part]:
    """Each as the game's own template says it."""
    for event in events:
        if context.has(event.kind) and context.game is not None:
            facts = event.facts
            if context.table is not None and isinstance(event, Announced):
                facts = context.renamed(facts)
            elif isinstance(event, Noted):
                facts = noted_now(event, holders(context.standing)).facts
            nodes = render_nodes(f"{context.game.spec.id}/{event.kind}", facts)
            nodes = in_zone(nodes, context.zone)
            yield Part(event.kind.replace("_", " ").capitalize(), nodes, audience)


def _lines(lines: list[str]) -> Nodes:
    return tuple(node for line in lines for node in (Text(line), Break()))


OURS = re.compile(r"[a-z]+(?:-\d+){0,2}\.html|posts\.js|search\.js|archive\.css|passport\.json")
PASSPORT = "passport.json"
"""The game for other programs, beside its pages."""
PRIVATE_MODE, PUBLIC_MODE = 0o700, 0o755
_ELSEWHERE = Way("field", name="out", value="FOLDER")


def checked(place: Path) -> Path:
    """The folder, where it may be written: new, empty, or an archive from before. Raises InputError."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise InputError(
            sentence("{place} is not a folder. Name another one: {out}", place=place, out=_ELSEWHERE)
        )
    others = (
        [file.name for file in place.iterdir() if not OURS.fullmatch(file.name)] if place.exists() else []
    )
    if others:
        raise InputError(
            sentence(
                "{place} contains {file}, which is not part of an archive, so nothing was written. Use a new "
                "folder: {out}",
                place=place,
                file=others[0],
                out=_ELSEWHERE,
            )
        )
    return place


def write_folder(place: Path, pages: Iterable[Page], secret: bool) -> int:
    """Write the pages beside the folder and then put them in its place; return how many they are. Where
    making one raises, what stood there still stands. Raises InputError where it cannot be written."""
    try:
        own_folder(place.parent)
        draft = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    try:
        written = 0
        for page in pages:
            (draft / page.name).write_text(page.text, encoding="utf-8", errors="replace", newline="\n")
            written += 1
        with suppress(PermissionError, NotImplementedError):  # a stick or a share may know no rights
            draft.chmod(PRIVATE_MODE if secret else PUBLIC_MODE)
            for file in draft.iterdir():
                file.chmod(0o600 if secret else 0o644)
        _put(draft, place)
    except OSError as fault:
        raise InputError(f"{place} cannot be written: {fault.strerror}.") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return written


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
_LINE = re.compile(r"</?(?:li|br|p|tr|h[1-6]|[du]l|ol|d[td]|div|pre|section|text|title|svg)\b[^>]*>")
"""Tags at which a reader sees a line begin or end; a word in a picture stands by itself."""
_OF_PLAYERS = re.compile(r"(?:thread|room|player)-.*|posts\.js|search\..*|archive\.css")
"""Files that say what players said before everybody, and nothing of ours."""


@dataclass(frozen=True, slots=True, repr=False)
class Archive(JsonAnswer):
    """An archive that was written: its folder, the page to begin with, and how many files it has.

    `secret`: it holds what only the moderator may know; `untold`: roles and nights are not in it, because the
    game goes on.
    """

    folder: Path
    first: Path
    files: int
    secret: bool
    untold: bool


def write_archive(
    session: Session, public: bool = False, out: Path | None = None, allow_leak: str = ""
) -> Archive:
    """Write the game as a folder of pages, for the moderator or for everybody.

    Without `out` the folder is `private/archive` or `public/archive`. Raises InputError where there is
    nothing to keep, or the folder holds other things; SecretGuard where a page for everybody gives something
    away and `allow_leak` has no reason, or the moderator's own would get among the public files: then nothing
    is written.
    """
    home = session.folder
    place = out or home / (PUBLIC if public else PRIVATE_FOLDER) / FOLDER
    if not public and place.resolve().is_relative_to((home / PUBLIC).resolve()):
        raise SecretGuard(
            sentence(
                "{place} is inside public/, but this archive contains secrets. To leave them out: {public}. "
                "To write it elsewhere: {out}",
                place=place,
                public=Way("field", name="public"),
                out=_ELSEWHERE,
            )
        )
    checked(place)

    # Reading the posts is the first half of the work, writing the pages the second.
    context = now_of(replace(session, progress=None))
    thread = context.thread
    posts = len(thread.posts) if thread else 0
    progress = session.progress or (lambda *_: None)
    reader = Audience.EVERYBODY if public else Audience.MODERATOR
    library = library_of(book_of(context, reader, lambda done: progress(done, 2 * posts)))

    def step(part: float) -> None:
        progress(posts + int(part * posts), 2 * posts)

    made = _counted(pages(library), count(library), step)
    if public:
        made = _looked_at(made, hidden_in(session), session, allow_leak)
    ticket = Page(PASSPORT, passport(replace(session, progress=None), public, allow_leak).text)
    # Who may check each card: the page is the same for every game.
    check = (Page(CHECK_PAGE, check_page()),) if fair_proof(home) is not None else ()
    files = write_folder(place, chain(made, (ticket,), check), secret=not public)
    note_done(ARCHIVED, session)
    return Archive(place, place / FIRST, files, library.book.secret, bool(library.book.untold))


def _counted(made: Iterator[Page], all_: int, step: Callable[[float], None]) -> Iterator[Page]:
    for number, page in enumerate(made, start=1):
        yield page
        step(number / all_)


def _looked_at(
    made: Iterator[Page], hidden: GameSecrets, session: Session, allow_leak: str
) -> Iterator[Page]:
    """The pages, each read as a player would read it: ours for every secret, posts for keys alone."""
    found: list[str] = []
    for page in made:
        if not _OF_PLAYERS.fullmatch(page.name):
            shown = unescape(_TAG.sub(" ", _LINE.sub("\n", page.text)))  # line by line
            try:
                found += passed(shown, hidden, allow_leak)
            except SecretGuard as leak:
                raise SecretGuard(sentence("{page}: {leak}", page=page.name, leak=leak)) from None
        held = [key.what for key in hidden.keys if key.words.casefold() in page.text.casefold()]
        if held or any(tokens_in(page.text)):
            what = held[0] if held else "a link with your login key"
            raise SecretGuard(f"{page.name} would contain {what}, so nothing was written.")
        yield page
    allowed(tuple(dict.fromkeys(found)), session, allow_leak)
