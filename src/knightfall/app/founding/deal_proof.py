"""Was the deal fixed before the game began, and is it what the seed says?

The moderator publishes a commitment at the start: SHA-256 over a salt, the seed, and the terms (game,
options, slots in order). At the end he publishes all of it. Anybody can then repeat the deal and the digest:
a seed chosen afterwards, another order of names or another option would not give the published number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knightfall.app.founding.game_names import game_named
from knightfall.core.game import SlotId
from knightfall.core.rng import SeededRng, commitment
from knightfall.errors import InputError
from knightfall.mafia.chronicle import Proof

MIN_BYTES: Final = 16
"""Of seed and salt: 128 bits cannot be found by trying."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the deal is made from besides chance: all of it is committed to."""

    game: str
    options: Mapping[str, object]
    slots: tuple[SlotId, ...]

    @property
    def text(self) -> str:
        """One line of JSON with sorted keys and no blanks: what goes into the digest, as UTF-8."""
        said = {"game": self.game, "options": dict(self.options), "slots": list(self.slots)}
        return json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class DealProof:
    """All that is published at the end."""

    terms: Terms
    seed: bytes
    salt: bytes
    commitment: str
    cards: Mapping[SlotId, str]


def commit(terms: Terms, seed: bytes, salt: bytes) -> DealProof:
    """Deal by the seed and commit to it. Raises InputError for a short seed or salt, or no such game."""
    for name, value in (("seed", seed), ("salt", salt)):
        if len(value) < MIN_BYTES:
            raise InputError(f"The {name} has {len(value)} bytes; it needs {MIN_BYTES} or more.")
    return DealProof(terms, seed, salt, digest(terms, seed, salt), cards_of(terms, seed))


def digest(terms: Terms, seed: bytes, salt: bytes) -> str:
    """SHA-256 in hex over the salt's bytes, a line `seed:` with the seed in hex, and the line of the terms.

    The salt ends where the line begins: a byte that moves from one to the other gives another number.
    """
    return commitment(f"\nseed:{seed.hex()}\n{terms.text}".encode(), salt)


def cards_of(terms: Terms, seed: bytes) -> dict[SlotId, str]:
    """The card of every slot. Raises InputError where the game cannot be dealt so."""
    game = game_named(terms.game)
    state = game.setup(terms.slots, terms.options, SeededRng(seed)).state
    return {slot: str(game.view(state, slot).facts.get("role", "")) for slot in terms.slots}


def verify(proof: DealProof, published: str | None = None) -> tuple[str, ...]:
    """What is wrong with a deal, in sentences; () where it is as committed.

    `published` is the commitment of the opening post, where the reader has it.
    """
    try:
        dealt = cards_of(proof.terms, proof.seed)
    except InputError as error:
        return (*_wrong_digest(proof, published), f"the deal cannot be repeated: {error}".rstrip("."))
    return (*_wrong_digest(proof, published), *_wrong_cards(proof.cards, dealt))


def _wrong_digest(proof: DealProof, published: str | None) -> Sequence[str]:
    found = []
    if published is not None and published.strip().lower() != proof.commitment.lower():
        found.append(f"the file's commitment is {proof.commitment}, the published one {published}")
    if len(proof.salt) < MIN_BYTES:
        return [*found, f"the salt has {len(proof.salt)} bytes; fewer than {MIN_BYTES} can be guessed"]
    if (again := digest(proof.terms, proof.seed, proof.salt)) != proof.commitment.lower():
        found.append(f"salt, seed and terms give the commitment {again}, not {proof.commitment}")
    return found


def _wrong_cards(said: Mapping[SlotId, str], dealt: Mapping[SlotId, str]) -> Sequence[str]:
    absent = [f"{slot} has no card in the file" for slot in dealt if slot not in said]
    extra = [f"{slot} has a card and is not among the slots" for slot in said if slot not in dealt]
    other = [
        f"the seed deals {slot} the card {role}, the file says {said[slot]}"
        for slot, role in dealt.items()
        if slot in said and said[slot] != role
    ]
    return absent + extra + other


def endgame_facts(proof: DealProof) -> Proof:
    """What the endgame post shows of it."""
    return Proof(proof.commitment, proof.seed.hex(), proof.salt.hex(), proof_json(proof, None).strip())


def proof_json(proof: DealProof, indent: int | None = 2) -> str:
    """The file: {schema, game, options, slots, seed, salt, commitment, cards}, bytes in hex; without an
    indent one line."""
    said: dict[str, Any] = {
        "schema": 1,
        "game": proof.terms.game,
        "options": dict(proof.terms.options),
        "slots": list(proof.terms.slots),
        "seed": proof.seed.hex(),
        "salt": proof.salt.hex(),
        "commitment": proof.commitment,
        "cards": dict(proof.cards),
    }
    return json.dumps(said, ensure_ascii=False, indent=indent) + "\n"
