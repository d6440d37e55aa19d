"""How does a whole game read, from the deal to the endgame post? Played at random, but legally.

Usage: scripts/playthrough GAME [SEED] [OUTDIR]
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from written_pages import PUBLIC, Page, pages

from knightfall.engine.game import Game, Outcome
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.mafia.endgame_history import completed
from knightfall.sentence import SlotId
from knightfall.services.deal import DealProof, DealTerms, commit, commitment_note, endgame_facts
from knightfall.services.games import game_named
from knightfall.writeups.render import render

_NAMES = (
    "Alder Bramble Cobalt Drift Ember Flint Gorse Heron Indigo Jasper "
    "Kelp Larch Marl Nimbus Ochre Peat Quarry Rowan Sorrel Tansy"
)
NAMES = tuple(map(SlotId, _NAMES.split()))
PLAYERS: Mapping[str, int] = MappingProxyType({"knight_errant": 18, "empowered": 20, "custom_mafia": 18})
PLAYED = Path(__file__).parents[2] / "fixtures/playthroughs"
"""Where a game's setup stands, if it plays one of its own: `<game>.toml`."""
DIALECT = "phpbb"
WINDOWS = 2_000


@dataclass(frozen=True, slots=True)
class Played:
    """A game with all that went out."""

    game: Game[Any]
    proof: DealProof
    playout: Playout[Any]
    pages: tuple[Page, ...]


def played(game: Game[Any], seed: int) -> Played:
    """Deal by a seed that is committed to, play, and write everything."""
    slots = NAMES[: PLAYERS.get(game.spec.id, game.spec.players[0])]
    options = options_of(game.spec.id)
    terms = DealTerms(game.spec.id, options, slots)
    proof = commit(terms, _bytes(game, "seed", seed), _bytes(game, "salt", seed))
    chance = SeededRng(_bytes(game, "chance", seed))
    playout = play(game, slots, options, chance, SeededRng(proof.seed), WINDOWS)
    events = replay(playout.journal, game, lambda: SeededRng(proof.seed)).events
    written = list(pages(game.spec.id, completed(events), DIALECT))
    if game.spec.id in PLAYERS:  # a mafia game's deal can be told whole, at the end of the last post
        checked = render("any/proof", {"proof": endgame_facts(proof)}, DIALECT)
        last = max(place for place, page in enumerate(written) if page.audience == PUBLIC)
        written[last] = replace(written[last], text=f"{written[last].text}\n\n{checked}")
    return Played(game, proof, playout, tuple(written))


def options_of(game: str) -> Mapping[str, object]:
    """The options that a game is played with: its setup, where it has one of its own."""
    file = PLAYED / f"{game}.toml"
    return {"setup": tomllib.loads(file.read_text(encoding="utf-8"))} if file.exists() else {}


def _bytes(game: Game[Any], use: str, seed: int) -> bytes:
    return hashlib.sha256(f"{game.spec.id} {use} {seed}".encode()).digest()


def write(one: Played, out: Path) -> None:
    """Every page to its file, and the commitment before them all."""
    texts = {page.path: page.text for page in one.pages}
    for path, text in {"public/000-commitment.txt": commitment_note(one.proof), **texts}.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def summary(one: Played) -> str:
    """How it went, in a few lines."""
    kinds = Counter((page.audience, page.kind) for page in one.pages)
    told = [f"{audience:9}  {kind:16}  {count}" for (audience, kind), count in sorted(kinds.items())]
    slots = len(one.proof.terms.slots)
    head = f"{one.game.spec.name}, {slots} players: {len(one.playout.journal)} entries in the journal"
    return "\n".join([head, *told, _ending(one.game.outcome(one.playout.state))])


def _ending(outcome: Outcome | None) -> str:
    if outcome is None:
        return f"not over after {WINDOWS} windows"
    return f"winner: {outcome.winner or 'nobody'} ({', '.join(outcome.slots) or 'nobody'})"


def main(words: list[str]) -> None:
    if not words:
        sys.exit(__doc__)
    try:
        game = game_named(words[0])
    except InputError as error:
        sys.exit(str(error))
    seed = int(words[1]) if len(words) > 1 else 1
    out = Path(words[2] if len(words) > 2 else f"playthrough-{game.spec.id}-{seed}")
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} holds something already: name a new folder.")
    one = played(game, seed)
    write(one, out)
    print(f"{summary(one)}\nwritten to {out}")


if __name__ == "__main__":
    main(sys.argv[1:])
