"""Do the first posts of a game tell what not everybody may know? They are read before it begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from knightfall.app.founding.deal import PRIVATE
from knightfall.app.founding.deal_proof import DealProof
from knightfall.app.founding.game_names import game_named
from knightfall.app.guarding.hidden_table import of_table
from knightfall.app.guarding.outgoing import passed
from knightfall.app.guarding.rooms import Room
from knightfall.app.play.guarded_entry import public_text
from knightfall.app.play.table import Table
from knightfall.app.ports import Ports
from knightfall.core.entries import Started
from knightfall.core.journal import Journal, append, replay
from knightfall.core.rng import SeededRng
from knightfall.setups.setup import Setup


def started(proof: DealProof) -> Started:
    """The entry with which the game of a deal begins."""
    return Started(proof.terms.game, proof.terms.slots, dict(proof.terms.options), PRIVATE)


def first_table(proof: DealProof, folder: Path, journal: Journal, ports: Ports) -> Table:
    """The game as it begins behind that journal; nothing is written. Raises InputError where it cannot be
    played so."""
    game = game_named(proof.terms.game)
    after = append(journal, started(proof), ports.clock.now(), ports.author)
    return Table(game, folder, proof.seed, after, replay(after, game, lambda: SeededRng(proof.seed)))


def looked_at(
    table: Table, setup: Setup, rooms: tuple[Room, ...], speech: str, allow: str
) -> tuple[str, ...]:
    """What the first posts give away for a written reason, in sentences. Raises SecretGuard without one."""
    hidden = replace(of_table(table, setup), rooms=rooms)
    return passed(public_text(table, speech), hidden, allow)
