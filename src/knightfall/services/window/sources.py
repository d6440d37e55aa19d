"""Messages that wait somewhere: private threads, saved PMs, answers of a form."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.config.instants import Times, parse_column
from knightfall.config.setup import Setup, ThreadSetup
from knightfall.engine.commands import NameMatch
from knightfall.engine.entries import Replaced
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import IncompleteRead, InputError, KnightfallError
from knightfall.fetch.clock import Fetch
from knightfall.forums import html_style_of
from knightfall.forums.base import Request, Response
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Nodes
from knightfall.models import Thread
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId, Way, joined, sentence
from knightfall.services.requests import MailRequest
from knightfall.services.running import RunningGame, holders, names_of, replaced_names
from knightfall.services.session import Session
from knightfall.services.threads import Kept, Link, gather
from knightfall.votes.ballots import Region
from knightfall.votes.lines import TAG_MARK, Line, lines_of

_DELIMITERS = ",;\t"
_NARROW = "cp1252"
"""What older boards and spreadsheets save in where it is not UTF-8."""


@dataclass(frozen=True, slots=True)
class Row:
    """`line` is where it begins in the file, from 1; `digest` is that of its cells and, where the same cells
    come again, of which time that is."""

    line: int
    cells: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file read: its name, the words of its first row, its other rows without empty ones."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, name: str) -> int:
        """The place of a column. Raises InputError, saying what there is."""
        heads = [head.casefold() for head in self.heads]
        if name.strip().casefold() not in heads:
            raise InputError(f"{self.name}: there is no column “{name}”. There are {self.told}.")
        return heads.index(name.strip().casefold())

    @property
    def told(self) -> str:
        """The columns in words."""
        return ", ".join(f"“{head}”" for head in self.heads)

    def values(self, place: int) -> tuple[str, ...]:
        """The cells of a column."""
        return tuple(row.cells[place] for row in self.rows)


def read_sheet(path: Path) -> Sheet:
    """Reads a file. Raises InputError where there is none, and where it is no CSV."""
    text = _text(path)
    if text.lstrip().startswith("<"):
        raise InputError(f"{path}: this looks like XML or HTML. Save it as CSV and use that file.")
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        return _sheet(path.name, text, delimiter)
    except csv.Error as error:
        raise InputError(f"{path}: this is not valid CSV: {error}.") from None


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_NARROW, "replace")


def _sheet(name: str, text: str, delimiter: str) -> Sheet:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    begins = 1
    for cells in reader:
        lines.append((begins, cells))
        begins = reader.line_num + 1
    if not lines:
        raise InputError(f"{name}: the file is empty.")
    heads = tuple(head.strip() for head in lines[0][1])
    return Sheet(name, heads, _rows(len(heads), lines[1:]))


def _rows(width: int, lines: Sequence[tuple[int, list[str]]]) -> tuple[Row, ...]:
    seen: Counter[str] = Counter()
    rows = []
    for line, cells in lines:
        if any(cell.strip() for cell in cells):
            rows.append(_row(line, [*cells, *[""] * width][: max(width, len(cells))], seen))
    return tuple(rows)


def _row(line: int, cells: Sequence[str], seen: Counter[str]) -> Row:
    said = "\0".join(cells)
    seen[said] += 1
    return Row(line, tuple(cells), sha256(f"{said}\0{seen[said]}".encode()).hexdigest()[:20])


FORM = "form:"
"""How the reference of an answer to a form begins."""
PM_COLUMNS = ("Date", "Title", "From", "To", "Message")
# Heads of a form's columns, as moderators word them in English and German.
_TIME = re.compile(r"time|date|zeit|datum|when", re.I)
_NAME = re.compile(r"\bname|player|who\b|user|account", re.I)
_TEXT = re.compile(r"action|order|message|submission|vote|move|plan|what", re.I)


@dataclass(frozen=True, slots=True, repr=False)
class Mail(JsonAnswer):
    """One post, PM or row. `where` names it for the moderator, `ref` for ever: what has the same `ref` is the
    same message. `at` is when it was sent (None: not known); `question` says why nobody can be meant by its
    sender, and then `slot` is None; or that its sender has `left` (their name)."""

    ref: str
    where: str
    slot: SlotId | None
    text: str
    at: datetime | None = None
    question: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a source holds. `notes` are to be told; `passed` is what it holds for nobody, `troubles` what of
    it could not be read."""

    mails: tuple[Mail, ...]
    notes: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    troubles: tuple[KnightfallError, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Senders:
    """The slots of a game, all other names that lead to them, and who moderates (in lower case)."""

    slots: tuple[SlotId, ...]
    aliases: Mapping[str, SlotId] = field(default_factory=dict)
    moderators: frozenset[str] = frozenset()
    left: Mapping[str, tuple[datetime, str]] = field(default_factory=dict)
    """Who has left, in lower case: since when, and who holds their slot now."""

    def account(self, name: str) -> NameMatch:
        """Who posts under this name: a beginning of somebody's name is another account."""
        found = match_name(name, self.slots, self.aliases)
        known = (*self.slots, *self.aliases)
        exact = any(name.strip().casefold() == one.casefold() for one in known)
        return found if exact or not isinstance(found, str) else Unknown(name)

    def typed(self, name: str) -> NameMatch:
        """Who is meant by a name that somebody typed."""
        return match_name(name, self.slots, self.aliases)

    def successor(self, name: str, at: datetime | None) -> str:
        """Who holds the slot of somebody who had left when a message was sent (None: not known when); "" for
        who had not."""
        since, now = self.left.get(name.strip().casefold(), (None, ""))
        return now if since is not None and (at is None or at >= since) else ""

    def moderates(self, name: str) -> bool:
        """Whether the account is a moderator's."""
        return name.strip().casefold() in self.moderators


def senders_of(table: RunningGame, setup: Setup) -> Senders:
    """Who can send, by the journal and by the aliases and holders of the game file."""
    slots, aliases = names_of(table)
    filed: dict[str, SlotId] = {}
    for one in setup.roster.slots if setup.roster else ():
        slot = next((SlotId(name) for name in one.names if name in slots), None)
        slot = slot or next((aliases[name] for name in one.names if name in aliases), None)
        if slot is not None:
            filed |= {name: slot for name in (*one.names, *one.aliases) if name not in slots}
    filed |= {other: SlotId(name) for name, other in setup.aliases if name in slots}
    moderators = frozenset(name.casefold() for name in setup.moderators)
    return Senders(slots, {**filed, **aliases}, moderators, dict(_left(table)))


def _left(table: RunningGame) -> Iterator[tuple[str, tuple[datetime, str]]]:
    """Everybody who has left, in lower case, with when somebody took over, and who holds their slot now."""
    held = holders(table.journal)
    by_number = {record.number: record for record in table.journal}
    for number, (old, _) in replaced_names(table.journal).items():
        record = by_number[number]
        if isinstance(record.entry, Replaced) and old != (now := held[record.entry.slot]):
            yield old.casefold(), (record.at, now)


def sender_question(match: Ambiguous | Unknown, where: str) -> str:
    """The question to the moderator: who is that, and what can he do?"""
    if isinstance(match, Ambiguous):
        return sentence(
            "{where}: “{written}” could be {slots}. Decide: {submit}, or {alias} and read again.",
            where=where,
            written=match.written,
            slots=joined(" or ", match.slots),
            submit=Way("submit"),
            alias=Way("add_alias", alias=match.written),
        )
    return sentence(
        "{where}: no player is called “{written}”. If it is a player: {alias}, and read again. If it is a "
        "moderator: {file}.",
        where=where,
        written=match.written,
        alias=Way("add_alias", alias=match.written),
        file=Way("file_line", table="[game]", line=f'moderators = ["{match.written}"]'),
    )


def _mail(
    ref: str, where: str, name: str, slot: NameMatch, text: str, at: datetime | None, senders: Senders
) -> Mail:
    """A message of that slot, or with the question who its sender is, or whether they still play."""
    if not isinstance(slot, str):
        return Mail(ref, where, None, text, at, sender_question(slot, where))
    now = senders.successor(name, at)
    if not now:
        return Mail(ref, where, slot, text, at)
    question = sentence(
        "{where}: {name} has left the game, and {now} plays in their place. If the message was meant for the "
        "slot: {submit}. Otherwise leave it out, and read again: {leave}",
        where=where,
        name=name,
        now=now,
        submit=Way("submit", slot=now),
        leave=Way("field", name="leave_out", value="…"),
    )
    return Mail(ref, where, slot, text, at, question, name)


def words_of_html(body: str, html_style: HtmlStyle) -> str:
    """The author's own lines of a post's body; quotes, spoilers, struck text, code and signature are gone."""
    return _words(parse_html(body, html_style))


def words_of_bbcode(text: str) -> str:
    """The author's own lines of a text with tags, as it is typed on a forum."""
    return _words(parse_bbcode(text))


def _words(nodes: Nodes) -> str:
    lines = (_tagged(line).strip() for line in lines_of(nodes) if line.region is Region.LIVE)
    return "\n".join(line for line in lines if line)


def _tagged(line: Line) -> str:
    """The line with its vote tags in words: “VOTE: Ada”."""
    parts = line.text.split(TAG_MARK)
    tags = [f"{tag.tag.name}: {tag.text}" for tag in line.tags]
    return "".join(word for pair in zip(parts, [*tags, ""], strict=False) for word in pair)


def from_threads(setup: Setup, senders: Senders, request: MailRequest, session: Session) -> Delivery:
    """The posts of all private threads. A thread that cannot be read whole is a trouble, and the others are
    read all the same. Raises InputError where the game file names no private thread."""
    rooms = [thread for thread in setup.threads if thread.role == "private"]
    if not rooms:
        raise InputError(
            sentence(
                "The game has no private thread. To add one with its members: {file}.",
                file=Way(
                    "file_line",
                    table="[[thread]]",
                    line='role = "private"  url = "https://…"  members = ["Ada"]',
                ),
            )
        )
    discreet = replace(session, fetch=_Discreet(session.fetch))
    found = [_delivered(room, senders, request, discreet) for room in rooms]
    return Delivery(
        tuple(mail for one in found for mail in one.mails),
        tuple(note for one in found for note in one.notes),
        tuple(line for one in found for line in one.passed),
        tuple(trouble for one in found for trouble in one.troubles),
    )


@dataclass(frozen=True, slots=True)
class _Discreet:
    """Marks every page as private, logged in or not: it is not for everybody."""

    fetch: Fetch

    def get(self, request: Request) -> Response:
        return replace(self.fetch.get(request), private=True)

    def follow(self, request: Request) -> Response:
        return replace(self.fetch.follow(request), private=True)


def _delivered(room: ThreadSetup, senders: Senders, request: MailRequest, session: Session) -> Delivery:
    try:
        thread = gather(Kept(room.url) if request.stored else Link(room.url, request.again), session)
        if not thread.complete:
            raise IncompleteRead(f"{room.url}: {' '.join(thread.missing)} Nothing was taken from it.")
        return _posts(thread, senders, _members(room, senders))
    except KnightfallError as error:
        return Delivery((), troubles=(error,))


def _members(room: ThreadSetup, senders: Senders) -> frozenset[SlotId]:
    """Raises InputError where nobody is named, or somebody who does not play."""
    found = [(name, senders.typed(name)) for name in room.members]
    if odd := [name for name, match in found if not isinstance(match, str)]:
        raise InputError(f"{room.url}: members: no player is called “{odd[0]}”. Nothing was taken from it.")
    if not found:
        raise InputError(
            sentence(
                "{url}: this private thread has no members. To name them: {file}.",
                url=room.url,
                file=Way("file_line", table="its [[thread]]", line='members = ["Ada"]'),
            )
        )
    return frozenset(match for _, match in found if isinstance(match, str))


def _posts(thread: Thread, senders: Senders, members: frozenset[SlotId]) -> Delivery:
    """The posts of the members; where the file names no moderator, the first post is a moderator's."""
    moderators = senders.moderators or {thread.posts[0].author.casefold()}
    mails, passed = list[Mail](), list[str]()
    for post in thread.posts:
        if post.hidden or post.author.casefold() in moderators:
            continue
        where = f"“{thread.title}” #{post.number}{f' ({post.url})' if post.url else ''}"
        slot = senders.account(post.author)
        if isinstance(slot, str) and slot not in members:
            passed.append(f"{where}: {post.author} is not a member of this thread, so this post was skipped.")
            continue
        text = words_of_html(post.body, html_style_of(thread.platform))
        ref = f"{thread.url}#{post.id}"
        mails.append(_mail(ref, where, post.author, slot, text, post.time, senders))
    return Delivery(tuple(mails), passed=tuple(passed))


def from_pms(
    path: Path, senders: Senders, zone: ZoneInfo | None, order: str | None, now: datetime
) -> Delivery:
    """The PMs that players sent; what a moderator sent is passed over. Raises InputError for another file.

    A vBulletin board saves them as CSV; a message is text with tags, over many lines.
    """
    sheet = read_sheet(path)
    if not {head.casefold() for head in sheet.heads}.issuperset(name.casefold() for name in PM_COLUMNS):
        raise InputError(
            sentence(
                "{file}: a saved PM export has the columns {columns}. This file has {found}. For other "
                "tables: {form}",
                file=sheet.name,
                columns=", ".join(PM_COLUMNS),
                found=sheet.told,
                form=Way("field", name="from_form", value="FILE"),
            )
        )
    times = parse_column(sheet.values(sheet.column("Date")), zone, order, now)
    sender, title, message = (sheet.column(one) for one in ("From", "Title", "Message"))
    mails = list[Mail]()
    for row, at in zip(sheet.rows, times.instants, strict=True):
        name = row.cells[sender]
        if not senders.moderates(name):
            where = f"{sheet.name}:{row.line} “{row.cells[title]}”"
            text = words_of_bbcode(row.cells[message])
            mails.append(_mail(f"{PM}{row.digest}", where, name, senders.account(name), text, at, senders))
    own = len(sheet.rows) - len(mails)
    return Delivery(tuple(mails), times.notes, (f"{sheet.name}: {own} of a moderator's own.",) if own else ())


PM = "pm:"
"""How the reference of a PM begins."""
_ASSUMED = "The page tells no zone of its times: they are read as of {zone}, the zone of the game."


def from_pages(paths: Sequence[Path], senders: Senders, zone: ZoneInfo | None, now: datetime) -> Delivery:
    """The PMs on pages that the moderator saved or copied in their browser; what a moderator sent is passed
    over. `zone` is that of the game, in which times are read where a page tells none, which is noted.

    Raises InputError for a file that shows no PMs, and what reading a page raises.
    """
    from knightfall.fetch.saved import saved_messages

    mails, notes, own = list[Mail](), dict[str, None](), 0
    for path in paths:
        # “Today” is of the day on which it was saved.
        saved = min(now, datetime.fromtimestamp(path.stat().st_mtime, UTC)) if path.exists() else now
        pages = saved_messages(path, saved)
        if zone is not None and any(one.sent is None for page in pages for one in page.messages):
            pages = saved_messages(path, saved, str(zone))
            notes[_ASSUMED.format(zone=zone)] = None
        for page in pages:
            for one in page.messages:
                if senders.moderates(one.sender):
                    own += 1
                    continue
                where = f"PM of {one.sender}" + (f" “{page.subject}”" if page.subject else "")
                text = words_of_html(one.body, html_style_of(page.platform))
                said = one.ref or f"{one.sent}\0{text}"
                # A copy does not tell its host: by its id and its sender it is known on whichever board.
                told = f"{page.platform.rstrip('0123456789')}\0{one.sender.casefold()}\0{said}"
                ref = f"{PM}{sha256(told.encode()).hexdigest()[:20]}"
                slot = senders.account(one.sender)
                mails.append(_mail(ref, where, one.sender, slot, text, one.sent, senders))
    passed = (f"{own} of a moderator's own.",) if own else ()
    return Delivery(tuple({mail.ref: mail for mail in mails}.values()), tuple(notes), passed)


def from_form(
    path: Path, senders: Senders, zone: ZoneInfo | None, request: MailRequest, now: datetime
) -> Delivery:
    """The rows of a form's answers as messages, one row a message.

    Which column is the time, the name and the action is guessed from their heads and from who plays, and
    said. Raises InputError where that is not clear.
    """
    sheet = read_sheet(path)
    # Which column is which? One that is the name or the action tells no time.
    places = range(len(sheet.heads))
    time = next((place for place in places if _TIME.search(sheet.heads[place])), None)
    free = [place for place in places if place != time]
    name = sheet.column(request.name_column) if request.name_column else _guessed_name(sheet, senders, free)
    rest = [place for place in free if place != name]
    text = tuple(map(sheet.column, request.text_column)) or (_guessed_text(sheet, rest),)
    time = None if time in (name, *text) else time
    heads = [f"“{head}”" for head in sheet.heads]
    columns = f"name {heads[name]}, action {' + '.join(heads[place] for place in text)}"
    note = f"{sheet.name}: {'no time' if time is None else f'time {heads[time]}'}, {columns}."
    times = Times((None,) * len(sheet.rows))
    if time is not None:
        times = parse_column(sheet.values(time), zone, request.dates, now)
    mails = list[Mail]()
    for row, at in zip(sheet.rows, times.instants, strict=True):
        said = words_of_bbcode(" ".join(row.cells[place].strip() for place in text))
        typed = row.cells[name].strip()
        ref, where = f"{FORM}{row.digest}", f"{sheet.name}:{row.line}"
        mails.append(_mail(ref, where, typed, senders.typed(typed), said, at, senders))
    return Delivery(tuple(mails), (note, *times.notes))


def _guessed_name(sheet: Sheet, senders: Senders, free: Sequence[int]) -> int:
    """The column that names most players; none does: the one that is called so."""
    hits = {place: _players(sheet.values(place), senders) for place in free}
    best = [place for place in free if hits[place] and hits[place] == max(hits.values())]
    called = [place for place in best or free if _NAME.search(sheet.heads[place])]
    found = called if len(best) != 1 else best
    if len(found) != 1:
        raise InputError(
            sentence(
                "{file}: which column has the names of the players? Say {column}. There are {found}.",
                file=sheet.name,
                column=Way("field", name="name_column"),
                found=sheet.told,
            )
        )
    return found[0]


def _players(names: Sequence[str], senders: Senders) -> int:
    return sum(isinstance(senders.account(name), str) for name in names if name.strip())


def _guessed_text(sheet: Sheet, left: Sequence[int]) -> int:
    called = [place for place in left if _TEXT.search(sheet.heads[place])]
    found = left if len(left) == 1 else called
    if len(found) != 1:
        raise InputError(
            sentence(
                "{file}: which column has the action? Say {column}, more than once if it is in several. "
                "There are {found}.",
                file=sheet.name,
                column=Way("field", name="text_column"),
                found=sheet.told,
            )
        )
    return found[0]
