"""The heads of the log in posts, as they were read from the forum, against the journal and the evidence here.

Who changes a journal or its evidence can compute every hash of the folder anew, roll every file of it back,
or begin with an empty one. A head that stands in a post of the thread is out of reach: it tells of one state
of the journal, and of one of the evidence, and both must be among those that were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta

from knightfall.engine.entries import Published
from knightfall.engine.heads import Head, Unknown, heads_in, posts_noted, unknown
from knightfall.engine.journal import Journal, adopted_until
from knightfall.services.hand_marks import taken_over
from knightfall.services.now import now_of, seed_of
from knightfall.services.session import DEAL_FILE, Session
from knightfall.storage.drafts import PUBLIC

CLOCKS = timedelta(minutes=1)
"""By so much the clocks of forum and moderator may differ when a running game is taken in."""


@dataclass(frozen=True, slots=True)
class HeadsFound:
    """How many heads were compared, in sentences what they tell of that is not here (`faults`), and what is
    no fault (`notes`)."""

    compared: int = 0
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compare_heads(journal: Journal, session: Session, more: Mapping[str, str]) -> HeadsFound:
    """Every head in the moderators' posts that were read, in the texts that were noted as posted or lie in
    public/, and in `more` texts, by what these are called. In a folder without a deal none are of this game:
    it counts the votes of somebody else's."""
    if not (session.folder / DEAL_FILE).exists():
        return HeadsFound()
    places: dict[Head, str] = {}
    for place, text in (*more.items(), *_posts(journal, session), *_noted(journal), *_files(session)):
        for head in heads_in(text):
            places.setdefault(head, place)
    if not places:
        return HeadsFound()
    with closing(session.store("")) as store:
        links = store.links()

    # Who took the game over has the journal, and has read the thread themselves.
    elsewhere, faults = taken_over(session), list[str]()
    others = 0
    for head, what in unknown(places, journal, links, seed_of(session.folder)):
        if what is Unknown.EVIDENCE and elsewhere:
            others += 1
        else:
            faults.append(_fault(places[head], head, what, journal))
    notes = (f"{others} of {len(places)} heads rest on pages that were read before the game was taken over",)
    return HeadsFound(len(places), tuple(faults), notes if others else ())


def _fault(place: str, head: Head, what: Unknown, journal: Journal) -> str:
    """What a head tells of that is not here."""
    if what is Unknown.EVIDENCE:
        return (
            f"{place} has “{head.line}”, and the pages and posts that had been read by then are not here as "
            "they were: they were removed, changed, or read anew"
        )
    noted = posts_noted(journal)
    if head.posted > noted:
        return (
            f"{place} has “{head.line}”: {head.posted} posts had been noted as posted by then, and the "
            f"journal has {noted}. Its end was cut, or it was rolled back or replaced"
        )
    return (
        f"{place} has “{head.line}”, and the journal never stood so: entries were cut, rolled back, changed "
        "or replaced since"
    )


def _posts(journal: Journal, session: Session) -> Iterator[tuple[str, str]]:
    """The posts of moderators in the threads that everybody reads, as they stood when they were read last;
    of a game that was taken in while it ran, those since then: another folder wrote the heads before."""
    taken_in = next((one.at for one in journal if one.number == adopted_until(journal)), None)
    setup = now_of(session).setup
    addresses = [one.url for one in setup.threads if not one.secret]
    for url in dict.fromkeys((*addresses, *((setup.url,) if setup.url else ()))):
        with closing(session.store(url)) as store:
            thread = store.thread(url)
        if thread is None or not thread.posts:
            continue
        # Who opened the thread moderates it, where the file names nobody.
        moderators = {name.casefold() for name in setup.moderators or (thread.posts[0].author,)}
        for post in thread.posts:
            earlier = taken_in is not None and (post.time is None or post.time < taken_in + CLOCKS)
            if post.author.casefold() in moderators and not earlier:
                yield f"Post {post.number}", post.body


def _noted(journal: Journal) -> Iterator[tuple[str, str]]:
    for record in journal:
        if isinstance(record.entry, Published):
            yield f"Entry {record.number}", record.entry.text


def _files(session: Session) -> Iterator[tuple[str, str]]:
    for file in sorted((session.folder / PUBLIC).glob("*.txt")):
        yield f"{PUBLIC}/{file.name}", file.read_text(encoding="utf-8", errors="replace")
