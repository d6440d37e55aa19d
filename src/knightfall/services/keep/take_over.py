"""Take a game over: a folder made of what another moderator handed over, or brought up to it; where both went
on, what each of them wrote is named, and what bears on nothing of the other's is merged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, Json, ValidationError

from knightfall.engine.entries import (
    Closed,
    Delivered,
    Entry,
    Ground,
    Published,
    Roomed,
    Started,
    Undone,
    bears_on,
)
from knightfall.engine.journal import Journal, Record, before_entry, behind_entry, entry_of, verify
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError, SecretGuard, StateDamaged
from knightfall.sentence import sentence
from knightfall.services.hand_marks import (
    OWN_FILES,
    OWN_TEXTS,
    TAKEN,
    digest_of,
    last_exchange,
    note_taken_over,
    own_files,
)
from knightfall.services.journal import parse_line
from knightfall.services.keep.capsule import Capsule, FoundCapsules, capsules_in, unpacked
from knightfall.services.keep.hand_over import SCHEMA
from knightfall.services.now import Standing, now_of
from knightfall.services.pasted import keep_copy, read_copy
from knightfall.services.posts.owed import write_missing
from knightfall.services.session import GAME_FILE, Session, journal_of
from knightfall.services.threads import read, source_here
from knightfall.storage.drafts import DRAFT, write_draft
from knightfall.writeups.journal import entry_line

NOT_WRITTEN = "Not all posts that went out were written again: the secret check stops one of them."
_NAME = re.compile(r"(?:private/|public/)?[a-z0-9][a-z0-9._-]{0,80}", re.IGNORECASE)
SessionMaker = Callable[[Path], Session]
"""Makes the session of a game folder."""


def _in_our_time(at: datetime) -> datetime:
    """Raises ValueError for an instant with which nothing can be computed."""
    if not 1990 <= at.year <= 2200:
        raise ValueError("no year between 1990 and 2200")
    return at


_Instant = Annotated[AwareDatetime, AfterValidator(_in_our_time)]
_Seconds = Annotated[int, Field(ge=0, lt=2**33)]
_Number = Annotated[int, Field(ge=0, lt=2**31)]


class _Told(BaseModel):
    """JSON of which each value is of the kind that it is said to be, and no other."""

    model_config = ConfigDict(strict=True, frozen=True)


class HandedPage(_Told):
    """A copy of a page that no forum shows again: of which thread, from where, as it was seen `at`."""

    thread: str
    url: str
    at: Annotated[_Instant, Field(strict=False)]
    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of its text."""
        return sha256(self.text.encode("utf-8", "replace")).hexdigest()


class _Sightings(_Told):
    """What was seen and counted of a thread."""

    posts: list[tuple[str, _Seconds, str]]
    counted: tuple[_Number | None, _Seconds | None]


class _Handed(_Told):
    """The JSON of a hand-over."""

    title: str
    by: str
    at: Annotated[_Instant, Field(strict=False)]
    since: _Number
    base: str
    journal: list[str]
    files: dict[str, str]
    pages: list[HandedPage]
    marks: dict[str, str]
    seen: dict[str, Json[_Sightings]]


@dataclass(frozen=True, slots=True, repr=False)
class HandedState:
    """What a hand-over holds, read and checked."""

    title: str
    by: str
    at: datetime
    since: int
    base: str
    journal: Journal
    files: Mapping[str, str]
    pages: tuple[HandedPage, ...]
    marks: Mapping[str, str]
    seen: Mapping[str, str]

    @property
    def last(self) -> int:
        """The number of the last entry in it."""
        return self.since + len(self.journal)


@dataclass(frozen=True, slots=True, repr=False)
class ForkedEntry(JsonAnswer):
    """An entry of theirs that was written where ours went on otherwise: `merged` says that it stands behind
    ours now; else `against` are our entries on which it bears."""

    record: Record
    said: str
    merged: bool
    against: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class TakenOver(JsonAnswer):
    """A game that was taken over: by whom and when it was handed over, how many entries came in, how many the
    game has now; `ahead`: by so many entries the folder was ahead. `forks` is what they wrote while we went
    on ourselves, `texts` how many were written again, `notes` what is to be known."""

    folder: Path
    title: str
    by: str
    at: str
    fresh: int
    entry: int
    ahead: int = 0
    forks: tuple[ForkedEntry, ...] = ()
    texts: int = 0
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """{folder, title, by, at, fresh, entry, ahead, forks: [{number, author, said, merged, against}],
        texts, notes}."""
        return {
            "folder": str(self.folder),
            "title": self.title,
            "by": self.by,
            "at": self.at,
            "fresh": self.fresh,
            "entry": self.entry,
            "ahead": self.ahead,
            "forks": [
                {
                    "number": one.record.number,
                    "author": one.record.author,
                    "said": one.said,
                    "merged": one.merged,
                    "against": list(one.against),
                }
                for one in self.forks
            ],
            "texts": self.texts,
            "notes": list(self.notes),
        }


def take_over(texts: Sequence[str], folder: Path, make: SessionMaker) -> TakenOver:
    """Make a folder of what was handed over, or bring the game in it up to that. One that was cut off is
    taken up again by the same call.

    Raises InputError where the texts hold no whole hand-over, or one that does not open, or the folder holds
    something else; StateDamaged where a hand-over is not as it was written.
    """
    state = _newest(capsules_in(texts))
    if not (folder / GAME_FILE).exists():
        if any(one.is_file() and not one.name.endswith(DRAFT) for one in folder.rglob("*")):
            raise InputError(f"{folder} holds other files. Take the game over into an empty folder.")
        if state.since:
            raise InputError(
                f"This hand-over begins behind entry {state.since}. Take over the earlier one first, or both "
                "together: paste them one after the other."
            )
        write_draft(folder, *_placed(GAME_FILE), state.files[GAME_FILE])
    session = make(folder)
    with session.turn:
        done = _brought_up(state, session)
    return _with_posts(done, make(folder))


def _with_posts(done: TakenOver, session: Session) -> TakenOver:
    """The same with the posts written that the entries which came in owe."""
    try:
        return replace(done, texts=len(write_missing(session)))
    except SecretGuard:  # they let it out for a reason; who needs it writes it again
        return replace(done, notes=(*done.notes, NOT_WRITTEN))


def reads_whole(session: Session) -> str:
    """Read the whole thread of a game that was taken over, since older copies of its pages came along;
    returns what came of it in a sentence, "" where the game has no thread."""
    if now_of(session).setup.url is None:
        return ""
    try:
        found = read(source_here((), False, False, True, session), session)
    except KnightfallError as error:
        return sentence("The thread was not read: {error}", error=error)
    return f"The thread is read up to post {found.thread.posts[-1].number}."


def holds_hand_over(texts: Sequence[str]) -> bool:
    """Whether there is a hand-over in the texts, or a part of one."""
    found = capsules_in(texts)
    return bool(found.whole) or found.torn is not None


def name_of(texts: Sequence[str]) -> str:
    """What the folder of a game that is handed over is called. Raises as `take_over`."""
    title = _newest(capsules_in(texts)).title
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:60] or "game"


def _newest(found: FoundCapsules) -> HandedState:
    """The latest state that the capsules tell together. Raises InputError where there is none."""
    if not found.whole:
        if found.torn is not None:
            lacks = ", ".join(map(str, found.missing))
            named = f"part {lacks}" if lacks else "a part that was not changed"
            raise InputError(
                f"Of the hand-over as of entry {found.torn.entry} {named} is missing. Paste all parts "
                "together."
            )
        raise InputError(
            "There is no hand-over in this text. Copy it whole, from “KNIGHTFALL 1/…” to “END KNIGHTFALL …”."
        )
    # Each has to be unpacked, which takes time and room: of those that have all the latest alone.
    ordered = sorted(found.whole, key=lambda one: (one.head.entry, one.head.since))
    whole = [one for one in ordered if not one.head.since]
    first = [one for one in whole if one.head.entry == whole[-1].head.entry] if whole else ordered[:1]
    later = [one for one in ordered if one.head.since and one not in first]
    if len(first) + len(later) > _AT_ONCE:
        raise InputError(f"These are more than {_AT_ONCE} hand-overs. Paste the newest of them alone.")
    state = max((_read(one) for one in first), key=lambda one: one.at)
    for capsule in later:
        number = capsule.head.since
        if not state.since < number <= state.last < capsule.head.entry:
            continue
        following = _read(capsule)
        if entry_of(state.journal, number).digest == following.base:
            journal = (*before_entry(state.journal, number + 1), *following.journal)
            state = replace(following, since=state.since, base=state.base, journal=journal)
    if not state.since:
        verify(state.journal)
        if GAME_FILE not in state.files:
            raise StateDamaged(f"The hand-over holds no {GAME_FILE}. Nothing was taken over.")
    return state


_AT_ONCE = 40
"""So many hand-overs are read together, the latest whole one and those that follow on it."""


def _read(capsule: Capsule) -> HandedState:
    """What a capsule holds. Raises InputError and StateDamaged."""
    value = unpacked(capsule.packed)
    if value.get("schema") != SCHEMA:
        raise InputError("The hand-over was written by a newer Knightfall. Update this one first.")
    try:
        told = _Handed.model_validate(value)
        told.model_dump_json()  # letters that are none cannot be kept
        journal = tuple(map(parse_line, told.journal))
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False)
        where = ".".join(map(str, first["loc"]))[:80]
        raise StateDamaged(
            f"The hand-over cannot be read ({where}: {first['msg']}). Copy it again, whole."
        ) from None
    except (ValueError, StateDamaged) as error:
        raise StateDamaged(f"The hand-over cannot be read ({error}). Copy it again, whole.") from None
    if (capsule.head.since, capsule.head.entry) != (told.since, told.since + len(journal)):
        raise StateDamaged(
            f"The hand-over says that it goes to entry {capsule.head.entry}, and has those from "
            f"{told.since + 1} to {told.since + len(journal)}. Nothing was taken over. Ask for another one."
        )
    for name in told.files:
        known = name in OWN_FILES or any(fnmatchcase(name, one) for one in OWN_TEXTS)
        if not known or not _NAME.fullmatch(name):
            raise StateDamaged(
                f"The hand-over holds a file that no game has: {name[:80]}. Nothing was taken over."
            )
    seen = {url: rows.model_dump_json() for url, rows in told.seen.items()}
    pages = tuple(told.pages)
    return HandedState(
        told.title, told.by, told.at, told.since, told.base, journal, told.files, pages, told.marks, seen
    )


def _placed(name: str) -> tuple[str, str]:
    half, _, file = name.rpartition("/")
    return half or ".", file


def _with_evidence(state: HandedState, older: bool, session: Session) -> Iterator[str]:
    """Keep the pages that no forum shows again as they were seen, one after the other, each once; a sentence
    for each that could not be taken. `older`: what was seen since is known here already."""
    with closing(session.store("")) as store:
        fresh = [page for page in state.pages if not store.has_copy(page.digest, page.at)]
    for page in fresh:
        then = replace(session, clock=Standing(page.at))
        try:
            copy = read_copy(page.text, then, page.url)
            with closing(session.store(copy.url)) as store:
                known = {one.number: one.at for one in store.pages_seen(copy.url)}
            number = copy.page.chunk.page
            if number in known and page.at < known[number]:
                yield f"A copy of page {number} of {copy.url} is older than what is here, which stays."
            else:
                keep_copy(copy, then, fresh=True)
        except KnightfallError as error:  # it was readable once, by another Knightfall
            yield f"A page of {page.thread} was handed over and cannot be read here: {error}"
    with closing(session.store("")) as store:
        store.keep_marks(state.marks, session.clock.now())
        if not older:
            for url, words in state.seen.items():
                store.note_sightings(url, words, session.clock.now())


def _brought_up(state: HandedState, session: Session) -> TakenOver:
    """The game of a folder with what they wrote since: all of it where we wrote nothing, else what bears on
    nothing of ours. The journal comes last: what is in it needs no second look."""
    assert session.ledger is not None
    here = journal_of(session, even_lost=True)
    ours, news = _parted(state, here)
    (when, _), files = last_exchange(session), dict(own_files(session))
    told = dict.fromkeys(_with_files(state, not here, session))
    told |= dict.fromkeys(_with_evidence(state, when is not None and state.at < when, session))
    forks = tuple(_merged(ours, news)) if ours else ()
    fresh = [one.record for one in forks if one.merged] if ours else news
    if fresh or files != dict(own_files(session)):
        note_taken_over(len(here) + len(fresh), state.by, state.at, session)
    if fresh:
        with closing(session.ledger()) as ledger:
            if ours:
                for record in fresh:
                    ledger.append(record.entry, record.at, record.author)
            else:
                ledger.extend(news, len(here))
    entry, ahead = len(here) + len(fresh), 0 if news else len(ours)
    return TakenOver(
        session.folder,
        state.title,
        state.by,
        state.at.isoformat(),
        len(fresh),
        entry,
        ahead,
        forks,
        notes=tuple(told),
    )


def _parted(state: HandedState, here: Journal) -> tuple[Journal, Journal]:
    """What we wrote and what they wrote since both had the same journal. Raises InputError where theirs does
    not follow on ours, or is of another game; StateDamaged where its chain is broken."""
    if state.since:
        base = entry_of(here, state.since) if state.since <= len(here) else None
        if base is None or base.digest != state.base:
            raise InputError(
                "This hand-over follows on an entry that is not here. Take over the earlier one first."
            )
        verify(state.journal, base)
    theirs = {record.number: record for record in state.journal}
    fork = next((one.number for one in here if one.number in theirs and theirs[one.number] != one), None)
    if fork == 1 and any(isinstance(one.entry, Started) for one in (here[0], theirs[1])):
        raise InputError("This hand-over is of another game than the one in this folder.")
    common = (fork - 1) if fork is not None else min(len(here), state.last)
    return behind_entry(here, common), behind_entry(state.journal, common)


def _with_files(state: HandedState, begins: bool, session: Session) -> Iterator[str]:
    """Bring the files up to theirs where nobody changed ours since the game was last handed on; where both
    were changed, ours stay and theirs lie beside them. `begins`: there is no journal here yet. What came of
    it, a sentence each."""
    ours, (when, then) = dict(own_files(session)), last_exchange(session)
    older = when is not None and state.at <= when  # than the state that both know
    for name, text in state.files.items():
        mine, before = ours.get(name), then.get(name)
        if mine is not None and (mine.rstrip("\n") == text.rstrip("\n") or name.endswith(TAKEN)):
            continue
        if mine is None:
            if begins or not older:
                write_draft(session.folder, *_placed(name), text)
        elif older:
            if digest_of(text) != before:
                yield f"{name} is older in this hand-over than here. Yours stays."
        elif digest_of(text) == before:
            continue
        elif digest_of(mine) == before:
            write_draft(session.folder, *_placed(name), text)
            yield f"{name} was changed by {state.by} and is as they have it."
        else:
            beside = f"theirs-{Path(name).name}"
            write_draft(session.folder, "private", beside, text)
            yield f"{name} differs from theirs. Yours stays; theirs is private/{beside}: compare the two."


def _merged(ours: Journal, news: Journal) -> Iterator[ForkedEntry]:
    """Each entry of theirs: to be written behind ours by its author and its instant where it bears on none of
    them and none of them on it, nor on one of theirs that is left out; else named with those of ours."""
    left: list[Record] = []
    numbers: dict[int, int] = {}  # theirs → here
    theirs = {(record.at, record.author) for record in news}
    own = [one for one in ours if (one.at, one.author) not in theirs]  # the rest came from them before
    number = ours[-1].number
    for record in news:
        here = replace(record, entry=_with_numbers(record.entry, numbers))
        said = entry_line(here.entry, record.at)
        same = next((one for one in ours if one.entry == here.entry), None)
        if same is not None:
            numbers[record.number] = same.number
            yield ForkedEntry(record, said, merged=False, against=(same.number,))
            continue
        against = tuple(one.number for one in own if _clash(one, here))
        if against or any(_rests(record, one) for one in left):
            left.append(record)
            yield ForkedEntry(record, said, merged=False, against=against)
        else:
            number += 1
            numbers[record.number] = number
            yield ForkedEntry(here, said, merged=True)


def _with_numbers(entry: Entry, numbers: Mapping[int, int]) -> Entry:
    """The entry where another one of theirs, which it names by its number, has another number here."""
    match entry:
        case Undone(entry=number):
            return replace(entry, entry=numbers.get(number, number))
        case Closed(again=number) if number:
            return replace(entry, again=numbers.get(number, number))
    return entry


def _rests(record: Record, left: Record) -> bool:
    """Whether an entry is nothing without an earlier one of the same journal: it is about it, or went out
    because of it, or may be wrong without it."""
    match record.entry:
        case Undone(entry=number) | Closed(again=number) if number == left.number:
            return True
        case Delivered() | Published() | Roomed() if left.entry.ground is not Ground.ASIDE:
            return True
    return _clash(left, record)


def _clash(one: Record, other: Record) -> bool:
    """Whether what one of them wrote may be wrong beside what the other did."""
    if isinstance(one.entry, Published) and isinstance(other.entry, Published):
        return one.entry.kind == other.entry.kind
    return bears_on(one.entry, other.entry) or bears_on(other.entry, one.entry)
