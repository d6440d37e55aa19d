"""A rehearsal: a sample game whose players are played, so that somebody moderates a whole game in a while.

`begin_rehearsal` makes the folder; `step` lets the players go on where the game stands. The moderator does
all else by the ordinary acts: nothing here counts for them, decides a doubt, or closes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from knightfall.audience import SECRET
from knightfall.config.calendar import day_of
from knightfall.engine.entries import Prodded, Published
from knightfall.engine.journal import Journal, instant, standing, window_name
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError, KnightfallError
from knightfall.mafia import rehearsed_players as players
from knightfall.mafia.rehearsed_players import PLAYERS, VOLUNTEER, DayNow, NightNow, Planted, Written
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.count.votecount import counted
from knightfall.services.game.new import NewGame, begin
from knightfall.services.now import now_of
from knightfall.services.rehearsal_thread import (
    DIALECT,
    PM_FILE,
    TITLE,
    RehearsalForum,
    RehearsalPm,
    RehearsalPost,
    RehearsalRecord,
    address_of_topic,
    read_record,
    write_record,
)
from knightfall.services.requests import CountRequest, NewGameRequest
from knightfall.services.running import RunningGame, closings, holders, is_voted_on
from knightfall.services.session import REHEARSAL_FILE, Session, in_turn
from knightfall.services.threads import Link, gather
from knightfall.services.window.waiting import PendingWindow, pending

MODERATOR = "Wren"
"""The moderator's account in the thread of a rehearsal."""
_SECOND, _APART = timedelta(seconds=1), timedelta(minutes=2)
_TOPICS = range(4000, 9000)
NO_REHEARSAL = sentence(
    "This game is no rehearsal, so its players write for themselves. To begin one: {rehearse}",
    rehearse=Way("rehearse"),
)


@dataclass(frozen=True, slots=True, repr=False)
class RehearsalStep(JsonAnswer):
    """What the players did: `posts` in the thread, `pms` to the moderator, and `said` what there is to know:
    sentences for the moderator alone. `file` has all PMs (None: no new one came)."""

    posts: tuple[RehearsalPost, ...] = ()
    pms: tuple[RehearsalPm, ...] = field(default=(), metadata=SECRET)
    said: tuple[str, ...] = field(default=(), metadata=SECRET)
    file: Path | None = None


def is_rehearsal(session: Session) -> bool:
    """Whether the players of the game here are played."""
    return session.game is not None and (session.folder / REHEARSAL_FILE).exists()


def begin_rehearsal(folder: Path, seed: bytes, session: Session) -> NewGame:
    """Make the folder of a rehearsal: nine players are dealt an open setup, and the moderator's first post
    stands in a thread that no network has. All of its chance comes from the seed.

    Raises InputError where the folder holds a game already.
    """
    chance, started = SeededRng(seed).at("rehearsal"), session.clock.now()
    topic = chance.choice("topic", _TOPICS)
    deal, salt = (sha256(seed + use).digest() for use in (b"deal", b"salt"))
    request = NewGameRequest(
        "custom_mafia",
        PLAYERS,
        folder,
        deal,
        salt,
        TITLE,
        options={"setup": dict(players.SETUP)},
        site=DIALECT,
        moderators=(MODERATOR,),
        threads=(("game", address_of_topic(topic)),),
    )
    new = begin(request, session)
    cards = now_of(session).running.state.cards
    vanished = next(slot for slot, card in cards.items() if card.name == players.VANISHES)
    hello = RehearsalPost(
        MODERATOR, _second(started).isoformat(), "This is a rehearsal: all players are played."
    )
    write_record(RehearsalRecord(seed.hex(), topic, vanished, posts=(hello,)), folder)
    return new


@in_turn
def step(session: Session) -> RehearsalStep:
    """Let the players go on: a few posts by day, PMs at night, nothing where they wait for the moderator.

    The posts are kept with the game's thread, and the PMs lie in a file to take in. Raises InputError for a
    game that is no rehearsal, and what reading its journal raises.
    """
    record = read_record(session.folder) if session.game is not None else None
    if record is None:
        raise InputError(NO_REHEARSAL)
    table = now_of(session).running
    reading = replace(session, fetch=RehearsalForum(session.folder, session.fetch))

    # What the moderator posted meanwhile stands above what the players write now.
    record = _with_own_posts(record, table.journal)
    write_record(record, session.folder)
    gather(Link(record.url), reading)
    turn = _Turn(record, table, session, session.clock.now())
    posts, pms, said = turn.taken()
    if posts or pms:
        record = replace(turn.record, posts=(*record.posts, *posts), pms=(*record.pms, *pms))
        write_record(record, session.folder)
        gather(Link(record.url), reading)
    return RehearsalStep(posts, pms, said, session.folder / PM_FILE if pms else None)


def _with_own_posts(record: RehearsalRecord, journal: Journal) -> RehearsalRecord:
    own = [
        RehearsalPost(MODERATOR, _second(one.at).isoformat(), one.entry.text)
        for one in journal
        if isinstance(one.entry, Published) and one.number > record.published
    ]
    last = journal[-1].number if journal else 0
    return replace(record, posts=(*record.posts, *own), published=last)


def _second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


class _Turn:
    """The players' turn in a game as it stands."""

    def __init__(self, record: RehearsalRecord, table: RunningGame, session: Session, now: datetime) -> None:
        self.record, self.table, self.session, self.now = record, table, session, now
        self.chance = SeededRng(bytes.fromhex(record.seed)).at("rehearsal")
        self.vanished = SlotId(record.vanished)
        held = holders(table.journal)
        living = table.game.playing(table.state)
        self.names = {slot: held.get(slot, slot) for slot in living}
        self.roles = {slot: table.state.cards[slot].name for slot in living}
        self.unopened = ""
        """The day that no post of the moderator has begun in the thread."""
        self.silent = self.vanished if self.names.get(self.vanished) == self.vanished else None

    def taken(self) -> tuple[tuple[RehearsalPost, ...], tuple[RehearsalPm, ...], tuple[str, ...]]:
        """The posts and PMs of this turn, and what the moderator should know."""
        if not self.table.windows:
            return (), (), ("The game is over. The players thank you.",)
        posts, pms = list[RehearsalPost](), list[RehearsalPm]()
        volunteer = self._volunteer()
        if volunteer is not None:
            posts += self._timed([volunteer], None)
        for waits in pending(self.table):
            if is_voted_on(waits.window):
                more, late = self._by_day(waits, posts)
                posts, pms = [*posts, *more], [*pms, *late]
            elif waits.window.secret:
                pms += self._by_night(waits)
        return tuple(posts), tuple(pms), tuple(self._told(posts, pms))

    def _volunteer(self) -> Written | None:
        """Who offers to take over, once somebody was prodded in vain."""
        prodded = any(
            isinstance(one.entry, Prodded) and one.entry.slot == self.silent
            for one in standing(self.table.journal)
        )
        said = any(post.author == VOLUNTEER for post in self.record.posts)
        if self.silent is None or not prodded or said:
            return None
        return Written(VOLUNTEER, f"I can replace {self.names[self.silent]}, if that is needed.")

    def _by_day(
        self, waits: PendingWindow, before: list[RehearsalPost]
    ) -> tuple[list[RehearsalPost], list[RehearsalPm]]:
        number = day_of(window_name(waits.window)) or 1
        pms = self._late_order(number - 1)
        try:
            count = counted(CountRequest(stored=True), self.session).count
        except KnightfallError:  # nobody can tell how the day stands: the moderator is told so by the count
            return [], pms
        if count.day.number != number:
            self.unopened = waits.window.title
            return [], pms
        present = tuple(name for slot, name in self.names.items() if slot != self.silent)
        targets = dict(self.record.targets)
        slots = {name: slot for slot, name in self.names.items()}
        key = str(number)
        if key not in targets:
            targets[key] = slots[players.target_of(number, present, self.chance)]
            self.record = replace(self.record, targets=targets)
        target = self.names.get(SlotId(targets[key]))
        if target is None:  # they left the game in the middle of the day
            return [], pms
        own = [post for post in self.record.posts if post.day == number]
        over = waits.until is not None and waits.until <= self.now
        day = DayNow(
            number,
            present,
            {
                vote.voter.name: wagon.target.name if wagon.target else ""
                for wagon in count.tally.wagons
                for vote in wagon.votes
            },
            count.tally.needed or 0,
            frozenset(post.author for post in own if f"Vote: {target}[/b]" in post.text),
            frozenset(post.author for post in own if post.planted in (Planted.MISSPELT, Planted.UNCLEAR)),
            bool(own),
            over or count.tally.hammer is not None,
            any(post.planted == Planted.AFTER_END for post in own),
        )
        after = waits.until if over else None
        return self._timed(players.posts_of(day, target, self.chance), after, number, before), pms

    def _by_night(self, waits: PendingWindow) -> list[RehearsalPm]:
        night = self._night(int(self.table.state.number), waits)
        return self._mailed(players.orders_of(night, self.chance), night.number)

    def _night(self, number: int, waits: PendingWindow | None = None) -> NightNow:
        sent: dict[SlotId, int] = {}
        for pm in self.record.pms:
            if pm.night == number:
                sent[SlotId(pm.slot)] = sent.get(SlotId(pm.slot), 0) + 1
        open_ = {one.slot for one in waits.slots if not one.standing} if waits else set()
        return NightNow(number, self.roles, self.names, self.silent, sent, frozenset(open_))

    def _late_order(self, number: int) -> list[RehearsalPm]:
        """The order that comes when the first night is over."""
        if number != 1 or any(pm.planted == Planted.LATE_ORDER for pm in self.record.pms):
            return []
        found = players.late_order_of(
            self._night(number), [pm.text for pm in self.record.pms if pm.night == number], self.chance
        )
        return self._mailed([found] if found is not None else [], number)

    def _mailed(self, said: Sequence[tuple[SlotId, Written]], night: int) -> list[RehearsalPm]:
        # An order of the very second in which something was closed is behind that.
        last = [_second(one.at) + _SECOND for one in self.table.journal[-1:]]
        times = self._times(len(said), None)
        return [
            RehearsalPm(slot, one.author, max(at, *last).isoformat(), one.text, one.planted or "", night)
            for (slot, one), at in zip(said, times, strict=True)
        ]

    def _timed(
        self,
        said: Sequence[Written],
        after: datetime | None,
        day: int = 0,
        before: list[RehearsalPost] | None = None,
    ) -> list[RehearsalPost]:
        floor = datetime.fromisoformat(before[-1].at) if before else None
        times = self._times(len(said), max(filter(None, (floor, after)), default=None))
        return [
            RehearsalPost(one.author, at.isoformat(), one.text, one.planted or "", day)
            for one, at in zip(said, times, strict=True)
        ]

    def _times(self, number: int, after: datetime | None) -> Iterator[datetime]:
        """So many instants in whole seconds, spread up to now: behind the last post, the last entry, what was
        closed last, and `after`. Where there is no room they are of the second that it is now."""
        floor = max(
            *(datetime.fromisoformat(post.at) for post in self.record.posts[-1:]),
            *(one.at for one in self.table.journal[-1:]),
            *map(instant, closings(self.table)[-1:]),
            *([after] if after else ()),
        )
        apart = max(min((self.now - floor) / (number + 1), _APART), timedelta())
        for place in range(number):
            at = _second(floor + apart * (place + 1))
            yield at if at > floor else min(_second(floor) + _SECOND, _second(self.now))

    def _told(self, posts: list[RehearsalPost], pms: list[RehearsalPm]) -> Iterator[str]:
        if self.silent is not None and (self.record.posts or pms):
            who = self.names[self.silent]
            offered = any(post.author == VOLUNTEER for post in (*self.record.posts, *posts))
            if offered:
                yield sentence(
                    "{who} still has not written. {volunteer} offers to take over: {replace}",
                    who=who,
                    volunteer=VOLUNTEER,
                    replace=Way("replace", slot=who),
                )
            elif any(post.planted == Planted.AFTER_END for post in (*self.record.posts, *posts)):
                yield sentence(
                    "{who} has not written since the game began. Prod them by name: {prod}",
                    who=who,
                    prod=Way("prod", slot=who),
                )
        if pms:
            yield sentence("The PMs lie in a file. Take them in: {take}", take=Way("take_pms", file=PM_FILE))
        if self.unopened:
            yield f"The players wait for your post that begins {self.unopened}."
        elif not posts and not pms:
            yield "Nobody has anything to add: the players wait for you."
