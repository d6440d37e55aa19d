"""What is taken back: an entry of the journal, what goes with it, and the texts that are void then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from knightfall.audience import SECRET
from knightfall.engine.journal import (
    Closed,
    Extended,
    Journal,
    Opened,
    Published,
    Record,
    Started,
    Stopped,
    Taken,
    Undone,
    append,
    standing,
    undone_numbers,
    window_name,
)
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.sentence import Way, sentence
from knightfall.services.boards import draw_for_post, pictures_of
from knightfall.services.guard import released
from knightfall.services.journal import decide, reason_of
from knightfall.services.pms import RECEIPT
from knightfall.services.posts.facts import post_context
from knightfall.services.posts.owed import own_texts
from knightfall.services.publish import PRIVATE_FOLDER, file_names, kept, looked_at
from knightfall.services.running import (
    RunningGame,
    before,
    begun,
    replaced_names,
    session_then,
    table_with,
)
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.window.turns import dialect_here, outcome_of
from knightfall.storage.drafts import PUBLIC, write_public

VOID = "private/void"
"""Where the texts lie that do not hold any more."""
BEFORE_PLAY = frozenset({"signup", "setup", "rules", "opening"})
"""The posts that tell nothing of how the game went."""


@dataclass(frozen=True, slots=True, repr=False)
class UndoLook(JsonAnswer):
    """What taking an entry back takes back with it.

    `files` are the texts that it led to, in `public/` and `private/`, and those of what comes out otherwise;
    `reopens` the windows that are open again then; `follows` later entries that lose their ground, `changes`
    those that lead to something else; `posted` what went out since, and may be void; `returns` what an undo
    that is taken back had taken back.
    """

    record: Record = field(metadata=SECRET)
    files: tuple[Path, ...] = field(default=(), metadata=SECRET)
    reopens: tuple[str, ...] = field(default=(), metadata=SECRET)
    follows: tuple[Record, ...] = field(default=(), metadata=SECRET)
    changes: tuple[Record, ...] = field(default=(), metadata=SECRET)
    posted: tuple[Record, ...] = field(default=(), metadata=SECRET)
    returns: tuple[Record, ...] = field(default=(), metadata=SECRET)

    @property
    def asks(self) -> bool:
        """Whether it is more than one line of the journal."""
        more = self.reopens or self.follows or self.changes or self.posted
        return isinstance(self.record.entry, Started) or bool(more)


@dataclass(frozen=True, slots=True, repr=False)
class Undoing(JsonAnswer):
    """An entry that was taken back: the undo, the texts that are void now, and those written anew."""

    record: Record
    look: UndoLook
    void: tuple[Path, ...]
    anew: tuple[Path, ...] = ()


def look_at_undo(number: int | None, session: Session) -> UndoLook:
    """What taking an entry back would take back; the last one that stands where no number is given.

    Raises InputError where there is no such entry, or it was taken back already.
    """
    journal = journal_of(session)
    gone = undone_numbers(journal)
    stands = [record for record in journal if record.number not in gone]
    wanted = stands[-1:] if number is None else [one for one in stands if one.number == number]
    if not wanted:
        known = f"The journal has entries 1 to {len(journal)}" if journal else "The journal is empty"
        if number in gone:
            by = next(one.number for one in stands if _takes_back(one, number))
            raise InputError(
                sentence(
                    "Entry {entry} was taken back already. To let it count again: {undo}",
                    entry=number,
                    undo=Way("undo", entry=by),
                )
            )
        which = f"There is no entry {number} to undo." if number else "There is no entry to undo."
        raise InputError(sentence("{which} {known}: {log}.", which=which, known=known, log=Way("log")))
    record = wanted[0]
    if session.game is None:
        return UndoLook(record)

    # What goes with it, and what comes back where it is itself an undo, of a whole game even.
    after = _taken_back(record, journal, session)
    gone_then = undone_numbers(after)
    leaves = [one for one in stands if one.number in gone_then]
    returns = tuple(one for one in journal if one.number in gone and one.number not in gone_then)
    if not begun(journal):
        first = next((one.number for one in returns if isinstance(one.entry, Started)), len(after))
        back = tuple(one for one in standing(after) if one.number >= first)
        return UndoLook(record, tuple(_files(session.folder, leaves)), returns=back)
    if not begun(after):
        first = next(one.number for one in leaves if isinstance(one.entry, Started))
        later = [one for one in stands if one.number > first and one != record]
        posted = tuple(one for one in later if isinstance(one.entry, Published))
        follows = tuple(one for one in later if one not in posted)
        return UndoLook(record, tuple(_files(session.folder, (*leaves, *later))), (), follows, (), posted)

    # Where the journal leads without the entry: what is open again, and what comes out otherwise.
    now = table_with(session.place, journal, session.seen)
    then = now.at(after)
    open_now = {window.title for window in now.windows}
    # A window can have the title of the one that it gives way to: round 1 of a King's Court dealt anew.
    closed = {one.entry.window for one in leaves if isinstance(one.entry, Closed)}
    reopens = tuple(
        window.title
        for window in then.windows
        if window.title not in open_now or closed & {window.kind, window_name(window)}
    )
    lost = {taken.number for taken in then.replay.questions}
    stale = _stale(now, then, [one for one in stands if one not in leaves])
    files = tuple(_files(session.folder, (*leaves, *stale)))
    later = [one for one in stands if one.number > record.number]
    posted = tuple(one for one in later if _tells_play(one)) if files else ()
    follows = tuple(one for one in stale if one.number in lost)
    changes = tuple(one for one in stale if one not in follows)
    return UndoLook(record, files, reopens, follows, changes, posted, returns)


@in_turn
def undo(number: int | None, why: str, session: Session, allow: str = "") -> Undoing:
    """Take an entry back, the last one that stands where no number is given. The texts that it led to move
    out of the way, into `private/void/`; an undo that is itself undone brings them back. What comes out
    otherwise is written anew, and so is what lost its ground where it tells something besides a receipt.

    Raises InputError where there is no such entry, or it was taken back already; SecretGuard where a post
    that reads otherwise then gives something away and `allow` has no reason.
    """
    look, reason = look_at_undo(number, session), reason_of(why)
    speech, journal = dialect_here(None, session), journal_of(session)
    after = _taken_back(look.record, journal, session)
    anew: list[RunningGame] = []
    back: list[RunningGame] = []
    if begun(after) and (look.changes or look.follows or look.returns):
        then = table_with(session.place, after)
        # What lost its ground can tell something all the same: what is missing, or what a line that is
        # still good led to.
        telling = {number for number, led in _led(then).items() if any(one.events for one in led)}
        again = [*look.changes, *(one for one in look.follows if one.number in telling)]
        # What comes back has the texts that it had, unless it leads to something else by now.
        if look.returns:
            changed = _stale(then.at(journal[: look.record.number - 1]), then, look.returns)
            again += changed
            back = [before(then, one.number + 1) for one in look.returns if one not in changed]
        anew = [before(then, one.number + 1) for one in sorted(again, key=lambda one: one.number)]
        for table in anew:
            looked_at(table, speech, session, allow)
    posts = _renamed_swaps(journal, after, speech, session)
    for text in posts.values():
        released(text, session, allow)
    record = decide(Undone(look.record.number, reason), session)

    void: list[Path] = []
    written: list[Path] = []
    if session.game is not None:
        place = session.folder / VOID
        for file in look.files:
            void.append(_moved(file, place / file.parent.name / file.name))
        for table in back:
            record, texts = table.journal[-1], outcome_of(table, speech).texts
            number = record.number
            named = zip(texts, file_names(number, texts), strict=True)
            files = [place / text.folder / name for text, name in named]
            if isinstance(record.entry, Opened | Extended | Stopped):  # its post is none of the game's
                files = [*_files(place, [record])]
            for file in chain((one for one in files if one.exists()), pictures_of(place, number)):
                _moved(file, session.folder / file.parent.name / file.name)
        for table in anew:
            written += kept(table.folder, table.journal[-1].number, outcome_of(table, speech).texts)
            written += draw_for_post(table)
        written += [write_public(session.folder, name, text) for name, text in posts.items()]
    return Undoing(record, look, tuple(void), tuple(written))


def void_posts(table: RunningGame) -> tuple[str, ...]:
    """“dawn 1”: what went out after an entry that was taken back since, and rests on it or on what came out
    otherwise then; no text of its kind went out after that."""
    journal, gone = table.journal, undone_numbers(table.journal)
    by_number = {record.number: record for record in journal}
    found: dict[str, None] = {}
    for undone in standing(journal):
        if not isinstance(undone.entry, Undone):
            continue
        between = journal[undone.entry.entry : undone.number - 1]
        posted = [one for one in between if isinstance(one.entry, Published) and one.number not in gone]
        record = by_number[undone.entry.entry]
        if not posted or isinstance(record.entry, Started):
            continue
        first = record.number if isinstance(record.entry, Closed) else None
        if first is None:
            known = journal[: undone.number - 1]
            stale = _stale(table.at(known), table.at(journal[: undone.number]), known)
            first = min((one.number for one in stale), default=None)
        again = {one.entry.kind for one in journal[undone.number :] if isinstance(one.entry, Published)}
        for one in posted:
            assert isinstance(one.entry, Published)
            rests = first is not None and one.number > first and one.entry.kind not in BEFORE_PLAY
            if rests and one.entry.kind not in again:
                found[f"{one.entry.kind} {one.entry.number}"] = None
    return tuple(found)


def _tells_play(record: Record) -> bool:
    return isinstance(record.entry, Published) and record.entry.kind not in BEFORE_PLAY


def _takes_back(record: Record, number: int | None) -> bool:
    return isinstance(record.entry, Undone) and record.entry.entry == number


def _taken_back(record: Record, journal: Journal, session: Session) -> Journal:
    """The journal with that entry taken back."""
    at = max(session.clock.now(), journal[-1].at)
    return append(journal, Undone(record.number, "look"), at, session.author)


def _renamed_swaps(journal: Journal, after: Journal, speech: str, session: Session) -> Mapping[str, str]:
    """The posts of later replacements of the same slot in which somebody else leaves then, by their files."""
    now, stand = replaced_names(journal), standing(after)
    posts: dict[str, str] = {}
    for number, swap in replaced_names(after).items():
        if now.get(number, swap) != swap:
            then = tuple(one for one in stand if one.number <= number)
            context = post_context(session_then(session, then, then[-1].at))
            for name, text in own_texts(then[-1], context, speech).items():
                if (session.folder / PUBLIC / f"{name}.txt").exists():
                    posts[f"{name}.txt"] = text
    return posts


def _stale(now: RunningGame, then: RunningGame, records: Iterable[Record]) -> tuple[Record, ...]:
    """The records among these that lead to something else then, receipts aside: they told what stood when
    they were sent."""
    led_now, led_then = _led(now), _led(then)
    return tuple(one for one in records if led_now.get(one.number) != led_then.get(one.number))


def _led(table: RunningGame) -> dict[int, list[Taken]]:
    """By entry, what each step of it told, receipts aside, and refused; an entry that has no part in the game
    leads to nothing."""
    found: dict[int, list[Taken]] = {}
    for taken in table.replay.taken:
        events = tuple(event for event in taken.events if event.kind != RECEIPT)
        if events or taken.refused:
            found.setdefault(taken.number, []).append(Taken(taken.number, events, taken.refused))
    return found


def _files(folder: Path, records: Iterable[Record]) -> Iterator[Path]:
    """The texts that entries led to, those for everybody first, then the pictures of the board."""
    numbers = [record.number for record in records]
    texts = chain.from_iterable(
        sorted((folder / half).glob(f"{number:03}-*"))
        for half in (PUBLIC, PRIVATE_FOLDER)
        for number in numbers
    )
    return chain(texts, chain.from_iterable(pictures_of(folder, number) for number in numbers))


def _moved(file: Path, to: Path) -> Path:
    """A text in its new place. Raises InputError where it cannot be moved."""
    try:
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return file.replace(to)
    except OSError as error:
        raise InputError(f"{file} cannot be moved to {to.parent}: {error.strerror}.") from None
