"""The texts an entry of a game leads to: read for secrets, kept in the folder, noted as posted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.audience import secret_where
from knightfall.engine.entries import Entry, Published, Started
from knightfall.engine.fair import CardTree
from knightfall.engine.game import Announced, Event, Noted, Told
from knightfall.engine.journal import Journal, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.models import PostMark
from knightfall.sentence import Way, sentence
from knightfall.services.fair_deal import cards_of_fair_deal
from knightfall.services.guard import allowed, hidden_at, passed
from knightfall.services.heads import log_line
from knightfall.services.running import (
    MODERATOR,
    Holders,
    RunningGame,
    counted_by,
    holders,
    noted_now,
    renamed,
    text_zone,
    told_to,
    written,
)
from knightfall.services.session import Session, entered
from knightfall.storage.drafts import PUBLIC, write_draft
from knightfall.votes.post_marks import present_number
from knightfall.votes.tally import changes_since
from knightfall.votes.votecount import Votecount
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.fair import check_lines
from knightfall.writeups.log_line import with_line
from knightfall.writeups.render import together

PRIVATE_FOLDER = "private"
_UNSAFE = re.compile(r"[^\w.-]+")
_NOT_PUBLIC = secret_where(lambda text: not text.is_public)


class Reader(Enum):
    """Who reads a text. A player may be called “public” or “moderator”: no name tells."""

    EVERYBODY = PUBLIC
    PLAYER = "player"
    MODERATOR = MODERATOR


@dataclass(frozen=True, slots=True, repr=False)
class Text(JsonAnswer):
    """A finished text for a `reader`: `whose` is "public", a player's name or "moderator"; only a public one
    is for everybody, and so is whose it is."""

    whose: str = field(metadata=_NOT_PUBLIC)
    kind: str = field(metadata=_NOT_PUBLIC)
    text: str = field(metadata=_NOT_PUBLIC)
    reader: Reader = field(default=Reader.PLAYER, metadata=_NOT_PUBLIC)

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.reader is Reader.EVERYBODY

    @property
    def is_pm(self) -> bool:
        """Whether it is for one player."""
        return self.reader is Reader.PLAYER

    @property
    def folder(self) -> str:
        """Which half of the game's folder it belongs into."""
        return PUBLIC if self.is_public else PRIVATE_FOLDER


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How texts of events are written: their dialect, the moderator's own words before a post that may have
    some, who holds the slots, and in what zone they tell times (None: in UTC). `cards`: those of a deal that
    nobody could choose; `dealt`: the events are those of the deal itself."""

    dialect: str = "plain"
    flavour: str = ""
    held: Holders = field(default_factory=dict)
    zone: ZoneInfo | None = None
    cards: CardTree | None = None
    dealt: bool = False


def texts_of(
    table: RunningGame, events: tuple[Event, ...], dialect: str, flavour: str = ""
) -> Iterator[Text]:
    """One text an event of a game, a PM for each of its slots, which goes to who holds it."""
    cards = cards_of_fair_deal(table.folder)
    dealt = isinstance(table.journal[-1].entry, Started)
    style = TextStyle(dialect, flavour, holders(table.journal), text_zone(table), cards, dealt)
    counted = tuple(counted_by(table, one) if isinstance(one, Announced) else one for one in events)
    return texts_by_reader(table.game.spec.id, counted, style)


def texts_by_reader(game: str, events: tuple[Event, ...], style: TextStyle) -> Iterator[Text]:
    """The texts of events of a game of that kind, in the order of the events."""
    held, dialect, zone = style.held, style.dialect, style.zone
    unopened = set(style.cards.cards) if style.cards and style.dealt else set()
    for event in events:
        match event:
            case Announced(kind=kind):
                checks = check_lines(style.cards, event.facts) if style.cards else ()
                post = public_post(game, renamed(event, held), dialect, style.flavour, zone, checks)
                yield Text(PUBLIC, kind, post, Reader.EVERYBODY)
            case Told(slots=slots, kind=kind):
                for slot in slots:
                    # The first PM of the deal to a slot opens its card.
                    checks = (style.cards.line(slot),) if style.cards and slot in unopened else ()
                    unopened.discard(slot)
                    text = private_message(game, told_to(event, slot, held), dialect, zone, checks)
                    yield Text(held.get(slot, slot), kind, text)
            case Noted(kind=kind):
                sheet = moderator_sheet(game, noted_now(event, held), dialect, zone)
                yield Text(MODERATOR, kind, sheet, Reader.MODERATOR)


def lined_texts(texts: tuple[Text, ...], dialect: str, session: Session) -> tuple[Text, ...]:
    """The texts, those for everybody with the head of the log under them; they are in that dialect."""
    line = log_line(session) if any(text.is_public for text in texts) else ""
    return tuple(
        replace(text, text=with_line(text.text, line, dialect)) if text.is_public else text for text in texts
    )


def kept(folder: Path, number: int, texts: tuple[Text, ...]) -> tuple[Path, ...]:
    """Write the texts of entry `number`, each a file such as `004-01-role_pm-Ada.txt`; the same entry writes
    the same files again."""
    named = zip(file_names(number, texts), texts, strict=True)
    return tuple(write_draft(folder, text.folder, name, text.text) for name, text in named)


def file_names(number: int, texts: tuple[Text, ...]) -> tuple[str, ...]:
    """What the files of the texts of entry `number` are called, in their order."""
    names = []
    for place, text in enumerate(texts, start=1):
        whose = "" if text.is_public else f"-{safe_name(text.whose)}"
        names.append(f"{number:03}-{place:02}-{text.kind}{whose}.txt")
    return tuple(names)


def safe_name(whose: str) -> str:
    """A player's name as part of a file's."""
    return _UNSAFE.sub("_", whose)


def guarded(
    table: RunningGame,
    entry: Entry,
    dialect: str,
    session: Session,
    allow: str = "",
    at: datetime | None = None,
    anew: bool = False,
) -> tuple[RunningGame, tuple[Text, ...]]:
    """The table with the entry, which is in the journal now, and the texts that it led to. Raises SecretGuard
    where a post of these gives something away and `allow` has no reason: then nothing is written; else what
    `written` raises."""
    found: list[str] = []
    texts: tuple[Text, ...] = ()

    def look(after: RunningGame) -> None:
        nonlocal texts
        texts = tuple(texts_of(after, after.last_events, dialect))
        found.extend(_passed(texts, after, session, allow))

    after = written(table, entry, session, look, at, anew)
    allowed(found, session, allow)
    return after, texts


def looked_at(after: RunningGame, dialect: str, session: Session, allow: str) -> tuple[str, ...]:
    """What the posts of the last entry give away for a written reason, in sentences. Raises SecretGuard
    without one."""
    return _passed(texts_of(after, after.last_events, dialect), after, session, allow)


def _passed(texts: Iterable[Text], after: RunningGame, session: Session, allow: str) -> tuple[str, ...]:
    public = _public(texts)
    return passed(public, hidden_at(after, session), allow) if public else ()


def public_text(after: RunningGame, dialect: str) -> str:
    """All posts to which the last entry of a game leads; "" where it leads to none."""
    return _public(public_texts(after, dialect))


def public_texts(after: RunningGame, dialect: str) -> Iterator[Text]:
    """The posts to which the last entry of a game leads; its PMs are not written for them."""
    posts = tuple(event for event in after.last_events if isinstance(event, Announced))
    return texts_of(after, posts, dialect)


def _public(texts: Iterable[Text]) -> str:
    return together(text.text for text in texts if text.is_public)


@dataclass(frozen=True, slots=True)
class NextText:
    """The next text of a kind: its number, and the last one of that kind that was posted."""

    number: int
    last: Published | None = None


def next_text(journal: Journal, kind: str) -> NextText:
    """What comes next of a kind such as `votecount-1`."""
    posted = [r.entry for r in standing(journal) if isinstance(r.entry, Published) and r.entry.kind == kind]
    return NextText(max((entry.number for entry in posted), default=0) + 1, posted[-1] if posted else None)


def votecount_kind(day: int) -> str:
    """What counts of that day are called in the journal."""
    return f"votecount-{day}"


def numbered(count: Votecount, journal: Journal) -> Votecount:
    """The count with its number of the day, and what changed since the last one that was posted."""
    next_one = next_text(journal, votecount_kind(count.day.number))
    last = next_one.last
    upto = present_number(int(last.upto), last.mark, count.posts.values()) if last and last.upto else None
    changes = () if upto is None else changes_since(count.tally.history, upto)
    return replace(count, number=next_one.number, changes=changes)


def note_posted(kind: str, text: str, upto: int | PostMark, journal: Journal, session: Session) -> Published:
    """Write down that a text went out, counted up to that post. Raises InputError without a game."""
    mark = upto if isinstance(upto, PostMark) else None
    last = str(mark.number if mark else upto)
    digest = sha256(text.encode()).hexdigest()
    entry = Published(kind, next_text(journal, kind).number, digest, text, last, mark)
    nowhere = sentence(
        "What was posted is recorded in a game, so it needs one: {in_game}.", in_game=Way("in_game")
    )
    entered(entry, session, nowhere)
    return entry
