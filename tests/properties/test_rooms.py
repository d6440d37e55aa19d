"""Whatever happens in a mafia game: its rooms are those that its rules tell of, and no text tells of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fetch.loopback import StillClock, client
from knightfall.config.setup import Setup, ThreadSetup
from knightfall.engine.entries import Closed, Entry, Removed, Replaced, Revived, Roomed, Submitted
from knightfall.engine.game import announced
from knightfall.engine.journal import append, standing
from knightfall.engine.playout import TICK, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games import loaded
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.mafia.roles import Knowledge, Role
from knightfall.sentence import SlotId
from knightfall.services.game.rooms import RoomRow, ledger_of
from knightfall.services.guard import of_table
from knightfall.services.journal import public_lines
from knightfall.services.now import Now
from knightfall.services.running import RunningGame, renamed
from knightfall.services.session import Session
from knightfall.writeups.events import public_post
from knightfall.writeups.leak_check import room_leaks
from long_runs import first
from salt_harbour import NAMES

SEED = b"the rooms of harbour"
URL = "https://forum.example/viewtopic.php?t="
MASONS: Mapping[str, object] = {
    "slots": [
        {"role": "Mafia Goon", "count": 2},
        {"role": "Mafia Roleblocker"},
        {"role": "Town Mason", "count": 2},
        {"role": "Town Mason Cop"},
        {"role": "Town Lover", "count": 2, "lovers": 2},
        {"role": "Town Vigilante"},
        {"role": "Vanilla Townie", "fill": True},
    ]
}
ALONE: Mapping[str, object] = {
    "slots": [
        {"role": "Mafia Goon"},
        {"role": "Town Mason"},
        {"role": "Town Vigilante"},
        {"role": "Vanilla Townie", "fill": True},
    ]
}
NEIGHBORS: Mapping[str, object] = {
    "slots": [
        {"role": "Mafia Goon", "count": 2},
        {"role": "Mafia Traitor Neighbor"},
        {"role": "Mafia Traitor"},
        {"role": "Town Neighbor", "count": 2},
        {"role": "Town Mason", "count": 2},
        {"role": "Town Vigilante"},
        {"role": "Vanilla Townie", "fill": True},
    ]
}
KINDS: Mapping[str, tuple[str, int, Mapping[str, object]]] = {
    "knight_errant": ("knight_errant", 18, {}),
    "empowered": ("empowered", 11, {}),
    "masons and lovers": ("custom_mafia", 13, {"setup": MASONS}),
    "neighbors and traitors": ("custom_mafia", 13, {"setup": NEIGHBORS}),
    "nobody to talk to": ("custom_mafia", 8, {"setup": ALONE}),
}
GAMES = [(kind, number) for number in range(50) for kind in KINDS]
"""Two hundred and fifty of them."""
FEW = 20


@dataclass
class _Played:
    """A random game in which the moderator now and then replaces, removes or revives somebody."""

    table: RunningGame
    chance: SeededRng
    moment: int = 0

    def enter(self, entry: Entry) -> RunningGame:
        self.moment += 1
        self.table = self.table.after(entry, self.table.journal[-1].at + TICK, "Wren")
        return self.table

    def by_the_moderator(self) -> Entry | None:
        """Something that is done about a slot, in one moment of six."""
        state, game = self.table.state, self.table.game
        living, dead = game.playing(state), tuple(one.slot for one in game.dead(state))
        draw = self.chance.at("moderator", self.moment)
        found: tuple[Entry | None, ...] = (None,) * 15
        if self.table.windows and living:
            slot = draw.choice("who", living)
            found += (Replaced(slot, f"Newcomer {self.moment}"), Removed(slot))
        if self.table.windows and dead:
            found += (Revived(draw.choice("dead", dead)),)
        return draw.choice("what", found)


def events(kind: str, number: int) -> Iterator[RunningGame]:
    """The game behind each of its entries."""
    game_id, players, options = KINDS[kind]
    game, seed = loaded(game_id), SEED + b" %d" % number
    playout = play(game, NAMES[:players], options, SeededRng(b"chance" + seed), SeededRng(seed))
    begun = playout.journal[:1]
    table = RunningGame(game, Path(), seed, begun, replay(begun, game, lambda: SeededRng(seed)))
    played = _Played(table, SeededRng(b"moderator" + seed))
    yield table
    for record in playout.journal[1:]:
        assert isinstance(record.entry, Submitted | Closed)
        yield played.enter(record.entry)
        own = played.by_the_moderator()
        if own is not None:
            yield played.enter(own)


def context_of(table: RunningGame, setup: Setup) -> Now:
    clock = StillClock()
    session = Session(clock, client(clock), lambda _: pytest.fail("no evidence"))
    found = Now(session, table.journal)
    vars(found).update(file=setup, setup=setup, thread=None, running=table)
    return found


def rows_of(table: RunningGame, setup: Setup) -> dict[str, RoomRow]:
    return {row.room: row for row in ledger_of(context_of(table, setup)).rows}


def oracle(table: RunningGame) -> dict[str, set[str]]:
    """Who should be in which room by the rules' words: the mafiosi know each other, but no traitor, and so
    do the masons, and the neighbors of all sides; who is dead talks with nobody, and who holds a slot now
    is who is meant."""
    cards = table.state.cards
    dead = {one.slot for one in table.game.dead(table.state)}
    holder = {str(slot): str(slot) for slot in cards}
    for record in standing(table.journal):
        if isinstance(record.entry, Replaced):
            holder[record.entry.slot] = record.entry.name
    groups = {
        "mafia": [slot for slot, card in cards.items() if _of_the_mafia(card)],
        "neighbors": [slot for slot, card in cards.items() if "Neighbor" in card.name.split()],
        "masons": [slot for slot, card in cards.items() if "Mason" in card.name],
    }
    knowing = {
        kind: {slot for slot in slots if {one.name for one in _known(table, slot)} & set(slots)}
        for kind, slots in groups.items()
    }
    rooms = {kind: {holder[slot] for slot in slots if slot not in dead} for kind, slots in knowing.items()}
    return rooms | {"dead": {holder[slot] for slot in dead}}


def _of_the_mafia(card: Role) -> bool:
    return str(card.alignment) == "mafia" and "Traitor" not in card.name


def _known(table: RunningGame, slot: SlotId) -> tuple[Any, ...]:
    """Whom the card of a slot names to its holder."""
    partners: tuple[Any, ...] = table.game.partners(table.state, slot)  # type: ignore[attr-defined]
    return partners


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("kind", "number"),
    [one if n < FEW else pytest.param(*one, marks=pytest.mark.long) for n, one in enumerate(GAMES)],
)
def test_who_should_be_in_a_room_is_who_the_rules_tell_of_and_done_is_done(kind: str, number: int) -> None:
    begun = next(events(kind, number))
    rooms = oracle(begun)
    threads = tuple(
        ThreadSetup("private", f"{URL}{place}", tuple(rooms[room]), room=room if number % 2 else "")
        for place, room in enumerate(("mafia", "masons"))
        if rooms[room] and number % 3
    )
    setup = Setup("game.toml", threads=(*threads, ThreadSetup("dead", f"{URL}9", ("A guest",))))
    done: list[Roomed] = []
    moments = 0
    for table in events(kind, number):
        moments += 1
        # What was ticked off so far stands in the journal, too: it changes nothing of the game.
        noted = _with(table, done)
        rows, wanted = rows_of(noted, setup), oracle(table)
        wanted["dead"] |= {"A guest"}
        found = {room: set(row.should) for room, row in rows.items()}
        assert {room: found.get(room, set()) for room in wanted} == wanted
        assert set(rows) <= set(wanted)
        if not table.windows:
            assert [row.due for row in rows.values() if row.due] == []
            continue
        done += [Roomed(room, name, True) for room, row in rows.items() for name in row.add]
        done += [Roomed(room, name, False) for room, row in rows.items() for name in row.remove]
        after = rows_of(_with(table, done), setup)
        assert all(set(row.inside) == set(row.should) and not row.due for row in after.values())
    assert moments > 1


def _with(table: RunningGame, noted: list[Roomed]) -> RunningGame:
    """The same game with these entries at the end of its journal."""
    journal = table.journal
    for entry in noted:
        journal = append(journal, entry, journal[-1].at, "Wren")
    return replace(table, journal=journal)


@pytest.mark.few(2)
@pytest.mark.parametrize("number", first(1, range(10)))
@pytest.mark.parametrize("kind", KINDS)
def test_no_public_text_or_export_of_a_game_tells_who_is_in_a_room(kind: str, number: int) -> None:
    for table in events(kind, number):
        rows = rows_of(table, Setup("game.toml"))
        noted = _with(table, [Roomed(room, name, True) for room, row in rows.items() for name in row.should])
        assert all(
            '"roomed"' not in one.line and " room" not in one.words for one in public_lines(noted.journal)
        )
        if not table.windows:
            continue
        hidden = of_table(table, Setup("game.toml"))
        assert {one.word for one in hidden.rooms} == {row.kind for row in rows.values()} | _emptied(table)
        for event in announced(table.last_events):
            text = public_post(table.game.spec.id, renamed(event, {}), "plain")
            assert list(room_leaks(text, hidden.rooms)) == []
            for row in rows.values():
                told = f"{text}\nThe {row.kind} topic: {', '.join(row.should)}"
                if len(row.should) > 1:
                    assert list(room_leaks(told, hidden.rooms))


def _emptied(table: RunningGame) -> set[str]:
    """The rooms whose players are all dead: nobody should be in one."""
    return {
        kind for kind, names in oracle(table).items() if kind != "dead" and not names and _dealt(table, kind)
    }


@cache
def _mason(name: str) -> bool:
    return "Mason" in name


def _dealt(table: RunningGame, kind: str) -> bool:
    cards = table.state.cards.values()
    if kind == "neighbors":
        return sum("Neighbor" in card.name.split() for card in cards) > 1
    held = [card for card in cards if (_mason(card.name) if kind == "masons" else _of_the_mafia(card))]
    return len(held) > 1


def test_a_second_bond_has_a_room_of_its_own() -> None:
    """Bonds are words of cards: whoever is bound by another one than masons knows others, too."""
    playout = play(CUSTOM_MAFIA, NAMES[:13], {"setup": MASONS}, SeededRng(b"a"), SeededRng(SEED))
    state = playout.states[0]
    bound, other = [slot for slot, card in state.cards.items() if card.name == "Vanilla Townie"][:2]
    cards = {
        slot: replace(card, bonds={**card.bonds, "neighbour": Knowledge.PARTNERS})
        if slot in (bound, other)
        else card
        for slot, card in state.cards.items()
    }
    found = {room.kind: room for room in CUSTOM_MAFIA.rooms(replace(state, cards=cards))}
    assert set(found) == {"mafia", "masons", "neighbours"}
    assert found["neighbours"].slots == (bound, other)
    assert found["neighbours"].title == "Neighbour room"
