"""Replacements, deaths, absences, reminders and notes: one entry in the journal and one post each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from knightfall.audience import SECRET
from knightfall.config.decided import lives
from knightfall.config.instants import ZONE_LINE, parse_days
from knightfall.config.setup import Setup
from knightfall.engine.entries import Away, Prodded, Published, Removed, Replaced, Revived
from knightfall.engine.journal import Record, append
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, TimeError
from knightfall.models import PostMark, Slot
from knightfall.names import bears
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.count.activity import activity, reminder, rows_due, rule_sentence, write_drafts
from knightfall.services.guard import released
from knightfall.services.heads import lined
from knightfall.services.journal import REASON
from knightfall.services.now import now_of
from knightfall.services.pms import PROD, PmBatch, batches_for, listed_slot
from knightfall.services.posts.owed import own_texts
from knightfall.services.posts.people import SlotEntry
from knightfall.services.publish import note_posted
from knightfall.services.requests import CountRequest, PostOptions
from knightfall.services.running import begun, holders, slot_meant, votes_by_day
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.threads import kept_thread, speech_of, thread_post
from knightfall.services.window.receipts import Receipt
from knightfall.services.window.turns import Announcement, announce, enter, last_post
from knightfall.votes.post_marks import bind
from knightfall.writeups.render import render

MOD_NOTE = "mod-note"
"""What notes are called in the journal and in `public/`."""


@dataclass(frozen=True, slots=True, repr=False)
class SlotChange(JsonAnswer):
    """A slot that changed hands, left the game or came back.

    `name` held it until now; `from_post` is the first post that counts so (None: the game has no thread);
    `receipt` is what the begun game answers (None: none was begun), `post` None where the game's own post
    tells it; `owed` are the batches of PMs that a replacement has to get.
    """

    name: str
    from_post: int | None
    record: Record
    receipt: Receipt | None
    post: Announcement | None
    owed: tuple[PmBatch, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Absence(JsonAnswer):
    """An announced absence; `first` and `last` day are part of it."""

    name: str
    first: date
    last: date
    record: Record
    receipt: Receipt | None
    post: Announcement


@dataclass(frozen=True, slots=True, repr=False)
class Note(JsonAnswer):
    """A note for everybody, as the journal keeps it."""

    entry: Published
    post: Announcement


@dataclass(frozen=True, slots=True, repr=False)
class Prods(JsonAnswer):
    """Reminders that were drafted as of post `at`, one for each name, each in a file; without a `post` nobody
    was prodded."""

    names: tuple[str, ...]
    at: int
    entries: tuple[tuple[Record, Receipt | None], ...] = ()
    post: Announcement | None = None
    files: tuple[Path, ...] = field(default=(), metadata=SECRET)


@in_turn
def replace_player(
    old: str, new: str, at: str | None, why: str, options: PostOptions, session: Session
) -> SlotChange:
    """Give a slot to somebody else. Raises InputError where they play already, or the slot is dead."""
    held, name = _held_slot(old, at, session), new.strip()
    if not name:
        raise InputError(sentence("Name the replacement: {replace}", replace=Way("replace")))
    _refuse_dead(held, "replace")
    if begun(journal_of(session)):
        table = now_of(session).running
        if not table.windows:
            raise InputError("The game is over, so nobody is replaced any more. Nothing was written.")
        if held.slot in (one.slot for one in table.game.dead(table.state)):
            raise InputError(
                f"{held.name} is out of the game, so there is nobody to replace. Nothing was written."
            )
    if name.casefold() == held.name.casefold():
        raise InputError(f"{held.name} already holds this slot.")

    # One account holds one slot, and who moderates holds none; who held this one may come back.
    own, others = _slot_in(held.slot, held.setup), held.setup.roster.slots if held.setup.roster else ()
    taken = next((one for one in others if one is not own and bears(one, name)), None)
    if taken is not None:
        raise InputError(f"“{name}” is a name of {taken.name}. One account can hold only one slot.")
    if name.casefold() in (moderator.casefold() for moderator in held.setup.moderators):
        raise InputError(f"“{name}” moderates this game and cannot play in it.")
    back = own.names if own else (held.slot,)
    name = next((known for known in back if known.casefold() == name.casefold()), name)
    change = _changed(held, Replaced(held.slot, name, held.said, why.strip(), held.mark), options, session)
    owed = batches_for(held.slot, now_of(session).running, "") if change.receipt else ()
    return replace(change, owed=tuple(reversed(owed)))


@in_turn
def modkill(name: str, at: str | None, why: str, options: PostOptions, session: Session) -> SlotChange:
    """Take a slot out of the game; the reason stays between moderators. Raises InputError without one."""
    if not why.strip():
        raise InputError(
            sentence(
                "Give a reason for the modkill: {why}. It is kept in the journal and never posted.",
                why=REASON,
            )
        )
    held = _held_slot(name, at, session)
    _refuse_dead(held, "take out")
    return _changed(held, Removed(held.slot, "modkill", held.said, why.strip(), held.mark), options, session)


@in_turn
def kill(name: str, at: str | None, why: str, options: PostOptions, session: Session) -> SlotChange:
    """Note that somebody died during a day. Raises DecisionNeeded where a begun game knows no such death."""
    held = _held_slot(name, at, session)
    _refuse_dead(held, "kill")
    return _changed(held, Removed(held.slot, "kill", held.said, why.strip(), held.mark), options, session)


@in_turn
def revive(name: str, at: str | None, why: str, options: PostOptions, session: Session) -> SlotChange:
    """Bring a slot back to life. Raises InputError for one that lives."""
    held = _held_slot(name, at, session)
    if _lives(held.slot, held.post, held.setup):
        raise InputError(
            sentence(
                "{name} is alive, so there is nobody to bring back. To see who is alive: {roster}",
                name=held.name,
                roster=Way("list_players"),
            )
        )
    return _changed(held, Revived(held.slot, held.said, why.strip(), held.mark), options, session)


@in_turn
def note_absence(name: str, days: str, options: PostOptions, session: Session) -> Absence:
    """Note an announced absence, in which no prod is due.

    Raises InputError for days that are none, TimeError where the game has no zone to have days in.
    """
    setup = now_of(session).setup
    if setup.zone is None:
        raise TimeError(
            sentence(
                "An absence is given in days, so it needs a time zone. To set one: {file}.", file=ZONE_LINE
            )
        )
    first, last = parse_days(days, session.clock.now().astimezone(setup.zone).date())
    slot = _slot_id(name, setup, session)
    entry = Away(slot, first.isoformat(), last.isoformat())
    done = _entered(entry, setup, options, session)
    return Absence(_holder(slot, setup), first, last, done.record, done.receipt, done.posts[0])


@in_turn
def write_note(text: str, options: PostOptions, session: Session) -> Note:
    """Write a note for everybody.

    Raises InputError for an empty one, SecretGuard for one that gives something away.
    """
    setup = now_of(session).setup
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(
            sentence(
                "The note is empty. For example: {note}",
                note=Way("write_note", text="Lumen is away until Friday."),
            )
        )
    dialect = speech_of(options.dialect, setup, session)
    said = released(render("any/mod_note", {"lines": lines}, dialect), session, options.allow)
    post = lined(said, dialect, session)
    last = last_post(setup, session)
    upto = 0 if last is None else last.mark or last.number
    entry = note_posted(MOD_NOTE, post, upto, journal_of(session), session)
    return Note(entry, announce(f"{MOD_NOTE}-{entry.number}", post, dialect, session))


@in_turn
def prod(names: tuple[str, ...], only_draft: bool, options: PostOptions, session: Session) -> Prods:
    """Draft a reminder for each who is named, else for all who are due by the rule, and note them as prodded.

    It goes by the thread as it was last read; `only_draft` notes nothing. Raises InputError where nobody is
    due, or one is dead.
    """
    setup = now_of(session).setup
    if setup.url is None and session.thread is None:
        raise InputError(
            sentence(
                "The game has no thread, so I cannot tell who is silent. First: {name}.",
                name=Way("name_thread", role="game"),
            )
        )
    found = activity(CountRequest(stored=True), session)
    if names:
        living = {row.name: row for row in found.rows}
        rows = []
        for name in dict.fromkeys(names):
            slot = _slot_id(name, setup, session)
            row = living.get(_holder(slot, setup))
            if row is None or not _lives(slot, None, setup):
                raise InputError(
                    f"{name} is not alive as of post {found.at.number}, so there is nobody to prod."
                )
            rows.append(row)
    else:
        rows = [*rows_due(found)]
        if not rows:
            raise InputError(
                sentence(
                    "Nobody is due a prod as of post {number}. {rule} To prod somebody anyway, name them.",
                    number=found.at.number,
                    rule=rule_sentence(found.rule),
                )
            )

    # The PMs lie in private/ in any case; only an entry makes them count.
    pms = tuple(reminder(row, found, setup) for row in rows)
    files = write_drafts(PmBatch(PROD, "", pms), session.folder)
    drafted = Prods(tuple(row.name for row in rows), found.at.number, files=files)
    if only_draft:
        return drafted
    dialect = speech_of(options.dialect, setup, session)
    text = released(render("any/prodded", {"number": len(rows)}, dialect), session, options.allow)
    entries = tuple(enter(Prodded(pm.slot), dialect, session, options.allow) for pm in pms)
    post = announce(f"{entries[0][0].number:03}-prodded", text, dialect, session)
    return replace(drafted, entries=entries, post=post)


# ── who holds a slot, and whether they live ──────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _HeldSlot:
    """A slot, who holds it now, and the post from which on something is said of it, with its mark; `setup`
    has the post numbers of the thread as it was last read."""

    slot: SlotId
    name: str
    post: int | None
    setup: Setup
    mark: PostMark | None = None

    @property
    def said(self) -> str | None:
        """The post as the journal has it."""
        return None if self.post is None else str(self.post)


def _held_slot(name: str, at: str | None, session: Session) -> _HeldSlot:
    """The slot of that name from post `at` on, else from the one after the last that was read.

    Raises InputError for a name of nobody, and where the game has a thread that was never read.
    """
    setup = _setup_now(session)
    slot = _slot_id(name, setup, session)
    post, mark = None, None
    if at is not None:
        named = thread_post(at, setup, session)
        post, mark = named.number, named.mark
    elif setup.url is None and session.thread is None:
        pass
    else:
        last = last_post(setup, session)
        journal = journal_of(session)
        votes = votes_by_day(now_of(session).running.game.spec.id if begun(journal) else None)
        if last is None and votes:
            raise InputError(
                sentence(
                    "The thread has not been read yet, so I do not know from which post on this counts. Say "
                    "{at}, or read the thread: {read}",
                    at=Way("field", name="from_post", value="POST"),
                    read=Way("read"),
                )
            )
        if last is not None:
            post, mark = last.number + 1, last.mark
    # Without a thread the player list knows of nobody who came.
    holder = holders(journal_of(session)).get(slot) if post is None else None
    return _HeldSlot(slot, holder or _holder(slot, setup), post, setup, mark)


def _setup_now(session: Session) -> Setup:
    """The setup with the post numbers of the thread as it was last read."""
    setup = now_of(session).setup
    thread = kept_thread(setup, session) if any(change.bound for change in setup.changes) else None
    return bind(setup, thread.posts)[0] if thread else setup


def _changed(
    held: _HeldSlot, entry: Replaced | Removed | Revived, options: PostOptions, session: Session
) -> SlotChange:
    """Write the entry, then its post."""
    done = _entered(entry, held.setup, options, session)
    return SlotChange(held.name, held.post, done.record, done.receipt, done.posts[0] if done.posts else None)


@dataclass(frozen=True, slots=True)
class _Entered:
    """An entry with what the begun game answers (None: none was begun), and the posts in our own words."""

    record: Record
    receipt: Receipt | None
    posts: tuple[Announcement, ...]


def _entered(entry: SlotEntry | Away, setup: Setup, options: PostOptions, session: Session) -> _Entered:
    """Write an entry, then its posts, which pass the guard before, as nothing can be unwritten."""
    dialect, now = speech_of(options.dialect, setup, session), session.clock.now()
    trial = append(journal_of(session), entry, now, session.author)
    for text in own_texts(trial[-1], now_of(session).at(trial, now), dialect).values():
        released(text, session, options.allow)
    record, receipt = enter(entry, dialect, session, options.allow)
    texts = own_texts(record, now_of(session), dialect)
    posts = (announce(name, text, dialect, session) for name, text in texts.items())
    return _Entered(record, receipt, tuple(posts))


def _slot_id(name: str, setup: Setup, session: Session) -> SlotId:
    """The slot as the journal calls it: by who signed up. Raises InputError for a name that is nobody's."""
    if begun(journal_of(session)):
        found = slot_meant(now_of(session).running, name)
        if found is None:
            raise InputError("That is you: the moderator has no slot.")
        return found
    return listed_slot(name, setup, session)


def _slot_in(name: str, setup: Setup) -> Slot | None:
    """The slot of the player list that has the name; None where there is no list, or not this name."""
    return setup.roster.slot_of(name) if setup.roster else None


def _holder(slot: SlotId, setup: Setup) -> str:
    """Who holds it now."""
    found = _slot_in(slot, setup)
    return found.name if found else slot


def _lives(slot: SlotId, post: int | None, setup: Setup) -> bool:
    """Whether it is alive as of a post (None: now), as far as file and journal say."""
    found = _slot_in(slot, setup)
    return found is None or lives(found, post, setup)


def _refuse_dead(held: _HeldSlot, verb: str) -> None:
    """Raise InputError where the slot is dead; `verb` is what was to be done to its player."""
    if not _lives(held.slot, held.post, held.setup):
        raise InputError(
            sentence(
                "{name} is no longer alive, so there is nobody to {verb}. To see who is alive: {roster}",
                name=held.name,
                verb=verb,
                roster=Way("list_players"),
            )
        )
