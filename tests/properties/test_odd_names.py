"""A name may begin with or hold any sign: whoever is named is meant, and nobody else.

A game of plain names is played; then it is asked, in the same positions, with a player of an odd name and a
namesake. Every line that the game offers about them is taken, and changes what it changes under plain names.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, TypeVar

import pytest

from knightfall.config.calendar import end_of_day
from knightfall.engine.commands import Order
from knightfall.engine.entries import Closed, Drawn, Entry, Removed, Replaced, Revived, Started, Submitted
from knightfall.engine.game import Game, Message
from knightfall.engine.journal import Journal, append
from knightfall.engine.playout import START, play
from knightfall.engine.replay import Replay, replay
from knightfall.engine.rng import SeededRng
from knightfall.engine.what_if import Add, Remove, parse_edit
from knightfall.games import GAMES
from knightfall.sentence import SlotId
from knightfall.services.window.turns import Draw
from long_runs import first, made_for_all
from properties.lines import walked
from properties.odd_names import NAMESAKE, ODD, First, as_called
from properties.test_every_game import draws, every_game, options_of
from salt_harbour import NAMES

T = TypeVar("T")
WALKS = 60
LINES = 6
"""Of a slot's lines about the two, so many are sent."""
odd_names = pytest.mark.parametrize("odd", first(6, ODD))


@cache
def positions(game: Game[Any]) -> tuple[tuple[SlotId, ...], tuple[Any, ...]]:
    """Slots of plain names that stand nowhere else, and three positions of a game of theirs."""
    size = next(
        number for number in game.spec.players if number >= 2 and (number > 6 or max(game.spec.players) < 7)
    )
    slots = tuple(SlotId(f"Qz{chr(97 + place)}vx") for place in range(size))
    states = play(game, slots, options_of(game, 0), SeededRng(b"odd"), draws(0), 6).states
    return slots, tuple(states[place] for place in (0, len(states) // 3, 2 * len(states) // 3))


def called(slots: tuple[SlotId, ...], odd: str) -> dict[str, str]:
    """Who sits where: the odd name first, then its namesake."""
    others = iter(NAMES[1:])
    return {slot: (odd, NAMESAKE)[place] if place < 2 else next(others) for place, slot in enumerate(slots)}


@cache
def about(game: Game[Any], place: int, slot: SlotId | None) -> tuple[str, ...]:
    """Some of the lines of a slot in that position that name one of the first two, seldom ones included."""
    slots, states = positions(game)
    ask, chance = partial(game.continuations, states[place], slot), random.Random(3)
    walks = (walked(ask, chance) for _ in range(WALKS))
    named = (line for line in walks if line and any(one in line for one in slots[:2]))
    return tuple(dict.fromkeys(islice(named, LINES)))


@pytest.mark.few(2)
@odd_names
@every_game
def test_every_line_offered_about_an_odd_name_is_taken_and_means_its_player(
    game: Game[Any], odd: str
) -> None:
    slots, states = positions(game)
    names = called(slots, odd)
    known = {name: SlotId(name) for name in names.values()}
    sent = 0
    for place, state in enumerate(states):
        there = as_called(state, names)
        for slot in (*slots, None):
            who = None if slot is None else SlotId(names[slot])
            for plainly in about(game, place, slot):
                plain = game.submit(state, Message(slot, plainly, START), First())
                line = as_called(plainly, names)
                if odd in line.replace(as_called(slots[0], names), "", plainly.count(slots[0])):
                    continue  # “Mist ONLY”: the longest whole name is meant, as the manual says
                found = game.submit(there, Message(who, line, START, known), First())
                assert plain.refused == found.refused == (), line
                assert found.state == as_called(plain.state, names), line
                # Whoever holds the slot by now may be called so, too.
                seat: dict[str, str] = {slots[0]: odd, slots[1]: NAMESAKE}
                late: dict[str, SlotId] = {one: one for one in as_called(slots, {slots[1]: NAMESAKE})}
                late[odd] = slots[0]
                held = Message(NAMESAKE if slot == slots[1] else slot, as_called(plainly, seat), START, late)
                now = game.submit(as_called(state, {slots[1]: NAMESAKE}), held, First())
                assert now.refused == (), line
                assert now.state == as_called(plain.state, {slots[1]: NAMESAKE}), line
                sent += 1
    assert sent > 5


@pytest.mark.few(4)
@odd_names
@every_game
def test_whom_the_moderator_takes_out_or_back_is_known_without_a_name_being_read(
    game: Game[Any], odd: str
) -> None:
    slots, states = positions(game)
    names = called(slots, odd)
    there, one = states[0], slots[0]
    for verb in ("modkill", "revive", "eliminate"):
        plain = game.decide(there, (Order(verb, (one,)),), START, First())
        found = game.decide(as_called(there, names), (Order(verb, (SlotId(odd),)),), START, First())
        assert found.state == as_called(plain.state, names)
        assert [code.code for _, code in found.refused] == [code.code for _, code in plain.refused]
        assert (plain.state != there) is (not plain.refused)
        there = plain.state


# ── What the journal holds leads to the same, whoever is called how. ────────────────────────────────────────

CAME = "Qznewvx"
"""Who holds the first slot in the end."""


class Noting(First):
    """The first of everything; `drawn` has what each draw of one could have come to."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, object]] = []

    def at(self, *_path: object) -> Noting:
        return self

    apart = at

    def choice(self, label: str, options: Sequence[T], _repeat: int = 0) -> T:
        self.drawn += ((label, option) for option in options)
        return options[0]


def led(game: Game[Any], entries: Sequence[Entry]) -> Replay[Any]:
    journal: Journal = ()
    for entry in entries:
        journal = append(journal, entry, START, "Wren")
    return replay(journal, game, First)  # type: ignore[arg-type]


@cache
def history(game: Game[Any]) -> tuple[Entry, ...]:
    """A game of plain names: orders of everybody about the first two, draws by hand, closings, removals."""
    with made_for_all():
        return tuple(entered(game))


def entered(game: Game[Any]) -> list[Entry]:
    slots, _ = positions(game)
    one, other = slots[:2]
    told: list[Entry] = [Started(game.spec.id, slots, options_of(game, 0), timeouts="ask")]
    told.append(Replaced(one, CAME))
    nobody: list[SlotId] = []
    falls = [[one], [slots[-1]]]
    for _ in range(4):
        state = led(game, told).state
        if not (windows := [each for each in game.windows(state) if not each.by_itself]):
            break
        told += sent(game, state, slots)
        noting, window = Noting(), windows[0]
        game.close(led(game, told).state, window.kind, START, noting)
        told += islice((Drawn(label, who) for label, who in noting.drawn if who in (one, other)), 1)
        ends = [Closed(window.kind)]
        if game.day_rule({}) and window.kind == "day":
            ends = [Closed(window.kind, orders=end_of_day(those)) for those in (*falls, nobody)]
            falls = []
        told.append(next(end for end in ends if end is ends[-1] or goes_on(game, [*told, end])))
    return [*told, Removed(other), Revived(other), Removed(one)]


def goes_on(game: Game[Any], told: Sequence[Entry]) -> bool:
    """Whether the game is not over behind them."""
    return game.outcome(led(game, told).state) is None


def sent(game: Game[Any], state: Any, slots: tuple[SlotId, ...]) -> Iterator[Submitted]:
    """A line of everybody, about the first two where there is one."""
    for slot in slots:
        ask, chance = partial(game.continuations, state, slot), random.Random(5)
        walks = [line for line in (walked(ask, chance) for _ in range(20)) if line]
        walks = [line for line in walks if "RESIGN" not in line]
        named = [line for line in walks if any(each in line for each in slots[:2])]
        for line in (named or walks)[:1]:
            yield Submitted(slot, str(line).replace(slots[0], CAME))


def test_the_journal_of_plain_names_holds_what_is_asked_for() -> None:
    drawn: list[Drawn] = []
    for game in GAMES:
        entries = history(game)
        found = led(game, entries)
        refused = {taken.number for taken in found.taken if taken.refused}
        kinds = {type(entry) for number, entry in enumerate(entries, start=1) if number not in refused}
        assert {Submitted, Closed, Replaced} <= kinds and kinds & {Removed, Revived}, game.spec.id
        drawn += [entry for entry in entries if isinstance(entry, Drawn)]
    assert drawn


@pytest.mark.few(12)
@odd_names
@every_game
@pytest.mark.parametrize("whose", ["the slot", "who holds it"])
def test_a_journal_leads_to_the_same_whatever_a_player_is_called(
    game: Game[Any], odd: str, whose: str
) -> None:
    slots, _ = positions(game)
    names = called(slots, odd if whose == "the slot" else "Wisp") | {
        CAME: "Wisp" if whose == "the slot" else odd
    }
    plain = [
        entry
        for entry in history(game)
        if not isinstance(entry, Submitted)
        # “Mist ONLY”: the longest whole name is meant, as the manual says.
        or odd not in as_called(entry.text.replace(CAME, ""), names)
    ]
    was, now = led(game, plain), led(game, [as_called(entry, names) for entry in plain])
    assert now.state == as_called(was.state, names)
    for before, after in zip(was.taken, now.taken, strict=True):
        codes = [[why.code for _, why in taken.refused] for taken in (before, after)]
        assert codes[0] == codes[1], plain[before.number - 1]


@odd_names
def test_a_value_drawn_by_hand_is_the_one_of_that_name(odd: str) -> None:
    draw = Draw("kc.king", (NAMESAKE, SlotId(odd), SlotId("Ada")))
    assert draw.option_meant(odd) == odd
    assert draw.option_meant("Ada,") == "Ada"


@odd_names
def test_a_change_is_asked_for_whom_it_names(odd: str) -> None:
    known = ((SlotId(odd), NAMESAKE), dict[str, SlotId]())
    assert parse_edit(f"remove {odd}", *known) == Remove(odd)
    assert parse_edit(f"remove {odd}: kill Mist", *known) == Remove(odd, "kill Mist")
    assert parse_edit(f"add {odd}: kill Mist", *known) == Add(odd, "kill Mist")
    assert parse_edit(f"add Mist: kill {odd}", *known) == Add("Mist", f"kill {odd}")
