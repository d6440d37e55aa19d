"""The moderator's book of nicknames: learned from their answers about votes, for later games on the site.

Only what stands in the game's thread is learned: what was typed, whom it means, the site, the game's title
and when. An answer that is taken back, or that another one takes the place of, is unlearned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from knightfall.config.calendar import bound_by
from knightfall.config.decided import fix_of
from knightfall.engine.entries import SIGNUP, Aliased, Fixed
from knightfall.engine.journal import Journal, Record, before_entry, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError
from knightfall.models import Slot, Thread
from knightfall.names import squash
from knightfall.sentence import Way, sentence
from knightfall.services import journal as decisions
from knightfall.services.count.day_answers import site_named
from knightfall.services.now import now_of
from knightfall.services.requests import NicknameRequest
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.threads import habits_of, kept_thread
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on
from knightfall.votes.nickname_book import Teaching
from knightfall.votes.nicknames import decided_name, is_written, teachable
from knightfall.writeups.report import Report, Rows

if TYPE_CHECKING:
    from knightfall.config.setup import Setup

LONGEST = 80
"""Letters of a title that are kept."""


# ---- What is learned


@in_turn
def fix(post: str, decision: decisions.Decision, why: str, session: Session) -> Record:
    """Write how a post counts, learn the nickname in it, and return the entry. Raises as `journal.fix`."""
    record = decisions.fix(post, decision, why, session)
    follow_answers(before_entry(journal_of(session), record.number), session)
    return record


@in_turn
def alias(name: str, other: str, why: str, session: Session) -> Record:
    """Teach another name of a slot, learn it where the thread calls them so, and return the entry. Raises as
    `journal.alias`."""
    record = decisions.alias(name, other, why, session)
    follow_answers(before_entry(journal_of(session), record.number), session)
    return record


def follow_answers(before: Journal, session: Session) -> None:
    """Bring the book up to date with the answers of the game's journal, which was `before`: those that are
    new are learned, those that hold no more are unlearned. Where the book cannot be written, that is told."""
    was, now = _answers(before), _answers(journal_of(session))
    new = [record for number, record in now.items() if number not in was]
    gone = [record for number, record in was.items() if number not in now]
    if session.nicknames is None or not (new or gone):
        return
    setup = now_of(session).setup
    unlearned = {(record.at, account) for record in gone for account in _accounts(record, setup)}
    learned = tuple(_learned(new, setup, session))
    if not (learned or unlearned):
        return

    def changed(teachings: tuple[Teaching, ...]) -> tuple[Teaching, ...]:
        kept = (one for one in teachings if (one.at, one.account.casefold()) not in unlearned)
        return tuple(dict.fromkeys((*kept, *learned)))

    try:
        session.nicknames().change(changed)
    except KnightfallError as error:
        session.seen.tell(
            sentence(
                "The decision is kept, but your book of nicknames is as it was: {why}", why=error.message
            )
        )


def _answers(journal: Journal) -> dict[int, Record]:
    """The entries that say whom a name means, and stand, by their numbers; of each post the latest."""
    found: dict[str | int, Record] = {}
    for record in standing(journal):
        match record.entry:
            case Fixed(post=post, reads=reads) if not reads.startswith(SIGNUP):
                bound = bound_by(record)
                found[bound.mark.id if bound else post] = record
            case Aliased():
                found[record.number] = record
    return {record.number: record for record in found.values()}


def _meant(record: Record) -> str | None:
    """The name of the slot that an answer says is meant; None where it names nobody."""
    entry = record.entry
    if isinstance(entry, Fixed):
        return fix_of(entry).to or None
    return str(entry.slot) if isinstance(entry, Aliased) else None


def _accounts(record: Record, setup: Setup) -> set[str]:
    """The accounts, in lower case, that an answer may have been learned for."""
    name = _meant(record)
    slot = setup.roster.slot_of(name) if name and setup.roster else None
    return {one.casefold() for one in (slot.names if slot else (name,)) if one}


def _learned(records: list[Record], setup: Setup, session: Session) -> Iterator[Teaching]:
    """What the answers teach, as far as the thread that was read has it. Of a slot that changed hands nobody
    knows whose nickname it is."""
    site = site_named(setup.url or "")
    answers = [record for record in records if _meant(record)]
    thread = kept_thread(setup, session) if site and answers else None
    if thread is None:
        return
    for record in answers:
        try:
            found = _taught(record, thread, setup)
        except KnightfallError:  # a thread that cannot be counted teaches nothing
            continue
        if found is not None and len(found[1].names) == 1:
            name, slot = found
            title = " ".join((setup.title or thread.title).split())[:LONGEST]
            yield Teaching(site, name, slot.name, title, record.at)


def _taught(record: Record, thread: Thread, setup: Setup) -> tuple[str, Slot] | None:
    """The nickname that an answer teaches, and whose it is; None where there is none in the thread."""
    habits, entry = habits_of(thread), record.entry
    if isinstance(entry, Aliased):
        # It may be the name in a PM that the moderator answers: only the thread is no secret.
        name = teachable(entry.alias)
        if name is None or not is_written(name, thread.posts, habits.html_style):
            return None
        roster = standing_on(thread, habits, setup, Ask())[1].roster
        slot = roster.slot_of(str(entry.slot))
        return (name, slot) if slot else None
    assert isinstance(entry, Fixed)
    post = int(entry.post)
    return decided_name(standing_on(thread, habits, setup, Ask(at_post=post))[1].day_read(), post)


# ---- The book itself


@dataclass(frozen=True, slots=True, repr=False)
class BookEntry(JsonAnswer):
    """A nickname on a site and the account that it means; `taught`, latest first, never empty."""

    site: str
    nickname: str
    account: str
    taught: tuple[Teaching, ...]

    def to_dict(self) -> dict[str, Any]:
        """{site, nickname, account, taught: [{game, date}]}."""
        taught = [{"game": one.game, "date": f"{one.at:%Y-%m-%d}"} for one in self.taught]
        return {"site": self.site, "nickname": self.nickname, "account": self.account, "taught": taught}


@dataclass(frozen=True, slots=True, repr=False)
class NicknameBook(JsonAnswer):
    """The book of a site ("": of all), by nickname; two entries of one nickname are two players."""

    site: str
    entries: tuple[BookEntry, ...]
    forgotten: tuple[BookEntry, ...] = ()
    """What was asked to be forgotten, and is in it no more."""

    def to_dict(self) -> dict[str, Any]:
        """{site (None: all), nicknames: [{site, nickname, account, taught}], forgotten: the same}."""
        return {
            "site": self.site or None,
            "nicknames": [one.to_dict() for one in self.entries],
            "forgotten": [one.to_dict() for one in self.forgotten],
        }

    def report(self) -> Report:
        """A table with a row a nickname."""
        gone = tuple(
            f"Forgotten: “{one.nickname}” for {one.account} on {one.site}." for one in self.forgotten
        )
        if not self.entries:
            where = f" of {self.site}" if self.site else ""
            return Report((*gone, f"No nickname{where} is in your book."))
        heads = ("nickname", "account", "game", "date", "site")
        rows = tuple(
            (one.nickname, one.account, one.taught[0].game, f"{one.taught[0].at:%Y-%m-%d}", one.site)
            for one in self.entries
        )
        return Report((*gone, Rows(heads, rows)))


def nickname_book(request: NicknameRequest, session: Session) -> NicknameBook:
    """The book of the site that is asked for (that of the game here, else all), less what is to be forgotten.

    Raises InputError for a site that is none and a nickname that is not in the book, StateDamaged where the
    book cannot be read.
    """
    site = _site_asked(request, session)
    if session.nicknames is None:
        return NicknameBook(site, ())
    book = session.nicknames()
    if not request.forget:
        return NicknameBook(site, _entries(book.teachings(), site))
    wanted, whose = squash(request.forget), (request.account or "").casefold()

    def goes(taught: Teaching) -> bool:
        here, nickname, account = taught.place
        return nickname == wanted and site in ("", here) and whose in ("", account)

    gone = [one for one in book.teachings() if goes(one)]
    if not gone:
        raise InputError(
            sentence(
                "“{name}”{whose}{where} is not in your book of nicknames, so nothing was forgotten. To see "
                "it: {book}",
                name=request.forget,
                whose=f" for {request.account}" if request.account else "",
                where=f" on {site}" if site else "",
                book=Way("list_nicknames"),
            )
        )
    book.change(lambda teachings: tuple(one for one in teachings if not goes(one)))
    return NicknameBook(site, _entries(book.teachings(), site), _entries(gone, ""))


def _site_asked(request: NicknameRequest, session: Session) -> str:
    if request.site:
        if site := site_named(request.site):
            return site
        raise InputError(f"“{request.site}” is no site. Name it as in its addresses, such as forum.example.")
    return site_named(now_of(session).setup.url or "") if session.game is not None else ""


def _entries(teachings: Iterable[Teaching], site: str) -> tuple[BookEntry, ...]:
    wanted = [one for one in teachings if site in ("", one.site)]
    latest_first = sorted(wanted, key=lambda one: one.at, reverse=True)
    found = []
    for _, same in groupby(sorted(latest_first, key=lambda one: one.place), key=lambda one: one.place):
        taught = tuple(same)
        found.append(BookEntry(taught[0].site, taught[0].nickname, taught[0].account, taught))
    return tuple(found)
