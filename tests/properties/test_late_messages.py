"""A game whose messages are read in any order, each with the time at which it was sent, is the same game."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from knightfall.engine.entries import Closed, Entry, Started, Submitted, Undone
from knightfall.engine.game import Event, Game
from knightfall.engine.journal import Journal, Record, append, instant, standing, window_name
from knightfall.engine.playout import START, TICK, play, seat_names
from knightfall.engine.replay import Replay, replay
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from long_runs import first, rows

A_DAY = timedelta(days=1)
HOUSE = {"knight_fight": {"anomalies": "b"}}
"""Options with which something is closed in a game that else goes by moves alone."""
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)


def draws() -> SeededRng:
    return SeededRng(b"late")


def played(game: Game[Any], seed: int) -> Journal:
    """A random game whose entries say when they happened, as its moderator enters them at once."""
    seats = seat_names(game.spec.players[seed % len(game.spec.players)])
    found = play(
        game, seats, HOUSE.get(game.spec.id, {}), SeededRng(b"players %d" % seed), draws(), windows=24
    )
    journal: Journal = ()
    for record in found.journal:
        entry = record.entry
        match entry:
            case Started():
                entry = replace(entry, timeouts="ask")
            case Submitted(slot=slot) if slot is not None:
                entry = replace(entry, when=record.at)
            case Closed(window=kind):
                windows = game.windows(replay(journal, game, draws).state)
                title = next((window_name(one) for one in windows if one.kind == kind), "")
                entry = replace(entry, named=title, ended=record.at)
        journal = append(journal, entry, record.at, "playout")
    return journal


def closings_of(journal: Journal) -> list[Record]:
    return [record for record in journal if isinstance(record.entry, Closed)]


def entered_late(journal: Journal, seed: int) -> Journal:
    """The same entries, days later, the messages of the players in any order between the others."""
    chance = random.Random(seed)
    begins, *rest = (record.entry for record in journal)
    mail = [entry for entry in rest if is_mail(entry)]
    others: Iterator[Entry] = iter([entry for entry in rest if not is_mail(entry)])
    chance.shuffle(mail)
    places = [is_mail(entry) for entry in rest]
    chance.shuffle(places)
    late = append((), begins, START, "playout")
    for number, is_message in enumerate(places):
        entry = mail.pop() if is_message else next(others)
        late = append(late, entry, START + A_DAY * 30 + TICK * number, "moderator")
    return late


def is_mail(entry: Entry) -> bool:
    return isinstance(entry, Submitted) and entry.slot is not None


def told_by(led: Replay[Any], journal: Journal) -> dict[tuple[str, str], list[Event]]:
    """What each entry led to: by its words and instant, since its number depends on when it was entered."""
    by_number = {record.number: record for record in journal}
    found: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for taken in led.taken:
        record = by_number[taken.number]
        said = str(record.entry)
        found[said, str(instant(record)) if is_mail(record.entry) else ""] += taken.events
    return found


@pytest.mark.few(2)
@every_game
@pytest.mark.parametrize("seed", first(1, range(20)))
def test_a_game_whose_messages_are_read_late_is_the_same_game(game: Game[Any], seed: int) -> None:
    journal = played(game, seed)
    in_time = replay(journal, game, draws)
    late = entered_late(journal, seed)
    led = replay(late, game, draws)
    assert led.state == in_time.state
    assert [taken.refused for taken in led.taken] == [taken.refused for taken in in_time.taken]
    assert told_by(led, late) == told_by(in_time, journal)
    assert not led.questions


LONG = ("custom_mafia", "empowered")
"""A closing of theirs that is taken back takes longer than those of the others."""
BY_LENGTH = sorted(GAMES, key=lambda game: game.spec.id in LONG)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("seed", "game"), rows(4, [(seed, game) for seed in range(40, 48) for game in BY_LENGTH])
)
def test_a_closing_that_is_taken_back_and_done_again_changes_nothing(game: Game[Any], seed: int) -> None:
    # In some matches of Knight Fight everybody is quick, and nothing has to be closed.
    tries = (played(game, number) for number in range(seed, seed + 50))
    journal = next(found for found in tries if closings_of(found))
    in_time, closings = replay(journal, game, draws), closings_of(journal)
    one: Record = closings[seed % len(closings)]
    later = journal[-1].at + A_DAY
    lifted = append(journal, Undone(one.number, "a slip", keeps=True), later, "moderator")
    led = replay(lifted, game, draws, in_time)
    # It stands where it stood before that closing, and what came later waits for it.
    until = replay(tuple(record for record in journal if record.number < one.number), game, draws)
    assert led.state == until.state or not until.state
    waits = {record.number for record in led.waiting}
    assert waits >= {record.number for record in closings if record.number > one.number}
    assert isinstance(one.entry, Closed)
    again = append(lifted, replace(one.entry, again=one.number), later + TICK, "moderator")
    done = replay(again, game, draws, led)
    assert done.state == in_time.state
    assert not done.waiting
    assert [r.number for r in standing(again) if r.number <= journal[-1].number] == [
        r.number for r in journal if r != one
    ]
