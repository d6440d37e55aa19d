"""A game at the table: take in one message, close what is open, type in draws, tell what led to what.

Nothing is kept beside the journal: each answer replays it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TypeVar

from knightfall.config.setup import Setup
from knightfall.engine.game import Refusal, SlotId, Window
from knightfall.engine.journal import (
    Closed,
    Drawn,
    Entry,
    Journal,
    Record,
    Removed,
    Revived,
    Started,
    Submitted,
    append,
    replay,
)
from knightfall.engine.rng import Rng, SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.services.game_state import (
    MODERATOR,
    RunningGame,
    begun,
    holders,
    refusal_lines,
    shown,
    since_closing,
    slot_meant,
    table_of,
)
from knightfall.services.publish import Text, guarded, kept, texts_of
from knightfall.services.reading import RICH, kept_thread
from knightfall.services.session import Session, entered, journal_of
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.writeups.journal import entry_line

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an entry led to: its number, the texts that go out, and the lines that were not taken."""

    entry: int
    texts: tuple[Text, ...]
    refused: tuple[tuple[str, Refusal], ...]

    @property
    def public(self) -> tuple[str, ...]:
        """The posts for everybody, in their order."""
        return tuple(text.text for text in self.texts if text.whose == PUBLIC)


@dataclass(frozen=True, slots=True)
class Closing:
    """A window that was closed, and what that led to."""

    window: Window
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Submission:
    """A message since something was last closed: `slot` None is the moderator, `sender` who is shown."""

    entry: int
    at: datetime
    slot: SlotId | None
    sender: str
    message: str


@dataclass(frozen=True, slots=True)
class Submissions:
    """The messages since something was last closed, oldest first."""

    entries: tuple[Submission, ...]

    def to_dict(self) -> dict[str, object]:
        """{submissions: [{entry, at, from, message}]}; the message whole."""
        return {
            "submissions": [
                {"entry": one.entry, "at": one.at, "from": one.slot or MODERATOR, "message": one.message}
                for one in self.entries
            ]
        }


MANY = 99
"""More options than this are counted, not listed: a row of a painted board is one of 531,441."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw ahead: `count` of the options, which are never walked through where they are MANY."""

    label: str
    options: Sequence[object]
    count: int = 1

    @property
    def expected(self) -> str:
        """“1 of 3 Hit, 1 Miss”, “11 of 531441 such as RRRRRRRRRRRR, BRRRRRRRRRRR”."""
        if len(self.options) > MANY:
            return f"{self.count} of {len(self.options)} such as {self.options[0]}, {self.options[1]}"
        pile = ", ".join(f"{count} {option}" for option, count in Counter(map(str, self.options)).items())
        return f"{self.count} of {pile}"


@dataclass(frozen=True, slots=True)
class DrawsAhead:
    """What closing the open windows draws, in that order, without what was typed in already."""

    draws: tuple[Draw, ...]

    def __str__(self) -> str:
        """The draws with their piles, a line each."""
        if not self.draws:
            return "Nothing is left to draw: knightfall commit closes what is open."
        head = "Still to draw, each by the seed unless you type it in, in this order:"
        return "\n".join((head, *(f"  {one.label}  {one.expected}" for one in self.draws)))


@dataclass(frozen=True, slots=True)
class HandDraw:
    """A draw that was typed in: its entry, and what is left to draw."""

    record: Record
    left: DrawsAhead


@dataclass(frozen=True, slots=True)
class Mention:
    """A line in which something stands: `whose` is “public”, “moderator” or the name of who was told."""

    whose: str
    kind: str
    line: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry of the journal, and the lines that it led to."""

    entry: int
    said: str
    told: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Every line that was told about a name or a number, under the entry that led to it."""

    about: str
    entries: tuple[HistoryEntry, ...]

    def to_dict(self) -> dict[str, object]:
        """{about, entries: [{entry, said, told: [{whose, kind, line}]}]}."""
        return {"about": self.about, "entries": [asdict(one) for one in self.entries]}


def submit(who: str, text: str, dialect: str, session: Session, allow: str = "") -> Receipt:
    """Take in a message of a player, or of the moderator: one entry, whole.

    Raises InputError for a name of nobody and for an empty message, SecretGuard where a post of it gives
    something away and `allow` has no reason: then nothing is kept.
    """
    if not text.strip():
        raise InputError("The message is empty: nothing was taken in.")
    table = table_of(session)
    return receipt_of(
        guarded(table, Submitted(slot_meant(table, who), text), dialect, session, allow), dialect
    )


def preview(who: str, text: str, session: Session) -> Receipt:
    """What a message would lead to, as plain text; nothing is written. Raises InputError as `submit`."""
    table = table_of(session)
    return outcome_of(
        table.after(Submitted(slot_meant(table, who), text), session.clock.now(), session.author)
    )


def close(kind: str | None, dialect: str, session: Session, allow: str = "") -> Closing:
    """Close what is open, by its kind where several things are.

    Raises DecisionNeeded where the game cannot close it yet, SecretGuard as `submit`: it writes nothing then.
    """
    from knightfall.config.game_file import read_setup

    table = table_of(session)
    known = {window.kind: window for window in table.windows}
    if not known:
        raise InputError("Nothing is open: the game is over.")
    if kind is None and len(known) == 1:
        [kind] = known
    if kind not in known:
        asked = f"“{kind}” is not open" if kind else "Several things are open"
        raise InputError(f"{asked}. Open now: {', '.join(known)}.")
    window = known[kind]
    # A day that is voted on in a thread ends by its votes: counted twice, confirmed, with the evidence.
    voted = window.kind == "day" and not window.secret and not window.slots
    file = table.folder / "game.toml"
    if voted and file.exists() and read_setup(file).url:
        raise DecisionNeeded(
            f"{window.title} is closed by its votes, which are in the thread: knightfall phase close counts "
            "them, asks you, and closes the day in the game, too."
        )
    entry = Closed(window.kind)
    refused = table.after(entry, session.clock.now(), session.author).last_refused
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was closed.", *refusal_lines(refused))))
    return Closing(window, receipt_of(guarded(table, entry, dialect, session, allow), dialect))


def receipt_of(after: RunningGame, dialect: str) -> Receipt:
    """What the last entry of a game led to; its texts are kept in `public/` and `private/`."""
    found = outcome_of(after, dialect)
    kept(after.folder, found.entry, found.texts)
    return found


def outcome_of(after: RunningGame, dialect: str = "plain") -> Receipt:
    """What the last entry of a game led to; nothing is kept."""
    texts = tuple(texts_of(after.game.spec.id, after.last_events, dialect, holders(after.journal)))
    return Receipt(after.journal[-1].number, texts, after.last_refused)


def submissions(session: Session) -> Submissions:
    """All messages since something was last closed. Secret: for the moderator's eyes."""
    table = table_of(session)
    held = holders(table.journal)
    return Submissions(
        tuple(
            Submission(
                record.number,
                record.at,
                record.entry.slot,
                shown(record.entry.slot, held) if record.entry.slot else MODERATOR,
                record.entry.text,
            )
            for record in since_closing(table)
            if isinstance(record.entry, Submitted)
        )
    )


@dataclass(frozen=True, slots=True)
class _RecordingRng:
    """A source of chance that remembers what it was asked for."""

    fallback: Rng
    asked: list[Draw]

    def at(self, *path: object) -> _RecordingRng:
        return _RecordingRng(self.fallback.at(*path), self.asked)

    def apart(self, *path: object) -> _RecordingRng:
        return _RecordingRng(self.fallback.apart(*path), self.asked)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        self.asked.append(Draw(label, options))
        return self.fallback.choice(label, options, repeat)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Draw(label, options, count))
        return self.fallback.choices(label, options, count, repeat)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Draw(label, options, count))
        return self.fallback.sample(label, options, count, repeat)


def draws_ahead(session: Session) -> DrawsAhead:
    """What the next closing draws, found by closing on trial with everybody's messages as they stand."""
    table = table_of(session)
    return _ahead(table, table.journal, _draw_instant(table, session.clock.now()))


def draw(label: str, values: Sequence[str], session: Session) -> HandDraw:
    """Write a card or die of the moderator's own for the next closing, as of its deadline where that passed.

    Raises InputError for a label that is not drawn, and for a value that is not in the pile.
    """
    table = table_of(session)
    at = _draw_instant(table, session.clock.now())
    ahead = _ahead(table, table.journal, at)
    # Which draw is meant, with its kind (`kd.card:`) or without it?
    folded = label.strip().casefold()
    asked = next(
        (
            one
            for one in ahead.draws
            if folded in (one.label.casefold(), one.label.casefold().partition(":")[2])
        ),
        None,
    )
    if asked is None:
        raise InputError(f"“{label}” is not drawn when this closes.\n{ahead}")
    # Which options are meant, in any case? No card is taken twice; of many options there is no pile.
    if len(asked.options) > MANY:
        typed = (value.strip(", ").upper() for value in values)
        drawn = tuple(value if value in asked.options else "" for value in typed)
        over = None
    else:
        written = {str(option).casefold(): str(option) for option in asked.options}
        drawn = tuple(written.get(value.strip(", ").casefold(), "") for value in values)
        over = asked.count > 1 and Counter(drawn) - Counter(map(str, asked.options))
    if len(drawn) != asked.count or "" in drawn or over:
        found = " ".join(values) or "nothing"
        raise InputError(f"{asked.label}: found “{found}”, expected {asked.expected}.")
    entry = Drawn(asked.label, drawn[0] if asked.count == 1 else drawn)
    nowhere = "Cards are drawn for a game: --game FOLDER, or run this in its folder."
    record = entered(entry, session, nowhere, at)
    return HandDraw(record, _ahead(table, append(table.journal, entry, at, session.author), at))


def _draw_instant(table: RunningGame, now: datetime) -> datetime:
    """Now, or the deadline that has passed: what is drawn after it is still for what it closes."""
    return min([now, *(window.closes for window in table.windows if window.closes)])


def _ahead(table: RunningGame, journal: Journal, at: datetime) -> DrawsAhead:
    """What closing any open window draws beyond what the journal drew."""

    def asked(of: Journal) -> list[Draw]:
        sources: list[_RecordingRng] = []

        def source() -> _RecordingRng:
            sources.append(_RecordingRng(SeededRng(table.seed), []))
            return sources[-1]

        replay(of, table.game, source)
        return sources[0].asked  # where something was undone, the next run is without the undo

    before = len(asked(journal))
    closed = (append(journal, Closed(window.kind), at, "trial") for window in table.windows)
    return DrawsAhead(tuple(one for trial in closed for one in asked(trial)[before:]))


def is_played(session: Session) -> bool:
    """Whether the folder holds a game that is played by its journal."""
    return any(isinstance(record.entry, Started) for record in journal_of(session))


def history(what: str, at: str | None, session: Session) -> History:
    """Each line of posts, PMs and moderator's sheets in which `what` stands, up to entry `at` (None: all).

    Raises InputError where it stands nowhere, or `at` is no entry. For the moderator's eyes.
    """
    table = table_of(session)
    if at is not None:
        number = at.removeprefix("#")
        if not number.isdigit() or not 1 <= int(number) <= len(table.journal):
            raise InputError(f"--at {at}: expected an entry from 1 to {len(table.journal)} (knightfall log).")
        journal = table.journal[: int(number)]
        then = replay(journal, table.game, lambda: SeededRng(table.seed))
        table = replace(table, journal=journal, replay=then)
    found = []
    for record in table.journal:
        events = tuple(
            e for taken in table.replay.taken if taken.number == record.number for e in taken.events
        )
        told = tuple(
            Mention(text.whose, text.kind, line.strip())
            for text in texts_of(table.game.spec.id, events, "plain")
            for line in text.text.splitlines()
            if what.casefold() in line.casefold()
        )
        if told:
            found.append(HistoryEntry(record.number, entry_line(record.entry), told))
    if not found:
        raise InputError(f"“{what}” stands in nothing that was told. Give a name or a number of the game.")
    return History(what, tuple(found))


NOWHERE = "This is kept with a game: --game FOLDER, or run it in the game's folder."


@dataclass(frozen=True, slots=True)
class PostOptions:
    """How a post is written: its dialect (None: the site's), and why it may tell what looks like a secret."""

    dialect: str | None = None
    allow: str = ""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A post for everybody: `file` is where it lies in the game's folder, `rich` whether it is formatted text
    instead of markup."""

    text: str
    file: str
    rich: bool


def enter(entry: Entry, dialect: str, session: Session, allow: str = "") -> tuple[Record, Receipt | None]:
    """Write an entry; return its record, and what a begun game answers (None: none was begun).

    Raises DecisionNeeded where the game does not take it, SecretGuard where a post of it gives something
    away: then nothing is written.
    """
    if not begun(journal_of(session)):
        return entered(entry, session, NOWHERE), None
    table, at = table_of(session), session.clock.now()

    # Does the game take it? The refusal bears the line that the replay makes of the entry.
    line: str | None = None
    match entry:
        case Removed(slot=slot, how=how):
            line = f"{how} {slot}"
        case Revived(slot=slot):
            line = f"revive {slot}"
    refused = tuple(one for one in table.after(entry, at, session.author).last_refused if one[0] == line)
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was written.", *refusal_lines(refused))))

    after = guarded(table, entry, dialect, session, allow, at)
    return after.journal[-1], receipt_of(after, dialect)


def announce(name: str, text: str, dialect: str, session: Session) -> Announcement:
    """Keep a post in `public/`. The text has passed the guard before: nothing can be unwritten."""
    file = write_public(session.folder, f"{name}.txt", text)
    return Announcement(text, f"{PUBLIC}/{file.name}", dialect == RICH)


def parse_post_number(said: str) -> int:
    """Parse “412” or “#412”. Raises InputError for what is no number of a post."""
    number = said.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{said} is no number of a post. Give it as the forum counts, for example 412.")
    return int(number)


def last_post(setup: Setup, session: Session) -> int | None:
    """The last post of the game's thread that was read; None where none was."""
    thread = kept_thread(setup, session)
    return thread.posts[-1].number if thread and thread.posts else None
