"""How does a game begin: a folder, its game.toml, the deal with its proof, the first posts and PMs?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knightfall.app.deal import dealt_into
from knightfall.app.deal_proof import Terms, commit
from knightfall.app.game_names import game_named
from knightfall.app.journal import entered
from knightfall.app.read import Ports
from knightfall.app.setup_table import setup_said
from knightfall.app.table import table_of
from knightfall.app.texts import kept, texts_of
from knightfall.core.entries import Started
from knightfall.core.game import SlotId
from knightfall.errors import InputError

GAME_FILE = "game.toml"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new game is made of; seed and salt come from outside."""

    game: str
    players: tuple[str, ...]
    folder: Path
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    title: str = ""
    timezone: str = "UTC"
    options: Mapping[str, object] = field(default_factory=dict)
    dialect: str = "plain"


def begin(asked: Beginning, ports: Ports) -> str:
    """Makes the folder and begins the game; returns what the moderator should know. Raises InputError where
    the folder holds a game already, or the game cannot be played with these names and options."""
    if (asked.folder / GAME_FILE).exists():
        raise InputError(f"{asked.folder} holds a game already ({GAME_FILE}): take another folder.")
    terms = Terms(game_named(asked.game).spec.id, asked.options, tuple(map(SlotId, asked.players)))
    proof = commit(terms, asked.seed, asked.salt)
    dealt_into(asked.folder, proof)
    (asked.folder / GAME_FILE).write_text(game_file(asked, terms.game), encoding="utf-8")
    return (
        f"{_written(asked, terms, ports)}\nCommitment of the deal (safe to post): sha256:{proof.commitment}"
    )


def said_options(said: Sequence[str]) -> dict[str, object]:
    """`name=value` each. Raises InputError for what is not."""
    pairs = [option.partition("=") for option in said]
    wrong = next(
        (option for option, (name, sign, _) in zip(said, pairs, strict=True) if not (name and sign)), None
    )
    if wrong is not None:
        raise InputError(f"--option {wrong}: expected NAME=VALUE, such as setup=A1-RD.")
    return {name.strip(): _value(name.strip(), value.strip()) for name, _, value in pairs}


def _value(name: str, said: str) -> object:
    return setup_said(said) if name == "setup" else said


def _written(asked: Beginning, terms: Terms, ports: Ports) -> str:
    started = Started(terms.game, terms.slots, dict(terms.options), "private/deal.json")
    entered(started, ports, "A game is kept in a folder.")
    table = table_of(asked.folder, ports)
    texts = tuple(texts_of(terms.game, table.last_events, asked.dialect))
    kept(asked.folder, 1, texts)
    public = sum(text.whose == "public" for text in texts)
    return (
        f"Made {asked.folder}: {table.game.spec.name}, {len(terms.slots)} players; {public} post(s) in "
        f"public/, {len(texts) - public} PM(s) and sheets in private/."
    )


def game_file(asked: Beginning, kind: str) -> str:
    """The game.toml: hand-written from now on."""
    lines = ["schema = 1", "", "[game]", f'kind = "{kind}"', f"title = {_quoted(asked.title or kind)}"]
    lines += [f'timezone = "{asked.timezone}"', *_options(asked.options)]
    for name in asked.players:
        lines += ["", "[[player]]", f"name = {_quoted(name)}"]
    return "\n".join(lines) + "\n"


def _options(options: Mapping[str, object]) -> Sequence[str]:
    if not options:
        return ()
    said = {name: value for name, value in options.items() if isinstance(value, str)}
    kept = "" if said == options else "# The setup itself stands in the journal: knightfall log."
    return (
        "",
        "[game.options]",
        *([kept] if kept else ()),
        *(f"{n} = {_quoted(v)}" for n, v in said.items()),
    )


def _quoted(value: object) -> str:
    """A TOML basic string is a JSON string."""
    return json.dumps(str(value), ensure_ascii=False)
