"""The journal of a game: decisions written and taken back, the log, and copies to keep or to bring in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knightfall.config.calendar import day_of
from knightfall.config.decided import TO
from knightfall.config.files import read_file
from knightfall.engine.commands import NO_ELIMINATION
from knightfall.engine.entries import (
    Aliased,
    Closed,
    Committed,
    Entry,
    Extended,
    Fixed,
    Locked,
    Opened,
    Published,
    Removed,
    Replaced,
    Revived,
    Rounded,
    Ruled,
    Started,
    Undone,
    Worded,
    decode,
    encode,
)
from knightfall.engine.journal import Journal, Record, standing, undone_numbers, verify
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import DecisionNeeded, InputError, SecretGuard, StateDamaged
from knightfall.names import bears, slot_named
from knightfall.sentence import SlotId, Way, joined, sentence
from knightfall.services.guard import hidden_in, passed
from knightfall.services.hand_marks import TakeOver, taken_over
from knightfall.services.now import now_of, zone_of
from knightfall.services.session import NO_GAME, Progress, Session, entered, in_turn, journal_of
from knightfall.services.threads import thread_post
from knightfall.storage.drafts import write_draft
from knightfall.writeups.journal import entry_line, entry_lines
from knightfall.writeups.report import Item, Items, Report

LOG_COLUMN = 6
_INSTANT = "%Y-%m-%d %H:%M:%S %Z"
NOWHERE = sentence("A decision is recorded in a game, so it needs one: {in_game}.", in_game=Way("in_game"))
REASON = Way("field", name="why", value="…")


@dataclass(frozen=True, slots=True)
class Decision:
    """How one post counts; exactly one field is set."""

    to: str | None = None
    no_elimination: bool = False
    ignore: bool = False
    unvote: bool = False
    count: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class LoggedEntry(JsonAnswer):
    """An entry of the journal; `undone` says whether it was taken back later, `said` what it says, with the
    players as they were called then."""

    record: Record
    undone: bool
    said: str


@dataclass(frozen=True, slots=True, repr=False)
class Log(JsonAnswer):
    """All entries of a journal, oldest first, and each time that the game went to another moderator."""

    entries: tuple[LoggedEntry, ...]
    taken_over: tuple[TakeOver, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """{entries: [{number, at, author, entry, fields, undone, digest}], taken_over: [{entry, by, author,
        at}]}."""
        taken = [
            {"entry": one.entry, "by": one.by, "author": one.author, "at": one.at.isoformat()}
            for one in self.taken_over
        ]
        return {
            "taken_over": taken,
            "entries": [
                {
                    "number": one.record.number,
                    "at": one.record.at.isoformat(),
                    "author": one.record.author,
                    **encode(one.record.entry),
                    "undone": one.undone,
                    "digest": one.record.digest,
                }
                for one in self.entries
            ],
        }

    def report(self) -> Report:
        """An entry each: number, instant, who, what and why, by the name of who held the slot then; and who
        took the game over behind it."""
        items = []
        for one in self.entries:
            record = one.record
            said = f"{record.author}: {one.said}{' [undone]' if one.undone else ''}"
            items.append(Item(str(record.number), f"{record.at:{_INSTANT}} {said}"))
            handed = (taken for taken in self.taken_over if taken.entry == record.number)
            items += [Item("", f"{taken.at:{_INSTANT}} {taken.said}") for taken in handed]
        return Report((Items(tuple(items), LOG_COLUMN),)) if items else Report(("Nothing yet.",))


@in_turn
def fix(post: str, decision: Decision, why: str, session: Session) -> Record:
    """Write how a post counts and return the entry.

    Raises InputError for a number of no post, for no or several decisions, and for the name of nobody.
    """
    setup = now_of(session).setup
    named, roster = thread_post(post, setup, session, unread=0), setup.roster
    # The journal's notation: a word, or TO and the slot's name.
    chosen = [word for word in ("ignore", "unvote", "count") if getattr(decision, word)]
    chosen += [NO_ELIMINATION] * decision.no_elimination
    if decision.to is not None:
        chosen.append(TO + slot_named(decision.to, roster))
    if len(chosen) != 1:
        known = (Way("field", name=name) for name in ("no_elimination", "ignore", "count", "unvote"))
        raise InputError(
            sentence(
                "Found {number} decisions, expected exactly one of {known}.",
                number=len(chosen),
                known=joined(", ", (Way("field", name="to", value="NAME"), *known)),
            )
        )
    return decide(Fixed(str(named.number), chosen[0], reason_of(why), named.mark), session)


@in_turn
def alias(name: str, other: str, why: str, session: Session) -> Record:
    """Teach another name of a slot. Raises InputError where it is a name of somebody else."""
    roster = now_of(session).setup.roster
    slot = slot_named(name, roster)
    taken = next((one.name for one in roster.slots if bears(one, other)), None) if roster else None
    if taken is not None:
        raise InputError(f"“{other}” is already a name of {taken}. An alias can belong to one player only.")
    return decide(Aliased(SlotId(slot), other.strip(), reason_of(why)), session)


@in_turn
def rule(question: str, answer: str, why: str, session: Session, tell: bool = False) -> Record:
    """Keep how the moderator decided a question of the rules; `tell`: the reason is published with it when
    the game is over. Raises InputError where one is empty."""
    for name, text in (("question", question), ("answer", answer)):
        if not text.strip():
            raise InputError(sentence("A ruling needs its {name}: {rule}.", name=name, rule=Way("rule")))
    return decide(Ruled(question.strip(), answer.strip(), reason_of(why), told=tell), session)


def log(session: Session) -> Log:
    """All that was decided and put into the game, by whom and when."""
    journal = journal_of(session)
    gone = undone_numbers(journal)
    said = entry_lines(((record, record.number not in gone) for record in journal), zone_of(session))
    pairs = zip(journal, said, strict=True)
    entries = tuple(LoggedEntry(record, record.number in gone, line) for record, line in pairs)
    return Log(entries, taken_over(session))


def day_closed_around(number: int, session: Session) -> Record | None:
    """The closing of the day whose count a decision on a post, or an undo of one, may change: the first after
    it, else the last before it where no day was opened since; None: the day is still open.

    `number` is the entry of the decision.
    """
    found: Record | None = None
    for record in standing(journal_of(session)):
        match record.entry:
            case Opened(window=window) if window.startswith("day-") and record.number < number:
                found = None
            case Closed(window=window) if window.startswith("day-"):
                found = record
                if record.number > number:
                    break
    return found


def decide(entry: Entry, session: Session) -> Record:
    """Write a decision. Raises InputError where there is no game to keep it with, SaidAlready where it is the
    latest one on its subject."""
    return entered(entry, session, NOWHERE)


def reason_of(why: str) -> str:
    """The reason of a decision. Raises InputError where there is none."""
    if not why.strip():
        raise InputError(sentence("Give a reason for the decision: {why}. It stays in the log.", why=REASON))
    return why.strip()


_ALL = ("number", "at", "author", "entry", "fields", "before", "digest")


def line_of(record: Record) -> str:
    """{number, at, author, entry, fields, before, digest}, without the end of the line."""
    place = {"number": record.number, "at": record.at.isoformat(), "author": record.author}
    chain = {"before": record.before, "digest": record.digest}
    return json.dumps(place | encode(record.entry) | chain, ensure_ascii=False)


def parse_line(text: str) -> Record:
    """Back from the line. Raises ValueError where it is no JSON, StateDamaged where it is no record or is
    not letter for letter what was written."""
    text.encode()  # a byte that is no UTF-8 came in as a surrogate
    found = json.loads(text)
    if not isinstance(found, dict) or set(found) != set(_ALL):
        raise StateDamaged(f"it is not a journal record, which has {', '.join(_ALL)}")
    try:
        at = datetime.fromisoformat(found["at"])
        record = Record(found["number"], at, found["author"], decode(found), found["before"], found["digest"])
    except (TypeError, ValueError, AttributeError) as error:
        raise StateDamaged(f"it cannot be read ({error})") from None
    if line_of(record) != text:
        raise StateDamaged("it was changed after it was exported")
    return record


@dataclass(frozen=True, slots=True)
class PublicLine:
    """A record as everybody may read it: its number, its line, and the words of the line alone."""

    number: int
    line: str
    words: str


def public_lines(journal: Journal) -> Iterator[PublicLine]:
    """The records that everybody may read: {number, at, entry, fields, sha256} each, the last over the rest.
    Names of accounts, reasons, and options of the deal stay here."""
    shown: set[int] = set()
    for record in journal:
        entry = record.entry
        names = _PUBLIC.get(type(entry))
        if names is None or (isinstance(entry, Undone) and entry.entry not in shown):
            continue
        shown.add(record.number)
        all_fields = encode(entry)["fields"]
        fields = {name: all_fields[name] for name in names(entry) if name in all_fields}
        kind = type(entry).__name__.lower()
        said = {"number": record.number, "at": record.at.isoformat(), "entry": kind, "fields": fields}
        hashed = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest = sha256(hashed.encode("utf-8", "surrogatepass")).hexdigest()
        yield PublicLine(
            record.number,
            json.dumps(said | {"sha256": digest}, ensure_ascii=False),
            "\n".join(str(value) for value in fields.values() if value is not None),
        )


def _closing(entry: Any) -> tuple[str, ...]:
    """How a day ended was voted on by all; how another phase did may be a secret."""
    return ("window", "outcome", "orders", "evidence") if day_of(entry.window) is not None else ("window",)


_PUBLIC: Mapping[type[Entry], Callable[[Any], tuple[str, ...]]] = MappingProxyType(
    {
        Started: lambda _: ("game", "slots"),
        Opened: lambda _: ("window", "post", "until"),
        Locked: lambda _: ("window", "post"),
        Extended: lambda _: ("window", "until"),
        Closed: _closing,
        Replaced: lambda _: ("slot", "name", "post"),
        Removed: lambda _: ("slot", "how", "post"),
        Revived: lambda _: ("slot", "post"),
        Aliased: lambda _: ("slot", "alias"),
        Fixed: lambda _: ("post", "reads"),
        Published: lambda _: ("kind", "number", "sha256", "text", "upto"),
        Committed: lambda _: ("commitment", "terms", "replaces"),
        Worded: lambda _: ("slot", "word"),
        Rounded: lambda _: ("round", "value"),
        Undone: lambda _: ("entry",),
    }
)
"""The kinds that may go out, each with its fields. A kind that is not here stays."""


@dataclass(frozen=True, slots=True)
class ImportedRecords:
    """What is in a file; `torn` is the number of a last line that is cut off and was left out."""

    journal: Journal
    torn: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class JournalImport(JsonAnswer):
    """What became of a file of records.

    `known` entries were here already, `fresh` ones were written behind them; `ahead`: by so many this journal
    is longer than the file. `torn` is the number of a line that was left out. `begun`: a game was started by
    what came in, whose deal is not in the journal.
    """

    file: Path
    known: int
    fresh: int
    ahead: int
    torn: int | None
    begun: bool


@in_turn
def import_journal(file: Path, drop_torn: bool, session: Session) -> JournalImport:
    """Write what the file has and the journal here has not.

    Raises InputError for a file that cannot be read or ends in half a line, StateDamaged for a record that is
    not as it was exported, DecisionNeeded where the two journals part.
    """
    if session.ledger is None:
        raise InputError(NO_GAME)
    found, here = read_records(file, drop_torn, session.progress), journal_of(session, even_lost=True)
    _refuse_fork(here, found.journal, file)
    fresh = found.journal[len(here) :]
    if fresh:
        ledger = session.ledger()
        try:
            ledger.extend(fresh, len(here))
        finally:
            ledger.close()
    begun = any(isinstance(record.entry, Started) for record in fresh)
    ahead = max(len(here) - len(found.journal), 0)
    return JournalImport(file, len(here), len(fresh), ahead, found.torn, begun)


_AGAIN = "Nothing was imported. Export the journal again, or use an older export."


def read_records(file: Path, drop_torn: bool, progress: Progress | None = None) -> ImportedRecords:
    """The records of a file. Raises as `import_journal` does."""
    try:
        text = read_file(file).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from None
    lines = text.split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()

    records, torn = list[Record](), None
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and not ended and _is_torn(line):
            if not drop_torn:
                raise InputError(
                    sentence(
                        "{file}: line {number}, the last one, is cut off, so nothing was imported. Export it "
                        "again. If this file is all you have, {drop} imports the {before} lines before it.",
                        file=file,
                        number=number,
                        before=number - 1,
                        drop=Way("field", name="drop_torn_line"),
                    )
                )
            torn = number
            break
        try:
            records.append(parse_line(line))
        except (ValueError, StateDamaged) as error:
            said = str(error).rstrip(".")
            raise StateDamaged(f"{file}: record {number} is damaged: {said}. {_AGAIN}") from None
        if progress:
            progress(number, len(lines))
    try:
        verify(tuple(records))
    except StateDamaged as damage:
        said = str(damage).partition(":")[0]
        raise StateDamaged(f"{file}: {said[0].lower()}{said[1:]}. {_AGAIN}") from None
    return ImportedRecords(tuple(records), torn)


def _is_torn(line: str) -> bool:
    """Half a line is no JSON."""
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _refuse_fork(here: Journal, there: Journal, file: Path) -> None:
    for mine, other in zip(here, there, strict=False):
        if mine.digest != other.digest:
            raise DecisionNeeded(
                f"The two journals differ from entry {mine.number} on, so nothing was imported.\n"
                f"  here:      {_side(mine)}, and {len(here) - mine.number} more\n"
                f"  {file.name}: {_side(other)}, and {len(there) - other.number} more\n"
                "The game was written in two places at once. Choose the journal to go on with, "
                "and enter again what only the other one has. To read the other one, import it "
                "into an empty folder and look at its log there."
            )


def _side(record: Record) -> str:
    said = entry_line(record.entry, record.at)
    return f"{record.number} {record.at:%Y-%m-%d %H:%M:%S %Z} {record.author}: {said}"


@dataclass(frozen=True, slots=True, repr=False)
class LeftOut(JsonAnswer):
    """An entry that is not in a public export, and what it would have given away."""

    number: int
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class JournalExport(JsonAnswer):
    """A journal that was written to a file: `written` of its `entries`. A `public` one lacks what is secret;
    `left_out` are entries that would be public, but for a secret that they tell."""

    file: Path
    written: int
    entries: int
    public: bool
    left_out: tuple[LeftOut, ...] = ()


def export_journal(file: Path, session: Session, public: bool = False) -> JournalExport:
    """Write the journal as JSON Lines into a new file that only its owner may read.

    `public` leaves out what is secret, and each line that would give something of it away. Raises InputError
    where there is nothing to export, or the file is there already.
    """
    journal = journal_of(session)
    if not journal:
        raise InputError("The journal is empty, so there is nothing to export.")
    if file.exists():
        raise InputError(f"{file} exists already. Use another name, or move it away first.")
    lines, left_out = list[str](), list[LeftOut]()
    if public:
        hidden = hidden_in(session)
        for one in public_lines(journal):
            try:
                passed(one.words, hidden)
            except SecretGuard as leak:  # what was found, without the guard's first and last sentence
                left_out.append(LeftOut(one.number, " ".join(str(leak).splitlines()[1:-1])))
            else:
                lines.append(one.line)
    else:
        lines = list(map(line_of, journal))
    write_draft(file.parent, ".", file.name, "\n".join(lines))
    return JournalExport(file, len(lines), len(journal), public, tuple(left_out))
