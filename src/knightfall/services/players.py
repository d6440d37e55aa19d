"""Replacements, deaths, absences, reminders and notes: one entry in the journal and one post each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from knightfall.config.setup import Setup
from knightfall.engine.game import Announced, SlotId
from knightfall.engine.journal import Away, Entry, Prodded, Record, Removed, Replaced, Revived
from knightfall.engine.prods import State
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.models import Slot
from knightfall.names import bears, slot_named
from knightfall.services.activity import Activity, Row, activity, reminder, rule_sentence, write_drafts
from knightfall.services.count_request import CountRequest
from knightfall.services.game_state import begun, refusal_lines, setup_of, slot_meant, table_of
from knightfall.services.guard import released
from knightfall.services.pms import PROD, PmBatch
from knightfall.services.pms import slot_id as signed_up
from knightfall.services.publish import PRIVATE_FOLDER, note_posted
from knightfall.services.publish import guarded as entry_guarded
from knightfall.services.reading import RICH, kept_thread, speech_of
from knightfall.services.session import Copy, Say, Session, entered, game_folder, journal_of
from knightfall.services.turns import Receipt, receipt_of
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.writeups.render import render

NOWHERE = "This is kept with a game: --game FOLDER, or run it in the game's folder."


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the moderator sits: the game's folder, the dialect that he wants (None: the site's), where posts
    and remarks go, the clipboard if posts go there, and why a post may tell a secret."""

    folder: Path
    session: Session
    out: Say
    err: Say
    dialect: str | None = None
    copy: Copy | None = None
    allow: str = ""

    @property
    def setup(self) -> Setup:
        """The game as it stands now."""
        return setup_of(self.session)

    def speech(self, setup: Setup) -> str:
        """The dialect of its posts."""
        return speech_of(self.dialect, setup, self.session)


def enter(entry: Entry, desk: Desk) -> tuple[Record, tuple[str, ...]]:
    """Writes the entry; returns its record and the kinds of the posts with which a begun game answers, which
    are printed and kept. Raises DecisionNeeded where the game does not take it, SecretGuard where a post of
    it gives something away: then nothing is written."""
    if not begun(journal_of(desk.session)):
        return entered(entry, desk.session, NOWHERE), ()
    table, at = table_of(desk.session), desk.session.clock.now()
    after = table.after(entry, at, desk.session.author)
    line = _line(entry)
    refused = tuple(one for one in after.last_refused if one[0] == line)
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was written.", *refusal_lines(refused))))
    speech = desk.speech(desk.setup)
    after = entry_guarded(table, entry, speech, desk.session, desk.allow, at)
    _tell(receipt_of(after, speech), desk)
    return after.journal[-1], tuple(event.kind for event in after.last_events if isinstance(event, Announced))


def _tell(receipt: Receipt, desk: Desk) -> None:
    """Prints the game's answer, as the verbs of people print everything: not yet in the command line."""
    for text in receipt.public:
        desk.out(text)
    for told in receipt.texts:
        if told.kind == "receipt":
            desk.err(f"To {told.whose}: {told.text}")
    others = [told.whose for told in receipt.texts if told.whose != PUBLIC and told.kind != "receipt"]
    if others:
        desk.err(f"In {PRIVATE_FOLDER}/{receipt.entry:03}-…: {', '.join(dict.fromkeys(others))}.")
    for line in refusal_lines(receipt.refused):
        desk.err(line)


def publish(name: str, text: str, desk: Desk, speech: str) -> None:
    """Prints a post for everybody, keeps it in `public/` and copies it where that is wanted. It has passed
    the guard before: see `guarded`."""
    file = write_public(game_folder(desk.folder), f"{name}.txt", text)
    desk.out(text)
    if desk.copy is not None:
        desk.copy.copy(text, speech == RICH)
        desk.err("Copied.")
    desk.err(f"Kept: {file.relative_to(game_folder(desk.folder))}.")


def guarded(text: str, desk: Desk) -> str:
    """The text, where it gives nothing away. Raises SecretGuard as `outgoing.released` does."""
    return released(text, desk.session, desk.allow)


def _line(entry: Entry) -> str | None:
    """What an entry says to the game, as its replay puts it."""
    match entry:
        case Removed(slot=slot, how=how):
            return f"{how} {slot}"
        case Revived(slot=slot):
            return f"revive {slot}"
    return None


def slot_id(name: str, setup: Setup, desk: Desk) -> SlotId:
    """The slot as the journal calls it: by who signed up. Raises InputError for a name that is nobody's."""
    if begun(journal_of(desk.session)):
        found = slot_meant(table_of(desk.session), name)
        if found is None:
            raise InputError("That is you: the moderator has no slot.")
        return found
    return signed_up(slot_named(name, setup.roster), setup.roster)


def seat(name: str, setup: Setup) -> Slot | None:
    """The slot of the player list that has the name; None where there is no list, or not this name."""
    return setup.roster.slot_of(name) if setup.roster else None


def shown_name(slot: SlotId, setup: Setup) -> str:
    """Who holds it now."""
    found = seat(slot, setup)
    return found.name if found else slot


def lives(slot: SlotId, post: int | None, setup: Setup) -> bool:
    """Whether it is alive as of a post (None: now), as far as file and journal say."""
    found = seat(slot, setup)
    if found is None:
        return True
    said = [one for one in setup.changes if one.slot in found.names and not one.name]
    if any(one.post is None for one in said):  # no thread, no posts: the last word counts
        return said[-1].how is None
    if any(name in found.names for _, name in (*setup.fallen, *setup.slain)):
        return bool(found.back)
    return found.alive_at(post) if post is not None else found.left is None


def needed_line(post: int | None, setup: Setup) -> dict[str, int] | None:
    """How many live as of a post and how many votes eliminate then; None where nobody lists the players."""
    if setup.roster is None:
        return None
    alive = sum(lives(SlotId(slot.name), post, setup) for slot in setup.roster.slots)
    return {"alive": alive, "needed": setup.rule.majority(alive)}


def refuse_taken(name: str, slot: SlotId, setup: Setup) -> None:
    """Raises InputError where somebody else plays under the name, or moderates."""
    others = setup.roster.slots if setup.roster else ()
    own = seat(slot, setup)
    taken = next((one for one in others if one is not own and bears(one, name)), None)
    if taken is not None:
        raise InputError(f"“{name}” is a name of {taken.name}: one account can hold one slot only.")
    if name.casefold() in (moderator.casefold() for moderator in setup.moderators):
        raise InputError(f"“{name}” moderates this game and cannot play in it.")


def post_number(said: str) -> int:
    """“412” or “#412”. Raises InputError for what is no number of a post."""
    number = said.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{said} is no number of a post. Give it as the forum counts, for example 412.")
    return int(number)


def last_post(setup: Setup, session: Session) -> int | None:
    """The last post of the game's thread that was read; None where none was."""
    thread = kept_thread(setup, session)
    return thread.posts[-1].number if thread and thread.posts else None


def from_post(said: str | None, setup: Setup, session: Session) -> int | None:
    """The post from which on something holds: as said, else the one after the last that was read; None where
    the game has no thread. Raises InputError where it has one that was never read."""
    if said is not None:
        return post_number(said)
    if setup.url is None:
        return None
    last = last_post(setup, session)
    if last is None:
        raise InputError(
            "The thread was not read yet, so I do not know from which post on. Say it: --at POST, or read "
            "it: knightfall vc"
        )
    return last + 1


TOLD_BY_THE_GAME = ("modkill", "removed", "revive", "revived")
"""Posts in which a game itself tells that somebody left or came back: ours would say it twice."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """A slot, who holds it now, and the post from which on something is said of it."""

    slot: SlotId
    name: str
    post: int | None
    setup: Setup

    @property
    def said(self) -> str | None:
        """The post as the journal has it."""
        return None if self.post is None else str(self.post)

    def must_live(self, verb: str) -> None:
        """Raises InputError for the dead."""
        if not lives(self.slot, self.post, self.setup):
            raise InputError(
                f"{self.name} is not alive any more, so there is nobody to {verb}. See knightfall roster."
            )


def replaced(old: str, new: str, at: str | None, why: str, desk: Desk) -> None:
    """Gives a slot to somebody else. Raises InputError where he plays already, or the slot is dead."""
    seat, name = _seat(old, at, desk), new.strip()
    if not name:
        raise InputError("Name who comes: knightfall replace OLD NEW")
    seat.must_live("replace")
    if name.casefold() == seat.name.casefold():
        raise InputError(f"{seat.name} holds the slot already.")
    refuse_taken(name, seat.slot, seat.setup)
    entry = Replaced(seat.slot, name, seat.said, why.strip())
    _done(entry, "replacement", {"old": seat.name, "new": name}, f"{name} replaces {seat.name}", seat, desk)


def modkilled(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Takes a slot out of the game; the reason stays between moderators. Raises InputError without one."""
    if not why.strip():
        raise InputError('A modkill needs its reason: --why "…". It is kept in the journal and never posted.')
    seat = _seat(name, at, desk)
    seat.must_live("take out")
    entry = Removed(seat.slot, "modkill", seat.said, why.strip())
    _done(entry, "removal", {"name": seat.name}, f"{seat.name} is out of the game", seat, desk)


def killed(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Somebody died in the middle of a day. Raises DecisionNeeded where a begun game knows no such death."""
    seat = _seat(name, at, desk)
    seat.must_live("kill")
    entry = Removed(seat.slot, "kill", seat.said, why.strip())
    _done(entry, "death", {"name": seat.name}, f"{seat.name} is dead", seat, desk)


def revived(name: str, at: str | None, why: str, desk: Desk) -> None:
    """Brings a slot back to life. Raises InputError for one that lives."""
    seat = _seat(name, at, desk)
    if lives(seat.slot, seat.post, seat.setup):
        raise InputError(f"{seat.name} is alive: there is nobody to bring back. See knightfall roster.")
    entry = Revived(seat.slot, seat.said, why.strip())
    _done(entry, "revival", {"name": seat.name}, f"{seat.name} lives again", seat, desk)


def _seat(name: str, at: str | None, desk: Desk) -> _Seat:
    setup = desk.setup
    slot = slot_id(name, setup, desk)
    return _Seat(slot, shown_name(slot, setup), from_post(at, setup, desk.session), setup)


def _done(
    entry: Entry, template: str, facts: Mapping[str, object], said: str, seat: _Seat, desk: Desk
) -> None:
    """Writes the entry, then tells it; the post passes the guard before, as nothing can be unwritten."""
    speech = desk.speech(seat.setup)
    guarded(render(f"any/{template}", {**facts, "votes": None}), desk)
    record, kinds = enter(entry, desk)
    desk.err(_change_line(said, seat.post, record))
    if not set(kinds) & set(TOLD_BY_THE_GAME):
        votes = needed_line(seat.post, desk.setup) if template != "replacement" else None
        text = render(f"any/{template}", {**facts, "votes": votes}, speech)
        publish(f"{record.number:03}-{template}", text, desk, speech)


def _change_line(said: str, post: int | None, record: Record) -> str:
    since = f" from post {post} on" if post is not None else ""
    return (
        f"{said}{since}, entry {record.number}; counts as of earlier posts stay as they were. Take it back "
        f'with: knightfall undo {record.number} --why "…"'
    )


RANGE = ".."


def away(name: str, days: str, desk: Desk) -> None:
    """Notes an absence; both days are part of it, and no prod is due in it. Raises InputError for days that
    are none, TimeError where the game has no zone to have days in."""
    setup = desk.setup
    first, last = parse_days(days)
    if setup.zone is None:
        raise TimeError(
            f"{setup.source}: an absence is told in days, and the game has no zone. Set timezone in [game], "
            "for example “America/New_York”."
        )
    slot = slot_id(name, setup, desk)
    shown = shown_name(slot, setup)
    facts = {"name": shown, "first": f"{first:%d %b %Y}", "last": f"{last:%d %b %Y}"}
    text = guarded(render("any/v_la", facts, desk.speech(setup)), desk)
    record, _ = enter(Away(slot, first.isoformat(), last.isoformat()), desk)
    desk.err(
        f"{shown} is away from {first:%a %d %b} to {last:%a %d %b}, entry {record.number}: no prod is due in "
        "these days."
    )
    publish(f"{record.number:03}-v_la", text, desk, desk.speech(setup))


def parse_days(text: str) -> tuple[date, date]:
    """“2026-11-28..2026-12-01”, or one day. Raises InputError for anything else, and for an end before the
    beginning."""
    begins, _, ends = text.partition(RANGE)
    try:
        first, last = date.fromisoformat(begins.strip()), date.fromisoformat((ends or begins).strip())
    except ValueError:
        raise InputError(
            f"{text}: expected a day, or the first and the last one, such as 2026-11-28..2026-12-01."
        ) from None
    if last < first:
        raise InputError(f"{text}: the last day comes before the first one.")
    return first, last


KIND = "mod-note"


def noted(text: str, desk: Desk) -> None:
    """Writes a note for everybody. Raises InputError for an empty one, SecretGuard for one that gives
    something away."""
    setup = desk.setup
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError('The note is empty: knightfall mod-note "Lumen is away until Friday."')
    speech = desk.speech(setup)
    post = guarded(render("any/mod_note", {"lines": lines}, speech), desk)
    entry = note_posted(
        KIND, post, last_post(setup, desk.session) or 0, journal_of(desk.session), desk.session
    )
    publish(f"{KIND}-{entry.number}", post, desk, speech)


def prodded(names: tuple[str, ...], only_draft: bool, desk: Desk) -> None:
    """Drafts a reminder for each who is named, else for all who are due by the rule, from the thread as it
    was last read; but for mere drafts each is an entry. Raises InputError where nobody is due, or one is
    dead."""
    setup = desk.setup
    if setup.url is None:
        raise InputError(
            f"{setup.source} names no thread, so nobody's silence can be told. Add it:  [[thread]]  "
            'url = "https://…"'
        )
    found = activity(CountRequest(stored=True), desk.session)
    rows = tuple(_named(names, found, setup, desk)) if names else _due(found, setup)
    pms = tuple(reminder(row, found, setup) for row in rows)
    write_drafts(PmBatch(PROD, "", pms), game_folder(desk.folder))
    desk.err(
        f"Drafts as of post {found.at.number}, in {PRIVATE_FOLDER}/: {', '.join(row.name for row in rows)}."
    )
    if only_draft:
        desk.err("Nobody was prodded yet: without --draft it counts as sent.")
        return
    text = guarded(render("any/prodded", {"number": len(rows)}, desk.speech(setup)), desk)
    numbers = [enter(Prodded(pm.slot), desk)[0].number for pm in pms]
    desk.err(f"Prodded: {', '.join(row.name for row in rows)} (entry {', '.join(map(str, numbers))}).")
    publish(f"{numbers[0]:03}-prodded", text, desk, desk.speech(setup))


def _due(found: Activity, setup: Setup) -> tuple[Row, ...]:
    rows = (row for row in found.rows if row.standing.state is State.DUE)
    due = tuple(row for row in rows if lives(SlotId(row.name), None, setup))
    if not due:
        raise InputError(
            f"Nobody is due a prod as of post {found.at.number}. {rule_sentence(found.rule)} Name somebody "
            "to prod him all the same."
        )
    return due


def _named(names: tuple[str, ...], found: Activity, setup: Setup, desk: Desk) -> Iterator[Row]:
    rows = {row.name: row for row in found.rows}
    for name in dict.fromkeys(names):
        slot = slot_id(name, setup, desk)
        row = rows.get(shown_name(slot, setup))
        if row is None or not lives(slot, None, setup):
            raise InputError(f"{name} is not among the living as of post {found.at.number}: nobody to prod.")
        yield row
