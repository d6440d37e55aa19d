"""What does a game hide right now: roles of the living, deeds of the night, private texts and threads?

Of a game that was begun `hidden_table` tells it, else `role =` in the game file; posts are never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.app.diary.journal import journal_of
from knightfall.app.guarding.rooms import Room, rooms_of
from knightfall.app.ports import Ports, game_database
from knightfall.core.entries import Published, Started
from knightfall.core.journal import Journal, standing
from knightfall.setups.decided import decided
from knightfall.setups.game_file import read_setup
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.guard import Card, Secret

if TYPE_CHECKING:  # who only counts votes need not wait for all games
    from knightfall.app.play.table import Table

PRIVATE, GAME_FILE = "private", "game.toml"


@dataclass(frozen=True, slots=True)
class Hidden:
    """`cards` of the living, `shown` roles that everybody has seen, deeds as `secrets`; `pms` that went to
    some, texts that are `public` already, `names` of all players; private `rooms`; `keys` for nobody."""

    cards: tuple[Card, ...] = ()
    whole: bool = True
    """Whether these are the cards of all who live: then a list of their roles tells nobody's own."""
    shown: tuple[str, ...] = ()
    secrets: tuple[Secret, ...] = ()
    pms: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    rooms: tuple[Room, ...] = ()
    keys: tuple[Secret, ...] = ()


def hidden_in(folder: Path, ports: Ports) -> Hidden:
    """What the game of a folder, or of its game.toml, hides. Raises what reading file and table raise."""
    journal = journal_of(ports)
    if any(isinstance(record.entry, Started) for record in standing(journal)):
        from knightfall.app.play.table import table_with

        return hidden_at(table_with(folder, journal), ports)
    file = folder if folder.suffix == ".toml" else game_database(folder).parent / GAME_FILE
    setup = _setup(file, journal)
    return replace(_of_file(setup, file.parent, journal), rooms=rooms_of(setup, ports))


def hidden_at(table: Table, ports: Ports) -> Hidden:
    """What a begun game hides where it stands. Raises what reading its game file raises."""
    from knightfall.app.guarding.hidden_table import of_table

    setup = _setup(table.folder / GAME_FILE, table.journal)
    return replace(of_table(table, setup), rooms=rooms_of(setup, ports))


def _setup(file: Path, journal: Journal) -> Setup:
    """The game file as the journal has it; an empty one where the folder has none."""
    return decided(read_setup(file), journal) if file.exists() else Setup(str(file))


def _of_file(setup: Setup, home: Path, journal: Journal) -> Hidden:
    """Of a thread whose game is run by hand: roles as written, everybody lives who has not left."""
    slots = setup.roster.slots if setup.roster else ()
    gone = {name for _, name in setup.fallen}
    left = gone | {name for slot in slots if slot.left or gone & set(slot.names) for name in slot.names}
    living = [slot for slot in slots if not left & set(slot.names)]
    return Hidden(
        whole=all(set(slot.names) & set(setup.roles) for slot in living),
        cards=tuple(_cards({name: role for name, role in setup.roles.items() if name not in left}, setup)),
        shown=tuple(role for name, role in setup.roles.items() if name in left),
        pms=tuple(private_texts(home)),
        public=tuple(public_texts(home, journal)),
        names=_players(setup),
    )


def _cards(roles: Mapping[str, str], setup: Setup) -> Iterator[Card]:
    if roles:
        from knightfall.services.roles import card_of

        for name, role in roles.items():
            yield card_of(role, name, names_of(name, setup), _players(setup))


def _players(setup: Setup) -> tuple[str, ...]:
    slots = setup.roster.slots if setup.roster else ()
    return tuple(name for slot in slots for name in names_of(slot.name, setup))


def names_of(slot: str, setup: Setup) -> tuple[str, ...]:
    """All that a slot is or was called."""
    known = setup.roster.slot_of(slot) if setup.roster else None
    taught = tuple(alias for name, alias in setup.aliases if name == slot)
    return tuple(dict.fromkeys((slot, *(known.names + known.aliases if known else ()), *taught)))


def private_texts(home: Path, of_entries: bool = True) -> Iterator[str]:
    """What went to some; without `of_entries` only what no entry of the journal led to."""
    for file in sorted((home / PRIVATE).glob("*.txt")):
        if of_entries or not file.name.partition("-")[0].isdecimal():
            yield _read(file)


def public_texts(home: Path, journal: Journal) -> Iterator[str]:
    """What everybody may have read: texts that were ready to post, and those that were posted."""
    yield from (_read(file) for file in sorted((home / PUBLIC).glob("*.txt")))
    yield from (record.entry.text for record in journal if isinstance(record.entry, Published))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
