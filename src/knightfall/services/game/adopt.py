"""A game folder made of a running game that was not begun here, as its table says (see `adoption`).

What the table tells is written into the journal as it would have been entered had the game been hosted here:
days, replacements, deaths; behind them the entry `Adopted` with the roles. All of that is marked as taken
from another's word. From there the game goes on as any other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from knightfall.config.calendar import end_of_day, window_of
from knightfall.config.instants import parse_deadline
from knightfall.config.new_file import FileStart, day_rule, new_file
from knightfall.config.setup import VOTES
from knightfall.engine.entries import EDITION, Adopted, Closed, Entry, Opened, Removed, Replaced, Started
from knightfall.engine.journal import Journal, append
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError, KnightfallError
from knightfall.games import game_ids
from knightfall.models import DepartureKind, PostMark, Thread
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.deal import DealProof, DealTerms, commit, dealt_into
from knightfall.services.game.adoption import Adoption, checked, zone_named
from knightfall.services.game.new import kind_of, make_folder
from knightfall.services.games import game_named
from knightfall.services.session import DEAL_FILE, Session
from knightfall.services.threads import SavedPages, read, read_into
from knightfall.version import VERSION
from knightfall.votes.game_told import DayOfGame
from knightfall.votes.rule import Rule

SessionMaker = Callable[[Path], Session]
"""Makes the session of a game folder."""


@dataclass(frozen=True, slots=True)
class TakeInRequest:
    """What is made of a running game that was read: its folder, the deadline of what is open (None: none is
    known), the options of its game, and what draws its chance from now on. `despite`: it is taken in although
    something of it is not sure."""

    folder: Path
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    until: datetime | None = None
    timezone: str = "UTC"
    options: Mapping[str, object] = field(default_factory=dict)
    despite: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class TakenIn(JsonAnswer):
    """A running game that was taken in: its folder, the game's id or "votes", the phase in which it goes on,
    how many entries tell what was before, how many players live, and what is to be known."""

    folder: Path
    kind: str
    window: str
    entries: int
    alive: int
    notes: tuple[str, ...] = ()


def adopt_game(adoption: Adoption, request: TakeInRequest, session: Session, make: SessionMaker) -> TakenIn:
    """Make the folder of a running game. `session` knows the thread as it was read.

    Raises InputError where the folder holds something else, a role is missing or is no card of the game, or
    the game could not stand so; DecisionNeeded where something is not sure. Then nothing was made.
    """
    if adoption.open_questions and not request.despite:
        raise DecisionNeeded(
            sentence(
                "{number} not sure yet. Correct the table, or take it as it stands: {despite}",
                number=asking(adoption),
                despite=Way("field", name="despite"),
            )
        )
    kind = kind_of(adoption.kind)
    game = None if kind == VOTES else game_named(kind)
    if game is not None and not game.adopts:
        raise InputError(f"{game.spec.name} cannot be taken in while it runs. Count its votes: game votes.")
    if request.folder.exists() and any(request.folder.iterdir()):
        raise InputError(f"{request.folder} holds other files. Take the game in into an empty folder.")
    if not checked(adoption.seats):
        raise InputError("The table has no players.")

    # What it is made of, tried before anything is written.
    options = dict(request.options) if game is None else _options(adoption, request, kind)
    proof = None if game is None else _commitment(adoption, request, kind, options)
    now = session.clock.now()
    entries = tuple(_entries(adoption, request, kind, options))
    journal: Journal = ()
    for entry in entries:
        journal = append(journal, entry, now, session.author)
    if game is not None:
        replay(journal, game, lambda: SeededRng(request.seed))

    text = _file(adoption, request, kind, options)
    make_folder(request.folder, text)
    if proof is not None:
        dealt_into(request.folder, proof)
    fresh = make(request.folder)
    assert fresh.ledger is not None
    with closing(fresh.ledger()) as ledger:
        ledger.extend(journal, 0)
    notes = tuple(_with_thread(adoption, session, fresh))
    alive = sum(one.left is None for one in adoption.seats)
    return TakenIn(request.folder, kind, adoption.window, len(entries), alive, notes)


def games_taken_in() -> tuple[str, ...]:
    """The games that can be taken in while they run, by their ids."""
    return tuple(one for one in game_ids() if game_named(one).adopts)


def asking(adoption: Adoption) -> str:
    """“2 lines of the table are”, or how many other things."""
    lines = sum(bool(one.doubts) for one in adoption.seats)
    others = len(adoption.doubts) + len(adoption.unread)
    said = [f"{lines} line{'s' * (lines != 1)} of the table"] if lines else []
    said += [f"{others} other thing{'s' * (others != 1)}"] if others else []
    return f"{' and '.join(said)} {'is' if lines + others == 1 else 'are'}"


def deadline_of(text: str, timezone: str, now: datetime) -> datetime | None:
    """The deadline of what is open, as it was typed; None for "". Raises TimeError, and InputError where
    there is no such time zone."""
    zone, where = zone_named(timezone), Way("field", name="until")
    return parse_deadline(text, now, zone, where) if text.strip() else None


# ── What is written ───────────────────────────────────────────────────────────────────────────────────────


def _options(adoption: Adoption, request: TakeInRequest, kind: str) -> dict[str, object]:
    """The options of the game; a custom one has the cards of the table as its setup, which stays secret."""
    if bare := [one.name for one in adoption.seats if not one.card]:
        raise InputError(
            f"No card is known for {', '.join(bare)}. Name their roles in the table, or count votes alone: "
            "game votes."
        )
    options = {**game_named(kind).spec.begun_with, **request.options}
    if kind == _CUSTOM and "setup" not in options:
        counts: dict[str, int] = {}
        for seat in adoption.seats:
            counts[seat.card] = counts.get(seat.card, 0) + 1
        cards = [{"role": role, "count": count} for role, count in counts.items()]
        options["setup"] = {"name": "As told", "reveal_setup": False, "slots": cards}
    return options


_CUSTOM = "custom_mafia"


def _commitment(
    adoption: Adoption, request: TakeInRequest, kind: str, options: Mapping[str, object]
) -> DealProof:
    slots = tuple(SlotId(one.slot) for one in adoption.seats)
    return commit(DealTerms(kind, options, slots, adopted=True), request.seed, request.salt)


def _file(adoption: Adoption, request: TakeInRequest, kind: str, options: Mapping[str, object]) -> str:
    """The text of the game file; the seats as they were first held."""
    game = None if kind == VOTES else game_named(kind)
    decided = None if game is None else day_rule(game, options)
    rules = _rules(adoption.rule, decided.fixed if decided else frozenset())
    return new_file(
        FileStart(
            kind,
            adoption.title,
            request.timezone,
            adoption.site,
            adoption.moderators,
            {name: value for name, value in options.items() if isinstance(value, str)},
            (("game", adoption.url),) if adoption.url else (),
            tuple(one.slot for one in adoption.seats),
            {"rules": rules} if rules else {},
        ),
        game,
    )


def _rules(rule: Rule, decided: Set[str]) -> dict[str, object]:
    """The rules of the house that are not the usual ones, as a game file writes them; but for those that the
    game decides."""
    usual = Rule()
    told: dict[str, object] = {"death": rule.death.value, "tie": rule.tie.value}
    if rule.at_deadline is not usual.at_deadline:
        told["at_deadline"] = rule.at_deadline.value
    if rule.no_elimination is not usual.no_elimination:
        told["no_elimination"] = rule.no_elimination.value
    if rule.self_vote != usual.self_vote:
        told["self_vote"] = rule.self_vote
    return {name: value for name, value in told.items() if name not in decided}


def _entries(
    adoption: Adoption, request: TakeInRequest, kind: str, options: Mapping[str, object]
) -> Iterator[Entry]:
    """What was, as it would have been entered, and where the game stands."""
    slots = tuple(SlotId(one.slot) for one in adoption.seats)
    if kind != VOTES:
        yield Started(
            kind,
            slots,
            dict(options),
            DEAL_FILE,
            "ask",
            EDITION,
            adopted=True,
            sealed=True,
            version=VERSION,
        )
    window, marks = adoption.window, _Marks(adoption.thread)
    phase, _, number = window.partition("-")
    replaced = sorted(_replacements(adoption, marks), key=lambda one: int(one.post or 0))
    begins = [day.start for day in adoption.days]
    yield from (one for one in replaced if int(one.post or 0) < begins[0])
    yield from _left(adoption, 0, night=True, marks=marks)
    for day, after in zip(adoption.days, (*begins[1:], None), strict=True):
        runs = phase == "day" and day.number == int(number)
        until = request.until if runs else None
        yield Opened(window_of(day.number), str(day.start), until, mark=marks.of(day.start))
        within = range(day.start, sys.maxsize if after is None else after)
        yield from (one for one in replaced if int(one.post or 0) in within)
        yield from _left(adoption, day.number, night=False, marks=marks)
        if not runs:
            yield _closing(day, after, marks)
            yield from _left(adoption, day.number, night=True, marks=marks)
    if phase == "night" and request.until is not None:
        yield Opened(window, until=request.until)
    yield Adopted(
        window,
        {SlotId(one.slot): one.card or one.role for one in adoption.seats if one.card or one.role},
        sources={SlotId(one.slot): one.source for one in adoption.seats if one.source},
    )


@dataclass(frozen=True, slots=True)
class _Marks:
    """The posts of the thread by their numbers, as they are now."""

    thread: Thread | None

    def of(self, number: int) -> PostMark | None:
        """The mark of a post; None where it is not known."""
        posts = self.thread.posts if self.thread is not None and self.thread.url else ()
        return next((PostMark.of(post) for post in posts if post.number == number), None)

    def time(self, number: int | None) -> datetime | None:
        """When a post was made."""
        posts = self.thread.posts if self.thread is not None else ()
        return next((post.time for post in posts if post.number == number), None)


def _replacements(adoption: Adoption, marks: _Marks) -> Iterator[Replaced]:
    for seat in adoption.seats:
        for one in seat.holders[1:]:
            yield Replaced(
                SlotId(seat.slot), one.name, str(one.from_post or 1), mark=marks.of(one.from_post or 1)
            )


def _left(adoption: Adoption, day: int, *, night: bool, marks: _Marks) -> Iterator[Removed]:
    """Who died in a phase, but for whom its vote eliminated."""
    for seat in adoption.seats:
        left = seat.left
        if left is None or left.how is DepartureKind.ELIMINATED or (left.day, left.night) != (day, night):
            continue
        post = left.post if left.post is not None else _turn(adoption, day, night)
        how = "modkill" if left.how is DepartureKind.MODKILLED else "kill"
        yield Removed(SlotId(seat.slot), how, str(post), mark=marks.of(post))


def _turn(adoption: Adoption, day: int, night: bool) -> int:
    """The post from which on somebody is dead who died in a phase, where no post tells it: that with which
    the next day begins, else the last one that was read; of a day its own first one."""
    if not night:
        return next((one.start for one in adoption.days if one.number == day), adoption.last)
    return next((one.start for one in adoption.days if one.number > day), adoption.last)


def _closing(day: DayOfGame, after: int | None, marks: _Marks) -> Closed:
    """The end of a day; as of the post that ended it, else as of that which opened the next one."""
    ended = marks.time(day.ended) or marks.time(after)
    orders = end_of_day(map(SlotId, day.eliminated))
    return Closed(window_of(day.number), ended=ended, orders=orders)


# ── Its thread ────────────────────────────────────────────────────────────────────────────────────────────


def _with_thread(adoption: Adoption, session: Session, fresh: Session) -> Iterator[str]:
    """Keep the pages that were read with the game; a sentence where they cannot be."""
    try:
        if isinstance(adoption.source, SavedPages):
            read(adoption.source, fresh)
        elif adoption.url and adoption.source is not None:
            read_into(adoption.url, session, fresh)
    except KnightfallError as fault:
        yield sentence("The thread was not kept with the game: {fault}", fault=fault)
