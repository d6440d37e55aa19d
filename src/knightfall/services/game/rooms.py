"""The rooms of a game: its private topics, who should be in each now, and who is noted as being in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from knightfall.audience import SECRET
from knightfall.config.setup import ThreadSetup
from knightfall.engine.entries import Replaced, Roomed
from knightfall.engine.game import Room
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, SaidAlready
from knightfall.sentence import Way, sentence
from knightfall.services.now import Now, now_of
from knightfall.services.requests import RoomsRequest
from knightfall.services.running import RulesRoom, rooms_by_rules
from knightfall.services.session import Session, entered, in_turn

PLAYER, PLAYERS, DEAD = "player", "players", "dead"
"""Kinds of rooms that the game file alone tells of: a player's own, one of several, that of the dead."""
NOWHERE = sentence("Rooms belong to a game: {in_game}.", in_game=Way("in_game"))


class NoSuchRoom(InputError):
    """There is no such room, or nobody of that name: the message says which there are."""

    secret = True


@dataclass(frozen=True, slots=True, repr=False)
class RoomRow(JsonAnswer):
    """A private topic: `room` names it in the journal, `url` is its thread ("" where the file names none).

    `should` are the accounts that should be in it now, `inside` those that are noted as being in it. `made`:
    it has a thread, or somebody was noted in it. `add` and `remove` are what is due: nothing once the game is
    over.
    """

    room: str
    kind: str
    title: str
    url: str
    should: tuple[str, ...]
    inside: tuple[str, ...]
    made: bool
    is_over: bool = False

    @property
    def add(self) -> tuple[str, ...]:
        """Who has to be let in."""
        return () if self.is_over else tuple(name for name in self.should if name not in self.inside)

    @property
    def remove(self) -> tuple[str, ...]:
        """Who has to be taken out."""
        return () if self.is_over else tuple(name for name in self.inside if name not in self.should)

    @property
    def due(self) -> str:
        """“Mafia room: add Newt; remove Dill”, “Make the mafia room: Ada, Boro”; "" where nothing is due."""
        if self.add and not self.made:
            return f"Make the {self.title[:1].lower()}{self.title[1:]}: {', '.join(self.add)}"
        said = [
            f"{verb} {', '.join(who)}" for verb, who in (("add", self.add), ("remove", self.remove)) if who
        ]
        return f"{self.title}: {'; '.join(said)}" if said else ""

    def to_dict(self) -> dict[str, object]:
        """{room, kind, title, url, should, inside, add, remove}."""
        return {
            "room": self.room,
            "kind": self.kind,
            "title": self.title,
            "url": self.url,
            "should": list(self.should),
            "inside": list(self.inside),
            "add": list(self.add),
            "remove": list(self.remove),
        }


@dataclass(frozen=True, slots=True, repr=False)
class RoomsLedger(JsonAnswer):
    """The private topics of a game. `used`: a thread or an entry shows that the moderator keeps them here."""

    rows: tuple[RoomRow, ...] = field(metadata=SECRET)
    used: bool = field(metadata=SECRET)

    def to_dict(self) -> dict[str, object]:
        """{rooms: [{room, kind, title, url, should, inside, add, remove}]}."""
        return {"rooms": [row.to_dict() for row in self.rows]}


@dataclass(frozen=True, slots=True)
class RoomMove:
    """That an account was let into a room, or taken out of it."""

    title: str
    name: str
    inside: bool

    @property
    def said(self) -> str:
        """“Newt is in: Mafia room”."""
        return f"{self.name} is {'in' if self.inside else 'out'}: {self.title}"


@dataclass(frozen=True, slots=True, repr=False)
class RoomsMarked(JsonAnswer):
    """What was ticked off, by the number of its last entry."""

    moves: tuple[RoomMove, ...] = field(metadata=SECRET)
    entry: int

    def to_dict(self) -> dict[str, object]:
        """{moves: [{room, name, inside}], entry}."""
        moves = [{"room": one.title, "name": one.name, "inside": one.inside} for one in self.moves]
        return {"moves": moves, "entry": self.entry}


def rooms(session: Session) -> RoomsLedger:
    """The rooms of the game of a folder. Raises SetupError for a bad game file, and what reading its journal
    raises."""
    return ledger_of(now_of(session))


def ledger_of(context: Now) -> RoomsLedger:
    """The rooms of a game as it stands: those that its rules or its file know."""
    people = _People(context)
    threads = tuple(thread for thread in context.setup.threads if thread.secret)
    noted = [entry for _, entry in context.entries(Roomed)]
    by_rules = rooms_by_rules(context.table) if context.table else {}
    places = [_place(number, thread, people, by_rules) for number, thread in enumerate(threads, start=1)]
    threaded = {place.kind for place in places}
    unthreaded = (room for room in by_rules.values() if room.now.kind not in threaded)
    places += [_of_rules(room.now, (), people, None) for room in unthreaded]

    rows, used = [], dict[str, int]()
    for place in places:
        # A room may have two threads, one for the day and one for the night.
        used[place.room] = used.get(place.room, 0) + 1
        name = f"{place.room} {used[place.room]}" if used[place.room] > 1 else place.room
        inside = dict.fromkeys(place.listed)
        of_room = [entry for entry in noted if entry.room == name]
        for entry in of_room:
            inside.pop(entry.name, None)
            inside |= {entry.name: None} if entry.inside else {}
        made = bool(place.url or of_room)
        if made or place.should:
            row = RoomRow(
                name, place.kind, place.title, place.url, place.should, tuple(inside), made, context.is_over
            )
            rows.append(row)
    return RoomsLedger(tuple(rows), bool(threads or noted))


@in_turn
def mark_rooms(request: RoomsRequest, session: Session) -> RoomsMarked:
    """Note who was let in and taken out: who is named, or all that is due in the room, or in all rooms.

    Raises InputError for a room or a name of none, SaidAlready where it is so already.
    """
    context = now_of(session)
    rows, people = ledger_of(context).rows, _People(context)
    if request.room:
        rows = (_row_named(request.room, rows),)
    moves = []
    for row in rows:
        due = {**dict.fromkeys(row.add, True), **dict.fromkeys(row.remove, False)}
        if request.names and request.room:
            wanted = [_account(name, row, people) for name in request.names]
            said = [name for name in wanted if name not in due]
            if said:
                raise SaidAlready(_as_it_is(said[0], row))
            due = {name: due[name] for name in wanted}
        elif request.names:
            named = {name.strip().casefold() for name in request.names}
            due = {name: inside for name, inside in due.items() if name.casefold() in named}
        moves += [(row, name, inside) for name, inside in due.items()]
    moved = {name.casefold() for _, name, _ in moves}
    unmoved = [name for name in request.names if name.strip().casefold() not in moved]
    if unmoved and not request.room:
        raise SaidAlready(f"Nothing is due about {unmoved[0].strip()} in any room.")
    if not moves:
        where = f"{rows[0].title}: nothing" if request.room else "Nothing"
        raise SaidAlready(f"{where} is due: whoever belongs there is in it, and nobody else.")
    number = 0
    for row, name, inside in moves:
        number = entered(Roomed(row.room, name, inside), session, NOWHERE).number
    return RoomsMarked(tuple(RoomMove(row.title, name, inside) for row, name, inside in moves), number)


def _row_named(name: str, rows: tuple[RoomRow, ...]) -> RoomRow:
    """The row of that room, by its name or title. Raises NoSuchRoom."""
    sought = name.strip().casefold()
    for row in rows:
        if sought in (row.room.casefold(), row.title.casefold()):
            return row
    known = ", ".join(f"“{row.room}”" for row in rows) or "none"
    raise NoSuchRoom(f"There is no room “{name.strip()}”. The rooms of this game: {known}.")


def _account(name: str, row: RoomRow, people: _People) -> str:
    """Who of a room is meant, by the name of the account or another name of its slot. Raises NoSuchRoom."""
    known = {one.casefold(): one for one in (*row.should, *row.inside)}
    meant = people.account(name)
    if (found := known.get(name.strip().casefold())) is not None:
        return found
    slot = people.slot_of(name)
    if slot is None and meant not in known.values():
        raise NoSuchRoom(f"Nobody is called “{name.strip()}” in {row.title}.")
    return meant if slot is None or meant in known.values() else people.holder(slot)


def _as_it_is(name: str, row: RoomRow) -> str:
    """That nothing is due about an account in a room."""
    if name in row.inside:
        return f"{name} is noted as being in already: {row.title}."
    return f"{name} is not in, and need not be: {row.title}."


@dataclass(frozen=True, slots=True)
class _Place:
    """A room before it is known who was noted in it: `listed` are the members of the file, as accounts."""

    room: str
    kind: str
    title: str
    url: str
    should: tuple[str, ...]
    listed: tuple[str, ...] = ()


def _place(number: int, thread: ThreadSetup, people: _People, by_rules: Mapping[str, RulesRoom]) -> _Place:
    """Which room a private thread is, and who should be in it.

    Members who never held a slot stay in any room: moderators, spectators. In that of the dead so does who
    was replaced.
    """
    listed = tuple(dict.fromkeys(map(people.account, thread.members)))
    slots = tuple(dict.fromkeys(slot for name in listed if (slot := people.slot_of(name)) is not None))
    guests = tuple(name for name in listed if people.slot_of(name) is None)
    if thread.role == "dead":
        stay = tuple(name for name in listed if name not in people.playing)
        should = dict.fromkeys((*map(people.holder, people.dead), *stay))
        return _Place(DEAD, DEAD, "Room of the dead", thread.url, tuple(should), listed)

    kind = thread.room.strip().casefold()
    same = (one for one, room in by_rules.items() if slots and frozenset(room.began) == frozenset(slots))
    kind = kind or next(same, "")
    if kind in by_rules:
        return _of_rules(by_rules[kind].now, guests, people, thread, listed)
    living = tuple(people.holder(slot) for slot in slots if slot not in people.dead)
    if kind:
        title = f"{thread.room.strip()[:1].upper()}{thread.room.strip()[1:]} room"
        return _Place(kind, kind, title, thread.url, (*living, *guests), listed)
    if len(slots) == 1:  # what they write there nobody else reads: who died may stay
        own = people.holder(slots[0])
        return _Place(slots[0], PLAYER, f"Room of {own}", thread.url, (own, *guests), listed)
    name = ", ".join(slots) or f"thread {number}"
    title = f"Room of {name}" if slots else f"Private thread {number}"
    return _Place(name, PLAYERS, title, thread.url, (*living, *guests), listed)


def _of_rules(
    room: Room,
    guests: tuple[str, ...],
    people: _People,
    thread: ThreadSetup | None,
    listed: tuple[str, ...] = (),
) -> _Place:
    """A room of the rules, with its thread where the file names one."""
    should = (*map(people.holder, room.slots), *guests)
    return _Place(room.kind, room.kind, room.title, thread.url if thread else "", should, listed)


class _People:
    """Who holds which slot, and by which names the slots and accounts of a game are known."""

    def __init__(self, context: Now) -> None:
        self.context = context

    @cached_property
    def dead(self) -> tuple[str, ...]:
        """The slots of the dead, first those who died first."""
        return tuple(str(one.slot) for one in self.context.dead)

    @cached_property
    def playing(self) -> frozenset[str]:
        """The accounts that hold a slot which lives."""
        return frozenset(self.holder(slot) for slot in self.context.slots if slot not in self.dead)

    def holder(self, slot: str) -> str:
        """The account that holds a slot now."""
        return str(self.context.holder(slot))

    def slot_of(self, name: str) -> str | None:
        """The slot that an account ever held, or that is called so; None for who never played."""
        found = self._slots.get(name.strip().casefold())
        return found[0] if found else None

    def account(self, name: str) -> str:
        """The account that is written so; that of another name of a slot is who held it first."""
        found = self._slots.get(name.strip().casefold())
        return found[1] if found else name.strip()

    @cached_property
    def _slots(self) -> dict[str, tuple[str, str]]:
        """Folded name → slot, and the account as it is written."""
        roster = self.context.setup.roster
        found: dict[str, tuple[str, str]] = {}

        def learn(names: Iterable[str], slot: str, account: str | None = None) -> None:
            for name in names:
                found.setdefault(name.casefold(), (slot, account or name))

        for slot, names in self._held:
            learn(names, slot)
        for slot in self.context.slots:
            known = roster.slot_of(slot) if roster else None
            learn((*(known.names if known else ()),), slot)
            taught = (alias for name, alias in self.context.setup.aliases if self._is(name, slot, found))
            learn((*(known.aliases if known else ()), *taught), slot, slot)
        return found

    @staticmethod
    def _is(name: str, slot: str, found: Mapping[str, tuple[str, str]]) -> bool:
        return name.casefold() in found and found[name.casefold()][0] == slot

    @property
    def _held(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each slot with who signed up for it, then who came by the journal."""
        for slot in self.context.slots:
            came = (entry.name for _, entry in self.context.entries(Replaced) if entry.slot == slot)
            yield slot, (slot, *came)
