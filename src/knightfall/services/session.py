"""The session that every service takes, and the journal of its game, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from hashlib import sha256
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from knightfall.config.files import read_file_text
from knightfall.config.instants import Side, parse_instant
from knightfall.errors import InputError, Overtaken, SaidAlready, SetupError, StateDamaged
from knightfall.sentence import Way, sentence
from knightfall.votes.config import Answers, Ask

if TYPE_CHECKING:
    from knightfall.engine.entries import Entry
    from knightfall.engine.journal import Journal, Record
    from knightfall.engine.replay import Replay
    from knightfall.fetch.clock import Clock, Fetch
    from knightfall.forums.base import Bookmark, Chunk, Response
    from knightfall.models import PageSeen, Post, PostChange, PostVersion, Thread
    from knightfall.storage.logins import Logins
    from knightfall.storage.recounts import BlockRead
    from knightfall.votes.nickname_book import Teaching


def to_nobody(_sentence: str) -> None:
    """Where nobody listens."""


Stamp: TypeAlias = tuple[tuple[int, int], ...]
"""When each file was written last, in nanoseconds, and its size; zeros for one that is empty or not there."""
TICK = 20_000_000
"""Nanoseconds within which two writes may get the same time from a system."""


def stamp_of(files: Iterable[Path]) -> Stamp:
    """By which is seen that something was written, whoever wrote it."""
    found = []
    for file in files:
        try:
            state = file.stat()
        except FileNotFoundError:
            found.append((0, 0))
        else:
            # Whoever opens the database makes an empty file beside it.
            found.append((state.st_mtime_ns, state.st_size) if state.st_size else (0, 0))
    return tuple(found)


def _shows_writes(stamp: Stamp) -> bool:
    """Whether whatever is written from now on changes the stamp: the last write is some time ago, and on a
    system that tells the parts of a second."""
    last = max(at for at, _ in stamp)
    return bool(last % 1_000_000_000) and time_ns() - last > TICK


def unseen() -> Stamp | None:
    """Of a game of which no file tells when it was written."""
    return None


@dataclass(slots=True)
class Seen:
    """A bookmark: `number` of the last entry that is known (0: there was none; None: not looked yet), `at`
    its instant. `held` while a verb computes; its own entry lets go, so that the next look moves it again."""

    tell: Callable[[str], None] = to_nobody
    number: int | None = None
    at: datetime | None = None
    held: bool = False
    journal: Journal = ()
    """What was read and found whole: a later look verifies only what stands behind it."""
    stamp: Stamp | None = None
    """Of the files when that journal was read; None where a later write might not be seen by it."""
    now: tuple[Stamp | None, Any] | None = None
    """The game as it was looked at last (see services.now), with the stamp of that time."""
    played: tuple[bytes, Journal, Replay[Any]] | None = None
    """The seed, a journal and where it led: a later look plays only what stands behind it."""

    def for_another(self, tell: Callable[[str], None], number: int | None) -> Seen:
        """What was read, for a request that knows the journal up to that entry (None: not looked yet)."""
        stamp = self.stamp  # before what it is of: who reads meanwhile sets it behind that
        return Seen(tell, number, None, number is not None, self.journal, stamp, self.now, self.played)

    def read(self, journal: Journal) -> None:
        """The journal was looked at; only the first look counts."""
        if not self.held:
            self.catch_up(journal)

    def catch_up(self, journal: Journal) -> None:
        """The moderator knows all of this now."""
        self.number = journal[-1].number if journal else 0
        self.at = journal[-1].at if journal else None
        self.held = True

    def wrote(self, record: Record) -> None:
        """An entry of this run stands in the journal."""
        self.number, self.at, self.held = record.number, record.at, False


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A read of a whole thread that settled nothing, `number` of at most `of`: `why` is what changed while it
    was read (“”: there was nothing to compare it with); the next one comes after `pause` seconds."""

    number: int
    of: int
    why: str
    pause: float


@dataclass(frozen=True, slots=True)
class CountedOnce:
    """The count of the first whole read, up to the post `at`: how the day would end by it."""

    at: int
    ending: str


@dataclass(frozen=True, slots=True)
class HeldStill:
    """Two reads of a whole thread, `pause` seconds apart, that agree on all its posts."""

    posts: int
    pause: float


@dataclass(frozen=True, slots=True)
class CountedAsKept:
    """A count of what was read before, up to its last post; the forum was not asked."""

    last: int


@dataclass(frozen=True, slots=True)
class ForumDown:
    """A forum that cannot be read, and after how many seconds it is asked again (None: at the deadline)."""

    cause: str
    pause: float | None


Step: TypeAlias = ReadAgain | CountedOnce | HeldStill | CountedAsKept | ForumDown
"""What a long service reports while it goes on."""


def step_words(step: Step) -> str:
    """A step of a long service, in sentences."""
    match step:
        case ReadAgain(number, of, why, pause):
            head = f"Read {number} of at most {of}."
            said = sentence("{head} {why}", head=head, why=why) if why else head
            return sentence("{said} Reading every page again in {pause:.0f} s.", said=said, pause=pause)
        case CountedOnce(at, ending):
            return sentence("By this read, up to post {at}, it ends with: {ending}.", at=at, ending=ending)
        case HeldStill(posts, pause):
            return f"Stable: two reads of all {posts} posts agree, {pause:.0f} s apart."
        case CountedAsKept(last):
            return (
                f"Counted the stored pages, up to #{last}, without contacting the forum. Make sure that you "
                "saved them after you locked the thread."
            )
        case ForumDown(cause, None):
            return sentence("{cause} It may be back in time, so the wait goes on.", cause=cause)
        case ForumDown(cause, pause):
            return sentence("{cause} Trying again in {pause:.0f} s.", cause=cause, pause=pause)


def unreported(_step: Step) -> None:
    """Where nobody follows a long service."""


NO_GAME = sentence("This needs a game: {in_game}.", in_game=Way("in_game"))

HOME = "KNIGHTFALL_HOME"
GAME_FILE = "game.toml"
COMMITTED_FILES = "private/commitment-*.json"
"""The secrets of deals that were committed to, numbered."""
REHEARSAL_FILE = "private/rehearsal.json"
"""What a game has in which the players are played."""


class Store(Protocol):
    """The evidence of a game, or of one thread."""

    def save_page(self, url: str, platform: str, response: Response, chunk: Chunk, at: datetime) -> None: ...

    def is_sealed(self) -> bool: ...

    def last_link(self) -> str: ...

    def links(self) -> tuple[str, ...]: ...

    def doubt_read(self, url: str) -> None: ...

    def finish_read(self, url: str, at: datetime) -> None: ...

    def restate(self, url: str, zone: str) -> None: ...

    def state_zone(self, url: str, zone: str) -> None: ...

    def mark_counted(self, url: str, to: int, at: datetime) -> None: ...

    def keep_marks(self, marks: Mapping[str, str], at: datetime) -> None: ...

    def kept_marks(self) -> Mapping[str, str]: ...

    def kept_votes(self, url: str, reader: str) -> Mapping[int, BlockRead]: ...

    def keep_votes(self, url: str, reader: str, version: str, blocks: Mapping[int, BlockRead]) -> None: ...

    def keep_answer(self, url: str, day: int, words: str, at: datetime) -> None: ...

    def answers(self, url: str) -> Mapping[int, str]: ...

    def bookmark(self, url: str) -> Bookmark | None: ...

    def pages_seen(self, url: str) -> tuple[PageSeen, ...]: ...

    def kept_page(self, url: str, page: str) -> Response | None: ...

    def page_as_seen(self, url: str, number: int) -> Response | None: ...

    def pages_to_hand_over(self) -> Iterator[dict[str, Any]]: ...

    def has_copy(self, digest: str, at: datetime) -> bool: ...

    def sightings(self) -> Iterator[tuple[str, str]]: ...

    def note_sightings(self, url: str, words: str, at: datetime) -> None: ...

    def was_refused(self, url: str, copy: str, at: datetime) -> bool: ...

    def threads(self) -> tuple[str, ...]: ...

    def title(self, url: str) -> str | None: ...

    def platform(self, url: str) -> str | None: ...

    def thread(self, url: str) -> Thread | None: ...

    def thread_mark(self, url: str) -> tuple[object, ...]: ...

    def posts_then(self, url: str, at: datetime) -> tuple[Post, ...]: ...

    def versions(self, url: str, number: int | None = None) -> tuple[PostVersion, ...]: ...

    def changes(self, url: str, number: int | None = None) -> tuple[PostChange, ...]: ...

    def close(self) -> None: ...


class Ledger(Protocol):
    """The journal of a game."""

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record: ...

    def extend(self, records: Journal, expected: int) -> None: ...

    def records(self, known: Journal = ()) -> Journal: ...

    def close(self) -> None: ...


class Nicknames(Protocol):
    """The book of nicknames, in the moderator's own folder."""

    told: bool

    def teachings(self) -> tuple[Teaching, ...]: ...

    def change(self, change: Callable[[tuple[Teaching, ...]], tuple[Teaching, ...]]) -> None: ...


@dataclass(frozen=True, slots=True)
class Session:
    """What a service stands on: the clock, the network, the game and where it is kept.

    `store` opens the evidence for a thread's canonical address, `ledger` the journal of a game (None:
    there is no game folder). `author` signs what is written there, `seen` marks how far it was read.
    `game` is the game as it was named: its folder, its game.toml or its database (None: a thread alone).
    `progress` is told of every page of a long read (None: nobody looks), `report` of every step of a long
    service. `past`: the journal is that of an earlier moment, in which there may be nothing yet. `turn`
    is held by who writes in the game, from the first look to the last text: it waits for other programs.
    Never hold it while the network or the moderator is awaited. `nicknames` is the moderator's book,
    `logins` what they lent to forums (None: there is none). `beacon` reads rounds of beacons, without any
    login. `answers` are what was answered about the thread that is counted and is not kept with it. `thread`
    is the game's thread where a program has its posts, and no forum is asked for them. `written` tells when
    journal and files of the game were written last (None: nobody knows, so they are read for every look).
    """

    clock: Clock
    fetch: Fetch
    store: Callable[[str], Store]
    ledger: Callable[[], Ledger] | None = None
    author: str = "moderator"
    seen: Seen = field(default_factory=Seen)
    game: Path | None = None
    progress: Progress | None = None
    report: Callable[[Step], None] = unreported
    past: bool = False
    turn: AbstractContextManager[object] = field(default_factory=nullcontext)
    nicknames: Callable[[], Nicknames] | None = None
    logins: Callable[[], Logins] | None = None
    beacon: Fetch | None = None
    answers: Answers = field(default_factory=Answers)
    thread: Thread | None = None
    written: Callable[[], Stamp | None] = unseen

    @property
    def place(self) -> Path:
        """The game as it was named. Raises InputError for a session of a thread alone."""
        if self.game is None:
            raise InputError(NO_GAME)
        return self.game

    @property
    def folder(self) -> Path:
        """The folder of the game. Raises InputError for a session of a thread alone."""
        return game_folder(self.place)

    @property
    def file(self) -> Path:
        """The game file, whether it is there or not. Raises InputError for a session of a thread alone."""
        return self.place if self.place.suffix == ".toml" else self.folder / GAME_FILE


Progress = Callable[[int, int], None]
"""Is told after each page: page number, pages of the thread as far as known."""


Say = Callable[[str], None]


def user_folder(environment: Mapping[str, str]) -> Path:
    """Where lies what belongs to no game; KNIGHTFALL_HOME overrides where."""
    if environment.get(HOME):
        return Path(environment[HOME])
    from platformdirs import user_data_path

    return user_data_path("knightfall")


def evidence_file(thread: str, environment: Mapping[str, str]) -> Path:
    """The database of a thread that belongs to no game folder."""
    return user_folder(environment) / "threads" / f"{sha256(thread.encode()).hexdigest()[:16]}.db"


def game_database(game: Path) -> Path:
    """The database of a game: of its folder, or beside its game.toml, or named itself."""
    if game.suffix == ".toml":
        return game.parent / "game.db"
    return game if game.suffix == ".db" else game / "game.db"


def game_files(game: Path) -> tuple[Path, ...]:
    """What a game follows from: its database, what is on its way into that, its file and the secret deal."""
    database, folder = game_database(game), game_folder(game)
    file = game if game.suffix == ".toml" else folder / GAME_FILE
    return (database, database.with_name(f"{database.name}-wal"), file, folder / DEAL_FILE)


def game_folder(game: Path) -> Path:
    """The folder of a game that is named by folder, game.toml or database."""
    return game_database(game).parent


Again: TypeAlias = "Callable[[Journal], bool]"
"""Whether an entry that was worked out before means the same behind this journal."""


def journal_of(session: Session, *, even_lost: bool = False) -> Journal:
    """All that was written in the game's journal; nothing where there is no game.

    Raises StateDamaged where a game was played in the folder and its journal is gone, unless `even_lost`.
    """
    if session.ledger is None:
        return ()
    seen, stamp = session.seen, session.written()
    if stamp is None or stamp != seen.stamp:
        with closing(session.ledger()) as ledger:
            seen.journal = ledger.records(seen.journal)
        seen.stamp = stamp if stamp is not None and _shows_writes(stamp) else None
    journal = seen.journal
    seen.read(journal)
    if not journal and not even_lost and not session.past and session.game is not None:
        refuse_lost(session.place)
    return journal


DEAL_FILE = "private/deal.json"
_OF_AN_ENTRY = re.compile(r"[0-9]{3,}-.+\.txt")
"""A text that an entry of the journal led to; it is written after the entry."""


def refuse_lost(game: Path) -> None:
    """Raise StateDamaged for an empty journal where a game was dealt and its texts lie in the folder.

    A deal without texts was cut off before the game began: it can go on.
    """
    file = game_database(game)
    if not (file.parent / DEAL_FILE).exists():
        return
    texts = [text.name for half in ("public", "private") for text in (file.parent / half).glob("*.txt")]
    if any(map(_OF_AN_ENTRY.fullmatch, texts)):
        raise StateDamaged(
            sentence(
                "The journal of this game is lost: there are {deal_file} and posts of the game in {folder}, "
                "but {file} is missing or empty. Restore {file} from a backup, or from your last export: "
                "{restore}. If you have neither, move the numbered texts out of public/ and private/, then "
                "deal again, which starts the game with the same cards: {deal}",
                deal_file=DEAL_FILE,
                folder=file.parent,
                file=file.name,
                restore=Way("import_journal"),
                deal=Way("deal"),
            )
        )


P = ParamSpec("P")
T = TypeVar("T")


def in_turn(service: Callable[P, T]) -> Callable[P, T]:
    """The service of a session, which holds the turn to write in its game from beginning to end.

    Raises InputError where another program has been writing for too long.
    """

    @wraps(service)
    def alone(*args: P.args, **kwargs: P.kwargs) -> T:
        session = next(one for one in (*args, *kwargs.values()) if isinstance(one, Session))
        with session.turn:
            return service(*args, **kwargs)

    return alone


def entered(
    entry: Entry,
    session: Session,
    otherwise: str = NO_GAME,
    at: datetime | None = None,
    again: Again | None = None,
    anew: bool = False,
) -> Record:
    """Writes an entry, now or as of `at`. Raises InputError, saying `otherwise`, where there is no game,
    SaidAlready where it stands in the journal and is not said `anew` on purpose, and Overtaken where it rests
    on what somebody changed since: by what `again` finds, else by the kinds of what was written."""
    if session.ledger is None:
        raise InputError(otherwise)
    with session.turn, closing(session.ledger()) as ledger:
        now, journal = at or session.clock.now(), ledger.records(session.seen.journal)
        if session.seen.number is None:
            session.seen.read(journal)
        if not anew:
            refuse_repeated(entry, now, journal)
        return _behind(entry, now, ledger, session, again)


def entered_once(entry: Entry, session: Session, otherwise: str = NO_GAME) -> Record:
    """The same for what goes along with something else: the record that says so already, if any."""
    from knightfall.engine.repeats import repeated

    before = repeated(entry, session.clock.now(), journal_of(session)) if session.ledger else None
    return before or entered(entry, session, otherwise)


def refuse_repeated(entry: Entry, at: datetime, journal: Journal) -> None:
    """Raise SaidAlready where the journal says that already: who repeats a command that was cut off learns
    that it was kept."""
    from knightfall.engine.entries import Submitted
    from knightfall.engine.repeats import repeated
    from knightfall.writeups.journal import entry_line

    before = repeated(entry, at, journal)
    if before is not None:
        said = "That is entry {number} already: {line}."
        said += " If it was sent once more, say when: {at}" if isinstance(entry, Submitted) else ""
        raise SaidAlready(
            sentence(
                said,
                number=before.number,
                line=entry_line(before.entry, before.at),
                at=Way("field", name="at", value="TIME"),
            )
        )


def _behind(entry: Entry, at: datetime, ledger: Ledger, session: Session, again: Again | None) -> Record:
    """Behind all that the moderator knows of, as soon as that is all there is."""
    while True:
        try:
            record = ledger.append(entry, at, session.author, session.seen.number)
        except Overtaken:
            _catch_up(entry, ledger.records(), session.seen, again)
        else:
            _tell_of_clock(record, session.seen)
            session.seen.wrote(record)
            return record


def _catch_up(entry: Entry, journal: Journal, seen: Seen, again: Again | None) -> None:
    """Tells what came in between. Raises Overtaken where the entry must not be written behind it."""
    from knightfall.engine.entries import bears_on
    from knightfall.writeups.journal import entry_line

    since = journal[seen.number or 0 :]
    seen.catch_up(journal)
    for record in since:
        seen.tell(f"Meanwhile: {record.number} {record.author}: {entry_line(record.entry, record.at)}")
    stands = again(journal) if again else not any(bears_on(record.entry, entry) for record in since)
    if not stands:
        raise Overtaken(
            sentence(
                "Nothing was written: “{line}” was prepared before entry {number} was added, and may be "
                "wrong now. Look at what was added, then try again: {log}",
                line=entry_line(entry),
                number=journal[-1].number if journal else 0,
                log=Way("log"),
            )
        )


def _tell_of_clock(record: Record, seen: Seen) -> None:
    """A clock that was set back is told of at the first entry that comes out earlier than the one before."""
    if seen.at is not None and record.at < seen.at:
        seen.tell(
            f"The clock of this machine says {record.at:%Y-%m-%d %H:%M:%S %Z}, which is before "
            f"entry {record.number - 1} ({seen.at:%Y-%m-%d %H:%M:%S %Z}). The new entry was "
            "written anyway. Deadlines depend on the clock, so set it right."
        )


def why_unread(error: OSError | UnicodeError) -> str:
    """Why a file that was named cannot be read, and what to look at where it is not there."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file; check its name, and the folder that you are in"
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"


def read_text(path: Path) -> str:
    """A text file written by hand. Raises SetupError where it cannot be read."""
    try:
        return read_file_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: the file cannot be read ({why_unread(error)}).") from error


def parse_at(text: str | None, zone: ZoneInfo | None, now: datetime) -> Ask:
    """A post number, with or without #, or a time before now; None is the latest post. Raises TimeError as
    `parse_instant` does."""
    if text is None:
        return Ask()
    number = text.removeprefix("#")
    if number.isascii() and number.isdigit():
        return Ask(at_post=int(number))
    return Ask(at_time=parse_instant(text, now, zone, Way("field", name="at"), Side.BEHIND))
