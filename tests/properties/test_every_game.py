"""Properties of every registered game under random legal play; a new one is checked once it is in GAMES."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import pytest

from facts_seen import seen
from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.game import (
    Announced,
    Event,
    Facts,
    Game,
    Message,
    Noted,
    Option,
    Step,
    View,
    told,
)
from knightfall.engine.journal import Record, verify
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import Rng, SeededRng
from knightfall.errors import InputError
from knightfall.games import GAMES
from knightfall.sentence import SlotId
from knightfall.writeups.render import template_names
from long_runs import LONG_JOB, spread
from long_runs import first as few_seeds
from salt_harbour import NAMES

SEEDS = range(8)
"""Played by the rulings' defaults."""
HOUSE_SEEDS = range(8, 12)
"""Played by a house's own choices, a value drawn for every option."""
WINDOWS = 60
"""A house game need not end (no last turn, no early end): so many windows are enough."""
PROBES = ("abchsnt", "n", "40")
"""Values that an option may allow beside those it lists."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
SECRET_SEEDS = (1, *HOUSE_SEEDS)
some_seeds = pytest.mark.parametrize("seed", few_seeds(1, (8, 0, 1, *HOUSE_SEEDS[1:])))


def names_of(game: Game[Any], seed: int) -> tuple[SlotId, ...]:
    """The smallest table first, the largest that the names are enough for, and so on between."""
    sizes = [number for number in game.spec.players if number <= len(NAMES)]
    return NAMES[: sizes[-(seed % len(sizes))]]


def draws(seed: int) -> SeededRng:
    return SeededRng(b"draw %d" % seed)


def values_of(option: Option) -> tuple[str, ...]:
    probes = (probe for probe in PROBES if option.pattern and re.fullmatch(option.pattern, probe))
    return (*option.values, *probes)


def accepts(game: Game[Any], names: tuple[SlotId, ...], options: Mapping[str, str]) -> bool:
    """Whether the game can be played so; some values need another one beside them."""
    try:
        return bool(game.windows(game.setup(names, options, draws(0)).state))
    except InputError:
        return False


def options_of(game: Game[Any], seed: int) -> dict[str, str]:
    """Nothing, or for a house seed a value for each option as far as they go together."""
    if seed not in HOUSE_SEEDS:
        return {}
    chance, chosen = SeededRng(b"house %d" % seed), dict[str, str]()
    for option in game.spec.options:
        tried = chosen | {option.name: chance.choice(option.name, values_of(option))}
        chosen = tried if accepts(game, names_of(game, seed), tried) else chosen
    return chosen


def played(game: Game[Any], seed: int) -> Playout[Any]:
    return _played(game.spec.id, seed)


@cache
def _played(name: str, seed: int) -> Playout[Any]:
    game: Game[Any] = next(game for game in GAMES if game.spec.id == name)
    names, options = names_of(game, seed), options_of(game, seed)
    windows = WINDOWS if options else 200
    return play(game, names, options, SeededRng(b"chance %d" % seed), draws(seed), windows)


class Moment(NamedTuple):
    """One record of a play: the position before it and the step that it led to."""

    before: Any
    record: Record
    step: Step[Any]


def moments(game: Game[Any], playout: Playout[Any], seed: int) -> Iterator[Moment]:
    """Every entry after the start, taken again: it leads to the same."""
    for (before, after), record in zip(pairwise(playout.states), playout.journal[1:], strict=True):
        match record.entry:
            case Submitted(slot, text):
                step = game.submit(before, Message(slot, text, record.at), draws(seed))
            case Closed(window):
                step = game.close(before, window, record.at, draws(seed))
            case _:
                raise AssertionError(f"no playout writes {record.entry}")
        assert step.state == after
        yield Moment(before, record, step)


def few(values: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """So many of them, spread evenly, the first among them."""
    return values[:: max(1, len(values) // count)][:count]


def informed(game: Game[Any], state: Any, sender: SlotId) -> set[SlotId | None]:
    """The sender and the partners with whom he shares what he sends."""
    partners: Any = seen(game.view(state, sender).facts).get("partners", ())
    return {sender, *(partner["name"] for partner in partners)}


def heard(events: tuple[Event, ...], slot: SlotId | None) -> tuple[Event, ...]:
    """What of it this slot, or the public, may read."""
    return tuple(
        e for e in events if isinstance(e, Announced) or (not isinstance(e, Noted) and slot in e.slots)
    )


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", few_seeds(3, (0, 1, 8, *SEEDS[2:], *HOUSE_SEEDS[1:])))
@every_game
def test_random_play_is_never_refused_and_replays_to_the_same(game: Game[Any], seed: int) -> None:
    playout = played(game, seed)
    assert playout.ended or seed in HOUSE_SEEDS
    assert playout.refused == ()
    verify(playout.journal)
    assert replay(playout.journal, game, lambda: draws(seed)).state == playout.state


@pytest.mark.few(3)
@some_seeds
@every_game
def test_every_line_that_is_offered_is_taken(game: Game[Any], seed: int) -> None:
    playout, tried = played(game, seed), 0
    for place in few(tuple(range(len(playout.states))), 8):
        state, at = playout.states[place], playout.journal[place].at
        for slot in (*names_of(game, seed), None):
            for line in few(tuple(game.legal(state, slot)), 12):
                step = game.submit(state, Message(slot, line, at), draws(seed))
                assert step.refused == (), f"{slot}: {line}"
                tried += 1
    assert tried > 8


NEEDS_MORE = {"own"}
"""A board of one's own comes with its text."""
MORE_PLAYERS = {"town_wins"}
"""At the smallest table the town would have won before the game begins."""


@every_game
def test_every_value_of_every_option_can_be_chosen_and_no_other(game: Game[Any]) -> None:
    """Alone, or with one of another option: a board of 12 × 11 has 12 rows and 11 columns."""
    names = names_of(game, 0)
    singles = [{option.name: value} for option in game.spec.options for value in option.values]
    for chosen in singles:
        players = names_of(game, 4) if MORE_PLAYERS & chosen.keys() else names
        beside = ({}, *singles) if not NEEDS_MORE & set(chosen.values()) else ()
        assert not beside or any(accepts(game, players, other | chosen) for other in beside), chosen
    for wrong in ("no_such_option", *(option.name for option in game.spec.options)):
        with pytest.raises(InputError):
            game.setup(names, {wrong: ""}, draws(0))


@pytest.mark.few(2)
@pytest.mark.wider
@every_game
def test_what_a_game_writes_of_an_order_it_reads_back_to_the_same(game: Game[Any]) -> None:
    """What stands after a message and did not before, sent instead of it, leaves the same standing."""
    written = 0
    for seed in (*SECRET_SEEDS, 2) if LONG_JOB else SECRET_SEEDS[:2]:
        for before, record, step in moments(game, played(game, seed), seed):
            slot = getattr(record.entry, "slot", None)
            earlier, lines = standing(game, before, slot), standing(game, step.state, slot)
            fresh = [line for line in lines if line not in earlier]
            if fresh and game.windows(before) == game.windows(step.state):
                again = game.submit(before, Message(slot, "\n".join(fresh), record.at), draws(seed))
                assert (again.refused, standing(game, again.state, slot)) == ((), lines)
                written += 1
    assert written > 20


def standing(game: Game[Any], state: Any, slot: SlotId | None) -> list[str]:
    """What of a slot's is on file; every player's view says it while something can be sent."""
    facts = seen(game.view(state, slot).facts) if slot is not None else {}
    return list(facts.get("standing", ()))


@pytest.mark.few(3)
@pytest.mark.wider
@every_game
def test_an_event_is_shown_to_its_audience_and_has_a_template(game: Game[Any]) -> None:
    for seed in spread(2, SECRET_SEEDS):
        events = replay(played(game, seed).journal, game, partial(draws, seed)).events
        assert {f"{game.spec.id}/{event.kind}" for event in events} <= set(template_names())
        assert any(isinstance(event, Announced) for event in events)


def told_on(game: Game[Any], seed: int) -> Iterator[str]:
    """Who learns from a secret message that is not his, though the phase goes on: by a view, by an event."""
    for before, record, step in moments(game, played(game, seed), seed):
        sender = getattr(record.entry, "slot", None)
        if sender is None or game.windows(before) != game.windows(step.state):
            continue
        # A gift of King's Court is told to both sides (KC-37).
        given = {one for event in told(step.events) if event.kind == "gift" for one in event.slots}
        for slot in {None, *names_of(game, seed)} - informed(game, before, sender) - given:
            if game.view(step.state, slot) != game.view(before, slot):
                yield f"{record.entry}: the view of {slot}"
            if heard(step.events, slot):
                yield f"{record.entry}: an event for {slot}"


@pytest.mark.few(3)
@some_seeds
@every_game
def test_what_one_slot_sends_in_secret_shows_to_nobody_else(game: Game[Any], seed: int) -> None:
    """It changes the views of its sender and his partners alone, unless it ends the phase."""
    assert list(told_on(game, seed)) == []


class Twins(NamedTuple):
    """Two games that differ in one secret line of `sender`: before or after the phase was closed on it."""

    sender: SlotId
    steps: tuple[Step[Any], Step[Any]]
    unaware: set[SlotId | None]


def twins(game: Game[Any], seed: int) -> Iterator[Twins]:
    """At moments spread over a play, for some of those of whom a secret line is awaited."""
    playout, everyone = played(game, seed), {None, *names_of(game, seed)}
    for place in few(tuple(range(len(playout.states))), 10):
        state, at = playout.states[place], playout.journal[place].at
        for window in (window for window in game.windows(state) if window.secret):
            for sender in few(window.slots, 5):
                unaware = everyone - informed(game, state, sender)
                for steps in _pairs(game, state, sender, at, window.kind, seed):
                    yield Twins(sender, steps, unaware)


def _pairs(
    game: Game[Any], state: Any, sender: SlotId, at: datetime, kind: str, seed: int
) -> tuple[tuple[Step[Any], Step[Any]], ...]:
    """The first line that is offered against the last; then both with the window closed."""
    lines = tuple(game.legal(state, sender))
    if len(lines) < 2:
        return ()
    first, last = (
        game.submit(state, Message(sender, line, at), draws(seed)) for line in (lines[0], lines[-1])
    )
    return (first, last), (_closed(game, first, kind, at, seed), _closed(game, last, kind, at, seed))


def _closed(game: Game[Any], sent: Step[Any], kind: str, at: datetime, seed: int) -> Step[Any]:
    closes = next((w.closes for w in game.windows(sent.state) if w.kind == kind), None)
    done = game.close(sent.state, kind, closes or at, draws(seed))
    return replace(done, events=(*sent.events, *done.events))


def told_apart(game: Game[Any], seed: int) -> Iterator[str]:
    """Of those who heard the same in both games: who sees a difference between them all the same."""
    for sender, (first, second), unaware in twins(game, seed):
        for slot in unaware:
            same = heard(first.events, slot) == heard(second.events, slot)
            if same and game.view(first.state, slot) != game.view(second.state, slot):
                yield f"{slot} sees what {sender} sent"


@pytest.mark.few(3)
@some_seeds
@every_game
def test_who_is_told_the_same_sees_the_same_whatever_was_sent_in_secret(game: Game[Any], seed: int) -> None:
    assert list(told_apart(game, seed)) == []


@dataclass(frozen=True, slots=True)
class AllTold(Facts):
    """What a slot may know, and beside it the whole state."""

    known: Facts
    all: Any


@dataclass(frozen=True, slots=True)
class Gossip:
    """A game in whose every view all is open."""

    game: Game[Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def view(self, state: Any, slot: SlotId | None) -> View:
        return View(slot, AllTold(self.game.view(state, slot).facts, state))


@dataclass(frozen=True, slots=True)
class Overheard(Facts):
    """A post that quotes what somebody has sent in secret."""

    kind: ClassVar[str] = "receipt"
    said: str


@dataclass(frozen=True, slots=True)
class Loud:
    """A game that tells everybody what somebody has sent."""

    game: Game[Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def submit(self, state: Any, message: Message, draw: Rng) -> Step[Any]:
        step = self.game.submit(state, message, draw)
        return replace(step, events=(*step.events, Announced(Overheard(message.text))))


@pytest.mark.few(2)
@every_game
def test_a_game_that_gave_secrets_away_would_be_found(game: Game[Any]) -> None:
    loud: Any = Loud(game)
    gossip: Any = Gossip(game)
    assert any(any(told_on(loud, seed)) for seed in SECRET_SEEDS)
    assert any(any(told_on(gossip, seed)) for seed in SECRET_SEEDS)
    assert any(any(told_apart(gossip, seed)) for seed in SECRET_SEEDS)


def dealt(game: Game[Any]) -> Any:
    return game.setup(names_of(game, 2), {}, draws(2)).state


WITH_CARDS = [game for game in GAMES if hasattr(dealt(game), "cards")]
"""The mafia games; a game with roles of another kind has a test of its own for them."""


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.spec.id)
def test_no_view_names_a_card_that_its_slot_may_not_know(game: Game[Any]) -> None:
    """Dealing the same cards to everyone a slot knows nothing of changes nothing that it sees."""
    names, state = names_of(game, 2), dealt(game)
    for slot in (None, *names):
        facts = game.view(state, slot).facts
        known = {slot, *(p["name"] for p in seen(facts).get("partners", ()))}
        hidden = [name for name in names if name not in known]
        cards = [state.cards[name] for name in hidden]
        swapped = {**state.cards, **dict(zip(hidden, reversed(cards), strict=True))}
        other = type(state)(
            **{field: getattr(state, field) for field in state.__slots__} | {"cards": swapped}
        )
        assert game.view(other, slot).facts == facts
