"""What is taken back: an entry of the journal, what goes with it, and the texts that are void then."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from knightfall.audience import SECRET
from knightfall.engine.entries import (
    Closed,
    Committed,
    Delivered,
    Extended,
    Opened,
    Published,
    Started,
    Stopped,
    Undone,
)
from knightfall.engine.journal import (
    Journal,
    Record,
    append,
    before_entry,
    standing,
    undone_numbers,
    window_name,
)
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.sentence import Way, sentence
from knightfall.services.boards import draw_for_post, pictures_of
from knightfall.services.count.nickname_book import follow_answers
from knightfall.services.guard import released
from knightfall.services.heads import lined
from knightfall.services.journal import decide, reason_of
from knightfall.services.now import now_of, table_with
from knightfall.services.pms import MARKS, RESULT, ROLE, batches
from knightfall.services.posts.owed import own_texts
from knightfall.services.publish import file_names, kept, lined_texts, looked_at
from knightfall.services.running import RunningGame, begun, behind, closings, replaced_names
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.window.receipts import (
    VOID,
    files_of,
    led_by_entry,
    moved_file,
    outcome_of,
    stale,
)
from knightfall.services.window.turns import dialect_here
from knightfall.services.window.void import tells_play
from knightfall.storage.drafts import PUBLIC, write_public


@dataclass(frozen=True, slots=True, repr=False)
class UndoLook(JsonAnswer):
    """What taking an entry back takes back with it.

    `files` are the texts that it led to, in `public/` and `private/`, and those of what comes out otherwise;
    `reopens` the windows that are open again then; `follows` later entries that lose their ground, `changes`
    those that lead to something else, `waits` those that wait until what it closed is closed again; `posted`
    what went out since, and may be void, and `sent` the PMs; `returns` what an undo that is taken back had
    taken back.
    """

    record: Record = field(metadata=SECRET)
    files: tuple[Path, ...] = field(default=(), metadata=SECRET)
    reopens: tuple[str, ...] = field(default=(), metadata=SECRET)
    follows: tuple[Record, ...] = field(default=(), metadata=SECRET)
    changes: tuple[Record, ...] = field(default=(), metadata=SECRET)
    posted: tuple[Record, ...] = field(default=(), metadata=SECRET)
    sent: tuple[Record, ...] = field(default=(), metadata=SECRET)
    returns: tuple[Record, ...] = field(default=(), metadata=SECRET)
    waits: tuple[Record, ...] = field(default=(), metadata=SECRET)

    @property
    def asks(self) -> bool:
        """Whether it is more than one line of the journal."""
        more = self.reopens or self.follows or self.changes or self.posted or self.sent or self.waits
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
    if isinstance(record.entry, Committed):
        raise InputError(
            sentence(
                "A commitment is not taken back: it was posted. Commit again, and the post says so: {again}",
                again=Way("commit_deal"),
            )
        )
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
        return UndoLook(record, tuple(files_of(session.folder, leaves)), returns=back)
    if not begun(after):
        first = next(one.number for one in leaves if isinstance(one.entry, Started))
        later = [one for one in stands if one.number > first and one != record]
        posted = tuple(one for one in later if isinstance(one.entry, Published))
        sent = tuple(one for one in later if _is_sent(one))
        follows = tuple(one for one in later if one not in posted)
        files = tuple(files_of(session.folder, (*leaves, *later)))
        return UndoLook(record, files, (), follows, (), posted, sent)

    # Where the journal leads without the entry: what is open again, and what comes out otherwise.
    now = now_of(session).running
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
    changed = stale(now, then, [one for one in stands if one not in leaves])
    files = tuple(files_of(session.folder, (*leaves, *changed)))
    later = [one for one in stands if one.number > record.number]
    posted = tuple(one for one in later if tells_play(one)) if files else ()
    touched = {one.number for one in (*leaves, *changed)}
    both = (*batches(now, ROLE, ""), *batches(now, RESULT, "")) if files else ()
    kinds = {batch.kind for batch in both if any(pm.entry in touched for pm in batch.pms)}
    sent = tuple(one for one in later if _is_sent(one, kinds))
    follows = tuple(one for one in changed if one.number in lost)
    waits = tuple(one for one in then.replay.waiting if one not in now.replay.waiting)
    changes = tuple(one for one in changed if one not in follows and one not in waits)
    return UndoLook(record, files, reopens, follows, changes, posted, sent, returns, waits)


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
        telling = {number for number, led in led_by_entry(then).items() if any(one.events for one in led)}
        again = [*look.changes, *(one for one in look.follows if one.number in telling)]
        # What comes back has the texts that it had, unless it leads to something else by now.
        if look.returns:
            changed = stale(then.at(before_entry(journal, look.record.number)), then, look.returns)
            again += changed
            back = [behind(then, one) for one in look.returns if one not in changed]
        again = [one for one in again if one not in then.replay.waiting]
        anew = [behind(then, one) for one in sorted(again, key=lambda one: one.number)]
        for table in anew:
            looked_at(table, speech, session, allow)
    posts = _renamed_swaps(journal, after, speech, session)
    for text in posts.values():
        released(text, session, allow)
    # What holds no more goes first: a program that ends before the entry leaves texts that are missing, which
    # is seen, and none that are wrong.
    void: list[Path] = []
    if session.game is not None:
        place = session.folder / VOID
        for file in look.files:
            void.append(moved_file(file, place / file.parent.name / file.name))
    record = decide(_undo_of(look.record, reason, session), session)
    follow_answers(journal, session)

    written: list[Path] = []
    if session.game is not None:
        for table in back:
            record, texts = table.journal[-1], outcome_of(table, speech).texts
            number = record.number
            named = zip(texts, file_names(number, texts), strict=True)
            files = [place / text.folder / name for text, name in named]
            if isinstance(record.entry, Opened | Extended | Stopped):  # its post is none of the game's
                files = [*files_of(place, [record])]
            for file in chain((one for one in files if one.exists()), pictures_of(place, number)):
                moved_file(file, session.folder / file.parent.name / file.name)
        for table in anew:
            texts = lined_texts(outcome_of(table, speech).texts, speech, session)
            written += kept(table.folder, table.journal[-1].number, texts)
            written += draw_for_post(table)
        for name, text in posts.items():
            written.append(write_public(session.folder, name, lined(text, speech, session)))
    return Undoing(record, look, tuple(void), tuple(written))


def _is_sent(record: Record, kinds: Collection[str] | None = None) -> bool:
    """Whether it notes that a PM was sent, of one of these batches (None: of any)."""
    entry = record.entry
    return isinstance(entry, Delivered) and entry.state in MARKS and (kinds is None or entry.kind in kinds)


def _takes_back(record: Record, number: int | None) -> bool:
    return isinstance(record.entry, Undone) and record.entry.entry == number


def _taken_back(record: Record, journal: Journal, session: Session) -> Journal:
    """The journal with that entry taken back."""
    at = max(session.clock.now(), journal[-1].at)
    return append(journal, _undo_of(record, "look", session), at, session.author)


def _undo_of(record: Record, why: str, session: Session) -> Undone:
    """The entry that takes a record back. What was closed after something keeps what was sent for it, and
    waits until that is closed again."""
    now = now_of(session)
    closed = closings(now.running) if now.begun else ()
    return Undone(record.number, why, keeps=record in closed[:-1])


def _renamed_swaps(journal: Journal, after: Journal, speech: str, session: Session) -> Mapping[str, str]:
    """The posts of later replacements of the same slot in which somebody else leaves then, by their files."""
    now, stand = replaced_names(journal), standing(after)
    posts: dict[str, str] = {}
    for number, swap in replaced_names(after).items():
        if now.get(number, swap) != swap:
            then = tuple(one for one in stand if one.number <= number)
            context = now_of(session).at(then, then[-1].at)
            for name, text in own_texts(then[-1], context, speech).items():
                if (session.folder / PUBLIC / f"{name}.txt").exists():
                    posts[f"{name}.txt"] = text
    return posts
