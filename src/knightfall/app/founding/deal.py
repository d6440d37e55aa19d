"""Deal a game by seed, keep the proof in private, and check such a proof afterwards."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knightfall.app.founding.deal_proof import DealProof, Terms, commit, proof_json, verify
from knightfall.app.founding.game_names import game_named
from knightfall.app.founding.setup_table import setup_said
from knightfall.app.text_file import read_text
from knightfall.core.game import SlotId
from knightfall.errors import InputError, SetupError
from knightfall.storage.drafts import write_draft

_KEYS = ("schema", "game", "options", "slots", "seed", "salt", "commitment", "cards")
PRIVATE, PUBLIC = "private/deal.json", "public/commitment.txt"


def deal(
    game: str, players: tuple[SlotId, ...], setup: str | None, seed: bytes, salt: bytes, out: Path
) -> str:
    """Deal to the players in their order; returns the commitment, which alone is not secret.

    Writes `private/deal.json` (readable by its owner alone) and `public/commitment.txt`. Raises InputError
    where a deal is there already or the game cannot be dealt.
    """
    options = {"setup": setup_said(setup)} if setup else {}
    proof = commit(Terms(game_named(game).spec.id, options, players), seed, salt)
    dealt_into(out, proof)
    return proof.commitment


def dealt_into(out: Path, proof: DealProof) -> None:
    """Keeps the proof in a folder. Raises InputError where a deal is there already."""
    if (out / PRIVATE).exists() or (out / PUBLIC).exists():
        raise InputError(
            f"{out}: a deal is there already; a second one would be a choice. Take another folder."
        )
    _write(out, PRIVATE, proof_json(proof))
    tell_commitment(out, proof)


def tell_commitment(out: Path, proof: DealProof) -> None:
    """Writes what the opening post can quote; the same again is no harm."""
    _write(out, PUBLIC, commitment_note(proof))


def _write(out: Path, file: str, text: str) -> None:
    """Whole or not at all, and never readable by others."""
    half, _, name = file.partition("/")
    write_draft(out, half, name, text)


def commitment_note(proof: DealProof) -> str:
    """What the opening post can quote."""
    return (
        f"The cards of this game were dealt by a secret seed. Commitment:\n{proof.commitment}\n"
        "(SHA-256 over salt, seed, and game, options and players in order. All is published at the end;\n"
        "then `knightfall verify-deal` shows everybody that the cards were fixed when this was posted.)\n"
    )


def verified(path: Path, published: str | None = None) -> tuple[bool, str]:
    """Whether the deal of a TOML or JSON file is as committed, and what to tell the reader.

    Raises SetupError where the file is not such a proof, InputError where its game cannot be dealt.
    """
    proof = parse_proof(path.name, read_text(path))
    wrong = verify(proof, published)
    if wrong:
        return False, "\n".join(["This is not the deal that was committed to:", *(f"- {w}." for w in wrong)])
    compare = "" if published else "\nCompare it with the one in the opening post."
    return True, f"{len(proof.cards)} cards, as the seed deals them. Commitment:\n{proof.commitment}{compare}"


def parse_proof(name: str, text: str) -> DealProof:
    """The proof from text; `name` is what complaints call the file. Raises SetupError."""
    table = _table(name, text)
    for key in _KEYS[1:]:
        if key not in table:
            raise SetupError(f"{name}: {key}: it is missing; a deal has {', '.join(_KEYS)}.")
    for key, kind in {"game": str, "options": dict, "slots": list, "commitment": str, "cards": dict}.items():
        if not isinstance(table[key], kind):
            raise SetupError(f"{name}: {key}: found {table[key]!r}, expected a {kind.__name__}.")
    slots = tuple(SlotId(str(slot)) for slot in table["slots"])
    cards = {SlotId(slot): str(role) for slot, role in table["cards"].items()}
    terms = Terms(table["game"], table["options"], slots)
    return DealProof(
        terms, _bytes(name, table, "seed"), _bytes(name, table, "salt"), table["commitment"], cards
    )


def _table(name: str, text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{name}: neither JSON nor TOML: {error}.") from error
    return found if isinstance(found, dict) else {}


def _bytes(name: str, table: Mapping[str, Any], key: str) -> bytes:
    return parse_hex(f"{name}: {key}", table[key])


def parse_hex(where: str, found: object) -> bytes:
    """Bytes written in hex. Raises SetupError naming `where`."""
    try:
        return bytes.fromhex(str(found))
    except ValueError:
        raise SetupError(f"{where}: found {found!r}, expected bytes in hex: 00ff…") from None
