"""Take a game over: a folder made of what another moderator handed over, or brought up to it; where both went
on, what each of them wrote is named, and what bears on nothing of the other's is merged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from knightfall.engine.entries import Published, Started, bears_on
from knightfall.engine.journal import Journal, Record, verify
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
from knightfall.services.keep.sealed import is_sealed, opened
from knightfall.services.pasted import keep_copy, read_copy
from knightfall.services.posts.owed import write_missing
from knightfall.services.running import setup_of
from knightfall.services.session import GAME_FILE, Session, journal_of
from knightfall.services.threads import read, source_here
from knightfall.storage.drafts import write_draft
from knightfall.writeups.journal import entry_line

NOT_WRITTEN = "Not all posts that went out were written again: the secret check stops one of them."
_NAME = re.compile(r"(?:private/|public/)?[a-z0-9][a-z0-9._-]{0,80}", re.IGNORECASE)
SessionMaker = Callable[[Path], Session]
"""Makes the session of a game folder."""


@dataclass(frozen=True, slots=True, repr=False)
class HandedState:
    """What a hand-over holds, read and checked."""

    title: str
    by: str
    at: str
    since: int
    base: str
    journal: Journal
    files: Mapping[str, str]
    pages: tuple[Mapping[str, Any], ...]
    marks: Mapping[str, str]
    seen: Mapping[str, str]


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


def take_over(texts: Sequence[str], folder: Path, make: SessionMaker, passphrase: str = "") -> TakenOver:
    """Make a folder of what was handed over, or bring the game in it up to that; `passphrase` opens what is
    sealed.

    Raises InputError where the texts hold no whole hand-over, or one that does not open, or the folder holds
    something else; StateDamaged where a hand-over is not as it was written.
    """
    state = _newest(capsules_in(texts), passphrase)
    if (folder / GAME_FILE).exists():
        done = _brought_up(state, make(folder))
        return _with_posts(done, make(folder)) if done.fresh else done
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} holds other files. Take the game over into an empty folder.")
    if state.since:
        raise InputError(
            f"This hand-over begins behind entry {state.since}. Take over the earlier one first, or both "
            "together: paste them one after the other."
        )
    for name, text in state.files.items():
        write_draft(folder, *_placed(name), text)
    session = make(folder)
    assert session.ledger is not None
    with closing(session.ledger()) as ledger:
        ledger.extend(state.journal, 0)
    note_taken_over(len(state.journal), state.by, session)
    notes = _with_evidence(state, session)
    entries = len(state.journal)
    done = TakenOver(folder, state.title, state.by, state.at, entries, entries, notes=notes)
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
    if setup_of(session).url is None:
        return ""
    try:
        found = read(source_here((), False, False, True, session), session)
    except KnightfallError as error:
        return sentence("The thread was not read: {error}", error=error)
    return f"The thread is read up to post {found.thread.posts[-1].number}."


def name_of(texts: Sequence[str], passphrase: str = "") -> str:
    """What the folder of a game that is handed over is called. Raises as `take_over`."""
    title = _newest(capsules_in(texts), passphrase).title
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:60] or "game"


def _newest(found: FoundCapsules, passphrase: str) -> HandedState:
    """The latest state that the capsules tell together. Raises InputError where there is none."""
    if not found.whole:
        if found.missing:
            head, lacks = max(found.missing.items(), key=lambda one: one[0].entry)
            named = f"part {', '.join(map(str, lacks))}" if lacks else "a part that was not changed"
            raise InputError(
                f"Of the hand-over as of entry {head.entry} {named} is missing. Paste all parts together."
            )
        raise InputError(
            "There is no hand-over in this text. Copy it whole, from “KNIGHTFALL 1/…” to “END KNIGHTFALL …”."
        )
    read = (_read(capsule, passphrase) for capsule in found.whole)
    states = sorted(read, key=lambda one: (one.since, len(one.journal)))
    state = max((one for one in states if not one.since), key=_last, default=states[0])
    for later in sorted((one for one in states if one.since), key=_last):
        number = later.since
        same = number <= _last(state) and number > state.since
        if (
            same
            and _last(later) > _last(state)
            and state.journal[number - 1 - state.since].digest == later.base
        ):
            journal = (*state.journal[: number - state.since], *later.journal)
            state = replace(later, since=state.since, base=state.base, journal=journal)
    if not state.since:
        verify(state.journal)
    return state


def _last(state: HandedState) -> int:
    return state.since + len(state.journal)


def _read(capsule: Capsule, passphrase: str) -> HandedState:
    """What a capsule holds. Raises InputError and StateDamaged."""
    data = capsule.packed
    value = unpacked(opened(data, passphrase) if is_sealed(data) else data)
    if value.get("schema") != SCHEMA:
        raise InputError("The hand-over was written by a newer Knightfall. Update this one first.")
    try:
        journal = tuple(parse_line(str(line)) for line in value["journal"])
        files = {str(name): str(text) for name, text in value["files"].items()}
        marks = {str(key): str(words) for key, words in value["marks"].items()}
        seen = {str(url): str(json.dumps(json.loads(rows))) for url, rows in value["seen"].items()}
        since, base, pages = int(value["since"]), str(value["base"]), tuple(value["pages"])
        told = [str(value[key]) for key in ("title", "by", "at")]
        datetime.fromisoformat(told[2])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise StateDamaged(f"The hand-over cannot be read ({error}). Copy it again, whole.") from None
    for name in files:
        known = name in OWN_FILES or any(fnmatchcase(name, one) for one in OWN_TEXTS)
        if not known or not _NAME.fullmatch(name):
            raise StateDamaged(
                f"The hand-over holds a file that no game has: {name}. Nothing was taken over."
            )
    return HandedState(told[0], told[1], told[2], since, base, journal, files, pages, marks, seen)


def _placed(name: str) -> tuple[str, str]:
    half, _, file = name.rpartition("/")
    return half or ".", file


def _with_evidence(state: HandedState, session: Session) -> tuple[str, ...]:
    """Keep the pages that no forum shows again as they were seen, one after the other."""
    notes = dict[str, None]()
    for page in state.pages:
        at = datetime.fromisoformat(str(page["at"]))
        then = replace(session, clock=_Then(at))
        try:
            keep_copy(read_copy(str(page["text"]), then, str(page["url"])), then, fresh=True)
        except KnightfallError as error:  # it was readable once, by another Knightfall
            notes[f"A page of {page['thread']} was handed over and cannot be read here: {error}"] = None
    with closing(session.store("")) as store:
        store.keep_marks(state.marks, session.clock.now())
        for url, words in state.seen.items():
            store.note_sightings(url, words, session.clock.now())
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class _Then:
    """A clock that stands at the instant of a page."""

    at: datetime

    def now(self) -> datetime:
        return self.at

    def elapsed(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        """No time goes by."""


def _brought_up(state: HandedState, session: Session) -> TakenOver:
    """The game of a folder with what they wrote since: all of it where we wrote nothing, else what bears on
    nothing of ours."""
    assert session.ledger is not None
    here = journal_of(session, even_lost=True)
    theirs = {record.number: record for record in state.journal}
    if state.since > len(here) or (state.since and here[state.since - 1].digest != state.base):
        raise InputError(
            "This hand-over follows on an entry that is not here. Take over the earlier one first."
        )
    fork = next((one.number for one in here if one.number in theirs and theirs[one.number] != one), None)
    if fork is not None and fork == 1 and state.journal and here:
        first, other = here[0].entry, theirs[1].entry
        if isinstance(first, Started) or isinstance(other, Started):
            raise InputError("This hand-over is of another game than the one in this folder.")
    common = (fork - 1) if fork is not None else min(len(here), _last(state))
    ours, news = here[common:], tuple(one for one in state.journal if one.number > common)
    told = tuple(_with_files(state, session))
    if not news:
        ahead = len(ours)
        return TakenOver(session.folder, state.title, state.by, state.at, 0, len(here), ahead, notes=told)
    forks = tuple(_merged(ours, news, session)) if ours else ()
    if not ours:
        with closing(session.ledger()) as ledger:
            ledger.extend(news, len(here))
    fresh = len(news) if not ours else sum(one.merged for one in forks)
    if fresh:
        note_taken_over(len(here) + fresh, state.by, session)
    notes = (*told, *_with_evidence(state, session))
    entry = len(here) + fresh
    return TakenOver(session.folder, state.title, state.by, state.at, fresh, entry, forks=forks, notes=notes)


def _with_files(state: HandedState, session: Session) -> Iterator[str]:
    """Bring the files up to theirs where nobody changed ours since the game was last handed on; where both
    were changed, ours stay and theirs lie beside them. What came of it, a sentence each."""
    ours, (when, then) = dict(own_files(session)), last_exchange(session)
    if when is not None and datetime.fromisoformat(state.at) <= when:
        return  # an earlier state than the one that both know
    for name, text in state.files.items():
        mine, before = ours.get(name), then.get(name)
        if mine == text or name.endswith(TAKEN) or digest_of(text) == before:
            continue
        if mine is None or digest_of(mine) == before:
            write_draft(session.folder, *_placed(name), text)
            if mine is not None:
                yield f"{name} was changed by {state.by} and is as they have it."
        else:
            beside = f"theirs-{Path(name).name}"
            write_draft(session.folder, "private", beside, text)
            yield f"{name} differs from theirs. Yours stays; theirs is private/{beside}: compare the two."


def _merged(ours: Journal, news: Journal, session: Session) -> Iterator[ForkedEntry]:
    """Each entry of theirs: written behind ours by its author and its instant where it bears on none of them
    and none of them on it; else named with those."""
    assert session.ledger is not None
    left: list[Record] = []
    with closing(session.ledger()) as ledger:
        for record in news:
            said = entry_line(record.entry, record.at)
            same = next((one for one in ours if one.entry == record.entry), None)
            if same is not None:
                yield ForkedEntry(record, said, merged=False, against=(same.number,))
                continue
            against = tuple(one.number for one in ours if _clash(one, record))
            # What rests on an entry that was left out is left out as well.
            if against or any(_clash(one, record) for one in left):
                left.append(record)
                yield ForkedEntry(record, said, merged=False, against=against)
            else:
                ledger.append(record.entry, record.at, record.author)
                yield ForkedEntry(record, said, merged=True)


def _clash(one: Record, other: Record) -> bool:
    """Whether what one of them wrote may be wrong beside what the other did."""
    if isinstance(one.entry, Published) and isinstance(other.entry, Published):
        return one.entry.kind == other.entry.kind
    return bears_on(one.entry, other.entry) or bears_on(other.entry, one.entry)
