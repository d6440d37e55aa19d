"""What an entry of a game led to: its texts, the lines that were not taken, and what it changes of what
earlier entries led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import ClassVar

from knightfall.audience import SECRET
from knightfall.engine.entries import Closed, Published, Removed, Replaced, Revived, Submitted
from knightfall.engine.game import Announced, Facts, Refusal, Told, announced
from knightfall.engine.journal import Journal, Record, before_entry, course_of, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lines import forms
from knightfall.engine.replay import Taken
from knightfall.errors import InputError
from knightfall.sentence import SlotId
from knightfall.services.boards import draw_for_post, pictures_of
from knightfall.services.pms import RECEIPT
from knightfall.services.publish import PRIVATE_FOLDER, Text, kept, lined_texts, looked_at, texts_of
from knightfall.services.running import RunningGame, behind, closings, holders, post_of_closing, told_to
from knightfall.services.session import Session, refuse_repeated
from knightfall.services.window.waiting import UNKNOWN, refused_orders
from knightfall.storage.drafts import PUBLIC, own_folder
from knightfall.writeups.events import private_message

VOID = "private/void"
"""Where the texts lie that do not hold any more."""


@dataclass(frozen=True, slots=True, repr=False)
class Receipt(JsonAnswer):
    """What an entry led to: its number, the texts that go out, the lines that were not taken, and the
    pictures of the board that belong to its posts; `left` where it was said to come from somebody who was
    replaced: their name, and who holds the slot; `by_head` tells what time was taken from the head of a
    pasted PM. `waits` says for what the message waits; `void` are texts of earlier entries that hold no more,
    and `anew` those that were written again, since they read otherwise by what it says."""

    entry: int
    texts: tuple[Text, ...]
    refused: tuple[tuple[str, Refusal], ...] = field(metadata=SECRET)
    pictures: tuple[Path, ...] = ()
    left: tuple[str, str] | None = None
    by_head: str = ""
    waits: str = ""
    void: tuple[Path, ...] = field(default=(), metadata=SECRET)
    anew: tuple[Path, ...] = field(default=(), metadata=SECRET)

    @property
    def public(self) -> tuple[str, ...]:
        """The posts for everybody, in their order."""
        return tuple(text.text for text in self.texts if text.is_public)


def receipt_of(
    after: RunningGame,
    dialect: str,
    session: Session,
    written: tuple[Text, ...] | None = None,
    void: tuple[Path, ...] = (),
) -> Receipt:
    """What the last entry of a game led to; its texts are kept in `public/` and `private/`, and with them the
    pictures that belong to its posts, and so is what earlier entries lead to by it. `written`: its texts,
    where they were written before; `void`: those of other entries that were moved away for it."""
    found = outcome_of(after, dialect, written)
    found = replace(found, texts=lined_texts(found.texts, dialect, session))
    kept(after.folder, found.entry, found.texts)
    anew = written_anew(changed_by_the_last(after), after, dialect, session)
    return replace(found, pictures=draw_for_post(after), void=void, anew=anew)


def changed_by_the_last(after: RunningGame) -> Journal:
    """The entries that lead to something else behind the last one of a game, which was put before them."""
    *earlier, last = after.journal
    if course_of(after.journal).records[-1] == last:
        waited = after.replay.path[-2].pending.waiting if len(after.replay.path) > 1 else ()
        if set(waited) <= set(after.replay.waiting):
            return ()
    known = tuple(record for record in standing(after.journal) if record != last)
    return stale(after.at(tuple(earlier)), after, known) if known else ()


# ── What entries led to, before something came between them and after. ──────────────────────────────────────


def stale(now: RunningGame, then: RunningGame, records: Iterable[Record]) -> Journal:
    """The records among these that lead to something else then, receipts aside: they told what stood when
    they were sent."""
    led_now, led_then = led_by_entry(now), led_by_entry(then)
    return tuple(one for one in records if led_now.get(one.number) != led_then.get(one.number))


def led_by_entry(table: RunningGame) -> dict[int, list[Taken]]:
    """By entry, what each step of it told, receipts aside, and refused; an entry that has no part in the game
    leads to nothing."""
    found: dict[int, list[Taken]] = {}
    for taken in table.replay.taken:
        events = tuple(event for event in taken.events if event.kind != RECEIPT)
        if events or taken.refused:
            found.setdefault(taken.number, []).append(Taken(taken.number, events, taken.refused))
    return found


def posts_resting_on(records: Iterable[Record], table: RunningGame) -> tuple[Record, ...]:
    """The posts that went out and tell of these closings: of each those of its kind, until something else was
    closed."""
    closed, game = closings(table), table.game.spec.id
    posts = [one for one in standing(table.journal) if isinstance(one.entry, Published)]
    found: dict[int, Record] = {}
    for record in records:
        assert isinstance(record.entry, Closed)
        kind = post_of_closing(record.entry.window, game)
        later = (one.number for one in closed[closed.index(record) + 1 :] if one.number > record.number)
        until = min(later, default=table.journal[-1].number + 1)
        for post in posts:
            told = isinstance(post.entry, Published) and post.entry.kind == kind
            if told and record.number < post.number < until:
                found[post.number] = post
    return tuple(found[number] for number in sorted(found))


def holds(post: Record, table: RunningGame) -> bool:
    """Whether all that everybody had been told when a post went out reads the same by now: what was closed,
    who came and went, and what the game announced by it."""
    then = table.at(before_entry(table.journal, post.number))
    told_then, told_now = tuple(_told_everybody(then)), tuple(_told_everybody(table))
    if len(told_now) < len(told_then):
        return False
    return all(
        ours == theirs or (ours[0] == theirs[0] and _in_words(ours[1], then) == _in_words(theirs[1], then))
        for ours, theirs in zip(told_then, told_now, strict=False)
    )


def _told_everybody(table: RunningGame) -> Iterator[tuple[object, tuple[Announced, ...]]]:
    """Of each record that everybody heard of, in the order of the game: what it is, and what it announced."""
    led: dict[int, list[Announced]] = {}
    for taken in table.replay.taken:
        led.setdefault(taken.number, []).extend(announced(taken.events))
    closed = {record.number for record in closings(table)}
    for record in standing(table.journal):
        what: object = None
        match record.entry:
            case Closed(window=window) if record.number in closed:
                what = window
            case Removed(slot=slot, how=how):
                what = "removed", slot, how
            case Revived(slot=slot):
                what = "revived", slot
            case Replaced(slot=slot, name=name):
                what = "replaced", slot, name
        events = tuple(led.get(record.number, ()))
        if what is not None or events:
            yield what, events


def _in_words(events: tuple[Announced, ...], table: RunningGame) -> tuple[str, ...]:
    return tuple(text.text for text in texts_of(table, events, "plain"))


def files_of(folder: Path, records: Iterable[Record]) -> Iterator[Path]:
    """The texts that entries led to, those for everybody first, then the pictures of the board."""
    numbers = [record.number for record in records]
    texts = chain.from_iterable(
        sorted((folder / half).glob(f"{number:03}-*"))
        for half in (PUBLIC, PRIVATE_FOLDER)
        for number in numbers
    )
    return chain(texts, chain.from_iterable(pictures_of(folder, number) for number in numbers))


def moved_file(file: Path, to: Path) -> Path:
    """A text in its new place. Raises InputError where it cannot be moved."""
    try:
        own_folder(to.parent)
        return file.replace(to)
    except OSError as error:
        raise InputError(f"{file} cannot be moved to {to.parent}: {error.strerror}.") from None


def void_for_the_last(
    after: RunningGame, dialect: str, session: Session, allow: str, anew: bool = False
) -> tuple[Path, ...]:
    """Move the texts away that the last entry of a game changes, before it is written: a program that ends
    between the two leaves texts that are missing, which is seen, and none that are wrong.

    Raises SaidAlready where the journal says that already and it is not said `anew`, SecretGuard where a post
    gives something away as it reads then, and `allow` has no reason; nothing is moved then.
    """
    *known, last = after.journal
    if not anew:
        refuse_repeated(last.entry, last.at, tuple(known))
    place = after.folder / VOID
    changed = sorted(changed_by_the_last(after), key=lambda one: one.number)
    for record in changed:
        if record not in after.replay.waiting:
            looked_at(behind(after, record), dialect, session, allow)
    return tuple(
        moved_file(file, place / file.parent.name / file.name) for file in files_of(after.folder, changed)
    )


def written_anew(
    records: Iterable[Record], table: RunningGame, dialect: str, session: Session
) -> tuple[Path, ...]:
    """Write what these entries lead to by now; nothing for those that wait."""
    anew: list[Path] = []
    for record in sorted(records, key=lambda one: one.number):
        if record not in table.replay.waiting:
            then = behind(table, record)
            texts = lined_texts(outcome_of(then, dialect).texts, dialect, session)
            anew += kept(table.folder, record.number, texts)
            anew += draw_for_post(then)
    return tuple(anew)


def outcome_of(
    after: RunningGame, dialect: str = "plain", written: tuple[Text, ...] | None = None
) -> Receipt:
    """What the last entry of a game led to; nothing is kept. Whose lines were refused reads so, and what they
    can send instead, before the receipt of what stands."""
    held = holders(after.journal)
    texts = list(texts_of(after, after.last_events, dialect) if written is None else written)
    record = after.journal[-1]
    entry = record.entry
    wrong = refused_orders(entry.text, after.last_refused) if isinstance(entry, Submitted) else ()
    if any(isinstance(event, Told) and event.facts.tells_refusals for event in after.last_events):
        wrong = ()  # the game's own receipt says so
    if isinstance(entry, Submitted) and entry.slot is not None and wrong:
        slot = entry.slot
        whose, facts = held.get(slot, slot), _refusal_facts(wrong, after, slot)
        told = private_message("any", told_to(Told((slot,), facts), slot, held), dialect)
        theirs = (
            n for n, one in enumerate(texts) if one.is_pm and (one.whose, one.kind) == (whose, "receipt")
        )
        place = next(theirs, None)
        if place is None:
            texts.insert(0, Text(whose, "receipt", told))
        else:
            texts[place] = replace(texts[place], text=f"{told}\n\n{texts[place].text}")
    return Receipt(record.number, tuple(texts), after.last_refused)


_MOST_FORMS = 8
"""More forms of a line than this are no help; a game whose lines are so many says itself how to write one."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not taken, and why in words ("" where what can be sent says it)."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class RefusedPm(Facts):
    """The lines of a message that were not taken, and the forms of what its sender can send."""

    kind: ClassVar[str] = "refused"
    refused: tuple[RefusedLine, ...]
    can: tuple[str, ...]


def _refusal_facts(wrong: tuple[tuple[str, Refusal], ...], after: RunningGame, slot: SlotId) -> RefusedPm:
    """The lines that were not taken, each with its reason in words, and the forms of what the slot can send:
    its own alone, whoever could be named in them."""
    can = forms(partial(after.game.continuations, after.state, slot), _MOST_FORMS)
    refused = (RefusedLine(line, "" if can and why.code == UNKNOWN else why.text) for line, why in wrong)
    return RefusedPm(tuple(refused), can)
