"""Every slot that may act now: its latest message, what of it was understood, what it could send instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from knightfall.audience import SECRET, secret_if, secret_where
from knightfall.engine.entries import Submitted
from knightfall.engine.game import Refusal, Window
from knightfall.engine.journal import Record, instant
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.lines import forms, shortest, written
from knightfall.sentence import SlotId, sentence
from knightfall.services.now import now_of
from knightfall.services.running import (
    Holders,
    RunningGame,
    former_holders,
    holders,
    line_now,
    moderators_word,
    shown,
    since_closing,
    slot_meant,
)
from knightfall.services.session import Session
from knightfall.services.window.ear import likely_meant
from knightfall.services.window.turns import ends_by_votes
from knightfall.services.window.unsettled import LostLine
from knightfall.services.window.waiting import PendingWindow, pending
from knightfall.writeups.journal import is_apart

MOST, SOME = 400, 150
"""All lines of a slot are listed where they are at most so many; else the shortest, at most so many. Any line
can be put together part by part."""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A slot that an open window awaits.

    `message` is its latest one as it was sent ("": there is none), in entry `entry`, of instant `at`, and
    `entered` then;
    `standing`, `refused` and `declined` are what the game made of it. `choices` are lines that it could send
    now (`all_listed`: there are no others), `nothing` the one that says that it does nothing ("": the game
    has none).
    """

    slot: SlotId
    name: str
    role: str = field(metadata=SECRET)
    message: str
    entry: int
    at: datetime | None
    standing: tuple[str, ...]
    refused: tuple[tuple[str, Refusal], ...]
    declined: bool
    choices: tuple[str, ...] = field(metadata=SECRET)
    all_listed: bool
    nothing: str
    lost: tuple[LostLine, ...] = ()
    """The lines that were understood and do not stand: another one took their place, or they fell."""

    former: str = ""
    """Who sent what stands, where somebody else holds the slot by now."""

    awaited: bool = True

    entered: datetime | None = None

    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=SECRET)
    """What each refused line may have been meant as, the likeliest first."""

    @property
    def is_late(self) -> bool:
        """Whether the message was entered at another time than it was sent."""
        return self.at is not None and self.entered is not None and is_apart(self.at, self.entered)

    @property
    def in_part(self) -> bool:
        """Whether something that was sent is not settled, though no line is refused."""
        return bool(self.lost or self.former) and not self.refused

    @property
    def left_over(self) -> tuple[str, ...]:
        """A sentence for each order that does not stand, and where who sent what stands is gone."""
        said = [
            sentence("{name}: “{line}” does not stand. {why}", name=self.name, line=one.line, why=one.why)
            for one in self.lost
        ]
        if not self.awaited:
            said += [
                sentence("{name}: “{line}” was refused. {why}", name=self.name, line=line, why=why.text)
                for line, why in self.refused
            ]
        if self.former:
            said.append(sentence("{name}: {former} sent what stands.", name=self.name, former=self.former))
        return tuple(said)

    @property
    def settled(self) -> bool:
        """Whether nothing of all that was sent is left to the moderator."""
        return (bool(self.standing) or self.declined) and not self.refused and not self.in_part

    @property
    def untouched(self) -> bool:
        """Whether nothing came of them that would be lost with a message that they do nothing."""
        return self.awaited and not (self.standing or self.declined or self.refused or self.lost)

    @property
    def as_it_stands(self) -> str:
        """The message by which all that stands is sent once more, which settles the rest."""
        return "\n".join(self.standing)

    def to_dict(self) -> dict[str, object]:
        """{slot, name, role, message, entry, at, standing, refused: [{line, code, text}], declined, lost,
        settled}."""
        return {
            "slot": self.slot,
            "name": self.name,
            "role": self.role,
            "message": self.message,
            "entry": self.entry,
            "at": self.at,
            "standing": list(self.standing),
            "refused": [{"line": line, "code": why.code, "text": why.text} for line, why in self.refused],
            "declined": self.declined,
            "lost": [one.line for one in self.lost],
            "settled": self.settled,
        }


@dataclass(frozen=True, slots=True)
class WindowRows:
    """An open window with a row for each slot that it awaits; `by_votes`: it is closed by the votes of a
    thread."""

    window: PendingWindow
    rows: tuple[MessageRow, ...] = field(metadata=secret_where(lambda one: one.window.window.secret))
    by_votes: bool

    @property
    @secret_if(lambda one: one.window.window.secret)
    def settled(self) -> bool:
        """Whether every row is settled."""
        return all(row.settled for row in self.rows)

    @property
    @secret_if(lambda one: one.window.window.secret)
    def in_part(self) -> tuple[str, ...]:
        """What was sent and does not stand, or is of who holds its slot no more: a sentence each."""
        return tuple(line for row in self.rows for line in row.left_over)

    def to_dict(self) -> dict[str, object]:
        """{window, title, until, stopped, missing, by_votes, rows}."""
        return {
            **self.window.to_dict(),
            "by_votes": self.by_votes,
            "rows": [row.to_dict() for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class MessageTable:
    """What is open as of `at`, with the rows of each window; `players`: who still plays, by name; `left`: who
    held one of their slots before."""

    at: datetime
    windows: tuple[WindowRows, ...]
    players: tuple[str, ...]
    left: tuple[str, ...] = ()
    moderator: str = ""
    """Who moderates, as `submit` takes it."""

    def last_moment(self, rows: WindowRows) -> datetime | None:
        """The last moment at which something could be sent for a window whose time is up; None while it
        runs."""
        until = rows.window.until
        return until - timedelta(seconds=1) if until is not None and until <= self.at else None

    def to_dict(self) -> dict[str, object]:
        """{open: [windows], players, left}."""
        return {
            "open": [one.to_dict() for one in self.windows],
            "players": list(self.players),
            "left": list(self.left),
        }


def message_table(session: Session) -> MessageTable:
    """Every open window with a row for each slot that may act. Secret: for the moderator's eyes."""
    table = now_of(session).running
    held, roles = holders(table.journal), table.game.roles(table.state)
    latest: dict[SlotId, Record] = {}
    for record in since_closing(table):
        if isinstance(record.entry, Submitted) and record.entry.slot is not None:
            latest[record.entry.slot] = record
    windows = []
    for one in pending(table):
        rows = []
        open_since = _entries_within(one.window, table)
        for slot in (*one.slots, *one.others):
            sent = latest.get(slot.slot)
            if sent is not None and sent.number not in open_since:
                sent = None  # it was for what was open before, and may have opened this
            listed = _listed(slot.slot, table, held)
            nothing = _nothing(listed.lines, table)
            standing = tuple(line_now(line, held) for line in slot.standing)
            rows.append(
                MessageRow(
                    slot.slot,
                    shown(slot.slot, held),
                    roles.get(slot.slot, ""),
                    sent.entry.text if sent is not None and isinstance(sent.entry, Submitted) else "",
                    sent.number if sent is not None else 0,
                    instant(sent) if sent is not None else None,
                    standing,
                    slot.refused,
                    slot.declined,
                    tuple(line for line in listed.lines if line != nothing),
                    listed.all,
                    nothing,
                    slot.lost,
                    slot.former,
                    slot in one.slots,
                    sent.at if sent is not None else None,
                    {line: likely_meant(line, slot.slot, table) for line, _ in slot.refused},
                )
            )
        windows.append(WindowRows(one, tuple(rows), ends_by_votes(one.window, session)))
    playing = table.game.playing(table.state)
    return MessageTable(
        session.clock.now(),
        tuple(windows),
        tuple(shown(slot, held) for slot in playing),
        former_holders(table.journal, playing),
        moderators_word(table),
    )


def _entries_within(window: Window, table: RunningGame) -> frozenset[int]:
    """The entries that came while this window was open."""
    found: list[int] = []
    for step in reversed(table.replay.path):
        behind = () if step.state is None else table.game.windows(step.state)
        if not any((one.kind, one.title) == (window.kind, window.title) for one in behind):
            break
        found.append(step.record.number)
    # The first of these opened it.
    return frozenset(found[:-1])


class _Listed(NamedTuple):
    """Lines that a slot could send now, with everybody called as they are now, and whether these are all."""

    lines: tuple[str, ...]
    all: bool


def _listed(slot: SlotId | None, table: RunningGame, held: Holders) -> _Listed:
    ask = partial(table.game.continuations, table.state, slot)
    walks, complete = shortest(ask, MOST)
    if not complete:
        walks, complete = shortest(ask, SOME)
    return _Listed(tuple(line_now(written(walk), held) for walk in walks), complete)


@dataclass(frozen=True, slots=True, repr=False)
class LineChoices(JsonAnswer):
    """What a player or the moderator can send now: `lines` that the game takes as they are, the shortest
    first where these are not `all_listed`, and their `forms`, with NAME and NUMBER for what varies (() where
    there are too many). `windows` are the kinds of the open windows that await them."""

    name: str
    windows: tuple[str, ...] = field(metadata=SECRET)
    lines: tuple[str, ...] = field(metadata=SECRET)
    all_listed: bool
    forms: tuple[str, ...] = field(metadata=SECRET)


def line_choices(name: str, session: Session) -> LineChoices:
    """What can be sent now by who is named, or by the “moderator”. Secret: for the moderator's eyes. Raises
    InputError where nobody is meant."""
    table = now_of(session).running
    slot, held = slot_meant(table, name), holders(table.journal)
    listed = _listed(slot, table, held)
    general = forms(partial(table.game.continuations, table.state, slot), MOST)
    awaiting = (one.window.kind for one in pending(table) if any(each.slot == slot for each in one.slots))
    called = moderators_word(table) if slot is None else shown(slot, held)
    return LineChoices(called, tuple(awaiting), listed.lines, listed.all, general)


def _nothing(lines: Sequence[str], table: RunningGame) -> str:
    """The line that says that its sender does nothing, where the game has one."""
    nothing = next((line for line in lines if table.game.declines(line)), "")
    return "no action" if not nothing and lines and table.game.declines("no action") else nothing


@dataclass(frozen=True, slots=True)
class PlayerMoves:
    """What a player can do now: `place` is the list in which they stand, such as the court ("" where there is
    one alone); `lines` by the
    word with which they begin, and whether these are all (`all_listed`). `awaited`: something is due of them,
    `settled` or not; `can_build`: a line of theirs can be put together part by part."""

    slot: str
    name: str
    place: str
    awaited: bool = field(metadata=SECRET)
    settled: bool = field(metadata=SECRET)
    lines: Mapping[str, tuple[str, ...]] = field(metadata=SECRET)
    all_listed: bool
    can_build: bool
    is_moderator: bool = False


def player_moves(session: Session) -> tuple[PlayerMoves, ...]:
    """Everybody who still plays with the lines that they could send; last the moderator, where the game asks
    for their decision. Secret: for the moderator's eyes."""
    table = now_of(session).running
    held = holders(table.journal)
    lists = [one for one in table.game.player_lists(table.state) if one.people]
    places = {slot: one.title for one in lists for slot, _ in one.people} if len(lists) > 1 else {}
    rows = {row.slot: row for one in message_table(session).windows for row in one.rows}
    found = []
    for slot in table.game.playing(table.state):
        listed = _listed(slot, table, held)
        begins = table.game.continuations(table.state, slot)
        found.append(
            PlayerMoves(
                str(slot),
                shown(slot, held),
                places.get(slot, ""),
                slot in rows,
                slot in rows and rows[slot].settled,
                _by_word(listed.lines),
                listed.all,
                any(level.parts for level in begins.levels),
            )
        )
    own = _listed(None, table, held)
    if own.lines:
        moderator = "You, the moderator"
        word = moderators_word(table)
        found.append(PlayerMoves(word, moderator, "", True, False, _by_word(own.lines), own.all, True, True))
    return tuple(found)


def _by_word(lines: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Lines by their first word, in its own spelling, without the colon behind it."""
    found: dict[str, list[str]] = {}
    for line in lines:
        word = (line.split() or [""])[0].rstrip(":")
        found.setdefault(word, []).append(line)
    return {word: tuple(dict.fromkeys(told)) for word, told in found.items()}


def roles_by_name(session: Session) -> Mapping[str, str]:
    """The role of every slot, by the name of who holds it; empty in a game without roles. Secret."""
    table = now_of(session).running
    held = holders(table.journal)
    return {held.get(slot, slot): role for slot, role in table.game.roles(table.state).items()}
