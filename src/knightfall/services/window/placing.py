"""A message that was in time and is read after what it belongs to was closed: what would read otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from difflib import unified_diff

from knightfall.audience import SECRET
from knightfall.engine.entries import Closed, Published, Submitted
from knightfall.engine.game import Refusal
from knightfall.engine.journal import Record, course_of, instant
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import DecisionNeeded
from knightfall.sentence import Sentence, SlotId, Way, joined, sentence
from knightfall.services.publish import Text
from knightfall.services.running import RunningGame, before, behind, closings, holders, shown, text_zone
from knightfall.services.window.receipts import holds, outcome_of, posts_resting_on, stale
from knightfall.writeups.facts import short_time
from knightfall.writeups.journal import entry_line, post_words


@dataclass(frozen=True, slots=True, repr=False)
class TextChange(JsonAnswer):
    """A text that would read otherwise: whose it is (“public”, a player's name or “moderator”), its kind, and
    the lines that go (-) and come (+)."""

    whose: str
    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Replayed(JsonAnswer):
    """An entry that leads to something else by the message: what it says, and the texts that change."""

    record: Record
    said: str
    texts: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Placing(JsonAnswer):
    """What a message that is put in its place would change: the slot as it is shown, its words, when it was
    sent, the title of what was open then, and the entry that closed it.

    `refused` are the lines that are not taken there; `replayed` the entries that lead to something else, in
    the order in which they are played; `posted` what went out and would hold no more, “dawn 1”.
    """

    slot: SlotId
    sender: str
    text: str = field(metadata=SECRET)
    sent: datetime = field()
    window: str = field()
    closed: Record = field(metadata=SECRET)
    refused: tuple[tuple[str, Refusal], ...] = field(default=(), metadata=SECRET)
    replayed: tuple[Replayed, ...] = field(default=(), metadata=SECRET)
    posted: tuple[str, ...] = ()

    @property
    def question(self) -> Sentence:
        """What the moderator is asked."""
        return sentence(
            "The message of {sender} was sent at {sent}, in time for {window}, which entry {entry} closed. "
            "Nothing was recorded.",
            sender=self.sender,
            sent=short_time(self.sent),
            window=self.window,
            entry=self.closed.number,
        )

    @property
    def changes(self) -> tuple[str, ...]:
        """What would change, a line each."""
        lines: list[str] = []
        not_taken = "Not taken: “{line}”: {why}"
        lines += [sentence(not_taken, line=line, why=why.text) for line, why in self.refused]
        if not self.replayed:
            lines.append("If it counts, nothing that came after it changes.")
        else:
            lines.append("If it counts, these are played again and come out otherwise:")
        for one in self.replayed:
            lines.append(sentence("  {entry}: {said}", entry=one.record.number, said=one.said))
            for text in one.texts:
                kind = text.kind.replace("_", " ")
                lines.append(sentence("    {whose}, {kind}:", whose=text.whose, kind=kind))
                lines += [f"      {line}" for line in text.lines]
        if self.posted:
            posts = ", ".join(map(post_words, self.posted))
            lines.append(f"Posts that would hold no more: {posts}. A correction can be posted then.")
        return tuple(lines)

    @property
    def said(self) -> Sentence:
        """The question, what would change, and what can be done."""
        way_out = sentence(
            "To let it count: {place}. To leave it out, keep the reason: {rule}",
            place=Way("field", name="late"),
            rule=Way("rule"),
        )
        return joined("\n", (self.question, *self.changes, way_out))


class PlacingNeeded(DecisionNeeded):
    """A message belongs before what was closed: whether it counts is the moderator's decision."""

    def __init__(self, placing: Placing) -> None:
        super().__init__(placing.said)
        self.placing = placing


def placing_of(now: RunningGame, then: RunningGame, dialect: str) -> Placing | None:
    """What the last entry of `then`, a message, changes of what came after it; `now` is the game without it.
    None where nothing was closed since it was sent."""
    record = then.journal[-1]
    entry = record.entry
    course = course_of(then.journal)
    if not isinstance(entry, Submitted) or entry.slot is None or record.number not in course.late:
        return None
    place = course.records.index(record)
    after = {one.number: one for one in course.records[place + 1 :]}
    closed = next((one for one in closings(now) if one.number in after), None)
    if closed is None:  # what was closed since waits for what was taken back
        return None
    changes = [one for one in stale(now, then, now.journal) if one.number in after]
    order = list(after)
    changes.sort(key=lambda one: order.index(one.number))
    held = holders(then.journal)
    open_then = before(then, record.number).windows
    window = next((one.title for one in open_then if entry.slot in one.slots), None)
    return Placing(
        entry.slot,
        shown(entry.slot, held),
        entry.text,
        instant(record).astimezone(text_zone(now)),
        window or (open_then[0].title if open_then else "what was open"),
        closed,
        then.last_refused,
        tuple(_replayed(one, now, then, dialect) for one in changes),
        tuple(
            f"{post.entry.kind} {post.entry.number}"
            for post in posts_resting_on((one for one in changes if isinstance(one.entry, Closed)), now)
            if isinstance(post.entry, Published) and not holds(post, then)
        ),
    )


def _replayed(record: Record, now: RunningGame, then: RunningGame, dialect: str) -> Replayed:
    old, new = (dict(_numbered(outcome_of(behind(table, record), dialect).texts)) for table in (now, then))
    texts = tuple(
        TextChange(whose, kind, tuple(_changed_lines(old.get(key, ""), new.get(key, ""))))
        for key in dict.fromkeys((*old, *new))
        for whose, kind, _ in (key,)
        if old.get(key) != new.get(key)
    )
    return Replayed(record, entry_line(record.entry, record.at, text_zone(now)), texts)


def _numbered(texts: tuple[Text, ...]) -> Iterator[tuple[tuple[str, str, int], str]]:
    """Each text by whose it is, its kind, and which of these it is."""
    so_far: Counter[tuple[str, str]] = Counter()
    for text in texts:
        yield (text.whose, text.kind, so_far[text.whose, text.kind]), text.text
        so_far[text.whose, text.kind] += 1


def _changed_lines(old: str, new: str) -> Iterator[str]:
    lines = list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0))[2:]
    return (line for line in lines if not line.startswith("@@"))
